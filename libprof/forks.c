/* forks.c: forks of the program, beside what must not be forked in the middle of it: a region that is made, and the
 * library's code, which goes with the module that carries it.
 */
#include "libprof/libprof_inside.h"

#include <pthread.h>
#include <unistd.h>

/* ---- no region is made while somebody forks: the child would hold its lock, and a dead one would seem to live */

#define GATE_TRIES 2000 /* of 10 us */
#define GATE_SHUT  -1
static _Atomic int gate; /* threads that fork; or GATE_SHUT */

static bool pass_gate(bool to_fork)
{
	int now = atomic_load_explicit(&gate, memory_order_relaxed);

	while (to_fork ? now != GATE_SHUT : now == 0)
		if (atomic_compare_exchange_weak_explicit(&gate, &now, to_fork ? now + 1 : GATE_SHUT, memory_order_acquire,
		                                          memory_order_relaxed))
			return true;
	return false;
}

static bool wait_at_gate(bool to_fork)
{
	for (int i = 0; i < GATE_TRIES; i++) {
		if (pass_gate(to_fork))
			return true;
		usleep(10);
	}
	return false;
}

/* A thread that forks, and whose other handlers of the fork have a zone, would wait for itself. */
bool prof__gate_shut(void)
{
	return !prof__outsider.gates && wait_at_gate(false);
}

void prof__gate_open(bool was_shut)
{
	if (was_shut)
		atomic_store_explicit(&gate, 0, memory_order_release);
}

/* ---- a module is unloaded while others fork
 *
 * glibc calls handlers without its lock.  So before it takes them off its list, who is between the first and the last
 * one comes out, and who would begin waits; when they are off the list, these go on, and nobody new comes in.  Who is just
 * about to come in has a moment. */

#define NONE_TRIES 2000 /* of 10 us: a thread may be stopped in there for ever */
#define MOMENT_US  5000
static struct outsider *_Atomic leaver; /* whose it is says which thread unloads */
static _Atomic bool off_the_list;
static _Atomic int forks;       /* between the two handlers */
static _Atomic int in_handlers; /* in one of them just now */
static struct outsider *_Atomic forker; /* which thread forked first */
static _Atomic bool others_fork;

void prof__await_others(_Atomic int *inside, int own)
{
	for (int i = 0; i < NONE_TRIES && atomic_load(inside) > own; i++)
		usleep(10);
}

/* True if another thread is just unloading the module. */
static bool is_unloading(void)
{
	struct outsider *who = atomic_load(&leaver);

	return who && who != &prof__outsider;
}

static void count_fork(void)
{
	atomic_fetch_add(&forks, 1);
	if (!is_unloading()) {
		prof__outsider.forks++;
		return;
	}
	atomic_fetch_sub(&forks, 1);
	for (int i = 0; i < NONE_TRIES && !atomic_load(&off_the_list); i++)
		usleep(10);
}

static void note_forker(void)
{
	struct outsider *first = NULL;

	if (!atomic_compare_exchange_strong(&forker, &first, &prof__outsider) && first != &prof__outsider)
		atomic_store(&others_fork, true);
}

void prof__forks_await(void)
{
	struct outsider *first = atomic_load(&forker);

	atomic_store(&off_the_list, true);
	prof__await_others(&in_handlers, 0);
	if (first && (first != &prof__outsider || atomic_load(&others_fork)))
		usleep(MOMENT_US);
}

/* Zones that the thread has open go with it into the child, which knows no more of them than that they are there. */
static void before_fork(void)
{
	struct calm calm;

	prof__calm_begin(&calm);
	atomic_fetch_add(&in_handlers, 1);
	note_forker();
	count_fork();
	prof__outsider.open_at_fork = prof__open_zones(prof__thread);
	if (prof__outsider.forks && wait_at_gate(true))
		prof__outsider.gates++;
	atomic_fetch_sub(&in_handlers, 1);
	prof__calm_end(&calm);
}

/* A child of which nobody told may have begun anew meanwhile: then nobody is counted any more. */
static void count_down(_Atomic int *count)
{
	int now = atomic_load(count);

	while (now > 0 && !atomic_compare_exchange_weak(count, &now, now - 1))
		;
}

static void forked_parent(void)
{
	struct calm calm;

	prof__calm_begin(&calm);
	atomic_fetch_add(&in_handlers, 1);
	if (prof__outsider.gates) {
		prof__outsider.gates--;
		count_down(&gate);
	}
	if (prof__outsider.forks) {
		prof__outsider.forks--;
		count_down(&forks);
	}
	count_down(&in_handlers);
	prof__calm_end(&calm);
}

void prof__forks_watch(void (*child)(void))
{
	pthread_atfork(before_fork, forked_parent, child);
}

void prof__forks_in_child(void)
{
	atomic_store_explicit(&gate, 0, memory_order_relaxed);
	atomic_store_explicit(&leaver, NULL, memory_order_relaxed);
	atomic_store_explicit(&forks, 0, memory_order_relaxed);
	atomic_store_explicit(&in_handlers, 0, memory_order_relaxed);
	atomic_store_explicit(&forker, NULL, memory_order_relaxed);
	atomic_store_explicit(&others_fork, false, memory_order_relaxed);
	prof__outsider.forks = prof__outsider.gates = 0;
}

void prof__forks_hold(void)
{
	atomic_store(&leaver, &prof__outsider);
	prof__await_others(&forks, prof__outsider.forks);
}

/* SPDX-License-Identifier: MIT */
#include "io/aside.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define NAP_NS 500000 /* from one look whether it is over to the next */

struct aside {
	void (*work)(void *);
	void *context;
	pthread_t thread;
	bool has_thread;
	atomic_bool over; /* release, after the work */
};

static void *do_it(void *context)
{
	struct aside *a = context;

	a->work(a->context);
	atomic_store_explicit(&a->over, true, memory_order_release);
	return NULL;
}

/* Signals are for the thread that waits. Faults are not sent to a thread, but
 * are its own. */
static bool begin_thread(struct aside *a)
{
	sigset_t sent, before;
	bool begun;

	sigfillset(&sent);
	sigdelset(&sent, SIGBUS);
	sigdelset(&sent, SIGSEGV);
	sigdelset(&sent, SIGFPE);
	sigdelset(&sent, SIGILL);
	pthread_sigmask(SIG_SETMASK, &sent, &before);
	begun = pthread_create(&a->thread, NULL, do_it, a) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return begun;
}

struct aside *aside_begin(void (*work)(void *), void *context)
{
	struct aside *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->work = work;
	a->context = context;
	a->has_thread = begin_thread(a);
	if (!a->has_thread)
		do_it(a);
	return a;
}

bool aside_is_over(const struct aside *a, int64_t within_ns)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	for (; within_ns > 0 && !atomic_load_explicit(&a->over, memory_order_acquire); within_ns -= NAP_NS)
		nanosleep(&nap, NULL);
	return atomic_load_explicit(&a->over, memory_order_acquire);
}

void aside_end(struct aside *a)
{
	if (a->has_thread)
		pthread_join(a->thread, NULL);
	free(a);
}

/* guard.c: the SIGBUS handler and the list of mappings that it looks through.
 *
 * The list is the one piece of state here that no caller can hold: a signal handler has no argument.  Its
 * entries are never freed, only used again, so the handler may walk it at any instant.
 */
#include "shm/guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard {
	struct guard *next;
	_Atomic uintptr_t base; /* 0: not in use; release, after the rest */
	_Atomic size_t size;
	volatile int *_Atomic hit;
	atomic_bool taken;
};

static struct guard *_Atomic guards;
static struct sigaction before;
static uintptr_t page_size;

/* Zero pages from the lost one to the end: whatever a file loses, it loses its end. */
static bool patch_page(uintptr_t address)
{
	for (struct guard *g = atomic_load_explicit(&guards, memory_order_acquire); g; g = g->next) {
		uintptr_t base = atomic_load_explicit(&g->base, memory_order_acquire);
		size_t size = atomic_load_explicit(&g->size, memory_order_relaxed);
		if (!base || address < base || address - base >= size)
			continue;
		uintptr_t page = address & ~(page_size - 1);
		volatile int *hit = atomic_load_explicit(&g->hit, memory_order_relaxed);
		if (mmap((void *)page, base + size - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		    MAP_FAILED)
			return false;
		*hit = 1;
		return true;
	}
	return false;
}

static void pass_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(number);
	else if (before.sa_handler == SIG_DFL || info->si_code > 0) {
		/* Ends the process as it should: a fault comes again, a signal that was sent is sent again. */
		signal(number, SIG_DFL);
		if (info->si_code <= 0)
			raise(number);
	}
}

static void guard_handler(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	/* si_code > 0: the kernel's, with an address; else somebody sent it. */
	if (info->si_code <= 0 || !patch_page((uintptr_t)info->si_addr))
		pass_on(number, info, context);
	errno = saved;
}

/* Also where somebody else has taken the signal since; `before` changes only while the handler is not ours. */
static void install_handler(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct sigaction action = { .sa_sigaction = guard_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK }, now;

	pthread_mutex_lock(&lock);
	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, NULL, &now);
	if (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != guard_handler) {
		before = now;
		sigaction(SIGBUS, &action, NULL);
	}
	pthread_mutex_unlock(&lock);
}

static struct guard *unused_guard(void)
{
	struct guard *g = atomic_load_explicit(&guards, memory_order_acquire);

	for (; g; g = g->next)
		if (!atomic_exchange_explicit(&g->taken, true, memory_order_acquire))
			return g;
	g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	atomic_init(&g->taken, true);
	g->next = atomic_load_explicit(&guards, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&guards, &g->next, g, memory_order_release, memory_order_relaxed))
		;
	return g;
}

struct guard *guard_add(void *base, size_t size, volatile int *hit)
{
	struct guard *g = unused_guard();

	if (!g)
		return NULL;
	install_handler();
	atomic_store_explicit(&g->size, size, memory_order_relaxed);
	atomic_store_explicit(&g->hit, hit, memory_order_relaxed);
	atomic_store_explicit(&g->base, (uintptr_t)base, memory_order_release);
	return g;
}

void guard_remove(struct guard *g)
{
	if (!g)
		return;
	atomic_store_explicit(&g->base, 0, memory_order_release);
	atomic_store_explicit(&g->taken, false, memory_order_release);
}

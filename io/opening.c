/* SPDX-License-Identifier: MIT */
#include "io/opening.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define NAP_NS 500000 /* from one look whether it is over to the next */

struct opening {
	struct source *source;
	enum source_result result;
	pthread_t thread;
	bool has_thread;
	atomic_bool over; /* release, after the result */
};

static void *read_it(void *context)
{
	struct opening *o = context;

	o->result = source_next(o->source);
	atomic_store_explicit(&o->over, true, memory_order_release);
	return NULL;
}

/* Signals are for the thread that waits. Faults are not sent to a thread, but are its own. */
static bool begin_thread(struct opening *o)
{
	sigset_t sent, before;
	bool begun;

	sigfillset(&sent);
	sigdelset(&sent, SIGBUS);
	sigdelset(&sent, SIGSEGV);
	sigdelset(&sent, SIGFPE);
	sigdelset(&sent, SIGILL);
	pthread_sigmask(SIG_SETMASK, &sent, &before);
	begun = pthread_create(&o->thread, NULL, read_it, o) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return begun;
}

struct opening *opening_begin(struct source *s)
{
	struct opening *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->source = s;
	o->has_thread = begin_thread(o);
	if (!o->has_thread)
		read_it(o);
	return o;
}

bool opening_is_over(const struct opening *o, int64_t within_ns)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	for (; within_ns > 0 && !atomic_load_explicit(&o->over, memory_order_acquire); within_ns -= NAP_NS)
		nanosleep(&nap, NULL);
	return atomic_load_explicit(&o->over, memory_order_acquire);
}

struct source *opening_end(struct opening *o, enum source_result *result)
{
	struct source *s = o->source;

	if (o->has_thread)
		pthread_join(o->thread, NULL);
	*result = o->result;
	free(o);
	return s;
}

void opening_drop(struct opening *o)
{
	enum source_result result;

	if (!o)
		return;
	atomic_store_explicit(&o->source->stop, true, memory_order_relaxed);
	source_close(opening_end(o, &result));
}

/* transition.h: what every enter and leave begins and ends with.
 *
 * The order of the stores is the protocol of region.h: intent before everything, head after everything.
 * The epoch is looked at after the clock was read: compared before it, a thread that loses its core in
 * between would slip the frame's boundary by all the time it was away.  `calling`: the clock has to be
 * called, a constant where it matters.
 */
#ifndef LIBPROF_TRANSITION_H
#define LIBPROF_TRANSITION_H

#include "libprof/internal.h"

static inline enum guard guard_ready(bool calling)
{
	return calling ? GUARD_CALLING : GUARD_READY;
}

int64_t prof__clock_back(struct thread *t); /* counts; the tick to go on with */

static inline __attribute__((always_inline)) int64_t transition_begin(struct thread *t, bool calling)
{
	int64_t now;

	WORD_STORE(t->block->intent, t->transitions + 1);
	atomic_thread_fence(memory_order_release); /* pairs with the acquire fence of snapshot_totals */
	now = calling ? clock_ns(CLOCK_MONOTONIC) : clock_counter();
	atomic_signal_fence(memory_order_seq_cst);
	if (unlikely(WORD_LOAD(*t->epoch_word) != t->epoch))
		now = prof__flush(t);
	else if (unlikely(now < t->last))
		now = prof__clock_back(t);
	t->last = now;
	WORD_STORE(t->block->last, now);
	return now;
}

static inline __attribute__((always_inline)) void transition_end(struct thread *t, struct node *n, int64_t now,
                                                                 uint64_t what)
{
	struct region_event *event = t->event;

	t->current = n;
	WORD_STORE(t->block->current, n->id);
	WORD_STORE(event->tick, now);
	WORD_STORE(event->what, what);
	t->event = event + 1;
	t->transitions++;
	if (unlikely(event + 1 == t->event_end))
		prof__events_next(t);
	WORD_RELEASE(t->block->head, t->transitions); /* pairs with the acquire in snapshot.c */
}

#endif

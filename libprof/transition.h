/* transition.h: what every enter and leave begins and ends with.
 *
 * The order of the stores is the protocol of region.h: intent before everything, head after everything.
 * The clock's read cannot be hidden on every machine, so what counts is the number of instructions: these
 * functions need no stack frame, what is rare is a tail call, and a word that the region holds is not kept
 * a second time.
 */
#ifndef LIBPROF_TRANSITION_H
#define LIBPROF_TRANSITION_H

#include "libprof/libprof_inside.h"

#define inlined static inline __attribute__((always_inline))

/* The clock is read, or, where there is no invariant counter, called: a constant where it matters. */
inlined int64_t transition_clock(bool calling)
{
	int64_t now = calling ? clock_ns(CLOCK_MONOTONIC) : clock_counter();

	atomic_signal_fence(memory_order_seq_cst); /* the epoch is looked at after the clock, not before it */
	return now;
}

inlined enum guard guard_ready(bool calling)
{
	return calling ? GUARD_CALLING : GUARD_READY;
}

/* A word that only the calling thread writes, so that it may be loaded like any other. */
inlined int64_t own(const void *word)
{
	return *(const int64_t *)word;
}
#define OWN(word) own(&(word))

/* A line that is going to be written to comes into the cache to be written to, though a reader may have it. */
inlined void own_soon(const void *line)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)line)); /* the builtin's would come to be read */
#else
	__builtin_prefetch(line, 1);
#endif
}

/* Adds to a word of this thread: one instruction where there is one for it. */
inlined void word_add(region_tick *word, int64_t ticks)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("addq %1, %0" : "+m"(*word) : "r"(ticks));
#else
	WORD_STORE(*word, WORD_LOAD(*word) + ticks);
#endif
}

inlined void word_subtract(region_tick *word, int64_t ticks)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("subq %1, %0" : "+m"(*word) : "r"(ticks));
#else
	WORD_STORE(*word, WORD_LOAD(*word) - ticks);
#endif
}

inlined void word_count(region_word *word)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("addq $1, %0" : "+m"(*word));
#else
	WORD_STORE(*word, WORD_LOAD(*word) + 1);
#endif
}

/* The number of the transition that begins; what head is to become.  A load and two stores: an instruction that adds to
 * a word in memory just before the clock makes the clock wait for it. */
inlined uint64_t transition_begin(struct region_thread *block)
{
	uint64_t head = (uint64_t)OWN(block->head) + 1;

	WORD_STORE(block->intent, head);
	atomic_thread_fence(memory_order_release); /* pairs with the acquire fence of snapshot_totals */
	return head;
}

inlined void transition_end(struct thread *t, struct region_thread *block, uint64_t head, enum guard ready)
{
	WORD_RELEASE(block->head, head); /* pairs with the acquire in snapshot_totals */
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = ready;
}

/* The calling thread, for a value, an event, an amount of a measure.  NULL: there is nobody to record it, or it is counted as
 * lost.  value.c */
struct thread *prof__other_thread(struct thread *t);
inlined struct thread *thread_for_value(void)
{
	struct thread *t = prof__thread;

	return unlikely(!t || t->guard != GUARD_READY) ? prof__other_thread(t) : t;
}

/* From here to guard_give a signal handler drops what it has to record.  Returns what the guard was. */
inlined enum guard guard_take(struct thread *t)
{
	enum guard ready = t->guard;

	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	return ready;
}

inlined void guard_give(struct thread *t, enum guard ready)
{
	atomic_signal_fence(memory_order_seq_cst);
	t->guard = ready;
}

/* Records the transition by its event (event.h): n is current from now on. */
inlined void transition_record(struct thread *t, struct region_thread *block, struct node *n, uint64_t word,
                               uint64_t head, enum guard ready)
{
	region_word *event = t->event;

	t->current = n;
	WORD_STORE(block->current, n->id);
	WORD_STORE(*event, word);
	t->event = event + 1;
	if (unlikely(event + 1 == t->event_end))
		prof__events_full(t, head, ready);
	else
		transition_end(t, block, head, ready);
}

#endif

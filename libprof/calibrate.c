/* calibrate.c: what a zone costs on this machine, measured once, at the start.
 *
 * A thread of its own making, which nobody sees and which is no thread of the system, enters and leaves one
 * zone again and again on the hot path: memory of this file stands for its block, its nodes and its events.
 * Between two rounds it is set back to where it began, so that no round fills its chunk of events and none
 * comes to what is rare.  The least of the rounds is the answer; the first one has the page faults.
 */
#include "libprof/internal.h"

#include <sys/mman.h>

#define PAIRS  100 /* in a round; their events fit into the sink */
#define ROUNDS 16
#define MOST_NS 200000 /* then it is enough, on a slow clock */

static_assert(2 * PAIRS < CHUNK_EVENTS, "a round does not fill its chunk");

struct dummy {
	struct thread thread;
	struct region_thread block;
	struct node root, leaf, *kid;
	struct region_node words[2];
	struct node *dirty[2];
	region_word epoch_enabled[2];
	Prof_zone zone;
};

static void make(struct dummy *d, enum region_clock clock)
{
	d->zone.id = 1;
	d->root.shared = &d->words[0];
	d->leaf.shared = &d->words[1];
	d->leaf.parent = &d->root;
	d->leaf.zone = 1;
	d->root.kid = &d->kid;
	d->kid = &d->leaf;
	d->thread.block = &d->block;
	d->epoch_enabled[1] = 1;
	d->thread.epoch_word = d->epoch_enabled;
	d->thread.current = &d->root;
	d->thread.dirty = d->dirty;
	d->thread.listing = 1;
	d->thread.guard = clock == CLOCK_COUNTER ? GUARD_READY : GUARD_CALLING;
}

static int64_t round_ns(struct dummy *d)
{
	struct thread *t = &d->thread;
	int64_t start = clock_ns(CLOCK_MONOTONIC);

	t->event = t->sink;
	t->event_end = t->sink + CHUNK_EVENTS;
	for (int i = 0; i < PAIRS; i++) {
		prof__enter_of(t, &d->zone);
		prof__leave_of(t);
	}
	return clock_ns(CLOCK_MONOTONIC) - start;
}

uint64_t prof__pair_ps(enum region_clock clock)
{
	int64_t least = INT64_MAX, until = clock_ns(CLOCK_MONOTONIC) + MOST_NS;
	struct dummy *d = prof__pages(sizeof *d);

	if (!d)
		return 0;
	make(d, clock);
	for (int i = 0; i < ROUNDS && (i < 2 || clock_ns(CLOCK_MONOTONIC) < until); i++) {
		int64_t ns = round_ns(d);
		if (ns < least)
			least = ns;
	}
	munmap(d, sizeof *d);
	return least > 0 ? (uint64_t)least * 1000 / PAIRS : 0;
}

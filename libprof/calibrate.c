/* calibrate.c: what a zone costs on this machine, measured once, at the start.
 *
 * A thread of its own making, which nobody sees and which is no thread of the system, enters and leaves one
 * zone again and again on the hot path: memory of this file stands for its block, its nodes and its events.
 * Between two rounds it is set back to where it began, so that no round fills its chunk of events and none
 * comes to what is rare.  The least of the rounds is what a pair costs at least, warm; the first one has the page
 * faults.
 *
 * A program has other things in its caches.  So single pairs are timed behind a walk through more memory than the
 * first cache holds, and the median of them, less what timing itself takes there, is what a pair costs cold.
 */
#include "libprof/libprof_inside.h"

#define PAIRS  100 /* in a round; their events fit into the sink */
#define ROUNDS 16
#define MOST_NS 200000 /* then it is enough, on a slow clock; for each of both */
#define SINGLE 9       /* pairs that are timed one by one */
#define CACHE  (64u << 10)
#define LINE   64

static_assert(2 * PAIRS < CHUNK_EVENTS && SINGLE <= PAIRS, "a round does not fill its chunk");

struct dummy {
	struct thread thread;
	struct region_thread block;
	struct node root, leaf, *kid;
	struct region_node words[2];
	struct node *dirty[2];
	region_word epoch_enabled[2];
	Prof_zone zone;
	unsigned char cache[CACHE];
};

static void make_dummy(struct dummy *d, enum region_clock clock)
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

static void rewind_events(struct thread *t)
{
	t->event = t->sink;
	t->event_end = t->sink + CHUNK_EVENTS;
}

static void measure_pair(struct dummy *d)
{
	prof__enter_of(&d->thread, &d->zone);
	prof__leave_of(&d->thread);
}

static int64_t round_ns(struct dummy *d)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);

	rewind_events(&d->thread);
	for (int i = 0; i < PAIRS; i++)
		measure_pair(d);
	return clock_ns(CLOCK_MONOTONIC) - start;
}

static uint64_t warm_ps(struct dummy *d)
{
	int64_t least = INT64_MAX, until = clock_ns(CLOCK_MONOTONIC) + MOST_NS;

	for (int i = 0; i < ROUNDS && (i < 2 || clock_ns(CLOCK_MONOTONIC) < until); i++) {
		int64_t ns = round_ns(d);
		if (ns < least)
			least = ns;
	}
	return least > 0 ? (uint64_t)least * 1000 / PAIRS : 0;
}

/* The time of one pair (`with`), or of nothing, measured after other data has filled the cache. */
static int64_t single_ns(struct dummy *d, bool with)
{
	for (size_t i = 0; i < CACHE; i += LINE)
		((volatile unsigned char *)d->cache)[i]++;
	int64_t start = clock_ns(CLOCK_MONOTONIC);
	if (with)
		measure_pair(d);
	return clock_ns(CLOCK_MONOTONIC) - start;
}

/* Puts the value in its place among those before it. */
static void put_in_order(int64_t *values, int count, int64_t value)
{
	for (; count && values[count - 1] > value; count--)
		values[count] = values[count - 1];
	values[count] = value;
}

static uint64_t cold_ps(struct dummy *d)
{
	int64_t with[SINGLE], without[SINGLE], until = clock_ns(CLOCK_MONOTONIC) + MOST_NS;
	int count = 0;

	rewind_events(&d->thread);
	for (; count < SINGLE && (count < 3 || clock_ns(CLOCK_MONOTONIC) < until); count++) {
		put_in_order(with, count, single_ns(d, true));
		put_in_order(without, count, single_ns(d, false));
	}
	int64_t ns = with[count / 2] - without[count / 2];
	return ns > 0 ? (uint64_t)ns * 1000 : 0;
}

struct pair_cost prof__pair_cost(enum region_clock clock)
{
	struct dummy *d = prof__pages(sizeof *d);
	struct pair_cost cost = { 0, 0 };

	if (!d)
		return cost;
	make_dummy(d, clock);
	cost.warm_ps = warm_ps(d);
	cost.cold_ps = cold_ps(d);
	prof__pages_free(d);
	return cost;
}

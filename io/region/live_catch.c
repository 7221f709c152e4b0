/* SPDX-License-Identifier: MIT */
/*
 * live_catch: the totals of a thread, read while it makes no transition.
 *
 * A thread that is in the middle of a transition cannot be read: then one waits a little, and tries again.
 */
#include "io/region/live_inside.h"

#include <time.h>

#include "model/base/array.h"

void live_nap(int64_t ns)
{
	struct timespec time = { .tv_nsec = ns };

	if (ns > 0)
		nanosleep(&time, NULL);
}

bool live_totals_room(struct live *l, uint32_t count)
{
	return live_held(l, array_reserve(&l->totals, &l->total_capacity, count,
					  sizeof(*l->totals)));
}

/* Totals of a thread that is too busy to be caught are those up to its last boundary. */
enum snapshot_result live_catch_totals(struct live *l, struct block *b, int tries, int64_t until_ns,
				       struct snapshot_thread *t, struct snapshot_totals *out)
{
	enum snapshot_result result = SNAPSHOT_BUSY;

	for (int i = 0; i < tries || (result == SNAPSHOT_BUSY && clock_ns(CLOCK_MONOTONIC) < until_ns); i++) {
		if (i)
			live_nap(TRY_NS);
		if (snapshot_thread(&l->a, b->index, t) == SNAPSHOT_ABSENT ||
		    !live_totals_room(l, t->nodes))
			return SNAPSHOT_ABSENT;
		result = snapshot_totals(&l->a, b->index, l->now, t->nodes, l->totals, out);
		if (!l->a.live || (result == SNAPSHOT_OK && !out->at_bound && !out->torn))
			break;
	}
	return result;
}

static bool total_is_sane(struct live *l, const struct snapshot_total *t)
{
	return t->self >= 0 && t->ended_self >= 0 && t->longest >= 0 && t->ended_longest >= 0 &&
	       live_within(&l->total_ticks, (uint64_t)t->self) &&
	       live_within(&l->total_ticks, (uint64_t)t->ended_self) &&
	       live_within(&l->total_entries, t->count) &&
	       live_within(&l->total_entries, t->ended_count);
}

bool live_totals_are_sane(struct live *l, const struct snapshot_totals *out, uint32_t nodes)
{
	if (out->torn || out->started < 0 || out->until < out->started)
		return false;
	for (uint32_t i = 0; i < nodes; i++)
		if (!total_is_sane(l, &l->totals[i]))
			return false;
	return true;
}

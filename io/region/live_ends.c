/* SPDX-License-Identifier: MIT */
/*
 * live_ends: the ticks at which intervals began and ended, for values that changed in them.
 *
 * A value may be of an interval that the ring of frames no longer has. Then the next tick behind it that is
 * known stands for its end: the value is good for what comes later, and for nothing before.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "model/base/array.h"

#define ENDS 1024 /* of intervals, remembered */

struct interval_end {
	uint64_t interval;
	int64_t tick;
};

/* The first interval from a certain one on that is known, and where it begins. */
struct known {
	uint64_t interval; /* 0: not looked for */
	int64_t start;
};

struct live_ends {
	struct interval_end ends[ENDS];
	struct known *known; /* by interval, as the ring is; NULL: none was looked for in this poll */
};

bool live_ends_begin(struct live *l)
{
	if (!l->ends)
		l->ends = calloc(1, sizeof(*l->ends));
	if (!live_held(l, l->ends))
		return false;
	free(l->ends->known);
	l->ends->known = NULL;
	return true;
}

void live_ends_free(struct live *l)
{
	if (l->ends)
		free(l->ends->known);
	free(l->ends);
	l->ends = NULL;
}

/* Looks for the first known interval from `from` on. A damaged region may have long stretches without one. So
 * what is found is remembered for each interval that was passed: all searches of a poll together look at each
 * interval once. */
static struct known search_end(struct live *l, uint64_t from)
{
	struct known *known = l->ends->known, found = { UINT64_MAX, l->now };
	uint64_t mask = l->a.frame_count - 1, end = from;
	bool done = false;
	struct snapshot_frame frame;

	for (; end < l->process.epoch && !done; end++) {
		done = known[end & mask].interval;
		if (done)
			found = known[end & mask];
		else if ((done = snapshot_frame(&l->a, end, &frame) == SNAPSHOT_OK))
			found = (struct known){ end, frame.start };
	}
	for (uint64_t i = from; i < end; i++)
		known[i & mask] = found;
	return found;
}

static struct known first_known(struct live *l, uint64_t from)
{
	struct snapshot_frame frame;

	if (snapshot_frame(&l->a, from, &frame) == SNAPSHOT_OK) /* almost always */
		return (struct known){ from, frame.start };
	if (!l->ends->known)
		l->ends->known = array_zeroed(l->a.frame_count, sizeof(*l->ends->known));
	return live_held(l, l->ends->known) ? search_end(l, from) : (struct known){ UINT64_MAX, l->now };
}

/* The next known tick behind an interval that the ring does not have. That is where a later interval begins,
 * or what is known of a frame that was kept: its end if it is this interval, else its start. */
static int64_t known_behind(struct live *l, uint64_t interval)
{
	uint64_t oldest = live_oldest_interval(l);
	const struct snapshot_frame *kept = live_kept_from(l, interval);
	struct known first = { UINT64_MAX, l->now };

	if (interval + 1 < l->process.epoch)
		first = first_known(l, interval < oldest ? oldest : interval + 1);
	if (!kept || kept->interval >= first.interval)
		return first.start;
	return kept->interval == interval ? kept->end : kept->start;
}

int64_t live_end_of(struct live *l, uint64_t interval)
{
	struct interval_end *end = &l->ends->ends[interval % ENDS];
	struct snapshot_frame frame;

	if (end->interval == interval)
		return end->tick;
	if (snapshot_frame(&l->a, interval, &frame) != SNAPSHOT_OK)
		return known_behind(l, interval);
	*end = (struct interval_end){ interval, frame.end };
	return frame.end;
}

int64_t live_start_of(struct live *l, uint64_t interval)
{
	struct snapshot_frame frame;

	if (interval == 1)
		return (int64_t)l->process.created.ticks;
	return snapshot_frame(&l->a, interval - 1, &frame) == SNAPSHOT_OK ? frame.end : 0;
}

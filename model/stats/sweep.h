/* SPDX-License-Identifier: MIT */
/*
 * sweep: what the value of a counter was in one stretch of time after another.
 *
 * It goes through the changes of all tracks that make the value in the order of their ticks.
 */
#ifndef MODEL_SWEEP_H
#define MODEL_SWEEP_H

#include "model/stats/counters.h"

struct sweep_cursor {
	const struct profile_track *track;
	uint32_t next; /* change; change_count: now, if it is newer than they are */
};

struct sweep {
	const struct profile *p;
	bool real, summed;
	struct sweep_cursor *cursors;
	uint32_t count;
};

/* A sweep of nothing yet, with room for so many tracks. False: out of memory. */
bool sweep_init(struct sweep *s, const struct profile *p, uint32_t room);
void sweep_fini(struct sweep *s);

/* Begins a sweep of this counter, and of none of its tracks yet. */
void sweep_begin(struct sweep *s, uint32_t counter);
void sweep_add(struct sweep *s, uint32_t track);

/* Whether a track belongs to the value of this counter and thread: of a sum all do. */
bool sweep_belongs(const struct profile *p, uint32_t track, uint32_t counter, uint32_t thread);

/* The values in the stretch (from, to], whose first frame ends at `first`. If the value does not change in that
 * frame, the value from before the stretch counts, too. Ask for stretches in ascending order. */
struct counter_value sweep_stretch(struct sweep *s, int64_t from, int64_t first, int64_t to);

/* Widens a value's least and most, so that these two are within. */
void counter_extend(struct counter_value *v, union profile_number least, union profile_number most,
		    bool real);

int number_compare(union profile_number a, union profile_number b, bool real);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * foreign_values: what counters were, one value after the other.
 *
 * Of a stretch of time it has the least, the greatest and the last value, all at its end. A counter has a value of its own
 * in each thread that set it; one that is only added to has one.
 */
#ifndef IO_FOREIGN_VALUES_H
#define IO_FOREIGN_VALUES_H

#include "io/foreign/foreign.h"

struct foreign_value {
	int64_t tick;
	union profile_number number;
};

struct foreign_values {
	struct foreign *t;
	const struct profile_track *track;
	uint32_t next;    /* of the changes, */
	unsigned extreme; /* and how many of its extremes have been told */
	bool entered;     /* what it was when the window began has been told, */
	bool newest;      /* and what it was last */
};

/* Whether the track is in it: those of the threads that are, and of sums over all. */
bool foreign_has_track(const struct foreign *t, const struct profile_track *track);

void foreign_values_begin(struct foreign_values *v, struct foreign *t, const struct profile_track *track);
bool foreign_values_next(struct foreign_values *v, struct foreign_value *value);

/* The thread whose value it is has to be said: others have set the same counter. */
bool foreign_track_shares(const struct profile *p, const struct profile_track *track);

#endif

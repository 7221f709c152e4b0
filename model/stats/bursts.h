/* SPDX-License-Identifier: MIT */
/*
 * bursts: what happened, in rows: notes and events one by one, and one row for an event that comes in a burst.
 *
 * By seconds, an event is a burst in a second that has BURST of it or more, whatever thread it is from; and also in
 * the seconds before and behind, so that the running one begins as a burst, and does not become one. Bursts of one event in
 * seconds that follow one another are one row.
 */
#ifndef MODEL_BURSTS_H
#define MODEL_BURSTS_H

#include "model/profile/profile.h"

#define BURST 25u

struct burst_row {
	uint32_t first, last; /* indices of instants: of a burst its first and its last, else the same */
	uint32_t count;       /* 1: no burst */
	uint32_t thread;      /* PROFILE_NONE: of several */
	/* The last cluster of a burst: events at its end that follow one another in less than half of the mean time between two
	 * events of the row. */
	uint32_t clustered;    /* number of its events; the count of the row: the row is one cluster */
	int64_t cluster_begin; /* the tick of its first event */
	int64_t pause;         /* ticks between the event before the cluster and its first event */
};

struct bursts {
	struct burst_row *rows; /* by their last instant */
	uint32_t row_count;
};

/* By seconds of ticks, of the instants of[0] to of[count - 1], ascending indices; `of` NULL: of all that `count` are.
 * False: out of memory. The caller frees `rows`. */
bool bursts_of_seconds(struct bursts *c, const struct profile *p, const uint32_t *of, uint32_t count);

/* Finds the bursts of one frame among `count` instants from index `first` on: a burst is what comes `least`
 * times among them. */
bool bursts_of_frame(struct bursts *c, const struct profile *p, uint32_t first, uint32_t count, uint32_t least);

/* Events per second. The time is from the begin of the frame of the first event
 * to the end of the frame of the last one. The time between two frames counts
 * like a frame.
 *
 * If one of these two frames is a second or longer, or if the last cluster comes
 * more than a frame after the events before it, then the rate is that of the
 * events before the last cluster, over the time from the first event to that
 * cluster. If that takes less than a second in so long a frame, all events are
 * divided by the time from the first to the last, and at least by a second. */
int64_t burst_rate(const struct profile *p, const struct burst_row *row);

#endif

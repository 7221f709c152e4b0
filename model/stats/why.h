/* SPDX-License-Identifier: MIT */
/*
 * why: what made one frame longer or shorter than another: the difference of self time of each node, and what of
 * it comes of more or fewer calls, and what of dearer or cheaper ones.
 *
 * A node has count c0 and self s0 in the base, and c1 and s1 in `now`. delta = s1 − s0:
 *
 *   both counts > 0                                calls = (c1 − c0)·s0/c0, cost = delta − calls
 *   on either side time, but no entry              all of it is carried: the zone was open from before; the root is
 *                                                  always so, as nobody enters it
 *   c0 = 0                                         all of it is calls: the zone is new
 *   c1 = 0                                         all of it is calls: the zone is gone
 *
 * Integer division, the remainder to cost. So in each row delta = calls + cost + carried. In each thread the deltas of
 * its rows and `waiting` add up to time − base_time, exactly, unless a part is missing or values were rounded.
 * Of a thread that was there for all of both frames, as the marking one is, that is the difference of the frames. Threads
 * are never added up.
 *
 * Zones that wait are not ranked: their delta is the thread's `waiting`.
 *
 * Scales. Both sides are brought to one scale. Where the numbers are too large for that to be exact they are rounded,
 * and a thread's time is then the sum of what its nodes show, as it is in averages. Two profiles whose tick rates
 * differ by less than a thousandth are taken to have the same rate, since the same counter is never calibrated twice
 * alike. Otherwise the ticks of the base are converted into those of `now`.
 */
#ifndef MODEL_WHY_H
#define MODEL_WHY_H

#include "model/profile/values.h"

enum why_kind { WHY_CHANGED, WHY_NEW, WHY_GONE, WHY_CARRIED, WHY_KINDS };

extern const char *const why_kind_names[WHY_KINDS]; /* `changed`, `new`, `gone`, `carried` */

/* One side of the comparison. The values may be older than the profile: nodes and threads that came since have 0. */
struct why_side {
	const struct profile *p;
	const struct values *v;
};

struct why_row {
	uint32_t node, base_node; /* of the two profiles; PROFILE_NONE: it is not in that one */
	enum why_kind kind;
	int64_t delta, calls, cost, carried; /* 1/scale ticks */
	int64_t self, base_self;             /* likewise */
	int64_t count, base_count;           /* 1/scale entries */
};

struct why_thread {
	uint32_t thread, base_thread; /* of the two profiles; PROFILE_NONE: it is not in that one */
	int64_t time, base_time; /* measured, 1/scale ticks */
	int64_t delta;   /* time − base_time */
	int64_t sum;     /* Σ delta of the rows, and waiting: equal to delta where nothing is missing */
	int64_t waiting; /* of zones that wait */
	uint32_t missing; /* so many of its parts are not there, on either side. Then some of what it did is in no
			   * row, and a row may be `new` or `gone` only because the other side's part is missing */
	struct why_row *rows; /* those with a delta other than 0, by |delta|, the largest first; the root is one of
				 them, `(no zone)` */
	uint32_t count;
};

struct why {
	int64_t scale; /* 1 of two frames */
	bool rounded;  /* a side is an average, or was brought to a scale that does not hold it: sums are of rounded
			* values */
	uint32_t incomplete; /* parts that are missing on either side: sum and delta may differ by them */
	struct why_thread *threads; /* the marking thread first, or if it was not there for all of two frames one that was;
				     * then by |delta|. Those without time on either side are left out, but not the
				     * marking one */
	uint32_t thread_count;
	struct why_row *rows; /* of all threads: what theirs point into */
};

/* `threads` is a selection of now->p; if it is all of them, threads that only the base has are there, too. match.h says
 * which nodes and threads of two profiles are the same. NULL: out of memory. */
struct why *why_make(const struct why_side *base, const struct why_side *now, uint32_t threads);
void why_free(struct why *w);

/* What most of a row's delta comes of: `more calls`, `fewer calls`, `dearer calls`, `cheaper calls`, or `new`, `gone`,
 * `carried`. */
const char *why_word(const struct why_row *row);

/* More than half of a thread's delta comes of zones that wait: its rows tell the lesser part. */
bool why_is_waiting(const struct why_thread *t);

#endif

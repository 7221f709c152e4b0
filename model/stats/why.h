/* SPDX-License-Identifier: MIT */
/*
 * why: what made one frame longer or shorter than another: the difference of self time of each node, and what of
 * it comes of more or fewer calls, and what of dearer or cheaper ones.
 *
 * Of a node with count c0 and self s0 in the base, c1 and s1 in what is set against it, delta = s1 − s0:
 *
 *   both counts > 0                                calls = (c1 − c0)·s0/c0, cost = delta − calls
 *   time without an entry on either side           all of it is carried: the zone was open from before; the root is
 *                                                  always so, as nobody enters it
 *   c0 = 0                                         all of it is calls: the zone is new
 *   c1 = 0                                         all of it is calls: the zone is gone
 *
 * Integer division, the remainder to cost. So of each row delta = calls + cost + carried, and of each thread
 * Σ delta over its rows and what waits = its time in the one − its time in the other, exactly, unless a part is missing.
 * Of the marking thread that is the difference of the frames. Threads are never added up.
 *
 * Zones that wait are not ranked: their delta is the thread's `waiting`.
 *
 * Scales. What the two sides have is brought to one scale: exactly where that can be held, else to the nearest, and then
 * a thread's time is the sum of what its nodes show, as it is in averages. Ticks of two profiles are one where their rates
 * differ by less than a thousandth, as the same counter is never calibrated twice alike; else those of the base become
 * those of `now`.
 */
#ifndef MODEL_WHY_H
#define MODEL_WHY_H

#include "model/values.h"

enum why_kind { WHY_CHANGED, WHY_NEW, WHY_GONE, WHY_CARRIED, WHY_KINDS };

extern const char *const why_kind_names[WHY_KINDS]; /* `changed`, `new`, `gone`, `carried` */

/* One side of the comparison. The values may be of when the profile had fewer nodes and threads: those that came
 * later are 0. */
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
	uint32_t missing; /* parts of it on either side: what else it did is in no row, and rows may be new or gone for
			   * that alone */
	struct why_row *rows; /* those with a delta other than 0, by |delta|, the largest first; the root is one of
				 them, `(no zone)` */
	uint32_t count;
};

struct why {
	int64_t scale; /* 1 of two frames */
	bool rounded;  /* a side is an average, or was brought to a scale that does not hold it: sums are of rounded
			* values */
	uint32_t incomplete; /* parts that are missing on either side: sum and delta may differ by them */
	struct why_thread *threads; /* the marking thread first, then by |delta|; those without time on either side are
				     * left out, but not the marking one */
	uint32_t thread_count;
	struct why_row *rows; /* of all threads: what theirs point into */
};

/* Of the threads that are selected in now->p; where all are, also those that only the base has. Nodes and threads of
 * two profiles are one as match.h says. NULL: out of memory. */
struct why *why_make(const struct why_side *base, const struct why_side *now, uint32_t threads);
void why_free(struct why *w);

/* What most of a row's delta comes of: `more calls`, `fewer calls`, `dearer calls`, `cheaper calls`, or `new`, `gone`,
 * `carried`. */
const char *why_word(const struct why_row *row);

/* More than half of a thread's delta comes of zones that wait: its rows tell the lesser part. */
bool why_is_waiting(const struct why_thread *t);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * correlate: which counters move with the length of frames, or with a zone's time in them.
 *
 * The measure is Spearman's rank correlation: the product-moment correlation of the ranks of the two. Equal values
 * have the mean of the ranks that they take up together (mid-ranks; M. G. Kendall, Rank Correlation Methods). So a
 * counter that grows whenever the time grows has 1, by however much it grows, and one that falls whenever the time
 * grows has −1. One value that is far off counts no more than any other. A correlation does not say that the one is
 * the cause of the other.
 *
 * Two numbers of a counter are tried: its value at the end of a frame, and what it grew by in the frame. The result is
 * the stronger of the two correlations. If a counter only grows, just what it grew by is tried: its value is like a
 * clock, and a clock correlates with everything that drifts.
 *
 * Frames in which the number is not known, or is a double that is no number, are left out. There is a result only
 *  - with CORRELATE_FRAMES frames or more;
 *  - from CORRELATE_LEAST on;
 *  - and from three deviations of chance on: over n frames two numbers that have nothing to do with each other have a
 *    correlation of about 0, with a deviation of 1/√(n−1) (Kendall).
 */
#ifndef MODEL_CORRELATE_H
#define MODEL_CORRELATE_H

#include "model/stats/series.h"

#define CORRELATE_FRAMES 30u
#define CORRELATE_LEAST 0.3

/* Mid-ranks of n values that are all numbers, from 1 on. False: out of memory. */
bool ranks_of(const double *values, uint32_t n, double *ranks);

/* The correlation of n ranks. False: one of the two is always the same, and there is none. */
bool ranks_correlate(const double *a, const double *b, uint32_t n, double *rho);

/* The series that a counter is correlated with. */
enum correlate_with { CORRELATE_LENGTH, CORRELATE_TIME, CORRELATE_WITHS };

struct correlation {
	uint32_t counter, thread; /* of the profile; thread PROFILE_NONE: the counter is summed over all */
	struct correlated {
		uint32_t frames; /* that it is of; 0: nothing is told, or it is not enough */
		double rho;
		bool of_change;  /* of what the counter grew by; else of its value */
	} with[CORRELATE_WITHS];
};

struct correlations {
	struct correlation *rows; /* those with something to tell */
	uint32_t count;
	uint32_t frames;          /* that counters were looked at in */
	uint32_t asked, left_out; /* values of counters: that were looked at; that were too many */
};

/* Sets all counters against the lengths of the frames of a series and against the self time of its key. `work` limits
 * how many values times frames are looked at, for callers who have little time; 0: no limit. Where it is exceeded, only
 * the newest frames are looked at, but not fewer than 250; if that is still too much, the last counters are left out.
 * False: out of memory. Free it with correlations_fini. */
bool correlations_make(struct correlations *c, const struct profile *p, const struct series *s, uint64_t work);
void correlations_fini(struct correlations *c);

/* The rows with something to tell about that, the strongest first, `most` of them at most. Returns how many. */
uint32_t correlations_strongest(const struct correlations *c, enum correlate_with with, uint32_t most,
				const struct correlation **out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * correlate: which counters move with the length of frames, or with a zone's time in them.
 *
 * Told by Spearman's rank correlation: the product-moment correlation of the ranks of both, where those that are
 * the same have the mean of the ranks that they take up together (mid-ranks; M. G. Kendall, Rank Correlation
 * Methods). So a value that grows whenever the other does has 1, however it grows, and one that falls has −1; one
 * far-off value counts no more than any other. It does not say that the one is why the other is so.
 *
 * A counter is asked for its value at the end of a frame, and for what it grew by in the frame; what says more is
 * told. The value of one that only grows is the time gone by in other words, and goes with all that drifts: it is asked
 * for what it grew by alone. In frames in which it is not known, or no number, it is left out; of fewer than CORRELATE_FRAMES frames
 * nothing is told. Where nothing goes with anything, the correlation over n frames is about 0 with a deviation of
 * 1/√(n−1) (Kendall): nothing below three of these is told, nor below CORRELATE_LEAST.
 */
#ifndef MODEL_CORRELATE_H
#define MODEL_CORRELATE_H

#include "model/series.h"

#define CORRELATE_FRAMES 30u
#define CORRELATE_LEAST 0.3

/* Mid-ranks of n values that are all numbers, from 1 on. False: out of memory. */
bool ranks_of(const double *values, uint32_t n, double *ranks);

/* The correlation of n ranks. False: one of the two is always the same, and there is none. */
bool ranks_correlate(const double *a, const double *b, uint32_t n, double *rho);

/* What a counter is set against. */
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

/* Of the frames of a series, and the self time of its key. `work`: values times frames that may be looked at, for
 * one who has little time: where there are many values, they are of the newest frames alone, not fewer than 250,
 * and the last of them are left out; 0: no limit. False: out of memory. Free it with correlations_fini. */
bool correlations_make(struct correlations *c, const struct profile *p, const struct series *s, uint64_t work);
void correlations_fini(struct correlations *c);

/* The rows with something to tell about that, the strongest first, `most` of them at most. Returns how many. */
uint32_t correlations_strongest(const struct correlations *c, enum correlate_with with, uint32_t most,
				const struct correlation **out);

#endif

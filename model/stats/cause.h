/* SPDX-License-Identifier: MIT */
/*
 * cause: what goes with a zone's heat: how its variance splits into calls and cost, and which counters
 * move with it or with the frame's length, over the same frames (series.h).
 */
#ifndef MODEL_CAUSE_H
#define MODEL_CAUSE_H

#include "model/stats/series.h"

/*
 * Why a zone's time is not the same in each frame: because it is called more often in one than in
 * another, or because a call of it costs more.
 *
 * For frame i let x_i be the zone's time in ticks and c_i its entries. Over the frames with entries, m = Σx / Σc
 * is what a call costs in the mean. Then each frame's time is a sum of three:
 *
 *     calls    p_i = m·c_i        in frames with entries, else 0: what so many calls would cost
 *     cost     r_i = x_i − p_i    in frames with entries, else 0: what they cost more than that; Σ r_i = 0
 *     carried  k_i = x_i          in frames without an entry: of a call that began in a frame before
 *
 * and as covariance is linear in each of its sides, the share of each part in the variance,
 *
 *     Cov(p, x)/Var(x)    Cov(r, x)/Var(x)    Cov(k, x)/Var(x)
 *
 * sums up to 1 with the others, whatever the parts have to do with each other. (Decomposition of a variance by
 * covariance, as in S. Fujita and G. Ramey, The Cyclicality of Separation and Job Finding Rates, International
 * Economic Review 50, 2009, where the shares are called betas.) A share below 0, and so another above 1, is of a
 * part that works against the variation: more calls in frames in which each call is faster.
 */

#define VARIANCE_FRAMES 30u /* of fewer nothing is told */

struct variance {
	uint32_t frames;
	double mean;      /* ticks a frame */
	double deviation; /* its standard deviation over these frames, ticks */
	bool known;       /* the shares are: there are frames enough, and the time varies */
	double calls, cost, carried; /* 1 = all of the variance */
};

/* The variance over n frames, from the ticks and entries in each. Entries below 0 count as 0. */
struct variance variance_of(const int64_t *ticks, const int64_t *entries, uint32_t n);

/*
 * Which counters move with the length of frames, or with a zone's time in them. The measure is Spearman's rank
 * correlation: the product-moment correlation of the ranks of the two. Equal values have the mean of the ranks that
 * they take up together (mid-ranks; M. G. Kendall, Rank Correlation Methods). So a counter that grows whenever the time
 * grows has 1, by however much it grows, and one that falls whenever the time grows has −1. One value that is far off
 * counts no more than any other. A correlation does not say that the one is the cause of the other.
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

struct cause {
	uint32_t frames;
	struct variance varies[EXTENTS];
	struct correlations correlations;
};

/* For one who has little time, a screen: so many of the newest frames, and so much work in correlations_make. */
#define CAUSE_FRAMES 1000u
#define CAUSE_WORK 40000u /* 20 ms or so */
#define CAUSE_WORK_BATCH 2000000u /* a second or so */

/* Covers the newest `most` frames. keys_update first. False: out of memory. Free it with cause_fini. */
bool cause_make(struct cause *c, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most,
		uint64_t work);
void cause_fini(struct cause *c);

/* The causes of a zone's heat, in words, for the screen and for reports. */

#define CAUSE_TEXT 160 /* bytes that are enough for any of these */

/* `71 % by its number of calls, 29 % by what a call costs`; whole percents that sum up to 100. Why there are none: `-
 * (of 30 frames and more)`, or `not at all`. */
void cause_varies_text(const struct variance *v, char *out, size_t size);

/* `texture_bytes +0.82`; `growth of` it, where it is what it grew by; with the thread's name where it is the value of
 * one: `jobs (worker) +0.61`. Names are as shown, and long ones are cut. */
void cause_counter_text(const struct profile *p, const struct correlation *c, enum correlate_with with, bool ascii,
			char *out, size_t size);

extern const char *const correlate_with_words[CORRELATE_WITHS]; /* `the frame's length`, `its self time` */

#endif

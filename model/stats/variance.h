/* SPDX-License-Identifier: MIT */
/*
 * variance: why a zone's time is not the same in each frame: because it is called more often in one than in
 * another, or because a call of it costs more.
 *
 * Of frame i let x_i be the zone's time in ticks and c_i its entries. Over the frames with entries,
 * m = Σx / Σc is what a call costs in the mean. Then each frame's time is a sum of three:
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
 * part that works against the variation: more calls in frames in which each is cheaper.
 */
#ifndef MODEL_VARIANCE_H
#define MODEL_VARIANCE_H

#include <stdbool.h>
#include <stdint.h>

#define VARIANCE_FRAMES 30u /* of fewer nothing is told */

struct variance {
	uint32_t frames;
	double mean;      /* ticks a frame */
	double deviation; /* its standard deviation over these frames, ticks */
	bool known;       /* the shares are: there are frames enough, and the time varies */
	double calls, cost, carried; /* 1 = all of the variance */
};

/* Of n frames: ticks in each, and entries, below 0 counting as 0. */
struct variance variance_of(const int64_t *ticks, const int64_t *entries, uint32_t n);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * statistics: a quantity over frames: least, mean, median, percentiles, most.
 *
 * Percentiles are nearest-rank on the real values: the p-th of n values is the one of rank
 * ceil(p·n/100), so it is always a value that occurred; the median is the lower one.
 */
#ifndef MODEL_STATISTICS_H
#define MODEL_STATISTICS_H

#include "model/profile/profile.h"

struct statistics {
	uint32_t count; /* 0: the rest is 0 */
	int64_t min, median, p90, p99, max;
	double mean;
};

/* Sorts values (n of them) and sums them up. */
struct statistics statistics_of(int64_t *values, uint32_t n);

/* The same in O(n): they change places. `random` as in order.h. */
struct statistics statistics_select(int64_t *values, uint32_t n, uint32_t *random);

/* The same of `frames` values, n of which are these, all above 0, and the rest 0; they change places.
 * `random` as in order.h. */
struct statistics statistics_with_zeros(int64_t *values, uint32_t n, uint32_t frames,
					uint32_t *random);

/* The lengths of n held frames from index first on; discarded frames are left out. False: out of
 * memory. */
bool statistics_of_lengths(const struct profile *p, uint32_t first, uint32_t n,
			   struct statistics *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * common_scale: two values, of one profile or of two, in one scale and in ticks of one rate, so that they can be set
 * against each other.
 *
 * Both sides are exact in the least common multiple of their scales, and every identity between the values of a side
 * holds there as it did before. That scale is taken if the rates are alike and all sums fit into it. Otherwise a scale
 * is taken in which they fit, and each value is rounded to the nearest. A thread's time is then the sum of the rounded
 * values of its nodes, plus the time that it had beside its nodes (that of parts that are missing), rounded as well.
 */
#ifndef MODEL_COMMON_SCALE_H
#define MODEL_COMMON_SCALE_H

#include "model/stats/why.h"

/* As struct values has them. Nothing is beyond ±2^60. */
struct scaled {
	int64_t *self, *count, *time;
	uint32_t node_count, thread_count;
};

/* Ticks become those of now->p. *rounded: values were brought to the nearest, here or where an average was made.
 * False: out of memory. All zeros are as good as fini'd. */
bool scaled_pair(const struct why_side *base, const struct why_side *now, struct scaled *base_out,
		 struct scaled *now_out, int64_t *scale, bool *rounded);
void scaled_fini(struct scaled *s);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * common_scale: two values, of one profile or of two, in one scale and in ticks of one rate, so that they can be set
 * against each other.
 *
 * The scale is the least that both sides are whole numbers of, where all of their sums can be held in it: then every
 * identity between the values of a side holds in it as it did before. Else each value is brought to the nearest, and
 * a thread's time is what its nodes show, and what it had beside them.
 */
#ifndef MODEL_COMMON_SCALE_H
#define MODEL_COMMON_SCALE_H

#include "model/why.h"

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

/* SPDX-License-Identifier: MIT */
/*
 * worst: the frames that are held from the longest to the shortest, one step at a time.
 *
 * All of them that are not discarded, those that were kept alone, too; of several of one length the newest first.
 */
#ifndef MODEL_WORST_H
#define MODEL_WORST_H

#include "model/profile/profile.h"

struct worst {
	uint64_t frame; /* number; 0: there is none */
	uint32_t place; /* 1: the longest */
	uint32_t count; /* of all of them */
};

/* The one behind `frame` (later), or before it; of a frame that is not held, also 0: the longest. O(frames), without
 * memory. */
struct worst worst_beside(const struct profile *p, uint64_t frame, bool later);

/* The nearest frame before `frame` (step -1) or after it (1) that took longer than `length` ticks, by number. `place` counts
 * such frames from the oldest on; `count` is there also if there is no frame to go to. O(frames). */
struct worst worst_over(const struct profile *p, uint64_t frame, int64_t length, int step);

#endif

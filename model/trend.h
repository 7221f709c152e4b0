/* SPDX-License-Identifier: MIT */
/*
 * trend: the last values of each key, frame by frame, for a spark line.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include "model/statistics.h"

#define TREND_FRAMES 32

struct trend;

/* The values of a key in the newest frames, in ticks, the oldest first; frames that there were not
 * are left out. Returns how many. */
uint32_t trend_values(const struct trend *t, uint32_t key, enum measure measure,
		      int64_t out[TREND_FRAMES]);

#endif

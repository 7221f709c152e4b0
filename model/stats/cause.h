/* SPDX-License-Identifier: MIT */
/*
 * cause: what goes with a zone's heat: how its variance splits into calls and cost (variance.h), and which counters
 * move with it or with the frame's length (correlate.h), over the same frames (series.h).
 */
#ifndef MODEL_CAUSE_H
#define MODEL_CAUSE_H

#include "model/stats/correlate.h"
#include "model/stats/variance.h"

struct cause {
	uint32_t frames;
	struct variance varies[EXTENTS];
	struct correlations correlations;
};

/* For one who has little time, a screen: so many of the newest frames, and so much work in correlations_make. */
#define CAUSE_FRAMES 1000u
#define CAUSE_WORK 40000u /* 20 ms or so */
#define CAUSE_WORK_BATCH 2000000u /* a second or so */

/* Of the newest `most` frames. keys_update first. False: out of memory. Free it with cause_fini. */
bool cause_make(struct cause *c, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most,
		uint64_t work);
void cause_fini(struct cause *c);

#endif

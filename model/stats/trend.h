/* SPDX-License-Identifier: MIT */
/*
 * trend: the last values of each key, frame by frame, for a spark line.
 *
 * Of the frames that count for the threads (frame_counts_for); and, unless it is discarded, the one that a
 * trend was told to end at.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include "model/tally.h"

#define TREND_FRAMES 32

struct trend;

/* `keys` is borrowed and must outlive it; `threads` is a selection. NULL: out of memory. */
struct trend *trend_new(const struct keys *k, uint32_t threads);
void trend_free(struct trend *t);

/* Only these nodes count from now on (scope: tally.h); borrowed. */
void trend_restrict(struct trend *t, const bool *members);

/* Takes in the held frames that are newer than the last one, from one who tallies them for several: as
 * in heat.h. False, here and below: out of memory. */
bool trend_reserve(struct trend *t);
uint32_t trend_first(const struct trend *t, const struct profile *p);
void trend_fold(struct trend *t, const struct profile_frame *frame, const struct tally *tally);

/* Forgets all, and takes in the frames up to this one. keys_update first. */
bool trend_end_at(struct trend *t, const struct profile *p, uint64_t number);

/* The values of a key in the newest frames, in ticks, the oldest first; frames that there were not
 * are left out. Returns how many. */
uint32_t trend_values(const struct trend *t, uint32_t key, enum measure measure,
		      int64_t out[TREND_FRAMES]);

#endif

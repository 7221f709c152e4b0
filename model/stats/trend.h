/* SPDX-License-Identifier: MIT */
/*
 * trend: the last values of each key, frame by frame, for a spark line.
 *
 * Of the frames that count for the threads (frame_counts_for); and, unless it is discarded, the one that a
 * trend was told to end at.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include "model/query/tally.h"

#define TREND_FRAMES 32

struct trend;

/* `keys` is borrowed and must outlive it; `threads` is a selection; `end` is the number of the frame that it ends at,
 * 0: it goes on. NULL: out of memory. */
struct trend *trend_new(const struct keys *k, uint32_t threads, uint64_t end);
void trend_free(struct trend *t);

/* Takes in the held frames that are newer than the last one, from one who tallies them for several: as
 * in heat.h, and before index trend_end_index. The frame that it ends at is tallied though it does not count. False:
 * out of memory. */
bool trend_reserve(struct trend *t);
uint32_t trend_first(const struct trend *t, const struct profile *p);
uint32_t trend_end_index(const struct trend *t, const struct profile *p);
bool trend_is_end(const struct trend *t, const struct profile_frame *frame);
void trend_fold(struct trend *t, const struct profile_frame *frame, const struct tally *tally);

/* The values of a key in the newest frames, in ticks, the oldest first; frames that there were not
 * are left out. Returns how many. */
uint32_t trend_values(const struct trend *t, uint32_t key, enum extent extent,
		      int64_t out[TREND_FRAMES]);

#endif

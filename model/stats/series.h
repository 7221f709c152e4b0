/* SPDX-License-Identifier: MIT */
/*
 * series: of one key its times and its entries in frame after frame, beside the length of each.
 *
 * The frames are those that count for the threads that are looked at (frame_counts_for). Where the key has no time in
 * such a frame, the value is 0.
 */
#ifndef MODEL_SERIES_H
#define MODEL_SERIES_H

#include "model/query/tally.h"

struct series {
	uint32_t count;           /* frames */
	uint32_t left_out;        /* frames between the first of these and the newest that are no part of the series, as
				   * it is not known what the threads did in them */
	uint32_t *frames;         /* by place in the series: index of the profile's frame, ascending */
	int64_t *length;          /* likewise: of the frame, ticks */
	int64_t *value[EXTENTS]; /* of the key, ticks */
	int64_t *entries;
};

/* Makes the series of the newest `most` such frames, the oldest first. keys_update first. O(nodes + cells of
 * these frames). False: out of memory, the series is empty. Free it with series_fini. */
bool series_make(struct series *s, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most);
void series_fini(struct series *s);

struct longest_call {
	int64_t ticks;   /* inclusive, as MAX; 0: no call is known */
	uint64_t frame;  /* number of the frame in which it ended; of several the newest */
	uint32_t thread;
	bool unknown;    /* of some frames it is not known how long the calls took */
};

/* Takes in the calls of a key that ended in the held frames from index `first` to before `end`. keys_update first.
 * O(nodes + cells of these frames). Out of memory: the longest call counts as unknown. */
void series_longest(const struct profile *p, const struct scope *scope, uint32_t key, uint32_t first, uint32_t end,
		    struct longest_call *longest);

/*
 * trend: the last values of each key, frame by frame, for a spark line.
 *
 * It covers the frames that count for the threads (frame_counts_for); and, unless it is discarded, the one that
 * a trend was told to end at.
 */

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

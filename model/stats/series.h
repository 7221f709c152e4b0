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

/* Of the newest `most` such frames, the oldest first. keys_update first. O(nodes + cells of these frames). False:
 * out of memory, the series is empty. What was made is freed with series_fini. */
bool series_make(struct series *s, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most);
void series_fini(struct series *s);

#endif

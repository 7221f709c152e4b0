/* SPDX-License-Identifier: MIT */
/*
 * medians: of each key, the median of its value per frame over the frames that a profile holds.
 *
 * It is the lower median by nearest rank, so it is a value that occurred. A frame in which the key has no time counts
 * as 0. The frames are those that were held when the work began and that count for the threads of the scope
 * (frame_counts_for). Which frame is the median one: base_frame.h. A frame that is dropped before its turn came is left out.
 *
 * The work is done in pieces, because a long history takes longer than the answer to a key may.
 */
#ifndef MODEL_MEDIANS_H
#define MODEL_MEDIANS_H

#include "model/query/tally.h"

struct medians;

/* The keys of the scope are borrowed and must outlive it, and so must its members while it is worked
 * on. NULL: out of memory. */
struct medians *medians_new(const struct profile *p, const struct scope *scope);
void medians_free(struct medians *m);

/* The nodes have become more, and so have the members: keys_update first. */
void medians_restrict(struct medians *m, const bool *members);

enum medians_state { MEDIANS_MORE, MEDIANS_DONE, MEDIANS_NO_MEMORY };

/* Reads about that many small frames, or does what takes as long. NO_MEMORY: free it. */
enum medians_state medians_work(struct medians *m, const struct profile *p, uint32_t frames);

/* Frames that they are of. */
uint32_t medians_frames(const struct medians *m);

/* In ticks, when they are done. */
int64_t medians_of(const struct medians *m, uint32_t key, enum extent extent);

#endif

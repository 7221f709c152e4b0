/* SPDX-License-Identifier: MIT */
/*
 * medians: of each key, the median of its value per frame over the frames that a profile holds.
 *
 * The lower median, of the nearest rank, so a value that occurred; a frame in which the key has no
 * time counts as 0. Of the frames that count for the threads of the scope (frame_counts_for); they are
 * those that were held when it was begun; those dropped before they are read
 * are missing.
 *
 * Made bit by bit, because a long history takes longer than a key may.
 */
#ifndef MODEL_MEDIANS_H
#define MODEL_MEDIANS_H

#include "model/tally.h"

struct medians;

/* The keys of the scope are borrowed and must outlive it, and so must its members while it is worked
 * on. NULL: out of memory. */
struct medians *medians_new(const struct profile *p, const struct scope *scope);
void medians_free(struct medians *m);

/* The nodes have become more, and so have the members: keys_update first. */
void medians_restrict(struct medians *m, const bool *members);

enum medians_state { MEDIANS_MORE, MEDIANS_DONE, MEDIANS_NO_MEMORY };

/* Reads about that many frames, or does what takes as long. NO_MEMORY: free it. */
enum medians_state medians_work(struct medians *m, const struct profile *p, uint32_t frames);

/* Frames that they are of. */
uint32_t medians_frames(const struct medians *m);

/* In ticks, when they are done. */
int64_t medians_of(const struct medians *m, uint32_t key, enum measure measure);

#endif

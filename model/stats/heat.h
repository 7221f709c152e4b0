/* SPDX-License-Identifier: MIT */
/*
 * heat: how restless a row is, from 0 (cold) to 1.
 *
 *   live, or an average    clamp(2·sd/|mean|, 0, 1) of the key's value per frame, over the frames with the weights of
 *                          the average slot. 0 if |mean| is below 1 ns (of counts and bytes: if it is 0)
 *   a frame of the past    clamp(2·|x − median|/|median|, 0, 1), where x is the key's value in it. If the median is
 *                          below 1 ns: 0 if x is, too, else 1
 *
 * The value per frame is that of the key as a whole: deviations of its nodes are not added up. A zone that waits has 0.
 * Its colours: tui/cells/theme.c.
 *
 * A heat belongs to one way of looking: keys merged or spread, a selection of threads, the stacks
 * that contain a path. A view keeps one and brings it up to date with each new frame, O(its cells).
 * A new one begins with the newest frames that have weight, a few thousand at most. Frames that do not
 * count for the threads (frame_counts_for) are skipped.
 */
#ifndef MODEL_HEAT_H
#define MODEL_HEAT_H

#include "model/query/average.h"
#include "model/query/tally.h"

struct heat;
struct medians;

/* `keys` is borrowed and must outlive it; `thread` is a selection. NULL: out of memory. */
struct heat *heat_new(const struct keys *k, uint32_t thread, enum average_slot slot);
void heat_free(struct heat *h);

/* Whether heat can be told of a frame. It must be known what at least one of the threads did in it, and what they did
 * in other frames. A frame of which nothing is known has 0 everywhere, and would seem to be far from usual in all rows. */
bool heat_has_frame(const struct profile *p, const struct scope *scope, const struct profile_frame *frame,
		    const struct medians *medians);

/* How far each key's value in a frame is from its median; `scope` is of what the medians are. It
 * stays as it is, and heat_of is told from it. NULL: out of memory. */
struct heat *heat_of_frame(const struct profile *p, const struct scope *scope,
			   const struct profile_frame *frame, const struct medians *medians);

/* Before the first update: it is of another measure than time. */
void heat_measure(struct heat *h, uint32_t measure);

/* Before the first update: only frames above this number count. */
void heat_begin(struct heat *h, uint64_t above);

/* Folds in the held frames that are newer than the last one folded. keys_update first. */
bool heat_update(struct heat *h, const struct profile *p);

/* The same for one who tallies frames for several (tally.h): room for what a tally may have, then
 * each held frame from index heat_first on, with its tally where the frame counts. */
bool heat_reserve(struct heat *h);
uint32_t heat_first(const struct heat *h, const struct profile *p);
void heat_fold(struct heat *h, const struct profile *p, const struct profile_frame *frame,
	       const struct tally *tally);

double heat_of(const struct heat *h, const struct profile *p, uint32_t key, enum extent extent);

/* Heat of a value against its median, and of a mean with a deviation; in ticks or other amounts (measure_per_s). */
double heat_against(uint64_t per_s, double value, double median);
double heat_from(uint64_t per_s, double mean, double deviation);

/* Its mark, so that colour is never alone: `.`, `-` from 0.2, `#` from 0.5, `##` from 0.8. */
const char *heat_mark(double heat);

/*
 * medians: of each key, the median of its value per frame over the frames that a profile holds.
 *
 * It is the lower median by nearest rank, so it is a value that occurred. A frame in which the key has no time counts
 * as 0. The frames are those that were held when the work began and that count for the threads of the scope
 * (frame_counts_for). Which frame is the median one: base_frame.h. A frame that is dropped before its turn came is left out.
 *
 * The work is done in pieces, because a long history takes longer than the answer to a key may.
 */

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

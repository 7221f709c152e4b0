/* SPDX-License-Identifier: MIT */
/*
 * window: the times of all keys in each of the newest frames, for statistics that go on with a process.
 *
 * Taking a frame in costs no more than a copy of its tally. Frames that do not count for the threads
 * (frame_counts_for) are left out.
 */
#ifndef MODEL_WINDOW_H
#define MODEL_WINDOW_H

#include "model/stats/zone_stats.h"

#define WINDOW_FRAMES 256

struct window;

/* Takes in frames above this number only. NULL: out of memory. */
struct window *window_new(uint64_t above);
void window_free(struct window *w);

/* Index of the first held frame to take in; then each from there on, with its tally where it counts, as
 * in heat.h. False: out of memory, the frame is not in it. */
uint32_t window_first(const struct window *w, const struct profile *p, uint32_t threads);
bool window_fold(struct window *w, const struct profile_frame *frame, const struct tally *tally);

/* The newest frame that was looked at. */
uint64_t window_last(const struct window *w);

/* Statistics of the frames in it, for so many keys. NULL: out of memory. */
struct zone_stats *window_stats(const struct window *w, uint32_t keys, enum extent extent);

#endif

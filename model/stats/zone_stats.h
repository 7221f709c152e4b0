/* SPDX-License-Identifier: MIT */
/*
 * zone_stats: of each key, statistics of its time per frame, in one extent.
 *
 * Covers the frames that count for the threads of the scope (frame_counts_for). A frame in which the key has no
 * time counts as 0. Percentiles are those of statistics.h, of the real values.
 *
 * Made of tallies, in two rounds over the same frames: the first counts, the second fills in.
 */
#ifndef MODEL_ZONE_STATS_H
#define MODEL_ZONE_STATS_H

#include "model/query/tally.h"
#include "model/stats/statistics.h"

struct zone_stat {
	struct statistics per_frame; /* ticks; its count is that of all frames */
	uint64_t first;              /* number of the first frame in which it has time; 0: none */
};

struct zone_stats;

/* Statistics of n held frames from index `first` on, exact. keys_update first. `tally` is of these keys; a
 * caller that asks several times passes the same one. NULL: out of memory. */
struct zone_stats *zone_stats_of_frames(const struct profile *p, const struct scope *scope, struct tally *tally,
					uint32_t first, uint32_t n, enum extent extent);
void zone_stats_free(struct zone_stats *s);

/* NULL: the key came later, or there are no frames. */
const struct zone_stat *zone_stats_of(const struct zone_stats *s, uint32_t key);

/* The same for one who has the tallies. NULL, and false: out of memory. */
struct zone_stats *zone_stats_new(uint32_t keys, enum extent extent);
void zone_stats_count(struct zone_stats *s, const struct tally_row *rows, uint32_t n);
bool zone_stats_room(struct zone_stats *s); /* between the rounds */
void zone_stats_add(struct zone_stats *s, uint64_t frame, const struct tally_row *rows, uint32_t n);
void zone_stats_settle(struct zone_stats *s); /* behind the second */

/*
 * window: the times of all keys in each of the newest frames, for statistics that go on with a process.
 *
 * Taking a frame in costs no more than a copy of its tally. Frames that do not count for the threads
 * (frame_counts_for) are left out.
 */

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

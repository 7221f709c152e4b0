/* SPDX-License-Identifier: MIT */
/*
 * frame_stats: the lengths of the frames that are held, in a few numbers.
 */
#ifndef MODEL_FRAME_STATS_H
#define MODEL_FRAME_STATS_H

#include "model/stats/frame_order.h"

/* Of the frames of which averages are made (frame_counts): not discarded, not kept alone. But `max` is of those that
 * were kept alone, too: no frame that is known is longer. */
struct frame_stats {
	uint32_t count; /* 0: the rest is 0 */
	int64_t median, p99, max; /* ticks; nearest rank, as in statistics.h */
	double rate;              /* frames a second, of the newest second or so */
	uint32_t over;            /* frames over the budget */
	int64_t history;          /* ticks from the first of which more than the length is known to the last */
};

/* Of a profile and the order of its frames (lens_order); NULL for both: none. `budget` in ticks; 0: none. Takes as
 * long as there are frames in a second, not as there are in all. */
void frame_stats_make(const struct profile *p, const struct frame_order *order, int64_t budget,
		      struct frame_stats *out);

/* The plain mean of frames: their time by their number. Of each frame what the thread that marks it waits is not busy. */
struct frame_mean {
	uint32_t count;        /* of frames that count; 0: the rest is 0 */
	uint32_t known;        /* of those of which it is known what was waited, as `busy` is the mean of these */
	int64_t length, busy;  /* ticks, rounded */
};

/* Of n held frames from index `first` on. */
void frame_mean_make(const struct profile *p, uint32_t first, uint32_t n, struct frame_mean *out);

/* The thread of which a frame is: the one that marks, or the only one; else PROFILE_NONE. */
uint32_t frames_thread(const struct profile *p);

/* What that thread waits in a frame, ticks; 0 where it is not known. Never more than the frame. */
int64_t frame_waiting(const struct profile_frame *frame, uint32_t thread);
bool frame_knows_waiting(const struct profile_frame *frame, uint32_t thread);

/* The length of the longest of n held frames from index `first` on, as far as there are so many; discarded ones are left
 * out. */
int64_t frames_longest(const struct profile *p, uint32_t first, uint32_t n);

/* How long the running frame lasts already, up to now_tick. 0: none runs, or none is known to: behind a frame that
 * proftop cut nothing is, and of frames that the program bounds itself the source says it (frame_began). */
int64_t frame_running(const struct profile *p);

/* How long the running frame lasts already, where that is out of the ordinary: more than ten times the median, and long
 * enough to be read. Else 0. */
int64_t frame_stats_hang(const struct profile *p, const struct frame_stats *s);

/* The frame that a tick belongs to, start < tick <= end; NULL: none that is held. O(log frames). */
const struct profile_frame *frame_at(const struct profile *p, int64_t tick);

#endif

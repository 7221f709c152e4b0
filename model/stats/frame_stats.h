/* SPDX-License-Identifier: MIT */
/*
 * frame_stats: the lengths of the frames that are held, in a few numbers.
 */
#ifndef MODEL_FRAME_STATS_H
#define MODEL_FRAME_STATS_H

#include "model/profile/profile.h"
#include "model/query/values.h"
#include "model/stats/frame_order.h"

/* Covers the frames that averages are made of (frame_counts): not discarded, not kept alone. But `max` also
 * covers frames that were kept alone: no known frame is longer. */
struct frame_stats {
	uint32_t count; /* 0: the rest is 0 */
	int64_t median, p99, max; /* ticks; nearest rank, as in statistics.h */
	uint32_t over;            /* frames over the budget */
	int64_t history;          /* ticks from the first of which more than the length is known to the last */
};

/* Makes the statistics of a profile, by the order of its frames (query_order); NULL for both: none. `budget` in
 * ticks; 0: none. Does not look at all frames. */
void frame_stats_make(const struct profile *p, const struct frame_order *order, int64_t budget,
		      struct frame_stats *out);

/* An average frame (values_average) in a few numbers. */
struct frame_mean {
	double rate;          /* frames a second; 0: there are no frames, and all else is 0, too */
	int64_t length, busy; /* ticks. Length 0: it is not known. Busy: without what the thread that marks frames waits */
	bool waits;           /* it does wait */
	double covers;        /* how much of the time is in frames: less than 1 if the program bounds them */
};

/* The whole run (AVERAGE_RUN) also counts the time between frames that the program bounds, and nobody has counted how much
 * of it was in frames: then the length is not known. */
void frame_mean_make(const struct profile *p, const struct values *v, struct frame_mean *out);

/* The thread of which a frame is: the one that marks, or the only one; else PROFILE_NONE. */
uint32_t frames_thread(const struct profile *p);

/* The time that the thread waits in a frame, ticks; 0 if it is not known. Never more than the frame. */
int64_t frame_waiting(const struct profile_frame *frame, uint32_t thread);
bool frame_knows_waiting(const struct profile_frame *frame, uint32_t thread);

/* The same of the thread that waits least in the frame. A slice that is one sum
 * for several frames counts in proportion to the length of the frame. Bars of
 * all threads, and of frames that no thread marks, show it. */
int64_t frame_waiting_of_busiest(const struct profile_frame *frame);

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

/* Messages for a profile without frames. */

/* Why there are no frames, and the two ways to have some. */
#define NO_FRAMES_UNMARKED \
	"the program has marked none (Prof_update does; a batch program can be started with PROF_FRAME_MS=20)"

/* Why the profile holds no frame: NO_FRAMES_UNMARKED, or what became of the
 * frames that ended. Returns `out`. */
const char *no_frames_why(const struct profile *p, char *out, size_t size);

#define NO_FRAMES_SIZE 160 /* bytes */

/* `no frames yet` if frames may still come, else why there are none. Without a
 * profile (NULL) frames may still come. */
void no_frames_text(const struct profile *p, char out[NO_FRAMES_SIZE]);

/* The same in a few words, for the status line. */
const char *no_frames_short(const struct profile *p);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * values: what a report is computed from: self, entries and longest call of each node, and each
 * thread's time, over some stretch: the whole run, some frames, one frame, or an average frame.
 *
 * self, count and time are integers in units of 1/scale: scale is 1 for sums, where they are ticks
 * and entries, and larger for averages, so that every identity between rows stays exact in
 * integers there too. `longest` is always in plain ticks.
 *
 * Always: Σ self over a thread's nodes = its time, unless a part is missing, which `incomplete`
 * counts.
 *
 * Values can be of another measure (measures.h). Then self and time are amounts of it, where ticks are said below, and
 * no longest call is known. Entries, wall and elapsed stay as they are.
 */
#ifndef MODEL_VALUES_H
#define MODEL_VALUES_H

#include "model/profile/profile.h"

struct values {
	uint32_t measure;
	int64_t amount; /* of another measure than time: over all threads, 1/scale. Kept where a path restricts the rest */
	/* By thread: the number of slices of which the amount is known, and of
	 * which it is not. An average that fades has thousandths of its slices,
	 * by weight. NULL: of time. */
	uint32_t *known, *unknown;
	uint32_t node_count;
	uint32_t thread_count;
	int64_t *self;    /* by node, 1/scale ticks */
	int64_t *count;   /* by node, 1/scale entries */
	int64_t *longest; /* by node, ticks */
	int64_t *time;    /* by thread, 1/scale ticks */
	int64_t *idle;    /* by thread, 1/scale ticks: of the root of one that entered no zone in what is
			     covered. Part of time; left out where threads are merged (struct merged) */
	int64_t scale;
	int64_t wall;         /* wall time of what is covered, 1/scale ticks: of frames, what is in them */
	int64_t elapsed;      /* the same with the time between frames that the program bounds (frame_elapsed), 1/scale
			       * ticks. Count / elapsed is a rate */
	uint64_t frames;      /* frames covered; of an average: that went into it */
	uint64_t first_frame; /* 0: not bound to frames */
	uint64_t last_frame;
	double reach;         /* of an average that fades: ticks, about as far as it goes back; else 0 */
	uint32_t incomplete;  /* how many parts are missing, lapped or merged. A frame without any part counts as one.
			       * Of the whole run: how many threads could not be read */
	uint32_t *missing;    /* the same by thread. A frame without any part counts as one for each thread */
	bool average;         /* values of an average frame, not a sum over frames; also set by the slot `now`,
			       * which is one frame */
	bool less_overhead;   /* what measuring costs was taken off (overhead.h) */
	double overhead;      /* then: how much was taken off over all threads, 1/scale ticks */
	double overhead_left; /* and how much could not be taken off, because there was less time than that */
};

/* All of these return NULL when out of memory; free with values_free. */

/* All nodes and threads 0. */
struct values *values_for(const struct profile *p, uint32_t measure);
static inline struct values *values_new(const struct profile *p)
{
	return values_for(p, MEASURE_SELF);
}
void values_free(struct values *v);
struct values *values_copy(const struct values *v, const struct profile *p); /* of the same profile, as it is */

/* The whole run so far: every tick of each thread's time. */
struct values *values_of_run_in(const struct profile *p, uint32_t measure);
static inline struct values *values_of_run(const struct profile *p)
{
	return values_of_run_in(p, MEASURE_SELF);
}

/* The sum over n held frames from index first on (profile_frame_index); discarded ones among them
 * are left out. */
struct values *values_of_frames_in(const struct profile *p, uint32_t first, uint32_t n, uint32_t measure);
static inline struct values *values_of_frames(const struct profile *p, uint32_t first, uint32_t n)
{
	return values_of_frames_in(p, first, n, MEASURE_SELF);
}

/* The sum over the newest n held frames that are not discarded; fewer when fewer are held one after
 * the other (a frame that was kept alone is none of them). */
struct values *values_of_last_in(const struct profile *p, uint32_t n, uint32_t measure);
static inline struct values *values_of_last(const struct profile *p, uint32_t n)
{
	return values_of_last_in(p, n, MEASURE_SELF);
}

/* Whether the amounts of a selection of threads are all known, or some of them, or none. Time always is. */
enum measure_known values_known(const struct values *v, const struct profile *p, uint32_t threads);

/* The whole of which a share is a part, 1/scale: the wall time, or for another measure the amount of all threads. */
static inline int64_t values_whole(const struct values *v)
{
	return v->measure == MEASURE_SELF ? v->wall : v->amount;
}

/* For a measure other than time: sums up `self` into `time` and `amount`. */
void values_sum_up(struct values *v, const struct profile *p);

/* Counts a slice of the thread whose amount is known, or is not. */
void values_add_known(struct values *v, uint32_t thread, bool known);

/* Brings all of it to another scale, each value rounded; a thread's time is the sum of what its nodes then have. */
void values_rescale(struct values *v, const struct profile *p, int64_t scale);

/* Frames a second: frames / elapsed. 0: there are none. COUNT of an average frame times this is the rate of calls. */
double values_frame_rate(const struct values *v, const struct profile *p);

/* Self of the zones that wait, of the threads that are selected, 1/scale ticks. */
int64_t values_waiting(const struct values *v, const struct profile *p, uint32_t threads);

/* For values of the whole run: finds the threads that could not be read, and which amounts are known. */
void values_find_unread(struct values *v, const struct profile *p);
void values_find_known(struct values *v, const struct profile *p);

/* The node is a zone that was entered. */
bool values_entered(const struct values *v, const struct profile *p, uint32_t node);

/* Makes `idle` anew of self and count. */
void values_find_idle(struct values *v, const struct profile *p);

/*
 * merged: values as a report of threads that it shows as one has them.
 *
 *     frame 100       time  enters a zone     base           time  enters one     left out of both
 *     main           472.8       yes          main          314.5      yes             no
 *     worker         472.8        no          worker        314.5      yes             no
 *     worker         472.8        no          worker        314.5       no             yes
 *
 * A thread that enters no zone does nothing that one could see. Of a program with a hundred workers that sleep most of
 * `all` would be theirs. So its time in no zone is left out where threads are merged; if it was still in a zone that it
 * had entered before, that time stays.
 *
 * Where a time is set against another one, this is left out of both sides, of a thread that entered no zone on either. So
 * the same threads are compared: the difference of `all` is the sum of the differences of what is below it, and `all` less
 * its difference is the `all` of these threads in the base. If each side left out its own, a worker that had nothing to do
 * in a long frame would make that frame shorter, by all the time that it has in the base.
 */

struct merged {
	struct values now, base; /* what is not as it was is owned by this; all else is borrowed */
	bool has_base;
	int64_t *owned[4];
};

/* Merges the values of a selection of threads. If the selection merges none, they stay as they are. `base` is
 * NULL if nothing is compared, or if it is of the same profile. False: out of memory; merged_fini may follow. */
bool merged_init(struct merged *m, const struct profile *p, const struct values *now, const struct values *base,
		 uint32_t threads);
void merged_fini(struct merged *m);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * calls: single calls of zones, out of transitions: how long each took, and which was the slowest.
 *
 * A call is known when both its entry and its exit are. Its time is inclusive, its self time without what it called.
 * A call inside of another of the same key (recursion) is a call of its own. So the self times of all calls may be
 * added up, and the inclusive times may not: the same time would be counted twice. A zone that was open when its
 * thread ended was never left, and is no call. Percentiles are nearest-rank on the real values (statistics.h).
 * Calls that are not known are in none of these numbers, nor are those that were suspended: their stretches may be
 * those of several threads, and nothing tells which of them belong together.
 */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H

#include "model/profile/transitions.h"
#include "model/query/tally.h"
#include "model/stats/statistics.h"

struct call {
	uint32_t thread;
	int64_t enter, leave; /* ticks */
};

struct key_calls {
	struct statistics time, self; /* ticks; their count is that of the calls that are known, 1 at least */
	struct call slowest;          /* by inclusive time; of several the newest */
	int64_t since, until;         /* ticks: when the first of them was entered, and the last of them left */
	bool gaps;                    /* of a thread some between these are not known */
};

struct calls;

/* What a report needs of one key, for the threads that it is about. */
struct calls_summary {
	struct calls *calls;       /* NULL: there are none to be had */
	struct statistics a_frame; /* entries in each of the frames it is of; its count may be 0 */
};

#define CALLS_ALL_KEYS PROFILE_NONE
#define CALLS_ALL_FRAMES PROFILE_NONE

/* The calls of one key, or of all keys at once, that ended in `n` held frames from index `first` on. They are of the
 * threads and stacks of the scope (tally.h).
 *
 * A call is in a frame if it ended in its thread's part of that frame, so that this covers just what values_of_frames
 * sums up. Calls in discarded frames are left out, and so are those between frames that the program bounds itself.
 * With CALLS_ALL_FRAMES as n all calls that are known are taken, whether they were in a frame or not, but for those of
 * long ago that are known as their frames were spared (transitions.h).
 *
 * O(transitions + calls known), and for a thread O(n log threads). NULL: out of memory. */
struct calls *calls_make(const struct profile *p, const struct scope *scope, const struct transitions *t, uint32_t key,
			 uint32_t first, uint32_t n);
void calls_free(struct calls *c);

/* The statistics of a key's calls, made when first asked for: O(calls of the key). Owned by `c`. NULL: no call
 * of this key is known. */
const struct key_calls *calls_of(struct calls *c, uint32_t key);

/* How many calls of the key ended and are left out, as they had been suspended. */
uint64_t calls_suspended(const struct calls *c, uint32_t key);

/* A histogram of a key's inclusive times in at most `n` buckets, equally wide in the logarithm of the time. out[i]
 * counts the calls with edges[i] <= time < edges[i + 1]; the last bucket includes its upper edge, the longest time.
 * There is one edge more than there are buckets. Returns how many buckets; 0: no call is known. */
uint32_t calls_histogram(const struct calls *c, uint32_t key, uint32_t n, uint32_t *out, int64_t *edges);

#endif

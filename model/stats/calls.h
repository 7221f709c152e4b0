/* SPDX-License-Identifier: MIT */
/*
 * calls: single calls of zones, out of transitions: how long each took, and which was the slowest.
 *
 * A call is known when both its entry and its exit are. Its time is inclusive, its self time without what it called.
 * A call inside of another of the same key (recursion) is a call too; so over all calls Σ self is time that passed
 * once, and Σ time is not. What a thread was in when it ended was not left: it is no call. Percentiles are nearest-rank
 * on the real values (statistics.h). What is told rests on the calls that are known alone.
 */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H

#include "model/tally.h"
#include "model/transitions.h"

struct call {
	uint32_t thread;
	int64_t enter, leave; /* ticks */
};

struct key_calls {
	struct statistics time, self; /* ticks; their count is that of the calls that are known, 1 at least */
	struct call slowest;          /* by inclusive time; of several the newest */
	int64_t since;                /* tick at which the first of them was entered */
};

struct calls;

/* What a report has of a key, of some threads. */
struct calls_summary {
	struct calls *calls;       /* NULL: there are none to be had */
	struct statistics a_frame; /* entries in each of the frames it is of; its count may be 0 */
};

#define CALLS_ALL_KEYS PROFILE_NONE
#define CALLS_ALL_FRAMES PROFILE_NONE

/* Of the threads that are selected and the stacks that are members (scope: tally.h), of one key or of all at once, the
 * calls that ended in what values_of_frames sums of `n` held frames from index `first` on: in a part of their thread.
 * So calls of discarded frames, and between frames that the program bounds itself, are none of them. n
 * CALLS_ALL_FRAMES: all that are known, in a frame or not. O(transitions + calls known), and for a thread O(n log
 * threads). NULL: out of memory. */
struct calls *calls_make(const struct profile *p, const struct scope *scope, const struct transitions *t, uint32_t key,
			 uint32_t first, uint32_t n);
void calls_free(struct calls *c);

/* Worked out when it is asked for: O(calls of the key). Owned by `c`. NULL: no call of this key is known. */
const struct key_calls *calls_of(struct calls *c, uint32_t key);

/* Of these threads all calls are known that were entered at this tick or later; INT64_MAX: nothing is known. */
int64_t calls_since(const struct calls *c);

/* A histogram of the inclusive times of a key: at most `n` buckets, equally wide in the logarithm of the time, from
 * the least to the most; out[i] calls with edges[i] <= time < edges[i + 1], in the last bucket with its upper edge,
 * which is the most (n + 1 edges). Returns how many buckets there are; 0: no call is known. */
uint32_t calls_histogram(const struct calls *c, uint32_t key, uint32_t n, uint32_t *out, int64_t *edges);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * calls: single calls of zones, out of transitions: how long each took, and which was the slowest.
 *
 * A call is known when both its entry and its exit are. Its time is inclusive, its self time without what it called.
 * A call inside of another of the same key (recursion) is a call too. Percentiles are nearest-rank on the real values
 * (statistics.h). What is told rests on the calls that are known alone: `known` of `count` in the frames they are from.
 */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H

#include "model/statistics.h"
#include "model/transitions.h"

struct call {
	uint32_t thread;
	int64_t enter, leave; /* ticks */
};

struct key_calls {
	struct statistics time, self; /* ticks; their count is that of the calls that are known */
	struct call slowest;          /* by inclusive time; of several the newest */
};

struct calls;

/* Of the threads that are selected, and the stacks that are members (scope: tally.h), all keys at once, of the calls
 * that ended in (from, to]; to = INT64_MAX: all. O(transitions + calls known). NULL: out of memory. */
struct scope;
struct calls *calls_make(const struct profile *p, const struct scope *scope, const struct transitions *t,
			 int64_t from, int64_t to);
void calls_free(struct calls *c);

/* NULL: no call of this key is known. */
const struct key_calls *calls_of(const struct calls *c, uint32_t key);

/* The tick from which on calls of these threads are known without gap; INT64_MAX: nothing is known. */
int64_t calls_since(const struct calls *c);

/* A histogram of the inclusive times of a key: `n` buckets of equal width in the logarithm of the time, from the least to
 * the most; out[i] calls in each, edges[i] their lower bounds in ticks (n + 1 of them). Returns how many buckets were
 * filled in, n at most; 0: no call is known. */
uint32_t calls_histogram(const struct calls *c, uint32_t key, uint32_t n, uint32_t *out, int64_t *edges);

#endif

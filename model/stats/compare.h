/* SPDX-License-Identifier: MIT */
/*
 * compare: the frames that end at one mark against those that end at another: whether the program became
 * slower or faster between the two, zone by zone, and how sure that is.
 *
 *     A's frames    the newest COMPARE_FRAMES up to A that count (frame_counts)
 *     B's frames    likewise, up to B
 *
 * Those of the later mark do not reach back over the earlier one, so no frame is on both sides. Frames that do
 * not count for the threads (frame_counts_for) are left out.
 *
 * A median stands with an interval of order statistics (W. J. Conover, Practical Nonparametric Statistics,
 * 3rd ed., 3.2; H. A. David and H. N. Nagaraja, Order Statistics, 3rd ed., 7.1). Whatever the distribution,
 * of n independent values in ascending order
 *
 *     P(x(j) <= median <= x(n+1-j)) >= 1 - 2 P(Bin(n, 1/2) <= j-1) = 1 - alpha
 *
 * and j is the largest rank that keeps alpha. A table has many medians. If each of them had alpha = 5 %, some would
 * seem to change between any two runs. So alpha is shared out (Bonferroni): m comparisons have two intervals each, and
 * each interval has alpha = 5 % / 2m. Then with 95 % all intervals of the table hold at once, however the times of
 * the zones depend on each other. A change is evident when the two intervals of a comparison have no value in common.
 * So if nothing has changed, at most one table in twenty shows an evident change anywhere.
 *
 * The formula takes the frames to be independent, but frames that follow each other are alike. If a program has phases
 * of a few seconds each, the intervals are too narrow: see proftop(1).
 *
 * Medians are the lower ones. All times are ticks a frame; a frame without the zone counts as 0.
 */
#ifndef MODEL_COMPARE_H
#define MODEL_COMPARE_H

#include "model/query/tally.h"

#define COMPARE_FRAMES 300u /* of a side, at most */
#define COMPARE_ALPHA 0.05  /* of the whole table */

enum compare_side { COMPARE_A, COMPARE_B, COMPARE_SIDES };

enum compare_verdict {
	COMPARE_NO_EVIDENCE, /* of a change */
	COMPARE_SLOWER,      /* B is */
	COMPARE_FASTER,
	COMPARE_TOO_FEW,     /* frames on a side: there is no interval */
};

struct compare_median {
	int64_t median;
	int64_t low, high; /* its interval; where there is none, the least and the most of all values */
};

struct compare_times {
	struct compare_median of[COMPARE_SIDES];
	int64_t difference; /* of the medians: B - A */
	enum compare_verdict verdict;
};

struct compare_row {
	uint32_t key;
	struct compare_times times[EXTENTS];
};

/* The frames of a side. */
struct compare_frames {
	uint64_t first, last; /* numbers */
	uint32_t count;
	uint32_t incomplete; /* left out */
	bool bounded;        /* they are enough for intervals */
};

struct comparison {
	struct compare_frames frames[COMPARE_SIDES];
	uint32_t comparisons; /* m: the frame, and two extents of each row */
	uint32_t needed;      /* frames of a side, for m comparisons */
	struct compare_times frame; /* its length */
	struct compare_row *rows; /* of keys that have time on a side, by key */
	uint32_t row_count;
};

enum compare_result {
	COMPARE_OK,
	COMPARE_SAME_FRAME, /* both marks are on it */
	COMPARE_NO_A,       /* no frame that counts is held there; */
	COMPARE_NO_B,
	COMPARE_NO_MEMORY,
};

/* Compares frames up to number `a` with those up to number `b`. keys_update first. *out is NULL unless the
 * result is COMPARE_OK; else compare_free it. */
enum compare_result compare_make(const struct profile *p, const struct scope *scope, uint64_t a, uint64_t b,
				 struct comparison **out);
void compare_free(struct comparison *c);

/* The rank, from 1, of the lower end of an interval for the median of n <= COMPARE_FRAMES values that leaves
 * out no more than alpha; the upper end has n + 1 - this. 0: n is too few. */
uint32_t compare_rank(uint32_t n, double alpha);

#endif

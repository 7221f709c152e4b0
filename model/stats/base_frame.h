/* SPDX-License-Identifier: MIT */
/*
 * base_frame: which frame is asked about when one asks why it took so long, and
 * what it is set against.
 *
 * median     the frame whose length is the lower median
 * shortest   the frame that took least
 * previous   the newest frame before it, by number, that is held and counts
 * average    no frame that ever was: the fast average
 * similar    the frame whose length is the lower median among the frames with
 *            similar calls
 * usual      the similar frame, if the marking thread made more than ten times
 *            as many calls in the frame as in the median frame, or less than a
 *            tenth, and at least SIMILAR_LEAST frames have similar calls. Else
 *            the median frame, also if one of the two has an incomplete slice
 *            of that thread
 *
 * Similar. Two frames have similar calls if at least half of their calls are
 * the same. For each node of the marking thread let a and b be its entries in
 * the two frames: Σ min(a, b) ≥ ½ Σ max(a, b). So the number of calls differs
 * by a factor of two at most, and most of the calls are of the same zones. A
 * frame is not similar to itself. The turns of a server are of different kinds,
 * one request, fifty, a cleanup: against the median turn, one request, each
 * long turn would only have `more calls`. The choice depends on the profile
 * alone, so it stays the same while the view is paused.
 *
 * Median and shortest are chosen among the frames that count for the marking
 * thread (frame_counts_for), as one can only say what was different in a frame
 * if it is known what was in it. If there is no such frame, they are chosen
 * among all frames that count. Of several frames of one length the newest is
 * taken.
 */
#ifndef MODEL_BASE_FRAME_H
#define MODEL_BASE_FRAME_H

#include "model/profile/profile.h"

enum base_kind {
	BASE_USUAL, /* the median frame or the similar one, which is decided for each frame */
	BASE_MEDIAN,
	BASE_SIMILAR,
	BASE_PREVIOUS,
	BASE_BEST,
	BASE_AVERAGE, /* the fast average; a sum over it is rounded */
	BASE_FRAME,   /* a frame that the user named or marked */
	BASES
};

extern const char *const base_names[BASES]; /* `usual`, `median`, `similar`, `previous`, `shortest`, `average`, `frame` */

#define SIMILAR_LEAST 3 /* so many similar frames at least, to choose one of them */
#define SIMILAR_FROM 10 /* the counts of calls differ by more than this factor */

struct base_frame {
	enum base_kind kind; /* never BASE_USUAL */
	uint64_t number;     /* 0: there is none, or it is the average */
	bool by_calls;       /* BASE_USUAL chose the similar frame, because these differ: */
	uint64_t calls, median_calls; /* of the marking thread, in the frame and in the median frame */
};

/* Chooses the base of `frame`. `named` is the number of BASE_FRAME. O(frames),
 * and O(cells) for similar frames. */
struct base_frame base_choose(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named);

/* The bases of many frames of one profile. They are chosen among `count`
 * frames from index `first` on, as they were when the bases were made. */
struct bases;

struct bases *bases_new(const struct profile *p, uint32_t first, uint32_t count); /* NULL: out of memory */
void bases_free(struct bases *b);

/* The number of the median frame; 0: there is none. */
uint64_t bases_median(const struct bases *b);

/* Returns b if it is of p, and at most an eighth of the frames are newer (none,
 * if `exact`). Else it frees b, and makes others; also if b is NULL. */
struct bases *bases_renew(struct bases *b, const struct profile *p, bool exact);

/* As base_choose chooses any kind but BASE_FRAME. Choices are remembered. O(cells) for the
 * first frame that is compared with similar frames, then O(cells of the frames with about as many calls). */
struct base_frame bases_search(struct bases *b, enum base_kind kind, uint64_t frame);

#define BASE_REASON 96 /* bytes */

/* `50 calls, the median frame has 1`: why the base was chosen; "" if it was not
 * chosen by calls. */
void base_reason(const struct base_frame *base, char out[BASE_REASON]);

/* The number alone that base_choose gives. */
uint64_t base_frame(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named);

/* The number of the longest frame that is held, kept ones too; of several the newest. Frames of which nothing is known
 * but their length are left out, as long as there are others. 0: there is none. */
uint64_t worst_frame(const struct profile *p);

#endif

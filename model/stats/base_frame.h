/* SPDX-License-Identifier: MIT */
/*
 * base_frame: which frame is asked about when one asks why it took so long, and what it is set against.
 *
 * median     the frame whose length is the lower median
 * shortest   the frame that took least
 * previous   the newest frame before it, by number, that is held and counts
 * average    no frame that ever was: the fast average
 *
 * Median and shortest are chosen among the frames that count for the marking thread (frame_counts_for), as one can
 * only say what was different in a frame if it is known what was in it. If there is no such frame, they are chosen
 * among all frames that count. Of several frames of one length the newest is taken.
 */
#ifndef MODEL_BASE_FRAME_H
#define MODEL_BASE_FRAME_H

#include "model/profile/profile.h"

enum base_kind {
	BASE_MEDIAN,
	BASE_PREVIOUS,
	BASE_BEST,
	BASE_AVERAGE, /* the fast average; a sum over it is rounded */
	BASE_FRAME,   /* a frame that the user named or marked */
	BASES
};

extern const char *const base_names[BASES]; /* `median`, `previous`, `shortest`, `average`, `frame` */

/* The number of the frame that `frame` is set against; 0: there is none, or it is the average. `named` is that of
 * BASE_FRAME. Median and shortest are searched for anew each time, O(frames): who asks often keeps the answer. */
uint64_t base_frame(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named);

/* The number of the longest frame that is held, kept ones too; of several the newest. Frames of which nothing is known
 * but their length are left out, as long as there are others. 0: there is none. */
uint64_t worst_frame(const struct profile *p);

#endif

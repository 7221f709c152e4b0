/* SPDX-License-Identifier: MIT */
/*
 * base: what a frame is set against when one asks why it took so long.
 *
 * The median frame is the lower median of the lengths of the frames that count for the marking thread
 * (frame_counts_for), of several of one length the newest: of a frame of which nothing is known but how long it took one
 * cannot tell what was otherwise in it. Only where there are none, they are all that count. Best is the shortest of
 * them, likewise. Previous is the frame before, by its number, that is held and counts. All of them are
 * frames that were: only the average is not.
 */
#ifndef MODEL_BASE_H
#define MODEL_BASE_H

#include "model/profile.h"

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
 * BASE_FRAME. The median of what is held: O(frames), so that whoever asks often keeps frame_order (frame_order.h). */
uint64_t base_frame(const struct profile *p, enum base_kind kind, uint64_t frame, uint64_t named);

#endif

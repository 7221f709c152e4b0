/* SPDX-License-Identifier: MIT */
/*
 * frame_times: how long frames take, as a distribution: numbers, and below them as many lines of a histogram as there
 * is room for.
 *
 *   1 130 frames  p50 16.4 ms  p90 16.8  p99 17.2  max 41.2  over 20.0: 0.9 % (10)
 *    #            |                                                <- the budget
 *   .# #          |
 *   ## #.         |          .                                 .   <- bars: how many frames are as long
 *   |16.0 ms      |20.0 ms   ^  |24.9 ms      |31.0 ms             <- times; ^ the frame that is shown
 *
 * A column stands for a range of lengths; all are of one width in the logarithm of the time. Few frames have few
 * columns, which are wide. A column with a frame in it is never empty.
 * Times below the bars have as many digits as keep neighbours apart, and none is said twice.
 */
#ifndef TUI_FRAME_TIMES_H
#define TUI_FRAME_TIMES_H

#include "model/stats/frame_order.h"
#include "tui/cells/canvas.h"
#include "tui/frames/look.h"

struct frame_times {
	const struct frame_order *order; /* NULL: there is nothing to draw */
	uint64_t ticks_per_s;
	int64_t budget; /* ticks; 0: none */
	int64_t chosen; /* length of the frame that is shown, ticks; 0: none */
};

/* The times of the viewed frames. */
struct frame_times frame_times_of(const struct look *look);

/* Draws into the area: one line is numbers alone, more have a histogram, of 20 at most with them. `ascii`: nothing beyond it. */
void frame_times_draw(const struct frame_times *t, struct canvas *c, struct area a, bool ascii);

#endif

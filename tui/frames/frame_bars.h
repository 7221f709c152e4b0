/* SPDX-License-Identifier: MIT */
/*
 * frame_bars: columns of frames as bars, with the scale beside them. Of the files that draw graphs of frames
 * alone: which frames stand in which column is theirs.
 *
 * One value of the scale is drawn as a line across the graph: the budget, or if
 * there is none, a round number a little above the median in sight. It lies on
 * the border between two lines of cells. If colours tell it from a bar it is
 * drawn on that border, else as dashes in the upper line of cells. A frame that
 * is longer than this value gets a bar that reaches into that upper line, by an
 * eighth at least, and covers the line there; a bar of any other frame ends
 * below. So one sees without colours which frames are over it. A label at the
 * left gives the value of the lower border of the line of cells in which it
 * stands.
 *
 * A bar that is higher than the scale ends in a `!`, and beside it stands how long that frame was; of several that are
 * side by side, how long the longest was.
 *
 * On a logarithmic axis a line of cells is a factor, the same for each: the least of 2, 3, 5, 10, 20, 30, 50, 100... with
 * which all frames in sight find room above and below the scale's line. So nothing is cut. Each label has a unit of
 * its own there.
 */
#ifndef TUI_FRAME_BARS_H
#define TUI_FRAME_BARS_H

#include <stdint.h>

#include "tui/cells/canvas.h"
#include "tui/frames/frame_columns.h"

struct bars_scale {
	int64_t line; /* ticks; 0: nothing to scale by */
	int height;   /* of it, in eighths of a line of cells */
	int rows;     /* lines of bars */
	bool budget;
	double factor; /* of a line of cells on a logarithmic axis, as a natural logarithm; 0: the axis is linear */
};

struct frame_bars {
	const struct frame_graph_look *look; /* with a profile */
	struct canvas *c;
	struct area a;
	struct graph_place place;
	struct graph_column *columns; /* place.bars of them */
	int64_t running; /* length so far of the frame that runs, where it is in sight; 0: it is not, or not yet drawn */
	int ghost, ghosts; /* its first column, and how many it has */
	uint32_t thread; /* of which frames are: what it waits is dim */
	bool waits;      /* there are zones that wait: a frame of which it is not known how long is dim as a whole */
	uint32_t off_cpu; /* the measure of how long the thread did not run in them, where bars show it; or PROFILE_NONE */
	struct bars_scale scale;
};

/* The columns are there: the scale and its line. */
void frame_bars_begin(struct frame_bars *b);

/* The frame that runs, as a bar that grows, behind those of its columns. */
void frame_bars_ghost(const struct frame_bars *b);

/* Column i, of place.bars: a bar, or nothing. `chosen`: it has the frame that is shown. */
void frame_bars_column(const struct frame_bars *b, int i, bool chosen);

/* All columns are drawn: the lengths of those that are cut, where there is room for them in the uppermost line. */
void frame_bars_lengths(const struct frame_bars *b);

/*
 * The columns of a graph between which something is being marked, as by a drag of the mouse. Columns are counted
 * from the left of the area.
 */

struct graph_band {
	bool any; /* some of it is in sight */
	int from, to;
	bool before, behind; /* it goes on there, out of sight */
};

/* Between two columns, either way, as far as it is in sight of `bars`. */
struct graph_band graph_band_of(int64_t one, int64_t other, int bars);

/* On the axis, the first line of the area, so that it is seen without colours, too. */
void graph_band_mark(const struct graph_band *b, struct canvas *c, struct area axis, bool ascii);

/* Its columns, as the row of a cursor, of all lines of the area. */
void graph_band_select(const struct graph_band *b, struct canvas *c, struct area a);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * frame_columns: which frames stand in which column of the frame graph. Of its files alone, and of
 * view_counters.c, whose columns stand below its.
 *
 * All frames lie on one strip of columns. Column 0 holds the oldest frame of the ring and its group
 * of 2^zoom numbers, and the columns to the right of it the groups that follow, empty ones too.
 * Frames that were kept alone stand to the left of it, behind an empty column. Each of them stands for 64 frames or
 * more, of which it was the longest. So a column has one of them, as long as columns are 64 numbers or fewer; a column
 * of n times 64 numbers has n of them:
 *
 *      -4    -3    -2    -1     0      1      2   ...           newest
 *     kept  kept  kept  (gap)  oldest                  newest  the one that runs
 *
 * The frame that runs is drawn in the column that it will have, as soon as it lasts long enough for that to be seen:
 * when it has ended its bar stands there, and nothing moves.
 *
 * A view is a piece of that strip. It moves with the ring, so that what is remembered of it
 * (struct frame_graph) is the number of a frame.
 */
#ifndef TUI_FRAME_COLUMNS_H
#define TUI_FRAME_COLUMNS_H

#include "tui/frames/frame_graph.h"
#include "tui/frames/instants.h"

#define GRAPH_GAP (-1) /* the column between the kept ones and the ring */
#define GRAPH_KEPT_ZOOM 6 /* up to here a kept frame has a column of its own */

/* How an area is divided; its size alone decides. */
struct graph_place {
	int left;  /* cells of the scale; 0: none */
	int bars;  /* columns: all that is left of the width */
	int rows;  /* lines of bars */
	bool axis; /* a line below them, */
	bool signs; /* and one between the two for what else is below the axis: the frame that is shown, marks, news */
};

struct graph_place graph_place_in(struct area a);

/* The same for a graph of another height below it, whose columns are to stand below its. */
struct graph_place graph_place_below(struct area a);

/* The lower `eighths` of a cell. */
const char *graph_filled(int eighths, bool ascii);

struct graph_strip {
	const struct profile *p;
	uint32_t zoom;
	uint32_t kept;          /* frames that stand apart: the first of the profile */
	uint64_t base;          /* number >> zoom of column 0 */
	int64_t lowest, newest; /* columns; lowest > newest: there are none */
	uint32_t measure;       /* of which columns have the amounts of frames; MEASURE_SELF: their lengths */
	int64_t running;        /* ticks that the frame lasts that runs; 0: none that is drawn. It is in column `newest` */
};

/* Ticks that the frame lasts so far that runs, if that is long enough to be drawn; else 0. */
int64_t graph_running(const struct profile *p);

struct graph_strip graph_strip_of(const struct profile *p, uint32_t zoom);

/* The column of a frame; of one that is not held, the next that there is. */
int64_t graph_column_of(const struct graph_strip *s, uint64_t number);

/* A number that stands for this column: graph_column_of leads back to the column. For the gap it is one of the column
 * to the right, if `right`, else to the left; for a column beyond the ends one of the last column there. 0: there are
 * no columns. */
uint64_t graph_number_of(const struct graph_strip *s, int64_t column, bool right);

/* Index of a column's first frame, and how many it has: held ones, one behind the other. */
uint32_t graph_frames_in(const struct graph_strip *s, int64_t column, uint32_t *count);

/* The frames of one column. */
struct graph_column {
	uint64_t number;  /* of the longest frame; 0: there is none */
	int64_t length;   /* its own; or its amount of the strip's measure, as far as it is known */
	uint32_t frames;  /* discarded ones left out */
	uint32_t over;    /* of them over the budget */
	bool discarded;   /* there are none but discarded ones */
	bool kept;        /* its frames were kept alone */
};

/* A frame more in a column, which is all 0 at first. */
void graph_column_add(struct graph_column *c, const struct profile_frame *f, int64_t length, int64_t budget);

struct graph_column graph_column_at(const struct graph_strip *s, int64_t column, int64_t budget);

/* The columns in sight; `first` may lie before the lowest that there is. */
struct graph_view {
	int64_t first, last;
};

/* The view with this column at the right, or as near as there is something to see. */
struct graph_view graph_view_at(const struct graph_strip *s, int bars, int64_t last);
struct graph_view graph_view_of(const struct frame_graph *g, const struct graph_strip *s, int bars);

/* The time axis: the last line of the area, or the last two. `columns` are those in sight. */
void graph_axis_draw(const struct graph_strip *s, const struct graph_view *view,
		     const struct graph_place *place, const struct graph_column *columns,
		     const struct frame_graph_look *look, struct canvas *c, struct area a);

/* The name of a pinned zone, `2 walk`, as far as `most` cells have room. Returns the cells it takes; 0: there is none. */
int graph_pin_draw(const struct frame_graph_look *look, int pin, struct canvas *c, struct area a, int x, int y,
		   int most);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * frame_graph: the lengths of frames as bars, the newest at the right, and the scrubber of history.
 *
 *   33.3 |            !                         <- higher than the scale
 *   16.7 +------------#------#-------           <- the budget, or the scale
 *        |############################
 *         -4.0 s      -2.0 s       ^  now       <- time axis; ^ the frame that is shown
 *
 * A column stands for 2^zoom frames that follow one another, aligned to their numbers, so that bars
 * do not change while they move; it shows the longest of them. Numbers that are missing leave
 * columns empty; frames kept alone from before the ring stand left of it, a column each, behind a
 * dotted line. The budget is a border between two lines of cells: what is drawn across its line is
 * over it. Other marks are characters, too: `!` higher than the scale, `x` discarded, `^` chosen,
 * letters for marks; on the axis `*` for a note and `+` for an event (◆ and ◇).
 */
#ifndef TUI_FRAME_GRAPH_H
#define TUI_FRAME_GRAPH_H

#include "model/profile/profile.h"
#include "model/query/pins.h"
#include "tui/cells/canvas.h"

#define FRAME_GRAPH_ZOOM_MOST 20
#define FRAME_MARKS 26 /* a to z */

/* Where it is looked at. Zeroed: the newest frames, one a column. */
struct frame_graph {
	uint32_t zoom;  /* 2^zoom frames a column */
	uint64_t right; /* number of a frame in the rightmost column; 0: follows the newest */
};

/* The zones that are drawn in the bars. */
struct frame_graph_pins {
	const struct pins *which; /* NULL: none */
	const char *const *names; /* PINS_MOST of them, as shown */
	const struct keys *keys;  /* of the profile, up to date */
	uint32_t threads;         /* a selection: whose time it is */
	bool areas;               /* in areas of colour, else as numbers. So are work and waiting in a cell of a bar */
};

/* The input of the frame graph. */
struct frame_graph_look {
	const struct profile *profile;
	uint32_t measure; /* bars are as high as the amounts of their frames; MEASURE_SELF: as they are long */
	int64_t budget;  /* ticks; 0: none */
	uint64_t chosen; /* frame that is shown; 0: none, live */
	uint64_t band_from, band_to; /* frames between which all is marked, either way; 0: nothing is */
	const uint64_t *marks; /* FRAME_MARKS numbers of frames, 0: not set; NULL: none */
	struct frame_graph_pins pins;
	bool merged;      /* views are of all threads together: the dim part of a bar is what the busiest one waited */
	bool logarithmic; /* the axis of lengths */
	bool focused;    /* it has the keys: its axis says so */
	bool ascii;
};

/* A budget is one of time. */
static inline int64_t frame_graph_budget(const struct frame_graph_look *look)
{
	return look->measure == MEASURE_SELF ? look->budget : 0;
}

static inline uint64_t frame_graph_per_s(const struct frame_graph_look *look)
{
	return measure_per_s(look->profile, look->measure);
}

/* Draws into the area: bars above, and in its last line the time axis where it is 3 lines or more. */
void frame_graph_draw(const struct frame_graph *g, const struct frame_graph_look *look,
		      struct canvas *c, struct area a);

/* The frame at column x of that area (0: its left edge): the longest of the column, a discarded one
 * only where there are no others; 0: none, also on the scale and the legend. */
uint64_t frame_graph_at(const struct frame_graph *g, const struct frame_graph_look *look,
			struct area a, int x);

/* The held frames in sight, also where the area has no height: their index and how many. */
uint32_t frame_graph_sight(const struct frame_graph *g, const struct frame_graph_look *look,
			   struct area a, uint32_t *count);

/* Zooms in (by < 0) or out, so that the frame `around` (0: the newest) stays where it is; one that
 * is out of sight comes to the nearer edge. No farther out than where all frames are in sight. */
void frame_graph_zoom(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
		      int by, uint64_t around);

/* Moves by columns, to the right when positive; never beyond what there is; at the newest it
 * follows again, unless a frame is chosen. */
void frame_graph_pan(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
		     int columns);

/* Moves as little as needed for a frame to be in sight, also where the area has no height. */
void frame_graph_reveal(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
			uint64_t frame);

#endif

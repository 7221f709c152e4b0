/* SPDX-License-Identifier: MIT */
/*
 * strips: the frames of several programs below one another, on one clock: a column of each strip is the
 * same moment in all of them.
 *
 *     > game      LIVE  16.7 |########!####      the one in focus: the table is of it
 *       max 41.2 ms          |#############
 *       server    DEAD   2.0 | ######            it has ended before the others
 *       max 1.9 ms           |##########
 *       20 ms                     -0.4 s ^ now   a column's time; ^ the moment that is shown
 *
 * A column is a stretch of time, aligned to multiples of its length, so that bars do not change while they
 * move. It shows the longest of the frames that were running in it: one that lasts for several columns stands
 * in each of them. Where no frame was running there is none. The frame that runs stands dim in its columns, once
 * it has lasted for a while. What bars look like is up to frame_bars.h, and
 * each strip has a scale of its own.
 */
#ifndef TUI_STRIPS_H
#define TUI_STRIPS_H

#include "model/profile/moment.h"
#include "tui/frames/frame_columns.h"
#include "tui/frames/frame_graph.h"
#include "tui/frames/scene.h"

/* Where it is looked at. */
struct strips {
	int zoom;      /* steps out from 50 ms a column: 100 ms, 200 ms, 500 ms... */
	int64_t right; /* moment in the rightmost column; MOMENT_NONE: follows the newest */
};

/* A program. All of it is borrowed. */
struct strip {
	const char *name; /* as shown */
	enum scene_state state;
	const char *waiting;          /* what for, while there is no profile */
	struct frame_graph_look look; /* its profile, NULL: none; its budget, marks, pins */
};

struct strips_look {
	const struct strip *strips;
	int count, focus;
	int64_t moment; /* that is shown; MOMENT_NONE: live */
	int64_t band_from, band_to; /* moments between which all is marked, either way; MOMENT_NONE: nothing is */
	bool focused;   /* they have the keys */
	bool ascii;
};

/* How many lines they take of a screen of that height. */
int strips_lines(int count, int height);

void strips_draw(const struct strips *g, const struct strips_look *look, struct canvas *c, struct area a);

/* The strip at line y of the area; -1: none. *frame gets the number of the longest frame that was running in the column
 * at x; 0: there is none. *moment gets a moment within that frame, as near as it can be to the middle of the column;
 * without a frame the middle itself; MOMENT_NONE if x is beside the columns. */
int strips_at(const struct strips *g, const struct strips_look *look, struct area a, int x, int y,
	      int64_t *moment, uint64_t *frame);

/* The same for the strip in focus, and the column that lies `columns` to the right of the one with the moment that is
 * shown. Returns the number of the frame; 0: there is none, or no moment is shown. */
uint64_t strips_beside(const struct strips *g, const struct strips_look *look, int columns, int64_t *moment);

/* Zooms in (by < 0) or out, so that this moment (MOMENT_NONE: the newest) stays where it is. No farther out
 * than where all frames are in sight. */
void strips_zoom(struct strips *g, const struct strips_look *look, struct area a, int by, int64_t around);

/* Moves by columns, to the right when positive; never beyond what there is. */
void strips_pan(struct strips *g, const struct strips_look *look, struct area a, int columns);

/* Shows the time between two moments in full width. */
void strips_fit(struct strips *g, const struct strips_look *look, struct area a, int64_t first, int64_t last);

/* Moves as little as needed for a moment to be in sight. */
void strips_reveal(struct strips *g, const struct strips_look *look, struct area a, int64_t moment);

/*
 * Which moments stand in which column of the strips, and which strip in which line. Of their
 * files alone.
 *
 * Columns are numbered from the moment 0 on, and below it: column n is [n * span, (n + 1) * span).
 */

/* How an area is divided. */
struct strips_place {
	int label;        /* cells of the names */
	int scale;        /* cells of the scale behind them; 0: none */
	int bars;         /* columns */
	int lines;        /* of a strip */
	int first, shown; /* strips that there is room for: the one in focus is one of them */
};

struct strips_place strips_place_in(const struct strips_look *look, struct area a);

/* The time in sight. */
struct strips_view {
	int64_t span;           /* ns of a column */
	int64_t lowest, newest; /* columns with the first and the last that is known; lowest > newest: nothing is */
	int64_t first, last;    /* columns in sight; `first` may lie before the lowest */
	int64_t now;            /* the newest moment */
};

int64_t strips_span(int zoom);
int64_t strips_column(int64_t moment, int64_t span);

/* What a column of a strip shows. */
struct graph_column strips_column_at(const struct strip *s, int64_t column, int64_t span);

/* The middle of a frame; or this moment, if the frame was running then. MOMENT_NONE: not known. */
int64_t strips_moment(const struct profile *p, const struct profile_frame *frame, int64_t moment);

#endif

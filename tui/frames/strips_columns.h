/* SPDX-License-Identifier: MIT */
/*
 * strips_columns: which moments stand in which column of the strips, and which strip in which line. Of their
 * files alone.
 *
 * Columns are numbered from the moment 0 on, and below it: column n is [n * span, (n + 1) * span).
 */
#ifndef TUI_STRIPS_COLUMNS_H
#define TUI_STRIPS_COLUMNS_H

#include "tui/frames/frame_columns.h"
#include "tui/frames/strips.h"

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
struct strips_view strips_view_of(const struct strips *g, const struct strips_look *look, int bars);

/* What a column of a strip shows. */
struct graph_column strips_column_at(const struct strip *s, int64_t column, int64_t span);

/* The moment at which a column begins. */
int64_t strips_begin(int64_t column, int64_t span);

/* The middle of a frame; or this moment, if the frame was running then. MOMENT_NONE: not known. */
int64_t strips_moment(const struct profile *p, const struct profile_frame *frame, int64_t moment);

#endif

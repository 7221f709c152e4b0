/* SPDX-License-Identifier: MIT */
/*
 * graph_band: the columns of a graph between which something is being marked, as by a drag of the mouse. Columns are counted
 * from the left of the area.
 */
#ifndef TUI_GRAPH_BAND_H
#define TUI_GRAPH_BAND_H

#include <stdint.h>

#include "tui/cells/canvas.h"

struct graph_band {
	bool any; /* some of it is in sight */
	int from, to;
};

/* Between two columns, either way, as far as it is in sight of `bars`. */
struct graph_band graph_band_of(int64_t one, int64_t other, int bars);

/* On the axis, the first line of the area, so that it is seen without colours, too. */
void graph_band_mark(const struct graph_band *b, struct canvas *c, struct area axis, bool ascii);

/* Its columns, as the row of a cursor, of all lines of the area. */
void graph_band_select(const struct graph_band *b, struct canvas *c, struct area a);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * counter_graph: a counter, frame by frame, as bars whose columns stand below those of the frame graph.
 *
 *   entities   min 0   max 1 204   frame 171: 980
 *   1.2k|          ####      ####
 *       |   ####:::####::::######
 *      0|...####################.
 *
 * A column shows the most that it was in its frames. The scale has the 0, or is from the least to the most in sight. What is
 * below 0 hangs from it: from a line that has 0 at its lower border, or from the upper edge where nothing is above 0. A column in
 * which it was both has two bars. Columns in which it kept its value are dim; where it is not known there is nothing.
 *
 *   offset   min -4   max 2
 *      2|   #      ##
 *      0|__:##____###____
 *       |##   #"      "##
 *     -4|#    '        #
 */
#ifndef TUI_COUNTER_GRAPH_H
#define TUI_COUNTER_GRAPH_H

#include "model/stats/counters.h"
#include "tui/frames/look.h"

/* Draws the counter of a row into the area: a line of text, and bars below it. `row` NULL: nothing. */
void counter_graph_draw(const struct counter_row *row, const struct look *look, struct canvas *c,
			struct area a);

/* The held frame in sight in which it was most; 0: it is not known in any. */
uint64_t counter_graph_peak(const struct counter_row *row, const struct look *look);

/* Values of the newest frames as a line of small bars, the newest at the right: `cells` cells of at most 3 bytes,
 * and a NUL, into `out`. `end` is the index behind the newest frame. */
void counter_spark(const struct profile *p, const struct counter_row *row, uint32_t end, uint32_t cells,
		   bool ascii, char *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * detail_cause: why the time of a call graph's focus varies, and which counters go with it: one to three lines of the
 * pane below it.
 *
 *   varies: 71 % by its number of calls, 29 % by what a call costs
 *   correlates with its self time: texture_bytes +0.82, entities +0.61
 *   correlates with the frame's length: texture_bytes +0.74
 *
 * The first is of the hierarchical time, as HEAT in a call graph. With fewer lines the first has what fits of the
 * others behind it.
 */
#ifndef TUI_DETAIL_CAUSE_H
#define TUI_DETAIL_CAUSE_H

#include "tui/cells/canvas.h"
#include "tui/frames/look.h"

#define DETAIL_CAUSE_LINES 3 /* at most */

/* The lines that it has something for: 0 to DETAIL_CAUSE_LINES. */
int detail_cause_lines(const struct look *look, uint32_t key);

/* Into as many lines as the area has. */
void detail_cause_draw(const struct look *look, uint32_t key, struct canvas *c, struct area a);

#endif

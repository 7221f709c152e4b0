/* SPDX-License-Identifier: MIT */
/*
 * detail: the pane at the bottom of a call graph: all that is known of its focus and has no place in a column.
 *
 *   its place in the source, calls a frame, single calls and the slowest of them
 *   why its time varies
 *
 * For a function that was found by samples, the pane has its lines of source
 * with most samples:
 *
 *   LINE   SELF%  TOTAL%  SOURCE
 *     14   16.9%   16.9%  for (int i = 0; i < n; i++)
 *     15    0.0%   81.8%  x = mix(x, i);
 *
 * A view of 8 lines has one line of it, which says the most important. From 14 lines on the pane has two fifths of the
 * view: the first line; that of single calls; one for the cause (if there are three lines or more); then the others as
 * detail.c orders them; and when all these are there, the other lines of the cause.
 */
#ifndef TUI_DETAIL_H
#define TUI_DETAIL_H

#include "model/report/report.h"
#include "tui/cells/canvas.h"
#include "tui/frames/look.h"

/* The subject of the lines. Borrowed. */
struct detail {
	const struct look *look;
	const struct report *report; /* the call graph, of one section at least */
	uint32_t key;                /* its focus */
	const struct line_table *lines; /* of a function: where in it samples were taken; NULL: of none */
};

/* The lines that it wants of a view of so many. */
int detail_lines(const struct detail *d, int height);
void detail_draw(const struct detail *d, struct canvas *c, struct area a);

/* The lines of source of a function, with column titles: as many as fit. */
int detail_source_lines(const struct detail *d, int room);
void detail_source_draw(const struct detail *d, struct canvas *c, struct area a);

/*
 * Why the time of a call graph's focus varies, and which counters go with it: one to three lines of the
 * pane below it.
 *
 *   variation: 71 % call count, 29 % time per call
 *   correlates with its self time: texture_bytes +0.82, entities +0.61
 *   correlates with the frame's length: texture_bytes +0.74
 *
 * The first is of the hierarchical time, as HEAT in a call graph. With fewer lines the first has what fits of the
 * others behind it.
 */

#define DETAIL_CAUSE_LINES 3 /* at most */

/* The lines that it has something for: 0 to DETAIL_CAUSE_LINES. */
int detail_cause_lines(const struct look *look, uint32_t key);

/* Into as many lines as the area has. */
void detail_cause_draw(const struct look *look, uint32_t key, struct canvas *c, struct area a);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * detail: the pane at the bottom of a call graph: all that is known of its focus and has no place in a column.
 *
 *   detail.c        its place in the source, calls a frame, single calls and the slowest of them
 *   detail_cause.c  why its time varies
 *
 * The first line is there from 8 lines of the view on, and says the most important of it. What needs more comes with
 * more room: single calls first; from three lines on one of them says the cause, and has more when all others are there.
 */
#ifndef TUI_DETAIL_H
#define TUI_DETAIL_H

#include "model/report.h"
#include "tui/canvas.h"
#include "tui/look.h"

/* What it is about. Borrowed. */
struct detail {
	const struct look *look;
	const struct report *report; /* the call graph, of one section at least */
	uint32_t key;                /* its focus */
};

/* The lines that it wants of a view of so many. */
int detail_lines(const struct detail *d, int height);
void detail_draw(const struct detail *d, struct canvas *c, struct area a);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * detail: the pane at the bottom of a call graph: all that is known of its focus and has no place in a column.
 *
 *   detail.c        its place in the source, calls a frame, single calls and the slowest of them
 *   detail_cause.c  why its time varies
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

/* SPDX-License-Identifier: MIT */
/*
 * pane: below a view of one frame, or of a stretch of time, what happened in it: its events and notes, as many as there is
 * room for.
 */
#ifndef TUI_PANE_H
#define TUI_PANE_H

#include "tui/frames/look.h"

/* The lines that it wants, of a body of so many; 0: nothing happened, or nothing is chosen, or there is no
 * room. */
int pane_lines(const struct look *look, int height);

void pane_draw(const struct look *look, struct canvas *c, struct area a);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * clipping: what is on a canvas as text to copy: as it is shown, in UTF-8. Caller frees; NULL: out of memory.
 */
#ifndef TUI_CLIPPING_H
#define TUI_CLIPPING_H

#include "tui/cells/canvas.h"
#include "tui/widgets/table.h"

/* All lines, without the blanks at their ends. */
char *clipping_screen(const struct canvas *c);

/* The row of the cursor of a table that was drawn on it: its cells, a tab between two. "": there is none in
 * sight. */
char *clipping_row(const struct canvas *c, const struct table *t);

#endif

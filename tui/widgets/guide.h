/* SPDX-License-Identifier: MIT */
/*
 * guide: the help screen: all keys, all columns, and what the signs mean. It comes from the tables
 * of commands and columns, so it lists what there is.
 */
#ifndef TUI_GUIDE_H
#define TUI_GUIDE_H

#include "tui/cells/canvas.h"
#include "tui/widgets/commands.h"

struct guide {
	bool open;
	int top;  /* line in sight first */
	int most; /* the last that can be that */
	int page; /* lines that PgDn goes on */
};

/* Moves, or closes it; false: the command is not for it. */
bool guide_command(struct guide *g, enum command command);
void guide_draw(struct guide *g, struct canvas *c, struct area a);

#endif

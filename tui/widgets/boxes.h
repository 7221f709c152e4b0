/* SPDX-License-Identifier: MIT */
/*
 * boxes: draws a row of boxes (model/boxes/box_row.h) into a line of the screen.
 *
 * A box has a role; where the screen has no colours, or is ASCII without them, it has brackets. The cells that are
 * merged are dim, if nothing else is said of them, but for the one that the cursor's box lies in.
 */
#ifndef TUI_BOXES_H
#define TUI_BOXES_H

#include "model/boxes/box_row.h"
#include "tui/cells/canvas.h"

struct boxes {
	const struct box_row *row;
	int64_t from, to; /* of its axis, in the width of the area */
	uint32_t chosen;  /* the cursor's box; UINT32_MAX: none is */
	bool coloured, ascii;
	bool braces; /* they stand for something else than the others on the line: {update 1.710---}, without areas */
	/* the text in box i, and its role */
	void (*label)(const void *context, uint32_t box, struct box_label *out);
	enum role (*role)(const void *context, uint32_t box);
	enum role (*merged)(const void *context, const struct box_run *run); /* of a cell of merged ones; NULL: it is dim */
	const void *context;
};

/* Into line y of the area; cells without a box stay as they are. */
void boxes_draw(const struct boxes *b, struct canvas *c, struct area a, int y);

/* The role of what has this name: the same in every run. One of ROLE_BOX_1 to ROLE_BOX_6. */
enum role boxes_role_of(const char *name);

/* The cell in which the cursor is best put when it leaves `chosen`: the run behind it, or before it (step -1), that
 * has a box. Its box, UINT32_MAX: there is none. */
uint32_t boxes_beside(const struct boxes *b, int width, int step);

/* The run at this cell of `width`. False: there is no box. */
bool boxes_at(const struct boxes *b, int width, int x, struct box_run *out);

#endif

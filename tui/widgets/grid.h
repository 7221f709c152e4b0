/* SPDX-License-Identifier: MIT */
/*
 * grid: draws rows in a table that are no report of zones: a text a cell.
 *
 * They are a sheet (model/table/sheet.h), whose column that gives way names the row; the one that they are sorted by
 * stays. Columns only grow while the width is the same, so that nothing moves while numbers change.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include "model/table/sheet.h"
#include "tui/widgets/table.h"

#define GRID_TEXT 512 /* bytes of a cell */

struct grid {
	const struct sheet_column *columns;
	int count;
	int sorted; /* -1: none */
	int name_cells; /* that the name has while other columns can go; 0: a few */
	bool descending;
	/* Writes the text of a cell, UTF-8 that is safe to show; returns its role. */
	enum style_role (*cell)(const void *rows, const struct look *look, uint32_t row, int column,
				char out[GRID_TEXT]);
	uint64_t (*id)(const void *rows, uint32_t row); /* sheet_cell.id of a row: rows of different ids never look alike; NULL: they may */
};

/* What a table_kind draws. */
void grid_draw(struct table *t, const struct grid *g, const struct look *look, struct canvas *c,
	       struct area a);

/* Puts a text into a cell; what is too long is cut between two characters. */
void grid_text(char out[GRID_TEXT], const char *text);

#endif

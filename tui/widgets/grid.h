/* SPDX-License-Identifier: MIT */
/*
 * grid: typed tables (model/table/typed_table.h) in a table, or a text a cell.
 *
 * They are a sheet (model/table/sheet.h), whose column that gives way names the row; the one that they are sorted by
 * stays. Columns only grow while the width is the same, so that nothing moves while numbers change.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include "model/table/typed_table.h"
#include "tui/widgets/table.h"

#define GRID_TEXT 512 /* bytes of a cell */

struct grid {
	const struct table_column *columns;
	int count;
	int sorted; /* -1: none */
	int name_cells; /* that the name has while other columns can go; 0: a few */
	bool descending;
	/* Writes the text of a cell, UTF-8 that is safe to show; returns its role. */
	enum style_role (*cell)(const void *rows, const struct look *look, uint32_t row, int column,
				char out[GRID_TEXT]);
	uint64_t (*id)(const void *rows, uint32_t row); /* sheet_cell.id of a row: rows of different ids never look alike; NULL: they may */
};

/* Gives the table a typed table, which it frees by its type; NULL: there is none. Values are asked for with the look in
 * typed_look.own. */
void table_take_typed(struct table *t, struct typed_table *rows);

/* What was given; NULL: nothing, or other rows. */
struct typed_table *table_typed(const struct table *t);

/* What a table_kind draws. */
void grid_draw(struct table *t, const struct grid *g, const struct look *look, struct canvas *c,
	       struct area a);

/* Puts a text into a cell; what is too long is cut between two characters. */
void grid_text(char out[GRID_TEXT], const char *text);

#endif

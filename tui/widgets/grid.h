/* SPDX-License-Identifier: MIT */
/*
 * grid: the rows of a typed table (model/table/typed_table.h) in a table of the screen.
 *
 * The column that gives way names the row; the one that they are sorted by stays. Columns only grow while the width is the
 * same, so that nothing moves while numbers change.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include "model/table/typed_table.h"
#include "tui/widgets/table.h"

/* Gives the table a typed table, which it frees by its type; NULL: there is none. Values are asked for with the look in
 * typed_look.own. */
void table_take_typed(struct table *t, struct typed_table *rows);

/* The table that was given; NULL: none, or other rows. */
struct typed_table *table_typed(const struct table *t);

#endif

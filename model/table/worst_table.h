/* SPDX-License-Identifier: MIT */
/*
 * worst_table: the worst frames (model/stats/worst.h) as a typed table, a row each.
 */
#ifndef MODEL_WORST_TABLE_H
#define MODEL_WORST_TABLE_H

#include "model/stats/base_frame.h"
#include "model/stats/worst.h"
#include "model/table/typed_table.h"

#define WORST_ROWS 1000 /* at most, if the user asks for no number */

/* Rows know their frames by number, because the frames move in memory when new ones are added. */
struct worst_table {
	struct typed_table table;
	struct worst_frame *frames;
	uint32_t all; /* frames that were compared */
	enum worst_order order;
	bool inverted;
	int64_t budget;  /* ticks; 0: none */
	uint64_t chosen; /* number of the frame that is chosen */
	struct bases *bases; /* borrowed: what frames are compared with */
	const struct profile *p;
};

extern const struct table_type worst_table_type; /* its `free` frees the table and the list of frames */

/* Makes the table of the `most` worst frames, or fewer, among `n` held frames from index `first` on. `budget` in ticks, 0:
 * none. `bases` is borrowed. The `free` of its type frees the table. NULL: out of memory. */
struct worst_table *worst_table_new(const struct profile *p, uint32_t first, uint32_t n, enum worst_order order, uint32_t most,
				    int64_t budget, struct bases *bases);
void worst_table_invert(struct worst_table *t); /* the best first */

/* The unit that suits the lengths of the rows, of which there is one at least. `before` is the unit that they had, or
 * UNIT_AUTO. */
enum unit worst_table_unit(const struct worst_table *t, enum unit before);

/* The order that rows have if they are sorted by a column, and the column of an order. */
enum worst_order worst_table_order(int column);
int worst_table_column(enum worst_order order);

#endif

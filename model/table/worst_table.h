/* SPDX-License-Identifier: MIT */
/*
 * worst_table: the worst frames (model/stats/worst.h) as a typed table, a row each.
 */
#ifndef MODEL_WORST_TABLE_H
#define MODEL_WORST_TABLE_H

#include "model/stats/base_frame.h"
#include "model/stats/worst.h"
#include "model/table/typed_table.h"

/* Rows know their frames by number, because the frames move in memory when new ones are added. */
struct worst_table {
	struct typed_table table;
	struct worst_frame *frames;
	enum worst_order order;
	bool inverted;
	int64_t budget;  /* ticks; 0: none */
	uint64_t chosen; /* number of the frame that is chosen */
	struct bases *bases; /* borrowed: what frames are compared with */
	const struct profile *p;
};

extern const struct table_type worst_table_type; /* its `free` frees the table and the list of frames */

/* `frames` has `count` entries, allocated with malloc: the `free` of the table's type frees them. */
void worst_table_init(struct worst_table *t, const struct profile *p, struct worst_frame *frames, uint32_t count,
		      enum worst_order order, bool inverted, int64_t budget);

/* The order that rows have if they are sorted by a column, and the column of an order. */
enum worst_order worst_table_order(int column);
int worst_table_column(enum worst_order order);

#endif

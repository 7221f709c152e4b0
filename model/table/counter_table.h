/* SPDX-License-Identifier: MIT */
/*
 * counter_table: a report of counters (model/stats/counters.h) as a typed table, a row a counter.
 */
#ifndef MODEL_COUNTER_TABLE_H
#define MODEL_COUNTER_TABLE_H

#include "model/stats/counters.h"
#include "model/table/typed_table.h"

extern const struct table_type counter_table_type; /* its columns are those of enum counter_column */

struct counter_table {
	struct typed_table table;
	const struct profile *p;
	struct counter_report *report;
	/* Draws the values of the newest frames into so many cells: the column TREND, which the screen has. */
	void (*draw_trend)(const struct counter_table *t, const struct counter_row *row, uint32_t cells, bool ascii, char *out);
	uint32_t frames_end; /* index behind the newest frame of TREND */
};

/* Both are borrowed. The type's `free` frees a table that is owned, and its report. */
void counter_table_init(struct counter_table *t, const struct profile *p, const struct counter_report *report);

/* The column that rows can be sorted by, of a key. COUNTER_COLUMNS: none. */
enum counter_column counter_column(const char *key);

#endif

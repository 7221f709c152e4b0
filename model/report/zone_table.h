/* SPDX-License-Identifier: MIT */
/*
 * zone_table: a report of zones as a typed table (model/table/typed_table.h): a row of the report is a row of the table,
 * those of all sections one behind the other. Its columns: columns.h.
 *
 * Text and the screen drop the column that the report is sorted by last. The name of a zone has the indent and the mark of
 * its place in a tree or a call graph.
 */
#ifndef MODEL_ZONE_TABLE_H
#define MODEL_ZONE_TABLE_H

#include "model/report/report.h"
#include "model/table/typed_table.h"

struct zone_table {
	struct typed_table table;
	const struct profile *p;
	const struct report *r;
	enum unit units[COLUMNS]; /* of text and the screen: at first the report's */
};

extern const struct table_type zone_table_type;

/* Both are borrowed. Text and the screen need no profile: NULL. */
void zone_table_init(struct zone_table *t, const struct profile *p, const struct report *r);

/* The same for a screen: rows of the first section, and a table that frees the report with it. NULL: out of memory; then
 * the report is freed. */
struct zone_table *zone_table_new(struct report *r);

/* The report of a table; NULL: it is another table. */
const struct report *zone_table_report(const struct typed_table *t);

/*
 * Units that stay from one report to the next: a column keeps its unit until the values have left it by far
 * (unit_for_many). All units begin again when the view, the measure or the unit that is asked for changes. There are two
 * sets of them, one for reports of sums and one for reports of a frame or an average frame, whose values are much smaller.
 * A screen that goes back to sums finds the units that it had for them. Zeroed at first.
 */
struct zone_units {
	enum report_view view;
	enum unit asked;
	uint32_t measure;
	enum unit units[2][COLUMNS]; /* of sums; of a frame or an average one */
};
void zone_table_hold(struct zone_table *t, struct zone_units *held);

/* A number of a row as text and the screen have it; `-` where there is none, `≥12` of a lower bound. Returns the length. */
size_t report_text(const struct report *r, const struct report_row *row, enum column column, bool ascii, char *out, size_t size);

#endif

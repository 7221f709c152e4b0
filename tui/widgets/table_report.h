/* SPDX-License-Identifier: MIT */
/*
 * table_report: the rows of a report of zones in a table.
 */
#ifndef TUI_TABLE_REPORT_H
#define TUI_TABLE_REPORT_H

#include "model/report/report.h"
#include "tui/widgets/table.h"

/* New rows, which the table owns from now on; NULL: none. */
void table_take_report(struct table *t, struct report *r);

/* The report in it; NULL: there is none, or its rows are others. */
const struct report *table_report(const struct table *t);

/* The row of the cursor, NULL where there is none, or no report. */
const struct report_row *table_row(const struct table *t);

/* Puts the cursor on the first row with this key; where there is none it stays. */
void table_go_key(struct table *t, uint32_t key);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * export_table: typed tables (model/table/typed_table.h) as text and as CSV; in JSON: io/json_table.h.
 */
#ifndef IO_EXPORT_TABLE_H
#define IO_EXPORT_TABLE_H

#include "io/export/export.h"
#include "model/table/typed_table.h"

/* A row of a sheet that is fitted, or SHEET_TITLES, as a line. False: out of memory. */
bool export_row(const struct sheet *s, uint32_t row, FILE *out);

/* export_table_text.c: titles, a line a row, how many rows the filter left out, and an empty line. False: not all could be
 * written. */
bool export_table_text(const struct typed_table *t, const struct export_style *style, FILE *out);

/* export_table.c: a line of keys, then a line a row: times in nanoseconds. `spreadsheet` as in struct export. False: not
 * all could be written. */
bool export_table_csv(const struct typed_table *t, bool spreadsheet, FILE *out);

/* A field of CSV: RFC 4180, but lines end in a newline alone: a field with a comma, a quote or a blank at its end is
 * quoted. Names are escaped as everywhere, so no field holds a newline. */
void csv_field(const char *text, FILE *out);
/* A name that is escaped already. For a spreadsheet a ' is put in front of what it would take for a formula; one that
 * begins with ' gets another, so that it can be had back. */
void csv_shown(const char *text, bool spreadsheet, FILE *out);
bool csv_name(const char *bytes, bool spreadsheet, FILE *out); /* false: out of memory */

#endif

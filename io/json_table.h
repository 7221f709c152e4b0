/* SPDX-License-Identifier: MIT */
/*
 * json_table: typed tables (model/table/typed_table.h) in JSON: for scripts, and for the page.
 */
#ifndef IO_JSON_TABLE_H
#define IO_JSON_TABLE_H

#include "io/json.h"
#include "model/table/typed_table.h"

/* A time as `key` in ticks, and beside it as `key_ns` in nanoseconds. */
void json_time(struct json *j, uint64_t ticks_per_s, const char *key, int64_t ticks, int64_t scale);

/* Adds to a row what is no column of it. */
typedef void json_row_more(struct json *j, const struct typed_table *t, uint32_t row);

/* A list of objects, a row each, as the member that the type names. `more` NULL: rows have nothing more. */
void json_table(struct json *j, const struct typed_table *t, json_row_more *more);
void json_table_row(struct json *j, const struct typed_table *t, uint32_t row, json_row_more *more); /* one of them */
/* A row as a member of an object. */
void json_table_member(struct json *j, const char *key, const struct typed_table *t, uint32_t row, json_row_more *more);

/* For report/typed_table.js: what columns with a title and a key are, but those of groups, and the rows
 * as above, with times in ticks alone. */
void json_page_columns(struct json *j, const char *key, const struct table_type *type);
void json_page_rows(struct json *j, const char *key, const struct typed_table *t, json_row_more *more);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * compare_table: the frames before one mark against those before another (model/stats/compare.h) as a typed table: the frame
 * first, then a row a zone.
 *
 * Where the width is too small for all columns, those of self times stay, or those of hierarchical times if the table is
 * sorted by one of them. What is not evident is dim, and says so.
 */
#ifndef MODEL_COMPARE_TABLE_H
#define MODEL_COMPARE_TABLE_H

#include "model/query/keys.h"
#include "model/stats/compare.h"
#include "model/table/typed_table.h"

struct compare_table {
	struct typed_table table;
	const struct profile *p;
	const struct keys *keys;
	const struct comparison *c;
	uint32_t *order; /* rows of the comparison, the frame first */
	uint64_t *ids;
	bool invert;
};

extern const struct table_type compare_table_type;

struct compare_table_options {
	const struct profile *p;
	const struct keys *keys;
	uint32_t measure;
	const char *filter; /* NULL: none */
	enum unit unit;
	int sort; /* a column; below 0: by the change of self times */
	bool invert;
};

/* All is borrowed; the type's `free` frees the table alone. NULL: `why` says why. */
struct compare_table *compare_table_make(const struct comparison *c, const struct compare_table_options *o, char *why, size_t size);

/* The key of a row; PROFILE_NONE: it is of no zone. */
uint32_t compare_table_key(const struct compare_table *t, uint32_t row);

#endif

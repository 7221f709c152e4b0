/* SPDX-License-Identifier: MIT */
/*
 * line_table: the lines of source at which samples were taken (profile_node.line) as a typed table, a row each.
 *
 * SELF counts the samples at the line itself. TOTAL also counts the samples in functions that the line called; a sample
 * counts once for a line, even if a recursion comes to the line again. Shares are of all covered samples. In an average of
 * frames they are samples per frame.
 */
#ifndef MODEL_LINE_TABLE_H
#define MODEL_LINE_TABLE_H

#include "model/query/values.h"
#include "model/table/typed_table.h"

struct line_row {
	uint32_t zone; /* the function */
	uint32_t line; /* 0: not known */
	int64_t self, total; /* 1/scale samples */
};

/* The text of a line, safe to show; NULL: not known. Borrowed until the next
 * call. */
typedef const char *line_source(void *context, const struct profile *p, const char *file, uint32_t line);

struct line_table {
	struct typed_table table;
	const struct profile *p;
	struct line_row *rows;
	int64_t samples; /* covered, 1/scale */
	int64_t scale;   /* 1: they are sums */
	uint32_t others; /* lines that are below the limits */
	line_source *source; /* NULL, at first: there is no column of it */
	void *source_context;
};

extern const struct table_type line_table_type; /* its `free` frees the rows and the table */

/* The lines of one function, in their order; or of all functions below a zone
 * of the program, or, with PROFILE_NO_ZONE, of all functions, those with most
 * samples first. `v` is of a measure of samples; `threads` is a selection. Left
 * out are lines whose TOTAL is below `percent` of all samples, or, if they are
 * sums, below `least` samples. NULL: out of memory. */
struct line_table *line_table_new(const struct profile *p, const struct values *v, uint32_t threads, uint32_t zone,
				  int64_t least, double percent);

/* The share of all samples, 1 for all. */
double line_table_part(const struct line_table *t, int64_t samples);

/* The row with most samples at the line itself, or if there are none, with most
 * in all. NULL: there are no rows. */
const struct line_row *line_table_hottest(const struct line_table *t);

/* The source of each line stands behind it in a text. Both are borrowed. */
void line_table_sources(struct line_table *t, line_source *source, void *context);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * function_table: the functions in which samples were taken (ZONE_FUNCTION) as a typed table, a row each.
 *
 * SELF counts the samples in the function itself. TOTAL also counts the samples in the functions that it called. Shares are
 * of all covered samples, also of those whose function is not known.
 */
#ifndef MODEL_FUNCTION_TABLE_H
#define MODEL_FUNCTION_TABLE_H

#include "model/report/report.h"
#include "model/table/typed_table.h"

#define FUNCTION_LEAST_SAMPLES 10  /* shown, unless the user sets another limit */
#define FUNCTION_LEAST_PERCENT 1.0

struct function_row {
	uint32_t zone;
	int64_t self, total;
};

struct function_table {
	struct typed_table table;
	const struct profile *p;
	struct function_row *rows; /* most samples in the function itself first */
	int64_t samples; /* covered */
	uint32_t others; /* functions that are below the limits */
	int64_t least;   /* limits of rows */
	double percent;
};

extern const struct table_type function_table_type; /* its `free` frees the rows and the table */

/* The share of all samples, 1 for all. */
double function_table_part(const struct function_table *t, int64_t samples);

/* Makes the table of a flat report of samples. A function is left out if its TOTAL is below `least` samples or below
 * `percent` of all samples. NULL: out of memory. */
struct function_table *function_table_new(const struct profile *p, const struct report *report, int64_t least, double percent);

#endif

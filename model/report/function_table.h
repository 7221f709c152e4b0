/* SPDX-License-Identifier: MIT */
/*
 * function_table: the functions in which samples were taken (ZONE_FUNCTION) as a typed table, a row each.
 *
 * SELF counts the samples in the function itself. TOTAL also counts the samples in the functions that it called, but
 * not those in zones that were entered inside of it: a function stands in the zone in which it was called. Shares are
 * of all covered samples, also of those whose function is not known. In an average of frames they are samples per frame.
 */
#ifndef MODEL_FUNCTION_TABLE_H
#define MODEL_FUNCTION_TABLE_H

#include "model/report/report.h"
#include "model/table/typed_table.h"

#define FUNCTION_LEAST_SAMPLES 10  /* shown, unless the user sets another limit */
#define FUNCTION_LEAST_PERCENT 1.0

struct function_row {
	uint32_t zone, key;
	int64_t self, total; /* 1/scale samples */
};

struct function_table {
	struct typed_table table;
	const struct profile *p;
	struct function_row *rows; /* most samples in the function itself first */
	int64_t samples; /* covered, 1/scale */
	int64_t scale;   /* 1: they are sums */
	uint32_t others; /* functions that are below the limits */
	int64_t least;   /* limits of rows */
	double percent;
};

extern const struct table_type function_table_type; /* its `free` frees the rows and the table */

/* The share of all samples, 1 for all. */
double function_table_part(const struct function_table *t, int64_t samples);

/* Makes the table of a flat report of samples. A function is left out if its TOTAL is below `percent` of all samples, or, where
 * they are sums, below `least` samples. NULL: out of memory. */
struct function_table *function_table_new(const struct profile *p, const struct report *report, int64_t least, double percent);

/* Sorts the rows by another column, or by SELF if it is not one to sort by: names as in a dictionary, most samples first;
 * `invert`: the other way round. */
void function_table_sort(struct function_table *t, int column, bool invert);

#endif

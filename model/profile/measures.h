/* SPDX-License-Identifier: MIT */
/*
 * measures: the quantities that a profile has for its zones and slices: time, entries, samples, allocated bytes, time
 * on a core. Every view can show each of them that is a sum.
 *
 * A measure describes itself: a source declares its row (profile_add_measure), and a reader shows measures that it was
 * not compiled with. The first three rows are those of a cell (struct profile_cell), and every profile has them. The
 * amounts of all others stand in columns beside the cells of a slice (struct profile_column).
 *
 *   of a node    an amount for each node of a slice. Nodes that a column does not name have 0 in it
 *   of a slice   one amount: what the thread did in the frame. It is not known which zone it belongs to. The profile
 *                keeps it at the root node of the thread, so it is the amount of `(no zone)`, and the amounts of the
 *                nodes of a thread always add up to the amount of the thread
 *
 * An amount is known or not, for each measure and slice. A sum with unknown members is a lower bound. A maximum with
 * unknown members is unknown.
 */
#ifndef MODEL_MEASURES_H
#define MODEL_MEASURES_H

#include <stdbool.h>
#include <stdint.h>

enum measure_core { MEASURE_SELF, MEASURE_ENTRIES, MEASURE_LONGEST, MEASURES_CORE };

#define MEASURES_MOST 64u /* in a profile, the first three included */

enum measure_unit { MEASURE_TICKS, MEASURE_COUNT, MEASURE_BYTES, MEASURE_NS, MEASURE_SAMPLES, MEASURE_UNITS };
enum measure_of { MEASURE_OF_NODE, MEASURE_OF_SLICE };
enum measure_combine { MEASURE_SUM, MEASURE_MAX };

extern const char *const measure_unit_names[MEASURE_UNITS]; /* `ticks`, `count`, `bytes`, `ns`, `samples` */

struct profile_measure {
	char *key;   /* `alloc_bytes`: stable, for options and JSON */
	char *title; /* `ALLOCATED`: a column title; "": the key */
	enum measure_unit unit;
	enum measure_of of;
	enum measure_combine combine;
	bool sampled;        /* else exact */
	int64_t period;      /* of a sampled measure: ns from sample to sample; 0: not known */
	bool absent_is_zero; /* a slice without a column of this measure has 0; else its amount is not known */
};

/* The amounts of one measure in one slice. Amounts are never negative. */
struct profile_column {
	uint32_t measure; /* index; none of the first three */
	bool unknown;     /* then cell_count is 0 */
	uint32_t cell_count;   /* of a measure of a slice: 1, or 0 for an amount of 0 */
	const uint32_t *nodes; /* each at most once. As it is given for a measure of a slice: not used */
	const int64_t *values;
};

struct profile;
struct profile_held;

/* The index of the measure with this key, which is added if it is new. A row that is there already stays as it is.
 * PROFILE_NONE: there are too many, the key is empty, or there is no memory. */
uint32_t profile_add_measure(struct profile *p, const struct profile_measure *row);

/* The index of the measure with this key, or PROFILE_NONE. */
uint32_t profile_find_measure(const struct profile *p, const char *key);

/* The index of a measure of slices in ns or in counts, by the key that libprof gives it. A trace may use the key for
 * something else: then, and without one, PROFILE_NONE. */
uint32_t profile_find_slice_measure(const struct profile *p, const char *key, enum measure_unit unit, enum measure_combine combine);

/* The amount of a measure of slices in a slice. False: it is not known. */
bool profile_slice_amount(const struct profile *p, const struct profile_held *part, uint32_t measure, int64_t *amount);

/* The source does not know how often zones are entered, nor how long single calls take: entries and longest calls are
 * not known in any slice. Folded stacks are such a source. Cells of the profile have 0 in both. */
void profile_lack_calls(struct profile *p);
bool profile_has_calls(const struct profile *p);

/* The amounts of the whole run so far.
 *
 * profile_set_amount sets that of a node; for a measure of a slice it sets that of the thread, and the node is the
 * root node of the thread. From then on the amounts of that thread are known, unless profile_lack_amount says that
 * some are missing: then they are lower bounds. Amounts that were never set are known to be 0 if the row says
 * absent_is_zero; else they are not known. False: no such node or measure, or no memory. */
bool profile_set_amount(struct profile *p, uint32_t node, uint32_t measure, int64_t amount);
bool profile_lack_amount(struct profile *p, uint32_t thread, uint32_t measure);
int64_t profile_amount_of(const struct profile *p, uint32_t node, uint32_t measure);
enum measure_known { MEASURE_KNOWN, MEASURE_LEAST, MEASURE_UNKNOWN }; /* exact; a lower bound; nothing is known */
enum measure_known profile_amount_known(const struct profile *p, uint32_t thread, uint32_t measure);

/* Takes the place of ticks_per_s when amounts of the measure are written (format.h). */
uint64_t measure_per_s(const struct profile *p, uint32_t measure);

/* Whether views can show the measure, which they can if its amounts are summed over frames. */
bool measure_is_shown(const struct profile *p, uint32_t measure);

/* Column i of a slice, of part->column_count; its pointers hold as long as the slice. */
struct profile_column profile_column(const struct profile_held *part, uint32_t i);

/* Columns of a slice, which are added one after the other. Begin with a struct of zeros. The cells move while columns
 * are added: pointers to them are set by measure_columns_settle. */
struct measure_columns {
	struct profile_column *columns;
	uint32_t count, capacity;
	uint32_t *nodes; /* of the cells of all columns */
	int64_t *values;
	uint32_t cell_count, node_capacity, value_capacity;
};

void measure_columns_clear(struct measure_columns *c);
/* The new column, which may move with the next one; NULL, and of a cell false: no memory. */
struct profile_column *measure_columns_add(struct measure_columns *c, uint32_t measure);
bool measure_columns_add_cell(struct measure_columns *c, uint32_t node, int64_t value); /* of the newest column */
void measure_columns_forget(struct measure_columns *c); /* the newest column is unknown, and has no cells */
void measure_columns_settle(struct measure_columns *c);
void measure_columns_fini(struct measure_columns *c);

/* The amounts of any measure in a slice, also of those that cells have. */
struct measure_amounts {
	bool known;
	uint32_t measure;
	uint32_t count;
	const uint32_t *nodes; /* NULL: these are the cells of `part` */
	const int64_t *values;
	const struct profile_held *part;
};

struct measure_amounts profile_amounts(const struct profile *p, const struct profile_held *part, uint32_t measure);

/* A sentence about a measure whose key is one that proftop knows; "": it is another one. */
const char *measure_help(const char *key);

#endif

/* SPDX-License-Identifier: MIT */
#include "model/table/compare_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"

#define FRAME_ROW PROFILE_NONE /* in the place of a row of the comparison */
#define FRAME_ID UINT64_MAX

enum figure_kind { FIGURE_A, FIGURE_A_FROM, FIGURE_B, FIGURE_B_FROM, FIGURE_CHANGE, FIGURE_SHARE, FIGURE_VERDICT, FIGURES };

#define NAME_COLUMN 0
#define COLUMN_COUNT (1 + EXTENTS * FIGURES)
#define OWN_SORT (1 + FIGURE_CHANGE) /* by the change of self times */

/* The figures of one extent, behind the zone's name. Figures of the extent that is not looked at go first. */
#define FIGURES_OF(extent)                                                                                            \
	{ extent " A", .kind = TYPED_TICKS, .sorts = true, .importance = 9, .least = 6 },                             \
	{ "A FROM-TO", .right = true, .importance = 3, .least = 11 },                                                 \
	{ extent " B", .kind = TYPED_TICKS, .sorts = true, .importance = 9, .least = 6 },                             \
	{ "B FROM-TO", .right = true, .importance = 3, .least = 11 },                                                 \
	{ extent " B-A", .kind = TYPED_TICKS, .sorts = true, .importance = 8, .least = 7 },                           \
	{ extent " %", .right = true, .sorts = true, .importance = 7, .least = 7 },                                   \
	{ extent " IS", .sorts = true, .importance = 10, .least = 7 }

static const struct table_column columns[COLUMN_COUNT] = {
	{ "ZONE", .kind = TYPED_NAME, .sorts = true, .least = 6 }, FIGURES_OF("SELF"), FIGURES_OF("HIER"),
};

static const uint8_t importance_beside[FIGURES] = { 5, 1, 5, 1, 4, 2, 6 };

_Static_assert(COLUMN_COUNT <= SHEET_COLUMNS, "all columns have a bit");

static enum figure_kind figure_of(int column)
{
	return (enum figure_kind)((column - 1) % FIGURES);
}

/* The name is of the first one. */
static enum extent extent_of(int column)
{
	return column > FIGURES ? EXTENT_HIER : EXTENT_SELF;
}

static const char *const verdicts[] = {
	[COMPARE_NO_EVIDENCE] = "no evidence",
	[COMPARE_SLOWER] = "slower",
	[COMPARE_FASTER] = "faster",
	[COMPARE_TOO_FEW] = "too few",
};

/* On so narrow a screen there is room for nothing but what was found. */
#define NARROW_CELLS 40
#define SHARE_BYTES 32
#define NO_EVIDENCE_NARROW "unclear"

static const char *name_of(const struct compare_table *rows, uint32_t index)
{
	const char *name = index == FRAME_ROW ? "frame" : keys_shown(rows->keys, rows->p, rows->c->rows[index].key);

	return name ? name : "?";
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return ((const struct compare_table *)t)->ids[row];
}

static bool row_matches(const struct typed_table *t, uint32_t row, const struct pattern *pattern)
{
	const struct compare_table *rows = (const struct compare_table *)t;

	return pattern_matches(pattern, name_of(rows, rows->order[row]));
}

static void free_table(struct typed_table *t)
{
	struct compare_table *rows = (struct compare_table *)t;

	free(rows->order);
	free(rows->ids);
	free(rows);
}

/* Values */

/* NULL: `(no zone)` has no time below it of its own. */
static const struct compare_times *times_of(const struct compare_table *rows, uint32_t index, enum extent extent)
{
	const struct compare_row *row;

	if (index == FRAME_ROW)
		return &rows->c->frame;
	row = &rows->c->rows[index];
	if (extent == EXTENT_HIER && rows->keys->keys[row->key].zone == PROFILE_NO_ZONE)
		return NULL;
	return &row->times[extent];
}

/* The length of frames is no amount of another measure: it cannot be written in the unit of the others. */
static bool is_other(const struct compare_table *rows, const struct compare_times *t)
{
	return t == &rows->c->frame && rows->table.ticks_per_s != rows->p->ticks_per_s;
}

static char *range_text(const struct compare_table *rows, int precision, const struct compare_median *m)
{
	char low[64], high[64], *text = NULL;

	format_time_shown(low, sizeof(low), m->low, 1, rows->table.ticks_per_s, rows->table.unit, precision, 0);
	format_time_shown(high, sizeof(high), m->high, 1, rows->table.ticks_per_s, rows->table.unit, precision, 0);
	return asprintf(&text, "%s-%s", low, high) < 0 ? NULL : text;
}

static bool row_waits(const struct compare_table *rows, uint32_t index)
{
	uint32_t zone = index == FRAME_ROW ? PROFILE_NO_ZONE : rows->keys->keys[rows->c->rows[index].key].zone;

	return zone != PROFILE_NO_ZONE && rows->p->zones[zone].flags & ZONE_WAITING;
}

static void put_figure(const struct compare_table *rows, const struct typed_look *look, const struct compare_times *t,
		       enum figure_kind figure, struct typed_value *v)
{
	enum compare_side side = figure == FIGURE_B || figure == FIGURE_B_FROM ? COMPARE_B : COMPARE_A;
	bool is_narrow = look->width < NARROW_CELLS;

	v->whole = figure == FIGURE_CHANGE ? t->difference : t->of[side].median;
	v->sign = figure == FIGURE_CHANGE;
	if (is_other(rows, t) && figure != FIGURE_VERDICT && figure != FIGURE_SHARE) {
		v->state = TYPED_UNKNOWN;
		return;
	}
	if (figure == FIGURE_VERDICT) {
		v->text = t->verdict == COMPARE_NO_EVIDENCE && is_narrow ? NO_EVIDENCE_NARROW : verdicts[t->verdict];
	} else if (figure == FIGURE_SHARE) {
		v->text = v->owned = calloc(1, SHARE_BYTES);
		if (v->owned)
			format_percent_difference(v->owned, SHARE_BYTES, t->difference, t->of[COMPARE_A].median);
	} else if (figure == FIGURE_A_FROM || figure == FIGURE_B_FROM) {
		v->state = rows->c->frames[side].bounded ? TYPED_KNOWN : TYPED_UNKNOWN;
		v->text = v->owned = v->state == TYPED_KNOWN ? range_text(rows, look->precision, &t->of[side]) : NULL;
	}
}

static bool is_evident(const struct compare_times *t)
{
	return t && (t->verdict == COMPARE_SLOWER || t->verdict == COMPARE_FASTER);
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct compare_table *rows = (const struct compare_table *)table;
	uint32_t index = rows->order[row];
	const struct compare_times *self = times_of(rows, index, EXTENT_SELF), *hier = times_of(rows, index, EXTENT_HIER);
	const struct compare_times *t = extent_of((int)column) == EXTENT_SELF ? self : hier;

	if (column == NAME_COLUMN) {
		v->kind = TYPED_WORDS; /* names of keys are escaped already */
		v->text = name_of(rows, index);
		v->role = index == FRAME_ROW ? STYLE_FOCUS : is_evident(self) || is_evident(hier) ? STYLE_NAME : STYLE_DIM;
		return;
	}
	v->state = t ? TYPED_KNOWN : TYPED_UNKNOWN;
	if (t)
		put_figure(rows, look, t, figure_of((int)column), v);
	if (!is_evident(t))
		v->role = STYLE_DIM;
	else if (figure_of((int)column) == FIGURE_VERDICT && row_waits(rows, index)) {
		v->role = STYLE_DIM; /* neither good nor bad */
		v->text = t->verdict == COMPARE_SLOWER ? "longer" : "shorter";
	} else if (figure_of((int)column) == FIGURE_VERDICT)
		v->role = t->verdict == COMPARE_SLOWER ? STYLE_ALARM : STYLE_STATE;
	else
		v->role = STYLE_NUMBER;
}

/* On a narrow screen there is no room for the sign of the order. */
static void arrange_compare(const struct typed_table *t, const struct typed_look *look, struct sheet *s)
{
	(void)t;
	if (look->width < NARROW_CELLS)
		s->sorted = -1;
}

const struct table_type compare_table_type = {
	.key = "zones", .name = "compare", .columns = columns, .column_count = COLUMN_COUNT, .value = put_value,
	.id = row_id,
	.matches = row_matches, .arrange = arrange_compare, .free = free_table,
};

/* Order */

static int by_number(double a, double b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* Sorted by what it says, what is evident comes first. */
static int by_evidence(const struct compare_table *rows, uint32_t x, uint32_t y)
{
	enum extent extent = extent_of(rows->table.sorted);

	if (figure_of(rows->table.sorted) != FIGURE_VERDICT)
		return 0;
	return (int)is_evident(times_of(rows, y, extent)) - (int)is_evident(times_of(rows, x, extent));
}

/* The weight by which rows are sorted; the largest first. */
static double weight_of_row(const struct compare_table *rows, uint32_t index)
{
	const struct compare_times *t = times_of(rows, index, extent_of(rows->table.sorted));
	double change, before;

	if (!t)
		return -1;
	change = (double)(t->difference < 0 ? -t->difference : t->difference);
	before = (double)t->of[COMPARE_A].median;
	switch (figure_of(rows->table.sorted)) {
	case FIGURE_A:
		return before;
	case FIGURE_B:
		return (double)t->of[COMPARE_B].median;
	case FIGURE_SHARE:
		return before > 0 ? change / before : change;
	default:
		return change;
	}
}

static int order_rows(const void *a, const void *b, void *context)
{
	const struct compare_table *rows = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order;

	if (rows->table.sorted == NAME_COLUMN)
		order = strcmp(name_of(rows, x), name_of(rows, y));
	else
		order = by_evidence(rows, x, y);
	if (!order)
		order = by_number(weight_of_row(rows, x), weight_of_row(rows, y));
	if (!order)
		return x < y ? -1 : x > y;
	return rows->invert ? -order : order;
}

/* The frame first, then what the filter leaves. */
static bool fill_order(struct compare_table *rows, const char *filter, char *why, size_t size)
{
	uint32_t all = rows->c->row_count;
	struct pattern pattern;

	rows->order = array_zeroed((uint64_t)all + 1, sizeof(*rows->order));
	rows->ids = array_zeroed((uint64_t)all + 1, sizeof(*rows->ids));
	snprintf(why, size, "out of memory");
	if (!rows->order || !rows->ids ||
	    !pattern_init(&pattern, filter ? filter : "", why, size))
		return false;
	rows->order[rows->table.count++] = FRAME_ROW;
	for (uint32_t i = 0; i < all; i++)
		if (rows->c->rows[i].key < rows->keys->count && pattern_matches(&pattern, name_of(rows, i)))
			rows->order[rows->table.count++] = i;
	pattern_fini(&pattern);
	rows->table.left_out = all + 1 - rows->table.count;
	qsort_r(rows->order + 1, rows->table.count - 1, sizeof(*rows->order), order_rows, rows);
	for (uint32_t i = 0; i < rows->table.count; i++)
		rows->ids[i] = i ? rows->keys->id[rows->c->rows[rows->order[i]].key] : FRAME_ID;
	*why = '\0';
	return true;
}

struct compare_table *compare_table_make(const struct comparison *c, const struct compare_table_options *o, char *why, size_t size)
{
	struct compare_table *rows = calloc(1, sizeof(*rows));

	snprintf(why, size, "out of memory");
	if (!rows)
		return NULL;
	typed_table_init(&rows->table, &compare_table_type, measure_per_s(o->p, o->measure));
	rows->p = o->p;
	rows->keys = o->keys;
	rows->c = c;
	rows->invert = o->invert;
	rows->table.unit = o->unit;
	rows->table.sorted = o->sort < 0 ? OWN_SORT : o->sort;
	rows->table.descending = (rows->table.sorted != NAME_COLUMN) != o->invert;
	for (int i = 1; i < COLUMN_COUNT; i++)
		if (extent_of(i) != extent_of(rows->table.sorted))
			rows->table.columns[i].importance = importance_beside[figure_of(i)];
	if (fill_order(rows, o->filter, why, size))
		return rows;
	free_table(&rows->table);
	return NULL;
}

uint32_t compare_table_key(const struct compare_table *rows, uint32_t row)
{
	uint32_t key;

	if (row >= rows->table.count || rows->order[row] == FRAME_ROW)
		return PROFILE_NONE;
	key = rows->c->rows[rows->order[row]].key;
	return rows->keys->keys[key].zone == PROFILE_NO_ZONE ? PROFILE_NONE : key;
}

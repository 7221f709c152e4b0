/* SPDX-License-Identifier: MIT */
#include "tui/views/compare_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "tui/widgets/grid.h"

#define FRAME_ROW PROFILE_NONE /* in the place of a row of the comparison */
#define FRAME_ID UINT64_MAX

struct compare_rows {
	const struct profile *p;
	const struct keys *keys;
	const struct comparison *c;
	uint32_t *order; /* rows of the comparison, the frame first */
	uint64_t *ids;
	uint32_t count, hidden;
	int sort;
	bool invert;
	enum unit unit;
};

enum figure_kind { FIGURE_A, FIGURE_A_FROM, FIGURE_B, FIGURE_B_FROM, FIGURE_CHANGE, FIGURE_SHARE, FIGURE_VERDICT };

#define NAME_COLUMN 0

/* The first is the zone's name; of the others, each extent has all. */
static const struct compare_column {
	enum figure_kind figure;
	enum extent extent;
	const char *title;
	bool timed; /* the unit stands behind it */
	uint8_t importance[2]; /* where another extent is looked at, and where this is */
	uint8_t least;
} columns[] = {
	{ .title = "ZONE", .least = 6 },
	{ FIGURE_A, EXTENT_SELF, "SELF A", true, { 5, 9 }, 6 },
	{ FIGURE_A_FROM, EXTENT_SELF, "A FROM-TO", false, { 1, 3 }, 11 },
	{ FIGURE_B, EXTENT_SELF, "SELF B", true, { 5, 9 }, 6 },
	{ FIGURE_B_FROM, EXTENT_SELF, "B FROM-TO", false, { 1, 3 }, 11 },
	{ FIGURE_CHANGE, EXTENT_SELF, "SELF B-A", true, { 4, 8 }, 7 },
	{ FIGURE_SHARE, EXTENT_SELF, "SELF %", false, { 2, 7 }, 7 },
	{ FIGURE_VERDICT, EXTENT_SELF, "SELF IS", false, { 6, 10 }, 7 },
	{ FIGURE_A, EXTENT_HIER, "HIER A", true, { 5, 9 }, 6 },
	{ FIGURE_A_FROM, EXTENT_HIER, "A FROM-TO", false, { 1, 3 }, 11 },
	{ FIGURE_B, EXTENT_HIER, "HIER B", true, { 5, 9 }, 6 },
	{ FIGURE_B_FROM, EXTENT_HIER, "B FROM-TO", false, { 1, 3 }, 11 },
	{ FIGURE_CHANGE, EXTENT_HIER, "HIER B-A", true, { 4, 8 }, 7 },
	{ FIGURE_SHARE, EXTENT_HIER, "HIER %", false, { 2, 7 }, 7 },
	{ FIGURE_VERDICT, EXTENT_HIER, "HIER IS", false, { 6, 10 }, 7 },
};
#define COLUMN_COUNT (int)(sizeof(columns) / sizeof(*columns))
#define OWN_SORT 5 /* by the change of self times */

_Static_assert(sizeof(columns) / sizeof(*columns) <= TABLE_COLUMNS, "all columns have a bit");

static const char *const verdicts[] = {
	[COMPARE_NO_EVIDENCE] = "no evidence",
	[COMPARE_SLOWER] = "slower",
	[COMPARE_FASTER] = "faster",
	[COMPARE_TOO_FEW] = "too few",
};

/* On so narrow a screen there is room for nothing but what was found. */
#define NARROW_CELLS 40
#define NO_EVIDENCE_NARROW "unclear"

/* A table_kind */

static uint32_t count(const void *rows)
{
	return ((const struct compare_rows *)rows)->count;
}

static uint64_t id(const void *rows, uint32_t row)
{
	return ((const struct compare_rows *)rows)->ids[row];
}

static const char *name_of(const struct compare_rows *rows, uint32_t index)
{
	const char *name = index == FRAME_ROW ? "frame" : keys_shown(rows->keys, rows->p, rows->c->rows[index].key);

	return name ? name : "?";
}

static bool matches(const void *all, uint32_t row, const struct pattern *pattern)
{
	const struct compare_rows *rows = all;

	return pattern_matches(pattern, name_of(rows, rows->order[row]));
}

static const char *title(const void *rows, int column)
{
	(void)rows;
	if (column >= COLUMN_COUNT || columns[column].figure == FIGURE_A_FROM ||
	    columns[column].figure == FIGURE_B_FROM)
		return NULL;
	return columns[column].title;
}

static int sorted(const void *rows)
{
	return ((const struct compare_rows *)rows)->sort;
}

static uint32_t hidden(const void *rows)
{
	return ((const struct compare_rows *)rows)->hidden;
}

static void free_all(void *all)
{
	struct compare_rows *rows = all;

	if (rows) {
		free(rows->order);
		free(rows->ids);
	}
	free(rows);
}

/* Cells */

/* NULL: `(no zone)` has no time below it of its own. */
static const struct compare_times *times_of(const struct compare_rows *rows, uint32_t index, enum extent extent)
{
	const struct compare_row *row;

	if (index == FRAME_ROW)
		return &rows->c->frame;
	row = &rows->c->rows[index];
	if (extent == EXTENT_HIER && rows->keys->keys[row->key].zone == PROFILE_NO_ZONE)
		return NULL;
	return &row->times[extent];
}

static void put_time(const struct compare_rows *rows, const struct look *look, int64_t ticks, char out[GRID_TEXT])
{
	format_time_shown(out, GRID_TEXT, ticks, 1, rows->p->ticks_per_s, rows->unit, look->precision, 0);
}

static void put_range(const struct compare_rows *rows, const struct look *look, const struct compare_times *t,
		      enum compare_side side, char out[GRID_TEXT])
{
	const struct compare_median *m = &t->of[side];
	char low[64], high[64];

	if (!rows->c->frames[side].bounded) {
		snprintf(out, GRID_TEXT, "-");
		return;
	}
	format_time_shown(low, sizeof(low), m->low, 1, rows->p->ticks_per_s, rows->unit, look->precision, 0);
	format_time_shown(high, sizeof(high), m->high, 1, rows->p->ticks_per_s, rows->unit, look->precision, 0);
	snprintf(out, GRID_TEXT, "%s-%s", low, high);
}

static void put_change(const struct compare_rows *rows, const struct look *look, const struct compare_times *t,
		       enum figure_kind figure, char out[GRID_TEXT])
{
	if (figure == FIGURE_CHANGE)
		format_difference(out, GRID_TEXT, t->difference, 1, rows->p->ticks_per_s, rows->unit, look->precision,
				  0);
	else
		format_percent_difference(out, GRID_TEXT, t->difference, t->of[COMPARE_A].median);
}

static void put_figure(const struct compare_rows *rows, const struct look *look, const struct compare_times *t,
		       enum figure_kind figure, char out[GRID_TEXT])
{
	switch (figure) {
	case FIGURE_A:
		put_time(rows, look, t->of[COMPARE_A].median, out);
		break;
	case FIGURE_A_FROM:
		put_range(rows, look, t, COMPARE_A, out);
		break;
	case FIGURE_B:
		put_time(rows, look, t->of[COMPARE_B].median, out);
		break;
	case FIGURE_B_FROM:
		put_range(rows, look, t, COMPARE_B, out);
		break;
	case FIGURE_CHANGE:
	case FIGURE_SHARE:
		put_change(rows, look, t, figure, out);
		break;
	case FIGURE_VERDICT:
		snprintf(out, GRID_TEXT, "%s",
			 t->verdict == COMPARE_NO_EVIDENCE && look->width < NARROW_CELLS ? NO_EVIDENCE_NARROW
											 : verdicts[t->verdict]);
		break;
	}
}

static bool is_evident(const struct compare_times *t)
{
	return t && (t->verdict == COMPARE_SLOWER || t->verdict == COMPARE_FASTER);
}

static enum style_role name_cell(const struct compare_rows *rows, uint32_t index, bool ascii, char out[GRID_TEXT])
{
	char *shown = name_shown(name_of(rows, index), ascii);

	grid_text(out, shown ? shown : "?");
	free(shown);
	if (index == FRAME_ROW)
		return STYLE_FOCUS;
	return is_evident(times_of(rows, index, EXTENT_SELF)) || is_evident(times_of(rows, index, EXTENT_HIER))
		       ? STYLE_NAME
		       : STYLE_DIM;
}

static enum style_role cell(const void *all, const struct look *look, uint32_t row, int column, char out[GRID_TEXT])
{
	const struct compare_rows *rows = all;
	const struct compare_column *def = &columns[column];
	const struct compare_times *t;

	if (column == NAME_COLUMN)
		return name_cell(rows, rows->order[row], look->ascii, out);
	t = times_of(rows, rows->order[row], def->extent);
	if (!t) {
		snprintf(out, GRID_TEXT, "-");
		return STYLE_DIM;
	}
	put_figure(rows, look, t, def->figure, out);
	if (!is_evident(t))
		return STYLE_DIM;
	if (def->figure != FIGURE_VERDICT)
		return STYLE_NUMBER;
	return t->verdict == COMPARE_SLOWER ? STYLE_ALARM : STYLE_STATE;
}

static void draw_rows(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct compare_rows *rows = t->rows;
	const char *unit = unit_title(rows->unit, look->ascii);
	enum extent extent = columns[rows->sort].extent;
	struct sheet_column titles[sizeof(columns) / sizeof(*columns)];
	struct grid g = { .columns = titles, .count = COLUMN_COUNT,
			  .sorted = look->width < NARROW_CELLS ? -1 : rows->sort,
			  .descending = (rows->sort != NAME_COLUMN) != rows->invert, .cell = cell };

	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct compare_column *def = &columns[i];

		titles[i] = (struct sheet_column){ .title = def->title, .unit = def->timed ? unit : NULL,
						   .importance = def->importance[def->extent == extent],
						   .right = i != NAME_COLUMN && def->figure != FIGURE_VERDICT,
						   .least = def->least };
	}
	grid_draw(t, &g, look, c, a);
}

const struct table_kind compare_rows_kind = {
	.count = count, .id = id, .matches = matches, .title = title, .sorted = sorted,
	.hidden = hidden, .draw = draw_rows, .free = free_all,
};

/* Order */

static int by_number(double a, double b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* Sorted by what it says, what is evident comes first. */
static int by_evidence(const struct compare_rows *rows, uint32_t x, uint32_t y)
{
	enum extent extent = columns[rows->sort].extent;

	if (columns[rows->sort].figure != FIGURE_VERDICT)
		return 0;
	return (int)is_evident(times_of(rows, y, extent)) - (int)is_evident(times_of(rows, x, extent));
}

/* What a row is sorted by; the largest first. */
static double weight(const struct compare_rows *rows, uint32_t index)
{
	const struct compare_column *def = &columns[rows->sort];
	const struct compare_times *t = times_of(rows, index, def->extent);
	double change, before;

	if (!t)
		return -1;
	change = (double)(t->difference < 0 ? -t->difference : t->difference);
	before = (double)t->of[COMPARE_A].median;
	switch (def->figure) {
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

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct compare_rows *rows = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order;

	if (rows->sort == NAME_COLUMN)
		order = strcmp(name_of(rows, x), name_of(rows, y));
	else
		order = by_evidence(rows, x, y);
	if (!order)
		order = by_number(weight(rows, x), weight(rows, y));
	if (!order)
		return x < y ? -1 : x > y;
	return rows->invert ? -order : order;
}

/* The frame first, then what the filter leaves. */
static bool take(struct compare_rows *rows, const struct look *look, char why[VIEW_WHY_SIZE])
{
	uint32_t all = rows->c->row_count;
	struct pattern pattern;

	rows->order = array_zeroed((uint64_t)all + 1, sizeof(*rows->order));
	rows->ids = array_zeroed((uint64_t)all + 1, sizeof(*rows->ids));
	snprintf(why, VIEW_WHY_SIZE, "out of memory");
	if (!rows->order || !rows->ids ||
	    !pattern_init(&pattern, look->filter ? look->filter : "", why, VIEW_WHY_SIZE))
		return false;
	rows->order[rows->count++] = FRAME_ROW;
	for (uint32_t i = 0; i < all; i++)
		if (rows->c->rows[i].key < rows->keys->count && pattern_matches(&pattern, name_of(rows, i)))
			rows->order[rows->count++] = i;
	pattern_fini(&pattern);
	rows->hidden = all + 1 - rows->count;
	qsort_r(rows->order + 1, rows->count - 1, sizeof(*rows->order), compare_rows, rows);
	for (uint32_t i = 0; i < rows->count; i++)
		rows->ids[i] = i ? rows->keys->id[rows->c->rows[rows->order[i]].key] : FRAME_ID;
	*why = '\0';
	return true;
}

struct compare_rows *compare_rows_make(const struct comparison *c, const struct look *look, const struct view *v,
				       enum unit unit, char why[VIEW_WHY_SIZE])
{
	struct compare_rows *rows = calloc(1, sizeof(*rows));

	snprintf(why, VIEW_WHY_SIZE, "out of memory");
	if (!rows)
		return NULL;
	*rows = (struct compare_rows){ .p = look->profile, .keys = query_keys(look->query), .c = c, .unit = unit,
				       .sort = v->sort == VIEW_OWN_SORT ? OWN_SORT : v->sort,
				       .invert = v->invert };
	if (take(rows, look, why))
		return rows;
	free_all(rows);
	return NULL;
}

uint32_t compare_rows_key(const struct compare_rows *rows, uint32_t row)
{
	uint32_t key;

	if (row >= rows->count || rows->order[row] == FRAME_ROW)
		return PROFILE_NONE;
	key = rows->c->rows[rows->order[row]].key;
	return rows->keys->keys[key].zone == PROFILE_NO_ZONE ? PROFILE_NONE : key;
}

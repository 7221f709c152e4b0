/* SPDX-License-Identifier: MIT */
/*
 * view_compare: the frames before mark A against those before mark B (model/stats/compare.h): the frame, then a
 * row a zone, by how far its median moved.
 *
 * It is no view with a tab of its own: c opens it and goes back from it.
 *
 * Where the width is too small for all columns, those of self times stay, or those of hierarchical times if
 * the table is sorted by one of them. What is not evident is dim, and says so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/order.h"
#include "model/base/text.h"
#include "model/stats/compare.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"
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
	struct table_column titles[sizeof(columns) / sizeof(*columns)];
	struct grid g = { .columns = titles, .count = COLUMN_COUNT,
			  .sorted = look->width < NARROW_CELLS ? -1 : rows->sort,
			  .descending = (rows->sort != NAME_COLUMN) != rows->invert, .cell = cell };

	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct compare_column *def = &columns[i];

		titles[i] = (struct table_column){ .title = def->title, .unit = def->timed ? unit : NULL,
						   .importance = def->importance[def->extent == extent],
						   .right = i != NAME_COLUMN && def->figure != FIGURE_VERDICT,
						   .least = def->least };
	}
	grid_draw(t, &g, look, c, a);
}

static const struct table_kind compare_rows_kind = {
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

static int order_rows(const void *a, const void *b, void *context)
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
	qsort_r(rows->order + 1, rows->count - 1, sizeof(*rows->order), order_rows, rows);
	for (uint32_t i = 0; i < rows->count; i++)
		rows->ids[i] = i ? rows->keys->id[rows->c->rows[rows->order[i]].key] : FRAME_ID;
	*why = '\0';
	return true;
}

/* In the view's order, of what the look's filter leaves; the comparison and the profile are borrowed. NULL: `why`
 * says why. */
static struct compare_rows *compare_rows_make(const struct comparison *c, const struct look *look, const struct view *v,
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

/* The key of a row; PROFILE_NONE: it is of no zone. */
static uint32_t compare_rows_key(const struct compare_rows *rows, uint32_t row)
{
	uint32_t key;

	if (row >= rows->count || rows->order[row] == FRAME_ROW)
		return PROFILE_NONE;
	key = rows->c->rows[rows->order[row]].key;
	return rows->keys->keys[key].zone == PROFILE_NO_ZONE ? PROFILE_NONE : key;
}

#define FRESH_S 2 /* so old a comparison may be while the program runs: parts of a thread may still come */

struct compare_view {
	struct view view;
	struct comparison *made; /* NULL: none */
	/* what it was made of */
	const struct query *query;
	const struct profile *p;
	struct query_options options;
	uint64_t marks[COMPARE_SIDES];
	uint64_t opened; /* the newest frame when it was opened: side B up to there where its mark is not set */
	int64_t tick;
	enum unit held; /* of times, when it is left to proftop */
	char scope[224], says[160];
};

/* So that the zone in the middle has its digits. */
static enum unit unit_of(struct compare_view *v, const struct look *look)
{
	const struct comparison *c = v->made;
	int64_t *values, middle = c->frame.of[COMPARE_B].median;
	uint32_t n = 0, random = 1;

	if (look->unit != UNIT_AUTO && look->unit != UNIT_PCT)
		return look->unit;
	values = array_zeroed(c->row_count, sizeof(*values));
	for (uint32_t i = 0; values && i < c->row_count; i++)
		if (c->rows[i].times[EXTENT_SELF].of[COMPARE_B].median > 0)
			values[n++] = c->rows[i].times[EXTENT_SELF].of[COMPARE_B].median;
	if (n)
		middle = select_rank(values, n, n / 2, &random);
	free(values);
	v->held = unit_for_many(middle, c->frame.of[COMPARE_B].median, look->profile->ticks_per_s, v->held);
	return v->held;
}

/* Making it */

static uint64_t mark_of(const struct compare_view *v, const struct look *look, enum compare_side side)
{
	uint64_t mark = look->frames.marks[side];

	return side == COMPARE_B && !mark ? v->opened : mark;
}

static void forget(struct compare_view *v)
{
	compare_free(v->made);
	v->made = NULL;
}

static bool is_made(const struct compare_view *v, const struct look *look)
{
	const struct query_options *o = query_options(look->query);
	const struct profile *p = look->profile;
	int64_t tick = p->now_tick;

	return v->made && v->query == look->query && v->p == p && o->threads == v->options.threads &&
	       o->spread == v->options.spread && o->path.length == v->options.path.length &&
	       !memcmp(o->path.ids, v->options.path.ids, o->path.length * sizeof(*o->path.ids)) &&
	       v->marks[COMPARE_A] == mark_of(v, look, COMPARE_A) && v->marks[COMPARE_B] == mark_of(v, look, COMPARE_B) &&
	       (tick == v->tick || (p->process.state == PROFILE_LIVE && tick > v->tick &&
				    (uint64_t)(tick - v->tick) / FRESH_S < p->ticks_per_s));
}

static enum compare_result make(struct compare_view *v, const struct look *look)
{
	struct scope scope = query_scope(look->query);

	if (is_made(v, look))
		return COMPARE_OK;
	forget(v);
	v->query = look->query;
	v->p = look->profile;
	v->options = *query_options(look->query);
	v->marks[COMPARE_A] = mark_of(v, look, COMPARE_A);
	v->marks[COMPARE_B] = mark_of(v, look, COMPARE_B);
	v->tick = look->profile->now_tick;
	return compare_make(look->profile, &scope, v->marks[COMPARE_A], v->marks[COMPARE_B], &v->made);
}

bool view_compare_ready(const struct view *v, const struct look *look, char *why, size_t size)
{
	const uint64_t *marks = look->frames.marks;

	*why = '\0';
	if (!look->query)
		snprintf(why, size, "nothing to compare yet");
	else if (!marks[COMPARE_A])
		snprintf(why, size, "set mark a first (m a), then press c");
	else if (!marks[COMPARE_B] && mark_of((const struct compare_view *)v, look, COMPARE_B) <= marks[COMPARE_A])
		snprintf(why, size, "no frame after mark a yet");
	else if (marks[COMPARE_A] == marks[COMPARE_B])
		snprintf(why, size, "marks a and b are on the same frame");
	return !*why;
}

void view_compare_begin(struct view *v, uint64_t frame)
{
	((struct compare_view *)v)->opened = frame;
}

static void say_failure(struct compare_view *v, enum compare_result result, bool marked)
{
	if (result == COMPARE_NO_MEMORY)
		snprintf(v->view.why, VIEW_WHY_SIZE, "out of memory");
	else
		snprintf(v->view.why, VIEW_WHY_SIZE, "no complete frame before %s, %s, is in the history",
			 result == COMPARE_NO_A ? "mark a" : marked ? "mark b" : "the newest",
			 figure_grouped(v->marks[result == COMPARE_NO_A ? COMPARE_A : COMPARE_B]).text);
}

static void say_scope(struct compare_view *v, bool marked)
{
	const struct compare_frames *a = &v->made->frames[COMPARE_A], *b = &v->made->frames[COMPARE_B];

	snprintf(v->scope, sizeof(v->scope), "frames %s to %s against %s to %s", figure_grouped(a->first).text,
		 figure_grouped(a->last).text, figure_grouped(b->first).text, figure_grouped(b->last).text);
	*v->says = '\0';
	if (!a->bounded || !b->bounded)
		snprintf(v->says, sizeof(v->says),
			 "too few frames for evidence: A has %u, B has %u; %u comparisons need %u each",
			 a->count, b->count, v->made->comparisons, v->made->needed);
	else if (a->incomplete || b->incomplete)
		snprintf(v->says, sizeof(v->says), "left out because slices were lost: %u frames of A, %u of B",
			 a->incomplete, b->incomplete);
	else if (!marked)
		snprintf(v->says, sizeof(v->says), "no mark b: B is the newest frames");
}

const char *view_compare_says(const struct view *v)
{
	return ((const struct compare_view *)v)->made ? ((const struct compare_view *)v)->says : "";
}

static bool refresh(struct view *view, const struct look *look)
{
	struct compare_view *v = (struct compare_view *)view;
	enum compare_result result = COMPARE_OK;
	struct compare_rows *rows = NULL;

	*v->scope = '\0';
	if (view_compare_ready(view, look, view->why, VIEW_WHY_SIZE)) {
		result = make(v, look);
		if (result == COMPARE_OK) {
			say_scope(v, look->frames.marks[COMPARE_B]);
			rows = compare_rows_make(v->made, look, view, unit_of(v, look), view->why);
		} else {
			say_failure(v, result, look->frames.marks[COMPARE_B]);
		}
	} else {
		forget(v);
	}
	table_take(&view->table, &compare_rows_kind, rows);
	return rows;
}

/* What it does */

static bool command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static uint32_t key_of(const struct view *v)
{
	return v->table.rows ? compare_rows_key(v->table.rows, v->table.at) : PROFILE_NONE;
}

static bool applies(const struct view *v, enum command command)
{
	if (command == COMMAND_BACK)
		return true;
	return (command == COMMAND_DRILL || command == COMMAND_PATH) && key_of(v) != PROFILE_NONE;
}

static bool target(const struct view *v, const struct look *look, struct path *out)
{
	uint32_t key = key_of(v), place;

	if (key == PROFILE_NONE || !look->query || key >= query_keys(look->query)->count)
		return false;
	path_begin(out, &place, query_keys(look->query)->id[key]);
	return true;
}

static const char *scope(const struct view *v)
{
	return ((const struct compare_view *)v)->scope;
}

static void close_compare(struct view *v)
{
	forget((struct compare_view *)v);
}

const struct view_ops view_compare = {
	.name = "Compare", .key = 'c', .size = sizeof(struct compare_view), .refresh = refresh,
	.draw = view_draw_table, .command = command, .applies = applies, .target = target, .scope = scope,
	.guest = true, .close = close_compare,
};

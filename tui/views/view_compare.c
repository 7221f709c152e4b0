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

#define FRAME_ROW PROFILE_NONE /* in the place of a row of the comparison */
#define FRAME_ID UINT64_MAX

struct compare_rows {
	struct typed_table table;
	const struct profile *p;
	const struct keys *keys;
	const struct comparison *c;
	uint32_t *order; /* rows of the comparison, the frame first */
	uint64_t *ids;
	bool invert;
};

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

_Static_assert(COLUMN_COUNT <= TABLE_COLUMNS, "all columns have a bit");

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

static const char *name_of(const struct compare_rows *rows, uint32_t index)
{
	const char *name = index == FRAME_ROW ? "frame" : keys_shown(rows->keys, rows->p, rows->c->rows[index].key);

	return name ? name : "?";
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return ((const struct compare_rows *)t)->ids[row];
}

static bool row_matches(const struct typed_table *t, uint32_t row, const struct pattern *pattern)
{
	const struct compare_rows *rows = (const struct compare_rows *)t;

	return pattern_matches(pattern, name_of(rows, rows->order[row]));
}

static void free_table(struct typed_table *t)
{
	struct compare_rows *rows = (struct compare_rows *)t;

	free(rows->order);
	free(rows->ids);
	free(rows);
}

/* Values */

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

/* The length of frames is no amount of another measure: it cannot be written in the unit of the others. */
static bool is_other(const struct compare_rows *rows, const struct compare_times *t)
{
	return t == &rows->c->frame && rows->table.ticks_per_s != rows->p->ticks_per_s;
}

static char *range_text(const struct compare_rows *rows, int precision, const struct compare_median *m)
{
	char low[64], high[64], *text = NULL;

	format_time_shown(low, sizeof(low), m->low, 1, rows->table.ticks_per_s, rows->table.unit, precision, 0);
	format_time_shown(high, sizeof(high), m->high, 1, rows->table.ticks_per_s, rows->table.unit, precision, 0);
	return asprintf(&text, "%s-%s", low, high) < 0 ? NULL : text;
}

static void put_figure(const struct compare_rows *rows, const struct typed_look *look, const struct compare_times *t,
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
	const struct compare_rows *rows = (const struct compare_rows *)table;
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
	else if (figure_of((int)column) == FIGURE_VERDICT)
		v->role = t->verdict == COMPARE_SLOWER ? STYLE_ALARM : STYLE_STATE;
	else
		v->role = STYLE_NUMBER;
}

/* On a narrow screen there is no room for the sign of the order. */
static void arrange(const struct typed_table *t, const struct typed_look *look, struct sheet *s)
{
	(void)t;
	if (look->width < NARROW_CELLS)
		s->sorted = -1;
}

static const struct table_type compare_type = {
	.key = "zones", .name = "compare", .columns = columns, .column_count = COLUMN_COUNT, .value = put_value, .id = row_id,
	.matches = row_matches, .arrange = arrange, .free = free_table,
};

/* Order */

static int by_number(double a, double b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* Sorted by what it says, what is evident comes first. */
static int by_evidence(const struct compare_rows *rows, uint32_t x, uint32_t y)
{
	enum extent extent = extent_of(rows->table.sorted);

	if (figure_of(rows->table.sorted) != FIGURE_VERDICT)
		return 0;
	return (int)is_evident(times_of(rows, y, extent)) - (int)is_evident(times_of(rows, x, extent));
}

/* The weight by which rows are sorted; the largest first. */
static double weight(const struct compare_rows *rows, uint32_t index)
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
	const struct compare_rows *rows = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order;

	if (rows->table.sorted == NAME_COLUMN)
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
static bool fill_order(struct compare_rows *rows, const struct look *look, char why[VIEW_WHY_SIZE])
{
	uint32_t all = rows->c->row_count;
	struct pattern pattern;

	rows->order = array_zeroed((uint64_t)all + 1, sizeof(*rows->order));
	rows->ids = array_zeroed((uint64_t)all + 1, sizeof(*rows->ids));
	snprintf(why, VIEW_WHY_SIZE, "out of memory");
	if (!rows->order || !rows->ids ||
	    !pattern_init(&pattern, look->filter ? look->filter : "", why, VIEW_WHY_SIZE))
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

/* In the view's order, of what the look's filter leaves; the comparison and the profile are borrowed. NULL: `why`
 * says why. */
static struct compare_rows *compare_rows_make(const struct comparison *c, const struct look *look, const struct view *v,
				       enum unit unit, char why[VIEW_WHY_SIZE])
{
	struct compare_rows *rows = calloc(1, sizeof(*rows));

	snprintf(why, VIEW_WHY_SIZE, "out of memory");
	if (!rows)
		return NULL;
	typed_table_init(&rows->table, &compare_type, measure_per_s(look->profile, query_options(look->query)->measure));
	rows->p = look->profile;
	rows->keys = query_keys(look->query);
	rows->c = c;
	rows->invert = v->invert;
	rows->table.unit = unit;
	rows->table.sorted = v->sort == VIEW_OWN_SORT ? OWN_SORT : v->sort;
	rows->table.descending = (rows->table.sorted != NAME_COLUMN) != v->invert;
	for (int i = 1; i < COLUMN_COUNT; i++)
		if (extent_of(i) != extent_of(rows->table.sorted))
			rows->table.columns[i].importance = importance_beside[figure_of(i)];
	if (fill_order(rows, look, why))
		return rows;
	free_table(&rows->table);
	return NULL;
}

/* The key of a row; PROFILE_NONE: it is of no zone. */
static uint32_t compare_rows_key(const struct compare_rows *rows, uint32_t row)
{
	uint32_t key;

	if (row >= rows->table.count || rows->order[row] == FRAME_ROW)
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

	uint64_t per_s = measure_per_s(look->profile, query_options(look->query)->measure);
	bool is_time = per_s == look->profile->ticks_per_s;

	if (look->unit != UNIT_AUTO && look->unit != UNIT_PCT && per_s_is_time(per_s))
		return look->unit;
	values = array_zeroed(c->row_count, sizeof(*values));
	for (uint32_t i = 0; values && i < c->row_count; i++)
		if (c->rows[i].times[EXTENT_SELF].of[COMPARE_B].median > 0)
			values[n++] = c->rows[i].times[EXTENT_SELF].of[COMPARE_B].median;
	if (n)
		middle = select_rank(values, n, n / 2, &random);
	else if (!is_time)
		middle = 0;
	free(values);
	v->held = unit_for_many(middle, is_time ? c->frame.of[COMPARE_B].median : middle, per_s, v->held);
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
	table_take_typed(&view->table, (struct typed_table *)rows);
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

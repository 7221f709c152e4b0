/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include "tui/views/why_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "tui/widgets/grid.h"

#define HEADING PROFILE_NONE /* instead of a row of the thread */
#define BAR_CELLS 10
#define BAR_WIDE 20
#define WIDE_FROM 130 /* cells of the screen */
#define BAR_MOST BAR_WIDE
#define ZONES_IN_FRAME 10 /* that matter */
#define NAME_MOST 400 /* bytes of a thread's name that are looked at */
#define NAME_PART 3   /* of the screen's width, for a stack */

struct line {
	uint32_t thread; /* of why->threads */
	uint32_t row;    /* of that thread, or HEADING */
	uint64_t id;
};

struct why_rows {
	struct why *w;
	const struct profile *p;
	const struct keys *keys;
	struct line *lines;
	uint32_t count, hidden;
	int64_t most;  /* |delta| of any row, 1/scale ticks */
	int64_t whole; /* length of the frame, likewise; 0: too long to be told */
	enum unit unit;
	int sort;
	bool invert;
};

enum { WHY_ZONE, WHY_DELTA, WHY_BAR, WHY_WORD, WHY_CALLS, WHY_COST, WHY_CARRY, WHY_COUNT, WHY_SELF, WHY_COLUMNS };

static const struct {
	bool timed;  /* the title is followed by the unit */
	bool sorted; /* rows can be */
	struct table_column column;
} columns[WHY_COLUMNS] = {
	[WHY_ZONE] = { false, true, { "ZONE", .least = 7 } },
	[WHY_DELTA] = { true, true, { "DELTA", .importance = 10, .right = true, .least = 7 } },
	[WHY_BAR] = { false, false, { "", .importance = 3, .least = BAR_CELLS } },
	[WHY_WORD] = { false, false, { "WHY", .importance = 9, .least = 13 } },
	[WHY_CALLS] = { true, true, { "FROM COUNT", .importance = 6, .right = true, .least = 7 } },
	[WHY_COST] = { true, true, { "FROM SPEED", .importance = 7, .right = true, .least = 7 } },
	[WHY_CARRY] = { true, true, { "CARRIED", .importance = 4, .right = true, .least = 7 } },
	[WHY_COUNT] = { false, true, { "COUNT", .importance = 8, .right = true, .least = 5 } },
	[WHY_SELF] = { true, false, { "SELF", .importance = 2, .right = true, .least = 8 } },
};

const struct why *why_rows_why(const struct why_rows *rows)
{
	return rows->w;
}

enum unit why_rows_unit(const struct why_rows *rows)
{
	return rows->unit;
}

static const struct why_row *row_of(const struct why_rows *rows, uint32_t line)
{
	const struct line *l = &rows->lines[line];

	return l->row == HEADING ? NULL : &rows->w->threads[l->thread].rows[l->row];
}

uint32_t why_rows_thread(const struct why_rows *rows, uint32_t row)
{
	return row < rows->count ? rows->lines[row].thread : 0;
}

bool why_rows_thread_id(const struct why_rows *rows, uint32_t thread, uint64_t *id)
{
	if (thread < rows->p->thread_count)
		*id = rows->p->threads[thread].id;
	return thread < rows->p->thread_count;
}

/* The first node of a row, where keys know it. */
static uint32_t node_of(const struct why_rows *rows, const struct why_row *row)
{
	uint32_t node = rows->w->stacks[row->stack].node;

	return node < rows->keys->node_count ? node : PROFILE_NONE;
}

static bool is_zone(const struct why_rows *rows, const struct why_row *row)
{
	return row && rows->w->stacks[row->stack].zone != PROFILE_NO_ZONE && node_of(rows, row) != PROFILE_NONE;
}

uint32_t why_rows_node(const struct why_rows *rows, uint32_t row)
{
	const struct why_row *r = row < rows->count ? row_of(rows, row) : NULL;

	return is_zone(rows, r) ? node_of(rows, r) : PROFILE_NONE;
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -value : value; /* what why.h gives is far from the limits */
}

void why_rows_time(const struct why_rows *rows, const struct look *look, int64_t value, char *out, size_t size)
{
	format_difference(out, size, value, rows->w->scale, rows->p->ticks_per_s, rows->unit, look->precision,
			  rows->whole);
}

/* Names */

/* Of the zone on top. */
static const char *zone_name(const struct why_rows *rows, const struct why_row *row)
{
	uint32_t node = node_of(rows, row);
	const char *name = node != PROFILE_NONE ? keys_shown(rows->keys, rows->p, rows->keys->of_node[node]) : NULL;

	return name ? name : "?";
}

/* Where it is long, without the callers that do not tell it from other rows. */
static void put_stack(const struct why_rows *rows, const struct why_row *row, const struct look *look,
		      char out[GRID_TEXT])
{
	char *text = why_stack_text(rows->w, row, WHY_ALL, look->ascii);

	if (text && text_width(text) > look->width / NAME_PART) {
		free(text);
		text = why_stack_text(rows->w, row, WHY_TOLD, look->ascii);
	}
	grid_text(out, text ? text : "?");
	free(text);
}

static void put_heading(const struct why_rows *rows, const struct line *line, bool ascii, char out[GRID_TEXT])
{
	const struct why_thread *t = &rows->w->threads[line->thread];
	uint32_t thread = t->thread;
	char *name = thread < rows->p->thread_count ? report_threads(rows->p, thread) : NULL;
	char *shown = name ? name_shown(name, ascii) : NULL;
	char text[NAME_MOST];

	snprintf(text, sizeof(text), "thread %.300s%s", !shown ? "?" : strncmp(shown, "thread ", 7) ? shown : shown + 7,
		 t->missing ? " (incomplete)" : "");
	grid_text(out, text);
	free(shown);
	free(name);
}

/* A table_kind */

static uint32_t count(const void *rows)
{
	return ((const struct why_rows *)rows)->count;
}

static uint64_t id(const void *rows, uint32_t row)
{
	return ((const struct why_rows *)rows)->lines[row].id;
}

static bool matches(const void *all, uint32_t row, const struct pattern *pattern)
{
	const struct why_row *r = row_of(all, row);

	return r && pattern_matches(pattern, zone_name(all, r));
}

static const char *title(const void *rows, int column)
{
	(void)rows;
	return column < WHY_COLUMNS && columns[column].sorted ? columns[column].column.title : NULL;
}

static int sorted(const void *rows)
{
	return ((const struct why_rows *)rows)->sort;
}

static uint32_t hidden(const void *rows)
{
	return ((const struct why_rows *)rows)->hidden;
}

static void free_all(void *all)
{
	struct why_rows *rows = all;

	why_free(rows->w);
	free(rows->lines);
	free(rows);
}

/* Cells */

/* More is drawn otherwise than less, also without colours. */
static enum style_role bar_cell(const struct why_rows *rows, const struct why_row *row, const struct look *look,
			  char out[GRID_TEXT])
{
	int64_t cells = look->width >= WIDE_FROM ? BAR_WIDE : BAR_CELLS;
	bool more = row->delta > 0;
	const char *cell = more ? (look->ascii ? "+" : "█") : (look->ascii ? "-" : "░");
	double share = rows->most ? (double)magnitude(row->delta) / (double)rows->most : 0;
	size_t length = 0;

	for (int64_t i = (int64_t)(share * (double)cells + 0.5); i > 0; i--)
		length += (size_t)snprintf(out + length, GRID_TEXT - length, "%s", cell);
	return more ? STYLE_OVER : STYLE_GRAPH;
}

/* `-`: it has no such part. */
static enum style_role part_cell(const struct why_rows *rows, const struct look *look, bool has, int64_t value,
			   char out[GRID_TEXT])
{
	if (has)
		why_rows_time(rows, look, value, out, GRID_TEXT);
	else
		snprintf(out, GRID_TEXT, "-");
	return has && value ? STYLE_NUMBER : STYLE_DIM;
}

static enum style_role count_cell(const struct why_rows *rows, const struct why_row *row, bool ascii, char out[GRID_TEXT])
{
	char then[48], now[48];

	format_count(then, sizeof(then), row->base_count, rows->w->scale);
	format_count(now, sizeof(now), row->count, rows->w->scale);
	if (!row->count && !row->base_count)
		snprintf(out, GRID_TEXT, "-");
	else if (row->count == row->base_count)
		snprintf(out, GRID_TEXT, "%s", now);
	else
		snprintf(out, GRID_TEXT, "%s%s%s", then, ascii ? ">" : "→", now);
	return row->count == row->base_count ? STYLE_DIM : STYLE_NUMBER;
}

static enum style_role self_cell(const struct why_rows *rows, const struct why_row *row, const struct look *look,
			   char out[GRID_TEXT])
{
	char then[64], now[64];

	format_time_shown(then, sizeof(then), row->base_self, rows->w->scale, rows->p->ticks_per_s, rows->unit,
		    look->precision, rows->whole);
	format_time_shown(now, sizeof(now), row->self, rows->w->scale, rows->p->ticks_per_s, rows->unit, look->precision,
		    rows->whole);
	snprintf(out, GRID_TEXT, "%s%s%s", then, look->ascii ? ">" : "→", now);
	return STYLE_NUMBER;
}

static enum style_role delta_role(int64_t delta)
{
	return delta > 0 ? STYLE_OVER : delta < 0 ? STYLE_STATE : STYLE_DIM;
}

static enum style_role heading_cell(const struct why_rows *rows, const struct look *look, const struct line *line,
			      int column, char out[GRID_TEXT])
{
	const struct why_thread *t = &rows->w->threads[line->thread];

	if (column == WHY_ZONE)
		put_heading(rows, line, look->ascii, out);
	else if (column == WHY_DELTA)
		why_rows_time(rows, look, t->delta, out, GRID_TEXT);
	return column == WHY_DELTA ? delta_role(t->delta) : STYLE_FOCUS;
}

static enum style_role cell(const void *all, const struct look *look, uint32_t index, int column, char out[GRID_TEXT])
{
	const struct why_rows *rows = all;
	const struct why_row *row = row_of(rows, index);
	bool calls = row && row->kind != WHY_CARRIED;

	if (!row)
		return heading_cell(rows, look, &rows->lines[index], column, out);
	switch (column) {
	case WHY_ZONE:
		put_stack(rows, row, look, out);
		return is_zone(rows, row) && !rows->w->stacks[row->stack].waits ? STYLE_NAME : STYLE_DIM;
	case WHY_DELTA:
		why_rows_time(rows, look, row->delta, out, GRID_TEXT);
		return delta_role(row->delta);
	case WHY_BAR:
		return bar_cell(rows, row, look, out);
	case WHY_WORD:
		snprintf(out, GRID_TEXT, "%s", why_word(rows->w, row));
		return STYLE_LABEL;
	case WHY_CALLS:
		return part_cell(rows, look, calls, row->calls, out);
	case WHY_COST:
		return part_cell(rows, look, row->kind == WHY_CHANGED, row->cost, out);
	case WHY_CARRY:
		return part_cell(rows, look, !calls, row->carried, out);
	case WHY_COUNT:
		return count_cell(rows, row, look->ascii, out);
	default:
		return self_cell(rows, row, look, out);
	}
}

/* Rows of two threads may look alike, as a row with the thread's name separates
 * them. */
static uint64_t stack_id(const void *all, uint32_t index)
{
	const struct why_rows *rows = all;
	const struct why_row *row = row_of(rows, index);

	return row ? why_stack_id(rows->w, row) : 0;
}

static void draw_rows(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct why_rows *rows = t->rows;
	const char *unit = unit_title(rows->unit, look->ascii);
	struct table_column titles[WHY_COLUMNS];
	struct grid g = { .columns = titles, .count = WHY_COLUMNS, .sorted = rows->sort,
			  .descending = (rows->sort != WHY_ZONE) != rows->invert, .cell = cell, .id = stack_id,
			  .name_cells = a.width / 3 };

	for (int i = 0; i < WHY_COLUMNS; i++) {
		titles[i] = columns[i].column;
		titles[i].unit = columns[i].timed ? unit : NULL;
	}
	if (look->width >= WIDE_FROM)
		titles[WHY_BAR].least = BAR_WIDE;
	grid_draw(t, &g, look, c, a);
}

const struct table_kind why_rows_kind = {
	.count = count, .id = id, .matches = matches, .title = title, .sorted = sorted,
	.hidden = hidden, .draw = draw_rows, .free = free_all,
};

/* Order */

/* How far a row is from what it was. */
static int64_t weight(const struct why_rows *rows, const struct why_row *row)
{
	switch (rows->sort) {
	case WHY_CALLS:
		return magnitude(row->calls);
	case WHY_COST:
		return magnitude(row->cost);
	case WHY_CARRY:
		return magnitude(row->carried);
	case WHY_COUNT:
		return magnitude(row->count - row->base_count);
	default:
		return magnitude(row->delta);
	}
}

/* Lines of one thread. Those of one weight stay as they were: by how much they differ. */
static int compare(const void *a, const void *b, void *context)
{
	const struct why_rows *rows = context;
	const struct line *x = a, *y = b;
	const struct why_row *s = &rows->w->threads[x->thread].rows[x->row];
	const struct why_row *t = &rows->w->threads[y->thread].rows[y->row];
	int64_t left = weight(rows, s), right = weight(rows, t);
	int order = rows->sort == WHY_ZONE ? strcmp(zone_name(rows, s), zone_name(rows, t))
					   : left < right ? 1 : -(left > right);

	if (!order)
		return x->row < y->row ? -1 : x->row > y->row;
	return rows->invert ? -order : order;
}

/* Making */

/* Of a thread, then of all zones of the stack, as they are in every run: by identities. */
static uint64_t id_of(const struct why_rows *rows, uint32_t thread, const struct why_row *row)
{
	uint64_t x = thread < rows->p->thread_count ? rows->p->threads[thread].id : UINT64_MAX;
	uint32_t stack = row ? row->stack : PROFILE_NONE;

	for (; stack != PROFILE_NONE; stack = rows->w->stacks[stack].parent) {
		uint32_t node = rows->w->stacks[stack].node;

		x = (x ^ (x >> 31)) * UINT64_C(0x9E3779B97F4A7C15) + rows->w->stacks[stack].depth;
		x += node < rows->keys->node_count ? rows->keys->id[rows->keys->of_node[node]] : 0;
		x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	}
	return (x ^ x >> 29) | 1;
}

static void add_line(struct why_rows *rows, uint32_t thread, uint32_t row, const struct why_row *r)
{
	rows->lines[rows->count++] = (struct line){ thread, row, id_of(rows, rows->w->threads[thread].thread, r) };
}

static void add_thread(struct why_rows *rows, uint32_t thread, const struct pattern *filter)
{
	const struct why_thread *t = &rows->w->threads[thread];
	uint32_t first;

	if (thread && !t->count && !t->delta && !t->waiting)
		return;
	if (thread) /* the first one is what it is all about */
		add_line(rows, thread, HEADING, NULL);
	first = rows->count;
	for (uint32_t i = 0; i < t->count; i++) {
		if (magnitude(t->rows[i].delta) > rows->most)
			rows->most = magnitude(t->rows[i].delta);
		if (!filter->part || pattern_matches(filter, zone_name(rows, &t->rows[i])))
			add_line(rows, thread, i, &t->rows[i]);
	}
	rows->hidden += t->count - (rows->count - first);
	if (thread && filter->part && rows->count == first)
		rows->count--; /* nothing of it is left */
	if (rows->count > first && (rows->sort != WHY_DELTA || rows->invert))
		qsort_r(rows->lines + first, rows->count - first, sizeof(*rows->lines), compare, rows);
}

static bool fill(struct why_rows *rows, const struct look *look, char why[VIEW_WHY_SIZE])
{
	struct pattern filter;
	uint64_t all = 0;

	for (uint32_t i = 0; i < rows->w->thread_count; i++)
		all += (uint64_t)rows->w->threads[i].count + 1;
	rows->lines = array_zeroed(all, sizeof(*rows->lines));
	if (!rows->lines || !pattern_init(&filter, look->filter, why, VIEW_WHY_SIZE))
		return false;
	for (uint32_t i = 0; i < rows->w->thread_count; i++)
		add_thread(rows, i, &filter);
	pattern_fini(&filter);
	return true;
}

/* The farthest from 0 of all that is shown, in ticks. */
static int64_t farthest(const struct why_rows *rows)
{
	int64_t most = rows->most;

	for (uint32_t i = 0; i < rows->w->thread_count; i++) {
		const struct why_thread *t = &rows->w->threads[i];

		if (magnitude(t->delta) > most)
			most = magnitude(t->delta);
		if (magnitude(t->waiting) > most)
			most = magnitude(t->waiting);
	}
	return most / rows->w->scale;
}

/* A percentage is of the frame. Else it is the unit of the frame's zones, so that rows, sum and the line above them
 * have one, unless what changed is less than a zone takes. */
static void choose_unit(struct why_rows *rows, const struct look *look, enum unit held)
{
	const struct profile_frame *frame = profile_find_frame(rows->p, query_options(look->query)->frame);
	int64_t most = farthest(rows), about;

	if (!most && frame)
		most = frame->length;
	about = frame && most > frame->length / ZONES_IN_FRAME ? frame->length / ZONES_IN_FRAME : most;
	rows->unit = look->unit;
	if (look->unit == UNIT_AUTO)
		rows->unit = unit_for_many(about, most, rows->p->ticks_per_s, held == UNIT_PCT ? UNIT_AUTO : held);
	if (!frame || __builtin_mul_overflow(frame->length, rows->w->scale, &rows->whole))
		rows->whole = 0;
}

struct why_rows *why_rows_make(struct why *w, const struct look *look, const struct view *v, enum unit held,
			       char why[VIEW_WHY_SIZE])
{
	struct why_rows *rows = calloc(1, sizeof(*rows));

	snprintf(why, VIEW_WHY_SIZE, "out of memory");
	if (!rows) {
		why_free(w);
		return NULL;
	}
	*rows = (struct why_rows){ .w = w, .p = look->profile, .keys = query_keys(look->query),
				   .sort = v->sort == VIEW_OWN_SORT ? WHY_DELTA : v->sort,
				   .invert = v->invert };
	if (!fill(rows, look, why)) {
		free_all(rows);
		return NULL;
	}
	choose_unit(rows, look, held);
	*why = '\0';
	return rows;
}

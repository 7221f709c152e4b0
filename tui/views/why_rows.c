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

#define ZONES_IN_FRAME 10 /* that matter */

uint32_t why_rows_node(const struct why_table *rows, uint32_t line)
{
	const struct why_row *row = line < rows->table.count ? why_table_row(rows, line) : NULL;

	return row && rows->w->stacks[row->stack].zone != PROFILE_NO_ZONE ? why_table_node(rows, row) : PROFILE_NONE;
}

bool why_rows_is_heading(const struct why_table *rows, uint32_t line)
{
	return line < rows->table.count && !why_table_row(rows, line);
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -value : value; /* what why.h gives is far from the limits */
}

void why_rows_time(const struct why_table *rows, const struct look *look, int64_t value, char *out, size_t size)
{
	format_difference(out, size, value, rows->w->scale, rows->w->per_s, rows->table.unit, look->precision,
			  rows->table.whole);
}

static char *heading_text(const struct why_table *t, uint32_t thread, bool ascii)
{
	const struct why_thread *both = &t->w->threads[thread];
	char *name = both->thread < t->now->thread_count ? report_threads(t->now, both->thread) : NULL;
	char *shown = name ? name_shown(name, ascii) : NULL, *text = NULL;

	if (asprintf(&text, "thread %s%s", !shown ? "?" : strncmp(shown, "thread ", 7) ? shown : shown + 7,
		     both->missing ? " (incomplete)" : "") < 0)
		text = NULL;
	free(shown);
	free(name);
	return text;
}

/* Order */

static bool is_inverted(const struct why_table *rows)
{
	return (rows->table.sorted != WHY_ZONE) != rows->table.descending;
}

/* How far a row is from what it was. */
static int64_t weight(const struct why_table *rows, const struct why_row *row)
{
	switch (rows->table.sorted) {
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
static int order_of_lines(const void *a, const void *b, void *context)
{
	const struct why_table *rows = context;
	const struct why_line *x = a, *y = b;
	const struct why_row *s = &rows->w->threads[x->thread].rows[x->row];
	const struct why_row *t = &rows->w->threads[y->thread].rows[y->row];
	int64_t left = weight(rows, s), right = weight(rows, t);
	int order = rows->table.sorted == WHY_ZONE ? strcmp(why_table_name(rows, s), why_table_name(rows, t))
					   : left < right ? 1 : -(left > right);

	if (!order)
		return x->row < y->row ? -1 : x->row > y->row;
	return is_inverted(rows) ? -order : order;
}

/* Making */

/* Hashes the thread and all zones of the stack, by identities that are the same in every run. */
static uint64_t id_of(const struct why_table *rows, uint32_t thread, const struct why_row *row)
{
	uint64_t x = thread < rows->now->thread_count ? rows->now->threads[thread].id : UINT64_MAX;
	uint32_t stack = row ? row->stack : PROFILE_NONE;

	for (; stack != PROFILE_NONE; stack = rows->w->stacks[stack].parent) {
		uint32_t node = rows->w->stacks[stack].node;

		x = (x ^ (x >> 31)) * UINT64_C(0x9E3779B97F4A7C15) + rows->w->stacks[stack].depth;
		x += node < rows->keys->node_count ? rows->keys->id[rows->keys->of_node[node]] : 0;
		x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	}
	return (x ^ x >> 29) | 1;
}

static void add_line(struct why_table *rows, uint32_t thread, uint32_t row, const struct why_row *r)
{
	rows->lines[rows->table.count++] = (struct why_line){ thread, row, id_of(rows, rows->w->threads[thread].thread, r) };
}

static bool has_rows(const struct why_thread *t)
{
	return t->count || t->delta || t->waiting || t->least;
}

/* Whether threads have headings: the first one is shown in any case, so another has to have rows. */
static bool has_headings(const struct why *w)
{
	for (uint32_t i = 1; i < w->thread_count; i++)
		if (has_rows(&w->threads[i]))
			return true;
	return false;
}

static void add_thread(struct why_table *rows, uint32_t thread, bool heading, const struct pattern *filter)
{
	const struct why_thread *t = &rows->w->threads[thread];
	uint32_t first;

	if (thread && !has_rows(t))
		return;
	if (heading)
		add_line(rows, thread, WHY_HEADING, NULL);
	first = rows->table.count;
	for (uint32_t i = 0; i < t->count; i++) {
		if (magnitude(t->rows[i].delta) > rows->most)
			rows->most = magnitude(t->rows[i].delta);
		if (!filter->part || pattern_matches(filter, why_table_name(rows, &t->rows[i])))
			add_line(rows, thread, i, &t->rows[i]);
	}
	rows->table.left_out += t->count - (rows->table.count - first);
	if (heading && filter->part && rows->table.count == first)
		rows->table.count--; /* nothing of it is left */
	if (rows->table.count > first && (rows->table.sorted != WHY_DELTA || is_inverted(rows)))
		qsort_r(rows->lines + first, rows->table.count - first, sizeof(*rows->lines), order_of_lines, rows);
}

static bool fill_rows(struct why_table *rows, const struct look *look, char why[VIEW_WHY_SIZE])
{
	struct pattern filter;
	uint64_t all = 0;
	bool headings;

	for (uint32_t i = 0; i < rows->w->thread_count; i++)
		all += (uint64_t)rows->w->threads[i].count + 1;
	rows->lines = array_zeroed(all, sizeof(*rows->lines));
	if (!rows->lines || !pattern_init(&filter, look->filter, why, VIEW_WHY_SIZE))
		return false;
	headings = has_headings(rows->w);
	for (uint32_t i = 0; i < rows->w->thread_count; i++)
		add_thread(rows, i, headings, &filter);
	pattern_fini(&filter);
	return true;
}

/* The farthest from 0 of all that is shown, in ticks. */
static int64_t farthest(const struct why_table *rows)
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
static void choose_unit(struct why_table *rows, const struct look *look, enum unit held)
{
	const struct profile_frame *frame = profile_find_frame(rows->now, query_options(look->query)->frame);
	int64_t most = farthest(rows), about;

	if (rows->w->measure != MEASURE_SELF) {
		rows->table.unit = unit_for_many(most, most, rows->w->per_s, UNIT_AUTO);
		return;
	}
	if (!most && frame)
		most = frame->length;
	about = frame && most > frame->length / ZONES_IN_FRAME ? frame->length / ZONES_IN_FRAME : most;
	rows->table.unit = look->unit;
	if (look->unit == UNIT_AUTO)
		rows->table.unit = unit_for_many(about, most, rows->w->per_s, held == UNIT_PCT ? UNIT_AUTO : held);
	if (!frame || __builtin_mul_overflow(frame->length, rows->w->scale, &rows->table.whole))
		rows->table.whole = 0;
}

struct why_table *why_rows_make(struct why *w, const struct look *look, const struct view *v, enum unit held,
			       char why[VIEW_WHY_SIZE])
{
	struct why_table *rows = calloc(1, sizeof(*rows));

	snprintf(why, VIEW_WHY_SIZE, "out of memory");
	if (!rows) {
		why_free(w);
		return NULL;
	}
	why_table_init(rows, w, look->profile, look->profile);
	rows->keys = query_keys(look->query);
	rows->heading = heading_text;
	rows->table.sorted = v->sort == VIEW_OWN_SORT ? WHY_DELTA : v->sort;
	rows->table.descending = (rows->table.sorted != WHY_ZONE) != v->invert;
	if (!fill_rows(rows, look, why)) {
		why_table_type.free(&rows->table);
		return NULL;
	}
	choose_unit(rows, look, held);
	*why = '\0';
	return rows;
}

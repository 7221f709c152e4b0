/* SPDX-License-Identifier: MIT */
/*
 * model_dsl: profiles from text and reports to text, so that a test of the model reads like use.
 *
 *   dsl_profile("main .        100\n"        thread, path, self ticks, entries, longest call
 *               "main a/b      30 2 20\n");   `.` is the thread's root
 *
 * A line `frame NUMBER LENGTH` begins a frame, where the one before it ended: what follows is in
 * that frame's parts, and not in the totals. Ticks are nanoseconds. A zone named `x@f.c:3` is zone x
 * of that place; a thread's part runs as long as the sum of its self. A thread that is there already
 * may be named by its id.
 */
#ifndef TESTS_MODEL_DSL_H
#define TESTS_MODEL_DSL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/report/zone_table.h"

static inline uint32_t dsl_zone(struct profile *p, const char *text)
{
	char name[64], file[64] = "";
	unsigned line = 0;

	assert_true(sscanf(text, "%63[^@]@%63[^:]:%u", name, file, &line) >= 1);
	return profile_add_zone(p, name, file, line, 0);
}

static inline uint32_t dsl_child(struct profile *p, uint32_t parent, uint32_t zone)
{
	for (uint32_t i = 0; i < p->node_count; i++)
		if (p->nodes[i].parent == parent && p->nodes[i].zone == zone)
			return i;
	return profile_add_node(p, parent, zone);
}

static inline uint32_t dsl_thread(struct profile *p, const char *name)
{
	uint32_t thread = profile_parse_thread(p, name, NULL);

	if (thread == PROFILE_NONE)
		thread = profile_add_thread(p, p->thread_count + 1, 0, name);
	return thread;
}

/* The node of a path like `a/b/a`, made when it is not there. */
static inline uint32_t dsl_node(struct profile *p, const char *thread, const char *path)
{
	uint32_t index = dsl_thread(p, thread);
	uint32_t node = p->threads[index].root;
	char copy[256], *rest = copy, *zone;

	snprintf(copy, sizeof(copy), "%s", path);
	while (strcmp(path, ".") != 0 && (zone = strsep(&rest, "/")))
		node = dsl_child(p, node, dsl_zone(p, zone));
	return node;
}

static inline void dsl_total(struct profile *p, struct profile_cell cell)
{
	uint32_t thread = p->nodes[cell.node].thread;

	profile_set_total(p, cell.node, p->totals[cell.node].self + cell.self,
			  p->totals[cell.node].count + cell.count, cell.longest);
	profile_set_time(p, thread, 0, p->threads[thread].time + cell.self);
	if (p->threads[thread].time > p->now_tick)
		p->now_tick = p->threads[thread].time;
}

static inline void dsl_cell(struct profile *p, uint64_t frame, struct profile_cell cell)
{
	uint32_t thread = p->nodes[cell.node].thread;
	const struct profile_frame *in = profile_find_frame(p, frame);
	const struct profile_held *old = profile_find_part(in, thread);
	struct profile_part part = { .thread = thread, .first_frame = frame, .bound = in->start, .end = in->start };
	struct profile_cell cells[64];

	if (old) {
		part.flags = old->flags;
		part.bound = old->bound;
		part.end = old->end;
		part.cell_count = old->cell_count;
		for (uint32_t i = 0; i < old->cell_count; i++)
			cells[i] = profile_cell(old, i);
	}
	assert_true(part.cell_count < 63);
	cells[part.cell_count++] = cell;
	part.cells = cells;
	part.end += cell.self;
	assert_true(profile_set_part(p, frame, &part));
}

/* A frame behind those that there are. */
static inline void dsl_frame(struct profile *p, uint64_t number, int64_t length)
{
	const struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	assert_true(profile_add_frame(p, number, newest ? newest->start + newest->length : 0, length,
				      0));
	p->frames_ended = number;
}

/* The measures of a thread's slices that libprof publishes, and amounts of them in the slice of a thread. An amount of -1
 * is unknown. A column of -2 is not there. */
#define DSL_CPU_MEASURES 6

static inline uint32_t dsl_cpu_measure(struct profile *p, int i)
{
	static const struct profile_measure rows[DSL_CPU_MEASURES] = {
		{ "cpu", "CPU", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE },
		{ "off_cpu", "OFF CPU", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE },
		{ "voluntary", "BLOCKED", .unit = MEASURE_COUNT, .of = MEASURE_OF_SLICE },
		{ "involuntary", "PREEMPTED", .unit = MEASURE_COUNT, .of = MEASURE_OF_SLICE },
		{ "faults", "FAULTS", .unit = MEASURE_COUNT, .of = MEASURE_OF_SLICE },
		{ "run_delay", "RUN DELAY", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE },
	};

	return profile_add_measure(p, &rows[i]);
}

static inline void dsl_cpu_amounts(struct profile *p, uint64_t frame, const char *name, const int64_t amounts[DSL_CPU_MEASURES])
{
	uint32_t thread = dsl_thread(p, name), nodes[1] = { p->threads[thread].root };
	const struct profile_held *held = profile_find_part(profile_find_frame(p, frame), thread);
	struct profile_column columns[DSL_CPU_MEASURES];
	struct profile_cell cells[64];
	struct profile_part part = { .thread = thread, .first_frame = frame, .flags = held->flags, .bound = held->bound,
				     .end = held->end, .cell_count = held->cell_count, .cells = cells, .columns = columns };

	assert_true(held->cell_count <= 64);
	for (uint32_t i = 0; i < held->cell_count; i++)
		cells[i] = profile_cell(held, i);
	for (int i = 0; i < DSL_CPU_MEASURES; i++)
		if (amounts[i] != -2)
			columns[part.column_count++] = (struct profile_column){
				.measure = dsl_cpu_measure(p, i), .unknown = amounts[i] < 0,
				.cell_count = amounts[i] > 0, .nodes = nodes, .values = &amounts[i] };
	assert_true(profile_set_part(p, frame, &part));
}

static inline void dsl_line(struct profile *p, const char *line, uint64_t *frame)
{
	char thread[64], path[256];
	struct profile_cell cell = { 0 };
	unsigned long long number;
	long long length, self = 0, count = 0, longest = 0;

	if (sscanf(line, "frame %llu %lld", &number, &length) == 2) {
		*frame = number;
		dsl_frame(p, number, length);
		return;
	}
	if (sscanf(line, "%63s %255s %lld %lld %lld", thread, path, &self, &count, &longest) < 3)
		return;
	cell.node = dsl_node(p, thread, path);
	cell.self = self;
	cell.count = count;
	cell.longest = longest;
	if (*frame)
		dsl_cell(p, *frame, cell);
	else
		dsl_total(p, cell);
}

/* Adds what the text says to what is there. */
static inline void dsl_grow(struct profile *p, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;
	uint64_t frame = 0;

	assert_non_null(copy);
	while ((line = strsep(&rest, "\n")))
		dsl_line(p, line, &frame);
	free(copy);
}

static inline struct profile *dsl_profile(const char *text)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	dsl_grow(p, text);
	return p;
}

/* A report as the lines of a text, or those of a window on it. */
struct layout {
	struct layout_line *lines;
	uint32_t count;
	uint32_t columns; /* 1 << column: that found room in a window */
	struct layout_place places[SHEET_COLUMNS];
	bool failed; /* out of memory */
};

/* What a window remembers from one refresh to the next. */
struct layout_widths {
	struct table_widths widths;
	struct zone_units units;
};

static inline void layout_add(void *context, const struct layout_line *line)
{
	struct layout *l = context;
	struct layout_line *lines = l->lines, *added;

	if (!(l->count & (l->count - 1))) /* twice as many: the sanitizers copy at each call */
		lines = reallocarray(lines, l->count ? (size_t)l->count * 2 : 1, sizeof(*lines));
	l->failed |= !lines;
	if (!lines)
		return;
	l->lines = lines;
	added = &lines[l->count++];
	*added = *line;
	added->text = strdup(line->text);
	added->spans = calloc(line->span_count + 1, sizeof(*added->spans));
	l->failed |= !added->text || !added->spans;
	if (line->span_count && added->spans)
		memcpy(added->spans, line->spans, line->span_count * sizeof(*added->spans));
}

static inline void layout_free(struct layout *l)
{
	for (uint32_t i = 0; l && i < l->count; i++) {
		free(l->lines[i].text);
		free(l->lines[i].spans);
	}
	if (l)
		free(l->lines);
	free(l);
}

static inline struct layout *layout_make(const struct report *r, uint32_t width, bool ascii)
{
	const struct typed_look look = { .output = TABLE_TEXT, .ascii = ascii, .cells = width, .precision = -1 };
	struct layout *l = calloc(1, sizeof(*l));
	struct zone_table t;

	zone_table_init(&t, NULL, r);
	if (l && typed_table_lines(&t.table, &look, layout_add, l) && !l->failed)
		return l;
	layout_free(l);
	return NULL;
}

/* As a screen does: of section 0, its titles, then rows [first, first + count) as far as there are any. */
static inline struct layout *layout_window(const struct report *r, uint32_t width, bool ascii, uint32_t first, uint32_t count,
					   struct layout_widths *w)
{
	const struct typed_look look = { .output = TABLE_SCREEN, .ascii = ascii, .cells = width, .width = width, .precision = r->precision };
	struct layout *l = calloc(1, sizeof(*l));
	uint32_t rows = r->sections[0].row_count, end = first < rows && count < rows - first ? first + count : rows;
	struct zone_table t;
	struct sheet s;

	if (!l)
		return NULL;
	zone_table_init(&t, NULL, r);
	zone_table_hold(&t, &w->units);
	t.table.like = (uint64_t)r->view | (uint64_t)r->asked << 8 | (uint64_t)r->average << 16;
	typed_table_sheet(&t.table, &look, &s);
	for (uint32_t row = first; row < end; row++)
		typed_table_add(&t.table, &look, &s, row);
	typed_table_hold(&t.table, &look, &s, &w->widths);
	sheet_fit(&s, width);
	l->columns = s.shown;
	memcpy(l->places, s.places, sizeof(s.places));
	for (uint32_t row = 0; row <= sheet_rows(&s); row++) {
		struct layout_line line;

		l->failed |= !sheet_line(&s, row ? row - 1 : SHEET_TITLES, &line);
		if (line.text)
			layout_add(l, &line);
		free(line.text);
		free(line.spans);
	}
	sheet_fini(&s);
	if (!l->failed)
		return l;
	layout_free(l);
	return NULL;
}

/* The lines of a layout, with a newline after each. Caller frees. */
static inline char *dsl_lines(const struct layout *l)
{
	size_t size = 1;
	char *text;

	for (uint32_t i = 0; i < l->count; i++)
		size += strlen(l->lines[i].text) + 1;
	text = calloc(size, 1);
	assert_non_null(text);
	for (uint32_t i = 0; i < l->count; i++) {
		strcat(text, l->lines[i].text);
		strcat(text, "\n");
	}
	return text;
}

static inline struct report *dsl_report(const struct profile *p, const struct values *v,
					const struct report_options *options)
{
	struct report *r = NULL;
	char why[512] = "";
	enum report_error error = report_make(p, v, options, &r, why, sizeof(why));

	if (error)
		fail_msg("report_make: %d %s", error, why);
	return r;
}

/* Asserts what values look like as a report, in ASCII. `columns` as -s names them, `self,count`;
 * NULL: all. */
static inline void dsl_expect_values(const struct profile *p, const struct values *v,
				     const struct report_options *options, uint32_t width,
				     const char *columns, const char *expected)
{
	struct report *r = dsl_report(p, v, options);
	struct layout *l;
	char *text;

	if (columns) {
		char copy[128], *rest = copy, *key;
		uint32_t wanted = 1u << COLUMN_ZONE;

		snprintf(copy, sizeof(copy), "%s", columns);
		while ((key = strsep(&rest, ",")))
			wanted |= 1u << report_column(key);
		r->columns &= wanted;
	}
	l = layout_make(r, width, true);
	assert_non_null(l);
	text = dsl_lines(l);
	if (strcmp(text, expected) != 0)
		fail_msg("expected:\n%sgot:\n%s", expected, text);
	free(text);
	layout_free(l);
	report_free(r);
}

/* The same of the whole run. */
static inline void dsl_expect(const struct profile *p, const struct report_options *options,
			      const char *columns, const char *expected)
{
	struct values *v = values_of_run(p);

	assert_non_null(v);
	dsl_expect_values(p, v, options, SHEET_NO_LIMIT, columns, expected);
	values_free(v);
}

#endif

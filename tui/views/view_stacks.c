/* SPDX-License-Identifier: MIT */
/*
 * view_stacks: the zones that are open in each thread: a row a thread, and below it one for each of its
 * zones, the outermost first. The last of them is where the thread is.
 *
 * A filter chooses threads: those with a match in their name or in one of their zones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"

#define STILL_NS INT64_C(1000000000) /* no zone entered or left for so long is worth a word */
#define CLOCK_NS INT64_C(60000000000) /* from here on a time is hours, minutes and seconds */
#define BRIEF_BELOW 60 /* cells of the screen, where `at least` is a sign */
#define FULL_FROM 100   /* where it is said how many threads are in no zone */
#define PLACE_PART 3   /* of the width, at most, is for the place */
#define PLACE_LEAST 16
#define INDENT 2
#define INDENT_MOST 100
#define CELL_BYTES 512

struct stacks {
	struct view view;
	char scope[192];
};

struct stack_table {
	struct typed_table table;
	struct open_stacks *open; /* held */
	uint32_t *passing; /* indices of its rows; NULL: all */
};

enum { OPEN_NAME, OPEN_FOR, OPEN_PLACE, OPEN_COLUMNS };

static const struct table_column columns[OPEN_COLUMNS] = {
	[OPEN_NAME] = { "THREAD AND ITS OPEN ZONES", .help = "Open zones, the outermost first. The thread is in the last one." },
	[OPEN_FOR] = { "OPEN FOR", .importance = 9, .right = true, .least = 8,
		       .help = "How long the zone has been open. For a dead program: at least this long." },
	[OPEN_PLACE] = { "PLACE", .importance = 4, .least = 5,
			 .help = "Source line of the zone. For a thread, its state: still 12 s means that it entered and left no "
			         "zone for 12 s." },
};

static const struct open_row *row_at(const struct stack_table *rows, uint32_t row)
{
	return &rows->open->rows[rows->passing ? rows->passing[row] : row];
}

static const struct open_thread *thread_of(const struct stack_table *rows, const struct open_row *row)
{
	return &rows->open->threads[row->thread];
}

static const struct open_zone *zone_of(const struct stack_table *rows, const struct open_row *row)
{
	return &rows->open->zones[row->zone];
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return row_at((const struct stack_table *)t, row)->id;
}

static bool row_matches(const struct typed_table *t, uint32_t index, const struct pattern *pattern)
{
	const struct stack_table *rows = (const struct stack_table *)t;
	const struct open_row *row = row_at(rows, index);

	return pattern_matches(pattern, row->level ? zone_of(rows, row)->name : thread_of(rows, row)->name);
}

static void free_table(struct typed_table *t)
{
	struct stack_table *rows = (struct stack_table *)t;

	open_stacks_free(rows->open);
	free(rows->passing);
	free(rows);
}

/* Cells: texts, in room that the value owns */

/* `12.3 s`, `00:14:22`. */
static void put_span(const struct open_stacks *o, int64_t ticks, bool ascii, char *out, size_t size)
{
	const struct figure_unit *unit = figure_unit_for(ticks, o->ticks_per_s);
	int64_t ns = format_ns(ticks, o->ticks_per_s);

	if (!ticks)
		snprintf(out, size, "0 s");
	else if (ns >= CLOCK_NS)
		snprintf(out, size, "%s", figure_clock(ns).text);
	else
		snprintf(out, size, "%s %s", figure_time(ticks, o->ticks_per_s, unit, 3).text,
			 figure_unit_name(unit, ascii));
}

/* `main  tid 4711`; `pool  (no zone)  tid 4712`. */
static enum style_role thread_cell(const struct open_thread *t, bool ascii, char out[CELL_BYTES])
{
	char *name = name_safe(t->name, ascii), text[CELL_BYTES];
	size_t used, length = text_clip(name ? name : "?", CELL_BYTES / 8, &used);

	snprintf(text, sizeof(text), "%.*s%s", (int)length, name ? name : "?", t->count ? "" : "  (no zone)");
	if (t->tid)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%stid %lld", *text ? "  " : "",
			 (long long)t->tid);
	snprintf(out, CELL_BYTES, "%s", text);
	free(name);
	return STYLE_FOCUS;
}

static enum style_role name_cell(const struct stack_table *rows, const struct open_row *row, const struct look *look,
			   char out[CELL_BYTES])
{
	const struct open_zone *zone = zone_of(rows, row);
	char *name = name_safe(zone->name, look->ascii), text[CELL_BYTES];
	uint32_t most = look->width / 3 < INDENT_MOST ? look->width / 3 : INDENT_MOST;
	uint32_t indent = row->level * INDENT;
	size_t used, length = text_clip(name ? name : "?", CELL_BYTES / 8, &used);
	char depth[16] = "";

	if (look->spread && row->depth > 1)
		snprintf(depth, sizeof(depth), "(%u)", row->depth);
	snprintf(text, sizeof(text), "%*s%.*s%s", (int)(indent < most ? indent : most), "",
		 (int)length, name ? name : "?", depth);
	snprintf(out, CELL_BYTES, "%s", text);
	free(name);
	return zone->waiting ? STYLE_DIM : STYLE_NAME;
}

/* For a thread in no zone: how long it has been there. */
static enum style_role span_cell(const struct stack_table *rows, const struct open_row *row, const struct look *look,
			   char out[CELL_BYTES])
{
	const struct open_thread *t = thread_of(rows, row);
	const char *least = "";

	if (!row->level && (t->count || !t->still))
		return STYLE_DIM;
	if (rows->open->state == PROFILE_DEAD)
		least = look->width >= BRIEF_BELOW ? "at least " : look->ascii ? ">=" : "≥";
	snprintf(out, CELL_BYTES, "%s", least);
	put_span(rows->open, row->level ? row->open : t->still, look->ascii, out + strlen(out),
		 CELL_BYTES - strlen(out));
	return row->level ? STYLE_NUMBER : STYLE_DIM;
}

/* News about a thread, in the column of zones. `still 2.4 s`: it has entered and left no zone for so long. */
static void put_news(const struct stack_table *rows, const struct open_thread *t, bool ascii, char out[CELL_BYTES])
{
	const char *separator = "";
	char span[64];

	if (t->marking) {
		snprintf(out, CELL_BYTES, "frame thread");
		separator = ", ";
	}
	if (t->busy)
		snprintf(out + strlen(out), CELL_BYTES - strlen(out), "%sjust entering or leaving the last zone", separator);
	else if (rows->open->state == PROFILE_LIVE && t->count &&
		 format_ns(t->still, rows->open->ticks_per_s) >= STILL_NS) {
		put_span(rows->open, t->still, ascii, span, sizeof(span));
		snprintf(out + strlen(out), CELL_BYTES - strlen(out), "%sstill %s", separator,
			 span);
	}
}

/* `…/game/ai.c:20`: the end says more than the beginning. */
static void put_place(const struct open_zone *zone, const struct look *look, char out[CELL_BYTES])
{
	char *file = name_safe(zone->file, look->ascii), line[16];
	size_t width, most = look->width / PLACE_PART < PLACE_LEAST ? PLACE_LEAST : look->width / PLACE_PART;
	const char *from = file ? file : "?", *slash;

	snprintf(line, sizeof(line), ":%u", zone->line);
	most -= strlen(line);
	width = text_width(from);
	while (width > most && (slash = strchr(from + 1, '/'))) {
		from = slash;
		width = text_width(from) + 3;
	}
	if (*zone->file)
		snprintf(out, CELL_BYTES, "%s%.*s%s", from == file ? "" : look->ascii ? "..." : "…",
			 (int)text_clip(from, CELL_BYTES / 8, &width), from, line);
	free(file);
}

static void put_value(const struct typed_table *t, const struct typed_look *asks, uint32_t index, uint32_t column,
		      struct typed_value *v)
{
	const struct stack_table *rows = (const struct stack_table *)t;
	const struct open_row *row = row_at(rows, index);
	const struct look *look = asks->own;
	char *out = calloc(1, CELL_BYTES);

	v->text = v->owned = out;
	v->role = STYLE_DIM;
	if (!out)
		return;
	if (column == OPEN_FOR)
		v->role = span_cell(rows, row, look, out);
	else if (column == OPEN_NAME)
		v->role = row->level ? name_cell(rows, row, look, out) : thread_cell(thread_of(rows, row), look->ascii, out);
	else if (row->level)
		put_place(zone_of(rows, row), look, out);
	else
		put_news(rows, thread_of(rows, row), look->ascii, out);
}

static const struct table_type stack_type = {
	.key = "stacks", .name = "stacks", .columns = columns, .column_count = OPEN_COLUMNS, .value = put_value, .id = row_id,
	.matches = row_matches, .free = free_table,
};

/* Making them */

static bool filter_stacks(struct stack_table *rows, const struct pattern *pattern)
{
	const struct open_stacks *o = rows->open;

	rows->table.count = 0;
	rows->passing = array_zeroed(o->row_count, sizeof(*rows->passing));
	for (uint32_t i = 0; rows->passing && i < o->thread_count; i++)
		for (uint32_t row = o->threads[i].first;
		     row < o->threads[i].end && open_stacks_matches(o, i, pattern); row++)
			rows->passing[rows->table.count++] = row;
	return rows->passing;
}

static struct stack_table *make_rows(struct view *v, const struct look *look)
{
	struct stack_table *rows = calloc(1, sizeof(*rows));
	struct pattern pattern;
	bool made = rows;

	snprintf(v->why, sizeof(v->why), "out of memory");
	if (!rows)
		return NULL;
	typed_table_init(&rows->table, &stack_type, look->stacks->ticks_per_s);
	rows->open = open_stacks_hold(look->stacks);
	rows->table.count = look->stacks->row_count;
	if (look->filter && *look->filter &&
	    (made = pattern_init(&pattern, look->filter, v->why, sizeof(v->why)))) {
		made = filter_stacks(rows, &pattern);
		pattern_fini(&pattern);
	}
	rows->table.left_out = rows->open->row_count - rows->table.count;
	if (made)
		return rows;
	free_table(&rows->table);
	return NULL;
}

static const char *why_nothing(const struct open_stacks *o)
{
	if (o->thread_count)
		return "no match for the filter";
	if (o->state == PROFILE_ENDED)
		return "the program has ended, and no zone was open";
	if (o->state == PROFILE_FILE)
		return "a file does not contain the open zones";
	return "no thread has entered a zone yet";
}

/* `when it died: 5 threads, 2 in no zone`. */
static void say_scope(struct stacks *v, const struct look *look)
{
	const struct open_stacks *o = look->stacks;
	uint32_t idle = open_stacks_idle(o);
	char out[40] = "", left[64] = "";

	if (idle && look->width >= FULL_FROM)
		snprintf(out, sizeof(out), ", %u in no zone", idle);
	if (o->left_out)
		snprintf(left, sizeof(left), ", %s more rows", figure_grouped(o->left_out).text);
	snprintf(v->scope, sizeof(v->scope), "%s: %u thread%s%s%s", look->stacks_when, o->thread_count,
		 o->thread_count == 1 ? "" : "s", out, left);
}

static bool stacks_refresh(struct view *v, const struct look *look)
{
	struct stacks *s = (struct stacks *)v;
	struct stack_table *rows = look->stacks ? make_rows(v, look) : NULL;

	table_take_typed(&v->table, (struct typed_table *)rows);
	if (rows)
		say_scope(s, look);
	else
		*s->scope = '\0';
	if (!look->stacks)
		*v->why = '\0';
	else if (rows)
		snprintf(v->why, sizeof(v->why), "%s", rows->table.count ? "" : why_nothing(look->stacks));
	return rows;
}

static const struct open_row *row_of(const struct view *v)
{
	return v->table.at < table_count(&v->table) ? row_at(v->table.rows, v->table.at) : NULL;
}

static bool is_zone(const struct view *v)
{
	return row_of(v) && row_of(v)->level;
}

static bool stacks_applies(const struct view *v, enum command command)
{
	return command == COMMAND_BACK ||
	       ((command == COMMAND_DRILL || command == COMMAND_CALLER || command == COMMAND_PATH) && is_zone(v));
}

static bool stacks_target(const struct view *v, const struct look *look, struct path *out)
{
	uint32_t place;

	if (!is_zone(v))
		return false;
	path_begin(out, &place, look->spread ? row_of(v)->spread_key : row_of(v)->key);
	return true;
}

static bool stacks_thread(const struct view *v, uint64_t *id)
{
	const struct open_row *row = row_of(v);

	if (row)
		*id = thread_of(v->table.rows, row)->id;
	return row;
}

static const char *stacks_scope(const struct view *v)
{
	return ((const struct stacks *)v)->scope;
}

const struct view_ops view_stacks = {
	.name = "Stacks", .key = 'o', .size = sizeof(struct stacks), .refresh = stacks_refresh,
	.draw = view_draw_table, .command = view_table_command, .applies = stacks_applies, .target = stacks_target,
	.thread = stacks_thread, .scope = stacks_scope, .lists_events = true, .own_filter = true, .guest = true, .type = &stack_type,
};

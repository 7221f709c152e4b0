/* SPDX-License-Identifier: MIT */
/*
 * view_events: all events and notes that are held, the newest last; Enter goes to the frame of one.
 *
 * As long as the cursor is on the last row it follows the newest. When another frame is chosen it goes to
 * what happened in that. An event that comes in a crowd is one row (crowds.h), which stands where its last one is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/stats/frame_stats.h"
#include "tui/cells/figures.h"
#include "tui/widgets/grid.h"
#include "tui/frames/instants.h"
#include "tui/views/view.h"

struct events {
	struct view view;
	char scope[96];
	uint64_t chosen; /* frame, when it was made last */
	bool was_last;   /* the cursor was on the last row then */
};

/* What the table has. */
struct rows {
	const struct profile *p;
	struct crowds crowds;
	uint32_t hidden;
};

enum { EVENT_FRAME, EVENT_TIME, EVENT_THREAD, EVENT_TEXT, EVENT_COLUMNS };

static const struct table_column columns[EVENT_COLUMNS] = {
	[EVENT_FRAME] = { "FRAME", .importance = 9, .right = true, .least = 6 },
	[EVENT_TIME] = { "TIME", .importance = 5, .right = true, .least = 8 },
	[EVENT_THREAD] = { "THREAD", .importance = 7, .least = 6 },
	[EVENT_TEXT] = { .title = "EVENT OR NOTE" },
};

/* The last one of a crowd. */
static const struct profile_instant *instant_at(const struct rows *rows, uint32_t row)
{
	return &rows->p->instants[rows->crowds.rows[row].last];
}

/* A table_kind */

static uint32_t events_row_count(const void *rows)
{
	return ((const struct rows *)rows)->crowds.row_count;
}

/* Of two that are alike in tick, thread and event nobody could tell which is which. A crowd is the one that began
 * then, however many have come since. */
static uint64_t events_row_id(const void *all, uint32_t row)
{
	const struct rows *rows = all;
	const struct profile_instant *i = &rows->p->instants[rows->crowds.rows[row].first];

	return (((uint64_t)i->tick * UINT64_C(0x9E3779B97F4A7C15)) ^ (uint64_t)i->thread << 32 ^ i->event) |
	       1;
}

static bool instant_passes(const struct profile *p, const struct profile_instant *instant, const struct pattern *pattern)
{
	char *text = instants_text(p, instant, false);
	bool found = text && pattern_matches(pattern, text);

	free(text);
	return found;
}

static bool events_row_matches(const void *rows, uint32_t row, const struct pattern *pattern)
{
	return instant_passes(((const struct rows *)rows)->p, instant_at(rows, row), pattern);
}

static uint32_t events_hidden_rows(const void *rows)
{
	return ((const struct rows *)rows)->hidden;
}

static void free_rows(void *all)
{
	free(((struct rows *)all)->crowds.rows);
	free(all);
}

/* Cells */

static enum style_role take_cell(char *text, enum style_role role, char out[GRID_TEXT])
{
	grid_text(out, text ? text : "?");
	free(text);
	return role;
}

static enum style_role frame_cell(const struct profile_frame *frame, const struct look *look, char out[GRID_TEXT])
{
	snprintf(out, GRID_TEXT, "%s", frame ? figure_grouped(frame->number).text : "-");
	if (!frame)
		return STYLE_DIM;
	return frame->number == look->frames.chosen ? STYLE_CHOSEN : STYLE_NUMBER;
}

static enum style_role text_cell(const struct rows *rows, uint32_t row, bool ascii, char out[GRID_TEXT])
{
	bool note = instant_at(rows, row)->event == PROFILE_NONE;
	char *text = instants_row_text(rows->p, &rows->crowds.rows[row], true, ascii);
	char line[GRID_TEXT];
	size_t used;

	snprintf(line, sizeof(line), "%s %.*s", instants_sign(note, ascii),
		 (int)text_clip(text ? text : "?", GRID_TEXT / 8, &used), text ? text : "?");
	grid_text(out, line);
	free(text);
	return note ? STYLE_NAME : STYLE_LABEL;
}

static enum style_role events_cell(const void *all, const struct look *look, uint32_t row, int column,
				   char out[GRID_TEXT])
{
	const struct rows *rows = all;
	const struct profile_instant *instant = instant_at(rows, row);
	const struct profile_frame *frame;

	if (column == EVENT_THREAD)
		return take_cell(instants_row_thread(rows->p, &rows->crowds.rows[row], look->ascii), STYLE_LABEL, out);
	if (column == EVENT_TEXT)
		return text_cell(rows, row, look->ascii, out);
	frame = frame_at(rows->p, instant->tick);
	if (column == EVENT_FRAME)
		return frame_cell(frame, look, out);
	if (frame)
		instants_time(rows->p, frame, instant->tick, look->ascii, out, GRID_TEXT);
	return STYLE_DIM;
}

static void draw_rows(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	static const struct grid g = { .columns = columns, .count = EVENT_COLUMNS, .sorted = -1,
				       .cell = events_cell };

	grid_draw(t, &g, look, c, a);
}

static const struct table_kind kind = {
	.count = events_row_count, .id = events_row_id, .matches = events_row_matches, .hidden = events_hidden_rows, .draw = draw_rows, .free = free_rows,
};

/* Making them */

/* The indices of those that pass; what an event is called is looked at once for all of its name. NULL: out of
 * memory. */
static uint32_t *filter_instants(const struct profile *p, const struct pattern *pattern, uint32_t *count)
{
	enum { UNSEEN, PASSES, STAYS } *names = array_zeroed(p->event_count, sizeof(*names));
	uint32_t *passing = array_zeroed(p->instant_count, sizeof(*passing));

	*count = 0;
	for (uint32_t i = 0; names && passing && i < p->instant_count; i++) {
		uint32_t event = p->instants[i].event;
		bool known = event < p->event_count && names[event] != UNSEEN;
		bool pass = known ? names[event] == PASSES : instant_passes(p, &p->instants[i], pattern);

		if (event < p->event_count)
			names[event] = pass ? PASSES : STAYS;
		if (pass)
			passing[(*count)++] = i;
	}
	if (!names) {
		free(passing);
		passing = NULL;
	}
	free(names);
	return passing;
}

static bool make_filtered(struct rows *rows, const struct pattern *pattern)
{
	uint32_t count, *passing = filter_instants(rows->p, pattern, &count);
	bool made = passing && crowds_of_seconds(&rows->crowds, rows->p, passing, count);

	rows->hidden = rows->p->instant_count - count;
	free(passing);
	return made;
}

static struct rows *make_rows(struct view *v, const struct look *look)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	const struct profile *p = look->profile;
	struct pattern pattern;
	bool made;

	snprintf(v->why, sizeof(v->why), "out of memory");
	if (!rows)
		return NULL;
	rows->p = p;
	if (!look->filter || !*look->filter) {
		made = crowds_of_seconds(&rows->crowds, p, NULL, p->instant_count);
	} else if ((made = pattern_init(&pattern, look->filter, v->why, sizeof(v->why)))) {
		made = make_filtered(rows, &pattern);
		pattern_fini(&pattern);
	}
	if (made)
		return rows;
	free_rows(rows);
	return NULL;
}

/* The first row behind a tick. */
static uint32_t row_behind(const struct rows *rows, int64_t tick)
{
	return SEARCH(i, 0, rows->crowds.row_count, instant_at(rows, i)->tick <= tick);
}

/* To what happened in the chosen frame, or last before it; the cursor may be there already. */
static void go_to_frame(struct view *v, const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	const struct rows *rows = v->table.rows;
	uint32_t first, end;

	if (!frame || !rows->crowds.row_count)
		return;
	first = row_behind(rows, frame->start);
	end = row_behind(rows, frame_end(frame));
	if (first == end && first)
		first--;
	if (v->table.at < first || v->table.at >= end)
		table_go_row(&v->table, first);
}

static void place_cursor(struct events *e, const struct look *look)
{
	struct table *t = &e->view.table;
	uint64_t chosen = look->frames.chosen;

	if (chosen && chosen != e->chosen)
		go_to_frame(&e->view, look->profile, chosen);
	else if (e->was_last && !chosen) {
		t->wanted = 0;
		t->at = table_count(t) ? table_count(t) - 1 : 0;
	}
	e->chosen = chosen;
}

static void say_nothing(struct view *v, const struct look *look)
{
	if (look->profile->instant_count)
		snprintf(v->why, sizeof(v->why), "no match for the filter");
	else
		snprintf(v->why, sizeof(v->why),
			 "no events or notes. Report them with Prof_Event(name), Prof_Note(text)");
}

static bool events_refresh(struct view *v, const struct look *look)
{
	struct events *e = (struct events *)v;
	struct rows *rows = look->query ? make_rows(v, look) : NULL;

	e->was_last = !v->table.rows || v->table.at + 1 >= table_count(&v->table);
	table_take(&v->table, &kind, rows);
	if (!rows)
		return false;
	*v->why = '\0';
	place_cursor(e, look);
	snprintf(e->scope, sizeof(e->scope), "%s event%s",
		 figure_grouped(look->profile->instant_count).text, look->profile->instant_count == 1 ? "" : "s");
	if (!rows->crowds.row_count)
		say_nothing(v, look);
	return true;
}

static const struct profile_frame *frame_of(const struct view *v)
{
	const struct rows *rows = v->table.rows;

	if (v->table.at >= table_count(&v->table))
		return NULL;
	return frame_at(rows->p, instant_at(rows, v->table.at)->tick);
}

static bool events_applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && frame_of(v);
}

static uint64_t events_frame(const struct view *v, const struct look *look)
{
	const struct profile_frame *frame = frame_of(v);

	(void)look;
	return frame ? frame->number : 0;
}

static int64_t events_moment(const struct view *v)
{
	return v->table.at < table_count(&v->table) ? instant_at(v->table.rows, v->table.at)->tick : -1;
}

static const char *events_scope(const struct view *v)
{
	return ((const struct events *)v)->scope;
}

const struct view_ops view_events = {
	.name = "Events", .brief = "Event", .key = 'E', .size = sizeof(struct events), .refresh = events_refresh,
	.draw = view_draw_table, .command = view_table_command, .applies = events_applies, .frame = events_frame, .moment = events_moment, .scope = events_scope,
	.frame_label = "Frame", .lists_events = true, .borrows = true,
};

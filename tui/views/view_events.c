/* SPDX-License-Identifier: MIT */
/*
 * view_events: all events and notes that are held, the newest last; Enter goes to the frame of one.
 *
 * As long as the cursor is on the last row it follows the newest. When another frame is chosen it goes to
 * what happened in that. The rows are the profile's own instants, so that a hundred thousand of them cost
 * no more than those that are drawn; only a filter looks at all.
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
	uint32_t *passing; /* indices of instants; NULL: all */
	uint32_t count;
};

enum { EVENT_FRAME, EVENT_TIME, EVENT_THREAD, EVENT_TEXT, EVENT_COLUMNS };

static const struct sheet_column columns[EVENT_COLUMNS] = {
	[EVENT_FRAME] = { "FRAME", .importance = 9, .right = true, .least = 6 },
	[EVENT_TIME] = { "TIME", .importance = 5, .right = true, .least = 8 },
	[EVENT_THREAD] = { "THREAD", .importance = 7, .least = 6 },
	[EVENT_TEXT] = { .title = "EVENT OR NOTE" },
};

static const struct profile_instant *instant_at(const struct rows *rows, uint32_t row)
{
	return &rows->p->instants[rows->passing ? rows->passing[row] : row];
}

/* A table_kind */

static uint32_t count(const void *rows)
{
	return ((const struct rows *)rows)->count;
}

/* Of two that are alike in tick, thread and event nobody could tell which is which. */
static uint64_t id(const void *rows, uint32_t row)
{
	const struct profile_instant *i = instant_at(rows, row);

	return (((uint64_t)i->tick * UINT64_C(0x9E3779B97F4A7C15)) ^ (uint64_t)i->thread << 32 ^ i->event) |
	       1;
}

static bool matches(const void *all, uint32_t row, const struct pattern *pattern)
{
	const struct rows *rows = all;
	char *text = instants_text(rows->p, instant_at(rows, row), false);
	bool found = text && pattern_matches(pattern, text);

	free(text);
	return found;
}

static uint32_t hidden(const void *all)
{
	const struct rows *rows = all;

	return rows->p->instant_count - rows->count;
}

static void free_rows(void *all)
{
	free(((struct rows *)all)->passing);
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

static enum style_role text_cell(const struct rows *rows, const struct profile_instant *instant, bool ascii,
			   char out[GRID_TEXT])
{
	bool note = instant->event == PROFILE_NONE;
	char *text = instants_text(rows->p, instant, ascii);
	char line[GRID_TEXT];
	size_t used;

	snprintf(line, sizeof(line), "%s %.*s", instants_sign(note, ascii),
		 (int)text_clip(text ? text : "?", GRID_TEXT / 8, &used), text ? text : "?");
	grid_text(out, line);
	free(text);
	return note ? STYLE_NAME : STYLE_LABEL;
}

static enum style_role cell(const void *all, const struct look *look, uint32_t row, int column,
		      char out[GRID_TEXT])
{
	const struct rows *rows = all;
	const struct profile_instant *instant = instant_at(rows, row);
	const struct profile_frame *frame;

	if (column == EVENT_THREAD)
		return take_cell(instants_thread(rows->p, instant, look->ascii), STYLE_LABEL, out);
	if (column == EVENT_TEXT)
		return text_cell(rows, instant, look->ascii, out);
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
				       .cell = cell };

	grid_draw(t, &g, look, c, a);
}

static const struct table_kind kind = {
	.count = count, .id = id, .matches = matches, .hidden = hidden, .draw = draw_rows, .free = free_rows,
};

/* Making them */

/* Notes down those that pass; what an event is called is looked at once for all of its name. */
static bool filter(struct rows *rows, const struct pattern *pattern)
{
	const struct profile *p = rows->p;
	enum { UNSEEN, PASSES, STAYS } *names = array_zeroed(p->event_count, sizeof(*names));

	rows->passing = array_zeroed(p->instant_count, sizeof(*rows->passing));
	if (!rows->passing || !names) {
		free(names);
		return false;
	}
	for (uint32_t i = 0; i < p->instant_count; i++) {
		uint32_t event = p->instants[i].event;
		bool passes;

		if (event < p->event_count && names[event] != UNSEEN) {
			passes = names[event] == PASSES;
		} else {
			rows->passing[rows->count] = i;
			passes = matches(rows, rows->count, pattern);
			if (event < p->event_count)
				names[event] = passes ? PASSES : STAYS;
		}
		rows->passing[rows->count] = i;
		rows->count += passes;
	}
	free(names);
	return true;
}

static struct rows *make_rows(struct view *v, const struct look *look)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	struct pattern pattern;
	bool made = rows;

	snprintf(v->why, sizeof(v->why), "out of memory");
	if (!rows)
		return NULL;
	*rows = (struct rows){ .p = look->profile };
	if (!look->filter || !*look->filter) {
		rows->count = look->profile->instant_count;
	} else if ((made = pattern_init(&pattern, look->filter, v->why, sizeof(v->why)))) {
		made = filter(rows, &pattern);
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
	return SEARCH(i, 0, rows->count, instant_at(rows, i)->tick <= tick);
}

/* To what happened in the chosen frame, or last before it; the cursor may be there already. */
static void go_to_frame(struct view *v, const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	const struct rows *rows = v->table.rows;
	uint32_t first, end;

	if (!frame || !rows->count)
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
		snprintf(v->why, sizeof(v->why), "the filter leaves nothing");
	else
		snprintf(v->why, sizeof(v->why),
			 "there are no events or notes: Prof_Event(name) and Prof_Note(text) make some");
}

static bool refresh(struct view *v, const struct look *look)
{
	struct events *e = (struct events *)v;
	struct rows *rows = look->lens ? make_rows(v, look) : NULL;

	e->was_last = !v->table.rows || v->table.at + 1 >= table_count(&v->table);
	table_take(&v->table, &kind, rows);
	if (!rows)
		return false;
	*v->why = '\0';
	place_cursor(e, look);
	snprintf(e->scope, sizeof(e->scope), "%s held",
		 figure_grouped(look->profile->instant_count).text);
	if (!rows->count)
		say_nothing(v, look);
	return true;
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static const struct profile_frame *frame_of(const struct view *v)
{
	const struct rows *rows = v->table.rows;

	if (v->table.at >= table_count(&v->table))
		return NULL;
	return frame_at(rows->p, instant_at(rows, v->table.at)->tick);
}

static bool applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && frame_of(v);
}

static uint64_t frame(const struct view *v, const struct look *look)
{
	const struct profile_frame *frame = frame_of(v);

	(void)look;
	return frame ? frame->number : 0;
}

static const char *scope(const struct view *v)
{
	return ((const struct events *)v)->scope;
}

const struct view_ops view_events = {
	.name = "Events", .brief = "Event", .key = 'E', .size = sizeof(struct events), .refresh = refresh,
	.draw = view_draw_table, .command = command, .applies = applies, .frame = frame, .scope = scope,
	.frame_label = "Frame", .lists_events = true,
};

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
#include "model/stats/frame_stats.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"
#include "tui/views/view.h"

#define TIME_BYTES 64

struct events {
	struct view view;
	char scope[96];
	uint64_t chosen; /* frame, when it was made last */
	bool was_last;   /* the cursor was on the last row then */
};

struct event_table {
	struct typed_table table;
	const struct profile *p;
	struct crowds crowds;
};

enum { EVENT_FRAME, EVENT_TIME, EVENT_THREAD, EVENT_TEXT, EVENT_COLUMNS };

static const struct table_column columns[EVENT_COLUMNS] = {
	[EVENT_FRAME] = { "FRAME", .kind = TYPED_FRAME, .importance = 9, .least = 6,
			  .help = "The frame in which it happened. Enter goes there." },
	[EVENT_TIME] = { "TIME", .kind = TYPED_WORDS, .importance = 5, .right = true, .least = 8,
			 .help = "Time since the frame began." },
	[EVENT_THREAD] = { "THREAD", .kind = TYPED_WORDS, .importance = 7, .least = 6, .help = "The thread that reported it." },
	[EVENT_TEXT] = { "EVENT OR NOTE", .kind = TYPED_WORDS,
			 .help = "A full diamond (*) is a note, a hollow one (+) an event." },
};

/* The last one of a crowd. */
static const struct profile_instant *instant_at(const struct event_table *t, uint32_t row)
{
	return &t->p->instants[t->crowds.rows[row].last];
}

/* Rows of the same tick, thread and event have the same id: nobody could tell them apart. A crowd keeps the id
 * of its first event, however many have come since. */
static uint64_t row_id(const struct typed_table *table, uint32_t row)
{
	const struct event_table *t = (const struct event_table *)table;
	const struct profile_instant *i = &t->p->instants[t->crowds.rows[row].first];

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

static bool row_matches(const struct typed_table *table, uint32_t row, const struct pattern *pattern)
{
	const struct event_table *t = (const struct event_table *)table;

	return instant_passes(t->p, instant_at(t, row), pattern);
}

static void free_table(struct typed_table *t)
{
	free(((struct event_table *)t)->crowds.rows);
	free(t);
}

static void put_value(const struct typed_table *table, const struct typed_look *asks, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct event_table *t = (const struct event_table *)table;
	const struct look *look = asks->own;
	const struct profile_instant *instant = instant_at(t, row);
	const struct profile_frame *frame = column < EVENT_THREAD ? frame_at(t->p, instant->tick) : NULL;
	bool note = instant->event == PROFILE_NONE;
	char *text;

	switch (column) {
	case EVENT_FRAME:
		v->state = frame ? TYPED_KNOWN : TYPED_ABSENT;
		v->whole = frame ? (int64_t)frame->number : 0;
		v->role = frame && frame->number == look->frames.chosen ? STYLE_CHOSEN : STYLE_TITLE;
		break;
	case EVENT_TIME:
		v->text = v->owned = calloc(1, TIME_BYTES);
		if (v->owned && frame)
			instants_time(t->p, frame, instant->tick, asks->ascii, v->owned, TIME_BYTES);
		v->role = STYLE_DIM;
		break;
	case EVENT_THREAD:
		v->text = v->owned = instants_row_thread(t->p, &t->crowds.rows[row], asks->ascii);
		break;
	default:
		text = instants_row_text(t->p, &t->crowds.rows[row], true, asks->ascii);
		if (!text || asprintf(&v->owned, "%s %s", instants_sign(note, asks->ascii), text) < 0)
			v->owned = NULL;
		v->text = v->owned;
		v->role = note ? STYLE_NAME : STYLE_LABEL;
		free(text);
	}
}

static const struct table_type event_type = {
	.key = "events", .name = "events", .columns = columns, .column_count = EVENT_COLUMNS, .value = put_value, .id = row_id,
	.matches = row_matches, .free = free_table,
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

static bool make_filtered(struct event_table *rows, const struct pattern *pattern)
{
	uint32_t count, *passing = filter_instants(rows->p, pattern, &count);
	bool made = passing && crowds_of_seconds(&rows->crowds, rows->p, passing, count);

	rows->table.left_out = rows->p->instant_count - count;
	free(passing);
	return made;
}

static struct event_table *make_rows(struct view *v, const struct look *look)
{
	struct event_table *rows = calloc(1, sizeof(*rows));
	const struct profile *p = look->profile;
	struct pattern pattern;
	bool made;

	snprintf(v->why, sizeof(v->why), "out of memory");
	if (!rows)
		return NULL;
	typed_table_init(&rows->table, &event_type, p->ticks_per_s);
	rows->p = p;
	if (!look->filter || !*look->filter) {
		made = crowds_of_seconds(&rows->crowds, p, NULL, p->instant_count);
	} else if ((made = pattern_init(&pattern, look->filter, v->why, sizeof(v->why)))) {
		made = make_filtered(rows, &pattern);
		pattern_fini(&pattern);
	}
	rows->table.count = rows->crowds.row_count;
	if (made)
		return rows;
	free_table(&rows->table);
	return NULL;
}

/* The first row behind a tick. */
static uint32_t row_behind(const struct event_table *rows, int64_t tick)
{
	return SEARCH(i, 0, rows->crowds.row_count, instant_at(rows, i)->tick <= tick);
}

/* To what happened in the chosen frame, or last before it; the cursor may be there already. */
static void go_to_frame(struct view *v, const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	const struct event_table *rows = v->table.rows;
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
	struct event_table *rows = look->query ? make_rows(v, look) : NULL;

	e->was_last = !v->table.rows || v->table.at + 1 >= table_count(&v->table);
	table_take_typed(&v->table, (struct typed_table *)rows);
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
	const struct event_table *rows = v->table.rows;

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
	.frame_label = "Frame", .lists_events = true, .borrows = true, .type = &event_type,
};

/* SPDX-License-Identifier: MIT */
/*
 * view_events: all events and notes that are held, the newest last; Enter goes to the frame of one.
 *
 * As long as the cursor is on the last row it follows the newest. When another frame is chosen it goes to
 * what happened in that. An event that comes in a burst is one row (bursts.h), which stands where its last one is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"

struct events {
	struct view view;
	char scope[96];
	uint64_t chosen; /* frame, when it was made last */
	bool was_last;   /* the cursor was on the last row then */
};

/* Making them */

/* *left_out: how many do not pass. */
static bool make_filtered(struct bursts *bursts, const struct profile *p, const struct pattern *pattern, uint32_t *left_out)
{
	uint32_t count, *passing = event_table_filter(p, pattern, &count);
	bool made = passing && bursts_of_seconds(bursts, p, passing, count);

	*left_out = p->instant_count - count;
	free(passing);
	return made;
}

static struct event_table *make_rows(struct view *v, const struct look *look)
{
	struct event_table *rows = calloc(1, sizeof(*rows));
	const struct profile *p = look->profile;
	struct bursts bursts = { NULL, 0 };
	struct pattern pattern;
	uint32_t left_out = 0;
	bool made = false;

	snprintf(v->why, sizeof(v->why), "out of memory");
	if (rows && (!look->filter || !*look->filter)) {
		made = bursts_of_seconds(&bursts, p, NULL, p->instant_count);
	} else if (rows && pattern_init(&pattern, look->filter, v->why, sizeof(v->why))) {
		made = make_filtered(&bursts, p, &pattern, &left_out);
		pattern_fini(&pattern);
	}
	if (!made) {
		free(rows);
		return NULL;
	}
	event_table_init(rows, p, bursts);
	rows->table.left_out = left_out;
	rows->chosen = look->frames.chosen;
	return rows;
}

/* The first row behind a tick. */
static uint32_t row_behind(const struct event_table *rows, int64_t tick)
{
	return SEARCH(i, 0, rows->bursts.row_count, event_table_instant(rows, i)->tick <= tick);
}

/* To what happened in the chosen frame, or last before it; the cursor may be there already. */
static void go_to_frame(struct view *v, const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	const struct event_table *rows = (const struct event_table *)v->table.rows;
	uint32_t first, end;

	if (!frame || !rows->bursts.row_count)
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
	table_take(&v->table, (struct typed_table *)rows);
	if (!rows)
		return false;
	*v->why = '\0';
	place_cursor(e, look);
	snprintf(e->scope, sizeof(e->scope), "%s event%s",
		 figure_grouped(look->profile->instant_count).text, look->profile->instant_count == 1 ? "" : "s");
	if (!rows->bursts.row_count)
		say_nothing(v, look);
	return true;
}

static const struct profile_frame *frame_of(const struct view *v)
{
	const struct event_table *rows = (const struct event_table *)v->table.rows;

	if (v->table.at >= table_count(&v->table))
		return NULL;
	return frame_at(rows->p, event_table_instant(rows, v->table.at)->tick);
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
	return v->table.at < table_count(&v->table) ? event_table_instant((const struct event_table *)v->table.rows, v->table.at)->tick : -1;
}

static const char *events_scope(const struct view *v)
{
	return ((const struct events *)v)->scope;
}

const struct view_ops view_events = {
	.name = "Events", .brief = "Event", .key = 'E', .size = sizeof(struct events), .refresh = events_refresh,
	.draw = view_draw_table, .command = view_table_command, .applies = events_applies, .frame = events_frame, .moment = events_moment, .scope = events_scope,
	.frame_label = "Frame", .lists_events = true, .borrows = true, .type = &event_table_type,
};

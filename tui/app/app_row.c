/* SPDX-License-Identifier: MIT */
/*
 * app_row: what is done with the zone of the cursor's row: its source opens in the editor, or it is pinned, which
 * keeps it in sight above all others in the table, and in the bars of the frame graph.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"

/* Its source */

/* The zone of the cursor's row, where its view has rows of zones; PROFILE_NO_ZONE: none. */
static uint32_t zone_of(const struct app *a)
{
	const struct view *v = app_view(a);
	const struct report_row *row = table_row(&v->table);
	struct look look = app_looks(a);
	struct path path;
	uint32_t key;

	if (row)
		return row->zone;
	if (!look.query || !v->ops->target || !table_count(&v->table) || !v->ops->target(v, &look, &path))
		return PROFILE_NO_ZONE;
	key = keys_by_id(query_keys(look.query), path.ids[path.length - 1]);
	return key == PROFILE_NONE ? PROFILE_NO_ZONE : query_keys(look.query)->keys[key].zone;
}

bool app_has_source(const struct app *a, enum command unused)
{
	const struct profile *p = times_profile(&a->at->times);
	uint32_t zone = p ? zone_of(a) : PROFILE_NO_ZONE;

	(void)unused;
	return zone != PROFILE_NO_ZONE && zone < p->zone_count && *p->zones[zone].file;
}

/* The line of a function with most samples; of other zones where they are. */
static uint32_t line_of(const struct app *a, uint32_t zone)
{
	struct line_table *lines = query_lines(times_query(&a->at->times), zone);
	const struct line_row *hottest = lines ? line_table_hottest(lines) : NULL;
	uint32_t line = hottest ? hottest->line : times_profile(&a->at->times)->zones[zone].line;

	if (lines)
		line_table_type.free(&lines->table);
	return line;
}

unsigned app_edit(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct profile_zone *zone;

	(void)unused;
	if (!app_has_source(a, COMMAND_EDITOR)) {
		app_say(a, "the source of this row is not known");
		return EFFECT_DRAW;
	}
	zone = &p->zones[zone_of(a)];
	if (strlen(zone->file) >= sizeof(a->wanted.source)) {
		app_say(a, "the name of the source is too long");
		return EFFECT_DRAW;
	}
	snprintf(a->wanted.source, sizeof(a->wanted.source), "%s", zone->file);
	a->wanted.source_line = line_of(a, zone_of(a));
	return EFFECT_DRAW | EFFECT_EDIT;
}

/* Pins */

static const struct report_row *pinnable_row(const struct app *a)
{
	const struct report_row *row = table_row(&app_view(a)->table);

	return row && row->zone != PROFILE_NO_ZONE && times_query(&a->at->times) ? row : NULL;
}

bool app_can_pin(const struct app *a, enum command unused)
{
	(void)unused;
	return pinnable_row(a);
}

unsigned app_pin(struct app *a, int unused)
{
	const struct report_row *row = pinnable_row(a);
	uint32_t number;
	char **name;

	(void)unused;
	if (!row) {
		app_say(a, "no zone here to pin");
		return EFFECT_DRAW;
	}
	number = pins_turn(&a->pins.set, query_keys(times_query(&a->at->times))->id[row->key]);
	if (!number) {
		app_say(a, "%d zones are pinned, the most possible. Press Space on one of them to unpin it", PINS_MOST);
		return EFFECT_DRAW;
	}
	table_go(&app_view(a)->table, row->id);
	name = &a->pins.names[number - 1];
	free(*name);
	*name = a->pins.set.ids[number - 1] ? strdup(row->name) : NULL;
	a->stale = true;
	return EFFECT_DRAW;
}

struct frame_graph_pins app_graph_pins(const struct app *a)
{
	struct query *query = times_query(&a->at->times);
	struct frame_graph_pins pins = { .areas = a->style.areas && !a->style.ascii };

	if (!query || !pins_any(&a->pins.set))
		return pins;
	pins.which = &a->pins.set;
	pins.names = (const char *const *)a->pins.names;
	pins.keys = query_keys(query);
	pins.threads = query_options(query)->threads;
	return pins;
}

/* Single calls of the focus of the call graph: when they are taken, and the way to the slowest of them. */

#define LOOKS 5 /* a second, where single calls are all that is shown */

static uint64_t focus_of(const struct app *a)
{
	return a->view == VIEW_GRAPH ? drill_focus(view_graph_drill(a->views[VIEW_GRAPH])) : 0;
}

/* Nodes may come with them. */
void app_take_singles(struct app *a)
{
	struct times *t = &a->at->times;
	const struct profile *p = t->live;
	uint32_t nodes = p ? p->node_count : 0;

	if (t->paused || !p || !t->singles)
		return;
	if (!singles_take(t->singles, p->now_tick) || (p->node_count != nodes && !times_update(t)))
		app_say(a, "out of memory: some single calls are missing");
}

/* A paused profile has its own single calls. Live ones are read now and then, as long as they are shown. */
void app_bring_singles(struct app *a)
{
	struct times *t = &a->at->times;
	const struct profile *p = t->live;
	uint64_t ticks;

	if (t->paused || !p || !t->singles)
		return;
	ticks = a->view == VIEW_TIMELINE ? p->ticks_per_s / LOOKS : p->ticks_per_s;
	if ((a->view != VIEW_TIMELINE && !focus_of(a)) || !singles_due(t->singles, p->now_tick, ticks))
		return;
	app_take_singles(a);
}

static bool slowest_of_focus(const struct app *a, struct slowest_call *out)
{
	const struct times *t = &a->at->times;
	struct query *query = times_query(t);
	uint64_t focus = focus_of(a);
	uint32_t key = query && focus ? keys_by_id(query_keys(query), focus) : PROFILE_NONE;

	if (key == PROFILE_NONE || !t->singles)
		return false;
	return singles_slowest(singles_look(t->singles, query, times_profile(t), key, t->selected_from, t->selected_to),
			       times_profile(t), out);
}

bool app_knows_slowest(const struct app *a, enum command unused)
{
	struct slowest_call slowest;

	(void)unused;
	return slowest_of_focus(a, &slowest);
}

static void say_not_held(struct app *a, int64_t tick)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct profile_frame *newest = times_newest(&a->at->times);

	if (!newest || tick > frame_end(newest))
		app_say(a, "the frame of the slowest call has not ended yet");
	else
		app_say(a, "the slowest call was %s ago, and its frame is no longer in the history",
			figure_span(format_ns(p->now_tick - tick, p->ticks_per_s)).text);
}

unsigned app_go_to_slowest(struct app *a, int unused)
{
	struct times *t = &a->at->times;
	struct slowest_call slowest;
	unsigned effects;

	(void)unused;
	if (!slowest_of_focus(a, &slowest)) {
		app_say(a, focus_of(a) ? "no single call of this zone is known"
				       : "open a call graph first: J goes to the slowest call of its zone");
		return EFFECT_DRAW;
	}
	if (!slowest.frame) {
		say_not_held(a, slowest.leave);
		return EFFECT_DRAW;
	}
	if (slowest.frame == t->chosen) {
		app_say(a, "the slowest call is in this frame; 6 shows when");
		return EFFECT_DRAW;
	}
	singles_hold(t->singles, true); /* or the pause would take newer ones, and let go of this one for them */
	effects = app_choose_frame(a, slowest.frame);
	singles_hold(t->singles, false);
	return effects;
}

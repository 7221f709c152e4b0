/* SPDX-License-Identifier: MIT */
/*
 * app_view: which view is open, what is looked at in it, and how that is shown.
 */
#include <stdio.h>
#include <string.h>

#include "model/overhead.h"
#include "tui/app_inside.h"

/* Views */

/* The key of the row that somebody put the cursor on; PROFILE_NONE: on no zone. */
static uint32_t key_of_cursor(const struct app *a, const struct view *v)
{
	const struct report_row *row = table_row(&v->table);
	struct look look = app_looks(a);
	struct path path;

	if (!v->table.wanted || !look.lens)
		return PROFILE_NONE;
	if (row)
		return row->zone == PROFILE_NO_ZONE ? PROFILE_NONE : row->key;
	if (!v->ops->target || !v->ops->target(v, &look, &path))
		return PROFILE_NONE;
	return keys_by_id(lens_keys(look.lens), path.ids[path.length - 1]);
}

/* The cursor goes to the zone that it was on in the view before, if it was on one of its own accord. */
static void follow_zone(struct app *a, const struct view *before)
{
	uint32_t key = key_of_cursor(a, before);

	if (key == PROFILE_NONE)
		return;
	app_refresh(a);
	if (a->view == VIEW_WHY) {
		struct look look = app_looks(a);

		view_why_go(app_view(a), &look, key);
		return;
	}
	table_go_key(&app_view(a)->table, key);
}

/* Whether a path leads to the zone that the call graph is of already. */
static bool is_focus(const struct app *a, const struct path *path)
{
	return drill_focus(view_graph_drill(a->views[VIEW_GRAPH])) == path->ids[path->length - 1];
}

static bool leads_back(const struct app *a, enum view_kind view)
{
	return view == VIEW_GRAPH || a->views[view]->ops->guest || a->views[view]->ops->leads_back;
}

/* From the view that is about to open, to the one that is open; no way leads back in a circle. From a call graph
 * that was opened there it was a way back itself. */
static void note_way_back(struct app *a, enum view_kind view)
{
	if (a->view == VIEW_GRAPH && a->came_from[VIEW_GRAPH] == view)
		return;
	for (enum view_kind v = a->view; leads_back(a, v); v = a->came_from[v])
		if (a->came_from[v] == view)
			a->came_from[v] = a->came_from[view];
	a->came_from[view] = a->view;
}

unsigned app_go_back(struct app *a)
{
	a->view = a->came_from[a->view];
	a->stale = true;
	return EFFECT_DRAW;
}

/* The call graph is that of the zone of the cursor; where there is none, the one that was looked at. */
unsigned app_open_view(struct app *a, int view)
{
	const struct view *before = app_view(a);
	struct look look = app_looks(a);
	struct path path;

	if (view == (int)a->view)
		return EFFECT_DRAW;
	if (view == VIEW_GRAPH) {
		if (before->ops->target && before->ops->target(before, &look, &path) && !is_focus(a, &path))
			view_graph_begin(a->views[VIEW_GRAPH], &path);
	}
	if (leads_back(a, (enum view_kind)view))
		note_way_back(a, (enum view_kind)view);
	a->view = (enum view_kind)view;
	a->stale = true;
	if (view != VIEW_GRAPH)
		follow_zone(a, before);
	return EFFECT_DRAW;
}

static void go_to_frame(struct app *a, const struct look *look)
{
	uint64_t frame = app_view(a)->ops->frame(app_view(a), look);

	if (frame)
		app_choose_frame(a, frame);
	else
		app_say(a, "no frame that is held belongs to this");
}

unsigned app_drill(struct app *a, int unused)
{
	struct look look = app_looks(a);
	struct path path;

	(void)unused;
	a->stale = true;
	if (a->view == VIEW_GRAPH) {
		app_view(a)->ops->command(app_view(a), &look, COMMAND_DRILL);
	} else if (app_view(a)->ops->frame) {
		go_to_frame(a, &look);
	} else if (app_view(a)->ops->target(app_view(a), &look, &path)) {
		a->zone = NULL; /* what was asked for at first is not awaited any more */
		app_choose_row_thread(a);
		view_graph_begin(a->views[VIEW_GRAPH], &path);
		app_open_view(a, VIEW_GRAPH);
	} else {
		app_say(a, "there is no zone here to go into");
	}
	return EFFECT_DRAW;
}

/* What the cursor is on does not matter. */
unsigned app_drill_into(struct app *a, const struct path *path)
{
	a->zone = NULL;
	app_open_view(a, VIEW_GRAPH);
	view_graph_begin(a->views[VIEW_GRAPH], path);
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_drill_to_caller(struct app *a, int unused)
{
	struct look look = app_looks(a);

	if (!app_view(a)->ops->target) {
		app_say(a, "there is no zone here that has callers");
		return EFFECT_DRAW;
	}
	if (a->view != VIEW_GRAPH) {
		app_drill(a, unused);
		app_view(a)->ops->refresh(app_view(a), &look);
	}
	if (a->view == VIEW_GRAPH)
		app_view(a)->ops->command(app_view(a), &look, COMMAND_CALLER);
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_back(struct app *a, int unused)
{
	(void)unused;
	if (a->view == VIEW_GRAPH ? !view_graph_back(app_view(a)) : leads_back(a, a->view))
		return app_go_back(a);
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_focus_path(struct app *a, int unused)
{
	struct look look = app_looks(a);

	(void)unused;
	if (a->path.length)
		a->path.length = 0;
	else if (!app_view(a)->ops->target ||
		 !app_view(a)->ops->target(app_view(a), &look, &a->path)) {
		a->path.length = 0;
		app_say(a, "there is no zone here to look for in stacks");
	}
	app_look(a);
	return EFFECT_DRAW;
}

/* Identities of keys as they are with recursion merged; where it is merged, as they will be when it is
 * spread: a zone that stands in the path again is one deeper. */
static void translate(void *context, struct path *path)
{
	const struct app *a = context;
	const struct profile *p = times_profile(&a->times);
	const struct keys *keys = lens_keys(times_lens(&a->times));
	uint32_t zones[PATH_MOST];

	for (uint32_t i = 0; i < path->length; i++) {
		uint32_t key = keys_by_id(keys, path->ids[i]), depth = 1;

		zones[i] = key == PROFILE_NONE ? PROFILE_NONE : keys->keys[key].zone;
		for (uint32_t j = 0; j < i && !a->spread; j++)
			depth += zones[j] == zones[i];
		if (zones[i] != PROFILE_NONE)
			path->ids[i] = key_id(p, zones[i], depth);
	}
}

unsigned app_turn_recursion(struct app *a, int unused)
{
	(void)unused;
	if (times_lens(&a->times)) {
		drill_paths(view_graph_drill(a->views[VIEW_GRAPH]), translate, a);
		translate(a, &a->path);
	}
	a->spread = !a->spread;
	app_look(a);
	return EFFECT_DRAW;
}

unsigned app_turn_overhead(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->times);

	(void)unused;
	a->less_overhead = !a->less_overhead;
	if (a->less_overhead && p && overhead_pair(p) <= 0)
		app_say(a, "what measuring costs is not known here: times are as they were measured");
	app_look(a);
	return EFFECT_DRAW;
}

/* Quits what is innermost. */
unsigned app_quit(struct app *a, int unused)
{
	(void)unused;
	if (a->graph_focused)
		a->graph_focused = false;
	else if (leads_back(a, a->view))
		return app_go_back(a);
	else if (a->times.paused)
		return app_turn_pause(a, unused);
	else
		return EFFECT_QUIT;
	a->stale = true;
	return EFFECT_DRAW;
}

/* How it is shown */

static void forget_widths(struct app *a)
{
	for (enum view_kind v = 0; v < VIEWS; v++)
		table_forget_widths(&a->views[v]->table);
	a->stale = true;
}

unsigned app_set_average(struct app *a, enum average_slot slot)
{
	if (a->times.chosen)
		a->paused_run = slot == AVERAGE_RUN;
	else
		a->average = slot;
	forget_widths(a);
	app_look(a);
	return EFFECT_DRAW;
}

unsigned app_next_average(struct app *a, int unused)
{
	(void)unused;
	if (a->times.chosen)
		return app_set_average(a, a->paused_run ? AVERAGE_NOW : AVERAGE_RUN);
	return app_set_average(a, (enum average_slot)((a->average + 1) % AVERAGE_SLOTS));
}

unsigned app_set_unit(struct app *a, enum unit unit)
{
	a->unit = unit;
	app_say(a, "unit: %s", unit_names[unit]);
	forget_widths(a);
	return EFFECT_DRAW;
}

unsigned app_next_unit(struct app *a, int unused)
{
	(void)unused;
	return app_set_unit(a, (enum unit)((a->unit + 1) % UNITS));
}

unsigned app_set_precision(struct app *a, int digits)
{
	a->precision = digits;
	if (digits < 0)
		app_say(a, "precision: the unit's own");
	else
		app_say(a, "precision: %d", digits);
	forget_widths(a);
	return EFFECT_DRAW;
}

unsigned app_next_precision(struct app *a, int unused)
{
	(void)unused;
	return app_set_precision(a, a->precision >= APP_PRECISION_MOST ? -1 : a->precision + 1);
}

unsigned app_turn_ascii(struct app *a, int unused)
{
	(void)unused;
	a->ascii = !a->ascii || a->ascii_only;
	if (a->ascii_only)
		app_say(a, "ASCII it is: the locale is not UTF-8, or -U was given");
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_turn_mouse(struct app *a, int unused)
{
	(void)unused;
	a->mouse = !a->mouse;
	app_say(a, a->mouse ? "the mouse is proftop's" : "the mouse is the terminal's own");
	return EFFECT_DRAW | EFFECT_MOUSE;
}

unsigned app_help(struct app *a, int unused)
{
	(void)unused;
	a->guide.open = true;
	return EFFECT_DRAW;
}

unsigned app_reset(struct app *a, int unused)
{
	const struct profile *live = a->times.live;

	(void)unused;
	if (a->times.paused)
		app_say(a, "the averages of the running program begin anew: go live first (p)");
	else if (!live || live->process.state != PROFILE_LIVE)
		app_say(a, "nothing runs whose averages could begin anew");
	else
		app_say(a, lens_reset(a->times.live_lens) ? "averages begin anew" : "out of memory");
	app_look(a);
	return EFFECT_DRAW;
}


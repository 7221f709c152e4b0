/* SPDX-License-Identifier: MIT */
/*
 * app_view: which view is open, which zone and which average are looked at in it, and the way back.
 */
#include <stdio.h>
#include <string.h>

#include "model/query/overhead.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"

#define QUIT_S 1.0 /* so long behind a q that closed something, q does not leave proftop */

/* The key of the row under the cursor, if the user moved it, or of the focus of
 * a call graph. PROFILE_NONE: the cursor is on no zone. */
static uint32_t key_of_cursor(const struct app *a, const struct view *v)
{
	const struct report_row *row = table_row(&v->table);
	struct look look = app_looks(a);
	struct path path;

	if ((!v->table.moved && !a->choice.follows && v->ops->place != PLACE_BOXES && v != a->views[VIEW_GRAPH]) ||
	    !look.query)
		return PROFILE_NONE;
	if (row)
		return row->zone == PROFILE_NO_ZONE ? PROFILE_NONE : row->key;
	if (!v->ops->target || !v->ops->target(v, &look, &path))
		return PROFILE_NONE;
	return keys_by_id(query_keys(look.query), path.ids[path.length - 1]);
}

/* Boxes show the zone that the cursor was on in the view before, if somebody had put it there. So does a table if the
 * cursor follows its zone. */
static void follow_zone(struct app *a, const struct view *before)
{
	uint32_t key = key_of_cursor(a, before);
	int64_t moment = before->ops->moment ? before->ops->moment(before) : -1;

	if (a->view == VIEW_TIMELINE && moment >= 0 && a->at->times.paused) {
		const struct profile_frame *f = frame_at(a->at->times.paused, moment);

		if (f)
			app_choose_frame(a, f->number);
		app_refresh(a);
		view_timeline_show(app_view(a), moment, 0);
	}

	if (key == PROFILE_NONE || (!a->choice.follows && app_view(a)->ops->place != PLACE_BOXES))
		return;
	app_refresh(a);
	if (a->view == VIEW_WHY || a->view == VIEW_TIMELINE) {
		struct look look = app_looks(a);

		(a->view == VIEW_WHY ? view_why_go : view_timeline_go)(app_view(a), &look, key);
		return;
	}
	table_go_key(&app_view(a)->table, key);
}

static bool is_table_of_zones(const struct view *v)
{
	return v->ops->target && v->ops->place != PLACE_BOXES;
}

void app_show_top(struct app *a)
{
	if (!a->choice.follows && is_table_of_zones(app_view(a)))
		table_home(&app_view(a)->table);
}

unsigned app_turn_follow(struct app *a, int unused)
{
	(void)unused;
	a->choice.follows = !a->choice.follows;
	for (enum view_kind v = 0; v < VIEWS; v++)
		table_follow(&a->views[v]->table, a->choice.follows);
	app_say(a, a->choice.follows ? "the cursor stays on its zone" : "the cursor stays in its line");
	return EFFECT_DRAW;
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
	struct view *before = app_view(a);
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
	app_show_top(a);
	if (view == VIEW_WHY) /* which sets the frame against another one by itself */
		app_look(a);
	if (view != VIEW_GRAPH)
		follow_zone(a, before);
	if (table_id(&before->table)) /* where the way back ends */
		table_go(&before->table, table_id(&before->table));
	return EFFECT_DRAW;
}

/* Open stacks, and the comparison of two marks, open over the view that one is in, and go back to it. */

unsigned app_turn_stacks(struct app *a, int unused)
{
	(void)unused;
	return a->view == VIEW_STACKS ? app_go_back(a) : app_open_view(a, VIEW_STACKS);
}

unsigned app_compare(struct app *a, int unused)
{
	const struct profile_frame *newest = times_newest(&a->at->times);
	struct look look = app_looks(a);
	char why[256];

	(void)unused;
	if (a->view == VIEW_COMPARE)
		return app_go_back(a);
	view_compare_begin(a->views[VIEW_COMPARE], newest ? newest->number : 0);
	if (!view_compare_ready(a->views[VIEW_COMPARE], &look, why, sizeof(why))) {
		app_say(a, "%s", why);
		return EFFECT_DRAW;
	}
	app_open_view(a, VIEW_COMPARE);
	app_refresh(a);
	app_mention(a, "%s", view_compare_says(app_view(a)));
	return EFFECT_DRAW;
}

/* Into a zone and back */

static void go_to_frame(struct app *a, const struct look *look)
{
	uint64_t frame = app_view(a)->ops->frame(app_view(a), look);

	if (frame)
		app_choose_frame(a, frame);
	else
		app_say(a, "its frame is not in the history");
}

/* A zone of a row that is one thread's is looked at in that thread. */
static void choose_row_thread(struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct view *v = app_view(a);
	uint32_t thread;
	uint64_t id;

	if (!v->ops->thread || !v->ops->thread(v, &id))
		return;
	thread = profile_find_thread(p, id);
	if (thread != PROFILE_NONE && !profile_selects(p, app_threads(a, p), thread))
		app_choose_threads(a, thread);
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
		a->choice.zone = NULL; /* what was asked for at first is not awaited any more */
		choose_row_thread(a);
		if (app_view(a)->ops->measure)
			app_choose_measure(a, profile_find_measure(look.profile, app_view(a)->ops->measure));
		view_graph_begin(a->views[VIEW_GRAPH], &path);
		app_open_view(a, VIEW_GRAPH);
	} else {
		app_say(a, app_view(a)->ops->place == PLACE_BOXES ? "select a box first: arrow keys, or click it"
								  : "no zone here to open");
	}
	return EFFECT_DRAW;
}

/* Selects the measured time for all views. */
static bool select_measured(struct app *a, const struct look *look)
{
	const struct view_ops *ops = app_view(a)->ops;
	int64_t from, to;
	struct values *values = ops->measured ? ops->measured(app_view(a), look, &from, &to) : NULL;

	if (!values)
		return false;
	times_select(&a->at->times, values, from, to);
	ops->let_go(app_view(a));
	app_look(a);
	app_say(a, "selection: %s in all views; Esc goes back to the frame",
		figure_timed(to - from, look->profile->ticks_per_s, NULL, 4, a->style.ascii).text);
	return true;
}

unsigned app_unselect(struct app *a, int unused)
{
	(void)unused;
	times_select(&a->at->times, NULL, 0, 0);
	app_look(a);
	return EFFECT_DRAW;
}

/* Into the box; where it is as wide as the screen already, into its zone. */
unsigned app_box_in(struct app *a, int unused)
{
	struct look look = app_looks(a);

	if (select_measured(a, &look))
		return EFFECT_DRAW;
	if (!app_view(a)->ops->command(app_view(a), &look, COMMAND_BOX_IN))
		return app_drill(a, unused);
	a->stale = true;
	return EFFECT_DRAW;
}

/* To a box that there need not be. */
unsigned app_to_box(struct app *a, int command)
{
	struct look look = app_looks(a);

	if (app_view(a)->ops->command(app_view(a), &look, (enum command)command))
		a->stale = true;
	else if (command == COMMAND_BOX_LONGEST)
		app_say(a, "no box inside this one");
	else if (a->view != VIEW_TIMELINE)
		app_say(a, "single calls are in the timeline: press 6");
	else
		app_say(a, "no call of this zone is known %s this one", command == COMMAND_CALL_AFTER ? "after" : "before");
	return EFFECT_DRAW;
}

/* Goes to a path, wherever the cursor is. */
unsigned app_drill_into(struct app *a, const struct path *path)
{
	a->choice.zone = NULL;
	app_open_view(a, VIEW_GRAPH);
	view_graph_begin(a->views[VIEW_GRAPH], path);
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_drill_to_caller(struct app *a, int unused)
{
	struct look look = app_looks(a);

	if (!app_view(a)->ops->target) {
		app_say(a, "no zone here that has callers");
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
	if (a->at->path.length)
		a->at->path.length = 0;
	else if (!app_view(a)->ops->target ||
		 !app_view(a)->ops->target(app_view(a), &look, &a->at->path)) {
		a->at->path.length = 0;
		app_say(a, "no zone here to focus on");
	}
	app_show_top(a);
	app_look(a);
	return EFFECT_DRAW;
}

unsigned app_turn_recursion(struct app *a, int unused)
{
	bool spread = !a->choice.spread;

	(void)unused;
	for (unsigned i = 0; i < a->track_count; i++) {
		struct track *t = &a->tracks[i];
		const struct profile *p = times_profile(&t->times);
		const struct query *query = times_query(&t->times);

		if (query)
			path_turn(&t->path, p, query_keys(query), spread);
		if (query && t == a->at)
			drill_turn(view_graph_drill(a->views[VIEW_GRAPH]), p, query_keys(query), spread);
	}
	a->choice.spread = spread;
	app_look(a);
	return EFFECT_DRAW;
}

unsigned app_turn_bottom_up(struct app *a, int unused)
{
	(void)unused;
	app_show_top(a);
	if (a->view != VIEW_TREE && a->view != VIEW_FLAME)
		app_say(a, "bottom-up works in the tree (press 4) and the flame (8)");
	else
		a->choice.bottom_up = !a->choice.bottom_up;
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_turn_by_zone(struct app *a, int unused)
{
	(void)unused;
	app_show_top(a);
	if (a->view != VIEW_WHY)
		app_say(a, "by zone or by stack works in Why: press 5");
	else
		a->choice.why_by_zone = !a->choice.why_by_zone;
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_turn_waits(struct app *a, int unused)
{
	(void)unused;
	a->choice.waits_by_size = !a->choice.waits_by_size;
	app_say(a, "waiting zones and (no zone): %s", a->choice.waits_by_size ? "by size" : "last");
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_turn_overhead(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->at->times);

	(void)unused;
	a->choice.less_overhead = !a->choice.less_overhead;
	if (a->choice.less_overhead && p && overhead_pair(p) <= 0)
		app_say(a, "the profiling cost is not known here: times stay as measured");
	app_look(a);
	return EFFECT_DRAW;
}

static void say_how_to_leave(struct app *a, bool once_more)
{
	a->closed = a->now - QUIT_S;
	app_say(a, once_more	       ? "press q again to leave proftop"
		   : a->at->times.paused ? "p goes live"
					 : "q leaves proftop");
}

/* Closes what Esc closes and q does not. False: nothing of it is open. */
static bool close_more(struct app *a)
{
	if (*a->search.text)
		app_search_ends(a);
	else if (!app_view(a)->ops->unfiltered && *a->choice.filters[app_filter_of(a)])
		app_filter(a, "");
	else if (app_why_ends(a))
		app_end_why(a);
	else
		return false;
	return true;
}

/* Closes what is innermost. q in the end goes live, and then leaves proftop, but not if it was pressed once too often. Esc
 * does neither: a paused frame stays. */
unsigned app_quit(struct app *a, int out_of_proftop)
{
	double before = a->closed;

	a->closed = a->now;
	if (a->at->times.range)
		a->at->times.range = 0;
	else if (a->screen.graph_focused)
		a->screen.graph_focused = false;
	else if (app_close_output(a))
		return EFFECT_DRAW;
	else if (app_view(a)->ops->let_go && app_view(a)->ops->let_go(app_view(a)))
		a->stale = true;
	else if (!out_of_proftop && a->view == VIEW_WHY)
		app_end_why(a);
	else if (leads_back(a, a->view))
		return app_go_back(a);
	else if (a->at->times.selected_to)
		return app_unselect(a, 0);
	else if (!out_of_proftop && close_more(a))
		return EFFECT_DRAW;
	else if (!out_of_proftop && *a->said.progress)
		return EFFECT_DRAW | EFFECT_CANCEL;
	else if (out_of_proftop && a->at->times.paused)
		return app_turn_pause(a, 0);
	else if (out_of_proftop && a->now - before >= QUIT_S)
		return EFFECT_QUIT;
	else
		say_how_to_leave(a, out_of_proftop);
	a->stale = true;
	return EFFECT_DRAW;
}

/* Averages */

unsigned app_set_average(struct app *a, enum average_slot slot)
{
	if (a->at->times.chosen)
		a->at->paused_run = slot == AVERAGE_RUN;
	else
		a->choice.average = slot;
	app_forget_widths(a);
	app_look(a);
	return EFFECT_DRAW;
}

unsigned app_next_average(struct app *a, int unused)
{
	(void)unused;
	if (a->at->times.selected_to) {
		app_say(a, "a selection is shown; Esc goes back to the frame");
		return EFFECT_DRAW;
	}
	if (a->at->times.chosen)
		return app_set_average(a, a->at->paused_run ? AVERAGE_NOW : AVERAGE_RUN);
	app_mention(a, "a goes round: newest frame, average of %.1f s, of %.1f s, whole run", average_seconds(AVERAGE_FAST),
		    average_seconds(AVERAGE_SLOW));
	return app_set_average(a, (enum average_slot)((a->choice.average + 1) % AVERAGE_SLOTS));
}

unsigned app_reset(struct app *a, int unused)
{
	const struct profile *live = a->at->times.live;

	(void)unused;
	if (a->at->times.paused)
		app_say(a, "go live first (p) to reset the averages");
	else if (!live || live->process.state != PROFILE_LIVE)
		app_say(a, "no running program whose averages could be reset");
	else
		app_say(a, query_reset(a->at->times.live_query) ? "averages reset" : "out of memory");
	app_look(a);
	return EFFECT_DRAW;
}

/* How what is looked at is shown: units, digits, which characters; and whose the mouse is. */

void app_forget_widths(struct app *a)
{
	for (enum view_kind v = 0; v < VIEWS; v++)
		table_forget_widths(&a->views[v]->table);
	a->stale = true;
}

unsigned app_set_unit(struct app *a, enum unit unit)
{
	a->style.unit = unit;
	app_say(a, "unit: %s", unit_names[unit]);
	app_forget_widths(a);
	return EFFECT_DRAW;
}

unsigned app_next_unit(struct app *a, int unused)
{
	(void)unused;
	return app_set_unit(a, (enum unit)((a->style.unit + 1) % UNITS));
}

unsigned app_set_precision(struct app *a, int digits)
{
	a->style.precision = digits;
	if (digits < 0)
		app_say(a, "precision: automatic");
	else
		app_say(a, "precision: %d", digits);
	app_forget_widths(a);
	return EFFECT_DRAW;
}

unsigned app_next_precision(struct app *a, int unused)
{
	(void)unused;
	return app_set_precision(a, a->style.precision >= APP_PRECISION_MOST ? -1 : a->style.precision + 1);
}

unsigned app_turn_ascii(struct app *a, int unused)
{
	(void)unused;
	a->style.ascii = !a->style.ascii || a->style.ascii_only;
	if (a->style.ascii_only)
		app_say(a, "ASCII only: the locale is not UTF-8, or -U was given");
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_turn_log_axis(struct app *a, int unused)
{
	(void)unused;
	a->style.log_axis = !a->style.log_axis;
	app_say(a, a->style.log_axis ? "frame axis: log" : "frame axis: linear");
	return EFFECT_DRAW;
}

unsigned app_turn_mouse(struct app *a, int unused)
{
	(void)unused;
	a->style.mouse = !a->style.mouse;
	app_say(a, a->style.mouse ? "mouse on" : "mouse off");
	return EFFECT_DRAW | EFFECT_MOUSE;
}

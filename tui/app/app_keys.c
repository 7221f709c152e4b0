/* SPDX-License-Identifier: MIT */
/*
 * app_keys: the way of a key: to whoever has the keys now, else to its command, and from there by one table to what
 * does it. That answers with effects.
 */
#include "tui/app/app_inside.h"

/* Whether a command does something now */

static bool of_view(const struct app *a, enum command command)
{
	return app_view(a)->ops->applies(app_view(a), command);
}

static bool has_profile(const struct app *a, enum command unused)
{
	(void)unused;
	return times_profile(&a->at->times);
}

static bool has_frames(const struct app *a, enum command unused)
{
	(void)unused;
	return times_newest(&a->at->times);
}

static bool has_budget(const struct app *a, enum command unused)
{
	return app_budget(a) && has_frames(a, unused);
}

static bool has_marks(const struct app *a, enum command unused)
{
	(void)unused;
	return a->at->times.marks[0]; /* mark a */
}

static bool has_events(const struct app *a, enum command unused)
{
	const struct profile *p = times_profile(&a->at->times);

	(void)unused;
	return p && p->instant_count;
}

static bool has_zones(const struct app *a, enum command unused)
{
	return has_profile(a, unused) && app_view(a)->ops->target;
}

static bool has_threads(const struct app *a, enum command unused)
{
	return has_zones(a, unused) && !app_view(a)->ops->own_filter;
}

static bool in_why(const struct app *a, enum command command)
{
	return a->view == VIEW_WHY && has_profile(a, command) && !a->at->times.selected_to;
}

static bool has_filter(const struct app *a, enum command unused)
{
	return has_profile(a, unused) && !app_view(a)->ops->unfiltered;
}

static bool in_tree(const struct app *a, enum command unused)
{
	(void)unused;
	return a->view == VIEW_TREE || a->view == VIEW_FLAME;
}

/* Whether the line of views has no space for its tab, so that only the key
 * opens it. */
static bool lacks_tab(const struct app *a, enum command command)
{
	return has_profile(a, command) && !app_has_tab(a, command == COMMAND_VIEW_FLAME ? VIEW_FLAME : VIEW_WORST);
}

static bool has_samples(const struct app *a, enum command command)
{
	return has_profile(a, command) && a->view != VIEW_FUNCTIONS &&
	       profile_find_measure(times_profile(&a->at->times), "samples") != PROFILE_NONE;
}

static bool has_flame(const struct app *a, enum command command)
{
	return (a->view == VIEW_TREE && has_profile(a, command)) || lacks_tab(a, command);
}

static bool has_rows(const struct app *a, enum command unused)
{
	(void)unused;
	return app_view(a)->table.rows || app_view(a)->ops->find;
}

static bool has_zone_rows(const struct app *a, enum command unused)
{
	(void)unused;
	return table_report(&app_view(a)->table);
}

static bool has_times(const struct app *a, enum command unused)
{
	return table_report(&app_view(a)->table) || (a->view == VIEW_WHY && has_rows(a, unused));
}

static bool has_order(const struct app *a, enum command unused)
{
	(void)unused;
	return table_sorted(&app_view(a)->table) >= 0 && app_view(a)->ops->place != PLACE_BOXES;
}

static bool has_searched(const struct app *a, enum command unused)
{
	(void)unused;
	return *a->search.text;
}

static bool has_path(const struct app *a, enum command command)
{
	return app_view(a)->ops->target && (a->at->path.length || of_view(a, command));
}

static bool has_older(const struct app *a, enum command unused)
{
	return has_frames(a, unused) && a->at->times.chosen != times_profile(&a->at->times)->frames[0].number;
}

static bool has_newer(const struct app *a, enum command unused)
{
	(void)unused;
	return a->at->times.chosen && times_newest(&a->at->times)->number > a->at->times.chosen;
}

static bool can_scrub(const struct app *a, enum command command)
{
	return a->screen.graph_focused &&
	       (command == COMMAND_SCRUB_LEFT ? has_older(a, command) : has_newer(a, command));
}

static bool can_zoom(const struct app *a, enum command command)
{
	struct frame_graph_look look = app_graph_look(a);
	struct frame_graph g = a->at->times.graph;
	int by = command == COMMAND_ZOOM_IN ? -1 : 1;

	if (!a->screen.graph_focused)
		return false;
	if (app_several(a))
		return app_strips_can_zoom(a, by);
	frame_graph_zoom(&g, &look, a->screen.graph, by, a->at->times.chosen);
	return g.zoom != a->at->times.graph.zoom;
}

static bool can_focus_graph(const struct app *a, enum command unused)
{
	return app_several(a) || (a->screen.graph.height > 0 && has_frames(a, unused));
}

static bool can_choose_range(const struct app *a, enum command unused)
{
	return a->screen.graph_focused && !app_several(a) && has_frames(a, unused);
}

static bool has_range(const struct app *a, enum command unused)
{
	return can_choose_range(a, unused) && a->at->times.range;
}

static bool can_ask_why(const struct app *a, enum command unused)
{
	return has_frames(a, unused) && !a->at->times.selected_to && (a->view != VIEW_WHY || !app_compares(a) || app_why_ends(a));
}

static bool can_compare(const struct app *a, enum command unused)
{
	(void)unused;
	return app_compares(a);
}

/* What it does */

/* Commands that only the caller of the app can carry out. */
static unsigned ask_for(struct app *a, int effects)
{
	(void)a;
	return (unsigned)effects;
}

static const struct action {
	unsigned (*act)(struct app *a, int with); /* NULL: it is the open view's */
	int with;
	bool (*applies)(const struct app *a, enum command command); /* NULL: always, if it has an act */
} actions[COMMANDS] = {
	[COMMAND_DRILL] = { app_drill, 0, of_view },
	[COMMAND_BACK] = { app_back, 0, of_view },
	[COMMAND_CALLER] = { app_drill_to_caller, 0, of_view },
	[COMMAND_UNFOLD] = { .applies = of_view },
	[COMMAND_FOLD] = { .applies = of_view },
	[COMMAND_UNFOLD_ALL] = { .applies = of_view },
	[COMMAND_BOX_LONGEST] = { app_to_box, COMMAND_BOX_LONGEST, of_view },
	[COMMAND_CALL_BEFORE] = { app_to_box, COMMAND_CALL_BEFORE, of_view },
	[COMMAND_CALL_AFTER] = { app_to_box, COMMAND_CALL_AFTER, of_view },
	[COMMAND_BOX_IN] = { app_box_in, 0, of_view },
	[COMMAND_BOX_OUT] = { .applies = of_view },
	[COMMAND_BOX_WAITS] = { .applies = of_view },
	[COMMAND_BOX_NEARER] = { .applies = of_view },
	[COMMAND_BOX_FARTHER] = { .applies = of_view },
	[COMMAND_BOX_FRAME] = { .applies = of_view },
	[COMMAND_MEASURE] = { .applies = of_view },
	[COMMAND_LANE_FOLD] = { .applies = of_view },
	[COMMAND_LANE_FOLD_ALL] = { .applies = of_view },
	[COMMAND_LANE_COUNTERS] = { .applies = of_view },
	[COMMAND_LANE_HEAT] = { .applies = of_view },
	[COMMAND_PATH] = { app_focus_path, 0, has_path },
	[COMMAND_PAUSE] = { app_turn_pause, 0, has_profile },
	[COMMAND_OLDER] = { app_step, -1, has_older },
	[COMMAND_NEWER] = { app_step, 1, has_newer },
	[COMMAND_OLDER_10] = { app_step, -10 },
	[COMMAND_NEWER_10] = { app_step, 10 },
	[COMMAND_EVENT_BEFORE] = { app_step_event, -1, has_events },
	[COMMAND_EVENT_AFTER] = { app_step_event, 1 },
	[COMMAND_OVER_BEFORE] = { app_step_over, -1, has_budget },
	[COMMAND_OVER_AFTER] = { app_step_over, 1, has_budget },
	[COMMAND_WORST] = { app_step_worst, 1, has_frames },
	[COMMAND_WORST_BACK] = { app_step_worst, -1 },
	[COMMAND_FOLLOW] = { app_follow, 0 },
	[COMMAND_FREEZE] = { app_turn_freeze, 0, has_profile },
	[COMMAND_GRAPH] = { app_focus_graph, 0, can_focus_graph },
	[COMMAND_WHY] = { app_why, 0, can_ask_why },
	[COMMAND_WHY_BASE] = { app_pick_base, 0, can_compare },
	[COMMAND_MARK] = { app_ask_mark, COMMAND_MARK, has_frames },
	[COMMAND_GO_TO_MARK] = { app_ask_mark, COMMAND_GO_TO_MARK },
	[COMMAND_BUDGET] = { app_ask_budget, 0, has_profile },
	[COMMAND_COMPARE] = { app_compare, 0, has_marks },
	[COMMAND_SLOWEST_CALL] = { app_go_to_slowest, 0, app_knows_slowest },
	[COMMAND_SCRUB_LEFT] = { app_scrub, -1, can_scrub },
	[COMMAND_SCRUB_RIGHT] = { app_scrub, 1, can_scrub },
	[COMMAND_PAN_LEFT] = { app_pan, -1 },
	[COMMAND_PAN_RIGHT] = { app_pan, 1 },
	[COMMAND_ZOOM_IN] = { app_zoom, -1, can_zoom },
	[COMMAND_ZOOM_OUT] = { app_zoom, 1, can_zoom },
	[COMMAND_OLDEST] = { app_choose_end, 0 },
	[COMMAND_NEWEST] = { app_choose_end, 1 },
	[COMMAND_RANGE] = { app_begin_range, 0, can_choose_range },
	[COMMAND_SELECT_RANGE] = { app_end_range, 0, has_range },
	[COMMAND_VIEW_SELF] = { app_open_view, VIEW_SELF },
	[COMMAND_VIEW_HIER] = { app_open_view, VIEW_HIER },
	[COMMAND_VIEW_GRAPH] = { app_open_view, VIEW_GRAPH },
	[COMMAND_VIEW_TREE] = { app_open_view, VIEW_TREE },
	[COMMAND_VIEW_WHY] = { app_open_view, VIEW_WHY },
	[COMMAND_VIEW_TIMELINE] = { app_open_view, VIEW_TIMELINE },
	[COMMAND_VIEW_COUNTERS] = { app_open_view, VIEW_COUNTERS },
	[COMMAND_VIEW_EVENTS] = { app_open_view, VIEW_EVENTS },
	[COMMAND_VIEW_FLAME] = { app_open_view, VIEW_FLAME, has_flame },
	[COMMAND_VIEW_WORST] = { app_open_view, VIEW_WORST, lacks_tab },
	[COMMAND_VIEW_FUNCTIONS] = { app_open_view, VIEW_FUNCTIONS, has_samples },
	[COMMAND_STACKS] = { app_turn_stacks, 0, has_profile },
	[COMMAND_THREADS] = { app_pick_thread, 0, has_threads },
	[COMMAND_THREAD_BEFORE] = { app_turn_thread, -1 },
	[COMMAND_THREAD_AFTER] = { app_turn_thread, 1 },
	[COMMAND_RECURSION] = { app_turn_recursion, 0 },
	[COMMAND_WAITS] = { app_turn_waits, 0 },
	[COMMAND_BY_ZONE] = { app_turn_by_zone, 0, in_why },
	[COMMAND_BOTTOM_UP] = { app_turn_bottom_up, 0, in_tree },
	[COMMAND_AMOUNTS] = { app_pick_measure, 0, has_zones },
	[COMMAND_OVERHEAD] = { app_turn_overhead, 0, has_zones },
	[COMMAND_AVERAGE] = { app_next_average, 0, has_frames },
	[COMMAND_RESET] = { app_reset, 0 },
	[COMMAND_SORT_LEFT] = { app_sort_beside, -1 },
	[COMMAND_SORT_RIGHT] = { app_sort_beside, 1 },
	[COMMAND_SORT] = { app_pick_column, 0, has_order },
	[COMMAND_INVERT] = { app_invert, 0 },
	[COMMAND_CURSOR] = { app_turn_follow, 0, has_zone_rows },
	[COMMAND_PIN] = { app_pin, 0, app_can_pin },
	[COMMAND_SEARCH] = { app_ask_search, 0, has_rows },
	[COMMAND_SEARCH_NEXT] = { app_search_on, 1, has_searched },
	[COMMAND_SEARCH_BEFORE] = { app_search_on, -1 },
	[COMMAND_FILTER] = { app_ask_filter, 0, has_filter },
	[COMMAND_UNIT] = { app_next_unit, 0, has_times },
	[COMMAND_PRECISION] = { app_next_precision, 0 },
	[COMMAND_LOG_AXIS] = { app_turn_log_axis, 0, can_focus_graph },
	[COMMAND_COLOURS] = { ask_for, EFFECT_DRAW | EFFECT_COLOURS },
	[COMMAND_THEME] = { ask_for, EFFECT_DRAW | EFFECT_THEME },
	[COMMAND_MOUSE] = { app_turn_mouse, 0 },
	[COMMAND_ASCII] = { app_turn_ascii, 0 },
	[COMMAND_REDRAW] = { ask_for, EFFECT_DRAW | EFFECT_REDRAW },
	[COMMAND_EDITOR] = { app_edit, 0, app_has_source },
	[COMMAND_COPY_ROW] = { ask_for, EFFECT_DRAW | EFFECT_COPY_ROW },
	[COMMAND_COPY_SCREEN] = { ask_for, EFFECT_DRAW | EFFECT_COPY_SCREEN },
	[COMMAND_OUTPUT] = { app_turn_output, 0 },
	[COMMAND_RECORD] = { app_record, 0, has_profile },
	[COMMAND_EXPORT] = { app_pick_export, 0, app_can_export },
	[COMMAND_LINE] = { app_ask_line, 0 },
	[COMMAND_SAVE] = { ask_for, EFFECT_DRAW | EFFECT_SAVE },
	[COMMAND_REGIONS] = { ask_for, EFFECT_DRAW | EFFECT_REGIONS },
	[COMMAND_HELP] = { app_help, 0 },
	[COMMAND_QUIT] = { app_quit, 1 },
	[COMMAND_OUT] = { app_quit, 0 },
	[COMMAND_LEAVE] = { ask_for, EFFECT_QUIT },
};

/* Where the rows are times that go by, who moves among them has to hold them first. */
static bool can_pause(const struct app *a, enum command command)
{
	return app_view(a)->ops->pauses && !a->at->times.paused &&
	       (command <= COMMAND_LAST || (command >= COMMAND_BOX_LEFT && command <= COMMAND_BOX_OUT) ||
		command == COMMAND_BOX_FRAME || command == COMMAND_MEASURE) && command != COMMAND_NONE;
}

/* Rows stay as they are for a while: whoever presses an arrow three times wants to be three rows on. */
static bool moves_cursor(const struct view *v, enum command command)
{
	return !v->ops->click && (command == COMMAND_UP || command == COMMAND_DOWN || command == COMMAND_PAGE_UP ||
				  command == COMMAND_PAGE_DOWN || command == COMMAND_FIRST || command == COMMAND_LAST);
}

unsigned app_command(struct app *a, enum command command)
{
	const struct action *action = &actions[command];
	struct look look;

	if (can_pause(a, command) && has_profile(a, command)) {
		app_turn_pause(a, 0);
		app_refresh(a);
	}
	look = app_looks(a);
	if (action->act)
		return action->act(a, action->with);
	if (app_view(a)->ops->command(app_view(a), &look, command)) {
		if (moves_cursor(app_view(a), command))
			a->made = a->now;
		else
			a->stale = true;
	} else if (command == COMMAND_UNFOLD || command == COMMAND_FOLD || command == COMMAND_UNFOLD_ALL)
		app_say(a, a->view == VIEW_TREE ? "nothing to %s here" : "only rows of the tree %s: press 4",
			command == COMMAND_FOLD ? "fold" : "unfold");
	return EFFECT_DRAW;
}

bool app_applies(const struct app *a, enum command command)
{
	const struct action *action = &actions[command];

	return action->applies ? action->applies(a, command) : action->act != NULL;
}

/* Names a key that does nothing, if the user may have meant it. Terminals send others by themselves. */
static unsigned say_unknown(struct app *a, uint32_t key)
{
	if (key <= ' ' || key >= 127)
		return EFFECT_DRAW;
	if (a->screen.graph_focused && command_of_key(key, PLACE_TABLE) != COMMAND_NONE)
		app_say(a, "%c works in the table: press Tab first", (int)key);
	else
		app_say(a, "%c does nothing; ? lists all keys", (int)key);
	return EFFECT_DRAW;
}

unsigned app_press(struct app *a, uint32_t key)
{
	enum command_place of_view = app_view(a)->ops->place == PLACE_ANY ? PLACE_TABLE : app_view(a)->ops->place;
	enum command_place place = a->guide.open ? PLACE_TABLE : a->screen.graph_focused ? PLACE_GRAPH : of_view;
	enum command command = command_of_key(key, place);
	bool covers = app_says_more(a, (int)a->screen.width) || (*a->said.text && *a->said.progress);

	*a->said.text = '\0';
	switch (a->ask.overlay) {
	case OVERLAY_PROMPT:
		return app_typed(a, key);
	case OVERLAY_PICKER:
		return app_picked(a, picker_key(&a->ask.picker, key));
	case OVERLAY_LETTER:
		return app_take_letter(a, key);
	case OVERLAY_NONE:
		break;
	}
	if (covers && key == TERM_ESCAPE) /* the message was in the way */
		return EFFECT_DRAW;
	if (a->guide.open && guide_command(&a->guide, command)) {
		a->closed = a->guide.open ? a->closed : a->now;
		return EFFECT_DRAW;
	}
	if (a->guide.open && command != COMMAND_LEAVE && command != COMMAND_REDRAW && command != COMMAND_SEARCH)
		return EFFECT_NONE;
	return command == COMMAND_NONE ? say_unknown(a, key) : app_command(a, command);
}

/* A key acts on the rows that are shown. Rows of what an earlier key chose are made first, also when nobody has seen them
 * yet; new data wait. */
unsigned app_event(struct app *a, const struct term_event *e, double now)
{
	unsigned effects = EFFECT_NONE;

	a->now = now;
	if (e->kind == TERM_PASTE)
		return app_pasted(a, e->key);
	if (a->stale && !a->guide.open)
		app_refresh(a);
	if (e->kind == TERM_KEY)
		effects = app_press(a, e->key);
	else if (e->kind == TERM_MOUSE)
		effects = app_mouse(a, e);
	else if (e->kind == TERM_RESIZE || e->kind == TERM_RESUMED)
		effects = EFFECT_DRAW;
	app_tracks_agree(a);
	return effects;
}

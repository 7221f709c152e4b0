/* SPDX-License-Identifier: MIT */
/*
 * app_keys: what a key does: one table from commands to what they are done with.
 */
#include "tui/app_inside.h"

/* What is done outside of the app alone. */
static unsigned ask_for(struct app *a, int effects)
{
	(void)a;
	return (unsigned)effects;
}

/* What a command does. One that is not here is the open view's. */
static const struct action {
	unsigned (*act)(struct app *a, int with);
	int with;
} actions[COMMANDS] = {
	[COMMAND_DRILL] = { app_drill, 0 },
	[COMMAND_BACK] = { app_back, 0 },
	[COMMAND_CALLER] = { app_drill_to_caller, 0 },
	[COMMAND_PATH] = { app_focus_path, 0 },
	[COMMAND_PAUSE] = { app_turn_pause, 0 },
	[COMMAND_OLDER] = { app_step, -1 },
	[COMMAND_NEWER] = { app_step, 1 },
	[COMMAND_OLDER_10] = { app_step, -10 },
	[COMMAND_NEWER_10] = { app_step, 10 },
	[COMMAND_EVENT_BEFORE] = { app_step_event, -1 },
	[COMMAND_EVENT_AFTER] = { app_step_event, 1 },
	[COMMAND_WORST] = { app_step_worst, 1 },
	[COMMAND_WORST_BACK] = { app_step_worst, -1 },
	[COMMAND_FOLLOW] = { app_follow, 0 },
	[COMMAND_FREEZE] = { app_turn_freeze, 0 },
	[COMMAND_GRAPH] = { app_focus_graph, 0 },
	[COMMAND_WHY] = { app_why, 0 },
	[COMMAND_WHY_BASE] = { app_pick_base, 0 },
	[COMMAND_MARK] = { app_ask_mark, COMMAND_MARK },
	[COMMAND_GO_TO_MARK] = { app_ask_mark, COMMAND_GO_TO_MARK },
	[COMMAND_BUDGET] = { app_ask_budget, 0 },
	[COMMAND_COMPARE] = { app_compare, 0 },
	[COMMAND_SLOWEST_CALL] = { app_go_to_slowest, 0 },
	[COMMAND_SCRUB_LEFT] = { app_scrub, -1 },
	[COMMAND_SCRUB_RIGHT] = { app_scrub, 1 },
	[COMMAND_PAN_LEFT] = { app_pan, -1 },
	[COMMAND_PAN_RIGHT] = { app_pan, 1 },
	[COMMAND_ZOOM_IN] = { app_zoom, -1 },
	[COMMAND_ZOOM_OUT] = { app_zoom, 1 },
	[COMMAND_OLDEST] = { app_choose_end, 0 },
	[COMMAND_NEWEST] = { app_choose_end, 1 },
	[COMMAND_VIEW_SELF] = { app_open_view, VIEW_SELF },
	[COMMAND_VIEW_HIER] = { app_open_view, VIEW_HIER },
	[COMMAND_VIEW_GRAPH] = { app_open_view, VIEW_GRAPH },
	[COMMAND_VIEW_TREE] = { app_open_view, VIEW_TREE },
	[COMMAND_VIEW_WHY] = { app_open_view, VIEW_WHY },
	[COMMAND_VIEW_COUNTERS] = { app_open_view, VIEW_COUNTERS },
	[COMMAND_VIEW_EVENTS] = { app_open_view, VIEW_EVENTS },
	[COMMAND_STACKS] = { app_turn_stacks, 0 },
	[COMMAND_THREADS] = { app_pick_thread, 0 },
	[COMMAND_THREAD_BEFORE] = { app_turn_thread, -1 },
	[COMMAND_THREAD_AFTER] = { app_turn_thread, 1 },
	[COMMAND_RECURSION] = { app_turn_recursion, 0 },
	[COMMAND_OVERHEAD] = { app_turn_overhead, 0 },
	[COMMAND_AVERAGE] = { app_next_average, 0 },
	[COMMAND_RESET] = { app_reset, 0 },
	[COMMAND_SORT_LEFT] = { app_sort_beside, -1 },
	[COMMAND_SORT_RIGHT] = { app_sort_beside, 1 },
	[COMMAND_SORT] = { app_pick_column, 0 },
	[COMMAND_INVERT] = { app_invert, 0 },
	[COMMAND_PIN] = { app_pin, 0 },
	[COMMAND_SEARCH] = { app_ask_search, 0 },
	[COMMAND_SEARCH_NEXT] = { app_search_on, 1 },
	[COMMAND_SEARCH_BEFORE] = { app_search_on, -1 },
	[COMMAND_FILTER] = { app_ask_filter, 0 },
	[COMMAND_UNIT] = { app_next_unit, 0 },
	[COMMAND_PRECISION] = { app_next_precision, 0 },
	[COMMAND_COLOURS] = { ask_for, EFFECT_DRAW | EFFECT_COLOURS },
	[COMMAND_THEME] = { ask_for, EFFECT_DRAW | EFFECT_THEME },
	[COMMAND_MOUSE] = { app_turn_mouse, 0 },
	[COMMAND_ASCII] = { app_turn_ascii, 0 },
	[COMMAND_REDRAW] = { ask_for, EFFECT_DRAW | EFFECT_REDRAW },
	[COMMAND_EDITOR] = { app_edit, 0 },
	[COMMAND_COPY_ROW] = { ask_for, EFFECT_DRAW | EFFECT_COPY_ROW },
	[COMMAND_COPY_SCREEN] = { ask_for, EFFECT_DRAW | EFFECT_COPY_SCREEN },
	[COMMAND_LINE] = { app_ask_line, 0 },
	[COMMAND_SAVE] = { ask_for, EFFECT_DRAW | EFFECT_SAVE },
	[COMMAND_REGIONS] = { ask_for, EFFECT_DRAW | EFFECT_REGIONS },
	[COMMAND_HELP] = { app_help, 0 },
	[COMMAND_QUIT] = { app_quit, 0 },
	[COMMAND_LEAVE] = { ask_for, EFFECT_QUIT },
};

unsigned app_command(struct app *a, enum command command)
{
	const struct action *action = &actions[command];
	struct look look = app_looks(a);

	if (action->act)
		return action->act(a, action->with);
	if (app_view(a)->ops->command(app_view(a), &look, command))
		a->stale = true;
	else if (command == COMMAND_UNFOLD || command == COMMAND_FOLD || command == COMMAND_UNFOLD_ALL)
		app_say(a, a->view == VIEW_TREE ? "there is nothing to %s here" : "rows %s in the tree: 4 opens it",
			command == COMMAND_FOLD ? "fold" : "unfold");
	return EFFECT_DRAW;
}

static bool can_zoom(const struct app *a, int by)
{
	struct frame_graph_look look = app_graph_look(a);
	struct frame_graph g = a->times.graph;

	if (app_several(a))
		return a->graph_focused && app_strips_can_zoom(a, by);
	frame_graph_zoom(&g, &look, a->graph_area, by, a->times.chosen);
	return a->graph_focused && g.zoom != a->times.graph.zoom;
}

static bool has_older(const struct app *a)
{
	const struct profile *p = times_profile(&a->times);

	return p && p->frame_count && a->times.chosen != p->frames[0].number;
}

static bool has_newer(const struct app *a)
{
	return a->times.chosen && times_newest(&a->times)->number > a->times.chosen;
}

bool app_applies(const struct app *a, enum command command)
{
	const struct profile *p = times_profile(&a->times);
	const struct table *t = &app_view(a)->table;

	switch (command) {
	case COMMAND_PIN:
		return app_can_pin(a);
	case COMMAND_EDITOR:
		return app_has_source(a);
	case COMMAND_SLOWEST_CALL:
		return app_knows_slowest(a);
	case COMMAND_DRILL:
	case COMMAND_BACK:
	case COMMAND_CALLER:
	case COMMAND_UNFOLD:
	case COMMAND_FOLD:
	case COMMAND_UNFOLD_ALL:
		return app_view(a)->ops->applies(app_view(a), command);
	case COMMAND_PATH:
		return app_view(a)->ops->target &&
		       (a->path.length || app_view(a)->ops->applies(app_view(a), command));
	case COMMAND_OLDER:
		return has_older(a);
	case COMMAND_SCRUB_LEFT:
		return a->graph_focused && has_older(a);
	case COMMAND_NEWER:
		return has_newer(a);
	case COMMAND_SCRUB_RIGHT:
		return a->graph_focused && has_newer(a);
	case COMMAND_WORST:
		return times_newest(&a->times);
	case COMMAND_GRAPH:
		return app_several(a) || (a->graph_area.height > 0 && times_newest(&a->times));
	case COMMAND_ZOOM_IN:
		return can_zoom(a, -1);
	case COMMAND_ZOOM_OUT:
		return can_zoom(a, 1);
	case COMMAND_SEARCH_NEXT:
		return *a->searched;
	case COMMAND_AVERAGE:
		return p && p->frame_count;
	case COMMAND_SORT:
		return table_sorted(t) >= 0;
	case COMMAND_SEARCH:
		return t->rows;
	case COMMAND_UNIT:
		return table_report(t) || (a->view == VIEW_WHY && t->rows);
	case COMMAND_WHY:
		return p && p->frame_count && (a->view != VIEW_WHY || !app_compares(a) || app_why_ends(a));
	case COMMAND_WHY_BASE:
		return app_compares(a);
	case COMMAND_EVENT_BEFORE:
		return p && p->instant_count;
	case COMMAND_THREADS:
		return p && app_view(a)->ops->target && !app_view(a)->ops->own_filter;
	case COMMAND_OVERHEAD:
		return p && app_view(a)->ops->target;
	case COMMAND_STACKS:
	case COMMAND_PAUSE:
	case COMMAND_FILTER:
	case COMMAND_BUDGET:
	case COMMAND_FREEZE:
		return p;
	default:
		return actions[command].act; /* else it is nobody's */
	}
}

/* Of keys that one may have meant; not of those that terminals send by themselves. */
static unsigned say_unknown(struct app *a, uint32_t key)
{
	if (key <= ' ' || key >= 127)
		return EFFECT_DRAW;
	if (a->graph_focused && command_of_key(key, PLACE_TABLE) != COMMAND_NONE)
		app_say(a, "%c is of the table: Tab leads there", (int)key);
	else
		app_say(a, "%c does nothing: ? lists the keys", (int)key);
	return EFFECT_DRAW;
}

static unsigned key(struct app *a, uint32_t key)
{
	enum command_place place = a->graph_focused && !a->guide.open ? PLACE_GRAPH : PLACE_TABLE;
	enum command command = command_of_key(key, place);
	bool said = *a->message;

	*a->message = '\0';
	switch (a->overlay) {
	case OVERLAY_PROMPT:
		return app_typed(a, key);
	case OVERLAY_PICKER:
		if (command == COMMAND_LEAVE)
			return EFFECT_QUIT;
		return app_picked(a, picker_key(&a->picker, key));
	case OVERLAY_LETTER:
		app_take_letter(a, key);
		return EFFECT_DRAW;
	case OVERLAY_NONE:
		break;
	}
	if (said && key == TERM_ESCAPE) /* it was the message that was in the way */
		return EFFECT_DRAW;
	if (a->guide.open && guide_command(&a->guide, command))
		return EFFECT_DRAW;
	if (a->guide.open && command != COMMAND_LEAVE && command != COMMAND_REDRAW)
		return EFFECT_NONE;
	return command == COMMAND_NONE ? say_unknown(a, key) : app_command(a, command);
}

static unsigned take(struct app *a, const struct term_event *e)
{
	switch (e->kind) {
	case TERM_KEY:
		return key(a, e->key);
	case TERM_MOUSE:
		return app_mouse(a, e);
	case TERM_RESIZE:
	case TERM_RESUMED:
		return EFFECT_DRAW;
	default:
		return EFFECT_NONE;
	}
}

/* What a key does is done to the rows of what is looked at now, also when nobody has seen them yet. */
unsigned app_event(struct app *a, const struct term_event *e, double now)
{
	unsigned effects;

	a->now = now;
	if (!a->guide.open)
		app_refresh(a);
	effects = take(a, e);
	app_tracks_agree(a);
	return effects;
}

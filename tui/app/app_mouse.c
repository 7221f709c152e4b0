/* SPDX-License-Identifier: MIT */
/*
 * app_mouse: what a click, the wheel or a drag does, where.
 */
#include "tui/app/app_inside.h"

#define WHEEL_ROWS 3

static bool is_inside(struct area area, const struct term_event *e)
{
	return e->x >= area.x && e->x < area.x + area.width && e->y >= area.y &&
	       e->y < area.y + area.height;
}

static void graph_press(struct app *a, uint64_t frame)
{
	a->drag.frame = a->drag.to = frame;
	a->drag.moved = false;
	if (frame)
		app_choose_frame(a, frame);
}

/* The last line shows what the band covers while it grows. */
static void graph_drag(struct app *a, uint64_t frame)
{
	if (!a->drag.frame || !a->at->times.paused)
		return;
	a->drag.moved |= frame && frame != a->drag.frame;
	a->drag.to = frame ? frame : a->drag.to;
	if (a->drag.moved)
		app_say_range(a, a->drag.frame, a->drag.to, "");
}

static void graph_release(struct app *a, uint64_t frame)
{
	uint64_t from = a->drag.frame, to = frame ? frame : a->drag.to;

	a->drag.frame = 0;
	if (a->drag.moved && to != from && a->at->times.paused)
		app_select_range(a, from, to);
}

static void graph_mouse(struct app *a, const struct term_event *e)
{
	struct frame_graph_look look = app_graph_look(a);
	uint64_t frame = frame_graph_at(&a->at->times.graph, &look, a->screen.graph,
					e->x - a->screen.graph.x);

	if (e->button == WHEEL_UP || e->button == WHEEL_DOWN)
		frame_graph_zoom(&a->at->times.graph, &look, a->screen.graph,
				 e->button == WHEEL_UP ? -1 : 1, frame);
	else if (e->action == MOUSE_RELEASE)
		graph_release(a, frame);
	else if (e->action == MOUSE_DRAG)
		graph_drag(a, frame);
	else if (e->button == BUTTON_LEFT)
		graph_press(a, frame);
	a->stale = true; /* what is in sight */
}

/* While the mouse drags, the view under it stands still. */
static void drag_view(struct app *a, const struct term_event *e)
{
	struct view *v = app_view(a);

	if (v->ops->pauses && !a->at->times.paused && times_profile(&a->at->times)) {
		app_turn_pause(a, 0);
		app_refresh(a);
	}
	v->ops->pointer(v, 0, a->drag.x, e->x, e->y);
	a->stale = true;
}

static void table_mouse(struct app *a, const struct term_event *e)
{
	struct view *v = app_view(a);
	struct look look = app_looks(a);
	struct table *t = &v->table;
	int column = -1;

	if (e->action == MOUSE_DRAG && e->button == BUTTON_LEFT && a->drag.in_view)
		drag_view(a, e);
	a->drag.in_view = e->button == BUTTON_LEFT && e->action != MOUSE_RELEASE && v->ops->pointer;
	a->drag.x = e->x;
	if (e->action != MOUSE_PRESS)
		return;
	if (e->button == WHEEL_UP || e->button == WHEEL_DOWN) {
		if (v->ops->pointer && v->ops->pointer(v, e->button == WHEEL_UP ? -1 : 1, e->x, e->x, e->y))
			a->stale = true;
		else if (v->ops->click)
			app_command(a, e->button == WHEEL_UP ? COMMAND_UP : COMMAND_DOWN);
		else
			table_scroll(t, e->button == WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		a->made = a->now;
		return;
	}
	if (e->button != BUTTON_LEFT)
		return;
	switch (v->ops->click ? v->ops->click(v, &look, e->x, e->y) : table_click(t, e->x, e->y, &column)) {
	case TABLE_TITLE:
		if (table_sorted(t) == column)
			app_invert(a, 0);
		else
			app_sort_by(a, column);
		break;
	case TABLE_CURSOR:
		app_command(a, v->ops->click ? COMMAND_BOX_IN : COMMAND_DRILL);
		break;
	case TABLE_ROW:
		a->made = a->now; /* the rows stay for a second press */
		break;
	default:
		break;
	}
}

/* The key that a click presses here; 0: none. */
static uint32_t key_pressed(const struct app *a, const struct term_event *e)
{
	uint32_t key;

	if (e->action != MOUSE_PRESS || e->button != BUTTON_LEFT)
		return 0;
	if (a->guide.open)
		return presses_at(&a->guide.footer, e->x, e->y);
	key = presses_at(&a->screen.footer, e->x, e->y);
	return key || a->ask.overlay != OVERLAY_NONE ? key : presses_at(&a->screen.about, e->x, e->y);
}

unsigned app_mouse(struct app *a, const struct term_event *e)
{
	uint32_t key = a->ask.overlay == OVERLAY_NONE || a->ask.overlay == OVERLAY_PICKER ? key_pressed(a, e) : 0, tab;

	if (key)
		return app_press(a, key);
	if (a->ask.overlay == OVERLAY_PICKER)
		return app_picked(a, picker_mouse(&a->ask.picker, e));
	if (a->ask.overlay != OVERLAY_NONE)
		return EFFECT_NONE; /* what is asked comes first */
	if (a->guide.open) {
		if (e->button == WHEEL_UP || e->button == WHEEL_DOWN)
			a->guide.top += e->button == WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS;
		return EFFECT_DRAW;
	}
	if (app_several(a) && (is_inside(a->screen.graph, e) || a->drag.in_strips))
		app_strips_mouse(a, e);
	else if (is_inside(a->screen.graph, e) || a->drag.frame)
		graph_mouse(a, e);
	else if ((tab = presses_at(&a->screen.tabs, e->x, e->y)) && e->action == MOUSE_PRESS)
		return e->button == BUTTON_LEFT ? app_open_view(a, (int)tab - 1) : EFFECT_DRAW;
	else
		table_mouse(a, e);
	return EFFECT_DRAW;
}


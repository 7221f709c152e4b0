/* SPDX-License-Identifier: MIT */
/*
 * app_strips: the frames of several programs, where one alone has its frame graph.
 */
#include <stdlib.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"

/* The strips as they are told, and what that is taken from. */
struct told {
	struct strips_look look;
	struct strip strips[TRACKS_MOST];
	char *names[TRACKS_MOST];
};

/* A program is called what its region is; before there is one, what the user called it. */
static char *name_of(const struct app *a, const struct track *t)
{
	const struct profile *p = times_profile(&t->times);

	return name_safe(p && *p->process.source ? p->process.source : t->target, a->style.ascii);
}

static struct strip strip_of(const struct app *a, const struct track *t)
{
	const struct profile *p = times_profile(&t->times);
	struct strip s = { .state = t->state, .waiting = t->waiting,
			   .look = { .profile = p, .marks = t->times.marks, .ascii = a->style.ascii,
				     .pins = { .areas = a->style.areas && !a->style.ascii },
				     .logarithmic = a->style.log_axis } };

	if (t == a->at)
		s.look = app_graph_look(a);
	else if (p)
		s.look.budget = app_budget_in(a, p);
	if (t->times.paused && scene_lives(s.state))
		s.state = SCENE_PAUSED;
	return s;
}

static void tell_strips(const struct app *a, struct told *t)
{
	bool drags = a->drag.in_strips && a->drag.moved;

	*t = (struct told){ .look = { .strips = t->strips, .count = (int)a->track_count, .focus = (int)a->focus,
				      .moment = a->together.moment, .focused = a->screen.graph_focused,
				      .band_from = drags ? a->drag.moment : MOMENT_NONE,
				      .band_to = drags ? a->drag.to_moment : MOMENT_NONE, .ascii = a->style.ascii } };
	for (unsigned i = 0; i < a->track_count; i++) {
		t->strips[i] = strip_of(a, &a->tracks[i]);
		t->names[i] = name_of(a, &a->tracks[i]);
		t->strips[i].name = t->names[i] ? t->names[i] : "?";
	}
}

static void forget_told(struct told *t)
{
	for (int i = 0; i < TRACKS_MOST; i++)
		free(t->names[i]);
}

void app_draw_strips(struct app *a, struct canvas *c, struct area area)
{
	struct told t;

	tell_strips(a, &t);
	strips_draw(&a->together.strips, &t.look, c, area);
	forget_told(&t);
}

/* A frame, at this moment of it. */
static unsigned choose_at(struct app *a, uint64_t frame, int64_t moment)
{
	a->together.moment = moment;
	return app_choose_frame(a, frame);
}

/* The longest frame of the column that lies so many beside that of the moment. */
unsigned app_strips_scrub(struct app *a, int columns)
{
	struct told t;
	uint64_t found;
	int64_t moment;

	tell_strips(a, &t);
	found = strips_beside(&a->together.strips, &t.look, columns, &moment);
	forget_told(&t);
	/* where none is there, or it is one for both, it is the next one */
	return found && found != a->at->times.chosen ? choose_at(a, found, moment) : app_step(a, columns);
}

void app_strips_reveal(struct app *a)
{
	struct told t;

	tell_strips(a, &t);
	strips_reveal(&a->together.strips, &t.look, a->screen.graph, a->together.moment);
	forget_told(&t);
}

void app_strips_zoom(struct app *a, int by, int64_t around)
{
	struct told t;

	tell_strips(a, &t);
	strips_zoom(&a->together.strips, &t.look, a->screen.graph, by, around);
	forget_told(&t);
}

bool app_strips_can_zoom(const struct app *a, int by)
{
	struct strips g = a->together.strips;
	struct told t;

	tell_strips(a, &t);
	strips_zoom(&g, &t.look, a->screen.graph, by, a->together.moment);
	forget_told(&t);
	return g.zoom != a->together.strips.zoom;
}

void app_strips_pan(struct app *a, int columns)
{
	struct told t;

	tell_strips(a, &t);
	strips_pan(&a->together.strips, &t.look, a->screen.graph, columns);
	forget_told(&t);
}

/* The mouse */

/* The program under it comes into focus, and the frame there is shown. */
static void press_strip(struct app *a, int strip, uint64_t frame, int64_t moment)
{
	app_focus(a, (unsigned)strip);
	a->drag.in_strips = moment != MOMENT_NONE;
	a->drag.moved = false;
	a->drag.moment = a->drag.to_moment = moment;
	if (frame)
		choose_at(a, frame, moment);
}

/* The last line shows what the band covers while it grows. */
static void drag_strip(struct app *a, int64_t moment)
{
	int64_t ns;

	if (!a->drag.in_strips || moment == MOMENT_NONE)
		return;
	a->drag.moved |= moment != a->drag.moment;
	a->drag.to_moment = moment;
	ns = moment > a->drag.moment ? moment - a->drag.moment : a->drag.moment - moment;
	app_say(a, "%s of all programs", figure_timed(ns, 1000000000, NULL, 3, a->style.ascii).text);
}

static void release_strip(struct app *a, const struct strips_look *look, int64_t moment)
{
	moment = moment != MOMENT_NONE ? moment : a->drag.to_moment;
	if (a->drag.in_strips && a->drag.moved && moment != a->drag.moment)
		strips_fit(&a->together.strips, look, a->screen.graph, a->drag.moment, moment);
	a->drag.in_strips = false;
}

void app_strips_mouse(struct app *a, const struct term_event *e)
{
	struct told t;
	uint64_t frame;
	int64_t moment;
	int strip;

	tell_strips(a, &t);
	strip = strips_at(&a->together.strips, &t.look, a->screen.graph, e->x - a->screen.graph.x,
			  e->y - a->screen.graph.y, &moment, &frame);
	if (e->button == WHEEL_UP || e->button == WHEEL_DOWN)
		strips_zoom(&a->together.strips, &t.look, a->screen.graph, e->button == WHEEL_UP ? -1 : 1, moment);
	else if (e->action == MOUSE_RELEASE)
		release_strip(a, &t.look, moment);
	else if (e->action == MOUSE_DRAG)
		drag_strip(a, moment);
	else if (e->button == BUTTON_LEFT && strip >= 0)
		press_strip(a, strip, frame, moment);
	forget_told(&t);
	a->stale = true;
}

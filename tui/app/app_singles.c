/* SPDX-License-Identifier: MIT */
/*
 * app_singles: single calls of the focus of the call graph: when they are taken, and the way to the slowest of them.
 */
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"

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

/* What is paused has its own; live they are taken now and then, as long as they are looked at. */
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

static const struct call *slowest_of_focus(const struct app *a)
{
	struct query *query = times_query(&a->at->times);
	uint64_t focus = focus_of(a);
	uint32_t key = query && focus ? keys_by_id(query_keys(query), focus) : PROFILE_NONE;

	if (key == PROFILE_NONE || !a->at->times.singles)
		return NULL;
	return singles_slowest(singles_look(a->at->times.singles, query, times_profile(&a->at->times), key,
					    times_selection(&a->at->times)));
}

bool app_knows_slowest(const struct app *a, enum command unused)
{
	(void)unused;
	return slowest_of_focus(a);
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
	const struct call *slowest = slowest_of_focus(a);
	const struct profile_frame *frame;
	unsigned effects;

	(void)unused;
	if (!slowest) {
		app_say(a, focus_of(a) ? "no single call of this zone is known"
				       : "open a call graph first: J goes to the slowest call of its zone");
		return EFFECT_DRAW;
	}
	frame = frame_at(times_profile(t), slowest->leave);
	if (!frame) {
		say_not_held(a, slowest->leave);
		return EFFECT_DRAW;
	}
	if (frame->number == t->chosen) {
		app_say(a, "the slowest call is in this frame; 6 shows when");
		return EFFECT_DRAW;
	}
	singles_hold(t->singles, true); /* or the pause would take newer ones, and let go of this one for them */
	effects = app_choose_frame(a, frame->number);
	singles_hold(t->singles, false);
	return effects;
}

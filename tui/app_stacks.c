/* SPDX-License-Identifier: MIT */
/*
 * app_stacks: the view of the zones that are open, and when those are read.
 *
 * They belong to the moment that is looked at: live they are renewed at each look, and pausing takes them
 * once, as it takes the copy of the profile. Of a dead program they are those that it died in.
 */
#include "tui/app_inside.h"

bool app_wants_stacks(const struct app *a, bool at_look)
{
	if (a->times.paused)
		return a->stacks_of != a->times.paused && !a->times.another;
	return a->times.live && a->view == VIEW_STACKS && (at_look || !a->stacks || a->stacks_of);
}

void app_take_stacks(struct app *a, struct open_stacks *stacks)
{
	open_stacks_free(a->stacks);
	a->stacks = stacks;
	a->stacks_of = a->times.paused;
	if (a->view == VIEW_STACKS)
		a->stale = true;
}

const char *app_stacks_when(const struct app *a)
{
	if (!a->stacks || a->stacks->state == PROFILE_LIVE)
		return a->times.paused ? "when paused" : "now";
	return a->stacks->state == PROFILE_DEAD ? "when it died" : "when it ended";
}

unsigned app_turn_stacks(struct app *a, int unused)
{
	(void)unused;
	return a->view == VIEW_STACKS ? app_go_back(a) : app_open_view(a, VIEW_STACKS);
}

/* A zone of a row that is one thread's is looked at in that thread. */
void app_choose_row_thread(struct app *a)
{
	const struct profile *p = times_profile(&a->times);
	const struct view *v = app_view(a);
	uint32_t thread;
	uint64_t id;

	if (!v->ops->thread || !v->ops->thread(v, &id))
		return;
	thread = profile_find_thread(p, id);
	if (thread != PROFILE_NONE && !profile_selects(p, app_threads(a, p), thread))
		app_choose_threads(a, thread);
}

/* SPDX-License-Identifier: MIT */
/*
 * app_worst: from the longest frame to the next longest and back, and to the newest.
 */
#include "model/worst.h"
#include "tui/app_inside.h"
#include "tui/figures.h"

/* A walk goes on from the frame that it came to last, also when others were looked at in between. */
unsigned app_step_worst(struct app *a, int step)
{
	struct times *t = &a->times;
	struct worst w;
	uint64_t from;

	if (!times_pause(t))
		return app_choose_frame(a, 0); /* it says why */
	from = profile_find_frame(t->paused, t->worst) ? t->worst : 0;
	w = worst_beside(t->paused, from, step > 0);
	if (!w.frame && from) {
		app_choose_frame(a, from);
		app_say(a, step > 0 ? "this is the shortest frame that is held"
				    : "this is the longest frame that is held");
		return EFFECT_DRAW;
	}
	if (!w.frame)
		return app_choose_frame(a, 0);
	t->worst = w.frame;
	app_choose_frame(a, w.frame);
	app_say(a, "worst %s of %s", figure_grouped(w.place).text, figure_grouped(w.count).text);
	return EFFECT_DRAW;
}

unsigned app_follow(struct app *a, int unused)
{
	(void)unused;
	a->times.graph.right = 0;
	a->strips.right = MOMENT_NONE;
	if (a->times.paused)
		return app_turn_pause(a, 0);
	a->stale = true;
	return EFFECT_DRAW;
}

/* SPDX-License-Identifier: MIT */
/*
 * app_freeze: the view pauses by itself on the first frame that takes too long.
 *
 *   off --B--> armed --a frame over--> found --AFTER_FRAMES more, or AFTER_S--> paused on it
 *                ^                                                                 |
 *                +------------------------------- live again ----------------------+
 *
 * It does not pause at once. Pausing takes a copy of what is held, and one wants to see what happened after the long
 * frame as well as before it; so it waits for 40 more frames, but no longer than half a second, and not at all if the program
 * is no longer live.
 *
 * Frames that were there before it was armed do not count, nor do those that come while the view is paused.
 */
#include <math.h>

#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"

#define AFTER_FRAMES 40
#define AFTER_S 0.5

/* A frame is too long if it takes longer than this. 0: there is no limit, and nothing to be armed with. */
static double over_ms(const struct app *a)
{
	return a->freeze.ms > 0 ? a->freeze.ms : a->choice.budget_ms;
}

int64_t app_freeze_over(const struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	double ticks = p ? over_ms(a) / 1000 * (double)p->ticks_per_s : 0;

	if (!a->freeze.armed || !(ticks > 0))
		return 0;
	return ticks < 9e18 ? (int64_t)llround(ticks) : INT64_MAX;
}

static uint64_t newest_of(const struct profile *p)
{
	return p && p->frame_count ? p->frames[p->frame_count - 1].number : 0;
}

void app_freeze_from_now(struct app *a)
{
	a->freeze.seen = newest_of(a->at->times.live);
	a->freeze.found = 0;
}

/* Looks through the frames that have come since the last time for one that is too long.
 *
 * A program that marks no frames is cut into frames by proftop, and such a frame is as long as the time between two
 * looks at the program. That says nothing of the program, so these are passed over. */
static void find(struct app *a, int64_t over)
{
	const struct profile *p = a->at->times.live;

	for (uint32_t i = profile_frame_index(p, a->freeze.seen + 1); i < p->frame_count; i++)
		if (frame_counts(&p->frames[i]) && !(p->frames[i].flags & FRAME_GUESSED) &&
		    p->frames[i].length > over) {
			a->freeze.found = p->frames[i].number;
			a->freeze.found_at = a->now;
			break;
		}
	a->freeze.seen = newest_of(p);
}

/* Whether enough frames have followed the long one. If the program is no longer live, or AFTER_S have passed, what has
 * come must do. */
static bool has_after(const struct app *a)
{
	return newest_of(a->at->times.live) - a->freeze.found >= AFTER_FRAMES ||
	       a->now - a->freeze.found_at >= AFTER_S || a->at->state != SCENE_LIVE;
}

static void freeze(struct app *a, int64_t over)
{
	const struct profile_frame *frame = profile_find_frame(a->at->times.live, a->freeze.found);
	uint64_t ticks_per_s = a->at->times.live->ticks_per_s, number = a->freeze.found;
	const struct figure_unit *unit = figure_unit_for(over, ticks_per_s);
	struct figure took;

	a->freeze.found = 0;
	if (!frame)
		return;
	took = figure_time(frame->length, ticks_per_s, unit, 4); /* with the digits that the title of the screen has */
	app_choose_frame(a, number);
	if (a->at->times.paused)
		app_say(a, "frame %s took %s %s, over %s. p goes live, B cancels",
			figure_grouped(number).text, took.text, figure_unit_name(unit, a->style.ascii),
			figure_time(over, ticks_per_s, unit, 4).text);
}

void app_watch(struct app *a)
{
	int64_t over = app_freeze_over(a);

	a->freeze.armed &= over_ms(a) > 0; /* the user may have taken the budget away */
	if (!over || a->at->times.paused || !a->at->times.live) {
		app_freeze_from_now(a);
		return;
	}
	if (!a->freeze.found)
		find(a, over);
	if (a->freeze.found && has_after(a))
		freeze(a, over);
}

/* From when on frames are looked at, for the message; "" if that is from now on. */
static const char *from_when(const struct app *a)
{
	if (a->at->times.paused)
		return ", once you go live (p)";
	return a->at->state == SCENE_LIVE ? "" : ", once the program runs again";
}

void app_arm_freeze(struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct figure_unit *unit;
	int64_t over;

	a->freeze.armed = over_ms(a) > 0;
	over = app_freeze_over(a);
	app_freeze_from_now(a);
	if (!over)
		return;
	unit = figure_unit_for(over, p->ticks_per_s);
	app_say(a, "will pause at the first frame over %s %s%s; B cancels", figure_time(over, p->ticks_per_s, unit, 3).text,
		figure_unit_name(unit, a->style.ascii), from_when(a));
}

unsigned app_turn_freeze(struct app *a, int unused)
{
	(void)unused;
	if (a->freeze.armed) {
		a->freeze.armed = false;
		app_say(a, "will not pause at slow frames");
	} else if (over_ms(a) > 0) {
		app_arm_freeze(a);
	} else {
		app_ask_freeze(a);
	}
	return EFFECT_DRAW;
}

/* SPDX-License-Identifier: MIT */
/*
 * app_freeze: the view stops on a frame that took too long.
 *
 *   off --B--> armed --a frame over--> found --AFTER_FRAMES more, or AFTER_S--> paused on it
 *                ^                                                                 |
 *                +------------------------------- live again ----------------------+
 *
 * The copy is taken when some frames have come behind the one that was too long, so that it has a before and an
 * after. Only frames that come while it is armed and the view is live are looked at.
 */
#include <math.h>

#include "model/frame_stats.h"
#include "tui/app_inside.h"
#include "tui/figures.h"

#define AFTER_FRAMES 40
#define AFTER_S 0.5

static double over_ms(const struct app *a)
{
	return a->freeze.ms > 0 ? a->freeze.ms : a->budget_ms;
}

int64_t app_freeze_over(const struct app *a)
{
	const struct profile *p = times_profile(&a->times);
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
	a->freeze.seen = newest_of(a->times.live);
	a->freeze.found = 0;
}

/* The first frame behind those that were seen that is over it. One that proftop cut is as long as its look at the
 * program, which tells nothing of that. */
static void find(struct app *a, int64_t over)
{
	const struct profile *p = a->times.live;

	for (uint32_t i = profile_frame_index(p, a->freeze.seen + 1); i < p->frame_count; i++)
		if (frame_counts(&p->frames[i]) && !(p->frames[i].flags & FRAME_GUESSED) &&
		    p->frames[i].length > over) {
			a->freeze.found = p->frames[i].number;
			a->freeze.found_at = a->now;
			break;
		}
	a->freeze.seen = newest_of(p);
}

/* Whether there is an after, or none will come. */
static bool has_after(const struct app *a)
{
	return newest_of(a->times.live) - a->freeze.found >= AFTER_FRAMES ||
	       a->now - a->freeze.found_at >= AFTER_S || a->state != SCENE_LIVE;
}

static void freeze(struct app *a, int64_t over)
{
	const struct profile_frame *frame = profile_find_frame(a->times.live, a->freeze.found);
	uint64_t ticks_per_s = a->times.live->ticks_per_s, number = a->freeze.found;
	const struct figure_unit *unit = figure_unit_for(over, ticks_per_s);
	struct figure took;

	a->freeze.found = 0;
	if (!frame)
		return;
	took = figure_time(frame->length, ticks_per_s, unit, 4); /* as the title has it */
	app_choose_frame(a, number);
	if (a->times.paused)
		app_say(a, "frame %s took %s %s, over %s: frozen. p goes live, B disarms",
			figure_grouped(number).text, took.text, figure_unit_name(unit, a->ascii),
			figure_time(over, ticks_per_s, unit, 4).text);
}

void app_watch(struct app *a)
{
	int64_t over = app_freeze_over(a);

	a->freeze.armed &= over_ms(a) > 0; /* the budget may be gone */
	if (!over || a->times.paused || !a->times.live) {
		app_freeze_from_now(a);
		return;
	}
	if (!a->freeze.found)
		find(a, over);
	if (a->freeze.found && has_after(a))
		freeze(a, over);
}

/* From when on frames are looked at, if that is not now. */
static const char *from_when(const struct app *a)
{
	if (a->times.paused)
		return ", once it is live again";
	return a->state == SCENE_LIVE ? "" : ", once the program runs again";
}

void app_arm_freeze(struct app *a)
{
	const struct profile *p = times_profile(&a->times);
	const struct figure_unit *unit;
	int64_t over;

	a->freeze.armed = over_ms(a) > 0;
	over = app_freeze_over(a);
	app_freeze_from_now(a);
	if (!over)
		return;
	unit = figure_unit_for(over, p->ticks_per_s);
	app_say(a, "the first frame over %s %s freezes the view%s", figure_time(over, p->ticks_per_s, unit, 3).text,
		figure_unit_name(unit, a->ascii), from_when(a));
}

unsigned app_turn_freeze(struct app *a, int unused)
{
	(void)unused;
	if (a->freeze.armed) {
		a->freeze.armed = false;
		app_say(a, "no frame freezes the view");
	} else if (over_ms(a) > 0) {
		app_arm_freeze(a);
	} else {
		app_ask_freeze(a);
	}
	return EFFECT_DRAW;
}

/* SPDX-License-Identifier: MIT */
/*
 * app_why: what the frame that is chosen is set against, in the view why and as a column of all others.
 *
 * It stays on when another frame is chosen or another view opened, until d is pressed again. The view why turns it on
 * by itself; then d is no end of it, so that p w d from there ends where it does from elsewhere, and so in each pause. The copy that is
 * looked at while it is paused does not grow, so its median frame and its shortest stay what they are.
 */
#include <stdio.h>

#include "tui/app_inside.h"
#include "tui/figures.h"

/* What is chosen */

bool app_compares(const struct app *a)
{
	return a->comparing && a->times.chosen;
}

bool app_why_ends(const struct app *a)
{
	return app_compares(a) && a->asked_why;
}

/* Kept while it is paused: to look for the median costs as much as there are frames. */
static uint64_t held_base(struct app *a)
{
	const struct profile *p = a->times.paused;

	uint64_t newest = p->frame_count ? p->frames[p->frame_count - 1].number : 0;

	if (a->base_of != p || a->base_newest != newest || a->base_kind != a->base) {
		a->base_number = base_frame(p, a->base, 0, 0);
		a->base_of = p;
		a->base_newest = newest;
		a->base_kind = a->base;
	}
	return a->base_number;
}

/* Where the mark is now; 0: it is gone, as those of another run are. */
static uint64_t marked_base(const struct app *a)
{
	return a->base_letter ? a->times.marks[a->base_letter - 'a'] : 0;
}

uint64_t app_base(struct app *a)
{
	const struct profile *p = a->times.paused;

	if (!p) {
		a->base_of = NULL;
		a->asked_why = false;
	}
	if (a->view == VIEW_WHY && a->times.chosen)
		a->comparing = true;
	if (!app_compares(a) || !p)
		return 0;
	switch (a->base) {
	case BASE_AVERAGE:
		return LENS_BASE_AVERAGE;
	case BASE_PREVIOUS:
	case BASE_FRAME:
		return base_frame(p, a->base, a->times.chosen, marked_base(a));
	default:
		return held_base(a);
	}
}

const char *app_base_name(struct app *a)
{
	if (a->base == BASE_FRAME && a->base_letter)
		snprintf(a->base_name, sizeof(a->base_name), "mark %c", a->base_letter);
	else
		snprintf(a->base_name, sizeof(a->base_name), "%s", base_names[a->base]);
	return a->base_name;
}

/* Those that the view why has: all, the marking one first, unless somebody chose among them. */
uint32_t app_why_threads(const struct app *a)
{
	const struct profile *p = times_profile(&a->times);

	return a->thread == CHOOSE_MARKING || !p ? THREADS_ALL : app_threads(a, p);
}

/* Turning it on and off */

/* The longest of the frames that are in sight in the frame graph: what made somebody ask. 0: there is none. */
static uint64_t longest_in_sight(const struct app *a)
{
	const struct profile *p = times_profile(&a->times);
	struct look look = app_looks(a);
	const struct profile_frame *longest = NULL;
	uint32_t first, count = 0;

	if (!p || !p->frame_count)
		return 0;
	first = frame_graph_sight(&look.graph, &look.frames, look.graph_area, &count);
	for (uint32_t i = first; i < p->frame_count && i - first < count; i++)
		if (frame_counts(&p->frames[i]) && (!longest || p->frames[i].length >= longest->length))
			longest = &p->frames[i];
	return longest ? longest->number : 0;
}

/* A frame is chosen where none is. False: there is none. */
static bool choose_one(struct app *a)
{
	uint64_t number = a->times.chosen ? 0 : longest_in_sight(a);

	if (a->times.chosen)
		return true;
	if (!number) {
		app_say(a, "there are no frames yet");
		return false;
	}
	app_choose_frame(a, number);
	if (a->times.chosen)
		app_say(a, "paused on the longest frame in sight: [ and ] step, w goes to the longest of all");
	return a->times.chosen;
}

static void turn_on(struct app *a)
{
	if (!choose_one(a))
		return;
	if (app_compares(a) && a->view == VIEW_WHY)
		app_say(a, "this is why: d again ends it, D sets it against another frame");
	a->comparing = true;
	a->asked_why = true;
	a->paused_run = false;
	app_open_view(a, VIEW_WHY);
	app_look(a);
}

static void turn_off(struct app *a)
{
	a->comparing = false;
	a->asked_why = false;
	if (a->view == VIEW_WHY)
		app_go_back(a);
	app_look(a);
}

unsigned app_why(struct app *a, int unused)
{
	(void)unused;
	if (app_why_ends(a))
		turn_off(a);
	else
		turn_on(a);
	return EFFECT_DRAW;
}

/* The list of what it can be set against. Values below BASES are kinds; behind them stand marks. */

static void put_frame(const struct app *a, uint64_t number, char *out, size_t size)
{
	const struct profile *p = a->times.paused;
	const struct profile_frame *frame = number ? profile_find_frame(p, number) : NULL;
	const struct figure_unit *unit;

	if (!frame) {
		snprintf(out, size, "none that is held");
		return;
	}
	unit = figure_unit_for(frame->length, p->ticks_per_s);
	snprintf(out, size, "frame %s, %s %s", figure_grouped(number).text,
		 figure_time(frame->length, p->ticks_per_s, unit, 4).text, figure_unit_name(unit, a->ascii));
}

static void add_base(struct app *a, enum base_kind kind, const char *what)
{
	char frame[128];

	put_frame(a, base_frame(a->times.paused, kind, a->times.chosen, 0), frame, sizeof(frame));
	if (kind == BASE_AVERAGE)
		snprintf(frame, sizeof(frame), "over about 0.8 s before it was paused");
	if (picker_add(&a->picker, kind, "%s%*s  %s", what, picker_pad(what), "", frame) && kind == a->base)
		a->picker.at = a->picker.count - 1;
}

static void add_marks(struct app *a)
{
	for (unsigned i = 0; i < FRAME_MARKS; i++) {
		char what[16], frame[128];

		if (!a->times.marks[i])
			continue;
		snprintf(what, sizeof(what), "mark %c", 'a' + i);
		put_frame(a, a->times.marks[i], frame, sizeof(frame));
		if (picker_add(&a->picker, BASES + i, "%s%*s  %s", what, picker_pad(what), "", frame) &&
		    a->base == BASE_FRAME && a->base_letter == (char)('a' + i))
			a->picker.at = a->picker.count - 1;
	}
}

unsigned app_pick_base(struct app *a, int unused)
{
	(void)unused;
	if (!choose_one(a))
		return EFFECT_DRAW;
	picker_begin(&a->picker, "Set the frame against");
	add_base(a, BASE_MEDIAN, "the median frame");
	add_base(a, BASE_PREVIOUS, "the one before");
	add_base(a, BASE_BEST, "the shortest");
	add_base(a, BASE_AVERAGE, "the average");
	add_marks(a);
	a->overlay = OVERLAY_PICKER;
	a->asked = COMMAND_WHY_BASE;
	return EFFECT_DRAW;
}

void app_picked_base(struct app *a, uint64_t value)
{
	if (value < BASES) {
		a->base = (enum base_kind)value;
		a->base_letter = 0;
	} else if (value - BASES < FRAME_MARKS) {
		a->base = BASE_FRAME;
		a->base_letter = (char)('a' + (value - BASES));
	}
	if (!app_compares(a))
		turn_on(a);
	a->asked_why = app_compares(a);
	app_look(a);
}

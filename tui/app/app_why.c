/* SPDX-License-Identifier: MIT */
/*
 * app_why: the chosen frame is set against another one, its base. The view why is made of that, and all other views
 * get a column of the differences.
 *
 * The comparison is on from the first d, which opens the view why, until the next d; choosing a frame or opening a view
 * leaves it on.
 *
 * The view why has it on whenever a frame is chosen. There the first d only counts as pressed and does not turn it off,
 * so that p w d (pause, the longest frame, why) ends in the same place from every view. Whether d was pressed is
 * forgotten when the pause ends.
 */
#include <stdio.h>

#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"

/* What is chosen */

bool app_compares(const struct app *a)
{
	return a->why.on && a->at->times.chosen && !a->at->times.selected_to;
}

bool app_why_ends(const struct app *a)
{
	return app_compares(a) && a->why.asked;
}

/* The base of the chosen frame in the copy. Another copy may have the address of the last one: bases_renew compares its
 * newest frame, too. */
static struct base_frame find_base(struct app *a)
{
	a->at->bases = bases_renew(a->at->bases, a->at->times.paused, true);
	return a->at->bases ? bases_search(a->at->bases, a->at->base, a->at->times.chosen)
			    : (struct base_frame){ .kind = BASE_MEDIAN };
}

void app_forget_bases(struct app *a)
{
	bases_free(a->at->bases);
	a->at->bases = NULL;
}

/* The frame that has the mark now. 0: none has it any more; when a program starts anew its marks are gone. */
static uint64_t marked_base(const struct app *a)
{
	return a->at->base_letter ? a->at->times.marks[a->at->base_letter - 'a'] : 0;
}

uint64_t app_base(struct app *a)
{
	const struct profile *p = a->at->times.paused;

	if (!p) {
		app_forget_bases(a);
		a->why.asked = false;
	}
	if (a->view == VIEW_WHY && a->at->times.chosen)
		a->why.on = true;
	if (!app_compares(a) || !p)
		return 0;
	switch (a->at->base) {
	case BASE_AVERAGE:
		return QUERY_BASE_AVERAGE;
	case BASE_FRAME:
		return base_frame(p, BASE_FRAME, a->at->times.chosen, marked_base(a));
	default:
		return find_base(a).number;
	}
}

/* The kind of the usual frame: the median, until a base was found. */
static enum base_kind usual_kind(struct app *a)
{
	return a->at->bases ? find_base(a).kind : BASE_MEDIAN;
}

const char *app_base_name(struct app *a)
{
	if (a->at->base == BASE_FRAME && a->at->base_letter)
		snprintf(a->why.base_name, sizeof(a->why.base_name), "mark %c", a->at->base_letter);
	else
		snprintf(a->why.base_name, sizeof(a->why.base_name), "%s",
			 base_names[a->at->base == BASE_USUAL ? usual_kind(a) : a->at->base]);
	return a->why.base_name;
}

const char *app_base_reason(struct app *a)
{
	*a->why.base_reason = '\0';
	if (a->at->base == BASE_USUAL && a->at->bases) {
		struct base_frame base = find_base(a);

		base_reason(&base, a->why.base_reason);
	}
	return a->why.base_reason;
}

/* The threads that the view why shows. Unless the user has chosen some these are all of them, as what made a frame long
 * may have been in any thread. */
uint32_t app_why_threads(const struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);

	return a->choice.thread == CHOOSE_FIRST || !p ? THREADS_ALL : app_threads(a, p);
}

/* Turning it on and off */

/* The longest frame that can be seen in the frame graph now. Who asks why without having chosen a frame most likely
 * asks because of that one. 0: there is none. */
static uint64_t longest_in_sight(const struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
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

/* If no frame is chosen, chooses one. False: there is none to choose. */
static bool choose_one(struct app *a)
{
	uint64_t number = a->at->times.chosen ? 0 : longest_in_sight(a);

	if (a->at->times.chosen)
		return true;
	if (!number) {
		app_say_no_frames(a);
		return false;
	}
	app_choose_frame(a, number);
	if (a->at->times.chosen)
		app_say(a, "paused at the longest visible frame%s[ ] step%sw longest of all", app_dot(a), app_dot(a));
	return a->at->times.chosen;
}

static void turn_on(struct app *a)
{
	if (!choose_one(a))
		return;
	if (app_compares(a) && a->view == VIEW_WHY)
		app_say(a, "Why is open; d closes it, D chooses another base");
	a->why.on = true;
	a->why.asked = true;
	a->at->paused_run = false;
	app_open_view(a, VIEW_WHY);
	app_look(a);
}

void app_end_why(struct app *a)
{
	a->why.on = false;
	a->why.asked = false;
	if (a->view == VIEW_WHY)
		app_go_back(a);
	app_look(a);
}

unsigned app_why(struct app *a, int unused)
{
	(void)unused;
	if (a->at->times.selected_to) /* it is the frame that is asked about */
		app_unselect(a, 0);
	if (app_why_ends(a) && a->view == VIEW_WHY)
		app_end_why(a);
	else
		turn_on(a);
	return EFFECT_DRAW;
}

/* The list of bases to choose from. A value of the list below BASES is a kind of base; BASES is mark a, BASES + 1 is
 * mark b, and so on. */

static void put_frame(const struct app *a, uint64_t number, char *out, size_t size)
{
	const struct profile *p = a->at->times.paused;
	const struct profile_frame *frame = number ? profile_find_frame(p, number) : NULL;
	const struct figure_unit *unit;

	if (!frame) {
		snprintf(out, size, "not in the history");
		return;
	}
	unit = figure_unit_for(frame->length, p->ticks_per_s);
	snprintf(out, size, "frame %s, %s %s", figure_grouped(number).text,
		 figure_time(frame->length, p->ticks_per_s, unit, 4).text, figure_unit_name(unit, a->style.ascii));
}

static void add_base(struct app *a, enum base_kind kind, uint64_t number, const char *what)
{
	char frame[128];

	put_frame(a, number, frame, sizeof(frame));
	if (kind == BASE_AVERAGE)
		snprintf(frame, sizeof(frame), "over about 0.8 s before the pause");
	if (picker_add(&a->ask.picker, kind, "%s%*s  %s", what, picker_pad(what), "", frame) && kind == a->at->base)
		a->ask.picker.at = a->ask.picker.count - 1;
}

/* The median frame may be the one of similar calls, too: then it is one row. */
static void add_typical_bases(struct app *a, struct bases *b)
{
	uint64_t chosen = a->at->times.chosen, median = bases_search(b, BASE_MEDIAN, chosen).number;
	uint64_t similar = bases_search(b, BASE_SIMILAR, chosen).number;

	if (median && median == similar) {
		add_base(a, a->at->base == BASE_SIMILAR ? BASE_SIMILAR : BASE_MEDIAN, median, "median and similar");
		return;
	}
	add_base(a, BASE_MEDIAN, median, "the median frame");
	add_base(a, BASE_SIMILAR, similar, "a similar frame");
}

static void add_marks(struct app *a)
{
	for (unsigned i = 0; i < FRAME_MARKS; i++) {
		char what[16], frame[128];

		if (!a->at->times.marks[i])
			continue;
		snprintf(what, sizeof(what), "mark %c", 'a' + i);
		put_frame(a, a->at->times.marks[i], frame, sizeof(frame));
		if (picker_add(&a->ask.picker, BASES + i, "%s%*s  %s", what, picker_pad(what), "", frame) &&
		    a->at->base == BASE_FRAME && a->at->base_letter == (char)('a' + i))
			a->ask.picker.at = a->ask.picker.count - 1;
	}
}

unsigned app_pick_base(struct app *a, int unused)
{
	uint64_t chosen;
	struct bases *b;

	(void)unused;
	if (!choose_one(a))
		return EFFECT_DRAW;
	find_base(a);
	b = a->at->bases;
	if (!b) {
		app_say(a, "out of memory");
		return EFFECT_DRAW;
	}
	chosen = a->at->times.chosen;
	picker_begin(&a->ask.picker, "Compare the frame with");
	add_base(a, BASE_USUAL, bases_search(b, BASE_USUAL, chosen).number, "the usual frame");
	add_typical_bases(a, b);
	add_base(a, BASE_PREVIOUS, bases_search(b, BASE_PREVIOUS, chosen).number, "the previous frame");
	add_base(a, BASE_BEST, bases_search(b, BASE_BEST, chosen).number, "the shortest frame");
	add_base(a, BASE_AVERAGE, 0, "the average");
	add_marks(a);
	a->ask.overlay = OVERLAY_PICKER;
	a->ask.command = COMMAND_WHY_BASE;
	return EFFECT_DRAW;
}

void app_picked_base(struct app *a, uint64_t value)
{
	if (value < BASES) {
		a->at->base = (enum base_kind)value;
		a->at->base_letter = 0;
	} else if (value - BASES < FRAME_MARKS) {
		a->at->base = BASE_FRAME;
		a->at->base_letter = (char)('a' + (value - BASES));
	}
	if (!app_compares(a))
		turn_on(a);
	a->why.asked = app_compares(a);
	app_look(a);
}

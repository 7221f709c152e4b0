/* SPDX-License-Identifier: MIT */
/*
 * app_time: which frame is looked at: pausing, stepping, scrubbing in the frame graph, the longest ones, marks.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "model/base/format.h"
#include "model/stats/worst.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"
#include "tui/frames/instants.h"

void app_go_live(struct app *a)
{
	if (a->at->times.paused)
		app_turn_pause(a, 0);
}

unsigned app_turn_pause(struct app *a, int unused)
{
	(void)unused;
	if (a->together.paused && !a->at->times.paused)
		return app_tracks_live(a);
	if (a->at->times.paused) {
		times_go_live(&a->at->times);
		app_take_stacks(a, a->focus, NULL); /* they were of the copy */
	} else if (!times_pause(&a->at->times))
		app_say(a, "%s", a->at->times.live ? "out of memory: cannot pause"
					       : "nothing to pause yet");
	a->at->paused_run = false;
	a->at->stats_made = -1;
	app_look(a);
	return EFFECT_DRAW;
}

static uint64_t frame_shown(const struct app *a)
{
	const struct profile_frame *newest = times_newest(&a->at->times);

	return a->at->times.chosen ? a->at->times.chosen : newest ? newest->number : 0;
}

#define RANGE_HINT ": Enter selects them, Esc cancels"

void app_say_no_frames(struct app *a)
{
	char none[NO_FRAMES_SIZE];

	no_frames_text(times_profile(&a->at->times), none);
	app_say(a, "%s", none);
}

/* A frame was chosen: it is shown, and in sight. */
static unsigned show_chosen(struct app *a, uint64_t chosen)
{
	struct frame_graph_look look = app_graph_look(a);
	char why[128];

	if (!chosen && a->at->times.live && !a->at->times.paused)
		app_say(a, "out of memory: cannot pause");
	else if (!chosen && a->at->times.paused)
		app_say(a, "no frames: %s", no_frames_why(a->at->times.paused, why, sizeof(why)));
	else if (!chosen)
		app_say_no_frames(a);
	a->at->paused_run = false;
	a->at->stats_made = -1;
	if (!app_several(a)) /* else it is revealed in all strips: app_tracks.c */
		frame_graph_reveal(&a->at->times.graph, &look, a->screen.graph, a->at->times.chosen);
	app_show_top(a);
	app_look(a);
	if (a->at->times.range)
		app_say_range(a, a->at->times.range, chosen, RANGE_HINT);
	return EFFECT_DRAW;
}

unsigned app_choose_frame(struct app *a, uint64_t frame)
{
	return show_chosen(a, times_choose(&a->at->times, frame));
}

/* Ranges of frames */

struct range {
	uint64_t first, last; /* numbers of frames that are held */
	uint32_t count;       /* that are not discarded */
	int64_t ticks;        /* that these took */
};

/* The frames from `one` to `other`, in either order, widened to whole columns
 * of the frame graph at this zoom. Frames that were kept alone have a column
 * each. */
static struct range range_between(const struct app *a, uint64_t one, uint64_t other, uint32_t zoom)
{
	const struct profile *p = times_profile(&a->at->times);
	uint32_t alone = profile_kept_frames(p);
	uint64_t ring = alone < p->frame_count ? p->frames[alone].number : UINT64_MAX;
	struct range r = { .first = one < other ? one : other, .last = one < other ? other : one };

	if (r.first >= ring)
		r.first = r.first >> zoom << zoom > ring ? r.first >> zoom << zoom : ring;
	if (r.last >= ring)
		r.last = r.last | ((UINT64_C(1) << zoom) - 1);
	for (uint32_t i = profile_frame_index(p, r.first); i < p->frame_count && p->frames[i].number <= r.last; i++) {
		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		r.count++;
		r.ticks += p->frames[i].length;
	}
	return r;
}

static void say_range(struct app *a, struct range r, const char *hint)
{
	app_say(a, "%s frame%s, %s%s", figure_grouped(r.count).text, r.count == 1 ? "" : "s",
		figure_span(format_ns(r.ticks, times_profile(&a->at->times)->ticks_per_s)).text, hint);
}

void app_say_range(struct app *a, uint64_t one, uint64_t other, const char *hint)
{
	say_range(a, range_between(a, one, other, a->at->times.graph.zoom), hint);
}

static void select_range(struct app *a, struct range r)
{
	struct times *t = &a->at->times;

	if (!r.count)
		app_say(a, "the program discarded these frames: nothing of them was kept");
	else if (!times_select_frames(t, r.first, r.last))
		app_say(a, "out of memory");
	else
		say_range(a, r, " selected; all views show averages per frame; Esc goes back");
	a->at->paused_run = false;
	a->at->stats_made = -1;
	app_look(a);
}

void app_select_range(struct app *a, uint64_t one, uint64_t other)
{
	select_range(a, range_between(a, one, other, a->at->times.graph.zoom));
}

bool app_select_last(struct app *a, uint32_t frames)
{
	const struct profile *p;
	uint32_t last, first;

	if (app_several(a)) {
		app_say(a, "ranges of frames: with one program alone");
		return false;
	}
	a->at->times.range = 0;
	app_choose_frame(a, frame_shown(a)); /* pauses, or says why it cannot */
	if (!a->at->times.chosen)
		return false;
	p = a->at->times.paused;
	last = first = profile_frame_index(p, a->at->times.chosen);
	while (frames > 1 && first > profile_kept_frames(p)) {
		first--;
		frames -= !(p->frames[first].flags & FRAME_DISCARDED);
	}
	select_range(a, range_between(a, p->frames[first].number, p->frames[last].number, 0));
	return true;
}

unsigned app_begin_range(struct app *a, int unused)
{
	struct times *t = &a->at->times;
	bool begins = !t->range;

	(void)unused;
	if (app_several(a)) {
		app_say(a, "ranges of frames: with one program alone");
		return EFFECT_DRAW;
	}
	t->range = 0;
	if (begins)
		app_choose_frame(a, frame_shown(a)); /* which pauses */
	if (begins && t->chosen) {
		t->range = t->chosen;
		app_say_range(a, t->range, t->chosen, RANGE_HINT);
	}
	return EFFECT_DRAW;
}

unsigned app_end_range(struct app *a, int unused)
{
	(void)unused;
	if (!a->at->times.range)
		return EFFECT_DRAW;
	app_select_range(a, a->at->times.range, a->at->times.chosen);
	a->screen.graph_focused = false;
	return EFFECT_DRAW;
}

unsigned app_step(struct app *a, int frames)
{
	return show_chosen(a, times_step(&a->at->times, frames));
}

/* The longest frame of the column of the frame graph that lies `columns` from that of the chosen one. */
unsigned app_scrub(struct app *a, int columns)
{
	uint32_t zoom = a->at->times.graph.zoom;
	const struct profile *p;
	uint64_t column;
	int64_t longest = -1;
	uint64_t found = 0;

	if (app_several(a))
		return app_strips_scrub(a, columns);
	if (!times_pause(&a->at->times) || !zoom)
		return app_step(a, columns);
	p = a->at->times.paused;
	column = (a->at->times.chosen >> zoom) + (uint64_t)(int64_t)columns;
	for (uint32_t i = profile_frame_index(p, column << zoom);
	     i < p->frame_count && p->frames[i].number >> zoom == column; i++)
		if (p->frames[i].length > longest) {
			longest = p->frames[i].length;
			found = p->frames[i].number;
		}
	/* where none is there, it is a gap, or the end */
	return found ? app_choose_frame(a, found) : app_step(a, columns);
}

/* To the frame before or behind, in which something happened. */
unsigned app_step_event(struct app *a, int step)
{
	const struct profile *p = times_profile(&a->at->times);
	uint64_t found = p ? instants_step(p, frame_shown(a), step) : 0;

	if (found)
		return app_choose_frame(a, found);
	if (!p || !p->instant_count)
		app_say(a, "the program reported no event and no note");
	else
		app_say(a, "no frame in the history has a note or a rare event %s this one",
			step > 0 ? "after" : "before");
	return EFFECT_DRAW;
}

/* `st` of 1st. */
static const char *ordinal_ending(uint32_t n)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };

	return n % 10 < 4 && n / 10 % 10 != 1 ? endings[n % 10] : "th";
}

static struct figure budget_shown(const struct app *a, const struct profile *p)
{
	return figure_timed(app_budget(a), p->ticks_per_s, NULL, 3, a->style.ascii);
}

/* Called when a budget was set. */
void app_say_over(struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	uint32_t over = p && app_budget(a) ? worst_over(p, UINT64_MAX, app_budget(a), -1).count : 0;

	if (over)
		app_say(a, "%s frame%s over %s%s# previous%s$ next", figure_grouped(over).text, over == 1 ? "" : "s",
			budget_shown(a, p).text, app_dot(a), app_dot(a));
}

/* Live, all frames that are held are before what is shown: either key goes to the newest one. */
unsigned app_step_over(struct app *a, int step)
{
	const struct profile *p = times_profile(&a->at->times);
	uint64_t from = a->at->times.chosen ? a->at->times.chosen : UINT64_MAX;
	int64_t budget = app_budget(a);
	struct figure shown;
	struct worst w;

	if (!p || !budget) {
		app_say(a, p ? "no budget: set one with b" : "no frames yet");
		return EFFECT_DRAW;
	}
	if (!a->at->times.chosen)
		step = -1;
	w = worst_over(p, from, budget, step);
	shown = budget_shown(a, p);
	if (w.frame) {
		app_choose_frame(a, w.frame);
		app_say(a, "%s%s of %s frame%s over %s%s# previous%s$ next", figure_grouped(w.place).text,
			ordinal_ending(w.place), figure_grouped(w.count).text, w.count == 1 ? "" : "s", shown.text,
			app_dot(a), app_dot(a));
	} else {
		bool later = step > 0 && w.count && !a->at->is_file && scene_lives(a->at->state);

		app_say(a, "no frame%s is over the budget of %s%s%s",
			later ? " between this one and the pause" : !w.count ? "" : step > 0 ? " after this one" : " before this one",
			shown.text, later ? app_dot(a) : "", later ? "press p to go live" : "");
	}
	return EFFECT_DRAW;
}

unsigned app_zoom(struct app *a, int by)
{
	struct frame_graph_look look = app_graph_look(a);

	if (app_several(a))
		app_strips_zoom(a, by, a->together.moment);
	else
		frame_graph_zoom(&a->at->times.graph, &look, a->screen.graph, by, a->at->times.chosen);
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_pan(struct app *a, int half_widths)
{
	struct frame_graph_look look = app_graph_look(a);
	int half = a->screen.graph.width / 2;

	if (app_several(a))
		app_strips_pan(a, half_widths * (half > 0 ? half : 1));
	else
		frame_graph_pan(&a->at->times.graph, &look, a->screen.graph, half_widths * (half > 0 ? half : 1));
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_choose_end(struct app *a, int newest)
{
	return show_chosen(a, times_choose(&a->at->times, newest ? UINT64_MAX : 0));
}

unsigned app_focus_graph(struct app *a, int unused)
{
	(void)unused;
	if (app_several(a))
		return app_next_track(a);
	a->screen.graph_focused = !a->screen.graph_focused && a->screen.graph.height > 0;
	a->at->times.range = 0;
	return EFFECT_DRAW;
}

static const char *selected_word(const struct times *t)
{
	return t->worst_first ? "selected " : "";
}

/* `Longest of 5 022 frames · 120.3 ms: 110.1 ms of it waiting · w next · d why` */
static void say_worst(struct app *a, const struct worst *w, enum worst_order order)
{
	const struct profile *p = a->at->times.paused;
	struct worst_frame f = worst_frame_of(p, profile_find_frame(p, w->frame));
	const char *dot = app_dot(a), *selected = selected_word(&a->at->times);
	char place[160], waited[128] = "";

	if (w->place == 1)
		snprintf(place, sizeof(place), "%c%s of %s %sframes", toupper(*worst_words[order]), worst_words[order] + 1,
			 figure_grouped(w->count).text, selected);
	else
		snprintf(place, sizeof(place), "%s%s %s of %s %sframes", figure_grouped(w->place).text, ordinal_ending(w->place),
			 worst_words[order], figure_grouped(w->count).text, selected);
	if (worst_waited(&f))
		snprintf(waited, sizeof(waited), "%s%s: %s of it waiting", dot,
			 figure_timed(f.length, p->ticks_per_s, NULL, 4, a->style.ascii).text,
			 figure_timed(f.length - f.busy, p->ticks_per_s, NULL, 4, a->style.ascii).text);
	app_say(a, "%s%s%sw next%sd why", place, waited, dot, dot);
}

/* A walk that begins while a range of frames is selected goes through these
 * frames. It leaves them when a frame outside of the range is chosen. */
static void set_walk(struct times *t, enum worst_order order)
{
	uint64_t first = t->worst_first, last = t->worst_last;

	if (t->selected_first) {
		first = t->selected_first;
		last = t->selected_last;
	} else if (first && (t->chosen < first || t->chosen > last)) {
		first = last = 0;
	}
	if (order != t->worst_order || first != t->worst_first || last != t->worst_last)
		t->worst = 0;
	t->worst_order = order;
	t->worst_first = first;
	t->worst_last = last;
}

static struct worst next_of_walk(const struct times *t, int step)
{
	const struct profile *p = t->paused;
	uint32_t first, count = profile_frame_range(p, t->worst_first, t->worst_last, &first);

	return worst_beside(p, first, count, t->worst, step > 0, t->worst_order);
}

/* From the worst frame to the next, and back. The walk goes on from the frame that it came to last, also
 * when others were looked at in between. In another order it begins again. */
unsigned app_step_worst(struct app *a, int step)
{
	struct times *t = &a->at->times;
	enum worst_order order = view_worst_order(a->views[VIEW_WORST]);
	struct worst w;
	uint64_t from;

	if (!times_pause(t))
		return app_choose_frame(a, 0); /* it says why */
	set_walk(t, order);
	from = t->worst;
	w = next_of_walk(t, step);
	if (!w.frame && from) {
		app_choose_frame(a, from);
		app_say(a, "this is the %s %sframe%s",
			order == WORST_BUSY ? step > 0 ? "least busy" : "busiest" : step > 0 ? "shortest" : "longest",
			selected_word(t), step > 0 ? "; W goes back" : "; w goes on");
		return EFFECT_DRAW;
	}
	if (!w.frame)
		return app_choose_frame(a, 0);
	t->worst = w.frame;
	app_choose_frame(a, w.frame);
	say_worst(a, &w, order);
	return EFFECT_DRAW;
}

/* To the newest frame, and on with those that come. */
unsigned app_follow(struct app *a, int unused)
{
	(void)unused;
	a->at->times.graph.right = 0;
	a->together.strips.right = MOMENT_NONE;
	if (a->at->times.paused)
		return app_turn_pause(a, 0);
	a->stale = true;
	return EFFECT_DRAW;
}

/* Marks */

static void set_mark(struct app *a, unsigned letter)
{
	uint64_t *mark = &a->at->times.marks[letter], frame = frame_shown(a);

	if (!frame)
		app_say(a, "no frame to mark");
	else if (*mark == frame)
		app_say(a, "mark %c removed from frame %s", 'a' + letter, figure_grouped(frame).text);
	else
		app_say(a, "mark %c: frame %s%sto compare, go to another frame, press D, and choose the mark", 'a' + letter, figure_grouped(frame).text,
			app_dot(a));
	*mark = *mark == frame ? 0 : frame;
	app_look(a); /* what is shown may be set against it */
}

static void go_to_mark(struct app *a, unsigned letter)
{
	uint64_t frame = a->at->times.marks[letter];
	const struct profile *p = times_profile(&a->at->times);

	if (!frame)
		app_say(a, "no frame has the mark %c", 'a' + letter);
	else if (!p || !profile_find_frame(p, frame))
		app_say(a, "frame %s of mark %c is no longer in the history", figure_grouped(frame).text, 'a' + letter);
	else
		app_choose_frame(a, frame);
}

unsigned app_ask_mark(struct app *a, int command)
{
	a->ask.overlay = OVERLAY_LETTER;
	a->ask.command = (enum command)command;
	return EFFECT_DRAW;
}

/* The mark that Enter stands for: the first letter that no frame has, FRAME_MARKS if all are set; going to one, the
 * letter before it. */
static unsigned mark_of_enter(const struct app *a)
{
	unsigned letter = 0;

	while (letter < FRAME_MARKS && a->at->times.marks[letter])
		letter++;
	return a->ask.command == COMMAND_MARK || !letter ? letter : letter - 1;
}

/* What was typed behind the key of a mark. A key that is no letter does what it does otherwise. */
unsigned app_take_letter(struct app *a, uint32_t key)
{
	a->ask.overlay = OVERLAY_NONE;
	if (key == TERM_ESCAPE)
		return EFFECT_DRAW;
	if (key >= 'A' && key <= 'Z')
		key += 'a' - 'A';
	if (key == TERM_ENTER || key == '\n') {
		unsigned letter = mark_of_enter(a);

		if (letter == FRAME_MARKS) {
			app_say(a, "all marks a to z are set: press m and a letter to move that mark here");
			return EFFECT_DRAW;
		}
		key = 'a' + letter;
	}
	if (key < 'a' || key > 'z') {
		unsigned effects = app_press(a, key);

		if (!*a->said.text)
			app_say(a, "%s: a mark is a letter from a to z",
				a->ask.command == COMMAND_MARK ? "nothing marked" : "no mark");
		return effects;
	}
	if (a->ask.command == COMMAND_MARK)
		set_mark(a, key - 'a');
	else
		go_to_mark(a, key - 'a');
	return EFFECT_DRAW;
}

/*
 * The view pauses by itself on the first frame that takes too long.
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
static void find_slow_frame(struct app *a, int64_t over)
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

static void freeze_over(struct app *a, int64_t over)
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
		find_slow_frame(a, over);
	if (a->freeze.found && has_after(a))
		freeze_over(a, over);
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

/* SPDX-License-Identifier: MIT */
/*
 * app_tracks: several programs: which one is in focus, what becomes of the others, and that all are paused
 * or none.
 *
 * Of the one in focus the app has all that there is to have, and of the others their tracks. So whatever the
 * app does, it does to the one in focus.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/text.h"
#include "tui/app_inside.h"
#include "tui/strips_columns.h"

static void copy_text(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text ? text : "");
}

bool app_add_track(struct app *a, const char *target)
{
	struct track *t = a->track_count < TRACKS_MOST ? &a->tracks[a->track_count] : NULL;
	struct singles *singles = t ? singles_new() : NULL;

	if (!singles)
		return false;
	*t = (struct track){ .state = SCENE_WAITING, .stats_made = -1, .times.singles = singles };
	copy_text(t->target, sizeof(t->target), target);
	a->track_count++;
	return true;
}

void app_track_fini(struct track *t)
{
	times_fini(&t->times);
	open_stacks_free(t->stacks);
}

/* The one in focus */

static struct track put_away(const struct app *a)
{
	struct track t = { .times = a->times, .path = a->path, .paused_run = a->paused_run,
			   .stacks = a->stacks, .stacks_of = a->stacks_of,
			   .base = a->base, .base_letter = a->base_letter,
			   .state = a->state,
			   .stats = a->stats, .stats_made = a->stats_made, .title_unit = a->title_unit };

	copy_text(t.target, sizeof(t.target), a->target);
	copy_text(t.waiting, sizeof(t.waiting), a->waiting);
	copy_text(t.ending, sizeof(t.ending), a->ending);
	return t;
}

static void take_up(struct app *a, const struct track *t)
{
	a->times = t->times;
	a->path = t->path;
	a->paused_run = t->paused_run;
	a->stacks = t->stacks;
	a->stacks_of = t->stacks_of;
	a->base = t->base;
	a->base_letter = t->base_letter;
	a->base_of = NULL;
	a->state = t->state;
	a->stats = t->stats;
	a->stats_made = t->stats_made;
	a->title_unit = t->title_unit;
	copy_text(a->target, sizeof(a->target), t->target);
	copy_text(a->waiting, sizeof(a->waiting), t->waiting);
	copy_text(a->ending, sizeof(a->ending), t->ending);
}

/* The frame that was running at the moment that is shown. */
static void go_to_moment(struct app *a)
{
	const struct profile *p = a->times.paused;
	uint32_t frame = p && a->moment != MOMENT_NONE ? moment_frame(p, a->moment) : PROFILE_NONE;

	if (frame != PROFILE_NONE)
		times_choose(&a->times, p->frames[frame].number);
	a->moment_frame = a->times.chosen;
}

void app_focus(struct app *a, unsigned i)
{
	if (i == a->focus || i >= a->track_count)
		return;
	app_leave(a);
	if (!a->times.paused)
		singles_forget(a->times.singles);
	a->tracks[a->focus] = put_away(a);
	take_up(a, &a->tracks[i]);
	a->tracks[i].times = (struct times){ 0 };
	a->tracks[i].stacks = NULL;
	a->focus = i;
	a->paused_focus = a->times.paused;
	app_freeze_from_now(a);
	go_to_moment(a);
	app_look(a);
}

/* Tab goes from the table into the graphs, around all of them, and then to the table. */
bool app_is_last_track(const struct app *a)
{
	return (a->focus + 1) % a->track_count == a->went_round;
}

/* Where there are no strips, nothing else tells them apart. */
static void say_focus(struct app *a)
{
	const struct profile *p = times_profile(&a->times);
	char *name = name_safe(p && *p->process.source ? p->process.source : a->target, a->ascii);

	app_say(a, "%s", name ? name : "?");
	free(name);
}

unsigned app_next_track(struct app *a)
{
	if (a->graph_area.height > 0 && !a->graph_focused) {
		a->graph_focused = true;
		a->went_round = a->focus;
	} else if (a->graph_focused && app_is_last_track(a)) {
		a->graph_focused = false;
	} else {
		app_focus(a, (a->focus + 1) % a->track_count);
		if (a->graph_area.height < 1)
			say_focus(a);
	}
	return EFFECT_DRAW;
}

/* Pausing */

unsigned app_tracks_live(struct app *a)
{
	a->paused_all = false;
	return EFFECT_DRAW;
}

static void agree_on_pause(struct app *a)
{
	if (a->times.paused)
		a->paused_all = true;
	else if (a->paused_focus)
		a->paused_all = false;
	/* one that comes while all are paused is paused as it comes: what is on the screen stays */
	for (unsigned i = 0; i < a->track_count; i++) {
		struct times *t = &a->tracks[i].times;

		if (i == a->focus)
			continue;
		if (a->paused_all && t->live) {
			times_pause(t);
		} else if (!a->paused_all && t->paused) {
			times_go_live(t);
			app_track_take_stacks(a, i, NULL); /* they were of the copy */
		}
	}
	if (a->paused_all && !a->times.paused && a->times.live && times_pause(&a->times)) {
		go_to_moment(a);
		app_look(a);
	}
	a->paused_focus = a->times.paused;
}

void app_tracks_agree(struct app *a)
{
	const struct profile_frame *frame;

	if (!app_several(a))
		return;
	agree_on_pause(a);
	if (!a->paused_all) {
		if (a->moment != MOMENT_NONE)
			a->strips.right = MOMENT_NONE;
		a->moment = MOMENT_NONE;
		a->moment_frame = 0;
	} else if (a->times.chosen && a->times.chosen != a->moment_frame) {
		frame = profile_find_frame(a->times.paused, a->times.chosen);
		a->moment = frame ? strips_moment(a->times.paused, frame, a->moment) : MOMENT_NONE;
		a->moment_frame = a->times.chosen;
		app_strips_pan(a, 0); /* what is in sight stays, whatever is newest */
		app_strips_reveal(a);
	}
}

/* Programs come and go */

/* NULL: it is the one in focus. */
static struct track *beside(struct app *a, unsigned i)
{
	return i == a->focus ? NULL : &a->tracks[i];
}

void app_track_attach(struct app *a, unsigned i, const struct profile *p)
{
	struct track *t = beside(a, i);

	if (!t) {
		app_attach(a, p);
		return;
	}
	if (!times_attach(&t->times, p))
		app_say(a, "out of memory: the profile cannot be shown");
	t->stats_made = -1;
	t->title_unit = NULL;
}

void app_track_detach(struct app *a, unsigned i)
{
	struct track *t = beside(a, i);

	if (!t) {
		app_detach(a);
		return;
	}
	if (!t->times.paused)
		app_track_take_stacks(a, i, NULL);
	times_detach(&t->times);
}

void app_track_data(struct app *a, unsigned i)
{
	struct track *t = beside(a, i);

	if (!t)
		app_data(a);
	else if (!times_update(&t->times))
		app_say(a, "out of memory: the newest frames are not in the averages");
}

void app_track_state(struct app *a, unsigned i, enum scene_state state, const char *waiting)
{
	struct track *t = beside(a, i);

	if (!t) {
		app_state(a, state, waiting);
		return;
	}
	t->state = state;
	copy_text(t->waiting, sizeof(t->waiting), waiting);
}

struct singles *app_track_singles(struct app *a, unsigned i)
{
	return i == a->focus ? a->times.singles : a->tracks[i].times.singles;
}

/* Of those beside it they are read when they are paused alone. */
bool app_track_wants_stacks(const struct app *a, unsigned i, bool at_look)
{
	const struct track *t = &a->tracks[i];

	if (i == a->focus)
		return app_wants_stacks(a, at_look);
	return t->times.paused && t->stacks_of != t->times.paused && !t->times.another;
}

void app_track_take_stacks(struct app *a, unsigned i, struct open_stacks *stacks)
{
	struct track *t = beside(a, i);

	if (!t) {
		app_take_stacks(a, stacks);
		return;
	}
	open_stacks_free(t->stacks);
	t->stacks = stacks;
	t->stacks_of = t->times.paused;
}

void app_track_ending(struct app *a, unsigned i, const char *ending)
{
	struct track *t = beside(a, i);

	if (t)
		copy_text(t->ending, sizeof(t->ending), ending);
	else
		app_ending(a, ending);
}

/* SPDX-License-Identifier: MIT */
/*
 * app_tracks: the programs that are looked at: what comes of each, which one is in focus, and that all are paused or
 * none.
 *
 * News of a program goes into its track. If the program is in focus, the views show it: then the query is told,
 * too (app_look), and the views become stale.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"
#include "tui/frames/strips.h"

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

/* Programs come and go */

/* A list of threads is of one profile. */
static void close_list(struct app *a)
{
	if (app_picks_threads(a))
		a->ask.overlay = OVERLAY_NONE;
}

static void say_awaited_thread(struct app *a, const struct profile *p)
{
	char *name;

	if (a->choice.thread != CHOOSE_NAME || profile_parse_thread(p, a->choice.thread_name, NULL) != PROFILE_NONE)
		return;
	name = name_safe(a->choice.thread_name, a->style.ascii);
	if (name)
		app_say(a, "no thread '%s' yet", name);
	free(name);
}

void app_attach(struct app *a, unsigned track, const struct profile *p)
{
	struct track *t = &a->tracks[track];
	bool attached = times_attach(&t->times, p);

	t->stats_made = -1;
	t->first = FIRST_UNDECIDED;
	t->title_unit = NULL;
	if (!attached)
		app_say(a, "out of memory: cannot show the profile");
	if (t != a->at)
		return;
	close_list(a);
	if (attached)
		say_awaited_thread(a, p);
	app_freeze_from_now(a);
	app_look(a);
}

/* Lets go of the profile that is shown: it goes, or another program comes into focus. */
static void leave_track(struct app *a)
{
	close_list(a);
	for (enum view_kind v = 0; v < VIEWS; v++) {
		struct table *t = &a->views[v]->table;

		table_take(t, NULL);
		memset(&t->units, 0, sizeof(t->units)); /* another program has others */
	}
	a->stale = true;
}

void app_detach(struct app *a, unsigned track)
{
	struct track *t = &a->tracks[track];

	if (t == a->at)
		leave_track(a);
	if (!t->times.paused)
		app_take_stacks(a, track, NULL);
	times_detach(&t->times);
}

/* The same is looked at, and there is more of it; a zone that was waited for may be there now. Where the first mark
 * says which thread is meant, or that there are frames, it is something else, and what views have borrowed is gone. */
static void look_on(struct app *a)
{
	bool stale = a->stale;
	const char *awaited = a->choice.zone;
	const struct query *query = times_query(&a->at->times);
	uint64_t turns = query ? query_turns(query) : 0;

	app_look(a);
	a->stale = stale || a->choice.zone != awaited || (query && query_turns(query) != turns) || app_view(a)->ops->borrows;
	a->aged = true;
}

void app_data(struct app *a, unsigned track)
{
	struct track *t = &a->tracks[track];

	if (!times_update(&t->times))
		app_say(a, "out of memory: the averages lack the newest frames");
	if (t != a->at)
		return;
	if (!t->times.paused)
		look_on(a);
	app_watch(a);
}

void app_state(struct app *a, unsigned track, enum scene_state state, const char *waiting)
{
	struct track *t = &a->tracks[track];

	t->state = state;
	copy_text(t->waiting, sizeof(t->waiting), waiting);
}

void app_is_file(struct app *a, unsigned track, bool is_file)
{
	a->tracks[track].is_file = is_file;
}

void app_ending(struct app *a, unsigned track, const char *ending)
{
	struct track *t = &a->tracks[track];

	copy_text(t->ending, sizeof(t->ending), ending);
}

/* The zones that are open belong to the moment that is looked at: live they are renewed at each look, and pausing
 * takes them once, as it takes the copy of the profile. Of a dead program they are those that it died in. Of programs
 * beside the one in focus they are read when they are paused alone. */
bool app_wants_stacks(const struct app *a, unsigned track, bool at_look)
{
	const struct track *t = &a->tracks[track];

	if (t->times.paused)
		return t->stacks_of != t->times.paused && !t->times.another;
	return t == a->at && t->times.live && (a->view == VIEW_STACKS || app_picks_threads(a)) &&
	       (at_look || !t->stacks || t->stacks_of);
}

void app_take_stacks(struct app *a, unsigned track, struct open_stacks *stacks)
{
	struct track *t = &a->tracks[track];
	bool renewed = t->stacks && !t->times.paused;

	open_stacks_free(t->stacks);
	t->stacks = stacks;
	t->stacks_of = t->times.paused;
	if (t == a->at && (a->view == VIEW_STACKS || app_picks_threads(a))) {
		a->stale |= !renewed;
		a->aged = true;
	}
}

/* The one in focus */

/* The frame that was running at the moment that is shown. */
static void go_to_moment(struct app *a)
{
	const struct profile *p = a->at->times.paused;
	uint32_t frame = p && a->together.moment != MOMENT_NONE ? moment_frame(p, a->together.moment) : PROFILE_NONE;

	if (frame != PROFILE_NONE)
		times_choose(&a->at->times, p->frames[frame].number);
	a->together.moment_frame = a->at->times.chosen;
}

void app_focus(struct app *a, unsigned i)
{
	if (i == a->focus || i >= a->track_count)
		return;
	leave_track(a);
	if (!a->at->times.paused)
		singles_forget(a->at->times.singles);
	a->focus = i;
	a->at = &a->tracks[i];
	app_forget_bases(a); /* it may have been live in between, and this is another copy at the same address */
	a->together.focus_paused = a->at->times.paused;
	app_freeze_from_now(a);
	go_to_moment(a);
	app_show_top(a);
	app_look(a);
}

/* Tab goes from the table into the graphs, around all of them, and then to the table. */
bool app_is_last_track(const struct app *a)
{
	return (a->focus + 1) % a->track_count == a->together.went_round;
}

/* Where there are no strips, nothing else tells them apart. */
static void say_focus(struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	char *name = name_safe(p && *p->process.source ? p->process.source : a->at->target, a->style.ascii);

	app_say(a, "%s", name ? name : "?");
	free(name);
}

unsigned app_next_track(struct app *a)
{
	if (a->screen.graph.height > 0 && !a->screen.graph_focused) {
		a->screen.graph_focused = true;
		a->together.went_round = a->focus;
	} else if (a->screen.graph_focused && app_is_last_track(a)) {
		a->screen.graph_focused = false;
	} else {
		app_focus(a, (a->focus + 1) % a->track_count);
		if (a->screen.graph.height < 1)
			say_focus(a);
	}
	return EFFECT_DRAW;
}

/* Pausing */

unsigned app_tracks_live(struct app *a)
{
	a->together.paused = false;
	return EFFECT_DRAW;
}

static void agree_on_pause(struct app *a)
{
	if (a->at->times.paused)
		a->together.paused = true;
	else if (a->together.focus_paused)
		a->together.paused = false;
	/* one that comes while all are paused is paused as it comes: what is on the screen stays */
	for (unsigned i = 0; i < a->track_count; i++) {
		struct times *t = &a->tracks[i].times;

		if (i == a->focus)
			continue;
		if (a->together.paused && t->live) {
			times_pause(t);
		} else if (!a->together.paused && t->paused) {
			times_go_live(t);
			app_take_stacks(a, i, NULL); /* they were of the copy */
		}
	}
	if (a->together.paused && !a->at->times.paused && a->at->times.live && times_pause(&a->at->times)) {
		go_to_moment(a);
		app_look(a);
	}
	a->together.focus_paused = a->at->times.paused;
}

void app_tracks_agree(struct app *a)
{
	const struct times *t = &a->at->times;
	const struct profile_frame *frame;

	if (!app_several(a))
		return;
	agree_on_pause(a);
	if (!a->together.paused) {
		if (a->together.moment != MOMENT_NONE)
			a->together.strips.right = MOMENT_NONE;
		a->together.moment = MOMENT_NONE;
		a->together.moment_frame = 0;
	} else if (t->chosen && t->chosen != a->together.moment_frame) {
		frame = profile_find_frame(t->paused, t->chosen);
		a->together.moment = frame ? strips_moment(t->paused, frame, a->together.moment) : MOMENT_NONE;
		a->together.moment_frame = t->chosen;
		app_strips_pan(a, 0); /* what is in sight stays, whatever is newest */
		app_strips_reveal(a);
	}
}

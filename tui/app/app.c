/* SPDX-License-Identifier: MIT */
#include "tui/app_inside.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

#define MEDIAN_FRAMES 200 /* of a piece of work between two keys */

static void copy_text(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text ? text : "");
}

/* `-t`: a thread's name or id, `all`; `each` has no place on a screen. */
static void choose_thread(struct app *a, const char *text)
{
	if (!text)
		return;
	if (!strcmp(text, "all") || !strcmp(text, "each")) {
		a->thread = CHOOSE_ALL;
		return;
	}
	a->thread = CHOOSE_NAME;
	copy_text(a->thread_name, sizeof(a->thread_name), text);
}

bool app_init(struct app *a, const struct app_options *o)
{
	*a = (struct app){
		.view = o->view, .spread = o->spread, .less_overhead = o->less_overhead, .average = o->average, .zone = o->zone,
		.unit = o->unit, .precision = o->precision, .budget_ms = o->budget_ms,
		.freeze = { .armed = o->freeze_ms > 0, .ms = o->freeze_ms },
		.ascii = o->ascii, .ascii_only = o->ascii, .mouse = o->mouse,
		.state = SCENE_WAITING, .stale = true, .stats_made = -1,
		.track_count = 1, .strips.right = MOMENT_NONE, .moment = MOMENT_NONE,
	};
	copy_text(a->target, sizeof(a->target), o->target);
	a->times.singles = singles_new();
	if (!a->times.singles)
		return false;
	choose_thread(a, o->thread);
	for (enum view_kind v = 0; v < VIEWS; v++)
		if (!(a->views[v] = view_new(v))) {
			app_fini(a);
			return false;
		}
	a->views[a->view]->sort = o->sort;
	copy_text(a->filters[app_filter_of(a)], PROMPT_SIZE, o->filter);
	return true;
}

void app_fini(struct app *a)
{
	for (enum view_kind v = 0; v < VIEWS; v++)
		view_free(a->views[v]);
	times_fini(&a->times);
	open_stacks_free(a->stacks);
	for (unsigned i = 0; i < TRACKS_MOST; i++)
		app_track_fini(&a->tracks[i]);
	picker_fini(&a->picker);
	pattern_fini(&a->search);
	app_regions_forget(a);
	for (uint32_t i = 0; i < PINS_MOST; i++)
		free(a->pin_names[i]);
}

void app_say(struct app *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(a->message, sizeof(a->message), format, args);
	a->said = a->now;
	va_end(args);
}

struct view *app_view(const struct app *a)
{
	return a->views[a->view];
}

enum view_kind app_filter_of(const struct app *a)
{
	const struct view_ops *ops = app_view(a)->ops;

	return ops->target && !ops->own_filter ? VIEW_SELF : a->view;
}

int64_t app_budget_in(const struct app *a, const struct profile *p)
{
	return (int64_t)llround(a->budget_ms / 1000 * (double)p->ticks_per_s);
}

int64_t app_budget(const struct app *a)
{
	const struct profile *p = times_profile(&a->times);

	return p ? app_budget_in(a, p) : 0;
}

struct look app_looks(const struct app *a)
{
	return (struct look){ .lens = times_lens(&a->times), .profile = times_profile(&a->times),
			      .unit = a->unit, .precision = a->precision,
			      .filter = a->filters[app_filter_of(a)],
			      .search = *a->searched ? &a->search : NULL,
			      .awaited = a->zone, .why_threads = app_why_threads(a), .pins = &a->pins,
			      .singles = a->times.singles,
			      .stacks = a->stacks, .stacks_when = app_stacks_when(a), .spread = a->spread,
			      .ascii = a->ascii, .width = a->width,
			      .graph = a->times.graph, .frames = app_graph_look(a),
			      .graph_area = { .width = (int)a->width } };
}

struct frame_graph_look app_graph_look(const struct app *a)
{
	return (struct frame_graph_look){ .profile = times_profile(&a->times),
					  .budget = app_budget(a), .chosen = a->times.chosen,
					  .marks = a->times.marks, .pins = app_graph_pins(a),
					  .focused = a->graph_focused,
					  .ascii = a->ascii };
}

/* Threads */

/* The thread that marks frames; where nobody does, all of them. */
static uint32_t marking_thread(const struct profile *p)
{
	uint32_t thread = profile_marking_thread(p);

	return thread != PROFILE_NONE && p->threads[thread].marking ? thread : THREADS_ALL;
}

static uint32_t chosen_thread(const struct app *a, const struct profile *p)
{
	uint32_t thread = profile_find_thread(p, a->thread_id);

	if (thread == PROFILE_NONE || strcmp(p->threads[thread].name, a->thread_name) != 0)
		thread = profile_parse_thread(p, a->thread_name, NULL);
	return thread;
}

uint32_t app_threads(const struct app *a, const struct profile *p)
{
	uint32_t thread;

	if (a->thread == CHOOSE_ALL)
		return THREADS_ALL;
	if (a->thread == CHOOSE_MARKING)
		return marking_thread(p);
	thread = a->thread == CHOOSE_THREAD ? chosen_thread(a, p)
					    : profile_parse_thread(p, a->thread_name, NULL);
	if (thread == PROFILE_NONE)
		return marking_thread(p);
	return a->thread == CHOOSE_NAME && !strcmp(p->threads[thread].name, a->thread_name)
		       ? THREADS_NAMED(thread)
		       : thread;
}

void app_thread_text(const struct app *a, char *out, size_t size)
{
	const struct profile *p = times_profile(&a->times);
	char *known = p ? report_threads(p, app_threads(a, p)) : NULL;
	char *name = known ? name_shown(known, a->ascii) : NULL;

	copy_text(out, size, name);
	free(name);
	free(known);
}

/* What is looked at */

static enum average_slot average_of(const struct app *a, const struct profile *p)
{
	if (a->times.chosen)
		return a->paused_run ? AVERAGE_RUN : AVERAGE_NOW;
	return p->frame_count ? a->average : AVERAGE_RUN;
}

/* A zone that was asked for by its name before it was there. */
static void find_zone(struct app *a, struct lens *lens, const struct profile *p)
{
	const struct keys *keys = lens_keys(lens);
	enum keys_lookup found = KEYS_NO_ZONE;
	struct path path;
	uint32_t key, place;

	if (a->zone)
		found = keys_parse(keys, p, a->zone, &key);
	if (found == KEYS_AMBIGUOUS) {
		app_say(a, "several zones are called '%s': -z name@file:line", a->zone);
		a->zone = NULL;
	}
	if (found != KEYS_FOUND)
		return;
	path_begin(&path, &place, keys->id[key]);
	view_graph_begin(a->views[VIEW_GRAPH], &path);
	if (a->view != VIEW_GRAPH)
		table_go(&app_view(a)->table, keys->id[key]);
	a->zone = NULL;
}

void app_look(struct app *a)
{
	const struct profile *p = times_profile(&a->times);
	struct lens *lens = times_lens(&a->times);
	struct lens_options o;

	a->stale = true;
	if (!lens)
		return;
	o = (struct lens_options){ .threads = app_threads(a, p), .spread = a->spread,
				   .average = average_of(a, p), .frame = a->times.chosen,
				   .path = a->path, .less_overhead = a->less_overhead, .base = app_base(a),
				   .base_name = app_base_name(a) };
	if (!lens_look(lens, &o))
		app_say(a, "out of memory");
	find_zone(a, lens, p);
}

void app_refresh(struct app *a)
{
	struct look look;

	if (a->stale)
		app_bring_singles(a);
	look = app_looks(a);
	if (a->stale)
		app_view(a)->ops->refresh(app_view(a), &look);
	a->stale = false;
}

/* Profiles come and go */

/* A list of threads is of one profile. */
static void close_list(struct app *a)
{
	if (a->overlay == OVERLAY_PICKER && a->asked == COMMAND_THREADS)
		a->overlay = OVERLAY_NONE;
}

void app_attach(struct app *a, const struct profile *p)
{
	char *name;

	close_list(a);
	if (!times_attach(&a->times, p))
		app_say(a, "out of memory: the profile cannot be shown");
	else if (a->thread == CHOOSE_NAME &&
		 profile_parse_thread(p, a->thread_name, NULL) == PROFILE_NONE &&
		 (name = name_safe(a->thread_name, a->ascii))) {
		app_say(a, "there is no thread '%s' yet", name);
		free(name);
	}
	a->stats_made = -1;
	a->title_unit = NULL;
	app_freeze_from_now(a);
	app_look(a);
}

void app_leave(struct app *a)
{
	close_list(a);
	for (enum view_kind v = 0; v < VIEWS; v++) {
		struct table *t = &a->views[v]->table;

		table_take(t, t->kind, NULL);
		memset(t->widths.units, 0, sizeof(t->widths.units)); /* another program has others */
	}
	a->stale = true;
}

void app_detach(struct app *a)
{
	app_leave(a);
	if (!a->times.paused)
		app_take_stacks(a, NULL);
	times_detach(&a->times);
}

void app_go_live(struct app *a)
{
	if (a->times.paused)
		app_turn_pause(a, 0);
}

void app_data(struct app *a)
{
	if (!times_update(&a->times))
		app_say(a, "out of memory: the newest frames are not in the averages");
	if (!a->times.paused)
		app_look(a);
	app_watch(a);
}

void app_state(struct app *a, enum scene_state state, const char *waiting)
{
	a->state = state;
	copy_text(a->waiting, sizeof(a->waiting), waiting);
}

void app_ending(struct app *a, const char *ending)
{
	copy_text(a->ending, sizeof(a->ending), ending);
}

bool app_work(struct app *a)
{
	struct lens *lens = a->times.paused_lens;
	const struct heat *before;
	bool more;

	if (!lens || !a->times.chosen)
		return false;
	before = lens_heat(lens);
	more = lens_work(lens, MEDIAN_FRAMES);
	if (lens_heat(lens) != before)
		a->stale = true;
	return more;
}

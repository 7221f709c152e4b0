/* SPDX-License-Identifier: MIT */
#include "tui/app/app_inside.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

#define REFRESH_S 0.5 /* least time between two tables of new data, or behind a key that moves the cursor */
#define SETTLE_S 1.4  /* rows are put in exact order if no data and no key have come for so long */
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
		a->choice.thread = CHOOSE_ALL;
		return;
	}
	a->choice.thread = CHOOSE_NAME;
	copy_text(a->choice.thread_name, sizeof(a->choice.thread_name), text);
}

bool app_init(struct app *a, const struct app_options *o)
{
	*a = (struct app){
		.at = a->tracks, .starts = o->starts, .together = { .strips.right = MOMENT_NONE, .moment = MOMENT_NONE },
		.view = o->view, .stale = true,
		.choice = { .average = o->average, .spread = o->spread, .bottom_up = o->bottom_up, .why_by_zone = o->why_by_zone,
			    .waits_by_size = o->waits_by_size,			    .less_overhead = o->less_overhead,
			    .zone = o->zone, .budget_ms = o->budget_ms },
		.style = { .unit = o->unit, .precision = o->precision,
			   .ascii = o->ascii, .ascii_only = o->ascii, .mouse = o->mouse,
			   .log_axis = o->log_axis },
		.freeze = { .armed = o->freeze_ms > 0, .ms = o->freeze_ms },
	};
	snprintf(a->choice.measure, sizeof(a->choice.measure), "%s", o->measure ? o->measure : "");
	if (!app_add_track(a, o->target))
		return false;
	choose_thread(a, o->thread);
	for (enum view_kind v = 0; v < VIEWS; v++)
		if (!(a->views[v] = view_new(v))) {
			app_fini(a);
			return false;
		}
	a->views[a->view]->sort = o->sort;
	view_worst_sort(a->views[VIEW_WORST], o->worst);
	copy_text(a->choice.filters[app_filter_of(a)], PROMPT_SIZE, o->filter);
	return true;
}

void app_fini(struct app *a)
{
	for (enum view_kind v = 0; v < VIEWS; v++)
		view_free(a->views[v]);
	for (unsigned i = 0; i < a->track_count; i++) {
		times_fini(&a->tracks[i].times);
		bases_free(a->tracks[i].bases);
		open_stacks_free(a->tracks[i].stacks);
		output_tail_free(a->tracks[i].output);
	}
	picker_fini(&a->ask.picker);
	guide_fini(&a->guide);
	pattern_fini(&a->search.pattern);
	app_regions_forget(a);
	for (uint32_t i = 0; i < PINS_MOST; i++)
		free(a->pins.names[i]);
}

static void say_text(struct app *a, bool brief, const char *format, va_list args)
{
	vsnprintf(a->said.text, sizeof(a->said.text), format, args);
	a->said.at = a->now;
	a->said.choices = false;
	a->said.brief = brief;
}

void app_say(struct app *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_text(a, false, format, args);
	va_end(args);
}

void app_mention(struct app *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_text(a, true, format, args);
	va_end(args);
}

void app_progress(struct app *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(a->said.progress, sizeof(a->said.progress), format, args);
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
	return (int64_t)llround(a->choice.budget_ms / 1000 * (double)p->ticks_per_s);
}

int64_t app_budget(const struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);

	return p ? app_budget_in(a, p) : 0;
}

static const char *stacks_when(const struct app *a)
{
	if (!a->at->stacks || a->at->stacks->state == PROFILE_LIVE)
		return a->at->times.paused ? "when paused" : "now";
	return a->at->stacks->state == PROFILE_DEAD ? "when it died" : "when it ended";
}

static int64_t ticks_of(const struct app *a, double seconds)
{
	const struct profile *p = times_profile(&a->at->times);

	return p ? (int64_t)llround(seconds * (double)p->ticks_per_s) : 0;
}

struct look app_looks(const struct app *a)
{
	return (struct look){ .query = times_query(&a->at->times), .profile = times_profile(&a->at->times),
			      .unit = a->style.unit, .precision = a->style.precision,
			      .filter = a->choice.filters[app_filter_of(a)],
			      .search = *a->search.text ? &a->search.pattern : NULL,
			      .longer = ticks_of(a, a->search.longer_s), .shorter = ticks_of(a, a->search.shorter_s),
			      .selected_from = a->at->times.selected_from, .selected_to = a->at->times.selected_to,
			      .awaited = a->choice.zone, .why_threads = app_why_threads(a),
			      .lanes = a->choice.thread == CHOOSE_FIRST || !times_profile(&a->at->times)
					       ? THREADS_ALL : app_threads(a, times_profile(&a->at->times)),
			      .bottom_up = a->choice.bottom_up, .why_by_zone = a->choice.why_by_zone,
			      .waits_by_size = a->choice.waits_by_size, .pins = &a->pins.set,
			      .source = a->source, .source_context = a->source_context, .singles = a->at->times.singles,
			      .stacks = a->at->stacks, .stacks_when = stacks_when(a), .spread = a->choice.spread,
			      .ascii = a->style.ascii, .coloured = a->style.coloured, .now = a->now, .width = a->screen.width,
			      .graph = a->at->times.graph, .frames = app_graph_look(a),
			      .graph_area = { .width = (int)a->screen.width } };
}

struct frame_graph_look app_graph_look(const struct app *a)
{
	const struct times *t = &a->at->times;
	bool drags = a->drag.frame && a->drag.moved;
	uint64_t from = drags ? a->drag.frame : t->range ? t->range : t->selected_first;
	uint64_t to = drags ? a->drag.to : t->range ? t->chosen : t->selected_last;
	const struct query *query = times_query(&a->at->times);

	return (struct frame_graph_look){ .profile = times_profile(&a->at->times),
					  .measure = query ? query_options(query)->measure : MEASURE_SELF,
					  .budget = app_budget(a), .chosen = a->at->times.chosen,
					  .band_from = from, .band_to = to,
					  .marks = a->at->times.marks, .pins = app_graph_pins(a),
					  .merged = query && profile_merges(query_options(query)->threads),
					  .logarithmic = a->style.log_axis, .focused = a->screen.graph_focused,
					  .ascii = a->style.ascii };
}

/* Threads */

void app_decide_threads(struct app *a)
{
	struct times *t = &a->at->times;

	if (!t->live || t->paused || a->at->first != FIRST_UNDECIDED)
		return;
	a->at->first = first_threads_decide(t->live);
	if (a->at->first == FIRST_ALL)
		app_look(a);
}

static uint32_t chosen_thread(const struct app *a, const struct profile *p)
{
	uint32_t thread = profile_find_thread(p, a->choice.thread_id);

	if (thread == PROFILE_NONE || strcmp(p->threads[thread].name, a->choice.thread_name) != 0)
		thread = profile_parse_thread(p, a->choice.thread_name, NULL);
	return thread;
}

uint32_t app_threads(const struct app *a, const struct profile *p)
{
	uint32_t thread;

	if (a->choice.thread == CHOOSE_ALL)
		return THREADS_ALL;
	if (a->choice.thread == CHOOSE_FIRST)
		return first_threads_of(p, a->at->first);
	thread = a->choice.thread == CHOOSE_THREAD ? chosen_thread(a, p)
					    : profile_parse_thread(p, a->choice.thread_name, NULL);
	if (thread == PROFILE_NONE)
		return first_threads_of(p, a->at->first);
	return a->choice.thread == CHOOSE_NAME && !strcmp(p->threads[thread].name, a->choice.thread_name)
		       ? THREADS_NAMED(thread)
		       : thread;
}

void app_thread_text(const struct app *a, char *out, size_t size)
{
	const struct profile *p = times_profile(&a->at->times);
	char *known = p ? report_threads(p, app_threads(a, p)) : NULL;
	char *name = known ? name_shown(known, a->style.ascii) : NULL;

	copy_text(out, size, name);
	free(name);
	free(known);
}

/* What is looked at */

static enum average_slot average_of(const struct app *a, const struct profile *p)
{
	if (a->at->times.chosen)
		return a->at->paused_run ? AVERAGE_RUN : AVERAGE_NOW;
	return p->frame_count ? a->choice.average : AVERAGE_RUN;
}

/* A zone that was asked for by its name before it was there. */
static void find_zone(struct app *a, struct query *query, const struct profile *p)
{
	const struct keys *keys = query_keys(query);
	enum keys_lookup found = KEYS_NO_ZONE;
	struct path path;
	uint32_t key, place;

	if (a->choice.zone)
		found = keys_parse(keys, p, a->choice.zone, &key);
	if (found == KEYS_AMBIGUOUS) {
		app_say(a, "several zones are called '%s'. Choose one: -z name@file:line", a->choice.zone);
		a->choice.zone = NULL;
	}
	if (found != KEYS_FOUND)
		return;
	path_begin(&path, &place, keys->id[key]);
	view_graph_begin(a->views[VIEW_GRAPH], &path);
	if (a->view != VIEW_GRAPH)
		table_go(&app_view(a)->table, keys->id[key]);
	a->choice.zone = NULL;
}

void app_look(struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	struct query *query = times_query(&a->at->times);
	struct query_options o;
	uint64_t base;

	a->stale = true;
	if (!query)
		return;
	base = app_base(a); /* first: it decides the name and the reason */
	o = (struct query_options){ .threads = app_threads(a, p), .measure = app_measure(a, p), .spread = a->choice.spread,
				   .average = average_of(a, p), .frame = a->at->times.chosen,
				   .path = a->at->path, .less_overhead = a->choice.less_overhead, .base = base,
				   .base_name = app_base_name(a), .base_reason = app_base_reason(a),
				   .first = a->at->times.selected_first, .last = a->at->times.selected_last,
				   .selected = a->at->times.selected };
	if (!query_look(query, &o))
		app_say(a, "out of memory");
	find_zone(a, query, p);
}

/* The title says what the views were made of. */
static void find_mean(struct app *a)
{
	struct query *query = times_query(&a->at->times);
	const struct values *v = query ? query_times(query) : NULL;
	struct values *cpu;

	a->at->mean = (struct frame_mean){ 0 };
	a->at->load = (struct load){ 0 };
	if (!v)
		return;
	frame_mean_make(times_profile(&a->at->times), v, &a->at->mean);
	if (a->at->path.length) /* the values lack all other stacks */
		return;
	cpu = query_cpu(query);
	a->at->load = load_of_values(times_profile(&a->at->times), v, cpu);
	values_free(cpu);
}

#define STILL_S 1 /* rates fall while no frame comes: rows are made this often then */

/* A program that bounds its frames stands between two of them, for a second or more. */
static bool stands_still(const struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct profile_frame *newest = p && p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	return newest && !a->at->times.chosen && p->process.state == PROFILE_LIVE && newest->flags & FRAME_BOUNDED &&
	       p->now_tick - frame_end(newest) > (int64_t)p->ticks_per_s;
}

static bool is_due(const struct app *a)
{
	double since = fabs(a->now - a->made);

	return a->stale || (since >= STILL_S && stands_still(a)) || (a->aged && since >= REFRESH_S) || (!a->settled && since >= SETTLE_S);
}

/* A key is answered at once. New data alone change numbers and their order together, twice a second at most, so
 * that they can be read. If no more data come, the rows are put in order once more. */
void app_refresh(struct app *a)
{
	struct look look;

	if (!is_due(a))
		return;
	app_bring_singles(a);
	look = app_looks(a);
	look.keeps_order = !a->stale && a->aged;
	a->settled = !look.keeps_order;
	app_view(a)->ops->refresh(app_view(a), &look);
	app_renew_threads(a);
	find_mean(a);
	a->made = a->now;
	a->stale = a->aged = false;
}

bool app_work(struct app *a)
{
	struct query *query = times_query(&a->at->times);
	const struct heat *before;
	bool more;

	if (!query)
		return false;
	before = query_heat(query);
	more = query_work(query, MEDIAN_FRAMES);
	if (query_heat(query) != before)
		a->stale = true;
	return more;
}

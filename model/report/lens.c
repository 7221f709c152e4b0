/* SPDX-License-Identifier: MIT */
#include "model/report/lens.h"

#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/stats/overhead.h"

struct lens {
	const struct profile *p;
	struct lens_options options;
	uint64_t turns;      /* how often they changed */
	struct averages *averages;
	struct frame_order *order;
	uint64_t reset;      /* newest frame when statistics were reset */
	struct keys *keys[2]; /* merged, spread */

	/* What belongs to the present options is made when it is missing. */
	bool *members;        /* of the path; NULL: there is none, or to be made */
	uint32_t member_count;
	struct values *values;
	struct values *base;  /* what they are set against */
	struct tally tally;   /* for the two below */
	bool behind;          /* these two and the window do not have all frames yet */
	struct heat *heat;    /* of the averages */
	struct trend *trend;
	struct medians *medians; /* of a frame */
	enum medians_state medians_state;
	struct heat *distance; /* of a frame: its heat */
	struct window *window;    /* for the statistics of zones, where they are wanted */
	struct zone_stats *stats;
	enum measure stats_measure;
	int64_t stats_tick;  /* when they were made */
	uint64_t stats_last; /* newest frame in them */
	struct cause cause; /* of one key; */
	bool has_cause;     /* there is one */
	uint32_t cause_key;
	int64_t cause_tick;  /* when it was made */
	uint64_t cause_last; /* newest frame that there was */
};

static const struct lens_options at_first = { .threads = THREADS_ALL, .average = AVERAGE_FAST };

#define FOLD_CELLS (UINT32_C(1) << 20) /* that are tallied before a key is looked for */

/* Forgetting. A part of the options stands for what is made of it. */

static void forget_values(struct lens *l)
{
	values_free(l->values);
	values_free(l->base);
	l->values = NULL;
	l->base = NULL;
}

static void forget_heat(struct lens *l)
{
	heat_free(l->heat);
	l->heat = NULL;
}

static void forget_frame(struct lens *l)
{
	heat_free(l->distance);
	trend_free(l->trend);
	l->distance = NULL;
	l->trend = NULL;
}

static void forget_stats(struct lens *l)
{
	window_free(l->window);
	zone_stats_free(l->stats);
	l->window = NULL;
	l->stats = NULL;
}

static void forget_cause(struct lens *l)
{
	cause_fini(&l->cause);
	l->has_cause = false;
}

static void forget_scope(struct lens *l)
{
	forget_cause(l);
	forget_heat(l);
	forget_stats(l);
	forget_frame(l);
	medians_free(l->medians);
	l->medians = NULL;
	l->medians_state = MEDIANS_MORE;
	tally_fini(&l->tally);
	free(l->members);
	l->members = NULL;
	l->member_count = 0;
}

void lens_free(struct lens *l)
{
	if (!l)
		return;
	forget_values(l);
	forget_scope(l);
	averages_free(l->averages);
	frame_order_free(l->order);
	keys_free(l->keys[0]);
	keys_free(l->keys[1]);
	free(l);
}

/* Making */

static uint64_t newest_frame(const struct profile *p)
{
	return p->frame_count ? p->frames[p->frame_count - 1].number : 0;
}

static struct keys *keys_of(const struct lens *l)
{
	return l->keys[l->options.spread];
}

static struct scope scope_of(const struct lens *l)
{
	return (struct scope){ .keys = keys_of(l), .threads = l->options.threads, .members = l->members };
}

/* Is it one frame that is shown, not an average? */
static bool shows_frame(const struct lens *l)
{
	return l->options.frame && l->options.average != AVERAGE_RUN;
}

/* Which nodes count, of those that there are now. */
static bool bring_members(struct lens *l)
{
	bool *members;

	if (!l->options.path.length ||
	    (l->members && l->member_count == keys_of(l)->node_count))
		return true;
	members = path_members(&l->options.path, l->p, keys_of(l));
	if (!members)
		return false;
	free(l->members);
	l->members = members;
	l->member_count = keys_of(l)->node_count;
	if (l->medians)
		medians_restrict(l->medians, members);
	return true;
}

static bool bring_keys(struct lens *l)
{
	return keys_update(keys_of(l), l->p) && bring_members(l);
}

/* That of an average; of one frame there is `distance`. */
static bool bring_heat(struct lens *l)
{
	if (l->heat || shows_frame(l))
		return true;
	l->heat = heat_new(keys_of(l), l->options.threads, l->options.average);
	if (l->heat)
		heat_begin(l->heat, l->reset);
	return l->heat;
}

static bool bring_trend(struct lens *l)
{
	if (!l->trend)
		l->trend = trend_new(keys_of(l), l->options.threads, l->options.frame);
	return l->trend;
}

static bool bring_tally(struct lens *l)
{
	return (l->tally.store || tally_init(&l->tally)) &&
	       tally_reserve(&l->tally, l->p, keys_of(l)) && (!l->heat || heat_reserve(l->heat)) &&
	       trend_reserve(l->trend);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Each new frame is tallied once, and no more of them than a key may wait for: the rest is left to the next time. */
static void fold_frames(struct lens *l)
{
	uint32_t end = l->p->frame_count, heat = l->heat ? heat_first(l->heat, l->p) : end;
	uint32_t trend = trend_first(l->trend, l->p), trend_end = trend_end_index(l->trend, l->p);
	uint32_t window = l->window ? window_first(l->window, l->p, l->options.threads) : end;
	uint32_t i = least(least(heat, trend < trend_end ? trend : end), window);
	struct scope scope = scope_of(l);

	for (uint64_t cells = 0; i < end && cells < FOLD_CELLS; i++) {
		const struct profile_frame *frame = &l->p->frames[i];
		bool in_trend = i >= trend && i < trend_end;

		if (!in_trend && i < heat && i < window) { /* nobody needs it */
			i = least(heat, window) - 1;
			continue;
		}
		if (frame_counts(frame) || (in_trend && trend_is_end(l->trend, frame))) {
			tally_frame(&l->tally, l->p, &scope, frame);
			cells += tally_cost(frame);
		}
		if (i >= heat)
			heat_fold(l->heat, l->p, frame, &l->tally);
		if (in_trend)
			trend_fold(l->trend, frame, &l->tally);
		if (i >= window && l->window && !window_fold(l->window, frame, &l->tally))
			forget_stats(l);
	}
	l->behind = i < end;
}

static bool bring_distance(struct lens *l)
{
	const struct profile_frame *frame = profile_find_frame(l->p, l->options.frame);
	struct scope scope = scope_of(l);

	if (l->distance || !shows_frame(l) || !frame || !l->medians ||
	    l->medians_state != MEDIANS_DONE || !heat_has_frame(l->p, &scope, frame, l->medians))
		return true;
	l->distance = heat_of_frame(l->p, &scope, frame, l->medians);
	return l->distance;
}

/* Makes what is missing, and brings up to date what is there, or a piece of it. */
static bool bring_scope(struct lens *l)
{
	if (!bring_keys(l) || !bring_heat(l) || !bring_trend(l) || !bring_tally(l))
		return false;
	fold_frames(l);
	return bring_distance(l);
}

/* Owns what it is given, also when it returns NULL. */
static struct lens *lens_begin(const struct profile *p, struct averages *averages,
			       struct frame_order *order)
{
	struct lens *l = calloc(1, sizeof(*l));

	if (!l || !averages || !order) {
		averages_free(averages);
		frame_order_free(order);
		free(l);
		return NULL;
	}
	l->p = p;
	l->options = at_first;
	l->averages = averages;
	l->order = order;
	l->keys[0] = keys_new(false);
	l->keys[1] = keys_new(true);
	if (l->keys[0] && l->keys[1])
		return l;
	lens_free(l);
	return NULL;
}

struct lens *lens_new(const struct profile *p)
{
	struct lens *l = lens_begin(p, averages_new(), frame_order_new());

	if (l && lens_update(l))
		return l;
	lens_free(l);
	return NULL;
}

struct lens *lens_copy(const struct lens *from, const struct profile *p)
{
	struct lens *l = lens_begin(p, averages_copy(from->averages), frame_order_copy(from->order));

	if (!l)
		return NULL;
	l->options = from->options;
	l->options.selected = NULL;
	l->reset = from->reset;
	if (lens_update(l))
		return l;
	lens_free(l);
	return NULL;
}

bool lens_update(struct lens *l)
{
	forget_values(l);
	return averages_update(l->averages, l->p) && frame_order_update(l->order, l->p) &&
	       (l->trend ? bring_scope(l) : bring_keys(l));
}

static bool same_path(const struct path *a, const struct path *b)
{
	return a->length == b->length &&
	       !memcmp(a->ids, b->ids, a->length * sizeof(*a->ids));
}

bool lens_look(struct lens *l, const struct lens_options *options)
{
	struct lens_options old = l->options;
	bool scope = old.threads != options->threads || old.spread != options->spread ||
		     !same_path(&old.path, &options->path);
	bool frame = old.frame != options->frame;
	bool slot = old.average != options->average;

	l->options.base_name = options->base_name;
	l->options.base_reason = options->base_reason;
	if (!scope && !frame && !slot && old.base == options->base && old.selected == options->selected &&
	    old.less_overhead == options->less_overhead)
		return true;
	l->options = *options;
	l->turns++;
	forget_values(l);
	if (scope)
		forget_scope(l);
	if (frame)
		forget_frame(l);
	if (average_seconds(old.average) != average_seconds(options->average))
		forget_heat(l);
	l->behind = true;
	return bring_keys(l);
}

uint64_t lens_turns(const struct lens *l)
{
	return l->turns;
}

struct scope lens_scope(const struct lens *l)
{
	return scope_of(l);
}

const struct lens_options *lens_options(const struct lens *l)
{
	return &l->options;
}

bool lens_reset(struct lens *l)
{
	if (!averages_reset(l->averages, l->p))
		return false;
	l->reset = newest_frame(l->p);
	forget_values(l);
	forget_heat(l);
	forget_stats(l);
	l->behind = true;
	return bring_keys(l);
}

/* Statistics of zones */

static bool is_fresh(const struct lens *l, enum measure measure)
{
	return l->stats && l->stats_measure == measure &&
	       (l->stats_last == window_last(l->window) ||
		(l->p->process.state == PROFILE_LIVE &&
		 l->p->now_tick - l->stats_tick < 2 * (int64_t)l->p->ticks_per_s));
}

static bool bring_stats(struct lens *l, enum measure measure)
{
	if (!l->window)
		return false;
	if (l->behind || is_fresh(l, measure))
		return true;
	zone_stats_free(l->stats);
	l->stats = window_stats(l->window, keys_of(l)->count, measure);
	l->stats_measure = measure;
	l->stats_tick = l->p->now_tick;
	l->stats_last = window_last(l->window);
	return l->stats;
}

/* Why a key is restless */

static bool is_recent(const struct lens *l, uint32_t key)
{
	return l->has_cause && l->cause_key == key &&
	       (l->cause_last == newest_frame(l->p) ||
		l->p->now_tick - l->cause_tick < (int64_t)l->p->ticks_per_s);
}

const struct cause *lens_cause(struct lens *l, uint32_t key)
{
	struct scope scope;

	if (is_recent(l, key))
		return &l->cause;
	forget_cause(l);
	if (!bring_keys(l))
		return NULL;
	scope = scope_of(l);
	l->has_cause = cause_make(&l->cause, l->p, &scope, key, CAUSE_FRAMES, CAUSE_WORK);
	l->cause_key = key;
	l->cause_tick = l->p->now_tick;
	l->cause_last = newest_frame(l->p);
	return l->has_cause ? &l->cause : NULL;
}

/* What is looked at */

static struct values *values_of_frame(const struct profile *p, uint64_t number)
{
	bool held = profile_find_frame(p, number);
	struct values *v = values_of_frames(p, profile_frame_index(p, number), held ? 1 : 0);

	if (v)
		v->average = true;
	return v;
}

/* Values as they are looked at: without what measuring costs, of the stacks of the path. Frees them where there is no
 * memory for that. */
static struct values *as_looked_at(const struct lens *l, struct values *v)
{
	if (v && l->options.less_overhead && !overhead_subtract(v, l->p)) {
		values_free(v);
		return NULL;
	}
	if (v && l->members)
		values_restrict(v, l->p, l->members);
	return v;
}

const struct values *lens_values(struct lens *l)
{
	struct values *v;

	if (l->values && l->values->node_count == l->p->node_count)
		return l->values;
	forget_values(l);
	if (!bring_keys(l))
		return NULL;
	if (l->options.selected)
		v = values_copy(l->options.selected, l->p);
	else if (shows_frame(l))
		v = values_of_frame(l->p, l->options.frame);
	else
		v = values_average(l->averages, l->p, l->options.average);
	l->values = as_looked_at(l, v);
	return l->values;
}

static struct values *make_base(const struct lens *l)
{
	struct values *v = NULL;

	if (l->options.base == LENS_BASE_AVERAGE)
		v = values_average(l->averages, l->p, AVERAGE_FAST);
	else if (profile_find_frame(l->p, l->options.base))
		v = values_of_frame(l->p, l->options.base);
	return as_looked_at(l, v);
}

/* Whether a frame is chosen and set against something. Brings l->values. */
static bool has_base(struct lens *l)
{
	return l->options.base && shows_frame(l) && !l->options.selected && lens_values(l);
}

const struct values *lens_base(struct lens *l)
{
	if (!has_base(l))
		return NULL;
	if (!l->base && (l->base = make_base(l)))
		values_rescale(l->base, l->p, l->values->scale);
	return l->base;
}

struct why *lens_why(struct lens *l, uint32_t threads, bool by_zone)
{
	struct values *base = has_base(l) ? make_base(l) : NULL;
	struct why_side then = { l->p, base }, now = { l->p, l->values };
	struct why_options o = { .threads = threads, .by_zone = by_zone, .spread = l->options.spread };
	struct why *w = base ? why_make(&then, &now, &o) : NULL;

	values_free(base);
	return w;
}

const struct keys *lens_keys(const struct lens *l)
{
	return keys_of(l);
}

const struct frame_order *lens_order(const struct lens *l)
{
	return l->order;
}

const struct heat *lens_heat(const struct lens *l)
{
	if (l->options.selected)
		return NULL;
	return shows_frame(l) ? l->distance : l->behind ? NULL : l->heat;
}

const struct trend *lens_trend(const struct lens *l)
{
	return l->behind ? NULL : l->trend;
}

enum report_error lens_report(struct lens *l, const struct report_options *options,
			      struct report **out, char *why, size_t why_size)
{
	const struct values *values = lens_values(l);
	struct report_options o = *options;

	*out = NULL;
	if (!o.per_frame)
		forget_stats(l);
	else if (!l->window)
		l->window = window_new(l->reset);
	if (!values || !bring_scope(l)) {
		snprintf(why, why_size, "out of memory");
		return REPORT_NO_MEMORY;
	}
	o.thread = l->options.threads;
	o.spread = l->options.spread;
	o.keys = keys_of(l);
	o.heat = lens_heat(l);
	o.heat_later = !o.heat && !l->options.selected && (l->behind || (shows_frame(l) && l->medians_state == MEDIANS_MORE));
	o.trend = lens_trend(l);
	o.trend_later = l->behind;
	o.base = lens_base(l);
	o.base_name = l->options.base_name;
	o.per_frame = o.per_frame && bring_stats(l, report_measure(o.view));
	o.stats = l->stats;
	o.watched = true;
	return report_make(l->p, values, &o, out, why, why_size);
}

/* Medians */

bool lens_work(struct lens *l, uint32_t frames)
{
	if (!bring_scope(l))
		return false;
	if (l->behind)
		return true;
	if (!shows_frame(l) || l->medians_state != MEDIANS_MORE)
		return false;
	if (!l->medians) {
		struct scope scope = scope_of(l);

		l->medians = medians_new(l->p, &scope);
	}
	l->medians_state = l->medians ? medians_work(l->medians, l->p, frames ? frames : 1)
				      : MEDIANS_NO_MEMORY;
	if (l->medians_state == MEDIANS_MORE)
		return true;
	if (l->medians_state == MEDIANS_NO_MEMORY) {
		medians_free(l->medians);
		l->medians = NULL;
	}
	bring_distance(l);
	return false;
}

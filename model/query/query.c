/* SPDX-License-Identifier: MIT */
#include "model/query/query.h"

#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/query/overhead.h"

struct query {
	const struct profile *p;
	struct query_options options;
	uint64_t turns;      /* how often they changed */
	struct averages *averages;
	struct averages *measured; /* the same of the measure; NULL: it is time, or they are to be made */
	struct averages *of_cpu; /* the same of CPU time; NULL: not asked for, or it is the measure */
	struct frame_order *order;
	bool averaged, ordered; /* these two are kept up, as they were asked for */
	uint64_t reset;      /* newest frame when statistics were reset */
	struct keys *keys[2]; /* merged, spread */

	/* made for the present options, when first needed */
	bool *members;        /* of the path; NULL: there is none, or to be made */
	uint32_t member_count;
	struct values *values;
	struct values *times; /* the same of time; NULL: not asked for, or it is the measure */
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
	enum extent stats_extent;
	int64_t stats_tick;  /* when they were made */
	uint64_t stats_last; /* newest frame in them */
	struct cause cause; /* of one key; */
	bool has_cause;     /* there is one */
	uint32_t cause_key;
	int64_t cause_tick;  /* when it was made */
	uint64_t cause_last; /* newest frame that there was */
};

static const struct query_options at_first = { .threads = THREADS_ALL, .average = AVERAGE_FAST };

#define FOLD_CELLS (UINT32_C(1) << 20) /* that are tallied before a key is looked for */

/* Forgetting. A part of the options stands for what is made of it. */

static void forget_values(struct query *q)
{
	values_free(q->values);
	values_free(q->times);
	values_free(q->base);
	q->values = NULL;
	q->times = NULL;
	q->base = NULL;
}

static void forget_heat(struct query *q)
{
	heat_free(q->heat);
	q->heat = NULL;
}

static void forget_frame(struct query *q)
{
	heat_free(q->distance);
	trend_free(q->trend);
	q->distance = NULL;
	q->trend = NULL;
}

static void forget_stats(struct query *q)
{
	window_free(q->window);
	zone_stats_free(q->stats);
	q->window = NULL;
	q->stats = NULL;
}

static void forget_cause(struct query *q)
{
	cause_fini(&q->cause);
	q->has_cause = false;
}

static void forget_scope(struct query *q)
{
	forget_cause(q);
	forget_heat(q);
	forget_stats(q);
	forget_frame(q);
	medians_free(q->medians);
	q->medians = NULL;
	q->medians_state = MEDIANS_MORE;
	tally_fini(&q->tally);
	free(q->members);
	q->members = NULL;
	q->member_count = 0;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	forget_values(q);
	forget_scope(q);
	averages_free(q->averages);
	averages_free(q->measured);
	averages_free(q->of_cpu);
	frame_order_free(q->order);
	keys_free(q->keys[0]);
	keys_free(q->keys[1]);
	free(q);
}

/* Making */

static uint64_t newest_frame(const struct profile *p)
{
	return p->frame_count ? p->frames[p->frame_count - 1].number : 0;
}

static struct keys *keys_of(const struct query *q)
{
	return q->keys[q->options.spread];
}

/* NULL: out of memory. */
static struct averages *averages_in(struct query *q, uint32_t measure)
{
	if (measure == MEASURE_SELF)
		return q->averages;
	struct averages **a = measure == q->options.measure ? &q->measured : &q->of_cpu;

	if (!*a)
		*a = averages_of_measure(q->averages, measure, a == &q->measured);
	return *a;
}

/* Updates the averages that fade, fast and slow. The others need none: the whole run has its totals, and now is
 * one frame. */
static bool bring_averages(struct query *q, uint32_t measure)
{
	struct averages *a = averages_in(q, measure);

	q->averaged = true;
	return a && averages_update(a, q->p);
}

static bool bring_order(struct query *q)
{
	q->ordered = true;
	return frame_order_update(q->order, q->p);
}

static struct scope scope_of(const struct query *q)
{
	return (struct scope){ .keys = keys_of(q), .threads = q->options.threads, .members = q->members,
			       .measure = q->options.measure };
}

/* Is it one frame that is shown, not an average? */
static bool shows_frame(const struct query *q)
{
	return q->options.frame && q->options.average != AVERAGE_RUN;
}

static bool is_selection(const struct query *q)
{
	return q->options.selected || q->options.first;
}

/* Which nodes count, of those that there are now. */
static bool bring_members(struct query *q)
{
	bool *members;

	if (!q->options.path.length ||
	    (q->members && q->member_count == keys_of(q)->node_count))
		return true;
	members = path_members(&q->options.path, q->p, keys_of(q));
	if (!members)
		return false;
	free(q->members);
	q->members = members;
	q->member_count = keys_of(q)->node_count;
	if (q->medians)
		medians_restrict(q->medians, members);
	return true;
}

static bool bring_keys(struct query *q)
{
	return keys_update(keys_of(q), q->p) && bring_members(q);
}

/* The heat of an average. One frame has `distance` instead. */
static bool bring_heat(struct query *q)
{
	if (q->heat || shows_frame(q))
		return true;
	q->heat = heat_new(keys_of(q), q->options.threads, q->options.average);
	if (q->heat) {
		heat_measure(q->heat, q->options.measure);
		heat_begin(q->heat, q->reset);
	}
	return q->heat;
}

static bool bring_trend(struct query *q)
{
	if (!q->trend && !q->options.at_once)
		q->trend = trend_new(keys_of(q), q->options.threads, q->options.frame);
	return q->trend || q->options.at_once;
}

static bool bring_tally(struct query *q)
{
	return (q->tally.store || tally_init(&q->tally)) &&
	       tally_reserve(&q->tally, q->p, keys_of(q)) && (!q->heat || heat_reserve(q->heat)) &&
	       (!q->trend || trend_reserve(q->trend));
}

static uint32_t smaller_count(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Each new frame is tallied once, and no more of them than a key may wait for: the rest is left to the next time. */
static void fold_frames(struct query *q)
{
	uint32_t end = q->p->frame_count, heat = q->heat ? heat_first(q->heat, q->p) : end;
	uint32_t trend = q->trend ? trend_first(q->trend, q->p) : end;
	uint32_t trend_end = q->trend ? trend_end_index(q->trend, q->p) : end;
	uint32_t window = q->window ? window_first(q->window, q->p, q->options.threads) : end;
	uint32_t i = smaller_count(smaller_count(heat, trend < trend_end ? trend : end), window);
	uint64_t most = q->options.at_once ? UINT64_MAX : FOLD_CELLS;
	struct scope scope = scope_of(q);

	for (uint64_t cells = 0; i < end && cells < most; i++) {
		const struct profile_frame *frame = &q->p->frames[i];
		bool in_trend = i >= trend && i < trend_end;

		if (!in_trend && i < heat && i < window) { /* nobody needs it */
			i = smaller_count(heat, window) - 1;
			continue;
		}
		if (frame_counts(frame) || (in_trend && trend_is_end(q->trend, frame))) {
			tally_frame(&q->tally, q->p, &scope, frame);
			cells += tally_cost(frame);
		}
		if (i >= heat)
			heat_fold(q->heat, q->p, frame, &q->tally);
		if (in_trend)
			trend_fold(q->trend, frame, &q->tally);
		if (i >= window && q->window && !window_fold(q->window, frame, &q->tally))
			forget_stats(q);
	}
	q->behind = i < end;
}

static bool bring_distance(struct query *q)
{
	const struct profile_frame *frame = profile_find_frame(q->p, q->options.frame);
	struct scope scope = scope_of(q);

	if (q->distance || !shows_frame(q) || !frame || !q->medians ||
	    q->medians_state != MEDIANS_DONE || !heat_has_frame(q->p, &scope, frame, q->medians))
		return true;
	q->distance = heat_of_frame(q->p, &scope, frame, q->medians);
	return q->distance;
}

/* Makes what is missing, and brings up to date what is there, or a piece of it. */
static bool bring_scope(struct query *q)
{
	if (!bring_keys(q) || !bring_heat(q) || !bring_trend(q) || !bring_tally(q))
		return false;
	fold_frames(q);
	return bring_distance(q);
}

/* Owns what it is given, also when it returns NULL. */
static struct query *query_begin(const struct profile *p, struct averages *averages,
			       struct frame_order *order)
{
	struct query *q = calloc(1, sizeof(*q));

	if (!q || !averages || !order) {
		averages_free(averages);
		frame_order_free(order);
		free(q);
		return NULL;
	}
	q->p = p;
	q->options = at_first;
	q->averages = averages;
	q->order = order;
	q->keys[0] = keys_new(false);
	q->keys[1] = keys_new(true);
	if (q->keys[0] && q->keys[1])
		return q;
	query_free(q);
	return NULL;
}

struct query *query_new(const struct profile *p)
{
	struct query *q = query_begin(p, averages_new(), frame_order_new());

	if (q && bring_keys(q))
		return q;
	query_free(q);
	return NULL;
}

struct query *query_copy(const struct query *from, const struct profile *p)
{
	struct query *q = query_begin(p, averages_copy(from->averages), frame_order_copy(from->order));

	if (!q)
		return NULL;
	q->options = from->options;
	q->options.selected = NULL;
	q->reset = from->reset;
	q->measured = from->measured ? averages_copy(from->measured) : NULL;
	q->averaged = from->averaged;
	q->ordered = from->ordered;
	if (query_update(q))
		return q;
	query_free(q);
	return NULL;
}

bool query_update(struct query *q)
{
	forget_values(q);
	return (!q->averaged || bring_averages(q, q->options.measure)) && (!q->ordered || bring_order(q)) &&
	       (q->trend ? bring_scope(q) : bring_keys(q));
}

static bool same_path(const struct path *a, const struct path *b)
{
	return a->length == b->length &&
	       !memcmp(a->ids, b->ids, a->length * sizeof(*a->ids));
}

bool query_look(struct query *q, const struct query_options *options)
{
	struct query_options old = q->options;
	bool scope = old.threads != options->threads || old.spread != options->spread ||
		     old.measure != options->measure || !same_path(&old.path, &options->path);
	bool frame = old.frame != options->frame;
	bool slot = old.average != options->average;

	q->options.base_name = options->base_name;
	q->options.base_reason = options->base_reason;
	if (!scope && !frame && !slot && old.base == options->base && old.selected == options->selected &&
	    old.first == options->first && old.last == options->last && old.sums == options->sums &&
	    old.less_overhead == options->less_overhead && old.at_once == options->at_once)
		return true;
	if (old.measure != options->measure) {
		averages_free(q->measured);
		q->measured = NULL;
	}
	q->options = *options;
	q->turns++;
	forget_values(q);
	if (scope)
		forget_scope(q);
	if (frame)
		forget_frame(q);
	if (average_seconds(old.average) != average_seconds(options->average))
		forget_heat(q);
	q->behind = true;
	return bring_keys(q);
}

uint64_t query_turns(const struct query *q)
{
	return q->turns;
}

struct scope query_scope(const struct query *q)
{
	return scope_of(q);
}

const struct query_options *query_options(const struct query *q)
{
	return &q->options;
}

bool query_reset(struct query *q)
{
	if (!averages_reset(q->averages, q->p) || (q->measured && !averages_reset(q->measured, q->p)) ||
	    (q->of_cpu && !averages_reset(q->of_cpu, q->p)))
		return false;
	q->reset = newest_frame(q->p);
	forget_values(q);
	forget_heat(q);
	forget_stats(q);
	q->behind = true;
	return bring_keys(q);
}

/* Statistics of zones */

static bool is_fresh(const struct query *q, enum extent extent)
{
	return q->stats && q->stats_extent == extent &&
	       (q->stats_last == window_last(q->window) ||
		(q->p->process.state == PROFILE_LIVE &&
		 q->p->now_tick - q->stats_tick < 2 * (int64_t)q->p->ticks_per_s));
}

static bool bring_stats(struct query *q, enum extent extent)
{
	if (!q->window)
		return false;
	if (q->behind || is_fresh(q, extent))
		return true;
	zone_stats_free(q->stats);
	q->stats = window_stats(q->window, keys_of(q)->count, extent);
	q->stats_extent = extent;
	q->stats_tick = q->p->now_tick;
	q->stats_last = window_last(q->window);
	return q->stats;
}

/* Why a key is restless */

static bool is_recent(const struct query *q, uint32_t key)
{
	return q->has_cause && q->cause_key == key &&
	       (q->cause_last == newest_frame(q->p) ||
		q->p->now_tick - q->cause_tick < (int64_t)q->p->ticks_per_s);
}

const struct cause *query_cause(struct query *q, uint32_t key)
{
	struct scope scope;

	if (is_recent(q, key))
		return &q->cause;
	forget_cause(q);
	if (!bring_keys(q))
		return NULL;
	scope = scope_of(q);
	q->has_cause = q->options.at_once ? cause_make(&q->cause, q->p, &scope, key, UINT32_MAX, CAUSE_WORK_BATCH)
					  : cause_make(&q->cause, q->p, &scope, key, CAUSE_FRAMES, CAUSE_WORK);
	q->cause_key = key;
	q->cause_tick = q->p->now_tick;
	q->cause_last = newest_frame(q->p);
	return q->has_cause ? &q->cause : NULL;
}

/* What is looked at */

static void find_frame(const struct profile *p, uint64_t number, uint32_t *first, uint32_t *count)
{
	*first = profile_frame_index(p, number);
	*count = profile_find_frame(p, number) != NULL;
}

void query_frames(const struct query *q, uint32_t *first, uint32_t *count)
{
	const struct query_options *o = &q->options;

	if (!o->first && shows_frame(q))
		find_frame(q->p, o->frame, first, count);
	else
		*count = profile_frame_range(q->p, o->first, o->last, first);
}

/* The frame that is chosen, or the mean of a range of frames; or their sums. */
static struct values *values_covered(const struct query *q, uint32_t measure)
{
	uint32_t first, count;
	struct values *v;

	query_frames(q, &first, &count);
	v = values_of_frames_in(q->p, first, count, measure);
	if (!v || q->options.sums || (q->options.first && !v->frames))
		return v;
	v->average = true;
	if (q->options.first)
		v->scale = (int64_t)v->frames;
	return v;
}

static struct values *values_of_slot(struct query *q, enum average_slot slot, uint32_t measure)
{
	if ((slot == AVERAGE_FAST || slot == AVERAGE_SLOW) && !bring_averages(q, measure))
		return NULL;
	return averages_in(q, measure) ? values_average(averages_in(q, measure), q->p, slot) : NULL;
}

/* A stretch of single calls has times only, and no other measures. */
static struct values *selected_in(const struct query *q, uint32_t measure)
{
	struct values *v = measure == MEASURE_SELF ? values_copy(q->options.selected, q->p) : values_for(q->p, measure);

	if (!v || measure == MEASURE_SELF)
		return v;
	for (uint32_t i = 0; i < v->thread_count; i++)
		values_add_known(v, i, false);
	v->wall = q->options.selected->wall;
	v->elapsed = q->options.selected->elapsed;
	return v;
}

static struct values *values_in(struct query *q, uint32_t measure)
{
	if (q->options.selected)
		return selected_in(q, measure);
	if (q->options.first || shows_frame(q))
		return values_covered(q, measure);
	if (q->options.sums)
		return values_of_run_in(q->p, measure);
	return values_of_slot(q, q->options.average, measure);
}

/* Values as they are looked at: without what measuring costs, of the stacks of the path. Frees them where there is no
 * memory for that. */
static struct values *as_looked_at(const struct query *q, struct values *v)
{
	if (v && q->options.less_overhead && !overhead_subtract(v, q->p)) {
		values_free(v);
		return NULL;
	}
	if (v && q->members)
		values_restrict(v, q->p, q->members);
	return v;
}

const struct values *query_values(struct query *q)
{
	if (q->values && q->values->node_count == q->p->node_count)
		return q->values;
	forget_values(q);
	if (!bring_keys(q))
		return NULL;
	q->values = as_looked_at(q, values_in(q, q->options.measure));
	return q->values;
}

const struct values *query_times(struct query *q)
{
	if (q->options.measure == MEASURE_SELF || !query_values(q))
		return query_values(q);
	if (!q->times)
		q->times = as_looked_at(q, values_in(q, MEASURE_SELF));
	return q->times;
}

struct values *query_cpu(struct query *q)
{
	uint32_t measure = profile_find_slice_measure(q->p, "cpu", MEASURE_NS, MEASURE_SUM);

	return measure != PROFILE_NONE ? values_in(q, measure) : NULL;
}

static struct values *make_base(struct query *q)
{
	struct values *v = NULL;
	uint32_t first, count;

	if (q->options.base == QUERY_BASE_AVERAGE)
		return as_looked_at(q, values_of_slot(q, AVERAGE_FAST, q->options.measure));
	find_frame(q->p, q->options.base, &first, &count);
	if (count)
		v = values_of_frames_in(q->p, first, count, q->options.measure);
	if (v)
		v->average = !q->options.sums;
	return as_looked_at(q, v);
}

/* Whether a frame is chosen and set against something. Brings q->values. */
static bool has_base(struct query *q)
{
	return q->options.base && shows_frame(q) && !is_selection(q) && query_values(q);
}

const struct values *query_base(struct query *q)
{
	if (!has_base(q))
		return NULL;
	if (!q->base && (q->base = make_base(q)))
		values_rescale(q->base, q->p, q->values->scale);
	return q->base;
}

struct why *query_why(struct query *q, uint32_t threads, bool by_zone)
{
	struct values *base = has_base(q) ? make_base(q) : NULL;
	struct why_side then = { q->p, base }, now = { q->p, q->values };
	struct why_options o = { .threads = threads, .by_zone = by_zone, .spread = q->options.spread };
	struct why *w = base ? why_make(&then, &now, &o) : NULL;

	values_free(base);
	return w;
}

const struct keys *query_keys(const struct query *q)
{
	return keys_of(q);
}

const struct frame_order *query_order(struct query *q)
{
	if (!q->ordered)
		bring_order(q);
	return q->order;
}

const struct heat *query_heat(const struct query *q)
{
	if (is_selection(q) && !q->options.at_once)
		return NULL;
	return shows_frame(q) ? q->distance : q->behind ? NULL : q->heat;
}

const struct trend *query_trend(const struct query *q)
{
	return q->behind ? NULL : q->trend;
}

/* A report of a profile that still grows takes averages, heat, trend and statistics as far as they are made. */
static bool bring_watched(struct query *q, struct report_options *o)
{
	if (!o->per_frame)
		forget_stats(q);
	else if (!q->window)
		q->window = window_new(q->reset);
	if (!bring_scope(q))
		return false;
	o->heat = query_heat(q);
	o->heat_later = !o->heat && !is_selection(q) && (q->behind || (shows_frame(q) && q->medians_state == MEDIANS_MORE));
	o->trend = query_trend(q);
	o->trend_later = q->behind;
	o->per_frame = o->per_frame && bring_stats(q, report_extent(o->view));
	o->stats = q->stats;
	o->watched = true;
	return true;
}

/* And one that is made once: heat, where it is of frames and of merged threads. Statistics are left to report_make. */
static bool bring_at_once(struct query *q, struct report_options *o)
{
	if (o->without >> COLUMN_HEAT & 1 || q->options.threads == THREADS_EACH || !q->p->frame_count)
		return bring_keys(q);
	if (!bring_scope(q))
		return false;
	while (query_work(q, q->p->frame_count))
		;
	o->heat = query_heat(q);
	return o->heat || (shows_frame(q) && q->medians_state == MEDIANS_DONE);
}

enum report_error query_report(struct query *q, const struct report_options *options,
			      struct report **out, char *why, size_t why_size)
{
	const struct values *values = query_values(q);
	struct report_options o = *options;

	*out = NULL;
	if (!values || !(q->options.at_once ? bring_at_once(q, &o) : bring_watched(q, &o))) {
		snprintf(why, why_size, "out of memory");
		return REPORT_NO_MEMORY;
	}
	o.thread = q->options.threads;
	o.spread = q->options.spread;
	o.keys = keys_of(q);
	o.base = o.without >> COLUMN_DELTA & 1 ? NULL : query_base(q);
	o.base_name = q->options.base_name;
	return report_make(q->p, values, &o, out, why, why_size);
}

/* With sums of a range and of the whole run. The caller frees them. */
static struct values *sums_in(struct query *q, uint32_t measure)
{
	struct values *values = NULL;
	bool sums = q->options.sums;

	q->options.sums = sums || q->options.first || q->options.average == AVERAGE_RUN;
	if (bring_keys(q))
		values = as_looked_at(q, values_in(q, measure));
	q->options.sums = sums;
	return values;
}

enum report_error query_report_in(struct query *q, uint32_t measure, const struct report_options *options, struct report **out,
				  char *why, size_t why_size)
{
	struct report_options o = *options;
	enum report_error error = REPORT_NO_MEMORY;
	struct values *values = sums_in(q, measure);

	*out = NULL;
	snprintf(why, why_size, "out of memory");
	o.thread = q->options.threads;
	o.spread = q->options.spread;
	o.keys = keys_of(q);
	if (values)
		error = report_make(q->p, values, &o, out, why, why_size);
	values_free(values);
	return error;
}

struct line_table *query_lines(struct query *q, uint32_t zone)
{
	uint32_t measure = profile_find_measure(q->p, "samples");
	struct line_table *lines = NULL;
	struct values *values;

	if (measure == PROFILE_NONE || is_selection(q) || !(q->p->zones[zone].flags & ZONE_FUNCTION))
		return NULL;
	values = sums_in(q, measure);
	if (values)
		lines = line_table_new(q->p, values, q->options.threads, zone, 0, 0);
	values_free(values);
	return lines;
}

/* Medians */

bool query_work(struct query *q, uint32_t frames)
{
	if (!bring_scope(q))
		return false;
	if (q->behind)
		return true;
	if (!shows_frame(q) || q->medians_state != MEDIANS_MORE)
		return false;
	if (!q->medians) {
		struct scope scope = scope_of(q);

		q->medians = medians_new(q->p, &scope);
	}
	q->medians_state = q->medians ? medians_work(q->medians, q->p, frames ? frames : 1)
				      : MEDIANS_NO_MEMORY;
	if (q->medians_state == MEDIANS_MORE)
		return true;
	if (q->medians_state == MEDIANS_NO_MEMORY) {
		medians_free(q->medians);
		q->medians = NULL;
	}
	bring_distance(q);
	return false;
}

/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include "model/stats/counters.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/base/pattern.h"
#include "model/base/order.h"
#include "model/base/search.h"
#include "model/stats/sweep.h"

bool counter_knows(const struct counter_value *v, enum counter_column column)
{
	return v->known && (v->bounds_known || (column != COUNTER_LEAST && column != COUNTER_MOST));
}

/* The sweep of one value. False: out of memory, or there is no such counter. */
static bool sweep_of(struct sweep *s, const struct profile *p, uint32_t counter, uint32_t thread)
{
	if (!sweep_init(s, p, p->track_count) || counter >= p->counter_count)
		return false;
	sweep_begin(s, counter);
	for (uint32_t i = 0; i < p->track_count; i++)
		if (sweep_belongs(p, i, counter, thread))
			sweep_add(s, i);
	return true;
}

/* In a frame a total is what it grew by there. */
static struct counter_value in_frame(const struct sweep *s, uint32_t counter, struct counter_value v)
{
	if (counter < s->p->counter_count && s->p->counters[counter].total && v.known)
		v.last = v.least = v.most = v.change;
	return v;
}

void counters_in_frames(const struct profile *p, uint32_t counter, uint32_t thread, uint32_t first,
			uint32_t n, struct counter_value *out)
{
	struct sweep s;
	bool done = sweep_of(&s, p, counter, thread);

	for (uint32_t i = 0; i < n; i++) {
		const struct profile_frame *frame =
			first + i < p->frame_count ? &p->frames[first + i] : NULL;

		out[i] = (struct counter_value){ 0 };
		if (done && frame)
			out[i] = in_frame(&s, counter, sweep_stretch(&s, frame->start, frame->start + frame->length,
								     frame->start + frame->length));
	}
	sweep_fini(&s);
}

/* The frames of a span that can be looked at together: those that follow each other without time between them.
 * Of doubles a frame may be no number, and a sum of several tracks may be known in one frame and not in the next:
 * these are looked at frame by frame, and so are totals. */
static uint32_t frames_together(const struct sweep *s, uint32_t counter, uint32_t first, uint32_t end)
{
	const struct profile *p = s->p;
	bool apart = s->real || (s->summed && s->count > 1) || p->counters[counter].total;
	uint32_t next = first + 1;

	while (!apart && next < end &&
	       p->frames[next].start == p->frames[next - 1].start + p->frames[next - 1].length)
		next++;
	return next;
}

/* One that is no number is as good as not known. */
static void span_extend(struct counter_value *sum, const struct counter_value *v, bool real)
{
	if (!v->known || (real && (!isfinite(v->least.real) || !isfinite(v->most.real))))
		return;
	counter_extend(sum, v->least, v->most, real);
	sum->changed |= v->changed;
}

void counters_in_spans(const struct profile *p, uint32_t counter, uint32_t thread, const struct counter_span *spans,
		       uint32_t n, struct counter_value *out)
{
	struct sweep s;
	bool done = sweep_of(&s, p, counter, thread);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = spans[i].first, end = at + spans[i].count, next;

		out[i] = (struct counter_value){ 0 };
		for (; done && at < end; at = next) {
			const struct profile_frame *first = &p->frames[at], *last;
			struct counter_value v;

			next = frames_together(&s, counter, at, end);
			last = &p->frames[next - 1];
			v = in_frame(&s, counter, sweep_stretch(&s, first->start, first->start + first->length,
								last->start + last->length));
			span_extend(&out[i], &v, s.real);
		}
	}
	sweep_fini(&s);
}

struct counter_value counters_in_frame(const struct profile *p, uint32_t counter, uint32_t thread,
				       const struct profile_frame *frame)
{
	struct counter_value v = { 0 };
	struct sweep s;

	if (sweep_of(&s, p, counter, thread))
		v = in_frame(&s, counter, sweep_stretch(&s, frame->start, frame->start + frame->length,
							frame->start + frame->length));
	sweep_fini(&s);
	return v;
}

/* Rows */

/* Over several frames it is their mean. */
static void tell_change(struct counter_value *v, uint64_t frames, bool real)
{
	v->change_real = real || frames > 1;
	if (frames > 1)
		v->change.real = (real ? v->change.real : (double)v->change.whole) / (double)frames;
}

/* From the value that change was set against to the end of what is covered. */
static double seconds_since(const struct profile *p, int64_t since, int64_t to)
{
	int64_t end = to == INT64_MAX ? p->now_tick : to, begin = since > p->first_tick ? since : p->first_tick;

	return end > begin && p->ticks_per_s ? (double)(end - begin) / (double)p->ticks_per_s : 0;
}

/* Before change is a mean. */
static void tell_rate(struct counter_value *v, double seconds, bool real)
{
	if (v->known && seconds > 0)
		v->rate = fmax(-DBL_MAX, fmin(DBL_MAX, (real ? v->change.real : (double)v->change.whole) / seconds));
}

struct counter_store {
	char **names; /* by counter and then by thread, NULL where no row needed it */
	uint32_t name_count;
	struct sweep *sweeps; /* of a walk: by row */
	uint32_t sweep_count;
};

/* Rows of one counter whose threads have one name. */
struct twins {
	uint32_t counter, count;
};

struct making {
	const struct profile *p;
	const struct counter_options *options;
	struct twins *twins; /* by thread that stands for its name; behind them those without a name */
	struct counter_report *report;
	uint32_t *tracks; /* in the order of counters and threads */
	struct sweep sweep;
	bool walk; /* each row keeps its sweep */
	int64_t from, first, to;
	uint64_t number; /* of the first frame in it */
};

static int compare_tracks(const void *a, const void *b, void *context)
{
	const struct profile *p = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct profile_track *x = &p->tracks[i], *y = &p->tracks[j];

	if (x->counter != y->counter)
		return x->counter < y->counter ? -1 : 1;
	if (x->thread != y->thread && !p->counters[x->counter].summed)
		return x->thread < y->thread ? -1 : 1;
	return (i > j) - (i < j);
}

/* Finds the covered time, and the end of the first frame in it. */
static void cover_frames(struct making *m)
{
	const struct profile *p = m->p;
	const struct counter_options *o = m->options;
	uint32_t at;

	m->from = -1;
	m->number = 1;
	m->first = m->to = INT64_MAX;
	if (o->to < o->from)
		return;
	m->from = o->from;
	m->first = m->to = o->to;
	at = SEARCH(i, 0, p->frame_count, p->frames[i].start < o->from);
	if (at == p->frame_count)
		return;
	m->number = p->frames[at].number;
	if (p->frames[at].start + p->frames[at].length < m->first)
		m->first = p->frames[at].start + p->frames[at].length;
}

/* How many of the frames came since a tick. */
static uint64_t frames_since(const struct making *m, int64_t since)
{
	const struct profile *p = m->p;
	uint64_t before;
	uint32_t at;

	if (since <= m->from)
		return m->options->frames;
	at = SEARCH(i, 0, p->frame_count, p->frames[i].start + p->frames[i].length <= since);
	if (at == p->frame_count || p->frames[at].number < m->number)
		return 1;
	before = p->frames[at].number - m->number;
	return m->options->frames > before ? m->options->frames - before : 1;
}

/* The source gives the least and the most value of each track over the whole
 * run, also if changes of the track are gone. They cannot be used for a sum of
 * tracks. In a track of several threads they are those of the last thread, so
 * the bounds stay unknown. */
static void extend_by_run(const struct sweep *s, struct counter_value *v)
{
	bool all = true;

	for (uint32_t i = 0; v->known && i < s->count; i++) {
		const struct profile_track *track = s->cursors[i].track;
		bool told = track->now.tick > 0 && (s->count == 1 || !s->summed);

		if (told)
			counter_extend(v, track->run_least, track->run_most, s->real);
		all = all && told && !profile_track_is_several(s->p, track);
	}
	v->bounds_known = v->known && (v->bounds_known || all);
}

static const char *name_of(struct making *m, uint32_t index, const char *bytes)
{
	char **name = &m->report->store->names[index];

	if (!*name)
		*name = name_escape(bytes, strlen(bytes));
	return *name;
}

/* How many rows of this counter came before that are of a thread of this name. */
static uint32_t count_twin(struct making *m, const struct counter_row *row)
{
	bool named = row->thread != PROFILE_NONE && *m->p->threads[row->thread].name;
	struct twins *twins = &m->twins[named ? m->p->threads[row->thread].namesake : m->p->thread_count];

	if (!twins->count || twins->counter != row->counter)
		*twins = (struct twins){ .counter = row->counter };
	return twins->count++;
}

/* An id that stays the same when the program is started again. Rows that would have the same id are numbered. */
static uint64_t row_id(struct making *m, const struct counter_row *row)
{
	const struct profile_counter *counter = &m->p->counters[row->counter];
	uint32_t twins = count_twin(m, row), low, high;

	low = lookup_hash(counter->real, counter->name, strlen(counter->name));
	high = lookup_hash(low, row->thread_name, strlen(row->thread_name));
	high = lookup_hash(high, &twins, sizeof(twins));
	low = lookup_hash(low + counter->summed, counter->name, strlen(counter->name));
	return (uint64_t)high << 32 | low;
}

static bool fill_sweep(struct sweep *s, const struct making *m, uint32_t counter, uint32_t begin,
		       uint32_t end)
{
	if (!s->cursors && !sweep_init(s, m->p, end - begin))
		return false;
	sweep_begin(s, counter);
	for (uint32_t i = begin; i < end; i++)
		sweep_add(s, m->tracks[i]);
	return true;
}

static bool keep_sweep(struct making *m, uint32_t counter, uint32_t begin, uint32_t end)
{
	struct counter_store *store = m->report->store;

	return fill_sweep(&store->sweeps[store->sweep_count++], m, counter, begin, end);
}

static bool tell_value(struct making *m, struct counter_row *row, uint32_t begin, uint32_t end)
{
	if (!fill_sweep(&m->sweep, m, row->counter, begin, end))
		return false;
	row->value = sweep_stretch(&m->sweep, m->from, m->first, m->to);
	if (m->to == INT64_MAX)
		extend_by_run(&m->sweep, &row->value);
	tell_rate(&row->value, seconds_since(m->p, row->value.since, m->to), m->p->counters[row->counter].real);
	tell_change(&row->value, frames_since(m, row->value.since), m->p->counters[row->counter].real);
	return true;
}

/* The row of tracks [begin, end). False: out of memory. */
static bool add_row(struct making *m, uint32_t begin, uint32_t end)
{
	const struct profile *p = m->p;
	const struct profile_track *track = &p->tracks[m->tracks[begin]];
	const struct profile_counter *counter = &p->counters[track->counter];
	struct counter_row row = { .counter = track->counter, .thread = track->thread };

	if (counter->summed)
		row.thread = PROFILE_NONE;
	row.name = name_of(m, row.counter, counter->name);
	row.thread_name = row.thread == PROFILE_NONE
				  ? ""
				  : name_of(m, p->counter_count + row.thread,
					    p->threads[row.thread].name);
	if (!row.name || !row.thread_name)
		return false;
	if (m->walk ? !keep_sweep(m, row.counter, begin, end)
		    : !tell_value(m, &row, begin, end))
		return false;
	row.id = row_id(m, &row);
	m->report->rows[m->report->row_count++] = row;
	return true;
}

static bool add_rows(struct making *m)
{
	const struct profile *p = m->p;

	for (uint32_t i = 0; i < p->track_count; i++)
		m->tracks[i] = i;
	qsort_r(m->tracks, p->track_count, sizeof(*m->tracks), compare_tracks, (void *)p);
	for (uint32_t begin = 0, end = 0; begin < p->track_count; begin = end) {
		const struct profile_track *track = &p->tracks[m->tracks[begin]];

		while (end < p->track_count &&
		       sweep_belongs(p, m->tracks[end], track->counter, track->thread))
			end++;
		if (!add_row(m, begin, end))
			return false;
	}
	return true;
}

static bool filter_rows(struct counter_report *r, const char *filter, char *why, size_t why_size)
{
	struct pattern pattern;
	uint32_t kept = 0;

	if (!pattern_init(&pattern, filter, why, why_size))
		return false;
	for (uint32_t i = 0; i < r->row_count; i++)
		if (pattern_matches(&pattern, r->rows[i].name))
			r->rows[kept++] = r->rows[i];
	r->hidden = r->row_count - kept;
	r->row_count = kept;
	pattern_fini(&pattern);
	return true;
}

/* Order */

struct ordering {
	const struct profile *p;
	enum counter_column sort;
	bool descending;
};

static bool has_numbers(enum counter_column sort)
{
	return sort >= COUNTER_LAST && sort <= COUNTER_RATE;
}

static union profile_number sorted_number(const struct counter_value *v, enum counter_column column)
{
	if (column == COUNTER_RATE)
		return (union profile_number){ .real = v->rate };
	if (column == COUNTER_LEAST)
		return v->least;
	if (column == COUNTER_MOST)
		return v->most;
	return column == COUNTER_CHANGE ? v->change : v->last;
}

static bool is_real(const struct ordering *o, const struct counter_row *row)
{
	if (o->sort == COUNTER_RATE)
		return true;
	return o->sort == COUNTER_CHANGE ? row->value.change_real : o->p->counters[row->counter].real;
}

/* Compares values of different kinds as doubles. */
static int compare_values(const struct ordering *o, const struct counter_row *a,
			  const struct counter_row *b)
{
	bool x = is_real(o, a), y = is_real(o, b);
	union profile_number m = sorted_number(&a->value, o->sort);
	union profile_number n = sorted_number(&b->value, o->sort);

	if (x && !y)
		n.real = (double)n.whole;
	if (y && !x)
		m.real = (double)m.whole;
	return number_compare(m, n, x || y);
}

/* Unknown values stand last in any order. Equal ones are ordered by name. */
static int compare_rows(const void *left, const void *right, void *context)
{
	const struct ordering *o = context;
	const struct counter_row *a = left, *b = right;
	bool numbers = has_numbers(o->sort);
	int order = 0;

	if (numbers && counter_knows(&a->value, o->sort) != counter_knows(&b->value, o->sort))
		return counter_knows(&a->value, o->sort) ? -1 : 1;
	if (numbers)
		order = compare_values(o, a, b);
	else if (o->sort == COUNTER_THREAD)
		order = strcmp(a->thread_name, b->thread_name);
	else
		order = strcmp(a->name, b->name);
	if (order)
		return o->descending ? -order : order;
	order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->thread_name, b->thread_name);
	if (!order)
		order = (a->counter > b->counter) - (a->counter < b->counter);
	return order ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Rows that keep their order */

static bool is_row(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct counter_report *)context)->rows[index].id == *(const uint64_t *)wanted;
}

/* Where rows stood. False: out of memory. */
static bool find_places(struct lookup *places, const struct counter_report *before)
{
	for (uint32_t i = 0; i < before->row_count; i++) {
		if (!lookup_reserve(places))
			return false;
		lookup_add(places, lookup_hash(0, &before->rows[i].id, sizeof(before->rows[i].id)), i);
	}
	return true;
}

static struct stable_item item_of(const struct ordering *o, const struct counter_row *row, const struct lookup *places,
				const struct counter_report *before)
{
	union profile_number n = sorted_number(&row->value, o->sort);

	return (struct stable_item){ .rank = !counter_knows(&row->value, o->sort), .value = is_real(o, row) ? n.real : (double)n.whole,
				   .place = lookup_find(places, lookup_hash(0, &row->id, sizeof(row->id)), is_row, before,
							&row->id) };
}

static void take_order(struct counter_report *r, const struct stable_item *order, struct counter_row *sorted)
{
	memcpy(sorted, r->rows, r->row_count * sizeof(*sorted));
	for (uint32_t i = 0; i < r->row_count; i++)
		r->rows[i] = sorted[order[i].sorted];
}

/* Takes sorted rows. If memory runs short, they stay sorted. */
static void keep_order(struct counter_report *r, const struct ordering *o, const struct counter_report *before)
{
	struct stable_item *order = array_zeroed(r->row_count, sizeof(*order));
	struct counter_row *sorted = array_zeroed(r->row_count, sizeof(*sorted));
	struct lookup places = { 0 };

	if (order && sorted && find_places(&places, before)) {
		for (uint32_t i = 0; i < r->row_count; i++)
			order[i] = item_of(o, &r->rows[i], &places, before);
		if (stable_order(order, r->row_count))
			take_order(r, order, sorted);
	}
	lookup_fini(&places);
	free(order);
	free(sorted);
}

static void sort_rows(const struct making *m)
{
	const struct counter_report *before = m->options->before;
	struct counter_report *r = m->report;
	struct ordering o = { .p = m->p, .sort = m->options->sort };

	if (o.sort >= COUNTER_COLUMNS)
		o.sort = COUNTER_NAME;
	o.descending = has_numbers(o.sort) != m->options->invert;
	r->sort = o.sort;
	r->descending = o.descending;
	qsort_r(r->rows, r->row_count, sizeof(*r->rows), compare_rows, &o);
	if (before && before->sort == r->sort && before->descending == r->descending && has_numbers(o.sort))
		keep_order(r, &o, before);
}

static struct counter_report *report_new(const struct profile *p)
{
	struct counter_report *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->rows = array_zeroed(p->track_count, sizeof(*r->rows));
	r->store = calloc(1, sizeof(*r->store));
	if (r->store) {
		r->store->name_count = p->counter_count + p->thread_count;
		r->store->names = array_zeroed(r->store->name_count, sizeof(*r->store->names));
	}
	if (r->rows && r->store && r->store->names)
		return r;
	counters_free(r);
	return NULL;
}

static bool making_init(struct making *m)
{
	m->report = report_new(m->p);
	m->tracks = array_zeroed(m->p->track_count, sizeof(*m->tracks));
	m->twins = array_zeroed((uint64_t)m->p->thread_count + 1, sizeof(*m->twins));
	return m->report && m->tracks && m->twins;
}

/* And its report, if that is not done. */
static struct counter_report *making_end(struct making *m, bool done)
{
	struct counter_report *report = m->report;

	sweep_fini(&m->sweep);
	free(m->tracks);
	free(m->twins);
	if (done)
		return report;
	counters_free(report);
	return NULL;
}

void counters_cover(struct counter_options *o, const struct profile *p, uint32_t first, uint32_t n)
{
	const struct profile_frame *oldest = &p->frames[first], *newest = oldest + n - 1;

	o->from = oldest->start;
	o->to = frame_end(newest);
	o->frames = newest->number - oldest->number + 1;
}

struct counter_report *counters_make(const struct profile *p, const struct counter_options *o,
				     char *why, size_t why_size)
{
	struct making m = { .p = p, .options = o };
	bool done = making_init(&m);

	cover_frames(&m);
	snprintf(why, why_size, "out of memory");
	done = done && sweep_init(&m.sweep, p, p->track_count) && add_rows(&m) &&
	       filter_rows(m.report, o->filter, why, why_size);
	if (done)
		sort_rows(&m);
	return making_end(&m, done);
}

static void store_free(struct counter_store *store)
{
	for (uint32_t i = 0; store->names && i < store->name_count; i++)
		free(store->names[i]);
	for (uint32_t i = 0; i < store->sweep_count; i++)
		sweep_fini(&store->sweeps[i]);
	free(store->names);
	free(store->sweeps);
	free(store);
}

struct counter_report *counters_walk(const struct profile *p)
{
	struct counter_options all = { .from = 0, .to = -1 };
	struct making m = { .p = p, .options = &all, .walk = true };
	bool done = making_init(&m);

	if (done)
		m.report->store->sweeps = array_zeroed(p->track_count, sizeof(struct sweep));
	return making_end(&m, done && m.report->store->sweeps && add_rows(&m));
}

void counters_step(struct counter_report *walk, const struct profile_frame *frame)
{
	int64_t end = frame->start + frame->length;

	for (uint32_t i = 0; i < walk->row_count; i++)
		walk->rows[i].value =
			sweep_stretch(&walk->store->sweeps[i], frame->start, end, end);
}

void counters_free(struct counter_report *r)
{
	if (!r)
		return;
	if (r->store)
		store_free(r->store);
	free(r->rows);
	free(r);
}

/* Text */

size_t counter_text(const struct profile *p, uint32_t counter, union profile_number n, bool known,
		    char *out, size_t size)
{
	int length;

	if (known)
		return p->counters[counter].real ? format_real(out, size, n.real, 9) : format_grouped(out, size, n.whole);
	length = snprintf(out, size, "-");
	return length < (int)size ? (size_t)length : size - 1;
}

/* SPDX-License-Identifier: MIT */
#include "model/query/values.h"

#include <string.h>

#include "model/base/array.h"

struct values *values_for(const struct profile *p, uint32_t measure)
{
	struct values *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->scale = 1;
	v->measure = measure;
	v->node_count = p->node_count;
	v->thread_count = p->thread_count;
	v->self = array_zeroed(v->node_count, sizeof(*v->self));
	v->count = array_zeroed(v->node_count, sizeof(*v->count));
	v->longest = array_zeroed(v->node_count, sizeof(*v->longest));
	v->time = array_zeroed(v->thread_count, sizeof(*v->time));
	v->idle = array_zeroed(v->thread_count, sizeof(*v->idle));
	v->missing = array_zeroed(v->thread_count, sizeof(*v->missing));
	if (measure != MEASURE_SELF) {
		v->known = array_zeroed(v->thread_count, sizeof(*v->known));
		v->unknown = array_zeroed(v->thread_count, sizeof(*v->unknown));
	}
	if (!v->self || !v->count || !v->longest || !v->time || !v->idle || !v->missing ||
	    (measure != MEASURE_SELF && (!v->known || !v->unknown))) {
		values_free(v);
		return NULL;
	}
	return v;
}

void values_free(struct values *v)
{
	if (!v)
		return;
	free(v->self);
	free(v->count);
	free(v->longest);
	free(v->time);
	free(v->idle);
	free(v->missing);
	free(v->known);
	free(v->unknown);
	free(v);
}

struct values *values_copy(const struct values *v, const struct profile *p)
{
	struct values *to = values_for(p, v->measure), arrays;

	if (!to)
		return NULL;
	memcpy(to->self, v->self, v->node_count * sizeof(*v->self));
	memcpy(to->count, v->count, v->node_count * sizeof(*v->count));
	memcpy(to->longest, v->longest, v->node_count * sizeof(*v->longest));
	memcpy(to->time, v->time, v->thread_count * sizeof(*v->time));
	memcpy(to->idle, v->idle, v->thread_count * sizeof(*v->idle));
	memcpy(to->missing, v->missing, v->thread_count * sizeof(*v->missing));
	if (v->known) {
		memcpy(to->known, v->known, v->thread_count * sizeof(*v->known));
		memcpy(to->unknown, v->unknown, v->thread_count * sizeof(*v->unknown));
	}
	arrays = *to;
	*to = *v;
	to->node_count = arrays.node_count;
	to->thread_count = arrays.thread_count;
	to->self = arrays.self;
	to->count = arrays.count;
	to->longest = arrays.longest;
	to->time = arrays.time;
	to->idle = arrays.idle;
	to->missing = arrays.missing;
	to->known = arrays.known;
	to->unknown = arrays.unknown;
	return to;
}

enum measure_known values_known(const struct values *v, const struct profile *p, uint32_t threads)
{
	bool known = false, unknown = false;

	for (uint32_t i = 0; v->known && i < v->thread_count; i++) {
		if (!profile_selects(p, threads, i))
			continue;
		known |= v->known[i] != 0;
		unknown |= v->unknown[i] != 0;
	}
	if (!unknown)
		return MEASURE_KNOWN;
	return known ? MEASURE_LEAST : MEASURE_UNKNOWN;
}

void values_sum_up(struct values *v, const struct profile *p)
{
	v->amount = 0;
	memset(v->time, 0, v->thread_count * sizeof(*v->time));
	for (uint32_t i = 0; i < v->node_count; i++) {
		v->time[p->nodes[i].thread] += v->self[i];
		v->amount += v->self[i];
	}
}

void values_add_known(struct values *v, uint32_t thread, bool known)
{
	if (known)
		v->known[thread]++;
	else
		v->unknown[thread]++;
}

void values_find_known(struct values *v, const struct profile *p)
{
	for (uint32_t i = 0; v->known && i < v->thread_count; i++) {
		enum measure_known known = profile_amount_known(p, i, v->measure);

		v->known[i] = known != MEASURE_UNKNOWN;
		v->unknown[i] = known != MEASURE_KNOWN;
	}
}

struct values *values_of_run_in(const struct profile *p, uint32_t measure)
{
	struct values *v = values_for(p, measure);

	if (!v)
		return NULL;
	for (uint32_t i = 0; i < v->node_count; i++) {
		v->self[i] = profile_amount_of(p, i, measure);
		v->count[i] = p->totals[i].count;
		v->longest[i] = measure == MEASURE_SELF ? p->totals[i].longest : 0;
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		v->time[i] = p->threads[i].time;
	if (measure != MEASURE_SELF)
		values_sum_up(v, p);
	values_find_known(v, p);
	values_find_unread(v, p);
	v->wall = v->elapsed = profile_run_tick(p) - p->first_tick;
	v->frames = profile_run_ended(p);
	values_find_idle(v, p);
	return v;
}

void values_find_unread(struct values *v, const struct profile *p)
{
	for (uint32_t i = 0; i < v->thread_count; i++) {
		v->missing[i] = p->threads[i].unread != THREAD_READ;
		v->incomplete += v->missing[i];
	}
}

bool values_entered(const struct values *v, const struct profile *p, uint32_t node)
{
	return v->count[node] && p->nodes[node].parent != PROFILE_NONE;
}

void values_find_idle(struct values *v, const struct profile *p)
{
	memset(v->idle, 0, v->thread_count * sizeof(*v->idle));
	if (v->measure != MEASURE_SELF) /* what a thread did in no zone is worth the same as all else */
		return;
	for (uint32_t i = 0; i < v->node_count; i++)
		v->idle[p->nodes[i].thread] |= values_entered(v, p, i);
	for (uint32_t i = 0; i < v->thread_count; i++)
		v->idle[i] = v->idle[i] ? 0 : v->self[p->threads[i].root];
}

/* A slice in another measure than time. */
static void add_amounts(struct values *v, const struct profile *p, const struct profile_held *part)
{
	struct measure_amounts amounts = profile_amounts(p, part, v->measure);

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		v->count[cell.node] += cell.count;
	}
	for (uint32_t i = 0; i < amounts.count; i++) {
		struct measure_amount amount = measure_amount(&amounts, i);

		v->self[amount.node] += amount.value;
		v->time[part->thread] += amount.value;
		v->amount += amount.value;
	}
	values_add_known(v, part->thread, amounts.known);
}

static void add_part(struct values *v, const struct profile *p, const struct profile_held *part)
{
	uint32_t missing = (part->flags & PART_INCOMPLETE) != 0;

	v->incomplete += missing;
	v->missing[part->thread] += missing;
	if (v->measure != MEASURE_SELF) {
		add_amounts(v, p, part);
		return;
	}
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		v->self[cell.node] += cell.self;
		v->count[cell.node] += cell.count;
		if (cell.longest > v->longest[cell.node])
			v->longest[cell.node] = cell.longest;
	}
	v->time[part->thread] += part->end - part->bound;
}

static void add_frame(struct values *v, const struct profile *p, const struct profile_frame *frame)
{
	if (frame->flags & FRAME_DISCARDED)
		return;
	v->incomplete += !frame->part_count; /* nothing is known of it but how long it took */
	for (uint32_t i = 0; !frame->part_count && i < v->thread_count; i++) {
		v->missing[i]++;
		if (v->unknown)
			v->unknown[i]++;
	}
	for (uint32_t i = 0; i < frame->part_count; i++)
		add_part(v, p, &frame->parts[i]);
	v->wall += frame->length;
	v->elapsed += frame_elapsed(p, frame);
	if (!v->frames++)
		v->first_frame = frame->number;
	v->last_frame = frame->number;
}

struct values *values_of_frames_in(const struct profile *p, uint32_t first, uint32_t n, uint32_t measure)
{
	struct values *v = values_for(p, measure);

	for (uint32_t i = first; v && i < p->frame_count && i - first < n; i++)
		add_frame(v, p, &p->frames[i]);
	if (v)
		values_find_idle(v, p);
	return v;
}

struct values *values_of_last_in(const struct profile *p, uint32_t n, uint32_t measure)
{
	uint32_t first;

	profile_newest_frames(p, n, false, &first);
	return values_of_frames_in(p, first, p->frame_count - first, measure);
}

static int64_t rescale_rounded(int64_t value, int64_t from, int64_t to)
{
	__extension__ typedef __int128 wide;
	wide half = value < 0 ? -from / 2 : from / 2;
	wide scaled = ((wide)value * to + half) / from;

	return scaled > INT64_MAX ? INT64_MAX : scaled < INT64_MIN ? INT64_MIN : (int64_t)scaled;
}

void values_rescale(struct values *v, const struct profile *p, int64_t scale)
{
	if (scale == v->scale)
		return;
	memset(v->time, 0, v->thread_count * sizeof(*v->time));
	for (uint32_t i = 0; i < v->node_count; i++) {
		v->self[i] = rescale_rounded(v->self[i], v->scale, scale);
		v->count[i] = rescale_rounded(v->count[i], v->scale, scale);
		v->time[p->nodes[i].thread] += v->self[i];
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		v->idle[i] = rescale_rounded(v->idle[i], v->scale, scale);
	if (v->measure != MEASURE_SELF)
		v->amount = rescale_rounded(v->amount, v->scale, scale);
	v->wall = rescale_rounded(v->wall, v->scale, scale);
	v->elapsed = rescale_rounded(v->elapsed, v->scale, scale);
	v->scale = scale;
}

double values_frame_rate(const struct values *v, const struct profile *p)
{
	double frames = v->average ? (double)v->scale : (double)v->frames * (double)v->scale;

	return v->frames && v->elapsed > 0 ? frames * (double)p->ticks_per_s / (double)v->elapsed : 0;
}

int64_t values_waiting(const struct values *v, const struct profile *p, uint32_t threads)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < v->node_count; i++)
		if (p->zones[p->nodes[i].zone].flags & ZONE_WAITING &&
		    profile_selects(p, threads, p->nodes[i].thread))
			sum += v->self[i];
	return sum;
}

/* By thread: it entered a zone. */
static void find_entered(const struct profile *p, const struct values *v, bool *entered)
{
	for (uint32_t i = 0; i < v->node_count; i++)
		entered[p->nodes[i].thread] |= values_entered(v, p, i);
}

static int64_t *copy_of(const int64_t *from, uint32_t count)
{
	int64_t *copy = array_zeroed(count, sizeof(*copy));

	if (copy && count)
		memcpy(copy, from, count * sizeof(*copy));
	return copy;
}

/* Takes off what those who entered none spent in no zone. */
static bool leave_out(const struct profile *p, struct values *v, const bool *entered, int64_t **owned)
{
	v->self = owned[0] = copy_of(v->self, v->node_count);
	v->time = owned[1] = copy_of(v->time, v->thread_count);
	if (!v->self || !v->time)
		return false;
	for (uint32_t i = 0; i < v->thread_count; i++) {
		uint32_t root = p->threads[i].root;

		if (entered[i] || root >= v->node_count)
			continue;
		v->time[i] -= v->self[root];
		v->self[root] = 0;
	}
	return true;
}

bool merged_init(struct merged *m, const struct profile *p, const struct values *now, const struct values *base,
		 uint32_t threads)
{
	bool *entered, done;

	*m = (struct merged){ .now = *now, .has_base = base };
	if (base)
		m->base = *base;
	if (!profile_merges(threads) || now->measure != MEASURE_SELF)
		return true;
	entered = array_zeroed(p->thread_count, sizeof(*entered));
	if (!entered)
		return false;
	find_entered(p, now, entered);
	if (base)
		find_entered(p, base, entered);
	done = leave_out(p, &m->now, entered, &m->owned[0]) && (!base || leave_out(p, &m->base, entered, &m->owned[2]));
	free(entered);
	return done;
}

void merged_fini(struct merged *m)
{
	for (size_t i = 0; i < sizeof(m->owned) / sizeof(*m->owned); i++)
		free(m->owned[i]);
}

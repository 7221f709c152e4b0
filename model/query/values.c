/* SPDX-License-Identifier: MIT */
#include "model/query/values.h"

#include <string.h>

#include "model/base/array.h"

struct values *values_new(const struct profile *p)
{
	struct values *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->scale = 1;
	v->node_count = p->node_count;
	v->thread_count = p->thread_count;
	v->self = array_zeroed(v->node_count, sizeof(*v->self));
	v->count = array_zeroed(v->node_count, sizeof(*v->count));
	v->longest = array_zeroed(v->node_count, sizeof(*v->longest));
	v->time = array_zeroed(v->thread_count, sizeof(*v->time));
	v->idle = array_zeroed(v->thread_count, sizeof(*v->idle));
	v->missing = array_zeroed(v->thread_count, sizeof(*v->missing));
	if (!v->self || !v->count || !v->longest || !v->time || !v->idle || !v->missing) {
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
	free(v);
}

struct values *values_copy(const struct values *v, const struct profile *p)
{
	struct values *to = values_new(p), arrays;

	if (!to)
		return NULL;
	memcpy(to->self, v->self, v->node_count * sizeof(*v->self));
	memcpy(to->count, v->count, v->node_count * sizeof(*v->count));
	memcpy(to->longest, v->longest, v->node_count * sizeof(*v->longest));
	memcpy(to->time, v->time, v->thread_count * sizeof(*v->time));
	memcpy(to->idle, v->idle, v->thread_count * sizeof(*v->idle));
	memcpy(to->missing, v->missing, v->thread_count * sizeof(*v->missing));
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
	return to;
}

struct values *values_of_run(const struct profile *p)
{
	struct values *v = values_new(p);

	if (!v)
		return NULL;
	for (uint32_t i = 0; i < v->node_count; i++) {
		v->self[i] = p->totals[i].self;
		v->count[i] = p->totals[i].count;
		v->longest[i] = p->totals[i].longest;
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		v->time[i] = p->threads[i].time;
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
	for (uint32_t i = 0; i < v->node_count; i++)
		v->idle[p->nodes[i].thread] |= values_entered(v, p, i);
	for (uint32_t i = 0; i < v->thread_count; i++)
		v->idle[i] = v->idle[i] ? 0 : v->self[p->threads[i].root];
}

static void add_part(struct values *v, const struct profile_held *part)
{
	uint32_t missing = (part->flags & PART_INCOMPLETE) != 0;

	v->incomplete += missing;
	v->missing[part->thread] += missing;
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
	for (uint32_t i = 0; !frame->part_count && i < v->thread_count; i++)
		v->missing[i]++;
	for (uint32_t i = 0; i < frame->part_count; i++)
		add_part(v, &frame->parts[i]);
	v->wall += frame->length;
	v->elapsed += frame_elapsed(p, frame);
	if (!v->frames++)
		v->first_frame = frame->number;
	v->last_frame = frame->number;
}

struct values *values_of_frames(const struct profile *p, uint32_t first, uint32_t n)
{
	struct values *v = values_new(p);

	for (uint32_t i = first; v && i < p->frame_count && i - first < n; i++)
		add_frame(v, p, &p->frames[i]);
	if (v)
		values_find_idle(v, p);
	return v;
}

struct values *values_of_last(const struct profile *p, uint32_t n)
{
	uint32_t first = p->frame_count;

	for (uint32_t taken = 0; first && taken < n; first--) {
		if (p->frames[first - 1].flags & FRAME_KEPT)
			break;
		taken += !(p->frames[first - 1].flags & FRAME_DISCARDED);
	}
	return values_of_frames(p, first, p->frame_count - first);
}

static int64_t rescaled(int64_t value, int64_t from, int64_t to)
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
		v->self[i] = rescaled(v->self[i], v->scale, scale);
		v->count[i] = rescaled(v->count[i], v->scale, scale);
		v->time[p->nodes[i].thread] += v->self[i];
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		v->idle[i] = rescaled(v->idle[i], v->scale, scale);
	v->wall = rescaled(v->wall, v->scale, scale);
	v->elapsed = rescaled(v->elapsed, v->scale, scale);
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

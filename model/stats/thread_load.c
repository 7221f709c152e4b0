/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "model/stats/thread_load.h"

#include "model/base/array.h"
#include "model/base/format.h"

static const struct amount_row {
	const char *key;
	enum measure_unit unit;
} amount_rows[LOAD_AMOUNTS] = {
	[AMOUNT_CPU] = { "cpu", MEASURE_NS },
	[AMOUNT_OFF_CPU] = { "off_cpu", MEASURE_NS },
	[AMOUNT_VOLUNTARY] = { "voluntary", MEASURE_COUNT },
	[AMOUNT_INVOLUNTARY] = { "involuntary", MEASURE_COUNT },
	[AMOUNT_FAULTS] = { "faults", MEASURE_COUNT },
	[AMOUNT_DELAY] = { "run_delay", MEASURE_NS },
};

/* Where the time of a node goes; NULL: nowhere. */
static int64_t *place_of(const struct profile *p, uint32_t node, int64_t *busy, int64_t *waits)
{
	uint32_t zone = p->nodes[node].zone;

	if (zone == PROFILE_NO_ZONE)
		return NULL;
	return p->zones[zone].flags & ZONE_WAITING ? waits : busy;
}

static void add_cells(const struct profile *p, const struct profile_held *part, int64_t *busy, int64_t *waits)
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		int64_t *place = place_of(p, cell.node, busy, waits);

		if (place)
			*place += cell.self;
	}
}

static int64_t at_most(int64_t value, int64_t limit)
{
	return value < limit ? value : limit;
}

/* Times are in nanoseconds until limit_loads. */
static void add_amount(struct load_amount *a, const struct profile *p, const struct profile_held *part, uint32_t measure)
{
	int64_t amount;
	bool known = profile_slice_amount(p, part, measure, &amount);

	a->sum += amount;
	a->known += known;
	a->unknown += !known;
}

/* `at`: its place among the newest ones; THREAD_LOAD_FRAMES: it has none. */
static void add_part(struct thread_load *load, const struct profile *p, const struct profile_frame *frame,
		     const struct profile_held *part, uint32_t at)
{
	int64_t busy = 0, in_frame;

	add_cells(p, part, &busy, &load->waits);
	load->busy += busy;
	in_frame = at_most(busy, frame->length);
	if (in_frame > load->longest) {
		load->longest = in_frame;
		load->longest_frame = frame->number;
	}
	if (at < THREAD_LOAD_FRAMES)
		load->frames[at] = busy;
}

static void add_amounts(struct thread_loads *l, const struct profile *p, const struct profile_frame *frame, int k)
{
	if (l->measures[k] == PROFILE_NONE)
		return;
	for (uint32_t i = 0; i < frame->part_count; i++)
		add_amount(&l->threads[frame->parts[i].thread].amounts[k], p, &frame->parts[i], l->measures[k]);
	for (uint32_t i = 0; !frame->part_count && i < p->thread_count; i++)
		l->threads[i].amounts[k].unknown++;
}

/* Finds the largest doubt of the CPU time in each thread's slices. */
static void add_doubts(struct thread_loads *l, const struct profile *p, const struct profile_frame *frame)
{
	int64_t doubt;

	for (uint32_t i = 0; l->doubts != PROFILE_NONE && i < frame->part_count; i++) {
		int64_t *most = &l->threads[frame->parts[i].thread].doubt;

		if (profile_slice_amount(p, &frame->parts[i], l->doubts, &doubt) && doubt > *most)
			*most = doubt;
	}
}

static void add_frame(struct thread_loads *l, const struct profile *p, const struct profile_frame *frame, uint32_t at)
{
	l->wall += frame->length;
	for (uint32_t i = 0; i < frame->part_count; i++)
		add_part(&l->threads[frame->parts[i].thread], p, frame, &frame->parts[i], at);
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		add_amounts(l, p, frame, k);
	add_doubts(l, p, frame);
}

static bool begin_loads(struct thread_loads *l, const struct profile *p)
{
	*l = (struct thread_loads){ .threads = array_zeroed(p->thread_count, sizeof(*l->threads)) };
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		l->measures[k] = profile_find_slice_measure(p, amount_rows[k].key, amount_rows[k].unit, MEASURE_SUM);
	l->doubts = profile_find_slice_measure(p, "cpu_doubt", MEASURE_NS, MEASURE_MAX);
	return l->threads;
}

/* Rounded. */
static int64_t ticks_of(int64_t ns, uint64_t ticks_per_s)
{
	__extension__ typedef unsigned __int128 wide;
	wide ticks = ((wide)(uint64_t)ns * ticks_per_s + 500000000u) / 1000000000u;

	return ticks < INT64_MAX ? (int64_t)ticks : INT64_MAX;
}

/* A part may be of several frames, and of some before those that are looked at. */
static void limit_loads(struct thread_loads *l, const struct profile *p)
{
	for (uint32_t i = 0; i < p->thread_count; i++) {
		l->threads[i].busy = at_most(l->threads[i].busy, l->wall);
		l->threads[i].waits = at_most(l->threads[i].waits, l->wall);
		for (int k = 0; k < LOAD_AMOUNTS; k++) {
			int64_t *sum = &l->threads[i].amounts[k].sum;

			if (amount_rows[k].unit == MEASURE_NS)
				*sum = at_most(ticks_of(*sum, p->ticks_per_s), l->wall);
		}
	}
}

/* The off CPU time of each slice is the least that it may be. The busy time of
 * all slices less their CPU time is closer: only the doubts at both ends of the
 * frames are in it. */
static void raise_off_cpu(struct thread_loads *l, const struct profile *p)
{
	for (uint32_t i = 0; i < p->thread_count; i++) {
		struct thread_load *load = &l->threads[i];
		struct load_amount *off = &load->amounts[AMOUNT_OFF_CPU], *cpu = &load->amounts[AMOUNT_CPU];
		int64_t rest = load->busy - cpu->sum - 2 * ticks_of(load->doubt, p->ticks_per_s);

		if (cpu->known && !cpu->unknown && off->known && !off->unknown && rest > off->sum)
			off->sum = rest;
	}
}

/* Counts the newest frames before `end`, and says where they begin; no further back than `least`. */
static uint32_t count_newest(struct thread_loads *l, const struct profile *p, uint32_t least, uint32_t end)
{
	uint32_t first = end;

	for (; first > least && l->count < THREAD_LOAD_FRAMES; first--)
		l->count += frame_counts(&p->frames[first - 1]);
	return first;
}

bool thread_loads_make(struct thread_loads *l, const struct profile *p, uint64_t last)
{
	uint32_t end = last ? profile_frame_index(p, last) : p->frame_count, first;

	if (!begin_loads(l, p))
		return false;
	end += end < p->frame_count && p->frames[end].number == last;
	first = count_newest(l, p, 0, end);
	for (uint32_t i = first, at = 0; i < end; i++)
		if (frame_counts(&p->frames[i]))
			add_frame(l, p, &p->frames[i], at++);
	limit_loads(l, p);
	raise_off_cpu(l, p);
	return true;
}

/* In the place of what was added up frame by frame. */
static void take_values(struct thread_loads *l, const struct profile *p, const struct values *v)
{
	for (uint32_t i = 0; i < p->thread_count; i++)
		l->threads[i].busy = l->threads[i].waits = 0;
	for (uint32_t i = 0; i < v->node_count; i++) {
		struct thread_load *load = &l->threads[p->nodes[i].thread];
		int64_t *place = place_of(p, i, &load->busy, &load->waits);

		if (place)
			*place += v->self[i] / v->scale;
	}
	l->wall = v->wall / v->scale;
}

static struct load_amount amount_of_run(const struct profile *p, uint32_t thread, uint32_t measure)
{
	enum measure_known known = profile_amount_known(p, thread, measure);

	return (struct load_amount){ .sum = profile_amount_of(p, p->threads[thread].root, measure),
				     .known = known != MEASURE_UNKNOWN,
				     .unknown = known != MEASURE_KNOWN };
}

/* In the place of the sums over frames. */
static void take_amounts(struct thread_loads *l, const struct profile *p, const struct values *v)
{
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		for (uint32_t i = 0; i < p->thread_count && l->measures[k] != PROFILE_NONE; i++)
			l->threads[i].amounts[k] = v->average ? (struct load_amount){ .unknown = 1 }
							      : amount_of_run(p, i, l->measures[k]);
}

bool thread_loads_cover(struct thread_loads *l, const struct profile *p, const struct values *v, uint32_t first, uint32_t n)
{
	uint32_t kept;

	if (!begin_loads(l, p))
		return false;
	kept = count_newest(l, p, first, first + n);
	for (uint32_t i = first, at = 0; i < first + n; i++)
		if (!(p->frames[i].flags & FRAME_DISCARDED))
			add_frame(l, p, &p->frames[i],
				  i >= kept && frame_counts(&p->frames[i]) ? at++ : THREAD_LOAD_FRAMES);
	take_values(l, p, v);
	if (v->average || !v->first_frame)
		take_amounts(l, p, v);
	limit_loads(l, p);
	if (!v->average && v->first_frame)
		raise_off_cpu(l, p);
	return true;
}

void thread_loads_fini(struct thread_loads *l)
{
	free(l->threads);
	*l = (struct thread_loads){ 0 };
}

enum measure_known load_amount_known(const struct load_amount *a)
{
	if (!a->unknown)
		return MEASURE_KNOWN;
	return a->known ? MEASURE_LEAST : MEASURE_UNKNOWN;
}

/* Whether the program bounds its frames, so that there is time between them. */
static bool bounds_frames(const struct profile *p)
{
	return p->frame_count && p->frames[p->frame_count - 1].flags & FRAME_BOUNDED;
}

static bool has_cpu(const struct values *cpu, uint32_t thread)
{
	return cpu && thread < cpu->thread_count && cpu->known[thread] && cpu->known[thread] >= cpu->unknown[thread];
}

/* In the unit of v: 1/scale ticks. */
static double cpu_in(const struct values *v, const struct profile *p, const struct values *cpu, uint32_t thread)
{
	return (double)cpu->time[thread] / (double)cpu->scale / PER_S_NS * (double)p->ticks_per_s * (double)v->scale;
}

struct load load_of_values(const struct profile *p, const struct values *v, const struct values *cpu)
{
	/* The time before a single frame is no part of it. */
	int64_t covered = v->frames == 1 ? v->wall : v->elapsed;
	struct load l = { .idles = v->frames > 1 && bounds_frames(p) };
	double most;

	if (v->incomplete)
		return l;
	l.wall = (double)covered;
	l.least = covered > v->wall && p->thread_count > 1;
	for (uint32_t i = 0; i < v->node_count; i++) {
		int64_t busy = 0, waits = 0, *place = place_of(p, i, &busy, &waits);

		if (place)
			*place = v->self[i];
		l.used += has_cpu(cpu, p->nodes[i].thread) ? 0 : (double)busy;
		l.idles |= waits > 0;
	}
	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (!has_cpu(cpu, i))
			continue;
		l.used += cpu_in(v, p, cpu, i);
		l.least |= cpu->unknown[i] != 0;
		l.cpu = true;
	}
	most = l.wall * p->thread_count; /* a slice may begin before the covered time */
	l.used = l.used < most ? l.used : most;
	return l;
}

struct ordering {
	const struct thread_loads *l;
	const struct profile *p;
};

static int compare_loads(const void *x, const void *y, void *ordering)
{
	const struct ordering *o = ordering;
	uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const struct profile_thread *a = &o->p->threads[i], *b = &o->p->threads[j];
	int64_t of_a = o->l->threads ? o->l->threads[i].busy : 0;
	int64_t of_b = o->l->threads ? o->l->threads[j].busy : 0;

	if (a->marking != b->marking)
		return a->marking ? -1 : 1;
	if ((a->state == THREAD_LIVE) != (b->state == THREAD_LIVE))
		return a->state == THREAD_LIVE ? -1 : 1;
	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return i < j ? -1 : 1;
}

void thread_loads_order(const struct thread_loads *l, const struct profile *p, uint32_t *out)
{
	struct ordering o = { l, p };

	for (uint32_t i = 0; i < p->thread_count; i++)
		out[i] = i;
	qsort_r(out, p->thread_count, sizeof(*out), compare_loads, &o);
}

#define LOOKS_BACK_S 2
#define ENOUGH_FRAMES 4
#define ENOUGH_PART 2   /* of a second */
#define BUSY_PART 100   /* of the time */

/* How many frames at the end are viewed: the newest 2 s, or four frames if these take longer. */
static uint32_t newest_frames(const struct profile *p)
{
	int64_t wall = 0, enough = LOOKS_BACK_S * (int64_t)p->ticks_per_s;
	uint32_t first = p->frame_count;

	while (first && (wall < enough || p->frame_count - first < ENOUGH_FRAMES) && !(p->frames[first - 1].flags & FRAME_KEPT))
		wall += p->frames[--first].length;
	return p->frame_count - first;
}

/* Whether a live process has shown too little yet. A low load is enough after 2 s, if the other threads do most of it. */
static bool is_too_early(const struct profile *p, double wall, uint64_t frames, double own, double others)
{
	double per_s = (double)p->ticks_per_s;

	if (p->process.state != PROFILE_LIVE)
		return false;
	if (frames < ENOUGH_FRAMES || wall * ENOUGH_PART < per_s)
		return true;
	return (own + others) * BUSY_PART < wall && (others <= own || wall < LOOKS_BACK_S * per_s);
}

static enum first_threads decide_first(const struct profile *p, const struct thread_loads *l, uint64_t frames, uint32_t marking)
{
	double wall = (double)l->wall, own = (double)l->threads[marking].busy, others = 0;

	for (uint32_t i = 0; i < p->thread_count; i++)
		others += i == marking ? 0 : (double)l->threads[i].busy;
	if (is_too_early(p, wall, frames, own, others))
		return FIRST_UNDECIDED;
	return own * 2 < wall && others > own ? FIRST_ALL : FIRST_MARKING;
}

/* The thread that marks frames; PROFILE_NONE: there is none. */
static uint32_t marking_thread(const struct profile *p)
{
	uint32_t thread = profile_marking_thread(p);

	return thread != PROFILE_NONE && p->threads[thread].marking ? thread : PROFILE_NONE;
}

enum first_threads first_threads_decide(const struct profile *p)
{
	uint32_t marking = marking_thread(p), count = newest_frames(p), first = p->frame_count - count;
	struct values *v = marking != PROFILE_NONE ? values_of_frames(p, first, count) : NULL;
	struct thread_loads l = { 0 };
	enum first_threads decided = FIRST_UNDECIDED;

	if (v && thread_loads_cover(&l, p, v, first, count))
		decided = decide_first(p, &l, v->frames, marking);
	thread_loads_fini(&l);
	values_free(v);
	return decided;
}

uint32_t first_threads_of(const struct profile *p, enum first_threads first)
{
	uint32_t marking = marking_thread(p);

	return marking == PROFILE_NONE || first == FIRST_ALL ? THREADS_ALL : marking;
}

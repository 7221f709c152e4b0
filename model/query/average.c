/* SPDX-License-Identifier: MIT */
#include "model/query/average.h"

#include <math.h>
#include <string.h>

#include "model/base/array.h"

const char *const average_names[AVERAGE_SLOTS] = {
	[AVERAGE_NOW] = "now",
	[AVERAGE_FAST] = "fast",
	[AVERAGE_SLOW] = "slow",
	[AVERAGE_RUN] = "run",
};

double average_seconds(enum average_slot slot)
{
	return slot == AVERAGE_SLOW ? 2.5 : 0.8;
}

static double seconds_of(const struct profile *p, const struct profile_frame *frame)
{
	return (double)frame_elapsed(p, frame) / (double)p->ticks_per_s;
}

double average_left(const struct profile *p, const struct profile_frame *frame, double seconds)
{
	return pow(0.1, seconds_of(p, frame) / seconds);
}

/*
 * A frame touches only the nodes that are in it: what every other node loses is kept once for
 * all, as `decay`. The average of a node is sum·decay/frames, and x goes in as x/decay.
 * decay shrinks with each frame; before it leaves the range of a double it is multiplied in.
 */
#define DECAY_LEAST 1e-100

struct moving_node {
	double self;
	double count;
	int64_t longest;        /* of the present stretch of T */
	int64_t longest_before; /* of the stretch before it */
};

struct moving {
	double seconds; /* T */
	double decay;
	double frames, wall, elapsed; /* their number, ticks in them, and ticks from end to end: decayed */
	double stretch;     /* seconds of the present stretch of T */
	struct moving_node *nodes;
	uint32_t node_count;
	uint32_t capacity;
	double (*known)[2]; /* by thread: weights of the slices whose amount is not known, and is. Not of time */
	uint32_t thread_count, thread_capacity;
};

struct base {
	struct profile_total total;
	uint32_t passed; /* by its node, until then */
};

struct averages {
	uint32_t measure;
	bool no_entries;         /* amounts alone are wanted */
	struct moving moving[2]; /* fast, slow */
	uint64_t last;           /* newest frame folded */
	uint64_t forgotten;      /* newest frame at the reset */
	uint64_t folded;         /* frames folded since the reset */
	double skipped;          /* seconds of left out frames behind the newest averaged one */
	struct base *base;          /* run: totals at the reset; NULL: there was none */
	uint32_t base_count;
	uint64_t base_frames;
	int64_t base_tick, base_end; /* run_tick and run_end of these totals */
	int64_t *base_amounts;       /* of the measures behind MEASURES_CORE, base_count each; NULL: there were none */
	uint32_t base_measures;
};

static void moving_init(struct moving *m, enum average_slot slot)
{
	m->seconds = average_seconds(slot);
	m->decay = 1;
}

struct averages *averages_new(void)
{
	struct averages *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	moving_init(&a->moving[0], AVERAGE_FAST);
	moving_init(&a->moving[1], AVERAGE_SLOW);
	return a;
}

void averages_free(struct averages *a)
{
	if (!a)
		return;
	for (int i = 0; i < 2; i++) {
		free(a->moving[i].nodes);
		free(a->moving[i].known);
	}
	free(a->base);
	free(a->base_amounts);
	free(a);
}

/* A copy of n elements; NULL also where there are none. */
static void *copy_of(const void *from, uint32_t n, size_t size, bool *done)
{
	void *copy = n ? reallocarray(NULL, n, size) : NULL;

	if (copy)
		memcpy(copy, from, n * size);
	*done = *done && (copy || !n);
	return copy;
}

static void moving_copy(struct moving *to, const struct moving *from, bool *done)
{
	*to = *from;
	to->nodes = copy_of(from->nodes, from->node_count, sizeof(*to->nodes), done);
	to->capacity = to->node_count;
	to->known = copy_of(from->known, from->thread_count, sizeof(*to->known), done);
	to->thread_capacity = to->thread_count;
}

/* Copies the totals of the time of the reset. */
static void base_copy(struct averages *to, const struct averages *from, bool *done)
{
	to->base = NULL;
	if (from->base) {
		to->base = array_zeroed(from->base_count, sizeof(*to->base));
		*done = *done && to->base;
		if (to->base && from->base_count)
			memcpy(to->base, from->base, from->base_count * sizeof(*to->base));
	}
	to->base_amounts = copy_of(from->base_amounts, from->base_measures * from->base_count, sizeof(*to->base_amounts),
				   done);
}

struct averages *averages_copy(const struct averages *from)
{
	struct averages *a = calloc(1, sizeof(*a));
	bool done = a;

	if (!a)
		return NULL;
	*a = *from;
	moving_copy(&a->moving[0], &from->moving[0], &done);
	moving_copy(&a->moving[1], &from->moving[1], &done);
	base_copy(a, from, &done);
	if (done)
		return a;
	averages_free(a);
	return NULL;
}

struct averages *averages_of_measure(const struct averages *from, uint32_t measure, bool entries)
{
	struct averages *a = averages_new();
	bool done = a;

	if (!a)
		return NULL;
	a->measure = measure;
	a->no_entries = !entries;
	a->last = a->forgotten = from->forgotten;
	a->base_count = from->base_count;
	a->base_frames = from->base_frames;
	a->base_tick = from->base_tick;
	a->base_end = from->base_end;
	a->base_measures = from->base_measures;
	base_copy(a, from, &done);
	if (done)
		return a;
	averages_free(a);
	return NULL;
}

static bool threads_room(struct moving *m, const struct profile *p)
{
	if (!array_reserve(&m->known, &m->thread_capacity, p->thread_count, sizeof(*m->known)))
		return false;
	for (; m->thread_count < p->thread_count; m->thread_count++)
		m->known[m->thread_count][0] = m->known[m->thread_count][1] = 0;
	return true;
}

static bool moving_room(struct moving *m, const struct profile *p)
{
	if (!array_reserve(&m->nodes, &m->capacity, p->node_count, sizeof(*m->nodes)))
		return false;
	for (; m->node_count < p->node_count; m->node_count++)
		m->nodes[m->node_count] = (struct moving_node){ 0 };
	return true;
}

static void moving_normalise(struct moving *m)
{
	for (uint32_t i = 0; i < m->node_count; i++) {
		m->nodes[i].self *= m->decay;
		m->nodes[i].count *= m->decay;
	}
	for (uint32_t i = 0; i < m->thread_count; i++)
		for (int k = 0; k < 2; k++)
			m->known[i][k] *= m->decay;
	m->decay = 1;
}

/* All that was there before decays by k, to nothing when k is that small. */
static void moving_decay(struct moving *m, double k)
{
	m->frames *= k;
	m->wall *= k;
	m->elapsed *= k;
	m->decay *= k;
	if (m->decay < DECAY_LEAST)
		moving_normalise(m);
}

static void moving_turn(struct moving *m)
{
	for (uint32_t i = 0; i < m->node_count; i++) {
		m->nodes[i].longest_before = m->nodes[i].longest;
		m->nodes[i].longest = 0;
	}
	m->stretch = 0;
}

/* Longest calls are kept for the present stretch of T and the one before. Those before an idle time of T or more are
 * older than that. */
static void moving_stretch(struct moving *m, double seconds, double idle)
{
	if (idle >= m->seconds)
		moving_turn(m);
	if (idle >= m->seconds || m->stretch >= m->seconds)
		moving_turn(m);
	m->stretch += seconds;
}

static void moving_cell(struct moving *m, uint32_t i, double self, double count, int64_t longest,
			double gain)
{
	struct moving_node *node = &m->nodes[i];

	node->self += self * gain;
	node->count += count * gain;
	if (longest > node->longest)
		node->longest = longest;
}

/* Adds a frame. `skipped`: seconds of left out frames before it. Returns the weight of each of its ticks and entries. */
static double moving_frame(struct moving *m, const struct profile *p, const struct profile_frame *frame, double skipped)
{
	double seconds = seconds_of(p, frame), length = (double)frame->length;

	moving_decay(m, average_left(p, frame, m->seconds) * pow(0.1, skipped / m->seconds));
	moving_stretch(m, skipped + seconds, skipped + seconds - length / (double)p->ticks_per_s);
	m->frames += 1;
	m->wall += length;
	m->elapsed += (double)frame_elapsed(p, frame);
	return 1 / m->decay;
}

/* Folds both averages at once: to fetch a cell takes longer than to add it. */
static void fold_part(struct averages *a, const struct profile_held *part, double fast, double slow)
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		double self = (double)cell.self, count = (double)cell.count;

		moving_cell(&a->moving[0], cell.node, self, count, cell.longest, fast);
		moving_cell(&a->moving[1], cell.node, self, count, cell.longest, slow);
	}
}

/* The same of another measure: the cells have the entries, and a column the amounts. */
static void fold_amounts(struct averages *a, const struct profile *p, const struct profile_held *part, const double gain[2])
{
	struct measure_amounts amounts = profile_amounts(p, part, a->measure);

	for (int m = 0; m < 2; m++) {
		for (uint32_t i = 0; !a->no_entries && i < part->cell_count; i++) {
			struct profile_cell cell = profile_cell(part, i);

			moving_cell(&a->moving[m], cell.node, 0, (double)cell.count, 0, gain[m]);
		}
		for (uint32_t i = 0; i < amounts.count; i++) {
			struct measure_amount amount = measure_amount(&amounts, i);

			moving_cell(&a->moving[m], amount.node, (double)amount.value, 0, 0, gain[m]);
		}
		a->moving[m].known[part->thread][amounts.known] += gain[m];
	}
}

/* A frame whose slices were overwritten is left out of averages: 0 would be too little. If only its long slices
 * were kept, their sum would be too much. A slice that its thread could not publish counts as 0, because the
 * next slice may contain its time. */
static bool is_averaged(const struct profile *p, const struct profile_frame *frame)
{
	return frame_counts(frame) && !frame_lacks(p, frame, THREADS_ALL, PART_LAPPED | PART_KEPT);
}

/* The share of a slice of several frames that falls into one of them, as if the thread had done the same all the
 * time. `ended threads` have no bounds of their own: the bounds of the frames stand for them. */
static double share_of(const struct profile *p, const struct profile_frame *newest, const struct profile_held *part,
		       const struct profile_frame *frame)
{
	bool own = !profile_thread_is_several(&p->threads[part->thread]);
	int64_t from = own ? part->bound : p->frames[profile_frame_index(p, part->first_frame)].start;
	int64_t to = own ? part->end : frame_end(newest), first = frame->start, last = frame_end(frame);

	first = first > from ? first : from;
	last = last < to ? last : to;
	return last > first ? (double)(last - first) / (double)(to - from) : 0;
}

#define NEGLIGIBLE 1e-12

/* As in each of its frames that was folded. gain: what each tick and entry of it counts then, in fast and slow. */
static void share_gain(const struct averages *a, const struct profile *p, const struct profile_frame *newest,
		       const struct profile_held *part, double gain[2])
{
	uint64_t first = part->first_frame > a->forgotten ? part->first_frame : a->forgotten + 1;
	double left[2] = { 1, 1 };

	gain[0] = gain[1] = 0;
	for (uint32_t i = profile_frame_index(p, newest->number) + 1; i-- && left[1] > NEGLIGIBLE;) {
		const struct profile_frame *f = &p->frames[i];

		if (f->number < first)
			break;
		for (int m = 0; m < 2; m++) {
			if (is_averaged(p, f))
				gain[m] += share_of(p, newest, part, f) * left[m] / a->moving[m].decay;
			left[m] *= average_left(p, f, a->moving[m].seconds);
		}
	}
}

static void fold_frame(struct averages *a, const struct profile *p, const struct profile_frame *frame)
{
	double fast = moving_frame(&a->moving[0], p, frame, a->skipped);
	double slow = moving_frame(&a->moving[1], p, frame, a->skipped);

	for (uint32_t i = 0; i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];
		double gain[2] = { fast, slow };

		if (part->flags & PART_MERGED)
			share_gain(a, p, frame, part, gain);
		if (a->measure != MEASURE_SELF)
			fold_amounts(a, p, part, gain);
		else
			fold_part(a, part, gain[0], gain[1]);
	}
	a->folded++;
	a->skipped = 0;
}

bool averages_update(struct averages *a, const struct profile *p)
{
	if (!moving_room(&a->moving[0], p) || !moving_room(&a->moving[1], p))
		return false;
	for (int m = 0; m < 2 && a->measure != MEASURE_SELF; m++)
		if (!threads_room(&a->moving[m], p))
			return false;
	for (uint32_t i = profile_frame_index(p, a->last + 1); i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		a->last = frame->number;
		if (is_averaged(p, frame))
			fold_frame(a, p, frame);
		else
			a->skipped += seconds_of(p, frame);
	}
	return true;
}

static void moving_reset(struct moving *m)
{
	for (uint32_t i = 0; i < m->node_count; i++)
		m->nodes[i] = (struct moving_node){ 0 };
	for (uint32_t i = 0; i < m->thread_count; i++)
		m->known[i][0] = m->known[i][1] = 0;
	m->decay = 1;
	m->frames = m->wall = m->elapsed = 0;
	m->stretch = 0;
}

/* The totals of all other measures as they are. NULL: there are none, or no memory. */
static int64_t *amounts_now(const struct profile *p)
{
	uint32_t measures = p->measure_count - MEASURES_CORE;
	int64_t *amounts = measures ? reallocarray(NULL, (size_t)p->node_count * measures + 1, sizeof(*amounts)) : NULL;

	for (uint32_t i = 0; amounts && i < measures; i++)
		for (uint32_t k = 0; k < p->node_count; k++)
			amounts[(size_t)i * p->node_count + k] = profile_amount_of(p, k, MEASURES_CORE + i);
	return amounts;
}

bool averages_reset(struct averages *a, const struct profile *p)
{
	struct base *base = array_zeroed(p->node_count, sizeof(*base));
	int64_t *amounts = amounts_now(p);

	if (!base || (!amounts && p->measure_count > MEASURES_CORE) || !moving_room(&a->moving[0], p) || !moving_room(&a->moving[1], p)) {
		free(base);
		free(amounts);
		return false;
	}
	for (uint32_t i = 0; i < p->node_count; i++)
		base[i] = (struct base){ p->totals[i], p->nodes[i].passed };
	free(a->base);
	free(a->base_amounts);
	a->base_amounts = amounts;
	a->base_measures = p->measure_count - MEASURES_CORE;
	a->base = base;
	a->base_count = p->node_count;
	a->base_frames = profile_run_frames(p);
	a->base_tick = profile_run_tick(p);
	a->base_end = profile_run_end(p);
	if (p->frame_count)
		a->last = a->forgotten = p->frames[p->frame_count - 1].number;
	a->folded = 0;
	a->skipped = 0;
	moving_reset(&a->moving[0]);
	moving_reset(&a->moving[1]);
	return true;
}

#define FINEST ((int64_t)1 << 30)
#define SUM_MOST ((double)((int64_t)1 << 59))

/* Averages are in parts so fine that what is entered once in many frames has entries, too, and its time an entry is
 * what it was; but not finer than their sum can be held in. */
static int64_t scale_for(double ticks, double entries)
{
	double sum = ticks > entries ? ticks : entries;
	int64_t scale = FINEST;

	while (scale > 1 && sum * (double)scale > SUM_MOST)
		scale /= 2;
	return scale;
}

/* To the nearest, and from the middle away from 0: as llround, which is a call for each node. */
static int64_t scaled_to_nearest(double value, int64_t scale)
{
	double exact = value * (double)scale;
	int64_t whole = (int64_t)exact;
	double rest = exact - (double)whole;

	return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* The averages of all nodes, of threads and of the wall time, before they are rounded. */
struct means {
	double *self;
	double *count;
	double wall, elapsed;
};

/* Each node is rounded; a thread's time is the sum of what its nodes show, so rows add up. */
static void values_from_means(struct values *v, const struct profile *p, const struct means *m)
{
	double ticks = m->elapsed, entries = 0;

	for (uint32_t i = 0; i < v->node_count; i++) {
		ticks += m->self[i];
		entries += m->count[i];
	}
	v->average = true;
	v->scale = scale_for(ticks, entries);
	v->wall = scaled_to_nearest(m->wall, v->scale);
	v->elapsed = scaled_to_nearest(m->elapsed, v->scale);
	for (uint32_t i = 0; i < v->node_count; i++) {
		v->self[i] = scaled_to_nearest(m->self[i], v->scale);
		v->count[i] = scaled_to_nearest(m->count[i], v->scale);
		v->time[p->nodes[i].thread] += v->self[i];
		v->amount += v->self[i];
	}
}

/* A program that bounds its frames may stand still between them: then there is no more than one frame in the time since the
 * newest. Less than a second is not looked at. */
static int64_t standing_time(const struct profile *p, uint64_t last_frame)
{
	const struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
	int64_t still;

	if (!newest || !(newest->flags & FRAME_BOUNDED) || newest->number != last_frame)
		return 0;
	still = p->now_tick - frame_end(newest);
	return still > 0 && (uint64_t)still > p->ticks_per_s ? still : 0;
}

#define NOTICED 1e-6 /* of the weight of all frames: less of it shows in no digit */

/* At least 1, if it is noticed at all. */
static uint32_t in_thousandths(double share)
{
	return share > NOTICED ? (uint32_t)fmax(share * 1000, 1) : 0;
}

static void means_moving(const struct averages *a, const struct moving *m, const struct profile *p,
			 struct values *v, struct means *means)
{
	uint32_t known = m->node_count < v->node_count ? m->node_count : v->node_count;
	double share = m->frames > 0 ? 1 / m->frames : 0, gain = m->decay * share;

	v->frames = a->folded;
	v->last_frame = a->folded ? a->last : 0;
	means->wall = m->wall * share;
	means->elapsed = fmax(m->elapsed * share, (double)standing_time(p, v->last_frame));
	if (v->measure == MEASURE_SELF)
		v->reach = fmax(m->seconds * (double)p->ticks_per_s, 2 * means->wall);
	for (uint32_t i = 0; v->known && i < m->thread_count && i < v->thread_count; i++) {
		v->unknown[i] = in_thousandths(m->known[i][0] * gain);
		v->known[i] = in_thousandths(m->known[i][1] * gain);
	}
	for (uint32_t i = 0; i < known; i++) {
		const struct moving_node *node = &m->nodes[i];

		means->self[i] = node->self * gain;
		means->count[i] = node->count * gain;
		v->longest[i] = node->longest > node->longest_before ? node->longest
								     : node->longest_before;
	}
}

/* Adds, or with -1 takes off, a total of time up to its last frame, or all of it where no frame ended. */
static void add_total(struct values *v, const struct profile *p, uint32_t node, const struct profile_total *t, int sign)
{
	bool ended = profile_run_frames(p);

	if (v->measure == MEASURE_SELF)
		v->self[node] += sign * (t->self - (ended ? t->running_self : 0));
	v->count[node] += sign * (t->count - (ended ? t->running_count : 0));
}

/* Subtracts the totals at the reset, from the node that has them now: the node itself or its successor. */
static void take_off(struct values *v, const struct profile *p, uint32_t node, const struct averages *a)
{
	const struct base *base = &a->base[node];
	uint32_t of = p->nodes[node].passed == base->passed ? node : p->nodes[node].heir;
	uint32_t column = a->measure - MEASURES_CORE;

	add_total(v, p, of, &base->total, -1);
	if (a->measure >= MEASURES_CORE && column < a->base_measures)
		v->self[of] -= a->base_amounts[(size_t)column * a->base_count + node];
	else if (a->measure == MEASURE_ENTRIES)
		v->self[of] -= base->total.count;
}

static int64_t run_wall(const struct averages *a, const struct profile *p)
{
	if (!profile_run_frames(p))
		return profile_run_tick(p) - (a->base ? a->base_tick : p->first_tick);
	return profile_run_end(p) - (a->base ? a->base_end : p->first_tick);
}

/* Sums, over so many frames: nothing is rounded. */
static struct values *average_run(const struct averages *a, const struct profile *p)
{
	struct values *v = values_for(p, a->measure);

	if (!v)
		return NULL;
	v->average = true;
	v->frames = profile_run_frames(p) - a->base_frames;
	v->scale = v->frames ? (int64_t)v->frames : 1;
	v->wall = v->elapsed = run_wall(a, p);
	for (uint32_t i = 0; i < v->node_count; i++) {
		add_total(v, p, i, &p->totals[i], 1);
		if (a->measure == MEASURE_SELF)
			v->longest[i] = p->totals[i].longest;
		else
			v->self[i] = profile_amount_of(p, i, a->measure);
	}
	for (uint32_t i = 0; i < a->base_count && i < v->node_count; i++)
		take_off(v, p, i, a);
	for (uint32_t i = 0; i < v->node_count; i++) {
		v->self[i] = v->self[i] > 0 ? v->self[i] : 0; /* at the reset too little may have been known of what ran */
		v->count[i] = v->count[i] > 0 ? v->count[i] : 0;
		v->time[p->nodes[i].thread] += v->self[i];
		v->amount += v->self[i];
	}
	values_find_known(v, p);
	values_find_unread(v, p);
	return v;
}

static int64_t part_of(int64_t value, double share)
{
	return scaled_to_nearest((double)value * share, 1);
}

/* Subtracts what earlier frames already contain. */
static void take_off_earlier(struct values *v, const struct profile *p, const struct profile_held *part, double share)
{
	struct measure_amounts amounts = profile_amounts(p, part, v->measure);

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		v->count[cell.node] -= cell.count - part_of(cell.count, share);
	}
	for (uint32_t i = 0; i < amounts.count; i++) {
		struct measure_amount amount = measure_amount(&amounts, i);
		int64_t earlier = amount.value - part_of(amount.value, share);

		v->self[amount.node] -= earlier;
		v->time[part->thread] -= earlier;
		v->amount -= v->measure == MEASURE_SELF ? 0 : earlier;
	}
}

static struct values *average_now(const struct averages *a, const struct profile *p)
{
	struct values *v = values_of_last_in(p, 1, a->measure);
	const struct profile_frame *frame = v ? profile_find_frame(p, v->last_frame) : NULL;

	for (uint32_t i = 0; frame && i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];

		if (part->flags & PART_MERGED)
			take_off_earlier(v, p, part, share_of(p, frame, part, frame));
	}
	if (v) {
		int64_t still = standing_time(p, v->last_frame);

		v->average = true;
		v->elapsed = v->elapsed > still ? v->elapsed : still;
	}
	return v;
}

/* The averages fast and slow. */
static struct values *average_moving(const struct averages *a, const struct profile *p,
				     enum average_slot slot)
{
	struct values *v = values_for(p, a->measure);
	struct means means = { array_zeroed(p->node_count, sizeof(double)),
			       array_zeroed(p->node_count, sizeof(double)), 0, 0 };

	if (!v || !means.self || !means.count) {
		values_free(v);
		v = NULL;
	} else {
		means_moving(a, &a->moving[slot - AVERAGE_FAST], p, v, &means);
		values_from_means(v, p, &means);
	}
	free(means.self);
	free(means.count);
	return v;
}

struct values *values_average(const struct averages *a, const struct profile *p,
			      enum average_slot slot)
{
	struct values *v = slot == AVERAGE_RUN ? average_run(a, p)
			   : slot == AVERAGE_NOW ? average_now(a, p)
						 : average_moving(a, p, slot);

	if (v)
		values_find_idle(v, p);
	return v;
}

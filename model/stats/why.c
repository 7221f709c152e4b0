/* SPDX-License-Identifier: MIT */
#include "model/stats/why.h"

#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/stats/why_inside.h"

/*
 * The two sides are brought to one scale and to ticks of one rate, so that they can be set against each other.
 *
 * Both sides are exact in the least common multiple of their scales, and every identity between the values of a side
 * holds there as it did before. That scale is taken if the rates are alike and all sums fit into it. Otherwise a scale
 * is taken in which they fit, and each value is rounded to the nearest. A thread's time is then the sum of the rounded
 * values of its nodes, plus the time that it had beside its nodes (that of parts that are missing), rounded as well.
 */

/* As struct values has them. Nothing is beyond ±2^60. */
struct scaled {
	int64_t *self, *count, *time;
	uint32_t node_count, thread_count;
};

#define MOST ((int64_t)1 << 60) /* of a value; no sum of two overflows */
#define FINEST 65536             /* parts of a tick where values are rounded */
#define RATE_MOST (UINT64_C(1) << 42)

/* The factor of a side's values. */
struct factor {
	__int128 times, by;
};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* To the nearest. */
static int64_t multiplied_by(int64_t value, struct factor f)
{
	__int128 product = (__int128)value * f.times;
	__int128 whole = f.by == 1 ? product : (product + (product < 0 ? -f.by : f.by) / 2) / f.by;

	return whole > MOST ? MOST : whole < -MOST ? -MOST : (int64_t)whole;
}

/* The largest that any sum of a side's values can be. */
static unsigned __int128 largest_sum(const struct values *v)
{
	unsigned __int128 ticks = 0, entries = 0;

	for (uint32_t i = 0; i < v->node_count; i++) {
		ticks += (unsigned __int128)(v->self[i] < 0 ? -(__int128)v->self[i] : v->self[i]);
		entries += (unsigned __int128)(v->count[i] < 0 ? -(__int128)v->count[i] : v->count[i]);
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		ticks += (unsigned __int128)(v->time[i] < 0 ? -(__int128)v->time[i] : v->time[i]);
	return ticks > entries ? ticks : entries;
}

static bool factor_holds(unsigned __int128 sum, struct factor f)
{
	const unsigned __int128 limit = (unsigned __int128)1 << 126;

	if (sum > limit / (unsigned __int128)f.times)
		return false;
	return sum * (unsigned __int128)f.times / (unsigned __int128)f.by <= (unsigned __int128)MOST;
}

/* The least common multiple of the two scales, 0: it cannot be held. */
static int64_t exact_scale(const struct why_side *base, const struct why_side *now)
{
	uint64_t a = (uint64_t)base->v->scale, b = (uint64_t)now->v->scale;
	__int128 scale = (__int128)(a / common_divisor(a, b)) * b;
	struct factor of_base = { scale / (__int128)a, 1 }, of_now = { scale / (__int128)b, 1 };

	if (scale > MOST || !factor_holds(largest_sum(base->v), of_base) || !factor_holds(largest_sum(now->v), of_now))
		return 0;
	return (int64_t)scale;
}

/* A counter that is calibrated twice never has the same rate. */
static bool same_rate(uint64_t a, uint64_t b)
{
	uint64_t apart = a > b ? a - b : b - a;

	return apart <= (a > b ? a : b) / 1000;
}

/* The factor from ticks of one rate to ticks of another, as a fraction of small numbers. */
static struct factor rate_factor(uint64_t from, uint64_t to)
{
	uint64_t divisor = common_divisor(from, to);

	from /= divisor ? divisor : 1;
	to /= divisor ? divisor : 1;
	for (; from >= RATE_MOST || to >= RATE_MOST; from >>= 1)
		to >>= 1;
	return (struct factor){ to ? to : 1, from ? from : 1 };
}

/* One side */

static struct factor in_scale(struct factor rate, int64_t scale, int64_t own)
{
	return (struct factor){ rate.times * scale, rate.by * own };
}

static bool scaled_init(struct scaled *s, const struct values *v)
{
	s->node_count = v->node_count;
	s->thread_count = v->thread_count;
	s->self = array_zeroed(v->node_count, sizeof(*s->self));
	s->count = array_zeroed(v->node_count, sizeof(*s->count));
	s->time = array_zeroed(v->thread_count, sizeof(*s->time));
	return s->self && s->count && s->time;
}

static void scaled_fini(struct scaled *s)
{
	free(s->self);
	free(s->count);
	free(s->time);
	*s = (struct scaled){ 0 };
}

static int64_t plus_bounded(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

static int64_t within_bound(int64_t value)
{
	return value > MOST ? MOST : value < -MOST ? -MOST : value;
}

/* A thread has the time of missing slices beside that of its nodes. That time is worked out before anything is
 * rounded. The rounded times of the nodes are then added to it. */
static void scaled_fill(struct scaled *s, const struct profile *p, const struct values *v,
			struct factor ticks, struct factor entries)
{
	for (uint32_t i = 0; i < v->thread_count; i++)
		s->time[i] = v->time[i];
	for (uint32_t i = 0; i < v->node_count; i++)
		s->time[p->nodes[i].thread] = plus_bounded(s->time[p->nodes[i].thread], -within_bound(v->self[i]));
	for (uint32_t i = 0; i < v->thread_count; i++)
		s->time[i] = multiplied_by(s->time[i], ticks);
	for (uint32_t i = 0; i < v->node_count; i++) {
		s->self[i] = multiplied_by(v->self[i], ticks);
		s->count[i] = multiplied_by(v->count[i], entries);
		s->time[p->nodes[i].thread] = plus_bounded(s->time[p->nodes[i].thread], s->self[i]);
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		s->time[i] = within_bound(s->time[i]);
}

/* Ticks become those of now->p. *rounded: values were brought to the nearest, here or where an average was made.
 * False: out of memory. All zeros are as good as fini'd. */
static bool scaled_pair(const struct why_side *base, const struct why_side *now, struct scaled *base_out,
			struct scaled *now_out, int64_t *scale, bool *rounded)
{
	bool alike = base->v->measure != MEASURE_SELF || same_rate(base->p->ticks_per_s, now->p->ticks_per_s);
	struct factor rate = { 1, 1 }, one = { 1, 1 };
	struct factor base_ticks, now_ticks;

	if (!alike)
		rate = rate_factor(base->p->ticks_per_s, now->p->ticks_per_s);
	*scale = alike ? exact_scale(base, now) : 0;
	*rounded = !*scale || base->v->scale > 1 || now->v->scale > 1;
	for (int64_t finer = FINEST; !*scale; finer /= 2) {
		base_ticks = in_scale(rate, finer, base->v->scale);
		now_ticks = in_scale(one, finer, now->v->scale);
		if (finer == 1 || (factor_holds(largest_sum(base->v), base_ticks) &&
				   factor_holds(largest_sum(now->v), now_ticks)))
			*scale = finer;
	}
	base_ticks = in_scale(rate, *scale, base->v->scale);
	now_ticks = in_scale(one, *scale, now->v->scale);
	if (!scaled_init(base_out, base->v) || !scaled_init(now_out, now->v))
		return false;
	scaled_fill(base_out, base->p, base->v, base_ticks, in_scale(one, *scale, base->v->scale));
	scaled_fill(now_out, now->p, now->v, now_ticks, in_scale(one, *scale, now->v->scale));
	return true;
}

const char *const why_kind_names[WHY_KINDS] = {
	[WHY_CHANGED] = "changed", [WHY_NEW] = "new", [WHY_GONE] = "gone", [WHY_CARRIED] = "carried",
};

static uint64_t delta_size(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* Calls and cost changed the same way, and the smaller of the two is more than a third of the difference. */
static bool why_is_both(const struct why_row *row)
{
	uint64_t calls = delta_size(row->calls), cost = delta_size(row->cost);

	return (row->calls > 0) == (row->cost > 0) && (calls < cost ? calls : cost) > (calls + cost) / 3;
}

const char *why_word(const struct why *w, const struct why_row *row)
{
	if (w->measure == MEASURE_SELF && w->stacks[row->stack].waits)
		return row->delta > 0 ? "waited longer" : "waited less";
	if (w->no_calls && row->kind == WHY_CHANGED && w->measure == MEASURE_SELF)
		return row->delta > 0 ? "longer" : "shorter";
	if (w->no_calls && row->kind == WHY_CHANGED)
		return row->delta > 0 ? "more" : "less";
	if (w->stacks[row->stack].zone == PROFILE_NO_ZONE && row->kind == WHY_CARRIED && w->measure == MEASURE_SELF)
		return row->at_most ? "outside zones, at most" : "outside zones";
	if (row->kind == WHY_CARRIED && w->measure != MEASURE_SELF && !row->count && !row->base_count)
		return row->delta > 0 ? "more" : "less";
	if (row->kind == WHY_CARRIED && row->at_most)
		return "carried over, at most";
	if (row->kind != WHY_CHANGED)
		return row->kind == WHY_CARRIED ? "carried over" : why_kind_names[row->kind];
	if (w->measure == MEASURE_SELF && why_is_both(row))
		return row->calls > 0 ? "more and slower calls" : "fewer and faster calls";
	if (delta_size(row->calls) > delta_size(row->cost))
		return row->calls > 0 ? "more calls" : "fewer calls";
	if (w->measure != MEASURE_SELF)
		return row->cost > 0 ? "more per call" : "less per call";
	if (row->at_most)
		return "slower, at most";
	return row->cost > 0 ? "slower calls" : "faster calls";
}

#define OFF_PART 100    /* of the thread's time: what is less explains nothing */
#define AT_MOST_PART 10 /* of what slower calls took */

static double ns_of(const struct why *w, int64_t time)
{
	return w->scale && w->per_s ? (double)time / (double)w->scale / (double)w->per_s * 1e9 : 0;
}

/* Both are at least what they say, and at most twice the doubt more: what it changed by at the least. */
static int64_t off_cpu_change(const struct off_cpu *now, const struct off_cpu *base)
{
	int64_t more = now->ns - base->ns - 2 * base->doubt, less = now->ns + 2 * now->doubt - base->ns;

	return more > 0 ? more : less < 0 ? less : 0;
}

bool why_off_cpu(const struct why *w, const struct why_thread *t, int64_t *ns)
{
	*ns = off_cpu_change(&t->off, &t->base_off);
	return w->measure == MEASURE_SELF && t->off.known && t->base_off.known && *ns &&
	       (double)delta_size(*ns) * OFF_PART >= ns_of(w, t->time > t->base_time ? t->time : t->base_time);
}

bool why_off_cpu_text(const struct why *w, const struct why_thread *t, enum unit unit, int precision, bool ascii,
		      char out[WHY_OFF_CPU])
{
	char amount[64], times[OFF_CPU_TEXT];
	int64_t ns;

	if (!why_off_cpu(w, t, &ns))
		return false;
	unit = unit == UNIT_AUTO ? unit_for(ns, PER_S_NS) : unit;
	format_difference(amount, sizeof(amount), ns, 1, PER_S_NS, unit, precision, 0);
	/* the counts of the frame in which the thread was off a core for longer */
	off_cpu_text(ns < 0 ? &t->base_off : &t->off, ns < 0 ? &t->off : &t->base_off, ascii, times);
	snprintf(out, WHY_OFF_CPU, "did not run: %s %s%s%s%s", amount, unit_title(unit, ascii),
		 !*times ? "" : ns < 0 ? " (before: " : " (", times,
		 *times ? ")" : "");
	return true;
}

/* The system did not say in which zone the thread did not run. */
static bool is_at_most(const struct why *w, const struct why_thread *t, const struct why_row *row)
{
	int64_t off, slower = row->cost + row->carried; /* one of the two is 0 */

	return slower > 0 && !w->stacks[row->stack].waits && why_off_cpu(w, t, &off) && off > 0 &&
	       (double)off * AT_MOST_PART >= ns_of(w, slower);
}

bool why_is_waiting(const struct why_thread *t)
{
	return t->waiting && delta_size(t->waiting) > delta_size(t->delta) / 2;
}

int64_t why_rest(const struct why_thread *t)
{
	return (int64_t)((uint64_t)t->delta - (uint64_t)t->waiting);
}

bool why_waits_within(int64_t waiting, int64_t whole)
{
	return !waiting || ((waiting < 0) == (whole < 0) && delta_size(waiting) <= delta_size(whole));
}

void why_waiting_text(char *out, size_t size, const struct why_thread *t, const char *waiting, const char *rest)
{
	if (why_waits_within(t->waiting, t->delta))
		snprintf(out, size, "%s of it waiting", waiting);
	else
		snprintf(out, size, "waiting %s, the rest %s", waiting, rest);
}

/* What a comparison is made of. */
struct making {
	const struct profile *base_p, *p;
	const struct values *base_v, *v;
	struct scaled base, now;
	struct match *match;
	uint32_t *entry;        /* by thread of p: its index in why.threads, or PROFILE_NONE */
	uint32_t *base_entry;   /* by thread of the base: likewise */
	struct why_row *sums;   /* by stack, of all its nodes */
	struct why_stacks stacks;
	struct why *w;
};

#define BOUND ((int64_t)1 << 60) /* of a quotient that hostile numbers made */

static int64_t bounded_quotient(__int128 value)
{
	return value > BOUND ? BOUND : value < -BOUND ? -BOUND : (int64_t)value;
}

/* A row */

static enum why_kind kind_of(const struct why_row *row, bool no_calls)
{
	if (no_calls)
		return !row->base_self ? WHY_NEW : !row->self ? WHY_GONE : WHY_CHANGED;
	if (row->base_count > 0 && row->count > 0)
		return WHY_CHANGED;
	if ((row->base_count <= 0 && row->base_self) || (row->count <= 0 && row->self))
		return WHY_CARRIED;
	return row->base_count <= 0 ? WHY_NEW : WHY_GONE;
}

static void split_row(struct why_row *row, bool no_calls)
{
	row->delta = row->self - row->base_self;
	row->kind = kind_of(row, no_calls);
	if (no_calls)
		return;
	if (row->kind == WHY_CARRIED)
		row->carried = row->delta;
	else if (row->kind != WHY_CHANGED)
		row->calls = row->delta;
	else
		row->calls = bounded_quotient((__int128)(row->count - row->base_count) * row->base_self /
				     row->base_count);
	if (row->kind == WHY_CHANGED)
		row->cost = row->delta - row->calls;
}

static int64_t sum_bounded(int64_t a, int64_t b)
{
	return bounded_quotient((__int128)a + b);
}

/* Sums up each stack over all its nodes, for both sides. */
static bool sum_up(struct making *m)
{
	m->sums = array_zeroed(m->w->stack_count, sizeof(*m->sums));
	if (!m->sums)
		return false;
	for (uint32_t i = 0; i < m->now.node_count && i < m->p->node_count; i++) {
		struct why_row *row = m->stacks.now[i] != PROFILE_NONE ? &m->sums[m->stacks.now[i]] : NULL;

		if (!row)
			continue;
		row->self = sum_bounded(row->self, m->now.self[i]);
		row->count = sum_bounded(row->count, m->now.count[i]);
	}
	for (uint32_t i = 0; i < m->base.node_count && i < m->base_p->node_count; i++) {
		struct why_row *row = m->stacks.base[i] != PROFILE_NONE ? &m->sums[m->stacks.base[i]] : NULL;

		if (!row)
			continue;
		row->base_self = sum_bounded(row->base_self, m->base.self[i]);
		row->base_count = sum_bounded(row->base_count, m->base.count[i]);
	}
	return true;
}

/* By |delta|; of one size what grew first, then in the order of the stacks. */
static int compare_rows(const void *a, const void *b)
{
	const struct why_row *x = a, *y = b;
	uint64_t larger = delta_size(x->delta), other = delta_size(y->delta);

	if (larger != other)
		return larger < other ? 1 : -1;
	if (x->delta != y->delta)
		return x->delta < y->delta ? 1 : -1;
	return (x->stack > y->stack) - (x->stack < y->stack);
}

static void put_row(struct why *w, struct why_thread *t, const struct why_row *row)
{
	t->sum = sum_bounded(t->sum, row->delta);
	if (w->stacks[row->stack].waits)
		t->waiting = sum_bounded(t->waiting, row->delta);
	t->rows[t->count] = *row;
	t->rows[t->count++].at_most = is_at_most(w, t, row);
}

/* A difference from an amount that is not known says nothing. */
static bool has_row(const struct making *m, uint32_t stack)
{
	return m->sums[stack].delta && !m->w->threads[m->stacks.place[stack]].least;
}

static bool make_rows(struct making *m)
{
	struct why *w = m->w;
	uint64_t rows = 0;

	if (!sum_up(m))
		return false;
	for (uint32_t i = 0; i < w->stack_count; i++) {
		m->sums[i].stack = i;
		split_row(&m->sums[i], w->no_calls);
		w->threads[m->stacks.place[i]].count += has_row(m, i);
	}
	for (uint32_t i = 0; i < w->thread_count; i++)
		rows += w->threads[i].count;
	w->row_count = (uint32_t)rows;
	w->rows = array_zeroed(rows, sizeof(*w->rows));
	if (!w->rows)
		return false;
	rows = 0;
	for (uint32_t i = 0; i < w->thread_count; i++) {
		w->threads[i].rows = w->rows + rows;
		rows += w->threads[i].count;
		w->threads[i].count = 0;
	}
	for (uint32_t i = 0; i < w->stack_count; i++)
		if (has_row(m, i))
			put_row(w, &w->threads[m->stacks.place[i]], &m->sums[i]);
	for (uint32_t i = 0; i < w->thread_count; i++)
		qsort(w->threads[i].rows, w->threads[i].count, sizeof(*w->rows), compare_rows);
	return true;
}

/* Threads */

static int64_t time_of(const struct scaled *side, uint32_t thread)
{
	return thread != PROFILE_NONE && thread < side->thread_count ? side->time[thread] : 0;
}

static uint32_t missing_of(const struct values *v, uint32_t thread)
{
	return thread != PROFILE_NONE && thread < v->thread_count ? v->missing[thread] : 0;
}

static enum measure_known known_of(const struct values *v, const struct profile *p, uint32_t thread)
{
	return thread != PROFILE_NONE ? values_known(v, p, thread) : MEASURE_KNOWN;
}

static struct off_cpu off_of(const struct values *v, const struct profile *p, uint32_t thread)
{
	return v->frames == 1 && v->reach == 0 ? off_cpu_of(p, v->first_frame, thread) : (struct off_cpu){ 0 };
}

/* PROFILE_NONE: it has nothing to show. */
static uint32_t add_thread(struct making *m, uint32_t base, uint32_t thread, bool marking)
{
	struct why_thread *t = &m->w->threads[m->w->thread_count];

	*t = (struct why_thread){ .thread = thread, .base_thread = base,
				  .time = time_of(&m->now, thread),
				  .base_time = time_of(&m->base, base),
				  .base_known = known_of(m->base_v, m->base_p, base),
				  .known = known_of(m->v, m->p, thread),
				  .missing = missing_of(m->base_v, base) + missing_of(m->v, thread),
				  .off = off_of(m->v, m->p, thread), .base_off = off_of(m->base_v, m->base_p, base) };
	t->least = t->base_known != MEASURE_KNOWN || t->known != MEASURE_KNOWN;
	t->delta = t->least ? 0 : t->time - t->base_time;
	if (!t->time && !t->base_time && !marking)
		return PROFILE_NONE;
	return m->w->thread_count++;
}

/* True if the selection includes a thread that only the base has: it is of all threads, or of those of its name. */
static bool selects_gone(const struct making *m, uint32_t threads, uint32_t base)
{
	uint32_t named = threads ^ THREADS_NAMED(0);

	return threads >= THREADS_EACH ||
	       (profile_merges(threads) && named < m->p->thread_count && *m->p->threads[named].name &&
		!strcmp(m->p->threads[named].name, m->base_p->threads[base].name));
}

static bool make_threads(struct making *m, uint32_t threads)
{
	uint32_t marking = profile_marking_thread(m->p), *base;

	base = array_zeroed(m->p->thread_count, sizeof(*base)); /* by thread of p */
	if (!base)
		return false;
	memset(base, 0xFF, m->p->thread_count * sizeof(*base));
	for (uint32_t i = 0; i < m->base_p->thread_count; i++)
		if (m->match->threads[i] != PROFILE_NONE)
			base[m->match->threads[i]] = i;
	for (uint32_t i = 0; i < m->p->thread_count; i++)
		m->entry[i] = profile_selects(m->p, threads, i)
				      ? add_thread(m, base[i], i, i == marking) : PROFILE_NONE;
	for (uint32_t i = 0; i < m->base_p->thread_count; i++)
		m->base_entry[i] = m->match->threads[i] != PROFILE_NONE ? m->entry[m->match->threads[i]]
				   : selects_gone(m, threads, i) ? add_thread(m, i, PROFILE_NONE, false)
								 : PROFILE_NONE;
	free(base);
	return true;
}

static int compare_threads(const void *a, const void *b)
{
	const struct why_thread *x = a, *y = b;
	uint64_t larger = delta_size(x->delta), other = delta_size(y->delta);

	if (larger != other)
		return larger < other ? 1 : -1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->base_thread > y->base_thread) - (x->base_thread < y->base_thread);
}

/* The thread's time in it is that of the frame. */
static bool was_in(const struct profile *p, const struct values *v, uint32_t thread)
{
	const struct profile_frame *frame = v->frames == 1 ? profile_find_frame(p, v->first_frame) : NULL;
	const struct profile_held *part = frame ? profile_find_part(frame, thread) : NULL;

	return part && !(part->flags & (PART_MISSING | PART_LAPPED | PART_MERGED)) &&
	       part->end - part->bound == frame->length;
}

static bool was_there(const struct making *m, const struct why_thread *t)
{
	return was_in(m->p, m->v, t->thread) && was_in(m->base_p, m->base_v, t->base_thread);
}

/* The marking thread; where it was not there for all of both frames, as another one set a mark, the first that was. */
static uint32_t first_thread(const struct making *m)
{
	uint32_t marking = profile_marking_thread(m->p), count = m->w->thread_count, first = 0, whole = 0;

	while (first < count && m->w->threads[first].thread != marking)
		first++;
	if (first == count || marking == PROFILE_NONE)
		return count;
	if (m->w->threads[first].missing || was_there(m, &m->w->threads[first]))
		return first;
	while (whole < count && !was_there(m, &m->w->threads[whole]))
		whole++;
	return whole < count ? whole : first;
}

static void order_threads(struct making *m)
{
	struct why *w = m->w;
	uint32_t first = first_thread(m), sorted = first < w->thread_count;

	if (sorted) {
		struct why_thread t = w->threads[first];

		w->threads[first] = w->threads[0];
		w->threads[0] = t;
	}
	if (w->thread_count > sorted)
		qsort(w->threads + sorted, w->thread_count - sorted, sizeof(*w->threads), compare_threads);
}

/* All of it */

static void making_fini(struct making *m)
{
	scaled_fini(&m->base);
	scaled_fini(&m->now);
	match_free(m->match);
	free(m->sums);
	why_stacks_fini(&m->stacks);
	free(m->entry);
	free(m->base_entry);
}

static bool making_init(struct making *m, const struct why_side *base, const struct why_side *now,
			const struct why_options *o)
{
	*m = (struct making){ .base_p = base->p, .p = now->p, .base_v = base->v, .v = now->v };
	m->w = calloc(1, sizeof(*m->w));
	m->match = match_make(base->p, now->p);
	m->entry = array_zeroed(now->p->thread_count, sizeof(*m->entry));
	m->base_entry = array_zeroed(base->p->thread_count, sizeof(*m->base_entry));
	if (!m->w || !m->match || !m->entry || !m->base_entry)
		return false;
	m->w->threads = array_zeroed((uint64_t)now->p->thread_count + base->p->thread_count,
				     sizeof(*m->w->threads));
	if (!m->w->threads || !scaled_pair(base, now, &m->base, &m->now, &m->w->scale, &m->w->rounded))
		return false;
	m->w->measure = now->v->measure;
	m->w->per_s = measure_per_s(now->p, now->v->measure);
	m->w->no_calls = !profile_has_calls(base->p) || !profile_has_calls(now->p);
	m->w->by_zone = o->by_zone;
	m->w->spread = o->spread;
	m->w->incomplete = base->v->incomplete + now->v->incomplete;
	return true;
}

static bool make_stacks(struct making *m)
{
	const struct why_stacks_side base = { m->base_p, m->base_entry }, now = { m->p, m->entry };

	return why_stacks_make(&m->stacks, m->w, &base, &now, m->match);
}

struct why *why_make(const struct why_side *base, const struct why_side *now, const struct why_options *options)
{
	struct making m;
	bool done = making_init(&m, base, now, options) && make_threads(&m, options->threads) && make_stacks(&m) &&
		    make_rows(&m) && why_stacks_compare(m.w) &&
		    why_names_make(m.w, base->p, now->p, m.match);

	if (done)
		order_threads(&m);
	making_fini(&m);
	if (done)
		return m.w;
	why_free(m.w);
	return NULL;
}

void why_free(struct why *w)
{
	if (!w)
		return;
	why_names_fini(w);
	free(w->threads);
	free(w->rows);
	free(w->stacks);
	free(w);
}

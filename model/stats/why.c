/* SPDX-License-Identifier: MIT */
#include "model/stats/why.h"

#include <string.h>

#include "model/base/array.h"
#include "model/stats/common_scale.h"
#include "model/stats/why_inside.h"

const char *const why_kind_names[WHY_KINDS] = {
	[WHY_CHANGED] = "changed", [WHY_NEW] = "new", [WHY_GONE] = "gone", [WHY_CARRIED] = "carried",
};

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

const char *why_word(const struct why *w, const struct why_row *row)
{
	if (w->measure == MEASURE_SELF && w->stacks[row->stack].waits)
		return row->delta > 0 ? "waited longer" : "waited less";
	if (row->kind != WHY_CHANGED)
		return row->kind == WHY_CARRIED ? "carried over" : why_kind_names[row->kind];
	if (magnitude(row->calls) > magnitude(row->cost))
		return row->calls > 0 ? "more calls" : "fewer calls";
	if (w->measure != MEASURE_SELF)
		return row->cost > 0 ? "more per call" : "less per call";
	return row->cost > 0 ? "slower calls" : "faster calls";
}

bool why_is_waiting(const struct why_thread *t)
{
	return t->waiting && (t->waiting < 0) == (t->delta < 0) &&
	       magnitude(t->waiting) > magnitude(t->delta) / 2;
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

static int64_t bounded(__int128 value)
{
	return value > BOUND ? BOUND : value < -BOUND ? -BOUND : (int64_t)value;
}

/* A row */

static enum why_kind kind_of(const struct why_row *row)
{
	if (row->base_count > 0 && row->count > 0)
		return WHY_CHANGED;
	if ((row->base_count <= 0 && row->base_self) || (row->count <= 0 && row->self))
		return WHY_CARRIED;
	return row->base_count <= 0 ? WHY_NEW : WHY_GONE;
}

static void split(struct why_row *row)
{
	row->delta = row->self - row->base_self;
	row->kind = kind_of(row);
	if (row->kind == WHY_CARRIED)
		row->carried = row->delta;
	else if (row->kind != WHY_CHANGED)
		row->calls = row->delta;
	else
		row->calls = bounded((__int128)(row->count - row->base_count) * row->base_self /
				     row->base_count);
	if (row->kind == WHY_CHANGED)
		row->cost = row->delta - row->calls;
}

static int64_t sum(int64_t a, int64_t b)
{
	return bounded((__int128)a + b);
}

/* What each stack has, on both sides, of all its nodes. */
static bool sum_up(struct making *m)
{
	m->sums = array_zeroed(m->w->stack_count, sizeof(*m->sums));
	if (!m->sums)
		return false;
	for (uint32_t i = 0; i < m->now.node_count && i < m->p->node_count; i++) {
		struct why_row *row = m->stacks.now[i] != PROFILE_NONE ? &m->sums[m->stacks.now[i]] : NULL;

		if (!row)
			continue;
		row->self = sum(row->self, m->now.self[i]);
		row->count = sum(row->count, m->now.count[i]);
	}
	for (uint32_t i = 0; i < m->base.node_count && i < m->base_p->node_count; i++) {
		struct why_row *row = m->stacks.base[i] != PROFILE_NONE ? &m->sums[m->stacks.base[i]] : NULL;

		if (!row)
			continue;
		row->base_self = sum(row->base_self, m->base.self[i]);
		row->base_count = sum(row->base_count, m->base.count[i]);
	}
	return true;
}

/* By |delta|; of one size what grew first, then in the order of the stacks. */
static int compare_rows(const void *a, const void *b)
{
	const struct why_row *x = a, *y = b;
	uint64_t larger = magnitude(x->delta), other = magnitude(y->delta);

	if (larger != other)
		return larger < other ? 1 : -1;
	if (x->delta != y->delta)
		return x->delta < y->delta ? 1 : -1;
	return (x->stack > y->stack) - (x->stack < y->stack);
}

static void put_row(struct why *w, struct why_thread *t, const struct why_row *row)
{
	t->sum = sum(t->sum, row->delta);
	if (w->stacks[row->stack].waits)
		t->waiting = sum(t->waiting, row->delta);
	t->rows[t->count++] = *row;
}

static bool make_rows(struct making *m)
{
	struct why *w = m->w;
	uint64_t rows = 0;

	if (!sum_up(m))
		return false;
	for (uint32_t i = 0; i < w->stack_count; i++) {
		m->sums[i].stack = i;
		split(&m->sums[i]);
		w->threads[m->stacks.place[i]].count += m->sums[i].delta != 0;
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
		if (m->sums[i].delta)
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

static bool lacks_amounts(const struct values *v, const struct profile *p, uint32_t thread)
{
	return thread != PROFILE_NONE && values_known(v, p, thread) != MEASURE_KNOWN;
}

/* PROFILE_NONE: it has nothing to show. */
static uint32_t add_thread(struct making *m, uint32_t base, uint32_t thread, bool marking)
{
	struct why_thread *t = &m->w->threads[m->w->thread_count];

	*t = (struct why_thread){ .thread = thread, .base_thread = base,
				  .time = time_of(&m->now, thread),
				  .base_time = time_of(&m->base, base),
				  .least = lacks_amounts(m->base_v, m->base_p, base) ||
					   lacks_amounts(m->v, m->p, thread),
				  .missing = missing_of(m->base_v, base) + missing_of(m->v, thread) };
	t->delta = t->time - t->base_time;
	if (!t->time && !t->base_time && !marking)
		return PROFILE_NONE;
	return m->w->thread_count++;
}

/* Whether a thread of the base that has no counterpart is meant: of all, or of those of a name. */
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
	uint64_t larger = magnitude(x->delta), other = magnitude(y->delta);

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

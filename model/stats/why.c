/* SPDX-License-Identifier: MIT */
#include "model/stats/why.h"

#include <string.h>

#include "model/base/array.h"
#include "model/stats/common_scale.h"
#include "model/zones/match.h"

const char *const why_kind_names[WHY_KINDS] = {
	[WHY_CHANGED] = "changed", [WHY_NEW] = "new", [WHY_GONE] = "gone", [WHY_CARRIED] = "carried",
};

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

const char *why_word(const struct why_row *row)
{
	if (row->kind != WHY_CHANGED)
		return why_kind_names[row->kind];
	if (magnitude(row->calls) > magnitude(row->cost))
		return row->calls > 0 ? "more calls" : "fewer calls";
	return row->cost > 0 ? "dearer calls" : "cheaper calls";
}

static uint64_t magnitude_of(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

bool why_is_waiting(const struct why_thread *t)
{
	return t->waiting && (t->waiting < 0) == (t->delta < 0) &&
	       magnitude_of(t->waiting) > magnitude_of(t->delta) / 2;
}

/* What a comparison is made of. */
struct making {
	const struct profile *base_p, *p;
	const struct values *base_v, *v;
	struct scaled base, now;
	struct match *match;
	uint32_t *base_of;      /* by node of p: that of the base, or PROFILE_NONE */
	uint32_t *entry;        /* by thread of p: its index in why.threads, or PROFILE_NONE */
	uint32_t *base_entry;   /* by thread of the base: likewise */
	struct why_row *rows;   /* of all threads, one after the other */
	struct why *w;
};

#define BOUND ((int64_t)1 << 60) /* of a quotient that hostile numbers made */

static int64_t bounded(__int128 value)
{
	return value > BOUND ? BOUND : value < -BOUND ? -BOUND : (int64_t)value;
}

/* One node */

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

static struct why_row row_of(const struct making *m, uint32_t base, uint32_t node)
{
	struct why_row row = { .node = node, .base_node = base };

	if (node != PROFILE_NONE && node < m->now.node_count) {
		row.self = m->now.self[node];
		row.count = m->now.count[node];
	}
	if (base != PROFILE_NONE && base < m->base.node_count) {
		row.base_self = m->base.self[base];
		row.base_count = m->base.count[base];
	}
	split(&row);
	return row;
}

static uint32_t entry_of(const struct making *m, const struct why_row *row)
{
	return row->node != PROFILE_NONE ? m->entry[m->p->nodes[row->node].thread]
					 : m->base_entry[m->base_p->nodes[row->base_node].thread];
}

static bool waits(const struct making *m, const struct why_row *row)
{
	uint32_t zone = row->node != PROFILE_NONE ? m->p->nodes[row->node].zone
						  : m->base_p->nodes[row->base_node].zone;

	return (row->node != PROFILE_NONE ? m->p : m->base_p)->zones[zone].flags & ZONE_WAITING;
}

/* All nodes, first counted, then put where they belong */

typedef void node_visit(struct making *m, struct why_thread *t, const struct why_row *row);

static void visit_node(struct making *m, uint32_t base, uint32_t node, node_visit *visit)
{
	struct why_row row = row_of(m, base, node);
	uint32_t entry = row.delta ? entry_of(m, &row) : PROFILE_NONE;

	if (entry != PROFILE_NONE)
		visit(m, &m->w->threads[entry], &row);
}

static void visit_nodes(struct making *m, node_visit *visit)
{
	for (uint32_t i = 0; i < m->p->node_count; i++)
		visit_node(m, m->base_of[i], i, visit);
	for (uint32_t i = 0; i < m->base_p->node_count; i++)
		if (m->match->nodes[i] == PROFILE_NONE)
			visit_node(m, i, PROFILE_NONE, visit);
}

static void count_row(struct making *m, struct why_thread *t, const struct why_row *row)
{
	t->count += !waits(m, row);
}

static void put_row(struct making *m, struct why_thread *t, const struct why_row *row)
{
	t->sum = bounded((__int128)t->sum + row->delta);
	if (waits(m, row))
		t->waiting = bounded((__int128)t->waiting + row->delta);
	else
		t->rows[t->count++] = *row;
}

/* By |delta|; of one size what grew first, then in the order of the nodes. */
static int compare_rows(const void *a, const void *b)
{
	const struct why_row *x = a, *y = b;
	uint64_t larger = magnitude(x->delta), other = magnitude(y->delta);

	if (larger != other)
		return larger < other ? 1 : -1;
	if (x->delta != y->delta)
		return x->delta < y->delta ? 1 : -1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->base_node > y->base_node) - (x->base_node < y->base_node);
}

static bool make_rows(struct making *m)
{
	struct why *w = m->w;
	uint64_t rows = 0;

	visit_nodes(m, count_row);
	for (uint32_t i = 0; i < w->thread_count; i++)
		rows += w->threads[i].count;
	m->rows = array_zeroed(rows, sizeof(*m->rows));
	if (!m->rows)
		return false;
	rows = 0;
	for (uint32_t i = 0; i < w->thread_count; i++) {
		w->threads[i].rows = m->rows + rows;
		rows += w->threads[i].count;
		w->threads[i].count = 0;
	}
	visit_nodes(m, put_row);
	for (uint32_t i = 0; i < w->thread_count; i++)
		qsort(w->threads[i].rows, w->threads[i].count, sizeof(*m->rows), compare_rows);
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

/* PROFILE_NONE: it has nothing to show. */
static uint32_t add_thread(struct making *m, uint32_t base, uint32_t thread, bool marking)
{
	struct why_thread *t = &m->w->threads[m->w->thread_count];

	*t = (struct why_thread){ .thread = thread, .base_thread = base,
				  .time = time_of(&m->now, thread),
				  .base_time = time_of(&m->base, base),
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

	return threads == THREADS_ALL ||
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
	free(m->base_of);
	free(m->entry);
	free(m->base_entry);
}

static bool making_init(struct making *m, const struct why_side *base, const struct why_side *now)
{
	*m = (struct making){ .base_p = base->p, .p = now->p, .base_v = base->v, .v = now->v };
	m->w = calloc(1, sizeof(*m->w));
	m->match = match_make(base->p, now->p);
	m->base_of = array_zeroed(now->p->node_count, sizeof(*m->base_of));
	m->entry = array_zeroed(now->p->thread_count, sizeof(*m->entry));
	m->base_entry = array_zeroed(base->p->thread_count, sizeof(*m->base_entry));
	if (!m->w || !m->match || !m->base_of || !m->entry || !m->base_entry)
		return false;
	m->w->threads = array_zeroed((uint64_t)now->p->thread_count + base->p->thread_count,
				     sizeof(*m->w->threads));
	if (!m->w->threads || !scaled_pair(base, now, &m->base, &m->now, &m->w->scale, &m->w->rounded))
		return false;
	memset(m->base_of, 0xFF, now->p->node_count * sizeof(*m->base_of));
	for (uint32_t i = 0; i < base->p->node_count; i++)
		if (m->match->nodes[i] != PROFILE_NONE)
			m->base_of[m->match->nodes[i]] = i;
	m->w->incomplete = base->v->incomplete + now->v->incomplete;
	return true;
}

struct why *why_make(const struct why_side *base, const struct why_side *now, uint32_t threads)
{
	struct making m;
	bool done = making_init(&m, base, now) && make_threads(&m, threads) && make_rows(&m);

	if (done) {
		m.w->rows = m.rows;
		order_threads(&m);
	}
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
	free(w->threads);
	free(w->rows);
	free(w);
}

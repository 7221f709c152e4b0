/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "model/boxes/spans.h"

#include "model/base/array.h"
#include "model/base/search.h"

/* A list that is being read, and what it is read into. */
struct reading {
	struct spans *s;
	struct span_list *l;
	const struct profile *p;
	uint64_t most; /* spans */
};

struct spans *spans_new(void)
{
	return calloc(1, sizeof(struct spans));
}

static void free_rows(struct spans *s, struct span_list *l, uint32_t from)
{
	for (; l->depth > from; l->depth--) {
		s->held -= l->rows[l->depth - 1].count;
		span_row_fini(&l->rows[l->depth - 1]);
	}
}

/* It is as new. */
static void clear_list(struct spans *s, struct span_list *l, const struct transition_list *of)
{
	free_rows(s, l, 0);
	free(l->rows);
	free(l->known_room);
	*l = (struct span_list){ .id = of->id, .thread = of->thread, .since = INT64_MIN };
}

void spans_free(struct spans *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->count; i++)
		clear_list(s, &s->lists[i], &(struct transition_list){ 0 });
	free(s->lists);
	free(s->level);
	free(s);
}

/* Rows: the level of a node is that of its row and 1; a root, which has none, has level 0. */

static bool update_levels(struct spans *s, const struct profile *p)
{
	if (!array_reserve(&s->level, &s->level_capacity, p->node_count, sizeof(*s->level)))
		return false;
	for (; s->level_count < p->node_count; s->level_count++) {
		uint32_t parent = p->nodes[s->level_count].parent;

		s->level[s->level_count] = parent == PROFILE_NONE ? 0 : s->level[parent] + 1;
	}
	return true;
}

/* How many rows have a span open when a node is innermost. */
static uint32_t open_at(const struct spans *s, uint32_t node)
{
	uint32_t level = node == PROFILE_NONE ? 0 : s->level[node];

	return level < SPANS_DEPTH ? level : SPANS_DEPTH;
}

/* The node that is innermost outside of this one. */
static uint32_t first_outside(const struct reading *r, uint32_t node)
{
	uint32_t parent = r->p->nodes[node].parent;

	return r->s->level[parent] ? parent : PROFILE_NONE;
}

static bool reserve_rows(struct span_list *l, uint32_t depth)
{
	if (!array_reserve(&l->rows, &l->row_capacity, depth, sizeof(*l->rows)))
		return false;
	for (; l->depth < depth; l->depth++)
		l->rows[l->depth] = (struct span_row){ 0 };
	return true;
}

static bool open_span(struct reading *r, uint32_t node, int64_t begin)
{
	uint32_t depth = r->s->level[node] - 1;

	if (depth >= SPANS_DEPTH)
		return true;
	if (!reserve_rows(r->l, depth + 1) || !span_row_push(&r->l->rows[depth], node, begin))
		return false;
	r->s->held++;
	return true;
}

/* The span of the innermost zone that is open. */
static void mark_open(struct reading *r, unsigned mark)
{
	uint32_t level = r->s->level[r->l->current];
	struct span_row *row = level && level <= r->l->depth ? &r->l->rows[level - 1] : NULL;

	if (row && row->count)
		row->marks[row->count - 1] |= (uint8_t)mark;
}

static struct span_interval *newest_interval(const struct span_list *l)
{
	return l->known_count ? &l->known[l->known_count - 1] : NULL;
}

static bool is_inside(const struct span_list *l)
{
	return l->known_count && newest_interval(l)->goes_on;
}

/* Ends the spans that are open on the rows below `depth`. */
static void close_spans(struct reading *r, uint32_t depth, int64_t end)
{
	for (uint32_t i = open_at(r->s, r->l->current); i > depth; i--) {
		span_row_end(&r->l->rows[i - 1], end);
		if (end > newest_interval(r->l)->begin || newest_interval(r->l)->alone)
			continue;
		span_row_pop(&r->l->rows[i - 1]);
		r->s->held--;
	}
}

/* Intervals */

/* Ends the interval: behind its last transition nothing is known. */
static void end_interval(struct reading *r)
{
	struct span_list *l = r->l;
	struct span_interval *known = newest_interval(l);

	if (!is_inside(l))
		return;
	known->open = open_at(r->s, l->current);
	known->end = l->last;
	known->goes_on = false;
	close_spans(r, 0, l->last);
	if (known->end <= known->begin && !known->born)
		l->known_count--;
}

static bool add_interval(struct span_list *l, struct span_interval known)
{
	if (!array_queue(&l->known_room, &l->known_capacity, &l->known, l->known_count, sizeof(*l->known)))
		return false;
	known.alone = known.born && (!l->known_count || newest_interval(l)->end < known.begin);
	l->known[l->known_count++] = known;
	l->since = INT64_MIN;
	return true;
}

/* Opens a span for this node and each that is around it. */
static bool open_stack(struct reading *r, uint32_t node, int64_t begin)
{
	uint32_t level = node == PROFILE_NONE ? 0 : r->s->level[node];

	for (; level; level--, node = r->p->nodes[node].parent)
		if (!open_span(r, node, begin))
			return false;
	return true;
}

/* From the gap on, or from this tick, with this node as the innermost one. */
static bool begin_interval(struct reading *r, const struct transition *n, uint32_t current)
{
	struct span_list *l = r->l;
	struct span_interval known = { .begin = l->since == INT64_MIN ? n->tick : l->since, .first = l->next,
				       .goes_on = true };
	bool is_left = transition_leaves(n->kind) && known.begin == n->tick; /* nothing of it is seen */

	known.entered = open_at(r->s, is_left ? first_outside(r, n->node) : current);
	l->current = current;
	return add_interval(l, known) && open_stack(r, current, known.begin);
}

/* Transitions */

static bool take_call(struct reading *r, const struct transition *n)
{
	struct span_list *l = r->l;
	uint32_t around = first_outside(r, n->node), before = transition_enters(n->kind) ? around : n->node;

	if (!is_inside(l) || l->current != before) {
		end_interval(r);
		if (r->s->held + open_at(r->s, before) > r->most) {
			l->since = INT64_MIN; /* what is known begins later */
			return true;
		}
		if (!begin_interval(r, n, before))
			return false;
	}
	newest_interval(l)->last = l->next;
	if (transition_enters(n->kind)) {
		l->current = n->node;
		if (!open_span(r, n->node, n->tick))
			return false;
		if (n->kind == TRANSITION_RESUME)
			mark_open(r, SPAN_RESUMED);
		return true;
	}
	if (n->kind == TRANSITION_SUSPEND)
		mark_open(r, SPAN_SUSPENDED);
	close_spans(r, open_at(r->s, around), n->tick);
	l->current = around;
	return true;
}

static bool take_start(struct reading *r, int64_t tick)
{
	end_interval(r);
	r->l->current = PROFILE_NONE;
	return add_interval(r->l, (struct span_interval){ .begin = tick, .first = r->l->next, .last = r->l->next,
							  .born = true, .goes_on = true });
}

static bool take_end(struct reading *r, int64_t tick)
{
	struct span_list *l = r->l;

	if (!is_inside(l)) {
		l->current = PROFILE_NONE;
		if (!add_interval(l, (struct span_interval){ .begin = tick, .first = l->next }))
			return false;
	}
	newest_interval(l)->open = is_inside(l) ? open_at(r->s, l->current) : 0;
	close_spans(r, 0, tick);
	newest_interval(l)->end = tick;
	newest_interval(l)->last = l->next;
	newest_interval(l)->ended = true;
	newest_interval(l)->goes_on = false;
	return true;
}

static bool take_transition(struct reading *r, const struct transition *n)
{
	bool is_call = transition_enters(n->kind) || transition_leaves(n->kind);

	if (is_call && r->s->level[n->node])
		return take_call(r, n);
	if (n->kind == TRANSITION_START)
		return take_start(r, n->tick);
	if (n->kind == TRANSITION_END)
		return take_end(r, n->tick);
	end_interval(r); /* a gap, or nothing that there is */
	r->l->since = n->tick;
	return true;
}

/* Lists */

static void begin_anew(struct reading *r, const struct transition_list *from)
{
	clear_list(r->s, r->l, from);
	r->l->first = r->l->next = from->first;
	r->l->moved = from->moved;
}

/* The transition with which the oldest interval began is gone. The interval now begins with the first that is
 * left. */
static void cut_interval(struct reading *r, uint64_t first, const struct transition *n)
{
	struct span_list *l = r->l;
	struct span_interval *oldest = l->known;

	if (!l->known_count || oldest->first > first || n->kind == TRANSITION_START)
		return;
	oldest->first = first;
	oldest->begin = n->tick;
	oldest->born = oldest->alone = false;
	oldest->entered = n->kind == TRANSITION_END ? 0 : open_at(r->s, first_outside(r, n->node));
	if (oldest->goes_on || oldest->ended || oldest->end > oldest->begin)
		return;
	l->known++;
	l->known_count--;
}

/* Drops all spans and intervals before this number. */
static void leave_before(struct reading *r, const struct transition_list *from, uint64_t first)
{
	struct span_list *l = r->l;
	uint32_t n = SEARCH(i, 0, l->known_count, l->known[i].last < first), open;
	int64_t since;

	if (n) {
		l->known += n;
		l->known_count -= n;
	}
	if (l->next <= first) {
		l->next = from->first;
		l->since = INT64_MIN;
	}
	if (first - from->first < from->count)
		cut_interval(r, first, &from->at[first - from->first]);
	open = is_inside(l) ? open_at(r->s, l->current) : 0;
	if (l->known_count && l->known->born && !l->known->alone) { /* it is now */
		begin_anew(r, from);
		return;
	}
	since = l->known_count ? l->known->begin - l->known->alone : INT64_MAX;
	for (uint32_t i = 0; i < l->depth; i++)
		r->s->held -= span_row_trim(&l->rows[i], since, i < open);
}

/* Drops what is no longer in the list. Moved transitions are dropped, too: read_moved reads them again. */
static void leave_out(struct reading *r, const struct transition_list *from)
{
	struct span_list *l = r->l;
	bool moved = l->moved != from->moved && from->steady > from->first;

	if (l->moved != from->moved && l->next <= from->steady)
		begin_anew(r, from);
	else if (l->moved != from->moved || l->first != from->first)
		leave_before(r, from, moved ? from->steady : from->first);
	l->first = from->first;
}

/* Extends all open spans to `now`, and by a tick at least. */
static void reach_now(struct reading *r, int64_t now)
{
	struct span_list *l = r->l;

	if (!is_inside(l))
		return;
	newest_interval(l)->end = now > l->last ? now : l->last + (l->last < INT64_MAX);
	newest_interval(l)->open = open_at(r->s, l->current);
	for (uint32_t i = 0; i < newest_interval(l)->open; i++)
		span_row_end(&l->rows[i], newest_interval(l)->end);
}

static void free_empty_rows(struct spans *s, struct span_list *l)
{
	while (l->depth && !l->rows[l->depth - 1].count)
		free_rows(s, l, l->depth - 1);
}

/* Reads transitions with numbers below `end`, up to a node that the profile does not have yet. False: out of
 * memory. */
static bool read_up_to(struct reading *r, const struct transition_list *from, uint64_t end)
{
	struct span_list *l = r->l;

	for (; l->next < end; l->next++) {
		const struct transition *n = &from->at[l->next - from->first];

		if (n->node >= r->p->node_count)
			break;
		if (!take_transition(r, n))
			return false;
		l->last = n->tick;
	}
	return true;
}

/* Where transitions moved */

/* The intervals of `front` come before those of the list. */
static bool put_intervals_before(struct span_list *l, const struct span_list *front)
{
	uint32_t count = front->known_count + l->known_count, capacity = count + count / 2 + 8;
	struct span_interval *known = reallocarray(NULL, capacity, sizeof(*known));

	if (!known)
		return false;
	for (uint32_t i = 0; i < count; i++)
		known[i] = i < front->known_count ? front->known[i] : l->known[i - front->known_count];
	free(l->known_room);
	l->known_room = l->known = known;
	l->known_count = count;
	l->known_capacity = capacity;
	return true;
}

/* False: out of memory, or one ends where a thread begins that was alone at its first tick. */
static bool put_before(struct span_list *l, struct span_list *front)
{
	if (front->known_count && l->known_count && l->known->alone && newest_interval(front)->end == l->known->begin)
		return false;
	if (!reserve_rows(l, front->depth))
		return false;
	for (uint32_t i = 0; i < front->depth; i++)
		if (!span_row_put_before(&l->rows[i], &front->rows[i]))
			return false;
	return put_intervals_before(l, front);
}

/* Reads moved transitions again, as a list of their own, and puts them before those that stayed. False:
 * they are to be read with all others. */
static bool read_moved(struct reading *r, const struct transition_list *from)
{
	struct span_list *l = r->l, front = { .first = from->first, .next = from->first, .since = INT64_MIN };
	bool done;

	r->l = &front;
	done = from->first >= from->steady || (read_up_to(r, from, from->steady) && front.next == from->steady);
	if (done)
		end_interval(r);
	r->l = l;
	done = done && put_before(l, &front);
	clear_list(r->s, &front, from);
	l->moved = from->moved;
	return done;
}

static bool read_list(struct reading *r, const struct transition_list *from, int64_t now)
{
	if (r->l->moved != from->moved && !read_moved(r, from))
		begin_anew(r, from);
	if (!read_up_to(r, from, from->first + from->count)) {
		clear_list(r->s, r->l, from);
		return false;
	}
	reach_now(r, now);
	free_empty_rows(r->s, r->l);
	return true;
}

static bool update_lists(struct spans *s, const struct transitions *t)
{
	if (!array_reserve(&s->lists, &s->capacity, t->count, sizeof(*s->lists)))
		return false;
	for (uint32_t i = 0; i < t->count; i++) {
		if (i == s->count)
			s->lists[s->count++] = (struct span_list){ .id = t->lists[i].id + 1 };
		if (s->lists[i].id != t->lists[i].id)
			clear_list(s, &s->lists[i], &t->lists[i]);
	}
	return true;
}

bool spans_update(struct spans *s, const struct profile *p, const struct transitions *t, int64_t now)
{
	struct reading r = { .s = s, .p = p, .most = t->total + SPANS_INFERRED };
	bool done = update_levels(s, p) && update_lists(s, t), missing = false;

	for (uint32_t i = 0; done && i < s->count; i++) {
		r.l = &s->lists[i];
		leave_out(&r, &t->lists[i]);
	}
	for (uint32_t i = 0; done && i < s->count; i++) {
		r.l = &s->lists[i];
		missing |= !read_list(&r, &t->lists[i], now);
	}
	return done && !missing;
}

/* Questions */

static int by_thread(const void *a, const void *b, void *lists)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct span_list *of = lists;

	if (of[i].thread != of[k].thread)
		return of[i].thread < of[k].thread ? -1 : 1;
	return i < k ? -1 : i > k;
}

uint32_t *spans_by_thread(const struct spans *s)
{
	uint32_t *order = reallocarray(NULL, s->count + 1ull, sizeof(*order));

	for (uint32_t i = 0; order && i < s->count; i++)
		order[i] = i;
	if (order)
		qsort_r(order, s->count, sizeof(*order), by_thread, s->lists);
	return order;
}

struct box_row spans_row(const struct span_list *l, uint32_t depth)
{
	const struct span_row *r = depth < l->depth ? &l->rows[depth] : &(const struct span_row){ 0 };

	return (struct box_row){ r->begin, r->end, r->sums, r->count };
}

/* The thread was not there before this interval, or behind the last one. */
static bool is_away_before(const struct span_list *l, uint32_t interval)
{
	return interval ? l->known[interval - 1].ended : l->known_count && l->known->born;
}

enum spans_knowledge spans_stretch(const struct span_list *l, int64_t tick, int64_t *begin, int64_t *end)
{
	uint32_t next = SEARCH(i, 0, l->known_count, l->known[i].end <= tick);

	*begin = next ? l->known[next - 1].end : INT64_MIN;
	*end = next < l->known_count ? l->known[next].begin : INT64_MAX;
	if (next < l->known_count && *end <= tick) {
		*begin = l->known[next].begin;
		*end = l->known[next].end;
		return SPANS_KNOWN;
	}
	if (!is_away_before(l, next))
		return SPANS_UNKNOWN;
	return next ? SPANS_ENDED : SPANS_UNBORN;
}

enum spans_knowledge spans_knows(const struct span_list *l, int64_t tick)
{
	int64_t begin, end;

	return spans_stretch(l, tick, &begin, &end);
}

int64_t spans_until(const struct span_list *l, int64_t now)
{
	const struct span_interval *newest = l && l->known_count ? &l->known[l->known_count - 1] : NULL;

	return newest && newest->goes_on && newest->end > now ? newest->end : now;
}

int64_t spans_until_all(const struct spans *s, const struct profile *p, uint32_t threads, int64_t now)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (profile_selects(p, threads, s->lists[i].thread))
			now = spans_until(&s->lists[i], now);
	return now;
}

bool spans_gap(const struct span_list *l, int64_t from, int64_t to)
{
	uint32_t i = SEARCH(k, 0, l->known_count, l->known[k].end <= from);

	for (; i < l->known_count && l->known[i].begin < to; i++) {
		if (l->known[i].begin > from && !is_away_before(l, i))
			return true;
		if (l->known[i].end >= to)
			return false;
		if (!l->known[i].ended)
			return true;
		from = l->known[i].end;
	}
	return from < to && !is_away_before(l, i);
}

unsigned spans_flags(const struct span_list *l, uint32_t depth, uint32_t span)
{
	struct box_row row = spans_row(l, depth);
	uint32_t i = SEARCH(i, 0, l->known_count, l->known[i].end < row.end[span]);
	const struct span_interval *known = &l->known[i];
	bool is_last = span + 1 == row.count || row.end[span + 1] > known->end;
	unsigned flags = l->rows[depth].marks[span];

	if (depth < known->entered && row.begin[span] == known->begin)
		flags = (flags & ~(unsigned)SPAN_RESUMED) | SPAN_CUT_BEGIN;
	if (depth < known->open && row.end[span] == known->end && is_last)
		flags |= known->goes_on ? SPAN_RUNNING : known->ended ? SPAN_LEFT_OPEN : SPAN_CUT_END;
	return flags;
}

uint32_t spans_parent(const struct span_list *l, uint32_t depth, uint32_t span)
{
	struct box_row row = spans_row(l, depth), above = spans_row(l, depth - 1);
	uint32_t i = SEARCH(i, 0, above.count, above.end[i] < row.end[span]);

	return i < above.count && above.begin[i] <= row.begin[span] ? i : UINT32_MAX;
}

uint32_t spans_first_child(const struct span_list *l, uint32_t depth, uint32_t span)
{
	struct box_row row = spans_row(l, depth), below = spans_row(l, depth + 1);
	uint32_t i = box_row_from(&below, row.begin[span]);

	return i < below.count && below.end[i] <= row.end[span] ? i : UINT32_MAX;
}

int64_t spans_covered(const struct span_list *l, uint32_t depth, int64_t from, int64_t to)
{
	struct box_row row = spans_row(l, depth);

	return box_row_covered(&row, from, to);
}

static int64_t length_in(const struct box_row *row, uint32_t i, int64_t from, int64_t to)
{
	return (row->end[i] < to ? row->end[i] : to) - (row->begin[i] > from ? row->begin[i] : from);
}

/* Ticks of [from, to) that are known. */
static int64_t known_of(const struct span_list *l, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (uint32_t i = SEARCH(i, 0, l->known_count, l->known[i].end <= from); i < l->known_count && l->known[i].begin < to; i++)
		sum += (l->known[i].end < to ? l->known[i].end : to) - (l->known[i].begin > from ? l->known[i].begin : from);
	return sum;
}

static void add_row(struct values *v, const struct span_list *l, uint32_t depth, int64_t from, int64_t to)
{
	struct box_row row = spans_row(l, depth);
	uint32_t behind = box_row_from(&row, to);

	for (uint32_t i = box_row_first(&row, from); i < behind; i++) {
		uint32_t node = l->rows[depth].node[i];
		int64_t length = length_in(&row, i, from, to), begin = row.begin[i] > from ? row.begin[i] : from;

		v->self[node] += length - spans_covered(l, depth + 1, begin, begin + length);
		unsigned flags = l->rows[depth].marks[i] ? spans_flags(l, depth, i) : 0;

		v->count[node] += !(flags & SPAN_RESUMED);
		if (length > v->longest[node] && !(flags & (SPAN_RESUMED | SPAN_SUSPENDED)))
			v->longest[node] = length;
	}
}

struct values *spans_values(const struct spans *s, const struct profile *p, int64_t from, int64_t to)
{
	struct values *v = values_new(p);

	for (uint32_t i = 0; v && i < s->count; i++) {
		const struct span_list *l = &s->lists[i];
		int64_t known = known_of(l, from, to);
		bool away = spans_knows(l, from) == SPANS_ENDED || spans_knows(l, to - 1) == SPANS_UNBORN;

		for (uint32_t depth = 0; depth < l->depth; depth++)
			add_row(v, l, depth, from, to);
		v->self[p->threads[l->thread].root] += known - spans_covered(l, 0, from, to);
		v->time[l->thread] += known;
		v->missing[l->thread] += known < to - from && !away && spans_knows(l, from) != SPANS_UNBORN &&
					 spans_knows(l, to - 1) != SPANS_ENDED;
		v->incomplete += v->missing[l->thread];
	}
	if (!v)
		return NULL;
	v->wall = v->elapsed = to - from;
	v->average = true;
	v->frames = 1;
	values_find_idle(v, p);
	return v;
}

/* SPDX-License-Identifier: MIT */
#include "model/boxes/sums.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"

#define WIDE 3 /* columns from which on a frame among narrow ones lies where it was */

__extension__ typedef __int128 wide;

/* Frames */

void sum_frames_fini(struct sum_frames *f)
{
	free(f->frames);
	free(f->hier);
	free(f->place);
	*f = (struct sum_frames){ 0 };
}

static int64_t column_begin(const struct sum_frames *f, uint32_t column)
{
	return f->from + (int64_t)((wide)(f->to - f->from) * column / f->columns);
}

static uint32_t column_of(const struct sum_frames *f, int64_t tick)
{
	wide column = tick <= f->from ? 0 : (wide)(tick - f->from) * f->columns / (f->to - f->from);

	return column < f->columns ? (uint32_t)column : f->columns - 1;
}

/* The longest frame of each column that it lies in. */
static void thin_frames(struct sum_frames *f, const struct profile *p, uint32_t first, uint32_t behind)
{
	for (uint32_t i = 0; i < f->columns; i++)
		f->frames[i] = PROFILE_NONE;
	for (uint32_t i = first; i < behind; i++) {
		uint32_t last = column_of(f, frame_end(&p->frames[i]) - 1);

		for (uint32_t x = column_of(f, p->frames[i].start); x <= last; x++)
			if (f->frames[x] == PROFILE_NONE || p->frames[f->frames[x]].length < p->frames[i].length)
				f->frames[x] = i;
	}
	f->count = f->columns;
}

bool sum_frames_pick(struct sum_frames *f, const struct profile *p, int64_t from, int64_t to, uint32_t columns)
{
	uint32_t first = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) <= from);
	uint32_t behind = SEARCH(i, first, p->frame_count, p->frames[i].start < to);

	f->from = from;
	f->to = to;
	f->columns = columns;
	f->thinned = behind - first > columns;
	f->count = 0;
	if (!array_reserve(&f->frames, &f->capacity, f->thinned ? columns : behind - first, sizeof(*f->frames)))
		return false;
	if (f->thinned)
		thin_frames(f, p, first, behind);
	for (uint32_t i = first; !f->thinned && i < behind; i++)
		f->frames[f->count++] = i;
	return true;
}

/* Boxes */

/* A stack of a part, while its boxes are made. */
struct stack {
	uint32_t node, level; /* 1: below the root */
	int64_t hier;
	int64_t above;        /* where the box of its caller begins, */
	int64_t begin;        /* and its own: ticks of the piece */
};

struct making {
	struct sums *s;
	const struct profile *p;
	const struct span_list *exact;
	uint32_t thread;
	int64_t *hier;            /* by node; 0 but for those of the part */
	uint32_t *place;          /* by node: index in `stacks` and 1; 0: it is none of them */
	struct stack *stacks;
	uint32_t count, capacity;
};

void sums_fini(struct sums *s)
{
	for (uint32_t i = 0; i < s->depth; i++)
		span_row_fini(&s->rows[i]);
	free(s->rows);
	free(s->pieces);
	*s = (struct sums){ 0 };
}

static const struct profile_held *part_of(const struct profile_frame *f, uint32_t thread, uint32_t *index)
{
	uint32_t i = SEARCH(i, 0, f->part_count, f->parts[i].thread < thread);

	*index = i;
	return i < f->part_count && f->parts[i].thread == thread ? &f->parts[i] : NULL;
}

/* Times of a part of which no single calls are known: the longest of them, and the sum of all. */
struct unknown {
	int64_t begin, end, sum;
};

static void add_unknown(struct unknown *u, int64_t begin, int64_t end)
{
	if (end <= begin)
		return;
	u->sum += end - begin;
	if (end - begin > u->end - u->begin) {
		u->begin = begin;
		u->end = end;
	}
}

static struct unknown find_unknown(const struct span_list *l, const struct profile_held *part)
{
	uint32_t i = l ? SEARCH(i, 0, l->known_count, l->known[i].end <= part->bound) : 0;
	const struct span_interval *last = l && l->known_count ? &l->known[l->known_count - 1] : NULL;
	int64_t at = last && l->known->born && l->known->begin > part->bound ? l->known->begin : part->bound;
	int64_t behind = last && last->ended && last->end < part->end ? last->end : part->end; /* it was not there */
	struct unknown u = { 0 };

	for (; i < (l ? l->known_count : 0) && l->known[i].begin < behind; i++) {
		add_unknown(&u, at, l->known[i].begin);
		at = l->known[i].end > at ? l->known[i].end : at;
	}
	add_unknown(&u, at, behind);
	return u;
}

/* Adds to a node, and to all around it. */
static bool add_self(struct making *m, uint32_t node, int64_t self)
{
	for (; node != PROFILE_NONE; node = m->p->nodes[node].parent) {
		if (!m->place[node]) {
			if (!array_reserve(&m->stacks, &m->capacity, (uint64_t)m->count + 1, sizeof(*m->stacks)))
				return false;
			m->stacks[m->count] = (struct stack){ .node = node };
			m->place[node] = ++m->count;
		}
		m->hier[node] += self;
	}
	return true;
}

/* Ticks of a row's span that lie in [from, to), but for those of the spans inside of it. */
static bool take_off(struct making *m, int64_t from, int64_t to)
{
	for (uint32_t depth = 0; m->exact && depth < m->exact->depth; depth++) {
		struct box_row row = spans_row(m->exact, depth);

		for (uint32_t i = SEARCH(i, 0, row.count, row.end[i] <= from); i < row.count && row.begin[i] < to; i++) {
			int64_t begin = row.begin[i] > from ? row.begin[i] : from, end = row.end[i] < to ? row.end[i] : to;

			if (!add_self(m, m->exact->rows[depth].node[i], -(end - begin - spans_covered(m->exact, depth + 1, begin, end))))
				return false;
		}
	}
	return true;
}

static int by_level(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;

	return x->level != y->level ? (x->level < y->level ? -1 : 1) : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;

	if (x->above != y->above)
		return x->above < y->above ? -1 : 1;
	if (x->hier != y->hier)
		return x->hier > y->hier ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void find_levels(struct making *m)
{
	for (uint32_t i = 0; i < m->count; i++) {
		struct stack *s = &m->stacks[i];

		s->hier = m->hier[s->node];
		for (uint32_t node = m->p->nodes[s->node].parent; node != PROFILE_NONE; node = m->p->nodes[node].parent)
			s->level++;
	}
	qsort(m->stacks, m->count, sizeof(*m->stacks), by_level);
	for (uint32_t i = 0; i < m->count; i++)
		m->place[m->stacks[i].node] = i + 1;
}

/* Boxes of one level, below those that are placed. What was taken off may leave a caller less than what it calls. */
static void place_level(struct making *m, uint32_t first, uint32_t behind)
{
	int64_t at = 0;

	for (uint32_t i = first; i < behind; i++)
		m->stacks[i].above = m->stacks[m->place[m->p->nodes[m->stacks[i].node].parent] - 1].begin;
	qsort(m->stacks + first, behind - first, sizeof(*m->stacks), by_place);
	for (uint32_t i = first; i < behind; i++) {
		struct stack *s = &m->stacks[i];
		const struct stack *caller;

		m->place[s->node] = i + 1;
		caller = &m->stacks[m->place[m->p->nodes[s->node].parent] - 1];
		at = at > s->above ? at : s->above;
		if (s->hier > caller->begin + caller->hier - at)
			s->hier = caller->begin + caller->hier - at;
		s->begin = at;
		at += s->hier > 0 ? s->hier : 0;
	}
}

static bool put_box(struct making *m, const struct stack *s, int64_t begin, int64_t end)
{
	uint32_t depth = s->level - 1;

	if (end <= begin || depth >= SPANS_DEPTH)
		return true;
	if (!array_reserve(&m->s->rows, &m->s->row_capacity, (uint64_t)depth + 1, sizeof(*m->s->rows)))
		return false;
	for (; m->s->depth <= depth; m->s->depth++)
		m->s->rows[m->s->depth] = (struct span_row){ 0 };
	if (!span_row_push(&m->s->rows[depth], s->node, begin))
		return false;
	span_row_end(&m->s->rows[depth], end);
	return true;
}

/* The boxes of `length` ticks into the piece. */
static bool put_boxes(struct making *m, const struct sum_piece *piece, int64_t length)
{
	int64_t room = piece->end - piece->begin;
	uint32_t first = 0, behind;

	find_levels(m);
	for (; first < m->count; first = behind) {
		for (behind = first + 1; behind < m->count && m->stacks[behind].level == m->stacks[first].level;)
			behind++;
		if (!m->stacks[first].level) { /* the root */
			m->stacks[first].hier = length;
			continue;
		}
		place_level(m, first, behind);
		for (uint32_t i = first; i < behind; i++) {
			const struct stack *s = &m->stacks[i];
			wide begin = s->begin, end = s->begin + (s->hier > 0 ? s->hier : 0);

			if (!put_box(m, s, piece->begin + (int64_t)(begin * room / length),
				     piece->begin + (int64_t)(end * room / length)))
				return false;
		}
	}
	return true;
}

/* The part's boxes where they lie, if that is in [from, to); else, or if that is wanted, scaled to all of it. */
static bool add_part(struct making *m, uint32_t frame, int64_t from, int64_t to, bool scaled)
{
	struct sum_piece piece = { .frame = frame };
	const struct profile_held *part = part_of(&m->p->frames[frame], m->thread, &piece.part);
	struct sums *s = m->s;
	int64_t last = s->count ? s->pieces[s->count - 1].end : INT64_MIN;
	struct unknown u;
	bool done = true;

	if (!part || part->flags & (PART_MISSING | PART_LAPPED | PART_DISCARDED) || part->end <= part->bound)
		return true;
	u = find_unknown(m->exact, part);
	if (!u.sum)
		return true;
	piece.whole = u.begin == part->bound && u.end == part->end;
	piece.scaled = scaled || u.begin < from || u.end > to;
	piece.begin = piece.scaled ? from : u.begin;
	piece.end = piece.scaled ? to : u.end;
	piece.scaled |= u.sum > u.end - u.begin;
	if (piece.begin < last || piece.end <= piece.begin)
		return true; /* a part that says again what another one said, or that overlaps */
	m->count = 0;
	for (uint32_t i = 0; done && i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		done = cell.node >= m->p->node_count || add_self(m, cell.node, cell.self);
	}
	if (!piece.whole)
		done = done && take_off(m, part->bound, part->end);
	done = done && array_reserve(&s->pieces, &s->capacity, (uint64_t)s->count + 1, sizeof(*s->pieces)) &&
	       put_boxes(m, &piece, u.sum);
	if (done)
		s->pieces[s->count++] = piece;
	for (uint32_t i = 0; i < m->count; i++)
		m->hier[m->stacks[i].node] = m->place[m->stacks[i].node] = 0;
	return done;
}

static bool add_columns(struct making *m, const struct sum_frames *f)
{
	uint32_t behind;

	for (uint32_t x = 0; x < f->count; x = behind) {
		int64_t from = column_begin(f, x), to;

		for (behind = x + 1; behind < f->count && f->frames[behind] == f->frames[x];)
			behind++;
		to = column_begin(f, behind);
		if (f->frames[x] == PROFILE_NONE || (m->exact && spans_knows(m->exact, from + (to - from) / 2) == SPANS_KNOWN))
			continue;
		if (!add_part(m, f->frames[x], from, to, behind - x < WIDE))
			return false;
	}
	return true;
}

/* All of it is 0 from one filling to the next. */
static bool node_room(struct sum_frames *f, const struct profile *p)
{
	if (f->node_room >= p->node_count)
		return true;
	free(f->hier);
	free(f->place);
	f->hier = array_zeroed(p->node_count, sizeof(*f->hier));
	f->place = array_zeroed(p->node_count, sizeof(*f->place));
	f->node_room = f->hier && f->place ? p->node_count : 0;
	return f->node_room;
}

bool sums_fill(struct sums *s, const struct profile *p, uint32_t thread, const struct span_list *exact,
	       struct sum_frames *f)
{
	struct making m = { .s = s, .p = p, .exact = exact, .thread = thread };
	bool done;

	sums_fini(s);
	if (thread >= p->thread_count || profile_thread_is_several(&p->threads[thread]) || !f->count)
		return true;
	done = node_room(f, p);
	m.hier = f->hier;
	m.place = f->place;
	if (done && f->thinned)
		done = add_columns(&m, f);
	for (uint32_t i = 0; done && !f->thinned && i < f->count; i++)
		done = add_part(&m, f->frames[i], INT64_MIN, INT64_MAX, false);
	free(m.stacks);
	if (!done)
		sums_fini(s);
	return done;
}

/* Questions */

struct box_row sums_row(const struct sums *s, uint32_t depth)
{
	const struct span_row *r = depth < s->depth ? &s->rows[depth] : &(const struct span_row){ 0 };

	return (struct box_row){ r->begin, r->end, r->sums, r->count };
}

const struct sum_piece *sums_piece(const struct sums *s, int64_t tick)
{
	uint32_t i = SEARCH(i, 0, s->count, s->pieces[i].end <= tick);

	return i < s->count && s->pieces[i].begin <= tick ? &s->pieces[i] : NULL;
}

struct sum_of_node sums_of_node(const struct profile *p, const struct profile_held *part, uint32_t node)
{
	struct sum_of_node sum = { 0 };

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		uint32_t at = cell.node;

		while (at < p->node_count && at != node)
			at = p->nodes[at].parent;
		if (at != node)
			continue;
		sum.hier += cell.self;
		if (cell.node == node) {
			sum.self += cell.self;
			sum.count += cell.count;
		}
	}
	return sum;
}

/* Values */

/* Adds the pieces of a thread that lie in [from, to) as a whole. If a slice is known by single calls in part,
 * the entries in the rest of it are not known: such a slice stays missing. */
static void add_pieces(struct values *v, const struct profile *p, const struct sums *sums, int64_t from, int64_t to)
{
	for (uint32_t i = 0; i < sums->count; i++) {
		const struct sum_piece *piece = &sums->pieces[i];
		const struct profile_held *part = &p->frames[piece->frame].parts[piece->part];

		if (!piece->whole || piece->begin < from || piece->end > to)
			continue;
		for (uint32_t k = 0; k < part->cell_count; k++) {
			struct profile_cell cell = profile_cell(part, k);

			if (cell.node >= v->node_count)
				continue;
			v->self[cell.node] += cell.self;
			v->count[cell.node] += cell.count;
			v->longest[cell.node] = cell.longest > v->longest[cell.node] ? cell.longest : v->longest[cell.node];
		}
		v->time[part->thread] += piece->end - piece->begin;
		if (v->time[part->thread] == to - from && v->missing[part->thread]) {
			v->incomplete -= v->missing[part->thread];
			v->missing[part->thread] = 0;
		}
	}
}

struct values *sums_values(const struct spans *s, const struct profile *p, int64_t from, int64_t to)
{
	struct spans none = { 0 };
	struct values *v = spans_values(s ? s : &none, p, from, to);
	struct sum_frames frames = { 0 };
	struct sums sums = { 0 };
	uint32_t *order = spans_by_thread(s ? s : &none), at = 0;
	bool done = v && order && sum_frames_pick(&frames, p, from, to, UINT32_MAX);

	for (uint32_t thread = 0; done && thread < p->thread_count; thread++) {
		const struct span_list *list = NULL;

		for (; s && at < s->count && s->lists[order[at]].thread == thread; at++)
			list = &s->lists[order[at]];
		done = sums_fill(&sums, p, thread, list, &frames);
		if (done)
			add_pieces(v, p, &sums, from, to);
	}
	sums_fini(&sums);
	sum_frames_fini(&frames);
	free(order);
	if (v)
		values_find_idle(v, p);
	if (done)
		return v;
	values_free(v);
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#define WINDOWS_SEARCHED 256 /* of a long recording, at a time: some seconds */

#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"

/* Where a call begins: the order of a search is that of time, then of lanes and rows. */
struct place {
	int64_t begin;
	uint32_t lane, depth;
};

struct search {
	struct timeline *t;
	const struct look *look;
	bool *found;     /* by zone */
	bool any_length; /* else as long as is searched for */
	int step;    /* 1: forth, -1: back */
};

/* Is this call before (back: behind) that one? */
static bool is_before(const struct search *s, const struct place *a, const struct place *b)
{
	if (a->begin != b->begin)
		return (a->begin < b->begin) == (s->step > 0);
	if (a->lane != b->lane)
		return (a->lane < b->lane) == (s->step > 0);
	return a->depth != b->depth && (a->depth < b->depth) == (s->step > 0);
}

static bool matches(const struct search *s, const struct lane_row *row, uint32_t box)
{
	const struct profile *p = s->look->profile;

	return s->found[p->nodes[row->nodes[box]].zone] &&
	       (s->any_length || look_finds_length(s->look, row->row.end[box] - row->row.begin[box]));
}

/* The first call of a row that lies beside the place, and is one that is searched for. */
static bool find_in_row(const struct search *s, const struct place *from, struct place *at, bool here)
{
	struct lane_row row = timeline_row(&s->t->lanes[at->lane], at->depth, false);
	uint32_t i = box_row_from(&row.row, from->begin);

	i = s->step < 0 && (i >= row.row.count || row.row.begin[i] > from->begin) ? i - 1 : i;
	for (; i < row.row.count; i += (uint32_t)s->step) {
		at->begin = row.row.begin[i];
		if (matches(s, &row, i) && (here || is_before(s, from, at)))
			return true;
	}
	return false;
}

static bool find_place(const struct search *s, const struct place *from, struct place *best, bool here)
{
	struct place at;
	bool any = false;

	for (at.lane = 0; at.lane < s->t->lane_count; at.lane++) {
		const struct span_list *l = s->t->lanes[at.lane].list;

		for (at.depth = 0; l && at.depth < l->depth; at.depth++)
			if (find_in_row(s, from, &at, here) && (!any || is_before(s, &at, best))) {
				*best = at;
				any = true;
			}
	}
	return any;
}

static void go_to_place(struct timeline *t, const struct place *at)
{
	if (at->depth)
		timeline_unfold(t, at->lane);
	t->lane = t->lanes[at->lane].id;
	t->depth = at->depth;
	t->begin = at->begin;
	t->of_sums = false;
	t->has_cursor = true;
	timeline_follow(t);
}

static struct place place_of_cursor(const struct timeline *t)
{
	return (struct place){ t->begin, timeline_lane(t, t->lane), t->depth };
}

/* What was read of a long recording. */
static struct transition_stretch read_of(const struct timeline *t)
{
	int64_t taken;
	uint64_t run;
	const struct transitions *all = singles_all(t->of, &taken, &run);

	if (!all || !all->elsewhere)
		return (struct transition_stretch){ 0, 0 };
	return all->read.begin < all->read.end ? all->read : (struct transition_stretch){ all->since, INT64_MAX };
}

/* Those that come next in time, as many as may be held, take the place of what was read. False: there are none. */
static bool bring_next(struct timeline *t, const struct look *look, int step)
{
	struct transition_stretch before = read_of(t), now;
	int64_t begin = look->profile->first_tick, end = look->profile->now_tick, width, from, to;
	char why[64];

	if (before.begin == before.end || (step > 0 ? before.end >= end : before.begin <= begin))
		return false;
	for (width = before.end - before.begin; width > 0; width /= 2) {
		from = step > 0 ? before.end : before.begin > begin + width ? before.begin - width : begin;
		to = step < 0 ? before.begin : before.end < end - width ? before.end + width : end + 1;
		if (!singles_want(look->singles, from, to) || !timeline_read(t, look, why, sizeof(why)))
			return false;
		now = read_of(t);
		if (step > 0 ? now.begin <= from : now.end >= to)
			return true;
	}
	return false;
}

/* As find_place, and in a long recording beyond what is read of it. */
static bool find_far(struct search *s, const struct place *from, struct place *best, bool here)
{
	bool any = find_place(s, from, best, here);

	for (int windows = 0; !any && windows < WINDOWS_SEARCHED && bring_next(s->t, s->look, s->step); windows++)
		any = find_place(s, from, best, false);
	return any;
}

/* The cursor's own call, or the innermost one around it that is searched for. */
static bool find_around(const struct search *s, const struct place *from, struct place *best)
{
	*best = *from;
	for (uint32_t depth = from->depth + 1; depth-- > 0;) {
		struct lane_row row = timeline_row(&s->t->lanes[from->lane], depth, false);
		uint32_t box = box_row_at(&row.row, from->begin);

		if (box == UINT32_MAX || !matches(s, &row, box))
			continue;
		best->begin = row.row.begin[box];
		best->depth = depth;
		return true;
	}
	return false;
}

static bool find_in_sight(const struct search *s, struct place *best)
{
	const struct window *window = &s->t->window;
	struct place at;
	bool any = false;

	for (at.lane = 0; at.lane < s->t->lane_count; at.lane++) {
		const struct span_list *l = s->t->lanes[at.lane].list;

		for (at.depth = 0; l && at.depth < l->depth; at.depth++) {
			struct lane_row row = timeline_row(&s->t->lanes[at.lane], at.depth, false);
			uint32_t i = SEARCH(i, 0, row.row.count, row.row.end[i] <= window->from);

			while (i < row.row.count && row.row.begin[i] < window->to && !matches(s, &row, i))
				i++;
			if (i >= row.row.count || (at.begin = row.row.begin[i]) >= window->to)
				continue;
			if (!any || is_before(s, &at, best))
				*best = at;
			any = true;
		}
	}
	return any;
}

/* A search that begins stays at the cursor, and in sight, if it can: who looks at a frame means a call of this frame, also
 * where the cursor's call began before it. */
static bool find_first(struct search *s, const struct place *from, bool seen, struct place *best)
{
	struct place edge = { s->t->window.from, 0, 0 };

	if (seen && !s->t->of_sums && find_around(s, from, best))
		return true;
	if (seen && find_place(s, from->begin < edge.begin ? &edge : from, best, true) && best->begin < s->t->window.to)
		return true;
	if (find_in_sight(s, best) || find_place(s, from, best, true))
		return true;
	s->step = -s->step; /* it is not further on: then before */
	return find_place(s, from, best, false);
}

bool timeline_find(struct timeline *t, const struct look *look, const struct pattern *pattern, int step, bool here)
{
	const struct profile *p = look->profile;
	struct search s = { .t = t, .look = look, .step = step };
	bool seen = timeline_in_sight(t);
	struct place from = { t->window.from, 0, 0 }, best = { 0 };
	bool any;

	if (!p || !t->lane_count || !(s.found = array_zeroed(p->zone_count, sizeof(*s.found))))
		return false;
	timeline_search(t, p, pattern);
	for (uint32_t i = 0; i < p->zone_count; i++)
		s.found[i] = timeline_finds(t, pattern, p->zones[i].name);
	if (seen)
		from = place_of_cursor(t);
	any = here ? find_first(&s, &from, seen, &best) : find_far(&s, &from, &best, !seen);
	free(s.found);
	if (any)
		go_to_place(t, &best);
	return any;
}

bool timeline_same(struct timeline *t, const struct look *look, int step)
{
	const struct profile *p = look->profile;
	struct search s = { .t = t, .look = look, .any_length = true, .step = step };
	struct place from, best = { 0 };
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	bool any;

	if (box == UINT32_MAX || !(s.found = array_zeroed(p->zone_count, sizeof(*s.found))))
		return false;
	s.found[p->nodes[row.nodes[box]].zone] = true;
	from = place_of_cursor(t);
	any = find_place(&s, &from, &best, false);
	free(s.found);
	if (any)
		go_to_place(t, &best);
	return any;
}

bool timeline_go_longest(struct timeline *t, const struct look *look, uint32_t key, int64_t from, int64_t to)
{
	const struct keys *keys = query_keys(look->query);
	struct lane_row best = { 0 };
	uint32_t box = UINT32_MAX;
	int64_t longest = -1;

	for (uint32_t lane = 0; lane < t->lane_count; lane++)
		for (uint32_t depth = 0; t->lanes[lane].list && depth < t->lanes[lane].list->depth; depth++) {
			struct lane_row row = timeline_row(&t->lanes[lane], depth, false);

			for (uint32_t i = box_row_from(&row.row, from) ? box_row_from(&row.row, from) - 1 : 0;
			     i < row.row.count && row.row.begin[i] < to; i++) {
				int64_t length = row.row.end[i] - row.row.begin[i];

				if (row.row.end[i] <= from || length <= longest || row.nodes[i] >= keys->node_count ||
				    keys->of_node[row.nodes[i]] != key)
					continue;
				best = row;
				box = i;
				longest = length;
			}
		}
	timeline_go(t, &best, box);
	if (box != UINT32_MAX)
		timeline_follow(t);
	return box != UINT32_MAX;
}

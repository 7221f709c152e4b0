/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"
#include "tui/widgets/boxes.h"

/* Moves the window so that the cursor's box is in sight. */
static void timeline_follow(struct timeline *t)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);

	if (box == UINT32_MAX)
		return;
	if (row.row.end[box] <= t->window.from || row.row.begin[box] >= t->window.to)
		timeline_look_at(t, row.row.begin[box] - timeline_width(t) / 2, timeline_width(t));
}

void timeline_stands(struct timeline *t, bool back)
{
	if (!back) {
		t->stood.lane = t->lane;
		t->stood.depth = t->depth;
		t->stood.begin = t->begin;
		t->stood.of_sums = t->of_sums;
		t->stood.has_cursor = t->has_cursor;
		t->stood.window = t->window;
		return;
	}
	t->lane = t->stood.lane;
	t->depth = t->stood.depth;
	t->begin = t->stood.begin;
	t->of_sums = t->stood.of_sums;
	t->has_cursor = t->stood.has_cursor;
	t->window = t->stood.window;
}

/* The box of a row around a tick; else the next one, if it begins before `to`; else the one before. */
static uint32_t box_near(const struct box_row *row, int64_t tick, int64_t to)
{
	uint32_t box = box_row_at(row, tick);

	if (box == UINT32_MAX)
		box = box_row_from(row, tick);
	return box < row->count && row->begin[box] < to ? box : row->count ? row->count - 1 : UINT32_MAX;
}

static bool is_in_sight(const struct timeline *t, const struct box_row *row, uint32_t box)
{
	return box < row->count && row->begin[box] < t->window.to && row->end[box] > t->window.from;
}

/* To row 0 of a lane, near a tick: single calls before sums. */
static bool go_to_lane(struct timeline *t, const struct profile *p, uint32_t lane, int64_t tick)
{
	for (int of_sums = 0; of_sums < 2; of_sums++) {
		struct lane_row row;
		uint32_t box;

		timeline_fill(t, p, &t->lanes[lane]);
		row = timeline_row(&t->lanes[lane], 0, of_sums);
		box = box_near(&row.row, tick, t->window.to);
		if (is_in_sight(t, &row.row, box)) {
			timeline_go(t, &row, box);
			return true;
		}
	}
	return false;
}

bool timeline_begin(struct timeline *t, const struct profile *p)
{
	int64_t middle = t->window.from + timeline_width(t) / 2;

	for (uint32_t lane = t->top; lane < t->lane_count; lane++)
		if (go_to_lane(t, p, lane, middle))
			return true;
	return false;
}

/* The box next to the cursor in sight, of its own kind or of the other one, whichever is nearer. */
static bool step_beside(struct timeline *t, const struct lane_row *row, uint32_t box, int step)
{
	struct boxes b = { .row = &row->row, .from = t->window.from, .to = t->window.to, .chosen = box };
	struct lane_row other = timeline_row(row->lane, row->depth, !row->of_sums);
	uint32_t next = boxes_beside(&b, t->drawn.width, step), i;
	int64_t at = row->row.begin[box];

	i = box_row_from(&other.row, step > 0 ? at + 1 : at);
	i = step > 0 ? i : i - 1;
	if (is_in_sight(t, &other.row, i) &&
	    (next == UINT32_MAX || (step > 0 ? other.row.begin[i] < row->row.begin[next] : other.row.begin[i] > row->row.begin[next]))) {
		timeline_go(t, &other, i);
		return true;
	}
	if (next == UINT32_MAX)
		return false;
	timeline_go(t, row, next);
	return true;
}

/* Out of sight: the next box of the kind; of sums there are none there yet, so the window moves first. */
void timeline_beside(struct timeline *t, const struct profile *p, int step)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row), lane;

	if (box == UINT32_MAX || step_beside(t, &row, box, step))
		return;
	if (!row.of_sums && (step > 0 ? box + 1 < row.row.count : box > 0)) {
		timeline_go(t, &row, box + (uint32_t)step);
		timeline_follow(t);
		return;
	}
	lane = timeline_lane(t, t->lane);
	timeline_look_at(t, t->window.from + step * (timeline_width(t) / 2), timeline_width(t));
	timeline_fill(t, p, &t->lanes[lane]);
	for (int of_sums = 0; of_sums < 2; of_sums++) {
		struct lane_row next = timeline_row(&t->lanes[lane], t->depth, of_sums);
		uint32_t i = box_row_from(&next.row, step > 0 ? t->begin + 1 : t->begin);

		i = step > 0 ? i : i - 1;
		if (is_in_sight(t, &next.row, i)) {
			timeline_go(t, &next, i);
			return;
		}
	}
}

/* The box around the cursor's, on the row above. */
static uint32_t box_around(const struct lane_row *row, uint32_t box, const struct lane_row *above)
{
	uint32_t i = row->depth ? box_row_at(&above->row, row->row.begin[box]) : UINT32_MAX;

	if (row->depth && !row->of_sums)
		i = spans_parent(row->lane->list, row->depth, box);
	return i;
}

static uint32_t box_inside(const struct lane_row *row, uint32_t box, const struct lane_row *below)
{
	uint32_t i;

	if (!row->of_sums)
		return spans_first_child(row->lane->list, row->depth, box);
	i = box_row_from(&below->row, row->row.begin[box]);
	return i < below->row.count && below->row.end[i] <= row->row.end[box] ? i : UINT32_MAX;
}

void timeline_up_down(struct timeline *t, const struct profile *p, int step)
{
	struct lane_row row, next;
	uint32_t box = timeline_box(t, &row), lane, i = UINT32_MAX;
	int64_t tick;
	bool folded = row.lane && row.lane->folded;

	if (box == UINT32_MAX)
		return;
	if (step < 0 ? row.depth > 0 : !folded) {
		next = timeline_row(row.lane, row.depth + (uint32_t)step, row.of_sums);
		i = step < 0 ? box_around(&row, box, &next) : box_inside(&row, box, &next);
		timeline_go(t, &next, i);
	}
	if (i == UINT32_MAX && (step > 0 || !row.depth)) {
		/* to the next lane in which something is in sight */
		tick = row.row.begin[box] > t->window.from ? row.row.begin[box] : t->window.from;
		for (lane = timeline_lane(t, t->lane) + (uint32_t)step; lane < t->lane_count; lane += (uint32_t)step)
			if (go_to_lane(t, p, lane, tick))
				break;
	}
	timeline_follow(t);
}

bool timeline_longest_inside(struct timeline *t)
{
	struct lane_row row, below;
	uint32_t box = timeline_box(t, &row), longest, i;

	if (box == UINT32_MAX)
		return false;
	below = timeline_row(row.lane, row.depth + 1, row.of_sums);
	i = longest = box_inside(&row, box, &below);
	for (; i < below.row.count && below.row.end[i] <= row.row.end[box]; i++)
		if (below.row.end[i] - below.row.begin[i] > below.row.end[longest] - below.row.begin[longest])
			longest = i;
	if (longest == UINT32_MAX)
		return false;
	timeline_unfold(t, timeline_lane(t, t->lane));
	timeline_go(t, &below, longest);
	timeline_follow(t);
	return true;
}

/* The box of the cursor, of a sum all of the part of a frame that it is of; without one, all that is in sight. */
static struct window cursor_window(const struct timeline *t)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	const struct sum_piece *piece = box != UINT32_MAX && row.of_sums ? sums_piece(&row.lane->sums, row.row.begin[box]) : NULL;

	if (piece)
		return (struct window){ piece->begin, piece->end };
	if (box == UINT32_MAX || row.row.end[box] <= row.row.begin[box])
		return t->window;
	return (struct window){ row.row.begin[box], row.row.end[box] };
}

void timeline_measure(struct timeline *t)
{
	t->anchor = t->measured = t->measured.to ? (struct window){ 0 } : cursor_window(t);
}

void timeline_measure_on(struct timeline *t)
{
	struct window at = cursor_window(t);

	if (!t->measured.to || (at.from == t->window.from && at.to == t->window.to))
		return;
	t->measured.from = at.from < t->anchor.from ? at.from : t->anchor.from;
	t->measured.to = at.to > t->anchor.to ? at.to : t->anchor.to;
}

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

static bool box_matches(const struct search *s, const struct lane_row *row, uint32_t box)
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
		if (box_matches(s, &row, i) && (here || is_before(s, from, at)))
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

/* The stretch that was read of a long recording. */
static struct transition_stretch read_of(const struct timeline *t)
{
	int64_t taken;
	uint64_t run;
	const struct transitions *all = singles_all(t->of, &taken, &run);

	if (!all || !all->elsewhere)
		return (struct transition_stretch){ 0, 0 };
	return all->read.begin < all->read.end ? all->read : (struct transition_stretch){ all->since, INT64_MAX };
}

/* Reads the next calls in time, as many as may be held, in place of those that were read. False: there are none. */
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

		if (box == UINT32_MAX || !box_matches(s, &row, box))
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

			while (i < row.row.count && row.row.begin[i] < window->to && !box_matches(s, &row, i))
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

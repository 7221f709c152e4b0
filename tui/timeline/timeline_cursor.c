/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include "tui/widgets/boxes.h"

void timeline_follow(struct timeline *t)
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
static struct window here(const struct timeline *t)
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
	t->anchor = t->measured = t->measured.to ? (struct window){ 0 } : here(t);
}

void timeline_measure_on(struct timeline *t)
{
	struct window at = here(t);

	if (!t->measured.to || (at.from == t->window.from && at.to == t->window.to))
		return;
	t->measured.from = at.from < t->anchor.from ? at.from : t->anchor.from;
	t->measured.to = at.to > t->anchor.to ? at.to : t->anchor.to;
}

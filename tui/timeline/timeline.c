/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <stdlib.h>

#include "model/base/array.h"

void timeline_forget_lanes(struct timeline *t)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		sums_fini(&t->lanes[i].sums);
	free(t->lanes);
	t->lanes = NULL;
	t->lane_count = 0;
}

void timeline_forget(struct timeline *t)
{
	timeline_forget_lanes(t);
	spans_free(t->spans);
	t->spans = NULL;
}

void timeline_fini(struct timeline *t)
{
	timeline_forget(t);
	sum_frames_fini(&t->frames);
	free(t->folded);
	free(t->usual);
	free(t->lines);
}

/* Rows */

void timeline_fill(struct timeline *t, const struct profile *p, struct lane *lane)
{
	uint32_t columns = t->drawn.width > 0 ? (uint32_t)t->drawn.width : 1;

	if (!t->filled || t->frames.from != t->window.from || t->frames.to != t->window.to || t->frames.columns != columns) {
		if (!sum_frames_pick(&t->frames, p, t->window.from, t->window.to, columns))
			return;
		t->filled = true;
		for (uint32_t i = 0; i < t->lane_count; i++)
			t->lanes[i].filled = false;
	}
	if (!lane->filled)
		lane->filled = sums_fill(&lane->sums, p, lane->thread, lane->list, &t->frames);
}

struct lane_row timeline_row(const struct lane *lane, uint32_t depth, bool of_sums)
{
	struct lane_row row = { .lane = lane, .depth = depth, .of_sums = of_sums };

	if (of_sums && depth < lane->sums.depth) {
		row.row = sums_row(&lane->sums, depth);
		row.nodes = lane->sums.rows[depth].node;
	} else if (!of_sums && lane->list && depth < lane->list->depth) {
		row.row = spans_row(lane->list, depth);
		row.nodes = lane->list->rows[depth].node;
	}
	return row;
}

uint32_t timeline_rows(struct timeline *t, const struct profile *p, uint32_t lane)
{
	struct lane *l = &t->lanes[lane];
	uint32_t rows = 0;

	if (l->folded)
		return 1;
	timeline_fill(t, p, l);
	while (l->list && rows < l->list->depth && spans_covered(l->list, rows, t->window.from, t->window.to))
		rows++;
	rows = l->sums.depth > rows ? l->sums.depth : rows;
	return rows ? rows : 1;
}

enum spans_knowledge timeline_knows(const struct lane *lane, int64_t tick)
{
	enum spans_knowledge known = lane->list ? spans_knows(lane->list, tick) : SPANS_UNKNOWN;

	return known == SPANS_UNKNOWN && sums_piece(&lane->sums, tick) ? SPANS_KNOWN : known;
}

uint32_t timeline_lane(const struct timeline *t, uint64_t id)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		if (t->lanes[i].id == id)
			return i;
	return PROFILE_NONE;
}

/* The cursor */

uint32_t timeline_box(const struct timeline *t, struct lane_row *row)
{
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : PROFILE_NONE, i;

	*row = (struct lane_row){ 0 };
	if (lane == PROFILE_NONE)
		return UINT32_MAX;
	*row = timeline_row(&t->lanes[lane], t->depth, t->of_sums);
	i = box_row_from(&row->row, t->begin);
	return i < row->row.count && row->row.begin[i] == t->begin ? i : UINT32_MAX;
}

bool timeline_in_sight(const struct timeline *t)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);

	return box != UINT32_MAX && row.row.begin[box] < t->window.to && row.row.end[box] >= t->window.from;
}

void timeline_go(struct timeline *t, const struct lane_row *row, uint32_t box)
{
	if (box >= row->row.count)
		return;
	t->lane = row->lane->id;
	t->depth = row->depth;
	t->begin = row->row.begin[box];
	t->of_sums = row->of_sums;
	t->has_cursor = true;
}

/* Folding */

static void fold(struct timeline *t, struct lane *lane, bool folded)
{
	uint32_t i = 0;

	lane->folded = folded;
	while (i < t->folded_count && t->folded[i] != lane->id)
		i++;
	if (folded && i == t->folded_count &&
	    array_reserve(&t->folded, &t->folded_capacity, (uint64_t)i + 1, sizeof(*t->folded)))
		t->folded[t->folded_count++] = lane->id;
	if (!folded && i < t->folded_count)
		t->folded[i] = t->folded[--t->folded_count];
}

/* In a lane that is folded nothing else is in sight. */
static void cursor_to_the_outermost(struct timeline *t)
{
	struct lane_row row, outermost;
	uint32_t box = timeline_box(t, &row);

	if (box == UINT32_MAX || !row.lane->folded || !row.depth)
		return;
	outermost = timeline_row(row.lane, 0, row.of_sums);
	timeline_go(t, &outermost, box_row_at(&outermost.row, row.row.begin[box]));
}

void timeline_fold(struct timeline *t)
{
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : t->top;

	if (lane < t->lane_count)
		fold(t, &t->lanes[lane], !t->lanes[lane].folded);
	cursor_to_the_outermost(t);
}

void timeline_fold_all(struct timeline *t)
{
	bool open = false;

	for (uint32_t i = 0; i < t->lane_count; i++)
		open |= !t->lanes[i].folded;
	for (uint32_t i = 0; i < t->lane_count; i++)
		fold(t, &t->lanes[i], open);
	cursor_to_the_outermost(t);
}

void timeline_unfold(struct timeline *t, uint32_t lane)
{
	fold(t, &t->lanes[lane], false);
}

void timeline_search(struct timeline *t, const struct profile *p, const struct pattern *pattern)
{
	struct pattern whole;

	t->finds_whole = false;
	if (!pattern || !pattern->part || pattern->is_regex)
		return;
	whole = pattern_whole(pattern);
	for (uint32_t i = 0; i < p->zone_count && !t->finds_whole; i++)
		t->finds_whole = pattern_matches(&whole, p->zones[i].name);
}

bool timeline_finds(const struct timeline *t, const struct pattern *pattern, const char *name)
{
	struct pattern whole;

	if (!t->finds_whole)
		return pattern_matches(pattern, name);
	whole = pattern_whole(pattern);
	return pattern_matches(&whole, name);
}

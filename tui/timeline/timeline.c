/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

static void forget_lanes(struct timeline *t)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		sums_fini(&t->lanes[i].sums);
	free(t->lanes);
	t->lanes = NULL;
	t->lane_count = 0;
}

static void forget(struct timeline *t)
{
	forget_lanes(t);
	spans_free(t->spans);
	t->spans = NULL;
}

void timeline_fini(struct timeline *t)
{
	forget(t);
	sum_frames_fini(&t->frames);
	free(t->folded);
	free(t->lines);
}

static bool is_folded(const struct timeline *t, uint64_t id)
{
	for (uint32_t i = 0; i < t->folded_count; i++)
		if (t->folded[i] == id)
			return true;
	return false;
}

static void add_lane(struct timeline *t, const struct profile *p, uint32_t thread, const struct span_list *list)
{
	struct lane *lane = &t->lanes[t->lane_count++];

	*lane = (struct lane){ .id = list ? list->id : p->threads[thread].id, .thread_id = p->threads[thread].id,
			       .thread = thread, .list = list };
	lane->folded = is_folded(t, lane->id);
}

/* Threads of which single calls are known first, those before all others that mark frames; then those of which frames
 * have something. Each in the order in which they came. */
static bool make_lanes(struct timeline *t, const struct profile *p)
{
	uint32_t lists = t->spans ? t->spans->count : 0;
	bool *has_list = array_zeroed(p->thread_count, sizeof(*has_list));

	forget_lanes(t);
	t->lanes = array_zeroed((uint64_t)lists + p->thread_count, sizeof(*t->lanes));
	for (int marking = 1; has_list && t->lanes && marking >= 0; marking--)
		for (uint32_t i = 0; i < lists; i++) {
			const struct span_list *l = &t->spans->lists[i];

			if (l->thread >= p->thread_count || p->threads[l->thread].marking != marking || !l->known_count)
				continue;
			add_lane(t, p, l->thread, l);
			has_list[l->thread] = true;
		}
	for (uint32_t i = 0; has_list && t->lanes && i < p->thread_count; i++)
		if (!has_list[i] && p->threads[i].state == THREAD_LIVE && !profile_thread_is_several(&p->threads[i]) &&
		    p->frame_count)
			add_lane(t, p, i, NULL);
	free(has_list);
	return has_list && t->lanes;
}

static bool read_spans(struct timeline *t, const struct look *look)
{
	const struct transitions *all;
	int64_t read = 0;
	uint64_t run = 0;

	all = look->singles ? singles_all(look->singles, &read, &run) : NULL;
	if (!all || run != t->run)
		forget(t);
	t->run = run;
	t->read = all ? read : look->profile->now_tick;
	if (!all)
		return true;
	if (!t->spans)
		t->spans = spans_new();
	return t->spans && spans_update(t->spans, look->profile, all, read);
}

static void find_ends(struct timeline *t, const struct profile *p)
{
	t->since = t->lane_count && t->lanes[0].list ? t->lanes[0].list->known[0].begin : INT64_MAX;
	if (p->frame_count && t->read < frame_end(&p->frames[p->frame_count - 1]))
		t->read = frame_end(&p->frames[p->frame_count - 1]);
	t->oldest = p->frame_count ? p->frames[0].start : t->read;
	for (uint32_t i = 0; i < t->lane_count; i++) {
		const struct span_list *l = t->lanes[i].list;

		if (l && l->known[0].begin < t->oldest)
			t->oldest = l->known[0].begin;
	}
}

bool timeline_read(struct timeline *t, const struct look *look, char *why, size_t size)
{
	t->filled = false;
	if (!look->profile || !read_spans(t, look) || !make_lanes(t, look->profile)) {
		forget(t);
		snprintf(why, size, look->profile ? "out of memory" : "no single calls are known");
		return false;
	}
	find_ends(t, look->profile);
	if (!t->lane_count) {
		forget(t);
		snprintf(why, size, "no single calls are known");
		return false;
	}
	*why = '\0';
	return true;
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

void timeline_fold(struct timeline *t)
{
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : t->top;

	if (lane < t->lane_count)
		fold(t, &t->lanes[lane], !t->lanes[lane].folded);
}

void timeline_fold_all(struct timeline *t)
{
	bool open = false;

	for (uint32_t i = 0; i < t->lane_count; i++)
		open |= !t->lanes[i].folded;
	for (uint32_t i = 0; i < t->lane_count; i++)
		fold(t, &t->lanes[i], open);
}

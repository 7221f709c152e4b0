/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <stdlib.h>

#include "model/base/search.h"
#include "model/base/text.h"
#include "tui/cells/fields.h"

static void add_zone(struct fields *f, const struct profile *p, uint32_t node, enum role role, uint8_t importance,
		     const char *before, bool ascii)
{
	char *name = name_safe(p->zones[p->nodes[node].zone].name, ascii);

	fields_add(f, role, importance, "%s%s", before, name ? name : "?");
	free(name);
}

static void add_time(struct fields *f, const struct look *look, uint8_t importance, const char *what, int64_t ticks)
{
	fields_add(f, ROLE_NUMBER, importance, "%s%s", what, timeline_time(look, ticks).text);
}

static void add_place(struct fields *f, const struct timeline *t, const struct look *look, int64_t tick)
{
	int64_t zero = timeline_zero(t, look);

	fields_add(f, ROLE_LABEL, 7, "at %s%s", tick < zero ? look->ascii ? "-" : "−" : "+",
		   timeline_time(look, tick < zero ? zero - tick : tick - zero).text);
}

/* Adds the calls of a zone that are in sight in a row, and those of them that stand before the cursor's in time. */
static void count_calls(const struct timeline *t, const struct profile *p, const struct lane_row *row, uint32_t zone, uint32_t *count,
			uint32_t *before)
{
	uint32_t behind = box_row_from(&row->row, t->window.to);

	for (uint32_t i = SEARCH(i, 0, row->row.count, row->row.end[i] <= t->window.from); i < behind; i++)
		if (p->nodes[row->nodes[i]].zone == zone) {
			++*count;
			*before += row->row.begin[i] < t->begin;
		}
}

/* `4 of 10 in sight`: calls of the zone, in the order of time. */
static void add_rank(struct fields *f, const struct timeline *t, const struct look *look, const struct lane_row *row, uint32_t box)
{
	uint32_t count = 0, before = 0, zone = look->profile->nodes[row->nodes[box]].zone;

	for (uint32_t lane = 0; lane < t->lane_count; lane++)
		for (uint32_t depth = 0; t->lanes[lane].list && depth < t->lanes[lane].list->depth; depth++) {
			struct lane_row at = timeline_row(&t->lanes[lane], depth, false);

			count_calls(t, look->profile, &at, zone, &count, &before);
		}
	if (count > 1)
		fields_add(f, ROLE_LABEL, 5, "%s of %s in sight", figure_grouped(before + UINT64_C(1)).text,
			   figure_grouped(count).text);
}

static void add_call(struct fields *f, const struct timeline *t, const struct look *look, const struct lane_row *row, uint32_t box)
{
	int64_t begin = row->row.begin[box], end = row->row.end[box];
	unsigned flags = spans_flags(row->lane->list, row->depth, box);

	add_time(f, look, 9, flags ? "at least " : "", end - begin);
	add_time(f, look, 8, "self ", end - begin - spans_covered(row->lane->list, row->depth + 1, begin, end));
	add_place(f, t, look, begin);
	add_rank(f, t, look, row, box);
	if (flags & SPAN_RUNNING)
		fields_add(f, ROLE_STATE, 6, "still open");
	if (flags & SPAN_CUT_BEGIN)
		fields_add(f, ROLE_DIM, 6, "it began before what is known");
	if (flags & SPAN_CUT_END)
		fields_add(f, ROLE_DIM, 6, "its end is not known");
}

static void add_sum(struct fields *f, const struct look *look, const struct lane_row *row, uint32_t box)
{
	const struct sum_piece *piece = sums_piece(&row->lane->sums, row->row.begin[box]);
	const struct profile_frame *frame;
	struct sum_of_node sum;

	if (!piece || piece->frame >= look->profile->frame_count)
		return;
	frame = &look->profile->frames[piece->frame];
	sum = sums_of_node(look->profile, &frame->parts[piece->part], row->nodes[box]);
	add_time(f, look, 9, "", sum.hier);
	add_time(f, look, 8, "self ", sum.self);
	fields_add(f, ROLE_NUMBER, 7, "%s call%s", figure_grouped((uint64_t)(sum.count > 0 ? sum.count : 0)).text,
		   sum.count == 1 ? "" : "s");
	fields_add(f, ROLE_LABEL, 6, "sum of frame %s%s", figure_grouped(frame->number).text,
		   piece->scaled ? ", the longest here" : "");
}

static void draw_callers(const struct profile *p, uint32_t node, const struct look *look, struct canvas *c, struct area a)
{
	struct fields callers = { .gap = 1 };

	for (node = p->nodes[node].parent; node != PROFILE_NONE && p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent)
		if (callers.count < FIELDS_MAX - 1)
			add_zone(&callers, p, node, ROLE_DIM, (uint8_t)(FIELDS_MAX - callers.count), look->ascii ? "< " : "‹ ",
				 look->ascii);
	fields_draw(&callers, c, a, 0);
}

void timeline_draw_detail(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	struct fields f = { .gap = 2 };

	if (!timeline_in_sight(t)) {
		canvas_text(c, a, 0, 0, ROLE_DIM, "an arrow goes to a box");
		return;
	}
	add_zone(&f, look->profile, row.nodes[box], ROLE_NAME, 0, "", look->ascii);
	if (row.of_sums)
		add_sum(&f, look, &row, box);
	else
		add_call(&f, t, look, &row, box);
	fields_draw(&f, c, a, 0);
	a.y++;
	a.height--;
	if (a.height > 0)
		draw_callers(look->profile, row.nodes[box], look, c, a);
}

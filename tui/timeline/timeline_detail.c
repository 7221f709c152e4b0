/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <stdlib.h>

#include "model/base/array.h"
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

	fields_add(f, ROLE_LABEL, 7, "at %s%s", tick < zero ? canvas_minus(look->ascii) : "+",
		   timeline_time(look, tick < zero ? zero - tick : tick - zero).text);
}

/* Calls that are like the cursor's, and those of them that stand before it in time: of its zone, on the lines that are in
 * sight; or, while something is searched for, all that is found. */
struct rank {
	const struct timeline *t;
	const struct look *look;
	int64_t from, to, at;
	bool *zones; /* of which they are */
	uint32_t count, before;
};

static bool is_like(const struct rank *r, const struct lane_row *row, uint32_t i)
{
	return r->zones[r->look->profile->nodes[row->nodes[i]].zone] &&
	       (!r->look->search || look_finds_length(r->look, row->row.end[i] - row->row.begin[i]));
}

/* Once for all of their calls, of which there may be a million. */
static bool find_zones(struct rank *r, uint32_t zone)
{
	const struct profile *p = r->look->profile;

	r->zones = array_zeroed(p->zone_count, sizeof(*r->zones));
	for (uint32_t i = 0; r->zones && i < p->zone_count; i++)
		r->zones[i] = r->look->search ? timeline_finds(r->t, r->look->search, p->zones[i].name) : i == zone;
	return r->zones;
}

static void count_calls(struct rank *r, const struct lane_row *row)
{
	for (uint32_t i = SEARCH(i, 0, row->row.count, row->row.end[i] <= r->from); i < row->row.count && row->row.begin[i] < r->to; i++)
		if (is_like(r, row, i)) {
			r->count++;
			r->before += row->row.begin[i] < r->at;
		}
}

static void count_in_sight(struct rank *r)
{
	const struct timeline *t = r->t;

	for (int y = 0; y < t->drawn.height && t->lines[y].lane != PROFILE_NONE; y++) {
		struct lane_row at = timeline_row(&t->lanes[t->lines[y].lane], t->lines[y].depth, false);

		count_calls(r, &at);
	}
}

static void count_all(struct rank *r)
{
	r->from = INT64_MIN;
	r->to = INT64_MAX;
	for (uint32_t lane = 0; lane < r->t->lane_count; lane++)
		for (uint32_t depth = 0; r->t->lanes[lane].list && depth < r->t->lanes[lane].list->depth; depth++) {
			struct lane_row at = timeline_row(&r->t->lanes[lane], depth, false);

			count_calls(r, &at);
		}
}

/* `4 of 10 in sight`, `4 of 74 found`; where sums stand for some of them, `4 of 10 known in sight`. */
static void add_rank(struct fields *f, const struct timeline *t, const struct look *look, const struct lane_row *row, uint32_t box)
{
	struct rank r = { t, look, t->window.from, t->window.to, t->begin, NULL, 0, 0 };
	bool known = !spans_gap(row->lane->list, t->window.from, t->window.to);

	if (!find_zones(&r, look->profile->nodes[row->nodes[box]].zone) || !is_like(&r, row, box)) {
		free(r.zones);
		return;
	}
	if (look->search)
		count_all(&r);
	else
		count_in_sight(&r);
	free(r.zones);
	if (r.count > 1 || look->search)
		fields_add(f, ROLE_LABEL, 5, "%s of %s %s", figure_grouped(r.before + UINT64_C(1)).text,
			   figure_grouped(r.count).text, look->search ? "found" : known ? "visible" : "known, "
			    "visible");
}

static void add_call(struct fields *f, const struct timeline *t, const struct look *look, const struct lane_row *row, uint32_t box)
{
	int64_t begin = row->row.begin[box], end = row->row.end[box];
	unsigned flags = spans_flags(row->lane->list, row->depth, box);

	add_time(f, look, 9, flags ? "at least " : "", end - begin);
	add_time(f, look, 8, "self ", end - begin - spans_covered(row->lane->list, row->depth + 1, begin, end));
	if (timeline_usual(t, look->profile, row->nodes[box]))
		add_time(f, look, 8, "usual ", timeline_usual(t, look->profile, row->nodes[box]));
	add_place(f, t, look, begin);
	add_rank(f, t, look, row, box);
	if (flags & (SPAN_RESUMED | SPAN_SUSPENDED))
		fields_add(f, ROLE_STATE, 8, "%s%s%s", flags & SPAN_RESUMED ? "resumed" : "",
			   flags & SPAN_RESUMED && flags & SPAN_SUSPENDED ? ", " : "",
			   flags & SPAN_SUSPENDED ? "suspended" : "");
	if (flags & SPAN_RUNNING)
		fields_add(f, ROLE_STATE, 6, "still open");
	if (flags & SPAN_CUT_BEGIN)
		fields_add(f, ROLE_DIM, 6, "its begin is not known");
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
		canvas_text(c, a, 0, 0, ROLE_DIM, "Arrow keys select a call");
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

/* SPDX-License-Identifier: MIT */
#include "io/export/export_timeline.h"

#include "io/json_members.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The intervals in which all that the thread did is known. */
static void put_known(struct json *j, const struct timeline_lane *lane)
{
	const struct span_list *l = lane->list;

	json_array(j, "known");
	for (uint32_t i = 0; i < l->known_count; i++) {
		const struct span_interval *known = &l->known[i];

		if (known->begin >= lane->to || (known->end <= lane->from && known->begin < lane->from))
			continue;
		json_object(j, NULL);
		json_integer(j, "begin", later(known->begin, lane->from));
		json_integer(j, "end", earlier(known->end, lane->to));
		if (known->born && known->begin >= lane->from)
			json_bool(j, "born", true);
		if (known->ended && known->end <= lane->to)
			json_bool(j, "ended", true);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_flags(struct json *j, unsigned flags)
{
	if (flags & SPAN_CUT_BEGIN)
		json_bool(j, "cut_begin", true);
	if (flags & SPAN_CUT_END)
		json_bool(j, "cut_end", true);
	if (flags & SPAN_RUNNING)
		json_bool(j, "running", true);
	if (flags & SPAN_RESUMED)
		json_bool(j, "resumed", true);
	if (flags & SPAN_SUSPENDED)
		json_bool(j, "suspended", true);
}

static void put_span(struct json *j, const struct profile *p, const struct timeline_lane *lane, uint32_t depth, uint32_t i)
{
	struct box_row row = spans_row(lane->list, depth);
	int64_t from = later(row.begin[i], lane->from), to = earlier(row.end[i], lane->to);

	json_line(j);
	json_object(j, NULL);
	json_integer(j, "node", lane->list->rows[depth].node[i]);
	json_integer(j, "depth", depth);
	json_integer(j, "begin", row.begin[i]);
	json_integer(j, "end", row.end[i]);
	json_ticks(j, p, "self", to - from - spans_covered(lane->list, depth + 1, from, to), 1);
	put_flags(j, spans_flags(lane->list, depth, i));
	json_object_end(j);
}

static void put_lane(struct json *j, const struct profile *p, const struct timeline_lane *lane)
{
	const struct profile_thread *thread = &p->threads[lane->thread];
	const struct span_list *l = lane->list;
	bool is_last = l->known_count && l->known[l->known_count - 1].end <= lane->to; /* those of no length at its end, too */

	json_object(j, NULL);
	json_unsigned(j, "thread", thread->id);
	json_name(j, "name", thread->name);
	json_integer(j, "from", lane->from);
	json_integer(j, "to", lane->to);
	json_line(j);
	put_known(j, lane);
	json_array(j, "spans");
	for (uint32_t depth = 0; depth < l->depth; depth++) {
		struct box_row row = spans_row(l, depth);
		uint32_t behind = is_last ? row.count : box_row_from(&row, lane->to);

		for (uint32_t i = box_row_first(&row, lane->from); i < behind; i++)
			put_span(j, p, lane, depth, i);
	}
	json_array_end(j);
	json_object_end(j);
	json_line(j);
}

void json_timeline(struct json *j, const struct export *e)
{
	const struct timeline_report *r = e->timeline;

	json_object(j, "window");
	json_integer(j, "from", r->from);
	json_integer(j, "to", r->to);
	json_ticks(j, e->profile, "length", r->to - r->from, 1);
	json_object_end(j);
	json_line(j);
	json_array(j, "lanes");
	for (uint32_t i = 0; i < r->count; i++)
		if (r->known && r->lanes[i].single)
			put_lane(j, e->profile, &r->lanes[i]);
	json_array_end(j);
	json_line(j);
}

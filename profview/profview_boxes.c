/* SPDX-License-Identifier: MIT */
/*
 * profview_boxes: a row of boxes in the columns of a program's axis, as profview.h has it.
 *
 * What the columns show is said by box_row.h. Here each run of columns becomes a box with its exact place and times.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"
#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/report/columns.h"
#include "profview/profview_inside.h"

/* A row that can be asked for. */
struct profview_row {
	struct box_row row, below;    /* the boxes, and those of the next depth */
	unsigned depth;
	double ns;                    /* a unit of the axis */
	uint32_t first;               /* flame graph: the number of its first box in the flame */
	const struct span_list *list; /* timeline */
	/* Box `index`: all that is not its place, columns and time. */
	void (*describe)(Prof_view *v, const struct profview_row *row, uint32_t index, struct Prof_view_box *out);
	/* The box between two others, from column x of a run that has none; at least one column wide. NULL:
	 * there is none. */
	void (*between)(const struct profview_row *row, const struct Prof_view_axis *axis, const struct box_run *run,
			unsigned x, struct Prof_view_box *out);
};

static_assert(Prof_view_HUES == BOX_HUES, "as many colours as the model has");

static void set_ns(const struct profview_row *row, struct Prof_view_box *out)
{
	out->ns = (double)out->hier * row->ns;
	out->self_ns = (double)out->self * row->ns;
}

static struct Prof_view_box box_at(const struct profview_row *row, uint32_t index)
{
	return (struct Prof_view_box){ .kind = Prof_view_BOX, .depth = row->depth, .index = index, .count = 1, .covered = 1,
				       .begin = row->row.begin[index], .end = row->row.end[index], .name = "", .file = "" };
}

static void fill_box(Prof_view *v, const struct profview_row *row, uint32_t index, struct Prof_view_box *out)
{
	*out = box_at(row, index);
	out->hier = out->end - out->begin;
	out->self = out->hier - box_row_covered(&row->below, out->begin, out->end);
	row->describe(v, row, index, out);
	set_ns(row, out);
}

static void fill_merged(Prof_view *v, const struct profview_row *row, const struct box_run *run,
			struct Prof_view_box *out)
{
	*out = box_at(row, run->box);
	row->describe(v, row, run->box, out);
	out->kind = Prof_view_BOX_MERGED;
	out->count = run->count;
	out->end = row->row.end[run->box + run->count - 1];
	out->covered = run->covered;
	out->hier = run->ticks;
	out->self = out->hier - box_row_covered(&row->below, run->from, run->to);
	set_ns(row, out);
}

static void fill_between(const struct profview_row *row, const struct Prof_view_axis *axis, const struct box_run *run,
			 unsigned x, struct Prof_view_box *out)
{
	*out = (struct Prof_view_box){ .depth = row->depth, .covered = 1, .x = x, .width = 1, .name = "", .file = "" };
	row->between(row, axis, run, x, out);
	set_ns(row, out);
}

/* The box that column x of a run begins, or of one box the run. False: it is nothing. */
static bool fill_run(Prof_view *v, const struct profview_row *row, const struct Prof_view_axis *axis,
		     const struct box_run *run, unsigned x, struct Prof_view_box *out)
{
	if (run->kind == BOX_NONE) {
		if (row->between)
			fill_between(row, axis, run, x, out);
		return row->between;
	}
	if (run->kind == BOX_ONE)
		fill_box(v, row, run->box, out);
	else
		fill_merged(v, row, run, out);
	out->x = run->x;
	out->width = run->cells;
	if (row->list && !row->depth && spans_gap(row->list, run->from, run->to))
		out->flags |= Prof_view_LOST;
	return true;
}

static bool is_axis(const struct Prof_view_axis *axis)
{
	return axis->columns && axis->to > axis->from &&
	       (uint64_t)axis->to - (uint64_t)axis->from <= INT64_MAX;
}

/* The runs of a row, which are the view's until the next row; how many. */
static uint32_t runs_of(Prof_view *v, const struct profview_row *row, const struct Prof_view_axis *axis)
{
	if (!is_axis(axis)) {
		profview_say(v, Prof_view_NOTHING, "the axis has no length or no columns, so there are no boxes");
		return 0;
	}
	if (!array_reserve(&v->runs, &v->run_capacity, axis->columns, sizeof(*v->runs))) {
		profview_say(v, Prof_view_NO_MEMORY, NULL);
		return 0;
	}
	return box_row_runs(&row->row, axis->from, axis->to, axis->columns, v->runs);
}

static unsigned profview_row_boxes(Prof_view *v, const struct profview_row *row, const struct Prof_view_axis *axis,
			    struct Prof_view_box *out)
{
	uint32_t runs = runs_of(v, row, axis);
	unsigned count = 0;

	for (uint32_t i = 0; i < runs; i++) {
		const struct box_run *run = &v->runs[i];

		for (unsigned x = run->x; x < run->x + run->cells && fill_run(v, row, axis, run, x, &out[count]); count++)
			x = out[count].x + out[count].width;
	}
	return count;
}

static int profview_row_at(Prof_view *v, const struct profview_row *row, const struct Prof_view_axis *axis, unsigned x,
		    struct Prof_view_box *out)
{
	uint32_t runs = x < axis->columns ? runs_of(v, row, axis) : 0, i = 0;

	while (i < runs && x - v->runs[i].x >= v->runs[i].cells)
		i++;
	if (i == runs)
		return 0;
	for (unsigned at = v->runs[i].x;; at = out->x + out->width) {
		if (!fill_run(v, row, axis, &v->runs[i], at, out))
			return 0;
		if (x < out->x + out->width)
			return 1;
	}
}

static int profview_row_box(Prof_view *v, const struct profview_row *row, unsigned index, struct Prof_view_box *out)
{
	if (index >= row->row.count)
		return 0;
	fill_box(v, row, index, out);
	return 1;
}

/* Whether something of a row is to be seen. */
static bool profview_row_seen(const struct box_row *row, const struct Prof_view_axis *axis)
{
	struct box_run run;

	return is_axis(axis) && box_row_runs(row, axis->from, axis->to, 1, &run) && run.kind != BOX_NONE;
}

/*
 * The tree of what is looked at as boxes, as profview.h has it. It is made when it is asked for, and goes
 * when something else is looked at.
 */

static const struct report_section *section_of(const Prof_view *v)
{
	return &v->flame.report->sections[0];
}

static enum Prof_view_result make_flame(Prof_view *v)
{
	enum Prof_view_result result = profview_tree(v, &v->flame.report);

	if (result == Prof_view_OK && !v->flame.report->section_count)
		return profview_say(v, Prof_view_NOTHING, "no rows");
	if (result == Prof_view_OK)
		v->flame.flame = flame_make(section_of(v), v->flame.without_waits);
	if (result == Prof_view_OK && !v->flame.flame)
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	return result;
}

static const struct flame *flame_of(Prof_view *v)
{
	if (!v->flame.made)
		v->flame.result = make_flame(v);
	v->flame.made = true;
	return v->flame.flame;
}

enum Prof_view_result Prof_view_flame(Prof_view *v, struct Prof_view_flame *out)
{
	const struct flame *flame = flame_of(v);

	memset(out, 0, sizeof(*out));
	if (!flame)
		return v->flame.result;
	out->whole = flame->whole;
	out->scale = v->flame.report->scale;
	out->boxes = flame->levels[flame->depth];
	for (out->depth = flame->depth; out->depth && flame->levels[out->depth - 1] == out->boxes;)
		out->depth--;
	return Prof_view_OK;
}

void Prof_view_set_flame_waits(Prof_view *v, int waits)
{
	if (v->flame.without_waits == !waits)
		return;
	v->flame.without_waits = !waits;
	profview_stale(v);
}

/* Rows */

static void describe_flame(Prof_view *v, const struct profview_row *row, uint32_t index, struct Prof_view_box *out)
{
	const struct report_section *s = section_of(v);
	uint32_t at = v->flame.flame->rows[row->first + index];
	const struct report_row *r = &s->rows[at];
	const struct profile_zone *zone = &profview_profile(v)->zones[r->zone];

	out->hier = r->values[COLUMN_HIER].exact; /* also where the box is without what waits in it */
	out->self = r->values[COLUMN_SELF].exact;
	out->flags = r->waiting ? Prof_view_WAITING : 0;
	out->id = r->id;
	out->hue = box_hue(r->name);
	out->name = profview_names_at(&v->flame.names, at, s->row_count, name_shown, r->name, v->ascii);
	out->file = zone->file;
	out->line = zone->line;
}

/* False: there is no such depth. */
static bool flame_row(Prof_view *v, unsigned depth, struct profview_row *out)
{
	const struct flame *flame = flame_of(v);

	if (!flame || depth >= flame->depth)
		return false;
	*out = (struct profview_row){ .row = flame_level(flame, depth), .depth = depth, .first = flame->levels[depth],
				      .describe = describe_flame };
	if (depth + 1 < flame->depth)
		out->below = flame_level(flame, depth + 1);
	out->ns = 1e9 / (double)v->flame.report->ticks_per_s / (double)v->flame.report->scale;
	return true;
}

int Prof_view_flame_box(Prof_view *v, unsigned depth, unsigned index, struct Prof_view_box *out)
{
	struct profview_row row;

	return flame_row(v, depth, &row) && profview_row_box(v, &row, index, out);
}

unsigned Prof_view_flame_row(Prof_view *v, unsigned depth, const struct Prof_view_axis *axis, struct Prof_view_box *out)
{
	struct profview_row row;

	return flame_row(v, depth, &row) ? profview_row_boxes(v, &row, axis, out) : 0;
}

int Prof_view_flame_at(Prof_view *v, unsigned depth, const struct Prof_view_axis *axis, unsigned x,
		       struct Prof_view_box *out)
{
	struct profview_row row;

	return flame_row(v, depth, &row) && profview_row_at(v, &row, axis, x, out);
}

/* Single calls on the axis of time, as profview.h has them: what is read of them, and lanes of threads. */

#define CALL_TRANSITIONS 2

/* Reading */

static void forget_spans(struct profview_calls *c)
{
	spans_free(c->spans);
	c->spans = NULL;
	c->lane_count = 0;
	c->ordered = c->old = false;
}

void profview_calls_forget(Prof_view *v)
{
	forget_spans(&v->calls);
	transitions_free(v->calls.transitions);
	v->calls.transitions = NULL;
}

void Prof_view_set_calls(Prof_view *v, unsigned most)
{
	uint64_t transitions = (uint64_t)most * CALL_TRANSITIONS;

	if (v->calls.most != transitions)
		profview_calls_forget(v);
	v->calls.most = transitions;
}

void profview_calls_anew(Prof_view *v)
{
	if (!v->paused)
		forget_spans(&v->calls);
	v->calls.old = v->paused && v->calls.spans;
	transitions_free(v->calls.transitions);
	v->calls.transitions = NULL;
}

static bool update_spans(Prof_view *v)
{
	struct profview_calls *c = &v->calls;

	if (!c->spans)
		c->spans = spans_new();
	c->now = v->source->profile->now_tick;
	c->ordered = false;
	return c->spans && spans_update(c->spans, v->source->profile, c->transitions, c->now);
}

bool profview_calls_read(Prof_view *v)
{
	struct profview_calls *c = &v->calls;

	if (!c->most)
		return true;
	if (!c->transitions)
		c->transitions = transitions_new(c->most);
	if (c->transitions && source_transitions(v->source, c->transitions) && (v->paused || update_spans(v)))
		return true;
	profview_calls_forget(v);
	return false;
}

void profview_calls_go_live(Prof_view *v)
{
	if (v->calls.old)
		forget_spans(&v->calls);
	if (v->calls.transitions && !update_spans(v))
		profview_calls_forget(v);
}

/* Lanes */

static bool is_looked_at(const Prof_view *v, const struct profile *p, const struct span_list *l)
{
	return l->known_count && l->thread < p->thread_count && profile_selects(p, v->look.threads, l->thread);
}

static void order_lanes(Prof_view *v, const struct profile *p)
{
	struct profview_calls *c = &v->calls;

	c->lane_count = 0;
	c->ordered = array_reserve(&c->lanes, &c->lane_capacity, c->spans->count, sizeof(*c->lanes));
	for (int marking = 1; c->ordered && marking >= 0; marking--)
		for (uint32_t i = 0; i < c->spans->count; i++) {
			const struct span_list *l = &c->spans->lists[i];

			if (is_looked_at(v, p, l) && p->threads[l->thread].marking == marking)
				c->lanes[c->lane_count++] = i;
		}
}

/* NULL: there are not so many. */
static const struct span_list *lane_of(Prof_view *v, unsigned lane)
{
	const struct profile *p = profview_profile(v);

	if (!v->calls.spans || !p)
		return NULL;
	if (!v->calls.ordered)
		order_lanes(v, p);
	return lane < v->calls.lane_count ? &v->calls.spans->lists[v->calls.lanes[lane]] : NULL;
}

enum Prof_view_result Prof_view_calls(Prof_view *v, struct Prof_view_calls *out)
{
	const struct span_list *l = lane_of(v, 0);

	memset(out, 0, sizeof(*out));
	if (!v->calls.spans)
		return profview_say(v, Prof_view_NOTHING, v->calls.most ? "single calls were not read yet"
								       : "single calls are not read: Prof_view_set_calls");
	if (!v->calls.ordered)
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	out->lanes = v->calls.lane_count;
	out->calls = v->calls.spans->held;
	out->now = out->since = v->calls.now;
	for (unsigned i = 0; (l = lane_of(v, i)); i++)
		if (l->known[0].begin < out->since)
			out->since = l->known[0].begin;
	return Prof_view_OK;
}

int Prof_view_lane(Prof_view *v, unsigned lane, struct Prof_view_lane *out)
{
	const struct span_list *l = lane_of(v, lane);
	const struct profile *p = profview_profile(v);

	if (!l)
		return 0;
	*out = (struct Prof_view_lane){ .id = l->id, .thread = p->threads[l->thread].id, .since = l->known[0].begin,
					.depth = l->depth };
	out->name = profview_names_at(&v->calls.threads, l->thread, p->thread_count, name_safe, p->threads[l->thread].name,
				      v->ascii);
	return 1;
}

/* Rows */

static uint64_t id_of(const Prof_view *v, uint32_t node)
{
	const struct keys *keys = query_keys(profview_query(v));

	return node < keys->node_count ? keys->id[keys->of_node[node]] : 0;
}

static unsigned flags_of(unsigned flags)
{
	return (flags & SPAN_CUT_BEGIN ? Prof_view_CUT_BEGIN : 0) | (flags & SPAN_CUT_END ? Prof_view_CUT_END : 0) |
	       (flags & SPAN_RUNNING ? Prof_view_RUNNING : 0) | (flags & SPAN_RESUMED ? Prof_view_RESUMED : 0) |
	       (flags & SPAN_SUSPENDED ? Prof_view_SUSPENDED : 0);
}

static void describe_call(Prof_view *v, const struct profview_row *row, uint32_t index, struct Prof_view_box *out)
{
	const struct profile *p = profview_profile(v);
	uint32_t node = row->list->rows[row->depth].node[index], zone = p->nodes[node].zone;

	out->flags = flags_of(spans_flags(row->list, row->depth, index)) |
		     (p->zones[zone].flags & ZONE_WAITING ? Prof_view_WAITING : 0);
	out->id = id_of(v, node);
	out->hue = box_hue(p->zones[zone].name);
	out->name = profview_names_at(&v->calls.zones, zone, p->zone_count, name_safe, p->zones[zone].name, v->ascii);
	out->file = p->zones[zone].file;
	out->line = p->zones[zone].line;
}

static int64_t middle_of(const struct Prof_view_axis *axis, unsigned x)
{
	int64_t begin = box_column_begin(axis->from, axis->to, axis->columns, x);

	return begin + (box_column_begin(axis->from, axis->to, axis->columns, x + 1) - begin) / 2;
}

static enum Prof_view_box_kind kind_of(enum spans_knowledge known)
{
	if (known == SPANS_KNOWN)
		return Prof_view_BOX_IDLE;
	return known == SPANS_UNKNOWN ? Prof_view_BOX_UNKNOWN : Prof_view_BOX_AWAY;
}

static int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The box of the time around the middle of column x in which the thread's state stays the same, up to the calls
 * beside it. It is drawn from column x on. */
static void between_calls(const struct profview_row *row, const struct Prof_view_axis *axis, const struct box_run *run,
		    unsigned x, struct Prof_view_box *out)
{
	int64_t begin, end, until = run->to;
	unsigned last;

	out->kind = kind_of(spans_stretch(row->list, middle_of(axis, x), &begin, &end));
	last = SEARCH(i, x + 1, run->x + run->cells, middle_of(axis, i) < end);
	out->width = last - x;
	if (last < run->x + run->cells)
		until = box_column_begin(axis->from, axis->to, axis->columns, last);
	if (spans_gap(row->list, box_column_begin(axis->from, axis->to, axis->columns, x), until) &&
	    out->kind != Prof_view_BOX_UNKNOWN)
		out->flags = Prof_view_LOST;
	if (run->box)
		begin = later_of(begin, row->row.end[run->box - 1]);
	if (run->box < row->row.count && row->row.begin[run->box] < end)
		end = row->row.begin[run->box];
	out->begin = later_of(begin, axis->from);
	out->end = end < axis->to ? end : axis->to;
	out->hier = out->self = out->end - out->begin;
}

/* False: there is no such lane or depth. */
static bool lane_row(Prof_view *v, unsigned lane, unsigned depth, struct profview_row *out)
{
	const struct span_list *l = lane_of(v, lane);

	if (!l || (depth && depth >= l->depth))
		return false;
	*out = (struct profview_row){ .row = spans_row(l, depth), .below = spans_row(l, depth + 1), .depth = depth,
				      .list = l, .describe = describe_call, .between = depth ? NULL : between_calls,
				      .ns = 1e9 / (double)profview_profile(v)->ticks_per_s };
	return true;
}

unsigned Prof_view_lane_rows(Prof_view *v, unsigned lane, const struct Prof_view_axis *axis)
{
	const struct span_list *l = lane_of(v, lane);
	unsigned rows = 0;

	for (; l && rows < l->depth; rows++) {
		struct box_row row = spans_row(l, rows);

		if (!profview_row_seen(&row, axis))
			break;
	}
	return rows;
}

int Prof_view_lane_call(Prof_view *v, unsigned lane, unsigned depth, unsigned index, struct Prof_view_box *out)
{
	struct profview_row row;

	return lane_row(v, lane, depth, &row) && profview_row_box(v, &row, index, out);
}

unsigned Prof_view_lane_row(Prof_view *v, unsigned lane, unsigned depth, const struct Prof_view_axis *axis,
			    struct Prof_view_box *out)
{
	struct profview_row row;

	return lane_row(v, lane, depth, &row) ? profview_row_boxes(v, &row, axis, out) : 0;
}

int Prof_view_lane_at(Prof_view *v, unsigned lane, unsigned depth, const struct Prof_view_axis *axis, unsigned x,
		      struct Prof_view_box *out)
{
	struct profview_row row;

	return lane_row(v, lane, depth, &row) && profview_row_at(v, &row, axis, x, out);
}

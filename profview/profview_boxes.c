/* SPDX-License-Identifier: MIT */
/*
 * profview_boxes: a row of boxes in the columns of a program's axis, as profview.h has it.
 *
 * What the columns show is said by box_row.h. Here each run of columns becomes a box with its exact place and times.
 */
#include "profview/profview_inside.h"

#include <assert.h>

#include "model/base/array.h"

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

unsigned profview_row_boxes(Prof_view *v, const struct profview_row *row, const struct Prof_view_axis *axis,
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

int profview_row_at(Prof_view *v, const struct profview_row *row, const struct Prof_view_axis *axis, unsigned x,
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

int profview_row_box(Prof_view *v, const struct profview_row *row, unsigned index, struct Prof_view_box *out)
{
	if (index >= row->row.count)
		return 0;
	fill_box(v, row, index, out);
	return 1;
}

bool profview_row_seen(const struct box_row *row, const struct Prof_view_axis *axis)
{
	struct box_run run;

	return is_axis(axis) && box_row_runs(row, axis->from, axis->to, 1, &run) && run.kind != BOX_NONE;
}

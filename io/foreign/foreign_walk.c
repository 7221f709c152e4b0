/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_walk.h"

#include "model/base/array.h"
#include "model/base/search.h"

/* A span without length, at the edge of the window, may be inside of one that ends there and is not in it. */
static bool is_orphan(const struct foreign_walk *w, uint32_t depth)
{
	struct box_row row = spans_row(w->lane->list, depth), above = spans_row(w->lane->list, depth - 1);
	uint32_t span = w->next[depth];

	if (span == row.count || row.end[span] > w->lane->from)
		return false;
	for (uint32_t i = w->next[depth - 1]; i < above.count && above.begin[i] <= row.begin[span]; i++)
		if (w->p->nodes[w->lane->list->rows[depth].node[span]].parent == w->lane->list->rows[depth - 1].node[i])
			return false;
	return true;
}

bool foreign_walk_begin(struct foreign_walk *w, struct foreign *t, const struct foreign_lane *lane)
{
	uint32_t depth = lane->list ? lane->list->depth : 0;

	*w = (struct foreign_walk){ .t = t, .p = t->profile, .lane = lane };
	w->next = array_zeroed(depth, sizeof(*w->next));
	w->open = array_zeroed(depth, sizeof(*w->open));
	if (!w->next || !w->open) {
		foreign_walk_end(w);
		return false;
	}
	for (uint32_t i = 0; i < depth; i++) {
		struct box_row row = spans_row(lane->list, i);

		w->next[i] = box_row_first(&row, lane->from);
		while (i && is_orphan(w, i))
			w->next[i]++;
	}
	return true;
}

void foreign_walk_end(struct foreign_walk *w)
{
	free(w->next);
	free(w->open);
	w->next = w->open = NULL;
}

static uint32_t node_at(const struct foreign_walk *w, uint32_t depth, uint32_t span)
{
	return w->lane->list->rows[depth].node[span];
}

/* Spans without length can lie between two spans of the row above: the node says to which one they belong. */
static bool is_inside(const struct foreign_walk *w, const struct box_row *row, uint32_t span)
{
	struct box_row above = spans_row(w->lane->list, w->level - 1);
	uint32_t around = w->open[w->level - 1];

	return row->begin[span] >= above.begin[around] && row->end[span] <= above.end[around] &&
	       w->p->nodes[node_at(w, w->level, span)].parent == node_at(w, w->level - 1, around);
}

/* The span that is entered next, inside of what is open; false: there is none. */
static bool find_inner(struct foreign_walk *w, struct box_row *row)
{
	const struct span_list *l = w->lane->list;

	if (!l || w->level == l->depth)
		return false;
	*row = spans_row(l, w->level);
	return w->next[w->level] < row->count && row->begin[w->next[w->level]] <= w->lane->to &&
	       (row->begin[w->next[w->level]] < w->lane->to || row->end[w->next[w->level]] == w->lane->to) &&
	       (!w->level || is_inside(w, row, w->next[w->level]));
}

static void enter(struct foreign_walk *w, const struct box_row *row, struct foreign_step *step)
{
	uint32_t span = w->next[w->level]++;
	unsigned flags = spans_flags(w->lane->list, w->level, span);

	*step = (struct foreign_step){ .enter = true, .node = node_at(w, w->level, span), .tick = row->begin[span],
				      .until = row->end[span] };
	if (step->tick < w->lane->from) {
		step->tick = w->lane->from;
		step->flags = STEP_CUT;
	} else if (flags & SPAN_CUT_BEGIN) {
		step->flags = STEP_UNKNOWN;
	}
	if (flags & SPAN_RESUMED)
		step->flags |= STEP_RESUMED;
	w->open[w->level++] = span;
}

static void leave(struct foreign_walk *w, struct foreign_step *step)
{
	uint32_t span = w->open[--w->level];
	struct box_row row = spans_row(w->lane->list, w->level);
	unsigned flags = spans_flags(w->lane->list, w->level, span);

	*step = (struct foreign_step){ .node = node_at(w, w->level, span), .tick = row.end[span] };
	if (step->tick > w->lane->to) {
		step->tick = w->lane->to;
		step->flags = STEP_CUT;
	} else if (flags & SPAN_RUNNING) {
		step->flags = STEP_RUNNING;
	} else if (flags & SPAN_CUT_END) {
		step->flags = STEP_UNKNOWN;
	} else if (flags & SPAN_LEFT_OPEN) {
		step->flags = STEP_LEFT_OPEN;
	}
	if (row.begin[span] < w->lane->from)
		step->flags |= STEP_CUT;
	if (flags & SPAN_SUSPENDED)
		step->flags |= STEP_SUSPENDED;
}

bool foreign_walk_next(struct foreign_walk *w, struct foreign_step *step)
{
	struct box_row row;

	if (!foreign_goes_on(w->t))
		return false;
	if (find_inner(w, &row))
		enter(w, &row, step);
	else if (w->level)
		leave(w, step);
	else
		return false;
	return true;
}

uint64_t foreign_walk_steps(const struct foreign_lane *lane)
{
	uint64_t steps = 0;

	for (uint32_t i = 0; lane->list && i < lane->list->depth; i++) {
		struct box_row row = spans_row(lane->list, i);
		uint32_t first = box_row_first(&row, lane->from), last = SEARCH(k, 0, row.count, row.begin[k] < lane->to);

		steps += last > first ? 2 * (uint64_t)(last - first) : 0;
	}
	return steps;
}

void foreign_count_step(struct foreign_counts *c, const struct foreign_step *step)
{
	c->cut += step->flags & STEP_CUT && !step->enter;
	c->begin_unknown += step->flags & STEP_UNKNOWN && step->enter;
	c->end_unknown += step->flags & STEP_UNKNOWN && !step->enter;
	c->running += (step->flags & STEP_RUNNING) != 0;
	c->resumed += (step->flags & STEP_RESUMED) != 0;
	c->left_open += (step->flags & STEP_LEFT_OPEN) != 0;
}

void foreign_say_counts(struct foreign *t, const struct foreign_counts *c, bool closed)
{
	foreign_say_count(t, c->begin_unknown, "call began before the known time and is cut",
			"calls began before the known time and are cut");
	foreign_say_count(t, c->end_unknown, "call whose end is not known ends with the known time",
			"calls whose ends are not known end with the known time");
	foreign_say_count(t, c->cut, "call that exceeds the covered time is cut",
			"calls that exceed the covered time are cut");
	foreign_say_count(t, c->resumed, "part of a suspended call is a call of its own",
			"parts of suspended calls are calls of their own");
	foreign_say_count(t, c->left_open, "call that was open when its thread ended ends there",
			"calls that were open when their threads ended end there");
	if (closed)
		foreign_say_count(t, c->running, "unfinished call is closed at the end",
				"unfinished calls are closed at the end");
}

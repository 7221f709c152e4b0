/* SPDX-License-Identifier: MIT */
/*
 * page_calls: single calls, lane by lane and row by row: `calls`.
 *
 * Where there are too many, half of the room goes to those of the longest frames, and the rest to the newest. A call that reaches
 * out of what was chosen is there as a whole; what is said to be known is what was chosen.
 */
#include "io/page/page_inside.h"

#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"

#define LONGEST 1000 /* frames that are asked for their calls */

struct window {
	int64_t from, to; /* ticks: [from, to] */
};

struct choice {
	struct page_work *w;
	const struct spans *spans;
	struct window all;       /* what is covered */
	struct window *windows;  /* of that what is chosen: ascending, not overlapping */
	uint32_t count, capacity;
	uint64_t kept;           /* spans */
	uint64_t entries;        /* of these whose begin and end are known */
};

/* Spans of a row in a window: [*first, the result) */
static uint32_t row_in(const struct box_row *row, const struct window *window, uint32_t *first)
{
	uint32_t end = SEARCH(i, 0, row->count, row->begin[i] <= window->to);

	*first = SEARCH(i, 0, row->count, row->end[i] < window->from);
	return end > *first ? end : *first;
}

static uint64_t count_in(const struct choice *c, const struct window *window)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < c->spans->count; i++) {
		const struct span_list *l = &c->spans->lists[i];

		for (uint32_t depth = 0; page_selects(c->w, l->thread) && depth < l->depth; depth++) {
			struct box_row row = spans_row(l, depth);
			uint32_t first, end = row_in(&row, window, &first);

			count += end - first;
		}
	}
	return count;
}

/* Which windows */

static bool add_window(struct choice *c, struct window window)
{
	if (!array_reserve(&c->windows, &c->capacity, (uint64_t)c->count + 1, sizeof(*c->windows)))
		return false;
	c->windows[c->count++] = window;
	return true;
}

/* All that is known, or from the first frame that is covered to the end of the last. */
static struct window window_of(const struct page_work *w)
{
	const struct profile_frame *first = &w->p->frames[w->page->first];

	if (w->page->whole)
		return (struct window){ INT64_MIN, INT64_MAX };
	if (!w->page->count)
		return (struct window){ INT64_MAX, INT64_MIN };
	return (struct window){ first->start, frame_end(first + w->page->count - 1) };
}

static bool choose_longest(struct choice *c, uint64_t room)
{
	for (uint32_t i = 0; i < c->w->frame_count && i < LONGEST; i++) {
		const struct profile_frame *frame = &c->w->p->frames[c->w->longest[i]];
		struct window window = { frame->start, frame_end(frame) };
		uint64_t count = count_in(c, &window);

		if (count > room)
			return true;
		room -= count;
		if (count && !add_window(c, window))
			return false;
	}
	return true;
}

/* From the earliest tick on behind which there are not more of them. */
static bool choose_newest(struct choice *c, uint64_t room)
{
	int64_t low = 0, high = c->all.to; /* it is in [low, high] */

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (count_in(c, &(struct window){ middle, c->all.to }) > room)
			low = middle + 1;
		else
			high = middle;
	}
	return add_window(c, (struct window){ low > c->all.from ? low : c->all.from, c->all.to });
}

static int by_begin(const void *a, const void *b)
{
	const struct window *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void merge_windows(struct choice *c)
{
	uint32_t count = 0;

	qsort(c->windows, c->count, sizeof(*c->windows), by_begin);
	for (uint32_t i = 0; i < c->count; i++) {
		struct window *before = count ? &c->windows[count - 1] : NULL;

		if (!before || c->windows[i].from > before->to)
			c->windows[count++] = c->windows[i];
		else if (c->windows[i].to > before->to)
			before->to = c->windows[i].to;
	}
	c->count = count;
}

static bool choose_calls(struct choice *c)
{
	uint64_t most = c->w->page->calls ? c->w->page->calls : PAGE_SPANS;

	c->all = window_of(c->w);
	if (count_in(c, &c->all) <= most)
		return add_window(c, c->all);
	if (!choose_longest(c, most / 2) || !choose_newest(c, most / 2))
		return false;
	merge_windows(c);
	return true;
}

/* Lanes */

typedef void put_span(struct choice *c, const struct span_list *l, uint32_t depth, uint32_t span, int64_t *before);

static void put_begin(struct choice *c, const struct span_list *l, uint32_t depth, uint32_t span, int64_t *before)
{
	int64_t begin = spans_row(l, depth).begin[span];

	json_integer(c->w->j, NULL, page_minus(begin, *before));
	*before = begin;
}

static void put_length(struct choice *c, const struct span_list *l, uint32_t depth, uint32_t span, int64_t *before)
{
	struct box_row row = spans_row(l, depth);

	(void)before;
	json_integer(c->w->j, NULL, page_minus(row.end[span], row.begin[span]));
}

static void put_node(struct choice *c, const struct span_list *l, uint32_t depth, uint32_t span, int64_t *before)
{
	(void)before;
	json_unsigned(c->w->j, NULL, l->rows[depth].node[span]);
}

static void put_flags(struct choice *c, const struct span_list *l, uint32_t depth, uint32_t span, int64_t *before)
{
	unsigned flags = spans_flags(l, depth, span);

	(void)before;
	json_unsigned(c->w->j, NULL, flags);
	c->kept++;
	c->entries += !(flags & (SPAN_CUT_BEGIN | SPAN_CUT_END | SPAN_RESUMED));
}

/* A span that reaches over several windows stands once. */
static void put_column(struct choice *c, const char *key, const struct span_list *l, uint32_t depth, put_span *put)
{
	struct box_row row = spans_row(l, depth);
	int64_t before = c->w->origin;
	uint32_t at = 0;

	json_array(c->w->j, key);
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t first, end = row_in(&row, &c->windows[i], &first);

		for (at = first > at ? first : at; at < end; at++)
			put(c, l, depth, at, &before);
	}
	json_array_end(c->w->j);
}

static bool is_empty(const struct choice *c, const struct span_list *l, uint32_t depth)
{
	struct box_row row = spans_row(l, depth);
	bool empty = true;

	for (uint32_t i = 0; i < c->count && empty; i++) {
		uint32_t first;

		empty = row_in(&row, &c->windows[i], &first) == first;
	}
	return empty;
}

static void put_rows(struct choice *c, const struct span_list *l)
{
	json_array(c->w->j, "rows");
	for (uint32_t depth = 0; depth < l->depth && !is_empty(c, l, depth); depth++) {
		json_object(c->w->j, NULL);
		put_column(c, "begin", l, depth, put_begin);
		put_column(c, "length", l, depth, put_length);
		put_column(c, "node", l, depth, put_node);
		put_column(c, "flags", l, depth, put_flags);
		json_object_end(c->w->j);
	}
	json_array_end(c->w->j);
}

static int64_t later_tick(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier_tick(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A piece of a lane that is known and selected. They are visited one after the other. */
struct piece {
	uint32_t known, window;
	int64_t begin, end;
};

static bool next_piece(const struct choice *c, const struct span_list *l, struct piece *at)
{
	while (at->known < l->known_count && at->window < c->count) {
		const struct span_interval *known = &l->known[at->known];
		const struct window *window = &c->windows[at->window];

		at->begin = later_tick(known->begin, window->from);
		at->end = earlier_tick(known->end, window->to);
		if (known->end < window->to)
			at->known++;
		else
			at->window++;
		if (at->begin <= at->end)
			return true;
	}
	return false;
}

static void put_known(struct choice *c, const struct span_list *l)
{
	struct piece at = { 0 };

	json_array(c->w->j, "known");
	while (next_piece(c, l, &at)) {
		json_array(c->w->j, NULL);
		json_integer(c->w->j, NULL, page_minus(at.begin, c->w->origin));
		json_integer(c->w->j, NULL, page_minus(at.end, c->w->origin));
		json_array_end(c->w->j);
	}
	json_array_end(c->w->j);
}

static bool is_lane(const struct choice *c, const struct span_list *l)
{
	struct piece at = { 0 };

	return page_selects(c->w, l->thread) && next_piece(c, l, &at);
}

static void put_lanes(struct choice *c)
{
	json_array(c->w->j, "lanes");
	for (uint32_t i = 0; i < c->spans->count; i++) {
		const struct span_list *l = &c->spans->lists[i];

		if (!is_lane(c, l))
			continue;
		json_object(c->w->j, NULL);
		json_unsigned(c->w->j, "thread", l->thread);
		put_known(c, l);
		put_rows(c, l);
		json_object_end(c->w->j);
	}
	json_array_end(c->w->j);
}

/* The earliest tick of which anything is known. */
static bool known_since(const struct choice *c, int64_t *tick)
{
	bool found = false;

	for (uint32_t i = 0; i < c->spans->count; i++) {
		struct piece at = { 0 };

		if (!page_selects(c->w, c->spans->lists[i].thread) || !next_piece(c, &c->spans->lists[i], &at))
			continue;
		*tick = found ? earlier_tick(*tick, at.begin) : at.begin;
		found = true;
	}
	return found;
}

/* Each entry of the run is a call that is there from its begin to its end. */
static bool is_whole(const struct choice *c, uint64_t left_out)
{
	const struct values *v = c->w->page->values;
	uint64_t count = 0;

	for (uint32_t i = 0; i < v->node_count; i++)
		if (page_selects(c->w, c->w->p->nodes[i].thread))
			count += (uint64_t)v->count[i];
	return c->w->page->whole && !left_out && count == c->entries;
}

static void put_calls(struct choice *c, int64_t from)
{
	uint64_t all = count_in(c, &c->all), left_out;

	json_object(c->w->j, "calls");
	json_integer(c->w->j, "from", page_minus(from, c->w->origin));
	put_lanes(c);
	left_out = all > c->kept ? all - c->kept : 0;
	json_integer(c->w->j, "whole", is_whole(c, left_out));
	json_unsigned(c->w->j, "left_out", left_out);
	json_object_end(c->w->j);
	page_say(c->w, c->w->page->unread, "begin or end of a zone was not read, because there are too many",
		 "begins and ends of zones were not read, because there are too many");
	page_say(c->w, left_out, "single call is left out, to keep the file small", "single calls are left out, to keep the file small");
}

void page_put_calls(struct page_work *w)
{
	struct choice c = { .w = w, .spans = w->page->spans };
	int64_t from;

	if (c.spans && !choose_calls(&c))
		json_fail(w->j);
	else if (c.spans && known_since(&c, &from))
		put_calls(&c, from);
	else
		json_null(w->j, "calls");
	free(c.windows);
}

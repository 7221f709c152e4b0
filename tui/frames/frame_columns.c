/* SPDX-License-Identifier: MIT */
#include "tui/frames/frame_columns.h"

#include "model/stats/frame_stats.h"

#define SCALE_CELLS 6  /* ` 16.7` and its tick */
#define SCALE_FROM 20  /* from this width on */
#define SIGNS_FROM 7   /* lines from which on signs have one of their own */
#define RUNNING_PART 10 /* of a second, from which on a frame that runs is drawn: a shorter one would flicker */
#define FARTHEST (INT64_MAX / 4) /* columns; numbers of frames may be anything */

struct graph_place graph_place_in(struct area a)
{
	struct graph_place place = { .rows = a.height, .axis = a.height >= 3 };

	if (place.axis) {
		place.signs = a.height >= SIGNS_FROM;
		place.rows -= 1 + place.signs;
		place.left = a.width >= SCALE_FROM ? SCALE_CELLS : 0;
	}
	place.bars = a.width - place.left;
	if (place.bars < 0 || place.rows < 1)
		place.bars = 0;
	return place;
}

struct graph_place graph_place_below(struct area a)
{
	struct graph_place place = graph_place_in((struct area){ a.x, a.y, a.width, 3 });

	place.rows = a.height;
	place.axis = place.signs = false;
	return place;
}

/* The strip */

static int64_t ring_column(const struct graph_strip *s, uint64_t number)
{
	uint64_t column = (number >> s->zoom) - s->base;

	return column < FARTHEST ? (int64_t)column : FARTHEST;
}

/* Frames that were kept stand for 64 or more each: only where a column has more than these they share one. */
static uint32_t kept_zoom(const struct graph_strip *s)
{
	return s->zoom > GRAPH_KEPT_ZOOM ? s->zoom - GRAPH_KEPT_ZOOM : 0;
}

static int64_t kept_column(const struct graph_strip *s, uint32_t index)
{
	uint64_t last = s->kept - UINT32_C(1);

	return GRAPH_GAP - 1 - (int64_t)((last >> kept_zoom(s)) - ((uint64_t)index >> kept_zoom(s)));
}

/* Index of the first frame of a column to the left of the gap. */
static uint32_t kept_index(const struct graph_strip *s, int64_t column)
{
	return (uint32_t)((uint64_t)(column - s->lowest) << kept_zoom(s));
}

static uint32_t kept_in(const struct graph_strip *s, uint32_t first)
{
	uint64_t most = UINT64_C(1) << kept_zoom(s), left = s->kept - first;

	return (uint32_t)(left < most ? left : most);
}

/* After the end of a program none runs. */
int64_t graph_running(const struct profile *p)
{
	int64_t running = p->process.state == PROFILE_LIVE || p->process.state == PROFILE_DEAD ? frame_running(p) : 0;

	return running >= (int64_t)(p->ticks_per_s / RUNNING_PART) ? running : 0;
}

struct graph_strip graph_strip_of(const struct profile *p, uint32_t zoom)
{
	struct graph_strip s = { .p = p, .newest = -1 };

	s.zoom = zoom < FRAME_GRAPH_ZOOM_MOST ? zoom : FRAME_GRAPH_ZOOM_MOST;
	if (!p)
		return s;
	s.kept = profile_kept_frames(p);
	s.lowest = s.kept ? kept_column(&s, 0) : 0;
	if (s.kept)
		s.newest = kept_column(&s, s.kept - 1);
	if (s.kept < p->frame_count) {
		s.base = p->frames[s.kept].number >> s.zoom;
		s.newest = ring_column(&s, p->frames[p->frame_count - 1].number);
		s.running = graph_running(p);
		if (s.running && p->frames[p->frame_count - 1].number < UINT64_MAX)
			s.newest = ring_column(&s, p->frames[p->frame_count - 1].number + 1);
	}
	return s;
}

int64_t graph_column_of(const struct graph_strip *s, uint64_t number)
{
	uint32_t i = s->p ? profile_frame_index(s->p, number) : 0;

	if (!s->p || i >= s->p->frame_count)
		return s->newest;
	if (i < s->kept)
		return kept_column(s, i);
	if (i == s->kept && s->p->frames[i].number > number)
		return 0;
	return ring_column(s, number);
}

uint64_t graph_number_of(const struct graph_strip *s, int64_t column, bool right)
{
	uint64_t last, newest;

	if (s->lowest > s->newest)
		return 0;
	if (column == GRAPH_GAP)
		column += right ? 1 : -1;
	column = column < s->lowest ? s->lowest : column < s->newest ? column : s->newest;
	if (column < 0) {
		uint32_t first = kept_index(s, column);

		return s->p->frames[first + kept_in(s, first) - 1].number;
	}
	last = (s->base + (uint64_t)column) << s->zoom | ((UINT64_C(1) << s->zoom) - 1);
	newest = s->p->frames[s->p->frame_count - 1].number;
	newest += s->running && newest < UINT64_MAX;
	return last < newest ? last : newest;
}

uint32_t graph_frames_in(const struct graph_strip *s, int64_t column, uint32_t *count)
{
	uint64_t first, last;
	uint32_t begin, end;

	*count = 0;
	if (column < s->lowest || column > s->newest || column == GRAPH_GAP)
		return 0;
	if (column < 0) {
		begin = kept_index(s, column);
		*count = kept_in(s, begin);
		return begin;
	}
	first = (s->base + (uint64_t)column) << s->zoom;
	last = first + ((UINT64_C(1) << s->zoom) - 1);
	begin = profile_frame_index(s->p, first);
	if (begin < s->kept)
		begin = s->kept;
	end = profile_frame_index(s->p, last);
	end += end < s->p->frame_count && s->p->frames[end].number == last;
	*count = end > begin ? end - begin : 0;
	return begin;
}

/* The height of a frame in the graph: its length, or the amount of the measure over all threads. */
static int64_t height_of(const struct graph_strip *s, const struct profile_frame *f)
{
	int64_t sum = 0;

	if (s->measure == MEASURE_SELF)
		return f->length;
	for (uint32_t i = 0; i < f->part_count; i++) {
		struct measure_amounts amounts = profile_amounts(s->p, &f->parts[i], s->measure);

		for (uint32_t k = 0; k < amounts.count; k++)
			sum += measure_amount(&amounts, k).value;
	}
	return sum;
}

void graph_column_add(struct graph_column *c, const struct profile_frame *f, int64_t length, int64_t budget)
{
	bool discarded = f->flags & FRAME_DISCARDED;

	if (!discarded) {
		c->frames++;
		c->over += budget > 0 && length > budget;
	}
	/* one that is not discarded stands before all that are */
	if (c->number && (discarded > c->discarded ||
			  (discarded == c->discarded && length <= c->length)))
		return;
	c->number = f->number;
	c->length = length;
	c->discarded = discarded;
}

struct graph_column graph_column_at(const struct graph_strip *s, int64_t column, int64_t budget)
{
	struct graph_column c = { .kept = column < GRAPH_GAP };
	uint32_t count, first = graph_frames_in(s, column, &count);

	for (uint32_t i = first; i < first + count; i++)
		graph_column_add(&c, &s->p->frames[i], height_of(s, &s->p->frames[i]), budget);
	return c;
}

/* Views */

struct graph_view graph_view_at(const struct graph_strip *s, int bars, int64_t last)
{
	int64_t least = s->lowest + bars - 1;

	if (least > s->newest)
		least = s->newest;
	last = last < least ? least : last < s->newest ? last : s->newest;
	return (struct graph_view){ last - bars + 1, last };
}

struct graph_view graph_view_of(const struct frame_graph *g, const struct graph_strip *s, int bars)
{
	return graph_view_at(s, bars, g->right ? graph_column_of(s, g->right) : s->newest);
}

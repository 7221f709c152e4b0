/* SPDX-License-Identifier: MIT */
/*
 * strips_move: what is under the pointer of the strips, and looking at another time of them.
 */
#include "tui/frames/strips_columns.h"

#define ZOOM_IN_MOST (-14) /* 1 us a column */
#define ZOOM_OUT_MOST 26

/* Puts this column at the right. */
static void settle(struct strips *g, const struct strips_look *look, int bars, int64_t last)
{
	struct strips_view v;

	g->right = MOMENT_NONE;
	v = strips_view_of(g, look, bars);
	if (last < v.newest || look->moment != MOMENT_NONE)
		g->right = strips_begin(last, v.span);
	v = strips_view_of(g, look, bars);
	if (g->right != MOMENT_NONE)
		g->right = strips_begin(v.last, v.span);
}

/* The longest frame of a column, 0: none; and the moment in the column that is nearest to the middle of both. */
static uint64_t longest_of(const struct strip *s, int64_t column, int64_t span, int64_t *moment)
{
	struct graph_column c = strips_column_at(s, column, span);
	const struct profile_frame *frame = c.number ? profile_find_frame(s->look.profile, c.number) : NULL;
	int64_t start, end;

	*moment = strips_begin(column, span) + span / 2;
	if (!frame)
		return 0;
	start = moment_of(s->look.profile, frame->start);
	end = moment_of(s->look.profile, frame_end(frame) - (frame->length > 0));
	if (*moment > end)
		*moment = end;
	if (*moment < start)
		*moment = start;
	return c.number;
}

int strips_at(const struct strips *g, const struct strips_look *look, struct area a, int x, int y,
	      int64_t *moment, uint64_t *frame)
{
	struct strips_place place = strips_place_in(look, a);
	struct strips_view v = strips_view_of(g, look, place.bars);
	int strip = place.lines && y >= 0 ? y / place.lines : place.shown, left = place.label + place.scale;

	*moment = MOMENT_NONE;
	*frame = 0;
	if (strip >= place.shown)
		return -1;
	strip += place.first;
	if (x >= left && x < left + place.bars && v.lowest <= v.newest)
		*frame = longest_of(&look->strips[strip], v.first + x - left, v.span, moment);
	return strip;
}

uint64_t strips_beside(const struct strips *g, const struct strips_look *look, int columns, int64_t *moment)
{
	int64_t span = strips_span(g->zoom);

	if (look->moment == MOMENT_NONE)
		return 0;
	return longest_of(&look->strips[look->focus], strips_column(look->moment, span) + columns, span, moment);
}

static bool shows_all(const struct strips_view *v, int bars)
{
	return v->newest - v->lowest < bars;
}

/* One step; false: it is the last already. */
static bool zoom_step(struct strips *g, const struct strips_look *look, int by, int bars)
{
	struct strips_view v = strips_view_of(g, look, bars);

	if (by < 0 ? g->zoom <= ZOOM_IN_MOST : g->zoom >= ZOOM_OUT_MOST || shows_all(&v, bars))
		return false;
	g->zoom += by;
	return true;
}

void strips_zoom(struct strips *g, const struct strips_look *look, struct area a, int by, int64_t around)
{
	int bars = strips_place_in(look, a).bars;
	struct strips_view v = strips_view_of(g, look, bars);
	int64_t kept = around == MOMENT_NONE ? v.now : around, from_right;

	if (!bars || v.lowest > v.newest)
		return;
	from_right = v.last - strips_column(kept, v.span);
	from_right = from_right < 0 ? 0 : from_right < bars ? from_right : bars - 1;
	for (int i = 0; i < (by < 0 ? -by : by) && zoom_step(g, look, by < 0 ? -1 : 1, bars);)
		i++;
	settle(g, look, bars, strips_column(kept, strips_span(g->zoom)) + from_right);
}

void strips_pan(struct strips *g, const struct strips_look *look, struct area a, int columns)
{
	int bars = strips_place_in(look, a).bars;

	settle(g, look, bars, strips_view_of(g, look, bars).last + columns);
}

void strips_fit(struct strips *g, const struct strips_look *look, struct area a, int64_t first, int64_t last)
{
	int bars = strips_place_in(look, a).bars;
	int64_t from, to;

	g->zoom = ZOOM_IN_MOST;
	for (;; g->zoom++) {
		from = strips_column(first < last ? first : last, strips_span(g->zoom));
		to = strips_column(first < last ? last : first, strips_span(g->zoom));
		if (to - from < bars || g->zoom == ZOOM_OUT_MOST)
			break;
	}
	settle(g, look, bars, to + (bars - 1 - (to - from)) / 2);
}

void strips_reveal(struct strips *g, const struct strips_look *look, struct area a, int64_t moment)
{
	int bars = strips_place_in(look, a).bars;
	struct strips_view v = strips_view_of(g, look, bars);
	int64_t column = strips_column(moment, v.span);

	if (moment == MOMENT_NONE || !bars)
		return;
	if (column > v.last)
		settle(g, look, bars, column);
	else if (column < v.first)
		settle(g, look, bars, column + bars - 1);
}

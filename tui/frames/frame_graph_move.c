/* SPDX-License-Identifier: MIT */
/*
 * frame_graph_move: what is under the pointer of the frame graph, and looking at another part of it. Which keys do
 * that: tui/widgets/commands.c, and what they call: tui/app/app_keys.c.
 */
#include "tui/frames/frame_columns.h"

/* Puts this column at the right. */
static void settle(struct frame_graph *g, const struct frame_graph_look *look,
		   const struct graph_strip *s, int bars, int64_t last)
{
	struct graph_view was = graph_view_of(g, s, bars), view = graph_view_at(s, bars, last);

	if (view.last == s->newest && !look->chosen)
		g->right = 0;
	else
		g->right = graph_number_of(s, view.last, view.last > was.last);
}

uint64_t frame_graph_at(const struct frame_graph *g, const struct frame_graph_look *look,
			struct area a, int x)
{
	struct graph_place place = graph_place_in(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);
	struct graph_view view = graph_view_of(g, &s, place.bars);

	if (x < place.left || x >= place.left + place.bars)
		return 0;
	return graph_column_at(&s, view.first + x - place.left, 0).number;
}

uint32_t frame_graph_sight(const struct frame_graph *g, const struct frame_graph_look *look,
			   struct area a, uint32_t *count)
{
	struct graph_place place = graph_place_below(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);
	struct graph_view view = graph_view_of(g, &s, place.bars);
	uint32_t first = UINT32_MAX, end = 0;

	for (int i = 0; i < place.bars; i++) {
		uint32_t in_column, begin = graph_frames_in(&s, view.first + i, &in_column);

		if (!in_column)
			continue;
		first = begin < first ? begin : first;
		end = begin + in_column;
	}
	*count = first < end ? end - first : 0;
	return *count ? first : 0;
}

/* Whether all there is fits into so many columns. */
static bool shows_all(const struct graph_strip *s, int bars)
{
	return s->newest - s->lowest < bars;
}

/* One step; false: it is the last already. */
static bool zoom_step(uint32_t *zoom, int by, const struct profile *p, int bars)
{
	struct graph_strip s = graph_strip_of(p, *zoom);

	if (by < 0 ? !*zoom : *zoom >= FRAME_GRAPH_ZOOM_MOST || shows_all(&s, bars))
		return false;
	*zoom += by < 0 ? -1u : 1u;
	return true;
}

void frame_graph_zoom(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
		      int by, uint64_t around)
{
	struct graph_place place = graph_place_in(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);
	struct graph_view view = graph_view_of(g, &s, place.bars);
	int64_t from_right = view.last - (around ? graph_column_of(&s, around) : s.newest);

	if (from_right < 0)
		from_right = 0;
	if (from_right >= place.bars)
		from_right = place.bars ? place.bars - 1 : 0;
	for (int i = by < 0 ? by : -by; i < 0 && zoom_step(&s.zoom, by, look->profile, place.bars);)
		i++;
	s = graph_strip_of(look->profile, s.zoom);
	g->zoom = s.zoom;
	settle(g, look, &s, place.bars,
	       (around ? graph_column_of(&s, around) : s.newest) + from_right);
}

void frame_graph_pan(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
		     int columns)
{
	struct graph_place place = graph_place_in(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);

	settle(g, look, &s, place.bars, graph_view_of(g, &s, place.bars).last + columns);
}

void frame_graph_reveal(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
			uint64_t frame)
{
	struct graph_place place = a.height > 0 ? graph_place_in(a) : graph_place_below(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);
	struct graph_view view = graph_view_of(g, &s, place.bars);
	int64_t column = graph_column_of(&s, frame);

	if (column > view.last)
		settle(g, look, &s, place.bars, column);
	else if (column < view.first)
		settle(g, look, &s, place.bars, column + place.bars - 1);
}

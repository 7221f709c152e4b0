/* SPDX-License-Identifier: MIT */
/*
 * frame_graph.c puts the graph together: which frames stand where is up to frame_columns.c, what a bar looks
 * like to frame_bars.c.
 */
#include <stdlib.h>

#include "model/base/array.h"
#include "tui/frames/frame_bars.h"
#include "tui/frames/frame_columns.h"

struct drawing {
	struct frame_bars bars;
	struct graph_strip strip;
	struct graph_view view;
	int64_t chosen; /* bar of the chosen frame; out of place: there is none */
};

static struct graph_band band_of(const struct drawing *d)
{
	const struct frame_graph_look *look = d->bars.look;

	if (!look->band_from || !look->band_to)
		return (struct graph_band){ 0 };
	return graph_band_of(graph_column_of(&d->strip, look->band_from) - d->view.first,
			     graph_column_of(&d->strip, look->band_to) - d->view.first, d->bars.place.bars);
}

/* All columns, or the last of its lines. */
static struct area columns_of(const struct drawing *d, bool last)
{
	struct area a = d->bars.a;

	return (struct area){ a.x + d->bars.place.left, last ? a.y + a.height - 1 : a.y, d->bars.place.bars,
			      last ? 1 : a.height };
}

/* Place of the bar with the chosen frame in it, out of place when there is none. */
static int64_t chosen_bar(const struct drawing *d)
{
	uint64_t chosen = d->bars.look->chosen;

	if (!chosen || !profile_find_frame(d->bars.look->profile, chosen))
		return -1;
	return graph_column_of(&d->strip, chosen) - d->view.first;
}

static void draw_gap(const struct drawing *d, int x)
{
	for (int y = 0; y < d->bars.place.rows + d->bars.place.signs; y++)
		canvas_text(d->bars.c, d->bars.a, x, y, ROLE_DIM, d->bars.look->ascii ? ":" : "┆");
}

static void draw_column(const struct drawing *d, int i)
{
	if (d->view.first + i == GRAPH_GAP && d->strip.lowest < GRAPH_GAP)
		draw_gap(d, d->bars.place.left + i);
	else
		frame_bars_column(&d->bars, i, i == d->chosen);
}

static void draw_graph(struct drawing *d)
{
	struct graph_band band = band_of(d);

	for (int i = 0; i < d->bars.place.bars; i++)
		d->bars.columns[i] = graph_column_at(&d->strip, d->view.first + i, frame_graph_budget(d->bars.look));
	d->chosen = chosen_bar(d);
	d->bars.ghost = (int)(d->strip.newest - d->view.first);
	d->bars.ghosts = 1;
	d->bars.running = d->view.last == d->strip.newest && !d->strip.measure ? d->strip.running : 0;
	frame_bars_begin(&d->bars);
	frame_bars_ghost(&d->bars);
	for (int i = 0; i < d->bars.place.bars; i++)
		draw_column(d, i);
	frame_bars_lengths(&d->bars);
	if (d->bars.place.axis)
		graph_band_mark(&band, d->bars.c, columns_of(d, true), d->bars.look->ascii);
	if (d->bars.place.axis)
		graph_axis_draw(&d->strip, &d->view, &d->bars.place, d->bars.columns, d->bars.look, d->bars.c,
				d->bars.a);
	graph_band_select(&band, d->bars.c, columns_of(d, false));
}

void frame_graph_draw(const struct frame_graph *g, const struct frame_graph_look *look,
		      struct canvas *c, struct area a)
{
	struct drawing d = { .bars = { .look = look, .c = c, .a = a, .place = graph_place_in(a) } };

	if (!look->profile || !d.bars.place.bars)
		return;
	d.strip = graph_strip_of(look->profile, g->zoom);
	d.strip.measure = look->measure;
	d.view = graph_view_of(g, &d.strip, d.bars.place.bars);
	d.bars.columns = array_zeroed((uint64_t)d.bars.place.bars, sizeof(*d.bars.columns));
	if (d.bars.columns)
		draw_graph(&d);
	free(d.bars.columns);
}

/*
 * Finds what is under the pointer of the frame graph, and moves it to another part of the history. Which keys do
 * that: tui/widgets/commands.c, and what they call: tui/app/app_keys.c.
 */

/* Puts this column at the right. */
static void settle_at(struct frame_graph *g, const struct frame_graph_look *look,
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

	s.measure = look->measure;
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

/* True if all frames fit into so many columns. */
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
	settle_at(g, look, &s, place.bars,
		  (around ? graph_column_of(&s, around) : s.newest) + from_right);
}

void frame_graph_pan(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
		     int columns)
{
	struct graph_place place = graph_place_in(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);

	settle_at(g, look, &s, place.bars, graph_view_of(g, &s, place.bars).last + columns);
}

void frame_graph_reveal(struct frame_graph *g, const struct frame_graph_look *look, struct area a,
			uint64_t frame)
{
	struct graph_place place = a.height > 0 ? graph_place_in(a) : graph_place_below(a);
	struct graph_strip s = graph_strip_of(look->profile, g->zoom);
	struct graph_view view = graph_view_of(g, &s, place.bars);
	int64_t column = graph_column_of(&s, frame);

	if (column > view.last)
		settle_at(g, look, &s, place.bars, column);
	else if (column < view.first)
		settle_at(g, look, &s, place.bars, column + place.bars - 1);
}

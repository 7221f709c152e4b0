/* SPDX-License-Identifier: MIT */
/*
 * frame_graph.c draws; which frames stand where is up to frame_columns.c.
 *
 * The scale has one value of its own, `line`: the budget, or where there is none a round number
 * above what is usual in sight. It lies on the border between two lines of cells, and the line is
 * drawn in the upper one of them: a bar that is in its way is longer than it, by an eighth at least,
 * and no other is. So it can be told without colours. A label stands for the lower border of the
 * line of cells in which it is.
 */
#include "tui/frame_columns.h"

#include <stdio.h>

#include "model/array.h"
#include "model/statistics.h"
#include "model/text.h"
#include "tui/figures.h"

#define EIGHTHS 8
#define LABEL_CELLS 5
#define PANEL_GAP 1

struct scale {
	int64_t line; /* ticks; 0: nothing to scale by */
	int height;   /* of it, in eighths of a line of cells */
	int rows;     /* lines of bars */
	bool budget;
};

struct drawing {
	const struct frame_graph_look *look;
	struct canvas *c;
	struct area a;
	struct graph_place place;
	struct graph_strip strip;
	struct graph_view view;
	struct graph_column *columns; /* place.bars of them */
	struct scale scale;
	int64_t chosen; /* bar of the chosen frame; out of place: there is none */
};

/* The scale */

/* The least of 1, 2, 5, 10, 20... nanoseconds that is not below, in ticks. */
static int64_t round_up(double ticks, uint64_t ticks_per_s)
{
	static const double steps[] = { 1, 2, 5 };
	double ns = ticks * 1e9 / (double)ticks_per_s, power = 1, up = 1;

	for (int i = 0; up < ns && i < 3 * 18;) {
		i++;
		if (i % 3 == 0)
			power *= 10;
		up = power * steps[i % 3];
	}
	up = up * (double)ticks_per_s / 1e9;
	return up < 1 ? 1 : up < 9e18 ? (int64_t)(up + 0.5) : INT64_MAX;
}

/* A little above the median of the columns in sight; 0: there are none, or no memory. */
static int64_t usual(const struct drawing *d)
{
	int64_t *lengths = array_zeroed((uint64_t)d->place.bars, sizeof(*lengths)), median;
	uint32_t n = 0;

	if (!lengths)
		return 0;
	for (int i = 0; i < d->place.bars; i++)
		if (d->columns[i].frames)
			lengths[n++] = d->columns[i].length;
	median = statistics_of(lengths, n).median;
	free(lengths);
	return n ? round_up((double)median * 1.1, d->look->profile->ticks_per_s) : 0;
}

static struct scale scale_of(const struct drawing *d)
{
	struct scale s = { .rows = d->place.rows, .budget = d->look->budget > 0 };

	s.line = s.budget ? d->look->budget : usual(d);
	if (s.rows == 1)
		s.height = s.budget ? EIGHTHS / 2 : EIGHTHS * 3 / 4;
	else
		s.height = EIGHTHS * (s.budget ? s.rows / 2 : s.rows - 1);
	return s;
}

/* Height of a bar in eighths; more than there are when it is higher than the scale. */
static int bar_height(const struct scale *s, int64_t length)
{
	double height = (double)length * s->height / (double)s->line + 0.5;
	int most = s->rows * EIGHTHS + 1;
	int eighths = height < 1 ? 1 : height < most ? (int)height : most;

	if (length > s->line)
		return eighths > s->height ? eighths : s->height + 1;
	return eighths < s->height ? eighths : s->height;
}

/* The line of cells of the area with the scale's line in it; -1: it has none. */
static int line_row(const struct scale *s)
{
	return s->rows > 1 && s->line > 0 ? s->rows - 1 - s->height / EIGHTHS : -1;
}

/* Into the scale, at its right; what is too long for it is cut. */
static void draw_right(const struct drawing *d, int y, const char *text)
{
	int cells = (int)text_width(text);

	canvas_text(d->c, (struct area){ d->a.x, d->a.y, LABEL_CELLS, d->a.height },
		    cells < LABEL_CELLS ? LABEL_CELLS - cells : 0, y, ROLE_AXIS, text);
}

static void draw_label(const struct drawing *d, int y, const struct figure_unit *unit)
{
	const struct scale *s = &d->scale;
	double value = (double)s->line * (s->rows - 1 - y) * EIGHTHS / s->height;
	struct figure f = figure_time(value < 9e18 ? (int64_t)value : INT64_MAX,
				      d->look->profile->ticks_per_s, unit, 3);

	draw_right(d, y, f.text);
}

/* Whether a line of cells has a label: the scale's, the uppermost, and half of a high scale. */
static bool has_label(const struct scale *s, int y)
{
	int row = s->rows - 1 - y, line = s->height / EIGHTHS;

	return row == line || y == 0 || (line >= 4 && row * 2 == line);
}

static void draw_scale(const struct drawing *d)
{
	static const char *const ticks[2][3] = { { "│", "┤", "┼" }, { "|", "+", "+" } };
	const struct scale *s = &d->scale;
	const struct figure_unit *unit;
	bool labelled;

	if (!d->place.left)
		return;
	unit = figure_unit_for(s->line, d->look->profile->ticks_per_s);
	for (int y = 0; y < s->rows; y++) {
		labelled = s->line > 0 && has_label(s, y);
		if (labelled)
			draw_label(d, y, unit);
		canvas_text(d->c, d->a, LABEL_CELLS, y, ROLE_AXIS,
			    ticks[d->look->ascii][y == line_row(s) ? 2 : labelled]);
	}
	if (s->line > 0)
		draw_right(d, s->rows, figure_unit_name(unit, d->look->ascii));
}

static void draw_line(const struct drawing *d)
{
	enum role role = d->scale.budget ? ROLE_BUDGET : ROLE_AXIS;
	int y = line_row(&d->scale);

	for (int i = 0; y >= 0 && i < d->place.bars; i++)
		canvas_text(d->c, d->a, d->place.left + i, y, role, d->look->ascii ? "-" : "╌");
}

/* Bars */

const char *graph_filled(int eighths, bool ascii)
{
	static const char *const glyphs[2][EIGHTHS + 1] = {
		{ " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
		{ " ", ".", ".", ".", ":", ":", ":", ":", "#" },
	};

	return glyphs[ascii][eighths < EIGHTHS ? eighths : EIGHTHS];
}

static void draw_bar(const struct drawing *d, int x, const struct graph_column *column, enum role role)
{
	const struct scale *s = &d->scale;
	int height = bar_height(s, column->length), most = s->rows * EIGHTHS;
	struct graph_bar bar = { .x = x, .rows = s->rows, .height = height < most ? height : most,
				 .eighths_per_tick = (double)s->height / (double)s->line, .role = role };

	for (int row = 0; row < s->rows && height > row * EIGHTHS; row++)
		canvas_text(d->c, d->a, x, s->rows - 1 - row, role,
			    graph_filled(height - row * EIGHTHS, d->look->ascii));
	graph_pins_draw(d->look, column->number, &bar, d->c, d->a);
	if (height > most)
		canvas_text(d->c, d->a, x, 0, role, "!");
}

/* Place of the bar with the chosen frame in it, out of place when there is none. */
static int64_t chosen_bar(const struct drawing *d)
{
	uint64_t chosen = d->look->chosen;

	if (!chosen || !profile_find_frame(d->look->profile, chosen))
		return -1;
	return graph_column_of(&d->strip, chosen) - d->view.first;
}

static void draw_gap(const struct drawing *d, int x)
{
	for (int y = 0; y < d->place.rows; y++)
		canvas_text(d->c, d->a, x, y, ROLE_DIM, d->look->ascii ? ":" : "⋮");
}

static void draw_column(const struct drawing *d, int i)
{
	const struct graph_column *column = &d->columns[i];
	bool chosen = i == d->chosen;
	int x = d->place.left + i;

	if (d->view.first + i == GRAPH_GAP && d->strip.lowest < GRAPH_GAP)
		draw_gap(d, x);
	else if (column->discarded)
		canvas_text(d->c, d->a, x, d->place.rows - 1, chosen ? ROLE_CHOSEN : ROLE_DIM, "x");
	else if (column->number && d->scale.line > 0)
		draw_bar(d, x, column,
			 chosen ? ROLE_CHOSEN : column->over ? ROLE_OVER : ROLE_GRAPH);
}

/* The legend */

void graph_caption(char *out, size_t size, uint32_t zoom)
{
	struct figure count = figure_grouped(UINT64_C(1) << zoom);

	if (zoom)
		snprintf(out, size, "1 column = %s frames, max", count.text);
	else
		snprintf(out, size, "1 column = 1 frame");
}

static void draw_budget(const struct drawing *d, struct area panel)
{
	uint64_t ticks_per_s = d->look->profile->ticks_per_s, frames = 0, over = 0;
	const struct figure_unit *unit = figure_unit_for(d->look->budget, ticks_per_s);
	char text[128];

	for (int i = 0; i < d->place.bars; i++) {
		frames += d->columns[i].frames;
		over += d->columns[i].over;
	}
	snprintf(text, sizeof(text), "budget %s %s  over %s",
		 figure_time(d->look->budget, ticks_per_s, unit, 3).text,
		 figure_unit_name(unit, d->look->ascii),
		 figure_percent((double)over, (double)frames).text);
	canvas_text(d->c, panel, 0, 0, ROLE_DIM, text);
}

static void draw_panel(const struct drawing *d)
{
	struct area panel = d->a, between;
	char text[64];

	if (!d->place.panel)
		return;
	panel.x += d->place.left + d->place.bars + PANEL_GAP;
	panel.width = d->place.panel - PANEL_GAP;
	if (d->look->budget > 0)
		draw_budget(d, panel);
	between = (struct area){ panel.x, panel.y + (d->look->budget > 0), panel.width,
				 d->place.rows - 1 - (d->look->budget > 0) };
	graph_pins_legend(d->look, d->c, between);
	graph_caption(text, sizeof(text), d->strip.zoom);
	canvas_text(d->c, panel, 0, d->place.rows - 1, ROLE_DIM, text);
}

static void draw(struct drawing *d)
{
	for (int i = 0; i < d->place.bars; i++)
		d->columns[i] = graph_column_at(&d->strip, d->view.first + i, d->look->budget);
	d->scale = scale_of(d);
	d->chosen = chosen_bar(d);
	draw_scale(d);
	draw_line(d);
	for (int i = 0; i < d->place.bars; i++)
		draw_column(d, i);
	draw_panel(d);
	if (d->place.axis)
		graph_axis_draw(&d->strip, &d->view, &d->place, d->look, d->c, d->a);
}

void frame_graph_draw(const struct frame_graph *g, const struct frame_graph_look *look,
		      struct canvas *c, struct area a)
{
	struct drawing d = { .look = look, .c = c, .a = a, .place = graph_place_in(a) };

	if (!look->profile || !d.place.bars)
		return;
	d.strip = graph_strip_of(look->profile, g->zoom);
	d.view = graph_view_of(g, &d.strip, d.place.bars);
	d.columns = array_zeroed((uint64_t)d.place.bars, sizeof(*d.columns));
	if (d.columns)
		draw(&d);
	free(d.columns);
}

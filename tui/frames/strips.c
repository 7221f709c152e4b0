/* SPDX-License-Identifier: MIT */
/*
 * strips.c draws them; which moment stands in which column is up to strips_columns.c.
 */
#include "tui/frames/strips_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "tui/cells/ages.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_bars.h"
#include "tui/frames/graph_band.h"

#define LABEL_APART 14 /* cells from one time to the next on the axis */

struct drawing {
	const struct strips_look *look;
	struct canvas *c;
	struct area a;
	struct strips_place place;
	struct strips_view view;
	int64_t chosen; /* bar of the moment that is shown; out of place: there is none */
	struct graph_band band;
};

static int64_t bar_of(const struct drawing *d, int64_t moment)
{
	return strips_column(moment, d->view.span) - d->view.first;
}

static bool in_sight(const struct drawing *d, int64_t bar)
{
	return bar >= 0 && bar < d->place.bars;
}

/* Names */

/* The longest frame in sight, or the one of the moment that is shown; 0: there is none. */
static int64_t length_of(const struct drawing *d, const struct strip *s, const struct graph_column *columns)
{
	const struct profile *p = s->look.profile;
	int64_t longest = 0;
	uint32_t frame;

	if (d->look->moment != MOMENT_NONE) {
		frame = moment_frame(p, d->look->moment);
		return frame != PROFILE_NONE ? p->frames[frame].length : 0;
	}
	for (int i = 0; i < d->place.bars; i++)
		if (!columns[i].discarded && columns[i].length > longest)
			longest = columns[i].length;
	return longest;
}

static void draw_length(const struct drawing *d, const struct strip *s, struct area a, int x, int y,
			const struct graph_column *columns)
{
	int64_t length = length_of(d, s, columns);
	uint64_t ticks_per_s = s->look.profile->ticks_per_s;
	const struct figure_unit *unit = figure_unit_for(length, ticks_per_s);
	const char *max = d->look->moment != MOMENT_NONE ? "" : "max ";
	char text[64];

	snprintf(text, sizeof(text), "%s%s %s", max, figure_time(length, ticks_per_s, unit, 3).text,
		 figure_unit_name(unit, d->look->ascii));
	if (x + (int)text_width(text) >= a.width)
		memmove(text, text + strlen(max), strlen(text) + 1 - strlen(max));
	if (length && x + (int)text_width(text) < a.width)
		canvas_text(d->c, a, x, y, ROLE_DIM, text);
}

/* `> game` and below it the state and how long a frame takes; in one line `> game  LIVE`. */
static void draw_label(const struct drawing *d, int i, struct area a, const struct graph_column *columns)
{
	const struct strip *s = &d->look->strips[i];
	const char *state = scene_state_name(s->state);
	int cells = (int)text_width(state), room = a.width - 3, y = a.height > 1, x = 2;

	if (i == d->look->focus)
		canvas_text(d->c, a, 0, 0, d->look->focused ? ROLE_TAB_OPEN : ROLE_PLAIN, ">");
	if (!y && room - cells - 1 > 2)
		room -= cells + 1;
	if (!y)
		x = room < a.width - 3 ? a.width - 1 - cells : a.width;
	canvas_clipped(d->c, a, 2, 0, room, i == d->look->focus ? ROLE_FOCUS : ROLE_NAME, s->name);
	x += canvas_text(d->c, a, x, y, scene_state_role(s->state), state) + 1;
	if (y && columns)
		draw_length(d, s, a, x, y, columns);
}

/* Bars */

/* The moment that is shown, where no bar is in its way. */
static void draw_moment(const struct drawing *d, struct area a)
{
	for (int y = 0; in_sight(d, d->chosen) && y < a.height; y++) {
		int x = d->place.scale + (int)d->chosen;
		const struct cell *cell = canvas_cell(d->c, a.x + x, a.y + y);

		if (cell && cell->codes[0] == ' ')
			canvas_text(d->c, a, x, y, ROLE_CHOSEN, d->look->ascii ? "|" : "│");
	}
}

static int bar_in_sight(const struct drawing *d, int64_t bar)
{
	return (int)(bar < 0 ? 0 : bar < d->place.bars ? bar : d->place.bars);
}

/* The columns of the frame that runs: from its begin to now. */
static void find_running(const struct drawing *d, const struct profile *p, struct frame_bars *bars)
{
	int64_t running = graph_running(p);
	int64_t from = bar_of(d, moment_of(p, p->now_tick - running)), to = bar_of(d, moment_of(p, p->now_tick));

	bars->ghost = bar_in_sight(d, from);
	bars->ghosts = bar_in_sight(d, to + 1) - bars->ghost;
	bars->running = running && bars->ghosts > 0 ? running : 0;
}

static void draw_bars(const struct drawing *d, const struct strip *s, struct graph_column *columns, struct area a)
{
	struct frame_bars bars = { .look = &s->look, .c = d->c, .a = a, .columns = columns,
				   .place = { .left = d->place.scale, .bars = d->place.bars, .rows = a.height } };

	for (int i = 0; i < d->place.bars; i++)
		columns[i] = strips_column_at(s, d->view.first + i, d->view.span);
	find_running(d, s->look.profile, &bars);
	frame_bars_begin(&bars);
	frame_bars_ghost(&bars);
	for (int i = 0; i < d->place.bars; i++)
		frame_bars_column(&bars, i, i == d->chosen);
	frame_bars_lengths(&bars);
}

/* Why there are no bars, as far as its first colon: what to do about it is said where there is more room. */
static void draw_reason(const struct drawing *d, const struct strip *s, struct area a)
{
	const char *why = s->look.profile ? "the times of its frames are not known" : s->waiting;
	char text[256];

	snprintf(text, sizeof(text), "%.*s", (int)strcspn(why, ":"), why);
	canvas_clipped(d->c, a, d->place.scale + 1, 0, d->place.bars - 1, ROLE_DIM, text);
}

static void draw_strip(const struct drawing *d, int i, struct graph_column *columns, struct area a)
{
	const struct strip *s = &d->look->strips[i];
	struct area label = { a.x, a.y, d->place.label, a.height };
	struct area bars = { a.x + d->place.label, a.y, a.width - d->place.label, a.height };

	if (!s->look.profile || !moment_known(s->look.profile)) {
		draw_label(d, i, label, NULL);
		draw_reason(d, s, bars);
		return;
	}
	draw_bars(d, s, columns, bars);
	draw_moment(d, bars);
	draw_label(d, i, label, columns);
}

/* The axis */

static void draw_time(const struct drawing *d, struct area axis, const char *text, int64_t at)
{
	int cells = (int)text_width(text);

	if (at < 0 || at + cells > axis.width)
		return;
	for (int64_t x = at > 0 ? at - 1 : at; x <= at + cells && x < axis.width; x++) {
		const struct cell *cell = canvas_cell(d->c, axis.x + (int)x, axis.y);

		if (cell && cell->codes[0] != ' ')
			return;
	}
	canvas_text(d->c, axis, (int)at, 0, ROLE_AXIS, text);
}

static void draw_marks(const struct drawing *d, struct area axis)
{
	const struct frame_graph_look *look = &d->look->strips[d->look->focus].look;

	for (int i = 0; look->profile && look->marks && i < FRAME_MARKS; i++) {
		const struct profile_frame *frame = profile_find_frame(look->profile, look->marks[i]);
		int64_t bar = frame && moment_known(look->profile)
				      ? bar_of(d, strips_moment(look->profile, frame, MOMENT_NONE))
				      : -1;

		if (in_sight(d, bar))
			canvas_text(d->c, axis, (int)bar, 0, ROLE_MARK, (char[]){ (char)('a' + i), '\0' });
	}
}

/* How long ago, in steps of so many columns that they are round. */
static void draw_times(const struct drawing *d, struct area axis)
{
	struct age_step step = age_step_from((double)d->view.span * LABEL_APART);
	int64_t first = strips_begin(d->view.first, d->view.span);
	char text[64];

	if (d->view.last == d->view.newest)
		draw_time(d, axis, "now", axis.width - 3);
	for (int64_t left = strips_begin(d->view.last, d->view.span), ago = step.ns;
	     step.ns && d->view.now - ago >= first; ago += step.ns) {
		if (d->view.now - ago > left) {
			/* to the first that is in sight, at once */
			int64_t beyond = d->view.now - left;

			ago = beyond - beyond % step.ns;
			continue;
		}
		age_text(text, sizeof(text), &step, ago, d->look->ascii);
		draw_time(d, axis, text, bar_of(d, d->view.now - ago) - (int64_t)text_width(text) / 2);
	}
}

static void draw_axis(const struct drawing *d, struct area a)
{
	struct area axis = { a.x + d->place.label + d->place.scale, a.y, d->place.bars, 1 };
	const struct figure_unit *unit = figure_unit_for(d->view.span, 1000000000);
	struct figure span = figure_time(d->view.span, 1000000000, unit, 1);
	char text[64];

	if (d->view.lowest > d->view.newest)
		return;
	snprintf(text, sizeof(text), "1 column = %s %s", span.text, figure_unit_name(unit, d->look->ascii));
	if ((int)text_width(text) > a.width - axis.width - 3)
		snprintf(text, sizeof(text), "%s %s", span.text, figure_unit_name(unit, d->look->ascii));
	canvas_clipped(d->c, a, 2, 0, a.width - axis.width - 3, ROLE_DIM, text);
	draw_marks(d, axis);
	if (in_sight(d, d->chosen))
		canvas_text(d->c, axis, (int)d->chosen, 0, ROLE_CHOSEN, d->look->ascii ? "^" : "▲");
	graph_band_mark(&d->band, d->c, axis, d->look->ascii);
	draw_times(d, axis);
}

void strips_draw(const struct strips *g, const struct strips_look *look, struct canvas *c, struct area a)
{
	struct drawing d = { .look = look, .c = c, .a = a, .place = strips_place_in(look, a), .chosen = -1 };
	struct graph_column *columns = array_zeroed((uint64_t)d.place.bars, sizeof(*columns));

	if (!columns || !d.place.shown) {
		free(columns);
		return;
	}
	d.view = strips_view_of(g, look, d.place.bars);
	if (look->moment != MOMENT_NONE)
		d.chosen = bar_of(&d, look->moment);
	if (look->band_from != MOMENT_NONE && look->band_to != MOMENT_NONE)
		d.band = graph_band_of(bar_of(&d, look->band_from), bar_of(&d, look->band_to), d.place.bars);
	for (int i = 0; i < d.place.shown; i++)
		draw_strip(&d, d.place.first + i, columns,
			   (struct area){ a.x, a.y + i * d.place.lines, a.width, d.place.lines });
	draw_axis(&d, (struct area){ a.x, a.y + a.height - 1, a.width, 1 });
	graph_band_select(&d.band, c, (struct area){ a.x + d.place.label + d.place.scale, a.y, d.place.bars, a.height });
	free(columns);
}

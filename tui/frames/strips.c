/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_bars.h"
#include "tui/frames/strips.h"

#define LABEL_LEAST 8
#define LABEL_MOST 26
#define SCALE_CELLS 6
#define SCALE_FROM 60 /* from this width on */
#define LINES_MOST 5  /* of a strip */
#define LINES_USUAL 3
#define HIGH 32       /* a screen from here on has room for more */

#define ZOOM_OF_50_MS 14 /* steps from 1 us */
#define ZOOM_MOST 40

__extension__ typedef __int128 wide;

/* Lines and cells */

/* At most two fifths of the screen, the last line of them for the time. */
int strips_lines(int count, int height)
{
	int room = height * 2 / 5 - 1, most = height >= HIGH ? LINES_MOST : LINES_USUAL, lines;

	if (room < 1 || count < 1)
		return 0;
	lines = room / count < most ? room / count : most;
	return (lines ? lines * count : room) + 1;
}

struct strips_place strips_place_in(const struct strips_look *look, struct area a)
{
	struct strips_place place = { .label = a.width / 4 };
	int room = a.height - 1;

	if (place.label < LABEL_LEAST)
		place.label = LABEL_LEAST;
	if (place.label > LABEL_MOST)
		place.label = LABEL_MOST;
	place.scale = a.width >= SCALE_FROM ? SCALE_CELLS : 0;
	place.bars = a.width - place.label - place.scale;
	if (room < 1 || look->count < 1 || place.bars < 1)
		return (struct strips_place){ .label = place.label };
	place.lines = room >= look->count ? room / look->count : 1;
	place.shown = room / place.lines < look->count ? room / place.lines : look->count;
	place.first = look->focus < place.shown ? 0 : look->focus - place.shown + 1;
	return place;
}

/* Time */

int64_t strips_span(int zoom)
{
	static const int64_t steps[] = { 1000, 2000, 5000 };
	int at = zoom + ZOOM_OF_50_MS;
	int64_t power = 1;

	at = at < 0 ? 0 : at > ZOOM_MOST ? ZOOM_MOST : at;
	for (int i = 0; i < at / 3; i++)
		power *= 10;
	return steps[at % 3] * power;
}

int64_t strips_column(int64_t moment, int64_t span)
{
	return moment / span - (moment % span < 0);
}

/* The moment at which a column begins. */
static int64_t strips_begin(int64_t column, int64_t span)
{
	wide begin = (wide)column * span;

	if (begin < -MOMENT_FARTHEST)
		return -MOMENT_FARTHEST;
	return begin > MOMENT_FARTHEST ? MOMENT_FARTHEST : (int64_t)begin;
}

int64_t strips_moment(const struct profile *p, const struct profile_frame *frame, int64_t moment)
{
	int64_t start = moment_of(p, frame->start), end = moment_of(p, frame_end(frame));

	if (start == MOMENT_NONE || (moment >= start && moment < end))
		return moment_known(p) ? moment : MOMENT_NONE;
	return start + (end - start) / 2;
}

/* The first and the last moment of all. False: none is known. */
static bool span_of_all(const struct strips_look *look, int64_t *first, int64_t *last)
{
	bool any = false;

	for (int i = 0; i < look->count; i++) {
		const struct profile *p = look->strips[i].look.profile;
		int64_t from, to, now;

		if (!p || !moment_span(p, &from, &to))
			continue;
		now = moment_of(p, p->now_tick);
		to = to < now ? now : to;
		*first = any && *first < from ? *first : from;
		*last = any && *last > to ? *last : to;
		any = true;
	}
	return any;
}

static struct strips_view strips_view_of(const struct strips *g, const struct strips_look *look, int bars)
{
	struct strips_view v = { .span = strips_span(g->zoom), .newest = -1 };
	int64_t first, least;

	if (!span_of_all(look, &first, &v.now))
		return v;
	v.lowest = strips_column(first, v.span);
	/* what ends with a column is in it */
	v.newest = strips_column(v.now > first ? v.now - 1 : v.now, v.span);
	v.last = g->right == MOMENT_NONE ? v.newest : strips_column(g->right, v.span);
	least = v.lowest + bars - 1 < v.newest ? v.lowest + bars - 1 : v.newest;
	v.last = v.last < least ? least : v.last < v.newest ? v.last : v.newest;
	v.first = v.last - bars + 1;
	return v;
}

struct graph_column strips_column_at(const struct strip *s, int64_t column, int64_t span)
{
	const struct profile *p = s->look.profile;
	struct graph_column c = { 0 };
	uint32_t count = 0, first = 0;

	if (p)
		first = moment_frames(p, strips_begin(column, span), strips_begin(column + 1, span), &count);
	for (uint32_t i = first; i < first + count; i++)
		graph_column_add(&c, &p->frames[i], p->frames[i].length, s->look.budget);
	return c;
}

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

/* Finds the strip and the time under the pointer, and views another time. */

#define ZOOM_IN_MOST (-14) /* 1 us a column */
#define ZOOM_OUT_MOST 26

/* Puts this column at the right. */
static void settle_at(struct strips *g, const struct strips_look *look, int bars, int64_t last)
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
	settle_at(g, look, bars, strips_column(kept, strips_span(g->zoom)) + from_right);
}

void strips_pan(struct strips *g, const struct strips_look *look, struct area a, int columns)
{
	int bars = strips_place_in(look, a).bars;

	settle_at(g, look, bars, strips_view_of(g, look, bars).last + columns);
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
	settle_at(g, look, bars, to + (bars - 1 - (to - from)) / 2);
}

void strips_reveal(struct strips *g, const struct strips_look *look, struct area a, int64_t moment)
{
	int bars = strips_place_in(look, a).bars;
	struct strips_view v = strips_view_of(g, look, bars);
	int64_t column = strips_column(moment, v.span);

	if (moment == MOMENT_NONE || !bars)
		return;
	if (column > v.last)
		settle_at(g, look, bars, column);
	else if (column < v.first)
		settle_at(g, look, bars, column + bars - 1);
}

/* SPDX-License-Identifier: MIT */
/*
 * frame_axis: the line below the frame graph: how long ago, which frames are marked, which is shown.
 *
 * Times are counted back from the end of the newest frame. A label stands around the column of the
 * frame that was running then. Frames last as long as they like, so that labels need not be evenly
 * apart: one that would run into its neighbour, or into a mark, is left out.
 */
#include <stdio.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/table/event_table.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_columns.h"
#include "tui/frames/instants.h"

/*
 * Notes and events on the time axis of the frame graph.
 *
 * An event in more than every fourth visible column is routine and gets no sign: signs everywhere would say
 * nothing. On a graph of many lines they have a line of their own. Else notes go before the times on the axis,
 * which stand aside for them, and events stand where these leave room, with a blank between.
 */

/* Signs for notes and events on that axis. */
struct graph_news {
	const struct graph_strip *strip;
	const struct graph_view *view;
	const struct graph_place *place;
	struct canvas *c;
	struct area a;
	bool ascii;
	int from; /* bar; signs of events stand there and to the right of it */
	bool apart; /* they share the line with the times: one that is beside what stands there is left out */
	struct instants_kinds kinds;
};

/* The ticks of a column's frames: (from, to]; false: it has none. */
static bool ticks_of_column(const struct graph_strip *s, int64_t column, int64_t *from, int64_t *to)
{
	uint32_t count, first = graph_frames_in(s, column, &count);

	if (!count)
		return false;
	*from = s->p->frames[first].start;
	*to = frame_end(&s->p->frames[first + count - 1]);
	return true;
}

static const struct cell *axis_cell(const struct graph_news *n, int bar)
{
	bool inside = bar >= 0 && bar < n->place->bars;

	return inside ? canvas_cell(n->c, n->a.x + n->place->left + bar, n->a.y + n->place->rows) : NULL;
}

static bool is_bar_free(const struct graph_news *n, int bar)
{
	const struct cell *cell = axis_cell(n, bar);

	return cell && cell->codes[0] == ' ';
}

/* True if a part of a label is there: a sign beside it would look like one more part. */
static bool is_label_part(const struct graph_news *n, int bar)
{
	const struct cell *cell = axis_cell(n, bar);

	return cell && cell->codes[0] != ' ' && (cell->role == ROLE_AXIS || cell->role == ROLE_DIM);
}

/* Looks at what is in sight. False: there is nothing, or no memory; nothing is to be ended. */
static bool graph_news_begin(struct graph_news *n)
{
	int64_t from, to;

	n->kinds = (struct instants_kinds){ 0 };
	if (!n->strip->p || !n->strip->p->instant_count || !instants_kinds_init(&n->kinds, n->strip->p))
		return false;
	for (int i = 0; i < n->place->bars; i++)
		if (ticks_of_column(n->strip, n->view->first + i, &from, &to))
			instants_meet(&n->kinds, n->strip->p, from, to, (uint32_t)i);
	return true;
}

/* `beside`: the bar to the left of it has a sign that was drawn a moment ago. */
static bool has_sign_room(const struct graph_news *n, int bar, bool notes, bool beside)
{
	if (notes || !n->apart)
		return is_bar_free(n, bar);
	return is_bar_free(n, bar) && !is_label_part(n, bar + 1) && (beside || !is_label_part(n, bar - 1));
}

/* Signs for notes, or for events in columns without a note, where nothing is drawn yet. */
static void graph_news_draw(const struct graph_news *n, bool notes)
{
	bool beside = false;
	int64_t from, to;

	for (int i = notes ? 0 : n->from; i < n->place->bars; i++) {
		beside = has_sign_room(n, i, notes, beside) && ticks_of_column(n->strip, n->view->first + i, &from, &to) &&
			 instants_news(&n->kinds, n->strip->p, from, to, (uint32_t)n->place->bars) == 1 + notes;
		if (beside)
			canvas_text(n->c, n->a, n->place->left + i, n->place->rows,
				    notes ? ROLE_MARK : ROLE_AXIS, event_sign(notes, n->ascii));
	}
}

static void graph_news_end(struct graph_news *n)
{
	instants_kinds_fini(&n->kinds);
}

__extension__ typedef unsigned __int128 wide;

#define LABEL_APART 14    /* cells from one to the next, at least where frames are even */
#define ASIDE 4           /* cells that a label may stand aside for a sign */
#define LEGEND_PART 2     /* so much of the axis is for times at least, of one */
#define KEPT_CELLS 5      /* `kept`, and a blank */
#define OVER_FROM 40      /* bars from which on there is room to say how many are over the budget */
#define PIN_CELLS 18      /* of the legend of a pin, at most */

/* The axis that labels are drawn into. */
struct axis {
	const struct graph_strip *strip;
	const struct graph_view *view;
	const struct graph_place *place;
	const struct frame_graph_look *look;
	const struct graph_column *columns;
	struct canvas *c;
	struct area a;
	int y, signs;    /* the lines of times and of signs: one, or two */
	int left, right; /* labels may be in [left, right) */
};

/* Cell of a frame's column; outside of the bars when it is not in sight. */
static int64_t cell_of(const struct axis *x, uint64_t number)
{
	return x->place->left + graph_column_of(x->strip, number) - x->view->first;
}

static bool in_bars(const struct axis *x, int64_t cell)
{
	return cell >= x->place->left && cell < x->place->left + x->place->bars;
}

/* Index of the last frame of [first, end) that began at that tick or before; else first. */
static uint32_t running_at(const struct profile *p, uint32_t first, uint32_t end, int64_t tick)
{
	return first < end ? SEARCH(i, first + 1, end, p->frames[i].start <= tick) - 1 : first;
}

/* True if the place is free, with a blank before and behind it. */
static bool is_free(const struct axis *x, int at, int cells)
{
	for (int i = at > x->left ? at - 1 : at; i <= at + cells && i < x->right; i++) {
		const struct cell *cell = canvas_cell(x->c, x->a.x + i, x->a.y + x->y);

		if (cell && cell->codes[0] != ' ')
			return false;
	}
	return true;
}

static bool is_inside(const struct axis *x, int64_t at, int cells)
{
	return at >= x->left && at + cells <= x->right;
}

static bool put_label(const struct axis *x, const char *text, int64_t at)
{
	int cells = (int)text_width(text);

	if (!is_inside(x, at, cells) || !is_free(x, (int)at, cells))
		return false;
	canvas_text(x->c, x->a, (int)at, x->y, ROLE_AXIS, text);
	return true;
}

/* True if only signs are in a label's way. */
static bool has_signs(const struct axis *x, int at, int cells)
{
	for (int i = at - 1; i <= at + cells; i++) {
		const struct cell *cell = canvas_cell(x->c, x->a.x + i, x->a.y + x->y);

		if (cell && cell->codes[0] != ' ' && cell->role != ROLE_MARK && cell->role != ROLE_CHOSEN)
			return false;
	}
	return true;
}

/* Where a sign has its place already, a label stands a little aside. */
static void draw_label(const struct axis *x, const char *text, int64_t at)
{
	int cells = (int)text_width(text);

	if (!is_inside(x, at, cells) || !has_signs(x, (int)at, cells))
		return;
	for (int aside = 0; aside <= ASIDE; aside++)
		if (put_label(x, text, at - aside) || put_label(x, text, at + aside))
			return;
}

static int64_t ticks_of(int64_t ns, uint64_t ticks_per_s)
{
	wide ticks = (wide)(uint64_t)ns * ticks_per_s / 1000000000;

	return ticks < INT64_MAX ? (int64_t)ticks : INT64_MAX;
}

/* Labels of the frames [first, end), which are in sight; the newest frame ended at `now`. */
static void draw_times(const struct axis *x, uint32_t first, uint32_t end, int cells, int64_t now)
{
	const struct profile *p = x->strip->p;
	int64_t youngest = format_ns(now - frame_end(&p->frames[end - 1]), p->ticks_per_s);
	int64_t oldest = format_ns(now - p->frames[first].start, p->ticks_per_s);
	struct age_step step;
	char text[64];

	if (youngest < 0 || oldest <= youngest)
		return;
	step = age_step_from((double)(oldest - youngest) * LABEL_APART / cells);
	if (!step.ns)
		return;
	for (int64_t ns = youngest - youngest % step.ns; oldest - ns > step.ns;) {
		ns += step.ns; /* never beyond the oldest, however hostile that is */
		int64_t tick = now - ticks_of(ns, p->ticks_per_s);
		age_text(text, sizeof(text), &step, ns, x->look->ascii);
		draw_label(x, text,
			   cell_of(x, p->frames[running_at(p, first, end, tick)].number) -
				   (int64_t)text_width(text) / 2);
	}
}

/* Labels of the part of the ring that is in sight. */
static void draw_ring_times(const struct axis *x)
{
	const struct profile *p = x->strip->p;
	int64_t from = x->view->first > 0 ? x->view->first : 0, now;
	uint32_t first, end, count;

	if (x->view->last < from || x->strip->newest < 0)
		return;
	first = profile_frame_index(p, (x->strip->base + (uint64_t)from) << x->strip->zoom);
	first = first < x->strip->kept ? x->strip->kept : first;
	end = graph_frames_in(x->strip, x->view->last, &count);
	end = count ? end + count
		    : profile_frame_index(p, graph_number_of(x->strip, x->view->last, true));
	now = frame_end(&p->frames[p->frame_count - 1]);
	if (first < end && now >= p->frames[first].start)
		draw_times(x, first, end, (int)(x->view->last - from + 1), now);
}

/* How a label says an age: in tenths of hours, in minutes, in tenths of seconds. */
static struct age_step step_of_age(int64_t ns)
{
	static const struct age_step steps[] = {
		{ 0, 360000000000, true, "h", "h" },
		{ 0, 60000000000, false, "min", "min" },
		{ 0, 100000000, true, "s", "s" },
	};

	return steps[ns >= 3600000000000 ? 0 : ns >= 120000000000 ? 1 : 2];
}

/* Labels of frames that were kept alone. They are of no even time: each label says what its own column is. */
static void draw_kept_times(const struct axis *x)
{
	const struct profile *p = x->strip->p;
	int64_t from = x->view->first > x->strip->lowest ? x->view->first : x->strip->lowest;
	int64_t now = p->frame_count ? frame_end(&p->frames[p->frame_count - 1]) : 0;
	char text[64];

	for (int64_t column = from; column <= x->view->last && column < GRAPH_GAP;
	     column += LABEL_APART) {
		uint32_t count, i = graph_frames_in(x->strip, column, &count);
		int64_t age = count ? now - p->frames[i].start : -1, at;
		struct age_step step;

		if (age < 0)
			continue;
		age = format_ns(age, p->ticks_per_s);
		step = step_of_age(age);
		age_text(text, sizeof(text), &step, age, x->look->ascii);
		at = x->place->left + column - x->view->first - (int64_t)text_width(text) / 2;
		draw_label(x, text, at < x->left ? x->left : at);
	}
}

/* Labels the part left of the gap, which has retained frames only. */
static void draw_kept(const struct axis *x)
{
	int64_t gap = x->place->left + GRAPH_GAP - x->view->first;

	if (x->strip->lowest < GRAPH_GAP && gap - KEPT_CELLS >= x->left && gap < x->right)
		put_label(x, "kept", gap - KEPT_CELLS);
}

/* The meaning of the columns, left of the times */

static bool put_legend(struct axis *x, int end, const char *text)
{
	int cells = (int)text_width(text);

	if (x->left + cells > end || !is_free(x, x->left, cells))
		return false;
	x->left += canvas_text(x->c, x->a, x->left, x->y, ROLE_DIM, text) + 2;
	return true;
}

/* Where the newest frame of the profile is. A paused copy ends where the view was paused. */
static void put_newest(struct axis *x)
{
	const char *word = x->look->profile->process.state != PROFILE_LIVE ? "end" : x->look->chosen ? "pause" : "now";

	put_label(x, word, x->right - (int64_t)strlen(word));
}

static void put_over(struct axis *x, int end)
{
	uint64_t frames = 0, over = 0;
	char text[64];

	for (int i = 0; i < x->place->bars; i++) {
		if (x->view->first + i < GRAPH_GAP) /* they were kept for being long */
			continue;
		frames += x->columns[i].frames;
		over += x->columns[i].over;
	}
	if (!frames)
		return;
	snprintf(text, sizeof(text), "%s over budget", figure_percent((double)over, (double)frames).text);
	put_legend(x, end, text);
}

static void put_zoom(struct axis *x, int end)
{
	struct figure count = figure_grouped(UINT64_C(1) << x->strip->zoom);
	char text[64];

	snprintf(text, sizeof(text), "1 column = %s frames, max", count.text);
	if (put_legend(x, end, text))
		return;
	snprintf(text, sizeof(text), "%s%s", x->look->ascii ? "x" : "×", count.text);
	put_legend(x, end, text);
}

static void put_pins(struct axis *x, int end)
{
	for (int i = 0; i < PINS_MOST; i++) {
		int most = end - x->left < PIN_CELLS ? end - x->left : PIN_CELLS;
		int cells = is_free(x, x->left, most)
				    ? graph_pin_draw(x->look, i, x->c, x->a, x->left, x->y, most) : 0;

		x->left += cells ? cells + 2 : 0;
	}
}

static void draw_legend(struct axis *x)
{
	int end = x->left + x->place->bars / LEGEND_PART;

	if (x->strip->zoom)
		put_zoom(x, end);
	if (x->look->budget > 0 && x->place->bars >= OVER_FROM)
		put_over(x, end);
	put_pins(x, end);
}

static void draw_marks(const struct axis *x)
{
	for (int i = 0; x->look->marks && i < FRAME_MARKS; i++) {
		uint64_t number = x->look->marks[i];
		int64_t cell = number ? cell_of(x, number) : -1;

		if (in_bars(x, cell) && profile_find_frame(x->strip->p, number))
			canvas_text(x->c, x->a, (int)cell, x->signs, ROLE_MARK,
				    (char[]){ (char)('a' + i), '\0' });
	}
}

static void draw_chosen(const struct axis *x)
{
	uint64_t number = x->look->chosen;
	int64_t cell = number ? cell_of(x, number) : -1;

	if (in_bars(x, cell) && profile_find_frame(x->strip->p, number))
		canvas_text(x->c, x->a, (int)cell, x->signs, ROLE_CHOSEN, x->look->ascii ? "^" : "▲");
}

void graph_axis_draw(const struct graph_strip *s, const struct graph_view *view,
		     const struct graph_place *place, const struct graph_column *columns,
		     const struct frame_graph_look *look, struct canvas *c, struct area a)
{
	struct axis x = { s, view, place, look, columns, c, a, place->rows + place->signs, place->rows,
			  place->left, place->left + place->bars };
	struct graph_news news = { s, view, place, c, a, look->ascii, 0, !place->signs, { 0 } };
	bool any;

	if (look->focused)
		canvas_text(c, a, 0, x.y, ROLE_TAB_OPEN, ">");
	draw_marks(&x);
	draw_chosen(&x);
	any = graph_news_begin(&news);
	if (any)
		graph_news_draw(&news, true);
	draw_legend(&x);
	if (view->last == s->newest && s->newest >= 0)
		put_newest(&x);
	draw_ring_times(&x);
	draw_kept_times(&x);
	draw_kept(&x);
	if (!any)
		return;
	news.from = place->signs ? 0 : x.left - place->left;
	graph_news_draw(&news, false);
	graph_news_end(&news);
}

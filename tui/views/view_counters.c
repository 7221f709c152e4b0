/* SPDX-License-Identifier: MIT */
/*
 * view_counters: a row a counter, and below the table the one of the cursor frame by frame.
 *
 * Live, a row is of the frames that are in sight in the frame graph; paused, of the frame that is shown.
 * The slots of averages choose more or less: the newest frame, all that are held, the whole run.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/table/counter_table.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_columns.h"
#include "tui/views/view.h"
#include "tui/widgets/table.h"

/*
 * The graph of a counter, frame by frame, as bars whose columns stand below those of the frame graph.
 *
 *   entities   min 0   max 1 204   frame 171: 980
 *   1.2k|          ####      ####
 *       |   ####:::####::::######
 *      0|...####################.
 *
 * A column shows the most that it was in its frames. The scale has the 0, or is from the least to the most in sight. What is
 * below 0 hangs from it: from a line that has 0 at its lower border, or from the upper edge where nothing is above 0. A column in
 * which it was both has two bars. Columns in which it kept its value are dim; where it is not known there is nothing.
 *
 *   offset   min -4   max 2
 *      2|   #      ##
 *      0|__:##____###____
 *       |##   #"      "##
 *     -4|#    '        #
 */

#define EIGHTHS 8
#define SPARK_FRAMES 4  /* of a cell */
#define BREAK_PART 8   /* a span of less than this part of the most is looked at without the 0 */

/* The range of a counter in some frames. */
struct range {
	bool known, changed;
	double least, most;
	union profile_number exact_least, exact_most;
};

struct drawing {
	const struct counter_row *row;
	const struct look *look;
	const struct profile *p;
	struct canvas *c;
	struct area a; /* of the bars */
	struct graph_place place;
	struct graph_strip strip;
	struct graph_view view;
	uint32_t first, count;        /* frames in sight */
	struct counter_value *values; /* of each column */
	struct range all;
	double bottom, top; /* the least and the most of the scale */
	bool broken;        /* the scale has no 0 */
	/* Bars go up and down from the lower border of line `up`, of those of cells: from 0, or from the end of a broken
	 * scale that is nearer to it. */
	int up;
	double base, above, below; /* there, and at the uppermost and the lowest border */
};

static bool is_real(const struct profile *p, const struct counter_row *row)
{
	return p->counters[row->counter].real;
}

static double number_of(union profile_number n, bool real)
{
	return real ? n.real : (double)n.whole;
}

/* One that is no number is as good as not known. */
static void add_to_range(struct range *r, const struct counter_value *v, bool real)
{
	double least = number_of(v->least, real), most = number_of(v->most, real);

	if (!v->known || !isfinite(least) || !isfinite(most))
		return;
	if (!r->known || least < r->least) {
		r->least = least;
		r->exact_least = v->least;
	}
	if (!r->known || most > r->most) {
		r->most = most;
		r->exact_most = v->most;
	}
	r->changed |= v->changed;
	r->known = true;
}

/* How far from one value to another a third one lies, in eighths of a cell, of `most` that there are: at least 1. It is
 * reckoned in halves, so that the span of the largest numbers is one. */
static int height_of(double value, double from, double to, int most)
{
	double part = from != to ? (value / 2 - from / 2) / (to / 2 - from / 2) : 0;
	int height = (int)lround((part < 0 ? 0 : part > 1 ? 1 : part) * most);

	return height > 1 ? height : 1;
}

/* Both sides of 0 have the same scale, and lines as they need. */
static void share_lines(struct drawing *d)
{
	int rows = d->place.rows;
	double part = d->top / 2 / (d->top / 2 - d->bottom / 2), line;

	d->up = (int)lround(part * rows);
	d->up = d->up < 1 ? 1 : d->up >= rows ? rows - 1 : d->up;
	line = fmax(d->top / d->up, -d->bottom / (rows - d->up));
	d->above = fmin(line * d->up, DBL_MAX);
	d->below = fmax(-line * (rows - d->up), -DBL_MAX);
}

static void find_base(struct drawing *d)
{
	d->above = d->top;
	d->below = d->bottom;
	d->up = d->top > 0 || d->bottom >= 0 ? d->place.rows : 0;
	d->base = d->up ? d->bottom : d->top;
	if (d->bottom < 0 && d->top > 0 && !d->broken && d->place.rows > 1) {
		d->base = 0;
		share_lines(d);
	}
}

/* From 0, or from the other side up to 0. Values that differ by less than one could see then have the scale for
 * themselves, and it is drawn broken. */
static void find_scale(struct drawing *d)
{
	const struct range *r = &d->all;
	double most = r->most > -r->least ? r->most : -r->least;

	d->top = r->most > 0 ? r->most : 0;
	d->bottom = r->least < 0 ? r->least : 0;
	d->broken = r->least < r->most && r->most / 2 - r->least / 2 < most / 2 / BREAK_PART;
	if (d->broken) {
		d->top = r->most;
		d->bottom = r->least;
	}
	find_base(d);
}

static void put_label(const struct drawing *d, int y, double value)
{
	struct figure f = figure_short(value);

	if (d->place.left <= FIGURE_SHORT)
		return;
	canvas_text(d->c, d->a, FIGURE_SHORT - (int)strlen(f.text), y, ROLE_AXIS, f.text);
	canvas_fix_minus(d->c, (struct area){ d->a.x, d->a.y + y, FIGURE_SHORT, 1 });
}

/* Whether there are bars on both sides of 0. */
static bool has_two_sides(const struct drawing *d)
{
	return d->up > 0 && d->up < d->place.rows;
}

/* The lines in which the longest bars end. */
static int highest_row(const struct drawing *d)
{
	return d->up ? d->up - 1 - (height_of(d->top, d->base, d->above, d->up * EIGHTHS) - 1) / EIGHTHS : 0;
}

static int lowest_row(const struct drawing *d)
{
	int down = d->place.rows - d->up;

	return down ? d->up + (height_of(d->bottom, d->base, d->below, down * EIGHTHS) - 1) / EIGHTHS : d->place.rows - 1;
}

static void draw_labels(const struct drawing *d)
{
	int high = highest_row(d), low = lowest_row(d), zero = high < d->up - 1 ? d->up - 1 : d->up;

	if (d->top > d->bottom)
		put_label(d, high, d->top);
	if (d->top == d->bottom || high < low)
		put_label(d, low, d->bottom);
	if (has_two_sides(d) && zero < low)
		put_label(d, zero, 0);
}

static void draw_scale(const struct drawing *d)
{
	bool ascii = d->look->ascii;
	int rows = d->place.rows;

	for (int y = 0; y < rows && d->place.left; y++)
		canvas_text(d->c, d->a, d->place.left - 1, y, ROLE_AXIS, ascii ? "|" : "│");
	if (d->broken && d->place.left)
		canvas_text(d->c, d->a, d->place.left - 1, d->up ? rows - 1 : 0, ROLE_AXIS, ascii ? ":" : "┆");
	if (d->all.known)
		draw_labels(d);
}

/* Where bars go up from it and down, 0 is a line. */
static void draw_zero(const struct drawing *d)
{
	if (!has_two_sides(d))
		return;
	for (int i = 0; i < d->place.bars; i++)
		canvas_text(d->c, d->a, d->place.left + i, d->up - 1, ROLE_AXIS, d->look->ascii ? "_" : "▁");
}

static bool is_chosen(const struct drawing *d, int64_t column)
{
	uint64_t chosen = d->look->frames.chosen;

	return chosen && profile_find_frame(d->p, chosen) &&
	       graph_column_of(&d->strip, chosen) == column;
}

static void draw_up(const struct drawing *d, int x, double value, enum role role)
{
	int height = height_of(value, d->base, d->above, d->up * EIGHTHS);

	for (int row = 0; row < d->up && height > row * EIGHTHS; row++)
		canvas_text(d->c, d->a, x, d->up - 1 - row, role, graph_filled(height - row * EIGHTHS, d->look->ascii));
}

/* The upper part of a cell: there are characters for an eighth and for a half of it. */
static const char *hanging_bar(int eighths, bool ascii)
{
	static const char *const glyphs[2][3] = { { "▔", "▀", "█" }, { "'", "\"", "#" } };

	return glyphs[ascii][eighths >= 7 ? 2 : eighths >= 3];
}

static void draw_down(const struct drawing *d, int x, double value, enum role role)
{
	int height = height_of(value, d->base, d->below, (d->place.rows - d->up) * EIGHTHS);

	for (int row = 0; d->up + row < d->place.rows && height > row * EIGHTHS; row++)
		canvas_text(d->c, d->a, x, d->up + row, role, hanging_bar(height - row * EIGHTHS, d->look->ascii));
}

static void draw_column(const struct drawing *d, int i)
{
	int x = d->place.left + i;
	struct range r = { 0 };
	enum role role;

	add_to_range(&r, &d->values[i], is_real(d->p, d->row));
	role = is_chosen(d, d->view.first + i) ? ROLE_CHOSEN : r.changed ? ROLE_GRAPH : ROLE_DIM;

	if (!r.known)
		return;
	if (d->up && (!has_two_sides(d) || r.most > 0 || r.least >= 0))
		draw_up(d, x, r.most, role);
	if (!d->up || (has_two_sides(d) && r.least < 0))
		draw_down(d, x, r.least, role);
}

static void say_value(const struct drawing *d, struct fields *f, uint64_t frame)
{
	uint32_t i = profile_frame_index(d->p, frame);
	struct counter_value v;
	char text[64];

	if (i - d->first >= d->count)
		return;
	v = counters_in_frame(d->p, d->row->counter, d->row->thread, &d->p->frames[i]);
	counter_text(d->p, d->row->counter, v.last, v.known, text, sizeof(text));
	fields_add(f, ROLE_CHOSEN, 1, "frame %s: %s", figure_grouped(frame).text, text);
}

static void draw_caption(const struct drawing *d, struct area a)
{
	struct fields f = { .gap = 3 };
	char *name = name_shown(d->row->name, d->look->ascii), text[64];

	fields_add(&f, ROLE_NAME, 0, "%s", name ? name : "?");
	free(name);
	if (d->all.known) {
		counter_text(d->p, d->row->counter, d->all.exact_least, true, text, sizeof(text));
		fields_add(&f, ROLE_LABEL, 2, "min %s", text);
		counter_text(d->p, d->row->counter, d->all.exact_most, true, text, sizeof(text));
		fields_add(&f, ROLE_LABEL, 3, "max %s", text);
	} else {
		fields_add(&f, ROLE_DIM, 2, "not known in any visible frame");
	}
	if (d->look->frames.chosen)
		say_value(d, &f, d->look->frames.chosen);
	fields_draw(&f, d->c, a, 0);
	canvas_fix_minus(d->c, (struct area){ a.x, a.y, a.width, 1 });
}

/* False: there are no frames in sight. */
static bool begin_drawing(struct drawing *d, const struct counter_row *row, const struct look *look)
{
	*d = (struct drawing){ .row = row, .look = look, .p = look->profile };
	if (!row || !look->profile || row->counter >= look->profile->counter_count)
		return false;
	d->first = frame_graph_sight(&look->graph, &look->frames, look->graph_area, &d->count);
	return d->count > 0;
}

/* Finds the range of the counter in each column. False: no memory. */
static bool look_at_columns(struct drawing *d)
{
	int bars = d->place.bars;
	struct counter_span *spans = array_zeroed((uint64_t)bars, sizeof(*spans));

	d->values = spans ? array_zeroed((uint64_t)bars, sizeof(*d->values)) : NULL;
	for (int i = 0; i < bars && d->values; i++)
		spans[i].first = graph_frames_in(&d->strip, d->view.first + i, &spans[i].count);
	if (d->values)
		counters_in_spans(d->p, d->row->counter, d->row->thread, spans, (uint32_t)bars, d->values);
	for (int i = 0; i < bars && d->values; i++)
		add_to_range(&d->all, &d->values[i], is_real(d->p, d->row));
	free(spans);
	return d->values;
}

/* Draws the counter of a row into the area: a line of text, and bars below it. `row` NULL: nothing. */
static void counter_graph_draw(const struct counter_row *row, const struct look *look, struct canvas *c,
			struct area a)
{
	struct drawing d;

	if (a.height < 2 || !begin_drawing(&d, row, look))
		return;
	d.c = c;
	d.a = (struct area){ a.x, a.y + 1, a.width, a.height - 1 };
	d.place = graph_place_below(d.a);
	d.strip = graph_strip_of(d.p, look->graph.zoom);
	d.view = graph_view_of(&look->graph, &d.strip, d.place.bars);
	if (!look_at_columns(&d))
		return;
	find_scale(&d);
	draw_caption(&d, (struct area){ a.x + 1, a.y, a.width - 1, 1 });
	draw_scale(&d);
	if (d.all.known)
		draw_zero(&d);
	for (int i = 0; i < d.place.bars; i++)
		draw_column(&d, i);
	free(d.values);
}

/* The held frame in sight in which it was most; 0: it is not known in any. */
static uint64_t counter_graph_peak(const struct counter_row *row, const struct look *look)
{
	struct drawing d;
	struct counter_value *values;
	uint64_t found = 0;
	double most = 0;

	if (!begin_drawing(&d, row, look))
		return 0;
	values = array_zeroed(d.count, sizeof(*values));
	if (values)
		counters_in_frames(d.p, row->counter, row->thread, d.first, d.count, values);
	for (uint32_t i = 0; values && i < d.count; i++) {
		struct range r = { 0 };

		add_to_range(&r, &values[i], is_real(d.p, row));
		if (r.known && (!found || r.most > most)) {
			most = r.most;
			found = d.p->frames[d.first + i].number;
		}
	}
	free(values);
	return found;
}

/* The trend of a row */

/* Scales a value between the least and the greatest visible one to the steps of a cell. */
static int step_of(double value, const struct range *all)
{
	if (all->least == all->most)
		return EIGHTHS / 2 + 1;
	return 1 + (int)lround((value / 2 - all->least / 2) / (all->most / 2 - all->least / 2) * (EIGHTHS - 1));
}

static void put_cell(char **out, const char *glyph)
{
	size_t length = strlen(glyph);

	memcpy(*out, glyph, length);
	*out += length;
}

/* Values of the newest frames as a line of small bars, the newest at the right: `cells` cells of at most 3 bytes,
 * and a NUL, into `out`. `end` is the index behind the newest frame. */
static void counter_spark(const struct profile *p, const struct counter_row *row, uint32_t end, uint32_t cells,
		   bool ascii, char *out)
{
	uint32_t count = cells * SPARK_FRAMES < end ? cells * SPARK_FRAMES : end;
	struct counter_value *values = array_zeroed(count, sizeof(*values));
	bool real = is_real(p, row);
	struct range all = { 0 };

	if (values)
		counters_in_frames(p, row->counter, row->thread, end - count, count, values);
	for (uint32_t i = 0; i < count && values; i++)
		add_to_range(&all, &values[i], real);
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t behind = (cells - cell) * SPARK_FRAMES;
		struct range r = { 0 };

		for (uint32_t i = 0; i < SPARK_FRAMES && values; i++)
			if (count + i >= behind)
				add_to_range(&r, &values[count + i - behind], real);
		put_cell(&out, r.known ? graph_filled(step_of(r.most, &all), ascii) : " ");
	}
	*out = '\0';
	free(values);
}

#define GRAPH_FROM 10 /* lines of the view, from where on there is a graph */
#define GRAPH_LEAST 4 /* its lines */
#define GRAPH_MOST 14

struct counters {
	struct view view;
	char scope[96];
};

/* A bar is at most 3 bytes. */
static void draw_trend(const struct counter_table *t, const struct counter_row *row, uint32_t cells, bool ascii, char *out)
{
	counter_spark(t->p, row, t->frames_end, cells, ascii, out);
}

/* What is looked at */

/* Held frames [*first, *first + *count), none: the whole run. */
static void frames_of(const struct look *look, uint32_t *first, uint32_t *count)
{
	const struct query_options *o = query_options(look->query);

	query_frames(look->query, first, count);
	if (o->first || !*count)
		return;
	if (o->average == AVERAGE_RUN) {
		*count = 0;
	} else if (!o->frame && o->average == AVERAGE_NOW) {
		*first += *count - 1;
		*count = 1;
	} else if (!o->frame && o->average == AVERAGE_FAST) {
		*first = frame_graph_sight(&look->graph, &look->frames, look->graph_area, count);
	}
}

static void say_scope(struct counters *v, const struct look *look, uint32_t count)
{
	const struct query_options *o = query_options(look->query);

	if (!count)
		snprintf(v->scope, sizeof(v->scope), "the whole run");
	else if (o->first)
		snprintf(v->scope, sizeof(v->scope), "%s selected frames", figure_grouped(count).text);
	else if (o->frame)
		snprintf(v->scope, sizeof(v->scope), "this frame");
	else if (o->average == AVERAGE_NOW)
		snprintf(v->scope, sizeof(v->scope), "the newest frame");
	else
		snprintf(v->scope, sizeof(v->scope), o->average == AVERAGE_FAST ? "%s visible frames" : "%s frames in the history",
			 figure_grouped(count).text);
}

static struct counter_options options_of(const struct view *v, const struct look *look, uint32_t first,
					 uint32_t frames)
{
	const struct profile *p = look->profile;
	struct counter_options o = { .from = 1, .to = 0, .sort = COUNTER_COLUMNS,
				     .invert = v->invert, .filter = look->filter };

	if (v->sort != VIEW_OWN_SORT)
		o.sort = (enum counter_column)v->sort;
	o.frames = profile_run_frames(p);
	if (frames)
		counters_cover(&o, p, first, frames);
	return o;
}

static void say_nothing(struct view *v, const struct look *look)
{
	if (look->filter && *look->filter && look->profile->counter_count)
		snprintf(v->why, sizeof(v->why), "no match for the filter");
	else
		snprintf(v->why, sizeof(v->why),
			 "no counters. The program can set one: Prof_Counter_Set(name, value)");
}

static const struct counter_report *report_of(const struct view *v)
{
	const struct counter_table *t = (const struct counter_table *)v->table.rows;

	return t ? t->report : NULL;
}

/* NULL: `why` says why. */
static struct counter_table *make_table(struct view *v, const struct look *look)
{
	struct counter_table *t = calloc(1, sizeof(*t));
	struct counter_report *report;
	struct counter_options o;
	uint32_t first, frames;

	frames_of(look, &first, &frames);
	say_scope((struct counters *)v, look, frames);
	o = options_of(v, look, first, frames);
	if (view_keeps_order(v, look))
		o.before = report_of(v);
	report = t ? counters_make(look->profile, &o, v->why, sizeof(v->why)) : NULL;
	if (!report) {
		free(t);
		return NULL;
	}
	counter_table_init(t, look->profile, report);
	t->draw_trend = draw_trend;
	t->frames_end = frames ? first + frames : look->profile->frame_count;
	return t;
}

static bool counters_refresh(struct view *v, const struct look *look)
{
	struct counter_table *t;

	*v->why = '\0';
	t = look->query ? make_table(v, look) : NULL;
	table_take(&v->table, t ? &t->table : NULL);
	if (t && !t->table.count)
		say_nothing(v, look);
	else if (t)
		*v->why = '\0';
	return t;
}

static const struct counter_row *row_of(const struct view *v)
{
	return v->table.at < table_count(&v->table) ? &report_of(v)->rows[v->table.at] : NULL;
}

/* Lines of the graph below a table: a third, more where the table leaves more. */
static int graph_lines(const struct view *v, int height)
{
	int left = height - (int)table_count(&v->table) - 2, lines = height / 3;

	if (height < GRAPH_FROM || !table_count(&v->table))
		return 0;
	if (left > lines)
		lines = left;
	return lines < GRAPH_LEAST ? GRAPH_LEAST : lines < GRAPH_MOST ? lines : GRAPH_MOST;
}

static void counters_draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	int lines = graph_lines(v, a.height);

	a.height -= lines;
	view_draw_table(v, look, c, a);
	if (lines)
		counter_graph_draw(row_of(v), look, c,
				   (struct area){ a.x, a.y + a.height, a.width, lines });
}

static bool counters_applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && row_of(v);
}

/* Where it was most, of the frames in sight. */
static uint64_t counters_frame(const struct view *v, const struct look *look)
{
	return counter_graph_peak(row_of(v), look);
}

static const char *counters_scope(const struct view *v)
{
	return ((const struct counters *)v)->scope;
}

const struct view_ops view_counters = {
	.name = "Counters", .brief = "Count", .key = '7', .size = sizeof(struct counters), .refresh = counters_refresh,
	.draw = counters_draw, .command = view_table_command, .applies = counters_applies, .frame = counters_frame, .scope = counters_scope,
	.frame_label = "Peak", .type = &counter_table_type,
};

int view_counters_sort(const char *key)
{
	enum counter_column column = counter_column(key);

	return column == COUNTER_COLUMNS ? VIEW_OWN_SORT : (int)column;
}

const char *view_counters_key(int sort)
{
	return sort < 0 || sort >= COUNTER_COLUMNS ? NULL : counter_table_type.columns[sort].key;
}

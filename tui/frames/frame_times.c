/* SPDX-License-Identifier: MIT */
#include "tui/frames/frame_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_columns.h"

#define EIGHTHS 8
#define LABEL_APART 14 /* cells from one time below the bars to the next */
#define NARROWEST 1.05 /* from the first column to the last, in proportion */
#define DIGITS 3       /* of such a time, at least */
#define DIGITS_MOST 6  /* that there is room for */
#define AXIS_FROM 4    /* lines, from where on there are times below the bars */
#define LINES_MOST 20
#define COLUMNS_LEAST 24 /* of a histogram, where there is room; more frames have more, */
#define COLUMNS_PER_ROOT 4 /* by the root of their number */

/* The columns of the histogram: `count` of them, each some cells wide, column i from edges[i] on. */
struct bins {
	int count, cells;
	int64_t *edges; /* count + 1 */
	uint32_t *frames;
	uint32_t most; /* of a column */
};

struct frame_times frame_times_of(const struct look *look)
{
	const struct profile_frame *chosen;
	struct frame_times t = { 0 };

	if (!look->query || !look->profile)
		return t;
	chosen = look->frames.chosen ? profile_find_frame(look->profile, look->frames.chosen) : NULL;
	t.order = query_order(look->query);
	t.ticks_per_s = look->profile->ticks_per_s;
	t.budget = look->frames.budget;
	t.chosen = chosen && frame_counts(chosen) ? chosen->length : 0;
	return t;
}

/* Numbers */

static int64_t percentile_of(const struct frame_times *t, unsigned per_mille)
{
	return frame_order_percentile(t->order, per_mille);
}

/* NULL: the times are too far apart for one. */
static const struct figure_unit *unit_of(const struct frame_times *t)
{
	int64_t median = percentile_of(t, 500);

	return figure_apart(percentile_of(t, 1000), median) ? NULL : figure_unit_for(median, t->ticks_per_s);
}

static void draw_numbers(const struct frame_times *t, struct canvas *c, struct area a, bool ascii)
{
	static const struct {
		const char *name;
		unsigned per_mille;
		uint8_t importance;
	} shown[] = { { "p50", 500, 9 }, { "p90", 900, 5 }, { "p99", 990, 8 }, { "max", 1000, 7 } };
	const struct figure_unit *unit = unit_of(t);
	uint32_t count = frame_order_count(t->order), over = frame_order_over(t->order, t->budget);
	struct fields f = { .gap = 2 };

	fields_add(&f, ROLE_LABEL, 4, count == 1 ? "%s frame" : "%s frames", figure_grouped(count).text);
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		fields_add(&f, ROLE_PLAIN, shown[i].importance, "%s %s%s%s", shown[i].name,
			   figure_of_many(percentile_of(t, shown[i].per_mille), t->ticks_per_s, unit, ascii).text,
			   i || !unit ? "" : " ", i || !unit ? "" : figure_unit_name(unit, ascii));
	if (t->budget > 0)
		fields_add(&f, over ? ROLE_ALARM : ROLE_LABEL, 6, "over %s: %s (%s)",
			   figure_of_many(t->budget, t->ticks_per_s, unit, ascii).text,
			   figure_percent(over, count).text, figure_grouped(over).text);
	fields_draw(&f, c, a, 0);
}

/* Columns */

static int64_t edge_at(double low, double ratio, double part)
{
	double ticks = low * pow(ratio, part);

	return ticks < 9e18 ? (int64_t)(ticks + 0.5) : INT64_MAX;
}

/* From the shortest to the longest; where they are nearly the same, they stand in the middle. */
static void set_edges(const struct frame_times *t, struct bins *b)
{
	int64_t least = frame_order_length(t->order, 1), most = percentile_of(t, 1000);
	double low = (double)least, ratio = (double)most / (double)least;

	if (ratio < NARROWEST) {
		low /= sqrt(NARROWEST / ratio);
		ratio = NARROWEST;
	}
	for (int i = 0; i <= b->count; i++)
		b->edges[i] = edge_at(low, ratio, (double)i / b->count);
	if (b->edges[0] > least) /* it is rounded */
		b->edges[0] = least;
	if (b->edges[b->count] <= most)
		b->edges[b->count] = most < INT64_MAX ? most + 1 : most;
}

/* Few frames in many columns would look like noise. */
static int cells_of(const struct frame_times *t, int width)
{
	double columns = COLUMNS_PER_ROOT * sqrt(frame_order_count(t->order));
	int most = columns < width ? (int)columns : width;

	most = most > COLUMNS_LEAST ? most : COLUMNS_LEAST;
	return (width + most - 1) / most;
}

static bool make_bins(const struct frame_times *t, int width, struct bins *b)
{
	*b = (struct bins){ .cells = cells_of(t, width) };
	b->count = width / b->cells;
	b->edges = array_zeroed((uint64_t)b->count + 1, sizeof(*b->edges));
	b->frames = array_zeroed((uint64_t)b->count, sizeof(*b->frames));
	if (!b->edges || !b->frames)
		return false;
	set_edges(t, b);
	frame_order_histogram(t->order, b->edges, (uint32_t)b->count, b->frames);
	for (int i = 0; i < b->count; i++)
		if (b->frames[i] > b->most)
			b->most = b->frames[i];
	return true;
}

/* The column of a length; -1: it is beyond them. */
static int column_of(const struct bins *b, int64_t length)
{
	int i = b->count - 1;

	if (length <= 0 || length >= b->edges[b->count])
		return -1;
	while (i >= 0 && b->edges[i] > length)
		i--;
	return i;
}

/* Drawing */

static void draw_bar(const struct bins *b, int i, enum role role, struct canvas *c, struct area a,
		     bool ascii)
{
	int most = a.height * EIGHTHS;
	int height = (int)((uint64_t)b->frames[i] * (uint64_t)most / b->most);

	if (b->frames[i] && !height)
		height = 1;
	for (int row = 0; row < a.height && height > row * EIGHTHS; row++)
		for (int x = i * b->cells; x < (i + 1) * b->cells; x++)
			canvas_text(c, a, x, a.height - 1 - row, role,
				    graph_filled(height - row * EIGHTHS, ascii));
}

static void draw_bars(const struct frame_times *t, const struct bins *b, struct canvas *c,
		      struct area a, bool ascii)
{
	int budget = column_of(b, t->budget), chosen = column_of(b, t->chosen);

	for (int y = 0; budget >= 0 && y < a.height; y++)
		canvas_text(c, a, budget * b->cells, y, ROLE_BUDGET, ascii ? "|" : "┊");
	for (int i = 0; i < b->count && b->most; i++) {
		bool over = t->budget > 0 && b->edges[i] > t->budget;

		draw_bar(b, i, i == chosen ? ROLE_CHOSEN : over ? ROLE_OVER : ROLE_GRAPH, c, a, ascii);
	}
}

struct labels {
	const struct figure_unit *unit; /* NULL: each has its own */
	bool ascii;
	int apart;  /* columns from one to the next */
	int digits; /* so many that neighbours are told apart */
};

static struct figure label_of(const struct frame_times *t, const struct bins *b, const struct labels *l, int i)
{
	return figure_timed(b->edges[i], t->ticks_per_s, l->unit, l->digits, l->ascii);
}

/* True if two different values look the same. */
static bool some_repeat(const struct frame_times *t, const struct bins *b, const struct labels *l)
{
	for (int before = 0, i = l->apart; i + l->apart <= b->count; before = i, i += l->apart)
		if (b->edges[i] != b->edges[before] &&
		    !strcmp(label_of(t, b, l, i).text, label_of(t, b, l, before).text))
			return true;
	return false;
}

/* Leaves out the label that the mark of the chosen frame (at `mark`; below 0: there is none) would cover in part. */
static void draw_labels(const struct frame_times *t, const struct bins *b, struct canvas *c, struct area a, int mark, bool ascii)
{
	struct labels l = { unit_of(t), ascii, (LABEL_APART + b->cells - 1) / b->cells, DIGITS };
	struct figure last = { "" };
	char text[FIGURE_SIZE + 8];

	while (l.digits < DIGITS_MOST && some_repeat(t, b, &l))
		l.digits++;
	for (int i = 0; !i || i + l.apart <= b->count; i += l.apart) {
		struct figure label = label_of(t, b, &l, i);
		int x = i * b->cells;

		snprintf(text, sizeof(text), "%s%s", ascii ? "|" : "╵", label.text);
		if (strcmp(label.text, last.text) != 0 && (mark < x || mark >= x + (int)text_width(text)))
			canvas_text(c, a, x, 0, ROLE_AXIS, text);
		last = label;
	}
}

static void draw_axis(const struct frame_times *t, const struct bins *b, struct canvas *c, struct area a, bool ascii)
{
	int chosen = column_of(b, t->chosen), mark = chosen < 0 ? -1 : chosen * b->cells + b->cells / 2;

	draw_labels(t, b, c, a, mark, ascii);
	if (mark >= 0)
		canvas_text(c, a, mark, 0, ROLE_CHOSEN, "^");
}

static void draw_histogram(const struct frame_times *t, struct canvas *c, struct area a, bool ascii)
{
	struct area bars = a, axis = a;
	struct bins b;

	if (a.height >= AXIS_FROM - 1) {
		bars.height--;
		axis.y += bars.height;
		axis.height = 1;
	}
	if (make_bins(t, a.width, &b)) {
		draw_bars(t, &b, c, bars, ascii);
		if (bars.height < a.height)
			draw_axis(t, &b, c, axis, ascii);
	}
	free(b.edges);
	free(b.frames);
}

void frame_times_draw(const struct frame_times *t, struct canvas *c, struct area a, bool ascii)
{
	if (!t->order || !frame_order_count(t->order) || a.height < 1 || a.width < 1)
		return;
	a.height = a.height < LINES_MOST ? a.height : LINES_MOST;
	draw_numbers(t, c, (struct area){ a.x, a.y, a.width, 1 }, ascii);
	if (a.height > 1)
		draw_histogram(t, c, (struct area){ a.x, a.y + 1, a.width, a.height - 1 }, ascii);
}

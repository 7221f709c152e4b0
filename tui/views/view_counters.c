/* SPDX-License-Identifier: MIT */
/*
 * view_counters: a row a counter, and below the table the one of the cursor frame by frame.
 *
 * Live, a row is of the frames that are in sight in the frame graph; paused, of the frame that is shown.
 * The slots of averages choose more or less: the newest frame, all that are held, the whole run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/frames/counter_graph.h"
#include "tui/cells/figures.h"
#include "tui/widgets/grid.h"
#include "tui/views/view.h"

#define SPARK_CELLS 8
#define BOTH_FROM 100 /* cells, from where on there is what a counter grew by in a frame and in a second */
#define GRAPH_FROM 10 /* lines of the view, from where on there is a graph */
#define GRAPH_LEAST 4 /* its lines */
#define GRAPH_MOST 14

struct counters {
	struct view view;
	char scope[96];
};

/* What the table has. */
struct rows {
	const struct profile *p;
	struct counter_report *report;
	uint32_t end; /* index behind the newest frame that is looked at */
};

/* Columns beyond those of the report. */
enum { COLUMN_OF_TREND = COUNTER_COLUMNS, GRID_COLUMNS };

/* In the order that they are drawn in. */
static const int columns[GRID_COLUMNS] = { COUNTER_NAME, COUNTER_LAST, COUNTER_LEAST, COUNTER_MOST, COUNTER_CHANGE,
					   COUNTER_RATE, COLUMN_OF_TREND, COUNTER_THREAD };

static const struct sheet_column titles[GRID_COLUMNS] = {
	{ "COUNTER", .least = 7 },
	{ "LAST", .importance = 9, .right = true, .least = 6 },
	{ "MIN", .importance = 6, .right = true, .least = 6 },
	{ "MAX", .importance = 7, .right = true, .least = 6 },
	{ "CHANGE", .importance = 5, .right = true, .least = 7 },
	{ "CHANGE/S", .importance = 5, .right = true, .least = 7 },
	{ "TREND", .importance = 3, .least = SPARK_CELLS },
	{ "THREAD", .importance = 4 },
};

static const struct counter_report *report_of(const void *rows)
{
	return ((const struct rows *)rows)->report;
}

static int place_of(int column)
{
	int i = 0;

	while (i < GRID_COLUMNS - 1 && columns[i] != column)
		i++;
	return i;
}

/* A table_kind */

static uint32_t count(const void *rows)
{
	return report_of(rows)->row_count;
}

static uint64_t id(const void *rows, uint32_t row)
{
	return report_of(rows)->rows[row].id;
}

static bool matches(const void *rows, uint32_t row, const struct pattern *pattern)
{
	return pattern_matches(pattern, report_of(rows)->rows[row].name);
}

static const char *title(const void *rows, int column)
{
	(void)rows;
	if (column >= GRID_COLUMNS || columns[column] == COLUMN_OF_TREND)
		return NULL;
	return titles[column].title;
}

static int sorted(const void *rows)
{
	return place_of((int)report_of(rows)->sort);
}

static uint32_t hidden(const void *rows)
{
	return report_of(rows)->hidden;
}

static void free_rows(void *rows)
{
	counters_free(((struct rows *)rows)->report);
	free(rows);
}

/* Cells */

static enum style_role name_cell(const char *name, bool ascii, enum style_role role, char out[GRID_TEXT])
{
	char *shown = name_shown(name, ascii);

	grid_text(out, shown ? shown : "?");
	free(shown);
	return role;
}

/* By the width of the screen: integers are in full below `full`; other numbers have so many digits. */
static const struct precision {
	uint32_t width; /* from which on it is this */
	int64_t full;
	int digits;
} precisions[] = {
	{ 120, INT64_MAX, 6 },
	{ 40, 1000000000000, 6 },
	{ 0, 1000000, 4 },
};

/* So many digits, and all that stand before the point: an exponent only where those would be many. */
static void put_real(int digits, double value, char out[GRID_TEXT])
{
	for (double limit = pow(10, digits); digits < 9 && fabs(value) >= limit; limit *= 10)
		digits++;
	snprintf(out, GRID_TEXT, "%.*g", digits, value);
}

/* What can be taken in at a glance, and leaves room for other columns; -j has all digits. */
static void put_number(const struct rows *rows, const struct counter_row *row, enum counter_column column, uint32_t width,
		       union profile_number n, char out[GRID_TEXT])
{
	bool real = rows->p->counters[row->counter].real;
	const struct precision *precision = precisions;

	while (width < precision->width)
		precision++;
	if (!counter_knows(&row->value, column))
		snprintf(out, GRID_TEXT, "-");
	else if (real)
		put_real(precision->digits, n.real, out);
	else if (n.whole > precision->full || n.whole < -precision->full - 1)
		snprintf(out, GRID_TEXT, "%.*g", precision->digits, (double)n.whole);
	else
		counter_text(rows->p, row->counter, n, true, out, GRID_TEXT);
}

static enum style_role change_cell(const struct rows *rows, const struct counter_row *row, uint32_t width,
			     char out[GRID_TEXT])
{
	const struct counter_value *v = &row->value;
	char text[GRID_TEXT];

	if (v->known && !v->changed) {
		snprintf(out, GRID_TEXT, "none");
		return STYLE_DIM;
	}
	if (v->change_real)
		counter_change_text(v, text, sizeof(text));
	else
		put_number(rows, row, COUNTER_CHANGE, width, v->change, text);
	snprintf(out, GRID_TEXT, "%s%.*s",
		 v->known && (v->change_real ? v->change.real > 0 : v->change.whole > 0) ? "+" : "",
		 GRID_TEXT - 2, text);
	return v->known ? STYLE_NUMBER : STYLE_DIM;
}

static enum style_role rate_cell(const struct counter_row *row, char out[GRID_TEXT])
{
	const struct counter_value *v = &row->value;
	char text[GRID_TEXT];

	counter_rate_text(v, text, sizeof(text));
	snprintf(out, GRID_TEXT, "%s%.*s", v->known && v->rate > 0 ? "+" : "", GRID_TEXT - 2, text);
	return v->known && v->changed ? STYLE_NUMBER : STYLE_DIM;
}

static enum style_role number_cell(const struct rows *rows, const struct counter_row *row, int column,
			     uint32_t width, char out[GRID_TEXT])
{
	const struct counter_value *v = &row->value;

	if (column == COUNTER_CHANGE)
		return change_cell(rows, row, width, out);
	if (column == COUNTER_RATE)
		return rate_cell(row, out);
	put_number(rows, row, (enum counter_column)column, width,
		   column == COUNTER_LAST    ? v->last
		   : column == COUNTER_LEAST ? v->least
					     : v->most, out);
	return counter_knows(v, (enum counter_column)column) && v->changed ? STYLE_NUMBER : STYLE_DIM;
}

static enum style_role cell(const void *all, const struct look *look, uint32_t index, int place,
		      char out[GRID_TEXT])
{
	const struct rows *rows = all;
	const struct counter_row *row = &rows->report->rows[index];
	int column = columns[place];

	switch (column) {
	case COUNTER_NAME:
		return name_cell(row->name, look->ascii, STYLE_NAME, out);
	case COUNTER_THREAD:
		return name_cell(row->thread == PROFILE_NONE ? "all" : row->thread_name, look->ascii,
				 STYLE_LABEL, out);
	case COLUMN_OF_TREND:
		counter_spark(rows->p, row, rows->end, SPARK_CELLS, look->ascii, out);
		return STYLE_BAR;
	default:
		return number_cell(rows, row, column, look->width, out);
	}
}

/* What a counter grew by in a second is there where there is room. What it grew by in a frame says nothing where proftop
 * cut the frames: there it is the other way round. */
static void columns_of(const struct rows *rows, uint32_t width, struct sheet_column out[GRID_COLUMNS])
{
	const struct profile *p = rows->p;
	bool cut = p->frame_count && p->frames[p->frame_count - 1].flags & FRAME_GUESSED;
	enum counter_column less = cut ? COUNTER_CHANGE : COUNTER_RATE;

	memcpy(out, titles, sizeof(titles));
	out[place_of((int)less)].hidden = width < BOTH_FROM && rows->report->sort != less;
}

static void draw_rows(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct rows *rows = t->rows;
	struct sheet_column shown[GRID_COLUMNS];
	struct grid g = { .columns = shown, .count = GRID_COLUMNS, .sorted = sorted(rows),
			  .descending = rows->report->descending, .cell = cell };

	columns_of(rows, look->width, shown);
	grid_draw(t, &g, look, c, a);
}

static const struct table_kind kind = {
	.count = count, .id = id, .matches = matches, .title = title, .sorted = sorted,
	.hidden = hidden, .draw = draw_rows, .free = free_rows,
};

/* What is looked at */

/* Held frames [*first, *first + *count), none: the whole run. */
static void frames_of(const struct look *look, uint32_t *first, uint32_t *count)
{
	const struct query_options *o = query_options(look->query);
	const struct profile *p = look->profile;
	const struct profile_frame *frame = o->frame ? profile_find_frame(p, o->frame) : NULL;

	*first = *count = 0;
	if (o->average == AVERAGE_RUN || !p->frame_count)
		return;
	*count = 1;
	if (look->selected_first) {
		*first = profile_frame_index(p, look->selected_first);
		*count = profile_frame_index(p, look->selected_last + 1) - *first;
	} else if (frame)
		*first = (uint32_t)(frame - p->frames);
	else if (o->average == AVERAGE_NOW)
		*first = p->frame_count - 1;
	else if (o->average == AVERAGE_FAST)
		*first = frame_graph_sight(&look->graph, &look->frames, look->graph_area, count);
	else
		*count = p->frame_count;
}

static void say_scope(struct counters *v, const struct look *look, uint32_t count)
{
	const struct query_options *o = query_options(look->query);

	if (!count)
		snprintf(v->scope, sizeof(v->scope), "the whole run");
	else if (look->selected_first)
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
		o.sort = (enum counter_column)columns[v->sort];
	o.frames = profile_run_frames(p);
	if (!frames)
		return o;
	o.from = p->frames[first].start;
	o.to = frame_end(&p->frames[first + frames - 1]);
	/* also those between frames that were kept alone: a counter went on in them */
	o.frames = p->frames[first + frames - 1].number - p->frames[first].number + 1;
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

static bool refresh(struct view *v, const struct look *look)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	uint32_t first, frames;
	struct counter_options o;

	*v->why = '\0';
	if (!look->query || !rows) {
		table_take(&v->table, &kind, NULL);
		free(rows);
		return false;
	}
	frames_of(look, &first, &frames);
	say_scope((struct counters *)v, look, frames);
	o = options_of(v, look, first, frames);
	if (view_keeps_order(v, look))
		o.before = report_of(v->table.rows);
	*rows = (struct rows){ .p = look->profile,
			       .end = frames ? first + frames : look->profile->frame_count,
			       .report = counters_make(look->profile, &o, v->why, sizeof(v->why)) };
	if (!rows->report) {
		free(rows);
		rows = NULL;
	}
	table_take(&v->table, &kind, rows);
	if (rows && !table_count(&v->table))
		say_nothing(v, look);
	else if (rows)
		*v->why = '\0';
	return rows;
}

static const struct counter_row *row_of(const struct view *v)
{
	return v->table.at < table_count(&v->table) ? &report_of(v->table.rows)->rows[v->table.at] : NULL;
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

static void draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	int lines = graph_lines(v, a.height);

	a.height -= lines;
	view_draw_table(v, look, c, a);
	if (lines)
		counter_graph_draw(row_of(v), look, c,
				   (struct area){ a.x, a.y + a.height, a.width, lines });
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static bool applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && row_of(v);
}

/* Where it was most, of the frames in sight. */
static uint64_t frame(const struct view *v, const struct look *look)
{
	return counter_graph_peak(row_of(v), look);
}

static const char *scope(const struct view *v)
{
	return ((const struct counters *)v)->scope;
}

const struct view_ops view_counters = {
	.name = "Counters", .brief = "Count", .key = '7', .size = sizeof(struct counters), .refresh = refresh,
	.draw = draw, .command = command, .applies = applies, .frame = frame, .scope = scope,
	.frame_label = "Peak",
};

int view_counters_sort(const char *key)
{
	enum counter_column column = counter_column(key);

	return column == COUNTER_COLUMNS ? VIEW_OWN_SORT : place_of((int)column);
}

const char *view_counters_key(int sort)
{
	int column = sort < 0 || sort >= GRID_COLUMNS ? COLUMN_OF_TREND : columns[sort];

	return column == COLUMN_OF_TREND ? NULL : counter_columns[column].key;
}

/* SPDX-License-Identifier: MIT */
/*
 * view_counters: a row a counter, and below the table the one of the cursor frame by frame.
 *
 * Live, a row is of the frames that are in sight in the frame graph; paused, of the frame that is shown.
 * The slots of averages choose more or less: the newest frame, all that are held, the whole run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/table/counter_table.h"
#include "tui/frames/counter_graph.h"
#include "tui/cells/figures.h"
#include "tui/widgets/grid.h"
#include "tui/views/view.h"

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
		o.sort = (enum counter_column)v->sort;
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

static const struct counter_report *report_of(const struct view *v)
{
	const struct counter_table *t = (const struct counter_table *)table_typed(&v->table);

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
	table_take_typed(&v->table, t ? &t->table : NULL);
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

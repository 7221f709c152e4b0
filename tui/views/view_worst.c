/* SPDX-License-Identifier: MIT */
/*
 * view_worst: the worst frames, a row each: the longest, or those in which the thread of the frames worked longest.
 *
 *     FRAME  AGE s  LENGTH ms▼  BUSY ms    OVER  MORE ms  IN ZONE
 *   >    40    1.0      43.000   43.000  +26.33   27.000  ai
 *        70    0.5      36.000   14.000  +19.33   20.000  vsync (waits)
 *
 * w and W go by the order that the rows have. Enter goes to the frame of the cursor's row. When another frame is chosen the
 * cursor goes to its row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/text.h"
#include "model/stats/base_frame.h"
#include "model/stats/worst.h"
#include "tui/cells/figures.h"
#include "model/stats/frame_stats.h"
#include "tui/views/view.h"
#include "tui/widgets/grid.h"

#define ROWS_MOST 1000

struct worst_view {
	struct view view;
	char scope[96];
	uint64_t chosen; /* frame, when the rows were made last */
	enum unit unit;  /* that times had so far */
};

/* What the table has. It has numbers of frames and no frames: these move as new ones come. */
struct rows {
	struct worst_frame *frames;
	uint32_t count;
	enum worst_order order;
	bool inverted;
	bool named;    /* the program gives frames names */
	enum unit unit;
	int64_t budget; /* ticks; 0: none */
	uint64_t base; /* the median frame, that others are set against; 0: none */
	const struct profile *p;
};

enum { WORST_FRAME, WORST_NAME, WORST_AGE, WORST_LENGTH_COLUMN, WORST_BUSY_COLUMN, WORST_OVER, WORST_MORE, WORST_ZONE,
       WORST_COLUMNS };

static const struct table_column columns[WORST_COLUMNS] = {
	[WORST_FRAME] = { "FRAME", .importance = 9, .right = true, .least = 6 },
	[WORST_NAME] = { "NAME", .importance = 3, .least = 6 },
	[WORST_AGE] = { "AGE", .unit = "s", .importance = 2, .right = true, .least = 6 },
	[WORST_LENGTH_COLUMN] = { "LENGTH", .importance = 8, .right = true, .least = 7 },
	[WORST_BUSY_COLUMN] = { "BUSY", .importance = 7, .right = true, .least = 7 },
	[WORST_OVER] = { "OVER", .importance = 4, .right = true, .least = 7 },
	[WORST_MORE] = { "MORE", .importance = 5, .right = true, .least = 7 },
	[WORST_ZONE] = { "IN ZONE" },
};

static const int columns_of_order[WORST_ORDERS] = { [WORST_LENGTH] = WORST_LENGTH_COLUMN, [WORST_BUSY] = WORST_BUSY_COLUMN };

/* A table_kind */

static uint32_t count(const void *rows)
{
	return ((const struct rows *)rows)->count;
}

static const struct worst_frame *row_at(const struct rows *rows, uint32_t row)
{
	return &rows->frames[rows->inverted ? rows->count - 1 - row : row];
}

static uint64_t id(const void *rows, uint32_t row)
{
	return row_at(rows, row)->number;
}

/* By its number as it is written, or its name. */
static bool matches(const void *all, uint32_t row, const struct pattern *pattern)
{
	const struct rows *rows = all;
	const struct profile_frame *frame = profile_find_frame(rows->p, row_at(rows, row)->number);
	char number[24];

	snprintf(number, sizeof(number), "%llu", (unsigned long long)row_at(rows, row)->number);
	return pattern_matches(pattern, number) || (frame && pattern_matches(pattern, profile_frame_name(rows->p, frame)));
}

static const char *title(const void *rows, int column)
{
	(void)rows;
	return column == WORST_LENGTH_COLUMN || column == WORST_BUSY_COLUMN ? columns[column].title : NULL;
}

static int sorted(const void *rows)
{
	return columns_of_order[((const struct rows *)rows)->order];
}

static uint32_t hidden(const void *rows)
{
	(void)rows;
	return 0;
}

static void free_rows(void *all)
{
	free(((struct rows *)all)->frames);
	free(all);
}

/* Cells */

static enum style_role name_cell(const char *name, bool ascii, const char *behind, char out[GRID_TEXT])
{
	char *shown = name_shown(name, ascii), line[GRID_TEXT];
	size_t used;

	snprintf(line, sizeof(line), "%.*s%s", (int)text_clip(shown ? shown : "?", GRID_TEXT / 8, &used), shown ? shown : "?",
		 behind);
	grid_text(out, line);
	free(shown);
	return *behind ? STYLE_DIM : STYLE_NAME;
}

static enum style_role none(char out[GRID_TEXT])
{
	snprintf(out, GRID_TEXT, "-");
	return STYLE_DIM;
}

static enum style_role time_cell(const struct rows *rows, const struct look *look, int64_t ticks, enum style_role role,
				 char out[GRID_TEXT])
{
	format_time_shown(out, GRID_TEXT, ticks, 1, look->profile->ticks_per_s, rows->unit, look->precision, 0);
	return role;
}

static enum style_role over_cell(const struct rows *rows, const struct look *look, int64_t over, char out[GRID_TEXT])
{
	if (over <= 0)
		return none(out);
	format_difference(out, GRID_TEXT, over, 1, look->profile->ticks_per_s, rows->unit, look->precision, 0);
	return STYLE_ALARM;
}

static enum style_role cause_cell(const struct rows *rows, const struct look *look, const struct profile_frame *frame, int column,
				  char out[GRID_TEXT])
{
	const struct profile *p = look->profile;
	struct worst_zone most = worst_zone(p, frame, profile_find_frame(p, rows->base));

	if (most.zone == PROFILE_NONE)
		return none(out);
	if (column == WORST_MORE)
		return time_cell(rows, look, most.more, STYLE_NUMBER, out);
	return name_cell(p->zones[most.zone].name, look->ascii, p->zones[most.zone].flags & ZONE_WAITING ? " (waits)" : "", out);
}

static enum style_role cell(const void *all, const struct look *look, uint32_t row, int column, char out[GRID_TEXT])
{
	const struct rows *rows = all;
	const struct worst_frame *f = row_at(rows, row);
	const struct profile *p = look->profile;
	const struct profile_frame *frame = profile_find_frame(p, f->number), *newest = &p->frames[p->frame_count - 1];

	if (column == WORST_LENGTH_COLUMN)
		return time_cell(rows, look, f->length, worst_waited(f) ? STYLE_DIM : STYLE_NUMBER, out);
	if (column == WORST_BUSY_COLUMN)
		return f->busy < 0 ? none(out) : time_cell(rows, look, f->busy, STYLE_NUMBER, out);
	if (column == WORST_OVER)
		return over_cell(rows, look, f->length - rows->budget, out);
	if (column == WORST_FRAME) {
		snprintf(out, GRID_TEXT, "%s", figure_grouped(f->number).text);
		return f->number == look->frames.chosen ? STYLE_CHOSEN : STYLE_NUMBER;
	}
	if (!frame)
		return none(out);
	if (column == WORST_NAME)
		return name_cell(profile_frame_name(p, frame), look->ascii, "", out);
	if (column == WORST_AGE) {
		format_time(out, GRID_TEXT, frame_end(newest) - frame_end(frame), 1000, p->ticks_per_s, UNIT_MS, 1, 0);
		return STYLE_LABEL;
	}
	return cause_cell(rows, look, frame, column, out);
}

static void draw_rows(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct rows *rows = t->rows;
	struct table_column shown[WORST_COLUMNS];
	struct grid g = { .columns = shown, .count = WORST_COLUMNS, .sorted = sorted(rows), .descending = !rows->inverted,
			  .cell = cell };

	memcpy(shown, columns, sizeof(columns));
	for (int i = WORST_LENGTH_COLUMN; i <= WORST_MORE; i++)
		shown[i].unit = unit_title(rows->unit, look->ascii);
	shown[WORST_NAME].hidden = !rows->named;
	shown[WORST_OVER].hidden = !rows->budget;
	grid_draw(t, &g, look, c, a);
}

static const struct table_kind kind = {
	.count = count, .id = id, .matches = matches, .title = title, .sorted = sorted, .hidden = hidden, .draw = draw_rows,
	.free = free_rows,
};

/* Making them */

static enum unit unit_of(struct worst_view *v, const struct look *look, const struct rows *rows)
{
	if (look->unit != UNIT_AUTO && look->unit != UNIT_PCT)
		return look->unit;
	if (rows->count)
		v->unit = unit_for_many(rows->frames[rows->count / 2].length, rows->frames[0].length, look->profile->ticks_per_s,
					v->unit);
	return v->unit == UNIT_AUTO ? UNIT_MS : v->unit;
}

static struct rows *make_rows(struct worst_view *v, const struct look *look, uint32_t *all)
{
	const struct profile *p = look->profile;
	struct rows *rows = calloc(1, sizeof(*rows));
	uint32_t first, end;

	snprintf(v->view.why, sizeof(v->view.why), "out of memory");
	if (!rows)
		return NULL;
	*rows = (struct rows){ .order = view_worst_order(&v->view), .inverted = v->view.invert, .named = p->frame_name_count,
			       .budget = look->frames.budget, .base = base_frame(p, BASE_MEDIAN, 0, 0), .p = p };
	first = look->selected_first ? profile_frame_index(p, look->selected_first) : 0;
	end = look->selected_first ? profile_frame_index(p, look->selected_last + 1) : p->frame_count;
	rows->frames = worst_list(p, first, end - first, rows->order, ROWS_MOST, &rows->count, all);
	if (!rows->frames) {
		free(rows);
		return NULL;
	}
	rows->unit = unit_of(v, look, rows);
	*v->view.why = '\0';
	return rows;
}

static void say_scope(struct worst_view *v, const struct look *look, const struct rows *rows, uint32_t all)
{
	static const char *const what[WORST_ORDERS] = { [WORST_LENGTH] = "longest", [WORST_BUSY] = "busiest" };
	char most[64] = "";

	if (rows->count < all)
		snprintf(most, sizeof(most), "the %s %s of ", what[rows->order], figure_grouped(rows->count).text);
	snprintf(v->scope, sizeof(v->scope), "%s%s %sframes", most, figure_grouped(all).text,
		 look->selected_first ? "selected " : "");
}

static bool refresh(struct view *view, const struct look *look)
{
	struct worst_view *v = (struct worst_view *)view;
	uint32_t all = 0;
	struct rows *rows = look->query ? make_rows(v, look, &all) : NULL;

	table_take(&view->table, &kind, rows);
	if (!rows)
		return false;
	say_scope(v, look, rows, all);
	if (!rows->count)
		no_frames_text(look->profile, view->why);
	if (look->frames.chosen && look->frames.chosen != v->chosen)
		table_go(&view->table, look->frames.chosen);
	v->chosen = look->frames.chosen;
	return true;
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static uint64_t frame(const struct view *v, const struct look *look)
{
	(void)look;
	return v->table.at < table_count(&v->table) ? row_at(v->table.rows, v->table.at)->number : 0;
}

static bool applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && frame(v, NULL);
}

static const char *scope(const struct view *v)
{
	return ((const struct worst_view *)v)->scope;
}

const struct view_ops view_worst = {
	.name = "Worst", .key = '9', .size = sizeof(struct worst_view), .refresh = refresh, .draw = view_draw_table,
	.command = command, .applies = applies, .frame = frame, .scope = scope, .frame_label = "Frame", .unfiltered = true,
	.guest = true, .spare = true,
};

enum worst_order view_worst_order(const struct view *v)
{
	return v->sort == WORST_BUSY_COLUMN ? WORST_BUSY : WORST_LENGTH;
}

void view_worst_sort(struct view *v, enum worst_order order)
{
	v->sort = columns_of_order[order];
	table_home(&v->table);
}

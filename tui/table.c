/* SPDX-License-Identifier: MIT */
#include "tui/table.h"

#include <string.h>

#include "model/text.h"

#define POINTER_CELLS 2 /* `> ` in front of the row of the cursor */

void table_fini(struct table *t)
{
	report_free(t->report);
	*t = (struct table){ 0 };
}

static const struct report_section *section_of(const struct table *t)
{
	return t->report && t->report->section_count ? &t->report->sections[0] : NULL;
}

uint32_t table_count(const struct table *t)
{
	const struct report_section *section = section_of(t);

	return section ? section->row_count : 0;
}

const struct report_row *table_row(const struct table *t)
{
	return t->at < table_count(t) ? &section_of(t)->rows[t->at] : NULL;
}

/* The row of an identity, or as many as there are. */
static uint32_t find(const struct table *t, uint64_t id)
{
	uint32_t i = 0, count = table_count(t);

	while (i < count && section_of(t)->rows[i].id != id)
		i++;
	return i;
}

static void clamp(struct table *t)
{
	uint32_t count = table_count(t);

	if (t->at >= count)
		t->at = count ? count - 1 : 0;
}

void table_take(struct table *t, struct report *r)
{
	uint32_t row;

	report_free(t->report);
	t->report = r;
	row = t->wanted ? find(t, t->wanted) : table_count(t);
	if (row < table_count(t))
		t->at = row;
	clamp(t);
}

void table_forget_widths(struct table *t)
{
	t->widths = (struct layout_widths){ 0 };
}

static void move_to(struct table *t, int64_t row)
{
	int64_t count = table_count(t);

	if (row >= count)
		row = count - 1;
	t->at = row > 0 ? (uint32_t)row : 0;
	t->wanted = table_row(t) ? table_row(t)->id : t->wanted;
}

bool table_go(struct table *t, uint64_t id)
{
	uint32_t row = find(t, id);

	t->wanted = id;
	if (row >= table_count(t))
		return false;
	t->at = row;
	return true;
}

void table_go_key(struct table *t, uint32_t key)
{
	for (uint32_t i = 0; i < table_count(t); i++)
		if (section_of(t)->rows[i].key == key) {
			move_to(t, i);
			return;
		}
}

void table_home(struct table *t)
{
	t->wanted = 0;
	t->at = t->top = 0;
}

/* Rows that fit below the titles. */
static int64_t page_of(const struct table *t)
{
	return t->drawn.height > 2 ? t->drawn.height - 1 : 1;
}

bool table_command(struct table *t, enum command command)
{
	switch (command) {
	case COMMAND_UP:
		move_to(t, (int64_t)t->at - 1);
		return true;
	case COMMAND_DOWN:
		move_to(t, (int64_t)t->at + 1);
		return true;
	case COMMAND_PAGE_UP:
		move_to(t, (int64_t)t->at - page_of(t));
		return true;
	case COMMAND_PAGE_DOWN:
		move_to(t, (int64_t)t->at + page_of(t));
		return true;
	case COMMAND_FIRST:
		move_to(t, 0);
		return true;
	case COMMAND_LAST:
		move_to(t, table_count(t));
		return true;
	default:
		return false;
	}
}

bool table_search(struct table *t, const struct pattern *pattern, int step, bool here)
{
	uint32_t count = table_count(t);

	for (uint32_t i = here ? 0 : 1; i <= count && count; i++) {
		uint32_t far = i % count;
		uint32_t row = (t->at + (step > 0 ? far : count - far)) % count;

		if (pattern_matches(pattern, section_of(t)->rows[row].name)) {
			move_to(t, row);
			return true;
		}
	}
	return false;
}

/* Moves what is in sight so that the cursor is, and no line below the last row is wasted. */
static void bring_into_sight(struct table *t, uint32_t rows)
{
	uint32_t count = table_count(t);

	if (t->top + rows > count)
		t->top = count > rows ? count - rows : 0;
	if (t->at < t->top)
		t->top = t->at;
	if (rows && t->at >= t->top + rows)
		t->top = t->at - rows + 1;
}

/* A name that matches what is searched for stands out. What is before it is blanks and a mark. */
static void mark_found(const struct table *t, const struct look *look, struct canvas *c,
		       struct area a, int y, const struct layout_line *line)
{
	const struct layout_span *name = line->spans;
	const char *text = section_of(t)->rows[line->row].name;

	if (!look->search || !line->span_count || !pattern_matches(look->search, text))
		return;
	canvas_role(c, a, POINTER_CELLS + (int)name->start, y,
		    (int)text_width(line->text + name->start) -
			    (int)text_width(line->text + name->start + name->length),
		    ROLE_FOUND);
}

static void draw_lines(struct table *t, const struct look *look, const struct layout *l,
		       struct canvas *c, struct area a)
{
	int y = 0;

	for (uint32_t i = 0; i < l->count && y < a.height; i++, y++) {
		const struct layout_line *line = &l->lines[i];

		canvas_line(c, a, POINTER_CELLS, y, line);
		if (line->kind != LAYOUT_ROW)
			continue;
		mark_found(t, look, c, a, y, line);
		if (line->row != t->at)
			continue;
		canvas_text(c, a, 0, y, ROLE_KEY, ">");
		canvas_select(c, a, y);
	}
}

void table_draw(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	uint32_t rows = a.height > 1 ? (uint32_t)a.height - 1 : 0;
	uint32_t width = a.width > POINTER_CELLS ? (uint32_t)(a.width - POINTER_CELLS) : 1;
	struct layout *l;

	t->drawn = a;
	t->shown = 0;
	if (!section_of(t) || a.height < 1)
		return;
	if (t->widths_of != a.width)
		table_forget_widths(t);
	t->widths_of = a.width;
	bring_into_sight(t, rows);
	l = layout_window(t->report, width, look->ascii, t->top, rows, &t->widths);
	if (!l)
		return;
	t->shown = l->columns;
	memcpy(t->places, l->places, sizeof(t->places));
	draw_lines(t, look, l, c, a);
	layout_free(l);
}

enum table_hit table_click(struct table *t, int x, int y, enum column *column)
{
	uint32_t row = t->top + (uint32_t)(y - t->drawn.y - 1);
	int at = x - t->drawn.x - POINTER_CELLS;
	bool was;

	if (!t->report || x < t->drawn.x || x >= t->drawn.x + t->drawn.width || y < t->drawn.y ||
	    y >= t->drawn.y + t->drawn.height)
		return TABLE_NOTHING;
	if (y > t->drawn.y) {
		if (row >= table_count(t))
			return TABLE_NOTHING;
		was = row == t->at;
		move_to(t, row);
		return was ? TABLE_CURSOR : TABLE_ROW;
	}
	for (enum column i = 0; i < COLUMNS; i++)
		if (t->shown >> i & 1 && at >= (int)t->places[i].x &&
		    at < (int)(t->places[i].x + t->places[i].width)) {
			*column = i;
			return TABLE_TITLE;
		}
	return TABLE_NOTHING;
}

void table_scroll(struct table *t, int rows)
{
	int64_t page = page_of(t), most = (int64_t)table_count(t) - page;
	int64_t top = (int64_t)t->top + rows;

	if (top > most)
		top = most;
	t->top = top > 0 ? (uint32_t)top : 0;
	if (t->at < t->top)
		move_to(t, t->top);
	if (t->at >= t->top + page)
		move_to(t, (int64_t)t->top + page - 1);
}

enum column table_beside(const struct table *t, enum column column, int step)
{
	enum column c = column;

	for (int i = 0; i < COLUMNS; i++) {
		c = (enum column)(((int)c + step + COLUMNS) % COLUMNS);
		if (t->shown >> c & 1)
			return c;
	}
	return column;
}

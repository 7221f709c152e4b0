/* SPDX-License-Identifier: MIT */
#include "tui/widgets/table.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

static void forget(struct table *t)
{
	if (t->rows)
		t->kind->free(t->rows);
	t->rows = NULL;
}

void table_fini(struct table *t)
{
	forget(t);
	*t = (struct table){ 0 };
}

uint32_t table_count(const struct table *t)
{
	return t->rows ? t->kind->count(t->rows) : 0;
}

uint64_t table_id(const struct table *t)
{
	return t->at < table_count(t) ? t->kind->id(t->rows, t->at) : 0;
}

/* The row of an identity, or as many as there are. Mostly it is where it was. */
static uint32_t find(const struct table *t, uint64_t id)
{
	uint32_t i = 0, count = table_count(t);

	if (t->at < count && t->kind->id(t->rows, t->at) == id)
		return t->at;
	while (i < count && t->kind->id(t->rows, i) != id)
		i++;
	return i;
}

/* Whether the cursor belongs to its row; else it belongs to its line. */
static bool stays_on_row(const struct table *t)
{
	return t->follows || t->found || (t->kind && !t->kind->by_line);
}

static void clamp(struct table *t)
{
	uint32_t count = table_count(t);

	if (t->at >= count)
		t->at = count ? count - 1 : 0;
}

void table_take(struct table *t, const struct table_kind *kind, void *rows)
{
	uint32_t row;

	forget(t);
	t->kind = kind;
	t->rows = rows;
	row = t->wanted ? find(t, t->wanted) : table_count(t);
	if (row < table_count(t)) {
		t->at = row;
		t->moved = true;
		if (!stays_on_row(t))
			t->wanted = 0;
	} else if (!t->moved && rows && kind->first) {
		t->at = kind->first(rows);
	}
	clamp(t);
}

void table_forget_widths(struct table *t)
{
	t->widths.like.made = false;
	memset(t->cells, 0, sizeof(t->cells));
}

static void move_to(struct table *t, int64_t row)
{
	int64_t count = table_count(t);

	if (row >= count)
		row = count - 1;
	t->at = row > 0 ? (uint32_t)row : 0;
	t->moved = true;
	t->found = false;
	if (count)
		t->wanted = stays_on_row(t) ? table_id(t) : 0;
}

bool table_go(struct table *t, uint64_t id)
{
	uint32_t row = find(t, id);

	t->wanted = id;
	t->found = false;
	if (row >= table_count(t))
		return false;
	t->at = row;
	t->moved = true;
	return true;
}

void table_go_row(struct table *t, uint32_t row)
{
	move_to(t, row);
	t->wanted = table_id(t);
}

void table_follow(struct table *t, bool follows)
{
	t->follows = follows;
	if (t->kind && t->kind->by_line)
		t->wanted = follows ? table_id(t) : 0;
}

void table_home(struct table *t)
{
	t->wanted = 0;
	t->moved = t->found = false;
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

static bool search(struct table *t, const struct pattern *pattern, int step, bool here)
{
	uint32_t count = table_count(t);

	for (uint32_t i = here ? 0 : 1; i <= count && count; i++) {
		uint32_t far = i % count;
		uint32_t row = (t->at + (step > 0 ? far : count - far)) % count;

		if (t->kind->matches(t->rows, row, pattern)) {
			table_go_row(t, row);
			t->found = true;
			return true;
		}
	}
	return false;
}

bool table_search(struct table *t, const struct pattern *pattern, int step, bool here)
{
	struct pattern whole = pattern_whole(pattern);

	return (here && search(t, &whole, step, here)) || search(t, pattern, step, here);
}

/* They never take more than half of the lines. */
uint32_t table_fixed(const struct table *t)
{
	uint32_t fixed = t->kind && t->kind->fixed && t->rows ? t->kind->fixed(t->rows) : 0;
	uint32_t most = (uint32_t)page_of(t) / 2;

	return fixed < most ? fixed : most;
}

/* Moves what is in sight so that the cursor is, and no line below the last row is wasted. */
static void bring_into_sight(struct table *t, uint32_t rows)
{
	uint32_t count = table_count(t), fixed = table_fixed(t);

	if (t->top + rows > count)
		t->top = count > rows ? count - rows : 0;
	if (t->at >= fixed && t->at < t->top + fixed)
		t->top = t->at - fixed;
	if (rows && t->at >= t->top + rows)
		t->top = t->at - rows + 1;
}

uint32_t table_rows_in(const struct table *t, struct area a)
{
	uint32_t rows = a.height > 1 ? (uint32_t)a.height - 1 : 0, count = table_count(t);
	uint32_t below = t->top < count ? count - t->top : 0;

	return rows < below ? rows : below;
}

void table_note_cut(struct table *t, uint32_t row, const char *name)
{
	size_t used, length;

	if (row != t->at)
		return;
	length = text_clip(name, TABLE_NAME / 4, &used);
	snprintf(t->name, sizeof(t->name), "%.*s", (int)length, name);
}

void table_point(const struct table *t, struct canvas *c, struct area a, int y, uint32_t row)
{
	if (row != t->at)
		return;
	canvas_text(c, a, 0, y, ROLE_KEY, ">");
	canvas_select(c, a, y);
}

void table_draw(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	t->drawn = a;
	t->shown = 0;
	*t->name = '\0';
	if (!t->rows || a.height < 1)
		return;
	if (t->widths_of != a.width)
		table_forget_widths(t);
	t->widths_of = a.width;
	bring_into_sight(t, (uint32_t)a.height - 1);
	t->kind->draw(t, look, c, a);
	if (t->top) /* or who comes with the cursor on a row far below would take the first one in sight for the first */
		canvas_text(c, a, 0, 0, ROLE_KEY, look->ascii ? "^" : "▲");
}

const char *table_title(const struct table *t, int column)
{
	return t->rows && t->kind->title ? t->kind->title(t->rows, column) : NULL;
}

int table_sorted(const struct table *t)
{
	return t->rows && t->kind->sorted ? t->kind->sorted(t->rows) : -1;
}

/* The column that it can be sorted by whose title or cells are there; -1: none. */
static int column_at(const struct table *t, int x)
{
	for (int i = 0; i < TABLE_COLUMNS; i++)
		if (t->shown >> i & 1 && x >= (int)t->places[i].x &&
		    x < (int)(t->places[i].x + t->places[i].width) && table_title(t, i))
			return i;
	return -1;
}

enum table_hit table_click(struct table *t, int x, int y, int *column)
{
	uint32_t line = (uint32_t)(y - t->drawn.y - 1), row = line < table_fixed(t) ? line : t->top + line;
	bool was;

	if (!t->rows || x < t->drawn.x || x >= t->drawn.x + t->drawn.width || y < t->drawn.y ||
	    y >= t->drawn.y + t->drawn.height)
		return TABLE_NOTHING;
	if (y > t->drawn.y) {
		if (row >= table_count(t))
			return TABLE_NOTHING;
		was = row == t->at;
		move_to(t, row);
		return was ? TABLE_CURSOR : TABLE_ROW;
	}
	*column = column_at(t, x - t->drawn.x - TABLE_POINTER);
	return *column < 0 ? TABLE_NOTHING : TABLE_TITLE;
}

void table_scroll(struct table *t, int rows)
{
	int64_t page = page_of(t), most = (int64_t)table_count(t) - page;
	int64_t top = (int64_t)t->top + rows;
	uint32_t fixed = table_fixed(t);

	if (top > most)
		top = most;
	t->top = top > 0 ? (uint32_t)top : 0;
	if (t->at >= fixed && t->at < t->top + fixed)
		move_to(t, (int64_t)t->top + fixed);
	if (t->at >= t->top + page)
		move_to(t, (int64_t)t->top + page - 1);
}

int table_beside(const struct table *t, int step)
{
	int sorted = table_sorted(t), c = sorted;

	if (sorted < 0)
		return -1;
	for (int i = 0; i < TABLE_COLUMNS; i++) {
		c = (c + step + TABLE_COLUMNS) % TABLE_COLUMNS;
		if (t->shown >> c & 1 && table_title(t, c))
			return c;
	}
	return sorted;
}

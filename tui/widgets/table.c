/* SPDX-License-Identifier: MIT */
#include "tui/widgets/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

#define NAME_CELLS 9 /* of the column that names the row, while others can go, */
#define NAME_LEAST 6 /* and where it is narrow */
#define NARROW_CELLS 40

static void forget_rows(struct table *t)
{
	if (t->rows)
		t->rows->type->free(t->rows);
	t->rows = NULL;
}

void table_fini(struct table *t)
{
	forget_rows(t);
	*t = (struct table){ 0 };
}

uint32_t table_count(const struct table *t)
{
	return t->rows ? t->rows->count : 0;
}

uint64_t table_id(const struct table *t)
{
	return t->at < table_count(t) ? t->rows->type->id(t->rows, t->at) : 0;
}

/* The row of an identity, or as many as there are. Mostly it is where it was. */
static uint32_t find_row(const struct table *t, uint64_t id)
{
	uint32_t i = 0, count = table_count(t);

	if (t->at < count && t->rows->type->id(t->rows, t->at) == id)
		return t->at;
	while (i < count && t->rows->type->id(t->rows, i) != id)
		i++;
	return i;
}

/* Whether the cursor belongs to its row; else it belongs to its line. */
static bool stays_on_row(const struct table *t)
{
	return t->follows || t->found || (t->type && !t->type->by_line);
}

static void clamp_cursor(struct table *t)
{
	uint32_t count = table_count(t);

	if (t->at >= count)
		t->at = count ? count - 1 : 0;
}

void table_take(struct table *t, struct typed_table *rows)
{
	uint32_t row;

	forget_rows(t);
	t->rows = rows;
	t->type = rows ? rows->type : t->type;
	row = t->wanted ? find_row(t, t->wanted) : table_count(t);
	if (row < table_count(t)) {
		t->at = row;
		t->moved = true;
		if (!stays_on_row(t))
			t->wanted = 0;
	} else if (!t->moved && rows) {
		t->at = rows->first;
	}
	clamp_cursor(t);
}

void table_forget_widths(struct table *t)
{
	t->widths.like.type = NULL;
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
	uint32_t row = find_row(t, id);

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
	if (t->type && t->type->by_line)
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

static bool search_rows(struct table *t, const struct pattern *pattern, int step, bool here)
{
	uint32_t count = table_count(t);

	for (uint32_t i = here ? 0 : 1; i <= count && count; i++) {
		uint32_t far = i % count;
		uint32_t row = (t->at + (step > 0 ? far : count - far)) % count;

		if (t->rows->type->matches(t->rows, row, pattern)) {
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

	return (here && search_rows(t, &whole, step, here)) || search_rows(t, pattern, step, here);
}

/* They never take more than half of the lines. */
static uint32_t fixed_rows(const struct table *t)
{
	uint32_t fixed = t->rows ? t->rows->fixed : 0;
	uint32_t most = (uint32_t)page_of(t) / 2;

	return fixed < most ? fixed : most;
}

/* Moves what is in sight so that the cursor is, and no line below the last row is wasted. */
static void bring_into_sight(struct table *t, uint32_t rows)
{
	uint32_t count = table_count(t), fixed = fixed_rows(t);

	if (t->top + rows > count)
		t->top = count > rows ? count - rows : 0;
	if (t->at >= fixed && t->at < t->top + fixed)
		t->top = t->at - fixed;
	if (rows && t->at >= t->top + rows)
		t->top = t->at - rows + 1;
}

/* How many of them find room below the titles. */
static uint32_t rows_in(const struct table *t, struct area a)
{
	uint32_t rows = a.height > 1 ? (uint32_t)a.height - 1 : 0, count = table_count(t);
	uint32_t below = t->top < count ? count - t->top : 0;

	return rows < below ? rows : below;
}

/* Those that are fixed, then those that are in sight. */
static uint32_t row_of_line(const struct table *t, uint32_t line)
{
	return line < fixed_rows(t) ? line : t->top + line;
}

/* `s->keeps` is that of the column which names the row. */
static void fit_sheet(struct sheet *s, struct table *t, uint32_t width)
{
	uint32_t least = width < NARROW_CELLS ? NAME_LEAST : NAME_CELLS;

	s->keeps = s->keeps > least ? s->keeps : least;
	if (s->sorted >= 0 && s->columns[s->sorted].importance)
		s->columns[s->sorted].importance = SHEET_STAYS - 1;
	sheet_fit(s, width);
	memcpy(t->places, s->places, sizeof(t->places));
	t->shown = s->shown;
}

/* Says what the name of the cursor's row is, if it was drawn cut. */
static void note_cut(struct table *t, const struct sheet *s, uint32_t row, const char *line)
{
	struct sheet_cell cell;
	uint32_t column = 0;
	const char *name;
	size_t used;

	while (column + 1 < s->count && s->columns[column].importance != SHEET_GIVES_WAY)
		column++;
	cell = sheet_at(s, row, column);
	name = cell.text + strspn(cell.text, " ");
	if (cell.rest || (cell.lead ? strstr(line, name) != NULL : cell.cells <= s->places[column].width))
		return;
	snprintf(t->name, sizeof(t->name), "%.*s", (int)text_clip(name, TABLE_NAME / 4, &used), name);
}

/* The pointer of the cursor, and beside it the number of what is pinned. */
static void draw_marks(const struct table *t, struct canvas *c, struct area a, int y, uint32_t row)
{
	unsigned pin = t->rows->type->pin ? t->rows->type->pin(t->rows, row) : 0;
	char number[2] = { (char)('0' + pin), '\0' };

	if (pin)
		canvas_text(c, a, 1, y, ROLE_PIN_1 + pin - 1u, number);
	if (row != t->at)
		return;
	canvas_text(c, a, 0, y, ROLE_KEY, ">");
	canvas_select(c, a, y);
}

/* A row of the sheet, or its titles, in line y. */
static void draw_line(struct table *t, const struct sheet *s, uint32_t row, struct canvas *c, struct area a, int y)
{
	struct layout_line line;

	if (!sheet_line(s, row, &line))
		return;
	canvas_line(c, a, TABLE_POINTER, y, &line);
	if (row != SHEET_TITLES && row_of_line(t, row) == t->at)
		note_cut(t, s, row, line.text);
	if (row != SHEET_TITLES)
		draw_marks(t, c, a, y, row_of_line(t, row));
	free(line.text);
	free(line.spans);
}

static void draw_rows(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct typed_table *rows = t->rows;
	struct typed_look asks = { .output = TABLE_SCREEN, .ascii = look->ascii, .width = look->width,
				   .cells = (uint32_t)(a.width - TABLE_POINTER), .precision = look->precision, .own = look };
	struct sheet s;

	if (table_report(t))
		zone_table_hold((struct zone_table *)t->rows, &t->units);
	typed_table_sheet(rows, &asks, &s);
	for (uint32_t line = 0; line < rows_in(t, a); line++) {
		uint32_t row = row_of_line(t, line);

		asks.found = look->search && rows->type->matches(rows, row, look->search);
		typed_table_add(rows, &asks, &s, row);
	}
	typed_table_hold(rows, &asks, &s, &t->widths);
	fit_sheet(&s, t, asks.cells);
	draw_line(t, &s, SHEET_TITLES, c, a, 0);
	for (uint32_t line = 0; line < sheet_rows(&s); line++)
		draw_line(t, &s, line, c, a, (int)line + 1);
	for (uint32_t column = 0; column < s.count; column++)
		if (s.columns[column].right)
			canvas_fix_minus(c, (struct area){ a.x + TABLE_POINTER + (int)s.places[column].x, a.y + 1,
							   (int)s.places[column].width, a.height - 1 });
	sheet_fini(&s);
}

void table_draw(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	t->drawn = a;
	t->shown = 0;
	*t->name = '\0';
	if (!t->rows || a.height < 1)
		return;
	bring_into_sight(t, (uint32_t)a.height - 1);
	if (a.width > TABLE_POINTER && t->rows->sections)
		draw_rows(t, look, c, a);
	if (t->top) /* or who comes with the cursor on a row far below would take the first one in sight for the first */
		canvas_text(c, a, 0, 0, ROLE_KEY, look->ascii ? "^" : "▲");
}

const char *table_title(const struct table *t, int column)
{
	return t->rows && column < (int)t->rows->type->column_count && t->rows->columns[column].sorts ? t->rows->columns[column].title
												     : NULL;
}

int table_sorted(const struct table *t)
{
	return t->rows ? t->rows->sorted : -1;
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
	uint32_t line = (uint32_t)(y - t->drawn.y - 1), row = line < fixed_rows(t) ? line : t->top + line;
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
	uint32_t fixed = fixed_rows(t);

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

void table_take_report(struct table *t, struct report *r)
{
	struct zone_table *zones = r ? zone_table_new(r) : NULL;

	table_take(t, zones ? &zones->table : NULL);
}

const struct report *table_report(const struct table *t)
{
	return zone_table_report(t->rows);
}

const struct report_row *table_row(const struct table *t)
{
	const struct report *r = table_report(t);

	return r && t->at < table_count(t) ? &r->sections[0].rows[t->at] : NULL;
}

void table_go_key(struct table *t, uint32_t key)
{
	const struct report *r = table_report(t);

	for (uint32_t i = 0; r && i < table_count(t); i++)
		if (r->sections[0].rows[i].key == key) {
			table_go_row(t, i);
			return;
		}
}

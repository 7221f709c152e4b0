/* SPDX-License-Identifier: MIT */
#include "tui/widgets/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

static void forget_rows(struct table *t)
{
	if (t->rows)
		t->kind->free(t->rows);
	t->rows = NULL;
}

void table_fini(struct table *t)
{
	forget_rows(t);
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
static uint32_t find_row(const struct table *t, uint64_t id)
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

static void clamp_cursor(struct table *t)
{
	uint32_t count = table_count(t);

	if (t->at >= count)
		t->at = count ? count - 1 : 0;
}

void table_take(struct table *t, const struct table_kind *kind, void *rows)
{
	uint32_t row;

	forget_rows(t);
	t->kind = kind;
	t->rows = rows;
	row = t->wanted ? find_row(t, t->wanted) : table_count(t);
	if (row < table_count(t)) {
		t->at = row;
		t->moved = true;
		if (!stays_on_row(t))
			t->wanted = 0;
	} else if (!t->moved && rows && kind->first) {
		t->at = kind->first(rows);
	}
	clamp_cursor(t);
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

static bool search_rows(struct table *t, const struct pattern *pattern, int step, bool here)
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

	return (here && search_rows(t, &whole, step, here)) || search_rows(t, pattern, step, here);
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

_Static_assert(COLUMNS <= TABLE_COLUMNS, "a table can have as many columns as a report");

static const struct report_section *section_of(const struct report *r)
{
	return r->section_count ? &r->sections[0] : NULL;
}

static uint32_t report_row_count(const void *rows)
{
	const struct report_section *section = section_of(rows);

	return section ? section->row_count : 0;
}

static uint64_t report_row_id(const void *rows, uint32_t row)
{
	return section_of(rows)->rows[row].id;
}

static bool report_row_matches(const void *rows, uint32_t row, const struct pattern *pattern)
{
	return pattern_matches(pattern, section_of(rows)->rows[row].name);
}

static const char *report_column_title(const void *rows, int column)
{
	const struct report *r = rows;

	return column < COLUMNS && r->offered >> column & 1 ? report_title(r, column) : NULL;
}

static int report_sorted(const void *rows)
{
	return (int)((const struct report *)rows)->sort;
}

static uint32_t report_hidden(const void *rows)
{
	const struct report_section *section = section_of(rows);

	return section ? section->hidden : 0;
}

/* Those that are pinned stand first in a flat report. */
static uint32_t report_fixed(const void *rows)
{
	const struct report *r = rows;
	bool is_flat = r->view == REPORT_SELF || r->view == REPORT_HIER;
	uint32_t i = 0;

	while (is_flat && i < report_row_count(rows) && section_of(r)->rows[i].pin)
		i++;
	return i;
}

/* A name that matches what is searched for stands out. What is before it is blanks and a mark. */
static void mark_found(const struct report *r, const struct look *look, struct canvas *c,
		       struct area a, int y, const struct layout_line *line)
{
	const struct layout_span *name = line->spans;
	const char *text = section_of(r)->rows[line->row].name;

	if (!look->search || !line->span_count || !pattern_matches(look->search, text))
		return;
	canvas_role(c, a, TABLE_POINTER + (int)name->start, y,
		    (int)text_width(line->text + name->start) -
			    (int)text_width(line->text + name->start + name->length),
		    ROLE_FOUND);
}

/* If a name is cut, it ends with an ellipsis. */
static void note_cut(struct table *t, const struct look *look, const struct layout_line *line)
{
	const struct layout_span *name = line->spans;
	char *shown = name_shown(section_of(t->rows)->rows[line->row].name, look->ascii);

	if (shown && line->span_count &&
	    (name->length < strlen(shown) || strncmp(line->text + name->start, shown, strlen(shown)) != 0))
		table_note_cut(t, line->row, shown);
	free(shown);
}

/* The number of a zone that is pinned stands beside the pointer. */
static void mark_pin(const struct report_row *row, struct canvas *c, struct area a, int y)
{
	char number[2] = { (char)('0' + row->pin), '\0' };

	if (row->pin)
		canvas_text(c, a, 1, y, ROLE_PIN_1 + row->pin - 1u, number);
}

/* From line `y` of the area on. */
static void draw_lines(struct table *t, const struct look *look, const struct layout *l,
		       struct canvas *c, struct area a, int y)
{
	for (uint32_t i = (uint32_t)y; i < l->count && y < a.height; i++, y++) {
		const struct layout_line *line = &l->lines[i];

		canvas_line(c, a, TABLE_POINTER, y, line);
		if (line->kind != LAYOUT_ROW)
			continue;
		mark_found(t->rows, look, c, a, y, line);
		note_cut(t, look, line);
		mark_pin(&section_of(t->rows)->rows[line->row], c, a, y);
		table_point(t, c, a, y, line->row);
	}
}

/* Rows from `first` on, below line `y`. */
static void draw_window(struct table *t, const struct look *look, struct canvas *c, struct area a,
			uint32_t first, int y)
{
	uint32_t width = a.width > TABLE_POINTER ? (uint32_t)(a.width - TABLE_POINTER) : 1;
	struct layout *l = layout_window(t->rows, width, look->ascii, first, (uint32_t)a.height - 1, &t->widths);

	if (!l)
		return;
	t->shown = l->columns;
	memcpy(t->places, l->places, sizeof(l->places));
	draw_lines(t, look, l, c, a, y);
	for (enum column column = 0; column < COLUMNS; column++)
		if (!report_columns[column].left)
			canvas_fix_minus(c, (struct area){ a.x + TABLE_POINTER + (int)l->places[column].x, a.y + 1,
							   (int)l->places[column].width, a.height - 1 });
	layout_free(l);
}

static void report_draw(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	uint32_t fixed_rows = table_fixed(t);
	struct area above = { a.x, a.y, a.width, (int)fixed_rows + 1 };

	if (!section_of(t->rows))
		return;
	if (t->top && fixed_rows) {
		draw_window(t, look, c, above, 0, 0);
		draw_window(t, look, c, a, t->top, (int)fixed_rows + 1);
	} else {
		draw_window(t, look, c, a, t->top, 0);
	}
}

/* The first row of work; where there is none, the first one. */
static uint32_t report_first(const void *rows)
{
	const struct report_section *section = section_of(rows);
	uint32_t i = 0;

	while (section && i < section->row_count &&
	       (section->rows[i].role == ROW_NO_ZONE || section->rows[i].waiting))
		i++;
	return section && i < section->row_count ? i : 0;
}

static void free_rows(void *rows)
{
	report_free(rows);
}

static const struct table_kind report_kind = {
	.count = report_row_count, .id = report_row_id, .matches = report_row_matches, .title = report_column_title, .sorted = report_sorted,
	.hidden = report_hidden, .fixed = report_fixed, .first = report_first, .draw = report_draw, .free = free_rows,
	.by_line = true,
};

void table_take_report(struct table *t, struct report *r)
{
	table_take(t, &report_kind, r);
}

const struct report *table_report(const struct table *t)
{
	return t->kind == &report_kind ? t->rows : NULL;
}

const struct report_row *table_row(const struct table *t)
{
	const struct report *r = table_report(t);

	return r && t->at < report_row_count(r) ? &section_of(r)->rows[t->at] : NULL;
}

void table_go_key(struct table *t, uint32_t key)
{
	const struct report *r = table_report(t);

	for (uint32_t i = 0; r && i < report_row_count(r); i++)
		if (section_of(r)->rows[i].key == key) {
			table_go_row(t, i);
			return;
		}
}

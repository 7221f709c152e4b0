/* SPDX-License-Identifier: MIT */
#include "tui/widgets/grid.h"

#include <stdlib.h>
#include <string.h>

#define NAME_CELLS 9  /* of the column that names the row, while others can go, */
#define NAME_LEAST 6  /* and where it is narrow */
#define NARROW_CELLS 40

/* `s->keeps` is that of the column which names the row. */
static void fit_sheet(struct sheet *s, struct table *t, uint32_t width)
{
	uint32_t least = width < NARROW_CELLS ? NAME_LEAST : NAME_CELLS;

	s->keeps = s->keeps > least ? s->keeps : least;
	if (s->sorted >= 0 && s->columns[s->sorted].importance)
		s->columns[s->sorted].importance = SHEET_STAYS;
	sheet_fit(s, width);
	memcpy(t->cells, s->needs, s->count * sizeof(*t->cells));
	memcpy(t->places, s->places, sizeof(t->places));
	t->shown = s->shown;
}

static void draw_line(const struct sheet *s, uint32_t row, struct canvas *c, struct area a, int y)
{
	struct layout_line line;

	if (!sheet_line(s, row, &line))
		return;
	canvas_line(c, a, TABLE_POINTER, y, &line);
	free(line.text);
	free(line.spans);
}

/* The column that gives way, where it does. */
static void note_cuts(struct table *t, const struct sheet *s)
{
	uint32_t column = 0;

	while (column + 1 < s->count && s->columns[column].importance != SHEET_GIVES_WAY)
		column++;
	for (uint32_t row = 0; row < sheet_rows(s); row++) {
		struct sheet_cell cell = sheet_at(s, row, column);

		if (!cell.rest && cell.cells > s->places[column].width)
			table_note_cut(t, t->top + row, cell.text + strspn(cell.text, " "));
	}
}

/* Frees the sheet. */
static void draw_sheet(struct sheet *s, struct table *t, struct canvas *c, struct area a)
{
	fit_sheet(s, t, (uint32_t)(a.width - TABLE_POINTER));
	note_cuts(t, s);
	draw_line(s, SHEET_TITLES, c, a, 0);
	for (uint32_t row = 0; row < sheet_rows(s); row++) {
		draw_line(s, row, c, a, (int)row + 1);
		table_point(t, c, a, (int)row + 1, t->top + row);
	}
	for (uint32_t column = 0; column < s->count; column++)
		if (s->columns[column].right)
			canvas_fix_minus(c, (struct area){ a.x + TABLE_POINTER + (int)s->places[column].x, a.y + 1,
							   (int)s->places[column].width, a.height - 1 });
	sheet_fini(s);
}

/* A table_kind */

static uint32_t count(const void *rows)
{
	return ((const struct typed_table *)rows)->count;
}

static uint64_t id(const void *rows, uint32_t row)
{
	return ((const struct typed_table *)rows)->type->id(rows, row);
}

static bool matches(const void *rows, uint32_t row, const struct pattern *pattern)
{
	return ((const struct typed_table *)rows)->type->matches(rows, row, pattern);
}

static const char *title(const void *rows, int column)
{
	const struct typed_table *t = rows;

	return column < (int)t->type->column_count && t->columns[column].sorts ? t->columns[column].title : NULL;
}

static int sorted(const void *rows)
{
	return ((const struct typed_table *)rows)->sorted;
}

static uint32_t hidden(const void *rows)
{
	return ((const struct typed_table *)rows)->left_out;
}

static void free_rows(void *rows)
{
	((struct typed_table *)rows)->type->free(rows);
}

static void draw(struct table *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct typed_table *rows = t->rows;
	struct typed_look asks = { .output = TABLE_SCREEN, .ascii = look->ascii, .width = look->width,
				   .precision = look->precision, .own = look };
	struct sheet s;

	if (a.width <= TABLE_POINTER)
		return;
	typed_table_sheet(rows, &asks, &s);
	memcpy(s.needs, t->cells, s.count * sizeof(*s.needs));
	for (uint32_t row = t->top; row < t->top + table_rows_in(t, a); row++) {
		asks.found = look->search && matches(rows, row, look->search);
		typed_table_add(rows, &asks, &s, row);
	}
	draw_sheet(&s, t, c, a);
}

static const struct table_kind typed_kind = {
	.count = count, .id = id, .matches = matches, .title = title, .sorted = sorted, .hidden = hidden, .draw = draw,
	.free = free_rows,
};

void table_take_typed(struct table *t, struct typed_table *rows)
{
	table_take(t, &typed_kind, rows);
}

struct typed_table *table_typed(const struct table *t)
{
	return t->kind == &typed_kind ? t->rows : NULL;
}

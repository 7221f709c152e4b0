/* SPDX-License-Identifier: MIT */
#include "tui/widgets/grid.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

#define NAME_CELLS 9  /* of the column that names the row, while others can go, */
#define NAME_LEAST 6  /* and where it is narrow */
#define NARROW_CELLS 40

void grid_text(char out[GRID_TEXT], const char *text)
{
	size_t used, length = text_clip(text, GRID_TEXT / 4, &used);

	if (length >= GRID_TEXT) /* characters that combine take no cells */
		length = 0;
	memcpy(out, text, length);
	out[length] = '\0';
}

/* What is in sight, in columns that are as wide as they were. */
static void fill(struct sheet *s, const struct table *t, const struct grid *g, const struct look *look, uint32_t rows)
{
	char text[GRID_TEXT];

	for (uint32_t row = t->top; row < t->top + rows; row++) {
		bool found = look->search && t->kind->matches(t->rows, row, look->search);

		for (int c = 0; c < g->count; c++) {
			enum style_role role;

			*text = '\0';
			role = g->cell(t->rows, look, row, c, text);
			sheet_add(s, (struct sheet_cell){
				.text = text, .role = found && !g->columns[c].importance ? STYLE_FOUND : role,
				.id = g->id && !g->columns[c].importance ? g->id(t->rows, row) : 0 });
		}
	}
}

static void fit(struct sheet *s, struct table *t, const struct grid *g, uint32_t width)
{
	uint32_t least = width < NARROW_CELLS ? NAME_LEAST : NAME_CELLS;

	s->sorted = g->sorted;
	s->descending = g->descending;
	s->keeps = (uint32_t)g->name_cells > least ? (uint32_t)g->name_cells : least;
	if (g->sorted >= 0 && g->columns[g->sorted].importance)
		s->columns[g->sorted].importance = SHEET_STAYS;
	sheet_fit(s, width);
	memcpy(t->cells, s->needs, sizeof(t->cells));
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

void grid_draw(struct table *t, const struct grid *g, const struct look *look, struct canvas *c,
	       struct area a)
{
	struct sheet s;

	if (a.width <= TABLE_POINTER)
		return;
	sheet_init(&s, g->columns, (uint32_t)g->count, look->ascii);
	memcpy(s.needs, t->cells, sizeof(s.needs));
	fill(&s, t, g, look, table_rows_in(t, a));
	fit(&s, t, g, (uint32_t)(a.width - TABLE_POINTER));
	note_cuts(t, &s);
	draw_line(&s, SHEET_TITLES, c, a, 0);
	for (uint32_t row = 0; row < sheet_rows(&s); row++) {
		draw_line(&s, row, c, a, (int)row + 1);
		table_point(t, c, a, (int)row + 1, t->top + row);
	}
	for (int column = 0; column < g->count; column++)
		if (g->columns[column].right)
			canvas_fix_minus(c, (struct area){ a.x + TABLE_POINTER + (int)s.places[column].x, a.y + 1,
							   (int)s.places[column].width, a.height - 1 });
	sheet_fini(&s);
}

/* SPDX-License-Identifier: MIT */
#include "tui/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

#define GAP_CELLS 2
#define NAME_CELLS 9  /* of the column that names the row, while others can go, */
#define NAME_LEAST 6  /* and where it is narrow */
#define NARROW_CELLS 40

struct drawing {
	struct table *t;
	const struct grid *g;
	const struct look *look;
	struct canvas *c;
	struct area a;    /* behind the pointer */
	uint32_t rows;
	char *texts;      /* GRID_TEXT each: row after row */
	enum role *roles;
	int widths[TABLE_COLUMNS];
};

void grid_text(char out[GRID_TEXT], const char *text)
{
	size_t used, length = text_clip(text, GRID_TEXT / 4, &used);

	if (length >= GRID_TEXT) /* characters that combine take no cells */
		length = 0;
	memcpy(out, text, length);
	out[length] = '\0';
}

static char *text_at(const struct drawing *d, uint32_t row, int column)
{
	return d->texts + ((size_t)row * (size_t)d->g->count + (size_t)column) * GRID_TEXT;
}

static enum role *role_at(const struct drawing *d, uint32_t row, int column)
{
	return &d->roles[(size_t)row * (size_t)d->g->count + (size_t)column];
}

static void title_text(const struct drawing *d, int column, char out[GRID_TEXT])
{
	static const char *const arrows[2][2] = { { "▲", "▼" }, { " ^", " v" } };

	snprintf(out, GRID_TEXT, "%s%s", d->g->columns[column].title,
		 column == d->g->sorted ? arrows[d->look->ascii][d->g->descending] : "");
}

static void grow(int *cells, const char *text)
{
	int width = (int)text_width(text);

	if (width > *cells)
		*cells = width;
}

/* All texts, and the widths that they need. */
static void fill(struct drawing *d)
{
	for (int c = 0; c < d->g->count; c++) {
		int *cells = &d->t->cells[c];
		char title[GRID_TEXT];

		title_text(d, c, title);
		grow(cells, title);
		if (*cells < d->g->columns[c].least)
			*cells = d->g->columns[c].least;
		for (uint32_t row = 0; row < d->rows; row++) {
			char *text = text_at(d, row, c);

			*text = '\0';
			*role_at(d, row, c) =
				d->g->cell(d->t->rows, d->look, d->t->top + row, c, text);
			grow(cells, text);
		}
		d->widths[c] = *cells;
	}
}

static int width_of(const struct drawing *d)
{
	int width = -GAP_CELLS;

	for (int c = 0; c < d->g->count; c++)
		if (d->t->shown >> c & 1)
			width += GAP_CELLS + d->widths[c];
	return width;
}

/* The least important column that is still there, which is not the one that it is sorted by; -1: none. */
static int least_important(const struct drawing *d)
{
	int found = -1;

	for (int c = 0; c < d->g->count; c++) {
		uint8_t importance = d->g->columns[c].importance;

		if (d->t->shown >> c & 1 && importance && c != d->g->sorted &&
		    (found < 0 || importance < d->g->columns[found].importance))
			found = c;
	}
	return found;
}

static void fit(struct drawing *d)
{
	int least = d->a.width < NARROW_CELLS ? NAME_LEAST : NAME_CELLS;
	int name = 0, wanted, gone;

	if (d->g->name_cells > least)
		least = d->g->name_cells;
	while (d->g->columns[name].importance)
		name++;
	wanted = d->widths[name];
	d->t->shown = (uint32_t)((UINT64_C(1) << d->g->count) - 1);
	d->widths[name] = wanted < least ? wanted : least;
	while (width_of(d) > d->a.width && (gone = least_important(d)) >= 0)
		d->t->shown &= ~(UINT32_C(1) << gone);
	d->widths[name] += d->a.width - width_of(d);
	if (d->widths[name] > wanted)
		d->widths[name] = wanted;
	if (d->widths[name] < 1)
		d->widths[name] = 1;
}

static void put(const struct drawing *d, int column, int y, enum role role, const char *text)
{
	const struct layout_place *place = &d->t->places[column];
	int cells = (int)text_width(text), width = (int)place->width, x = (int)place->x;

	if (d->g->columns[column].right && cells < width)
		x += width - cells;
	canvas_clipped(d->c, d->a, x, y, width, role, text);
}

static void draw_titles(struct drawing *d)
{
	int x = 0;

	for (int c = 0; c < d->g->count; c++) {
		char title[GRID_TEXT];

		if (!(d->t->shown >> c & 1))
			continue;
		d->t->places[c] = (struct layout_place){ (uint32_t)x, (uint32_t)d->widths[c] };
		title_text(d, c, title);
		put(d, c, 0, c == d->g->sorted ? ROLE_SORTED : ROLE_COLUMN, title);
		x += d->widths[c] + GAP_CELLS;
	}
}

static void draw_rows(const struct drawing *d, struct area whole)
{
	for (uint32_t row = 0; row < d->rows; row++) {
		bool found = d->look->search &&
			     d->t->kind->matches(d->t->rows, d->t->top + row, d->look->search);

		for (int c = 0; c < d->g->count; c++)
			if (d->t->shown >> c & 1)
				put(d, c, (int)row + 1,
				    found && !d->g->columns[c].importance ? ROLE_FOUND
									  : *role_at(d, row, c),
				    text_at(d, row, c));
		table_point(d->t, d->c, whole, (int)row + 1, d->t->top + row);
	}
}

void grid_draw(struct table *t, const struct grid *g, const struct look *look, struct canvas *c,
	       struct area a)
{
	struct drawing d = { .t = t, .g = g, .look = look, .c = c, .a = a,
			     .rows = table_rows_in(t, a) };
	size_t cells = ((size_t)d.rows + 1) * (size_t)g->count;

	d.a.x += TABLE_POINTER;
	d.a.width -= TABLE_POINTER;
	d.texts = malloc(cells * GRID_TEXT);
	d.roles = malloc(cells * sizeof(*d.roles));
	if (d.texts && d.roles && d.a.width > 0) {
		fill(&d);
		fit(&d);
		draw_titles(&d);
		draw_rows(&d, a);
	}
	free(d.texts);
	free(d.roles);
}

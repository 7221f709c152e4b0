/* SPDX-License-Identifier: MIT */
#include "tui/widgets/clipping.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

#define CELL_BYTES (CELL_CODES * 4)

static const struct cell *cell_at(const struct canvas *c, int x, int y)
{
	return &c->cells[(size_t)y * (size_t)c->width + (size_t)x];
}

/* Cells [from, end) of a line, without blanks around them if `both`, else behind them. Returns the end. */
static char *put_cells(const struct canvas *c, int y, int from, int end, bool both, char *to)
{
	if (from < 0)
		from = 0;
	if (end > c->width)
		end = c->width;
	while (end > from && cell_at(c, end - 1, y)->codes[0] == ' ')
		end--;
	while (both && from < end && cell_at(c, from, y)->codes[0] == ' ')
		from++;
	for (; from < end; from++) {
		const struct cell *cell = cell_at(c, from, y);

		for (int i = 0; i < CELL_CODES && cell->codes[i]; i++)
			to += utf8_encode(cell->codes[i], to);
	}
	return to;
}

char *clipping_screen(const struct canvas *c)
{
	size_t line = (size_t)c->width * CELL_BYTES + 1;
	char *text = malloc(line * (size_t)c->height + 1), *to = text;

	for (int y = 0; text && y < c->height; y++) {
		to = put_cells(c, y, 0, c->width, false, to);
		*to++ = '\n';
	}
	if (text)
		*to = '\0';
	return text;
}

/* The line of the row of the cursor; below 0: it is not in sight. */
static int selected_line(const struct canvas *c, const struct table *t)
{
	for (int y = t->drawn.y < 0 ? 0 : t->drawn.y; y < t->drawn.y + t->drawn.height && y < c->height; y++)
		if (t->drawn.x >= 0 && t->drawn.x < c->width && cell_at(c, t->drawn.x, y)->selected)
			return y;
	return -1;
}

/* The column that begins behind x, and nearest to it; -1: none. */
static int column_behind(const struct table *t, int x)
{
	int found = -1;

	for (int i = 0; i < TABLE_COLUMNS; i++)
		if (t->shown >> i & 1 && (int)t->places[i].x > x &&
		    (found < 0 || t->places[i].x < t->places[found].x))
			found = i;
	return found;
}

char *clipping_row(const struct canvas *c, const struct table *t)
{
	char *text = malloc((size_t)c->width * CELL_BYTES + TABLE_COLUMNS + 2), *to = text;
	int y = selected_line(c, t), left = t->drawn.x + TABLE_POINTER;

	if (!text)
		return NULL;
	for (int column = column_behind(t, -1); y >= 0 && column >= 0;
	     column = column_behind(t, (int)t->places[column].x)) {
		int x = left + (int)t->places[column].x, end = x + (int)t->places[column].width;

		if (to > text)
			*to++ = '\t';
		to = put_cells(c, y, x, end < t->drawn.x + t->drawn.width ? end : t->drawn.x + t->drawn.width, true,
			       to);
	}
	*to = '\0';
	return text;
}

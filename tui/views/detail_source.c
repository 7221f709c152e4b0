/* SPDX-License-Identifier: MIT */
/*
 * detail_source: the lines of a function at which samples were taken, in the pane below its call graph. If they do not all
 * fit, those with most samples stay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "tui/views/detail.h"

#define TITLES "  LINE   SELF%  TOTAL%  "
#define SOURCE "SOURCE"

int detail_source_lines(const struct detail *d, int room)
{
	int count = d->lines ? (int)d->lines->table.count : 0;

	if (!count || room < 2)
		return 0;
	return count < room ? count + 1 : room;
}

static int by_samples(const void *a, const void *b)
{
	const struct line_row *x = *(const struct line_row *const *)a, *y = *(const struct line_row *const *)b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->total != y->total ? (x->total > y->total ? -1 : 1) : 0;
}

static int by_line(const void *a, const void *b)
{
	const struct line_row *x = *(const struct line_row *const *)a, *y = *(const struct line_row *const *)b;

	return x->line < y->line ? -1 : x->line > y->line;
}

/* The text is as warm as the line has samples, beside the line that has most. */
static void draw_line(const struct detail *d, const struct line_row *row, int64_t most, struct canvas *c, struct area a, int y)
{
	const struct look *look = d->look;
	const struct profile *p = look->profile;
	const char *text = row->line && look->source ? look->source(look->source_context, p, p->zones[row->zone].file, row->line) : NULL;
	char *shown = text ? name_shown(text, look->ascii) : NULL;
	char line[16] = "-", numbers[64];
	int x;

	if (row->line)
		snprintf(line, sizeof(line), "%u", row->line);
	snprintf(numbers, sizeof(numbers), "%6s  %5.1f%%  %5.1f%%  ", line, line_table_part(d->lines, row->self) * 100,
		 line_table_part(d->lines, row->total) * 100);
	x = canvas_text(c, a, 0, y, ROLE_NUMBER, numbers);
	if (shown)
		canvas_bytes(c, a, x, y, ROLE_WARM, most ? (float)row->self / (float)most : 0, shown, strlen(shown));
	free(shown);
}

void detail_source_draw(const struct detail *d, struct canvas *c, struct area a)
{
	uint32_t count = d->lines ? d->lines->table.count : 0, drawn = (uint32_t)(a.height - 1);
	const struct line_row **rows = a.height > 1 && count ? array_zeroed(count, sizeof(*rows)) : NULL;
	int64_t most;

	if (!rows)
		return;
	for (uint32_t i = 0; i < count; i++)
		rows[i] = &d->lines->rows[i];
	qsort(rows, count, sizeof(*rows), by_samples);
	most = rows[0]->self;
	drawn = drawn < count ? drawn : count;
	qsort(rows, drawn, sizeof(*rows), by_line);
	canvas_text(c, a, canvas_text(c, a, 0, 0, ROLE_COLUMN, TITLES), 0, ROLE_COLUMN, d->look->source ? SOURCE : "");
	for (uint32_t i = 0; i < drawn; i++)
		draw_line(d, rows[i], most, c, a, (int)i + 1);
	free(rows);
}

/* SPDX-License-Identifier: MIT */
#include "tui/detail.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/text.h"
#include "tui/fields.h"

#define HEIGHT_FROM 8 /* of the view */
#define GAP 3         /* cells between two pieces of a line */

int detail_lines(const struct detail *d, int height)
{
	(void)d;
	return height < HEIGHT_FROM ? 0 : 1;
}

/* `src/ray.c:118`; the cells used. */
static int draw_place(const struct detail *d, struct canvas *c, struct area a)
{
	uint32_t index = lens_keys(d->look->lens)->keys[d->key].zone;
	const struct profile_zone *zone = &d->look->profile->zones[index];
	char *file = name_safe(zone->file, d->look->ascii);
	char line[16];
	int x = 0;

	if (file && *file) {
		snprintf(line, sizeof(line), ":%u", zone->line);
		x = canvas_text(c, a, 0, 0, ROLE_DIM, file);
		x += canvas_text(c, a, x, 0, ROLE_DIM, line);
	}
	free(file);
	return x;
}

/* `depth 2, 31.0 recursive entries` */
static void add_recursion(const struct detail *d, struct fields *f)
{
	const struct report_section *s = &d->report->sections[0];
	char count[48];

	if (!s->recursive)
		return;
	format_count(count, sizeof(count), s->recursive, d->report->scale);
	fields_add(f, ROLE_LABEL, 4, "depth %u, %s recursive entries", s->depth, count);
}

/* `src/ray.c:118   depth 2, 31.0 recursive entries` */
static void draw_first(const struct detail *d, struct canvas *c, struct area a)
{
	struct fields f = { .gap = GAP };
	int x = draw_place(d, c, a);

	x += x ? GAP : 0;
	add_recursion(d, &f);
	fields_draw(&f, c, (struct area){ a.x + x, a.y, a.width - x, a.height }, 0);
}

void detail_draw(const struct detail *d, struct canvas *c, struct area a)
{
	struct area inside = { a.x + 1, a.y, a.width - 1, a.height };

	if (a.height > 0 && d->report->section_count)
		draw_first(d, c, inside);
}

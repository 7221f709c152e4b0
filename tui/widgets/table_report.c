/* SPDX-License-Identifier: MIT */
#include "tui/widgets/table_report.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

_Static_assert(COLUMNS <= TABLE_COLUMNS, "a table can have as many columns as a report");

static const struct report_section *section_of(const struct report *r)
{
	return r->section_count ? &r->sections[0] : NULL;
}

static uint32_t count(const void *rows)
{
	const struct report_section *section = section_of(rows);

	return section ? section->row_count : 0;
}

static uint64_t id(const void *rows, uint32_t row)
{
	return section_of(rows)->rows[row].id;
}

static bool matches(const void *rows, uint32_t row, const struct pattern *pattern)
{
	return pattern_matches(pattern, section_of(rows)->rows[row].name);
}

static const char *title(const void *rows, int column)
{
	const struct report *r = rows;

	return column < COLUMNS && r->offered >> column & 1 ? report_title(r, column) : NULL;
}

static int sorted(const void *rows)
{
	return (int)((const struct report *)rows)->sort;
}

static uint32_t hidden(const void *rows)
{
	const struct report_section *section = section_of(rows);

	return section ? section->hidden : 0;
}

/* Those that are pinned stand first in a flat report. */
static uint32_t fixed(const void *rows)
{
	const struct report *r = rows;
	bool is_flat = r->view == REPORT_SELF || r->view == REPORT_HIER;
	uint32_t i = 0;

	while (is_flat && i < count(rows) && section_of(r)->rows[i].pin)
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

/* What is drawn of a name is a part of it, and an ellipsis. */
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

static void draw(struct table *t, const struct look *look, struct canvas *c, struct area a)
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
static uint32_t first(const void *rows)
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
	.count = count, .id = id, .matches = matches, .title = title, .sorted = sorted,
	.hidden = hidden, .fixed = fixed, .first = first, .draw = draw, .free = free_rows,
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

	return r && t->at < count(r) ? &section_of(r)->rows[t->at] : NULL;
}

void table_go_key(struct table *t, uint32_t key)
{
	const struct report *r = table_report(t);

	for (uint32_t i = 0; r && i < count(r); i++)
		if (section_of(r)->rows[i].key == key) {
			table_go_row(t, i);
			return;
		}
}

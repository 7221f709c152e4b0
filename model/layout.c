/* SPDX-License-Identifier: MIT */
#include "model/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/array.h"

#define GAP_CELLS 2        /* between columns */
#define NAME_LEAST_CELLS 8 /* of the zone column, when the width is small */
#define INDENT_CELLS 2     /* of a level of the tree */
#define INDENT_MOST 40     /* deeper levels are said in numbers */
#define BAR_CELLS 10

/* A line being written */

struct pen {
	char *text;
	uint32_t length;
	uint32_t capacity;
	struct layout_span *spans;
	uint32_t span_count;
	uint32_t span_capacity;
	bool failed; /* out of memory: what follows is dropped */
};

static void pen_write(struct pen *pen, const char *bytes, size_t length)
{
	if (pen->failed || !array_reserve(&pen->text, &pen->capacity,
					  (uint64_t)pen->length + length + 1, 1)) {
		pen->failed = true;
		return;
	}
	memcpy(pen->text + pen->length, bytes, length);
	pen->length += (uint32_t)length;
	pen->text[pen->length] = '\0';
}

static void pen_blanks(struct pen *pen, size_t cells)
{
	while (cells-- && !pen->failed)
		pen_write(pen, " ", 1);
}

static void pen_span(struct pen *pen, const char *text, size_t length, enum style_role role,
		     float heat)
{
	struct layout_span span = { pen->length, (uint32_t)length, role, heat };

	if (pen->failed || !array_reserve(&pen->spans, &pen->span_capacity,
					  (uint64_t)pen->span_count + 1, sizeof(*pen->spans))) {
		pen->failed = true;
		return;
	}
	pen->spans[pen->span_count++] = span;
	pen_write(pen, text, length);
}

/* Ends the line: blanks at its end go. */
static struct layout_line pen_take(struct pen *pen, enum layout_kind kind, uint32_t section,
				   uint32_t row)
{
	struct layout_line line = { .kind = kind, .section = section, .row = row };

	pen_write(pen, "", 0);
	while (pen->length && pen->text[pen->length - 1] == ' ')
		pen->text[--pen->length] = '\0';
	for (uint32_t i = 0; i < pen->span_count; i++) {
		struct layout_span *s = &pen->spans[i];

		if (s->start > pen->length)
			s->start = pen->length;
		if (s->start + s->length > pen->length)
			s->length = pen->length - s->start;
	}
	line.text = pen->text;
	line.spans = pen->spans;
	line.span_count = pen->span_count;
	return line;
}

/* The sheet: what all lines have in common */

struct sheet {
	const struct report *r;
	uint32_t width;
	bool ascii;
	uint32_t columns;        /* 1 << column: that have room */
	uint32_t cells[COLUMNS]; /* width of each */
	struct layout *layout;
	uint32_t line_capacity;
};

static bool sheet_has(const struct sheet *s, enum column column)
{
	return s->columns >> column & 1;
}

static void title_text(const struct sheet *s, enum column column, char *out, size_t size)
{
	const struct column_def *def = &report_columns[column];
	const char *arrow = "";

	if (s->r->sort == column)
		arrow = s->ascii ? (s->r->descending ? " v" : " ^")
				 : (s->r->descending ? "▼" : "▲");
	snprintf(out, size, "%s%s%s%s", def->title, def->unit ? " " : "",
		 def->unit ? unit_title(s->r->unit, s->ascii) : "", arrow);
}

static void bar_text(double share, char *out, size_t size)
{
	int full = (int)lround(share * BAR_CELLS);
	int cells = full < 0 ? 0 : full > BAR_CELLS ? BAR_CELLS : full;

	snprintf(out, size, "|%.*s%*s|", cells, "##########", BAR_CELLS - cells, "");
}

static void cell_text(const struct sheet *s, const struct report_row *row, enum column column,
		      char *out, size_t size)
{
	if (column != COLUMN_SHARE || !(row->shown >> column & 1))
		report_text(s->r, row, column, out, size);
	else if (row->role == ROW_FOCUS)
		snprintf(out, size, "100 %%");
	else
		bar_text(row->values[column].real, out, size);
}

/* The zone column: indent, mark, name */

static uint32_t row_indent(const struct report_row *row)
{
	static const uint32_t indents[] = { [ROW_CALLER] = 2, [ROW_CHILD] = 4, [ROW_FOCUS] = 0,
					    [ROW_ZONE] = 0,   [ROW_NO_ZONE] = 0 };
	uint64_t indent = indents[row->role] + (uint64_t)row->level * INDENT_CELLS;

	return indent < INDENT_MOST ? (uint32_t)indent : INDENT_MOST;
}

static void row_prefix(const struct report_row *row, char *out, size_t size)
{
	uint32_t indent = row_indent(row);

	if (indent == INDENT_MOST)
		snprintf(out, size, "%*s%c [%u] ", (int)indent, "", row->mark, row->level);
	else
		snprintf(out, size, "%*s%c ", (int)indent, "", row->mark);
}

/* Caller frees. */
static char *row_name(const struct sheet *s, const struct report_row *row)
{
	const char *wait = row->waiting ? " (waits)" : "";
	char *plain = s->ascii ? name_unescape(row->name) : NULL;
	char *ascii = plain ? name_escape_ascii(plain, strlen(plain)) : NULL;
	const char *name = s->ascii ? ascii : row->name;
	char *whole = name ? malloc(strlen(name) + strlen(wait) + 1) : NULL;

	if (whole)
		sprintf(whole, "%s%s", name, wait);
	free(plain);
	free(ascii);
	return whole;
}

static enum style_role name_role(const struct report_row *row)
{
	if (row->role == ROW_FOCUS)
		return STYLE_FOCUS;
	return row->waiting || row->zone == PROFILE_NO_ZONE ? STYLE_DIM : STYLE_NAME;
}

/* Writes text into exactly `cells` cells, with an ellipsis where it is cut. Returns those used. */
static size_t pen_clipped(const struct sheet *s, struct pen *pen, const char *text, size_t cells,
			  enum style_role role)
{
	const char *ellipsis = s->ascii ? "..." : "…";
	size_t dots = s->ascii ? 3 : 1, used;
	size_t bytes = text_clip(text, cells, &used);
	char *cut;

	if (!text[bytes] || cells <= dots) {
		pen_span(pen, text, bytes, role, 0);
		return used;
	}
	bytes = text_clip(text, cells - dots, &used);
	cut = malloc(bytes + strlen(ellipsis) + 1);
	if (!cut) {
		pen->failed = true;
		return 0;
	}
	memcpy(cut, text, bytes);
	strcpy(cut + bytes, ellipsis);
	pen_span(pen, cut, strlen(cut), role, 0);
	free(cut);
	return used + dots;
}

static void pen_zone(const struct sheet *s, struct pen *pen, const struct report_row *row)
{
	size_t cells = s->cells[COLUMN_ZONE], used;
	char prefix[INDENT_MOST + 32];
	char *name = row_name(s, row);

	if (!name) {
		pen->failed = true;
		return;
	}
	row_prefix(row, prefix, sizeof(prefix));
	used = strlen(prefix);
	if (used > cells / 2 && used + text_width(name) > cells)
		used = cells / 2; /* where not both fit, the indent may take half of the column */
	pen_write(pen, prefix + strlen(prefix) - used, used);
	used += pen_clipped(s, pen, name, cells - used, name_role(row));
	pen_blanks(pen, cells - used);
	free(name);
}

/* Widths */

static uint32_t at_least(uint32_t cells, size_t other)
{
	return other > cells ? (uint32_t)other : cells;
}

static bool measure_row(struct sheet *s, const struct report_row *row)
{
	char text[96], prefix[INDENT_MOST + 32];
	char *name = row_name(s, row);

	if (!name)
		return false;
	row_prefix(row, prefix, sizeof(prefix));
	s->cells[COLUMN_ZONE] =
		at_least(s->cells[COLUMN_ZONE], strlen(prefix) + text_width(name));
	free(name);
	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++) {
		if (!sheet_has(s, c))
			continue;
		cell_text(s, row, c, text, sizeof(text));
		s->cells[c] = at_least(s->cells[c], text_width(text));
	}
	return true;
}

static uint32_t cells_beside_name(const struct sheet *s)
{
	uint32_t cells = 0;

	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++)
		if (sheet_has(s, c))
			cells += GAP_CELLS + s->cells[c];
	return cells;
}

/* The column that goes next; COLUMN_ZONE when no other is left. */
static enum column least_important(const struct sheet *s)
{
	enum column least = COLUMN_ZONE;

	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++)
		if (sheet_has(s, c) &&
		    (least == COLUMN_ZONE ||
		     report_columns[c].importance < report_columns[least].importance))
			least = c;
	return least;
}

/* Lets columns go until the name has a third of the width, or all that it needs. */
static void fit_width(struct sheet *s)
{
	uint32_t least = at_least(NAME_LEAST_CELLS, s->width / 3);

	if (s->width == LAYOUT_NO_LIMIT)
		return;
	if (least > s->cells[COLUMN_ZONE])
		least = s->cells[COLUMN_ZONE];
	while (least_important(s) != COLUMN_ZONE && cells_beside_name(s) + least > s->width)
		s->columns &= ~(1u << least_important(s));
	if (s->cells[COLUMN_ZONE] + cells_beside_name(s) > s->width)
		s->cells[COLUMN_ZONE] = s->width - cells_beside_name(s);
}

static bool measure(struct sheet *s)
{
	char title[64];

	for (enum column c = 0; c < COLUMNS; c++) {
		title_text(s, c, title, sizeof(title));
		s->cells[c] = at_least(report_columns[c].width, text_width(title));
	}
	for (uint32_t i = 0; i < s->r->section_count; i++)
		for (uint32_t j = 0; j < s->r->sections[i].row_count; j++)
			if (!measure_row(s, &s->r->sections[i].rows[j]))
				return false;
	fit_width(s);
	return true;
}

/* Lines */

static bool sheet_put(struct sheet *s, struct pen *pen, enum layout_kind kind, uint32_t section,
		      uint32_t row)
{
	struct layout *l = s->layout;
	struct layout_line line = pen_take(pen, kind, section, row);

	if (!pen->failed &&
	    array_reserve(&l->lines, &s->line_capacity, (uint64_t)l->count + 1,
			  sizeof(*l->lines))) {
		l->lines[l->count++] = line;
		return true;
	}
	free(line.text);
	free(line.spans);
	return false;
}

static void pen_cell(const struct sheet *s, struct pen *pen, enum column column, const char *text,
		     enum style_role role, float heat)
{
	bool last = s->columns >> (column + 1) == 0;
	size_t blanks = s->cells[column] - text_width(text);

	pen_blanks(pen, GAP_CELLS);
	if (!report_columns[column].left)
		pen_blanks(pen, blanks);
	pen_span(pen, text, strlen(text), role, heat);
	if (report_columns[column].left && !last)
		pen_blanks(pen, blanks);
}

static bool put_titles(struct sheet *s, uint32_t section)
{
	struct pen pen = { 0 };
	char title[64];

	for (enum column c = 0; c < COLUMNS; c++) {
		enum style_role role = s->r->sort == c ? STYLE_SORTED : STYLE_TITLE;

		if (!sheet_has(s, c))
			continue;
		title_text(s, c, title, sizeof(title));
		if (c == COLUMN_ZONE) {
			uint32_t indent = s->cells[c] > strlen("  ZONE") + 1 ? 2 : 0;

			pen_blanks(&pen, indent);
			pen_blanks(&pen, s->cells[c] - indent -
						 pen_clipped(s, &pen, title, s->cells[c] - indent,
							     role));
		} else {
			pen_cell(s, &pen, c, title, role, 0);
		}
	}
	return sheet_put(s, &pen, LAYOUT_TITLES, section, PROFILE_NONE);
}

static enum style_role cell_role(const struct report_row *row, enum column column)
{
	if (!(row->shown >> column & 1))
		return STYLE_DIM;
	if (column == COLUMN_HEAT)
		return STYLE_HEAT;
	return column == COLUMN_SHARE ? STYLE_BAR : STYLE_NUMBER;
}

static bool put_row(struct sheet *s, uint32_t section, uint32_t index)
{
	const struct report_row *row = &s->r->sections[section].rows[index];
	struct pen pen = { 0 };
	char text[96];

	pen_zone(s, &pen, row);
	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++) {
		if (!sheet_has(s, c))
			continue;
		cell_text(s, row, c, text, sizeof(text));
		pen_cell(s, &pen, c, text, cell_role(row, c), (float)row->values[c].real);
	}
	return sheet_put(s, &pen, LAYOUT_ROW, section, index);
}

/* `thread: main   23.4 ms`, behind an empty line when it is not the first. */
static bool put_heading(struct sheet *s, uint32_t section)
{
	const struct report_section *sec = &s->r->sections[section];
	enum unit unit = s->r->unit == UNIT_PCT ? UNIT_MS : s->r->unit;
	struct pen blank = { 0 }, pen = { 0 };
	char time[64];
	uint32_t width = s->width == LAYOUT_NO_LIMIT ? UINT32_MAX : s->width;
	char *plain, *name, *whole;
	bool done;

	if (section && !sheet_put(s, &blank, LAYOUT_HEADING, section, PROFILE_NONE))
		return false;
	format_time(time, sizeof(time), sec->time, s->r->scale, s->r->ticks_per_s, unit,
		    s->r->precision, 0);
	plain = s->ascii ? name_unescape(sec->name) : NULL;
	name = plain ? name_escape_ascii(plain, strlen(plain)) : strdup(sec->name);
	whole = name ? malloc(strlen(name) + 128) : NULL;
	if (whole) {
		sprintf(whole, "thread: %s   %s %s", name, time, unit_title(unit, s->ascii));
		pen_clipped(s, &pen, whole, width, STYLE_THREAD);
	}
	pen.failed = pen.failed || !whole;
	done = sheet_put(s, &pen, LAYOUT_HEADING, section, PROFILE_NONE);
	free(plain);
	free(name);
	free(whole);
	return done;
}

static bool put_section(struct sheet *s, uint32_t section)
{
	if (s->r->section_count > 1 && !put_heading(s, section))
		return false;
	if (!put_titles(s, section))
		return false;
	for (uint32_t i = 0; i < s->r->sections[section].row_count; i++)
		if (!put_row(s, section, i))
			return false;
	return true;
}

struct layout *layout_make(const struct report *r, uint32_t width, bool ascii)
{
	struct layout *layout = calloc(1, sizeof(*layout));
	struct sheet s = { .r = r, .width = width, .ascii = ascii, .columns = r->columns,
			   .layout = layout };
	bool done = layout && measure(&s);

	for (uint32_t i = 0; done && i < r->section_count; i++)
		done = put_section(&s, i);
	if (!done) {
		layout_free(layout);
		return NULL;
	}
	layout->columns = s.columns;
	return layout;
}

void layout_free(struct layout *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->count; i++) {
		free(l->lines[i].text);
		free(l->lines[i].spans);
	}
	free(l->lines);
	free(l);
}

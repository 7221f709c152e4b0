/* SPDX-License-Identifier: MIT */
#include "model/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/array.h"
#include "model/pen.h"
#include "model/spark.h"

#define GAP_CELLS 2         /* between columns */
#define NAME_LEAST_CELLS 7  /* of the zone column, when the width is small */
#define NAME_USUAL_CELLS 30 /* of the zone column of a window, when there is room */
#define INDENT_CELLS 2      /* of a level of the tree */
#define INDENT_MOST 40      /* deeper levels are said in numbers */
#define PREFIX_SIZE (INDENT_MOST + 24)
#define BAR_CELLS 10
#define CELL_SIZE SPARK_SIZE(TREND_FRAMES) /* bytes of the longest text in a column */

/* The sheet: what all lines have in common. Its rows are those of `section_count` sections, of each
 * [first, first + most). Their texts are made once, and then measured and written. */

struct sheet {
	const struct report *r;
	uint32_t width;
	bool ascii;
	bool window;
	bool cut; /* the zone column has less room than it needs */
	uint32_t section_count;
	uint32_t first, most;
	uint32_t columns;        /* 1 << column: that have room */
	uint32_t cells[COLUMNS]; /* width of each */
	enum unit units[COLUMNS];
	uint32_t trend_cells;
	char *texts; /* of row after row, column after column, a NUL behind each */
	uint32_t text_length, text_capacity;
	uint32_t text_next; /* of the row to be written next */
	struct layout *layout;
	uint32_t line_capacity;
};

static bool sheet_has(const struct sheet *s, enum column column)
{
	return s->columns >> column & 1;
}

static uint32_t rows_end(const struct sheet *s, uint32_t section)
{
	uint32_t count = s->r->sections[section].row_count;

	return s->first < count && s->most < count - s->first ? s->first + s->most : count;
}

/* Texts of cells */

static size_t title_text(const struct sheet *s, enum column column, char *out, size_t size)
{
	const struct column_def *def = &report_columns[column];
	const char *arrow = "";

	if (s->r->sort == column)
		arrow = s->ascii ? (s->r->descending ? " v" : " ^")
				 : (s->r->descending ? "▼" : "▲");
	snprintf(out, size, "%s%s%s%s", report_title(s->r, column), def->unit ? " " : "",
		 def->unit ? unit_title(s->units[column], s->ascii) : "", arrow);
	return text_width(out);
}

static size_t bar_text(double share, char *out, size_t size)
{
	int full = (int)lround(share * BAR_CELLS);
	int cells = full < 0 ? 0 : full > BAR_CELLS ? BAR_CELLS : full;

	return (size_t)snprintf(out, size, "|%.*s%*s|", cells, "##########", BAR_CELLS - cells,
				"");
}

static size_t trend_text(const struct sheet *s, const struct report_row *row, char *out)
{
	int64_t values[TREND_FRAMES];
	uint32_t count = report_trend(s->r, row, values);

	return spark_draw(values, count, TREND_FRAMES / s->trend_cells, s->trend_cells, s->ascii,
			  out);
}

static size_t cell_text(const struct sheet *s, const struct report_row *row, enum column column,
			char *out, size_t size)
{
	enum value_kind kind = report_columns[column].kind;

	if (row->shown >> column & 1) {
		if (kind == VALUE_TREND)
			return trend_text(s, row, out);
		if (column == COLUMN_SHARE && row->role == ROW_FOCUS)
			return (size_t)snprintf(out, size, "100 %%");
		if (column == COLUMN_SHARE)
			return bar_text(row->values[column].real, out, size);
	}
	return report_text_in(s->r, row, column, s->units[column], out, size);
}

/* The zone column: indent, mark, name */

static uint32_t row_indent(const struct report_row *row)
{
	static const uint32_t indents[] = { [ROW_CALLER] = 2, [ROW_CHILD] = 4, [ROW_FOCUS] = 0,
					    [ROW_ZONE] = 0,   [ROW_NO_ZONE] = 0 };
	uint64_t indent = indents[row->role] + (uint64_t)row->level * INDENT_CELLS;

	return indent < INDENT_MOST ? (uint32_t)indent : INDENT_MOST;
}

static uint32_t row_prefix(const struct report_row *row, char out[PREFIX_SIZE])
{
	uint32_t indent = row_indent(row);

	memset(out, ' ', INDENT_MOST);
	if (indent == INDENT_MOST)
		return indent + (uint32_t)snprintf(out + indent, PREFIX_SIZE - INDENT_MOST,
						   "%c [%u] ", row->mark, row->level);
	out[indent] = row->mark;
	out[indent + 1] = ' ';
	out[indent + 2] = '\0';
	return indent + 2;
}

static bool is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

static enum style_role name_role(const struct report_row *row)
{
	if (row->role == ROW_FOCUS)
		return STYLE_FOCUS;
	return row->waiting || row->zone == PROFILE_NO_ZONE ? STYLE_DIM : STYLE_NAME;
}

/* Where the mark is in the line, the name has the colour of its heat. */
static void warm_name(const struct sheet *s, struct pen *pen, const struct report_row *row)
{
	struct layout_span *name = pen->span_count ? &pen->spans[pen->span_count - 1] : NULL;

	if (!name || name->role != STYLE_NAME ||
	    !(s->columns & row->shown & 1u << COLUMN_HEAT))
		return;
	name->role = STYLE_WARM;
	name->heat = (float)row->values[COLUMN_HEAT].real;
}

static void pen_zone(const struct sheet *s, struct pen *pen, const struct report_row *row,
		     const char *name)
{
	size_t cells = s->cells[COLUMN_ZONE];
	char prefix[PREFIX_SIZE];
	size_t length = row_prefix(row, prefix), used = length;

	if (used > cells / 2 && s->cut)
		used = cells / 2; /* where names are cut, the indent may take half of the column */
	pen_write(pen, prefix + length - used, used);
	used += pen_clipped(pen, name, cells - used, s->ascii, name_role(row));
	warm_name(s, pen, row);
	pen_blanks(pen, cells - used);
}

/* Making and measuring the texts */

static uint32_t at_least(uint32_t cells, size_t other)
{
	return other > cells ? (uint32_t)other : cells;
}

static bool keep_text(struct sheet *s, const char *text, size_t length)
{
	if (!array_reserve(&s->texts, &s->text_capacity, (uint64_t)s->text_length + length + 1, 1))
		return false;
	memcpy(s->texts + s->text_length, text, length);
	s->text_length += (uint32_t)length;
	s->texts[s->text_length++] = '\0';
	return true;
}

/* Takes back the NUL, so that what is kept next goes on with the text. */
static bool keep_more(struct sheet *s, const char *text)
{
	s->text_length--;
	return keep_text(s, text, strlen(text));
}

static bool keep_name(struct sheet *s, const struct report_row *row)
{
	char *ascii;
	bool kept;

	if (!s->ascii || is_ascii(row->name))
		return keep_text(s, row->name, strlen(row->name));
	ascii = name_shown(row->name, true);
	kept = ascii && keep_text(s, ascii, strlen(ascii));
	free(ascii);
	return kept;
}

static bool measure_name(struct sheet *s, const struct report_row *row)
{
	uint32_t start = s->text_length;
	char prefix[PREFIX_SIZE];

	if (!keep_name(s, row) || (row->waiting && !keep_more(s, " (waits)")))
		return false;
	s->cells[COLUMN_ZONE] = at_least(s->cells[COLUMN_ZONE],
					 row_prefix(row, prefix) + text_width(s->texts + start));
	return true;
}

static bool measure_row(struct sheet *s, const struct report_row *row)
{
	char text[CELL_SIZE];

	if (!measure_name(s, row))
		return false;
	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++) {
		size_t length;

		if (!(s->r->columns >> c & 1))
			continue;
		length = cell_text(s, row, c, text, sizeof(text));
		if (!keep_text(s, text, length))
			return false;
		if (c == COLUMN_TREND)
			length = s->trend_cells; /* all others are ASCII */
		s->cells[c] = at_least(s->cells[c], length);
	}
	return true;
}

static bool measure(struct sheet *s)
{
	char title[64];

	for (enum column c = 0; c < COLUMNS; c++)
		s->cells[c] = at_least(report_columns[c].width,
				       title_text(s, c, title, sizeof(title)));
	for (uint32_t i = 0; i < s->section_count; i++)
		for (uint32_t j = s->first; j < rows_end(s, i); j++)
			if (!measure_row(s, &s->r->sections[i].rows[j]))
				return false;
	return true;
}

/* Widths that stay */

static bool is_alike(const struct layout_like *a, const struct layout_like *b)
{
	return a->made == b->made && a->view == b->view && a->unit == b->unit &&
	       a->precision == b->precision && a->columns == b->columns && a->width == b->width &&
	       a->average == b->average && a->ascii == b->ascii;
}

static void widths_begin(const struct sheet *s, struct layout_widths *w)
{
	const struct report *r = s->r;
	struct layout_like like = { .view = r->view,
				    .unit = r->asked,
				    .precision = r->precision,
				    .columns = r->columns,
				    .width = s->width,
				    .average = r->average,
				    .ascii = s->ascii,
				    .made = true };

	if (is_alike(&w->like, &like))
		return;
	if (w->like.view != like.view || w->like.unit != like.unit)
		memset(w->units, 0, sizeof(w->units));
	w->like = like;
	memset(w->cells, 0, sizeof(w->cells));
	memset(w->needed, 0, sizeof(w->needed));
	w->age = 0;
}

static bool is_automatic(const struct report *r, enum column column)
{
	return report_columns[column].unit && r->asked != UNIT_MS && r->asked != UNIT_US &&
	       r->asked != UNIT_NS && r->units[column] != UNIT_PCT;
}

static enum unit unit_held(const struct report *r, enum column column, enum unit held)
{
	if (!is_automatic(r, column))
		return r->units[column];
	if (!r->most[column])
		return held == UNIT_AUTO ? r->units[column] : held;
	return unit_for_many(r->middle[column], r->most[column], r->ticks_per_s, held);
}

/* With another unit a column's numbers are of other lengths. */
static void widths_units(struct sheet *s, struct layout_widths *w)
{
	enum unit *held = w->units[s->r->average];

	for (enum column c = 0; c < COLUMNS; c++) {
		s->units[c] = unit_held(s->r, c, held[c]);
		if (s->units[c] != held[c])
			w->cells[c] = w->needed[c] = 0;
		if (s->r->most[c]) /* of nothing there is nothing to hold */
			held[c] = s->units[c];
	}
}

static void widths_hold(struct sheet *s, struct layout_widths *w)
{
	bool over = ++w->age >= LAYOUT_PATIENCE;

	for (enum column c = 0; c < COLUMNS; c++) {
		w->needed[c] = at_least(w->needed[c], s->cells[c]);
		w->cells[c] = over ? w->needed[c] : at_least(w->cells[c], s->cells[c]);
		s->cells[c] = w->cells[c];
		if (over)
			w->needed[c] = 0;
	}
	if (over)
		w->age = 0;
}

/* Fitting into the width */

static uint32_t cells_beside_name(const struct sheet *s)
{
	uint32_t cells = 0;

	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++)
		if (sheet_has(s, c))
			cells += GAP_CELLS + s->cells[c];
	return cells;
}

/* What a table is sorted by says why its rows stand where they stand. */
static uint32_t importance(const struct sheet *s, enum column column)
{
	return column == s->r->sort ? UINT32_MAX : report_columns[column].importance;
}

/* The column that goes next; COLUMN_ZONE when no other is left. */
static enum column least_important(const struct sheet *s)
{
	enum column least = COLUMN_ZONE;

	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++)
		if (sheet_has(s, c) &&
		    (least == COLUMN_ZONE || importance(s, c) < importance(s, least)))
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
	if (s->window)
		s->cells[COLUMN_ZONE] = at_least(s->cells[COLUMN_ZONE], NAME_USUAL_CELLS);
	s->cut = s->cells[COLUMN_ZONE] + cells_beside_name(s) > s->width;
	if (s->cut)
		s->cells[COLUMN_ZONE] = s->width - cells_beside_name(s);
}

static void find_places(struct sheet *s)
{
	struct layout_place *places = s->layout->places;
	uint32_t x = 0;

	for (enum column c = COLUMN_ZONE; c < COLUMNS; c++) {
		if (!sheet_has(s, c))
			continue;
		places[c] = (struct layout_place){ x, s->cells[c] };
		x += s->cells[c] + GAP_CELLS;
	}
	s->layout->columns = s->columns;
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

static struct pen pen_of(const struct sheet *s)
{
	struct pen pen = { 0 };

	/* a character of the names and of a trend may have more bytes than cells */
	pen_room(&pen, s->cells[COLUMN_ZONE] + cells_beside_name(s) + CELL_SIZE, COLUMNS + 1);
	return pen;
}

static bool is_last(const struct sheet *s, enum column column)
{
	return s->columns >> (column + 1) == 0;
}

static void pen_cell(const struct sheet *s, struct pen *pen, enum column column, size_t gap, const char *text,
		     size_t width, enum style_role role, float heat)
{
	bool last = is_last(s, column);
	size_t blanks = s->cells[column] - width;

	pen_blanks(pen, gap + (report_columns[column].left ? 0 : blanks));
	pen_span(pen, text, strlen(text), role, heat);
	if (report_columns[column].left && !last)
		pen_blanks(pen, blanks);
}

static void pen_zone_title(const struct sheet *s, struct pen *pen, const char *title,
			   enum style_role role)
{
	uint32_t cells = s->cells[COLUMN_ZONE];
	uint32_t indent = cells > strlen("  ZONE") + 1 ? 2 : 0;

	pen_blanks(pen, indent);
	pen_blanks(pen, cells - indent -
				pen_clipped(pen, title, cells - indent, s->ascii, role));
}

static bool put_titles(struct sheet *s, uint32_t section)
{
	struct pen pen = pen_of(s);
	char title[64];

	for (enum column c = 0; c < COLUMNS; c++) {
		enum style_role role = s->r->sort == c ? STYLE_SORTED : STYLE_TITLE;
		size_t width;

		if (!sheet_has(s, c))
			continue;
		width = title_text(s, c, title, sizeof(title));
		if (c == COLUMN_ZONE)
			pen_zone_title(s, &pen, title, role);
		else
			pen_cell(s, &pen, c, GAP_CELLS, title, width, role, 0);
	}
	return sheet_put(s, &pen, LAYOUT_TITLES, section, PROFILE_NONE);
}

static enum style_role cell_role(const struct report_row *row, enum column column)
{
	if (!(row->shown >> column & 1))
		return STYLE_DIM;
	if (column == COLUMN_HEAT)
		return STYLE_HEAT;
	return column == COLUMN_SHARE || column == COLUMN_TREND ? STYLE_BAR : STYLE_NUMBER;
}

/* The text that was made in measure_row, in the same order. */
static const char *next_text(struct sheet *s, size_t *length)
{
	const char *text = s->texts + s->text_next;

	*length = strlen(text);
	s->text_next += (uint32_t)*length + 1;
	return text;
}

/* The star of a row that costs much to be measured stands in the gap behind its entries. Returns what is left of the
 * gap. */
static size_t pen_star(const struct sheet *s, struct pen *pen, const struct report_row *row, enum column column)
{
	bool room = !is_last(s, column) || s->width == LAYOUT_NO_LIMIT ||
		    s->cells[COLUMN_ZONE] + cells_beside_name(s) < s->width;

	if (column != COLUMN_COUNT || !row->costly || !room)
		return GAP_CELLS;
	pen_span(pen, "*", 1, STYLE_NUMBER, 0);
	return GAP_CELLS - 1;
}

static bool put_row(struct sheet *s, uint32_t section, uint32_t index)
{
	const struct report_row *row = &s->r->sections[section].rows[index];
	struct pen pen = pen_of(s);
	size_t length, gap = GAP_CELLS;

	pen_zone(s, &pen, row, next_text(s, &length));
	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++) {
		const char *text;

		if (!(s->r->columns >> c & 1))
			continue;
		text = next_text(s, &length);
		if (c == COLUMN_TREND && row->shown >> c & 1)
			length = s->trend_cells;
		if (!sheet_has(s, c))
			continue;
		pen_cell(s, &pen, c, gap, text, length, cell_role(row, c), (float)row->values[c].real);
		gap = pen_star(s, &pen, row, c);
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
	char *name, *whole;
	bool done;

	if (section && !sheet_put(s, &blank, LAYOUT_HEADING, section, PROFILE_NONE))
		return false;
	format_time(time, sizeof(time), sec->time, s->r->scale, s->r->ticks_per_s, unit,
		    s->r->precision, 0);
	name = name_shown(sec->name, s->ascii);
	whole = name ? malloc(strlen(name) + 128) : NULL;
	if (whole) {
		sprintf(whole, "thread: %s   %s %s", name, time, unit_title(unit, s->ascii));
		pen_clipped(&pen, whole, width, s->ascii, STYLE_THREAD);
	}
	pen.failed = pen.failed || !whole;
	done = sheet_put(s, &pen, LAYOUT_HEADING, section, PROFILE_NONE);
	free(name);
	free(whole);
	return done;
}

static bool put_section(struct sheet *s, uint32_t section)
{
	if (s->section_count > 1 && !put_heading(s, section))
		return false;
	if (!put_titles(s, section))
		return false;
	for (uint32_t i = s->first; i < rows_end(s, section); i++)
		if (!put_row(s, section, i))
			return false;
	return true;
}

/* 4 frames a cell; where there is room, 2 or 1. */
static uint32_t trend_cells(uint32_t width)
{
	if (width == LAYOUT_NO_LIMIT || width >= 160)
		return TREND_FRAMES;
	return width >= 120 ? TREND_FRAMES / 2 : TREND_FRAMES / 4;
}

static bool sheet_fill(struct sheet *s, struct layout_widths *widths)
{
	s->columns = s->r->columns;
	s->trend_cells = trend_cells(s->width);
	memcpy(s->units, s->r->units, sizeof(s->units));
	if (widths) {
		widths_begin(s, widths);
		widths_units(s, widths);
	}
	if (!measure(s))
		return false;
	if (widths)
		widths_hold(s, widths);
	fit_width(s);
	find_places(s);
	for (uint32_t i = 0; i < s->section_count; i++)
		if (!put_section(s, i))
			return false;
	return true;
}

static struct layout *sheet_layout(struct sheet *s, struct layout_widths *widths)
{
	bool done;

	s->layout = calloc(1, sizeof(*s->layout));
	done = s->layout && sheet_fill(s, widths);
	free(s->texts);
	if (done)
		return s->layout;
	layout_free(s->layout);
	return NULL;
}

struct layout *layout_make(const struct report *r, uint32_t width, bool ascii)
{
	struct sheet s = { .r = r, .width = width, .ascii = ascii, .most = UINT32_MAX,
			   .section_count = r->section_count };

	return sheet_layout(&s, NULL);
}

struct layout *layout_window(const struct report *r, uint32_t width, bool ascii, uint32_t first,
			     uint32_t count, struct layout_widths *widths)
{
	struct sheet s = { .r = r, .width = width, .ascii = ascii, .window = true,
			   .first = first, .most = count,
			   .section_count = r->section_count ? 1 : 0 };

	return sheet_layout(&s, widths);
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

/* SPDX-License-Identifier: MIT */
#include "model/report/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/table/pen.h"
#include "model/table/spark.h"

#define NAME_LEAST_CELLS 7  /* of the zone column, when the width is small */
#define NAME_USUAL_CELLS 30 /* of the zone column of a window, when there is room */
#define INDENT_CELLS 2      /* of a level of the tree */
#define INDENT_MOST 40      /* deeper levels are said in numbers */
#define PREFIX_SIZE (INDENT_MOST + 24)
#define BAR_CELLS 10
#define CELL_SIZE SPARK_SIZE(TREND_FRAMES) /* bytes of the longest text in a column */

/* A sheet whose rows are those of `section_count` sections, of each [first, first + most). */

struct making {
	const struct report *r;
	uint32_t width;
	bool ascii;
	bool window;
	uint32_t section_count;
	uint32_t first, most;
	enum unit units[COLUMNS];
	uint32_t trend_cells;
	struct sheet sheet;
	enum column columns[COLUMNS]; /* which one each column of the sheet is */
	uint32_t next;                /* row of the sheet to be written next */
	struct layout *layout;
	uint32_t line_capacity;
	layout_give *give; /* gets each line; NULL: the layout keeps them */
	void *context;
};

static uint32_t rows_end(const struct making *s, uint32_t section)
{
	uint32_t count = s->r->sections[section].row_count;

	return s->first < count && s->most < count - s->first ? s->first + s->most : count;
}

static uint32_t at_least(uint32_t cells, size_t other)
{
	return other > cells ? (uint32_t)other : cells;
}

/* Texts of cells */

static size_t bar_text(double share, char *out, size_t size)
{
	int full = (int)lround(share * BAR_CELLS);
	int cells = full < 0 ? 0 : full > BAR_CELLS ? BAR_CELLS : full;

	return (size_t)snprintf(out, size, "|%.*s%*s|", cells, "##########", BAR_CELLS - cells,
				"");
}

static size_t trend_text(const struct making *s, const struct report_row *row, char *out)
{
	int64_t values[TREND_FRAMES];
	uint32_t count = report_trend(s->r, row, values);

	return spark_draw(values, count, TREND_FRAMES / s->trend_cells, s->trend_cells, s->ascii,
			  out);
}

static size_t cell_text(const struct making *s, const struct report_row *row, enum column column,
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
	report_text_in(s->r, row, column, s->units[column], out, size);
	if (s->ascii)
		format_least_ascii(out);
	return strlen(out);
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

/* Shows the level as a number if the column has no space for the indent. */
static const char *row_depth(const struct report_row *row, char out[PREFIX_SIZE])
{
	if (!row->level || row_indent(row) == INDENT_MOST)
		return NULL;
	snprintf(out, PREFIX_SIZE, "%c [%u] ", row->mark, row->level);
	return out;
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

/* Where a program marks no frames, entries a second matter as much as entries; those of a frame that proftop cut, hardly. */
static uint8_t importance_of(const struct report *r, enum column column)
{
	if (r->unmarked && column == COLUMN_RATE)
		column = COLUMN_COUNT;
	else if (r->mean_of_cut && column == COLUMN_COUNT)
		column = COLUMN_RATE;
	return report_columns[column].importance;
}

/* The rows of the sheet */

static void make_columns(struct making *s)
{
	struct table_column columns[COLUMNS];
	uint32_t count = 0;
	int sorted = -1;

	for (enum column c = 0; c < COLUMNS; c++) {
		const struct column_def *def = &report_columns[c];

		if (!(s->r->columns >> c & 1))
			continue;
		if (c == s->r->sort)
			sorted = (int)count;
		columns[count] = (struct table_column){
			.title = report_title(s->r, c),
			.unit = def->unit && *unit_names[s->units[c]] ? unit_title(s->units[c], s->ascii) : NULL,
			/* what it is sorted by says why rows stand where they stand */
			.importance = c == COLUMN_ZONE ? SHEET_GIVES_WAY : c == s->r->sort ? SHEET_STAYS - 1 : importance_of(s->r, c),
			.right = !def->left, .indented = c == COLUMN_ZONE, .least = def->width };
		s->columns[count++] = c;
	}
	sheet_init(&s->sheet, columns, count, s->ascii);
	s->sheet.sorted = sorted;
	s->sheet.descending = s->r->descending;
	s->sheet.keeps = at_least(NAME_LEAST_CELLS, s->width / 3);
	s->sheet.usual = s->window ? NAME_USUAL_CELLS : 0;
}

/* A name has the colour of its heat. */
static void add_zone(struct making *s, const struct report_row *row)
{
	char prefix[PREFIX_SIZE], depth[PREFIX_SIZE], *ascii = NULL, *waits = NULL;
	const char *name = row->name;
	enum style_role role = name_role(row);
	bool warm = role == STYLE_NAME && s->r->columns & row->shown & 1u << COLUMN_HEAT;

	row_prefix(row, prefix);
	if (s->ascii && !is_ascii(name))
		name = ascii = name_shown(name, true);
	if (name && row->waiting)
		name = asprintf(&waits, "%s (waits)", name) < 0 ? NULL : waits;
	if (name)
		sheet_add(&s->sheet, (struct sheet_cell){ .text = name, .lead = prefix, .depth = row_depth(row, depth),
							  .id = (uint64_t)row->zone << 32 | row->depth | UINT64_C(1) << 31,
							  .role = warm ? STYLE_WARM : role,
							  .heat = warm ? (float)row->heat : 0 });
	s->sheet.failed |= !name;
	free(ascii);
	free(waits);
}

/* All that a trend shows is within an eighth of the largest, about a step of its bars. */
static bool is_steady(const struct making *s, const struct report_row *row)
{
	int64_t values[TREND_FRAMES], least = INT64_MAX, most = 0;
	uint32_t count = report_trend(s->r, row, values);

	for (uint32_t i = 0; i < count; i++) {
		least = values[i] < least ? values[i] : least;
		most = values[i] > most ? values[i] : most;
	}
	return count && most - least <= most / 8;
}

static enum style_role cell_role(const struct making *s, const struct report_row *row, enum column column)
{
	if (!(row->shown >> column & 1) || (column == COLUMN_TREND && is_steady(s, row)))
		return STYLE_DIM;
	if (column == COLUMN_HEAT)
		return STYLE_HEAT;
	return column == COLUMN_SHARE || column == COLUMN_TREND ? STYLE_BAR : STYLE_NUMBER;
}

/* The star of a row that costs much to be measured stands in the gap behind its entries. */
static enum column star_column(const struct report *r)
{
	return r->mean_of_cut ? COLUMN_RATE : COLUMN_COUNT;
}

static void add_row(struct making *s, const struct report_row *row)
{
	char text[CELL_SIZE];

	add_zone(s, row);
	for (uint32_t i = 1; i < s->sheet.count; i++) {
		enum column c = s->columns[i];
		size_t cells = cell_text(s, row, c, text, sizeof(text));

		if (c == COLUMN_TREND) {
			s->sheet.needs[i] = at_least(s->sheet.needs[i], s->trend_cells);
			cells = row->shown >> c & 1 ? s->trend_cells : cells; /* all others are ASCII */
		}
		sheet_add(&s->sheet, (struct sheet_cell){
			.text = text, .cells = (uint32_t)cells, .role = cell_role(s, row, c),
			.heat = (float)row->heat,
			.star = c == star_column(s->r) && row->costly ? '*' : '\0' });
	}
}

static void fill_sheet(struct making *s)
{
	make_columns(s);
	for (uint32_t i = 0; i < s->section_count; i++)
		for (uint32_t j = s->first; j < rows_end(s, i) && !s->sheet.failed; j++)
			add_row(s, &s->r->sections[i].rows[j]);
}

/* Widths that stay */

static bool is_alike(const struct layout_like *a, const struct layout_like *b)
{
	return a->made == b->made && a->view == b->view && a->unit == b->unit &&
	       a->precision == b->precision && a->columns == b->columns && a->width == b->width &&
	       a->average == b->average && a->ascii == b->ascii;
}

static void widths_begin(const struct making *s, struct layout_widths *w)
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
	return report_columns[column].unit && (r->asked == UNIT_AUTO || r->asked == UNIT_PCT) &&
	       r->units[column] != UNIT_PCT;
}

/* A column without a time has the unit of SELF, which may be held from a report that had times. */
static enum unit unit_held(const struct making *s, enum column column, enum unit held)
{
	const struct report *r = s->r;


	if (!is_automatic(r, column))
		return r->units[column];
	if (held == UNIT_PCT) /* from a report in which it had no unit of its own */
		held = UNIT_AUTO;
	if (!r->most[column] && held != UNIT_AUTO)
		return held;
	if (!r->most[column])
		return column > COLUMN_SELF && s->units[COLUMN_SELF] != UNIT_PCT ? s->units[COLUMN_SELF] : r->units[column];
	return unit_for_many(r->middle[column], r->most[column], r->ticks_per_s, held);
}

/* With another unit a column's numbers are of other lengths. */
static void widths_units(struct making *s, struct layout_widths *w)
{
	enum unit *held = w->units[s->r->average];

	for (enum column c = 0; c < COLUMNS; c++) {
		s->units[c] = unit_held(s, c, held[c]);
		if (s->units[c] != held[c])
			w->cells[c] = w->needed[c] = 0;
		if (s->r->most[c]) /* of nothing there is nothing to hold */
			held[c] = s->units[c];
	}
}

static void widths_hold(struct making *s, struct layout_widths *w)
{
	bool over = ++w->age >= LAYOUT_PATIENCE;

	sheet_measure(&s->sheet);
	for (uint32_t i = 0; i < s->sheet.count; i++) {
		enum column c = s->columns[i];
		uint32_t *needs = &s->sheet.needs[i];

		w->needed[c] = at_least(w->needed[c], *needs);
		w->cells[c] = over ? w->needed[c] : at_least(w->cells[c], *needs);
		*needs = w->cells[c];
		if (over)
			w->needed[c] = 0;
	}
	if (over)
		w->age = 0;
}

static void find_places(struct making *s)
{
	for (uint32_t i = 0; i < s->sheet.count; i++)
		if (s->sheet.shown >> i & 1) {
			s->layout->places[s->columns[i]] = s->sheet.places[i];
			s->layout->columns |= 1u << s->columns[i];
		}
}

/* Lines */

/* Adds the line to the layout, or gives it away and frees it. */
static bool put_line(struct making *s, struct layout_line line, bool done, uint32_t section, uint32_t row)
{
	struct layout *l = s->layout;

	line.section = section;
	line.row = row;
	if (done && s->give)
		s->give(s->context, &line);
	else if (done && array_reserve(&l->lines, &s->line_capacity, (uint64_t)l->count + 1, sizeof(*l->lines))) {
		l->lines[l->count++] = line;
		return true;
	}
	free(line.text);
	free(line.spans);
	return done && s->give;
}

static bool put_pen(struct making *s, struct pen *pen, uint32_t section)
{
	struct layout_line line = pen_take(pen, LAYOUT_HEADING, section, PROFILE_NONE);

	return put_line(s, line, !pen->failed, section, PROFILE_NONE);
}

static bool put_titles(struct making *s, uint32_t section)
{
	struct layout_line line = { 0 };
	bool done = sheet_line(&s->sheet, SHEET_TITLES, &line);

	return put_line(s, line, done, section, PROFILE_NONE);
}

/* Where the mark of a heat is not in the line, nor is its colour. */
static bool put_row(struct making *s, uint32_t section, uint32_t index)
{
	struct layout_line line = { 0 };
	bool done = sheet_line(&s->sheet, s->next++, &line);

	if (done && line.spans->role == STYLE_WARM && !(s->layout->columns >> COLUMN_HEAT & 1))
		line.spans->role = STYLE_NAME;
	return put_line(s, line, done, section, index);
}

/* `thread: main   23.4 ms`, behind an empty line when it is not the first. */
static bool put_heading(struct making *s, uint32_t section)
{
	const struct report_section *sec = &s->r->sections[section];
	bool is_time = per_s_is_time(s->r->ticks_per_s), known = sec->known != MEASURE_UNKNOWN;
	enum unit unit = s->r->unit != UNIT_PCT ? s->r->unit
			 : is_time		? UNIT_MS
						: unit_for(sec->time / s->r->scale, s->r->ticks_per_s);
	struct pen blank = { 0 }, pen = { 0 };
	char time[64];
	uint32_t width = s->width == LAYOUT_NO_LIMIT ? UINT32_MAX : s->width;
	char *name, *whole;
	bool done;

	if (section && !put_pen(s, &blank, section))
		return false;
	format_time_shown(time, sizeof(time), sec->time, s->r->scale, s->r->ticks_per_s, unit,
		    s->r->precision, 0);
	name = name_shown(sec->name, s->ascii);
	whole = name ? malloc(strlen(name) + 128) : NULL;
	if (whole) {
		sprintf(whole, "thread: %s   %s%s%s%s", name, sec->known != MEASURE_LEAST ? "" : s->ascii ? ">=" : "≥",
			known ? time : "-", known && *unit_names[unit] ? " " : "",
			known ? unit_title(unit, s->ascii) : "");
		pen_clipped(&pen, whole, width, s->ascii, STYLE_THREAD);
	}
	pen.failed = pen.failed || !whole;
	done = put_pen(s, &pen, section);
	free(name);
	free(whole);
	return done;
}

static bool put_section(struct making *s, uint32_t section)
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

static bool layout_fill(struct making *s, struct layout_widths *widths)
{
	s->trend_cells = trend_cells(s->width);
	memcpy(s->units, s->r->units, sizeof(s->units));
	if (widths) {
		widths_begin(s, widths);
		widths_units(s, widths);
	}
	fill_sheet(s);
	if (widths)
		widths_hold(s, widths);
	sheet_fit(&s->sheet, s->width);
	find_places(s);
	for (uint32_t i = 0; i < s->section_count; i++)
		if (!put_section(s, i))
			return false;
	return true;
}

static struct layout *make(struct making *s, struct layout_widths *widths)
{
	bool done;

	s->layout = calloc(1, sizeof(*s->layout));
	done = s->layout && layout_fill(s, widths);
	sheet_fini(&s->sheet);
	if (done)
		return s->layout;
	layout_free(s->layout);
	return NULL;
}

struct layout *layout_make(const struct report *r, uint32_t width, bool ascii)
{
	struct making s = { .r = r, .width = width, .ascii = ascii, .most = UINT32_MAX,
			   .section_count = r->section_count };

	return make(&s, NULL);
}

bool layout_each(const struct report *r, uint32_t width, bool ascii, layout_give *give, void *context)
{
	struct making s = { .r = r, .width = width, .ascii = ascii, .most = UINT32_MAX, .give = give, .context = context,
			   .section_count = r->section_count };
	struct layout *layout = make(&s, NULL);

	layout_free(layout);
	return layout;
}

struct layout *layout_window(const struct report *r, uint32_t width, bool ascii, uint32_t first,
			     uint32_t count, struct layout_widths *widths)
{
	struct making s = { .r = r, .width = width, .ascii = ascii, .window = true,
			   .first = first, .most = count,
			   .section_count = r->section_count ? 1 : 0 };

	return make(&s, widths);
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

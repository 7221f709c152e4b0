/* SPDX-License-Identifier: MIT */
#include "model/report/zone_table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/search.h"
#include "model/base/text.h"

#define NAME_LEAST_CELLS 7  /* of the zone column, when the width is small */
#define NAME_USUAL_CELLS 30 /* of the zone column of a screen, when there is room */
#define INDENT_CELLS 2      /* of a level of the tree */
#define BAR_CELLS 5

static_assert(COLUMNS_ALL <= SHEET_COLUMNS, "a table has all columns");

static const struct report_row *row_at(const struct zone_table *t, uint32_t index, const struct report_section **section)
{
	const struct report *r = t->r;
	uint32_t behind = r->section_count > 1 ? SEARCH(i, 0, r->section_count, r->sections[i].before <= index) : 1;

	*section = &r->sections[behind - 1];
	return &(*section)->rows[index - (*section)->before];
}

static bool is_shown(const struct report_row *row, enum column column)
{
	return row->shown >> column & 1;
}

/* Numbers */

static bool is_amount(enum column column)
{
	return column == COLUMN_SELF || column == COLUMN_HIER || column == COLUMN_AVG || column == COLUMN_AVG_SELF;
}

static bool is_scaled(enum column column)
{
	return column == COLUMN_SELF || column == COLUMN_HIER || column == COLUMN_COUNT || column == COLUMN_DIRECT ||
	       column == COLUMN_DELTA;
}

static void put_number(const struct zone_table *t, const struct report_row *row, enum column column, struct typed_value *v)
{
	const struct report *r = t->r;

	v->whole = row->values[column].exact;
	v->real = row->values[column].real;
	v->scale = is_scaled(column) ? r->scale : 1;
	v->of = is_scaled(column) ? r->wall : r->wall / r->scale;
	v->sign = column == COLUMN_DELTA;
	v->at_least = row->least && is_amount(column);
	if (!is_shown(row, column))
		v->state = TYPED_UNKNOWN;
}

/* For people */

/* Caller frees. NULL: out of memory. */
static char *name_text(const struct report_row *row, bool ascii)
{
	char *name = ascii ? name_shown(row->name, true) : strdup(row->name), *waits = NULL;

	if (!name || !row->waiting)
		return name;
	if (asprintf(&waits, "%s (waits)", name) < 0)
		waits = NULL;
	free(name);
	return waits;
}

static enum style_role name_role(const struct report_row *row)
{
	if (row->role == ROW_FOCUS)
		return STYLE_FOCUS;
	if (row->waiting || row->zone == PROFILE_NO_ZONE)
		return STYLE_DIM;
	return is_shown(row, COLUMN_HEAT) ? STYLE_WARM : STYLE_NAME;
}

static void put_name(const struct report_row *row, bool ascii, struct typed_value *v)
{
	static const uint32_t indents[] = { [ROW_CALLER] = INDENT_CELLS, [ROW_CHILD] = 2 * INDENT_CELLS, [ROW_NO_ZONE] = 0 };

	v->kind = TYPED_WORDS;
	if (!ascii && !row->waiting)
		v->shown = row->name;
	else
		v->shown = v->owned = name_text(row, ascii);
	v->state = v->shown ? TYPED_KNOWN : TYPED_UNKNOWN;
	v->mark = row->mark;
	v->level = row->level;
	v->indent = row->level < UINT32_MAX / INDENT_CELLS ? indents[row->role] + row->level * INDENT_CELLS : UINT32_MAX;
	v->id = (uint64_t)row->zone << 32 | row->depth | UINT64_C(1) << 31;
	v->role = name_role(row);
	v->heat = (float)row->heat;
}

/* ` 42.0% ##` */
static void put_share(const struct report_row *row, struct typed_value *v)
{
	double share = row->role == ROW_FOCUS ? 1 : v->real;
	int full = (int)lround(share * BAR_CELLS), cells = full < 0 ? 0 : full > BAR_CELLS ? BAR_CELLS : full;
	char text[32];

	format_fixed(text, sizeof(text), share * 100, 1);
	if (asprintf(&v->owned, "%5s%%%s%.*s", text, cells ? " " : "", cells, "#####") < 0)
		v->owned = NULL;
	v->shown = v->owned ? v->owned : "-";
	v->role = STYLE_BAR;
}

/* All that a trend shows is within an eighth of the largest, about a step of its bars. */
static bool is_steady(const int64_t *values, uint32_t count)
{
	int64_t least = INT64_MAX, most = 0;

	for (uint32_t i = 0; i < count; i++) {
		least = values[i] < least ? values[i] : least;
		most = values[i] > most ? values[i] : most;
	}
	return count && most - least <= most / 8;
}

/* 4 frames a cell; where there is room, 2 or 1. */
static uint32_t trend_cells(uint32_t width)
{
	if (width == SHEET_NO_LIMIT || width >= 160)
		return TREND_FRAMES;
	return width >= 120 ? TREND_FRAMES / 2 : TREND_FRAMES / 4;
}

static void put_trend(const struct zone_table *t, const struct report_row *row, const struct typed_look *look,
		      struct typed_value *v)
{
	int64_t *values = malloc(TREND_FRAMES * sizeof(*values));

	v->owned = (char *)values;
	v->series = values;
	v->series_count = values ? report_trend(t->r, row, values) : 0;
	v->series_per_cell = TREND_FRAMES / trend_cells(look->cells);
	v->role = is_steady(values, v->series_count) ? STYLE_DIM : STYLE_BAR;
}

/* Where `-` is a heat, nothing is nothing. */
static void put_heat(const struct report_row *row, struct typed_value *v)
{
	v->shown = v->state == TYPED_KNOWN ? heat_mark(row->heat) : "";
	v->role = v->state == TYPED_KNOWN ? STYLE_HEAT : STYLE_DIM;
	v->heat = (float)row->heat;
}

/* The star of a row that costs much to be measured stands in the gap behind its entries. */
static enum column star_column(const struct report *r)
{
	return r->mean_of_cut ? COLUMN_RATE : COLUMN_COUNT;
}

static void put_shown(const struct zone_table *t, const struct report_row *row, const struct typed_look *look,
		      enum column column, struct typed_value *v)
{
	if (column == COLUMN_ZONE) {
		put_name(row, look->ascii, v);
		return;
	}
	put_number(t, row, column, v);
	v->star = column == star_column(t->r) && row->costly ? '*' : '\0';
	if (column == COLUMN_HEAT)
		put_heat(row, v);
	else if (column == COLUMN_SHARE && v->state == TYPED_KNOWN)
		put_share(row, v);
	else if (column == COLUMN_TREND && v->state == TYPED_KNOWN)
		put_trend(t, row, look, v);
}

/* For programs */

/* Of one zone that is several because recursion is spread: `name(2)`. */
static void put_zone(const struct zone_table *t, const struct report_row *row, struct typed_value *v)
{
	const char *name = t->p->zones[row->zone].name;

	if (row->depth > 1 && asprintf(&v->owned, "%s(%u)", name, row->depth) < 0)
		v->owned = NULL;
	v->text = v->owned ? v->owned : name;
}

/* Sums of a measure that is no time have no nanoseconds beside them. A row of JSON has them all, shown or not. */
static void put_member(const struct zone_table *t, const struct report_row *row, enum column column, struct typed_value *v)
{
	const struct report *r = t->r;

	put_number(t, row, column, v);
	v->plain = t->p->measures[r->measure].unit != MEASURE_TICKS;
	if (column_is_per_frame(column)) {
		if (!(r->columns >> COLUMN_FRAMES & 1) || (column != COLUMN_FRAMES && !is_shown(row, COLUMN_FRAMES)))
			v->state = TYPED_ABSENT;
		return;
	}
	v->state = TYPED_KNOWN;
	if (column == COLUMN_MAX && r->measure != MEASURE_SELF)
		v->state = TYPED_ABSENT;
	else if (column == COLUMN_MAX && (v->whole == PROFILE_LONGEST_UNKNOWN || !profile_has_calls(t->p)))
		v->state = TYPED_UNKNOWN;
	else if ((column == COLUMN_COUNT || column == COLUMN_DIRECT) && (row->uncounted || !profile_has_calls(t->p)))
		v->state = TYPED_UNKNOWN;
	else if (is_amount(column) && row->unknown) {
		v->state = TYPED_UNKNOWN;
		v->plain = true;
	}
}

static void put_thread(const struct zone_table *t, const struct report_section *section, bool is_json, struct typed_value *v)
{
	bool is_one = section->thread < t->p->thread_count;

	v->text = section->name;
	if (!is_json)
		return;
	v->kind = TYPED_NUMBER;
	v->state = is_one ? TYPED_KNOWN : TYPED_UNKNOWN; /* several, merged */
	v->whole = is_one ? (int64_t)t->p->threads[section->thread].id : 0;
}

/* JSON has what is true alone. */
static void put_flag(bool is, bool is_json, struct typed_value *v)
{
	v->whole = is;
	v->state = is || !is_json ? TYPED_KNOWN : TYPED_ABSENT;
}

static void put_place(const struct zone_table *t, const struct report_section *section, const struct report_row *row,
		      enum column column, bool is_json, struct typed_value *v)
{
	static const char *const roles[] = {
		[ROW_ZONE] = "zone",   [ROW_NO_ZONE] = "zone", [ROW_CALLER] = "caller",
		[ROW_FOCUS] = "focus", [ROW_CHILD] = "child",
	};

	switch (column) {
	case COLUMN_ZONE:
		put_zone(t, row, v);
		break;
	case COLUMN_THREAD:
		put_thread(t, section, is_json, v);
		break;
	case COLUMN_ROLE:
		v->text = roles[row->role];
		break;
	case COLUMN_LEVEL:
		v->whole = row->level;
		break;
	case COLUMN_PARENT:
		v->whole = (int64_t)section->before + row->parent;
		v->state = row->parent == PROFILE_NONE ? TYPED_UNKNOWN : TYPED_KNOWN;
		break;
	case COLUMN_FILE:
		v->text = t->p->zones[row->zone].file;
		break;
	case COLUMN_LINE:
		v->whole = t->p->zones[row->zone].line;
		break;
	default:
		put_flag(column == COLUMN_LEAST ? row->least : column == COLUMN_WAITS ? row->waiting : row->costly, is_json, v);
	}
}

/* The type */

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t index, uint32_t column,
		      struct typed_value *v)
{
	const struct zone_table *t = (const struct zone_table *)table;
	const struct report_section *section;
	const struct report_row *row = row_at(t, index, &section);

	if (look->output == TABLE_TEXT || look->output == TABLE_SCREEN)
		put_shown(t, row, look, (enum column)column, v);
	else if (column == COLUMN_ZONE || column >= COLUMNS)
		put_place(t, section, row, (enum column)column, look->output == TABLE_JSON, v);
	else if (look->output == TABLE_JSON)
		put_member(t, row, (enum column)column, v);
	else
		put_number(t, row, (enum column)column, v);
}

/* CSV has the same in every run: times that have no percentage are in nanoseconds beside those that have. */
static enum unit unit_of(const struct typed_table *table, enum table_output output, uint32_t column)
{
	const struct zone_table *t = (const struct zone_table *)table;
	const struct report *r = t->r;

	if (output == TABLE_CSV)
		return column < COLUMNS && r->asked == UNIT_PCT && r->units[column] != UNIT_PCT ? UNIT_NS : r->unit;
	return column < COLUMNS ? t->units[column] : r->unit;
}

/* `thread: main   23.4 ms` */
static uint32_t section_of(const struct typed_table *table, bool ascii, uint32_t section, char **heading)
{
	const struct report *r = ((const struct zone_table *)table)->r;
	const struct report_section *s = &r->sections[section];
	enum unit unit = r->unit != UNIT_PCT	       ? r->unit
			 : per_s_is_time(r->ticks_per_s) ? UNIT_MS
							: unit_for(s->time / r->scale, r->ticks_per_s);
	char *name = name_shown(s->name, ascii), time[64];
	bool known = s->known != MEASURE_UNKNOWN;

	format_time_shown(time, sizeof(time), s->time, r->scale, r->ticks_per_s, unit, r->precision, 0);
	if (!name || asprintf(heading, "thread: %s   %s%s%s%s", name, s->known != MEASURE_LEAST ? "" : ascii ? ">=" : "≥",
			      known ? time : "-", known && *unit_names[unit] ? " " : "", known ? unit_title(unit, ascii) : "") < 0)
		*heading = NULL;
	free(name);
	return s->before + s->row_count;
}

/* Where a program marks no frames, entries a second matter as much as entries; those of a frame that proftop cut, hardly. What
 * rows are sorted by says why they stand where they stand. */
static uint8_t importance_of(const struct report *r, enum column column)
{
	if (column == COLUMN_ZONE)
		return SHEET_GIVES_WAY;
	if (column == r->sort)
		return SHEET_STAYS - 1;
	if (r->unmarked && column == COLUMN_RATE)
		column = COLUMN_COUNT;
	else if (r->mean_of_cut && column == COLUMN_COUNT)
		column = COLUMN_RATE;
	return report_columns[column].importance;
}

static void arrange_zones(const struct typed_table *t, const struct typed_look *look, struct sheet *s)
{
	const struct report *r = ((const struct zone_table *)t)->r;
	uint8_t shows[SHEET_COLUMNS];

	typed_table_shows(t, look->output, shows);
	s->floor = 1;
	s->keeps = look->cells / 3 > NAME_LEAST_CELLS ? look->cells / 3 : NAME_LEAST_CELLS;
	s->usual = look->output == TABLE_SCREEN ? NAME_USUAL_CELLS : 0;
	s->descending = t->descending;
	for (uint32_t i = 0; i < s->count; i++) {
		s->columns[i].least = shows[i] == COLUMN_TREND && t->count ? trend_cells(look->cells) : t->columns[shows[i]].least;
		s->columns[i].importance = importance_of(r, shows[i]);
		if (shows[i] == t->sorted)
			s->sorted = (int)i;
	}
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return ((const struct zone_table *)t)->r->sections[0].rows[row].id;
}

static bool row_matches(const struct typed_table *t, uint32_t row, const struct pattern *pattern)
{
	return pattern_matches(pattern, ((const struct zone_table *)t)->r->sections[0].rows[row].name);
}

static unsigned row_pin(const struct typed_table *t, uint32_t row)
{
	return ((const struct zone_table *)t)->r->sections[0].rows[row].pin;
}

static void free_table(struct typed_table *table)
{
	struct zone_table *t = (struct zone_table *)table;

	report_free((struct report *)t->r);
	free(t);
}

const struct table_type zone_table_type = {
	.key = "rows", .name = "zones", .columns = report_columns, .column_count = COLUMNS_ALL, .drops = true,
	.csv_shows = true,
	.by_line = true, .value = put_value, .unit = unit_of, .section = section_of, .id = row_id,
	.matches = row_matches,
	.pin = row_pin, .arrange = arrange_zones, .free = free_table,
	.shows = {
		[TABLE_CSV] = (const uint8_t[]){ COLUMN_THREAD, COLUMN_ROLE, COLUMN_LEVEL, COLUMN_ZONE, COLUMN_FILE, COLUMN_LINE, COLUMN_SELF,
						 COLUMN_HIER, COLUMN_COUNT, COLUMN_RATE, COLUMN_DELTA, COLUMN_DIRECT, COLUMN_FRAME,
						 COLUMN_SHARE, COLUMN_HEAT, COLUMN_AVG, COLUMN_AVG_SELF, COLUMN_MAX, COLUMN_THREADS,
						 COLUMN_FRAMES, COLUMN_FRAME_MIN, COLUMN_FRAME_MEAN, COLUMN_FRAME_MEDIAN, COLUMN_FRAME_P90,
						 COLUMN_FRAME_P99, COLUMN_FRAME_MAX, COLUMN_FIRST, COLUMN_LEAST, TABLE_END },
		[TABLE_JSON] = (const uint8_t[]){ COLUMN_ZONE, COLUMN_FILE, COLUMN_LINE, COLUMN_THREAD, COLUMN_SELF, COLUMN_HIER, COLUMN_LEAST,
						  COLUMN_COUNT, COLUMN_MAX, COLUMN_FRAMES, COLUMN_FIRST, COLUMN_FRAME_MIN, COLUMN_FRAME_MEDIAN,
						  COLUMN_FRAME_P90, COLUMN_FRAME_P99, COLUMN_FRAME_MAX, COLUMN_FRAME_MEAN, COLUMN_DIRECT,
						  COLUMN_LEVEL, COLUMN_PARENT, COLUMN_WAITS, COLUMN_COSTLY, TABLE_END },
	},
};

/* The columns of text and the screen are the report's; CSV and JSON have all that the view can have. */
void zone_table_init(struct zone_table *t, const struct profile *p, const struct report *r)
{
	*t = (struct zone_table){ .p = p, .r = r };
	typed_table_init(&t->table, &zone_table_type, r->ticks_per_s);
	for (enum column c = 0; c < COLUMNS_ALL; c++)
		t->table.without |= (uint32_t)!(report_columns[c].views >> r->view & 1) << c;
	t->table.without |= (uint32_t)!*r->base << COLUMN_DELTA | (uint32_t)(r->measure == MEASURE_SELF) << COLUMN_LEAST;
	for (enum column c = 0; c < COLUMNS; c++) {
		t->table.columns[c].title = report_title(r, c);
		t->table.columns[c].hidden = !(r->columns >> c & 1);
		t->table.columns[c].sorts = r->offered >> c & 1;
	}
	t->table.columns[COLUMN_SHARE].right = false;
	memcpy(t->units, r->units, sizeof(t->units));
	for (uint32_t i = 0; i < r->section_count; i++)
		t->table.count += r->sections[i].row_count;
	t->table.sections = r->section_count;
	t->table.sorted = (int)r->sort;
	t->table.descending = r->descending;
	t->table.precision = r->precision;
	t->table.unit = r->unit;
}

/* The first row of work; where there is none, the first one. */
static uint32_t first_of_work(const struct report_section *s)
{
	uint32_t i = 0;

	while (i < s->row_count && (s->rows[i].role == ROW_NO_ZONE || s->rows[i].waiting))
		i++;
	return i < s->row_count ? i : 0;
}

struct zone_table *zone_table_new(struct report *r)
{
	const struct report_section *s = r->section_count ? &r->sections[0] : NULL;
	bool is_flat = r->view == REPORT_SELF || r->view == REPORT_HIER;
	struct zone_table *t = malloc(sizeof(*t));

	if (!t) {
		report_free(r);
		return NULL;
	}
	zone_table_init(t, NULL, r);
	t->table.count = s ? s->row_count : 0;
	t->table.left_out = s ? s->hidden : 0;
	t->table.first = s ? first_of_work(s) : 0;
	while (is_flat && t->table.fixed < t->table.count && s->rows[t->table.fixed].pin)
		t->table.fixed++;
	t->table.like = (uint64_t)r->view | (uint64_t)r->asked << 8 | (uint64_t)r->average << 16;
	return t;
}

const struct report *zone_table_report(const struct typed_table *t)
{
	return t && t->type == &zone_table_type ? ((const struct zone_table *)t)->r : NULL;
}

/* Units that stay */

static bool is_automatic(const struct report *r, enum column column)
{
	return column_is_time(column) && (r->asked == UNIT_AUTO || r->asked == UNIT_PCT) && r->units[column] != UNIT_PCT;
}

/* A column without a time has the unit of SELF, which may be held from a report that had times. */
static enum unit unit_held(const struct zone_table *t, enum column column, enum unit held)
{
	const struct report *r = t->r;

	if (!is_automatic(r, column))
		return r->units[column];
	if (held == UNIT_PCT) /* from a report in which it had no unit of its own */
		held = UNIT_AUTO;
	if (!r->most[column] && held != UNIT_AUTO)
		return held;
	if (!r->most[column])
		return column > COLUMN_SELF && t->units[COLUMN_SELF] != UNIT_PCT ? t->units[COLUMN_SELF] : r->units[column];
	return unit_for_many(r->middle[column], r->most[column], r->ticks_per_s, held);
}

void zone_table_hold(struct zone_table *t, struct zone_units *held)
{
	enum unit *units = held->units[t->r->average];

	if (held->view != t->r->view || held->asked != t->r->asked || held->measure != t->r->measure)
		*held = (struct zone_units){ .view = t->r->view, .asked = t->r->asked, .measure = t->r->measure };
	for (enum column c = 0; c < COLUMNS; c++) {
		t->units[c] = unit_held(t, c, units[c]);
		if (t->r->most[c]) /* of nothing there is nothing to hold */
			units[c] = t->units[c];
	}
}

size_t report_text(const struct report *r, const struct report_row *row, enum column column, bool ascii, char *out, size_t size)
{
	const struct typed_look look = { .output = TABLE_TEXT, .ascii = ascii, .precision = r->precision };
	struct zone_table t = { .table = { .type = &zone_table_type, .ticks_per_s = r->ticks_per_s, .precision = -1 }, .r = r };
	struct typed_value v = { .kind = report_columns[column].kind, .scale = 1, .unit = r->units[column] };

	put_number(&t, row, column, &v);
	if (column == COLUMN_HEAT)
		put_heat(row, &v);
	return typed_table_text(&t.table, &look, &v, out, size);
}

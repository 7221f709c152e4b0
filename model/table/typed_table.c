/* SPDX-License-Identifier: MIT */
#include "model/table/typed_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/table/line.h"
#include "model/table/spark.h"

#define VALUE_TEXT 160
#define SCREEN_CELLS 128 /* of a text on the screen, and so many bytes: characters that combine take no cells */
#define SCREEN_BYTES 512
#define TEXT_NAME_LEAST 12 /* cells of the column that gives way, however narrow a text is */
#define BAR_MOST 40 /* cells */
#define SPAN_CLOCK_S 60 /* from here on a span is hours, minutes and seconds */
#define INDENT_MOST 40 /* cells; deeper levels of a tree are numbers */
#define LEAD_SIZE (INDENT_MOST + 24)
#define MEAN_SCALE 1024 /* means are written as integers, 1/MEAN_SCALE ticks */

void typed_table_init(struct typed_table *t, const struct table_type *type, uint64_t ticks_per_s)
{
	*t = (struct typed_table){ .type = type, .sorted = -1, .ticks_per_s = ticks_per_s, .unit = UNIT_MS, .precision = -1,
				  .sections = 1 };
	memcpy(t->columns, type->columns, type->column_count * sizeof(*type->columns));
	for (uint32_t c = 0; c < type->column_count; c++)
		t->columns[c].right |= typed_is_number(t->columns[c].kind);
}

static bool is_for(const struct typed_table *t, enum table_output output, uint32_t column)
{
	const struct table_column *c = &t->columns[column];

	if (output == TABLE_SCREEN || output == TABLE_TEXT)
		return t->type->shows[output] || c->title;
	return !(t->without >> column & 1) && (t->type->shows[output] || c->key || c->member);
}

uint32_t typed_table_shows(const struct typed_table *t, enum table_output output, uint8_t columns[SHEET_COLUMNS])
{
	const uint8_t *shows = t->type->shows[output];
	uint32_t count = 0;

	for (uint32_t i = 0; shows ? shows[i] != TABLE_END : i < t->type->column_count; i++) {
		uint8_t c = shows ? shows[i] : (uint8_t)i;

		if (is_for(t, output, c) && !(output == TABLE_TEXT && t->columns[c].hidden))
			columns[count++] = c;
	}
	return count;
}

static enum unit unit_of(const struct typed_table *t, enum table_output output, uint32_t column)
{
	return t->type->unit ? t->type->unit(t, output, column) : t->unit;
}

struct typed_value typed_table_value(const struct typed_table *t, const struct typed_look *look, uint32_t row, uint32_t column)
{
	struct typed_value v = { .kind = t->columns[column].kind, .scale = 1, .of = t->whole, .unit = unit_of(t, look->output, column) };

	t->type->value(t, look, row, column, &v);
	return v;
}

void typed_value_fini(struct typed_value *v)
{
	free(v->owned);
	free(v->owned_tail);
	v->owned = v->owned_tail = NULL;
}

/* Numbers as text */

/* By the width of the screen: integers are in full below `full`; other numbers have so many digits. Reports have all. */
static const struct digits {
	uint32_t width; /* from which on it is this */
	int64_t full;
	int digits;
} digits_by_width[] = {
	{ 120, INT64_MAX, 6 },
	{ 40, 1000000000000, 6 },
	{ 0, 1000000, 4 },
};

static const struct digits *digits_for(const struct typed_look *look)
{
	static const struct digits report = { 0, INT64_MAX, 9 };
	const struct digits *d = digits_by_width;

	while (look->width < d->width)
		d++;
	return look->output == TABLE_SCREEN ? d : &report;
}

/* At least so many digits, and all that stand before the point, up to 9. */
static void put_real(char *out, double value, int digits)
{
	for (double limit = pow(10, digits); digits < 9 && fabs(value) >= limit; limit *= 10)
		digits++;
	format_real(out, VALUE_TEXT, value, digits);
}

static void put_count(char *out, const struct typed_look *look, int64_t value, int64_t scale)
{
	const struct digits *d = digits_for(look);

	if (scale != 1)
		format_count(out, VALUE_TEXT, value, scale);
	else if (value > d->full || value < -d->full - 1)
		format_real(out, VALUE_TEXT, (double)value, d->digits);
	else
		format_grouped(out, VALUE_TEXT, value);
}

/* `512 B`, `1.5 MiB`, `32 MiB`. */
static void put_bytes(char *out, int64_t value, int64_t scale)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double size = (double)value / (double)scale;
	int unit = 0;

	for (; fabs(size) >= 1024 && unit < 4; unit++)
		size /= 1024;
	format_fixed(out, VALUE_TEXT - 8, size, size != floor(size) && fabs(size) < 10);
	sprintf(out + strlen(out), " %s", units[unit]);
}

static void put_age(char *out, double seconds)
{
	static const struct {
		double seconds;
		const char *unit;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	size_t i = 0;

	while (i < 3 && seconds < units[i].seconds)
		i++;
	format_fixed(out, VALUE_TEXT - 8, seconds / units[i].seconds, 0);
	sprintf(out + strlen(out), " %s", units[i].unit);
}

static void put_time(char *out, const struct typed_table *t, const struct typed_look *look, const struct typed_value *v,
		     int64_t value)
{
	uint64_t ticks_per_s = v->kind == TYPED_NS ? 1000000000 : t->ticks_per_s;
	int64_t whole = v->kind == TYPED_NS ? 0 : v->of, scale = v->scale;

	if (v->kind == TYPED_MEAN_TICKS && fabs(v->real) * MEAN_SCALE >= 9e18) { /* too long to be a time */
		strcpy(out, "-");
		return;
	}
	if (v->kind == TYPED_MEAN_TICKS) {
		value = llround(v->real * MEAN_SCALE);
		scale = MEAN_SCALE;
		whole = whole < INT64_MAX / MEAN_SCALE ? whole * MEAN_SCALE : INT64_MAX;
	}
	(v->sign ? format_difference : look->output == TABLE_CSV ? format_time : format_time_shown)(
		out, VALUE_TEXT, value, scale, ticks_per_s, v->unit, look->precision < 0 ? t->precision : look->precision, whole);
}

/* How many decimals make three digits of it. */
static int decimals_of(double value)
{
	return value < 10 ? 2 : value < 100;
}

void typed_span(char *out, size_t size, int64_t ticks, int64_t about, uint64_t ticks_per_s, bool brief, bool ascii)
{
	static const struct {
		double ns;
		const char *name, *ascii;
	} units[] = { { 1e9, "s", "s" }, { 1e6, "ms", "ms" }, { 1e3, "µs", "us" }, { 1, "ns", "ns" } };
	double ns = (double)ticks * 1e9 / (double)ticks_per_s, about_ns = (double)about * 1e9 / (double)ticks_per_s;
	long long s = (long long)(ns / 1e9);
	char number[64];
	int unit = 0;

	if (s >= SPAN_CLOCK_S) {
		snprintf(out, size, "%02lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
		return;
	}
	while (ns > 0 && unit < 3 && about_ns < units[unit].ns)
		unit++;
	ns /= units[unit].ns;
	format_fixed(number, sizeof(number), ns, !ticks ? 0 : brief ? decimals_of(ns) : unit < 3 ? 3 : 0);
	snprintf(out, size, "%s %s", number, ascii ? units[unit].ascii : units[unit].name);
}

static void put_number(char *out, const struct typed_table *t, const struct typed_look *look, const struct typed_value *v,
		       int64_t value)
{
	switch (v->kind) {
	case TYPED_FRAME:
		if (look->output == TABLE_SCREEN)
			format_grouped(out, VALUE_TEXT, value);
		else
			snprintf(out, VALUE_TEXT, "%lld", (long long)value);
		return;
	case TYPED_COUNT:
		put_count(out, look, value, v->scale);
		return;
	case TYPED_REAL:
		put_real(out, v->real, digits_for(look)->digits);
		return;
	case TYPED_MEAN:
		put_real(out, v->real, 3);
		return;
	case TYPED_RATE:
		format_fixed(out, VALUE_TEXT, v->real, v->real < 100 ? 1 : 0);
		return;
	case TYPED_TICKS:
	case TYPED_MEAN_TICKS:
	case TYPED_NS:
		put_time(out, t, look, v, value);
		return;
	case TYPED_SPAN:
		strcpy(out, v->sign && value >= 0 ? "+" : "");
		typed_span(out + strlen(out), VALUE_TEXT - 1, value, v->of ? v->of : value, t->ticks_per_s, look->output == TABLE_SCREEN,
			   look->ascii);
		return;
	case TYPED_SHARE:
		format_percent(out, VALUE_TEXT, value, v->of);
		return;
	case TYPED_SECONDS:
		format_fixed(out, VALUE_TEXT, v->real, 1);
		return;
	case TYPED_AGE:
		put_age(out, v->real);
		return;
	case TYPED_BYTES:
		put_bytes(out, value, v->scale);
		return;
	case TYPED_RATIO:
		format_percent(out, VALUE_TEXT, llround(v->real * 1e6), 1000000);
		return;
	case TYPED_HEAT:
		format_fixed(out, VALUE_TEXT, v->real, 3);
		return;
	default:
		format_count(out, VALUE_TEXT, value, v->scale);
	}
}

static bool is_more(const struct typed_value *v)
{
	bool is_real = v->kind == TYPED_REAL || v->kind == TYPED_MEAN || v->kind == TYPED_RATE || v->kind == TYPED_RATIO;

	return is_real ? v->real > 0 : v->whole > 0;
}

static void number_text(char *out, const struct typed_table *t, const struct typed_look *look, const struct typed_value *v)
{
	bool is_time = typed_is_time(v->kind) || v->kind == TYPED_SPAN; /* these have their sign already */
	const char *least = look->ascii ? ">=" : "≥", *arrow = !look->ascii ? "→" : look->output == TABLE_SCREEN ? "->" : ">";
	char text[VALUE_TEXT], before[VALUE_TEXT];

	if (!v->has_before || (look->output == TABLE_SCREEN && v->before == v->whole)) {
		out = stpcpy(out, v->at_least ? least : "");
		out = stpcpy(out, v->sign && !is_time && is_more(v) ? "+" : "");
		put_number(out, t, look, v, v->whole);
		return;
	}
	put_number(text, t, look, v, v->whole);
	put_number(before, t, look, v, v->before);
	snprintf(out, 2 * VALUE_TEXT, look->output == TABLE_SCREEN ? "%s%s%s" : "%s %s %s", before, arrow, text);
}

/* More is drawn otherwise than less, also without colours. */
static void bar_text(char *out, const struct typed_look *look, double share, uint32_t cells)
{
	const char *cell = share > 0 ? (look->ascii ? "+" : "█") : (look->ascii ? "-" : "░");
	double filled = fabs(share) * (cells < BAR_MOST ? cells : BAR_MOST) + 0.5;

	for (*out = '\0'; filled >= 1; filled--)
		out = stpcpy(out, cell);
}

/* Texts */

/* The visible text of a name or of words: borrowed, or owned by the value. NULL: out of memory. */
static const char *words_text(const struct typed_look *look, struct typed_value *v)
{
	const char *text = v->text;
	size_t used, length;

	if (v->kind == TYPED_NAME || look->ascii) {
		char *shown = v->kind == TYPED_NAME ? name_safe(text, look->ascii) : name_shown(text, true);

		free(v->owned);
		text = v->owned = shown;
	}
	if (!text || look->output != TABLE_SCREEN)
		return text;
	length = text_clip(text, SCREEN_CELLS, &used);
	if (length >= SCREEN_BYTES)
		length = 0;
	if (text[length]) {
		char *cut = strndup(text, length);

		free(v->owned);
		text = v->owned = cut;
	}
	return text;
}

static uint32_t spark_cells(uint32_t cells)
{
	return cells < BAR_MOST ? cells : BAR_MOST;
}

static const char *value_text(const struct typed_table *t, const struct typed_look *look, struct typed_value *v,
			      uint32_t cells, char room[2 * VALUE_TEXT])
{
	if (v->shown || v->state != TYPED_KNOWN)
		return v->shown ? v->shown : "-";
	if (v->kind == TYPED_WORDS || v->kind == TYPED_NAME)
		return words_text(look, v);
	if (v->kind == TYPED_SPARK)
		spark_draw(v->series, v->series_count, v->series_per_cell ? v->series_per_cell : 1, spark_cells(cells), look->ascii, room);
	else if (v->kind == TYPED_BAR)
		bar_text(room, look, v->real < 1 ? v->real : 1, cells);
	else if (v->kind == TYPED_FLAG)
		return v->whole ? "yes" : "no";
	else
		number_text(room, t, look, v);
	return room;
}

size_t typed_table_text(const struct typed_table *t, const struct typed_look *look, struct typed_value *v, char *out, size_t size)
{
	char room[2 * VALUE_TEXT];
	const char *text = value_text(t, look, v, BAR_MOST, room);

	return (size_t)snprintf(out, size, "%s", text ? text : "");
}

size_t typed_table_number(const struct typed_table *t, const struct typed_value *v, char *out, size_t size)
{
	static const struct typed_look look = { .output = TABLE_CSV, .precision = -1 };
	char text[VALUE_TEXT] = "";

	if (v->state == TYPED_KNOWN)
		put_number(text, t, &look, v, v->whole);
	if (!strcmp(text, "-"))
		*text = '\0';
	return (size_t)snprintf(out, size, "%.*s", (int)strcspn(text, "%"), text);
}

/* The sheet */

static enum style_role role_of(const struct table_column *c, const struct typed_value *v)
{
	if (v->role != STYLE_TITLE)
		return v->role;
	if (v->state != TYPED_KNOWN)
		return STYLE_DIM;
	if (typed_is_number(v->kind))
		return STYLE_NUMBER;
	if (v->kind == TYPED_SPARK || v->kind == TYPED_BAR)
		return STYLE_BAR;
	return c->importance == SHEET_GIVES_WAY ? STYLE_NAME : STYLE_LABEL;
}

/* What stands in front of the text: blanks and its mark. */
static const char *lead_text(const struct typed_value *v, char out[LEAD_SIZE])
{
	if (!v->mark)
		return NULL;
	if (v->indent < INDENT_MOST)
		snprintf(out, LEAD_SIZE, "%*s%c ", (int)v->indent, "", v->mark);
	else
		snprintf(out, LEAD_SIZE, "%*s%c [%u] ", INDENT_MOST, "", v->mark, v->level);
	return out;
}

/* What stands for the blanks where there is no room for them. */
static const char *depth_text(const struct typed_value *v, char out[LEAD_SIZE])
{
	if (!v->mark || !v->level || v->indent >= INDENT_MOST)
		return NULL;
	snprintf(out, LEAD_SIZE, "%c [%u] ", v->mark, v->level);
	return out;
}

static void add_cell(const struct typed_table *t, const struct typed_look *look, struct sheet *s, uint32_t row, uint32_t column,
		     const struct table_column *c)
{
	struct typed_value v = typed_table_value(t, look, row, column);
	char room[2 * VALUE_TEXT], lead[LEAD_SIZE], depth[LEAD_SIZE];
	const char *text = value_text(t, look, &v, c->least, room);
	bool is_found = look->found && c->importance == SHEET_GIVES_WAY;
	bool is_spark = text == room && v.kind == TYPED_SPARK && !v.tail && !v.mark;

	if (text)
		sheet_add(s, (struct sheet_cell){ .text = text, .tail = v.tail, .id = v.id, .lead = lead_text(&v, lead),
						  .depth = depth_text(&v, depth), .star = v.star, .heat = v.heat,
						  .cells = is_spark ? spark_cells(c->least) : 0,
						  .role = is_found ? STYLE_FOUND : role_of(c, &v) });
	else
		s->failed = true;
	typed_value_fini(&v);
}

void typed_table_sheet(const struct typed_table *t, const struct typed_look *look, struct sheet *s)
{
	uint8_t shows[SHEET_COLUMNS];
	uint32_t count = typed_table_shows(t, look->output, shows);
	struct table_column columns[SHEET_COLUMNS];

	for (uint32_t i = 0; i < count; i++) {
		columns[i] = t->columns[shows[i]];
		if (typed_is_time(columns[i].kind))
			columns[i].unit = unit_title(unit_of(t, look->output, shows[i]), look->ascii);
		if (look->output == TABLE_TEXT && !t->type->drops && columns[i].importance != SHEET_GIVES_WAY)
			columns[i].importance = SHEET_STAYS;
		if (look->output == TABLE_TEXT)
			columns[i].least = columns[i].kind == TYPED_SPARK || columns[i].kind == TYPED_BAR ? columns[i].least : 0;
	}
	sheet_init(s, columns, count, look->ascii);
	s->floor = s->keeps = look->output == TABLE_TEXT ? TEXT_NAME_LEAST : 1;
	if (look->output == TABLE_SCREEN) {
		s->sorted = t->sorted;
		s->descending = t->descending;
	}
	if (t->type->arrange)
		t->type->arrange(t, look, s);
}

void typed_table_add(const struct typed_table *t, const struct typed_look *look, struct sheet *s, uint32_t row)
{
	uint8_t shows[SHEET_COLUMNS];
	uint32_t count = typed_table_shows(t, look->output, shows);

	for (uint32_t i = 0; i < count; i++)
		if (s->columns[i].hidden)
			sheet_text(s, "", STYLE_DIM);
		else
			add_cell(t, look, s, row, shows[i], &s->columns[i]);
}

void typed_table_widen(const struct typed_table *t, const struct typed_look *look, struct sheet *s, uint32_t row)
{
	uint8_t shows[SHEET_COLUMNS];
	uint32_t count = typed_table_shows(t, look->output, shows);
	char room[2 * VALUE_TEXT];

	for (uint32_t i = 0; i < count; i++)
		if (typed_is_number(t->columns[shows[i]].kind)) {
			struct typed_value v = typed_table_value(t, look, row, shows[i]);

			sheet_widen(s, i, value_text(t, look, &v, 0, room));
			typed_value_fini(&v);
		}
}

/* Widths that stay */

static bool is_alike(const struct widths_like *a, const struct widths_like *b)
{
	return a->type == b->type && a->like == b->like && a->columns == b->columns && a->cells == b->cells &&
	       a->precision == b->precision && a->ascii == b->ascii;
}

static void forget_others(const struct typed_table *t, const struct typed_look *look, const struct sheet *s, struct table_widths *w)
{
	struct widths_like like = { t->type, t->like, 0, look->cells, look->precision, look->ascii };

	for (uint32_t c = 0; c < s->count; c++)
		like.columns |= (uint32_t)!s->columns[c].hidden << c;
	if (!is_alike(&w->like, &like))
		*w = (struct table_widths){ .like = like };
	for (uint32_t c = 0; c < s->count; c++) {
		enum unit unit = unit_of(t, look->output, c);

		if (w->units[c] != unit) /* its numbers are of other lengths */
			w->cells[c] = w->needed[c] = 0;
		w->units[c] = unit;
	}
}

void typed_table_hold(const struct typed_table *t, const struct typed_look *look, struct sheet *s, struct table_widths *w)
{
	bool over;

	forget_others(t, look, s, w);
	over = ++w->age >= TABLE_PATIENCE;
	sheet_measure(s);
	for (uint32_t c = 0; c < s->count; c++) {
		w->needed[c] = w->needed[c] > s->needs[c] ? w->needed[c] : s->needs[c];
		if (over || w->cells[c] < s->needs[c])
			w->cells[c] = over ? w->needed[c] : s->needs[c];
		s->needs[c] = w->cells[c];
		if (over)
			w->needed[c] = 0;
	}
	if (over)
		w->age = 0;
}

/* Lines */

struct lines {
	const struct typed_table *t;
	const struct typed_look *look;
	struct sheet sheet;
	table_give *give;
	void *context;
};

/* Frees the line. */
static bool give_line(const struct lines *l, struct layout_line line, bool done)
{
	if (done)
		l->give(l->context, &line);
	free(line.text);
	free(line.spans);
	return done;
}

static bool give_row(const struct lines *l, uint32_t row)
{
	struct layout_line line;
	bool done = sheet_line(&l->sheet, row, &line);

	return give_line(l, line, done);
}

/* Behind an empty line, if it is not the first. Frees the heading. */
static bool give_heading(const struct lines *l, uint32_t section, char *heading)
{
	struct pen blank = { 0 }, pen = { .failed = !heading };
	struct layout_line line;
	bool done = true;

	if (section) {
		line = pen_take(&blank);
		done = give_line(l, line, !blank.failed);
	}
	if (heading)
		pen_clipped(&pen, heading, l->look->cells == SHEET_NO_LIMIT ? UINT32_MAX : l->look->cells, l->look->ascii, STYLE_THREAD);
	free(heading);
	line = pen_take(&pen);
	return give_line(l, line, !pen.failed) && done;
}

static bool give_section(const struct lines *l, uint32_t section, uint32_t *row)
{
	const struct typed_table *t = l->t;
	uint32_t end = t->count;
	char *heading = NULL;

	if (t->sections > 1) {
		end = t->type->section(t, l->look->ascii, section, &heading);
		if (!give_heading(l, section, heading))
			return false;
	}
	if (!give_row(l, SHEET_TITLES))
		return false;
	for (; *row < end; (*row)++)
		if (!give_row(l, *row))
			return false;
	return true;
}

bool typed_table_lines(const struct typed_table *t, const struct typed_look *look, table_give *give, void *context)
{
	struct lines l = { .t = t, .look = look, .give = give, .context = context };
	uint32_t row = 0;
	bool done;

	typed_table_sheet(t, look, &l.sheet);
	for (uint32_t i = 0; i < t->count && !l.sheet.failed; i++)
		typed_table_add(t, look, &l.sheet, i);
	sheet_fit(&l.sheet, look->cells);
	done = !l.sheet.failed;
	for (uint32_t i = 0; i < t->sections && done; i++)
		done = give_section(&l, i, &row);
	sheet_fini(&l.sheet);
	return done;
}

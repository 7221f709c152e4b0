/* SPDX-License-Identifier: MIT */
#include "io/export/export_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/report/zone_table.h"

/* Fields of CSV */

static void put_field(const char *before, const char *text, FILE *out)
{
	size_t length = strlen(text);
	bool quoted = strpbrk(text, ",\"") || (length && (text[0] == ' ' || text[length - 1] == ' '));

	fputs(quoted ? "\"" : "", out);
	fputs(before, out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputs(quoted ? "\"" : "", out);
}

void csv_field(const char *text, FILE *out)
{
	put_field("", text, out);
}

void csv_shown(const char *text, bool spreadsheet, FILE *out)
{
	put_field(spreadsheet && *text && strchr("=+-@'", *text) ? "'" : "", text, out);
}

bool csv_name(const char *bytes, bool spreadsheet, FILE *out)
{
	char *shown = name_escape(bytes, strlen(bytes));

	if (shown)
		csv_shown(shown, spreadsheet, out);
	free(shown);
	return shown;
}

/* CSV */

static const char *unit_suffix(const struct typed_table *t, uint32_t column)
{
	enum typed_kind kind = t->columns[column].kind;

	if (typed_is_time(kind) && t->type->csv_shows)
		return unit_names[t->type->unit ? t->type->unit(t, TABLE_CSV, column) : t->unit];
	if ((kind == TYPED_TICKS || kind == TYPED_MEAN_TICKS || kind == TYPED_SPAN) && !per_s_is_time(t->ticks_per_s))
		return "";
	switch (kind) {
	case TYPED_TICKS:
	case TYPED_MEAN_TICKS:
	case TYPED_SHARE:
	case TYPED_SPAN:
	case TYPED_NS:
		return "ns";
	case TYPED_SECONDS:
	case TYPED_AGE:
		return "s";
	case TYPED_BYTES:
		return "bytes";
	case TYPED_RATIO:
		return "pct";
	default:
		return "";
	}
}

static void put_scaled(int64_t value, int64_t scale, FILE *out)
{
	char text[48];

	if (scale == 1)
		fprintf(out, "%" PRId64, value);
	else {
		format_scaled(text, sizeof(text), value, scale, 6);
		fputs(text, out);
	}
}

static void put_real(double value, FILE *out)
{
	char digits[EXACT_DIGITS];

	format_exact(digits, value);
	fputs(digits, out);
}

/* False: out of memory. */
static bool put_value(const struct typed_table *t, const struct typed_value *v, bool spreadsheet, FILE *out)
{
	char text[96];

	if (t->type->csv_shows && typed_is_number(v->kind)) {
		typed_table_number(t, v, text, sizeof(text));
		fputs(text, out);
		return true;
	}
	switch (v->kind) {
	case TYPED_NAME:
		return csv_name(v->text, spreadsheet, out);
	case TYPED_WORDS:
		csv_shown(v->text ? v->text : "", spreadsheet, out);
		return v->text;
	case TYPED_TICKS:
	case TYPED_SHARE:
	case TYPED_SPAN:
		if (!per_s_is_time(t->ticks_per_s) && v->scale != 1)
			put_real((double)v->whole / (double)v->scale, out);
		else if (!per_s_is_time(t->ticks_per_s))
			fprintf(out, "%" PRId64, v->whole);
		else if (v->scale == 1)
			fprintf(out, "%" PRId64, format_ns(v->whole, t->ticks_per_s));
		else
			put_real((double)v->whole / (double)v->scale * 1e9 / (double)t->ticks_per_s, out);
		return true;
	case TYPED_MEAN_TICKS:
		put_real(per_s_is_time(t->ticks_per_s) ? v->real * 1e9 / (double)t->ticks_per_s : v->real, out);
		return true;
	case TYPED_NUMBER:
		if (v->scale == 1) {
			fprintf(out, "%" PRIu64, (uint64_t)v->whole); /* an id may be any */
			return true;
		}
		/* fall through */
	case TYPED_FLAG:
	case TYPED_FRAME:
	case TYPED_COUNT:
	case TYPED_BYTES:
	case TYPED_NS:
		put_scaled(v->whole, v->scale, out);
		return true;
	case TYPED_RATIO:
		put_real(v->real * 100, out);
		return true;
	case TYPED_SPARK: /* of these there is no field, as shows says */
	case TYPED_BAR:
	case TYPED_REAL:
	case TYPED_MEAN:
	case TYPED_RATE:
	case TYPED_HEAT:
	case TYPED_SECONDS:
	case TYPED_AGE:
		put_real(v->real, out);
	}
	return true;
}

static bool is_field(const struct table_column *c)
{
	return c->kind != TYPED_SPARK && c->kind != TYPED_BAR;
}

static void put_keys(const struct typed_table *t, const uint8_t *shows, uint32_t count, FILE *out)
{
	const char *comma = "";

	for (uint32_t i = 0; i < count; comma = ",", i++) {
		const struct table_column *c = &t->columns[shows[i]];
		const char *unit = unit_suffix(t, shows[i]);

		fputs(comma, out);
		for (const char *at = c->key; *at; at++)
			fputc(*at == '-' ? '_' : *at, out);
		fprintf(out, "%s%s", *unit ? "_" : "", unit);
		if (c->bounded)
			fprintf(out, ",%s_at_least", c->key);
	}
	fputc('\n', out);
}

/* An unknown value is an empty field. */
static bool put_row(const struct typed_table *t, const uint8_t *shows, uint32_t count, uint32_t row, bool spreadsheet, FILE *out)
{
	static const struct typed_look look = { .output = TABLE_CSV, .precision = -1 };
	bool done = true;

	for (uint32_t i = 0; i < count && done; i++) {
		struct typed_value v = typed_table_value(t, &look, row, shows[i]);

		fputs(i ? "," : "", out);
		if (v.state == TYPED_KNOWN)
			done = put_value(t, &v, spreadsheet, out);
		if (t->columns[shows[i]].bounded)
			fputs(v.state != TYPED_KNOWN ? "," : v.at_least ? ",1" : ",0", out);
		typed_value_fini(&v);
	}
	fputc('\n', out);
	return done;
}

bool export_table_csv(const struct typed_table *t, bool spreadsheet, FILE *out)
{
	uint8_t shows[SHEET_COLUMNS];
	uint32_t all = typed_table_shows(t, TABLE_CSV, shows), count = 0;
	bool done = true;

	for (uint32_t i = 0; i < all; i++)
		if (t->columns[shows[i]].key && is_field(&t->columns[shows[i]]))
			shows[count++] = shows[i];
	put_keys(t, shows, count, out);
	for (uint32_t row = 0; row < t->count && done; row++)
		done = put_row(t, shows, count, row, spreadsheet, out);
	return done && !ferror(out);
}

bool export_csv(const struct export *e, FILE *out)
{
	struct zone_table t;

	if (e->table)
		return export_table_csv(e->table, e->spreadsheet, out);
	zone_table_init(&t, e->profile, e->graph ? e->graph : e->report);
	return export_table_csv(&t.table, e->spreadsheet, out);
}

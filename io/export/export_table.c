/* SPDX-License-Identifier: MIT */
#include "io/export/export_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"
#include "model/base/text.h"

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

static const char *unit_suffix(enum typed_kind kind)
{
	switch (kind) {
	case TYPED_TICKS:
	case TYPED_SHARE:
	case TYPED_NS:
		return "_ns";
	case TYPED_SECONDS:
	case TYPED_AGE:
		return "_s";
	case TYPED_BYTES:
		return "_bytes";
	case TYPED_RATIO:
		return "_pct";
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
	switch (v->kind) {
	case TYPED_NAME:
		return csv_name(v->text, spreadsheet, out);
	case TYPED_WORDS:
		csv_shown(v->text ? v->text : "", spreadsheet, out);
		return v->text;
	case TYPED_TICKS:
	case TYPED_SHARE:
		if (v->scale == 1)
			fprintf(out, "%" PRId64, format_ns(v->whole, t->ticks_per_s));
		else
			put_real((double)v->whole / (double)v->scale * 1e9 / (double)t->ticks_per_s, out);
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

		fprintf(out, "%s%s%s", comma, c->key, unit_suffix(c->kind));
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
			fprintf(out, ",%d", v.at_least);
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

/* JSON */

static void json_time(struct json *j, const struct typed_table *t, const char *key, const struct typed_value *v)
{
	char ns[64];

	snprintf(ns, sizeof(ns), "%s_ns", key);
	if (v->state != TYPED_KNOWN) {
		json_null(j, key);
		json_null(j, ns);
		return;
	}
	json_scaled(j, key, v->whole, v->scale);
	if (v->scale == 1)
		json_integer(j, ns, format_ns(v->whole, t->ticks_per_s));
	else
		json_real(j, ns, (double)v->whole / (double)v->scale * 1e9 / (double)t->ticks_per_s);
}

static void json_series(struct json *j, const char *key, const struct typed_value *v)
{
	json_array(j, key);
	for (uint32_t i = 0; i < v->series_count; i++)
		json_integer(j, NULL, v->series[i]);
	json_array_end(j);
}

static void json_known(struct json *j, const char *key, const struct typed_value *v)
{
	switch (v->kind) {
	case TYPED_NAME:
		json_name(j, key, v->text);
		return;
	case TYPED_WORDS:
		json_text(j, key, v->text ? v->text : "");
		if (!v->text)
			json_fail(j);
		return;
	case TYPED_FLAG:
		json_bool(j, key, v->whole);
		return;
	case TYPED_NUMBER:
		if (v->scale == 1) {
			json_unsigned(j, key, (uint64_t)v->whole);
			return;
		}
		/* fall through */
	case TYPED_FRAME:
	case TYPED_COUNT:
	case TYPED_BYTES:
	case TYPED_NS:
		json_scaled(j, key, v->whole, v->scale);
		return;
	case TYPED_SPARK:
		json_series(j, key, v);
		return;
	case TYPED_SECONDS:
	case TYPED_AGE:
	case TYPED_BAR:
		json_real(j, key, v->real);
		return;
	default:
		json_exact(j, key, v->real);
	}
}

static void json_value(struct json *j, const struct typed_table *t, const struct table_column *c, const struct typed_value *v)
{
	const char *key = c->member ? c->member : c->key;
	char least[64];

	if (v->state == TYPED_ABSENT)
		return;
	if (v->kind == TYPED_TICKS || v->kind == TYPED_SHARE)
		json_time(j, t, key, v);
	else if (v->state == TYPED_KNOWN)
		json_known(j, key, v);
	else
		json_null(j, key);
	snprintf(least, sizeof(least), "%s_at_least", key);
	if (c->bounded)
		json_bool(j, least, v->at_least);
}

void json_table_row(struct json *j, const struct typed_table *t, uint32_t row, json_row_more *more)
{
	static const struct typed_look look = { .output = TABLE_JSON, .precision = -1 };
	uint8_t shows[SHEET_COLUMNS];
	uint32_t count = typed_table_shows(t, TABLE_JSON, shows);

	json_line(j);
	json_object(j, NULL);
	for (uint32_t i = 0; i < count; i++) {
		struct typed_value v = typed_table_value(t, &look, row, shows[i]);

		json_value(j, t, &t->columns[shows[i]], &v);
		typed_value_fini(&v);
	}
	if (more)
		more(j, t, row);
	json_object_end(j);
}

void json_table(struct json *j, const struct typed_table *t, json_row_more *more)
{
	json_array(j, t->type->key);
	for (uint32_t row = 0; row < t->count; row++)
		json_table_row(j, t, row, more);
	json_array_end(j);
	json_line(j);
}

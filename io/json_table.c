/* SPDX-License-Identifier: MIT */
#include "io/json_table.h"

#include <stdio.h>

void json_time(struct json *j, uint64_t ticks_per_s, const char *key, int64_t ticks, int64_t scale)
{
	char ns[64];

	snprintf(ns, sizeof(ns), "%s_ns", key);
	json_scaled(j, key, ticks, scale);
	if (scale == 1)
		json_integer(j, ns, format_ns(ticks, ticks_per_s));
	else
		json_real(j, ns, (double)ticks / (double)scale * 1e9 / (double)ticks_per_s);
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
	case TYPED_TICKS:
	case TYPED_SHARE:
	case TYPED_SPAN:
		json_scaled(j, key, v->whole, v->scale);
		return;
	case TYPED_SPARK:
		json_series(j, key, v);
		return;
	case TYPED_MEAN_TICKS:
	case TYPED_SECONDS:
	case TYPED_AGE:
	case TYPED_BAR:
		json_real(j, key, v->real);
		return;
	default:
		json_exact(j, key, v->real);
	}
}

/* The page has ticks alone. */
static void json_value(struct json *j, const struct typed_table *t, enum table_output output, const struct table_column *c,
		       const struct typed_value *v)
{
	const char *key = c->member ? c->member : c->key;
	bool is_mean = v->kind == TYPED_MEAN_TICKS;
	bool is_ticks = v->kind == TYPED_TICKS || v->kind == TYPED_SHARE || v->kind == TYPED_SPAN || is_mean;
	bool is_time = output == TABLE_JSON && is_ticks && !v->plain && per_s_is_time(t->ticks_per_s);
	char other[64];

	if (v->state == TYPED_ABSENT)
		return;
	if (v->state == TYPED_KNOWN && is_time && !is_mean)
		json_time(j, t->ticks_per_s, key, v->whole, v->scale);
	else if (v->state == TYPED_KNOWN)
		json_known(j, key, v);
	else
		json_null(j, key);
	snprintf(other, sizeof(other), "%s_ns", key);
	if (v->state != TYPED_KNOWN && is_time)
		json_null(j, other);
	else if (is_mean && is_time)
		json_real(j, other, v->real * 1e9 / (double)t->ticks_per_s);
	snprintf(other, sizeof(other), "%s_at_least", key);
	if (c->bounded && v->state == TYPED_KNOWN)
		json_bool(j, other, v->at_least);
}

/* Ends the group that is open, and begins that of the next column. A group of which the first value is not known is null.
 * Returns the group that is open then. */
static const char *json_group(struct json *j, const char *open, const char *group, enum typed_state state)
{
	if (group == open)
		return open;
	if (open)
		json_object_end(j);
	if (group && state == TYPED_UNKNOWN)
		json_null(j, group);
	if (!group || state != TYPED_KNOWN)
		return NULL;
	json_object(j, group);
	return group;
}

static void json_row(struct json *j, const char *key, const struct typed_table *t, enum table_output output, uint32_t row,
		     json_row_more *more)
{
	const struct typed_look look = { .output = output, .precision = -1 };
	uint8_t shows[SHEET_COLUMNS];
	uint32_t count = typed_table_shows(t, output, shows);
	const char *open = NULL;

	json_object(j, key);
	for (uint32_t i = 0; i < count; i++) {
		const struct table_column *c = &t->columns[shows[i]];
		struct typed_value v = typed_table_value(t, &look, row, shows[i]);

		open = json_group(j, open, c->group, v.state);
		if (open == c->group)
			json_value(j, t, output, c, &v);
		typed_value_fini(&v);
	}
	json_group(j, open, NULL, TYPED_ABSENT);
	if (more)
		more(j, t, row);
	json_object_end(j);
}

void json_table_row(struct json *j, const struct typed_table *t, uint32_t row, json_row_more *more)
{
	json_row(j, NULL, t, TABLE_JSON, row, more);
}

void json_table_member(struct json *j, const char *key, const struct typed_table *t, uint32_t row, json_row_more *more)
{
	json_row(j, key, t, TABLE_JSON, row, more);
}

void json_table(struct json *j, const struct typed_table *t, json_row_more *more)
{
	json_array(j, t->type->key);
	for (uint32_t row = 0; row < t->count; row++) {
		json_line(j);
		json_table_row(j, t, row, more);
	}
	json_array_end(j);
	json_line(j);
}

/* The page */

void json_page_columns(struct json *j, const char *key, const struct table_type *type)
{
	static const char *const kinds[] = {
		[TYPED_WORDS] = "words", [TYPED_NAME] = "name", [TYPED_FLAG] = "flag", [TYPED_SPARK] = "spark", [TYPED_BAR] = "bar",
		[TYPED_NUMBER] = "number", [TYPED_FRAME] = "frame", [TYPED_COUNT] = "count", [TYPED_REAL] = "real",
		[TYPED_MEAN] = "mean", [TYPED_RATE] = "rate", [TYPED_TICKS] = "ticks", [TYPED_MEAN_TICKS] = "ticks",
		[TYPED_SHARE] = "ticks", [TYPED_SPAN] = "ticks", [TYPED_NS] = "ns", [TYPED_SECONDS] = "seconds", [TYPED_AGE] = "seconds",
		[TYPED_BYTES] = "bytes", [TYPED_RATIO] = "ratio", [TYPED_HEAT] = "real",
	};

	json_array(j, key);
	for (uint32_t i = 0; i < type->column_count; i++) {
		const struct table_column *c = &type->columns[i];

		if (!c->title || c->group || !(c->key || c->member))
			continue;
		json_object(j, NULL);
		json_text(j, "key", c->member ? c->member : c->key);
		json_text(j, "title", c->title);
		json_text(j, "kind", kinds[c->kind]);
		json_text(j, "help", c->help ? c->help : "");
		json_object_end(j);
	}
	json_array_end(j);
}

void json_page_rows(struct json *j, const char *key, const struct typed_table *t, json_row_more *more)
{
	json_array(j, key);
	for (uint32_t row = 0; row < t->count; row++)
		json_row(j, NULL, t, TABLE_PAGE, row, more);
	json_array_end(j);
}

/* SPDX-License-Identifier: MIT */
#include "model/report/function_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

enum { FUNCTION_NAME, FUNCTION_SELF, FUNCTION_SELF_PART, FUNCTION_TOTAL, FUNCTION_TOTAL_PART, FUNCTION_PLACE, FUNCTION_FILE,
       FUNCTION_LINE, FUNCTION_COLUMNS };

static const struct table_column columns[FUNCTION_COLUMNS] = {
	[FUNCTION_NAME] = { "FUNCTION", .key = "function", .kind = TYPED_NAME, .sorts = true, .importance = SHEET_GIVES_WAY, .least = 12, .help = "Name of the function. FILE+0xN: the function at N in a file without symbols." },
	[FUNCTION_SELF] = { "SELF", .key = "self", .kind = TYPED_COUNT, .sorts = true, .importance = 8, .least = 6, .help = "Samples in the function itself; in an average, per frame." },
	[FUNCTION_SELF_PART] = { "SELF%", .key = "self_part", .kind = TYPED_RATIO, .importance = 7, .least = 6, .help = "Share of the samples covered that are in the function itself." },
	[FUNCTION_TOTAL] = { "TOTAL", .key = "total", .kind = TYPED_COUNT, .sorts = true, .importance = 6, .least = 6, .help = "Samples in the function and in everything that it called, but for zones inside of it; in an average, per frame." },
	[FUNCTION_TOTAL_PART] = { "TOTAL%", .key = "total_part", .kind = TYPED_RATIO, .importance = 5, .least = 6, .help = "Share of the samples covered that TOTAL counts." },
	[FUNCTION_PLACE] = { "WHERE", .kind = TYPED_WORDS, .importance = 4, .least = 10, .help = "File and line where the function begins." },
	[FUNCTION_FILE] = { .key = "file", .kind = TYPED_NAME },
	[FUNCTION_LINE] = { .key = "line", .kind = TYPED_NUMBER },
};

static void free_table(struct typed_table *t)
{
	free(((struct function_table *)t)->rows);
	free(t);
}

double function_table_part(const struct function_table *t, int64_t samples)
{
	return t->samples ? (double)samples / (double)t->samples : 0;
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct function_table *t = (const struct function_table *)table;
	const struct function_row *f = &t->rows[row];
	const struct profile_zone *zone = &t->p->zones[f->zone];
	const char *file;

	switch (column) {
	case FUNCTION_NAME:
		v->text = zone->name;
		v->role = STYLE_NAME;
		break;
	case FUNCTION_SELF:
	case FUNCTION_TOTAL:
		v->whole = column == FUNCTION_SELF ? f->self : f->total;
		v->scale = t->scale;
		break;
	case FUNCTION_SELF_PART:
	case FUNCTION_TOTAL_PART:
		v->real = function_table_part(t, column == FUNCTION_SELF_PART ? f->self : f->total);
		break;
	case FUNCTION_LINE:
		v->whole = zone->line;
		v->state = *zone->file ? TYPED_KNOWN : TYPED_UNKNOWN;
		break;
	case FUNCTION_FILE:
		v->text = zone->file;
		break;
	default:
		file = look->output == TABLE_SCREEN && strrchr(zone->file, '/') ? strrchr(zone->file, '/') + 1 : zone->file;
		if (*zone->file && !zone->line)
			v->text = file;
		else if (*zone->file && asprintf(&v->owned, "%s:%u", file, zone->line) >= 0)
			v->text = v->owned;
		else
			v->state = TYPED_UNKNOWN;
	}
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return UINT64_C(1) + ((const struct function_table *)t)->rows[row].key;
}

static bool row_matches(const struct typed_table *table, uint32_t row, const struct pattern *pattern)
{
	const struct function_table *t = (const struct function_table *)table;

	return pattern_matches(pattern, t->p->zones[t->rows[row].zone].name);
}

const struct table_type function_table_type = {
	.key = "functions", .name = "functions", .columns = columns, .column_count = FUNCTION_COLUMNS, .drops = true,
	.value = put_value, .id = row_id, .matches = row_matches, .free = free_table,
};

struct order {
	const struct function_table *t;
	int column;
	int sign; /* of what ascends */
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct order *order = context;
	const struct function_row *one = a, *other = b;
	bool by_total = order->column == FUNCTION_TOTAL;
	int by = by_total ? compare_numbers(one->total, other->total) : compare_numbers(one->self, other->self);
	int names = strcmp(order->t->p->zones[one->zone].name, order->t->p->zones[other->zone].name);

	if (order->column == FUNCTION_NAME && names)
		return order->sign * names;
	by = by ? by : by_total ? compare_numbers(one->self, other->self) : compare_numbers(one->total, other->total);
	if (by)
		return order->sign * by;
	return names ? names : compare_numbers(one->key, other->key);
}

void function_table_sort(struct function_table *t, int column, bool invert)
{
	bool known = column == FUNCTION_NAME || column == FUNCTION_TOTAL;
	bool ascending = (column == FUNCTION_NAME) != invert;
	struct order order = { t, known ? column : FUNCTION_SELF, ascending ? 1 : -1 };

	t->table.sorted = order.column;
	t->table.descending = !ascending;
	qsort_r(t->rows, t->table.count, sizeof(*t->rows), compare_rows, &order);
}

static void take_rows(struct function_table *t, const struct report_section *section)
{
	for (uint32_t i = 0; i < section->row_count; i++) {
		const struct report_row *r = &section->rows[i];
		struct function_row f = { r->zone, r->key, r->values[COLUMN_SELF].exact, r->values[COLUMN_HIER].exact };

		if (r->zone == PROFILE_NO_ZONE || !(t->p->zones[r->zone].flags & ZONE_FUNCTION))
			continue;
		if ((f.total >= t->least || t->scale != 1) &&
		    function_table_part(t, f.total) * 100 >= t->percent)
			t->rows[t->table.count++] = f;
		else
			t->others++;
	}
}

struct function_table *function_table_new(const struct profile *p, const struct report *report, int64_t least, double percent)
{
	struct function_table *t = calloc(1, sizeof(*t));
	const struct report_section *section = &report->sections[0];

	if (!t)
		return NULL;
	typed_table_init(&t->table, &function_table_type, p->ticks_per_s);
	t->p = p;
	t->samples = section->time;
	t->scale = report->scale;
	t->rows = array_zeroed(section->row_count + 1ull, sizeof(*t->rows));
	if (!t->rows) {
		free(t);
		return NULL;
	}
	t->least = least;
	t->percent = percent;
	take_rows(t, section);
	t->table.left_out = section->hidden;
	function_table_sort(t, FUNCTION_SELF, false);
	return t;
}

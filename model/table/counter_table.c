/* SPDX-License-Identifier: MIT */
#include "model/table/counter_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOTH_FROM 100 /* cells of the screen, from where on there is what a counter grew by in a frame and in a second */
#define TREND_CELLS 8
#define TREND_BYTES (4 * TREND_CELLS + 1)

static const struct table_column columns[COUNTER_COLUMNS] = {
	[COUNTER_NAME] = { "COUNTER", .key = "name", .kind = TYPED_NAME, .sorts = true, .least = 7,
			   .help = "Name of the counter." },
	[COUNTER_LAST] = { "LAST", .key = "last", .kind = TYPED_COUNT, .sorts = true, .importance = 9, .least = 6,
			   .help = "Value at the end of the visible frames, or of the shown frame." },
	[COUNTER_LEAST] = { "MIN", .key = "min", .kind = TYPED_COUNT, .sorts = true, .importance = 6, .least = 6,
			    .help = "Minimum in these frames." },
	[COUNTER_MOST] = { "MAX", .key = "max", .kind = TYPED_COUNT, .sorts = true, .importance = 7, .least = 6,
			   .help = "Maximum in these frames." },
	[COUNTER_CHANGE] = { "CHANGE", .key = "change", .kind = TYPED_COUNT, .sorts = true, .importance = 5, .least = 7,
			     .help = "Mean change per frame." },
	[COUNTER_RATE] = { "CHANGE/S", .key = "rate", .kind = TYPED_MEAN, .sorts = true, .importance = 5, .least = 7,
			   .help = "Mean change per second." },
	[COUNTER_TREND] = { "TREND", .kind = TYPED_WORDS, .importance = 3, .least = TREND_CELLS,
			    .help = "Values in the newest frames, scaled to its own peak." },
	[COUNTER_THREAD] = { "THREAD", .key = "thread", .kind = TYPED_NAME, .sorts = true, .importance = 4,
			     .help = "Thread of the value. Empty: the sum of all threads." },
	[COUNTER_THREAD_ID] = { .member = "thread", .kind = TYPED_NUMBER },
	[COUNTER_KIND] = { .key = "kind", .kind = TYPED_WORDS },
	[COUNTER_UNIT] = { "UNIT", .key = "unit", .kind = TYPED_NAME, .importance = 8, .least = 4,
			   .help = "Unit of the values. With /f they are a total, and graphs show its growth per frame." },
	[COUNTER_COUNTS] = { .key = "counts", .kind = TYPED_WORDS },
};

enum counter_column counter_column(const char *key)
{
	enum counter_column c = 0;

	while (c < COUNTER_COLUMNS && !(columns[c].sorts && !strcmp(columns[c].key, key)))
		c++;
	return c;
}

static void put_number(struct typed_value *v, bool known, bool real, union profile_number n)
{
	v->state = known ? TYPED_KNOWN : TYPED_UNKNOWN;
	v->kind = real ? TYPED_REAL : TYPED_COUNT;
	v->whole = real ? 0 : n.whole;
	v->real = real ? n.real : 0;
}

/* On the screen it has its sign. */
static void put_change(struct typed_value *v, const struct counter_value *value, const struct typed_look *look)
{
	put_number(v, value->known, value->change_real, value->change);
	v->kind = value->change_real ? TYPED_MEAN : TYPED_COUNT;
	v->sign = look->output == TABLE_SCREEN;
	if (v->sign && value->known && !value->changed)
		v->shown = "none";
}

/* A total has /f behind its unit: what is shown of it in a frame is its growth there. */
static void put_unit(const struct profile_counter *counter, const struct typed_look *look, struct typed_value *v)
{
	v->text = counter->unit;
	v->state = *counter->unit ? TYPED_KNOWN : TYPED_ABSENT;
	if (!counter->total || look->output == TABLE_JSON || look->output == TABLE_CSV)
		return;
	v->state = TYPED_KNOWN;
	if (asprintf(&v->owned, "%s/f", counter->unit) < 0)
		v->owned = NULL;
	v->text = v->owned ? v->owned : counter->unit;
}

static void put_trend(const struct counter_table *t, const struct counter_row *row, const struct typed_look *look,
		      struct typed_value *v)
{
	v->text = v->owned = calloc(1, TREND_BYTES);
	v->role = STYLE_BAR;
	if (v->owned && t->draw_trend)
		t->draw_trend(t, row, TREND_CELLS, look->ascii, v->owned);
}

/* All that is not known of a counter without a value but its last value is absent in JSON. */
static void put_figure(const struct counter_table *t, const struct counter_row *row, const struct typed_look *look,
		       enum counter_column column, struct typed_value *v)
{
	const struct counter_value *value = &row->value;
	bool real = t->p->counters[row->counter].real;

	if (column == COUNTER_CHANGE)
		put_change(v, value, look);
	else if (column == COUNTER_RATE)
		*v = (struct typed_value){ .kind = TYPED_MEAN, .real = value->rate, .sign = look->output == TABLE_SCREEN,
					   .state = value->known ? TYPED_KNOWN : TYPED_UNKNOWN };
	else
		put_number(v, counter_knows(value, column), real,
			   column == COUNTER_LAST ? value->last : column == COUNTER_LEAST ? value->least : value->most);
	if (!value->known && column != COUNTER_LAST)
		v->state = TYPED_ABSENT;
	v->role = !value->changed ? STYLE_DIM : STYLE_TITLE;
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t index, uint32_t column,
		      struct typed_value *v)
{
	const struct counter_table *t = (const struct counter_table *)table;
	const struct counter_row *row = &t->report->rows[index];
	const struct profile_thread *thread = row->thread < t->p->thread_count ? &t->p->threads[row->thread] : NULL;

	switch ((enum counter_column)column) {
	case COUNTER_NAME:
		v->text = t->p->counters[row->counter].name;
		break;
	case COUNTER_THREAD:
		v->text = thread ? thread->name : "";
		v->shown = !thread && look->output == TABLE_SCREEN ? "all" : NULL;
		break;
	case COUNTER_THREAD_ID:
		v->state = thread ? TYPED_KNOWN : TYPED_UNKNOWN;
		v->whole = thread ? (int64_t)thread->id : 0;
		break;
	case COUNTER_KIND:
		v->text = t->p->counters[row->counter].real ? "real" : "integer";
		break;
	case COUNTER_UNIT:
		put_unit(&t->p->counters[row->counter], look, v);
		break;
	case COUNTER_COUNTS:
		v->text = "total";
		v->state = t->p->counters[row->counter].total ? TYPED_KNOWN : TYPED_ABSENT;
		break;
	case COUNTER_TREND:
		put_trend(t, row, look, v);
		break;
	default:
		put_figure(t, row, look, (enum counter_column)column, v);
	}
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return ((const struct counter_table *)t)->report->rows[row].id;
}

static bool row_matches(const struct typed_table *t, uint32_t row, const struct pattern *pattern)
{
	return pattern_matches(pattern, ((const struct counter_table *)t)->report->rows[row].name);
}

/* On narrow screens the rate of a counter is hidden. If proftop cut the frames, a change per frame means
 * nothing, so that one is hidden instead. */
static void arrange_counters(const struct typed_table *table, const struct typed_look *look, struct sheet *s)
{
	const struct profile *p = ((const struct counter_table *)table)->p;
	bool cut = p->frame_count && p->frames[p->frame_count - 1].flags & FRAME_GUESSED;
	int less = cut ? COUNTER_CHANGE : COUNTER_RATE;

	if (look->output == TABLE_SCREEN)
		s->columns[less].hidden = look->width < BOTH_FROM && table->sorted != less;
}

static void free_table(struct typed_table *t)
{
	counters_free(((struct counter_table *)t)->report);
	free(t);
}

const struct table_type counter_table_type = {
	.key = "counters", .name = "counters", .columns = columns, .column_count = COUNTER_COLUMNS,
	.shows = {
		[TABLE_TEXT] = (const uint8_t[]){ COUNTER_NAME, COUNTER_LAST, COUNTER_LEAST, COUNTER_MOST, COUNTER_CHANGE, COUNTER_RATE,
						  COUNTER_UNIT, COUNTER_THREAD, TABLE_END },
		[TABLE_CSV] = (const uint8_t[]){ COUNTER_NAME, COUNTER_THREAD, COUNTER_KIND, COUNTER_LAST, COUNTER_LEAST, COUNTER_MOST,
						 COUNTER_CHANGE, COUNTER_RATE, TABLE_END },
		[TABLE_JSON] = (const uint8_t[]){ COUNTER_NAME, COUNTER_THREAD_ID, COUNTER_KIND, COUNTER_LAST, COUNTER_LEAST, COUNTER_MOST,
						  COUNTER_CHANGE, COUNTER_RATE, COUNTER_UNIT, COUNTER_COUNTS, TABLE_END },
	},
	.value = put_value, .id = row_id, .matches = row_matches, .arrange = arrange_counters, .free = free_table,
};

void counter_table_init(struct counter_table *t, const struct profile *p, const struct counter_report *report)
{
	*t = (struct counter_table){ .p = p, .report = (struct counter_report *)report };
	typed_table_init(&t->table, &counter_table_type, p->ticks_per_s);
	t->table.count = report->row_count;
	t->table.columns[COUNTER_UNIT].hidden = true;
	for (uint32_t i = 0; i < p->counter_count; i++)
		t->table.columns[COUNTER_UNIT].hidden &= !*p->counters[i].unit && !p->counters[i].total;
	if (!p->track_count)
		t->table.nothing = "no counters. The program can set them: Prof_Counter_Set, Prof_Counter_Add";
	t->table.left_out = report->hidden;
	t->table.sorted = (int)report->sort;
	t->table.descending = report->descending;
}

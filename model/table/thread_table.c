/* SPDX-License-Identifier: MIT */
#include "model/table/thread_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

enum { LOAD_THREAD, LOAD_BUSY, LOAD_WAITS, LOAD_CPU, LOAD_OFF_CPU, LOAD_DELAY, LOAD_INVOLUNTARY, LOAD_SPARK, LOAD_LONGEST, LOAD_FRAME,
       LOAD_AMOUNT, LOAD_ID, LOAD_ZONE, LOAD_STATE, LOAD_WALL,
       LOAD_VOLUNTARY, LOAD_FAULTS, LOAD_FILE, LOAD_LINE, LOAD_OPEN, LOAD_COLUMNS };

#define SPARK_CELLS 8
#define ZONE_LEAST 8 /* cells that what it is in has, however narrow a text is */

static const struct table_column columns[LOAD_COLUMNS] = {
	[LOAD_THREAD] = { "THREAD", .key = "thread", .member = "name", .kind = TYPED_NAME, .importance = SHEET_STAYS,
			  .help = "Name of the thread." },
	[LOAD_BUSY] = { "BUSY", .key = "busy", .kind = TYPED_SHARE, .importance = 9,
			.help = "Time in zones that do not wait, in percent of the covered time." },
	[LOAD_WAITS] = { "WAITS", .key = "waits", .kind = TYPED_SHARE, .importance = 8,
			 .help = "Time in zones that wait, likewise." },
	[LOAD_CPU] = { "CPU", .key = "cpu", .kind = TYPED_SHARE, .importance = 6, .bounded = true,
		       .help = "Time on a core, in percent of the covered time." },
	[LOAD_OFF_CPU] = { "OFF CPU", .key = "off_cpu", .kind = TYPED_SHARE, .importance = 7, .bounded = true,
			   .help = "Time in zones or in no zone in which the thread did not run, waiting zones left out. At "
				   "least this much." },
	[LOAD_DELAY] = { "RUN DELAY", .key = "run_delay", .kind = TYPED_SHARE, .importance = 1, .bounded = true,
			 .help = "Time in which the thread was ready to run and waited for a core." },
	[LOAD_INVOLUNTARY] = { "PREEMPTED", .key = "involuntary", .kind = TYPED_COUNT, .importance = 1, .bounded = true,
			       .help = "How often the system stopped the thread to run another one." },
	[LOAD_SPARK] = { "LOAD", .kind = TYPED_SPARK, .importance = 3, .least = SPARK_CELLS,
			 .help = "Busy time in each of the newest frames, scaled to its own peak." },
	[LOAD_LONGEST] = { "MAX/F", .key = "longest", .kind = TYPED_TICKS, .importance = 5,
			   .help = "Busy time in the frame in which the thread was busy longest." },
	[LOAD_FRAME] = { "FRAME", .key = "longest_frame", .kind = TYPED_FRAME, .importance = 4, .help = "Number of that frame." },
	[LOAD_AMOUNT] = { "AMOUNT", .key = "amount", .kind = TYPED_NUMBER, .importance = 9, .right = true, .bounded = true,
			  .hidden = true, .help = "With --measure: the amount of the thread." },
	[LOAD_ID] = { "ID", .key = "id", .member = "thread", .kind = TYPED_NUMBER, .importance = 2,
		      .help = "Id of the thread, for -t." },
	[LOAD_ZONE] = { "IS IN", .key = "zone", .kind = TYPED_NAME, .help = "Innermost open zone." },
	[LOAD_STATE] = { .key = "state", .kind = TYPED_WORDS },
	[LOAD_WALL] = { .key = "wall", .kind = TYPED_TICKS },
	[LOAD_VOLUNTARY] = { .key = "voluntary", .kind = TYPED_COUNT, .bounded = true },
	[LOAD_FAULTS] = { .key = "faults", .kind = TYPED_COUNT, .bounded = true },
	[LOAD_FILE] = { .key = "file", .kind = TYPED_NAME },
	[LOAD_LINE] = { .key = "line", .kind = TYPED_NUMBER },
	[LOAD_OPEN] = { .key = "open", .kind = TYPED_TICKS },
};

static const uint8_t amount_columns[LOAD_AMOUNTS] = {
	[AMOUNT_CPU] = LOAD_CPU,
	[AMOUNT_OFF_CPU] = LOAD_OFF_CPU,
	[AMOUNT_VOLUNTARY] = LOAD_VOLUNTARY,
	[AMOUNT_INVOLUNTARY] = LOAD_INVOLUNTARY,
	[AMOUNT_FAULTS] = LOAD_FAULTS,
	[AMOUNT_DELAY] = LOAD_DELAY,
};

const char *const thread_state_names[] = {
	[THREAD_LIVE] = "live",
	[THREAD_ENDED] = "ended",
	[THREAD_AGGREGATE] = "aggregate",
};

/* The open zone of the thread, and for how long. In JSON the zone is null if the thread is in none, and absent
 * if that is not known. */
static void put_open(const struct thread_table *t, uint32_t index, uint32_t column, struct typed_value *v)
{
	const struct profile_thread *thread = &t->p->threads[index];
	bool known = false;
	const struct open_row *row = t->open ? open_stacks_innermost(t->open, thread->id, index, &known) : NULL;
	const struct open_zone *zone = row ? &t->open->zones[row->zone] : NULL;

	if (!row) {
		v->state = known && column == LOAD_ZONE ? TYPED_UNKNOWN : TYPED_ABSENT;
		v->shown = known ? "(no zone)" : thread->state == THREAD_ENDED ? "ended" : NULL;
		return;
	}
	v->text = column == LOAD_FILE ? zone->file : zone->name;
	v->whole = column == LOAD_LINE ? zone->line : row->open;
}

void thread_amount(char out[THREAD_AMOUNT], const struct profile *p, const struct values *v, uint32_t thread, bool ascii)
{
	enum measure_known known = thread < v->thread_count ? values_known(v, p, thread) : MEASURE_UNKNOWN;
	uint64_t per_s = measure_per_s(p, v->measure);
	char number[64];
	enum unit unit;

	snprintf(out, THREAD_AMOUNT, "-");
	if (known == MEASURE_UNKNOWN)
		return;
	unit = unit_for(v->time[thread] / v->scale, per_s);
	format_time_shown(number, sizeof(number), v->time[thread], v->scale, per_s, unit, -1, 0);
	snprintf(out, THREAD_AMOUNT, "%s%s%s%s", known == MEASURE_KNOWN ? "" : ascii ? ">=" : "≥", number, *unit_names[unit] ? " " : "",
		 unit_title(unit, ascii));
}

/* Programs get the plain number, in the unit of the measure. */
static void put_amount(const struct thread_table *t, uint32_t thread, const struct typed_look *look, struct typed_value *v)
{
	enum measure_known known = values_known(t->amounts, t->p, thread);

	v->whole = t->amounts->time[thread];
	v->scale = t->amounts->scale;
	v->at_least = known != MEASURE_KNOWN;
	v->state = known == MEASURE_UNKNOWN ? TYPED_UNKNOWN : TYPED_KNOWN;
	if (look->output == TABLE_CSV || look->output == TABLE_JSON || !(v->owned = malloc(THREAD_AMOUNT)))
		return;
	thread_amount(v->owned, t->p, t->amounts, thread, look->ascii);
	v->shown = v->owned;
}

/* What the system counted; false: the column is another one. */
static bool put_counted(const struct thread_load *load, uint32_t column, struct typed_value *v)
{
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		if (amount_columns[k] == column) {
			enum measure_known known = load_amount_known(&load->amounts[k]);

			v->whole = load->amounts[k].sum;
			v->at_least = known != MEASURE_KNOWN;
			v->state = known == MEASURE_UNKNOWN ? TYPED_UNKNOWN : TYPED_KNOWN;
			return true;
		}
	return false;
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct thread_table *t = (const struct thread_table *)table;
	const struct profile_thread *thread = &t->p->threads[t->order[row]];
	const struct thread_load *load = &t->loads->threads[t->order[row]];

	v->of = t->loads->wall;
	if ((column == LOAD_LONGEST || column == LOAD_FRAME) && !load->longest_frame)
		v->state = TYPED_ABSENT;
	switch (column) {
	case LOAD_THREAD:
		v->text = thread->name;
		break;
	case LOAD_BUSY:
		v->whole = load->busy;
		break;
	case LOAD_WAITS:
		v->whole = load->waits;
		break;
	case LOAD_SPARK:
		v->series = load->frames;
		v->series_count = t->loads->count;
		v->series_per_cell = THREAD_LOAD_FRAMES / SPARK_CELLS;
		break;
	case LOAD_LONGEST:
		v->whole = load->longest;
		break;
	case LOAD_FRAME:
		v->whole = (int64_t)load->longest_frame;
		break;
	case LOAD_AMOUNT:
		put_amount(t, t->order[row], look, v);
		break;
	case LOAD_ID:
		v->whole = (int64_t)thread->id;
		break;
	case LOAD_STATE:
		v->text = thread_state_names[thread->state];
		break;
	case LOAD_WALL:
		v->whole = t->loads->wall;
		break;
	default:
		if (!put_counted(load, column, v))
			put_open(t, t->order[row], column, v);
	}
}

static void arrange_threads(const struct typed_table *t, const struct typed_look *look, struct sheet *s)
{
	(void)t;
	(void)look;
	s->floor = s->keeps = ZONE_LEAST;
}

static const struct table_type load_table_type = {
	.key = "loads", .name = "threads", .columns = columns, .column_count = LOAD_COLUMNS, .drops = true,
	.value = put_value,
	.arrange = arrange_threads,
	.shows = {
		[TABLE_CSV] = (const uint8_t[]){ LOAD_THREAD, LOAD_ID, LOAD_STATE, LOAD_BUSY, LOAD_WAITS, LOAD_WALL, LOAD_LONGEST,
						 LOAD_FRAME, LOAD_AMOUNT, LOAD_CPU, LOAD_OFF_CPU, LOAD_VOLUNTARY,
						 LOAD_INVOLUNTARY, LOAD_FAULTS, LOAD_DELAY, LOAD_ZONE, LOAD_OPEN, TABLE_END },
		[TABLE_JSON] = (const uint8_t[]){ LOAD_ID, LOAD_THREAD, LOAD_BUSY, LOAD_WAITS, LOAD_LONGEST, LOAD_FRAME, LOAD_AMOUNT,
						  LOAD_CPU, LOAD_OFF_CPU, LOAD_VOLUNTARY, LOAD_INVOLUNTARY, LOAD_FAULTS, LOAD_DELAY,
						  LOAD_ZONE, LOAD_FILE, LOAD_LINE, LOAD_OPEN, TABLE_END },
	},
};

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The one that suits the column of the longest. */
static enum unit unit_of(const struct thread_table *t)
{
	int64_t *lengths = array_zeroed(t->table.count, sizeof(*lengths));
	enum unit unit = UNIT_MS;
	uint32_t count = 0;

	for (uint32_t i = 0; lengths && i < t->table.count; i++)
		if (t->loads->threads[t->order[i]].longest_frame)
			lengths[count++] = t->loads->threads[t->order[i]].longest;
	if (count) {
		qsort(lengths, count, sizeof(*lengths), by_length);
		unit = unit_for_many(lengths[count / 2], lengths[count - 1], t->p->ticks_per_s, UNIT_AUTO);
	}
	free(lengths);
	return unit;
}

void thread_table_init(struct thread_table *t, const struct profile *p, const struct thread_loads *loads, const uint32_t *order,
		       uint32_t count, const struct open_stacks *open, bool has_frames)
{
	*t = (struct thread_table){ .p = p, .loads = loads, .order = order, .open = open };
	typed_table_init(&t->table, &load_table_type, p->ticks_per_s);
	t->table.count = count;
	t->table.unit = unit_of(t);
	t->table.without = 1u << LOAD_AMOUNT;
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		if (loads->measures[k] == PROFILE_NONE) {
			t->table.without |= 1u << amount_columns[k];
			t->table.columns[amount_columns[k]].hidden = true;
		}
	for (uint32_t c = LOAD_SPARK; c <= LOAD_FRAME; c++)
		t->table.columns[c].hidden = !has_frames;
	if (!open) { /* then the name gives way */
		t->table.columns[LOAD_ZONE].hidden = true;
		t->table.columns[LOAD_ZONE].importance = 1;
		t->table.columns[LOAD_THREAD].importance = SHEET_GIVES_WAY;
	}
}

void thread_table_amounts(struct thread_table *t, const struct values *v)
{
	if (v->measure == MEASURE_SELF)
		return;
	t->amounts = v;
	t->table.without &= ~(1u << LOAD_AMOUNT);
	t->table.columns[LOAD_AMOUNT].hidden = false;
	if (per_s_is_time(measure_per_s(t->p, v->measure)))
		t->table.columns[LOAD_AMOUNT].kind = t->p->measures[v->measure].unit == MEASURE_TICKS ? TYPED_TICKS : TYPED_NS;
}

/* SPDX-License-Identifier: MIT */
#include "model/table/worst_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/profile/measures.h"
#include "model/stats/frame_stats.h"
#include "model/stats/off_cpu.h"

enum { WORST_FRAME, WORST_NAME, WORST_AGE, WORST_LENGTH_COLUMN, WORST_BUSY_COLUMN, WORST_OFF_CPU, WORST_OVER, WORST_MORE,
       WORST_ZONE, WORST_WAITS, WORST_COLUMNS };

static const struct table_column columns[WORST_COLUMNS] = {
	[WORST_FRAME] = { "FRAME", .key = "frame", .kind = TYPED_FRAME, .importance = 9, .least = 6,
			  .help = "Number of the frame. Enter goes there." },
	[WORST_NAME] = { "NAME", .key = "name", .kind = TYPED_NAME, .importance = 3, .least = 6, .help = "Name that the program gave it." },
	[WORST_AGE] = { "AGE", .unit = "s", .key = "age", .kind = TYPED_SECONDS, .importance = 2, .least = 6,
			.help = "How long ago the frame ended, counted from the end of the newest frame. While paused, of the frame that was the newest when you paused." },
	[WORST_LENGTH_COLUMN] = { "LENGTH", .key = "length", .kind = TYPED_TICKS, .sorts = true, .importance = 8, .least = 7,
				  .help = "Length of the frame. w goes from the longest to the next." },
	[WORST_BUSY_COLUMN] = { "BUSY", .key = "busy", .kind = TYPED_TICKS, .sorts = true, .importance = 7, .least = 7,
				.help = "Length without declared waits of the frame thread. If sorted by BUSY, w follows it." },
	[WORST_OFF_CPU] = { "OFF CPU", .key = "off_cpu", .member = "off_cpu_ns", .kind = TYPED_NS, .importance = 6, .least = 7,
			    .help = "Time in which the frame thread did not run, declared waits left out." },
	[WORST_OVER] = { "OVER", .key = "over", .kind = TYPED_TICKS, .importance = 4, .least = 7, .help = "Time over the budget." },
	[WORST_MORE] = { "MORE", .key = "more", .kind = TYPED_TICKS, .importance = 5, .least = 7,
			 .help = "Extra self time of the next column's zone, against the usual frame." },
	[WORST_ZONE] = { "IN ZONE", .key = "zone", .kind = TYPED_NAME,
			 .help = "The zone of the frame thread with the most extra self time." },
	[WORST_WAITS] = { .key = "waits", .kind = TYPED_FLAG },
};

static const int columns_of_order[WORST_ORDERS] = { [WORST_LENGTH] = WORST_LENGTH_COLUMN, [WORST_BUSY] = WORST_BUSY_COLUMN };

static const struct worst_frame *row_at(const struct worst_table *t, uint32_t row)
{
	return &t->frames[t->inverted ? t->table.count - 1 - row : row];
}

static uint64_t row_id(const struct typed_table *t, uint32_t row)
{
	return row_at((const struct worst_table *)t, row)->number;
}

/* By its number as it is written, or its name. */
static bool row_matches(const struct typed_table *table, uint32_t row, const struct pattern *pattern)
{
	const struct worst_table *t = (const struct worst_table *)table;
	const struct profile_frame *frame = profile_find_frame(t->p, row_id(table, row));
	char number[24];

	snprintf(number, sizeof(number), "%llu", (unsigned long long)row_id(table, row));
	return pattern_matches(pattern, number) || (frame && pattern_matches(pattern, profile_frame_name(t->p, frame)));
}

static void free_table(struct typed_table *t)
{
	free(((struct worst_table *)t)->frames);
	free(t);
}

/* Values */

static bool for_people(enum table_output output)
{
	return output != TABLE_CSV && output != TABLE_JSON;
}

/* For people a zone that waits says so behind its name. */
static void put_zone(const struct profile_zone *zone, enum table_output output, struct typed_value *v)
{
	bool waits = zone->flags & ZONE_WAITING;

	v->text = zone->name;
	if (waits && for_people(output))
		v->text = v->owned = asprintf(&v->owned, "%s (waits)", zone->name) < 0 ? NULL : v->owned;
	v->role = waits ? STYLE_DIM : STYLE_NAME;
}

static void put_cause(const struct worst_table *t, const struct profile_frame *frame, enum table_output output, uint32_t column,
		      struct typed_value *v)
{
	uint64_t base = bases_search(t->bases, BASE_USUAL, frame->number).number; /* as Why chooses it */
	struct worst_zone most = worst_zone(t->p, frame, profile_find_frame(t->p, base));
	const struct profile_zone *zone = most.zone != PROFILE_NONE ? &t->p->zones[most.zone] : NULL;

	if (!zone)
		v->state = TYPED_UNKNOWN;
	else if (column == WORST_ZONE)
		put_zone(zone, output, v);
	else
		v->whole = column == WORST_MORE ? most.more : (zone->flags & ZONE_WAITING) != 0;
}

/* The columns of a frame that is still held. */
static void put_held(const struct worst_table *t, uint64_t number, enum table_output output, uint32_t column,
		     struct typed_value *v)
{
	const struct profile_frame *frame = profile_find_frame(t->p, number), *newest = &t->p->frames[t->p->frame_count - 1];

	if (!frame) {
		v->state = TYPED_UNKNOWN;
	} else if (column == WORST_NAME) {
		v->text = profile_frame_name(t->p, frame);
		v->role = STYLE_NAME;
		if (output == TABLE_JSON && !*v->text)
			v->state = TYPED_ABSENT;
	} else if (column == WORST_OFF_CPU) {
		struct off_cpu off = off_cpu_of(t->p, number, profile_marking_thread(t->p));

		v->state = off.known ? TYPED_KNOWN : TYPED_UNKNOWN;
		v->whole = off.ns;
	} else if (column == WORST_AGE) {
		v->real = (double)(frame_end(newest) - frame_end(frame)) / (double)t->p->ticks_per_s;
		v->role = STYLE_LABEL;
	} else {
		put_cause(t, frame, output, column, v);
	}
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct worst_table *t = (const struct worst_table *)table;
	const struct worst_frame *f = row_at(t, row);

	switch (column) {
	case WORST_LENGTH_COLUMN:
		v->whole = f->length;
		v->role = worst_waited(f) ? STYLE_DIM : STYLE_NUMBER;
		break;
	case WORST_BUSY_COLUMN:
		v->state = f->busy < 0 ? TYPED_UNKNOWN : TYPED_KNOWN;
		v->whole = f->busy;
		break;
	case WORST_OVER:
		v->whole = f->length > t->budget ? f->length - t->budget : 0;
		v->state = v->whole || !for_people(look->output) ? TYPED_KNOWN : TYPED_ABSENT;
		v->sign = true;
		v->role = v->whole > 0 ? STYLE_ALARM : STYLE_DIM;
		break;
	case WORST_FRAME:
		v->whole = (int64_t)f->number;
		v->role = f->number == t->chosen ? STYLE_CHOSEN : STYLE_NUMBER;
		break;
	default:
		put_held(t, f->number, look->output, column, v);
	}
}

const struct table_type worst_table_type = {
	.key = "worst", .name = "worst", .columns = columns, .column_count = WORST_COLUMNS, .drops = true, .value = put_value,
	.id = row_id, .matches = row_matches, .free = free_table,
};

struct worst_table *worst_table_new(const struct profile *p, uint32_t first, uint32_t n, enum worst_order order, uint32_t most,
				    int64_t budget, struct bases *bases)
{
	struct worst_table *t = calloc(1, sizeof(*t));
	uint32_t count = 0, all = 0;
	struct worst_frame *frames = t ? worst_list(p, first, n, order, most < n ? most : n, &count, &all) : NULL;

	if (!frames) {
		free(t);
		return NULL;
	}
	*t = (struct worst_table){ .frames = frames, .all = all, .order = order, .budget = budget, .bases = bases, .p = p };
	typed_table_init(&t->table, &worst_table_type, p->ticks_per_s);
	t->table.count = count;
	t->table.sorted = columns_of_order[order];
	t->table.descending = true;
	t->table.columns[WORST_NAME].hidden = !p->frame_name_count;
	t->table.columns[WORST_OVER].hidden = !budget;
	t->table.columns[WORST_OFF_CPU].hidden = profile_find_measure(p, "off_cpu") == PROFILE_NONE;
	t->table.without = (uint32_t)!budget << WORST_OVER |
			   (uint32_t)t->table.columns[WORST_OFF_CPU].hidden << WORST_OFF_CPU;
	if (count)
		t->table.unit = worst_table_unit(t, UNIT_AUTO);
	return t;
}

void worst_table_invert(struct worst_table *t)
{
	t->inverted = true;
	t->table.descending = false;
}

enum unit worst_table_unit(const struct worst_table *t, enum unit before)
{
	return unit_for_many(t->frames[t->table.count / 2].length, t->frames[0].length, t->p->ticks_per_s, before);
}

enum worst_order worst_table_order(int column)
{
	return column == WORST_BUSY_COLUMN ? WORST_BUSY : WORST_LENGTH;
}

int worst_table_column(enum worst_order order)
{
	return columns_of_order[order];
}

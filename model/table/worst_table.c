/* SPDX-License-Identifier: MIT */
#include "model/table/worst_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/stats/frame_stats.h"

enum { WORST_FRAME, WORST_NAME, WORST_AGE, WORST_LENGTH_COLUMN, WORST_BUSY_COLUMN, WORST_OVER, WORST_MORE, WORST_ZONE,
       WORST_COLUMNS };

static const struct table_column columns[WORST_COLUMNS] = {
	[WORST_FRAME] = { "FRAME", .key = "frame", .kind = TYPED_FRAME, .importance = 9, .least = 6,
			  .help = "Number of the frame. Enter goes there." },
	[WORST_NAME] = { "NAME", .key = "name", .kind = TYPED_NAME, .importance = 3, .least = 6, .help = "Name that the program gave it." },
	[WORST_AGE] = { "AGE", .unit = "s", .key = "age", .kind = TYPED_SECONDS, .importance = 2, .least = 6,
			.help = "Time from its end to the end of the newest frame." },
	[WORST_LENGTH_COLUMN] = { "LENGTH", .key = "length", .kind = TYPED_TICKS, .sorts = true, .importance = 8, .least = 7,
				  .help = "Length of the frame. w goes from the longest to the next." },
	[WORST_BUSY_COLUMN] = { "BUSY", .key = "busy", .kind = TYPED_TICKS, .sorts = true, .importance = 7, .least = 7,
				.help = "Length without declared waits of the frame thread. If sorted by BUSY, w follows it." },
	[WORST_OVER] = { "OVER", .key = "over", .kind = TYPED_TICKS, .importance = 4, .least = 7, .help = "Time over the budget." },
	[WORST_MORE] = { "MORE", .key = "more", .kind = TYPED_TICKS, .importance = 5, .least = 7,
			 .help = "Extra self time of the next column's zone, against the usual frame." },
	[WORST_ZONE] = { "IN ZONE", .key = "zone", .kind = TYPED_NAME,
			 .help = "The zone of the frame thread with the most extra self time." },
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

static void put_cause(const struct worst_table *t, const struct profile_frame *frame, uint32_t column, struct typed_value *v)
{
	uint64_t base = bases_choose(t->bases, frame->number).number; /* as Why chooses it */
	struct worst_zone most = worst_zone(t->p, frame, profile_find_frame(t->p, base));
	const struct profile_zone *zone = most.zone != PROFILE_NONE ? &t->p->zones[most.zone] : NULL;

	v->whole = most.more;
	if (!zone) {
		v->state = TYPED_UNKNOWN;
	} else if (column == WORST_ZONE) {
		v->text = zone->name;
		if (zone->flags & ZONE_WAITING)
			v->text = v->owned = asprintf(&v->owned, "%s (waits)", zone->name) < 0 ? NULL : v->owned;
		v->role = zone->flags & ZONE_WAITING ? STYLE_DIM : STYLE_NAME;
	}
}

/* The columns of a frame that is still held. */
static void put_held(const struct worst_table *t, uint64_t number, uint32_t column, struct typed_value *v)
{
	const struct profile_frame *frame = profile_find_frame(t->p, number), *newest = &t->p->frames[t->p->frame_count - 1];

	if (!frame) {
		v->state = TYPED_UNKNOWN;
	} else if (column == WORST_NAME) {
		v->text = profile_frame_name(t->p, frame);
		v->role = STYLE_NAME;
	} else if (column == WORST_AGE) {
		v->real = (double)(frame_end(newest) - frame_end(frame)) / (double)t->p->ticks_per_s;
		v->role = STYLE_LABEL;
	} else {
		put_cause(t, frame, column, v);
	}
}

static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct worst_table *t = (const struct worst_table *)table;
	const struct worst_frame *f = row_at(t, row);

	(void)look;
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
		v->whole = f->length - t->budget;
		v->state = v->whole > 0 ? TYPED_KNOWN : TYPED_ABSENT;
		v->sign = true;
		v->role = v->whole > 0 ? STYLE_ALARM : STYLE_DIM;
		break;
	case WORST_FRAME:
		v->whole = (int64_t)f->number;
		v->role = f->number == t->chosen ? STYLE_CHOSEN : STYLE_NUMBER;
		break;
	default:
		put_held(t, f->number, column, v);
	}
}

const struct table_type worst_table_type = {
	.key = "frames", .name = "worst", .columns = columns, .column_count = WORST_COLUMNS, .value = put_value, .id = row_id,
	.matches = row_matches, .free = free_table,
};

void worst_table_init(struct worst_table *t, const struct profile *p, struct worst_frame *frames, uint32_t count,
		      enum worst_order order, bool inverted, int64_t budget)
{
	*t = (struct worst_table){ .frames = frames, .order = order, .inverted = inverted, .budget = budget, .p = p };
	typed_table_init(&t->table, &worst_table_type, p->ticks_per_s);
	t->table.count = count;
	t->table.sorted = columns_of_order[order];
	t->table.descending = !inverted;
	t->table.columns[WORST_NAME].hidden = !p->frame_name_count;
	t->table.columns[WORST_OVER].hidden = !budget;
}

enum worst_order worst_table_order(int column)
{
	return column == WORST_BUSY_COLUMN ? WORST_BUSY : WORST_LENGTH;
}

int worst_table_column(enum worst_order order)
{
	return columns_of_order[order];
}

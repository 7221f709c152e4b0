/* SPDX-License-Identifier: MIT */
#include "io/export/export_threads.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/export/export_table.h"
#include "model/base/array.h"
#include "model/base/text.h"
#include "model/table/spark.h"

enum field { FIELD_THREAD, FIELD_BUSY, FIELD_WAITS, FIELD_LOAD, FIELD_LONGEST, FIELD_FRAME, FIELD_ID, FIELD_IN, FIELDS };

#define ZONE_LEAST 8 /* cells that what it is in has, however narrow it is */
#define SPARK_CELLS 8

/* Columns of frames are there where there are any. */
static const struct table_column columns[FIELDS] = {
	[FIELD_THREAD] = { .title = "THREAD", .importance = SHEET_STAYS },
	[FIELD_BUSY] = { .title = "BUSY", .importance = 6, .right = true },
	[FIELD_WAITS] = { .title = "WAITS", .importance = 5, .right = true },
	[FIELD_LOAD] = { .title = "LOAD", .importance = 2 },
	[FIELD_LONGEST] = { .title = "MAX/F", .importance = 4, .right = true },
	[FIELD_FRAME] = { .title = "FRAME", .importance = 3, .right = true },
	[FIELD_ID] = { .title = "ID", .importance = 1, .right = true },
	[FIELD_IN] = { .title = "IS IN", .importance = SHEET_GIVES_WAY },
};

struct table {
	struct sheet s;
	const struct export *e;
	const struct threads_report *r;
	enum unit unit; /* of LONGEST */
};

static void add_safe(struct sheet *s, const char *bytes)
{
	char *shown = name_safe(bytes, s->ascii);

	s->failed |= !shown;
	sheet_text(s, shown ? shown : "", STYLE_NAME);
	free(shown);
}

static void add_share(struct table *t, int64_t part)
{
	char text[32];

	format_percent(text, sizeof(text), part, t->r->loads->wall);
	sheet_add(&t->s, (struct sheet_cell){ .text = text, .role = STYLE_NUMBER });
}

static void add_frames(struct table *t, const struct thread_load *load)
{
	char spark[SPARK_SIZE(SPARK_CELLS)], time[32] = "-", frame[32] = "-";

	spark_draw(load->frames, t->r->loads->count, THREAD_LOAD_FRAMES / SPARK_CELLS, SPARK_CELLS, t->s.ascii, spark);
	if (load->longest_frame) {
		format_time_shown(time, sizeof(time), load->longest, 1, t->e->profile->ticks_per_s, t->unit, -1, 0);
		snprintf(frame, sizeof(frame), "%" PRIu64, load->longest_frame);
	}
	sheet_text(&t->s, spark, STYLE_BAR);
	sheet_text(&t->s, time, STYLE_NUMBER);
	sheet_text(&t->s, frame, STYLE_NUMBER);
}

/* A thread that has ended is in nothing. */
static void add_zone(struct table *t, const struct profile_thread *thread, uint32_t index)
{
	const struct open_stacks *open = t->r->open;
	bool known = false;
	const struct open_row *row = open ? open_stacks_innermost(open, thread->id, index, &known) : NULL;

	if (row)
		add_safe(&t->s, open->zones[row->zone].name);
	else
		sheet_text(&t->s, known ? "(no zone)" : thread->state == THREAD_ENDED ? "ended" : "-", STYLE_DIM);
}

static void add_thread(struct table *t, uint32_t i)
{
	const struct profile_thread *thread = &t->e->profile->threads[i];
	const struct thread_load *load = &t->r->loads->threads[i];
	char id[32];

	snprintf(id, sizeof(id), "%" PRIu64, thread->id);
	add_safe(&t->s, thread->name);
	add_share(t, load->busy);
	add_share(t, load->waits);
	add_frames(t, load);
	sheet_text(&t->s, id, STYLE_NUMBER);
	add_zone(t, thread, i);
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The one that suits the column. */
static enum unit unit_of(const struct export *e, const struct threads_report *r)
{
	int64_t *lengths = array_zeroed(r->count, sizeof(*lengths));
	enum unit unit = UNIT_MS;
	uint32_t count = 0;

	for (uint32_t i = 0; lengths && i < r->count; i++)
		if (r->loads->threads[r->order[i]].longest_frame)
			lengths[count++] = r->loads->threads[r->order[i]].longest;
	if (count) {
		qsort(lengths, count, sizeof(*lengths), by_length);
		unit = unit_for_many(lengths[count / 2], lengths[count - 1], e->profile->ticks_per_s, UNIT_AUTO);
	}
	free(lengths);
	return unit;
}

static void make_sheet(struct table *t, const struct export_style *style)
{
	sheet_init(&t->s, columns, FIELDS, style->ascii);
	t->s.columns[FIELD_LONGEST].unit = unit_title(t->unit, style->ascii);
	for (enum field f = FIELD_LOAD; f <= FIELD_FRAME; f++)
		t->s.columns[f].hidden = !t->e->count;
	if (!t->r->open) { /* then the name gives way */
		t->s.columns[FIELD_IN] = (struct table_column){ .title = "IS IN", .importance = 1, .hidden = true };
		t->s.columns[FIELD_THREAD].importance = SHEET_GIVES_WAY;
	}
	t->s.floor = ZONE_LEAST;
	t->s.keeps = ZONE_LEAST;
	for (uint32_t i = 0; i < t->r->count; i++)
		add_thread(t, t->r->order[i]);
}

bool text_threads(const struct export *e, const struct export_style *style, FILE *out)
{
	struct table t = { .e = e, .r = e->threads, .unit = unit_of(e, e->threads) };
	bool done;

	make_sheet(&t, style);
	sheet_fit(&t.s, style->width);
	done = !t.s.failed && export_row(&t.s, SHEET_TITLES, style->colours, out);
	for (uint32_t i = 0; i < e->threads->count && done; i++)
		done = export_row(&t.s, i, false, out);
	sheet_fini(&t.s);
	fputc('\n', out);
	return done && !ferror(out);
}

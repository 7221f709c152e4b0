/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_table.h"
#include "io/export/export_threads.h"
#include "io/export/json_members.h"
#include "model/table/counter_table.h"

/* All columns of the view that are numbers, whatever the run has to put into them: a script may count
 * on their places. */
static bool is_in(const struct report *r, enum column column)
{
	return column != COLUMN_ZONE && report_columns[column].kind != VALUE_TREND &&
	       (column != COLUMN_DELTA || *r->base) &&
	       report_columns[column].views >> r->view & 1;
}

/* The same in every run: times that have no percentage are in nanoseconds beside those that have. */
static enum unit unit_of(const struct report *r, enum column column)
{
	return r->asked == UNIT_PCT && r->units[column] != UNIT_PCT ? UNIT_NS : r->unit;
}

/* `avg-self` as avg_self_ns, `frame` as frame_pct. */
static void put_title(const struct report *r, enum column column, FILE *out)
{
	fputc(',', out);
	for (const char *c = report_columns[column].key; *c; c++)
		fputc(*c == '-' ? '_' : *c, out);
	if (report_columns[column].unit)
		fprintf(out, "_%s", unit_names[unit_of(r, column)]);
	if (report_columns[column].kind == VALUE_RATIO)
		fputs("_pct", out);
}

static void put_titles(const struct report *r, FILE *out)
{
	fputs("thread,", out);
	if (r->view == REPORT_GRAPH)
		fputs("role,", out);
	if (r->view == REPORT_TREE)
		fputs("level,", out);
	fputs("zone,file,line", out);
	for (enum column c = 0; c < COLUMNS; c++)
		if (is_in(r, c))
			put_title(r, c, out);
	fputc('\n', out);
}

/* A field is a number, or empty where there is none: percentages lose their sign, heat is 0 to 1. */
static void put_value(const struct report *r, const struct report_row *row, enum column column,
		      FILE *out)
{
	char text[96];
	size_t length;

	fputc(',', out);
	if (!(r->columns & row->shown & 1u << column))
		return;
	if (report_columns[column].kind == VALUE_HEAT) {
		format_fixed(text, sizeof(text), row->values[column].real, 3);
		fputs(text, out);
		return;
	}
	length = report_number_in(r, row, column, unit_of(r, column), text, sizeof(text));
	if (length && text[length - 1] == '%')
		text[length - 1] = '\0';
	if (strcmp(text, "-") != 0)
		csv_field(text, out);
}

static bool put_zone(const struct export *e, const struct report_row *row, FILE *out)
{
	const struct profile_zone *zone = &e->profile->zones[row->zone];
	char *name = malloc(strlen(zone->name) + 16);
	bool done;

	if (!name)
		return false;
	strcpy(name, zone->name);
	if (row->depth > 1)
		sprintf(name + strlen(name), "(%u)", row->depth);
	done = csv_name(name, e->spreadsheet, out);
	free(name);
	fputc(',', out);
	done = done && csv_name(zone->file, e->spreadsheet, out);
	fprintf(out, ",%u", zone->line);
	return done;
}

static bool put_row(const struct export *e, const struct report *r,
		    const struct report_section *section, const struct report_row *row, FILE *out)
{
	static const char *const roles[] = {
		[ROW_ZONE] = "zone",   [ROW_NO_ZONE] = "zone", [ROW_CALLER] = "caller",
		[ROW_FOCUS] = "focus", [ROW_CHILD] = "child",
	};

	csv_shown(section->name, e->spreadsheet, out);
	fputc(',', out);
	if (r->view == REPORT_GRAPH)
		fprintf(out, "%s,", roles[row->role]);
	if (r->view == REPORT_TREE)
		fprintf(out, "%u,", row->level);
	if (!put_zone(e, row, out))
		return false;
	for (enum column c = 0; c < COLUMNS; c++)
		if (is_in(r, c))
			put_value(r, row, c, out);
	fputc('\n', out);
	return true;
}

/* Threads */

static void put_ns(const struct export *e, int64_t ticks, FILE *out)
{
	fprintf(out, ",%" PRId64, format_ns(ticks, e->profile->ticks_per_s));
}

/* What a thread is in, and for how long: nothing in both if it is in no zone, or that is not known. */
static bool put_open(const struct export *e, uint32_t i, FILE *out)
{
	const struct open_stacks *open = e->threads->open;
	bool known, done;
	const struct open_row *row = open ? open_stacks_innermost(open, e->profile->threads[i].id, i, &known) : NULL;

	fputc(',', out);
	done = !row || csv_name(open->zones[row->zone].name, e->spreadsheet, out);
	if (row)
		put_ns(e, row->open, out);
	else
		fputc(',', out);
	return done;
}

static bool put_thread(const struct export *e, uint32_t i, FILE *out)
{
	const struct profile_thread *thread = &e->profile->threads[i];
	const struct thread_load *load = &e->threads->loads->threads[i];

	if (!csv_name(thread->name, e->spreadsheet, out))
		return false;
	fprintf(out, ",%" PRIu64 ",%s", thread->id, thread_state_names[thread->state]);
	put_ns(e, load->busy, out);
	put_ns(e, load->waits, out);
	put_ns(e, e->threads->loads->wall, out);
	if (load->longest_frame) {
		put_ns(e, load->longest, out);
		fprintf(out, ",%" PRIu64, load->longest_frame);
	} else {
		fputs(",,", out);
	}
	return put_open(e, i, out) && fputc('\n', out) != EOF;
}

static bool put_all_threads(const struct export *e, FILE *out)
{
	fputs("thread,id,state,busy_ns,waits_ns,wall_ns,longest_ns,longest_frame,zone,open_ns\n", out);
	for (uint32_t i = 0; i < e->threads->count; i++)
		if (!put_thread(e, e->threads->order[i], out))
			return false;
	return !ferror(out);
}

bool export_csv(const struct export *e, FILE *out)
{
	const struct report *r = e->graph ? e->graph : e->report;

	if (e->counters) {
		struct counter_table t;

		counter_table_init(&t, e->profile, e->counters);
		return export_table_csv(&t.table, e->spreadsheet, out);
	}
	if (e->threads)
		return put_all_threads(e, out);
	put_titles(r, out);
	for (uint32_t i = 0; i < r->section_count; i++)
		for (uint32_t k = 0; k < r->sections[i].row_count; k++)
			if (!put_row(e, r, &r->sections[i], &r->sections[i].rows[k], out))
				return false;
	return !ferror(out);
}

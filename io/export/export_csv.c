/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_table.h"
#include "io/json_members.h"

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
	if (report_columns[column].unit && *unit_names[unit_of(r, column)])
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
	if (r->measure != MEASURE_SELF)
		fputs(",at_least", out);
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
	if (r->measure != MEASURE_SELF)
		fputs(row->least ? ",1" : ",0", out);
	fputc('\n', out);
	return true;
}

bool export_csv(const struct export *e, FILE *out)
{
	const struct report *r = e->graph ? e->graph : e->report;

	if (e->table)
		return export_table_csv(e->table, e->spreadsheet, out);
	put_titles(r, out);
	for (uint32_t i = 0; i < r->section_count; i++)
		for (uint32_t k = 0; k < r->sections[i].row_count; k++)
			if (!put_row(e, r, &r->sections[i], &r->sections[i].rows[k], out))
				return false;
	return !ferror(out);
}

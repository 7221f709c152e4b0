/* SPDX-License-Identifier: MIT */
#include "io/export_values_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/outside.h"

/* Counters */

#define CELL_SIZE 64
#define NAME_LEAST 12 /* cells that a name has, however narrow it is */
#define GAP 2

/* What a column of numbers says of a row. */
static void cell_text(const struct profile *p, const struct counter_row *row,
		      enum counter_column column, char *out)
{
	const struct counter_value *v = &row->value;
	const union profile_number numbers[COUNTER_COLUMNS] = {
		[COUNTER_LAST] = v->last, [COUNTER_LEAST] = v->least, [COUNTER_MOST] = v->most,
	};

	if (column == COUNTER_CHANGE)
		counter_change_text(v, out, CELL_SIZE);
	else
		counter_text(p, row->counter, numbers[column], v->known, out, CELL_SIZE);
}

static bool is_number(enum counter_column column)
{
	return column != COUNTER_NAME && column != COUNTER_THREAD;
}

static void widen(uint32_t *width, size_t to)
{
	if (*width < to)
		*width = (uint32_t)to;
}

static size_t cells_of(const char *name, const struct export_style *style)
{
	char *shown = name_shown(name, style->ascii);
	size_t cells = shown ? text_width(shown) : 0;

	free(shown);
	return cells;
}

/* Cells of each column; the name gives way where there is no room for all. */
static void tell_widths(const struct profile *p, const struct counter_report *r,
			const struct export_style *style, uint32_t *widths)
{
	uint32_t others = 0;
	char text[CELL_SIZE];

	for (enum counter_column c = 0; c < COUNTER_COLUMNS; c++) {
		widths[c] = (uint32_t)strlen(counter_columns[c].title);
		for (uint32_t i = 0; i < r->row_count; i++) {
			const struct counter_row *row = &r->rows[i];

			if (is_number(c))
				cell_text(p, row, c, text);
			widen(&widths[c], is_number(c) ? strlen(text)
						       : cells_of(c ? row->thread_name : row->name,
								  style));
		}
		others += c ? widths[c] + GAP : 0;
	}
	if (style->width && widths[COUNTER_NAME] + others > style->width)
		widths[COUNTER_NAME] = style->width > others + NAME_LEAST ? style->width - others
									  : NAME_LEAST;
}

/* Left in its column, cut where it is wider; `last`: nothing is behind it. */
static void put_left(const char *text, uint32_t width, bool last, const struct export_style *style,
		     FILE *out)
{
	char *shown = name_shown(text, style->ascii);
	size_t used = 0, bytes = shown ? text_clip(shown, width, &used) : 0;

	if (shown)
		fwrite(shown, 1, bytes, out);
	if (!last)
		fprintf(out, "%*s", (int)(width - used), "");
	free(shown);
}

static void put_row(const struct profile *p, const struct counter_row *row, const uint32_t *widths,
		    const struct export_style *style, FILE *out)
{
	char text[CELL_SIZE];
	bool threads = *row->thread_name;

	put_left(row->name, widths[COUNTER_NAME], false, style, out);
	for (enum counter_column c = 0; c < COUNTER_COLUMNS; c++) {
		if (!is_number(c))
			continue;
		cell_text(p, row, c, text);
		fprintf(out, "%*s%*s", GAP, "", (int)widths[c], text);
	}
	if (threads)
		fprintf(out, "%*s", GAP, "");
	if (threads)
		put_left(row->thread_name, widths[COUNTER_THREAD], true, style, out);
	fputc('\n', out);
}

static void put_titles(const uint32_t *widths, const struct export_style *style, FILE *out)
{
	if (style->colours)
		fputs("\033[1m", out);
	fprintf(out, "%-*s", (int)widths[COUNTER_NAME], counter_columns[COUNTER_NAME].title);
	for (enum counter_column c = 0; c < COUNTER_COLUMNS; c++)
		if (is_number(c))
			fprintf(out, "%*s%*s", GAP, "", (int)widths[c], counter_columns[c].title);
	fprintf(out, "%*s%s", GAP, "", counter_columns[COUNTER_THREAD].title);
	fputs(style->colours ? "\033[0m\n" : "\n", out);
}

bool text_counters(const struct profile *p, const struct counter_report *r,
		   const struct export_style *style, FILE *out)
{
	uint32_t widths[COUNTER_COLUMNS];

	if (!p->track_count) {
		fputs("no counters: the program gave none a value (Prof_Counter_set, Prof_Counter_add)\n\n",
		      out);
		return !ferror(out);
	}
	tell_widths(p, r, style, widths);
	put_titles(widths, style, out);
	for (uint32_t i = 0; i < r->row_count; i++)
		put_row(p, &r->rows[i], widths, style, out);
	if (r->hidden)
		fprintf(out, "%" PRIu32 " more that the filter leaves out\n", r->hidden);
	fputc('\n', out);
	return !ferror(out);
}

/* What happened */

#define LINES_MOST 40 /* the newest */

/* How many instants from this one on are the same event of the same thread: a line for all. */
static uint32_t run_length(const struct profile_instant *instant, uint32_t count)
{
	uint32_t n = 1;

	while (instant->event != PROFILE_NONE && n < count && instant[n].event == instant->event &&
	       instant[n].thread == instant->thread)
		n++;
	return n;
}

static void put_text(const char *text, size_t taken, const struct export_style *style, FILE *out)
{
	size_t used, room = SIZE_MAX;

	if (style->width)
		room = style->width > taken + NAME_LEAST ? style->width - taken : NAME_LEAST;
	fwrite(text, 1, text_clip(text, room, &used), out);
}

/* A line: when it was, whose and what it is. */
static void put_instant(const struct profile *p, const char *when, const struct profile_instant *instant,
			uint32_t run, const struct export_style *style, FILE *out)
{
	bool note = instant->event == PROFILE_NONE;
	char *thread = name_safe(p->threads[instant->thread].name, style->ascii);
	char *text = name_safe(note ? instant->text : p->events[instant->event], style->ascii);
	char tail[32] = "";

	if (run > 1)
		snprintf(tail, sizeof(tail), "  (%" PRIu32 " times)", run);
	else if (instant->cut)
		snprintf(tail, sizeof(tail), " (cut)");
	if (thread && text) {
		fprintf(out, "%s%s  %s  ", when, thread, note ? "note" : "event");
		put_text(text, strlen(when) + text_width(thread) + strlen("  event  ") + strlen(tail),
			 style, out);
		fprintf(out, "%s\n", tail);
	}
	free(thread);
	free(text);
}

static void put_happening(const struct export *e, const struct profile_frame *frame,
			  const struct profile_instant *instant, uint32_t run,
			  const struct export_style *style, FILE *out)
{
	const struct profile *p = e->profile;
	char when[32], head[96];

	format_time(when, sizeof(when), instant->tick - frame->start, 1, p->ticks_per_s, UNIT_MS, 3, 0);
	snprintf(head, sizeof(head), "frame %" PRIu64 "  +%s ms  ", frame->number, when);
	put_instant(p, head, instant, run, style, out);
}

/* How many lines there are of the frames that are covered; to `out`, if it is given, all behind the first
 * `skip`. *skipped gets how many instants those have. */
static uint32_t each_happening(const struct export *e, uint32_t skip, uint32_t *skipped,
			       const struct export_style *style, FILE *out)
{
	uint32_t lines = 0;

	*skipped = 0;
	for (uint32_t i = 0; i < e->count; i++) {
		const struct profile_frame *frame = &e->profile->frames[e->first + i];
		uint32_t first, run, count = profile_instants(e->profile, frame->start,
							      frame->start + frame->length, &first);

		if (e->asked && frame->flags & FRAME_DISCARDED)
			continue;
		for (uint32_t k = 0; k < count; k += run, lines++) {
			const struct profile_instant *instant = &e->profile->instants[first + k];

			run = run_length(instant, count - k);
			if (lines < skip)
				*skipped += run;
			else if (out)
				put_happening(e, frame, instant, run, style, out);
		}
	}
	return lines;
}

void text_happened(const struct export *e, const struct export_style *style, FILE *out)
{
	uint32_t skipped, lines = each_happening(e, 0, &skipped, style, NULL);
	uint32_t skip = lines > LINES_MOST ? lines - LINES_MOST : 0;

	if (!lines)
		return;
	each_happening(e, skip, &skipped, style, NULL);
	if (skip)
		fprintf(out, "(%" PRIu32 " events and notes before these)\n", skipped);
	each_happening(e, skip, &skipped, style, out);
	fputc('\n', out);
}

/* Since the run began. */
static void put_outside(const struct profile *p, const struct profile_instant *instant,
			const struct export_style *style, FILE *out)
{
	char when[32], head[64];

	format_time(when, sizeof(when), instant->tick - p->first_tick, 1, p->ticks_per_s, UNIT_MS, 3, 0);
	snprintf(head, sizeof(head), "at %s ms  ", when);
	put_instant(p, head, instant, 1, style, out);
}

void text_outside(const struct export *e, const struct export_style *style, FILE *out)
{
	const struct profile *p = e->profile;
	int64_t from = export_outside_from(e);
	uint32_t first, count = outside_count(p, from, INT64_MAX);
	uint32_t skip = count > LINES_MOST ? count - LINES_MOST : 0;

	if (!count)
		return;
	fputs("outside of frames:\n", out);
	if (skip)
		fprintf(out, "(%" PRIu32 " events and notes before these)\n", skip);
	profile_instants(p, from, INT64_MAX, &first);
	for (uint32_t i = outside_next(p, first); i < p->instant_count; i = outside_next(p, i + 1)) {
		if (skip)
			skip--;
		else
			put_outside(p, &p->instants[i], style, out);
	}
	fputc('\n', out);
}

/* SPDX-License-Identifier: MIT */
#include "io/export/export_values_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_sheet.h"
#include "model/base/search.h"
#include "model/profile/outside.h"

/* Counters */

#define CELL_SIZE 64
#define NAME_LEAST 12 /* cells that a name has, however narrow it is */

static double number_of(const struct profile *p, const struct counter_row *row, union profile_number n)
{
	return p->counters[row->counter].real ? n.real : (double)n.whole;
}

/* What a column of numbers says of a row. */
static void add_number(struct sheet *s, const struct profile *p, const struct counter_row *row,
		       enum counter_column column)
{
	const struct counter_value *v = &row->value;
	const union profile_number numbers[COUNTER_COLUMNS] = {
		[COUNTER_LAST] = v->last, [COUNTER_LEAST] = v->least, [COUNTER_MOST] = v->most,
	};
	char text[CELL_SIZE];

	if (column == COUNTER_CHANGE)
		counter_change_text(v, text, CELL_SIZE);
	else if (column == COUNTER_RATE)
		counter_rate_text(v, text, CELL_SIZE);
	else
		counter_text(p, row->counter, numbers[column], v->known, text, CELL_SIZE);
	sheet_add(s, (struct sheet_cell){
		.text = text, .role = STYLE_NUMBER, .number = v->known,
		.value = column == COUNTER_RATE	  ? v->rate
			 : column != COUNTER_CHANGE ? number_of(p, row, numbers[column])
			 : v->change_real	  ? v->change.real
						  : (double)v->change.whole });
}

static void add_name(struct sheet *s, const char *name)
{
	char *shown = name_shown(name, s->ascii);

	sheet_text(s, shown ? shown : "", STYLE_NAME);
	free(shown);
}

/* The name gives way where there is no room for all. */
static void make_sheet(struct sheet *s, const struct profile *p, const struct counter_report *r, bool ascii)
{
	struct sheet_column columns[COUNTER_COLUMNS];

	for (enum counter_column c = 0; c < COUNTER_COLUMNS; c++)
		columns[c] = (struct sheet_column){ .title = counter_columns[c].title,
						    .importance = c == COUNTER_NAME ? SHEET_GIVES_WAY : SHEET_STAYS,
						    .right = c != COUNTER_NAME && c != COUNTER_THREAD };
	sheet_init(s, columns, COUNTER_COLUMNS, ascii);
	s->floor = NAME_LEAST;
	s->plain_cut = true;
	for (const struct counter_row *row = r->rows; row < r->rows + r->row_count; row++) {
		add_name(s, row->name);
		for (enum counter_column c = COUNTER_NAME + 1; c < COUNTER_THREAD; c++)
			add_number(s, p, row, c);
		add_name(s, row->thread_name);
	}
}

bool text_counters(const struct profile *p, const struct counter_report *r,
		   const struct export_style *style, FILE *out)
{
	struct sheet s;
	bool done;

	if (!p->track_count) {
		fputs("no counters: the program gave none a value (Prof_Counter_set, Prof_Counter_add)\n\n",
		      out);
		return !ferror(out);
	}
	make_sheet(&s, p, r, style->ascii);
	sheet_fit(&s, style->width);
	done = export_row(&s, SHEET_TITLES, style->colours, out);
	for (uint32_t i = 0; i < r->row_count && done; i++)
		done = export_row(&s, i, false, out);
	sheet_fini(&s);
	if (r->hidden)
		fprintf(out, "%" PRIu32 " more that the filter leaves out\n", r->hidden);
	fputc('\n', out);
	return done && !ferror(out);
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

/* The last frame that is covered of which events and notes may be missing; NULL: there is none. */
static const struct profile_frame *lacks_happenings(const struct export *e)
{
	const struct profile_frame *frames = e->profile->frames + e->first;
	uint32_t known = SEARCH(i, 0, e->count, instants_lack(e->profile, &frames[i]));

	return known ? &frames[known - 1] : NULL;
}

void text_happened(const struct export *e, const struct export_style *style, FILE *out)
{
	uint32_t skipped, lines = each_happening(e, 0, &skipped, style, NULL);
	uint32_t skip = lines > LINES_MOST ? lines - LINES_MOST : 0;
	const struct profile_frame *lacks = lacks_happenings(e);

	if (!lines && !lacks)
		return;
	each_happening(e, skip, &skipped, style, NULL);
	if (lacks)
		fprintf(out, "(events and notes up to frame %" PRIu64 " may be missing: they were overwritten)\n", lacks->number);
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

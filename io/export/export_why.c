/* SPDX-License-Identifier: MIT */
#include "io/export/export_why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_table.h"
#include "io/export/title.h"
#include "model/base/array.h"
#include "model/table/why_table.h"

#define CELL_SIZE 48   /* bytes of a number with its unit */
#define KNOWN_SIZE (CELL_SIZE + 4) /* and with a sign before it */

struct writing {
	const struct why_report *r;
	const struct export_style *style;
	FILE *out;
	enum unit unit;
	struct why_table table;
	struct typed_look look;
	struct sheet sheet; /* of all threads, so that they have the same widths */
};

bool why_frame_delta(const struct why_report *r, int64_t *delta)
{
	*delta = r->now.v->wall - r->base.v->wall;
	return r->why->measure == MEASURE_SELF && r->now_end.frame && r->base_end.frame && r->now.p == r->base.p;
}

/* Numbers */

static void put_time(char out[CELL_SIZE], const struct writing *w, int64_t value)
{
	format_time_shown(out, CELL_SIZE, value, w->r->why->scale, w->r->why->per_s, w->unit, w->r->precision, 0);
}

/* With its sign. */
static void put_signed(char out[CELL_SIZE], const struct writing *w, int64_t value)
{
	format_difference(out, CELL_SIZE, value, w->r->why->scale, w->r->why->per_s, w->unit, w->r->precision, 0);
}

/* Rows of the sheet */

static void begin_sheet(struct writing *w)
{
	why_table_init(&w->table, w->r->why, w->r->base.p, w->r->now.p);
	w->table.table.unit = w->unit;
	w->look = (struct typed_look){ .output = TABLE_TEXT, .ascii = w->style->ascii, .width = w->style->width,
				       .precision = w->r->precision };
	typed_table_sheet(&w->table.table, &w->look, &w->sheet);
}

/* A number below the deltas, and what it is. */
static void add_total(struct writing *w, int64_t value, const char *what)
{
	char text[CELL_SIZE];

	put_signed(text, w, value);
	sheet_add(&w->sheet, (struct sheet_cell){ .text = text, .role = STYLE_NUMBER, .loose = true });
	sheet_add(&w->sheet, (struct sheet_cell){ .text = what, .role = STYLE_LABEL, .rest = true });
}

/* Threads */

/* `>=` before a lower bound; `-` if nothing is known. */
static void put_known(char out[KNOWN_SIZE], const struct writing *w, int64_t value, enum measure_known known)
{
	char text[CELL_SIZE];

	put_time(text, w, value);
	snprintf(out, KNOWN_SIZE, "%s%s", known != MEASURE_LEAST ? "" : w->style->ascii ? ">=" : "≥",
		 known == MEASURE_UNKNOWN ? "-" : text);
}

/* `16.400 ms > 41.200 ms`: its time in the base, and now. */
static void thread_times(char *out, size_t size, const struct writing *w, const struct why_thread *t)
{
	char base[KNOWN_SIZE], now[KNOWN_SIZE];

	put_known(base, w, t->base_time, t->base_known);
	put_known(now, w, t->time, t->known);
	snprintf(out, size, "%s %s %s%s%s", base, w->style->ascii ? ">" : "→", now, *unit_names[w->unit] ? " " : "",
		 unit_title(w->unit, w->style->ascii));
}

/* Nothing is seen of it in so many digits. */
static bool is_small(const struct writing *w, int64_t value)
{
	char text[CELL_SIZE];

	put_signed(text, w, value);
	return !strpbrk(text, "123456789");
}

uint32_t why_rows_shown(const struct why_report *r, const struct why_thread *t)
{
	double least = r->least / 100 * fabs((double)t->delta);
	uint32_t i = 0;

	while (i < t->count && (!r->top || i < r->top) && fabs((double)t->rows[i].delta) >= least)
		i++;
	return i;
}

/* The rows, and in one line those at their end that are not meant, or of which nothing would be seen. */
static void add_rows(struct writing *w, const struct why_thread *t)
{
	uint32_t i = 0, meant = why_rows_shown(w->r, t);
	int64_t small = 0;
	char what[48];

	w->table.thread = (uint32_t)(t - w->r->why->threads);
	for (; i < meant && (i + 1 == t->count || !is_small(w, t->rows[i].delta)); i++)
		typed_table_add(&w->table.table, &w->look, &w->sheet, i);
	if (i == t->count)
		return;
	snprintf(what, sizeof(what), "in %u smaller rows", t->count - i);
	for (; i < t->count; i++) {
		typed_table_widen(&w->table.table, &w->look, &w->sheet, i);
		small += t->rows[i].delta;
	}
	add_total(w, small, what);
}

static void put_thread_title(const struct writing *w, const struct why_thread *t)
{
	const struct why_report *r = w->r;
	const struct profile_thread *thread = t->thread != PROFILE_NONE ? &r->now.p->threads[t->thread]
									: &r->base.p->threads[t->base_thread];
	struct title_line line = { .out = w->out, .width = w->style->width };
	char *name = title_name(w->style, thread->name), *title = NULL, times[3 * CELL_SIZE], off[WHY_OFF_CPU];

	if (name && asprintf(&title, "thread: %s", name) >= 0)
		title_field(&line, title);
	if (thread->marking)
		title_field(&line, "frame thread");
	thread_times(times, sizeof(times), w, t);
	title_field(&line, times);
	if (t->thread == PROFILE_NONE)
		title_field(&line, "gone");
	else if (t->base_thread == PROFILE_NONE)
		title_field(&line, "new");
	if (t->missing && t->sum == t->delta) /* else these times have them */
		title_field(&line, "slices are missing");
	if (t->least)
		title_field(&line, "some amounts are not known");
	if (why_off_cpu_text(r->why, t, w->unit, r->precision, w->style->ascii, off))
		title_field(&line, off);
	title_end(&line);
	free(title);
	free(name);
}

/* Two lines, if waiting and the rest changed in different directions, and both changes are seen. */
static void add_waiting(struct writing *w, const struct why_thread *t)
{
	int64_t rest = t->sum - t->waiting;

	if (why_waits_within(t->waiting, t->sum) || is_small(w, rest)) {
		add_total(w, t->waiting, "of it waiting");
	} else {
		add_total(w, t->waiting, "waiting");
		add_total(w, rest, "the rest");
	}
}

static void add_sum(struct writing *w, const struct why_thread *t)
{
	char text[CELL_SIZE];

	put_signed(text, w, t->sum);
	sheet_widen(&w->sheet, 0, text); /* DELTA is the first column */
	if (t->missing || t->sum != t->delta)
		add_total(w, t->sum, "sum of the known rows");
	else
		add_total(w, t->sum, w->r->why->measure != MEASURE_SELF ? "sum = difference of the thread" :
				     w->r->why->rounded ? "sum = difference of the thread's time (rounded)"
							: "sum = difference of the thread's time");
	if (!is_small(w, t->waiting))
		add_waiting(w, t);
	if (t->sum != t->delta)
		add_total(w, t->delta, w->r->why->measure != MEASURE_SELF ? "difference of the thread"
					: "difference of the thread's time: slices are missing");
}

/* The first thread's time is that of the frame, but where it was not there for all of it. */
static void add_rest(struct writing *w, const struct why_thread *t)
{
	const struct why_report *r = w->r;
	int64_t delta;

	if (t != r->why->threads || r->now.v->less_overhead || !why_frame_delta(r, &delta) || delta == t->delta)
		return;
	add_total(w, delta - t->delta,
		  r->why->incomplete ? "outside the thread's time: slices are missing"
				     : "outside the thread's time: it had not begun, had ended, or saw a frame mark "
				       "late");
	add_total(w, delta, "difference of the frames");
}

static void add_thread(struct writing *w, const struct why_thread *t)
{
	if (t->least)
		return;
	add_rows(w, t);
	add_sum(w, t);
	add_rest(w, t);
}

/* Rows [row, end) of the sheet are the thread's. */
static bool put_thread(const struct writing *w, const struct why_thread *t, uint32_t row, uint32_t end)
{
	bool done = true;

	put_thread_title(w, t);
	if (t->count)
		done = export_row(&w->sheet, SHEET_TITLES, w->out);
	for (; row < end && done; row++)
		done = export_row(&w->sheet, row, w->out);
	fputc('\n', w->out); /* whether it could be written is asked at the end */
	return done;
}

/* One unit for all of it: what suits the longest time of a thread. */
static enum unit unit_of(const struct why_report *r)
{
	int64_t most = 0;

	if (r->unit != UNIT_AUTO && per_s_is_time(r->why->per_s))
		return r->unit;
	for (uint32_t i = 0; i < r->why->thread_count; i++) {
		const struct why_thread *t = &r->why->threads[i];
		int64_t time = t->time > t->base_time ? t->time : t->base_time;

		if (time > most)
			most = time;
	}
	return unit_for(most / r->why->scale, r->why->per_s);
}

bool text_why(const struct why_report *r, const struct export_style *style, FILE *out)
{
	struct writing w = { .r = r, .style = style, .out = out, .unit = unit_of(r) };

	const struct why *why = r->why;
	uint32_t *ends = array_zeroed(why->thread_count, sizeof(*ends)); /* of each thread's rows */
	bool done = ends;

	begin_sheet(&w);
	for (uint32_t i = 0; i < why->thread_count && done; i++) {
		add_thread(&w, &why->threads[i]);
		ends[i] = sheet_rows(&w.sheet);
	}
	sheet_fit(&w.sheet, style->width);
	for (uint32_t i = 0; i < why->thread_count && done; i++)
		done = put_thread(&w, &why->threads[i], i ? ends[i - 1] : 0, ends[i]);
	sheet_fini(&w.sheet);
	free(ends);
	return done;
}

/* What is set against what */

/* Lengths of frames are times, whatever the rows are. */
static enum unit time_unit(const struct writing *w, int64_t ticks)
{
	return w->r->why->measure == MEASURE_SELF ? w->unit : unit_for(ticks, w->r->now.p->ticks_per_s);
}

static void frame_field(struct title_line *line, const struct writing *w, const struct why_side *side,
			const struct why_end *end, const char *before)
{
	title_frame(line, side->p, &(struct title_frame){
		.before = before, .number = end->frame, .role = end->role, .ticks = side->v->wall, .scale = side->v->scale,
		.unit = time_unit(w, side->v->wall / side->v->scale), .precision = w->r->precision }, w->style);
}

/* `+40.390 ms, +38.400 of it waiting`, or `-32.870 ms, waiting -218.900, the rest +186.030`. Where little changed in waiting,
 * the difference alone. */
static void delta_field(struct title_line *line, const struct writing *w, int64_t delta)
{
	const struct why_report *r = w->r;
	const struct why_thread *t = r->why->threads;
	char text[CELL_SIZE], waiting[CELL_SIZE], rest[CELL_SIZE], words[3 * CELL_SIZE] = "", field[5 * CELL_SIZE];
	bool waits = r->why->thread_count && t->thread != PROFILE_NONE && r->now.p->threads[t->thread].marking &&
		     t->delta == delta && t->sum == delta && why_is_waiting(t) && !is_small(w, t->waiting);

	put_signed(text, w, delta);
	if (waits) {
		put_signed(waiting, w, t->waiting);
		put_signed(rest, w, why_rest(t));
		if (is_small(w, why_rest(t)))
			snprintf(words, sizeof(words), "%s of it waiting", waiting);
		else
			why_waiting_text(words, sizeof(words), t, waiting, rest);
	}
	snprintf(field, sizeof(field), "%s %s%s%s", text, unit_title(w->unit, w->style->ascii), waits ? ", " : "", words);
	title_field(line, field);
}

static void incomplete_field(struct title_line *line, const struct why *why)
{
	char text[64];

	snprintf(text, sizeof(text), why->incomplete == 1 ? "%u slice incomplete"
							  : "%u slices incomplete", why->incomplete);
	if (why->incomplete)
		title_field(line, text);
}

void text_why_titles(const struct why_report *r, const struct export_style *style, FILE *out)
{
	struct writing w = { .r = r, .style = style, .out = out, .unit = unit_of(r) };
	struct title_line line = { .out = out, .width = style->width };
	int64_t delta = r->now.v->wall - r->base.v->wall;
	char reason[BASE_REASON] = "";

	frame_field(&line, &w, &r->now, &r->now_end, "why ");
	frame_field(&line, &w, &r->base, &r->base_end, "against ");
	if (r->why->measure == MEASURE_SELF)
		delta_field(&line, &w, delta);
	else
		title_measure(&line, r->now.p, r->why->measure);
	if (r->base_end.chosen)
		base_reason(r->base_end.chosen, reason);
	if (*reason)
		title_field(&line, reason);
	incomplete_field(&line, r->why);
	title_end(&line);
}

static void put_side(const struct writing *w, const struct why_side *side, const struct why_end *end,
		     const char *before)
{
	struct title_line line = { .out = w->out, .width = w->style->width };
	char text[96];

	title_field(&line, before);
	title_process(&line, side->p, w->style);
	if (end->frame)
		frame_field(&line, w, side, end, "");
	else if (end->frames)
		snprintf(text, sizeof(text), "the whole run, an average of %llu frame%s",
			 (unsigned long long)end->frames, end->frames == 1 ? "" : "s");
	else
		snprintf(text, sizeof(text), "the whole run, in total");
	if (!end->frame)
		title_field(&line, text);
	title_end(&line);
}

bool export_diff(const struct why_report *r, const struct export_style *style, FILE *out)
{
	struct writing w = { .r = r, .style = style, .out = out, .unit = unit_of(r) };
	struct title_line line = { .out = out, .width = style->width };

	put_side(&w, &r->base, &r->base_end, "base");
	put_side(&w, &r->now, &r->now_end, "now ");
	if (r->why->measure != MEASURE_SELF)
		title_measure(&line, r->now.p, r->why->measure);
	incomplete_field(&line, r->why);
	title_end(&line);
	fputc('\n', out);
	if (!text_why(r, style, out))
		return false;
	if (r->now.p != r->base.p)
		title_losses(r->base.p, "base", style, out);
	title_losses(r->now.p, r->now.p != r->base.p ? "now" : NULL, style, out);
	return !ferror(out);
}

/* SPDX-License-Identifier: MIT */
#include "io/export_why.h"

#include <stdlib.h>
#include <string.h>

#include "io/title.h"
#include "model/pen.h"

#define LEVELS 32      /* of a stack that are named */
#define CELL_SIZE 48   /* bytes of a number with its unit */
#define NAME_LEAST 12  /* cells that a name gets on a line however narrow */

/* A line of a section, before it is known how wide its columns are. */
struct cells {
	char delta[CELL_SIZE], calls[CELL_SIZE], cost[CELL_SIZE];
	char counts[2 * CELL_SIZE];
	const char *word;
};

struct writing {
	const struct why_report *r;
	const struct export_style *style;
	FILE *out;
	enum unit unit;
	size_t delta, calls, cost, counts; /* widths of the columns, cells */
};

static const struct profile *profile_of(const struct why_report *r, uint32_t now)
{
	return now != PROFILE_NONE ? r->now.p : r->base.p;
}

/* Numbers */

static void put_time(char out[CELL_SIZE], const struct writing *w, int64_t value)
{
	format_time(out, CELL_SIZE, value, w->r->why->scale, w->r->now.p->ticks_per_s, w->unit, w->r->precision,
		    0);
}

/* With its sign; nothing of what is 0. */
static void put_signed(char out[CELL_SIZE], const struct writing *w, int64_t value, bool needed)
{
	if (value || needed)
		format_difference(out, CELL_SIZE, value, w->r->why->scale, w->r->now.p->ticks_per_s, w->unit,
				  w->r->precision, 0);
	else
		snprintf(out, CELL_SIZE, "-");
}

static void put_counts(char out[2 * CELL_SIZE], const struct writing *w, const struct why_row *row)
{
	size_t at = format_count(out, CELL_SIZE, row->base_count, w->r->why->scale);

	at += (size_t)snprintf(out + at, 8, "%s", w->style->ascii ? " > " : " → ");
	format_count(out + at, CELL_SIZE, row->count, w->r->why->scale);
}

static struct cells cells_of(const struct writing *w, const struct why_row *row)
{
	struct cells c = { .word = why_word(row) };

	put_signed(c.delta, w, row->delta, true);
	put_signed(c.calls, w, row->calls, false);
	put_signed(c.cost, w, row->cost, false);
	if (row->count || row->base_count)
		put_counts(c.counts, w, row);
	return c;
}

static void widen(size_t *width, const char *text)
{
	size_t cells = text_width(text);

	if (cells > *width)
		*width = cells;
}

/* Titles */

static const char *titled(char out[CELL_SIZE], const struct writing *w, const char *title)
{
	snprintf(out, CELL_SIZE, "%s %s", title, unit_title(w->unit, w->style->ascii));
	return out;
}

static void measure_titles(struct writing *w)
{
	char title[CELL_SIZE];

	widen(&w->delta, titled(title, w, "DELTA"));
	widen(&w->calls, titled(title, w, "CALLS"));
	widen(&w->cost, titled(title, w, "COST"));
	widen(&w->counts, "COUNT");
}

static void measure(struct writing *w)
{
	const struct why *why = w->r->why;

	measure_titles(w);
	for (uint32_t i = 0; i < why->thread_count; i++) {
		const struct why_thread *t = &why->threads[i];
		char total[CELL_SIZE];

		put_signed(total, w, t->sum, true);
		widen(&w->delta, total);
		for (uint32_t k = 0; k < t->count; k++) {
			struct cells c = cells_of(w, &t->rows[k]);

			widen(&w->delta, c.delta);
			widen(&w->calls, c.calls);
			widen(&w->cost, c.cost);
			widen(&w->counts, c.counts);
		}
	}
}

/* Lines */

static size_t pen_cells(struct pen *pen, const char *text)
{
	pen_write(pen, text, strlen(text));
	return text_width(text);
}

static size_t pen_right(struct pen *pen, const char *text, size_t width)
{
	size_t cells = text_width(text);

	pen_blanks(pen, 2 + (width > cells ? width - cells : 0));
	pen_write(pen, text, strlen(text));
	return 2 + (width > cells ? width : cells);
}

static size_t pen_left(struct pen *pen, const char *text, size_t width)
{
	size_t cells = text_width(text);

	pen_blanks(pen, 2);
	pen_write(pen, text, strlen(text));
	pen_blanks(pen, width > cells ? width - cells : 0);
	return 2 + (width > cells ? width : cells);
}

/* False: out of memory. */
static bool put_line(struct pen *pen, FILE *out)
{
	struct layout_line line = pen_take(pen, LAYOUT_ROW, 0, 0);
	bool done = !pen->failed;

	if (done)
		fprintf(out, "%s\n", line.text);
	free(pen->text);
	free(pen->spans);
	return done;
}

#define WORD_CELLS 13 /* `cheaper calls` */

static size_t pen_columns(struct pen *pen, const struct writing *w, const struct cells *c)
{
	size_t used = pen_right(pen, c->delta, w->delta) + pen_right(pen, c->calls, w->calls) +
		      pen_right(pen, c->cost, w->cost) + pen_right(pen, c->counts, w->counts);

	return used + pen_left(pen, c->word, WORD_CELLS);
}

/* How often its zone is open in a row from that node up; the node is then the outermost of them. */
static uint32_t outermost(const struct profile *p, uint32_t *node)
{
	uint32_t times = 1, parent;

	while ((parent = p->nodes[*node].parent) != PROFILE_NONE && p->nodes[parent].zone == p->nodes[*node].zone &&
	       p->nodes[parent].parent != PROFILE_NONE) {
		*node = parent;
		times++;
	}
	return times;
}

/* `raycast ‹ ai ‹ update`: a zone, and who called it; `walk ×3 ‹ update` where it called itself. Caller frees;
 * NULL: out of memory. */
static char *stack_text(const struct writing *w, const struct profile *p, uint32_t node)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	uint32_t level = 0;

	if (!out)
		return NULL;
	do {
		char *name = title_name(w->style, p->zones[p->nodes[node].zone].name);
		uint32_t times = outermost(p, &node);

		fprintf(out, "%s%s", !level ? "" : w->style->ascii ? " < " : " ‹ ", name ? name : "");
		if (times > 1)
			fprintf(out, w->style->ascii ? " x%u" : " ×%u", times);
		free(name);
		node = p->nodes[node].parent;
	} while (node != PROFILE_NONE && p->nodes[node].parent != PROFILE_NONE && ++level < LEVELS);
	if (level == LEVELS)
		fputs(w->style->ascii ? " < ..." : " ‹ …", out);
	return fclose(out) == 0 ? text : (free(text), NULL);
}

/* `  ray.c:118`; "" where it is not known. Likewise. */
static char *place_text(const struct writing *w, const struct profile_zone *zone)
{
	const char *slash = strrchr(zone->file, '/');
	char *file = title_name(w->style, slash ? slash + 1 : zone->file), *text = NULL;

	if (file && asprintf(&text, *file ? "  %s:%u" : "%s", file, zone->line) < 0)
		text = NULL;
	free(file);
	return text;
}

/* The callers give way first, then the place. */
static bool pen_zone(struct pen *pen, const struct writing *w, size_t used, const struct why_row *row)
{
	const struct profile *p = profile_of(w->r, row->node);
	uint32_t node = row->node != PROFILE_NONE ? row->node : row->base_node;
	char *stack = stack_text(w, p, node), *place = place_text(w, &p->zones[p->nodes[node].zone]);
	size_t room = SIZE_MAX, placed = place ? text_width(place) : 0;

	if (!stack || !place) {
		free(stack);
		free(place);
		return false;
	}
	pen_blanks(pen, 2);
	if (w->style->width) {
		room = w->style->width > used + 2 ? w->style->width - used - 2 : 0;
		room = room < NAME_LEAST ? NAME_LEAST : room;
	}
	if (room != SIZE_MAX && room < placed + NAME_LEAST)
		*place = '\0', placed = 0;
	pen_clipped(pen, stack, room == SIZE_MAX ? text_width(stack) : room - placed, w->style->ascii,
		    STYLE_NAME);
	pen_cells(pen, place);
	free(stack);
	free(place);
	return true;
}

/* Nothing is seen of it in so many digits. */
static bool is_small(const struct cells *c)
{
	return !strpbrk(c->delta, "123456789");
}

static bool put_row(const struct writing *w, const struct why_row *row)
{
	struct cells c = cells_of(w, row);
	struct pen pen = { 0 };
	bool done = pen_zone(&pen, w, pen_columns(&pen, w, &c), row);

	return put_line(&pen, w->out) && done;
}

static bool put_titles(const struct writing *w)
{
	struct cells c = { .word = "WHY", .counts = "COUNT" };
	struct pen pen = { 0 };

	titled(c.delta, w, "DELTA");
	titled(c.calls, w, "CALLS");
	titled(c.cost, w, "COST");
	pen_columns(&pen, w, &c);
	pen_left(&pen, "ZONE", 0);
	return put_line(&pen, w->out);
}

/* A number below the deltas, and what it is. */
static bool put_total(const struct writing *w, int64_t value, const char *what)
{
	char total[CELL_SIZE];
	struct pen pen = { 0 };

	put_signed(total, w, value, true);
	pen_right(&pen, total, w->delta);
	pen_left(&pen, what, 0);
	return put_line(&pen, w->out);
}

/* Threads */

/* `16.400 ms > 41.200 ms`: its time in the base, and now. */
static void thread_times(char *out, size_t size, const struct writing *w, const struct why_thread *t)
{
	char base[CELL_SIZE], now[CELL_SIZE];

	put_time(base, w, t->base_time);
	put_time(now, w, t->time);
	snprintf(out, size, "%s %s %s %s", base, w->style->ascii ? ">" : "→", now,
		 unit_title(w->unit, w->style->ascii));
}

/* The rows, and in one line those at their end of which nothing would be seen. */
static bool put_rows(const struct writing *w, const struct why_thread *t)
{
	int64_t small = 0;
	uint32_t i = 0;
	char what[48];

	for (; i < t->count; i++) {
		struct cells c = cells_of(w, &t->rows[i]);

		if (is_small(&c) && i + 1 < t->count)
			break;
		if (!put_row(w, &t->rows[i]))
			return false;
	}
	if (i == t->count)
		return true;
	snprintf(what, sizeof(what), "in %u smaller ones", t->count - i);
	while (i < t->count)
		small += t->rows[i++].delta;
	return put_total(w, small, what);
}

static void put_thread_title(const struct writing *w, const struct why_thread *t)
{
	const struct why_report *r = w->r;
	const struct profile_thread *thread = t->thread != PROFILE_NONE ? &r->now.p->threads[t->thread]
									: &r->base.p->threads[t->base_thread];
	struct title_line line = { .out = w->out, .width = w->style->width };
	char *name = title_name(w->style, thread->name), *title = NULL, times[3 * CELL_SIZE];

	if (name && asprintf(&title, "thread: %s", name) >= 0)
		title_field(&line, title);
	if (thread->marking)
		title_field(&line, "marks the frames");
	thread_times(times, sizeof(times), w, t);
	title_field(&line, times);
	if (t->thread == PROFILE_NONE)
		title_field(&line, "gone");
	else if (t->base_thread == PROFILE_NONE)
		title_field(&line, "new");
	if (t->missing && t->sum == t->delta) /* else these times have them */
		title_field(&line, "parts of it are missing");
	title_end(&line);
	free(title);
	free(name);
}

static bool put_sum(const struct writing *w, const struct why_thread *t)
{
	if (t->sum == t->delta && t->missing)
		return put_total(w, t->sum, "sum of what is known");
	if (t->sum != t->delta)
		return put_total(w, t->sum, "sum of what is known") &&
		       put_total(w, t->delta, "the difference of the thread's time: parts are missing");
	return put_total(w, t->sum, w->r->why->rounded ? "sum, the difference of the thread's time (rounded)"
						       : "sum, the difference of the thread's time");
}

/* The marking thread's time is that of the frame, but where it began or ended in it. */
static bool put_rest(const struct writing *w, const struct why_thread *t)
{
	const struct why_report *r = w->r;
	int64_t delta = r->now.v->wall - r->base.v->wall;

	if (!r->now_end.frame || !r->base_end.frame || r->now.p != r->base.p || t->thread == PROFILE_NONE ||
	    !r->now.p->threads[t->thread].marking || delta == t->delta)
		return true;
	return put_total(w, delta - t->delta,
			 r->why->incomplete ? "not of its time: parts are missing"
					    : "not of its time: it had not begun yet, or was over") &&
	       put_total(w, delta, "the difference of the frames");
}

static bool put_thread(const struct writing *w, const struct why_thread *t)
{
	put_thread_title(w, t);
	if (t->count && !put_titles(w))
		return false;
	if (!put_rows(w, t))
		return false;
	if (t->waiting && !put_total(w, t->waiting, "waiting"))
		return false;
	if (!put_sum(w, t) || !put_rest(w, t))
		return false;
	fputc('\n', w->out); /* whether it could be written is asked at the end */
	return true;
}

/* One unit for all of it: what suits the longest time of a thread. */
static enum unit unit_of(const struct why_report *r)
{
	int64_t most = 0;

	if (r->unit != UNIT_AUTO)
		return r->unit;
	for (uint32_t i = 0; i < r->why->thread_count; i++) {
		const struct why_thread *t = &r->why->threads[i];
		int64_t time = t->time > t->base_time ? t->time : t->base_time;

		if (time > most)
			most = time;
	}
	return unit_for(most / r->why->scale, r->now.p->ticks_per_s);
}

bool text_why(const struct why_report *r, const struct export_style *style, FILE *out)
{
	struct writing w = { .r = r, .style = style, .out = out, .unit = unit_of(r) };

	measure(&w);
	for (uint32_t i = 0; i < r->why->thread_count; i++)
		if (!put_thread(&w, &r->why->threads[i]))
			return false;
	return true;
}

/* What is set against what */

static void frame_field(struct title_line *line, const struct writing *w, const struct why_side *side,
			const struct why_end *end, const char *before)
{
	char length[CELL_SIZE], text[160];

	format_time(length, sizeof(length), side->v->wall, side->v->scale, side->p->ticks_per_s, w->unit,
		    w->r->precision, 0);
	snprintf(text, sizeof(text), "%sframe %llu%s%s%s: %s %s", before, (unsigned long long)end->frame,
		 end->role ? " (" : "", end->role ? end->role : "", end->role ? ")" : "", length,
		 unit_title(w->unit, w->style->ascii));
	title_field(line, text);
}

/* `+40.390 ms, +38.400 of it waiting`, where that is most of it: no row tells it. */
static void delta_field(struct title_line *line, const struct writing *w, int64_t delta)
{
	const struct why_report *r = w->r;
	const struct why_thread *t = r->why->threads;
	char text[CELL_SIZE], waiting[CELL_SIZE], field[3 * CELL_SIZE];
	bool waits = r->why->thread_count && t->thread != PROFILE_NONE && r->now.p->threads[t->thread].marking &&
		     t->delta == delta && why_is_waiting(t);

	put_signed(text, w, delta, true);
	put_signed(waiting, w, waits ? t->waiting : 0, true);
	snprintf(field, sizeof(field), waits ? "%s %s, %s of it waiting" : "%s %s", text,
		 unit_title(w->unit, w->style->ascii), waiting);
	title_field(line, field);
}

static void incomplete_field(struct title_line *line, const struct why *why)
{
	char text[64];

	snprintf(text, sizeof(text), why->incomplete == 1 ? "%u part of a thread missing or merged"
							  : "%u parts of threads missing or merged", why->incomplete);
	if (why->incomplete)
		title_field(line, text);
}

void text_why_titles(const struct why_report *r, const struct export_style *style, FILE *out)
{
	struct writing w = { .r = r, .style = style, .out = out, .unit = unit_of(r) };
	struct title_line line = { .out = out, .width = style->width };
	int64_t delta = r->now.v->wall - r->base.v->wall;

	frame_field(&line, &w, &r->now, &r->now_end, "why ");
	frame_field(&line, &w, &r->base, &r->base_end, "against ");
	delta_field(&line, &w, delta);
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
		snprintf(text, sizeof(text), "the whole run, an average of %llu frames",
			 (unsigned long long)end->frames);
	else
		snprintf(text, sizeof(text), "the whole run, in all");
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
	incomplete_field(&line, r->why);
	title_end(&line);
	fputc('\n', out);
	if (!text_why(r, style, out))
		return false;
	if (r->now.p != r->base.p) {
		fputs("base   ", out);
		title_losses(r->base.p, style, out);
		fputs("now    ", out);
	}
	title_losses(r->now.p, style, out);
	return !ferror(out);
}

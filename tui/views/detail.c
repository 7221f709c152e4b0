/* SPDX-License-Identifier: MIT */
#include "tui/views/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/table/spark.h"
#include "model/stats/cause.h"
#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"

#define COUNTERS_MOST 8 /* of a line */
#define GAP 3           /* cells between two pieces of a line */

/* The lines, in the order of their importance. */
enum piece { PIECE_VARIES, PIECE_TIME, PIECE_LENGTH, PIECES };

static bool has_piece(const struct cause *cause, enum piece piece)
{
	const struct correlation *one[1];

	if (piece == PIECE_VARIES)
		return true;
	return correlations_strongest(&cause->correlations, piece == PIECE_TIME ? CORRELATE_TIME : CORRELATE_LENGTH, 1,
				      one);
}

/* The later one is named the sooner it goes where there is no room. */
static void add_counters(struct fields *f, const struct look *look, const struct cause *cause,
			 enum correlate_with with, uint8_t importance)
{
	const struct correlation *rows[COUNTERS_MOST];
	uint32_t count = correlations_strongest(&cause->correlations, with, COUNTERS_MOST, rows);
	char text[CAUSE_TEXT];

	for (uint32_t i = 0; i < count; i++) {
		cause_counter_text(look->profile, rows[i], with, look->ascii, text, sizeof(text));
		if (i)
			fields_add(f, ROLE_LABEL, (uint8_t)(importance + COUNTERS_MOST - i), "%s", text);
		else
			fields_add(f, ROLE_LABEL, (uint8_t)(importance + COUNTERS_MOST), "correlates with %s: %s",
				   correlate_with_words[with], text);
	}
}

static void add_piece(struct fields *f, const struct look *look, const struct cause *cause, enum piece piece)
{
	char text[CAUSE_TEXT];

	switch (piece) {
	case PIECE_VARIES:
		cause_varies_text(&cause->varies[EXTENT_HIER], text, sizeof(text));
		fields_add(f, ROLE_LABEL, 0, "variation: %s", text);
		break;
	case PIECE_TIME:
		add_counters(f, look, cause, CORRELATE_TIME, COUNTERS_MOST + 1);
		break;
	case PIECE_LENGTH:
		add_counters(f, look, cause, CORRELATE_LENGTH, 1);
		break;
	case PIECES:
		break;
	}
}

int detail_cause_lines(const struct look *look, uint32_t key)
{
	const struct cause *cause = look->query && !look->selected_to ? query_cause(look->query, key) : NULL;
	int lines = 0;

	for (enum piece piece = 0; cause && piece < PIECES; piece++)
		lines += has_piece(cause, piece);
	return lines;
}

/* A piece a line; what is left when the lines end stands behind the last one. */
void detail_cause_draw(const struct look *look, uint32_t key, struct canvas *c, struct area a)
{
	const struct cause *cause = look->query && !look->selected_to ? query_cause(look->query, key) : NULL;
	enum piece piece = 0;

	for (int y = 0; cause && y < a.height; y++) {
		struct fields f = { .gap = GAP };

		for (; piece < PIECES && (!f.count || y == a.height - 1); piece++)
			add_piece(&f, look, cause, piece);
		fields_draw(&f, c, a, y);
	}
	canvas_fix_minus(c, a);
}

#define HEIGHT_FROM 8  /* of the view */
#define HEIGHT_MORE 14 /* likewise: from here on two fifths of it */
#define GAP_NARROW 2   /* of one with many */
#define LABEL_CELLS 15
#define CAUSE_FROM 2   /* lines; with more, one at least says why the time varies */
#define LABELS_FROM 30 /* cells of the line */
#define BUCKETS 48     /* of the histogram, at most */
#define NOW_NS INT64_C(100000000) /* what is as young as this is as good as now */
#define TIME_SIZE (FIGURE_SIZE + 8)

struct time_text {
	char text[TIME_SIZE];
};

/* Its calls are not known: it was found by samples. */
static bool is_function(const struct detail *d)
{
	return d->look->profile->zones[query_keys(d->look->query)->keys[d->key].zone].flags & ZONE_FUNCTION;
}

/* `3.30 µs` */
static struct time_text time_of(const struct detail *d, int64_t ticks)
{
	uint64_t rate = d->look->profile->ticks_per_s;
	const struct figure_unit *unit = figure_unit_for(ticks, rate);
	struct time_text t;

	snprintf(t.text, sizeof(t.text), "%s %s", figure_time(ticks, rate, unit, 3).text,
		 figure_unit_name(unit, d->look->ascii));
	return t;
}

/* `−4.2 s`: how long before the newest tick that was read. */
static struct time_text age_of(const struct detail *d, int64_t tick)
{
	const struct profile *p = d->look->profile;
	struct time_text t;

	snprintf(t.text, sizeof(t.text), "%s%s", canvas_minus(d->look->ascii),
		 figure_span(format_ns(p->now_tick - tick, p->ticks_per_s)).text);
	return t;
}

static const struct singles_of *singles_of_focus(const struct detail *d)
{
	static const struct singles_of none;

	if (!d->look->singles)
		return &none;
	return singles_look(d->look->singles, d->look->query, d->look->profile, d->key,
			    d->look->selected_from, d->look->selected_to);
}

static const struct key_calls *known_of(struct calls *c, uint32_t key)
{
	return c ? calls_of(c, key) : NULL;
}

static void add_time(struct fields *f, const struct detail *d, uint8_t importance, const char *name, int64_t ticks)
{
	fields_add(f, ROLE_NUMBER, importance, "%s %s", name, time_of(d, ticks).text);
}

/* `the last 4.2 s`: the time that the single calls cover. The table may cover another time. */
static void span_text(const struct detail *d, const struct key_calls *known, char *out, size_t size)
{
	const struct profile *p = d->look->profile;
	int64_t until = singles_of_focus(d)->until;
	struct figure length = figure_span(format_ns(until - known->since, p->ticks_per_s));

	if (d->look->selected_to)
		snprintf(out, size, "the selection");
	else if (format_ns(p->now_tick - until, p->ticks_per_s) < NOW_NS)
		snprintf(out, size, "the last %s", length.text);
	else
		snprintf(out, size, "the %s up to %s ago", length.text,
			 figure_span(format_ns(p->now_tick - until, p->ticks_per_s)).text);
}

/* `12 345 calls in the last 4.2 s` */
static void add_scope(struct fields *f, const struct detail *d, const struct key_calls *known)
{
	char span[3 * TIME_SIZE];

	span_text(d, known, span, sizeof(span));
	fields_add(f, ROLE_DIM, 6, "%s %scall%s %s %s", figure_grouped(known->time.count).text, known->gaps ? "known " : "",
		   known->time.count == 1 ? "" : "s", known->gaps ? "of" : "in", span);
}

/* The first line */

/* `src/ray.c:118`, its end where there is no room for all; the cells used. */
static int draw_place(const struct detail *d, struct canvas *c, struct area a)
{
	uint32_t index = query_keys(d->look->query)->keys[d->key].zone;
	const struct profile_zone *zone = &d->look->profile->zones[index];
	char *file = name_safe(zone->file, d->look->ascii);
	char line[16];
	int x = 0;

	if (file && *file) {
		const char *from = file;

		snprintf(line, sizeof(line), ":%u", zone->line);
		while ((int)(text_width(from) + strlen(line)) > a.width && strchr(from, '/'))
			from = strchr(from, '/') + 1;
		if ((int)(text_width(from) + strlen(line)) <= a.width) {
			x = canvas_text(c, a, 0, 0, ROLE_DIM, from);
			x += canvas_text(c, a, x, 0, ROLE_DIM, line);
		}
	}
	free(file);
	return x;
}

static int place_cells(const struct detail *d)
{
	struct canvas none = { 0 };

	return draw_place(d, &none, (struct area){ .width = INT16_MAX });
}

/* `depth 2, 31.0 recursive entries` */
static void add_recursion(const struct detail *d, struct fields *f)
{
	const struct report_section *s = &d->report->sections[0];
	char count[48];

	if (!s->recursive)
		return;
	format_count(count, sizeof(count), s->recursive, d->report->scale);
	fields_add(f, ROLE_LABEL, 2, "depth %u, %s recursive entries", s->depth, count);
}

/* `src/ray.c:118   calls min/avg/max 112/496/500   depth 2, 31.0 recursive entries`; if this is the only line, also
 * `12 345 calls in the last 4.2 s   p50 3.30 µs   p99 19.0 µs`. */
static void draw_first(const struct detail *d, struct canvas *c, struct area a)
{
	const struct singles_of *s = singles_of_focus(d);
	const struct key_calls *known = known_of(s->calls, d->key);
	struct fields f = { .gap = GAP };
	char frames[48];
	int x;

	if (s->a_frame.count && !is_function(d))
		fields_add(&f, ROLE_NUMBER, 3, "calls min/avg/max %lld/%.*f/%lld", (long long)s->a_frame.min,
			   s->a_frame.mean < 100 && s->a_frame.min != s->a_frame.max, s->a_frame.mean,
			   (long long)s->a_frame.max);
	snprintf(frames, sizeof(frames), "in %llu frames", (unsigned long long)s->a_frame.count);
	if (s->a_frame.count && !is_function(d) && place_cells(d) + 2 * GAP + fields_width(&f) + (int)strlen(frames) <= a.width)
		fields_add(&f, ROLE_DIM, 1, "%s", frames);
	if (known && a.height < 2) {
		add_scope(&f, d, known);
		add_time(&f, d, 5, "p50", known->time.median);
		add_time(&f, d, 5, "p99", known->time.p99);
	}
	add_recursion(d, &f);
	if (place_cells(d) + GAP + fields_width(&f) > a.width) { /* numbers before places */
		x = fields_draw(&f, c, (struct area){ a.x, a.y, a.width, 1 }, 0);
		x += x ? GAP : 0;
		draw_place(d, c, (struct area){ a.x + x, a.y, a.width - x, 1 });
		return;
	}
	x = draw_place(d, c, a);
	x += x ? GAP : 0;
	fields_draw(&f, c, (struct area){ a.x + x, a.y, a.width - x, 1 }, 0);
}

/* Single calls */

static void draw_label(struct canvas *c, struct area *a, const char *label)
{
	if (a->width < LABELS_FROM) /* the numbers have no room beside it */
		return;
	canvas_text(c, *a, 0, 0, ROLE_LABEL, label);
	a->x += LABEL_CELLS;
	a->width -= LABEL_CELLS;
}

/* `12 suspended not counted` */
static void add_left_out(struct fields *f, const struct detail *d)
{
	const struct calls *calls = singles_of_focus(d)->calls;
	uint64_t suspended = calls ? calls_suspended(calls, d->key) : 0;

	if (suspended)
		fields_add(f, ROLE_DIM, 1, "%s suspended not counted", figure_grouped(suspended).text);
}

/* `per call   min 1.00 µs  median 3.30 µs  p90 9.10 µs  p99 19.0 µs  max 8.10 ms` */
static void draw_call(const struct detail *d, struct canvas *c, struct area a)
{
	const struct key_calls *known = known_of(singles_of_focus(d)->calls, d->key);
	struct fields f = { .gap = GAP_NARROW };

	draw_label(c, &a, "per call");
	if (known) {
		add_time(&f, d, 2, "min", known->time.min);
		add_time(&f, d, 5, "median", known->time.median);
		add_time(&f, d, 1, "p90", known->time.p90);
		add_time(&f, d, 4, "p99", known->time.p99);
		add_time(&f, d, 3, "max", known->time.max);
	} else {
		fields_add(&f, ROLE_DIM, 0, "-   no %s call %s", d->look->selected_to ? "known" : "single",
			   d->look->selected_to ? "ended in the selection" : "is known");
	}
	add_left_out(&f, d);
	fields_draw(&f, c, a, 0);
}

/* `single calls   12 345 calls in the last 4.2 s  self median 2.10 µs  p99 12.0 µs`: first of which time this line and the
 * next are, as the table may be of another one. */
static void draw_self(const struct detail *d, struct canvas *c, struct area a)
{
	const struct key_calls *known = known_of(singles_of_focus(d)->calls, d->key);
	struct fields f = { .gap = GAP_NARROW };

	draw_label(c, &a, "single calls");
	add_scope(&f, d, known);
	add_time(&f, d, 5, "self median", known->self.median);
	add_time(&f, d, 2, "p99", known->self.p99);
	fields_draw(&f, c, a, 0);
}

/* Why there are no single calls of the frame. */
static const char *missing_words(const struct singles_of *s)
{
	if (!s->frame_longest.ticks && !s->frame_longest.unknown)
		return "no known call ended in it";
	return s->frame_cut ? "single calls of this frame are no longer kept" : "single calls of this frame are not known";
}

/* `this frame 496 calls  median 3.30 µs  p99 19.0 µs  max 30.1 µs` */
static void draw_frame(const struct detail *d, struct canvas *c, struct area a)
{
	const struct singles_of *s = singles_of_focus(d);
	const struct key_calls *known = known_of(s->framed, d->key);
	struct fields f = { .gap = GAP_NARROW };

	draw_label(c, &a, "this frame");
	if (known) {
		fields_add(&f, ROLE_NUMBER, 3, "%s call%s", figure_grouped(known->time.count).text,
			   known->time.count == 1 ? "" : "s");
		add_time(&f, d, 4, "median", known->time.median);
		add_time(&f, d, 2, "p99", known->time.p99);
		add_time(&f, d, 5, "max", known->time.max);
		if (s->frame_cut)
			fields_add(&f, ROLE_DIM, 1, "its first calls are no longer kept");
	} else {
		fields_add(&f, ROLE_DIM, 0, "-   %s", missing_words(s));
	}
	fields_draw(&f, c, a, 0);
}

static void add_thread(struct fields *f, const struct detail *d, uint32_t thread)
{
	struct profile_instant of = { .thread = thread };
	char *name = event_thread(d->look->profile, &of, d->look->ascii);
	char cut[FIELD_SIZE / 2];

	snprintf(cut, sizeof(cut), "%s", name ? name : "?");
	if (!name || strlen(name) < sizeof(cut)) /* a cut name may end within a character */
		fields_add(f, ROLE_NAME, 2, "thread %s", cut);
	free(name);
}

static bool slowest_of(const struct detail *d, struct slowest_call *out)
{
	return singles_slowest(singles_of_focus(d), d->look->profile, out);
}

/* How much was searched: `of 5 022 searched`, or `of the last 3.1 s`. */
static void add_slowest_of(struct fields *f, const struct detail *d, const struct slowest_call *slowest)
{
	const struct key_calls *known = known_of(singles_of_focus(d)->calls, d->key);
	char span[3 * TIME_SIZE];

	if (slowest->of_all && d->look->selected_to) {
		fields_add(f, ROLE_DIM, 3, "of the selection");
	} else if (slowest->of_all) {
		fields_add(f, ROLE_DIM, 3, "of %s searched", figure_grouped(d->look->profile->frame_count).text);
	} else if (known) {
		span_text(d, known, span, sizeof(span));
		fields_add(f, ROLE_DIM, 3, "of %s", span);
	}
}

/* `slowest    8.10 ms in frame 51 371  of 5 022 searched  thread main  J jump` */
static void draw_slowest(const struct detail *d, struct canvas *c, struct area a)
{
	struct slowest_call slowest;
	struct time_text time;
	struct fields f = { .gap = GAP_NARROW };

	draw_label(c, &a, "slowest");
	if (!slowest_of(d, &slowest))
		return;
	time = time_of(d, slowest.ticks);
	if (!slowest.frame)
		fields_add(&f, ROLE_NUMBER, 0, "%s, %s", time.text, age_of(d, slowest.leave).text);
	else
		fields_add(&f, ROLE_NUMBER, 0, "%s in frame %s", time.text, figure_grouped(slowest.frame).text);
	add_slowest_of(&f, d, &slowest);
	add_thread(&f, d, slowest.thread);
	if (slowest.frame && slowest.frame != d->look->frames.chosen)
		fields_add_key(&f, 1, "J", "jump");
	fields_draw(&f, c, a, 0);
}

/* `histogram  1.00 µs ▁▂▅█▅▂▁▁▁▁ 8.10 ms`: equally wide in the logarithm. */
static void draw_histogram(const struct detail *d, struct canvas *c, struct area a)
{
	uint32_t counts[BUCKETS], n;
	int64_t edges[BUCKETS + 1], values[BUCKETS];
	char bars[SPARK_SIZE(BUCKETS)];
	int room, x;

	draw_label(c, &a, "histogram");
	room = a.width - 2 * (TIME_SIZE / 4);
	if (room < 4)
		return;
	n = calls_histogram(singles_of_focus(d)->calls, d->key, room < BUCKETS ? (uint32_t)room : BUCKETS, counts,
			    edges);
	for (uint32_t i = 0; i < n; i++)
		values[i] = counts[i];
	spark_draw(values, n, 1, n, d->look->ascii, bars);
	x = canvas_text(c, a, 0, 0, ROLE_AXIS, time_of(d, edges[0]).text) + 1;
	x += canvas_text(c, a, x, 0, ROLE_BAR, bars) + 1;
	canvas_text(c, a, x, 0, ROLE_AXIS, time_of(d, edges[n]).text);
}

/* Which lines there are */

enum line { LINE_FIRST, LINE_SELF, LINE_CALL, LINE_FRAME, LINE_SLOWEST, LINE_HISTOGRAM, LINES };

static void (*const line_draw[LINES])(const struct detail *d, struct canvas *c, struct area a) = {
	[LINE_FIRST] = draw_first, [LINE_SELF] = draw_self, [LINE_CALL] = draw_call,
	[LINE_FRAME] = draw_frame, [LINE_SLOWEST] = draw_slowest, [LINE_HISTOGRAM] = draw_histogram,
};

/* The most important first. */
static const enum line order[LINES] = { LINE_FIRST, LINE_CALL, LINE_SELF, LINE_SLOWEST, LINE_FRAME, LINE_HISTOGRAM };

static bool has_line(const struct detail *d, enum line line)
{
	if (line == LINE_FIRST || is_function(d))
		return line == LINE_FIRST;
	if (line == LINE_CALL)
		return true;
	if (line == LINE_SLOWEST) {
		struct slowest_call slowest;

		return slowest_of(d, &slowest);
	}
	if (!known_of(singles_of_focus(d)->calls, d->key))
		return false;
	return line != LINE_FRAME || singles_of_focus(d)->framed;
}

/* Chooses the lines that fit. Returns how many. */
static int choose_lines(const struct detail *d, int room, bool chosen[LINES])
{
	int count = 0;

	for (int i = 0; i < LINES; i++) {
		chosen[order[i]] = count < room && has_line(d, order[i]);
		count += chosen[order[i]];
	}
	return count;
}

static int room_of(int height)
{
	return height < HEIGHT_FROM ? 0 : height < HEIGHT_MORE ? 1 : height * 2 / 5;
}

/* The lines that say why its time varies: what the others leave, and from three lines on at least one. */
static int cause_lines(const struct detail *d, int room)
{
	int lines = room > CAUSE_FROM && !is_function(d) ? detail_cause_lines(d->look, d->key) : 0, left;
	bool chosen[LINES];

	left = room - choose_lines(d, room, chosen);
	left = left > 1 || !lines ? left : 1;
	return lines < left ? lines : left;
}

int detail_lines(const struct detail *d, int height)
{
	bool chosen[LINES];
	int room = room_of(height), cause, lines;

	if (!room || !d->report->section_count)
		return 0;
	cause = cause_lines(d, room);
	lines = choose_lines(d, room - cause, chosen) + cause;
	return lines + detail_source_lines(d, room - lines);
}

void detail_draw(const struct detail *d, struct canvas *c, struct area a)
{
	bool chosen[LINES];
	int y = 0, cause;

	if (a.height < 1)
		return;
	cause = cause_lines(d, a.height);
	choose_lines(d, a.height - cause, chosen);
	for (int i = 0; i < LINES; i++)
		if (chosen[i])
			line_draw[i](d, c, (struct area){ a.x + 1, a.y + y++, a.width - 1, i ? 1 : a.height });
	detail_cause_draw(d->look, d->key, c, (struct area){ a.x + 1, a.y + y, a.width - 1, cause });
	y += cause;
	detail_source_draw(d, c, (struct area){ a.x + 1, a.y + y, a.width - 1, a.height - y });
}

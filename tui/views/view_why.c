/* SPDX-License-Identifier: MIT */
/*
 * view_why: why the chosen frame took longer, or less long, than its base
 * frame.
 *
 *   41.20 ms: 24.80 ms longer than the median frame (#51 120, 16.4 ms)
 *     ZONE                   DELTA ms▼      WHY           FROM COUNT ms  FROM SPEED ms    COUNT
 *   > raycast ‹ ai ‹ update   +15.100 ████  more calls          +14.900         +0.200  200→500
 *     vsync                    -0.300 ░     waited less           0.000         -0.300        1
 *     thread pool              -0.400
 *     job                      -0.400 ░     faster calls          0.000         -0.400       12
 *   sum  +24.802 ms  (-0.300 waiting)  thread main
 *
 * The last line belongs to the thread that the cursor is in. While no frame is
 * chosen, the view has the lengths of all frames instead of the table. If the
 * table leaves space, the lengths stand below it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats/base_frame.h"
#include "model/base/text.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_times.h"
#include "tui/views/view.h"
#include "tui/views/why_rows.h"

#define HEAD_FROM 8  /* lines of the view, from where on it is said what is set against what */
#define SUM_FROM 4   /* likewise of the sum */
#define BELOW 1      /* lines below the table: the sum */
#define TIMES_LEAST 6 /* lines that are left over, for lengths of frames */
#define TIMES_MOST 12
#define BASE_WORDS 48
#define WORDS_LINES 6 /* that say how to get to a frame */

struct why_view {
	struct view view;
	enum unit unit; /* of the rows, so far */
	uint64_t frame; /* that they are of */
	bool begins;    /* it is another one than was drawn last, or the view was opened */
};

/* Making */

/* The base frame in words: `the median frame`, `the average`, `mark a`. */
static const char *base_words(const struct query_options *o, char out[BASE_WORDS])
{
	const char *name = !o->base_name ? "base" : strcmp(o->base_name, "similar") != 0 ? o->base_name : "typical similar";
	bool is_mark = !strncmp(name, "mark ", 5), is_frame = !is_mark && strcmp(name, "average") != 0;

	snprintf(out, BASE_WORDS, "%s%s%s", is_mark ? "" : "the ", name, is_frame ? " frame" : "");
	return out;
}

static bool is_chosen(const struct look *look)
{
	return look->query && query_options(look->query)->frame;
}

static void say_nothing(struct view *v, const struct look *look)
{
	const struct query_options *o = query_options(look->query);
	char words[BASE_WORDS];

	if (o->selected || o->first)
		snprintf(v->why, sizeof(v->why), "Why compares one frame. Esc goes back to it.");
	else if (o->average == AVERAGE_RUN)
		snprintf(v->why, sizeof(v->why), "this is the whole run; a goes back to the frame");
	else if (!o->base)
		snprintf(v->why, sizeof(v->why), "%s is not in the history; D chooses another base",
			 base_words(o, words));
	else
		snprintf(v->why, sizeof(v->why), "out of memory");
}

static void say_empty(struct view *v, const struct look *look, const struct why *w)
{
	const struct query_options *o = query_options(look->query);
	char words[BASE_WORDS];

	if (w->thread_count && w->threads[0].least)
		snprintf(v->why, sizeof(v->why), "no difference: some amounts are not known");
	else if (o->base == o->frame)
		snprintf(v->why, sizeof(v->why), "this is %s itself; w goes to the longest frame, [ ] to others",
			 base_words(o, words));
	else if (look->filter && *look->filter)
		snprintf(v->why, sizeof(v->why), "no match for the filter");
	else
		snprintf(v->why, sizeof(v->why), "no zone took more or less time");
}

static bool why_refresh(struct view *v, const struct look *look)
{
	struct why_view *view = (struct why_view *)v;
	struct why *w = is_chosen(look) ? query_why(look->query, look->why_threads, look->why_by_zone) : NULL;
	struct why_table *rows = NULL;

	*v->why = '\0';
	view->begins |= is_chosen(look) && query_options(look->query)->frame != view->frame;
	view->frame = is_chosen(look) ? query_options(look->query)->frame : 0;
	if (w)
		rows = why_rows_make(w, look, v, view->unit, v->why);
	else if (is_chosen(look))
		say_nothing(v, look);
	table_take(&v->table, (struct typed_table *)rows);
	if (!rows)
		return false;
	view->unit = rows->table.unit;
	if (!table_count(&v->table))
		say_empty(v, look, w);
	return true;
}

/* Drawing */

/* `(18.4 ms of it waiting)`, if that is most of the difference; `(waiting −218.9 ms, the rest +186.0 ms)`, if it is no part
 * of it. */
static void add_waiting(struct fields *f, const struct why *w, const struct look *look, const struct figure_unit *unit,
			int64_t longer)
{
	const struct why_thread *t = w->threads;
	int64_t of[2] = { t->waiting, why_rest(t) };
	char text[FIELD_SIZE], amounts[2][FIGURE_SIZE + 8];

	if (t->thread >= look->profile->thread_count || !look->profile->threads[t->thread].marking || t->sum != t->delta ||
	    !t->time || t->delta / w->scale != longer || !why_is_waiting(t))
		return;
	for (int i = 0; i < 2; i++)
		snprintf(amounts[i], sizeof(amounts[i]), "%s%s",
			 why_waits_within(t->waiting, t->delta) ? "" : of[i] < 0 ? canvas_minus(look->ascii) : "+",
			 figure_timed(llabs(of[i] / w->scale), w->per_s, unit, 4, look->ascii).text);
	why_waiting_text(text, sizeof(text), t, amounts[0], amounts[1]);
	fields_add(f, ROLE_NUMBER, 9, "(%s)", text);
}

/* The thread that ends the frames, if it is not among those that the view shows; else PROFILE_NONE. */
static uint32_t thread_left_out(const struct look *look)
{
	const struct profile *p = look->profile;
	uint32_t marks = profile_marking_thread(p);

	if (marks == PROFILE_NONE || !p->threads[marks].marking || profile_selects(p, look->why_threads, marks))
		return PROFILE_NONE;
	return marks;
}

/* `worker 1 only; main ends the frames (press , for main)`. */
static void draw_left_out(const struct look *look, uint32_t marks, struct canvas *c, struct area a)
{
	enum command command = marks + 1 == look->why_threads   ? COMMAND_THREAD_BEFORE
			       : marks == look->why_threads + 1 ? COMMAND_THREAD_AFTER
								: COMMAND_THREADS;
	uint32_t of[2] = { look->why_threads, marks };
	char *shown[2];
	struct fields f = { .gap = 1 };

	for (int i = 0; i < 2; i++) {
		char *name = report_threads(look->profile, of[i]);

		shown[i] = name ? name_shown(name, look->ascii) : NULL;
		free(name);
	}
	fields_add(&f, ROLE_ALARM, 0, "%.60s only;", shown[0] ? shown[0] : "?");
	fields_add(&f, ROLE_ALARM, 0, "%.60s ends the frames", shown[1] ? shown[1] : "?");
	fields_add(&f, ROLE_LABEL, 1, "(press %s for %.60s)", commands[command].shown, shown[1] ? shown[1] : "it");
	fields_draw(&f, c, (struct area){ a.x + 2, a.y, a.width - 2, 1 }, 0);
	free(shown[0]);
	free(shown[1]);
}

/* `main did not run: +88.1 ms (preempted 3 times)`, of the first thread, if that explains something. */
static bool put_off_cpu(const struct why *w, const struct look *look, struct fields *f)
{
	const struct why_thread *t = w->threads;
	char times[OFF_CPU_TEXT], *name, *shown;
	int64_t ns;

	if (!w->thread_count || t->thread >= look->profile->thread_count || !why_off_cpu(w, t, &ns))
		return false;
	name = report_threads(look->profile, t->thread);
	shown = name ? name_shown(name, look->ascii) : NULL;
	off_cpu_text(&t->off, &t->base_off, look->ascii, times);
	fields_add(f, ROLE_LABEL, 0, "%.60s did not run:", shown ? shown : "?");
	fields_add(f, ns > 0 ? ROLE_ALARM : ROLE_NUMBER, 0, "%s%s", ns < 0 ? canvas_minus(look->ascii) : "+",
		   figure_timed(llabs(ns), 1000000000, NULL, 4, look->ascii).text);
	if (*times)
		fields_add(f, ROLE_LABEL, 8, "(%s)", times);
	free(shown);
	free(name);
	return true;
}

/* A value of the frame, the value of its base, and how the two are compared. */
struct comparison {
	int64_t now, base;
	uint64_t per_s;
	bool has_base; /* the base is a frame, whose value is said */
	const char *more, *less, *same;
};

/* `128.6 ms longer` */
static void add_difference(struct fields *f, const struct look *look, const struct comparison *k, const struct figure_unit *unit)
{
	int64_t more = k->now - k->base;

	if (more)
		fields_add(f, ROLE_NUMBER, 10, "%s %s", figure_timed(llabs(more), k->per_s, unit, 4, look->ascii).text,
			   more > 0 ? k->more : k->less);
}

/* `than the median frame (#3 366, 16.7 ms)` */
static void add_base(struct fields *f, const struct look *look, const struct comparison *k, bool differs)
{
	const struct query_options *o = query_options(look->query);
	char words[BASE_WORDS];

	fields_add(f, ROLE_LABEL, 8, "%s %s", differs ? "than" : k->has_base ? k->same : "compared with", base_words(o, words));
	if (k->has_base)
		fields_add(f, ROLE_LABEL, 7, "(#%s, %s)", figure_grouped(o->base).text,
			   figure_timed(k->base, k->per_s, NULL, 3, look->ascii).text);
	if (o->base_reason && *o->base_reason)
		fields_add(f, ROLE_LABEL, 6, "%s", o->base_reason);
}

/* `cpu of main 5.117 ms: 1.079 ms more than the median frame (#2 243, 4.04 ms)`, of the first thread. */
static void draw_measure_head(const struct look *look, const struct why *w, struct canvas *c, struct area a)
{
	const struct why_thread *t = w->threads;
	const struct profile *p = look->profile;
	struct comparison k = { .now = t->time / w->scale, .base = t->base_time / w->scale, .per_s = w->per_s,
				.has_base = profile_find_frame(p, query_options(look->query)->base) && !t->least,
				.more = "more", .less = "less", .same = "as much as" };
	const struct figure_unit *unit = figure_unit_for(k.now ? k.now : k.base, k.per_s);
	char *name = t->thread < p->thread_count ? report_threads(p, t->thread) : NULL, *shown = name ? name_shown(name, look->ascii) : NULL;
	struct fields f = { .gap = 1 };

	fields_add(&f, ROLE_NAME, 0, "%s of %.60s", p->measures[w->measure].key, shown ? shown : "?");
	if (t->least)
		fields_add(&f, ROLE_ALARM, 0, "is not fully known");
	else
		fields_add(&f, ROLE_NAME, 0, "%s:", figure_timed(k.now, k.per_s, unit, 4, look->ascii).text);
	if (!t->least) {
		add_difference(&f, look, &k, unit);
		add_base(&f, look, &k, k.now != k.base);
	}
	fields_draw(&f, c, (struct area){ a.x + 2, a.y, a.width - 2, a.height }, 0);
	free(shown);
	free(name);
}

/* `145.3 ms: 128.6 ms longer than the median frame (#3 366, 16.7 ms)` */
static void draw_time_head(const struct look *look, const struct why *w, struct canvas *c, struct area a)
{
	const struct query_options *o = query_options(look->query);
	const struct profile *p = look->profile;
	const struct profile_frame *frame = profile_find_frame(p, o->frame), *base = profile_find_frame(p, o->base);
	const struct figure_unit *unit = figure_unit_for(frame ? frame->length : 0, p->ticks_per_s);
	struct comparison k = { .per_s = p->ticks_per_s, .has_base = base, .more = "longer", .less = "shorter", .same = "as long as" };
	struct fields f = { .gap = 1 };

	if (!frame)
		return;
	k.now = frame->length;
	k.base = base ? base->length : frame->length;
	fields_add(&f, ROLE_NAME, 0, "%s:", figure_timed(k.now, k.per_s, unit, 4, look->ascii).text);
	add_difference(&f, look, &k, unit);
	if (k.now != k.base)
		add_waiting(&f, w, look, unit, k.now - k.base);
	add_base(&f, look, &k, k.now != k.base);
	fields_draw(&f, c, (struct area){ a.x + 2, a.y, a.width - 2, a.height }, 0);
}

static void draw_head(const struct look *look, const struct why *w, struct canvas *c, struct area a)
{
	if (w->measure == MEASURE_SELF)
		draw_time_head(look, w, c, a);
	else
		draw_measure_head(look, w, c, a);
}

static const struct why *why_of(const struct view *v)
{
	return ((const struct why_table *)v->table.rows)->w;
}

static const struct why_thread *thread_of(const struct view *v)
{
	const struct why_table *rows = (const struct why_table *)v->table.rows;
	const struct why *w = rows ? rows->w : NULL;

	return w && w->thread_count ? &w->threads[v->table.at < rows->table.count ? rows->lines[v->table.at].thread : 0] : NULL;
}

/* `+15.100 ms`, `-3.0%` */
static void put_time(const struct view *v, const struct look *look, int64_t value, char *out, size_t size)
{
	size_t length;

	why_rows_time((const struct why_table *)v->table.rows, look, value, out, size);
	length = strlen(out);
	snprintf(out + length, size - length, " %s", unit_title(v->table.rows->unit, look->ascii));
}

/* By how much more the frames differ than the time of the first thread: of one of them its part is gone, or the thread was
 * not there for all of it. 0: it is the same, or cannot be told. */
static int64_t rest_of(const struct look *look, const struct why *w, const struct why_thread *t)
{
	const struct query_options *o = query_options(look->query);
	const struct profile_frame *frame = profile_find_frame(look->profile, o->frame);
	const struct profile_frame *base = profile_find_frame(look->profile, o->base);

	if (w->rounded || !frame || !base || o->less_overhead || o->path.length || t != w->threads)
		return 0;
	return frame->length - base->length - t->delta;
}

static void add_thread(struct fields *f, const struct view *v, const struct look *look, const struct why_thread *t)
{
	const struct why *w = why_of(v);
	char *name = t->thread < look->profile->thread_count ? report_threads(look->profile, t->thread) : NULL;
	char *shown = name ? name_shown(name, look->ascii) : NULL;
	int64_t rest = w->measure == MEASURE_SELF ? rest_of(look, w, t) : 0;
	char text[64];

	uint32_t missing = t->missing ? t->missing : w->incomplete;

	put_time(v, look, rest && !w->incomplete ? rest : t->delta, text, sizeof(text));
	if (w->thread_count > 1)
		fields_add(f, ROLE_LABEL, 8, "thread %.60s", shown ? shown : "?");
	if (t->least)
		fields_add(f, ROLE_ALARM, 8, "some amounts are not known");
	if ((rest && w->incomplete) || (t->missing && t->sum == t->delta))
		fields_add(f, ROLE_ALARM, 8, "%u slice%s incomplete", missing, missing == 1 ? "" : "s");
	else if (rest && t->sum == t->delta)
		fields_add(f, ROLE_LABEL, 8, "and %s outside the thread's time", text);
	else if (t->sum == t->delta)
		;
	else if (w->rounded)
		fields_add(f, ROLE_LABEL, 8, "rounded; the thread: %s", text);
	else
		fields_add(f, ROLE_ALARM, 8, "of %s, %u slice%s incomplete", text, missing, missing == 1 ? "" : "s");
	free(shown);
	free(name);
}

/* `sum  +24.802 ms  (−0.300 waiting)  thread main` */
static void draw_sum(const struct view *v, const struct look *look, const struct why_thread *t, struct canvas *c,
		     struct area a)
{
	struct fields f = { .gap = 2 };
	char text[64];

	put_time(v, look, t->sum, text, sizeof(text));
	fields_add(&f, ROLE_COLUMN, 0, "sum");
	fields_add(&f, ROLE_NUMBER, 0, "%s", t->least ? "-" : text);
	if (t->waiting) {
		why_rows_time((const struct why_table *)v->table.rows, look, t->waiting, text, sizeof(text));
		fields_add(&f, ROLE_LABEL, 9, "(%s waiting)", text);
	}
	add_thread(&f, v, look, t);
	if (why_of(v)->rounded && t->sum == t->delta)
		fields_add(&f, ROLE_DIM, 7, "rounded");
	fields_draw(&f, c, (struct area){ a.x + 2, a.y, a.width - 2, 1 }, 0);
	canvas_fix_minus(c, (struct area){ a.x, a.y, a.width, 1 });
}

/* How to get to a frame, and how long frames take. */
static void draw_live(const struct look *look, struct canvas *c, struct area a)
{
	struct area words = { a.x + 2, a.y + 1, a.width - 4, a.height - 1 };
	struct frame_times times = frame_times_of(look);
	bool few = a.height < WORDS_LINES;
	int lines;

	if (few)
		words = a;
	lines = canvas_wrapped(c, words, 0, 0, ROLE_PLAIN,
			       few ? "d: why was the longest visible frame so long?"
				   : "Press d to pause at the longest visible frame and see why it took so long. w "
				     "goes to the longest of all, p pauses at the newest, B waits for one over the "
				     "budget.");
	lines += few ? 0 : 2;
	c->cursor_x = a.x;
	c->cursor_y = a.y;
	if (lines < a.height)
		frame_times_draw(&times, c, (struct area){ a.x, a.y + lines, a.width, a.height - lines }, look->ascii);
}

/* Lines of the table; the rest is for lengths of frames. */
static int table_lines(const struct view *v, int height)
{
	int needed = (int)table_count(&v->table) + 1, left = height - needed;

	if (left < TIMES_LEAST)
		return height;
	return left > TIMES_MOST + 1 ? height - TIMES_MOST : needed + 1;
}

static struct area take_lines(struct area *a, int lines, bool below)
{
	struct area taken = { a->x, below ? a->y + a->height - lines : a->y, a->width, lines };

	a->y += below ? 0 : lines;
	a->height -= lines;
	return taken;
}

/* The row that made a frame longer stands first, and is visible at first: the cursor keeps its stack only if
 * that one is visible as well. */
static void begin_at_first(struct view *v, int height)
{
	struct why_view *view = (struct why_view *)v;
	int lines = height < SUM_FROM ? height : height < HEAD_FROM ? height - BELOW : table_lines(v, height - 1 - BELOW);

	if (view->begins && (int)v->table.at >= lines - 1)
		table_home(&v->table);
	if (!v->table.at && table_count(&v->table) > 1 && why_rows_is_heading((const struct why_table *)v->table.rows, 0))
		v->table.at = 1;
	view->begins = false;
}

static void why_draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	struct fields off = { .gap = 1 };
	const struct why_thread *t;
	uint32_t marks;
	int lines;

	if (!is_chosen(look)) {
		draw_live(look, c, a);
		return;
	}
	marks = thread_left_out(look);
	if (marks != PROFILE_NONE && a.height >= SUM_FROM)
		draw_left_out(look, marks, c, take_lines(&a, 1, false));
	t = thread_of(v);
	if (t && a.height > HEAD_FROM && put_off_cpu(why_of(v), look, &off)) {
		draw_head(look, why_of(v), c, (struct area){ a.x, a.y, a.width, 1 });
		take_lines(&a, 1, false); /* the other line takes its place below */
	}
	lines = a.height;
	begin_at_first(v, a.height);
	if (t && a.height >= HEAD_FROM) {
		struct area head = take_lines(&a, 1, false);

		if (off.count)
			fields_draw(&off, c, (struct area){ head.x + 2, head.y, head.width - 2, 1 }, 0);
		else
			draw_head(look, why_of(v), c, head);
		lines = table_lines(v, a.height - BELOW) + BELOW;
	}
	if (lines < a.height) {
		struct frame_times times = frame_times_of(look);

		frame_times_draw(&times, c, take_lines(&a, a.height - lines, true), look->ascii);
	}
	if (t && a.height >= SUM_FROM)
		draw_sum(v, look, t, c, take_lines(&a, 1, true));
	view_draw_table(v, look, c, a);
}

/* What it does */

static bool why_act(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	((struct why_view *)v)->begins = false;
	return table_command(&v->table, command);
}

static uint32_t node_of(const struct view *v)
{
	return v->table.rows ? why_rows_node((const struct why_table *)v->table.rows, v->table.at) : PROFILE_NONE;
}

static bool why_applies(const struct view *v, enum command command)
{
	if (command == COMMAND_BACK)
		return true;
	return (command == COMMAND_DRILL || command == COMMAND_CALLER || command == COMMAND_PATH) &&
	       node_of(v) != PROFILE_NONE;
}

/* From the root down to the row's zone; of a deeper stack what is innermost. */
static bool why_target(const struct view *v, const struct look *look, struct path *out)
{
	const struct keys *keys = look->query ? query_keys(look->query) : NULL;
	uint32_t node = node_of(v), count = 0, place;
	uint64_t ids[PATH_MOST];

	for (; keys && node < keys->node_count && count < PATH_MOST; node = look->profile->nodes[node].parent)
		if (look->profile->nodes[node].parent != PROFILE_NONE)
			ids[count++] = keys->id[keys->of_node[node]];
	if (!count)
		return false;
	path_begin(out, &place, ids[count - 1]);
	for (uint32_t i = count - 1; i-- > 0;)
		path_to_child(out, &place, ids[i]);
	return true;
}

static bool why_thread_id(const struct view *v, uint64_t *id)
{
	const struct why_thread *t = thread_of(v);
	const struct profile *p = t ? ((const struct why_table *)v->table.rows)->now : NULL;

	if (t && t->thread < p->thread_count)
		*id = p->threads[t->thread].id;
	return t && t->thread < p->thread_count;
}

void view_why_go(struct view *v, const struct look *look, uint32_t key)
{
	const struct keys *keys = look->query ? query_keys(look->query) : NULL;

	((struct why_view *)v)->begins = true;
	for (uint32_t i = 0; keys && i < table_count(&v->table); i++) {
		uint32_t node = why_rows_node((const struct why_table *)v->table.rows, i);

		if (node < keys->node_count && keys->of_node[node] == key) {
			table_go_row(&v->table, i);
			return;
		}
	}
}

const struct view_ops view_why = {
	.name = "Why", .key = '5', .size = sizeof(struct why_view), .refresh = why_refresh,
	.draw = why_draw, .command = why_act, .applies = why_applies, .target = why_target, .thread = why_thread_id,
	.leads_back = true, .type = &why_table_type,
};

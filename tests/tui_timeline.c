/* SPDX-License-Identifier: MIT */
/*
 * The timeline: calls stand where they were, the way among them, windows, what is found, and what is not known.
 *
 * A frame of the stage is 16 ms. Of each of the last ones there are transitions: update, in it ai with ten calls of ray of
 * 0.1 ms each, and draw; a worker has a job, and in it array.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tui_stage.h"
#include "tui/widgets/boxes.h"

#define US INT64_C(1000)
#define MS (1000 * US)
#define FRAME (16 * MS)

struct giver {
	struct stage *stage;
	int64_t until; /* the tick up to which they were given */
	bool gap;      /* one is to be given first */
};

static void put(struct transitions *t, struct transition_list *l, const struct profile *p, const char *thread,
		const char *path, int64_t tick, int64_t length)
{
	uint32_t node = dsl_node((struct profile *)p, thread, path);

	if (length >= 0)
		assert_true(transitions_add(t, l, (struct transition){ tick, node, TRANSITION_ENTER }));
	else
		assert_true(transitions_add(t, l, (struct transition){ tick, node, TRANSITION_LEAVE }));
}

static bool in_stretches; /* draw is a stretch of a call, and the job is suspended */

/* The last transition of the list is of a call that is suspended, or was. */
static void stretch(struct transition_list *l)
{
	struct transition *n = &l->at[l->count - 1];

	if (in_stretches)
		n->kind = n->kind == TRANSITION_ENTER ? TRANSITION_RESUME : TRANSITION_SUSPEND;
}

static int pools; /* so many threads more have a job */

#define UPDATE "update@loop.c:10"
#define AI UPDATE "/ai@ai.c:20"

static void give_frame(struct transitions *t, const struct profile *p, int64_t at)
{
	struct transition_list *main = transitions_of(t, 1, 0), *job;

	put(t, main, p, "main", UPDATE, at, 1);
	put(t, main, p, "main", AI, at + MS, 1);
	for (int i = 0; i < 10; i++) {
		put(t, main, p, "main", AI "/ray", at + MS + i * 200 * US, 1);
		put(t, main, p, "main", AI "/ray", at + MS + i * 200 * US + 100 * US + i * US, -1);
	}
	put(t, main, p, "main", AI, at + 5 * MS, -1);
	put(t, main, p, "main", UPDATE, at + 11 * MS, -1);
	put(t, main, p, "main", "draw", at + 11 * MS, 1);
	stretch(main);
	put(t, main, p, "main", "draw", at + 15 * MS, -1);
	stretch(main);
	job = transitions_of(t, 2, 1);
	put(t, job, p, "7", "job", at + 4 * MS, 1);
	put(t, job, p, "7", "job/array", at + 5 * MS, 1);
	put(t, job, p, "7", "job/array", at + 6 * MS, -1);
	put(t, job, p, "7", "job", at + 12 * MS, -1);
	stretch(job);
	for (int i = 0; i < pools; i++) {
		char thread[16];

		snprintf(thread, sizeof(thread), "w%d", i);
		if (profile_parse_thread(p, thread, NULL) == PROFILE_NONE)
			profile_add_thread((struct profile *)p, 100 + (uint64_t)i, 0, thread);
		job = transitions_of(t, 3 + (uint64_t)i, profile_parse_thread(p, thread, NULL));
		put(t, job, p, thread, "job", at + MS, 1);
		put(t, job, p, thread, "job", at + 2 * MS, -1);
	}
}

/* All whole frames since the last time. */
static bool give(void *context, struct transitions *t)
{
	struct giver *g = context;
	const struct profile *p = g->stage->p;

	for (uint32_t i = 0; i < 2 && g->gap; i++) {
		struct transition_list *l = transitions_of(t, i + 1, i);

		assert_true(transitions_add(t, l, (struct transition){ g->until, 0, TRANSITION_GAP }));
	}
	for (; g->until + FRAME <= p->now_tick; g->until += FRAME)
		give_frame(t, p, g->until);
	g->gap = false;
	return true;
}

/* 20 frames, of which the first 10 are not known singly. */
static void begin_with(struct stage *t, struct giver *g, int width, int height, bool coloured,
		       bool (*giving)(void *, struct transitions *))
{
	struct app_options o = stage_options();

	*g = (struct giver){ .stage = t, .until = 10 * FRAME, .gap = true };
	stage_open(t, &o, width, height);
	stage_attach(t, stage_game(20));
	t->p->now_tick = 20 * FRAME;
	t->app.style.coloured = coloured;
	singles_from(t->app.at->times.singles, giving, g);
	stage_data(t);
	stage_type(t, "6");
	assert_int_equal(t->app.view, VIEW_TIMELINE);
	stage_data(t);
}

static void begin(struct stage *t, struct giver *g, int width, int height, bool coloured)
{
	begin_with(t, g, width, height, coloured, give);
}

static void calls_stand_where_they_were(void **state)
{
	struct stage t;
	struct giver g;
	int x, y, draw_y;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_expect(&t, "[6 Time]");
	stage_expect(&t, "48.00 ms wide   1 column = 500.0 µs   0 is now"); /* three frames in 96 cells */
	stage_expect(&t, "|−40 ms"); /* the same minus as below the frame graph */
	stage_expect(&t, "single calls of the last 0.2 s");
	assert_true(stage_find(&t, "main   ▏update  11.00 ms", &x, &y) || stage_find(&t, "update  11.00 ms", &x, &y));
	assert_int_equal(x, 7 + 1);
	assert_true(stage_find(&t, "draw", &x, &draw_y) && draw_y == y);
	assert_int_equal(x, 7 + 22 + 1);
	stage_expect(&t, "\n         ▏ai     "); /* below update, a ms later */
	assert_true(stage_find(&t, "job  8.000 ms", &x, &y));
	assert_int_equal(x, 7 + 8 + 1);
	stage_expect(&t, "18  16.00 ms");
	stage_end(&t);
}

static void a_lane_that_is_no_thread_says_so(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 120, 24, true);
	stage_expect(&t, "\npool ");
	t.p->threads[1].lane = PROFILE_LOCK;
	stage_data(&t);
	stage_expect(&t, "\nlock pool ");
	stage_end(&t);
}

static void expect_detail(struct stage *t, const char *what)
{
	char line[200];

	snprintf(line, sizeof(line), "\n%s", what);
	stage_expect(t, line);
}

/* Its length is that of the box, and not of the call. */
static void a_stretch_says_what_it_is(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	in_stretches = true;
	begin(&t, &g, 80, 24, true);
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "update  11.00 ms  self 7.000 ms  at ");
	stage_press(&t, TERM_RIGHT);
	expect_detail(&t, "draw  at least 4.000 ms  self 4.000 ms  ");
	stage_expect(&t, "resumed, suspended");
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "job  at least 8.000 ms");
	stage_expect(&t, "suspended");
	in_stretches = false;
	stage_end(&t);
}

static void the_cursor_goes_from_call_to_call(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_expect(&t, "Arrow keys select a call");
	stage_press(&t, TERM_DOWN);
	stage_expect(&t, "PAUSED"); /* what one moves in stands still */
	expect_detail(&t, "update  11.00 ms  self 7.000 ms  at ");
	stage_press(&t, TERM_RIGHT);
	expect_detail(&t, "draw  4.000 ms  self 4.000 ms  at ");
	stage_press(&t, TERM_LEFT);
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "ai  4.000 ms  self 2.955 ms"); /* ten calls of 100 to 109 us */
	stage_expect(&t, "‹ update");
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "ray  100.0 µs  self 100.0 µs");
	stage_press(&t, TERM_UP);
	stage_press(&t, TERM_UP);
	expect_detail(&t, "update  11.00 ms");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_DOWN); /* nothing is below ray: the next lane */
	expect_detail(&t, "job  8.000 ms");
	stage_press(&t, TERM_UP);
	expect_detail(&t, "update  11.00 ms");
	stage_press(&t, STAGE_ENTER);
	stage_press(&t, STAGE_ENTER);
	assert_int_equal(t.app.view, VIEW_GRAPH);
	stage_expect(&t, "path: [update]");
	stage_end(&t);
}

/* Windows: nearer and farther, to a call, to a frame, and back. */
static void windows(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "-");
	stage_expect(&t, "72.00 ms wide"); /* live, it still follows */
	stage_expect(&t, "LIVE");
	stage_type(&t, "+");
	stage_expect(&t, "48.00 ms wide");
	stage_type(&t, "0");
	stage_expect(&t, "16.00 ms wide");
	stage_expect(&t, "0 is the start of the frame");
	stage_press(&t, TERM_BACKSPACE);
	stage_expect(&t, "48.00 ms wide");
	stage_type(&t, "/ai\r");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "4.500 ms wide");
	stage_press(&t, TERM_HOME); /* the oldest that is known */
	stage_type(&t, "----------");
	stage_press(&t, TERM_HOME);
	stage_expect(&t, "calls of main from");
	stage_press(&t, TERM_END);
	stage_type(&t, "0");
	stage_type(&t, "[[[["); /* a frame that is chosen comes into sight */
	stage_expect(&t, "16  16.00 ms");
	stage_press(&t, TERM_PAGE_UP);
	stage_expect(&t, "15  16.00 ms");
	stage_end(&t);
}

/* Each call that is found is one of the zone, none is missed, and n and N go through them in time. */
static void what_is_searched_for_is_found(void **state)
{
	struct stage t;
	struct giver g;
	int x, y;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_press(&t, TERM_HOME);
	stage_type(&t, "/ray\r");
	for (int frame = 10, call = 0; frame < 20; frame++)
		for (int i = 0; i < 10; i++, call++) {
			char text[64];

			snprintf(text, sizeof(text), "ray  %d.0 µs", 100 + i);
			stage_expect(&t, text);
			stage_type(&t, "n");
		}
	stage_expect(&t, "ray  109.0 µs"); /* there are no more */
	stage_type(&t, "N");
	stage_expect(&t, "ray  108.0 µs");
	stage_type(&t, "/job\r");
	assert_true(stage_find(&t, "job  8", &x, &y));
	stage_end(&t);
}

/* A search begun while a frame is viewed finds a call of this frame; the whole name of a zone means only this
 * zone. */
static void a_search_begins_at_what_is_seen(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p[[[0");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "ray  100.0 µs  self 100.0 µs  at +1.000 ms");
	stage_type(&t, "/ai\r"); /* around it */
	expect_detail(&t, "ai  4.000 ms  self 2.955 ms  at +1.000 ms");
	stage_type(&t, "/draw\r"); /* behind it */
	expect_detail(&t, "draw  4.000 ms  self 4.000 ms  at +11.00 ms");
	stage_type(&t, "/ray\r"); /* before it, and not `array` of the worker */
	expect_detail(&t, "ray  100.0 µs  self 100.0 µs  at +1.000 ms  61 of 100 found");
	stage_type(&t, "/arra\r");
	expect_detail(&t, "array  1.000 ms  self 1.000 ms  at +5.000 ms  7 of 10 found");
	stage_expect(&t, "PAUSED  frame 17 ");
	stage_end(&t);
}

/* Each letter begins where the cursor was before the first one, and who gives up is there again. */
static void a_search_is_typed(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p[[[0");
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "update  11.00 ms  self 7.000 ms  at +0.000 ns");
	stage_type(&t, "/a");
	expect_detail(&t, "update  11.00 ms");
	stage_type(&t, "r"); /* the first of `array` in the frame is that of the worker */
	expect_detail(&t, "array  1.000 ms  self 1.000 ms  at +5.000 ms");
	stage_press(&t, TERM_BACKSPACE);
	expect_detail(&t, "update  11.00 ms");
	stage_type(&t, "rray");
	stage_press(&t, STAGE_ESCAPE);
	expect_detail(&t, "update  11.00 ms  self 7.000 ms  at +0.000 ns");
	stage_expect(&t, "PAUSED  frame 17 ");
	/* the first in sight, also where the cursor's call began before that: */
	stage_type(&t, "/job\r:zoom 2ms\r"); /* +7 to +9 ms, */
	for (int i = 0; i < 3; i++)
		stage_press(&t, TERM_PAGE_DOWN); /* +10 to +12 */
	expect_detail(&t, "job  8.000 ms  self 7.000 ms  at +4.000 ms");
	stage_type(&t, ":search a\r"); /* array was before */
	expect_detail(&t, "draw  4.000 ms  self 4.000 ms  at +11.00 ms");
	stage_expect(&t, "2.000 ms wide");
	stage_end(&t);
}

/* Esc ends what is searched for, and the pause when it is pressed again. */
static void esc_ends_a_search(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p[[[0/ray\r");
	expect_detail(&t, "ray  100.0 µs  self 100.0 µs  at +1.000 ms  61 of 100 found");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED  frame 17 ");
	expect_detail(&t, "ray  100.0 µs  self 100.0 µs  at +1.000 ms  1 of 10 visible");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED  frame 17 ");
	stage_end(&t);
}

static void what_is_not_known_is_said(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_press(&t, TERM_HOME);
	for (int i = 0; i < 12; i++)
		stage_type(&t, "-");
	stage_expect(&t, "before that sums of frames");
	assert_false(stage_shows(&t, "~"));
	stage_end(&t);
	/* nothing at all */
	stage_begin(&t, 0);
	stage_type(&t, "6");
	stage_expect(&t, "no single calls are known");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_end(&t);
}

/* A frame of long ago may have its calls. Then the window is not one of sums alone. */
static bool give_spared(void *context, struct transitions *t)
{
	struct giver *g = context;
	struct transition_list *list = transitions_of(t, 1, 0);

	if (g->gap) {
		give_frame(t, g->stage->p, 4 * FRAME); /* frame 5 */
		list->long_ago = list->first + list->count;
	}
	return give(context, t);
}

static void calls_of_a_spared_frame_are_no_sums(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin_with(&t, &g, 103, 24, true, give_spared);
	stage_type(&t, "p:frame 5\r0");
	stage_expect(&t, "▏ai  4.000 ms");
	stage_expect(&t, "  single calls where known\n");
	stage_expect(&t, "   single calls where known, else sums of frames");
	stage_type(&t, ":frame 8\r0");
	stage_expect(&t, "9 Worst  sums of frames\n");
	stage_expect(&t, "before that sums of frames");
	stage_end(&t);
}

/* Time without single calls shows the sums of its frames, in braces. */
static void frames_have_sums(void **state)
{
	struct stage t;
	struct giver g;
	int x, y, sum_x, sum_y;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p0[[[[[[[[[["); /* frame 10: the last that is not known singly */
	stage_expect(&t, "PAUSED  frame 10 ");
	stage_expect(&t, "calls of main from 16.00 ms on, before that sums of frames");
	assert_false(stage_shows(&t, "single calls of the last")); /* which are not those of this frame */
	assert_true(stage_find(&t, "{update  11.00 ms", &sum_x, &sum_y)); /* 8 ms of its own, ai with 4 */
	stage_expect(&t, "{draw  4.000 ms");
	assert_true(stage_find(&t, "frames ", &x, &y) && y < sum_y);
	stage_type(&t, "---");
	stage_expect(&t, "{update");
	stage_expect(&t, "▏update");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_HOME);
	stage_type(&t, "p");
	stage_expect(&t, "LIVE");
	stage_end(&t);
	/* frames alone */
	stage_begin(&t, 5);
	stage_type(&t, "6p");
	stage_expect(&t, "no single calls are known: sums of frames");
	stage_press(&t, TERM_DOWN);
	stage_expect(&t, "sum of frame ");
	stage_press(&t, STAGE_ENTER); /* its frame */
	stage_expect(&t, "18.00 ms wide");
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "ai  4.000 ms  self 3.000 ms");
	stage_press(&t, TERM_LEFT);
	stage_press(&t, TERM_UP);
	stage_press(&t, TERM_RIGHT);
	expect_detail(&t, "draw  4.000 ms  self 4.000 ms  1 call  sum of frame ");
	stage_press(&t, STAGE_ENTER);
	stage_press(&t, STAGE_ENTER);
	assert_int_equal(t.app.view, VIEW_GRAPH);
	stage_end(&t);
}

/* A measurement is what all views cover, with the parts of calls that lie in it, until it is given up. */
static void what_is_measured_is_looked_at(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 30, true);
	stage_type(&t, "p0");
	stage_type(&t, "/ray\r|");
	stage_expect(&t, "Enter zooms to 100.0 µs");
	stage_press(&t, TERM_RIGHT);
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "Enter zooms to 502.0 µs"); /* the third begins 400 µs behind the first and takes 102 */
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "selection: 502.0 µs in all views");
	stage_type(&t, "1");
	stage_expect(&t, "502.0 µs of time");
	stage_expect(&t, "PAUSED  selection of 502.0 µs  −");
	assert_false(stage_shows(&t, "frame 103"));
	stage_expect(&t, "\n>   ray                      0.303     0.303       3   60.4%");
	stage_expect(&t, "\n  + ai                       0.199     0.502       1   39.6%");
	stage_expect(&t, "\n  + update                   0.000     0.502       1    0.0%");
	stage_type(&t, "3");
	stage_expect(&t, "path: [ray]");
	stage_expect(&t, "\n> - ray           303.000");
	stage_type(&t, "4");
	stage_expect(&t, "      - ai ");
	stage_type(&t, "8");
	stage_expect(&t, "ray  303.0");
	stage_type(&t, "1");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "this frame");
	stage_expect(&t, "PAUSED");
	/* Esc lets go of what is measured first; another frame of what was selected */
	stage_type(&t, "6|");
	stage_expect(&t, "Enter zooms to");
	stage_press(&t, STAGE_ESCAPE);
	assert_false(stage_shows(&t, "Enter zooms to"));
	stage_expect(&t, "PAUSED");
	stage_type(&t, "|");
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "1");
	stage_expect(&t, " of time");
	stage_type(&t, "[");
	assert_false(stage_shows(&t, " of time"));
	stage_type(&t, "6|");
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "p");
	stage_expect(&t, "LIVE");
	assert_false(stage_shows(&t, " of time"));
	stage_end(&t);
}

/* Below a view what happened in the time that it is of. */
static void what_happened_is_of_what_is_looked_at(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 30, true);
	assert_true(profile_add_instant(t.p, 305 * MS + 50 * US, 0, PROFILE_NONE, "inside", false));
	assert_true(profile_add_instant(t.p, 315 * MS, 0, PROFILE_NONE, "outside", false));
	stage_data(&t);
	stage_type(&t, "p06/ray\r|");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "selection: 100.0 µs in all views");
	for (const char *view = "1246"; *view; view++) {
		stage_press(&t, (uint32_t)*view);
		stage_expect(&t, "+50.0 µs main       ◆ inside");
		assert_false(stage_shows(&t, "main       ◆ outside"));
	}
	stage_type(&t, "1");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "main       ◆ inside");
	stage_expect(&t, "main       ◆ outside");
	stage_end(&t);
}

/* Time without single calls is measured by its frames, too; unknown time is said to be missing. */
static void sums_are_measured(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 30, true);
	stage_type(&t, "p:frame 5\r0");
	stage_press(&t, TERM_DOWN);
	stage_expect(&t, "sum of frame 5");
	stage_type(&t, "|");
	stage_expect(&t, "Enter zooms to 16.00 ms"); /* where in the frame it was is not known: all of it */
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "selection 16.00 ms; Esc goes back");
	stage_type(&t, "1");
	stage_expect(&t, "\n>   draw                     4.000     4.000       1   25.0%"); /* as the frame has it */
	stage_expect(&t, "\n  + ai                       3.000     4.000       2   18.8%");
	stage_type(&t, "5");
	stage_expect(&t, "Why compares one frame. Esc goes back to it.");
	stage_type(&t, "a");
	stage_expect(&t, "a selection is shown");
	stage_type(&t, "d"); /* it is the frame that is asked about */
	stage_expect(&t, "vs median");
	assert_false(stage_shows(&t, " of time"));
	stage_end(&t);
}

/* A program has nothing of another one's. */
static void programs_do_not_mix(void **state)
{
	struct app_options o = stage_options();
	struct profile *other = dsl_profile("frame 1 16000000\nmain sleep 16000000 1 16000000\n");
	struct stage t, theirs = { .p = other };
	struct giver g = { .stage = &t }, of_other = { .stage = &theirs };

	(void)state;
	stage_open(&t, &o, 103, 30);
	stage_attach(&t, stage_game(20));
	t.p->now_tick = 20 * FRAME;
	singles_from(t.app.at->times.singles, give, &g);
	stage_data(&t);
	assert_true(app_add_track(&t.app, "other"));
	app_attach(&t.app, 1, other);
	other->now_tick = 20 * FRAME;
	profile_add_thread(other, 2, 0, "7");
	singles_from(t.app.tracks[1].times.singles, give, &of_other);
	stage_type(&t, "6");
	stage_data(&t);
	for (int i = 0; i < 8; i++) {
		stage_press(&t, TERM_TAB);
		stage_press(&t, TERM_DOWN);
		stage_type(&t, t.app.focus ? "|" : "-");
	}
	stage_type(&t, "1");
	stage_end(&t);
	profile_free(other);
}

static void add_part(struct profile *p, uint64_t frame, const char *thread, const char *zone, int64_t bound)
{
	struct profile_cell cell = { dsl_node(p, thread, zone), MS, 1, MS };
	struct profile_part part = { .thread = dsl_thread(p, thread), .bound = bound, .end = bound + MS, .cell_count = 1,
				     .cells = &cell };

	assert_true(profile_set_part(p, frame, &part));
}

/* Lanes in which nothing is in sight are passed, and those of threads that have ended are there. */
static void lanes_that_are_idle_are_passed(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 40, true);
	for (int i = 0; i < 8; i++) {
		char name[16];

		snprintf(name, sizeof(name), "idle %d", i);
		profile_add_thread(t.p, 100 + (uint64_t)i, 0, name);
	}
	add_part(t.p, 20, "last", "flush", 19 * FRAME);
	t.p->threads[dsl_thread(t.p, "last")].state = THREAD_ENDED;
	stage_data(&t);
	stage_type(&t, "p0");
	for (int i = 0; i < 12; i++)
		stage_press(&t, TERM_DOWN);
	expect_detail(&t, "flush  1.000 ms");
	for (int i = 0; i < 12; i++)
		stage_press(&t, TERM_UP);
	expect_detail(&t, "update  11.00 ms");
	/* what there is no room for is said, and comes back when there is */
	for (int i = 0; i < 12; i++)
		stage_press(&t, TERM_DOWN);
	lines_begin(&t.c, 103, 20, false);
	stage_draw(&t);
	assert_false(stage_shows(&t, "\nmain "));
	stage_expect(&t, " of 12");
	lines_begin(&t.c, 103, 50, false);
	stage_draw(&t);
	stage_expect(&t, "\nmain ");
	stage_end(&t);
}

/* In ASCII, the v of a lane that is cut takes none of its name. On a narrow screen, three dots would leave none. */
static void names_of_lanes_are_legible_in_ascii(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 14, false);
	assert_true(profile_text(&t.p->threads[1].name, "worker 1"));
	t.app.style.ascii = true;
	stage_data(&t);
	stage_expect(&t, "\nworker 1 v");
	lines_begin(&t.c, 20, 5, true);
	stage_draw(&t);
	stage_expect(&t, "\nmai v");
	stage_expect(&t, "\nwor v");
	stage_end(&t);
}

/* Selected threads have their lanes alone. */
static void lanes_are_of_the_threads_that_are_chosen(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_expect(&t, "\nmain ");
	stage_type(&t, ":thread pool\r");
	stage_expect(&t, "\npool ");
	stage_expect(&t, " of pool");
	stage_expect(&t, " alone, T shows ");
	assert_false(stage_shows(&t, "\nmain "));
	stage_type(&t, ":thread all\r");
	stage_expect(&t, "\nmain ");
	stage_type(&t, "\\");
	stage_expect(&t, "the timeline has no filter");
	stage_type(&t, ":unit us\r");
	stage_expect(&t, "update  11000 µs");
	stage_end(&t);
}

static uint32_t found_longer(struct stage *t, const char *search, int least_us)
{
	char last[200] = "", now[200];
	uint32_t count = 0;

	stage_press(t, TERM_HOME);
	stage_type(t, search);
	stage_expect(t, "  1 of ");
	stage_expect(t, " found");
	for (;; count++) {
		char *text = lines_text(&t->c), *at = strstr(text, "\nray  ");

		snprintf(now, sizeof(now), "%.60s", at ? at : "");
		free(text);
		if (!*now || !strcmp(now, last))
			return count;
		if (atof(now + 6) <= least_us)
			fail_msg("%s", now);
		strcpy(last, now);
		stage_type(t, "n");
	}
}

/* From call to call of one zone, whatever is searched for, and back. */
static void the_calls_of_a_zone_follow_each_other(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "<");
	stage_expect(&t, "PAUSED");
	expect_detail(&t, "update  11.00 ms"); /* there was no cursor: it is put on a call first */
	stage_press(&t, TERM_HOME);
	stage_type(&t, "/ray\r");
	for (int frame = 10, call = 0; frame < 20; frame++)
		for (int i = 0; i < 10; i++, call++) {
			char text[64];

			snprintf(text, sizeof(text), "ray  %d.0 µs", 100 + i);
			expect_detail(&t, text);
			stage_type(&t, call < 99 ? ">" : "");
		}
	stage_type(&t, ">");
	stage_expect(&t, "no call of this zone is known after this one");
	expect_detail(&t, "ray  109.0 µs");
	stage_type(&t, "<<");
	expect_detail(&t, "ray  107.0 µs");
	stage_type(&t, "/job\r<");
	expect_detail(&t, "job  8.000 ms");
	stage_expect(&t, "\njob ");
	for (int frame = 0; frame < 10; frame++)
		stage_type(&t, "<");
	stage_expect(&t, "no call of this zone is known before this one");
	stage_type(&t, "8<");
	stage_expect(&t, "single calls are in the timeline: press 6");
	stage_end(&t);
}

/* Where the time of a call goes. */
static void the_longest_inside(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "s"); /* to a call first */
	expect_detail(&t, "update  11.00 ms");
	stage_type(&t, "z"); /* what is inside is seen then */
	stage_type(&t, "s");
	expect_detail(&t, "ai  4.000 ms");
	stage_type(&t, "s");
	expect_detail(&t, "ray  109.0 µs"); /* of those of 100 to 109 us the last */
	stage_type(&t, "s");
	stage_expect(&t, "no box inside this one");
	expect_detail(&t, "ray  109.0 µs");
	stage_type(&t, "48g");
	stage_press(&t, TERM_HOME);
	stage_type(&t, "ss");
	assert_string_equal(stage_cursor(&t), "ai");
	stage_type(&t, "sss");
	stage_expect(&t, "no box inside this one");
	stage_end(&t);
}

static void calls_are_found_by_their_length(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p");
	assert_int_equal(found_longer(&t, "/ray >105us\r", 105), 10 * 4); /* of 100 to 109 in each of ten frames */
	stage_end(&t);
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p");
	assert_int_equal(found_longer(&t, "/ray <103us\r", 99), 10 * 3);
	stage_type(&t, "/ray >1 s\r");
	stage_expect(&t, "no single call of 'ray >1 s' is known");
	stage_type(&t, "/>10ms\r");
	stage_expect(&t, "\nupdate  11.00 ms");
	stage_type(&t, "1");
	stage_type(&t, "/nobody >1ms\r");
	stage_expect(&t, "works in the timeline: press 6");
	stage_end(&t);
}

static void windows_are_typed(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "1:zoom 12.5ms\r");
	stage_expect(&t, "[6 Time]");
	stage_expect(&t, "12.50 ms wide");
	stage_expect(&t, "LIVE");
	stage_type(&t, ":ago 0.1s\r"); /* 100 ms before the end, at 320: in frame 14 */
	stage_expect(&t, "PAUSED");
	stage_expect(&t, "12.50 ms wide");
	stage_expect(&t, "\nframes 14  16.00 ms");
	stage_expect(&t, "PAUSED  frame 14 "); /* that is the one that other views show */
	stage_type(&t, ":zoom soon\r");
	stage_expect(&t, "'soon' is not a time");
	stage_press(&t, STAGE_ESCAPE);
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, ":ago 1000000s\r:zoom 100000000s\r");
	stage_expect(&t, "320.0 ms wide"); /* all there is */
	stage_end(&t);
}

/* Lines that begin with it. */
static int lines_of(struct stage *t, const char *name)
{
	char *text = lines_text(&t->c);
	int count = 0;

	for (const char *line = text; (line = strstr(line, name)); line++)
		count += line > text && line[-1] == '\n';
	free(text);
	return count;
}

static void a_deep_lane_leaves_room_for_others(void **state)
{
	(void)state;
	for (int height = 17; height < 25; height++) {
		struct stage t;
		struct giver g;

		begin(&t, &g, 103, height, true);
		assert_int_equal(lines_of(&t, "main "), 1);
		assert_int_equal(lines_of(&t, "pool "), 2);
		assert_int_equal(stage_shows(&t, "main  ↓"), height <= 18); /* it has more rows */
		for (int i = 0; i < 3; i++)
			stage_press(&t, TERM_DOWN);
		assert_int_equal(lines_of(&t, "main "), 1);
		assert_int_equal(lines_of(&t, "pool "), 2);
		stage_end(&t);
	}
}

/* Calls that are said to be visible are on visible lines. */
static void what_is_in_sight_is_counted(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	pools = 40;
	begin(&t, &g, 103, 25, true);
	stage_type(&t, "p[[[0*");
	stage_expect(&t, " of 43");
	for (int i = 0; i < 2; i++)
		stage_press(&t, TERM_DOWN);
	pools = 0;
	expect_detail(&t, "job  8.000 ms  self 7.000 ms  at +4.000 ms  9 of 9 visible");
	stage_type(&t, "/job\r");
	stage_expect(&t, " of 410 found");
	stage_end(&t);
}

/* The role of the cell in which a text begins; `more` stands behind it. */
static enum role role_at(struct stage *t, const char *text, const char *more)
{
	char both[128];
	int x, y;

	snprintf(both, sizeof(both), "%s%s", text, more);
	stage_expect(t, both);
	assert_true(stage_find(t, text, &x, &y));
	return canvas_cell(&t->c, x, y)->role;
}

static int cells_over(struct stage *t)
{
	int cells = 0;

	for (int y = t->c.height / 3; y < t->c.height; y++)
		for (int x = 0; x < t->c.width; x++)
			cells += canvas_cell(&t->c, x, y)->role == ROLE_OVER;
	return cells;
}

/* A call against the mean of those of the whole run. */
static void calls_are_set_against_what_is_usual(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 143, 24, true);
	profile_set_total(t.p, dsl_node(t.p, "main", UPDATE), 250 * MS, 100, 0); /* 2.5 ms a call, and in it 1 of ai: 11 and 4 here */
	profile_set_total(t.p, dsl_node(t.p, "main", AI), 100 * MS, 100, 0);
	profile_set_total(t.p, dsl_node(t.p, "main", AI "/ray"), MS, 100, 0); /* 10 us: ten times as long, some in one cell */
	profile_set_total(t.p, dsl_node(t.p, "main", "draw"), 400 * MS, 100, 0); /* 4 ms, as here */
	stage_data(&t);
	stage_type(&t, "p[[[0");
	assert_int_equal(role_at(&t, "draw  4.000 ms", ""), boxes_role_of("draw"));
	assert_int_equal(cells_over(&t), 0);
	stage_type(&t, "!");
	assert_int_equal(cells_over(&t), 10);
	stage_expect(&t, "colours: against the mean");
	assert_int_equal(role_at(&t, "update  11.00 ms", " ×3.1"), ROLE_BOX_MOST);
	assert_int_equal(role_at(&t, "ai  4.000 ms", " ×4.0"), ROLE_BOX_MOST);
	assert_int_equal(role_at(&t, "draw  4.000 ms", "\n"), ROLE_BOX_PALE);
	stage_press(&t, TERM_DOWN);
	expect_detail(&t, "update  11.00 ms  self 7.000 ms  3.1 times its mean 3.510 ms  at +0.000 ns");
	stage_type(&t, "!");
	assert_false(stage_shows(&t, "its mean"));
	stage_end(&t);
}

/* Waits are long or short as it comes: they stand out later. */
static void waits_stand_out_later(void **state)
{
	(void)state;
	for (int64_t usual = MS / 2; usual <= MS; usual += MS / 2) {
		struct stage t;
		struct giver g;
		uint32_t job;

		begin(&t, &g, 143, 24, true);
		job = dsl_node(t.p, "7", "job");
		t.p->zones[t.p->nodes[job].zone].flags |= ZONE_WAITING;
		profile_set_total(t.p, job, 100 * usual, 100, 0);
		stage_data(&t);
		stage_type(&t, "p[[[0!");
		if (usual < MS)
			assert_int_equal(role_at(&t, "job  8.000 ms", " ×16"), ROLE_BOX_MOST);
		else
			assert_int_equal(role_at(&t, "job  8.000 ms", "\n"), ROLE_BOX_PALE);
		stage_end(&t);
	}
}

/* And against the frame that all is set against, also where it is shorter. */
static void calls_are_set_against_the_base(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 143, 24, true);
	stage_type(&t, "p[[[d60");
	stage_expect(&t, "colours: against median");
	assert_int_equal(role_at(&t, "job  8.000 ms", " ×4.0"), ROLE_BOX_MOST);
	assert_int_equal(role_at(&t, "draw  4.000 ms", "\n"), ROLE_BOX_PALE);
	assert_int_equal(role_at(&t, "array", ""), ROLE_BOX_MOST); /* there is none in the base */
	stage_press(&t, TERM_DOWN);
	stage_expect(&t, "  mean in the base ");
	assert_false(stage_shows(&t, "against the mean"));
	stage_end(&t);
}

static void lanes_fold(void **state)
{
	struct stage t;
	struct giver g;
	int x, y, before;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p");
	assert_true(stage_find(&t, "job  8", &x, &before));
	stage_press(&t, TERM_DOWN);
	stage_type(&t, "z");
	assert_true(stage_find(&t, "job  8", &x, &y) && y == before - 2);
	stage_expect(&t, "\nmain  +");
	stage_type(&t, "/ray\r"); /* what is found is seen */
	assert_false(stage_shows(&t, "\nmain  +"));
	stage_type(&t, "z");
	expect_detail(&t, "update  11.00 ms"); /* the cursor goes to what is left in sight */
	stage_press(&t, TERM_DOWN); /* to the next lane at once */
	expect_detail(&t, "job  8.000 ms");
	stage_type(&t, "*");
	stage_expect(&t, "\npool  +");
	stage_type(&t, "*");
	assert_true(stage_find(&t, "job  8", &x, &y) && y == before);
	stage_end(&t);
}

/* From a row of another view to the longest call of its zone in the frame. */
static void a_row_leads_to_its_longest_call(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "1p/ray\r6");
	expect_detail(&t, "ray  109.0 µs");
	stage_press(&t, TERM_UP);
	expect_detail(&t, "ai  4.000 ms");
	stage_type(&t, "@1"); /* and back to the zone that one came to */
	stage_expect(&t, "\n> + ai ");
	stage_end(&t);
}

/* From an event to where it was. */
static void an_event_leads_to_its_time(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	profile_add_instant(t.p, 100 * MS, 0, PROFILE_NONE, "checkpoint", false);
	stage_data(&t);
	stage_type(&t, "pE");
	stage_expect(&t, "checkpoint");
	stage_type(&t, "6:zoom 2ms\r");
	stage_expect(&t, "◆ checkpoint");
	stage_expect(&t, "\nframes 7  16.00 ms"); /* from 96 to 112 ms */
	stage_expect(&t, "PAUSED  frame 7 ");
	stage_end(&t);
	/* the note that a frame ends with */
	begin(&t, &g, 103, 24, true);
	profile_add_instant(t.p, 17 * FRAME - US, 0, PROFILE_NONE, "far behind", false);
	stage_data(&t);
	stage_type(&t, "p[[[0");
	stage_expect(&t, " far behind ◆\n");
	stage_end(&t);
}

/* The frame that has not ended has its place, too: where a program died, one looks there. */
static void the_last_frame_is_not_over(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, ":zoom 300ms\r");
	assert_false(stage_shows(&t, "▏21"));
	t.p->now_tick += 250 * MS;
	stage_data(&t);
	stage_expect(&t, "▏21  running");
	t.p->process.state = PROFILE_DEAD;
	stage_data(&t);
	stage_expect(&t, "▏21  unfinished");
	t.p->process.state = PROFILE_ENDED;
	stage_data(&t);
	assert_false(stage_shows(&t, "▏21"));
	stage_end(&t);
}

/* Signs that ASCII has not are not explained there. */
static void its_help(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 103, 40, true);
	stage_type(&t, "?");
	stage_expect(&t, "░ ▒ ▓ . : #  ");
	stage_type(&t, "q");
	t.app.style.ascii = true;
	stage_type(&t, "?");
	stage_expect(&t, "\n . : #  ");
	assert_false(stage_shows(&t, "░"));
	stage_end(&t);
}

static void the_map_leads_there(void **state)
{
	struct stage t;
	struct giver g;
	int x, y;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p");
	assert_true(stage_find(&t, "frames ", &x, &y));
	stage_click(&t, 7, y - 2); /* the first column of the map */
	stage_expect(&t, "1  16.00 ms");
	stage_click(&t, 102, y - 2);
	stage_expect(&t, "20  16.00 ms");
	stage_end(&t);
}

/* Live the newest is at the right, and the window keeps its width; paused nothing moves. */
static void it_follows_until_it_is_paused(void **state)
{
	struct stage t;
	struct giver g;
	char *before, *after;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_expect(&t, "18  16.00 ms");
	for (int i = 0; i < 30; i++) {
		stage_frame(t.p, 21 + (uint64_t)i, (struct stage_frame){ 3, 2, 4 });
		t.p->now_tick += FRAME;
	}
	stage_data(&t);
	stage_expect(&t, "48  16.00 ms");
	stage_expect(&t, "48.00 ms wide");
	stage_type(&t, "p");
	before = lines_text(&t.c);
	stage_frame(t.p, 51, (struct stage_frame){ 3, 2, 4 });
	t.p->now_tick += FRAME;
	stage_data(&t);
	after = lines_text(&t.c);
	assert_string_equal(strstr(before, "48.00 ms wide"), strstr(after, "48.00 ms wide"));
	free(before);
	free(after);
	stage_type(&t, "p");
	stage_data(&t);
	stage_expect(&t, "LIVE");
	stage_detach(&t);
	stage_expect(&t, "it ended");
	stage_attach(&t, stage_game(3));
	stage_press(&t, TERM_DOWN);
	stage_end(&t);
}

/* Time goes where the mouse goes, and is paused; in the map it is the window that does. */
static void the_mouse_drags(struct stage *t)
{
	int x, y, at;

	stage_type(t, "p:zoom 32ms\r");
	stage_expect(t, "LIVE");
	assert_true(stage_find(t, "20  16.00 ms    ", &x, &y));
	stage_mouse(t, BUTTON_LEFT, MOUSE_PRESS, 60, y + 2);
	stage_mouse(t, BUTTON_LEFT, MOUSE_DRAG, 70, y + 2);
	stage_mouse(t, BUTTON_LEFT, MOUSE_DRAG, 84, y + 2);
	stage_mouse(t, BUTTON_LEFT, MOUSE_RELEASE, 84, y + 2);
	stage_expect(t, "PAUSED");
	assert_true(stage_find(t, "20  16.00 ms    ", &at, &y) && at == x + 24);
	stage_mouse(t, BUTTON_LEFT, MOUSE_DRAG, 90, y + 2); /* it was let go */
	assert_true(stage_find(t, "20  16.00 ms    ", &at, &y) && at == x + 24);
	stage_mouse(t, BUTTON_LEFT, MOUSE_PRESS, 60, y - 2);
	stage_mouse(t, BUTTON_LEFT, MOUSE_DRAG, 7, y - 2);
	stage_expect(t, "\nframes ▏1  16.00 ms");
	stage_mouse(t, BUTTON_LEFT, MOUSE_RELEASE, 7, y - 2);
}

static void the_mouse(void **state)
{
	struct stage t;
	struct giver g;
	int x, y;

	(void)state;
	begin(&t, &g, 103, 24, true);
	stage_type(&t, "p");
	assert_true(stage_find(&t, "job  8", &x, &y));
	stage_click(&t, x, y);
	expect_detail(&t, "job  8.000 ms  self 7.000 ms");
	stage_click(&t, x, y);
	stage_expect(&t, "9.000 ms wide");
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, x, y);
	stage_expect(&t, "13.50 ms wide");
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, x, y);
	stage_expect(&t, "9.000 ms wide");
	the_mouse_drags(&t);
	stage_click(&t, 0, y);
	stage_click(&t, 102, y + 8);
	stage_end(&t);
}

/* Any size, coloured or not, and no key does harm. */
static void any_size(void **state)
{
	static const uint32_t keys[] = { TERM_DOWN, TERM_RIGHT, TERM_LEFT, TERM_UP, STAGE_ENTER, TERM_BACKSPACE, '+', '-', '0',
					 TERM_PAGE_DOWN, TERM_PAGE_UP, TERM_END, TERM_HOME, 'l', 'n', '[', 'p', 'L', '|', 'z', '*',
					 STAGE_ESCAPE, '1', '6' };

	(void)state;
	for (int size = 1; size < 26; size++) {
		uint32_t random = (uint32_t)size;
		struct stage t;
		struct giver g;

		begin(&t, &g, 4 * size, size, size & 1);
		stage_type(&t, "/ray\r");
		for (uint32_t i = 0; i < 300; i++) {
			random = random * 1664525 + 1013904223;
			stage_press(&t, random >> 28 ? keys[(random >> 8) % (sizeof(keys) / sizeof(*keys))] : '6');
			if (i % 19 == 18) {
				stage_frame(t.p, t.p->frames_ended + 1, (struct stage_frame){ 3, 2, 4 });
				t.p->now_tick += FRAME;
				stage_data(&t);
			}
		}
		stage_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_stand_where_they_were),
		cmocka_unit_test(a_lane_that_is_no_thread_says_so),
		cmocka_unit_test(a_stretch_says_what_it_is),
		cmocka_unit_test(the_cursor_goes_from_call_to_call),
		cmocka_unit_test(windows),
		cmocka_unit_test(what_is_searched_for_is_found),
		cmocka_unit_test(a_search_begins_at_what_is_seen),
		cmocka_unit_test(a_search_is_typed),
		cmocka_unit_test(esc_ends_a_search),
		cmocka_unit_test(what_is_not_known_is_said),
		cmocka_unit_test(calls_of_a_spared_frame_are_no_sums),
		cmocka_unit_test(frames_have_sums),
		cmocka_unit_test(what_is_measured_is_looked_at),
		cmocka_unit_test(what_happened_is_of_what_is_looked_at),
		cmocka_unit_test(sums_are_measured),
		cmocka_unit_test(programs_do_not_mix),
		cmocka_unit_test(lanes_that_are_idle_are_passed),
		cmocka_unit_test(names_of_lanes_are_legible_in_ascii),
		cmocka_unit_test(lanes_are_of_the_threads_that_are_chosen),
		cmocka_unit_test(the_calls_of_a_zone_follow_each_other),
		cmocka_unit_test(the_longest_inside),
		cmocka_unit_test(calls_are_found_by_their_length),
		cmocka_unit_test(windows_are_typed),
		cmocka_unit_test(a_deep_lane_leaves_room_for_others),
		cmocka_unit_test(what_is_in_sight_is_counted),
		cmocka_unit_test(calls_are_set_against_what_is_usual),
		cmocka_unit_test(waits_stand_out_later),
		cmocka_unit_test(calls_are_set_against_the_base),
		cmocka_unit_test(lanes_fold),
		cmocka_unit_test(a_row_leads_to_its_longest_call),
		cmocka_unit_test(an_event_leads_to_its_time),
		cmocka_unit_test(the_last_frame_is_not_over),
		cmocka_unit_test(its_help),
		cmocka_unit_test(the_map_leads_there),
		cmocka_unit_test(it_follows_until_it_is_paused),
		cmocka_unit_test(the_mouse),
		cmocka_unit_test(any_size),
	};

	return cmocka_run_group_tests_name("tui: timeline", tests, NULL, NULL);
}

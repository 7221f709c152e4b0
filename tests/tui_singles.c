/* SPDX-License-Identifier: MIT */
/*
 * tui_singles: single calls on the screen: when they are taken, what the pane of a call graph says of them, and the
 * way to the slowest one.
 */
#include "tests/tui_stage.h"

#define MS 1000000

/* Gives transitions: those of ray, as many as the test wants at a time. */
struct giver {
	struct stage *stage;
	unsigned taken; /* how often */
	int64_t now;    /* tick of the newest */
	uint32_t calls; /* to give when asked: of 1 ms each but the last, of 5 */
	int64_t last;   /* or of so many ticks */
	bool apart;     /* what was given before is of long ago, spared as its frame was slow */
};

static bool give(void *context, struct transitions *t)
{
	struct giver *g = context;
	const struct profile *p = g->stage->p;
	struct transition_list *list = transitions_of(t, 1, 0);
	uint32_t ray = dsl_node(g->stage->p, "main", "update@loop.c:10/ai@ai.c:20/ray");

	g->taken++;
	assert_non_null(list);
	assert_true(ray < p->node_count);
	if (g->apart)
		list->long_ago = list->first + list->count;
	for (; g->calls; g->calls--) {
		int64_t time = g->calls > 1 ? MS : g->last ? g->last : 5 * MS;

		assert_true(transitions_add(t, list, (struct transition){ g->now, ray, TRANSITION_ENTER }));
		g->now += time;
		assert_true(transitions_add(t, list, (struct transition){ g->now, ray, TRANSITION_LEAVE }));
	}
	return true;
}

static void begin(struct stage *t, struct giver *g, int width, int height)
{
	struct app_options o = stage_options();

	*g = (struct giver){ .stage = t };
	o.view = VIEW_GRAPH;
	o.zone = "ray";
	stage_open(t, &o, width, height);
	singles_from(t->app.at->times.singles, give, g);
	g->calls = 10;
	stage_attach(t, stage_game(8));
}

/* The next frame, and a tick so much later. */
static void grow(struct stage *t, int64_t ticks)
{
	t->p->now_tick += ticks;
	stage_grow(t, (struct stage_frame){ 3, 2, 4 });
}

static void the_pane_says_what_a_call_takes(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	stage_expect(&t, "calls min/avg/max 15/15/15");
	stage_expect(&t, "per call       min 1.00 ms  median 1.00 ms  p99 5.00 ms  max 5.00 ms");
	stage_expect(&t, "single calls   10 calls in the last");
	stage_expect(&t, "slowest        5.00 ms in frame 1  of 8 searched  thread main  J jump");
	stage_end(&t);
}

static void where_none_is_known_it_says_so(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	stage_detach(&t);
	singles_from(t.app.at->times.singles, NULL, NULL);
	stage_attach(&t, stage_game(8));
	stage_expect(&t, "per call       -");
	stage_expect(&t, "slowest        100 µs in frame 8  of 8 searched"); /* frames know how long the longest took */
	stage_press(&t, 'J');
	assert_int_equal(t.app.at->times.chosen, 8);
	stage_end(&t);
}

/* The single calls that are known are of the last seconds: an older frame may have had a longer one. */
static void the_slowest_is_that_of_all_frames(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	dsl_grow(t.p, "frame 9 16000000\nmain . 1000000 0\nmain update@loop.c:10 1000000 1 1000000\n"
		      "main update@loop.c:10/ai@ai.c:20 3000000 2 900000\n"
		      "main update@loop.c:10/ai@ai.c:20/ray 11000000 10 9000000\n");
	for (int i = 0; i < 200; i++)
		grow(&t, 16 * MS);
	stage_expect(&t, "max 5.00 ms");
	stage_expect(&t, "slowest        9.00 ms in frame 9  of 209 searched  thread main  J jump");
	dsl_cell(t.p, 9, (struct profile_cell){ /* a slice that came late */
		.node = dsl_node(t.p, "main", "update@loop.c:10/physics/ray"), .self = 11 * MS, .count = 1, .longest = 11 * MS });
	grow(&t, 2000 * MS);
	stage_expect(&t, "slowest        11.0 ms in frame 9  of 210 searched  thread main  J jump");
	stage_press(&t, 'J');
	assert_int_equal(t.app.at->times.chosen, 9);
	stage_expect(&t, "slowest        11.0 ms in frame 9  of 210 searched  thread main");
	assert_false(stage_shows(&t, "J jump"));
	stage_press(&t, 'p');
	profile_drop_frames(t.p, 10); /* a frame that is gone is not gone to */
	grow(&t, 2000 * MS);
	stage_expect(&t, "slowest        100 µs in frame");
	stage_end(&t);
}

static void they_are_taken_once_a_second_and_where_they_are_looked_at(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	assert_int_equal(g.taken, 1);
	for (int i = 0; i < 10; i++)
		grow(&t, 16 * MS);
	assert_int_equal(g.taken, 1);
	grow(&t, 900 * MS);
	grow(&t, 16 * MS);
	assert_int_equal(g.taken, 2);
	stage_press(&t, '1');
	for (int i = 0; i < 5; i++)
		grow(&t, 900 * MS);
	assert_int_equal(g.taken, 2);
	stage_end(&t);
}

/* They were taken up to a second ago: until when is said, as what is beside them is of now. */
static void how_old_they_are_is_said(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 100, 24);
	stage_expect(&t, "10 calls in the last");
	grow(&t, 600 * MS);
	stage_expect(&t, "ms up to 0.6 s ago");
	stage_end(&t);
}

/* A paused profile has its own calls, read at that moment; later calls do not change them. */
static void a_pause_takes_its_own(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	stage_type(&t, "@1");
	g.calls = 4;
	stage_press(&t, 'p');
	assert_int_equal(g.taken, 2);
	stage_press(&t, '3');
	stage_expect(&t, "14 calls in the last");
	g.calls = 7;
	for (int i = 0; i < 5; i++)
		grow(&t, 900 * MS);
	assert_int_equal(g.taken, 2);
	stage_expect(&t, "14 calls in the last");
	stage_press(&t, 'p');
	stage_expect(&t, "7 calls in the last");
	stage_end(&t);
}

static void j_goes_to_the_frame_of_the_slowest(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	g.now = t.p->frames[4].start + MS;
	g.calls = 1;
	stage_press(&t, 'p'); /* takes the one, too: of two of one length the newest counts */
	stage_press(&t, 'J');
	assert_int_equal(t.app.at->times.chosen, 5);
	stage_expect(&t, "this frame     1 call  median 5.00 ms");
	stage_expect(&t, "slowest        5.00 ms in frame 5  of 8 searched  thread main");
	assert_false(stage_shows(&t, "J jump"));
	stage_press(&t, '[');
	stage_expect(&t, "this frame     -");
	stage_press(&t, '1');
	stage_press(&t, 'J');
	stage_expect(&t, "open a call graph first");
	stage_end(&t);
}

/* A frame of long ago has a slower call than all the newest: that call is the slowest, and J does not leave the
 * frame. */
static void the_slowest_may_be_in_the_frame_that_is_shown(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	g.apart = true;
	g.now = t.p->frames[4].start;
	g.calls = 3;
	g.last = 2 * MS;
	stage_press(&t, 'p');
	stage_expect(&t, "slowest        2.00 ms in frame 5");
	stage_type(&t, ":1\r");
	stage_expect(&t, "this frame     10 calls");
	stage_expect(&t, "slowest        5.00 ms in frame 1  of 8 searched  thread main");
	assert_false(stage_shows(&t, "J jump"));
	stage_press(&t, 'J');
	assert_int_equal(t.app.at->times.chosen, 1);
	stage_expect(&t, "the slowest call is in this frame; 6 shows when");
	stage_end(&t);
}

/* The call is selected there, so that one sees what is inside. */
static void from_the_slowest_the_timeline_opens_on_it(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	g.now = t.p->frames[4].start + MS;
	g.calls = 1;
	stage_press(&t, 'p');
	stage_type(&t, "J6");
	stage_expect(&t, "ray  5.00");
	stage_end(&t);
}

/* The shown call stays, though there are newer ones. */
static void j_takes_none(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	g.calls = 50;
	stage_press(&t, 'J');
	assert_int_equal(g.taken, 1);
	assert_int_equal(t.app.at->times.chosen, 1);
	stage_expect(&t, "10 calls in the last");
	stage_expect(&t, "this frame     10 calls");
	stage_end(&t);
}

static void a_frame_that_is_not_there_is_said(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 24);
	g.now = t.p->frames[7].start + t.p->frames[7].length + MS;
	g.calls = 1;
	stage_press(&t, 'p');
	stage_press(&t, 'J');
	stage_expect(&t, "has not ended yet");
	stage_press(&t, 'p');
	profile_drop_frames(t.p, 4);
	app_data(&t.app, 0);
	g.now = 0;
	g.calls = 3;
	stage_press(&t, 'p');
	stage_press(&t, 'J');
	stage_expect(&t, "its frame is no longer in the history");
	stage_end(&t);
}

/* The single calls of the frame are gone. The line must not say that no call ended in it. */
static void calls_of_a_frame_that_are_gone_are_said_to_be(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 120, 40);
	stage_press(&t, 'p');
	stage_type(&t, ":4\r"); /* all were given of before it */
	stage_expect(&t, "this frame     -   single calls of this frame are not known");
	stage_press(&t, 'p');
	stage_end(&t);
	begin(&t, &g, 120, 40);
	stage_detach(&t);
	g = (struct giver){ .stage = &t, .now = 5 * 16 * MS + MS, .calls = 3 };
	stage_attach(&t, stage_game(8));
	stage_press(&t, 'p');
	stage_type(&t, ":2\r");
	stage_expect(&t, "this frame     -   single calls of this frame are no longer kept");
	stage_type(&t, ":6\r");
	stage_expect(&t, "this frame     3 calls");
	stage_expect(&t, "its first calls are no longer kept");
	stage_end(&t);
}

/* Selects `count` frames from this one on. */
static void select_frames(struct stage *t, const char *first, int count)
{
	stage_type(t, ":");
	stage_type(t, first);
	stage_type(t, "\r\t|");
	for (int i = 1; i < count; i++)
		stage_press(t, TERM_RIGHT);
	stage_press(t, STAGE_ENTER);
}

/* All lines are of the selection. No line is of another time. */
static void a_selection_has_its_own(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	begin(&t, &g, 80, 40);
	g.now = t.p->frames[4].start;
	g.calls = 3;
	g.last = 2 * MS;
	stage_press(&t, 'p');
	stage_expect(&t, "single calls   13 calls in the last");
	stage_expect(&t, "calls min/avg/max");
	stage_expect(&t, "this frame");
	select_frames(&t, "4", 3);
	stage_expect(&t, "frames 4–6 (3 frames");
	stage_expect(&t, "per call       min 1.00 ms  median 1.00 ms  p99 2.00 ms  max 2.00 ms");
	stage_expect(&t, "single calls   3 calls in the selection");
	stage_expect(&t, "slowest        2.00 ms in frame 5");
	assert_false(stage_shows(&t, "calls min/avg/max") || stage_shows(&t, "this frame") || stage_shows(&t, "5.00 ms"));
	stage_type(&t, ":5\r");
	stage_expect(&t, "single calls   13 calls in the last");
	stage_expect(&t, "this frame     3 calls");
	select_frames(&t, "2", 2);
	stage_expect(&t, "per call       -   no known call ended in the selection");
	stage_expect(&t, "slowest        100 µs in frame 3  of the selection");
	stage_end(&t);
}

static void every_size_has_its_lines(void **state)
{
	struct stage t;
	struct giver g;

	(void)state;
	for (int height = 1; height < 60; height += 4)
		for (int width = 1; width < 130; width += 16) {
			begin(&t, &g, width, height);
			if (height >= 45 && width > 20)
				stage_expect(&t, "histogram");
			if (height < 12)
				assert_false(stage_shows(&t, "one call"));
			stage_end(&t);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pane_says_what_a_call_takes),
		cmocka_unit_test(where_none_is_known_it_says_so),
		cmocka_unit_test(the_slowest_is_that_of_all_frames),
		cmocka_unit_test(they_are_taken_once_a_second_and_where_they_are_looked_at),
		cmocka_unit_test(how_old_they_are_is_said),
		cmocka_unit_test(a_pause_takes_its_own),
		cmocka_unit_test(j_goes_to_the_frame_of_the_slowest),
		cmocka_unit_test(the_slowest_may_be_in_the_frame_that_is_shown),
		cmocka_unit_test(from_the_slowest_the_timeline_opens_on_it),
		cmocka_unit_test(j_takes_none),
		cmocka_unit_test(a_frame_that_is_not_there_is_said),
		cmocka_unit_test(calls_of_a_frame_that_are_gone_are_said_to_be),
		cmocka_unit_test(a_selection_has_its_own),
		cmocka_unit_test(every_size_has_its_lines),
	};

	return cmocka_run_group_tests_name("tui: single calls", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * The view of the worst frames, and w in the order that it has.
 */
#include "tests/tui_stage.h"

static const struct {
	int work, wait; /* ms */
} frames[] = { { 5, 5 }, { 5, 5 }, { 5, 25 }, { 5, 5 }, { 5, 5 }, { 18, 2 }, { 5, 5 }, { 12, 4 }, { 5, 5 }, { 5, 5 } };

/* Frames 1 to 10 take 10 ms, half of which is waiting; 3 waits for 25 ms, 6 works for 18, 8 for 12. */
static void begin_at(struct stage *t, int width, int height)
{
	struct app_options o = stage_options();
	struct profile *p = profile_new();
	char text[160];

	assert_non_null(p);
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	for (int i = 0; i < 10; i++) {
		snprintf(text, sizeof(text), "frame %d %d000000\nmain draw %d000000 1\nmain draw/vsync %d000000 1\n", i + 1,
			 frames[i].work + frames[i].wait, frames[i].work, frames[i].wait);
		dsl_grow(p, text);
	}
	p->threads[0].marking = true;
	assert_true(profile_text(&p->process.program, "/opt/game"));
	stage_open(t, &o, width, height);
	stage_attach(t, p);
}

static void begin(struct stage *t)
{
	begin_at(t, 80, 24);
}

static void expect_frame(struct stage *t, const char *keys, uint64_t frame, const char *said)
{
	stage_type(t, keys);
	assert_int_equal(t->app.at->times.chosen, frame);
	stage_expect(t, said);
}

static void the_longest_stands_first(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "9");
	stage_expect(&t, "[9 Worst]");
	stage_expect(&t, " 10 frames\n");
	stage_expect(&t, "   FRAME   AGE s  LENGTH ms▼  BUSY ms  MORE ms  IN ZONE\n"
			 ">      3     0.1      30.000    5.000   20.000  vsync (waits)\n"
			 "       6     0.0      20.000   18.000   13.000  draw\n"
			 "       8     0.0      16.000   12.000    7.000  draw\n"
			 "      10     0.0      10.000    5.000        -  -\n");
	stage_type(&t, "b15\r");
	stage_expect(&t, "LENGTH ms▼  BUSY ms  OVER ms  MORE ms  IN ZONE\n");
	stage_expect(&t, "30.000    5.000  +15.000   20.000  vsync");
	stage_expect(&t, "10.000    5.000        -        -  -");
	stage_end(&t);
}

/* Most turns serve one request, some about fifty: the longest turn is compared
 * with one of these, as Why does. Against the median turn all of its time would
 * be new. */
static void turns_of_another_kind_are_compared_with_their_like(void **state)
{
	struct app_options o = stage_options();
	char text[1024] = "";
	struct stage t;

	(void)state;
	for (int n = 1; n <= 12; n++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "frame %d %d\nmain get %d %d\n", n,
			 n % 3 ? 1000000 : 48000000 + n * 1000000, n % 3 ? 1000000 : 48000000 + n * 1000000, n % 3 ? 1 : 48 + n / 3);
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, dsl_profile(text));
	stage_type(&t, "9");
	stage_expect(&t, "12     0.0      60.000   60.000    6.000  get\n");
	stage_expect(&t, "9     0.1      57.000   57.000    3.000  get\n");
	stage_expect(&t, "11     0.1       1.000    1.000        -  -\n"); /* with the median turn, which is this */
	stage_end(&t);
}

static void enter_goes_to_the_frame_and_esc_back_with_it(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "9j");
	assert_int_equal(t.app.at->times.chosen, 0);
	expect_frame(&t, "\r", 6, "PAUSED  frame 6");
	stage_expect(&t, ">      6 ");
	stage_press(&t, TERM_ESCAPE);
	stage_expect(&t, "[1 Self]");
	assert_int_equal(t.app.at->times.chosen, 6);
	stage_end(&t);
}

static void the_cursor_goes_where_w_goes(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "9");
	expect_frame(&t, "www", 8, ">      8 ");
	expect_frame(&t, "W", 6, ">      6 ");
	stage_end(&t);
}

/* Whoever opens it wants the worst frames, wherever the frame stands that is shown. */
static void it_opens_at_the_worst_frame(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, "www9", 8, ">      3 ");
	expect_frame(&t, "w", 10, ">     10 ");
	stage_end(&t);
}

static void where_a_frame_waited_that_is_said(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, "w", 3, "Longest of 10 frames · 30.00 ms: 25.00 ms of it waiting · w next · d why");
	expect_frame(&t, "w", 6, "2nd longest of 10 frames · w next");
	stage_end(&t);
}

static void sorted_by_busy_w_goes_by_it(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "9>");
	stage_expect(&t, "LENGTH ms  BUSY ms▼");
	stage_expect(&t, ">      6     0.0      20.000    18.000   13.000  draw\n"
			 "       8     0.0      16.000    12.000    7.000  draw\n"
			 "       3 ");
	expect_frame(&t, "w", 6, "Busiest of 10 frames · w next · d why");
	expect_frame(&t, "w", 8, "2nd busiest of 10 frames");
	expect_frame(&t, "w", 3, "3rd busiest of 10 frames · 30.00 ms: 25.00 ms of it waiting");
	expect_frame(&t, "1W", 8, "2nd busiest of 10 frames");
	expect_frame(&t, "WW", 6, "this is the busiest frame; w goes on");
	expect_frame(&t, "9<w", 3, "Longest of 10 frames"); /* in another order it begins again */
	stage_end(&t);
}

static void the_order_can_be_typed(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, ":worst busy\r", 0, "worst frames: by busy");
	expect_frame(&t, "w", 6, "Busiest of 10 frames");
	stage_type(&t, "9");
	stage_expect(&t, "BUSY ms▼");
	expect_frame(&t, ":worst length\r", 6, "LENGTH ms▼");
	expect_frame(&t, ":worst\r", 3, "Longest of 10 frames");
	stage_type(&t, ":worst size\r");
	stage_expect(&t, "'size' is not one of length, busy");
	stage_end(&t);
	o.worst = WORST_BUSY;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(3));
	stage_type(&t, "9");
	stage_expect(&t, "BUSY ms▼");
	stage_end(&t);
}

static void the_other_way_round_and_narrow(void **state)
{
	struct stage t;

	(void)state;
	begin_at(&t, 20, 16);
	stage_type(&t, "9");
	stage_expect(&t, "LENGTH ms▼");
	stage_expect(&t, ">     30.000  vsync");
	stage_end(&t);
	begin(&t);
	stage_type(&t, "9I");
	stage_expect(&t, "LENGTH ms▲");
	stage_expect(&t, ">      1 ");
	stage_end(&t);
}

static void without_frames_it_says_so(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(0));
	stage_type(&t, "9");
	stage_expect(&t, "no frames yet");
	stage_end(&t);
}

/* If nothing more comes, the view says why there are no frames. */
static void an_ended_run_without_frames_says_why(void **state)
{
	static const enum profile_state states[] = { PROFILE_ENDED, PROFILE_DEAD, PROFILE_FILE };
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		stage_open(&t, &o, 120, 24);
		stage_attach(&t, stage_game(0));
		t.p->process.state = states[i];
		stage_data(&t);
		stage_expect(&t, "no frames marked");
		stage_type(&t, "9");
		stage_expect(&t, "no frames: the program has marked none");
		t.p->frames_ended = 3;
		stage_data(&t);
		stage_expect(&t, "no frames held");
		stage_expect(&t, "no frames: 3 ended, and proftop holds none of them");
		stage_type(&t, "1d");
		stage_expect(&t, "no frames: 3 ended, and proftop holds none of them");
		t.p->left_out_frames = 3;
		stage_data(&t);
		stage_expect(&t, "all frames left out");
		stage_end(&t);
	}
}

/* Frames leave while the rows are there. */
static void rows_whose_frames_left_say_nothing(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "9");
	profile_drop_frames(t.p, 5);
	stage_draw(&t);
	stage_expect(&t, ">      3       -      30.000    5.000        -  -");
	stage_data(&t);
	stage_expect(&t, ">      6 ");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_stands_first),
		cmocka_unit_test(turns_of_another_kind_are_compared_with_their_like),
		cmocka_unit_test(enter_goes_to_the_frame_and_esc_back_with_it),
		cmocka_unit_test(the_cursor_goes_where_w_goes),
		cmocka_unit_test(it_opens_at_the_worst_frame),
		cmocka_unit_test(where_a_frame_waited_that_is_said),
		cmocka_unit_test(sorted_by_busy_w_goes_by_it),
		cmocka_unit_test(the_order_can_be_typed),
		cmocka_unit_test(the_other_way_round_and_narrow),
		cmocka_unit_test(without_frames_it_says_so),
		cmocka_unit_test(an_ended_run_without_frames_says_why),
		cmocka_unit_test(rows_whose_frames_left_say_nothing),
	};

	return cmocka_run_group_tests_name("tui: worst frames", tests, NULL, NULL);
}

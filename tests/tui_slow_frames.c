/* SPDX-License-Identifier: MIT */
/*
 * The app among frames of which some took too long: w and W from the longest to the next, # and $ among those over the
 * budget, F, and B, which pauses on one by itself.
 */
#include "tests/tui_stage.h"

#define NOT_SLOW { 3, 2, 4 } /* 16 ms */
#define SLOW { 3, 40, 4 }    /* 54 ms */

/* Frames 1 to 10, of which 3 and 8 take 26 ms, and 5 takes 36. */
static void begin(struct stage *t)
{
	struct app_options o = stage_options();
	struct profile *p = stage_game(0);

	for (uint64_t n = 1; n <= 10; n++)
		stage_frame(p, n, (struct stage_frame){ 3, n == 3 || n == 8 ? 12 : n == 5 ? 22 : 2, 4 });
	stage_open(t, &o, 80, 24);
	stage_attach(t, p);
}

static void expect_frame(struct stage *t, const char *keys, uint64_t frame, const char *said)
{
	stage_type(t, keys);
	assert_int_equal(t->app.at->times.chosen, frame);
	stage_expect(t, said);
}

static void grow_one(struct stage *t)
{
	stage_grow(t, (struct stage_frame)SLOW);
}

static void w_goes_from_the_longest_to_the_next(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, "w", 5, "Longest of 10 frames · w next · d why");
	stage_expect(&t, "PAUSED");
	expect_frame(&t, "w", 8, "2nd longest of 10 frames"); /* of one length: the newest first */
	expect_frame(&t, "w", 3, "3rd longest of 10 frames");
	expect_frame(&t, "W", 8, "2nd longest of 10 frames");
	expect_frame(&t, "W", 5, "Longest of 10 frames · w next · d why");
	expect_frame(&t, "W", 5, "this is the longest frame; w goes on");
	expect_frame(&t, "wwwwwwwww", 1, "10th longest of 10 frames");
	expect_frame(&t, "w", 1, "this is the shortest frame; W goes back");
	expect_frame(&t, "pw", 5, "Longest of 10 frames · w next · d why"); /* from live at the longest again */
	stage_end(&t);
}

static void others_may_be_looked_at_in_between(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, "ww[[]", 7, "frame 7");
	expect_frame(&t, "w", 3, "3rd longest of 10 frames");
	expect_frame(&t, "]]]]W", 8, "2nd longest of 10 frames");
	stage_end(&t);
	begin(&t);
	expect_frame(&t, "p[[W", 5, "Longest of 10 frames · w next · d why"); /* none was looked at yet */
	stage_end(&t);
}

static void those_kept_alone_are_among_them_and_discarded_ones_are_not(void **state)
{
	struct app_options o = stage_options();
	struct profile *p = stage_game(0);
	struct stage t;

	(void)state;
	assert_true(profile_add_frame(p, 2, 0, 70000000, FRAME_KEPT));
	assert_true(profile_add_frame(p, 4, 80000000, 90000000, FRAME_DISCARDED));
	for (uint64_t n = 5; n <= 8; n++)
		stage_frame(p, n, (struct stage_frame)NOT_SLOW);
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, p);
	expect_frame(&t, "w", 2, "Longest of 5 frames · w next · d why");
	stage_press(&t, 0);
	stage_expect(&t, "retained");
	expect_frame(&t, "w", 8, "2nd longest of 5 frames");
	stage_end(&t);
}

static void without_frames_w_says_so(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_begin(&t, 0);
	stage_type(&t, "w");
	stage_expect(&t, "no frames");
	stage_end(&t);
	stage_open(&t, &o, 80, 24);
	stage_type(&t, "wWFB");
	stage_end(&t);
}

static void f_is_live_at_the_newest(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "wF");
	assert_int_equal(t.app.at->times.chosen, 0);
	stage_expect(&t, "LIVE");
	t.app.at->times.graph.right = 4; /* it was moved */
	stage_type(&t, "F");
	assert_int_equal(t.app.at->times.graph.right, 0);
	stage_expect(&t, "LIVE");
	stage_end(&t);
}

/* Over the budget */

static void keys_go_from_one_over_the_budget_to_the_next(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, "b25\r", 0, "3 frames over 25.0 ms");
	expect_frame(&t, "#", 8, "3rd of 3 frames over 25.0 ms");
	expect_frame(&t, "#", 5, "2nd of 3 frames over 25.0 ms");
	expect_frame(&t, "#", 3, "1st of 3 frames over 25.0 ms");
	expect_frame(&t, "#", 3, "no frame before this one is over the budget of 25.0 ms");
	expect_frame(&t, "$", 5, "2nd of 3");
	expect_frame(&t, "]$", 8, "3rd of 3"); /* from the frame that is shown, whichever that is */
	expect_frame(&t, "$", 8, "no frame between this one and the pause is over the budget");
	expect_frame(&t, "b26\r#", 5, "1st of 1 frame over"); /* 26 ms are not over 26 ms */
	expect_frame(&t, "b50\r$", 5, "no frame is over the budget of 50.0 ms");
	stage_end(&t);
}

static void live_the_newest_frame_may_be_the_first_over_the_budget(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	grow_one(&t);
	expect_frame(&t, "b25\r#", 11, "4th of 4");
	expect_frame(&t, "[F$", 11, "4th of 4"); /* live, $ goes there, too */
	expect_frame(&t, "$", 11, "no frame between this one and the pause");
	stage_end(&t);
}

static void without_a_budget_they_say_how_to_set_one(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	begin(&t);
	expect_frame(&t, "#", 0, "no budget: set one with b");
	expect_frame(&t, "$", 0, "no budget: set one with b");
	stage_end(&t);
	stage_open(&t, &o, 80, 24);
	expect_frame(&t, "#$", 0, "no frames yet");
	stage_end(&t);
}

/* Freezing */

/* Frames that end faster than time passes. */
static void grow(struct stage *t, int count, struct stage_frame f)
{
	double now = t->app.now;

	while (count--) {
		stage_grow(t, f);
		t->app.now = now;
	}
}

static void armed_it_pauses_on_the_first_frame_over_the_budget(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "b20\rB");
	stage_expect(&t, "will pause at the first frame over 20.0 ms; B cancels");
	stage_expect(&t, "pause > 20.0 ms");
	grow(&t, 3, (struct stage_frame)NOT_SLOW);
	grow(&t, 1, (struct stage_frame)SLOW);
	grow(&t, 1, (struct stage_frame){ 3, 50, 4 });
	stage_expect(&t, "LIVE"); /* there is no after yet */
	grow(&t, 50, (struct stage_frame)NOT_SLOW);
	stage_expect(&t, "PAUSED");
	assert_int_equal(t.app.at->times.chosen, 14);
	assert_true(profile_find_frame(t.app.at->times.paused, 14 + 30) != NULL);
	stage_expect(&t, "frame 14 took 54.00 ms, over 20.00. p goes live");
	stage_end(&t);
}

/* It says when: after a program's end there are frames when it runs anew. */
static void behind_the_end_it_waits_for_the_next_run(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	app_state(&t.app, 0, SCENE_ENDED, "");
	stage_type(&t, "b20\rB");
	stage_expect(&t, "will pause at the first frame over 20.0 ms, once the program runs again");
	stage_end(&t);
}

static void where_no_frames_follow_time_does(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "b20\rB");
	stage_grow(&t, (struct stage_frame)SLOW);
	stage_expect(&t, "LIVE");
	t.app.now += 0.6;
	stage_draw(&t);
	stage_expect(&t, "PAUSED");
	assert_int_equal(t.app.at->times.chosen, 11);
	stage_end(&t);
}

static void live_again_it_is_armed_again(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "b20\rB");
	stage_grow(&t, (struct stage_frame)SLOW);
	grow(&t, 40, (struct stage_frame)NOT_SLOW);
	assert_int_equal(t.app.at->times.chosen, 11);
	grow(&t, 5, (struct stage_frame)SLOW); /* while it is paused: not looked at */
	stage_type(&t, "p");
	stage_press(&t, 0);
	stage_expect(&t, "pause > 20.0 ms");
	grow(&t, 60, (struct stage_frame)NOT_SLOW);
	stage_expect(&t, "LIVE");
	stage_grow(&t, (struct stage_frame)SLOW);
	grow(&t, 40, (struct stage_frame)NOT_SLOW);
	assert_int_equal(t.app.at->times.chosen, 11 + 45 + 61);
	stage_type(&t, "BF");
	grow(&t, 5, (struct stage_frame)SLOW);
	grow(&t, 60, (struct stage_frame)NOT_SLOW);
	stage_expect(&t, "LIVE");
	assert_false(stage_shows(&t, "freeze >"));
	stage_end(&t);
}

static void pausing_by_hand_is_enough(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "b20\rB");
	stage_grow(&t, (struct stage_frame)SLOW);
	stage_type(&t, "p[[");
	assert_int_equal(t.app.at->times.chosen, 9);
	grow(&t, 60, (struct stage_frame)NOT_SLOW);
	assert_int_equal(t.app.at->times.chosen, 9);
	stage_end(&t);
}

static void without_a_budget_it_is_asked_for(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "B");
	stage_expect(&t, "Pause at the first frame over");
	stage_type(&t, "\r"); /* nothing */
	assert_false(t.app.freeze.armed);
	stage_type(&t, "Bx\r");
	stage_expect(&t, "not a time");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, "B50\r");
	stage_expect(&t, "pause > 50.0 ms");
	stage_type(&t, "b\025\r"); /* the budget goes, and what was armed with it */
	stage_press(&t, 0);
	assert_false(t.app.freeze.armed);
	assert_false(stage_shows(&t, "freeze >"));
	stage_end(&t);
}

static void an_option_arms_it_from_the_beginning(void **state)
{
	struct app_options o = stage_options();
	struct profile *p = stage_game(0);
	struct stage t;

	(void)state;
	o.freeze_ms = 33;
	for (uint64_t n = 1; n <= 10; n++)
		stage_frame(p, n, (struct stage_frame)SLOW); /* before it was looked at */
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, p);
	stage_expect(&t, "pause > 33.0 ms");
	t.app.now += 2;
	stage_grow(&t, (struct stage_frame)NOT_SLOW);
	stage_expect(&t, "LIVE");
	stage_grow(&t, (struct stage_frame)SLOW);
	app_state(&t.app, 0, SCENE_DEAD, ""); /* there will be no after */
	stage_draw(&t);
	assert_int_equal(t.app.at->times.chosen, 12);
	stage_end(&t);
}

/* Those are as long as the looks at a program that marks no frames yet, as while it loads. */
static void frames_that_proftop_cut_do_not_freeze_it(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "b20\rB");
	for (uint64_t n = 11; n <= 60; n++) {
		stage_frame(t.p, n, (struct stage_frame)SLOW);
		t.p->frames[t.p->frame_count - 1].flags |= FRAME_GUESSED;
		stage_data(&t);
	}
	stage_expect(&t, "LIVE");
	stage_grow(&t, (struct stage_frame)SLOW);
	grow(&t, 40, (struct stage_frame)NOT_SLOW);
	assert_int_equal(t.app.at->times.chosen, 61);
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(w_goes_from_the_longest_to_the_next),
		cmocka_unit_test(others_may_be_looked_at_in_between),
		cmocka_unit_test(those_kept_alone_are_among_them_and_discarded_ones_are_not),
		cmocka_unit_test(without_frames_w_says_so),
		cmocka_unit_test(f_is_live_at_the_newest),
		cmocka_unit_test(keys_go_from_one_over_the_budget_to_the_next),
		cmocka_unit_test(live_the_newest_frame_may_be_the_first_over_the_budget),
		cmocka_unit_test(without_a_budget_they_say_how_to_set_one),
		cmocka_unit_test(armed_it_pauses_on_the_first_frame_over_the_budget),
		cmocka_unit_test(behind_the_end_it_waits_for_the_next_run),
		cmocka_unit_test(where_no_frames_follow_time_does),
		cmocka_unit_test(live_again_it_is_armed_again),
		cmocka_unit_test(pausing_by_hand_is_enough),
		cmocka_unit_test(without_a_budget_it_is_asked_for),
		cmocka_unit_test(an_option_arms_it_from_the_beginning),
		cmocka_unit_test(frames_that_proftop_cut_do_not_freeze_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

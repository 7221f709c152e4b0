/* SPDX-License-Identifier: MIT */
/*
 * The comparison of two marks, driven as by hands.
 */
#include "tests/tui_stage.h"

/* Frames 1 to 200, of which the first hundred are as they always are and in the others ai takes 2 ms more and
 * draw 1 ms less; mark a is on frame 100, mark b on the last. */
static void begin(struct stage *t, int width, int height, bool ascii)
{
	struct app_options o = stage_options();

	o.ascii = ascii;
	stage_open(t, &o, width, height);
	stage_attach(t, stage_game(100));
	stage_type(t, "ma");
	for (int i = 0; i < 100; i++)
		stage_grow(t, (struct stage_frame){ 5, 2, 3 });
	stage_type(t, "mB"); /* whichever case */
}

/* One blank where there are more. */
static void squeeze(char *line)
{
	char *to = line;

	for (const char *from = line; *from; from++)
		if (*from != ' ' || to == line || to[-1] != ' ')
			*to++ = *from;
	*to = '\0';
}

/* The text of the row that begins with this name, with one blank between two cells. */
static void expect_row(struct stage *t, const char *name, const char *what)
{
	char *text = lines_text(&t->c), *line = text, *next;

	for (; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strlen(line) <= 2 || strncmp(line + 2, name, strlen(name)) != 0)
			continue;
		squeeze(line);
		if (!strstr(line, what))
			fail_msg("there is no '%s' in: %s", what, line);
		break;
	}
	free(text);
	assert_non_null(line);
}

/* Changes since the single mark, against the newest frames, made whenever the view is opened. */
static void one_mark_is_compared_with_now(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 100, 24);
	stage_attach(&t, stage_game(100));
	stage_type(&t, "mac");
	assert_int_equal(t.app.view, VIEW_SELF);
	stage_expect(&t, "no frame after mark a yet");
	for (int i = 0; i < 60; i++)
		stage_grow(&t, (struct stage_frame){ 5, 2, 3 });
	stage_type(&t, "c");
	stage_expect(&t, "no mark b: B is the newest frames");
	stage_expect(&t, "frames 1 to 100 against 101 to 160");
	expect_row(&t, "ai", "slower");
	for (int i = 0; i < 10; i++)
		stage_grow(&t, (struct stage_frame){ 5, 2, 3 });
	stage_expect(&t, "frames 1 to 100 against 101 to 160");
	stage_type(&t, "cc");
	stage_expect(&t, "frames 1 to 100 against 101 to 170");
	stage_type(&t, "cp[[mb");
	stage_type(&t, "c");
	stage_expect(&t, "frames 1 to 100 against 101 to 168");
	stage_end(&t);
}

static void marks_are_asked_for(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	stage_press(&t, 'c');
	stage_expect(&t, "set mark a first (m a), then press c");
	assert_int_equal(t.app.view, VIEW_SELF);
	stage_type(&t, "mb");
	stage_press(&t, 'c');
	stage_expect(&t, "set mark a first (m a), then press c");
	stage_type(&t, "ma");
	stage_press(&t, 'c');
	stage_expect(&t, "on the same frame");
	stage_end(&t);
}

static void a_change_is_shown(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24, false);
	stage_press(&t, 'c');
	stage_expect(&t, "[c Compare]");
	stage_expect(&t, "frames 1 to 100 against 101 to 200");
	stage_expect(&t, " main");
	expect_row(&t, "frame ", "16.000 17.000 +1.000 +6.3% slower");
	expect_row(&t, "ai ", "3.000 5.000 +2.000 +66.7% slower");
	expect_row(&t, "draw ", "4.000 3.000 −1.000 −25.0% faster");
	expect_row(&t, "physics ", "2.000 2.000 0.000 0.0% no evidence");
	stage_press(&t, 'c');
	assert_int_equal(t.app.view, VIEW_SELF);
	stage_end(&t);
}

static void what_moved_most_stands_first(void **state)
{
	struct stage t;
	int x, frame, ai, draw;

	(void)state;
	begin(&t, 80, 24, false);
	stage_press(&t, 'c');
	assert_true(stage_find(&t, "frame    ", &x, &frame));
	assert_true(stage_find(&t, "ai    ", &x, &ai));
	assert_true(stage_find(&t, "draw    ", &x, &draw));
	assert_true(frame + 1 == ai && ai + 1 == draw);
	stage_press(&t, 'I');
	assert_true(stage_find(&t, "frame    ", &x, &frame)); /* stays above all */
	assert_true(stage_find(&t, "ai    ", &x, &ai));
	assert_true(stage_find(&t, "draw    ", &x, &draw));
	assert_true(frame < draw && draw + 1 == ai);
	stage_end(&t);
}

/* Sorted by a column of hierarchical times, those are the ones that stay. */
static void hierarchical_times_can_be_looked_at(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24, false);
	stage_press(&t, 'c');
	assert_false(stage_shows(&t, "HIER IS"));
	stage_type(&t, "s");
	stage_press(&t, TERM_END);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "HIER IS");
	expect_row(&t, "update ", "slower");
	assert_false(stage_shows(&t, "SELF IS"));
	stage_end(&t);
}

static void a_wide_screen_has_all_of_it(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 200, 50, false);
	stage_press(&t, 'c');
	stage_expect(&t, "A FROM-TO");
	stage_expect(&t, "5.000-5.000");
	stage_expect(&t, "HIER IS");
	stage_end(&t);
}

static void a_narrow_one_what_was_found(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 20, 5, true);
	stage_press(&t, 'c');
	expect_row(&t, "frame ", "slower");
	stage_press(&t, TERM_END);
	stage_expect(&t, "unclear");
	stage_end(&t);
}

static void zones_lead_on_and_back(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24, false);
	stage_type(&t, "2c");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "no zone here to open"); /* the frame is none */
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	assert_int_equal(t.app.view, VIEW_GRAPH);
	stage_expect(&t, "path: [ai]");
	stage_press(&t, TERM_LEFT);
	assert_int_equal(t.app.view, VIEW_COMPARE);
	stage_press(&t, STAGE_ESCAPE);
	assert_int_equal(t.app.view, VIEW_HIER);
	stage_end(&t);
}

/* From the call graph of a zone of the comparison there is no way round in a circle. */
static void leaving_comes_to_an_end(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24, false);
	stage_press(&t, STAGE_ENTER);
	stage_press(&t, 'c');
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "cqqq");
	assert_true(t.effects & EFFECT_QUIT);
	stage_end(&t);
}

static void few_frames_are_too_few(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "ma");
	for (int i = 0; i < 5; i++)
		stage_grow(&t, (struct stage_frame){ 50, 2, 4 });
	stage_type(&t, "mbc");
	stage_expect(&t, "too few frames for evidence: A has 5, B has 5");
	expect_row(&t, "ai ", "too few");
	lines_begin(&t.c, 20, 5, false); /* that covers no row */
	stage_type(&t, "cc");
	stage_expect(&t, "too few frames");
	expect_row(&t, "frame ", "");
	stage_end(&t);
}

static void it_follows_filter_thread_and_frame(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24, false);
	stage_type(&t, "c\\ai\r");
	stage_expect(&t, "filter: ai (hides ");
	assert_false(stage_shows(&t, "physics"));
	stage_type(&t, "\\\025\r.");
	stage_expect(&t, " pool");
	expect_row(&t, "job ", "no evidence");
	stage_type(&t, "p"); /* the same of a copy */
	expect_row(&t, "job ", "no evidence");
	stage_end(&t);
}

static void marks_that_are_gone_are_said(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24, false);
	stage_press(&t, 'c');
	profile_drop_frames(t.p, 150);
	stage_grow(&t, (struct stage_frame){ 5, 2, 3 });
	t.p->now_tick += 10 * (int64_t)t.p->ticks_per_s;
	stage_data(&t);
	stage_expect(&t, "no complete frame before mark a, 100, is in the history");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_asked_for),
		cmocka_unit_test(one_mark_is_compared_with_now),
		cmocka_unit_test(a_change_is_shown),
		cmocka_unit_test(what_moved_most_stands_first),
		cmocka_unit_test(hierarchical_times_can_be_looked_at),
		cmocka_unit_test(a_wide_screen_has_all_of_it),
		cmocka_unit_test(a_narrow_one_what_was_found),
		cmocka_unit_test(zones_lead_on_and_back),
		cmocka_unit_test(leaving_comes_to_an_end),
		cmocka_unit_test(few_frames_are_too_few),
		cmocka_unit_test(it_follows_filter_thread_and_frame),
		cmocka_unit_test(marks_that_are_gone_are_said),
	};

	return cmocka_run_group_tests_name("tui: comparison", tests, NULL, NULL);
}

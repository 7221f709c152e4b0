/* SPDX-License-Identifier: MIT */
/*
 * Events and notes: the frames that they belong to, their signs below the frame graph, and the way from
 * one to the next.
 */
#include "tests/tui_lines.h"

#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"
#include "tui/frames/frame_graph.h"
#include "tui/frames/instants.h"

#define MS INT64_C(1000000)

/* Frames 1 to `count` of 10 ms, one behind the other. */
static struct profile *with_frames(int count)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	assert_int_equal(profile_add_thread(p, 5, 0, "main"), 0);
	assert_int_equal(profile_add_thread(p, 9, 0, ""), 1);
	assert_int_equal(profile_add_event(p, "spawn"), 0);
	assert_int_equal(profile_add_event(p, "tick"), 1);
	for (int i = 0; i < count; i++)
		assert_true(profile_add_frame(p, (uint64_t)i + 1, i * 10 * MS, 10 * MS, 0));
	return p;
}

static void event(struct profile *p, uint32_t which, int64_t tick)
{
	assert_true(profile_add_instant(p, tick, 0, which, NULL, false));
}

static void note(struct profile *p, int64_t tick, const char *text)
{
	assert_true(profile_add_instant(p, tick, 0, PROFILE_NONE, text, false));
}

static void expect_axis_in(int width, struct profile *p, struct frame_graph g, uint64_t chosen, bool ascii,
			   const char *axis)
{
	struct frame_graph_look look = { .profile = p, .chosen = chosen, .ascii = ascii };
	struct canvas c = { 0 };
	char *text, *last;

	lines_begin(&c, width, 4, ascii);
	frame_graph_draw(&g, &look, &c, canvas_area(&c));
	text = lines_text(&c);
	text[strlen(text) - 1] = '\0';
	last = strrchr(text, '\n');
	assert_non_null(last);
	assert_string_equal(last + 1, axis);
	free(text);
	canvas_fini(&c);
}

static void expect_axis(struct profile *p, struct frame_graph g, uint64_t chosen, bool ascii, const char *axis)
{
	expect_axis_in(46, p, g, chosen, ascii, axis);
}

static void one_belongs_to_the_frame_at_whose_end_it_is(void **state)
{
	struct profile *p = with_frames(3);
	uint32_t first;

	(void)state;
	assert_true(profile_add_frame(p, 7, 50 * MS, 10 * MS, 0));
	assert_null(frame_at(p, 0));
	assert_int_equal(frame_at(p, 1)->number, 1);
	assert_int_equal(frame_at(p, 10 * MS)->number, 1);
	assert_int_equal(frame_at(p, 10 * MS + 1)->number, 2);
	assert_int_equal(frame_at(p, 30 * MS)->number, 3);
	assert_null(frame_at(p, 40 * MS));
	assert_null(frame_at(p, 50 * MS));
	assert_int_equal(frame_at(p, 60 * MS)->number, 7);
	assert_null(frame_at(p, 60 * MS + 1));
	event(p, 0, 10 * MS);
	event(p, 0, 10 * MS + 1);
	event(p, 0, 20 * MS);
	assert_int_equal(instants_of(p, &p->frames[0], &first), 1);
	assert_int_equal(instants_of(p, &p->frames[1], &first), 2);
	assert_int_equal(first, 1);
	assert_int_equal(instants_of(p, &p->frames[2], &first), 0);
	profile_free(p);
}

static void its_words_are_safe_to_show(void **state)
{
	struct profile *p = with_frames(1);
	struct profile_instant evil = { .tick = 1, .thread = 1, .event = PROFILE_NONE,
					.text = (char *)"a\033[2Jé", .cut = true };
	struct profile_instant unknown = { .tick = 1, .thread = 8, .event = 77 };
	char time[32];
	char *text;

	(void)state;
	text = event_text(p, &evil, false);
	assert_string_equal(text, "a\\x1B[2Jé…");
	free(text);
	text = event_text(p, &evil, true);
	assert_string_equal(text, "a\\x1B[2J\\xC3\\xA9...");
	free(text);
	text = event_thread(p, &evil, false);
	assert_string_equal(text, "thread 9");
	free(text);
	text = event_text(p, &unknown, false);
	assert_string_equal(text, "?");
	free(text);
	text = event_thread(p, &unknown, false);
	assert_string_equal(text, "-");
	free(text);
	instants_time(p, &p->frames[0], 3200000, false, time, sizeof(time));
	assert_string_equal(time, "+3.20 ms");
	instants_time(p, &p->frames[0], 100000, false, time, sizeof(time));
	assert_string_equal(time, "+0.10 ms");
	instants_time(p, &p->frames[0], 4200, false, time, sizeof(time));
	assert_string_equal(time, "+4.20 µs");
	profile_free(p);
}

static void the_axis_has_signs_for_notes_and_events(void **state)
{
	struct profile *p = with_frames(40);

	(void)state;
	expect_axis(p, (struct frame_graph){ 0 }, 0, true,
		    "   ms                  -0.2 s              now");
	note(p, 25 * MS, "three");
	event(p, 0, 25 * MS);
	event(p, 0, 345 * MS);
	expect_axis(p, (struct frame_graph){ 0 }, 0, true,
		    "   ms   *              -0.2 s           +  now");
	expect_axis(p, (struct frame_graph){ 0 }, 0, false,
		    "   ms   ◆              −0.2 s           ◇  now");
	profile_free(p);
}

static void a_note_stands_before_times_and_an_event_behind_them(void **state)
{
	struct profile *p = with_frames(40);

	(void)state;
	event(p, 0, 195 * MS);
	event(p, 0, 155 * MS);
	expect_axis(p, (struct frame_graph){ 0 }, 0, false,
		    "   ms                ◇ −0.2 s              now");
	note(p, 205 * MS, "where the time was");
	expect_axis(p, (struct frame_graph){ 0 }, 0, false,
		    "   ms              −0.2 s ◆                now"); /* which stand aside for the note */
	expect_axis(p, (struct frame_graph){ 0 }, 21, false,
		    "   ms              −0.2 s ▲              pause");
	profile_free(p);
}

static void what_a_column_stands_for_hides_no_sign_of_a_note(void **state)
{
	struct profile *p = with_frames(240);
	struct frame_graph g = { .zoom = 2 };

	(void)state;
	event(p, 0, 505 * MS); /* below the caption: an event gives way */
	event(p, 0, 1905 * MS);
	expect_axis_in(66, p, g, 0, false,
		       "   ms 1 column = 4 frames, max       −1.0 s         ◇          now");
	note(p, 505 * MS, "a note does not");
	expect_axis_in(66, p, g, 0, false,
		       "   ms ×4  −2.0 s ◆                   −1.0 s         ◇          now");
	expect_axis_in(66, p, g, 4, true,
		       "   ms ^   -2.0 s *                   -1.0 s         +        pause");
	profile_free(p);
}

static void what_happens_all_the_time_gets_no_sign(void **state)
{
	struct profile *p = with_frames(40);

	(void)state;
	for (int i = 0; i < 40; i++)
		event(p, 1, i * 10 * MS + 5);
	event(p, 0, 25 * MS);
	expect_axis(p, (struct frame_graph){ 0 }, 0, false,
		    "   ms   ◇              −0.2 s              now");
	profile_free(p);
}

static void what_is_between_frames_gets_no_sign(void **state)
{
	struct profile *p = with_frames(3);

	(void)state;
	assert_true(profile_add_frame(p, 4, 50 * MS, 10 * MS, 0));
	note(p, 40 * MS, "between");
	expect_axis(p, (struct frame_graph){ .zoom = 3 }, 0, false,
		    "   ms ×8                                   now");
	note(p, 55 * MS, "in the frame");
	expect_axis(p, (struct frame_graph){ .zoom = 3 }, 0, false,
		    "   ms ×8                                     ◆");
	profile_free(p);
}

static void steps_go_from_news_to_news(void **state)
{
	struct profile *p = with_frames(100);

	(void)state;
	assert_int_equal(instants_step(p, 50, 1), 0);
	for (int i = 0; i < 100; i++)
		event(p, 1, i * 10 * MS + 5);
	assert_int_equal(instants_step(p, 50, 1), 0);
	event(p, 0, 115 * MS);
	note(p, 555 * MS, "x");
	note(p, 990 * MS, "at the end of frame 99");
	assert_int_equal(instants_step(p, 1, 1), 12);
	assert_int_equal(instants_step(p, 12, 1), 56);
	assert_int_equal(instants_step(p, 56, 1), 99);
	assert_int_equal(instants_step(p, 99, 1), 0);
	assert_int_equal(instants_step(p, 100, -1), 99);
	assert_int_equal(instants_step(p, 99, -1), 56);
	assert_int_equal(instants_step(p, 12, -1), 0);
	assert_int_equal(instants_step(p, 1, -1), 0);
	profile_free(p);
}

static void with_few_frames_nothing_is_routine(void **state)
{
	struct profile *p = with_frames(8);

	(void)state;
	for (int i = 0; i < 8; i++)
		event(p, 1, i * 10 * MS + 5);
	assert_int_equal(instants_step(p, 3, 1), 4);
	assert_int_equal(instants_step(p, 3, -1), 2);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_belongs_to_the_frame_at_whose_end_it_is),
		cmocka_unit_test(its_words_are_safe_to_show),
		cmocka_unit_test(the_axis_has_signs_for_notes_and_events),
		cmocka_unit_test(a_note_stands_before_times_and_an_event_behind_them),
		cmocka_unit_test(what_a_column_stands_for_hides_no_sign_of_a_note),
		cmocka_unit_test(what_happens_all_the_time_gets_no_sign),
		cmocka_unit_test(what_is_between_frames_gets_no_sign),
		cmocka_unit_test(steps_go_from_news_to_news),
		cmocka_unit_test(with_few_frames_nothing_is_routine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

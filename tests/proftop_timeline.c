/* SPDX-License-Identifier: MIT */
/*
 * proftop_timeline: whole screens of the timeline: single calls, what comes before them, in all sizes, in C and without
 * colours; and what is measured.
 */
#include "tests/proftop_run.h"

static void show(struct game *g, struct proftop p, const char *keys, const char *until, const char *name)
{
	struct screen *s = proftop_on(g, p);

	screen_type(s, keys);
	screen_until(s, until);
	screen_golden(s, name);
	proftop_leave(s);
}

/* Live: three frames, the newest at the right. */
static void test_live(void **state)
{
	show(*state, (struct proftop){ 0 }, "6", "49.87 ms wide", "timeline_live");
}

/* The newest frame; its single calls are known at its end. */
static void test_sizes(void **state)
{
	show(*state, (struct proftop){ 0 }, "6p0", "\n16.62 ms wide", "timeline_80x24");
	show(*state, (struct proftop){ .columns = 100, .rows = 30 }, "6p0", "\n16.62 ms wide", "timeline_100x30");
	show(*state, (struct proftop){ .columns = 200, .rows = 50 }, "6p0K", "\n16.62 ms wide", "timeline_200x50");
	show(*state, (struct proftop){ .columns = 20, .rows = 5 }, "6p0", "|0 ms", "timeline_20x5");
}

static void test_in_c(void **state)
{
	show(*state, (struct proftop){ .locale = "C", .columns = 100, .rows = 30 }, "6p0", "\n16.62 ms wide", "timeline_c");
	show(*state, (struct proftop){ .locale = "C", .columns = 20, .rows = 5 }, "6p0", "|0 ms", "timeline_20x5_c");
}

static void test_mono(void **state)
{
	show(*state, (struct proftop){ .columns = 100, .rows = 30, .term = "vt220" }, "6p0", "\n16.62 ms wide", "timeline_mono");
}

/* From the hitch out to all that is held, key by key. */
static void test_out(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ .columns = 100, .rows = 30 });

	screen_type(s, "6pw0");
	screen_until(s, "\nframes ▏171  ");
	screen_golden(s, "timeline_hitch");
	screen_type(s, "---");
	screen_until(s, "138.7 ms wide");
	screen_golden(s, "timeline_out");
	screen_type(s, "---------------");
	screen_until(s, " s wide");
	screen_golden(s, "timeline_all");
	proftop_leave(s);
}

/* From a call to another one: all views are of that time. */
static void test_measured(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ .columns = 100, .rows = 30 });

	screen_type(s, "6p0/raycast\r|n");
	screen_until(s, "Enter zooms to");
	screen_golden(s, "timeline_measured");
	screen_type(s, "\r");
	screen_until(s, "selection:");
	screen_type(s, "4");
	screen_until(s, " of time");
	screen_golden(s, "timeline_selected");
	proftop_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_live, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_sizes, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_in_c, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_mono, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_out, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_measured, game_setup, game_teardown),
	};

	return cmocka_run_group_tests_name("proftop: timeline", tests, NULL, NULL);
}

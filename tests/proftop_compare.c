/* SPDX-License-Identifier: MIT */
/*
 * proftop_compare: the comparison of two marks on screens of all kinds.
 */
#include "tests/proftop_run.h"

#define MARKS ":frame 100\rma:frame 200\rmb"

static const struct face {
	struct proftop p;
	const char *behind, *golden;
} faces[] = {
	{ { 0 }, "", "compare" },
	{ { 0 }, ":sort hier b-a\r", "compare_hier" },
	{ { 0 }, "\\a\r", "compare_filtered" },
	{ { .columns = 200, .rows = 50 }, "", "compare_200x50" },
	{ { .columns = 20, .rows = 5 }, "j", "compare_20x5" },
	{ { .locale = "C" }, "", "compare_ascii" },
	{ { .columns = 200, .rows = 50, .locale = "C" }, "T" KEY_HOME "\r", "compare_threads_ascii" },
};

static void test_every_face(void **state)
{
	for (size_t i = 0; i < sizeof(faces) / sizeof(*faces); i++) {
		struct screen *s = proftop_on(*state, faces[i].p);

		screen_type(s, MARKS "c");
		screen_type(s, faces[i].behind);
		screen_golden(s, faces[i].golden);
		proftop_leave(s);
	}
}

static void test_it_leads_to_zones_and_back(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ 0 });

	screen_type(s, "c");
	screen_until(s, "marks a and b are not set");
	screen_type(s, MARKS "c");
	screen_until(s, "[c Compare]");
	screen_type(s, "/raycast\r\r");
	screen_until(s, "drilled: raycast");
	screen_type(s, "q");
	screen_until(s, "[c Compare]");
	screen_type(s, "c");
	screen_until(s, "[1 Self]");
	proftop_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_face, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_it_leads_to_zones_and_back, game_setup, game_teardown),
	};

	return cmocka_run_group_tests_name("proftop: comparison", tests, NULL, game_remove_all);
}

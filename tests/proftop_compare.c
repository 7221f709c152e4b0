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
	{ { .columns = 200, .rows = 50 }, "", "compare_200x50" },
	{ { .columns = 20, .rows = 5 }, "j", "compare_20x5" },
	{ { .locale = "C" }, "", "compare_ascii" },
};

static void test_face(void **state)
{
	const struct face *face = *state;
	struct screen *s = proftop_on(game_of_all(), face->p);

	screen_type(s, MARKS "c");
	screen_type(s, face->behind);
	screen_golden(s, face->golden);
	proftop_leave(s);
}

static void test_marks_are_asked_for(void **state)
{
	struct screen *s = proftop_on(game_of_all(), (struct proftop){ 0 });

	(void)state;
	screen_type(s, "c");
	screen_until(s, "set mark a first (m a), then press c");
	proftop_leave(s);
}

static void test_typed_columns_are_its_own(void **state)
{
	struct screen *s = proftop_on(game_of_all(), (struct proftop){ 0 });

	(void)state;
	screen_type(s, MARKS "c:sort hier b-a\r");
	screen_until(s, "HIER B-A ms▼");
	proftop_leave(s);
}

static void test_it_leads_to_zones_and_back(void **state)
{
	struct screen *s = proftop_on(game_of_all(), (struct proftop){ 0 });

	(void)state;
	screen_type(s, MARKS "c");
	screen_until(s, "[c Compare]");
	screen_type(s, "/raycast\r\r");
	screen_until(s, "path: [raycast]");
	screen_type(s, "q");
	screen_until(s, "[c Compare]");
	screen_type(s, "c");
	screen_until(s, "[1 Self]");
	proftop_leave(s);
}

#define FACES (sizeof(faces) / sizeof(*faces))

int main(void)
{
	struct CMUnitTest tests[3 + FACES] = {
		cmocka_unit_test(test_marks_are_asked_for),
		cmocka_unit_test(test_typed_columns_are_its_own),
		cmocka_unit_test(test_it_leads_to_zones_and_back),
	};

	for (size_t i = 0; i < FACES; i++)
		tests[3 + i] = (struct CMUnitTest){ .name = faces[i].golden, .test_func = test_face,
						    .initial_state = (void *)&faces[i] };
	return cmocka_run_group_tests_name("proftop: comparison", tests, game_begin_all, game_end_all);
}

/* SPDX-License-Identifier: MIT */
/*
 * proftop_screen: whole screens, colours too, of every view, in small and large terminals, with and
 * without UTF-8; with as many colours as there are.
 */
#include "tests/proftop_run.h"

/* The keys that lead from one to the next. */
static const struct {
	const char *name, *keys;
} views[] = {
	{ "self", "" },
	{ "hier", "2" },
	{ "graph", "/bvh_walk\r\r" },
	{ "spread", "R" },
	{ "tree", "R4" },
	{ "folded", "*" },
	{ "paused", "1[{" },
	{ "counters", "p7" },
	{ "counters_all", "a" },
	{ "counters_paused", "aaa(" },
	{ "events", "pE" },
	{ "events_paused", "((" },
	{ "happened", "1" },
	{ "why_live", "p5" },
	{ "why", "pw" },
	{ "why_end", "G" },
	{ "why_self", "1g" },
	{ "why_graph", "3" },
	{ "why_tree", "4*" },
	{ "help", "?" },
};

static void show_views(struct game *g, int columns, int rows, const char *locale)
{
	struct screen *s = proftop_on(g, (struct proftop){ columns, rows, .locale = locale });
	char name[64];

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		screen_type(s, views[i].keys);
		snprintf(name, sizeof(name), "%s_%dx%d%s", views[i].name, columns, rows,
			 strcmp(locale, "C") ? "" : "_c");
		screen_golden(s, name);
	}
	proftop_leave(s);
}

static void test_80x24(void **state)
{
	show_views(*state, 80, 24, "C.UTF-8");
}

static void test_100x30(void **state)
{
	show_views(*state, 100, 30, "C.UTF-8");
}

static void test_200x50(void **state)
{
	show_views(*state, 200, 50, "C.UTF-8");
}

static void test_20x5(void **state)
{
	show_views(*state, 20, 5, "C.UTF-8");
}

static void test_80x24_in_c(void **state)
{
	show_views(*state, 80, 24, "C");
}

static void test_100x30_in_c(void **state)
{
	show_views(*state, 100, 30, "C");
}

static void test_200x50_in_c(void **state)
{
	show_views(*state, 200, 50, "C");
}

static void test_20x5_in_c(void **state)
{
	show_views(*state, 20, 5, "C");
}

static void show_colours(struct game *g, const char *colours)
{
	struct screen *s = proftop_on(g, (struct proftop){ .arguments = { "-b", "20", "-C", colours } });
	char name[32];

	snprintf(name, sizeof(name), "colours_%s", colours);
	screen_type(s, "p");
	screen_golden(s, name);
	proftop_leave(s);
}

static void test_colours(void **state)
{
	static const char *const colours[] = { "256", "16", "8", "never" };

	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++)
		show_colours(*state, colours[i]);
}

/* The same as without colours asked for. */
static void test_no_color(void **state)
{
	static const char *const environment[] = { "NO_COLOR=1", NULL };
	struct screen *s = proftop_on(*state, (struct proftop){ .environment = environment,
								.arguments = { "-b", "20" } });

	screen_type(s, "p");
	screen_golden(s, "colours_never");
	proftop_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_80x24, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_100x30, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_200x50, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_20x5, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_80x24_in_c, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_100x30_in_c, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_200x50_in_c, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_20x5_in_c, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_colours, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_no_color, game_setup, game_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

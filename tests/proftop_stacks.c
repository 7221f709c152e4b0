/* SPDX-License-Identifier: MIT */
/*
 * proftop_stacks: what is open in each thread, on the screen: whole screens of a program that hangs, in small
 * and large terminals, and of one that died.
 */
#include "tests/proftop_run.h"

#define MS INT64_C(1000000)

/* The main thread is deep in update, where it has been for 2.5 s when the audio thread mixes; a worker is in a
 * job, the other one in nothing. Nodes are those of game_region.c. */
static void hang(struct game *g)
{
	static const uint32_t nodes[] = { 1, 2, 3, 4, 5, 6 };
	int64_t tick = g->tick;

	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++)
		builder_enter(&g->b, 0, nodes[i], tick += 2 * MS);
	builder_enter(&g->b, 1, 1, tick);
	builder_enter(&g->b, 1, 2, tick + 900 * MS);
	builder_enter(&g->b, 3, 1, tick + 2500 * MS);
	builder_leave(&g->b, 3, tick + 2501 * MS);
}

static int hang_setup(void **state)
{
	int failed = game_setup(state);

	if (!failed)
		hang(*state);
	return failed;
}

static void show(struct game *g, struct proftop p, const char *name)
{
	struct screen *s = proftop_on(g, p);

	screen_type(s, "o");
	screen_golden(s, name);
	proftop_leave(s);
}

static void test_80x24(void **state)
{
	show(*state, (struct proftop){ 0 }, "stacks_80x24");
}

static void test_200x50(void **state)
{
	show(*state, (struct proftop){ .columns = 200, .rows = 50 }, "stacks_200x50");
}

static void test_20x5(void **state)
{
	show(*state, (struct proftop){ .columns = 20, .rows = 5 }, "stacks_20x5");
}

static void test_in_c(void **state)
{
	show(*state, (struct proftop){ .locale = "C" }, "stacks_80x24_c");
}

/* Paused, the stacks stay; a zone is looked at in its call graph, and the way leads back. */
static void test_ways(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ 0 });

	screen_type(s, "po");
	screen_until(s, " when paused: 4 threads");
	screen_type(s, "/skin\r");
	screen_until(s, "\n>     skin                      1.60 s  src/skin.c:31");
	screen_type(s, "\r");
	screen_until(s, "path: [skin]");
	screen_until(s, " worker  ");
	screen_type(s, "o");
	screen_until(s, " when paused: 4 threads");
	screen_until(s, "\n> main"); /* opened again: from its top */
	screen_type(s, "o");
	screen_until(s, "[1 Self]");
	proftop_leave(s);
}

static void test_dead(void **state)
{
	struct game *g = *state;
	struct screen *s;

	builder_die(&g->b);
	s = proftop_on(g, (struct proftop){ 0 });
	screen_type(s, "o");
	screen_golden(s, "stacks_dead");
	proftop_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_80x24, hang_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_200x50, hang_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_20x5, hang_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_in_c, hang_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_ways, hang_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_dead, hang_setup, game_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

/* SPDX-License-Identifier: MIT */
/*
 * proftop_several: programs below one another on a terminal: whole screens, focus, one that dies, one that comes,
 * another one instead; and two processes, whose clocks are this machine's.
 */
#include <signal.h>

#include "tests/proftop_run.h"

#define LATER 200000000 /* ns that the second game began behind the first */
#define SHOWN_SECOND "gamedemoy-run"

/* How many columns and rows, what is typed. */
static const struct face {
	int columns, rows;
	const char *locale, *keys, *golden;
} faces[] = {
	{ 80, 24, "C.UTF-8", "", "several_live_80x24" },
	{ 80, 24, "C", "", "several_live_80x24_c" },
	{ 80, 24, "C.UTF-8", "p{[", "several_paused_80x24" },
	{ 200, 50, "C.UTF-8", "p{[", "several_paused_200x50" },
	{ 80, 24, "C.UTF-8", "p{[\t\t", "several_second_80x24" }, /* the table is the second program's */
	{ 20, 5, "C.UTF-8", "p{[\t\t", "several_second_20x5" },
	{ 80, 24, "C.UTF-8", "p{[\t\t\t\t\t", "several_back_80x24" },
};

struct pair {
	struct game first, second;
	const struct face *face; /* of a test of one */
};

/* Both of another boot, of which the time of day is known. */
static int pair_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	if (!p)
		return -1;
	p->face = *state;
	game_begin(&p->first, 'x');
	game_begin(&p->second, 'y');
	p->first.b.header->created.real_ns = UINT64_C(1700000000000000000);
	p->second.b.header->created.real_ns = UINT64_C(1700000000000000000) + LATER;
	*state = p;
	return 0;
}

static int pair_teardown(void **state)
{
	struct pair *p = *state;

	game_end(&p->first);
	game_end(&p->second);
	free(p);
	return 0;
}

static struct screen *on(const struct pair *p, struct proftop how)
{
	struct screen *s;

	how.arguments[0] = p->first.b.name;
	how.arguments[1] = p->second.b.name;
	s = proftop_start(&how);
	screen_rename(s, p->first.b.name, SHOWN_NAME);
	screen_rename(s, p->second.b.name, SHOWN_SECOND);
	return s;
}

static void test_face(void **state)
{
	const struct pair *p = *state;
	const struct face *face = p->face;
	struct screen *s = on(p, (struct proftop){ face->columns, face->rows, .locale = face->locale });

	screen_until(s, face->rows > 5 ? "lost 15" : "game");
	screen_until_quiet(s, 500); /* then the second program has been read, too */
	screen_type(s, face->keys);
	screen_golden(s, face->golden);
	proftop_leave(s);
}

/* New frames of both are recorded, and nothing is seen of them; live again they are there. */
static void test_paused_nothing_changes(void **state)
{
	struct pair *p = *state;
	struct screen *s = on(p, (struct proftop){ .columns = 80, .rows = 24, .locale = "C.UTF-8" });
	char *before;

	screen_until(s, "lost 15");
	screen_type(s, "p[");
	screen_until(s, "PAUSED  frame 199");
	before = strdup(screen_text(s));
	assert_non_null(before);
	game_play(&p->first, 20);
	game_play(&p->second, 30);
	usleep(400000);
	screen_type(s, "");
	assert_string_equal(screen_text(s), before);
	free(before);
	screen_type(s, "p");
	screen_until(s, "LIVE");
	screen_until_gone(s, "PAUSED");
	proftop_leave(s);
}

static void test_each_has_its_state(void **state)
{
	struct pair *p = *state;
	struct proftop how = { 80, 24, .locale = "C.UTF-8",
			       .arguments = { p->first.b.name, p->second.b.name, "gamedemo-not-there" } };
	struct screen *s = proftop_start(&how);
	const char *text;

	screen_rename(s, p->first.b.name, SHOWN_NAME);
	screen_rename(s, p->second.b.name, SHOWN_SECOND);
	screen_until(s, "lost 15");
	screen_until(s, "WAITING");
	builder_die(&p->second.b);
	screen_until(s, "DEAD");
	text = screen_text(s);
	assert_null(strstr(strstr(text, "DEAD"), "LIVE"));
	assert_non_null(strstr(text, "  LIVE"));
	screen_golden(s, "several_states");
	proftop_leave(s);
}

/* The list says which are looked at; one of them comes into focus when it is chosen. What is typed leaves its row alone in
 * the list, whatever else there is on this machine. */
static void test_another_one(void **state)
{
	struct pair *p = *state;
	struct screen *s = on(p, (struct proftop){ .columns = 100, .rows = 30, .locale = "C.UTF-8" });

	screen_until(s, "lost 15");
	screen_type(s, "A");
	screen_until(s, "Programs");
	screen_type(s, p->second.b.name);
	screen_until(s, "Programs: " SHOWN_SECOND);
	screen_click(s, "(viewed)");
	screen_until_gone(s, "Programs: ");
	screen_until(s, "> " SHOWN_SECOND);
	proftop_leave(s);
}

static void test_a_program_behind_is_alone(void **state)
{
	struct pair *p = *state;
	struct proftop how = { 80, 24, .arguments = { p->first.b.name, p->second.b.name, "--", "true" } };
	struct screen *s = proftop_start(&how);

	screen_until(s, "give a region, or a program after --, not both");
	assert_int_equal(screen_end(s), 2);
	screen_free(s);
}

#define FACES (sizeof(faces) / sizeof(*faces))

int main(void)
{
	struct CMUnitTest tests[4 + FACES] = {
		cmocka_unit_test_setup_teardown(test_paused_nothing_changes, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(test_each_has_its_state, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(test_another_one, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(test_a_program_behind_is_alone, pair_setup, pair_teardown),
	};

	for (size_t i = 0; i < FACES; i++)
		tests[4 + i] = (struct CMUnitTest){ .name = faces[i].golden, .test_func = test_face,
						    .setup_func = pair_setup, .teardown_func = pair_teardown,
						    .initial_state = (void *)&faces[i] };
	return cmocka_run_group_tests_name("proftop: several programs", tests, NULL, game_remove_all);
}

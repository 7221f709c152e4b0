/* SPDX-License-Identifier: MIT */
/*
 * proftop_comings: a program that is not there yet, that ends, dies, is started again or cut off; one of
 * several; one that proftop starts itself.
 */
#include "tests/proftop_run.h"

static void test_waiting(void **state)
{
	char name[GAME_NAME_SIZE];
	struct screen *s;
	struct game g;

	(void)state;
	game_name(name, 'x');
	s = proftop_start(&(struct proftop){ .arguments = { name } });
	screen_rename(s, name, SHOWN_NAME);
	screen_until(s, "WAITING for " SHOWN_NAME);
	screen_golden(s, "waiting");
	screen_type(s, "p");
	screen_until(s, "nothing to pause yet");
	screen_type(s, "123456789+-*[]{}\tuPRaIs<>/a\r\\\r%eT,.\033OC\033OD");
	screen_resize(s, 20, 5);
	screen_until(s, "WAITING");
	screen_type(s, "/\x15\r"); /* takes away what was said last; ^U */
	screen_golden(s, "waiting_20x5");
	screen_resize(s, 80, 24);
	game_begin(&g, 'x');
	screen_until(s, "LIVE 00:00:03");
	proftop_leave(s);
	game_end(&g);
}

static void test_waiting_in_c(void **state)
{
	char name[GAME_NAME_SIZE];
	struct screen *s;

	(void)state;
	game_name(name, 'x');
	s = proftop_start(&(struct proftop){ .arguments = { name }, .locale = "C", .columns = 100, .rows = 30 });
	screen_rename(s, name, SHOWN_NAME);
	screen_until(s, "WAITING for " SHOWN_NAME);
	screen_until(s, "no program publishes under");
	proftop_leave(s);
}

/* It dies under the eyes; what was read stays. Then there is one of that name again. */
static void test_death_and_return(void **state)
{
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	s = proftop_on(&g, (struct proftop){ 0 });
	screen_type(s, "2I@/physics\r");
	screen_until(s, "HIER ms▲");
	screen_until(s, "> + physics");
	builder_die(&g.b);
	screen_until(s, "DEAD");
	screen_golden(s, "dead");
	game_end(&g); /* its name, too, is gone */
	screen_type(s, "[[");
	screen_until(s, "PAUSED  frame 198");
	game_begin(&g, 'x');
	game_play(&g, 30);
	screen_until(s, "new run: process 4711");
	screen_type(s, "p");
	screen_until(s, "LIVE 00:00:03");
	screen_until(s, "[2 Hier]");
	screen_until(s, "HIER ms▲");
	screen_until(s, "> + physics");
	builder_die(&g.b);
	screen_until(s, "DEAD");
	proftop_leave(s);
	game_end(&g);
}

static void test_ended(void **state)
{
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	s = proftop_on(&g, (struct proftop){ 0 });
	WORD_STORE(g.b.process->state, PROCESS_EXITED);
	builder_die(&g.b);
	screen_until(s, "ENDED  frame 200  ");
	screen_until(s, "ended");
	proftop_leave(s);
	game_end(&g);
}

static void test_dead_from_the_beginning(void **state)
{
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	builder_die(&g.b);
	s = proftop_start(&(struct proftop){ .arguments = { "-v", "graph", "-z", "bvh_walk", g.b.name } });
	screen_rename(s, g.b.name, SHOWN_NAME);
	screen_until(s, "DEAD  frame 201 unfinished");
	screen_until(s, "path: [bvh_walk]");
	screen_until(s, "\n> - bvh_walk       2.241 ");
	screen_until(s, "zones not closed once (cull)   died");
	proftop_leave(s);
	game_end(&g);
}

/* Somebody cuts the file: what there was stays, and the reason is said. */
static void test_cut_off(void **state)
{
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	s = proftop_on(&g, (struct proftop){ 0 });
	screen_until(s, "LIVE 00:00:03");
	assert_int_equal(ftruncate(g.b.fd, 2 * REGION_PAGE), 0);
	screen_until(s, "was cut off while proftop read it");
	screen_until(s, "cannot be read any more");
	screen_until(s, "render");
	screen_type(s, "3[[");
	screen_until(s, "PAUSED  frame 198");
	proftop_leave(s);
	assert_int_equal(ftruncate(g.b.fd, (off_t)g.b.size), 0);
	game_end(&g);
}

/* In the list; names stand elsewhere, too. */
static void pick(struct screen *s, const struct game *g)
{
	char text[128];

	screen_until(s, " Programs ");
	snprintf(text, sizeof(text), "live       4711  %s", g->b.name);
	screen_click(s, text);
	screen_until_gone(s, " Programs ");
}

/* All regions of the machine are in the list: of others than these two nothing is known. */
static void test_a_choice(void **state)
{
	struct game x, y;
	struct screen *s;

	(void)state;
	game_begin(&x, 'x');
	game_begin(&y, 'y');
	s = proftop_start(&(struct proftop){ .columns = 200, .rows = 50, .locale = "C" });
	screen_until(s, " Programs ");
	screen_until(s, x.b.name);
	pick(s, &y);
	screen_until(s, "frame 200");
	screen_until(s, y.b.name);
	game_play(&x, 11);
	screen_type(s, "2A");
	pick(s, &x);
	screen_until(s, "frame 211");
	screen_until(s, "[2 Hier]");
	screen_type(s, "pA"); /* another program is not paused; one that has gone is said to have */
	pick(s, &y);
	screen_until(s, "LIVE");
	screen_until(s, "frame 200");
	screen_type(s, "A");
	screen_until(s, " Programs ");
	game_end(&x);
	pick(s, &x);
	screen_until(s, "no program publishes under");
	game_play(&y, 3);
	screen_until(s, "frame 203");
	proftop_leave(s);
	game_end(&y);
}

/* A program behind `--` that never enters a zone: how it ended is said, and the screen stays. */
static void test_started_without_zones(void **state)
{
	struct screen *s;

	(void)state;
	s = proftop_start(&(struct proftop){ .arguments = { "--", "/bin/sh", "-c", "kill -SEGV $$" },
					     .columns = 100, .rows = 30 });
	screen_until(s, "139");
	screen_until(s, "SIGSEGV");
	screen_until(s, "WAITING");
	proftop_leave(s);
}

/* The output of the program is shown below the view, also when the program has ended. */
static void test_started_and_prints(void **state)
{
	struct screen *s;

	(void)state;
	s = proftop_start(&(struct proftop){ .arguments = { "--", "/bin/sh", "-c", "echo the first; read line; echo 'the last'" },
					     .columns = 100, .rows = 30 });
	screen_until(s, "exited");
	screen_type(s, "\"");
	screen_until(s, "output of sh: ");
	screen_until(s, "\n the first\n the last\n");
	screen_type(s, "\"");
	screen_until_gone(s, "the last");
	proftop_leave(s);
}

/* If it fails, the screen says how to see why. */
static void test_started_and_fails(void **state)
{
	struct screen *s;

	(void)state;
	s = proftop_start(&(struct proftop){ .arguments = { "--", "/bin/sh", "-c", "echo no such folder; exit 2" },
					     .columns = 100, .rows = 30 });
	screen_until(s, "/bin/sh exited 2; \" shows what it printed");
	screen_type(s, "\"");
	screen_until(s, "\n no such folder\n");
	proftop_leave(s);
}

static void test_cannot_be_started(void **state)
{
	struct screen *s;

	(void)state;
	s = proftop_start(&(struct proftop){ .arguments = { "--", "/no/such/program" } });
	screen_until(s, "cannot run /no/such/program");
	assert_int_equal(screen_end(s), 3);
	screen_free(s);
}

static void test_started(void **state)
{
	const char *top = getenv("top_builddir");
	char program[1024];
	struct screen *s;

	(void)state;
	snprintf(program, sizeof(program), "%s/examples/hello", top ? top : ".");
	s = proftop_start(&(struct proftop){ .arguments = { "--", program }, .columns = 100, .rows = 30 });
	screen_until(s, "exited 0");
	screen_until(s, "[1 Self]");
	screen_until_gone(s, "WAITING");
	proftop_leave(s);
}

/* The number of the newest frame: the title has it while the view is paused. */
static int newest_frame(struct screen *s)
{
	static const char before[] = "PAUSED  frame ";
	const char *at;
	int number;

	screen_type(s, "p");
	screen_until(s, before);
	at = strstr(screen_text(s), before);
	number = at ? atoi(at + strlen(before)) : 0;
	screen_type(s, "p");
	screen_until(s, "LIVE");
	return number;
}

static struct screen *start_unmarked(struct builder *b, const char *delay)
{
	uint32_t main_thread, node;
	struct screen *s;

	builder_begin(b, "unmarked");
	main_thread = builder_thread(b, BUILDER_START, "main");
	node = builder_node(b, main_thread, 0, builder_zone(b, "cook", "kitchen.c", 7));
	builder_enter(b, main_thread, node, BUILDER_START + 10);
	s = proftop_start(&(struct proftop){ .arguments = { "-d", delay, b->name } });
	screen_until(s, "frames by proftop");
	screen_until(s, ">   cook");
	return s;
}

/* A program that marks no frames gets some; with its first mark they are its own, from 1. */
static void test_without_marks(void **state)
{
	struct builder b;
	struct screen *s = start_unmarked(&b, "0.1");

	(void)state;
	while (newest_frame(s) < 10)
		;
	builder_frame(&b, BUILDER_START + 1000000, 1, 0, NULL);
	screen_until(s, "the program now marks its frames");
	screen_until(s, "RUNNING");
	proftop_leave(s);
	builder_end(&b);
}

/* Every program is without marks at its start: that it sets the first one then is not worth a message. */
static void test_first_mark_at_start(void **state)
{
	struct builder b;
	struct screen *s = start_unmarked(&b, "1"); /* a second a look: ten of them never pass until the mark */

	(void)state;
	builder_frame(&b, BUILDER_START + 1000000, 1, 0, NULL);
	screen_until(s, "RUNNING");
	assert_false(screen_shows(s, "now marks"));
	proftop_leave(s);
	builder_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_waiting_in_c),
		cmocka_unit_test(test_without_marks),
		cmocka_unit_test(test_first_mark_at_start),
		cmocka_unit_test(test_death_and_return),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_dead_from_the_beginning),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_a_choice),
		cmocka_unit_test(test_started_without_zones),
		cmocka_unit_test(test_started_and_prints),
		cmocka_unit_test(test_started_and_fails),
		cmocka_unit_test(test_cannot_be_started),
		cmocka_unit_test(test_started),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

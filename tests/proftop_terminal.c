/* SPDX-License-Identifier: MIT */
/*
 * proftop_terminal: proftop's conduct on its terminal: the mouse, sizes, signals, job control, a terminal
 * that is gone or is none; and that names bring no sequence of their own to it.
 */
#include <signal.h>
#include <time.h>

#include "tests/proftop_run.h"

static struct screen *in_ascii(const struct game *g)
{
	return proftop_on(g, (struct proftop){ .locale = "C" });
}

/* The mouse */

static void test_click_on_rows_and_titles(void **state)
{
	struct screen *s = in_ascii(*state);

	screen_click(s, "physics");
	screen_until(s, "\n> + physics");
	screen_click(s, "HIER ms");
	screen_until(s, "HIER ms v");
	screen_until_gone(s, "\n> + physics"); /* it is at the top */
	screen_click(s, "HIER ms");
	screen_until(s, "HIER ms ^");
	screen_click(s, "physics");
	screen_until(s, "\n> + physics");
	screen_click(s, "physics"); /* where the cursor is already: into it */
	screen_until(s, "[3 Graph]");
	screen_until(s, "\n> - physics");
	screen_click(s, "4 Tree");
	screen_until(s, "[4 Tree]");
	proftop_leave(s);
}

static void test_click_on_frames(void **state)
{
	struct screen *s = in_ascii(*state);

	screen_mouse(s, 0, false, 79, 4);
	screen_mouse(s, 0, true, 79, 4);
	screen_until(s, "PAUSED  frame 200 ");
	screen_mouse(s, 0, false, 50, 3);
	screen_mouse(s, 0, true, 50, 3);
	screen_until(s, "PAUSED  frame 171 ");
	screen_mouse(s, 0, false, 0, 3); /* the scale is no frame */
	screen_mouse(s, 0, true, 0, 3);
	screen_mouse(s, 65, false, 50, 3);
	screen_until(s, "1 column = 2 frames");
	screen_until(s, "PAUSED  frame 171 ");
	screen_mouse(s, 64, false, 50, 3);
	screen_until_gone(s, "1 column = 2 frames");
	proftop_leave(s);
}

/* From 4 frames a column to few enough that those that were dragged over fill the width. */
static void test_drag_selects(void **state)
{
	struct screen *s = in_ascii(*state);

	screen_type(s, "\t" KEY_DOWN KEY_DOWN);
	screen_until(s, "1 column = 4 frames");
	screen_mouse(s, 0, false, 60, 3);
	screen_mouse(s, 32, false, 65, 3);
	screen_mouse(s, 32, false, 70, 3);
	screen_mouse(s, 0, true, 70, 3);
	screen_until(s, "PAUSED  frames 124-167");
	proftop_leave(s);
}

static void test_wheel_scrolls(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ .columns = 80, .rows = 16, .locale = "C" });

	screen_until(s, "bvh_walk");
	for (int i = 0; i < 5; i++)
		screen_mouse(s, 65, false, 10, 8);
	screen_until(s, "(no zone)");
	screen_until_gone(s, "bvh_walk");
	for (int i = 0; i < 5; i++)
		screen_mouse(s, 64, false, 10, 8);
	screen_until(s, "bvh_walk");
	proftop_leave(s);
}

static bool mouse_is(struct screen *s, void *mode)
{
	return screen_mouse_mode(s) == *(int *)mode;
}

static void test_the_mouse_is_given_back(void **state)
{
	struct screen *s = in_ascii(*state);
	int none = 0, drags = 2;

	screen_until_true(s, mouse_is, &drags);
	screen_type(s, "M");
	screen_until_true(s, mouse_is, &none);
	screen_type(s, "M");
	screen_until_true(s, mouse_is, &drags);
	proftop_leave(s);
}

static void test_no_mouse_at_all(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ .arguments = { "-M" } });

	screen_until_quiet(s, 100);
	assert_int_equal(screen_mouse_mode(s), 0);
	proftop_leave(s);
}

/* What is no key */

/* A terminal that answers late, byte by byte: the letters are no keys. */
static void test_late_answers(void **state)
{
	static const char answers[] = "\033]11;rgb:1e1e/1e1e/2e2e\033\\\033P1$r2 q\033\\\033_Gq\033\\\033]52;c;cXE=\007"
				      "\033[?62;22c\033[12;40R\033[I\033[113;3u";
	struct screen *s = in_ascii(*state);

	for (size_t i = 0; i < sizeof(answers) - 1; i++) {
		screen_type_bytes(s, answers + i, 1);
		if (answers[i] != '\033') /* a lone Esc is a key */
			screen_pump(s, 1);
	}
	screen_until_quiet(s, 100);
	assert_false(screen_shows(s, "Budget"));
	screen_type(s, "3");
	screen_until(s, "[3 Graph]");
	proftop_leave(s);
}

/* Alt and a letter that begins a terminal's answer. */
static void test_alt_does_not_take_the_keyboard_away(void **state)
{
	struct screen *s = in_ascii(*state);

	screen_type(s, "\033]");
	screen_pump(s, 1000);
	screen_type(s, "3");
	screen_until(s, "[3 Graph]");
	proftop_leave(s);
}

static void test_pasted_text_goes_into_prompts(void **state)
{
	struct screen *s = in_ascii(*state);

	assert_true(screen_pastes(s));
	screen_paste(s, "3q\nQ\r/f");
	screen_type(s, "4");
	screen_until(s, "[4 Tree]");
	screen_type(s, "/");
	screen_until(s, "Search:");
	screen_paste(s, "\r\nray\r\n\tcast\n");
	screen_until(s, "Search: ray cast ");
	screen_type(s, "\033");
	screen_until_gone(s, "Search:");
	proftop_leave(s);
}

/* The title */

static bool has_sent(struct screen *s, const char *what)
{
	size_t length;
	const char *bytes = screen_bytes(s, &length);

	return memmem(bytes, length, what, strlen(what));
}

static void test_the_title_names_the_program(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ .columns = 80 });

	screen_until(s, "LIVE 00:00:03");
	assert_true(has_sent(s, "\033]2;proftop: game\007"));
	proftop_leave(s);
	s = proftop_on(*state, (struct proftop){ .arguments = { "--no-title" } });
	screen_until(s, "LIVE 00:00:03");
	assert_false(has_sent(s, "\033]2;"));
	proftop_leave(s);
}

/* Sizes */

struct bytes {
	size_t least;
};

static bool has_written(struct screen *s, void *context)
{
	size_t length;

	screen_bytes(s, &length);
	return length >= ((struct bytes *)context)->least;
}

static void test_redraw(void **state)
{
	struct screen *s = in_ascii(*state);
	struct bytes whole = { 1000 };
	size_t length;

	screen_until_quiet(s, 700);
	screen_forget(s);
	screen_pump(s, 300);
	screen_bytes(s, &length);
	assert_int_equal(length, 0); /* nothing new: nothing is written */
	screen_type(s, KEY_REDRAW);
	screen_until_true(s, has_written, &whole);
	proftop_leave(s);
}

static void test_every_small_size(void **state)
{
	struct screen *s = in_ascii(*state);

	screen_type(s, "p");
	for (int rows = 1; rows <= 10; rows++)
		for (int columns = 1; columns <= 30; columns++) {
			screen_resize(s, columns, rows);
			if (columns % 5 == 0)
				screen_type(s, "1j2jl3uP4*j?\r?T\rP");
			screen_pump(s, 2);
		}
	screen_resize(s, 80, 24);
	screen_until(s, "PAUSED  frame 200 ");
	proftop_leave(s);
}

static void test_storm(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ 0 });
	uint64_t random = 1;

	for (int i = 0; i < 300; i++) {
		screen_resize(s, 1 + (int)(builder_random(&random) % 200), 1 + (int)(builder_random(&random) % 50));
		screen_pump(s, (int)(builder_random(&random) % 4));
	}
	screen_resize(s, 1, 1);
	screen_pump(s, 50);
	screen_resize(s, 80, 24);
	screen_until(s, "[1 Self]");
	screen_until(s, "LIVE 00:00:03");
	screen_until(s, "(no zone)");
	proftop_leave(s);
}

/* Ways out */

static void assert_restored(struct screen *s)
{
	screen_check_bytes(s);
	assert_false(screen_is_alternate(s));
	assert_int_equal(screen_mouse_mode(s), 0);
	assert_false(screen_pastes(s));
}

static void test_signals(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct screen *s = proftop_on(*state, (struct proftop){ 0 });

		kill(screen_pid(s), signals[i]);
		assert_int_equal(screen_end(s), 128 + signals[i]);
		assert_restored(s);
		screen_free(s);
	}
}

/* A sanitizer that catches the crashes itself would hide how the program ends. */
static void test_crashes(void **state)
{
	static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS };
	static const char *const environment[] = { "ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0",
						   NULL };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct screen *s = proftop_on(*state, (struct proftop){ .environment = environment });

		screen_until(s, "? Help"); /* the last of what it draws: it is in no sequence now */
		kill(screen_pid(s), signals[i]);
		assert_int_equal(screen_end(s), 128 + signals[i]);
		assert_restored(s);
		screen_free(s);
	}
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The least of a few tries: on a loaded machine one may take long. */
static void test_hang_up(void **state)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < 5 && least > 1000; i++) {
		struct screen *s = proftop_on(*state, (struct proftop){ 0 });
		int64_t began = now_ms(), took;

		screen_hang_up(s);
		screen_end(s);
		took = now_ms() - began;
		least = took < least ? took : least;
		screen_free(s);
	}
	assert_true(least <= 1000);
}

/* A shell that has told its children to ignore the signal (nohup): only the end of the input shows that nobody
 * is there. */
static void test_hang_up_unheard(void **state)
{
	struct game *g = *state;
	const char *top = getenv("top_builddir");
	char command[1200];
	const char *const argv[] = { "/bin/sh", "-c", command, NULL };
	struct screen *s;

	snprintf(command, sizeof(command), "trap '' HUP; exec %s/proftop/proftop %s", top ? top : ".", g->b.name);
	s = screen_start(&(struct screen_start){ .argv = argv });
	screen_until(s, "LIVE 00:00:03");
	screen_hang_up(s);
	assert_true(screen_end(s) < 128); /* by itself */
	screen_free(s);
}

static bool is_at_prompt(struct screen *s, void *unused)
{
	int x, y;
	bool visible;

	(void)unused;
	screen_cursor(s, &x, &y, &visible);
	return !screen_is_alternate(s) && x == 2;
}

/* A shell that knows job control. */
static void test_stop_and_go_on(void **state)
{
	struct game *g = *state;
	const char *top = getenv("top_builddir");
	char line[1200];
	static const char *const argv[] = { "/bin/sh", "-i", NULL }, *const environment[] = { "PS1=$ ", NULL };
	struct screen *s = screen_start(&(struct screen_start){ .argv = argv, .environment = environment });

	screen_rename(s, g->b.name, SHOWN_NAME);
	screen_until(s, "$");
	snprintf(line, sizeof(line), "%s/proftop/proftop %s\r", top ? top : ".", g->b.name);
	screen_type(s, line);
	screen_until(s, "LIVE 00:00:03");
	screen_type(s, "3");
	screen_until(s, "[3 Graph]");
	screen_type(s, "\032");
	screen_until(s, "Stopped");
	screen_until_true(s, is_at_prompt, NULL);
	assert_false(screen_is_alternate(s));
	assert_int_equal(screen_mouse_mode(s), 0);
	screen_resize(s, 90, 28);
	screen_type(s, "fg\r");
	screen_until(s, "[3 Graph]");
	screen_until(s, "path:");
	assert_true(screen_is_alternate(s));
	screen_type(s, "Q");
	screen_until_true(s, is_at_prompt, NULL);
	screen_type(s, "echo status $?\r");
	screen_until(s, "status 0");
	screen_type(s, "exit 5\r");
	assert_int_equal(screen_end(s), 5);
	screen_free(s);
}

/* Terminals that are none */

static void refuses(const struct game *g, const char *term, const char *why)
{
	struct screen *s = proftop_start(&(struct proftop){ .term = term, .arguments = { g->b.name } });
	const char *text;

	assert_int_equal(screen_end(s), 1);
	text = screen_text(s);
	if (!strstr(text, why) || strncmp(text, "proftop: ", 9))
		fail_msg("TERM=%s: %s", term, text);
	screen_check_bytes(s);
	screen_free(s);
}

static void test_terminals_that_cannot(void **state)
{
	refuses(*state, "dumb", "dumb");
	refuses(*state, "no-such-terminal", "no-such-terminal");
	refuses(*state, "", "TERM");
}

static void shows_names(struct game *g, const char *term, const char *locale)
{
	struct screen *s = proftop_on(g, (struct proftop){ .columns = 200, .rows = 50, .term = term,
							   .locale = locale });

	screen_until(s, "ev\\x1B[31mil");
	screen_type(s, "/il\r");
	screen_until(s, ">   ev\\x1B");
	screen_type(s, "\r");
	screen_until(s, "- ev\\x1B");
	screen_type(s, "P1P4*T\r\\ev\r[");
	screen_until(s, "filter: ev");
	screen_type(s, "/\xc2\x9b" "5n\xe2\x80\xae\r\\\x9b\r");
	proftop_leave(s);
}

static void test_hostile_names(void **state)
{
	shows_names(*state, NULL, "C.UTF-8");
	shows_names(*state, NULL, "C");
	shows_names(*state, "linux", "C");
	shows_names(*state, "vt100", "C");
	shows_names(*state, "screen-256color", "C.UTF-8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_click_on_rows_and_titles, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_click_on_frames, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_drag_selects, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_wheel_scrolls, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_the_mouse_is_given_back, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_no_mouse_at_all, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_late_answers, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_alt_does_not_take_the_keyboard_away, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_pasted_text_goes_into_prompts, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_the_title_names_the_program, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_redraw, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_every_small_size, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_storm, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_signals, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_crashes, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_hang_up, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_hang_up_unheard, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_stop_and_go_on, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_terminals_that_cannot, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_names, game_setup, game_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

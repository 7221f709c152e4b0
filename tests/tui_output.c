/* SPDX-License-Identifier: MIT */
/*
 * tui_output: the pane with what the program prints: which lines it shows, that
 * no byte of them steers the terminal, when it opens and closes, and which file
 * is read for it.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/text.h"
#include "proftop/program_output.h"
#include "tests/tui_stage.h"

#define TEXT(text) text, sizeof(text) - 1

/* What is drawn */

/* `before`: bytes of the output that were not read. */
static void expect(const char *bytes, size_t length, uint64_t before, bool ascii, const char *expected)
{
	struct output_tail *t = output_tail_new("/tmp/game.out", bytes, length, length + before);
	struct canvas c = { 0 };

	assert_non_null(t);
	lines_begin(&c, 44, output_pane_lines(t, 10, 30), ascii);
	output_pane_draw(t, "game", &c, canvas_area(&c));
	lines_expect(&c, expected);
	canvas_fini(&c);
	output_tail_free(t);
}

static void the_last_lines_are_shown(void **state)
{
	(void)state;
	expect(TEXT(""), 0, false,
" output of game: 0 B in /tmp/game.out\n"
" (nothing yet)\n");
	expect(TEXT("one\n\ntwo\n"), 0, false,
" output of game: 9 B in /tmp/game.out\n"
" one\n"
"\n"
" two\n");
	expect(TEXT("1\n2\n3\n4\n5\nsix"), 0, false,
" output of game: 13 B in /tmp/game.out\n"
" 3\n"
" 4\n"
" 5\n"
" six\n");
}

static void a_long_line_is_cut(void **state)
{
	(void)state;
	expect(TEXT("short\n0123456789012345678901234567890123456789012345678901234567890123456789\n"), 0, false,
" output of game: 77 B in /tmp/game.out\n"
" short\n"
" 012345678901234567890123456789012345678901…\n");
	/* it began before the bytes that were read, in the middle of a character */
	expect(TEXT("\xa9\xba end of it\nlast\n"), 5000000, false,
" output of game: 4.8 MiB in /tmp/game.out\n"
" … end of it\n"
" last\n");
}

static void hostile_bytes_are_harmless(void **state)
{
	(void)state;
	expect(TEXT("\033[1;31mred\033[0m \033[2J\033]0;t\007 \033[\n10%\r20%\r30% done\r\n\tx\ty \\n\n\xff \xc3( 空 \xe2\x80\xae\n"), 0, false,
" output of game: 68 B in /tmp/game.out\n"
" red \\x1B[2J\\x1B]0;t\\x07 \\x1B[\n"
" 30% done\n"
"         x       y \\n\n"
" \\xFF \\xC3( 空 \\xE2\\x80\\xAE\n");
	expect(TEXT("a\0b é\n"), 0, true,
" output of game: 7 B in /tmp/game.out\n"
" a\\x00b \\xC3\\xA9\n");
}

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Any bytes, on a screen of any size: each cell has a character that is seen. */
static void any_bytes_are_harmless(void **state)
{
	static const char often[] = "\n\n\r\t\\\033[0;1m\xe2\x80\xae\xcc\x81 a";
	uint32_t seed = 7;
	char bytes[512];

	(void)state;
	for (int round = 0; round < 3000; round++) {
		size_t length = random_next(&seed) % sizeof(bytes);
		struct canvas c = { 0 };
		struct output_tail *t;

		for (size_t i = 0; i < length; i++)
			bytes[i] = random_next(&seed) % 2 ? often[random_next(&seed) % (sizeof(often) - 1)]
							  : (char)random_next(&seed);
		t = output_tail_new("/tmp/x", bytes, length, length + random_next(&seed) % 2 * 1000);
		lines_begin(&c, 1 + (int)(random_next(&seed) % 60), 1 + (int)(random_next(&seed) % 12), round % 2);
		output_pane_draw(t, "game", &c, canvas_area(&c));
		for (int i = 0; i < c.width * c.height; i++)
			for (int j = 0; j < CELL_CODES && c.cells[i].codes[j]; j++)
				assert_true(code_visible(c.cells[i].codes[j]));
		canvas_fini(&c);
		output_tail_free(t);
	}
}

/* The key */

static void give(struct stage *t, const char *bytes)
{
	assert_true(app_wants_output(&t->app, 0, true));
	app_take_output(&t->app, 0, output_tail_new("/tmp/game.out", bytes, strlen(bytes), strlen(bytes)), "");
	stage_draw(t);
}

static bool shows(struct stage *t, const char *text)
{
	char *lines = lines_text(&t->c);
	bool found = strstr(lines, text);

	free(lines);
	return found;
}

static void the_pane_follows_and_closes(void **state)
{
	static const uint32_t closes[] = { '"', STAGE_ESCAPE, 'q' };
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	assert_false(app_wants_output(&t.app, 0, true));
	for (size_t i = 0; i < sizeof(closes) / sizeof(*closes); i++) {
		stage_press(&t, '"');
		assert_true(app_wants_output(&t.app, 0, false)); /* at once */
		give(&t, "level 1\n");
		assert_false(app_wants_output(&t.app, 0, false)); /* then at each look */
		assert_true(shows(&t, "output of game: 8 B in /tmp/game.out\n level 1\n"));
		give(&t, "level 1\nlevel 2\n");
		assert_true(shows(&t, " level 1\n level 2\n"));
		assert_true(shows(&t, "[1 Self]")); /* the view is still there */
		stage_press(&t, 'p');
		assert_true(shows(&t, "PAUSED"));
		stage_press(&t, closes[i]); /* and the pause stays */
		assert_false(shows(&t, "level 1"));
		assert_true(shows(&t, "PAUSED"));
		assert_false(app_wants_output(&t.app, 0, true));
		stage_press(&t, 'p');
	}
	stage_end(&t);
}

static void it_takes_a_third_of_the_screen(void **state)
{
	static const char many[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n";
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 45);
	stage_attach(&t, stage_game(5));
	stage_press(&t, '"');
	give(&t, many);
	assert_true(shows(&t, "/tmp/game.out\n 7\n 8\n"));
	assert_true(shows(&t, "\n 19\n 20\n"));
	stage_end(&t);
}

static void what_stands_against_it_is_said(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24); /* also before there is a region */
	stage_press(&t, '"');
	give(&t, "cannot open level 1\n");
	assert_true(shows(&t, "cannot open level 1"));
	app_take_output(&t.app, 0, NULL, "the program's output is not a file; start it with proftop -- PROGRAM");
	stage_draw(&t);
	assert_true(shows(&t, "\nthe program's output is not a file; start it with proftop -- PROGRAM\n"));
	assert_false(app_wants_output(&t.app, 0, true));
	stage_end(&t);
	stage_open(&t, &o, 20, 5);
	stage_press(&t, '"');
	assert_true(shows(&t, "the screen is too\nsmall"));
	assert_false(app_wants_output(&t.app, 0, true));
	stage_end(&t);
}

/* The file */

static char folder[] = "/tmp/tui-output-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const char *text)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_APPEND, 0600);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* Its last line; else why there is none. */
static const char *last_line(struct program_output *o, const char *file, int64_t pid, bool recording)
{
	static char text[1024];
	struct output_tail *t = program_output_read(o, file, pid, recording, text, sizeof(text));
	struct canvas c = { 0 };
	char *lines;

	if (!t)
		return text;
	lines_begin(&c, 80, 2, false);
	output_pane_draw(t, "game", &c, canvas_area(&c));
	lines = lines_text(&c);
	snprintf(text, sizeof(text), "%s", lines);
	free(lines);
	canvas_fini(&c);
	output_tail_free(t);
	text[strlen(text) - 1] = '\0';
	return strchr(text, '\n') + 2;
}

static void the_end_of_a_large_file_is_read(void **state)
{
	struct program_output o = { .fd = -1 };

	(void)state;
	for (int i = 0; i < 3000; i++)
		put("large", "a line of no importance\n");
	put("large", "the last\n");
	assert_string_equal(last_line(&o, path_of("large"), 0, false), "the last");
	put("large", "and more\n");
	assert_string_equal(last_line(&o, path_of("large"), 0, false), "and more");
	assert_int_equal(truncate(path_of("large"), 0), 0);
	assert_string_equal(last_line(&o, path_of("large"), 0, false), "(nothing yet)");
	program_output_close(&o);
}

/* Does nothing, with its outputs there. */
static pid_t run_with(const char *out, const char *err)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	dup2(open(out, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK, 0600), STDOUT_FILENO);
	dup2(open(err, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK, 0600), STDERR_FILENO);
	close(STDIN_FILENO);
	for (;;)
		pause();
}

/* The child has come so far that it has closed its input, which comes last. */
static void until_ready(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/0", (int)pid);
	while (!access(path, F_OK))
		usleep(1000);
}

static void the_output_of_a_process_is_found(void **state)
{
	struct program_output o = { .fd = -1 };
	char out[128], pipe[128];
	pid_t pid;

	(void)state;
	snprintf(out, sizeof(out), "%s", path_of("out"));
	snprintf(pipe, sizeof(pipe), "%s", path_of("pipe"));
	put("out", "hello\n");
	assert_int_equal(mkfifo(pipe, 0600), 0);
	pid = run_with(out, "/dev/null");
	until_ready(pid);
	assert_string_equal(last_line(&o, "", pid, false), "hello");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	put("out", "abort\n");
	assert_string_equal(last_line(&o, "", pid, false), "abort"); /* proftop does not know yet that it has ended */
	assert_string_equal(last_line(&o, "", 0, false), "abort");
	pid = run_with(pipe, "/dev/null"); /* nothing is taken out of the pipe */
	until_ready(pid);
	assert_string_equal(last_line(&o, "", pid, false),
			    "the program's output is not a file; start it with proftop -- PROGRAM");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	pid = run_with(pipe, out);
	until_ready(pid);
	assert_string_equal(last_line(&o, "", pid, false), "abort");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	program_output_close(&o);
}

static void without_a_file_the_reason_is_said(void **state)
{
	struct program_output o = { .fd = -1 };

	(void)state;
	assert_string_equal(last_line(&o, "", 0, false), "the program has ended, and its output is not known");
	assert_string_equal(last_line(&o, "", 0, true), "a recording does not have the program's output");
	assert_string_equal(last_line(&o, path_of("none"), 0, false), "the program has ended, and its output is not known");
	program_output_close(&o);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[200];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_lines_are_shown),
		cmocka_unit_test(a_long_line_is_cut),
		cmocka_unit_test(hostile_bytes_are_harmless),
		cmocka_unit_test(any_bytes_are_harmless),
		cmocka_unit_test(the_pane_follows_and_closes),
		cmocka_unit_test(it_takes_a_third_of_the_screen),
		cmocka_unit_test(what_stands_against_it_is_said),
		cmocka_unit_test(the_end_of_a_large_file_is_read),
		cmocka_unit_test(the_output_of_a_process_is_found),
		cmocka_unit_test(without_a_file_the_reason_is_said),
	};

	return cmocka_run_group_tests_name("tui: output", tests, make_folder, remove_folder);
}

/* SPDX-License-Identifier: MIT */
/*
 * proftop_hands: the editor, the clipboard and typed commands on a terminal: who has it when, what is sent to it, and
 * what it looks like behind that.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "tests/proftop_run.h"

static char folder[] = "/tmp/proftop-hands-XXXXXX";
static char top[4096];
static char editor[300], path[300], runtime[300], home[300];
static const char *const environment[] = { editor, path, runtime, home, NULL };

/* A program that writes down its arguments and does something. */
static void put_editor(const char *name, const char *does)
{
	char file[300];
	FILE *out;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	out = fopen(file, "w");
	assert_non_null(out);
	fprintf(out, "#!/bin/sh\nfor word; do echo \"[$word]\"; done >'%s/words'\n%s\n", folder, does);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(file, 0700), 0);
}

static const char *top_builddir(void)
{
	const char *directory = getenv("top_builddir");

	return directory ? directory : ".";
}

static void expect_file(const char *name, const char *expected)
{
	char file[300], text[2048] = "";
	FILE *in;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	in = fopen(file, "r");
	if (!in)
		fail_msg("there is no %s", file);
	assert_true(fread(text, 1, sizeof(text) - 1, in) < sizeof(text) - 1);
	fclose(in);
	assert_string_equal(text, expected);
}

/* proftop in a folder that has src/ray.c. */
static struct screen *begin(struct game *g, const char *command, const char *term)
{
	struct screen *s;

	snprintf(editor, sizeof(editor), "EDITOR=%s", command);
	snprintf(path, sizeof(path), "PATH=%s:/usr/bin:/bin", folder);
	snprintf(runtime, sizeof(runtime), "XDG_RUNTIME_DIR=%s", folder);
	snprintf(home, sizeof(home), "HOME=%s", folder);
	assert_int_equal(chdir(folder), 0);
	s = proftop_on(g, (struct proftop){ .environment = environment, .term = term });
	assert_int_equal(chdir(top), 0);
	return s;
}

static void test_the_editor_has_the_terminal(void **state)
{
	struct screen *s;
	char expected[300];

	put_editor("vim", "echo the editor has the terminal; read -r line; echo \"$line\" >>words.txt; exit 0");
	s = begin(*state, "vim -c 'set nu'", NULL);
	screen_type(s, "/raycast\r");
	screen_type(s, "v");
	screen_until(s, "the editor has the terminal");
	assert_false(screen_is_alternate(s));
	assert_int_equal(screen_mouse_mode(s), 0);
	assert_false(screen_pastes(s));
	screen_type(s, "jjj\n"); /* for the editor, a line at a time */
	screen_until(s, "raycast");
	assert_true(screen_is_alternate(s));
	assert_true(screen_pastes(s));
	snprintf(expected, sizeof(expected), "[-c]\n[set nu]\n[+118]\n[%s/src/ray.c]\n", folder);
	expect_file("words", expected);
	expect_file("words.txt", "jjj\n");
	screen_golden(s, "behind_the_editor");
	proftop_leave(s);
}

/* As long as the file, or -1. */
static long size_of(const char *name)
{
	char file[300];
	struct stat st;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	return stat(file, &st) ? -1 : (long)st.st_size;
}

/* A link in the folder that leads to another file of it. */
static void make_link(const char *name, const char *to)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(symlink(to, path), 0);
}

static void make_pipe(void)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/pipe", folder);
	assert_int_equal(mkfifo(name, 0600), 0);
}

static int open_pipe(void)
{
	char name[300];
	int fd;

	snprintf(name, sizeof(name), "%s/pipe", folder);
	fd = open(name, O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	return fd;
}

/* To its end, while the screen goes on; returns how much it was. */
static long read_pipe(struct screen *s, int fd)
{
	char bytes[4096];
	long total = 0;
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) != 0 || !total) {
		total += n > 0 ? n : 0;
		if (n <= 0)
			screen_pump(s, 5);
	}
	close(fd);
	return total;
}

static void test_what_is_shown_is_exported(void **state)
{
	struct screen *s = begin(*state, "true", NULL);
	long whole;

	screen_type(s, "X");
	screen_until(s, "speedscope");
	screen_type(s, "folded\r"); /* typing chooses */
	screen_until(s, "Export to: game.folded");
	screen_type(s, "\r");
	screen_until(s, "wrote game.folded (");
	screen_until(s, "B): the whole run");
	whole = size_of("game.folded");
	assert_true(whole > 100);
	screen_type(s, ":export html\r");
	screen_until(s, "Export to: game.html");
	screen_type(s, "\025whole.html\r");
	screen_until(s, "wrote whole.html (");
	screen_until(s, "iB): the whole run");
	assert_true(size_of("whole.html") > 1000);
	screen_type(s, "w");
	screen_until(s, "PAUSED");
	screen_type(s, ":export folded\r\r"); /* the name that is proposed is one that is free */
	screen_until(s, "wrote game-");
	screen_until(s, "B): frame ");
	screen_type(s, ":export folded game.folded\r");
	screen_until(s, "game.folded exists already; type another name");
	make_link("link", "game.folded");
	screen_type(s, ":export folded link\r");
	screen_until(s, "link exists already; type another name");
	assert_int_equal(size_of("game.folded"), whole);
	screen_type(s, ":export chrome game.json\r");
	screen_until(s, "wrote game.json (");
	assert_true(size_of("game.json") > 1000);
	screen_type(s, ":export html game.html\r");
	screen_until(s, "wrote game.html (");
	assert_true(size_of("game.html") > 1000);
	screen_type(s, ":export pprof /dev/full\r");
	screen_until(s, "cannot write /dev/full: No space left");
	make_pipe();
	screen_type(s, ":export folded pipe\r"); /* nobody reads it yet */
	screen_until(s, "exporting pipe, Esc cancels");
	read_pipe(s, open_pipe());
	screen_until(s, "wrote pipe: frame ");
	screen_type(s, ":export csv x\r");
	screen_until(s, "this is a report: run proftop report --csv");
	assert_int_equal(size_of("x"), -1);
	screen_type(s, "\025\177"); /* the line empty, and away */
	proftop_leave(s);
}

/* Every name of a file that can be typed: ~/ is the home folder. Elsewhere ~ is a letter. */
static void test_names_of_files_have_a_home(void **state)
{
	struct screen *s = begin(*state, "true", NULL);
	char expected[400];

	screen_type(s, ":export folded ~/line.folded\r");
	snprintf(expected, sizeof(expected), "wrote %s/line.folded (", folder);
	screen_until(s, expected);
	screen_type(s, ":export folded\r");
	screen_until(s, "Export to: game.folded");
	screen_type(s, "\025~/asked.folded\r");
	snprintf(expected, sizeof(expected), "wrote %s/asked.folded (", folder);
	screen_until(s, expected);
	screen_type(s, ":export folded x~/line.folded\r");
	screen_until(s, "cannot write x~/line.folded: No such file");
	screen_type(s, ":record ~/home.prof\r");
	screen_until(s, "REC ");
	screen_type(s, ":record\r");
	screen_until_gone(s, "REC ");
	assert_true(size_of("home.prof") > 0);
	screen_type(s, ":attach ~/home.prof\r");
	screen_until(s, "home.prof  FILE");
	screen_type(s, "Q");
	assert_int_equal(screen_end(s), 0);
	assert_non_null(strstr(screen_text(s), "home.prof, ")); /* said once more where the text stays */
	assert_non_null(strstr(screen_text(s), "proftop: recorded: "));
	screen_free(s);
}

/* What stands there is not written over; in a shell the name is one word, and no command. */
static void test_recordings_have_names_of_their_own(void **state)
{
	struct screen *s = begin(*state, "true", NULL);
	off_t first;

	screen_type(s, "V\r");
	screen_until(s, "REC ");
	screen_type(s, "V");
	screen_until_gone(s, "REC ");
	first = size_of("game.prof");
	assert_true(first > 0);
	screen_type(s, ":record game.prof\r");
	screen_until(s, "game.prof exists already; type another name");
	screen_type(s, "V");
	screen_until(s, "Record to: game.prof");
	screen_type(s, "\r");
	screen_until(s, "REC ");
	screen_type(s, "V");
	screen_until(s, "To open it: proftop game-2.prof");
	assert_int_equal(size_of("game.prof"), first);
	screen_type(s, ":record list\r");
	screen_until(s, "REC ");
	screen_type(s, "V");
	screen_until(s, "To open it: proftop ./list");
	screen_type(s, ":record it's a game\r");
	screen_until(s, "REC ");
	screen_type(s, "V");
	screen_until(s, "To open it: proftop 'it'\\''s a game'");
	proftop_leave(s);
}

/* The newest 21 frames, chosen in the frame graph, are what -n 21 exports, byte for byte. */
static void test_selected_frames_are_exported(void **state)
{
	struct game *g = *state;
	struct screen *s = begin(g, "true", NULL);
	char command[1024];

	screen_type(s, "p\t|{{\r");
	screen_until(s, "frames 180–200 (21 frames");
	screen_type(s, ":export folded\r");
	screen_until(s, "Export to: game-180-200.folded");
	screen_type(s, "\r");
	screen_until(s, "B): frames 180 to 200");
	snprintf(command, sizeof(command), "%s/proftop/proftop export folded -n 21 -t main %s | cmp - %s/game-180-200.folded",
		 top_builddir(), g->b.name, folder);
	assert_int_equal(system(command), 0);
	screen_type(s, ":export html\r");
	screen_until(s, "Export to: game-180-200.html");
	screen_type(s, "\r");
	screen_until(s, "wrote game-180-200.html (");
	screen_until(s, "B): frames 180 to 200");
	screen_type(s, ":export chrome\r\r");
	screen_until(s, "wrote game-180-200.trace.json (");
	proftop_leave(s);
}

/* Into a pipe that nobody reads it lasts as long as the test wants: the screen
 * goes on meanwhile. */
static void test_an_export_goes_on_beside_the_screen(void **state)
{
	struct screen *s = begin(*state, "true", NULL);
	int fd;

	screen_type(s, ":export chrome pipe\r"); /* nobody has opened it */
	screen_until(s, "exporting pipe, Esc cancels");
	screen_resize(s, 70, 20);
	screen_until(s, "exporting pipe, Esc cancels");
	screen_type(s, "p");
	screen_until(s, "PAUSED");
	screen_type(s, ":export folded other.folded\r");
	screen_until(s, "pipe is still being written: wait, or press Esc twice to cancel it");
	screen_type(s, "\033"); /* the message */
	screen_until(s, "exporting pipe, Esc cancels");
	screen_type(s, "\033");
	screen_until(s, "pipe not written: cancelled");
	assert_true(screen_shows(s, "PAUSED"));
	assert_int_equal(size_of("other.folded"), -1);
	screen_type(s, "p");
	screen_until(s, "LIVE");
	fd = open_pipe();
	assert_true(fcntl(fd, F_SETPIPE_SZ, 4096) > 0);
	screen_type(s, ":export chrome pipe\r"); /* it is full soon */
	screen_until(s, "KiB, Esc cancels");
	screen_type(s, "p");
	screen_until(s, "PAUSED");
	assert_true(read_pipe(s, fd) > 8192);
	screen_until(s, "wrote pipe: ");
	screen_type(s, "p");
	screen_until(s, "LIVE");
	proftop_leave(s);
}

/* A user who leaves meanwhile is told that there is no file. */
static void test_leaving_while_it_is_exported(void **state)
{
	struct screen *s = begin(*state, "true", NULL);

	screen_type(s, ":export chrome pipe\r");
	screen_until(s, "exporting pipe, Esc cancels");
	screen_type(s, "Q");
	screen_until(s, "pipe not written: proftop ended first");
	assert_int_equal(screen_end(s), 0);
	screen_free(s);
}

/* Signals that end it do so while it is written. */
static void test_a_signal_while_it_is_exported(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct screen *s = begin(*state, "true", NULL);

		screen_type(s, ":export chrome pipe\r");
		screen_until(s, "exporting pipe, Esc cancels");
		assert_int_equal(kill(screen_pid(s), signals[i]), 0);
		assert_int_equal(screen_end(s), 128 + signals[i]);
		assert_false(screen_is_alternate(s));
		screen_free(s);
	}
}

static void test_what_the_editor_does_wrong_is_said(void **state)
{
	struct screen *s;

	put_editor("nano", "exit 7");
	s = begin(*state, "nano", NULL);
	screen_type(s, "/raycast\rv");
	screen_until(s, "nano failed: exit status 7");
	proftop_leave(s);
	put_editor("nano", "kill -9 $$");
	s = begin(*state, "nano", NULL);
	screen_type(s, "/raycast\rv");
	screen_until(s, "nano was killed by signal 9");
	proftop_leave(s);
	s = begin(*state, "no-such-editor", NULL);
	screen_type(s, "/raycast\rv");
	screen_until(s, "no-such-editor cannot be run: No such file or directory");
	screen_type(s, "p");
	screen_until(s, "PAUSED"); /* the screen goes on */
	proftop_leave(s);
	s = begin(*state, "'nano", NULL);
	screen_type(s, "/raycast\rv");
	screen_until(s, "EDITOR has a quote without an end");
	proftop_leave(s);
}

static void test_a_source_that_is_not_there_is_said(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);

	screen_type(s, "/physics\rv");
	screen_until(s, "no file src/physics.c: searched");
	screen_type(s, "/ev\rv");
	screen_until(s, "'src/\\x1Bc.c' is not a name that can be opened");
	screen_type(s, "g");
	screen_type(s, "v");
	screen_until(s, "the source of this row is not known");
	proftop_leave(s);
}

/* ^C is for the editor; a signal that asks proftop to end is not kept waiting by it. */
static void test_signals_while_the_editor_runs(void **state)
{
	struct screen *s;

	put_editor("vim", "trap 'echo it was told' INT; echo waits; while :; do read -r line && break; done; exit 0");
	s = begin(*state, "vim", NULL);
	screen_type(s, "/raycast\rv");
	screen_until(s, "waits");
	screen_type(s, "\003");
	screen_until(s, "it was told");
	screen_type(s, "\n");
	screen_until(s, "raycast");
	screen_type(s, "v");
	screen_until(s, "waits");
	assert_int_equal(kill(screen_pid(s), SIGTERM), 0);
	assert_int_equal(screen_end(s), 128 + SIGTERM);
	screen_free(s);
}

/* The sequence for the clipboard, from its letter c on; all else that was written is decent. */
static void expect_clip(struct screen *s, const char *begins)
{
	static const char mark[] = "\033]52;c;";
	size_t length;
	const char *bytes, *at;

	bytes = screen_bytes(s, &length);
	at = memmem(bytes, length, mark, sizeof(mark) - 1);
	if (!begins) {
		assert_null(at);
		return;
	}
	assert_non_null(at);
	assert_memory_equal(at + sizeof(mark) - 1, begins, strlen(begins));
	at += sizeof(mark) - 1;
	at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=");
	assert_int_equal(*at, '\a');
}

static void leave_with_clips(struct screen *s)
{
	screen_type(s, "Q");
	assert_int_equal(screen_end(s), 0);
	assert_false(screen_is_alternate(s));
	screen_free(s);
}

static void test_a_row_is_copied(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);

	screen_type(s, "/raycast\r");
	screen_type(s, "y");
	screen_until(s, "row copied (also in ");
	expect_clip(s, "KyByYXljYXN0C"); /* `+ raycast`, a tab */
	screen_type(s, "Y");
	screen_until(s, "screen copied (also in ");
	leave_with_clips(s);
}

/* A name that should not steer a terminal does not do it from the clipboard either. */
static void test_a_hostile_name_is_copied_escaped(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);
	char file[300], text[512] = "";
	FILE *in;

	screen_type(s, "/ev\r");
	screen_type(s, "y");
	screen_until(s, "row copied");
	snprintf(file, sizeof(file), "%s/proftop/copy.txt", folder);
	in = fopen(file, "r");
	assert_non_null(in);
	assert_true(fread(text, 1, sizeof(text) - 1, in) > 0);
	fclose(in);
	assert_non_null(strstr(text, "ev\\x1B[31m"));
	for (const char *c = text; *c; c++)
		assert_true(*c == '\t' || (unsigned char)*c >= ' ');
	leave_with_clips(s);
}

static void test_a_console_has_no_clipboard(void **state)
{
	struct screen *s = begin(*state, "vim", "linux");

	screen_type(s, "Y");
	screen_until(s, "screen copied to /tmp/proftop-hands-");
	expect_clip(s, NULL);
	proftop_leave(s);
}

static void test_a_command_is_completed(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);

	screen_type(s, ":vi");
	screen_until(s, "\n: vi\n");
	screen_type(s, "\tc\t");
	screen_golden(s, "line_completed");
	screen_type(s, "\025\r");
	proftop_leave(s);
}

static void test_a_command_is_refused(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);

	screen_type(s, ":veiw tree\r");
	screen_until(s, "\n: veiw tree   no command 'veiw'; did you mean view?\n");
	screen_type(s, "\025\r");
	proftop_leave(s);
}

static void test_commands_are_listed(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);

	screen_type(s, ":help\r");
	screen_until(s, "Help: ");
	screen_type(s, "G");
	screen_until(s, "Mouse");
	proftop_leave(s);
}

static void test_commands_do_what_keys_do(void **state)
{
	struct screen *s = begin(*state, "vim", NULL);

	screen_type(s, ":theme mono\r");
	screen_until(s, "theme: mono");
	screen_type(s, ":zone plan\r");
	screen_until(s, "path: [plan]");
	screen_type(s, ":quit\r");
	assert_int_equal(screen_end(s), 0);
	screen_check_bytes(s);
	screen_free(s);
}

static int make_folder(void **state)
{
	char file[300], build[4096];
	const char *given = getenv("top_builddir");
	int fd;

	(void)state;
	if (!getcwd(top, sizeof(top)) || !realpath(given ? given : ".", build) || !mkdtemp(folder) ||
	    setenv("top_builddir", build, 1)) /* proftop is started in another folder */
		return -1;
	snprintf(file, sizeof(file), "%s/src", folder);
	if (mkdir(file, 0700))
		return -1;
	snprintf(file, sizeof(file), "%s/src/ray.c", folder);
	fd = open(file, O_WRONLY | O_CREAT, 0600);
	return fd < 0 || close(fd) ? -1 : 0;
}

static int remove_folder(void **state)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) || game_remove_all(state) ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_the_editor_has_the_terminal, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_what_is_shown_is_exported, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_names_of_files_have_a_home, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_recordings_have_names_of_their_own, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_selected_frames_are_exported, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_an_export_goes_on_beside_the_screen, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_leaving_while_it_is_exported, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_signal_while_it_is_exported, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_what_the_editor_does_wrong_is_said, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_source_that_is_not_there_is_said, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_signals_while_the_editor_runs, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_row_is_copied, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_hostile_name_is_copied_escaped, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_console_has_no_clipboard, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_command_is_completed, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_command_is_refused, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_commands_are_listed, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_commands_do_what_keys_do, game_setup, game_teardown),
	};

	return cmocka_run_group_tests_name("proftop: hands", tests, make_folder, remove_folder);
}

/* SPDX-License-Identifier: MIT */
/*
 * The terminal: a program that draws and tells what it was sent, in an emulator.
 *
 * Run with an argument this program is the one in the terminal: `draw OPTION...`, or `jobs draw ...`,
 * a shell in front of it that knows job control.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/screen.h"
#include "tui/term/term.h"

/* ---- In the terminal */

static struct {
	char said[200]; /* the last event */
	int drawn;      /* how often it was asked to change something */
	bool hostile, flood;
} shown;

static const char *key_name(uint32_t key)
{
	static const char *const names[] = { "first", "up",   "down", "left",	   "right",  "page_up",	 "page_down",
					     "home",  "end",  "backspace", "delete", "back_tab", "f1" };
	static char text[32];

	if (key >= KEY_FIRST_SPECIAL && key - KEY_FIRST_SPECIAL < sizeof(names) / sizeof(*names))
		return names[key - KEY_FIRST_SPECIAL];
	snprintf(text, sizeof(text), "%u", key);
	return text;
}

static void tell(const struct term_event *e)
{
	static const char *const buttons[] = { "none", "left", "middle", "right", "wheel_up", "wheel_down" };
	static const char *const actions[] = { "press", "drag", "release" };
	char *said = shown.said;
	size_t size = sizeof(shown.said);

	if (e->kind == TERM_KEY)
		snprintf(said, size, "key %s", key_name(e->key));
	else if (e->kind == TERM_MOUSE)
		snprintf(said, size, "mouse %s %s %d,%d", buttons[e->button], actions[e->action], e->x, e->y);
	else if (e->kind == TERM_RESIZE)
		snprintf(said, size, "resize");
	else if (e->kind == TERM_RESUMED)
		snprintf(said, size, "resumed");
}

static void draw_heat(struct canvas *c, struct area a, int x, int y)
{
	for (int i = 0; i < 8; i++)
		canvas_bytes(c, a, x + 3 * i, y, ROLE_HEAT, (float)i / 7, "##", 2);
}

static void draw(struct canvas *c)
{
	struct area a;
	char line[300];
	int width, height;

	term_size(&width, &height);
	if (c->width != width || c->height != height)
		canvas_resize(c, width, height);
	canvas_clear(c);
	a = canvas_area(c);
	snprintf(line, sizeof(line), "size %dx%d colours %d", width, height, term_colours());
	canvas_text(c, a, 0, 0, ROLE_TITLE, line);
	canvas_text(c, a, 0, 1, ROLE_NAME, shown.said);
	snprintf(line, sizeof(line), "drawn %d", shown.drawn);
	canvas_text(c, a, 0, 2, ROLE_NUMBER, line);
	draw_heat(c, a, 0, 3);
	draw_heat(c, a, 0, 4);
	canvas_text(c, a, 26, 4, ROLE_NAME, "selected");
	canvas_select(c, a, 4);
	canvas_text(c, a, 0, 5, ROLE_NAME, "wide 日本 e\u0301 ▇");
	for (int role = 0; role < ROLES; role++)
		canvas_text(c, a, role * 3, 6, (enum role)role, "ab");
	if (shown.hostile)
		canvas_text(c, a, 0, 7, ROLE_NAME, "\033]0;owned\007\033[6n\x9b" "5n\xc2\x9b" "5n\u202e\r\nend");
	if (shown.flood)
		term_redraw();
}

static void crash(int number)
{
	raise(number);
}

/* Lets the program act on a key; false: it ends. */
static bool act(uint32_t key)
{
	switch (key) {
	case 'c': shown.drawn++; break;
	case 'r': term_redraw(); break;
	case 'S': crash(SIGSEGV); break;
	case 'A': abort();
	case 'X': exit(7);
	case 'm': term_set_mouse(false); break;
	case 'M': term_set_mouse(true); break;
	case 'h': shown.hostile = true; break;
	case 'F': shown.flood = true; break;
	case '0': term_set_colours(0); break;
	case '1': term_set_colours(16); break;
	case '8': term_set_colours(8); break;
	case '2': term_set_colours(256); break;
	case 'q': return false;
	}
	return true;
}

static int closed(const struct term_event *e, struct canvas *c)
{
	term_close();
	canvas_fini(c);
	return e->signal ? 128 + e->signal : 1;
}

static int run_screen(void)
{
	struct canvas c = { .ascii = getenv("ASCII") };
	struct term_event e;

	for (;;) {
		draw(&c);
		term_show(&c);
		e = term_next(shown.flood ? 0 : 60000, -1);
		if (e.kind == TERM_CLOSED)
			return closed(&e, &c);
		if (e.kind != TERM_KEY || e.key != '.')
			tell(&e);
		if (e.kind == TERM_KEY && !act(e.key))
			break;
	}
	term_close();
	term_close(); /* once more does nothing */
	canvas_fini(&c);
	printf("bye\n");
	return 0;
}

static int run_draw(void)
{
	struct term_options o = { .colours = getenv("COLOURS") ? atoi(getenv("COLOURS")) : -1,
				  .mouse = !getenv("NO_MOUSE"), .ascii = getenv("ASCII") };
	char why[256];

	setlocale(LC_CTYPE, "");
	if (getenv("NO_HANGUP"))
		signal(SIGHUP, SIG_IGN);
	if (!term_open(&o, why, sizeof(why))) {
		printf("why: %s\n", why);
		return 2;
	}
	return run_screen();
}

/* A shell of one job: says when it stops, and puts it to the front again at the next line typed. */
static int run_jobs(void)
{
	struct termios modes;
	int status;
	pid_t pid;
	char c;

	signal(SIGTTOU, SIG_IGN);
	tcgetattr(0, &modes);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		exit(run_draw());
	}
	setpgid(pid, pid);
	while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status)) {
		tcsetpgrp(0, getpgrp());
		printf("stopped\n");
		fflush(stdout);
		if (read(0, &c, 1) != 1)
			break;
		tcsetpgrp(0, pid);
		kill(-pid, SIGCONT);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* ---- The tests */

/* A sanitizer that catches the crashes itself would hide how the program ends. */
#define SANITIZED "ASAN_OPTIONS=handle_segv=0:handle_abort=0"

static struct screen *started(const char *mode, const char *const *environment, const char *term, int columns,
			      int rows)
{
	const char *argv[] = { "/proc/self/exe", mode, "draw", NULL };
	const char *all[16] = { SANITIZED };
	int n = 1;

	for (; environment && environment[n - 1]; n++)
		all[n] = environment[n - 1];
	return screen_start(&(struct screen_start){ .argv = argv, .environment = all, .columns = columns,
						    .rows = rows, .term = term });
}

static struct screen *opened(void)
{
	struct screen *s = started("draw", NULL, NULL, 80, 24);

	screen_until(s, "size 80x24");
	return s;
}

static void quits(struct screen *s)
{
	screen_type(s, "q");
	assert_int_equal(screen_end(s), 0);
	screen_check_bytes(s);
	screen_free(s);
}

static void assert_given_back(struct screen *s, const struct termios *modes)
{
	struct termios now;
	int x, y;
	bool visible;

	screen_cursor(s, &x, &y, &visible);
	assert_true(visible);
	assert_false(screen_is_alternate(s));
	assert_int_equal(screen_mouse_mode(s), 0);
	assert_false(screen_pastes(s));
	if (!modes)
		return;
	assert_int_equal(tcgetattr(screen_fd(s), &now), 0);
	assert_int_equal(now.c_lflag, modes->c_lflag);
	assert_int_equal(now.c_iflag, modes->c_iflag);
	assert_int_equal(now.c_oflag, modes->c_oflag);
	assert_memory_equal(now.c_cc, modes->c_cc, sizeof(now.c_cc));
}

/* The modes of a pty before anybody changes them. */
static struct termios modes_of_new_pty(void)
{
	struct termios modes;
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	assert_int_equal(tcgetattr(fd, &modes), 0);
	close(fd);
	return modes;
}

static void it_shows_and_gives_back(void **state)
{
	struct termios modes = modes_of_new_pty();
	struct screen *s = opened();
	int x, y;
	bool visible;

	(void)state;
	screen_until(s, "wide 日本 e\u0301 ▇");
	assert_true(screen_is_alternate(s));
	assert_int_equal(screen_mouse_mode(s), 2);
	screen_until_quiet(s, 200);
	screen_cursor(s, &x, &y, &visible);
	assert_int_equal(x, 0);
	assert_int_equal(y, 4);
	assert_false(visible);
	screen_type(s, "q");
	assert_int_equal(screen_end(s), 0);
	assert_given_back(s, &modes);
	screen_check_bytes(s);
	assert_true(screen_shows(s, "bye"));
	screen_free(s);
}

/* Colours */

static void looks(const char *term, const char *variable, const char *name)
{
	const char *environment[] = { variable, NULL };
	struct screen *s = started("draw", environment, term, 90, 8);

	screen_until(s, "size 90x8");
	screen_golden(s, name);
	quits(s);
}

static void looks_with_256_colours(void **state)
{
	(void)state;
	looks("xterm-256color", NULL, "term_256");
}

static void looks_with_16_colours(void **state)
{
	(void)state;
	looks("xterm-256color", "COLOURS=16", "term_16");
}

static void looks_with_8_colours(void **state)
{
	(void)state;
	looks("xterm", NULL, "term_8");
	looks("xterm", "COLOURS=256", "term_8");
}

static void looks_without_colours(void **state)
{
	(void)state;
	looks("vt100", NULL, "term_mono");
	looks("xterm-256color", "NO_COLOR=1", "term_mono");
	looks("xterm-256color", "NO_COLOR=", "term_256");
}

static void colours_can_be_changed(void **state)
{
	struct screen *s = opened();

	(void)state;
	screen_type(s, "8");
	screen_until(s, "colours 8");
	screen_type(s, "0");
	screen_until(s, "colours 0");
	screen_until_quiet(s, 200);
	assert_null(strstr(screen_colours(s), "fg"));
	screen_type(s, "2");
	screen_until(s, "colours 256");
	screen_until_quiet(s, 200);
	assert_non_null(strstr(screen_colours(s), "fg 28"));
	quits(s);
}

static void other_terminals(void **state)
{
	static const char *const terms[] = { "linux", "screen-256color", "tmux-256color", "rxvt", "vt220" };

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		struct screen *s = started("draw", NULL, terms[i], 80, 24);

		screen_until(s, "size 80x24");
		screen_until(s, "selected");
		assert_int_equal(screen_mouse_mode(s) != 0, strcmp(terms[i], "linux") && strcmp(terms[i], "vt220"));
		quits(s);
	}
}

/* Writing */

static size_t bytes_of(struct screen *s)
{
	size_t length;

	screen_until_quiet(s, 300);
	screen_bytes(s, &length);
	screen_forget(s);
	return length;
}

static void only_what_changed_is_written(void **state)
{
	struct screen *s = started("draw", NULL, NULL, 200, 50);
	size_t whole, one;

	(void)state;
	screen_until(s, "size 200x50");
	screen_type(s, "c");
	screen_until(s, "drawn 1");
	whole = bytes_of(s);
	screen_type(s, "."); /* nothing changes */
	assert_int_equal(bytes_of(s), 0);
	screen_type(s, "c"); /* one digit does */
	screen_until(s, "drawn 2");
	one = bytes_of(s);
	assert_true(one > 0 && one < 64);
	assert_true(whole > 10 * one);
	screen_type(s, "r.");
	screen_until_quiet(s, 300);
	assert_true(bytes_of(s) > 10 * one);
	quits(s);
}

static void hostile_text_stays_text(void **state)
{
	struct screen *s = opened();

	(void)state;
	screen_type(s, "h");
	screen_until(s, "?]0;owned??[6n?5n?5n");
	screen_check_bytes(s);
	quits(s);
}

static void in_ascii_all_bytes_are(void **state)
{
	const char *environment[] = { "ASCII=1", NULL }, *argv[] = { "/proc/self/exe", "draw", NULL };
	const char *all[] = { SANITIZED, environment[0], NULL };
	struct screen *s = screen_start(&(struct screen_start){ .argv = argv, .environment = all,
								.locale = "C" });
	size_t length;
	const char *bytes;

	(void)state;
	screen_until(s, "wide ? ?  e ?");
	bytes = screen_bytes(s, &length);
	for (size_t i = 0; i < length; i++)
		assert_in_range((unsigned char)bytes[i], 1, 0x7F);
	quits(s);
}

/* Size */

static void a_storm_of_sizes(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 200, 50 }, { 20, 5 }, { 2, 40 }, { 150, 1 }, { 80, 24 } };
	struct screen *s = opened();

	(void)state;
	for (int round = 0; round < 20; round++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
			screen_resize(s, sizes[i][0] + round, sizes[i][1] + round);
	screen_until(s, "size 99x43");
	screen_until(s, "resize");
	screen_resize(s, 1, 1);
	screen_until_quiet(s, 300);
	screen_resize(s, 20, 5);
	screen_until(s, "size 20x5 colours 25");
	screen_resize(s, 120, 30);
	screen_until(s, "size 120x30 colours 256\nresize\ndrawn 0\n");
	quits(s);
}

static void no_size_is_that_of_the_description(void **state)
{
	struct screen *s = opened();

	(void)state;
	screen_resize(s, 100, 30);
	screen_until(s, "size 100x30");
	quits(s);
}

/* Keys and mouse */

static void keys_are_told_apart(void **state)
{
	static const struct {
		const char *bytes, *said;
	} keys[] = {
		{ "x", "key 120\n" },        { "\033[A", "key up\n" },         { "\033OB", "key down\n" },
		{ "\033OD", "key left\n" },  { "\033[5~", "key page_up\n" },   { "\033", "key 27\n" },
		{ "\t", "key 9\n" },         { "\033[Z", "key back_tab\n" },   { "\r", "key 13\n" },
		{ "\x7f", "key backspace\n" }, { "é", "key 233\n" },           { "日", "key 26085\n" },
		{ "\033OH", "key home\n" },  { "\033[3~", "key delete\n" },    { "\033OP", "key f1\n" },
		{ "\023", "key 19\n" },      { "\026", "key 22\n" },           { "\017", "key 15\n" },
	};
	struct screen *s = opened();

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		screen_type(s, keys[i].bytes);
		screen_until(s, keys[i].said);
	}
	quits(s);
}

static void the_mouse_is_understood(void **state)
{
	struct screen *s = started("draw", NULL, NULL, 400, 24);

	(void)state;
	screen_until(s, "size 400x24");
	screen_mouse(s, 0, false, 4, 2);
	screen_until(s, "mouse left press 4,2\n");
	screen_mouse(s, 32, false, 300, 3);
	screen_until(s, "mouse left drag 300,3\n");
	screen_mouse(s, 0, true, 399, 23);
	screen_until(s, "mouse left release 399,23\n");
	screen_mouse(s, 65, false, 0, 0);
	screen_until(s, "mouse wheel_down press 0,0\n");
	screen_type(s, "m");
	screen_until(s, "key 109");
	screen_until_quiet(s, 200);
	assert_int_equal(screen_mouse_mode(s), 0);
	screen_type(s, "M");
	screen_until(s, "key 77");
	screen_until_quiet(s, 200);
	assert_int_equal(screen_mouse_mode(s), 2);
	quits(s);
}

static void garbage_is_survived(void **state)
{
	struct screen *s = opened();
	unsigned value = 1;

	(void)state;
	for (int i = 0; i < 200; i++) {
		unsigned char bytes[64];

		for (size_t j = 0; j < sizeof(bytes); j++) {
			value = value * 1103515245 + 12345;
			bytes[j] = (unsigned char)(value >> 16);
			/* Neither a signal nor a letter that does something. */
			if (bytes[j] == 3 || bytes[j] == 26 || bytes[j] == 28 || (bytes[j] > 32 && bytes[j] < 127))
				bytes[j] = j % 3 ? '[' : 27;
		}
		screen_type_bytes(s, bytes, sizeof(bytes));
		screen_pump(s, 1);
	}
	screen_type(s, "\030\030");
	screen_until(s, "key 24\n");
	quits(s);
}

/* Suspending */

static void suspended_and_resumed(void **state)
{
	struct screen *s = started("jobs", NULL, NULL, 80, 24);

	(void)state;
	screen_until(s, "size 80x24");
	for (int i = 0; i < 2; i++) {
		screen_type(s, "\032");
		screen_until(s, "stopped");
		assert_given_back(s, NULL);
		screen_type(s, "\n");
		screen_until(s, "resumed");
		screen_until(s, "selected");
		screen_until_quiet(s, 200);
		assert_true(screen_is_alternate(s));
		assert_int_equal(screen_mouse_mode(s), 2);
		assert_true(screen_pastes(s));
		screen_type(s, "c");
		screen_until(s, i ? "drawn 2" : "drawn 1");
	}
	/* A size that changed while nobody looked. */
	screen_type(s, "\032");
	screen_until(s, "stopped");
	screen_resize(s, 100, 20);
	screen_type(s, "\n");
	screen_until(s, "size 100x20");
	screen_type(s, "q");
	assert_int_equal(screen_end(s), 0);
	screen_free(s);
}

/* Ends */

static void every_signal_gives_it_back(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	struct termios modes = modes_of_new_pty();

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct screen *s = opened();

		kill(screen_pid(s), signals[i]);
		assert_int_equal(screen_end(s), 128 + signals[i]);
		assert_given_back(s, &modes);
		screen_check_bytes(s);
		screen_free(s);
	}
}

static void keys_of_the_driver_are_signals(void **state)
{
	struct screen *s = opened();

	(void)state;
	screen_type(s, "\003");
	assert_int_equal(screen_end(s), 128 + SIGINT);
	screen_free(s);
	s = opened();
	screen_type(s, "\034");
	assert_int_equal(screen_end(s), 128 + SIGQUIT);
	screen_free(s);
}

static void a_closed_terminal_ends_it(void **state)
{
	const char *environment[] = { "NO_HANGUP=1", NULL };
	struct screen *s = opened();

	(void)state;
	screen_hang_up(s);
	assert_int_equal(screen_end(s), 128 + SIGHUP);
	screen_free(s);
	s = started("draw", environment, NULL, 80, 24);
	screen_until(s, "size 80x24");
	screen_hang_up(s);
	assert_int_equal(screen_end(s), 1);
	screen_free(s);
}

static void crashes_give_it_back(void **state)
{
	static const struct {
		const char *key;
		int status;
	} ends[] = { { "S", 128 + SIGSEGV }, { "A", 128 + SIGABRT }, { "X", 7 } };
	struct termios modes = modes_of_new_pty();

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct screen *s = opened();

		screen_type(s, ends[i].key);
		assert_int_equal(screen_end(s), ends[i].status);
		assert_given_back(s, &modes);
		screen_check_bytes(s);
		screen_free(s);
	}
}

/* Nobody reads what it writes: it stands in a write until a signal ends it. */
static void stuck_in_a_write_it_still_ends(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct screen *s = started("draw", NULL, NULL, 200, 50);

		screen_until(s, "size 200x50");
		screen_type(s, "F");
		usleep(300000);
		kill(screen_pid(s), signals[i]);
		assert_int_equal(screen_end_unread(s), 128 + signals[i]);
		screen_free(s);
	}
}

/* Terminals that are none */

static void refuses(const char *term, const char *why)
{
	struct screen *s = started("draw", NULL, term, 200, 5);

	screen_until(s, why);
	assert_true(screen_shows(s, "proftop report"));
	assert_int_equal(screen_end(s), 2);
	screen_check_bytes(s);
	screen_free(s);
}

static void says_why_it_cannot(void **state)
{
	(void)state;
	refuses("", "why: TERM is not set");
	refuses("dumb", "why: the terminal 'dumb' (TERM) cannot position text");
	refuses("nonsense", "why: terminfo does not know the terminal 'nonsense'");
	refuses("a\033[2Jb", "why: terminfo does not know the terminal 'a\\x1B[2Jb'");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_shows_and_gives_back),
		cmocka_unit_test(looks_with_256_colours),
		cmocka_unit_test(looks_with_16_colours),
		cmocka_unit_test(looks_with_8_colours),
		cmocka_unit_test(looks_without_colours),
		cmocka_unit_test(colours_can_be_changed),
		cmocka_unit_test(other_terminals),
		cmocka_unit_test(only_what_changed_is_written),
		cmocka_unit_test(hostile_text_stays_text),
		cmocka_unit_test(in_ascii_all_bytes_are),
		cmocka_unit_test(a_storm_of_sizes),
		cmocka_unit_test(no_size_is_that_of_the_description),
		cmocka_unit_test(keys_are_told_apart),
		cmocka_unit_test(the_mouse_is_understood),
		cmocka_unit_test(garbage_is_survived),
		cmocka_unit_test(suspended_and_resumed),
		cmocka_unit_test(every_signal_gives_it_back),
		cmocka_unit_test(keys_of_the_driver_are_signals),
		cmocka_unit_test(a_closed_terminal_ends_it),
		cmocka_unit_test(crashes_give_it_back),
		cmocka_unit_test(stuck_in_a_write_it_still_ends),
		cmocka_unit_test(says_why_it_cannot),
	};

	if (argc > 1)
		return !strcmp(argv[1], "jobs") ? run_jobs() : run_draw();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

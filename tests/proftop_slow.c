/* SPDX-License-Identifier: MIT */
/*
 * proftop_slow: a program that stands still, loops, or has a frame that takes too long, and what the screen says
 * then.
 *
 * The program is the test itself, run again: it marks frames of some ms, or none. SIGUSR1: one long frame.
 * SIGUSR2: in the zone `stuck` until the next one.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "libprof/prof.h"
#include "tests/proftop_run.h"

#define FRAME_US 5000
#define LONG_US 200000

static volatile sig_atomic_t long_frame, stuck;

static void take_signal(int signal)
{
	if (signal == SIGUSR1)
		long_frame = 1;
	else
		stuck = !stuck;
}

static void get_stuck(void)
{
	Prof_Begin(stuck)
	while (stuck)
		;
	Prof_End
}

static int program(bool marks)
{
	signal(SIGUSR1, take_signal);
	signal(SIGUSR2, take_signal);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		bool slow = long_frame;

		long_frame = 0;
		Prof_Begin(work)
		usleep(slow ? LONG_US : FRAME_US);
		if (stuck)
			get_stuck();
		Prof_End
		if (marks)
			Prof_update(1);
	}
	return 0;
}

/* Frames come faster than anybody reads them. */
static int fast_program(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		Prof_Begin(work)
		Prof_End
		Prof_update(1);
	}
	return 0;
}

/* A game of 200 frames a second, the first 40 of which are not to count. */
static int loading_program(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0;; i++) {
		Prof_Begin(work)
		usleep(FRAME_US);
		Prof_End
		Prof_update(i >= 40);
	}
	return 0;
}

static char region[64];
static pid_t child;

static void begin(const char *what)
{
	snprintf(region, sizeof(region), "prof-slow-%ld", (long)getpid());
	child = fork();
	assert_true(child >= 0);
	if (child)
		return;
	setenv("PROF_SHM", region, 1);
	setenv("PROF_SHM_SIZE", "1M", 1);
	execl("/proc/self/exe", "proftop_slow", what, (char *)NULL);
	_exit(127);
}

static int end(void **state)
{
	char path[128];

	(void)state;
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	child = 0;
	snprintf(path, sizeof(path), "/dev/shm/%s", region);
	unlink(path);
	return 0;
}

static struct screen *look(const char *option, const char *value)
{
	struct screen *s = proftop_start(&(struct proftop){ .columns = 100, .rows = 30,
							    .arguments = { region, option, value } });

	screen_until(s, "LIVE");
	screen_until(s, ">   work");
	return s;
}

/* The answer of `proftop stacks`: for how long the zone has been open, 0 if it is not, and whether that is the
 * least. */
static long long open_ns(const char *zone, bool *at_least)
{
	char command[512], text[8192], wanted[64];
	const char *top = getenv("top_builddir"), *at;
	long long ns = 0;
	FILE *from;

	snprintf(command, sizeof(command), "%s/proftop/proftop stacks -j %s", top ? top : ".", region);
	from = popen(command, "r");
	assert_non_null(from);
	text[fread(text, 1, sizeof(text) - 1, from)] = '\0';
	assert_int_equal(pclose(from), 0);
	snprintf(wanted, sizeof(wanted), "\"zone\":\"%s\"", zone);
	at = strstr(text, wanted);
	if (!at || !(at = strstr(at, "\"open_ns\":")))
		return 0;
	assert_int_equal(sscanf(at, "\"open_ns\":%lld", &ns), 1);
	*at_least = !strncmp(strstr(at, "\"at_least\":"), "\"at_least\":true", 15);
	return ns;
}

/* While it is in there, it grows. */
static void expect_open(struct screen *s, const char *zone)
{
	bool at_least = true;
	long long before = 0;

	for (int i = 0; i < 3; i++) {
		long long now = open_ns(zone, &at_least);

		assert_true(now > before);
		assert_false(at_least);
		before = now;
		screen_pump(s, 10);
	}
}

static void a_program_that_is_stopped(void **state)
{
	struct screen *s;

	(void)state;
	if (getenv("EMULATED")) /* tests/aarch64 */
		skip();
	begin("marks");
	s = look(NULL, NULL);
	screen_until(s, " fps");
	screen_until_gone(s, "RUNNING");
	kill(child, SIGSTOP);
	screen_until(s, "STOPPED for 00:00:0");
	screen_until(s, "stopped");
	screen_until(s, "RUNNING");
	screen_until(s, "the median");
	screen_until(s, "o: where");
	screen_type(s, "o");
	screen_until(s, "frame thread");
	if (screen_shows(s, "  work ")) /* and not between two of them */
		expect_open(s, "work");
	screen_type(s, "o");
	kill(child, SIGCONT);
	screen_until_gone(s, "RUNNING");
	screen_until(s, "LIVE");
	screen_until(s, " fps");
	screen_until(s, "running");
	proftop_leave(s);
}

static void a_program_that_loops(void **state)
{
	struct screen *s;

	(void)state;
	begin("marks");
	s = look(NULL, NULL);
	screen_until(s, " fps");
	kill(child, SIGUSR2);
	screen_until(s, "RUNNING");
	screen_type(s, "o");
	screen_until(s, "  stuck ");
	expect_open(s, "stuck");
	kill(child, SIGUSR2);
	screen_until_gone(s, "RUNNING");
	proftop_leave(s);
}

static void a_program_without_frames_is_not_said_to_hang(void **state)
{
	struct screen *s;

	(void)state;
	begin("marks nothing");
	s = look(NULL, NULL);
	screen_until(s, "frames by proftop");
	kill(child, SIGSTOP);
	for (int i = 0; i < 5; i++) {
		screen_pump(s, 100);
		assert_false(screen_shows(s, "RUNNING"));
	}
	proftop_leave(s);
}

static void one_that_dies_in_a_frame(void **state)
{
	struct screen *s;

	(void)state;
	begin("marks");
	s = look(NULL, NULL);
	screen_until(s, " fps");
	kill(child, SIGKILL);
	screen_until(s, "DEAD");
	screen_until(s, "unfinished");
	assert_false(screen_shows(s, "RUNNING"));
	screen_type(s, "o");
	screen_until(s, "when it died: 1 thread");
	waitpid(child, NULL, 0);
	child = 0;
	proftop_leave(s);
}

/* Nobody knows when it died. */
static void the_zones_that_one_dies_in(void **state)
{
	struct screen *s;
	bool at_least = false;
	long long ns;

	(void)state;
	begin("marks");
	s = look(NULL, NULL);
	kill(child, SIGUSR2);
	screen_type(s, "o");
	screen_until(s, "  stuck ");
	kill(child, SIGKILL);
	screen_until(s, "when it died");
	screen_until(s, "≥");
	screen_until(s, "  stuck ");
	waitpid(child, NULL, 0);
	child = 0;
	ns = open_ns("work", &at_least);
	assert_true(at_least);
	assert_true(ns > 0);
	/* time does not go on; how many ticks are a second is known a little better each time */
	assert_true(llabs(open_ns("work", &at_least) - ns) <= 1 + ns / 1000);
	proftop_leave(s);
}

static void a_long_frame_freezes_the_screen(void **state)
{
	struct screen *s;

	(void)state;
	begin("marks");
	s = look("--over", "150");
	screen_until(s, "pause > 150 ms");
	screen_until(s, " fps");
	kill(child, SIGUSR1);
	screen_until(s, "PAUSED");
	screen_until(s, "over 150");
	screen_until(s, "B cancels");
	screen_type(s, "p");
	screen_until(s, "LIVE");
	screen_until(s, "pause > 150 ms");
	proftop_leave(s);
}

/* What it looks like, of a game of known content */

#define MS INT64_C(1000000)

static struct screen *look_at_game(const struct game *g)
{
	struct screen *s = proftop_on(g, (struct proftop){ .arguments = { "--over", "16.9" } });

	screen_until(s, "pause > 16.9 ms");
	return s;
}

/* So many frames more that one of them is longer than 16.9 ms, and 40 are behind that one. */
static void play_a_long_one(struct game *g)
{
	uint64_t number = g->frames + 1;

	while (game_frame_length(number) <= 169 * MS / 10)
		number++;
	game_play(g, (uint32_t)(number + 40 - g->frames));
}

static void picture_of_the_next_worst(void **state)
{
	struct screen *s = look_at_game(*state);

	screen_type(s, "ww");
	screen_until(s, "2nd longest of 198 frames");
	screen_golden(s, "slow_worst");
	proftop_leave(s);
}

static void picture_of_a_frozen_frame(void **state)
{
	struct game *g = *state;
	struct screen *s = look_at_game(g);

	play_a_long_one(g);
	screen_until(s, "B cancels");
	screen_golden(s, "slow_frozen");
	proftop_leave(s);
}

static void picture_of_a_frame_that_runs(void **state)
{
	struct game *g = *state;
	struct screen *s = look_at_game(g);

	builder_enter(&g->b, 0, 1, g->tick + 2500 * MS);
	screen_until(s, "RUNNING");
	screen_golden(s, "slow_running");
	proftop_leave(s);
}

/* The output of `proftop report -n FRAMES` about the program. */
static void report_of_frames(const char *frames, char *text, size_t size)
{
	char command[512];
	const char *top = getenv("top_builddir");
	FILE *from;

	snprintf(command, sizeof(command), "timeout 60 %s/proftop/proftop report -w 20 -n %s %s 2>&1", top ? top : ".",
		 frames, region);
	from = popen(command, "r");
	assert_non_null(from);
	text[fread(text, 1, size - 1, from)] = '\0';
	assert_int_equal(pclose(from), 0);
}

/* The region has 2,040 frames or so: 200,000 that follow one another will never be whole. */
static void a_report_of_more_frames_than_are_ever_whole_ends(void **state)
{
	char text[8192];

	(void)state;
	begin("fast");
	report_of_frames("200000", text, sizeof(text));
	assert_non_null(strstr(text, " of 200000 frames are complete. The others were overwritten"));
}

/* For longer than it has patience with the fast one. */
static void frames_are_waited_for_as_long_as_they_come(void **state)
{
	char text[8192];

	(void)state;
	begin("loading");
	report_of_frames("700", text, sizeof(text));
	assert_non_null(strstr(text, "\n700 frames, "));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_program_that_is_stopped, end),
		cmocka_unit_test_teardown(a_program_that_loops, end),
		cmocka_unit_test_teardown(a_program_without_frames_is_not_said_to_hang, end),
		cmocka_unit_test_teardown(one_that_dies_in_a_frame, end),
		cmocka_unit_test_teardown(the_zones_that_one_dies_in, end),
		cmocka_unit_test_teardown(a_long_frame_freezes_the_screen, end),
		cmocka_unit_test_teardown(a_report_of_more_frames_than_are_ever_whole_ends, end),
		cmocka_unit_test_teardown(frames_are_waited_for_as_long_as_they_come, end),
		cmocka_unit_test_setup_teardown(picture_of_the_next_worst, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(picture_of_a_frozen_frame, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(picture_of_a_frame_that_runs, game_setup, game_teardown),
	};

	if (argc > 1 && !strcmp(argv[1], "fast"))
		return fast_program();
	if (argc > 1 && !strcmp(argv[1], "loading"))
		return loading_program();
	if (argc > 1)
		return program(!strcmp(argv[1], "marks"));
	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

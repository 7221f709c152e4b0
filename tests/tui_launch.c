/* SPDX-License-Identifier: MIT */
/*
 * tui_launch: a program that is run beside the screen: what it has, how it ended, what is left of it.
 *
 * The programs are lines of the shell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "proftop/launch.h"

static void nap_ms(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

static void start(struct launch *l, const char *line)
{
	char *argv[] = { "sh", "-c", (char *)line, NULL };

	assert_true(launch_start(l, argv, LAUNCH_APART, false));
}

static void wait_end(struct launch *l)
{
	for (int i = 0; i < 2000 && !launch_poll(l); i++)
		nap_ms(10);
	assert_true(launch_poll(l));
}

static void expect_output(const struct launch *l, const char *text)
{
	char got[512] = "";
	FILE *file = fopen(l->output, "r");

	assert_non_null(file);
	assert_int_equal(fread(got, 1, sizeof(got) - 1, file), strlen(text));
	fclose(file);
	assert_string_equal(got, text);
}

/* Until it has written something. */
static void wait_output(const struct launch *l)
{
	struct stat st = { 0 };

	for (int i = 0; i < 2000 && !st.st_size; i++) {
		nap_ms(10);
		assert_int_equal(stat(l->output, &st), 0);
	}
	assert_true(st.st_size > 0);
}

static void expect_how(const char *line, const char *how, int status)
{
	struct launch l;
	char got[64];

	start(&l, line);
	wait_end(&l);
	launch_how(&l, got, sizeof(got));
	assert_string_equal(got, how);
	assert_int_equal(launch_exit_status(&l), status);
	assert_false(launch_wrote(&l));
}

static void test_how_it_ended(void **state)
{
	(void)state;
	expect_how("exit 0", "exited 0", 0);
	expect_how("exit 7", "exited 7", 7);
	expect_how("kill -SEGV $$", "exited 139 (SIGSEGV)", 139);
	expect_how("kill -ABRT $$", "exited 134 (SIGABRT)", 134);
	expect_how("kill -KILL $$", "killed by SIGKILL", 137);
	expect_how("kill -TERM $$", "killed by SIGTERM", 143);
	expect_how("exit 139", "exited 139 (SIGSEGV)", 139);
	expect_how("exit 255", "exited 255", 255);
}

static void test_what_it_has(void **state)
{
	struct launch l;
	struct stat st;
	char expected[512];

	(void)state;
	start(&l, "echo out; echo err >&2; cat; echo $PROF_SHM $PROF_KEEP");
	wait_end(&l);
	assert_true(launch_wrote(&l));
	snprintf(expected, sizeof(expected), "out\nerr\n%s 1\n", l.region);
	expect_output(&l, expected);
	assert_int_equal(stat(l.output, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_non_null(strstr(l.output, l.region));
	unlink(l.output);
}

static void test_where_it_writes(void **state)
{
	char directory[] = "/tmp/tui_launch.XXXXXX", before[LAUNCH_PATH_SIZE];
	struct launch l;

	(void)state;
	assert_non_null(mkdtemp(directory));
	setenv("TMPDIR", directory, 1);
	start(&l, "exit 0");
	assert_int_equal(strncmp(l.output, directory, strlen(directory)), 0);
	snprintf(before, sizeof(before), "%s", l.output);
	wait_end(&l);
	assert_false(launch_wrote(&l));
	assert_string_equal(l.output, "");
	assert_int_equal(access(before, F_OK), -1);
	assert_int_equal(rmdir(directory), 0);
	start(&l, "exit 0"); /* it is gone: there is another one */
	assert_int_equal(strncmp(l.output, "/tmp/", 5), 0);
	wait_end(&l);
	assert_false(launch_wrote(&l));
	unsetenv("TMPDIR");
}

static void test_a_group_of_its_own(void **state)
{
	struct launch l;

	(void)state;
	start(&l, "exec sleep 100");
	assert_int_equal(getpgid(l.pid), l.pid);
	assert_int_not_equal(getpgrp(), l.pid);
	assert_false(launch_poll(&l));
	launch_end(&l, false);
	assert_true(l.ended);
	assert_int_equal(WTERMSIG(l.status), SIGHUP);
	assert_int_equal(waitpid(l.pid, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_false(launch_wrote(&l));
}

static void test_the_end_of_one_that_does_not_want_to(void **state)
{
	struct launch l;
	char how[64];

	(void)state;
	start(&l, "trap '' HUP; echo ready; while :; do sleep 1; done");
	wait_output(&l);
	launch_end(&l, false);
	launch_how(&l, how, sizeof(how));
	assert_string_equal(how, "killed by SIGTERM");
	assert_true(launch_wrote(&l));
	unlink(l.output);

	start(&l, "trap '' HUP TERM; echo ready; while :; do sleep 1; done");
	wait_output(&l);
	launch_end(&l, false);
	launch_how(&l, how, sizeof(how));
	assert_string_equal(how, "killed by SIGKILL");
	unlink(l.output);
}

static void test_the_end_of_a_stopped_one(void **state)
{
	struct launch l;
	char how[64];

	(void)state;
	start(&l, "trap 'echo bye; exit 3' HUP; echo ready; kill -STOP $$; while :; do sleep 0.1; done");
	wait_output(&l);
	launch_end(&l, false);
	launch_how(&l, how, sizeof(how));
	assert_string_equal(how, "exited 3");
	expect_output(&l, "ready\nbye\n");
	launch_end(&l, false); /* nobody is there any more */
	unlink(l.output);
}

static void test_no_such_program(void **state)
{
	char *argv[] = { "/nonexistent/program", NULL };
	struct launch l;

	(void)state;
	assert_false(launch_start(&l, argv, LAUNCH_APART, false));
	assert_int_equal(l.error, ENOENT);
	assert_string_equal(l.output, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_how_it_ended),
		cmocka_unit_test(test_what_it_has),
		cmocka_unit_test(test_where_it_writes),
		cmocka_unit_test(test_a_group_of_its_own),
		cmocka_unit_test(test_the_end_of_one_that_does_not_want_to),
		cmocka_unit_test(test_the_end_of_a_stopped_one),
		cmocka_unit_test(test_no_such_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

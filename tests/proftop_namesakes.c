/* SPDX-License-Identifier: MIT */
/*
 * proftop_namesakes: -t NAME of a program in which several threads have the name: they are merged, in every report.
 *
 * The program is this one with an argument. Three threads `conn` are in the zone `serve` once, twice and three times
 * in each of its frames, and a thread `disk` four times; then it is killed, with all of them in the zone `wait`.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "libprof/prof.h"

#define FRAMES 20
#define SERVERS 4

/* The program */

static pthread_barrier_t frame_begins, frame_ends;

static void *serve(void *times)
{
	Prof_Thread((intptr_t)times < SERVERS ? "conn" : "disk");
	for (int i = 0; i < FRAMES; i++) {
		pthread_barrier_wait(&frame_begins);
		for (intptr_t k = 0; k < (intptr_t)times; k++) {
			Prof_Begin(serve)
			Prof_Counter_Set(served, k + 1);
			for (volatile int spin = 0; spin < 1000; spin = spin + 1)
				;
			Prof_End
		}
		pthread_barrier_wait(&frame_ends);
	}
	Prof_Begin(wait)
	pthread_barrier_wait(&frame_ends);
	pause();
	Prof_End
	return NULL;
}

static int program(void)
{
	pthread_t thread;

	pthread_barrier_init(&frame_begins, NULL, SERVERS + 1);
	pthread_barrier_init(&frame_ends, NULL, SERVERS + 1);
	Prof_Thread("main");
	for (intptr_t i = 1; i <= SERVERS; i++)
		if (pthread_create(&thread, NULL, serve, (void *)i))
			return 1;
	for (int i = 0; i < FRAMES; i++) {
		Prof_Begin(frame)
		pthread_barrier_wait(&frame_begins);
		pthread_barrier_wait(&frame_ends);
		Prof_End
		Prof_update(1);
	}
	pthread_barrier_wait(&frame_ends);
	kill(getpid(), SIGKILL);
	return 0;
}

/* Reports of it */

/* The output of a command: $P is proftop, $R the region, $S the program. Its exit status is checked. */
static const char *output(int status, const char *command)
{
	static char text[1 << 20];
	FILE *from = popen(command, "r");
	size_t size;

	assert_non_null(from);
	size = fread(text, 1, sizeof(text) - 1, from);
	text[size] = '\0';
	if (WEXITSTATUS(pclose(from)) != status)
		fail_msg("%s: not %d: %s", command, status, text);
	return text;
}

static void expect(int status, const char *command, const char *part)
{
	const char *text = output(status, command);

	if (!strstr(text, part))
		fail_msg("%s: no '%s' in\n%s", command, part, text);
}

static int count(const char *text, const char *part)
{
	int n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

static int begin(void **state)
{
	const char *top = getenv("top_builddir");
	char text[1024];

	(void)state;
	snprintf(text, sizeof(text), "prof-namesakes-%d", (int)getpid());
	setenv("R", text, 1);
	snprintf(text, sizeof(text), "%s/proftop/proftop", top ? top : ".");
	setenv("P", text, 1);
	output(137, "PROF_SHM=$R $S program 2>/dev/null; exit $?");
	return 0;
}

static int end(void **state)
{
	(void)state;
	output(0, "rm -f /dev/shm/$R");
	return 0;
}

/* How often `serve` was entered, in the threads of that -t. */
static int served(const char *threads)
{
	char command[128];
	int count = -1;

	snprintf(command, sizeof(command), "$P report --csv -t %s $R | sed -n 's/^[^,]*,serve,//p' | cut -d, -f5", threads);
	if (sscanf(output(0, command), "%d", &count) != 1)
		fail_msg("-t %s: no serve", threads);
	return count;
}

static void all_of_the_name(void **state)
{
	(void)state;
	assert_int_equal(served("conn"), (1 + 2 + 3) * FRAMES);
	assert_int_equal(served("disk"), 4 * FRAMES);
	expect(0, "$P report -t conn $R", "conn (3 threads)");
	expect(0, "$P report -v tree -t conn $R", "conn (3 threads)");
	expect(0, "$P report -v graph -z serve -t conn $R", "conn (3 threads)");
	expect(0, "$P report --csv -t conn $R", "\nconn (3 threads),serve,");
	expect(0, "$P report -j -t conn $R", "\"thread\":null");
	expect(1, "$P report -t con $R 2>&1", "no thread 'con'. Choose one of: ");
}

/* An id is one thread: its own, of those of the name. */
static void one_by_its_id(void **state)
{
	char ids[128], *id, *rest = ids;
	int sum = 0, n = 0;

	(void)state;
	snprintf(ids, sizeof(ids), "%s", output(0, "$P report -j $R | tr '{' '\\n' | sed -n 's/^\"id\":\\([0-9]*\\),\"tid\".*\"name\":\"conn\".*/\\1/p'"));
	while ((id = strsep(&rest, "\n")) && *id) {
		sum += served(id);
		n++;
	}
	assert_int_equal(n, 3);
	assert_int_equal(sum, served("conn"));
}

/* Reports with a section per thread have all threads of the name. */
static void each_of_the_name(void **state)
{
	const char *text;

	(void)state;
	text = output(0, "$P stacks -t conn $R");
	assert_int_equal(count(text, "\nconn  tid "), 3);
	assert_int_equal(count(text, "  tid "), 3);
	text = output(0, "$P why -t conn $R");
	assert_int_equal(count(text, "thread: conn"), 3);
	assert_int_equal(count(text, "thread: "), 3);
	text = output(0, "$P diff -t conn $R@2 $R@3");
	assert_int_equal(count(text, "thread: conn"), 3);
	assert_int_equal(count(text, "thread: "), 3);
	text = output(0, "$P stream -n 5 -t conn $R");
	assert_int_equal(count(text, "\"name\":\"conn\""), 3 * 5);
	assert_int_equal(count(text, "\"name\":\"disk\""), 0);
	text = output(0, "$P report --csv -v counters -t conn $R");
	assert_int_equal(count(text, "\nserved,conn,"), 3);
	assert_int_equal(count(text, "\nserved,"), 3);
}

static void judged_together(void **state)
{
	(void)state;
	expect(0, "$P check 'zone serve count min>=6, zone serve count max<=6' -n 10 -t conn $R", "count max 6 <= 6: holds");
	expect(0, "$P check 'zone serve count min>=4, zone serve count max<=4' -n 10 -t disk $R", "count max 4 <= 4: holds");
}

/* Threads of a program that has just begun come one after the other. */
static void of_a_program_that_is_run(void **state)
{
	(void)state;
	expect(137, "$P check 'zone serve count min>=6, zone serve count max<=6' -t conn -- $S program 2>&1",
	       "count min 6 >= 6: holds   (20 frames)\nzone serve count max 6 <= 6: holds");
	assert_int_equal(count(output(137, "$P stream -t conn -- $S program 2>&1"), "\"name\":\"conn\""), 3 * FRAMES);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_the_name),
		cmocka_unit_test(one_by_its_id),
		cmocka_unit_test(each_of_the_name),
		cmocka_unit_test(judged_together),
		cmocka_unit_test(of_a_program_that_is_run),
	};

	if (argc > 1)
		return program();
	setenv("S", argv[0], 1);
	return cmocka_run_group_tests(tests, begin, end);
}

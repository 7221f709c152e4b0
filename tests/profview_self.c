/* SPDX-License-Identifier: MIT */
/*
 * profview_self: a process that looks at itself, while it is profiled and other threads run: Prof_view_open of
 * NULL, and Prof_Report, also at exit, with zones open, with a function that fails, and where nothing is
 * profiled. No signal handler is set, no descriptor stays open, and no frame is lost by being looked at.
 *
 * The program that is profiled is this test, run again.
 */
#include <dirent.h>
#include <dlfcn.h>
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
#include <prof.h>

#include "profview/profview.h"
#include "tests/page_read.h"

#define FRAMES 40
#define OUTPUT (32u << 20) /* of a program, at most */

static char self[1024];
static volatile int stop, working;
static __thread volatile double sink;

/* The program */

#define CHECK(what) \
	do { \
		if (!(what)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
			_exit(1); \
		} \
	} while (0)

static void burn(int n)
{
	Prof(burn);

	for (int i = 0; i < n; i++)
		sink += i;
}

static void *work(void *unused)
{
	(void)unused;
	Prof_Thread("worker");
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		Prof(job);

		burn(2000);
		__atomic_store_n(&working, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void begin_work(pthread_t *worker)
{
	Prof_Thread("main");
	pthread_create(worker, NULL, work, NULL);
	while (!__atomic_load_n(&working, __ATOMIC_ACQUIRE))
		usleep(100);
}

static void play(int frames)
{
	for (int i = 0; i < frames; i++) {
		Prof_Begin(update)
		burn(20000);
		Prof_End
		Prof_update(1);
	}
}

static int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

static int row_named(Prof_view *v, const char *name, struct Prof_view_row *row)
{
	for (unsigned i = 0; Prof_view_row(v, i, row); i++)
		if (!strcmp(row->name, name))
			return 1;
	return 0;
}

static int64_t value(Prof_view *v, const struct Prof_view_row *row, const char *key)
{
	struct Prof_view_column column;

	for (unsigned i = 0; Prof_view_column(v, i, &column); i++)
		if (!strcmp(column.key, key))
			return row->values[i].exact;
	CHECK(!"the column is there");
	return 0;
}

/* Frames of the marking thread: each has one update and one burn, and the first one what was before. */
static void look_at_frames(Prof_view *v, int64_t burns_before)
{
	struct Prof_view_frame frames[FRAMES];
	struct Prof_view_info info;
	struct Prof_view_row row;
	unsigned count = Prof_view_frames(v, frames, FRAMES);

	CHECK(count == FRAMES);
	CHECK(Prof_view_set_thread(v, "main") == Prof_view_OK);
	for (unsigned i = 0; i < count; i++) {
		int64_t sum = 0;

		CHECK(Prof_view_set_frame_number(v, frames[i].number) == Prof_view_OK);
		CHECK(Prof_view_info(v, &info) == Prof_view_OK && info.incomplete == 0);
		for (unsigned r = 0; Prof_view_row(v, r, &row); r++)
			sum += value(v, &row, "self");
		CHECK(sum == info.time);
		CHECK(row_named(v, "update", &row) && value(v, &row, "count") == info.scale);
		CHECK(row_named(v, "burn", &row));
		CHECK(value(v, &row, "count") == info.scale * (1 + (i ? 0 : burns_before)));
	}
}

static int program_view(void)
{
	enum Prof_view_result result;
	char why[256] = "";
	struct sigaction before, after;
	struct Prof_view_info info;
	pthread_t worker;
	int open_before = descriptors();
	Prof_view *v;

	sigaction(SIGBUS, NULL, &before);
	begin_work(&worker);
	play(FRAMES);
	v = Prof_view_open(NULL, 0, &result, why, sizeof(why));
	if (!v)
		fprintf(stderr, "%d: %s\n", (int)result, why);
	CHECK(v);
	CHECK(Prof_view_update(v) == Prof_view_OK);
	CHECK(Prof_view_info(v, &info) == Prof_view_OK);
	CHECK(info.pid == getpid() && info.live && info.frames_ended == FRAMES && info.lost == 0);
	look_at_frames(v, 0);
	CHECK(Prof_view_set_frame(v, 0) == Prof_view_OK);
	for (int i = 0; i < 20; i++) {
		play(3);
		CHECK(Prof_view_update(v) == Prof_view_OK);
	}
	CHECK(Prof_view_info(v, &info) == Prof_view_OK && info.frames_ended == FRAMES + 60);
	CHECK(info.lost == 0);
	CHECK(Prof_view_select_zone(v, "burn") == Prof_view_OK && Prof_view_rows(v) >= 2);
	Prof_view_close(v);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(worker, NULL);
	sigaction(SIGBUS, NULL, &after);
	CHECK(before.sa_handler == after.sa_handler && before.sa_flags == after.sa_flags);
	/* libprof may have opened the region's since */
	CHECK(descriptors() <= open_before + 1);
	return 0;
}

/* Numbers of a program that marks no frames; and then it marks some. */
static int program_frameless(void)
{
	enum Prof_view_result result;
	struct Prof_view_frame frames[FRAMES];
	struct Prof_view_row row;
	char why[256];
	Prof_view *v = NULL;

	Prof_Thread("main");
	for (int i = 0; i < 5; i++) {
		burn(1000);
		usleep(110000);
		if (!v)
			v = Prof_view_open(NULL, 0, &result, why, sizeof(why));
		CHECK(v && Prof_view_update(v) == Prof_view_OK);
	}
	CHECK(Prof_view_frames(v, frames, FRAMES) >= 3 && frames[0].flags == Prof_view_GUESSED);
	CHECK(Prof_view_set_average(v, Prof_view_NOW) == Prof_view_OK);
	CHECK(row_named(v, "burn", &row) && value(v, &row, "count") == 1);
	CHECK(Prof_view_set_thread(v, "main") == Prof_view_OK);
	play(FRAMES);
	CHECK(Prof_view_update(v) == Prof_view_OK);
	look_at_frames(v, 5);
	Prof_view_close(v);
	return 0;
}

static int to_file(void *context, const char *text, size_t size)
{
	return fwrite(text, 1, size, context) == size ? 0 : -1;
}

static void at_exit(void)
{
	if (Prof_Report(to_file, stdout, Prof_Report_FLAT | Prof_Report_ASCII) != Prof_view_OK)
		_exit(1);
	fflush(stdout);
}

static int program_report(const char *mode)
{
	pthread_t worker;

	begin_work(&worker);
	play(FRAMES);
	Prof_Begin(left_open)
	if (!strcmp(mode, "exit")) {
		atexit(at_exit);
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
		pthread_join(worker, NULL);
		exit(0); /* with a zone open */
	}
	CHECK(Prof_Report(to_file, stdout, atoi(mode)) == Prof_view_OK);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(worker, NULL);
	return 0;
}

/* stdio takes from a cookie what it wrote, 0 where it failed: more than it was given, or less than nothing, would send
 * it on behind the end of a text. This one stands before the library's, for libprofview too. */
static cookie_write_function_t *cookie_write;
static int cookies;

static ssize_t checked_write(void *cookie, const char *text, size_t size)
{
	ssize_t written = cookie_write(cookie, text, size);

	CHECK(written >= 0 && (size_t)written <= size);
	return written;
}

FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t functions)
{
	FILE *(*real)(void *restrict, const char *restrict, cookie_io_functions_t);

	*(void **)&real = dlsym(RTLD_NEXT, "fopencookie");
	cookie_write = functions.write;
	functions.write = checked_write;
	cookies++;
	return real(cookie, mode, functions);
}

struct counted {
	size_t calls, fail_at, bytes;
};

static int fail_later(void *context, const char *text, size_t size)
{
	struct counted *c = context;

	(void)text;
	c->bytes += size;
	return ++c->calls == c->fail_at ? 7 : 0;
}

/* At each piece once. A page has the time in it, and packed it may have a piece less the next time. */
static void fail_everywhere(int mode)
{
	struct counted all = { 0, 0, 0 };
	int before = cookies;

	CHECK(Prof_Report(fail_later, &all, mode) == Prof_view_OK);
	CHECK(all.calls > 1);
	if (mode == Prof_Report_HTML)
		all.calls--;
	for (size_t at = 1; at <= all.calls; at++) {
		struct counted some = { 0, at, 0 };

		CHECK(Prof_Report(fail_later, &some, mode) == Prof_view_STOPPED);
		CHECK(some.calls == at); /* it was left alone then */
	}
	CHECK(cookies == before + 1 + (int)all.calls);
}

static int program_fail(void)
{
	for (int i = 0; i < 400; i++) { /* many rows, so that it takes several pieces */
		char name[32];

		snprintf(name, sizeof(name), "a zone with a name, %d", i);
		Prof_Enter(Prof_Zone(name));
		burn(100);
		Prof_Leave();
	}
	play(3);
	fail_everywhere(Prof_Report_FLAT);
	fail_everywhere(Prof_Report_HTML);
	return 0;
}

static int program_unprofiled(void)
{
	struct counted c = { 0, 0, 0 };
	enum Prof_view_result result = Prof_view_OK;
	char why[256] = "";

	play(3);
	CHECK(Prof_Report(fail_later, &c, Prof_Report_FLAT) == Prof_view_ABSENT && c.calls == 0);
	CHECK(Prof_Report(fail_later, &c, 4) == Prof_view_NOTHING && c.calls == 0);
	CHECK(Prof_Report(fail_later, &c, -1) == Prof_view_NOTHING);
	CHECK(!Prof_view_open(NULL, 0, &result, why, sizeof(why)) && result == Prof_view_ABSENT);
	CHECK(strstr(why, "PROF_SHM"));
	return 0;
}

/* A child has none of its own while its parent lives, and must not be shown that one. */
static int program_fork(void)
{
	int status;
	pid_t child;

	play(3);
	child = fork();
	if (!child)
		_exit(program_unprofiled());
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	return 0;
}

/* The test */

/* The output of the program, which has to end well. */
static char *run(const char *mode, const char *argument, bool profiled)
{
	char command[2048], name[64] = "";
	char *out = calloc(1, OUTPUT);
	FILE *from;

	if (profiled)
		snprintf(name, sizeof(name), "PROF_SHM=profview-self-%ld", (long)getpid());
	snprintf(command, sizeof(command), "%s '%s' %s %s", name, self, mode, argument);
	from = popen(command, "r");
	assert_non_null(from);
	assert_true(fread(out, 1, OUTPUT - 1, from) < OUTPUT - 1);
	if (pclose(from) != 0)
		fail_msg("failed: %s", command);
	return out;
}

static void a_process_views_itself(void **state)
{
	(void)state;
	free(run("view", "", true));
}

static void a_process_without_frames(void **state)
{
	(void)state;
	free(run("frameless", "", true));
}

static const char *after(const char *text, const char *what)
{
	const char *at = text ? strstr(text, what) : NULL;

	if (!at)
		fail_msg("no '%s' in:\n%s", what, text ? text : "");
	return at + strlen(what);
}

static void reports_are_per_thread_and_of_all(void **state)
{
	static const struct {
		const char *mode, *row;
	} modes[] = {
		{ "0", "  burn " }, { "1", "+ update " }, { "2", "burn " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		char *out = run("report", modes[i].mode, true);
		const char *at = after(out, "the whole run"), *thread = after(at, "\nthread: main ");

		after(after(thread, modes[i].row), "left_open");
		after(after(at, "\nthread: worker "), "job");
		at = after(at, "\nall threads\n");
		after(at, "job");
		after(at, "left_open");
		after(at, modes[i].row);
		free(out);
	}
}

/* io_page compares the contents of a page; this test finds the frames, calls, counters and notes of this very
 * process. */
static void a_page(void **state)
{
	char *out = run("report", "3", true), *document = page_document(out);

	(void)state;
	assert_memory_equal(out, "<!DOCTYPE html>", 15);
	after(document, "\"by\":\"libprofview ");
	after(after(document, "\"zones\":"), "\"left_open\"");
	after(after(document, "\"threads\":"), "\"worker\"");
	assert_true(strtol(after(after(document, "\"frames\":{"), "\"number\":["), NULL, 10) == 1);
	after(after(document, "\"cells\":{\"node\":["), ",");
	after(after(document, "\"lanes\":[{"), "\"begin\":[");
	free(document);
	free(out);
}

static void a_report_at_exit(void **state)
{
	char *out = run("report", "exit", true);

	(void)state;
	after(out, "left_open");
	for (const char *c = out; *c; c++)
		assert_true((*c >= ' ' && *c < 0x7F) || *c == '\n');
	free(out);
}

static void a_function_that_fails(void **state)
{
	(void)state;
	free(run("fail", "", true));
}

static void not_profiled(void **state)
{
	(void)state;
	free(run("unprofiled", "", false));
	free(run("fork", "", true));
}

static int program(char **argv)
{
	if (!strcmp(argv[1], "view"))
		return program_view();
	if (!strcmp(argv[1], "report"))
		return program_report(argv[2]);
	if (!strcmp(argv[1], "frameless"))
		return program_frameless();
	if (!strcmp(argv[1], "fail"))
		return program_fail();
	return !strcmp(argv[1], "fork") ? program_fork() : program_unprofiled();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_views_itself),
		cmocka_unit_test(a_process_without_frames),
		cmocka_unit_test(reports_are_per_thread_and_of_all),
		cmocka_unit_test(a_page),
		cmocka_unit_test(a_report_at_exit),
		cmocka_unit_test(a_function_that_fails),
		cmocka_unit_test(not_profiled),
	};

	if (argc > 1)
		return program(argv);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 99;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

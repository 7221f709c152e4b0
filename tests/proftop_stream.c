/* SPDX-License-Identifier: MIT */
/*
 * proftop_stream: each line of proftop stream is a document; in each frame Σ self of a thread's zones
 * is its time; frames that were written and skipped add up, however fast they come, and however the
 * stream ends.
 *
 * The program that is looked at is this one with an argument: `frames COUNT MICROSECONDS`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "libprof/prof.h"
#include "tests/json_read.h"

/* The program */

static void work(uint64_t *state)
{
	Prof_Begin(work)
	for (int i = 0; i < 50; i++)
		*state = *state * 6364136223846793005u + 1;
	if (*state >> 62)
		work(state);
	Prof_End
}

static void rest_until(struct timespec *at, long us)
{
	at->tv_nsec += us * 1000;
	at->tv_sec += at->tv_nsec / 1000000000;
	at->tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, at, NULL);
}

static int run_frames(long count, long us)
{
	struct timespec at;
	uint64_t state = 1;

	clock_gettime(CLOCK_MONOTONIC, &at);
	for (long i = 0; i < count; i++) {
		Prof_Begin(frame)
		work(&state);
		work(&state);
		Prof_End
		Prof_Counter_Set(frames_begun, (int64_t)i + 1);
		if (i % 10 == 9)
			Prof_Event(tenth);
		Prof_update(1);
		if (us)
			rest_until(&at, us);
	}
	return 7;
}

/* Lines */

struct counts {
	long long first, frames, skipped, discarded, last;
	long skips; /* lines that said so */
	char how[32];
	bool ended;
	long long zones, tenths;
	bool values; /* what was told in a frame is looked at */
};

static long long self_of(yajl_val zones, long long thread)
{
	long long sum = 0;

	for (size_t i = 0; i < zones->u.array.len; i++)
		if (doc_integer(zones->u.array.values[i], "thread") == thread)
			sum += doc_integer(zones->u.array.values[i], "self");
	return sum;
}

/* The program sets a counter to the number of the frame, and says each tenth. */
static void expect_values(struct counts *c, yajl_val line)
{
	yajl_val counters = doc_member(line, "counters"), events = doc_member(line, "events");

	assert_int_equal(counters->u.array.len, 1);
	assert_int_equal(doc_integer(counters->u.array.values[0], "last"), c->last);
	assert_int_equal(events->u.array.len, c->last % 10 == 0);
	assert_int_equal(doc_member(line, "notes")->u.array.len, 0);
	c->tenths += (long long)events->u.array.len;
}

static void expect_frame(struct counts *c, yajl_val line, bool all_zones)
{
	yajl_val threads = doc_member(line, "threads"), zones = doc_member(line, "zones");
	long long skipped = doc_member(line, "skipped") ? doc_integer(line, "skipped") : 0;

	assert_int_equal(doc_integer(line, "frame"), c->last + skipped + 1);
	assert_true(doc_integer(line, "length") >= 0 && doc_integer(line, "length_ns") >= 0);
	c->last = doc_integer(line, "frame");
	c->skipped += skipped;
	c->skips += skipped > 0;
	c->frames++;
	c->zones += (long long)zones->u.array.len;
	if (c->values)
		expect_values(c, line);
	for (size_t i = 0; all_zones && i < threads->u.array.len; i++) {
		yajl_val thread = threads->u.array.values[i];

		assert_int_equal(self_of(zones, doc_integer(thread, "id")), doc_integer(thread, "time"));
	}
}

static void expect_end(struct counts *c, yajl_val line)
{
	assert_int_equal(doc_integer(line, "frames"), c->frames);
	c->skipped = doc_integer(line, "skipped");
	c->last = doc_integer(line, "last_frame");
	c->ended = true;
	snprintf(c->how, sizeof(c->how), "%s", doc_text(line, "end"));
	assert_int_equal(c->frames + c->skipped, c->last - c->first + 1);
	assert_non_null(doc_member(line, "lost"));
}

static void take_line(struct counts *c, const char *text, bool all_zones)
{
	char why[256];
	yajl_val line = yajl_tree_parse(text, why, sizeof(why));

	if (!line)
		fail_msg("%s in: %s", why, text);
	assert_false(c->ended);
	if (doc_member(line, "stream")) {
		c->first = doc_integer(line, "first_frame");
		c->last = c->first - 1;
		assert_true(doc_integer(line, "ticks_per_s") > 0);
	} else if (doc_member(line, "end")) {
		expect_end(c, line);
	} else {
		assert_true(c->first > 0); /* the header came before */
		expect_frame(c, line, all_zones);
	}
	yajl_tree_free(line);
}

/* All that is left of a stream. Returns the exit status of what printed it. */
static int take_all(struct counts *c, FILE *from, bool all_zones)
{
	char *text = NULL;
	size_t size = 0;

	while (getline(&text, &size, from) > 0)
		take_line(c, text, all_zones);
	free(text);
	return pclose(from);
}

/* Commands */

static char self[512];

static const char *top(void)
{
	const char *top = getenv("top_builddir");

	return top ? top : ".";
}

static FILE *stream(const char *options, const char *before)
{
	char command[2048];
	FILE *from;

	snprintf(command, sizeof(command), "%s %s/proftop/proftop stream %s 2>&1", before, top(), options);
	from = popen(command, "r");
	assert_non_null(from);
	return from;
}

/* `-- program`, its frames in the background. */
static FILE *stream_program(const char *options, long frames, long us)
{
	char all[1024];

	snprintf(all, sizeof(all), "%s -- %s frames %ld %ld", options, self, frames, us);
	return stream(all, "");
}

static void region_name(char out[64])
{
	snprintf(out, 64, "prof-stream-%ld", (long)getpid());
}

/* A program that runs for itself; its region stays. */
static void begin_program(long frames, long us, const char *and)
{
	char command[1024], name[64];

	region_name(name);
	snprintf(command, sizeof(command), "PROF_SHM=%s PROF_KEEP=1 %s frames %ld %ld %s", name, self,
		 frames, us, and);
	if (system(command) < 0)
		fail_msg("%s", command);
}

static int remove_region(void **state)
{
	char path[128], name[64];

	(void)state;
	region_name(name);
	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	unlink(path);
	return 0;
}

static void all_frames_of_a_program(void **state)
{
	struct counts c = { .values = true };
	int status = take_all(&c, stream_program("", 200, 2000), true);

	(void)state;
	assert_int_equal(WEXITSTATUS(status), 7); /* the program's */
	assert_string_equal(c.how, "ended");
	assert_int_equal(c.first, 1);
	assert_int_equal(c.frames, 200);
	assert_int_equal(c.tenths, 20);
	assert_int_equal(c.skipped, 0);
}

static void ten_thousand_frames_a_second_balance(void **state)
{
	struct counts c = { 0 };

	(void)state;
	take_all(&c, stream_program("", 20000, 100), true);
	assert_string_equal(c.how, "ended");
	assert_int_equal(c.frames + c.skipped, 20000);
	assert_true(c.frames > 0);
}

/* Marks as fast as they can come, and a reader that sleeps: much is overwritten before it is read. */
static void what_is_skipped_is_said(void **state)
{
	struct counts c = { 0 };
	FILE *from;
	char *text = NULL;
	size_t size = 0;

	(void)state;
	setenv("PROF_SHM_SIZE", "1M", 1); /* so that little is left to be read, line by line */
	from = stream_program("", 400000, 0);
	unsetenv("PROF_SHM_SIZE");
	for (int i = 0; i < 3 && getline(&text, &size, from) > 0; i++)
		take_line(&c, text, true);
	free(text);
	sleep(1);
	take_all(&c, from, true);
	assert_string_equal(c.how, "ended");
	assert_int_equal(c.frames + c.skipped, 400000);
	assert_true(c.skipped > 0);
}

static void so_many_of_a_living_process(void **state)
{
	struct counts c = { 0 };
	char options[128], name[64], before[256];

	(void)state;
	region_name(name);
	snprintf(options, sizeof(options), "-w 5 -n 10 %s", name);
	begin_program(5000, 1000, ">/dev/null 2>&1 &");
	snprintf(before, sizeof(before), "until [ -e /dev/shm/%s ]; do sleep 0.02; done; sleep 0.3;", name);
	assert_int_equal(take_all(&c, stream(options, before), true), 0);
	assert_string_equal(c.how, "enough");
	assert_int_equal(c.frames, 10);
	assert_true(c.first > 1); /* from now on, not what was before */
}

static void of_a_dead_one_all_or_the_last(void **state)
{
	struct counts all = { 0 }, last = { 0 }, none = { 0 };
	char options[128], name[64];

	(void)state;
	region_name(name);
	remove_region(NULL);
	begin_program(300, 0, "");
	assert_int_equal(take_all(&all, stream(name, ""), true), 0);
	assert_int_equal(all.frames + all.skipped, 300);
	assert_string_equal(all.how, "ended");
	snprintf(options, sizeof(options), "-n 20 %s", name);
	assert_int_equal(take_all(&last, stream(options, ""), true), 0);
	assert_int_equal(last.first, 281);
	assert_int_equal(last.frames, 20);
	snprintf(options, sizeof(options), "-n 5 -t 1 --spread -f 'work(2)' %s", name);
	assert_int_equal(take_all(&none, stream(options, ""), false), 0);
	assert_int_equal(none.frames, 5);
	assert_true(none.zones <= 5 && none.zones < last.zones);
}

/* Readers that go away, and ^C. */
static void ends_quietly(void **state)
{
	struct counts c = { 0 };
	char command[1024], name[64], options[128];
	FILE *from;
	char left[256];

	(void)state;
	region_name(name);
	remove_region(NULL);
	begin_program(8000, 1000, ">/dev/null 2>&1 &");
	snprintf(command, sizeof(command), "%s/proftop/proftop stream -w 5 %s 2>&1 | { head -n 3 >/dev/null; }",
		 top(), name);
	from = popen(command, "r");
	assert_non_null(from);
	assert_null(fgets(left, sizeof(left), from)); /* nothing is said of it */
	assert_int_equal(pclose(from), 0);
	snprintf(options, sizeof(options), "%s", name);
	assert_int_equal(WEXITSTATUS(take_all(&c, stream(options, "timeout -s INT --foreground "
								 "--preserve-status 2.5"), true)), 130);
	assert_string_equal(c.how, "interrupted");
	assert_true(c.frames > 10);
}

/* The program behind -- has started another one, and has ended. Then there is nobody to pass a signal on to. */
static void a_signal_ends_it_when_the_program_has(void **state)
{
	char command[8192], text[256] = "";
	FILE *from;

	(void)state;
	snprintf(command, sizeof(command),
		 "out=$(mktemp); %s/proftop/proftop stream -- sh -c '%s frames 3000 10000 & echo $! >'$out.pid'; "
		 "until [ -e /dev/shm/$PROF_SHM ]; do sleep 0.05; done' >$out 2>/dev/null & p=$!;"
		 "until [ $(wc -l <$out) -gt 5 ] && [ ! \"$(cat /proc/$p/task/$p/children)\" ]; do sleep 0.05; done;"
		 "kill -TERM $p; wait $p; echo $? $(grep -c '\"end\":\"ended\"' $out); kill $(cat $out.pid);"
		 "rm -f $out $out.pid /dev/shm/sh.$p",
		 top(), self);
	from = popen(command, "r");
	assert_non_null(from);
	assert_non_null(fgets(text, sizeof(text), from));
	pclose(from);
	assert_string_equal(text, "143 0\n");
}

/* Each line is there as soon as its frame has come. */
static void lines_do_not_wait(void **state)
{
	struct timespec first, last;
	struct counts c = { 0 };
	FILE *lines = stream_program("-n 4", 5, 400000);
	char *text = NULL;
	size_t size = 0;

	(void)state;
	for (int i = 0; i < 5 && getline(&text, &size, lines) > 0; i++) {
		take_line(&c, text, true);
		clock_gettime(CLOCK_MONOTONIC, i > 1 ? &last : &first);
	}
	/* Not all at once at the end, 1.2 s behind the first. */
	assert_true((double)(last.tv_sec - first.tv_sec) + (double)(last.tv_nsec - first.tv_nsec) / 1e9 > 0.3);
	free(text);
	take_all(&c, lines, true);
	assert_string_equal(c.how, "enough");
}

static void senseless_options_are_refused(void **state)
{
	static const char *const refused[] = { "-j", "--csv", "-o file", "-z a", "-s self", "--over 3",
					       "--average run", "-f '~('" };
	char command[256];

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		snprintf(command, sizeof(command), "%s/proftop/proftop stream %s nothing 2>/dev/null", top(),
			 refused[i]);
		assert_int_equal(WEXITSTATUS(system(command)), 2);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(senseless_options_are_refused),
		cmocka_unit_test(all_frames_of_a_program),
		cmocka_unit_test(ten_thousand_frames_a_second_balance),
		cmocka_unit_test(what_is_skipped_is_said),
		cmocka_unit_test_teardown(so_many_of_a_living_process, remove_region),
		cmocka_unit_test_teardown(of_a_dead_one_all_or_the_last, remove_region),
		cmocka_unit_test_teardown(ends_quietly, remove_region),
		cmocka_unit_test(a_signal_ends_it_when_the_program_has),
		cmocka_unit_test(lines_do_not_wait),
	};

	if (argc == 4)
		return run_frames(atol(argv[2]), atol(argv[3]));
	if (!realpath("/proc/self/exe", self))
		return 1;
	return cmocka_run_group_tests(tests, NULL, remove_region);
}

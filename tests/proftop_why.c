/* SPDX-License-Identifier: MIT */
/*
 * proftop_why: one frame as a target, why it took so long, one against another, and the first that takes too long: of real
 * programs, and to the tick.
 *
 * The program that is looked at is this one with an argument: `frames COUNT [US]` sets so many marks, and in every
 * twentieth frame makes 200 calls of `step` instead of 10. Where US is not given it does not wait between frames.
 * `late` marks no frame for a second; then come 40 frames, of which the third takes 120 ms.
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

static char self[4096], region[64];

/* The program */

static void step(uint64_t *state)
{
	Prof_Begin(step)
	for (int i = 0; i < 200; i++)
		*state = *state * 6364136223846793005u + 1;
	Prof_End
}

static int run_frames(long count, long us)
{
	struct timespec pause = { us / 1000000, us % 1000000 * 1000 };
	uint64_t state = 1;

	for (long i = 1; i <= count; i++) {
		Prof_Begin(frame)
		for (int k = 0; k < (i % 20 ? 10 : 200); k++)
			step(&state);
		Prof_End
		if (us)
			nanosleep(&pause, NULL);
		Prof_update(1);
	}
	step(&state); /* in no frame */
	return 0;
}

static int run_late(void)
{
	Prof_Begin(load)
	usleep(1000000);
	Prof_End
	for (int i = 1; i <= 40; i++) {
		Prof_Frame_Begin("tick")
		Prof_Begin(work)
		usleep(i == 3 ? 120000 : 500);
		Prof_End
		Prof_Frame_End
	}
	return 0;
}

/* Commands: `%P` is proftop, `%S` this program, `%R` the region, `%E` the examples. */

static const char *top(void)
{
	const char *top = getenv("top_builddir");

	return top ? top : ".";
}

static void expand(char *out, size_t size, const char *format)
{
	size_t at = 0;

	for (; *format && at < size; format++) {
		if (format[0] != '%' || !strchr("PSRE", format[1])) {
			at += (size_t)snprintf(out + at, size - at, "%c", *format);
			continue;
		}
		format++;
		at += (size_t)snprintf(out + at, size - at, "%s%s",
				       *format == 'S' ? self : *format == 'R' ? region : top(),
				       *format == 'P' ? "/proftop/proftop" : *format == 'E' ? "/examples" : "");
	}
	assert_true(at < size);
}

/* The output, with stderr if the command says so; caller frees. */
static char *output(int status, const char *format)
{
	char command[8192], *text = NULL;
	size_t size = 0, got;
	int ended;
	FILE *from;

	expand(command, sizeof(command), format);
	from = popen(command, "r");
	assert_non_null(from);
	do {
		text = realloc(text, size + 65536 + 1);
		assert_non_null(text);
		got = fread(text + size, 1, 65536, from);
		size += got;
	} while (got);
	text[size] = '\0';
	ended = pclose(from);
	if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status)
		fail_msg("%s: status %d, not %d\n%s", command, WEXITSTATUS(ended), status, text);
	return text;
}

static void expect(int status, const char *format, const char *part)
{
	char *text = output(status, format), wanted[512];

	expand(wanted, sizeof(wanted), part);
	if (!strstr(text, wanted))
		fail_msg("%s: no '%s' in\n%s", format, wanted, text);
	free(text);
}

static yajl_val document(const char *format)
{
	char *text = output(0, format);
	yajl_val tree = doc_parse(text);

	free(text);
	return tree;
}

static long long length_of_frame(long long n)
{
	char command[64];
	yajl_val json;
	long long length;

	snprintf(command, sizeof(command), "%%P report -j %%R@%lld", n);
	json = document(command);
	assert_int_equal(doc_length(json, "frames"), 1);
	assert_int_equal(doc_integer(json, "frames/0/number"), n);
	length = doc_integer(json, "frames/0/length");
	yajl_tree_free(json);
	return length;
}

/* Identities */

static void expect_why_thread(yajl_val thread)
{
	yajl_val rows = doc_at(thread, "rows");
	long long sum = 0, waiting = 0;

	for (size_t i = 0; i < rows->u.array.len; i++) {
		yajl_val row = rows->u.array.values[i];

		sum += doc_integer(row, "delta");
		if (YAJL_IS_TRUE(doc_at(row, "waiting")))
			waiting += doc_integer(row, "delta");
		assert_int_equal(doc_integer(row, "delta"),
				 doc_integer(row, "calls") + doc_integer(row, "cost") + doc_integer(row, "carried"));
		assert_int_equal(doc_integer(row, "delta"), doc_integer(row, "self") - doc_integer(row, "base_self"));
	}
	assert_int_equal(waiting, doc_integer(thread, "waiting"));
	assert_int_equal(sum, doc_integer(thread, "sum"));
	assert_int_equal(sum, doc_integer(thread, "delta"));
	assert_int_equal(sum, doc_integer(thread, "time") - doc_integer(thread, "base_time"));
}

/* Σ rows = each thread's difference; of the marking thread it is that of the frames, but of the first
 * one, in which it began. */
static void expect_why(yajl_val json)
{
	yajl_val why = doc_at(json, "why");

	assert_true(why->u.array.len > 0);
	for (size_t i = 0; i < why->u.array.len; i++)
		expect_why_thread(why->u.array.values[i]);
	assert_true(YAJL_IS_TRUE(doc_at(json, "why/0/marking")));
	if (doc_integer(json, "why/0/frame") > 1 && doc_integer(json, "why/0/base") > 1)
		assert_int_equal(doc_integer(json, "why/0/delta"),
				 length_of_frame(doc_integer(json, "why/0/frame")) -
					 length_of_frame(doc_integer(json, "why/0/base")));
}

/* One frame */

static void test_one_frame(void **state)
{
	yajl_val json = document("%P report -j -v self %R@40"), back = document("%P report -j %R@-61");
	long long time = 0;

	(void)state;
	assert_int_equal(doc_length(json, "frames"), 1);
	assert_int_equal(doc_integer(json, "frames/0/number"), 40);
	assert_int_equal(doc_integer(json, "covered/first_frame"), 40);
	for (size_t i = 0; i < doc_length(json, "nodes"); i++)
		time += doc_integer(doc_at(json, "nodes")->u.array.values[i], "self");
	assert_int_equal(time, doc_integer(json, "frames/0/length"));
	assert_int_equal(doc_integer(back, "frames/0/number"), 40);
	yajl_tree_free(json);
	yajl_tree_free(back);
	expect(0, "%P report %R@40", "\nframe 40: ");
	expect(0, "%P report -v graph -z step %R@40", "- step");
	expect(0, "%P report -v counters %R@40", "frame 40");
	expect(0, "%P report --csv %R@40 | grep step", ",200,");
	expect(0, "%P report -u ns -U %R@41 | grep step", "10");
}

/* In a report of one frame stands how far it is from the median: the column's sum is the difference of the two. */
static void test_one_frame_against_the_median(void **state)
{
	static const char script[] =
		"LC_ALL=C %P report -u ns %R@41 | awk '/^frame 41:/ { frames = $3 - $10 } "
		"/vs median ns/ { end = index($0, \"vs median\") + 11; next } "
		"end && NF { n = split(substr($0, 1, end), fields, \" \"); sum += fields[n]; rows++ } end && !NF { exit } "
		"END { print rows, sum - frames }'";
	char *text = output(0, script);
	int rows, rest;

	(void)state;
	assert_int_equal(sscanf(text, "%d %d", &rows, &rest), 2);
	assert_true(rows >= 3 && abs(rest) <= rows); /* each row is rounded */
	free(text);
	expect(0, "%P report -v tree -s delta %R@41", "vs median");
}

static void test_frames_that_are_not_there(void **state)
{
	(void)state;
	expect(1, "%P report %R@101 2>&1", "no frame 101; the newest is 100");
	expect(1, "%P report %R@-101 2>&1", "there are only 100 frames");
	expect(3, "%P report %R@0 2>&1", "no program publishes under \"%R@0\"");
	expect(3, "%P report %R@x 2>&1", "no program publishes under \"%R@x\"");
	expect(3, "%P report %Rx@1 2>&1", "no program publishes under \"%Rx\"");
	expect(2, "%P report -n 3 %R@1 2>&1", "is one frame. -n does not go with it");
	expect(2, "%P report --average fast %R@1 2>&1", "is one frame. --average does not go with it");
	expect(2, "%P stacks %R@1 2>&1", "stacks shows the present, not a frame");
	expect(2, "%P stream %R@1 2>&1", "is one frame");
}

/* A frame that the ring has lapped: what is held is said. Few stay alone, those that were long. */
static void test_frames_that_were_lapped(void **state)
{
	(void)state;
	free(output(0, "PROF_SHM=%R-l PROF_SHM_SIZE=1M PROF_KEEP=1 %S frames 12000"));
	expect(1, "%P report %R-l@3 2>&1", "frame 3 is no longer in the history. Available: ");
	expect(1, "%P report %R-l@3 2>&1", " to 12000");
	free(output(0, "rm /dev/shm/%R-l"));
}

/* A region that is called as a frame is. */
static void test_a_name_wins(void **state)
{
	(void)state;
	free(output(0, "PROF_SHM=%R@7 PROF_KEEP=1 %S frames 9"));
	expect(0, "%P report %R@7", "9 frames");
	expect(0, "%P report %R@7@8", "\nframe 8: ");
	free(output(0, "rm /dev/shm/%R@7"));
	expect(0, "%P report %R@7", "\nframe 7: ");
}

/* Why */

static void test_why(void **state)
{
	yajl_val json = document("%P why -j %R@40"), worst = document("%P why -j %R");

	(void)state;
	expect_why(json);
	assert_int_equal(doc_integer(json, "why/0/frame"), 40);
	for (size_t i = 0; i < doc_length(json, "why/0/rows"); i++) {
		yajl_val row = doc_at(json, "why/0/rows")->u.array.values[i];

		if (strcmp(doc_text(row, "zone"), "step") != 0 || doc_integer(row, "base_count") != 10)
			continue;
		assert_int_equal(doc_integer(row, "count"), 200);
		assert_int_equal(doc_integer(row, "calls"), 190 * doc_integer(row, "base_self") / 10);
	}
	expect_why(worst);
	yajl_tree_free(json);
	json = document("%P report -j -n 1000 %R 2>/dev/null");
	for (size_t i = 0; i < doc_length(json, "frames"); i++)
		assert_true(doc_integer(doc_at(json, "frames")->u.array.values[i], "length") <=
			    doc_integer(worst, "frames/0/length"));
	yajl_tree_free(json);
	yajl_tree_free(worst);
	expect(0, "%P why %R@40", "\nwhy frame 40: ");
	expect(0, "%P why -t main %R@40 || %P why %R@40", "frame thread");
	expect(2, "%P why -s self %R 2>&1", "-s does not go with why");
	expect(2, "%P why -u pct %R 2>&1", "-u pct");
}

static void test_diff(void **state)
{
	yajl_val json = document("%P diff -j %R@39 %R@40"), back = document("%P diff -j %R@40 %R@39");
	yajl_val none = document("%P diff -j %R %R");

	(void)state;
	assert_int_equal(doc_integer(json, "why/0/base"), 39);
	assert_int_equal(doc_integer(json, "why/0/frame"), 40);
	expect_why(json);
	assert_int_equal(doc_integer(json, "why/0/delta"), -doc_integer(back, "why/0/delta"));
	assert_int_equal(doc_length(json, "why/0/rows"), doc_length(back, "why/0/rows"));
	assert_int_equal(doc_length(none, "why/0/rows"), 0);
	yajl_tree_free(json);
	yajl_tree_free(back);
	yajl_tree_free(none);
	free(output(0, "PROF_SHM=%R-b PROF_KEEP=1 %S frames 60"));
	expect(0, "%P diff %R %R-b", "the whole run, an average of 100 frames");
	expect(0, "%P diff %R %R-b", "the whole run, an average of 60 frames");
	expect(0, "%P diff %R@3 %R-b@-1", "frame 60: ");
	free(output(0, "PROF_SHM=%R-b PROF_KEEP=1 %S frames 1"));
	none = document("%P diff -j %R-b@1 %R-b");
	assert_int_equal(doc_integer(none, "why/0/base_time"), doc_integer(none, "why/0/time"));
	assert_int_equal(doc_length(none, "why/0/rows"), 0);
	yajl_tree_free(none);
	free(output(0, "PROF_SHM=%R-b PROF_KEEP=1 %S frames 0"));
	expect(3, "%P diff %R %R-c 2>&1", "no program publishes under \"%R-c\"");
	expect(0, "%P diff %R %R-b 2>&1", "the whole run, in total");
	expect(1, "%P diff %R %R-b@61 2>&1", "no frames");
	expect(1, "%P diff %R@101 %R 2>&1", "no frame 101;");
	expect(2, "%P diff %R 2>&1", "proftop diff takes NAME");
	free(output(0, "rm -f /dev/shm/%R-b /dev/shm/%R-b~1"));
}

/* Freeze */

/* A program that is over: the first such frame that is held. */
static void test_freeze_of_the_past(void **state)
{
	yajl_val all = document("%P report -j %R"), frames = doc_at(all, "frames");
	double ms = 1e3 / (double)doc_integer(all, "ticks_per_s");
	long long first = 0;
	char command[128];

	(void)state;
	for (size_t i = frames->u.array.len; i-- > 0;)
		if ((double)doc_integer(frames->u.array.values[i], "length") * ms > 0.025)
			first = doc_integer(frames->u.array.values[i], "number");
	assert_true(first > 0);
	snprintf(command, sizeof(command), "%%P why -j --over 0.025 %%R");
	yajl_tree_free(all);
	all = document(command);
	assert_int_equal(doc_integer(all, "why/0/frame"), first);
	expect_why(all);
	yajl_tree_free(all);
	expect(1, "%P why --over 100000 %R 2>&1", "no frame took longer than 100000 ms");
	expect(2, "%P why --csv --over 3 %R 2>&1", "--csv does not go with why");
}

/* A live program: past frames do not count, and the next one is waited for. */
static void test_freeze_of_what_comes(void **state)
{
	(void)state;
	free(output(0, "PROF_SHM=%R-f PROF_KEEP=1 %S frames 4000 2000 >/dev/null & echo $! >%R-pid;"
		       "until %P report %R-f@30 >/dev/null 2>&1; do sleep 0.02; done"));
	expect(0, "%P why --over 2 %R-f | sed -n 3p |"
		  "awk '{ if ($3 + 0 > 30 && $4 + 0 > 2) print \"as it should\"; else print }'", "as it should");
	free(output(0, "kill $(cat %R-pid); rm -f %R-pid /dev/shm/%R-f"));
}

static void test_freeze_of_a_program(void **state)
{
	(void)state;
	expect(0, "%P why --over 1 -- %S frames 100 1000", "\nwhy frame 1: ");
	expect(1, "%P why --over 100000 -- %S frames 9 2>&1", "no frame took longer than 100000 ms");
	expect(1, "%P why --over 3 -- %S nothing 2>&1", "no frame took longer than 3 ms: the program has marked none (Prof_update does; a batch program can be started with PROF_FRAME_MS=20");
	expect(3, "%P why --over 3 -- %S-nothing 2>&1", "cannot run");
}

/* Before the first mark `record` makes frames. At the mark the recording begins again: frames are counted from 1, for a
 * reader that follows it, too. */
static void test_freeze_where_marks_come_late(void **state)
{
	(void)state;
	free(output(0, "%P record -o %R-late.prec -- %S late >/dev/null 2>&1 & echo $! >%R-pid;"
		       "until %P report %R-late.prec 2>/dev/null | grep -qE '([3-9]|[0-9][0-9]) frames'; do sleep 0.02; done"));
	expect(0, "%P why --over 100 %R-late.prec", "\nwhy frame 3 ");
	free(output(0, "while kill -0 $(cat %R-pid) 2>/dev/null; do sleep 0.02; done"));
	expect(0, "%P why --over 100 %R-late.prec", "\nwhy frame 3 ");
	free(output(0, "rm %R-late.prec %R-pid"));
}

/* A game */

/* The delay of the frame that begins with this event; 0: there is none. */
static long long hitch_after(yajl_val json, long long after)
{
	yajl_val frames = doc_at(json, "frames");

	for (size_t i = 0; i < frames->u.array.len; i++) {
		yajl_val frame = frames->u.array.values[i], events = doc_at(frame, "events");

		for (size_t k = 0; doc_integer(frame, "number") > after && k < events->u.array.len; k++)
			if (!strcmp(doc_text(events->u.array.values[k], "name"), "hitch_begins"))
				return doc_integer(frame, "number");
	}
	return 0;
}

/* The rays of ai: as many as ever and dearer ones, or many more.  Where others want the processor, the frame may be the
 * median one: nothing differs from itself. */
static bool expect_hitch(long long frame)
{
	char command[64];
	yajl_val json, row;
	bool first;

	snprintf(command, sizeof(command), "%%P why -j %%R-g@%lld", frame);
	json = document(command);
	if (doc_integer(json, "why/0/base") == frame) {
		assert_int_equal(doc_length(json, "why/0/rows"), 0);
		assert_int_equal(doc_integer(json, "why/0/delta"), 0);
		yajl_tree_free(json);
		return false;
	}
	row = doc_at(json, "why/0/rows/0");
	first = !strcmp(doc_text(row, "zone"), "bvh_walk") && !strcmp(doc_text(row, "callers/1"), "ai");
	if (first && doc_integer(row, "count") == doc_integer(row, "base_count")) {
		assert_int_equal(doc_integer(row, "calls"), 0);
		assert_int_equal(doc_integer(row, "cost"), doc_integer(row, "delta"));
	} else if (first) {
		assert_true(doc_integer(row, "count") > 2 * doc_integer(row, "base_count"));
		assert_true(doc_integer(row, "calls") > 0);
	}
	for (size_t i = 0; i < doc_length(json, "why"); i++)
		expect_why_thread(doc_at(json, "why")->u.array.values[i]);
	yajl_tree_free(json);
	return first;
}

/* Where others want the processor, too, another zone may be first: then another hitch is tried, and another run. */
static void test_the_hitch_of_a_game(void **state)
{
	int found = 0;

	(void)state;
	for (int run = 0; !found && run < 40; run++) {
		long long hitch = 0;
		yajl_val json;

		free(output(0, "PROF_SHM=%R-g PROF_KEEP=1 %E/game_loop --frames 80 --fps 0 >/dev/null 2>&1"));
		json = document("%P report -j -n 1000 %R-g 2>/dev/null");
		while (!found && (hitch = hitch_after(json, hitch)))
			found += expect_hitch(hitch);
		yajl_tree_free(json);
		json = document("%P why -j %R-g");
		assert_false(expect_hitch(doc_integer(json, "why/0/base")));
		yajl_tree_free(json);
	}
	free(output(0, "rm -f /dev/shm/%R-g /dev/shm/%R-g~1"));
	assert_int_equal(found, 1);
}

static int begin(void **state)
{
	(void)state;
	snprintf(region, sizeof(region), "prof-why-%ld", (long)getpid());
	free(output(0, "PROF_SHM=%R PROF_KEEP=1 %S frames 100"));
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(output(0, "rm -f /dev/shm/%R*"));
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_frame),
		cmocka_unit_test(test_one_frame_against_the_median),
		cmocka_unit_test(test_frames_that_are_not_there),
		cmocka_unit_test(test_frames_that_were_lapped),
		cmocka_unit_test(test_a_name_wins),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_freeze_of_the_past),
		cmocka_unit_test(test_freeze_of_what_comes),
		cmocka_unit_test(test_freeze_of_a_program),
		cmocka_unit_test(test_freeze_where_marks_come_late),
		cmocka_unit_test(test_the_hitch_of_a_game),
	};

	if (argc > 2 && !strcmp(argv[1], "frames"))
		return run_frames(atol(argv[2]), argc > 3 ? atol(argv[3]) : 0);
	if (argc > 1 && !strcmp(argv[1], "late"))
		return run_late();
	if (argc > 1)
		return 0;
	if (!realpath("/proc/self/exe", self))
		return 1;
	return cmocka_run_group_tests(tests, begin, end);
}

/* SPDX-License-Identifier: MIT */
/*
 * proftop_json: what proftop report -j says of real programs obeys the definitions, to the tick.
 *
 *   each thread   Σ self of its nodes = its time
 *   each zone     Σ callers = the zone in self, hier and count; Σ direct = count;
 *                 Σ children hier = hier - self; and its row in the flat report is the same
 *   each counter  its newest entry in the frames = its row, and the extremes of the frames lie in the row's
 *   each call     Σ self of the spans of a frame = the frame's, in each node; also of the longest ones, of long ago
 *   -v worst      text, CSV and JSON have the same rows: the frames of the document, the longest first
 *   -n all        of a program whose work is all in frames, the frames are the whole run
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "libprof/prof.h"
#include "tests/json_read.h"
#include "tests/long.h"

static char region[64];

static const char *top(void)
{
	const char *top = getenv("top_builddir");

	return top ? top : ".";
}

/* The document that a command prints; `%s` in it is the build directory. */
static yajl_val document(const char *format, const char *more)
{
	char command[1024];

	snprintf(command, sizeof(command), format, top(), more);
	return doc_of(command);
}

static long long sum(yajl_val rows, const char *name)
{
	long long total = 0;

	for (size_t i = 0; i < rows->u.array.len; i++)
		total += doc_integer(rows->u.array.values[i], name);
	return total;
}

static void expect_times(yajl_val document)
{
	yajl_val threads = doc_at(document, "threads"), nodes = doc_at(document, "nodes");

	assert_true(threads->u.array.len > 0);
	for (size_t t = 0; t < threads->u.array.len; t++) {
		yajl_val thread = threads->u.array.values[t];
		long long self = 0;

		for (size_t n = 0; n < nodes->u.array.len; n++)
			if (doc_integer(nodes->u.array.values[n], "thread") == doc_integer(thread, "id"))
				self += doc_integer(nodes->u.array.values[n], "self");
		assert_int_equal(self, doc_integer(thread, "time"));
	}
}

static void expect_graph(yajl_val row, yajl_val graph)
{
	static const char *const alike[] = { "self", "hier", "count", "max" };
	yajl_val focus = doc_at(graph, "focus"), callers = doc_at(graph, "callers");

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(doc_integer(row, alike[i]), doc_integer(focus, alike[i]));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(sum(callers, alike[i]), doc_integer(focus, alike[i]));
	assert_int_equal(sum(callers, "direct"), doc_integer(focus, "count"));
	assert_int_equal(sum(doc_at(graph, "children"), "hier"),
			 doc_integer(focus, "hier") - doc_integer(focus, "self"));
}

/* Runs `recursion`, whose region stays. */
static int begin(void **state)
{
	char command[512];

	(void)state;
	snprintf(region, sizeof(region), "prof-json-%ld", (long)getpid());
	snprintf(command, sizeof(command), "PROF_SHM=%s PROF_KEEP=1 %s/examples/recursion >/dev/null",
		 region, top());
	return system(command);
}

static int end(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "/dev/shm/%s", region);
	return unlink(path);
}

/* Spread recursion has hundreds of rows: in a short run some of them are tried. */
static bool is_tried(size_t row)
{
	return test_long() || row < 20 || row % 8 == 0;
}

static void expect_graphs(const char *options)
{
	char format[256];
	yajl_val flat, rows;

	snprintf(format, sizeof(format), "%%s/proftop/proftop report -j %s %%s", options);
	flat = document(format, region);
	expect_times(flat);
	rows = doc_at(flat, "rows");
	assert_true(rows->u.array.len > 10);
	for (size_t i = 0; i < rows->u.array.len; i++) {
		yajl_val row = rows->u.array.values[i], graph;
		const char *zone = doc_text(row, "zone");

		if (!strcmp(zone, "(no zone)") || !is_tried(i))
			continue;
		snprintf(format, sizeof(format), "%%s/proftop/proftop report -j -v graph -z '%s' %s %%s", zone,
			 options);
		graph = document(format, region);
		expect_graph(row, doc_at(graph, "graph"));
		yajl_tree_free(graph);
	}
	yajl_tree_free(flat);
}

static void test_graphs_merged(void **state)
{
	(void)state;
	expect_graphs("");
}

static void test_graphs_spread(void **state)
{
	(void)state;
	expect_graphs("--spread");
}

static yajl_val row_of(yajl_val document, const char *zone)
{
	yajl_val rows = doc_at(document, "rows");

	for (size_t i = 0; i < rows->u.array.len; i++)
		if (!strcmp(doc_text(rows->u.array.values[i], "zone"), zone))
			return rows->u.array.values[i];
	fail_msg("no row '%s'", zone);
	return NULL;
}

/* Only the mark itself and what is outside of all zones go on behind the last frame. */
static void test_frames_are_the_run(void **state)
{
	yajl_val run = document("%s/proftop/proftop report -j %s", region);
	yajl_val frames = document("%s/proftop/proftop report -j -n 12 %s", region);
	yajl_val rows = doc_at(run, "rows");

	(void)state;
	expect_times(frames);
	assert_int_equal(doc_length(frames, "frames"), 12);
	assert_int_equal(doc_integer(frames, "covered/incomplete"), 0);
	for (size_t i = 0; i < rows->u.array.len; i++) {
		yajl_val row = rows->u.array.values[i];
		const char *zone = doc_text(row, "zone");

		if (!strcmp(zone, "(no zone)") || !strcmp(zone, "Prof_update"))
			continue;
		assert_int_equal(doc_integer(row, "self"), doc_integer(row_of(frames, zone), "self"));
		assert_int_equal(doc_integer(row, "hier"), doc_integer(row_of(frames, zone), "hier"));
		assert_int_equal(doc_integer(row, "count"), doc_integer(row_of(frames, zone), "count"));
		assert_int_equal(doc_integer(row, "max"), doc_integer(row_of(frames, zone), "max"));
	}
	assert_int_equal(sum(doc_at(frames, "frames"), "length"), doc_integer(frames, "covered/wall"));
	yajl_tree_free(run);
	yajl_tree_free(frames);
}

static bool same_thread(yajl_val a, yajl_val b)
{
	yajl_val x = doc_at(a, "thread"), y = doc_at(b, "thread");

	if (YAJL_IS_NULL(x) || YAJL_IS_NULL(y))
		return YAJL_IS_NULL(x) && YAJL_IS_NULL(y);
	return !strcmp(YAJL_GET_NUMBER(x), YAJL_GET_NUMBER(y));
}

/* The frames agree with the row of a counter; its last value is that of the newest entry. */
static void expect_counter(yajl_val frames, yajl_val row)
{
	yajl_val newest = NULL;

	for (size_t i = 0; i < frames->u.array.len; i++) {
		yajl_val list = doc_at(frames->u.array.values[i], "counters");

		for (size_t k = 0; k < list->u.array.len; k++) {
			yajl_val one = list->u.array.values[k];

			if (strcmp(doc_text(one, "name"), doc_text(row, "name")) || !same_thread(one, row))
				continue;
			newest = one;
			assert_true(doc_real(one, "min") >= doc_real(row, "min"));
			assert_true(doc_real(one, "max") <= doc_real(row, "max"));
			assert_true(doc_real(one, "min") <= doc_real(one, "last"));
			assert_true(doc_real(one, "last") <= doc_real(one, "max"));
		}
	}
	assert_non_null(newest);
	assert_string_equal(doc_digits(newest, "last"), doc_digits(row, "last"));
}

static void expect_happened(yajl_val frame, const char *kind)
{
	yajl_val list = doc_at(frame, kind);

	for (size_t i = 0; i < list->u.array.len; i++) {
		yajl_val one = list->u.array.values[i];

		assert_true(doc_integer(one, "tick") > doc_integer(frame, "start"));
		assert_true(doc_integer(one, "tick") <= doc_integer(frame, "start") + doc_integer(frame, "length"));
		assert_true(doc_integer(one, "ns") >= 0);
	}
}

/* Sums still hold when the cost of measuring was subtracted, in rows of a graph too. */
static void test_less_overhead(void **state)
{
	yajl_val measured = document("%s/proftop/proftop report -j %s", region);
	yajl_val less = document("%s/proftop/proftop report -j --subtract-overhead %s", region);
	yajl_val graph = document("%s/proftop/proftop report -j --subtract-overhead -v graph -z quicksort %s", region);

	(void)state;
	expect_times(less);
	expect_graph(row_of(less, "quicksort"), doc_at(graph, "graph"));
	assert_true(YAJL_IS_TRUE(doc_at(less, "overhead_subtracted")));
	assert_true(doc_integer(row_of(less, "compare"), "self") < doc_integer(row_of(measured, "compare"), "self"));
	assert_int_equal(doc_integer(row_of(less, "compare"), "count"),
			 doc_integer(row_of(measured, "compare"), "count"));
	assert_true(YAJL_IS_NULL(doc_at(graph, "varies/self"))); /* of 12 frames */
	yajl_tree_free(measured);
	yajl_tree_free(less);
	yajl_tree_free(graph);
}

/* Counters, events and notes of game_loop: the frames of one document and the rows of another agree. */
static void test_counters_events_and_notes(void **state)
{
	yajl_val rows, frames, counters, self;
	char command[512];

	(void)state;
	snprintf(command, sizeof(command), "PROF_SHM=%s-game PROF_KEEP=1 %s/examples/game_loop "
		 "--frames 60 >/dev/null 2>&1", region, top());
	assert_int_equal(system(command), 0);
	counters = document("%s/proftop/proftop report -j -v counters -n 50 %s-game", region);
	self = document("%s/proftop/proftop report -j -n 50 %s-game", region);
	rows = doc_at(counters, "counters");
	frames = doc_at(self, "frames");
	assert_true(rows->u.array.len >= 4);
	assert_int_equal(frames->u.array.len, 50);
	for (size_t i = 0; i < rows->u.array.len; i++)
		expect_counter(frames, rows->u.array.values[i]);
	for (size_t i = 0; i < frames->u.array.len; i++) {
		expect_happened(frames->u.array.values[i], "events");
		expect_happened(frames->u.array.values[i], "notes");
	}
	yajl_tree_free(counters);
	yajl_tree_free(self);
	snprintf(command, sizeof(command), "/dev/shm/%s-game", region);
	assert_int_equal(unlink(command), 0);
}

/* The worst frames */

static long long length_of(yajl_val frames, long long number)
{
	for (size_t i = 0; i < frames->u.array.len; i++)
		if (doc_integer(frames->u.array.values[i], "number") == number)
			return doc_integer(frames->u.array.values[i], "length");
	fail_msg("no frame %lld", number);
	return 0;
}

/* Milliseconds as text has them, rounded; `-` if there are none. */
static void expect_ms(yajl_val row, const char *key, bool zero_is_none, const char *text)
{
	yajl_val ns = doc_member(row, key);

	if (!ns || YAJL_IS_NULL(ns) || (zero_is_none && !YAJL_GET_INTEGER(ns)))
		assert_string_equal(text, "-");
	else if (strcmp(text, "<0.001") != 0 || YAJL_GET_INTEGER(ns) > 501)
		assert_true(llabs(YAJL_GET_INTEGER(ns) - (long long)(strtod(text, NULL) * 1e6 + 0.5)) <= 501);
}

static void expect_ns(yajl_val row, const char *key, const char *field)
{
	yajl_val ns = doc_member(row, key);
	char wanted[32] = "";

	if (ns && !YAJL_IS_NULL(ns))
		snprintf(wanted, sizeof(wanted), "%lld", YAJL_GET_INTEGER(ns));
	assert_string_equal(field, wanted);
}

/* The next line of `text`, in words. */
static void take_words(FILE *text, const char *between, char words[9][64])
{
	char line[512], *at = line;

	assert_non_null(fgets(line, sizeof(line), text));
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < 9; i++) {
		at += *between == ' ' && at ? strspn(at, " ") : 0;
		snprintf(words[i], 64, "%s", at ? strsep(&at, between) : "");
	}
}

static FILE *printed(const char *options, const char *title)
{
	char command[512], line[512] = "";
	FILE *from;

	snprintf(command, sizeof(command), "%s/proftop/proftop report -v worst --top 40 -b 1 %s ./%s.prec", top(), options, region);
	from = popen(command, "r");
	assert_non_null(from);
	while (strncmp(line, title, strlen(title)) != 0)
		assert_non_null(fgets(line, sizeof(line), from));
	return from;
}

/* `key`: what the rows are sorted by. */
static void expect_worst(const char *options, const char *key)
{
	yajl_val all, worst, rows, frames;
	FILE *text = printed(options, "FRAME"), *csv;
	char json[256], as_csv[64], words[9][64], fields[9][64];
	long long before = LLONG_MAX;

	snprintf(as_csv, sizeof(as_csv), "--csv %s", options);
	csv = printed(as_csv, "frame,name,age_s,length_ns,busy_ns,off_cpu_ns,over_ns,more_ns,zone,waits\n");
	snprintf(json, sizeof(json), "%%s/proftop/proftop report -j -v worst --top 40 -b 1 %s ./%%s.prec", options);
	worst = document(json, region);
	all = document("%s/proftop/proftop report -j ./%s.prec", region);
	frames = doc_at(all, "frames");
	rows = doc_at(worst, "worst");
	assert_int_equal(rows->u.array.len, 40);
	for (size_t i = 0; i < 40; i++) {
		yajl_val row = rows->u.array.values[i];
		const char *zone = YAJL_IS_NULL(doc_at(row, "zone")) ? NULL : doc_text(row, "zone");

		assert_int_equal(doc_integer(row, "length"), length_of(frames, doc_integer(row, "frame")));
		assert_int_equal(doc_integer(row, "length"), length_of(doc_at(worst, "frames"), doc_integer(row, "frame")));
		assert_true(doc_integer(row, key) <= before);
		before = doc_integer(row, key);
		take_words(text, " ", words);
		take_words(csv, ",", fields);
		assert_int_equal(strtoll(words[0], NULL, 10), doc_integer(row, "frame"));
		assert_int_equal(strtoll(fields[0], NULL, 10), doc_integer(row, "frame"));
		assert_string_equal(fields[1], ""); /* game_loop names no frames, so the text has no column for it */
		expect_ms(row, "length_ns", false, words[2]);
		expect_ns(row, "length_ns", fields[3]);
		expect_ms(row, "busy_ns", false, words[3]);
		expect_ns(row, "busy_ns", fields[4]);
		expect_ms(row, "off_cpu_ns", false, words[4]);
		expect_ns(row, "off_cpu_ns", fields[5]);
		expect_ms(row, "over_ns", true, words[5]);
		expect_ns(row, "over_ns", fields[6]);
		expect_ms(row, "more_ns", false, words[6]);
		expect_ns(row, "more_ns", fields[7]);
		assert_string_equal(fields[8], zone ? zone : "");
		assert_true(!strncmp(words[7], zone ? zone : "-", strcspn(words[7], " ")));
	}
	yajl_tree_free(all);
	yajl_tree_free(worst);
	assert_int_equal(pclose(text), 0);
	assert_int_equal(pclose(csv), 0);
}

/* A recording has the rate of ticks; of a region each command measures it. */
static void test_the_worst_frames(void **state)
{
	char command[1024];

	(void)state;
	snprintf(command, sizeof(command), "PROF_SHM=%s-game PROF_KEEP=1 %s/examples/game_loop --frames 60 >/dev/null 2>&1 && "
		 "%s/proftop/proftop record -o ./%s.prec %s-game", region, top(), top(), region, region);
	assert_int_equal(system(command), 0);
	expect_worst("", "length");
	expect_worst("-s busy", "busy");
	expect_worst("-n 50", "length");
	snprintf(command, sizeof(command), "/dev/shm/%s-game", region);
	assert_int_equal(unlink(command), 0);
	snprintf(command, sizeof(command), "./%s.prec", region);
	assert_int_equal(unlink(command), 0);
}

/* A program of several threads that is looked at while it runs. It is ended when it has been. */
static void test_live_and_many_threads(void **state)
{
	char command[512];
	FILE *from;
	int game = 0;

	(void)state;
	snprintf(command, sizeof(command), "PROF_SHM=%s-live %s/examples/game_loop --seconds 600 "
		 ">/dev/null 2>&1 & echo $!", region, top());
	from = popen(command, "r");
	assert_non_null(from);
	assert_int_equal(fscanf(from, "%d", &game), 1);
	pclose(from);
	for (int i = 0; i < 10; i++) {
		yajl_val whole = document("%s/proftop/proftop report -j -w 50 %s-live", region);
		yajl_val last = document("%s/proftop/proftop report -j -n 10 %s-live", region);

		expect_times(whole);
		expect_times(last);
		assert_int_equal(doc_integer(last, "covered/frames"), 10);
		yajl_tree_free(whole);
		yajl_tree_free(last);
	}
	assert_int_equal(kill(game, SIGKILL), 0);
	snprintf(command, sizeof(command), "/dev/shm/%s-live", region);
	assert_int_equal(unlink(command), 0);
}

static long long self_of_all(yajl_val nodes)
{
	long long sum = 0;

	for (size_t i = 0; i < nodes->u.array.len; i++)
		if (strcmp(doc_text(nodes->u.array.values[i], "zone"), "(no zone)") != 0)
			sum += doc_integer(nodes->u.array.values[i], "self");
	return sum;
}

/* Spans against the tree of the same frame, node by node: what the frame says of each is the sum of its calls. Of a
 * program that goes on between the two, in which nodes have other ids, all together. */
static bool expect_spans(yajl_val timeline, yajl_val tree, bool live)
{
	yajl_val nodes = doc_at(tree, "nodes"), lanes = doc_at(timeline, "lanes");
	long long *self = calloc(nodes->u.array.len, sizeof(*self)), all = self_of_all(nodes);

	assert_non_null(self);
	for (size_t i = 0; i < lanes->u.array.len; i++) {
		yajl_val lane = lanes->u.array.values[i], known = doc_at(lane, "known"), spans = doc_at(lane, "spans");
		bool whole = known->u.array.len == 1 &&
			     doc_integer(known->u.array.values[0], "begin") == doc_integer(lane, "from") &&
			     doc_integer(known->u.array.values[0], "end") == doc_integer(lane, "to");

		for (size_t k = 0; k < spans->u.array.len; k++) {
			yajl_val span = spans->u.array.values[k];

			assert_true(live || (size_t)doc_integer(span, "node") < nodes->u.array.len);
			self[live ? 0 : doc_integer(span, "node")] += doc_integer(span, "self");
			all -= doc_integer(span, "self");
			assert_true(doc_integer(span, "self") >= 0);
			assert_true(doc_integer(span, "begin") <= doc_integer(span, "end"));
		}
		if (!whole) { /* the frame is older than what is known of single calls */
			free(self);
			return false;
		}
	}
	assert_int_equal(all, 0);
	for (size_t i = 0; !live && i < nodes->u.array.len; i++) {
		yajl_val node = nodes->u.array.values[i];

		if (strcmp(doc_text(node, "zone"), "(no zone)") != 0)
			assert_int_equal(self[doc_integer(node, "id")], doc_integer(node, "self"));
	}
	free(self);
	return lanes->u.array.len > 1;
}

static void test_spans_are_the_frame(void **state)
{
	char command[512];
	unsigned whole = 0;

	(void)state;
	snprintf(command, sizeof(command), "PROF_SHM=%s-spans PROF_SHM_SIZE=32M PROF_KEEP=1 %s/examples/game_loop --frames 120 "
		 ">/dev/null 2>&1", region, top());
	assert_int_equal(system(command), 0);
	for (int i = 1; i <= 30; i++) {
		yajl_val timeline, tree;

		snprintf(command, sizeof(command), "%%s/proftop/proftop report -j -v timeline %%s-spans@-%d", i);
		timeline = document(command, region);
		snprintf(command, sizeof(command), "%%s/proftop/proftop report -j -v tree %%s-spans@-%d", i);
		tree = document(command, region);
		whole += expect_spans(timeline, tree, false);
		yajl_tree_free(timeline);
		yajl_tree_free(tree);
	}
	assert_true(whole > 20);
	snprintf(command, sizeof(command), "/dev/shm/%s-spans", region);
	assert_int_equal(unlink(command), 0);
}

#define LONGEST 12 /* of 16 that a region keeps */
#define LOGGED 200 /* so many of the newest frames may have their calls in the log */

/* The longest frame below a length; 0: there is none. *old: the log has lapped it. */
static long long next_longest(yajl_val frames, long long *below, bool *old)
{
	long long found = 0, longest = 0;

	for (size_t i = 0; i < frames->u.array.len; i++) {
		long long length = doc_integer(frames->u.array.values[i], "length");

		if (length >= *below || length <= longest)
			continue;
		longest = length;
		found = doc_integer(frames->u.array.values[i], "number");
		*old = i + LOGGED < frames->u.array.len;
	}
	*below = longest;
	return found;
}

struct longest {
	long long ended;  /* frames of the run */
	unsigned whole;   /* of the longest that the log has lapped, those of which each call is known, */
	long long frame;  /* and one of these */
};

/* Looks for two that are whole. If it meets the frame that was whole before, that has to be whole still, unless there is
 * a longer one since: longer frames have the space first. */
static struct longest longest_with_calls(const char *region, bool live, const struct longest *before)
{
	yajl_val run = document("%s/proftop/proftop report -j %s-kept", region), newest, frames;
	struct longest l = { .ended = doc_integer(run, "process/frames") };
	long long below = LLONG_MAX, frame;
	char command[512];
	bool old, longer = false;

	yajl_tree_free(run);
	if (!l.ended)
		return l;
	snprintf(command, sizeof(command), "%%s/proftop/proftop report -j -n %lld %%s-kept", l.ended);
	newest = document(command, region);
	frames = doc_at(newest, "frames");
	for (int i = 0; i < LONGEST && l.whole < 2 && (frame = next_longest(frames, &below, &old)); i++) {
		yajl_val timeline, tree;

		longer |= frame > before->ended;
		if (!old)
			continue;
		snprintf(command, sizeof(command), "%%s/proftop/proftop report -j -v timeline %%s-kept@%lld", frame);
		timeline = document(command, region);
		snprintf(command, sizeof(command), "%%s/proftop/proftop report -j -v tree %%s-kept@%lld", frame);
		tree = document(command, region);
		if (expect_spans(timeline, tree, live)) {
			l.whole++;
			l.frame = frame;
		} else {
			assert_true(longer || frame != before->frame);
		}
		yajl_tree_free(timeline);
		yajl_tree_free(tree);
	}
	yajl_tree_free(newest);
	return l;
}

#define ENOUGH_FRAMES 20000

/* False: the game was killed when no frame had shown it. Its first frames are long, but their threads had just begun. */
static bool longest_keep_their_calls(void)
{
	char command[512];
	struct longest l = { 0 };
	FILE *from;
	int game = 0;

	snprintf(command, sizeof(command), "PROF_SHM=%s-kept PROF_SHM_SIZE=8M %s/examples/game_loop --fps 0 --seconds 600 "
		 ">/dev/null 2>&1 & echo $!", region, top());
	from = popen(command, "r");
	assert_non_null(from);
	assert_int_equal(fscanf(from, "%d", &game), 1);
	pclose(from);
	while (!l.whole && l.ended < ENOUGH_FRAMES) { /* a loaded machine has few of them in a second */
		sleep(1);
		l = longest_with_calls(region, true, &(struct longest){ 0 });
	}
	assert_int_equal(kill(game, SIGKILL), 0);
	usleep(300000);
	assert_true(l.whole > 0);
	l = longest_with_calls(region, false, &l);
	snprintf(command, sizeof(command), "/dev/shm/%s-kept", region);
	assert_int_equal(unlink(command), 0);
	return l.whole > 0;
}

/* The log of this region laps in a fraction of a second. The longest frames have their calls all the same, while the
 * program runs, and when it was killed. */
static void test_the_longest_frames_keep_their_calls(void **state)
{
	bool tried = false;

	(void)state;
	for (int i = 0; i < 10 && !tried; i++)
		tried = longest_keep_their_calls();
	assert_true(tried);
}

#define KILLED "killed"

/* This program with that argument. */
static void be_killed(void)
{
	Prof_Begin(around)
		Prof_Begin(ended) Prof_End
		Prof_Begin(inside)
			kill(getpid(), SIGKILL);
		Prof_End
	Prof_End
}

/* It died in a call that it had just entered: that is the last thing known of it. What runs lies in its lane, and there is
 * nothing in it that is not in a call. */
static void test_what_runs_is_in_its_lane(void **state)
{
	char name[128];
	yajl_val timeline, lanes, spans;
	pid_t child = fork();

	(void)state;
	snprintf(name, sizeof(name), "%s-killed", region);
	if (!child) {
		setenv("PROF_SHM", name, 1);
		execl("/proc/self/exe", "killed", KILLED, NULL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	timeline = document("%s/proftop/proftop report -j -v timeline %s", name);
	lanes = doc_at(timeline, "lanes");
	assert_int_equal(lanes->u.array.len, 1);
	spans = doc_at(lanes->u.array.values[0], "spans");
	assert_int_equal(spans->u.array.len, 3);
	for (size_t i = 0; i < 3; i++) {
		yajl_val span = spans->u.array.values[i];
		long long length = doc_integer(span, "end") - doc_integer(span, "begin");

		assert_true(doc_integer(span, "end") <= doc_integer(lanes->u.array.values[0], "to"));
		if (i != 1) /* around, ended, inside */
			assert_int_equal(doc_integer(span, "end"), doc_integer(lanes->u.array.values[0], "to"));
		if (i == 0)
			for (size_t k = 1; k < 3; k++)
				length -= doc_integer(spans->u.array.values[k], "end") -
					  doc_integer(spans->u.array.values[k], "begin");
		assert_int_equal(length, doc_integer(span, "self"));
	}
	assert_true(doc_integer(timeline, "window/to") == doc_integer(lanes->u.array.values[0], "to"));
	yajl_tree_free(timeline);
	snprintf(name, sizeof(name), "/dev/shm/%s-killed", region);
	assert_int_equal(unlink(name), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graphs_merged),
		cmocka_unit_test(test_graphs_spread),
		cmocka_unit_test(test_frames_are_the_run),
		cmocka_unit_test(test_less_overhead),
		cmocka_unit_test(test_counters_events_and_notes),
		cmocka_unit_test(test_the_worst_frames),
		cmocka_unit_test(test_live_and_many_threads),
		cmocka_unit_test(test_spans_are_the_frame),
		cmocka_unit_test(test_the_longest_frames_keep_their_calls),
		cmocka_unit_test(test_what_runs_is_in_its_lane),
	};

	if (argc > 1 && !strcmp(argv[1], KILLED))
		be_killed();
	return cmocka_run_group_tests(tests, begin, end);
}

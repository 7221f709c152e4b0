/* SPDX-License-Identifier: MIT */
/*
 * io_values_live: a program that gives counters known values in known frames, by two threads, and what is said of
 * it, by one who watches and by one who comes when it is over: in the profile, and in JSON.
 *
 * The program is this test itself, run again with a region of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/export/export.h"
#include "model/table/counter_table.h"
#include "io/region/live.h"
#include "tests/json_read.h"

enum { FRAMES = 300 };

static struct source *watcher;

static struct source *attach(void)
{
	enum open_result result;
	char why[512];
	struct source *s = live_open(getenv("PROF_SHM"), 0, &result, why, sizeof(why));

	if (!s)
		fail_msg("%s", why);
	return s;
}

/* The program */

static pthread_barrier_t frame_begins, frame_done;

static void *worker(void *unused)
{
	Prof_Thread("worker");
	for (int i = 1; i <= FRAMES; i++) {
		pthread_barrier_wait(&frame_begins);
		Prof_Counter_Add(made, 2);
		if (i % 10 == 0)
			Prof_Counter_Set(own, i);
		if (i % 7 == 0)
			Prof_Event(seventh);
		pthread_barrier_wait(&frame_done);
	}
	return unused;
}

static void frame(int i)
{
	pthread_barrier_wait(&frame_begins);
	Prof_Counter_Add(made, 1);
	Prof_Counter_Set(health, 1000 + i);
	Prof_Counter_Set(health, -i);
	Prof_Counter_Set(health, i);
	Prof_Counter_Set(heat, 0.1 * i);
	if (i % 20 == 0)
		Prof_Counter_Set(own, -i);
	if (i % 50 == 0)
		Prof_Note("frame %d \"%s\"", i, "\t");
	pthread_barrier_wait(&frame_done);
	Prof_update(1);
}

static void run(void)
{
	pthread_t thread;

	pthread_barrier_init(&frame_begins, NULL, 2);
	pthread_barrier_init(&frame_done, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, worker, NULL), 0);
	for (int i = 1; i <= FRAMES; i++) {
		frame(i);
		if (i == 1)
			watcher = attach();
		if (i % 9 == 0)
			assert_int_equal(source_next(watcher), SOURCE_MORE);
	}
	pthread_join(thread, NULL);
	assert_int_equal(source_next(watcher), SOURCE_MORE);
}

static int begin(void **state)
{
	(void)state;
	run();
	return 0;
}

static int end(void **state)
{
	(void)state;
	source_close(watcher);
	return 0;
}

/* What is said of it */

static uint32_t counter(const struct profile *p, const char *name, bool real)
{
	for (uint32_t i = 0; i < p->counter_count; i++)
		if (!strcmp(p->counters[i].name, name) && p->counters[i].real == real)
			return i;
	fail_msg("no counter '%s'", name);
	return 0;
}

static uint32_t thread_of(const struct profile *p, const char *name)
{
	uint32_t thread = profile_parse_thread(p, name, NULL);

	assert_true(thread != PROFILE_NONE);
	return thread;
}

static void expect_frame(const struct profile *p, uint64_t number)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	uint32_t main_thread = profile_marking_thread(p), worker_thread = thread_of(p, "worker"), first;
	struct counter_value v;
	int64_t i = (int64_t)number, from, to;

	assert_non_null(frame);
	from = frame->start;
	to = frame->start + frame->length;
	v = counters_in_frame(p, counter(p, "made", false), PROFILE_NONE, frame);
	assert_true(v.known && v.changed);
	assert_int_equal(v.last.whole, 3 * i);
	v = counters_in_frame(p, counter(p, "health", false), main_thread, frame);
	assert_true(v.known && v.changed);
	assert_int_equal(v.last.whole, i);
	assert_int_equal(v.least.whole, -i);
	assert_int_equal(v.most.whole, 1000 + i);
	v = counters_in_frame(p, counter(p, "heat", true), main_thread, frame);
	assert_true(v.known && v.last.real == 0.1 * (double)i);
	v = counters_in_frame(p, counter(p, "own", false), worker_thread, frame);
	assert_int_equal(v.known, i >= 10);
	assert_int_equal(v.changed, i % 10 == 0);
	assert_int_equal(v.last.whole, i / 10 * 10);
	v = counters_in_frame(p, counter(p, "own", false), main_thread, frame);
	assert_int_equal(v.last.whole, -(i / 20 * 20));
	assert_int_equal(profile_instants(p, from, to, &first), (i % 7 == 0) + (i % 50 == 0));
	for (uint32_t k = first; k < p->instant_count && p->instants[k].tick <= to; k++)
		assert_int_equal(p->instants[k].thread,
				 p->instants[k].event == PROFILE_NONE ? main_thread : worker_thread);
}

static void expect_all(const struct profile *p)
{
	assert_int_equal(profile_loss_total(p), 0);
	assert_true(p->frame_count >= FRAMES - 1 && p->frames[p->frame_count - 1].number == FRAMES);
	for (uint32_t i = 0; i < p->frame_count; i++)
		expect_frame(p, p->frames[i].number);
}

static void who_watches_knows_each_frame(void **state)
{
	(void)state;
	expect_all(watcher->profile);
}

static void who_comes_later_knows_the_same(void **state)
{
	struct source *late = attach();

	(void)state;
	assert_int_equal(source_next(late), SOURCE_MORE);
	expect_all(late->profile);
	assert_int_equal(late->profile->instant_count, watcher->profile->instant_count);
	assert_int_equal(late->profile->track_count, watcher->profile->track_count);
	source_close(late);
}

/* JSON */

static yajl_val document(const struct profile *p)
{
	struct values *values = values_of_run(p);
	struct counter_options o = { .from = 0, .to = -1 };
	char why[1024], *text = NULL;
	struct counter_report *counters = counters_make(p, &o, why, sizeof(why));
	struct counter_table table;
	struct export e = { .profile = p, .values = values, .table = &table.table, .count = p->frame_count, .whole_run = true };
	size_t size;
	FILE *out = open_memstream(&text, &size);
	yajl_val tree;

	assert_true(values && counters);
	counter_table_init(&table, p, counters);
	assert_true(export_json(&e, out));
	fclose(out);
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf\""));
	tree = doc_parse(text);
	free(text);
	counters_free(counters);
	values_free(values);
	return tree;
}

/* The newest entry of a counter and thread up to the frame, as the manual says; NULL: none. */
static yajl_val entry(yajl_val frames, size_t up_to, const char *name, bool null_thread)
{
	yajl_val found = NULL;

	for (size_t i = 0; i <= up_to; i++) {
		yajl_val counters = doc_at(frames->u.array.values[i], "counters");

		for (size_t k = 0; k < counters->u.array.len; k++) {
			yajl_val one = counters->u.array.values[k];

			if (!strcmp(doc_text(one, "name"), name) &&
			    YAJL_IS_NULL(doc_at(one, "thread")) == null_thread)
				found = one;
		}
	}
	return found;
}

static void the_document_has_each_frame(void **state)
{
	yajl_val tree = document(watcher->profile), frames = doc_at(tree, "frames");

	(void)state;
	for (size_t i = 0; i < frames->u.array.len; i++) {
		yajl_val one = frames->u.array.values[i];
		long long number = doc_integer(one, "number");
		yajl_val events = doc_at(one, "events"), notes = doc_at(one, "notes");
		yajl_val heat = entry(frames, i, "heat", false);

		assert_int_equal(doc_integer(entry(frames, i, "made", true), "last"), 3 * number);
		assert_int_equal(doc_integer(entry(frames, i, "health", false), "min"), -number);
		assert_true(doc_real(heat, "last") == 0.1 * (double)number);
		assert_int_equal(events->u.array.len, number % 7 == 0);
		assert_int_equal(notes->u.array.len, number % 50 == 0);
		for (size_t k = 0; k < notes->u.array.len; k++) {
			yajl_val note = notes->u.array.values[k];
			char text[64];

			snprintf(text, sizeof(text), "frame %lld \"\\x09\"", number);
			assert_string_equal(doc_text(note, "text"), text);
			assert_true(YAJL_IS_FALSE(doc_at(note, "cut")));
			assert_true(doc_integer(note, "ns") >= 0);
		}
	}
	yajl_tree_free(tree);
}

static void the_rows_are_of_the_whole_run(void **state)
{
	yajl_val tree = document(watcher->profile), rows = doc_at(tree, "counters");
	const char *names[] = { "health", "heat", "made", "own", "own" };

	(void)state;
	assert_string_equal(doc_text(tree, "view"), "counters");
	assert_int_equal(rows->u.array.len, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(doc_text(rows->u.array.values[i], "name"), names[i]);
	assert_int_equal(doc_integer(rows->u.array.values[0], "min"), -FRAMES);
	assert_int_equal(doc_integer(rows->u.array.values[0], "max"), 1000 + FRAMES);
	assert_int_equal(doc_integer(rows->u.array.values[2], "last"), 3 * FRAMES);
	yajl_tree_free(tree);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_watches_knows_each_frame),
		cmocka_unit_test(who_comes_later_knows_the_same),
		cmocka_unit_test(the_document_has_each_frame),
		cmocka_unit_test(the_rows_are_of_the_whole_run),
	};
	char name[64];

	(void)argc;
	if (!getenv("PROF_SHM")) {
		snprintf(name, sizeof(name), "io-values-live-%ld", (long)getpid());
		setenv("PROF_SHM", name, 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	return cmocka_run_group_tests_name("io: values of a program", tests, begin, end);
}

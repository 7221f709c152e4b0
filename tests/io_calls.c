/* SPDX-License-Identifier: MIT */
/*
 * io_calls: single calls from a program to the model, exact to the tick: its library has a clock that the test sets
 * (libprofclock.la). The program is this test itself, run again for each of what it does, with a region of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live.h"
#include "model/boxes/spans.h"
#include "model/query/values.h"
#include "model/stats/calls.h"
#include "shm/clock.h"
#include "tests/own_runs.h"

static Prof_zone work = { .name = "work", .file = "" }, piece = { .name = "piece", .file = "" },
		 again = { .name = "again", .file = "" }, brief = { .name = "brief", .file = "" };

/* The reader of a test. */
struct eye {
	struct source *s;
	struct transitions *t;
	struct keys *keys;
	struct calls *calls;
};

static void pass(int64_t ticks)
{
	atomic_fetch_add(&clock_of_tests, ticks);
}

static void eye_open(struct eye *e)
{
	enum open_result result;
	char why[512];

	e->s = live_open(getenv("PROF_SHM"), 0, &result, why, sizeof(why));
	if (!e->s)
		fail_msg("%s", why);
	e->t = transitions_new(TRANSITIONS_MOST);
	e->keys = keys_new(false);
	e->calls = NULL;
	assert_non_null(e->t);
	assert_non_null(e->keys);
}

static void eye_look(struct eye *e)
{
	assert_int_equal(source_next(e->s), SOURCE_MORE);
	assert_true(source_transitions(e->s, e->t));
}

static const struct key_calls *eye_calls(struct eye *e, const char *zone, uint32_t first, uint32_t n)
{
	struct scope scope = { .keys = e->keys, .threads = THREADS_ALL };
	uint32_t key;

	assert_true(keys_update(e->keys, e->s->profile));
	assert_int_equal(keys_parse(e->keys, e->s->profile, zone, &key), KEYS_FOUND);
	calls_free(e->calls);
	e->calls = calls_make(e->s->profile, &scope, e->t, key, first, n);
	assert_non_null(e->calls);
	return calls_of(e->calls, key);
}

static void eye_close(struct eye *e)
{
	calls_free(e->calls);
	keys_free(e->keys);
	transitions_free(e->t);
	source_close(e->s);
}

static uint64_t random_state = 7;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

/* Times that are known */

/* A tenth of each call is in a piece. The clock goes on before: the first transition behind a boundary lies behind
 * it. */
static void one_call(int64_t ticks)
{
	pass(5);
	Prof_Enter(&work);
	Prof_Enter(&piece);
	pass(ticks / 10);
	Prof_Leave();
	pass(ticks - ticks / 10);
	Prof_Leave();
	pass(5);
	Prof_update(1);
}

static void percentiles_are_those_of_the_times(void **state)
{
	const struct key_calls *k;
	const struct profile_frame *frame;
	struct eye e;

	(void)state;
	for (int i = 0; i < 100; i++)
		one_call(i == 70 ? 20000 : i % 11 == 10 ? 5000 : 1000);
	eye_open(&e);
	eye_look(&e);
	k = eye_calls(&e, "work", 0, CALLS_ALL_FRAMES);
	assert_non_null(k);
	assert_int_equal(k->time.count, 100);
	assert_int_equal(k->time.min, 1000);
	assert_int_equal(k->time.median, 1000);
	assert_int_equal(k->time.p90, 1000);
	assert_int_equal(k->time.p99, 5000);
	assert_int_equal(k->time.max, 20000);
	assert_int_equal(k->self.median, 900);
	assert_int_equal(k->self.p99, 4500);
	frame = profile_find_frame(e.s->profile, 71);
	assert_non_null(frame);
	assert_true(k->slowest.leave > frame->start && k->slowest.leave <= frame->start + frame->length);
	assert_int_equal(k->slowest.leave - k->slowest.enter, 20000);
	k = eye_calls(&e, "work", (uint32_t)(frame - e.s->profile->frames), 1);
	assert_int_equal(k->time.count, 1);
	assert_int_equal(eye_calls(&e, "piece", 0, CALLS_ALL_FRAMES)->time.max, 2000);
	eye_close(&e);
}

/* Calls and frames agree */

static void wander(uint32_t *depth)
{
	Prof_zone *const zones[] = { &work, &piece, &again };

	pass(random_below(1000));
	if (*depth < 6 && random_below(2)) {
		Prof_Enter(zones[random_below(3)]);
		++*depth;
	} else if (*depth) {
		Prof_Leave();
		--*depth;
	}
}

static void sum_frames(const struct eye *e, uint32_t key, int64_t *self, int64_t *count)
{
	const struct profile *p = e->s->profile;

	*self = *count = 0;
	for (uint32_t i = 0; i < p->frame_count; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++)
			for (uint32_t n = 0; n < p->frames[i].parts[k].cell_count; n++) {
				struct profile_cell cell = profile_cell(&p->frames[i].parts[k], n);

				if (e->keys->of_node[cell.node] != key)
					continue;
				*self += cell.self;
				*count += cell.count;
			}
}

/* For each zone, single calls add up to what its slices of all frames have. A reader that looked all the time
 * has the same as one that comes late. */
static void sums_agree_with_the_frames(void **state)
{
	struct eye late, all_along;
	uint32_t depth = 0;

	(void)state;
	eye_open(&all_along);
	for (int i = 0; i < 5000; i++) {
		wander(&depth);
		if (i % 50 == 49)
			Prof_update(1);
		if (i % 700 == 0)
			eye_look(&all_along);
	}
	while (depth--)
		Prof_Leave();
	pass(10);
	Prof_update(1);
	eye_open(&late);
	eye_look(&late);
	eye_look(&all_along);
	assert_int_equal(late.t->total, all_along.t->total);
	for (int i = 0; i < 3; i++) {
		const char *zone = (const char *const[]){ "work", "piece", "again" }[i];
		const struct key_calls *k = eye_calls(&late, zone, 0, CALLS_ALL_FRAMES);
		const struct key_calls *other = eye_calls(&all_along, zone, 0, CALLS_ALL_FRAMES);
		int64_t self, count;
		uint32_t key;

		keys_parse(late.keys, late.s->profile, zone, &key);
		sum_frames(&late, key, &self, &count);
		assert_true(count > 300);
		assert_int_equal(k->self.count, count);
		assert_int_equal(llround(k->self.mean * k->self.count), self);
		assert_memory_equal(&k->time, &other->time, sizeof(k->time));
		assert_memory_equal(&k->slowest, &other->slowest, sizeof(k->slowest));
	}
	eye_close(&late);
	eye_close(&all_along);
}

/* Spans and frames agree */

static void expect_part(const struct eye *e, const struct spans *s, const struct profile_held *part)
{
	const struct profile *p = e->s->profile;
	struct values *sums;

	if (part->end <= part->bound)
		return;
	sums = spans_values(s, p, part->bound, part->end);
	assert_non_null(sums);
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		sums->self[cell.node] -= cell.self;
	}
	for (uint32_t node = 0; node < p->node_count; node++)
		if (p->nodes[node].thread == part->thread)
			assert_int_equal(sums->self[node], 0);
	values_free(sums);
}

/* The self time of the spans in each part of each frame is what the frame says, zone by zone. */
static void spans_agree_with_the_frames(void **state)
{
	struct spans *s = spans_new();
	const struct profile *p;
	uint32_t depth = 0;
	struct eye e;

	(void)state;
	assert_non_null(s);
	eye_open(&e);
	p = e.s->profile;
	for (int i = 0; i < 5000; i++) {
		wander(&depth);
		if (random_below(50) == 0)
			Prof_update(1);
		if (random_below(500))
			continue;
		eye_look(&e);
		assert_true(spans_update(s, p, e.t, p->now_tick));
	}
	eye_look(&e);
	assert_true(spans_update(s, p, e.t, p->now_tick));
	assert_true(keys_update(e.keys, p));
	assert_true(p->frame_count > 50);
	for (uint32_t i = 0; i < p->frame_count; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++)
			expect_part(&e, s, &p->frames[i].parts[k]);
	spans_free(s);
	eye_close(&e);
	while (depth--)
		Prof_Leave();
}

/* Frames that are not summed */

/* Every third frame is discarded, and what lies between bounded frames is in none. */
static void stretches(void)
{
	for (int i = 0; i < 300; i++) {
		bool bounded = i >= 150;

		if (bounded)
			prof__frame_begin("f");
		for (int k = 0; k < 10; k++) {
			pass(5);
			Prof_Enter(&work);
			pass(random_below(1000));
			Prof_Leave();
		}
		pass(5);
		if (bounded)
			prof__frame_end();
		pass(5);
		Prof_Enter(&work);
		pass(2000);
		Prof_Leave();
		if (!bounded)
			Prof_update(i % 3 != 2);
	}
}

/* The calls beside a row of a report of some frames are those of the row. */
static void calls_are_those_of_the_frames_that_are_summed(void **state)
{
	const struct profile *p;
	struct eye e;

	(void)state;
	stretches();
	eye_open(&e);
	eye_look(&e);
	p = e.s->profile;
	assert_int_equal(p->frame_count, 300);
	for (int i = 0; i < 300; i++) {
		uint32_t first = random_below(280), n = 1 + random_below(20), key;
		const struct key_calls *k = eye_calls(&e, "work", first, n);
		struct values *v = values_of_frames(p, first, n);
		int64_t count = 0, longest = 0;

		assert_non_null(v);
		keys_parse(e.keys, p, "work", &key);
		for (uint32_t node = 0; node < v->node_count; node++)
			if (e.keys->of_node[node] == key) {
				count += v->count[node];
				longest = v->longest[node] > longest ? v->longest[node] : longest;
			}
		assert_int_equal(k ? k->time.count : 0, count);
		assert_int_equal(k ? k->time.max : 0, longest);
		values_free(v);
	}
	eye_close(&e);
}

/* Threads that come and go in one block */

enum { PASSERS = 20 };

static void *passer(void *calls)
{
	for (int i = 0; i < *(int *)calls; i++) {
		pass(5);
		Prof_Enter(&brief);
		pass(100 + i);
		Prof_Leave();
	}
	return NULL;
}

static void run_passers(int first)
{
	for (int i = first; i < first + PASSERS; i++) {
		pthread_t thread;
		int calls = 1 + i % 3;

		assert_int_equal(pthread_create(&thread, NULL, passer, &calls), 0);
		pthread_join(thread, NULL);
	}
}

static uint32_t calls_of_passers(int from, int to)
{
	uint32_t count = 0;

	for (int i = from; i < to; i++)
		count += 1 + (uint32_t)i % 3;
	return count;
}

static void each_owner_of_a_block_has_its_own(void **state)
{
	struct eye late, all_along;
	const struct key_calls *k;

	(void)state;
	run_passers(0);
	eye_open(&all_along);
	eye_look(&all_along);
	k = eye_calls(&all_along, "brief", 0, CALLS_ALL_FRAMES);
	assert_int_equal(k->time.count, calls_of_passers(0, PASSERS));
	run_passers(PASSERS);
	eye_look(&all_along);
	k = eye_calls(&all_along, "brief", 0, CALLS_ALL_FRAMES);
	assert_int_equal(k->time.count, calls_of_passers(0, 2 * PASSERS));
	assert_int_equal(k->time.min, 100);
	assert_int_equal(k->time.max, 102);
	eye_open(&late);
	eye_look(&late);
	k = eye_calls(&late, "brief", 0, CALLS_ALL_FRAMES);
	assert_int_equal(k->time.count, calls_of_passers(0, 2 * PASSERS));
	assert_int_equal(k->time.p90, 102);
	assert_true(late.t->count >= 2 * PASSERS);
	eye_close(&late);
	eye_close(&all_along);
}

/* A thread that was seen in a zone, until it is told to go on. */
static atomic_int stage;

static void until(int wanted)
{
	while (atomic_load(&stage) < wanted)
		usleep(1000);
}

static void *sitter(void *nothing)
{
	Prof_Enter(&brief);
	pass(100);
	atomic_store(&stage, 1);
	until(2);
	Prof_Leave();
	return nothing;
}

/* How long it was in the zone is told with the ended threads. With its own name it does not sit there for ever. */
static void who_ended_behind_the_back_is_not_open(void **state)
{
	struct spans *s = spans_new();
	uint32_t running = 0;
	pthread_t thread;
	struct eye e;

	(void)state;
	assert_non_null(s);
	assert_int_equal(pthread_create(&thread, NULL, sitter, NULL), 0);
	until(1);
	eye_open(&e);
	eye_look(&e);
	atomic_store(&stage, 2);
	pthread_join(thread, NULL);
	for (int i = 0; i < 16; i++) /* more than there are blocks: another has its one then */
		run_passers(0);
	eye_look(&e);
	assert_true(spans_update(s, e.s->profile, e.t, e.s->profile->now_tick));
	assert_true(e.s->profile->thread_count > 1);
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t depth = 0; depth < s->lists[i].depth; depth++)
			running += !!(spans_flags(&s->lists[i], depth, spans_row(&s->lists[i], depth).count - 1) &
				      SPAN_RUNNING);
	assert_int_equal(running, 0);
	spans_free(s);
	eye_close(&e);
}

/* A small region */

/* Each call but that which a gap cuts is told right, and only such as were. */
static void what_is_overwritten_is_a_gap(void **state)
{
	const struct key_calls *k;
	uint32_t gaps = 0;
	struct eye e;

	(void)state;
	eye_open(&e);
	for (int i = 0; i < 200000; i++) {
		pass(5);
		Prof_Enter(&again);
		pass(1000 + i % 7);
		Prof_Leave();
		if (i == 100 || i == 120 || i == 130000)
			eye_look(&e);
	}
	eye_look(&e);
	for (uint32_t i = 0; i < e.t->count; i++)
		gaps += e.t->lists[i].gaps;
	assert_true(gaps >= 1 && gaps <= 2);
	k = eye_calls(&e, "again", 0, CALLS_ALL_FRAMES);
	assert_true(k->time.count > 500 && k->time.count < 199000);
	assert_int_equal(k->time.min, 1000);
	assert_int_equal(k->time.max, 1006);
	assert_int_equal(k->self.max, 1006);
	eye_close(&e);
}

/* Without events */

static void without_events_nothing_is_known(void **state)
{
	struct eye e;

	(void)state;
	for (int i = 0; i < 1000; i++)
		one_call(100);
	eye_open(&e);
	eye_look(&e);
	assert_null(eye_calls(&e, "work", 0, CALLS_ALL_FRAMES));
	assert_int_equal(e.t->total, 0);
	eye_close(&e);
}

static const struct own_run runs[] = {
	{ "percentiles", "8M", "1", cmocka_unit_test(percentiles_are_those_of_the_times) },
	{ "sums", "8M", "1", cmocka_unit_test(sums_agree_with_the_frames) },
	{ "summed", "8M", "1", cmocka_unit_test(calls_are_those_of_the_frames_that_are_summed) },
	{ "spans", "8M", "1", cmocka_unit_test(spans_agree_with_the_frames) },
	{ "gone", "8M", "1", cmocka_unit_test(who_ended_behind_the_back_is_not_open) },
	{ "owners", "8M", "1", cmocka_unit_test(each_owner_of_a_block_has_its_own) },
	{ "laps", "1M", "1", cmocka_unit_test(what_is_overwritten_is_a_gap) },
	{ "none", "8M", "0", cmocka_unit_test(without_events_nothing_is_known) },
};

int main(int argc, char **argv)
{
	return own_runs(argc, argv, "io-calls", runs, sizeof(runs) / sizeof(*runs));
}

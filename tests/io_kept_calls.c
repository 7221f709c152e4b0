/* SPDX-License-Identifier: MIT */
/*
 * io_kept_calls: the longest frames keep their single calls when the log has long passed over them, from a program to
 * the model, exact to the tick: its library has a clock that the test sets (libprofclock.la). The program is this test
 * itself, run again for each of what it does, with a small region of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
#include "shm/snapshot.h"
#include "tests/own_runs.h"

#define QUIET_CALLS 50 /* of work, with a piece in each: four transitions */
#define QUIET_TICKS 1000

static Prof_zone work = { .name = "work", .file = "" }, piece = { .name = "piece", .file = "" },
		 other = { .name = "other", .file = "" };

static void pass(int64_t ticks)
{
	atomic_fetch_add(&clock_of_tests, ticks);
}

static void calls(Prof_zone *zone, int count, int64_t ticks)
{
	for (int i = 0; i < count; i++) {
		pass(5);
		Prof_Enter(zone);
		pass(1);
		Prof_Enter(&piece);
		pass(ticks / 10);
		Prof_Leave();
		pass(ticks - ticks / 10);
		Prof_Leave();
	}
}

/* The clock goes on before the mark: the first transition behind a boundary lies behind it. */
static void frame(int count, int64_t ticks)
{
	calls(&work, count, ticks);
	pass(5);
	Prof_update(1);
}

static void quiet(int frames)
{
	for (int i = 0; i < frames; i++)
		frame(QUIET_CALLS, QUIET_TICKS);
}

/* The reader of a test. */
struct eye {
	struct source *s;
	struct transitions *t;
	struct keys *keys;
	struct spans *spans;
};

static void eye_open(struct eye *e, uint64_t most)
{
	enum open_result result;
	char why[512];

	e->s = live_open(getenv("PROF_SHM"), 0, &result, why, sizeof(why));
	if (!e->s)
		fail_msg("%s", why);
	e->t = transitions_new(most);
	e->keys = keys_new(false);
	e->spans = spans_new();
	assert_non_null(e->t);
	assert_non_null(e->keys);
	assert_non_null(e->spans);
}

static void in_order(const struct transitions *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 1; k < t->lists[i].count; k++)
			assert_true(t->lists[i].at[k].tick >= t->lists[i].at[k - 1].tick);
}

static void eye_look(struct eye *e)
{
	assert_int_equal(source_next(e->s), SOURCE_MORE);
	assert_true(source_transitions(e->s, e->t));
	assert_true(e->t->total <= e->t->most);
	in_order(e->t);
	assert_true(spans_update(e->spans, e->s->profile, e->t, e->s->profile->now_tick));
	assert_true(keys_update(e->keys, e->s->profile));
}

static void eye_close(struct eye *e)
{
	spans_free(e->spans);
	keys_free(e->keys);
	transitions_free(e->t);
	source_close(e->s);
}

static const struct profile_frame *find(const struct eye *e, uint64_t number)
{
	const struct profile_frame *f = profile_find_frame(e->s->profile, number);

	assert_non_null(f);
	return f;
}

/* By how much the spans differ from what the frame says of the part, over all its nodes: 0 if all is known. */
static int64_t difference(const struct eye *e, const struct profile_held *part)
{
	const struct profile *p = e->s->profile;
	struct values *sums = spans_values(e->spans, p, part->bound, part->end);
	int64_t off = 0;

	assert_non_null(sums);
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		sums->self[cell.node] -= cell.self;
	}
	for (uint32_t node = 0; node < p->node_count; node++)
		if (p->nodes[node].thread == part->thread)
			off += sums->self[node] < 0 ? -sums->self[node] : sums->self[node];
	values_free(sums);
	return off;
}

static const struct profile_held *part_of_main(const struct eye *e, uint64_t number)
{
	const struct profile_frame *f = find(e, number);
	uint32_t i = 0;

	while (i < f->part_count && !e->s->profile->threads[f->parts[i].thread].marking)
		i++;
	assert_true(i < f->part_count);
	return &f->parts[i];
}

static void expect_known(const struct eye *e, uint64_t number)
{
	assert_int_equal(difference(e, part_of_main(e, number)), 0);
}

static void expect_unknown(const struct eye *e, uint64_t number)
{
	assert_true(difference(e, part_of_main(e, number)) > 0);
}

static uint32_t calls_in(const struct eye *e, const char *zone, uint32_t first, uint32_t n, int64_t *longest)
{
	struct scope scope = { .keys = e->keys, .threads = THREADS_ALL };
	const struct key_calls *k;
	struct calls *c;
	uint32_t key, count;

	assert_int_equal(keys_parse(e->keys, e->s->profile, zone, &key), KEYS_FOUND);
	c = calls_make(e->s->profile, &scope, e->t, key, first, n);
	assert_non_null(c);
	k = calls_of(c, key);
	count = k ? k->time.count : 0;
	*longest = k ? k->time.max : 0;
	calls_free(c);
	return count;
}

/* Looks into the region. */

static uint64_t lost(enum region_loss cause)
{
	struct attachment a;
	struct snapshot_process p;

	assert_int_equal(region_attach(&a, getenv("PROF_SHM"), 0, NULL, 0), ATTACH_OK);
	snapshot_process(&a, &p);
	region_detach(&a);
	return p.lost[cause];
}

static bool count_chunk(const struct snapshot_kept_events *kept, void *count)
{
	assert_int_equal(kept->count, CHUNK_EVENTS);
	++*(uint64_t *)count;
	return true;
}

/* How many chunks are kept, and how many there may be. */
static uint64_t kept_chunks(uint64_t *most)
{
	struct attachment a;
	struct snapshot_process p;
	uint64_t count = 0;

	assert_int_equal(region_attach(&a, getenv("PROF_SHM"), 0, NULL, 0), ATTACH_OK);
	snapshot_process(&a, &p);
	for (uint32_t b = 0; b < p.threads; b++)
		snapshot_kept_events(&a, b, 0, UINT64_MAX / 2, count_chunk, &count);
	*most = a.chunk_count / KEPT_CALLS_PART;
	assert_true(count <= *most);
	region_detach(&a);
	return count;
}

/* The log has lapped over and over. */
static void lap(void)
{
	quiet(1500);
}

/* The tests */

enum { HITCH_CALLS = 300, HITCH_TICKS = 7000 };

static void who_comes_late_has_the_calls_of_the_longest_frame(void **state)
{
	struct eye late, before;
	int64_t longest;

	(void)state;
	quiet(40);
	eye_open(&before, TRANSITIONS_MOST);
	eye_look(&before);
	frame(HITCH_CALLS, HITCH_TICKS);
	lap();
	eye_open(&late, TRANSITIONS_MOST);
	eye_look(&late);
	eye_look(&before);
	expect_known(&late, 41);
	expect_known(&before, 41);
	expect_known(&before, 30); /* it was there then */
	expect_unknown(&late, 30);
	assert_true(late.t->lists[0].gaps >= 1);
	for (int i = 0; i < 2; i++) {
		const struct eye *e = i ? &late : &before;
		uint32_t index = (uint32_t)(find(e, 41) - e->s->profile->frames);

		assert_int_equal(calls_in(e, "work", index, 1, &longest), HITCH_CALLS);
		assert_int_equal(longest, HITCH_TICKS + 1);
	}
	/* Frames that are retained for being long do not count as usual. */
	assert_true(calls_in(&late, "work", 0, CALLS_ALL_FRAMES, &longest) > QUIET_CALLS);
	assert_int_equal(longest, QUIET_TICKS + 1);
	assert_true(transitions_since(&late.t->lists[0]) > frame_end(find(&late, 41)));
	assert_int_equal(lost(LOSS_CALLS_ROOM), 0);
	eye_close(&late);
	eye_close(&before);
}

/* A reader that may hold less than the log. */
static void who_stays_spares_them(void **state)
{
	struct eye e, late;

	(void)state;
	eye_open(&e, 6000);
	quiet(40);
	eye_look(&e);
	frame(HITCH_CALLS, HITCH_TICKS);
	for (int i = 0; i < 100; i++) {
		quiet(10);
		eye_look(&e);
		expect_known(&e, 41);
		expect_known(&e, e.s->profile->frames[e.s->profile->frame_count - 1].number);
	}
	expect_unknown(&e, 30);
	eye_open(&late, 6000);
	eye_look(&late);
	expect_known(&late, 41);
	eye_close(&late);
	eye_close(&e);
}

/* The log has it still, but it is older than what is held. */
static void what_the_log_has_is_spared_too(void **state)
{
	struct eye e;

	(void)state;
	quiet(40);
	frame(HITCH_CALLS, HITCH_TICKS);
	quiet(60);
	eye_open(&e, 4000);
	eye_look(&e);
	expect_known(&e, 41);
	expect_unknown(&e, 60);
	eye_close(&e);
}

static void what_is_displaced_goes_back(void **state)
{
	uint64_t most, before;
	struct eye e;

	(void)state;
	quiet(40);
	frame(HITCH_CALLS, HITCH_TICKS);
	lap();
	before = kept_chunks(&most);
	assert_true(before >= 4 * HITCH_CALLS / CHUNK_EVENTS);
	for (int i = 0; i < REGION_WORST_FRAMES; i++) {
		quiet(3);
		frame(20, 200000 + i);
	}
	lap();
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	for (int i = 0; i < REGION_WORST_FRAMES; i++)
		expect_known(&e, 1545 + 4 * (uint64_t)i);
	assert_true(kept_chunks(&most) <= 2 * REGION_WORST_FRAMES);
	for (uint32_t i = 0; i < e.t->lists[0].count; i++)
		assert_true(e.t->lists[0].at[i].tick > e.s->profile->frames[0].start);
	for (uint32_t i = 0; i < e.s->profile->frame_count; i++)
		assert_true(e.s->profile->frames[i].number != 41 || difference(&e, &e.s->profile->frames[i].parts[0]) > 0);
	eye_close(&e);
}

/* One that is larger than the room is not kept at all, and all others are; one that fits is. */
static void a_giant_leaves_the_others_theirs(void **state)
{
	uint64_t most;
	struct eye e;

	(void)state;
	quiet(40);
	kept_chunks(&most);
	frame(HITCH_CALLS, HITCH_TICKS);
	frame((int)most * CHUNK_EVENTS / 4 * 9 / 8, HITCH_TICKS);
	frame((int)most * CHUNK_EVENTS / 4 * 7 / 8, HITCH_TICKS);
	lap();
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	expect_known(&e, 41);
	expect_unknown(&e, 42);
	expect_known(&e, 43);
	assert_in_range(lost(LOSS_CALLS_ROOM), 1, REGION_WORST_FRAMES - 1); /* quiet ones, the shortest, too */
	eye_close(&e);
}

/* If there is no space for all, the longer frames have it, whichever came first; each whole or not at all. */
static void the_longest_have_it(void **state)
{
	uint64_t most, missing = 0;
	struct eye e;

	(void)state;
	quiet(40);
	kept_chunks(&most);
	for (int i = 0; i < REGION_WORST_FRAMES; i++) { /* longer and shorter ones in turns, of a fifth of the room each */
		frame((int)most * CHUNK_EVENTS / 4 / 5, 100000 + 1000 * (i * 7 % REGION_WORST_FRAMES));
		quiet(100);
	}
	lap();
	assert_true(kept_chunks(&most) > most / 2);
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	for (int i = 0; i < REGION_WORST_FRAMES; i++) {
		const struct profile_held *part = part_of_main(&e, 41 + 101 * (uint64_t)i);
		int rank = REGION_WORST_FRAMES - 1 - i * 7 % REGION_WORST_FRAMES;

		if (rank < 4)
			assert_int_equal(difference(&e, part), 0);
		missing += difference(&e, part) > 0;
	}
	assert_true(missing > 0 && missing < REGION_WORST_FRAMES - 3);
	assert_true(lost(LOSS_CALLS_ROOM) >= missing);
	eye_close(&e);
}

/* A thread that ends */

static atomic_int stage;

static void until(int wanted)
{
	while (atomic_load(&stage) < wanted)
		usleep(1000);
}

static void *passer(void *count)
{
	calls(&other, *(int *)count, 900);
	atomic_store(&stage, 1);
	until(2);
	calls(&other, 1, 900); /* it sees the mark */
	return NULL;
}

static void run_passer(int count, bool hitch)
{
	pthread_t thread;

	atomic_store(&stage, 0);
	assert_int_equal(pthread_create(&thread, NULL, passer, &count), 0);
	until(1);
	frame(hitch ? HITCH_CALLS : 1, hitch ? HITCH_TICKS : 1);
	atomic_store(&stage, 2);
	pthread_join(thread, NULL);
}

static void who_ended_keeps_them(void **state)
{
	struct eye e;
	int64_t longest;
	uint32_t index;

	(void)state;
	quiet(40);
	run_passer(200, true);
	for (int i = 0; i < 400; i++)
		run_passer(200, false); /* they go on in its block, and lap its log */
	lap();
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	expect_known(&e, 41);
	index = (uint32_t)(find(&e, 41) - e.s->profile->frames);
	assert_int_equal(calls_in(&e, "other", index, 1, &longest), 200);
	assert_int_equal(longest, 901);
	eye_close(&e);
}

/* Threads that have ended go back to no log: what they keep of frames that are displaced is given back for them. */

enum { WORKERS = 4 };
static pthread_barrier_t done;

struct work {
	pthread_t thread;
	int count; /* calls in the frame */
	int goes_on_at; /* stage */
};

static void *worker(void *argument)
{
	const struct work *w = argument;

	calls(&other, w->count, 900);
	pthread_barrier_wait(&done);
	until(w->goes_on_at);
	calls(&other, 40000, 10);
	return NULL;
}

static void what_threads_keep_that_end(bool one_by_one)
{
	struct work workers[WORKERS];
	uint64_t most;
	struct eye e;

	quiet(40);
	kept_chunks(&most);
	atomic_store(&stage, 0);
	pthread_barrier_init(&done, NULL, WORKERS + 1);
	for (int i = 0; i < WORKERS; i++) {
		workers[i].count = (int)most * CHUNK_EVENTS / 4 * 9 / 10 / WORKERS;
		workers[i].goes_on_at = one_by_one ? 2 + i : 2;
		assert_int_equal(pthread_create(&workers[i].thread, NULL, worker, &workers[i]), 0);
	}
	pthread_barrier_wait(&done);
	frame(1, 10000000);
	for (int i = 0; i < WORKERS; i++) {
		atomic_store(&stage, 2 + i);
		pthread_join(workers[i].thread, NULL);
	}
	assert_true(kept_chunks(&most) > most / 2);
	for (int i = 0; i < REGION_WORST_FRAMES + 1; i++)
		frame(QUIET_CALLS * 4, 10000000 + i);
	lap();
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	for (uint64_t n = 44; n < 42 + REGION_WORST_FRAMES + 1; n++)
		expect_known(&e, n);
	eye_close(&e);
}

static void what_ended_threads_keep_goes_back_too(void **state)
{
	(void)state;
	what_threads_keep_that_end(false);
}

/* The last one finds the arena used up by the logs of the others, so there is room left among the kept chunks. */
static void what_ended_threads_keep_goes_back_to_a_starved_log(void **state)
{
	(void)state;
	what_threads_keep_that_end(true);
}

/* Two threads, of which each keeps calls of frames that the other one does not make long. */

static pthread_barrier_t begins, ends;
static int beside_calls; /* in the next frame; negative: it is over */

static void *beside(void *unused)
{
	for (;;) {
		pthread_barrier_wait(&begins);
		if (beside_calls < 0)
			return unused;
		calls(&other, beside_calls, 900);
		pthread_barrier_wait(&ends);
	}
}

/* How many calls the one makes in the frame, and how many the other. */
static void both(int count, int others, int64_t ticks)
{
	beside_calls = others;
	pthread_barrier_wait(&begins);
	pthread_barrier_wait(&ends);
	frame(count, ticks);
}

static void both_quiet(int frames)
{
	for (int i = 0; i < frames; i++)
		both(QUIET_CALLS, QUIET_CALLS, QUIET_TICKS);
}

static pthread_t begin_both(void)
{
	pthread_t thread;

	pthread_barrier_init(&begins, NULL, 2);
	pthread_barrier_init(&ends, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, beside, NULL), 0);
	return thread;
}

static void end_both(pthread_t thread)
{
	beside_calls = -1;
	pthread_barrier_wait(&begins);
	pthread_join(thread, NULL);
}

static const struct profile_held *part_of_other(const struct eye *e, uint64_t number)
{
	const struct profile_frame *f = find(e, number);
	uint32_t i = 0;

	while (i < f->part_count && e->s->profile->threads[f->parts[i].thread].marking)
		i++;
	assert_true(i < f->part_count);
	return &f->parts[i];
}

/* Calls of so many chunks' room out of five. */
static int fifths(uint64_t most, int fifths)
{
	return (int)(most * CHUNK_EVENTS / 4 * (uint64_t)fifths / 5);
}

/* The other thread has nearly all the room for its frames when a longer one comes of this: it gives back the shortest. */
static void a_longer_frame_displaces_those_of_other_threads(void **state)
{
	pthread_t thread = begin_both();
	uint64_t most;
	struct eye e;

	(void)state;
	both_quiet(40);
	kept_chunks(&most);
	for (int i = 0; i < 4; i++) { /* 41, 42 and so on, the longest first */
		both(1, fifths(most, 1) - 200, 1000000 - 1000 * i);
	}
	both_quiet(1500);
	assert_true(kept_chunks(&most) > most * 3 / 4 - 4);
	both(fifths(most, 3) - 200, QUIET_CALLS, HITCH_TICKS);
	both_quiet(1500);
	assert_true(kept_chunks(&most) > most * 4 / 5);
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	expect_known(&e, 1545);
	assert_int_equal(difference(&e, part_of_other(&e, 41)), 0);
	assert_true(difference(&e, part_of_other(&e, 43)) > 0);
	assert_true(difference(&e, part_of_other(&e, 44)) > 0);
	assert_in_range(lost(LOSS_CALLS_ROOM), 2, 2 * REGION_WORST_FRAMES); /* quiet ones, the shortest, too */
	eye_close(&e);
	end_both(thread);
}

/* All are in the logs still when the longest comes, and the rounds come to the shorter ones first: these leave it its room.
 * What of a frame is too large leaves the rest of the frame. */
static void a_longer_frame_has_room_in_time(void **state)
{
	pthread_t thread = begin_both();
	uint64_t most;
	struct eye e;

	(void)state;
	both_quiet(40);
	kept_chunks(&most);
	for (int i = 0; i < 4; i++)
		both(1, fifths(most, 1) - 200, 1000000 - 1000 * i);
	both_quiet(200);
	both(fifths(most, 3) - 200, QUIET_CALLS, HITCH_TICKS);
	both_quiet(1500);
	both(fifths(most, 6), QUIET_CALLS, HITCH_TICKS);
	both_quiet(1500);
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	expect_known(&e, 245);
	assert_int_equal(difference(&e, part_of_other(&e, 41)), 0);
	expect_unknown(&e, 1746);
	assert_int_equal(difference(&e, part_of_other(&e, 1746)), 0);
	eye_close(&e);
	end_both(thread);
}

/* A thread that sleeps gives nothing back, and there is never more than the room; when it has woken up there is. */
static void who_sleeps_has_its_room(void **state)
{
	pthread_t thread = begin_both();
	uint64_t most;
	struct eye e;

	(void)state;
	both_quiet(40);
	kept_chunks(&most);
	for (int i = 0; i < 4; i++)
		both(1, fifths(most, 1) - 200, 1000000 - 1000 * i);
	both_quiet(1500);
	frame(fifths(most, 3) - 200, HITCH_TICKS);
	lap();
	assert_in_range(kept_chunks(&most), most * 3 / 4 - 4, most);
	both(fifths(most, 3) - 200, QUIET_CALLS, HITCH_TICKS + 10);
	both_quiet(1500);
	eye_open(&e, TRANSITIONS_MOST);
	eye_look(&e);
	expect_unknown(&e, 1545);
	expect_known(&e, 3046);
	eye_close(&e);
	end_both(thread);
}

static void without_events_none_are_missed(void **state)
{
	(void)state;
	quiet(40);
	frame(HITCH_CALLS, HITCH_TICKS);
	lap();
	assert_int_equal(lost(LOSS_CALLS_ROOM), 0);
}

static const struct own_run runs[] = {
	{ "late", "4M", "1", cmocka_unit_test(who_comes_late_has_the_calls_of_the_longest_frame) },
	{ "stays", "1M", "1", cmocka_unit_test(who_stays_spares_them) },
	{ "older", "8M", "1", cmocka_unit_test(what_the_log_has_is_spared_too) },
	{ "displaced", "1M", "1", cmocka_unit_test(what_is_displaced_goes_back) },
	{ "giant", "4M", "1", cmocka_unit_test(a_giant_leaves_the_others_theirs) },
	{ "longest", "1M", "1", cmocka_unit_test(the_longest_have_it) },
	{ "ended", "4M", "1", cmocka_unit_test(who_ended_keeps_them) },
	{ "swept", "4M", "1", cmocka_unit_test(what_ended_threads_keep_goes_back_too) },
	{ "starved", "4M", "1", cmocka_unit_test(what_ended_threads_keep_goes_back_to_a_starved_log) },
	{ "both", "4M", "1", cmocka_unit_test(a_longer_frame_displaces_those_of_other_threads) },
	{ "in time", "4M", "1", cmocka_unit_test(a_longer_frame_has_room_in_time) },
	{ "in time, smaller", "3800K", "1", cmocka_unit_test(a_longer_frame_has_room_in_time) },
	{ "sleeps", "4M", "1", cmocka_unit_test(who_sleeps_has_its_room) },
	{ "none", "1M", "0", cmocka_unit_test(without_events_none_are_missed) },
};

int main(int argc, char **argv)
{
	return own_runs(argc, argv, "io-kept", runs, sizeof(runs) / sizeof(*runs));
}

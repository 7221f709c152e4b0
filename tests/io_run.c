/* SPDX-License-Identifier: MIT */
/*
 * io_run: the average frame of the whole run is that of its frames: what runs behind the last mark is in none of them.
 *
 * Threads do at random what threads do, one at a time and by a clock that the test sets (libprofclock.la); where the
 * frames are plain and all held, what the run has up to its last mark is their sum, to the tick and the entry. The
 * program is this test itself, run again for each of what it does, with a region of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live.h"
#include "model/query/average.h"
#include "shm/clock.h"
#include "tests/long.h"

#define WORKERS 5
#define ZONES 6
#define DEEPEST 5

/* Later than the machine's own counter: what a reader takes for now is the newest tick that is known. */
__attribute__((constructor(101))) static void set_clock(void)
{
	atomic_store(&clock_of_tests, (int64_t)1 << 58);
}

static void pass(int64_t ticks)
{
	atomic_fetch_add(&clock_of_tests, ticks);
}

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

/* The program */

static Prof_zone zones[ZONES] = { { .name = "a", .file = "" }, { .name = "b", .file = "" }, { .name = "c", .file = "" },
				  { .name = "d", .file = "" }, { .name = "e", .file = "" }, { .name = "f", .file = "" } };

static void step(int *depth, int64_t ticks)
{
	pass(1 + ticks);
	if (*depth < DEEPEST && random_below(2)) {
		Prof_Enter(&zones[random_below(ZONES)]);
		++*depth;
	} else if (*depth) {
		Prof_Leave();
		--*depth;
	}
}

/* A thread, which does something when it is told to. */
static struct worker {
	pthread_t thread;
	bool runs;
	sem_t go, done;
	int steps; /* 0: end */
	int64_t ticks;
} workers[WORKERS];

static void *worker_main(void *context)
{
	struct worker *w = context;
	int depth = 0;

	for (;;) {
		sem_wait(&w->go);
		if (!w->steps)
			return NULL;
		for (int i = 0; i < w->steps; i++)
			step(&depth, w->ticks ? w->ticks : random_below(50));
		sem_post(&w->done);
	}
}

static void worker_works(struct worker *w, int steps, int64_t ticks)
{
	if (!w->runs) {
		sem_init(&w->go, 0, 0);
		sem_init(&w->done, 0, 0);
		assert_int_equal(pthread_create(&w->thread, NULL, worker_main, w), 0);
		w->runs = true;
	}
	w->steps = steps;
	w->ticks = ticks;
	sem_post(&w->go);
	if (steps) {
		sem_wait(&w->done);
		return;
	}
	pthread_join(w->thread, NULL);
	w->runs = false;
}

/* Something happens. Seldom it takes so long that a thread says in pieces what it did. */
static void work_on(int *depth)
{
	uint32_t what = random_below(100);
	struct worker *w = &workers[random_below(WORKERS)];

	if (what < 30)
		step(depth, random_below(50));
	else if (what < 34)
		worker_works(w, 0, 0);
	else if (what < 35)
		worker_works(w, 600, 5000000);
	else
		worker_works(w, 1 + (int)random_below(8), 0);
	pass(random_below(3));
}

/* What is read */

static struct source *open_source(const char *name, unsigned flags)
{
	enum open_result result;
	char why[512];
	struct source *s = live_open(name, flags, &result, why, sizeof(why));

	if (!s)
		fail_msg("%s", why);
	return s;
}

/* The values of a thread that ended are its heir's. */
static void pass_on(struct values *v, const struct profile *p)
{
	for (uint32_t i = 0; i < v->node_count; i++) {
		uint32_t heir = p->nodes[i].heir;

		if (heir == PROFILE_NONE)
			continue;
		v->self[heir] += v->self[i];
		v->count[heir] += v->count[i];
		v->time[p->nodes[heir].thread] += v->self[i];
		v->time[p->nodes[i].thread] -= v->self[i];
		v->self[i] = v->count[i] = 0;
	}
}

static bool are_same(struct values *v, struct values *expected, const struct profile *p)
{
	bool same = v->wall == expected->wall;

	pass_on(v, p);
	pass_on(expected, p);
	for (uint32_t i = 0; i < v->thread_count; i++)
		same &= v->time[i] == expected->time[i];
	for (uint32_t i = 0; i < v->node_count; i++)
		same &= v->self[i] == expected->self[i] && v->count[i] == expected->count[i];
	values_free(v);
	values_free(expected);
	return same;
}

/* The run since frame `after`, as of when its totals were read, is the sum of the frames. */
static void expect_frames(const struct averages *a, const struct profile *p, uint64_t after)
{
	uint32_t first = profile_frame_index(p, after + 1), end = profile_frame_index(p, p->run_frames + 1);
	struct values *v = values_average(a, p, AVERAGE_RUN), *sum = values_of_frames(p, first, end - first);

	assert_non_null(v);
	assert_non_null(sum);
	assert_int_equal(end - first, p->run_frames - after);
	assert_int_equal(v->frames, end - first);
	assert_int_equal(v->scale, v->frames ? v->frames : 1);
	assert_int_equal(v->incomplete, 0);
	assert_int_equal(sum->incomplete, 0);
	assert_true(are_same(v, sum, p));
}

/* No frame has ended: then it is all that there is. */
static void expect_all(const struct averages *a, const struct profile *p)
{
	struct values *v = values_average(a, p, AVERAGE_RUN);

	assert_int_equal(v->scale, 1);
	assert_true(are_same(v, values_of_run(p), p));
}

/* A reader, which may have begun its averages anew. */
struct reader {
	struct source *s;
	struct averages *a;
	uint64_t after;
};

static struct reader reader_of(unsigned flags)
{
	return (struct reader){ open_source(getenv("PROF_SHM"), flags), averages_new(), 0 };
}

static void reader_looks(struct reader *r)
{
	const struct profile *p = r->s->profile;

	assert_int_equal(source_next(r->s), SOURCE_MORE);
	if (!p->run_frames)
		expect_all(r->a, p);
	else
		expect_frames(r->a, p, r->after);
	if (p->run_frames && random_below(10) == 0) {
		assert_true(averages_reset(r->a, p));
		r->after = p->run_frames;
		expect_frames(r->a, p, r->after);
	}
}

static void reader_ends(struct reader *r)
{
	source_close(r->s);
	averages_free(r->a);
}

/* One that comes sees what one sees that stays. */
static void one_looks(void)
{
	struct reader r = reader_of(0);

	reader_looks(&r);
	reader_ends(&r);
}

static void run_plain(int rounds)
{
	struct reader stays = reader_of(0), often = reader_of(LIVE_OFTEN);
	int depth = 0;

	for (int i = 0; i < rounds; i++) {
		uint32_t what = random_below(40);

		work_on(&depth);
		if (what < 3)
			Prof_update(1);
		else if (what < 6)
			reader_looks(&stays);
		else if (what < 8)
			reader_looks(&often);
		else if (what == 8 && random_below(10) == 0)
			one_looks();
	}
	reader_ends(&stays);
	reader_ends(&often);
}

static void the_run_is_the_sum_of_its_frames(void **state)
{
	(void)state;
	run_plain(3000);
}

/* For the reader that comes when the program is dead. */
static void a_killed_program(void **state)
{
	(void)state;
	run_plain(500);
	raise(SIGKILL);
}

/* So many that those which come are one thread with those whose place they have (live_owners.c). */
static void threads_that_are_several(void **state)
{
	struct reader r = reader_of(0);
	bool several = false;

	(void)state;
	for (int i = 0; i < 4300; i++) {
		worker_works(&workers[i % 2], 8, 0);
		worker_works(&workers[i % 2], 0, 0);
		if (i % 70 == 0)
			Prof_update(1);
		if (i % 20 == 0)
			reader_looks(&r);
	}
	for (int i = 0; i < 300; i++) {
		worker_works(&workers[i % 3], 1 + (int)random_below(8), 0);
		if (random_below(2))
			worker_works(&workers[random_below(3)], 0, 0);
		if (random_below(30) == 0)
			Prof_update(1);
		if (random_below(5) == 0)
			reader_looks(&r);
	}
	for (uint32_t i = 0; i < r.s->profile->thread_count; i++)
		several |= r.s->profile->threads[i].several;
	assert_true(several);
	reader_ends(&r);
}

/* 20 ms each, and then one that does not end for a minute. */
static void an_idle_program(void **state)
{
	struct reader r = reader_of(0);
	const struct profile *p = r.s->profile;
	int64_t ms = (int64_t)p->ticks_per_s / 1000;
	struct values *v;

	(void)state;
	pass(1);
	Prof_update(1);
	assert_int_equal(source_next(r.s), SOURCE_MORE);
	assert_true(averages_reset(r.a, p));
	for (int i = 0; i < 50; i++) {
		Prof_Enter(&zones[0]);
		pass(20 * ms);
		Prof_Leave();
		Prof_update(1);
	}
	Prof_Enter(&zones[1]);
	pass(60000 * ms);
	worker_works(&workers[0], 100, 0);
	assert_int_equal(source_next(r.s), SOURCE_MORE);
	expect_frames(r.a, p, 1);
	v = values_average(r.a, p, AVERAGE_RUN);
	assert_int_equal(v->frames, 50);
	assert_in_range(v->wall / 50, 20 * ms, 20 * ms + 10);
	values_free(v);
	v = values_of_run(p);
	assert_true(v->wall > 61000 * ms);
	values_free(v);
	reader_ends(&r);
}

static void mark(bool bounded)
{
	static bool inside;

	if (!bounded)
		Prof_update((int)random_below(2));
	else if (inside)
		prof__frame_end();
	else
		prof__frame_begin("f");
	inside = bounded && !inside;
}

/* Right behind a mark it is all that there is, but for the ticks in which the marking thread comes back from it. */
static struct values *values_at_mark(const struct reader *r)
{
	const struct profile *p = r->s->profile;
	struct values *v = values_average(r->a, p, AVERAGE_RUN), *all = values_of_run(p);

	assert_in_range(all->wall - v->wall, 0, 3);
	for (uint32_t i = 0; i < v->node_count; i++) {
		assert_in_range(all->self[i] - v->self[i], 0, 3);
		assert_int_equal(all->count[i], v->count[i]);
	}
	values_free(all);
	return v;
}

/* So it stays until the next one. */
static void expect_then(const struct reader *r, const struct values *then)
{
	const struct profile *p = r->s->profile;
	struct values *v = values_average(r->a, p, AVERAGE_RUN), *expected = values_new(p);

	memcpy(expected->self, then->self, then->node_count * sizeof(*then->self));
	memcpy(expected->count, then->count, then->node_count * sizeof(*then->count));
	memcpy(expected->time, then->time, then->thread_count * sizeof(*then->time));
	expected->wall = then->wall;
	assert_int_equal(v->frames, p->frames_ended);
	assert_true(are_same(v, expected, p));
}

static void run_marks(bool bounded)
{
	struct reader r = reader_of(0);
	struct values *then = NULL;
	int depth = 0;

	for (int i = 0; i < 2000; i++) {
		uint32_t what = random_below(40);

		work_on(&depth);
		if (what < 3)
			mark(bounded);
		if (what < 6)
			assert_int_equal(source_next(r.s), SOURCE_MORE);
		if (what < 6 && what >= 3 && then && r.s->profile->run_frames)
			expect_then(&r, then);
		if (what < 3) {
			values_free(then);
			then = values_at_mark(&r);
		}
	}
	values_free(then);
	reader_ends(&r);
}

static void discarded_frames_are_in_it(void **state)
{
	(void)state;
	run_marks(false);
}

static void so_is_what_lies_between_bounded_ones(void **state)
{
	(void)state;
	run_marks(true);
}

/* With all of them at once a thread may publish again and again while it is read: then the run need not be exact, but
 * nothing in it is less than 0, and when they rest it is. */

static atomic_bool over;

static void *racer(void *context)
{
	const struct worker *w = context;
	uint32_t random = (uint32_t)(w - workers);

	for (int depth = 0; !atomic_load(&over);) {
		random = random * 1103515245u + 12345u;
		pass(1 + (random >> 16) % 50);
		if (random >> 31 && depth < DEEPEST) {
			Prof_Enter(&zones[(random >> 20) % ZONES]);
			depth++;
		} else if (depth) {
			Prof_Leave();
			depth--;
		}
		if ((random >> 24) % 64 == 0)
			usleep(50);
	}
	return NULL;
}

/* No more frames than are held. */
static void *marker(void *context)
{
	for (int i = 0; i < 2000 && !atomic_load(&over); i++) {
		pass(10);
		Prof_update(1);
		usleep(300);
	}
	return context;
}

static void expect_sane(const struct reader *r)
{
	const struct profile *p = r->s->profile;
	struct values *v = values_average(r->a, p, AVERAGE_RUN);
	struct values *sum = values_of_frames(p, 0, profile_frame_index(p, p->run_frames + 1));

	assert_int_equal(v->frames, sum->frames);
	if (v->frames)
		assert_int_equal(v->wall, sum->wall);
	for (uint32_t i = 0; i < v->node_count; i++) {
		assert_in_range(v->self[i], 0, p->totals[i].self);
		assert_in_range(v->count[i], 0, p->totals[i].count);
		assert_in_range(p->totals[i].running_self, 0, p->totals[i].self);
	}
	values_free(sum);
	values_free(v);
}

static void threads_that_do_not_wait(void **state)
{
	struct reader r = reader_of(0);
	pthread_t marks;

	(void)state;
	for (int i = 1; i < WORKERS; i++)
		assert_int_equal(pthread_create(&workers[i].thread, NULL, racer, &workers[i]), 0);
	assert_int_equal(pthread_create(&marks, NULL, marker, NULL), 0);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(source_next(r.s), SOURCE_MORE);
		expect_sane(&r);
	}
	atomic_store(&over, true);
	for (int i = 1; i < WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_join(marks, NULL);
	reader_looks(&r);
	reader_ends(&r);
}

/* They have room for all frames, and for few threads: others come to own their blocks. */
static const struct {
	const char *name, *size;
	struct CMUnitTest test;
	bool killed;
} runs[] = {
	{ "plain", "4M", cmocka_unit_test(the_run_is_the_sum_of_its_frames), false },
	{ "killed", "4M", cmocka_unit_test(a_killed_program), true },
	{ "several", "2M", cmocka_unit_test(threads_that_are_several), false },
	{ "idle", "4M", cmocka_unit_test(an_idle_program), false },
	{ "discarded", "4M", cmocka_unit_test(discarded_frames_are_in_it), false },
	{ "bounded", "4M", cmocka_unit_test(so_is_what_lies_between_bounded_ones), false },
	{ "race", "64M", cmocka_unit_test(threads_that_do_not_wait), false },
};

#define RUNS (sizeof(runs) / sizeof(*runs))

static char region[64];

static void the_region_of_a_killed_program(void **state)
{
	struct averages *a = averages_new();
	struct source *s = open_source(region, 0);

	(void)state;
	assert_int_equal(source_next(s), SOURCE_END);
	expect_frames(a, s->profile, 0);
	source_close(s);
	averages_free(a);
	assert_int_equal(shm_unlink(region), 0);
}

static int run(const char *self, size_t i, unsigned long seed)
{
	const struct CMUnitTest dead[] = { cmocka_unit_test(the_region_of_a_killed_program) };
	pid_t child = fork();
	char digits[24];
	int status;

	if (child < 0)
		return 1;
	if (child == 0) {
		snprintf(region, sizeof(region), "io-run-%s-%ld", runs[i].name, (long)getpid());
		setenv("PROF_SHM", region, 1);
		setenv("PROF_SHM_SIZE", runs[i].size, 1);
		snprintf(digits, sizeof(digits), "%lu", seed);
		execl("/proc/self/exe", self, runs[i].name, digits, (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	if (!runs[i].killed)
		return status != 0;
	snprintf(region, sizeof(region), "io-run-%s-%ld", runs[i].name, (long)child);
	return !WIFSIGNALED(status) || cmocka_run_group_tests_name("dead", dead, NULL, NULL);
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (size_t i = 0; argc > 2 && i < RUNS; i++)
		if (!strcmp(argv[1], runs[i].name)) {
			const struct CMUnitTest tests[] = { runs[i].test };

			random_state = strtoul(argv[2], NULL, 10);
			return cmocka_run_group_tests_name(runs[i].name, tests, NULL, NULL);
		}
	for (unsigned long seed = 1; seed <= test_times(1, 40); seed++)
		for (size_t i = 0; i < RUNS; i++)
			failed += run(argv[0], i, seed);
	return failed;
}

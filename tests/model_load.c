/* SPDX-License-Identifier: MIT */
/*
 * How busy threads were of late.
 */
#include "tests/model_dsl.h"

#include "model/stats/thread_load.h"

#define FRAME(n, work) "frame " n " 100\nmain . 10\nmain draw " work " 1\nmain draw/sleep 30 1\nmain draw/sleep/poll 5 1\n"

static struct profile *program(void)
{
	struct profile *p = dsl_profile(FRAME("1", "20") FRAME("2", "40") FRAME("3", "55") "pool job 70 1\n");

	p->zones[p->nodes[dsl_node(p, "main", "draw/sleep")].zone].flags |= ZONE_WAITING;
	return p;
}

/* What waits is none, nor what is in no zone; what is entered in a zone that waits is. */
static void busy_is_what_zones_do_that_do_not_wait(void **state)
{
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, 3);
	assert_int_equal(l.wall, 300);
	assert_int_equal(l.threads[0].busy, 20 + 40 + 55 + 3 * 5);
	assert_int_equal(l.threads[0].frames[0], 25);
	assert_int_equal(l.threads[0].frames[2], 60);
	assert_int_equal(l.threads[1].busy, 70);
	assert_int_equal(l.threads[1].frames[0], 0);
	assert_int_equal(l.threads[1].frames[2], 70);
	thread_loads_fini(&l);
	profile_free(p);
}

static void it_ends_at_the_frame_that_is_asked_for(void **state)
{
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_make(&l, p, 2));
	assert_int_equal(l.count, 2);
	assert_int_equal(l.threads[0].busy, 20 + 40 + 2 * 5);
	assert_int_equal(l.threads[1].busy, 0);
	thread_loads_fini(&l);
	assert_true(thread_loads_make(&l, p, 99)); /* which is not there yet */
	assert_int_equal(l.count, 3);
	thread_loads_fini(&l);
	profile_free(p);
}

static void frames_that_do_not_count_are_left_out(void **state)
{
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	p->frames[1].flags |= FRAME_DISCARDED;
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, 2);
	assert_int_equal(l.wall, 200);
	assert_int_equal(l.threads[0].frames[1], 60);
	thread_loads_fini(&l);
	profile_free(p);
}

static void only_the_newest_are_looked_at(void **state)
{
	struct profile *p = dsl_profile("");
	struct thread_loads l;
	char text[64];

	(void)state;
	for (int n = 1; n <= 3 * THREAD_LOAD_FRAMES; n++) {
		snprintf(text, sizeof(text), "frame %d 1000\nmain work %d 1\n", n, n);
		dsl_grow(p, text);
	}
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, THREAD_LOAD_FRAMES);
	assert_int_equal(l.threads[0].frames[0], 2 * THREAD_LOAD_FRAMES + 1);
	assert_int_equal(l.threads[0].frames[THREAD_LOAD_FRAMES - 1], 3 * THREAD_LOAD_FRAMES);
	thread_loads_fini(&l);
	assert_true(thread_loads_make(&l, p, 3));
	assert_int_equal(l.count, 3);
	thread_loads_fini(&l);
	profile_free(p);
}

static void without_frames_there_is_nothing(void **state)
{
	struct profile *p = dsl_profile("main work 70 1\n");
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, 0);
	assert_int_equal(l.wall, 0);
	assert_int_equal(l.threads[0].busy, 0);
	thread_loads_fini(&l);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(busy_is_what_zones_do_that_do_not_wait),
		cmocka_unit_test(it_ends_at_the_frame_that_is_asked_for),
		cmocka_unit_test(frames_that_do_not_count_are_left_out),
		cmocka_unit_test(only_the_newest_are_looked_at),
		cmocka_unit_test(without_frames_there_is_nothing),
	};

	return cmocka_run_group_tests_name("model: how busy threads are", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * io_values_late: values that come while a poll is on its way: of counters that it did not yet know of, and of an
 * interval whose end is not decided. Each is a change once, at the end of its interval.
 *
 * The program is this test itself, run again with a region of its own.
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
#include "tests/region_builder.h"

enum { COUNTERS = 200, FRAMES = 50 };

static struct source *attach(const char *name)
{
	enum open_result result;
	char why[512];
	struct source *s = live_open(name, 0, &result, why, sizeof(why));

	if (!s)
		fail_msg("%s", why);
	return s;
}

static atomic_bool done;

/* Each counter is new when it gets its first value, and changes in each frame of its time. */
static void *change(void *unused)
{
	for (int c = 0; c < COUNTERS; c++) {
		char name[32];
		Prof_counter *counter;

		snprintf(name, sizeof(name), "counter %d", c);
		counter = Prof_Counter(name);
		for (int i = 1; i <= FRAMES; i++) {
			Prof_Set(counter, i);
			Prof_update(1);
			for (volatile int k = 0; k < 20000; k++)
				;
		}
	}
	done = true;
	return unused;
}

static void a_counter_is_known_from_its_first_value_on(void **state)
{
	struct source *s;
	pthread_t thread;

	(void)state;
	Prof_update(1);
	s = attach(getenv("PROF_SHM"));
	assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
	while (!done)
		source_next(s);
	pthread_join(thread, NULL);
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_int_equal(s->profile->track_count, COUNTERS);
	for (uint32_t i = 0; i < COUNTERS; i++) {
		const struct profile_track *track = &s->profile->tracks[i];

		assert_int_equal(track->change_count, FRAMES);
		assert_true(track->born > 0 && track->born < track->changes[0].tick);
		for (uint32_t k = 0; k < FRAMES; k++)
			assert_int_equal(track->changes[k].last.whole, k + 1);
	}
	source_close(s);
}

/* The marker lost its core before it had decided the tick. */
static void an_end_that_is_not_decided_is_waited_for(void **state)
{
	struct builder b;
	struct source *s;
	uint32_t thread, counter;

	(void)state;
	builder_begin(&b, "io-values-late");
	thread = builder_thread(&b, 1000, "main");
	counter = builder_counter(&b, "health", COUNTER_SET);
	builder_value(&b, thread, counter, 5);
	builder_frame(&b, 2000, 1, 0, NULL);
	WORD_STORE(b.frames[1].end, MARK_UNDECIDED | 1);
	s = attach(b.name);
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_int_equal(s->profile->track_count, 1);
	assert_int_equal(s->profile->tracks[0].change_count, 0);
	WORD_STORE(b.frames[1].end, 2000);
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_int_equal(s->profile->tracks[0].change_count, 1);
	assert_int_equal(s->profile->tracks[0].changes[0].tick, 2000);
	source_close(s);
	builder_end(&b);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_that_is_not_decided_is_waited_for),
		cmocka_unit_test(a_counter_is_known_from_its_first_value_on),
	};
	char name[64];

	(void)argc;
	if (!getenv("PROF_SHM")) {
		snprintf(name, sizeof(name), "io-values-late-%ld", (long)getpid());
		setenv("PROF_SHM", name, 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	return cmocka_run_group_tests_name("io: values that come late", tests, NULL, NULL);
}

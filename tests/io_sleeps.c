/* SPDX-License-Identifier: MIT */
/*
 * io_sleeps: percentiles of single calls of a zone that sleeps known times agree with those times.
 *
 * Each call is also measured by the program itself, inside of the zone and around it, with clock_gettime: what
 * is told of the calls lies between, whatever the machine is busy with.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live.h"
#include "model/stats/calls.h"

enum { CALLS = 100, MS = 1000000 };

static int64_t inside[CALLS], around[CALLS]; /* ns */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t time_of_call(int i)
{
	return i == 40 ? 20 * MS : i % 11 == 10 ? 5 * MS : MS;
}

static void sleep_ns(int64_t ns)
{
	struct timespec left = { .tv_nsec = ns };

	while (nanosleep(&left, &left))
		;
}

static void one_call(int i)
{
	int64_t outer = now_ns();

	Prof_Begin(nap)
	int64_t inner = now_ns();
	sleep_ns(time_of_call(i));
	inside[i] = now_ns() - inner;
	Prof_End
	around[i] = now_ns() - outer;
	Prof_update(1);
}

/* The clocks of program and region differ by what a calibration may: a thousandth. */
static void expect_between(int64_t ticks, uint64_t ticks_per_s, int64_t least, int64_t most)
{
	int64_t ns = (int64_t)((double)ticks * 1e9 / (double)ticks_per_s);

	if (ns < least - least / 1000 || ns > most + most / 1000 + 1)
		fail_msg("%lld is not between %lld and %lld", (long long)ns, (long long)least, (long long)most);
}

static void percentiles_agree_with_the_times(void **state)
{
	enum open_result result;
	char why[512];
	struct source *s = live_open(getenv("PROF_SHM"), 0, &result, why, sizeof(why));
	struct transitions *t = transitions_new(TRANSITIONS_MOST);
	struct keys *keys = keys_new(false);
	struct scope scope = { .keys = keys, .threads = THREADS_ALL };
	const struct key_calls *k;
	struct statistics in, out;
	struct calls *calls;
	uint64_t rate;
	uint32_t key;

	(void)state;
	assert_non_null(s);
	for (int i = 0; i < CALLS; i++)
		one_call(i);
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_true(source_transitions(s, t));
	assert_true(keys_update(keys, s->profile));
	assert_int_equal(keys_parse(keys, s->profile, "nap", &key), KEYS_FOUND);
	calls = calls_make(s->profile, &scope, t, key, 0, CALLS_ALL_FRAMES);
	k = calls_of(calls, key);
	assert_non_null(k);
	assert_int_equal(k->time.count, CALLS);
	rate = s->profile->ticks_per_s;
	in = statistics_of(inside, CALLS);
	out = statistics_of(around, CALLS);
	expect_between(k->time.min, rate, in.min, out.min);
	expect_between(k->time.median, rate, in.median, out.median);
	expect_between(k->time.p90, rate, in.p90, out.p90);
	expect_between(k->time.p99, rate, in.p99, out.p99);
	expect_between(k->time.max, rate, in.max, out.max);
	assert_true(in.median >= MS && in.p99 >= 5 * MS && in.max >= 20 * MS);
	calls_free(calls);
	keys_free(keys);
	transitions_free(t);
	source_close(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(percentiles_agree_with_the_times) };

	if (argc < 2) {
		char name[64];

		snprintf(name, sizeof(name), "io-sleeps-%ld", (long)getpid());
		setenv("PROF_SHM", name, 1);
		execl("/proc/self/exe", argv[0], "run", (char *)NULL);
		return 1;
	}
	Prof_Begin(first) /* a region is there from the first zone on */
	Prof_End
	return cmocka_run_group_tests_name("io: calls that sleep", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Moments: the same instant on the clocks of several profiles, also where what a source says of its clock is
 * nonsense; and the frame that was running then.
 */
#include "tests/model_random.h"

#include "model/profile/moment.h"

/* Frames of 10 ms, 20 ms, 10 ms..., from the tick that was at this moment on; `rate` ticks a second. */
static struct profile *profile_at(uint64_t rate, int64_t tick, int64_t moment, uint32_t frames)
{
	struct profile *p = profile_new();
	int64_t at = tick;

	assert_non_null(p);
	p->ticks_per_s = rate;
	p->process.known_tick = tick;
	p->process.known_moment = moment;
	for (uint32_t i = 0; i < frames; i++) {
		int64_t length = (int64_t)rate / 100 * (1 + i % 2);

		assert_true(profile_add_frame(p, i + 1, at, length, 0));
		at += length;
	}
	return p;
}

static void a_profile_knows_no_moment_until_its_source_says_one(void **state)
{
	struct profile *p = profile_new();
	int64_t first, last;

	(void)state;
	assert_true(profile_add_frame(p, 1, 0, 10, 0));
	assert_false(moment_known(p));
	assert_true(moment_of(p, 5) == MOMENT_NONE);
	assert_int_equal(moment_frame(p, 5), PROFILE_NONE);
	assert_false(moment_span(p, &first, &last));
	p->process.known_moment = 0;
	assert_int_equal(moment_of(p, 5), 5);
	assert_true(moment_span(p, &first, &last));
	assert_int_equal(first, 0);
	assert_int_equal(last, 10);
	profile_free(p);
}

/* Two clocks, of other rates and from other beginnings, tell one moment. */
static void a_moment_is_one_on_all_clocks(void **state)
{
	struct profile *a = profile_at(2100000000, 5000000000000, 70000000000, 100);
	struct profile *b = profile_at(1000000, 12, 70015000000, 100);

	(void)state;
	assert_int_equal(moment_of(a, a->frames[2].start), 70030000000);
	assert_int_equal(moment_of(b, b->frames[1].start), 70025000000);
	assert_int_equal(moment_frame(a, moment_of(b, b->frames[1].start)), 1);
	assert_int_equal(moment_frame(b, moment_of(a, a->frames[2].start)), 1);
	/* before the first and behind the last there is the nearest */
	assert_int_equal(moment_frame(b, 0), 0);
	assert_int_equal(moment_frame(a, INT64_MAX), 99);
	profile_free(a);
	profile_free(b);
}

static void between_frames_it_is_the_nearer_one(void **state)
{
	struct profile *p = profile_at(1000000000, 0, 0, 0);

	(void)state;
	assert_true(profile_add_frame(p, 1, 100, 100, 0));
	assert_true(profile_add_frame(p, 2, 300, 100, 0));
	assert_int_equal(moment_frame(p, 99), 0);
	assert_int_equal(moment_frame(p, 199), 0);
	assert_int_equal(moment_frame(p, 250), 0);
	assert_int_equal(moment_frame(p, 251), 1);
	assert_int_equal(moment_frame(p, 300), 1);
	profile_free(p);
}

/* The search by halves finds the same as looking at each frame. */
static void frames_of_a_time_are_those_that_ran_in_it(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 300; i++) {
		struct profile *p = profile_at(1000000000, 500, 500, 0);
		int64_t at = 500;

		random_state = i;
		for (uint32_t k = 0; k < 30; k++) {
			int64_t length = 1 + random_below(20);

			at += random_below(3) ? 0 : random_below(30);
			assert_true(profile_add_frame(p, k + 1, at, length, 0));
			at += length;
		}
		for (int64_t from = 480; from < at + 20; from += 7) {
			int64_t to = from + 1 + random_below(40);
			uint32_t count, found = moment_frames(p, from, to, &count), ran = 0;

			for (uint32_t k = 0; k < p->frame_count; k++)
				if (p->frames[k].start < to && frame_end(&p->frames[k]) > from) {
					assert_true(k >= found && k < found + count);
					ran++;
				}
			assert_int_equal(count, ran);
		}
		profile_free(p);
	}
}

/* Back and forth a tick is the same one, as far as a nanosecond can tell them; the middle of a frame leads to it. */
static void there_and_back_on_random_clocks(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		struct profile *p;
		uint64_t rate;

		random_state = i;
		rate = 1000 + random_below(1000000000) * UINT64_C(3);
		p = profile_at(rate, random_below(UINT32_MAX) * INT64_C(1000), random_below(UINT32_MAX) * INT64_C(1000000), 20);
		for (uint32_t k = 0; k < p->frame_count; k++) {
			const struct profile_frame *f = &p->frames[k];
			int64_t middle = f->start + f->length / 2, off;

			off = moment_tick(p, moment_of(p, middle)) - middle;
			assert_true(off >= -(int64_t)(rate / 1000000000) - 1 && off <= 1);
			assert_int_equal(moment_frame(p, moment_of(p, middle)), k);
			assert_true(k == 0 || moment_of(p, f->start) > moment_of(p, f->start - 1 - f->length / 2));
		}
		profile_free(p);
	}
}

/* Whatever a source reports, nothing overflows: the farthest moment there is, the first tick. */
static void nonsense_has_its_limits(void **state)
{
	static const int64_t ticks[] = { 0, 1, INT64_MAX / 2, INT64_MAX };
	static const int64_t moments[] = { MOMENT_NONE + 1, -1, 0, INT64_MAX };
	static const uint64_t rates[] = { 1, 1000000000, UINT64_MAX };

	(void)state;
	for (int i = 0; i < 4 * 4 * 3; i++) {
		struct profile *p = profile_at(1, 0, 0, 0);

		p->ticks_per_s = rates[i / 16];
		p->process.known_tick = ticks[i % 4];
		p->process.known_moment = moments[i / 4 % 4];
		assert_true(profile_add_frame(p, 1, 0, INT64_MAX, 0));
		assert_true(profile_add_frame(p, 2, INT64_MAX, INT64_MAX, 0));
		for (int k = 0; k < 4; k++) {
			assert_true(moment_of(p, ticks[k]) >= -MOMENT_FARTHEST);
			assert_true(moment_of(p, ticks[k]) <= MOMENT_FARTHEST);
			assert_true(moment_tick(p, moments[k]) >= 0);
			assert_in_range(moment_frame(p, moments[k]), 0, 1);
		}
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_knows_no_moment_until_its_source_says_one),
		cmocka_unit_test(a_moment_is_one_on_all_clocks),
		cmocka_unit_test(between_frames_it_is_the_nearer_one),
		cmocka_unit_test(frames_of_a_time_are_those_that_ran_in_it),
		cmocka_unit_test(there_and_back_on_random_clocks),
		cmocka_unit_test(nonsense_has_its_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

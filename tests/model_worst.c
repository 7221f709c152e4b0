/* SPDX-License-Identifier: MIT */
/*
 * The worst frames: by length and by busy time, as a list and one by one; and the zone that took longer.
 */
#include "tests/model_dsl.h"

#include "model/stats/worst.h"

/* Frame n works so long and waits so long; below 0: what it waits is not known. */
static void add_frame(struct profile *p, uint64_t n, int64_t work, int64_t wait)
{
	char text[128];

	snprintf(text, sizeof(text), "frame %llu %lld\nmain draw %lld 1\nmain draw/vsync %lld 1\n", (unsigned long long)n,
		 (long long)(work + wait), (long long)work, (long long)wait);
	dsl_grow(p, text);
}

static struct profile *program(void)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	return p;
}

static const uint64_t *numbers_of(const struct profile *p, enum worst_order order, uint32_t most, uint32_t *count, uint32_t *all)
{
	static uint64_t numbers[4096];
	struct worst_frame *list = worst_list(p, 0, p->frame_count, order, most, count, all);

	assert_non_null(list);
	for (uint32_t i = 0; i < *count; i++)
		numbers[i] = list[i].number;
	free(list);
	return numbers;
}

static void the_longest_waited_and_is_not_the_busiest(void **state)
{
	static const uint64_t by_length[] = { 2, 3, 4, 1 }, by_busy[] = { 3, 2, 4, 1 };
	struct profile *p = program();
	struct worst_frame f;
	uint32_t count, all;

	(void)state;
	add_frame(p, 1, 5, 5);
	add_frame(p, 2, 5, 25);
	add_frame(p, 3, 18, 2);
	add_frame(p, 4, 5, 5);
	assert_memory_equal(numbers_of(p, WORST_LENGTH, 10, &count, &all), by_length, sizeof(by_length));
	assert_int_equal(count, 4);
	assert_int_equal(all, 4);
	assert_memory_equal(numbers_of(p, WORST_BUSY, 10, &count, &all), by_busy, sizeof(by_busy));
	f = worst_frame_of(p, profile_find_frame(p, 2));
	assert_int_equal(f.busy, 5);
	assert_true(worst_waited(&f));
	f = worst_frame_of(p, profile_find_frame(p, 1));
	assert_false(worst_waited(&f)); /* half of it is not more than half */
	profile_free(p);
}

static void what_is_not_known_of_comes_last_by_busy(void **state)
{
	static const uint64_t by_length[] = { 3, 1, 2 }, by_busy[] = { 1, 2, 3 };
	struct profile *p = program();
	uint32_t count, all;

	(void)state;
	add_frame(p, 1, 8, 2);
	add_frame(p, 2, 5, 1);
	dsl_grow(p, "frame 3 90\n");
	dsl_grow(p, "frame 4 99\n");
	profile_add_frame(p, 4, p->frames[3].start, 99, FRAME_DISCARDED);
	assert_memory_equal(numbers_of(p, WORST_LENGTH, 10, &count, &all), by_length, sizeof(by_length));
	assert_int_equal(all, 3);
	assert_int_equal(worst_beside(p, 0, UINT32_MAX, 4, true, WORST_LENGTH).place, 1); /* one that is discarded has no place itself */
	assert_int_equal(worst_beside(p, 0, UINT32_MAX, 3, true, WORST_LENGTH).place, 2);
	assert_memory_equal(numbers_of(p, WORST_BUSY, 10, &count, &all), by_busy, sizeof(by_busy));
	profile_free(p);
}

/* The list has what steps lead to, whatever there is. */
static void the_list_is_where_steps_lead(void **state)
{
	struct profile *p = program();
	unsigned random = 7;

	(void)state;
	for (uint64_t n = 1; n <= 500; n++) {
		random = random * 1103515245 + 12345;
		add_frame(p, n, 1 + random / 65536 % 40, random / 1024 % 40);
	}
	for (enum worst_order order = 0; order < WORST_ORDERS; order++)
		for (uint32_t most = 1; most <= 600; most += most < 4 ? 1 : 149) {
			uint32_t count, all;
			const uint64_t *numbers = numbers_of(p, order, most, &count, &all);
			uint64_t at = 0;

			assert_int_equal(count, most < 500 ? most : 500);
			assert_int_equal(all, 500);
			for (uint32_t i = 0; i < count; i++) {
				struct worst w = worst_beside(p, 0, UINT32_MAX, at, true, order);

				assert_int_equal(w.frame, numbers[i]);
				assert_int_equal(w.place, i + 1);
				assert_int_equal(w.count, 500);
				if (at)
					assert_int_equal(worst_beside(p, 0, UINT32_MAX, w.frame, false, order).frame, at);
				at = w.frame;
			}
		}
	profile_free(p);
}

static void a_list_may_be_of_some_frames(void **state)
{
	struct profile *p = program();
	struct worst_frame *list;
	uint32_t count, all;

	(void)state;
	for (uint64_t n = 1; n <= 20; n++)
		add_frame(p, n, 100 - (int64_t)n, 0);
	list = worst_list(p, 5, 4, WORST_LENGTH, 2, &count, &all);
	assert_int_equal(count, 2);
	assert_int_equal(all, 4);
	assert_int_equal(list[0].number, 6);
	assert_int_equal(list[1].number, 7);
	free(list);
	assert_int_equal(worst_beside(p, 5, 4, 0, true, WORST_LENGTH).frame, 6);
	assert_int_equal(worst_beside(p, 5, 4, 5, true, WORST_LENGTH).frame, 6); /* 5 is not one of them */
	assert_int_equal(worst_beside(p, 5, 4, 8, true, WORST_LENGTH).frame, 9);
	assert_int_equal(worst_beside(p, 5, 4, 8, true, WORST_LENGTH).place, 4);
	assert_int_equal(worst_beside(p, 5, 4, 8, true, WORST_LENGTH).count, 4);
	assert_int_equal(worst_beside(p, 5, 4, 9, true, WORST_LENGTH).frame, 0);
	assert_int_equal(worst_beside(p, 5, 4, 6, false, WORST_LENGTH).frame, 0);
	assert_int_equal(worst_beside(p, 18, 9, 0, true, WORST_LENGTH).count, 2);
	profile_free(p);
}

static void the_zone_that_took_longer_is_the_one_that_grew_most(void **state)
{
	struct profile *p = program();
	struct worst_zone most;

	(void)state;
	dsl_grow(p, "frame 1 10\nmain draw 5 1\nmain draw/vsync 2 1\nmain ai 3 1\n"
		    "frame 2 30\nmain draw 9 1\nmain draw/vsync 7 1\nmain ai 6 1\nmain draw/ai 8 1\n"
		    "frame 3 5\nmain draw 2 1\nmain draw/vsync 1 1\nmain ai 2 1\n");
	most = worst_zone(p, &p->frames[1], &p->frames[0]);
	assert_string_equal(p->zones[most.zone].name, "ai"); /* in all of its stacks */
	assert_int_equal(most.more, 11);
	assert_int_equal(worst_zone(p, &p->frames[2], &p->frames[0]).zone, PROFILE_NONE);
	assert_int_equal(worst_zone(p, &p->frames[1], NULL).zone, PROFILE_NONE);
	profile_free(p);
}

static void frames_over_a_length_are_counted_from_the_oldest(void **state)
{
	struct profile *p = program();
	struct worst w;

	(void)state;
	for (uint64_t n = 1; n <= 9; n++)
		add_frame(p, n, n % 3 ? 10 : 20, 0);
	w = worst_over(p, 5, 10, 1);
	assert_int_equal(w.frame, 6);
	assert_int_equal(w.place, 2);
	assert_int_equal(w.count, 3);
	w = worst_over(p, 6, 10, -1);
	assert_int_equal(w.frame, 3);
	assert_int_equal(w.place, 1);
	assert_int_equal(worst_over(p, 9, 10, 1).frame, 0);
	assert_int_equal(worst_over(p, 9, 10, 1).count, 3);
	assert_int_equal(worst_over(p, 9, 20, -1).count, 0);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_waited_and_is_not_the_busiest),
		cmocka_unit_test(what_is_not_known_of_comes_last_by_busy),
		cmocka_unit_test(the_list_is_where_steps_lead),
		cmocka_unit_test(a_list_may_be_of_some_frames),
		cmocka_unit_test(the_zone_that_took_longer_is_the_one_that_grew_most),
		cmocka_unit_test(frames_over_a_length_are_counted_from_the_oldest),
	};

	return cmocka_run_group_tests_name("model: worst frames", tests, NULL, NULL);
}

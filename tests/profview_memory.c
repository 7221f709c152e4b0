/* SPDX-License-Identifier: MIT */
/*
 * profview_memory: memory that runs out while a view reads single calls and is asked for boxes: each allocation fails once,
 * alone and with all behind it. NO_MEMORY is said then, and as soon as there is memory again all is as in a view that
 * never lacked any. The process is over, so that an update reads calls alone.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/failing_memory.h"
#include "tests/game_region.h"
#include "tests/profview_rows.h"

#define CALLS_MOST 2000

static long left = -1; /* allocations until one fails; below 0: none does */
static unsigned long allocations;
static bool for_ever, failed;

static bool may_allocate(void)
{
	bool fails = left == 0;

	allocations++;
	if (left > 0 || (fails && !for_ever))
		left--;
	failed |= fails;
	return !fails;
}

/* All that is to be seen, as a number. */
static uint64_t picture(Prof_view *v)
{
	struct Prof_view_axis axis = { 0, 0, COLUMNS_MOST };
	struct Prof_view_box boxes[COLUMNS_MOST];
	struct Prof_view_calls calls;
	struct Prof_view_flame flame;
	struct Prof_view_lane lane;
	uint64_t sum = 0;

	Prof_view_flame(v, &flame);
	axis.to = flame.whole;
	for (unsigned depth = 0; depth < flame.depth; depth++) {
		unsigned count = Prof_view_flame_row(v, depth, &axis, boxes);

		for (unsigned i = 0; i < count; i++)
			sum = sum * 31 + (uint64_t)boxes[i].begin + boxes[i].x + (uint64_t)boxes[i].name[0];
	}
	Prof_view_calls(v, &calls);
	axis = (struct Prof_view_axis){ calls.since, calls.now, COLUMNS_MOST };
	for (unsigned n = 0; Prof_view_lane(v, n, &lane); n++)
		for (unsigned depth = 0; depth < lane.depth; depth++) {
			unsigned count = Prof_view_lane_row(v, n, depth, &axis, boxes);

			for (unsigned i = 0; i < count; i++)
				sum = sum * 31 + (uint64_t)boxes[i].begin + boxes[i].x + (uint64_t)boxes[i].name[0];
		}
	return sum;
}

static Prof_view *open_live(const struct game *g)
{
	enum Prof_view_result result;
	Prof_view *v = Prof_view_open(g->b.name, 0, &result, NULL, 0);

	assert_non_null(v);
	return v;
}

static Prof_view *open_view(const struct game *g)
{
	Prof_view *v = open_live(g);

	assert_int_equal(Prof_view_update(v), Prof_view_ENDED);
	return v;
}

/* False: there were not so many allocations. */
static bool fail_at(const struct game *g, long n, bool ever, uint64_t expected)
{
	Prof_view *v = open_view(g);
	enum Prof_view_result result;

	left = n;
	for_ever = ever;
	failed = false;
	Prof_view_set_calls(v, CALLS_MOST);
	result = Prof_view_update(v);
	assert_true(result == Prof_view_ENDED || (failed && result == Prof_view_NO_MEMORY));
	picture(v);
	Prof_view_set_flame_waits(v, 0);
	picture(v);
	left = -1;
	Prof_view_set_flame_waits(v, 1);
	assert_int_equal(Prof_view_update(v), Prof_view_ENDED);
	assert_true(picture(v) == expected);
	Prof_view_close(v);
	return failed;
}

static void each_allocation_may_fail(void **state)
{
	uint64_t expected;
	struct game g;
	Prof_view *v;
	long n = 0;

	(void)state;
	game_begin(&g, 'm');
	builder_die(&g.b);
	v = open_view(&g);
	Prof_view_set_calls(v, CALLS_MOST);
	assert_int_equal(Prof_view_update(v), Prof_view_ENDED);
	expected = picture(v);
	assert_true(expected != 0);
	Prof_view_close(v);
	while (fail_at(&g, n, false, expected))
		fail_at(&g, n++, true, expected);
	assert_true(n > 50);
	game_end(&g);
}

/* A program draws sixty times a second, and updates ten times. */
static void a_picture_allocates_once_an_update(void **state)
{
	unsigned long first;
	uint64_t seen;
	struct game g;
	Prof_view *v;

	(void)state;
	game_begin(&g, 'n');
	v = open_live(&g);
	Prof_view_set_calls(v, CALLS_MOST);
	for (int update = 0; update < 3; update++) {
		assert_int_equal(Prof_view_update(v), Prof_view_OK);
		first = allocations;
		seen = picture(v);
		assert_true(allocations > first);
		first = allocations;
		assert_true(picture(v) == seen);
		assert_int_equal(allocations, first);
		game_play(&g, 2);
	}
	Prof_view_close(v);
	game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picture_allocates_once_an_update),
		cmocka_unit_test(each_allocation_may_fail),
	};

	return cmocka_run_group_tests_name("profview: out of memory", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * model_held: what a profile says that it holds, in bytes, is what the heap gave for it: of small frames and large
 * ones, their names, changes of counters, events and notes, while the oldest leave and new ones come.
 */
#include <malloc.h>

#include "tests/model_dsl.h"

#define ZONES 40u
#define ROUNDS 4u
#define FRAMES 20000u /* a round */

struct kind {
	uint32_t threads, cells; /* of a frame */
	bool wide;
	uint32_t changes, events, notes;
	bool named; /* each frame by a name of its own */
};

static uint64_t of_the_heap(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void add_names(struct profile *p, const struct kind *k)
{
	char name[16];

	for (uint32_t thread = 0; thread < k->threads; thread++) {
		assert_int_equal(profile_add_thread(p, thread + 1, 0, NULL), thread);
		for (uint32_t i = 0; i < ZONES; i++) {
			snprintf(name, sizeof(name), "zone %u", i);
			profile_add_node(p, p->threads[thread].root, profile_add_zone(p, name, "", 0, 0));
		}
	}
	profile_add_counter(p, "counter", false, true);
	profile_add_event(p, "event");
	assert_int_equal(profile_add_track(p, 0, PROFILE_NONE, 0), 0);
}

static void add_part(struct profile *p, uint64_t number, uint32_t thread, const struct kind *k)
{
	struct profile_cell cells[ZONES];
	struct profile_part part = { .thread = thread, .cells = cells, .cell_count = k->cells };

	for (uint32_t i = 0; i < k->cells; i++)
		cells[i] = (struct profile_cell){ .node = p->threads[thread].root + 1 + i,
						  .self = k->wide ? INT64_C(1) << 40 : 1 };
	assert_true(profile_set_part(p, number, &part));
}

static void add_frame(struct profile *p, uint64_t number, const struct kind *k)
{
	int64_t start = (int64_t)number * 100;
	struct profile_change change = { .last.whole = 1 };
	char name[32];

	assert_true(profile_add_frame(p, number, start, 100, 0));
	snprintf(name, sizeof(name), "%llu, as it is called", (unsigned long long)number);
	profile_name_frame(p, k->named ? name : "");
	for (uint32_t thread = 0; thread < k->threads; thread++)
		add_part(p, number, thread, k);
	for (uint32_t i = 0; i < k->changes; i++) {
		change.tick = start + 1 + i;
		assert_true(profile_add_change(p, 0, &change));
	}
	for (uint32_t i = 0; i < k->events; i++)
		assert_true(profile_add_instant(p, start + 1, 0, 0, NULL, false));
	for (uint32_t i = 0; i < k->notes; i++)
		assert_true(profile_add_instant(p, start + 2, 0, PROFILE_NONE, "a note of the program, short", false));
}

static void expect_reckoned(struct kind k)
{
	struct profile *p = profile_new();
	uint64_t before, taken, number = 0;

	add_names(p, &k);
	before = of_the_heap();
	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (uint32_t i = 0; i < FRAMES; i++) {
			if (round)
				profile_drop_frames(p, 1);
			add_frame(p, ++number, &k);
		}
		taken = of_the_heap() - before;
		assert_in_range(taken, p->held_bytes / 2, p->held_bytes + (64 << 10));
	}
	profile_drop_frames(p, FRAMES);
	assert_true(p->held_bytes <= 2 * PROFILE_CHANGE_BYTES); /* the value, and that older ones are gone */
	profile_free(p);
}

/* A sanitizer has a heap of its own, which says nothing of what it gave. */
static void what_is_reckoned_is_what_the_heap_gave(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	expect_reckoned((struct kind){ .threads = 0 });
	expect_reckoned((struct kind){ .threads = 0, .named = true });
	expect_reckoned((struct kind){ .threads = 1 });
	expect_reckoned((struct kind){ .threads = 1, .cells = 1 });
	expect_reckoned((struct kind){ .threads = 1, .cells = 2, .changes = 1 });
	expect_reckoned((struct kind){ .threads = 3, .cells = 5, .changes = 4, .events = 2 });
	expect_reckoned((struct kind){ .threads = 4, .cells = ZONES });
	expect_reckoned((struct kind){ .threads = 2, .cells = 30, .wide = true, .notes = 2 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_reckoned_is_what_the_heap_gave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

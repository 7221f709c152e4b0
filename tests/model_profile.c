/* SPDX-License-Identifier: MIT */
/* The store: what goes in is found again, frames come and go, nothing wrong gets in. */
#include "model/base/lookup.h"
#include "tests/model_dsl.h"

static void a_new_profile_has_no_zone_alone(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	assert_int_equal(p->zone_count, 1);
	assert_string_equal(p->zones[PROFILE_NO_ZONE].name, "(no zone)");
	assert_int_equal(profile_marking_thread(p), PROFILE_NONE);
	assert_string_equal(p->left_open, "");
	profile_free(p);
}

static void a_zone_is_its_place_and_name(void **state)
{
	struct profile *p = profile_new();
	uint32_t a = profile_add_zone(p, "a", "x.c", 1, 0);

	(void)state;
	assert_int_equal(profile_add_zone(p, "a", "x.c", 1, ZONE_WAITING), a);
	assert_true(p->zones[a].flags & ZONE_WAITING);
	assert_false(p->zones[a].name_clash);
	assert_int_not_equal(profile_add_zone(p, "a", "x.c", 2, 0), a);
	assert_true(p->zones[a].name_clash);
	assert_int_not_equal(profile_add_zone(p, "(no zone)", "", 0, 0), PROFILE_NO_ZONE);
	profile_free(p);
}

/* A function may have the name of a zone inside it, and even its line. */
static void a_function_is_no_zone_of_the_program(void **state)
{
	struct profile *p = profile_new(), *copy;
	uint32_t zone = profile_add_zone(p, "step", "x.c", 1, 0), function = profile_add_zone(p, "step", "x.c", 1, ZONE_FUNCTION), other;

	(void)state;
	assert_int_not_equal(zone, function);
	assert_false(p->zones[zone].flags & ZONE_FUNCTION);
	assert_int_equal(profile_add_zone(p, "step", "x.c", 1, ZONE_FUNCTION), function);
	assert_false(profile_name_clashes(p, zone));
	assert_true(profile_name_clashes(p, function));
	other = profile_add_zone(p, "walk", "x.c", 9, ZONE_FUNCTION);
	assert_false(profile_name_clashes(p, other));
	assert_true(profile_rename_zone(p, other, "walk", "y.c", 9));
	assert_int_equal(profile_add_zone(p, "walk", "y.c", 9, ZONE_FUNCTION), other);
	assert_int_not_equal(profile_add_zone(p, "walk", "x.c", 9, ZONE_FUNCTION), other);
	assert_true(profile_name_clashes(p, other));
	assert_int_not_equal(profile_add_zone(p, "step", "x.c", 2, 0), zone);
	copy = profile_copy(p);
	assert_true(profile_name_clashes(copy, zone));
	profile_free(copy);
	profile_free(p);
}

static void an_address_is_a_zone_until_it_has_a_name(void **state)
{
	struct profile *p = profile_new(), *copy;
	uint32_t module = profile_add_module(p, "/usr/bin/game", "1f2e", 4096, 100);
	uint32_t one = profile_add_address_zone(p, module, 0x1a40, 0), two = profile_add_address_zone(p, module, 0x20, 0);
	uint32_t step = profile_add_zone(p, "step", "game.c", 3, 0);

	(void)state;
	assert_int_equal(profile_add_module(p, "/usr/bin/game", "1f2e", 4096, 100), module);
	assert_int_equal(profile_add_address_zone(p, module, 0x1a40, 0), one);
	assert_int_equal(profile_add_address_zone(p, module + 1, 0x1a40, 0), PROFILE_NONE);
	assert_string_equal(p->zones[one].name, "game+0x1a40");
	assert_string_equal(p->zones[two].name, "game+0x20");
	assert_true(profile_rename_zone(p, one, "step", "game.c", 3)); /* as another one is called */
	assert_int_equal(profile_add_address_zone(p, module, 0x1a40, 0), one);
	assert_int_equal(profile_add_zone(p, "step", "game.c", 3, 0), step);
	assert_true(p->zones[one].name_clash && p->zones[step].name_clash && !p->zones[two].name_clash);
	assert_true(profile_rename_zone(p, step, "stride", "", 0));
	assert_int_equal(profile_add_zone(p, "stride", "", 0, 0), step);
	assert_int_equal(profile_add_zone(p, "step", "game.c", 3, 0), step + 1);
	assert_false(profile_rename_zone(p, PROFILE_NO_ZONE, "x", "", 0));
	copy = profile_copy(p);
	assert_string_equal(copy->zones[one].name, "step");
	assert_true(copy->module_count == 1 && profile_add_address_zone(copy, module, 0x20, 0) == two);
	profile_free(copy);
	profile_free(p);
}

static void a_shared_place_is_found_when_its_first_zone_leaves(void **state)
{
	struct profile *p = profile_new();
	uint32_t first = profile_add_zone(p, "step", "game.c", 3, 0), zones[3];

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		zones[i] = profile_add_zone(p, "old", "game.c", i, 0);
		assert_true(profile_rename_zone(p, zones[i], "step", "game.c", 3));
	}
	assert_true(profile_rename_zone(p, zones[1], "stride", "", 0));
	assert_true(profile_rename_zone(p, first, "stride", "", 0));
	assert_int_equal(profile_add_zone(p, "step", "game.c", 3, 0), zones[0]);
	assert_int_equal(profile_add_zone(p, "stride", "", 0, 0), zones[1]);
	assert_true(p->zones[zones[0]].name_clash && p->zones[zones[2]].name_clash && p->zones[first].name_clash);
	assert_true(profile_rename_zone(p, zones[0], "step", "game.c", 3)); /* its own name again */
	assert_int_equal(profile_add_zone(p, "step", "game.c", 3, 0), zones[2]);
	assert_true(profile_rename_zone(p, zones[0], "run", "", 0));
	assert_true(!p->zones[zones[0]].name_clash && !p->zones[zones[2]].name_clash);
	assert_int_not_equal(profile_add_zone(p, "step", "other.c", 3, 0), zones[2]);
	assert_true(p->zones[zones[2]].name_clash); /* the name was found, too */
	profile_free(p);
}

/* With the entries of old names this takes longer than a test may. */
static void a_million_renames_leave_nothing_behind(void **state)
{
	static const char *const names[] = { "idle", "busy" };
	struct profile *p = profile_new();
	uint32_t zone = profile_add_zone(p, "step", "game.c", 3, 0);

	(void)state;
	for (uint32_t i = 0; i < 1000000; i++) {
		assert_true(profile_rename_zone(p, zone, names[i % 2], "", 0));
		assert_int_equal(profile_add_thread(p, 7, 7, names[i % 2]), 0);
	}
	assert_int_equal(profile_add_zone(p, "busy", "", 0, 0), zone);
	assert_int_not_equal(profile_add_zone(p, "idle", "", 0, 0), zone);
	for (uint32_t i = 0; i < 400000; i++)
		assert_true(profile_rename_zone(p, profile_add_zone(p, "old", "game.c", i, 0), "same", "game.c", 7));
	assert_int_equal(profile_add_zone(p, "same", "game.c", 7, 0), zone + 2);
	assert_int_equal(profile_parse_thread(p, "busy", NULL), 0);
	assert_int_equal(profile_parse_thread(p, "idle", NULL), PROFILE_NONE);
	profile_free(p);
}

static void many_zones_are_found_again(void **state)
{
	struct profile *p = profile_new();
	char name[16];

	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++) {
			snprintf(name, sizeof(name), "z%u", i);
			assert_int_equal(profile_add_zone(p, name, "f.c", i, 0), i + 1);
		}
	}
	profile_free(p);
}

static void threads_are_found_by_id_and_by_name(void **state)
{
	struct profile *p = profile_new();
	uint32_t main = profile_add_thread(p, 70, 1, "main"), other;
	bool several;

	(void)state;
	other = profile_add_thread(p, 71, 2, "70");
	assert_int_equal(profile_add_thread(p, 70, 1, NULL), main);
	assert_string_equal(p->threads[main].name, "main");
	assert_int_equal(profile_parse_thread(p, "main", &several), main);
	assert_false(several);
	assert_int_equal(profile_parse_thread(p, "70", NULL), other); /* a name wins */
	assert_int_equal(profile_parse_thread(p, "71", NULL), other);
	assert_int_equal(profile_parse_thread(p, "71x", NULL), PROFILE_NONE);
	assert_int_equal(profile_parse_thread(p, "-1", NULL), PROFILE_NONE);
	assert_int_equal(profile_parse_thread(p, "99999999999999999999", NULL), PROFILE_NONE);
	profile_add_thread(p, 72, 3, "main");
	assert_int_equal(profile_parse_thread(p, "main", &several), main);
	assert_true(several);
	profile_free(p);
}

/* Selections of threads by name, compared with the names, after every kind of renaming. */
static void expect_namesakes(const struct profile *p)
{
	for (uint32_t i = 0; i < p->thread_count; i++) {
		assert_int_equal(profile_selected(p, i), 1);
		for (uint32_t k = 0; k < p->thread_count; k++) {
			const char *a = p->threads[i].name, *b = p->threads[k].name;
			bool same = i == k || (*a && !strcmp(a, b));

			assert_int_equal(profile_selects(p, THREADS_NAMED(i), k), same);
			assert_int_equal(profile_selects(p, i, k), i == k);
			assert_true(profile_selects(p, THREADS_ALL, k));
		}
	}
	assert_int_equal(profile_selected(p, THREADS_ALL), p->thread_count);
	assert_int_equal(profile_selected(p, THREADS_EACH), p->thread_count);
	assert_int_equal(profile_selected(p, THREADS_NAMED(p->thread_count)), 0);
}

static void threads_of_one_name_are_selected_together(void **state)
{
	static const char *const names[] = { "", "a", "b", "a", "worker" };
	struct profile *p = profile_new();
	uint32_t random = 1;

	(void)state;
	for (uint32_t round = 0; round < 500; round++) {
		random = random * 1664525 + 1013904223;
		profile_add_thread(p, (random >> 8) % 12, 0, names[(random >> 20) % 5]);
		expect_namesakes(p);
	}
	assert_true(profile_merges(THREADS_ALL) && profile_merges(THREADS_NAMED(0)));
	assert_false(profile_merges(0));
	profile_free(p);
}

static void a_thread_with_a_hostile_name_is_found_as_it_is_shown(void **state)
{
	struct profile *p = profile_new();
	uint32_t t = profile_add_thread(p, 1, 1, "a\x1b[m");

	(void)state;
	assert_int_equal(profile_parse_thread(p, "a\\x1B[m", NULL), t);
	assert_int_equal(profile_parse_thread(p, "a\x1b[m", NULL), t);
	profile_free(p);
}

static void the_marking_thread_is_the_one_that_says_so(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_add_thread(p, 1, 1, "a");
	profile_add_thread(p, 2, 2, "b");
	assert_int_equal(profile_marking_thread(p), 0);
	p->threads[1].marking = true;
	assert_int_equal(profile_marking_thread(p), 1);
	profile_free(p);
}

static void a_node_needs_a_parent_and_a_zone(void **state)
{
	struct profile *p = dsl_profile("main a 1 1\n");

	(void)state;
	assert_int_equal(p->node_count, 2);
	assert_int_equal(p->nodes[1].parent, p->threads[0].root);
	assert_int_equal(profile_add_node(p, 99, 1), PROFILE_NONE);
	assert_int_equal(profile_add_node(p, PROFILE_NONE, 1), PROFILE_NONE);
	assert_int_equal(profile_add_node(p, 0, 99), PROFILE_NONE);
	assert_int_equal(profile_add_node(p, 0, PROFILE_NO_ZONE), PROFILE_NONE);
	profile_set_total(p, 99, 1, 1, 1);
	profile_set_time(p, 99, 1, 1);
	profile_free(p);
}

/* For any numbers: a surplus over what a node has is its heir's, as far as that has it. */
static void no_more_runs_than_there_is(void **state)
{
	struct profile *p = dsl_profile("main a 10 3\nended a 100 7\n");
	uint32_t node = dsl_node(p, "main", "a"), heir = dsl_node(p, "ended", "a");

	(void)state;
	profile_add_running(p, node, 4, 1);
	profile_add_running(p, node, -9, INT64_MIN);
	profile_add_running(p, PROFILE_NONE, 1, 1);
	assert_int_equal(p->totals[node].running_self, 4);
	assert_int_equal(p->totals[node].running_count, 1);
	profile_add_running(p, node, INT64_MAX, 5);
	assert_int_equal(p->totals[node].running_self, 10);
	assert_int_equal(p->totals[node].running_count, 3);
	assert_int_equal(p->totals[heir].running_self, 0);
	profile_pass_total(p, node, heir);
	assert_int_equal(p->totals[node].running_self, 0);
	profile_add_running(p, node, 30, 2);
	assert_int_equal(p->totals[node].running_self, 0);
	assert_int_equal(p->totals[heir].running_self, 30);
	assert_int_equal(p->totals[heir].running_count, 2);
	profile_add_running(p, node, INT64_MAX, INT64_MAX);
	assert_int_equal(p->totals[heir].running_self, 100);
	assert_int_equal(p->totals[heir].running_count, 7);
	profile_set_total(p, heir, 200, 9, 0);
	assert_int_equal(p->totals[heir].running_self, 0);
	profile_free(p);
}

static void frames_ascend(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	assert_true(profile_add_frame(p, 5, 0, 10, 0));
	assert_true(profile_add_frame(p, 9, 10, 10, FRAME_SLOW));
	assert_true(profile_add_frame(p, 9, 10, 11, 0)); /* renewed */
	assert_false(profile_add_frame(p, 8, 10, 10, 0));
	assert_int_equal(p->frame_count, 2);
	assert_int_equal(profile_find_frame(p, 9)->length, 11);
	assert_null(profile_find_frame(p, 7));
	assert_int_equal(profile_frame_index(p, 6), 1);
	assert_int_equal(profile_frame_index(p, 10), 2);
	profile_free(p);
}

static void a_part_replaces_the_inferred_one(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nb b 7 1\na a 10 1\n");
	struct profile_cell cell = { dsl_node(p, "a", "a"), 33, 2, 0 };
	struct profile_part part = { .thread = dsl_thread(p, "a"), .flags = PART_INFERRED,
				     .end = 33, .cell_count = 1, .cells = &cell };
	const struct profile_frame *frame = profile_find_frame(p, 1);

	(void)state;
	assert_true(profile_set_part(p, 1, &part));
	assert_int_equal(frame->part_count, 2);
	assert_int_equal(profile_cell(profile_find_part(frame, part.thread), 0).self, 33);
	assert_int_equal(profile_cell(profile_find_part(frame, dsl_thread(p, "b")), 0).self, 7);
	assert_null(profile_find_part(frame, 2));
	profile_free(p);
}

static void a_part_of_another_threads_nodes_is_refused(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\na a 10 1\nb b 10 1\n");
	struct profile_cell cell = { dsl_node(p, "a", "a"), 1, 1, 0 };
	struct profile_part part = { .thread = dsl_thread(p, "b"), .cell_count = 1,
				     .cells = &cell };

	(void)state;
	assert_false(profile_set_part(p, 1, &part));
	cell.node = 99;
	assert_false(profile_set_part(p, 1, &part));
	part.cell_count = 0;
	part.thread = 99;
	assert_false(profile_set_part(p, 1, &part));
	part.thread = 0;
	assert_false(profile_set_part(p, 2, &part)); /* no such frame */
	profile_free(p);
}

static void expect_cell(const struct profile *p, uint64_t frame, uint32_t thread, uint32_t i,
			struct profile_cell expected)
{
	const struct profile_held *part = profile_find_part(profile_find_frame(p, frame), thread);
	struct profile_cell cell = profile_cell(part, i);

	assert_int_equal(cell.node, expected.node);
	assert_int_equal(cell.self, expected.self);
	assert_int_equal(cell.count, expected.count);
	assert_int_equal(cell.longest, expected.longest);
}

/* Each value around 2^32, one by one, so that none is cut whichever it is. */
static void values_of_any_size_are_exact(void **state)
{
	static const int64_t sizes[] = { 0, 1, UINT32_MAX - (int64_t)1, UINT32_MAX,
					 UINT32_MAX + (int64_t)1, (int64_t)1 << 40, INT64_MAX };
	struct profile *p = dsl_profile("frame 1 100\nmain a 1 1\nb b 7 1\n");
	uint32_t a = dsl_node(p, "main", "a"), thread = p->nodes[a].thread, b = dsl_thread(p, "b");

	(void)state;
	for (uint32_t i = 0; i < 3 * sizeof(sizes) / sizeof(*sizes); i++) {
		int64_t size = sizes[i / 3];
		struct profile_cell cells[2] = { { p->threads[thread].root, 5, 0, 6 },
						 { a, i % 3 == 0 ? size : 1, i % 3 == 1 ? size : 2,
						   i % 3 == 2 ? size : 3 } };
		struct profile_part part = { .thread = thread, .flags = PART_MERGED, .bound = i,
					     .end = 9 + i, .cell_count = 2, .cells = cells };

		assert_true(profile_set_part(p, 1, &part));
		expect_cell(p, 1, thread, 0, cells[0]);
		expect_cell(p, 1, thread, 1, cells[1]);
		expect_cell(p, 1, b, 0, (struct profile_cell){ dsl_node(p, "b", "b"), 7, 1, 0 });
		assert_int_equal(p->frames[0].parts[0].is_wide, size > UINT32_MAX);
		assert_int_equal(p->frames[0].parts[0].end, 9 + i);
	}
	profile_free(p);
}

/* Wide and narrow parts beside each other, in a copy that no longer shares them, and in sums. */
static void wide_parts_are_copied_and_summed_up(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 10000000000 5 6\nb b 7 1 7\n"
					"frame 2 100\nmain a 3 4 20000000000\nb b 1 5000000000\n");
	uint32_t a = dsl_node(p, "main", "a"), b = dsl_node(p, "b", "b"), main = p->nodes[a].thread;
	struct profile_part none = { .thread = p->nodes[b].thread };
	struct profile *copy = profile_copy(p);
	struct values *v;

	(void)state;
	assert_true(profile_set_part(copy, 1, &none));
	assert_true(profile_set_part(copy, 2, &none));
	profile_free(p);
	expect_cell(copy, 1, main, 0, (struct profile_cell){ a, 10000000000, 5, 6 });
	expect_cell(copy, 2, main, 0, (struct profile_cell){ a, 3, 4, 20000000000 });
	v = values_of_frames(copy, 0, 2);
	assert_int_equal(v->self[a], 10000000003);
	assert_int_equal(v->count[a], 9);
	assert_int_equal(v->longest[a], 20000000000);
	assert_int_equal(v->self[b], 0);
	values_free(v);
	profile_free(copy);
}

/* A live source: frames are added behind and dropped in front for ever. */
static void frames_come_and_go(void **state)
{
	struct profile *p = dsl_profile("main a 1 1\n");
	struct profile_cell cell = { 1, 3, 1, 3 };
	struct profile_part part = { .end = 3, .cell_count = 1, .cells = &cell };

	(void)state;
	for (uint64_t n = 1; n <= 20000; n++) {
		assert_true(profile_add_frame(p, n, (int64_t)n * 10, 10, 0));
		assert_true(profile_set_part(p, n, &part));
		if (p->frame_count > 100)
			profile_drop_frames(p, p->frame_count - 100);
	}
	assert_int_equal(p->frame_count, 100);
	assert_int_equal(p->frames[0].number, 19901);
	assert_int_equal(p->frames[99].number, 20000);
	assert_int_equal(profile_cell(&profile_find_frame(p, 19950)->parts[0], 0).self, 3);
	profile_drop_frames(p, 1000);
	assert_int_equal(p->frame_count, 0);
	assert_true(profile_add_frame(p, 30000, 0, 1, 0));
	profile_free(p);
}

static void name_frame(struct profile *p, uint64_t number)
{
	char name[32];

	snprintf(name, sizeof(name), "request %llu", (unsigned long long)number);
	assert_true(profile_add_frame(p, number, (int64_t)number, 1, 0));
	profile_name_frame(p, number % 4 ? name : number % 8 ? "tick" : "");
}

static void expect_names(const struct profile *p, uint32_t different)
{
	char name[32];

	for (uint32_t i = 0; i < p->frame_count; i++) {
		uint64_t number = p->frames[i].number;

		snprintf(name, sizeof(name), "request %llu", (unsigned long long)number);
		assert_string_equal(profile_frame_name(p, &p->frames[i]), number % 4 ? name : number % 8 ? "tick" : "");
	}
	assert_int_equal(p->frame_name_count, different);
}

static void each_frame_may_have_a_name_of_its_own(void **state)
{
	enum { HELD = 20000 };
	struct profile *p = profile_new(), *copy;
	bool *stays = calloc(HELD / 2, sizeof(*stays));
	uint64_t bytes;

	(void)state;
	assert_non_null(stays);
	for (uint32_t i = 0; i < HELD / 2; i += 4)
		stays[i] = true;
	profile_name_frame(p, "nothing");
	for (uint64_t n = 1; n <= HELD; n++)
		name_frame(p, n);
	expect_names(p, HELD / 4 * 3 + 1);
	bytes = p->held_bytes;
	copy = profile_copy(p);
	for (uint64_t n = HELD + 1; n <= 3 * HELD; n++) {
		profile_drop_frames(p, 1);
		name_frame(p, n);
	}
	expect_names(p, HELD / 4 * 3 + 1);
	assert_in_range(p->held_bytes, bytes, bytes + 16 * HELD); /* the names are longer by a digit */
	profile_thin_frames(p, HELD / 2, stays); /* of these all are called by their number */
	expect_names(p, HELD / 8 + HELD / 8 * 3 + 1);
	expect_names(copy, HELD / 4 * 3 + 1);
	profile_name_frame(p, "renamed");
	assert_string_equal(profile_frame_name(p, &p->frames[p->frame_count - 1]), "renamed");
	profile_drop_frames(p, HELD);
	assert_int_equal(p->frame_name_count, 0);
	assert_int_equal(p->held_bytes, 0);
	profile_free(p);
	expect_names(copy, HELD / 4 * 3 + 1);
	profile_free(copy);
	free(stays);
}

static void losses_are_kept_by_cause(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	assert_true(profile_set_loss(p, "lapped", "parts were overwritten", 3));
	assert_true(profile_set_loss(p, "deep", "zones were too deep", 2));
	assert_true(profile_set_loss(p, "lapped", "parts were overwritten", 4));
	assert_int_equal(p->loss_count, 2);
	assert_int_equal(profile_loss_total(p), 6);
	assert_true(profile_set_loss(p, "calls_room", "calls of long ago", 100)); /* they were never promised */
	assert_int_equal(profile_loss_total(p), 6);
	profile_free(p);
}

static void values_of_frames_are_their_sums(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain . 40 0\nmain a 60 2 50\n"
					"frame 2 50\nmain a 50 1 45\n"
					"frame 3 10\nmain . 10 0\n");
	struct values *v = values_of_frames(p, 0, 2);
	uint32_t a = dsl_node(p, "main", "a");

	(void)state;
	assert_int_equal(v->self[a], 110);
	assert_int_equal(v->count[a], 3);
	assert_int_equal(v->longest[a], 50);
	assert_int_equal(v->time[0], 150);
	assert_int_equal(v->wall, 150);
	assert_int_equal(v->frames, 2);
	assert_int_equal(v->last_frame, 2);
	values_free(v);
	p->frames[2].flags |= FRAME_DISCARDED;
	v = values_of_last(p, 1); /* the newest that is not discarded */
	assert_int_equal(v->first_frame, 2);
	assert_int_equal(v->self[a], 50);
	values_free(v);
	v = values_of_last(p, 99);
	assert_int_equal(v->frames, 2);
	values_free(v);
	v = values_of_frames(p, 77, 5);
	assert_int_equal(v->frames, 0);
	values_free(v);
	profile_free(p);
}

static void ranges_of_frames_are_found(void **state)
{
	struct profile *p = dsl_profile("frame 1 10\nmain . 10 0\nframe 2 10\nmain . 10 0\nframe 4 10\nmain . 10 0\n"
					"frame 5 10\nmain . 10 0\nframe 6 10\n");
	uint32_t from;

	(void)state;
	assert_int_equal(profile_frame_range(p, 0, 0, &from), 5);
	assert_int_equal(from, 0);
	assert_int_equal(profile_frame_range(p, 2, 4, &from), 2);
	assert_int_equal(from, 1);
	assert_int_equal(profile_frame_range(p, 3, 3, &from), 0);
	assert_int_equal(profile_frame_range(p, 5, UINT64_MAX - 1, &from), 2);
	assert_int_equal(profile_frame_range(p, 5, 1, &from), 0);
	assert_int_equal(profile_newest_frames(p, 3, false, &from), 3);
	assert_int_equal(from, 2);
	assert_int_equal(profile_newest_frames(p, 3, true, &from), 0); /* the newest has no slice */
	assert_int_equal(from, 5);
	p->frames[0].flags |= FRAME_KEPT;
	p->frames[4].flags |= FRAME_DISCARDED;
	assert_int_equal(profile_newest_frames(p, 9, false, &from), 3);
	assert_int_equal(from, 1);
	profile_free(p);
}

static void what_is_missing_is_counted(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 60 2\n");
	struct profile_part missing = { .thread = 0, .flags = PART_MISSING };
	struct values *v;

	(void)state;
	assert_true(profile_set_part(p, 1, &missing));
	v = values_of_last(p, 1);
	assert_int_equal(v->incomplete, 1);
	values_free(v);
	profile_free(p);
}

static void a_thread_that_enters_no_zone_is_idle(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nw a 1 1\nw . 99 0\n"
					"frame 2 100\nw . 70 0\nw a 30 0\n"
					"frame 3 100\nw . 100 0\n");
	struct { uint32_t first, count; int64_t idle; } spans[] = { { 0, 3, 0 }, { 0, 1, 0 }, { 1, 1, 70 }, { 1, 2, 170 } };

	(void)state;
	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		struct values *v = values_of_frames(p, spans[i].first, spans[i].count);

		assert_int_equal(v->time[0], 100 * spans[i].count);
		assert_int_equal(v->idle[0], spans[i].idle);
		values_free(v);
	}
	profile_free(p);
}

/* Copies. All that a reader can see of a profile, as text. */
static char *everything(const struct profile *p)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "%s %s %lld %lld %g %llu\n", p->process.source, p->left_open,
		(long long)p->process.size, (long long)p->process.silent_ns, p->process.pair_ns,
		(unsigned long long)p->frames_ended);
	for (uint32_t i = 0; i < p->zone_count; i++)
		fprintf(f, "zone %s %s %u %u\n", p->zones[i].name, p->zones[i].file,
			p->zones[i].line, p->zones[i].name_clash);
	for (uint32_t i = 0; i < p->thread_count; i++)
		fprintf(f, "thread %s %u %lld\n", p->threads[i].name, p->threads[i].namesake,
			(long long)p->threads[i].time);
	for (uint32_t i = 0; i < p->node_count; i++)
		fprintf(f, "node %u %u %u %lld\n", p->nodes[i].parent, p->nodes[i].zone, p->nodes[i].line,
			(long long)p->totals[i].self);
	for (uint32_t i = 0; i < p->loss_count; i++)
		fprintf(f, "%s %llu\n", p->losses[i].key, (unsigned long long)p->losses[i].count);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		fprintf(f, "frame %llu %lld\n", (unsigned long long)p->frames[i].number,
			(long long)p->frames[i].length);
		for (uint32_t n = 0; n < p->frames[i].part_count; n++)
			for (uint32_t c = 0; c < p->frames[i].parts[n].cell_count; c++)
				fprintf(f, "%u %lld\n", profile_cell(&p->frames[i].parts[n], c).node,
					(long long)profile_cell(&p->frames[i].parts[n], c).self);
	}
	fclose(f);
	return text;
}

static void expect_everything(const struct profile *p, const char *expected)
{
	char *text = everything(p);

	assert_string_equal(text, expected);
	free(text);
}

/* Everything that can happen to a profile, happens. */
static void go_on(struct profile *p, uint32_t round)
{
	char name[32];
	uint32_t thread, zone;
	struct profile_cell cells[2] = { { 0, 3, 0, 0 } };
	struct profile_part part = { .cell_count = 2, .cells = cells };

	snprintf(name, sizeof(name), "new %u", round);
	zone = profile_add_zone(p, name, "new.c", round, 0);
	profile_add_zone(p, "a", "new.c", round, 0);
	thread = profile_add_thread(p, 1000 + round, 1, name);
	profile_add_thread(p, 1, 1, name);
	profile_set_time(p, thread, 0, round);
	cells[1].node = profile_add_node(p, 0, zone);
	cells[1].self = round;
	profile_set_total(p, 0, 77 + round, 0, 0);
	profile_set_loss(p, "lapped_parts", "lost", 5 + round);
	profile_text(&p->left_open, name);
	profile_text(&p->process.source, name);
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (i % 3 == 0)
			assert_true(profile_set_part(p, p->frames[i].number, &part));
	part.thread = thread;
	part.cell_count = 0;
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (i % 4 == 0)
			assert_true(profile_set_part(p, p->frames[i].number, &part));
	p->frames_ended++;
	assert_true(profile_add_frame(p, p->frames_ended, 0, round, 0));
	profile_drop_frames(p, 1);
}

/* Counted anew; of parts there may be more room than is used. */
static void expect_held_bytes(const struct profile *p)
{
	uint64_t bytes = p->frame_count * PROFILE_FRAME_BYTES, most;

	most = bytes;
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		if (frame->part_count) {
			bytes += frame->part_count * sizeof(*frame->parts);
			most += 2 * frame->part_count * sizeof(*frame->parts) + 96;
		}
		for (uint32_t k = 0; k < frame->part_count; k++) {
			const struct profile_held *part = &frame->parts[k];
			uint64_t size = part->is_wide ? sizeof(struct profile_cell) :
							sizeof(struct profile_narrow);

			bytes += part->cell_count * size;
			most += part->cell_count ? part->cell_count * size + 32 : 0;
		}
	}
	assert_in_range(p->held_bytes, bytes, most);
	assert_int_equal(p->held_bytes, profile_frames_bytes(p, 0, p->frame_count));
}

static struct profile *a_grown_profile(void)
{
	struct profile *p = dsl_profile("main . 10 0\nmain a 100 2\nmain a/b/a 50 3\npool b 10 1\n"
					"frame 1 16\nmain a 7 1\npool b 9 1\nframe 2 16\nmain a 8 1\n"
					"frame 3 16\nframe 4 16\npool b 8 1\nframe 5 16\nmain a 8 1\n");

	p->process.size = 99;
	p->process.pair_ns = 2.5;
	return p;
}

static void a_copy_stays_as_it_is(void **state)
{
	struct profile *p = a_grown_profile();

	(void)state;
	for (uint32_t round = 0; round < 20; round++) {
		struct profile *copy = profile_copy(p);
		char *text = everything(p);

		assert_non_null(copy);
		expect_everything(copy, text);
		go_on(p, round);
		expect_everything(copy, text);
		free(text);
		text = everything(p);
		go_on(copy, 100 + round); /* and the other way round */
		expect_held_bytes(copy);
		go_on(copy, 200 + round);
		expect_held_bytes(copy);
		expect_everything(p, text);
		free(text);
		profile_free(copy);
	}
	expect_held_bytes(p);
	profile_free(p);
}

/* Parts come late, grow, become wide and narrow again, are refused, and go. */
static void what_is_held_is_counted(void **state)
{
	struct profile *p = a_grown_profile();
	struct profile_cell cells[2] = { { .node = dsl_node(p, "main", "a"), .self = 1 },
					 { .node = dsl_node(p, "main", "a/b"), .self = 2 } };
	struct profile_part part = { .thread = 0, .cells = cells };
	uint64_t before;

	(void)state;
	expect_held_bytes(p);
	for (uint32_t i = 0; i < 60; i++) {
		part.cell_count = i % 3;
		cells[0].self = i % 4 ? 1 : (int64_t)1 << 40;
		assert_true(profile_set_part(p, p->frames[i % p->frame_count].number, &part));
		expect_held_bytes(p);
	}
	before = p->held_bytes;
	part.cell_count = 2;
	cells[1].node = dsl_node(p, "pool", "b");
	assert_false(profile_set_part(p, p->frames[0].number, &part));
	assert_false(profile_set_part(p, 999, &part));
	assert_int_equal(p->held_bytes, before);
	profile_drop_frames(p, 2);
	expect_held_bytes(p);
	profile_drop_frames(p, 99);
	assert_int_equal(p->held_bytes, 0);
	profile_free(p);
}

/* Those that stay go on in front, marked; what a copy has stays as it was. */
static void frames_that_are_kept_alone(void **state)
{
	struct profile *p = a_grown_profile(), *copy = profile_copy(p);
	const bool stays[4] = { false, true, false, true };
	const uint64_t numbers[] = { 2, 4, 5 };
	char *text = everything(copy);

	(void)state;
	assert_int_equal(profile_kept_frames(p), 0);
	profile_thin_frames(p, 4, stays);
	assert_int_equal(p->frame_count, 3);
	assert_int_equal(profile_kept_frames(p), 2);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(p->frames[i].number, numbers[i]);
		assert_int_equal(p->frames[i].flags & FRAME_KEPT, i < 2 ? FRAME_KEPT : 0);
		assert_int_equal(profile_frame_index(p, numbers[i]), i);
	}
	expect_held_bytes(p);
	assert_int_equal(profile_frames_bytes(p, 0, 3), p->held_bytes);
	assert_int_equal(profile_frames_bytes(p, 0, 2) + profile_frames_bytes(p, 2, 3), p->held_bytes);
	expect_everything(copy, text);
	profile_thin_frames(p, 3, (bool[3]){ false });
	assert_true(p->frame_count == 0 && p->held_bytes == 0);
	free(text);
	profile_free(copy);
	profile_free(p);
}

static void a_copy_outlives_its_original(void **state)
{
	struct profile *p = a_grown_profile(), *copy = profile_copy(p), *second;
	char *text = everything(p);

	(void)state;
	second = profile_copy(copy);
	profile_drop_frames(p, 2);
	profile_free(p);
	expect_everything(copy, text);
	profile_free(copy);
	expect_everything(second, text);
	profile_free(second);
	free(text);
}

static void things_are_found_in_a_copy(void **state)
{
	struct profile *p = a_grown_profile(), *copy;

	(void)state;
	profile_drop_frames(p, 1);
	copy = profile_copy(p);
	assert_int_equal(profile_find_thread(copy, p->threads[1].id), 1);
	assert_int_equal(profile_parse_thread(copy, "pool", NULL), 1);
	assert_int_equal(profile_frame_index(copy, 4), 2);
	assert_ptr_equal(profile_find_frame(copy, 4), &copy->frames[2]);
	assert_int_equal(profile_add_zone(copy, "b", "", 0, 0), profile_add_zone(p, "b", "", 0, 0));
	profile_free(p);
	profile_free(copy);
	p = profile_new();
	assert_int_equal(p->process.silent_ns, -1);
	copy = profile_copy(p);
	profile_free(p);
	assert_true(profile_add_frame(copy, 1, 0, 1, 0));
	profile_free(copy);
}

static bool same_number(const void *numbers, uint32_t index, const void *wanted)
{
	return ((const uint32_t *)numbers)[index] == *(const uint32_t *)wanted;
}

/* Things come and go whose hashes are close to each other, and wrap around the end of the table. */
static void what_is_removed_from_a_lookup_hides_nothing(void **state)
{
	enum { THINGS = 200 };
	struct lookup l = { NULL, 0, 0 };
	uint32_t things[THINGS], random = 1;
	bool there[THINGS] = { false };

	(void)state;
	for (uint32_t i = 0; i < THINGS; i++)
		things[i] = i;
	for (int turn = 0; turn < 5000; turn++) {
		random = random * 1664525 + 1013904223;
		uint32_t i = (random >> 8) % THINGS;

		assert_true(lookup_reserve(&l));
		if (there[i])
			lookup_remove(&l, UINT32_MAX - i / 20, i);
		else
			lookup_add(&l, UINT32_MAX - i / 20, i);
		there[i] = !there[i];
		for (i = 0; i < THINGS; i++)
			assert_int_equal(lookup_find(&l, UINT32_MAX - i / 20, same_number, things, &i),
					 there[i] ? i : LOOKUP_NONE);
	}
	lookup_fini(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_profile_has_no_zone_alone),
		cmocka_unit_test(a_zone_is_its_place_and_name),
		cmocka_unit_test(a_function_is_no_zone_of_the_program),
		cmocka_unit_test(an_address_is_a_zone_until_it_has_a_name),
		cmocka_unit_test(a_shared_place_is_found_when_its_first_zone_leaves),
		cmocka_unit_test(a_million_renames_leave_nothing_behind),
		cmocka_unit_test(many_zones_are_found_again),
		cmocka_unit_test(threads_are_found_by_id_and_by_name),
		cmocka_unit_test(threads_of_one_name_are_selected_together),
		cmocka_unit_test(a_thread_with_a_hostile_name_is_found_as_it_is_shown),
		cmocka_unit_test(the_marking_thread_is_the_one_that_says_so),
		cmocka_unit_test(a_node_needs_a_parent_and_a_zone),
		cmocka_unit_test(no_more_runs_than_there_is),
		cmocka_unit_test(frames_ascend),
		cmocka_unit_test(a_part_replaces_the_inferred_one),
		cmocka_unit_test(a_part_of_another_threads_nodes_is_refused),
		cmocka_unit_test(values_of_any_size_are_exact),
		cmocka_unit_test(wide_parts_are_copied_and_summed_up),
		cmocka_unit_test(frames_come_and_go),
		cmocka_unit_test(each_frame_may_have_a_name_of_its_own),
		cmocka_unit_test(losses_are_kept_by_cause),
		cmocka_unit_test(values_of_frames_are_their_sums),
		cmocka_unit_test(ranges_of_frames_are_found),
		cmocka_unit_test(what_is_missing_is_counted),
		cmocka_unit_test(a_thread_that_enters_no_zone_is_idle),
		cmocka_unit_test(what_is_held_is_counted),
		cmocka_unit_test(a_copy_stays_as_it_is),
		cmocka_unit_test(frames_that_are_kept_alone),
		cmocka_unit_test(a_copy_outlives_its_original),
		cmocka_unit_test(things_are_found_in_a_copy),
		cmocka_unit_test(what_is_removed_from_a_lookup_hides_nothing),
	};

	return cmocka_run_group_tests_name("model: profile and values", tests, NULL, NULL);
}

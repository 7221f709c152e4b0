/* SPDX-License-Identifier: MIT */
/* Threads that leave a profile, and those that get their places. */
#include "tests/model_dsl.h"
#include "tests/model_random.h"

#include "model/average.h"

/* main, and two that ended: `old` has something in a frame that is held, `past` in none. */
static struct profile *three(void)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 100 1\nold a 30 1\npast a/b 20 2\npast c 10 1\n"
					"frame 2 100\nmain a 100 1\nold a 40 1\n");

	for (uint32_t i = 1; i < 3; i++) { /* its totals are those of others */
		p->threads[i].state = THREAD_ENDED;
		profile_set_time(p, i, 0, 0);
	}
	profile_drop_frames(p, 1);
	return p;
}

static void drop(struct profile *p)
{
	bool *stays = calloc(p->thread_count, sizeof(*stays));
	uint32_t *tracks = calloc(p->track_count + 1, sizeof(*tracks));

	assert_true(stays && tracks && profile_drop_threads(p, stays, tracks));
	for (uint32_t i = 0; i < p->thread_count; i++)
		assert_int_equal(stays[i], p->threads[i].state != THREAD_GONE);
	free(stays);
	free(tracks);
}

static void who_ended_and_has_nothing_leaves(void **state)
{
	struct profile *p = three();
	uint64_t id = p->threads[2].id;

	(void)state;
	assert_int_equal(profile_find_thread(p, id), 2);
	drop(p);
	assert_int_equal(p->gone_count, 1);
	assert_int_equal(p->threads[0].state, THREAD_LIVE);
	assert_int_equal(p->threads[1].state, THREAD_ENDED);
	assert_int_equal(p->threads[2].state, THREAD_GONE);
	assert_int_equal(profile_find_thread(p, id), PROFILE_NONE);
	assert_int_equal(profile_find_thread(p, p->threads[1].id), 1);
	assert_int_equal(profile_parse_thread(p, "past", NULL), PROFILE_NONE);
	assert_int_equal(profile_parse_thread(p, "old", NULL), 1);
	assert_int_equal(profile_selected(p, THREADS_ALL), 2);
	drop(p); /* it is gone already */
	assert_int_equal(p->gone_count, 1);
	profile_free(p);
}

static void who_lives_has_time_or_is_asked_for_stays(void **state)
{
	struct profile *p = three();
	bool stays[3] = { false, false, true };
	uint32_t tracks[1];

	(void)state;
	assert_true(profile_drop_threads(p, stays, tracks));
	assert_int_equal(p->gone_count, 0);
	profile_set_time(p, 2, 0, 1);
	drop(p);
	assert_int_equal(p->gone_count, 0);
	profile_set_time(p, 2, 0, 0);
	p->threads[2].state = THREAD_LIVE;
	drop(p);
	assert_int_equal(p->gone_count, 0);
	p->threads[2].state = THREAD_ENDED;
	assert_true(profile_add_instant(p, 150, 2, PROFILE_NONE, "here", false));
	drop(p);
	assert_int_equal(p->gone_count, 0);
	profile_free(p);
}

/* With its nodes, as far as the zones are the same. */
static void who_comes_gets_the_place(void **state)
{
	struct profile *p = three();
	uint32_t a = dsl_node(p, "past", "a"), b = dsl_node(p, "past", "a/b"), c = dsl_node(p, "past", "c");
	uint32_t nodes = p->node_count, root = p->threads[2].root;
	uint32_t zone_a = p->nodes[a].zone, zone_b = p->nodes[b].zone, zone_c = p->nodes[c].zone;

	(void)state;
	profile_set_total(p, b, 20, 2, 12);
	drop(p);
	assert_int_equal(p->totals[b].self, 0);
	assert_int_equal(profile_add_thread(p, 77, 7, "new"), 2);
	assert_int_equal(p->gone_count, 0);
	assert_int_equal(p->threads[2].state, THREAD_LIVE);
	assert_string_equal(p->threads[2].name, "new");
	assert_int_equal(p->threads[2].root, root);
	assert_int_equal(profile_find_thread(p, 77), 2);
	assert_int_equal(profile_add_node(p, root, zone_a), a);
	assert_int_equal(profile_add_node(p, a, zone_b), b);
	assert_int_equal(profile_add_node(p, root, zone_b), nodes); /* that path was not there */
	assert_int_equal(profile_add_node(p, root, zone_a), nodes + 1); /* two of one path may be */
	assert_int_equal(profile_add_node(p, a, zone_c), nodes + 2);
	assert_int_equal(profile_add_node(p, root, zone_c), c);
	assert_int_equal(profile_add_thread(p, 78, 8, "next"), 3); /* no place is left */
	profile_free(p);
}

static void namesakes_do_without_it(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	for (uint64_t id = 1; id <= 4; id++)
		assert_int_equal(profile_add_thread(p, id, 0, "worker"), id - 1);
	p->threads[0].state = p->threads[2].state = THREAD_ENDED;
	drop(p);
	assert_int_equal(p->threads[1].namesake, 1);
	assert_int_equal(p->threads[3].namesake, 1);
	assert_int_equal(profile_selected(p, THREADS_NAMED(1)), 2);
	assert_int_equal(profile_add_thread(p, 5, 0, "worker"), 0);
	assert_int_equal(p->threads[0].namesake, 1);
	assert_int_equal(profile_selected(p, THREADS_NAMED(1)), 3);
	assert_int_equal(profile_marking_thread(p), 0);
	profile_free(p);
}

static void its_tracks_go(void **state)
{
	struct profile *p = three();
	uint32_t counter = profile_add_counter(p, "level", false, false), now[3];
	const struct profile_change change = { .tick = 150, .last = { 1 }, .least = { 1 }, .most = { 1 } };
	uint64_t bytes = p->held_bytes;
	bool stays[3] = { false };

	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(profile_add_track(p, counter, 2 - i, 0), i);
	assert_true(profile_add_change(p, 0, &change) && profile_add_change(p, 2, &change));
	assert_true(profile_drop_threads(p, stays, now));
	assert_int_equal(p->track_count, 2);
	assert_int_equal(now[0], PROFILE_NONE);
	assert_int_equal(now[1], 0);
	assert_int_equal(now[2], 1);
	assert_int_equal(p->tracks[1].thread, 0);
	assert_int_equal(p->tracks[1].change_count, 1);
	assert_int_equal(p->held_bytes, bytes + PROFILE_CHANGE_BYTES);
	assert_true(profile_add_change(p, 1, &(struct profile_change){ .tick = 160 }));
	assert_int_equal(p->tracks[1].change_count, 2);
	profile_free(p);
}

/* What the one before had in averages is not of the one that comes. */
static void averages_begin_anew(void **state)
{
	struct profile *p = three();
	struct averages *a = averages_new();
	struct values *v;
	uint32_t node;

	(void)state;
	dsl_grow(p, "frame 3 100\nmain a 100 1\npast a/b 60 1\n");
	assert_true(averages_update(a, p) && averages_reset(a, p) && averages_update(a, p));
	dsl_grow(p, "frame 4 100\nmain a 100 1\npast a/b 60 1\n");
	assert_true(averages_update(a, p));
	node = dsl_node(p, "past", "a/b");
	profile_drop_frames(p, p->frame_count - 1);
	dsl_grow(p, "frame 5 100\nmain a 100 1\n");
	profile_drop_frames(p, p->frame_count - 1);
	assert_true(averages_update(a, p));
	v = values_average(a, p, AVERAGE_SLOW);
	assert_true(v->self[node] > 0);
	values_free(v);
	drop(p);
	assert_int_equal(profile_add_thread(p, 77, 7, "new"), 1); /* old has left, too */
	assert_int_equal(profile_add_thread(p, 78, 7, "newer"), 2);
	assert_true(averages_update(a, p));
	v = values_average(a, p, AVERAGE_SLOW);
	assert_int_equal(v->self[node], 0);
	assert_true(v->self[dsl_node(p, "main", "a")] > 0);
	values_free(v);
	v = values_average(a, p, AVERAGE_RUN);
	assert_int_equal(v->self[node], 0);
	values_free(v);
	averages_free(a);
	profile_free(p);
}

/* Threads come, work in some frames, end and leave, at random. */
static void places_are_of_one_at_a_time(void **state)
{
	static const char *const names[] = { "worker", "loader", "" };
	struct profile *p = profile_new();
	uint32_t zone = profile_add_zone(p, "z", "", 0, 0);
	uint64_t ids[8] = { 0 }, next = 1;

	(void)state;
	random_state = 3;
	for (uint64_t frame = 1; frame <= 3000; frame++) {
		uint32_t who = random_below(8), thread, node;

		thread = ids[who] ? profile_find_thread(p, ids[who]) : PROFILE_NONE;
		if (thread != PROFILE_NONE)
			p->threads[thread].state = THREAD_ENDED;
		ids[who] = next++;
		thread = profile_add_thread(p, ids[who], 0, names[random_below(3)]);
		assert_int_not_equal(thread, PROFILE_NONE);
		node = profile_add_node(p, p->threads[thread].root, zone);
		assert_int_not_equal(node, PROFILE_NONE);
		assert_int_equal(p->nodes[node].thread, thread);
		assert_true(profile_add_frame(p, frame, (int64_t)frame * 10, 10, 0));
		for (int i = 0; i < 8; i++) {
			struct profile_part part = { .thread = profile_find_thread(p, ids[i]), .first_frame = frame,
						     .bound = (int64_t)frame * 10, .end = (int64_t)frame * 10 };

			assert_true(!ids[i] || part.thread != PROFILE_NONE);
			if (ids[i] && random_below(2))
				assert_true(profile_set_part(p, frame, &part));
		}
		if (p->frame_count > 20)
			profile_drop_frames(p, 1);
		if (random_below(8) == 0)
			drop(p);
		for (uint32_t f = 0; f < p->frame_count; f++)
			for (uint32_t i = 0; i < p->frames[f].part_count; i++)
				assert_int_not_equal(p->threads[p->frames[f].parts[i].thread].state, THREAD_GONE);
	}
	assert_true(p->thread_count < 200);
	assert_true(p->node_count <= p->thread_count * 2);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_ended_and_has_nothing_leaves),
		cmocka_unit_test(who_lives_has_time_or_is_asked_for_stays),
		cmocka_unit_test(who_comes_gets_the_place),
		cmocka_unit_test(namesakes_do_without_it),
		cmocka_unit_test(its_tracks_go),
		cmocka_unit_test(averages_begin_anew),
		cmocka_unit_test(places_are_of_one_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

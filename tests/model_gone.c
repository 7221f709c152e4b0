/* SPDX-License-Identifier: MIT */
/*
 * model_gone: what is told of many frames where some of them are no longer known: it is told of the others.
 *
 * A region's ring of frames reaches further back than its threads' parts, but of the longest frames, which they kept.
 */
#include <math.h>

#include "model/query/query.h"
#include "model/stats/base_frame.h"
#include "model/stats/check.h"
#include "model/stats/frame_stats.h"
#include "model/stats/series.h"
#include "tests/model_dsl.h"

#define MS 1000000

enum { FRAMES = 100, KNOWN = 40, GONE = FRAMES - KNOWN, LENGTH = 16 * MS, TIME = 5 * MS };

static uint32_t node; /* of zone a, in the thread that marks */

static void put_frame(struct profile *p, uint64_t number, int64_t length)
{
	assert_true(profile_add_frame(p, number, p->now_tick, length, 0));
	p->now_tick += length;
	p->frames_ended = number;
}

static void put_part(struct profile *p, uint64_t number, uint32_t thread, int64_t self, uint32_t flags)
{
	struct profile_cell cell = { node, self, 1, self };
	struct profile_part part = { .thread = thread, .flags = flags, .first_frame = number, .cells = &cell,
				     .cell_count = !thread && self > 0, .end = self };

	assert_true(profile_set_part(p, number, &part));
}

/* Only the lengths of the first frames are known, and everything about each twentieth, which was long. */
static struct profile *late(void)
{
	struct profile *p = profile_new();

	node = dsl_node(p, "main", "a");
	assert_int_equal(dsl_thread(p, "worker"), 1);
	for (uint64_t number = 1; number <= FRAMES; number++) {
		bool slow = number <= GONE && number % 20 == 0;

		put_frame(p, number, slow ? 10 * LENGTH : LENGTH);
		if (slow)
			put_part(p, number, 0, 10 * TIME, PART_KEPT);
		else if (number > GONE)
			put_part(p, number, 0, TIME, 0);
	}
	return p;
}

struct fixture {
	struct profile *p;
	struct keys *keys;
	struct scope scope;
	struct tally tally;
	uint32_t a;
};

static struct fixture fixture_of(struct profile *p)
{
	struct fixture f = { .p = p, .keys = keys_new(false) };

	assert_true(f.keys && keys_update(f.keys, p) && tally_init(&f.tally));
	f.scope = (struct scope){ .keys = f.keys, .threads = THREADS_ALL };
	f.a = f.keys->of_node[node];
	return f;
}

static void fixture_fini(struct fixture *f)
{
	tally_fini(&f->tally);
	keys_free(f->keys);
	profile_free(f->p);
}

static void statistics_are_of_those_that_are_known(void **state)
{
	struct fixture f = fixture_of(late());
	struct zone_stats *s = zone_stats_of_frames(f.p, &f.scope, &f.tally, 0, FRAMES, EXTENT_SELF);
	const struct zone_stat *a = zone_stats_of(s, f.a);

	(void)state;
	assert_int_equal(a->per_frame.count, KNOWN);
	assert_int_equal(a->per_frame.min, TIME);
	assert_int_equal(a->per_frame.median, TIME);
	assert_int_equal(a->per_frame.max, TIME);
	assert_int_equal(a->first, GONE + 1);
	zone_stats_free(s);
	fixture_fini(&f);
}

/* The part of another thread is gone in one more. */
static void a_thread_may_be_known_where_another_is_not(void **state)
{
	static const struct {
		uint32_t threads, frames;
	} cases[] = { { 0, KNOWN }, { 1, KNOWN - 1 }, { THREADS_ALL, KNOWN - 1 } };
	struct fixture f = fixture_of(late());

	(void)state;
	for (uint64_t number = 1; number <= FRAMES; number++)
		if (number > GONE || number % 20 == 0)
			put_part(f.p, number, 1, 0, number <= GONE || number == FRAMES - 5 ? PART_LAPPED : 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scope scope = { .keys = f.keys, .threads = cases[i].threads };
		struct zone_stats *s = zone_stats_of_frames(f.p, &scope, &f.tally, 0, FRAMES, EXTENT_SELF);

		assert_int_equal(zone_stats_of(s, f.a)->per_frame.count, cases[i].frames);
		zone_stats_free(s);
	}
	fixture_fini(&f);
}

static void the_series_and_the_base_are_of_those_that_are_known(void **state)
{
	struct fixture f = fixture_of(late());
	struct series s;

	(void)state;
	assert_true(series_make(&s, f.p, &f.scope, f.a, UINT32_MAX));
	assert_int_equal(s.count, KNOWN);
	series_fini(&s);
	assert_int_equal(base_frame(f.p, BASE_MEDIAN, 0, 0), FRAMES);
	fixture_fini(&f);
}

static void a_condition_is_judged_by_what_is_known(void **state)
{
	struct fixture f = fixture_of(late());
	char why[256];
	struct check *c = check_new("zone a min >= 5ms, zone a max <= 5ms", false, why, sizeof(why));

	(void)state;
	assert_true(c && check_find(c, f.p, why, sizeof(why)));
	for (uint32_t i = 0; i < f.p->frame_count; i++)
		check_add(c, f.p, &f.p->frames[i]);
	assert_true(check_judge(c, f.p->ticks_per_s, UINT64_MAX, 0));
	assert_int_equal(c->judged, f.p->frame_count);
	assert_int_equal(c->conditions[0].judged, KNOWN + GONE / 20);
	assert_int_equal(c->conditions[0].verdict, CHECK_NOT_KNOWN);
	assert_int_equal(c->conditions[1].least, 10 * TIME);
	assert_int_equal(c->conditions[1].verdict, CHECK_FAILS);
	assert_true(check_judge(c, f.p->ticks_per_s, KNOWN, 0));
	assert_int_equal(c->verdict, CHECK_HOLDS);
	check_free(c);
	fixture_fini(&f);
}

static void look_at(struct query *l, uint64_t frame)
{
	struct query_options o = *query_options(l);

	o.frame = frame;
	assert_true(query_look(l, &o));
	while (query_work(l, 10))
		;
}

/* Attached to late: a zone that takes the same in each frame is cold, and its average is what it takes. */
static void a_query_sees_what_is_known(void **state)
{
	struct fixture f = fixture_of(late());
	struct query *l = query_new(f.p);
	int64_t values[TREND_FRAMES];
	const struct values *v = query_values(l);

	(void)state;
	assert_false(query_work(l, 1));
	assert_int_equal(v->frames, KNOWN);
	assert_true(llabs(v->self[node] / v->scale - TIME) <= 1);
	assert_true(heat_of(query_heat(l), f.p, f.a, EXTENT_SELF) < 0.001);
	assert_int_equal(trend_values(query_trend(l), f.a, EXTENT_SELF, values), TREND_FRAMES);
	for (uint32_t i = 0; i < TREND_FRAMES; i++)
		assert_int_equal(values[i], TIME);
	look_at(l, FRAMES - 1);
	assert_true(heat_of(query_heat(l), f.p, f.a, EXTENT_SELF) < 0.001);
	look_at(l, 20); /* ten times the median */
	assert_true(heat_of(query_heat(l), f.p, f.a, EXTENT_SELF) > 0.999);
	look_at(l, 21); /* what is not known is neither */
	assert_null(query_heat(l));
	query_free(l);
	fixture_fini(&f);
}

/* Once in so many frames is not never, nor more than that: its time an entry is what it was. */
static void what_is_rare_has_its_time_an_entry(void **state)
{
	static const uint64_t frames[] = { 50000, 100000, 3000000 };
	struct profile *p = dsl_profile("main . 0 0\nmain save 20000000 1\n");
	struct averages *a = averages_new();
	uint32_t save = dsl_node(p, "main", "save");

	(void)state;
	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		struct values *v;

		p->frames_ended = frames[i];
		p->now_tick = (int64_t)frames[i] * LENGTH;
		v = values_average(a, p, AVERAGE_RUN);
		assert_int_equal(v->self[save] / v->count[save], 20000000);
		values_free(v);
	}
	averages_free(a);
	profile_free(p);
}

static void what_was_rare_fades_and_keeps_its_time_an_entry(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain . 1000000 0\nmain save 2000000 1\n");
	struct averages *a = averages_new();
	uint32_t save = dsl_node(p, "main", "save");

	(void)state;
	for (uint64_t number = 2; number < 220; number++) { /* 3.5 s, more than 4 T */
		struct profile_part part = { .thread = 0 };
		struct values *v;

		put_frame(p, number, LENGTH);
		assert_true(profile_set_part(p, number, &part));
		assert_true(averages_update(a, p));
		v = values_average(a, p, AVERAGE_FAST);
		assert_true(fabs((double)v->self[save] / (double)v->count[save] - 2000000) < 2000);
		values_free(v);
	}
	averages_free(a);
	profile_free(p);
}

/* How far back history reaches is how far back it is known what was done. */
static void history_reaches_as_far_as_is_known(void **state)
{
	struct profile *p = late();
	struct frame_order *order = frame_order_new();
	struct frame_stats stats;

	(void)state;
	assert_true(order && frame_order_update(order, p));
	frame_stats_make(p, order, 0, &stats);
	assert_int_equal(stats.count, FRAMES);
	assert_int_equal(stats.history, (int64_t)KNOWN * LENGTH);
	/* a reader that was stopped has a gap in what it knows */
	for (uint64_t number = GONE + 10; number <= GONE + 30; number++)
		put_part(p, number, 0, 0, PART_LAPPED);
	frame_stats_make(p, order, 0, &stats);
	assert_int_equal(stats.history, (int64_t)KNOWN * LENGTH);
	frame_order_free(order);
	profile_free(p);
}

static void what_a_frame_waits_is_that_of_the_thread_that_marks_it(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	dsl_grow(p, "frame 1 3000000\nmain . 1000000\nmain vsync 1000000 1\nmain vsync/vsync 1000000 1\n"
		    "frame 2 1000\nw vsync 1000 1\n");
	assert_int_equal(frame_waiting(&p->frames[0], 0), 2000000);
	assert_int_equal(frame_waiting(&p->frames[1], 0), 0);
	assert_true(frame_knows_waiting(&p->frames[0], 0));
	assert_false(frame_knows_waiting(&p->frames[1], 0));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_are_of_those_that_are_known),
		cmocka_unit_test(a_thread_may_be_known_where_another_is_not),
		cmocka_unit_test(the_series_and_the_base_are_of_those_that_are_known),
		cmocka_unit_test(a_condition_is_judged_by_what_is_known),
		cmocka_unit_test(a_query_sees_what_is_known),
		cmocka_unit_test(history_reaches_as_far_as_is_known),
		cmocka_unit_test(what_a_frame_waits_is_that_of_the_thread_that_marks_it),
		cmocka_unit_test(what_is_rare_has_its_time_an_entry),
		cmocka_unit_test(what_was_rare_fades_and_keeps_its_time_an_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

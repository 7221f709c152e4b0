/* SPDX-License-Identifier: MIT */
/*
 * Times less what measuring costs: what half a pair takes off a zone and its caller, by hand; that the
 * identities between rows stay on random programs, in sums and in averages; that nothing falls below 0,
 * nor below the time in which a thread had no zone.
 */
#include <math.h>

#include "model/query/overhead.h"
#include "tests/model_random.h"

static void expect_self(const struct values *v, uint32_t node, int64_t self)
{
	assert_int_equal(v->self[node], self);
}

static void half_lies_inside_and_half_in_the_caller(void **state)
{
	struct profile *p = dsl_profile("main .       1000\n"
					"main a       5000 10 900\n"
					"main a/b     3000 100 40\n"
					"main a/b/c   700 3 400\n");
	struct values *v = values_of_run(p);

	(void)state;
	p->process.pair_ns = 20;
	assert_true(overhead_pair(p) == 20);
	assert_true(overhead_subtract(v, p));
	assert_true(v->less_overhead);
	expect_self(v, 0, 1000 - 10 * 10);
	expect_self(v, 1, 5000 - 10 * 10 - 100 * 10);
	expect_self(v, 2, 3000 - 100 * 10 - 3 * 10);
	expect_self(v, 3, 700 - 3 * 10);
	assert_int_equal(v->time[0], 9700 - 2 * 10 * 113);
	assert_true(v->overhead == 2 * 10 * 113 && v->overhead_left == 0);
	assert_int_equal(v->count[2], 100);
	assert_int_equal(v->longest[2], 40);
	assert_int_equal(v->wall, 9700);
	assert_true(overhead_subtract(v, p)); /* once */
	expect_self(v, 2, 1970);
	values_free(v);
	profile_free(p);
}

static void no_time_falls_below_zero(void **state)
{
	struct profile *p = dsl_profile("main .       5\n"
					"main a       1000 10 900\n"
					"main a/b     300 100 4\n");
	struct values *v = values_of_run(p);

	(void)state;
	p->process.pair_ns = 20;
	assert_true(overhead_subtract(v, p));
	expect_self(v, 0, 0);
	expect_self(v, 1, 0);
	expect_self(v, 2, 0);
	assert_int_equal(v->time[0], 0);
	assert_true(v->overhead == 1305 && v->overhead_left == 2200 - 1305);
	values_free(v);
	profile_free(p);
}

/* A thread that entered nothing: that is nobody's time, and stays. */
static void time_without_zones_stays(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain . 100\n");
	struct values *v = values_of_frames(p, 0, 1);

	(void)state;
	p->process.pair_ns = 40;
	assert_int_equal(v->idle[0], 100);
	assert_true(overhead_subtract(v, p));
	expect_self(v, 0, 100);
	assert_int_equal(v->time[0], 100);
	values_free(v);
	profile_free(p);
}

static void nothing_is_taken_where_a_pair_is_not_known(void **state)
{
	static const double unknown[] = { 0, -5, NAN };
	struct profile *p = dsl_profile("main a 5000 10 900\n");

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct values *v = values_of_run(p);

		p->process.pair_ns = unknown[i];
		assert_true(overhead_pair(p) == 0);
		assert_true(overhead_subtract(v, p));
		assert_false(v->less_overhead);
		expect_self(v, 1, 5000);
		values_free(v);
	}
	profile_free(p);
}

static void ticks_are_those_of_the_source(void **state)
{
	struct profile *p = dsl_profile("main .  100000\nmain a  50000 10 900\n");
	struct values *v = values_of_run(p);

	(void)state;
	p->process.pair_ns = 20;
	p->ticks_per_s = 3500000000u;
	assert_true(fabs(overhead_pair(p) - 70) < 1e-9);
	assert_true(overhead_subtract(v, p));
	expect_self(v, 1, 50000 - 350);
	values_free(v);
	profile_free(p);
}

static void what_is_much(void **state)
{
	(void)state;
	assert_true(overhead_is_much(20, 10, 1999));
	assert_false(overhead_is_much(20, 10, 2000));
	assert_true(overhead_is_much(20, 10, 0));
	assert_true(overhead_is_much(20, 10, -5));
	assert_false(overhead_is_much(20, 0, 0));
	assert_false(overhead_is_much(0, 10, 1));
}

/* For any values: Σ self over a thread's nodes is its time before and after, and no node has more than it had. */
static void expect_identities(const struct profile *p, const struct values *before, const struct values *v)
{
	int64_t sums[64] = { 0 };
	double taken = 0;

	for (uint32_t i = 0; i < v->node_count; i++) {
		assert_true(v->self[i] >= 0 && v->self[i] <= before->self[i]);
		assert_int_equal(v->count[i], before->count[i]);
		sums[p->nodes[i].thread] += v->self[i];
		taken += (double)(before->self[i] - v->self[i]);
	}
	for (uint32_t t = 0; t < v->thread_count; t++) {
		assert_int_equal(sums[t], v->time[t]);
		assert_true(v->self[p->threads[t].root] >= v->idle[t]);
	}
	assert_true(taken == v->overhead);
	assert_int_equal(v->wall, before->wall);
}

static void expect_rows_sum_up(const struct profile *p, const struct values *v)
{
	struct keys *k = keys_new(false);
	int64_t self = 0, time = 0;
	struct flat_row *rows;

	assert_true(keys_update(k, p));
	rows = flat_make(p, k, v, THREADS_ALL);
	for (uint32_t key = 0; key < k->count; key++)
		self += rows[key].self;
	for (uint32_t t = 0; t < v->thread_count; t++)
		time += v->time[t];
	assert_int_equal(self, time);
	free(rows);
	keys_free(k);
}

static void identities_stay(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 150; i++) {
		struct profile *p;
		struct averages *a = averages_new();

		random_state = i;
		p = random_profile();
		p->process.pair_ns = random_below(3) ? 20 : 30000;
		for (uint32_t frames = 1 + random_below(40); frames > 0; frames--)
			random_frame(p);
		assert_true(averages_update(a, p));
		for (int kind = 0; kind < 2 + AVERAGE_SLOTS; kind++) {
			struct values *v[2];

			for (int k = 0; k < 2; k++)
				v[k] = kind == 0   ? values_of_run(p)
				       : kind == 1 ? values_of_frames(p, 0, p->frame_count)
						   : values_average(a, p, (enum average_slot)(kind - 2));
			assert_true(overhead_subtract(v[1], p));
			expect_identities(p, v[0], v[1]);
			expect_rows_sum_up(p, v[1]);
			values_free(v[0]);
			values_free(v[1]);
		}
		averages_free(a);
		profile_free(p);
	}
}

static int64_t self_in(struct query *l, uint32_t node)
{
	return query_values(l)->self[node] / query_values(l)->scale;
}

/* Values alone change, back and forth, under a path too. */
static void a_query_takes_it_off(void **state)
{
	struct profile *p = dsl_profile("frame 1 10000\nmain . 1000\nmain a 5000 10 900\nmain a/b 4000 100 40\n");
	struct query_options o = { .threads = THREADS_ALL, .average = AVERAGE_NOW };
	struct query *l;

	(void)state;
	p->process.pair_ns = 20;
	l = query_new(p);
	assert_non_null(l);
	assert_true(query_look(l, &o));
	assert_int_equal(self_in(l, 2), 4000);
	o.less_overhead = true;
	assert_true(query_look(l, &o));
	assert_true(query_values(l)->less_overhead);
	assert_int_equal(self_in(l, 2), 3000);
	o.path.length = 1;
	o.path.ids[0] = query_keys(l)->id[2];
	assert_true(query_look(l, &o));
	assert_int_equal(self_in(l, 1), 0);
	assert_int_equal(self_in(l, 2), 3000);
	assert_int_equal(query_values(l)->time[0] / query_values(l)->scale, 3000);
	o.less_overhead = false;
	o.path.length = 0;
	assert_true(query_look(l, &o));
	assert_int_equal(self_in(l, 2), 4000);
	assert_false(query_values(l)->less_overhead);
	query_free(l);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_lies_inside_and_half_in_the_caller),
		cmocka_unit_test(no_time_falls_below_zero),
		cmocka_unit_test(time_without_zones_stays),
		cmocka_unit_test(nothing_is_taken_where_a_pair_is_not_known),
		cmocka_unit_test(ticks_are_those_of_the_source),
		cmocka_unit_test(what_is_much),
		cmocka_unit_test(identities_stay),
		cmocka_unit_test(a_query_takes_it_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

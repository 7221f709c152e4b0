/* SPDX-License-Identifier: MIT */
/*
 * Causes of a zone's heat: series against flat reports of each frame; the split of a variance against ones
 * worked out by hand, and that its shares are all of it; rank correlation against known values, with ties, under
 * maps that keep the order and under ones that turn it round; and which counters are found.
 */
#include <math.h>

#include "model/stats/cause.h"
#include "tests/model_random.h"

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* Variance */

static void calls_and_cost_by_hand(void **state)
{
	int64_t ticks[40], entries[40];
	struct variance v;

	(void)state;
	for (int i = 0; i < 40; i++) {
		entries[i] = i % 2 ? 3 : 1;
		ticks[i] = i % 2 ? 50 : 10;
	}
	v = variance_of(ticks, entries, 40); /* a call costs 15 in the mean: 15 and 45, then −5 and +5 */
	assert_true(v.known && v.frames == 40);
	assert_true(is_near(v.mean, 30) && is_near(v.deviation, 20));
	assert_true(is_near(v.calls, 0.75) && is_near(v.cost, 0.25) && is_near(v.carried, 0));
}

static void one_of_the_three_alone(void **state)
{
	int64_t ticks[30], entries[30];
	struct variance v;

	(void)state;
	for (int i = 0; i < 30; i++) {
		entries[i] = i % 7;
		ticks[i] = 12 * (i % 7);
	}
	v = variance_of(ticks, entries, 30);
	assert_true(v.known && is_near(v.calls, 1) && is_near(v.cost, 0) && is_near(v.carried, 0));
	for (int i = 0; i < 30; i++)
		entries[i] = 4;
	v = variance_of(ticks, entries, 30);
	assert_true(v.known && is_near(v.calls, 0) && is_near(v.cost, 1) && is_near(v.carried, 0));
	for (int i = 0; i < 30; i++)
		entries[i] = 0;
	v = variance_of(ticks, entries, 30);
	assert_true(v.known && is_near(v.calls, 0) && is_near(v.cost, 0) && is_near(v.carried, 1));
}

/* More calls where each of them is cheaper. */
static void a_share_may_be_below_zero(void **state)
{
	int64_t ticks[30], entries[30];
	struct variance v;

	(void)state;
	for (int i = 0; i < 30; i++) {
		entries[i] = i % 2 ? 2 : 10;
		ticks[i] = i % 2 ? 100 : 150;
	}
	v = variance_of(ticks, entries, 30);
	assert_true(v.known && v.calls > 1 && v.cost < 0 && is_near(v.calls + v.cost, 1));
}

static void nothing_is_told_of_nothing(void **state)
{
	int64_t ticks[40], entries[40];

	(void)state;
	for (int i = 0; i < 40; i++) {
		ticks[i] = 1000003;
		entries[i] = 1 + i % 3;
	}
	assert_false(variance_of(ticks, entries, 40).known); /* it does not vary */
	assert_false(variance_of(ticks, entries, 0).known);
	ticks[3]++;
	assert_true(variance_of(ticks, entries, 40).known);
	assert_false(variance_of(ticks, entries, VARIANCE_FRAMES - 1).known);
}

static void shares_are_all_of_it(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		int64_t ticks[300], entries[300];
		uint32_t n;
		struct variance v;

		random_state = i;
		n = VARIANCE_FRAMES + random_below(300 - VARIANCE_FRAMES);
		for (uint32_t k = 0; k < n; k++) {
			entries[k] = random_below(3) ? random_below(50) : 0;
			ticks[k] = (int64_t)random_below(1000000) * (random_below(4) ? entries[k] : 1);
		}
		v = variance_of(ticks, entries, n);
		assert_true(v.known);
		assert_true(is_near(v.calls + v.cost + v.carried, 1));
	}
}

/* Ranks */

static double rho_of(const double *a, const double *b, uint32_t n)
{
	double x[64], y[64], rho = NAN;

	assert_true(n <= 64 && ranks_of(a, n, x) && ranks_of(b, n, y));
	return ranks_correlate(x, y, n, &rho) ? rho : NAN;
}

static void ranks_share_their_places(void **state)
{
	static const double values[] = { 5, 1, 5, 3, 5, 3 };
	static const double wanted[] = { 5, 1, 5, 2.5, 5, 2.5 };
	double ranks[6];

	(void)state;
	assert_true(ranks_of(values, 6, ranks));
	for (int i = 0; i < 6; i++)
		assert_true(ranks[i] == wanted[i]);
}

static void known_correlations(void **state)
{
	static const double a[] = { 106, 100, 86, 101, 99, 103, 97, 113, 112, 110 };
	static const double b[] = { 7, 27, 2, 50, 28, 29, 20, 12, 6, 17 };
	static const double tied[] = { 1, 2, 2, 3 }, plain[] = { 1, 3, 2, 4 };
	static const double pairs[] = { 1, 1, 2, 2 }, across[] = { 1, 2, 1, 2 }, same[] = { 7, 7, 7, 7 };

	(void)state;
	assert_true(is_near(rho_of(a, b, 10), -29.0 / 165));
	assert_true(is_near(rho_of(tied, plain, 4), 4.5 / sqrt(22.5)));
	assert_true(rho_of(pairs, across, 4) == 0);
	assert_true(rho_of(pairs, pairs, 4) == 1);
	assert_true(isnan(rho_of(same, plain, 4)) && isnan(rho_of(plain, same, 4)));
}

static void order_is_all_that_counts(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		double a[64], b[64], bent[64], turned[64], rho;
		uint32_t n;

		random_state = i;
		n = 2 + random_below(63);
		for (uint32_t k = 0; k < n; k++) {
			a[k] = random_below(random_below(2) ? 8 : 1000);
			b[k] = random_below(2) ? a[k] : random_below(20);
			bent[k] = exp(a[k] / 300) - 5;
			turned[k] = -a[k] * a[k] * a[k];
		}
		rho = rho_of(a, b, n);
		if (isnan(rho))
			continue;
		assert_true(rho >= -1 - 1e-12 && rho <= 1 + 1e-12);
		assert_true(rho_of(bent, b, n) == rho);
		assert_true(rho_of(b, a, n) == rho);
		assert_true(rho_of(turned, b, n) == -rho);
	}
}

/* Series */

static int64_t plain_count(const struct profile *p, const struct scope *s, uint32_t frame, uint32_t key)
{
	struct values *v = values_of_frames(p, frame, 1);
	struct flat_row *rows;
	int64_t count;

	if (s->members)
		values_restrict(v, p, s->members);
	rows = flat_make(p, s->keys, v, s->threads);
	count = rows[key].count;
	free(rows);
	values_free(v);
	return count;
}

static void series_are_those_of_each_frame(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		struct profile *p;
		struct series s;
		struct look l;
		uint32_t key, counted = 0;

		random_state = i;
		p = random_profile();
		for (uint32_t frames = 1 + random_below(50); frames > 0; frames--)
			random_frame(p);
		l = random_look(p);
		key = random_below(l.keys->count);
		assert_true(series_make(&s, p, &l.scope, key, UINT32_MAX));
		for (uint32_t k = 0; k < p->frame_count; k++) {
			if (!is_counted(&p->frames[k]))
				continue;
			assert_true(counted < s.count && s.frames[counted] == k);
			assert_int_equal(s.length[counted], p->frames[k].length);
			assert_int_equal(s.value[EXTENT_SELF][counted],
					 plain_value(p, &l.scope, k, key, EXTENT_SELF));
			assert_int_equal(s.value[EXTENT_HIER][counted],
					 plain_value(p, &l.scope, k, key, EXTENT_HIER));
			assert_int_equal(s.entries[counted++], plain_count(p, &l.scope, k, key));
		}
		assert_int_equal(s.count, counted);
		series_fini(&s);
		assert_true(series_make(&s, p, &l.scope, key, 3));
		assert_int_equal(s.count, counted < 3 ? counted : 3);
		for (uint32_t k = 0; k + 1 < s.count; k++)
			assert_true(s.frames[k] < s.frames[k + 1]);
		series_fini(&s);
		look_fini(&l);
		profile_free(p);
	}
}

/* A program with one zone, whose frame i is length(i) long; all of it is in the zone. */
static struct profile *program(uint32_t frames, int64_t (*length)(uint32_t))
{
	struct profile *p = profile_new();
	uint32_t zone = profile_add_zone(p, "z", "", 0, 0), node;

	assert_int_equal(profile_add_thread(p, 1, 1, "main"), 0);
	node = profile_add_node(p, p->threads[0].root, zone);
	for (uint32_t i = 0; i < frames; i++) {
		struct profile_cell cell = { node, length(i), 1 + i % 2, 7 };
		struct profile_part part = { .cells = &cell, .cell_count = 1, .end = length(i) };

		assert_true(profile_add_frame(p, i + 1, p->now_tick, length(i), 0));
		assert_true(profile_set_part(p, i + 1, &part));
		p->now_tick += length(i);
	}
	p->frames_ended = frames;
	return p;
}

static int64_t ragged(uint32_t i)
{
	return 1000 + (i * 7919) % 4001;
}

static void parts_that_are_missing_leave_frames_out(void **state)
{
	struct profile *p = program(50, ragged);
	struct keys *k = keys_new(false);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct profile_part missing = { .flags = PART_MISSING };
	struct series s;

	(void)state;
	assert_true(keys_update(k, p));
	assert_true(profile_set_part(p, 48, &missing));
	assert_true(profile_set_part(p, 20, &missing));
	assert_true(series_make(&s, p, &scope, 1, 10));
	assert_int_equal(s.count, 10);
	assert_int_equal(s.left_out, 1);
	assert_int_equal(p->frames[s.frames[0]].number, 40);
	series_fini(&s);
	keys_free(k);
	profile_free(p);
}

/* Counters */

static void set_counter(struct profile *p, const char *name, int64_t (*value)(int64_t length, uint32_t i))
{
	uint32_t counter = profile_add_counter(p, name, false, false);
	uint32_t track = profile_add_track(p, counter, 0, 0);

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];
		union profile_number n = { .whole = value(frame->length, i) };
		struct profile_change c = { .tick = frame->start + 1, .last = n, .least = n, .most = n };

		assert_true(profile_add_change(p, track, &c));
	}
}

static int64_t with_it(int64_t length, uint32_t i)
{
	(void)i;
	return length * length;
}

static int64_t against_it(int64_t length, uint32_t i)
{
	return 90000 - 3 * length + (int64_t)(i % 8) * 300;
}

static int64_t alone(int64_t length, uint32_t i)
{
	(void)length;
	return (i * 104729) % 1009;
}

static int64_t resting(int64_t length, uint32_t i)
{
	(void)length, (void)i;
	return 5;
}

static int64_t growing(int64_t length, uint32_t i)
{
	static int64_t sum;

	sum = i ? sum : 0;
	return sum += length;
}

static struct correlations correlations(const struct profile *p, uint64_t work)
{
	struct keys *k = keys_new(false);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct correlations c;
	struct series s;

	assert_true(keys_update(k, p));
	assert_true(series_make(&s, p, &scope, 1, UINT32_MAX));
	assert_true(correlations_make(&c, p, &s, work));
	series_fini(&s);
	keys_free(k);
	return c;
}

static void counters_that_move_with_it(void **state)
{
	struct profile *p = program(400, ragged);
	const struct correlation *rows[5];
	struct correlations c;

	(void)state;
	set_counter(p, "alone", alone);
	set_counter(p, "against", against_it);
	set_counter(p, "resting", resting);
	set_counter(p, "with", with_it);
	set_counter(p, "growing", growing);
	c = correlations(p, 0);
	assert_int_equal(c.frames, 400);
	assert_int_equal(c.asked, 5);
	for (int w = 0; w < CORRELATE_WITHS; w++) {
		assert_int_equal(correlations_strongest(&c, w, 5, rows), 3);
		assert_string_equal(p->counters[rows[0]->counter].name, "with");
		assert_true(is_near(rows[0]->with[w].rho, 1) && !rows[0]->with[w].of_change);
		assert_string_equal(p->counters[rows[1]->counter].name, "growing");
		assert_true(rows[1]->with[w].rho > 0.99 && rows[1]->with[w].of_change);
		assert_string_equal(p->counters[rows[2]->counter].name, "against");
		assert_true(rows[2]->with[w].rho < -0.95);
		assert_int_equal(correlations_strongest(&c, w, 1, rows), 1);
		assert_string_equal(p->counters[rows[0]->counter].name, "with");
	}
	correlations_fini(&c);
	profile_free(p);
}

static int64_t falling(uint32_t i)
{
	return 100000 - 100 * (int64_t)i + i * 7919 % 8000;
}

static int64_t shrinking(int64_t length, uint32_t i)
{
	static int64_t sum;

	sum = i ? sum : 0;
	return sum -= length;
}

/* As frames get shorter the value falls, and what it grew by rises: more exactly so. */
static void the_stronger_of_value_and_growth_is_told(void **state)
{
	struct profile *p = program(300, falling);
	struct correlations c;

	(void)state;
	set_counter(p, "shrinking", shrinking);
	c = correlations(p, 0);
	assert_int_equal(c.count, 1);
	assert_true(c.rows[0].with[CORRELATE_LENGTH].of_change);
	assert_true(c.rows[0].with[CORRELATE_LENGTH].rho < -0.97);
	correlations_fini(&c);
	profile_free(p);
}

static int64_t longer_and_longer(uint32_t i)
{
	return 100000 + 100 * (int64_t)i + i * 7919 % 800;
}

static int64_t counting(int64_t length, uint32_t i)
{
	(void)length;
	return 100 * (int64_t)i + i * 104729 % 90;
}

/* It grows by what has nothing to do with the frames, which get longer meanwhile. */
static void one_that_only_grows_does_not_go_with_all_that_drifts(void **state)
{
	struct profile *p = program(300, longer_and_longer);
	struct correlations c;

	(void)state;
	set_counter(p, "counting", counting);
	c = correlations(p, 0);
	assert_int_equal(c.asked, 1);
	assert_int_equal(c.count, 0);
	correlations_fini(&c);
	profile_free(p);
}

static void few_frames_tell_nothing(void **state)
{
	struct profile *p = program(CORRELATE_FRAMES - 1, ragged), *q = program(CORRELATE_FRAMES, ragged);
	struct correlations c;

	(void)state;
	set_counter(p, "with", with_it);
	c = correlations(p, 0);
	assert_int_equal(c.count, 0);
	correlations_fini(&c);
	set_counter(q, "with", with_it);
	c = correlations(q, 0);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.rows[0].with[CORRELATE_TIME].frames, CORRELATE_FRAMES);
	correlations_fini(&c);
	profile_free(p);
	profile_free(q);
}

/* It has no value before frame 101, and doubles that are no number are none. */
static void unknown_values_are_left_out(void **state)
{
	struct profile *p = program(200, ragged);
	uint32_t late = profile_add_track(p, profile_add_counter(p, "late", true, false), 0, 0);
	struct correlations c;

	(void)state;
	for (uint32_t i = 100; i < 200; i++) {
		const struct profile_frame *frame = &p->frames[i];
		union profile_number n = { .real = i % 10 ? (double)frame->length / 7 : i % 20 ? NAN : INFINITY };
		struct profile_change change = { .tick = frame->start + 1, .last = n, .least = n, .most = n };

		assert_true(profile_add_change(p, late, &change));
	}
	c = correlations(p, 0);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.rows[0].with[CORRELATE_LENGTH].frames, 90);
	assert_true(is_near(c.rows[0].with[CORRELATE_LENGTH].rho, 1));
	correlations_fini(&c);
	profile_free(p);
}

static void work_is_limited(void **state)
{
	struct profile *p = program(600, ragged);
	struct correlations c;

	(void)state;
	for (int i = 0; i < 40; i++) {
		char name[16];

		snprintf(name, sizeof(name), "c%d", i);
		set_counter(p, name, with_it);
	}
	c = correlations(p, 400 * 40);
	assert_true(c.frames == 400 && c.asked == 40 && !c.left_out && c.count == 40);
	correlations_fini(&c);
	c = correlations(p, 250 * 10);
	assert_true(c.frames == 250 && c.asked == 10 && c.left_out == 30 && c.count == 10);
	correlations_fini(&c);
	c = correlations(p, 1);
	assert_true(c.asked == 0 && c.left_out == 40 && c.count == 0);
	correlations_fini(&c);
	profile_free(p);
}

static void a_cause_is_all_of_it(void **state)
{
	struct profile *p = program(300, ragged);
	struct keys *k = keys_new(false);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct cause c;

	(void)state;
	set_counter(p, "with", with_it);
	assert_true(keys_update(k, p));
	assert_true(cause_make(&c, p, &scope, 1, 200, CAUSE_WORK));
	assert_int_equal(c.frames, 200);
	assert_true(c.varies[EXTENT_SELF].known && c.varies[EXTENT_HIER].known);
	assert_true(is_near(c.varies[EXTENT_SELF].calls + c.varies[EXTENT_SELF].cost, 1));
	assert_int_equal(c.correlations.count, 1);
	cause_fini(&c);
	assert_true(cause_make(&c, p, &scope, 77, 200, CAUSE_WORK)); /* no such key: it has no time */
	assert_false(c.varies[EXTENT_SELF].known);
	cause_fini(&c);
	keys_free(k);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_and_cost_by_hand),
		cmocka_unit_test(one_of_the_three_alone),
		cmocka_unit_test(a_share_may_be_below_zero),
		cmocka_unit_test(nothing_is_told_of_nothing),
		cmocka_unit_test(shares_are_all_of_it),
		cmocka_unit_test(ranks_share_their_places),
		cmocka_unit_test(known_correlations),
		cmocka_unit_test(order_is_all_that_counts),
		cmocka_unit_test(series_are_those_of_each_frame),
		cmocka_unit_test(parts_that_are_missing_leave_frames_out),
		cmocka_unit_test(counters_that_move_with_it),
		cmocka_unit_test(the_stronger_of_value_and_growth_is_told),
		cmocka_unit_test(few_frames_tell_nothing),
		cmocka_unit_test(one_that_only_grows_does_not_go_with_all_that_drifts),
		cmocka_unit_test(unknown_values_are_left_out),
		cmocka_unit_test(work_is_limited),
		cmocka_unit_test(a_cause_is_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

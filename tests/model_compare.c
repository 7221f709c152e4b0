/* SPDX-License-Identifier: MIT */
/*
 * A comparison of two marks: which frames stand on its sides; intervals against binomial sums that are made
 * another way; equal runs that give evidence in one of twenty tables at most; a shift that is found; and what
 * must not matter: the order of frames, the unit of ticks, which side is called A.
 */
#include <math.h>

#include "model/stats/compare.h"
#include "tests/model_random.h"

static struct keys *keys_for(const struct profile *p)
{
	struct keys *k = keys_new(false);

	assert_true(k && keys_update(k, p));
	return k;
}

static struct comparison *compare_all(const struct profile *p, uint64_t a, uint64_t b)
{
	struct keys *k = keys_for(p);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct comparison *c;

	assert_int_equal(compare_make(p, &scope, a, b, &c), COMPARE_OK);
	keys_free(k);
	return c;
}

/* Frames of a loop with so many zones z0, z1, ... and draw; times[] are theirs. */
static void add_frame(struct profile *p, const int64_t *times, uint32_t zones)
{
	uint64_t number = p->frames_ended + 1;
	struct profile_cell cells[64];
	struct profile_part part = { .thread = 0, .cells = cells };
	int64_t length = 0;

	assert_true(zones < 64);
	for (uint32_t i = 0; i < zones; i++) {
		char name[16];

		snprintf(name, sizeof(name), "z%u", i);
		length += times[i];
		if (times[i])
			cells[part.cell_count++] = (struct profile_cell){ dsl_node(p, "main", name), times[i], 1, 1 };
	}
	part.end = length;
	dsl_frame(p, number, length ? length : 1);
	assert_true(profile_set_part(p, number, &part));
}

static const struct compare_row *row_of(const struct profile *p, const struct comparison *c, const char *name)
{
	struct keys *k = keys_for(p);
	uint32_t key;

	assert_int_equal(keys_parse(k, p, name, &key), KEYS_FOUND);
	keys_free(k);
	for (uint32_t i = 0; i < c->row_count; i++)
		if (c->rows[i].key == key)
			return &c->rows[i];
	fail_msg("there is no row of %s", name);
	return NULL;
}

/* Frames */

static struct profile *plain_frames(uint64_t count)
{
	struct profile *p = profile_new();

	dsl_thread(p, "main");
	for (uint64_t i = 1; i <= count; i++)
		add_frame(p, (int64_t[]){ (int64_t)i, 5 }, 2);
	return p;
}

static void sides_are_the_frames_before_the_marks(void **state)
{
	struct profile *p = plain_frames(1000);
	struct comparison *c = compare_all(p, 400, 900);

	(void)state;
	assert_int_equal(c->frames[COMPARE_A].first, 101);
	assert_int_equal(c->frames[COMPARE_A].last, 400);
	assert_int_equal(c->frames[COMPARE_A].count, COMPARE_FRAMES);
	assert_int_equal(c->frames[COMPARE_B].first, 601);
	assert_int_equal(c->frames[COMPARE_B].last, 900);
	assert_int_equal(row_of(p, c, "z0")->times[EXTENT_SELF].of[COMPARE_A].median, 250);
	assert_int_equal(row_of(p, c, "z0")->times[EXTENT_SELF].difference, 500);
	assert_int_equal(row_of(p, c, "z0")->times[EXTENT_SELF].verdict, COMPARE_SLOWER);
	assert_int_equal(row_of(p, c, "z1")->times[EXTENT_SELF].verdict, COMPARE_NO_EVIDENCE);
	assert_int_equal(c->frame.verdict, COMPARE_SLOWER);
	compare_free(c);
	profile_free(p);
}

static void no_frame_is_on_both_sides(void **state)
{
	struct profile *p = plain_frames(1000);
	struct comparison *c = compare_all(p, 400, 450);

	(void)state;
	assert_int_equal(c->frames[COMPARE_B].first, 401);
	assert_int_equal(c->frames[COMPARE_B].count, 50);
	compare_free(c);
	c = compare_all(p, 450, 400); /* B before A */
	assert_int_equal(c->frames[COMPARE_A].first, 401);
	assert_int_equal(c->frames[COMPARE_B].first, 101);
	assert_int_equal(c->frame.verdict, COMPARE_FASTER);
	compare_free(c);
	profile_free(p);
}

static void frames_that_do_not_count_are_passed_over(void **state)
{
	struct profile *p = plain_frames(100);
	struct comparison *c;

	(void)state;
	p->frames[39].flags |= FRAME_DISCARDED;
	p->frames[38].flags |= FRAME_KEPT;
	p->frames[37].parts[0].flags |= PART_LAPPED;
	p->frames[36].length = 0;
	p->frames[35].parts[0].flags |= PART_MERGED;
	c = compare_all(p, 40, UINT64_MAX);
	assert_int_equal(c->frames[COMPARE_A].first, 1);
	assert_int_equal(c->frames[COMPARE_A].last, 35);
	assert_int_equal(c->frames[COMPARE_A].count, 35);
	assert_int_equal(c->frames[COMPARE_A].incomplete, 2);
	assert_int_equal(c->frames[COMPARE_B].last, 100);
	compare_free(c);
	profile_free(p);
}

static void what_is_not_held_is_said(void **state)
{
	struct profile *p = plain_frames(100);
	struct keys *k = keys_for(p);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct comparison *c;

	(void)state;
	profile_drop_frames(p, 50);
	assert_int_equal(compare_make(p, &scope, 50, 100, &c), COMPARE_NO_A);
	assert_null(c);
	assert_int_equal(compare_make(p, &scope, 100, 20, &c), COMPARE_NO_B);
	assert_int_equal(compare_make(p, &scope, 70, 70, &c), COMPARE_SAME_FRAME);
	assert_int_equal(compare_make(p, &scope, 60, 100, &c), COMPARE_OK);
	assert_int_equal(c->frames[COMPARE_A].count, 10);
	compare_free(c);
	keys_free(k);
	profile_free(p);
}

static void few_frames_are_no_evidence(void **state)
{
	struct profile *p = profile_new();
	struct comparison *c;

	(void)state;
	dsl_thread(p, "main");
	for (int i = 0; i < 60; i++)
		add_frame(p, (int64_t[]){ i < 6 ? 10 : 1000 }, 1);
	c = compare_all(p, 6, 60);
	assert_int_equal(c->comparisons, 3 + 2); /* the frame, z0 and (no zone) below which it is */
	assert_true(c->needed > 6 && c->needed < 12);
	assert_false(c->frames[COMPARE_A].bounded);
	assert_true(c->frames[COMPARE_B].bounded);
	assert_int_equal(c->frame.verdict, COMPARE_TOO_FEW);
	assert_int_equal(c->frame.difference, 990);
	compare_free(c);
	profile_free(p);
}

/* Intervals */

/* By logarithms of factorials, summed from the other end. */
static double binomial_below(uint32_t n, uint32_t j)
{
	double sum = 0;

	for (uint32_t i = j; i-- > 0;)
		sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) - n * log(2));
	return sum;
}

static void ranks_leave_out_no_more_than_alpha(void **state)
{
	static const double alphas[] = { 0.5, 0.05, 0.01, 1e-4, 1e-6, 1e-9 };

	(void)state;
	for (size_t a = 0; a < sizeof(alphas) / sizeof(*alphas); a++)
		for (uint32_t n = 1; n <= COMPARE_FRAMES; n++) {
			uint32_t j = compare_rank(n, alphas[a]);

			assert_true(j <= (n + 1) / 2);
			assert_true(binomial_below(n, j) <= alphas[a] / 2 * (1 + 1e-9));
			assert_true(j == (n + 1) / 2 || binomial_below(n, j + 1) > alphas[a] / 2 * (1 - 1e-9));
		}
	assert_int_equal(compare_rank(5, 0.05), 0); /* as tables of the sign test have it */
	assert_int_equal(compare_rank(6, 0.05), 1);
	assert_int_equal(compare_rank(20, 0.05), 6);
	assert_int_equal(compare_rank(100, 0.05), 40);
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void expect_median(const struct compare_median *m, int64_t *values, uint32_t n, uint32_t rank)
{
	qsort(values, n, sizeof(*values), ascending);
	assert_int_equal(m->median, values[(n + 1) / 2 - 1]);
	assert_int_equal(m->low, values[(rank ? rank : 1) - 1]);
	assert_int_equal(m->high, values[n - (rank ? rank : 1)]);
}

/* Random programs: threads, recursion, frames that do not count, and a scope. */
static void medians_are_those_of_sorted_values(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 60; seed++) {
		struct profile *p;
		struct look l;
		struct comparison *c;

		random_state = seed;
		p = random_profile();
		for (uint32_t i = 0; i < 60; i++)
			random_frame(p);
		l = random_look(p);
		if (compare_make(p, &l.scope, p->frames[25].number, p->frames[59].number, &c) == COMPARE_OK) {
			double alpha = COMPARE_ALPHA / 2 / c->comparisons;

			for (uint32_t i = 0; i < c->row_count; i++)
				for (int side = 0; side < COMPARE_SIDES; side++)
					for (enum extent k = 0; k < EXTENTS; k++) {
						int64_t values[60];
						uint32_t n = 0;

						for (uint32_t f = 0; f < p->frame_count; f++)
							if (is_counted(&p->frames[f]) && (f > 25) == side)
								values[n++] = plain_value(p, &l.scope, f, c->rows[i].key, k);
						assert_int_equal(n, c->frames[side].count);
						expect_median(&c->rows[i].times[k].of[side], values, n,
							      compare_rank(n, alpha));
					}
			compare_free(c);
		}
		look_fini(&l);
		profile_free(p);
	}
}

/* Evidence */

#define ZONES 8

/* Skewed, with an outlier now and then, as times are. */
static int64_t draw(void)
{
	double u = (random_below(1000000) + 0.5) / 1e6;

	return 1000 + (int64_t)(-300 * log(u)) + (random_below(50) ? 0 : 5000);
}

/* `frames` a side; in B the zones below `shifted` take `by` longer. */
static struct profile *two_sides(uint32_t frames, uint32_t shifted, int64_t by)
{
	struct profile *p = profile_new();

	dsl_thread(p, "main");
	for (uint32_t i = 0; i < 2 * frames; i++) {
		int64_t times[ZONES];

		for (uint32_t z = 0; z < ZONES; z++)
			times[z] = draw() + (i >= frames && z < shifted ? by : 0);
		add_frame(p, times, ZONES);
	}
	return p;
}

static uint32_t evident(const struct comparison *c)
{
	uint32_t found = c->frame.verdict != COMPARE_NO_EVIDENCE;

	for (uint32_t i = 0; i < c->row_count; i++)
		for (enum extent k = 0; k < EXTENTS; k++)
			found += c->rows[i].times[k].verdict != COMPARE_NO_EVIDENCE;
	return found;
}

static void equal_runs_seldom_give_evidence(void **state)
{
	uint32_t tables = 0, all = 200;

	(void)state;
	for (uint32_t seed = 0; seed < all; seed++) {
		struct profile *p;
		struct comparison *c;

		random_state = seed * 977 + 5;
		p = two_sides(60, 0, 0);
		c = compare_all(p, 60, 120);
		tables += evident(c) > 0;
		compare_free(c);
		profile_free(p);
	}
	assert_true(tables <= all / 20);
}

static void a_shift_is_found_where_it_is(void **state)
{
	uint32_t found = 0, wrong = 0, all = 40;

	(void)state;
	for (uint32_t seed = 0; seed < all; seed++) {
		struct profile *p;
		struct comparison *c;

		random_state = seed * 31 + 7;
		p = two_sides(150, 1, 250);
		c = compare_all(p, 150, 300);
		found += row_of(p, c, "z0")->times[EXTENT_SELF].verdict == COMPARE_SLOWER;
		for (uint32_t z = 1; z < ZONES; z++) {
			char name[16];

			snprintf(name, sizeof(name), "z%u", z);
			wrong += row_of(p, c, name)->times[EXTENT_SELF].verdict != COMPARE_NO_EVIDENCE;
		}
		compare_free(c);
		profile_free(p);
	}
	assert_true(found >= all * 9 / 10);
	assert_true(wrong <= 2);
}

/* What must not matter */

static void expect_mirrored(const struct compare_times *a, const struct compare_times *b)
{
	static const enum compare_verdict other[] = {
		[COMPARE_NO_EVIDENCE] = COMPARE_NO_EVIDENCE, [COMPARE_TOO_FEW] = COMPARE_TOO_FEW,
		[COMPARE_SLOWER] = COMPARE_FASTER, [COMPARE_FASTER] = COMPARE_SLOWER,
	};

	assert_memory_equal(&a->of[COMPARE_A], &b->of[COMPARE_B], sizeof(a->of[0]));
	assert_memory_equal(&a->of[COMPARE_B], &b->of[COMPARE_A], sizeof(a->of[0]));
	assert_int_equal(a->difference, -b->difference);
	assert_int_equal(a->verdict, other[b->verdict]);
}

static void sides_can_be_exchanged(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 30; seed++) {
		struct profile *p;
		struct comparison *c, *d;

		random_state = seed;
		p = two_sides(20 + seed, 3, 400);
		c = compare_all(p, 20 + seed, 2 * (20 + seed));
		d = compare_all(p, 2 * (20 + seed), 20 + seed);
		expect_mirrored(&c->frame, &d->frame);
		assert_int_equal(c->row_count, d->row_count);
		for (uint32_t i = 0; i < c->row_count; i++)
			for (enum extent k = 0; k < EXTENTS; k++)
				expect_mirrored(&c->rows[i].times[k], &d->rows[i].times[k]);
		compare_free(c);
		compare_free(d);
		profile_free(p);
	}
}

/* The same frames in another order on each side, and all ticks seven times as long. */
static struct profile *rearranged(uint32_t frames, uint32_t seed)
{
	struct profile *p = profile_new();
	int64_t (*times)[ZONES] = calloc(2 * frames, sizeof(*times));

	assert_non_null(times);
	dsl_thread(p, "main");
	random_state = seed;
	for (uint32_t i = 0; i < 2 * frames; i++)
		for (uint32_t z = 0; z < ZONES; z++)
			times[i][z] = 7 * (draw() + (i >= frames && z < 3 ? 400 : 0));
	for (uint32_t i = 0; i < 2 * frames; i++)
		add_frame(p, times[i < frames ? frames - 1 - i : 3 * frames - 1 - i], ZONES);
	free(times);
	return p;
}

static void order_and_unit_do_not_matter(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 20; seed++) {
		struct profile *p, *q = rearranged(50, seed);
		struct comparison *c, *d = compare_all(q, 50, 100);

		random_state = seed;
		p = two_sides(50, 3, 400);
		c = compare_all(p, 50, 100);
		assert_int_equal(c->row_count, d->row_count);
		for (uint32_t i = 0; i < c->row_count; i++)
			for (enum extent k = 0; k < EXTENTS; k++) {
				assert_int_equal(c->rows[i].times[k].verdict, d->rows[i].times[k].verdict);
				assert_int_equal(7 * c->rows[i].times[k].difference, d->rows[i].times[k].difference);
			}
		compare_free(c);
		compare_free(d);
		profile_free(p);
		profile_free(q);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_are_the_frames_before_the_marks),
		cmocka_unit_test(no_frame_is_on_both_sides),
		cmocka_unit_test(frames_that_do_not_count_are_passed_over),
		cmocka_unit_test(what_is_not_held_is_said),
		cmocka_unit_test(few_frames_are_no_evidence),
		cmocka_unit_test(ranks_leave_out_no_more_than_alpha),
		cmocka_unit_test(medians_are_those_of_sorted_values),
		cmocka_unit_test(equal_runs_seldom_give_evidence),
		cmocka_unit_test(a_shift_is_found_where_it_is),
		cmocka_unit_test(sides_can_be_exchanged),
		cmocka_unit_test(order_and_unit_do_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

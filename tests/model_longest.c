/* SPDX-License-Identifier: MIT */
/*
 * model_longest: the longest call where it is not known of some frame: then it is not known of any sum of
 * frames, threads or nodes that has this frame in it either, and is shown as `-`.
 */
#include "model/query/average.h"
#include "tests/model_dsl.h"

/* The longest call of `b` is not known in frame 2; that of `c` in thread `pool` of frame 3. */
static struct profile *made(void)
{
	char text[512];
	long long unknown = (long long)PROFILE_LONGEST_UNKNOWN;

	snprintf(text, sizeof(text),
		 "main . 40 0\nmain a 60 3 9\nmain b 50 3 30\nmain c 20 2 7\n"
		 "pool . 0 0\npool c 50 2 40\n"
		 "frame 1 60\nmain . 20 0\nmain a 20 1 8\nmain b 20 1 20\n"
		 "frame 2 60\nmain . 20 0\nmain a 20 1 9\nmain b 20 1 %lld\n"
		 "frame 3 50\nmain a 20 1 7\nmain b 10 1 5\nmain c 20 2 7\npool c 50 2 %lld\n",
		 unknown, unknown);
	return dsl_profile(text);
}

static void expect_frames(uint32_t first, uint32_t count, const struct report_options *o,
			  const char *expected)
{
	struct profile *p = made();
	struct values *v = values_of_frames(p, first, count);

	assert_non_null(v);
	dsl_expect_values(p, v, o, SHEET_NO_LIMIT, "max", expected);
	values_free(v);
	profile_free(p);
}

static void of_a_frame(void **state)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	(void)state;
	o.unit = UNIT_NS;
	o.sort = COLUMN_MAX;
	expect_frames(0, 1, &o,
			  "  ZONE        MAX ns v\n"
			  "  b                 20\n"
			  "  a                  8\n"
			  "  (no zone)          -\n");
	expect_frames(1, 1, &o,
			  "  ZONE        MAX ns v\n"
			  "  a                  9\n"
			  "  b                  -\n"
			  "  (no zone)          -\n");
}

static void of_several_frames(void **state)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	(void)state;
	o.unit = UNIT_NS;
	o.sort = COLUMN_MAX;
	expect_frames(0, 2, &o,
			  "  ZONE        MAX ns v\n"
			  "  a                  9\n"
			  "  b                  -\n"
			  "  (no zone)          -\n");
}

static void of_merged_threads(void **state)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	(void)state;
	o.unit = UNIT_NS;
	o.sort = COLUMN_MAX;
	expect_frames(2, 1, &o,
			  "  ZONE        MAX ns v\n"
			  "  a                  7\n"
			  "  b                  5\n"
			  "  c                  -\n"
			  "  (no zone)          -\n");
	o.thread = 0;
	expect_frames(2, 1, &o,
			  "  ZONE        MAX ns v\n"
			  "  a                  7\n"
			  "  c                  7\n"
			  "  b                  5\n"
			  "  (no zone)          -\n");
	o.thread = THREADS_ALL;
	o.view = REPORT_TREE;
	expect_frames(2, 1, &o,
			  "  ZONE        MAX ns v\n"
			  "+ all                -\n"
			  "    a                7\n"
			  "    b                5\n"
			  "    c                -\n");
}

/* As long as the frame is one of those whose longest calls are looked at; the whole run is known. */
static void of_averages(void **state)
{
	struct profile *p = made();
	struct averages *a = averages_new();
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct values *v;

	(void)state;
	o.unit = UNIT_NS;
	o.sort = COLUMN_MAX;
	assert_true(a && averages_update(a, p));
	v = values_average(a, p, AVERAGE_FAST);
	assert_non_null(v);
	dsl_expect_values(p, v, &o, SHEET_NO_LIMIT, "max",
			  "  ZONE        MAX ns v\n"
			  "  a                  9\n"
			  "  b                  -\n"
			  "  c                  -\n"
			  "  (no zone)          -\n");
	values_free(v);
	dsl_expect(p, &o, "max",
			  "  ZONE        MAX ns v\n"
			  "  c                 40\n"
			  "  b                 30\n"
			  "  a                  9\n"
			  "  (no zone)          -\n");
	averages_free(a);
	profile_free(p);
}

/* A copy holds it as it is: it is among the values that need all of 64 bits. */
static void held_and_copied(void **state)
{
	struct profile *p = made(), *copy = profile_copy(p);
	const struct profile_held *part;

	(void)state;
	assert_non_null(copy);
	profile_free(p);
	part = profile_find_part(profile_find_frame(copy, 3), 1);
	assert_int_equal(part->cell_count, 1);
	assert_int_equal(profile_cell(part, 0).longest, PROFILE_LONGEST_UNKNOWN);
	profile_free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_frame),        cmocka_unit_test(of_several_frames),
		cmocka_unit_test(of_merged_threads), cmocka_unit_test(of_averages),
		cmocka_unit_test(held_and_copied),
	};

	return cmocka_run_group_tests_name("model: longest calls that are not known", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Pins: their numbers, their time in a frame, and their rows in reports. */
#include "model/query/pins.h"
#include "tests/model_dsl.h"

#define FRAME                                                                                      \
	"frame 1 900\n"                                                                            \
	"main . 100 0\n"                                                                           \
	"main update 200 1 800\n"                                                                  \
	"main update/ray 300 1 300\n"                                                              \
	"main ray 50 1 50\n"                                                                       \
	"main ray/ray 250 1 250\n"                                                                 \
	"7 ray 400 1 400\n"                                                                        \
	"7 job 500 1 500\n"

static uint64_t id_of(const struct profile *p, const char *name)
{
	for (uint32_t zone = 0; zone < p->zone_count; zone++)
		if (!strcmp(p->zones[zone].name, name))
			return key_id(p, zone, 1);
	fail_msg("there is no zone %s", name);
	return 0;
}

static void numbers_stay(void **state)
{
	struct pins pins = { 0 };

	(void)state;
	assert_false(pins_any(&pins));
	for (uint32_t i = 1; i <= PINS_MOST; i++)
		assert_int_equal(pins_turn(&pins, 100 + i), i);
	assert_int_equal(pins_turn(&pins, 200), 0);
	assert_int_equal(pins_number(&pins, 200), 0);
	assert_int_equal(pins_turn(&pins, 102), 2);
	assert_int_equal(pins_number(&pins, 102), 0);
	assert_int_equal(pins_number(&pins, 103), 3);
	assert_int_equal(pins_turn(&pins, 200), 2);
	assert_int_equal(pins_number(&pins, 0), 0); /* what is free is nobody's */
	assert_true(pins_any(&pins));
}

static void expect_times(const struct profile *p, bool spread, uint32_t threads, const struct pins *pins,
			 const int64_t expected[PINS_MOST])
{
	struct keys *keys = keys_new(spread);
	int64_t got[PINS_MOST];

	assert_non_null(keys);
	assert_true(keys_update(keys, p));
	pins_in_frame(pins, keys, p, &p->frames[0], threads, got);
	assert_memory_equal(got, expected, sizeof(got));
	keys_free(keys);
}

/* Self time is summed over all nodes of the zone, in the threads that are chosen; spread, the first depth is
 * the zone. */
static void times_are_those_of_the_frame(void **state)
{
	struct profile *p = dsl_profile(FRAME);
	struct pins pins = { 0 };

	(void)state;
	pins_turn(&pins, id_of(p, "ray"));
	pins_turn(&pins, id_of(p, "job"));
	pins_turn(&pins, 12345);
	pins_turn(&pins, id_of(p, "update"));
	expect_times(p, false, THREADS_ALL, &pins, (int64_t[]){ 1000, 500, 0, 200 });
	expect_times(p, false, 0, &pins, (int64_t[]){ 600, 0, 0, 200 });
	expect_times(p, true, 0, &pins, (int64_t[]){ 350, 0, 0, 200 });
	profile_free(p);
}

static struct report *report_with(const struct profile *p, enum report_view view, const struct pins *pins,
				  const char *filter)
{
	struct values *v = values_of_frames(p, 0, p->frame_count);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	char why[256];

	assert_non_null(v);
	o.view = view;
	o.pins = pins;
	o.filter = filter;
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_OK);
	values_free(v);
	return r;
}

/* `1:job update ray`: names in order, those that are pinned with their number. */
static void expect_rows(struct report *r, const char *expected)
{
	char text[256] = "", *at = text;

	for (uint32_t i = 0; i < r->sections[0].row_count; i++) {
		const struct report_row *row = &r->sections[0].rows[i];

		at += sprintf(at, "%s", i ? " " : "");
		at += row->pin ? sprintf(at, "%d:%s", row->pin, row->name) : sprintf(at, "%s", row->name);
	}
	assert_string_equal(text, expected);
	report_free(r);
}

static void they_stand_first_in_flat_reports(void **state)
{
	struct profile *p = dsl_profile(FRAME);
	struct pins pins = { 0 };

	(void)state;
	expect_rows(report_with(p, REPORT_SELF, NULL, ""), "ray job update (no zone)");
	expect_rows(report_with(p, REPORT_SELF, &pins, ""), "ray job update (no zone)");
	pins_turn(&pins, id_of(p, "update"));
	pins_turn(&pins, id_of(p, "job"));
	expect_rows(report_with(p, REPORT_SELF, &pins, ""), "1:update 2:job ray (no zone)");
	expect_rows(report_with(p, REPORT_HIER, &pins, ""), "1:update 2:job ray (no zone)");
	expect_rows(report_with(p, REPORT_HIER, &pins, "ray"), "1:update 2:job ray");
	profile_free(p);
}

static void a_tree_keeps_its_order(void **state)
{
	struct profile *p = dsl_profile(FRAME);
	struct pins pins = { 0 };

	(void)state;
	pins_turn(&pins, id_of(p, "ray"));
	expect_rows(report_with(p, REPORT_TREE, &pins, "ray"),
		    "all 1:ray 1:ray update 1:ray");
	expect_rows(report_with(p, REPORT_TREE, &pins, "job"), "all job");
	profile_free(p);
}

/* A zone without time in what is looked at is there all the same. */
static void one_without_time_is_there(void **state)
{
	struct profile *p = dsl_profile(FRAME);
	struct pins pins = { 0 };
	uint32_t idle = profile_add_zone(p, "idle", "", 0, 0);

	(void)state;
	assert_int_not_equal(profile_add_node(p, p->threads[0].root, idle), PROFILE_NONE);
	expect_rows(report_with(p, REPORT_SELF, NULL, ""), "ray job update (no zone)");
	pins_turn(&pins, id_of(p, "idle"));
	expect_rows(report_with(p, REPORT_SELF, &pins, ""), "1:idle ray job update (no zone)");
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stay),
		cmocka_unit_test(times_are_those_of_the_frame),
		cmocka_unit_test(they_stand_first_in_flat_reports),
		cmocka_unit_test(a_tree_keeps_its_order),
		cmocka_unit_test(one_without_time_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

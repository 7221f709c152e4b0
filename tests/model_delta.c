/* SPDX-License-Identifier: MIT */
/*
 * The column that says by how much a frame differs from another one: in every view each row's value of the one
 * less that of the other, which two reports without the column give, on programs that run at random.
 */
#include "tests/model_random.h"

#define ROUNDS 150

static struct report *report_of(struct lens *lens, struct report_options *o)
{
	struct report *r;
	char why[512] = "";

	o->zero_rows = true;
	if (lens_report(lens, o, &r, why, sizeof(why)) != REPORT_OK)
		fail_msg("%s", why);
	return r;
}

/* What the view is about, of the row with this id; 0: there is none. */
static int64_t value_of(const struct report *r, uint64_t id)
{
	for (uint32_t i = 0; i < r->sections[0].row_count; i++) {
		const struct report_row *row = &r->sections[0].rows[i];
		bool by_self = r->view == REPORT_SELF || row->role == ROW_NO_ZONE;

		if (row->id == id)
			return row->values[by_self ? COLUMN_SELF : COLUMN_HIER].exact;
	}
	return 0;
}

static void look_at(struct lens *lens, const struct look *look, uint64_t frame, uint64_t base)
{
	struct lens_options o = { .threads = look->scope.threads, .spread = look->keys->spread,
				  .average = AVERAGE_NOW, .frame = frame, .path = look->path,
				  .base = base, .base_name = "median" };

	assert_true(lens_look(lens, &o));
}

static void check_view(struct lens *lens, const struct look *look, struct report_options o,
		       uint64_t frame, uint64_t base)
{
	struct report *now, *then, *both;
	int64_t sum = 0;

	look_at(lens, look, frame, 0);
	now = report_of(lens, &o);
	look_at(lens, look, base, 0);
	then = report_of(lens, &o);
	look_at(lens, look, frame, base);
	both = report_of(lens, &o);
	assert_false(now->columns >> COLUMN_DELTA & 1);
	assert_true(both->columns >> COLUMN_DELTA & 1);
	assert_string_equal(report_title(both, COLUMN_DELTA), "vs median");
	for (uint32_t i = 0; i < both->sections[0].row_count; i++) {
		const struct report_row *row = &both->sections[0].rows[i];

		assert_int_equal(row->values[COLUMN_DELTA].exact,
				 value_of(now, row->id) - value_of(then, row->id));
		sum += row->values[COLUMN_DELTA].exact;
	}
	if (o.view == REPORT_SELF)
		assert_int_equal(sum, now->sections[0].time - then->sections[0].time);
	report_free(now);
	report_free(then);
	report_free(both);
}

static void in_every_view_it_is_the_one_less_the_other(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct profile *p;
		struct lens *lens;
		struct look look;
		uint64_t frame, base;

		random_state = seed;
		p = random_profile();
		while (p->frame_count < 4)
			random_frame(p);
		lens = lens_new(p);
		look = random_look(p);
		frame = p->frames[random_below(4)].number;
		base = p->frames[random_below(4)].number;
		for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
			struct report_options o = REPORT_OPTIONS_DEFAULT;

			o.view = view;
			o.focus = random_below(look.keys->count);
			check_view(lens, &look, o, frame, base);
		}
		look_fini(&look);
		lens_free(lens);
		profile_free(p);
	}
}

/* Three frames of 10, 30 and 12 ms. */
static struct profile *three(void)
{
	return dsl_profile("frame 1 10000000\nmain . 1000000\nmain ai 4000000 2\nmain draw 5000000 1\n"
			   "frame 2 30000000\nmain . 1000000\nmain ai 25000000 2\nmain ray 4000000 1\n"
			   "frame 3 12000000\nmain . 1000000\nmain ai 5000000 2\nmain draw 6000000 1\n");
}

static void show(struct profile *p, struct lens_options look, enum column sort, bool invert,
		 const char *expected)
{
	struct lens *lens = lens_new(p);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	struct layout *l;
	char why[512], *text;

	look.threads = THREADS_ALL;
	look.average = AVERAGE_NOW;
	assert_true(lens_look(lens, &look));
	o.sort = sort;
	o.invert = invert;
	assert_int_equal(lens_report(lens, &o, &r, why, sizeof(why)), REPORT_OK);
	r->columns &= 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_DELTA;
	l = layout_make(r, LAYOUT_NO_LIMIT, true);
	text = dsl_lines(l);
	assert_string_equal(text, expected);
	free(text);
	layout_free(l);
	report_free(r);
	lens_free(lens);
}

static void rows_that_are_gone_stay_and_the_farthest_from_0_is_first(void **state)
{
	struct profile *p = three();

	(void)state;
	show(p, (struct lens_options){ .frame = 2, .base = 3, .base_name = "mark a" }, COLUMN_DELTA, false,
	     "  ZONE         SELF ms  vs mark a ms v\n"
	     "  ai            25.000         +20.000\n"
	     "  draw           0.000          -6.000\n"
	     "  ray            4.000          +4.000\n"
	     "  (no zone)      1.000           0.000\n");
	show(p, (struct lens_options){ .frame = 2, .base = 3, .base_name = "mark a" }, COLUMN_DELTA, true,
	     "  ZONE         SELF ms  vs mark a ms ^\n"
	     "  ray            4.000          +4.000\n"
	     "  draw           0.000          -6.000\n"
	     "  ai            25.000         +20.000\n"
	     "  (no zone)      1.000           0.000\n");
	profile_free(p);
}

static void without_a_base_there_is_no_such_column(void **state)
{
	static const char expected[] = "  ZONE        SELF ms v\n"
				       "  ai             25.000\n"
				       "  ray             4.000\n"
				       "  (no zone)       1.000\n";
	struct profile *p = three();

	(void)state;
	show(p, (struct lens_options){ .frame = 2 }, COLUMN_DELTA, false, expected);
	show(p, (struct lens_options){ .frame = 2, .base = 77 }, COLUMN_SELF, false, expected);
	profile_free(p);
}

/* The average of frames of 10, 30, 12 ms, weighted by how long they were: between them, and rounded to ticks. */
static void an_average_is_brought_to_the_ticks_of_the_frame(void **state)
{
	struct lens_options o = { .threads = THREADS_ALL, .average = AVERAGE_NOW, .frame = 2,
				  .base = LENS_BASE_AVERAGE, .base_name = "average" };
	struct profile *p = three();
	struct lens *lens = lens_new(p);
	const struct values *base;
	int64_t time = 0;

	(void)state;
	assert_true(lens_look(lens, &o));
	base = lens_base(lens);
	assert_non_null(base);
	assert_int_equal(base->scale, 1);
	for (uint32_t i = 0; i < base->node_count; i++)
		time += base->self[i];
	assert_int_equal(time, base->time[0]);
	assert_in_range(base->time[0], 10000000, 30000000);
	o.frame = 0;
	assert_true(lens_look(lens, &o));
	assert_null(lens_base(lens));
	lens_free(lens);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_every_view_it_is_the_one_less_the_other),
		cmocka_unit_test(rows_that_are_gone_stay_and_the_farthest_from_0_is_first),
		cmocka_unit_test(without_a_base_there_is_no_such_column),
		cmocka_unit_test(an_average_is_brought_to_the_ticks_of_the_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

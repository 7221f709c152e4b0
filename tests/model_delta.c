/* SPDX-License-Identifier: MIT */
/*
 * The column that says by how much a frame differs from another one: in every view each row's value of the one
 * less that of the other, which two reports without the column give, on programs that run at random.
 */
#include "tests/model_random.h"

#define ROUNDS 150

static struct report *report_of(struct query *query, struct report_options *o)
{
	struct report *r;
	char why[512] = "";

	o->zero_rows = true;
	if (query_report(query, o, &r, why, sizeof(why)) != REPORT_OK)
		fail_msg("%s", why);
	return r;
}

/* The value that the view is about, in the row with this id; 0: there is none. */
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

static void look_at(struct query *query, const struct look *look, uint64_t frame, uint64_t base)
{
	struct query_options o = { .threads = look->scope.threads, .spread = look->keys->spread,
				  .average = AVERAGE_NOW, .frame = frame, .path = look->path,
				  .base = base, .base_name = "median" };

	assert_true(query_look(query, &o));
}

/* A thread for itself: whether it enters a zone, its time in none, and what its row with this id says. */
struct alone {
	bool enters;
	int64_t outside, value;
};

static struct alone alone(struct query *query, const struct look *look, struct report_options o, uint32_t thread, uint64_t frame,
			  uint64_t id)
{
	struct report_options flat = o;
	struct look one = *look;
	struct report *all, *r;
	struct alone a = { 0 };

	one.scope.threads = thread;
	look_at(query, &one, frame, 0);
	flat.view = REPORT_SELF;
	all = report_of(query, &flat);
	for (uint32_t i = 0; i < all->sections[0].row_count; i++)
		if (all->sections[0].rows[i].zone != PROFILE_NO_ZONE)
			a.enters |= all->sections[0].rows[i].values[COLUMN_COUNT].exact;
	a.outside = all->sections[0].outside;
	r = report_of(query, &o);
	a.value = value_of(r, id);
	report_free(all);
	report_free(r);
	return a;
}

/* The row of all, or of what is in no zone: the sum over the threads, each for itself. Where they are merged it is without
 * what those spend in no zone that enter none on either side. */
static int64_t delta_of_threads(struct query *query, const struct look *look, struct report_options o, uint64_t frame,
				uint64_t base, uint64_t id, const struct profile *p, int64_t *then)
{
	int64_t delta = 0;

	*then = 0;
	for (uint32_t thread = 0; thread < p->thread_count; thread++) {
		struct alone now, before;

		if (!profile_selects(p, look->scope.threads, thread))
			continue;
		now = alone(query, look, o, thread, frame, id);
		before = alone(query, look, o, thread, base, id);
		if (profile_merges(look->scope.threads) && !now.enters && !before.enters) {
			now.value -= now.outside;
			before.value -= before.outside;
		}
		delta += now.value - before.value;
		*then += before.value;
	}
	return delta;
}

/* The rows below `all` add up to it, in differences, too. */
static void check_tree(const struct report *r)
{
	const struct report_section *s = &r->sections[0];

	for (uint32_t i = 0; i < s->row_count; i++) {
		int64_t below = 0;

		for (uint32_t k = i + 1; k < s->row_count; k++)
			if (s->rows[k].parent == i)
				below += s->rows[k].values[COLUMN_HIER].exact;
		assert_int_equal(s->rows[i].values[COLUMN_HIER].exact, s->rows[i].values[COLUMN_SELF].exact + below);
	}
}

static void check_view(struct query *query, const struct look *look, struct report_options o,
		       uint64_t frame, uint64_t base, const struct profile *p)
{
	struct report *now, *then, *both;
	int64_t sum = 0, before;

	look_at(query, look, frame, 0);
	now = report_of(query, &o);
	look_at(query, look, base, 0);
	then = report_of(query, &o);
	look_at(query, look, frame, base);
	both = report_of(query, &o);
	assert_false(now->columns >> COLUMN_DELTA & 1);
	assert_true(both->columns >> COLUMN_DELTA & 1);
	assert_string_equal(report_title(both, COLUMN_DELTA), "vs median");
	for (uint32_t i = 0; i < both->sections[0].row_count; i++) {
		const struct report_row *row = &both->sections[0].rows[i];

		sum += row->values[COLUMN_DELTA].exact;
		if (row->zone != PROFILE_NO_ZONE || row->role == ROW_CALLER) {
			assert_int_equal(row->values[COLUMN_DELTA].exact, value_of(now, row->id) - value_of(then, row->id));
			continue;
		}
		assert_int_equal(row->values[COLUMN_DELTA].exact, delta_of_threads(query, look, o, frame, base, row->id, p, &before));
		assert_int_equal(value_of(both, row->id) - row->values[COLUMN_DELTA].exact, before);
		if (o.view == REPORT_TREE)
			assert_int_equal(value_of(both, row->id), both->sections[0].time);
	}
	if (o.view == REPORT_SELF) {
		int64_t time = both->sections[0].time;

		look_at(query, look, base, frame);
		report_free(both);
		both = report_of(query, &o);
		assert_int_equal(sum, time - both->sections[0].time);
	}
	if (o.view == REPORT_TREE)
		check_tree(both);
	report_free(now);
	report_free(then);
	report_free(both);
}

static void in_every_view_it_is_the_one_less_the_other(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct profile *p;
		struct query *query;
		struct look look;
		uint64_t frame, base;

		random_state = seed;
		p = random_profile();
		while (p->frame_count < 4)
			random_frame(p);
		query = query_new(p);
		look = random_look(p);
		frame = p->frames[random_below(4)].number;
		base = p->frames[random_below(4)].number;
		for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
			struct report_options o = REPORT_OPTIONS_DEFAULT;

			o.view = view;
			o.focus = random_below(look.keys->count);
			check_view(query, &look, o, frame, base, p);
		}
		look_fini(&look);
		query_free(query);
		profile_free(p);
	}
}

/* A frame in which workers have nothing to do is not shorter by them: they are on both sides, or on none. */
static void the_same_threads_are_on_both_sides(void **state)
{
	struct profile *p = dsl_profile("frame 1 300\nmain . 100\nmain ai 200 1\none . 250\none job 50 1\ntwo . 300\nthree . 300\n"
					"frame 2 400\nmain . 100\nmain ai 300 1\none . 400\ntwo . 340\ntwo job 60 1\nthree . 400\n");
	static const struct {
		uint64_t frame, base;
		int64_t hier, delta, threads;
	} cases[] = { { 1, 0, 600, 0, 2 }, { 2, 0, 800, 0, 2 }, { 2, 1, 1200, 300, 3 }, { 1, 2, 900, -300, 3 } };
	struct query *query = query_new(p);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (int view = REPORT_SELF; view < REPORT_VIEWS; view++) {
			struct report_options o = REPORT_OPTIONS_DEFAULT;
			struct query_options look = { .threads = THREADS_ALL, .average = AVERAGE_NOW, .frame = cases[i].frame,
						     .base = cases[i].base };
			struct report *r;
			const struct report_row *row;

			o.view = (enum report_view)view;
			o.focus = PROFILE_NO_ZONE;
			assert_true(query_look(query, &look));
			r = report_of(query, &o);
			assert_int_equal(r->sections[0].time, cases[i].hier);
			for (row = r->sections[0].rows; row->zone != PROFILE_NO_ZONE; row++) {}
			if (view == REPORT_TREE || view == REPORT_GRAPH) {
				assert_int_equal(row->values[COLUMN_HIER].exact, cases[i].hier);
				assert_int_equal(row->values[COLUMN_DELTA].exact, cases[i].delta);
			}
			if (row->shown >> COLUMN_THREADS & 1)
				assert_int_equal(row->values[COLUMN_THREADS].exact, cases[i].threads);
			report_free(r);
		}
	query_free(query);
	profile_free(p);
}

/* Three frames of 10, 30 and 12 ms. */
static struct profile *three(void)
{
	return dsl_profile("frame 1 10000000\nmain . 1000000\nmain ai 4000000 2\nmain draw 5000000 1\n"
			   "frame 2 30000000\nmain . 1000000\nmain ai 25000000 2\nmain ray 4000000 1\n"
			   "frame 3 12000000\nmain . 1000000\nmain ai 5000000 2\nmain draw 6000000 1\n");
}

static void show(struct profile *p, struct query_options look, enum column sort, bool invert,
		 const char *expected)
{
	struct query *query = query_new(p);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	struct layout *l;
	char why[512], *text;

	look.threads = THREADS_ALL;
	look.average = AVERAGE_NOW;
	assert_true(query_look(query, &look));
	o.sort = sort;
	o.invert = invert;
	assert_int_equal(query_report(query, &o, &r, why, sizeof(why)), REPORT_OK);
	r->columns &= 1u << COLUMN_ZONE | 1u << COLUMN_SELF | 1u << COLUMN_DELTA;
	l = layout_make(r, SHEET_NO_LIMIT, true);
	text = dsl_lines(l);
	assert_string_equal(text, expected);
	free(text);
	layout_free(l);
	report_free(r);
	query_free(query);
}

static void rows_that_are_gone_stay_and_the_farthest_from_0_is_first(void **state)
{
	struct profile *p = three();

	(void)state;
	show(p, (struct query_options){ .frame = 2, .base = 3, .base_name = "mark a" }, COLUMN_DELTA, false,
	     "  ZONE         SELF ms  vs mark a ms v\n"
	     "  ai            25.000         +20.000\n"
	     "  draw           0.000          -6.000\n"
	     "  ray            4.000          +4.000\n"
	     "  (no zone)      1.000           0.000\n");
	show(p, (struct query_options){ .frame = 2, .base = 3, .base_name = "mark a" }, COLUMN_DELTA, true,
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
	show(p, (struct query_options){ .frame = 2 }, COLUMN_DELTA, false, expected);
	show(p, (struct query_options){ .frame = 2, .base = 77 }, COLUMN_SELF, false, expected);
	profile_free(p);
}

/* The average of frames of 10, 30, 12 ms, weighted by how long they were: between them, and rounded to ticks. */
static void an_average_is_brought_to_the_ticks_of_the_frame(void **state)
{
	struct query_options o = { .threads = THREADS_ALL, .average = AVERAGE_NOW, .frame = 2,
				  .base = QUERY_BASE_AVERAGE, .base_name = "average" };
	struct profile *p = three();
	struct query *query = query_new(p);
	const struct values *base;
	int64_t time = 0;

	(void)state;
	assert_true(query_look(query, &o));
	base = query_base(query);
	assert_non_null(base);
	assert_int_equal(base->scale, 1);
	for (uint32_t i = 0; i < base->node_count; i++)
		time += base->self[i];
	assert_int_equal(time, base->time[0]);
	assert_in_range(base->time[0], 10000000, 30000000);
	o.frame = 0;
	assert_true(query_look(query, &o));
	assert_null(query_base(query));
	query_free(query);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_threads_are_on_both_sides),
		cmocka_unit_test(in_every_view_it_is_the_one_less_the_other),
		cmocka_unit_test(rows_that_are_gone_stay_and_the_farthest_from_0_is_first),
		cmocka_unit_test(without_a_base_there_is_no_such_column),
		cmocka_unit_test(an_average_is_brought_to_the_ticks_of_the_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

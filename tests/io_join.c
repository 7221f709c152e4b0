/* SPDX-License-Identifier: MIT */
/*
 * io_join: intervals and what threads say of them become frames, whichever comes first.
 */
#include "io/region/join.h"
#include "tests/io_frames.h"

struct fixture {
	struct profile *p;
	struct join *j;
	uint32_t main, worker, ended; /* threads */
	uint32_t a, b;                /* nodes of main */
	uint32_t ended_a;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	uint32_t a, b;

	f->p = profile_new();
	f->j = join_new(f->p);
	f->main = profile_add_thread(f->p, 1, 0, "main");
	f->worker = profile_add_thread(f->p, 2, 0, "worker");
	f->ended = profile_add_thread(f->p, 0, 0, "ended threads");
	f->p->threads[f->ended].state = THREAD_AGGREGATE;
	a = profile_add_zone(f->p, "a", "", 0, 0);
	b = profile_add_zone(f->p, "b", "", 0, 0);
	f->a = profile_add_node(f->p, f->p->threads[f->main].root, a);
	f->b = profile_add_node(f->p, f->a, b);
	f->ended_a = profile_add_node(f->p, f->p->threads[f->ended].root, a);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	join_free(f->j);
	profile_free(f->p);
	free(f);
	return 0;
}

/* Interval n is [100n, 100n + 100) and frame n. */
static void mark(struct fixture *f, uint64_t n, uint32_t flags)
{
	struct join_interval interval = { n, n, (int64_t)n * 100, (int64_t)n * 100 + 100, flags };

	assert_true(join_interval(f->j, &interval));
}

static void outside(struct fixture *f, uint64_t n)
{
	struct join_interval interval = { n, 0, (int64_t)n * 100, (int64_t)n * 100 + 100, 0 };

	assert_true(join_interval(f->j, &interval));
}

static void say(struct fixture *f, enum join_kind kind, uint32_t thread, uint64_t first,
		uint64_t last, int64_t bound, int64_t end, uint32_t flags,
		struct profile_cell *cells, uint32_t count)
{
	struct join_record r = { kind, thread, flags, first, last, bound, end, cells, count, NULL, 0, 0 };

	assert_true(join_record(f->j, &r));
}

/* A part of main: so much in a, with one entry, and the rest in b. */
static void part(struct fixture *f, uint64_t n, int64_t bound, int64_t end, int64_t in_a)
{
	struct profile_cell cells[] = { { f->a, in_a, 1, in_a }, { f->b, end - bound - in_a, 0, 0 } };

	say(f, JOIN_PART, f->main, n, n, bound, end, 0, cells, 2);
}

static void span(struct fixture *f, uint64_t first, uint64_t last, int64_t bound, uint32_t flags)
{
	struct profile_cell cell = { .node = f->p->threads[f->worker].root };

	say(f, JOIN_SPAN, f->worker, first, last, bound, 0, flags, &cell, 1);
}

static void test_parts_of_known_intervals(void **state)
{
	struct fixture *f = *state;

	mark(f, 1, 0);
	mark(f, 2, 0);
	part(f, 1, 110, 205, 40);
	part(f, 2, 205, 300, 95);
	expect_frames(f->p, "1 100+100: main 110-205 a:40*1^40 b:55\n"
			    "2 200+100: main 205-300 a:95*1^95 b:0\n");
}

static void test_what_comes_early_waits(void **state)
{
	struct fixture *f = *state;

	part(f, 1, 100, 200, 60);
	part(f, 2, 200, 300, 70);
	mark(f, 1, 0);
	expect_frames(f->p, "1 100+100: main 100-200 a:60*1^60 b:40\n");
	mark(f, 2, 0);
	expect_frames(f->p, "1 100+100: main 100-200 a:60*1^60 b:40\n"
			    "2 200+100: main 200-300 a:70*1^70 b:30\n");
}

static void test_pieces_are_one_part(void **state)
{
	struct fixture *f = *state;

	part(f, 1, 100, 130, 20); /* waits, alone and with the next */
	part(f, 1, 130, 150, 5);
	mark(f, 1, 0);
	part(f, 1, 150, 200, 50); /* comes to those that are there */
	expect_frames(f->p, "1 100+100: main 100-200 a:75*3^50 b:25\n");
	expect_exact(f->p);
}

static void test_span(void **state)
{
	struct fixture *f = *state;

	mark(f, 1, 0);
	outside(f, 2);
	mark(f, 3, 0);
	span(f, 1, 5, 130, 0); /* 4 and 5 are to come */
	mark(f, 4, 0);
	mark(f, 5, 0);
	mark(f, 6, 0);
	expect_frames(f->p, "1 100+100: worker 130-200 .:70\n"
			    "3 300+100: worker 300-400 .:100\n"
			    "4 400+100: worker 400-500 .:100\n"
			    "5 500+100: worker 500-600 .:100\n"
			    "6 600+100:\n");
}

/* ---- measures of a span */

static uint32_t slice_measure(struct fixture *f, const char *key, enum measure_combine combine)
{
	struct profile_measure row = { .key = (char *)key, .title = (char *)"", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE,
				       .combine = combine };
	uint32_t measure = profile_add_measure(f->p, &row);

	assert_true(measure != PROFILE_NONE);
	return measure;
}

/* -1: not known. */
static int64_t amount(struct fixture *f, uint64_t number, uint32_t measure)
{
	const struct profile_held *held = profile_find_part(profile_find_frame(f->p, number), f->worker);
	struct measure_amounts a = profile_amounts(f->p, held, measure);

	return !a.known ? -1 : a.count ? a.values[0] : 0;
}

/* A span of the worker that has a sum, a maximum, a sum of 0, and a sum that is not known. */
static void span_of_measures(struct fixture *f, uint64_t first, uint64_t last, int64_t bound, int64_t length, uint32_t measure)
{
	struct profile_cell cell = { .node = f->p->threads[f->worker].root };
	uint32_t node = cell.node;
	int64_t sum = 1003, most = 77;
	struct profile_column columns[] = { { measure, false, 1, &node, &sum }, { measure + 1, false, 1, &node, &most },
					    { measure + 2, false, 0, &node, &sum }, { measure + 3, true, 0, &node, &sum } };
	struct join_record r = { .kind = JOIN_SPAN, .thread = f->worker, .first = first, .last = last, .bound = bound,
				 .cells = &cell, .cell_count = 1, .columns = columns, .column_count = 4, .columns_length = length };

	assert_true(join_record(f->j, &r));
}

static uint32_t slice_measures(struct fixture *f)
{
	uint32_t measure = slice_measure(f, "sum", MEASURE_SUM);

	slice_measure(f, "most", MEASURE_MAX);
	slice_measure(f, "zero", MEASURE_SUM);
	slice_measure(f, "lost", MEASURE_SUM);
	return measure;
}

/* Intervals have sums by their lengths, and all together exactly what the span has, whenever they come. */
static void test_span_divides_sums(void **state)
{
	struct fixture *f = *state;
	uint32_t m = slice_measures(f);

	mark(f, 1, 0);
	outside(f, 2);
	mark(f, 3, 0);
	span_of_measures(f, 1, 5, 130, 470, m);
	mark(f, 4, 0);
	mark(f, 5, 0);
	assert_int_equal(amount(f, 1, m), 1003 * 70 / 470);
	assert_int_equal(amount(f, 3, m), 213);
	assert_int_equal(amount(f, 4, m), 214);
	assert_int_equal(amount(f, 5, m), 1003 - 149 - 213 - 213 - 214); /* interval 2, which is no frame, has 213 */
	for (uint64_t n = 1; n <= 5; n += n == 1 ? 2 : 1) {
		assert_int_equal(amount(f, n, m + 1), 77);
		assert_int_equal(amount(f, n, m + 2), 0);
		assert_int_equal(amount(f, n, m + 3), -1);
	}
	expect_exact(f->p);
}

/* An interval without length has none of a sum, and the only one that has length has all of it. */
static void test_span_of_empty_intervals(void **state)
{
	struct fixture *f = *state;
	uint32_t m = slice_measures(f);

	mark(f, 1, 0);
	mark(f, 2, 0);
	mark(f, 3, 0);
	span_of_measures(f, 1, 3, 330, 70, m);
	assert_int_equal(amount(f, 1, m), 0);
	assert_int_equal(amount(f, 2, m), 0);
	assert_int_equal(amount(f, 3, m), 1003);
	expect_exact(f->p);
}

/* A kept span is read for one of its intervals. */
static void test_span_of_one_interval_of_many(void **state)
{
	struct fixture *f = *state;
	uint32_t m = slice_measures(f);

	mark(f, 2, 0);
	span_of_measures(f, 2, 2, 200, 400, m);
	assert_int_equal(amount(f, 2, m), 1003 / 4);
	assert_int_equal(amount(f, 2, m + 1), 77);
}

/* A damaged span may have a column of nodes: it is not known. */
static void test_span_with_a_column_of_nodes(void **state)
{
	struct fixture *f = *state;
	struct profile_cell cell = { .node = f->p->threads[f->worker].root };
	uint32_t m = slice_measure(f, "sum", MEASURE_SUM), nodes[3] = { cell.node, cell.node, cell.node };
	int64_t values[3] = { 1, 2, 3 };
	struct profile_column column = { m, false, 3, nodes, values };
	struct join_record r = { .kind = JOIN_SPAN, .thread = f->worker, .first = 1, .last = 1, .bound = 130, .cells = &cell,
				 .cell_count = 1, .columns = &column, .column_count = 1, .columns_length = 70 };

	mark(f, 1, 0);
	assert_true(join_record(f->j, &r));
	assert_int_equal(amount(f, 1, m), -1);
}

/* What a reader worked out itself has no measures yet. They come with the thread's own word, in one piece or in several. */
static void test_measures_come_behind_what_was_inferred(void **state)
{
	struct fixture *f = *state;
	struct profile_cell cell = { .node = f->p->threads[f->worker].root, .self = 70 };
	uint32_t m = slice_measure(f, "sum", MEASURE_SUM), node = cell.node;
	int64_t values[] = { 0, 42 };

	mark(f, 1, 0);
	say(f, JOIN_PART, f->worker, 1, 1, 130, 200, PART_INFERRED, &cell, 1);
	assert_int_equal(amount(f, 1, m), -1);
	for (int piece = 0; piece < 2; piece++) {
		struct profile_column column = { m, false, 1, &node, &values[piece] };
		struct profile_cell half = { .node = node, .self = 35 };
		struct join_record r = { .kind = JOIN_PART, .thread = f->worker, .first = 1, .last = 1, .bound = 130 + 35 * piece,
					 .end = 165 + 35 * piece, .cells = &half, .cell_count = 1, .columns = &column,
					 .column_count = 1 };

		assert_true(join_record(f->j, &r));
	}
	assert_int_equal(amount(f, 1, m), 42);
	expect_exact(f->p);
}

/* A boundary may lie behind the end of the interval, and of the next: max(T, bound). */
static void test_span_begins_late(void **state)
{
	struct fixture *f = *state;

	mark(f, 1, 0);
	mark(f, 2, 0);
	mark(f, 3, 0);
	span(f, 1, 3, 330, 0);
	expect_frames(f->p, "1 100+100: worker\n"
			    "2 200+100: worker\n"
			    "3 300+100: worker 330-400 .:70\n");
}

static void test_merged(void **state)
{
	struct fixture *f = *state;
	struct profile_cell cell = { f->a, 250, 3, 90 };

	mark(f, 4, 0);
	mark(f, 5, 0);
	outside(f, 6);
	say(f, JOIN_MERGED, f->main, 2, 6, 200, 450, 0, &cell, 1);
	expect_frames(f->p, "4 400+100:\n"
			    "5 500+100: main 200-450 G a:250*3^90\n");
	assert_int_equal(f->p->frames[1].parts[0].first_frame, 4);
}

/* A thread that slept was inferred to be where it was, as far as somebody looked: what it says of all the time that it
 * slept is in these frames already. */
static void test_merged_behind_what_was_inferred(void **state)
{
	struct fixture *f = *state;
	struct profile_cell cell = { f->a, 250, 3, 90 };

	mark(f, 4, 0);
	span(f, 4, 4, 400, PART_INFERRED);
	mark(f, 5, 0);
	cell.node = f->p->threads[f->worker].root;
	say(f, JOIN_MERGED, f->worker, 2, 5, 200, 600, 0, &cell, 1);
	expect_frames(f->p, "4 400+100: worker 400-500 I .:100\n"
			    "5 500+100:\n");
}

static void test_discarded_has_no_cells(void **state)
{
	struct fixture *f = *state;

	mark(f, 1, FRAME_DISCARDED);
	part(f, 1, 100, 200, 60);
	span(f, 1, 1, 100, 0);
	expect_frames(f->p, "1 100+100 D: main 100-200 D; worker 100-200 D\n");
}

/* An inferred slice equals the one that the thread publishes later, so that one changes nothing. */
static void test_inferred_stays(void **state)
{
	struct fixture *f = *state;
	struct profile_cell cell = { f->a, 80, 1, 0 };

	part(f, 1, 100, 120, 20);
	mark(f, 1, 0);
	say(f, JOIN_PART, f->main, 1, 1, 120, 200, PART_INFERRED, &cell, 1);
	expect_frames(f->p, "1 100+100: main 100-200 I a:100*2^20 b:0\n");
	say(f, JOIN_PART, f->main, 1, 1, 120, 200, 0, &cell, 1);
	expect_frames(f->p, "1 100+100: main 100-200 I a:100*2^20 b:0\n");
	mark(f, 2, 0);
	span(f, 2, 2, 200, PART_INFERRED);
	span(f, 2, 2, 200, 0);
	expect_frames(f->p, "1 100+100: main 100-200 I a:100*2^20 b:0\n"
			    "2 200+100: worker 200-300 I .:100\n");
}

static void test_ended_threads_are_summed_up(void **state)
{
	struct fixture *f = *state;
	struct profile_cell one[] = { { f->ended_a, 10, 1, 10 }, { f->ended_a, 5, 1, 5 } };
	struct profile_cell two[] = { { f->ended_a, 30, 2, 7 } };

	mark(f, 1, 0);
	say(f, JOIN_PART, f->ended, 1, 1, 100, 115, 0, one, 2);
	say(f, JOIN_PART, f->ended, 1, 1, 150, 180, PART_EXIT, two, 1);
	expect_frames(f->p, "1 100+100: ended threads 100-145 E a:45*4^10\n");
	expect_exact(f->p);
}

static void test_missing_is_said(void **state)
{
	struct fixture *f = *state;
	uint64_t count = 0;

	for (uint64_t n = 1; n <= 4; n++)
		mark(f, n, 0);
	part(f, 2, 200, 300, 50);
	part(f, 3, 300, 400, 50);
	assert_true(join_missing(f->j, f->worker, 1, 2, PART_LAPPED, &count));
	assert_true(join_missing(f->j, f->worker, 3, 4, PART_MISSING, &count));
	assert_int_equal(count, 2); /* of 1 and 4 nothing at all is known */
	expect_frames(f->p, "1 100+100:\n"
			    "2 200+100: main 200-300 a:50*1^50 b:50; worker L\n"
			    "3 300+100: main 300-400 a:50*1^50 b:50; worker M\n"
			    "4 400+100:\n");
	span(f, 3, 3, 300, 0); /* and comes after all */
	assert_int_equal(profile_find_part(&f->p->frames[2], f->worker)->flags, 0);
}

static void test_frames_that_were_dropped(void **state)
{
	struct fixture *f = *state;

	for (uint64_t n = 1; n <= 3; n++)
		mark(f, n, 0);
	profile_drop_frames(f->p, 2);
	join_trim(f->j);
	part(f, 1, 100, 200, 50);
	part(f, 3, 300, 400, 50);
	expect_frames(f->p, "3 300+100: main 300-400 a:50*1^50 b:50\n");
	assert_int_equal(join_newest(f->j), 3);
	assert_int_equal(join_newest_end(f->j), 400);
	assert_int_equal(join_interval_at(f->j, 399), 3);
	assert_int_equal(join_interval_at(f->j, 400), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_parts_of_known_intervals, begin, end),
		cmocka_unit_test_setup_teardown(test_what_comes_early_waits, begin, end),
		cmocka_unit_test_setup_teardown(test_pieces_are_one_part, begin, end),
		cmocka_unit_test_setup_teardown(test_span, begin, end),
		cmocka_unit_test_setup_teardown(test_span_begins_late, begin, end),
		cmocka_unit_test_setup_teardown(test_span_divides_sums, begin, end),
		cmocka_unit_test_setup_teardown(test_span_of_empty_intervals, begin, end),
		cmocka_unit_test_setup_teardown(test_span_of_one_interval_of_many, begin, end),
		cmocka_unit_test_setup_teardown(test_span_with_a_column_of_nodes, begin, end),
		cmocka_unit_test_setup_teardown(test_measures_come_behind_what_was_inferred, begin, end),
		cmocka_unit_test_setup_teardown(test_merged, begin, end),
		cmocka_unit_test_setup_teardown(test_merged_behind_what_was_inferred, begin, end),
		cmocka_unit_test_setup_teardown(test_discarded_has_no_cells, begin, end),
		cmocka_unit_test_setup_teardown(test_inferred_stays, begin, end),
		cmocka_unit_test_setup_teardown(test_ended_threads_are_summed_up, begin, end),
		cmocka_unit_test_setup_teardown(test_missing_is_said, begin, end),
		cmocka_unit_test_setup_teardown(test_frames_that_were_dropped, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Measures: rows that describe themselves, their amounts in slices and in the whole run, and what is not known. */
#include "tests/model_dsl.h"

/* The two of issue 35: one of nodes and exact, one of slices and sometimes unknown. */
static const struct profile_measure widgets = { "widgets", "WIDGETS", .unit = MEASURE_COUNT, .of = MEASURE_OF_NODE,
						.absent_is_zero = true };
static const struct profile_measure gadgets = { "gadgets", "GADGETS", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE };

static void rows_are_found_by_their_key(void **state)
{
	struct profile *p = profile_new();
	struct profile_measure other = widgets, none = { .key = "" };
	char key[16];

	(void)state;
	assert_int_equal(p->measure_count, MEASURES_CORE);
	assert_string_equal(p->measures[MEASURE_ENTRIES].key, "entries");
	assert_int_equal(profile_add_measure(p, &widgets), MEASURES_CORE);
	assert_int_equal(profile_add_measure(p, &gadgets), MEASURES_CORE + 1);
	other.unit = MEASURE_BYTES;
	assert_int_equal(profile_add_measure(p, &other), MEASURES_CORE);
	assert_int_equal(p->measures[MEASURES_CORE].unit, MEASURE_COUNT);
	assert_int_equal(profile_find_measure(p, "gadgets"), MEASURES_CORE + 1);
	assert_int_equal(profile_find_measure(p, "gadget"), PROFILE_NONE);
	assert_int_equal(profile_add_measure(p, &none), PROFILE_NONE);
	for (uint32_t i = p->measure_count; i < MEASURES_MOST + 2; i++) {
		snprintf(key, sizeof(key), "m%u", i);
		other.key = key;
		assert_int_equal(profile_add_measure(p, &other), i < MEASURES_MOST ? i : PROFILE_NONE);
	}
	profile_free(p);
}

struct made {
	struct profile *p;
	uint32_t main, a, b, widgets, gadgets;
};

static struct made make(void)
{
	struct made m = { .p = dsl_profile("main . 10\nmain a 20 1 20\nmain a/b 5 1 5\nother c 7 1 7\n"
					   "frame 1 100\nmain . 60\nmain a 30 1 30\nmain a/b 10 2 6\nother . 100\n"
					   "frame 2 50\nmain . 50\n") };

	m.main = dsl_thread(m.p, "main");
	m.a = dsl_node(m.p, "main", "a");
	m.b = dsl_node(m.p, "main", "a/b");
	m.widgets = profile_add_measure(m.p, &widgets);
	m.gadgets = profile_add_measure(m.p, &gadgets);
	return m;
}

/* The slice of `main` in the frame once more, with these columns. */
static bool put_columns(const struct made *m, uint64_t number, const struct profile_column *columns, uint32_t count)
{
	const struct profile_held *held = profile_find_part(profile_find_frame(m->p, number), m->main);
	struct profile_part part = { .thread = m->main, .bound = held->bound, .end = held->end,
				     .cell_count = held->cell_count, .column_count = count, .columns = columns };
	struct profile_cell cells[8];

	for (uint32_t i = 0; i < part.cell_count; i++)
		cells[i] = profile_cell(held, i);
	part.cells = cells;
	return profile_set_part(m->p, number, &part);
}

static int64_t sum_of(const struct profile *p, uint64_t number, uint32_t thread, uint32_t measure, bool *known)
{
	struct measure_amounts a = profile_amounts(p, profile_find_part(profile_find_frame(p, number), thread), measure);
	int64_t sum = 0;

	for (uint32_t i = 0; i < a.count; i++)
		sum += measure_amount(&a, i).value;
	*known = a.known;
	return sum;
}

static void a_slice_has_columns(void **state)
{
	struct made m = make();
	const uint32_t nodes[] = { m.b, m.a };
	const int64_t of_nodes[] = { 4, INT64_C(1) << 40 }, of_slice[] = { 77 };
	const struct profile_column both[] = { { m.widgets, false, 2, nodes, of_nodes },
					       { m.gadgets, false, 1, NULL, of_slice } };
	uint64_t bytes = m.p->held_bytes;
	struct profile_column column;
	struct profile *copy;
	bool known;

	(void)state;
	assert_true(put_columns(&m, 1, both, 2));
	assert_true(m.p->held_bytes > bytes);
	assert_int_equal(sum_of(m.p, 1, m.main, m.widgets, &known), 4 + (INT64_C(1) << 40));
	assert_true(known);
	assert_int_equal(sum_of(m.p, 1, m.main, m.gadgets, &known), 77);
	assert_true(known);
	assert_int_equal(sum_of(m.p, 1, m.main, MEASURE_SELF, &known), 100);
	assert_int_equal(sum_of(m.p, 1, m.main, MEASURE_ENTRIES, &known), 3);
	column = profile_column(profile_find_part(profile_find_frame(m.p, 1), m.main), 1);
	assert_int_equal(column.measure, m.gadgets);
	assert_int_equal(column.nodes[0], m.p->threads[m.main].root);

	/* a copy keeps them, whatever happens to the original */
	copy = profile_copy(m.p);
	assert_true(put_columns(&m, 1, both, 1));
	assert_int_equal(sum_of(copy, 1, m.main, m.gadgets, &known), 77);
	sum_of(m.p, 1, m.main, m.gadgets, &known);
	assert_false(known);
	assert_true(put_columns(&m, 1, NULL, 0));
	assert_int_equal(m.p->held_bytes, bytes);
	profile_drop_frames(copy, 1);
	profile_free(m.p);
	profile_drop_frames(copy, 1);
	assert_int_equal(copy->held_bytes, 0);
	profile_free(copy);
}

/* A slice may have amounts where it has no cells. */
static void columns_need_no_cells(void **state)
{
	struct made m = make();
	const int64_t amount = 5;
	const struct profile_column column = { m.widgets, false, 1, &m.a, &amount };
	const struct profile_part part = { .thread = m.main, .end = 50, .column_count = 1, .columns = &column };
	bool known;

	(void)state;
	assert_true(profile_set_part(m.p, 2, &part));
	assert_int_equal(sum_of(m.p, 2, m.main, m.widgets, &known), 5);
	profile_free(m.p);
}

static void what_is_not_there_is_0_or_unknown(void **state)
{
	struct made m = make();
	const struct profile_column unknown = { m.widgets, true, 0, NULL, NULL };
	struct profile_part part = { .thread = m.main, .flags = PART_LAPPED };
	bool known;

	(void)state;
	assert_int_equal(sum_of(m.p, 1, m.main, m.widgets, &known), 0);
	assert_true(known);
	assert_int_equal(sum_of(m.p, 1, m.main, m.gadgets, &known), 0);
	assert_false(known);
	assert_true(put_columns(&m, 1, &unknown, 1));
	sum_of(m.p, 1, m.main, m.widgets, &known);
	assert_false(known);
	assert_true(profile_set_part(m.p, 2, &part)); /* nobody knows what was overwritten */
	sum_of(m.p, 2, m.main, m.widgets, &known);
	assert_false(known);
	profile_free(m.p);
}

static void wrong_columns_are_refused(void **state)
{
	struct made m = make();
	const uint32_t others = dsl_node(m.p, "other", "c"), none = m.p->node_count;
	const int64_t one[] = { 1, 1 }, less[] = { -1 };
	const uint32_t nodes[] = { m.a, m.b };
	const struct profile_column wrong[][2] = {
		{ { m.widgets, false, 1, &others, one } },     { { m.widgets, false, 1, &none, one } },
		{ { m.widgets, false, 1, nodes, less } },      { { m.gadgets, false, 2, nodes, one } },
		{ { m.gadgets + 1, false, 1, nodes, one } },   { { MEASURE_SELF, false, 1, nodes, one } },
		{ { m.widgets, true, 1, nodes, one } },
	};
	const struct profile_column twice[] = { { m.widgets, false, 1, nodes, one }, { m.widgets, false, 1, nodes, one } };
	uint64_t bytes = m.p->held_bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(put_columns(&m, 1, wrong[i], 1));
	assert_false(put_columns(&m, 1, twice, 2));
	assert_int_equal(m.p->held_bytes, bytes);
	profile_free(m.p);
}

static void totals_are_known_or_not(void **state)
{
	struct made m = make();
	uint32_t other = dsl_thread(m.p, "other"), root = m.p->threads[m.main].root;
	struct profile *copy;

	(void)state;
	assert_int_equal(profile_amount_known(m.p, m.main, m.widgets), MEASURE_KNOWN);
	assert_int_equal(profile_amount_known(m.p, m.main, m.gadgets), MEASURE_UNKNOWN);
	assert_int_equal(profile_amount_known(m.p, m.main, MEASURE_SELF), MEASURE_KNOWN);
	assert_true(profile_set_amount(m.p, m.a, m.widgets, 12));
	assert_true(profile_set_amount(m.p, root, m.gadgets, 1000));
	assert_false(profile_set_amount(m.p, m.p->node_count, m.widgets, 1));
	assert_false(profile_set_amount(m.p, m.a, MEASURE_SELF, 1));
	assert_false(profile_set_amount(m.p, m.a, m.gadgets + 1, 1));
	assert_false(profile_set_amount(m.p, m.a, m.widgets, -1));
	assert_true(profile_lack_amount(m.p, other, m.widgets));
	copy = profile_copy(m.p);
	profile_pass_total(m.p, m.a, m.b);
	assert_int_equal(profile_amount_of(m.p, m.a, m.widgets), 0);
	profile_free(m.p);
	assert_int_equal(profile_amount_of(copy, m.a, m.widgets), 12);
	assert_int_equal(profile_amount_of(copy, root, m.gadgets), 1000);
	assert_int_equal(profile_amount_of(copy, m.a, MEASURE_ENTRIES), 1);
	assert_int_equal(profile_amount_known(copy, m.main, m.gadgets), MEASURE_KNOWN);
	assert_int_equal(profile_amount_known(copy, other, m.gadgets), MEASURE_UNKNOWN);
	assert_int_equal(profile_amount_known(copy, other, m.widgets), MEASURE_LEAST);
	assert_int_equal(profile_amount_known(copy, m.main, m.widgets), MEASURE_KNOWN);
	profile_free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_by_their_key),
		cmocka_unit_test(a_slice_has_columns),
		cmocka_unit_test(columns_need_no_cells),
		cmocka_unit_test(what_is_not_there_is_0_or_unknown),
		cmocka_unit_test(wrong_columns_are_refused),
		cmocka_unit_test(totals_are_known_or_not),
	};

	return cmocka_run_group_tests_name("model: measures", tests, NULL, NULL);
}

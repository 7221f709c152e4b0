/* SPDX-License-Identifier: MIT */
/* Measures: rows that describe themselves, their amounts in slices and in the whole run, and what is not known. */
#include "model/query/query.h"
#include "model/stats/check.h"
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
	struct profile_column column;
	struct profile *copy;
	uint64_t bytes;
	bool known;

	(void)state;
	assert_true(put_columns(&m, 1, NULL, 0)); /* makes room for a slice more */
	bytes = m.p->held_bytes;
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

	assert_true(put_columns(&m, 1, NULL, 0));
	assert_int_equal(m.p->held_bytes, bytes);
	assert_true(put_columns(&m, 1, both, 2));

	/* a copy keeps them, whatever happens to the original */
	copy = profile_copy(m.p);
	assert_true(put_columns(&m, 1, both, 1));
	assert_int_equal(sum_of(copy, 1, m.main, m.gadgets, &known), 77);
	sum_of(m.p, 1, m.main, m.gadgets, &known);
	assert_false(known);
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

/*
 * Views of a measure are as views of time: a twin profile has, as its times, what the other has as widgets. All that a
 * query makes of widgets is what it makes of the times of the twin.
 */
#define THREADS 2
#define NODES 9
#define FRAMES 40

struct twins {
	struct profile *p, *twin;
	uint32_t widgets;
};

static void twins_frame(struct twins *t, uint64_t number, bool is_known)
{
	int64_t start = (int64_t)number * 10000, length = 1000 + rand() % 2000;

	assert_true(profile_add_frame(t->p, number, start, length, 0));
	assert_true(profile_add_frame(t->twin, number, start, length, 0));
	for (uint32_t thread = 0; thread < THREADS; thread++) {
		struct profile_cell cells[NODES], amounts[NODES];
		uint32_t nodes[NODES], count = 0;
		int64_t values[NODES];
		struct profile_column column = { t->widgets, !is_known, 0, nodes, values };
		struct profile_part part = { .thread = thread, .bound = start, .end = start + length, .cells = cells,
					     .column_count = 1, .columns = &column };
		struct profile_part other = part;

		other.end = other.bound;
		for (uint32_t i = 0; i < t->p->node_count; i++) {
			bool stays = t->p->nodes[i].parent == t->p->threads[thread].root; /* it enters a zone (struct merged) */

			if (t->p->nodes[i].thread != thread || (!stays && rand() % 3 == 0))
				continue;
			cells[count] = (struct profile_cell){ i, rand() % 100, 1 + rand() % 4, 7 };
			amounts[count] = (struct profile_cell){ i, rand() % 3 ? rand() % 1000 : 0, cells[count].count, 0 };
			if (is_known && amounts[count].self) {
				nodes[column.cell_count] = i;
				values[column.cell_count++] = amounts[count].self;
			}
			other.end += amounts[count].self;
			count++;
		}
		part.cell_count = other.cell_count = count;
		other.cells = amounts;
		other.column_count = 0;
		assert_true(profile_set_part(t->p, number, &part));
		assert_true(profile_set_part(t->twin, number, &other));
	}
	t->p->frames_ended = t->twin->frames_ended = number;
	t->p->now_tick = t->twin->now_tick = start + length;
}

static struct profile *twin_make(void)
{
	struct profile *p = dsl_profile("m . 0\nm a 0\nm a/b 0\nm a/b/a 0\nm b 0\nw . 0\nw b 0\nw b/c 0\nw b/c/b 0\n");

	p->threads[0].marking = true;
	return p;
}

static struct twins twins_make(void)
{
	struct twins t = { .p = twin_make(), .twin = twin_make() };

	t.widgets = profile_add_measure(t.p, &widgets);
	for (uint64_t i = 1; i <= FRAMES; i++)
		twins_frame(&t, i, true);
	for (uint32_t i = 0; i < t.p->node_count; i++) {
		int64_t amount = rand() % 100000;

		assert_true(profile_set_amount(t.p, i, t.widgets, amount));
		profile_set_total(t.p, i, 5, 3, 0);
		profile_set_total(t.twin, i, amount, 3, 0);
		profile_set_time(t.twin, t.p->nodes[i].thread, 0, t.twin->threads[t.p->nodes[i].thread].time + amount);
	}
	return t;
}

static void twins_free(struct twins *t)
{
	profile_free(t->p);
	profile_free(t->twin);
}

static void expect_same(const struct values *v, const struct values *twin)
{
	assert_non_null(v);
	assert_non_null(twin);
	assert_int_equal(v->scale, twin->scale);
	assert_int_equal(v->wall, twin->wall);
	assert_int_equal(v->frames, twin->frames);
	assert_memory_equal(v->self, twin->self, v->node_count * sizeof(*v->self));
	assert_memory_equal(v->count, twin->count, v->node_count * sizeof(*v->count));
	assert_memory_equal(v->time, twin->time, v->thread_count * sizeof(*v->time));
}

static void expect_same_reports(struct query *q, struct query *twin)
{
	for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
		struct report_options o = REPORT_OPTIONS_DEFAULT;
		struct report *a, *b;
		char why[256];

		o.view = view;
		o.focus = 1;
		o.by_size = true;
		o.per_frame = true;
		assert_int_equal(query_report(q, &o, &a, why, sizeof(why)), REPORT_OK);
		assert_int_equal(query_report(twin, &o, &b, why, sizeof(why)), REPORT_OK);
		assert_int_equal(a->sections[0].row_count, b->sections[0].row_count);
		for (uint32_t i = 0; i < a->sections[0].row_count; i++) {
			const struct report_row *x = &a->sections[0].rows[i], *y = &b->sections[0].rows[i];

			assert_int_equal(x->id, y->id);
			assert_int_equal(x->values[COLUMN_SELF].exact, y->values[COLUMN_SELF].exact);
			assert_int_equal(x->values[COLUMN_HIER].exact, y->values[COLUMN_HIER].exact);
			assert_int_equal(x->values[COLUMN_COUNT].exact, y->values[COLUMN_COUNT].exact);
			assert_int_equal(x->values[COLUMN_FRAME_P90].exact, y->values[COLUMN_FRAME_P90].exact);
			assert_int_equal(x->values[COLUMN_DELTA].exact, y->values[COLUMN_DELTA].exact);
			assert_float_equal(x->values[COLUMN_HEAT].real, y->values[COLUMN_HEAT].real, 1e-9);
			assert_float_equal(x->values[COLUMN_AVG].real, y->values[COLUMN_AVG].real, 1e-9);
		}
		report_free(a);
		report_free(b);
	}
}

static void expect_same_why(struct query *q, struct query *twin)
{
	struct why *a = query_why(q, THREADS_ALL, false), *b = query_why(twin, THREADS_ALL, false);

	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a->row_count, b->row_count);
	for (uint32_t i = 0; i < a->row_count; i++) {
		assert_int_equal(a->rows[i].delta, b->rows[i].delta);
		assert_int_equal(a->rows[i].calls, b->rows[i].calls);
	}
	for (uint32_t i = 0; i < a->thread_count; i++)
		assert_int_equal(a->threads[i].sum, a->threads[i].delta);
	why_free(a);
	why_free(b);
}

static void look_at(struct query *q, struct query *twin, struct query_options o, uint32_t measure)
{
	o.measure = MEASURE_SELF;
	assert_true(query_look(twin, &o));
	o.measure = measure;
	assert_true(query_look(q, &o));
	while (query_work(q, 1000))
		;
	while (query_work(twin, 1000))
		;
}

static void a_measure_is_viewed_as_time_is(void **state)
{
	struct twins t = twins_make();
	struct query *q = query_new(t.p), *twin = query_new(t.twin);

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (enum average_slot slot = 0; slot < AVERAGE_SLOTS; slot++)
			for (uint32_t k = 0; k < 4; k++) {
				struct query_options o = { .average = slot, .threads = k < 2 ? k : THREADS_ALL, .spread = k == 3 };

				look_at(q, twin, o, t.widgets);
				expect_same(query_values(q), query_values(twin));
				assert_int_equal(query_times(q)->measure, MEASURE_SELF);
				expect_same_reports(q, twin);
			}
		for (uint64_t frame = 3; frame < FRAMES; frame += 7) {
			struct query_options o = { .average = AVERAGE_FAST, .threads = THREADS_ALL, .frame = frame,
						   .base = round ? 20 : QUERY_BASE_AVERAGE, .base_name = "x" };

			look_at(q, twin, o, t.widgets);
			expect_same(query_values(q), query_values(twin));
			expect_same_reports(q, twin);
			expect_same_why(q, twin);
		}
		for (uint64_t i = 1; i <= 10; i++)
			twins_frame(&t, FRAMES * 2 + (uint64_t)round * 10 + i, true);
		assert_true(query_update(q) && query_update(twin));
		if (round == 1) {
			assert_true(query_reset(q) && query_reset(twin));
			look_at(q, twin, (struct query_options){ .average = AVERAGE_RUN, .threads = THREADS_ALL }, MEASURE_SELF);
			for (uint32_t i = 0; i < t.p->node_count; i++) {
				profile_set_amount(t.p, i, t.widgets, 100000 + i);
				profile_set_total(t.p, i, 5, 9, 0);
				profile_set_total(t.twin, i, 100000 + i, 9, 0);
			}
		}
	}
	query_free(q);
	query_free(twin);
	twins_free(&t);
}

static void what_is_unknown_makes_a_lower_bound(void **state)
{
	struct twins t = twins_make();
	struct values *v = values_of_frames_in(t.p, 0, 10, t.widgets);

	(void)state;
	assert_int_equal(values_known(v, t.p, THREADS_ALL), MEASURE_KNOWN);
	values_free(v);
	twins_frame(&t, FRAMES + 1, false);
	v = values_of_last_in(t.p, 1, t.widgets);
	assert_int_equal(values_known(v, t.p, THREADS_ALL), MEASURE_UNKNOWN);
	values_free(v);
	v = values_of_last_in(t.p, 2, t.widgets);
	assert_int_equal(values_known(v, t.p, THREADS_ALL), MEASURE_LEAST);
	values_free(v);
	v = values_of_run_in(t.p, t.widgets);
	assert_int_equal(values_known(v, t.p, THREADS_ALL), MEASURE_KNOWN);
	values_free(v);
	profile_lack_amount(t.p, 1, t.widgets);
	v = values_of_run_in(t.p, t.widgets);
	assert_int_equal(values_known(v, t.p, 0), MEASURE_KNOWN);
	assert_int_equal(values_known(v, t.p, 1), MEASURE_LEAST);
	values_free(v);
	twins_free(&t);
}

/* `how` of each zone's row, in the order of zones: `=` exact, `>` a lower bound, `-` not known, `.` no row. */
static const char *known_rows(const struct profile *p, uint32_t measure, enum report_view view, uint32_t threads)
{
	struct query_options o = { .average = AVERAGE_RUN, .threads = threads, .measure = measure, .sums = true };
	struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct query *q = query_new(p);
	static char rows[64];
	struct report *r;
	char why[256];

	options.view = view;
	assert_true(query_look(q, &o));
	assert_int_equal(query_report(q, &options, &r, why, sizeof(why)), REPORT_OK);
	snprintf(rows, sizeof(rows), "%.*s", (int)p->zone_count, "..........");
	for (uint32_t i = 0; i < r->sections[0].row_count; i++) {
		const struct report_row *row = &r->sections[0].rows[i];

		rows[row->zone] = row->unknown ? '-' : row->least ? '>' : '=';
		assert_int_equal(row->shown >> COLUMN_SELF & 1, !row->unknown);
		if (r->sections[0].known != MEASURE_KNOWN)
			assert_int_equal(row->shown >> COLUMN_FRAME & 1, 0);
	}
	report_free(r);
	query_free(q);
	return rows;
}

/* What is not known of one thread is in zones that this thread has entered. */
static void other_zones_are_exact(void **state)
{
	struct profile *p = dsl_profile("m . 1\nm a 1 1 1\nm a/b 1 1 1\nw . 1\nw b 1 1 1\nw b/c 1 1 1\n"
					"v . 1\nv d 1 1 1\n");
	uint32_t measure = profile_add_measure(p, &gadgets), all = profile_add_measure(p, &widgets);
	struct profile_measure row = widgets;
	uint32_t some;

	(void)state;
	row.key = "some";
	row.absent_is_zero = false;
	some = profile_add_measure(p, &row);
	for (uint32_t i = 0; i < p->node_count; i++)
		if (p->nodes[i].thread != dsl_thread(p, "v"))
			assert_true(profile_set_amount(p, i, some, 10 + i));
	assert_true(profile_lack_amount(p, dsl_thread(p, "w"), some));
	assert_true(profile_set_amount(p, p->threads[0].root, measure, 5));
	assert_string_equal(known_rows(p, all, REPORT_SELF, THREADS_ALL), ".====");
	assert_string_equal(known_rows(p, some, REPORT_SELF, THREADS_ALL), ">=>>-");
	assert_string_equal(known_rows(p, some, REPORT_HIER, THREADS_ALL), ">=>>-");
	assert_string_equal(known_rows(p, some, REPORT_TREE, THREADS_ALL), ">=>>-");
	assert_string_equal(known_rows(p, some, REPORT_SELF, dsl_thread(p, "m")), "===..");
	assert_string_equal(known_rows(p, measure, REPORT_SELF, THREADS_ALL), ">----");
	profile_free(p);
}

/* Conditions on amounts: judged as those on times, with units of their own. */
static const char *judged(const struct profile *p, const char *text)
{
	static char why[256];
	struct check *c = check_new(text, false, why, sizeof(why));
	const char *verdict = why;

	if (c && check_find(c, p, why, sizeof(why))) {
		for (uint32_t i = 0; i < p->frame_count; i++)
			assert_int_equal(check_add(c, p, &p->frames[i]), CHECK_TAKEN);
		check_losses(c, p);
		assert_true(check_judge(c, p->ticks_per_s, p->frame_count, 0));
		verdict = check_verdicts[c->verdict];
	}
	check_free(c);
	return verdict;
}

static void conditions_take_measures(void **state)
{
	struct made m = make();
	const int64_t amounts[] = { 3000, 70 };
	const uint32_t nodes[] = { m.b, m.a };
	const struct profile_column both[] = { { m.widgets, false, 2, nodes, amounts },
					       { m.gadgets, false, 1, NULL, amounts } };
	struct profile_part none = { .thread = dsl_thread(m.p, "other"), .bound = 100, .end = 100 };

	(void)state;
	assert_true(put_columns(&m, 1, both, 2) && put_columns(&m, 2, both, 2));
	assert_string_equal(judged(m.p, "zone a widgets max<3071"), "holds");
	assert_string_equal(judged(m.p, "zone a widgets max<3K"), "holds");
	assert_string_equal(judged(m.p, "zone a hier widgets max<3070"), "does not hold");
	assert_string_equal(judged(m.p, "zone a self widgets max<=70"), "holds");
	assert_string_equal(judged(m.p, "widgets p50>=3.07K"), "does not hold");
	assert_string_equal(judged(m.p, "widgets p50=3070") + 3, "character 12, '=': expected one of < <= > >=");
	assert_string_equal(judged(m.p, "gadgets max<1us"), "does not hold"); /* 3 us are more, whatever `other` has */
	assert_string_equal(judged(m.p, "gadgets max<4us"), "not known");
	assert_true(profile_set_part(m.p, 1, &none));
	assert_string_equal(judged(m.p, "nothing max<4"), "not known");
	assert_string_equal(judged(m.p, "gadgets max<4"),
			    "the measure 'gadgets' is a time, and its limit needs a unit: ns, us, ms or s");
	assert_string_equal(judged(m.p, "widgets max<4ms"),
			    "the measure 'widgets' is not a time; its limit has no unit, or K, M or G");
	assert_string_equal(judged(m.p, "zone a gadgets max<4ms"),
			    "the measure 'gadgets' is known of threads, not of zones: leave out the zone");
	profile_free(m.p);
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
		cmocka_unit_test(a_measure_is_viewed_as_time_is),
		cmocka_unit_test(what_is_unknown_makes_a_lower_bound),
		cmocka_unit_test(other_zones_are_exact),
		cmocka_unit_test(conditions_take_measures),
	};

	return cmocka_run_group_tests_name("model: measures", tests, NULL, NULL);
}

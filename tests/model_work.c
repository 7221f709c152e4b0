/* SPDX-License-Identifier: MIT */
/*
 * model_work: how much is looked at between two keys, where frames have very
 * many stacks, and in a report of each of many threads. No clock: tallies of
 * frames are counted, and how often there are rows of all zones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/query/query.h"
#include "model/report/flat.h"

enum { FRAMES = 40, STACKS = 50000, AT_ONCE = 22 /* of such frames */ };

static unsigned tallies;

void __real_tally_frame(struct tally *t, const struct profile *p, const struct scope *scope,
			const struct profile_frame *frame);
void __wrap_tally_frame(struct tally *t, const struct profile *p, const struct scope *scope,
			const struct profile_frame *frame);

void __wrap_tally_frame(struct tally *t, const struct profile *p, const struct scope *scope,
			const struct profile_frame *frame)
{
	tallies++;
	__real_tally_frame(t, p, scope, frame);
}

static unsigned tallied(void)
{
	unsigned count = tallies;

	tallies = 0;
	return count;
}

static unsigned inits;

bool __real_flat_init(struct flat *f, const struct keys *k, const struct values *v);
bool __wrap_flat_init(struct flat *f, const struct keys *k, const struct values *v);

bool __wrap_flat_init(struct flat *f, const struct keys *k, const struct values *v)
{
	inits++;
	return __real_flat_init(f, k, v);
}

/* In each frame all stacks of one thread: 10 ticks each, in the last frame 30. */
static struct profile *history(void)
{
	struct profile *p = profile_new();
	uint32_t thread = profile_add_thread(p, 1, 1, "main");
	struct profile_cell *cells = calloc(STACKS, sizeof(*cells));
	char name[16];

	p->ticks_per_s = 1000000000;
	for (uint32_t i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "zone %u", i);
		profile_add_zone(p, name, "", i, 0);
	}
	for (uint32_t i = 0; i < STACKS; i++)
		cells[i] = (struct profile_cell){ .node = profile_add_node(p, i / 8, 1 + i % 64), .count = 1 };
	for (int64_t n = 1; n <= FRAMES; n++) {
		struct profile_part part = { .thread = thread, .cells = cells, .cell_count = STACKS };

		for (uint32_t i = 0; i < STACKS; i++)
			cells[i].self = n < FRAMES ? 10 : 30;
		part.end = STACKS * cells[0].self;
		assert_true(profile_add_frame(p, (uint64_t)n, n * 16000000, 16000000, 0));
		assert_true(profile_set_part(p, (uint64_t)n, &part));
	}
	free(cells);
	return p;
}

static const struct report_row *row_of(const struct report *r, uint32_t zone)
{
	const struct report_section *section = &r->sections[0];

	for (uint32_t i = 0; i < section->row_count; i++)
		if (section->rows[i].zone == zone)
			return &section->rows[i];
	fail_msg("no row of zone %u", zone);
	return NULL;
}

static struct report *report_of(struct query *l)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	char why[256];

	o.view = REPORT_SELF;
	o.per_frame = true;
	assert_int_equal(query_report(l, &o, &r, why, sizeof(why)), REPORT_OK);
	return r;
}

static bool has(const struct report *r, enum column column)
{
	assert_true(r->columns >> column & 1);
	return row_of(r, 5)->shown >> column & 1;
}

/* Values that are not there yet have their place. */
static void expect_half(struct query *l)
{
	struct report *r = report_of(l);

	assert_false(has(r, COLUMN_HEAT) || has(r, COLUMN_TREND) || has(r, COLUMN_FRAME_MEDIAN));
	assert_true(has(r, COLUMN_SELF));
	report_free(r);
}

static void expect_all(struct query *l)
{
	struct report *r = report_of(l);
	const struct report_row *row = row_of(r, 5);
	int64_t trend[TREND_FRAMES];

	assert_true(has(r, COLUMN_HEAT) && has(r, COLUMN_TREND) && has(r, COLUMN_FRAME_MEDIAN));
	assert_int_equal(report_trend(r, row, trend), TREND_FRAMES);
	assert_int_equal(trend[TREND_FRAMES - 1], 3 * trend[0]);
	assert_int_equal(row->values[COLUMN_FRAME_MEDIAN].exact, trend[0]);
	report_free(r);
}

static void work(struct query *l)
{
	bool more = true;

	for (unsigned i = 0; more; i++) {
		assert_true(i < 100);
		more = query_work(l, 200);
		assert_true(tallied() <= AT_ONCE);
	}
}

/* Values at once; heat, trend and statistics of many cells bit by bit, and each frame is tallied once for all three. */
static void what_is_looked_at_has_its_values_at_once(void **state)
{
	struct profile *p = history();
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);
	unsigned first;

	(void)state;
	o.threads = 0;
	assert_true(query_look(l, &o));
	assert_int_equal(tallied(), 0);
	expect_half(l);
	first = tallied();
	assert_in_range(first, 1, AT_ONCE);
	while (query_work(l, 200))
		;
	assert_int_equal(first + tallied(), FRAMES);
	expect_all(l);
	assert_int_equal(tallied(), 0);
	o.spread = true;
	assert_true(query_look(l, &o));
	expect_half(l);
	assert_in_range(tallied(), 1, AT_ONCE);
	work(l);
	expect_all(l);
	query_free(l);
	profile_free(p);
}

static void a_frame_that_is_chosen_is_there_at_once(void **state)
{
	struct profile *p = history();
	struct query *live = query_new(p), *l = query_copy(live, p);
	struct query_options o = *query_options(l);
	struct report *r;

	(void)state;
	o.frame = FRAMES;
	tallied();
	assert_true(query_look(l, &o));
	r = report_of(l);
	assert_in_range(tallied(), 1, AT_ONCE);
	assert_int_equal(r->sections[0].time, 30 * STACKS);
	report_free(r);
	work(l);
	expect_all(l);
	query_free(l);
	query_free(live);
	profile_free(p);
}

/* A report of each thread allocates the rows of all zones once, not once a
 * thread. */
static void a_report_of_each_thread_has_all_rows_once(void **state)
{
	struct profile *p = profile_new();
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct values *v;
	struct report *r;
	char why[256];

	(void)state;
	p->ticks_per_s = 1000000000;
	for (uint32_t i = 0; i < 100; i++) {
		snprintf(why, sizeof(why), "zone %u", i);
		profile_add_zone(p, why, "", i, 0);
		profile_add_thread(p, i + 1, i + 1, why);
		p->threads[i].time = 10 + i;
		profile_set_total(p, profile_add_node(p, p->threads[i].root, i + 1), 10 + i, 1, 10 + i);
	}
	v = values_of_run(p);
	assert_non_null(v);
	o.thread = THREADS_EACH;
	inits = 0;
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_OK);
	assert_int_equal(r->section_count, 100);
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(r->sections[i].rows[0].values[COLUMN_SELF].exact, 10 + i);
	assert_int_equal(inits, 1);
	report_free(r);
	values_free(v);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_looked_at_has_its_values_at_once),
		cmocka_unit_test(a_report_of_each_thread_has_all_rows_once),
		cmocka_unit_test(a_frame_that_is_chosen_is_there_at_once),
	};

	return cmocka_run_group_tests_name("model: the work of a key", tests, NULL, NULL);
}

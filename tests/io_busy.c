/* SPDX-License-Identifier: MIT */
/*
 * io_busy: threads that are looked at in the midst of publishing: a report has them, or says that it has not.
 */
#include "io/live.h"

#include "model/values.h"
#include "shm/seq.h"
#include "tests/io_frames.h"
#include "tests/region_builder.h"

struct fixture {
	struct builder b;
	struct source *s;
	struct region_thread *t;
	uint32_t a; /* node */
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	enum live_result result;
	char why[512];
	uint32_t block;

	builder_begin(&f->b, "io-busy");
	block = builder_thread(&f->b, 1000, "busy");
	f->t = &f->b.threads[block];
	f->a = builder_node(&f->b, block, 0, builder_zone(&f->b, "a", "a.c", 1));
	builder_enter(&f->b, block, f->a, 1100);
	f->s = live_open(f->b.name, 0, &result, why, sizeof(why));
	assert_non_null(f->s);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	source_close(f->s);
	builder_end(&f->b);
	free(f);
	return 0;
}

static uint64_t unread(const struct profile *p)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, "unread_totals"))
			return p->losses[i].count;
	fail_msg("no loss 'unread_totals'");
	return 0;
}

static void expect_incomplete(const struct profile *p, uint32_t threads)
{
	struct values *v = values_of_run(p);

	assert_non_null(v);
	assert_true(v->incomplete == threads && v->missing[0] == threads);
	values_free(v);
}

/* It lost its core there, for longer than a report takes. */
static void test_stands_in_its_boundary(void **state)
{
	struct fixture *f = *state;
	const struct profile *p = f->s->profile;

	WORD_STORE(f->t->intent, WORD_LOAD(f->t->head) + 1);
	seq_write_begin(&f->t->base_seq);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(p->thread_count, 1);
	assert_string_equal(p->threads[0].name, "busy");
	assert_int_equal(p->threads[0].unread, THREAD_READ);
	assert_true(p->threads[0].first_tick == 1000 && p->threads[0].time == 100);
	assert_int_equal(p->totals[p->threads[0].root].self, 100);
	expect_incomplete(p, 0);
}

/* As a reader sees one that publishes again and again: never at rest, and never a sum that is right. */
static void test_changes_all_the_while(void **state)
{
	struct fixture *f = *state;
	const struct profile *p = f->s->profile;
	struct region_node *a = builder_node_at(&f->b, 0, f->a);

	WORD_STORE(f->t->intent, WORD_LOAD(f->t->head) + 1);
	seq_write_begin(&f->t->base_seq);
	WORD_STORE(a->self, WORD_LOAD(a->self) + 1);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(p->thread_count, 1);
	assert_int_equal(p->threads[0].unread, THREAD_MOVING);
	assert_int_equal(unread(p), 1);
	expect_incomplete(p, 1);
	WORD_STORE(a->self, WORD_LOAD(a->self) - 1);
	seq_write_end(&f->t->base_seq);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(p->threads[0].unread, THREAD_READ);
	assert_int_equal(unread(p), 0);
	expect_incomplete(p, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stands_in_its_boundary, begin, end),
		cmocka_unit_test_setup_teardown(test_changes_all_the_while, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

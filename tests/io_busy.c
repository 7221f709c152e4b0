/* SPDX-License-Identifier: MIT */
/*
 * io_busy: threads that are looked at in the midst of publishing: a report has them, or says that it has not.
 */
#include "io/region/live.h"

#include <pthread.h>
#include <unistd.h>

#include "model/profile/measures.h"
#include "model/query/average.h"
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
	enum open_result result;
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

	uint32_t samples = builder_measure(&f->b, "samples", "SAMPLES", (struct region_measure){ .unit = REGION_SAMPLES });

	WORD_STORE(builder_measured_at(&f->b, 0, samples, f->a)->value, 12);
	WORD_STORE(f->t->intent, WORD_LOAD(f->t->head) + 1);
	seq_write_begin(&f->t->base_seq);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(p->thread_count, 1);
	assert_string_equal(p->threads[0].name, "busy");
	assert_int_equal(profile_amount_of(p, p->node_count - 1, profile_find_measure(p, "samples")), 12);
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

static void expect_in_frame(const struct profile *p, int64_t self, int64_t count)
{
	struct averages *averages = averages_new();
	struct values *v = values_average(averages, p, AVERAGE_RUN);
	uint32_t a = p->node_count - 1;

	assert_int_equal(v->frames, 1);
	assert_int_equal(v->self[a], self);
	assert_int_equal(v->count[a], count);
	values_free(v);
	averages_free(averages);
}

/* Its average frame of the run stays what it was, whatever it has published since. */
static void test_what_it_had_ended_stays(void **state)
{
	struct fixture *f = *state;
	const struct profile *p = f->s->profile;
	struct region_node *root = builder_node_at(&f->b, 0, 0), *a = builder_node_at(&f->b, 0, f->a);
	struct record_node nodes[] = { { 0, 100, 0, 0 }, { f->a, 100, 0, 1 } };

	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_PART, .generation = 1, .interval = 1,
						       .bound = 1000, .end = 1200 }, nodes, 2);
	builder_frame(&f->b, 1200, 1, 0, NULL);
	WORD_STORE(root->base_self, WORD_LOAD(root->self));
	WORD_STORE(a->base_self, WORD_LOAD(a->self) + 1200);
	WORD_STORE(a->base_count, 1);
	WORD_STORE(f->t->bound, 1200);
	WORD_STORE(f->t->epoch, 2);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(p->threads[0].unread, THREAD_READ);
	expect_in_frame(p, 100, 1);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_MORE, .generation = 1, .interval = 2,
						       .bound = 1200, .end = 1300 }, &nodes[1], 1);
	WORD_STORE(f->t->intent, WORD_LOAD(f->t->head) + 1);
	seq_write_begin(&f->t->base_seq);
	WORD_STORE(a->self, WORD_LOAD(a->self) + 1);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(p->threads[0].unread, THREAD_MOVING);
	expect_in_frame(p, 100, 1);
}

/* The other one is waited for: meanwhile this one publishes a piece, and then the other one rests. */
static void *publish_meanwhile(void *context)
{
	struct fixture *f = context;
	struct region_node *a = builder_node_at(&f->b, 0, f->a), *root = builder_node_at(&f->b, 1, 0);
	struct record_node node = { 0, 100, 0, 0 };

	usleep(100000);
	builder_record(&f->b, 1, (struct record_head){ .kind = RECORD_MORE, .generation = 1, .interval = 2,
						       .bound = 1200, .end = 1300 }, &node, 1);
	WORD_STORE(root->base_self, 300);
	WORD_STORE(f->b.threads[1].bound, 1300);
	WORD_STORE(f->b.threads[1].last, 1300);
	WORD_STORE(a->self, WORD_LOAD(a->self) - 1);
	seq_write_end(&f->t->base_seq);
	return NULL;
}

/* Time that a thread publishes between the look at its log and that at its totals is of the running frame. */
static void test_publishes_while_another_is_read(void **state)
{
	struct fixture *f = *state;
	const struct profile *p = f->s->profile;
	uint32_t other = builder_thread(&f->b, 1000, "other");
	struct region_node *a = builder_node_at(&f->b, 0, f->a), *root = builder_node_at(&f->b, other, 0);
	struct record_node node = { 0, 200, 0, 0 };
	struct averages *averages = averages_new();
	pthread_t thread;
	struct values *v;

	assert_int_equal(other, 1);
	builder_record(&f->b, other, (struct record_head){ .kind = RECORD_START, .generation = 1, .interval = 1,
							   .bound = 1000, .end = 1000, .nodes = 101 }, NULL, 0);
	builder_record(&f->b, other, (struct record_head){ .kind = RECORD_PART, .generation = 1, .interval = 1,
							   .bound = 1000, .end = 1200 }, &node, 1);
	builder_frame(&f->b, 1200, 1, 0, NULL);
	WORD_STORE(root->base_self, 200);
	WORD_STORE(f->b.threads[other].bound, 1200);
	WORD_STORE(f->b.threads[other].last, 1200);
	WORD_STORE(f->b.threads[other].epoch, 2);
	WORD_STORE(f->t->epoch, 2);
	WORD_STORE(f->t->intent, WORD_LOAD(f->t->head) + 1);
	seq_write_begin(&f->t->base_seq);
	WORD_STORE(a->self, WORD_LOAD(a->self) + 1);
	assert_int_equal(pthread_create(&thread, NULL, publish_meanwhile, f), 0);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	pthread_join(thread, NULL);
	v = values_average(averages, p, AVERAGE_RUN);
	assert_int_equal(v->frames, 1);
	assert_int_equal(v->time[profile_parse_thread(p, "other", NULL)], 200);
	values_free(v);
	averages_free(averages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stands_in_its_boundary, begin, end),
		cmocka_unit_test_setup_teardown(test_changes_all_the_while, begin, end),
		cmocka_unit_test_setup_teardown(test_what_it_had_ended_stays, begin, end),
		cmocka_unit_test_setup_teardown(test_publishes_while_another_is_read, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* shm_totals: totals of quiet, busy, ended, claimed and dead threads, and the part that is inferred.
 *
 * One block, root > a > b.  After `run`: started 1100, a entered 1200, b 1300..1340, b again from 1400 on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include "shm/seq.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

#define NODES 3

struct fixture {
	struct builder b;
	struct attachment a;
	struct region_thread *t;
	struct snapshot_total v[NODES + 1];
	struct snapshot_totals out;
	struct snapshot_inferred in;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	uint32_t block, a, b;

	builder_begin(&f->b, "totals");
	block = builder_thread(&f->b, 1100, "x");
	a = builder_node(&f->b, block, 0, 0);
	b = builder_node(&f->b, block, a, 0);
	builder_enter(&f->b, block, a, 1200);
	builder_enter(&f->b, block, b, 1300);
	builder_leave(&f->b, block, 1340);
	builder_enter(&f->b, block, b, 1400);
	f->t = &f->b.threads[0];
	*state = f;
	return region_attach(&f->a, f->b.name, 0, NULL, 0) == ATTACH_OK ? 0 : -1;
}

static int end(void **state)
{
	struct fixture *f = *state;

	region_detach(&f->a);
	builder_end(&f->b);
	free(f);
	return 0;
}

static struct region_node *node(struct fixture *f, uint32_t n)
{
	return builder_node_at(&f->b, 0, n);
}

static void add(region_tick *word, int64_t ticks)
{
	WORD_STORE(*word, WORD_LOAD(*word) + ticks);
}

/* A thread at its boundary: all bases move to b. */
static void boundary(struct fixture *f, int64_t b, uint64_t epoch)
{
	seq_write_begin(&f->t->base_seq);
	for (uint32_t n = 0; n < NODES; n++) {
		struct region_node *at = node(f, n);
		int64_t self = WORD_LOAD(at->self);
		WORD_STORE(at->base_self, self < 0 ? self + b : self);
		WORD_STORE(at->base_count, WORD_LOAD(at->count));
		if (WORD_LOAD(at->longest) > WORD_LOAD(at->run_longest))
			WORD_STORE(at->run_longest, WORD_LOAD(at->longest));
		WORD_STORE(at->longest, 0);
	}
	WORD_STORE(f->t->bound, b);
	WORD_STORE(f->t->epoch, epoch);
	seq_write_end(&f->t->base_seq);
}

static enum snapshot_result totals(struct fixture *f, int64_t now)
{
	return snapshot_totals(&f->a, 0, now, NODES, f->v, &f->out);
}

static void expect_self(struct fixture *f, int64_t root, int64_t a, int64_t b)
{
	assert_int_equal(f->v[0].self, root);
	assert_int_equal(f->v[1].self, a);
	assert_int_equal(f->v[2].self, b);
	assert_int_equal(f->v[0].self + f->v[1].self + f->v[2].self, f->out.until - f->out.started);
}

/* ---- totals */

static void of_a_quiet_thread(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(totals(f, 1500), SNAPSHOT_OK);
	expect_self(f, 100, 160, 140);
	assert_true(!f->out.torn && !f->out.at_bound && f->out.until == 1500 && f->out.current == 2);
	assert_true(f->v[1].count == 1 && f->v[2].count == 2 && f->v[2].longest == 40);
	assert_true(f->v[2].frame_self == 140 && f->v[2].frame_count == 2 && f->v[2].frame_longest == 40);
	assert_true(f->out.started == 1100 && f->out.epoch == 1 && f->out.generation == 1);
}

static void never_before_its_last_transition(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(totals(f, 1350), SNAPSHOT_OK); /* a `now` that was read before the thread's last words */
	assert_int_equal(f->out.until, 1400);
	expect_self(f, 100, 160, 40);
}

static void since_the_last_boundary(void **state)
{
	struct fixture *f = *state;

	boundary(f, 1450, 2);
	assert_int_equal(totals(f, 1500), SNAPSHOT_OK);
	expect_self(f, 100, 160, 140);
	assert_true(f->v[0].frame_self == 0 && f->v[1].frame_self == 0 && f->v[2].frame_self == 50);
	assert_true(f->v[2].frame_count == 0 && f->v[2].frame_longest == 0 && f->v[2].longest == 40);
	assert_true(f->out.bound == 1450 && f->out.epoch == 2);
}

static void of_a_busy_thread_at_its_boundary(void **state)
{
	struct fixture *f = *state;

	boundary(f, 1450, 2);
	WORD_STORE(f->t->intent, 5);
	add(&node(f, 2)->self, 1470); /* half of a leave */
	assert_int_equal(totals(f, 1500), SNAPSHOT_OK);
	assert_true(f->out.at_bound && !f->out.torn && f->out.until == 1450);
	expect_self(f, 100, 160, 90);
	assert_true(f->v[2].frame_self == 0 && f->v[2].count == 2);
}

/* In the middle of its boundary, and it stays there for a while. */
static void of_a_live_thread_that_stands_in_its_boundary(void **state)
{
	struct fixture *f = *state;

	WORD_STORE(f->t->intent, 5);
	seq_write_begin(&f->t->base_seq);
	WORD_STORE(node(f, 0)->base_self, 100);
	assert_int_equal(totals(f, 1500), SNAPSHOT_OK);
	assert_true(!f->out.torn && !f->out.at_bound && f->out.until == 1400);
	expect_self(f, 100, 160, 40);
	assert_true(f->v[0].frame_self == 0 && f->v[2].frame_self == 0);
}

/* A thread that was stopped, or lost its core, between any two stores of a leave. */
static void of_a_live_thread_that_stands_in_a_leave(void **state)
{
	struct fixture *f = *state;

	boundary(f, 1390, 2);
	for (int steps = 1; steps <= 5; steps++) {
		if (steps == 1)
			WORD_STORE(f->t->intent, 5);
		if (steps == 2)
			WORD_STORE(f->t->last, 1470);
		if (steps == 3)
			add(&node(f, 2)->self, 1470);
		if (steps == 4)
			add(&node(f, 1)->self, -1470);
		if (steps == 5)
			WORD_STORE(f->t->current, 1);
		assert_int_equal(totals(f, 1600), SNAPSHOT_OK);
		assert_true(!f->out.torn && !f->out.at_bound);
		assert_int_equal(f->out.until, steps == 1 ? 1400 : 1470);
		expect_self(f, 100, 160, f->out.until - 1360);
	}
}

static void with_less_room_than_nodes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(snapshot_totals(&f->a, 0, 1500, 2, f->v, &f->out), SNAPSHOT_BUSY);
	assert_true(f->out.torn && f->v[1].self == 160);
	f->v[3].self = 99;
	assert_int_equal(snapshot_totals(&f->a, 0, 1500, 4, f->v, &f->out), SNAPSHOT_OK);
	assert_int_equal(f->v[3].self, 0);
	assert_int_equal(snapshot_totals(&f->a, 0, 1500, 0, NULL, &f->out), SNAPSHOT_BUSY);
	assert_true(f->out.torn && f->out.until == 1500);
	assert_int_equal(snapshot_totals(&f->a, 1, 1500, 4, f->v, &f->out), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_totals(&f->a, UINT32_MAX, 1500, 4, f->v, &f->out), SNAPSHOT_ABSENT);
}

static void whose_sum_is_wrong_are_torn(void **state)
{
	struct fixture *f = *state;

	add(&node(f, 1)->self, 1);
	WORD_STORE(node(f, 1)->base_self, 1);
	assert_int_equal(totals(f, 1500), SNAPSHOT_OK);
	assert_true(f->out.torn);
}

/* ---- owners */

static void end_thread(struct fixture *f, int64_t tick)
{
	WORD_STORE(f->t->intent, 5);
	add(&node(f, 2)->self, tick);
	WORD_STORE(f->t->last, tick);
	boundary(f, tick, 1);
	WORD_STORE(f->t->head, 5);
	WORD_STORE(f->t->state, 1 << 8 | BLOCK_ENDED);
}

static void of_an_ended_thread(void **state)
{
	struct fixture *f = *state;

	end_thread(f, 1500);
	assert_int_equal(totals(f, 9000), SNAPSHOT_OK);
	expect_self(f, 100, 160, 140);
	assert_true(!f->out.torn && !f->out.at_bound && f->out.until == 1500 && f->out.state == BLOCK_ENDED);
	assert_true(f->v[2].frame_self == 0 && f->v[2].ended_self == 0);
}

static void between_two_owners(void **state)
{
	struct fixture *f = *state;

	end_thread(f, 1500);
	WORD_STORE(f->t->state, 2 << 8 | BLOCK_CLAIMED);
	seq_write_begin(&f->t->base_seq); /* killed here, with some put aside */
	WORD_STORE(builder_ended_at(&f->b, 0, 1)->self, 160);
	WORD_STORE(builder_ended_at(&f->b, 0, 2)->longest, 40);
	WORD_STORE(node(f, 2)->run_longest, 0);
	assert_int_equal(totals(f, 9000), SNAPSHOT_OK);
	expect_self(f, 0, 0, 0);
	assert_true(!f->out.torn && f->out.state == BLOCK_CLAIMED && f->out.generation == 2);
	assert_true(f->v[0].ended_self == 100 && f->v[1].ended_self == 160 && f->v[2].ended_self == 140);
	assert_true(f->v[2].ended_count == 2 && f->v[2].ended_longest == 40 && f->v[2].count == 0);
	assert_int_equal(snapshot_totals(&f->a, 0, 9000, 2, f->v, &f->out), SNAPSHOT_BUSY); /* as of any other block */
	assert_true(f->out.torn);
}

static void of_the_second_owner(void **state)
{
	struct fixture *f = *state;

	end_thread(f, 1500);
	seq_write_begin(&f->t->base_seq);
	for (uint32_t n = 0; n < NODES; n++) {
		WORD_STORE(builder_ended_at(&f->b, 0, n)->self, WORD_LOAD(node(f, n)->base_self));
		WORD_STORE(builder_ended_at(&f->b, 0, n)->count, WORD_LOAD(node(f, n)->base_count));
		WORD_STORE(builder_ended_at(&f->b, 0, n)->longest, WORD_LOAD(node(f, n)->run_longest));
		WORD_STORE(node(f, n)->run_longest, 0);
	}
	add(&node(f, 0)->self, -2000);
	WORD_STORE(f->t->started, 2000);
	WORD_STORE(f->t->bound, 2000);
	WORD_STORE(f->t->last, 2000);
	WORD_STORE(f->t->current, 0);
	seq_write_end(&f->t->base_seq);
	WORD_STORE(f->t->state, 2 << 8 | BLOCK_LIVE);
	builder_enter(&f->b, 0, 1, 2030);
	assert_int_equal(totals(f, 2100), SNAPSHOT_OK);
	expect_self(f, 30, 70, 0);
	assert_true(!f->out.torn && f->out.started == 2000 && f->out.generation == 2);
	assert_true(f->v[1].count == 1 && f->v[1].ended_count == 1 && f->v[1].ended_self == 160);
	assert_true(f->v[2].longest == 0 && f->v[2].ended_longest == 40);
	WORD_STORE(f->t->intent, 99);
	assert_int_equal(totals(f, 2100), SNAPSHOT_OK);
	assert_true(!f->out.at_bound && f->out.until == 2030);
	expect_self(f, 30, 0, 0);
}

/* ---- the dead: killed between any two stores of a transition */

static void die(struct fixture *f)
{
	region_detach(&f->a);
	builder_die(&f->b);
	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
	assert_false(f->a.live);
}

static void of_a_dead_thread_cut_off_in_a_leave(void **state)
{
	struct fixture *f = *state;

	for (int steps = 0; steps <= 5; steps++) {
		if (steps == 1)
			WORD_STORE(f->t->intent, 5);
		if (steps == 2)
			WORD_STORE(f->t->last, 1470);
		if (steps == 3)
			add(&node(f, 2)->self, 1470);
		if (steps == 4)
			add(&node(f, 1)->self, -1470);
		if (steps == 5)
			WORD_STORE(f->t->current, 1);
		die(f);
		assert_int_equal(totals(f, 1600), SNAPSHOT_OK);
		assert_true(!f->out.torn && !f->out.at_bound);
		assert_int_equal(f->out.until, steps == 0 ? 1600 : steps == 1 ? 1400 : 1470);
		expect_self(f, 100, 160, f->out.until - 1360);
	}
}

static void of_a_dead_thread_cut_off_at_its_boundary(void **state)
{
	struct fixture *f = *state;

	WORD_STORE(f->t->intent, 5);
	seq_write_begin(&f->t->base_seq);
	WORD_STORE(node(f, 0)->base_self, 100);
	WORD_STORE(node(f, 1)->base_self, 160);
	die(f);
	assert_int_equal(totals(f, 1600), SNAPSHOT_OK);
	assert_true(!f->out.torn && f->out.until == 1400);
	expect_self(f, 100, 160, 40);
	assert_int_equal(f->v[2].frame_self, 0);
}

/* ---- inference */

static enum snapshot_result infer(struct fixture *f, uint64_t newest)
{
	return snapshot_infer(&f->a, 0, newest, NODES, f->v, &f->in);
}

static void the_part_of_a_quiet_thread(void **state)
{
	struct fixture *f = *state;

	boundary(f, 1320, 1); /* a piece: part of interval 1 is published */
	WORD_STORE(node(f, 2)->longest, 40);
	builder_frame(&f->b, 1500, 1, 0, NULL);
	builder_frame(&f->b, 1700, 2, 0, NULL);
	assert_int_equal(infer(f, 2), SNAPSHOT_OK);
	assert_true(f->in.epoch == 1 && f->in.bound == 1320 && f->in.end == 1500 && f->in.current == 2);
	/* the builder's boundary came behind all transitions: what is left is b, from 1320 to 1500 */
	assert_true(f->v[0].frame_self == 0 && f->v[1].frame_self == 0 && f->v[2].frame_self == 180);
	assert_int_equal(f->v[2].frame_longest, 40);
}

static void the_whole_part(void **state)
{
	struct fixture *f = *state;

	builder_frame(&f->b, 1500, 1, 0, NULL);
	assert_int_equal(infer(f, 1), SNAPSHOT_OK);
	assert_true(f->in.bound == 1100 && f->in.end == 1500);
	assert_true(f->v[0].frame_self == 100 && f->v[1].frame_self == 160 && f->v[2].frame_self == 140);
	assert_true(f->v[1].frame_count == 1 && f->v[2].frame_count == 2 && f->v[2].frame_longest == 40);
}

/* The mark's tick lies before a transition that did not yet see it. */
static void a_part_ends_at_the_last_transition_at_least(void **state)
{
	struct fixture *f = *state;

	builder_frame(&f->b, 1390, 1, 0, NULL);
	assert_int_equal(infer(f, 1), SNAPSHOT_OK);
	assert_int_equal(f->in.end, 1400);
	assert_true(f->v[1].frame_self == 160 && f->v[2].frame_self == 40);
}

static void nothing_to_infer(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(infer(f, 0), SNAPSHOT_ABSENT); /* it is in the running interval */
	builder_frame(&f->b, 1500, 1, 0, NULL);
	assert_int_equal(infer(f, 0), SNAPSHOT_ABSENT);
	boundary(f, 1500, 2);
	assert_int_equal(infer(f, 1), SNAPSHOT_ABSENT); /* it has published */
	WORD_STORE(f->t->epoch, 1);
	end_thread(f, 1600);
	assert_int_equal(infer(f, 1), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_infer(&f->a, 3, 1, NODES, f->v, &f->in), SNAPSHOT_ABSENT);
}

static void no_inference_in_flight(void **state)
{
	struct fixture *f = *state;

	builder_frame(&f->b, 1500, 1, 0, NULL);
	WORD_STORE(f->t->intent, 5);
	assert_int_equal(infer(f, 1), SNAPSHOT_BUSY);
	WORD_STORE(f->t->intent, 4);
	seq_write_begin(&f->t->base_seq);
	assert_int_equal(infer(f, 1), SNAPSHOT_BUSY);
	seq_write_end(&f->t->base_seq);
	assert_int_equal(snapshot_infer(&f->a, 0, 1, 2, f->v, &f->in), SNAPSHOT_BUSY);
	add(&node(f, 1)->self, 1);
	assert_int_equal(infer(f, 1), SNAPSHOT_DAMAGED); /* a sum that is wrong is no part */
	add(&node(f, 1)->self, -1);
	assert_int_equal(infer(f, 1), SNAPSHOT_OK);
}

static void no_inference_without_an_end(void **state)
{
	struct fixture *f = *state;

	builder_frame(&f->b, 1500, 1, 0, NULL);
	WORD_STORE(f->b.frames[1].end, MARK_UNDECIDED | 1);
	assert_int_equal(infer(f, 1), SNAPSHOT_UNDECIDED);
	WORD_STORE(f->b.frames[1].end, 1500);
	for (int i = 2; i < 20; i++)
		builder_frame(&f->b, 1500 + i, (uint64_t)i, 0, NULL);
	assert_int_equal(infer(f, 19), SNAPSHOT_LAPPED);
	/* it sleeps on: behind the oldest end that there is, all is known */
	assert_true(f->in.epoch > 1 && f->in.epoch < 20 - f->a.frame_count + 8 && f->in.current == 2);
	assert_true(f->in.bound == f->in.end && f->in.end == 1500 + (int64_t)f->in.epoch);
	WORD_STORE(f->t->intent, 5); /* for so long: it is not waited for */
	assert_int_equal(infer(f, 19), SNAPSHOT_ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(of_a_quiet_thread, begin, end),
		cmocka_unit_test_setup_teardown(never_before_its_last_transition, begin, end),
		cmocka_unit_test_setup_teardown(since_the_last_boundary, begin, end),
		cmocka_unit_test_setup_teardown(of_a_busy_thread_at_its_boundary, begin, end),
		cmocka_unit_test_setup_teardown(of_a_live_thread_that_stands_in_its_boundary, begin, end),
		cmocka_unit_test_setup_teardown(of_a_live_thread_that_stands_in_a_leave, begin, end),
		cmocka_unit_test_setup_teardown(with_less_room_than_nodes, begin, end),
		cmocka_unit_test_setup_teardown(whose_sum_is_wrong_are_torn, begin, end),
		cmocka_unit_test_setup_teardown(of_an_ended_thread, begin, end),
		cmocka_unit_test_setup_teardown(between_two_owners, begin, end),
		cmocka_unit_test_setup_teardown(of_the_second_owner, begin, end),
		cmocka_unit_test_setup_teardown(of_a_dead_thread_cut_off_in_a_leave, begin, end),
		cmocka_unit_test_setup_teardown(of_a_dead_thread_cut_off_at_its_boundary, begin, end),
		cmocka_unit_test_setup_teardown(the_part_of_a_quiet_thread, begin, end),
		cmocka_unit_test_setup_teardown(the_whole_part, begin, end),
		cmocka_unit_test_setup_teardown(a_part_ends_at_the_last_transition_at_least, begin, end),
		cmocka_unit_test_setup_teardown(nothing_to_infer, begin, end),
		cmocka_unit_test_setup_teardown(no_inference_in_flight, begin, end),
		cmocka_unit_test_setup_teardown(no_inference_without_an_end, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * profview_anew: a program without marks sets its first one while a view is paused in what was made of it until then.
 * The thread that was chosen there is the one that is shown behind that, whatever its place among the others is; all
 * of them are if it is not there any more.
 *
 *   block 0   main, and when that has ended late: draw
 *   block 1   pool: work
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "profview/profview.h"
#include "tests/region_builder.h"

struct fixture {
	struct builder b;
	Prof_view *v;
	uint32_t first, second; /* blocks */
	int64_t tick;
};

/* A tenth of a second makes a frame. */
static void poll_later(struct fixture *f)
{
	const struct timespec time = { .tv_nsec = 110000000 };

	nanosleep(&time, NULL);
	assert_int_equal(Prof_view_update(f->v), Prof_view_OK);
}

static void work_on(struct fixture *f)
{
	for (uint32_t block = f->first; block <= f->second; block++) {
		builder_enter(&f->b, block, 1, f->tick + 1000);
		builder_leave(&f->b, block, f->tick + 5000);
	}
	f->tick += 10000;
}

/* main ends, and its block goes on to another thread. */
static void late_begins(struct fixture *f)
{
	struct region_thread *t = &f->b.threads[f->first];

	strcpy((char *)t->name, "late");
	WORD_STORE(t->state, BLOCK_LIVE | 2 << 8);
}

static void begin(struct fixture *f)
{
	enum Prof_view_result result;

	builder_begin(&f->b, "view-anew");
	f->tick = BUILDER_START;
	f->first = builder_thread(&f->b, BUILDER_START, "main");
	f->second = builder_thread(&f->b, BUILDER_START, "pool");
	builder_node(&f->b, f->first, 0, builder_zone(&f->b, "draw", "", 0));
	builder_node(&f->b, f->second, 0, builder_zone(&f->b, "work", "", 0));
	f->v = Prof_view_open(f->b.name, 0, &result, NULL, 0);
	assert_non_null(f->v);
	assert_int_equal(Prof_view_update(f->v), Prof_view_OK);
	work_on(f);
	poll_later(f);
	late_begins(f);
	work_on(f);
	poll_later(f);
}

static void end(struct fixture *f)
{
	Prof_view_close(f->v);
	builder_end(&f->b);
}

static void mark(struct fixture *f)
{
	for (uint64_t frame = 1; frame <= 3; frame++) {
		work_on(f);
		builder_frame(&f->b, f->tick, frame, 0, NULL);
	}
	for (int i = 0; i < 3; i++)
		poll_later(f);
}

/* `id`: of the thread at that place among those that were seen. */
static void choose(struct fixture *f, unsigned index, const char *name)
{
	struct Prof_view_thread thread;
	char id[32];

	assert_true(Prof_view_thread(f->v, index, &thread));
	assert_string_equal(thread.name, name);
	snprintf(id, sizeof(id), "%llu", (unsigned long long)thread.id);
	assert_int_equal(Prof_view_set_thread(f->v, id), Prof_view_OK);
}

static int has_row(Prof_view *v, const char *name)
{
	struct Prof_view_row row;

	for (unsigned i = 0; Prof_view_row(v, i, &row); i++)
		if (!strcmp(row.name, name))
			return 1;
	return 0;
}

static void expect_rows(struct fixture *f, int draw, int work)
{
	struct Prof_view_info info;

	assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
	assert_true(info.time > 0);
	assert_int_equal(has_row(f->v, "draw"), draw);
	assert_int_equal(has_row(f->v, "work"), work);
}

static void the_thread_stays_chosen(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	choose(&f, 2, "late");
	assert_int_equal(Prof_view_set_frame(f.v, 1), Prof_view_OK);
	mark(&f);
	assert_int_equal(Prof_view_set_frame(f.v, 0), Prof_view_OK);
	expect_rows(&f, 1, 0);
	end(&f);
}

static void one_that_is_chosen_in_the_copy_does(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_int_equal(Prof_view_set_frame(f.v, 1), Prof_view_OK);
	mark(&f);
	choose(&f, 2, "late");
	assert_int_equal(Prof_view_set_frame(f.v, 0), Prof_view_OK);
	expect_rows(&f, 1, 0);
	end(&f);
}

static void one_that_is_gone_gives_way_to_all(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	choose(&f, 0, "main");
	assert_int_equal(Prof_view_set_frame(f.v, 1), Prof_view_OK);
	mark(&f);
	assert_int_equal(Prof_view_set_frame(f.v, 0), Prof_view_OK);
	expect_rows(&f, 1, 1);
	end(&f);
}

static void live_it_is_the_same(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	choose(&f, 2, "late");
	mark(&f);
	expect_rows(&f, 1, 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_thread_stays_chosen),
		cmocka_unit_test(one_that_is_chosen_in_the_copy_does),
		cmocka_unit_test(one_that_is_gone_gives_way_to_all),
		cmocka_unit_test(live_it_is_the_same),
	};

	return cmocka_run_group_tests_name("profview: a first mark", tests, NULL, NULL);
}

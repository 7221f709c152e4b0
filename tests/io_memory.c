/* SPDX-License-Identifier: MIT */
/*
 * io_memory: a program without marks sets its first one, so that all that was made of it until then is read anew, and
 * there is no memory for that: at the first allocation, at the second, and so on. What was read before is there until
 * there is something in its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "io/follow.h"
#include "tests/failing_memory.h"
#include "tests/region_builder.h"

static int64_t allocations_left = -1; /* below 0: as many as are wanted */

static bool may_allocate(void)
{
	return allocations_left < 0 || allocations_left-- > 0;
}

struct fixture {
	struct builder b;
	uint32_t block;
	int64_t tick;
};

static void pass(struct fixture *f)
{
	const struct timespec time = { .tv_nsec = 110000000 }; /* makes a frame */

	builder_enter(&f->b, f->block, 1, f->tick + 1000);
	builder_leave(&f->b, f->block, f->tick + 5000);
	f->tick += 10000;
	nanosleep(&time, NULL);
}

static void begin(struct fixture *f)
{
	builder_begin(&f->b, "view-memory");
	f->tick = BUILDER_START;
	f->block = builder_thread(&f->b, BUILDER_START, "main");
	builder_node(&f->b, f->block, 0, builder_zone(&f->b, "draw", "", 0));
}

static void mark(struct fixture *f)
{
	builder_frame(&f->b, f->tick, 1, 0, NULL);
}

static struct source *open_source(struct fixture *f)
{
	enum live_result result;
	char why[512];
	struct source *s = live_open(f->b.name, LIVE_OWN_FRAMES, &result, why, sizeof(why));

	assert_non_null(s);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(source_next(s), SOURCE_MORE);
		pass(f);
	}
	assert_true(s->profile->frame_count > 0);
	return s;
}

static void what_was_read_stays_until_there_is_memory(void **state)
{
	struct fixture f;
	struct source *s;
	const struct profile *before;
	bool done = false;

	(void)state;
	begin(&f);
	s = open_source(&f);
	mark(&f);
	before = s->profile;
	for (int64_t n = 0; !done; n++) {
		assert_true(n < 1000);
		assert_int_equal(source_next(s), SOURCE_ANEW);
		allocations_left = n;
		done = source_reset(s);
		allocations_left = -1;
		if (!done) {
			assert_ptr_equal(s->profile, before);
			assert_string_equal(s->profile->threads[0].name, "main");
		}
	}
	assert_ptr_not_equal(s->profile, before);
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_int_equal(s->profile->frames_ended, 1);
	source_close(s);
	builder_end(&f.b);
}

static void let_go(void *context)
{
	++*(int *)context;
}

/* Who follows is told, and may go on looking at what there is. */
static void following_ends_and_says_why(void **state)
{
	struct fixture f;
	enum follow_news news;
	struct follow follow;
	int left = 0;

	(void)state;
	begin(&f);
	assert_true(follow_open(&follow, f.b.name, 0));
	for (int i = 0; i < 3 || !follow.source; i++) {
		follow_poll(&follow, NULL, NULL);
		pass(&f);
	}
	mark(&f);
	allocations_left = 0;
	news = follow_poll(&follow, let_go, &left);
	allocations_left = -1;
	assert_int_equal(news, FOLLOW_STATE);
	assert_int_equal(follow.state, FOLLOW_OVER);
	assert_string_equal(follow.why, "out of memory");
	assert_int_equal(left, 1);
	assert_string_equal(follow.source->profile->threads[0].name, "main");
	follow_close(&follow);
	builder_end(&f.b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_read_stays_until_there_is_memory),
		cmocka_unit_test(following_ends_and_says_why),
	};

	return cmocka_run_group_tests_name("io: without memory", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * io_memory: a program without marks sets its first one, so that all that was made of it until then is read anew, and
 * there is no memory for that: at the first allocation, at the second, and so on. What was read before is there until
 * there is something in its place.
 *
 * And how much is held while a poll reads, of threads that did nothing in thousands of frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/follow.h"
#include "tests/failing_memory.h"
#include "tests/region_builder.h"

static int64_t allocations_left = -1; /* below 0: as many as are wanted */

static const struct profile *watched;
static uint64_t held_most; /* bytes, of what is watched, at an allocation */

static bool may_allocate(void)
{
	if (watched && watched->held_bytes > held_most)
		held_most = watched->held_bytes;
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
	enum open_result result;
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

/* A follower gets a message, and may go on viewing what there is. */
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

enum { THREADS = 8, FRAMES = 4096, HELD = 100000 };

/* Each is in its root all the time: half of them have said so, the others have not moved. */
static void begin_idle(struct builder *b)
{
	int64_t end = BUILDER_START + (FRAMES - 1) * 1000;
	char name[64];

	snprintf(name, sizeof(name), "prof-test-idle-%d", (int)getpid());
	builder_begin_sized(b, name, (struct builder_sizes){ .threads = THREADS, .frames = FRAMES });
	for (uint32_t i = 0; i < THREADS; i++)
		builder_thread(b, BUILDER_START, "idle");
	for (uint32_t n = 1; n < FRAMES; n++)
		builder_frame(b, BUILDER_START + n * 1000, n, 0, NULL);
	for (uint32_t i = 0; i < THREADS / 2; i++) {
		builder_record(b, i, (struct record_head){ .kind = RECORD_SPAN, .generation = 1, .interval = 1,
							   .intervals = FRAMES - 1, .bound = BUILDER_START,
							   .end = end }, NULL, 0);
		WORD_STORE(b->threads[i].bound, (uint64_t)end);
		WORD_STORE(b->threads[i].epoch, FRAMES);
	}
	builder_die(b);
}

static void expect_whole(const struct profile *p)
{
	assert_true(p->frame_count > 1);
	assert_int_equal(p->frames[p->frame_count - 1].number, FRAMES - 1);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		assert_int_equal(frame->part_count, THREADS);
		for (uint32_t k = 0; k < THREADS; k++) {
			assert_int_equal(frame->parts[k].cell_count, 1);
			assert_int_equal(profile_cell(&frame->parts[k], 0).self, frame->length);
		}
	}
}

static void idle_threads_are_held_within_the_limit(void **state)
{
	const uint64_t of_a_block = PROFILE_FRAME_BYTES + PROFILE_PART_BYTES +
				    PROFILE_PIECE(sizeof(struct profile_narrow));
	struct builder b;
	enum open_result result;
	char why[512];
	struct source *s;

	(void)state;
	begin_idle(&b);
	s = live_open(b.name, 0, &result, why, sizeof(why));
	assert_non_null(s);
	live_hold(s, HELD);
	watched = s->profile;
	assert_int_equal(source_next(s), SOURCE_END);
	watched = NULL;
	assert_in_range(held_most, HELD, HELD + FRAMES * of_a_block);
	assert_in_range(s->profile->held_bytes, HELD / 2, HELD);
	expect_whole(s->profile);
	source_close(s);
	builder_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_read_stays_until_there_is_memory),
		cmocka_unit_test(following_ends_and_says_why),
		cmocka_unit_test(idle_threads_are_held_within_the_limit),
	};

	return cmocka_run_group_tests_name("io: without memory", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * io_opening: while a region is read for the first time, polls come back and whoever follows can do other things.
 *
 * Each source that is opened here reads only once its gate is open, and so takes as long as the test likes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "io/follow.h"
#include "tests/region_builder.h"

static atomic_bool gate;
static atomic_int stopped;
static struct source_ops gated;
static enum source_result (*real_next)(struct source *s);

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };

	nanosleep(&time, NULL);
}

static enum source_result next_behind_gate(struct source *s)
{
	while (!atomic_load(&gate) && !atomic_load(&s->stop))
		nap();
	stopped += atomic_load(&s->stop);
	return real_next(s);
}

struct source *__real_live_open(const char *name, unsigned flags, enum open_result *result, char *why,
				size_t why_size);
struct source *__wrap_live_open(const char *name, unsigned flags, enum open_result *result, char *why,
				size_t why_size);

struct source *__wrap_live_open(const char *name, unsigned flags, enum open_result *result, char *why,
				size_t why_size)
{
	struct source *s = __real_live_open(name, flags, result, why, why_size);

	if (s) {
		gated = *s->ops;
		real_next = gated.next;
		gated.next = next_behind_gate;
		s->ops = &gated;
	}
	return s;
}

/* Processes with so many frames. */
static void begin(struct builder *b, const char *name, uint32_t frames)
{
	builder_begin(b, name);
	builder_thread(b, BUILDER_START, "main");
	for (uint32_t i = 1; i <= frames; i++)
		builder_frame(b, BUILDER_START + 100 * (int64_t)i, i, 0, NULL);
	atomic_store(&gate, false);
	atomic_store(&stopped, 0);
}

static enum follow_news poll_on(struct follow *f)
{
	enum follow_news news;

	do {
		nap();
		news = follow_poll(f, NULL, NULL);
	} while (news == FOLLOW_NOTHING);
	return news;
}

/* A first poll, which does not wait for the gate, and some more. */
static void expect_reading(struct follow *f)
{
	assert_int_equal(follow_poll(f, NULL, NULL), FOLLOW_READING);
	assert_true(f->reading);
	for (int i = 0; i < 5; i++)
		assert_int_equal(follow_poll(f, NULL, NULL), FOLLOW_NOTHING);
}

static void polls_come_back_while_it_is_read(void **state)
{
	struct builder b;
	struct follow f;

	(void)state;
	begin(&b, "opening", 3);
	assert_true(follow_open(&f, b.name, 0));
	expect_reading(&f);
	assert_int_equal(f.state, FOLLOW_WAITING);
	assert_null(f.source);
	assert_non_null(strstr(f.why, "reading it"));
	atomic_store(&gate, true);
	assert_int_equal(poll_on(&f), FOLLOW_NEW);
	assert_false(f.reading);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	assert_string_equal(f.why, "");
	assert_int_equal(f.source->profile->frame_count, 3);
	follow_close(&f);
	assert_int_equal(stopped, 0);
	builder_end(&b);
}

/* The held source stays all the while. A source that is still being read is given up for the newly chosen one. */
static void what_is_turned_from_is_read_no_further(void **state)
{
	struct builder first, second, third;
	struct follow f;

	(void)state;
	begin(&first, "opening-1", 1);
	begin(&second, "opening-2", 2);
	begin(&third, "opening-3", 3);
	atomic_store(&gate, true);
	assert_true(follow_open(&f, first.name, 0));
	while (!f.source)
		poll_on(&f);
	atomic_store(&gate, false);
	assert_true(follow_turn(&f, second.name));
	expect_reading(&f);
	assert_int_equal(f.source->profile->frame_count, 1);
	assert_true(follow_turn(&f, third.name));
	assert_int_equal(stopped, 1);
	assert_false(f.reading);
	expect_reading(&f);
	assert_int_equal(f.source->profile->frame_count, 1);
	atomic_store(&gate, true);
	assert_int_equal(poll_on(&f), FOLLOW_NEW);
	assert_int_equal(f.source->profile->frame_count, 3);
	assert_int_equal(stopped, 1);
	follow_close(&f);
	builder_end(&third);
	builder_end(&second);
	builder_end(&first);
}

static void to_close_does_not_wait_for_it(void **state)
{
	struct builder b;
	struct follow f;

	(void)state;
	begin(&b, "opening", 1);
	assert_true(follow_open(&f, b.name, 0));
	expect_reading(&f);
	follow_close(&f);
	assert_int_equal(stopped, 1);
	builder_end(&b);
}

static void a_source_that_is_to_stop_reads_no_more(void **state)
{
	struct builder b;
	enum open_result result;
	char why[512];
	struct source *s;

	(void)state;
	begin(&b, "opening", 3);
	s = __real_live_open(b.name, 0, &result, why, sizeof(why));
	assert_non_null(s);
	atomic_store(&s->stop, true);
	assert_int_equal(source_next(s), SOURCE_BAD);
	assert_int_equal(s->profile->frame_count, 0);
	source_close(s);
	builder_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(polls_come_back_while_it_is_read),
		cmocka_unit_test(what_is_turned_from_is_read_no_further),
		cmocka_unit_test(to_close_does_not_wait_for_it),
		cmocka_unit_test(a_source_that_is_to_stop_reads_no_more),
	};

	return cmocka_run_group_tests_name("io: opening", tests, NULL, NULL);
}

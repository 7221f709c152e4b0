/* SPDX-License-Identifier: MIT */
/*
 * io_values_work: how much a poll looks at where a ring of frames is all damage: each sample has to look for where its
 * interval ended, and together they look at each interval once. No clock: looks at frames are counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/live.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

enum { FRAMES = 4096, SAMPLES = 2000 };

static uint64_t looks;

enum snapshot_result __real_snapshot_frame(struct attachment *a, uint64_t interval, struct snapshot_frame *out);
enum snapshot_result __wrap_snapshot_frame(struct attachment *a, uint64_t interval, struct snapshot_frame *out);

enum snapshot_result __wrap_snapshot_frame(struct attachment *a, uint64_t interval, struct snapshot_frame *out)
{
	looks++;
	return __real_snapshot_frame(a, interval, out);
}

static uint64_t looks_of_poll(struct source *s)
{
	looks = 0;
	assert_int_equal(source_next(s), SOURCE_MORE);
	return looks;
}

/* A value in each of the intervals that the log has room for; then no frame of the ring can be read. */
static void fill(struct builder *b, uint32_t block, uint32_t counter)
{
	for (int64_t i = 1; i < FRAMES; i++) {
		if (i > FRAMES - SAMPLES)
			builder_value(b, block, counter, (uint64_t)i);
		builder_frame(b, BUILDER_START + i * 1000, (uint64_t)i, 0, NULL);
	}
	for (uint32_t i = 0; i < FRAMES; i++)
		WORD_STORE(b->frames[i].end, MARK_UNDECIDED | 7);
}

static struct source *open_source(const struct builder *b)
{
	enum live_result result;
	char why[512];
	struct source *s = live_open(b->name, 0, &result, why, sizeof(why));

	if (!s)
		fail_msg("%s", why);
	return s;
}

static void a_poll_looks_at_each_frame_once(void **state)
{
	struct builder b;
	char name[64];
	uint32_t main_block, counter;
	uint64_t without, with;
	struct source *s;

	(void)state;
	snprintf(name, sizeof(name), "view-work-%d", (int)getpid());
	builder_begin_sized(&b, name, (struct builder_sizes){ .frames = FRAMES });
	main_block = builder_thread(&b, BUILDER_START, "main");
	b.values[main_block].most = 100;
	counter = builder_counter(&b, "health", COUNTER_SET);
	fill(&b, main_block, counter);
	s = open_source(&b);
	with = looks_of_poll(s);
	assert_true(s->profile->track_count == 1 && s->profile->tracks[0].change_count >= 1);
	without = looks_of_poll(s); /* all is read: what is left is what a poll does anyway */
	if (with > without + FRAMES + 3 * SAMPLES)
		fail_msg("%llu looks with samples, %llu without", (unsigned long long)with,
			 (unsigned long long)without);
	source_close(s);
	builder_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_poll_looks_at_each_frame_once) };

	return cmocka_run_group_tests_name("io: the work of values", tests, NULL, NULL);
}

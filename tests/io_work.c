/* SPDX-License-Identifier: MIT */
/*
 * io_work: how much a poll looks at. Where a ring of frames is all damage, each sample has to look for where its interval
 * ended, and together they look at each interval once. Where a thread has very many stacks, their places are read in few
 * walks, each of which is a walk over all chunks. No clock: looks are counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/region/live.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

enum { FRAMES = 4096, SAMPLES = 2000, NODES = 4000 };

static uint64_t looks, walks;

uint32_t __real_snapshot_nodes(struct attachment *a, uint32_t block, uint32_t first, uint32_t count,
			       struct snapshot_place *place, uint32_t *damaged);
uint32_t __wrap_snapshot_nodes(struct attachment *a, uint32_t block, uint32_t first, uint32_t count,
			       struct snapshot_place *place, uint32_t *damaged);

uint32_t __wrap_snapshot_nodes(struct attachment *a, uint32_t block, uint32_t first, uint32_t count,
			       struct snapshot_place *place, uint32_t *damaged)
{
	walks++;
	return __real_snapshot_nodes(a, block, first, count, place, damaged);
}

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
	enum open_result result;
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

/* A tree of a few levels; eight of it were entered. */
static void grow(struct builder *b, uint32_t block, int64_t *tick)
{
	uint32_t zone = builder_zone(b, "zone", "", 0);

	for (uint32_t i = 1; i <= NODES; i++) {
		uint32_t node = builder_node(b, block, (i - 1) / 8, zone);

		if ((i - 1) / 8)
			continue;
		builder_enter(b, block, node, ++*tick);
		builder_leave(b, block, ++*tick);
	}
}

static void stacks_are_read_in_few_walks(void **state)
{
	struct builder b;
	uint32_t block;
	int64_t tick = BUILDER_START;
	struct source *s;
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "view-walks-%d", (int)getpid());
	builder_begin_sized(&b, name, (struct builder_sizes){ 0 });
	block = builder_thread(&b, BUILDER_START, "main");
	grow(&b, block, &tick);
	for (uint32_t i = 1; i <= NODES; i++)
		WORD_STORE(builder_node_at(&b, block, i)->count, 1);
	s = open_source(&b);
	walks = 0;
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_int_equal(s->profile->node_count, NODES + 1);
	if (walks > 4)
		fail_msg("%llu walks", (unsigned long long)walks);
	walks = 0;
	assert_int_equal(source_next(s), SOURCE_MORE);
	assert_int_equal(walks, 0);
	source_close(s);
	builder_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_poll_looks_at_each_frame_once),
		cmocka_unit_test(stacks_are_read_in_few_walks),
	};

	return cmocka_run_group_tests_name("io: the work of a poll", tests, NULL, NULL);
}

/* core_brim.c: exactly as much as fits, one more of everything, and room for one alone. */
#include "tests/core_limits.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "libprof/prof.h"
#include "tests/core_values.h"
#include "tests/core_within.h"

static Prof_zone *zone(int number)
{
	char name[16];

	snprintf(name, sizeof name, "z%d", number);
	return Prof_Zone(name);
}

static void add_to(int counter)
{
	char name[16];

	snprintf(name, sizeof name, "c%d", counter);
	Prof_Add(Prof_Counter(name), 1);
}

static void once(Prof_zone *z)
{
	Prof_Enter(z);
	Prof_Leave();
}

static int64_t sum_of_counters(struct view *view)
{
	static struct values values;
	int64_t sum = 0;

	if (!values_load(&values, view->name))
		return -1;
	for (uint32_t i = 0; i < values.counter_count; i++)
		sum += values_sum(&values, (int)i);
	values_free(&values);
	return sum;
}

/* ---- what LIMIT_MEDIUM has room for; of threads half as many, so that all find chunks */

#define ZONES    512
#define COUNTERS 32
#define THREADS  32 /* the main thread, too */
#define LEVELS   2048

static pthread_barrier_t all_there;

static void *be_there(void *unused)
{
	once(zone(0));
	pthread_barrier_wait(&all_there);
	return unused;
}

static void fill_with(int more)
{
	pthread_t threads[THREADS + 1];

	within_blocks(THREADS);
	for (int i = 0; i < ZONES + more; i++)
		once(zone(i));
	for (int i = 0; i < COUNTERS + more; i++)
		add_to(i);
	pthread_barrier_init(&all_there, NULL, (unsigned)(THREADS - 1 + more));
	CHECK(limit_together(be_there, THREADS - 1 + more, threads) == THREADS - 1 + more);
	for (int i = 0; i < LEVELS + more; i++)
		Prof_Enter(zone(0));
	for (int i = 0; i < LEVELS + more; i++)
		Prof_Leave();
}

static void run_brim(void)
{
	fill_with(0);
}

static void run_one_more(void)
{
	fill_with(1);
}

static void check_full(struct view *view)
{
	CHECK(view->region.zone_count == ZONES && view->process.zones == ZONES);
	CHECK(view->process.counters == COUNTERS);
	CHECK(view->region.thread_count == 2 * THREADS && view->process.threads == THREADS);
	CHECK(view_entries(view, NULL) == ZONES + THREADS - 1 + LEVELS);
	CHECK(sum_of_counters(view) == COUNTERS);
}

static void check_brim(struct view *view)
{
	check_full(view);
	CHECK_LOST_ONLY(view, 0);
}

static void check_one_more(struct view *view)
{
	check_full(view);
	CHECK_LOST(view, LOSS_ZONE_ROOM, 1);
	CHECK_LOST(view, LOSS_COUNTER_ROOM, 1);
	CHECK_LOST(view, LOSS_THREAD_ROOM, 1);
	CHECK_LOST(view, LOSS_TOO_DEEP, 1);
	CHECK_LOST_ONLY(view, 1 << LOSS_ZONE_ROOM | 1 << LOSS_COUNTER_ROOM | 1 << LOSS_THREAD_ROOM | 1 << LOSS_TOO_DEEP);
}

/* ---- one zone, one counter, one thread */

#define TIMES  3
#define OTHERS 5

static void *do_everything(void *unused)
{
	once(zone(0));
	once(zone(1));
	add_to(0);
	Prof_Event(event);
	Prof_Note("note");
	return unused;
}

static void run_one_of_each(void)
{
	pthread_t threads[OTHERS];

	within_one_of_each();
	for (int i = 0; i < TIMES; i++) {
		once(zone(0));
		once(zone(1)); /* lost */
		add_to(0);
		add_to(1); /* lost */
		Prof_update(1); /* its zone is lost */
	}
	CHECK(limit_together(do_everything, OTHERS, threads) == OTHERS);
}

static void check_one_of_each(struct view *view)
{
	CHECK_LOST(view, LOSS_ZONE_ROOM, 2 * TIMES);
	CHECK_LOST(view, LOSS_COUNTER_ROOM, TIMES);
	CHECK_LOST(view, LOSS_THREAD_ROOM, 5 * OTHERS);
	CHECK_LOST_ONLY(view, 1 << LOSS_ZONE_ROOM | 1 << LOSS_COUNTER_ROOM | 1 << LOSS_THREAD_ROOM);
	CHECK(view_entries(view, "z0") == TIMES && view_entries(view, NULL) == TIMES);
	CHECK(sum_of_counters(view) == TIMES);
	CHECK(view->process.frames == TIMES);
}

/* ---- one chunk for the block, and one for nodes: a root and 41 others */

#define MORE_ZONES 50
#define FITTING    (CHUNK_NODES - 1)

static void run_one_chunk(void)
{
	pthread_t threads[OTHERS];

	within_chunks(2);
	for (int k = 0; k < TIMES; k++)
		for (int i = 0; i < MORE_ZONES; i++)
			once(zone(i));
	do_everything(NULL); /* its two zones fit */
	for (int i = 0; i < TIMES; i++)
		Prof_update(1);
	CHECK(limit_together(do_everything, OTHERS, threads) == OTHERS);
}

/* A thread that has no block drops everything by the same cause. */
static void check_one_chunk(struct view *view)
{
	CHECK_LOST(view, LOSS_NODE_ROOM, TIMES * (MORE_ZONES - FITTING) + TIMES);
	CHECK_LOST(view, LOSS_THREAD_ROOM, OTHERS * 5);
	CHECK_LOST(view, LOSS_COUNTER_ROOM, 1);
	CHECK_LOST(view, LOSS_VALUE_ROOM, 2);
	CHECK_LOST_ONLY(view, 1 << LOSS_NODE_ROOM | 1 << LOSS_THREAD_ROOM | 1 << LOSS_COUNTER_ROOM | 1 << LOSS_VALUE_ROOM);
	CHECK(view_entries(view, NULL) == TIMES * FITTING + 2);
	CHECK(view->process.frames == TIMES);
	CHECK(view->process.lost[LOSS_PART_ROOM] > 0, "parts were written, and nowhere");
	struct snapshot_thread thread;
	if (CHECK(snapshot_thread(&view->region, 0, &thread) == SNAPSHOT_OK))
		CHECK_LOST(view, LOSS_EVENT_ROOM, thread.transitions);
}

const struct limit limits_brim[] = {
	{ .name = "brim", .size = LIMIT_MEDIUM, .run = run_brim, .check = check_brim },
	{ .name = "one_more", .size = LIMIT_MEDIUM, .run = run_one_more, .check = check_one_more },
	{ .name = "one_of_each", .size = LIMIT_SMALL, .run = run_one_of_each, .check = check_one_of_each },
	{ .name = "one_chunk", .size = LIMIT_SMALL, .run = run_one_chunk, .check = check_one_chunk },
	{ 0 },
};

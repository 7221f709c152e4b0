/* core_room.c: more zones, names, nodes and threads than a small region holds. */
#include "tests/core_limits.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "libprof/prof.h"

static Prof_zone *numbered(const char *format, int number)
{
	char name[300];

	snprintf(name, sizeof name, format, number);
	return Prof_Zone(name);
}

static void enter_often(Prof_zone *zone, int times)
{
	for (int i = 0; i < times; i++) {
		Prof_Enter(zone);
		Prof_Leave();
	}
}

/* ---- zones */

#define MANY_ZONES 70000 /* more than the process can know, too */

static void run_zones(void)
{
	for (int i = 0; i < MANY_ZONES; i++)
		enter_often(numbered("z%d", i), 3);
}

static void check_zones(struct view *view)
{
	CHECK(view->process.zones == view->region.zone_count, "%u zones", view->process.zones);
	CHECK_LOST(view, LOSS_ZONE_ROOM, 3 * (MANY_ZONES - view->process.zones));
	CHECK_LOST_ONLY(view, 1 << LOSS_ZONE_ROOM);
	CHECK(view_entries(view, NULL) == 3 * view->process.zones);
	CHECK(view_entries(view, "z0") == 3);
}

/* ---- strings: names of 200 bytes fill their table first */

#define LONG_NAMES 60

static void run_strings(void)
{
	for (int i = 0; i < LONG_NAMES; i++)
		enter_often(numbered("%0200d", i), 2);
	for (int i = 0; i < LONG_NAMES; i++) /* known ones go on */
		enter_often(numbered("%0200d", i), 1);
}

static void check_strings(struct view *view)
{
	uint32_t zones = (view->region.string_bytes - 1) / 200;

	CHECK(view->process.zones == LONG_NAMES, "%u zones", view->process.zones); /* those without a name are passed over */
	CHECK_LOST(view, LOSS_ZONE_ROOM, 3 * (LONG_NAMES - zones));
	CHECK_LOST_ONLY(view, 1 << LOSS_ZONE_ROOM);
	CHECK(view_entries(view, NULL) == 3 * zones);
}

/* ---- nodes: 30 zones in each other, three deep */

#define WIDE 30

static Prof_zone *wide[WIDE];

static void name_wide(void)
{
	for (int i = 0; i < WIDE; i++)
		wide[i] = numbered("wide%d", i);
}

/* The stack of that number, of WIDE * WIDE * WIDE. */
static void pass_through(int stack)
{
	Prof_Enter(wide[stack / (WIDE * WIDE)]);
	Prof_Enter(wide[stack / WIDE % WIDE]);
	Prof_Enter(wide[stack % WIDE]);
	Prof_Leave();
	Prof_Leave();
	Prof_Leave();
}

static void fill_nodes(void)
{
	name_wide();
	for (int i = 0; i < WIDE * WIDE * WIDE; i++)
		pass_through(i);
	for (int i = 0; i < 10; i++)
		Prof_update(1);
}

#define FILL_TRIES (3 * WIDE * WIDE * WIDE + 10)

static void check_nodes(struct view *view)
{
	uint64_t recorded = view_entries(view, NULL);

	CHECK(recorded >= CHUNK_NODES && recorded < FILL_TRIES, "%d recorded", (int)recorded);
	CHECK_LOST(view, LOSS_NODE_ROOM, FILL_TRIES - recorded);
	CHECK_LOST_ONLY(view, 1 << LOSS_NODE_ROOM);
	CHECK(view->process.frames == 10);
	CHECK(view->process.chunks_free == 0);
}

/* ---- a thread whose tables have grown many times finds each of its nodes again */

#define WALKS 3
#define GROWN (WIDE * WIDE * WIDE + WIDE * WIDE + WIDE) /* stacks of zones */

static void run_grown(void)
{
	name_wide();
	for (int i = 0; i < WALKS * WIDE * WIDE * WIDE; i++)
		pass_through((int)(i * 7919ll % (WIDE * WIDE * WIDE))); /* each of them, none beside the one before */
	Prof_update(1);
}

static void check_grown(struct view *view)
{
	struct snapshot_thread thread;

	CHECK(snapshot_thread(&view->region, 0, &thread) == SNAPSHOT_OK);
	CHECK(thread.nodes == 1 + GROWN + 1, "%u nodes", thread.nodes); /* the root, and the zone of the mark */
	CHECK(view_entries(view, NULL) == WALKS * 3 * WIDE * WIDE * WIDE + 1, "%d entries", (int)view_entries(view, NULL));
	CHECK_LOST_ONLY(view, 0);
}

/* ---- then threads come, for whose roots there is no room */

#define ROOTLESS      200
#define ROOTLESS_WARM 20

static void *two_levels(void *unused)
{
	for (int i = 0; i < 5; i++) {
		Prof_Begin(rootless_outer)
		Prof_Begin(rootless_inner)
		Prof_End
		Prof_End
	}
	return unused;
}

static void threads_in_turn(int count)
{
	pthread_t thread;

	for (int i = 0; i < count; i++)
		if (CHECK(pthread_create(&thread, NULL, two_levels, NULL) == 0))
			pthread_join(thread, NULL);
}

static void run_rootless(void)
{
	fill_nodes();
	threads_in_turn(ROOTLESS_WARM);
	uint64_t before = limit_memory("VmSize:");
	threads_in_turn(ROOTLESS);
	uint64_t after = limit_memory("VmSize:");
	CHECK(SANITIZED || after < before + 2048, "%d KiB more than before", (int)(after - before));
}

static void check_rootless(struct view *view)
{
	uint64_t recorded = view_entries(view, NULL);

	CHECK_LOST(view, LOSS_NODE_ROOM, FILL_TRIES - recorded);
	CHECK_LOST(view, LOSS_THREAD_ROOM, 10 * (ROOTLESS + ROOTLESS_WARM));
	CHECK_LOST_ONLY(view, 1 << LOSS_NODE_ROOM | 1 << LOSS_THREAD_ROOM);
	for (uint32_t i = 1; i < view->process.threads; i++) {
		struct snapshot_thread none;
		CHECK(snapshot_thread(&view->region, i, &none) == SNAPSHOT_ABSENT, "block %u had no owner", i);
	}
	CHECK(view_entries(view, "rootless_outer") == 0);
}

/* ---- threads: sixteen blocks, for the main thread and forty others that live at once */

#define CROWD  40
#define SEATS  15 /* blocks for them */
#define ROUNDS 10

static struct {
	pthread_barrier_t seated, worked, ended, again, done;
} crowd;

static void work_once(void)
{
	Prof_Begin(crowd_outer)
	Prof_Begin(crowd_inner)
	Prof_End
	Prof_End
}

static void *seated_thread(void *unused)
{
	work_once();
	pthread_barrier_wait(&crowd.seated);
	for (int i = 1; i < ROUNDS; i++)
		work_once();
	pthread_barrier_wait(&crowd.worked);
	return unused;
}

/* Gets no block, is inside a zone while blocks come free, and takes one when it is out of it. */
static void *standing_thread(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		work_once();
	Prof_Begin(refused)
	pthread_barrier_wait(&crowd.worked);
	pthread_barrier_wait(&crowd.ended);
	Prof_Thread("late");
	work_once();
	Prof_End
	pthread_barrier_wait(&crowd.again);
	Prof_Begin(second_try)
	work_once();
	Prof_End
	pthread_barrier_wait(&crowd.done);
	return unused;
}

static void run_threads(void)
{
	pthread_t threads[CROWD];

	pthread_barrier_init(&crowd.seated, NULL, SEATS + 1);
	pthread_barrier_init(&crowd.worked, NULL, CROWD);
	pthread_barrier_init(&crowd.ended, NULL, CROWD - SEATS + 1);
	pthread_barrier_init(&crowd.again, NULL, CROWD - SEATS);
	pthread_barrier_init(&crowd.done, NULL, CROWD - SEATS);
	Prof_Begin(main_has_a_block)
	Prof_End
	for (int i = 0; i < CROWD; i++) {
		CHECK(pthread_create(&threads[i], NULL, i < SEATS ? seated_thread : standing_thread, NULL) == 0);
		if (i == SEATS - 1)
			pthread_barrier_wait(&crowd.seated);
	}
	for (int i = 0; i < SEATS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_wait(&crowd.ended);
	for (int i = SEATS; i < CROWD; i++)
		pthread_join(threads[i], NULL);
}

static void check_threads(struct view *view)
{
	const uint64_t standing = CROWD - SEATS;

	CHECK(view->region.thread_count == SEATS + 1, "%u blocks", view->region.thread_count);
	CHECK_LOST(view, LOSS_THREAD_ROOM, standing * (2 * ROUNDS + 3) + (standing - SEATS) * 3);
	CHECK_LOST_ONLY(view, 1 << LOSS_THREAD_ROOM);
	CHECK(view_entries(view, "crowd_outer") == SEATS * (ROUNDS + 1));
	CHECK(view_entries(view, "crowd_inner") == SEATS * (ROUNDS + 1));
	CHECK(view_entries(view, "second_try") == SEATS);
	CHECK(view_entries(view, "refused") == 0);
	CHECK(view_entries(view, NULL) == SEATS * (2 * ROUNDS + 3) + 1);
	CHECK(view_blocks(view, BLOCK_LIVE) == 0);
}

/* ---- private memory: there is none for the cache of a node's children, or none for a node */

#define DEEP_WITH    300 /* levels, while there is memory */
#define DEEP_WITHOUT 300
#define DESCENTS     2

static void limit_address_space(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

static void descend(Prof_zone *zone, int levels)
{
	for (int i = 0; i < levels; i++)
		Prof_Enter(zone);
}

static void ascend(int levels)
{
	for (int i = 0; i < levels; i++)
		Prof_Leave();
}

/* A level takes two lines, one for the node and one for its children; a zone beside them takes one more. */
static void *go_deep(void *beside)
{
	Prof_zone *zone = Prof_Zone("deep");

	enter_often(zone, 1);
	if (beside)
		enter_often(Prof_Zone("beside"), 1);
	descend(zone, DEEP_WITH);
	limit_address_space(0);
	for (int i = 0; i < DESCENTS; i++) {
		descend(zone, DEEP_WITHOUT);
		ascend(DEEP_WITHOUT);
	}
	limit_address_space(RLIM_INFINITY);
	ascend(DEEP_WITH);
	return NULL;
}

static void run_memory(void)
{
	static int beside;
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		if (CHECK(pthread_create(&thread, NULL, go_deep, i ? &beside : NULL) == 0))
			pthread_join(thread, NULL);
}

static void check_memory(struct view *view)
{
	uint64_t entered = 2 * (1 + DEEP_WITH + DESCENTS * DEEP_WITHOUT), deep = view_entries(view, "deep");

	/* No less than all where an emulator does not know that limit. */
	CHECK(deep > 2 * (1 + DEEP_WITH) && deep <= entered, "%llu entries", (unsigned long long)deep);
	CHECK(view_entries(view, "beside") == 1);
	CHECK_LOST(view, LOSS_MEMORY, entered - deep);
	CHECK_LOST_ONLY(view, 1 << LOSS_MEMORY);
}

/* ---- nor for the tables of names */

#define NAMELESS 10

static void run_tables(void)
{
	Prof_Thread("main"); /* it has its block */
	limit_address_space(0);
	for (int i = 0; i < NAMELESS; i++) {
		Prof_Begin(private)
		Prof_End
		Prof_Enter(Prof_Zone("public"));
		Prof_Leave();
		Prof_Counter_Add(counter, 1);
		Prof_Event(event);
	}
	limit_address_space(RLIM_INFINITY);
	Prof_Begin(behind)
	Prof_End
}

static void check_tables(struct view *view)
{
	bool limited = view_entries(view, "private") == 0; /* an emulator may not know that limit */

	CHECK(view_entries(view, "behind") == 1);
	CHECK_LOST(view, LOSS_MEMORY, limited ? 4 * NAMELESS : 0);
	CHECK_LOST_ONLY(view, 1 << LOSS_MEMORY);
}

/* ---- a filter of system calls that says `interrupted' for ever */

static bool is_interrupted;

int madvise(void *from, size_t size, int advice)
{
	if (!is_interrupted)
		return (int)syscall(SYS_madvise, from, size, advice);
	errno = EINTR;
	return -1;
}

static void run_interrupted(void)
{
	Prof_Begin(before)
	Prof_End
	is_interrupted = true;
	for (int i = 0; i < MANY_ZONES / 10; i++)
		enter_often(numbered("z%d", i), 3);
	is_interrupted = false;
	Prof_Begin(behind)
	Prof_End
}

static void check_interrupted(struct view *view)
{
	CHECK(view_entries(view, "before") == 1);
	CHECK(view_entries(view, "behind") == 1);
	CHECK(view_entries(view, NULL) < 3 * (MANY_ZONES / 10));
}

const struct limit limits_room[] = {
	{ .name = "zones", .size = LIMIT_SMALL, .run = run_zones, .check = check_zones },
	{ .name = "strings", .size = LIMIT_SMALL, .run = run_strings, .check = check_strings },
	{ .name = "grown", .size = "16M", .run = run_grown, .check = check_grown },
	{ .name = "nodes", .size = LIMIT_SMALL, .run = fill_nodes, .check = check_nodes },
	{ .name = "rootless", .size = LIMIT_SMALL, .run = run_rootless, .check = check_rootless },
	{ .name = "threads", .size = LIMIT_SMALL, .run = run_threads, .check = check_threads },
	{ .name = "interrupted", .run = run_interrupted, .check = check_interrupted },
#if !SANITIZED /* which need memory for themselves */
	{ .name = "memory", .run = run_memory, .check = check_memory },
	{ .name = "tables", .run = run_tables, .check = check_tables, .without_cpu = true },
#endif
	{ 0 },
};

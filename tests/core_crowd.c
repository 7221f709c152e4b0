/* core_crowd.c: threads by the thousand, one after another and at once. */
#include "tests/core_limits.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "libprof/prof.h"
#include "tests/long.h"

#define STACK (256u << 10) /* bytes */

int limit_together(void *(*work)(void *), int count, pthread_t *threads)
{
	pthread_attr_t small;
	int made = 0;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	while (made < count && pthread_create(&threads[made], &small, work, NULL) == 0)
		made++;
	for (int i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	pthread_attr_destroy(&small);
	return made;
}

static void five_zones(void)
{
	Prof_Begin(first)
	Prof_Begin(second)
	Prof_End
	Prof_Begin(third)
	Prof_Begin(fourth)
	Prof_End
	Prof_End
	Prof_End
	Prof_Begin(fifth)
	Prof_End
}

/* ---- a hundred thousand threads (fewer in a run of minutes), eight at a time */

#define COMING  ((int)test_times(20000, 100000))
#define AT_ONCE 8

static void *come_and_go(void *unused)
{
	five_zones();
	return unused;
}

static void come(int count, uint64_t *threads_made)
{
	pthread_t threads[AT_ONCE];

	for (int i = 0; i < count; i += AT_ONCE) {
		*threads_made += (uint64_t)limit_together(come_and_go, AT_ONCE, threads);
		if (i % 1000 == 0)
			Prof_update(1);
	}
}

static void run_come_and_go(void)
{
	uint64_t made = 0;

	come(COMING / 10, &made);
	uint64_t before = limit_memory("RssAnon:");
	come(COMING - COMING / 10, &made);
	uint64_t after = limit_memory("RssAnon:");
	CHECK(SANITIZED || after < before + 1024, "%d KiB more than before", (int)(after - before));
	CHECK(made == (uint64_t)COMING, "%d threads", (int)made);
	limit_tell("threads", made);
}

static void check_come_and_go(struct view *view)
{
	uint64_t threads = view_told(view, "threads"), generations = 0;
	static const char *const names[] = { "first", "second", "third", "fourth", "fifth" };
	struct snapshot_thread thread;

	CHECK_LOST_ONLY(view, 0);
	for (int i = 0; i < 5; i++)
		CHECK(view_entries(view, names[i]) == threads, "%s: %d of %d", names[i],
		      (int)view_entries(view, names[i]), (int)threads);
	for (uint32_t b = 0; b < view->process.threads; b++)
		if (snapshot_thread(&view->region, b, &thread) == SNAPSHOT_OK)
			generations += thread.generation;
	CHECK(generations == threads + 1, "%d owners of blocks", (int)generations);
	CHECK(view->process.threads <= view->region.thread_count);
	CHECK(view_blocks(view, BLOCK_LIVE) == 0);
}

/* ---- two thousand at once, which is what 32 MiB have room for */

#define THOUSANDS 2000

static pthread_barrier_t all_there;

static void *stay(void *unused)
{
	five_zones();
	pthread_barrier_wait(&all_there);
	five_zones();
	return unused;
}

static void run_thousands(void)
{
	static pthread_t threads[THOUSANDS];

	pthread_barrier_init(&all_there, NULL, THOUSANDS);
	CHECK(limit_together(stay, THOUSANDS, threads) == THOUSANDS);
}

static void check_thousands(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_entries(view, NULL) == THOUSANDS * 10);
	CHECK(view->process.threads == THOUSANDS);
	CHECK(view_blocks(view, BLOCK_ENDED) == THOUSANDS);
}

/* ---- more than there is room for, and then main */

#define MORE 80 /* 64 have room */

static void run_main_late(void)
{
	static pthread_t threads[MORE];

	pthread_barrier_init(&all_there, NULL, MORE + 1);
	for (int i = 0; i < MORE; i++)
		pthread_create(&threads[i], NULL, stay, NULL);
	core_sleep_us(300000);
	Prof(main_zone);
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < MORE; i++)
		pthread_join(threads[i], NULL);
}

static void check_main_late(struct view *view)
{
	CHECK(view_entries(view, "main_zone") == 1);
	CHECK_LOST_ONLY(view, 1 << LOSS_THREAD_ROOM);
}

/* ---- main comes behind more threads than get fresh blocks, and has been there from the beginning all the same */

#define BEFORE_MAIN 100

static void *come_once(void *unused)
{
	five_zones();
	return unused;
}

static void run_main_begins(void)
{
	pthread_t thread;

	for (int i = 0; i < BEFORE_MAIN; i++)
		limit_together(come_once, 1, &thread);
	Prof(main_zone);
}

static void check_main_begins(struct view *view)
{
	struct snapshot_thread t = { 0 };
	uint32_t b = 0;

	CHECK_LOST_ONLY(view, 0);
	while (b < view->process.threads && (snapshot_thread(&view->region, b, &t) != SNAPSHOT_OK || strcmp(t.name, "main")))
		b++;
	CHECK(b < view->process.threads && t.started == (int64_t)view->region.header.created.ticks, "main began later");
}

/* ---- main comes when the stacks of others have filled the region */

#define FILLERS 10
#define FILLING 40 /* zones, each of them in each: 1,600 stacks a thread */

static pthread_barrier_t filled;

static void *fill(void *unused)
{
	for (int i = 0; i < FILLING * FILLING; i++) {
		char outer[16], inner[16];
		snprintf(outer, sizeof outer, "o%d", i / FILLING);
		snprintf(inner, sizeof inner, "i%d", i % FILLING);
		Prof_Enter(Prof_Zone(outer));
		Prof_Enter(Prof_Zone(inner));
		Prof_Leave();
		Prof_Leave();
	}
	pthread_barrier_wait(&filled);
	pthread_barrier_wait(&all_there);
	return unused;
}

static void run_main_last(void)
{
	pthread_t threads[FILLERS];

	pthread_barrier_init(&filled, NULL, FILLERS + 1);
	pthread_barrier_init(&all_there, NULL, FILLERS + 1);
	for (int i = 0; i < FILLERS; i++)
		pthread_create(&threads[i], NULL, fill, NULL);
	pthread_barrier_wait(&filled);
	Prof_Begin(main_zone)
	Prof_End
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < FILLERS; i++)
		pthread_join(threads[i], NULL);
}

/* The thread that came when the region was full has no space at all. */
static void check_main_last(struct view *view)
{
	uint64_t lost = view->process.lost[LOSS_NODE_ROOM] + view->process.lost[LOSS_THREAD_ROOM];

	CHECK(view_entries(view, "main_zone") == 1);
	CHECK(lost && view_entries(view, NULL) + lost == 1 + 2 * FILLERS * FILLING * FILLING, "%d lost", (int)lost);
	CHECK_LOST_ONLY(view, 1 << LOSS_NODE_ROOM | 1 << LOSS_THREAD_ROOM);
}

/* ---- marks from everywhere */

#define MARKERS 4
#define MARKS   5000

static void *mark_often(void *unused)
{
	for (int i = 0; i < MARKS; i++)
		Prof_update(1);
	return unused;
}

static void run_marks(void)
{
	pthread_t threads[MARKERS];

	CHECK(limit_together(mark_often, MARKERS, threads) == MARKERS);
}

static void check_marks(struct view *view)
{
	CHECK_LOST(view, LOSS_MARK_BUSY, MARKERS * MARKS - view->process.frames);
	CHECK_LOST_ONLY(view, 1 << LOSS_MARK_BUSY);
	CHECK(view->process.frames > 0 && view->process.epoch == view->process.frames + 1, "%d frames, epoch %d",
	      (int)view->process.frames, (int)view->process.epoch);
	CHECK(view_entries(view, "Prof_update") == MARKERS * MARKS);
}

const struct limit limits_crowd[] = {
	{ .name = "come_and_go", .run = run_come_and_go, .check = check_come_and_go },
	{ .name = "thousands", .run = run_thousands, .check = check_thousands },
	{ .name = "main_late", .size = LIMIT_MEDIUM, .run = run_main_late, .check = check_main_late },
	{ .name = "main_begins", .run = run_main_begins, .check = check_main_begins },
	{ .name = "main_last", .size = LIMIT_SMALL, .run = run_main_last, .check = check_main_last },
	{ .name = "marks", .size = LIMIT_MEDIUM, .run = run_marks, .check = check_marks },
	{ 0 },
};

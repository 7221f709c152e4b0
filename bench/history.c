/* history.c: how much of the past a region of the default size holds.
 *
 * A program of 4 threads that change 100 nodes in each of 60 frames a second is run until its region has been
 * full for a while, on a clock that this program sets: minutes of it take seconds, and each node has the time that
 * it would have.  What is there then is read with the reader's functions.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "bench/walk.h"
#include "prof.h"
#include "shm/clock.h"
#include "shm/snapshot.h"

#define THREADS     4
#define NODES       100
#define FRAMES_S    60
#define TICKS_S     2600000000ll
#define FRAMES_MOST 100000
#define BEHIND      2000 /* frames after all have been full */

/* ---- the program: its threads take turns, each with a whole frame of time */

static sem_t turns[THREADS], done;
static atomic_bool over;

/* Times differ, in the mean a frame's 200th. */
static void moment(void)
{
	static uint64_t random = 88172645463325252u;
	const int64_t mean = TICKS_S / FRAMES_S / (2 * NODES);

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	clock_of_tests += (int64_t)(random % (uint64_t)(2 * mean));
}

static void *work(void *number)
{
	sem_t *turn = number;

	for (sem_wait(turn); !atomic_load(&over); sem_wait(turn)) {
		walk(NODES, moment);
		sem_post(&done);
	}
	return NULL;
}

/* As the thread of examples/game_loop that marks: 11,000 transitions in a frame; every 4 s one that takes twice as long,
 * and each other of these three times as long, with 140,000. */
#define GAME_WALKS  55
#define HITCH       240
#define HITCH_WALKS 700

static void game_frame(long n)
{
	int length = n % HITCH < HITCH - 1 ? 1 : n / HITCH % 2 ? 3 : 2, walks = length == 3 ? HITCH_WALKS : GAME_WALKS;

	for (int i = 0; i < walks; i++) {
		walk(NODES, NULL);
		clock_of_tests += TICKS_S / FRAMES_S * length / walks;
	}
	Prof_update(1);
}

static void frame(void)
{
	walk(NODES, moment);
	for (int i = 1; i < THREADS; i++) {
		sem_post(&turns[i]);
		sem_wait(&done);
	}
	Prof_update(1);
}

/* ---- what its region has */

static bool full(struct attachment *region)
{
	struct snapshot_thread thread;

	for (uint32_t block = 0; block < THREADS; block++)
		if (snapshot_thread(region, block, &thread) != SNAPSHOT_OK || !thread.part_tail)
			return false;
	return true;
}

struct held {
	uint64_t first, last; /* intervals */
	double bytes, nodes;
};

static bool count(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct held *held = context;

	(void)nodes;
	if (head->kind != RECORD_PART)
		return true;
	if (!held->first)
		held->first = head->interval;
	held->last = head->interval;
	held->bytes += head->words * 8.0;
	held->nodes += head->nodes;
	return true;
}

static void lines(struct attachment *region)
{
	struct line bytes = { .what = "a changed node in a frame", .unit = "bytes", .target = TARGET_MOST, .bound = 8 };
	struct line seconds = { .what = "frames with all their zones", .unit = "s", .target = TARGET_LEAST, .bound = 60 };
	struct line calls = { .what = "single calls (the log of events)", .unit = "s" };
	struct held all = { 0 };
	double least_frames = 1e18, least_events = 1e18;

	for (uint32_t block = 0; block < THREADS; block++) {
		struct held held = { 0 };
		struct snapshot_thread thread;
		uint64_t position = 0, lapped = 0, damaged = 0;

		snapshot_parts(region, block, &position, &lapped, &damaged, NULL, count, &held);
		snapshot_thread(region, block, &thread);
		all.bytes += held.bytes;
		all.nodes += held.nodes;
		if ((double)(held.last - held.first) < least_frames)
			least_frames = (double)(held.last - held.first);
		if ((double)(thread.transitions - thread.event_tail) < least_events)
			least_events = (double)(thread.transitions - thread.event_tail);
	}
	line_add(&bytes, all.nodes > 0 ? all.bytes / all.nodes : 0, 0);
	line_print(&bytes);
	line_add(&seconds, least_frames / FRAMES_S, 0);
	line_print(&seconds);
	if (!getenv("PROF_EVENTS")) {
		line_add(&calls, least_events / (2 * NODES) / FRAMES_S, 0);
		line_print(&calls);
	}
}

struct calls {
	const struct snapshot_frame *of;
	uint64_t events;
};

static bool count_calls(const struct snapshot_kept_events *kept, void *context)
{
	struct calls *c = context;

	for (uint64_t i = 0; i < kept->count; i++)
		c->events += kept->events[i].tick > c->of->start && kept->events[i].tick <= c->of->end;
	return true;
}

/* All of them, of a frame of the game that the log has no more. */
static bool has_calls(struct attachment *region, uint32_t slot)
{
	struct snapshot_process process;
	struct snapshot_frame frame;
	struct calls calls = { .of = &frame };

	snapshot_process(region, &process);
	if (snapshot_worst(region, slot, &frame) != SNAPSHOT_OK)
		return false;
	snapshot_kept_events(region, 0, 0, UINT64_MAX / 2, count_calls, &calls);
	return calls.events >= 2ull * NODES * (frame.end - frame.start > TICKS_S / FRAMES_S * 5 / 2 ? HITCH_WALKS : GAME_WALKS);
}

static int game(void)
{
	struct line seconds = { .what = "single calls, 11,000 transitions in a frame", .unit = "s" };
	struct line frames = { .what = "the longest frames, beyond that, with all calls", .unit = "of 16" };
	struct snapshot_event oldest;
	struct attachment region;
	uint64_t first, end;
	int kept = 0;

	walk_begin();
	for (long n = 0; n < (measure_quick() ? 20 : 20l * HITCH + 200); n++)
		game_frame(n);
	if (region_attach(&region, stage_region(), 0, NULL, 0) != ATTACH_OK) {
		line_skip("history", "the region cannot be had");
		return 1;
	}
	snapshot_event_range(&region, 0, &first, &end);
	snapshot_events(&region, 0, first, 1, &oldest);
	line_add(&seconds, (double)(clock_of_tests - oldest.tick) / TICKS_S, 0);
	line_print(&seconds);
	for (uint32_t slot = 0; slot < REGION_WORST_FRAMES; slot++)
		kept += has_calls(&region, slot);
	line_add(&frames, kept, 0);
	line_print(&frames);
	region_detach(&region);
	return 0;
}

static bool start(pthread_t threads[THREADS])
{
	sem_init(&done, 0, 0);
	for (int i = 1; i < THREADS; i++) {
		sem_init(&turns[i], 0, 0);
		if (pthread_create(&threads[i], NULL, work, &turns[i]) != 0)
			return false;
	}
	return true;
}

static int profiled(void)
{
	pthread_t threads[THREADS];
	struct attachment region;
	long frames = 0, most = measure_quick() ? 20 : FRAMES_MOST, behind = 0;

	walk_begin();
	if (!start(threads) || region_attach(&region, stage_region(), 0, NULL, 0) != ATTACH_OK) {
		line_skip("history", "the threads or the region cannot be had");
		return 1;
	}
	for (; frames < most && behind < BEHIND; frames++) {
		frame();
		behind += behind || (frames % 100 == 0 && full(&region));
	}
	lines(&region);
	if (behind < BEHIND)
		printf("The region did not become full in %ld frames: what it held was all of these.\n", frames);
	atomic_store(&over, true);
	for (int i = 1; i < THREADS; i++) {
		sem_post(&turns[i]);
		pthread_join(threads[i], NULL);
	}
	region_detach(&region);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const no_events[] = { "PROF_EVENTS=0", NULL }, *const as_game[] = { "BENCH_GAME=1", NULL };

	measure_begin(argc, argv);
	if (stage_now())
		return getenv("BENCH_GAME") ? game() : profiled();
	line_heading("history in 32 MiB: 60 frames/s, 4 threads, 100 nodes");
	stage_run("profiled", NULL);
	line_heading("the same, PROF_EVENTS=0");
	stage_run("profiled", no_events);
	line_heading("the same, one thread as busy as examples/game_loop, and a slow frame every 4 s");
	stage_run("profiled", as_game);
	return measure_end();
}

/* core_lap.c: a region too small for what it is asked to hold: what can still be read is right.
 *
 * Logs lap, marks lap a thread that sleeps, parts do not fit; each is said and counted, and the worst frames
 * stay whole long after the log has passed over them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prof.h"
#include "tests/core_check.h"
#include "tests/core_run.h"
#include "tests/core_watch.h"
#include "tests/core_work.h"
#include "tests/long.h"

/* ---- what is profiled */

static pthread_barrier_t asleep, awake;

static void *sleeper(void *unused)
{
	Prof_Begin(busy)
	Prof_Begin(sleeping)
	pthread_barrier_wait(&asleep);
	pthread_barrier_wait(&awake);
	Prof_End
	Prof_End
	for (int i = 0; i < 10; i++) {
		Prof_Begin(busy)
		core_sleep_us(500);
		Prof_End
	}
	return unused;
}

/* A thread sleeps over more marks than are remembered. */
static int sleep_long(void)
{
	pthread_t thread;

	pthread_barrier_init(&asleep, NULL, 2);
	pthread_barrier_init(&awake, NULL, 2);
	if (pthread_create(&thread, NULL, sleeper, NULL) != 0)
		return 1;
	pthread_barrier_wait(&asleep);
	for (int i = 0; i < 20000; i++)
		Prof_update(i % 5 != 0);
	pthread_barrier_wait(&awake);
	for (int i = 0; i < 10; i++) {
		core_sleep_us(500);
		Prof_update(1);
	}
	pthread_join(thread, NULL);
	return 0;
}

/* More changed nodes in each frame than there is room for. */
static int fill_up(void)
{
	Prof_zone *zones[60];

	for (int i = 0; i < 60; i++) {
		char name[8];
		snprintf(name, sizeof name, "z%d", i);
		zones[i] = Prof_Zone(name);
	}
	for (int frame = 0; frame < 50; frame++) {
		for (int i = 0; i < 60; i++) {
			Prof_Enter(zones[i]);
			for (int k = 0; k < 60; k++) {
				Prof_Enter(zones[k]);
				Prof_Leave();
			}
			Prof_Leave();
		}
		Prof_update(1);
	}
	return 0;
}

/* ---- what is left of it */

static void program(struct core_program *p, const char *name, const char *size, const char *const *arguments)
{
	*p = (struct core_program){ .shm = name, .size = size, .arguments = arguments };
}

static bool left_by(struct image *image, const char *name, const char *size, const char *mode, struct check_seen *seen)
{
	const char *const arguments[] = { mode, NULL };
	struct core_program p;

	program(&p, name, size, arguments);
	core_run(&p, 30);
	check_region(name, seen);
	replay_print(mode, &seen->counts);
	return image_load(image, name);
}

static void marks_lap(void)
{
	const char *name = core_name("lap");
	struct check_seen seen = { 0 };
	struct image image;

	if (left_by(&image, name, "1M", "sleep", &seen)) {
		CHECK(seen.counts.merged > 0, "no intervals were merged");
		CHECK(image_lost(&image, LOSS_FRAMES_MERGED) > 0, "and none counted");
		image_free(&image);
	}
	core_remove(name);
}

static void parts_do_not_fit(void)
{
	const char *name = core_name("full");
	struct check_seen seen = { 0 };
	struct image image;

	if (left_by(&image, name, "256K", "fill", &seen)) {
		CHECK(image_lost(&image, LOSS_NODE_ROOM) > 0, "all nodes fit");
		CHECK(image_lost(&image, LOSS_PART_ROOM) > 0 && seen.counts.cut > 0, "all parts fit");
		CHECK(seen.counts.cut == image_lost(&image, LOSS_PART_ROOM), "%llu parts cut, %llu counted",
		      (unsigned long long)seen.counts.cut, (unsigned long long)image_lost(&image, LOSS_PART_ROOM));
		image_free(&image);
	}
	core_remove(name);
}

/* ---- worst frames */

struct kept {
	const struct watch *watch;
	uint32_t block;
	uint64_t interval, records, found;
};

static bool covers(const struct record_head *head, uint64_t interval)
{
	return head->kind != RECORD_START && interval >= head->interval && interval - head->interval < head->intervals;
}

static bool find_kept(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct kept *k = context;
	uint64_t hash = head->kind == RECORD_SPAN ? 0 : watch_hash(nodes, head->nodes);

	k->records++;
	CHECK(covers(head, k->interval), "kept of %llu: a record of %llu", (unsigned long long)k->interval,
	      (unsigned long long)head->interval);
	for (uint64_t i = 0; i < k->watch->record_count; i++) {
		const struct watched *w = &k->watch->records[i];
		if (w->block == k->block && w->head.kind == head->kind && w->head.bound == head->bound &&
		    w->head.interval == head->interval && w->head.end == head->end && w->hash == hash &&
		    w->head.nodes == head->nodes) {
			k->found++;
			break;
		}
	}
	return true;
}

/* Whether the thread has published a record of that interval that worst frames are kept of. */
static bool published(const struct watch *w, uint32_t block, uint64_t interval)
{
	for (uint64_t i = 0; i < w->record_count; i++) {
		const struct record_head *head = &w->records[i].head;
		if (w->records[i].block == block && covers(head, interval) &&
		    (head->kind == RECORD_PART || head->kind == RECORD_SPAN))
			return true;
	}
	return false;
}

static uint64_t worst_whole; /* parts of worst frames, of all programs: in one alone there may be room for none */
static uint64_t calls_whole; /* with their single calls, of which the log does not have all any more */

static void worst_are_kept(struct watch *w, uint32_t threads, uint64_t room_lost)
{
	uint64_t missing = 0, whole = 0, passed = 0, unseen = 0, frames = 0;
	struct snapshot_frame frame;

	for (uint32_t slot = 0; slot < w->region.worst_count; slot++) {
		if (snapshot_worst(&w->region, slot, &frame) != SNAPSHOT_OK)
			continue;
		frames++;
		for (uint32_t block = 0; block < threads; block++) {
			struct kept k = { w, block, frame.interval, 0, 0 };
			uint64_t damaged = 0;
			enum snapshot_result result =
			    snapshot_kept(&w->region, block, slot, frame.interval, &damaged, find_kept, &k);
			CHECK(!damaged, "slot %u block %u", slot, block);
			if (result == SNAPSHOT_OK) {
				whole++;
				unseen += k.records - k.found;
				CHECK(k.records, "slot %u block %u", slot, block);
			} else if (published(w, block, frame.interval)) {
				missing++;
			}
			struct snapshot_thread t;
			passed += result == SNAPSHOT_OK && snapshot_thread(&w->region, block, &t) == SNAPSHOT_OK && t.part_tail > 0;
		}
	}
	worst_whole += whole;
	CHECK(frames == REGION_WORST_FRAMES, "%llu worst frames", (unsigned long long)frames);
	CHECK(missing <= room_lost, "%llu parts of worst frames are missing, %llu counted", (unsigned long long)missing,
	      (unsigned long long)room_lost);
	CHECK(unseen == 0 || w->lapped > 0, "%llu kept records differ from what was published", (unsigned long long)unseen);
	CHECK(unseen <= whole / 2 || w->lapped > w->record_count, "%llu of %llu kept records were never seen",
	      (unsigned long long)unseen, (unsigned long long)whole);
	printf("  worst frames: %llu parts kept (%llu in logs that lapped), %llu missing (%llu counted), %llu not seen before\n",
	       (unsigned long long)whole, (unsigned long long)passed, (unsigned long long)missing,
	       (unsigned long long)room_lost, (unsigned long long)unseen);
}

/* Delivered and lapped words add up to all that was ever written. */
static void words_balance(struct watch *w, uint32_t threads)
{
	uint64_t delivered = 0, written = 0;
	struct snapshot_thread t;

	for (uint64_t i = 0; i < w->record_count; i++)
		delivered += w->records[i].head.words;
	for (uint32_t block = 0; block < threads; block++)
		if (snapshot_thread(&w->region, block, &t) != SNAPSHOT_ABSENT)
			written += t.part_head;
	CHECK(delivered + w->lapped == written && !w->damaged, "delivered %llu + lapped %llu words of %llu, %llu damaged",
	      (unsigned long long)delivered, (unsigned long long)w->lapped, (unsigned long long)written,
	      (unsigned long long)w->damaged);
	printf("  %llu words: %llu delivered, %llu lapped\n", (unsigned long long)written, (unsigned long long)delivered,
	       (unsigned long long)w->lapped);
}

/* A list says how far back a part log reaches, without a look into it. */
static void beginnings_are_told(const char *name)
{
	struct image image;

	if (!image_load(&image, name))
		return;
	for (uint32_t block = 0; block < image.threads_used; block++) {
		struct image_log log = image_parts(&image, block);
		int64_t told = WORD_LOAD(image_thread(&image, block)->parts_begin);
		int64_t begins = log.first < log.head ? (int64_t)log.words[RECORD_BOUND] : told; /* an empty log has no beginning */

		CHECK(told == begins, "block %u begins at %lld, which is told as %lld", block, (long long)begins, (long long)told);
		free(log.words);
	}
	image_free(&image);
}

static void check_rest(struct watch *w, const char *name, const char *traits)
{
	struct check_seen seen = { 0 };
	struct snapshot_process p;
	uint32_t lapped = 0;

	check_region(name, &seen);
	replay_print(traits, &seen.counts);
	kept_print(traits, &seen.kept);
	calls_whole += seen.kept.lapped;
	CHECK(seen.counts.transitions > 0 && seen.counts.parts > 0, "%s", traits);
	snapshot_process(&w->region, &p);
	for (uint32_t block = 0; block < p.threads; block++) {
		struct snapshot_thread t;
		if (snapshot_thread(&w->region, block, &t) == SNAPSHOT_OK)
			lapped += t.part_tail > 0 && t.event_tail > 0;
	}
	CHECK(lapped > 0, "nothing lapped");
	words_balance(w, p.threads);
	beginnings_are_told(name);
	worst_are_kept(w, p.threads, p.lost[LOSS_WORST_ROOM]);
}

/* pause_us: between two looks of the reader; a slow one is lapped. */
static void logs_lap(const char *size, const char *threads, const char *traits, unsigned pause_us)
{
	const char *name = core_name("lap");
	const char *const arguments[] = { "work", threads, test_long() ? "4000" : "1500", "1000", traits, NULL };
	struct core_program p;
	struct watch w;

	program(&p, name, size, arguments);
	pid_t child = core_start(&p);
	if (!watch_open(&w, name))
		return;
	watch_to_end(&w, child, pause_us, 40);
	CHECK(core_wait(child, 20) == 0, "%s", traits);
	check_rest(&w, name, traits);
	watch_close(&w);
	core_remove(name);
}

int main(int argc, char **argv)
{
	if (argc > 5 && !strcmp(argv[1], "work"))
		return work_main(argv + 2);
	if (argc > 1 && !strcmp(argv[1], "sleep"))
		return sleep_long();
	if (argc > 1 && !strcmp(argv[1], "fill"))
		return fill_up();
	logs_lap("1M", "2", "sd", 1000);
	logs_lap("1M", "8", "st", 1000);
	logs_lap("2M", "4", "bspw", 1000);
	logs_lap("512K", "3", "s", 300000);
	marks_lap();
	parts_do_not_fit();
	CHECK(worst_whole > 0, "no part of a worst frame was kept");
	CHECK(calls_whole > 0, "no single calls of a worst frame were kept");
	return core_result();
}

/* SPDX-License-Identifier: MIT */
/*
 * io_hours: who comes late to a program whose ring laps again and again finds the longest frames of long ago,
 * with all that each thread did in them.
 *
 * The program is this test itself, run again with a small region of its own. Now and then a frame is long, and
 * has a zone that says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/hold.h"
#include "io/region/live.h"
#include "model/stats/counters.h"

enum { FRAMES = 60000, LONG_EVERY = 640, LONG_AT = 77, LONG_NS = 300000 };

enum { HELD_BYTES = 600000 };

static struct source *late, *watcher;
static _Atomic int done;

static struct source *attach(void)
{
	enum open_result result;
	char why[512];
	struct source *s = live_open(getenv("PROF_SHM"), 0, &result, why, sizeof(why));

	if (!s)
		fail_msg("%s", why);
	return s;
}

/* The program */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void spin(int64_t ns)
{
	int64_t end = now_ns() + ns;

	while (now_ns() < end)
		;
}

static void *worker(void *unused)
{
	Prof_Thread("worker");
	while (!atomic_load(&done)) {
		Prof_Begin(worked)
		spin(500);
		Prof_End
	}
	return unused;
}

static void *sleeper(void *unused)
{
	Prof_Thread("sleeper");
	while (!atomic_load(&done)) {
		Prof_Begin(slept)
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		Prof_End
	}
	return unused;
}

static void run(void)
{
	pthread_t threads[2];

	assert_int_equal(pthread_create(&threads[0], NULL, worker, NULL), 0);
	assert_int_equal(pthread_create(&threads[1], NULL, sleeper, NULL), 0);
	for (int i = 1; i <= FRAMES; i++) {
		Prof_Begin(step)
		spin(5000);
		if (i % LONG_EVERY == LONG_AT) {
			Prof_Begin(stall)
			Prof_Counter_Set(stalled, i);
			spin(LONG_NS);
			Prof_End
		}
		Prof_End
		Prof_update(1);
		if (i == 1)
			watcher = attach();
		if (i == 1)
			live_hold(watcher, HELD_BYTES);
		if (i % 500 == 0)
			source_next(watcher);
	}
	atomic_store(&done, 1);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static int begin(void **state)
{
	(void)state;
	run();
	late = attach();
	assert_int_equal(source_next(late), SOURCE_MORE);
	return 0;
}

static int end(void **state)
{
	(void)state;
	source_close(late);
	source_close(watcher);
	return 0;
}

/* What is there of it */

static uint32_t kept_frames(const struct profile *p)
{
	uint32_t kept = 0;

	while (kept < p->frame_count && p->frames[kept].flags & FRAME_KEPT)
		kept++;
	return kept;
}

/* Each frame once, the kept ones before all others. */
static void expect_order(const struct profile *p)
{
	uint32_t kept = kept_frames(p);

	assert_true(kept > 64 && kept + 64 < p->frame_count);
	assert_int_equal(profile_kept_frames(p), kept);
	for (uint32_t i = 1; i < p->frame_count; i++) {
		assert_true(p->frames[i].number > p->frames[i - 1].number);
		assert_true(p->frames[i].start >=
			    p->frames[i - 1].start + p->frames[i - 1].length);
		assert_int_equal(!(p->frames[i].flags & FRAME_KEPT), i >= kept);
	}
	assert_true(p->frames[0].number < FRAMES / 8);
	assert_true(p->frames[kept].number > FRAMES / 2);
}

static void in_order(void **state)
{
	(void)state;
	expect_order(late->profile);
}

static int64_t sum(const struct profile_held *part)
{
	int64_t self = 0;

	for (uint32_t i = 0; i < part->cell_count; i++)
		self += profile_cell(part, i).self;
	return self;
}

/* A thread's slice has all of its time there; that of the marking thread has all of the frame. */
static void expect_exact(const struct profile *p)
{
	uint32_t kept = kept_frames(p), main_thread = profile_marking_thread(p), whole = 0;
	uint32_t others = 0;

	for (uint32_t i = 0; i < kept; i++) {
		const struct profile_frame *f = &p->frames[i];

		for (uint32_t k = 0; k < f->part_count; k++) {
			const struct profile_held *part = &f->parts[k];

			assert_int_equal(sum(part), part->end - part->bound);
			if (part->flags & ~(uint32_t)PART_KEPT)
				continue;
			others += part->thread != main_thread;
			if (part->thread == main_thread && f->number > 1) { /* there it began */
				assert_int_equal(part->end - part->bound, f->length);
				whole++;
			}
		}
	}
	print_message("%u frames kept, the oldest is %llu; main %u times, others %u times\n", kept,
		      (unsigned long long)p->frames[0].number, whole, others);
	assert_true(whole > kept / 2 && others > kept / 2);
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (strstr(p->losses[i].key, "damaged"))
			assert_int_equal(p->losses[i].count, 0);
}

static void exact(void **state)
{
	(void)state;
	expect_exact(late->profile);
}

static const struct profile_cell *cell_of(const struct profile *p, const struct profile_held *part,
					  const char *zone, struct profile_cell *cell)
{
	for (uint32_t i = 0; part && i < part->cell_count; i++) {
		*cell = profile_cell(part, i);
		if (!strcmp(p->zones[p->nodes[cell->node].zone].name, zone))
			return cell;
	}
	return NULL;
}

/* The frames that the program made long are there, and are those that have the zone. */
static void expect_long_ones(const struct profile *p)
{
	uint32_t kept = kept_frames(p), main_thread = profile_marking_thread(p), found = 0;

	for (uint32_t i = 0; i < kept; i++) {
		const struct profile_frame *f = &p->frames[i];
		const struct profile_held *part = profile_find_part(f, main_thread);
		struct profile_cell stall, step;
		bool is_long = f->number % LONG_EVERY == LONG_AT;

		if (!part || part->flags & ~(uint32_t)PART_KEPT)
			continue;
		assert_non_null(cell_of(p, part, "step", &step));
		assert_int_equal(step.count, 1);
		assert_true((cell_of(p, part, "stall", &stall) != NULL) == is_long);
		if (!is_long)
			continue;
		found++;
		assert_true(stall.longest * 1000 >= (int64_t)p->ticks_per_s / 1000000 * (LONG_NS / 1000) * 999);
	}
	assert_true(found > 0); /* on a loaded machine others are longer */
}

static void the_long_ones(void **state)
{
	(void)state;
	expect_long_ones(late->profile);
}

/* The counter that was changed in it was, there, though the ring has no frame near it. */
static void with_their_counters(void **state)
{
	const struct profile *p = late->profile;
	uint32_t kept = kept_frames(p);

	(void)state;
	assert_int_equal(p->track_count, 1);
	for (uint32_t i = 0; i < kept; i++) {
		const struct profile_frame *f = &p->frames[i];
		struct counter_value v = counters_in_frame(p, 0, p->tracks[0].thread, f);
		uint64_t newest = (f->number + LONG_EVERY - LONG_AT) / LONG_EVERY;

		assert_int_equal(v.known, newest > 0);
		if (!newest)
			continue;
		assert_int_equal(v.last.whole, (newest - 1) * LONG_EVERY + LONG_AT);
		assert_int_equal(v.changed, f->number % LONG_EVERY == LONG_AT);
	}
}

/* A reader that stays and holds little has kept as much, the coarser the older, and within a quarter of it. No
 * gap is wide beside its age. */
static void who_stays_has_them_too(void **state)
{
	const struct profile *p = watcher->profile;
	uint32_t kept = kept_frames(p);
	uint64_t newest = p->frames[p->frame_count - 1].number;

	(void)state;
	expect_order(p);
	expect_exact(p);
	expect_long_ones(p);
	assert_true(p->held_bytes <= HELD_BYTES);
	assert_true(profile_frames_bytes(p, 0, kept) <= HELD_BYTES / 4);
	assert_true(p->frames[kept / 4].number - p->frames[0].number >
		    p->frames[kept - 1].number - p->frames[kept - 1 - kept / 4].number);
	for (uint32_t i = 1; i < kept; i++)
		assert_true(p->frames[i].number - p->frames[i - 1].number <
			    256 + (newest - p->frames[i - 1].number) / 4);
}

/* Near the beginning frames 2 to 21 are long, the later the longer. Then a
 * short frame follows another, as in a program that runs on while a screen is
 * open. */
static void the_longest_of_all_stay(void **state)
{
	struct profile *p = profile_new();
	int64_t start = 0;
	uint32_t i = 0, thread = profile_add_thread(p, 1, 0, "main");

	(void)state;
	for (uint64_t number = 1; number <= 200000; number++) {
		int64_t length = number > 1 && number < 22 ? 1000 + (int64_t)number : 10;
		struct profile_part part = { .thread = thread, .first_frame = number, .bound = start, .end = start + length };

		assert_true(profile_add_frame(p, number, start, length, 0) && profile_set_part(p, number, &part));
		start += length;
		hold_within(p, HELD_BYTES);
	}
	assert_true(p->held_bytes <= HELD_BYTES);
	for (uint64_t number = 22 - HOLD_LONGEST; number < 22; number++)
		assert_non_null(profile_find_frame(p, number));
	while (i < p->frame_count && p->frames[i].number < 22)
		i++;
	assert_int_equal(i, HOLD_LONGEST);
	profile_free(p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(exact),
		cmocka_unit_test(the_long_ones),
		cmocka_unit_test(with_their_counters),
		cmocka_unit_test(who_stays_has_them_too),
		cmocka_unit_test(the_longest_of_all_stay),
	};

	if (argc < 2) {
		char name[64];

		snprintf(name, sizeof(name), "io-hours-%ld", (long)getpid());
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", "4M", 1);
		execl("/proc/self/exe", argv[0], "run", (char *)NULL);
		return 1;
	}
	return cmocka_run_group_tests(tests, begin, end);
}

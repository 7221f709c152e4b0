/* SPDX-License-Identifier: MIT */
/*
 * io_churn: threads that come and go without end: what is held of each is what it did, and of those that nobody saw
 * there is one value of a counter for each block, not one for each of them. Once there are very many, those of one block
 * are one thread, and no frame has more or less for that. Where what some of them did is gone, the frames say so.
 *
 * The program is this test itself, run again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live.h"

enum { AT_ONCE = 4, FRAMES = 3000, BLOCKS_MOST = 32, APART = 4096 };

/* The program */

static void *one(void *value)
{
	Prof_Thread("worker");
	if ((intptr_t)value & 1) {
		Prof(odd);

		Prof_Counter_Set(level, (long)(intptr_t)value);
	} else {
		Prof(even);

		Prof_Counter_Set(level, (long)(intptr_t)value);
		Prof_Event(came);
	}
	return value;
}

static int program(void)
{
	for (;;) {
		pthread_t threads[AT_ONCE];

		for (intptr_t i = 0; i < AT_ONCE; i++)
			pthread_create(&threads[i], NULL, one, (void *)i);
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(threads[i], NULL);
		Prof_update(1);
	}
	return 0;
}

/* The test */

static char name[64];
static pid_t pid;

static struct source *start(void)
{
	enum open_result result;
	char why[512];

	snprintf(name, sizeof(name), "prof-io-churn-%d", (int)getpid());
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* also where this test fails */
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", "2M", 1);
		execl("/proc/self/exe", "io_churn", "program", (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < 1000; i++) {
		struct source *s = live_open(name, 0, &result, why, sizeof(why));
		const struct timespec nap = { .tv_nsec = 10000000 };

		if (s)
			return s;
		nanosleep(&nap, NULL);
	}
	fail_msg("%s", why);
	return NULL;
}

static void finish(struct source *s)
{
	char path[128];

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	source_close(s);
	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	unlink(path);
}

static void check_part(const struct profile *p, const struct profile_held *part)
{
	int64_t sum = 0;

	for (uint32_t c = 0; c < part->cell_count; c++) {
		struct profile_cell cell = profile_cell(part, c);

		assert_int_equal(p->nodes[cell.node].thread, part->thread);
		sum += cell.self;
	}
	if (!(part->flags & (PART_MISSING | PART_LAPPED)))
		assert_int_equal(sum, part->end - part->bound);
}

/* A worker lives in one frame. */
static void check_frames(const struct profile *p)
{
	uint64_t *frame_of = calloc(p->thread_count, sizeof(*frame_of));

	assert_non_null(frame_of);
	for (uint32_t f = 0; f < p->frame_count; f++)
		for (uint32_t i = 0; i < p->frames[f].part_count; i++) {
			const struct profile_held *part = &p->frames[f].parts[i];

			check_part(p, part);
			if (strcmp(p->threads[part->thread].name, "worker") != 0 || !part->cell_count)
				continue;
			if (frame_of[part->thread])
				assert_int_equal(frame_of[part->thread], p->frames[f].number);
			frame_of[part->thread] = p->frames[f].number;
		}
	free(frame_of);
}

static int64_t entries_of_workers(const struct profile *p, const struct profile_frame *frame)
{
	int64_t count = 0;

	for (uint32_t i = 0; i < frame->part_count; i++)
		for (uint32_t c = 0; c < frame->parts[i].cell_count; c++) {
			struct profile_cell cell = profile_cell(&frame->parts[i], c);

			if (strcmp(p->zones[p->nodes[cell.node].zone].name, "Prof_update") != 0)
				count += cell.count;
		}
	return count;
}

/* Each frame has each of its workers, whoever they are told as: all, if nothing was lost. */
static void check_entries(const struct profile *p, bool all)
{
	for (uint32_t f = 1; f < p->frame_count; f++) {
		int64_t count = entries_of_workers(p, &p->frames[f]);

		assert_true(count <= AT_ONCE);
		if (all)
			assert_int_equal(count, AT_ONCE);
	}
}

/* A late reader has all that was done in a frame, or says that some of it is gone. */
static void check_late(const struct profile *p)
{
	uint32_t whole = 0;

	for (uint32_t f = 1; f < p->frame_count; f++) {
		if (frame_lacks(p, &p->frames[f], THREADS_ALL, PART_MISSING | PART_LAPPED | PART_MERGED))
			continue;
		assert_int_equal(entries_of_workers(p, &p->frames[f]), AT_ONCE);
		whole++;
	}
	assert_true(whole > 0);
	assert_true(whole < p->frame_count - 1);
}

/* A track a thread, and those of `ended threads` are one for each block. */
static void check_tracks(const struct profile *p)
{
	uint32_t of_ended = 0;

	for (uint32_t i = 0; i < p->track_count; i++) {
		assert_true(p->tracks[i].thread < p->thread_count);
		of_ended += p->threads[p->tracks[i].thread].state == THREAD_AGGREGATE;
	}
	assert_true(of_ended <= BLOCKS_MOST);
	assert_true(p->track_count <= p->thread_count + BLOCKS_MOST);
}

static void check_threads(const struct profile *p)
{
	uint32_t live = 0;

	for (uint32_t i = 0; i < p->thread_count; i++) {
		const struct profile_thread *thread = &p->threads[i];

		live += thread->state == THREAD_LIVE;
		assert_int_equal(p->nodes[thread->root].thread, i);
		assert_int_equal(profile_find_thread(p, thread->id), i);
		assert_string_equal(p->threads[thread->namesake].name, thread->name);
	}
	assert_true(live <= BLOCKS_MOST);
}

static void check(const struct profile *p, bool all)
{
	assert_true(p->thread_count <= APART + BLOCKS_MOST);
	assert_true(p->node_count <= (APART + BLOCKS_MOST) * 4);
	check_frames(p);
	check_entries(p, all);
	check_tracks(p);
	check_threads(p);
}

static void threads_that_come_and_go(void **state)
{
	struct source *s = start(), *late;
	enum open_result result;
	char why[512];
	uint64_t checked = 0;
	bool all = true;

	(void)state;
	while (s->profile->frames_ended < FRAMES) {
		enum source_result next = source_next(s);

		assert_true(next == SOURCE_MORE || next == SOURCE_LOST);
		all &= next == SOURCE_MORE;
		if (s->profile->frames_ended < checked + FRAMES / 10)
			continue;
		checked = s->profile->frames_ended;
		check(s->profile, all);
	}
	assert_true(s->profile->thread_count >= APART); /* many more have been there */
	late = live_open(name, 0, &result, why, sizeof(why));
	assert_non_null(late);
	source_next(late);
	check(late->profile, false);
	check_late(late->profile);
	assert_true(late->profile->track_count > 0);
	source_close(late);
	finish(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_come_and_go),
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

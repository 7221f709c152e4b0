/* SPDX-License-Identifier: MIT */
/*
 * io_churn: a program whose threads come and go without end takes no more memory than one whose threads stay, and
 * what is held of threads is that of who did it: the place of one that left is another's.
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

#include "io/live.h"
#include "model/average.h"
#include "model/counters.h"

enum { AT_ONCE = 4, FRAMES = 10000, HELD_BYTES = 256 << 10, THREADS_BOUND = 1500 };

/* The program */

static void *one(void *value)
{
	Prof_Thread("worker");
	if ((intptr_t)value & 1) {
		Prof(odd);

		Prof_Counter_set(level, (long)(intptr_t)value);
	} else {
		Prof(even);

		Prof_Counter_set(level, (long)(intptr_t)value);
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
	enum live_result result;
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
	const struct profile_thread *thread = &p->threads[part->thread];
	int64_t sum = 0;

	assert_int_not_equal(thread->state, THREAD_GONE);
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

static void check_tracks(const struct profile *p)
{
	for (uint32_t i = 0; i < p->track_count; i++) {
		assert_true(p->tracks[i].thread < p->thread_count);
		assert_int_not_equal(p->threads[p->tracks[i].thread].state, THREAD_GONE);
	}
	for (uint32_t i = 0; i < p->instant_count; i++)
		assert_int_not_equal(p->threads[p->instants[i].thread].state, THREAD_GONE);
}

/* Each thread that is there is found by its id, and named as those of its name are. */
static void check_threads(const struct profile *p)
{
	for (uint32_t i = 0; i < p->thread_count; i++) {
		const struct profile_thread *thread = &p->threads[i];

		assert_int_equal(p->nodes[thread->root].thread, i);
		if (thread->state == THREAD_GONE)
			continue;
		assert_int_equal(profile_find_thread(p, thread->id), i);
		assert_true(thread->namesake < p->thread_count);
		assert_string_equal(p->threads[thread->namesake].name, thread->name);
	}
}

/* Of which zone a worker was: none is of both. */
static void check_nodes(const struct profile *p)
{
	for (uint32_t i = 0; i < p->node_count; i++) {
		assert_true(p->nodes[i].parent == PROFILE_NONE || p->nodes[i].parent < i);
		if (p->nodes[i].parent != PROFILE_NONE)
			assert_int_equal(p->nodes[p->nodes[i].parent].thread, p->nodes[i].thread);
	}
}

/* Threads that are newer than any before. */
static uint32_t count_new(const struct profile *p, uint64_t *newest)
{
	uint64_t before = *newest;
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->thread_count; i++) {
		uint64_t id = p->threads[i].state == THREAD_GONE ? 0 : p->threads[i].id;

		count += id > before;
		*newest = id > *newest ? id : *newest;
	}
	return count;
}

static void threads_that_end_leave(void **state)
{
	struct source *s = start();
	const struct profile *p = s->profile;
	struct averages *a = averages_new();
	uint64_t newest = 0, frame = 0;
	uint32_t came = 0;

	(void)state;
	live_hold(s, HELD_BYTES);
	while (p->frames_ended < FRAMES) {
		enum source_result result = source_next(s);

		assert_true(result == SOURCE_MORE || result == SOURCE_LOST);
		assert_true(averages_update(a, p));
		assert_true(p->thread_count <= THREADS_BOUND);
		assert_true(p->track_count <= THREADS_BOUND);
		assert_true(p->node_count <= THREADS_BOUND * 4);
		came += count_new(p, &newest);
		if (p->frames_ended > frame + 1000) {
			frame = p->frames_ended;
			check_frames(p);
			check_tracks(p);
			check_threads(p);
			check_nodes(p);
		}
	}
	assert_true(came > THREADS_BOUND); /* more than there is room for */
	averages_free(a);
	finish(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_end_leave),
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * io_watch: a source that watched a program from its beginning to its end holds the same parts of the
 * same frames as one that read the region afterwards: what was inferred is what was published later,
 * pieces were joined, nothing was counted twice.
 *
 * The program is this test itself, run again: threads that sleep over frames, and threads that come
 * and go, at about a thousand frames a second.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live_list.h"

enum { FRAMES = 1200, SLEEPERS = 5 };

/* The program */

static volatile int stop;
static volatile double sink;

static void nap_us(long us)
{
	const struct timespec time = { .tv_nsec = us * 1000 };

	nanosleep(&time, NULL);
}

static void burn(int n)
{
	Prof(burn);

	for (int i = 0; i < n; i++)
		sink += i;
}

static void recurse(int n)
{
	Prof(recurse);

	if (n)
		recurse(n - 1);
	else
		burn(50);
}

/* Sleeps in a zone, for less than a frame or for many. */
static void *sleeper(void *argument)
{
	unsigned seed = (unsigned)(uintptr_t)argument;
	long most_us = seed % 2 ? 3000 : 40000;

	Prof_Thread("sleeper");
	while (!stop) {
		Prof(work);

		recurse(rand_r(&seed) % 5);
		Prof_Begin(sleep)
		nap_us(rand_r(&seed) % most_us);
		Prof_End
		burn(rand_r(&seed) % 5000);
	}
	return NULL;
}

static void *passer(void *argument)
{
	Prof(passer);

	burn(100);
	return argument;
}

static void frame(unsigned *seed, int number)
{
	Prof(frame);
	pthread_t thread;

	recurse(3);
	nap_us(rand_r(seed) % 1000);
	if (number % 3 == 0 && pthread_create(&thread, NULL, passer, NULL) == 0)
		pthread_join(thread, NULL);
}

static int program(void)
{
	pthread_t threads[SLEEPERS];
	unsigned seed = 7;

	for (uintptr_t i = 0; i < SLEEPERS; i++)
		if (pthread_create(&threads[i], NULL, sleeper, (void *)i) != 0)
			return 1;
	for (int i = 0; i < FRAMES; i++) {
		frame(&seed, i);
		Prof_update(i % 10 != 3);
	}
	stop = 1;
	for (int i = 0; i < SLEEPERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* The watch */

static pid_t run(const char *region)
{
	pid_t pid = fork();

	if (pid == 0) {
		setenv("PROF_SHM", region, 1);
		setenv("PROF_KEEP", "1", 1);
		execl("/proc/self/exe", "io_watch", "program", (char *)NULL);
		_exit(127);
	}
	return pid;
}

static struct source *attach(const char *region)
{
	enum open_result result;
	char why[512];
	struct source *s = NULL;

	for (int tries = 0; !s && tries < 500; tries++) {
		s = live_open(region, 0, &result, why, sizeof(why));
		if (!s)
			nap_us(10000);
	}
	if (!s)
		fail_msg("%s", why);
	return s;
}

static void path_of(const struct profile *p, uint32_t node, char *out, size_t size)
{
	size_t length;

	if (p->nodes[node].parent == PROFILE_NONE) {
		*out = '\0';
		return;
	}
	path_of(p, p->nodes[node].parent, out, size);
	length = strlen(out);
	snprintf(out + length, size - length, "/%s", p->zones[p->nodes[node].zone].name);
}

/* The cell of a path, or one of zeros. */
static struct profile_cell cell_at(const struct profile *p, const struct profile_held *part,
				   const char *path)
{
	char other[512];

	for (uint32_t i = 0; i < part->cell_count; i++) {
		path_of(p, profile_cell(part, i).node, other, sizeof(other));
		if (!strcmp(path, other))
			return profile_cell(part, i);
	}
	return (struct profile_cell){ 0 };
}

static void expect_cells(const struct profile *a, const struct profile_held *x,
			 const struct profile *b, const struct profile_held *y)
{
	char path[512];

	for (uint32_t i = 0; i < x->cell_count; i++) {
		struct profile_cell cell = profile_cell(x, i), other;

		path_of(a, cell.node, path, sizeof(path));
		other = cell_at(b, y, path);
		assert_int_equal(cell.self, other.self);
		assert_int_equal(cell.count, other.count);
		assert_int_equal(cell.longest, other.longest);
	}
}

struct seen {
	uint64_t same, inferred;
};

static void expect_part(const struct profile *watched, const struct profile_frame *frame,
			const struct profile *after, const struct profile_held *part,
			struct seen *seen)
{
	const struct profile_thread *t = &after->threads[part->thread];
	uint32_t thread = profile_find_thread(watched, t->id);
	const struct profile_held *old =
		thread == PROFILE_NONE ? NULL : profile_find_part(frame, thread);

	/* the watch knew those by themselves that were a sum when all was over */
	if (t->state == THREAD_AGGREGATE)
		return;
	if (!old)
		fail_msg("frame %llu: the part of thread %llu was not seen",
			 (unsigned long long)frame->number, (unsigned long long)t->id);
	assert_int_equal(old->flags & ~PART_INFERRED, part->flags);
	assert_int_equal(old->bound, part->bound);
	assert_int_equal(old->end, part->end);
	expect_cells(watched, old, after, part);
	expect_cells(after, part, watched, old);
	seen->same++;
	seen->inferred += (old->flags & PART_INFERRED) != 0;
}

static struct seen expect_same(const struct profile *watched, const struct profile *after)
{
	struct seen seen = { 0, 0 };

	for (uint32_t i = 0; i < after->frame_count; i++) {
		const struct profile_frame *frame = &after->frames[i];
		const struct profile_frame *old = profile_find_frame(watched, frame->number);

		assert_non_null(old);
		assert_int_equal(old->start, frame->start);
		assert_int_equal(old->length, frame->length);
		assert_int_equal(old->flags, frame->flags);
		for (uint32_t k = 0; k < frame->part_count; k++)
			expect_part(watched, old, after, &frame->parts[k], &seen);
	}
	return seen;
}

static void expect_times(const struct profile *p)
{
	for (uint32_t t = 0; t < p->thread_count; t++) {
		int64_t self = 0;

		for (uint32_t n = 0; n < p->node_count; n++)
			self += p->nodes[n].thread == t ? p->totals[n].self : 0;
		assert_int_equal(self, p->threads[t].time);
	}
}

static void watch(long pause_us)
{
	char region[64], why[512];
	struct source *watched, *after;
	enum source_result result;
	struct seen seen;
	int status = -1;
	pid_t pid;

	snprintf(region, sizeof(region), "prof-watch-%ld", (long)getpid());
	pid = run(region);
	watched = attach(region);
	do {
		result = source_next(watched);
		expect_times(watched->profile);
		nap_us(pause_us);
	} while (result == SOURCE_MORE || result == SOURCE_LOST);
	assert_int_equal(result, SOURCE_END);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	after = attach(region);
	assert_int_equal(source_next(after), SOURCE_END);
	assert_int_equal(after->profile->frame_count, FRAMES);
	assert_int_equal(profile_loss_total(watched->profile), 0);
	seen = expect_same(watched->profile, after->profile);
	print_message("%llu parts the same, %llu of them inferred\n", (unsigned long long)seen.same,
		      (unsigned long long)seen.inferred);
	assert_true(seen.same > FRAMES * 2);
	source_close(watched);
	source_close(after);
	assert_int_equal(live_remove(region, NULL, why, sizeof(why)), OPEN_OK);
}

static void test_watched_closely(void **state)
{
	(void)state;
	watch(3000);
}

static void test_looked_at_now_and_then(void **state)
{
	(void)state;
	watch(90000);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watched_closely),
		cmocka_unit_test(test_looked_at_now_and_then),
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

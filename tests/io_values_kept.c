/* SPDX-License-Identifier: MIT */
/*
 * io_values_kept: counters of worst frames that are older than the value log. What a counter was in such a frame is
 * not known any more, or it is what the program said; it is never what it was later or before.
 *
 * The program is this test itself, run again with a small region: each frame's number is what its counter says, and
 * one frame in the beginning is long. Another counter rests from frame 3 on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live.h"
#include "model/stats/counters.h"

enum { FRAMES = 60000, LONG = 50, RESTS = 3 };

static int program(void)
{
	const struct timespec time = { .tv_nsec = 30000000 };

	for (int i = 1; i <= FRAMES; i++) {
		Prof_Counter_Set(number, i);
		Prof_Counter_Add(added, 1);
		if (i <= RESTS)
			Prof_Counter_Set(rests, i);
		if (i == LONG)
			nanosleep(&time, NULL);
		Prof_update(1);
	}
	_exit(0); /* its region stays */
}

static char name[64];

static struct source *run_and_read(void)
{
	enum open_result result;
	char why[512];
	struct source *s;
	pid_t pid = fork();

	snprintf(name, sizeof(name), "prof-io-kept-%d", (int)(pid ? getpid() : getppid()));
	if (!pid) {
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", "256K", 1);
		execl("/proc/self/exe", "io_values_kept", "program", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	s = live_open(name, 0, &result, why, sizeof(why));
	if (!s)
		fail_msg("%s", why);
	assert_int_equal(source_next(s), SOURCE_END);
	return s;
}

static int remove_region(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	return unlink(path);
}

static struct counter_value value_in(const struct profile *p, const char *counter, const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < p->track_count; i++)
		if (!strcmp(p->counters[p->tracks[i].counter].name, counter))
			return counters_in_frame(p, p->tracks[i].counter, p->tracks[i].thread, frame);
	fail_msg("no counter %s", counter);
	return (struct counter_value){ 0 };
}

static void expect_number(const struct counter_value *v, const struct profile_frame *frame, int64_t expected)
{
	if (v->known && v->last.whole != expected)
		fail_msg("frame %llu: %lld", (unsigned long long)frame->number, (long long)v->last.whole);
}

static void never_a_wrong_value(void **state)
{
	struct source *s = run_and_read();
	const struct profile *p = s->profile;
	bool known = true, alone = false;

	(void)state;
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];
		struct counter_value number = value_in(p, "number", frame), added = value_in(p, "added", frame);
		struct counter_value rests = value_in(p, "rests", frame);

		expect_number(&number, frame, (int64_t)frame->number);
		expect_number(&added, frame, (int64_t)frame->number);
		if (frame->number >= RESTS)
			expect_number(&rests, frame, RESTS);
		if (frame->number == LONG) {
			alone = frame->flags & FRAME_KEPT;
			known = number.known || added.known;
		}
	}
	assert_true(alone); /* it was kept, */
	assert_false(known); /* and its values were not */
	assert_true(value_in(p, "number", &p->frames[p->frame_count - 1]).known);
	assert_true(value_in(p, "rests", &p->frames[p->frame_count - 1]).known);
	source_close(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_teardown(never_a_wrong_value, remove_region) };

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests_name("io: values of worst frames", tests, NULL, NULL);
}

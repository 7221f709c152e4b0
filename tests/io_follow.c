/* SPDX-License-Identifier: MIT */
/*
 * io_follow: a region is waited for, attached, lost, and found again.
 *
 * A poll looks for a name a few times a second only, so what is to happen is polled for, with an end
 * that is far away; that nothing happens is asked for over several looks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/follow.h"
#include "model/profile/moment.h"
#include "tests/region_builder.h"

static void nap_ms(long ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* Borrowed pointers stay valid in the callback. */
static struct {
	const struct follow *f;
	uint32_t calls, frames;
} left;

static void leave(void *context)
{
	left.f = context;
	left.calls++;
	left.frames = left.f->source->profile->frame_count;
}

/* One poll, or as many as a read takes that goes on beside them. */
static enum follow_news poll_once(struct follow *f)
{
	enum follow_news news = follow_poll(f, leave, f);

	while (f->reading) {
		nap_ms(1);
		news = follow_poll(f, leave, f);
	}
	return news;
}

/* Polls until there is such news. */
static void expect_news(struct follow *f, enum follow_news news)
{
	for (int i = 0; i < 1000; i++) {
		if (poll_once(f) == news)
			return;
		nap_ms(20);
	}
	fail_msg("news %d did not come; state %d: %s", news, f->state, f->why);
}

static void expect_state(struct follow *f, enum follow_state state)
{
	for (int i = 0; i < 1000 && f->state != state; i++) {
		poll_once(f);
		nap_ms(20);
	}
	assert_int_equal(f->state, state);
}

/* Several looks at the name find nothing to say. */
static void expect_quiet(struct follow *f)
{
	for (int i = 0; i < 30; i++) {
		assert_int_equal(poll_once(f), FOLLOW_NOTHING);
		nap_ms(20);
	}
}

static void expect_why(const struct follow *f, const char *part)
{
	if (!strstr(f->why, part))
		fail_msg("'%s' is not in '%s'", part, f->why);
}

/* A process with some frames; each one makes a region of the same name. */
static void process_begin(struct builder *b, uint32_t frames)
{
	builder_begin(b, "follow");
	builder_thread(b, BUILDER_START, "main");
	for (uint32_t i = 1; i <= frames; i++)
		builder_frame(b, BUILDER_START + 100 * (int64_t)i, i, 0, NULL);
}

static void process_end(struct builder *b)
{
	builder_die(b);
	builder_end(b);
}

static void name_of(char *name, size_t size)
{
	snprintf(name, size, "prof-test-follow-%ld", (long)getpid());
}

static void test_waits_and_finds_it_again(void **state)
{
	struct builder first, second;
	struct follow f;
	char name[64];

	(void)state;
	name_of(name, sizeof(name));
	assert_true(follow_open(&f, name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_WAITING);
	assert_int_equal(f.result, OPEN_ABSENT);
	assert_null(f.source);
	assert_string_equal(f.name, name);
	expect_why(&f, name);
	expect_quiet(&f);

	process_begin(&first, 2);
	expect_news(&f, FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	assert_int_equal(f.result, OPEN_OK);
	assert_string_equal(f.why, "");
	assert_int_equal(f.source->profile->frame_count, 2);
	builder_frame(&first, BUILDER_START + 300, 3, 0, NULL);
	for (int i = 0; i < 100 && f.source->profile->frame_count < 3; i++)
		assert_int_equal(poll_once(&f), FOLLOW_DATA);
	assert_int_equal(f.source->profile->frame_count, 3);

	builder_die(&first);
	assert_int_equal(poll_once(&f), FOLLOW_DATA);
	assert_int_equal(f.state, FOLLOW_OVER);
	assert_int_equal(f.source->profile->process.state, PROFILE_DEAD);
	expect_quiet(&f);
	builder_end(&first); /* its name goes: that is no news */
	expect_quiet(&f);
	assert_int_equal(f.source->profile->frame_count, 3);

	left.calls = 0;
	process_begin(&second, 1);
	expect_news(&f, FOLLOW_NEW);
	assert_int_equal(left.calls, 1);
	assert_int_equal(left.frames, 3);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	assert_int_equal(f.source->profile->frame_count, 1);
	assert_int_equal(f.source->profile->process.state, PROFILE_LIVE);
	follow_close(&f);
	process_end(&second);
}

static void expect_silent(const char *name, int64_t least, int64_t most)
{
	enum open_result result;
	char why[512];
	struct source *s = live_open(name, 0, &result, why, sizeof(why));

	assert_non_null(s);
	assert_int_equal(source_next(s), SOURCE_END);
	assert_in_range(s->profile->process.silent_ns + 1, least + 1, most + 1);
	source_close(s);
}

static int64_t clock_now(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Its ticks have their moments by the newest instant that it noted; those of another boot by the time of day, to a
 * second, and only where that is known. */
static void test_when_its_ticks_were(void **state)
{
	const int64_t hour = 3600000000000;
	const struct profile_process *process;
	struct builder b;
	struct follow f;

	(void)state;
	process_begin(&b, 1);
	b.header->created = (struct region_instant){ BUILDER_START, 7000, 1 };
	assert_true(follow_open(&f, b.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	process = &f.source->profile->process;
	assert_int_equal(process->known_tick, BUILDER_START);
	assert_int_equal(process->known_moment, 7000);
	WORD_STORE(b.process->latest[0], BUILDER_START + 500);
	WORD_STORE(b.process->latest[1], 7400);
	assert_int_equal(poll_once(&f), FOLLOW_DATA);
	assert_int_equal(process->known_tick, BUILDER_START + 500);
	assert_int_equal(process->known_moment, 7400);
	WORD_STORE(b.process->latest[1], UINT64_MAX);
	assert_int_equal(poll_once(&f), FOLLOW_DATA);
	assert_int_equal(process->known_moment, 7400);
	follow_close(&f);

	WORD_STORE(b.process->latest[0], 0);
	strcpy(b.header->boot_id, "another");
	b.header->created.real_ns = (uint64_t)(clock_now(CLOCK_REALTIME) - clock_now(CLOCK_MONOTONIC_RAW) - hour);
	assert_true(follow_open(&f, b.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	process = &f.source->profile->process;
	assert_int_equal(process->known_tick, BUILDER_START);
	assert_true(process->known_moment > -hour - 1000000000 && process->known_moment < -hour + 1000000000);
	follow_close(&f);
	b.header->created.real_ns = 0;
	assert_true(follow_open(&f, b.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_true(f.source->profile->process.known_moment == MOMENT_NONE);
	follow_close(&f);
	process_end(&b);
}

static void test_the_process_and_its_silence(void **state)
{
	const int64_t ago = 5000000000000, hour = 3600000000000;
	struct builder b;
	struct follow f;
	const struct profile_process *process;
	int64_t silent;

	(void)state;
	process_begin(&b, 1);
	WORD_STORE(b.process->pair_ps, 12500);
	assert_true(follow_open(&f, b.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	process = &f.source->profile->process;
	assert_int_equal(process->size, b.size);
	assert_true(process->pair_ns == 12.5);
	assert_int_equal(process->silent_ns, 0);
	builder_die(&b);
	expect_state(&f, FOLLOW_OVER);
	silent = process->silent_ns;
	assert_true(silent > 0 && silent <= clock_now(CLOCK_MONOTONIC));
	expect_quiet(&f);
	assert_true(process->silent_ns > silent);
	follow_close(&f);

	/* of another boot: by the time of day, if it is known */
	strcpy(b.header->boot_id, "another");
	expect_silent(b.name, -1, -1);
	b.header->created.real_ns = (uint64_t)(clock_now(CLOCK_REALTIME) - ago);
	expect_silent(b.name, ago - 200, ago + hour);
	b.header->created.real_ns = UINT64_MAX;
	expect_silent(b.name, -1, -1);
	builder_end(&b);
}

static void test_dead_ones_are_shown_once(void **state)
{
	struct builder first, second, third;
	struct follow f;

	(void)state;
	process_begin(&first, 2);
	builder_die(&first);
	assert_true(follow_open(&f, first.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_OVER);
	assert_int_equal(f.result, OPEN_OK);
	assert_int_equal(f.source->profile->frame_count, 2);
	builder_end(&first);
	process_begin(&second, 3);
	builder_die(&second);
	expect_quiet(&f);
	builder_end(&second);
	process_begin(&third, 4);
	expect_news(&f, FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	assert_int_equal(f.source->profile->frame_count, 4);
	follow_close(&f);
	process_end(&third);
}

static void test_a_file_does_not_come_back(void **state)
{
	struct builder first, second;
	struct follow f;
	char path[128];

	(void)state;
	process_begin(&first, 2);
	builder_path(&first, path, sizeof(path));
	assert_true(follow_open(&f, path, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	process_end(&first);
	assert_int_equal(poll_once(&f), FOLLOW_DATA);
	assert_int_equal(f.state, FOLLOW_OVER);
	process_begin(&second, 3);
	expect_quiet(&f);
	follow_close(&f);
	process_end(&second);
}

static void test_what_is_no_region_is_said(void **state)
{
	struct builder b;
	struct follow f;
	char name[64], path[128];
	FILE *file;

	(void)state;
	name_of(name, sizeof(name));
	snprintf(path, sizeof(path), "%s/%s", REGION_DIRECTORY, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("not a region", file);
	fclose(file);
	assert_true(follow_open(&f, name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_WAITING);
	assert_int_equal(f.result, OPEN_NOT_OURS);
	expect_why(&f, "is not a profiling region");
	expect_quiet(&f);
	process_begin(&b, 1);
	expect_news(&f, FOLLOW_NEW);
	assert_string_equal(f.why, "");
	follow_close(&f);
	process_end(&b);
}

static void test_a_run_that_cannot_be_read_leaves_the_one_before(void **state)
{
	struct builder first, second;
	struct follow f;

	(void)state;
	process_begin(&first, 2);
	assert_true(follow_open(&f, first.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	process_end(&first);
	expect_state(&f, FOLLOW_OVER);
	process_begin(&second, 3);
	second.header->major = REGION_MAJOR + 1;
	expect_news(&f, FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_OVER);
	assert_int_equal(f.result, OPEN_NOT_OURS);
	expect_why(&f, "has format");
	assert_int_equal(f.source->profile->frame_count, 2);
	second.header->major = REGION_MAJOR;
	expect_news(&f, FOLLOW_NEW);
	assert_int_equal(f.source->profile->frame_count, 3);
	follow_close(&f);
	process_end(&second);
}

static void test_a_region_that_is_cut_off(void **state)
{
	struct builder first, second;
	struct follow f;

	(void)state;
	process_begin(&first, 2);
	assert_true(follow_open(&f, first.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_int_equal(ftruncate(first.fd, REGION_PAGE), 0);
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_OVER);
	assert_int_equal(f.result, OPEN_NOT_OURS);
	expect_why(&f, "cut off");
	assert_int_equal(f.source->profile->frame_count, 2);
	assert_int_equal(ftruncate(first.fd, (off_t)first.size), 0);
	process_end(&first);
	process_begin(&second, 3);
	expect_news(&f, FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	assert_string_equal(f.why, "");
	follow_close(&f);
	process_end(&second);
}

static void test_nothing_typed_and_a_choice(void **state)
{
	struct builder first, second;
	struct follow f;

	(void)state;
	unsetenv("PROF_SHM");
	process_begin(&first, 1);
	builder_begin(&second, "follow-other");
	assert_true(follow_open(&f, NULL, 0));
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_CHOICE);
	assert_null(f.source);
	assert_string_equal(f.name, "");
	expect_why(&f, "several programs publish. Choose one: "); /* cut off where a machine has many */
	assert_true(follow_turn(&f, second.name));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_string_equal(f.name, second.name);

	left.calls = 0;
	assert_true(follow_turn(&f, first.name));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_int_equal(left.calls, 1);
	assert_int_equal(f.source->profile->frame_count, 1);
	assert_true(follow_turn(&f, first.name)); /* the same once more */
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	assert_int_equal(left.calls, 1);
	builder_die(&second);
	assert_true(follow_turn(&f, second.name)); /* a dead one that is asked for */
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_OVER);
	follow_close(&f);
	builder_end(&second);
	process_end(&first);
}

/* As if nobody had turned. */
static void expect_refused(struct follow *f, const char *text, enum open_result result,
			   const char *why)
{
	struct follow before = *f;

	assert_true(follow_turn(f, text));
	assert_int_equal(poll_once(f), FOLLOW_REFUSED);
	assert_int_equal(f->turn_result, result);
	if (!strstr(f->turn_why, why))
		fail_msg("'%s' is not in '%s'", why, f->turn_why);
	assert_ptr_equal(f->source, before.source);
	assert_string_equal(f->name, f->source->profile->process.source);
	assert_int_equal(f->state, before.state);
	assert_int_equal(f->result, before.result);
	assert_string_equal(f->why, before.why);
}

static void expect_frames(struct follow *f, uint32_t frames)
{
	for (int i = 0; i < 100 && f->source->profile->frame_count < frames; i++)
		assert_int_equal(poll_once(f), FOLLOW_DATA);
	assert_int_equal(f->source->profile->frame_count, frames);
}

static void test_a_turn_that_is_refused_leaves_what_was_followed(void **state)
{
	struct builder b, bad;
	struct follow f;

	(void)state;
	process_begin(&b, 1);
	builder_begin(&bad, "follow-bad");
	bad.header->major = REGION_MAJOR + 1;
	assert_true(follow_open(&f, b.name, 0));
	assert_int_equal(poll_once(&f), FOLLOW_NEW);
	left.calls = 0;
	expect_refused(&f, "prof-test-follow-nobody", OPEN_ABSENT, "prof-test-follow-nobody");
	builder_frame(&b, BUILDER_START + 200, 2, 0, NULL);
	expect_frames(&f, 2);
	expect_refused(&f, bad.name, OPEN_NOT_OURS, "has format");
	expect_refused(&f, ".", OPEN_BAD_NAME, "");
	assert_true(follow_turn(&f, "prof-test-follow-nobody")); /* the second turn is what counts */
	expect_refused(&f, bad.name, OPEN_NOT_OURS, "has format");
	builder_frame(&b, BUILDER_START + 300, 3, 0, NULL);
	expect_frames(&f, 3);
	process_end(&b);
	expect_state(&f, FOLLOW_OVER);
	expect_refused(&f, bad.name, OPEN_NOT_OURS, "has format");
	expect_quiet(&f);
	assert_int_equal(left.calls, 0);

	process_begin(&b, 1); /* its name still is what is looked for */
	expect_news(&f, FOLLOW_NEW);
	assert_int_equal(f.state, FOLLOW_ATTACHED);
	follow_close(&f);
	process_end(&b);
	builder_end(&bad);
}

static void test_nothing_typed_and_the_environment(void **state)
{
	struct builder b;
	struct follow f;
	char name[64];

	(void)state;
	name_of(name, sizeof(name));
	setenv("PROF_SHM", name, 1);
	assert_true(follow_open(&f, NULL, 0));
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_WAITING);
	expect_why(&f, name);
	process_begin(&b, 1);
	expect_news(&f, FOLLOW_NEW);
	assert_string_equal(f.name, name);
	unsetenv("PROF_SHM");
	process_end(&b);
	expect_state(&f, FOLLOW_OVER);
	process_begin(&b, 2);
	expect_news(&f, FOLLOW_NEW);
	follow_close(&f);
	process_end(&b);
}

/* A process that makes its region when it is told to. */
static pid_t make_later(int *tell)
{
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		struct builder b;
		char c;

		close(fds[1]);
		while (read(fds[0], &c, 1) == 1)
			builder_begin(&b, "follow-pid");
		_exit(0);
	}
	close(fds[0]);
	*tell = fds[1];
	return pid;
}

static void test_a_process_by_its_id(void **state)
{
	struct follow f;
	char text[32], path[128];
	int tell, status;
	pid_t pid = make_later(&tell);

	(void)state;
	snprintf(text, sizeof(text), "%ld", (long)pid);
	assert_true(follow_open(&f, text, 0));
	assert_int_equal(poll_once(&f), FOLLOW_STATE);
	assert_int_equal(f.state, FOLLOW_WAITING);
	expect_why(&f, "has no region");
	expect_quiet(&f);
	assert_int_equal(write(tell, "x", 1), 1);
	expect_news(&f, FOLLOW_NEW);
	snprintf(path, sizeof(path), "prof-test-follow-pid-%ld", (long)pid);
	assert_string_equal(f.name, path);
	close(tell);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	expect_state(&f, FOLLOW_OVER);
	assert_non_null(f.source);
	follow_close(&f);
	snprintf(path, sizeof(path), "%s/prof-test-follow-pid-%ld", REGION_DIRECTORY, (long)pid);
	assert_int_equal(unlink(path), 0);
}

static void test_a_process_that_ends_without_a_region(void **state)
{
	struct follow f;
	char text[32];
	int tell, status;
	pid_t pid = make_later(&tell);

	(void)state;
	snprintf(text, sizeof(text), "%ld", (long)pid);
	assert_true(follow_open(&f, text, 0));
	expect_state(&f, FOLLOW_WAITING);
	close(tell);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	expect_state(&f, FOLLOW_OVER);
	assert_int_equal(f.result, OPEN_ABSENT);
	assert_null(f.source);
	expect_why(&f, "no process");
	expect_quiet(&f);
	follow_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_and_finds_it_again),
		cmocka_unit_test(test_when_its_ticks_were),
		cmocka_unit_test(test_the_process_and_its_silence),
		cmocka_unit_test(test_dead_ones_are_shown_once),
		cmocka_unit_test(test_a_file_does_not_come_back),
		cmocka_unit_test(test_what_is_no_region_is_said),
		cmocka_unit_test(test_a_run_that_cannot_be_read_leaves_the_one_before),
		cmocka_unit_test(test_a_region_that_is_cut_off),
		cmocka_unit_test(test_nothing_typed_and_a_choice),
		cmocka_unit_test(test_a_turn_that_is_refused_leaves_what_was_followed),
		cmocka_unit_test(test_nothing_typed_and_the_environment),
		cmocka_unit_test(test_a_process_by_its_id),
		cmocka_unit_test(test_a_process_that_ends_without_a_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

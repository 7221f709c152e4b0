/* SPDX-License-Identifier: MIT */
/*
 * io_hang: who watched a program hang, and then be killed, knows that it lived until then: its zones were open as
 * long, and it is dead since then, not since the last tick that it wrote. One that a signal has stopped is said to
 * be, and to nobody else. A thread that sleeps for longer than marks are held is in its zone all the while.
 *
 * The program is this test itself, run again.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <prof.h>

#include "io/region/live_list.h"
#include "shm/region.h"

#define HANG_MS 200
#define SLEPT 5000 /* marks; a region of 1M holds 2,048 */
#define SLACK_NS 2000000 /* between two clocks of this machine */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Marks a frame, enters a zone, says so, and never comes back. */
static int hang(void)
{
	Prof_update(1);
	Prof_Begin(stuck)
	if (write(STDOUT_FILENO, "!", 1) != 1)
		return 1;
	for (;;)
		pause();
}

static void *sleep_on(void *awake)
{
	Prof_Thread("sleeper");
	Prof_Wait(asleep)
	__atomic_store_n((int *)awake, 0, __ATOMIC_RELEASE);
	for (;;)
		pause();
	return NULL;
}

static int hang_beside_a_sleeper(void)
{
	int awake = 1;
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_on, &awake) != 0)
		return 1;
	while (__atomic_load_n(&awake, __ATOMIC_ACQUIRE))
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	for (int i = 0; i < SLEPT; i++)
		Prof_update(1);
	return hang();
}

static pid_t start(char *self, const char *name, const char *how)
{
	char byte;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", "1M", 1);
		dup2(ends[1], STDOUT_FILENO);
		execl("/proc/self/exe", self, how, (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	return pid;
}

static int64_t open_for(struct source *s)
{
	struct source_stack stack = { 0 };
	int64_t ticks;

	assert_true(source_stack(s, profile_marking_thread(s->profile), &stack));
	assert_true(stack.count > 0);
	ticks = stack.now - stack.zones[stack.count - 1].entered;
	free(stack.zones);
	return ticks;
}

static void dead_since_it_was_seen(void **state)
{
	enum open_result result;
	char name[64], why[512];

	if (getenv("EMULATED")) /* tests/aarch64 */
		skip();
	snprintf(name, sizeof(name), "io-hang-%ld", (long)getpid());
	pid_t pid = start(*state, name, "hang");
	struct source *s = live_open(name, 0, &result, why, sizeof(why));
	assert_non_null(s);
	assert_int_equal(source_next(s), SOURCE_MORE);
	nanosleep(&(struct timespec){ .tv_nsec = HANG_MS * 1000000l }, NULL);
	int64_t looked = now_ns();
	source_next(s);
	assert_int_equal(s->profile->process.state, PROFILE_LIVE);
	kill(pid, SIGKILL);
	int64_t killed = now_ns();
	for (int i = 0; s->profile->process.state == PROFILE_LIVE && i < 1000; i++) {
		source_next(s);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	assert_int_equal(s->profile->process.state, PROFILE_DEAD);
	source_read_silence(s);
	assert_in_range(s->profile->process.silent_ns, 0, now_ns() - looked + SLACK_NS);
	assert_true(open_for(s) >= (int64_t)s->profile->ticks_per_s / 1000 * HANG_MS / 10 * 9);
	/* It is there for a while after it was killed, and runs no more. */
	assert_true(now_ns() - s->profile->process.silent_ns <= killed + SLACK_NS);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	source_close(s);
	snprintf(why, sizeof(why), "/dev/shm/%s", name);
	unlink(why);
}

static bool name_state(const struct live_region *region, void *context)
{
	char *text = context; /* the name, which the state takes the place of */
	bool found = !strcmp(region->name, text);

	if (found)
		snprintf(text, 64, "%s", live_state_name(region));
	return !found;
}

static const char *listed(const char *name)
{
	static char text[64];

	snprintf(text, sizeof(text), "%s", name);
	live_list(0, name_state, text);
	return text;
}

static void until(struct source *s, bool stopped)
{
	source_next(s);
	for (int i = 0; s->profile->process.stopped != stopped && i < 5000; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		source_next(s);
	}
	assert_int_equal(s->profile->process.stopped, stopped);
	assert_int_equal(s->profile->process.state, PROFILE_LIVE);
}

/* Since when is known to who saw it run before; of a dead one it is not said that it is stopped. */
static void stopped_by_a_signal(void **state)
{
	enum open_result result;
	char name[64], why[512];

	if (getenv("EMULATED")) /* tests/aarch64 */
		skip();
	snprintf(name, sizeof(name), "io-hang-stopped-%ld", (long)getpid());
	pid_t pid = start(*state, name, "hang");
	struct source *s = live_open(name, 0, &result, why, sizeof(why)), *late;
	assert_non_null(s);
	until(s, false);
	assert_int_equal(s->profile->process.silent_ns, 0);
	assert_string_equal(listed(name), "live");

	int64_t before = now_ns();
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	until(s, true);
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	source_next(s);
	assert_in_range(s->profile->process.silent_ns, 20000000, now_ns() - before);
	assert_string_equal(listed(name), "stopped");
	late = live_open(name, 0, &result, why, sizeof(why));
	assert_non_null(late);
	until(late, true);
	assert_int_equal(late->profile->process.silent_ns, -1);
	source_close(late);

	kill(pid, SIGCONT);
	until(s, false);
	assert_int_equal(s->profile->process.silent_ns, 0);
	kill(pid, SIGSTOP);
	until(s, true);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	for (int i = 0; s->profile->process.state == PROFILE_LIVE && i < 1000; i++)
		source_next(s);
	assert_int_equal(s->profile->process.state, PROFILE_DEAD);
	assert_false(s->profile->process.stopped);
	assert_string_equal(listed(name), "dead");
	source_close(s);
	snprintf(why, sizeof(why), "/dev/shm/%s", name);
	unlink(why);
}

/* The pid is a stopped process's, but the region says that another one began it. */
static void another_of_that_pid_is_stopped(void **state)
{
	enum open_result result;
	char name[64], path[96], why[512];
	struct region_header *header;
	int fd;

	snprintf(name, sizeof(name), "io-hang-other-%ld", (long)getpid());
	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	pid_t pid = start(*state, name, "hang");
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	header = mmap(NULL, sizeof(*header), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(header != MAP_FAILED);
	header->process_start++;
	struct source *s = live_open(name, 0, &result, why, sizeof(why));
	assert_non_null(s);
	until(s, false);
	source_next(s);
	assert_false(s->profile->process.stopped);
	assert_string_equal(listed(name), "live");
	source_close(s);
	munmap(header, sizeof(*header));
	close(fd);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	unlink(path);
}

static void who_sleeps_is_in_its_zone(void **state)
{
	enum open_result result;
	char name[64], why[512];
	uint32_t looked_at = 0;

	snprintf(name, sizeof(name), "io-hang-sleeper-%ld", (long)getpid());
	pid_t pid = start(*state, name, "sleep");
	struct source *s = live_open(name, 0, &result, why, sizeof(why));
	assert_non_null(s);
	source_next(s);
	struct profile *p = s->profile;
	uint32_t thread = profile_parse_thread(p, "sleeper", NULL);
	assert_int_not_equal(thread, PROFILE_NONE);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_held *part = profile_find_part(&p->frames[i], thread);

		if (p->frames[i].flags & FRAME_KEPT || p->frames[i].number > SLEPT)
			continue;
		assert_non_null(part);
		assert_int_equal(part->flags & (PART_MISSING | PART_LAPPED | PART_MERGED), 0);
		assert_int_equal(part->end - part->bound, p->frames[i].length);
		assert_int_equal(profile_cell(part, 0).self, p->frames[i].length);
		assert_string_equal(p->zones[p->nodes[profile_cell(part, 0).node].zone].name, "asleep");
		looked_at++;
	}
	assert_in_range(looked_at, 1500, SLEPT);
	source_close(s);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	snprintf(why, sizeof(why), "/dev/shm/%s", name);
	unlink(why);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(dead_since_it_was_seen, argv[0]),
		cmocka_unit_test_prestate(stopped_by_a_signal, argv[0]),
		cmocka_unit_test_prestate(another_of_that_pid_is_stopped, argv[0]),
		cmocka_unit_test_prestate(who_sleeps_is_in_its_zone, argv[0]),
	};

	if (argc > 1)
		return strcmp(argv[1], "hang") ? hang_beside_a_sleeper() : hang();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

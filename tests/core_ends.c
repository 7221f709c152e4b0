/* core_ends.c: threads and processes that end where they should not: with zones open that were skipped while
 * recording was off, or that are timed, or as the child of a fork that nobody was told of, with the timer of frames on; and
 * handlers that jump out of the library; and an exit while other threads are in zones.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_read.h"
#include "tests/core_run.h"

#define THREADS 3

/* ---- what is profiled */

/* Skipped at two levels; the block's next owner begins without them. */
static void *end_in_the_dark(void *unused)
{
	Prof_Begin(lit)
	Prof_Enable(0);
	Prof_Begin(dark)
	Prof_Enable(1);
	Prof_Begin(lit_again)
	Prof_Enable(0);
	Prof_Begin(dark)
	return unused;
}

static void dark(void)
{
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, end_in_the_dark, NULL))
			abort();
		pthread_join(thread, NULL);
		Prof_Enable(1);
	}
	Prof_Begin(to_the_end)
	Prof_Enable(0);
	Prof_Begin(dark)
}

/* The child makes no call of the library but its end. */
static void forks(void)
{
	Prof_Begin(forks)
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	int status;

	if (child == 0)
		exit(7);
	for (int i = 0; i < 1000; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			exit(WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 1);
		core_sleep_us(10000);
	}
	kill(child, SIGKILL);
	exit(1);
}

static void *end_in_a_timed_zone(void *unused)
{
	Prof_Log(open)
	return unused;
}

/* Nobody is left who has one open: zones cost nothing again. */
static int timed(void)
{
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, end_in_a_timed_zone, NULL))
			abort();
		pthread_join(thread, NULL);
	}
	return prof__on;
}

static pthread_barrier_t has_forked;

static void *fork_once(void *unused)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	pthread_barrier_wait(&has_forked);
	pause();
	return unused;
}

#define CANCELLED_STATUS 3

/* The thread is to be cancelled at the next place for it, and the library is none. */
static void *exit_cancelled(void *unused)
{
	pthread_cancel(pthread_self());
	exit(CANCELLED_STATUS);
	return unused;
}

static int cancelled(void)
{
	pthread_t forks, exits;

	pthread_barrier_init(&has_forked, NULL, 2);
	pthread_create(&forks, NULL, fork_once, NULL);
	pthread_barrier_wait(&has_forked);
	pthread_create(&exits, NULL, exit_cancelled, NULL);
	pthread_join(exits, NULL);
	return 0;
}

#define JUMPS 100

static __thread sigjmp_buf away;
static _Atomic int at_work;

static void jump(int signal)
{
	(void)signal;
	siglongjmp(away, 1);
}

static bool can_be_cancelled(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	return state == PTHREAD_CANCEL_ENABLE;
}

/* Its log grows, so it is often where the region takes memory. */
static void *work_until_jump(void *arg)
{
	bool *fine = arg;

	if (!sigsetjmp(away, 1)) {
		atomic_store(&at_work, 1);
		for (;;) {
			Prof(work);
		}
	}
	*fine = can_be_cancelled();
	return NULL;
}

static int jumps(void)
{
	static bool fine[JUMPS];
	int spoilt = 0;

	signal(SIGUSR1, jump);
	for (int i = 0; i < JUMPS; i++) {
		pthread_t thread;

		atomic_store(&at_work, 0);
		if (pthread_create(&thread, NULL, work_until_jump, &fine[i]))
			abort();
		while (!atomic_load(&at_work))
			;
		core_sleep_us((uint64_t)i * 37 % 3000);
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
		spoilt += !fine[i];
	}
	return spoilt;
}

/* The timer runs out while the child's region is made, or just behind that. */
static int child_jumps(void)
{
	struct itimerval soon = { .it_value.tv_usec = 100 };

	signal(SIGALRM, jump);
	Prof_Begin(parent)
	Prof_End
	pid_t child = fork();
	if (child == 0) {
		if (!sigsetjmp(away, 1)) {
			setitimer(ITIMER_REAL, &soon, NULL);
			Prof_Begin(first)
			Prof_End
			for (;;)
				pause();
		}
		for (int i = 0; i < JUMPS; i++) {
			Prof(later);
			core_sleep_us(1000);
		}
		exit(can_be_cancelled() ? 0 : 1);
	}
	int status;
	waitpid(child, &status, 0);
	printf("%d %d", (int)child, (int)getpid());
	return WEXITSTATUS(status);
}

static bool tells;
static volatile pid_t grandchild = -1;

static void fork_here(int signal)
{
	(void)signal;
	grandchild = tells ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

/* The handler forks while the child's region is made, or just behind that, and returns in the grandchild, too. */
static int child_forks(void)
{
	struct itimerval soon = { .it_value.tv_usec = 100 };
	int status = 0;

	signal(SIGALRM, fork_here);
	Prof_Begin(parent)
	Prof_End
	pid_t child = fork();
	if (child == 0) {
		setitimer(ITIMER_REAL, &soon, NULL);
		for (int i = 0; i < JUMPS; i++) {
			Prof(later);
			core_sleep_us(100);
		}
		if (grandchild > 0)
			waitpid(grandchild, &status, 0);
		printf("%d ", (int)getpid());
		fflush(stdout);
		_exit(status || grandchild < 0);
	}
	waitpid(child, &status, 0);
	printf("%d ", (int)getpid());
	return status ? 1 : 0;
}

static void *work_on(void *unused)
{
	for (unsigned i = 0;; i++) {
		char name[32];
		snprintf(name, sizeof name, "job %u", i % 5000);
		Prof(work);
		Prof_Enter(Prof_Zone(name));
		Prof_Counter_Add(jobs, 1);
		Prof_Leave();
	}
	return unused;
}

/* The others work on while it ends: what they use has to stay. */
static int exits(void)
{
	pthread_t thread;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, work_on, NULL) != 0)
			return 1;
	for (int i = 0; i < 5; i++) {
		core_sleep_us(2000);
		Prof_update(1);
	}
	return 7;
}

static int run_mode(const char *mode)
{
	tells = !strcmp(mode, "child forks");
	if (tells || !strcmp(mode, "child forks untold"))
		return child_forks();
	if (!strcmp(mode, "jumps"))
		return jumps();
	if (!strcmp(mode, "child jumps"))
		return child_jumps();
	if (!strcmp(mode, "cancelled"))
		return cancelled();
	if (!strcmp(mode, "exits"))
		return exits();
	if (!strcmp(mode, "timed"))
		return timed();
	if (!strcmp(mode, "dark"))
		dark();
	if (!strcmp(mode, "forks"))
		forks();
	return 0;
}

/* ---- the tests */

static void test_dark(void)
{
	struct view view;

	if (!view_of(&view, "dark"))
		return;
	CHECK(view_entries(&view, "lit") == THREADS);
	CHECK(view_entries(&view, "lit_again") == THREADS);
	CHECK(view_entries(&view, "to_the_end") == 1);
	CHECK(view_entries(&view, "dark") == 0);
	CHECK_LOST(&view, LOSS_LEFT_OPEN, THREADS);
	CHECK_LOST_ONLY(&view, 1ull << LOSS_LEFT_OPEN);
	CHECK(view.process.exited);
	view_done(&view);
}

static void test_timed(void)
{
	const char *const arguments[] = { "timed", NULL };

	core_run(&(struct core_program){ .arguments = arguments }, 60);
}

static void test_forks(void)
{
	struct view view;

	setenv("PROF_FRAME_MS", "5", 1);
	if (view_of(&view, "forks")) {
		CHECK(view_entries(&view, "forks") == 1);
		CHECK(view.process.exited);
		view_done(&view);
	}
	unsetenv("PROF_FRAME_MS");
}

static void test_cancelled(void)
{
	const char *const arguments[] = { "cancelled", NULL };
	const char *name = core_name("cancelled");
	struct core_output output;

	core_catch(&(struct core_program){ .shm = name, .drop = true, .arguments = arguments }, 60, &output);
	CHECK(output.status == CANCELLED_STATUS << 8, "status %#x", (unsigned)output.status);
	CHECK(!core_exists(name), "the region is left behind");
	core_remove(name);
}

static void test_exits(void)
{
	const char *const arguments[] = { "exits", NULL };
	const char *name = core_name("exits");

	for (int i = 0; i < 40; i++) {
		struct core_output output;
		core_catch(&(struct core_program){ .shm = i % 4 ? name : NULL, .drop = true, .arguments = arguments }, 60, &output);
		CHECK(output.status == 7 << 8, "status %#x", (unsigned)output.status);
		CHECK(!core_exists(name), "the region is left behind");
	}
	core_remove(name);
}

static void test_jumps(void)
{
	const char *const arguments[] = { "jumps", NULL };
	const char *name = core_name("jumps");

	core_run(&(struct core_program){ .shm = name, .size = "256M", .drop = true, .arguments = arguments }, 120);
	core_remove(name);
}

static void test_child_jumps(void)
{
	const char *const arguments[] = { "child jumps", NULL };
	const char *base = core_name("jumps"), *at;
	char pattern[100], name[100];
	struct core_output output;
	struct view view;

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	setenv("PROF_FRAME_MS", "5", 1);
	for (int i = 0; i < 5; i++) {
		core_catch(&(struct core_program){ .shm = pattern, .size = "1M", .arguments = arguments }, 60, &output);
		CHECK(output.status == 0, "status %#x", (unsigned)output.status);
		at = output.out;
		if (!CHECK(core_next_region(&at, base, name)))
			return;
		if (view_open(&view, name)) {
			CHECK(view_entries(&view, "later") == JUMPS);
			CHECK(view.process.frames >= 3, "%llu frames", (unsigned long long)view.process.frames);
			view_close(&view);
		}
		core_remove(name);
		if (CHECK(core_next_region(&at, base, name)))
			core_remove(name);
	}
	unsetenv("PROF_FRAME_MS");
}

/* Both go on in the middle of the library, each in a process of its own. */
static void test_child_forks(const char *mode)
{
	const char *const arguments[] = { mode, NULL };
	const char *base = core_name("returns"), *at;
	char pattern[100], name[100];
	struct core_output output;

	snprintf(pattern, sizeof pattern, "%s.%%p", base);
	for (int with_frames = 0; with_frames < 2; with_frames++) {
		if (with_frames)
			setenv("PROF_FRAME_MS", "5", 1);
		core_catch(&(struct core_program){ .shm = pattern, .size = "1M", .arguments = arguments }, 60, &output);
		CHECK(output.status == 0, "%s: status %#x", mode, (unsigned)output.status);
		for (at = output.out; core_next_region(&at, base, name);)
			core_remove(name);
	}
	unsetenv("PROF_FRAME_MS");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run_mode(argv[1]);
	test_cancelled();
	test_dark();
	test_timed();
	test_forks();
	test_exits();
	test_jumps();
	test_child_jumps();
	test_child_forks("child forks");
	test_child_forks("child forks untold");
	return core_result();
}

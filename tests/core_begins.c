/* core_begins.c: where the time of a thread begins: of the main thread with the region, and frame 1; of another one, as
 * nobody knows whether it was there then, with its first zone.  And which name a thread has that is named later.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_read.h"
#include "tests/core_run.h"

#define LATE_US 30000 /* from the region to the first zone */

/* ---- what is profiled */

static void *work(void *unused)
{
	Prof_Thread("worker");
	Prof_Begin(work)
	Prof_End
	return unused;
}

static void *work_and_mark(void *unused)
{
	work(NULL);
	Prof_update(1);
	Prof_update(1);
	return unused;
}

static void in_thread(void *(*run)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		abort();
	pthread_join(thread, NULL);
}

/* Threads that get a name after their first zone: while they run, at their end, and beside a name of Prof_Thread. */
static pthread_barrier_t all;

static void zone_then_name(const char *name)
{
	Prof_Begin(work)
	Prof_End
	Prof_update(1); /* it reads its name the first time */
	pthread_setname_np(pthread_self(), name);
}

/* It never ends, so its slices alone can tell its name. */
static void *named_late(void *unused)
{
	zone_then_name("late");
	core_sleep_us(1100000);
	Prof_update(1);
	pthread_barrier_wait(&all);
	for (;;)
		pause();
	return unused;
}

static void *named_at_the_end(void *unused)
{
	zone_then_name("at the end");
	pthread_barrier_wait(&all);
	return unused;
}

static void *named_by_itself(void *unused)
{
	Prof_Thread("by itself");
	zone_then_name("by others");
	pthread_barrier_wait(&all);
	return unused;
}

static void forbid_reading_names(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_GET_NAME, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program); /* else filters are not permitted here */
}

/* The program lives on. */
static void *never_read_again(void *unused)
{
	pthread_setname_np(pthread_self(), "filtered");
	Prof_Begin(work)
	Prof_End
	forbid_reading_names();
	zone_then_name("filtered");
	pthread_barrier_wait(&all);
	return unused;
}

#define RENAMED 4

static void rename_threads(void)
{
	void *(*const run[RENAMED])(void *) = { named_late, named_at_the_end, named_by_itself, never_read_again };
	pthread_t threads[RENAMED];

	pthread_barrier_init(&all, NULL, RENAMED + 1);
	zone_then_name("not main");
	for (int i = 0; i < RENAMED; i++)
		if (pthread_create(&threads[i], NULL, run[i], NULL))
			abort();
	pthread_barrier_wait(&all);
	for (int i = 1; i < RENAMED; i++)
		pthread_join(threads[i], NULL);
	Prof_update(1);
}

static int run_mode(const char *mode)
{
	if (!strcmp(mode, "names")) {
		rename_threads();
		return 0;
	}
	core_sleep_us(LATE_US);
	in_thread(strcmp(mode, "marks") ? work : work_and_mark);
	Prof_Begin(work)
	Prof_End
	Prof_update(1);
	return 0;
}

/* ---- the tests */

/* A thread's records of the first intervals, one behind the other. */
struct parts {
	int64_t bound, end;
	uint64_t intervals;
	bool tile;
};

static bool add_part(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct parts *parts = context;

	(void)nodes;
	if (head->kind == RECORD_START) {
		*parts = (struct parts){ .bound = head->bound, .end = head->end, .tile = head->interval == 1 };
		return true;
	}
	parts->tile &= head->bound == parts->end;
	parts->end = head->end;
	parts->intervals = head->interval + head->intervals - 1;
	return true;
}

static int64_t first_tick(struct view *view)
{
	return (int64_t)view->process.created.ticks;
}

/* Its parts are of all frames, from the beginning of the first one to the end of the last. */
static void check_whole(struct view *view, uint32_t block, uint64_t frames)
{
	struct parts parts = { 0 };
	struct snapshot_frame last;
	uint64_t position = 0, lapped = 0, damaged = 0;

	snapshot_parts(&view->region, block, &position, &lapped, &damaged, NULL, add_part, &parts);
	CHECK(snapshot_frame(&view->region, frames, &last) == SNAPSHOT_OK);
	CHECK(parts.tile && parts.bound == first_tick(view), "from %lld", (long long)(parts.bound - first_tick(view)));
	CHECK(parts.intervals >= frames && parts.end >= last.end);
}

static void check_thread(struct view *view, const char *name, bool from_the_start, uint64_t frames)
{
	for (uint32_t i = 0; i < view->process.threads; i++) {
		struct snapshot_thread t;

		if (snapshot_thread(&view->region, i, &t) != SNAPSHOT_OK || strcmp(t.name, name) != 0)
			continue;
		CHECK((t.started == first_tick(view)) == from_the_start, "%s: %lld", name,
		      (long long)(t.started - first_tick(view)));
		if (from_the_start)
			check_whole(view, i, frames);
		return;
	}
	CHECK(false, "no thread %s", name);
}

static void test_mode(const char *mode, uint64_t frames)
{
	struct view view;

	if (view_of(&view, mode)) {
		CHECK(view.process.frames == frames);
		check_thread(&view, "main", true, frames);
		check_thread(&view, "worker", false, frames);
		CHECK_LOST_ONLY(&view, 0);
		view_done(&view);
	}
}

static void test_names(void)
{
	static const char *const names[] = { "main", "late", "at the end", "by itself", "filtered" };
	struct view view;

	if (!view_of(&view, "names"))
		return;
	CHECK(view.process.threads == sizeof names / sizeof *names);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		check_thread(&view, names[i], i == 0, 7);
	view_done(&view);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run_mode(argv[1]);
	test_mode("works", 1);
	test_mode("marks", 3);
	test_names();
	return core_result();
}

/* core_syscalls.c: whatever system call of the library fails, with whatever error, the program runs on as without.
 *
 * The calls are counted in a run in which none fails: from the start of the library until its region is there, in the
 * work of the first thread, of another and at its end, around a fork and in the child, and at the end.  Then each of
 * them fails in a run of its own: the same on stdout (which tells of errno, descriptors and signals), the same status,
 * one line on stderr at the most, and no file stays that is no whole region.  In a run of minutes each call fails with
 * one error, and the errors take turns.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "shm/attach.h"
#include "tests/core_host.h"
#include "tests/core_inject.h"
#include "tests/long.h"

#define STATUS 7

/* ---- what is profiled */

__attribute__((constructor(101))) static void before_all(void)
{
	inject_window(WINDOW_START);
}

__attribute__((destructor(101))) static void behind_all(void)
{
	inject_window(WINDOW_NONE);
}

static unsigned recurse(unsigned depth)
{
	Prof(recurse);
	return depth ? 1 + recurse(depth - 1) : 0;
}

/* Work that makes the library ask for memory. */
static unsigned work(void)
{
	unsigned sum = recurse(300);

	for (int i = 0; i < 40; i++) {
		char name[32];
		snprintf(name, sizeof name, "made %d", i);
		Prof_zone *zone = Prof_Zone(name);
		Prof_Enter(zone);
		Prof_Counter_Set("counter", i);
		Prof_Leave();
	}
	Prof_Event("event");
	Prof_Note("note %d", 1);
	Prof_Thread("worker");
	Prof_Frame_Begin("frame")
	Prof_Frame_End
	Prof_update(1);
	return sum;
}

static pthread_key_t key;

static void thread_over(void *value)
{
	(void)value;
	inject_window(WINDOW_NONE);
}

static void *thread(void *sum)
{
	pthread_setspecific(key, sum);
	inject_window(WINDOW_THREAD);
	*(unsigned *)sum = work();
	inject_window(WINDOW_THREAD_END);
	return NULL;
}

static unsigned in_thread(void)
{
	unsigned sum = 0;
	pthread_t id;

	if (pthread_create(&id, NULL, thread, &sum) != 0)
		return 0;
	pthread_join(id, NULL);
	return sum;
}

static int in_child(void)
{
	int status = -1;

	fflush(stdout);
	inject_window(WINDOW_FORK);
	pid_t child = fork();
	inject_window(child ? WINDOW_NONE : WINDOW_CHILD);
	if (child == 0) {
		unsigned sum = work();
		inject_window(WINDOW_END);
		exit((int)sum % 97);
	}
	waitpid(child, &status, 0);
	return status;
}

static void say_state(void)
{
	sigset_t mask;

	printf("descriptors");
	for (int fd = 0; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			printf(" %d", fd);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int s = 1; s < 32; s++)
		if (sigismember(&mask, s))
			printf(", signal %d", s);
	printf("\n");
}

static int host(void)
{
	errno = 0;
	inject_window(WINDOW_WORK);
	unsigned sum = work();
	inject_window(WINDOW_NONE);
	printf("sum %u, errno %d\n", sum, errno);
	pthread_key_create(&key, thread_over); /* behind the library's */
	printf("thread %u\n", in_thread());
	printf("child %#x\n", (unsigned)in_child());
	say_state();
	fflush(stdout);
	inject_window(WINDOW_END);
	return STATUS;
}

/* ---- the cases */

struct plan {
	const char *what;
	const char *behind;   /* of the name */
	const char *frame_ms; /* PROF_FRAME_MS */
	bool no_unnamed;
	bool dead;            /* regions of dead processes are in the way, under the name and as the one kept */
};

static const struct plan plans[] = {
	{ .what = "a region", .behind = "" },
	{ .what = "a hidden name", .behind = "", .no_unnamed = true },
	{ .what = "over a dead one", .behind = "", .dead = true },
	{ .what = "a region each, timer", .behind = ".%p", .frame_ms = "1000" },
};

static const int errors[] = { ENOMEM, EACCES, EMFILE, ENOSPC, EPERM, EINTR, ENOSYS };
#define ERRORS (sizeof errors / sizeof *errors)

static const char *const host_arguments[] = { "host", NULL };
static char expected[4096];
static char name[128], shm[140];

static struct core_program program_of(const struct plan *plan)
{
	snprintf(shm, sizeof shm, "%s%s", name, plan->behind);
	if (plan->frame_ms)
		setenv("PROF_FRAME_MS", plan->frame_ms, 1);
	else
		unsetenv("PROF_FRAME_MS");
	return (struct core_program){ .shm = shm, .size = "256K", .drop = true, .arguments = host_arguments };
}

/* A dead region's bytes, and putting them in the way. */
static char dead_bytes[256 << 10];

static void catch_dead(void)
{
	struct core_program program = { .shm = name, .size = "256K", .arguments = host_arguments };
	struct core_output output;
	char path[300];

	core_catch(&program, 60, &output);
	snprintf(path, sizeof path, "/dev/shm/%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0 && read(fd, dead_bytes, sizeof dead_bytes) == (ssize_t)sizeof dead_bytes, "%s", path);
	close(fd);
	core_remove(name);
}

static void put_dead(const char *behind)
{
	char path[300];

	snprintf(path, sizeof path, "/dev/shm/%s%s", name, behind);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, dead_bytes, sizeof dead_bytes) == (ssize_t)sizeof dead_bytes, "%s", path);
	close(fd);
}

/* Checks that each region that is left is whole, and removes it. Returns how many there were. */
static unsigned look_what_is_left(const char *what)
{
	DIR *directory = opendir("/dev/shm");
	unsigned count = 0;

	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		const char *at = strstr(entry->d_name, name);
		struct attachment a;
		char why[512] = "";
		char path[300];
		if (!at)
			continue;
		count++;
		CHECK(at == entry->d_name, "%s: %s was left", what, entry->d_name);
		CHECK(region_attach(&a, at, 0, why, sizeof why) == ATTACH_OK && !a.live, "%s: %s", what, why);
		region_detach(&a);
		snprintf(path, sizeof path, "/dev/shm/%s", entry->d_name);
		unlink(path);
	}
	if (directory)
		closedir(directory);
	return count;
}

static bool is_removal(long number)
{
#ifdef SYS_unlink
	if (number == SYS_unlink)
		return true;
#endif
	return number == SYS_unlinkat;
}

static void check(const struct plan *plan, const struct injection *wanted, const struct injected *is)
{
	char what[160];
	const char *end = strchr(is->err, '\n');

	snprintf(what, sizeof what, "%s: call %u of window %d (number %ld)%s: %s", plan->what, wanted->nth,
	         (int)wanted->window, is->number, wanted->onwards ? " and later" : "", strerror(wanted->error));
	CHECK(WIFEXITED(is->status) && WEXITSTATUS(is->status) == STATUS, "%s: status %#x: %s", what,
	      (unsigned)is->status, is->err);
	CHECK(!strcmp(is->out, expected), "%s: stdout:\n%sinstead of:\n%s", what, is->out, expected);
	CHECK(!is->err[0] || (end && !end[1] && !strncmp(is->err, "prof: ", 6)), "%s: stderr: %s", what, is->err);
	if (plan->no_unnamed && is_removal(is->number)) { /* what cannot be removed stays */
		char command[320];
		snprintf(command, sizeof command, "rm -f /dev/shm/.%s* /dev/shm/%s*", name, name);
		CHECK(system(command) == 0);
		return;
	}
	unsigned left = look_what_is_left(what);
	CHECK(plan->dead || wanted->window == WINDOW_END || wanted->onwards || !left, "%s: %u files were left", what, left);
}

static void run(const struct plan *plan, const struct injection *injection, struct injected *is)
{
	struct core_program program = program_of(plan);

	if (plan->dead) {
		put_dead("");
		put_dead("~1");
	}
	CHECK(inject_run(&program, injection, is));
}

static bool in_turn(const struct plan *plan, unsigned call, unsigned error)
{
	unsigned turn = call + (unsigned)(plan - plans);

	if (test_long())
		return true;
	return turn % ERRORS == error && (!SANITIZED || call % 2 == 0);
}

static unsigned fail_each(const struct plan *plan, enum window window, unsigned calls)
{
	struct injected is;
	unsigned runs = 0;

	for (unsigned call = 1; call <= calls; call++) {
		for (unsigned e = 0; e < ERRORS; e++) {
			struct injection one = { window, call, errors[e], false, plan->no_unnamed };
			if (!in_turn(plan, call, e))
				continue;
			one.onwards = errors[e] != EINTR && (test_long() ? call % 2 : call / ERRORS % 2);
			run(plan, &one, &is);
			check(plan, &one, &is);
			runs++;
		}
	}
	return runs;
}

static void test_plan(const struct plan *plan)
{
	struct injection none = { .window = WINDOW_NONE, .no_unnamed = plan->no_unnamed };
	struct injected clean;
	unsigned runs = 0, calls = 0;

	run(plan, &none, &clean);
	check(plan, &none, &clean);
	CHECK(!clean.err[0], "%s: %s", plan->what, clean.err);
	CHECK(!clean.interruptible, "%s: a signal could end the reservation of room again and again", plan->what);
	for (enum window w = WINDOW_START; w < WINDOWS; w++) {
		if (w == WINDOW_HELPER && clean.calls[w] > 3)
			clean.calls[w] = 3; /* it goes on for as long as the program runs */
		calls += clean.calls[w];
		runs += fail_each(plan, w, clean.calls[w]);
	}
	CHECK(calls > 20 && clean.calls[WINDOW_START] > 10 && clean.calls[WINDOW_THREAD] && clean.calls[WINDOW_END],
	      "%s: %u calls", plan->what, calls);
	printf("%-22s %u calls, %u runs\n", plan->what, calls, runs);
}

int main(int argc, char **argv)
{
	struct injected without;
	struct injection none = { .window = WINDOW_NONE };
	struct core_program program = { .arguments = host_arguments };

	inject_window(WINDOW_NONE);
	if (argc > 1 && !strcmp(argv[1], "host"))
		return host();
#if !defined(__x86_64__) && !defined(__aarch64__)
	return 77;
#endif
	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* that looks at threads as a debugger does, and there is one */
	snprintf(name, sizeof name, "%s", core_name("syscalls"));
	if (!inject_run(&program, &none, &without)) {
		printf("skipped: programs cannot be traced here\n");
		return 77;
	}
	memcpy(expected, without.out, sizeof expected);
	CHECK(WIFEXITED(without.status) && WEXITSTATUS(without.status) == STATUS, "%s", without.out);
	catch_dead();
	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
		test_plan(&plans[i]);
	return core_result();
}

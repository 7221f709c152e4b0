/* core_timer.c: frames by the clock (PROF_FRAME_MS): they tile and say what they are, they end with the program's own
 * first mark, and the program does not notice.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_host.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_work.h"

#define PERIOD_MS 5
#define OWN_MARKS 3

/* ---- the program has a clock_gettime of its own */

static enum { CLOCK_TRUE, CLOCK_STANDS, CLOCK_AHEAD, CLOCK_FAILS } clock_is;
static _Atomic uint64_t asked; /* how often threads other than the first asked the false clock */

int clock_gettime(clockid_t id, struct timespec *now)
{
	int result = (int)syscall(SYS_clock_gettime, id, now);

	if (clock_is == CLOCK_TRUE)
		return result;
	if (syscall(SYS_gettid) != getpid())
		atomic_fetch_add(&asked, 1);
	if (clock_is == CLOCK_AHEAD)
		now->tv_sec += 100000;
	else
		*now = (struct timespec){ .tv_sec = 1000 };
	return clock_is == CLOCK_FAILS ? -1 : result;
}

/* ---- what is profiled */

static void work(unsigned ms)
{
	for (unsigned i = 0; i < ms; i++) {
		Prof(work);
		work_spin(100000);
		core_sleep_us(900);
	}
}

static unsigned threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned count = 0;

	for (struct dirent *entry; tasks && (entry = readdir(tasks));)
		count += entry->d_name[0] != '.';
	if (tasks)
		closedir(tasks);
#ifdef __SANITIZE_THREAD__
	count -= count > 1; /* its own, which comes with the first that the program makes */
#endif
	return count;
}

/* A thread that begins has the allocator's lock for a moment, and AddressSanitizer's child of that moment has it for
 * ever. The timer's has begun when it has its name. */
static void await_timer(void)
{
#ifdef __SANITIZE_ADDRESS__
	char path[300], name[32] = "";

	for (int tries = 0; tries < 5000 && strcmp(name, "prof-frames\n"); tries++) {
		DIR *tasks = opendir("/proc/self/task");
		for (struct dirent *entry; tasks && strcmp(name, "prof-frames\n") && (entry = readdir(tasks));) {
			snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
			FILE *file = fopen(path, "r");
			if (!file || !fgets(name, sizeof name, file))
				*name = '\0';
			if (file)
				fclose(file);
		}
		if (tasks)
			closedir(tasks);
		core_sleep_us(1000);
	}
#endif
}

static void *outlive(void *unused)
{
	work(50);
	return unused;
}

/* An exit handler that takes what any thread of the program has. */
static void need_stack(void)
{
	char bytes[512 << 10];
	sigset_t blocked;

	memset(bytes, 1, sizeof bytes);
	__asm__ volatile("" : : "r"(bytes) : "memory");
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	if (sigismember(&blocked, SIGINT))
		_exit(3);
}

static void on_signal(int signal)
{
	(void)signal;
	work(1);
}

/* Its thread is not made at the fork, where the allocator's handler may be still to come, nor in a signal handler. */
static int run_child(void)
{
	unsigned at_fork = threads();

	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	unsigned in_handler = threads();
	work(99);
	return at_fork == 1 && in_handler == 1 && threads() == 2 ? 0 : 3;
}

/* Handlers of the program's that are outside of the library's own: one holds a fork back, one has a zone in the child. */
static bool holds_fork, has_zone_before_fork, has_zone_at_fork;
static pthread_barrier_t forking;

static void hold_fork(void)
{
	if (has_zone_before_fork) {
		Prof(before_fork);
	}
	if (holds_fork) {
		pthread_barrier_wait(&forking);
		pthread_barrier_wait(&forking);
	}
}

static void zone_at_fork(void)
{
	if (has_zone_at_fork) {
		Prof(at_fork);
	}
}

__attribute__((constructor(101))) static void watch_forks(void)
{
	pthread_atfork(hold_fork, NULL, zone_at_fork);
}

static void *fork_slowly(void *unused)
{
	holds_fork = true;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	return unused;
}

/* How often the child waits for something in its first zone. */
static long waits_of_child(void)
{
	struct rusage before, now;

	getrusage(RUSAGE_SELF, &before);
	work(1);
	getrusage(RUSAGE_SELF, &now);
	return now.ru_nvcsw - before.ru_nvcsw;
}

/* How often it waits for something in its forks, in which the first zone is. */
static long waits_of_forks(void)
{
	struct rusage before, now;

	has_zone_before_fork = true;
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	getrusage(RUSAGE_SELF, &now);
	return now.ru_nvcsw - before.ru_nvcsw;
}

static int zone_before_forks(bool told)
{
	int status;
	pid_t child = told ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (child == 0)
		_exit(waits_of_forks() < 100 ? 0 : 3);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static int fork_beside_fork(void)
{
	pthread_t thread;
	int status;

	pthread_barrier_init(&forking, NULL, 2);
	if (pthread_create(&thread, NULL, fork_slowly, NULL))
		return 2;
	pthread_barrier_wait(&forking);
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		_exit(waits_of_child() < 100 ? 0 : 3);
	waitpid(child, &status, 0);
	pthread_barrier_wait(&forking);
	pthread_join(thread, NULL);
	printf("%d", (int)child);
	return WEXITSTATUS(status);
}

/* A tool holds a thread back before its first function, for ever: as a sanitizer does whose lock a fork left locked. */
static bool holds_threads;
typedef void *start_function(void *);

static void *hold(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, start_function *start, void *context)
{
	int (*create)(pthread_t *, const pthread_attr_t *, start_function *, void *) = dlsym(RTLD_NEXT, "pthread_create");

	return create(thread, attributes, holds_threads ? hold : start, context);
}

static int exit_status_of(pid_t child)
{
	int status;

	for (int i = 0; i < 1000; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return WEXITSTATUS(status);
		core_sleep_us(10000);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 3;
}

static int exit_beside_held_thread(void)
{
	await_timer();
	pid_t child = fork();

	if (child == 0) {
		holds_threads = true;
		work(10);
		exit(threads() == 2 ? 0 : 2);
	}
	printf("%d %d", (int)child, (int)getpid());
	return exit_status_of(child);
}

/* The thread of frames comes when main has left already. */
static int leave_by_call(void)
{
	work(5);
	syscall(SYS_exit, 7);
	return 0;
}

static void *begin_late(void *unused)
{
	core_sleep_us(300000);
	work(50);
	return unused;
}

static int leave_before(void)
{
	pthread_t thread;
	pid_t child = fork();

	if (child == 0) {
		if (pthread_create(&thread, NULL, begin_late, NULL))
			_exit(2);
		pthread_exit(NULL);
	}
	return exit_status_of(child);
}

static void answer_nothing(int signal)
{
	(void)signal;
}

/* A sandbox answers by a signal to who asks whether the first thread is there. */
static void trap_questions(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_get_robust_list, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
		fputs("without a filter, as it is not permitted\n", stdout);
}

/* It waits for a signal that sandboxes send, too. */
static int await_answer(void)
{
	struct timespec long_enough = { .tv_sec = 10 };
	sigset_t answers;

	sigemptyset(&answers);
	sigaddset(&answers, SIGSYS);
	pthread_sigmask(SIG_BLOCK, &answers, NULL);
	core_sleep_us(1500000); /* beyond the timer's first look */
	kill(getpid(), SIGSYS);
	return sigtimedwait(&answers, NULL, &long_enough) == SIGSYS ? 0 : 3;
}

static int stay(void)
{
	core_sleep_us(2500000); /* beyond its first look */
	work(100);
	return 0;
}

static int stay_trapped(void)
{
	signal(SIGSYS, answer_nothing);
	trap_questions();
	return stay();
}

static int leave(void)
{
	pthread_t thread;

	atexit(need_stack);
	if (pthread_create(&thread, NULL, outlive, NULL))
		return 2;
	pthread_exit(NULL);
}

static int leave_before_without_proc(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "/proc", "tmpfs", 0, NULL) != 0)
		fputs("with /proc, as mounts are not permitted\n", stdout);
	return leave_before();
}

static int be_timed(void)
{
	work(300);
	return 0;
}

static int set_marks(void)
{
	work(100);
	for (int i = 0; i < OWN_MARKS; i++) {
		Prof_update(1);
		work(50);
	}
	return 0;
}

static int fork_once(void)
{
	int status;

	await_timer();
	pid_t child = fork();
	if (child == 0)
		return run_child();
	wait(&status);
	printf("%d %d", (int)getpid(), (int)child);
	return WEXITSTATUS(status);
}

static int fork_early(void)
{
	has_zone_at_fork = true;
	return fork_once();
}

static int zone_before_told_forks(void)
{
	return zone_before_forks(true);
}

static int zone_before_untold_forks(void)
{
	return zone_before_forks(false);
}

#define CLOCK_FRAMES 10
#define CLOCK_SPINS  10000 /* more than in all frames of a busy machine */

/* The timer asks once or twice a frame. */
static int run_with_clock(int is)
{
	clock_is = is;
	for (int tries = 0; tries < 20000 && atomic_load(&asked) < CLOCK_FRAMES; tries++)
		core_sleep_us(1000);
	uint64_t before = atomic_load(&asked);
	core_sleep_us(50000); /* work() would wait for the clock */
	return before >= CLOCK_FRAMES && atomic_load(&asked) - before < CLOCK_SPINS ? 0 : 4;
}

static int clock_stands(void)
{
	return run_with_clock(CLOCK_STANDS);
}

static int clock_is_ahead(void)
{
	return run_with_clock(CLOCK_AHEAD);
}

static int clock_fails(void)
{
	return run_with_clock(CLOCK_FAILS);
}

static int count_threads(void)
{
	work(1);
	printf("%u", threads());
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} modes[] = {
	{ "timed", be_timed }, { "marks", set_marks }, { "stays", stay }, { "trapped", stay_trapped },
	{ "leaves", leave }, { "leaves by the call", leave_by_call }, { "leaves before, without /proc", leave_before_without_proc },
	{ "forks", fork_once }, { "forks early", fork_early }, { "fork beside fork", fork_beside_fork },
	{ "zone before forks", zone_before_told_forks }, { "zone before forks, untold", zone_before_untold_forks },
	{ "clock stands", clock_stands }, { "clock is ahead", clock_is_ahead }, { "clock fails", clock_fails },
	{ "awaits an answer", await_answer }, { "count", count_threads }, { "held", exit_beside_held_thread },
};

static int run_mode(const char *mode)
{
	static const char chrooted[] = "chroot_";

	if (!strncmp(mode, chrooted, strlen(chrooted))) {
		mode += strlen(chrooted);
		dlopen("libgcc_s.so.1", RTLD_NOW); /* which pthread_exit loads */
		if (chroot("/dev/shm") != 0) /* a directory that has no /proc */
			fputs("with /proc, as chroot is not permitted\n", stdout);
	}
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(mode, modes[i].name))
			return modes[i].run();
	return 2;
}

/* ---- what is seen of it */

/* Checks that frames tile and are marked by nobody but the timer up to `timed`, and by the program from there. */
static uint64_t check_frames(struct view *view)
{
	struct snapshot_frame frame = { 0 };
	int64_t end = 0;
	uint64_t timed = 0;

	for (uint64_t i = 1; i < view->process.epoch; i++) {
		if (!CHECK(snapshot_frame(&view->region, i, &frame) == SNAPSHOT_OK))
			break;
		CHECK(i == 1 || frame.start == end);
		CHECK(frame.number == i && frame.end > frame.start);
		end = frame.end;
		if (frame.flags & MARK_TIMER) {
			CHECK(timed == i - 1, "a mark of the timer behind one of the program");
			CHECK(frame.marker == UINT32_MAX);
			timed++;
		}
	}
	return timed;
}

static void test_timed(void)
{
	struct view view;

	if (!view_of(&view, "timed"))
		return;
	uint64_t timed = check_frames(&view);
	CHECK(timed == view.process.frames && timed == view.process.epoch - 1);
	uint64_t ms = (view.process.latest.raw_ns - view.process.created.raw_ns) / 1000000;
	CHECK(timed >= 5 && timed <= ms / PERIOD_MS + 1, "%llu frames in %llu ms", (unsigned long long)timed, (unsigned long long)ms);
	CHECK(view.process.marker == UINT32_MAX);
	CHECK(view.process.threads == 1, "the timer has a block");
	CHECK(view_entries(&view, "work") == 300);
	CHECK_LOST_ONLY(&view, 0);
	view_done(&view);
}

/* Frames still come, and the thread that marks them sleeps between them. */
static void test_clocks(void)
{
	static const char *const names[] = { "clock stands", "clock is ahead", "clock fails" };
	struct view view;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!view_of(&view, names[i]))
			return;
		CHECK(view.process.frames >= CLOCK_FRAMES / 2, "%s: %d frames", names[i], (int)view.process.frames);
		view_done(&view);
	}
}

static void test_marks(void)
{
	struct view view;

	if (!view_of(&view, "marks"))
		return;
	uint64_t timed = check_frames(&view);
	CHECK(timed >= 2, "%llu frames", (unsigned long long)timed);
	CHECK(view.process.frames == timed + OWN_MARKS, "%llu frames", (unsigned long long)view.process.frames);
	CHECK(view.process.marker == 0);
	CHECK_LOST_ONLY(&view, 0);
	view_done(&view);
}

/* Its main thread goes first, and then the last of its others: a thread of the library does not keep it alive. */
static void check_status(void)
{
	const char *const arguments[] = { "leaves by the call", NULL };
	const char *name = core_name("status");
	struct core_output output;

	core_catch(&(struct core_program){ .shm = name, .arguments = arguments, .drop = true }, 30, &output);
	CHECK(output.status == 7 << 8, "status %#x", (unsigned)output.status);
	core_remove(name);
}

static void test_main_leaves(void)
{
	const char *const arguments[] = { "leaves", NULL };
	const char *name = core_name("leaves");

	core_run(&(struct core_program){ .shm = name, .arguments = arguments, .drop = true }, 30);
	CHECK(!core_exists(name), "it did not end");
}

/* Whether there is a frame in the second half of the process's life. */
static bool frames_go_on(struct view *view)
{
	const struct snapshot_process *p = &view->process;
	struct snapshot_frame frame = { 0 };

	return p->epoch > 1 && snapshot_frame(&view->region, p->epoch - 1, &frame) == SNAPSHOT_OK &&
	       (uint64_t)frame.end - p->created.ticks > p->latest.ticks - (uint64_t)frame.end;
}

/* The first thread is there, so frames go on; then it leaves, and the process ends. */
static void test_without_proc(void)
{
	const char *const leaves[] = { "chroot_leaves", NULL }, *const stays[] = { "chroot_stays", NULL };
	const char *const trapped[] = { "chroot_trapped", NULL };
	const char *const before[] = { "leaves before, without /proc", NULL };
	const char *name = core_name("no_proc");
	char pattern[80];
	struct view view;

	if (SANITIZED) {
		printf("without /proc: skipped, the sanitizer needs it\n");
		return;
	}
	core_run(&(struct core_program){ .shm = name, .arguments = leaves }, 30); /* which ends it */
	core_remove(name);
	snprintf(pattern, sizeof pattern, "%s.%%p", name);
	core_run(&(struct core_program){ .shm = pattern, .arguments = before, .drop = true }, 30);
	for (int i = 0; i < 2; i++) {
		core_run(&(struct core_program){ .shm = name, .arguments = i ? trapped : stays }, 30);
		if (view_open(&view, name)) {
			CHECK(frames_go_on(&view), "%llu frames", (unsigned long long)view.process.frames);
			view_done(&view);
		}
	}
}

static void test_bad_values(void)
{
	static const char *const bad[] = { "abc", "0", "-5", "1e3", "5ms", "1,5", "nan", "0.05", "60001", "99999999999999999999", "." };
	const char *const arguments[] = { "count", NULL };
	const char *name = core_name("bad");
	struct core_output output;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		setenv("PROF_FRAME_MS", bad[i], 1);
		core_catch(&(struct core_program){ .shm = name, .arguments = arguments, .drop = true }, 30, &output);
		CHECK(output.status == 0 && !strcmp(output.out, "1"), "%s: %s threads", bad[i], output.out);
		CHECK(!strncmp(output.err, "prof: PROF_FRAME_MS: ", 21) && strchr(output.err, '\n') == output.err + strlen(output.err) - 1,
		      "%s: %s", bad[i], output.err);
	}
}

static void test_fractions(void)
{
	static const char *const good[] = { "0.1", "16.7", "60000", "33.", "1.0000000001", "" };
	const char *const arguments[] = { "count", NULL };
	const char *name = core_name("good");
	struct core_output output;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		setenv("PROF_FRAME_MS", good[i], 1);
		core_catch(&(struct core_program){ .shm = name, .arguments = arguments, .drop = true }, 30, &output);
		CHECK(output.status == 0 && !*output.err, "%s: %s", good[i], output.err);
		CHECK(!strcmp(output.out, *good[i] ? "2" : "1"), "%s: %s threads", good[i], output.out);
	}
}

/* Without a region there is no thread, and the end does not wait for a long frame. */
static void test_unnoticed(void)
{
	const char *const arguments[] = { "count", NULL };
	const char *name = core_name("end");
	struct core_output output;

	setenv("PROF_FRAME_MS", "60000", 1);
	core_catch(&(struct core_program){ .arguments = arguments }, 30, &output);
	CHECK(output.status == 0 && !strcmp(output.out, "1") && !*output.err, "%s %s", output.out, output.err);
	core_catch(&(struct core_program){ .shm = name, .arguments = arguments, .drop = true }, 10, &output);
	CHECK(output.status == 0 && !strcmp(output.out, "2") && !core_exists(name), "%s threads", output.out);
}

/* A child with a region of its own has frames of its own; one without has none, and its parent's go on. */
__attribute__((unused)) static void test_forks(const char *mode)
{
	const char *const arguments[] = { mode, NULL };
	char name[64], shm[80], retired[128];
	struct core_output output;
	struct view view;

	snprintf(name, sizeof name, "%s", core_name("forks"));
	snprintf(shm, sizeof shm, "%s-%%p", name);
	core_catch(&(struct core_program){ .shm = shm, .arguments = arguments }, 30, &output);
	CHECK(output.status == 0);
	int parent = 0, child = 0;
	CHECK(sscanf(output.out, "%d %d", &parent, &child) == 2);
	snprintf(retired, sizeof retired, "%s-%d", name, child);
	if (CHECK(core_exists(retired), "the child has no region") && view_open(&view, retired)) {
		CHECK(check_frames(&view) >= 2);
		CHECK(view_entries(&view, "work") == 100);
		view_close(&view);
	}
	core_remove(retired);
	snprintf(retired, sizeof retired, "%s-%d", name, parent);
	core_remove(retired);
}

/* Its end is the region's, too. */
static void test_exit_beside_held_thread(void)
{
	const char *const arguments[] = { "held", NULL };
	const char *base = core_name("held"), *at;
	char shm[80], name[100];
	struct core_output output;
	struct view view;

	snprintf(shm, sizeof shm, "%s.%%p", base);
	core_catch(&(struct core_program){ .shm = shm, .arguments = arguments }, 30, &output);
	CHECK(output.status == 0, "the child's exit waited for its thread: status %#x", (unsigned)output.status);
	at = output.out;
	if (CHECK(core_next_region(&at, base, name)) && view_open(&view, name)) {
		CHECK(view.process.exited);
		CHECK(view_entries(&view, "work") == 10);
		view_done(&view);
	}
	while (core_next_region(&at, base, name))
		core_remove(name);
}

static void test_fork_beside_fork(void)
{
	const char *const arguments[] = { "fork beside fork", NULL };
	const char *base = core_name("beside");
	char shm[80], name[100];
	struct core_output output;

	snprintf(shm, sizeof shm, "%s.%%p", base);
	core_catch(&(struct core_program){ .shm = shm, .arguments = arguments, .drop = true }, 30, &output);
	CHECK(output.status == 0, "it waited for a fork of its parent's: status %#x", (unsigned)output.status);
	const char *at = output.out;
	if (CHECK(core_next_region(&at, base, name)))
		core_remove(name);
}

/* The children have no region: their parent has the name. */
static void test_zone_before_forks(const char *mode)
{
	const char *const arguments[] = { mode, NULL };

	core_run(&(struct core_program){ .shm = core_name("before"), .arguments = arguments, .drop = true }, 30);
}

static void test_await_answer(void)
{
	const char *const arguments[] = { "awaits an answer", NULL };

	core_run(&(struct core_program){ .shm = core_name("answer"), .arguments = arguments, .drop = true }, 30);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run_mode(argv[1]);
	setenv("PROF_FRAME_MS", "5", 1);
	test_timed();
	test_clocks();
	test_marks();
	test_main_leaves();
	check_status();
	test_await_answer();
	test_without_proc();
#ifndef __SANITIZE_THREAD__ /* which knows no threads of a child */
	test_forks("forks");
	test_forks("forks early");
	test_exit_beside_held_thread();
	test_fork_beside_fork();
	test_zone_before_forks("zone before forks");
	test_zone_before_forks("zone before forks, untold");
#endif
	test_bad_values();
	test_fractions();
	test_unnoticed();
	return core_result();
}

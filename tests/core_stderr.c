/* core_stderr: what the library says on standard error never holds the program up, stops it, ends a thread of it, or
 * comes into its data.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include "prof.h"
#include "tests/core_run.h"

#define LINES 5000 /* more than a terminal has room for */
#define SECONDS 30

static void log_lines(int count)
{
	for (int i = 0; i < count; i++) {
		Prof_Log(logged)
		Prof_End
	}
}

/* ---- what is profiled */

/* The leader of a session on a terminal that stops who writes to it in the background, and one who does. */
static int run_background(const char *terminal)
{
	struct termios modes;
	int status;

	if (setsid() < 0)
		return 2;
	int fd = open(terminal, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || tcgetattr(fd, &modes))
		return 3;
	modes.c_lflag |= TOSTOP;
	tcsetattr(fd, TCSANOW, &modes);
	pid_t child = fork();
	if (child == 0) {
		setpgid(0, 0);
		dup2(fd, STDERR_FILENO);
		log_lines(1);
		_exit(0);
	}
	setpgid(child, child);
	if (waitpid(child, &status, WUNTRACED) != child)
		return 4;
	if (!WIFSTOPPED(status))
		return status ? 5 : 0;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return 6;
}

static atomic_int cancelled;

static void *come_through(void *unused)
{
	while (!atomic_load(&cancelled))
		;
	log_lines(1);
	return unused;
}

/* A thread that is to be cancelled, and comes to no place where it may be. */
static int run_cancel(void)
{
	pthread_t thread;
	void *result = NULL;

	if (pthread_create(&thread, NULL, come_through, NULL))
		return 2;
	pthread_cancel(thread);
	atomic_store(&cancelled, 1);
	pthread_join(thread, &result);
	return result == PTHREAD_CANCELED ? 3 : 0;
}

/* A thread whose cancellation is asynchronous is cancelled while it is in the
 * library. */
enum cancel_at { NOWHERE, BEFORE_DISABLED, WHEN_DISABLED, BY_LATE_SIGNAL };
#define CANCEL_SIGNAL 32 /* of glibc */
static _Thread_local enum cancel_at cancel_at;
static enum cancel_at wanted;
static atomic_int cleanups;

static bool is_here(enum cancel_at at)
{
	if (at != cancel_at)
		return false;
	cancel_at = NOWHERE;
	return true;
}

/* As glibc does in a system call: the type is asynchronous meanwhile, and the signal of a thread that called
 * pthread_cancel before comes then. */
int poll(struct pollfd *files, nfds_t count, int ms)
{
	struct timespec none = { 0, 0 };
	int type;

	if (is_here(BY_LATE_SIGNAL)) {
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
		syscall(SYS_tgkill, getpid(), gettid(), CANCEL_SIGNAL);
		pthread_setcanceltype(type, NULL);
	}
	return ppoll(files, count, ms < 0 ? NULL : &none, NULL);
}

int pthread_setcancelstate(int state, int *before)
{
	static int (*real)(int, int *);

	if (!real)
		real = (int (*)(int, int *))dlsym(RTLD_NEXT, "pthread_setcancelstate");
	if (state == PTHREAD_CANCEL_DISABLE && is_here(BEFORE_DISABLED))
		pthread_cancel(pthread_self());
	int error = real(state, before);
	if (state == PTHREAD_CANCEL_DISABLE && is_here(WHEN_DISABLED))
		pthread_cancel(pthread_self());
	return error;
}

static void clean_up(void *unused)
{
	sigset_t blocked;

	pthread_sigmask(SIG_SETMASK, unused, &blocked);
	atomic_store(&cleanups, sigismember(&blocked, SIGUSR1) || sigismember(&blocked, SIGTERM) ? 2 : 1);
}

static void *end_in_library(void *unused)
{
	pthread_cleanup_push(clean_up, NULL);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	cancel_at = wanted;
	log_lines(1);
	pthread_cleanup_pop(0);
	return unused;
}

static int run_asynchronous(void)
{
	pthread_t thread;

	for (wanted = BEFORE_DISABLED; wanted <= BY_LATE_SIGNAL; wanted++) {
		atomic_store(&cleanups, 0);
		if (pthread_create(&thread, NULL, end_in_library, NULL))
			return 2;
		pthread_join(thread, NULL);
		if (atomic_load(&cleanups) != 1)
			return 3 + atomic_load(&cleanups);
	}
	return 0;
}

/* A child that has a file where standard error was, and can have no region. */
static int run_data(const char *path)
{
	int status;

	pid_t child = fork();
	if (child == 0) {
		struct rlimit limit = { 1 << 20, 1 << 20 };
		setrlimit(RLIMIT_FSIZE, &limit);
		close(STDERR_FILENO);
		if (open(path, O_WRONLY) != STDERR_FILENO)
			_exit(2);
		Prof_Begin(of_the_child)
		Prof_End
		_exit(0);
	}
	return waitpid(child, &status, 0) == child ? status : 3;
}

/* As where the terminal is another user's, or /proc is not there: it cannot be opened.  A sanitizer needs descriptors
 * at the end, and would say so. */
static void without_descriptors(void)
{
	struct rlimit before, none;

	getrlimit(RLIMIT_NOFILE, &before);
	none = (struct rlimit){ STDERR_FILENO + 1, before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &none);
	log_lines(LINES);
	setrlimit(RLIMIT_NOFILE, &before);
}

static int run_mode(int argc, char **argv)
{
	if (!strcmp(argv[1], "unopened"))
		without_descriptors();
	if (!strcmp(argv[1], "lines"))
		log_lines(LINES);
	if (!strcmp(argv[1], "background") && argc > 2)
		return run_background(argv[2]);
	if (!strcmp(argv[1], "cancel"))
		return run_cancel();
	if (!strcmp(argv[1], "asynchronous"))
		return run_asynchronous();
	if (!strcmp(argv[1], "data") && argc > 2)
		return run_data(argv[2]);
	return 0;
}

/* ---- what is seen of it */

/* A terminal that nobody reads; its other side is open as long as this. */
static int open_terminal(char path[64])
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (!CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, path, 64) == 0))
		return -1;
	return master;
}

static void stalled(const char *mode)
{
	const char *const arguments[] = { mode, NULL };
	char path[64];
	int master = open_terminal(path), slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	char line[4096];

	int status = core_wait(core_start(&(struct core_program){ .arguments = arguments, .err = slave }), SECONDS);
	CHECK(status == 0, "status %#x", (unsigned)status);
	ssize_t got = read(master, line, sizeof line - 1);
	line[got > 0 ? got : 0] = '\0';
	CHECK(strstr(line, "logged"), "what could be said was not: %s", line);
	close(slave);
	close(master);
}

static void test_stalled_terminal(void)
{
	stalled("lines");
}

static void test_unopened_terminal(void)
{
	stalled("unopened");
}

static void test_background(void)
{
	char path[64];
	int master = open_terminal(path);
	const char *const arguments[] = { "background", path, NULL };

	int status = core_wait(core_start(&(struct core_program){ .arguments = arguments }), SECONDS);
	CHECK(status == 0, "status %#x", (unsigned)status);
	close(master);
}

static void test_cancel(void)
{
	const char *const arguments[] = { "cancel", NULL };
	struct core_output output;

	core_catch(&(struct core_program){ .arguments = arguments }, SECONDS, &output);
	CHECK(output.status == 0, "status %#x", (unsigned)output.status);
	CHECK(strstr(output.err, "logged"), "stderr: %s", output.err);
}

static void test_asynchronous(void)
{
	const char *const arguments[] = { "asynchronous", NULL };
	int status = core_wait(core_start(&(struct core_program){ .arguments = arguments }), SECONDS);

	CHECK(status == 0, "status %#x", (unsigned)status);
}

static void test_data(void)
{
	char path[] = "/tmp/prof-test-XXXXXX", shm[96];
	int file = mkostemp(path, O_CLOEXEC);
	const char *const arguments[] = { "data", path, NULL };
	struct core_output output;
	struct stat st;

	snprintf(shm, sizeof shm, "%s-%%p", core_name("data"));
	core_catch(&(struct core_program){ .shm = shm, .drop = true, .arguments = arguments }, SECONDS, &output);
	CHECK(output.status == 0, "status %#x", (unsigned)output.status);
	CHECK(fstat(file, &st) == 0 && st.st_size == 0, "%d bytes of ours are in the program's file", (int)st.st_size);
	unlink(path);
	close(file);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
		{ "a terminal that nobody reads", test_stalled_terminal },
		{ "one that cannot be opened", test_unopened_terminal },
		{ "in the background of a terminal", test_background },
		{ "a thread that is to be cancelled", test_cancel },
		{ "a thread that is cancelled at any moment", test_asynchronous },
		{ "data where standard error was", test_data },
	};

	if (argc > 1)
		return run_mode(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		unsigned before = core_failures();
		tests[i].run();
		printf("%-4s %s\n", core_failures() == before ? "ok" : "FAIL", tests[i].name);
	}
	return core_result();
}

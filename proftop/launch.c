/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "proftop/launch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/spawn.h"

#define SHELL_SIGNAL_BASE 128
#define SAMPLE_RATE "1000"

static const int handled[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD };

/* `game_loop.4711`: the program's name in harmless letters, and who started it. */
static void make_name(char out[LAUNCH_NAME_SIZE], const char *program)
{
	const char *slash = strrchr(program, '/');
	char base[LAUNCH_NAME_SIZE - 32];

	snprintf(base, sizeof(base), "%s", slash ? slash + 1 : program);
	for (char *c = base; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
			*c = '_';
	if (!*base || *base == '.')
		snprintf(base, sizeof(base), "program");
	snprintf(out, LAUNCH_NAME_SIZE, "%s.%ld", base, (long)getpid());
}

/* What it writes */

static int output_in(struct launch *l, const char *directory)
{
	static const char suffix[] = ".out";
	int length = snprintf(l->output, sizeof(l->output), "%s/proftop-%s.XXXXXX%s", directory,
			      l->region, suffix);

	if (length < 0 || (size_t)length >= sizeof(l->output)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return mkostemps(l->output, sizeof(suffix) - 1, O_CLOEXEC | O_APPEND);
}

static int output_open(struct launch *l)
{
	const char *directory = getenv("TMPDIR");
	int fd = directory && *directory ? output_in(l, directory) : -1;

	if (fd < 0)
		fd = output_in(l, "/tmp");
	if (fd < 0)
		*l->output = '\0';
	return fd;
}

static void output_remove(struct launch *l)
{
	if (*l->output)
		unlink(l->output);
	*l->output = '\0';
}

bool launch_wrote(struct launch *l)
{
	struct stat st;

	if (l->ended && (stat(l->output, &st) != 0 || !st.st_size))
		output_remove(l);
	return *l->output;
}

/* In the child */

static void share_stderr(void)
{
	if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		int null = open("/dev/null", O_WRONLY);

		if (null >= 0 && null != STDOUT_FILENO)
			dup2(null, STDOUT_FILENO);
	}
}

static bool stand_apart(int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	       dup2(output, STDERR_FILENO) >= 0 && setpgid(0, 0) == 0;
}

/* The file of a program, as execvp finds it; false: there is none. */
static bool find_program(const char *name, char *path, size_t size)
{
	const char *folders = getenv("PATH");
	struct stat about;

	if (strchr(name, '/')) {
		snprintf(path, size, "%s", name);
		return true;
	}
	for (const char *at = folders ? folders : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
		snprintf(path, size, "%.*s/%s", (int)strcspn(at, ":"), at, name);
		if (access(path, X_OK) == 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode))
			return true;
	}
	return false;
}

/* Whether a program has libprof in itself, or is linked with it. Both have a text in the file. */
static bool has_libprof(const char *name)
{
	char path[LAUNCH_PATH_SIZE];
	struct stat about;
	bool has = false;
	void *bytes;
	int fd = find_program(name, path, sizeof(path)) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	if (fstat(fd, &about) == 0 && about.st_size > 0 &&
	    (bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) != MAP_FAILED) {
		has = memmem(bytes, (size_t)about.st_size, "PROF_SHM", 8) || memmem(bytes, (size_t)about.st_size, "libprof.so", 10);
		munmap(bytes, (size_t)about.st_size);
	}
	close(fd);
	return has;
}

/* libprof.so beside the folder of proftop, where it is built, or where it is installed. */
static bool find_library(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	if (length > 0) {
		path[length] = '\0';
		slash = strrchr(path, '/');
		snprintf(slash, size - (size_t)(slash - path), "/../libprof.so");
		if (access(path, R_OK) == 0)
			return true;
	}
	snprintf(path, size, "%s/libprof.so.1", LIBRARY_FOLDER);
	return access(path, R_OK) == 0;
}

static bool preload(const char *program)
{
	char path[LAUNCH_PATH_SIZE], list[2 * LAUNCH_PATH_SIZE];
	const char *before = getenv("LD_PRELOAD");

	if (has_libprof(program))
		return true;
	if (!find_library(path, sizeof(path))) {
		errno = ENOENT;
		return false;
	}
	snprintf(list, sizeof(list), "%s%s%s", path, before && *before ? ":" : "", before ? before : "");
	return setenv("LD_PRELOAD", list, 1) == 0 && setenv("PROF_FRAME_MS", "100", 0) == 0;
}

struct child {
	struct launch *l;
	char *const *argv;
	int output; /* below 0 in batch */
};

static bool prepare_child(void *context)
{
	const struct child *child = context;

	if (child->output < 0)
		share_stderr();
	else if (!stand_apart(child->output))
		return false;
	sigprocmask(SIG_SETMASK, &child->l->before, NULL);
	return setenv("PROF_SHM", child->l->region, 1) == 0 && setenv("PROF_KEEP", "1", 1) == 0 &&
	       (!child->l->sample || (setenv("PROF_SAMPLE", SAMPLE_RATE, 0) == 0 && preload(child->argv[0])));
}

/* In the parent */

static bool run_program(struct launch *l, char **argv, int output)
{
	struct child child = { l, argv, output };
	pid_t pid = spawn(argv, prepare_child, &child, &l->error);

	l->pid = pid < 0 ? 0 : pid;
	return l->pid;
}

static bool start_batch(struct launch *l, char **argv)
{
	bool done;

	sigemptyset(&l->waited);
	for (size_t i = 0; i < sizeof(handled) / sizeof(*handled); i++)
		sigaddset(&l->waited, handled[i]);
	sigprocmask(SIG_BLOCK, &l->waited, &l->before);
	done = run_program(l, argv, -1);
	if (!done)
		sigprocmask(SIG_SETMASK, &l->before, NULL);
	return done;
}

static bool start_apart(struct launch *l, char **argv)
{
	int output = output_open(l);
	bool done;

	if (output < 0) {
		l->error = errno;
		return false;
	}
	sigprocmask(SIG_BLOCK, NULL, &l->before);
	done = run_program(l, argv, output);
	close(output);
	if (!done)
		output_remove(l);
	return done;
}

bool launch_start(struct launch *l, char **argv, enum launch_mode mode, bool sample)
{
	*l = (struct launch){ .sample = sample };
	make_name(l->region, argv[0]);
	signal(SIGCHLD, SIG_DFL); /* ignored, children would end without a trace */
	return mode == LAUNCH_APART ? start_apart(l, argv) : start_batch(l, argv);
}

/* A ^C that ended the program is no reason not to report: what is left of it is taken away. What comes from here on is
 * meant for proftop, also where others that the program started live on. */
static void drain_output(struct launch *l)
{
	const struct timespec at_once = { 0 };

	while (sigtimedwait(&l->waited, NULL, &at_once) > 0)
		;
	sigprocmask(SIG_SETMASK, &l->before, NULL);
}

bool launch_poll(struct launch *l)
{
	pid_t ended;

	if (l->ended)
		return true;
	ended = waitpid(l->pid, &l->status, WNOHANG);
	l->ended = ended == l->pid || (ended < 0 && errno != EINTR);
	if (l->ended && sigismember(&l->waited, SIGCHLD))
		drain_output(l);
	return l->ended;
}

/* Passes a signal on to the program. It has got signals of the terminal by itself. */
static void pass_on(const struct launch *l, int sig, const siginfo_t *info)
{
	if (sig > 0 && sig != SIGCHLD && info->si_code <= 0)
		kill(l->pid, sig);
}

bool launch_rest(struct launch *l, int ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	siginfo_t info;

	if (launch_poll(l)) {
		nanosleep(&time, NULL);
		return true;
	}
	pass_on(l, sigtimedwait(&l->waited, &info, &time), &info);
	return launch_poll(l);
}

void launch_wait(struct launch *l)
{
	while (!launch_poll(l)) {
		siginfo_t info;

		pass_on(l, sigwaitinfo(&l->waited, &info), &info);
	}
}

/* The end */

static bool ends_within(struct launch *l, int ms)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (; !launch_poll(l) && ms > 0; ms -= 10)
		nanosleep(&pause, NULL);
	return l->ended;
}

void launch_end(struct launch *l, bool hurry)
{
	static const struct {
		int signal, wait_ms[2];
	} steps[] = { { SIGHUP, { 500, 200 } }, { SIGTERM, { 2000, 400 } }, { SIGKILL, { 0, 0 } } };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && !launch_poll(l); i++) {
		kill(-l->pid, steps[i].signal);
		kill(-l->pid, SIGCONT); /* a stopped one would not see it */
		if (ends_within(l, steps[i].wait_ms[hurry]))
			return;
	}
	while (!l->ended && waitpid(l->pid, &l->status, 0) < 0 && errno == EINTR)
		;
	l->ended = true;
}

int launch_exit_status(const struct launch *l)
{
	if (WIFSIGNALED(l->status))
		return SHELL_SIGNAL_BASE + WTERMSIG(l->status);
	return WIFEXITED(l->status) ? WEXITSTATUS(l->status) : 1;
}

/* The signals that end a program. An error is its own, all else came from somebody. */
static const struct {
	int signal;
	const char *name;
	bool error;
} signals[] = {
	{ SIGABRT, "SIGABRT", true },  { SIGBUS, "SIGBUS", true },   { SIGFPE, "SIGFPE", true },
	{ SIGILL, "SIGILL", true },    { SIGSEGV, "SIGSEGV", true }, { SIGSYS, "SIGSYS", true },
	{ SIGTRAP, "SIGTRAP", true },  { SIGXCPU, "SIGXCPU", true }, { SIGXFSZ, "SIGXFSZ", true },
	{ SIGPIPE, "SIGPIPE", true },  { SIGALRM, "SIGALRM", true }, { SIGHUP, "SIGHUP", false },
	{ SIGINT, "SIGINT", false },   { SIGKILL, "SIGKILL", false }, { SIGQUIT, "SIGQUIT", false },
	{ SIGTERM, "SIGTERM", false }, { SIGUSR1, "SIGUSR1", false }, { SIGUSR2, "SIGUSR2", false },
};

void launch_how(const struct launch *l, char *out, size_t size)
{
	int status = launch_exit_status(l);
	bool killed = WIFSIGNALED(l->status);

	snprintf(out, size, killed ? "killed by signal %d" : "exited %d",
		 killed ? status - SHELL_SIGNAL_BASE : status);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (signals[i].signal != status - SHELL_SIGNAL_BASE)
			continue;
		if (killed && !signals[i].error)
			snprintf(out, size, "killed by %s", signals[i].name);
		else
			snprintf(out, size, "exited %d (%s)", status, signals[i].name);
	}
}

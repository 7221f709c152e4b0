/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tui/launch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL_SIGNAL_BASE 128

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

/* In the child. What went wrong goes into the pipe, which a successful exec closes. */
static void run(struct launch *l, char **argv, int pipe_fd)
{
	int error;

	if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		int null = open("/dev/null", O_WRONLY);

		if (null >= 0 && null != STDOUT_FILENO)
			dup2(null, STDOUT_FILENO);
	}
	sigprocmask(SIG_SETMASK, &l->before, NULL);
	if (setenv("PROF_SHM", l->region, 1) == 0 && setenv("PROF_KEEP", "1", 1) == 0)
		execvp(argv[0], argv);
	error = errno;
	if (write(pipe_fd, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static bool started(struct launch *l, int pipe_fd)
{
	ssize_t got;

	do {
		got = read(pipe_fd, &l->error, sizeof(l->error));
	} while (got < 0 && errno == EINTR);
	if (got != sizeof(l->error)) {
		l->error = 0;
		return true;
	}
	while (waitpid(l->pid, &l->status, 0) < 0 && errno == EINTR)
		;
	return false;
}

static bool fail(struct launch *l)
{
	l->error = errno;
	sigprocmask(SIG_SETMASK, &l->before, NULL);
	return false;
}

bool launch_start(struct launch *l, char **argv)
{
	int fds[2];
	bool done;

	make_name(l->region, argv[0]);
	sigemptyset(&l->waited);
	for (size_t i = 0; i < sizeof(handled) / sizeof(*handled); i++)
		sigaddset(&l->waited, handled[i]);
	signal(SIGCHLD, SIG_DFL); /* ignored, children would end without a trace */
	sigprocmask(SIG_BLOCK, &l->waited, &l->before);
	if (pipe2(fds, O_CLOEXEC) != 0)
		return fail(l);
	l->pid = fork();
	if (l->pid == 0)
		run(l, argv, fds[1]);
	close(fds[1]);
	done = l->pid > 0 && started(l, fds[0]);
	if (l->pid < 0)
		l->error = errno;
	close(fds[0]);
	if (!done)
		sigprocmask(SIG_SETMASK, &l->before, NULL);
	return done;
}

static bool has_ended(struct launch *l)
{
	pid_t ended = waitpid(l->pid, &l->status, WNOHANG);

	return ended == l->pid || (ended < 0 && errno != EINTR);
}

/* A ^C that ended the program is no reason not to report: what is left of it is taken away. */
static void drain(struct launch *l)
{
	const struct timespec at_once = { 0 };

	while (sigtimedwait(&l->waited, NULL, &at_once) > 0)
		;
	sigprocmask(SIG_SETMASK, &l->before, NULL);
}

void launch_wait(struct launch *l)
{
	while (!has_ended(l)) {
		siginfo_t info;
		int sig = sigwaitinfo(&l->waited, &info);

		if (sig > 0 && sig != SIGCHLD && info.si_code <= 0)
			kill(l->pid, sig);
	}
	drain(l);
}

int launch_exit_status(const struct launch *l)
{
	if (WIFSIGNALED(l->status))
		return SHELL_SIGNAL_BASE + WTERMSIG(l->status);
	return WIFEXITED(l->status) ? WEXITSTATUS(l->status) : 1;
}

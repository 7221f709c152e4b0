/* SPDX-License-Identifier: MIT */
#include "tui/term/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/term_inside.h"

/* Why it could not be run goes into the pipe, which a successful exec closes. */
static _Noreturn void become_program(char *const *argv, bool (*prepare)(void *), void *context, int pipe_fd)
{
	int error;

	if (!prepare || prepare(context))
		execvp(argv[0], argv);
	error = errno;
	_exit(write(pipe_fd, &error, sizeof(error)) < 0 ? 126 : 127);
}

static bool wait_for_exec(int pipe_fd, int *error)
{
	ssize_t got;

	do {
		got = read(pipe_fd, error, sizeof(*error));
	} while (got < 0 && errno == EINTR);
	return got != (ssize_t)sizeof(*error);
}

pid_t spawn(char *const *argv, bool (*prepare)(void *context), void *context, int *error)
{
	int fds[2];
	pid_t pid;
	bool done;

	*error = 0;
	if (pipe2(fds, O_CLOEXEC)) {
		*error = errno;
		return -1;
	}
	pid = fork();
	if (!pid)
		become_program(argv, prepare, context, fds[1]);
	if (pid < 0)
		*error = errno;
	close(fds[1]);
	done = pid > 0 && wait_for_exec(fds[0], error);
	close(fds[0]);
	if (done)
		return pid;
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return -1;
}

#define PAUSE_NS 20000000L

static void sleep_a_moment(void)
{
	struct timespec t = { .tv_nsec = PAUSE_NS };

	nanosleep(&t, NULL);
}

int lend_run(char *const *argv, void (*meanwhile)(void *context), void *context, int *error)
{
	pid_t pid = spawn(argv, NULL, NULL, error), ended;
	int status = 0;

	if (pid < 0)
		return -1;
	while (!signals_ending()) {
		ended = waitpid(pid, &status, WNOHANG | WUNTRACED);
		if (ended == pid && WIFSTOPPED(status)) {
			raise(SIGTSTP);
			kill(pid, SIGCONT);
		} else if (ended == pid || (ended < 0 && errno != EINTR)) {
			return status;
		}
		meanwhile(context);
		sleep_a_moment();
	}
	kill(pid, signals_ending());
	return 0;
}

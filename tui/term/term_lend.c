/* SPDX-License-Identifier: MIT */
#include "tui/term_lend.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tui/term_signal.h"

#define PAUSE_NS 20000000L

/* Why it could not be run goes into the pipe, which a successful exec closes. */
static void become(char *const *argv, int pipe_fd)
{
	int error;

	execvp(argv[0], argv);
	error = errno;
	if (write(pipe_fd, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static pid_t start(char *const *argv, int *error)
{
	int fds[2];
	ssize_t got;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		*error = errno;
		return -1;
	}
	pid = fork();
	if (!pid)
		become(argv, fds[1]);
	*error = pid < 0 ? errno : 0;
	close(fds[1]);
	do {
		got = read(fds[0], error, sizeof(*error));
	} while (got < 0 && errno == EINTR);
	close(fds[0]);
	if (pid > 0 && got == (ssize_t)sizeof(*error)) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		return -1;
	}
	return pid;
}

static void rest(void)
{
	struct timespec t = { .tv_nsec = PAUSE_NS };

	nanosleep(&t, NULL);
}

int lend_run(char *const *argv, void (*meanwhile)(void *context), void *context, int *error)
{
	pid_t pid = start(argv, error), ended;
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
		rest();
	}
	kill(pid, signals_ending());
	return 0;
}

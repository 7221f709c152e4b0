/* SPDX-License-Identifier: MIT */
#include "tui/term/term_lend.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/spawn.h"
#include "tui/term/term_signal.h"

#define PAUSE_NS 20000000L

static void rest(void)
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
		rest();
	}
	kill(pid, signals_ending());
	return 0;
}

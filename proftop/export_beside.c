/* SPDX-License-Identifier: MIT */
#include "proftop/export_beside.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES_MOST 1024 /* descriptors that are closed where the kernel cannot close them all */

/* What the screen catches. Keys of the terminal are for the screen, or for the
 * editor. A pipe without a reader and a file that is too large are errors. */
static const struct {
	int signal;
	void (*handler)(int);
} signals[] = {
	{ SIGTERM, SIG_DFL }, { SIGHUP, SIG_DFL }, { SIGALRM, SIG_DFL }, { SIGWINCH, SIG_DFL }, { SIGTSTP, SIG_DFL },
	{ SIGCONT, SIG_DFL }, { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGPIPE, SIG_IGN }, { SIGXFSZ, SIG_IGN },
};

/* A recording's lock would hold for as long as the child has the file open. */
static void close_files(void)
{
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0))
		return;
#endif
	for (int fd = STDERR_FILENO + 1; fd < FILES_MOST; fd++)
		close(fd);
}

static void stand_alone(pid_t parent)
{
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i].signal, signals[i].handler);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent) /* it has ended before it could be asked for */
		_exit(1);
	close_files();
}

bool export_beside_begin(struct export_beside *b, void (*write)(void *context, struct export_state *s), void *context)
{
	pid_t parent = getpid();
	sigset_t all, before;

	export_beside_fini(b);
	b->state = mmap(NULL, sizeof(*b->state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b->state == MAP_FAILED) {
		b->state = NULL;
		return false;
	}
	/* a signal that came before the child has its own handlers would be lost */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	b->pid = fork();
	if (!b->pid) {
		stand_alone(parent);
		write(context, b->state);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL); /* errno stays that of fork */
	if (b->pid > 0)
		return true;
	b->pid = 0;
	return false;
}

static bool wait_for(struct export_beside *b, int flags)
{
	pid_t ended;

	do {
		ended = waitpid(b->pid, &b->status, flags);
	} while (ended < 0 && errno == EINTR);
	if (ended)
		b->pid = 0;
	return ended;
}

bool export_beside_is_over(struct export_beside *b)
{
	return !b->pid || wait_for(b, WNOHANG);
}

void export_beside_end(struct export_beside *b)
{
	if (!b->pid)
		return;
	kill(b->pid, SIGTERM);
	kill(b->pid, SIGCONT); /* a stopped one would not see it */
	wait_for(b, 0);
}

void export_beside_fini(struct export_beside *b)
{
	export_beside_end(b);
	if (b->state)
		munmap(b->state, sizeof(*b->state));
	b->state = NULL;
}

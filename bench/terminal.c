/* SPDX-License-Identifier: MIT */
#include "bench/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TERMINALS 8 /* that are read at once */

static double seconds_of(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double bench_now(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

/* In the child: the pseudo-terminal becomes its terminal. */
static void run(const char *pty, char *const argv[])
{
	int fd;

	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	unsetenv("PROF_SHM");
	setsid();
	fd = open(pty, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(126);
	if (fd > 2)
		close(fd);
	execvp(argv[0], argv);
	_exit(127);
}

static int open_pty(char *pty, size_t size)
{
	struct winsize cells = { .ws_col = TERMINAL_COLUMNS, .ws_row = TERMINAL_LINES };
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && !grantpt(fd) && !unlockpt(fd) && !ptsname_r(fd, pty, size) &&
	    !ioctl(fd, TIOCSWINSZ, &cells))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool terminal_start(struct terminal *t, char *const argv[])
{
	char pty[64];

	memset(t, 0, offsetof(struct terminal, output));
	t->fd = open_pty(pty, sizeof(pty));
	if (t->fd < 0)
		return false;
	t->started = bench_now();
	t->pid = fork();
	if (!t->pid)
		run(pty, argv);
	if (t->pid > 0)
		return true;
	close(t->fd);
	return false;
}

static void keep(struct terminal *t, const char *bytes, size_t count)
{
	size_t excess = t->kept + count > TERMINAL_KEPT ? t->kept + count - TERMINAL_KEPT : 0;

	memmove(t->output, t->output + excess, t->kept - excess);
	t->kept -= excess;
	memcpy(t->output + t->kept, bytes, count);
	t->kept += count;
	t->bytes += count;
}

/* A terminal whose program has ended is not read any more. */
static void take(struct terminal *t)
{
	char bytes[16384];
	ssize_t n = read(t->fd, bytes, sizeof(bytes));

	if (n <= 0) {
		close(t->fd);
		t->fd = -1;
		return;
	}
	t->last = bench_now();
	if (!t->first)
		t->first = t->last;
	keep(t, bytes, (size_t)n);
}

/* One wait. False: that time is over, with nothing to read. */
static bool read_some(struct terminal *t, int count, double until)
{
	struct pollfd polled[TERMINALS];
	double left = until - bench_now();
	struct timespec wait = { 0 };

	if (left > 0)
		wait = (struct timespec){ (time_t)left, (long)((left - (double)(time_t)left) * 1e9) };
	for (int i = 0; i < count; i++)
		polled[i] = (struct pollfd){ .fd = t[i].fd, .events = POLLIN };
	if (ppoll(polled, (nfds_t)count, &wait, NULL) <= 0)
		return false;
	for (int i = 0; i < count; i++)
		if (polled[i].revents)
			take(&t[i]);
	return true;
}

void terminals_read(struct terminal *t, int count, double until)
{
	while (read_some(t, count, until) || bench_now() < until)
		;
}

void terminal_mark(struct terminal *t)
{
	t->kept = 0;
	t->first = 0;
}

void terminal_type(struct terminal *t, const char *keys)
{
	ssize_t n = t->fd < 0 ? -1 : write(t->fd, keys, strlen(keys));

	if (n != (ssize_t)strlen(keys))
		fprintf(stderr, "bench: the terminal does not take keys\n");
}

bool terminal_until(struct terminal *t, const char *text, double seconds)
{
	double until = bench_now() + seconds;

	while (!memmem(t->output, t->kept, text, strlen(text)))
		if (t->fd < 0 || !read_some(t, 1, until))
			return false;
	return true;
}

bool terminal_quiet(struct terminal *t, double quiet, double seconds)
{
	double until = bench_now() + seconds;

	while (t->fd >= 0 && bench_now() < until)
		if (!read_some(t, 1, bench_now() + quiet))
			return true;
	return false;
}

double terminal_cpu(const struct terminal *t)
{
	clockid_t clock;

	return clock_getcpuclockid(t->pid, &clock) ? 0 : seconds_of(clock);
}

long terminal_rss_kib(const struct terminal *t)
{
	char path[64], line[256];
	long kib = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)t->pid);
	status = fopen(path, "r");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	if (status)
		fclose(status);
	return kib;
}

void terminal_end(struct terminal *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	kill(t->pid, SIGKILL);
	waitpid(t->pid, NULL, 0);
}

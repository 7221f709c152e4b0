/* SPDX-License-Identifier: MIT */
/*
 * wait: pauses of proftop while it waits for frames, or for a region.
 */
#include "proftop/wait.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS 20000000 /* while waiting for frames or a region */

void wait_rest(void)
{
	const struct timespec time = { .tv_nsec = POLL_NS };

	nanosleep(&time, NULL);
}

double wait_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#define QUIET_S 1.0 /* so long nothing is told */
#define STEP_S 0.2
#define SHOWN_WIDTH 32

static struct {
	double next; /* when something is told */
	bool shown;
} progress;

void progress_begin(void)
{
	progress.next = wait_now() + QUIET_S;
}

bool progress_due(void)
{
	return wait_now() >= progress.next && isatty(STDERR_FILENO);
}

void progress_tell(const char *what)
{
	fprintf(stderr, "\r%-*s", SHOWN_WIDTH, what);
	fflush(stderr);
	progress.shown = true;
	progress.next = wait_now() + STEP_S;
}

void progress_end(void)
{
	if (progress.shown)
		fprintf(stderr, "\r%*s\r", SHOWN_WIDTH, "");
	progress.shown = false;
}

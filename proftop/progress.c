/* SPDX-License-Identifier: MIT */
#include "proftop/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "proftop/wait.h"

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

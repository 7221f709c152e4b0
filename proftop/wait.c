/* SPDX-License-Identifier: MIT */
/*
 * wait: pauses of proftop while it waits for frames, or for a region.
 */
#include "proftop/wait.h"

#include <time.h>

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

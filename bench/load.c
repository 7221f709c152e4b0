/* load.c: a program to look at while proftop is measured: threads that enter so many zones in each frame.
 *
 *   PROF_SHM=load bench/load 8 500 60 10     8 threads, 500 nodes each, 60 frames a second, 10 seconds
 *
 * In each frame each thread goes once through a tree of that many distinct stacks of zones (walk.h), and sleeps
 * until the next frame is due.  The first thread marks the frames.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/walk.h"
#include "prof.h"

#define NS_PER_S 1000000000ll

static long threads, nodes, rate, seconds;
static int64_t started;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec t = { ns / NS_PER_S, ns % NS_PER_S };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void *work(void *number)
{
	bool marks = (intptr_t)number == 0;

	for (int64_t frame = 1; frame <= rate * seconds; frame++) {
		walk(nodes, NULL);
		sleep_until(started + frame * NS_PER_S / rate);
		if (marks)
			Prof_update(1);
	}
	return NULL;
}

static bool arguments(int argc, char **argv)
{
	long *values[] = { &threads, &nodes, &rate, &seconds };

	for (int i = 0; i < 4; i++) {
		*values[i] = i + 1 < argc ? strtol(argv[i + 1], NULL, 10) : 0;
		if (*values[i] < 1 || *values[i] > 1000000)
			return false;
	}
	return argc == 5;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (!arguments(argc, argv)) {
		fprintf(stderr, "load THREADS NODES FRAMES-A-SECOND SECONDS\n");
		return 2;
	}
	walk_begin();
	started = now_ns();
	for (long i = 1; i < threads; i++)
		if (pthread_create(&thread, NULL, work, (void *)(intptr_t)i) != 0 || pthread_detach(thread) != 0)
			return 1;
	work(NULL);
	return 0;
}

/* load.c: a program to look at while proftop is measured: threads that enter so many zones in each frame.
 *
 *   PROF_SHM=load bench/load 8 500 60 10          8 threads, 500 nodes each, 60 frames a second, 10 seconds
 *   PROF_SHM=load bench/load 8 500 60 10 1000     and 1,000 threads a second that come and go
 *
 * In each frame each thread goes once through a tree of that many distinct stacks of zones (walk.h), and sleeps
 * until the next frame is due.  The first thread marks the frames.  Who comes and goes has CHURN_NODES of them.
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
#define CHURN_NODES 4

static long threads, nodes, rate, seconds, churn;
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

static void *come_and_go(void *unused)
{
	walk(CHURN_NODES, NULL);
	return unused;
}

static void *make_threads(void *unused)
{
	pthread_t thread;

	for (int64_t i = 1; i <= churn * seconds; i++) {
		if (pthread_create(&thread, NULL, come_and_go, NULL) == 0)
			pthread_detach(thread);
		sleep_until(started + i * NS_PER_S / churn);
	}
	return unused;
}

static bool arguments(int argc, char **argv)
{
	long *values[] = { &threads, &nodes, &rate, &seconds, &churn };

	if (argc < 5 || argc > 6)
		return false;
	for (int i = 0; i < argc - 1; i++) {
		*values[i] = strtol(argv[i + 1], NULL, 10);
		if (*values[i] < 1 || *values[i] > 1000000)
			return false;
	}
	return true;
}

static bool start(void *(*what)(void *), intptr_t number)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, what, (void *)number) == 0 && pthread_detach(thread) == 0;
}

int main(int argc, char **argv)
{
	if (!arguments(argc, argv)) {
		fprintf(stderr, "load THREADS NODES FRAMES-A-SECOND SECONDS [THREADS-A-SECOND]\n");
		return 2;
	}
	walk_begin();
	started = now_ns();
	for (long i = 1; i < threads; i++)
		if (!start(work, i))
			return 1;
	if (churn && !start(make_threads, 0))
		return 1;
	work(NULL);
	return 0;
}

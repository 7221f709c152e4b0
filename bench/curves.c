/* curves.c: cost against number.  Of everything that there may be many of, what a pair or a frame costs as it
 * grows: the floor of each line is the first line of its curve, so that a curve that stays flat has ratios near 1.
 *
 * Where all of many nodes are visited in turn, they do not fit into the caches of the CPU: that part of the rise is
 * the memory's.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mark.h"
#include "bench/measure.h"
#include "bench/walk.h"
#include "prof.h"

#define PAIRS  200000
#define MARKS  4000
#define STACK  65536

/* One curve: lines of one kind, the first of which is the floor of the others. */
struct curve {
	const char *format; /* of a line; has the number */
	double first;
};

static void curve_line(struct curve *curve, long number, double (*measured)(long number))
{
	char what[80];
	struct line line = { .what = what, .unit = "ns" };

	snprintf(what, sizeof what, curve->format, number);
	measured(number);
	for (int r = 0; r < measure_repeats(); r++)
		line_add(&line, measured(number), curve->first);
	if (!(curve->first > 0))
		curve->first = sample_median(&line.figure);
	line_print(&line);
}

/* ---- one parent's children */

#define CHILDREN 16384
static Prof_zone *children[CHILDREN];

static double in_turn(long count)
{
	long rounds = measure_times(PAIRS) / count + 1;
	double start;

	Prof_Begin(parent)
	start = measure_own_ns();
	for (long i = 0; i < rounds; i++)
		for (long child = 0; child < count; child++) {
			Prof_Enter(children[child]);
			Prof_Leave();
		}
	start = measure_own_ns() - start;
	Prof_End
	return start / (double)(rounds * count);
}

/* Eight that have different places in any cache of children that is found by the zone's number; the parent knows
 * all of them. */
static double eight_of(long count)
{
	long rounds = measure_times(PAIRS) / 8 + 1, step = count / 8;
	double start;

	Prof_Begin(eight)
	for (long child = 0; child < count; child++) {
		Prof_Enter(children[child]);
		Prof_Leave();
	}
	start = measure_own_ns();
	for (long i = 0; i < rounds; i++)
		for (long child = 0; child < 8; child++) {
			Prof_Enter(children[child * step + child % step]);
			Prof_Leave();
		}
	start = measure_own_ns() - start;
	Prof_End
	return start / (double)(rounds * 8);
}

static void of_children(void)
{
	static const long counts[] = { 8, 64, 512, 4096, CHILDREN };
	struct curve turn = { "pair: %ld children of one parent, in turn", 0 };
	struct curve eight = { "pair: 8 of %ld children", 0 };
	int number = measure_quick() ? 2 : 5;

	for (int i = 0; i < CHILDREN && i < counts[number - 1]; i++) {
		char name[24];

		snprintf(name, sizeof name, "child %d", i);
		children[i] = Prof_Zone(name);
	}
	line_heading("a parent with many children; floor: the first line");
	for (int i = 0; i < number; i++)
		curve_line(&turn, counts[i], in_turn);
	for (int i = 0; i < number; i++)
		curve_line(&eight, counts[i], eight_of);
}

/* ---- one thread's nodes */

static double pair_in(long nodes)
{
	long rounds = measure_times(PAIRS) / nodes + 1;
	double start = measure_own_ns();

	for (long i = 0; i < rounds; i++)
		walk(nodes, NULL);
	return (measure_own_ns() - start) / (double)(rounds * nodes);
}

static double pair_in_few(long nodes)
{
	(void)nodes;
	return pair_in(100);
}

static double part_of_few(long nodes)
{
	long frames = measure_times(MARKS);

	(void)nodes;
	return mark_ns(100, frames) - mark_ns(0, frames);
}

/* About as much memory as a node has, touched in turn as a walk would: the part of its time that is not the
 * program's. */
struct lines {
	uint64_t words[4][8]; /* three lines of the writer's own, one of the region */
};

static double memory_alone(long nodes)
{
	struct lines *all = calloc((size_t)nodes, sizeof *all);
	long rounds = measure_times(PAIRS) / nodes + 1;
	double start;

	if (!all)
		exit(1);
	memset(all, 1, (size_t)nodes * sizeof *all);
	start = measure_own_ns();
	for (long i = 0; i < rounds; i++)
		for (long n = 0; n < nodes; n++) {
			for (int line = 0; line < 4; line++)
				all[n].words[line][0] += (uint64_t)n;
			MEASURE_KEEP();
		}
	start = measure_own_ns() - start;
	free(all);
	return start / (double)(rounds * nodes);
}

static void of_nodes(void)
{
	static const long counts[] = { 100, 1000, 10000, 100000 };
	struct curve all = { "pair: in all of %ld nodes", 0 }, few = { "pair: in 100 of %ld nodes", 0 };
	struct curve part = { "part of 100 changed nodes of %ld", 0 };
	struct curve memory = { "memory of %ld nodes, touched alone", 0 };
	int number = measure_quick() ? 2 : 4;

	line_heading("a thread with many nodes; floor: the first of its kind");
	for (int i = 0; i < number; i++) {
		curve_line(&memory, counts[i], memory_alone);
		curve_line(&all, counts[i], pair_in);
		curve_line(&few, counts[i], pair_in_few);
		Prof_update(1);
		curve_line(&part, counts[i], part_of_few);
	}
}

/* ---- threads */

#define THREADS 1000
static pthread_mutex_t until_over = PTHREAD_MUTEX_INITIALIZER;
static _Atomic long inside;
static pthread_t threads[THREADS];
static long made;

/* In a zone, as threads are, and waiting. */
static void *alive(void *unused)
{
	Prof_Begin(alive)
	walk(10, NULL);
	atomic_fetch_add(&inside, 1);
	pthread_mutex_lock(&until_over);
	pthread_mutex_unlock(&until_over);
	Prof_End
	return unused;
}

static bool be_alive(long count)
{
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	while (made < count - 1 && pthread_create(&threads[made], &small, alive, NULL) == 0)
		made++;
	pthread_attr_destroy(&small);
	while (atomic_load(&inside) < made)
		sched_yield();
	return made == count - 1;
}

static double mark_of(long count)
{
	(void)count;
	return mark_ns(0, measure_times(MARKS));
}

static void of_threads(void)
{
	static const long counts[] = { 1, 10, 100, THREADS };
	struct curve mark = { "mark: %ld threads alive", 0 }, pair = { "pair: %ld threads alive", 0 };
	int number = measure_quick() ? 2 : 4;

	line_heading("a program with many threads; floor: the first of its kind");
	pthread_mutex_lock(&until_over);
	for (int i = 0; i < number && be_alive(counts[i]); i++) {
		curve_line(&mark, counts[i], mark_of);
		curve_line(&pair, counts[i], pair_in_few);
	}
	pthread_mutex_unlock(&until_over);
	for (long i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	static const char *const large[] = { "PROF_SHM_SIZE=128M", NULL };

	measure_begin(argc, argv);
	if (!stage_now()) {
		stage_run("profiled", measure_quick() ? NULL : large);
		return measure_end();
	}
	walk_begin();
	of_children();
	of_nodes();
	of_threads();
	return measure_end();
}

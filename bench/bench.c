/* bench.c: what libprof costs, beside the least that any profiler of zones must pay.
 *
 * The floor is two back-to-back reads of the time stamp counter, measured in the same repetition as each
 * shape; what counts is the ratio, never the nanoseconds alone.  From every figure the empty loop (or the
 * same program without zones) is taken off.  Pinned; the median of REPEATS, with the least and the most.
 *
 * The program runs itself again with PROF_SHM set to a name of its own.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libprof/internal.h"
#include "shm/clock.h"

#define REPEATS 11
#define PAIRS   400000

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define KEEP() __asm__ volatile("" ::: "memory")

/* ---- shapes: each runs about PAIRS zone pairs and returns how many */

static int64_t floor_pairs(void)
{
	int64_t sum = 0;

	for (int i = 0; i < PAIRS; i++) {
		sum += clock_counter();
		KEEP();
		sum -= clock_counter();
		KEEP();
	}
	return sum;
}

static void empty(void)
{
	for (int i = 0; i < PAIRS; i++)
		KEEP();
}

static int flat(void)
{
	for (int i = 0; i < PAIRS; i++) {
		Prof_Begin(flat)
		KEEP();
		Prof_End
	}
	return PAIRS;
}

#define DOWN(n) Prof_Begin(n)
static int nest(void)
{
	for (int i = 0; i < PAIRS / 10; i++) {
		DOWN(n0) DOWN(n1) DOWN(n2) DOWN(n3) DOWN(n4) DOWN(n5) DOWN(n6) DOWN(n7) DOWN(n8) DOWN(n9)
		KEEP();
		Prof_End Prof_End Prof_End Prof_End Prof_End Prof_End Prof_End Prof_End Prof_End Prof_End
	}
	return PAIRS;
}

static void leaf(void)
{
	Prof_Begin(leaf)
	KEEP();
	Prof_End
}

static int two_parents(void)
{
	for (int i = 0; i < PAIRS / 4; i++) {
		Prof_Begin(one)
		leaf();
		Prof_End
		Prof_Begin(other)
		leaf();
		Prof_End
	}
	return PAIRS;
}

static Prof_zone *sites[64];

static int many_sites(void)
{
	for (int i = 0; i < PAIRS / 64; i++)
		for (int s = 0; s < 64; s++) {
			Prof_Enter(sites[s]);
			KEEP();
			Prof_Leave();
		}
	return PAIRS / 64 * 64;
}

static int calls;

__attribute__((noinline)) static int fibonacci(int n)
{
	Prof_Begin(fibonacci)
	calls++;
	int value = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	Prof_End
	return value;
}

__attribute__((noinline)) static int fibonacci_plain(int n)
{
	KEEP();
	return n < 2 ? n : fibonacci_plain(n - 1) + fibonacci_plain(n - 2);
}

static int recursion(void)
{
	calls = 0;
	fibonacci(24);
	return calls;
}

static void recursion_plain(void)
{
	fibonacci_plain(24);
}

/* ---- measuring */

struct shape {
	const char *name;
	int (*run)(void);
	void (*without)(void); /* the same without zones */
	double target;
};

static const struct shape shapes[] = {
	{ "flat", flat, empty, 1.1 },
	{ "nest of 10", nest, empty, 1.1 },
	{ "leaf from two parents", two_parents, empty, 1.1 },
	{ "recursive Fibonacci", recursion, recursion_plain, 1.1 },
	{ "64 sites in one parent", many_sites, empty, 1.1 },
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double values[REPEATS])
{
	qsort(values, REPEATS, sizeof *values, by_value);
	return values[REPEATS / 2];
}

static double time_of(void (*run)(void))
{
	double start = now_ns();

	run();
	return now_ns() - start;
}

static double floor_ns(void)
{
	double without = time_of(empty), start = now_ns();

	__asm__ volatile("" : : "r"(floor_pairs()));
	return (now_ns() - start - without) / PAIRS;
}

static double pair_ns(const struct shape *shape)
{
	double without = time_of(shape->without), start = now_ns();
	int pairs = shape->run();

	return (now_ns() - start - without) / pairs;
}

static void measure(const char *where, const struct shape *shape)
{
	double floors[REPEATS], pairs[REPEATS], ratios[REPEATS];

	shape->run(); /* nodes, pages, caches */
	for (int r = 0; r < REPEATS; r++) {
		floors[r] = floor_ns();
		pairs[r] = pair_ns(shape);
		ratios[r] = pairs[r] / floors[r];
	}
	double ratio = median(ratios);
	printf("%-24s %-12s %7.2f %7.2f   %5.2f  %5.2f..%5.2f   <= %.2f\n", shape->name, where, median(floors),
	       median(pairs), ratio, ratios[0], ratios[REPEATS - 1], shape->target);
	fflush(stdout);
}

static void pin(int core)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(core, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void all_shapes(const char *where)
{
	for (size_t i = 0; i < SHAPES; i++)
		measure(where, &shapes[i]);
}

/* ---- two threads on two cores, in the same zones at the same time */

static pthread_barrier_t together;

static void *beside(void *core)
{
	pin((int)(intptr_t)core);
	pthread_barrier_wait(&together);
	for (int r = 0; r < REPEATS * 2; r++)
		flat();
	pthread_barrier_wait(&together);
	return NULL;
}

static void two_threads(void)
{
	pthread_t thread;
	static const struct shape shape = { "flat, two threads", flat, empty, 1.1 };

	pthread_barrier_init(&together, NULL, 2);
	pthread_create(&thread, NULL, beside, (void *)1);
	pthread_barrier_wait(&together);
	measure("beside", &shape);
	pthread_barrier_wait(&together);
	pthread_join(thread, NULL);
}

/* ---- frames */

#define MARKS 20000

static double marks_ns(int nodes)
{
	double start = now_ns();

	for (int i = 0; i < MARKS; i++) {
		for (int n = 0; n < nodes; n++) {
			Prof_Enter(sites[n]);
			Prof_Leave();
		}
		Prof_update(1);
	}
	return (now_ns() - start) / MARKS;
}

/* A frame of some nodes: what is left when the pairs are taken off is the mark, its zone and the part. */
static void frames(int nodes, double target)
{
	double each[REPEATS], start;

	marks_ns(nodes);
	for (int r = 0; r < REPEATS; r++) {
		double whole = marks_ns(nodes);
		start = now_ns();
		for (int i = 0; i < MARKS; i++)
			for (int n = 0; n < nodes; n++) {
				Prof_Enter(sites[n]);
				Prof_Leave();
			}
		each[r] = whole - (now_ns() - start) / MARKS;
	}
	double ns = median(each);
	printf("mark and part, %2d nodes                %7.1f ns   %.1f..%.1f   <= %.0f ns\n", nodes, ns, each[0],
	       each[REPEATS - 1], target);
}

/* ---- counters, events, notes */

static void set_counter(int i)
{
	Prof_Counter_set(set, i);
}

static void add_to_counter(int i)
{
	Prof_Counter_add(added, i);
}

static void set_real(int i)
{
	Prof_Counter_set(real, (double)i);
}

static void event(int i)
{
	(void)i;
	Prof_Event(event);
}

static void note(int i)
{
	Prof_Note("wave %d", i);
}

#define EVERY(what)                                \
	static void what##_every(void)             \
	{                                          \
		for (int i = 0; i < PAIRS; i++) {  \
			what(i);                   \
			KEEP();                    \
		}                                  \
	}
EVERY(set_counter)
EVERY(add_to_counter)
EVERY(set_real)
EVERY(event)
EVERY(note)

/* One of them; clocks: reads of the clock that it may take beside. */
static void value(const char *name, void (*every)(void), int clocks, double target)
{
	double each[REPEATS], floors[REPEATS];

	every();
	for (int r = 0; r < REPEATS; r++) {
		double without = time_of(empty);
		floors[r] = floor_ns() / 2;
		each[r] = (time_of(every) - without) / PAIRS;
	}
	double ns = median(each), clock = median(floors);
	printf("%-24s %-12s %7.2f %7.2f ns  %5.2f..%5.2f   <= %.0f ns%s\n", name, "alone", clock, ns, each[0],
	       each[REPEATS - 1], target, clocks ? " and a clock read" : "");
}

static void values(void)
{
	value("counter set", set_counter_every, 0, 5);
	value("counter add", add_to_counter_every, 0, 5);
	value("counter set, double", set_real_every, 0, 5);
	value("event", event_every, 1, 10);
	value("note of 11 bytes", note_every, 1, 200);
}

static void off(void)
{
	double each[REPEATS];

	for (int r = 0; r < REPEATS; r++)
		each[r] = pair_ns(&shapes[0]);
	printf("%-24s %-12s %7s %7.2f ns\n", "off (no PROF_SHM)", "executable", "", median(each));
}

/* What the region says that a pair costs. */
static void calibrated(void)
{
	double ns = prof__process ? (double)WORD_LOAD(prof__process->shared->pair_ps) / 1000 : 0;

	printf("%-24s %-12s %7s %7.2f ns\n", "calibrated at the start", "", "", ns);
}

static void run_again(char **argv)
{
	char name[32];

	snprintf(name, sizeof name, "bench.%ld", (long)getpid());
	setenv("PROF_SHM", name, 1);
	execv("/proc/self/exe", argv);
	perror("bench");
	exit(1);
}

int main(int argc, char **argv)
{
	(void)argc;
	pin(0);
	if (!getenv("PROF_SHM")) {
		printf("%-24s %-12s %7s %7s   %5s  %12s   %s\n", "zone pair", "", "floor", "ns", "ratio", "least..most",
		       "target");
		off();
		fflush(stdout);
		run_again(argv);
	}
	for (int i = 0; i < 64; i++) {
		char name[16];
		snprintf(name, sizeof name, "site %d", i);
		sites[i] = Prof_Zone(name);
	}
	calibrated();
	all_shapes("alone");
	two_threads();
	frames(0, 200);
	frames(16, 400);
	values();
	return 0;
}

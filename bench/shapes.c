#include "bench/shapes.h"

#include <stddef.h>
#include <stdio.h>

#include "bench/measure.h"
#include "prof.h"

static long flat(long times)
{
	for (long i = 0; i < times; i++) {
		Prof_Begin(flat)
		MEASURE_KEEP();
		Prof_End
	}
	return times;
}

static void loop(long times)
{
	for (long i = 0; i < times; i++)
		MEASURE_KEEP();
}

static long nest(long times)
{
	for (long i = 0; i < times / 10; i++) {
		Prof_Begin(n0) Prof_Begin(n1) Prof_Begin(n2) Prof_Begin(n3) Prof_Begin(n4)
		Prof_Begin(n5) Prof_Begin(n6) Prof_Begin(n7) Prof_Begin(n8) Prof_Begin(n9)
		MEASURE_KEEP();
		Prof_End Prof_End Prof_End Prof_End Prof_End
		Prof_End Prof_End Prof_End Prof_End Prof_End
	}
	return times / 10 * 10;
}

static void leaf(void)
{
	Prof_Begin(leaf)
	MEASURE_KEEP();
	Prof_End
}

static long two_parents(long times)
{
	for (long i = 0; i < times / 4; i++) {
		Prof_Begin(one)
		leaf();
		Prof_End
		Prof_Begin(other)
		leaf();
		Prof_End
	}
	return times / 4 * 4;
}

#define SITES 64

static Prof_zone **sites_made(void)
{
	static Prof_zone *sites[SITES];

	for (int s = 0; s < SITES && !sites[s]; s++) {
		char name[16];

		snprintf(name, sizeof name, "site %d", s);
		sites[s] = Prof_Zone(name);
	}
	return sites;
}

static long many_sites(long times)
{
	Prof_zone **sites = sites_made();

	for (long i = 0; i < times / SITES; i++)
		for (int s = 0; s < SITES; s++) {
			Prof_Enter(sites[s]);
			MEASURE_KEEP();
			Prof_Leave();
		}
	return times / SITES * SITES;
}

/* Eight apart, where a parent's cache begins with eight places. */
static long two_that_meet(long times)
{
	Prof_zone **sites = sites_made();

	Prof_Begin(parent)
	for (long i = 0; i < times; i++) {
		Prof_Enter(sites[i % 2 * 8]);
		MEASURE_KEEP();
		Prof_Leave();
	}
	Prof_End
	return times;
}

/* The calls of fibonacci(n) are 1, 1, 3, 5, 9, 15, ...: each is those of the two before it, and one. */
static int deepest(long times, long *calls)
{
	long before = 1, now = 1;
	int n = 1;

	while (now + before + 1 <= times || n < 2) {
		long next = now + before + 1;

		before = now;
		now = next;
		n++;
	}
	*calls = now;
	return n;
}

__attribute__((noinline)) static int fibonacci(int n)
{
	Prof_Begin(fibonacci)
	int value = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	MEASURE_KEEP();
	Prof_End
	return value;
}

__attribute__((noinline)) static int fibonacci_plain(int n)
{
	int value = n < 2 ? n : fibonacci_plain(n - 1) + fibonacci_plain(n - 2);

	MEASURE_KEEP();
	return value;
}

static long recursion(long times)
{
	long calls;

	fibonacci(deepest(times, &calls));
	return calls;
}

static void recursion_plain(long times)
{
	long calls;

	fibonacci_plain(deepest(times, &calls));
}

const struct shape *shapes_get(void)
{
	static const struct shape shapes[SHAPES] = {
		[SHAPE_FLAT] = { "flat", flat, loop, 4 },
		{ "nest of 10", nest, loop, 0 },
		{ "64 sites in one parent", many_sites, loop, 6 },
		{ "two sites whose ids meet", two_that_meet, loop, 0 },
		{ "leaf from two parents alternately", two_parents, loop, 0 },
		{ "recursive Fibonacci", recursion, recursion_plain, 4 },
	};

	return shapes;
}

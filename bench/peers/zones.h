/* zones.h: the loops, for a peer whose zones are statements: ENTER(name) and LEAVE are defined before. */
#ifndef BENCH_PEER_ZONES_H
#define BENCH_PEER_ZONES_H

#include "bench/measure.h"
#include "bench/peers/peer.h"

static long flat(long times)
{
	for (long i = 0; i < times; i++) {
		ENTER(flat)
		MEASURE_KEEP();
		LEAVE
	}
	return times;
}

static long nest(long times)
{
	for (long i = 0; i < times / 10; i++) {
		ENTER(n0) ENTER(n1) ENTER(n2) ENTER(n3) ENTER(n4) ENTER(n5) ENTER(n6) ENTER(n7) ENTER(n8) ENTER(n9)
		MEASURE_KEEP();
		LEAVE LEAVE LEAVE LEAVE LEAVE LEAVE LEAVE LEAVE LEAVE LEAVE
	}
	return times / 10 * 10;
}

/* The calls of fibonacci(n): two times the next number of the sequence, less one. */
static long calls_of(int n)
{
	long before = 0, now = 1;

	for (int i = 0; i < n; i++) {
		long next = now + before;

		before = now;
		now = next;
	}
	return 2 * now - 1;
}

static int deepest(long times)
{
	int n = 1;

	while (calls_of(n + 1) <= times)
		n++;
	return n;
}

__attribute__((noinline)) static int fibonacci(int n)
{
	int value;

	ENTER(fibonacci)
	value = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	MEASURE_KEEP();
	LEAVE
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
	fibonacci(deepest(times));
	return calls_of(deepest(times));
}

static void recursion_plain(long times)
{
	fibonacci_plain(deepest(times));
}

#ifdef __cplusplus
extern "C"
#endif
const struct peer_shape peer_shapes[PEER_SHAPES] = {
	{ "flat", flat, measure_loop },
	{ "nest of 10", nest, measure_loop },
	{ "recursive Fibonacci", recursion, recursion_plain },
};

#endif

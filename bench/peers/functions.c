/* functions.c: peers that the compiler helps: each call is a zone.  Compiled with what the peer wants of the
 * compiler (-pg, -finstrument-functions), but for what stands outside of the functions that are measured. */
#include <stddef.h>

#include "bench/measure.h"
#include "bench/peers/peer.h"

#define OUTSIDE __attribute__((no_instrument_function))
#define CALLED  __attribute__((noinline))

/* The same functions twice: instrumented, and not. */
#define FUNCTIONS(name, attributes)                                                                \
	attributes static int name##_flat(int n)                                                   \
	{                                                                                          \
		MEASURE_KEEP();                                                                    \
		return n;                                                                          \
	}                                                                                          \
	attributes static int name##_nest(int n)                                                   \
	{                                                                                          \
		int value = n > 1 ? name##_nest(n - 1) : n;                                        \
		MEASURE_KEEP();                                                                    \
		return value;                                                                      \
	}                                                                                          \
	attributes static int name##_fibonacci(int n)                                              \
	{                                                                                          \
		int value = n < 2 ? n : name##_fibonacci(n - 1) + name##_fibonacci(n - 2);         \
		MEASURE_KEEP();                                                                    \
		return value;                                                                      \
	}
FUNCTIONS(zone, CALLED)
FUNCTIONS(plain, CALLED OUTSIDE)

OUTSIDE static long flat(long times)
{
	for (long i = 0; i < times; i++)
		zone_flat(1);
	return times;
}

OUTSIDE static void flat_plain(long times)
{
	for (long i = 0; i < times; i++)
		plain_flat(1);
}

OUTSIDE static long nest(long times)
{
	for (long i = 0; i < times / 10; i++)
		zone_nest(10);
	return times / 10 * 10;
}

OUTSIDE static void nest_plain(long times)
{
	for (long i = 0; i < times / 10; i++)
		plain_nest(10);
}

/* fibonacci(15) calls itself 1,973 times, the first call counted. */
#define DEPTH 15
#define CALLS 1973

OUTSIDE static long recursion(long times)
{
	zone_fibonacci(DEPTH);
	return times ? CALLS : 0;
}

OUTSIDE static void recursion_plain(long times)
{
	if (times)
		plain_fibonacci(DEPTH);
}

const struct peer_shape peer_shapes[PEER_SHAPES] = {
	{ "flat", flat, flat_plain },
	{ "nest of 10", nest, nest_plain },
	{ "recursive Fibonacci", recursion, recursion_plain },
};

const long peer_batch = 2000;
const struct peer_frames *peer_frames = NULL;

OUTSIDE void peer_begin(void)
{
}

OUTSIDE void peer_between(void)
{
}

OUTSIDE void peer_end(void)
{
}

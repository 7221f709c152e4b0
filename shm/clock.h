/* clock.h: the tick sources of a region.
 *
 * A tick is what the cheapest counter of the machine counts: the time stamp counter on x86, cntvct_el0
 * on aarch64, nanoseconds of CLOCK_MONOTONIC elsewhere or where the counter is not invariant.  Writer
 * and readers of one machine read the same counter.  No fence, no serialising instruction: a zone's cost
 * is two of these reads and little else.
 */
#ifndef SHM_CLOCK_H
#define SHM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include "shm/region.h"

#if defined(CLOCK_OF_TESTS)
/* A build of the library for tests and benchmarks (libprofclock.la): the counter is a word that they set, and
 * is trusted for as long as they do not say that it varies. */
extern _Atomic int64_t clock_of_tests;
extern _Atomic bool clock_of_tests_varies;
#endif

#if defined(__x86_64__)
#define CLOCK_COUNTER REGION_CLOCK_TSC
static inline int64_t clock_counter(void)
{
#if defined(CLOCK_OF_TESTS)
	return atomic_load_explicit(&clock_of_tests, memory_order_relaxed);
#else
	return (int64_t)__builtin_ia32_rdtsc();
#endif
}
/* No later clock_counter is executed before what stands before this. */
static inline void clock_order(void)
{
	__builtin_ia32_lfence();
}
#elif defined(__aarch64__)
#define CLOCK_COUNTER REGION_CLOCK_CNTVCT
static inline int64_t clock_counter(void)
{
#if defined(CLOCK_OF_TESTS)
	return atomic_load_explicit(&clock_of_tests, memory_order_relaxed);
#else
	int64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#endif
}
static inline void clock_order(void)
{
	__asm__ volatile("isb" ::: "memory");
}
#else
#define CLOCK_COUNTER REGION_CLOCK_MONOTONIC
static inline int64_t clock_counter(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}
static inline void clock_order(void)
{
	atomic_thread_fence(memory_order_seq_cst);
}
#endif

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static inline int64_t clock_ticks(enum region_clock source)
{
	return source == CLOCK_COUNTER ? clock_counter() : clock_ns(CLOCK_MONOTONIC);
}

/* The source that this machine can be trusted with, by region_clock_choose in clock.c.  ticks_per_s gets
 * the counter's declared rate, or 0. */
enum region_clock clock_choose(uint64_t *ticks_per_s);

/* One instant on the tick source, CLOCK_MONOTONIC_RAW and CLOCK_REALTIME, read close together: the
 * closest of a few tries. */
struct region_instant clock_instant(enum region_clock source);

#endif

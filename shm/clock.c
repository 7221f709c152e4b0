/* clock.c: choosing a tick source and reading one instant on three clocks. */
#include "shm/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(CLOCK_OF_TESTS)
_Atomic int64_t clock_of_tests = 1;
_Atomic bool clock_of_tests_varies;
#endif

#if defined(__x86_64__) && !defined(CLOCK_OF_TESTS)
/* Invariant: runs at one rate in every power state and, by what the kernel keeps, alike on all cores. */
static bool look_at_counter(void)
{
	unsigned a, b, c, d;
	char source[16] = "";
	int fd;

	if (__get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8))
		return true;
	fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ssize_t n = read(fd, source, sizeof source - 1);
		(void)n;
		close(fd);
	}
	return !strncmp(source, "tsc", 3);
}

/* A child has its parent's answer: the program may have forbidden cpuid before
 * it forked (arch_prctl with ARCH_SET_CPUID). */
static bool counter_is_invariant(void)
{
	static enum { UNKNOWN, INVARIANT, VARIES } known;

	if (!known)
		known = look_at_counter() ? INVARIANT : VARIES;
	return known == INVARIANT;
}
#endif

enum region_clock clock_choose(uint64_t *ticks_per_s)
{
	*ticks_per_s = 0;
#if defined(CLOCK_OF_TESTS)
	if (!clock_of_tests_varies)
		return CLOCK_COUNTER;
#elif defined(__x86_64__)
	if (counter_is_invariant())
		return REGION_CLOCK_TSC;
#elif defined(__aarch64__)
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(*ticks_per_s));
	return REGION_CLOCK_CNTVCT;
#endif
	*ticks_per_s = 1000000000u;
	return REGION_CLOCK_MONOTONIC;
}

struct region_instant clock_instant(enum region_clock source)
{
	struct region_instant best = { 0 };
	int64_t least = INT64_MAX;

	for (int try = 0; try < 5; try++) {
		int64_t before = clock_ticks(source);
		int64_t raw = clock_ns(CLOCK_MONOTONIC_RAW);
		int64_t after = clock_ticks(source);
		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = (uint64_t)(before + least / 2);
		best.raw_ns = (uint64_t)raw;
		best.real_ns = (uint64_t)clock_ns(CLOCK_REALTIME);
	}
	return best;
}

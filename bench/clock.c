/* clock.c: what a read of the clock costs on this machine, and whether the CPU works on meanwhile.
 *
 * That says which of two targets of bench/pairs can be met here: see hiding.h.
 */
#include <stdio.h>
#include <time.h>

#include "bench/hiding.h"
#include "bench/measure.h"

#define TIMES 100000

static void two_gettime(long times)
{
	struct timespec t;

	for (long i = 0; i < times; i++) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		clock_gettime(CLOCK_MONOTONIC, &t);
	}
}

#if defined(__x86_64__)
static void two_fenced(long times)
{
	for (long i = 0; i < times; i++) {
		__builtin_ia32_lfence();
		__builtin_ia32_rdtsc();
		__builtin_ia32_lfence();
		__builtin_ia32_rdtsc();
	}
}

static void two_rdtscp(long times)
{
	unsigned core;

	for (long i = 0; i < times; i++) {
		__builtin_ia32_rdtscp(&core);
		__builtin_ia32_rdtscp(&core);
	}
}
#endif

static const struct {
	const char *name;
	void (*run)(long times);
} clocks[] = {
	{ "2 clock_gettime", two_gettime },
#if defined(__x86_64__)
	{ "2 lfence and rdtsc", two_fenced },
	{ "2 rdtscp", two_rdtscp },
#endif
};

static void other_clocks(void)
{
	line_heading("other ways to take two times; floor: two plain reads");
	for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		struct line line = { .what = clocks[i].name, .unit = "ns" };

		for (int r = 0; r < measure_repeats(); r++) {
			double floor = measure_floor_ns();

			line_add(&line, measure_each_ns(clocks[i].run, measure_times(TIMES)), floor);
		}
		line_print(&line);
	}
}

static void hiding(void)
{
	line_heading("between two reads of the clock; floor: alone");
	for (int kind = 1; kind < HIDING_KINDS; kind++) {
		char what[64];
		struct line line = { .what = what, .unit = "ns" };

		snprintf(what, sizeof what, "%d independent instructions", hiding_instructions[kind]);
		for (int r = 0; r < measure_repeats(); r++)
			hiding_add(&line, kind);
		line_print(&line);
	}
	if (hiding_is())
		printf("This CPU works on while it reads its clock: of zone pairs look at the ratios.\n");
	else
		printf("This CPU waits for its clock, so all that is done beside it is paid for: of zone pairs look at\n"
		       "those with a constant clock; a ratio marked (a) cannot be had.\n");
}

int main(int argc, char **argv)
{
	measure_begin(argc, argv);
	other_clocks();
	hiding();
	return measure_end();
}

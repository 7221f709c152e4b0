#include "bench/hiding.h"

#include "shm/clock.h"

#define TIMES 100000

#if defined(__x86_64__)
#define FOUR "movl $1, %%r8d\n\tmovl $2, %%r9d\n\tmovl $3, %%r10d\n\tmovl $4, %%r11d\n\t"
#define CLOBBERS "r8", "r9", "r10", "r11"
#elif defined(__aarch64__)
#define FOUR "mov x9, #1\n\tmov x10, #2\n\tmov x11, #3\n\tmov x12, #4\n\t"
#define CLOBBERS "x9", "x10", "x11", "x12"
#else
#define FOUR "nop\n\tnop\n\tnop\n\tnop\n\t"
#define CLOBBERS "memory"
#endif

#define INSTRUCTIONS(n) __asm__ volatile(".rept " #n " / 4\n\t" FOUR ".endr" ::: CLOBBERS)

#define KIND(n)                                            \
	static void alone_##n(long times)                  \
	{                                                  \
		for (long i = 0; i < times; i++) {         \
			INSTRUCTIONS(n);                   \
			MEASURE_KEEP();                    \
		}                                          \
	}                                                  \
	static void between_##n(long times)                \
	{                                                  \
		int64_t sum = 0;                           \
		for (long i = 0; i < times; i++) {         \
			sum += clock_counter();            \
			INSTRUCTIONS(n);                   \
			MEASURE_KEEP();                    \
			sum -= clock_counter();            \
			MEASURE_KEEP();                    \
		}                                          \
		__asm__ volatile("" ::"r"(sum));           \
	}
KIND(0)
KIND(16)
KIND(32)
KIND(64)
KIND(128)

const int hiding_instructions[HIDING_KINDS] = { 0, 16, 32, 64, 128 };

static const struct {
	void (*alone)(long times), (*between)(long times);
} kinds[HIDING_KINDS] = {
	{ alone_0, between_0 }, { alone_16, between_16 }, { alone_32, between_32 },
	{ alone_64, between_64 }, { alone_128, between_128 },
};

/* The empty loop is not taken off: it is as good as free beside the instructions. */
void hiding_add(struct line *line, int kind)
{
	long times = measure_times(TIMES);
	double nothing = measure_time_ns(between_0, times);
	double between = measure_time_ns(kinds[kind].between, times) - nothing;

	line_add(line, between / (double)times, measure_time_ns(kinds[kind].alone, times) / (double)times);
}

bool hiding_is(void)
{
	struct sample shares = { 0 };

	for (int r = 0; r < measure_repeats(); r++) {
		struct line line = { 0 };

		hiding_add(&line, 3);
		sample_add(&shares, line.figure.values[0] / line.floor.values[0]);
	}
	return sample_median(&shares) < 0.3;
}

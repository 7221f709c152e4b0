#undef Prof_ENABLED
#define Prof_ENABLED 0
#include "bench/compiled_out.h"

#include "prof.h"

#define INSTRUMENTED(what) what
#define BARE(what)

#define BODY(PROF)                                          \
	{                                                   \
		unsigned sum = 1;                           \
                                                            \
		PROF(Prof_Function;)                        \
		for (int i = 0; i < n; i++) {               \
			PROF(Prof_Begin(step))              \
			sum = sum * 31 + values[i];         \
			PROF(Prof_Counter_Set(sum, sum);)   \
			if (sum % 7 == 0) {                 \
				PROF(Prof_Event(seven);)    \
				PROF(Prof_Note("%u", sum);) \
				sum ^= values[0];           \
			}                                   \
			PROF(Prof_End)                      \
			PROF(Prof_update(1);)               \
		}                                           \
		return sum;                                 \
	}

#define IN(name) __attribute__((noinline, used, section(#name)))

IN(bench_instrumented) static unsigned instrumented(const unsigned *values, int n)
BODY(INSTRUMENTED)

IN(bench_bare) static unsigned bare(const unsigned *values, int n)
BODY(BARE)

/* The linker gives these to a section whose name is an identifier. */
extern const unsigned char __start_bench_instrumented[], __stop_bench_instrumented[];
extern const unsigned char __start_bench_bare[], __stop_bench_bare[];

struct compiled_out compiled_out(void)
{
	size_t with = (size_t)(__stop_bench_instrumented - __start_bench_instrumented);
	size_t without = (size_t)(__stop_bench_bare - __start_bench_bare);
	struct compiled_out out = { .without = without, .added = (long)with - (long)without };

	for (size_t i = 0; i < with && i < without; i++)
		out.differ += __start_bench_instrumented[i] != __start_bench_bare[i];
	return out;
}

/* compiled_out.h: what is left of instrumentation when Prof_ENABLED is 0: nothing.
 *
 * Two functions of one text, one with instrumentation that is compiled out, one without any, each in a section of
 * its own, so that their code can be measured and compared byte for byte.
 */
#ifndef BENCH_COMPILED_OUT_H
#define BENCH_COMPILED_OUT_H

#include <stddef.h>

/* Bytes of code that instrumentation adds, and of those that it leaves as many, how many differ. */
struct compiled_out {
	size_t without;
	long added;
	size_t differ;
};
struct compiled_out compiled_out(void);

#endif

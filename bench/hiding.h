/* hiding.h: whether this CPU works on while it reads its clock.
 *
 * Some have their counter read beside the instructions around it: what a profiler does between two reads is free
 * as long as it takes no longer than these.  Others finish what came before, read, and only then go on: all of it
 * is paid for.  The ratio target for zones (1.05 x two reads) was set on one of the first kind, and can be met on
 * no other; there the target with the clock replaced by a constant is the one to look at.
 */
#ifndef BENCH_HIDING_H
#define BENCH_HIDING_H

#include <stdbool.h>

#include "bench/measure.h"

/* N independent simple instructions, of HIDING_KINDS numbers of them: alone, and between two reads of the clock. */
#define HIDING_KINDS 5
extern const int hiding_instructions[HIDING_KINDS]; /* 0, 16, 32, 64, 128 */

/* Adds one repetition: ns that the instructions cost between two reads (figure), and ns that they cost alone
 * (floor). */
void hiding_add(struct line *line, int kind);

/* Whether most of the work of 64 instructions is hidden. */
bool hiding_is(void);

#endif

/* core_traced.h: what a program does that is stepped through, instruction by instruction.
 *
 * A scenario raises MARKER where the stepping begins, and where it is of no interest any more; with TRACED set in
 * its environment the program asks to be traced, and raises it before the library begins.
 */
#ifndef TESTS_CORE_TRACED_H
#define TESTS_CORE_TRACED_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define MARKER SIGUSR2
#define TRACED "PROF_TEST_TRACED"

struct scenario {
	const char *name;
	void (*run)(void);
	const char *stacks[6]; /* what may be open; none: not looked at */
	bool kills;            /* it is killed for real, too */
	bool over_dead;        /* the region's name is that of a dead one */
	bool creates;          /* it is stepped through from before the library begins */
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

/* Runs one, and does not return. */
int traced_main(const char *name);

#endif

/* core_work.h: the program that is profiled: random zones, recursion, sleeps, threads, marks. */
#ifndef TESTS_CORE_WORK_H
#define TESTS_CORE_WORK_H

#include <stdint.h>

/* Runs `threads` threads for `ms` milliseconds, the first of which (the calling one) marks frames `rate`
 * times a second.  traits, letters:
 *   b frames are bounded, with time between them      d now and then a frame is discarded
 *   t threads end and new ones take their place       p marks pause for longer than a piece
 *   s threads sleep now and then, also inside zones   w one thread sleeps for most of the time
 *   o one thread ends inside of zones                 h the marking thread only marks
 *   v threads have counters, events and notes         f all that is open is suspended and resumed now and then */
void work_run(unsigned threads, unsigned ms, unsigned rate, const char *traits, uint64_t seed);

/* The same as arguments of a program: THREADS MS RATE TRAITS. */
int work_main(char **arguments);

/* Busy for about that many nanoseconds. */
void work_spin(uint64_t ns);

#endif

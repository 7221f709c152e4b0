/* reads.h: how often something reads the clock, counted and not timed. */
#ifndef BENCH_READS_H
#define BENCH_READS_H

/* Reads of the time stamp counter while it runs `times` times, each; below 0: they cannot be counted here. */
double reads_each(void (*run)(long times), long times);

#endif

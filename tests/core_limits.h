/* core_limits.h: programs that go to a limit or over it, each with what must stand in its region afterwards. */
#ifndef TESTS_CORE_LIMITS_H
#define TESTS_CORE_LIMITS_H

#include <pthread.h>
#include "tests/core_read.h"
#include "tests/core_run.h"

#define LIMIT_MEDIUM "1M" /* 512 zones, 64 threads at once, a few hundred chunks */
#define LIMIT_SMALL  "256K" /* 128 zones, 8 KiB of strings, 16 threads at once, about 54 chunks */

struct limit {
	const char *name;
	const char *size;                /* PROF_SHM_SIZE; NULL: as it comes */
	void (*run)(void);               /* in the profiled program */
	void (*check)(struct view *view); /* in the test, when the program has ended */
	bool torn;        /* a thread stopped in the middle of an update */
	bool without_cpu; /* PROF_CPU=0 */
	const char *says; /* in its one line on stderr; NULL: there is none */
};

/* Each ended by an entry without a name. */
extern const struct limit limits_misuse[]; /* core_misuse.c: ends, jumps, frames */
extern const struct limit limits_room[];   /* core_room.c: more than fits */
extern const struct limit limits_brim[];   /* core_brim.c: as much as fits, and one more */
extern const struct limit limits_crowd[];  /* core_crowd.c: threads */
extern const struct limit limits_signal[]; /* core_signals.c: zones and values in signal handlers */
extern const struct limit limits_module[]; /* core_modules.c: what comes and goes with dlopen */

/* Runs `count` threads at once, with small stacks, and waits for all of them; returns how many there could be. */
int limit_together(void *(*work)(void *), int count, pthread_t *threads);

/* A line for view_told. */
void limit_tell(const char *word, uint64_t number);

/* A number of the process's own from /proc/self/status, KiB ("VmSize:", "RssAnon:"). */
uint64_t limit_memory(const char *field);

#endif

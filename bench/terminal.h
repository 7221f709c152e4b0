/* SPDX-License-Identifier: MIT */
/*
 * terminal: a program on a pseudo-terminal of 200x50. What it writes is timed, counted and searched, and
 * shown to nobody: there is no emulator behind it, so that only the program is measured.
 *
 * Times are seconds of the monotonic clock. Whoever measures has to go on reading: a program whose
 * terminal is full stands still.
 */
#ifndef BENCH_TERMINAL_H
#define BENCH_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TERMINAL_COLUMNS 200
#define TERMINAL_LINES   50
#define TERMINAL_KEPT    (1 << 18)

struct terminal {
	pid_t pid;
	int fd;
	double started; /* just before the fork */
	double first;   /* first byte since terminal_mark(); 0: none yet */
	double last;    /* newest byte, 0: none yet */
	uint64_t bytes; /* of all times */
	size_t kept;    /* bytes in `output`: those since terminal_mark(), the oldest left out */
	char output[TERMINAL_KEPT + 1];
};

double bench_now(void);

/* argv[0] is looked for in PATH. False: there is no pseudo-terminal, or no process. */
bool terminal_start(struct terminal *t, char *const argv[]);

/* Reads of all of them until then. */
void terminals_read(struct terminal *t, int count, double until);

void terminal_mark(struct terminal *t);
void terminal_type(struct terminal *t, const char *keys);

/* Reads until the text has come since the mark, in one piece; false: not in so many seconds. */
bool terminal_until(struct terminal *t, const char *text, double seconds);

/* Reads until nothing has come for `quiet` seconds; false: something came all the time. */
bool terminal_quiet(struct terminal *t, double quiet, double seconds);

/* CPU seconds that the program has taken, in itself and for it in the kernel. */
double terminal_cpu(const struct terminal *t);
long terminal_rss_kib(const struct terminal *t);

/* Kills it, if it still runs. */
void terminal_end(struct terminal *t);

#endif

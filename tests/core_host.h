/* core_host.h: a program that is to behave the same whether it is profiled or not, whatever is wrong.
 *
 * It says on stdout what a library in it could have disturbed: errno, open descriptors, signals; and ends with
 * HOST_STATUS.  What the caller does before exec (limits, mounts) it does for both runs that are compared.
 */
#ifndef TESTS_CORE_HOST_H
#define TESTS_CORE_HOST_H

#include "tests/core_run.h"

#define HOST_STATUS 7
#define ONE_AT_MOST (-1)

struct host_case {
	const char *what;      /* for failures */
	const char *shm;       /* PROF_SHM */
	const char *size;      /* PROF_SHM_SIZE; NULL: unset */
	void (*prepare)(void); /* before exec; may be NULL */
	int lines;             /* that must be on stderr, or ONE_AT_MOST */
	const char *says;      /* a part of the line; NULL: anything */
};

/* Runs the host without and with PROF_SHM, and compares. */
void host_expect(const struct host_case *c);
/* The same with descriptors for stderr that nothing can be read from: only stdout and the status count. */
void host_expect_unheard(const struct host_case *c, int err);

/* Modes of this program, for core_program.arguments: the host and its variations.  -1: no such mode. */
int host_main(int argc, char **argv);

/* Set in the environment by `prepare`: what is done in the program before the library starts. */
#define HOST_EARLY "CORE_HOST_EARLY" /* "descriptors N": room for N more; "memory": 16 MiB more */

/* Path of this program, which works also where there is no /proc. */
const char *host_path(void);

unsigned host_count_lines(const char *text);

#endif

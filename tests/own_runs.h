/* SPDX-License-Identifier: MIT */
/*
 * own_runs: a test that is profiled itself, run again for each of what it does, with a region of its own.
 */
#ifndef TESTS_OWN_RUNS_H
#define TESTS_OWN_RUNS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct own_run {
	const char *name, *size, *events; /* PROF_SHM_SIZE, PROF_EVENTS */
	struct CMUnitTest test;
};

static inline bool own_run_holds(const char *self, const char *tag, const struct own_run *run)
{
	pid_t child = fork();
	char name[64];
	int status;

	if (child == 0) {
		snprintf(name, sizeof(name), "%s-%s-%ld", tag, run->name, (long)getpid());
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", run->size, 1);
		setenv("PROF_EVENTS", run->events, 1);
		execl("/proc/self/exe", self, run->name, (char *)NULL);
		_exit(1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* What main returns. With the name of one as its argument the program is that one. */
static inline int own_runs(int argc, char **argv, const char *tag, const struct own_run *runs, size_t count)
{
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		if (argc > 1 && !strcmp(argv[1], runs[i].name)) {
			const struct CMUnitTest tests[] = { runs[i].test };

			return cmocka_run_group_tests_name(runs[i].name, tests, NULL, NULL);
		}
	for (size_t i = 0; i < count; i++)
		failed += !own_run_holds(argv[0], tag, &runs[i]);
	return failed;
}

#endif

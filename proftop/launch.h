/* SPDX-License-Identifier: MIT */
/*
 * launch: runs the program behind `--` with a region of its own.
 *
 * It gets PROF_SHM=<a name of its own> and PROF_KEEP=1. What else it has depends on who looks at it:
 *
 * LAUNCH_BATCH: it keeps stdin and stderr, and its stdout goes to stderr, so that stdout is left to the
 * report. Signals that a user sends to proftop go on to the program; those of the terminal reach it by
 * themselves, and proftop lives on to report. launch_wait is what comes next.
 *
 * LAUNCH_APART: the terminal is another's. stdin is /dev/null, stdout and stderr go to a file, and it
 * is in a process group of its own, so that no ^C and no ^Z reaches it. launch_poll tells how it is,
 * and launch_end ends it.
 */
#ifndef PROFTOP_LAUNCH_H
#define PROFTOP_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LAUNCH_NAME_SIZE 160
#define LAUNCH_PATH_SIZE 4096

enum launch_mode { LAUNCH_BATCH, LAUNCH_APART };

struct launch {
	char region[LAUNCH_NAME_SIZE];
	bool sample;
	char output[LAUNCH_PATH_SIZE]; /* APART: the file of what it writes; "": none */
	pid_t pid;
	bool ended;
	int status; /* as waitpid gives it */
	int error;  /* errno of a program that could not be started */
	sigset_t waited, before;
};

/* Starts it. False: `error` says why. sample: with PROF_SAMPLE; and if the program has no libprof of its own, one is
 * preloaded, with PROF_FRAME_MS. */
bool launch_start(struct launch *l, char **argv, enum launch_mode mode, bool sample);

/* Whether it has ended, without waiting for it. */
bool launch_poll(struct launch *l);

/* Ends it and all of its group, unless it has ended: SIGHUP, half a second later SIGTERM, two seconds
 * later SIGKILL; in a hurry 200 and 400 ms later. */
void launch_end(struct launch *l, bool hurry);

/* Whether there is a file of what it wrote. Once it has ended, an empty one is removed. */
bool launch_wrote(struct launch *l);

/* How it ended: `exited 0`, `exited 139 (SIGSEGV)` with the status that a shell gives an error of the
 * program, `killed by SIGKILL` where another sent the signal. */
void launch_how(const struct launch *l, char *out, size_t size);

/* BATCH: waits for its end, so long at most, and passes on signals meanwhile. True: it has ended. */
bool launch_rest(struct launch *l, int ms);

/* Waits for its end. */
void launch_wait(struct launch *l);

/* The exit status that stands for its end: its own, or 128 + the signal. */
int launch_exit_status(const struct launch *l);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * launch: runs the program behind `--` with a region of its own.
 *
 * It gets PROF_SHM=<a name of its own> and PROF_KEEP=1, keeps stdin and stderr, and its stdout goes
 * to stderr, so that stdout is left to the report. Signals that a user sends to proftop go on to the
 * program; those of the terminal reach it by themselves, and proftop lives on to report.
 */
#ifndef TUI_LAUNCH_H
#define TUI_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LAUNCH_NAME_SIZE 160

struct launch {
	char region[LAUNCH_NAME_SIZE];
	pid_t pid;
	int status; /* as waitpid gives it */
	int error;  /* errno of a program that could not be started */
	sigset_t waited, before;
};

/* Starts it. False: `error` says why. */
bool launch_start(struct launch *l, char **argv);

/* Waits for its end. */
void launch_wait(struct launch *l);

/* The exit status that stands for its end: its own, or 128 + the signal. */
int launch_exit_status(const struct launch *l);

#endif

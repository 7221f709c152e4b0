/* core_inject.h: a program one of whose system calls fails, for every one of them in turn.
 *
 * The program is traced.  It says itself where what is of interest begins and ends: inject_window() is a system call
 * that does nothing, with numbers that the tracer knows.  Calls inside of a window are counted, in each window from 1;
 * the one that was asked for does not reach the kernel, and returns the error.
 */
#ifndef TESTS_CORE_INJECT_H
#define TESTS_CORE_INJECT_H

#include "tests/core_run.h"

enum window { WINDOW_NONE, WINDOW_START, WINDOW_HELPER, WINDOW_WORK, WINDOW_THREAD, WINDOW_THREAD_END, WINDOW_FORK,
	      WINDOW_CHILD, WINDOW_END, WINDOWS };

/* Sets the window of the calling thread, until the next call. A child of WINDOW_FORK is in it, too; threads made
 * in WINDOW_START are in WINDOW_HELPER for ever. */
void inject_window(enum window window);

struct injection {
	enum window window;  /* WINDOW_NONE: all calls are only counted */
	unsigned nth;
	int error;
	bool onwards;        /* calls of that number that come later in any window fail, too */
	bool no_unnamed;     /* files without a name cannot be had */
};

struct injected {
	int status;              /* of the program */
	unsigned calls[WINDOWS]; /* that could have failed */
	long number;             /* of the call that failed; -1: none did */
	unsigned interruptible;  /* reservations of a file's room that a signal could have ended */
	char out[4096], err[4096];
};

/* Runs the program; false: it cannot be traced here. */
bool inject_run(const struct core_program *program, const struct injection *injection, struct injected *injected);

#endif

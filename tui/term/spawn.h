/* SPDX-License-Identifier: MIT */
/*
 * spawn: a program in a process of its own, and the reason where it cannot be started.
 */
#ifndef TUI_SPAWN_H
#define TUI_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns once the program runs, with its process, which the caller waits for. argv[0] is looked for in PATH. `prepare`
 * (NULL: nothing) is called in the new process before the program takes its place; false: errno says why it cannot.
 * Below 0: it was not started, *error is the errno, and there is nothing to wait for.
 */
pid_t spawn(char *const *argv, bool (*prepare)(void *context), void *context, int *error);

/*
 * A program that has the terminal for itself, until it ends.
 *
 * It stands in our process group, so ^C is for it, and ^Z stops both; one that stops itself alone stops us
 * too, so that the shell gets the terminal, and goes on when we do.
 */

/* Runs argv[0], looked for in PATH, after signals_lend; `meanwhile` is called some fifty times a second. Returns
 * its status as waitpid gives it; -1: it could not be started, *error is why. Where a signal asks us to end, it
 * is told so, and not waited for. */
int lend_run(char *const *argv, void (*meanwhile)(void *context), void *context, int *error);

#endif

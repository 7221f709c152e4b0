/* SPDX-License-Identifier: MIT */
/*
 * term_lend: a program that has the terminal for itself, until it ends.
 *
 * It stands in our process group, so ^C is for it, and ^Z stops both; one that stops itself alone stops us
 * too, so that the shell gets the terminal, and goes on when we do.
 */
#ifndef TUI_TERM_LEND_H
#define TUI_TERM_LEND_H

/* Runs argv[0], looked for in PATH, after signals_lend; `meanwhile` is called some fifty times a second. Returns
 * its status as waitpid gives it; -1: it could not be started, *error is why. Where a signal asks us to end, it
 * is told so, and not waited for. */
int lend_run(char *const *argv, void (*meanwhile)(void *context), void *context, int *error);

#endif

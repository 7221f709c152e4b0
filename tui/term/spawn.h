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

#endif

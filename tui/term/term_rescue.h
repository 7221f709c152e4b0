/* SPDX-License-Identifier: MIT */
/*
 * term_rescue: gives the terminal back when nobody else can: from exit, from a crash, from the
 * handler of a signal that nobody had time for.
 *
 * Everything it needs is made ready before: the modes that the terminal had, and the bytes that undo
 * what was done to it. Only the process that armed it is rescued, not its forked children.
 */
#ifndef TUI_TERM_RESCUE_H
#define TUI_TERM_RESCUE_H

#include <stdbool.h>
#include <stddef.h>

#define RESCUE_SIZE 256

/* Remembers the modes of the terminal as they are now, and catches crashes. False: `fd` has none. */
bool rescue_begin(int fd);

/* Adds to the bytes that undo it; NULL and what finds no room is left out. Delays for terminals that
 * are written to in hardware (`$<5>`) are taken out. */
void rescue_add(const char *sequence);

/* From here on the terminal is not as it was; from here on it is. */
void rescue_arm(void);
void rescue_disarm(void);

/* The modes that the terminal had. */
void rescue_restore_modes(void);

/* The modes that a screen wants beside those that curses makes: no key is kept by the driver (flow
 * control, quoting), but interrupt, quit and suspend are. */
void rescue_take_modes(void);

/* If armed, restores modes and screen; writes for a fraction of a second at most. Async-signal-safe. */
void rescue_now(void);

/* Called before a signal ends the process; what else must not stay behind.
 * Async-signal-safe; NULL: nothing. */
void rescue_also(void (*remove)(void));

/* Ends the process by that signal, as if it had never been caught. Async-signal-safe. */
void rescue_die(int number) __attribute__((noreturn));

/* No crash is caught any longer. */
void rescue_end(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * term_signal: signals to a program on a terminal, as flags and a file descriptor to wait for.
 *
 * A signal that asks to end has a deadline: if the program has not given the terminal back a moment
 * later (it may be stuck in a write to a terminal that nobody reads), it is ended by that signal.
 * What the parent ignored (nohup, a shell without job control) stays ignored.
 */
#ifndef TUI_TERM_SIGNAL_H
#define TUI_TERM_SIGNAL_H

#include <stdbool.h>

#define SIGNAL_DEADLINE_MS 600

bool signals_take(void); /* false: no pipe or timer */

/* Handlers again, where somebody has replaced them since. */
void signals_retake(void);

/* Another program has the terminal: ^C and ^\\ are for that alone, and ^Z stops as if nobody had caught it.
 * signals_retake ends it. */
void signals_lend(void);

void signals_return(void);

/* Can be read when a signal has come; signals_clear empties it before the flags are read. */
int signals_fd(void);
void signals_clear(void);

/* Whether it came since it was asked for last. */
bool signals_resized(void);
bool signals_suspended(void);
bool signals_continued(void);

/* The signal that asks to end, for good; 0: none. */
int signals_ending(void);

/* The terminal is gone, though no signal said so: the deadline begins. */
void signals_hurry(void);

/* Stops the process as ^Z does; returns when it goes on. */
void signals_stop(void);

#endif

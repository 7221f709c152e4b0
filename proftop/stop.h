/* SPDX-License-Identifier: MIT */
/*
 * stop: how signals end the program.
 *
 * Ctrl-C and SIGTERM end what goes on without end when it has come to a good place. Where that does not help, the second one
 * ends. Whatever ends the program at once takes the file away that is being written under a name of its own.
 */
#ifndef PROFTOP_STOP_H
#define PROFTOP_STOP_H

void stop_on_signals(void);

/* The signal that came; 0: none. */
int stop_asked(void);

/* From the making of a file to stop_removes: what would end the program waits. */
void stop_hold(void);
void stop_release(void);

/* The file goes when a signal ends the program. NULL: none does any more. One at a time, and the path is copied. Signals that
 * somebody else catches, or that are ignored, stay what they are. */
void stop_removes(const char *path);

/* Takes that file away. Async-signal-safe; for who ends the program by a signal himself. */
void stop_remove(void);

#endif

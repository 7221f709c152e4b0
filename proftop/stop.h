/* SPDX-License-Identifier: MIT */
/*
 * stop: Ctrl-C and SIGTERM end what goes on without end when it has come to a good place. Where that does not help, the
 * second one ends.
 */
#ifndef PROFTOP_STOP_H
#define PROFTOP_STOP_H

void stop_on_signals(void);

/* They end the program at once again. */
void stop_let_go(void);

/* The signal that came; 0: none. */
int stop_asked(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * wait: pauses while there are no frames yet, or no region; and how far something is that takes long.
 */
#ifndef PROFTOP_WAIT_H
#define PROFTOP_WAIT_H

#include <stdbool.h>

/* Pauses before the next look. */
void wait_rest(void);

/* Seconds of a clock that only goes forward. */
double wait_now(void);

/*
 * How far something is that takes long: a line of stderr that is written over again and again, if that is a terminal,
 * and nothing before a second has passed.
 *
 * One at a time. Any thread may tell; who begins it ends it.
 */

void progress_begin(void);

/* True if it is time to report progress. */
bool progress_due(void);
void progress_tell(const char *what);

/* The line is empty again. */
void progress_end(void);

#endif

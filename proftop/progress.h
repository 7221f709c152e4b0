/* SPDX-License-Identifier: MIT */
/*
 * progress: how far something is that takes long: a line of stderr that is written over again and again, if that is a terminal,
 * and nothing before a second has passed.
 *
 * One at a time. Any thread may tell; who begins it ends it.
 */
#ifndef PROFTOP_PROGRESS_H
#define PROFTOP_PROGRESS_H

#include <stdbool.h>

void progress_begin(void);

/* Whether it is time to tell something. */
bool progress_due(void);
void progress_tell(const char *what);

/* The line is empty again. */
void progress_end(void);

#endif

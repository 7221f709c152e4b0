/* SPDX-License-Identifier: MIT */
/*
 * wait: pauses while there are no frames, or is no region, yet.
 */
#ifndef PROFTOP_WAIT_H
#define PROFTOP_WAIT_H

/* Pauses before the next look. */
void wait_rest(void);

/* Seconds of a clock that only goes forward. */
double wait_now(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * looked_at: the program that proftop looks at while it is measured (load.c), and proftop on a terminal, looking.
 *
 * There is one at a time.  It is killed, and its region removed, at the end of its part and when the user has had
 * enough.
 */
#ifndef BENCH_LOOKED_AT_H
#define BENCH_LOOKED_AT_H

#include <stdbool.h>

#include "bench/terminal.h"

/* Where proftop and load are; false: one of them is not there, which has been said. */
bool looked_at_begin(const char *proftop, const char *load);

/* Starts it with a region of that size: threads, nodes, frames a second, seconds, and how many threads a second come and
 * go, or NULL. */
#define SHAPE 5
bool looked_at_start(const char *size, const char *const shape[SHAPE]);
void looked_at_kill(void); /* its region stays */
void looked_at_end(void);

const char *looked_at_name(void); /* of its region */

/* The age of its region and its history in seconds, from proftop's own list. */
bool looked_at_ask(double *age_s, double *history_s);

/* Waits until the region is full: a second of frames has been lapped. */
bool looked_at_full(void);

#define A_ZONE "zone 1" /* only a row has that */

/* proftop with these options, ended by NULL, and the region's name behind them; or, if `other`, that command. */
struct shown {
	const char *what, *argv[10];
	bool other;
	double target; /* % of a core; 0: none */
};
bool shown_start(struct terminal *t, const struct shown *shown);

#endif

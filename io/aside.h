/* SPDX-License-Identifier: MIT */
/*
 * aside: work in a thread of its own, so that whoever waits for it can do other
 * things.
 *
 * Until aside_end returns, only that thread may use the data of the work. It
 * blocks all signals but those that its own faults raise (SIGSEGV and others).
 */
#ifndef IO_ASIDE_H
#define IO_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

struct aside;

/* Begins `work` with `context`. If the system creates no thread, the caller
 * does the work before this returns. NULL: out of memory; the work was not
 * done. */
struct aside *aside_begin(void (*work)(void *context), void *context);

/* Waits for its end, for `within_ns` at most. */
bool aside_is_over(const struct aside *a, int64_t within_ns);

/* Waits for its end, however long that takes, and frees it. */
void aside_end(struct aside *a);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * aside: work in a thread of its own, so that whoever waits for it can do other
 * things.
 *
 * What the work uses is the thread's until aside_end. The thread gets no
 * signals but those of its own faults.
 */
#ifndef IO_ASIDE_H
#define IO_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

struct aside;

/* Begins `work` with `context`. If no thread can be had, the work is done now.
 * NULL: out of memory, and nothing is done. */
struct aside *aside_begin(void (*work)(void *context), void *context);

/* Waits for its end, for `within_ns` at most. */
bool aside_is_over(const struct aside *a, int64_t within_ns);

/* Waits for its end, however long that takes, and frees it. */
void aside_end(struct aside *a);

#endif

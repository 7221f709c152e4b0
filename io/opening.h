/* SPDX-License-Identifier: MIT */
/*
 * opening: the first read of a source, in a thread of its own, so that whoever waits for it can do other things.
 *
 * That read takes as long as there is to read: half a second where a region has a gigabyte. The source is the
 * thread's until opening_end gives it back. The functions are called by one thread.
 */
#ifndef IO_OPENING_H
#define IO_OPENING_H

#include "io/source.h"

struct opening;

/* Takes the source over, and begins to read it. NULL: out of memory, and the source is the caller's still. Where no
 * thread can be had it has been read when this returns. */
struct opening *opening_begin(struct source *s);

/* Whether the read is over. Waits for that for `within_ns` at most. */
bool opening_is_over(const struct opening *o, int64_t within_ns);

/* Waits until the read is over. Returns the source, which is the caller's again, with the result of its `next`, and
 * frees the opening. */
struct source *opening_end(struct opening *o, enum source_result *result);

/* Gives the opening up: ends the read soon, and closes the source. `o` may be NULL. */
void opening_drop(struct opening *o);

#endif

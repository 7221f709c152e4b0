/* SPDX-License-Identifier: MIT */
/*
 * stacks_read: the open zones of a source's threads, as the screen and reports have them.
 */
#ifndef PROFTOP_STACKS_READ_H
#define PROFTOP_STACKS_READ_H

#include "io/source.h"
#include "model/stats/open_stacks.h"

/* As they are now. The caller owns them. NULL: out of memory. */
struct open_stacks *stacks_read(struct source *s);

#endif

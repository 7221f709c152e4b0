/* SPDX-License-Identifier: MIT */
/*
 * proftop_stacks: the open zones of all threads, out of a source.
 */
#ifndef TUI_PROFTOP_STACKS_H
#define TUI_PROFTOP_STACKS_H

#include "io/source.h"
#include "model/open_stacks.h"

/* As they are now. NULL: out of memory. open_stacks_free. */
struct open_stacks *stacks_read(struct source *s);

#endif

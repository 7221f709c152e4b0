/* SPDX-License-Identifier: MIT */
/*
 * foreign_lanes: which threads are in a file of events, and which time of each.
 */
#ifndef IO_FOREIGN_LANES_H
#define IO_FOREIGN_LANES_H

#include "io/foreign/foreign.h"

/* Fills t->lanes: of each selected thread a lane for each list of its calls that reaches into the window, or one without
 * calls. False: out of memory. */
bool foreign_lanes_make(struct foreign *t);

/* The first lane of a thread; NULL: it is not in the file. */
const struct foreign_lane *foreign_lane_of(const struct foreign *t, uint32_t thread);

/* Whether what happened at this tick is in the file, calls apart. */
bool foreign_covers(const struct foreign *t, int64_t tick);

/* A tick in nanoseconds, as -j has it. */
int64_t foreign_ns(const struct foreign *t, int64_t tick);

/* For readers whose numbers are doubles: the tick from which times of the file count. It is 0, unless the last one would be
 * beyond 2^53 ns. */
int64_t foreign_zero(const struct foreign *t);
void foreign_say_zero(struct foreign *t, int64_t zero);

/* Of a live program: since when single calls are known. */
void foreign_say_since(struct foreign *t);

#endif

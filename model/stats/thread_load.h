/* SPDX-License-Identifier: MIT */
/*
 * thread_load: how busy each thread was of late: its time in zones that do not wait, in the newest frames that count.
 *
 * Time in no zone is not busy. A part that is missing, or was overwritten, counts as 0.
 */
#ifndef MODEL_THREAD_LOAD_H
#define MODEL_THREAD_LOAD_H

#include "model/profile/profile.h"

#define THREAD_LOAD_FRAMES 64

struct thread_load {
	int64_t busy;                       /* ticks in all of these frames, at most their wall time */
	int64_t frames[THREAD_LOAD_FRAMES]; /* in each, the oldest first */
};

struct thread_loads {
	uint32_t count; /* of frames */
	int64_t wall;   /* ticks that they took */
	struct thread_load *threads; /* by thread; thread_count of the profile */
};

/* Of the newest frames up to number `last`, 0: up to the newest. O(parts and cells of them). False: out of memory, and
 * there are none. Free with thread_loads_fini. */
bool thread_loads_make(struct thread_loads *l, const struct profile *p, uint64_t last);
void thread_loads_fini(struct thread_loads *l);

#endif

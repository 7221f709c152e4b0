/* SPDX-License-Identifier: MIT */
/*
 * off_cpu: how long a thread did not run in a frame, and why, as the program's own library measured it (the measures cpu,
 * off_cpu, involuntary and voluntary of a slice).
 *
 * Time in zones that wait is left out: there a thread is expected not to run.
 */
#ifndef MODEL_OFF_CPU_H
#define MODEL_OFF_CPU_H

#include "model/profile/profile.h"

struct off_cpu {
	bool known;   /* of the slice: */
	int64_t ns;   /* that it did not run, at least */
	bool counted; /* these are known, too: */
	int64_t preempted; /* how often the system let another thread run */
	int64_t blocked;   /* how often it waited for something itself, in zones that wait, too */
};

struct off_cpu off_cpu_of(const struct profile *p, uint64_t frame, uint32_t thread);

/* `preempted 3 times`, `preempted once, blocked 4 times`, or "" if neither happened. */
#define OFF_CPU_TEXT 96 /* bytes that are enough */
void off_cpu_text(const struct off_cpu *off, char out[OFF_CPU_TEXT]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * off_cpu: how long a thread did not run in a frame, and why, as the program's own library measured it (the measures
 * off_cpu, involuntary, voluntary and run_delay of a slice).
 *
 * Time in zones that wait is left out: there a thread is expected not to run.
 */
#ifndef MODEL_OFF_CPU_H
#define MODEL_OFF_CPU_H

#include "model/profile/profile.h"

struct off_cpu {
	bool known;
	int64_t ns;        /* in which it did not run: the least that it may be */
	int64_t doubt;     /* ns: it may be twice as much more */
	bool counted;      /* the two below are known, too */
	int64_t preempted; /* how often the system let another thread run */
	int64_t blocked;   /* how often it waited for something itself, in zones that wait, too */
	bool delayed;      /* that below is known, too */
	int64_t delay;     /* ns that it waited for a core, also after it had waited in a zone that waits */
};

struct off_cpu off_cpu_of(const struct profile *p, uint64_t frame, uint32_t thread);

/* Of many frames its length alone: the measure of it, to be found once (PROFILE_NONE: there is none), and what a thread has
 * of it in a frame, in ticks. It is no longer than the frame, and 0 if it is not known. */
uint32_t off_cpu_measure(const struct profile *p);
int64_t off_cpu_ticks(const struct profile *p, uint32_t measure, const struct profile_frame *frame, uint32_t thread);

/* `preempted 3 times, waited 87.9 ms for a core`, `preempted once, blocked 4
 * times`, or "" if nothing of that happened. The counts are those of `off`.
 * `waited` is the run delay of `off` minus that of `base`. It is left out if it
 * is less than a hundredth of the time for which the thread did not run in
 * `off`. */
#define OFF_CPU_TEXT 160 /* bytes that are enough */
void off_cpu_text(const struct off_cpu *off, const struct off_cpu *base, bool ascii, char out[OFF_CPU_TEXT]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * averages: the average frame, in four slots of different memory.
 *
 *   now    the newest frame only
 *   fast   T = 0.8 s
 *   slow   T = 2.5 s
 *   run    the whole run, or what came since the last reset: its ticks, divided by the number of its frames
 *
 * The run slot counts the ticks up to profile_run_end: the end of its newest frame, or of the time outside of frames
 * that followed it. As long as no frame has ended, it counts all ticks. It is made from the totals of the profile, so
 * it is as old as these. A reset takes them as they were read last: until they are read again, the slot is empty.
 *
 * For fast and slow, a frame of length dt leaves k = 0.1^(dt/T) of what was there before:
 * avg = avg·k + x·(1−k). One weight w = w·k + (1−k) for the whole model, gathered from the first frame on, divides
 * every average, so that the first frames do not ramp up from 0. A node that is not in a frame counts as 0 there, also
 * in the frames before there was such a node.
 *
 *   gaps     time between frames that the program bounds itself makes what was before it older, as a frame of that
 *            length would. It adds nothing, not even zeros
 *   skipped  frames of length 0, discarded ones, those kept alone, and those of which a part was overwritten
 *   merged   a part that is one sum for several frames is shared out over them by their lengths. So it is in `now`,
 *            where each value is rounded
 *
 * All of it is linear in x, so an identity between rows that holds in each frame holds in every slot.
 *
 * `longest` in fast and slow is the longest call of the last one to two T; in run of the whole run.
 */
#ifndef MODEL_AVERAGE_H
#define MODEL_AVERAGE_H

#include "model/profile/values.h"

enum average_slot { AVERAGE_NOW, AVERAGE_FAST, AVERAGE_SLOW, AVERAGE_RUN, AVERAGE_SLOTS };

extern const char *const average_names[AVERAGE_SLOTS]; /* `now`, `fast`, `slow`, `run` */

/* The time constant of a slot in seconds; now and run have that of fast (heat uses it). */
double average_seconds(enum average_slot slot);

/* Seconds from `before`, the end of the frame before, to a frame that the program bounded itself; else 0. */
double average_gap(const struct profile *p, const struct profile_frame *frame, int64_t before);

struct averages;

struct averages *averages_new(void); /* NULL: out of memory */
void averages_free(struct averages *a);

/* The same averages for a copy of the profile (profile_copy). NULL: out of memory. */
struct averages *averages_copy(const struct averages *from);

/* Folds in all frames of p that are newer than the last one folded. Call it when they are
 * complete: a part that comes later is not seen. False: out of memory, nothing folded. */
bool averages_update(struct averages *a, const struct profile *p);

/* Forgets everything so far: the run slot starts at the present totals of p. */
bool averages_reset(struct averages *a, const struct profile *p);

/* The average frame of a slot. NULL: out of memory. */
struct values *values_average(const struct averages *a, const struct profile *p,
			      enum average_slot slot);

#endif

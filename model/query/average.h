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
 * In fast and slow each frame weighs the same, and less the older it is. dt is the time from the end of the frame before
 * to the end of this one (frame_elapsed): with frames that the program bounds it is longer than the frame. With
 * k = 0.1^(dt/T):
 *
 *     sum ← sum·k + x     frames ← frames·k + 1     time ← time·k + dt
 *
 * The average is sum / frames, and frames / time is how many frames there are in a second (values_frame_rate). So an
 * average count times that rate is the rate of calls. The length of a frame is an average as any other, with x = its
 * length. The quotient makes the first frames right: nothing ramps up from 0. A node that is not in a frame counts as 0
 * there, also in the frames before there was such a node.
 *
 *   skipped  frames of length 0, discarded ones, those kept alone, and those of which a slice was overwritten. Their time
 *            makes older frames weigh less, too, but `time` does not include it
 *   merged   a slice that is one sum for several frames is shared out over them by their lengths. So it is in `now`,
 *            where each value is rounded
 *
 * All of it is linear in x, so an identity between rows that holds in each frame holds in every slot.
 *
 * `longest` in fast and slow is the longest call of the last one to two T; in run of the whole run.
 *
 * Averages of another measure than time are made of the frames that are held. Where an amount is not known it counts as
 * 0, and the average is a lower bound (values_known). The run slot has the totals as they were read, also those of the
 * running frame.
 */
#ifndef MODEL_AVERAGE_H
#define MODEL_AVERAGE_H

#include "model/query/values.h"

enum average_slot { AVERAGE_NOW, AVERAGE_FAST, AVERAGE_SLOW, AVERAGE_RUN, AVERAGE_SLOTS };

extern const char *const average_names[AVERAGE_SLOTS]; /* `now`, `fast`, `slow`, `run` */

/* The time constant of a slot in seconds; now and run have that of fast (heat uses it). */
double average_seconds(enum average_slot slot);

/* The factor k = 0.1^(dt/T) by which adding this frame scales all older frames,
 * in a slot of T seconds. */
double average_left(const struct profile *p, const struct profile_frame *frame, double seconds);

struct averages;

struct averages *averages_new(void); /* NULL: out of memory */
void averages_free(struct averages *a);

/* Averages of another measure, which began when `a` did or was reset. They have
 * no frames yet. Without `entries`, COUNT is 0 in fast and slow, and they are
 * made faster. NULL: out of memory. */
struct averages *averages_of_measure(const struct averages *a, uint32_t measure, bool entries);

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

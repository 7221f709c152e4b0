/* SPDX-License-Identifier: MIT */
/*
 * hold: how much of its frames a profile holds that is fed without end.
 *
 *     kept: coarser and coarser | all frames, from the oldest that is held ... newest
 *          at most a quarter
 *
 * When frames are dropped, the longest of each 64 numbers is kept, beside those that were kept already. So a
 * reader that stays has hours of history, too. If these are too many, only the longest of each bucket stays.
 * Buckets grow with their age: as many frames stay from half an hour to an hour ago as from one minute to two,
 * and they always reach back to the beginning. The HOLD_LONGEST longest frames of all stay in any case, so that lists of
 * the worst frames stay true for as long as a screen is open.
 */
#ifndef IO_HOLD_H
#define IO_HOLD_H

#include "model/profile/profile.h"

#define HOLD_LONGEST 16 /* frames */

/* Drops the oldest frames, and what happened before them, until the profile is within so many bytes (held_bytes), or has
 * its newest frame alone. */
void hold_within(struct profile *p, uint64_t most_bytes);

/* Drops all frames, as far as none of them is to be kept. */
void hold_none(struct profile *p);

#endif

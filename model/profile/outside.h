/* SPDX-License-Identifier: MIT */
/*
 * outside: events and notes that belong to no frame: before the first mark, between frames that the program
 * bounds, behind the newest frame. The last of these is the frame that runs, or that ran when the process
 * died; where there are no frames it is the whole run.
 *
 * Events of a frame that is no longer held are not among them. If numbers of frames are missing and not all
 * frames are held, nobody knows whether an event was in a frame.
 */
#ifndef MODEL_OUTSIDE_H
#define MODEL_OUTSIDE_H

#include "model/profile/profile.h"

/* The first instant from index `i` on that is in no frame; instant_count: there is none. */
uint32_t outside_next(const struct profile *p, uint32_t i);

/* How many there are in (from, to]. */
uint32_t outside_count(const struct profile *p, int64_t from, int64_t to);

#endif

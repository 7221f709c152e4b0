/* SPDX-License-Identifier: MIT */
/* ray: how far one can see, or fly, before there is a rock.
 *
 * The zone raycast is entered from physics and from ai.  The casts of the second
 * are much longer, so each costs more: a profiler that shares the time out by the
 * number of calls gets this wrong, and one that measures each caller does not.
 */
#ifndef GAME_RAY_H
#define GAME_RAY_H

#include "rocks.h"

/* The distance to the nearest rock on the way, or length.  direction is of length 1.
 * Rays go through the cache of outlines, so they belong to the main thread. */
float raycast(struct rocks *rocks, struct vec from, struct vec direction, float length);

#endif

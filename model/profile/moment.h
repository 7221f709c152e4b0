/* SPDX-License-Identifier: MIT */
/*
 * moment: a point in time that the profiles of one machine have in common: nanoseconds since the machine was
 * started, by a clock that nobody sets. Moments of an earlier boot are below 0.
 *
 * Every process counts ticks of its own. The source of its profile says at which moment one of them was
 * (profile_process.known_tick and known_moment), and all others follow from that one.
 */
#ifndef MODEL_MOMENT_H
#define MODEL_MOMENT_H

#include "model/profile/profile.h"

#define MOMENT_NONE INT64_MIN
#define MOMENT_FARTHEST (INT64_MAX / 4) /* 73 years, before and behind: differences of two are none too large */

/* Whether it can be told when the ticks of this profile were. */
static inline bool moment_known(const struct profile *p)
{
	return p->process.known_moment != MOMENT_NONE;
}

/* The moment of a tick; MOMENT_NONE: not known. A moment that would be beyond ±MOMENT_FARTHEST is cut to it. */
int64_t moment_of(const struct profile *p, int64_t tick);

/* The tick of a moment, rounded, and never below 0. Only for a profile with moment_known. */
int64_t moment_tick(const struct profile *p, int64_t moment);

/* The index of the frame that was running then; where none was, of the one that is nearest. PROFILE_NONE:
 * there is no frame, or they are not known. */
uint32_t moment_frame(const struct profile *p, int64_t moment);

/* The frames that were running in [from, to), at some time of it: the index of the first, and how many. */
uint32_t moment_frames(const struct profile *p, int64_t from, int64_t to, uint32_t *count);

/* The first moment that is known of what is held, and the last. False: there is none. */
bool moment_span(const struct profile *p, int64_t *first, int64_t *last);

#endif

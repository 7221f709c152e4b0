/* SPDX-License-Identifier: MIT */
/*
 * pins: a few zones that are kept in sight, and their self time in any one frame.
 *
 * A pin is told by the identity of its key (keys.h), so that it outlives a run of the program. It has a
 * number, from 1, by which it is drawn, and keeps it when another one goes.
 *
 * Times are of frames that are held. What stands for frames of longer ago has to give the same: PINS_MOST
 * times a frame.
 */
#ifndef MODEL_PINS_H
#define MODEL_PINS_H

#include "model/profile/profile.h"
#include "model/query/keys.h"

#define PINS_MOST 4

struct pins {
	uint64_t ids[PINS_MOST]; /* of number i + 1; 0: free */
};

/* The number of a key, 0: it is not pinned. */
uint32_t pins_number(const struct pins *pins, uint64_t id);

/* Pins it with the lowest number that is free, or lets it go. Returns its number, which it has now or had;
 * 0: all are taken, and nothing is done. */
uint32_t pins_turn(struct pins *pins, uint64_t id);

bool pins_any(const struct pins *pins);

/* Self ticks of each number in a frame, of these threads. O(cells of their parts). */
void pins_in_frame(const struct pins *pins, const struct keys *keys, const struct profile *p,
		   const struct profile_frame *frame, uint32_t threads, int64_t out[PINS_MOST]);

#endif

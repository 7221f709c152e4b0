/* SPDX-License-Identifier: MIT */
/* rocks: the asteroid field, and the tree of boxes through which rays find rocks.
 *
 * The tree is complete: node 1 is the root, the children of node n are 2n and
 * 2n + 1, and node ROCKS + i is the leaf that holds rock order[i].  A box always
 * encloses its children, so a ray's answer never depends on the order; its price
 * does.  Rocks drift, which only needs the boxes fitted again; now and then the
 * order is made anew.  The main thread owns all of it.
 */
#ifndef GAME_ROCKS_H
#define GAME_ROCKS_H

#include <stdbool.h>

#include "maths.h"

enum {
	ROCKS_LEVELS = 13,
	ROCKS = 1 << ROCKS_LEVELS,
	CORNERS = 8,
	OUTLINES = 2048, /* what the cache of outlines holds */
};

struct rock {
	struct vec at, velocity;
	float radius;
	uint32_t seed; /* of its outline */
};

struct box {
	float left, top, right, bottom;
};

/* The corners of one rock around its middle; made from the rock's seed when needed. */
struct outline {
	uint32_t rock; /* ROCKS: none yet */
	struct vec corners[CORNERS];
};

struct rocks {
	struct rock rock[ROCKS];
	uint32_t order[ROCKS];
	struct box box[2 * ROCKS];
	struct outline outlines[OUTLINES];
	bool stale; /* mixed up since it was sorted */
	unsigned rays, boxes; /* cast, and looked at for that, in this frame */
};

/* A field of that seed, with its tree. */
void rocks_init(struct rocks *rocks, uint64_t seed);

/* Lets all rocks drift for a time, and fits the boxes. */
void rocks_move(struct rocks *rocks, float seconds);

/* Makes the order anew: neighbours in the field become neighbours in the tree. */
void rocks_sort(struct rocks *rocks);

/* Exchanges as many pairs of leaves at random, and fits the boxes: a tree gone stale, as
 * when rocks have been put elsewhere in their array and nobody sorted it. */
void rocks_mix(struct rocks *rocks, int exchanges, uint64_t *state);

#endif

/* SPDX-License-Identifier: MIT */
/* bodies: what flies between the rocks, and the physics of it.
 *
 * The first AGENTS bodies are ships that ai steers, the others are debris.  A grid
 * of cells as wide as two bodies can be apart and still matter to each other finds
 * neighbours: those in a cell are items[start[cell] … start[cell + 1]).
 */
#ifndef GAME_BODIES_H
#define GAME_BODIES_H

#include "maths.h"
#include "rocks.h"

enum { AGENTS = 128, BODIES = 1800, CELLS = 64 };

#define CELL_SIZE (WORLD_SIZE / CELLS)

struct body {
	struct vec at, velocity;
	float radius;
};

struct bodies {
	struct body body[BODIES];
	int start[CELLS * CELLS + 1];
	int items[BODIES];
};

void bodies_init(struct bodies *bodies, uint64_t seed);

/* Moves all for a time, bouncing off rocks, each other and the edge of the world. */
void physics_update(struct bodies *bodies, struct rocks *rocks, float seconds);

/* The cells in which a body's neighbours are: for each y from top to bottom, the
 * items from bodies_row_begin to bodies_row_end. */
struct cell_range {
	int left, right, top, bottom;
};

struct cell_range bodies_around(struct vec at);

static inline int bodies_row_begin(const struct bodies *b, struct cell_range r, int y)
{
	return b->start[y * CELLS + r.left];
}

static inline int bodies_row_end(const struct bodies *b, struct cell_range r, int y)
{
	return b->start[y * CELLS + r.right + 1];
}

#endif

/* SPDX-License-Identifier: MIT */
/* world: everything there is, and one step of it.
 *
 * A step takes a fixed time of the world's own, and waits for the workers before it
 * ends; so a world of one seed goes the same way on every machine, at any speed.
 */
#ifndef GAME_WORLD_H
#define GAME_WORLD_H

#include "ai.h"
#include "bodies.h"
#include "canvas.h"
#include "jobs.h"
#include "particles.h"
#include "player.h"
#include "rocks.h"
#include "scene.h"

enum { WORKERS = 2, SORT_EVERY = 64 /* frames */ };

struct world {
	uint64_t frame;
	struct jobs *jobs;
	struct player player;
	struct rocks rocks;
	struct bodies bodies;
	struct ai ai;
	struct cloud clouds[CLOUDS];
	struct scene scene;
	struct canvas canvas;
};

/* What is to go wrong in a step; see hitch.h. */
struct trouble {
	int exchanges;    /* leaves of the rocks' tree that are mixed up before the step */
	uint64_t look_ns; /* for how long the ships look for cover */
};

/* Makes the world of this seed; NULL when there is no memory or thread. */
struct world *world_new(uint64_t seed);
void world_free(struct world *world);

void world_update(struct world *world, const struct trouble *trouble);
void world_render(struct world *world);

/* A number that is the same only if all went the same way. */
uint64_t world_sum(const struct world *world);

#endif

/* SPDX-License-Identifier: MIT */
/* ai: where the ships want to go.
 *
 * A ship looks around with long rays, keeps clear of its neighbours, and follows a
 * path that a worker finds for it every few frames.
 */
#ifndef GAME_AI_H
#define GAME_AI_H

#include "bodies.h"
#include "path.h"

enum { LOOKS = 12, PATHS_A_FRAME = 4 };

struct agent {
	struct vec goal;     /* where it wants to be in the end */
	struct vec waypoint; /* on the way there */
	struct vec heading;  /* of length 1: the best way to fly, of those it looked along */
	float cover;         /* how closed in it is; what a long look around finds out */
};

struct ai {
	struct agent agent[AGENTS];
	struct map map;
	struct path_job paths[PATHS_A_FRAME];
	int next; /* the agent that asks for a path next */
	uint64_t state;
};

void ai_init(struct ai *ai, const struct rocks *rocks, uint64_t seed);

/* Steers the ships.  Submits path jobs, to be waited for and collected in this frame.
 * For as long as look_ns the ships look around further: many more casts, as when
 * an alarm makes all of them look for cover. */
void ai_update(struct ai *ai, struct bodies *bodies, struct rocks *rocks, struct jobs *jobs,
               uint64_t look_ns);

/* Takes over the paths, once jobs_wait has returned. */
void ai_collect(struct ai *ai);

/* Lets all ships look around once, to measure the cost; returns the casts. */
int ai_probe(const struct ai *ai, const struct bodies *bodies, struct rocks *rocks, int every);

#endif

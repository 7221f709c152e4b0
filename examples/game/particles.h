/* SPDX-License-Identifier: MIT */
/* particles: dust that the ships stir up, moved by the workers.
 *
 * A cloud is a job of its own.  It takes a copy of where the ships are when it is
 * submitted, because physics moves them while the cloud is on its way.
 */
#ifndef GAME_PARTICLES_H
#define GAME_PARTICLES_H

#include "bodies.h"
#include "jobs.h"

enum { CLOUDS = 4, PARTICLES = 2048, SOURCES = AGENTS / CLOUDS };

struct particle {
	struct vec at, velocity;
	float life; /* seconds left; it is born again at 0 */
};

struct cloud {
	struct job job;
	float seconds; /* for which it is to move */
	uint64_t state;
	int alive; /* particles, when it was moved last */
	struct vec sources[SOURCES];
	struct particle particle[PARTICLES];
};

void clouds_init(struct cloud *clouds, uint64_t seed);

/* Submits a job a cloud; they may be read again when jobs_wait has returned. */
void clouds_update(struct cloud *clouds, const struct bodies *bodies, struct jobs *jobs, float seconds);

#endif

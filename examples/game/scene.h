/* SPDX-License-Identifier: MIT */
/* scene: a space station, as a graph of parts that turn on parts.
 *
 * A part's place is given by its parent's; so the update goes down from the root,
 * one zone in itself for each level: recursion as games have it.
 */
#ifndef GAME_SCENE_H
#define GAME_SCENE_H

#include "maths.h"

enum { SCENE_CHILDREN = 3, SCENE_PARTS = 364 }; /* 1 + 3 + 9 + … + 3⁵ */

struct part {
	struct vec offset; /* from the parent, in the parent's turn */
	float angle, spin; /* against the parent; radians, and a second */
	float radius;
	struct vec at;     /* in the world; made by scene_update */
	float turn;
};

/* The children of part n are SCENE_CHILDREN · n + 1 and those next to it. */
struct scene {
	struct part part[SCENE_PARTS];
};

void scene_init(struct scene *scene, struct vec at, uint64_t seed);
void scene_update(struct scene *scene, float seconds);

#endif

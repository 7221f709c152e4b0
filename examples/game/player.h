/* SPDX-License-Identifier: MIT */
/* player: somebody at the controls, who is made of chance.
 *
 * The stick is sampled many times a frame, as devices do; the camera follows the
 * smoothed stick.
 */
#ifndef GAME_PLAYER_H
#define GAME_PLAYER_H

#include "maths.h"

enum { SAMPLES_A_FRAME = 16, SAMPLES_KEPT = 256 };

struct player {
	struct vec samples[SAMPLES_KEPT]; /* the last of the stick, in a ring */
	unsigned next;
	struct vec held;   /* where the stick is held just now */
	struct vec camera; /* the middle of the picture, in the world */
	uint64_t state;
};

void player_init(struct player *player, struct vec at, uint64_t seed);

/* Reads the stick and moves the camera. */
void player_input(struct player *player, float seconds);

#endif

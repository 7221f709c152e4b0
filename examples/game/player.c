/* SPDX-License-Identifier: MIT */
/* player.c: a stick that is pushed about, read, and smoothed. */
#include "player.h"

#include <prof.h>

#define CAMERA_SPEED 60.0f
#define CAMERA_ROOM  60.0f /* how far from the station it may go */

static const struct vec home = { WORLD_SIZE / 2, WORLD_SIZE / 2 };

static void read_stick(struct player *p)
{
	Prof(read_stick);

	for (int i = 0; i < SAMPLES_A_FRAME; i++) {
		if (chance(&p->state) % 512 == 0) {
			float angle = chance_between(&p->state, 0, TURN);
			p->held = vec_scale(vec_at_angle(angle), chance_between(&p->state, 0, 1));
		}
		float noise = chance_between(&p->state, -0.02f, 0.02f);
		p->samples[p->next++ % SAMPLES_KEPT] = vec_add(p->held, (struct vec){ noise, -noise });
	}
}

/* The mean of what is kept, the newer counting more. */
static struct vec smooth_stick(const struct player *p)
{
	Prof(smooth_stick);
	struct vec sum = { 0, 0 };
	float weight = 1, weights = 0;

	for (unsigned i = 1; i <= SAMPLES_KEPT; i++) {
		sum = vec_add(sum, vec_scale(p->samples[(p->next - i) % SAMPLES_KEPT], weight));
		weights += weight;
		weight *= 0.98f;
	}
	return vec_scale(sum, 1 / weights);
}

void player_input(struct player *player, float seconds)
{
	Prof(input);

	read_stick(player);
	struct vec step = vec_scale(smooth_stick(player), CAMERA_SPEED * seconds);
	player->camera = vec_add(player->camera, step);
	player->camera.x = clampf(player->camera.x, home.x - CAMERA_ROOM, home.x + CAMERA_ROOM);
	player->camera.y = clampf(player->camera.y, home.y - CAMERA_ROOM, home.y + CAMERA_ROOM);
}

void player_init(struct player *player, struct vec at, uint64_t seed)
{
	*player = (struct player){ .camera = at, .state = seed };
}

/* SPDX-License-Identifier: MIT */
/* scene.c: the recursive zone scene_part, entered from scene and from itself. */
#include "scene.h"

#include <prof.h>

static struct vec turned(struct vec v, float angle)
{
	struct vec way = vec_at_angle(angle);

	return (struct vec){ v.x * way.x - v.y * way.y, v.x * way.y + v.y * way.x };
}

static void update_part(struct scene *scene, int number, struct vec at, float turn, float seconds)
{
	Prof(scene_part);
	struct part *part = &scene->part[number];

	part->angle = fmodf(part->angle + part->spin * seconds, TURN);
	part->turn = turn + part->angle;
	part->at = vec_add(at, turned(part->offset, turn));
	for (int i = 1; i <= SCENE_CHILDREN; i++) {
		int child = SCENE_CHILDREN * number + i;
		if (child < SCENE_PARTS)
			update_part(scene, child, part->at, part->turn, seconds);
	}
}

void scene_update(struct scene *scene, float seconds)
{
	Prof(scene);

	update_part(scene, 0, (struct vec){ 0, 0 }, 0, seconds);
}

void scene_init(struct scene *scene, struct vec at, uint64_t seed)
{
	float arm = 24, radius = 6;
	int level_end = 1;

	for (int i = 0; i < SCENE_PARTS; i++) {
		if (i == level_end) { /* the next level: smaller, and nearer to its parent */
			level_end = SCENE_CHILDREN * level_end + 1;
			arm *= 0.55f;
			radius *= 0.6f;
		}
		float angle = TURN * (float)(i % SCENE_CHILDREN) / SCENE_CHILDREN;
		scene->part[i] = (struct part){
			.offset = i ? vec_scale(vec_at_angle(angle), arm) : at,
			.spin = chance_between(&seed, -0.8f, 0.8f),
			.radius = radius,
		};
	}
}

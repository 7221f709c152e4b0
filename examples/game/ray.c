/* SPDX-License-Identifier: MIT */
/* ray.c: down the tree of boxes, and against the outlines of the rocks in its leaves. */
#include "ray.h"

#include <prof.h>

struct ray {
	struct vec from, direction;
	struct vec inverse; /* 1 / direction, for the boxes */
};

/* Whether the ray is in the box anywhere before the distance. */
static inline int ray_meets_box(const struct ray *ray, const struct box *box, float distance)
{
	float x1 = (box->left - ray->from.x) * ray->inverse.x;
	float x2 = (box->right - ray->from.x) * ray->inverse.x;
	float y1 = (box->top - ray->from.y) * ray->inverse.y;
	float y2 = (box->bottom - ray->from.y) * ray->inverse.y;
	float in_x = x1 < x2 ? x1 : x2, out_x = x1 < x2 ? x2 : x1;
	float in_y = y1 < y2 ? y1 : y2, out_y = y1 < y2 ? y2 : y1;
	float in = in_x > in_y ? in_x : in_y, out = out_x < out_y ? out_x : out_y;

	return in <= out && out >= 0 && in < distance;
}

static void make_outline(struct outline *outline, uint32_t number, const struct rock *rock)
{
	Prof(cache_miss);
	uint64_t state = rock->seed;

	outline->rock = number;
	for (int i = 0; i < CORNERS; i++) {
		struct vec way = vec_at_angle(TURN * (float)i / CORNERS);
		outline->corners[i] = vec_scale(way, rock->radius * chance_between(&state, 0.6f, 1));
	}
}

static const struct outline *find_outline(struct rocks *rocks, uint32_t number)
{
	struct outline *outline = &rocks->outlines[number % OUTLINES];

	if (outline->rock != number)
		make_outline(outline, number, &rocks->rock[number]);
	return outline;
}

/* The distance at which the ray, with its start seen from the rock's middle, meets an edge. */
static float ray_meets_edge(struct vec from, struct vec direction, struct vec a, struct vec b)
{
	struct vec edge = vec_sub(b, a), to = vec_sub(a, from);
	float slope = vec_cross(direction, edge);
	float distance = vec_cross(to, edge) / slope, where = vec_cross(to, direction) / slope;

	return distance >= 0 && where >= 0 && where <= 1 ? distance : INFINITY;
}

static float ray_meets_rock(struct rocks *rocks, uint32_t number, const struct ray *ray)
{
	const struct rock *rock = &rocks->rock[number];
	struct vec from = vec_sub(ray->from, rock->at);
	float nearest = INFINITY;

	if (fabsf(vec_cross(ray->direction, from)) > rock->radius)
		return INFINITY; /* passes it by */
	const struct outline *outline = find_outline(rocks, number);
	for (int i = 0; i < CORNERS; i++) {
		float distance = ray_meets_edge(from, ray->direction, outline->corners[i],
		                                outline->corners[(i + 1) % CORNERS]);
		nearest = distance < nearest ? distance : nearest;
	}
	return nearest;
}

static float bvh_walk(struct rocks *rocks, const struct ray *ray, float nearest)
{
	Prof(bvh_walk);
	uint32_t stack[ROCKS_LEVELS + 2] = { 1 };
	unsigned boxes = 0;
	int height = 1;

	while (height) {
		uint32_t node = stack[--height];
		boxes++;
		if (!ray_meets_box(ray, &rocks->box[node], nearest))
			continue;
		if (node < ROCKS) {
			stack[height++] = 2 * node;
			stack[height++] = 2 * node + 1;
		} else {
			float distance = ray_meets_rock(rocks, rocks->order[node - ROCKS], ray);
			nearest = distance < nearest ? distance : nearest;
		}
	}
	rocks->rays++;
	rocks->boxes += boxes;
	return nearest;
}

/* A direction along an axis would divide by zero; this far off it is never seen. */
static float inverse(float x)
{
	return 1 / (fabsf(x) < 1e-9f ? 1e-9f : x);
}

float raycast(struct rocks *rocks, struct vec from, struct vec direction, float length)
{
	Prof(raycast);
	struct ray ray = { from, direction, { inverse(direction.x), inverse(direction.y) } };

	return bvh_walk(rocks, &ray, length);
}

/* SPDX-License-Identifier: MIT */
/* bodies.c: integration with a swept test for the fast ones, and collisions by a grid. */
#include "bodies.h"

#include <string.h>

#include <prof.h>

#include "ray.h"

enum { COLLISION_PASSES = 3 };

static int cell_of(float coordinate)
{
	return (int)clampf(coordinate / CELL_SIZE, 0, CELLS - 1);
}

struct cell_range bodies_around(struct vec at)
{
	return (struct cell_range){ cell_of(at.x - CELL_SIZE), cell_of(at.x + CELL_SIZE),
		                    cell_of(at.y - CELL_SIZE), cell_of(at.y + CELL_SIZE) };
}

/* A counting sort by cell. */
static void sort_grid(struct bodies *b)
{
	Prof(sort_grid);
	int cell[BODIES];

	memset(b->start, 0, sizeof b->start);
	for (int i = 0; i < BODIES; i++) {
		cell[i] = cell_of(b->body[i].at.y) * CELLS + cell_of(b->body[i].at.x);
		b->start[cell[i]]++;
	}
	for (int c = 1; c <= CELLS * CELLS; c++)
		b->start[c] += b->start[c - 1];
	for (int i = BODIES - 1; i >= 0; i--)
		b->items[--b->start[cell[i]]] = i;
}

/* Two that touch are moved apart and exchange what speed they have towards each other. */
static void collide_pair(struct body *a, struct body *b)
{
	struct vec apart = vec_sub(b->at, a->at);
	float reach = a->radius + b->radius, squared = vec_dot(apart, apart);

	if (squared >= reach * reach || squared == 0)
		return;
	float distance = sqrtf(squared);
	struct vec way = vec_scale(apart, 1 / distance);
	float closing = vec_dot(vec_sub(a->velocity, b->velocity), way);
	struct vec push = vec_scale(way, 0.5f * (reach - distance));

	a->at = vec_sub(a->at, push);
	b->at = vec_add(b->at, push);
	if (closing > 0) {
		a->velocity = vec_sub(a->velocity, vec_scale(way, closing));
		b->velocity = vec_add(b->velocity, vec_scale(way, closing));
	}
}

static void collide(struct bodies *b)
{
	Prof(collide);

	for (int i = 0; i < BODIES; i++) {
		struct cell_range r = bodies_around(b->body[i].at);
		for (int y = r.top; y <= r.bottom; y++) {
			for (int k = bodies_row_begin(b, r, y); k < bodies_row_end(b, r, y); k++) {
				if (b->items[k] > i)
					collide_pair(&b->body[i], &b->body[b->items[k]]);
			}
		}
	}
}

/* Back from the edge of the world. */
static void bounce(float *coordinate, float *velocity)
{
	if ((*coordinate < 0 && *velocity < 0) || (*coordinate > WORLD_SIZE && *velocity > 0))
		*velocity = -*velocity;
	*coordinate = clampf(*coordinate, 0, WORLD_SIZE);
}

/* Only what moves by more than its size in a step could pass through a rock unseen. */
static void move(struct body *body, struct rocks *rocks, float seconds)
{
	float speed = vec_length(body->velocity), distance = speed * seconds;

	if (distance > body->radius) {
		struct vec way = vec_scale(body->velocity, 1 / speed);
		float reach = distance + body->radius;
		if (raycast(rocks, body->at, way, reach) < reach) {
			body->velocity = vec_scale(body->velocity, -0.8f);
			return;
		}
	}
	body->at = vec_add(body->at, vec_scale(body->velocity, seconds));
	bounce(&body->at.x, &body->velocity.x);
	bounce(&body->at.y, &body->velocity.y);
}

void physics_update(struct bodies *bodies, struct rocks *rocks, float seconds)
{
	Prof(physics);

	for (int i = 0; i < BODIES; i++)
		move(&bodies->body[i], rocks, seconds);
	for (int pass = 0; pass < COLLISION_PASSES; pass++) {
		sort_grid(bodies);
		collide(bodies);
	}
}

void bodies_init(struct bodies *bodies, uint64_t seed)
{
	for (int i = 0; i < BODIES; i++) {
		float angle = chance_between(&seed, 0, TURN), speed = chance_between(&seed, 10, 70);
		bodies->body[i] = (struct body){
			.at = { chance_between(&seed, 0, WORLD_SIZE), chance_between(&seed, 0, WORLD_SIZE) },
			.velocity = vec_scale(vec_at_angle(angle), speed),
			.radius = chance_between(&seed, 0.4f, 0.9f),
		};
	}
	sort_grid(bodies);
}

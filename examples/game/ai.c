/* SPDX-License-Identifier: MIT */
/* ai.c: looking, steering, and asking for paths. */
#include "ai.h"

#include <prof.h>

#include "ray.h"

#define SIGHT      240.0f /* how far a ship looks; physics looks one step ahead */
#define FAN        2.2f   /* the angle over which it looks, in radians */
#define SHIP_SPEED 40.0f

static float angle_to(struct vec from, struct vec to)
{
	return atan2f(to.y - from.y, to.x - from.x);
}

/* Looks along a fan of rays and heads for where it is open and not too far off the way. */
static void look_ahead(struct agent *agent, const struct body *ship, struct rocks *rocks)
{
	float towards = angle_to(ship->at, agent->waypoint), best = -1;

	for (int i = 0; i < LOOKS; i++) {
		float off = FAN * ((i + 0.5f) / LOOKS - 0.5f);
		struct vec way = vec_at_angle(towards + off);
		float value = raycast(rocks, ship->at, way, SIGHT) * cosf(off);
		if (value > best) {
			best = value;
			agent->heading = way;
		}
	}
}

/* The same rays all around: the result is only shown, so that the world goes the same
 * way however often there is time for this. */
static void look_around(struct agent *agent, const struct body *ship, struct rocks *rocks, int round)
{
	float open = 0;

	for (int i = 0; i < LOOKS; i++) {
		float angle = TURN * (float)i / LOOKS + 0.1f * (float)round;
		open += raycast(rocks, ship->at, vec_at_angle(angle), SIGHT);
	}
	agent->cover = 1 - open / (LOOKS * SIGHT);
}

static void look_for_cover(struct ai *ai, struct bodies *bodies, struct rocks *rocks, uint64_t ns)
{
	uint64_t start = now_ns();

	for (int i = 0; now_ns() - start < ns; i++)
		look_around(&ai->agent[i % AGENTS], &bodies->body[i % AGENTS], rocks, i / AGENTS);
}

/* The push away from neighbours that are near. */
static struct vec keep_clear(const struct bodies *b, int self)
{
	struct vec at = b->body[self].at, push = { 0, 0 };
	struct cell_range r = bodies_around(at);

	for (int y = r.top; y <= r.bottom; y++) {
		for (int k = bodies_row_begin(b, r, y); k < bodies_row_end(b, r, y); k++) {
			struct vec apart = vec_sub(at, b->body[b->items[k]].at);
			float squared = vec_dot(apart, apart);
			if (squared > 0 && squared < CELL_SIZE * CELL_SIZE)
				push = vec_add(push, vec_scale(apart, 4 / squared));
		}
	}
	return push;
}

static void steer(struct ai *ai, struct bodies *bodies)
{
	Prof(steer);

	for (int i = 0; i < AGENTS; i++) {
		struct body *ship = &bodies->body[i];
		struct vec wish = vec_scale(vec_add(ai->agent[i].heading, keep_clear(bodies, i)), SHIP_SPEED);
		ship->velocity = vec_add(vec_scale(ship->velocity, 0.9f), vec_scale(wish, 0.1f));
		float speed = vec_length(ship->velocity);
		if (speed > 2 * SHIP_SPEED)
			ship->velocity = vec_scale(ship->velocity, 2 * SHIP_SPEED / speed);
	}
}

static struct vec somewhere(uint64_t *state)
{
	return (struct vec){ chance_between(state, 0, WORLD_SIZE), chance_between(state, 0, WORLD_SIZE) };
}

static void ask_for_paths(struct ai *ai, const struct bodies *bodies, struct jobs *jobs)
{
	Prof(ask_for_paths);

	for (int i = 0; i < PATHS_A_FRAME; i++) {
		int number = (ai->next + i) % AGENTS;
		struct agent *agent = &ai->agent[number];
		struct vec at = bodies->body[number].at;
		if (vec_length(vec_sub(agent->goal, at)) < 20) {
			Prof_Event(goal_reached);
			agent->goal = somewhere(&ai->state);
		}
		path_ask(&ai->paths[i], &ai->map, at, agent->goal);
		jobs_submit(jobs, &ai->paths[i].job);
	}
}

void ai_update(struct ai *ai, struct bodies *bodies, struct rocks *rocks, struct jobs *jobs,
               uint64_t look_ns)
{
	Prof(ai);

	ask_for_paths(ai, bodies, jobs);
	for (int i = 0; i < AGENTS; i++)
		look_ahead(&ai->agent[i], &bodies->body[i], rocks);
	if (look_ns)
		look_for_cover(ai, bodies, rocks, look_ns);
	steer(ai, bodies);
}

void ai_collect(struct ai *ai)
{
	for (int i = 0; i < PATHS_A_FRAME; i++)
		ai->agent[(ai->next + i) % AGENTS].waypoint = ai->paths[i].waypoint;
	ai->next = (ai->next + PATHS_A_FRAME) % AGENTS;
}

int ai_probe(const struct ai *ai, const struct bodies *bodies, struct rocks *rocks, int every)
{
	int casts = 0;

	for (int i = 0; i < AGENTS; i += every) {
		struct agent agent = ai->agent[i];
		look_ahead(&agent, &bodies->body[i], rocks);
		casts += LOOKS;
	}
	return casts;
}

void ai_init(struct ai *ai, const struct rocks *rocks, uint64_t seed)
{
	ai->state = seed;
	ai->next = 0;
	map_init(&ai->map, rocks);
	for (int i = 0; i < AGENTS; i++) {
		struct vec goal = somewhere(&ai->state);
		ai->agent[i] = (struct agent){ .goal = goal, .waypoint = goal };
	}
}

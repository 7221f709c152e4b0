/* SPDX-License-Identifier: MIT */
/* world.c: the zones update and render, and what is done in which order in them. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include <prof.h>

#define STEP_SECONDS (1.0f / 60)
#define ZOOM         2.0f /* points of the picture for a unit of the world */

static const struct vec station = { WORLD_SIZE / 2, WORLD_SIZE / 2 };

struct world *world_new(uint64_t seed)
{
	struct world *world = malloc(sizeof *world);

	if (!world)
		return NULL;
	Prof_Counter_Add(bytes_used, sizeof *world);
	memset(world, 0, sizeof *world);
	world->jobs = jobs_new(WORKERS);
	if (!world->jobs) {
		Prof_Counter_Add(bytes_used, -(int64_t)sizeof *world);
		free(world);
		return NULL;
	}
	rocks_init(&world->rocks, scramble(seed + 1));
	bodies_init(&world->bodies, scramble(seed + 2));
	ai_init(&world->ai, &world->rocks, scramble(seed + 3));
	clouds_init(world->clouds, scramble(seed + 4));
	scene_init(&world->scene, station, scramble(seed + 5));
	player_init(&world->player, station, scramble(seed + 6));
	return world;
}

void world_free(struct world *world)
{
	jobs_free(world->jobs);
	Prof_Counter_Add(bytes_used, -(int64_t)sizeof *world);
	free(world);
}

static void update_rocks(struct world *world, int exchanges)
{
	uint64_t state = world->frame;

	rocks_move(&world->rocks, STEP_SECONDS);
	if (world->rocks.stale || world->frame % SORT_EVERY == 0) {
		Prof_Event(tree_sorted);
		rocks_sort(&world->rocks);
	}
	if (exchanges)
		rocks_mix(&world->rocks, exchanges, &state);
}

static void count_rays(struct rocks *rocks)
{
	Prof_Counter_Set(rays_cast, rocks->rays);
	if (rocks->rays)
		Prof_Counter_Set(boxes_a_ray, (double)rocks->boxes / rocks->rays);
	rocks->rays = rocks->boxes = 0;
}

void world_update(struct world *world, const struct trouble *trouble)
{
	Prof(update);

	world->frame++;
	clouds_update(world->clouds, &world->bodies, world->jobs, STEP_SECONDS);
	update_rocks(world, trouble->exchanges);
	scene_update(&world->scene, STEP_SECONDS);
	physics_update(&world->bodies, &world->rocks, STEP_SECONDS);
	ai_update(&world->ai, &world->bodies, &world->rocks, world->jobs, trouble->look_ns);
	jobs_wait(world->jobs);
	ai_collect(&world->ai);
	count_rays(&world->rocks);
}

/* Where a place of the world is in the picture, which shows what is around the camera. */
static struct vec on_canvas(const struct world *world, struct vec at)
{
	struct vec off = vec_scale(vec_sub(at, world->player.camera), ZOOM);

	return vec_add(off, (struct vec){ WIDTH / 2, HEIGHT / 2 });
}

static void draw_rocks(struct world *world)
{
	Prof(draw_rocks);
	const struct light grey = { 0.4f, 0.35f, 0.3f };

	for (int i = 0; i < ROCKS; i++) {
		const struct rock *rock = &world->rocks.rock[i];
		canvas_disc(&world->canvas, on_canvas(world, rock->at), ZOOM * rock->radius, grey);
	}
}

static void draw_scene(struct world *world)
{
	Prof(draw_scene);
	const struct light steel = { 0.05f, 0.06f, 0.09f };

	for (int i = 0; i < SCENE_PARTS; i++) {
		const struct part *part = &world->scene.part[i];
		canvas_disc(&world->canvas, on_canvas(world, part->at), ZOOM * part->radius, steel);
	}
}

static void draw_bodies(struct world *world)
{
	Prof(draw_bodies);

	for (int i = 0; i < BODIES; i++) {
		const struct body *body = &world->bodies.body[i];
		struct light light = i < AGENTS ? (struct light){ 1.6f, 0.9f, 0.3f }
		                                : (struct light){ 0.3f, 0.3f, 0.3f };
		canvas_disc(&world->canvas, on_canvas(world, body->at), ZOOM * body->radius, light);
	}
}

static void draw_particles(struct world *world)
{
	Prof(draw_particles);

	for (int c = 0; c < CLOUDS; c++) {
		for (int i = 0; i < PARTICLES; i++) {
			const struct particle *p = &world->clouds[c].particle[i];
			float life = clampf(p->life, 0, 1);
			struct light spark = { 0.5f * life, 0.3f * life, 0.1f };
			canvas_disc(&world->canvas, on_canvas(world, p->at), 0.7f, spark);
		}
	}
}

void world_render(struct world *world)
{
	Prof(render);

	canvas_nebula(&world->canvas, world->player.camera);
	draw_rocks(world);
	draw_scene(world);
	draw_bodies(world);
	draw_particles(world);
	canvas_glow(&world->canvas);
}

/* FNV-1a over whole words. */
static uint64_t sum_words(uint64_t sum, const void *data, size_t size)
{
	uint32_t word;

	for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
		memcpy(&word, (const char *)data + i, sizeof word);
		sum = (sum ^ word) * UINT64_C(1099511628211);
	}
	return sum;
}

uint64_t world_sum(const struct world *world)
{
	uint64_t sum = UINT64_C(14695981039346656037);

	sum = sum_words(sum, world->bodies.body, sizeof world->bodies.body);
	return sum_words(sum, world->canvas.point, sizeof world->canvas.point);
}

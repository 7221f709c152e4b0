/* SPDX-License-Identifier: MIT */
/* hitch.c: chooses when a hitch comes, its kind, and how strong it must be. */
#include <prof.h>
#include "hitch.h"

#define SHORTEST_NS 32e6 /* of the whole frame */
#define LONGEST_NS  46e6

/* The measurement at the start covers only the rays of ai, but those of physics
 * get slower, too. */
#define FIRST_CORRECTION 1.45

enum { FIRST_AFTER = 75, GAP_LEAST = 150, GAP_MOST = 330 }; /* in frames, 60 per second */

/* How many leaves are exchanged at a level: none at 0, then twice as many at
 * each level. */
static int exchanges_at(int level)
{
	return level ? ROCKS >> (HITCH_LEVELS - 1 - level) : 0;
}

static double measure_ray(struct world *world)
{
	uint64_t start = now_ns();
	int casts = ai_probe(&world->ai, &world->bodies, &world->rocks, 4);

	return (double)(now_ns() - start) / casts;
}

static void choose_next(struct hitch *hitch, uint64_t after)
{
	hitch->frame = after + (uint64_t)chance_between(&hitch->state, GAP_LEAST, GAP_MOST);
	hitch->kind = hitch->kind == HITCH_MORE_CALLS ? HITCH_SLOWER_CALLS : HITCH_MORE_CALLS;
}

void hitch_init(struct hitch *hitch, struct world *world, uint64_t seed)
{
	Prof(try_hitches);
	*hitch = (struct hitch){ .state = seed, .frame = FIRST_AFTER, .correction = FIRST_CORRECTION };
	hitch->kind = chance(&hitch->state) % 2 ? HITCH_MORE_CALLS : HITCH_SLOWER_CALLS;
	measure_ray(world); /* warms the caches */
	for (int level = 0; level < HITCH_LEVELS; level++) {
		uint64_t state = seed;
		rocks_mix(&world->rocks, exchanges_at(level), &state);
		hitch->ray_ns[level] = measure_ray(world);
		rocks_sort(&world->rocks);
	}
	world->rocks.rays = world->rocks.boxes = 0; /* the game did not cast these rays */
}

/* Returns how many leaves to exchange, so that a ray takes this much longer
 * than in a sorted tree. */
static int exchanges_for(const struct hitch *hitch, double more_ns)
{
	double price = hitch->ray_ns[0] + more_ns;

	for (int level = 1; level < HITCH_LEVELS; level++) {
		double low = hitch->ray_ns[level - 1], high = hitch->ray_ns[level];
		int few = exchanges_at(level - 1), many = exchanges_at(level);
		if (price < high && low < high)
			return few + (int)((many - few) * (price > low ? price - low : 0) / (high - low)) + 1;
	}
	return exchanges_at(HITCH_LEVELS - 1);
}

struct trouble hitch_begin(struct hitch *hitch, uint64_t frame)
{
	struct trouble trouble = { 0, 0 };

	hitch->now = HITCH_NONE;
	if (frame != hitch->frame)
		return trouble;
	hitch->now = hitch->kind;
	hitch->count++;
	Prof_Event(hitch_begins);
	double length_ns = chance_between(&hitch->state, SHORTEST_NS, LONGEST_NS);
	hitch->wanted_ns = length_ns > hitch->usual_ns ? length_ns - hitch->usual_ns : 0;
	if (hitch->now == HITCH_MORE_CALLS)
		trouble.look_ns = (uint64_t)hitch->wanted_ns;
	else
		trouble.exchanges = exchanges_for(hitch, hitch->wanted_ns / hitch->correction /
		                                                 (AGENTS * LOOKS));
	choose_next(hitch, frame);
	return trouble;
}

void hitch_end(struct hitch *hitch, double work_ns)
{
	double more_ns = work_ns - hitch->usual_ns;

	if (hitch->now != HITCH_NONE)
		Prof_Note("hitch %u: %.1f ms of work, %.1f %s than usual", hitch->count, 1e-6 * work_ns,
		          1e-6 * fabs(more_ns), more_ns < 0 ? "less" : "more");
	if (hitch->now == HITCH_NONE) /* a frame that another program delayed must not change the mean much */
		hitch->usual_ns += hitch->usual_ns > 0 ? 0.05 * fmin(more_ns, hitch->usual_ns) : work_ns;
	else if (hitch->now == HITCH_SLOWER_CALLS && hitch->wanted_ns > 0 && more_ns > 0)
		hitch->correction *= sqrt(fmin(fmax(more_ns / hitch->wanted_ns, 0.5), 2));
}

/* SPDX-License-Identifier: MIT */
/* path: the cheapest way through the field, found by a worker.
 *
 * The map is made once, of tiles that cost the more the more rocks are in them, and
 * only read afterwards.  A path job carries its question, its answer and all that it
 * writes on, so any number of them may run at a time.
 */
#ifndef GAME_PATH_H
#define GAME_PATH_H

#include <stdbool.h>

#include "jobs.h"
#include "rocks.h"

enum { TILES = 64, TILE_COUNT = TILES * TILES, PATH_AHEAD = 6 };

struct map {
	int cost[TILE_COUNT]; /* of entering the tile */
};

/* An entry of the heap; outdated ones stay in it until they come up. */
struct path_open {
	int cost; /* so far, and the least that may follow */
	int tile;
};

struct path_job {
	struct job job;
	const struct map *map;
	struct vec from, to;
	struct vec waypoint; /* the answer: PATH_AHEAD tiles on, or to */
	int cost[TILE_COUNT];
	int came_from[TILE_COUNT];
	bool closed[TILE_COUNT];
	struct path_open open[8 * TILE_COUNT]; /* each tile is opened at most once a neighbour */
	int open_count;
};

void map_init(struct map *map, const struct rocks *rocks);

/* Makes the job one that finds the way between two points; submit it. */
void path_ask(struct path_job *path, const struct map *map, struct vec from, struct vec to);

#endif

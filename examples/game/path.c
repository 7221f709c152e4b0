/* SPDX-License-Identifier: MIT */
/* path.c: A* on the tiles, eight neighbours each, with a binary heap. */
#include "path.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <prof.h>

#define TILE_SIZE (WORLD_SIZE / TILES)

enum { STRAIGHT = 10, DIAGONAL = 14 }; /* a step over free tiles; 14 / 10 is about √2 */

static int tile_at(struct vec at)
{
	int x = (int)clampf(at.x / TILE_SIZE, 0, TILES - 1);
	int y = (int)clampf(at.y / TILE_SIZE, 0, TILES - 1);

	return y * TILES + x;
}

static struct vec tile_middle(int tile)
{
	struct vec corner = { (float)(tile % TILES), (float)(tile / TILES) };

	return vec_scale(vec_add(corner, (struct vec){ 0.5f, 0.5f }), TILE_SIZE);
}

void map_init(struct map *map, const struct rocks *rocks)
{
	memset(map, 0, sizeof *map);
	for (int i = 0; i < ROCKS; i++)
		map->cost[tile_at(rocks->rock[i].at)] += 4;
}

/* The least that the way between two tiles can cost. */
static int least_cost(int from, int to)
{
	int x = abs(from % TILES - to % TILES), y = abs(from / TILES - to / TILES);
	int both = x < y ? x : y;

	return DIAGONAL * both + STRAIGHT * (x + y - 2 * both);
}

static void heap_push(struct path_job *p, struct path_open entry)
{
	int at = p->open_count++;

	for (; at > 0 && entry.cost < p->open[(at - 1) / 2].cost; at = (at - 1) / 2)
		p->open[at] = p->open[(at - 1) / 2];
	p->open[at] = entry;
}

static struct path_open heap_pop(struct path_job *p)
{
	struct path_open first = p->open[0], last = p->open[--p->open_count];
	int at = 0, child;

	while ((child = 2 * at + 1) < p->open_count) {
		if (child + 1 < p->open_count && p->open[child + 1].cost < p->open[child].cost)
			child++;
		if (last.cost <= p->open[child].cost)
			break;
		p->open[at] = p->open[child];
		at = child;
	}
	p->open[at] = last;
	return first;
}

static void open_neighbours(struct path_job *p, int tile, int goal)
{
	int x = tile % TILES, y = tile / TILES;

	for (int ny = y > 0 ? y - 1 : y; ny <= y + 1 && ny < TILES; ny++) {
		for (int nx = x > 0 ? x - 1 : x; nx <= x + 1 && nx < TILES; nx++) {
			int next = ny * TILES + nx;
			int step = nx != x && ny != y ? DIAGONAL : STRAIGHT;
			int cost = p->cost[tile] + step + p->map->cost[next];
			if (p->closed[next] || cost >= p->cost[next])
				continue;
			p->cost[next] = cost;
			p->came_from[next] = tile;
			heap_push(p, (struct path_open){ cost + least_cost(next, goal), next });
		}
	}
}

static void search(struct path_job *p, int start, int goal)
{
	Prof(search);

	memset(p->closed, 0, sizeof p->closed);
	for (int i = 0; i < TILE_COUNT; i++)
		p->cost[i] = INT_MAX;
	p->open_count = 0;
	p->cost[start] = 0;
	p->came_from[start] = start;
	heap_push(p, (struct path_open){ least_cost(start, goal), start });
	while (p->open_count) {
		int tile = heap_pop(p).tile;
		if (tile == goal)
			return;
		if (!p->closed[tile]) {
			p->closed[tile] = true;
			open_neighbours(p, tile, goal);
		}
	}
}

/* Back from the goal, to where one is to fly first. */
static struct vec follow(const struct path_job *p, int start, int goal)
{
	Prof(follow);
	int steps = 0;

	for (int tile = goal; tile != start; tile = p->came_from[tile])
		steps++;
	if (steps <= PATH_AHEAD)
		return p->to;
	int tile = goal;
	for (; steps > PATH_AHEAD; steps--)
		tile = p->came_from[tile];
	return tile_middle(tile);
}

static void find_path(struct job *job)
{
	Prof(find_path);
	struct path_job *p = (struct path_job *)((char *)job - offsetof(struct path_job, job));
	int start = tile_at(p->from), goal = tile_at(p->to);

	search(p, start, goal);
	p->waypoint = follow(p, start, goal);
	Prof_Counter_Add(paths_found, 1);
}

void path_ask(struct path_job *path, const struct map *map, struct vec from, struct vec to)
{
	path->job.run = find_path;
	path->map = map;
	path->from = from;
	path->to = to;
}

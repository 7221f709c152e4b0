/* SPDX-License-Identifier: MIT */
#include "io/region/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

bool node_tree_add(struct node_tree *t, uint32_t parent, struct node_zone of)
{
	if (!array_reserve(&t->places, &t->capacity, (uint64_t)t->count + 1, sizeof(*t->places)))
		return false;
	t->places[t->count] = (struct node_place){ parent < t->count ? parent : 0, of };
	t->count++;
	return true;
}

void node_tree_fini(struct node_tree *t)
{
	free(t->places);
	*t = (struct node_tree){ 0 };
}

static bool map_reach(struct node_map *m, uint32_t node)
{
	if (!array_reserve(&m->of, &m->capacity, (uint64_t)node + 1, sizeof(*m->of)))
		return false;
	while (m->count <= node)
		m->of[m->count++] = PROFILE_NONE;
	return true;
}

bool node_map_begin(struct node_map *m, uint32_t root)
{
	m->count = 0;
	if (!map_reach(m, 0))
		return false;
	m->of[0] = root;
	return true;
}

void node_map_fini(struct node_map *m)
{
	free(m->of);
	*m = (struct node_map){ 0 };
}

static bool same_path(const void *context, uint32_t index, const void *wanted)
{
	const struct node_path *path = &((const struct node_paths *)context)->found[index];
	const struct node_path *want = wanted;

	return path->parent == want->parent && path->zone == want->zone && path->line == want->line;
}

static uint32_t child_by_path(struct node_paths *paths, struct profile *p, uint32_t parent, struct node_zone of)
{
	struct node_path path = { parent, of.zone, of.line, PROFILE_NONE };
	uint32_t hash = lookup_hash(lookup_hash(of.line, &parent, sizeof(parent)), &of.zone, sizeof(of.zone));
	uint32_t index = lookup_find(&paths->children, hash, same_path, paths, &path);

	if (index != LOOKUP_NONE)
		return paths->found[index].node;
	if (!lookup_reserve(&paths->children) ||
	    !array_reserve(&paths->found, &paths->capacity, (uint64_t)paths->count + 1,
			   sizeof(*paths->found)))
		return PROFILE_NONE;
	path.node = profile_add_line_node(p, parent, of.zone, of.line);
	if (path.node == PROFILE_NONE)
		return PROFILE_NONE;
	lookup_add(&paths->children, hash, paths->count);
	paths->found[paths->count++] = path;
	return path.node;
}

void node_paths_fini(struct node_paths *paths)
{
	lookup_fini(&paths->children);
	free(paths->found);
	*paths = (struct node_paths){ 0 };
}

/* Makes those around it from the outermost on, or from `outermost` if that is among them. */
static uint32_t make_node(struct profile *p, const struct node_zone *around, struct node_paths *paths, uint32_t parent,
			  struct node_zone of, uint32_t outermost)
{
	if (of.around != PROFILE_NONE && of.zone != outermost)
		parent = make_node(p, around, paths, parent, around[of.around], outermost);
	if (parent == PROFILE_NONE)
		return PROFILE_NONE;
	return paths ? child_by_path(paths, p, parent, of) : profile_add_line_node(p, parent, of.zone, of.line);
}

/* How many nodes from `node` upwards are not mapped. The root always is. */
static uint32_t unmapped_above(const struct node_map *m, const struct node_tree *t, uint32_t node)
{
	uint32_t count = 0;

	for (; m->of[node] == PROFILE_NONE; node = t->places[node].parent)
		count++;
	return count;
}

static bool is_function(const struct profile *p, const struct node_tree *t, uint32_t node)
{
	return node && p->zones[t->places[node].of.zone].flags & ZONE_FUNCTION;
}

/* `/src/game/ray.c` and `game/ray.c`, or `../game/ray.c`. */
static bool same_file(const char *whole, const char *end)
{
	while (!strncmp(end, "../", 3) || !strncmp(end, "./", 2))
		end = strchr(end, '/') + 1;

	size_t length = strlen(end), more = strlen(whole);

	return length && more >= length && !strcmp(whole + more - length, end) &&
	       (more == length || *end == '/' || whole[more - length - 1] == '/');
}

/* The stack of a sample has all functions from main on. Those that called the function in which the zone was entered are
 * outside of the zone. That function is the nearest above the zone's line. So a function begins at the zone if it is nearer
 * than all that called it: then a node's place depends on those above it, and not on which sample came first. */
struct entering {
	uint32_t below; /* the zone's node */
	uint32_t line;  /* of the nearest function as yet; 0: none */
	uint32_t zone;  /* of that function */
};

/* Whether one of the functions of a node is nearer than those before. */
static bool find_nearer(const struct profile *p, const struct node_tree *t, const struct node_zone *around, uint32_t node,
			struct entering *e)
{
	const struct profile_zone *entered = &p->zones[t->places[e->below].of.zone];
	uint32_t before = e->line;

	for (struct node_zone of = t->places[node].of;; of = around[of.around]) {
		const struct profile_zone *function = &p->zones[of.zone];

		if (function->line > before && function->line >= e->line && function->line <= entered->line &&
		    same_file(function->file, entered->file)) {
			e->line = function->line;
			e->zone = of.zone;
		}
		if (of.around == PROFILE_NONE)
			return e->line > before;
	}
}

#define FUNCTIONS_MOST 64 /* a sample has fewer; damaged trees may have more, and to go through all for each takes minutes */

/* What the functions from `node` up to its zone say. */
static struct entering entering_above(const struct profile *p, const struct node_tree *t, const struct node_zone *around,
				      uint32_t node)
{
	struct entering e = { node, 0, PROFILE_NONE };
	unsigned count = 0;

	for (; is_function(p, t, e.below); e.below = t->places[e.below].parent)
		if (++count > FUNCTIONS_MOST)
			return (struct entering){ e.below, UINT32_MAX, PROFILE_NONE };
	for (; node != e.below; node = t->places[node].parent)
		find_nearer(p, t, around, node, &e);
	return e;
}

/* Trees may be as deep as they have nodes, so those above a node are made in a loop. The nodes of callers outside of the zone
 * are made, too, and have nothing in them. */
static bool map_chain(struct node_map *m, struct profile *p, const struct node_tree *t, const struct node_zone *around,
		      struct node_paths *paths, uint32_t node)
{
	uint32_t count = unmapped_above(m, t, node), i = count;
	uint32_t *chain = array_zeroed(count, sizeof(*chain));
	struct entering e = { 0 };
	bool done = chain;

	for (uint32_t n = node; done && i > 0; n = t->places[n].parent)
		chain[--i] = n;
	if (done)
		e = entering_above(p, t, around, t->places[chain[0]].parent);
	for (; done && i < count; i++) {
		const struct node_place *place = &t->places[chain[i]];
		bool function = is_function(p, t, chain[i]), first = function && find_nearer(p, t, around, chain[i], &e);

		if (!function)
			e = (struct entering){ chain[i], 0, PROFILE_NONE };
		m->of[chain[i]] = make_node(p, around, paths, m->of[first ? e.below : place->parent], place->of,
					    first ? e.zone : PROFILE_NONE);
		done = m->of[chain[i]] != PROFILE_NONE;
	}
	free(chain);
	return done;
}

uint32_t node_map_find(struct node_map *m, struct profile *p, const struct node_tree *t, const struct node_zone *around,
		       struct node_paths *paths, uint32_t node)
{
	if (node >= t->count || !m->count || !map_reach(m, node))
		return PROFILE_NONE;
	if (m->of[node] == PROFILE_NONE && !map_chain(m, p, t, around, paths, node))
		return PROFILE_NONE;
	return m->of[node];
}

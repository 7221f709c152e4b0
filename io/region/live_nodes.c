/* SPDX-License-Identifier: MIT */
/*
 * live_nodes: ids of the region, turned into zones and nodes of the profile.
 *
 * A node that is damaged becomes the zone `(damaged)`.
 */
#include "io/region/live_inside.h"

#include <string.h>

#include "model/base/array.h"

static uint32_t damaged_zone(struct live *l)
{
	if (l->damaged_zone == PROFILE_NONE)
		l->damaged_zone = profile_add_zone(l->source.profile, "(damaged)", "", 0, 0);
	return l->damaged_zone;
}

#define TOLD_AGAIN 8 /* a file's name is there once, whatever zones are in it */

/* No region may make names of gigabytes by telling of the same bytes again and again. */
bool live_name_fits(struct live *l, const char *name, const char *file)
{
	uint64_t bytes = strlen(name) + strlen(file);

	if (l->name_bytes + bytes > TOLD_AGAIN * (uint64_t)l->a.string_bytes)
		return false;
	l->name_bytes += bytes;
	return true;
}

/* A damaged one is known by nothing but its address. */
static uint32_t read_module(struct live *l, uint32_t index)
{
	struct snapshot_module module;
	char text[2 * (REGION_TEXT_MOST + 1)]; /* path and build id */

	if (!snapshot_module(&l->a, index, &module, text, sizeof(text)) || !live_name_fits(l, module.path, module.build))
		module.path = module.build = "";
	return profile_add_module(l->source.profile, module.path, module.build, module.address, module.size);
}

/* The innermost of these functions, with the others around it. */
static struct node_zone add_functions(struct live *l, const struct symbol *found, uint32_t count, uint32_t flags)
{
	struct node_zone of = { .zone = PROFILE_NONE, .around = PROFILE_NONE };

	for (uint32_t i = 0; i < count; i++) {
		if (i) {
			if (!array_reserve(&l->around, &l->around_capacity, l->around_count + 1ull, sizeof(*l->around)))
				return (struct node_zone){ .zone = PROFILE_NONE, .around = PROFILE_NONE };
			l->around[l->around_count] = of;
			of.around = l->around_count++;
		}
		of.zone = profile_add_zone(l->source.profile, found[i].name, found[i].file, found[i].line, flags);
		of.line = found[i].at;
		if (of.zone == PROFILE_NONE)
			break;
	}
	return of;
}

static struct node_zone alone(uint32_t zone)
{
	return (struct node_zone){ .zone = zone, .around = PROFILE_NONE };
}

struct symbols *live_symbols(struct live *l)
{
	if (!l->symbols)
		l->symbols = symbols_new();
	return l->symbols;
}

struct node_zone live_code_zone_named(struct live *l, const struct code_zone *z, const struct symbol *found, uint32_t count)
{
	if (count)
		return add_functions(l, found, count, z->flags);
	if (*z->module.path == '[') /* no file */
		return alone(profile_add_zone(l->source.profile, z->module.path, "", 0, z->flags));
	return alone(profile_add_address_zone(l->source.profile, z->index, z->offset, z->flags));
}

static uint32_t flags_of(const struct snapshot_zone *zone)
{
	return zone->flags & REGION_ZONE_WAITING ? ZONE_WAITING : 0u;
}

/* A zone without a name of its own gets that of its function. False: it is
 * none, or there is no memory. */
static bool is_code(struct live *l, uint32_t id, const struct snapshot_zone *zone, struct code_zone *out)
{
	uint32_t *module;

	if (*zone->name || zone->module == UINT32_MAX)
		return false;
	module = &l->modules[zone->module];
	if (*module == PROFILE_NONE)
		*module = read_module(l, zone->module);
	*out = (struct code_zone){ .id = id, .index = *module, .offset = zone->offset, .flags = flags_of(zone) | ZONE_FUNCTION };
	if (*module != PROFILE_NONE)
		out->module = l->source.profile->modules[*module];
	return *module != PROFILE_NONE;
}

bool live_code_zone(struct live *l, uint32_t id, struct code_zone *out)
{
	struct snapshot_zone zone;
	char text[2 * (REGION_TEXT_MOST + 1)];

	return snapshot_zone(&l->a, id - 1, &zone, text, sizeof(text)) && is_code(l, id, &zone, out);
}

static struct node_zone read_zone(struct live *l, uint32_t id)
{
	struct snapshot_zone zone;
	struct code_zone code;
	struct node_zone of;
	char text[2 * (REGION_TEXT_MOST + 1)]; /* name and file */
	struct symbol found[SYMBOLS_MOST];
	uint32_t count;

	if (!snapshot_zone(&l->a, id - 1, &zone, text, sizeof(text)) ||
	    !live_name_fits(l, zone.name, zone.file))
		return alone(damaged_zone(l));
	if (!is_code(l, id, &zone, &code))
		return alone(*zone.name || zone.module == UINT32_MAX
				     ? profile_add_zone(l->source.profile, zone.name, zone.file, zone.line, flags_of(&zone))
				     : PROFILE_NONE);
	count = live_symbols(l) ? symbols_find(l->symbols, &code.module, code.index, l->source.profile->process.started_ns,
					       code.offset, found)
				: 0;
	of = live_code_zone_named(l, &code, found, count);
	symbols_forget(found, count);
	atomic_fetch_add_explicit(&l->source.looked_up, 1, memory_order_relaxed);
	return of;
}

static struct node_zone zone_of(struct live *l, uint32_t id)
{
	if (id == REGION_NO_ZONE || id >= l->zone_room)
		return alone(damaged_zone(l));
	if (l->zones[id].zone == PROFILE_NONE)
		l->zones[id] = read_zone(l, id);
	return l->zones[id];
}

uint32_t live_zone(struct live *l, uint32_t id)
{
	return zone_of(l, id).zone;
}

/* Takes in the places of all nodes below `least`, with all others that there are: to come to a block's nodes is a walk
 * from the newest on, and is not done for each of them. */
static bool tree_reach(struct live *l, struct block *b, uint32_t least)
{
	uint32_t first = b->tree.count, count, damaged = 0;

	if (least <= first)
		return true;
	count = snapshot_node_number(&l->a, b->index);
	if (count < least)
		count = least;
	if (!live_held(l, array_reserve(&l->places, &l->place_capacity, count - first,
					sizeof(*l->places))))
		return false;
	memset(l->places, 0, (count - first) * sizeof(*l->places));
	snapshot_nodes(&l->a, b->index, first, count, l->places, &damaged);
	l->damaged_nodes += damaged;
	for (uint32_t i = first; i < count; i++) {
		struct node_zone of = i ? zone_of(l, l->places[i - first].zone) : alone(PROFILE_NO_ZONE);

		if (!live_held(l, of.zone != PROFILE_NONE && node_tree_add(&b->tree, l->places[i - first].parent, of)))
			return false;
	}
	return true;
}

/* The node of the profile for a node of the block, of its owner or of those that ended. */
uint32_t live_node(struct live *l, struct block *b, bool owner, uint32_t node)
{
	struct node_map *map = owner ? &b->own : &b->ended;
	uint32_t found = node_map_known(map, node);

	if (found != PROFILE_NONE)
		return found;
	if (!tree_reach(l, b, node + 1))
		return PROFILE_NONE;
	found = node_map_find(map, l->source.profile, &b->tree, l->around, owner ? NULL : &l->ended_paths,
			      node);
	live_held(l, found != PROFILE_NONE);
	return found;
}

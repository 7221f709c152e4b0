/* SPDX-License-Identifier: MIT */
#include "model/profile/profile_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

bool profile_text(char **field, const char *text)
{
	char *copy = strdup(text ? text : "");

	if (!copy)
		return false;
	free(*field);
	*field = copy;
	return true;
}

/* Zones */

struct place {
	const char *name;
	const char *file;
	uint32_t line;
	bool is_function;
};

/* A function may have the name and even the line of a zone inside it. They are
 * two. */
static bool is_function(const struct profile_zone *zone)
{
	return zone->flags & ZONE_FUNCTION;
}

static bool same_place(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_zone *zone = &((const struct profile *)context)->zones[index];
	const struct place *place = wanted;

	/* `(no zone)` is nobody's: a zone of the program may have this name, and is another one */
	return index != PROFILE_NO_ZONE && !zone->module && zone->line == place->line &&
	       is_function(zone) == place->is_function && !strcmp(zone->name, place->name) && !strcmp(zone->file, place->file);
}

static bool same_name(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_zone *zone = &((const struct profile *)context)->zones[index], *like = wanted;

	return is_function(zone) == is_function(like) && !strcmp(zone->name, like->name);
}

static uint32_t name_hash(const struct profile_zone *zone)
{
	return lookup_hash(is_function(zone), zone->name, strlen(zone->name));
}

static uint32_t place_hash(const struct place *place)
{
	uint32_t hash = lookup_hash(place->line + (place->is_function ? 1u << 31 : 0), place->name, strlen(place->name));

	return lookup_hash(hash, place->file, strlen(place->file));
}

/* Rings of zones that share a name, or a place by their renames. The table has one zone of each ring: then no
 * change takes longer for being of a large ring. */

static struct profile_ring *ring_of(struct profile *p, uint32_t zone, bool of_names)
{
	return of_names ? &p->zones[zone].same_name : &p->zones[zone].same_place;
}

/* `first` is the ring's zone in the table, or LOOKUP_NONE: then the ring begins with this zone. */
static void join_ring(struct profile *p, struct lookup *l, uint32_t hash, uint32_t first, uint32_t zone)
{
	bool of_names = l == &p->store->zones_by_name;
	uint32_t before = first == LOOKUP_NONE ? zone : ring_of(p, first, of_names)->before;

	*ring_of(p, zone, of_names) = (struct profile_ring){ before, first == LOOKUP_NONE ? zone : first };
	if (first == LOOKUP_NONE) {
		lookup_add(l, hash, zone);
		return;
	}
	ring_of(p, before, of_names)->behind = zone;
	ring_of(p, first, of_names)->before = zone;
}

static bool is_zone(const void *context, uint32_t index, const void *wanted)
{
	(void)context;
	return index == *(const uint32_t *)wanted;
}

/* The zone behind it takes its place in the table. */
static void leave_ring(struct profile *p, struct lookup *l, uint32_t hash, uint32_t zone)
{
	bool of_names = l == &p->store->zones_by_name;
	struct profile_ring ring = *ring_of(p, zone, of_names);

	ring_of(p, ring.before, of_names)->behind = ring.behind;
	ring_of(p, ring.behind, of_names)->before = ring.before;
	if (lookup_find(l, hash, is_zone, p, &zone) == LOOKUP_NONE)
		return;
	lookup_remove(l, hash, zone);
	if (ring.behind != zone)
		lookup_add(l, hash, ring.behind);
}

static void join_name(struct profile *p, uint32_t zone)
{
	struct profile_zone *z = &p->zones[zone];
	uint32_t hash = name_hash(z);

	join_ring(p, &p->store->zones_by_name, hash, lookup_find(&p->store->zones_by_name, hash, same_name, p, z), zone);
	z->name_clash = z->same_name.before != zone;
	p->zones[z->same_name.before].name_clash = p->zones[z->same_name.behind].name_clash = z->name_clash;
}

static void leave_name(struct profile *p, uint32_t zone)
{
	struct profile_zone *z = &p->zones[zone], *behind = &p->zones[z->same_name.behind];

	leave_ring(p, &p->store->zones_by_name, name_hash(z), zone);
	behind->name_clash = behind->same_name.behind != z->same_name.behind;
}

static bool zone_room(struct profile *p)
{
	return array_reserve(&p->zones, &p->store->zone_capacity, (uint64_t)p->zone_count + 1,
			     sizeof(*p->zones)) &&
	       lookup_reserve(&p->store->zones_by_place) &&
	       lookup_reserve(&p->store->zones_by_name);
}

/* A new zone, which is found by `hash`. */
static uint32_t append_zone(struct profile *p, struct profile_zone zone, const char *name, const char *file, uint32_t hash)
{
	if (!zone_room(p))
		return PROFILE_NONE;
	zone.name = strdup(name);
	zone.file = strdup(file);
	if (!zone.name || !zone.file) {
		free(zone.name);
		free(zone.file);
		return PROFILE_NONE;
	}
	p->zones[p->zone_count] = zone;
	join_ring(p, &p->store->zones_by_place, hash, LOOKUP_NONE, p->zone_count);
	join_name(p, p->zone_count);
	return p->zone_count++;
}

uint32_t profile_add_zone(struct profile *p, const char *name, const char *file, uint32_t line,
			  uint32_t flags)
{
	struct place place = { name, file ? file : "", line, flags & ZONE_FUNCTION };
	uint32_t hash = place_hash(&place);
	uint32_t index = lookup_find(&p->store->zones_by_place, hash, same_place, p, &place);

	if (index == LOOKUP_NONE)
		return append_zone(p, (struct profile_zone){ .line = line, .flags = flags }, place.name,
				   place.file, hash);
	p->zones[index].flags |= flags;
	return index;
}

/* Zones that are addresses */

uint32_t profile_add_module(struct profile *p, const char *path, const char *build, uint64_t address, uint64_t size)
{
	struct profile_module module = { .address = address, .size = size };

	for (uint32_t i = 0; i < p->module_count; i++)
		if (!strcmp(p->modules[i].path, path) && !strcmp(p->modules[i].build, build) &&
		    p->modules[i].address == address)
			return i;
	if (!array_reserve(&p->modules, &p->store->module_capacity, (uint64_t)p->module_count + 1, sizeof(*p->modules)) ||
	    !profile_text(&module.path, path) || !profile_text(&module.build, build)) {
		free(module.path);
		return PROFILE_NONE;
	}
	p->modules[p->module_count] = module;
	return p->module_count++;
}

static bool same_address(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_zone *zone = &((const struct profile *)context)->zones[index], *like = wanted;

	return zone->module == like->module && zone->offset == like->offset;
}

static const char *file_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

uint32_t profile_add_address_zone(struct profile *p, uint32_t module, uint64_t offset, uint32_t flags)
{
	struct profile_zone zone = { .flags = flags, .module = module + 1, .offset = offset };
	uint32_t hash = lookup_hash(module, &offset, sizeof(offset)), index;
	char *name;

	if (module >= p->module_count)
		return PROFILE_NONE;
	index = lookup_find(&p->store->zones_by_place, hash, same_address, p, &zone);
	if (index != LOOKUP_NONE)
		return index;
	if (asprintf(&name, "%s+0x%" PRIx64, file_of_path(p->modules[module].path), offset) < 0)
		return PROFILE_NONE;
	index = append_zone(p, zone, name, "", hash);
	free(name);
	return index;
}

/* From now on it is found by its new place alone, unless another zone is found there. Entries of places and names
 * that a zone had before would make the tables grow with each rename, and slow. */
bool profile_rename_zone(struct profile *p, uint32_t zone, const char *name, const char *file, uint32_t line)
{
	struct place place = { name, file ? file : "", line, false }, old;
	struct lookup *places = &p->store->zones_by_place;
	uint32_t hash;
	char *new_name, *new_file;
	struct profile_zone *z;

	if (zone == PROFILE_NO_ZONE || zone >= p->zone_count || !zone_room(p))
		return false;
	new_name = strdup(place.name);
	new_file = strdup(place.file);
	if (!new_name || !new_file) {
		free(new_name);
		free(new_file);
		return false;
	}
	z = &p->zones[zone];
	place.is_function = is_function(z);
	old = (struct place){ z->name, z->file, z->line, place.is_function };
	hash = place_hash(&place);
	leave_name(p, zone);
	if (!z->module) {
		leave_ring(p, places, place_hash(&old), zone);
		join_ring(p, places, hash, lookup_find(places, hash, same_place, p, &place), zone);
	}
	free(z->name);
	free(z->file);
	z->name = new_name;
	z->file = new_file;
	z->line = line;
	join_name(p, zone);
	p->zones_renamed++;
	return true;
}

bool profile_name_clashes(const struct profile *p, uint32_t zone)
{
	struct profile_zone like = p->zones[zone];

	if (!is_function(&like) || like.name_clash)
		return like.name_clash;
	like.flags = 0;
	return lookup_find(&p->store->zones_by_name, name_hash(&like), same_name, p, &like) != LOOKUP_NONE;
}

/* Nodes */

uint32_t profile_append_node(struct profile *p, uint32_t parent, uint32_t zone, uint32_t thread)
{
	uint64_t need = (uint64_t)p->node_count + 1;

	if (!array_reserve(&p->nodes, &p->store->node_capacity, need, sizeof(*p->nodes)) ||
	    !array_reserve(&p->totals, &p->store->total_capacity, need, sizeof(*p->totals)))
		return PROFILE_NONE;
	p->nodes[p->node_count] = (struct profile_node){ .parent = parent, .zone = zone, .thread = thread, .heir = PROFILE_NONE };
	p->totals[p->node_count] = (struct profile_total){ 0 };
	return p->node_count++;
}

uint32_t profile_add_node(struct profile *p, uint32_t parent, uint32_t zone)
{
	if (parent >= p->node_count || zone >= p->zone_count || zone == PROFILE_NO_ZONE)
		return PROFILE_NONE;
	return profile_append_node(p, parent, zone, p->nodes[parent].thread);
}

uint32_t profile_add_line_node(struct profile *p, uint32_t parent, uint32_t zone, uint32_t line)
{
	uint32_t node = profile_add_node(p, parent, zone);

	if (node != PROFILE_NONE)
		p->nodes[node].line = line;
	return node;
}

void profile_set_total(struct profile *p, uint32_t node, int64_t self, int64_t count,
		       int64_t longest)
{
	if (node < p->node_count)
		p->totals[node] = (struct profile_total){ .self = self, .count = count, .longest = longest };
}

/* Raises *running by `more`, as far as there is room below `total`; returns what is left. */
static int64_t add_running(int64_t *running, int64_t total, int64_t more)
{
	int64_t room = total > *running ? total - *running : 0, some = more < room ? more : room;

	if (more <= 0)
		return 0;
	*running += some;
	return more - some;
}

void profile_add_running(struct profile *p, uint32_t node, int64_t self, int64_t count)
{
	for (int i = 0; i < 2 && node < p->node_count; i++, node = p->nodes[node].heir) {
		struct profile_total *t = &p->totals[node];

		self = add_running(&t->running_self, t->self, self);
		count = add_running(&t->running_count, t->count, count);
	}
}

void profile_pass_total(struct profile *p, uint32_t node, uint32_t heir)
{
	if (node >= p->node_count || heir >= p->node_count)
		return;
	p->totals[node] = (struct profile_total){ 0 };
	for (uint32_t i = MEASURES_CORE; i < p->measure_count; i++)
		if (node < p->store->amounts[i].node_count)
			p->store->amounts[i].by_node[node] = 0;
	p->nodes[node].heir = heir;
	p->nodes[node].passed++;
}

/* Losses */

static struct profile_loss *loss_find(struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, key))
			return &p->losses[i];
	return NULL;
}

bool profile_set_loss(struct profile *p, const char *key, const char *sentence, uint64_t count)
{
	struct profile_loss loss = { .count = count };
	struct profile_loss *known = loss_find(p, key);

	if (known) {
		known->count = count;
		return true;
	}
	if (!array_reserve(&p->losses, &p->store->loss_capacity, (uint64_t)p->loss_count + 1,
			   sizeof(*p->losses)))
		return false;
	if (!profile_text(&loss.key, key) || !profile_text(&loss.sentence, sentence)) {
		free(loss.key);
		return false;
	}
	p->losses[p->loss_count++] = loss;
	return true;
}

bool profile_loss_is_of_old_calls(const struct profile_loss *loss)
{
	return !strcmp(loss->key, "calls_room") || !strcmp(loss->key, "region_room");
}

uint64_t profile_loss_total(const struct profile *p)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!profile_loss_is_of_old_calls(&p->losses[i]))
			total += p->losses[i].count;
	return total;
}

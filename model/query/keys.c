/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf */
#endif
#include "model/query/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/base/search.h"
#include "model/base/text.h"

/* Zones are sorted by name, line and file, files from their ends. So the file
 * that shares most components with a zone's file is beside it. */

static size_t common_tail(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), common = 0;

	while (common < i && common < j && a[i - 1 - common] == b[j - 1 - common])
		common++;
	return common;
}

/* Ranks the byte before a common tail of this length: the start of the name, then `/`, then all others. So files
 * whose tails agree in whole components are neighbours. */
static int before_tail(const char *file, size_t tail)
{
	size_t length = strlen(file);
	unsigned char byte = length > tail ? (unsigned char)file[length - tail - 1] : 0;

	return byte == '/' ? 1 : byte ? 2 + byte : 0;
}

static int compare_places(const void *x, const void *y)
{
	const struct profile_zone *a = ((const struct zone_place *)x)->zone, *b = ((const struct zone_place *)y)->zone;
	int names = strcmp(a->name, b->name);
	size_t tail;

	if (names || a->line != b->line)
		return names ? names : a->line < b->line ? -1 : 1;
	tail = common_tail(a->file, b->file);
	return before_tail(a->file, tail) - before_tail(b->file, tail);
}

/* Where in the file the shortest tail begins that the other one does not end
 * with. */
static size_t told_from(const char *file, const char *other)
{
	size_t tail = common_tail(file, other), at = strlen(file) - tail;

	if (at && file[at - 1] == '/' && tail == strlen(other))
		at--; /* it does end with it */
	while (at && file[at - 1] != '/')
		at--;
	return at;
}

static void tell_from(struct zone_place *place, const struct zone_place *neighbour)
{
	const struct profile_zone *a = place->zone, *b = neighbour->zone;
	size_t from;

	if (strcmp(a->name, b->name) != 0)
		return;
	place->shared = true;
	from = a->line == b->line ? told_from(a->file, b->file) : place->from;
	place->from = from < place->from ? from : place->from;
}

void places_tell_apart(struct zone_place *places, uint32_t count)
{
	qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < count; i++) {
		const char *slash = strrchr(places[i].zone->file, '/');

		places[i].from = slash ? (size_t)(slash + 1 - places[i].zone->file) : 0;
		places[i].shared = false;
		if (i)
			tell_from(&places[i], &places[i - 1]);
		if (i + 1 < count)
			tell_from(&places[i], &places[i + 1]);
	}
}

char *zone_place_text(const struct profile_zone *zone, size_t from)
{
	const char *file = zone->file + from;
	char *escaped, *text = NULL;

	if (!*zone->file)
		return strdup("");
	escaped = name_escape(file, strlen(file));
	if (!escaped || asprintf(&text, " (%s:%u)", escaped, zone->line) < 0)
		text = NULL;
	free(escaped);
	return text;
}

struct keys_store {
	struct lookup lookup;
	struct lookup by_id;
	uint32_t key_capacity;
	uint32_t id_capacity;
	uint32_t of_node_capacity;
	uint32_t depth_capacity;
	uint32_t order_capacity;
	char **shown; /* by key: its name, NULL where it was not asked for */
	uint32_t shown_count;
	uint32_t shown_capacity;
	uint32_t shown_zones; /* how many there were then: another one may clash with a name */
	size_t *places; /* by zone whose name clashes: where in its file what is shown of it begins */
	uint32_t place_capacity;
	uint32_t placed_zones, placed_renames; /* how many there were then */
};

/* Identities */

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ b[i]) * UINT64_C(1099511628211);
	return hash;
}

/* The same on every machine, whatever the order of its bytes. */
static uint64_t hash_number(uint64_t hash, uint32_t number)
{
	unsigned char bytes[4] = { (unsigned char)number, (unsigned char)(number >> 8),
				   (unsigned char)(number >> 16), (unsigned char)(number >> 24) };

	return hash_bytes(hash, bytes, sizeof(bytes));
}

uint64_t key_id(const struct profile *p, uint32_t zone, uint32_t depth)
{
	const struct profile_zone *z = &p->zones[zone];
	uint64_t hash = UINT64_C(14695981039346656037);

	if (zone == PROFILE_NO_ZONE)
		return KEY_NO_ZONE;
	hash = hash_bytes(hash, z->name, strlen(z->name) + 1);
	hash = hash_bytes(hash, z->file, strlen(z->file) + 1);
	hash = hash_number(hash_number(hash, z->line), depth);
	if (z->flags & ZONE_FUNCTION)
		hash = hash_number(hash, ZONE_FUNCTION);
	hash ^= hash >> 32; /* the low bits choose a slot */
	return hash > KEY_NO_ZONE ? hash : hash + 2;
}

static bool same_identity(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct keys *)context)->id[index] == *(const uint64_t *)wanted;
}

uint32_t keys_by_id(const struct keys *k, uint64_t id)
{
	return lookup_find(&k->store->by_id, (uint32_t)id, same_identity, k, &id);
}

/* Interning */

static bool same_key(const void *context, uint32_t index, const void *wanted)
{
	const struct key *a = &((const struct keys *)context)->keys[index], *b = wanted;

	return a->zone == b->zone && a->depth == b->depth;
}

static uint32_t key_hash(const struct key *key)
{
	return lookup_hash(key->depth, &key->zone, sizeof(key->zone));
}

uint32_t keys_find(const struct keys *k, uint32_t zone, uint32_t depth)
{
	struct key wanted = { zone, depth };

	return lookup_find(&k->store->lookup, key_hash(&wanted), same_key, k, &wanted);
}

static bool keys_room(struct keys *k)
{
	struct keys_store *s = k->store;
	uint64_t need = (uint64_t)k->count + 1;

	return lookup_reserve(&s->lookup) && lookup_reserve(&s->by_id) &&
	       array_reserve(&k->keys, &s->key_capacity, need, sizeof(*k->keys)) &&
	       array_reserve(&k->id, &s->id_capacity, need, sizeof(*k->id));
}

static uint32_t keys_add(struct keys *k, struct key key, uint64_t id)
{
	if (!keys_room(k))
		return PROFILE_NONE;
	lookup_add(&k->store->lookup, key_hash(&key), k->count);
	lookup_add(&k->store->by_id, (uint32_t)id, k->count);
	k->keys[k->count] = key;
	k->id[k->count] = id;
	return k->count++;
}

/* The key of a zone at a depth, made when it is new; PROFILE_NONE: out of memory. */
static uint32_t keys_intern(struct keys *k, const struct profile *p, uint32_t zone,
			    uint32_t depth)
{
	struct key key = { zone, k->spread ? depth : 1 };
	uint32_t index = keys_find(k, key.zone, key.depth);

	return index != LOOKUP_NONE ? index : keys_add(k, key, key_id(p, zone, key.depth));
}

struct keys *keys_new(bool spread)
{
	struct keys *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->spread = spread;
	k->store = calloc(1, sizeof(*k->store));
	if (!k->store || keys_add(k, (struct key){ PROFILE_NO_ZONE, 1 }, KEY_NO_ZONE) != 0) {
		keys_free(k);
		return NULL;
	}
	return k;
}

static void shown_forget(struct keys_store *s)
{
	for (uint32_t i = 0; i < s->shown_count; i++)
		free(s->shown[i]);
	s->shown_count = 0;
}

void keys_free(struct keys *k)
{
	if (!k)
		return;
	if (k->store) {
		lookup_fini(&k->store->lookup);
		lookup_fini(&k->store->by_id);
		shown_forget(k->store);
		free(k->store->shown);
		free(k->store->places);
	}
	free(k->store);
	free(k->of_node);
	free(k->depth);
	free(k->order);
	free(k->keys);
	free(k->id);
	free(k);
}

/* The walk through all stacks, with what it needs: no call on the C stack a level, because a
 * stack of zones may be thousands of levels deep. */
struct walk {
	uint32_t *first_child;  /* by node */
	uint32_t *next_sibling; /* by node; of roots too */
	uint32_t *open;         /* by zone: how often it stands in the present stack */
	uint32_t first_root;
	uint32_t visited;
};

static void walk_fini(struct walk *w)
{
	free(w->first_child);
	free(w->next_sibling);
	free(w->open);
}

static bool walk_init(struct walk *w, const struct profile *p)
{
	*w = (struct walk){ .first_root = PROFILE_NONE };
	w->first_child = reallocarray(NULL, (size_t)p->node_count + 1, sizeof(uint32_t));
	w->next_sibling = reallocarray(NULL, (size_t)p->node_count + 1, sizeof(uint32_t));
	w->open = array_zeroed(p->zone_count, sizeof(uint32_t));
	if (!w->first_child || !w->next_sibling || !w->open) {
		walk_fini(w);
		return false;
	}
	memset(w->first_child, 0xFF, p->node_count * sizeof(uint32_t));
	for (uint32_t i = p->node_count; i-- > 0;) {
		uint32_t parent = p->nodes[i].parent;
		uint32_t *list = parent == PROFILE_NONE ? &w->first_root : &w->first_child[parent];

		w->next_sibling[i] = *list;
		*list = i;
	}
	return true;
}

static bool walk_enter(struct walk *w, struct keys *k, const struct profile *p, uint32_t node)
{
	uint32_t zone = p->nodes[node].zone;
	uint32_t depth = ++w->open[zone];

	k->depth[node] = depth;
	k->order[w->visited++] = node;
	k->of_node[node] = keys_intern(k, p, zone, depth);
	return k->of_node[node] != PROFILE_NONE;
}

/* The node after this one when its subtree is done: what is left on the way is closed. */
static uint32_t walk_leave(struct walk *w, const struct profile *p, uint32_t node)
{
	while (node != PROFILE_NONE) {
		w->open[p->nodes[node].zone]--;
		if (w->next_sibling[node] != PROFILE_NONE)
			return w->next_sibling[node];
		node = p->nodes[node].parent;
	}
	return PROFILE_NONE;
}

static bool walk_all(struct walk *w, struct keys *k, const struct profile *p)
{
	uint32_t node = w->first_root;

	while (node != PROFILE_NONE) {
		if (!walk_enter(w, k, p, node))
			return false;
		if (w->first_child[node] != PROFILE_NONE)
			node = w->first_child[node];
		else
			node = walk_leave(w, p, node);
	}
	return true;
}

bool keys_update(struct keys *k, const struct profile *p)
{
	struct keys_store *s = k->store;
	struct walk walk;
	bool done;

	if (k->node_count == p->node_count)
		return true;
	if (!array_reserve(&k->of_node, &s->of_node_capacity, p->node_count, sizeof(uint32_t)) ||
	    !array_reserve(&k->depth, &s->depth_capacity, p->node_count, sizeof(uint32_t)) ||
	    !array_reserve(&k->order, &s->order_capacity, p->node_count, sizeof(uint32_t)) ||
	    !walk_init(&walk, p))
		return false;
	done = walk_all(&walk, k, p);
	walk_fini(&walk);
	k->node_count = done ? p->node_count : 0;
	return done;
}

uint32_t keys_nodes(const struct keys *k, const struct profile *p, uint32_t threads, uint32_t *end)
{
	uint32_t first = 0;

	*end = k->node_count;
	if (profile_merges(threads))
		return first;
	first = SEARCH(i, 0, k->node_count, p->nodes[k->order[i]].thread < threads);
	*end = SEARCH(i, first, k->node_count, p->nodes[k->order[i]].thread <= threads);
	return first;
}

/* Names */

static bool places_update(struct keys_store *s, const struct profile *p)
{
	struct zone_place *places;
	uint32_t count = 0;

	if (s->placed_zones == p->zone_count && s->placed_renames == p->zones_renamed)
		return true;
	places = array_zeroed(p->zone_count, sizeof(*places));
	if (!places || !array_reserve(&s->places, &s->place_capacity, p->zone_count, sizeof(*s->places))) {
		free(places);
		return false;
	}
	for (uint32_t i = 1; i < p->zone_count; i++)
		if (profile_name_clashes(p, i))
			places[count++] = (struct zone_place){ .zone = &p->zones[i], .index = i };
	places_tell_apart(places, count);
	for (uint32_t i = 0; i < count; i++)
		s->places[places[i].index] = places[i].from;
	free(places);
	s->placed_zones = p->zone_count;
	s->placed_renames = p->zones_renamed;
	return true;
}

char *keys_name(const struct keys *k, const struct profile *p, uint32_t key)
{
	const struct profile_zone *zone = &p->zones[k->keys[key].zone];
	char *name = name_escape(zone->name, strlen(zone->name));
	char depth[16] = "", *place = NULL, *whole = NULL;
	bool clash = k->keys[key].zone != PROFILE_NO_ZONE && profile_name_clashes(p, k->keys[key].zone);

	if (clash && places_update(k->store, p))
		place = zone_place_text(zone, k->store->places[k->keys[key].zone]);
	if (k->keys[key].depth > 1)
		snprintf(depth, sizeof(depth), "(%u)", k->keys[key].depth);
	if (name && (place || !clash))
		whole = malloc(strlen(name) + strlen(depth) + (place ? strlen(place) : 0) + 1);
	if (whole)
		sprintf(whole, "%s%s%s", name, depth, place ? place : "");
	free(name);
	free(place);
	return whole;
}

const char *keys_shown(const struct keys *k, const struct profile *p, uint32_t key)
{
	struct keys_store *s = k->store;

	if (s->shown_zones != p->zone_count)
		shown_forget(s);
	s->shown_zones = p->zone_count;
	if (!array_reserve(&s->shown, &s->shown_capacity, k->count, sizeof(*s->shown)))
		return NULL;
	while (s->shown_count < k->count)
		s->shown[s->shown_count++] = NULL;
	if (!s->shown[key])
		s->shown[key] = keys_name(k, p, key);
	return s->shown[key];
}

/* Looking up what a user typed */

struct wanted {
	const char *name;
	uint32_t depth;
	const char *file; /* NULL: any place */
	uint32_t line;
};

static bool file_matches(const char *file, const char *end)
{
	size_t length = strlen(file), tail = strlen(end);

	return tail <= length && !strcmp(file + length - tail, end) &&
	       (tail == length || !tail || *end == '/' || file[length - tail - 1] == '/');
}

static bool name_matches(const char *name, const char *text)
{
	char *shown;
	bool same = !strcmp(name, text);

	if (same || !strchr(text, '\\'))
		return same;
	shown = name_escape(name, strlen(name));
	same = shown && !strcmp(shown, text);
	free(shown);
	return same;
}

/* If a zone of the program and a sampled function have one name, the zone is
 * meant. */
static enum keys_lookup match_wanted(const struct keys *k, const struct profile *p,
				     const struct wanted *w, uint32_t *key)
{
	enum keys_lookup found = KEYS_NO_ZONE;
	bool is_function = false; /* *key */

	for (uint32_t i = 0; i < k->count; i++) {
		const struct profile_zone *zone = &p->zones[k->keys[i].zone];
		bool function = zone->flags & ZONE_FUNCTION;

		if (k->keys[i].depth != w->depth || !name_matches(zone->name, w->name) ||
		    (w->file && (zone->line != w->line || !file_matches(zone->file, w->file))))
			continue;
		if (found != KEYS_NO_ZONE && function == is_function) {
			found = KEYS_AMBIGUOUS;
		} else if (found == KEYS_NO_ZONE || is_function) {
			*key = i;
			found = KEYS_FOUND;
			is_function = function;
		}
	}
	return found;
}

/* A number that ends `text` behind `before`, with `after` behind it; cuts it all off. */
static bool cut_number(char *text, const char *before, const char *after, uint32_t *number)
{
	size_t length = strlen(text), tail = strlen(after), digits = 0;
	unsigned long long value;

	if (length < tail || strcmp(text + length - tail, after) != 0)
		return false;
	length -= tail;
	while (digits < length && text[length - digits - 1] >= '0' &&
	       text[length - digits - 1] <= '9')
		digits++;
	length -= digits;
	if (!digits || digits > 9 || length < strlen(before) ||
	    memcmp(text + length - strlen(before), before, strlen(before)) != 0)
		return false;
	value = strtoull(text + length, NULL, 10);
	*number = (uint32_t)value;
	text[length - strlen(before)] = '\0';
	return true;
}

/* As a name, and when it is none as `name(2)`. */
static enum keys_lookup match_name(const struct keys *k, const struct profile *p, char *text,
				   const char *file, uint32_t line, uint32_t *key)
{
	struct wanted w = { text, 1, file, line };
	enum keys_lookup found = match_wanted(k, p, &w, key);

	if (found != KEYS_NO_ZONE || !k->spread || !cut_number(text, "(", ")", &w.depth))
		return found;
	return match_wanted(k, p, &w, key);
}

static enum keys_lookup match_shown(const struct keys *k, const struct profile *p,
				    const char *text, uint32_t *key)
{
	for (uint32_t i = 0; i < k->count; i++) {
		char *name;
		bool same;

		if (!profile_name_clashes(p, k->keys[i].zone))
			continue;
		name = keys_name(k, p, i);
		same = name && !strcmp(name, text);
		free(name);
		if (same) {
			*key = i;
			return KEYS_FOUND;
		}
	}
	return KEYS_NO_ZONE;
}

static enum keys_lookup match_place(const struct keys *k, const struct profile *p, char *text,
				    uint32_t *key)
{
	uint32_t line;
	char *at;

	if (!cut_number(text, ":", "", &line))
		return KEYS_NO_ZONE;
	at = strrchr(text, '@');
	if (!at)
		return KEYS_NO_ZONE;
	*at = '\0';
	return match_name(k, p, text, at + 1, line, key);
}

enum keys_lookup keys_parse(const struct keys *k, const struct profile *p, const char *text,
			    uint32_t *key)
{
	char *copy = strdup(text), *again = strdup(text);
	enum keys_lookup found = KEYS_NO_ZONE;

	if (copy && again) {
		found = match_name(k, p, copy, NULL, 0, key);
		if (found == KEYS_NO_ZONE)
			found = match_shown(k, p, text, key);
		if (found == KEYS_NO_ZONE)
			found = match_place(k, p, again, key);
	}
	free(copy);
	free(again);
	return found;
}

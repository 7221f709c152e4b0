/* SPDX-License-Identifier: MIT */
/*
 * keys: what counts as one zone in a report, and where a zone stands inside itself.
 *
 * A report has a row a key. With recursion merged a key is a zone; spread, it is a zone at one
 * depth of recursion: `name` for its first entry in a stack, `name(2)` for an entry inside that,
 * and so on. Every rule of the reports is written over keys, so it holds in both ways.
 *
 * Keys are dense, key 0 is `(no zone)`, and they keep their numbers as nodes are added. Beside its
 * number each key has an identity, which it has in every profile, also of the program's next run.
 */
#ifndef MODEL_KEYS_H
#define MODEL_KEYS_H

#include "model/profile/profile.h"

struct key {
	uint32_t zone;
	uint32_t depth; /* 1 always when merged */
};

struct keys {
	bool spread;
	uint32_t node_count;
	uint32_t *of_node; /* key of the node's zone */
	uint32_t *depth;   /* how often the node's zone stands in its path, itself counted */
	uint32_t *order;   /* all nodes, thread after thread, each before its children, subtrees whole */
	struct key *keys;
	uint64_t *id; /* by key: its identity */
	uint32_t count;
	struct keys_store *store;
};

struct keys *keys_new(bool spread); /* NULL: out of memory */
void keys_free(struct keys *k);

/* Takes in the nodes that were added since. O(nodes) when there are new ones. */
bool keys_update(struct keys *k, const struct profile *p);

/* Where in `order` all nodes of a selection of threads are: from what is returned to *end. Those of one thread stand
 * there alone. */
uint32_t keys_nodes(const struct keys *k, const struct profile *p, uint32_t threads, uint32_t *end);

/* The key of a zone at a depth, or PROFILE_NONE. */
uint32_t keys_find(const struct keys *k, uint32_t zone, uint32_t depth);

/* The identity of a zone at a depth: a hash of its name, file, line and depth, and whether it is a function. The first depth is
 * also what the zone is when merged; `(no zone)` is KEY_NO_ZONE, and nothing is 0. */
#define KEY_NO_ZONE UINT64_C(1)
uint64_t key_id(const struct profile *p, uint32_t zone, uint32_t depth);

/* The key with this identity, or PROFILE_NONE. O(1). */
uint32_t keys_by_id(const struct keys *k, uint64_t id);

/* A node is outermost when its key does not stand in its path before it. */
static inline bool keys_outermost(const struct keys *k, uint32_t node)
{
	return k->spread || k->depth[node] == 1;
}

/* The key's name as it is shown: escaped (format.h), with `(depth)` when spread, and with its
 * place, `name (file.c:12)`, when another zone has the name. Caller frees; NULL: out of memory. */
char *keys_name(const struct keys *k, const struct profile *p, uint32_t key);

/* The same, made once and kept: owned by the keys, until a zone is added to the profile. */
const char *keys_shown(const struct keys *k, const struct profile *p, uint32_t key);

/* The key that a user means: `name`, `name@file:line`, and spread also `name(2)` and
 * `name(2)@file:line`; `file` may be the last components of the path. A name as it is shown
 * (escaped, with its place) is understood too. */
enum keys_lookup { KEYS_FOUND, KEYS_NO_ZONE, KEYS_AMBIGUOUS };
enum keys_lookup keys_parse(const struct keys *k, const struct profile *p, const char *text,
			    uint32_t *key);

/*
 * Tells zones of one name apart, by line, and by as little of their
 * files as is needed.
 */

struct zone_place {
	const struct profile_zone *zone;
	uint32_t index; /* the caller's */
	size_t from;    /* zone->file is shown from here on: as few whole components as
			 * tell it from the files of other zones of that name and line */
	bool shared;    /* another of the zones has this name */
};

/* Sets `from` and `shared` of all, and sorts them by name. O(n log n). */
void places_tell_apart(struct zone_place *places, uint32_t count);

/* ` (file.c:12)`, escaped; "" if the file is not known. Caller frees; NULL: out
 * of memory. */
char *zone_place_text(const struct profile_zone *zone, size_t from);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * nodes: a source's numbering of zone stacks, turned into nodes of a profile.
 *
 * A source numbers the nodes of one tree from 0, the root, each behind its parent. The tree may have
 * had several owners one after the other, each of them a thread of the profile: a `node_map` is one
 * owner's, and nodes appear in the profile only when that owner has something in them.
 *
 * `node_paths` finds the child of a node by its zone and line, for a thread that is the sum of many:
 * there nodes with the same path are one.
 */
#ifndef IO_NODES_H
#define IO_NODES_H

#include "model/base/lookup.h"
#include "model/profile/profile.h"

/* What a node stands for: a zone of the profile, and those around it that have no number of their own (functions into which
 * a function was inlined). */
struct node_zone {
	uint32_t zone;
	uint32_t line;   /* of a function: profile_node.line */
	uint32_t around; /* index of a node_zone; PROFILE_NONE: the node's parent is around it */
};

struct node_tree {
	struct node_place {
		uint32_t parent; /* below the node's own number */
		struct node_zone of;
	} *places;
	uint32_t count;
	uint32_t capacity;
};

struct node_map {
	uint32_t *of; /* by number: node of the profile; PROFILE_NONE: none yet */
	uint32_t count;
	uint32_t capacity;
};

struct node_paths {
	struct lookup children; /* index: of `found` */
	struct node_path {
		uint32_t parent, zone, line, node;
	} *found;
	uint32_t count;
	uint32_t capacity;
};

/* The next node of the tree. A parent that is not before it counts as the root. False: out of
 * memory. */
bool node_tree_add(struct node_tree *t, uint32_t parent, struct node_zone of);
void node_tree_fini(struct node_tree *t);

/* An empty map of a thread; `root` is its root node in the profile. False: out of memory. */
bool node_map_begin(struct node_map *m, uint32_t root);
void node_map_fini(struct node_map *m);

/* The node of the profile for number `node` of the tree, or PROFILE_NONE where it is not made yet. */
static inline uint32_t node_map_known(const struct node_map *m, uint32_t node)
{
	return node < m->count ? m->of[node] : PROFILE_NONE;
}

/* The node of the profile for number `node` of the tree, made with those above it when it is new;
 * `paths` (may be NULL) makes nodes of one path one. `around` are the zones that node_zone.around means. PROFILE_NONE: out of
 * memory, not in the tree, or the map has not begun. */
uint32_t node_map_find(struct node_map *m, struct profile *p, const struct node_tree *t, const struct node_zone *around,
		       struct node_paths *paths, uint32_t node);

void node_paths_fini(struct node_paths *paths);

#endif

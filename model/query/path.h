/* SPDX-License-Identifier: MIT */
/*
 * path: a chain of zones, each called by the one before it, and the nodes whose stack contains it.
 *
 * Zones are named by the stable identities of keys (keys.h), so that a path outlives the
 * profile that it was made of: when a program starts anew, it is found again. A stack contains a
 * path where the path's zones stand in it one behind the other, nothing between them, at least once.
 * An identity says at which depth of recursion its zone is. So a path that has a zone twice, and was made while
 * recursion was merged, is in no stack when recursion is spread, and the other way round: path_turn mends that.
 */
#ifndef MODEL_PATH_H
#define MODEL_PATH_H

#include "model/query/keys.h"
#include "model/query/values.h"

#define PATH_MOST 64

struct path {
	uint64_t ids[PATH_MOST]; /* the outermost first */
	uint32_t length;
};

/* By node, keys->node_count of them: whether its stack contains the path. An empty path is in every
 * stack; one with an id that no key has is in none. Caller frees; NULL: out of memory. */
bool *path_members(const struct path *path, const struct profile *p, const struct keys *k);

/* Makes the values of all other nodes 0; threads' times become the sums of what is left, so that the
 * identities of reports hold. The wall time stays: shares are still of the whole frame. `members` is
 * of the nodes that v has. */
void values_restrict(struct values *v, const struct profile *p, const bool *members);

/*
 * Drilling keeps a path, and a place in it: the focus. When one drills into a child that the path already has behind
 * the focus, only the place moves. Otherwise all that is behind the focus is cut off, the child is added there, and
 * the place moves to it. Into a caller it is the same, in front of the focus. A path that is full (PATH_MOST) loses the
 * zone at its other end. An empty path begins with the zone.
 */
void path_begin(struct path *path, uint32_t *place, uint64_t id);
void path_to_child(struct path *path, uint32_t *place, uint64_t id);
void path_to_caller(struct path *path, uint32_t *place, uint64_t id);

/* Changes the identities in a path when recursion is spread (or merged) from now on. Spread, each time that a zone
 * stands in the path again it is one deeper; merged, all have depth 1. `before` are the keys by which the path was
 * made; an identity that they do not know stays as it is. */
void path_turn(struct path *path, const struct profile *p, const struct keys *before, bool spread);

#endif

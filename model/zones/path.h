/* SPDX-License-Identifier: MIT */
/*
 * path: a chain of zones, each called by the one before it, and the nodes whose stack contains it.
 *
 * Zones are named by the stable identities of keys (recursion.h), so that a path outlives the
 * profile that it was made of: when a program starts anew, it is found again. A stack contains a
 * path where the path's zones stand in it one behind the other, nothing between them, at least once.
 * Identities tell depths apart: a path through a zone's own recursion that was made while it was merged
 * is in no stack when it is spread, and the other way round.
 */
#ifndef MODEL_PATH_H
#define MODEL_PATH_H

#include "model/recursion.h"
#include "model/values.h"

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
 * Drilling keeps a chain and a place in it, the focus. Into a caller or a child that the chain
 * already has there, the place moves; else the chain is cut behind (before) the focus and the zone
 * put there. At PATH_MOST the far end goes. An empty path begins with the zone.
 */
void path_begin(struct path *path, uint32_t *place, uint64_t id);
void path_to_child(struct path *path, uint32_t *place, uint64_t id);
void path_to_caller(struct path *path, uint32_t *place, uint64_t id);

#endif

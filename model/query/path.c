/* SPDX-License-Identifier: MIT */
#include "model/query/path.h"

#include <string.h>

#include "model/base/array.h"

/* A path that is looked for in stacks: its zones as keys, and for each length that has been found
 * where to go on when the next zone is another one (Knuth, Morris, Pratt). */
struct search {
	uint32_t keys[PATH_MOST];
	uint32_t shorter[PATH_MOST + 1];
	uint32_t length;
};

/* How much of the path ends at a zone, when `found` of it ended at the zone that called it. */
static uint32_t search_step(const struct search *s, uint32_t found, uint32_t key)
{
	while (found && s->keys[found] != key)
		found = s->shorter[found];
	return s->keys[found] == key ? found + 1 : 0;
}

/* False: a zone of the path is nowhere. */
static bool search_init(struct search *s, const struct path *path, const struct keys *k)
{
	s->length = path->length < PATH_MOST ? path->length : PATH_MOST;
	for (uint32_t i = 0; i < s->length; i++) {
		s->keys[i] = keys_by_id(k, path->ids[i]);
		if (s->keys[i] == PROFILE_NONE)
			return false;
	}
	s->shorter[0] = s->shorter[1] = 0;
	for (uint32_t i = 1; i < s->length; i++)
		s->shorter[i + 1] = search_step(s, s->shorter[i], s->keys[i]);
	return true;
}

/* Parents stand before their children, so that what was found up to a node's parent is known. */
static void search_nodes(const struct search *s, const struct profile *p, const struct keys *k,
			 uint8_t *found)
{
	for (uint32_t i = 0; i < k->node_count; i++) {
		uint32_t parent = p->nodes[i].parent;
		uint32_t before = parent == PROFILE_NONE ? 0 : found[parent];

		found[i] = (uint8_t)(before == s->length ? before
							 : search_step(s, before, k->of_node[i]));
	}
}

bool *path_members(const struct path *path, const struct profile *p, const struct keys *k)
{
	bool *members = array_zeroed(k->node_count, sizeof(*members));
	uint8_t *found = array_zeroed(k->node_count, sizeof(*found));
	struct search s;

	if (!members || !found) {
		free(members);
		members = NULL;
	} else if (search_init(&s, path, k)) {
		search_nodes(&s, p, k, found);
		for (uint32_t i = 0; i < k->node_count; i++)
			members[i] = found[i] == s.length;
	}
	free(found);
	return members;
}

void values_restrict(struct values *v, const struct profile *p, const bool *members)
{
	for (uint32_t i = 0; i < v->thread_count; i++) {
		v->time[i] = 0;
		if (!members[p->threads[i].root])
			v->idle[i] = 0;
	}
	for (uint32_t i = 0; i < v->node_count; i++) {
		if (!members[i])
			v->self[i] = v->count[i] = v->longest[i] = 0;
		v->time[p->nodes[i].thread] += v->self[i];
	}
}

void path_begin(struct path *path, uint32_t *place, uint64_t id)
{
	path->ids[0] = id;
	path->length = 1;
	*place = 0;
}

void path_to_child(struct path *path, uint32_t *place, uint64_t id)
{
	if (*place >= path->length) {
		path_begin(path, place, id);
		return;
	}
	if (*place + 1 < path->length && path->ids[*place + 1] == id) {
		++*place;
		return;
	}
	path->length = *place + 1;
	if (path->length == PATH_MOST)
		memmove(path->ids, path->ids + 1, --path->length * sizeof(*path->ids));
	*place = path->length;
	path->ids[path->length++] = id;
}

void path_to_caller(struct path *path, uint32_t *place, uint64_t id)
{
	uint32_t left;

	if (*place >= path->length) {
		path_begin(path, place, id);
		return;
	}
	if (*place && path->ids[*place - 1] == id) {
		--*place;
		return;
	}
	left = path->length - *place;
	if (left == PATH_MOST)
		left--;
	memmove(path->ids + 1, path->ids + *place, left * sizeof(*path->ids));
	path->ids[0] = id;
	path->length = left + 1;
	*place = 0;
}

void path_turn(struct path *path, const struct profile *p, const struct keys *before, bool spread)
{
	uint32_t zones[PATH_MOST];

	for (uint32_t i = 0; i < path->length; i++) {
		uint32_t key = keys_by_id(before, path->ids[i]), depth = 1;

		zones[i] = key == PROFILE_NONE ? PROFILE_NONE : before->keys[key].zone;
		for (uint32_t j = 0; j < i && spread; j++)
			depth += zones[j] == zones[i];
		if (zones[i] != PROFILE_NONE)
			path->ids[i] = key_id(p, zones[i], depth);
	}
}

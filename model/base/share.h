/* SPDX-License-Identifier: MIT */
/*
 * share: room for each kind, where not all have room.
 *
 * Each kind may have as many as there is room for if all have as many; what a rare kind does not need is for
 * the others. So a kind that comes by the thousand leaves those alone that come now and then.
 *
 *     share_init, share_add for each, share_room, then share_leaves for each, those that go first first
 */
#ifndef MODEL_SHARE_H
#define MODEL_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct share {
	uint32_t *counts; /* by kind: how many there are; behind share_room: how many have to leave */
	uint32_t kinds;
};

bool share_init(struct share *s, uint32_t kinds); /* false: out of memory */
void share_fini(struct share *s);

static inline void share_add(struct share *s, uint32_t kind)
{
	s->counts[kind]++;
}

/* Shares out space for so many items. */
void share_room(struct share *s, uint32_t room);

/* True if this one has to leave. Call it from the oldest on: of each kind the first ones leave, as many as are
 * too many. */
static inline bool share_leaves(struct share *s, uint32_t kind)
{
	if (!s->counts[kind])
		return false;
	s->counts[kind]--;
	return true;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * live_owners: the threads that own blocks one after the other.
 *
 * An owner that was seen is a thread of the profile. Those that came and went before anybody looked are together the
 * thread `ended threads`.
 */
#include "io/live_inside.h"

uint64_t live_whole_generation(const struct block *b, unsigned low)
{
	return b->generation + (uint64_t)(int64_t)(int16_t)(low - (unsigned)b->generation);
}

/* One that came since this poll looked, and whose block is still its own. */
static uint32_t coming_owner(struct live *l, const struct block *b, uint64_t generation)
{
	struct profile *p = l->source.profile;
	struct snapshot_thread now;
	uint32_t thread;

	if (snapshot_thread(&l->a, b->index, &now) != SNAPSHOT_OK || now.generation != generation)
		return PROFILE_NONE;
	thread = profile_add_thread(p, live_thread_id(l, b->index, generation), now.tid, now.name);
	if (live_held(l, thread != PROFILE_NONE))
		p->threads[thread].state = now.state == BLOCK_LIVE ? THREAD_LIVE : THREAD_ENDED;
	return thread;
}

/* The thread of the profile that it is, or becomes; PROFILE_NONE: it is over. */
static uint32_t own_thread(struct live *l, const struct block *b, uint64_t generation)
{
	uint32_t thread;

	if (!generation || generation == ENDED_OWNERS)
		return PROFILE_NONE;
	if (generation == b->generation && b->thread != PROFILE_NONE)
		return b->thread;
	thread = profile_find_thread(l->source.profile, live_thread_id(l, b->index, generation));
	return thread == PROFILE_NONE && generation >= b->generation ? coming_owner(l, b, generation) : thread;
}

bool live_owner_is_over(struct live *l, const struct block *b, uint64_t generation)
{
	return generation && own_thread(l, b, generation) == PROFILE_NONE;
}

uint32_t live_owner(struct live *l, const struct block *b, uint64_t generation)
{
	uint32_t thread = own_thread(l, b, generation);

	if (thread == PROFILE_NONE && live_ended_begins(l, &l->blocks[b->index]))
		thread = l->ended;
	live_held(l, thread != PROFILE_NONE);
	return thread;
}

uint32_t live_owner_of(struct live *l, const struct block *b, unsigned low)
{
	return live_owner(l, b, live_whole_generation(b, low));
}

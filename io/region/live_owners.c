/* SPDX-License-Identifier: MIT */
/*
 * live_owners: the threads that own blocks one after the other.
 *
 * An owner that was seen is a thread of the profile. Those that came and went before anybody looked are
 * together the thread `ended threads`. A program may make threads without end: once there are very many,
 * whoever comes to own a block goes on with the thread of who owned it before, which then is `NAME and
 * others`: so threads are not more than these and the blocks. What each of them had in the whole run passes
 * to `ended threads` as ever.
 */
#include "io/region/live_inside.h"

#include <stdio.h>
#include <string.h>

#include "model/base/array.h"

#define APART 4096 /* threads of the profile that are one each */
#define AND_OTHERS " and others"
#define ENDED_ID 0 /* the id of the thread that is all ended ones */

uint64_t live_thread_id(const struct live *l, uint32_t block, uint64_t generation)
{
	return 1 + block + (generation ? generation - 1 : 0) * (uint64_t)l->a.thread_count;
}

static bool goes_on(const struct live *l, const struct block *b)
{
	return b->several || (b->thread != PROFILE_NONE && b->thread != l->ended &&
			      l->source.profile->thread_count >= APART);
}

/* The first name that is known stands for all. */
static bool name_several(struct profile *p, uint32_t thread, const char *name)
{
	const struct profile_thread *t = &p->threads[thread];
	size_t length = strlen(t->name), end = strlen(AND_OTHERS);
	char several[SNAPSHOT_NAME + sizeof(AND_OTHERS)];

	if (length >= end && !strcmp(t->name + length - end, AND_OTHERS))
		return true;
	if (length)
		name = t->name;
	if (!name || !*name)
		return true;
	snprintf(several, sizeof(several), "%.*s" AND_OTHERS, SNAPSHOT_NAME - 1, name);
	return profile_add_thread(p, t->id, 0, several) != PROFILE_NONE;
}

/* The block's new owner becomes a thread of the profile, or goes on with the one before it where there are
 * too many. PROFILE_NONE: no memory. */
static uint32_t next_thread(struct live *l, struct block *b, uint64_t generation, int64_t tid, const char *name)
{
	struct profile *p = l->source.profile;
	uint32_t thread;

	if (!goes_on(l, b))
		return profile_add_thread(p, live_thread_id(l, b->index, generation), tid, name);
	thread = b->thread;
	p->threads[thread].tid = 0;
	p->threads[thread].several = true;
	b->several = true;
	return name_several(p, thread, name) ? thread : PROFILE_NONE;
}

bool live_ended_begins(struct live *l, struct block *b)
{
	struct profile *p = l->source.profile;

	if (l->ended == PROFILE_NONE) {
		l->ended = profile_add_thread(p, ENDED_ID, 0, "ended threads");
		if (!live_held(l, l->ended != PROFILE_NONE))
			return false;
		p->threads[l->ended].state = THREAD_AGGREGATE;
	}
	return b->ended.count || live_held(l, node_map_begin(&b->ended, p->threads[l->ended].root));
}

bool live_owner_passes(struct live *l, struct block *b)
{
	struct profile *p = l->source.profile;

	if (b->thread == PROFILE_NONE || b->passed)
		return true;
	p->threads[b->thread].state = THREAD_ENDED;
	p->threads[b->thread].marking = false;
	if (!live_ended_begins(l, b) ||
	    !live_held(l, array_reserve(&l->passing, &l->passing_capacity,
					(uint64_t)l->passing_count + b->own.count, sizeof(*l->passing))))
		return false;
	for (uint32_t i = 0; i < b->own.count; i++) {
		uint32_t heir = b->own.of[i] == PROFILE_NONE ? PROFILE_NONE : live_node(l, b, false, i);

		if (heir != PROFILE_NONE)
			l->passing[l->passing_count++] = (struct passing){ b->own.of[i], heir };
	}
	b->passed = true;
	return !l->memory;
}

bool live_owner_begins(struct live *l, struct block *b, uint64_t generation, int64_t tid,
		       const char *name)
{
	struct profile *p = l->source.profile;
	uint32_t thread = next_thread(l, b, generation, tid, name), before = b->thread;

	if (!live_held(l, thread != PROFILE_NONE) || !live_owner_passes(l, b))
		return false;
	b->thread = thread;
	if (b->thread != l->ended) /* of damage */
		p->threads[b->thread].state = THREAD_LIVE;
	b->generation = generation;
	b->passed = false;
	b->first = 0;
	b->last = NEVER;
	b->started = 0;
	b->inferred = 0;
	b->inferred_end = 0;
	b->guess.there = false;
	return b->thread == before || live_held(l, node_map_begin(&b->own, p->threads[b->thread].root));
}

bool live_owner_told(struct live *l, struct block *b, int64_t tid, const char *name)
{
	struct profile *p = l->source.profile;

	if (b->several)
		return live_held(l, name_several(p, b->thread, name));
	return live_held(l, profile_add_thread(p, live_thread_id(l, b->index, b->generation), tid, name) !=
				    PROFILE_NONE);
}

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
	if (goes_on(l, b))
		return b->thread;
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

/* SPDX-License-Identifier: MIT */
/*
 * live_owners: the threads that own blocks one after the other, and what becomes of those that ended.
 *
 * An owner that was seen is a thread of the profile. When it has ended and nothing is held of it any more, it leaves:
 * what it had in the whole run is with `ended threads` since its block went on to another owner, and so are those that
 * came and went between two looks. Where those that are held would take more than half as much memory as frames may,
 * fewer frames are held. So a program that makes threads without end takes no more memory than one whose threads stay.
 */
#include "io/live_inside.h"

#include <stdlib.h>

#include "model/array.h"

#define AT_LEAST 256 /* threads, before it is worth a look */
#define THREAD_BYTES UINT64_C(1024) /* about what one takes that is held, in averages and views, too */

/* Who owned a block */

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

/* Threads that leave */

static void stays_that_waits(const struct join_record *record, void *context)
{
	bool *stays = context;

	stays[record->thread] = true;
}

/* Of which threads this source still speaks. */
static bool *threads_in_use(const struct live *l)
{
	bool *stays = array_zeroed((uint64_t)l->source.profile->thread_count + 1, sizeof(*stays));

	if (!stays)
		return NULL;
	for (uint32_t i = 0; i < l->a.thread_count; i++)
		if (l->blocks[i].thread != PROFILE_NONE)
			stays[l->blocks[i].thread] = true;
	join_waiting(l->join, stays_that_waits, stays);
	return stays;
}

static void drop(struct live *l)
{
	struct profile *p = l->source.profile;
	bool *stays = threads_in_use(l);
	uint32_t *tracks = array_zeroed((uint64_t)p->track_count + 1, sizeof(*tracks));

	if (live_held(l, stays && tracks && profile_drop_threads(p, stays, tracks)))
		live_renumber_tracks(l, tracks);
	free(stays);
	free(tracks);
}

static uint32_t threads_of(const struct live *l)
{
	return l->source.profile->thread_count - l->source.profile->gone_count;
}

static bool are_many(const struct live *l)
{
	uint32_t count = threads_of(l);

	return l->source.profile->frame_count > 1 && count > l->process.threads &&
	       (count - l->process.threads) * THREAD_BYTES > l->most_bytes / 2;
}

/* Each time when they are twice as many as stayed the last time: so a look costs a thread a few steps. */
void live_drop_threads(struct live *l)
{
	const struct profile *p = l->source.profile;
	uint32_t wanted;

	if (l->memory || threads_of(l) < AT_LEAST || threads_of(l) < l->threads_most)
		return;
	drop(l);
	while (!l->memory && are_many(l)) {
		for (wanted = p->frame_count - p->frame_count / 4; p->frame_count >= wanted;)
			live_make_room(l);
		drop(l);
	}
	l->threads_most = threads_of(l) * 2;
}

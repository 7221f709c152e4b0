/* arena.c: memory of the region, and who gets its chunks.
 *
 * The region is as long as PROF_SHM_SIZE says from the start, but has memory only as far as it was used.  Each step is
 * asked for before anything is written to it, so where there is none left nothing happens but that the logs lap earlier.
 *
 * Free chunks are a lock-free stack in private memory (any thread may push and pop), fed at first from
 * the untouched end of the arena.  A log may grow while it owns less than a multiple of what is free
 * (the dynamic threshold of shared-buffer switches, Choudhury and Hahne 1998): one thread may take most
 * of the arena, a hundred get a hundredth each, and what is left for a newcomer is never nothing.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include "shm/cgroup.h"

/* ---- memory for what comes next, in steps as the region fills */

void prof__room_begin(struct process *p)
{
	for (unsigned id = 0; id < REGION_SECTIONS; id++) {
		p->spaces[id] = region_space(p->header, id);
		atomic_store_explicit(&p->there[id], WORD_LOAD(p->shared->there[id]), memory_order_relaxed);
	}
}

/* The tables are small.  What makes the region large is its chunks, and these leave the control group its part. */
static int reserve_section(const struct region_space *space, enum region_section_id id, uint64_t from, uint64_t to)
{
	return id == REGION_CHUNKS && !cgroup_grants(to - from) ? ENOSPC : region_reserve(space, from, to);
}

cold bool prof__room_more(struct process *p, enum region_section_id id, uint64_t bytes)
{
	struct region_space space = p->spaces[id];
	uint64_t there = atomic_load_explicit(&p->there[id], memory_order_acquire), wanted;
	int error;

	if (bytes > space.bytes)
		return false;
	wanted = (bytes + space.step - 1) / space.step * space.step;
	wanted = wanted < space.bytes ? wanted : space.bytes;
	struct calm calm;
	prof__calm_begin(&calm);
	do {
		error = reserve_section(&space, id, there, wanted);
	} while (error == ENOSPC && region_drop_old(p->name));
	prof__calm_end(&calm);
	if (error)
		return false;
	raise_to(&p->shared->there[id], wanted); /* pairs with region_there; before p->there, by which other threads use it */
	raise_to(&p->there[id], wanted);
	return true;
}

/* ---- chunks */

/* How many chunks a log may own for each two that are free, into how many parts all chunks are cut of which it may
 * own one at most, and whether it may dip into the reserve: nodes always.  The first chunk of
 * a log may, but for a quarter of it, so that who comes last has totals, if no history. */
static const struct { uint32_t share, part; bool reserve; } uses[] = {
	[CHUNK_FOR_NODES] = { UINT32_MAX, 1, true },
	[CHUNK_FOR_PARTS] = { 8, 1, false },
	[CHUNK_FOR_EVENTS] = { 4, 1, false },
	[CHUNK_FOR_WORST] = { 2, 1, false },
	[CHUNK_FOR_VALUES] = { 1, 16, false },
	[CHUNK_FOR_HOURS] = { 1, 48, false },
	[CHUNK_FOR_MEASURES] = { 2, 8, false },
};

/* Uses that are dispensable: their logs get not even a first chunk if space is short. */
static bool is_spare(enum chunk_use use)
{
	return use == CHUNK_FOR_WORST || use == CHUNK_FOR_HOURS;
}

/* The number of chunks that nobody has set aside.  While the end is being closed, the counter may be below 0. */
static uint32_t free_chunks(struct process *p)
{
	uint32_t room = atomic_load_explicit(&p->free_count, memory_order_relaxed);

	return room <= p->chunk_count ? room : 0;
}

static uint64_t chunk_allowance(struct process *p, enum chunk_use use)
{
	uint32_t room = free_chunks(p);

	if (uses[use].reserve)
		return room ? UINT32_MAX : 0;
	uint64_t share = room > p->reserve ? (uint64_t)(room - p->reserve) * uses[use].share / 2 : 0;
	uint64_t most = p->chunk_count / uses[use].part + (p->chunk_count < uses[use].part);
	return share < most ? share : most;
}

/* Closes the arena at chunk `fresh`, because there is no memory for it and those behind it. */
static void close_end(struct process *p, uint32_t fresh)
{
	if (!atomic_compare_exchange_strong_explicit(&p->fresh, &fresh, p->chunk_count, memory_order_relaxed,
	                                             memory_order_relaxed))
		return;
	loss_add(p, LOSS_REGION_ROOM);
	WORD_STORE(p->shared->chunks_free, atomic_fetch_sub_explicit(&p->free_count, p->chunk_count - fresh,
	                                                             memory_order_relaxed) - (p->chunk_count - fresh));
}

static uint32_t take_untouched_chunk(struct process *p)
{
	uint32_t fresh = atomic_load_explicit(&p->fresh, memory_order_relaxed);

	while (fresh < p->chunk_count) {
		if (!prof__room(p, REGION_CHUNKS, (fresh + 1ull) * REGION_PAGE))
			close_end(p, fresh);
		else if (atomic_compare_exchange_weak_explicit(&p->fresh, &fresh, fresh + 1, memory_order_relaxed,
		                                               memory_order_relaxed))
			return fresh + 1;
		fresh = atomic_load_explicit(&p->fresh, memory_order_relaxed);
	}
	return 0;
}

static uint32_t pop_free_chunk(struct process *p)
{
	uint64_t top = atomic_load_explicit(&p->free_stack, memory_order_acquire);

	while ((uint32_t)top) {
		uint64_t next = ((top >> 32) + 1) << 32 |
		                atomic_load_explicit(&p->below[(uint32_t)top - 1], memory_order_relaxed);
		if (atomic_compare_exchange_weak_explicit(&p->free_stack, &top, next, memory_order_acquire,
		                                          memory_order_acquire))
			return (uint32_t)top;
	}
	return take_untouched_chunk(p);
}

#define MAIN_CHUNKS 2u /* of the main thread, which may come late: its block, its first nodes */

/* One of the free chunks is the caller's, whichever it will be. */
static bool set_aside(struct process *p)
{
	uint32_t kept = atomic_load_explicit(&p->main_came, memory_order_relaxed) ? 0 : MAIN_CHUNKS;
	uint32_t room = free_chunks(p);

	do {
		if (room <= kept || room > p->chunk_count)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&p->free_count, &room, room - 1, memory_order_relaxed,
	                                                memory_order_relaxed));
	return true;
}

uint32_t prof__chunk_claim(struct process *p, enum chunk_use use, uint32_t owned)
{
	bool first = owned == 0 && !is_spare(use) && free_chunks(p) > p->reserve / 4;

	if ((!first && owned >= chunk_allowance(p, use)) || !set_aside(p))
		return 0;
	uint32_t chunk = pop_free_chunk(p);
	if (chunk) {
		p->newer[chunk - 1] = 0;
		p->first_record[chunk - 1] = UINT16_MAX;
	} else {
		atomic_fetch_add_explicit(&p->free_count, 1, memory_order_relaxed);
	}
	WORD_STORE(p->shared->chunks_free, free_chunks(p));
	return chunk;
}

/* The stack's release (and the acquire of the next owner's pop) keeps the former owner's tail before
 * whatever the next owner writes: what ring.h asks for. */
void prof__chunk_release(struct process *p, uint32_t chunk)
{
	uint64_t top = atomic_load_explicit(&p->free_stack, memory_order_relaxed), next;
	/* Counted before it can be taken, so that the count never falls below none. */
	uint32_t left = atomic_fetch_add_explicit(&p->free_count, 1, memory_order_relaxed) + 1;

	WORD_STORE(p->shared->chunks_free, left);
	do {
		atomic_store_explicit(&p->below[chunk - 1], (uint32_t)top, memory_order_relaxed);
		next = ((top >> 32) + 1) << 32 | chunk;
	} while (!atomic_compare_exchange_weak_explicit(&p->free_stack, &top, next, memory_order_acq_rel,
	                                                memory_order_relaxed));
}

bool prof__chunk_too_many(struct process *p, enum chunk_use use, uint32_t owned)
{
	return owned > 1 && owned > chunk_allowance(p, use);
}

/* room.c: memory for what comes next in the region, taken in steps as the region fills.
 *
 * The region is as long as PROF_SHM_SIZE says from the start, but has memory only as far as it was used.  Each step is
 * asked for before anything is written to it, so where there is none left nothing happens but that the logs lap earlier.
 */
#include "libprof/internal.h"

#include <errno.h>
#include "shm/cgroup.h"

void prof__room_begin(struct process *p)
{
	for (unsigned id = 0; id < REGION_SECTIONS; id++) {
		p->spaces[id] = region_space(p->header, id);
		atomic_store_explicit(&p->there[id], WORD_LOAD(p->shared->there[id]), memory_order_relaxed);
	}
}

/* The tables are small.  What makes the region large is its chunks, and these leave the control group its part. */
static int reserve(const struct region_space *space, enum region_section_id id, uint64_t from, uint64_t to)
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
		error = reserve(&space, id, there, wanted);
	} while (error == ENOSPC && region_drop_old(p->name));
	prof__calm_end(&calm);
	if (error)
		return false;
	raise_to(&p->there[id], wanted); /* pairs with region_there, as that of the region's own word */
	raise_to(&p->shared->there[id], wanted);
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "model/profile/outside.h"

#include "model/base/search.h"

/* Index of the first frame that ends at `tick` or later. */
static uint32_t frame_by_end(const struct profile *p, int64_t tick)
{
	return SEARCH(i, 0, p->frame_count, p->frames[i].start + p->frames[i].length < tick);
}

static bool is_outside(const struct profile *p, int64_t tick)
{
	uint32_t i = frame_by_end(p, tick);

	if (i == p->frame_count)
		return true;
	if (tick > p->frames[i].start)
		return false;
	return p->frame_count == p->frames_ended || p->frames[i].number == (i ? p->frames[i - 1].number : 0) + 1;
}

uint32_t outside_next(const struct profile *p, uint32_t i)
{
	while (i < p->instant_count && !is_outside(p, p->instants[i].tick))
		i++;
	return i;
}

uint32_t outside_count(const struct profile *p, int64_t from, int64_t to)
{
	uint32_t first, count = 0, behind = profile_instants(p, from, to, &first);

	behind += first;
	for (uint32_t i = outside_next(p, first); i < behind; i = outside_next(p, i + 1))
		count++;
	return count;
}

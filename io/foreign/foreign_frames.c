/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_frames.h"

#include <string.h>

#include "model/base/search.h"

/* What happens at the mark itself is of the frame that ends, in a program that is measured (HACKING). A file has the first
 * call of a frame at the very tick at which the frame begins. */
static bool is_before(const struct profile *p, int64_t end, int64_t tick)
{
	return strcmp(p->process.clock, "file") ? end < tick : end <= tick;
}

/* A thread ends its part of a frame a little later than the frame ends. */
static bool is_over(const struct foreign *t, const struct profile_frame *frame, uint32_t thread, int64_t tick)
{
	const struct profile_held *part = profile_find_part(frame, thread);

	return is_before(t->profile, part && !(part->flags & PART_MISSING) ? part->end : frame_end(frame), tick);
}

uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick)
{
	const struct profile *p = t->profile;
	uint32_t i = SEARCH(i, 0, p->frame_count, is_over(t, &p->frames[i], thread, tick));
	const struct profile_held *part;
	int64_t begin;

	if (i == p->frame_count)
		return PROFILE_NONE;
	part = profile_find_part(&p->frames[i], thread);
	begin = part && !(part->flags & PART_MISSING) ? part->bound : p->frames[i].start;
	return is_before(p, begin, tick) || (begin == tick && !i) ? i : PROFILE_NONE;
}

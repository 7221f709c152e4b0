/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_frames.h"

#include <string.h>

#include "model/base/search.h"

static bool is_of_file(const struct profile *p)
{
	return !strcmp(p->process.clock, "file");
}

/* What happens at the mark itself is of the frame that ends, in a program that is measured (HACKING). A file has the first
 * call of a frame at the very tick at which the frame begins. */
static bool is_before(const struct profile *p, int64_t end, int64_t tick)
{
	return is_of_file(p) ? end <= tick : end < tick;
}

/* A thread ends its part of a frame a little later than the frame ends. */
static bool is_over(const struct foreign *t, const struct profile_frame *frame, uint32_t thread, int64_t tick)
{
	const struct profile_held *part = profile_find_part(frame, thread);

	return is_before(t->profile, part && !(part->flags & PART_MISSING) ? part->end : frame_end(frame), tick);
}

static bool has_begun(const struct foreign *t, uint32_t i, uint32_t thread, int64_t tick, bool note)
{
	const struct profile_frame *frame = &t->profile->frames[i];
	const struct profile_held *part = profile_find_part(frame, thread);
	int64_t begin = part && !(part->flags & PART_MISSING) ? part->bound : frame->start;

	if (!part && !note && is_of_file(t->profile)) /* all that it called is of another frame, or of none */
		return false;
	return is_before(t->profile, begin, tick) || (begin == tick && !i);
}

uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick, int64_t until)
{
	const struct profile *p = t->profile;
	uint32_t i = SEARCH(i, 0, p->frame_count, is_over(t, &p->frames[i], thread, tick));

	if (i < p->frame_count && has_begun(t, i, thread, tick, until == FOREIGN_NOTE))
		return i;
	if (i && (until == tick || until == FOREIGN_NOTE) && frame_end(&p->frames[i - 1]) == tick) /* the last of it, of no length */
		return i - 1;
	return PROFILE_NONE;
}

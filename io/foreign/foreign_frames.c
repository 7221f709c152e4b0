/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_frames.h"

#include <string.h>

#include "model/base/search.h"

static bool is_of_file(const struct profile *p)
{
	return !strcmp(p->process.clock, "file");
}

bool foreign_frames_of_file(const struct foreign *t)
{
	return is_of_file(t->profile);
}

/* What happens at the mark itself is of the frame that ends, in a program that is measured (HACKING). A file has the first
 * call of a frame at the very tick at which the frame begins. */
static bool is_before(const struct profile *p, int64_t end, int64_t tick)
{
	return is_of_file(p) ? end <= tick : end < tick;
}

/* A thread ends its part of a frame a little later than the frame ends. NULL: it has none of its own; notes of a file are of the
 * whole frame. */
static const struct profile_held *part_of(const struct foreign *t, const struct profile_frame *frame, uint32_t thread, bool note)
{
	const struct profile_held *part = note && is_of_file(t->profile) ? NULL : profile_find_part(frame, thread);

	return part && !(part->flags & PART_MISSING) ? part : NULL;
}

static bool is_over(const struct foreign *t, uint32_t i, uint32_t thread, int64_t tick, bool note)
{
	const struct profile_frame *frame = &t->profile->frames[i];
	const struct profile_held *part = part_of(t, frame, thread, note);

	return is_before(t->profile, part ? part->end : frame_end(frame), tick);
}

/* A file's thread without a part called nothing in the frame: what it did is of another one, or of none. */
static bool has_begun(const struct foreign *t, uint32_t i, uint32_t thread, int64_t tick, bool note)
{
	const struct profile_frame *frame = &t->profile->frames[i];
	const struct profile_held *part = part_of(t, frame, thread, note);
	int64_t begin = part ? part->bound : frame->start;

	return (is_before(t->profile, begin, tick) || (begin == tick && !i)) && (part || note || !is_of_file(t->profile));
}

uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick, int64_t until)
{
	const struct profile *p = t->profile;
	bool note = until == FOREIGN_NOTE;
	uint32_t i = SEARCH(i, 0, p->frame_count, is_over(t, i, thread, tick, note));

	if (i < p->frame_count && has_begun(t, i, thread, tick, note))
		return i;
	if (i && (note || until == tick) && frame_end(&p->frames[i - 1]) == tick) /* the last of it */
		return i - 1;
	return PROFILE_NONE;
}

uint64_t foreign_frames_lacking(const struct foreign *t, uint32_t thread, const uint64_t *found)
{
	uint64_t lacking = 0;

	for (uint32_t i = 0; i < t->profile->frame_count; i++) {
		const struct profile_frame *frame = &t->profile->frames[i];
		const struct profile_held *part = part_of(t, frame, thread, false);
		uint64_t count = 0;

		for (uint32_t k = 0; part && !(frame->flags & FRAME_GUESSED) && k < part->cell_count; k++)
			count += (uint64_t)profile_cell(part, k).count;
		lacking += count > found[i] ? count - found[i] : 0;
	}
	return lacking;
}

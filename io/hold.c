/* SPDX-License-Identifier: MIT */
#include "io/hold.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

#define GROUP 64 /* numbers of frames */
#define AGE_FROM (8 * GROUP) /* frames; where fewer fit there is no room for what was */
#define GROUPS UINT64_MAX /* a fineness: every bucket is one group, whatever its age */
#define FINEST 65536 /* buckets of the width of a bucket's age; half of it when they are too many, and so on */
#define KEPT_PART 4 /* one in so many of the bytes that are held */

static bool is_longer(const struct profile_frame *a, const struct profile_frame *b)
{
	return !(a->flags & FRAME_DISCARDED) && a->length > b->length;
}

/* The longest of frames [first, end), of two of one length the first; `end`: all are discarded. */
static uint32_t longest_of(const struct profile *p, uint32_t first, uint32_t end)
{
	uint32_t longest = end;

	for (uint32_t i = first; i < end; i++) {
		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		if (longest == end || is_longer(&p->frames[i], &p->frames[longest]))
			longest = i;
	}
	return longest;
}

/* The longest frames of all that are held stay: HOLD_LONGEST of them, so that
 * frames of equal length leave, too. */
static void keep_longest(const struct profile *p, uint32_t end, bool *stays)
{
	uint32_t longest[HOLD_LONGEST], n = 0;

	for (uint32_t i = 0; i < p->frame_count; i++) {
		uint32_t at = n;

		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		while (at > 0 && is_longer(&p->frames[i], &p->frames[longest[at - 1]]))
			at--;
		if (at == HOLD_LONGEST)
			continue;
		n += n < HOLD_LONGEST;
		memmove(&longest[at + 1], &longest[at], (n - 1 - at) * sizeof(*longest));
		longest[at] = i;
	}
	for (uint32_t k = 0; k < n; k++)
		if (longest[k] < end)
			stays[longest[k]] = true;
}

/* For a frame of this age: how many frame numbers share one frame that is kept. */
static uint64_t bucket_width(uint64_t age, uint64_t fineness)
{
	uint64_t width = GROUP;

	while (width <= age / fineness / 2)
		width *= 2;
	return width;
}

/* Among the frames [first, end), the longest of each bucket stays, and all
 * before `first`; and the longest of all. False: no memory. */
static bool thin_frames(struct profile *p, uint32_t first, uint32_t end, uint64_t fineness)
{
	bool *stays = array_zeroed((uint64_t)end + 1, sizeof(*stays));
	uint64_t newest = p->frames[p->frame_count - 1].number;

	if (!stays)
		return false;
	for (uint32_t i = 0; i < first; i++)
		stays[i] = true;
	for (uint32_t i = first, next; i < end; i = next) {
		uint64_t width = bucket_width(newest - p->frames[i].number, fineness);

		for (next = i; next < end && p->frames[next].number / width == p->frames[i].number / width;)
			next++;
		stays[longest_of(p, i, next)] = true;
	}
	keep_longest(p, end, stays);
	profile_thin_frames(p, end, stays);
	free(stays);
	return true;
}

/* The frames that leave together: a sixteenth of those in the ring, in whole groups. */
static uint32_t leave_together(const struct profile *p, uint32_t kept)
{
	uint32_t end = kept + (p->frame_count - kept) / 16;

	while (end < p->frame_count &&
	       p->frames[end].number / GROUP == p->frames[end - 1].number / GROUP)
		end++;
	return end;
}

/* Makes room. What cannot be kept for want of memory is dropped. */
static void make_room(struct profile *p, uint64_t most_kept)
{
	uint32_t kept = profile_kept_frames(p);

	if (p->frame_count - kept < AGE_FROM || !thin_frames(p, kept, leave_together(p, kept), GROUPS))
		profile_drop_frames(p, 1);
	for (uint64_t fineness = FINEST; (kept = profile_kept_frames(p)) > 0; fineness /= 2) {
		if (profile_frames_bytes(p, 0, kept) <= most_kept)
			break;
		if (!fineness || !thin_frames(p, 0, kept, fineness))
			profile_drop_frames(p, 1);
	}
}

void hold_within(struct profile *p, uint64_t most_bytes)
{
	while (p->frame_count > 1 && p->held_bytes > most_bytes)
		make_room(p, most_bytes / KEPT_PART);
}

void hold_none(struct profile *p)
{
	uint32_t kept = profile_kept_frames(p);

	if (p->frame_count - kept < AGE_FROM || !thin_frames(p, kept, p->frame_count, GROUPS))
		profile_drop_frames(p, p->frame_count);
}

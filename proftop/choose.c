/* SPDX-License-Identifier: MIT */
#include "tui/which_frame.h"

#include <stdio.h>
#include <string.h>

#include "tui/say.h"

#define NAMED 8 /* so many of those that were kept are said by number */

void say_no_frames(void)
{
	say("there are no frames: " SAY_UNMARKED);
}

static uint64_t newest_number(const struct profile *p)
{
	return p->frames[p->frame_count - 1].number;
}

/* `, and of those before them 3, 17 and 40, which were long`. */
static void list_kept(const struct profile *p, char *out, size_t size)
{
	uint32_t kept = profile_kept_frames(p), first = kept > NAMED ? kept - NAMED : 0;
	size_t at = 0;

	*out = '\0';
	for (uint32_t i = first; i < kept && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%llu",
				       i > first ? ", " : first ? ", and kept for being long, the newest of them: "
								: ", and kept for being long: ",
				       (unsigned long long)p->frames[i].number);
}

static void say_not_held(const struct profile *p, uint64_t number)
{
	uint32_t first = profile_kept_frames(p);
	char kept[NAMED * 24 + 64];

	if (number > newest_number(p)) {
		say("there is no frame %llu yet: the newest is %llu", (unsigned long long)number,
		    (unsigned long long)newest_number(p));
		return;
	}
	list_kept(p, kept, sizeof(kept));
	if (first == p->frame_count)
		say("frame %llu is not held%s", (unsigned long long)number, kept);
	else
		say("frame %llu is not held any more; held are %llu to %llu%s", (unsigned long long)number,
		    (unsigned long long)p->frames[first].number, (unsigned long long)newest_number(p), kept);
}

bool which_frame(const struct profile *p, int64_t asked, uint64_t *number)
{
	const struct profile_frame *frame;
	uint64_t newest;

	if (!p->frame_count) {
		say_no_frames();
		return false;
	}
	newest = newest_number(p);
	if (asked < 0 && (uint64_t)-asked > newest) {
		say("there are only %llu frames", (unsigned long long)newest);
		return false;
	}
	*number = asked < 0 ? newest + 1 - (uint64_t)-asked : (uint64_t)asked;
	frame = profile_find_frame(p, *number);
	if (!frame)
		say_not_held(p, *number);
	else if (frame->flags & FRAME_DISCARDED)
		say("frame %llu was discarded: the program said that it is not to be recorded",
		    (unsigned long long)*number);
	return frame && !(frame->flags & FRAME_DISCARDED);
}

uint64_t worst_frame(const struct profile *p)
{
	const struct profile_frame *worst = NULL;

	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		if (!(frame->flags & FRAME_DISCARDED) && (!worst || frame->length >= worst->length))
			worst = frame;
	}
	return worst ? worst->number : 0;
}

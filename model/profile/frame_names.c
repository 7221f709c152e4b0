/* SPDX-License-Identifier: MIT */
/*
 * frame_names: what the program called its frames (Prof_Frame_Begin): a few words in most programs, and a new one for
 * each frame in others. A name is held as long as a frame that is held has it, and its bytes count with those of frames.
 * A frame has 1 + the number of its name, which is given to another one when the name is gone.
 */
#include <string.h>

#include "model/profile/profile_inside.h"

#define NAMES_MOST ((UINT32_C(1) << 24) - 1) /* what profile_frame.name has bits for */

/* What a name takes at most of arrays that double their size. */
#define NAME_BYTES (2 * sizeof(struct string) + 4 * sizeof(struct lookup_slot))

static struct string *name_of(const struct profile *p, uint32_t number)
{
	return &p->store->frame_names.at[number - 1];
}

static uint64_t name_bytes(const struct string *name)
{
	return NAME_BYTES + PROFILE_PIECE((uint64_t)name->length + 1);
}

/* The number of a name, from 1; 0: there is no memory for it. Most frames have the name of the one before. */
static uint32_t number_of(struct profile *p, const char *text, uint32_t likely)
{
	uint32_t number;

	if (likely && !strcmp(name_of(p, likely)->text, text))
		return likely;
	number = strings_add(&p->store->frame_names, text, strlen(text), NAMES_MOST) + 1; /* STRINGS_NONE becomes 0 */
	if (number && !name_of(p, number)->users) {
		p->held_bytes += name_bytes(name_of(p, number));
		p->frame_name_count++;
	}
	return number;
}

void profile_unname_frame(struct profile *p, struct profile_frame *frame)
{
	uint32_t number = frame->name;

	frame->name = 0;
	if (!number || --name_of(p, number)->users)
		return;
	p->held_bytes -= name_bytes(name_of(p, number));
	p->frame_name_count--;
	strings_remove(&p->store->frame_names, number - 1);
}

void profile_name_frame(struct profile *p, const char *name)
{
	struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
	uint32_t number;

	if (!newest)
		return;
	number = *name ? number_of(p, name, p->frame_count > 1 ? newest[-1].name : 0) : 0;
	if (number)
		name_of(p, number)->users++;
	profile_unname_frame(p, newest);
	newest->name = number & NAMES_MOST;
}

const char *profile_frame_name(const struct profile *p, const struct profile_frame *frame)
{
	return frame->name ? name_of(p, frame->name)->text : "";
}

uint64_t profile_frame_name_bytes(const struct profile *p, const struct profile_frame *frame)
{
	return frame->name ? name_bytes(name_of(p, frame->name)) / name_of(p, frame->name)->users : 0;
}

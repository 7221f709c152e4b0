/* SPDX-License-Identifier: MIT */
/*
 * frame_names: what the program called its frames (Prof_Frame_begin). A program has few such names, and each frame has
 * the number of one. Of a program that has more than FRAME_NAMES_MOST, the later ones are not known.
 */
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_inside.h"

#include "model/base/array.h"

/* The number of a name, from 1; 0: there is no room for it. Most frames have the name of the one before. */
static uint32_t number_of(struct profile *p, const char *name, uint32_t likely)
{
	if (likely && !strcmp(p->frame_names[likely - 1], name))
		return likely;
	for (uint32_t i = 0; i < p->frame_name_count; i++)
		if (!strcmp(p->frame_names[i], name))
			return i + 1;
	if (p->frame_name_count == FRAME_NAMES_MOST ||
	    !array_reserve(&p->frame_names, &p->store->frame_name_capacity, (uint64_t)p->frame_name_count + 1,
			   sizeof(*p->frame_names)))
		return 0;
	p->frame_names[p->frame_name_count] = NULL;
	return profile_text(&p->frame_names[p->frame_name_count], name) ? ++p->frame_name_count : 0;
}

void profile_name_frame(struct profile *p, const char *name)
{
	struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
	uint32_t likely = p->frame_count > 1 ? newest[-1].name : 0;

	if (newest)
		newest->name = (uint16_t)(*name ? number_of(p, name, likely) : 0);
}

const char *profile_frame_name(const struct profile *p, const struct profile_frame *frame)
{
	return frame->name ? p->frame_names[frame->name - 1] : "";
}

bool profile_copy_frame_names(struct profile *p, const struct profile *from)
{
	for (uint32_t i = 0; i < from->frame_name_count; i++)
		if (number_of(p, from->frame_names[i], 0) != i + 1)
			return false;
	return true;
}

void profile_free_frame_names(struct profile *p)
{
	for (uint32_t i = 0; i < p->frame_name_count; i++)
		free(p->frame_names[i]);
	free(p->frame_names);
}

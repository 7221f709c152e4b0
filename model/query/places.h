/* SPDX-License-Identifier: MIT */
/*
 * places: tells zones of one name apart, by line, and by as little of their
 * files as is needed.
 */
#ifndef MODEL_PLACES_H
#define MODEL_PLACES_H

#include "model/profile/profile.h"

struct place {
	const struct profile_zone *zone;
	uint32_t index; /* the caller's */
	size_t from;    /* zone->file is shown from here on: as few whole components as
			 * tell it from the files of other zones of that name and line */
	bool shared;    /* another of the zones has this name */
};

/* Sets `from` and `shared` of all, and sorts them by name. O(n log n). */
void places_tell_apart(struct place *places, uint32_t count);

/* ` (file.c:12)`, escaped; "" if the file is not known. Caller frees; NULL: out
 * of memory. */
char *place_text(const struct profile_zone *zone, size_t from);

#endif

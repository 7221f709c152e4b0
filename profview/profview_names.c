/* SPDX-License-Identifier: MIT */
/*
 * profview_names: names that are asked for in each frame that a program draws, kept as long as what is shown.
 */
#include "profview/profview_inside.h"

#include <stdlib.h>

#include "model/base/array.h"

void profview_names_clear(struct profview_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct profview_names){ 0 };
}

static bool reserve(struct profview_names *names, uint32_t count)
{
	char **grown = names->count < count ? reallocarray(names->names, count, sizeof(*grown)) : names->names;

	if (!grown)
		return false;
	for (names->names = grown; names->count < count; names->count++)
		grown[names->count] = NULL;
	return true;
}

const char *profview_names_at(struct profview_names *names, uint32_t index, uint32_t count,
			      char *(*make)(const char *text, bool ascii), const char *text, bool ascii)
{
	if (index >= count || !reserve(names, count))
		return "";
	if (!names->names[index])
		names->names[index] = make(text, ascii);
	return names->names[index] ? names->names[index] : "";
}

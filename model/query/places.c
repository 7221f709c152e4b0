/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf */
#endif

#include "model/query/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

/* Zones are sorted by name, line and file, files from their ends. So the file
 * that shares most components with a zone's file is beside it. */

static size_t common_tail(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), common = 0;

	while (common < i && common < j && a[i - 1 - common] == b[j - 1 - common])
		common++;
	return common;
}

/* What stands before a tail of this length: whole components stand together. */
static int before_tail(const char *file, size_t tail)
{
	size_t length = strlen(file);
	unsigned char byte = length > tail ? (unsigned char)file[length - tail - 1] : 0;

	return byte == '/' ? 1 : byte ? 2 + byte : 0;
}

static int compare_places(const void *x, const void *y)
{
	const struct profile_zone *a = ((const struct place *)x)->zone, *b = ((const struct place *)y)->zone;
	int names = strcmp(a->name, b->name);
	size_t tail;

	if (names || a->line != b->line)
		return names ? names : a->line < b->line ? -1 : 1;
	tail = common_tail(a->file, b->file);
	return before_tail(a->file, tail) - before_tail(b->file, tail);
}

/* Where in the file the shortest tail begins that the other one does not end
 * with. */
static size_t told_from(const char *file, const char *other)
{
	size_t tail = common_tail(file, other), at = strlen(file) - tail;

	if (at && file[at - 1] == '/' && tail == strlen(other))
		at--; /* it does end with it */
	while (at && file[at - 1] != '/')
		at--;
	return at;
}

static void tell_from(struct place *place, const struct place *neighbour)
{
	const struct profile_zone *a = place->zone, *b = neighbour->zone;
	size_t from;

	if (strcmp(a->name, b->name) != 0)
		return;
	place->shared = true;
	from = a->line == b->line ? told_from(a->file, b->file) : place->from;
	place->from = from < place->from ? from : place->from;
}

void places_tell_apart(struct place *places, uint32_t count)
{
	qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < count; i++) {
		const char *slash = strrchr(places[i].zone->file, '/');

		places[i].from = slash ? (size_t)(slash + 1 - places[i].zone->file) : 0;
		places[i].shared = false;
		if (i)
			tell_from(&places[i], &places[i - 1]);
		if (i + 1 < count)
			tell_from(&places[i], &places[i + 1]);
	}
}

char *place_text(const struct profile_zone *zone, size_t from)
{
	const char *file = zone->file + from;
	char *escaped, *text = NULL;

	if (!*zone->file)
		return strdup("");
	escaped = name_escape(file, strlen(file));
	if (!escaped || asprintf(&text, " (%s:%u)", escaped, zone->line) < 0)
		text = NULL;
	free(escaped);
	return text;
}

/* SPDX-License-Identifier: MIT */
#include "model/stats/why_names.h"

#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/query/places.h"

struct naming {
	struct why *w;
	const struct profile *base, *now;
	const struct match *match;
};

static const struct profile_zone *zone_at(const struct naming *n, uint32_t zone)
{
	return zone < n->now->zone_count ? &n->now->zones[zone] : &n->base->zones[zone - n->now->zone_count];
}

/* Adds the zones that may have the name of another zone. */
static uint32_t add_zones(const struct naming *n, struct place *places)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < n->now->zone_count; i++)
		if (n->base != n->now || n->now->zones[i].name_clash)
			places[count++] = (struct place){ .zone = &n->now->zones[i], .index = i };
	for (uint32_t i = 1; n->base != n->now && i < n->base->zone_count; i++)
		if (n->match->zones[i] == PROFILE_NONE)
			places[count++] = (struct place){ .zone = &n->base->zones[i], .index = n->now->zone_count + i };
	return count;
}

static bool name_zone(const struct naming *n, uint32_t zone)
{
	struct why_name *name = &n->w->names[zone];
	const char *bytes = zone_at(n, zone)->name;

	if (!name->name)
		name->name = name_escape(bytes, strlen(bytes));
	return name->name;
}

/* Names the zones of all rows, and of their callers. */
static bool name_rows(const struct naming *n)
{
	const struct why *w = n->w;
	bool *named = array_zeroed(w->stack_count, sizeof(*named)), done = named;

	for (uint32_t i = 0; done && i < w->row_count; i++)
		for (uint32_t s = w->rows[i].stack; done && s != PROFILE_NONE && !named[s]; s = w->stacks[s].parent) {
			named[s] = true;
			done = name_zone(n, w->stacks[s].zone);
		}
	free(named);
	return done;
}

static bool name_places(const struct naming *n, struct place *places)
{
	uint32_t count = add_zones(n, places);

	places_tell_apart(places, count);
	for (uint32_t i = 0; i < count; i++) {
		struct why_name *name = &n->w->names[places[i].index];

		if (!name->name || !places[i].shared)
			continue;
		name->place = place_text(places[i].zone, places[i].from);
		if (!name->place)
			return false;
	}
	return true;
}

bool why_names_make(struct why *w, const struct profile *base, const struct profile *now, const struct match *match)
{
	const struct naming n = { w, base, now, match };
	struct place *places;
	bool done;

	w->name_count = now->zone_count + base->zone_count;
	w->names = array_zeroed(w->name_count, sizeof(*w->names));
	places = array_zeroed(w->name_count, sizeof(*places));
	done = w->names && places && name_rows(&n) && name_places(&n, places);
	free(places);
	return done;
}

void why_names_fini(struct why *w)
{
	for (uint32_t i = 0; w->names && i < w->name_count; i++) {
		free(w->names[i].name);
		free(w->names[i].place);
	}
	free(w->names);
}

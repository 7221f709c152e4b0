/* SPDX-License-Identifier: MIT */
/*
 * app_hands: what is handed to others: the source of a zone, a row, the screen. Whoever runs the app does it.
 */
#include <stdio.h>
#include <string.h>

#include "tui/app_inside.h"

/* The zone of the cursor's row, where its view has rows of zones; PROFILE_NO_ZONE: none. */
static uint32_t zone_of(const struct app *a)
{
	const struct view *v = app_view(a);
	const struct report_row *row = table_row(&v->table);
	struct look look = app_looks(a);
	struct path path;
	uint32_t key;

	if (row)
		return row->zone;
	if (!look.lens || !v->ops->target || !table_count(&v->table) || !v->ops->target(v, &look, &path))
		return PROFILE_NO_ZONE;
	key = keys_by_id(lens_keys(look.lens), path.ids[path.length - 1]);
	return key == PROFILE_NONE ? PROFILE_NO_ZONE : lens_keys(look.lens)->keys[key].zone;
}

bool app_has_source(const struct app *a)
{
	const struct profile *p = times_profile(&a->times);
	uint32_t zone = p ? zone_of(a) : PROFILE_NO_ZONE;

	return zone != PROFILE_NO_ZONE && zone < p->zone_count && *p->zones[zone].file;
}

unsigned app_edit(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->times);
	const struct profile_zone *zone;

	(void)unused;
	if (!app_has_source(a)) {
		app_say(a, "where this is in the source is not known");
		return EFFECT_DRAW;
	}
	zone = &p->zones[zone_of(a)];
	if (strlen(zone->file) >= sizeof(a->source)) {
		app_say(a, "the name of the source is too long");
		return EFFECT_DRAW;
	}
	snprintf(a->source, sizeof(a->source), "%s", zone->file);
	a->source_line = zone->line;
	return EFFECT_DRAW | EFFECT_EDIT;
}

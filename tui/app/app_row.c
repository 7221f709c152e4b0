/* SPDX-License-Identifier: MIT */
/*
 * app_row: what is done with the zone of the cursor's row: its source opens in the editor, or it is pinned, which
 * keeps it in sight above all others in the table, and in the bars of the frame graph.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"

/* Its source */

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
	if (!look.query || !v->ops->target || !table_count(&v->table) || !v->ops->target(v, &look, &path))
		return PROFILE_NO_ZONE;
	key = keys_by_id(query_keys(look.query), path.ids[path.length - 1]);
	return key == PROFILE_NONE ? PROFILE_NO_ZONE : query_keys(look.query)->keys[key].zone;
}

bool app_has_source(const struct app *a, enum command unused)
{
	const struct profile *p = times_profile(&a->at->times);
	uint32_t zone = p ? zone_of(a) : PROFILE_NO_ZONE;

	(void)unused;
	return zone != PROFILE_NO_ZONE && zone < p->zone_count && *p->zones[zone].file;
}

unsigned app_edit(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct profile_zone *zone;

	(void)unused;
	if (!app_has_source(a, COMMAND_EDITOR)) {
		app_say(a, "the source of this row is not known");
		return EFFECT_DRAW;
	}
	zone = &p->zones[zone_of(a)];
	if (strlen(zone->file) >= sizeof(a->wanted.source)) {
		app_say(a, "the name of the source is too long");
		return EFFECT_DRAW;
	}
	snprintf(a->wanted.source, sizeof(a->wanted.source), "%s", zone->file);
	a->wanted.source_line = zone->line;
	return EFFECT_DRAW | EFFECT_EDIT;
}

/* Pins */

static const struct report_row *pinnable(const struct app *a)
{
	const struct report_row *row = table_row(&app_view(a)->table);

	return row && row->zone != PROFILE_NO_ZONE && times_query(&a->at->times) ? row : NULL;
}

bool app_can_pin(const struct app *a, enum command unused)
{
	(void)unused;
	return pinnable(a);
}

unsigned app_pin(struct app *a, int unused)
{
	const struct report_row *row = pinnable(a);
	uint32_t number;
	char **name;

	(void)unused;
	if (!row) {
		app_say(a, "no zone here to pin");
		return EFFECT_DRAW;
	}
	number = pins_turn(&a->pins.set, query_keys(times_query(&a->at->times))->id[row->key]);
	if (!number) {
		app_say(a, "%d zones are pinned, the most possible. Press Space on one of them to unpin it", PINS_MOST);
		return EFFECT_DRAW;
	}
	table_go(&app_view(a)->table, row->id);
	name = &a->pins.names[number - 1];
	free(*name);
	*name = a->pins.set.ids[number - 1] ? strdup(row->name) : NULL;
	a->stale = true;
	return EFFECT_DRAW;
}

struct frame_graph_pins app_graph_pins(const struct app *a)
{
	struct query *query = times_query(&a->at->times);
	struct frame_graph_pins pins = { .areas = a->style.areas && !a->style.ascii };

	if (!query || !pins_any(&a->pins.set))
		return pins;
	pins.which = &a->pins.set;
	pins.names = (const char *const *)a->pins.names;
	pins.keys = query_keys(query);
	pins.threads = query_options(query)->threads;
	return pins;
}

/* SPDX-License-Identifier: MIT */
/*
 * app_pins: zones that are kept in sight: above all others in the table, and in the bars of the frame graph.
 */
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "tui/app_inside.h"

static const struct report_row *pinnable(const struct app *a)
{
	const struct report_row *row = table_row(&app_view(a)->table);

	return row && row->zone != PROFILE_NO_ZONE && times_lens(&a->times) ? row : NULL;
}

bool app_can_pin(const struct app *a)
{
	return pinnable(a);
}

unsigned app_pin(struct app *a, int unused)
{
	const struct report_row *row = pinnable(a);
	uint32_t number;
	char **name;

	(void)unused;
	if (!row) {
		app_say(a, "there is no zone here to pin");
		return EFFECT_DRAW;
	}
	number = pins_turn(&a->pins, lens_keys(times_lens(&a->times))->id[row->key]);
	if (!number) {
		app_say(a, "%d zones are pinned, and that is all: Space on one of them lets it go", PINS_MOST);
		return EFFECT_DRAW;
	}
	name = &a->pin_names[number - 1];
	free(*name);
	*name = a->pins.ids[number - 1] ? strdup(row->name) : NULL;
	a->stale = true;
	return EFFECT_DRAW;
}

struct frame_graph_pins app_graph_pins(const struct app *a)
{
	struct lens *lens = times_lens(&a->times);
	struct frame_graph_pins pins = { .areas = a->areas && !a->ascii };

	if (!lens || !pins_any(&a->pins))
		return pins;
	pins.which = &a->pins;
	pins.names = (const char *const *)a->pin_names;
	pins.keys = lens_keys(lens);
	pins.threads = lens_options(lens)->threads;
	return pins;
}

/* SPDX-License-Identifier: MIT */
/*
 * app_regions: the list of programs that can be looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "model/array.h"
#include "tui/app_inside.h"

void app_regions_forget(struct app *a)
{
	for (uint32_t i = 0; i < a->region_count; i++)
		free(a->regions[i]);
	free(a->regions);
	a->regions = NULL;
	a->region_count = a->region_capacity = 0;
}

void app_region(struct app *a, const char *name, const char *shown)
{
	char *copy = NULL;

	if (!array_reserve(&a->regions, &a->region_capacity, (uint64_t)a->region_count + 1,
			   sizeof(*a->regions)) ||
	    !(copy = strdup(name)) || !picker_add(&a->picker, a->region_count, "%s", shown)) {
		free(copy);
		return;
	}
	a->regions[a->region_count++] = copy;
}

void app_regions_begin(struct app *a)
{
	app_regions_forget(a);
	picker_begin(&a->picker, "Programs");
}

void app_regions_end(struct app *a)
{
	if (!a->picker.count) {
		app_say(a, "there is no region: start a program with PROF_SHM=name");
		return;
	}
	a->overlay = OVERLAY_PICKER;
	a->asked = COMMAND_REGIONS;
}

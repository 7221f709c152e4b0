/* SPDX-License-Identifier: MIT */
#include "model/report/drill.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

/* What was looked at before a step. */
struct drill_step {
	struct path path;
	uint32_t place;
	uint64_t cursor;
};

void drill_fini(struct drill *d)
{
	free(d->steps);
	*d = (struct drill){ .count = 0 };
}

void drill_begin(struct drill *d, const struct path *path)
{
	d->path = *path;
	d->place = path->length ? path->length - 1 : 0;
	d->count = 0;
}

bool drill_can_enter(const struct report_row *row)
{
	return row && row->role != ROW_FOCUS && row->zone != PROFILE_NO_ZONE;
}

static void remember_cursor(struct drill *d, uint64_t cursor)
{
	struct drill_step step = { d->path, d->place, cursor };

	if (d->count == DRILL_STEPS_MOST)
		memmove(d->steps, d->steps + 1, --d->count * sizeof(*d->steps));
	if (array_reserve(&d->steps, &d->capacity, (uint64_t)d->count + 1, sizeof(*d->steps)))
		d->steps[d->count++] = step;
}

void drill_enter(struct drill *d, enum row_role role, uint64_t id, uint64_t cursor)
{
	remember_cursor(d, cursor);
	if (role == ROW_CALLER)
		path_to_caller(&d->path, &d->place, id);
	else
		path_to_child(&d->path, &d->place, id);
}

bool drill_back(struct drill *d, uint64_t *cursor)
{
	const struct drill_step *step;

	if (!d->count)
		return false;
	step = &d->steps[--d->count];
	d->path = step->path;
	d->place = step->place;
	*cursor = step->cursor;
	return true;
}

void drill_turn(struct drill *d, const struct profile *p, const struct keys *before, bool spread)
{
	path_turn(&d->path, p, before, spread);
	for (uint32_t i = 0; i < d->count; i++)
		path_turn(&d->steps[i].path, p, before, spread);
}

const struct report_row *drill_largest_caller(const struct report *graph)
{
	const struct report_section *section =
		graph && graph->section_count ? &graph->sections[0] : NULL;
	const struct report_row *largest = NULL;

	for (uint32_t i = 0; section && i < section->row_count; i++) {
		const struct report_row *row = &section->rows[i];

		if (row->role == ROW_CALLER && drill_can_enter(row) &&
		    (!largest ||
		     row->values[COLUMN_HIER].exact > largest->values[COLUMN_HIER].exact))
			largest = row;
	}
	return largest;
}

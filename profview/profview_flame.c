/* SPDX-License-Identifier: MIT */
/*
 * profview_flame: the tree of what is looked at as boxes, as profview.h has it. It is made when it is asked for, and goes
 * when something else is looked at.
 */
#include "profview/profview_inside.h"

#include <string.h>

#include "model/base/text.h"
#include "model/report/columns.h"

static const struct report_section *section_of(const Prof_view *v)
{
	return &v->flame.report->sections[0];
}

static enum Prof_view_result make(Prof_view *v)
{
	enum Prof_view_result result = profview_tree(v, &v->flame.report);

	if (result == Prof_view_OK && !v->flame.report->section_count)
		return profview_say(v, Prof_view_NOTHING, "no rows");
	if (result == Prof_view_OK)
		v->flame.flame = flame_make(section_of(v), v->flame.without_waits);
	if (result == Prof_view_OK && !v->flame.flame)
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	return result;
}

static const struct flame *flame_of(Prof_view *v)
{
	if (!v->flame.made)
		v->flame.result = make(v);
	v->flame.made = true;
	return v->flame.flame;
}

enum Prof_view_result Prof_view_flame(Prof_view *v, struct Prof_view_flame *out)
{
	const struct flame *flame = flame_of(v);

	memset(out, 0, sizeof(*out));
	if (!flame)
		return v->flame.result;
	out->whole = flame->whole;
	out->scale = v->flame.report->scale;
	out->boxes = flame->levels[flame->depth];
	for (out->depth = flame->depth; out->depth && flame->levels[out->depth - 1] == out->boxes;)
		out->depth--;
	return Prof_view_OK;
}

void Prof_view_set_flame_waits(Prof_view *v, int waits)
{
	if (v->flame.without_waits == !waits)
		return;
	v->flame.without_waits = !waits;
	profview_stale(v);
}

/* Rows */

static void describe(Prof_view *v, const struct profview_row *row, uint32_t index, struct Prof_view_box *out)
{
	const struct report_section *s = section_of(v);
	uint32_t at = v->flame.flame->rows[row->first + index];
	const struct report_row *r = &s->rows[at];
	const struct profile_zone *zone = &profview_profile(v)->zones[r->zone];

	out->hier = r->values[COLUMN_HIER].exact; /* also where the box is without what waits in it */
	out->self = r->values[COLUMN_SELF].exact;
	out->flags = r->waiting ? Prof_view_WAITING : 0;
	out->id = r->id;
	out->hue = box_hue(r->name);
	out->name = profview_names_at(&v->flame.names, at, s->row_count, name_shown, r->name, v->ascii);
	out->file = zone->file;
	out->line = zone->line;
}

/* False: there is no such depth. */
static bool row_of(Prof_view *v, unsigned depth, struct profview_row *out)
{
	const struct flame *flame = flame_of(v);

	if (!flame || depth >= flame->depth)
		return false;
	*out = (struct profview_row){ .row = flame_level(flame, depth), .depth = depth, .first = flame->levels[depth],
				      .describe = describe };
	if (depth + 1 < flame->depth)
		out->below = flame_level(flame, depth + 1);
	out->ns = 1e9 / (double)v->flame.report->ticks_per_s / (double)v->flame.report->scale;
	return true;
}

int Prof_view_flame_box(Prof_view *v, unsigned depth, unsigned index, struct Prof_view_box *out)
{
	struct profview_row row;

	return row_of(v, depth, &row) && profview_row_box(v, &row, index, out);
}

unsigned Prof_view_flame_row(Prof_view *v, unsigned depth, const struct Prof_view_axis *axis, struct Prof_view_box *out)
{
	struct profview_row row;

	return row_of(v, depth, &row) ? profview_row_boxes(v, &row, axis, out) : 0;
}

int Prof_view_flame_at(Prof_view *v, unsigned depth, const struct Prof_view_axis *axis, unsigned x,
		       struct Prof_view_box *out)
{
	struct profview_row row;

	return row_of(v, depth, &row) && profview_row_at(v, &row, axis, x, out);
}

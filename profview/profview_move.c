/* SPDX-License-Identifier: MIT */
/*
 * profview_move: the cursor of a view, and where it leads.
 */
#include "profview/profview_inside.h"

static const struct report_row *row_at_cursor(Prof_view *v)
{
	const struct report_section *section = profview_section(v);

	return section && v->at < section->row_count ? &section->rows[v->at] : NULL;
}

static void move_to(Prof_view *v, int64_t row)
{
	const struct report_section *section = profview_section(v);
	int64_t count = section ? section->row_count : 0;

	if (row >= count)
		row = count - 1;
	v->at = row > 0 ? (uint32_t)row : 0;
	if (count)
		v->wanted = section->rows[v->at].id;
}

void Prof_view_move_cursor(Prof_view *v, int delta)
{
	move_to(v, (int64_t)v->at + delta);
}

void Prof_view_set_cursor(Prof_view *v, unsigned row)
{
	move_to(v, row);
}

unsigned Prof_view_get_cursor(Prof_view *v)
{
	profview_report(v);
	return v->at;
}

/* The cursor is nobody's, or, of a call graph, the focus'. */
static void home(Prof_view *v)
{
	v->wanted = 0;
	v->at = 0;
	v->arrived = false;
}

void profview_open_mode(Prof_view *v, enum report_view mode, uint32_t key)
{
	const struct report_section *section;

	v->mode = mode;
	home(v);
	profview_stale(v);
	section = key == PROFILE_NONE ? NULL : profview_section(v);
	for (uint32_t i = 0; section && i < section->row_count; i++)
		if (section->rows[i].key == key) {
			move_to(v, i);
			return;
		}
}

/* The call graph of a zone, from another mode. */
static void begin_graph(Prof_view *v, uint64_t id)
{
	struct path path;
	uint32_t place;

	path_begin(&path, &place, id);
	drill_begin(&v->drill, &path);
	if (v->mode != REPORT_GRAPH)
		v->came_from = v->mode;
	profview_open_mode(v, REPORT_GRAPH, PROFILE_NONE);
}

static enum Prof_view_result enter(Prof_view *v, const struct report_row *row)
{
	uint64_t id;

	if (!drill_can_enter(row))
		return profview_say(v, Prof_view_NOTHING, "no zone here to open");
	id = query_keys(profview_query(v))->id[row->key];
	if (v->mode != REPORT_GRAPH) {
		begin_graph(v, id);
		return Prof_view_OK;
	}
	drill_enter(&v->drill, row->role, id, v->wanted);
	home(v);
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_select(Prof_view *v)
{
	return enter(v, row_at_cursor(v));
}

enum Prof_view_result Prof_view_select_zone(Prof_view *v, const char *zone)
{
	const struct profile *p;
	uint32_t key = PROFILE_NONE;
	enum keys_lookup found = KEYS_NO_ZONE;

	profview_report(v); /* which brings the keys up to date */
	p = profview_profile(v);
	if (p)
		found = keys_parse(query_keys(profview_query(v)), p, zone, &key);
	if (found == KEYS_AMBIGUOUS)
		return profview_say(v, Prof_view_NOTHING,
				    "several zones have that name: use NAME@FILE:LINE");
	if (found == KEYS_NO_ZONE)
		return profview_say(v, Prof_view_NOTHING, "no such zone");
	begin_graph(v, query_keys(profview_query(v))->id[key]);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_select_parent(Prof_view *v)
{
	const struct report_row *caller;
	enum Prof_view_result result = Prof_view_OK;

	if (v->mode != REPORT_GRAPH)
		result = Prof_view_select(v);
	if (result != Prof_view_OK)
		return result;
	caller = profview_report(v) ? drill_largest_caller(v->report) : NULL;
	if (!caller)
		return profview_say(v, Prof_view_NOTHING, "no zone calls this one");
	return enter(v, caller);
}

enum Prof_view_result Prof_view_back(Prof_view *v)
{
	uint64_t cursor = 0;

	if (v->mode != REPORT_GRAPH)
		return profview_say(v, Prof_view_NOTHING, "no selection to undo");
	if (!drill_back(&v->drill, &cursor)) {
		uint32_t key = keys_by_id(query_keys(profview_query(v)), drill_focus(&v->drill));

		profview_open_mode(v, v->came_from, key);
		return Prof_view_OK;
	}
	home(v);
	v->wanted = cursor;
	v->arrived = cursor != 0;
	profview_stale(v);
	return Prof_view_OK;
}

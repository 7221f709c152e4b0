/* SPDX-License-Identifier: MIT */
/*
 * profview_look: what of the profile a view looks at, and how it is written.
 */
#include <stdio.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/pattern.h"
#include "model/base/text.h"
#include "profview/profview_inside.h"

/* The cursor of a view, and where it leads. */

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
static void cursor_home(Prof_view *v)
{
	v->wanted = 0;
	v->at = 0;
	v->arrived = false;
}

/* Opens another mode, with the cursor in the row of this key; PROFILE_NONE: where it is. */
static void profview_open_mode(Prof_view *v, enum report_view mode, uint32_t key)
{
	const struct report_section *section;

	v->mode = mode;
	cursor_home(v);
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

static enum Prof_view_result enter_row(Prof_view *v, const struct report_row *row)
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
	cursor_home(v);
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_select(Prof_view *v)
{
	return enter_row(v, row_at_cursor(v));
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
	return enter_row(v, caller);
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
	cursor_home(v);
	v->wanted = cursor;
	v->arrived = cursor != 0;
	profview_stale(v);
	return Prof_view_OK;
}

/* The enumerators of profview.h are those of the model. */
static_assert((int)Prof_view_SELF_TIME == REPORT_SELF && (int)Prof_view_HIERARCHICAL_TIME == REPORT_HIER &&
		      (int)Prof_view_CALL_GRAPH == REPORT_GRAPH && (int)Prof_view_CALL_TREE == REPORT_TREE &&
		      REPORT_VIEWS == 4, "modes");
static_assert((int)Prof_view_NOW == AVERAGE_NOW && (int)Prof_view_FAST == AVERAGE_FAST &&
		      (int)Prof_view_SLOW == AVERAGE_SLOW && (int)Prof_view_RUN == AVERAGE_RUN, "averages");
static_assert((int)Prof_view_AUTO == UNIT_AUTO && (int)Prof_view_MS == UNIT_MS &&
		      (int)Prof_view_US == UNIT_US && (int)Prof_view_NS == UNIT_NS &&
		      (int)Prof_view_PCT == UNIT_PCT, "units");

enum Prof_view_mode Prof_view_get_mode(const Prof_view *v)
{
	return (enum Prof_view_mode)v->mode;
}

enum Prof_view_result Prof_view_set_mode(Prof_view *v, enum Prof_view_mode mode)
{
	const struct report_section *section;
	uint32_t key = PROFILE_NONE;

	if ((unsigned)mode >= REPORT_VIEWS)
		return profview_say(v, Prof_view_NOTHING, "no such mode");
	if ((enum report_view)mode == v->mode)
		return Prof_view_OK;
	section = profview_section(v);
	if (section && v->at < section->row_count && section->rows[v->at].zone != PROFILE_NO_ZONE)
		key = section->rows[v->at].key;
	if (mode == Prof_view_CALL_GRAPH && key != PROFILE_NONE)
		return Prof_view_select(v);
	if (mode == Prof_view_CALL_GRAPH && !drill_focus(&v->drill))
		return profview_say(v, Prof_view_NOTHING, "no zone for a call graph");
	profview_open_mode(v, (enum report_view)mode, v->wanted ? key : PROFILE_NONE);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_set_average(Prof_view *v, enum Prof_view_average average)
{
	if ((unsigned)average >= AVERAGE_SLOTS)
		return profview_say(v, Prof_view_NOTHING, "no such average");
	v->look.average = (enum average_slot)average;
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_set_measure(Prof_view *v, const char *key)
{
	const struct profile *p = profview_profile(v);
	uint32_t measure = p && key ? profile_find_measure(p, key) : MEASURE_SELF;

	if ((key && !p) || measure == PROFILE_NONE || (p && !measure_is_shown(p, measure)) ||
	    (key && strlen(key) >= sizeof(v->measure)))
		return profview_say(v, Prof_view_NOTHING, "no such measure");
	snprintf(v->measure, sizeof(v->measure), "%s", key ? key : "");
	profview_stale(v);
	return Prof_view_OK;
}

const char *Prof_view_measure(const Prof_view *v, unsigned index)
{
	const struct profile *p = profview_profile(v);

	for (uint32_t i = 0; p && i < p->measure_count; i++)
		if (measure_is_shown(p, i) && !index--)
			return p->measures[i].key;
	return NULL;
}

/* A zone of the call graph stays, and so does the way that led to it. */
enum Prof_view_result Prof_view_set_recursion(Prof_view *v, int spread)
{
	struct query *query = profview_query(v);

	if (v->look.spread == (spread != 0))
		return Prof_view_OK;
	if (query)
		drill_turn(&v->drill, profview_profile(v), query_keys(query), spread != 0);
	v->look.spread = spread != 0;
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_set_thread(Prof_view *v, const char *thread)
{
	const struct profile *p = profview_profile(v);
	uint32_t found = THREADS_ALL;
	bool several = false;

	if (thread) {
		found = p ? profile_parse_thread(p, thread, &several) : PROFILE_NONE;
		if (found == PROFILE_NONE)
			return profview_say(v, Prof_view_NOTHING, "no such thread");
		if (several)
			return profview_say(v, Prof_view_NOTHING,
					    "several threads have that name: choose one by its id");
	}
	v->look.threads = found;
	v->thread_id = thread ? p->threads[found].id : 0;
	profview_stale(v);
	return Prof_view_OK;
}

int Prof_view_thread(Prof_view *v, unsigned index, struct Prof_view_thread *out)
{
	const struct profile *p = profview_profile(v);
	const struct profile_thread *thread;

	if (!p || index >= p->thread_count)
		return 0;
	thread = &p->threads[index];
	*out = (struct Prof_view_thread){
		.id = thread->id, .tid = thread->tid, .alive = thread->state == THREAD_LIVE,
		.marking = thread->marking, .name = profview_name(v, name_safe(thread->name, v->ascii)),
	};
	return 1;
}

enum Prof_view_result Prof_view_set_sort(Prof_view *v, const char *key, int invert)
{
	enum column column = key ? report_column(key) : COLUMNS;

	if (key && (column == COLUMNS || !(report_columns[column].views >> v->mode & 1)))
		return profview_say(v, Prof_view_NOTHING, "no such column here");
	v->sort = column;
	v->invert = invert != 0;
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_set_filter(Prof_view *v, const char *filter)
{
	struct pattern pattern;
	char *copy;

	if (!pattern_init(&pattern, filter, v->why, sizeof(v->why)))
		return Prof_view_NOTHING;
	pattern_fini(&pattern);
	copy = filter && *filter ? strdup(filter) : NULL;
	if (filter && *filter && !copy)
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	free(v->filter);
	v->filter = copy;
	profview_stale(v);
	return Prof_view_OK;
}

void Prof_view_set_format(Prof_view *v, enum Prof_view_unit unit, int precision, int ascii)
{
	if ((unsigned)unit < UNITS)
		v->unit = (enum unit)unit;
	v->precision = precision < 0 ? -1 : precision > 9 ? 9 : precision;
	v->ascii = ascii != 0;
	profview_stale(v);
}

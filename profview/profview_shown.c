/* SPDX-License-Identifier: MIT */
/*
 * profview_shown: what a view shows: a profile, the report of it, and the row that the cursor is in.
 *
 * The cursor belongs to a row by its identity: when rows are made anew, it goes where that row goes; where
 * it is not there, the cursor waits in its line. As long as nobody has moved it, it stays in its line.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "profview/profview_inside.h"

/* Names that are asked for in each frame that a program draws, kept as long as what is shown. */

static void profview_names_clear(struct profview_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct profview_names){ 0 };
}

static bool reserve_names(struct profview_names *names, uint32_t count)
{
	char **grown = names->count < count ? reallocarray(names->names, count, sizeof(*grown)) : names->names;

	if (!grown)
		return false;
	for (names->names = grown; names->count < count; names->count++)
		grown[names->count] = NULL;
	return true;
}

const char *profview_names_at(struct profview_names *names, uint32_t index, uint32_t count,
			      char *(*make)(const char *text, bool ascii), const char *text, bool ascii)
{
	if (index >= count || !reserve_names(names, count))
		return "";
	if (!names->names[index])
		names->names[index] = make(text, ascii);
	return names->names[index] ? names->names[index] : "";
}

static const char *const meanings[] = {
	[Prof_view_OK] = "done",
	[Prof_view_ENDED] = "the process has ended",
	[Prof_view_ABSENT] = "no such region, or the process is not profiled (PROF_SHM)",
	[Prof_view_REFUSED] = "the region cannot be read here",
	[Prof_view_SYSTEM] = "the system refused",
	[Prof_view_NO_MEMORY] = "out of memory",
	[Prof_view_NOTHING] = "no such thing",
	[Prof_view_STOPPED] = "a callback of the program cancelled it",
};

const char *Prof_view_meaning(enum Prof_view_result result)
{
	return (unsigned)result < sizeof(meanings) / sizeof(*meanings) ? meanings[result] : "unknown";
}

enum Prof_view_result profview_say(Prof_view *v, enum Prof_view_result result, const char *why)
{
	snprintf(v->why, sizeof(v->why), "%s", why ? why : Prof_view_meaning(result));
	return result;
}

const char *Prof_view_why(const Prof_view *v)
{
	return v->why;
}

/* The profile */

void profview_find_thread(Prof_view *v)
{
	const struct profile *p = v->paused ? v->paused : v->source->profile;

	if (v->look.threads != THREADS_ALL) /* which is what a thread that is not found is, too */
		v->look.threads = p ? profile_find_thread(p, v->thread_id) : THREADS_ALL;
}

const struct profile *profview_profile(const Prof_view *v)
{
	if (v->paused)
		return v->paused;
	return v->live_query ? v->source->profile : NULL;
}

struct query *profview_query(const Prof_view *v)
{
	return v->paused ? v->paused_query : v->live_query;
}

static void forget_boxes(Prof_view *v)
{
	report_free(v->flame.report);
	flame_free(v->flame.flame);
	v->flame.report = NULL;
	v->flame.flame = NULL;
	v->flame.made = false;
	v->calls.ordered = false;
	profview_names_clear(&v->flame.names);
	profview_names_clear(&v->calls.zones);
	profview_names_clear(&v->calls.threads);
}

void profview_stale(Prof_view *v)
{
	forget_boxes(v);
	counters_free(v->counters);
	v->counters = NULL;
	v->stale = true;
	free(v->titles);
	v->titles = NULL;
}

/* The report */

static struct report_options options_of(const Prof_view *v)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	o.view = v->mode;
	o.invert = v->invert;
	o.filter = v->filter;
	o.unit = v->unit;
	o.precision = v->precision;
	if (v->sort < COLUMNS && report_columns[v->sort].views >> v->mode & 1)
		o.sort = v->sort;
	return o;
}

/* The zone of the call graph, as far as this profile has it. */
static bool set_focus(Prof_view *v, struct query *query, struct report_options *o)
{
	if (v->mode != REPORT_GRAPH)
		return true;
	o->focus = keys_by_id(query_keys(query), drill_focus(&v->drill));
	if (o->focus != PROFILE_NONE)
		return true;
	profview_say(v, Prof_view_NOTHING, "the zone has not been entered yet");
	return false;
}

/* The measure with this key in the profile; time, if there is none. */
static uint32_t measure_chosen(const Prof_view *v)
{
	const struct profile *p = profview_profile(v);
	uint32_t measure = p && *v->measure ? profile_find_measure(p, v->measure) : MEASURE_SELF;

	return measure != PROFILE_NONE && (!p || measure_is_shown(p, measure)) ? measure : MEASURE_SELF;
}

/* The query, which looks at it; NULL: there is none, and `why` says why. */
static struct query *query_as_chosen(Prof_view *v)
{
	struct query *query = profview_query(v);
	struct query_options look = v->look;

	look.frame = v->paused ? v->chosen : 0;
	look.measure = measure_chosen(v);
	if (!query)
		profview_say(v, Prof_view_NOTHING, "nothing was read yet");
	else if (query_look(query, &look))
		return query;
	else
		profview_say(v, Prof_view_NO_MEMORY, NULL);
	return NULL;
}

static bool make_report(Prof_view *v)
{
	struct query *query = query_as_chosen(v);
	struct report_options o = options_of(v);

	if (!query)
		return false;
	if (v->paused)
		query_work(query, WORK_FRAMES);
	return set_focus(v, query, &o) &&
	       query_report(query, &o, &v->report, v->why, sizeof(v->why)) == REPORT_OK;
}

enum Prof_view_result profview_tree(Prof_view *v, struct report **out)
{
	struct query *query = profview_query(v);
	struct report_options o = options_of(v);
	enum report_error error;

	if (!query_as_chosen(v))
		return query ? Prof_view_NO_MEMORY : Prof_view_NOTHING;
	o.view = REPORT_TREE;
	o.sort = COLUMN_HIER;
	o.invert = false;
	error = query_report(query, &o, out, v->why, sizeof(v->why));
	return error == REPORT_OK ? Prof_view_OK : error == REPORT_NO_MEMORY ? Prof_view_NO_MEMORY : Prof_view_NOTHING;
}

/* In a call graph that was just opened the cursor is on the focus. */
static bool is_wanted(const Prof_view *v, const struct report_row *row)
{
	if (v->mode == REPORT_GRAPH && !v->arrived)
		return row->role == ROW_FOCUS;
	return v->wanted && row->id == v->wanted;
}

/* Puts the cursor into the row that it belongs to. */
static void find_cursor(Prof_view *v)
{
	const struct report_section *section =
		v->report->section_count ? &v->report->sections[0] : NULL;
	uint32_t count = section ? section->row_count : 0;

	for (uint32_t i = 0; i < count; i++)
		if (is_wanted(v, &section->rows[i])) {
			v->at = i;
			v->wanted = section->rows[i].id;
			v->arrived = true;
			break;
		}
	if (v->at >= count)
		v->at = count ? count - 1 : 0;
}

bool profview_report(Prof_view *v)
{
	if (!v->stale)
		return v->report;
	report_free(v->report);
	v->report = NULL;
	v->stale = false;
	if (!make_report(v))
		return false;
	find_cursor(v);
	return true;
}

const struct report_section *profview_section(Prof_view *v)
{
	return profview_report(v) && v->report->section_count ? &v->report->sections[0] : NULL;
}

const char *profview_name(Prof_view *v, char *made)
{
	free(v->name);
	v->name = made;
	return made ? made : "";
}

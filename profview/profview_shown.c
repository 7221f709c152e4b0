/* SPDX-License-Identifier: MIT */
#include "io/profview_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/find.h"
#include "model/text.h"

#define WORK_FRAMES 2000 /* of medians, in one go */

static const char *const meanings[] = {
	[Prof_view_OK] = "done",
	[Prof_view_ENDED] = "the process has ended",
	[Prof_view_ABSENT] = "there is no such region, or the process is not profiled (PROF_SHM)",
	[Prof_view_REFUSED] = "that is no region that can be read here",
	[Prof_view_SYSTEM] = "the system says no",
	[Prof_view_NO_MEMORY] = "out of memory",
	[Prof_view_NOTHING] = "there is no such thing",
	[Prof_view_STOPPED] = "a function of the program stopped it",
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

/* Attaching */

static const enum Prof_view_result results[] = {
	[LIVE_OK] = Prof_view_OK,           [LIVE_ABSENT] = Prof_view_ABSENT,
	[LIVE_BAD_NAME] = Prof_view_ABSENT, [LIVE_NOT_OURS] = Prof_view_REFUSED,
	[LIVE_IN_USE] = Prof_view_SYSTEM,   [LIVE_FAILED] = Prof_view_SYSTEM,
};

static struct source *open_source(const char *target, unsigned flags, enum Prof_view_result *result,
				  char *why, size_t size)
{
	char name[FIND_SIZE];
	enum find_result found = target ? find_region(target, name, sizeof(name), why, size)
					: find_self(name, sizeof(name), why, size);
	enum live_result live = LIVE_ABSENT;
	struct source *s = NULL;

	if (found == FIND_DONE)
		s = live_open(name, flags, &live, why, size);
	*result = results[live];
	return s;
}

Prof_view *Prof_view_open(const char *target, unsigned flags, enum Prof_view_result *result, char *why,
			  size_t why_size)
{
	unsigned live = LIVE_OFTEN | LIVE_OWN_FRAMES | (flags & Prof_view_ANY_USER ? LIVE_ANY_USER : 0) |
			(flags & (Prof_view_ANY_USER | Prof_view_GUARD) ? 0 : LIVE_UNGUARDED);
	Prof_view *v = calloc(1, sizeof(*v));
	char text[1536];

	*result = Prof_view_NO_MEMORY;
	snprintf(text, sizeof(text), "%s", meanings[Prof_view_NO_MEMORY]);
	if (v)
		v->source = open_source(target, live, result, text, sizeof(text));
	if (v && v->source) {
		v->look = (struct lens_options){ .threads = THREADS_ALL, .average = AVERAGE_FAST };
		v->sort = COLUMNS;
		v->precision = -1;
		v->stale = true;
		return v;
	}
	if (why && why_size)
		snprintf(why, why_size, "%s", text);
	free(v);
	return NULL;
}

void Prof_view_close(Prof_view *v)
{
	if (!v)
		return;
	profview_go_live(v);
	report_free(v->report);
	counters_free(v->counters);
	lens_free(v->live_lens);
	source_close(v->source);
	drill_fini(&v->drill);
	free(v->filter);
	free(v->titles);
	free(v->name);
	free(v);
}

void Prof_view_set_memory(Prof_view *v, size_t bytes)
{
	live_hold(v->source, bytes);
}

/* Reading */

void profview_find_thread(Prof_view *v)
{
	const struct profile *p = v->paused ? v->paused : v->source->profile;

	if (v->look.threads != THREADS_ALL) /* which is what a thread that is not found is, too */
		v->look.threads = p ? profile_find_thread(p, v->thread_id) : THREADS_ALL;
}

/* The program has set its first mark: what was made of polls until then gives way to its own frames. */
static enum source_result begin_anew(Prof_view *v)
{
	enum source_result result = SOURCE_BAD;

	lens_free(v->live_lens);
	v->live_lens = NULL;
	if (source_reset(v->source))
		result = source_next(v->source);
	else
		snprintf(v->source->why, sizeof(v->source->why), "out of memory");
	profview_find_thread(v);
	return result;
}

static bool fold(Prof_view *v)
{
	if (v->live_lens)
		return lens_update(v->live_lens);
	v->live_lens = lens_new(v->source->profile);
	return v->live_lens;
}

enum Prof_view_result Prof_view_update(Prof_view *v)
{
	enum source_result result;

	if (v->ended)
		return profview_say(v, Prof_view_ENDED, NULL);
	result = source_next(v->source);
	if (result == SOURCE_ANEW)
		result = begin_anew(v);
	if (!v->paused)
		profview_stale(v);
	if (result == SOURCE_BAD)
		return profview_say(v, Prof_view_REFUSED, v->source->why);
	if (!fold(v))
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	if (v->paused && lens_work(v->paused_lens, WORK_FRAMES))
		profview_stale(v);
	v->ended = result == SOURCE_END || result == SOURCE_GONE;
	return v->ended ? profview_say(v, Prof_view_ENDED, NULL) : Prof_view_OK;
}

/* The report */

const struct profile *profview_profile(const Prof_view *v)
{
	if (v->paused)
		return v->paused;
	return v->live_lens ? v->source->profile : NULL;
}

struct lens *profview_lens(const Prof_view *v)
{
	return v->paused ? v->paused_lens : v->live_lens;
}

void profview_stale(Prof_view *v)
{
	counters_free(v->counters);
	v->counters = NULL;
	v->stale = true;
	free(v->titles);
	v->titles = NULL;
}

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
static bool set_focus(Prof_view *v, struct lens *lens, struct report_options *o)
{
	if (v->mode != REPORT_GRAPH)
		return true;
	o->focus = keys_by_id(lens_keys(lens), drill_focus(&v->drill));
	if (o->focus != PROFILE_NONE)
		return true;
	profview_say(v, Prof_view_NOTHING, "the zone has not been entered yet");
	return false;
}

static bool make(Prof_view *v)
{
	struct lens *lens = profview_lens(v);
	struct lens_options look = v->look;
	struct report_options o = options_of(v);

	if (!lens) {
		profview_say(v, Prof_view_NOTHING, "nothing was read yet");
		return false;
	}
	look.frame = v->paused ? v->chosen : 0;
	if (!lens_look(lens, &look)) {
		profview_say(v, Prof_view_NO_MEMORY, NULL);
		return false;
	}
	if (v->paused)
		lens_work(lens, WORK_FRAMES);
	return set_focus(v, lens, &o) &&
	       lens_report(lens, &o, &v->report, v->why, sizeof(v->why)) == REPORT_OK;
}

bool profview_report(Prof_view *v)
{
	if (!v->stale)
		return v->report;
	report_free(v->report);
	v->report = NULL;
	v->stale = false;
	if (!make(v))
		return false;
	profview_find_cursor(v);
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

/* SPDX-License-Identifier: MIT */
#include "profview/profview_inside.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/find.h"

/* Attaching */

static const enum Prof_view_result results[] = {
	[OPEN_OK] = Prof_view_OK,           [OPEN_ABSENT] = Prof_view_ABSENT,
	[OPEN_BAD_NAME] = Prof_view_ABSENT, [OPEN_NOT_OURS] = Prof_view_REFUSED,
	[OPEN_IN_USE] = Prof_view_SYSTEM,   [OPEN_FAILED] = Prof_view_SYSTEM,
};

static struct source *open_source(const char *target, unsigned flags, enum Prof_view_result *result,
				  char *why, size_t size)
{
	char name[FIND_SIZE];
	enum find_result found = target ? find_region(target, name, sizeof(name), why, size)
					: find_self(name, sizeof(name), why, size);
	enum open_result live = OPEN_ABSENT;
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
	snprintf(text, sizeof(text), "%s", Prof_view_meaning(Prof_view_NO_MEMORY));
	if (v)
		v->source = open_source(target, live, result, text, sizeof(text));
	if (v && v->source) {
		v->look = (struct query_options){ .threads = THREADS_ALL, .average = AVERAGE_FAST };
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
	profview_calls_forget(v);
	profview_go_live(v);
	report_free(v->report);
	free(v->calls.lanes);
	free(v->runs);
	query_free(v->live_query);
	source_close(v->source);
	drill_fini(&v->drill);
	free(v->filter);
	free(v->name);
	free(v);
}

void Prof_view_set_memory(Prof_view *v, size_t bytes)
{
	live_hold(v->source, bytes);
}

/* Reading */

/* The program has set its first mark: what was made of polls until then gives way to its own frames. */
static enum source_result begin_anew(Prof_view *v)
{
	enum source_result result;

	query_free(v->live_query);
	v->live_query = NULL;
	profview_calls_anew(v);
	result = source_renew(v->source);
	profview_find_thread(v);
	return result;
}

static bool fold(Prof_view *v)
{
	if (v->live_query)
		return query_update(v->live_query);
	v->live_query = query_new(v->source->profile);
	return v->live_query;
}

/* Nothing comes any more; but calls may be wanted only now. */
static enum Prof_view_result end_again(Prof_view *v)
{
	if (v->calls.most && !v->calls.transitions) {
		if (!v->paused)
			profview_stale(v);
		if (!profview_calls_read(v) || !fold(v))
			return profview_say(v, Prof_view_NO_MEMORY, NULL);
	}
	return profview_say(v, Prof_view_ENDED, NULL);
}

enum Prof_view_result Prof_view_update(Prof_view *v)
{
	enum source_result result;
	bool calls;

	if (v->ended)
		return end_again(v);
	result = source_next(v->source);
	if (result == SOURCE_ANEW)
		result = begin_anew(v);
	if (!v->paused)
		profview_stale(v);
	if (result == SOURCE_BAD)
		return profview_say(v, Prof_view_REFUSED, v->source->why);
	calls = profview_calls_read(v);
	if (!fold(v) || !calls)
		return profview_say(v, Prof_view_NO_MEMORY, NULL);
	if (v->paused && query_work(v->paused_query, WORK_FRAMES))
		profview_stale(v);
	v->ended = source_is_over(result);
	return v->ended ? profview_say(v, Prof_view_ENDED, NULL) : Prof_view_OK;
}

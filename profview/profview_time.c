/* SPDX-License-Identifier: MIT */
/*
 * profview_time: which time a view looks at: the running program, or a frame that has passed.
 *
 * A frame is looked at in a private copy of the profile, so that nothing under the eyes changes while the
 * program is read on.
 */
#include "profview/profview_inside.h"

void profview_go_live(Prof_view *v)
{
	query_free(v->paused_query);
	profile_free(v->paused);
	v->paused_query = NULL;
	v->paused = NULL;
	v->chosen = 0;
	profview_calls_go_live(v);
	profview_find_thread(v);
	profview_stale(v);
}

/* Takes the copy, if there is none yet. */
static enum Prof_view_result pause(Prof_view *v)
{
	const struct profile *p = profview_profile(v);

	if (v->paused)
		return Prof_view_OK;
	if (!p || !p->frame_count)
		return profview_say(v, Prof_view_NOTHING, "no frames yet");
	v->paused = profile_copy(p);
	v->paused_query = v->paused ? query_copy(v->live_query, v->paused) : NULL;
	if (v->paused_query)
		return Prof_view_OK;
	profview_go_live(v);
	return profview_say(v, Prof_view_NO_MEMORY, NULL);
}

/* The held frame at an index, or the nearest one. */
static enum Prof_view_result choose(Prof_view *v, int64_t index)
{
	enum Prof_view_result result = pause(v);
	int64_t last;

	if (result != Prof_view_OK)
		return result;
	last = (int64_t)v->paused->frame_count - 1;
	if (index < 0)
		index = 0;
	v->chosen = v->paused->frames[index > last ? last : index].number;
	profview_stale(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_move_frame(Prof_view *v, int delta)
{
	const struct profile *p = profview_profile(v);
	int64_t from = p ? p->frame_count : 0;

	if (v->paused)
		from = profile_frame_index(v->paused, v->chosen);
	return choose(v, from + delta);
}

enum Prof_view_result Prof_view_set_frame(Prof_view *v, unsigned back)
{
	const struct profile *p = profview_profile(v);

	if (back)
		return choose(v, (p ? (int64_t)p->frame_count : 0) - (int64_t)back);
	profview_go_live(v);
	return Prof_view_OK;
}

enum Prof_view_result Prof_view_set_frame_number(Prof_view *v, uint64_t number)
{
	const struct profile *p = profview_profile(v);

	return choose(v, p ? profile_frame_index(p, number) : 0);
}

uint64_t Prof_view_get_frame(const Prof_view *v)
{
	return v->paused ? v->chosen : 0;
}

/* SPDX-License-Identifier: MIT */
#include "tui/frames/times.h"

#include <stdio.h>
#include <string.h>

void times_select(struct times *t, struct values *values, int64_t from, int64_t to)
{
	struct query_options o;

	if (t->paused_query && t->selected) { /* it has the old ones */
		o = *query_options(t->paused_query);
		o.selected = NULL;
		query_look(t->paused_query, &o);
	}
	values_free(t->selected);
	t->selected = values;
	t->selected_from = from;
	t->selected_to = to;
	t->selected_first = t->selected_last = t->selected_count = 0;
}

bool times_select_frames(struct times *t, uint64_t first, uint64_t last)
{
	const struct profile_frame *frames;
	uint32_t from, held, count = 0;

	if (!times_pause(t))
		return false;
	held = profile_frame_range(t->paused, first, last, &from);
	frames = t->paused->frames + from;
	for (uint32_t i = 0; i < held; i++)
		count += !(frames[i].flags & FRAME_DISCARDED);
	if (!count)
		return false;
	times_select(t, NULL, frames->start, frame_end(&frames[held - 1]));
	t->selected_count = count;
	t->selected_first = frames->number;
	t->selected_last = frames[held - 1].number;
	t->range = 0;
	return true;
}

static void forget_copy(struct times *t)
{
	query_free(t->paused_query);
	profile_free(t->paused);
	t->paused_query = NULL;
	times_select(t, NULL, 0, 0);
	t->paused = NULL;
	t->chosen = 0;
	t->worst = t->worst_first = t->worst_last = 0;
	t->range = 0;
}

void times_fini(struct times *t)
{
	forget_copy(t);
	times_detach(t);
	singles_free(t->singles);
	t->singles = NULL;
}

static void forget_singles(struct times *t)
{
	if (t->singles)
		singles_forget(t->singles);
}

void times_detach(struct times *t)
{
	if (!t->paused)
		forget_singles(t);
	query_free(t->live_query);
	t->live_query = NULL;
	t->live = NULL;
}

/* Marks are numbers of frames, and those of another run are others. */
static void begin_run(struct times *t)
{
	if (t->another)
		memset(t->marks, 0, sizeof(t->marks));
	t->another = false;
	t->graph.right = 0;
}

bool times_attach(struct times *t, const struct profile *live)
{
	times_detach(t);
	t->live_query = query_new(live);
	if (!t->live_query)
		return false;
	t->live = live;
	t->another = true;
	if (!t->paused)
		begin_run(t);
	return true;
}

bool times_update(struct times *t)
{
	return !t->live_query || query_update(t->live_query);
}

const struct profile *times_profile(const struct times *t)
{
	return t->paused ? t->paused : t->live;
}

struct query *times_query(const struct times *t)
{
	return t->paused ? t->paused_query : t->live_query;
}

const struct profile_frame *times_newest(const struct times *t)
{
	const struct profile *p = times_profile(t);

	return p && p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
}

bool times_pause(struct times *t)
{
	if (t->paused)
		return true;
	if (t->live && t->singles)
		singles_take(t->singles, t->live->now_tick); /* without memory there are none */
	t->paused = t->live ? profile_copy(t->live) : NULL;
	t->paused_query = t->paused ? query_copy(t->live_query, t->paused) : NULL;
	if (!t->paused_query) {
		forget_copy(t);
		return false;
	}
	if (times_newest(t))
		t->chosen = times_newest(t)->number;
	return true;
}

void times_go_live(struct times *t)
{
	forget_copy(t);
	forget_singles(t);
	begin_run(t);
}

/* The held frame at an index, or the nearest one. */
static uint64_t choose_index(struct times *t, int64_t index)
{
	const struct profile *p = t->paused;

	if (!p->frame_count)
		return 0;
	if (index >= (int64_t)p->frame_count)
		index = (int64_t)p->frame_count - 1;
	times_select(t, NULL, 0, 0);
	t->chosen = p->frames[index > 0 ? index : 0].number;
	return t->chosen;
}

uint64_t times_choose(struct times *t, uint64_t number)
{
	return times_pause(t) ? choose_index(t, profile_frame_index(t->paused, number)) : 0;
}

uint64_t times_step(struct times *t, int64_t frames)
{
	if (!times_pause(t))
		return 0;
	return choose_index(t, (int64_t)profile_frame_index(t->paused, t->chosen) + frames);
}

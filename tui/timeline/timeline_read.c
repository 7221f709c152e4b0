/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "tui/timeline/timeline.h"

static bool is_folded(const struct timeline *t, uint64_t id)
{
	for (uint32_t i = 0; i < t->folded_count; i++)
		if (t->folded[i] == id)
			return true;
	return false;
}

static void add_lane(struct timeline *t, const struct profile *p, uint32_t thread, const struct span_list *list)
{
	struct lane *lane = &t->lanes[t->lane_count++];

	*lane = (struct lane){ .id = list ? list->id : p->threads[thread].id, .thread_id = p->threads[thread].id,
			       .thread = thread, .list = list };
	lane->folded = is_folded(t, lane->id);
}

/* Those of which frames in the window have something: by thread. NULL: out of memory. */
static bool *threads_in_frames(const struct timeline *t, const struct profile *p)
{
	bool *seen = array_zeroed(p->thread_count, sizeof(*seen));
	uint32_t i = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) <= t->window.from);

	for (; seen && i < p->frame_count && p->frames[i].start < t->window.to; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++)
			seen[p->frames[i].parts[k].thread] = true;
	for (uint32_t thread = 0; seen && thread < p->thread_count; thread++)
		seen[thread] |= p->frame_count && p->threads[thread].state == THREAD_LIVE;
	return seen;
}

/* Threads of which single calls are known first, those before all others that mark frames; then those of which frames
 * have something. Each in the order in which they came. */
static bool make_lanes(struct timeline *t, const struct look *look)
{
	const struct profile *p = look->profile;
	uint32_t lists = t->spans ? t->spans->count : 0;
	bool *wanted = threads_in_frames(t, p);

	timeline_forget_lanes(t);
	t->lanes = array_zeroed((uint64_t)lists + p->thread_count, sizeof(*t->lanes));
	for (int marking = 1; wanted && t->lanes && marking >= 0; marking--)
		for (uint32_t i = 0; i < lists; i++) {
			const struct span_list *l = &t->spans->lists[i];

			if (l->thread >= p->thread_count || p->threads[l->thread].marking != marking || !l->known_count ||
			    !profile_selects(p, look->lanes, l->thread))
				continue;
			add_lane(t, p, l->thread, l);
			wanted[l->thread] = false;
		}
	for (uint32_t i = 0; wanted && t->lanes && i < p->thread_count; i++)
		if (wanted[i] && !profile_thread_is_several(&p->threads[i]) && profile_selects(p, look->lanes, i))
			add_lane(t, p, i, NULL);
	free(wanted);
	return wanted && t->lanes;
}

/* What is of one program says nothing of another one. */
static void begin_run(struct timeline *t, const struct singles *of)
{
	timeline_forget(t);
	if (t->of != of) {
		t->window = t->anchor = t->measured = (struct window){ 0 };
		t->window_count = 0;
		t->has_cursor = false;
	}
}

static bool read_spans(struct timeline *t, const struct look *look)
{
	const struct transitions *all;
	int64_t read = 0;
	uint64_t run = 0;

	all = look->singles ? singles_all(look->singles, &read, &run) : NULL;
	if (!all || run != t->run || look->singles != t->of)
		begin_run(t, look->singles);
	t->of = look->singles;
	t->run = run;
	t->elsewhere = all && all->elsewhere;
	t->too_many = t->elsewhere && (all->read.begin > all->asked.begin || all->read.end < all->asked.end);
	t->read = all ? read : look->profile->now_tick;
	if (!all)
		return true;
	if (!t->spans)
		t->spans = spans_new();
	return t->spans && spans_update(t->spans, look->profile, all, read);
}

/* Since when all calls of a list are known: single frames of long ago may be known, too. */
static int64_t known_since(const struct timeline *t, uint32_t list)
{
	int64_t taken, since, begin = t->spans->lists[list].known[0].begin;
	uint64_t run;
	const struct transitions *all = singles_all(t->of, &taken, &run);

	since = all && list < all->count ? transitions_since(&all->lists[list]) : begin;
	return since > begin ? since : begin;
}

/* Of all that may be brought. */
static int64_t calls_since(const struct timeline *t)
{
	int64_t taken;
	uint64_t run;
	const struct transitions *all = singles_all(t->of, &taken, &run);

	return all ? all->since : INT64_MAX;
}

/* Single calls are known since the first of the thread that marks, or of the first one. */
static void find_ends(struct timeline *t, const struct profile *p)
{
	bool marking = false;

	if (p->frame_count && t->read < frame_end(&p->frames[p->frame_count - 1]))
		t->read = frame_end(&p->frames[p->frame_count - 1]);
	t->since = INT64_MAX;
	t->oldest = p->frame_count ? p->frames[0].start : t->read;
	t->has_frames = p->frame_count;
	for (uint32_t i = 0; t->spans && i < t->spans->count; i++) {
		const struct span_list *l = &t->spans->lists[i];

		if (!l->known_count || l->thread >= p->thread_count)
			continue;
		if (t->since == INT64_MAX || (p->threads[l->thread].marking && !marking))
			t->since = known_since(t, i);
		marking |= p->threads[l->thread].marking;
		t->oldest = l->known[0].begin < t->oldest ? l->known[0].begin : t->oldest;
	}
	if (t->elsewhere) {
		t->since = calls_since(t);
		t->oldest = t->since < t->oldest ? t->since : t->oldest;
	}
}

bool timeline_read(struct timeline *t, const struct look *look, char *why, size_t size)
{
	bool done = false;

	t->filled = false;
	if (look->profile && read_spans(t, look)) {
		find_ends(t, look->profile);
		timeline_search(t, look->profile, look->search);
		timeline_place(t, look);
		timeline_find_usual(t, look);
		done = make_lanes(t, look);
	}
	if (done && t->lane_count) {
		*why = '\0';
		return true;
	}
	timeline_forget(t);
	snprintf(why, size, look->profile && !done ? "out of memory" : "no single calls are known");
	return false;
}

/* As much again on both sides, so that the next step needs no others. */
void timeline_want(struct timeline *t, const struct look *look)
{
	int64_t width = timeline_width(t), from = t->window.from > width ? t->window.from - width : 0;
	int64_t to = t->window.to < INT64_MAX - width ? t->window.to + width : INT64_MAX;
	char why[64];

	if (look->singles && t->window.to && singles_want(look->singles, from, to))
		timeline_read(t, look, why, sizeof(why));
}

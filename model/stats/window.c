/* SPDX-License-Identifier: MIT */
#include "model/stats/window.h"

#include <string.h>

#include "model/base/array.h"

struct pane {
	uint64_t frame;
	struct tally_row *rows;
	uint32_t count, capacity;
};

struct window {
	struct pane panes[WINDOW_FRAMES]; /* a ring: frame n that was taken in is in place n modulo its size */
	uint64_t count;                   /* frames taken in */
	uint64_t last;
};

struct window *window_new(uint64_t above)
{
	struct window *w = calloc(1, sizeof(*w));

	if (w)
		w->last = above;
	return w;
}

void window_free(struct window *w)
{
	for (uint32_t i = 0; w && i < WINDOW_FRAMES; i++)
		free(w->panes[i].rows);
	free(w);
}

uint32_t window_first(const struct window *w, const struct profile *p, uint32_t threads)
{
	uint32_t at = p->frame_count;

	for (uint32_t frames = 0; at && frames < WINDOW_FRAMES; at--) {
		if (p->frames[at - 1].number <= w->last)
			break;
		frames += frame_counts_for(p, &p->frames[at - 1], threads);
	}
	return at;
}

bool window_fold(struct window *w, const struct profile_frame *frame, const struct tally *tally)
{
	struct pane *pane = &w->panes[w->count % WINDOW_FRAMES];

	w->last = frame->number;
	if (!frame_counts(frame) || !tally->usual)
		return true;
	if (!array_reserve(&pane->rows, &pane->capacity, tally->count, sizeof(*pane->rows)))
		return false;
	if (tally->count)
		memcpy(pane->rows, tally->rows, tally->count * sizeof(*pane->rows));
	pane->count = tally->count;
	pane->frame = frame->number;
	w->count++;
	return true;
}

uint64_t window_last(const struct window *w)
{
	return w->last;
}

struct zone_stats *window_stats(const struct window *w, uint32_t keys, enum extent extent)
{
	struct zone_stats *s = zone_stats_new(keys, extent);
	uint64_t first = w->count > WINDOW_FRAMES ? w->count - WINDOW_FRAMES : 0;

	for (uint64_t i = first; s && i < w->count; i++)
		zone_stats_count(s, w->panes[i % WINDOW_FRAMES].rows,
				 w->panes[i % WINDOW_FRAMES].count);
	if (!s || !zone_stats_room(s)) {
		zone_stats_free(s);
		return NULL;
	}
	for (uint64_t i = first; i < w->count; i++) {
		const struct pane *pane = &w->panes[i % WINDOW_FRAMES];

		zone_stats_add(s, pane->frame, pane->rows, pane->count);
	}
	zone_stats_settle(s);
	return s;
}

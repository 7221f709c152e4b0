/* SPDX-License-Identifier: MIT */
#include "model/stats/zone_stats.h"

#include <string.h>

#include "model/base/array.h"
#include "model/base/order.h"

/* Where a key's values that are not 0 stand among those of all keys. */
struct values_of_key {
	uint32_t count; /* in the first round */
	uint32_t added; /* in the second */
	uint64_t start;
};

struct zone_stats {
	enum extent extent;
	uint32_t frames;
	uint32_t key_count;
	struct zone_stat *keys;
	struct values_of_key *places;
	int64_t *values;
};

struct zone_stats *zone_stats_new(uint32_t keys, enum extent extent)
{
	struct zone_stats *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->extent = extent;
	s->key_count = keys;
	s->keys = array_zeroed(keys, sizeof(*s->keys));
	s->places = array_zeroed(keys, sizeof(*s->places));
	if (s->keys && s->places)
		return s;
	zone_stats_free(s);
	return NULL;
}

void zone_stats_free(struct zone_stats *s)
{
	if (!s)
		return;
	free(s->keys);
	free(s->places);
	free(s->values);
	free(s);
}

void zone_stats_count(struct zone_stats *s, const struct tally_row *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		s->places[rows[i].key].count += rows[i].value[s->extent] > 0;
}

bool zone_stats_room(struct zone_stats *s)
{
	uint64_t start = 0;

	for (uint32_t key = 0; key < s->key_count; key++) {
		s->places[key].start = start;
		start += s->places[key].count;
	}
	s->values = reallocarray(NULL, start ? start : 1, sizeof(*s->values));
	return s->values;
}

void zone_stats_add(struct zone_stats *s, uint64_t frame, const struct tally_row *rows, uint32_t n)
{
	s->frames++;
	for (uint32_t i = 0; i < n; i++) {
		struct values_of_key *place = &s->places[rows[i].key];

		if (rows[i].value[s->extent] <= 0)
			continue;
		if (!place->added)
			s->keys[rows[i].key].first = frame;
		s->values[place->start + place->added++] = rows[i].value[s->extent];
	}
}

void zone_stats_settle(struct zone_stats *s)
{
	uint32_t random = 1;

	for (uint32_t key = 0; key < s->key_count; key++)
		s->keys[key].per_frame = statistics_with_zeros(s->values + s->places[key].start,
							       s->places[key].added, s->frames,
							       &random);
	free(s->values);
	s->values = NULL;
}

const struct zone_stat *zone_stats_of(const struct zone_stats *s, uint32_t key)
{
	return s->frames && key < s->key_count ? &s->keys[key] : NULL;
}

struct zone_stats *zone_stats_of_frames(const struct profile *p, const struct scope *scope, struct tally *tally,
					uint32_t first, uint32_t n, enum extent extent)
{
	struct zone_stats *s = zone_stats_new(scope->keys->count, extent);
	uint32_t end = n < p->frame_count - first ? first + n : p->frame_count;
	bool done = s && tally_reserve(tally, p, scope->keys);

	for (int round = 0; done && round < 2; round++) {
		for (uint32_t i = first; i < end; i++) {
			const struct profile_frame *frame = &p->frames[i];

			if (!frame_counts(frame))
				continue;
			tally_frame(tally, p, scope, frame);
			if (!tally->usual)
				continue;
			if (round)
				zone_stats_add(s, frame->number, tally->rows, tally->count);
			else
				zone_stats_count(s, tally->rows, tally->count);
		}
		done = round || zone_stats_room(s);
	}
	if (done) {
		zone_stats_settle(s);
		return s;
	}
	zone_stats_free(s);
	return NULL;
}

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

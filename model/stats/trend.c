/* SPDX-License-Identifier: MIT */
#include "model/stats/trend.h"

#include "model/base/array.h"

/* A key's value in a frame: of another frame it is an old one, and counts as 0. */
struct point {
	uint64_t frame;
	int64_t value[EXTENTS];
};

struct trend {
	const struct keys *keys;
	uint32_t threads;
	uint64_t end;                  /* frame that it ends at; 0: it goes on */
	uint64_t frames[TREND_FRAMES]; /* a ring of their numbers: the n-th is in place n modulo its size */
	uint64_t count;                /* frames taken in */
	uint64_t last;                 /* newest frame looked at */
	struct point *points;          /* by key, TREND_FRAMES each */
	uint32_t capacity;
	uint32_t key_count;
};

struct trend *trend_new(const struct keys *k, uint32_t threads, uint64_t end)
{
	struct trend *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->keys = k;
	t->threads = threads;
	t->end = end;
	return t;
}

void trend_free(struct trend *t)
{
	if (!t)
		return;
	free(t->points);
	free(t);
}

bool trend_reserve(struct trend *t)
{
	uint32_t keys = t->keys->count;

	if (!array_reserve(&t->points, &t->capacity, keys, TREND_FRAMES * sizeof(*t->points)))
		return false;
	for (; t->key_count < keys; t->key_count++)
		for (uint32_t i = 0; i < TREND_FRAMES; i++)
			t->points[(size_t)t->key_count * TREND_FRAMES + i] = (struct point){ 0 };
	return true;
}

static void put_frame(struct trend *t, const struct profile_frame *frame,
		      const struct tally *tally)
{
	uint32_t place = t->count++ % TREND_FRAMES;

	t->frames[place] = frame->number;
	for (uint32_t i = 0; i < tally->count; i++) {
		const struct tally_row *row = &tally->rows[i];
		struct point *point = &t->points[(size_t)row->key * TREND_FRAMES + place];

		point->frame = frame->number;
		for (int m = 0; m < EXTENTS; m++)
			point->value[m] = row->value[m];
	}
}

bool trend_is_end(const struct trend *t, const struct profile_frame *frame)
{
	return frame->number == t->end && !(frame->flags & FRAME_DISCARDED);
}

uint32_t trend_end_index(const struct trend *t, const struct profile *p)
{
	return t->end ? profile_frame_index(p, t->end + 1) : p->frame_count;
}

/* So that enough are shown at the end, and none that has been looked at. */
uint32_t trend_first(const struct trend *t, const struct profile *p)
{
	uint32_t first = trend_end_index(t, p);

	for (uint32_t shown = 0; first && shown < TREND_FRAMES; first--) {
		const struct profile_frame *frame = &p->frames[first - 1];

		if (frame->number <= t->last)
			break;
		shown += trend_is_end(t, frame) || frame_counts_for(p, frame, t->threads);
	}
	return first;
}

void trend_fold(struct trend *t, const struct profile_frame *frame, const struct tally *tally)
{
	t->last = frame->number;
	if (trend_is_end(t, frame) || (frame_counts(frame) && tally->usual))
		put_frame(t, frame, tally);
}

uint32_t trend_values(const struct trend *t, uint32_t key, enum extent extent,
		      int64_t out[TREND_FRAMES])
{
	uint32_t n = t->count < TREND_FRAMES ? (uint32_t)t->count : TREND_FRAMES;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = (t->count - n + i) % TREND_FRAMES;
		const struct point *point = NULL;

		if (key < t->key_count)
			point = &t->points[(size_t)key * TREND_FRAMES + place];
		out[i] = point && point->frame == t->frames[place] ? point->value[extent] : 0;
	}
	return n;
}

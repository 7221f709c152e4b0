/* SPDX-License-Identifier: MIT */
#include "model/trend.h"

#include "model/array.h"

/* A key's value in a frame: of another frame it is an old one, and counts as 0. */
struct point {
	uint64_t frame;
	int64_t value[MEASURES];
};

struct trend {
	struct scope scope;
	struct tally tally;
	uint64_t frames[TREND_FRAMES]; /* a ring of their numbers: the n-th is in place n modulo its size */
	uint64_t count;                /* frames taken in */
	uint64_t last;                 /* newest frame looked at */
	struct point *points;          /* by key, TREND_FRAMES each */
	uint32_t capacity;
	uint32_t key_count;
};

struct trend *trend_new(const struct keys *k, uint32_t threads)
{
	struct trend *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->scope = (struct scope){ .keys = k, .threads = threads };
	if (tally_init(&t->tally))
		return t;
	free(t);
	return NULL;
}

void trend_free(struct trend *t)
{
	if (!t)
		return;
	tally_fini(&t->tally);
	free(t->points);
	free(t);
}

void trend_restrict(struct trend *t, const bool *members)
{
	t->scope.members = members;
}

bool trend_reserve(struct trend *t)
{
	uint32_t keys = t->scope.keys->count;

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
		for (int m = 0; m < MEASURES; m++)
			point->value[m] = row->value[m];
	}
}

static bool is_shown(const struct trend *t, const struct profile *p, const struct profile_frame *frame,
		     uint64_t last)
{
	return frame_counts_for(p, frame, t->scope.threads) ||
	       (frame->number == last && !(frame->flags & FRAME_DISCARDED));
}

/* Index of the first frame to take in: so that enough are shown up to index `end`, and none that has
 * been looked at. */
static uint32_t first_wanted(const struct trend *t, const struct profile *p, uint32_t end,
			     uint64_t last)
{
	uint32_t first = end;

	for (uint32_t shown = 0; first && shown < TREND_FRAMES; first--) {
		if (p->frames[first - 1].number <= t->last)
			break;
		shown += is_shown(t, p, &p->frames[first - 1], last);
	}
	return first;
}

uint32_t trend_first(const struct trend *t, const struct profile *p)
{
	return first_wanted(t, p, p->frame_count, 0);
}

void trend_fold(struct trend *t, const struct profile_frame *frame, const struct tally *tally)
{
	t->last = frame->number;
	if (frame_counts(frame) && tally->usual)
		put_frame(t, frame, tally);
}

static void forget(struct trend *t)
{
	for (size_t i = 0; i < (size_t)t->key_count * TREND_FRAMES; i++)
		t->points[i].frame = 0;
	t->count = 0;
	t->last = 0;
}

bool trend_end_at(struct trend *t, const struct profile *p, uint64_t number)
{
	uint32_t end = profile_frame_index(p, number + 1);

	forget(t);
	if (!trend_reserve(t) || !tally_reserve(&t->tally, p, t->scope.keys))
		return false;
	for (uint32_t i = first_wanted(t, p, end, number); i < end; i++) {
		if (!is_shown(t, p, &p->frames[i], number))
			continue;
		tally_frame(&t->tally, p, &t->scope, &p->frames[i]);
		put_frame(t, &p->frames[i], &t->tally);
	}
	if (end)
		t->last = p->frames[end - 1].number;
	return true;
}

uint32_t trend_values(const struct trend *t, uint32_t key, enum measure measure,
		      int64_t out[TREND_FRAMES])
{
	uint32_t n = t->count < TREND_FRAMES ? (uint32_t)t->count : TREND_FRAMES;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = (t->count - n + i) % TREND_FRAMES;
		const struct point *point = NULL;

		if (key < t->key_count)
			point = &t->points[(size_t)key * TREND_FRAMES + place];
		out[i] = point && point->frame == t->frames[place] ? point->value[measure] : 0;
	}
	return n;
}

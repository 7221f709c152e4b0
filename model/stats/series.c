/* SPDX-License-Identifier: MIT */
#include "model/stats/series.h"

#include "model/base/array.h"

/* The share of a node's time that belongs to the key. */
enum share { SHARE_NONE, SHARE_HIER, SHARE_BOTH };

void series_fini(struct series *s)
{
	free(s->frames);
	free(s->length);
	for (int m = 0; m < EXTENTS; m++)
		free(s->value[m]);
	free(s->entries);
	*s = (struct series){ 0 };
}

static bool series_room(struct series *s, uint32_t count)
{
	s->frames = array_zeroed(count, sizeof(*s->frames));
	s->length = array_zeroed(count, sizeof(*s->length));
	s->entries = array_zeroed(count, sizeof(*s->entries));
	for (int m = 0; m < EXTENTS; m++)
		s->value[m] = array_zeroed(count, sizeof(*s->value[m]));
	return s->frames && s->length && s->entries && s->value[EXTENT_SELF] && s->value[EXTENT_HIER];
}

/* By node; those of other threads have none. NULL: out of memory. */
static uint8_t *shares_of(const struct profile *p, const struct scope *scope, uint32_t key)
{
	const struct keys *k = scope->keys;
	uint8_t *shares = array_zeroed(k->node_count + 1ull, sizeof(*shares));
	uint32_t end, first = keys_nodes(k, p, scope->threads, &end);

	for (uint32_t i = first; shares && i < end; i++) {
		uint32_t node = k->order[i], parent = p->nodes[node].parent;

		if (k->of_node[node] == key)
			shares[node] = SHARE_BOTH;
		else
			shares[node] = parent != PROFILE_NONE && shares[parent] ? SHARE_HIER : SHARE_NONE;
	}
	for (uint32_t i = first; shares && scope->members && i < end; i++)
		if (!scope->members[k->order[i]])
			shares[k->order[i]] = SHARE_NONE;
	return shares;
}

/* `own`: how many nodes are the key's. A part has each of them once at most, and mostly where the part before had it: the
 * search begins at *from, the first one of that part, and ends with the last one. */
static void add_longest(struct longest_call *l, const struct profile_held *part, const uint8_t *shares,
			uint32_t node_count, uint32_t own, uint32_t *from, uint64_t frame)
{
	uint32_t left = own, i = *from < part->cell_count ? *from : 0;

	for (uint32_t n = 0; n < part->cell_count && left; n++, i = i + 1 < part->cell_count ? i + 1 : 0) {
		struct profile_cell cell = profile_cell(part, i);

		if (cell.node >= node_count || shares[cell.node] != SHARE_BOTH)
			continue;
		if (left-- == own)
			*from = i;
		if (cell.longest == PROFILE_LONGEST_UNKNOWN)
			l->unknown = true;
		else if (cell.longest > 0 && cell.longest >= l->ticks)
			*l = (struct longest_call){ cell.longest, frame, part->thread, l->unknown };
	}
}

void series_longest(const struct profile *p, const struct scope *scope, uint32_t key, uint32_t first, uint32_t end,
		    struct longest_call *longest)
{
	uint8_t *shares = shares_of(p, scope, key);
	uint32_t own = 0, from = 0;

	longest->unknown |= !shares;
	for (uint32_t i = 0; shares && i < scope->keys->node_count; i++)
		own += shares[i] == SHARE_BOTH;
	for (uint32_t f = first; shares && f < end && f < p->frame_count; f++)
		for (uint32_t i = 0; i < p->frames[f].part_count; i++)
			add_longest(longest, &p->frames[f].parts[i], shares, scope->keys->node_count, own,
				    &from, p->frames[f].number);
	free(shares);
}

/* Adds two numbers that a program reported: a sum beyond 64 bits stays at their limit. */
static void add_bounded(int64_t *sum, int64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = value < 0 ? INT64_MIN : INT64_MAX;
}

static void add_part(struct series *s, uint32_t at, const struct measure_amounts *amounts, const uint8_t *shares,
		     uint32_t node_count)
{
	for (uint32_t i = 0; i < amounts->part->cell_count; i++) {
		struct profile_cell cell = profile_cell(amounts->part, i);

		if (cell.node < node_count && shares[cell.node] == SHARE_BOTH)
			add_bounded(&s->entries[at], cell.count);
	}
	for (uint32_t i = 0; i < amounts->count; i++) {
		struct measure_amount amount = measure_amount(amounts, i);
		enum share share = amount.node < node_count ? shares[amount.node] : SHARE_NONE;

		if (share == SHARE_NONE)
			continue;
		add_bounded(&s->value[EXTENT_HIER][at], amount.value);
		if (share == SHARE_BOTH)
			add_bounded(&s->value[EXTENT_SELF][at], amount.value);
	}
}

/* Which frames: from the newest back, then turned round. */
static void choose_frames(struct series *s, const struct profile *p, const struct scope *scope, uint32_t most)
{
	uint32_t left_out = 0;

	for (uint32_t i = p->frame_count; i > 0 && s->count < most; i--) {
		if (!frame_counts(&p->frames[i - 1]))
			continue;
		if (frame_counts_for(p, &p->frames[i - 1], scope->threads) &&
		    frame_knows(p, &p->frames[i - 1], scope->threads, scope->measure)) {
			s->frames[s->count++] = i - 1;
			s->left_out = left_out;
		} else {
			left_out++;
		}
	}
	for (uint32_t i = 0; i < s->count / 2; i++) {
		uint32_t frame = s->frames[i];

		s->frames[i] = s->frames[s->count - 1 - i];
		s->frames[s->count - 1 - i] = frame;
	}
}

bool series_make(struct series *s, const struct profile *p, const struct scope *scope, uint32_t key, uint32_t most)
{
	uint8_t *shares = shares_of(p, scope, key);

	*s = (struct series){ 0 };
	if (!shares || !series_room(s, most < p->frame_count ? most : p->frame_count)) {
		series_fini(s);
		free(shares);
		return false;
	}
	choose_frames(s, p, scope, most);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct profile_frame *frame = &p->frames[s->frames[i]];
		const struct profile_held *parts;
		uint32_t count;

		s->length[i] = frame->length;
		parts = frame_parts(frame, scope->threads, &count);
		for (uint32_t k = 0; k < count; k++) {
			struct measure_amounts amounts = profile_amounts(p, &parts[k], scope->measure);

			if (profile_selects(p, scope->threads, parts[k].thread))
				add_part(s, i, &amounts, shares, scope->keys->node_count);
		}
	}
	free(shares);
	return true;
}

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

/* The first frame to fold: enough frames are shown at the end, and none is folded twice. */
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

/* SPDX-License-Identifier: MIT */
#include "model/stats/medians.h"

#include "model/base/array.h"
#include "model/base/order.h"

/* A key's values that are not 0, in one extent. */
struct samples {
	int64_t *values;
	uint32_t count;
	uint32_t capacity;
	int64_t median; /* when they are done; values is NULL then */
};

struct medians {
	struct scope scope;
	struct tally tally;
	uint64_t last;    /* frame that was read */
	uint64_t end;     /* frame to be read last */
	uint32_t frames;  /* that were counted */
	uint32_t settled; /* keys whose medians are done */
	struct samples (*keys)[EXTENTS];
	uint32_t key_count;
	uint32_t capacity;
	uint32_t random;
};

/* Values that are looked through, or cells that are read, in the time that it takes to read a small frame. */
#define VALUES_A_FRAME 256

struct medians *medians_new(const struct profile *p, const struct scope *scope)
{
	struct medians *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->scope = *scope;
	m->end = p->frame_count ? p->frames[p->frame_count - 1].number : 0;
	m->random = 1;
	if (tally_init(&m->tally))
		return m;
	free(m);
	return NULL;
}

static void samples_fini(struct samples *s)
{
	free(s->values);
	s->values = NULL;
}

void medians_free(struct medians *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->key_count; i++)
		for (int k = 0; k < EXTENTS; k++)
			samples_fini(&m->keys[i][k]);
	tally_fini(&m->tally);
	free(m->keys);
	free(m);
}

void medians_restrict(struct medians *m, const bool *members)
{
	m->scope.members = members;
}

static bool medians_room(struct medians *m, const struct profile *p)
{
	uint32_t keys = m->scope.keys->count;

	if (!tally_reserve(&m->tally, p, m->scope.keys) ||
	    !array_reserve(&m->keys, &m->capacity, keys, sizeof(*m->keys)))
		return false;
	for (; m->key_count < keys; m->key_count++)
		for (int k = 0; k < EXTENTS; k++)
			m->keys[m->key_count][k] = (struct samples){ 0 };
	return true;
}

static bool samples_add(struct samples *s, int64_t value)
{
	if (value <= 0)
		return true;
	if (!array_reserve(&s->values, &s->capacity, (uint64_t)s->count + 1, sizeof(*s->values)))
		return false;
	s->values[s->count++] = value;
	return true;
}

static bool read_frame(struct medians *m, const struct profile *p,
		       const struct profile_frame *frame)
{
	bool done = true;

	m->last = frame->number;
	if (!frame_counts(frame))
		return true;
	tally_frame(&m->tally, p, &m->scope, frame);
	m->frames += m->tally.usual;
	if (!m->tally.usual)
		return true;
	for (uint32_t i = 0; done && i < m->tally.count; i++) {
		const struct tally_row *row = &m->tally.rows[i];

		for (int k = 0; done && k < EXTENTS; k++)
			done = samples_add(&m->keys[row->key][k], row->value[k]);
	}
	return done;
}

/* Frames that have no value of the key come before all that have. */
static void samples_settle(struct samples *s, uint32_t frames, uint32_t *random)
{
	uint32_t rank = (frames + 1) / 2, zeros = frames - s->count;

	if (rank > zeros)
		s->median = select_rank(s->values, s->count, rank - zeros - 1, random);
	samples_fini(s);
}

static bool settle_some(struct medians *m, uint32_t frames)
{
	uint64_t left = (uint64_t)frames * VALUES_A_FRAME;

	while (m->settled < m->key_count) {
		struct samples *s = m->keys[m->settled];
		uint64_t cost = (uint64_t)s[EXTENT_SELF].count + s[EXTENT_HIER].count + 1;

		for (int k = 0; k < EXTENTS; k++)
			samples_settle(&s[k], m->frames, &m->random);
		m->settled++;
		if (cost >= left)
			return m->settled == m->key_count;
		left -= cost;
	}
	return true;
}

static uint32_t least(uint32_t a, uint64_t b)
{
	return a < b ? a : (uint32_t)b;
}

enum medians_state medians_work(struct medians *m, const struct profile *p, uint32_t frames)
{
	uint32_t i = profile_frame_index(p, m->last + 1);

	if (!m->settled && i < p->frame_count && p->frames[i].number <= m->end) {
		if (!medians_room(m, p))
			return MEDIANS_NO_MEMORY;
		for (; frames && i < p->frame_count && p->frames[i].number <= m->end; i++) {
			if (!read_frame(m, p, &p->frames[i]))
				return MEDIANS_NO_MEMORY;
			frames -= least(frames, 1 + tally_cost(&p->frames[i]) / VALUES_A_FRAME);
		}
		if (i < p->frame_count && p->frames[i].number <= m->end)
			return MEDIANS_MORE;
	}
	return settle_some(m, frames) ? MEDIANS_DONE : MEDIANS_MORE;
}

uint32_t medians_frames(const struct medians *m)
{
	return m->frames;
}

int64_t medians_of(const struct medians *m, uint32_t key, enum extent extent)
{
	return key < m->settled ? m->keys[key][extent].median : 0;
}

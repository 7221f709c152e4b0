/* SPDX-License-Identifier: MIT */
#include "model/stats/heat.h"

#include <math.h>

#include "model/base/array.h"
#include "model/base/format.h"
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

static uint32_t smaller_count(uint32_t a, uint64_t b)
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
			frames -= smaller_count(frames, 1 + tally_cost(&p->frames[i]) / VALUES_A_FRAME);
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

/* Σ of weighted values and of their squares. As in average.c the decay of all is kept once:
 * a moment is sum·decay/frames. */
struct moments {
	double value;
	double square;
};

struct heat {
	struct scope scope;
	struct tally tally;
	double seconds; /* T */
	double decay;
	double frames;
	double left;   /* decay of the frames since the last folded one */
	uint64_t last; /* newest frame folded */
	struct moments (*moments)[EXTENTS]; /* by key */
	uint32_t moment_count;
	uint32_t moment_capacity;
	double (*fixed)[EXTENTS]; /* of a frame: by key, what its heat is; else NULL */
	uint32_t fixed_count;
};

#define DECAY_LEAST 1e-100

/* A new heat folds the frames of the last 4 T: older ones have less than a ten-thousandth of the weight. It
 * folds at most so many frames, because a key waits for it. */
#define BEGIN_TS 4
#define BEGIN_FRAMES 2000

struct heat *heat_new(const struct keys *k, uint32_t thread, enum average_slot slot)
{
	struct heat *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->scope = (struct scope){ .keys = k, .threads = thread };
	h->seconds = average_seconds(slot);
	h->decay = h->left = 1;
	if (tally_init(&h->tally))
		return h;
	free(h);
	return NULL;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	tally_fini(&h->tally);
	free(h->moments);
	free(h->fixed);
	free(h);
}

void heat_measure(struct heat *h, uint32_t measure)
{
	h->scope.measure = measure;
}

void heat_begin(struct heat *h, uint64_t above)
{
	h->last = above;
}

bool heat_reserve(struct heat *h)
{
	uint32_t keys = h->scope.keys->count;

	if (!array_reserve(&h->moments, &h->moment_capacity, keys, sizeof(*h->moments)))
		return false;
	for (; h->moment_count < keys; h->moment_count++)
		for (int m = 0; m < EXTENTS; m++)
			h->moments[h->moment_count][m] = (struct moments){ 0 };
	return true;
}

static void heat_decay(struct heat *h, double k)
{
	h->frames *= k;
	h->decay *= k;
	if (h->decay >= DECAY_LEAST)
		return;
	for (uint32_t i = 0; i < h->moment_count; i++) {
		for (int m = 0; m < EXTENTS; m++) {
			h->moments[i][m].value *= h->decay;
			h->moments[i][m].square *= h->decay;
		}
	}
	h->decay = 1;
}

void heat_fold(struct heat *h, const struct profile *p, const struct profile_frame *frame,
	       const struct tally *tally)
{
	double gain;

	h->last = frame->number;
	h->left *= average_left(p, frame, h->seconds);
	if (!frame_counts(frame) || !tally->usual)
		return;
	heat_decay(h, h->left);
	h->left = 1;
	h->frames += 1;
	gain = 1 / h->decay;
	for (uint32_t i = 0; i < tally->count; i++) {
		const struct tally_row *row = &tally->rows[i];

		for (int m = 0; m < EXTENTS; m++) {
			double x = (double)row->value[m];

			h->moments[row->key][m].value += x * gain;
			h->moments[row->key][m].square += x * x * gain;
		}
	}
}

uint32_t heat_first(const struct heat *h, const struct profile *p)
{
	uint32_t first = profile_frame_index(p, h->last + 1), at = p->frame_count, frames = 0;
	double seconds = 0;

	if (h->frames > 0)
		return first;
	while (at > first && seconds < BEGIN_TS * h->seconds && frames < BEGIN_FRAMES) {
		at--;
		if (!frame_counts_for(p, &p->frames[at], h->scope.threads))
			continue;
		seconds += (double)frame_elapsed(p, &p->frames[at]) / (double)p->ticks_per_s;
		frames++;
	}
	return at;
}

bool heat_update(struct heat *h, const struct profile *p)
{
	if (!heat_reserve(h) || !tally_reserve(&h->tally, p, h->scope.keys))
		return false;
	for (uint32_t i = heat_first(h, p); i < p->frame_count; i++) {
		if (frame_counts(&p->frames[i]))
			tally_frame(&h->tally, p, &h->scope, &p->frames[i]);
		heat_fold(h, p, &p->frames[i], &h->tally);
	}
	return true;
}

static double clamped_heat(double heat)
{
	return heat < 0 ? 0 : heat > 1 ? 1 : heat;
}

static bool is_nothing(uint64_t per_s, double amount)
{
	return per_s_is_time(per_s) ? fabs(amount) * 1e9 < (double)per_s : fabs(amount) < 1e-6;
}

double heat_from(uint64_t per_s, double mean, double deviation)
{
	return is_nothing(per_s, mean) ? 0 : clamped_heat(2 * deviation / fabs(mean));
}

double heat_against(uint64_t per_s, double value, double median)
{
	if (is_nothing(per_s, median))
		return is_nothing(per_s, value) ? 0 : 1;
	return clamped_heat(2 * fabs(value - median) / fabs(median));
}

static double heat_of_moments(const struct heat *h, const struct profile *p,
			      const struct moments *moments)
{
	double gain = h->decay / h->frames;
	double mean = moments->value * gain;
	double variance = moments->square * gain - mean * mean;

	return heat_from(measure_per_s(p, h->scope.measure), mean, variance > 0 ? sqrt(variance) : 0);
}

double heat_of(const struct heat *h, const struct profile *p, uint32_t key, enum extent extent)
{
	const struct keys *k = h->scope.keys;

	if (key >= k->count || p->zones[k->keys[key].zone].flags & ZONE_WAITING)
		return 0;
	if (h->fixed)
		return key < h->fixed_count ? h->fixed[key][extent] : 0;
	if (key >= h->moment_count || h->frames <= 0)
		return 0;
	return heat_of_moments(h, p, &h->moments[key][extent]);
}

bool heat_has_frame(const struct profile *p, const struct scope *scope, const struct profile_frame *frame,
		    const struct medians *medians)
{
	if (!medians_frames(medians))
		return false;
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (!(frame->parts[i].flags & (PART_MISSING | PART_LAPPED | PART_MERGED)) &&
		    profile_selects(p, scope->threads, frame->parts[i].thread) &&
		    profile_amounts(p, &frame->parts[i], scope->measure).known)
			return true;
	return false;
}

struct heat *heat_of_frame(const struct profile *p, const struct scope *scope,
			   const struct profile_frame *frame, const struct medians *medians)
{
	struct heat *h = heat_new(scope->keys, scope->threads, AVERAGE_NOW);
	uint64_t per_s = measure_per_s(p, scope->measure);

	if (!h)
		return NULL;
	h->scope = *scope;
	h->fixed = array_zeroed(scope->keys->count, sizeof(*h->fixed));
	if (!h->fixed || !tally_reserve(&h->tally, p, scope->keys)) {
		heat_free(h);
		return NULL;
	}
	h->fixed_count = scope->keys->count;
	tally_frame(&h->tally, p, scope, frame);
	for (uint32_t i = 0; i < h->tally.count; i++)
		for (int m = 0; m < EXTENTS; m++)
			h->fixed[h->tally.rows[i].key][m] = (double)h->tally.rows[i].value[m];
	for (uint32_t i = 0; i < h->fixed_count; i++)
		for (int m = 0; m < EXTENTS; m++)
			h->fixed[i][m] = heat_against(per_s, h->fixed[i][m],
						      (double)medians_of(medians, i, m));
	return h;
}

const char *heat_mark(double heat)
{
	if (heat < 0.2)
		return ".";
	if (heat < 0.5)
		return "-";
	return heat < 0.8 ? "#" : "##";
}

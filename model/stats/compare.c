/* SPDX-License-Identifier: MIT */
#include "model/stats/compare.h"

#include <math.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/order.h"

/* The values of all keys on a side, key after key. */
struct side {
	struct tally_row *rows; /* as the frames came; */
	uint32_t count, capacity;
	int64_t (*values)[EXTENTS]; /* and in order */
	uint32_t *start; /* by key, where its values begin; one more for the end */
	int64_t lengths[COMPARE_FRAMES];
	uint32_t frames;
	uint32_t rank; /* of the lower end of intervals; 0: none */
};

struct making {
	const struct profile *p;
	const struct scope *scope;
	struct tally tally;
	struct side sides[COMPARE_SIDES];
	uint32_t random;
};

uint32_t compare_rank(uint32_t n, double alpha)
{
	double term = ldexp(1, -(int)n), below = 0; /* P(Bin(n, 1/2) = j), and of all below j */
	uint32_t j = 0;

	while (j <= n / 2 && below + term <= alpha / 2) {
		below += term;
		term *= (double)(n - j) / (j + 1);
		j++;
	}
	return j <= (n + 1) / 2 ? j : (n + 1) / 2;
}

/* Frames */

static bool add_frame(struct making *m, struct side *s, const struct profile_frame *frame)
{
	tally_frame(&m->tally, m->p, m->scope, frame);
	if (!array_reserve(&s->rows, &s->capacity, (uint64_t)s->count + m->tally.count, sizeof(*s->rows)))
		return false;
	if (m->tally.count)
		memcpy(s->rows + s->count, m->tally.rows, m->tally.count * sizeof(*s->rows));
	s->count += m->tally.count;
	s->lengths[s->frames++] = frame->length;
	return true;
}

/* From the mark back, as far as `over`, which is the other mark, or 0. */
static bool read_frames(struct making *m, struct side *s, uint64_t mark, uint64_t over, struct compare_frames *out)
{
	uint32_t i = mark < UINT64_MAX ? profile_frame_index(m->p, mark + 1) : m->p->frame_count;

	while (i-- > 0 && s->frames < COMPARE_FRAMES) {
		const struct profile_frame *frame = &m->p->frames[i];

		if (frame->number <= over)
			break;
		if (!frame_counts(frame))
			continue;
		if (!frame_counts_for(m->p, frame, m->scope->threads) ||
		    !frame_knows(m->p, frame, m->scope->threads, m->scope->measure)) {
			out->incomplete++;
			continue;
		}
		if (!add_frame(m, s, frame))
			return false;
		out->last = out->last ? out->last : frame->number;
		out->first = frame->number;
	}
	out->count = s->frames;
	return true;
}

/* Key after key, in each the order of frames. */
static bool sort_values(struct side *s, uint32_t keys)
{
	s->start = array_zeroed((uint64_t)keys + 2, sizeof(*s->start));
	s->values = reallocarray(NULL, (size_t)s->count + 1, sizeof(*s->values));
	if (!s->start || !s->values)
		return false;
	for (uint32_t i = 0; i < s->count; i++)
		s->start[s->rows[i].key + 2]++;
	for (uint32_t key = 0; key < keys; key++)
		s->start[key + 2] += s->start[key + 1];
	for (uint32_t i = 0; i < s->count; i++)
		memcpy(s->values[s->start[s->rows[i].key + 1]++], s->rows[i].value, sizeof(*s->values));
	return true;
}

/* Medians */

/* The value of a rank, from 1, where so many of all are 0, and stand first. */
static int64_t value_of_rank(int64_t *values, uint32_t n, uint32_t zeros, uint32_t rank, uint32_t *random)
{
	return rank <= zeros ? 0 : select_rank(values, n, rank - zeros - 1, random);
}

/* The median over the frames of a side: n of them have these values, all above 0, and the others have 0. */
static struct compare_median median_of(const struct side *s, int64_t *values, uint32_t n, uint32_t *random)
{
	uint32_t zeros = s->frames - n, low = s->rank ? s->rank : 1;

	return (struct compare_median){
		.median = value_of_rank(values, n, zeros, (s->frames + 1) / 2, random),
		.low = value_of_rank(values, n, zeros, low, random),
		.high = value_of_rank(values, n, zeros, s->frames + 1 - low, random),
	};
}

static enum compare_verdict judge_times(const struct making *m, const struct compare_times *t)
{
	if (!m->sides[COMPARE_A].rank || !m->sides[COMPARE_B].rank)
		return COMPARE_TOO_FEW;
	if (t->of[COMPARE_A].high < t->of[COMPARE_B].low)
		return COMPARE_SLOWER;
	return t->of[COMPARE_B].high < t->of[COMPARE_A].low ? COMPARE_FASTER : COMPARE_NO_EVIDENCE;
}

static void finish_times(const struct making *m, struct compare_times *t)
{
	t->difference = t->of[COMPARE_B].median - t->of[COMPARE_A].median;
	t->verdict = judge_times(m, t);
}

static uint32_t values_of_key(const struct side *s, uint32_t key)
{
	return s->start[key + 1] - s->start[key];
}

static void compare_key(struct making *m, uint32_t key, enum extent extent, struct compare_times *out)
{
	int64_t values[COMPARE_FRAMES];

	for (int i = 0; i < COMPARE_SIDES; i++) {
		const struct side *s = &m->sides[i];
		uint32_t n = 0;

		for (uint32_t k = s->start[key]; k < s->start[key + 1]; k++)
			if (s->values[k][extent] > 0)
				values[n++] = s->values[k][extent];
		out->of[i] = median_of(s, values, n, &m->random);
	}
	finish_times(m, out);
}

static void compare_lengths(struct making *m, struct compare_times *out)
{
	for (int i = 0; i < COMPARE_SIDES; i++)
		out->of[i] = median_of(&m->sides[i], m->sides[i].lengths, m->sides[i].frames, &m->random);
	finish_times(m, out);
}

/* The whole table */

/* Only then it is known among how many comparisons alpha is shared out. */
static bool find_keys(const struct making *m, struct comparison *c)
{
	uint32_t keys = m->scope->keys->count;

	c->rows = array_zeroed(keys, sizeof(*c->rows));
	if (!c->rows)
		return false;
	for (uint32_t key = 0; key < keys; key++)
		if (values_of_key(&m->sides[COMPARE_A], key) || values_of_key(&m->sides[COMPARE_B], key))
			c->rows[c->row_count++].key = key;
	c->comparisons = 1 + EXTENTS * c->row_count;
	return true;
}

static void find_ranks(struct making *m, struct comparison *c)
{
	double alpha = COMPARE_ALPHA / (2.0 * c->comparisons);

	for (c->needed = 1; !compare_rank(c->needed, alpha);)
		c->needed++;
	for (int i = 0; i < COMPARE_SIDES; i++) {
		m->sides[i].rank = compare_rank(m->sides[i].frames, alpha);
		c->frames[i].bounded = m->sides[i].rank;
	}
}

static enum compare_result fill_comparison(struct making *m, const uint64_t marks[COMPARE_SIDES], struct comparison *c)
{
	uint32_t keys = m->scope->keys->count;

	if (!tally_init(&m->tally) || !tally_reserve(&m->tally, m->p, m->scope->keys))
		return COMPARE_NO_MEMORY;
	for (int i = 0; i < COMPARE_SIDES; i++) {
		uint64_t other = marks[COMPARE_SIDES - 1 - i];

		if (!read_frames(m, &m->sides[i], marks[i], other < marks[i] ? other : 0, &c->frames[i]))
			return COMPARE_NO_MEMORY;
		if (!m->sides[i].frames)
			return i == COMPARE_A ? COMPARE_NO_A : COMPARE_NO_B;
		if (!sort_values(&m->sides[i], keys))
			return COMPARE_NO_MEMORY;
	}
	if (!find_keys(m, c))
		return COMPARE_NO_MEMORY;
	find_ranks(m, c);
	compare_lengths(m, &c->frame);
	for (uint32_t i = 0; i < c->row_count; i++)
		for (enum extent k = 0; k < EXTENTS; k++)
			compare_key(m, c->rows[i].key, k, &c->rows[i].times[k]);
	return COMPARE_OK;
}

static void making_fini(struct making *m)
{
	for (int i = 0; i < COMPARE_SIDES; i++) {
		free(m->sides[i].rows);
		free(m->sides[i].values);
		free(m->sides[i].start);
	}
	tally_fini(&m->tally);
}

enum compare_result compare_make(const struct profile *p, const struct scope *scope, uint64_t a, uint64_t b,
				 struct comparison **out)
{
	struct making m = { .p = p, .scope = scope, .random = 1 };
	uint64_t marks[COMPARE_SIDES] = { a, b };
	struct comparison *c;
	enum compare_result result;

	*out = NULL;
	if (a == b)
		return COMPARE_SAME_FRAME;
	c = calloc(1, sizeof(*c));
	result = c ? fill_comparison(&m, marks, c) : COMPARE_NO_MEMORY;
	making_fini(&m);
	if (result == COMPARE_OK)
		*out = c;
	else
		compare_free(c);
	return result;
}

void compare_free(struct comparison *c)
{
	if (c)
		free(c->rows);
	free(c);
}

/* SPDX-License-Identifier: MIT */
#include "model/stats/statistics.h"

#include "model/base/array.h"
#include "model/base/order.h"

static int compare_values(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t nearest_rank(const int64_t *sorted, uint32_t n, unsigned percent)
{
	return sorted[((uint64_t)n * percent + 99) / 100 - 1];
}

struct statistics statistics_of(int64_t *values, uint32_t n)
{
	struct statistics s = { .count = n };
	double sum = 0;

	if (!n)
		return s;
	qsort(values, n, sizeof(*values), compare_values);
	for (uint32_t i = 0; i < n; i++)
		sum += (double)values[i];
	s.min = values[0];
	s.median = nearest_rank(values, n, 50);
	s.p90 = nearest_rank(values, n, 90);
	s.p99 = nearest_rank(values, n, 99);
	s.max = values[n - 1];
	s.mean = sum / n;
	return s;
}

/* Each rank is looked for behind the one before, below which nothing of it can be. */
struct statistics statistics_select(int64_t *values, uint32_t n, uint32_t *random)
{
	static const unsigned percents[] = { 50, 90, 99 };
	struct statistics s = { .count = n };
	int64_t *found[] = { &s.median, &s.p90, &s.p99 };
	uint32_t behind = 0;
	double sum = 0;

	if (!n)
		return s;
	s.min = s.max = values[0];
	for (uint32_t i = 0; i < n; i++) {
		sum += (double)values[i];
		s.max = values[i] > s.max ? values[i] : s.max;
		s.min = values[i] < s.min ? values[i] : s.min;
	}
	s.mean = sum / n;
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t rank = (uint32_t)(((uint64_t)n * percents[i] + 99) / 100 - 1);

		*found[i] = select_rank(values + behind, n - behind, rank - behind, random);
		behind = rank;
	}
	return s;
}

static int64_t rank_with_zeros(int64_t *values, uint32_t n, uint32_t frames, unsigned percent,
			       uint32_t *random)
{
	uint32_t rank = (uint32_t)(((uint64_t)frames * percent + 99) / 100), zeros = frames - n;

	return rank > zeros ? select_rank(values, n, rank - zeros - 1, random) : 0;
}

struct statistics statistics_with_zeros(int64_t *values, uint32_t n, uint32_t frames,
					uint32_t *random)
{
	struct statistics s = { .count = frames };
	double sum = 0;

	if (!frames)
		return s;
	s.min = n < frames ? 0 : values[0];
	for (uint32_t i = 0; i < n; i++) {
		sum += (double)values[i];
		s.max = values[i] > s.max ? values[i] : s.max;
		s.min = values[i] < s.min ? values[i] : s.min;
	}
	s.mean = sum / frames;
	s.median = rank_with_zeros(values, n, frames, 50, random);
	s.p90 = rank_with_zeros(values, n, frames, 90, random);
	s.p99 = rank_with_zeros(values, n, frames, 99, random);
	return s;
}

/* The frames that statistics are of: n from index first on, less those beyond the end. */
static uint32_t frames_in_view(const struct profile *p, uint32_t first, uint32_t n)
{
	uint32_t held = first < p->frame_count ? p->frame_count - first : 0;

	return n < held ? n : held;
}

bool statistics_of_lengths(const struct profile *p, uint32_t first, uint32_t n,
			   struct statistics *out)
{
	int64_t *values;
	uint32_t count = 0;

	n = frames_in_view(p, first, n);
	values = array_zeroed(n, sizeof(*values));
	if (!values)
		return false;
	for (uint32_t i = first; i < first + n; i++)
		if (!(p->frames[i].flags & FRAME_DISCARDED))
			values[count++] = p->frames[i].length;
	*out = statistics_of(values, count);
	free(values);
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "model/statistics.h"

#include "model/array.h"

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

/* Which nodes a key's measure is the sum of, by node. */
static bool *members_of(const struct profile *p, const struct keys *k, uint32_t key,
			enum measure measure)
{
	bool *members = array_zeroed(k->node_count, sizeof(*members));

	for (uint32_t i = 0; members && i < k->node_count; i++) {
		uint32_t parent = p->nodes[i].parent;

		members[i] = k->of_node[i] == key ||
			     (measure == MEASURE_HIER && parent != PROFILE_NONE && members[parent]);
	}
	return members;
}

static int64_t sum_members(const struct profile *p, const struct profile_frame *frame,
			   uint32_t thread, const bool *members, uint32_t node_count)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];

		if (!profile_selects(p, thread, part->thread))
			continue;
		for (uint32_t c = 0; c < part->cell_count; c++) {
			struct profile_cell cell = profile_cell(part, c);

			if (cell.node < node_count && members[cell.node])
				sum += cell.self;
		}
	}
	return sum;
}

/* The frames that statistics are of: n from index first on, less those beyond the end. */
static uint32_t frames_in_view(const struct profile *p, uint32_t first, uint32_t n)
{
	uint32_t held = first < p->frame_count ? p->frame_count - first : 0;

	return n < held ? n : held;
}

bool statistics_of_key(const struct profile *p, const struct keys *k, uint32_t thread,
		       uint32_t key, enum measure measure, uint32_t first, uint32_t n,
		       struct statistics *out)
{
	bool *members = members_of(p, k, key, measure);
	int64_t *values = array_zeroed(frames_in_view(p, first, n), sizeof(*values));
	bool done = members && values;
	uint32_t count = 0;
	uint64_t first_frame = 0;

	n = frames_in_view(p, first, n);
	for (uint32_t i = first; done && i < first + n; i++) {
		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		values[count] = sum_members(p, &p->frames[i], thread, members, k->node_count);
		if (values[count++] > 0 && !first_frame)
			first_frame = p->frames[i].number;
	}
	if (done) {
		*out = statistics_of(values, count);
		out->first_frame = first_frame;
	}
	free(members);
	free(values);
	return done;
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
	out->first_frame = n ? p->frames[first].number : 0;
	free(values);
	return true;
}

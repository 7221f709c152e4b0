/* SPDX-License-Identifier: MIT */
#include "model/boxes/flame.h"

#include <stdlib.h>

#include "model/base/array.h"
#include "model/report/columns.h"

void flame_free(struct flame *f)
{
	if (!f)
		return;
	free(f->begin);
	free(f->end);
	free(f->sums);
	free(f->rows);
	free(f->boxes);
	free(f->levels);
	free(f);
}

static bool make_room(struct flame *f, const struct report_section *s)
{
	for (uint32_t i = 0; i < s->row_count; i++)
		if (s->rows[i].level >= f->depth)
			f->depth = s->rows[i].level + 1;
	f->begin = array_zeroed(s->row_count, sizeof(*f->begin));
	f->end = array_zeroed(s->row_count, sizeof(*f->end));
	f->sums = array_zeroed((uint64_t)s->row_count + 1, sizeof(*f->sums));
	f->rows = array_zeroed(s->row_count, sizeof(*f->rows));
	f->boxes = array_zeroed(s->row_count, sizeof(*f->boxes));
	f->levels = array_zeroed((uint64_t)f->depth + 1, sizeof(*f->levels));
	return f->begin && f->end && f->sums && f->rows && f->boxes && f->levels;
}

/* The length of each row, without waiting zones below it if `without_waits`. A row comes after its parent.
 * Caller frees; NULL: out of memory. */
static int64_t *lengths_of(const struct report_section *s, bool without_waits)
{
	int64_t *lengths = array_zeroed(s->row_count, sizeof(*lengths));
	int64_t *waits = array_zeroed(s->row_count, sizeof(*waits));

	for (uint32_t i = s->row_count; lengths && waits && i-- > 0;) {
		int64_t hier = s->rows[i].values[COLUMN_HIER].exact;

		if (s->rows[i].waiting && without_waits)
			waits[i] = hier;
		if (s->rows[i].parent < i && waits[i] > 0 && waits[i] <= INT64_MAX - waits[s->rows[i].parent])
			waits[s->rows[i].parent] += waits[i];
		lengths[i] = hier > waits[i] ? hier - waits[i] : 0;
	}
	free(waits);
	if (waits)
		return lengths;
	free(lengths);
	return NULL;
}

/* Where each row lies, by row: behind those of the same parent before it. What was not read whole may have children that
 * are longer than their parent: they end where it does. */
static bool place_rows(const struct report_section *s, bool without_waits, int64_t *begin, int64_t *end)
{
	int64_t *lengths = lengths_of(s, without_waits);
	int64_t *next = array_zeroed(s->row_count, sizeof(*next));

	for (uint32_t i = 0; i < s->row_count && next && lengths; i++) {
		uint32_t parent = s->rows[i].parent;
		bool inside = parent < i;
		int64_t length = lengths[i], room = inside ? end[parent] - next[parent] : length;

		begin[i] = next[i] = inside ? next[parent] : 0;
		end[i] = begin[i] + (length < room ? length : room);
		if (inside)
			next[parent] = end[i];
	}
	free(next);
	free(lengths);
	return next && lengths;
}

/* Level by level: rows stand parent before child and in order, so that each level is filled from left to right. */
static bool fill_levels(struct flame *f, const struct report_section *s, const int64_t *begin, const int64_t *end)
{
	uint32_t *next = array_zeroed((uint64_t)f->depth + 1, sizeof(*next));

	if (!next)
		return false;
	for (uint32_t i = 0; i < s->row_count; i++)
		if (end[i] > begin[i])
			f->levels[s->rows[i].level + 1]++;
	for (uint32_t level = 0; level < f->depth; level++) {
		f->levels[level + 1] += f->levels[level];
		next[level] = f->levels[level];
	}
	for (uint32_t i = 0; i < s->row_count; i++) {
		uint32_t box = f->boxes[i] = end[i] > begin[i] ? next[s->rows[i].level]++ : PROFILE_NONE;

		if (box == PROFILE_NONE)
			continue;
		f->begin[box] = begin[i];
		f->end[box] = end[i];
		f->rows[box] = i;
	}
	for (uint32_t i = 0; i < f->levels[f->depth]; i++) /* sums may wrap: only their differences are used */
		f->sums[i + 1] = (int64_t)((uint64_t)f->sums[i] + (uint64_t)(f->end[i] - f->begin[i]));
	free(next);
	return true;
}

struct flame *flame_make(const struct report_section *s, bool without_waits)
{
	struct flame *f = calloc(1, sizeof(*f));
	int64_t *begin = array_zeroed(s->row_count, sizeof(*begin)), *end = array_zeroed(s->row_count, sizeof(*end));
	bool done = f && begin && end && make_room(f, s) && place_rows(s, without_waits, begin, end) && fill_levels(f, s, begin, end);

	if (done && s->row_count)
		f->whole = end[0] - begin[0];
	free(begin);
	free(end);
	if (!done)
		flame_free(f);
	return done ? f : NULL;
}

struct box_row flame_level(const struct flame *f, uint32_t level)
{
	uint32_t first = f->levels[level];

	return (struct box_row){ f->begin + first, f->end + first, f->sums + first, f->levels[level + 1] - first };
}

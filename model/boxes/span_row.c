/* SPDX-License-Identifier: MIT */
#include "model/boxes/span_row.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/search.h"

#define SPARE(count) ((count) / 2 + 8)

void span_row_fini(struct span_row *r)
{
	free(r->room);
	*r = (struct span_row){ 0 };
}

/* Moves the columns to a room of their own size, and of some spans more, so many of them in front. */
static bool move(struct span_row *r, uint32_t gone)
{
	struct span_row to = { .count = r->count, .capacity = gone + r->count + SPARE(r->count), .gone = gone };

	to.room = malloc(to.capacity * (3 * sizeof(int64_t) + sizeof(uint32_t) + 1) + sizeof(int64_t));
	if (!to.room)
		return false;
	to.begin = (int64_t *)to.room + gone;
	to.end = to.begin + to.capacity;
	to.sums = to.end + to.capacity;
	to.node = (uint32_t *)((int64_t *)to.room + 3 * (size_t)to.capacity + 1) + gone;
	to.marks = (uint8_t *)(to.node - gone + to.capacity) + gone;
	to.sums[0] = 0;
	if (r->room) {
		memcpy(to.begin, r->begin, r->count * sizeof(*r->begin));
		memcpy(to.end, r->end, r->count * sizeof(*r->end));
		memcpy(to.sums, r->sums, (r->count + (size_t)1) * sizeof(*r->sums));
		memcpy(to.node, r->node, r->count * sizeof(*r->node));
		memcpy(to.marks, r->marks, r->count);
	}
	free(r->room);
	*r = to;
	return true;
}

bool span_row_push(struct span_row *r, uint32_t node, int64_t begin)
{
	if (r->gone + r->count == r->capacity && !move(r, 0))
		return false;
	r->begin[r->count] = begin;
	r->end[r->count] = begin;
	r->node[r->count] = node;
	r->marks[r->count] = 0;
	r->sums[r->count + 1] = r->sums[r->count];
	r->count++;
	return true;
}

void span_row_pop(struct span_row *r)
{
	r->count--;
}

void span_row_end(struct span_row *r, int64_t end)
{
	uint32_t last = r->count - 1;

	r->end[last] = end;
	r->sums[r->count] = r->sums[last] + (end - r->begin[last]);
}

bool span_row_put_before(struct span_row *r, struct span_row *front)
{
	uint32_t n = front->count;

	if (!n)
		return true;
	if (n > r->gone && !move(r, n))
		return false;
	r->begin -= n;
	r->end -= n;
	r->sums -= n;
	r->node -= n;
	r->marks -= n;
	r->count += n;
	r->gone -= n;
	memcpy(r->begin, front->begin, n * sizeof(*r->begin));
	memcpy(r->end, front->end, n * sizeof(*r->end));
	memcpy(r->node, front->node, n * sizeof(*r->node));
	memcpy(r->marks, front->marks, n);
	for (uint32_t i = n; i > 0; i--)
		r->sums[i - 1] = r->sums[i] - (r->end[i - 1] - r->begin[i - 1]);
	span_row_fini(front);
	return true;
}

/* So many spans leave at the front. */
static void drop(struct span_row *r, uint32_t n)
{
	r->begin += n;
	r->end += n;
	r->sums += n;
	r->node += n;
	r->marks += n;
	r->count -= n;
	r->gone += n;
	if (r->capacity > 4 * r->count + 32)
		(void)move(r, 0); /* else it stays as large as it is */
}

uint32_t span_row_trim(struct span_row *r, int64_t begin, bool open)
{
	uint32_t n = SEARCH(i, 0, r->count - open, r->end[i] <= begin);

	if (n)
		drop(r, n);
	if (r->count && r->begin[0] < begin) {
		r->sums[0] += begin - r->begin[0];
		r->begin[0] = begin;
	}
	return n;
}

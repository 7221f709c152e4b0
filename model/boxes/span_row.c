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

/* Moves the columns to a room of their own size, and of some spans more. */
static bool move(struct span_row *r)
{
	struct span_row to = { .count = r->count, .capacity = r->count + SPARE(r->count) };

	to.room = malloc(to.capacity * (3 * sizeof(int64_t) + sizeof(uint32_t)) + sizeof(int64_t));
	if (!to.room)
		return false;
	to.begin = to.room;
	to.end = to.begin + to.capacity;
	to.sums = to.end + to.capacity;
	to.node = (uint32_t *)(to.sums + to.capacity + 1);
	to.sums[0] = 0;
	if (r->room) {
		memcpy(to.begin, r->begin, r->count * sizeof(*r->begin));
		memcpy(to.end, r->end, r->count * sizeof(*r->end));
		memcpy(to.sums, r->sums, (r->count + (size_t)1) * sizeof(*r->sums));
		memcpy(to.node, r->node, r->count * sizeof(*r->node));
	}
	free(r->room);
	*r = to;
	return true;
}

bool span_row_push(struct span_row *r, uint32_t node, int64_t begin)
{
	if (r->gone + r->count == r->capacity && !move(r))
		return false;
	r->begin[r->count] = begin;
	r->end[r->count] = begin;
	r->node[r->count] = node;
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

/* So many spans leave at the front. */
static void drop(struct span_row *r, uint32_t n)
{
	r->begin += n;
	r->end += n;
	r->sums += n;
	r->node += n;
	r->count -= n;
	r->gone += n;
	if (r->capacity > 4 * r->count + 32)
		(void)move(r); /* else it stays as large as it is */
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

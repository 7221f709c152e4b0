/* SPDX-License-Identifier: MIT */
#include "model/base/stable_order.h"

#include <math.h>
#include <stdlib.h>

#define MOVES 64 /* of an item, on average, before it is given up */

/* New items stand last, sorted. */
static int compare_places(const void *a, const void *b)
{
	const struct stable_item *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->sorted > y->sorted) - (x->sorted < y->sorted);
}

/* If one of them is not a number, nobody can say how much they differ. */
static bool differs(double a, double b)
{
	if (!isfinite(a) || !isfinite(b))
		return true;
	return fabs(a - b) > STABLE_ORDER_SLACK * fmax(fabs(a), fabs(b));
}

static bool moves_before(const struct stable_item *x, const struct stable_item *y)
{
	if (x->rank != y->rank)
		return x->rank < y->rank;
	if (x->sorted >= y->sorted)
		return false;
	return x->place == STABLE_ORDER_NEW || x->exact || differs(x->value, y->value);
}

/* The items are taken in the order in which they stood, and each is moved up from there. */
bool stable_order(struct stable_item *items, uint32_t count)
{
	uint64_t moves = 0;

	for (uint32_t i = 0; i < count; i++)
		items[i].sorted = i;
	qsort(items, count, sizeof(*items), compare_places);
	for (uint32_t i = 1; i < count; i++) {
		struct stable_item item = items[i];
		uint32_t at = i;

		for (; at && moves_before(&item, &items[at - 1]); at--)
			items[at] = items[at - 1];
		items[at] = item;
		moves += i - at;
		if (moves > (uint64_t)count * MOVES)
			return false;
	}
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "model/base/order.h"

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
static bool differs_enough(double a, double b)
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
	return x->place == STABLE_ORDER_NEW || x->exact || differs_enough(x->value, y->value);
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

static void swap_values(int64_t *a, int64_t *b)
{
	int64_t value = *a;

	*a = *b;
	*b = value;
}

/* Puts what is below the pivot before what equals it, and that before what is above. */
static void partition_values(int64_t *values, uint32_t n, int64_t pivot, uint32_t *below, uint32_t *equal)
{
	uint32_t low = 0, high = n;

	for (uint32_t i = 0; i < high;) {
		if (values[i] < pivot)
			swap_values(&values[i++], &values[low++]);
		else if (values[i] > pivot)
			swap_values(&values[i], &values[--high]);
		else
			i++;
	}
	*below = low;
	*equal = high - low;
}

int64_t select_rank(int64_t *values, uint32_t n, uint32_t rank, uint32_t *random)
{
	while (n > 1) {
		uint32_t below, equal;
		int64_t pivot;

		*random = *random * 1664525 + 1013904223;
		pivot = values[(uint64_t)*random * n >> 32];
		partition_values(values, n, pivot, &below, &equal);
		if (rank >= below && rank < below + equal)
			return pivot;
		if (rank < below) {
			n = below;
		} else {
			values += below + equal;
			rank -= below + equal;
			n -= below + equal;
		}
	}
	return values[0];
}

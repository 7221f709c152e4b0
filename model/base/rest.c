/* SPDX-License-Identifier: MIT */
#include "model/base/rest.h"

#include <math.h>
#include <stdlib.h>

#define MOVES 64 /* of an item, on average, before it is given up */

/* New ones stand last, sorted. */
static int compare_places(const void *a, const void *b)
{
	const struct rest_item *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->sorted > y->sorted) - (x->sorted < y->sorted);
}

/* What may differ without a move: slack of the larger one, and slack of slack of the largest in the list. */
struct slack {
	double part, least;
};

static struct slack slack_of(const struct rest_item *items, uint32_t count, double part)
{
	double largest = 0;

	for (uint32_t i = 0; i < count; i++)
		if (isfinite(items[i].value))
			largest = fmax(largest, fabs(items[i].value));
	return (struct slack){ part, largest > 0 ? part * part * largest : 0 };
}

/* Of what is no number nobody can tell by how much it differs. */
static bool differs(double a, double b, struct slack slack)
{
	if (!isfinite(a) || !isfinite(b))
		return slack.part < HUGE_VAL;
	return fabs(a - b) > fmax(slack.part * fmax(fabs(a), fabs(b)), slack.least);
}

static bool moves_before(const struct rest_item *x, const struct rest_item *y, struct slack slack)
{
	if (x->rank != y->rank)
		return x->rank < y->rank;
	if (x->sorted >= y->sorted)
		return false;
	return x->place == REST_NEW || x->exact || differs(x->value, y->value, slack);
}

/* They are taken in the order in which they stood, and each is moved up from there. */
bool rest_order(struct rest_item *items, uint32_t count, double part)
{
	struct slack slack = slack_of(items, count, part);
	uint64_t moves = 0;

	for (uint32_t i = 0; i < count; i++)
		items[i].sorted = i;
	qsort(items, count, sizeof(*items), compare_places);
	for (uint32_t i = 1; i < count; i++) {
		struct rest_item item = items[i];
		uint32_t at = i;

		for (; at && moves_before(&item, &items[at - 1], slack); at--)
			items[at] = items[at - 1];
		items[at] = item;
		moves += i - at;
		if (moves > (uint64_t)count * MOVES)
			return false;
	}
	return true;
}

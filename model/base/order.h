/* SPDX-License-Identifier: MIT */
/*
 * order: the k-th of many values, and the order of rows whose values change all the time (hysteresis).
 *
 * The rows of a live table are sorted exactly every two seconds. In between, each refresh of the numbers calls
 * stable_order: rows keep the order in which they stood, but a row moves up past every neighbour that it exceeds by more
 * than a tenth of the larger value. Rows that are new stand where they belong.
 */
#ifndef MODEL_ORDER_H
#define MODEL_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define STABLE_ORDER_NEW UINT32_MAX
#define STABLE_ORDER_SLACK 0.1 /* of the larger of two neighbours: a smaller difference moves no row */

struct stable_item {
	uint32_t rank;   /* items of a lower rank stand first, whatever their values */
	uint32_t place;  /* where the item stood before; STABLE_ORDER_NEW: nowhere */
	double value;    /* what the item is sorted by */
	bool exact;      /* the item moves however small the difference is */
	uint32_t sorted; /* set by stable_order: the item's place in the sorted list */
};

/* Takes the items in sorted order, by rank first. False: nearly all items would have to move far, so the sorted list is
 * as good. Then the items are in no order. */
bool stable_order(struct stable_item *items, uint32_t count);

/* The value of `rank` among n >= 1 values, without sorting them (Hoare's select); rank 0 is the least. The values change
 * places: afterwards the result stands at values[rank], with no larger value in front of it and no smaller one behind it.
 * `random` is any number, which the caller keeps from call to call: pivots are chosen at random with it, so that no order
 * in which values really come is a slow one. */
int64_t select_rank(int64_t *values, uint32_t n, uint32_t rank, uint32_t *random);

#endif

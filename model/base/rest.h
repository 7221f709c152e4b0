/* SPDX-License-Identifier: MIT */
/*
 * rest: a list in the order of values that change all the time, which changes its own order as little as it can.
 *
 * Items that stood somewhere before keep their order, but that one moves in front of those that it belongs in front of
 * by more than `slack` of the larger value: 0.1 is a tenth, HUGE_VAL never. What is small beside the largest one of the
 * list (a hundredth of it, then) does not move at all: such items change by more than a tenth all the time, and nobody
 * looks for them there. New ones go where they belong.
 */
#ifndef MODEL_REST_H
#define MODEL_REST_H

#include <stdbool.h>
#include <stdint.h>

#define REST_NEW UINT32_MAX

struct rest_item {
	uint32_t rank;  /* those of a lower one stand first, whatever the slack */
	uint32_t place; /* where it stood before; REST_NEW: nowhere */
	double value;   /* that it is sorted by */
	bool exact;     /* it moves however little it differs */
	uint32_t sorted; /* where it stood when rest_order was called */
};

/* Takes the items as they are sorted, by rank first. False: nearly all of them would have to move far, and the sorted list
 * is as good; the items are in no order then. */
bool rest_order(struct rest_item *items, uint32_t count, double slack);

#endif

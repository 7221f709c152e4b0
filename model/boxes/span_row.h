/* SPDX-License-Identifier: MIT */
/*
 * span_row: calls one after the other at one depth of a thread, as columns that grow at the end and shrink at the front.
 *
 * Of each span it has the ticks of begin and end, the node of the profile, and the sum of the lengths before it: the
 * columns of a box_row, and what is special about it, 29 bytes a span. The room is that of at most four times the spans
 * that are held, and 32 more.
 * A span_row of zeros is an empty one.
 */
#ifndef MODEL_SPAN_ROW_H
#define MODEL_SPAN_ROW_H

#include "model/boxes/box_row.h"

struct span_row {
	uint32_t count, capacity;
	uint32_t gone;        /* places in front of the first that are free */
	int64_t *begin, *end; /* count of each, not negative; begin[i] <= end[i] <= begin[i + 1] */
	int64_t *sums;        /* count + 1; NULL, as the others: there was no span yet */
	uint32_t *node;
	uint8_t *marks;       /* of its maker */
	void *room;           /* where they all lie in */
};

void span_row_fini(struct span_row *r); /* it is empty then */

/* Adds a span without length behind the last, which ends at `begin` or before. False: out of memory, nothing is added. */
bool span_row_push(struct span_row *r, uint32_t node, int64_t begin);
void span_row_pop(struct span_row *r);

/* The spans of `front`, which end where these begin or before, come before them, and leave `front`. False: out of memory. */
bool span_row_put_before(struct span_row *r, struct span_row *front);

/* Moves the end of the last span, forth or back. */
void span_row_end(struct span_row *r, int64_t end);

/* Leaves out what lies before the tick: the spans that end there or before, and that part of a span that is around it.
 * Where the last one is open it stays, wherever its end is for now. Returns how many spans left. */
uint32_t span_row_trim(struct span_row *r, int64_t begin, bool open);

#endif

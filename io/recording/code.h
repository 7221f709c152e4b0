/* SPDX-License-Identifier: MIT */
/*
 * code: the two things that a recording has most of, as bytes and back: the cells of a part, and transitions.
 *
 * Both lean on the tree of nodes, which writer and reader know alike. The longest call of a zone that was entered once is
 * as long as all inside of it, so what is told is by how much it differs from that. The next zone is as a rule the one
 * that came next the last time.
 */
#ifndef IO_CODE_H
#define IO_CODE_H

#include "io/recording/bytes.h"
#include "model/profile/transitions.h"

struct code {
	uint32_t *parents; /* by node */
	uint32_t nodes, capacity;
	int64_t *inside;            /* by node; 0 between two calls */
	struct code_next *next;     /* by node; of this block, if its stamp is */
	uint32_t stamp;
	struct profile_cell *cells; /* sorted, as they are told */
	uint32_t cell_capacity;
};

void code_fini(struct code *c);

/* The next node. Its parent may be CODE_LOST: nothing is known of it, and what has it cannot be read. False: out of
 * memory. */
#define CODE_LOST (PROFILE_NONE - 1)
bool code_node(struct code *c, uint32_t parent);

/* The cells of a part, in ascending order of their nodes. All are known, each at most once; else `b` has failed. */
void code_put_cells(struct code *c, struct bytes *b, const struct profile_cell *cells, uint32_t count);

/* *cells are the code's own until the next call. False: they are none, or there is no memory. */
bool code_take_cells(struct code *c, struct taking *t, const struct profile_cell **cells, uint32_t *count);

/* Transitions of one list that follow one another, of which the first is at the tick `first`. No two are 2^61 ticks apart. */
void code_put_calls(struct code *c, struct bytes *b, const struct transition *at, uint32_t count);
#define CODE_FARTHEST (INT64_C(1) << 61)

/* Calls `take` for each. False: they are none, or `take` said so. */
typedef bool code_take(void *context, struct transition n);
bool code_take_calls(struct code *c, struct taking *t, int64_t first, uint32_t count, code_take *take, void *context);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * why_inside: a comparison of frames as its own files see it (why.c, why_stacks.c): which nodes of two profiles are one
 * row, what of its callers tells it from others, and the names of zones.
 */
#ifndef MODEL_WHY_INSIDE_H
#define MODEL_WHY_INSIDE_H

#include "model/query/match.h"
#include "model/stats/why.h"

struct why_stacks_side {
	const struct profile *p;
	const uint32_t *place; /* by thread: its index in why->threads, or PROFILE_NONE: it is left out */
};

struct why_stacks {
	uint32_t *now, *base; /* by node: its stack, or PROFILE_NONE */
	uint32_t *place;      /* by stack: the index of its thread */
};

/* Makes w->stacks, by w->by_zone and w->spread. O(nodes), and for each that is entered from another place than before
 * O(callers). False: out of memory. */
bool why_stacks_make(struct why_stacks *s, struct why *w, const struct why_stacks_side *base,
		     const struct why_stacks_side *now, const struct match *match);
void why_stacks_fini(struct why_stacks *s);

/* Sets `tells` of all rows. False: out of memory. */
bool why_stacks_compare(struct why *w);

/*
 * The names of zones in a comparison.
 *
 * The zones may be of two profiles. If two of them have one name, they are
 * shown with their places, `load (mesh.c:4)`, so that different rows look
 * different.
 */

/* Sets w->names, of all zones in the stacks of rows. False: out of memory. */
bool why_names_make(struct why *w, const struct profile *base, const struct profile *now, const struct match *match);
void why_names_fini(struct why *w);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * why_inside: a comparison of frames as its own files see it (why.c, why_match.c, why_stacks.c): which zone, thread and
 * node of two profiles are the same, which nodes are one row, what of its callers tells it from others, and the names
 * of zones.
 */
#ifndef MODEL_WHY_INSIDE_H
#define MODEL_WHY_INSIDE_H

#include "model/stats/why.h"

/*
 * why_match.c: finds the same zones, threads and nodes in two profiles: two runs of a program, two builds of it, or a
 * profile and its copy.
 *
 * Zones are the same if name, file and line are equal (key_id). A zone that is left over matches one that is left over
 * in the other profile if each is the only one left with that name: its line has moved. The marking threads match.
 * Other threads match by name; threads of one name match in their order. Nodes match if their zones match, from the
 * root down; if two nodes have the same path, they match in their order. Nothing matches twice. A profile matches itself.
 */

/* By index in the one profile: the index in the other; PROFILE_NONE: it is not there. */
struct match {
	uint32_t *zones;
	uint32_t *threads;
	uint32_t *nodes;
};

/* Finds for each zone, node and thread of `from` its counterpart in `to`. NULL: out of memory. */
struct match *match_make(const struct profile *from, const struct profile *to);
void match_free(struct match *m);

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

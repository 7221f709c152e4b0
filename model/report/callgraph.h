/* SPDX-License-Identifier: MIT */
/*
 * callgraph: who calls a zone Z, and what it calls, exact under direct and mutual recursion.
 *
 * Each node whose path holds Z is given to exactly one row on each side:
 *   children  to Z's own self if its top is Z, else to the key after the last Z of the path:
 *             Σ child hier = hier(Z) − self(Z). A child's self is the part with that child on top,
 *             its count the entries made directly from a Z.
 *   callers   to the key before the first Z of the path:
 *             Σ over callers = Z in self, hier and count. `direct` gives the entries made by each
 *             caller itself, so a caller inside the recursion has direct entries and no time.
 *             Σ direct = count(Z).
 * O(nodes).
 */
#ifndef MODEL_CALLGRAPH_H
#define MODEL_CALLGRAPH_H

#include "model/report/flat.h"

struct callgraph_row {
	uint32_t key;
	int64_t self; /* 1/scale ticks, as all of them */
	int64_t hier;
	int64_t count;
	int64_t direct;
	int64_t longest; /* ticks. Callers: longest call of Z on their behalf; children: of the child
			    called directly */
	uint32_t threads;
	bool inner; /* the caller stands only inside the recursion */
};

struct callgraph {
	struct callgraph_row focus;
	bool there;        /* some path has Z, with time and entries or without */
	uint32_t depth;    /* the greatest number of Z in a path with time or entries; 0: Z has none */
	int64_t recursive; /* entries of Z made while a Z was open, 1/scale. There is no recursive time: hier has each
			    * moment once, however many Z are open */
	struct callgraph_row *callers; /* in order of their keys */
	uint32_t caller_count;
	struct callgraph_row *children;
	uint32_t child_count;
};

/* `thread` is a selection. NULL: out of memory. A key that has no node gives an empty graph. */
struct callgraph *callgraph_make(const struct profile *p, const struct keys *k,
				 const struct values *v, uint32_t thread, uint32_t focus);
void callgraph_free(struct callgraph *g);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * treeview: the stacks from the root down; nodes with the same path of keys, of one thread or of
 * several, are one row.
 *
 * Rows stand parent before child, subtrees whole; row 0 is the root. hier of a row is its self and
 * that of everything below it: Σ child hier = hier − self. O(nodes).
 *
 * From the bottom up the stacks are read the other way round: below the root stands each zone with all of its self
 * time, below it those that called it, below these their callers. hier of a row then is the self time of the zone that
 * it began with, as far as it was called that way; self is what of it had no more callers, and count its entries.
 * In reports its title is SELF. O(nodes × their depth).
 */
#ifndef MODEL_TREEVIEW_H
#define MODEL_TREEVIEW_H

#include "model/report/flat.h"

struct treeview_row {
	uint32_t parent; /* row, PROFILE_NONE for row 0 */
	uint32_t key;
	uint32_t level; /* 0: the root */
	uint32_t children;
	int64_t self; /* 1/scale ticks, as all of them */
	int64_t hier;
	int64_t count;
	int64_t longest; /* ticks */
	uint32_t threads;
};

struct treeview {
	struct treeview_row *rows;
	uint32_t count;
};

/* `thread` is a selection. NULL: out of memory. */
struct treeview *treeview_make(const struct profile *p, const struct keys *k,
			       const struct values *v, uint32_t thread);

/* The same from the bottom up. Stacks that have nothing in v are left out, unless they have something in `also` (NULL:
 * nothing): so those of two values may have the same rows. */
struct treeview *treeview_make_up(const struct profile *p, const struct keys *k, const struct values *v,
				  const struct values *also, uint32_t thread);
void treeview_free(struct treeview *t);

#endif

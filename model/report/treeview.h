/* SPDX-License-Identifier: MIT */
/*
 * treeview: the stacks from the root down; nodes with the same path of keys, of one thread or of
 * several, are one row.
 *
 * Rows stand parent before child, subtrees whole; row 0 is the root. hier of a row is its self and
 * that of everything below it: Σ child hier = hier − self. O(nodes).
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
void treeview_free(struct treeview *t);

#endif

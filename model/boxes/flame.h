/* SPDX-License-Identifier: MIT */
/*
 * flame: the rows of a tree as boxes: a flame graph, with its root above.
 *
 * A box is as long as the row's hierarchical time, in the report's unit of ticks. Those that a zone calls stand side by
 * side under it, in the order that the report gives them, from its begin on; what is left behind them is its own time.
 * A row without time has no box. On demand the zones that wait have none either, and their callers are as long as if they
 * had not waited.
 */
#ifndef MODEL_FLAME_H
#define MODEL_FLAME_H

#include "model/boxes/box_row.h"
#include "model/report/report.h"

struct flame {
	int64_t *begin, *end, *sums; /* of the boxes, level by level */
	uint32_t *rows;              /* the section's row of each box */
	uint32_t *boxes;             /* the box of each row; PROFILE_NONE: it has none */
	uint32_t *levels;            /* depth + 1: where the boxes of a level begin */
	uint32_t depth;
	int64_t whole;               /* length of the root */
};

/* Makes the boxes of a section of a tree, and keeps no pointer to it. O(rows). NULL: out of memory. */
struct flame *flame_make(const struct report_section *s, bool without_waits);
void flame_free(struct flame *f);

/* The boxes of a level below `depth`: those of the row have the indices from levels[level] on. */
struct box_row flame_level(const struct flame *f, uint32_t level);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * why_table: the rows of a comparison of two frames, or of two runs (model/stats/why.h), as a typed table: a row a stack.
 */
#ifndef MODEL_WHY_TABLE_H
#define MODEL_WHY_TABLE_H

#include "model/query/keys.h"
#include "model/stats/why.h"
#include "model/table/typed_table.h"

enum why_column { WHY_ZONE, WHY_DELTA, WHY_BAR, WHY_WORD, WHY_CALLS, WHY_COST, WHY_CARRY, WHY_COUNT, WHY_SELF,
		  WHY_BASE_SELF, WHY_BASE_COUNT, WHY_NAME, WHY_FILE, WHY_LINE, WHY_NODE, WHY_BASE_NODE, WHY_KIND, WHY_WAITING,
		  WHY_AT_MOST, WHY_THREAD, WHY_COLUMNS };

#define WHY_HEADING PROFILE_NONE /* in the place of a row: the name of the thread, and its difference */

struct why_line {
	uint32_t thread; /* of why->threads */
	uint32_t row;    /* of that thread, or WHY_HEADING */
	uint64_t id;     /* the same whenever rows are made again */
};

struct why_table {
	struct typed_table table;
	const struct why *w;
	const struct profile *now, *base;
	struct why_line *lines;       /* NULL: the rows of one thread, which is: */
	uint32_t thread;
	/* for the screen: */
	int64_t most;                 /* the largest |delta|, for the bar, 1/scale ticks */
	const struct keys *keys;      /* of `now` */
	char *(*heading)(const struct why_table *t, uint32_t thread, bool ascii); /* of a thread; NULL: out of memory */
};

extern const struct table_type why_table_type;
extern const struct table_type why_amount_type; /* its WHY_COST, if the measure is not time */

/* It has no rows yet. All is borrowed; only the type's `free` frees the why and the lines, and the table. */
void why_table_init(struct why_table *t, const struct why *w, const struct profile *base, const struct profile *now);

/* The row of a line; NULL: it is a heading. */
const struct why_row *why_table_row(const struct why_table *t, uint32_t line);

/* The zone on top of a row's stack. */
const struct profile_zone *why_table_zone(const struct why_table *t, const struct why_stack *stack);

/* The name of that zone as reports show it, which tells it from others; "?": it is in the base alone. */
const char *why_table_name(const struct why_table *t, const struct why_row *row);

/* The first node of a row in `now`, if the keys have it, else PROFILE_NONE. */
uint32_t why_table_node(const struct why_table *t, const struct why_row *row);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * stack_table: the zones that are open in each thread (model/stats/open_stacks.h) as a typed table: a row a thread, and below
 * it one for each of its zones.
 */
#ifndef MODEL_STACK_TABLE_H
#define MODEL_STACK_TABLE_H

#include "model/stats/open_stacks.h"
#include "model/table/typed_table.h"

struct stack_table {
	struct typed_table table;
	struct open_stacks *open;
	uint32_t *passing; /* of the screen: indices of its rows; NULL: all */
	bool spread;       /* recursion */
	uint32_t widest;   /* cells of the widest name */
};

extern const struct table_type stack_table_type;

/* Both are borrowed, until the type's `free` lets go of the stacks and frees the table. */
void stack_table_init(struct stack_table *t, struct open_stacks *open);

const struct open_row *stack_table_row(const struct stack_table *t, uint32_t row);
const struct open_thread *stack_table_thread(const struct stack_table *t, uint32_t row);

#endif

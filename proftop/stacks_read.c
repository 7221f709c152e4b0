/* SPDX-License-Identifier: MIT */
#include "proftop/stacks_read.h"

#include <stdlib.h>

static bool add_stack(struct open_stacks *o, const struct profile *p, uint32_t thread,
		      const struct source_stack *stack)
{
	bool added = open_stacks_add_thread(o, p, thread, stack->busy, stack->last, stack->now);

	for (uint32_t i = 0; added && i < stack->count; i++)
		added = open_stacks_add_zone(o, p, stack->zones[i].node, stack->zones[i].entered);
	return added;
}

struct open_stacks *stacks_read(struct source *s)
{
	struct open_stacks *o = open_stacks_new(s->profile);
	struct source_stack stack;

	for (uint32_t i = 0; o && i < s->profile->thread_count; i++) {
		if (!source_stack(s, i, &stack))
			continue;
		if (!add_stack(o, s->profile, i, &stack)) {
			open_stacks_free(o);
			o = NULL;
		}
		free(stack.zones);
	}
	return o;
}

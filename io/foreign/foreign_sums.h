/* SPDX-License-Identifier: MIT */
/*
 * foreign_sums: self times of zone stacks in whole nanoseconds, or their amounts of another measure.
 *
 * A report has of each zone its ticks in nanoseconds, rounded. If those of each of its stacks were rounded by themselves their
 * sum would be another number. So they are rounded one on top of the other: the first k stacks of a zone have together what k
 * of them are in ticks, rounded. None is off by more than a nanosecond, and all of a zone are what -j says of it.
 */
#ifndef IO_FOREIGN_SUMS_H
#define IO_FOREIGN_SUMS_H

#include "io/foreign/foreign.h"

struct foreign_sums {
	const struct foreign *t;
	uint32_t count;  /* nodes */
	int64_t *self;   /* by node, nanoseconds or amounts, not negative; 0 of threads that are not selected */
	int64_t *calls;  /* by node: entries */
};

/* False: out of memory. */
bool foreign_sums_init(struct foreign_sums *s, struct foreign *t);
void foreign_sums_fini(struct foreign_sums *s);

/* The zone of a node. */
static inline uint32_t foreign_zone(const struct foreign_sums *s, uint32_t node)
{
	return s->t->profile->nodes[node].zone;
}

/* The node is a stack that has something to be told. */
static inline bool foreign_has(const struct foreign_sums *s, uint32_t node)
{
	return s->self[node] || s->calls[node];
}

/* Nodes from this one up to below the root into `out`, which foreign_stack_room made; of a root itself that. Returns how
 * many. */
uint32_t foreign_stack(const struct profile *p, uint32_t node, uint32_t *out);

/* As much as the deepest of so many nodes needs. NULL: out of memory. */
uint32_t *foreign_stack_room(struct foreign *t, uint32_t nodes);

void foreign_say_incomplete(struct foreign *t);

/* The key and the unit of what is summed up; of time `ns`. */
static inline const struct profile_measure *foreign_measure(const struct foreign *t)
{
	return &t->profile->measures[t->values->measure];
}

static inline bool foreign_is_time(const struct foreign *t)
{
	return t->values->measure == MEASURE_SELF;
}

#endif

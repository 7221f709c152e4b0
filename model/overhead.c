/* SPDX-License-Identifier: MIT */
#include "model/overhead.h"

#include <stdlib.h>

#include "model/array.h"

double overhead_pair(const struct profile *p)
{
	double ticks = p->process.pair_ns * 1e-9 * (double)p->ticks_per_s;

	return ticks > 0 ? ticks : 0;
}

bool overhead_is_much(double pair, double entries, double ticks)
{
	return pair > 0 && entries > 0 && pair * entries > OVERHEAD_MUCH * (ticks > 0 ? ticks : 0);
}

/* By node: entries of it and of those right below it. NULL: out of memory. */
static double *entries_of(const struct values *v, const struct profile *p)
{
	double *entries = array_zeroed(v->node_count, sizeof(*entries));

	for (uint32_t i = 0; entries && i < v->node_count; i++) {
		uint32_t parent = p->nodes[i].parent;

		if (v->count[i] <= 0 || parent == PROFILE_NONE)
			continue;
		entries[i] += (double)v->count[i];
		entries[parent] += (double)v->count[i];
	}
	return entries;
}

/* What may be taken off a node. */
static int64_t most_of(const struct values *v, const struct profile *p, uint32_t node)
{
	const struct profile_node *n = &p->nodes[node];
	int64_t most = v->self[node];

	if (n->parent == PROFILE_NONE && n->thread < v->thread_count && v->idle[n->thread] > 0)
		most -= v->idle[n->thread];
	return most > 0 ? most : 0;
}

static int64_t at_most(double ticks, int64_t most)
{
	return ticks < (double)most ? (int64_t)ticks : most;
}

bool overhead_subtract(struct values *v, const struct profile *p)
{
	double half = overhead_pair(p) / 2, *entries;

	if (half <= 0 || v->less_overhead)
		return true;
	entries = entries_of(v, p);
	if (!entries)
		return false;
	for (uint32_t i = 0; i < v->node_count; i++) {
		double cost = entries[i] * half;
		int64_t taken = at_most(cost, most_of(v, p, i));

		v->self[i] -= taken;
		v->time[p->nodes[i].thread] -= taken;
		v->overhead += (double)taken;
		v->overhead_left += cost - (double)taken;
	}
	v->less_overhead = true;
	free(entries);
	return true;
}

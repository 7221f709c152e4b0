/* SPDX-License-Identifier: MIT */
#include "model/query/overhead.h"

#include <stdlib.h>

#include "model/base/array.h"

static double ticks_of(const struct profile *p, double ns)
{
	double ticks = ns * 1e-9 * (double)p->ticks_per_s;

	return ticks > 0 ? ticks : 0;
}

double overhead_pair(const struct profile *p)
{
	return ticks_of(p, p->process.pair_ns);
}

double overhead_pair_cold(const struct profile *p)
{
	double cold = p->process.pair_cold_ns;

	return cold >= 1.1 * p->process.pair_ns ? ticks_of(p, cold) : 0;
}

void overhead_share(const struct values *v, const struct profile *p, uint32_t threads, double *entries, double *busy)
{
	*entries = *busy = 0;
	for (uint32_t i = 0; i < v->node_count && i < p->node_count; i++) {
		const struct profile_node *node = &p->nodes[i];
		bool root = node->parent == PROFILE_NONE;

		if (!profile_selects(p, threads, node->thread))
			continue;
		*entries += root ? 0 : (double)v->count[i];
		*busy += p->zones[node->zone].flags & ZONE_WAITING ? 0 : (double)v->self[i];
		*busy -= root && profile_merges(threads) ? (double)v->idle[node->thread] : 0;
	}
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

/* The most that may be subtracted from a node. */
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

	if (half <= 0 || v->less_overhead || v->measure != MEASURE_SELF)
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

/* SPDX-License-Identifier: MIT */
#include "model/report/flat.h"

#include "model/base/array.h"

/* The nodes of a thread follow one another in keys->order, so a row has to remember only the
 * last thread that it counted. */
static void count_thread(struct flat_row *row, uint32_t *last, uint32_t thread)
{
	row->threads += *last != thread;
	*last = thread;
}

static void add_node(struct flat_row *row, const struct values *v, uint32_t node)
{
	row->present = true;
	row->self += v->self[node];
	row->count += v->count[node];
	if (v->longest[node] > row->longest)
		row->longest = v->longest[node];
}

/* `below` is by node: self of it and of all below it; parents stand before their children. */
static void sum_below(const struct profile *p, const struct values *v, int64_t *below)
{
	for (uint32_t i = v->node_count; i-- > 0;) {
		below[i] += v->self[i];
		if (p->nodes[i].parent != PROFILE_NONE)
			below[p->nodes[i].parent] += below[i];
	}
}

struct flat_row *flat_make(const struct profile *p, const struct keys *k, const struct values *v,
			   uint32_t thread)
{
	struct flat_row *rows = array_zeroed(k->count, sizeof(*rows));
	int64_t *below = array_zeroed(v->node_count, sizeof(*below));
	uint32_t *last = array_zeroed(k->count, sizeof(*last)); /* 1 + thread */

	if (!rows || !below || !last) {
		free(rows);
		rows = NULL;
		goto out;
	}
	sum_below(p, v, below);
	for (uint32_t i = 0; i < k->node_count; i++) {
		uint32_t node = k->order[i];
		struct flat_row *row = &rows[k->of_node[node]];

		if (node >= v->node_count || !profile_selects(p, thread, p->nodes[node].thread))
			continue;
		add_node(row, v, node);
		if (!keys_outermost(k, node))
			continue;
		row->hier += below[node];
		if (below[node])
			count_thread(row, &last[k->of_node[node]], p->nodes[node].thread + 1);
	}
out:
	free(below);
	free(last);
	return rows;
}

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

struct flat_row *flat_make(const struct profile *p, const struct keys *k, const struct values *v,
			   uint32_t thread)
{
	struct flat_row *rows = array_zeroed(k->count, sizeof(*rows));
	int64_t *below = reallocarray(NULL, v->node_count + 1ull, sizeof(*below)); /* by node: self of it and of all below it */
	uint32_t *last = array_zeroed(k->count, sizeof(*last)); /* 1 + thread */
	uint32_t end, first = keys_nodes(k, p, thread, &end);

	if (!rows || !below || !last) {
		free(rows);
		rows = NULL;
		goto out;
	}
	for (uint32_t i = first; i < end; i++)
		if (k->order[i] < v->node_count)
			below[k->order[i]] = v->self[k->order[i]];
	for (uint32_t i = end; i-- > first;) { /* children before their parents */
		uint32_t node = k->order[i];
		struct flat_row *row = &rows[k->of_node[node]];

		if (node >= v->node_count || !profile_selects(p, thread, p->nodes[node].thread))
			continue;
		if (p->nodes[node].parent != PROFILE_NONE)
			below[p->nodes[node].parent] += below[node];
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

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

bool flat_init(struct flat *f, const struct keys *k, const struct values *v)
{
	*f = (struct flat){ .rows = array_zeroed(k->count, sizeof(*f->rows)),
			    .keys = reallocarray(NULL, k->count + 1ull, sizeof(*f->keys)),
			    .below = reallocarray(NULL, v->node_count + 1ull, sizeof(*f->below)),
			    .last = array_zeroed(k->count, sizeof(*f->last)) };
	if (f->rows && f->keys && f->below && f->last)
		return true;
	flat_fini(f);
	return false;
}

void flat_fini(struct flat *f)
{
	free(f->rows);
	free(f->keys);
	free(f->below);
	free(f->last);
	*f = (struct flat){ 0 };
}

static void clear_rows(struct flat *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		f->rows[f->keys[i]] = (struct flat_row){ 0 };
		f->last[f->keys[i]] = 0;
	}
	f->count = 0;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* A few keys are sorted. If many of all keys have a row, it is quicker to look
 * at each key. */
static void sort_keys(struct flat *f, uint32_t all)
{
	if (f->count < all / 16) {
		qsort(f->keys, f->count, sizeof(*f->keys), by_number);
		return;
	}
	f->count = 0;
	for (uint32_t key = 0; key < all; key++)
		if (f->rows[key].present)
			f->keys[f->count++] = key;
}

void flat_sum(struct flat *f, const struct profile *p, const struct keys *k, const struct values *v, uint32_t thread)
{
	uint32_t end, first = keys_nodes(k, p, thread, &end);
	int64_t *below = f->below; /* by node: self of it and of all below it */

	clear_rows(f);
	for (uint32_t i = first; i < end; i++)
		if (k->order[i] < v->node_count)
			below[k->order[i]] = v->self[k->order[i]];
	for (uint32_t i = end; i-- > first;) { /* children before their parents */
		uint32_t node = k->order[i];
		struct flat_row *row = &f->rows[k->of_node[node]];

		if (node >= v->node_count || !profile_selects(p, thread, p->nodes[node].thread))
			continue;
		if (p->nodes[node].parent != PROFILE_NONE)
			below[p->nodes[node].parent] += below[node];
		if (!row->present)
			f->keys[f->count++] = k->of_node[node];
		add_node(row, v, node);
		if (!keys_outermost(k, node))
			continue;
		row->hier += below[node];
		if (below[node])
			count_thread(row, &f->last[k->of_node[node]], p->nodes[node].thread + 1);
	}
	sort_keys(f, k->count);
}

struct flat_row *flat_make(const struct profile *p, const struct keys *k, const struct values *v,
			   uint32_t thread)
{
	struct flat f;
	struct flat_row *rows;

	if (!flat_init(&f, k, v))
		return NULL;
	flat_sum(&f, p, k, v, thread);
	rows = f.rows;
	f.rows = NULL;
	flat_fini(&f);
	return rows;
}

/* SPDX-License-Identifier: MIT */
#include "model/tally.h"

#include <string.h>

#include "model/array.h"

/* What is not of this frame has another stamp, and counts as 0: so nothing has to be cleared. */
struct tally_node {
	uint32_t stamp;
	uint32_t open;  /* nodes right below it that are not summed up yet; SETTLED: it is itself */
	int64_t below;  /* self of it and of what is below it */
};

struct tally_key {
	uint32_t stamp;
	uint32_t row;
};

struct tally_store {
	uint32_t stamp;
	struct tally_node *nodes;
	uint32_t node_count;
	uint32_t node_capacity;
	struct tally_key *keys;
	uint32_t key_count;
	uint32_t key_capacity;
	uint32_t row_capacity;
	uint32_t *touched; /* nodes of this frame */
	uint32_t touched_count;
	uint32_t touched_capacity;
};

#define SETTLED UINT32_MAX

bool tally_init(struct tally *t)
{
	*t = (struct tally){ .store = calloc(1, sizeof(*t->store)) };
	return t->store;
}

void tally_fini(struct tally *t)
{
	if (t->store) {
		free(t->store->nodes);
		free(t->store->keys);
		free(t->store->touched);
	}
	free(t->store);
	free(t->rows);
	*t = (struct tally){ 0 };
}

bool tally_reserve(struct tally *t, const struct keys *k)
{
	struct tally_store *s = t->store;

	if (!array_reserve(&s->nodes, &s->node_capacity, k->node_count, sizeof(*s->nodes)) ||
	    !array_reserve(&s->touched, &s->touched_capacity, k->node_count,
			   sizeof(*s->touched)) ||
	    !array_reserve(&s->keys, &s->key_capacity, k->count, sizeof(*s->keys)) ||
	    !array_reserve(&t->rows, &s->row_capacity, k->count, sizeof(*t->rows)))
		return false;
	for (; s->node_count < k->node_count; s->node_count++)
		s->nodes[s->node_count] = (struct tally_node){ 0 };
	for (; s->key_count < k->count; s->key_count++)
		s->keys[s->key_count] = (struct tally_key){ 0 };
	return true;
}

static void tally_begin(struct tally *t)
{
	struct tally_store *s = t->store;

	t->count = 0;
	s->touched_count = 0;
	if (++s->stamp)
		return;
	memset(s->nodes, 0, s->node_count * sizeof(*s->nodes));
	memset(s->keys, 0, s->key_count * sizeof(*s->keys));
	s->stamp = 1;
}

static struct tally_row *row_of(struct tally *t, uint32_t key)
{
	struct tally_key *known = &t->store->keys[key];

	if (known->stamp != t->store->stamp) {
		*known = (struct tally_key){ t->store->stamp, t->count };
		t->rows[t->count++] = (struct tally_row){ .key = key };
	}
	return &t->rows[known->row];
}

/* Takes in a node and those above it, up to one that is there already. */
static void touch(struct tally_store *s, const struct profile *p, uint32_t node)
{
	uint32_t open = 0;

	while (node != PROFILE_NONE) {
		struct tally_node *n = &s->nodes[node];

		if (n->stamp == s->stamp) {
			n->open += open;
			return;
		}
		*n = (struct tally_node){ s->stamp, open, 0 };
		s->touched[s->touched_count++] = node;
		open = 1;
		node = p->nodes[node].parent;
	}
}

static void add_part(struct tally *t, const struct profile *p, const struct scope *scope,
		     const struct profile_part *part)
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		const struct profile_cell *cell = &part->cells[i];

		if (!cell->self || cell->node >= scope->keys->node_count ||
		    (scope->members && !scope->members[cell->node]))
			continue;
		touch(t->store, p, cell->node);
		t->store->nodes[cell->node].below += cell->self;
		row_of(t, scope->keys->of_node[cell->node])->value[MEASURE_SELF] += cell->self;
	}
}

/* Sums up a node below which nothing is open, and then those above that waited for it alone. */
static void settle(struct tally *t, const struct profile *p, const struct keys *k, uint32_t node)
{
	struct tally_node *nodes = t->store->nodes;

	while (node != PROFILE_NONE && !nodes[node].open) {
		uint32_t parent = p->nodes[node].parent;

		nodes[node].open = SETTLED;
		if (keys_outermost(k, node))
			row_of(t, k->of_node[node])->value[MEASURE_HIER] += nodes[node].below;
		if (parent != PROFILE_NONE) {
			nodes[parent].below += nodes[node].below;
			nodes[parent].open--;
		}
		node = parent;
	}
}

void tally_frame(struct tally *t, const struct profile *p, const struct scope *scope,
		 const struct profile_frame *frame)
{
	tally_begin(t);
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (profile_selects(p, scope->threads, frame->parts[i].thread))
			add_part(t, p, scope, &frame->parts[i]);
	for (uint32_t i = 0; i < t->store->touched_count; i++)
		settle(t, p, scope->keys, t->store->touched[i]);
}

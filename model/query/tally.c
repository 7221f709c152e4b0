/* SPDX-License-Identifier: MIT */
#include "model/query/tally.h"

#include <string.h>

#include "model/base/array.h"

/* A node whose stamp is of another frame counts as 0, so nothing has to be cleared. */
struct tally_node {
	int64_t below;  /* self of it and of what is below it */
	uint32_t stamp;
	uint32_t open;  /* nodes right below it that are not summed up yet; SETTLED: it is itself */
	uint32_t parent; /* these two stand here so that a node is in one place of memory */
	uint32_t key;    /* with INNER: its key stands in its path before it */
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
	uint32_t row_capacity, calls_capacity;
	uint32_t *touched; /* nodes of this frame */
	uint32_t touched_count;
	uint32_t touched_capacity;
};

#define SETTLED UINT32_MAX
#define INNER UINT32_C(0x80000000)

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
	free(t->calls);
	*t = (struct tally){ 0 };
}

static struct tally_node node_of(const struct profile *p, const struct keys *k, uint32_t node)
{
	return (struct tally_node){ .parent = p->nodes[node].parent,
				    .key = k->of_node[node] |
					   (keys_outermost(k, node) ? 0 : INNER) };
}

bool tally_reserve(struct tally *t, const struct profile *p, const struct keys *k)
{
	struct tally_store *s = t->store;

	if (!array_reserve(&s->nodes, &s->node_capacity, k->node_count, sizeof(*s->nodes)) ||
	    !array_reserve(&s->touched, &s->touched_capacity, k->node_count,
			   sizeof(*s->touched)) ||
	    !array_reserve(&s->keys, &s->key_capacity, k->count, sizeof(*s->keys)) ||
	    !array_reserve(&t->rows, &s->row_capacity, k->count, sizeof(*t->rows)) ||
	    !array_reserve(&t->calls, &s->calls_capacity, k->count, sizeof(*t->calls)))
		return false;
	for (; s->node_count < k->node_count; s->node_count++)
		s->nodes[s->node_count] = node_of(p, k, s->node_count);
	for (; s->key_count < k->count; s->key_count++)
		s->keys[s->key_count] = (struct tally_key){ 0 };
	return true;
}

uint64_t tally_cost(const struct profile_frame *frame)
{
	uint64_t cells = 0;

	for (uint32_t i = 0; i < frame->part_count; i++)
		cells += frame->parts[i].cell_count;
	return cells;
}

static void tally_begin(struct tally *t)
{
	struct tally_store *s = t->store;

	t->count = 0;
	s->touched_count = 0;
	if (++s->stamp)
		return;
	for (uint32_t i = 0; i < s->node_count; i++)
		s->nodes[i].stamp = 0;
	memset(s->keys, 0, s->key_count * sizeof(*s->keys));
	s->stamp = 1;
}

static struct tally_row *row_of(struct tally *t, uint32_t key)
{
	struct tally_key *known = &t->store->keys[key];

	if (known->stamp != t->store->stamp) {
		*known = (struct tally_key){ t->store->stamp, t->count };
		t->calls[t->count] = (struct tally_calls){ 0 };
		t->rows[t->count++] = (struct tally_row){ .key = key };
	}
	return &t->rows[known->row];
}

/* Takes in a node and those above it, up to one that is there already. */
static void touch_node(struct tally_store *s, uint32_t node)
{
	uint32_t open = 0;

	while (node != PROFILE_NONE) {
		struct tally_node *n = &s->nodes[node];

		if (n->stamp == s->stamp) {
			n->open += open;
			return;
		}
		n->stamp = s->stamp;
		n->open = open;
		n->below = 0;
		s->touched[s->touched_count++] = node;
		open = 1;
		node = n->parent;
	}
}

static void add_part(struct tally *t, const struct profile *p, const struct scope *scope, const struct profile_held *part)
{
	struct measure_amounts amounts = profile_amounts(p, part, scope->measure);
	struct tally_store *s = t->store;

	for (uint32_t i = 0; i < amounts.count; i++) {
		struct measure_amount amount = measure_amount(&amounts, i);

		if (!amount.value || amount.node >= s->node_count ||
		    (scope->members && !scope->members[amount.node]))
			continue;
		touch_node(s, amount.node);
		s->nodes[amount.node].below += amount.value;
		row_of(t, s->nodes[amount.node].key & ~INNER)->value[EXTENT_SELF] += amount.value;
	}
	t->usual = t->usual && amounts.known;
}

/* Sums up a node below which nothing is open, and then those above that waited for it alone. */
static void settle_node(struct tally *t, uint32_t node)
{
	struct tally_node *nodes = t->store->nodes;

	while (node != PROFILE_NONE && !nodes[node].open) {
		struct tally_node *n = &nodes[node];

		n->open = SETTLED;
		if (!(n->key & INNER))
			row_of(t, n->key)->value[EXTENT_HIER] += n->below;
		node = n->parent;
		if (node != PROFILE_NONE) {
			nodes[node].below += n->below;
			nodes[node].open--;
		}
	}
}

static void add_calls(struct tally *t, const struct scope *scope, const struct profile_held *part)
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		struct tally_calls *calls;

		if (cell.node >= t->store->node_count || (scope->members && !scope->members[cell.node]))
			continue;
		calls = &t->calls[row_of(t, t->store->nodes[cell.node].key & ~INNER) - t->rows];
		calls->count += cell.count;
		if (cell.longest > calls->longest)
			calls->longest = cell.longest;
	}
}

void tally_frame(struct tally *t, const struct profile *p, const struct scope *scope,
		 const struct profile_frame *frame)
{
	uint32_t count;
	const struct profile_held *parts = frame_parts(frame, scope->threads, &count);

	tally_begin(t);
	t->usual = frame_counts_for(p, frame, scope->threads);
	for (uint32_t i = 0; i < count; i++)
		if (profile_selects(p, scope->threads, parts[i].thread))
			add_part(t, p, scope, &parts[i]);
	for (uint32_t i = 0; i < t->store->touched_count; i++)
		settle_node(t, t->store->touched[i]);
	for (uint32_t i = 0; i < count && scope->calls; i++)
		if (profile_selects(p, scope->threads, parts[i].thread))
			add_calls(t, scope, &parts[i]);
}

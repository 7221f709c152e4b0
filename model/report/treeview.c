/* SPDX-License-Identifier: MIT */
#include "model/report/treeview.h"


#include "model/base/array.h"
#include "model/base/lookup.h"

/* Rows are first made in the order in which paths are met, parent before child, which leaves the
 * subtrees of several threads mixed; then they are put in order. */
struct building {
	struct treeview_row *rows;
	uint32_t *last_thread; /* by row: 1 + the thread counted last */
	uint32_t count, capacity;
	struct lookup lookup; /* by {parent row, key} */
	uint32_t *row_of;     /* by node */
};

struct branch {
	uint32_t parent;
	uint32_t key;
};

static bool same_branch(const void *context, uint32_t index, const void *wanted)
{
	const struct treeview_row *row = &((const struct building *)context)->rows[index];
	const struct branch *branch = wanted;

	return row->parent == branch->parent && row->key == branch->key;
}

/* There is a lookup for every node of a report: numbers are mixed as words, not as bytes. */
static uint32_t branch_hash(uint32_t parent, uint32_t key)
{
	uint64_t mixed = ((uint64_t)parent << 32 | key) * UINT64_C(0x9E3779B97F4A7C15);

	return (uint32_t)(mixed >> 32) ^ (uint32_t)(mixed >> 15);
}

static void building_fini(struct building *b)
{
	free(b->rows);
	free(b->last_thread);
	free(b->row_of);
	lookup_fini(&b->lookup);
}

static bool building_init(struct building *b, const struct profile *p)
{
	*b = (struct building){ 0 };
	b->row_of = reallocarray(NULL, p->node_count + 1ull, sizeof(*b->row_of));
	return b->row_of;
}

/* The row of a path, made when it is new; PROFILE_NONE: out of memory. */
static uint32_t row_of_path(struct building *b, uint32_t parent, uint32_t key)
{
	struct branch branch = { parent, key };
	uint32_t hash = branch_hash(parent, key);
	uint32_t row = lookup_find(&b->lookup, hash, same_branch, b, &branch);

	if (row != LOOKUP_NONE)
		return row;
	if (!lookup_reserve(&b->lookup) ||
	    !array_reserve(&b->rows, &b->capacity, (uint64_t)b->count + 1, sizeof(*b->rows)))
		return PROFILE_NONE;
	lookup_add(&b->lookup, hash, b->count);
	b->rows[b->count] = (struct treeview_row){ .parent = parent, .key = key };
	if (parent != PROFILE_NONE) {
		b->rows[b->count].level = b->rows[parent].level + 1;
		b->rows[parent].children++;
	}
	return b->count++;
}

static bool add_node(struct building *b, const struct profile *p, const struct keys *k,
		     const struct values *v, uint32_t node)
{
	uint32_t parent = p->nodes[node].parent;
	uint32_t row = row_of_path(b, parent == PROFILE_NONE ? PROFILE_NONE : b->row_of[parent],
				   k->of_node[node]);
	struct treeview_row *r;

	if (row == PROFILE_NONE)
		return false;
	b->row_of[node] = row;
	r = &b->rows[row];
	r->self += v->self[node];
	r->count += v->count[node];
	if (v->longest[node] > r->longest)
		r->longest = v->longest[node];
	return true;
}

/* A thread is counted in the row of each node with time of its own, and in all rows above it; a
 * row that has it already has it all the way up. */
static void count_thread(struct building *b, const struct profile *p, uint32_t node)
{
	uint32_t thread = p->nodes[node].thread + 1;
	uint32_t row = b->row_of[node];

	while (row != PROFILE_NONE && b->last_thread[row] != thread) {
		b->last_thread[row] = thread;
		b->rows[row].threads++;
		row = b->rows[row].parent;
	}
}

static bool has_any(const struct values *v, uint32_t node)
{
	return v && node < v->node_count && (v->self[node] || v->count[node]);
}

/* The rows of a stack that is read from its end, each of which has its entries. */
static bool add_node_up(struct building *b, const struct profile *p, const struct keys *k, const struct values *v,
			uint32_t node)
{
	uint32_t row = row_of_path(b, PROFILE_NONE, PROFILE_NO_ZONE);

	for (uint32_t n = node; row != PROFILE_NONE && p->nodes[n].parent != PROFILE_NONE; n = p->nodes[n].parent) {
		row = row_of_path(b, row, k->of_node[n]);
		if (row != PROFILE_NONE)
			b->rows[row].count += v->count[node];
	}
	if (row == PROFILE_NONE)
		return false;
	b->row_of[node] = row;
	b->rows[row].self += v->self[node];
	return true;
}

/* What a tree is made of. */
struct source {
	const struct profile *p;
	const struct keys *k;
	const struct values *v, *also;
	uint32_t thread;
	bool up;
};

static bool is_in(const struct source *s, uint32_t node)
{
	return node < s->v->node_count && profile_selects(s->p, s->thread, s->p->nodes[node].thread) &&
	       (!s->up || s->p->nodes[node].parent == PROFILE_NONE || has_any(s->v, node) || has_any(s->also, node));
}

static bool build_tree(struct building *b, const struct source *s)
{
	uint32_t end, first = keys_nodes(s->k, s->p, s->thread, &end);

	for (uint32_t i = first; i < end; i++) {
		uint32_t node = s->k->order[i];

		if (is_in(s, node) && !(s->up ? add_node_up(b, s->p, s->k, s->v, node) : add_node(b, s->p, s->k, s->v, node)))
			return false;
	}
	b->last_thread = array_zeroed(b->count, sizeof(*b->last_thread));
	for (uint32_t i = first; i < end && b->last_thread; i++)
		if (is_in(s, s->k->order[i]) && s->v->self[s->k->order[i]])
			count_thread(b, s->p, s->k->order[i]);
	for (uint32_t i = b->count; i-- > 0;) {
		b->rows[i].hier += b->rows[i].self;
		if (b->rows[i].parent != PROFILE_NONE)
			b->rows[b->rows[i].parent].hier += b->rows[i].hier;
	}
	return b->last_thread;
}

/* The place of each row when subtrees stand whole: behind its parent and behind the subtrees of
 * those of its parent's children that were met before it. */
static bool places_find(const struct building *b, uint32_t *place)
{
	uint32_t *size = array_zeroed(b->count, sizeof(*size)); /* of the subtree */
	uint32_t *next = array_zeroed(b->count, sizeof(*next)); /* where its next child goes */

	bool there = size && next;

	if (there) {
		for (uint32_t i = b->count; i-- > 0;) {
			size[i]++;
			if (b->rows[i].parent != PROFILE_NONE)
				size[b->rows[i].parent] += size[i];
		}
		for (uint32_t i = 0; i < b->count; i++) {
			uint32_t parent = b->rows[i].parent;

			place[i] = parent == PROFILE_NONE ? 0 : next[parent];
			next[i] = place[i] + 1;
			if (parent != PROFILE_NONE)
				next[parent] += size[i];
		}
	}
	free(size);
	free(next);
	return there;
}

static struct treeview *tree_in_order(const struct building *b)
{
	struct treeview *t = calloc(1, sizeof(*t));
	uint32_t *place = array_zeroed(b->count, sizeof(*place));

	if (t)
		t->rows = array_zeroed(b->count, sizeof(*t->rows));
	if (!t || !t->rows || !place || !places_find(b, place)) {
		free(place);
		treeview_free(t);
		return NULL;
	}
	t->count = b->count;
	for (uint32_t i = 0; i < b->count; i++) {
		t->rows[place[i]] = b->rows[i];
		if (b->rows[i].parent != PROFILE_NONE)
			t->rows[place[i]].parent = place[b->rows[i].parent];
	}
	free(place);
	return t;
}

static struct treeview *make_tree(const struct source *s)
{
	struct treeview *t = NULL;
	struct building b;

	if (!building_init(&b, s->p))
		return NULL;
	if (build_tree(&b, s))
		t = tree_in_order(&b);
	building_fini(&b);
	return t;
}

struct treeview *treeview_make(const struct profile *p, const struct keys *k,
			       const struct values *v, uint32_t thread)
{
	return make_tree(&(struct source){ .p = p, .k = k, .v = v, .thread = thread });
}

struct treeview *treeview_make_up(const struct profile *p, const struct keys *k, const struct values *v,
				  const struct values *also, uint32_t thread)
{
	return make_tree(&(struct source){ .p = p, .k = k, .v = v, .also = also, .thread = thread, .up = true });
}

void treeview_free(struct treeview *t)
{
	if (!t)
		return;
	free(t->rows);
	free(t);
}

/* node.c: the tree of zone stacks of one thread.
 *
 * A node is found by (parent, zone): first in the parent's cache, in the hot path, then in the thread's hash
 * table here.  The cache begins with eight places and has at least as many as there are children, or twice as
 * many where their zones' ids meet in one place, or 64: so a parent with thousands of children is as fast as one with
 * one, and one with two whose ids are eight apart.  Nodes are made once and stay; a block that changes hands keeps its tree.
 */
#include "libprof/libprof_inside.h"

#include <string.h>

#define MAX_DEPTH  2048
#define SLAB_BYTES 65536u
#define FIRST_ROOM 128u
#define FIRST_KIDS 8u
#define FEW_KIDS   64u /* ids of few are kept apart by so many places, where they need them */
#define KIDS_A_LINE ((uint32_t)(sizeof(struct node) / sizeof(struct node *))) /* places, of a node's size */
#define LARGE_KIDS  2048u /* as many have pages of their own, given back when they grow */

static struct node no_node = { .zone = UINT32_MAX }; /* its zone is none's */
static struct node *no_kids[1] = { &no_node };

/* ---- the thread's table: open addressing, twice as many places as nodes.  When it is full it is made anew, and
 * what the old one has comes over a few places at a time, so that no zone waits for thousands of others. */
#define MOVED_AT_ONCE 4u /* at least 2: then all is moved before the new one is full */

static uint32_t place_of(const struct node *parent, uint32_t zone, uint32_t mask)
{
	uint64_t key = ((uint64_t)parent->id << 32 | zone) * 0x9e3779b97f4a7c15ull;

	return (uint32_t)(key >> 32) & mask;
}

static struct node *find_in(struct node *const *table, uint32_t mask, const struct node *parent, uint32_t zone)
{
	for (uint32_t i = place_of(parent, zone, mask); table[i]; i = (i + 1) & mask)
		if (table[i]->parent == parent && table[i]->zone == zone)
			return table[i];
	return NULL;
}

static struct node *find_node(const struct thread *t, const struct node *parent, uint32_t zone)
{
	struct node *n = find_in(t->table, t->node_room * 2 - 1, parent, zone);

	return n || !t->old_table ? n : find_in(t->old_table, t->node_room - 1, parent, zone);
}

static void insert_node(struct thread *t, struct node *n)
{
	uint32_t mask = t->node_room * 2 - 1, i = place_of(n->parent, n->zone, mask);

	while (t->table[i])
		i = (i + 1) & mask;
	t->table[i] = n;
}

/* The old table has as many places as there is room now.  What is moved stays in it, too. */
static void move_some(struct thread *t, uint32_t places)
{
	for (; t->old_table && places; places--) {
		struct node *n = t->old_table[t->old_moved++];
		if (n)
			insert_node(t, n);
		if (t->old_moved < t->node_room)
			continue;
		prof__pages_free(t->old_table);
		t->old_table = NULL;
	}
}

/* The table and the dirty list, which is behind it, always have room for one node more than there are. */
static bool grow_table(struct thread *t)
{
	uint32_t room = t->node_room ? t->node_room * 2 : FIRST_ROOM;
	struct node **pages;

	move_some(t, MOVED_AT_ONCE);
	if (t->node_count < t->node_room)
		return true;
	pages = prof__pages((size_t)room * 3 * sizeof *pages); /* 2 x table, then the dirty list */
	if (!pages)
		return false;
	if (t->dirty_count)
		memcpy(pages + 2 * room, t->dirty, t->dirty_count * sizeof *pages);
	t->dirty = pages + 2 * room;
	t->old_table = t->table;
	t->old_moved = 0;
	t->table = pages;
	t->node_room = room;
	return true;
}

static struct region_node_chunk *shared_chunk(struct thread *t, struct process *p)
{
	uint32_t index = t->node_count % CHUNK_NODES;

	if (index == 0) {
		uint32_t chunk = prof__chunk_claim(p, CHUNK_FOR_NODES, 0);
		if (!chunk)
			return NULL;
		struct region_node_chunk *fresh = (struct region_node_chunk *)&p->chunks[chunk - 1];
		memset((void *)fresh, 0, sizeof *fresh);
		p->newer[chunk - 1] = t->node_chunk; /* of node chunks: 1 + the one before */
		WORD_STORE(fresh->link, t->node_chunk);
		WORD_STORE(fresh->seq, t->node_count / CHUNK_NODES);
		WORD_RELEASE(t->block->node_chunk, chunk);
		t->node_chunk = chunk;
	}
	return (struct region_node_chunk *)&p->chunks[t->node_chunk - 1];
}

/* Private memory of so many nodes' size, which is the caller's when t->slab has gone past it. */
static struct node *private_lines(struct thread *t, uint32_t count)
{
	if ((size_t)(t->slab_end - t->slab) < count) {
		struct node *slab = prof__pages(SLAB_BYTES);
		if (!slab)
			return NULL;
		t->slab = slab;
		t->slab_end = slab + SLAB_BYTES / sizeof *slab;
	}
	return t->slab;
}

/* ---- the cache of a node's children */

static struct node **kid_places(struct thread *t, uint32_t count)
{
	struct node *lines;

	if (count >= LARGE_KIDS)
		return prof__pages(count * sizeof(struct node *));
	lines = private_lines(t, count / KIDS_A_LINE);
	if (lines)
		t->slab += count / KIDS_A_LINE;
	return (struct node **)(void *)lines;
}

/* The new one is empty: children come into it as they are entered. */
static void grow_kids(struct thread *t, struct node *parent)
{
	uint32_t room = parent->kid_mask + 1, count = room < FIRST_KIDS ? FIRST_KIDS : room * 2;
	struct node **kid = kid_places(t, count), **old = parent->kid;

	if (!kid)
		return;
	for (uint32_t i = 0; i < count; i++)
		kid[i] = &no_node;
	parent->kid = kid;
	parent->kid_mask = count - 1;
	if (room >= LARGE_KIDS)
		prof__pages_free(old);
}

static void remember_child(struct thread *t, struct node *parent, struct node *n)
{
	struct node *there = parent->kid[n->zone & parent->kid_mask];
	uint32_t room = parent->kid_mask + 1;

	if (parent->kid == no_kids || (there != &no_node && (parent->kids > room / 2 || room < FEW_KIDS)))
		grow_kids(t, parent);
	if (parent->kid != no_kids)
		parent->kid[n->zone & parent->kid_mask] = n;
}

/* ---- making one */

static struct node *refuse_node(struct thread *t, enum region_loss cause)
{
	t->skip_cause = cause;
	return NULL;
}

static struct node *make_node(struct thread *t, struct node *parent, uint32_t zone)
{
	struct process *p = prof__process;
	struct node *n = private_lines(t, 1);

	if (t->node_count == EVENT_NODES_MOST)
		return refuse_node(t, LOSS_NODE_ROOM);
	if (!n || !grow_table(t))
		return refuse_node(t, LOSS_MEMORY);
	struct region_node_chunk *chunk = shared_chunk(t, p);
	if (!chunk)
		return refuse_node(t, LOSS_NODE_ROOM);
	t->slab++;
	n->shared = &chunk->nodes[t->node_count % CHUNK_NODES];
	n->parent = parent;
	n->kid = no_kids;
	n->zone = zone;
	n->id = t->node_count;
	n->what = event_what(0, n->id);
	n->depth = parent ? parent->depth + 1 : 0;
	WORD_STORE(n->shared->longest, NODE_NOT_LEFT);
	WORD_STORE(n->shared->place, (parent ? parent->id : 0) | (uint64_t)zone << 32);
	WORD_STORE(chunk->ended[t->node_count % CHUNK_NODES].born, t->epoch);
	t->node_count++;
	if (parent) {
		parent->kids++;
		insert_node(t, n);
		if (p->zones[zone - 1].flags & REGION_ZONE_WAITING) {
			n->waits = 1;
			t->cpu.has_waits = true;
		}
	}
	WORD_RELEASE(t->block->nodes, t->node_count);
	return n;
}

struct node *prof__node_known_child(const struct thread *t, const struct node *parent, uint32_t id)
{
	return find_node(t, parent, id);
}

cold struct node *prof__node_beside(struct thread *t, struct node *parent, uint32_t id)
{
	struct node *n = find_node(t, parent, id);

	if (n)
		return n;
	return parent->depth >= MAX_DEPTH ? refuse_node(t, LOSS_TOO_DEEP) : make_node(t, parent, id);
}

cold struct node *prof__node_child_of(struct thread *t, struct node *parent, uint32_t id)
{
	struct node *n = prof__node_beside(t, parent, id);

	if (n)
		remember_child(t, parent, n);
	return n;
}

cold struct node *prof__node_child(struct thread *t, struct node *parent, Prof_zone *zone)
{
	struct process *p = prof__process;
	uint32_t id = __atomic_load_n(&zone->id, __ATOMIC_RELAXED);

	if (unlikely(!known_zone(p, id)))
		id = prof__zone_id(p, zone);
	if (!id)
		return refuse_node(t, prof__registry_refused(LOSS_ZONE_ROOM));
	return prof__node_child_of(t, parent, id);
}

struct node *prof__node_root(struct thread *t)
{
	return t->root ? t->root : (t->root = make_node(t, NULL, REGION_NO_ZONE));
}

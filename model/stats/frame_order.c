/* SPDX-License-Identifier: MIT */
/*
 * frame_order: a search tree in which each entry knows how many are below it, balanced by these numbers (Adams 1992;
 * the bounds 3 and 2 are those that Hirai and Yamamoto proved in 2011).
 *
 * Frames come with ascending numbers and leave at the front, so the entries stand in a ring:
 *
 *     entries   [0]  [1] ...                        [capacity]
 *               nil       ^first      ^first + count - 1      by number, links among them by length
 *
 * Entry 0 stands for no entry: it is below nothing, and its size is 0.
 */
#include "model/stats/frame_order.h"

#include <string.h>

#include "model/base/array.h"

#define UNBALANCED 3 /* one side has so many times the other's */
#define DOUBLE 2
#define LEAST_ROOM 64

struct entry {
	int64_t length;
	uint64_t number;
	uint32_t child[2]; /* shorter, longer; 0: none */
	uint32_t size;     /* of the tree that begins in it */
};

struct frame_order {
	struct entry *entries; /* capacity + 1 */
	uint32_t capacity;     /* a power of two; 0: none */
	uint32_t first, count; /* of the ring */
	uint32_t root;
	uint64_t seen; /* number of the last frame that was looked at */
};

struct frame_order *frame_order_new(void)
{
	return calloc(1, sizeof(struct frame_order));
}

void frame_order_free(struct frame_order *o)
{
	if (o)
		free(o->entries);
	free(o);
}

struct frame_order *frame_order_copy(const struct frame_order *from)
{
	struct frame_order *o = frame_order_new();
	size_t size = ((size_t)from->capacity + 1) * sizeof(*o->entries);

	if (!o)
		return NULL;
	*o = *from;
	if (!from->entries)
		return o;
	o->entries = malloc(size);
	if (!o->entries) {
		free(o);
		return NULL;
	}
	memcpy(o->entries, from->entries, size);
	return o;
}

/* The ring */

/* The entry of the i-th frame by number. */
static uint32_t entry_at(const struct frame_order *o, uint32_t i)
{
	return 1 + ((o->first + i) & (o->capacity - 1));
}

/* Where an entry goes when the ring is laid out from its first one on. */
static uint32_t moved_frame(const struct frame_order *o, uint32_t at)
{
	return at ? 1 + ((at - 1 - o->first) & (o->capacity - 1)) : 0;
}

/* Room for more entries. */
static bool grow_entries(struct frame_order *o)
{
	uint32_t capacity = o->capacity ? o->capacity * 2 : LEAST_ROOM;
	struct entry *grown = capacity ? reallocarray(NULL, (size_t)capacity + 1, sizeof(*grown)) : NULL;

	if (!grown)
		return false;
	grown[0] = (struct entry){ 0 };
	for (uint32_t i = 0; i < o->count; i++) {
		grown[1 + i] = o->entries[entry_at(o, i)];
		for (int side = 0; side < 2; side++)
			grown[1 + i].child[side] = moved_frame(o, grown[1 + i].child[side]);
	}
	o->root = moved_frame(o, o->root);
	free(o->entries);
	o->entries = grown;
	o->capacity = capacity;
	o->first = 0;
	return true;
}

/* A new entry behind the others, in no tree. 0: out of memory. */
static uint32_t append_frame(struct frame_order *o, const struct profile_frame *frame)
{
	uint32_t at;

	if (o->count == o->capacity && !grow_entries(o))
		return 0;
	at = entry_at(o, o->count++);
	o->entries[at] = (struct entry){ frame->length, frame->number, { 0, 0 }, 1 };
	return at;
}

/* The tree */

static bool is_before(const struct entry *a, const struct entry *b)
{
	return a->length != b->length ? a->length < b->length : a->number < b->number;
}

static uint64_t weight_of(const struct frame_order *o, uint32_t at)
{
	return (uint64_t)o->entries[at].size + 1;
}

static void add_up(struct frame_order *o, uint32_t at)
{
	struct entry *e = &o->entries[at];

	e->size = o->entries[e->child[0]].size + o->entries[e->child[1]].size + 1;
}

/* The child on that side goes up, and is returned. */
static uint32_t rotate_tree(struct frame_order *o, uint32_t at, int side)
{
	uint32_t up = o->entries[at].child[side];

	o->entries[at].child[side] = o->entries[up].child[!side];
	o->entries[up].child[!side] = at;
	add_up(o, at);
	add_up(o, up);
	return up;
}

/* The tree that began in `at`, balanced: one of its sides has changed by one. */
static uint32_t balance_tree(struct frame_order *o, uint32_t at)
{
	struct entry *e = &o->entries[at];
	int heavy = weight_of(o, e->child[1]) > weight_of(o, e->child[0]);
	const struct entry *child = &o->entries[e->child[heavy]];

	add_up(o, at);
	if (weight_of(o, e->child[heavy]) <= UNBALANCED * weight_of(o, e->child[!heavy]))
		return at;
	if (weight_of(o, child->child[!heavy]) >= DOUBLE * weight_of(o, child->child[heavy]))
		e->child[heavy] = rotate_tree(o, e->child[heavy], !heavy);
	return rotate_tree(o, at, heavy);
}

static uint32_t insert_entry(struct frame_order *o, uint32_t at, uint32_t new)
{
	int side;

	if (!at)
		return new;
	side = is_before(&o->entries[at], &o->entries[new]);
	o->entries[at].child[side] = insert_entry(o, o->entries[at].child[side], new);
	return balance_tree(o, at);
}

/* Takes the first of the tree out: *first. */
static uint32_t take_first(struct frame_order *o, uint32_t at, uint32_t *first)
{
	struct entry *e = &o->entries[at];

	if (!e->child[0]) {
		*first = at;
		return e->child[1];
	}
	e->child[0] = take_first(o, e->child[0], first);
	return balance_tree(o, at);
}

static uint32_t take_out(struct frame_order *o, uint32_t at, uint32_t old)
{
	struct entry *e = &o->entries[at];
	uint32_t first, rest;
	int side;

	if (at != old) {
		side = is_before(e, &o->entries[old]);
		e->child[side] = take_out(o, e->child[side], old);
		return balance_tree(o, at);
	}
	if (!e->child[0] || !e->child[1])
		return e->child[!e->child[0]];
	rest = take_first(o, e->child[1], &first);
	o->entries[first].child[0] = e->child[0];
	o->entries[first].child[1] = rest;
	return balance_tree(o, first);
}

/* Many at once: sorted, and the tree made of the middle ones */

struct key {
	struct entry entry;
	uint32_t at;
};

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return is_before(&y->entry, &x->entry) - is_before(&x->entry, &y->entry);
}

static uint32_t build_tree(struct frame_order *o, const struct key *keys, uint32_t n)
{
	uint32_t middle = n / 2, at;

	if (!n)
		return 0;
	at = keys[middle].at;
	o->entries[at].child[0] = build_tree(o, keys, middle);
	o->entries[at].child[1] = build_tree(o, keys + middle + 1, n - middle - 1);
	add_up(o, at);
	return at;
}

/* All entries of the ring. False: out of memory. */
static bool build_all(struct frame_order *o)
{
	struct key *keys = reallocarray(NULL, o->count ? o->count : 1, sizeof(*keys));

	if (!keys)
		return false;
	for (uint32_t i = 0; i < o->count; i++) {
		keys[i].at = entry_at(o, i);
		keys[i].entry = o->entries[keys[i].at];
	}
	qsort(keys, o->count, sizeof(*keys), compare_keys);
	o->root = build_tree(o, keys, o->count);
	free(keys);
	return true;
}

/* Following a profile */

/* True if the profile still has the entry's frame, with the same length. */
static bool holds_entry(const struct profile *p, const struct entry *e)
{
	const struct profile_frame *frame = profile_find_frame(p, e->number);

	return frame && frame_counts(frame) && frame->length == e->length;
}

static void take_outdated(struct frame_order *o, const struct profile *p)
{
	uint32_t at;

	while (o->count && !holds_entry(p, &o->entries[at = entry_at(o, 0)])) {
		o->root = take_out(o, o->root, at);
		o->first = (o->first + 1) & (o->capacity - 1);
		o->count--;
	}
	/* the newest may have been given anew */
	while (o->count && !holds_entry(p, &o->entries[at = entry_at(o, o->count - 1)])) {
		o->root = take_out(o, o->root, at);
		o->count--;
	}
}

/* Frames from index i on. They are many where they are more than what is held. */
static bool take_frames(struct frame_order *o, const struct profile *p, uint32_t i)
{
	uint32_t before = o->count, at;
	bool many = p->frame_count - i > before;

	for (; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		if (frame_counts(frame)) {
			at = append_frame(o, frame);
			if (!at)
				break;
			if (!many)
				o->root = insert_entry(o, o->root, at);
		}
		o->seen = frame->number;
	}
	if (many && !build_all(o)) {
		o->count = before;
		o->seen = frame_order_last(o);
		return false;
	}
	return i == p->frame_count;
}

bool frame_order_update(struct frame_order *o, const struct profile *p)
{
	uint32_t i = profile_frame_index(p, o->seen);

	take_outdated(o, p);
	if (i < p->frame_count && frame_order_last(o) == p->frames[i].number)
		i++;
	return i >= p->frame_count || take_frames(o, p, i);
}

/* Asking */

uint32_t frame_order_count(const struct frame_order *o)
{
	return o->count;
}

/* The entry of that rank, from 1 to count. */
static const struct entry *entry_of_rank(const struct frame_order *o, uint32_t rank)
{
	const struct entry *e = &o->entries[o->root];

	for (;;) {
		uint32_t upto = o->entries[e->child[0]].size + 1;
		bool longer = rank > upto;

		if (rank == upto)
			return e;
		rank -= longer ? upto : 0;
		e = &o->entries[e->child[longer]];
	}
}

int64_t frame_order_length(const struct frame_order *o, uint32_t rank)
{
	return rank && rank <= o->count ? entry_of_rank(o, rank)->length : 0;
}

int64_t frame_order_percentile(const struct frame_order *o, unsigned per_mille)
{
	uint64_t rank = ((uint64_t)o->count * per_mille + 999) / 1000;

	return frame_order_length(o, rank < o->count ? (uint32_t)rank : o->count);
}

uint32_t frame_order_over(const struct frame_order *o, int64_t length)
{
	uint32_t over = 0, at = o->root;

	while (at) {
		const struct entry *e = &o->entries[at];
		bool longer = e->length > length;

		if (longer)
			over += o->entries[e->child[1]].size + 1;
		at = e->child[!longer];
	}
	return over;
}

uint64_t frame_order_first(const struct frame_order *o)
{
	return o->count ? o->entries[entry_at(o, 0)].number : 0;
}

uint64_t frame_order_last(const struct frame_order *o)
{
	return o->count ? o->entries[entry_at(o, o->count - 1)].number : 0;
}

void frame_order_histogram(const struct frame_order *o, const int64_t *edges, uint32_t n, uint32_t *out)
{
	/* not below an edge: longer than what is a tick less */
	uint32_t from = n && edges[0] > INT64_MIN ? frame_order_over(o, edges[0] - 1) : o->count;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = edges[i + 1] > INT64_MIN ? frame_order_over(o, edges[i + 1] - 1) : o->count;

		out[i] = from > to ? from - to : 0;
		from = to;
	}
}

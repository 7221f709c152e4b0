/* SPDX-License-Identifier: MIT */
#include "io/recording/code.h"

#include <stdlib.h>
#include <string.h>

#include "io/recording/recording.h"
#include "model/base/array.h"

/* ---- numbers and texts */

bool bytes_reserve(struct bytes *b, size_t more)
{
	size_t wanted = b->capacity + b->capacity / 2 + 256;
	uint8_t *grown;

	if (b->failed)
		return false;
	if (b->capacity - b->count >= more)
		return true;
	if (wanted < b->count + more)
		wanted = b->count + more;
	grown = more <= SIZE_MAX / 4 ? realloc(b->at, wanted) : NULL;
	b->failed = !grown;
	if (b->failed)
		return false;
	b->at = grown;
	b->capacity = wanted;
	return true;
}

void bytes_put(struct bytes *b, const void *data, size_t size)
{
	if (!size || !bytes_reserve(b, size))
		return;
	memcpy(b->at + b->count, data, size);
	b->count += size;
}

void bytes_text(struct bytes *b, const char *text)
{
	size_t size = text ? strnlen(text, BYTES_TEXT_MOST) : 0;

	bytes_number(b, size);
	bytes_put(b, text, size);
}

void bytes_fini(struct bytes *b)
{
	free(b->at);
	*b = (struct bytes){ 0 };
}

uint64_t taking_number_slow(struct taking *t)
{
	uint64_t value = 0;

	for (unsigned shift = 0; t->at < t->end && shift < 64; shift += 7) {
		uint8_t byte = *t->at++;

		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	t->failed = true;
	t->at = t->end;
	return 0;
}

uint32_t taking_index(struct taking *t, uint32_t limit)
{
	uint64_t value = taking_number(t);

	if (value < limit)
		return (uint32_t)value;
	t->failed = true;
	t->at = t->end;
	return 0;
}

struct taking taking_part(struct taking *t, uint64_t size)
{
	struct taking part = { t->at, t->at, t->failed };

	if (size > (uint64_t)(t->end - t->at)) {
		part.failed = t->failed = true;
		t->at = t->end;
		return part;
	}
	t->at += size;
	part.end = t->at;
	return part;
}

char *taking_text(struct taking *t)
{
	char *text = (char *)t->at;
	uint64_t size = taking_number(t);
	struct taking part = taking_part(t, size);

	if (part.failed)
		return NULL;
	memmove(text, part.at, (size_t)size);
	text[size] = '\0';
	return text;
}

/* ---- nodes */

struct code_next {
	uint32_t stamp_enter, after_enter; /* the node that was entered next, behind an entry of this one, */
	uint32_t stamp_leave, after_leave; /* and behind an exit */
};

void code_fini(struct code *c)
{
	free(c->parents);
	free(c->inside);
	free(c->next);
	free(c->cells);
	*c = (struct code){ 0 };
}

bool code_node(struct code *c, uint32_t parent)
{
	uint32_t capacity = c->capacity, same = c->capacity;

	if (c->nodes == c->capacity) {
		if (!array_reserve(&c->parents, &capacity, (uint64_t)c->nodes + 1, sizeof(*c->parents)))
			return false;
		uint32_t two = same, three = same;
		if (!array_reserve(&c->inside, &two, (uint64_t)c->nodes + 1, sizeof(*c->inside)) ||
		    !array_reserve(&c->next, &three, (uint64_t)c->nodes + 1, sizeof(*c->next)))
			return false;
		memset(c->inside + same, 0, (capacity - same) * sizeof(*c->inside));
		memset(c->next + same, 0, (capacity - same) * sizeof(*c->next));
		c->capacity = capacity;
	}
	c->parents[c->nodes++] = parent;
	return true;
}

/* ---- cells */

static bool knows_node(const struct code *c, uint32_t node)
{
	return node < c->nodes && c->parents[node] != CODE_LOST;
}

/* Sums up each of the sorted cells: its own time and that of the cells below it. */
static void sum_inside(struct code *c, uint32_t count)
{
	for (uint32_t i = count; i--;) {
		uint32_t node = c->cells[i].node, parent = c->parents[node];

		c->inside[node] = (int64_t)((uint64_t)c->inside[node] + (uint64_t)c->cells[i].self);
		if (parent < node)
			c->inside[parent] = (int64_t)((uint64_t)c->inside[parent] + (uint64_t)c->inside[node]);
	}
}

static void forget_inside(struct code *c, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = c->cells[i].node, parent = c->parents[node];

		c->inside[node] = 0;
		if (parent < node)
			c->inside[parent] = 0;
	}
}

/* The expected time of a call, if all calls took the same. */
static uint64_t expected_longest(const struct code *c, const struct profile_cell *cell)
{
	return cell->count > 0 ? (uint64_t)(c->inside[cell->node] / cell->count) : 0;
}

static int compare_nodes(const void *a, const void *b)
{
	uint32_t x = ((const struct profile_cell *)a)->node, y = ((const struct profile_cell *)b)->node;

	return (x > y) - (x < y);
}

static bool take_over(struct code *c, const struct profile_cell *cells, uint32_t count)
{
	bool sorted = true;

	if (!array_reserve(&c->cells, &c->cell_capacity, count, sizeof(*c->cells)))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		c->cells[i] = cells[i];
		sorted &= !i || cells[i - 1].node < cells[i].node;
	}
	if (!sorted)
		qsort(c->cells, count, sizeof(*c->cells), compare_nodes);
	for (uint32_t i = 0; i < count; i++)
		if (!knows_node(c, c->cells[i].node) || (i && c->cells[i].node == c->cells[i - 1].node))
			return false;
	return true;
}

void code_put_cells(struct code *c, struct bytes *b, const struct profile_cell *cells, uint32_t count)
{
	if (!take_over(c, cells, count) || !bytes_reserve(b, ((size_t)count * 4 + 1) * BYTES_NUMBER)) {
		b->failed = true;
		return;
	}
	bytes_number_in(b, count);
	for (uint32_t i = 0; i < count; i++)
		bytes_number_in(b, c->cells[i].node - (i ? c->cells[i - 1].node + 1 : 0));
	for (uint32_t i = 0; i < count; i++)
		bytes_number_in(b, (uint64_t)c->cells[i].count);
	for (uint32_t i = 0; i < count; i++)
		bytes_number_in(b, (uint64_t)c->cells[i].self);
	sum_inside(c, count);
	for (uint32_t i = 0; i < count; i++)
		bytes_number_in(b, bytes_fold((int64_t)((uint64_t)c->cells[i].longest - expected_longest(c, &c->cells[i]))));
	forget_inside(c, count);
}

bool code_take_cells(struct code *c, struct taking *t, const struct profile_cell **cells, uint32_t *count)
{
	uint64_t n = taking_number(t), node = 0;

	if (t->failed || n > (uint64_t)(t->end - t->at) || n > c->nodes ||
	    !array_reserve(&c->cells, &c->cell_capacity, n, sizeof(*c->cells)))
		return false;
	for (uint32_t i = 0; i < n; i++, node++) {
		node += taking_number(t);
		if (t->failed || node > UINT32_MAX || !knows_node(c, (uint32_t)node))
			return false;
		c->cells[i].node = (uint32_t)node;
	}
	for (uint32_t i = 0; i < n; i++)
		c->cells[i].count = (int64_t)taking_number(t);
	for (uint32_t i = 0; i < n; i++)
		c->cells[i].self = (int64_t)taking_number(t);
	sum_inside(c, (uint32_t)n);
	for (uint32_t i = 0; i < n; i++)
		c->cells[i].longest = (int64_t)((uint64_t)taking_signed(t) + expected_longest(c, &c->cells[i]));
	forget_inside(c, (uint32_t)n);
	*cells = c->cells;
	*count = (uint32_t)n;
	return !t->failed;
}

/* ---- transitions */

/* Where a thread is, as far as the transitions of this block told. */
struct place {
	uint32_t open;    /* node; PROFILE_NONE: not known */
	uint32_t *stamp, *next; /* what came next here; NULL: nowhere yet */
};

static void move_place(struct code *c, struct place *p, struct transition n)
{
	*p = (struct place){ .open = PROFILE_NONE };
	if (!knows_node(c, n.node))
		return;
	if (transition_enters(n.kind)) {
		p->open = n.node;
		p->stamp = &c->next[n.node].stamp_enter;
		p->next = &c->next[n.node].after_enter;
	} else if (transition_leaves(n.kind)) {
		p->open = c->parents[n.node];
		p->stamp = &c->next[n.node].stamp_leave;
		p->next = &c->next[n.node].after_leave;
	}
}

static bool is_again(const struct code *c, const struct place *p, uint32_t node)
{
	return p->stamp && *p->stamp == c->stamp && *p->next == node;
}

static void remember_next(const struct code *c, struct place *p, struct transition n)
{
	if (n.kind != TRANSITION_ENTER || !p->stamp)
		return;
	*p->stamp = c->stamp;
	*p->next = n.node;
}

static void begin_block(struct code *c, struct place *p)
{
	*p = (struct place){ .open = PROFILE_NONE };
	if (++c->stamp)
		return;
	for (uint32_t i = 0; i < c->nodes; i++)
		c->next[i] = (struct code_next){ 0 };
	c->stamp = 1;
}

static enum recording_step step_of(const struct code *c, const struct place *p, struct transition n)
{
	if (n.kind == TRANSITION_LEAVE && n.node == p->open)
		return STEP_LEAVE;
	if (n.kind != TRANSITION_ENTER)
		return STEP_OTHER;
	return is_again(c, p, n.node) ? STEP_AGAIN : STEP_ENTER;
}

void code_put_calls(struct code *c, struct bytes *b, const struct transition *at, uint32_t count)
{
	struct place place;
	int64_t tick = count ? at[0].tick : 0;

	begin_block(c, &place);
	if (!bytes_reserve(b, (size_t)count * 3 * BYTES_NUMBER))
		return;
	for (uint32_t i = 0; i < count; i++) {
		struct transition n = at[i];
		enum recording_step step = step_of(c, &place, n);

		bytes_number_in(b, (uint64_t)(n.tick - tick) << 2 | step);
		if (step == STEP_OTHER)
			bytes_number_in(b, n.kind);
		if (step == STEP_OTHER || step == STEP_ENTER)
			bytes_number_in(b, n.node);
		tick = n.tick;
		remember_next(c, &place, n);
		move_place(c, &place, n);
	}
}

static bool take_step(struct code *c, struct taking *t, struct place *p, unsigned step, struct transition *n)
{
	n->kind = step == STEP_LEAVE ? TRANSITION_LEAVE : TRANSITION_ENTER;
	n->node = p->open;
	if (step == STEP_OTHER)
		n->kind = taking_index(t, TRANSITION_KINDS);
	if (step == STEP_AGAIN)
		n->node = p->stamp && *p->stamp == c->stamp ? *p->next : PROFILE_NONE;
	else if (step != STEP_LEAVE)
		n->node = taking_index(t, c->nodes);
	return !t->failed && knows_node(c, n->node);
}

bool code_take_calls(struct code *c, struct taking *t, int64_t first, uint32_t count, code_take *take, void *context)
{
	struct transition n = { .tick = first };
	struct place place;

	begin_block(c, &place);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t told = taking_number(t);

		if (t->failed || n.tick < 0 || n.tick > RECORDING_TICK_MOST ||
		    told >> 2 > (uint64_t)(RECORDING_TICK_MOST - n.tick))
			return false;
		n.tick += (int64_t)(told >> 2);
		if (!take_step(c, t, &place, told & 3, &n) || !take(context, n))
			return false;
		remember_next(c, &place, n);
		move_place(c, &place, n);
	}
	return true;
}

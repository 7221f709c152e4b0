/* SPDX-License-Identifier: MIT */
/*
 * player_calls: single calls of a recording. While a recording is read its blocks of calls are noted, and nothing of them
 * is read. Who wants transitions gets the newest, as many as may be held, and more as they come; or those of a stretch of
 * time (transitions_want), in place of the others.
 */
#include "io/recording/player_inside.h"

#include <stdlib.h>

#include "model/base/array.h"

/* Which calls are held, as the owner of the cursor. */
enum { NEWEST = 1, WINDOW };

static bool same_list(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct player *)context)->blocks[index].head.list == *(const uint64_t *)wanted;
}

/* The last block of each list is found by the first one. */
void player_note_calls(struct player *p, const struct recording_head *head)
{
	uint32_t hash = lookup_hash(0, &head->list, sizeof(head->list)), first;

	if (head->first < 0 || head->last < head->first || head->last > RECORDING_TICK_MOST) {
		p->damaged++;
		return;
	}
	if (!array_reserve(&p->blocks, &p->block_capacity, (uint64_t)p->block_count + 1, sizeof(*p->blocks)) ||
	    !lookup_reserve(&p->first_blocks)) {
		p->no_memory = true;
		return;
	}
	first = lookup_find(&p->first_blocks, hash, same_list, p, &head->list);
	p->blocks[p->block_count] = (struct call_block){ p->offset, PROFILE_NONE, p->block_count, PROFILE_NONE, *head };
	if (first == LOOKUP_NONE) {
		lookup_add(&p->first_blocks, hash, p->block_count);
	} else {
		p->blocks[p->block_count].before = p->blocks[first].last;
		p->blocks[p->blocks[first].last].next = p->block_count;
		p->blocks[first].last = p->block_count;
	}
	p->block_count++;
	p->first_call = p->calls && p->first_call < head->first ? p->first_call : head->first;
	p->calls += head->count;
}

struct putting {
	struct player *p;
	struct transitions *t;
	struct transition_list *list;
};

static bool put_transition(void *context, struct transition n)
{
	struct putting *in = context;
	uint32_t node = n.node < in->p->nodes.count ? in->p->nodes.at[n.node] : PROFILE_NONE;

	if (transition_enters(n.kind) || transition_leaves(n.kind)) {
		if (node == PROFILE_NONE || in->p->source.profile->nodes[node].thread != in->list->thread)
			return false;
		n.node = node;
	} else {
		n.node = 0;
	}
	return transitions_add(in->t, in->list, n);
}

static bool put_gap(struct transitions *t, struct transition_list *list, int64_t tick)
{
	return transitions_add(t, list, (struct transition){ tick, 0, TRANSITION_GAP });
}

/* Reads a block of calls. If it does not follow the last block of its list, there is a gap between the two. */
static bool read_block(struct player *p, struct transitions *t, const struct call_block *block)
{
	const struct recording_head *head = &block->head, *before = block->before == PROFILE_NONE ? NULL : &p->blocks[block->before].head;
	uint32_t thread = head->thread < p->threads.count ? p->threads.at[head->thread] : PROFILE_NONE;
	struct putting in = { p, t, NULL };
	struct taking taking;

	if (thread == PROFILE_NONE)
		return true;
	in.list = transitions_of(t, head->list, thread);
	if (!in.list)
		return false;
	if (in.list->thread != thread)
		return true;
	if (in.list->count && (!before || before->number + before->count != head->number) &&
	    !put_gap(t, in.list, head->first))
		return false;
	if (!player_read_block(p, block->offset, head))
		return !p->no_memory && (p->damaged++, put_gap(t, in.list, head->last));
	taking = (struct taking){ p->raw.at, p->raw.at + p->raw.count, false };
	if (code_take_calls(&p->code, &taking, head->first, head->count, put_transition, &in))
		return true;
	p->damaged++;
	return put_gap(t, in.list, head->last);
}

static bool block_touches(const struct call_block *block, const struct transition_stretch *wanted)
{
	return block->head.first <= wanted->end && block->head.last >= wanted->begin;
}

/* The first block from which on all fit. */
static uint32_t newest_that_fit(const struct player *p, const struct transitions *t)
{
	uint64_t sum = 0;
	uint32_t i = p->block_count;

	while (i && sum + p->blocks[i - 1].head.count <= t->most)
		sum += p->blocks[--i].head.count;
	return i;
}

static bool read_newest(struct player *p, struct transitions *t, struct transition_cursor *c)
{
	uint32_t first = (uint32_t)c->position;

	if (!c->owner)
		first = newest_that_fit(p, t);
	for (uint32_t i = 0; !c->owner && i < first; i++)
		t->left_out += p->blocks[i].head.count;
	c->owner = NEWEST;
	for (uint32_t i = first; i < p->block_count; i++)
		if (!read_block(p, t, &p->blocks[i]))
			return false;
	c->position = p->block_count;
	return true;
}

/* Ends a list behind its last block in the window: it goes on, but how is not known. */
static bool end_window(struct player *p, struct transitions *t, const struct call_block *block, const struct transition_stretch *wanted)
{
	struct transition_list *list = transitions_find(t, block->head.list);

	return block->next == PROFILE_NONE || p->blocks[block->next].head.first <= wanted->end || !list || !list->count ||
	       put_gap(t, list, block->head.last);
}

/* Blocks that touch what is wanted, as many as may be held: of more those that are nearest to its middle. */
static bool read_wanted(struct player *p, struct transitions *t, struct transition_cursor *c)
{
	struct transition_stretch wanted = t->wanted;
	uint64_t sum = 0;

	transitions_forget(t);
	for (int halves = 0; halves < 64; halves++) {
		int64_t middle = wanted.begin / 2 + wanted.end / 2, quarter = wanted.end / 4 - wanted.begin / 4;

		sum = 0;
		for (uint32_t i = 0; i < p->block_count; i++)
			sum += block_touches(&p->blocks[i], &wanted) ? p->blocks[i].head.count : 0;
		if (sum <= t->most || wanted.begin == wanted.end)
			break;
		wanted = (struct transition_stretch){ middle - quarter, middle + quarter };
	}
	for (uint32_t i = 0; i < p->block_count; i++)
		if (block_touches(&p->blocks[i], &wanted) &&
		    (!read_block(p, t, &p->blocks[i]) || !end_window(p, t, &p->blocks[i], &wanted)))
			return false;
	t->asked = t->wanted;
	t->read = wanted;
	*c = (struct transition_cursor){ p->block_count, WINDOW };
	return true;
}

static bool is_within(const struct transition_stretch *a, const struct transition_stretch *b)
{
	return a->begin >= b->begin && a->end <= b->end;
}

static bool is_read(const struct transitions *t, const struct transition_cursor *c)
{
	bool same = t->wanted.begin == t->asked.begin && t->wanted.end == t->asked.end;

	return c->owner == WINDOW && (same || is_within(&t->wanted, &t->read));
}

bool player_read_calls(struct player *p, struct transitions *t)
{
	struct transition_cursor *c;

	if (!transitions_reach(t, 1))
		return false;
	c = &t->cursors[0];
	t->elsewhere = p->calls > t->most;
	t->since = p->first_call;
	t->followed = true;
	if (t->wanted.begin < t->wanted.end)
		return is_read(t, c) || read_wanted(p, t, c);
	if (c->owner == WINDOW) {
		transitions_forget(t);
		*c = (struct transition_cursor){ 0 };
	}
	return read_newest(p, t, c);
}

/* SPDX-License-Identifier: MIT */
/*
 * live_transitions: single entries and exits of zones, from the event logs of the blocks.
 *
 * A log goes on when its block has another owner, whose events begin with a START. Those of the present owner are
 * its thread's; what owners before it had left is of the sum of ended threads, as parts are, but each of them has a
 * list of its own. One that was seen before it ended has two: its own then ends with a gap, as it is not told there how
 * it went on. A log is copied in one piece, newest first, so that a writer that laps takes the oldest of it:
 * what that is, is known by the log's tail, and counts as a gap.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "model/base/array.h"

#define OF_ENDED (UINT64_C(1) << 63) /* in the id of a list: its nodes are those of the ended threads */

struct events {
	struct live *l;
	struct block *b;
	struct transitions *t;
	struct transition_cursor *cursor;
	struct transition_list *list; /* of the owner; NULL: to be looked for */
	bool gap;                     /* before the next one */
};

static bool is_present(const struct events *r)
{
	return r->cursor->owner == r->b->generation;
}

/* The list that an owner had as long as it was there goes on no more. */
static bool leave_list(struct transitions *t, uint64_t id)
{
	struct transition_list *list = transitions_find(t, id);
	const struct transition *last = list && list->count ? &list->at[list->count - 1] : NULL;

	return !last || last->kind == TRANSITION_END || last->kind == TRANSITION_GAP ||
	       transitions_add(t, list, (struct transition){ last->tick, 0, TRANSITION_GAP });
}

static bool find_list(struct events *r)
{
	struct live *l = r->l;
	uint64_t id = live_thread_id(l, r->b->index, r->cursor->owner);

	if (is_present(r)) {
		r->list = transitions_of(r->t, id, r->b->thread);
	} else {
		if (!live_ended_begins(l, r->b) || !leave_list(r->t, id))
			return false;
		r->list = transitions_of(r->t, id | OF_ENDED, l->ended);
	}
	return r->list;
}

static bool add(struct events *r, enum transition_kind kind, uint32_t node, int64_t tick)
{
	if (!r->list && !find_list(r))
		return false;
	if (r->gap && r->list->first + r->list->count && kind != TRANSITION_START &&
	    !transitions_add(r->t, r->list, (struct transition){ tick, 0, TRANSITION_GAP }))
		return false;
	r->gap = false;
	return transitions_add(r->t, r->list, (struct transition){ tick, node, kind });
}

static bool take_event(struct events *r, const struct snapshot_event *e)
{
	unsigned kind = e->what & 0xff;
	uint32_t node;

	if (kind == EVENT_START) {
		r->cursor->owner = e->what >> 8;
		r->list = NULL;
		return add(r, TRANSITION_START, 0, e->tick);
	}
	if (kind == EVENT_END)
		return add(r, TRANSITION_END, 0, e->tick);
	if (!is_present(r) && !live_ended_begins(r->l, r->b))
		return false;
	node = live_node(r->l, r->b, is_present(r), (uint32_t)(e->what >> 8));
	return node != PROFILE_NONE &&
	       add(r, kind == EVENT_ENTER ? TRANSITION_ENTER : TRANSITION_LEAVE, node, e->tick);
}

/* Whose the first of these is: of the one before the first START among them, else of the present one. False: it
 * cannot be said, as the block has an owner that was not there at the poll. */
static bool owner_of(struct events *r, const struct snapshot_event *e, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if ((e[i].what & 0xff) == EVENT_START) {
			uint64_t first = e[i].what >> 8;

			r->cursor->owner = i && first ? first - 1 : first;
			return first <= r->b->generation;
		}
	r->cursor->owner = r->b->generation;
	return snapshot_generation(&r->l->a, r->b->index) == r->b->generation;
}

/* How many of the first are entries and exits of nodes that the present owner has already: nearly all. They are
 * taken. */
static uint64_t take_run(struct events *r, const struct snapshot_event *e, uint64_t count)
{
	const struct node_map *own = &r->b->own;
	uint32_t i = 0;

	if (r->gap || !r->list || !is_present(r) || !transitions_reserve(r->list, (uint32_t)count))
		return 0;
	for (; i < count; i++) {
		unsigned kind = e[i].what & 0xff;
		uint32_t node = node_map_known(own, (uint32_t)(e[i].what >> 8));

		if (kind > EVENT_LEAVE || node == PROFILE_NONE)
			break;
		transitions_put(r->list, (struct transition){ e[i].tick, node, kind == EVENT_ENTER
											? TRANSITION_ENTER
											: TRANSITION_LEAVE });
	}
	transitions_settle(r->t, i);
	return i;
}

/* Those up to the START of an owner that was not there at the poll: it is at the next. */
static bool take_events(struct events *r, const struct snapshot_event *e, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t run = take_run(r, &e[i], count - i);

		i += run;
		r->cursor->position += run;
		if (i == count || ((e[i].what & 0xff) == EVENT_START && e[i].what >> 8 > r->b->generation))
			return true;
		if (!take_event(r, &e[i]))
			return false;
		r->cursor->position++;
	}
	return true;
}

static bool read_events(struct events *r, uint64_t from, uint64_t end)
{
	struct snapshot_event *e = array_zeroed(end - from, sizeof(*e));
	uint64_t first = e ? snapshot_events(&r->l->a, r->b->index, from, end - from, e) : end;
	bool known = r->cursor->owner && first == r->cursor->position, done = e;

	if (done && first < end && !known && !owner_of(r, &e[first - from], end - first)) {
		r->cursor->owner = 0;
	} else if (done && first < end) {
		r->gap = r->cursor->position != first;
		r->cursor->position = first;
		done = take_events(r, &e[first - from], end - first);
	}
	free(e);
	return done;
}

static bool read_block(struct live *l, struct block *b, struct transitions *t)
{
	struct events r = { .l = l, .b = b, .t = t, .cursor = &t->cursors[b->index] };
	uint64_t first, end;

	if (!b->generation || b->thread == PROFILE_NONE)
		return true;
	snapshot_event_range(&l->a, b->index, &first, &end);
	if (end - first > t->most)
		first = end - t->most;
	if (r.cursor->position > first)
		first = r.cursor->position;
	return first >= end || read_events(&r, first, end);
}

bool live_transitions(struct source *s, struct transitions *t)
{
	struct live *l = (struct live *)s;
	bool done = transitions_reach(t, l->a.thread_count);

	for (uint32_t i = 0; done && i < l->process.threads; i++)
		done = read_block(l, &l->blocks[i], t);
	return done;
}

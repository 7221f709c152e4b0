/* SPDX-License-Identifier: MIT */
/*
 * live_transitions: single entries and exits of zones, from the event logs of the blocks.
 *
 * A log goes on when its block has another owner, whose events begin with a START. Those of the present owner are
 * its thread's; what owners before it had left is of the sum of ended threads, as parts are, but each of them has a
 * list of its own. One that was seen before it ended has two: its own then ends with a gap, as it is not told there how
 * it went on. A log is copied in portions; what a writer that laps has taken of it is known by its tail, and counts as a
 * gap.
 *
 * A block keeps the events of the worst frames when its log has passed over them (shm/ring.h). Behind each
 * portion, the kept events between the last read and the portion's beginning are read. So a reader that comes
 * late has them first, each frame with a gap behind it, and one that was there before has those that the log had
 * lost. The stretches of these frames are spared when there are more transitions than may be held.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"

#define OF_ENDED (UINT64_C(1) << 63) /* in the id of a list: its nodes are those of the ended threads */
#define PORTION 65536u /* events copied at a time */

struct events {
	struct live *l;
	struct block *b;
	struct transitions *t;
	struct transition_cursor *cursor;
	struct transition_list *list; /* of the owner; NULL: to be looked for */
	bool gap;                     /* before the next one */
	bool waits;                   /* the next one is of an owner that was not there at the poll */
	bool long_ago;                /* kept ones, of before the first look */
	struct snapshot_event *portion;
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

static void note_age(struct events *r)
{
	if (r->long_ago)
		r->list->long_ago = r->list->first + r->list->count;
}

static bool add_transition(struct events *r, enum transition_kind kind, uint32_t node, int64_t tick)
{
	if (!r->list && !find_list(r))
		return false;
	if (r->gap && r->list->first + r->list->count && kind != TRANSITION_START &&
	    !transitions_add(r->t, r->list, (struct transition){ tick, 0, TRANSITION_GAP }))
		return false;
	r->gap = false;
	if (!transitions_add(r->t, r->list, (struct transition){ tick, node, kind }))
		return false;
	note_age(r);
	return true;
}

/* By kind of event, of those that have a node. */
static const enum transition_kind kinds[EVENT_KINDS] = { [EVENT_ENTER] = TRANSITION_ENTER,
							 [EVENT_LEAVE] = TRANSITION_LEAVE,
							 [EVENT_SUSPEND] = TRANSITION_SUSPEND,
							 [EVENT_RESUME] = TRANSITION_RESUME };

static bool take_event(struct events *r, const struct snapshot_event *e)
{
	unsigned kind = e->what & 0xff;
	uint32_t node;

	if (kind == EVENT_TICK)
		return true;
	if (kind == EVENT_START) {
		r->cursor->owner = e->what >> 8;
		r->list = NULL;
		return add_transition(r, TRANSITION_START, 0, e->tick);
	}
	if (kind == EVENT_END)
		return add_transition(r, TRANSITION_END, 0, e->tick);
	if (!is_present(r) && !live_ended_begins(r->l, r->b))
		return false;
	node = live_node(r->l, r->b, is_present(r), (uint32_t)(e->what >> 8));
	return node != PROFILE_NONE && add_transition(r, kinds[kind], node, e->tick);
}

/* The owner of the first event: the one before the first START among them, else `otherwise`. 0: an owner that
 * was not there at the poll. */
static uint64_t owner_of(const struct events *r, const struct snapshot_event *e, uint64_t count, uint64_t otherwise)
{
	bool any = false; /* a TICK is of whoever comes behind it */

	for (uint64_t i = 0; i < count; i++) {
		if ((e[i].what & 0xff) == EVENT_START) {
			uint64_t first = e[i].what >> 8;

			otherwise = any && first ? first - 1 : first;
			return first <= r->b->generation ? otherwise : 0;
		}
		any |= (e[i].what & 0xff) != EVENT_TICK;
	}
	return otherwise <= r->b->generation ? otherwise : 0;
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
	note_age(r);
	return i;
}

/* Takes events up to the START of an owner that was not there at the poll: that one is taken at the next. */
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

/* Events [first, first + count). Without a START among them, and not known from those before, they are of the owner
 * `otherwise`. */
static bool take_all(struct events *r, const struct snapshot_event *e, uint64_t first, uint64_t count, uint64_t otherwise)
{
	struct transition_cursor *c = r->cursor;
	bool done;

	r->gap = c->position != first;
	if (r->gap || !c->owner) {
		c->owner = owner_of(r, e, count, otherwise);
		r->list = NULL;
	}
	r->waits = !c->owner;
	if (r->waits)
		return true;
	c->position = first;
	done = take_events(r, e, count);
	r->waits = c->position != first + count;
	return done;
}

struct keeping {
	struct events *r;
	bool done;
};

static bool take_kept(const struct snapshot_kept_events *kept, void *context)
{
	struct keeping *k = context;
	uint64_t present = k->r->b->generation;
	int32_t behind = (int32_t)(kept->generation - (uint32_t)present);

	k->done = take_all(k->r, kept->events, kept->first, kept->count, present + (uint64_t)(int64_t)behind);
	return k->done && !k->r->waits;
}

/* Reads the retained calls that the log has lost before event `before`. */
static bool read_kept(struct events *r, uint64_t before)
{
	struct keeping k = { r, true };
	enum snapshot_result result = r->cursor->position < before
					      ? snapshot_kept_events(&r->l->a, r->b->index, r->cursor->position, before,
								     take_kept, &k)
					      : SNAPSHOT_OK;

	r->waits |= result == SNAPSHOT_BUSY; /* they are there at the next look */
	r->long_ago = false;
	return k.done;
}

/* Takes events of the stretches that are spared, with some around them. The portion begins with some that were
 * read before, so that none of these are missed. */
static bool take_spared(struct events *r, const struct snapshot_event *e, uint64_t first, uint64_t count, uint64_t otherwise)
{
	const struct transitions *t = r->t;
	bool done = true;

	for (uint32_t i = 0; done && !r->waits && i < t->spared_count; i++) {
		uint32_t from = SEARCH(k, 0, (uint32_t)count, e[k].tick < t->spared[i].begin);
		uint32_t to = SEARCH(k, from, (uint32_t)count, e[k].tick <= t->spared[i].end);

		if (!to || from == count)
			continue;
		from = from > TRANSITIONS_AROUND ? from - TRANSITIONS_AROUND : 0;
		to = count - to > TRANSITIONS_AROUND ? to + TRANSITIONS_AROUND : (uint32_t)count;
		if (first + from < r->cursor->position)
			from = r->cursor->position < first + to ? (uint32_t)(r->cursor->position - first) : to;
		done = from == to || take_all(r, &e[from], first + from, to - from, otherwise);
	}
	return done;
}

/* The portion from event `from` on, and what was kept before it. */
static bool read_portion(struct events *r, uint64_t from, uint64_t count, bool spared_alone)
{
	struct attachment *a = &r->l->a;
	uint64_t first = snapshot_events(a, r->b->index, from, count, r->portion), end = from + count, present;

	if (!read_kept(r, first))
		return false;
	if (r->waits || first == end)
		return true;
	present = snapshot_generation(a, r->b->index);
	r->long_ago = spared_alone;
	return (spared_alone ? take_spared : take_all)(r, &r->portion[first - from], first, end - first, present);
}

static int64_t tick_of(struct events *r, uint64_t event)
{
	struct snapshot_event e;

	return snapshot_events(&r->l->a, r->b->index, event, 1, &e) == event ? e.tick : INT64_MIN;
}

/* True if some of these events are to be spared. */
static bool has_spared(struct events *r, uint64_t first, uint64_t end)
{
	const struct transitions *t = r->t;
	int64_t from = tick_of(r, first), to = tick_of(r, end);

	for (uint32_t i = 0; i < t->spared_count; i++)
		if (t->spared[i].begin <= to && t->spared[i].end >= from)
			return true;
	return false;
}

/* Reads a log. If it was not read yet, this is its newest `most` events, and among older ones those that are
 * spared. */
static bool read_block(struct live *l, struct block *b, struct transitions *t, struct snapshot_event *portion, uint64_t most)
{
	struct events r = { .l = l, .b = b, .t = t, .cursor = &t->cursors[b->index], .portion = portion };
	uint64_t first, end, newest;
	bool done = true;

	if (!b->generation || b->thread == PROFILE_NONE)
		return true;
	r.long_ago = !r.cursor->owner;
	snapshot_event_range(&l->a, b->index, &first, &end);
	if (r.cursor->position > first)
		first = r.cursor->position;
	newest = r.long_ago && end - first > most ? end - most : first;
	if (newest > first && !has_spared(&r, first, newest))
		first = newest;
	while (done && !r.waits && first < end) {
		bool old = first < newest;
		uint64_t count = (old ? newest : end) - first;

		if (count > PORTION)
			count = PORTION;
		done = read_portion(&r, first, count, old);
		first += count;
		if (first < newest)
			first -= 2 * TRANSITIONS_AROUND;
	}
	return done;
}

/* How many of the newest events of each log may be held, if the log was not read yet. The longest logs have more
 * events than that. */
static uint64_t newest_that_fit(const struct transitions *t, const uint64_t *unread, uint32_t blocks)
{
	uint64_t room = t->most - t->total, low = 0, high = t->most;

	while (low < high) {
		uint64_t most = high - (high - low) / 2, sum = 0;

		for (uint32_t i = 0; i < blocks; i++)
			sum += unread[i] < most ? unread[i] : most;
		if (sum <= room)
			low = most;
		else
			high = most - 1;
	}
	return low;
}

static bool find_newest(struct live *l, const struct transitions *t, uint64_t *most)
{
	uint64_t *unread = array_zeroed(l->process.threads, sizeof(*unread)), first, end;
	bool done = unread;

	for (uint32_t i = 0; done && i < l->process.threads; i++) {
		if (t->cursors[i].owner)
			continue;
		snapshot_event_range(&l->a, i, &first, &end);
		unread[i] = end - first;
	}
	if (done)
		*most = newest_that_fit(t, unread, l->process.threads);
	free(unread);
	return done;
}

/* A mark is among the worst before all threads have seen it, so what they will keep is spared in time. */
static void spare_worst(struct live *l, struct transitions *t)
{
	struct transition_stretch stretches[REGION_WORST_FRAMES];
	struct snapshot_frame frame;
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->a.worst_count && count < REGION_WORST_FRAMES; i++)
		if (snapshot_worst(&l->a, i, &frame) == SNAPSHOT_OK)
			stretches[count++] = (struct transition_stretch){ frame.start, frame.end };
	transitions_spare(t, stretches, count);
}

bool live_transitions(struct source *s, struct transitions *t)
{
	struct live *l = (struct live *)s;
	struct snapshot_event *portion = array_zeroed(PORTION, sizeof(*portion));
	bool done = portion && transitions_reach(t, l->a.thread_count);
	uint64_t most = 0;

	spare_worst(l, t);
	done = done && find_newest(l, t, &most);
	for (uint32_t i = 0; done && i < l->process.threads; i++)
		done = read_block(l, &l->blocks[i], t, portion, most);
	t->followed = true;
	free(portion);
	return done;
}

/* SPDX-License-Identifier: MIT */
/*
 * live_infer: a look at each thread, and the parts of frames that it has not published yet.
 *
 * A thread publishes at its first transition after a mark; until then its part is worked out from
 * its accumulators, and is what it will publish. While the process lives, nothing is inferred of an
 * interval that was decided less than a millisecond ago: a thread may not have seen it.
 */
#include "io/region/live_inside.h"

#include "io/region/join.h"
#include "model/base/array.h"

#define HOLD_NS 100000000 /* how long a thread in flight holds frames back */
#define TRIES 40          /* to catch a thread outside of a transition */

/* Checks a guess by itself. The limit over all slices is checked when the guess is given, as the same guess is
 * made in each poll until then. */
static bool inferred_is_sane(struct live *l, const struct snapshot_inferred *what, uint32_t count)
{
	bool sane = what->bound >= 0 && what->end >= what->bound;

	for (uint32_t i = 0; sane && i < count; i++)
		sane = l->totals[i].frame_self >= 0 && l->totals[i].frame_longest >= 0;
	l->damaged_records += !sane;
	return sane;
}

/* The nodes that have something in the inferred part. */
static bool keep_inferred(struct live *l, struct block *b, uint32_t count)
{
	struct inference *g = &b->guess;

	g->cell_count = 0;
	if (!inferred_is_sane(l, &g->what, count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct snapshot_total *t = &l->totals[i];
		struct profile_cell cell = { .self = t->frame_self, .longest = t->frame_longest,
					     .count = (int64_t)t->frame_count };

		if (!t->frame_self && !t->frame_count && !t->frame_longest)
			continue;
		cell.node = live_node(l, b, true, i);
		if (cell.node == PROFILE_NONE ||
		    !live_held(l, array_reserve(&g->cells, &g->cell_capacity,
						(uint64_t)g->cell_count + 1, sizeof(*g->cells))))
			return false;
		g->cells[g->cell_count++] = cell;
	}
	return true;
}

/* Looks at a thread that may be behind interval `settled`: what it will publish is worked out.
 * BUSY: it could not be caught outside of a transition. */
static enum snapshot_result infer_part(struct live *l, struct block *b, uint64_t settled, uint32_t nodes)
{
	enum snapshot_result result = SNAPSHOT_BUSY;

	b->guess.there = false;
	for (int i = 0; i < TRIES && result == SNAPSHOT_BUSY; i++) {
		if (i && l->a.live)
			live_nap(TRY_NS);
		if (!live_totals_room(l, nodes))
			return SNAPSHOT_ABSENT;
		result = snapshot_infer(&l->a, b->index, settled, nodes, l->totals, &b->guess.what);
	}
	b->guess.lapped = result == SNAPSHOT_LAPPED;
	if (result == SNAPSHOT_OK)
		b->guess.there = keep_inferred(l, b, nodes) && live_infer_columns(l, b, b->guess.what.epoch);
	else if (b->guess.lapped)
		b->guess.there = true;
	return result;
}

static enum profile_lane lane_of(uint64_t lane)
{
	static const enum profile_lane lanes[] = { [LANE_THREAD] = PROFILE_THREAD, [LANE_LOCK] = PROFILE_LOCK,
						   [LANE_PROCESSOR] = PROFILE_PROCESSOR, [LANE_QUEUE] = PROFILE_QUEUE };

	return lane < sizeof(lanes) / sizeof(*lanes) ? lanes[lane] : PROFILE_LANE;
}

static void look_at_owner(struct live *l, struct block *b, const struct snapshot_thread *t)
{
	if (b->generation != t->generation)
		live_read_log(l, b); /* what the one before wrote is still its own */
	if (b->generation != t->generation || b->thread == PROFILE_NONE) {
		if (!live_owner_begins(l, b, t->generation, t->tid, t->name))
			return;
	} else if (!live_owner_told(l, b, t->tid, t->name)) {
		return;
	}
	b->live = t->state == BLOCK_LIVE;
	if (!b->started)
		b->started = t->started;
	l->source.profile->threads[b->thread].state = b->live ? THREAD_LIVE : THREAD_ENDED;
	l->source.profile->threads[b->thread].lane = lane_of(t->lane);
}

/* One block: who owns it, and up to which interval its parts are known, or can be. */
static void look_at_block(struct live *l, struct block *b, uint64_t settled)
{
	struct snapshot_thread t;

	b->ready = settled;
	b->guess.there = false;
	b->live = false;
	if (snapshot_thread(&l->a, b->index, &t) != SNAPSHOT_OK)
		return;
	if (t.state == BLOCK_CLAIMED && !b->generation)
		b->generation = t.generation; /* of an owner to come: all that is there is older */
	if (t.state != BLOCK_LIVE && t.state != BLOCK_ENDED)
		return;
	look_at_owner(l, b, &t);
	if (l->memory || !b->live || (t.epoch > settled && !t.moving))
		return;
	if (infer_part(l, b, settled, t.nodes) == SNAPSHOT_BUSY)
		b->ready = t.epoch ? t.epoch - 1 : 0;
}

/* The newest interval of which every thread's part is known. A thread in flight may hold it back,
 * but not for long, and a dead one not at all. */
uint64_t live_look_at_threads(struct live *l, uint64_t settled)
{
	uint64_t ready = settled;
	int64_t now = clock_ns(CLOCK_MONOTONIC);

	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		look_at_block(l, &l->blocks[i], settled);
		if (l->blocks[i].ready < ready)
			ready = l->blocks[i].ready;
	}
	if (ready == settled || !l->a.live) {
		l->held_since_ns = 0;
		return settled;
	}
	if (!l->held_since_ns)
		l->held_since_ns = now;
	return now - l->held_since_ns < HOLD_NS ? ready : settled;
}

/* PART_LOSSY if zones of the thread were lost in these intervals. */
static uint32_t lossy_flag(const struct snapshot_inferred *what, uint64_t first, uint64_t last)
{
	return what->lossy_first <= last && what->lossy_last >= first ? PART_LOSSY : 0;
}

/* The interval that the thread was in, once. */
static bool give_part(struct live *l, const struct block *b)
{
	const struct inference *g = &b->guess;
	struct join_record part = { .kind = JOIN_PART, .thread = b->thread,
				    .flags = PART_INFERRED | lossy_flag(&g->what, g->what.epoch, g->what.epoch),
				    .first = g->what.epoch, .last = g->what.epoch,
				    .bound = g->what.bound, .end = g->what.end,
				    .cells = g->cells, .cell_count = g->cell_count,
				    .columns = g->columns.columns, .column_count = g->columns.count };

	return g->lapped || b->inferred >= g->what.epoch ||
	       (live_count_part(l, part.end - part.bound, live_entries(g->cells, g->cell_count)) &&
		live_held(l, join_record(l->join, &part)));
}

/* Gives the inferred intervals behind the first one, from the first that was not given yet. */
static void give_span(struct live *l, struct block *b, uint64_t given, int64_t given_end)
{
	const struct snapshot_inferred *what = &b->guess.what;
	struct profile_cell stay = { .node = live_node(l, b, true, what->current) };
	struct join_record span = { .kind = JOIN_SPAN, .thread = b->thread, .flags = PART_INFERRED,
				    .first = what->epoch + 1, .last = b->inferred,
				    .bound = what->end, .end = b->inferred_end,
				    .cells = &stay, .cell_count = 1 };

	if (span.first <= given)
		span.first = given + 1;
	span.flags |= lossy_flag(what, span.first, span.last);
	if (span.bound < given_end)
		span.bound = given_end;
	if (stay.node == PROFILE_NONE || span.first > span.last ||
	    (span.end > span.bound && !live_count_part(l, span.end - span.bound, 0)))
		return;
	live_held(l, join_record(l->join, &span));
}

void live_give_inferred(struct live *l, struct block *b)
{
	const struct inference *g = &b->guess;
	uint64_t newest = join_newest(l->join), given = b->inferred;
	int64_t given_end = b->inferred_end;
	bool done;

	/* it may have published since */
	if (!g->there || g->what.epoch > newest || b->next > g->what.epoch)
		return;
	done = give_part(l, b);
	b->inferred = newest;
	b->inferred_end = join_newest_end(l->join);
	if (done)
		give_span(l, b, given, given_end);
}

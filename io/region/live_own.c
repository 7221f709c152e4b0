/* SPDX-License-Identifier: MIT */
/*
 * live_own: frames of a process that marks none, made of successive readings of its totals.
 *
 * As long as the process has set no mark, a poll that comes a tenth of a second or more after the reading
 * before it makes a frame of the time in between (FRAME_GUESSED), from 1 on. A thread's part of it is what
 * its totals grew by from one consistent reading to the next: the sum of self is exactly the time between
 * these two, and the parts of a thread tile.
 *
 * A thread that cannot be caught outside of a transition holds the frame back, which gets longer by that,
 * for three tenths of a second. Then its part is missing, and its next one covers what was missed. What
 * threads had that ended and whose block went on to another owner is the part of `ended threads`.
 *
 * The longest call of a part is known where it is the longest of the thread's run so far; else calls may have
 * ended that took less, and it is PROFILE_LONGEST_UNKNOWN.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

#define PERIOD_NS 100000000 /* at least, from one reading to the next */
#define HOLD_NS 300000000   /* how long a thread that is not caught holds a frame back, behind its period */
#define TRIES 40

/* The totals of a block, as of one reading. */
struct reading {
	uint64_t generation; /* 0: none */
	int64_t started, until;
	struct snapshot_total *totals;
	uint32_t count, capacity;
	struct snapshot_measures measures; /* read just behind the totals */
	bool measured;                     /* they are of the same owner */
};

/* A block and its last two readings. */
struct own_block {
	uint32_t index;
	struct reading before, now;
	bool caught;     /* now is as new as the frame */
	bool known;      /* it was there when the frame began */
	bool losing;     /* it was in a lost zone at the last reading */
	uint64_t missed; /* first frame of which nothing is known since `before`; 0: none */
};

struct own_frames {
	struct own_block *blocks;
	uint32_t block_count;
	uint64_t number;  /* of the newest */
	int64_t end;      /* its end, or the tick of the first reading; 0: there was none */
	int64_t read_ns;
	bool was_off;     /* nothing was recorded at the last reading */
	uint64_t lost;    /* zones that were lost, at the last reading */
	bool lossy;       /* more were lost since the reading before */
	struct profile_total *ended; /* by node of the profile: what those had that ended since */
	uint32_t ended_capacity;
};

bool live_is_unmarked(const struct live *l)
{
	return l->process.epoch <= 1 && !l->process.frames;
}

bool live_own_begun(const struct live *l)
{
	return l->own && l->own->number;
}

bool live_own_is_over(const struct live *l)
{
	return live_own_begun(l) && !live_is_unmarked(l);
}

void live_own_free(struct live *l)
{
	struct own_frames *o = l->own;

	for (uint32_t i = 0; o && i < o->block_count; i++) {
		free(o->blocks[i].before.totals);
		free(o->blocks[i].now.totals);
		free(o->blocks[i].before.measures.values);
		free(o->blocks[i].now.measures.values);
	}
	if (o) {
		free(o->blocks);
		free(o->ended);
	}
	free(o);
	l->own = NULL;
}

static bool own_begin(struct live *l)
{
	if (!l->own) {
		l->own = calloc(1, sizeof(*l->own));
		if (l->own)
			l->own->blocks = array_zeroed(l->a.thread_count, sizeof(*l->own->blocks));
		if (l->own && l->own->blocks)
			l->own->block_count = l->a.thread_count;
	}
	return live_held(l, l->own && l->own->blocks);
}

/* Reading */

/* False: the totals are not those of the thread as of now. */
static bool keep_reading(struct live *l, struct own_block *o, const struct snapshot_totals *out,
			 uint32_t nodes)
{
	struct reading *r = &o->now;

	if (!live_held(l, array_reserve(&r->totals, &r->capacity, nodes, sizeof(*r->totals))))
		return false;
	if (nodes)
		memcpy(r->totals, l->totals, nodes * sizeof(*r->totals));
	r->generation = out->generation;
	r->started = out->started;
	r->until = out->until;
	r->count = nodes;
	r->measured = !l->process.measures || (snapshot_measures(&l->a, o->index, &r->measures) == SNAPSHOT_OK &&
					       r->measures.generation == r->generation);
	return !out->at_bound;
}

static bool read_block(struct live *l, struct own_block *o, uint32_t index)
{
	struct block *b = &l->blocks[index];
	struct snapshot_thread t;
	struct snapshot_totals out;

	o->index = index;
	o->now.generation = 0;
	if (!b->generation)
		return true;
	if (live_catch_totals(l, b, TRIES, 0, &t, &out) != SNAPSHOT_OK)
		return false;
	o->losing = t.losing;
	if (!live_totals_are_sane(l, &out, t.nodes))
		return false;
	if (out.state != BLOCK_LIVE && out.state != BLOCK_ENDED)
		return false; /* it is on its way from one owner to the next */
	if ((out.generation != b->generation || b->thread == PROFILE_NONE) &&
	    !live_owner_begins(l, b, out.generation, t.tid, t.name))
		return false;
	return keep_reading(l, o, &out, t.nodes);
}

/* False: some thread could not be caught. */
static bool read_blocks(struct live *l)
{
	bool all = true;

	l->total_ticks = l->total_entries = 0;
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		struct own_block *o = &l->own->blocks[i];

		o->caught = read_block(l, o, i);
		all &= o->caught;
	}
	return all;
}

/* The present reading becomes the one that the next is compared with. */
static void pass_on(struct own_block *o)
{
	struct reading before = o->before;

	o->before = o->now;
	o->now = before;
	o->now.generation = 0;
	o->missed = 0;
}

/* Parts */

static const struct snapshot_total *total_of(const struct reading *r, uint32_t node)
{
	static const struct snapshot_total none;

	return r && node < r->count ? &r->totals[node] : &none;
}

static bool same_owner(const struct own_block *o)
{
	return o->before.generation && o->before.generation == o->now.generation;
}

/* The difference of a node since the reading before. False: it has less than before, which is impossible. */
static bool cell_of(const struct own_block *o, const struct reading *base, uint32_t node,
		    struct profile_cell *out)
{
	const struct snapshot_total *now = total_of(&o->now, node), *before = total_of(base, node);

	out->self = now->self - before->self;
	out->count = (int64_t)now->count - (int64_t)before->count;
	out->longest = PROFILE_LONGEST_UNKNOWN;
	if (now->longest > before->longest)
		out->longest = now->longest;
	else if (!base || !node)
		out->longest = 0; /* none has ended: the root never does */
	return out->self >= 0 && out->count >= 0;
}

static bool make_cells(struct live *l, struct own_block *o, struct block *b,
		       const struct reading *base, uint32_t *count)
{
	*count = 0;
	for (uint32_t i = 0; i < o->now.count; i++) {
		struct profile_cell cell;

		if (!cell_of(o, base, i, &cell))
			return false;
		if (!cell.self && !cell.count)
			continue;
		cell.node = live_node(l, b, true, i);
		if (cell.node == PROFILE_NONE ||
		    !live_held(l, array_reserve(&l->cells, &l->cell_capacity, (uint64_t)*count + 1,
						sizeof(*l->cells))))
			return false;
		l->cells[(*count)++] = cell;
	}
	return true;
}

/* With the columns that are in l->columns. */
static void set_part(struct live *l, struct profile_part *part)
{
	part->columns = l->columns.columns;
	part->column_count = l->columns.count;
	live_held(l, profile_set_part(l->source.profile, l->own->number, part));
}

/* Nothing is known of the thread in this frame, but will be when it is caught. */
static void miss_part(struct live *l, struct own_block *o, struct block *b)
{
	struct profile_part part = { .thread = b->thread, .flags = PART_MISSING, .first_frame = l->own->number,
				     .bound = o->before.until, .end = o->before.until };

	if (!o->missed)
		o->missed = l->own->number;
	if (live_unknown_columns(l))
		set_part(l, &part);
	l->in_flight++;
}

static void give_part(struct live *l, struct own_block *o, struct block *b, int64_t start)
{
	const struct reading *base = same_owner(o) ? &o->before : NULL;
	struct profile_part part = { .thread = b->thread, .first_frame = l->own->number, .end = o->now.until };

	if (base && (o->now.until < base->until || (!o->caught && o->now.until == base->until))) {
		miss_part(l, o, b);
		return;
	}
	part.bound = base ? base->until : o->now.started;
	if (!base && o->now.started < start) { /* it was there before, and not caught */
		miss_part(l, o, b);
		pass_on(o);
		return;
	}
	if (part.end == part.bound || !make_cells(l, o, b, base, &part.cell_count)) {
		pass_on(o);
		return;
	}
	if (l->own->lossy || o->losing)
		part.flags |= PART_LOSSY;
	if (o->missed && base) {
		part.flags |= PART_MERGED;
		part.first_frame = o->missed;
	}
	part.cells = l->cells;
	if (o->now.measured && (!base || base->measured)
		    ? live_difference_columns(l, b, base ? &base->measures : NULL, &o->now.measures)
		    : live_unknown_columns(l))
		set_part(l, &part);
	pass_on(o);
}

/* Threads that ended */

static bool add_ended(struct live *l, struct block *b, uint32_t node, int64_t self, int64_t count)
{
	struct own_frames *own = l->own;
	uint32_t to;

	if (self < 0 || count < 0 || (!self && !count))
		return true;
	if (!live_ended_begins(l, b))
		return false;
	to = live_node(l, b, false, node);
	if (to == PROFILE_NONE ||
	    !live_held(l, array_reserve_zeroed(&own->ended, &own->ended_capacity, (uint64_t)to + 1, sizeof(*own->ended))))
		return false;
	own->ended[to].self += self;
	own->ended[to].count += count;
	return true;
}

/* Collects the time of the previous owner after its last reading, and of owners that came and went since. */
static void collect_ended(struct live *l, struct own_block *o, struct block *b)
{
	const struct reading *before = o->before.generation ? &o->before : NULL;

	if (same_owner(o) || (!before && (o->known || o->now.generation < 2)))
		return;
	for (uint32_t i = 0; i < o->now.count; i++) {
		const struct snapshot_total *now = total_of(&o->now, i), *old = total_of(before, i);

		if (!add_ended(l, b, i, now->ended_self - old->ended_self - old->self,
			       (int64_t)(now->ended_count - old->ended_count - old->count)))
			return;
	}
}

static void give_ended(struct live *l, int64_t end)
{
	struct own_frames *own = l->own;
	struct profile_part part = { .thread = l->ended, .first_frame = own->number, .bound = end, .end = end };

	for (uint32_t i = 0; i < own->ended_capacity; i++) {
		const struct profile_total *t = &own->ended[i];

		if (!t->self && !t->count)
			continue;
		if (!live_held(l, array_reserve(&l->cells, &l->cell_capacity, (uint64_t)part.cell_count + 1,
						sizeof(*l->cells))))
			return;
		l->cells[part.cell_count++] = (struct profile_cell){
			.node = i, .self = t->self, .count = t->count, .longest = PROFILE_LONGEST_UNKNOWN };
		part.bound -= t->self;
	}
	array_clear(own->ended, own->ended_capacity, sizeof(*own->ended));
	part.cells = l->cells;
	if (part.cell_count && part.bound >= 0 && live_unknown_columns(l))
		set_part(l, &part);
}

/* Frames */

static void give_parts(struct live *l, int64_t start)
{
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		struct own_block *o = &l->own->blocks[i];
		struct block *b = &l->blocks[i];

		if (b->thread == PROFILE_NONE || (!o->now.generation && o->caught))
			continue;
		if (o->now.generation)
			collect_ended(l, o, b);
		if (o->now.generation)
			give_part(l, o, b, start);
		else
			miss_part(l, o, b);
	}
	give_ended(l, l->own->end);
}

static void make_frame(struct live *l)
{
	struct own_frames *own = l->own;
	bool off = !l->process.enabled || own->was_off;
	int64_t start = own->end;

	own->end = l->now;
	own->number++;
	if (!live_held(l, profile_add_frame(l->source.profile, own->number, start, own->end - start,
					    FRAME_GUESSED | (off ? FRAME_DISCARDED : 0u))))
		return;
	give_parts(l, start);
}

/* The first reading: what was before is in no frame. */
static void make_ground(struct live *l)
{
	l->own->end = l->now;
	for (uint32_t i = 0; i < l->process.threads; i++)
		if (l->own->blocks[i].caught)
			pass_on(&l->own->blocks[i]);
}

/* The zones that were lost since the reading before may be of any thread. */
static void read_lost(struct live *l)
{
	static const enum region_loss of_zones[] = { LOSS_TOO_DEEP, LOSS_NODE_ROOM,  LOSS_ZONE_ROOM,
						     LOSS_MEMORY,   LOSS_IN_HANDLER, LOSS_STACK_ROOM };
	uint64_t lost = 0;

	snapshot_losses(&l->a, &l->process);
	for (size_t i = 0; i < sizeof(of_zones) / sizeof(*of_zones); i++)
		lost += l->process.lost[of_zones[i]];
	l->own->lossy = lost != l->own->lost;
	l->own->lost = lost;
}

/* A poll that comes too early, or that has to wait for a thread, makes none. */
static void read_own(struct live *l)
{
	struct own_frames *own = l->own;
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC), since = now_ns - own->read_ns;

	if (own->end && (since < PERIOD_NS || l->now <= own->end))
		return;
	if ((!read_blocks(l) && own->end && since < PERIOD_NS + HOLD_NS) || l->memory)
		return;
	own->read_ns = now_ns;
	read_lost(l);
	if (own->end)
		make_frame(l);
	else
		make_ground(l);
	own->was_off = !l->process.enabled;
	for (uint32_t i = 0; i < l->process.threads; i++)
		own->blocks[i].known = true;
}

void live_make_own(struct live *l)
{
	if (!l->makes_own || !live_is_unmarked(l) || l->memory)
		return;
	if (l->a.live && own_begin(l))
		read_own(l);
	if (l->own)
		l->source.profile->frames_ended = l->own->number;
}

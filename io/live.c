/* SPDX-License-Identifier: MIT */
#include "io/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/join.h"
#include "io/nodes.h"
#include "model/array.h"
#include "shm/snapshot.h"

#define NS_PER_S 1000000000
#define SETTLE_NS 1000000       /* what was seen this long ago is seen by all threads */
#define HOLD_NS 100000000       /* how long a thread in flight holds frames back */
#define TRIES 40                /* to catch a thread outside of a transition */
#define TOTAL_TRIES 4           /* to catch its totals; those up to its last boundary do as well */
#define TRY_NS 25000            /* between them */
#define HELD_CELLS_MAX 4000000u /* of all frames in the profile: 128 MiB */
#define ENDED_ID 0              /* the id of the thread that is all ended ones */
#define NEVER UINT64_MAX
#define SUM_MAX ((uint64_t)1 << 62) /* of all ticks, of all entries: more is damage, and overflows */

/* A part that its thread has not published. */
struct inference {
	bool there;
	struct snapshot_inferred what;
	struct profile_cell *cells;
	uint32_t cell_count;
	uint32_t cell_capacity;
};

/* A block of the region and its present owner. */
struct block {
	uint32_t index;
	uint64_t generation; /* 0: none yet */
	uint32_t thread;     /* of the profile; PROFILE_NONE: none yet */
	uint64_t position;   /* in the part log */
	uint64_t next;       /* interval of the record to come; NEVER: the owner ended */
	uint64_t oldest;     /* first interval that is whole in the log; NEVER: none seen */
	uint64_t torn;       /* interval whose first pieces are gone; 0: none */
	uint64_t first;      /* interval in which the owner began; 0: to be found by its tick */
	uint64_t last;       /* interval in which it ended; NEVER: it lives */
	uint64_t inferred;   /* newest interval that was inferred */
	uint64_t ready;      /* parts are known up to this interval */
	int64_t started;
	int64_t end;     /* of the record before: records tile */
	bool live;
	struct node_tree tree;
	struct node_map own;   /* of the owner */
	struct node_map ended; /* of all before it */
	struct inference guess;
};

struct live {
	struct source source;
	struct attachment a;
	char *name;
	struct join *join;
	struct block *blocks;
	uint32_t *zones; /* by id of the region: zone of the profile; PROFILE_NONE: none yet */
	uint32_t zone_room;
	uint32_t damaged_zone;
	uint32_t ended; /* the thread of all ended ones; PROFILE_NONE: none yet */
	struct node_paths ended_paths;
	struct snapshot_process process;
	bool began;        /* something was read before */
	bool memory;       /* something could not be allocated */
	uint64_t interval; /* next to be read */
	uint64_t settled;  /* newest that had been decided at the look before */
	int64_t looked_ns;
	int64_t held_since_ns; /* 0: nothing is held back */
	uint64_t missed_from;  /* frames from this interval on have not been looked through */
	int64_t now;
	uint64_t part_ticks, part_entries;   /* given to the profile in parts so far */
	uint64_t total_ticks, total_entries; /* and in the totals of this poll */
	int64_t first_tick, last_tick;       /* of the run */
	uint64_t lost_parts, lost_frames, damaged_records, damaged_nodes, torn_totals;
	uint64_t in_flight;
	uint32_t held_cells;
	uint64_t counted; /* newest frame whose cells are in held_cells */
	struct snapshot_total *totals;
	uint32_t total_capacity;
	struct snapshot_place *places;
	uint32_t place_capacity;
	struct profile_cell *cells;
	uint32_t cell_capacity;
};

static void nap(int64_t ns)
{
	struct timespec time = { .tv_nsec = ns };

	if (ns > 0)
		nanosleep(&time, NULL);
}

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* False is remembered: the poll ends with it. */
static bool held(struct live *l, bool done)
{
	l->memory |= !done;
	return done;
}

/* Zones and nodes */

static uint32_t damaged_zone(struct live *l)
{
	if (l->damaged_zone == PROFILE_NONE)
		l->damaged_zone = profile_add_zone(l->source.profile, "(damaged)", "", 0, 0);
	return l->damaged_zone;
}

static uint32_t read_zone(struct live *l, uint32_t id)
{
	struct snapshot_zone zone;
	size_t size = (size_t)l->a.string_bytes + 2; /* name and file together, or cut */
	char *text = malloc(size);
	uint32_t index;

	if (!text)
		return PROFILE_NONE;
	if (snapshot_zone(&l->a, id - 1, &zone, text, size))
		index = profile_add_zone(l->source.profile, zone.name, zone.file, zone.line, 0);
	else
		index = damaged_zone(l);
	free(text);
	return index;
}

static uint32_t zone_of(struct live *l, uint32_t id)
{
	if (id == REGION_NO_ZONE || id >= l->zone_room)
		return damaged_zone(l);
	if (l->zones[id] == PROFILE_NONE)
		l->zones[id] = read_zone(l, id);
	return l->zones[id];
}

/* Takes in the places of all nodes below `count`. */
static bool tree_reach(struct live *l, struct block *b, uint32_t count)
{
	uint32_t first = b->tree.count, damaged = 0;

	if (count <= first)
		return true;
	if (!held(l, array_reserve(&l->places, &l->place_capacity, count - first,
				   sizeof(*l->places))))
		return false;
	memset(l->places, 0, (count - first) * sizeof(*l->places));
	snapshot_nodes(&l->a, b->index, first, count, l->places, &damaged);
	l->damaged_nodes += damaged;
	for (uint32_t i = first; i < count; i++) {
		uint32_t zone = i ? zone_of(l, l->places[i - first].zone) : PROFILE_NO_ZONE;

		if (!held(l, zone != PROFILE_NONE &&
				     node_tree_add(&b->tree, l->places[i - first].parent, zone)))
			return false;
	}
	return true;
}

/* The node of the profile for a node of the block, of its owner or of those that ended. */
static uint32_t node_of(struct live *l, struct block *b, bool owner, uint32_t node)
{
	uint32_t found;

	if (!tree_reach(l, b, node + 1))
		return PROFILE_NONE;
	found = node_map_find(owner ? &b->own : &b->ended, l->source.profile, &b->tree,
			      owner ? NULL : &l->ended_paths, node);
	held(l, found != PROFILE_NONE);
	return found;
}

/* Threads */

static uint64_t thread_id(const struct live *l, uint32_t block, uint64_t generation)
{
	return 1 + block + (generation ? generation - 1 : 0) * (uint64_t)l->a.thread_count;
}

/* What an owner had in the whole run is now in what all before it had. */
static void owner_passes(struct live *l, const struct block *b)
{
	struct profile *p = l->source.profile;

	p->threads[b->thread].state = THREAD_ENDED;
	profile_set_time(p, b->thread, p->threads[b->thread].first_tick, 0);
	for (uint32_t i = 0; i < b->own.count; i++)
		if (b->own.of[i] != PROFILE_NONE)
			profile_set_total(p, b->own.of[i], 0, 0, 0);
}

static bool owner_begins(struct live *l, struct block *b, uint64_t generation, int64_t tid,
			 const char *name)
{
	struct profile *p = l->source.profile;

	if (b->thread != PROFILE_NONE)
		owner_passes(l, b);
	b->thread = profile_add_thread(p, thread_id(l, b->index, generation), tid, name);
	if (!held(l, b->thread != PROFILE_NONE))
		return false;
	b->generation = generation;
	b->first = 0;
	b->last = NEVER;
	b->started = 0;
	b->inferred = 0;
	b->guess.there = false;
	return held(l, node_map_begin(&b->own, p->threads[b->thread].root));
}

static bool ended_begins(struct live *l, struct block *b)
{
	struct profile *p = l->source.profile;

	if (l->ended == PROFILE_NONE) {
		l->ended = profile_add_thread(p, ENDED_ID, 0, "ended threads");
		if (!held(l, l->ended != PROFILE_NONE))
			return false;
		p->threads[l->ended].state = THREAD_AGGREGATE;
	}
	return b->ended.count || held(l, node_map_begin(&b->ended, p->threads[l->ended].root));
}

/* Records of the part log */

struct reading {
	struct live *l;
	struct block *b;
	uint64_t interval; /* of a frame that was kept */
	uint64_t lapped;   /* words of the log, raised before what is behind them is delivered */
	uint64_t lapped_before;
};

/* How many owners behind (negative: before) the present one the record's is. */
static int16_t owners_off(const struct block *b, const struct record_head *head)
{
	return (int16_t)(uint16_t)(head->generation - (unsigned)b->generation);
}

/* False: with this the sums would be beyond what any machine can have counted. */
static bool within(uint64_t *sum, uint64_t more)
{
	if (more > SUM_MAX || *sum > SUM_MAX - more)
		return false;
	*sum += more;
	return true;
}

static bool is_sane(struct live *l, const struct record_head *head, const struct record_node *nodes,
		    uint32_t count)
{
	bool sane = within(&l->part_ticks, (uint64_t)(head->end - head->bound));

	for (uint32_t i = 0; sane && head->kind != RECORD_SPAN && i < count; i++)
		sane = within(&l->part_entries, nodes[i].count);
	l->damaged_records += !sane;
	return sane;
}

/* The record's nodes as cells in l->cells. */
static bool take_cells(struct live *l, struct block *b, bool owner, const struct record_node *nodes,
		       uint32_t count)
{
	if (!held(l, array_reserve(&l->cells, &l->cell_capacity, count, sizeof(*l->cells))))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = node_of(l, b, owner, nodes[i].node);

		if (node == PROFILE_NONE)
			return false;
		l->cells[i] = (struct profile_cell){ node, nodes[i].self, (int64_t)nodes[i].count,
						     nodes[i].longest };
	}
	return true;
}

static uint32_t record_flags(const struct record_head *head)
{
	uint32_t flags = 0;

	if (head->flags & RECORD_DISCARDED)
		flags |= PART_DISCARDED;
	if (head->flags & RECORD_CUT && head->kind != RECORD_SPAN)
		flags |= PART_MISSING;
	if (head->kind == RECORD_EXIT)
		flags |= PART_EXIT;
	return flags;
}

static bool give_record(struct live *l, struct block *b, const struct record_head *head,
			const struct record_node *nodes)
{
	bool owner = owners_off(b, head) == 0, span = head->kind == RECORD_SPAN;
	struct record_node stay = { .node = head->nodes };
	uint32_t count = span ? 1 : head->flags & (RECORD_CUT | RECORD_DISCARDED) ? 0 : head->nodes;
	struct join_record r = { .flags = record_flags(head), .first = head->interval,
				 .last = head->interval + head->intervals - 1,
				 .bound = head->bound, .end = head->end, .cell_count = count };

	if (!is_sane(l, head, nodes, count))
		return true;
	if ((!owner && !ended_begins(l, b)) ||
	    !take_cells(l, b, owner, span ? &stay : nodes, count))
		return false;
	r.kind = span ? JOIN_SPAN : head->kind == RECORD_MERGED ? JOIN_MERGED : JOIN_PART;
	r.thread = owner ? b->thread : l->ended;
	r.cells = l->cells;
	return held(l, join_record(l->join, &r));
}

/* Where the log begins, or goes on behind a gap: pieces before the first record may be gone. A gap is
 * what was lapped, or else what the writer had no room for. */
static void take_up(struct reading *reading, const struct record_head *head)
{
	struct block *b = reading->b;
	bool whole = head->kind == RECORD_START || head->kind == RECORD_SPAN;
	uint64_t from = whole ? head->interval : head->interval + head->intervals;

	b->torn = whole ? 0 : head->interval;
	if (b->oldest != NEVER && reading->lapped == reading->lapped_before)
		return;
	if (b->oldest != NEVER && b->next != NEVER && from > b->next)
		reading->l->lost_parts += from - b->next;
	reading->lapped_before = reading->lapped;
	b->oldest = from;
}

/* The first record of an owner that was not known: its START, unless that was lapped. A block that was
 * seen while it was claimed has a generation, and no owner yet. */
static bool take_owner(struct live *l, struct block *b, const struct record_head *head)
{
	int16_t off = owners_off(b, head);
	bool start = head->kind == RECORD_START;
	bool fresh = off > 0 || (off == 0 && b->thread == PROFILE_NONE);

	if (fresh && !owner_begins(l, b, b->generation + (uint64_t)off, start ? head->nodes : 0,
				     NULL))
		return false;
	if (start && off >= 0) {
		b->first = head->interval;
		b->started = head->bound;
	}
	return true;
}

static bool take_record(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct reading *reading = context;
	struct live *l = reading->l;
	struct block *b = reading->b;
	bool stays = head->kind == RECORD_MORE || head->kind == RECORD_START;

	if (b->oldest == NEVER || (head->kind != RECORD_START && head->bound != b->end))
		take_up(reading, head);
	if (!take_owner(l, b, head))
		return false;
	if (head->kind == RECORD_START)
		b->torn = 0;
	b->end = head->end;
	b->next = head->interval + (stays ? 0 : head->intervals);
	if (head->kind == RECORD_EXIT) {
		b->next = NEVER;
		if (owners_off(b, head) == 0)
			b->last = head->interval;
	}
	if (head->kind == RECORD_START || head->interval == b->torn)
		return true;
	return give_record(l, b, head, nodes);
}

static void read_log(struct live *l, struct block *b)
{
	struct reading reading = { .l = l, .b = b };

	if (b->generation)
		snapshot_parts(&l->a, b->index, &b->position, &reading.lapped,
			       &l->damaged_records, take_record, &reading);
}

/* Parts kept of the worst frames, where the log no longer has them. */

static bool take_kept(const struct record_head *head, const struct record_node *nodes,
		      void *context)
{
	const struct reading *reading = context;
	struct record_head one = *head;

	if (head->kind == RECORD_START || owners_off(reading->b, head) > 0 ||
	    reading->interval < head->interval ||
	    reading->interval - head->interval >= head->intervals)
		return true;
	/* of a record of several intervals, what it says of this one: the others may be known */
	one.interval = reading->interval;
	one.intervals = 1;
	return give_record(reading->l, reading->b, &one, nodes);
}

static void read_kept(struct live *l, uint32_t slot)
{
	struct snapshot_frame frame;

	if (snapshot_worst(&l->a, slot, &frame) != SNAPSHOT_OK)
		return;
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		struct block *b = &l->blocks[i];
		struct reading reading = { .l = l, .b = b, .interval = frame.interval };

		if (b->generation && frame.interval < b->oldest)
			snapshot_kept(&l->a, i, slot, frame.interval, &l->damaged_records, take_kept,
				      &reading);
	}
}

/* Intervals */

static uint32_t frame_flags(unsigned marks)
{
	return (marks & MARK_DISCARDED ? FRAME_DISCARDED : 0u) |
	       (marks & MARK_BOUNDED ? FRAME_BOUNDED : 0u) |
	       (marks & MARK_SLOW ? FRAME_SLOW : 0u);
}

/* One interval behind the other, and frames in the order of their numbers: anything else is damage,
 * and is left out. */
static void give_interval(struct live *l, const struct snapshot_frame *frame, uint32_t flags)
{
	const struct profile *p = l->source.profile;
	struct join_interval interval = { .interval = frame->interval, .number = frame->number,
					  .start = frame->start, .end = frame->end, .flags = flags };

	if (frame->flags & MARK_OUTSIDE)
		interval.number = 0;
	if (frame->start < join_newest_end(l->join) || frame->interval <= join_newest(l->join) ||
	    (interval.number && p->frame_count &&
	     interval.number <= p->frames[p->frame_count - 1].number)) {
		l->damaged_records++;
		return;
	}
	held(l, join_interval(l->join, &interval));
}

static int by_interval(const void *a, const void *b)
{
	const struct snapshot_frame *x = a, *y = b;

	return (x->interval > y->interval) - (x->interval < y->interval);
}

/* The worst frames that are older than all that the ring still has. */
static void read_worst(struct live *l, uint64_t before)
{
	struct snapshot_frame frames[REGION_WORST_FRAMES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->a.worst_count && i < REGION_WORST_FRAMES; i++)
		if (snapshot_worst(&l->a, i, &frames[count]) == SNAPSHOT_OK &&
		    frames[count].interval < before)
			count++;
	qsort(frames, count, sizeof(*frames), by_interval);
	for (uint32_t i = 0; i < count && !l->memory; i++)
		give_interval(l, &frames[i], frame_flags(frames[i].flags) | FRAME_SLOW | FRAME_KEPT);
}

static void read_intervals(struct live *l, uint64_t last)
{
	struct snapshot_frame frame;

	for (; l->interval <= last && !l->memory; l->interval++) {
		switch (snapshot_frame(&l->a, l->interval, &frame)) {
		case SNAPSHOT_OK:
			give_interval(l, &frame, frame_flags(frame.flags));
			break;
		case SNAPSHOT_LAPPED:
			l->lost_frames += l->began;
			break;
		case SNAPSHOT_UNDECIDED:
		case SNAPSHOT_ABSENT:
			return;
		default:
			l->damaged_records++;
		}
	}
}

/* The oldest interval that can still be there; the ring's next victims are left alone. */
static uint64_t oldest_interval(const struct live *l)
{
	uint64_t most = l->a.frame_count > 16 ? l->a.frame_count - 8 : l->a.frame_count;

	return l->process.epoch > most ? l->process.epoch - most : 1;
}

/* Threads and what they have not published */

static bool totals_room(struct live *l, uint32_t count)
{
	if (!held(l, array_reserve(&l->totals, &l->total_capacity, count, sizeof(*l->totals))))
		return false;
	memset(l->totals, 0, count * sizeof(*l->totals));
	return true;
}

static bool inferred_is_sane(struct live *l, const struct snapshot_inferred *what, uint32_t count)
{
	bool sane = what->bound >= 0 && what->end >= what->bound &&
		    within(&l->part_ticks, (uint64_t)(what->end - what->bound));

	for (uint32_t i = 0; sane && i < count; i++)
		sane = l->totals[i].frame_self >= 0 && l->totals[i].frame_longest >= 0 &&
		       within(&l->part_entries, l->totals[i].frame_count);
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
		cell.node = node_of(l, b, true, i);
		if (cell.node == PROFILE_NONE ||
		    !held(l, array_reserve(&g->cells, &g->cell_capacity,
					   (uint64_t)g->cell_count + 1, sizeof(*g->cells))))
			return false;
		g->cells[g->cell_count++] = cell;
	}
	return true;
}

/* Looks at a thread that may be behind interval `settled`: what it will publish is worked out.
 * BUSY: it could not be caught outside of a transition. */
static enum snapshot_result infer(struct live *l, struct block *b, uint64_t settled, uint32_t nodes)
{
	enum snapshot_result result = SNAPSHOT_BUSY;

	b->guess.there = false;
	for (int i = 0; i < TRIES && result == SNAPSHOT_BUSY; i++) {
		if (i && l->a.live)
			nap(TRY_NS);
		if (!totals_room(l, nodes))
			return SNAPSHOT_ABSENT;
		result = snapshot_infer(&l->a, b->index, settled, nodes, l->totals, &b->guess.what);
	}
	if (result == SNAPSHOT_OK)
		b->guess.there = keep_inferred(l, b, nodes);
	return result;
}

static void look_at_owner(struct live *l, struct block *b, const struct snapshot_thread *t)
{
	if (b->generation != t->generation || b->thread == PROFILE_NONE) {
		if (!owner_begins(l, b, t->generation, t->tid, t->name))
			return;
	} else if (!held(l, profile_add_thread(l->source.profile,
					       thread_id(l, b->index, b->generation), t->tid,
					       t->name) != PROFILE_NONE)) {
		return;
	}
	b->live = t->state == BLOCK_LIVE;
	if (!b->started)
		b->started = t->started;
	l->source.profile->threads[b->thread].state = b->live ? THREAD_LIVE : THREAD_ENDED;
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
	if (l->memory || !b->live || t.epoch > settled)
		return;
	if (infer(l, b, settled, t.nodes) == SNAPSHOT_BUSY)
		b->ready = t.epoch ? t.epoch - 1 : 0;
}

/* The newest interval of which every thread's part is known. A thread in flight may hold it back,
 * but not for long, and a dead one not at all. */
static uint64_t look_at_threads(struct live *l, uint64_t settled)
{
	uint64_t ready = settled;
	int64_t now = monotonic_ns();

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

static void give_inferred(struct live *l, struct block *b)
{
	struct inference *g = &b->guess;
	uint64_t newest = join_newest(l->join);
	struct join_record part = { .kind = JOIN_PART, .thread = b->thread, .flags = PART_INFERRED,
				    .first = g->what.epoch, .last = g->what.epoch,
				    .bound = g->what.bound, .end = g->what.end,
				    .cells = g->cells, .cell_count = g->cell_count };
	struct profile_cell stay = { 0 };
	struct join_record span = { .kind = JOIN_SPAN, .thread = b->thread, .flags = PART_INFERRED,
				    .first = g->what.epoch + 1, .last = newest,
				    .bound = g->what.end, .cells = &stay, .cell_count = 1 };

	/* it may have published since */
	if (!g->there || g->what.epoch > newest || b->next > g->what.epoch)
		return;
	if (b->inferred < g->what.epoch && !held(l, join_record(l->join, &part)))
		return;
	if (span.first <= b->inferred)
		span.first = b->inferred + 1;
	b->inferred = newest;
	stay.node = node_of(l, b, true, g->what.current);
	if (stay.node != PROFILE_NONE && span.first <= newest)
		held(l, join_record(l->join, &span));
}

/* Says of the frames that came with this poll in which of them a thread's part is not there. */
static void find_missing(struct live *l, struct block *b)
{
	uint64_t first = b->first, oldest = b->oldest, newest = join_newest(l->join), missing = 0;

	if (b->thread == PROFILE_NONE || !b->started)
		return;
	if (!first)
		first = join_interval_at(l->join, b->started);
	if (oldest == NEVER)
		oldest = b->guess.there ? b->guess.what.epoch : first;
	if (first < l->missed_from)
		first = l->missed_from;
	if (b->last < newest)
		newest = b->last;
	if (oldest > first)
		held(l, join_missing(l->join, b->thread, first, oldest - 1, PART_LAPPED, &missing));
	missing = 0;
	if (oldest > first)
		first = oldest;
	if (first <= newest)
		held(l, join_missing(l->join, b->thread, first, newest, PART_MISSING, &missing));
	if (b->live && b->ready < join_newest(l->join) && !b->guess.there)
		l->in_flight++;
}

/* The whole run */

static bool total_is_sane(struct live *l, const struct snapshot_total *t)
{
	return t->self >= 0 && t->ended_self >= 0 && t->longest >= 0 && t->ended_longest >= 0 &&
	       within(&l->total_ticks, (uint64_t)t->self) &&
	       within(&l->total_ticks, (uint64_t)t->ended_self) &&
	       within(&l->total_entries, t->count) && within(&l->total_entries, t->ended_count);
}

static bool totals_are_sane(struct live *l, const struct snapshot_totals *out, uint32_t nodes)
{
	if (out->torn || out->started < 0 || out->until < out->started)
		return false;
	for (uint32_t i = 0; i < nodes; i++)
		if (!total_is_sane(l, &l->totals[i]))
			return false;
	return true;
}

/* What the owners before had, added to what other blocks gave. */
static bool add_ended(struct live *l, struct block *b, uint32_t node)
{
	const struct snapshot_total *t = &l->totals[node];
	struct profile *p = l->source.profile;
	struct profile_total *sum;
	uint32_t to;

	if (!t->ended_self && !t->ended_count)
		return true;
	if (!ended_begins(l, b))
		return false;
	to = node_of(l, b, false, node);
	if (to == PROFILE_NONE)
		return false;
	sum = &p->totals[to];
	profile_set_total(p, to, sum->self + t->ended_self, sum->count + (int64_t)t->ended_count,
			  t->ended_longest > sum->longest ? t->ended_longest : sum->longest);
	profile_set_time(p, l->ended, 0, p->threads[l->ended].time + t->ended_self);
	return true;
}

static bool give_total(struct live *l, struct block *b, uint32_t node)
{
	const struct snapshot_total *t = &l->totals[node];
	bool known = node < b->own.count && b->own.of[node] != PROFILE_NONE;
	uint32_t to;

	if (!known && !t->self && !t->count)
		return true;
	to = node_of(l, b, true, node);
	if (to == PROFILE_NONE)
		return false;
	profile_set_total(l->source.profile, to, t->self, (int64_t)t->count, t->longest);
	return true;
}

/* Totals of a thread that is too busy to be caught are those up to its last boundary. */
static bool catch_totals(struct live *l, struct block *b, struct snapshot_thread *t,
			 struct snapshot_totals *out)
{
	enum snapshot_result result = SNAPSHOT_BUSY;

	for (int i = 0; i < TOTAL_TRIES; i++) {
		if (i)
			nap(TRY_NS);
		if (snapshot_thread(&l->a, b->index, t) == SNAPSHOT_ABSENT ||
		    !totals_room(l, t->nodes))
			return false;
		result = snapshot_totals(&l->a, b->index, l->now, t->nodes, l->totals, out);
		if (!l->a.live || (result == SNAPSHOT_OK && !out->at_bound && !out->torn))
			break;
	}
	return result == SNAPSHOT_OK;
}

static void read_totals(struct live *l, struct block *b)
{
	struct profile *p = l->source.profile;
	struct snapshot_thread t;
	struct snapshot_totals out;
	bool owned;

	if (!b->generation || !catch_totals(l, b, &t, &out))
		return;
	owned = out.state == BLOCK_LIVE || out.state == BLOCK_ENDED;
	if (owned && (out.generation != b->generation || b->thread == PROFILE_NONE) &&
	    !owner_begins(l, b, out.generation, t.tid, t.name))
		return;
	if (!totals_are_sane(l, &out, t.nodes)) {
		l->torn_totals++;
		return;
	}
	for (uint32_t i = 0; i < t.nodes; i++)
		if ((owned && !give_total(l, b, i)) || !add_ended(l, b, i))
			return;
	if (!owned)
		return;
	profile_set_time(p, b->thread, out.started, out.until - out.started);
	if (out.started < l->first_tick)
		l->first_tick = out.started;
	if (out.until > l->last_tick)
		l->last_tick = out.until;
}

/* The sums of those that ended begin anew in each poll. */
static void clear_ended(struct live *l)
{
	struct profile *p = l->source.profile;

	if (l->ended == PROFILE_NONE)
		return;
	for (uint32_t i = 0; i < l->ended_paths.count; i++)
		profile_set_total(p, l->ended_paths.found[i].node, 0, 0, 0);
	profile_set_total(p, p->threads[l->ended].root, 0, 0, 0);
	profile_set_time(p, l->ended, 0, 0);
}

static void read_run(struct live *l)
{
	struct profile *p = l->source.profile;

	l->now = snapshot_newest_tick(&l->a);
	if (l->a.live) {
		int64_t now = l->now;

		if (snapshot_now(&l->a, &now) && now > l->now)
			l->now = now;
	}
	l->first_tick = INT64_MAX;
	l->last_tick = l->now; /* a thread may be read later than that */
	l->total_ticks = l->total_entries = 0;
	l->torn_totals = 0;
	clear_ended(l);
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++)
		read_totals(l, &l->blocks[i]);
	if (l->first_tick == INT64_MAX || l->ended != PROFILE_NONE)
		l->first_tick = (int64_t)l->process.created.ticks;
	if (l->last_tick < 0)
		l->last_tick = 0;
	if (l->first_tick < 0 || l->first_tick > l->last_tick)
		l->first_tick = l->last_tick;
	p->first_tick = l->first_tick;
	p->now_tick = l->last_tick;
	p->frames_ended = l->process.frames;
	if (l->ended != PROFILE_NONE)
		profile_set_time(p, l->ended, p->first_tick, p->threads[l->ended].time);
}

/* The process and what it lost */

static const char *clock_name(uint32_t clock)
{
	static const char *const names[] = {
		[REGION_CLOCK_TSC] = "tsc",
		[REGION_CLOCK_CNTVCT] = "cntvct",
		[REGION_CLOCK_MONOTONIC] = "clock_gettime",
	};

	return clock < sizeof(names) / sizeof(*names) && names[clock] ? names[clock] : "unknown";
}

/* The arguments, with a blank between them. `out` has as many bytes as the header's. */
static void command_line(const struct region_header *header, char *out)
{
	size_t size = sizeof(header->command), length = 0;

	for (size_t i = 0; i < size; i++) {
		out[i] = header->command[i] ? header->command[i] : ' ';
		if (header->command[i])
			length = i + 1;
	}
	out[length < size ? length : size - 1] = '\0';
}

static bool describe_process(struct live *l)
{
	const struct region_header *header = &l->a.header;
	struct profile_process *process = &l->source.profile->process;
	char program[sizeof(header->program) + 1] = "", command[sizeof(header->command)];

	memcpy(program, header->program, sizeof(header->program));
	command_line(header, command);
	process->pid = header->pid;
	process->uid = l->a.uid;
	process->started_ns = (int64_t)header->created.real_ns;
	return profile_text(&process->source, l->name) && profile_text(&process->program, program) &&
	       profile_text(&process->command, command) &&
	       profile_text(&process->clock, clock_name(header->clock));
}

static void read_state(struct live *l)
{
	struct profile *p = l->source.profile;
	bool guessed;

	p->process.state = l->a.live ? PROFILE_LIVE
				     : l->process.exited ? PROFILE_ENDED : PROFILE_DEAD;
	p->ticks_per_s = snapshot_rate(&l->a, &guessed);
	if (guessed)
		held(l, profile_text(&p->process.clock, "unknown rate"));
	for (uint32_t i = 0; i < l->a.thread_count; i++)
		if (l->blocks[i].thread != PROFILE_NONE)
			p->threads[l->blocks[i].thread].marking = i == l->process.marker;
	if (l->process.left_open) {
		uint32_t zone = zone_of(l, l->process.left_open);

		held(l, zone != PROFILE_NONE &&
				profile_text(&p->left_open, p->zones[zone].name));
	}
}

static void read_losses(struct live *l)
{
	const struct {
		const char *key, *sentence;
		uint64_t count;
	} ours[] = {
		{ "lapped_parts", "a part of a frame that was overwritten before proftop read it",
		  l->lost_parts },
		{ "lapped_frames", "a frame that was overwritten before proftop read it",
		  l->lost_frames },
		{ "in_flight", "a thread's last part, which it was just changing", l->in_flight },
		{ "torn_totals", "a thread whose totals are damaged, and left out", l->torn_totals },
		{ "damaged_records", "a record that is damaged, and left out", l->damaged_records },
		{ "damaged_nodes", "a zone stack that is damaged, and stands as (damaged)",
		  l->damaged_nodes },
	};
	struct profile *p = l->source.profile;

	for (unsigned i = 0; i < LOSS_CAUSES; i++)
		held(l, profile_set_loss(p, region_loss_key(i), region_loss_text(i),
					 l->process.lost[i]));
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		held(l, profile_set_loss(p, ours[i].key, ours[i].sentence, ours[i].count));
}

/* What the profile holds of frames stays within bounds, however long it is fed. */

static uint32_t cells_of(const struct profile_frame *frame)
{
	uint32_t cells = 1;

	for (uint32_t i = 0; i < frame->part_count; i++)
		cells += frame->parts[i].cell_count + 2;
	return cells;
}

static void bound_memory(struct live *l)
{
	struct profile *p = l->source.profile;
	uint32_t drop = 0;

	for (uint32_t i = profile_frame_index(p, l->counted + 1); i < p->frame_count; i++) {
		l->held_cells += cells_of(&p->frames[i]);
		l->counted = p->frames[i].number;
	}
	for (; drop + 1 < p->frame_count && l->held_cells > HELD_CELLS_MAX; drop++) {
		uint32_t cells = cells_of(&p->frames[drop]);

		l->held_cells -= cells < l->held_cells ? cells : l->held_cells;
	}
	profile_drop_frames(p, drop);
	join_trim(l->join);
}

/* One poll */

static void read_logs(struct live *l)
{
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++)
		read_log(l, &l->blocks[i]);
}

static void read_all(struct live *l)
{
	uint64_t settled = l->a.live ? l->settled : l->process.decided;

	if (l->began)
		read_logs(l); /* so that new owners of blocks are known by their START */
	settled = look_at_threads(l, settled);
	if (!l->began) {
		l->interval = oldest_interval(l);
		read_worst(l, l->interval);
	}
	read_intervals(l, settled);
	read_logs(l);
	for (uint32_t i = 0; !l->began && i < l->a.worst_count && !l->memory; i++)
		read_kept(l, i);
	l->in_flight = 0;
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		give_inferred(l, &l->blocks[i]);
		find_missing(l, &l->blocks[i]);
	}
	l->missed_from = join_newest(l->join) + 1;
	read_run(l);
	read_state(l);
	read_losses(l);
	bound_memory(l);
}

/* Remembers what all threads will have seen in a millisecond. */
static void look(struct live *l)
{
	snapshot_process(&l->a, &l->process);
	l->settled = l->process.decided;
	l->looked_ns = monotonic_ns();
}

static enum source_result bad(struct live *l, const char *why)
{
	snprintf(l->source.why, sizeof(l->source.why), "'%s' %s", l->name, why);
	return SOURCE_BAD;
}

static enum source_result outcome(struct live *l, uint64_t lost_before)
{
	uint64_t lost = l->lost_parts + l->lost_frames - lost_before;

	if (!l->a.live)
		return region_same_name(&l->a) ? SOURCE_END : SOURCE_GONE;
	if (!lost)
		return SOURCE_MORE;
	snprintf(l->source.why, sizeof(l->source.why),
		 "%llu parts of frames were overwritten before they were read",
		 (unsigned long long)lost);
	return SOURCE_LOST;
}

static enum source_result live_next(struct source *s)
{
	struct live *l = (struct live *)s;
	uint64_t lost_before = l->lost_parts + l->lost_frames;

	nap(l->looked_ns + SETTLE_NS - monotonic_ns());
	region_refresh_life(&l->a);
	snapshot_process(&l->a, &l->process);
	read_all(l);
	look(l);
	l->began = true;
	if (l->a.truncated)
		return bad(l, "was cut off while it was read");
	if (l->memory)
		return bad(l, "is larger than what there is memory for");
	return outcome(l, lost_before);
}

/* Opening and closing */

static void blocks_free(struct live *l)
{
	for (uint32_t i = 0; l->blocks && i < l->a.thread_count; i++) {
		struct block *b = &l->blocks[i];

		node_tree_fini(&b->tree);
		node_map_fini(&b->own);
		node_map_fini(&b->ended);
		free(b->guess.cells);
	}
	free(l->blocks);
	l->blocks = NULL;
}

static void reading_free(struct live *l)
{
	blocks_free(l);
	node_paths_fini(&l->ended_paths);
	join_free(l->join);
	profile_free(l->source.profile);
	free(l->zones);
	l->join = NULL;
	l->source.profile = NULL;
	l->zones = NULL;
}

static bool blocks_begin(struct live *l)
{
	l->blocks = array_zeroed(l->a.thread_count, sizeof(*l->blocks));
	for (uint32_t i = 0; l->blocks && i < l->a.thread_count; i++)
		l->blocks[i] = (struct block){ .index = i, .thread = PROFILE_NONE, .oldest = NEVER,
					       .last = NEVER, .next = 1 };
	l->zone_room = l->a.zone_count + 1;
	l->zones = array_zeroed(l->zone_room, sizeof(*l->zones));
	for (uint32_t i = 0; l->zones && i < l->zone_room; i++)
		l->zones[i] = PROFILE_NONE;
	return l->blocks && l->zones;
}

/* All that was read is forgotten; what was attached stays. */
static bool live_reset(struct source *s)
{
	struct live *l = (struct live *)s, fresh = { .source = l->source };

	reading_free(l);
	fresh.a = l->a;
	fresh.name = l->name;
	fresh.totals = l->totals;
	fresh.total_capacity = l->total_capacity;
	fresh.places = l->places;
	fresh.place_capacity = l->place_capacity;
	fresh.cells = l->cells;
	fresh.cell_capacity = l->cell_capacity;
	fresh.damaged_zone = fresh.ended = PROFILE_NONE;
	*l = fresh;
	l->source.profile = profile_new();
	if (l->source.profile)
		l->join = join_new(l->source.profile);
	if (!l->join || !blocks_begin(l) || !describe_process(l))
		return false;
	look(l);
	return true;
}

static void live_close(struct source *s)
{
	struct live *l = (struct live *)s;

	reading_free(l);
	region_detach(&l->a);
	free(l->totals);
	free(l->places);
	free(l->cells);
	free(l->name);
	free(l);
}

/* Stacks */

#define STACK_MAX 4096

static bool stack_fill(struct live *l, struct block *b, const struct snapshot_open *open,
		       uint32_t count, struct source_stack *out)
{
	out->zones = array_zeroed(count, sizeof(*out->zones));
	for (uint32_t i = count; out->zones && i-- > 0;) {
		uint32_t node = open[i].node ? node_of(l, b, true, open[i].node) : PROFILE_NONE;

		if (node != PROFILE_NONE)
			out->zones[out->count++] = (struct source_open){ node, open[i].entered };
	}
	return out->zones;
}

static bool live_stack(struct source *s, uint32_t thread, struct source_stack *out)
{
	struct live *l = (struct live *)s;
	struct snapshot_open *open = array_zeroed(STACK_MAX, sizeof(*open));
	bool done = false;

	for (uint32_t i = 0; open && i < l->a.thread_count; i++) {
		struct block *b = &l->blocks[i];

		if (b->thread != thread || !b->live)
			continue;
		done = stack_fill(l, b, open,
				  snapshot_stack(&l->a, i, open, STACK_MAX, &out->busy, &out->last),
				  out);
	}
	free(open);
	return done;
}

static const struct source_ops live_ops = {
	.next = live_next,
	.reset = live_reset,
	.stack = live_stack,
	.close = live_close,
};

static enum live_result result_of(enum attach_state state)
{
	static const enum live_result results[ATTACH_STATES] = {
		[ATTACH_OK] = LIVE_OK,
		[ATTACH_ABSENT] = LIVE_ABSENT,
		[ATTACH_BAD_NAME] = LIVE_BAD_NAME,
		[ATTACH_DENIED] = LIVE_FAILED,
		[ATTACH_FOREIGN] = LIVE_NOT_OURS,
		[ATTACH_NOT_A_FILE] = LIVE_NOT_OURS,
		[ATTACH_NOT_A_REGION] = LIVE_NOT_OURS,
		[ATTACH_OTHER_ORDER] = LIVE_NOT_OURS,
		[ATTACH_OTHER_VERSION] = LIVE_NOT_OURS,
		[ATTACH_TRUNCATED] = LIVE_NOT_OURS,
		[ATTACH_DAMAGED] = LIVE_NOT_OURS,
		[ATTACH_MEMORY] = LIVE_FAILED,
	};

	return results[state];
}

struct source *live_open(const char *name, unsigned flags, enum live_result *result, char *why,
			 size_t why_size)
{
	struct live *l = calloc(1, sizeof(*l));
	enum attach_state state;

	*result = LIVE_FAILED;
	snprintf(why, why_size, "out of memory");
	if (!l || !profile_text(&l->name, name)) {
		free(l);
		return NULL;
	}
	state = region_attach(&l->a, name, flags & LIVE_ANY_USER ? ATTACH_ANY_USER : 0, why,
			      why_size);
	if (state != ATTACH_OK) {
		*result = result_of(state);
		free(l->name);
		free(l);
		return NULL;
	}
	l->source.ops = &live_ops;
	if (!live_reset(&l->source)) {
		snprintf(why, why_size, "out of memory");
		live_close(&l->source);
		return NULL;
	}
	*result = LIVE_OK;
	return &l->source;
}

/* What regions there are */

const char *const live_state_names[LIVE_STATES] = {
	[LIVE_IS_LIVE] = "live",     [LIVE_IS_DEAD] = "dead",       [LIVE_IS_FOREIGN] = "foreign",
	[LIVE_IS_OLD] = "old",       [LIVE_IS_DAMAGED] = "damaged",
};

const char *live_directory(void)
{
	return region_directory();
}

const char *live_format(void)
{
#define LIVE_TEXT(x) LIVE_TEXT_(x)
#define LIVE_TEXT_(x) #x
	return LIVE_TEXT(REGION_MAJOR) "." LIVE_TEXT(REGION_MINOR);
}

static bool take_bound(const struct record_head *head, const struct record_node *nodes,
		       void *context)
{
	(void)nodes;
	*(int64_t *)context = head->bound;
	return false;
}

/* The tick from which the parts of the marking thread, or else of the thread that has most, are
 * still there. */
static int64_t history_begin(struct attachment *a, const struct snapshot_process *process)
{
	int64_t begin = INT64_MAX;

	for (uint32_t i = 0; i < process->threads; i++) {
		uint64_t position = 0, lapped = 0, damaged = 0;
		int64_t bound = INT64_MAX;

		snapshot_parts(a, i, &position, &lapped, &damaged, take_bound, &bound);
		if (i == process->marker)
			return bound;
		if (bound < begin)
			begin = bound;
	}
	return begin;
}

static double history_seconds(struct attachment *a)
{
	struct snapshot_process process;
	bool guessed;
	uint64_t rate = snapshot_rate(a, &guessed);
	int64_t now = snapshot_newest_tick(a), begin;

	snapshot_process(a, &process);
	if (a->live)
		snapshot_now(a, &now);
	begin = history_begin(a, &process);
	return begin < now && begin >= 0 ? (double)(now - begin) / (double)rate : 0;
}

static enum live_state state_of(const struct region_entry *entry)
{
	switch (entry->state) {
	case ATTACH_OK:
		return entry->live ? LIVE_IS_LIVE : LIVE_IS_DEAD;
	case ATTACH_FOREIGN:
	case ATTACH_DENIED:
		return LIVE_IS_FOREIGN;
	case ATTACH_OTHER_VERSION:
	case ATTACH_OTHER_ORDER:
		return LIVE_IS_OLD;
	default:
		return LIVE_IS_DAMAGED;
	}
}

struct listing {
	unsigned flags;
	bool (*visit)(const struct live_region *, void *);
	void *context;
};

/* A closer look at a region that can be attached. */
static void look_inside(struct live_region *region, struct attachment *a, char *command)
{
	struct snapshot_process process;

	snapshot_process(a, &process);
	command_line(&a->header, command);
	region->command = command;
	region->pid = a->header.pid;
	region->exited = process.exited;
	region->age_s = (double)(real_ns() - (int64_t)a->header.created.real_ns) / 1e9;
	region->history_s = history_seconds(a);
}

static bool list_entry(const struct region_entry *entry, void *context)
{
	const struct listing *listing = context;
	struct live_region region = { .name = entry->name, .state = state_of(entry),
				      .uid = entry->uid, .size = entry->size, .command = "",
				      .major = entry->major, .minor = entry->minor };
	char command[sizeof(((struct region_header *)0)->command)];
	struct attachment a;
	bool more;

	if (entry->state == ATTACH_OK) {
		enum attach_state state = region_attach(&a, entry->name, listing->flags, NULL, 0);

		if (state == ATTACH_ABSENT)
			return true;
		if (state == ATTACH_OK)
			look_inside(&region, &a, command);
		else
			region.state = LIVE_IS_DAMAGED;
		more = listing->visit(&region, listing->context);
		if (state == ATTACH_OK)
			region_detach(&a);
		return more;
	}
	return listing->visit(&region, listing->context);
}

bool live_list(unsigned flags, bool (*visit)(const struct live_region *, void *), void *context)
{
	struct listing listing = { flags & LIVE_ANY_USER ? ATTACH_ANY_USER : 0, visit, context };

	return region_list(listing.flags, list_entry, &listing);
}

/* Removing */

enum live_result live_remove(const char *name, char *why, size_t why_size)
{
	static const struct {
		enum live_result result;
		const char *why;
	} outcomes[] = {
		[REMOVE_DONE] = { LIVE_OK, "'%s' is removed" },
		[REMOVE_ABSENT] = { LIVE_ABSENT, "no region named '%s' (proftop -l lists what there is)" },
		[REMOVE_LIVE] = { LIVE_IN_USE, "'%s' is not removed: its process lives" },
		[REMOVE_CHANGED] = { LIVE_IN_USE, "'%s' is not removed: another process just took the name" },
		[REMOVE_REFUSED] = { LIVE_NOT_OURS, "'%s' is not removed: not a region of this user" },
	};
	enum remove_state state = region_remove(name);

	snprintf(why, why_size, outcomes[state].why, name);
	return outcomes[state].result;
}

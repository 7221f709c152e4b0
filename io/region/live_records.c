/* SPDX-License-Identifier: MIT */
/*
 * live_records: what threads published of their parts, from the logs of their blocks to the join.
 *
 * A log is read in the order in which it was written, each piece once. A part whose first pieces were
 * overwritten is left out as a whole; sums that no machine can have counted are damage.
 */
#include "io/region/live_inside.h"

#include "io/region/join.h"
#include "model/base/array.h"

struct reading {
	struct live *l;
	struct block *b;
	uint64_t lapped;   /* words of the log, raised before what is behind them is delivered */
	uint64_t lapped_before;
};

/* How many owners behind (negative: before) the present one the record's is. */
static int16_t owners_off(const struct block *b, const struct record_head *head)
{
	return (int16_t)(uint16_t)(head->generation - (unsigned)b->generation);
}

static bool is_sane(struct live *l, const struct record_head *head, const struct record_node *nodes,
		    uint32_t count)
{
	uint64_t entries = head->kind == RECORD_SPAN ? 0 : live_record_entries(nodes, count);

	return live_count_part(l, head->end - head->bound, entries);
}

/* The record's nodes as cells in l->cells. */
static bool take_cells(struct live *l, struct block *b, bool owner, const struct record_node *nodes,
		       uint32_t count)
{
	const struct node_map *map = owner ? &b->own : &b->ended;

	if (!live_held(l, array_reserve(&l->cells, &l->cell_capacity, count, sizeof(*l->cells))))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = node_map_known(map, nodes[i].node); /* nearly always */

		if (node == PROFILE_NONE)
			node = live_node(l, b, owner, nodes[i].node);
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
	if (head->flags & RECORD_LOSSY)
		flags |= PART_LOSSY;
	return flags;
}

/* `flags`, of the part, beside those that the record has. The groups of a span cover `length` ticks. */
static bool give_record(struct live *l, struct block *b, const struct record_head *head,
			const struct record_node *nodes, uint32_t flags, int64_t length)
{
	bool owner = owners_off(b, head) == 0, span = head->kind == RECORD_SPAN;
	struct record_node stay = { .node = head->nodes };
	uint32_t count = span ? 1 : head->flags & (RECORD_CUT | RECORD_DISCARDED) ? 0 : head->nodes;
	struct join_record r = { .flags = record_flags(head) | flags, .first = head->interval,
				 .last = head->interval + head->intervals - 1,
				 .bound = head->bound, .end = head->end, .cell_count = count };

	if (live_own_begun(l) || !is_sane(l, head, nodes, count))
		return true; /* the former would wait for a mark, and then be read anew */
	if ((!owner && !live_ended_begins(l, b)) ||
	    !take_cells(l, b, owner, span ? &stay : nodes, count) || !live_take_groups(l, b, owner, head))
		return false;
	r.kind = span ? JOIN_SPAN : head->kind == RECORD_MERGED ? JOIN_MERGED : JOIN_PART;
	r.thread = owner ? b->thread : l->ended;
	r.cells = l->cells;
	r.columns = l->columns.columns;
	r.column_count = l->columns.count;
	r.columns_length = length;
	return live_held(l, join_record(l->join, &r));
}

/* Where the log begins, or goes on behind a gap: pieces before the first record may be gone. A gap is
 * what was lapped, or else what the writer had no room for. */
static void take_up(struct reading *reading, const struct record_head *head)
{
	struct block *b = reading->b;
	bool whole = head->kind == RECORD_START || head->kind == RECORD_SPAN;
	uint64_t from = whole ? head->interval : head->interval + head->intervals;

	b->torn = whole ? 0 : head->interval;
	if (b->oldest == NEVER && reading->lapped) /* who was there before a START may have ended in its interval */
		b->unseen = head->kind == RECORD_START ? from : from - 1;
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

	if (fresh && !live_owner_begins(l, b, b->generation + (uint64_t)off, start ? head->nodes : 0,
					  NULL))
		return false;
	if (start && off >= 0) {
		b->first = head->interval;
		b->started = head->bound;
	}
	return true;
}

static bool is_wanted(const struct record_head *head, void *context)
{
	const struct reading *reading = context;

	return head->interval + (head->intervals - 1) >= reading->l->from;
}

static bool take_record(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct reading *reading = context;
	struct live *l = reading->l;
	struct block *b = reading->b;
	bool stays = head->kind == RECORD_MORE || head->kind == RECORD_START;

	if (!live_goes_on(l))
		return false;
	if (b->oldest == NEVER || (head->kind != RECORD_START && head->bound != b->end))
		take_up(reading, head);
	if (!take_owner(l, b, head))
		return false;
	if (head->kind == RECORD_START && head->interval != b->torn) /* else it is not whole here, and comes from what was kept */
		b->torn = 0;
	if (head->kind == RECORD_MERGED && head->interval <= b->merged) {
		l->damaged_records++;
		return true;
	}
	if (head->kind == RECORD_MERGED)
		b->merged = head->interval + (head->intervals - 1);
	b->end = head->end;
	b->next = head->interval + (stays ? 0 : head->intervals);
	if (head->kind == RECORD_EXIT) {
		b->next = NEVER;
		if (owners_off(b, head) == 0)
			b->last = head->interval;
	}
	if (head->kind == RECORD_START || head->interval == b->torn || !is_wanted(head, context))
		return true;
	return give_record(l, b, head, nodes, 0, head->end - head->bound);
}

void live_read_log(struct live *l, struct block *b)
{
	struct reading reading = { .l = l, .b = b };

	if (b->generation &&
	    snapshot_parts(&l->a, b->index, &b->position, &reading.lapped, &l->damaged_records, is_wanted,
			   take_record, &reading) == SNAPSHOT_DAMAGED)
		l->damaged_records++; /* and all that follows it */
}

bool live_give_part_of(struct live *l, struct block *b, const struct snapshot_frame *frame,
		       const struct record_head *head, const struct record_node *nodes)
{
	struct record_head one = *head;

	if (head->kind == RECORD_START || owners_off(b, head) > 0)
		return true;
	one.interval = frame->interval;
	one.intervals = 1;
	if (head->kind == RECORD_SPAN) { /* its sum is of all that it covers */
		one.bound = head->bound > frame->start ? head->bound : frame->start;
		one.end = frame->end > one.bound ? frame->end : one.bound;
	}
	return give_record(l, b, &one, nodes, PART_KEPT, head->end - head->bound);
}

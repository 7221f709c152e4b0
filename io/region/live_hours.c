/* SPDX-License-Identifier: MIT */
/*
 * live_hours: the frames that a process kept: the worst of the whole run, and for hours the longest of every 64,
 * of every 1,024, of every 16,384. The ring of frames has passed over most of them; a thread's log of parts, which
 * reaches less far, over others that are in the ring.
 *
 * They are read once, with the first poll. From the newest back, each level of the history is used as far
 * as one thread at least still has its parts; what lies behind that comes from the next, which reaches
 * further back, and of the last level all that there is.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"

struct kept_frames {
	struct snapshot_frame *frames; /* ascending, each interval once */
	uint32_t count;
	uint32_t capacity;
	uint8_t *given; /* of the block at hand: 1 + the log that its part came from; 0: none did */
	bool *whole;    /* by block and frame: it came, and no owner before that one can have a part in the frame */
};

/* Which frames */

static bool keep_frame(struct live *l, struct kept_frames *k, const struct snapshot_frame *frame)
{
	if (!live_held(l, array_reserve(&k->frames, &k->capacity, (uint64_t)k->count + 1,
					sizeof(*k->frames))))
		return false;
	k->frames[k->count++] = *frame;
	return true;
}

static void keep_worst(struct live *l, struct kept_frames *k, uint64_t last)
{
	struct snapshot_frame frame;

	for (uint32_t i = 0; i < l->a.worst_count && !l->memory; i++) {
		if (snapshot_worst(&l->a, i, &frame) != SNAPSHOT_OK || frame.interval > last)
			continue;
		frame.flags |= MARK_SLOW;
		keep_frame(l, k, &frame);
	}
}

static bool want_none(const struct record_head *head, void *context)
{
	(void)head;
	(void)context;
	return false;
}

static bool take_first(const struct record_head *head, const struct record_node *nodes,
		       void *context)
{
	uint64_t *first = context;

	(void)nodes;
	if (head->interval < *first)
		*first = head->interval;
	return false;
}

/* The oldest interval of which some thread has its part in its log of this level; NEVER: none has. */
static uint64_t oldest_reached(struct live *l, uint32_t level)
{
	uint64_t first = NEVER;

	for (uint32_t i = 0; i < l->process.threads; i++) {
		uint64_t position = 0, lapped = 0, damaged = 0;

		snapshot_hours(&l->a, i, level, &position, &lapped, &damaged, want_none,
			       take_first, &first);
	}
	return first;
}

/* The longest frames of the groups of a level, from `end` down to `from`. Returns the oldest. */
static uint64_t keep_level(struct live *l, struct kept_frames *k, uint32_t level, uint64_t from,
			   uint64_t end)
{
	uint64_t group = end >> HISTORY_SHIFT(level), oldest = end;
	uint32_t left = l->a.header.history_slots;

	for (; left-- && !l->memory; group--) {
		struct snapshot_group g;
		enum snapshot_result result = snapshot_group(&l->a, level, group, &g);

		if (result == SNAPSHOT_LAPPED)
			break;
		if (result == SNAPSHOT_OK && g.longest.interval < from)
			break;
		if (result == SNAPSHOT_OK && g.longest.interval < oldest) {
			keep_frame(l, k, &g.longest);
			oldest = g.longest.interval;
		}
		if (!group)
			break;
	}
	return oldest;
}

static int by_interval(const void *a, const void *b)
{
	const struct snapshot_frame *x = a, *y = b;

	return (x->interval > y->interval) - (x->interval < y->interval);
}

/* In order; one that was kept as the longest and as one of the worst comes once, as one of these. */
static void put_in_order(struct kept_frames *k)
{
	uint32_t count = 0;

	if (k->count)
		qsort(k->frames, k->count, sizeof(*k->frames), by_interval);
	for (uint32_t i = 0; i < k->count; i++) {
		struct snapshot_frame *last = count ? &k->frames[count - 1] : NULL;

		if (last && last->interval == k->frames[i].interval)
			last->flags |= k->frames[i].flags & MARK_SLOW;
		else
			k->frames[count++] = k->frames[i];
	}
	k->count = count;
}

void live_read_hours(struct live *l, uint64_t before, uint64_t last)
{
	struct kept_frames *k = l->kept = calloc(1, sizeof(*k));
	uint64_t oldest = last + 1;

	if (!live_held(l, k))
		return;
	keep_worst(l, k, last);
	for (uint32_t level = 0; level < REGION_HOURS && !l->memory; level++) {
		uint64_t from = level + 1 < REGION_HOURS ? oldest_reached(l, level) : 0;

		oldest = keep_level(l, k, level, from, oldest);
	}
	put_in_order(k);
	for (uint32_t i = 0; i < k->count && k->frames[i].interval < before && !l->memory; i++)
		live_give_kept(l, &k->frames[i]);
}

void live_hours_free(struct live *l)
{
	if (l->kept) {
		free(l->kept->frames);
		free(l->kept->given);
		free(l->kept->whole);
	}
	free(l->kept);
	l->kept = NULL;
}

/* Parts */

struct kept_reading {
	struct live *l;
	struct block *b;
	struct kept_frames *k;
	uint64_t before; /* frames from here on are in the part log */
	uint8_t source;
	bool *whole;     /* those of the block */
};

/* Index of the first frame of this interval or a later one. */
static uint32_t frame_from(const struct kept_frames *k, uint64_t interval)
{
	return SEARCH(i, 0, k->count, k->frames[i].interval < interval);
}

const struct snapshot_frame *live_kept_from(const struct live *l, uint64_t interval)
{
	uint32_t i = l->kept ? frame_from(l->kept, interval) : 0;

	return l->kept && i < l->kept->count ? &l->kept->frames[i] : NULL;
}

static bool is_covered(const struct kept_reading *r, const struct record_head *head, uint32_t i)
{
	return i < r->k->count && r->k->frames[i].interval < r->before &&
	       r->k->frames[i].interval - head->interval < head->intervals;
}

static bool is_wanted(const struct record_head *head, void *context)
{
	struct kept_reading *r = context;
	uint32_t i = frame_from(r->k, head->interval);

	for (; is_covered(r, head, i); i++)
		if (!r->k->given[i] || r->k->given[i] == r->source)
			return true;
	return false;
}

/* The owner was there when the frame began, or is the block's first. Else one before it may have ended in the frame, and what
 * that one did was not kept. */
static bool is_from_begin(const struct kept_reading *r, const struct record_head *head, uint32_t i)
{
	return head->bound <= r->k->frames[i].start || live_whole_generation(r->b, head->generation) == 1;
}

/* Takes a record into each frame of which nothing else is known. Other frames may be known already. */
static bool take_record(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct kept_reading *r = context;
	uint32_t i = frame_from(r->k, head->interval);

	if (!is_wanted(head, context))
		return true;
	for (; is_covered(r, head, i) && !r->l->memory; i++) {
		if (r->k->given[i] && r->k->given[i] != r->source)
			continue;
		r->k->given[i] = r->source;
		r->whole[i] |= is_from_begin(r, head, i);
		if (!live_give_part_of(r->l, r->b, &r->k->frames[i], head, nodes))
			return false;
	}
	return live_goes_on(r->l);
}

/* The parts that a block kept of the worst frames, and what else it kept for hours. */
static void read_block(struct live *l, struct kept_frames *k, struct block *b, bool *whole)
{
	struct kept_reading r = { .l = l, .b = b, .k = k, .whole = whole,
				  .before = b->oldest > l->from ? b->oldest : l->from };
	struct snapshot_frame frame;

	for (uint32_t i = 0; i < k->count; i++)
		k->given[i] = 0;
	for (uint32_t slot = 0; slot < REGION_WORST_FRAMES && !l->memory; slot++) {
		r.source++;
		if (snapshot_worst(&l->a, slot, &frame) == SNAPSHOT_OK)
			snapshot_kept(&l->a, b->index, slot, frame.interval, &l->damaged_records,
				      take_record, &r);
	}
	for (uint32_t level = 0; level < REGION_HOURS && !l->memory; level++) {
		uint64_t position = 0, lapped = 0;

		r.source++;
		snapshot_hours(&l->a, b->index, level, &position, &lapped, &l->damaged_records,
			       is_wanted, take_record, &r);
	}
}

/* All but the kept frames of which the block has given all. */
static void find_unseen(struct live *l, const struct kept_frames *k, struct block *b, const bool *whole)
{
	uint64_t first = 1;

	for (uint32_t i = 0; i < k->count && k->frames[i].interval <= b->unseen && !l->memory; i++) {
		if (!whole[i])
			continue;
		live_find_unseen(l, b, first, k->frames[i].interval - 1);
		first = k->frames[i].interval + 1;
	}
	live_find_unseen(l, b, first, b->unseen);
}

/* In a frame of which nothing is known nobody misses anything, so all blocks give their parts first. */
void live_read_kept(struct live *l)
{
	struct kept_frames *k = l->kept;

	if (!k)
		return;
	k->given = array_zeroed(k->count, sizeof(*k->given));
	k->whole = array_zeroed((uint64_t)k->count * l->process.threads, sizeof(*k->whole));
	if (!live_held(l, (k->given && k->whole) || !k->count))
		return;
	for (uint32_t i = 0; i < l->process.threads && k->count && !l->memory; i++) {
		if (l->blocks[i].generation)
			read_block(l, k, &l->blocks[i], k->whole + (uint64_t)i * k->count);
		live_bound_frames(l);
	}
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++) {
		if (l->blocks[i].generation)
			find_unseen(l, k, &l->blocks[i], k->whole + (uint64_t)i * k->count);
		live_bound_frames(l);
	}
}

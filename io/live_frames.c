/* SPDX-License-Identifier: MIT */
/*
 * live_frames: the intervals between marks, the frames that the process kept as its worst, and the
 * threads whose part of a frame is not there.
 *
 * The join gets intervals in ascending order, and each once. What the profile holds of frames stays
 * within bounds, however long it is fed.
 */
#include "io/live_inside.h"

#include <stdlib.h>

#include "io/join.h"

#define HELD_CELLS_MAX 4000000u /* of all frames in the profile, a wide one as two: 61 MiB */

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
	live_held(l, join_interval(l->join, &interval));
}

static int by_interval(const void *a, const void *b)
{
	const struct snapshot_frame *x = a, *y = b;

	return (x->interval > y->interval) - (x->interval < y->interval);
}

/* The worst frames that are older than all that the ring still has. */
void live_read_worst(struct live *l, uint64_t before)
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

void live_read_intervals(struct live *l, uint64_t last)
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
uint64_t live_oldest_interval(const struct live *l)
{
	uint64_t most = l->a.frame_count > 16 ? l->a.frame_count - 8 : l->a.frame_count;

	return l->process.epoch > most ? l->process.epoch - most : 1;
}

/* Says of the frames that came with this poll in which of them a thread's part is not there. */
void live_find_missing(struct live *l, struct block *b)
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
		live_held(l, join_missing(l->join, b->thread, first, oldest - 1, PART_LAPPED,
					&missing));
	missing = 0;
	if (oldest > first)
		first = oldest;
	if (first <= newest)
		live_held(l, join_missing(l->join, b->thread, first, newest, PART_MISSING,
					&missing));
	if (b->live && b->ready < join_newest(l->join) && !b->guess.there)
		l->in_flight++;
}

static uint32_t cells_of(const struct profile_frame *frame)
{
	uint32_t cells = 1;

	for (uint32_t i = 0; i < frame->part_count; i++)
		cells += (frame->parts[i].cell_count << frame->parts[i].is_wide) + 2;
	return cells;
}

void live_bound_memory(struct live *l)
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

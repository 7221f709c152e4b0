/* SPDX-License-Identifier: MIT */
/*
 * live_frames: the intervals between marks, and the threads whose part of a frame is not there.
 *
 * The join gets intervals in ascending order, and each once. Those before l->from it does not get.
 */
#include "io/region/live_inside.h"

#include "io/region/join.h"

static uint32_t frame_flags(unsigned marks)
{
	return (marks & MARK_DISCARDED ? FRAME_DISCARDED : 0u) |
	       (marks & MARK_BOUNDED ? FRAME_BOUNDED : 0u) |
	       (marks & MARK_SLOW ? FRAME_SLOW : 0u) |
	       (marks & MARK_TIMER ? FRAME_TIMER : 0u);
}

/* One interval behind the other, and frames in the order of their numbers, of which an interval is one more
 * at most: anything else is damage, and is left out. */
static void give_interval(struct live *l, const struct snapshot_frame *frame, uint32_t flags)
{
	const struct profile *p = l->source.profile;
	struct join_interval interval = { .interval = frame->interval, .number = frame->number,
					  .start = frame->start, .end = frame->end, .flags = flags };

	if (frame->flags & MARK_OUTSIDE)
		interval.number = 0;
	if (frame->start < join_newest_end(l->join) || frame->interval <= join_newest(l->join) ||
	    interval.number > frame->interval ||
	    (interval.number && p->frame_count &&
	     interval.number <= p->frames[p->frame_count - 1].number)) {
		l->damaged_records++;
		return;
	}
	if (live_held(l, join_interval(l->join, &interval)) && interval.number)
		profile_name_frame(l->source.profile, frame->name);
}

void live_give_kept(struct live *l, const struct snapshot_frame *frame)
{
	give_interval(l, frame, frame_flags(frame->flags) | FRAME_KEPT);
}

/* Intervals that the ring no longer has are left out without a look at each: there may be any number of them. */
static void skip_lapped(struct live *l)
{
	uint64_t count = l->a.frame_count, oldest = l->process.epoch > count ? l->process.epoch - count : 0;

	if (l->interval < oldest)
		l->interval = oldest;
}

/* With the first frame that the ring still has: those that had ended before the first look are gone, but for some
 * that were kept. */
static void count_unseen(struct live *l, uint64_t first)
{
	struct profile *p = l->source.profile;
	uint64_t before = l->began && l->ended_before < first - 1 ? l->ended_before : first - 1;
	uint32_t kept = profile_frame_index(p, first);

	p->unseen_frames = before > kept ? before - kept : 0;
	l->newest_number = before;
	l->counted_unseen = true;
}

/* The frames between two that were read are lost. They are counted by their numbers, not by intervals, as the time
 * between frames that the program bounds is none. */
static void count_lapped(struct live *l, const struct snapshot_frame *frame)
{
	if (frame->flags & MARK_OUTSIDE || !frame->number || frame->number > frame->interval)
		return;
	if (!l->counted_unseen)
		count_unseen(l, frame->number);
	if (l->newest_number == NEVER)
		l->newest_number = frame->number;
	if (frame->number <= l->newest_number)
		return;
	l->lost_frames += frame->number - l->newest_number - 1;
	l->newest_number = frame->number;
}

void live_read_intervals(struct live *l, uint64_t last)
{
	struct snapshot_frame frame;

	skip_lapped(l);
	for (; l->interval <= last && live_goes_on(l); l->interval++) {
		switch (snapshot_frame(&l->a, l->interval, &frame)) {
		case SNAPSHOT_OK:
			count_lapped(l, &frame);
			if (l->interval >= l->from)
				give_interval(l, &frame, frame_flags(frame.flags));
			break;
		case SNAPSHOT_LAPPED:
			break;
		case SNAPSHOT_UNDECIDED:
		case SNAPSHOT_ABSENT:
			return;
		default:
			l->damaged_records++;
			l->newest_number = NEVER;
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

void live_find_unseen(struct live *l, struct block *b, uint64_t first, uint64_t last)
{
	uint64_t began = b->first, missing = 0;

	if (b->generation < 2)
		return; /* there were none before it */
	if (!began && b->started)
		began = join_interval_at(l->join, b->started);
	if (began && began < last)
		last = began;
	if (first <= last && live_ended_begins(l, b))
		live_held(l, join_missing(l->join, l->ended, first, last, PART_LAPPED, &missing));
}

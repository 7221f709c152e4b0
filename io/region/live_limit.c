/* SPDX-License-Identifier: MIT */
/*
 * live_limit: how much of the frames is held, and so how much of the logs is worth reading.
 *
 * After each poll what the profile holds is within a number of bytes (profile.h, held_bytes), however
 * long it is fed, or it is the newest frame alone: the oldest frames are dropped, and what happened before
 * them. While a poll reads it is more by what that poll brings.
 *
 *     kept: coarser and coarser | all frames, from the oldest that is held ... newest
 *          at most a quarter
 *
 * Of frames that are dropped the longest of each 64 numbers is kept, beside those that the region had kept
 * (live_hours.c): so who stays has hours, too. Where these are too many, the longest of a bucket of them
 * stays, whose width grows with its age: as many stay from half an hour to an hour ago as from one
 * minute to two, and what is kept always reaches back to the beginning.
 *
 * A region may have more than that when it is read for the first time, or after a long pause. Then the
 * heads of the records, which say how many cells there are, tell from which interval on it all fits.
 * What is older is not read, and what is held is dropped, which would be its end anyway: that is no loss.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "model/base/array.h"

#define BYTES_A_WORD 48 /* of a log, at most: a node packed in 3 bytes is held in 16 */
#define SAMPLE_WORDS 16384 /* of each log */
#define GROUP 64 /* numbers of frames */
#define AGE_FROM (8 * GROUP) /* frames; where fewer fit there is no room for what was */
#define FINEST 65536 /* buckets of the width of a bucket's age; half of it when they are too many, and so on */
#define KEPT_PART 4 /* one in so many of the bytes that are held */

static bool is_full(const struct live *l)
{
	const struct profile *p = l->source.profile;

	return p->frame_count > 1 && p->held_bytes > l->most_bytes;
}

static bool is_longer(const struct profile_frame *a, const struct profile_frame *b)
{
	return !(a->flags & FRAME_DISCARDED) && a->length > b->length;
}

/* The longest of frames [first, end), of two of one length the first; `end`: all are discarded. */
static uint32_t longest_of(const struct profile *p, uint32_t first, uint32_t end)
{
	uint32_t longest = end;

	for (uint32_t i = first; i < end; i++) {
		if (p->frames[i].flags & FRAME_DISCARDED)
			continue;
		if (longest == end || is_longer(&p->frames[i], &p->frames[longest]))
			longest = i;
	}
	return longest;
}

/* Of the frames [kept, end) the longest of each group stays, as those before them do. False: no memory. */
static bool age_frames(struct profile *p, uint32_t kept, uint32_t end)
{
	bool *stays = array_zeroed((uint64_t)end + 1, sizeof(*stays));

	if (!stays)
		return false;
	for (uint32_t i = 0; i < kept; i++)
		stays[i] = true;
	for (uint32_t i = kept, next; i < end; i = next) {
		for (next = i; next < end && p->frames[next].number / GROUP ==
						     p->frames[i].number / GROUP;)
			next++;
		stays[longest_of(p, i, next)] = true;
	}
	profile_thin_frames(p, end, stays);
	free(stays);
	return true;
}

/* Of a frame that is so old: how many numbers of frames share one that is kept. */
static uint64_t bucket_width(uint64_t age, uint64_t fineness)
{
	uint64_t width = GROUP;

	while (width <= age / fineness / 2)
		width *= 2;
	return width;
}

/* Of the frames that were kept the longest of each bucket stays. */
static bool thin_kept(struct profile *p, uint32_t kept, uint64_t fineness)
{
	bool *stays = array_zeroed((uint64_t)kept + 1, sizeof(*stays));
	uint64_t newest = p->frames[p->frame_count - 1].number;

	if (!stays)
		return false;
	for (uint32_t i = 0, next; i < kept; i = next) {
		uint64_t width = bucket_width(newest - p->frames[i].number, fineness);

		for (next = i; next < kept && p->frames[next].number / width == p->frames[i].number / width;)
			next++;
		stays[longest_of(p, i, next)] = true;
	}
	profile_thin_frames(p, kept, stays);
	free(stays);
	return true;
}

/* The frames that leave together: a sixteenth of those in the ring, in whole groups. */
static uint32_t leave_together(const struct profile *p, uint32_t kept)
{
	uint32_t end = kept + (p->frame_count - kept) / 16;

	while (end < p->frame_count &&
	       p->frames[end].number / GROUP == p->frames[end - 1].number / GROUP)
		end++;
	return end;
}

/* Makes room. What cannot be kept for want of memory is dropped. */
static void make_room(struct profile *p, uint64_t most_kept)
{
	uint32_t kept = profile_kept_frames(p);

	if (p->frame_count - kept < AGE_FROM || !age_frames(p, kept, leave_together(p, kept)))
		profile_drop_frames(p, 1);
	for (uint64_t fineness = FINEST; (kept = profile_kept_frames(p)) > 0; fineness /= 2) {
		if (profile_frames_bytes(p, 0, kept) <= most_kept)
			break;
		if (!fineness || !thin_kept(p, kept, fineness))
			profile_drop_frames(p, 1);
	}
}

void live_bound_memory(struct live *l)
{
	while (is_full(l))
		make_room(l->source.profile, l->most_bytes / KEPT_PART);
	live_count_held(l);
	join_trim(l->join);
}

/* What the logs have that was not read yet. */
struct survey {
	uint64_t first; /* interval */
	uint64_t count; /* of intervals: from `first` to the running one */
	uint64_t *bytes; /* of each of them */
};

/* The words of all logs that were not read yet. */
static uint64_t new_words(struct live *l)
{
	uint64_t words = 0;

	for (uint32_t i = 0; i < l->process.threads; i++) {
		struct snapshot_thread t;
		uint64_t from = l->blocks[i].position;

		if (snapshot_thread(&l->a, i, &t) != SNAPSHOT_OK)
			continue;
		if (from < t.part_tail)
			from = t.part_tail;
		if (t.part_head > from)
			words += t.part_head - from;
	}
	return words;
}

static bool want_none(const struct record_head *head, void *context)
{
	(void)head;
	(void)context;
	return false;
}

/* What is held of a record. */
static uint64_t bytes_of(const struct record_head *head)
{
	uint64_t cells = head->kind == RECORD_SPAN ? 1 : head->nodes;

	if (head->kind == RECORD_START)
		return 0;
	return PROFILE_PART_BYTES + PROFILE_PIECE(cells * sizeof(struct profile_narrow));
}

/* Some records of a log. */
struct sample {
	uint64_t words, bytes;
	uint64_t enough; /* words */
};

static bool take_sample(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct sample *s = context;

	(void)nodes;
	s->words += head->words;
	s->bytes += bytes_of(head);
	return s->words < s->enough;
}

/* Whether the logs seem to have more that is new than what is held. A wrong guess costs time alone. */
static bool is_much(struct live *l)
{
	uint64_t words = new_words(l);
	struct sample s = { 0 };

	if (words <= l->most_bytes / BYTES_A_WORD)
		return false;
	for (uint32_t i = 0; i < l->process.threads; i++) {
		uint64_t position = l->blocks[i].position, lapped = 0, damaged = 0;

		s.enough = s.words + SAMPLE_WORDS;
		snapshot_parts(&l->a, i, &position, &lapped, &damaged, want_none, take_sample, &s);
	}
	return !s.words || (double)s.bytes / (double)s.words * (double)words > (double)l->most_bytes * 0.9;
}

static bool count_bytes(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct survey *s = context;
	uint64_t last = head->interval + head->intervals - 1;

	(void)nodes;
	if (last >= s->first && last - s->first < s->count)
		s->bytes[last - s->first] += bytes_of(head);
	return true;
}

static void survey_logs(struct live *l, struct survey *s)
{
	for (uint32_t i = 0; i < l->process.threads; i++) {
		uint64_t position = l->blocks[i].position, lapped = 0, damaged = 0;

		snapshot_parts(&l->a, i, &position, &lapped, &damaged, want_none, count_bytes, s);
	}
}

static bool is_frame(struct live *l, uint64_t interval)
{
	struct snapshot_frame frame;

	return snapshot_frame(&l->a, interval, &frame) == SNAPSHOT_OK && frame.number &&
	       !(frame.flags & MARK_OUTSIDE);
}

/* The oldest interval from which on all frames fit. A part of the room is left to what the survey does
 * not see: the worst frames, and what comes next. */
static uint64_t first_that_fits(struct live *l, const struct survey *s)
{
	uint64_t held = 0, most = l->most_bytes - l->most_bytes / 16, frames = 0;

	for (uint64_t i = s->count; i; i--) {
		if (!is_frame(l, s->first + i - 1))
			continue;
		held += s->bytes[i - 1] + PROFILE_FRAME_BYTES;
		if (frames++ && held > most)
			return s->first + i;
	}
	return 0;
}

/* What was held before is older than what is not read now: it is kept as what is dropped is. */
static void drop_all(struct live *l)
{
	struct profile *p = l->source.profile;
	uint32_t kept = profile_kept_frames(p);

	if (p->frame_count - kept < AGE_FROM || !age_frames(p, kept, p->frame_count))
		profile_drop_frames(p, p->frame_count);
}

void live_limit_reading(struct live *l)
{
	struct survey s = { .first = live_oldest_interval(l) };

	l->from = 0;
	if (s.first < l->interval)
		s.first = l->interval;
	if (l->process.epoch < s.first || !is_much(l))
		return;
	s.count = l->process.epoch - s.first + 1;
	s.bytes = array_zeroed(s.count, sizeof(*s.bytes));
	if (!live_held(l, s.bytes))
		return;
	survey_logs(l, &s);
	l->from = first_that_fits(l, &s);
	if (l->from)
		drop_all(l);
	free(s.bytes);
}

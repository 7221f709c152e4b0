/* SPDX-License-Identifier: MIT */
/*
 * live_limit: how much of the frames is held, and so how much of the logs is worth reading.
 *
 * After each poll what the profile holds is within a number of bytes, however long it is fed (io/hold.h). While a poll
 * reads it is more by what one block brings: a thread that did nothing has a part in each frame all the same, of which
 * its log says next to nothing, and there may be thousands of such threads.
 *
 * A region may have more than that when it is read for the first time, or after a long pause. Then the heads of
 * the records, which say how many cells there are, tell from which interval on it all fits. Older data is not
 * read, and held data is dropped. It would be dropped later anyway, so that is no loss.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>

#include "io/hold.h"
#include "model/base/array.h"

#define BYTES_A_WORD 48 /* of a log, at most: a node packed in 3 bytes is held in 16 */
#define SAMPLE_WORDS 16384 /* of each log */

void live_bound_frames(struct live *l)
{
	hold_within(l->source.profile, l->most_bytes);
}

void live_bound_memory(struct live *l)
{
	live_bound_frames(l);
	live_count_held(l);
	join_trim(l->join);
}

/* The part of the logs that was not read yet. */
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

/* The memory that a record takes in the profile. */
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

/* True if the logs seem to have more new data than may be held. A wrong guess only costs time. */
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
		hold_none(l->source.profile); /* it is older than what is not read now */
	free(s.bytes);
}

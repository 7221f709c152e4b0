/* SPDX-License-Identifier: MIT */
/*
 * live_limit: how much of the frames is held, and so how much of the logs is worth reading.
 *
 * After each poll what the profile holds is within a number of cells (profile.h, held_cells), however
 * long it is fed, or it is the newest frame alone: the oldest frames are dropped. While a poll reads it
 * is more by what that poll brings.
 *
 * A region may have more than that when it is read for the first time, or after a long pause. Then the
 * heads of the records, which say how many cells there are, tell from which interval on it all fits.
 * What is older is not read, and what is held is dropped, which would be its end anyway: that is no loss.
 */
#include "io/live_inside.h"

#include <stdlib.h>

#include "model/array.h"

#define CELL_BYTES_LEAST 3 /* of a packed node */
#define CHANGE_CELLS 2 /* what a change of a counter takes, in cells */
#define SAMPLE_WORDS 16384 /* of each log */

void live_bound_memory(struct live *l)
{
	struct profile *p = l->source.profile;

	while (p->frame_count > 1 && p->held_cells + p->held_changes * CHANGE_CELLS > l->most_cells)
		profile_drop_frames(p, 1);
	live_count_held(l);
	join_trim(l->join);
}

/* What the logs have that was not read yet. */
struct survey {
	uint64_t first; /* interval */
	uint64_t count; /* of intervals: from `first` to the running one */
	uint64_t *cells; /* in each of them */
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

static uint32_t cells_in(const struct record_head *head)
{
	if (head->kind == RECORD_START)
		return 0;
	return (head->kind == RECORD_SPAN ? 1 : head->nodes) + PROFILE_PART_CELLS;
}

/* Some records of a log. */
struct sample {
	uint64_t words, cells;
	uint64_t enough; /* words */
};

static bool take_sample(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct sample *s = context;

	(void)nodes;
	s->words += head->words;
	s->cells += cells_in(head);
	return s->words < s->enough;
}

/* Whether the logs seem to have more that is new than what is held. A wrong guess costs time alone. */
static bool is_much(struct live *l)
{
	uint64_t words = new_words(l);
	struct sample s = { 0 };

	if (words <= l->most_cells * (uint64_t)CELL_BYTES_LEAST / sizeof(uint64_t))
		return false;
	for (uint32_t i = 0; i < l->process.threads; i++) {
		uint64_t position = l->blocks[i].position, lapped = 0, damaged = 0;

		s.enough = s.words + SAMPLE_WORDS;
		snapshot_parts_wanted(&l->a, i, &position, &lapped, &damaged, want_none,
				      take_sample, &s);
	}
	return !s.words || (double)s.cells / (double)s.words * (double)words > l->most_cells * 0.9;
}

static bool count_cells(const struct record_head *head, const struct record_node *nodes,
			void *context)
{
	struct survey *s = context;
	uint64_t last = head->interval + head->intervals - 1;

	(void)nodes;
	if (last >= s->first && last - s->first < s->count)
		s->cells[last - s->first] += cells_in(head);
	return true;
}

static void survey_logs(struct live *l, struct survey *s)
{
	for (uint32_t i = 0; i < l->process.threads; i++) {
		uint64_t position = l->blocks[i].position, lapped = 0, damaged = 0;

		snapshot_parts_wanted(&l->a, i, &position, &lapped, &damaged, want_none,
				      count_cells, s);
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
	uint64_t held = 0, most = l->most_cells - l->most_cells / 16, frames = 0;

	for (uint64_t i = s->count; i; i--) {
		if (!is_frame(l, s->first + i - 1))
			continue;
		held += s->cells[i - 1] + 1;
		if (frames++ && held > most)
			return s->first + i;
	}
	return 0;
}

/* What was held before is older than what is not read now. */
static void drop_all(struct live *l)
{
	profile_drop_frames(l->source.profile, l->source.profile->frame_count);
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
	s.cells = array_zeroed(s.count, sizeof(*s.cells));
	if (!live_held(l, s.cells))
		return;
	survey_logs(l, &s);
	l->from = first_that_fits(l, &s);
	if (l->from)
		drop_all(l);
	free(s.cells);
}

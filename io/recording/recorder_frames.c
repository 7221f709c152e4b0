/* SPDX-License-Identifier: MIT */
#include "io/recording/recorder_inside.h"

#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"

#define UNSETTLED_S 2 /* up to this age frames are looked at again, as their parts may still change, */
#define UNSETTLED 64u /* and so many of them at least */

static bool is_slow(const struct recorder *r, const struct profile_frame *f)
{
	return f->length > r->o.over && !(f->flags & FRAME_DISCARDED);
}

/* Widens the stretch to whole frames, so that no frame is written in part. */
static void widen_to_frames(const struct profile *p, struct transition_stretch *s)
{
	uint32_t first = SEARCH(k, 0, p->frame_count, frame_end(&p->frames[k]) < s->begin);
	uint32_t behind = SEARCH(k, first, p->frame_count, p->frames[k].start < s->end);

	if (first < p->frame_count && p->frames[first].start < s->begin)
		s->begin = p->frames[first].start + 1;
	if (behind && frame_end(&p->frames[behind - 1]) > s->end)
		s->end = frame_end(&p->frames[behind - 1]);
}

/* Finds the stretches around slow frames, of all frames that are held. They may touch. */
bool recorder_find_slow(struct recorder *r)
{
	const struct profile *p = r->p;
	int64_t around = recorder_seconds(r, AROUND_S);

	r->near_count = 0;
	for (uint32_t i = 0; r->o.over && i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];
		struct transition_stretch *last = r->near_count ? &r->near[r->near_count - 1] : NULL;
		int64_t end = frame_end(f);

		if (!is_slow(r, f))
			continue;
		end = end < INT64_MAX - around ? end + around : INT64_MAX;
		if (last && f->start - around <= last->end) {
			last->end = end > last->end ? end : last->end;
			continue;
		}
		if (!array_reserve(&r->near, &r->near_room, (uint64_t)r->near_count + 1, sizeof(*r->near)))
			return false;
		r->near[r->near_count++] = (struct transition_stretch){ f->start - around, end };
	}
	for (uint32_t i = 0; i < r->near_count; i++)
		widen_to_frames(p, &r->near[i]);
	return true;
}

/* Whether a slow frame is near to the stretch. */
bool recorder_is_near(const struct recorder *r, int64_t from, int64_t to)
{
	uint32_t i;

	if (!r->o.over)
		return true;
	i = SEARCH(k, 0, r->near_count, r->near[k].end < from);
	return i < r->near_count && r->near[i].begin <= to;
}

/* The first tick of a frame belongs to the frame before. */
bool recorder_frame_is_near(const struct recorder *r, const struct profile_frame *f)
{
	return recorder_is_near(r, f->start < frame_end(f) ? f->start + 1 : f->start, frame_end(f));
}

static bool is_asked_for(const struct recorder *r, const struct profile_frame *f)
{
	return (!r->from_frame || f->number >= r->from_frame) && (!r->to_frame || f->number <= r->to_frame);
}

/* The time of the frames that are asked for, as far as it is decided: begin is not in it. What comes behind the newest
 * frame belongs to it: the ends of its calls are there. */
struct transition_stretch recorder_time_asked_for(const struct recorder *r)
{
	const struct profile *p = r->p;
	struct transition_stretch asked = { INT64_MIN, r->until };
	uint32_t i = profile_frame_index(p, r->from_frame);

	if (r->from_frame && i < p->frame_count)
		asked.begin = p->frames[i].start;
	i = r->to_frame ? profile_frame_index(p, r->to_frame + 1) : p->frame_count;
	if (i && i < p->frame_count && frame_end(&p->frames[i - 1]) < asked.end)
		asked.end = frame_end(&p->frames[i - 1]);
	return asked;
}

/* ---- frames */

static uint64_t mix_hash(uint64_t sum, uint64_t value)
{
	sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 29;
}

/* A part that is replaced has other cells, or other bounds. */
static uint64_t looks_of(const struct profile_frame *f)
{
	uint64_t sum = mix_hash(mix_hash(f->part_count + 1, (uint64_t)f->length), f->flags | (uint64_t)f->name << 16);

	for (uint32_t i = 0; i < f->part_count; i++) {
		const struct profile_held *part = &f->parts[i];

		sum = mix_hash(mix_hash(sum, part->thread), part->flags);
		sum = mix_hash(mix_hash(sum, (uint64_t)part->bound), (uint64_t)part->end);
		sum = mix_hash(mix_hash(sum, part->cell_count), (uint64_t)part->waiting);
		sum = mix_hash(sum, (uint64_t)(uintptr_t)part->cells.narrow);
	}
	return sum;
}

static bool write_part(struct recorder *r, uint64_t frame, const struct profile_held *held)
{
	struct profile_part part = { .thread = held->thread, .flags = held->flags, .first_frame = held->first_frame,
				     .bound = held->bound, .end = held->end, .cell_count = held->cell_count,
				     .column_count = held->column_count };
	struct profile_column columns[MEASURES_MOST];

	for (uint32_t i = 0; i < held->column_count; i++)
		columns[i] = profile_column(held, i);
	part.columns = columns;
	part.cells = reallocarray(NULL, held->cell_count + 1ull, sizeof(*part.cells));
	if (!part.cells)
		return false;
	for (uint32_t i = 0; i < held->cell_count; i++)
		part.cells[i] = profile_cell(held, i);
	writer_part(r->w, frame, &part);
	free(part.cells);
	return true;
}

static bool was_written(const struct recorder *r, const struct profile_frame *f)
{
	return r->recent[f->number % RECENT].number == f->number;
}

/* Whether the frame was not written yet, has changed since, or is carried over.
 * A frame that was left out for its size stays away: the files have nothing
 * else of its time. */
bool recorder_is_pending(const struct recorder *r, const struct profile_frame *f)
{
	const struct recent *recent = &r->recent[f->number % RECENT];

	if (r->carries && was_written(r, f))
		return true;
	return recent->number == f->number ? recent->looks != looks_of(f) : frame_end(f) > r->left_out_until;
}

static bool write_frame(struct recorder *r, const struct profile_frame *f)
{
	if (!recorder_is_pending(r, f))
		return true;
	r->recent[f->number % RECENT] = (struct recent){ f->number, looks_of(f) };
	writer_frame(r->w, f, profile_frame_name(r->p, f));
	for (uint32_t i = 0; i < f->part_count; i++)
		if (!write_part(r, f->number, &f->parts[i]))
			return false;
	return true;
}

/* Frames that ended before this tick do not change any more. */
static int64_t settled_tick(const struct recorder *r)
{
	return r->p->now_tick - recorder_seconds(r, UNSETTLED_S + (r->o.over ? AROUND_S : 0));
}

/* The index of the oldest frame that may have changed. */
uint32_t recorder_first_unsettled(const struct recorder *r)
{
	return profile_frame_index(r->p, r->frame > RECENT ? r->frame - RECENT + 1 : 0);
}

bool recorder_looks_at(const struct recorder *r, const struct profile_frame *f, uint64_t newest)
{
	return is_asked_for(r, f) && (frame_end(f) >= settled_tick(r) || f->number + UNSETTLED >= newest);
}

/* There is no space for it. */
static void leave_out(struct recorder *r, const struct profile_frame *f, bool is_new)
{
	if (!is_new)
		return;
	r->frames_over++;
	r->left_out_until = recorder_later(r->left_out_until, frame_end(f));
}

bool recorder_write_frames(struct recorder *r)
{
	const struct profile *p = r->p;
	uint64_t newest = r->frame;

	for (uint32_t i = recorder_first_unsettled(r); i < p->frame_count && frame_end(&p->frames[i]) <= r->until; i++) {
		const struct profile_frame *f = &p->frames[i];
		bool is_new = f->number > newest;

		if (!recorder_looks_at(r, f, newest))
			continue;
		if (is_new)
			r->frame = f->number;
		if (!recorder_frame_is_near(r, f))
			r->left_out += is_new;
		else if (frame_end(f) <= r->frames_from)
			leave_out(r, f, is_new);
		else if (!write_frame(r, f))
			return false;
	}
	return true;
}

void recorder_find_carried(struct recorder *r)
{
	const struct profile *p = r->p;
	int64_t from = INT64_MAX;

	r->carries = false;
	for (uint32_t i = recorder_first_unsettled(r); i < p->frame_count && frame_end(&p->frames[i]) <= r->until; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (!recorder_looks_at(r, f, r->frame) || !recorder_frame_is_near(r, f))
			continue;
		if (f->number > r->frame)
			return;
		if (was_written(r, f))
			from = recorder_earlier(from, f->start);
	}
	r->carries = from < INT64_MAX;
	r->carried_from = recorder_later(from, r->left_out_until);
}

uint32_t recorder_calls_together(const struct recorder *r, const struct transition_list *list, uint32_t i, uint32_t end, bool *written)
{
	uint32_t n = i;

	*written = recorder_is_near(r, list->at[i].tick, list->at[i].tick);
	if (!r->o.over)
		return end - i;
	while (n < end && *written == recorder_is_near(r, list->at[n].tick, list->at[n].tick))
		n++;
	return n - i;
}

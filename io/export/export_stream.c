/* SPDX-License-Identifier: MIT */
#include "io/export/export_stream.h"

#include <stdlib.h>

#include "io/export/export_values.h"
#include "io/json_members.h"
#include "model/base/array.h"
#include "model/base/pattern.h"
#include "model/query/tally.h"

/* The entries and the longest call of a zone in the slice that is written; a tally lacks these. */
struct calls {
	int64_t count;
	int64_t longest;
	bool there;
	bool chosen; /* by the filter */
};

struct stream {
	const struct profile *p;
	struct keys *keys;
	struct pattern filter;
	struct tally tally;
	struct frame_values *values;
	uint32_t threads;
	bool anew, no_events;
	struct calls *calls; /* by key */
	uint32_t call_count, call_capacity;
	uint64_t next;       /* number of the frame that is due */
	uint64_t written, discarded, skipped;
	uint64_t lost;       /* as the last line that told of it had it */
	int64_t told;        /* what happened outside of frames is told up to this tick */
};

struct stream *stream_new(const struct profile *p, const struct stream_options *options, char *why,
			  size_t why_size)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (s && !pattern_init(&s->filter, options->filter, why, why_size)) {
		free(s);
		return NULL;
	}
	if (s) {
		s->p = p;
		s->threads = THREADS_ALL;
		s->anew = options->anew;
		s->no_events = options->no_events;
		s->next = 1;
		s->keys = keys_new(options->spread);
		s->values = frame_values_new(p, options->no_events);
	}
	if (s && s->keys && s->values && tally_init(&s->tally))
		return s;
	snprintf(why, why_size, "out of memory");
	stream_free(s);
	return NULL;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	pattern_fini(&s->filter);
	tally_fini(&s->tally);
	frame_values_free(s->values);
	keys_free(s->keys);
	free(s->calls);
	free(s);
}

void stream_threads(struct stream *s, uint32_t threads)
{
	s->threads = threads;
}

uint64_t stream_count(const struct stream *s)
{
	return s->written - s->discarded;
}

/* Unframed events since the line before, if there are any. */
static void put_outside(struct stream *s, struct json *j, int64_t to)
{
	if (to > s->told && profile_unframed_count(s->p, s->told, to))
		json_outside(j, s->p, s->told, to, s->no_events);
	if (to > s->told)
		s->told = to;
}

/* Events from before the stream are in no line. */
static int64_t told_before(const struct stream *s, uint64_t first)
{
	uint32_t i = profile_frame_index(s->p, first);
	const struct profile_frame *before = i ? &s->p->frames[i - 1] : NULL;

	if (before)
		return before->start + before->length;
	return first > 1 ? s->p->now_tick : -1;
}

/* Header and end */

bool stream_header(struct stream *s, uint64_t first, FILE *out)
{
	struct json *j = json_begin_line(out);

	s->next = first;
	s->told = told_before(s, first);
	if (!j)
		return false;
	json_object(j, NULL);
	json_text(j, "stream", "proftop");
	json_process(j, s->p);
	json_text(j, "recursion", s->keys->spread ? "spread" : "merged");
	json_integer(j, "first_frame", (int64_t)first);
	if (s->anew)
		json_bool(j, "anew", true);
	json_object_end(j);
	return json_end(j);
}

bool stream_end(struct stream *s, const char *how, bool all, FILE *out)
{
	uint64_t ended = s->p->frames_ended, missed = all && ended >= s->next ? ended + 1 - s->next : 0;
	struct json *j = json_begin_line(out);

	if (!j)
		return false;
	s->skipped += missed;
	s->next += missed;
	json_object(j, NULL);
	json_text(j, "end", how);
	json_integer(j, "last_frame", (int64_t)(s->next - 1));
	json_integer(j, "frames", (int64_t)s->written);
	json_integer(j, "skipped", (int64_t)s->skipped);
	json_losses(j, s->p);
	if (all)
		put_outside(s, j, INT64_MAX);
	json_object_end(j);
	return json_end(j);
}

/* Zones of a frame */

/* Room for what has come since; a filter looks at each name once. */
static bool bring_keys(struct stream *s)
{
	if (!keys_update(s->keys, s->p) || !tally_reserve(&s->tally, s->p, s->keys) ||
	    !array_reserve(&s->calls, &s->call_capacity, s->keys->count, sizeof(*s->calls)))
		return false;
	for (; s->call_count < s->keys->count; s->call_count++) {
		const char *name = keys_shown(s->keys, s->p, s->call_count);

		if (!name)
			return false;
		s->calls[s->call_count] = (struct calls){
			.chosen = pattern_matches(&s->filter, name) };
	}
	return true;
}

bool stream_update(struct stream *s)
{
	return bring_keys(s) && frame_values_renew(s->values);
}

static void count_calls(struct stream *s, const struct profile_held *part)
{
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		struct calls *calls = &s->calls[s->keys->of_node[cell.node]];

		calls->there = true;
		calls->count += cell.count;
		if (cell.longest > calls->longest)
			calls->longest = cell.longest;
	}
}

/* And what was counted of it is 0 again. */
static void put_zone(struct stream *s, struct json *j, const struct profile_held *part,
		     const struct tally_row *row)
{
	const struct key *key = &s->keys->keys[row->key];
	struct calls *calls = &s->calls[row->key];

	if (calls->chosen) {
		json_object(j, NULL);
		json_zone(j, s->p, key->zone, key->depth);
		json_unsigned(j, "thread", s->p->threads[part->thread].id);
		json_ticks(j, s->p, "self", row->value[EXTENT_SELF], 1);
		json_ticks(j, s->p, "hier", row->value[EXTENT_HIER], 1);
		json_integer(j, "count", calls->count);
		json_longest(j, s->p, calls->longest);
		json_object_end(j);
	}
	*calls = (struct calls){ .chosen = calls->chosen };
}

/* A zone may have an entry and no time: the tally knows none of those. */
static void put_part_zones(struct stream *s, struct json *j, const struct profile_frame *frame,
			   const struct profile_held *part)
{
	struct scope scope = { .keys = s->keys, .threads = part->thread };

	count_calls(s, part);
	tally_frame(&s->tally, s->p, &scope, frame);
	for (uint32_t i = 0; i < s->tally.count; i++)
		put_zone(s, j, part, &s->tally.rows[i]);
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct tally_row row = { .key = s->keys->of_node[profile_cell(part, i).node] };

		if (s->calls[row.key].there)
			put_zone(s, j, part, &row);
	}
}

static void put_zones(struct stream *s, struct json *j, const struct profile_frame *frame)
{
	json_array(j, "zones");
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (profile_selects(s->p, s->threads, frame->parts[i].thread))
			put_part_zones(s, j, frame, &frame->parts[i]);
	json_array_end(j);
}

/* Threads of a frame */

static void put_part_flags(struct json *j, const struct profile_held *part)
{
	if (part->flags & (PART_MISSING | PART_LAPPED | PART_LOSSY))
		json_text(j, "incomplete", part->flags & PART_MISSING ? "missing"
					   : part->flags & PART_LAPPED ? "overwritten" : "lossy");
	if (part->flags & PART_MERGED)
		json_integer(j, "since_frame", (int64_t)part->first_frame);
}

static void put_threads(struct stream *s, struct json *j, const struct profile_frame *frame)
{
	json_array(j, "threads");
	for (uint32_t i = 0; i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];
		const struct profile_thread *thread = &s->p->threads[part->thread];

		if (!profile_selects(s->p, s->threads, part->thread))
			continue;
		json_object(j, NULL);
		json_unsigned(j, "id", thread->id);
		json_name(j, "name", thread->name);
		json_ticks(j, s->p, "time", part->end - part->bound, 1);
		put_part_flags(j, part);
		json_object_end(j);
	}
	json_array_end(j);
}

/* Frames */

static const struct profile_frame *next_frame(const struct stream *s)
{
	uint32_t i = profile_frame_index(s->p, s->next);

	return i < s->p->frame_count ? &s->p->frames[i] : NULL;
}

bool stream_has(const struct stream *s)
{
	return next_frame(s);
}

static void put_news(struct stream *s, struct json *j, const struct profile_frame *frame)
{
	uint64_t lost = profile_loss_total(s->p);

	if (frame->number > s->next)
		json_integer(j, "skipped", (int64_t)(frame->number - s->next));
	if (lost != s->lost)
		json_losses(j, s->p);
	s->skipped += frame->number - s->next;
	s->lost = lost;
}

bool stream_frame(struct stream *s, FILE *out)
{
	const struct profile_frame *frame = next_frame(s);
	struct json *j = frame ? json_begin_line(out) : NULL;

	if (!j)
		return false;
	json_object(j, NULL);
	json_integer(j, "frame", (int64_t)frame->number);
	put_news(s, j, frame);
	json_integer(j, "start", frame->start);
	json_ticks(j, s->p, "length", frame->length, 1);
	json_frame_name(j, s->p, frame);
	json_frame_flags(j, frame->flags);
	put_outside(s, j, frame->start);
	put_threads(s, j, frame);
	put_zones(s, j, frame);
	json_frame_values(j, s->values, frame);
	json_object_end(j);
	s->next = frame->number + 1;
	s->written++;
	s->discarded += (frame->flags & FRAME_DISCARDED) != 0;
	return json_end(j);
}

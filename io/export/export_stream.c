/* SPDX-License-Identifier: MIT */
#include "io/export/export_stream.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/export/export_values.h"
#include "io/json_members.h"
#include "model/base/array.h"
#include "model/base/pattern.h"
#include "model/profile/measures.h"
#include "model/query/query.h"

struct stream {
	const struct profile *p;
	struct query *query;
	struct pattern filter;
	struct tally tally;
	struct frame_values *values;
	bool anew, no_events;
	bool *chosen; /* by key: the filter does */
	uint32_t chosen_count, chosen_capacity;
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
		s->anew = options->anew;
		s->no_events = options->no_events;
		s->next = 1;
		s->query = query_new(p);
		s->values = frame_values_new(p, options->no_events);
	}
	if (s && s->query && s->values && tally_init(&s->tally) &&
	    query_look(s->query, &(struct query_options){ .threads = THREADS_ALL, .spread = options->spread }))
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
	query_free(s->query);
	free(s->chosen);
	free(s);
}

void stream_threads(struct stream *s, uint32_t threads)
{
	struct query_options o = *query_options(s->query);

	o.threads = threads;
	query_look(s->query, &o); /* without memory stream_update fails, too */
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
	json_text(j, "recursion", query_options(s->query)->spread ? "spread" : "merged");
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
	const struct keys *keys = query_keys(s->query);

	if (!query_update(s->query) || !tally_reserve(&s->tally, s->p, keys) ||
	    !array_reserve(&s->chosen, &s->chosen_capacity, keys->count, sizeof(*s->chosen)))
		return false;
	for (; s->chosen_count < keys->count; s->chosen_count++) {
		const char *name = keys_shown(keys, s->p, s->chosen_count);

		if (!name)
			return false;
		s->chosen[s->chosen_count] = pattern_matches(&s->filter, name);
	}
	return true;
}

bool stream_update(struct stream *s)
{
	return bring_keys(s) && frame_values_renew(s->values);
}

static void put_zone(struct stream *s, struct json *j, uint32_t thread, const struct tally_row *row,
		     const struct tally_calls *calls)
{
	const struct key *key = &query_keys(s->query)->keys[row->key];

	json_object(j, NULL);
	json_zone(j, s->p, key->zone, key->depth);
	json_unsigned(j, "thread", s->p->threads[thread].id);
	json_ticks(j, s->p, "self", row->value[EXTENT_SELF], 1);
	json_ticks(j, s->p, "hier", row->value[EXTENT_HIER], 1);
	json_integer(j, "count", calls->count);
	json_longest(j, s->p, calls->longest);
	json_object_end(j);
}

static bool is_selected(const struct stream *s, const struct profile_held *part)
{
	return profile_selects(s->p, query_options(s->query)->threads, part->thread);
}

static void put_zones(struct stream *s, struct json *j, const struct profile_frame *frame)
{
	struct scope scope = query_scope(s->query);

	scope.calls = true;
	json_array(j, "zones");
	for (uint32_t i = 0; i < frame->part_count; i++) {
		if (!is_selected(s, &frame->parts[i]))
			continue;
		scope.threads = frame->parts[i].thread;
		tally_frame(&s->tally, s->p, &scope, frame);
		for (uint32_t k = 0; k < s->tally.count; k++)
			if (s->chosen[s->tally.rows[k].key])
				put_zone(s, j, scope.threads, &s->tally.rows[k], &s->tally.calls[k]);
	}
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

/* Measures of the slice: `cpu_ns`, `involuntary`. Null: the amount is not known. */
static void put_measures(struct json *j, const struct profile *p, const struct profile_held *part)
{
	for (uint32_t m = MEASURES_CORE; m < p->measure_count; m++) {
		const struct profile_measure *row = &p->measures[m];
		int64_t amount;
		bool known;
		char *name;

		if (row->of != MEASURE_OF_SLICE || asprintf(&name, "%s%s", row->key, row->unit == MEASURE_NS ? "_ns" : "") < 0)
			continue;
		known = profile_slice_amount(p, part, m, &amount);
		json_amount(j, p, m, name, known, amount, 1);
		free(name);
	}
}

static void put_threads(struct stream *s, struct json *j, const struct profile_frame *frame)
{
	json_array(j, "threads");
	for (uint32_t i = 0; i < frame->part_count; i++) {
		const struct profile_held *part = &frame->parts[i];
		const struct profile_thread *thread = &s->p->threads[part->thread];

		if (!is_selected(s, part))
			continue;
		json_object(j, NULL);
		json_unsigned(j, "id", thread->id);
		json_name(j, "name", thread->name);
		json_ticks(j, s->p, "time", part->end - part->bound, 1);
		put_part_flags(j, part);
		put_measures(j, s->p, part);
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

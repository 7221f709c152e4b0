/* SPDX-License-Identifier: MIT */
/*
 * foreign_speedscope: the JSON of speedscope.app, a profile for each thread.
 *
 * Single calls make an evented profile. Times are whole nanoseconds. All calls
 * are closed, those that still run at the end of what is covered. Sums make a
 * sampled profile: each zone stack is one sample, and its weight is the stack's
 * self time or its amount of another measure.
 */
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign_events.h"
#include "io/foreign/foreign_sums.h"
#include "io/json.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_counts counts;
	struct json *j;
	int64_t zero;
	struct foreign_sums sums;
	uint32_t *stack;
};

static int64_t time_of(const struct speedscope *s, int64_t tick)
{
	return foreign_ns(s->t, tick - s->zero);
}

/* A frame is a zone here. */
static void put_zones(struct speedscope *s)
{
	const struct profile *p = s->t->profile;

	json_object(s->j, "shared");
	json_array(s->j, "frames");
	for (uint32_t i = 0; i < p->zone_count; i++) {
		char *file = *p->zones[i].file ? foreign_names_text(&s->names, p->zones[i].file) : NULL;

		json_line(s->j);
		json_object(s->j, NULL);
		json_text(s->j, "name", s->names.zones[i]);
		if (file) {
			json_text(s->j, "file", file);
			json_integer(s->j, "line", p->zones[i].line);
		}
		json_object_end(s->j);
		free(file);
	}
	json_array_end(s->j);
	json_object_end(s->j);
	json_line(s->j);
}

static void put_step(struct speedscope *s, const struct foreign_step *step)
{
	foreign_count_step(&s->counts, step);
	json_line(s->j);
	json_object(s->j, NULL);
	json_text(s->j, "type", step->enter ? "O" : "C");
	json_integer(s->j, "frame", s->t->profile->nodes[step->node].zone);
	json_integer(s->j, "at", time_of(s, step->tick));
	json_object_end(s->j);
}

/* From the first step to the last. False: there is none, or out of memory. */
static bool find_ends(struct speedscope *s, const struct foreign_lane *lane, int64_t *begin, int64_t *end)
{
	struct foreign_walk w;
	struct foreign_step step;
	bool any;

	if (!foreign_walk_begin(&w, s->t, lane)) {
		s->t->no_memory = true;
		return false;
	}
	any = foreign_walk_next(&w, &step);
	*begin = *end = any ? step.tick : 0;
	while (any && foreign_walk_next(&w, &step))
		*end = step.tick;
	foreign_walk_end(&w);
	return any;
}

static void put_head(struct speedscope *s, const char *type, const char *unit, uint32_t thread, int64_t begin, int64_t end)
{
	char *name = thread == PROFILE_NONE ? strdup("all threads") : foreign_names_thread(&s->names, thread);

	json_object(s->j, NULL);
	json_text(s->j, "type", type);
	json_text(s->j, "name", name ? name : "");
	json_text(s->j, "unit", unit);
	json_integer(s->j, "startValue", begin);
	json_integer(s->j, "endValue", end);
	s->t->no_memory |= !name;
	free(name);
}

static void put_lane(struct speedscope *s, const struct foreign_lane *lane)
{
	struct foreign_walk w;
	struct foreign_step step;
	int64_t begin, end;

	if (!find_ends(s, lane, &begin, &end))
		return;
	if (!foreign_walk_begin(&w, s->t, lane)) {
		s->t->no_memory = true;
		return;
	}
	put_head(s, "evented", "nanoseconds", lane->thread, time_of(s, begin), time_of(s, end));
	json_array(s->j, "events");
	while (foreign_walk_next(&w, &step))
		put_step(s, &step);
	json_array_end(s->j);
	json_object_end(s->j);
	json_line(s->j);
	foreign_walk_end(&w);
}

static void put_lanes(struct speedscope *s)
{
	for (uint32_t i = 0; i < s->t->lane_count; i++)
		put_lane(s, &s->t->lanes[i]);
}

/* Stacks of a thread, or with PROFILE_NONE of all. */
static bool is_of(const struct speedscope *s, uint32_t node, uint32_t thread)
{
	return s->sums.self[node] && (thread == PROFILE_NONE || s->t->profile->nodes[node].thread == thread);
}

static const char *unit_of_sums(const struct speedscope *s)
{
	switch (foreign_measure(s->t)->unit) {
	case MEASURE_TICKS: /* written in nanoseconds, too */
	case MEASURE_NS:
		return "nanoseconds";
	case MEASURE_BYTES:
		return "bytes";
	default:
		return "none";
	}
}

static void put_stacks(struct speedscope *s, uint32_t thread)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->sums.count; i++)
		sum = is_of(s, i, thread) ? foreign_add(sum, s->sums.self[i]) : sum;
	if (!sum)
		return;
	put_head(s, "sampled", unit_of_sums(s), thread, 0, sum);
	json_array(s->j, "samples");
	for (uint32_t i = 0; i < s->sums.count; i++) {
		if (!is_of(s, i, thread))
			continue;
		json_array(s->j, NULL);
		for (uint32_t n = foreign_stack(s->t->profile, i, s->stack); n--;)
			json_integer(s->j, NULL, foreign_zone(&s->sums, s->stack[n]));
		json_array_end(s->j);
	}
	json_array_end(s->j);
	json_array(s->j, "weights");
	for (uint32_t i = 0; i < s->sums.count; i++)
		if (is_of(s, i, thread))
			json_integer(s->j, NULL, s->sums.self[i]);
	json_array_end(s->j);
	json_object_end(s->j);
	json_line(s->j);
}

static void put_sums(struct speedscope *s)
{
	if (s->t->merged)
		put_stacks(s, PROFILE_NONE);
	for (uint32_t i = 0; !s->t->merged && i < s->t->profile->thread_count; i++)
		put_stacks(s, i);
}

/* False: not all of it could be written. */
static bool put_document(struct speedscope *s, FILE *out, void (*put_profiles)(struct speedscope *s))
{
	s->j = json_begin(out);
	if (!s->j) {
		s->t->no_memory = true;
		return false;
	}
	json_object(s->j, NULL);
	json_text(s->j, "$schema", SCHEMA);
	json_text(s->j, "exporter", "proftop");
	put_zones(s);
	json_array(s->j, "profiles");
	json_line(s->j);
	put_profiles(s);
	json_array_end(s->j);
	json_object_end(s->j);
	return json_end(s->j);
}

bool foreign_speedscope_sums(struct foreign *t, FILE *out)
{
	struct speedscope s = { .t = t };
	bool done = foreign_names_init(&s.names, t->profile, TEXT_UTF8);

	t->no_memory |= !done;
	done = done && foreign_sums_init(&s.sums, t) && (s.stack = foreign_stack_room(t, s.sums.count)) &&
	       put_document(&s, out, put_sums);
	foreign_say_names(t, &s.names);
	foreign_say_incomplete(t);
	foreign_sums_fini(&s.sums);
	foreign_names_fini(&s.names);
	free(s.stack);
	return done;
}

bool foreign_speedscope(struct foreign *t, FILE *out)
{
	struct speedscope s = { .t = t, .zero = foreign_zero(t) };
	bool done = foreign_names_init(&s.names, t->profile, TEXT_UTF8);

	t->no_memory |= !done;
	done = done && put_document(&s, out, put_lanes);
	foreign_say_zero(t, s.zero);
	foreign_say_since(t);
	foreign_say_counts(t, &s.counts, true);
	foreign_say_lacks(t, LACKS_EVENTS | LACKS_NOTES | LACKS_COUNTERS | LACKS_FRAMES);
	foreign_say_names(t, &s.names);
	foreign_names_fini(&s.names);
	return done;
}

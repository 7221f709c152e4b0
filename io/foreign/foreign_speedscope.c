/* SPDX-License-Identifier: MIT */
/*
 * foreign_speedscope: the JSON of speedscope.app: an evented profile for each thread that has calls.
 *
 * Times are whole nanoseconds. All calls are closed there, those that still run at the end of what is covered.
 */
#include <stdlib.h>

#include "io/foreign/foreign_events.h"
#include "io/foreign/foreign.h"
#include "io/json.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_counts counts;
	struct json *j;
	int64_t zero;
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

static void put_head(struct speedscope *s, const struct foreign_lane *lane, int64_t begin, int64_t end)
{
	char *name = foreign_names_thread(&s->names, lane->thread);

	json_object(s->j, NULL);
	json_text(s->j, "type", "evented");
	json_text(s->j, "name", name ? name : "");
	json_text(s->j, "unit", "nanoseconds");
	json_integer(s->j, "startValue", time_of(s, begin));
	json_integer(s->j, "endValue", time_of(s, end));
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
	put_head(s, lane, begin, end);
	json_array(s->j, "events");
	while (foreign_walk_next(&w, &step))
		put_step(s, &step);
	json_array_end(s->j);
	json_object_end(s->j);
	json_line(s->j);
	foreign_walk_end(&w);
}

static void put_document(struct speedscope *s)
{
	json_object(s->j, NULL);
	json_text(s->j, "$schema", SCHEMA);
	json_text(s->j, "exporter", "proftop");
	put_zones(s);
	json_array(s->j, "profiles");
	json_line(s->j);
	for (uint32_t i = 0; i < s->t->lane_count; i++)
		put_lane(s, &s->t->lanes[i]);
	json_array_end(s->j);
	json_object_end(s->j);
}

bool foreign_speedscope(struct foreign *t, FILE *out)
{
	struct speedscope s = { .t = t, .zero = foreign_zero(t) };
	bool done = foreign_names_init(&s.names, t->profile, TEXT_UTF8);

	s.j = done ? json_begin(out) : NULL;
	t->no_memory |= !s.j;
	if (s.j) {
		put_document(&s);
		done = json_end(s.j);
	}
	foreign_say_zero(t, s.zero);
	foreign_say_since(t);
	foreign_say_counts(t, &s.counts, true);
	foreign_say_lacks(t, LACKS_EVENTS | LACKS_NOTES | LACKS_COUNTERS | LACKS_FRAMES);
	foreign_say_names(t, &s.names);
	foreign_names_fini(&s.names);
	return done;
}

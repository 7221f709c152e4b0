/* SPDX-License-Identifier: MIT */
/*
 * foreign_chrome: the JSON of Chrome's about:tracing, which Perfetto and others read.
 *
 * Calls are B and E with times in microseconds and three decimals; one that still runs is a B without an E. Events are
 * instants (i) of their threads, notes likewise with the category `note`, ends of frames with `frame` and their number.
 * Counters are C, one for each thread that set them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign_events.h"
#include "io/foreign/foreign.h"
#include "io/json_members.h"

struct chrome {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_counts counts;
	struct json *j;
	int64_t zero;
	bool numbered; /* threads are numbered from 1: an id is beyond 31 bits, and Perfetto drops such ids */
};

static bool has_large_id(const struct foreign *t)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		if (t->lanes[i].id > INT32_MAX)
			return true;
	return false;
}

static uint64_t id_of(const struct chrome *c, const struct foreign_lane *lane)
{
	return c->numbered ? (uint64_t)(lane - c->t->lanes) + 1 : lane->id;
}

static void begin_event(struct chrome *c, const char *phase)
{
	json_line(c->j);
	json_object(c->j, NULL);
	json_text(c->j, "ph", phase);
	json_integer(c->j, "pid", c->t->profile->process.pid);
}

static void put_time(struct chrome *c, int64_t tick)
{
	json_thousandths(c->j, "ts", foreign_ns(c->t, tick - c->zero));
}

/* A name that is no zone's. */
static void put_name(struct chrome *c, const char *key, const char *bytes)
{
	char *text = foreign_names_text(&c->names, bytes);

	json_text(c->j, key, text ? text : "");
	c->t->no_memory |= !text;
	free(text);
}

/* Names of the process and its threads */

static void put_process(struct chrome *c)
{
	const char *program = c->t->profile->process.program, *slash = strrchr(program, '/');

	begin_event(c, "M");
	json_text(c->j, "name", "process_name");
	json_object(c->j, "args");
	put_name(c, "name", slash ? slash + 1 : program);
	json_object_end(c->j);
	json_object_end(c->j);
}

static void put_thread(struct chrome *c, const struct foreign_lane *lane)
{
	char *name = foreign_names_thread(&c->names, lane->thread);

	begin_event(c, "M");
	json_unsigned(c->j, "tid", id_of(c, lane));
	json_text(c->j, "name", "thread_name");
	json_object(c->j, "args");
	json_text(c->j, "name", name ? name : "");
	json_object_end(c->j);
	json_object_end(c->j);
	c->t->no_memory |= !name;
	free(name);
}

/* Calls, events, notes */

/* For a call that was suspended: a viewer shows this beside the name. */
static void put_stretch(struct chrome *c, const struct foreign_step *step)
{
	if (!(step->flags & (STEP_RESUMED | STEP_SUSPENDED)))
		return;
	json_object(c->j, "args");
	json_bool(c->j, step->enter ? "resumed" : "suspended", true);
	json_object_end(c->j);
}

static void put_step(struct chrome *c, const struct foreign_lane *lane, const struct foreign_step *step)
{
	foreign_count_step(&c->counts, step);
	if (step->flags & STEP_RUNNING)
		return;
	begin_event(c, step->enter ? "B" : "E");
	json_unsigned(c->j, "tid", id_of(c, lane));
	put_time(c, step->tick);
	json_text(c->j, "name", c->names.zones[c->t->profile->nodes[step->node].zone]); /* speedscope wants it of an E, too */
	put_stretch(c, step);
	json_object_end(c->j);
}

static void put_frame(struct chrome *c, const struct profile_frame *frame)
{
	json_object(c->j, "args");
	json_integer(c->j, "number", (int64_t)frame->number);
	json_integer(c->j, "length_ns", foreign_ns(c->t, frame->length));
	if (frame->name)
		put_name(c, "name", profile_frame_name(c->t->profile, frame));
	json_object_end(c->j);
}

static void put_mark(struct chrome *c, const struct foreign_lane *lane, const struct foreign_mark *mark)
{
	begin_event(c, "i");
	json_unsigned(c->j, "tid", id_of(c, lane));
	put_time(c, mark->tick);
	put_name(c, "name", mark->text);
	json_text(c->j, "s", mark->kind == MARK_FRAME ? "p" : "t");
	if (mark->kind != MARK_EVENT)
		json_text(c->j, "cat", mark->kind == MARK_NOTE ? "note" : "frame");
	if (mark->kind == MARK_FRAME)
		put_frame(c, mark->frame);
	json_object_end(c->j);
}

static void put_lane(struct chrome *c, const struct foreign_lane *lane)
{
	struct foreign_events e;
	struct foreign_step step;
	struct foreign_mark mark;

	put_thread(c, lane);
	if (!foreign_events_begin(&e, c->t, lane, true)) {
		c->t->no_memory = true;
		return;
	}
	for (enum foreign_event what; (what = foreign_events_next(&e, &step, &mark)) != FOREIGN_OVER;)
		if (what == FOREIGN_STEP)
			put_step(c, lane, &step);
		else
			put_mark(c, lane, &mark);
	foreign_events_end(&e);
}

/* Counters */

static void put_value(struct chrome *c, const struct profile_track *track, const struct foreign_value *value)
{
	const struct profile *p = c->t->profile;
	const struct profile_counter *counter = &p->counters[track->counter];
	const struct foreign_lane *lane = track->thread < p->thread_count ? foreign_lane_of(c->t, track->thread) : NULL;
	char id[24];

	begin_event(c, "C");
	if (lane)
		json_unsigned(c->j, "tid", id_of(c, lane));
	put_time(c, value->tick);
	put_name(c, "name", counter->name);
	if (lane && foreign_track_shares(p, track)) {
		snprintf(id, sizeof(id), "%" PRIu64, id_of(c, lane));
		json_text(c->j, "id", id);
	}
	json_object(c->j, "args");
	json_number(c->j, "value", counter->real, value->number);
	json_object_end(c->j);
	json_object_end(c->j);
}

static void put_counters(struct chrome *c)
{
	const struct profile *p = c->t->profile;
	struct foreign_values values;
	struct foreign_value value;

	for (uint32_t i = 0; i < p->track_count; i++) {
		if (!foreign_has_track(c->t, &p->tracks[i]))
			continue;
		foreign_values_begin(&values, c->t, &p->tracks[i]);
		while (foreign_values_next(&values, &value))
			put_value(c, &p->tracks[i], &value);
	}
}

/* As text, because readers may keep numbers as doubles, which cannot hold every value. */
static void put_text_number(struct chrome *c, const char *key, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	json_text(c->j, key, digits);
}

/* The covered time, and the time that the file calls 0. */
static void put_about(struct chrome *c)
{
	json_text(c->j, "displayTimeUnit", "ns");
	json_object(c->j, "otherData");
	put_name(c, "command", c->t->profile->process.command);
	put_text_number(c, "zero_ns", foreign_ns(c->t, c->zero));
	put_text_number(c, "from_ns", foreign_ns(c->t, c->t->from - c->zero));
	put_text_number(c, "to_ns", foreign_ns(c->t, c->t->to - c->zero));
	json_object_end(c->j);
	json_line(c->j);
}

bool foreign_chrome(struct foreign *t, FILE *out)
{
	struct chrome c = { .t = t, .zero = foreign_zero(t), .numbered = has_large_id(t) };
	bool done = foreign_names_init(&c.names, t->profile, TEXT_UTF8);

	c.j = done ? json_begin(out) : NULL;
	t->no_memory |= !c.j;
	if (c.j) {
		json_object(c.j, NULL);
		put_about(&c);
		json_array(c.j, "traceEvents");
		put_process(&c);
		for (uint32_t i = 0; i < t->lane_count; i++)
			put_lane(&c, &t->lanes[i]);
		put_counters(&c);
		json_array_end(c.j);
		json_object_end(c.j);
		done = json_end(c.j);
	}
	foreign_say_zero(t, c.zero);
	if (c.numbered)
		foreign_say(t, "threads are numbered from 1, because readers drop ids beyond 31 bits");
	foreign_say_since(t);
	foreign_say_counts(t, &c.counts, false);
	foreign_say_names(t, &c.names);
	foreign_names_fini(&c.names);
	return done;
}

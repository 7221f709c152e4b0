/* SPDX-License-Identifier: MIT */
/*
 * foreign_visualiser: the text of profile-visualiser, a line a record, times in whole microseconds.
 *
 *     T tid label   F tid fid label   S tid fid t   E tid fid t   V tid eid label   Y tid eid t   C cid label   D cid t value
 *
 * A function's or an event's line stands before its first use in each thread. Ends of frames are events called `frame`. A
 * call that still runs is started and not ended. Counters are integers there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign_events.h"
#include "io/foreign/foreign.h"
#include "model/base/array.h"

#define US_PER_S 1000000u

struct visualiser {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_counts counts;
	bool *zone_said, *event_said; /* in this thread, by index; that of a frame's end is behind the events */
	uint64_t real;   /* counters that are left out */
	uint64_t within; /* times that are no whole microseconds */
	FILE *out;
};

static int64_t us_of(struct visualiser *v, int64_t tick)
{
	int64_t ns;

	if (v->t->profile->ticks_per_s == US_PER_S) /* exact, however far the clock is */
		return tick;
	ns = foreign_ns(v->t, tick);
	v->within += ns % 1000 != 0;
	return ns / 1000;
}

static void put_label(struct visualiser *v, char kind, uint64_t thread, uint64_t id, const char *label)
{
	if (kind == 'T' || kind == 'C')
		fprintf(v->out, "%c %" PRIu64 " %s\n", kind, id, label);
	else
		fprintf(v->out, "%c %" PRIu64 " %" PRIu64 " %s\n", kind, thread, id, label);
}

static void put_name(struct visualiser *v, char kind, uint64_t thread, uint64_t id, const char *bytes)
{
	char *text = foreign_names_text(&v->names, bytes);

	put_label(v, kind, thread, id, text ? text : "");
	v->t->no_memory |= !text;
	free(text);
}

static void put_step(struct visualiser *v, const struct foreign_lane *lane, const struct foreign_step *step)
{
	uint32_t zone = v->t->profile->nodes[step->node].zone;

	foreign_count_step(&v->counts, step);
	if (step->flags & STEP_RUNNING)
		return;
	if (!v->zone_said[zone])
		put_label(v, 'F', lane->id, zone, v->names.zones[zone]);
	v->zone_said[zone] = true;
	fprintf(v->out, "%c %" PRIu64 " %u %" PRId64 "\n", step->enter ? 'S' : 'E', lane->id, zone, us_of(v, step->tick));
}

static void put_mark(struct visualiser *v, const struct foreign_lane *lane, const struct foreign_mark *mark)
{
	uint32_t event = mark->kind == MARK_FRAME ? v->t->profile->event_count : mark->event;

	if (mark->kind == MARK_NOTE)
		return;
	if (!v->event_said[event])
		put_name(v, 'V', lane->id, event, mark->text);
	v->event_said[event] = true;
	fprintf(v->out, "Y %" PRIu64 " %u %" PRId64 "\n", lane->id, event, us_of(v, mark->tick));
}

static void put_lane(struct visualiser *v, const struct foreign_lane *lane)
{
	const struct profile *p = v->t->profile;
	struct foreign_events e;
	struct foreign_step step;
	struct foreign_mark mark;
	char *name = foreign_names_thread(&v->names, lane->thread);

	memset(v->zone_said, 0, p->zone_count);
	memset(v->event_said, 0, (size_t)p->event_count + 1);
	if (!name || !foreign_events_begin(&e, v->t, lane, true)) {
		v->t->no_memory = true;
		free(name);
		return;
	}
	put_label(v, 'T', 0, lane->id, name);
	free(name);
	for (enum foreign_event what; (what = foreign_events_next(&e, &step, &mark)) != FOREIGN_OVER;)
		if (what == FOREIGN_STEP)
			put_step(v, lane, &step);
		else
			put_mark(v, lane, &mark);
	foreign_events_end(&e);
}

static void put_counters(struct visualiser *v)
{
	const struct profile *p = v->t->profile;
	struct foreign_values values;
	struct foreign_value value;

	for (uint32_t i = 0; i < p->track_count; i++) {
		const struct profile_counter *counter = &p->counters[p->tracks[i].counter];

		v->real += counter->real && foreign_has_track(v->t, &p->tracks[i]);
		if (counter->real || !foreign_has_track(v->t, &p->tracks[i]))
			continue;
		put_name(v, 'C', 0, i, counter->name);
		foreign_values_begin(&values, v->t, &p->tracks[i]);
		while (foreign_values_next(&values, &value))
			fprintf(v->out, "D %u %" PRId64 " %" PRId64 "\n", i, us_of(v, value.tick), value.number.whole);
	}
}

bool foreign_visualiser(struct foreign *t, FILE *out)
{
	const struct profile *p = t->profile;
	struct visualiser v = { .t = t, .out = out };
	bool done = foreign_names_init(&v.names, p, TEXT_LINE);

	v.zone_said = array_zeroed(p->zone_count, sizeof(*v.zone_said));
	v.event_said = array_zeroed((uint64_t)p->event_count + 1, sizeof(*v.event_said));
	done &= v.zone_said && v.event_said;
	t->no_memory |= !done;
	for (uint32_t i = 0; done && i < t->lane_count; i++)
		put_lane(&v, &t->lanes[i]);
	if (done)
		put_counters(&v);
	foreign_say_since(t);
	if (v.within)
		foreign_say(t, "times are cut to whole microseconds");
	foreign_say_counts(t, &v.counts, false);
	foreign_say_lacks(t, LACKS_NOTES);
	foreign_say_count(t, v.real, "counter with fractions is left out", "counters with fractions are left out");
	foreign_say_names(t, &v.names);
	foreign_names_fini(&v.names);
	free(v.zone_said);
	free(v.event_said);
	return done && !ferror(out);
}

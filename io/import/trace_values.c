/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "io/import/trace_inside.h"
#include "model/base/array.h"
#include "model/base/text.h"

#define NOTE_MOST 4095u
#define NOTES_BYTES (UINT32_C(16) << 20)
#define INSTANTS_HELD (SORTER_HELD / 4)

/* A value of a counter. The counter may have doubles later, so each value knows its own kind. */
struct value {
	int64_t tick, value; /* of a double its bits */
	uint32_t counter, real;
};

struct instant {
	int64_t tick, key; /* key: of a note, the file's frame */
	uint32_t thread, name; /* name TRACE_NONE: a note */
	uint32_t text, cut;
};

static int by_counter(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	if (x->counter != y->counter)
		return x->counter < y->counter ? -1 : 1;
	return x->tick < y->tick ? -1 : x->tick > y->tick;
}

static int by_tick(const void *a, const void *b)
{
	const struct instant *x = a, *y = b;

	return x->tick < y->tick ? -1 : x->tick > y->tick;
}

void values_init(struct trace *t)
{
	sorter_init(&t->values, sizeof(struct value), by_counter, t->folder, SORTER_HELD);
	sorter_init(&t->instants, sizeof(struct instant), by_tick, t->folder, INSTANTS_HELD);
}

static void instant_add(struct trace *t, const struct instant *instant)
{
	struct instant *into = sorter_add(&t->instants);

	if (into)
		*into = *instant;
	else
		trace_fails(t, t->instants.error);
}

void values_event(struct trace *t, uint32_t thread, uint32_t name, int64_t tick)
{
	struct instant instant = { .tick = tick, .key = TRACE_NO_KEY, .thread = thread, .name = name };

	instant_add(t, &instant);
}

/* A NUL would end it. */
static void put_text(char *to, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = bytes[i] ? bytes[i] : ' ';
	to[size] = '\0';
}

void values_note(struct trace *t, uint32_t thread, const char *bytes, size_t size, int64_t tick, int64_t key,
		 uint64_t place)
{
	struct instant instant = { .tick = tick, .key = key, .thread = thread, .name = TRACE_NONE,
				   .text = t->text_count, .cut = size > NOTE_MOST };

	if (instant.cut)
		anomaly_add(t->anomalies, ANOMALY_NAME_CUT, place);
	if (memchr(bytes, '\0', size))
		anomaly_add(t->anomalies, ANOMALY_NAME_NUL, place);
	size = instant.cut ? utf8_cut(bytes, NOTE_MOST) : size;
	if (t->text_count + size + 1 > NOTES_BYTES || t->note_count >= PROFILE_INSTANTS) {
		trace_too_many(t, TRACE_NONE, place);
		return;
	}
	if (!array_reserve(&t->texts, &t->text_capacity, (uint64_t)t->text_count + size + 1, 1)) {
		trace_fails(t, 0);
		return;
	}
	put_text(t->texts + t->text_count, bytes, size);
	t->text_count += (uint32_t)size + 1;
	t->note_count++;
	instant_add(t, &instant);
}

static bool same_counter(const void *context, uint32_t counter, const void *wanted)
{
	const struct trace_counter *c = &((const struct trace *)context)->counters[counter];
	const struct trace_counter *like = wanted;

	return c->name == like->name && c->owner == like->owner;
}

uint32_t trace_counter(struct trace *t, const char *bytes, size_t size, uint32_t owner, uint64_t place)
{
	struct trace_counter counter = { .name = trace_name(t, bytes, size, place), .owner = owner };
	uint32_t hash = lookup_hash_pair(counter.name, owner), found;

	if (counter.name == TRACE_NONE)
		return TRACE_NONE;
	found = lookup_find(&t->counters_by_name, hash, same_counter, t, &counter);
	if (found != LOOKUP_NONE)
		return found;
	if (t->counter_count >= TRACE_COUNTERS) {
		trace_too_many(t, TRACE_NONE, place);
		return TRACE_NONE;
	}
	if (!lookup_reserve(&t->counters_by_name) ||
	    !array_reserve(&t->counters, &t->counter_capacity, (uint64_t)t->counter_count + 1, sizeof(*t->counters))) {
		trace_fails(t, 0);
		return TRACE_NONE;
	}
	lookup_add(&t->counters_by_name, hash, t->counter_count);
	t->counters[t->counter_count] = counter;
	return t->counter_count++;
}

void trace_name_counter(struct trace *t, uint32_t counter, const char *bytes, size_t size)
{
	uint32_t name = t->failed || counter == TRACE_NONE ? TRACE_NONE : trace_name(t, bytes, size, ANOMALY_NOWHERE);

	if (name != TRACE_NONE)
		t->counters[counter].name = name;
}

void values_add(struct trace *t, uint32_t counter, int64_t tick, int64_t value, bool real)
{
	struct value *into;

	if (t->failed || counter == TRACE_NONE)
		return;
	into = sorter_add(&t->values);
	if (!into) {
		trace_fails(t, t->values.error);
		return;
	}
	*into = (struct value){ tick, value, counter, real };
	if (real)
		t->counters[counter].real = true;
}

/* Ticks of what was gathered are the file's own until now. */
static int64_t shifted_tick(const struct trace *t, int64_t tick)
{
	return t->anyhow ? tick + t->shift : tick;
}

static union profile_number number_of(const struct trace *t, const struct value *v)
{
	union profile_number n = { .whole = v->value };

	if (v->real)
		memcpy(&n.real, &v->value, sizeof n.real);
	else if (t->counters[v->counter].real)
		n.real = (double)v->value;
	return n;
}

static bool is_less(union profile_number a, union profile_number b, bool real)
{
	return real ? a.real < b.real : a.whole < b.whole;
}

static void widen_range(union profile_number *least, union profile_number *most, union profile_number n, bool real)
{
	if (is_less(n, *least, real))
		*least = n;
	if (is_less(*most, n, real))
		*most = n;
}

/* Values of one stretch (a frame, or the time between two) are joined to their last, least and greatest. */
static uint64_t stretch_of(const struct trace *t, int64_t tick)
{
	uint32_t frame = frames_at(t, tick);

	return 2 * (uint64_t)frame + (frame < t->frame_count && tick > t->frames[frame].start);
}

/* The track of a counter, which is a new one for each and begins with this value. TRACE_NONE: no memory. */
static uint32_t add_track(struct trace *t, const struct value *v)
{
	const struct trace_counter *c = &t->counters[v->counter];
	uint32_t counter = profile_add_counter(t->p, t->names.at[c->name].text, c->real, true);
	uint32_t track = counter == PROFILE_NONE ? PROFILE_NONE
						 : profile_add_track(t->p, counter, PROFILE_NONE, -2 - shifted_tick(t, v->tick));

	if (track == PROFILE_NONE)
		trace_fails(t, 0);
	return track;
}

static const struct value *counter_write(struct trace *t, const struct value *v)
{
	const uint32_t counter = v->counter, track = add_track(t, v);
	const bool real = t->counters[counter].real;
	struct profile_change change = { 0 };
	union profile_number run_least, run_most;
	uint64_t stretch = UINT64_MAX;

	run_least = run_most = number_of(t, v);
	for (; v && v->counter == counter && !t->failed; v = sorter_next(&t->values)) {
		union profile_number n = number_of(t, v);
		int64_t tick = shifted_tick(t, v->tick);

		if (stretch != stretch_of(t, tick)) {
			if (stretch != UINT64_MAX)
				trace_put_change(t, track, &change);
			stretch = stretch_of(t, tick);
			change.least = change.most = n;
		}
		widen_range(&change.least, &change.most, n, real);
		widen_range(&run_least, &run_most, n, real);
		change.last = n;
		change.tick = tick;
	}
	if (t->failed)
		return NULL;
	trace_put_change(t, track, &change);
	change.least = change.most = change.last;
	change.tick = t->last;
	profile_set_now(t->p, track, &change, run_least, run_most);
	return v;
}

/* A note of a frame stands in it: start < tick <= end. */
static int64_t tick_in_frame(const struct trace *t, const struct instant *i, int64_t tick)
{
	const struct trace_frame *f;
	uint32_t at;

	if (i->key == TRACE_NO_KEY || t->by != FRAMES_BY_FILE)
		return tick;
	at = frames_with(t, i->key);
	if (at >= t->frame_count || t->frames[at].number != i->key)
		return tick;
	f = &t->frames[at];
	if (tick > f->end)
		return f->end;
	return tick <= f->start && f->end > f->start ? f->start + 1 : tick;
}

static void instant_write(struct trace *t, const struct instant *i)
{
	struct profile_instant instant = { .tick = shifted_tick(t, i->tick), .thread = t->threads[i->thread].row,
					   .event = PROFILE_NONE };

	if (instant.thread == TRACE_NONE)
		return;
	if (i->name == TRACE_NONE) {
		instant.text = t->texts + i->text;
		instant.cut = i->cut;
	} else {
		instant.event = profile_add_event(t->p, t->names.at[i->name].text);
		if (instant.event == PROFILE_NONE)
			trace_fails(t, 0);
	}
	trace_put_instant(t, &instant);
}

/* Notes are put where their frames are: after that they may stand in another order. */
static void place_notes(struct trace *t)
{
	struct sorter placed;
	const struct instant *i;

	if (t->by != FRAMES_BY_FILE || !t->note_count)
		return;
	sorter_init(&placed, sizeof(struct instant), by_tick, t->folder, INSTANTS_HELD);
	while (!placed.failed && (i = sorter_next(&t->instants))) {
		struct instant *to = sorter_add(&placed);

		if (to) {
			*to = *i;
			to->tick = tick_in_frame(t, i, shifted_tick(t, i->tick)) - shifted_tick(t, 0);
		}
	}
	if (t->instants.failed)
		trace_fails(t, t->instants.error);
	sorter_fini(&t->instants);
	t->instants = placed;
	sorter_sort(&t->instants);
}

void values_write(struct trace *t)
{
	const struct instant *i;
	const struct value *v;

	if (!sorter_sort(&t->values) || !sorter_sort(&t->instants)) {
		trace_fails(t, t->values.failed ? t->values.error : t->instants.error);
		return;
	}
	place_notes(t);
	for (v = sorter_next(&t->values); v && !t->failed;)
		v = counter_write(t, v);
	while (!t->failed && (i = sorter_next(&t->instants)))
		instant_write(t, i);
	if (t->values.failed || t->instants.failed)
		trace_fails(t, t->values.failed ? t->values.error : t->instants.error);
}

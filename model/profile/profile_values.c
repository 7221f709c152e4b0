/* SPDX-License-Identifier: MIT */
/*
 * profile_values: the counters of a profile with what they were, and what happened: events and notes.
 *
 * Changes of a track and instants are queues in the order of their ticks. What is new comes nearly
 * always at the end, and what is old leaves at the front together with the frames.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/share.h"
#include "model/profile/profile_inside.h"

/* Counters and names of events */

struct counter_name {
	const char *name;
	bool real;
};

static bool same_counter(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_counter *counter = &((const struct profile *)context)->counters[index];
	const struct counter_name *name = wanted;

	return counter->real == name->real && !strcmp(counter->name, name->name);
}

static bool same_event(const void *context, uint32_t index, const void *wanted)
{
	return !strcmp(((const struct profile *)context)->events[index], wanted);
}

uint32_t profile_add_counter(struct profile *p, const char *name, bool real, bool summed)
{
	struct counter_name wanted = { name, real };
	uint32_t hash = lookup_hash(real, name, strlen(name));
	uint32_t index = lookup_find(&p->store->counters_by_name, hash, same_counter, p, &wanted);
	struct profile_counter counter = { .real = real, .summed = summed };

	if (index != LOOKUP_NONE) {
		p->counters[index].summed = summed;
		return index;
	}
	if (!array_reserve(&p->counters, &p->store->counter_capacity,
			   (uint64_t)p->counter_count + 1, sizeof(*p->counters)) ||
	    !lookup_reserve(&p->store->counters_by_name) || !profile_text(&counter.name, name))
		return PROFILE_NONE;
	lookup_add(&p->store->counters_by_name, hash, p->counter_count);
	p->counters[p->counter_count] = counter;
	return p->counter_count++;
}

uint32_t profile_add_event(struct profile *p, const char *name)
{
	uint32_t hash = lookup_hash(0, name, strlen(name));
	uint32_t index = lookup_find(&p->store->events_by_name, hash, same_event, p, name);
	char *copy = NULL;

	if (index != LOOKUP_NONE)
		return index;
	if (!array_reserve(&p->events, &p->store->event_capacity, (uint64_t)p->event_count + 1,
			   sizeof(*p->events)) ||
	    !lookup_reserve(&p->store->events_by_name) || !profile_text(&copy, name))
		return PROFILE_NONE;
	lookup_add(&p->store->events_by_name, hash, p->event_count);
	p->events[p->event_count] = copy;
	return p->event_count++;
}

/* Tracks and their changes */

uint32_t profile_add_track(struct profile *p, uint32_t counter, uint32_t thread, int64_t born)
{
	uint64_t need = (uint64_t)p->track_count + 1;

	if (counter >= p->counter_count || (thread >= p->thread_count && thread != PROFILE_NONE) ||
	    !array_reserve(&p->tracks, &p->store->track_capacity, need, sizeof(*p->tracks)) ||
	    !array_reserve(&p->store->rooms, &p->store->rooms_capacity, need,
			   sizeof(*p->store->rooms)))
		return PROFILE_NONE;
	p->tracks[p->track_count] =
		(struct profile_track){ .counter = counter, .thread = thread, .born = born };
	p->store->rooms[p->track_count] = (struct changes_room){ 0 };
	return p->track_count++;
}

void profile_own_track(struct profile *p, uint32_t track, uint32_t thread)
{
	if (track < p->track_count && thread < p->thread_count)
		p->tracks[track].thread = thread;
}

/* Index of the first change behind `tick`. */
static uint32_t changes_behind(const struct profile_track *track, int64_t tick)
{
	uint32_t count = track->change_count;

	if (!count || track->changes[count - 1].tick <= tick)
		return count;
	return SEARCH(i, 0, count, track->changes[i].tick <= tick);
}

static int compare_numbers(union profile_number a, union profile_number b, bool real)
{
	if (real)
		return (a.real > b.real) - (a.real < b.real);
	return (a.whole > b.whole) - (a.whole < b.whole);
}

static void change_extend(struct profile_change *sum, const struct profile_change *more, bool real)
{
	if (compare_numbers(more->least, sum->least, real) < 0)
		sum->least = more->least;
	if (compare_numbers(more->most, sum->most, real) > 0)
		sum->most = more->most;
	sum->last = more->last;
	sum->tick = more->tick;
}

bool profile_add_change(struct profile *p, uint32_t index, const struct profile_change *change)
{
	struct profile_track *track = index < p->track_count ? &p->tracks[index] : NULL;
	uint32_t at = track ? changes_behind(track, change->tick) : 0;

	if (!track)
		return false;
	if (at && track->changes[at - 1].tick == change->tick) {
		if (track->changes[at - 1].lost)
			track->changes[at - 1] = *change;
		else if (!change->lost)
			change_extend(&track->changes[at - 1], change, p->counters[track->counter].real);
		return true;
	}
	if (!array_queue(&p->store->rooms[index].room, &p->store->rooms[index].capacity,
			 &track->changes, track->change_count, sizeof(*track->changes)))
		return false;
	memmove(&track->changes[at + 1], &track->changes[at],
		(track->change_count - at) * sizeof(*track->changes));
	track->changes[at] = *change;
	track->change_count++;
	p->held_bytes += PROFILE_CHANGE_BYTES;
	return true;
}

void profile_set_now(struct profile *p, uint32_t track, const struct profile_change *now,
		     union profile_number run_least, union profile_number run_most)
{
	if (track >= p->track_count)
		return;
	p->tracks[track].now = *now;
	p->tracks[track].run_least = run_least;
	p->tracks[track].run_most = run_most;
}

/* Events and notes */

#define SPARE 16 /* when there is too much a part more leaves, so that all is not looked at again at once */
#define LESS(most) ((most) - (most) / SPARE)

/* Index of the first instant behind `tick`. */
static uint32_t instants_behind(const struct profile *p, int64_t tick)
{
	uint32_t count = p->instant_count;

	if (!count || p->instants[count - 1].tick <= tick)
		return count;
	return SEARCH(i, 0, count, p->instants[i].tick <= tick);
}

static uint64_t text_bytes(const struct profile_instant *instant)
{
	return instant->text ? strlen(instant->text) + 1 : 0;
}

static uint64_t instant_bytes(const struct profile_instant *instant)
{
	uint64_t text = text_bytes(instant);

	return PROFILE_INSTANT_BYTES + (text ? PROFILE_PIECE(text) : 0);
}

static void instant_leaves(struct profile *p, struct profile_instant *instant)
{
	p->note_bytes -= text_bytes(instant);
	p->held_bytes -= instant_bytes(instant);
	free(instant->text);
}

static void instants_drop(struct profile *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		instant_leaves(p, &p->instants[i]);
	if (n)
		p->instants += n;
	p->instant_count -= n;
}

/* Notes are one kind, behind the events. */
static uint32_t kind_of(const struct profile *p, const struct profile_instant *instant)
{
	return instant->event < p->event_count ? instant->event : p->event_count;
}

static bool instants_share(struct share *s, const struct profile *p)
{
	if (!share_init(s, p->event_count + 1))
		return false;
	for (uint32_t i = 0; i < p->instant_count; i++)
		share_add(s, kind_of(p, &p->instants[i]));
	share_room(s, LESS(PROFILE_INSTANTS));
	return true;
}

/* Drops events beyond the share of their kind, the oldest first, and notes that have more than so many bytes. */
static void instants_thin(struct profile *p, struct share *s, uint64_t most_bytes)
{
	uint32_t stay = 0;

	for (uint32_t i = 0; i < p->instant_count; i++) {
		struct profile_instant *instant = &p->instants[i];

		if (share_leaves(s, kind_of(p, instant)) || (instant->text && p->note_bytes > most_bytes)) {
			profile_set_instants_from(p, instant->tick);
			instant_leaves(p, instant);
		} else {
			p->instants[stay++] = *instant;
		}
	}
	p->instant_count = stay;
}

/* Too many, or too much text: there is room for each kind. Without memory to tell them the oldest go. */
static void instants_bound(struct profile *p)
{
	bool wordy = p->note_bytes > PROFILE_NOTE_BYTES;
	struct share s;

	if (p->instant_count <= PROFILE_INSTANTS && !wordy)
		return;
	if (instants_share(&s, p)) {
		instants_thin(p, &s, wordy ? LESS(PROFILE_NOTE_BYTES) : PROFILE_NOTE_BYTES);
		share_fini(&s);
	} else {
		profile_set_instants_from(p, p->instants[p->instant_count / SPARE].tick);
		instants_drop(p, p->instant_count / SPARE + 1);
	}
}

bool profile_add_instant(struct profile *p, int64_t tick, uint32_t thread, uint32_t event,
			 const char *text, bool cut)
{
	struct profile_instant instant = { .tick = tick, .thread = thread, .event = event, .cut = cut };
	uint32_t at = instants_behind(p, tick);

	if (thread >= p->thread_count || (event >= p->event_count && event != PROFILE_NONE))
		return false;
	if ((event == PROFILE_NONE && !profile_text(&instant.text, text)) ||
	    !array_queue(&p->store->instants, &p->store->instant_capacity, &p->instants,
			 p->instant_count, sizeof(*p->instants))) {
		free(instant.text);
		return false;
	}
	memmove(&p->instants[at + 1], &p->instants[at],
		(p->instant_count - at) * sizeof(*p->instants));
	p->instants[at] = instant;
	p->instant_count++;
	p->note_bytes += text_bytes(&instant);
	p->held_bytes += instant_bytes(&instant);
	instants_bound(p);
	return true;
}

void profile_set_instants_from(struct profile *p, int64_t tick)
{
	if (tick > p->instants_from)
		p->instants_from = tick;
}

uint32_t profile_instants(const struct profile *p, int64_t from, int64_t to, uint32_t *first)
{
	uint32_t behind = instants_behind(p, to);

	*first = instants_behind(p, from);
	return behind > *first ? behind - *first : 0;
}

/* Index of the first frame that ends at `tick` or later. */
static uint32_t frame_by_end(const struct profile *p, int64_t tick)
{
	return SEARCH(i, 0, p->frame_count, p->frames[i].start + p->frames[i].length < tick);
}

static bool is_unframed(const struct profile *p, int64_t tick)
{
	uint32_t i = frame_by_end(p, tick);

	if (i == p->frame_count)
		return true;
	if (tick > p->frames[i].start)
		return false;
	return p->frame_count == p->frames_ended || p->frames[i].number == (i ? p->frames[i - 1].number : 0) + 1;
}

uint32_t profile_unframed_next(const struct profile *p, uint32_t i)
{
	while (i < p->instant_count && !is_unframed(p, p->instants[i].tick))
		i++;
	return i;
}

uint32_t profile_unframed_count(const struct profile *p, int64_t from, int64_t to)
{
	uint32_t first, count = 0, behind = profile_instants(p, from, to, &first);

	behind += first;
	for (uint32_t i = profile_unframed_next(p, first); i < behind; i = profile_unframed_next(p, i + 1))
		count++;
	return count;
}

/* With the profile */

/* Whether a track marks where changes are missing. A track of one thread need not: run_least and run_most still
 * cover the changes that are gone. Sums and tracks of several threads lack these two. */
static bool must_say_lost(const struct profile *p, const struct profile_track *track)
{
	return p->counters[track->counter].summed || profile_track_is_several(p, track);
}

/* The newest change up to `tick` stays, as its value holds from there on. */
void profile_drop_values(struct profile *p, int64_t tick)
{
	for (uint32_t i = 0; i < p->track_count; i++) {
		struct profile_track *track = &p->tracks[i];
		uint32_t older = changes_behind(track, tick), lost = must_say_lost(p, track);

		if (older < 2 + lost)
			continue;
		if (lost) {
			older--;
			track->changes[older - 1].lost = true;
		}
		track->changes += older - 1;
		track->change_count -= older - 1;
		p->held_bytes -= (older - 1) * PROFILE_CHANGE_BYTES;
	}
	profile_set_instants_from(p, tick);
	instants_drop(p, instants_behind(p, tick));
}

static bool copy_names(struct profile *p, const struct profile *from)
{
	struct profile_store *s = p->store;

	if (!array_reserve(&p->counters, &s->counter_capacity, from->counter_count,
			   sizeof(*p->counters)) ||
	    !array_reserve(&p->events, &s->event_capacity, from->event_count, sizeof(*p->events)))
		return false;
	for (; p->counter_count < from->counter_count; p->counter_count++) {
		p->counters[p->counter_count] = from->counters[p->counter_count];
		p->counters[p->counter_count].name = NULL;
		if (!profile_text(&p->counters[p->counter_count].name,
				  from->counters[p->counter_count].name))
			return false;
	}
	for (; p->event_count < from->event_count; p->event_count++) {
		p->events[p->event_count] = NULL;
		if (!profile_text(&p->events[p->event_count], from->events[p->event_count]))
			return false;
	}
	return lookup_copy(&s->counters_by_name, &from->store->counters_by_name) &&
	       lookup_copy(&s->events_by_name, &from->store->events_by_name);
}

static bool copy_tracks(struct profile *p, const struct profile *from)
{
	struct profile_store *s = p->store;

	if (!array_reserve(&p->tracks, &s->track_capacity, from->track_count, sizeof(*p->tracks)) ||
	    !array_reserve(&s->rooms, &s->rooms_capacity, from->track_count, sizeof(*s->rooms)))
		return false;
	for (uint32_t i = 0; i < from->track_count; i++) {
		const struct profile_track *track = &from->tracks[i];
		struct changes_room room = { 0 };

		if (!array_reserve(&room.room, &room.capacity, track->change_count,
				   sizeof(*room.room)))
			return false;
		if (track->change_count)
			memcpy(room.room, track->changes,
			       track->change_count * sizeof(*room.room));
		s->rooms[i] = room;
		p->tracks[i] = *track;
		p->tracks[i].changes = room.room;
		p->track_count++;
	}
	return true;
}

static bool copy_instants(struct profile *p, const struct profile *from)
{
	if (!array_reserve(&p->store->instants, &p->store->instant_capacity, from->instant_count,
			   sizeof(*p->instants)))
		return false;
	p->instants = p->store->instants;
	p->instants_from = from->instants_from;
	for (; p->instant_count < from->instant_count; p->instant_count++) {
		struct profile_instant *instant = &p->instants[p->instant_count];

		*instant = from->instants[p->instant_count];
		instant->text = NULL;
		if (from->instants[p->instant_count].text &&
		    !profile_text(&instant->text, from->instants[p->instant_count].text))
			return false;
	}
	p->note_bytes = from->note_bytes;
	return true;
}

bool profile_copy_values(struct profile *p, const struct profile *from)
{
	return copy_names(p, from) && copy_tracks(p, from) && copy_instants(p, from);
}

void profile_free_values(struct profile *p)
{
	for (uint32_t i = 0; i < p->counter_count; i++)
		free(p->counters[i].name);
	for (uint32_t i = 0; i < p->event_count; i++)
		free(p->events[i]);
	for (uint32_t i = 0; i < p->instant_count; i++)
		free(p->instants[i].text);
	free(p->counters);
	free(p->events);
	if (p->store) {
		for (uint32_t i = 0; i < p->track_count; i++)
			free(p->store->rooms[i].room);
		free(p->store->rooms);
		free(p->store->instants);
		lookup_fini(&p->store->counters_by_name);
		lookup_fini(&p->store->events_by_name);
	}
	free(p->tracks);
}

/* SPDX-License-Identifier: MIT */
/*
 * live_happened: events and notes, of all threads in one order.
 *
 * A thread's come in the order of time, and those of several threads are sorted before the profile gets
 * them. However many there are, a poll holds twice as many as a profile does at most: those would leave it at
 * once of which there are most (share.h).
 */
#include "io/region/live_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/share.h"

#define HELD_MOST (2 * PROFILE_INSTANTS)

struct happening {
	int64_t tick;
	uint32_t order; /* of those of one tick */
	uint32_t thread, event;
	bool cut;
	char *text; /* of a note; owned */
};

struct live_happened {
	struct happening *all;
	uint32_t count, capacity;
	uint32_t order;
	uint64_t bytes; /* of texts */
	uint32_t *events; /* by zone of the region: of the profile; PROFILE_NONE: none yet */
};

static bool happened_begin(struct live *l)
{
	struct live_happened *h = calloc(1, sizeof(*h));

	if (!h)
		return false;
	h->events = array_zeroed(l->zone_room, sizeof(*h->events));
	if (!h->events) {
		free(h);
		return false;
	}
	for (uint32_t i = 0; i < l->zone_room; i++)
		h->events[i] = PROFILE_NONE;
	l->happened = h;
	return true;
}

static void forget_happened(struct live_happened *h, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		free(h->all[i].text);
}

void live_happened_free(struct live *l)
{
	struct live_happened *h = l->happened;

	if (h) {
		forget_happened(h, 0, h->count);
		free(h->all);
		free(h->events);
	}
	free(h);
	l->happened = NULL;
}

static int in_time(const void *a, const void *b)
{
	const struct happening *x = a, *y = b;

	if (x->tick != y->tick)
		return x->tick < y->tick ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void sort_happened(struct live_happened *h)
{
	if (h->count)
		qsort(h->all, h->count, sizeof(*h->all), in_time);
}

static uint64_t text_bytes(const struct happening *one)
{
	return one->text ? strlen(one->text) + 1 : 0;
}

/* Notes are one kind, behind the events. */
static uint32_t kind_of(const struct happening *one, uint32_t events)
{
	return one->event < events ? one->event : events;
}

/* Thins events and notes: each kind keeps its newest, up to its share of what a profile holds. */
static void thin_happened(struct live *l, struct live_happened *h, struct share *s)
{
	uint32_t stay = 0, events = s->kinds - 1;

	for (uint32_t i = 0; i < h->count; i++)
		share_add(s, kind_of(&h->all[i], events));
	share_room(s, PROFILE_INSTANTS);
	for (uint32_t i = 0; i < h->count; i++) {
		struct happening *one = &h->all[i];

		if (share_leaves(s, kind_of(one, events)) || (one->text && h->bytes > PROFILE_NOTE_BYTES)) {
			profile_set_instants_from(l->source.profile, one->tick);
			h->bytes -= text_bytes(one);
			free(one->text);
		} else {
			h->all[stay++] = *one;
		}
	}
	h->count = stay;
}

/* Room for one more; of very many those stay that a profile would hold. */
static bool make_room(struct live *l, struct live_happened *h)
{
	struct share s;

	if (h->count == HELD_MOST || h->bytes > 2 * PROFILE_NOTE_BYTES) {
		if (!share_init(&s, l->source.profile->event_count + 1))
			return false;
		sort_happened(h);
		thin_happened(l, h, &s);
		share_fini(&s);
	}
	return array_reserve(&h->all, &h->capacity, (uint64_t)h->count + 1, sizeof(*h->all));
}

/* An event has the name of a zone that nobody enters: the profile's zones need not know it. */
static uint32_t read_name(struct live *l, uint32_t id)
{
	struct snapshot_zone zone;
	char text[2 * (REGION_TEXT_MOST + 1)]; /* name and file */
	bool whole = snapshot_zone(&l->a, id - 1, &zone, text, sizeof(text)) &&
		     live_name_fits(l, zone.name, "");

	return profile_add_event(l->source.profile, whole ? zone.name : "(damaged)");
}

static uint32_t event_of(struct live *l, uint32_t id)
{
	struct live_happened *h = l->happened;

	if (id == REGION_NO_ZONE || id >= l->zone_room)
		return profile_add_event(l->source.profile, "(damaged)");
	if (h->events[id] == PROFILE_NONE)
		h->events[id] = read_name(l, id);
	return h->events[id];
}

void live_take_happening(struct live *l, struct block *b, const struct snapshot_value *value)
{
	struct happening one = { .tick = value->tick, .event = PROFILE_NONE, .cut = value->flags & VALUE_CUT,
				 .thread = live_owner_of(l, b, value->generation) };
	struct live_happened *h;

	if (l->memory || (!l->happened && !live_held(l, happened_begin(l))) ||
	    !live_held(l, make_room(l, l->happened)))
		return;
	h = l->happened;
	one.order = h->order++;
	if (value->kind == VALUE_EVENT) {
		one.event = event_of(l, value->id);
		if (!live_held(l, one.event != PROFILE_NONE))
			return;
	} else if (!live_held(l, profile_text(&one.text, value->text))) {
		return;
	}
	h->bytes += text_bytes(&one);
	h->all[h->count++] = one;
}

void live_give_happened(struct live *l)
{
	struct live_happened *h = l->happened;

	if (!h)
		return;
	sort_happened(h);
	for (uint32_t i = 0; i < h->count && !l->memory; i++) {
		const struct happening *one = &h->all[i];

		live_held(l, profile_add_instant(l->source.profile, one->tick, one->thread,
						 one->event, one->text, one->cut));
	}
	forget_happened(h, 0, h->count);
	h->count = 0;
	h->bytes = 0;
}

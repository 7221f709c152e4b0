/* SPDX-License-Identifier: MIT */
#include "tui/frames/instants.h"

#include <stdlib.h>

#include "model/base/array.h"
#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"

#define ROUTINE_PART 4   /* more often than in every 4th place, */
#define ROUTINE_FROM 16  /* and in more than so many */

uint32_t instants_of(const struct profile *p, const struct profile_frame *frame, uint32_t *first)
{
	return profile_instants(p, frame->start, frame_end(frame), first);
}

void instants_time(const struct profile *p, const struct profile_frame *frame, int64_t tick, bool ascii,
		   char *out, size_t size)
{
	int64_t since = tick - frame->start;

	*out = '+';
	typed_span(out + 1, size - 1, since, event_time_about(frame, since), p->ticks_per_s, true, ascii);
}

/* Kinds */

bool instants_kinds_init(struct instants_kinds *k, const struct profile *p)
{
	k->notes = p->event_count;
	k->count = array_zeroed((uint64_t)p->event_count + 1, sizeof(*k->count));
	k->last = array_zeroed((uint64_t)p->event_count + 1, sizeof(*k->last));
	if (k->count && k->last)
		return true;
	instants_kinds_fini(k);
	return false;
}

void instants_kinds_fini(struct instants_kinds *k)
{
	free(k->count);
	free(k->last);
}

static uint32_t kind_of(const struct instants_kinds *k, const struct profile_instant *instant)
{
	return instant->event < k->notes ? instant->event : k->notes;
}

void instants_meet(struct instants_kinds *k, const struct profile *p, int64_t from, int64_t to,
		   uint32_t place)
{
	uint32_t first, count = profile_instants(p, from, to, &first);

	for (uint32_t i = first; i < first + count; i++) {
		uint32_t kind = kind_of(k, &p->instants[i]);

		if (k->last[kind] == place + 1 || !frame_at(p, p->instants[i].tick))
			continue;
		k->last[kind] = place + 1;
		k->count[kind]++;
	}
}

static bool instants_routine(uint32_t count, uint32_t places)
{
	return count > ROUTINE_FROM && count > places / ROUTINE_PART;
}

int instants_news(const struct instants_kinds *k, const struct profile *p, int64_t from, int64_t to,
		  uint32_t places)
{
	uint32_t first, count = profile_instants(p, from, to, &first);
	int news = 0;

	for (uint32_t i = first; i < first + count && news < 2; i++) {
		uint32_t kind = kind_of(k, &p->instants[i]);

		if (instants_routine(k->count[kind], places) || !frame_at(p, p->instants[i].tick))
			continue;
		news = kind == k->notes ? 2 : news ? news : 1;
	}
	return news;
}

/* Steps */

/* Frames in which something happened, one after the other: of instant after instant. */
uint64_t instants_step(const struct profile *p, uint64_t from, int step)
{
	struct instants_kinds kinds;
	uint64_t found = 0;

	if (!instants_kinds_init(&kinds, p))
		return 0;
	for (uint32_t i = 0; i < p->frame_count && p->instant_count; i++)
		instants_meet(&kinds, p, p->frames[i].start, frame_end(&p->frames[i]), i);
	for (int64_t i = (int64_t)profile_frame_index(p, from) + (step > 0 ? 0 : -1);
	     i >= 0 && i < (int64_t)p->frame_count && !found; i += step > 0 ? 1 : -1) {
		const struct profile_frame *frame = &p->frames[i];

		if (frame->number != from &&
		    instants_news(&kinds, p, frame->start, frame_end(frame), p->frame_count))
			found = frame->number;
	}
	instants_kinds_fini(&kinds);
	return found;
}

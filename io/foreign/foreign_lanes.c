/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_lanes.h"

#include <inttypes.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/search.h"

#define EXACT_IN_DOUBLES (INT64_C(1) << 53)

bool foreign_covers(const struct foreign *t, int64_t tick)
{
	if (t->whole && t->profile->process.state == PROFILE_FILE)
		return true;
	return tick >= t->from && tick <= t->to;
}

/* Of one frame the thread's own part, which has ends of its own. */
static void bound_lane(const struct foreign *t, struct foreign_lane *lane)
{
	const struct profile_frame *frame = t->frame ? profile_find_frame(t->profile, t->frame) : NULL;
	const struct profile_held *part = frame ? profile_find_part(frame, lane->thread) : NULL;

	lane->from = t->from;
	lane->to = t->to;
	if (part && part->end > part->bound && !profile_thread_is_several(&t->profile->threads[lane->thread])) {
		lane->from = part->bound;
		lane->to = part->end;
	}
}

static bool reaches_in(const struct foreign_lane *lane)
{
	const struct span_list *l = lane->list;

	for (uint32_t i = 0; i < l->known_count; i++)
		if (l->known[i].begin <= lane->to && l->known[i].end >= lane->from)
			return true;
	return false;
}

/* The thread's own; where it stands for several threads, of the others the next that is free. */
static uint64_t id_for(struct foreign *t, uint32_t thread, bool first)
{
	if (first)
		return t->profile->threads[thread].id;
	do
		t->last_id++;
	while (profile_find_thread(t->profile, t->last_id) != PROFILE_NONE);
	return t->last_id;
}

static void add_lane(struct foreign *t, struct foreign_lane lane, bool first)
{
	lane.first = first;
	lane.id = id_for(t, lane.thread, first);
	t->lanes[t->lane_count++] = lane;
}

/* `order`: lists by their threads; *at: those of this one. */
static void add_lanes(struct foreign *t, uint32_t thread, const uint32_t *order, uint32_t *at)
{
	struct foreign_lane lane = { .thread = thread };
	bool first = true;

	bound_lane(t, &lane);
	for (; *at < t->spans->count && t->spans->lists[order[*at]].thread <= thread; ++*at) {
		lane.list = &t->spans->lists[order[*at]];
		if (lane.list->thread != thread || !reaches_in(&lane))
			continue;
		add_lane(t, lane, first);
		first = false;
	}
	lane.list = NULL;
	if (first)
		add_lane(t, lane, true);
}

bool foreign_lanes_make(struct foreign *t)
{
	const struct profile *p = t->profile;

	uint32_t *order = spans_by_thread(t->spans), at = 0;

	t->lane_count = 0;
	t->lanes = array_zeroed((uint64_t)t->spans->count + p->thread_count, sizeof(*t->lanes));
	for (uint32_t i = 0; i < p->thread_count; i++)
		t->last_id = p->threads[i].id > t->last_id ? p->threads[i].id : t->last_id;
	for (uint32_t i = 0; t->lanes && order && i < p->thread_count; i++)
		if (foreign_selects(t, i))
			add_lanes(t, i, order, &at);
	free(order);
	return t->lanes && order;
}

const struct foreign_lane *foreign_lane_of(const struct foreign *t, uint32_t thread)
{
	uint32_t i = SEARCH(k, 0, t->lane_count, t->lanes[k].thread < thread);

	return i < t->lane_count && t->lanes[i].thread == thread ? &t->lanes[i] : NULL; /* its first */
}

int64_t foreign_ns(const struct foreign *t, int64_t tick)
{
	return format_ns(tick, t->profile->ticks_per_s);
}

int64_t foreign_zero(const struct foreign *t)
{
	const struct profile *p = t->profile;
	int64_t last = t->to > p->now_tick ? t->to : p->now_tick;

	if (foreign_ns(t, last) <= EXACT_IN_DOUBLES)
		return 0;
	return t->from < p->first_tick ? t->from : p->first_tick;
}

void foreign_say_zero(struct foreign *t, int64_t zero)
{
	if (zero)
		foreign_say(t, "times count from %" PRId64 " ns, because readers use doubles", foreign_ns(t, zero));
}

/* From where on no thread has a gap any more. */
static int64_t known_whole_since(const struct foreign *t)
{
	int64_t since = t->from;

	for (uint32_t i = 0; i < t->lane_count; i++) {
		const struct span_list *l = t->lanes[i].list;
		const struct span_interval *last = l && l->known_count ? &l->known[l->known_count - 1] : NULL;

		if (last && !last->born && last->begin > since)
			since = last->begin;
	}
	return since;
}

static void put_length(const struct foreign *t, int64_t ticks, char *out, size_t size)
{
	int64_t second = (int64_t)t->profile->ticks_per_s;
	size_t length = ticks < second ? format_time(out, size, ticks, 1, t->profile->ticks_per_s, UNIT_MS, 1, 0)
				       : format_scaled(out, size, ticks, second, 1);

	if (length < size)
		snprintf(out + length, size - length, "%s", ticks < second ? " ms" : " s");
}

void foreign_say_since(struct foreign *t)
{
	const struct profile *p = t->profile;
	int64_t since = known_whole_since(t);
	char time[64], whole[64];
	bool known = false;

	for (uint32_t i = 0; i < t->lane_count; i++)
		known |= t->lanes[i].list != NULL;
	if (!known) {
		foreign_say(t, "no single calls are known in the covered time");
		return;
	}
	if (!t->whole || p->process.state == PROFILE_FILE || t->from <= p->first_tick)
		return;
	put_length(t, t->to - t->from, time, sizeof(time));
	put_length(t, t->to - since, whole, sizeof(whole));
	if (since > t->from)
		foreign_say(t, "single calls are known of the last %s, and some of the last %s", whole, time);
	else
		foreign_say(t, "single calls are known of the last %s", time);
}

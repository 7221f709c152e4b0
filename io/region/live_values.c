/* SPDX-License-Identifier: MIT */
/*
 * live_values: the counters of a region as tracks of the profile, poll by poll.
 *
 * A slot has the newest interval in which its value changed, the log of its block those before it. Slots are
 * copied first: what one of them has no more is then in the log. A sample is a change at the end of its
 * interval; the slot's own is one, too, once its interval has ended, and until then it is the newest value.
 *
 * A counter that is only added to has a track for each slot, whoever owns it. One that is set has a track for
 * each owner; when it is set for the first time later, each slot's track becomes that of the owner that is
 * seen next.
 */
#include "io/live_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/array.h"

#define ENDS 1024 /* of intervals, remembered */

struct interval_end {
	uint64_t interval;
	int64_t tick;
};

/* A value that a block gives, or gave, to a counter. */
struct given {
	uint64_t generation; /* 0: whoever owns the block */
	uint64_t newest;     /* interval of the newest sample in the log; 0: none */
	uint64_t seen;       /* newest interval that was known at the last look; 0: there was none */
	bool followed;       /* since then the log went on where that was */
	struct interval_end told; /* of the change that a slot gave last: the same is said again, when the interval's end is
	                           * gone from the region */
	uint32_t track;
	uint32_t older; /* of the same counter; PROFILE_NONE: none */
};

struct block_values {
	uint64_t position; /* in the value log */
	struct given *given;
	uint32_t given_count, given_capacity;
	uint32_t *newest; /* by counter of the region: index of given, or PROFILE_NONE */
	uint32_t newest_count, newest_capacity;
	struct snapshot_slot *slots;
	uint32_t slot_count, slot_capacity;
};

/* The first interval from one on that is known, as this poll found it; interval 0: not looked for. */
struct known {
	uint64_t interval;
	int64_t start;
};

struct live_values {
	struct block_values *blocks;
	uint32_t block_count;
	int64_t newest_tick; /* of a sample, or of an interval that was decided */
	int64_t read; /* what that was at the end of the last poll: up to there all is known */
	uint32_t *counters; /* of the profile, by that of the region */
	uint32_t counter_count, counter_capacity;
	struct interval_end ends[ENDS];
	struct known *known; /* by interval, as the ring is; NULL: none was looked for in this poll */
};

static bool values_begin(struct live *l)
{
	struct live_values *v = calloc(1, sizeof(*v));

	if (!v)
		return false;
	v->blocks = array_zeroed(l->a.thread_count, sizeof(*v->blocks));
	v->block_count = l->a.thread_count;
	if (!v->blocks) {
		free(v);
		return false;
	}
	l->values = v;
	return true;
}

void live_values_free(struct live *l)
{
	struct live_values *v = l->values;

	for (uint32_t i = 0; v && i < v->block_count; i++) {
		free(v->blocks[i].given);
		free(v->blocks[i].newest);
		free(v->blocks[i].slots);
	}
	if (v) {
		free(v->blocks);
		free(v->counters);
		free(v->known);
	}
	free(v);
	l->values = NULL;
}

/* Counters */

static uint32_t add_counter(struct live *l, uint32_t index)
{
	size_t size = (size_t)l->a.string_bytes + 1;
	struct snapshot_counter counter;
	char *text = malloc(size);
	uint32_t added;
	bool whole;

	if (!text)
		return PROFILE_NONE;
	whole = snapshot_counter(&l->a, index, &counter, text, size) &&
		live_name_fits(l, counter.name, "");
	added = profile_add_counter(l->source.profile, whole ? counter.name : "(damaged)",
				    counter.flags & COUNTER_REAL, !(counter.flags & COUNTER_SET));
	free(text);
	return added;
}

/* What was set for the first time is no sum from now on.  A value that was seen, in a slot or a log, was written
 * behind the sign that it was set: so this is asked when the value is taken, too. */
static bool is_summed(struct live *l, uint32_t counter)
{
	struct profile_counter *known = &l->source.profile->counters[l->values->counters[counter]];
	struct snapshot_counter now;
	char name[1];

	if (known->summed) {
		snapshot_counter(&l->a, counter, &now, name, sizeof(name));
		known->summed = !(now.flags & COUNTER_SET);
	}
	return known->summed;
}

static void renew_counters(struct live *l)
{
	for (uint32_t i = 0; i < l->values->counter_count; i++)
		is_summed(l, i);
}

static bool read_counters(struct live *l)
{
	struct live_values *v = l->values;

	renew_counters(l);
	while (v->counter_count < l->process.counters) {
		uint32_t added = array_reserve(&v->counters, &v->counter_capacity,
					       (uint64_t)v->counter_count + 1, sizeof(*v->counters))
					 ? add_counter(l, v->counter_count)
					 : PROFILE_NONE;

		if (!live_held(l, added != PROFILE_NONE))
			return false;
		v->counters[v->counter_count++] = added;
	}
	return true;
}

/* Also one that was registered since this poll began: what the log says of it is said once. */
static bool knows_counter(struct live *l, uint32_t counter)
{
	struct snapshot_process now;

	if (counter >= l->values->counter_count) {
		snapshot_process(&l->a, &now);
		l->process.counters = now.counters;
		read_counters(l);
	}
	return counter < l->values->counter_count;
}

/* Ticks of intervals */

/* The first interval from `from` on that is known. All searches of a poll look at each interval once, whatever damage
 * there is: what one of them found is remembered of each that it passed. */
static struct known search(struct live *l, uint64_t from)
{
	struct known *known = l->values->known, found = { UINT64_MAX, l->now };
	uint64_t mask = l->a.frame_count - 1, end = from;
	bool done = false;
	struct snapshot_frame frame;

	for (; end < l->process.epoch && !done; end++) {
		done = known[end & mask].interval;
		if (done)
			found = known[end & mask];
		else if ((done = snapshot_frame(&l->a, end, &frame) == SNAPSHOT_OK))
			found = (struct known){ end, frame.start };
	}
	for (uint64_t i = from; i < end; i++)
		known[i & mask] = found;
	return found;
}

static struct known first_known(struct live *l, uint64_t from)
{
	struct snapshot_frame frame;

	if (snapshot_frame(&l->a, from, &frame) == SNAPSHOT_OK) /* almost always */
		return (struct known){ from, frame.start };
	if (!l->values->known)
		l->values->known = array_zeroed(l->a.frame_count, sizeof(*l->values->known));
	return live_held(l, l->values->known) ? search(l, from) : (struct known){ UINT64_MAX, l->now };
}

/* Where the first interval behind this one begins that is known; the interval's own end if it is. */
static int64_t known_behind(struct live *l, uint64_t interval)
{
	uint64_t oldest = live_oldest_interval(l);
	const struct snapshot_frame *kept = live_kept_from(l, interval);
	struct known first = { UINT64_MAX, l->now };

	if (interval + 1 < l->process.epoch)
		first = first_known(l, interval < oldest ? oldest : interval + 1);
	if (!kept || kept->interval >= first.interval)
		return first.start;
	return kept->interval == interval ? kept->end : kept->start;
}

/* T(interval). Where that is gone the value is good for what comes later, and for nothing before. */
static int64_t end_of(struct live *l, uint64_t interval)
{
	struct interval_end *end = &l->values->ends[interval % ENDS];
	struct snapshot_frame frame;

	if (end->interval == interval)
		return end->tick;
	if (snapshot_frame(&l->a, interval, &frame) != SNAPSHOT_OK)
		return known_behind(l, interval);
	*end = (struct interval_end){ interval, frame.end };
	return frame.end;
}

/* The same for a value of an interval, of which the end may have been told. */
static int64_t end_for(struct live *l, const struct given *given, uint64_t interval)
{
	return given->told.interval == interval ? given->told.tick : end_of(l, interval);
}

/* Where an interval begins; 0: that is gone. */
static int64_t start_of(struct live *l, uint64_t interval)
{
	struct snapshot_frame frame;

	if (interval == 1)
		return (int64_t)l->process.created.ticks;
	return snapshot_frame(&l->a, interval - 1, &frame) == SNAPSHOT_OK ? frame.end : 0;
}

/* Tracks */

static bool counter_room(struct block_values *values, uint32_t counter)
{
	if (!array_reserve(&values->newest, &values->newest_capacity, (uint64_t)counter + 1,
			   sizeof(*values->newest)) ||
	    !array_reserve(&values->given, &values->given_capacity,
			   (uint64_t)values->given_count + 1, sizeof(*values->given)))
		return false;
	while (values->newest_count <= counter)
		values->newest[values->newest_count++] = PROFILE_NONE;
	return true;
}

static struct given *add_given(struct live *l, struct block *b, uint32_t counter,
			       uint64_t generation, uint64_t born)
{
	struct block_values *values = &l->values->blocks[b->index];
	uint32_t thread = generation ? live_owner(l, b, generation) : PROFILE_NONE;
	struct given given = { .generation = generation };

	if (l->memory || !live_held(l, counter_room(values, counter)))
		return NULL;
	given.older = values->newest[counter];
	given.track = profile_add_track(l->source.profile, l->values->counters[counter], thread,
					born ? start_of(l, born) : 0);
	if (!live_held(l, given.track != PROFILE_NONE))
		return NULL;
	values->newest[counter] = values->given_count;
	values->given[values->given_count] = given;
	return &values->given[values->given_count++];
}

/* The log may have told of a slot that was opened behind the copying of slots. */
static void learn_born(struct live *l, const struct given *given, uint64_t born)
{
	struct profile_track *track = &l->source.profile->tracks[given->track];

	if (born && !track->born)
		track->born = start_of(l, born);
}

/* A thread that is several goes on with what the one before gave. */
static bool goes_on(struct live *l, struct block *b, const struct given *given, uint64_t generation)
{
	return b->several && generation && generation != ENDED_OWNERS &&
	       l->source.profile->tracks[given->track].thread == live_owner(l, b, generation);
}

/* What this owner of the block gives to a counter. born: the interval of the slot's first value; 0: not
 * known. NULL: no memory. */
static struct given *find_given(struct live *l, struct block *b, uint32_t counter,
				uint64_t generation, uint64_t born)
{
	struct block_values *values = &l->values->blocks[b->index];
	struct profile *p = l->source.profile;
	uint32_t i = counter < values->newest_count ? values->newest[counter] : PROFILE_NONE;

	if (is_summed(l, counter))
		generation = 0;
	else if (live_owner_is_over(l, b, generation))
		generation = ENDED_OWNERS;
	for (; i != PROFILE_NONE; i = values->given[i].older) {
		struct given *given = &values->given[i];

		if (given->generation && given->generation != generation) {
			if (!goes_on(l, b, given, generation))
				continue;
			given->generation = generation;
		}
		if (!given->generation && generation) {
			given->generation = generation;
			profile_own_track(p, given->track, live_owner(l, b, generation));
		}
		learn_born(l, given, born);
		return given;
	}
	return add_given(l, b, counter, generation, born);
}

/* Samples */

static union profile_number number_of(uint64_t bits)
{
	return (union profile_number){ .whole = (int64_t)bits };
}

/* A value of a real counter lies in the same 64 bits. */
static struct profile_change change_of(int64_t tick, uint64_t last, uint64_t least, uint64_t most)
{
	return (struct profile_change){ .tick = tick, .last = number_of(last), .least = number_of(least),
					.most = number_of(most) };
}

void live_take_sample(struct live *l, struct block *b, const struct snapshot_value *value)
{
	struct profile_change change;
	struct given *given;

	if (!knows_counter(l, value->id))
		return;
	given = find_given(l, b, value->id, live_whole_generation(b, value->generation), 0);
	if (!given)
		return;
	if (value->interval > given->newest)
		given->newest = value->interval;
	given->followed |= value->interval == given->seen;
	change = change_of(end_for(l, given, value->interval), value->last, value->least, value->most);
	if (change.tick > l->values->newest_tick)
		l->values->newest_tick = change.tick;
	live_held(l, profile_add_change(l->source.profile, given->track, &change));
}

/* Slots */

static bool read_slots(struct live *l, struct block *b)
{
	struct block_values *values = &l->values->blocks[b->index];
	uint32_t count = values->slot_capacity;
	uint64_t torn = 0;
	enum snapshot_result result =
		snapshot_slots(&l->a, b->index, values->slots, &count, &torn);

	if (count > values->slot_capacity) {
		torn = 0;
		if (!live_held(l, array_reserve(&values->slots, &values->slot_capacity, count,
						sizeof(*values->slots))))
			return false;
		count = values->slot_capacity;
		result = snapshot_slots(&l->a, b->index, values->slots, &count, &torn);
	}
	values->slot_count = count < values->slot_capacity ? count : values->slot_capacity;
	l->torn_values += torn + (result == SNAPSHOT_DAMAGED);
	return true;
}

static bool is_less(union profile_number a, union profile_number b, bool real)
{
	return real ? a.real < b.real : a.whole < b.whole;
}

/* No mark ends an interval, the polls do: what moved since the one before is a change of that time, and so is what is less
 * or more by now than all that it had been. */
static struct profile_change moved_since(const struct profile_track *track, const struct profile_change *now,
					 union profile_number run_least, union profile_number run_most, bool real)
{
	struct profile_change moved = *now;
	bool began = track->now.tick;
	union profile_number before = began ? track->now.last : now->last;

	moved.least = is_less(before, now->last, real) ? before : now->last;
	moved.most = is_less(before, now->last, real) ? now->last : before;
	if (began && is_less(run_least, track->run_least, real))
		moved.least = run_least;
	if (began && is_less(track->run_most, run_most, real))
		moved.most = run_most;
	return moved;
}

static bool has_moved(const struct profile_track *track, const struct profile_change *now, bool real)
{
	return !track->change_count || is_less(now->least, now->last, real) || is_less(now->last, now->most, real);
}

/* Gives the newest value, and as a change if it is one already. */
static void give_newest(struct live *l, uint32_t index, struct profile_change now, bool ended,
			union profile_number run_least, union profile_number run_most)
{
	struct profile *p = l->source.profile;
	const struct profile_track *track = &p->tracks[index];
	bool real = p->counters[track->counter].real;

	if (!ended && l->makes_own && live_is_unmarked(l)) {
		now = moved_since(track, &now, run_least, run_most, real);
		ended = has_moved(track, &now, real);
		if (!ended)
			now = track->now;
	}
	if (ended)
		live_held(l, profile_add_change(p, index, &now));
	profile_set_now(p, index, &now, run_least, run_most);
}

/* What came behind the value that was seen was overwritten in the log: it is not known what it was until the next one
 * that is. */
static void note_gap(struct live *l, struct given *given, const struct snapshot_slot *slot, bool lapped)
{
	struct profile_change gap = { .tick = l->values->read + 1, .lost = true };

	if (lapped && given->seen && slot->interval != given->seen && !given->followed)
		live_held(l, profile_add_change(l->source.profile, given->track, &gap));
	given->seen = slot->interval > given->newest ? slot->interval : given->newest;
	given->followed = false;
}

static void take_slot(struct live *l, struct block *b, const struct snapshot_slot *slot, bool lapped)
{
	struct profile *p = l->source.profile;
	const struct profile_track *track;
	struct given *given;
	union profile_number least = number_of(slot->least), most = number_of(slot->most);
	bool real, ended = slot->interval <= l->process.decided; /* its tick is known */
	int64_t tick;

	if (!knows_counter(l, slot->counter))
		return;
	given = find_given(l, b, slot->counter, slot->generation, slot->born);
	if (!given)
		return;
	note_gap(l, given, slot, lapped);
	track = &p->tracks[given->track];
	real = p->counters[track->counter].real;
	if (slot->run && is_less(number_of(slot->run_least), least, real))
		least = number_of(slot->run_least);
	if (slot->run && is_less(most, number_of(slot->run_most), real))
		most = number_of(slot->run_most);
	if (slot->interval <= given->newest) { /* since it was copied the log has it, and what came behind */
		profile_set_now(p, given->track, &track->changes[track->change_count - 1], least,
				most);
		return;
	}
	tick = ended ? end_for(l, given, slot->interval) : l->now;
	if (ended)
		given->told = (struct interval_end){ slot->interval, tick };
	give_newest(l, given->track, change_of(tick, slot->last, slot->least, slot->most), ended,
		    least, most);
}

static void read_block(struct live *l, struct block *b)
{
	struct block_values *values = &l->values->blocks[b->index];
	uint64_t lapped = 0;

	if (!b->generation || !read_slots(l, b))
		return;
	for (uint32_t i = 0; i < values->slot_count && !l->memory; i++) {
		const struct snapshot_slot *slot = &values->slots[i];

		if (knows_counter(l, slot->counter)) /* born is known from here alone */
			find_given(l, b, slot->counter, slot->generation, slot->born);
	}
	live_read_value_log(l, b, &values->position, &lapped);
	l->lost_values += l->began ? lapped : 0;
	for (uint32_t i = 0; i < values->slot_count && !l->memory; i++)
		take_slot(l, b, &values->slots[i], l->began && lapped);
}

void live_read_values(struct live *l)
{
	if (!l->values && !live_held(l, values_begin(l)))
		return;
	l->torn_values = 0;
	free(l->values->known);
	l->values->known = NULL;
	if (!read_counters(l))
		return;
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++)
		read_block(l, &l->blocks[i]);
	if (l->process.decided_end > l->values->newest_tick)
		l->values->newest_tick = l->process.decided_end;
	l->values->read = l->values->newest_tick;
	live_give_happened(l);
}

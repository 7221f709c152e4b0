/* SPDX-License-Identifier: MIT */
/*
 * live_values: the counters of a region as tracks of the profile, poll by poll.
 *
 * A thread has a slot for each counter that it changes. The slot has the newest interval in which the value
 * changed; the value log of the thread's block has the intervals before that one. The slots are copied first
 * and the log is read afterwards. What a slot no longer has is then in the log.
 *
 * A change stands at the end of its interval. The value of a slot becomes a change as soon as its interval
 * has ended. Until then it is only the newest value of its track.
 *
 * A counter that is only added to has a track for each slot, whoever owns the block. A counter that is set
 * has a track for each owner. If it is added to first and set later, the track of the slot goes to the owner
 * that is seen next.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

/* The share of one owner of a block in a counter. All owners of the block share one of these as long as the
 * counter is only added to. */
struct given {
	uint64_t generation; /* of the owner; 0: all of them */
	uint64_t newest;     /* the newest interval of which the log told a change; 0: none */
	uint64_t seen;       /* the newest interval that was known after the last poll; 0: none */
	bool followed;       /* the log had the interval `seen` since: nothing behind it was lapped */
	uint64_t told;       /* the interval of the change that was taken from the slot last */
	int64_t told_tick;   /* the end of that interval, which the region may forget */
	uint32_t track;
	uint32_t older;      /* index of the one before, of the same counter; PROFILE_NONE: none */
};

struct block_values {
	uint64_t position; /* in the value log */
	int64_t gap;       /* tick from which values of the log were overwritten, the newest time; 0: none were */
	bool happens;      /* the log had events or notes */
	struct given *given;
	uint32_t given_count, given_capacity;
	uint32_t *newest; /* by counter of the region: index of given, or PROFILE_NONE */
	uint32_t newest_count, newest_capacity;
	struct snapshot_slot *slots;
	uint32_t slot_count, slot_capacity;
};

struct live_values {
	struct block_values *blocks;
	uint32_t block_count;
	int64_t newest_tick; /* of all changes, and of the intervals that are decided */
	int64_t read;        /* newest_tick after the last poll: up to there everything was read */
	uint32_t *counters; /* of the profile, by that of the region */
	uint32_t counter_count, counter_capacity;
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
	}
	free(v);
	l->values = NULL;
}

/* Counters */

/* Takes the unit of a counter, and whether it is a total, as the program has set them by now. */
static void take_unit(struct profile_counter *to, const struct snapshot_counter *counter)
{
	static_assert(sizeof(to->unit) == sizeof(counter->unit), "a unit fits");
	to->total = counter->flags & COUNTER_TOTAL;
	memcpy(to->unit, counter->unit, sizeof(to->unit));
}

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
	if (added != PROFILE_NONE)
		take_unit(&l->source.profile->counters[added], &counter);
	return added;
}

/* Whether the counter was only added to so far. The program writes that a counter is set before it writes the
 * first value that was set. So this looks again whenever a value is taken: then a value that was set never
 * counts as a sum. */
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
	struct snapshot_counter now;
	char name[1];

	for (uint32_t i = 0; i < l->values->counter_count; i++) {
		is_summed(l, i);
		if (snapshot_counter(&l->a, i, &now, name, sizeof(name)))
			take_unit(&l->source.profile->counters[l->values->counters[i]], &now);
	}
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

/* A counter may have been registered after this poll began. It is read now, as the log tells its values only
 * once. */
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

/* Tracks */

/* The end of an interval in which this value changed. */
static int64_t end_for(struct live *l, const struct given *given, uint64_t interval)
{
	return given->told == interval ? given->told_tick : live_end_of(l, interval);
}

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

/* Owners that have ended have no slot. If values in the log were overwritten, some may have been theirs. */
static void say_overwritten(struct live *l, const struct block_values *values, const struct given *given)
{
	struct profile_change gap = { .tick = values->gap, .lost = true };

	if (values->gap && given->generation == ENDED_OWNERS)
		live_held(l, profile_add_change(l->source.profile, given->track, &gap));
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
					born ? live_start_of(l, born) : 0);
	if (!live_held(l, given.track != PROFILE_NONE))
		return NULL;
	values->newest[counter] = values->given_count;
	values->given[values->given_count] = given;
	say_overwritten(l, values, &given);
	return &values->given[values->given_count++];
}

/* The log may tell of a slot that is newer than our copy of the slots. Then its track was made without a
 * birth, and gets it when the slot is seen. */
static void learn_born(struct live *l, const struct given *given, uint64_t born)
{
	struct profile_track *track = &l->source.profile->tracks[given->track];

	if (born && !track->born)
		track->born = live_start_of(l, born);
}

/* Where a thread of the profile stands for several owners, a new owner goes on with the track of the one
 * before. */
static bool goes_on(struct live *l, struct block *b, const struct given *given, uint64_t generation)
{
	return b->several && generation && generation != ENDED_OWNERS &&
	       l->source.profile->tracks[given->track].thread == live_owner(l, b, generation);
}

/* Finds the share of this owner of the block in a counter. `born` is the interval in which the slot got its
 * first value, or 0 if that is not known. NULL: no memory. */
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

/* Changes from the logs */

static union profile_number number_of(uint64_t bits)
{
	return (union profile_number){ .whole = (int64_t)bits };
}

/* The numbers of a real counter lie in the same 64 bits. */
static struct profile_change change_of(int64_t tick, uint64_t last, uint64_t least, uint64_t most)
{
	return (struct profile_change){ .tick = tick, .last = number_of(last), .least = number_of(least),
					.most = number_of(most) };
}

static bool is_less(union profile_number a, union profile_number b, bool real)
{
	return real ? a.real < b.real : a.whole < b.whole;
}

/* The last poll may have left the newest value at its own tick, which is later than the end of the interval. The log has
 * the interval now. The slot may have a new owner, so no later poll would set the newest value of this track. */
static void settle_newest(struct profile *p, uint32_t index, const struct profile_change *change)
{
	const struct profile_track *track = &p->tracks[index];
	bool real = p->counters[track->counter].real;
	union profile_number least = is_less(change->least, track->run_least, real) ? change->least : track->run_least;
	union profile_number most = is_less(track->run_most, change->most, real) ? change->most : track->run_most;

	profile_set_now(p, index, &track->changes[track->change_count - 1], least, most);
}

static void take_sample(struct live *l, struct block *b, const struct snapshot_value *value)
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
	if (given->generation == ENDED_OWNERS && !l->source.profile->tracks[given->track].change_count)
		learn_born(l, given, value->interval); /* nothing was overwritten, so this is the first one */
	change = change_of(end_for(l, given, value->interval), value->last, value->least, value->most);
	if (change.tick > l->values->newest_tick)
		l->values->newest_tick = change.tick;
	if (live_held(l, profile_add_change(l->source.profile, given->track, &change)) && given->seen)
		settle_newest(l->source.profile, given->track, &change);
}

struct log_reading {
	struct live *l;
	struct block *b;
	const uint64_t *lapped;
	uint64_t lapped_before; /* the newest event or note */
};

/* If words before an event or a note were overwritten, some events and notes before it may be missing. */
static void take_happening(struct log_reading *reading, const struct snapshot_value *value)
{
	if (*reading->lapped > reading->lapped_before)
		profile_set_instants_from(reading->l->source.profile, value->tick - 1);
	reading->lapped_before = *reading->lapped;
	reading->l->values->blocks[reading->b->index].happens = true;
	live_take_happening(reading->l, reading->b, value);
}

static bool take_value(const struct snapshot_value *value, void *context)
{
	struct log_reading *reading = context;

	if (value->kind == VALUE_SAMPLE)
		take_sample(reading->l, reading->b, value);
	else
		take_happening(reading, value);
	return live_goes_on(reading->l);
}

/* If the log has no event or note behind the overwritten words, nothing says up to where some are missing. So it may be
 * up to now, unless the thread never reported any. */
static void read_log(struct live *l, struct block *b, uint64_t *lapped)
{
	struct log_reading reading = { .l = l, .b = b, .lapped = lapped };
	struct block_values *values = &l->values->blocks[b->index];

	snapshot_values(&l->a, b->index, &values->position, lapped, &l->damaged_records, take_value, &reading);
	if (*lapped > reading.lapped_before && values->happens)
		profile_set_instants_from(l->source.profile, l->now);
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

/* If the program sets no mark, polls end the intervals. Then a change covers the time between two polls: the value at
 * the one before, the present value, and a least or most of the whole run that is new since. */
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

/* The newest value of a track. It is a change, too, if its interval has ended. */
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

/* Says in the track that changes may be missing. That is so if the log was lapped and the slot has moved on,
 * and the log did not have the interval that was the newest at the last poll: what followed it was
 * overwritten then. The value is unknown from there to the next change. */
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
	bool real, ended = slot->interval <= l->process.decided;
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
	if (slot->interval <= given->newest) { /* the log is newer than our copy of the slot */
		profile_set_now(p, given->track, &track->changes[track->change_count - 1], least,
				most);
		return;
	}
	tick = ended ? end_for(l, given, slot->interval) : l->now;
	if (ended) {
		given->told = slot->interval;
		given->told_tick = tick;
	}
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

		if (knows_counter(l, slot->counter)) /* makes the track: only the slot knows its birth */
			find_given(l, b, slot->counter, slot->generation, slot->born);
	}
	read_log(l, b, &lapped);
	l->lost_values += l->began ? lapped : 0;
	if (lapped) {
		values->gap = l->values->read + 1;
		for (uint32_t i = 0; i < values->given_count; i++)
			say_overwritten(l, values, &values->given[i]);
	}
	for (uint32_t i = 0; i < values->slot_count && !l->memory; i++)
		take_slot(l, b, &values->slots[i], l->began && lapped);
}

void live_read_values(struct live *l)
{
	if (!l->values && !live_held(l, values_begin(l)))
		return;
	l->torn_values = 0;
	if (!live_ends_begin(l) || !read_counters(l))
		return;
	for (uint32_t i = 0; i < l->process.threads && !l->memory; i++)
		read_block(l, &l->blocks[i]);
	if (l->process.decided_end > l->values->newest_tick)
		l->values->newest_tick = l->process.decided_end;
	l->values->read = l->values->newest_tick;
	live_give_happened(l);
}

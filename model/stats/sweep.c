/* SPDX-License-Identifier: MIT */
#include "model/stats/sweep.h"

#include <float.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"

/* Numbers of either kind */

int number_compare(union profile_number a, union profile_number b, bool real)
{
	if (real)
		return (a.real > b.real) - (a.real < b.real);
	return (a.whole > b.whole) - (a.whole < b.whole);
}

static double bounded_real(double real)
{
	return real > DBL_MAX ? DBL_MAX : real < -DBL_MAX ? -DBL_MAX : real;
}

static union profile_number sum_of(union profile_number a, union profile_number b, bool real)
{
	if (real)
		a.real = bounded_real(a.real + b.real);
	else if (__builtin_add_overflow(a.whole, b.whole, &b.whole))
		a.whole = a.whole < 0 ? INT64_MIN : INT64_MAX;
	else
		a.whole = b.whole;
	return a;
}

static union profile_number difference_of(union profile_number a, union profile_number b, bool real)
{
	if (real)
		a.real = bounded_real(a.real - b.real);
	else if (__builtin_sub_overflow(a.whole, b.whole, &b.whole))
		a.whole = a.whole < 0 ? INT64_MIN : INT64_MAX;
	else
		a.whole = b.whole;
	return a;
}

static uint32_t changes_of(const struct profile_track *track)
{
	uint32_t count = track->change_count;

	return count + (track->now.tick > (count ? track->changes[count - 1].tick : 0));
}

static const struct profile_change *change_of(const struct profile_track *track, uint32_t i)
{
	return i < track->change_count ? &track->changes[i] : &track->now;
}

bool sweep_belongs(const struct profile *p, uint32_t track, uint32_t counter, uint32_t thread)
{
	return p->tracks[track].counter == counter &&
	       (p->counters[counter].summed || p->tracks[track].thread == thread);
}

bool sweep_init(struct sweep *s, const struct profile *p, uint32_t room)
{
	*s = (struct sweep){ .p = p, .cursors = array_zeroed(room, sizeof(*s->cursors)) };
	return s->cursors;
}

void sweep_fini(struct sweep *s)
{
	free(s->cursors);
}

void sweep_begin(struct sweep *s, uint32_t counter)
{
	s->count = 0;
	s->real = s->p->counters[counter].real;
	s->summed = s->p->counters[counter].summed;
}

void sweep_add(struct sweep *s, uint32_t track)
{
	s->cursors[s->count++] = (struct sweep_cursor){ .track = &s->p->tracks[track] };
}

/* Goes to the first change behind `tick`, which is never before the one of the last call. */
static void cursor_move(struct sweep_cursor *c, int64_t tick)
{
	uint32_t count = changes_of(c->track);

	if (c->next < count && change_of(c->track, c->next)->tick <= tick)
		c->next = SEARCH(i, c->next, count, change_of(c->track, i)->tick <= tick);
}

/* The value of a counter at one tick of a sweep. */
struct level {
	bool complete; /* no track lost its value */
	bool zero;     /* a track that has no value yet counts as 0 */
	bool born;     /* a track has a value */
	union profile_number value;
	int64_t tick; /* of the newest change */
};

/* Up to this tick the track has no lost values. */
static int64_t first_told(const struct profile_track *t)
{
	return t->born < -1 ? -2 - t->born : t->born;
}

/* The value where the cursors are, at `tick`. */
static struct level sweep_level(const struct sweep *s, int64_t tick)
{
	struct level l = { .complete = true, .zero = true };

	for (uint32_t i = 0; i < s->count; i++) {
		const struct sweep_cursor *c = &s->cursors[i];
		const struct profile_change *change;

		if (!c->next) {
			l.complete = l.complete && first_told(c->track) >= tick;
			l.zero = l.zero && c->track->born >= tick;
			continue;
		}
		change = change_of(c->track, c->next - 1);
		if (change->lost) {
			l.complete = false;
			continue;
		}
		if (s->summed)
			l.value = sum_of(l.value, change->last, s->real);
		else if (!l.born || change->tick >= l.tick)
			l.value = change->last;
		if (!l.born || change->tick > l.tick)
			l.tick = change->tick;
		l.born = true;
	}
	return l;
}

static bool is_known(const struct sweep *s, const struct level *l)
{
	return l->born && (l->complete || !s->summed);
}

/* The tick of the next change of any track; INT64_MAX: there is none. */
static int64_t sweep_next(const struct sweep *s)
{
	int64_t tick = INT64_MAX;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct sweep_cursor *c = &s->cursors[i];

		if (c->next < changes_of(c->track) && change_of(c->track, c->next)->tick < tick)
			tick = change_of(c->track, c->next)->tick;
	}
	return tick;
}

void counter_extend(struct counter_value *v, union profile_number least, union profile_number most,
		    bool real)
{
	if (!v->known || number_compare(least, v->least, real) < 0)
		v->least = least;
	if (!v->known || number_compare(most, v->most, real) > 0)
		v->most = most;
	v->known = true;
}

/* Moves all cursors over the changes at `tick`, and extends *v by the values
 * that the counter had. If the counter is no sum, its tracks are of threads
 * that set it one after the other, so it had all their values. If several
 * tracks of a sum change at once, only the sum after that is known. Returns
 * false if a track's value is lost from `tick` on. */
static bool sweep_step(struct sweep *s, int64_t tick, struct counter_value *v)
{
	const struct profile_change *one = NULL;
	union profile_number others = { 0 };
	struct level l;
	uint32_t moved = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		struct sweep_cursor *c = &s->cursors[i];

		if (c->next >= changes_of(c->track) || change_of(c->track, c->next)->tick > tick)
			continue;
		one = change_of(c->track, c->next++);
		moved++;
		if (!s->summed && !one->lost)
			counter_extend(v, one->least, one->most, s->real);
	}
	l = sweep_level(s, tick);
	if (!is_known(s, &l))
		return l.complete;
	counter_extend(v, l.value, l.value, s->real);
	if (!s->summed || moved > 1 || one->lost)
		return l.complete;
	if (s->count > 1)
		others = difference_of(l.value, one->last, s->real);
	counter_extend(v, sum_of(others, one->least, s->real), sum_of(others, one->most, s->real), s->real);
	return l.complete;
}

/* The same for all changes up to `to` of a track that alone makes the value, and has one. */
static bool sweep_alone(struct sweep *s, int64_t to, struct counter_value *v)
{
	struct sweep_cursor *c = &s->cursors[0];
	uint32_t count = changes_of(c->track);
	bool complete = true;

	for (; c->next < count && change_of(c->track, c->next)->tick <= to; c->next++) {
		const struct profile_change *change = change_of(c->track, c->next);

		complete = complete && !change->lost;
		if (change->lost)
			continue;
		counter_extend(v, change->last, change->last, s->real);
		counter_extend(v, change->least, change->most, s->real);
	}
	return complete;
}

/* The change counts from the value before the stretch, or from the first known value. A sum without losses began
 * at 0. */
struct counter_value sweep_stretch(struct sweep *s, int64_t from, int64_t first, int64_t to)
{
	struct counter_value v = { 0 };
	struct level base, l;
	bool based, complete;
	int64_t tick;

	for (uint32_t i = 0; i < s->count; i++)
		cursor_move(&s->cursors[i], from);
	base = sweep_level(s, from);
	v.since = from;
	based = is_known(s, &base) || (s->summed && base.complete && base.zero);
	tick = sweep_next(s);
	if (is_known(s, &base) && tick > first)
		counter_extend(&v, base.value, base.value, s->real);
	complete = base.complete || tick <= first;
	for (; tick <= to && tick < INT64_MAX; tick = sweep_next(s)) {
		v.changed = true;
		complete = sweep_step(s, tick, &v) && complete;
		if (!based) {
			base = sweep_level(s, tick);
			v.since = tick;
		}
		based = based || is_known(s, &base);
		if (s->count == 1 && v.known)
			complete = sweep_alone(s, to, &v) && complete;
	}
	l = sweep_level(s, to);
	if (!v.known || !is_known(s, &l))
		return (struct counter_value){ 0 };
	v.bounds_known = complete;
	v.last = l.value;
	v.change = difference_of(v.last, base.value, s->real);
	return v;
}

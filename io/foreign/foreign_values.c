/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_values.h"

#include "io/foreign/foreign_lanes.h"

bool foreign_has_track(const struct foreign *t, const struct profile_track *track)
{
	return track->thread >= t->profile->thread_count || foreign_selects(t, track->thread);
}

void foreign_values_begin(struct foreign_values *v, struct foreign *t, const struct profile_track *track)
{
	*v = (struct foreign_values){ .t = t, .track = track };
}

static bool give(struct foreign_value *out, int64_t tick, union profile_number number)
{
	*out = (struct foreign_value){ tick, number };
	return true;
}

/* The value with which it goes into a window that is not all there is. */
static bool find_before(struct foreign_values *v, struct foreign_value *out)
{
	const struct profile_change *changes = v->track->changes;

	v->entered = true;
	while (v->next < v->track->change_count && !foreign_covers(v->t, changes[v->next].tick) &&
	       changes[v->next].tick < v->t->from)
		v->next++;
	return v->next && !changes[v->next - 1].lost && give(out, v->t->from, changes[v->next - 1].last);
}

/* The newest one may be newer than the last change, which is of an interval that has ended. */
static bool find_newest(struct foreign_values *v, struct foreign_value *out)
{
	const struct profile_track *track = v->track;
	const struct profile_change *last = track->change_count ? &track->changes[track->change_count - 1] : NULL;
	bool is_new = !last || last->lost || last->last.whole != track->now.last.whole;

	v->newest = true;
	if (track->now.lost || !is_new || (last && track->now.tick <= last->tick) || !foreign_covers(v->t, track->now.tick))
		return false;
	return give(out, track->now.tick, track->now.last);
}

/* At its end: the least and the greatest, where they are others, and then the last. */
static bool give_change(struct foreign_values *v, const struct profile_change *change, struct foreign_value *out)
{
	const union profile_number extremes[] = { change->least, change->most };

	while (v->extreme < 2) {
		union profile_number extreme = extremes[v->extreme++];

		if (extreme.whole != change->last.whole)
			return give(out, change->tick, extreme);
	}
	v->extreme = 0;
	v->next++;
	return give(out, change->tick, change->last);
}

bool foreign_values_next(struct foreign_values *v, struct foreign_value *out)
{
	const struct profile_track *track = v->track;

	if (!foreign_goes_on(v->t))
		return false;
	if (!v->entered && find_before(v, out))
		return true;
	for (; v->next < track->change_count; v->next++) {
		const struct profile_change *change = &track->changes[v->next];

		if (!change->lost && foreign_covers(v->t, change->tick))
			return give_change(v, change, out);
	}
	return !v->newest && find_newest(v, out);
}

bool foreign_track_shares(const struct profile *p, const struct profile_track *track)
{
	for (uint32_t i = 0; i < p->track_count; i++)
		if (&p->tracks[i] != track && p->tracks[i].counter == track->counter)
			return true;
	return false;
}

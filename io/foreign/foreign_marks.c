/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_marks.h"

#include "io/foreign/foreign_lanes.h"
#include "model/base/search.h"

/* Marks */

void foreign_marks_begin(struct foreign_marks *m, const struct foreign *t, const struct foreign_lane *lane, bool with_frames)
{
	const struct profile *p = t->profile;

	*m = (struct foreign_marks){ .t = t, .lane = lane, .instant = p->instant_count, .frame = p->frame_count };
	if (!lane->first)
		return;
	m->instant = 0;
	if (with_frames && profile_marking_thread(p) == lane->thread)
		m->frame = 0;
}

static bool is_mine(const struct foreign_marks *m, const struct profile_instant *i)
{
	return i->thread == m->lane->thread && foreign_covers(m->t, i->tick);
}

static bool has_event_at(const struct profile *p, int64_t tick)
{
	uint32_t first, count = profile_instants(p, tick - 1, tick, &first);

	for (uint32_t i = first; i < first + count; i++)
		if (p->instants[i].event != PROFILE_NONE)
			return true;
	return false;
}

static bool is_mark(const struct foreign_marks *m, const struct profile_frame *frame)
{
	return !(frame->flags & FRAME_GUESSED) && foreign_covers(m->t, frame_end(frame)) &&
	       !has_event_at(m->t->profile, frame_end(frame));
}

static bool take_frame(struct foreign_marks *m, struct foreign_mark *mark)
{
	const struct profile_frame *frame = &m->t->profile->frames[m->frame++];

	*mark = (struct foreign_mark){ .kind = MARK_FRAME, .tick = frame_end(frame), .text = FOREIGN_FRAME_NAME, .frame = frame };
	return true;
}

static bool take_instant(struct foreign_marks *m, struct foreign_mark *mark)
{
	const struct profile *p = m->t->profile;
	const struct profile_instant *i = &p->instants[m->instant++];
	bool note = i->event == PROFILE_NONE;

	*mark = (struct foreign_mark){ .kind = note ? MARK_NOTE : MARK_EVENT, .tick = i->tick, .event = i->event,
				     .text = note ? i->text : p->events[i->event] };
	return true;
}

bool foreign_marks_next(struct foreign_marks *m, struct foreign_mark *mark)
{
	const struct profile *p = m->t->profile;

	while (m->instant < p->instant_count && !is_mine(m, &p->instants[m->instant]))
		m->instant++;
	while (m->frame < p->frame_count && !is_mark(m, &p->frames[m->frame]))
		m->frame++;
	if (m->frame < p->frame_count &&
	    (m->instant >= p->instant_count || frame_end(&p->frames[m->frame]) < p->instants[m->instant].tick))
		return take_frame(m, mark);
	return m->instant < p->instant_count && take_instant(m, mark);
}

/* Steps and marks */

bool foreign_events_begin(struct foreign_events *e, struct foreign *t, const struct foreign_lane *lane, bool with_frames)
{
	*e = (struct foreign_events){ 0 };
	if (!foreign_walk_begin(&e->walk, t, lane))
		return false;
	foreign_marks_begin(&e->marks, t, lane, with_frames);
	e->has_step = foreign_walk_next(&e->walk, &e->step);
	e->has_mark = foreign_marks_next(&e->marks, &e->mark);
	return true;
}

static bool is_mark_next(const struct foreign_events *e)
{
	return e->has_mark && (!e->has_step || e->mark.tick < e->step.tick ||
			       (e->mark.tick == e->step.tick && (e->step.enter || e->step.flags & STEP_RUNNING)));
}

enum foreign_event foreign_events_next(struct foreign_events *e, struct foreign_step *step, struct foreign_mark *mark)
{
	if (is_mark_next(e)) {
		*mark = e->mark;
		e->has_mark = foreign_marks_next(&e->marks, &e->mark);
		return FOREIGN_MARK;
	}
	if (!e->has_step)
		return FOREIGN_OVER;
	*step = e->step;
	e->has_step = foreign_walk_next(&e->walk, &e->step);
	return FOREIGN_STEP;
}

void foreign_events_end(struct foreign_events *e)
{
	foreign_walk_end(&e->walk);
}

/* What is left out */

static void say_instants(struct foreign *t, unsigned lacks)
{
	const struct profile *p = t->profile;
	uint64_t events = 0, notes = 0;

	for (uint32_t i = 0; i < p->instant_count; i++)
		if (foreign_selects(t, p->instants[i].thread) && foreign_covers(t, p->instants[i].tick)) {
			events += p->instants[i].event != PROFILE_NONE;
			notes += p->instants[i].event == PROFILE_NONE;
		}
	if (lacks & LACKS_EVENTS)
		foreign_say_count(t, events, "event is left out", "events are left out");
	if (lacks & LACKS_NOTES)
		foreign_say_count(t, notes, "note is left out", "notes are left out");
}

static uint64_t count_frames(const struct foreign *t)
{
	const struct profile *p = t->profile;
	uint64_t count = 0;

	for (uint32_t i = 0; i < p->frame_count; i++)
		count += !(p->frames[i].flags & FRAME_GUESSED) && foreign_covers(t, frame_end(&p->frames[i]));
	return count;
}

void foreign_say_lacks(struct foreign *t, unsigned lacks)
{
	say_instants(t, lacks);
	if (lacks & LACKS_COUNTERS)
		foreign_say_count(t, t->profile->counter_count, "counter is left out", "counters are left out");
	if (lacks & LACKS_FRAMES)
		foreign_say_count(t, count_frames(t), "frame's end is left out", "frames' ends are left out");
}

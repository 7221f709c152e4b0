/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_events.h"

#include <inttypes.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/search.h"

#define EXACT_IN_DOUBLES (INT64_C(1) << 53)

/* True if events and notes at this tick are in the file. */
static bool foreign_covers(const struct foreign *t, int64_t tick)
{
	if (t->whole && t->profile->process.state == PROFILE_FILE)
		return true;
	return tick >= t->from && tick <= t->to;
}

/* If one frame is exported, the lane is cut to the thread's own part of that frame. */
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
		foreign_say(t, "no single calls are known here; folded, pprof and html have totals (not with --from or --to)");
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

/* A span without length, at the edge of the window, may be inside of one that ends there and is not in it. */
static bool is_orphan(const struct foreign_walk *w, uint32_t depth)
{
	struct box_row row = spans_row(w->lane->list, depth), above = spans_row(w->lane->list, depth - 1);
	uint32_t span = w->next[depth];

	if (span == row.count || row.end[span] > w->lane->from)
		return false;
	for (uint32_t i = w->next[depth - 1]; i < above.count && above.begin[i] <= row.begin[span]; i++)
		if (w->p->nodes[w->lane->list->rows[depth].node[span]].parent == w->lane->list->rows[depth - 1].node[i])
			return false;
	return true;
}

bool foreign_walk_begin(struct foreign_walk *w, struct foreign *t, const struct foreign_lane *lane)
{
	uint32_t depth = lane->list ? lane->list->depth : 0;

	*w = (struct foreign_walk){ .t = t, .p = t->profile, .lane = lane };
	w->next = array_zeroed(depth, sizeof(*w->next));
	w->open = array_zeroed(depth, sizeof(*w->open));
	if (!w->next || !w->open) {
		foreign_walk_end(w);
		return false;
	}
	for (uint32_t i = 0; i < depth; i++) {
		struct box_row row = spans_row(lane->list, i);

		w->next[i] = box_row_first(&row, lane->from);
		while (i && is_orphan(w, i))
			w->next[i]++;
	}
	return true;
}

void foreign_walk_end(struct foreign_walk *w)
{
	free(w->next);
	free(w->open);
	w->next = w->open = NULL;
}

static uint32_t node_at(const struct foreign_walk *w, uint32_t depth, uint32_t span)
{
	return w->lane->list->rows[depth].node[span];
}

/* Spans without length can lie between two spans of the row above: the node says to which one they belong. */
static bool is_inside(const struct foreign_walk *w, const struct box_row *row, uint32_t span)
{
	struct box_row above = spans_row(w->lane->list, w->level - 1);
	uint32_t around = w->open[w->level - 1];

	return row->begin[span] >= above.begin[around] && row->end[span] <= above.end[around] &&
	       w->p->nodes[node_at(w, w->level, span)].parent == node_at(w, w->level - 1, around);
}

/* The span that is entered next, inside of what is open; false: there is none. */
static bool find_inner(struct foreign_walk *w, struct box_row *row)
{
	const struct span_list *l = w->lane->list;

	if (!l || w->level == l->depth)
		return false;
	*row = spans_row(l, w->level);
	return w->next[w->level] < row->count && row->begin[w->next[w->level]] <= w->lane->to &&
	       (row->begin[w->next[w->level]] < w->lane->to || row->end[w->next[w->level]] == w->lane->to) &&
	       (!w->level || is_inside(w, row, w->next[w->level]));
}

static void step_into(struct foreign_walk *w, const struct box_row *row, struct foreign_step *step)
{
	uint32_t span = w->next[w->level]++;
	unsigned flags = spans_flags(w->lane->list, w->level, span);

	*step = (struct foreign_step){ .enter = true, .node = node_at(w, w->level, span), .tick = row->begin[span],
				      .until = row->end[span] };
	if (step->tick < w->lane->from) {
		step->tick = w->lane->from;
		step->flags = STEP_CUT;
	} else if (flags & SPAN_CUT_BEGIN) {
		step->flags = STEP_UNKNOWN;
	}
	if (flags & SPAN_RESUMED)
		step->flags |= STEP_RESUMED;
	w->open[w->level++] = span;
}

static void step_out(struct foreign_walk *w, struct foreign_step *step)
{
	uint32_t span = w->open[--w->level];
	struct box_row row = spans_row(w->lane->list, w->level);
	unsigned flags = spans_flags(w->lane->list, w->level, span);

	*step = (struct foreign_step){ .node = node_at(w, w->level, span), .tick = row.end[span] };
	if (step->tick > w->lane->to) {
		step->tick = w->lane->to;
		step->flags = STEP_CUT;
	} else if (flags & SPAN_RUNNING) {
		step->flags = STEP_RUNNING;
	} else if (flags & SPAN_CUT_END) {
		step->flags = STEP_UNKNOWN;
	} else if (flags & SPAN_LEFT_OPEN) {
		step->flags = STEP_LEFT_OPEN;
	}
	if (row.begin[span] < w->lane->from)
		step->flags |= STEP_CUT;
	if (flags & SPAN_SUSPENDED)
		step->flags |= STEP_SUSPENDED;
}

bool foreign_walk_next(struct foreign_walk *w, struct foreign_step *step)
{
	struct box_row row;

	if (!foreign_goes_on(w->t))
		return false;
	if (find_inner(w, &row))
		step_into(w, &row, step);
	else if (w->level)
		step_out(w, step);
	else
		return false;
	return true;
}

uint64_t foreign_walk_steps(const struct foreign_lane *lane)
{
	uint64_t steps = 0;

	for (uint32_t i = 0; lane->list && i < lane->list->depth; i++) {
		struct box_row row = spans_row(lane->list, i);
		uint32_t first = box_row_first(&row, lane->from), last = SEARCH(k, 0, row.count, row.begin[k] < lane->to);

		steps += last > first ? 2 * (uint64_t)(last - first) : 0;
	}
	return steps;
}

void foreign_count_step(struct foreign_counts *c, const struct foreign_step *step)
{
	c->cut += step->flags & STEP_CUT && !step->enter;
	c->begin_unknown += step->flags & STEP_UNKNOWN && step->enter;
	c->end_unknown += step->flags & STEP_UNKNOWN && !step->enter;
	c->running += (step->flags & STEP_RUNNING) != 0;
	c->resumed += (step->flags & STEP_RESUMED) != 0;
	c->left_open += (step->flags & STEP_LEFT_OPEN) != 0;
}

void foreign_say_counts(struct foreign *t, const struct foreign_counts *c, bool closed)
{
	foreign_say_count(t, c->begin_unknown, "call began before the known time and is cut",
			"calls began before the known time and are cut");
	foreign_say_count(t, c->end_unknown, "call whose end is not known ends with the known time",
			"calls whose ends are not known end with the known time");
	foreign_say_count(t, c->cut, "call that exceeds the covered time is cut",
			"calls that exceed the covered time are cut");
	foreign_say_count(t, c->resumed, "part of a suspended call is a call of its own",
			"parts of suspended calls are calls of their own");
	foreign_say_count(t, c->left_open, "call that was open when its thread ended ends there",
			"calls that were open when their threads ended end there");
	if (closed)
		foreign_say_count(t, c->running, "unfinished call is closed at the end",
				"unfinished calls are closed at the end");
}

/* Marks */

static void foreign_marks_begin(struct foreign_marks *m, const struct foreign *t, const struct foreign_lane *lane, bool with_frames)
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

static bool foreign_marks_next(struct foreign_marks *m, struct foreign_mark *mark)
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

/* Messages about what is left out */

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

static bool is_of_file(const struct profile *p)
{
	return !strcmp(p->process.clock, "file");
}

bool foreign_frames_of_file(const struct foreign *t)
{
	return is_of_file(t->profile);
}

/* In a measured program, an event at the very tick of a mark belongs to the frame that ends (HACKING). In a
 * file, the first call of a frame begins at the very tick at which the frame begins. */
static bool is_before(const struct profile *p, int64_t end, int64_t tick)
{
	return is_of_file(p) ? end <= tick : end < tick;
}

/* A thread ends its part of a frame a little later than the frame ends. NULL: it has none of its own; notes of a file are of the
 * whole frame. */
static const struct profile_held *part_of(const struct foreign *t, const struct profile_frame *frame, uint32_t thread, bool note)
{
	const struct profile_held *part = note && is_of_file(t->profile) ? NULL : profile_find_part(frame, thread);

	return part && !(part->flags & PART_MISSING) ? part : NULL;
}

static bool is_over(const struct foreign *t, uint32_t i, uint32_t thread, int64_t tick, bool note)
{
	const struct profile_frame *frame = &t->profile->frames[i];
	const struct profile_held *part = part_of(t, frame, thread, note);

	return is_before(t->profile, part ? part->end : frame_end(frame), tick);
}

/* A file's thread without a part called nothing in the frame: what it did is of another one, or of none. */
static bool has_begun(const struct foreign *t, uint32_t i, uint32_t thread, int64_t tick, bool note)
{
	const struct profile_frame *frame = &t->profile->frames[i];
	const struct profile_held *part = part_of(t, frame, thread, note);
	int64_t begin = part ? part->bound : frame->start;

	return (is_before(t->profile, begin, tick) || (begin == tick && !i)) && (part || note || !is_of_file(t->profile));
}

uint32_t foreign_frame_at(const struct foreign *t, uint32_t thread, int64_t tick, int64_t until)
{
	const struct profile *p = t->profile;
	bool note = until == FOREIGN_NOTE;
	uint32_t i = SEARCH(i, 0, p->frame_count, is_over(t, i, thread, tick, note));

	if (i < p->frame_count && has_begun(t, i, thread, tick, note))
		return i;
	if (i && (note || until == tick) && frame_end(&p->frames[i - 1]) == tick) /* the last of it */
		return i - 1;
	return PROFILE_NONE;
}

uint64_t foreign_frames_lacking(const struct foreign *t, uint32_t thread, const uint64_t *found)
{
	uint64_t lacking = 0;

	for (uint32_t i = 0; i < t->profile->frame_count; i++) {
		const struct profile_frame *frame = &t->profile->frames[i];
		const struct profile_held *part = part_of(t, frame, thread, false);
		uint64_t count = 0;

		for (uint32_t k = 0; part && !(frame->flags & FRAME_GUESSED) && k < part->cell_count; k++)
			count += (uint64_t)profile_cell(part, k).count;
		lacking += count > found[i] ? count - found[i] : 0;
	}
	return lacking;
}

bool foreign_has_track(const struct foreign *t, const struct profile_track *track)
{
	return track->thread >= t->profile->thread_count || foreign_selects(t, track->thread);
}

void foreign_values_begin(struct foreign_values *v, struct foreign *t, const struct profile_track *track)
{
	*v = (struct foreign_values){ .t = t, .track = track };
}

static bool give_value(struct foreign_value *out, int64_t tick, union profile_number number)
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
	return v->next && !changes[v->next - 1].lost && give_value(out, v->t->from, changes[v->next - 1].last);
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
	return give_value(out, track->now.tick, track->now.last);
}

/* At its end: the least and the greatest, where they are others, and then the last. */
static bool give_change(struct foreign_values *v, const struct profile_change *change, struct foreign_value *out)
{
	const union profile_number extremes[] = { change->least, change->most };

	while (v->extreme < 2) {
		union profile_number extreme = extremes[v->extreme++];

		if (extreme.whole != change->last.whole)
			return give_value(out, change->tick, extreme);
	}
	v->extreme = 0;
	v->next++;
	return give_value(out, change->tick, change->last);
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

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/trace_inside.h"
#include "model/base/array.h"

#define HELD_MOST TRACE_DEPTH
#define ROUNDING_NS 1000 /* times in whole microseconds make calls that follow each other overlap by so much */
#define TOLD_STEP 65536u /* events from one look to the next whether it is still wanted */

/*
 * The order of one thread's events is that of time. Events of one tick:
 *   - first entries and exits, in the order of the file (but see `held`);
 *   - then calls, the longest first, because it contains the others.
 * If the thread has both kinds, an entry and its exit are one call (pair_up).
 * An entry without an exit ends with the call around it.
 * If two calls begin and end together, the outer one is the first in a file
 * that is written by beginnings, and the last in one that is written by ends.
 * The file shows which it is (ends_first).
 */
struct event {
	int64_t tick, length; /* of a call; of an entry: its `match`, and the file's frame */
	uint64_t place : 60, kind : 3;
	uint64_t lost_exit : 1; /* of a call: its exit was not found, so `length` is only the most that it may be */
	uint32_t thread, name;
};

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->tick != y->tick)
		return x->tick < y->tick ? -1 : 1;
	if ((x->kind == GATHERED_CALL) != (y->kind == GATHERED_CALL))
		return x->kind == GATHERED_CALL ? 1 : -1;
	if (x->kind == GATHERED_CALL && x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

void gather_init(struct trace *t)
{
	sorter_init(&t->gathered, sizeof(struct event), by_time, t->folder, SORTER_HELD);
}

static void see_gathered(struct trace *t, struct trace_thread *th, int64_t tick)
{
	if (!th->begun || tick < th->first)
		th->first = tick;
	if (!th->begun || tick > th->last)
		th->last = tick;
	th->begun = true;
	if (!t->any || tick < t->first)
		t->first = tick;
	if (!t->any || tick > t->last)
		t->last = tick;
	t->any = true;
}

/* Finds out whether the file is written by ends: then a later line may begin earlier, but never end earlier. If
 * the file is written by beginnings, it is the other way round. */
static void see_order(struct trace *t, struct trace_thread *th, int64_t tick, int64_t end)
{
	t->by_ends += tick < th->call_tick;
	t->by_beginnings += end < th->call_end;
	th->call_tick = tick;
	th->call_end = end;
}

static int64_t pack_match(uint32_t match, int64_t frame)
{
	return (int64_t)((uint64_t)match << 32 | (uint32_t)(int32_t)frame);
}

void gather(struct trace *t, enum gathered kind, const struct step *s, int64_t length)
{
	struct event *e;

	if (t->failed || s->thread == TRACE_NONE)
		return;
	e = sorter_add(&t->gathered);
	if (!e) {
		trace_fails(t, t->gathered.error);
		return;
	}
	t->kinds |= 1u << kind;
	if (kind == GATHERED_CALL)
		see_order(t, &t->threads[s->thread], s->tick, s->tick + length);
	*e = (struct event){ .tick = s->tick, .length = kind == GATHERED_CALL ? length : pack_match(s->match, s->key),
			     .place = s->place, .kind = kind, .thread = s->thread, .name = s->name };
	see_gathered(t, &t->threads[s->thread], s->tick);
	if (kind == GATHERED_CALL)
		see_gathered(t, &t->threads[s->thread], s->tick + length);
}

/* Told in order, calls become an entry and an exit each. */

struct open {
	int64_t end;    /* INT64_MAX: an exit ends it */
	uint32_t match; /* of the exit */
	bool lost_exit; /* `end` is not from the file, but from the call around it */
};

struct telling;
typedef void tell(struct telling *g, const struct step *s);

struct telling {
	struct trace *t;
	tell *enter, *leave;
	struct anomalies *anomalies;
	struct open *open;
	uint32_t depth, capacity;
	uint32_t *open_of; /* by name: open zones that an exit ends; NULL: exits end the innermost zone */
	uint32_t thread;
	int64_t last;
	struct event *ties; /* calls that begin and end together */
	uint32_t tie_count, tie_capacity;
	bool ends_first;
	bool loses_exit;     /* the zone that is left now has no exit in the file */
	struct event *held; /* entries at one tick: the exit of an older zone that follows them is told first */
	uint32_t held_count, held_capacity;
	uint32_t *held_of; /* by name: held entries; NULL if open_of is */
	struct open *early; /* zones that the exit of an outer zone ended, and when: their own exits may follow */
	uint32_t early_count, early_capacity;

	uint32_t frames_open; /* of the zone that splits the frames, and how deep the first of them is */
	int64_t frame_start;
	bool *is_frame;
	uint32_t is_frame_capacity;

	struct sorter *paired; /* where pair_up puts what it makes; else NULL */
	struct event *pairs;   /* what is open, by depth */
	uint32_t pair_capacity;
};

static bool open_add(struct telling *g, int64_t end, uint32_t match, bool lost_exit)
{
	if (!array_reserve(&g->open, &g->capacity, (uint64_t)g->depth + 1, sizeof(*g->open)))
		return trace_fails(g->t, 0);
	if (g->open_of && end == INT64_MAX)
		g->open_of[match]++;
	g->open[g->depth++] = (struct open){ end, match, lost_exit };
	return true;
}

static void open_drop(struct telling *g)
{
	const struct open *last = &g->open[--g->depth];

	if (g->open_of && last->end == INT64_MAX)
		g->open_of[last->match]--;
}

/* A call became shorter, or longer, by so many nanoseconds. */
static void cut_told(const struct telling *g, int64_t ns, uint64_t place)
{
	anomaly_add(g->anomalies, ns > ROUNDING_NS ? ANOMALY_OVERLAP : ANOMALY_TOUCH, place);
}

static void tell_leave(struct telling *g, int64_t tick, uint32_t match, uint64_t place)
{
	struct step s = { .thread = g->thread, .match = match, .tick = tick > g->last ? tick : g->last, .place = place };

	g->leave(g, &s);
	g->last = s.tick;
	if (g->depth)
		open_drop(g);
}

/* Calls that are over by then, as far as nothing else is open in them. */
static void leave_until(struct telling *g, int64_t tick, uint64_t place)
{
	while (g->depth && g->open[g->depth - 1].end <= tick && !g->t->failed) {
		int64_t end = g->open[g->depth - 1].end;

		if (end < g->last)
			cut_told(g, g->last - end, place);
		tell_leave(g, end, TRACE_UNNAMED, place);
	}
}

static void tell_enter(struct telling *g, const struct event *e, int64_t end, bool lost_exit)
{
	struct step s = { .thread = e->thread, .name = e->name, .match = e->name, .tick = e->tick,
			  .key = TRACE_NO_FRAME, .place = e->place };

	if (e->kind == GATHERED_ENTER) {
		s.match = (uint32_t)((uint64_t)e->length >> 32);
		s.key = (int32_t)(uint32_t)e->length;
	}
	if (!open_add(g, end, s.match, lost_exit))
		return;
	g->enter(g, &s);
	if (s.tick > g->last)
		g->last = s.tick;
}

/* When the innermost call around it says that it ends. */
static int64_t end_around(const struct telling *g)
{
	return g->depth ? g->open[g->depth - 1].end : INT64_MAX;
}

/* If two calls overlap without one containing the other, one of them is cut: the one that loses less by it.
 * Rounded times make calls that follow each other overlap a little. A call that lost its exit is cut without being
 * counted, because its end is not from the file. */
static void tell_call(struct telling *g, const struct event *e)
{
	int64_t end = e->tick + e->length;

	leave_until(g, e->tick, e->place);
	if (e->lost_exit && end > end_around(g))
		end = end_around(g);
	while (end > end_around(g) && !g->t->failed) {
		int64_t inside = end_around(g) - e->tick, outside = end - end_around(g);

		if (inside >= outside || !g->open[g->depth - 1].lost_exit)
			cut_told(g, inside < outside ? inside : outside, e->place);
		if (inside >= outside)
			end = end_around(g);
		else
			tell_leave(g, e->tick, TRACE_UNNAMED, e->place);
	}
	tell_enter(g, e, end, e->lost_exit);
}

/* Returns the depth of the zone that an exit ends, from 1 on. 0: it ends
 * nothing. */
static uint32_t depth_to_end(const struct telling *g, uint32_t match)
{
	uint32_t depth = g->depth;
	const bool by_name = g->open_of && match != TRACE_UNNAMED;

	if (by_name && !g->open_of[match])
		return 0;
	while (depth && (g->open[depth - 1].end != INT64_MAX || (by_name && g->open[depth - 1].match != match)))
		depth--;
	return depth;
}

/* The zone of this name that has ended at this tick, with an outer one; early_count: there is none. */
static uint32_t find_early(struct telling *g, int64_t tick, uint32_t match)
{
	uint32_t i = 0;

	if (g->early_count && g->early[0].end != tick)
		g->early_count = 0;
	while (i < g->early_count && g->early[i].match != match)
		i++;
	return i;
}

/* Whether it is the exit of such a zone: exits of one tick may be in any order. */
static bool ended_early(struct telling *g, int64_t tick, uint32_t match)
{
	uint32_t i = find_early(g, tick, match);

	if (i == g->early_count)
		return false;
	g->early[i] = g->early[--g->early_count];
	return true;
}

/* An exit also ends the zones that were entered inside. */
static void exit_told(struct telling *g, const struct event *e)
{
	uint32_t match = (uint32_t)((uint64_t)e->length >> 32), depth;
	bool skipped = false;

	leave_until(g, e->tick, e->place);
	if (ended_early(g, e->tick, match))
		return;
	depth = depth_to_end(g, match);
	if (!depth && (g->depth || g->open_of)) { /* within a call, or nothing of its name is open */
		anomaly_add(g->anomalies, ANOMALY_END_ALONE, e->place);
		return;
	}
	while (g->depth > depth && depth && !g->t->failed) {
		const struct open *inner = &g->open[g->depth - 1];

		if (inner->end != INT64_MAX)
			cut_told(g, inner->end - e->tick, e->place);
		else
			skipped = g->loses_exit = true;
		if (inner->end == INT64_MAX && inner->match != TRACE_UNNAMED && g->early_count < HELD_MOST &&
		    array_reserve(&g->early, &g->early_capacity, (uint64_t)g->early_count + 1, sizeof(*g->early)))
			g->early[g->early_count++] = (struct open){ e->tick, inner->match, false };
		tell_leave(g, e->tick, TRACE_UNNAMED, e->place);
		g->loses_exit = false;
	}
	if (skipped)
		anomaly_add(g->anomalies, ANOMALY_MISMATCH, e->place);
	tell_leave(g, e->tick, match, e->place);
}

/* Entries at one tick */

static uint32_t match_of(const struct event *e)
{
	return (uint32_t)((uint64_t)e->length >> 32);
}

/* If the call around it has a known end, the file has calls, and pair_up has found no exit for this entry. */
static void tell_entry(struct telling *g, const struct event *e)
{
	int64_t end = end_around(g);

	if (end != INT64_MAX)
		anomaly_add(g->anomalies, ANOMALY_OPEN, e->place);
	tell_enter(g, e, end, end != INT64_MAX);
}

static void held_told(struct telling *g)
{
	for (uint32_t i = 0; i < g->held_count; i++) {
		g->held_of[match_of(&g->held[i])] = 0;
		if (!g->t->failed)
			tell_entry(g, &g->held[i]);
	}
	g->held_count = 0;
}

static void hold_entry(struct telling *g, const struct event *e)
{
	if (g->held_of && g->held_count < HELD_MOST &&
	    array_reserve(&g->held, &g->held_capacity, (uint64_t)g->held_count + 1, sizeof(*g->held))) {
		g->held_of[match_of(e)]++;
		g->held[g->held_count++] = *e;
		return;
	}
	held_told(g);
	tell_entry(g, e);
}

/* Whether e is told before the held entries, or is held with them. It is not if
 * it has another tick, or may be the exit of a held entry. */
static bool comes_first(struct telling *g, const struct event *e)
{
	uint32_t match = (uint32_t)((uint64_t)e->length >> 32);

	if (e->tick != g->held[0].tick || e->kind == GATHERED_CALL)
		return false;
	return e->kind == GATHERED_ENTER ||
	       (match != TRACE_UNNAMED && !g->held_of[match] &&
		(g->open_of[match] || find_early(g, e->tick, match) < g->early_count));
}

static void ties_told(struct telling *g)
{
	for (uint32_t i = 0; i < g->tie_count && !g->t->failed; i++)
		tell_call(g, &g->ties[g->ends_first ? g->tie_count - 1 - i : i]);
	g->tie_count = 0;
}

static void pair_add(struct telling *g, const struct event *e)
{
	struct event *to = sorter_add(g->paired);

	if (to)
		*to = *e;
	else
		trace_fails(g->t, g->paired->error);
}

static void thread_ends(struct telling *g)
{
	ties_told(g);
	held_told(g);
	leave_until(g, INT64_MAX - 1, 0);
	while (g->depth) {
		if (g->paired)
			pair_add(g, &g->pairs[g->depth - 1]);
		open_drop(g);
	}
	g->last = INT64_MIN;
	g->frames_open = 0;
	g->early_count = 0;
}

static void event_told(struct telling *g, const struct event *e)
{
	if (e->thread != g->thread) {
		thread_ends(g);
		g->thread = e->thread;
	}
	if (g->tie_count && (e->kind != GATHERED_CALL || e->tick != g->ties[0].tick || e->length != g->ties[0].length))
		ties_told(g);
	if (g->held_count && !comes_first(g, e))
		held_told(g);
	if (e->kind == GATHERED_ENTER) {
		leave_until(g, e->tick, e->place);
		hold_entry(g, e);
	} else if (e->kind == GATHERED_LEAVE) {
		exit_told(g, e);
	} else if (g->tie_count == TRACE_DEPTH ||
		   !array_reserve(&g->ties, &g->tie_capacity, (uint64_t)g->tie_count + 1, sizeof(*g->ties))) {
		tell_call(g, e);
	} else {
		g->ties[g->tie_count++] = *e;
	}
}

static void say_progress(struct trace *t, uint64_t told)
{
	const struct import_options *o = t->options;

	if (!(told % TOLD_STEP) && o->progress && !o->progress(o->context, IMPORT_ORDERS, told, t->gathered.total))
		trace_fails(t, ECANCELED);
}

static void tell_all(struct telling *g)
{
	const struct event *e;
	struct event now;
	uint64_t told = 0;

	g->thread = 0;
	g->last = INT64_MIN;
	while (!g->t->failed && (e = sorter_next(&g->t->gathered))) {
		now = *e;
		now.tick += g->t->shift;
		event_told(g, &now);
		say_progress(g->t, ++told);
	}
	thread_ends(g);
	if (g->t->gathered.failed)
		trace_fails(g->t, g->t->gathered.error);
}

/* The first time to see where frames are. */

static void frame_enter(struct telling *g, const struct step *s)
{
	bool is = s->name == g->t->frame_zone;

	if (!array_reserve(&g->is_frame, &g->is_frame_capacity, g->depth, sizeof(*g->is_frame))) {
		trace_fails(g->t, 0);
		return;
	}
	g->is_frame[g->depth - 1] = is;
	if (is && !g->frames_open++)
		g->frame_start = s->tick > g->last ? s->tick : g->last;
}

static void frame_leave(struct telling *g, const struct step *s)
{
	struct trace *t = g->t;

	if (!g->depth || !g->is_frame[g->depth - 1] || --g->frames_open)
		return;
	if (!array_reserve(&t->marks, &t->mark_capacity, (uint64_t)t->mark_count + 1, sizeof(*t->marks)))
		trace_fails(t, 0);
	else
		t->marks[t->mark_count++] = (struct trace_mark){ g->frame_start, s->tick, s->thread };
}

static void told_enter(struct telling *g, const struct step *s)
{
	struct step framed = *s;

	framed.key = frames_key(g->t, s->key, s->place);
	stack_enter(g->t, &framed);
}

static void told_leave(struct telling *g, const struct step *s)
{
	stack_leave(g->t, s);
}

static void pair_enter(struct telling *g, const struct step *s)
{
	if (!array_reserve(&g->pairs, &g->pair_capacity, g->depth, sizeof(*g->pairs))) {
		trace_fails(g->t, 0);
		g->depth = 0; /* none of them is there */
		return;
	}
	g->pairs[g->depth - 1] = (struct event){ .tick = s->tick > g->last ? s->tick : g->last,
						 .length = pack_match(s->match, s->key), .place = s->place,
						 .kind = GATHERED_ENTER, .thread = s->thread, .name = s->name };
}

static void pair_leave(struct telling *g, const struct step *s)
{
	struct event e;

	if (!g->depth || g->t->failed)
		return;
	e = g->pairs[g->depth - 1];
	e.length = s->tick - e.tick;
	e.kind = GATHERED_CALL;
	e.lost_exit = g->loses_exit;
	if (g->ends_first)
		e.place = s->place;
	pair_add(g, &e);
}

static void telling_fini(struct telling *g)
{
	free(g->pairs);
	free(g->open);
	free(g->ties);
	free(g->held);
	free(g->held_of);
	free(g->early);
	free(g->is_frame);
}

/* If a file has whole calls and entries, each entry becomes a call, together
 * with its exit. Else its end would not be known when calls that overlap it are
 * told. If an exit of an outer zone ends it, it becomes a call that lost its
 * exit. If nothing ends it, it stays an entry. Exits that end nothing are
 * counted here. */
static void pair_up(struct trace *t, uint32_t *open_of)
{
	struct sorter paired;
	struct telling pair = { .t = t, .enter = pair_enter, .leave = pair_leave, .anomalies = t->anomalies,
				.open_of = open_of, .ends_first = t->by_ends > t->by_beginnings, .paired = &paired,
				.last = INT64_MIN };
	const struct event *e;
	struct event now;
	uint64_t told = 0;

	sorter_init(&paired, sizeof(now), by_time, t->folder, SORTER_HELD);
	pair.held_of = calloc(t->names.count + 1, sizeof(*pair.held_of)); /* without it, nothing is held */
	while (!t->failed && (e = sorter_next(&t->gathered))) {
		now = *e;
		if (now.kind == GATHERED_CALL)
			pair_add(&pair, &now);
		else
			event_told(&pair, &now);
		say_progress(t, ++told);
	}
	thread_ends(&pair);
	if (t->gathered.failed)
		trace_fails(t, t->gathered.error);
	telling_fini(&pair);
	sorter_fini(&t->gathered);
	t->gathered = paired;
	if (!sorter_sort(&t->gathered))
		trace_fails(t, t->gathered.error);
}

void gather_tell(struct trace *t)
{
	struct anomalies unheard = { 0 };
	struct telling find = { .t = t, .enter = frame_enter, .leave = frame_leave, .anomalies = &unheard,
				.ends_first = t->by_ends > t->by_beginnings };
	struct telling all = { .t = t, .enter = told_enter, .leave = told_leave, .anomalies = t->anomalies,
			       .ends_first = t->by_ends > t->by_beginnings };

	for (uint32_t i = 0; i < t->thread_count; i++)
		t->threads[i].begun = false;
	t->shift = t->any && t->first < 0 ? -t->first : 0;
	t->first += t->shift;
	t->last += t->shift;
	frames_widen(t);
	if (t->by_name) {
		find.open_of = all.open_of = calloc(t->names.count + 1, sizeof(*all.open_of));
		all.held_of = calloc(t->names.count + 1, sizeof(*all.held_of));
		find.held_of = t->frame_zone == TRACE_NONE ? NULL : calloc(t->names.count + 1, sizeof(*find.held_of));
	}
	if (!sorter_sort(&t->gathered) || (t->by_name && !all.open_of)) {
		trace_fails(t, t->gathered.error);
		telling_fini(&find);
		telling_fini(&all);
		free(all.open_of);
		return;
	}
	if (all.open_of && t->kinds & 1u << GATHERED_CALL && t->kinds & 1u << GATHERED_ENTER)
		pair_up(t, all.open_of);
	if (t->frame_zone != TRACE_NONE) {
		tell_all(&find);
		if (!sorter_again(&t->gathered))
			trace_fails(t, t->gathered.error);
	}
	if (t->options->frame_zone || t->options->frame_event)
		frames_settle_marks(t);
	tell_all(&all);
	telling_fini(&find);
	telling_fini(&all);
	free(all.open_of);
}

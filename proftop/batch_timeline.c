/* SPDX-License-Identifier: MIT */
/*
 * batch_timeline: the views threads and timeline as reports: which threads, which stretch of time, and what of each.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/report/report.h"
#include "proftop/batch.h"
#include "tui/cells/figures.h"

/* `-3.2s`, `12.5ms`: so long before the end, with a sign or without. */
static bool parse_time(const char *text, double *seconds)
{
	return time_parse(text + (*text == '-'), seconds);
}

/* Where it is not given `seconds` stays as it is. */
static bool take_time(const char *option, const char *text, double *seconds)
{
	if (!text || parse_time(text, seconds))
		return true;
	say("%s: '%s' is not a time before the end; try -3.2s or 12.5ms", option, text);
	return false;
}

bool batch_timeline_usable(const struct options *o)
{
	double from = INFINITY, to = 0;

	if (!take_time("--from", o->from, &from) || !take_time("--to", o->to, &to))
		return false;
	if (from <= to)
		say("--from %s is not before --to %s", o->from, o->to ? o->to : "0");
	return from > to;
}

/* Threads: which of them, in which order */

/* The chosen ones, in their order. */
static void choose_loads(struct batch *b)
{
	uint32_t chosen = b->options.thread;

	thread_loads_order(&b->loads, b->p, b->threads);
	for (uint32_t i = 0; i < b->p->thread_count; i++)
		if (profile_selects(b->p, chosen, b->threads[i]))
			b->threads[b->thread_count++] = b->threads[i];
}

int batch_make_threads(struct batch *b)
{
	const struct values *times = query_times(b->query); /* busy is time, whatever the measure */

	b->threads = array_zeroed(b->p->thread_count, sizeof(*b->threads));
	if (!b->threads || !times || !thread_loads_cover(&b->loads, b->p, times, b->first, b->count))
		return say_no_memory();
	choose_loads(b);
	return EXIT_DONE;
}

/* The stretch of time */

static int64_t tick_before(const struct batch *b, const char *text)
{
	double seconds = 0, end = (double)b->timeline.zero, ticks;

	parse_time(text, &seconds);
	ticks = seconds * (double)b->p->ticks_per_s;
	return ticks < end ? b->timeline.zero - (int64_t)ticks : 0;
}

static int64_t known_since(const struct batch *b)
{
	return transitions_since_all(b->transitions, b->p, b->options.thread, b->p->now_tick);
}

/* Frames that were asked for, or all that is known. */
static void choose_window(struct batch *b)
{
	const struct profile *p = b->p;
	struct timeline_report *t = &b->timeline;

	t->since = known_since(b);
	t->zero = spans_until_all(b->spans, p, b->options.thread, p->now_tick);
	t->from = b->o->from ? tick_before(b, b->o->from) : t->since;
	if (!b->o->from && t->since == p->now_tick && p->frame_count) /* sums are all there is */
		t->from = p->frames[0].start;
	t->to = b->o->to ? tick_before(b, b->o->to) : t->zero;
	if ((b->frame || b->asked) && b->count) {
		t->from = p->frames[b->first].start;
		t->to = frame_end(&p->frames[b->first + b->count - 1]);
	}
	if (b->frame)
		t->zero = t->from;
	if (t->to <= t->from) /* before all that is known, or a frame without length */
		t->from = t->to - 1;
}

/* Lanes */

/* The lane of a thread. If one frame is shown, the thread's slice gives its ends. */
static struct timeline_lane lane_of(const struct batch *b, uint32_t thread, const struct span_list *l)
{
	const struct profile_frame *frame = b->frame ? &b->p->frames[b->first] : NULL;
	const struct profile_held *part = frame ? profile_find_part(frame, thread) : NULL;
	struct timeline_lane lane = { thread, l, false, b->timeline.from, b->timeline.to };
	int64_t until = spans_until(l, b->p->now_tick);

	if (lane.to > until)
		lane.to = until;
	if (part && part->end > part->bound && !profile_thread_is_several(&b->p->threads[thread])) {
		lane.from = part->bound;
		lane.to = part->end;
	}
	return lane;
}

static bool is_known(const struct timeline_lane *lane)
{
	const struct span_interval *known = lane->list->known;

	for (uint32_t i = 0; i < lane->list->known_count; i++)
		if (known[i].begin < lane->to && (known[i].end > lane->from || known[i].begin == lane->from))
			return true;
	return false;
}

/* The thread was there: it goes on behind the window, and does not begin there. */
static bool is_gone(const struct timeline_lane *lane)
{
	const struct span_list *l = lane->list;
	uint32_t i = 0;

	while (i < l->known_count && l->known[i].begin < lane->to)
		i++;
	return i < l->known_count && !l->known[i].born;
}

/* Frames in the window have something of it. */
static bool is_summed(const struct batch *b, uint32_t thread)
{
	const struct profile *p = b->p;
	uint32_t i = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) <= b->timeline.from);

	if (profile_thread_is_several(&p->threads[thread]))
		return false;
	while (i < p->frame_count && p->frames[i].start < b->timeline.to && !profile_find_part(&p->frames[i], thread))
		i++;
	return i < p->frame_count && p->frames[i].start < b->timeline.to;
}

static void add_lane(struct batch *b, struct timeline_lane *lanes, struct timeline_lane lane)
{
	lanes[b->timeline.count++] = lane;
	b->timeline.known |= lane.list && is_known(&lane);
}

/* In the order of the view threads. */
static bool choose_lanes(struct batch *b, struct timeline_lane *lanes)
{
	const struct span_list *lists = b->spans->lists;
	uint32_t *order = spans_by_thread(b->spans);

	for (uint32_t i = 0; order && i < b->thread_count; i++) {
		bool summed = is_summed(b, b->threads[i]), listed = false;
		uint32_t k = SEARCH(n, 0, b->spans->count, lists[order[n]].thread < b->threads[i]);

		for (; k < b->spans->count && lists[order[k]].thread == b->threads[i]; k++) {
			struct timeline_lane lane = lane_of(b, b->threads[i], &lists[order[k]]);

			lane.single = is_known(&lane) || is_gone(&lane);
			if (!lane.single && !summed)
				continue;
			add_lane(b, lanes, lane);
			listed = true;
		}
		if (summed && !listed)
			add_lane(b, lanes, lane_of(b, b->threads[i], NULL));
	}
	b->timeline.lanes = lanes;
	free(order);
	return order;
}

/* Where there are more than are held at a time those of the window take their place. */
static bool bring_window(struct batch *b)
{
	if (!b->transitions->elsewhere)
		return true;
	transitions_want(b->transitions, (struct transition_stretch){ b->timeline.from, b->timeline.to });
	if (!source_transitions(b->source, b->transitions))
		return false;
	b->timeline.since = known_since(b);
	return spans_update(b->spans, b->p, b->transitions, b->p->now_tick);
}

int batch_make_timeline(struct batch *b)
{
	struct timeline_lane *lanes;
	int status = batch_make_threads(b);

	if (status)
		return status;
	b->spans = spans_new();
	if (!b->spans || !spans_update(b->spans, b->p, b->transitions, b->p->now_tick))
		return say_no_memory();
	lanes = array_zeroed((uint64_t)b->spans->count + b->thread_count, sizeof(*lanes));
	if (!lanes)
		return say_no_memory();
	choose_window(b);
	return bring_window(b) && choose_lanes(b, lanes) ? EXIT_DONE : say_no_memory();
}

void batch_timeline_fini(struct batch *b)
{
	free((void *)b->timeline.lanes);
	spans_free(b->spans);
}

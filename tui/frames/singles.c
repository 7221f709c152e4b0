/* SPDX-License-Identifier: MIT */
#include "tui/frames/singles.h"

#include <string.h>

#include "model/base/array.h"
#include "model/stats/frame_stats.h"
#include "model/stats/series.h"

struct singles {
	singles_take_from *take;
	void *context;
	bool held;
	struct transitions *transitions; /* NULL: none */
	int64_t taken;                   /* when; of transitions */
	uint64_t run;
	/* what was told last, and of what: */
	struct singles_of told;
	const struct profile *p; /* NULL: nothing is told; to compare with alone */
	struct query_options look;
	int64_t selected_from, selected_to;
	int64_t told_at; /* newest tick of the profile */
};

struct singles *singles_new(void)
{
	return calloc(1, sizeof(struct singles));
}

static void forget_told(struct singles *s)
{
	calls_free(s->told.calls);
	calls_free(s->told.framed);
	s->told = (struct singles_of){ .key = s->told.key };
	s->p = NULL;
}

void singles_forget(struct singles *s)
{
	forget_told(s);
	transitions_free(s->transitions);
	s->transitions = NULL;
	s->run++;
}

const struct transitions *singles_all(const struct singles *s, int64_t *taken, uint64_t *run)
{
	*taken = s->taken;
	*run = s->run;
	return s->transitions;
}

void singles_free(struct singles *s)
{
	if (s)
		singles_forget(s);
	free(s);
}

void singles_from(struct singles *s, singles_take_from *take, void *context)
{
	s->take = take;
	s->context = context;
}

bool singles_take(struct singles *s, int64_t now)
{
	if (!s->take || s->held)
		return true;
	forget_told(s);
	if (!s->transitions)
		s->transitions = transitions_new(TRANSITIONS_MOST);
	s->taken = now;
	if (s->transitions && s->take(s->context, s->transitions))
		return true;
	singles_forget(s);
	return false;
}

static bool reaches_over(const struct transition_stretch *a, int64_t from, int64_t to)
{
	return a->begin <= from && a->end >= to;
}

bool singles_want(struct singles *s, int64_t from, int64_t to)
{
	struct transitions *t = s->transitions;

	if (!s->take || !t || !t->elsewhere || reaches_over(&t->wanted, from, to) || reaches_over(&t->read, from, to))
		return false;
	forget_told(s);
	transitions_want(t, (struct transition_stretch){ from, to });
	if (!s->take(s->context, t))
		singles_forget(s);
	return true;
}

void singles_hold(struct singles *s, bool hold)
{
	s->held = hold;
}

bool singles_due(const struct singles *s, int64_t now, uint64_t ticks)
{
	return s->take && (!s->transitions || now < s->taken || (uint64_t)(now - s->taken) >= ticks);
}

static bool same_scope(const struct query_options *a, const struct query_options *b)
{
	return a->threads == b->threads && a->spread == b->spread && a->first == b->first && a->last == b->last &&
	       a->path.length == b->path.length &&
	       !memcmp(a->path.ids, b->path.ids, a->path.length * sizeof(*a->path.ids));
}

static struct statistics entries_a_frame(const struct profile *p, const struct scope *scope, uint32_t key)
{
	struct statistics none = { 0 };
	struct series series;

	if (!profile_has_calls(p) || !series_make(&series, p, scope, key, WINDOW_FRAMES))
		return none;
	none = statistics_of(series.entries, series.count);
	series_fini(&series);
	return none;
}

/* The calls of the selection, or all calls that are held. */
static struct calls *tell_calls(const struct singles *s, struct scope scope, const struct profile *p)
{
	uint32_t first, count = profile_frame_range(p, s->look.first, s->look.last, &first);

	if (s->look.first)
		return calls_make(p, &scope, s->transitions, s->told.key, first, count);
	scope.since = s->selected_from;
	scope.until = s->selected_to;
	return calls_make(p, &scope, s->transitions, s->told.key, 0, CALLS_ALL_FRAMES);
}

/* A thread that did something in the frame has lost its single calls of then, or of the beginning. */
static bool is_cut(const struct transitions *t, const struct profile *p, uint32_t threads, const struct profile_frame *frame)
{
	bool spared = reaches_over(&t->read, frame->start, frame_end(frame));

	for (uint32_t i = 0; i < t->spared_count && !spared; i++)
		spared = reaches_over(&t->spared[i], frame->start, frame_end(frame));
	for (uint32_t i = 0; i < t->count && !spared; i++) {
		const struct transition_list *list = &t->lists[i];

		if (list->count && profile_selects(p, threads, list->thread) && profile_find_part(frame, list->thread) &&
		    list->at[0].kind != TRANSITION_START && transitions_since(list) > frame->start)
			return true;
	}
	return false;
}

static void tell_frame(struct singles *s, const struct scope *scope, const struct profile *p)
{
	const struct profile_frame *frame =
		s->look.frame && !s->selected_to && s->look.average != AVERAGE_RUN ? profile_find_frame(p, s->look.frame) : NULL;

	calls_free(s->told.framed);
	s->told.framed = NULL;
	if (frame && s->transitions) {
		uint32_t at = (uint32_t)(frame - p->frames);

		s->told.framed = calls_make(p, scope, s->transitions, s->told.key, at, 1);
		s->told.frame_cut = is_cut(s->transitions, p, s->look.threads, frame);
		s->told.frame_longest = (struct longest_call){ 0 };
		series_longest(p, scope, s->told.key, at, at + 1, &s->told.frame_longest);
	}
}

/* Statistics of live calls are made again when more calls were read. */
static bool is_told(const struct singles *s, const struct query *l, const struct profile *p, uint32_t key)
{
	return s->p == p && s->told.key == key && same_scope(&s->look, query_options(l)) &&
	       (uint64_t)(p->now_tick - s->told_at) < p->ticks_per_s;
}

/* Looks at all frames each time, as a thread that idles publishes the slices of old frames late. */
static void tell_longest(struct singles *s, const struct scope *scope, const struct profile *p)
{
	uint32_t first, count = profile_frame_range(p, s->look.first, s->look.last, &first);

	s->told.longest = (struct longest_call){ .unknown = s->selected_to && !s->look.first }; /* a stretch of time cuts frames */
	if (!s->told.longest.unknown)
		series_longest(p, scope, s->told.key, first, first + count, &s->told.longest);
}

const struct singles_of *singles_look(struct singles *s, const struct query *l, const struct profile *p, uint32_t key,
				      int64_t from, int64_t to)
{
	struct query_options before = s->look;
	struct scope scope = query_scope(l);
	bool told = is_told(s, l, p, key) && s->selected_from == from && s->selected_to == to;

	s->look = *query_options(l);
	s->selected_from = from;
	s->selected_to = to;
	if (!told) {
		forget_told(s);
		s->p = p;
		s->told.key = key;
		s->told.until = s->taken;
		s->told_at = p->now_tick;
		tell_longest(s, &scope, p);
		if (!to)
			s->told.a_frame = entries_a_frame(p, &scope, key);
		if (s->transitions)
			s->told.calls = tell_calls(s, scope, p);
	}
	if (!told || before.frame != s->look.frame || before.average != s->look.average)
		tell_frame(s, &scope, p);
	return &s->told;
}

static void keep_slower(const struct key_calls *known, const struct profile *p, struct slowest_call *out)
{
	const struct call *call = known ? &known->slowest : NULL;
	const struct profile_frame *frame = call ? frame_at(p, call->leave) : NULL;

	if (call && call->leave - call->enter > out->ticks)
		*out = (struct slowest_call){ call->leave - call->enter, frame ? frame->number : 0, call->leave,
					      call->thread, false };
}

bool singles_slowest(const struct singles_of *of, const struct profile *p, struct slowest_call *out)
{
	const struct longest_call *longest = &of->longest;

	*out = (struct slowest_call){ 0 };
	keep_slower(of->calls ? calls_of(of->calls, of->key) : NULL, p, out);
	keep_slower(of->framed ? calls_of(of->framed, of->key) : NULL, p, out);
	if (longest->ticks > out->ticks)
		*out = (struct slowest_call){ longest->ticks, longest->frame, 0, longest->thread, false };
	out->of_all = longest->ticks && !longest->unknown;
	return out->ticks;
}

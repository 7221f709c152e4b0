/* SPDX-License-Identifier: MIT */
#include "model/stats/calls.h"

#include <math.h>
#include <string.h>

#include "model/base/array.h"
#include "model/stats/frame_stats.h"

/* A call as it is told; they are put in order of their keys at the end. */
struct known {
	uint32_t key;
	int64_t time, self;
};

struct of_key {
	uint32_t first, count; /* in time and self */
	bool worked;           /* statistics are there */
	uint64_t suspended;    /* that are left out */
	uint32_t list, stretch; /* of the call that was told last (telling) */
	struct key_calls calls;
};

struct calls {
	struct of_key *keys;
	uint32_t key_count;
	int64_t *time, *self; /* those of a key stand together; they change places */
	uint32_t random;
};

/* An open call, as far as it is known. */
struct open {
	uint32_t node;
	int64_t enter, below; /* below: ticks of the calls in it that were left */
	bool resumed;         /* it is not all of the call */
};

struct telling {
	const struct profile *p;
	const struct scope *scope;
	uint32_t key;
	uint32_t first, end; /* frames; end CALLS_ALL_FRAMES: all calls */
	uint32_t thread;     /* of the list */
	uint32_t list, stretch; /* how many lists were begun, and how many stretches of this one: a gap ends one */
	uint32_t frame;      /* none before it has a part with what comes next in the list */
	struct calls *calls;
	struct known *known;
	uint32_t known_count, known_capacity;
	struct open *open;
	uint32_t depth, open_capacity;
};

/* The key that a call of a node counts for, or PROFILE_NONE. */
static uint32_t key_of(const struct telling *t, uint32_t node)
{
	const struct scope *s = t->scope;
	uint32_t key;

	if (node >= s->keys->node_count || (s->members && !s->members[node]))
		return PROFILE_NONE;
	key = s->keys->of_node[node];
	return t->key == CALLS_ALL_KEYS || t->key == key ? key : PROFILE_NONE;
}

static bool add_known(struct telling *t, uint32_t key, const struct open *call, int64_t leave)
{
	struct of_key *of = &t->calls->keys[key];
	int64_t time = leave - call->enter, slowest = of->calls.slowest.leave - of->calls.slowest.enter;

	if (!array_reserve(&t->known, &t->known_capacity, (uint64_t)t->known_count + 1, sizeof(*t->known)))
		return false;
	t->known[t->known_count++] = (struct known){ key, time, time - call->below };
	if (!of->count || time > slowest || (time == slowest && leave > of->calls.slowest.leave))
		of->calls.slowest = (struct call){ t->thread, call->enter, leave };
	if (!of->count || call->enter < of->calls.since)
		of->calls.since = call->enter;
	if (!of->count || leave > of->calls.until)
		of->calls.until = leave;
	of->calls.gaps |= of->count && of->list == t->list && of->stretch != t->stretch;
	of->list = t->list;
	of->stretch = t->stretch;
	of->count++;
	return true;
}

static bool is_recorded(const struct telling *t, uint32_t frame)
{
	return frame >= t->first && frame < t->end && !(t->p->frames[frame].flags & FRAME_DISCARDED);
}

/* `ended threads` have no slices of their own, so the frame decides. */
static bool ended_in_frame(const struct telling *t, int64_t tick)
{
	const struct profile_frame *frame = frame_at(t->p, tick);

	return frame && is_recorded(t, (uint32_t)(frame - t->p->frames));
}

/* A thread's parts begin and end at its own ticks, and one may be of several frames. */
static bool ended_in_part(struct telling *t, int64_t tick)
{
	for (; t->frame < t->end; t->frame++) {
		const struct profile_held *part = profile_find_part(&t->p->frames[t->frame], t->thread);

		if (part && part->end > part->bound && part->end >= tick)
			return part->bound < tick && is_recorded(t, t->frame);
	}
	return false;
}

static bool ended_inside(struct telling *t, int64_t tick)
{
	if (t->end == CALLS_ALL_FRAMES)
		return (!t->scope->since || tick > t->scope->since) && (!t->scope->until || tick <= t->scope->until);
	return profile_thread_is_several(&t->p->threads[t->thread]) ? ended_in_frame(t, tick) : ended_in_part(t, tick);
}

/* An open call that is not around this node is lost: its exit was not recorded. */
static bool enter_zone(struct telling *t, const struct transition *n)
{
	uint32_t parent = n->node < t->p->node_count ? t->p->nodes[n->node].parent : PROFILE_NONE;

	while (t->depth && t->open[t->depth - 1].node != parent && n->node < t->p->node_count)
		t->depth--;
	if (!array_reserve(&t->open, &t->open_capacity, (uint64_t)t->depth + 1, sizeof(*t->open)))
		return false;
	t->open[t->depth++] = (struct open){ n->node, n->tick, 0, n->kind == TRANSITION_RESUME };
	return true;
}

static bool leave_zone(struct telling *t, const struct transition *n)
{
	struct open *call;
	uint32_t key;

	while (t->depth && t->open[t->depth - 1].node != n->node)
		t->depth--;
	if (!t->depth)
		return true;
	call = &t->open[--t->depth];
	if (t->depth)
		call[-1].below += n->tick - call->enter;
	key = key_of(t, n->node);
	if (key == PROFILE_NONE || n->kind == TRANSITION_SUSPEND || !ended_inside(t, n->tick))
		return true;
	if (!call->resumed)
		return add_known(t, key, call, n->tick);
	t->calls->keys[key].suspended++;
	return true;
}

/* Calls of long ago are retained because their frames were long. Among all calls they would pass for what is
 * usual, so they are left out. */
static uint32_t first_of(const struct telling *t, const struct transition_list *list)
{
	uint64_t behind = list->long_ago > list->first ? list->long_ago - list->first : 0;

	if (t->end != CALLS_ALL_FRAMES)
		return 0;
	return behind < list->count ? (uint32_t)behind : list->count;
}

static bool tell_list(struct telling *t, const struct transition_list *list)
{
	bool done = true;

	t->thread = list->thread;
	t->list++;
	t->stretch = 0;
	t->frame = t->first;
	t->depth = 0;
	for (uint32_t i = first_of(t, list); done && i < list->count; i++) {
		const struct transition *n = &list->at[i];

		if (transition_enters(n->kind))
			done = enter_zone(t, n);
		else if (transition_leaves(n->kind))
			done = leave_zone(t, n);
		else {
			t->depth = 0;
			t->stretch += n->kind == TRANSITION_GAP;
		}
	}
	return done;
}

static bool tell_calls(struct telling *t, const struct transitions *from)
{
	bool done = true;

	for (uint32_t i = 0; done && i < from->count; i++) {
		const struct transition_list *list = &from->lists[i];

		if (!list->count || list->thread >= t->p->thread_count ||
		    !profile_selects(t->p, t->scope->threads, list->thread))
			continue;
		done = tell_list(t, list);
	}
	return done;
}

/* Puts the calls of each key together. */
static bool put_in_order(struct telling *t)
{
	struct calls *c = t->calls;
	uint32_t first = 0;

	c->time = array_zeroed(t->known_count, sizeof(*c->time));
	c->self = array_zeroed(t->known_count, sizeof(*c->self));
	if (!c->time || !c->self)
		return false;
	for (uint32_t k = 0; k < c->key_count; k++) {
		c->keys[k].first = first;
		first += c->keys[k].count;
		c->keys[k].count = 0;
	}
	for (uint32_t i = 0; i < t->known_count; i++) {
		struct of_key *of = &c->keys[t->known[i].key];
		uint32_t at = of->first + of->count++;

		c->time[at] = t->known[i].time;
		c->self[at] = t->known[i].self;
	}
	return true;
}

static uint32_t end_of(const struct profile *p, uint32_t first, uint32_t n)
{
	if (n == CALLS_ALL_FRAMES)
		return CALLS_ALL_FRAMES;
	return first < p->frame_count && n < p->frame_count - first ? first + n : p->frame_count;
}

struct calls *calls_make(const struct profile *p, const struct scope *scope, const struct transitions *t, uint32_t key,
			 uint32_t first, uint32_t n)
{
	struct telling telling = { .p = p, .scope = scope, .key = key, .first = first, .end = end_of(p, first, n),
				   .calls = calloc(1, sizeof(struct calls)) };
	struct calls *c = telling.calls;
	bool done;

	if (!c)
		return NULL;
	c->key_count = scope->keys->count;
	c->keys = array_zeroed(c->key_count, sizeof(*c->keys));
	done = c->keys && tell_calls(&telling, t) && put_in_order(&telling);
	free(telling.known);
	free(telling.open);
	if (done)
		return c;
	calls_free(c);
	return NULL;
}

void calls_free(struct calls *c)
{
	if (!c)
		return;
	free(c->keys);
	free(c->time);
	free(c->self);
	free(c);
}

const struct key_calls *calls_of(struct calls *c, uint32_t key)
{
	struct of_key *of = key < c->key_count ? &c->keys[key] : NULL;

	if (!of || !of->count)
		return NULL;
	if (!of->worked) {
		of->calls.time = statistics_select(&c->time[of->first], of->count, &c->random);
		of->calls.self = statistics_select(&c->self[of->first], of->count, &c->random);
		of->worked = true;
	}
	return &of->calls;
}

uint64_t calls_suspended(const struct calls *c, uint32_t key)
{
	return key < c->key_count ? c->keys[key].suspended : 0;
}

/* Ascending edges from least to most; those that integers cannot tell apart are one. Returns the buckets. */
static uint32_t make_edges(int64_t least, int64_t most, uint32_t n, int64_t *edges)
{
	double from = least > 1 ? (double)least : 1, step = log((double)most / from) / n;
	uint32_t count = 0;

	edges[0] = least;
	for (uint32_t i = 1; i < n; i++) {
		double edge = ceil(from * exp(step * i));

		if (edge > (double)edges[count] && edge < (double)most)
			edges[++count] = (int64_t)edge;
	}
	edges[++count] = most;
	return count;
}

static uint32_t bucket_of(const int64_t *edges, uint32_t n, int64_t time)
{
	uint32_t low = 0;

	while (n > 1) {
		uint32_t half = n / 2;

		if (time >= edges[low + half])
			low += half;
		n -= half;
	}
	return low;
}

uint32_t calls_histogram(const struct calls *c, uint32_t key, uint32_t n, uint32_t *out, int64_t *edges)
{
	const struct of_key *of = key < c->key_count ? &c->keys[key] : NULL;
	const int64_t *time = of ? &c->time[of->first] : NULL;
	int64_t least, most;

	if (!of || !of->count || !n)
		return 0;
	least = most = time[0];
	for (uint32_t i = 1; i < of->count; i++) {
		least = time[i] < least ? time[i] : least;
		most = time[i] > most ? time[i] : most;
	}
	n = make_edges(least, most, n, edges);
	memset(out, 0, n * sizeof(*out));
	for (uint32_t i = 0; i < of->count; i++)
		out[bucket_of(edges, n, time[i])]++;
	return n;
}

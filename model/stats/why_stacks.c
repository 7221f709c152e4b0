/* SPDX-License-Identifier: MIT */
#include "model/stats/why_stacks.h"

#include <stdio.h>

#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/zones/keys.h"

#define LEVELS 32 /* of a stack that are named */

/* A zone that was entered from a stack, and the stack that it led to. */
struct step {
	uint32_t from;  /* PROFILE_NONE: from none, or by zone */
	uint32_t place; /* of threads */
	uint32_t zone;
	uint32_t depth;
	uint32_t to;
};

struct making {
	struct why *w;
	struct why_stacks *s;
	const struct profile *base, *now;
	const struct match *match;
	struct lookup lookup;
	struct step *steps;
	uint32_t count;
};

/* A node, of the one profile or the other. */
struct node {
	const struct profile *p;
	const struct keys *keys; /* of that profile; NULL: recursion is merged */
	const uint32_t *stacks;  /* of its nodes, the parent's among them */
	uint32_t node, base_node; /* one of them is PROFILE_NONE */
	uint32_t index;           /* the other */
};

static uint32_t zone_of(const struct making *m, const struct node *n, uint32_t index)
{
	uint32_t zone = n->p->nodes[index].zone;

	if (n->node != PROFILE_NONE)
		return zone;
	return m->match->zones[zone] != PROFILE_NONE ? m->match->zones[zone] : m->now->zone_count + zone;
}

/* The one of `from` and its callers that is of this zone, or PROFILE_NONE. */
static uint32_t entered_before(const struct why *w, uint32_t from, uint32_t zone)
{
	while (from != PROFILE_NONE && w->stacks[from].zone != zone)
		from = w->stacks[from].parent;
	return from;
}

static bool same_step(const void *context, uint32_t index, const void *wanted)
{
	const struct step *a = &((const struct making *)context)->steps[index], *b = wanted;

	return a->from == b->from && a->place == b->place && a->zone == b->zone && a->depth == b->depth;
}

static uint32_t add_stack(struct making *m, const struct node *n, const struct step *step)
{
	uint32_t stack = m->w->stack_count++;

	m->s->place[stack] = step->place;
	m->w->stacks[stack] = (struct why_stack){
		.parent = step->from, .node = n->node, .base_node = n->base_node, .zone = step->zone,
		.depth = step->depth, .waits = n->p->zones[n->p->nodes[n->index].zone].flags & ZONE_WAITING,
	};
	return stack;
}

/* PROFILE_NONE: out of memory. */
static uint32_t stack_of(struct making *m, const struct node *n, uint32_t place)
{
	uint32_t parent = n->p->nodes[n->index].parent, hash;
	struct step step = { .from = PROFILE_NONE, .place = place, .zone = zone_of(m, n, n->index),
			     .depth = n->keys ? n->keys->depth[n->index] : 1 };
	uint32_t found;

	if (!m->w->by_zone && parent != PROFILE_NONE)
		step.from = n->stacks[parent];
	if (!m->w->by_zone && m->w->spread)
		return add_stack(m, n, &step);
	hash = lookup_hash(0, &step, offsetof(struct step, to));
	found = lookup_find(&m->lookup, hash, same_step, m, &step);
	if (found != LOOKUP_NONE)
		return m->steps[found].to;
	if (!lookup_reserve(&m->lookup))
		return PROFILE_NONE;
	step.to = entered_before(m->w, step.from, step.zone);
	if (step.to == PROFILE_NONE)
		step.to = add_stack(m, n, &step);
	lookup_add(&m->lookup, hash, m->count);
	m->steps[m->count++] = step;
	return step.to;
}

static bool add_nodes(struct making *m, const struct why_stacks_side *now, const struct keys *keys)
{
	for (uint32_t i = 0; i < now->p->node_count; i++) {
		struct node n = { now->p, keys, m->s->now, i, PROFILE_NONE, i };
		uint32_t place = now->place[now->p->nodes[i].thread];

		m->s->now[i] = place == PROFILE_NONE ? PROFILE_NONE : stack_of(m, &n, place);
		if (place != PROFILE_NONE && m->s->now[i] == PROFILE_NONE)
			return false;
	}
	return true;
}

static bool add_base_nodes(struct making *m, const struct why_stacks_side *base, const struct keys *keys)
{
	for (uint32_t i = 0; i < base->p->node_count; i++) {
		struct node n = { base->p, keys, m->s->base, PROFILE_NONE, i, i };
		uint32_t place = base->place[base->p->nodes[i].thread], like = m->match->nodes[i], *stack = &m->s->base[i];

		*stack = PROFILE_NONE;
		if (like != PROFILE_NONE)
			*stack = m->s->now[like];
		else if (place != PROFILE_NONE && (*stack = stack_of(m, &n, place)) == PROFILE_NONE)
			return false;
		if (*stack != PROFILE_NONE && m->w->stacks[*stack].base_node == PROFILE_NONE)
			m->w->stacks[*stack].base_node = i;
	}
	return true;
}

static bool add_all_nodes(struct making *m, const struct why_stacks_side *base, const struct why_stacks_side *now)
{
	struct keys *of_now = keys_new(true), *of_base = keys_new(true);
	bool done = of_now && of_base && keys_update(of_now, now->p) && keys_update(of_base, base->p) &&
		    add_nodes(m, now, of_now) && add_base_nodes(m, base, of_base);

	keys_free(of_now);
	keys_free(of_base);
	return done;
}

bool why_stacks_make(struct why_stacks *s, struct why *w, const struct why_stacks_side *base,
		     const struct why_stacks_side *now, const struct match *match)
{
	struct making m = { .w = w, .s = s, .base = base->p, .now = now->p, .match = match };
	uint64_t most = (uint64_t)base->p->node_count + now->p->node_count;
	bool done;

	s->now = array_zeroed(now->p->node_count, sizeof(*s->now));
	s->base = array_zeroed(base->p->node_count, sizeof(*s->base));
	s->place = array_zeroed(most, sizeof(*s->place));
	w->stacks = array_zeroed(most, sizeof(*w->stacks));
	m.steps = array_zeroed(most, sizeof(*m.steps));
	done = most < PROFILE_NONE && s->now && s->base && s->place && w->stacks && m.steps &&
	       (w->spread ? add_all_nodes(&m, base, now) : add_nodes(&m, now, NULL) && add_base_nodes(&m, base, NULL));
	lookup_fini(&m.lookup);
	free(m.steps);
	return done;
}

void why_stacks_fini(struct why_stacks *s)
{
	free(s->now);
	free(s->base);
	free(s->place);
}

/* What tells rows apart */

static uint32_t caller(const struct why *w, uint32_t stack)
{
	return stack == PROFILE_NONE ? PROFILE_NONE : w->stacks[stack].parent;
}

/* How many callers two stacks of one zone have in common, from the zone on outwards. */
static uint32_t alike(const struct why *w, uint32_t a, uint32_t b)
{
	uint32_t count = 0;

	if (a == b)
		return UINT32_MAX;
	for (a = caller(w, a), b = caller(w, b);
	     a != PROFILE_NONE && b != PROFILE_NONE && w->stacks[a].zone == w->stacks[b].zone;
	     a = caller(w, a), b = caller(w, b))
		count++;
	return count;
}

/* The first row of a zone in a thread, and what all others have in common with it. */
struct first {
	uint32_t thread_plus_1;
	uint32_t row;
	uint32_t alike;
};

static void compare_rows(const struct why *w, uint32_t thread, struct first *firsts)
{
	struct why_thread *t = &w->threads[thread];

	for (uint32_t i = 0; i < t->count; i++) {
		struct first *first = &firsts[w->stacks[t->rows[i].stack].zone];
		uint32_t common;

		if (first->thread_plus_1 != thread + 1)
			*first = (struct first){ thread + 1, i, UINT32_MAX };
		common = alike(w, t->rows[first->row].stack, t->rows[i].stack);
		if (common < first->alike)
			first->alike = common;
	}
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t common = firsts[w->stacks[t->rows[i].stack].zone].alike;

		t->rows[i].alike = common == UINT32_MAX ? 0 : common; /* it is the only one */
	}
}

bool why_stacks_compare(struct why *w)
{
	uint32_t zones = 0;
	struct first *firsts;

	for (uint32_t i = 0; i < w->stack_count; i++)
		if (w->stacks[i].zone >= zones)
			zones = w->stacks[i].zone + 1;
	firsts = array_zeroed(zones, sizeof(*firsts));
	if (!firsts)
		return false;
	for (uint32_t i = 0; i < w->thread_count; i++)
		compare_rows(w, i, firsts);
	free(firsts);
	return true;
}

/* As text */

static bool is_root(const struct why *w, uint32_t stack)
{
	return w->stacks[stack].zone == PROFILE_NO_ZONE;
}

/* A zone; then the first caller that is another one. */
static uint32_t put_zone(FILE *out, const struct why *w, uint32_t stack, why_name *name, const void *context)
{
	char *text = name(context, &w->stacks[stack]);
	uint32_t zone = w->stacks[stack].zone, up = caller(w, stack);

	fputs(text ? text : "?", out);
	free(text);
	while (up != PROFILE_NONE && w->stacks[up].zone == zone)
		up = caller(w, up);
	return up;
}

/* Behind those that are alike, but never behind the last. */
static uint32_t skip(const struct why *w, uint32_t stack, uint32_t count)
{
	for (; count && !is_root(w, stack) && caller(w, stack) != PROFILE_NONE && !is_root(w, caller(w, stack)); count--)
		stack = caller(w, stack);
	return stack;
}

char *why_stack_text(const struct why *w, const struct why_row *row, bool short_of_alike, bool ascii, why_name *name,
		     const void *context)
{
	const char *by = ascii ? " < " : " ‹ ", *more = ascii ? " < ..." : " ‹ …";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	uint32_t up, levels = 0;

	if (!out)
		return NULL;
	up = put_zone(out, w, row->stack, name, context);
	if (short_of_alike && row->alike > 1 && up != PROFILE_NONE) {
		up = skip(w, up, row->alike);
		fputs(more, out);
	}
	while (up != PROFILE_NONE && !is_root(w, up) && levels++ < LEVELS) {
		fputs(by, out);
		up = put_zone(out, w, up, name, context);
	}
	if (levels > LEVELS)
		fputs(more, out);
	return fclose(out) == 0 ? text : (free(text), NULL);
}

/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/base/text.h"
#include "model/query/keys.h"
#include "model/stats/why_inside.h"

#define LEVELS 32 /* of a stack that are named */
#define TOLD 63   /* callers of a stack that are looked at for what tells it from others */

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

static uint32_t caller_of(const struct why *w, uint32_t stack)
{
	return stack == PROFILE_NONE ? PROFILE_NONE : w->stacks[stack].parent;
}

static int compare_names(const struct why_stack *a, const struct why_stack *b)
{
	if (a->zone != b->zone)
		return a->zone < b->zone ? -1 : 1;
	return (a->depth > b->depth) - (a->depth < b->depth);
}

/* Compares the callers of two stacks, from the zone outwards. *common: how many callers they have in common. */
static int compare_callers(const struct why *w, uint32_t a, uint32_t b, uint32_t *common)
{
	int order = 0;

	for (*common = 0; *common < TOLD; ++*common) {
		a = caller_of(w, a);
		b = caller_of(w, b);
		if (a == PROFILE_NONE || b == PROFILE_NONE)
			return (a != PROFILE_NONE) - (b != PROFILE_NONE);
		order = compare_names(&w->stacks[a], &w->stacks[b]);
		if (order)
			break;
	}
	return order;
}

struct ordering {
	const struct why *w;
	const struct why_thread *t;
};

/* Rows of one zone stand together, and of these those whose callers are the same for longest. */
static int compare_rows(const void *left, const void *right, void *context)
{
	const struct ordering *o = context;
	uint32_t a = o->t->rows[*(const uint32_t *)left].stack, b = o->t->rows[*(const uint32_t *)right].stack, common;
	int order = compare_names(&o->w->stacks[a], &o->w->stacks[b]);

	return order ? order : compare_callers(o->w, a, b, &common);
}

/* The callers that tell a row from all rows before it, as bits: the one at which it differs from its neighbour,
 * and the neighbour's own that are nearer. */
static uint64_t tells_apart(const struct why *w, uint32_t row, uint32_t neighbour, uint64_t of_neighbour)
{
	uint32_t common;

	if (compare_names(&w->stacks[row], &w->stacks[neighbour]))
		return 0;
	compare_callers(w, row, neighbour, &common);
	return (of_neighbour & ((UINT64_C(1) << common) - 1)) | UINT64_C(1) << common;
}

static void compare_thread(const struct why *w, struct why_thread *t, uint32_t *order)
{
	struct ordering o = { w, t };
	uint64_t told = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		order[i] = i;
		t->rows[i].tells = 0;
	}
	qsort_r(order, t->count, sizeof(*order), compare_rows, &o);
	for (uint32_t i = 1; i < t->count; i++) {
		told = tells_apart(w, t->rows[order[i]].stack, t->rows[order[i - 1]].stack, told);
		t->rows[order[i]].tells = told;
	}
	told = 0;
	for (uint32_t i = t->count; i-- > 1;) {
		told = tells_apart(w, t->rows[order[i - 1]].stack, t->rows[order[i]].stack, told);
		t->rows[order[i - 1]].tells |= told;
	}
}

bool why_stacks_compare(struct why *w)
{
	uint32_t most = 0, *order;

	for (uint32_t i = 0; i < w->thread_count; i++)
		if (w->threads[i].count > most)
			most = w->threads[i].count;
	order = array_zeroed(most, sizeof(*order));
	if (!order)
		return false;
	for (uint32_t i = 0; i < w->thread_count; i++)
		compare_thread(w, &w->threads[i], order);
	free(order);
	return true;
}

/* As text */

static bool is_root(const struct why *w, uint32_t stack)
{
	return w->stacks[stack].zone == PROFILE_NO_ZONE;
}

/* A stack among its callers: the row's own is at 0. */
struct level {
	uint32_t stack, at;
};

/* The first caller that is another zone. */
static struct level level_above(const struct why *w, struct level l)
{
	uint32_t zone = w->stacks[l.stack].zone;

	do
		l = (struct level){ caller_of(w, l.stack), l.at + 1 };
	while (l.stack != PROFILE_NONE && w->stacks[l.stack].zone == zone);
	return l;
}

static bool is_end(const struct why *w, struct level l)
{
	return l.stack == PROFILE_NONE || is_root(w, l.stack);
}

/* True if a caller is named when not all are. `next` is the caller behind it. */
static bool is_told(const struct why_row *row, struct level l, struct level next)
{
	uint64_t from = l.at <= TOLD ? row->tells >> (l.at - 1) : 0;
	uint32_t levels = next.at - l.at;

	return !from || levels > TOLD || from & ((UINT64_C(1) << levels) - 1);
}

static void put_name(FILE *out, const char *name, bool ascii)
{
	char *shown = name_shown(name, ascii);

	fputs(shown ? shown : "?", out);
	free(shown);
}

static void put_zone(FILE *out, const struct why *w, uint32_t stack, bool ascii)
{
	const struct why_name *name = &w->names[w->stacks[stack].zone];

	put_name(out, name->name, ascii);
	if (w->stacks[stack].depth > 1)
		fprintf(out, "(%u)", w->stacks[stack].depth);
	if (name->place)
		put_name(out, name->place, ascii);
}

char *why_stack_text(const struct why *w, const struct why_row *row, enum why_callers callers, bool ascii)
{
	const char *by = ascii ? " < " : " ‹ ", *more = ascii ? " < ..." : " ‹ …";
	uint32_t levels = 0, hidden = 0, last = PROFILE_NONE;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct level l, next;

	if (!out)
		return NULL;
	put_zone(out, w, row->stack, ascii);
	for (l = level_above(w, (struct level){ row->stack, 0 }); !is_end(w, l) && levels < LEVELS; l = next) {
		next = level_above(w, l);
		if (callers != WHY_ALL && !is_end(w, next) && !is_told(row, l, next)) {
			hidden++;
			last = l.stack;
			continue;
		}
		if (hidden > 1 || (hidden && callers == WHY_DOTS)) {
			fputs(more, out);
		} else if (hidden) {
			fputs(by, out);
			put_zone(out, w, last, ascii);
		}
		fputs(by, out);
		put_zone(out, w, l.stack, ascii);
		hidden = 0;
		levels++;
	}
	if (!is_end(w, l))
		fputs(more, out);
	return fclose(out) == 0 ? text : (free(text), NULL);
}

uint64_t why_stack_id(const struct why *w, const struct why_row *row)
{
	uint64_t x = 0;

	for (uint32_t s = row->stack; s != PROFILE_NONE; s = w->stacks[s].parent) {
		x = (x ^ (x >> 31)) * UINT64_C(0x9E3779B97F4A7C15) + w->stacks[s].depth;
		x = ((x ^ (x >> 30)) + w->stacks[s].zone) * UINT64_C(0xBF58476D1CE4E5B9);
	}
	return (x ^ x >> 29) | 1;
}

bool why_has_place(const struct why *w, const struct why_row *row)
{
	return w->names[w->stacks[row->stack].zone].place;
}

struct naming {
	struct why *w;
	const struct profile *base, *now;
	const struct match *match;
};

static const struct profile_zone *zone_at(const struct naming *n, uint32_t zone)
{
	return zone < n->now->zone_count ? &n->now->zones[zone] : &n->base->zones[zone - n->now->zone_count];
}

/* Adds the zones that may have the name of another zone. */
static uint32_t add_zones(const struct naming *n, struct zone_place *places)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < n->now->zone_count; i++)
		if (n->base != n->now || profile_name_clashes(n->now, i))
			places[count++] = (struct zone_place){ .zone = &n->now->zones[i], .index = i };
	for (uint32_t i = 1; n->base != n->now && i < n->base->zone_count; i++)
		if (n->match->zones[i] == PROFILE_NONE)
			places[count++] = (struct zone_place){ .zone = &n->base->zones[i], .index = n->now->zone_count + i };
	return count;
}

static bool name_zone(const struct naming *n, uint32_t zone)
{
	struct why_name *name = &n->w->names[zone];
	const char *bytes = zone_at(n, zone)->name;

	if (!name->name)
		name->name = name_escape(bytes, strlen(bytes));
	return name->name;
}

/* Names the zones of all rows, and of their callers. */
static bool name_rows(const struct naming *n)
{
	const struct why *w = n->w;
	bool *named = array_zeroed(w->stack_count, sizeof(*named)), done = named;

	for (uint32_t i = 0; done && i < w->row_count; i++)
		for (uint32_t s = w->rows[i].stack; done && s != PROFILE_NONE && !named[s]; s = w->stacks[s].parent) {
			named[s] = true;
			done = name_zone(n, w->stacks[s].zone);
		}
	free(named);
	return done;
}

static bool name_places(const struct naming *n, struct zone_place *places)
{
	uint32_t count = add_zones(n, places);

	places_tell_apart(places, count);
	for (uint32_t i = 0; i < count; i++) {
		struct why_name *name = &n->w->names[places[i].index];

		if (!name->name || !places[i].shared)
			continue;
		name->place = zone_place_text(places[i].zone, places[i].from);
		if (!name->place)
			return false;
	}
	return true;
}

bool why_names_make(struct why *w, const struct profile *base, const struct profile *now, const struct match *match)
{
	const struct naming n = { w, base, now, match };
	struct zone_place *places;
	bool done;

	w->name_count = now->zone_count + base->zone_count;
	w->names = array_zeroed(w->name_count, sizeof(*w->names));
	places = array_zeroed(w->name_count, sizeof(*places));
	done = w->names && places && name_rows(&n) && name_places(&n, places);
	free(places);
	return done;
}

void why_names_fini(struct why *w)
{
	for (uint32_t i = 0; w->names && i < w->name_count; i++) {
		free(w->names[i].name);
		free(w->names[i].place);
	}
	free(w->names);
}

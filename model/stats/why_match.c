/* SPDX-License-Identifier: MIT */
#include "model/stats/why_inside.h"

#include <string.h>

#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/query/keys.h"

/* Things that are handed out one by one, those that are alike in the order in which they came. */
struct stock {
	struct lookup heads; /* index: the first of those that are alike */
	uint32_t *now;       /* by head: the next to be handed out */
	uint32_t *last;      /* by head */
	uint32_t *next;      /* by thing */
	lookup_same *same;
	const void *context;
};

static bool stock_init(struct stock *s, uint32_t count, lookup_same *same, const void *context)
{
	*s = (struct stock){ .same = same, .context = context };
	s->now = array_zeroed(count, sizeof(*s->now));
	s->last = array_zeroed(count, sizeof(*s->last));
	s->next = array_zeroed(count, sizeof(*s->next));
	return s->now && s->last && s->next;
}

static void stock_fini(struct stock *s)
{
	lookup_fini(&s->heads);
	free(s->now);
	free(s->last);
	free(s->next);
}

static bool stock_add(struct stock *s, uint32_t hash, const void *like, uint32_t thing)
{
	uint32_t head = lookup_find(&s->heads, hash, s->same, s->context, like);

	s->next[thing] = PROFILE_NONE;
	if (head != LOOKUP_NONE) {
		s->next[s->last[head]] = thing;
		s->last[head] = thing;
		return true;
	}
	if (!lookup_reserve(&s->heads))
		return false;
	lookup_add(&s->heads, hash, thing);
	s->now[thing] = s->last[thing] = thing;
	return true;
}

/* PROFILE_NONE: there is none, or none is left. */
static uint32_t stock_take(struct stock *s, uint32_t hash, const void *like)
{
	uint32_t head = lookup_find(&s->heads, hash, s->same, s->context, like);
	uint32_t thing = head == LOOKUP_NONE ? PROFILE_NONE : s->now[head];

	if (thing != PROFILE_NONE)
		s->now[head] = s->next[thing];
	return thing;
}

/* True if exactly one matches. */
static bool stock_single(const struct stock *s, uint32_t hash, const void *like)
{
	uint32_t head = lookup_find(&s->heads, hash, s->same, s->context, like);

	return head != LOOKUP_NONE && s->now[head] == head && s->last[head] == head;
}

static uint32_t hash_text(const char *text)
{
	return lookup_hash(0, text, strlen(text));
}

/* Zones */

static bool same_zone(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_zone *zone = &((const struct profile *)context)->zones[index], *w = wanted;

	return zone->line == w->line && !strcmp(zone->name, w->name) && !strcmp(zone->file, w->file);
}

static bool same_zone_name(const void *context, uint32_t index, const void *wanted)
{
	return !strcmp(((const struct profile *)context)->zones[index].name,
		       ((const struct profile_zone *)wanted)->name);
}

static bool match_exactly(struct match *m, const struct profile *from, const struct profile *to,
			  bool *taken)
{
	struct stock stock;
	bool done = stock_init(&stock, to->zone_count, same_zone, to);

	for (uint32_t i = 0; done && i < to->zone_count; i++)
		done = stock_add(&stock, (uint32_t)key_id(to, i, 1), &to->zones[i], i);
	for (uint32_t i = 0; done && i < from->zone_count; i++) {
		m->zones[i] = stock_take(&stock, (uint32_t)key_id(from, i, 1), &from->zones[i]);
		if (m->zones[i] != PROFILE_NONE)
			taken[m->zones[i]] = true;
	}
	stock_fini(&stock);
	return done;
}

/* Matches zones that are left over, if each is the only one of its name. */
static bool match_moved(struct match *m, const struct profile *from, const struct profile *to,
			const bool *taken)
{
	struct stock here, there;
	bool done = stock_init(&here, from->zone_count, same_zone_name, from);

	done = stock_init(&there, to->zone_count, same_zone_name, to) && done;
	for (uint32_t i = 0; done && i < from->zone_count; i++)
		if (m->zones[i] == PROFILE_NONE)
			done = stock_add(&here, hash_text(from->zones[i].name), &from->zones[i], i);
	for (uint32_t i = 0; done && i < to->zone_count; i++)
		if (!taken[i])
			done = stock_add(&there, hash_text(to->zones[i].name), &to->zones[i], i);
	for (uint32_t i = 0; done && i < from->zone_count; i++) {
		const struct profile_zone *zone = &from->zones[i];
		uint32_t hash = hash_text(zone->name);

		if (m->zones[i] == PROFILE_NONE && stock_single(&here, hash, zone) &&
		    stock_single(&there, hash, zone))
			m->zones[i] = stock_take(&there, hash, zone);
	}
	stock_fini(&here);
	stock_fini(&there);
	return done;
}

static bool match_zones(struct match *m, const struct profile *from, const struct profile *to)
{
	bool *taken = array_zeroed(to->zone_count, sizeof(*taken));
	bool done = taken && match_exactly(m, from, to, taken) && match_moved(m, from, to, taken);

	free(taken);
	return done;
}

/* Threads */

static bool same_thread_name(const void *context, uint32_t index, const void *wanted)
{
	return !strcmp(((const struct profile *)context)->threads[index].name, wanted);
}

static bool match_threads(struct match *m, const struct profile *from, const struct profile *to)
{
	uint32_t marking = profile_marking_thread(from), there = profile_marking_thread(to);
	struct stock stock;
	bool done = stock_init(&stock, to->thread_count, same_thread_name, to);

	for (uint32_t i = 0; done && i < to->thread_count; i++)
		if (i != there)
			done = stock_add(&stock, hash_text(to->threads[i].name), to->threads[i].name, i);
	for (uint32_t i = 0; done && i < from->thread_count; i++) {
		const char *name = from->threads[i].name;

		m->threads[i] = i == marking ? there : stock_take(&stock, hash_text(name), name);
	}
	stock_fini(&stock);
	return done;
}

/* Nodes */

struct node_like {
	uint32_t parent, zone;
};

static bool same_node(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_node *node = &((const struct profile *)context)->nodes[index];
	const struct node_like *w = wanted;

	return node->parent == w->parent && node->zone == w->zone;
}

static uint32_t hash_node(struct node_like like)
{
	return lookup_hash(0, &like, sizeof(like));
}

/* The parent's match is there before the child's. */
static uint32_t match_node(const struct match *m, const struct profile *from, const struct profile *to,
			   struct stock *stock, uint32_t node)
{
	const struct profile_node *n = &from->nodes[node];
	uint32_t thread = m->threads[n->thread];
	struct node_like like;

	if (n->parent == PROFILE_NONE)
		return thread == PROFILE_NONE ? PROFILE_NONE : to->threads[thread].root;
	like = (struct node_like){ m->nodes[n->parent], m->zones[n->zone] };
	if (like.parent == PROFILE_NONE || like.zone == PROFILE_NONE)
		return PROFILE_NONE;
	return stock_take(stock, hash_node(like), &like);
}

static bool match_nodes(struct match *m, const struct profile *from, const struct profile *to)
{
	struct stock stock;
	bool done = stock_init(&stock, to->node_count, same_node, to);

	for (uint32_t i = 0; done && i < to->node_count; i++) {
		struct node_like like = { to->nodes[i].parent, to->nodes[i].zone };

		if (like.parent != PROFILE_NONE)
			done = stock_add(&stock, hash_node(like), &like, i);
	}
	for (uint32_t i = 0; done && i < from->node_count; i++)
		m->nodes[i] = match_node(m, from, to, &stock, i);
	stock_fini(&stock);
	return done;
}

static bool match_itself(struct match *m, const struct profile *p)
{
	for (uint32_t i = 0; i < p->zone_count; i++)
		m->zones[i] = i;
	for (uint32_t i = 0; i < p->thread_count; i++)
		m->threads[i] = i;
	for (uint32_t i = 0; i < p->node_count; i++)
		m->nodes[i] = i;
	return true;
}

struct match *match_make(const struct profile *from, const struct profile *to)
{
	struct match *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->zones = array_zeroed(from->zone_count, sizeof(*m->zones));
	m->threads = array_zeroed(from->thread_count, sizeof(*m->threads));
	m->nodes = array_zeroed(from->node_count, sizeof(*m->nodes));
	if (m->zones && m->threads && m->nodes &&
	    (from == to ? match_itself(m, from)
			: match_zones(m, from, to) && match_threads(m, from, to) &&
				  match_nodes(m, from, to)))
		return m;
	match_free(m);
	return NULL;
}

void match_free(struct match *m)
{
	if (!m)
		return;
	free(m->zones);
	free(m->threads);
	free(m->nodes);
	free(m);
}

/* SPDX-License-Identifier: MIT */
#include "model/stats/open_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/query/keys.h"

/* What is known of a zone of the profile while stacks are added. */
struct open_known {
	uint32_t zone_plus_1; /* its index here; 0: it has not come yet */
	uint32_t depth;       /* how often it is in the stack of thread `of` so far */
	uint32_t of;
	uint64_t key;
};

struct open_stacks_store {
	uint32_t holders;
	uint32_t most; /* rows */
	uint32_t row_capacity, thread_capacity, zone_capacity;
	struct open_known *known; /* by zone of the profile */
	uint32_t known_count, known_capacity;
};

struct open_stacks *open_stacks_new(const struct profile *p, uint32_t most)
{
	struct open_stacks *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->state = p->process.state;
	o->ticks_per_s = p->ticks_per_s;
	o->store = calloc(1, sizeof(*o->store));
	if (!o->store) {
		free(o);
		return NULL;
	}
	o->store->holders = 1;
	o->store->most = most;
	return o;
}

struct open_stacks *open_stacks_hold(struct open_stacks *o)
{
	o->store->holders++;
	return o;
}

void open_stacks_free(struct open_stacks *o)
{
	if (!o || --o->store->holders)
		return;
	for (uint32_t i = 0; i < o->thread_count; i++)
		free(o->threads[i].name);
	for (uint32_t i = 0; i < o->zone_count; i++) {
		free(o->zones[i].name);
		free(o->zones[i].file);
	}
	free(o->threads);
	free(o->zones);
	free(o->rows);
	free(o->store->known);
	free(o->store);
	free(o);
}

/* Ticks of the region may be anything. */
static int64_t span_of(int64_t from, int64_t to)
{
	int64_t length;

	return to > from && !__builtin_sub_overflow(to, from, &length) ? length : 0;
}

static uint64_t mix_hash(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ (b + UINT64_C(0x9E3779B97F4A7C15))) * UINT64_C(0xBF58476D1CE4E5B9);

	x ^= x >> 29;
	return x ? x : 1;
}

/* Adds a row to the thread that was added last, where there is room for one more. False: out of memory. */
static bool add_row(struct open_stacks *o, struct open_row row)
{
	if (o->row_count >= o->store->most) {
		o->left_out++;
		return true;
	}
	if (!array_reserve(&o->rows, &o->store->row_capacity, (uint64_t)o->row_count + 1, sizeof(*o->rows)))
		return false;
	o->rows[o->row_count++] = row;
	o->threads[o->thread_count - 1].end = o->row_count;
	return true;
}

bool open_stacks_add_thread(struct open_stacks *o, const struct profile *p, uint32_t thread, bool busy,
			    int64_t last, int64_t now)
{
	const struct profile_thread *t = &p->threads[thread];
	char *name = strdup(t->name);

	if (!name || !array_reserve(&o->threads, &o->store->thread_capacity, (uint64_t)o->thread_count + 1,
				    sizeof(*o->threads))) {
		free(name);
		return false;
	}
	o->threads[o->thread_count++] = (struct open_thread){
		.id = t->id, .index = thread, .tid = t->tid, .name = name, .marking = t->marking, .busy = busy, .now = now,
		.last = last, .state = t->state,
		.still = span_of(last, now), .first = o->row_count, .end = o->row_count,
	};
	return add_row(o, (struct open_row){ .id = mix_hash(t->id, 0), .thread = o->thread_count - 1 });
}

static bool copy_zone(struct open_stacks *o, const struct profile_zone *zone)
{
	struct open_zone copy = { .name = strdup(zone->name), .file = strdup(zone->file), .line = zone->line,
				  .waiting = zone->flags & ZONE_WAITING };

	if (copy.name && copy.file &&
	    array_reserve(&o->zones, &o->store->zone_capacity, (uint64_t)o->zone_count + 1,
			  sizeof(*o->zones))) {
		o->zones[o->zone_count++] = copy;
		return true;
	}
	free(copy.name);
	free(copy.file);
	return false;
}

/* NULL: out of memory. */
static struct open_known *know_zone(struct open_stacks *o, const struct profile *p, uint32_t zone)
{
	struct open_stacks_store *s = o->store;
	struct open_known *known;

	if (!array_reserve(&s->known, &s->known_capacity, p->zone_count, sizeof(*s->known)))
		return NULL;
	for (; s->known_count < p->zone_count; s->known_count++)
		s->known[s->known_count] = (struct open_known){ 0 };
	known = &s->known[zone];
	if (known->zone_plus_1)
		return known;
	if (!copy_zone(o, &p->zones[zone]))
		return NULL;
	known->zone_plus_1 = o->zone_count;
	known->key = key_id(p, zone, 1);
	return known;
}

bool open_stacks_add_zone(struct open_stacks *o, const struct profile *p, uint32_t node, int64_t entered)
{
	uint32_t zone = p->nodes[node].zone, thread = o->thread_count - 1;
	struct open_known *known = know_zone(o, p, zone);
	struct open_thread *t = &o->threads[thread];

	if (!known)
		return false;
	known->depth = known->of == thread ? known->depth + 1 : 1;
	known->of = thread;
	t->count++;
	return add_row(o, (struct open_row){
		.id = mix_hash(mix_hash(t->id, t->count), known->key), .thread = thread, .level = t->count,
		.zone = known->zone_plus_1 - 1, .depth = known->depth, .key = known->key,
		.spread_key = key_id(p, zone, known->depth), .node = node, .entered = entered, .open = span_of(entered, t->now),
	});
}

const struct open_row *open_stacks_innermost(const struct open_stacks *o, uint64_t id, uint32_t index, bool *known)
{
	uint32_t i = SEARCH(k, 0, o->thread_count, o->threads[k].index < index);
	const struct open_thread *t = i < o->thread_count && o->threads[i].id == id ? &o->threads[i] : NULL;

	*known = t && t->end - t->first == (uint64_t)t->count + 1;
	return *known && t->count ? &o->rows[t->end - 1] : NULL;
}

uint32_t open_stacks_idle(const struct open_stacks *o)
{
	uint32_t idle = 0;

	for (uint32_t i = 0; i < o->thread_count; i++)
		idle += !o->threads[i].count;
	return idle;
}

bool open_stacks_matches(const struct open_stacks *o, uint32_t thread, const struct pattern *pattern)
{
	if (pattern_matches(pattern, o->threads[thread].name))
		return true;
	for (uint32_t i = o->threads[thread].first; i < o->threads[thread].end; i++)
		if (o->rows[i].level && pattern_matches(pattern, o->zones[o->rows[i].zone].name))
			return true;
	return false;
}

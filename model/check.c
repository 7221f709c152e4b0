/* SPDX-License-Identifier: MIT */
#include "model/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/array.h"
#include "model/select.h"
#include "model/text.h"

#define RANK_ALL 100000000u /* 100 %, in millionths of a percent */
#define NOT_WHOLE INT64_MIN /* the value of a frame that says nothing of the zone */

/* What a node is to a zone. */
enum standing { BESIDE, INSIDE, ON_TOP };

struct of_condition {
	uint32_t key; /* of the zone; PROFILE_NONE: not found yet */
	uint8_t *nodes; /* by node: enum standing */
	uint32_t node_count, node_capacity;
	int64_t *values; /* a frame each, in ticks or entries */
	uint32_t value_capacity;
};

struct check_store {
	struct of_condition *conditions;
	struct keys *keys;
	uint32_t zone_count; /* of the profile, when names were looked for last */
	uint32_t count; /* values of each condition */
};

struct check *check_new(const char *text, bool spread, char *why, size_t why_size)
{
	struct check *c = calloc(1, sizeof(*c));

	if (!c) {
		snprintf(why, why_size, "out of memory");
		return NULL;
	}
	c->threads = THREADS_ALL;
	c->conditions = check_parse(text, &c->count, why, why_size);
	if (!c->conditions) {
		free(c);
		return NULL;
	}
	c->store = calloc(1, sizeof(*c->store));
	if (c->store) {
		c->store->keys = keys_new(spread);
		c->store->conditions = array_zeroed(c->count, sizeof(*c->store->conditions));
	}
	if (!c->store || !c->store->keys || !c->store->conditions) {
		snprintf(why, why_size, "out of memory");
		check_free(c);
		return NULL;
	}
	for (uint32_t i = 0; i < c->count; i++)
		c->store->conditions[i].key = PROFILE_NONE;
	return c;
}

static void store_free(struct check_store *s, uint32_t count)
{
	for (uint32_t i = 0; s->conditions && i < count; i++) {
		free(s->conditions[i].nodes);
		free(s->conditions[i].values);
	}
	free(s->conditions);
	keys_free(s->keys);
	free(s);
}

void check_free(struct check *c)
{
	if (!c)
		return;
	if (c->store)
		store_free(c->store, c->count);
	check_forget(c->conditions, c->count);
	free(c);
}

bool check_has_zones(const struct check *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->conditions[i].zone)
			return true;
	return false;
}

const char *check_missing(const struct check *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->conditions[i].zone && c->store->conditions[i].key == PROFILE_NONE)
			return c->conditions[i].zone;
	return NULL;
}

/* Zones */

static bool find_zone(struct check *c, uint32_t i, const struct profile *p, char *why, size_t why_size)
{
	char *shown;
	uint32_t key;

	switch (keys_parse(c->store->keys, p, c->conditions[i].zone, &key)) {
	case KEYS_FOUND:
		c->store->conditions[i].key = key;
		return true;
	case KEYS_NO_ZONE:
		return true;
	case KEYS_AMBIGUOUS:
		break;
	}
	shown = name_escape(c->conditions[i].zone, strlen(c->conditions[i].zone));
	snprintf(why, why_size, "several zones are called '%s': say which, as zone NAME@file:line",
		 shown ? shown : "?");
	free(shown);
	return false;
}

/* Where the nodes that came since stand: parents come before their children. */
static bool place_nodes(const struct keys *k, const struct profile *p, struct of_condition *of)
{
	if (!array_reserve(&of->nodes, &of->node_capacity, k->node_count, sizeof(*of->nodes)))
		return false;
	for (; of->node_count < k->node_count; of->node_count++) {
		uint32_t node = of->node_count, parent = p->nodes[node].parent;

		of->nodes[node] = k->of_node[node] == of->key			    ? ON_TOP
				  : parent != PROFILE_NONE && of->nodes[parent] != BESIDE ? INSIDE
											    : BESIDE;
	}
	return true;
}

bool check_find(struct check *c, const struct profile *p, char *why, size_t why_size)
{
	struct check_store *s = c->store;
	bool anew;

	if (!check_has_zones(c))
		return true;
	snprintf(why, why_size, "out of memory");
	if (!keys_update(s->keys, p))
		return false;
	anew = s->zone_count != p->zone_count || check_missing(c);
	s->zone_count = p->zone_count;
	for (uint32_t i = 0; i < c->count; i++) {
		if (!c->conditions[i].zone)
			continue;
		if (anew && !find_zone(c, i, p, why, why_size))
			return false;
		if (s->conditions[i].key != PROFILE_NONE && !place_nodes(s->keys, p, &s->conditions[i]))
			return false;
	}
	return true;
}

/* Frames */

static int64_t sum_of(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t of_part(const struct of_condition *of, enum check_measure measure,
		       const struct profile_held *part)
{
	int64_t value = 0;

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		enum standing standing = cell.node < of->node_count ? of->nodes[cell.node] : BESIDE;

		if (measure == CHECK_COUNT && standing == ON_TOP)
			value = sum_of(value, cell.count);
		else if (measure == CHECK_HIER ? standing != BESIDE : measure == CHECK_SELF && standing == ON_TOP)
			value = sum_of(value, cell.self);
	}
	return value;
}

static int64_t value_of(const struct check *c, uint32_t i, const struct profile *p,
			const struct profile_frame *frame)
{
	int64_t value = 0;

	if (c->conditions[i].measure == CHECK_FRAME)
		return frame->length;
	if (!frame_counts_for(p, frame, c->threads))
		return NOT_WHOLE;
	for (uint32_t k = 0; k < frame->part_count; k++)
		if (profile_selects(p, c->threads, frame->parts[k].thread))
			value = sum_of(value, of_part(&c->store->conditions[i], c->conditions[i].measure,
						      &frame->parts[k]));
	return value;
}

/* What is older than `most` goes, when it is as much again. */
static void forget_values(struct check *c)
{
	struct check_store *s = c->store;

	if (!c->most || s->count < c->most * 2)
		return;
	for (uint32_t i = 0; i < c->count; i++)
		memmove(s->conditions[i].values, s->conditions[i].values + (s->count - c->most),
			c->most * sizeof(*s->conditions[i].values));
	s->count = (uint32_t)c->most;
}

enum check_added check_add(struct check *c, const struct profile *p, const struct profile_frame *frame)
{
	struct check_store *s = c->store;

	if (!frame_counts(frame))
		return CHECK_NO_FRAME;
	forget_values(c);
	for (uint32_t i = 0; i < c->count; i++)
		if (!array_reserve(&s->conditions[i].values, &s->conditions[i].value_capacity,
				   (uint64_t)s->count + 1, sizeof(*s->conditions[i].values)))
			return CHECK_NO_MEMORY;
	for (uint32_t i = 0; i < c->count; i++)
		s->conditions[i].values[s->count] = value_of(c, i, p, frame);
	s->count++;
	c->frames++;
	return CHECK_TAKEN;
}

/* Judging */

static int64_t of_rank(int64_t *values, uint32_t n, uint32_t rank)
{
	uint32_t random = 1, at = (uint32_t)(((uint64_t)n * rank + RANK_ALL - 1) / RANK_ALL);

	return select_rank(values, n, at - 1, &random);
}

/* `values` change places. */
static void make_figure(struct check_condition *c, int64_t *values, uint32_t n)
{
	c->figure = values[0];
	c->scale = 1;
	if (c->stat == CHECK_RANK) {
		c->figure = of_rank(values, n, c->rank);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		if (c->stat == CHECK_MEAN)
			c->figure = sum_of(c->figure, values[i]);
		else if (c->stat == CHECK_MIN ? values[i] < c->figure : values[i] > c->figure)
			c->figure = values[i];
	}
	if (c->stat == CHECK_MEAN)
		c->scale = n;
}

/* Below 0, 0, above 0: the figure is below the limit, is it, is above it. */
static int compare(const struct check_condition *c, uint64_t ticks_per_s)
{
	bool count = c->measure == CHECK_COUNT;
	__int128 figure = (__int128)c->figure * (count ? 1000 : INT64_C(1000000000000));
	__int128 limit = (__int128)c->limit * c->scale;

	if (!count && __builtin_mul_overflow(limit, (__int128)ticks_per_s, &limit))
		return -1;
	return (figure > limit) - (figure < limit);
}

static bool holds(const struct check_condition *c, uint64_t ticks_per_s)
{
	int compared = compare(c, ticks_per_s);

	switch (c->op) {
	case CHECK_BELOW:
		return compared < 0;
	case CHECK_AT_MOST:
		return compared <= 0;
	case CHECK_ABOVE:
		return compared > 0;
	default:
		return compared >= 0;
	}
}

static uint32_t copy_whole(int64_t *out, const int64_t *values, uint32_t n)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		if (values[i] != NOT_WHOLE)
			out[count++] = values[i];
	return count;
}

bool check_judge(struct check *c, uint64_t ticks_per_s, uint64_t n)
{
	struct check_store *s = c->store;
	uint32_t count = n < s->count ? (uint32_t)n : s->count;
	int64_t *values = array_zeroed(count, sizeof(*values));

	c->judged = count;
	c->not_whole = 0;
	c->holds = values && count;
	for (uint32_t i = 0; values && i < c->count; i++) {
		struct check_condition *condition = &c->conditions[i];

		condition->judged = copy_whole(values, s->conditions[i].values + (s->count - count), count);
		condition->holds = false;
		if (condition->judged) {
			make_figure(condition, values, condition->judged);
			condition->holds = holds(condition, ticks_per_s);
		}
		if (count - condition->judged > c->not_whole)
			c->not_whole = count - condition->judged;
		c->holds = c->holds && condition->holds;
	}
	free(values);
	return values && c->not_whole < count;
}

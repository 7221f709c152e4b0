/* SPDX-License-Identifier: MIT */
#include "model/stats/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/order.h"
#include "model/base/text.h"

#define RANK_ALL 100000000u /* 100 %, in millionths of a percent */

/* The value of a frame is at least `least` and at most `most`. */
struct bounds {
	int64_t least, most;
};

/* The bounds of a frame in which nothing is known of the zone. */
static const struct bounds not_whole = { 0, CHECK_UNBOUNDED };

/* How a node stands to a zone. */
enum standing { BESIDE, INSIDE, ON_TOP };

struct of_condition {
	uint32_t key; /* of the zone; PROFILE_NONE: not found yet */
	uint8_t *nodes; /* by node: enum standing */
	uint32_t node_count, node_capacity;
	struct bounds *values; /* a frame each, in ticks or entries */
	uint32_t value_capacity;
};

/* Where a frame stands among all that there were. */
struct place {
	uint64_t number;
	uint64_t discarded; /* frames that were, behind the place before this one */
	bool lossy;         /* zones were lost in a slice that counts */
};

struct check_store {
	struct of_condition *conditions;
	struct keys *keys;
	bool spread;
	uint32_t zone_count; /* of the profile, when names were looked for last */
	struct place *places;
	uint32_t place_capacity;
	uint32_t count; /* of places, and values of each condition */
	uint64_t last;  /* number of the newest frame that came, counts it or not */
	uint64_t discarded; /* behind the last place */
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
		c->store->spread = spread;
		c->store->conditions = array_zeroed(c->count, sizeof(*c->store->conditions));
	}
	if (!c->store || !c->store->conditions || !check_anew(c)) {
		snprintf(why, why_size, "out of memory");
		check_free(c);
		return NULL;
	}
	return c;
}

bool check_anew(struct check *c)
{
	struct check_store *s = c->store;

	keys_free(s->keys);
	s->keys = keys_new(s->spread);
	s->zone_count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		s->conditions[i].key = PROFILE_NONE;
		s->conditions[i].node_count = 0;
	}
	return s->keys;
}

static void store_free(struct check_store *s, uint32_t count)
{
	for (uint32_t i = 0; s->conditions && i < count; i++) {
		free(s->conditions[i].nodes);
		free(s->conditions[i].values);
	}
	free(s->conditions);
	free(s->places);
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

const char *check_missing_measure(const struct check *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->conditions[i].key && c->conditions[i].amount == PROFILE_NONE)
			return c->conditions[i].key;
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
	snprintf(why, why_size, "several zones are called '%s'. Name one of them: zone NAME@file:line",
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

/* What is wrong with a measure of a condition; NULL: nothing. */
static const char *wrong_measure(const struct check_condition *c, const struct profile *p)
{
	const struct profile_measure *m = &p->measures[c->amount];
	bool is_time = m->unit == MEASURE_TICKS || m->unit == MEASURE_NS;

	if (!measure_is_shown(p, c->amount))
		return "has amounts that cannot be added up";
	if (c->zone && m->of == MEASURE_OF_SLICE)
		return "is known of threads, not of zones: leave out the zone";
	if (is_time != check_is_time(c))
		return is_time ? "is a time, and its limit needs a unit: ns, us, ms or s"
			       : "is not a time; its limit has no unit, or K, M or G";
	return NULL;
}

static bool find_measures(struct check *c, const struct profile *p, char *why, size_t why_size)
{
	for (uint32_t i = 0; i < c->count; i++) {
		struct check_condition *condition = &c->conditions[i];
		const char *wrong;

		if (!condition->key)
			continue;
		condition->amount = profile_find_measure(p, condition->key);
		condition->per_s = condition->amount == PROFILE_NONE ? 0 : measure_per_s(p, condition->amount);
		wrong = condition->amount == PROFILE_NONE ? NULL : wrong_measure(condition, p);
		if (!wrong)
			continue;
		snprintf(why, why_size, "the measure '%s' %s", p->measures[condition->amount].key, wrong);
		return false;
	}
	return true;
}

bool check_find(struct check *c, const struct profile *p, char *why, size_t why_size)
{
	struct check_store *s = c->store;
	bool anew;

	if (!find_measures(c, p, why, why_size))
		return false;
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

static uint64_t sum_unsigned(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
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

/* The same of a measure. Without a zone it is all that the slice has. */
static struct bounds amount_of_part(const struct of_condition *of, const struct check_condition *c, const struct profile *p,
				    const struct profile_held *part)
{
	struct measure_amounts amounts = profile_amounts(p, part, c->amount);
	struct bounds b = { 0, 0 };

	for (uint32_t i = 0; i < amounts.count; i++) {
		struct measure_amount amount = measure_amount(&amounts, i);
		enum standing standing = !c->zone			    ? ON_TOP
					 : amount.node < of->node_count ? of->nodes[amount.node]
									    : BESIDE;

		if (standing == ON_TOP || (standing == INSIDE && c->measure == CHECK_HIER))
			b.least = sum_of(b.least, amount.value);
	}
	b.most = b.least;
	if (!amounts.known || (c->zone && part->flags & PART_LOSSY))
		b.most = CHECK_UNBOUNDED;
	if (c->zone && part->flags & PART_LOSSY && c->measure == CHECK_SELF)
		b.least = 0;
	return b;
}

/* The bounds in a slice in which zones were lost. add_losses raises `most` of a
 * count. */
static struct bounds of_lossy(int64_t value, enum check_measure measure, const struct profile_held *part)
{
	int64_t time = part->end - part->bound;

	if (measure == CHECK_COUNT)
		return (struct bounds){ value, value };
	return (struct bounds){ measure == CHECK_SELF ? 0 : value, time > value ? time : value };
}

static struct bounds value_of(const struct check *c, uint32_t i, const struct profile *p,
			      const struct profile_frame *frame)
{
	const struct check_condition *condition = &c->conditions[i];
	enum check_measure measure = condition->measure;
	struct bounds sum = { 0 };

	if (condition->key && condition->amount == PROFILE_NONE)
		return not_whole;
	if (measure == CHECK_COUNT && !condition->key && !profile_has_calls(p))
		return not_whole;
	if (measure == CHECK_FRAME && !condition->key)
		return (struct bounds){ frame->length, frame->length };
	if (frame_lacks(p, frame, c->threads, PART_MISSING | PART_LAPPED | PART_MERGED))
		return not_whole;
	for (uint32_t k = 0; k < frame->part_count; k++) {
		const struct profile_held *part = &frame->parts[k];
		struct bounds b;

		if (!profile_selects(p, c->threads, part->thread))
			continue;
		b.least = b.most = condition->key ? 0 : of_part(&c->store->conditions[i], measure, part);
		if (condition->key)
			b = amount_of_part(&c->store->conditions[i], condition, p, part);
		else if (part->flags & PART_LOSSY)
			b = of_lossy(b.least, measure, part);
		sum.least = sum_of(sum.least, b.least);
		sum.most = sum_of(sum.most, b.most);
	}
	return sum;
}

/* Drops the values of frames beyond the newest `most`, once there are twice as many. */
static void forget_values(struct check *c)
{
	struct check_store *s = c->store;
	uint32_t gone = s->count - (uint32_t)c->most;

	if (!c->most || s->count < c->most * 2)
		return;
	for (uint32_t i = 0; i < c->count; i++)
		memmove(s->conditions[i].values, s->conditions[i].values + gone, c->most * sizeof(*s->conditions[i].values));
	memmove(s->places, s->places + gone, c->most * sizeof(*s->places));
	s->count = (uint32_t)c->most;
}

/* The first place of this number or a later one; nearly always it is behind all others. */
static uint32_t place_of(const struct check_store *s, uint64_t number)
{
	return number > s->last ? s->count : SEARCH(i, 0, s->count, s->places[i].number < number);
}

static bool make_room(struct check *c, uint32_t at)
{
	struct check_store *s = c->store;

	if (!array_reserve(&s->places, &s->place_capacity, (uint64_t)s->count + 1, sizeof(*s->places)))
		return false;
	for (uint32_t i = 0; i < c->count; i++)
		if (!array_reserve(&s->conditions[i].values, &s->conditions[i].value_capacity,
				   (uint64_t)s->count + 1, sizeof(*s->conditions[i].values)))
			return false;
	memmove(s->places + at + 1, s->places + at, (s->count - at) * sizeof(*s->places));
	for (uint32_t i = 0; i < c->count; i++) {
		struct bounds *values = s->conditions[i].values;

		memmove(values + at + 1, values + at, (s->count - at) * sizeof(*values));
		values[at] = not_whole;
	}
	s->count++;
	return true;
}

enum check_added check_add(struct check *c, const struct profile *p, const struct profile_frame *frame)
{
	struct check_store *s = c->store;
	bool is_new = frame->number > s->last;
	uint32_t at;

	if (frame->length <= 0 || frame->flags & FRAME_DISCARDED) {
		s->discarded += is_new;
		s->last = is_new ? frame->number : s->last;
		return CHECK_NO_FRAME;
	}
	forget_values(c);
	at = place_of(s, frame->number);
	if (at == s->count || s->places[at].number != frame->number) {
		if (!make_room(c, at))
			return CHECK_NO_MEMORY;
		s->places[at] = (struct place){ .number = frame->number, .discarded = is_new ? s->discarded : 0 };
		c->frames++;
	}
	if (is_new) {
		s->discarded = 0;
		s->last = frame->number;
	}
	s->places[at].lossy |= frame->part_count && frame_lacks(p, frame, c->threads, PART_LOSSY);
	for (uint32_t i = 0; i < c->count; i++)
		if (s->conditions[i].values[at].most == CHECK_UNBOUNDED)
			s->conditions[i].values[at] = value_of(c, i, p, frame);
	return CHECK_TAKEN;
}

/* Judging */

/* The lowest rank is 1. */
static uint64_t rank_of(const struct check_condition *c, uint64_t frames)
{
	switch (c->stat) {
	case CHECK_MIN:
		return 1;
	case CHECK_RANK:
		return (uint64_t)(((unsigned __int128)frames * c->rank + RANK_ALL - 1) / RANK_ALL);
	default:
		return frames;
	}
}

/* The values of n frames are known within bounds, and `unknown` frames may have
 * any value from 0 on. `marks` marks were lost: each made one frame of two, and
 * these may be the frames with the largest values. */
struct judging {
	int64_t *least, *most; /* by frame; select_rank changes their order */
	uint32_t n;
	uint64_t unknown, marks;
};

static int64_t sum_up(const int64_t *values, uint32_t n)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum = sum_of(sum, values[i]);
	return sum;
}

/* A lost mark may have cost a frame, but no time: the sum is known, and is
 * shared out over more frames or not. */
static void make_mean(struct check_condition *c, const struct judging *j)
{
	uint64_t least = sum_unsigned(j->n, j->unknown), most = sum_unsigned(least, j->marks);
	int64_t sum = sum_up(j->most, j->n);
	unsigned __int128 scaled = ((unsigned __int128)(uint64_t)sum * most + least - 1) / (least ? least : 1);

	c->scale = most;
	c->least = sum_up(j->least, j->n);
	c->most = j->unknown || sum == CHECK_UNBOUNDED || scaled > INT64_MAX ? CHECK_UNBOUNDED : (int64_t)scaled;
}

/* For the least figure all unknown values are below the others, for the most
 * above them. */
static void make_figure(struct check_condition *c, const struct judging *j)
{
	uint64_t split = j->marks < j->n ? j->marks : j->n, above = sum_unsigned(j->n, j->marks);
	uint64_t below = sum_unsigned(sum_unsigned(j->unknown, j->marks), split);
	uint64_t rank = rank_of(c, sum_unsigned(j->unknown, above));
	uint32_t random = 1;

	if (c->stat == CHECK_MEAN) {
		make_mean(c, j);
		return;
	}
	c->scale = 1;
	c->least = 0;
	c->most = CHECK_UNBOUNDED;
	if (rank > below)
		c->least = select_rank(j->least, j->n, (uint32_t)(rank - below - 1), &random);
	if (j->n && rank <= above)
		c->most = select_rank(j->most, j->n, rank <= j->n ? (uint32_t)(rank - 1) : j->n - 1, &random);
}

uint64_t check_per_s(const struct check_condition *c, uint64_t ticks_per_s)
{
	return c->key && c->per_s ? c->per_s : ticks_per_s;
}

/* Below 0, 0, above 0: a bound of the figure is below the limit, is it, is above it. */
static int compare_bound(const struct check_condition *c, int64_t bound, uint64_t ticks_per_s)
{
	bool count = !check_is_time(c);
	__int128 figure = (__int128)bound * (count ? 1000 : INT64_C(1000000000000));
	__int128 limit = (__int128)c->limit * (__int128)c->scale;

	if (bound == CHECK_UNBOUNDED)
		return 1;
	if (!count && __builtin_mul_overflow(limit, (__int128)check_per_s(c, ticks_per_s), &limit))
		return -1;
	return (figure > limit) - (figure < limit);
}

static bool bound_holds(const struct check_condition *c, int64_t bound, uint64_t ticks_per_s)
{
	int compared = compare_bound(c, bound, ticks_per_s);

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

static enum check_verdict verdict_of(const struct check_condition *c, uint64_t ticks_per_s)
{
	bool least = bound_holds(c, c->least, ticks_per_s), most = bound_holds(c, c->most, ticks_per_s);

	if (least != most)
		return CHECK_NOT_KNOWN;
	return least ? CHECK_HOLDS : CHECK_FAILS;
}

/* Widens the bounds of a frame by the losses of the run (struct loss_effects). */
static struct bounds add_losses(const struct check *c, enum check_measure measure, struct bounds b, const struct place *place)
{
	const struct loss_effects *lost = &c->lost;
	bool zone = measure != CHECK_FRAME, is_count = measure == CHECK_COUNT;
	uint64_t calls = place->lossy ? lost->calls : lost->unplaced;

	if (zone && place->lossy && !calls)
		calls = 1; /* how many is not known yet */
	if (is_count && calls)
		b.most = calls < (uint64_t)INT64_MAX ? sum_of(b.most, (int64_t)calls) : CHECK_UNBOUNDED;
	if (zone && !is_count && lost->unplaced)
		b.most = CHECK_UNBOUNDED;
	if (zone && (lost->slices || (lost->first && place->number == 1)))
		b.most = CHECK_UNBOUNDED;
	if (lost->times && !is_count)
		b = not_whole;
	return b;
}

/* Frames behind place i - 1 of which nothing is known, as far as `number`, which is not among them. */
static uint64_t unknown_before(const struct check_store *s, uint32_t i, uint64_t number, uint64_t discarded)
{
	uint64_t from = i ? s->places[i - 1].number : 0, passed = number - from - 1;

	return passed > discarded ? passed - discarded : 0;
}

static uint64_t take_most(uint64_t *left, uint64_t count)
{
	count = count < *left ? count : *left;
	*left -= count;
	return count;
}

/* The first place of the last n frames, and how many of them have none. */
static uint32_t last_frames(const struct check_store *s, uint64_t n, uint64_t last, uint64_t *unknown)
{
	uint32_t first = s->count;
	uint64_t end = last > s->last ? last : s->last;

	*unknown = take_most(&n, unknown_before(s, first, end + 1, s->discarded));
	while (n && first) {
		first--;
		n--;
		*unknown += take_most(&n, unknown_before(s, first, s->places[first].number, s->places[first].discarded));
	}
	return first;
}

#define ANY_NUMBER (UINT64_MAX / 4) /* of unknown frames: more than any run has, and sums of it do not overflow */

static void judge_condition(struct check *c, uint32_t i, int64_t *values, uint32_t first, uint64_t ticks_per_s)
{
	struct check_condition *condition = &c->conditions[i];
	const struct check_store *s = c->store;
	struct judging j = { values, values + c->judged, c->judged, c->lost.end ? ANY_NUMBER : c->unknown, c->lost.marks };
	uint32_t gone = 0, exact = 0;

	for (uint32_t k = 0; k < j.n; k++) {
		struct bounds b = s->conditions[i].values[first + k];

		gone += b.most == CHECK_UNBOUNDED;
		b = add_losses(c, condition->measure, b, &s->places[first + k]);
		if (condition->zone && s->conditions[i].key == PROFILE_NONE)
			b = not_whole; /* it was lost, maybe */
		exact += b.least == b.most;
		j.least[k] = b.least;
		j.most[k] = b.most;
	}
	condition->judged = exact;
	condition->unknown = sum_unsigned(c->unknown + (j.n - exact), c->lost.records ? 0 : j.marks);
	make_figure(condition, &j);
	condition->verdict = verdict_of(condition, ticks_per_s);
	if (gone > c->not_whole)
		c->not_whole = gone;
	if (condition->verdict > c->verdict)
		c->verdict = condition->verdict;
}

bool check_judge(struct check *c, uint64_t ticks_per_s, uint64_t n, uint64_t last)
{
	uint32_t first = last_frames(c->store, n, last, &c->unknown);
	int64_t *values = array_zeroed(2 * (uint64_t)(c->store->count - first), sizeof(*values));

	c->judged = c->store->count - first;
	c->unknown += c->lost.end && !c->lost.records; /* at least one is missing; the figures allow for any number of them */
	c->lossy = 0;
	for (uint32_t i = first; i < c->store->count; i++)
		c->lossy += c->store->places[i].lossy;
	c->not_whole = 0;
	c->verdict = CHECK_HOLDS;
	for (uint32_t i = 0; values && i < c->count; i++)
		judge_condition(c, i, values, first, ticks_per_s);
	free(values);
	return values && c->frames;
}

/* SPDX-License-Identifier: MIT */
#include "model/stats/common_scale.h"

#include "model/base/array.h"

#define MOST ((int64_t)1 << 60) /* of a value; no sum of two overflows */
#define FINEST 65536             /* parts of a tick where values are rounded */
#define RATE_MOST (UINT64_C(1) << 42)

/* What a side's values are multiplied by. */
struct factor {
	__int128 times, by;
};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* To the nearest. */
static int64_t multiplied(int64_t value, struct factor f)
{
	__int128 product = (__int128)value * f.times;
	__int128 whole = f.by == 1 ? product : (product + (product < 0 ? -f.by : f.by) / 2) / f.by;

	return whole > MOST ? MOST : whole < -MOST ? -MOST : (int64_t)whole;
}

/* The largest that any sum of a side's values can be. */
static unsigned __int128 largest_sum(const struct values *v)
{
	unsigned __int128 ticks = 0, entries = 0;

	for (uint32_t i = 0; i < v->node_count; i++) {
		ticks += (unsigned __int128)(v->self[i] < 0 ? -(__int128)v->self[i] : v->self[i]);
		entries += (unsigned __int128)(v->count[i] < 0 ? -(__int128)v->count[i] : v->count[i]);
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		ticks += (unsigned __int128)(v->time[i] < 0 ? -(__int128)v->time[i] : v->time[i]);
	return ticks > entries ? ticks : entries;
}

static bool holds(unsigned __int128 sum, struct factor f)
{
	const unsigned __int128 limit = (unsigned __int128)1 << 126;

	if (sum > limit / (unsigned __int128)f.times)
		return false;
	return sum * (unsigned __int128)f.times / (unsigned __int128)f.by <= (unsigned __int128)MOST;
}

/* The least common multiple of the two scales, 0: it cannot be held. */
static int64_t exact_scale(const struct why_side *base, const struct why_side *now)
{
	uint64_t a = (uint64_t)base->v->scale, b = (uint64_t)now->v->scale;
	__int128 scale = (__int128)(a / common_divisor(a, b)) * b;
	struct factor of_base = { scale / (__int128)a, 1 }, of_now = { scale / (__int128)b, 1 };

	if (scale > MOST || !holds(largest_sum(base->v), of_base) || !holds(largest_sum(now->v), of_now))
		return 0;
	return (int64_t)scale;
}

/* A counter that is calibrated twice never has the same rate. */
static bool same_rate(uint64_t a, uint64_t b)
{
	uint64_t apart = a > b ? a - b : b - a;

	return apart <= (a > b ? a : b) / 1000;
}

/* What ticks of one rate are in those of another, in small numbers. */
static struct factor rate_factor(uint64_t from, uint64_t to)
{
	uint64_t divisor = common_divisor(from, to);

	from /= divisor ? divisor : 1;
	to /= divisor ? divisor : 1;
	for (; from >= RATE_MOST || to >= RATE_MOST; from >>= 1)
		to >>= 1;
	return (struct factor){ to ? to : 1, from ? from : 1 };
}

/* One side */

static struct factor in_scale(struct factor rate, int64_t scale, int64_t own)
{
	return (struct factor){ rate.times * scale, rate.by * own };
}

static bool scaled_init(struct scaled *s, const struct values *v)
{
	s->node_count = v->node_count;
	s->thread_count = v->thread_count;
	s->self = array_zeroed(v->node_count, sizeof(*s->self));
	s->count = array_zeroed(v->node_count, sizeof(*s->count));
	s->time = array_zeroed(v->thread_count, sizeof(*s->time));
	return s->self && s->count && s->time;
}

void scaled_fini(struct scaled *s)
{
	free(s->self);
	free(s->count);
	free(s->time);
	*s = (struct scaled){ 0 };
}

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

static int64_t within(int64_t value)
{
	return value > MOST ? MOST : value < -MOST ? -MOST : value;
}

/* Beside its nodes a thread has the time of parts that are missing. That is worked out before anything is rounded, and
 * what its nodes have after that. */
static void scaled_fill(struct scaled *s, const struct profile *p, const struct values *v,
			struct factor ticks, struct factor entries)
{
	for (uint32_t i = 0; i < v->thread_count; i++)
		s->time[i] = v->time[i];
	for (uint32_t i = 0; i < v->node_count; i++)
		s->time[p->nodes[i].thread] = plus(s->time[p->nodes[i].thread], -within(v->self[i]));
	for (uint32_t i = 0; i < v->thread_count; i++)
		s->time[i] = multiplied(s->time[i], ticks);
	for (uint32_t i = 0; i < v->node_count; i++) {
		s->self[i] = multiplied(v->self[i], ticks);
		s->count[i] = multiplied(v->count[i], entries);
		s->time[p->nodes[i].thread] = plus(s->time[p->nodes[i].thread], s->self[i]);
	}
	for (uint32_t i = 0; i < v->thread_count; i++)
		s->time[i] = within(s->time[i]);
}

bool scaled_pair(const struct why_side *base, const struct why_side *now, struct scaled *base_out,
		 struct scaled *now_out, int64_t *scale, bool *rounded)
{
	bool alike = base->v->measure != MEASURE_SELF || same_rate(base->p->ticks_per_s, now->p->ticks_per_s);
	struct factor rate = { 1, 1 }, one = { 1, 1 };
	struct factor base_ticks, now_ticks;

	if (!alike)
		rate = rate_factor(base->p->ticks_per_s, now->p->ticks_per_s);
	*scale = alike ? exact_scale(base, now) : 0;
	*rounded = !*scale || base->v->scale > 1 || now->v->scale > 1;
	for (int64_t finer = FINEST; !*scale; finer /= 2) {
		base_ticks = in_scale(rate, finer, base->v->scale);
		now_ticks = in_scale(one, finer, now->v->scale);
		if (finer == 1 || (holds(largest_sum(base->v), base_ticks) &&
				   holds(largest_sum(now->v), now_ticks)))
			*scale = finer;
	}
	base_ticks = in_scale(rate, *scale, base->v->scale);
	now_ticks = in_scale(one, *scale, now->v->scale);
	if (!scaled_init(base_out, base->v) || !scaled_init(now_out, now->v))
		return false;
	scaled_fill(base_out, base->p, base->v, base_ticks, in_scale(one, *scale, base->v->scale));
	scaled_fill(now_out, now->p, now->v, now_ticks, in_scale(one, *scale, now->v->scale));
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "io/export/export_calls.h"
#include "io/json_members.h"
#include "model/stats/frame_stats.h"

#define BUCKETS 24 /* of the histogram */

static void put_statistics(struct json *j, const struct profile *p, const char *key, const struct statistics *s)
{
	json_object(j, key);
	json_ticks(j, p, "min", s->min, 1);
	json_ticks(j, p, "median", s->median, 1);
	json_ticks(j, p, "p90", s->p90, 1);
	json_ticks(j, p, "p99", s->p99, 1);
	json_ticks(j, p, "max", s->max, 1);
	json_object_end(j);
}

static void put_slowest_call(struct json *j, const struct profile *p, const struct call *slowest)
{
	const struct profile_frame *frame = frame_at(p, slowest->leave);

	json_object(j, "slowest");
	json_ticks(j, p, "time", slowest->leave - slowest->enter, 1);
	if (frame)
		json_integer(j, "frame", (int64_t)frame->number);
	else
		json_null(j, "frame");
	json_unsigned(j, "thread", p->threads[slowest->thread].id);
	json_object_end(j);
}

static void put_buckets(struct json *j, const struct profile *p, const struct calls_report *r, uint32_t section)
{
	uint32_t counts[BUCKETS], n;
	int64_t edges[BUCKETS + 1];

	n = calls_histogram(r->sections[section].calls, r->key, BUCKETS, counts, edges);
	json_array(j, "histogram");
	for (uint32_t i = 0; i < n; i++) {
		json_object(j, NULL);
		json_ticks(j, p, "from", edges[i], 1);
		json_ticks(j, p, "to", edges[i + 1], 1);
		json_integer(j, "count", counts[i]);
		json_object_end(j);
	}
	json_array_end(j);
}

void json_calls(struct json *j, const struct profile *p, const struct calls_report *r, uint32_t section)
{
	struct calls *calls = section < r->count ? r->sections[section].calls : NULL;
	const struct key_calls *known = calls ? calls_of(calls, r->key) : NULL;

	if (calls && calls_suspended(calls, r->key))
		json_integer(j, "calls_suspended", (int64_t)calls_suspended(calls, r->key));
	if (!known) {
		json_null(j, "calls");
		return;
	}
	json_object(j, "calls");
	json_integer(j, "known", known->time.count);
	json_integer(j, "since", known->since);
	json_integer(j, "until", known->until);
	put_statistics(j, p, "time", &known->time);
	put_statistics(j, p, "self", &known->self);
	put_slowest_call(j, p, &known->slowest);
	put_buckets(j, p, r, section);
	json_object_end(j);
}

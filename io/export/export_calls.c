/* SPDX-License-Identifier: MIT */
#include "io/export/export_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/export/title.h"
#include "model/stats/frame_stats.h"
#include "model/table/spark.h"
#include "model/base/text.h"

#define BUCKETS 24 /* of a histogram */
#define FIELD 160

static const struct key_calls *known_of(const struct calls_report *r, uint32_t section)
{
	struct calls *calls = section < r->count ? r->sections[section].calls : NULL;

	return calls ? calls_of(calls, r->key) : NULL;
}

struct lines {
	const struct profile *p;
	const struct export_style *style;
	struct title_line line;
};

/* `3.300 µs` */
static int time_text(const struct lines *l, char *out, size_t size, int64_t ticks)
{
	enum unit unit = unit_for(ticks, l->p->ticks_per_s);
	size_t length = format_time_shown(out, size, ticks, 1, l->p->ticks_per_s, unit, -1, 0);

	return (int)length + snprintf(out + length, size - length, " %s", unit_title(unit, l->style->ascii));
}

static void put_time(struct lines *l, const char *name, int64_t ticks)
{
	char time[64], text[FIELD];

	time_text(l, time, sizeof(time), ticks);
	snprintf(text, sizeof(text), "%s %s", name, time);
	title_field(&l->line, text);
}

static void put_place(struct lines *l, const struct calls_report *r, const struct statistics *a_frame)
{
	const struct profile_zone *zone = &l->p->zones[r->zone];
	char *file = title_name(l->style, zone->file), *place = NULL, text[FIELD], mean[32];

	if (file && *file && asprintf(&place, "%s:%u", file, zone->line) >= 0)
		title_field(&l->line, place);
	free(place);
	free(file);
	if (a_frame->count) {
		format_fixed(mean, sizeof(mean), a_frame->mean, 1);
		snprintf(text, sizeof(text), "calls a frame min/avg/max %lld/%s/%lld in %u frame%s", (long long)a_frame->min,
			 mean, (long long)a_frame->max, a_frame->count, a_frame->count == 1 ? "" : "s");
		title_field(&l->line, text);
	}
	title_end(&l->line);
}

/* MAX may be of one that ended before those that are known singly: then it is said since when these are. */
static void put_slowest(struct lines *l, const struct key_calls *known, int64_t longest)
{
	const struct call *slowest = &known->slowest;
	const struct profile_frame *frame = frame_at(l->p, slowest->leave);
	const struct profile_thread *thread = &l->p->threads[slowest->thread];
	char *name = title_name(l->style, thread->name), text[FIELD], age[32], since[64];

	title_duration(age, sizeof(age), l->p->now_tick - known->since, l->p->ticks_per_s);
	snprintf(since, sizeof(since), "slowest of the last %s", age);
	put_time(l, longest > slowest->leave - slowest->enter ? since : "slowest", slowest->leave - slowest->enter);
	if (frame) {
		snprintf(text, sizeof(text), "in frame %llu", (unsigned long long)frame->number);
		title_field(&l->line, text);
	}
	title_field(&l->line, name && *name ? name : "unnamed thread");
	title_end(&l->line);
	free(name);
}

static void put_histogram(struct lines *l, const struct calls_report *r, uint32_t section)
{
	uint32_t counts[BUCKETS], n;
	int64_t edges[BUCKETS + 1], values[BUCKETS];
	char least[64], most[64], bars[SPARK_SIZE(BUCKETS)], text[sizeof(least) + sizeof(most) + sizeof(bars)];

	n = calls_histogram(r->sections[section].calls, r->key, BUCKETS, counts, edges);
	for (uint32_t i = 0; i < n; i++)
		values[i] = counts[i];
	spark_draw(values, n, 1, n, l->style->ascii, bars);
	time_text(l, least, sizeof(least), edges[0]);
	time_text(l, most, sizeof(most), edges[n]);
	snprintf(text, sizeof(text), "%s %s %s", least, bars, most);
	title_field(&l->line, text);
	title_end(&l->line);
}

/* Prints `352673 single calls, from -6.029 s to -0.012 s`. The lines that
 * follow cover these calls. The table may cover more. */
static void put_scope(struct lines *l, const struct key_calls *known)
{
	char since[32], until[32], text[FIELD];

	title_duration(since, sizeof(since), l->p->now_tick - known->since, l->p->ticks_per_s);
	title_duration(until, sizeof(until), l->p->now_tick - known->until, l->p->ticks_per_s);
	snprintf(text, sizeof(text), "%lu single call%s, from -%s to -%s", (unsigned long)known->time.count,
		 known->time.count == 1 ? "" : "s", since, until);
	title_field(&l->line, text);
	title_end(&l->line);
}

static void put_known(struct lines *l, const struct key_calls *known)
{
	put_scope(l, known);
	put_time(l, "per call: min", known->time.min);
	put_time(l, "median", known->time.median);
	put_time(l, "p90", known->time.p90);
	put_time(l, "p99", known->time.p99);
	put_time(l, "max", known->time.max);
	title_end(&l->line);
	put_time(l, "self per call: median", known->self.median);
	put_time(l, "p99", known->self.p99);
	title_end(&l->line);
}

/* `12 that were suspended are left out` */
static void put_left_out(struct lines *l, const struct calls_report *r, uint32_t section)
{
	const struct calls *calls = section < r->count ? r->sections[section].calls : NULL;
	uint64_t suspended = calls ? calls_suspended(calls, r->key) : 0;
	char text[FIELD];

	if (!suspended)
		return;
	snprintf(text, sizeof(text), "%llu that %s suspended %s not counted", (unsigned long long)suspended,
		 suspended == 1 ? "was" : "were", suspended == 1 ? "is" : "are");
	title_field(&l->line, text);
	title_end(&l->line);
}

static void put_single_calls(struct lines *l, const struct export *e, const struct calls_report *r, uint32_t section)
{
	const struct key_calls *known = known_of(r, section);

	if (known) {
		put_known(l, known);
		put_slowest(l, known, report_longest(&e->report->sections[section]));
		put_histogram(l, r, section);
	} else {
		title_field(&l->line, "per call: -");
		title_field(&l->line, "no single call is known");
		title_end(&l->line);
	}
	put_left_out(l, r, section);
}

/* A function has its place alone, because its calls are not known. */
void text_calls(const struct export *e, const struct calls_report *r, const struct export_style *style, FILE *out)
{
	struct lines l = { .p = e->profile, .style = style, .line = { .out = out, .width = style->width } };
	bool is_function = e->profile->zones[r->zone].flags & ZONE_FUNCTION;

	for (uint32_t i = 0; i < r->count; i++) {
		char *name = r->count > 1 ? name_shown(e->report->sections[i].name, style->ascii) : NULL;

		if (name)
			title_field(&l.line, name);
		free(name);
		put_place(&l, r, is_function ? &(struct statistics){ 0 } : &r->sections[i].a_frame);
		if (!is_function)
			put_single_calls(&l, e, r, i);
		fputc('\n', out);
	}
}

/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "io/json_members.h"
#include "io/export/title.h"
#include "model/stats/check.h"

#define FIGURE_SIZE 64
#define DECIMALS 3
#define DECIMALS_MOST 12

/* Text */

static bool is_met(enum check_op op, long double figure, long double limit)
{
	switch (op) {
	case CHECK_BELOW:
		return figure < limit;
	case CHECK_AT_MOST:
		return figure <= limit;
	case CHECK_ABOVE:
		return figure > limit;
	default:
		return figure >= limit;
	}
}

static long double figure_of(const struct check_condition *c, int64_t bound, uint64_t ticks_per_s)
{
	long double figure = (long double)bound / (long double)c->scale;

	if (!check_is_time(c))
		return figure / (long double)check_units[c->unit].of;
	return figure * 1e9L / (long double)check_per_s(c, ticks_per_s) / (long double)check_units[c->unit].of;
}

/* The least, or else the most that the figure can be: of what is not known one is on the side of the limit that holds. */
static bool bound_holds(const struct check_condition *c, bool least)
{
	if (c->verdict == CHECK_NOT_KNOWN)
		return least == (c->op == CHECK_BELOW || c->op == CHECK_AT_MOST);
	return c->verdict == CHECK_HOLDS;
}

/* Rounded it may seem to be on the other side of the limit, or on it: then it has more decimals. */
static void put_bound(const struct check_condition *c, bool least, uint64_t ticks_per_s, char out[FIGURE_SIZE])
{
	long double figure = figure_of(c, least ? c->least : c->most, ticks_per_s);
	long double limit = strtold(c->limit_text, NULL);
	int decimals = c->unit == CHECK_ONE && c->scale == 1 ? 0 : DECIMALS;

	do
		snprintf(out, FIGURE_SIZE, "%.*Lf", decimals, figure);
	while (is_met(c->op, strtold(out, NULL), limit) != bound_holds(c, least) && decimals++ < DECIMALS_MOST);
}

/* `16.200`, `at least 16.200`, `at most 16.200`, `9.100 to 16.200`, `-`. */
static void put_figure(const struct check_condition *c, uint64_t ticks_per_s, FILE *out)
{
	bool bounded = c->most != CHECK_UNBOUNDED || !c->unknown;
	char least[FIGURE_SIZE], most[FIGURE_SIZE];

	put_bound(c, true, ticks_per_s, least);
	put_bound(c, false, ticks_per_s, most);
	if (bounded && !strcmp(least, most))
		fputs(least, out);
	else if (c->least && bounded)
		fprintf(out, "%s to %s", least, most);
	else if (c->least || bounded)
		fprintf(out, bounded ? "at most %s" : "at least %s", bounded ? most : least);
	else
		fputs("-", out);
}

static void put_frames(const struct check_condition *c, FILE *out)
{
	uint64_t all = c->judged + c->unknown;

	if (c->unknown)
		fprintf(out, "%u of ", c->judged);
	fprintf(out, "%llu frame%s", (unsigned long long)all, all == 1 ? "" : "s");
}

static void put_condition(const struct check_condition *c, const struct profile *p, const struct export_style *style,
			  FILE *out)
{
	const struct check_unit_def *unit = &check_units[c->unit];
	const char *shown = style->ascii ? unit->ascii : unit->name;
	const char *space = check_is_time(c) ? " " : "";
	char *zone = c->zone ? title_name(style, c->zone) : NULL;

	if (c->zone)
		fprintf(out, "zone %s %s ", zone ? zone : "?", check_measures[c->measure]);
	if (c->key) {
		char *key = title_name(style, c->key);

		fprintf(out, "%s ", key ? key : "?");
		free(key);
	}
	fprintf(out, "%s ", c->stat_text);
	put_figure(c, p->ticks_per_s, out);
	fprintf(out, "%s%s %s %s%s%s: %s   (", space, shown, check_ops[c->op], c->limit_text, space, shown,
		check_verdicts[c->verdict]);
	put_frames(c, out);
	fputs(")\n", out);
	free(zone);
}

bool export_check(const struct check *c, const struct profile *p, const struct export_style *style, FILE *out)
{
	for (uint32_t i = 0; i < c->count; i++)
		put_condition(&c->conditions[i], p, style, out);
	return !ferror(out);
}

/* JSON */

static void json_bound(struct json *j, const struct profile *p, const struct check_condition *c, const char *key,
		       int64_t bound, bool known)
{
	bool count = !check_is_time(c) || (c->key && c->amount < p->measure_count && p->measures[c->amount].unit != MEASURE_TICKS);
	char ns[32];

	snprintf(ns, sizeof(ns), "%s_ns", key);
	if (known && count) {
		json_scaled(j, key, bound, (int64_t)c->scale);
	} else if (known) {
		json_ticks(j, p, key, bound, (int64_t)c->scale);
	} else {
		json_null(j, key);
		if (!count)
			json_null(j, ns);
	}
}

static void json_verdict(struct json *j, enum check_verdict verdict)
{
	if (verdict == CHECK_NOT_KNOWN)
		json_null(j, "holds");
	else
		json_bool(j, "holds", verdict == CHECK_HOLDS);
}

static void json_condition(struct json *j, const struct profile *p, const struct check_condition *c)
{
	bool bounded = c->most != CHECK_UNBOUNDED || !c->unknown;
	const char *limit = check_is_time(c) ? "limit_ns" : "limit";

	json_line(j);
	json_object(j, NULL);
	if (c->zone)
		json_name(j, "zone", c->zone);
	else
		json_null(j, "zone");
	json_text(j, "measure", check_measures[c->measure]);
	if (c->key)
		json_name(j, "amount", c->key);
	json_text(j, "stat", c->stat_text);
	json_bound(j, p, c, "figure", c->least, c->least == c->most);
	json_bound(j, p, c, "least", c->least, true);
	json_bound(j, p, c, "most", c->most, bounded);
	json_text(j, "op", check_ops[c->op]);
	if (c->limit % 1000)
		json_exact(j, limit, (double)c->limit / 1000);
	else
		json_integer(j, limit, c->limit / 1000);
	json_integer(j, "frames_judged", c->judged);
	json_integer(j, "frames_unknown", (int64_t)c->unknown);
	json_verdict(j, c->verdict);
	json_object_end(j);
}

bool export_check_json(const struct check *c, const struct profile *p, uint64_t asked, FILE *out)
{
	struct json *j = json_begin(out);

	if (!j)
		return false;
	json_object(j, NULL);
	json_process(j, p);
	json_integer(j, "frames_judged", c->judged);
	if (asked)
		json_integer(j, "frames_asked", (int64_t)asked);
	else
		json_null(j, "frames_asked");
	json_integer(j, "frames_unknown", (int64_t)c->unknown);
	json_verdict(j, c->verdict);
	json_array(j, "conditions");
	for (uint32_t i = 0; i < c->count; i++)
		json_condition(j, p, &c->conditions[i]);
	json_array_end(j);
	json_losses(j, p);
	json_object_end(j);
	return json_end(j);
}

/* SPDX-License-Identifier: MIT */
#include "io/export_check.h"

#include <stdlib.h>

#include "io/export_json.h"
#include "io/title.h"

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

static long double figure_of(const struct check_condition *c, uint64_t ticks_per_s)
{
	long double figure = (long double)c->figure / c->scale;

	if (c->measure == CHECK_COUNT)
		return figure;
	return figure * 1e9L / (long double)ticks_per_s / (long double)check_units[c->unit].ns;
}

/* Rounded it may seem to be on the other side of the limit, or on it: then it has more decimals. */
static void put_figure(const struct check_condition *c, uint64_t ticks_per_s, char out[FIGURE_SIZE])
{
	long double figure = figure_of(c, ticks_per_s), limit = strtold(c->limit_text, NULL);
	int decimals = c->measure == CHECK_COUNT && c->scale == 1 ? 0 : DECIMALS;

	do
		snprintf(out, FIGURE_SIZE, "%.*Lf", decimals, figure);
	while (is_met(c->op, strtold(out, NULL), limit) != c->holds && decimals++ < DECIMALS_MOST);
}

static void put_condition(const struct check_condition *c, const struct profile *p, const struct export_style *style,
			  FILE *out)
{
	const struct check_unit_def *unit = &check_units[c->unit];
	const char *shown = style->ascii ? unit->ascii : unit->name;
	const char *space = c->measure == CHECK_COUNT ? "" : " ";
	char *zone = c->zone ? title_name(style, c->zone) : NULL, figure[FIGURE_SIZE];

	if (c->zone)
		fprintf(out, "zone %s %s ", zone ? zone : "?", check_measures[c->measure]);
	if (c->measure == CHECK_COUNT)
		shown = "";
	put_figure(c, p->ticks_per_s, figure);
	fprintf(out, "%s %s%s%s %s %s%s%s: %s   (%u frame%s)\n", c->stat_text, figure, space, shown,
		check_ops[c->op], c->limit_text, space, shown, c->holds ? "holds" : "does not hold",
		c->judged, c->judged == 1 ? "" : "s");
	free(zone);
}

bool export_check(const struct check *c, const struct profile *p, const struct export_style *style, FILE *out)
{
	for (uint32_t i = 0; i < c->count; i++)
		put_condition(&c->conditions[i], p, style, out);
	return !ferror(out);
}

/* JSON */

static void json_condition(struct json *j, const struct profile *p, const struct check_condition *c)
{
	bool count = c->measure == CHECK_COUNT;

	json_line(j);
	json_object(j, NULL);
	if (c->zone)
		json_name(j, "zone", c->zone);
	else
		json_null(j, "zone");
	json_text(j, "measure", check_measures[c->measure]);
	json_text(j, "stat", c->stat_text);
	if (count)
		json_scaled(j, "figure", c->figure, c->scale);
	else
		json_ticks(j, p, "figure", c->figure, c->scale);
	json_text(j, "op", check_ops[c->op]);
	json_exact(j, count ? "limit" : "limit_ns", (double)c->limit / 1000);
	json_integer(j, "frames_judged", c->judged);
	json_bool(j, "holds", c->holds);
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
	json_bool(j, "holds", c->holds);
	json_array(j, "conditions");
	for (uint32_t i = 0; i < c->count; i++)
		json_condition(j, p, &c->conditions[i]);
	json_array_end(j);
	json_losses(j, p);
	json_object_end(j);
	return json_end(j);
}

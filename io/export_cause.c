/* SPDX-License-Identifier: MIT */
#include "io/export_cause.h"

#define COUNTERS_MOST 100 /* of a list */

static const char *const measure_names[MEASURES] = { [MEASURE_SELF] = "self", [MEASURE_HIER] = "hier" };
static const char *const with_names[CORRELATE_WITHS] = { [CORRELATE_LENGTH] = "frame", [CORRELATE_TIME] = "self" };

static void put_shares(struct json *j, const struct profile *p, const struct variance *v, const char *key)
{
	double ns = 1e9 / (double)p->ticks_per_s;

	if (!v->known) {
		json_null(j, key);
		return;
	}
	json_object(j, key);
	json_real(j, "mean", v->mean);
	json_real(j, "mean_ns", v->mean * ns);
	json_real(j, "deviation", v->deviation);
	json_real(j, "deviation_ns", v->deviation * ns);
	json_real(j, "calls", v->calls);
	json_real(j, "cost", v->cost);
	json_real(j, "carried", v->carried);
	json_object_end(j);
}

static void put_counter(struct json *j, const struct profile *p, const struct correlation *c, enum correlate_with with)
{
	json_object(j, NULL);
	json_name(j, "counter", p->counters[c->counter].name);
	if (c->thread < p->thread_count)
		json_integer(j, "thread", (int64_t)p->threads[c->thread].id);
	else
		json_null(j, "thread");
	json_text(j, "of", c->with[with].of_change ? "change" : "value");
	json_real(j, "rho", c->with[with].rho);
	json_integer(j, "frames", c->with[with].frames);
	json_object_end(j);
}

void json_cause(struct json *j, const struct export *e)
{
	const struct correlation *rows[COUNTERS_MOST];

	if (!e->cause)
		return;
	json_object(j, "varies");
	json_integer(j, "frames", e->cause->frames);
	for (int measure = 0; measure < MEASURES; measure++)
		put_shares(j, e->profile, &e->cause->varies[measure], measure_names[measure]);
	json_object_end(j);
	json_line(j);
	json_object(j, "correlates");
	for (int with = 0; with < CORRELATE_WITHS; with++) {
		uint32_t count = correlations_strongest(&e->cause->correlations, with, COUNTERS_MOST, rows);

		json_array(j, with_names[with]);
		for (uint32_t i = 0; i < count; i++)
			put_counter(j, e->profile, rows[i], with);
		json_array_end(j);
	}
	json_object_end(j);
	json_line(j);
}

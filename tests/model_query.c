/* SPDX-License-Identifier: MIT */
/*
 * The query, and what it looks with: tallies, trends and medians. Where a query has seen a profile
 * grow, it shows what one shows that is made at the end, and that is what the definitions say.
 */
#include <math.h>

#include "model/query/query.h"
#include "tests/model_random.h"

/* Tallies */

static void a_tally_is_a_flat_report_of_a_frame(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 300; i++) {
		struct profile *p;
		struct look l;
		struct tally t;

		random_state = i;
		p = random_profile();
		random_frame(p);
		p->frames[0].flags = 0; /* a report of a discarded one is empty */
		l = random_look(p);
		assert_true(tally_init(&t) && tally_reserve(&t, p, l.keys));
		for (int again = 0; again < 2; again++) {
			tally_frame(&t, p, &l.scope, &p->frames[0]);
			for (uint32_t key = 0; key < l.keys->count; key++) {
				int64_t value[EXTENTS] = { 0 };

				for (uint32_t r = 0; r < t.count; r++)
					for (int m = 0; m < EXTENTS && t.rows[r].key == key; m++)
						value[m] += t.rows[r].value[m];
				for (enum extent m = 0; m < EXTENTS; m++)
					assert_int_equal(value[m],
							 plain_value(p, &l.scope, 0, key, m));
			}
		}
		tally_fini(&t);
		look_fini(&l);
		profile_free(p);
	}
}

/* Trends */

/* As a query does. */
static void trend_grow(struct trend *t, const struct profile *p, const struct scope *scope)
{
	struct tally tally;

	assert_true(tally_init(&tally) && tally_reserve(&tally, p, scope->keys) && trend_reserve(t));
	for (uint32_t i = trend_first(t, p); i < trend_end_index(t, p); i++) {
		if (frame_counts(&p->frames[i]) || trend_is_end(t, &p->frames[i]))
			tally_frame(&tally, p, scope, &p->frames[i]);
		trend_fold(t, &p->frames[i], &tally);
	}
	tally_fini(&tally);
}

static void expect_trend(const struct trend *t, const struct profile *p, const char *zone,
			 const char *expected)
{
	struct keys *k = keys_new(false);
	int64_t values[TREND_FRAMES];
	char text[512] = "", *at = text;
	uint32_t key = 0, n;

	assert_true(keys_update(k, p));
	assert_int_equal(keys_parse(k, p, zone, &key), KEYS_FOUND);
	n = trend_values(t, key, EXTENT_SELF, values);
	for (uint32_t i = 0; i < n; i++)
		at += sprintf(at, "%s%lld", i ? " " : "", (long long)values[i]);
	assert_string_equal(text, expected);
	keys_free(k);
}

static void expect_trend_to(const struct profile *p, const struct scope *scope, uint64_t end,
			    const char *expected)
{
	struct trend *t = trend_new(scope->keys, scope->threads, end);

	trend_grow(t, p, scope);
	expect_trend(t, p, "a", expected);
	trend_free(t);
}

static void a_trend_is_the_newest_values(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 5 1\nframe 2 100\nmain b 7 1\n"
					"frame 4 0\nmain a 99 1\nframe 5 100\nmain a 9 1\n"
					"frame 6 100\nmain a 98 1\nframe 7 100\nmain b 1 1\n");
	struct keys *k = keys_new(false);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct trend *t = trend_new(k, THREADS_ALL, 0);

	(void)state;
	p->frames[4].flags = FRAME_DISCARDED;
	assert_true(keys_update(k, p));
	trend_grow(t, p, &scope);
	trend_grow(t, p, &scope);
	expect_trend(t, p, "a", "5 0 9 0");
	expect_trend(t, p, "b", "0 7 0 1");
	expect_trend_to(p, &scope, 5, "5 0 9");
	expect_trend_to(p, &scope, 4, "5 0 99"); /* of no length, but chosen */
	expect_trend_to(p, &scope, 3, "5 0");    /* not there */
	trend_free(t);
	keys_free(k);
	profile_free(p);
}

/* Long and broken histories, grown bit by bit: the last 32 values by the definition. */
static void trends_of_random_frames(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		struct profile *p;
		struct look l;
		struct trend *t;
		int64_t values[TREND_FRAMES];
		uint32_t key, n, at;

		random_state = i;
		p = random_profile();
		l = random_look(p);
		t = trend_new(l.keys, l.scope.threads, 0);
		for (uint32_t frame = 0; frame < 80; frame++) {
			random_frame(p);
			if (random_below(5))
				continue;
			assert_true(keys_update(l.keys, p));
			free(l.members);
			l.members = path_members(&l.path, p, l.keys);
			l.scope.members = l.path.length ? l.members : NULL;
			trend_grow(t, p, &l.scope);
		}
		assert_true(keys_update(l.keys, p));
		free(l.members);
		l.members = path_members(&l.path, p, l.keys);
		l.scope.members = l.path.length ? l.members : NULL;
		trend_grow(t, p, &l.scope);
		key = random_below(l.keys->count);
		for (enum extent m = 0; m < EXTENTS; m++) {
			n = trend_values(t, key, m, values);
			at = p->frame_count;
			for (uint32_t back = n; back-- > 0;) {
				do
					assert_true(at--);
				while (!is_counted(&p->frames[at]));
				assert_int_equal(values[back],
						 plain_value(p, &l.scope, at, key, m));
			}
			if (n < TREND_FRAMES)
				while (at--)
					assert_false(is_counted(&p->frames[at]));
		}
		trend_free(t);
		look_fini(&l);
		profile_free(p);
	}
}

/* Medians */

static struct medians *medians_for(const struct profile *p, const struct scope *scope,
				   uint32_t frames)
{
	struct medians *m = medians_new(p, scope);
	enum medians_state state;

	assert_non_null(m);
	do
		state = medians_work(m, p, frames);
	while (state == MEDIANS_MORE);
	assert_int_equal(state, MEDIANS_DONE);
	return m;
}

static void a_median_counts_frames_without_the_zone(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 5 1\nmain b 8 1\nframe 2 100\nmain a 7 1\n"
					"frame 3 100\nmain a 1 1\nmain b 9 1\nframe 4 100\nmain . 1 0\n"
					"frame 5 100\nmain a 99 1\nmain b 99 1\n");
	struct keys *k = keys_new(false);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct medians *m;

	(void)state;
	p->frames[4].flags = FRAME_KEPT;
	assert_true(keys_update(k, p));
	m = medians_for(p, &scope, 1);
	/* 0 1 5 7 and 0 0 8 9: the lower one */
	assert_int_equal(medians_of(m, k->of_node[dsl_node(p, "main", "a")], EXTENT_SELF), 1);
	assert_int_equal(medians_of(m, k->of_node[dsl_node(p, "main", "b")], EXTENT_HIER), 0);
	medians_free(m);
	keys_free(k);
	profile_free(p);
}

static void medians_of_random_frames(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		struct profile *p;
		struct look l;
		struct medians *m;

		random_state = i;
		p = random_profile();
		for (uint32_t frame = random_below(40); frame > 0; frame--)
			random_frame(p);
		l = random_look(p);
		m = medians_for(p, &l.scope, 1 + random_below(20));
		for (uint32_t key = 0; key < l.keys->count; key++) {
			for (enum extent extent = 0; extent < EXTENTS; extent++) {
				int64_t values[40];
				uint32_t n = 0;

				for (uint32_t f = 0; f < p->frame_count; f++)
					if (is_counted(&p->frames[f]))
						values[n++] = plain_value(p, &l.scope, f, key,
									  extent);
				assert_int_equal(medians_of(m, key, extent),
						 statistics_of(values, n).median);
			}
		}
		medians_free(m);
		look_fini(&l);
		profile_free(p);
	}
}

/* The profile grows, and drops what has not been read, while it is worked on. */
static void medians_are_of_what_was_held_when_they_began(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 5 1\nframe 2 100\nmain a 7 1\n"
					"frame 3 100\nmain a 9 1\n");
	struct keys *k = keys_new(false);
	struct scope scope = { .keys = k, .threads = THREADS_ALL };
	struct medians *m;

	(void)state;
	assert_true(keys_update(k, p));
	m = medians_new(p, &scope);
	assert_int_equal(medians_work(m, p, 1), MEDIANS_MORE);
	for (uint64_t n = 4; n < 20; n++)
		assert_true(profile_add_frame(p, n, 0, 100, 0));
	profile_drop_frames(p, 2);
	while (medians_work(m, p, 100) == MEDIANS_MORE)
		;
	assert_int_equal(medians_of(m, k->of_node[dsl_node(p, "main", "a")], EXTENT_SELF), 5);
	medians_free(m);
	keys_free(k);
	profile_free(p);
}

/* The query */

static const char *const HISTORY = "frame 1 16000000\nmain update/ai 100 1\nw ai 10 1\n"
				   "frame 2 16000000\nmain update/ai 300 1\nw ai 20 1\n"
				   "frame 3 16000000\nmain update/ai 100 1\nmain render/ai 8 1\n"
				   "frame 4 16000000\nmain update/ai 100 1\nw ai 30 1\n";

static uint32_t key_of(struct query *l, struct profile *p, const char *zone)
{
	uint32_t key = keys_by_id(query_keys(l), key_id(p, dsl_zone(p, zone), 1));

	assert_int_not_equal(key, PROFILE_NONE);
	return key;
}

static void expect_query(struct profile *p, struct query *l, const char *expected)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	const struct values *v = query_values(l);

	assert_non_null(v);
	o.unit = UNIT_NS;
	o.precision = 0;
	o.thread = query_options(l)->threads;
	o.keys = query_keys(l);
	dsl_expect_values(p, v, &o, SHEET_NO_LIMIT, "self,hier", expected);
}

static void a_query_looks_at_a_frame(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);

	(void)state;
	o.frame = 2;
	assert_true(query_look(l, &o));
	expect_query(p, l,
		    "  ZONE        SELF ns v   HIER ns\n"
		    "  ai                320       320\n"
		    "+ update              0       300\n"
		    "  (no zone)           0         -\n");
	assert_int_equal(query_values(l)->scale, 1);
	assert_int_equal(query_values(l)->first_frame, 2);
	assert_true(query_values(l)->average);
	o.threads = 1;
	assert_true(query_look(l, &o));
	expect_query(p, l,
		    "  ZONE        SELF ns v   HIER ns\n"
		    "  ai                 20        20\n"
		    "  (no zone)           0         -\n");
	o.frame = 77; /* not held: nothing is known of it */
	assert_true(query_look(l, &o));
	assert_int_equal(query_values(l)->frames, 0);
	query_free(l);
	profile_free(p);
}

static void a_query_looks_at_averages(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *l = query_new(p);
	struct averages *a = averages_new();
	struct query_options o = *query_options(l);

	(void)state;
	assert_true(averages_update(a, p));
	for (enum average_slot slot = 0; slot < AVERAGE_SLOTS; slot++) {
		struct values *v = values_average(a, p, slot);

		o.average = slot;
		assert_true(query_look(l, &o));
		for (uint32_t i = 0; i < p->node_count; i++)
			assert_int_equal(query_values(l)->self[i], v->self[i]);
		assert_int_equal(query_values(l)->wall, v->wall);
		values_free(v);
	}
	o.frame = 2; /* the whole run is shown though a frame is chosen */
	assert_true(query_look(l, &o));
	assert_int_equal(query_values(l)->frames, 4);
	averages_free(a);
	query_free(l);
	profile_free(p);
}

static void expect_covered(struct query *q, const struct query_options *o, const struct profile *p, uint32_t first,
			   uint32_t count)
{
	struct values *sums = values_of_frames(p, first, count);
	const struct values *v;
	uint32_t is_first, is_count;

	assert_true(query_look(q, o));
	query_frames(q, &is_first, &is_count);
	assert_int_equal(is_first, first);
	assert_int_equal(is_count, count);
	v = query_values(q);
	assert_non_null(v);
	for (uint32_t i = 0; i < p->node_count; i++)
		assert_int_equal(v->self[i], sums->self[i]);
	assert_int_equal(v->wall, sums->wall);
	assert_int_equal(v->frames, sums->frames);
	assert_int_equal(v->average, !o->sums);
	assert_int_equal(v->scale, o->sums ? 1 : sums->frames);
	values_free(sums);
}

static void a_query_covers_a_range_or_sums(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *q = query_new(p);
	struct query_options o = *query_options(q);
	struct values *run = values_of_run(p);
	uint32_t first, count;

	(void)state;
	o.first = 2;
	o.last = 3;
	expect_covered(q, &o, p, 1, 2);
	assert_null(query_heat(q));
	o.frame = 1; /* the range goes before it */
	expect_covered(q, &o, p, 1, 2);
	o.sums = true;
	expect_covered(q, &o, p, 1, 2);
	o.last = QUERY_NEWEST;
	expect_covered(q, &o, p, 1, p->frame_count - 1);
	o.first = 0;
	expect_covered(q, &o, p, 0, 1);
	o.base = 2;
	assert_true(query_look(q, &o));
	assert_false(query_base(q)->average);
	o.frame = 0;
	assert_true(query_look(q, &o));
	query_frames(q, &first, &count);
	assert_int_equal(count, p->frame_count);
	for (uint32_t i = 0; i < p->node_count; i++)
		assert_int_equal(query_values(q)->self[i], run->self[i]);
	assert_int_equal(query_values(q)->wall, run->wall);
	assert_false(query_values(q)->average);
	values_free(run);
	query_free(q);
	profile_free(p);
}

/* A report that is made once has its statistics of all frames, and its heat at once. */
static void a_query_makes_a_report_at_once(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *q = query_new(p);
	struct query_options o = *query_options(q);
	struct report_options wanted = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	char why[256];

	(void)state;
	o.sums = o.at_once = wanted.per_frame = true;
	assert_true(query_look(q, &o));
	assert_int_equal(query_report(q, &wanted, &r, why, sizeof(why)), REPORT_OK);
	assert_true(r->columns >> COLUMN_FIRST & 1 && r->columns >> COLUMN_HEAT & 1);
	assert_false(r->columns >> COLUMN_TREND & 1);
	report_free(r);
	wanted.without = 1u << COLUMN_HEAT;
	assert_int_equal(query_report(q, &wanted, &r, why, sizeof(why)), REPORT_OK);
	assert_false(r->columns >> COLUMN_HEAT & 1);
	report_free(r);
	o.frame = 2;
	o.base = 1;
	o.average = AVERAGE_NOW;
	wanted.without = 0;
	assert_true(query_look(q, &o));
	assert_int_equal(query_report(q, &wanted, &r, why, sizeof(why)), REPORT_OK);
	assert_true(r->columns >> COLUMN_HEAT & 1 && r->columns >> COLUMN_DELTA & 1);
	report_free(r);
	query_free(q);
	profile_free(p);
}

static void expect_query_trend(struct profile *p, struct query *l, const char *zone,
			      const char *expected)
{
	int64_t values[TREND_FRAMES];
	char text[512] = "", *at = text;
	uint32_t n;

	query_work(l, 1);
	n = trend_values(query_trend(l), key_of(l, p, zone), EXTENT_HIER, values);
	for (uint32_t i = 0; i < n; i++)
		at += sprintf(at, "%s%lld", i ? " " : "", (long long)values[i]);
	assert_string_equal(text, expected);
}

static void a_query_has_the_trend_of_what_it_looks_at(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);

	(void)state;
	expect_query_trend(p, l, "ai", "110 320 108 130");
	o.threads = 1;
	assert_true(query_look(l, &o));
	expect_query_trend(p, l, "ai", "10 20 0 30");
	o.frame = 2;
	assert_true(query_look(l, &o));
	expect_query_trend(p, l, "ai", "10 20");
	o.frame = 0;
	assert_true(query_look(l, &o));
	assert_true(profile_add_frame(p, 5, 0, 16000000, 0)); /* of which nothing else is known */
	dsl_grow(p, "frame 6 16000000\nmain update 1 1\n");
	assert_true(query_update(l));
	expect_query_trend(p, l, "ai", "10 20 0 30 0");
	query_free(l);
	profile_free(p);
}

static void a_query_looks_along_a_path(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);
	struct report_options r = REPORT_OPTIONS_DEFAULT;
	struct report *report;
	char why[256];

	(void)state;
	o.average = AVERAGE_NOW;
	o.path.length = 2;
	o.path.ids[0] = key_id(p, dsl_zone(p, "render"), 1);
	o.path.ids[1] = key_id(p, dsl_zone(p, "ai"), 1);
	o.frame = 3;
	assert_true(query_look(l, &o));
	expect_query(p, l,
		    "  ZONE        SELF ns v   HIER ns\n"
		    "  ai                  8         8\n"
		    "+ render              0         8\n"
		    "  (no zone)           0         -\n");
	r.zone = "ai";
	r.view = REPORT_GRAPH;
	assert_int_equal(query_report(l, &r, &report, why, sizeof(why)), REPORT_OK);
	assert_int_equal(report->sections[0].time, 8);
	report_free(report);
	expect_query_trend(p, l, "ai", "0 0 8"); /* of these stacks as well */
	while (query_work(l, 1))
		;
	assert_float_equal(heat_of(query_heat(l), p, key_of(l, p, "ai"), EXTENT_SELF), 1, 1e-9);
	assert_float_equal(heat_of(query_heat(l), p, key_of(l, p, "update"), EXTENT_HIER), 0, 1e-9);
	o.path.ids[1] = 7;
	assert_true(query_look(l, &o));
	assert_int_equal(query_values(l)->time[0], 0);
	query_free(l);
	profile_free(p);
}

static void a_frame_has_heat_when_medians_are_there(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);
	uint32_t update = key_of(l, p, "update"), ai = key_of(l, p, "ai"), steps = 0;

	(void)state;
	assert_false(query_work(l, 1)); /* no frame is chosen */
	assert_non_null(query_heat(l));
	o.frame = 2;
	assert_true(query_look(l, &o));
	assert_null(query_heat(l));
	while (query_work(l, 1))
		assert_true(++steps < 1000);
	assert_true(steps >= 3);
	assert_false(query_work(l, 1));
	/* 300 against 100, and 320 against 110 */
	assert_float_equal(heat_of(query_heat(l), p, update, EXTENT_HIER), 1, 1e-9);
	assert_float_equal(heat_of(query_heat(l), p, update, EXTENT_SELF), 0, 1e-9);
	o.frame = 4; /* 130 against 110 */
	assert_true(query_look(l, &o));
	assert_false(query_work(l, 1));
	assert_float_equal(heat_of(query_heat(l), p, update, EXTENT_HIER), 0, 1e-9);
	assert_float_equal(heat_of(query_heat(l), p, ai, EXTENT_SELF), 2 * 20.0 / 110, 1e-9);
	o.threads = 1;
	assert_true(query_look(l, &o)); /* other medians */
	assert_null(query_heat(l));
	while (query_work(l, 100))
		;
	assert_float_equal(heat_of(query_heat(l), p, ai, EXTENT_SELF), 1, 1e-9); /* 30, 10 */
	query_free(l);
	profile_free(p);
}

static void a_reset_begins_anew(void **state)
{
	struct profile *p = dsl_profile(HISTORY);
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);
	uint32_t ai = key_of(l, p, "ai");
	struct profile_cell cell = { dsl_node(p, "main", "update/ai"), 50, 1, 0 };
	struct profile_part part = { .cell_count = 1, .cells = &cell };

	(void)state;
	assert_false(query_work(l, 1));
	assert_true(heat_of(query_heat(l), p, ai, EXTENT_SELF) > 0);
	assert_true(query_reset(l));
	assert_false(query_work(l, 1));
	assert_true(heat_of(query_heat(l), p, ai, EXTENT_SELF) == 0);
	for (uint64_t n = 5; n < 7; n++) {
		assert_true(profile_add_frame(p, n, 0, 16000000, 0));
		assert_true(profile_set_part(p, n, &part));
	}
	assert_true(query_update(l));
	assert_int_equal(query_values(l)->self[cell.node] / query_values(l)->scale, 50);
	o.spread = true; /* and stays so however it is looked at */
	assert_true(query_look(l, &o));
	assert_false(query_work(l, 1));
	assert_true(heat_of(query_heat(l), p, key_of(l, p, "ai"), EXTENT_SELF) < 1e-6);
	query_free(l);
	profile_free(p);
}

/* The numbers that a query shows: all keys' values, heat and trend. */
static void expect_same_values(struct profile *p, struct query *a, struct query *b)
{
	const struct values *v = query_values(a), *w = query_values(b);

	for (uint32_t i = 0; i < p->node_count; i++)
		assert_int_equal(v->self[i], w->self[i]);
	assert_int_equal(v->wall, w->wall);
}

static void expect_same(struct profile *p, struct query *a, struct query *b)
{
	expect_same_values(p, a, b);
	assert_int_equal(query_keys(a)->count, query_keys(b)->count);
	assert_int_equal(!query_heat(a), !query_heat(b));
	for (uint32_t i = 0; query_heat(a) && i < query_keys(a)->count; i++) {
		uint32_t other = keys_by_id(query_keys(b), query_keys(a)->id[i]);

		for (enum extent m = 0; m < EXTENTS; m++)
			assert_float_equal(heat_of(query_heat(a), p, i, m),
					   heat_of(query_heat(b), p, other, m), 0.02);
	}
}

static struct query_options random_options(struct query *l, const struct profile *p)
{
	static const uint32_t threads[] = { 0, 1, THREADS_ALL, THREADS_NAMED(1) };
	struct query_options o = { .threads = threads[random_below(4)] };
	const struct keys *k = query_keys(l);

	o.spread = random_below(2);
	o.average = random_below(AVERAGE_SLOTS);
	o.frame = random_below(2) ? p->frames_ended - random_below(10) : 0;
	for (uint32_t i = random_below(3); i > 0; i--)
		o.path.ids[o.path.length++] = k->id[random_below(k->count)];
	return o;
}

/* However it came to look this way, and whatever the profile did meanwhile. */
static void every_way_leads_to_the_same(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		struct profile *p, *copy;
		struct query *l, *fresh, *of_copy;
		struct query_options o;

		random_state = i;
		p = random_profile();
		l = query_new(p);
		for (uint32_t n = 0; n < 60; n++) {
			random_frame(p);
			if (!random_below(3))
				assert_true(query_update(l));
			o = random_options(l, p);
			if (!random_below(3))
				assert_true(query_look(l, &o));
			if (!random_below(3))
				query_work(l, random_below(20));
			assert_non_null(query_values(l));
		}
		assert_true(query_update(l));
		o = *query_options(l);
		fresh = query_new(p);
		assert_true(query_look(fresh, &o));
		copy = profile_copy(p);
		of_copy = query_copy(l, copy);
		expect_same_values(p, l, fresh);
		expect_same_values(p, l, of_copy);
		o.frame = o.frame ? p->frames_ended : 0; /* medians of a frame that was before are older */
		o.threads = o.threads == 1 ? 0 : 1;
		assert_true(query_look(l, &o) && query_look(fresh, &o) && query_look(of_copy, &o));
		while (query_work(l, 7) | query_work(fresh, 100) | query_work(of_copy, 1))
			;
		expect_same(p, l, fresh);
		expect_same(p, l, of_copy);
		query_free(of_copy);
		profile_free(copy);
		query_free(fresh);
		query_free(l);
		profile_free(p);
	}
}

static void a_frame_heats_once(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a 100 1\n"
					"frame 2 16000000\nmain a 300 1\n");
	struct keys *k = keys_new(false);
	struct heat *grown = heat_new(k, 0, AVERAGE_FAST), *fresh = heat_new(k, 0, AVERAGE_FAST);
	struct profile_cell cell = { dsl_node(p, "main", "a"), 150, 1, 0 };
	struct profile_part part = { .cell_count = 1, .cells = &cell };

	(void)state;
	assert_true(keys_update(k, p) && heat_update(grown, p) && heat_update(grown, p));
	assert_true(profile_add_frame(p, 3, 0, 16000000, 0) && profile_set_part(p, 3, &part));
	assert_true(heat_update(grown, p) && heat_update(fresh, p));
	assert_float_equal(heat_of(grown, p, k->of_node[cell.node], EXTENT_SELF),
			   heat_of(fresh, p, k->of_node[cell.node], EXTENT_SELF), 1e-9);
	heat_free(grown);
	heat_free(fresh);
	keys_free(k);
	profile_free(p);
}

/* A heat that begins leaves out what has no weight: it comes to the same as one that saw it all. */
static void heat_begins_with_what_has_weight(void **state)
{
	struct profile *p = dsl_profile("main a 1 1\n");
	struct keys *k = keys_new(false);
	struct heat *all = heat_new(k, 0, AVERAGE_FAST), *late = heat_new(k, 0, AVERAGE_FAST);
	struct profile_cell cell = { dsl_node(p, "main", "a"), 0, 1, 0 };
	struct profile_part part = { .cell_count = 1, .cells = &cell };
	uint32_t a;

	(void)state;
	random_state = 1;
	assert_true(keys_update(k, p));
	a = k->of_node[cell.node];
	for (uint64_t n = 1; n <= 5000; n++) {
		cell.self = (n < 4500 ? 1000000 : 1000) + random_below(300);
		assert_true(profile_add_frame(p, n, 0, 16000000, 0));
		assert_true(profile_set_part(p, n, &part));
		assert_true(heat_update(all, p));
	}
	assert_true(heat_update(late, p));
	assert_true(heat_of(all, p, a, EXTENT_SELF) > 0.1);
	assert_float_equal(heat_of(all, p, a, EXTENT_SELF), heat_of(late, p, a, EXTENT_SELF),
			   0.01);
	heat_free(all);
	heat_free(late);
	keys_free(k);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tally_is_a_flat_report_of_a_frame),
		cmocka_unit_test(a_trend_is_the_newest_values),
		cmocka_unit_test(trends_of_random_frames),
		cmocka_unit_test(a_median_counts_frames_without_the_zone),
		cmocka_unit_test(medians_of_random_frames),
		cmocka_unit_test(medians_are_of_what_was_held_when_they_began),
		cmocka_unit_test(a_frame_heats_once),
		cmocka_unit_test(heat_begins_with_what_has_weight),
		cmocka_unit_test(a_query_looks_at_a_frame),
		cmocka_unit_test(a_query_looks_at_averages),
		cmocka_unit_test(a_query_covers_a_range_or_sums),
		cmocka_unit_test(a_query_makes_a_report_at_once),
		cmocka_unit_test(a_query_has_the_trend_of_what_it_looks_at),
		cmocka_unit_test(a_query_looks_along_a_path),
		cmocka_unit_test(a_frame_has_heat_when_medians_are_there),
		cmocka_unit_test(a_reset_begins_anew),
		cmocka_unit_test(every_way_leads_to_the_same),
	};

	return cmocka_run_group_tests_name("model: query", tests, NULL, NULL);
}

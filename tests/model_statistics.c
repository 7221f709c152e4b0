/* SPDX-License-Identifier: MIT */
/*
 * Statistics per frame: on random programs they are what sorting the values of a flat report of each
 * frame gives; a window that has grown is one of the newest frames made at once; and what a report and a
 * query show of them.
 */
#include "tests/model_random.h"

/* Numbers */

static void expect_same(const struct statistics *a, const struct statistics *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->min, b->min);
	assert_int_equal(a->median, b->median);
	assert_int_equal(a->p90, b->p90);
	assert_int_equal(a->p99, b->p99);
	assert_int_equal(a->max, b->max);
	assert_true(a->mean - b->mean < 1e-6 * (1 + b->mean) && b->mean - a->mean < 1e-6 * (1 + b->mean));
}

static void zeros_need_not_be_there(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		int64_t values[300], all[300];
		uint32_t frames, n, random = i;
		struct statistics with, plain;

		random_state = i;
		frames = random_below(300);
		n = random_below(4) ? random_below(frames + 1) : frames;
		for (uint32_t k = 0; k < frames; k++)
			all[k] = k < n ? 1 + random_below(random_below(2) ? 5 : 1000000) : 0;
		memcpy(values, all, sizeof(values));
		with = statistics_with_zeros(values, n, frames, &random);
		plain = statistics_of(all, frames);
		expect_same(&with, &plain);
	}
}

/* Zones */

static void expect_key(const struct profile *p, const struct scope *scope, uint32_t first, uint32_t n,
		       uint32_t key, enum extent extent, const struct zone_stat *stat)
{
	int64_t values[600];
	uint64_t found = 0;
	uint32_t count = 0;
	struct statistics plain;

	for (uint32_t i = first; i < p->frame_count && i - first < n; i++) {
		if (!is_counted(&p->frames[i]))
			continue;
		values[count] = plain_value(p, scope, i, key, extent);
		if (values[count++] > 0 && !found)
			found = p->frames[i].number;
	}
	if (!count) {
		assert_null(stat);
		return;
	}
	plain = statistics_of(values, count);
	assert_non_null(stat);
	expect_same(&stat->per_frame, &plain);
	assert_int_equal(stat->first, found);
}

static void zones_of_random_frames(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 400; i++) {
		struct profile *p;
		struct look l;
		struct zone_stats *s;
		struct tally tally;
		enum extent extent = i % EXTENTS;
		uint32_t first, n;

		random_state = i;
		p = random_profile();
		for (uint32_t frames = random_below(60); frames > 0; frames--)
			random_frame(p);
		first = random_below(p->frame_count + 1) / 2;
		n = random_below(2) ? UINT32_MAX : random_below(p->frame_count + 1);
		l = random_look(p);
		assert_true(tally_init(&tally));
		s = zone_stats_of_frames(p, &l.scope, &tally, first, n, extent);
		assert_non_null(s);
		for (uint32_t key = 0; key < l.keys->count; key++)
			expect_key(p, &l.scope, first, n, key, extent, zone_stats_of(s, key));
		assert_null(zone_stats_of(s, l.keys->count));
		zone_stats_free(s);
		tally_fini(&tally);
		look_fini(&l);
		profile_free(p);
	}
}

/* As a query does. */
static void window_grow(struct window *w, struct tally *t, const struct profile *p,
			const struct scope *scope)
{
	assert_true(tally_reserve(t, p, scope->keys));
	for (uint32_t i = window_first(w, p, scope->threads); i < p->frame_count; i++) {
		if (frame_counts(&p->frames[i]))
			tally_frame(t, p, scope, &p->frames[i]);
		assert_true(window_fold(w, &p->frames[i], t));
	}
}

/* Index of the first of the newest frames that a window is of. */
static uint32_t window_begin(const struct profile *p)
{
	uint32_t at = p->frame_count;

	for (uint32_t frames = 0; at && frames < WINDOW_FRAMES; at--)
		frames += is_counted(&p->frames[at - 1]);
	return at;
}

static void a_window_is_of_the_newest_frames(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 6; i++) {
		struct profile *p;
		struct keys *keys = keys_new(i & 1);
		struct scope scope = { .keys = keys, .threads = i & 2 ? 0 : THREADS_ALL };
		struct window *w = window_new(0);
		struct tally t;
		struct zone_stats *s;

		random_state = i;
		p = random_profile();
		assert_true(w && tally_init(&t));
		for (uint32_t frames = 150 * i; frames > 0; frames--) {
			random_frame(p);
			if (random_below(3))
				continue;
			assert_true(keys_update(keys, p));
			window_grow(w, &t, p, &scope);
			if (p->frame_count > 500)
				profile_drop_frames(p, random_below(30));
		}
		assert_true(keys_update(keys, p));
		window_grow(w, &t, p, &scope);
		s = window_stats(w, keys->count, EXTENT_HIER);
		assert_non_null(s);
		for (uint32_t key = 0; key < keys->count; key++)
			expect_key(p, &scope, window_begin(p), UINT32_MAX, key, EXTENT_HIER,
				   zone_stats_of(s, key));
		zone_stats_free(s);
		tally_fini(&t);
		window_free(w);
		keys_free(keys);
		profile_free(p);
	}
}

/* Reports */

static const char *const GAME = "main . 10\nmain a 30 3 9\nmain a/b 12 3 5\n"
				"frame 1 1000\nmain a 10 1\nframe 2 1000\nmain a 5 1\nmain a/b 7 2\n"
				"frame 4 1000\nmain a 15 1\nmain a/b 5 1\nmain . 10\n";

static void a_report_has_statistics_where_they_are_wanted(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	const char *columns = "frames,frame-min,frame-median,frame-p99,frame-max,first";

	(void)state;
	o.unit = UNIT_NS;
	dsl_expect(p, &o, columns, "  ZONE\n+ a\n  b\n  (no zone)\n");
	o.per_frame = true;
	dsl_expect(p, &o, columns,
		   "  ZONE        FRAMES  MIN/F ns  MED/F ns  P99/F ns  MAX/F ns   FIRST\n"
		   "+ a                3         5        10        15        15       1\n"
		   "  b                3         0         5         7         7       2\n"
		   "  (no zone)        3         0         0        10        10       4\n");
	o.view = REPORT_HIER;
	o.sort = COLUMN_FIRST;
	o.invert = true;
	dsl_expect(p, &o, "frame-mean,frame-max,first",
		   "  ZONE        MEAN/F ns  MAX/F ns  FIRST v\n"
		   "  b                 4.0         7        2\n"
		   "+ a                14.0        20        1\n"
		   "  (no zone)           -         -        -\n");
	o.view = REPORT_TREE;
	o.sort = COLUMNS;
	dsl_expect(p, &o, columns, "  ZONE\n+ all\n  + a\n      b\n");
	profile_free(p);
}

static void without_frames_there_are_none(void **state)
{
	struct profile *p = dsl_profile("main a 30 3 9\n");
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	(void)state;
	o.per_frame = true;
	dsl_expect(p, &o, "frames,frame-median",
		   "  ZONE        FRAMES  MED/F ns\n  a                -         -\n  (no zone)        -         -\n");
	profile_free(p);
}

/* Each thread's section has its own. */
static void each_thread_has_its_own(void **state)
{
	struct profile *p = dsl_profile("main a 30 3 9\nw a 8 1\n"
					"frame 1 1000\nmain a 10 1\nw a 8 1\nframe 2 1000\nmain a 20 2\n");
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	(void)state;
	o.per_frame = true;
	o.unit = UNIT_NS;
	o.thread = THREADS_EACH;
	dsl_expect(p, &o, "frame-min,frame-max",
		   "thread: main   30 ns\n  ZONE        MIN/F ns  MAX/F ns\n  a                 10        20\n  (no zone)          0         0\n\n"
		   "thread: w   8 ns\n  ZONE        MIN/F ns  MAX/F ns\n  a                  0         8\n  (no zone)          0         0\n");
	profile_free(p);
}

static int64_t shown_max(struct query *l, const struct profile *p, bool wanted, const char *zone)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	char why[512];
	int64_t value = -1;

	(void)p;
	o.per_frame = wanted;
	assert_int_equal(query_report(l, &o, &r, why, sizeof(why)), REPORT_OK);
	for (uint32_t i = 0; i < r->sections[0].row_count; i++)
		if (!strcmp(r->sections[0].rows[i].name, zone) &&
		    r->sections[0].rows[i].shown >> COLUMN_FRAME_MAX & 1)
			value = r->sections[0].rows[i].values[COLUMN_FRAME_MAX].exact;
	assert_false(r->columns >> COLUMN_FRAMES & 1);
	report_free(r);
	return value;
}

static void a_lens_keeps_them_for_those_who_ask(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct query *l = query_new(p);
	struct query_options o = *query_options(l);

	(void)state;
	assert_int_equal(shown_max(l, p, false, "a"), -1);
	assert_int_equal(shown_max(l, p, true, "a"), 15);
	dsl_grow(p, "frame 5 1000\nmain a 40 1\n");
	assert_true(query_update(l));
	assert_int_equal(shown_max(l, p, true, "a"), 15); /* two seconds have not gone by */
	p->now_tick += 2 * (int64_t)p->ticks_per_s;
	assert_int_equal(shown_max(l, p, true, "a"), 40);
	o.frame = 2;
	assert_true(query_look(l, &o));
	assert_int_equal(shown_max(l, p, true, "a"), 40); /* whatever frame is chosen */
	assert_true(query_reset(l));
	assert_int_equal(shown_max(l, p, true, "a"), -1);
	dsl_grow(p, "frame 6 1000\nmain a 3 1\n");
	assert_true(query_update(l));
	p->now_tick += 2 * (int64_t)p->ticks_per_s;
	assert_int_equal(shown_max(l, p, true, "a"), 3);
	query_free(l);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_need_not_be_there),
		cmocka_unit_test(zones_of_random_frames),
		cmocka_unit_test(a_window_is_of_the_newest_frames),
		cmocka_unit_test(a_report_has_statistics_where_they_are_wanted),
		cmocka_unit_test(without_frames_there_are_none),
		cmocka_unit_test(each_thread_has_its_own),
		cmocka_unit_test(a_lens_keeps_them_for_those_who_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

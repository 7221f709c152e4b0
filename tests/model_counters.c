/* SPDX-License-Identifier: MIT */
/*
 * Counters, events and notes of a profile: what a frame had, what is kept from the one before it, what
 * is not known; sums over tracks against sums made by hand; what stays when frames leave.
 */
#include <math.h>

#include "model/table/counter_table.h"
#include "model/stats/bursts.h"
#include "tests/model_dsl.h"

#define NUMBER(n) ((union profile_number){ .whole = (n) })

static struct profile_change change(int64_t tick, int64_t last, int64_t least, int64_t most)
{
	return (struct profile_change){ .tick = tick, .last = NUMBER(last), .least = NUMBER(least),
					.most = NUMBER(most) };
}

static void add(struct profile *p, uint32_t track, int64_t tick, int64_t last)
{
	struct profile_change c = change(tick, last, last - 1, last + 1);

	assert_true(profile_add_change(p, track, &c));
}

/* Frames 1 to n of 100 ticks, from tick 100 on; two threads. */
static struct profile *frames(uint32_t n)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	assert_int_equal(profile_add_thread(p, 1, 1, "main"), 0);
	assert_int_equal(profile_add_thread(p, 2, 2, "pool"), 1);
	for (uint32_t i = 1; i <= n; i++)
		assert_true(profile_add_frame(p, i, i * 100, 100, 0));
	p->now_tick = n * 100 + 150;
	return p;
}

/* The values of a track in (from, to], change by change; the newest value is one more behind them. False: not
 * known, or there was no value yet, and then *unborn is true. *own: it changed in there; if not, it is the value
 * that it kept. */
static bool track_in(const struct profile *p, uint32_t index, int64_t from, int64_t to, struct profile_change *out,
		     bool *own, bool *unborn)
{
	const struct profile_track *t = &p->tracks[index];
	bool any = false;

	*own = false;
	for (uint32_t i = 0; i <= t->change_count; i++) {
		const struct profile_change *c = i < t->change_count ? &t->changes[i] : &t->now;

		if (c->tick <= 0 || c->tick > to || (c == &t->now && i && c->tick <= t->changes[i - 1].tick))
			continue;
		if (!*own) {
			*out = *c;
		} else {
			out->least = c->least.whole < out->least.whole ? c->least : out->least;
			out->most = c->most.whole > out->most.whole ? c->most : out->most;
			out->last = c->last;
			out->tick = c->tick;
		}
		*own = *own || c->tick > from;
		any = true;
	}
	*unborn = !any && t->born > 0 && t->born >= to;
	if (any && !*own)
		out->least = out->most = out->last;
	return any && !out->lost;
}

static void expect(const struct profile *p, uint32_t counter, uint32_t thread, uint64_t frame,
		   struct counter_value wanted)
{
	struct counter_value v = counters_in_frame(p, counter, thread, profile_find_frame(p, frame));

	assert_int_equal(v.known, wanted.known);
	assert_int_equal(v.changed, wanted.changed);
	assert_int_equal(v.last.whole, wanted.last.whole);
	assert_int_equal(v.least.whole, wanted.least.whole);
	assert_int_equal(v.most.whole, wanted.most.whole);
	assert_int_equal(v.change.whole, wanted.change.whole);
}

static struct counter_value value(bool changed, int64_t last, int64_t least, int64_t most,
				  int64_t grown)
{
	return (struct counter_value){ .known = true, .changed = changed, .last = NUMBER(last), .least = NUMBER(least),
				       .most = NUMBER(most), .change = NUMBER(grown) };
}

static struct counter_report *report(const struct profile *p, struct counter_options o)
{
	char why[128];
	struct counter_report *r = counters_make(p, &o, why, sizeof(why));

	assert_non_null(r);
	return r;
}

static const struct counter_options whole_run = { .from = 0, .to = -1, .sort = COUNTER_COLUMNS };

static void a_counter_is_known_by_name_and_kind(void **state)
{
	struct profile *p = frames(0);

	(void)state;
	assert_int_equal(profile_add_counter(p, "n", false, true), 0);
	assert_int_equal(profile_add_counter(p, "n", true, false), 1);
	assert_int_equal(profile_add_counter(p, "n", false, false), 0);
	assert_false(p->counters[0].summed);
	assert_int_equal(p->counter_count, 2);
	assert_int_equal(profile_add_track(p, 2, 0, 0), PROFILE_NONE);
	assert_int_equal(profile_add_track(p, 0, 7, 0), PROFILE_NONE);
	assert_int_equal(profile_add_event(p, "jump"), 0);
	assert_int_equal(profile_add_event(p, "fall"), 1);
	assert_int_equal(profile_add_event(p, "jump"), 0);
	profile_free(p);
}

static void a_value_is_kept_until_it_changes(void **state)
{
	struct profile *p = frames(5);
	uint32_t c = profile_add_counter(p, "n", false, false);
	uint32_t t = profile_add_track(p, c, 0, 0);
	struct counter_value all[5];

	(void)state;
	add(p, t, 300, 7); /* the end of frame 2 is in it */
	add(p, t, 501, 9); /* and this in frame 5 */
	expect(p, c, 0, 1, (struct counter_value){ 0 });
	expect(p, c, 0, 2, value(true, 7, 6, 8, 0));
	expect(p, c, 0, 3, value(false, 7, 7, 7, 0));
	expect(p, c, 0, 4, value(false, 7, 7, 7, 0));
	expect(p, c, 0, 5, value(true, 9, 8, 10, 2));
	counters_in_frames(p, c, 0, 0, 5, all);
	for (uint32_t i = 0; i < 5; i++)
		expect(p, c, 0, i + 1, all[i]);
	expect(p, c, 1, 2, (struct counter_value){ 0 });
	profile_free(p);
}

/* Its growth in a frame, in all frames, and in spans. */
static void a_total_is_what_it_grew_by(void **state)
{
	struct profile *p = frames(5);
	uint32_t c = profile_add_counter(p, "n", false, false), t = profile_add_track(p, c, 0, 0);
	const struct counter_span spans[] = { { 1, 2 }, { 3, 2 } };
	struct counter_value all[5], of_spans[2];

	(void)state;
	p->counters[c].total = true;
	add(p, t, 150, 1000);
	add(p, t, 250, 1007);
	add(p, t, 401, 1010); /* in frame 4 */
	counters_in_frames(p, c, 0, 0, 5, all);
	for (uint32_t i = 1; i < 5; i++)
		expect(p, c, 0, i + 1, all[i]);
	expect(p, c, 0, 2, value(true, 7, 7, 7, 7));
	expect(p, c, 0, 3, value(false, 0, 0, 0, 0));
	expect(p, c, 0, 4, value(true, 3, 3, 3, 3));
	counters_in_spans(p, c, 0, spans, 2, of_spans);
	assert_true(of_spans[0].known && of_spans[0].least.whole == 0 && of_spans[0].most.whole == 7);
	assert_true(of_spans[1].known && of_spans[1].least.whole == 0 && of_spans[1].most.whole == 3);
	struct counter_report *r = report(p, whole_run);
	assert_int_equal(r->rows[0].value.last.whole, 1010); /* of the run it is what it is */
	counters_free(r);
	profile_free(p);
}

static void changes_come_in_any_order(void **state)
{
	struct profile *p = frames(5);
	uint32_t c = profile_add_counter(p, "n", false, false);
	uint32_t t = profile_add_track(p, c, 0, 0);

	(void)state;
	add(p, t, 500, 5);
	add(p, t, 300, 3);
	add(p, t, 400, 5);
	add(p, t, 400, 4); /* together with the one before */
	add(p, t, 250, 2);
	assert_int_equal(p->tracks[t].change_count, 4);
	assert_int_equal(p->held_bytes, 5 * PROFILE_FRAME_BYTES + 4 * PROFILE_CHANGE_BYTES);
	for (uint32_t i = 1; i < 4; i++)
		assert_true(p->tracks[t].changes[i - 1].tick < p->tracks[t].changes[i].tick);
	expect(p, c, 0, 2, value(true, 3, 1, 4, 1)); /* two changes in a frame are one in it */
	expect(p, c, 0, 3, value(true, 4, 3, 6, 1));
	profile_free(p);
}

static void the_newest_value_is_one_more_change(void **state)
{
	struct profile *p = frames(2);
	uint32_t c = profile_add_counter(p, "n", false, false);
	uint32_t t = profile_add_track(p, c, 0, 0);
	struct profile_change now = change(340, 9, 2, 11), out;
	bool own, unborn;

	(void)state;
	add(p, t, 200, 4);
	profile_set_now(p, t, &now, NUMBER(2), NUMBER(11));
	assert_true(track_in(p, t, 300, 350, &out, &own, &unborn));
	assert_true(own && out.last.whole == 9 && out.least.whole == 2 && out.most.whole == 11);
	expect(p, c, 0, 2, value(false, 4, 4, 4, 0));
	add(p, t, 340, 9); /* the same, now that its stretch has ended */
	assert_true(track_in(p, t, 300, 350, &out, &own, &unborn));
	assert_true(own && out.least.whole == 8 && out.tick == 340);
	profile_free(p);
}

static void what_is_not_born_adds_nothing(void **state)
{
	struct profile *p = frames(4);
	uint32_t c = profile_add_counter(p, "n", false, true);
	uint32_t first = profile_add_track(p, c, PROFILE_NONE, 100);
	uint32_t second = profile_add_track(p, c, PROFILE_NONE, 300);
	struct profile_change out;
	bool own, unborn;

	(void)state;
	add(p, first, 200, 5);
	add(p, second, 400, 20);
	assert_false(track_in(p, second, 100, 200, &out, &own, &unborn));
	assert_true(unborn);
	assert_false(track_in(p, second, 200, 350, &out, &own, &unborn));
	assert_false(unborn);
	expect(p, c, PROFILE_NONE, 1, value(true, 5, 4, 6, 5));
	expect(p, c, PROFILE_NONE, 2, value(false, 5, 5, 5, 0));
	expect(p, c, PROFILE_NONE, 3, value(true, 25, 24, 26, 20)); /* one changed: exact */
	add(p, first, 500, 1);
	add(p, second, 500, 30);
	expect(p, c, PROFILE_NONE, 4, value(true, 31, 31, 31, 6)); /* two: only their sum at the end */
	profile_free(p);
}

static void a_sum_with_a_part_that_is_lost_is_not_known(void **state)
{
	struct profile *p = frames(4);
	uint32_t c = profile_add_counter(p, "n", false, true);
	uint32_t first = profile_add_track(p, c, PROFILE_NONE, 0);
	uint32_t second = profile_add_track(p, c, PROFILE_NONE, 0);

	(void)state;
	add(p, first, 200, 5);
	add(p, second, 400, 20);
	expect(p, c, PROFILE_NONE, 1, (struct counter_value){ 0 });
	expect(p, c, PROFILE_NONE, 2, (struct counter_value){ 0 });
	expect(p, c, PROFILE_NONE, 3, value(true, 25, 24, 26, 0));
	profile_free(p);
}

static void sums_stay_within_their_bits(void **state)
{
	struct profile *p = frames(2);
	uint32_t c = profile_add_counter(p, "n", false, true);
	uint32_t r = profile_add_counter(p, "r", true, true);
	struct profile_change big = { .tick = 200 }, small = { .tick = 300 };
	struct counter_value v;

	(void)state;
	for (int i = 0; i < 3; i++) {
		uint32_t t = profile_add_track(p, c, PROFILE_NONE, 100);
		uint32_t u = profile_add_track(p, r, PROFILE_NONE, 100);

		big.last = big.least = big.most = NUMBER(INT64_MAX - 1);
		small.last = small.least = small.most = NUMBER(INT64_MIN + 1);
		assert_true(profile_add_change(p, t, &big) && profile_add_change(p, t, &small));
		big.last.real = big.least.real = big.most.real = 1.5e308;
		assert_true(profile_add_change(p, u, &big));
	}
	expect(p, c, PROFILE_NONE, 1, value(true, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX));
	expect(p, c, PROFILE_NONE, 2, value(true, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN));
	v = counters_in_frame(p, r, PROFILE_NONE, profile_find_frame(p, 1));
	assert_true(v.known && v.last.real > 1.7e308 && v.last.real - v.last.real == 0);
	profile_free(p);
}

/* The property: what a sum is at the end of each frame is the sum of what its tracks are. */
static void sums_are_sums_over_tracks(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct profile *p = frames(40);
		uint32_t c = profile_add_counter(p, "n", false, true), tracks;
		struct counter_value all[40];

		srand(seed);
		tracks = 1 + (uint32_t)rand() % 5;
		for (uint32_t t = 0; t < tracks; t++) {
			profile_add_track(p, c, PROFILE_NONE, rand() % 2 ? 100 + rand() % 4000 : 0);
			for (uint32_t i = 0; i < (uint32_t)rand() % 60; i++) {
				int64_t tick = 101 + rand() % 4000;

				if (tick > p->tracks[t].born)
					add(p, t, tick, rand() % 1000 - 500);
			}
		}
		if (rand() % 2)
			profile_drop_frames(p, (uint32_t)rand() % 40);
		counters_in_frames(p, c, PROFILE_NONE, 0, p->frame_count, all);
		for (uint32_t i = 0; i < p->frame_count; i++) {
			int64_t start = p->frames[i].start, sum = 0;
			bool known = true, any = false, changed = false;

			for (uint32_t t = 0; t < tracks; t++) {
				struct profile_change out;
				bool own, unborn;
				bool has = track_in(p, t, start, start + 100, &out, &own,
							    &unborn);

				known = known && (has || unborn);
				any = any || has;
				changed = changed || (has && own);
				sum += has ? out.last.whole : 0;
			}
			assert_int_equal(all[i].known, known && any);
			if (!all[i].known)
				continue;
			assert_int_equal(all[i].last.whole, sum);
			assert_int_equal(all[i].changed, changed);
			assert_true(all[i].least.whole <= sum && sum <= all[i].most.whole);
			assert_true(changed || all[i].least.whole == all[i].most.whole);
		}
		profile_free(p);
	}
}

static union profile_number any_number(bool real)
{
	union profile_number n = { .whole = rand() % 1000 - 500 };

	if (real)
		n.real = rand() % 8 ? (double)n.whole : INFINITY;
	return n;
}

static void add_at_random(struct profile *p, uint32_t track, bool real)
{
	struct profile_change change = { .tick = 101 + rand() % 4000 };
	union profile_number a = any_number(real), b = any_number(real);
	bool less = real ? a.real < b.real : a.whole < b.whole;

	change.least = less ? a : b;
	change.most = less ? b : a;
	change.last = rand() % 2 ? a : b;
	if (change.tick > p->tracks[track].born)
		assert_true(profile_add_change(p, track, &change));
}

/* A span equals its frames, one by one. */
static void expect_span(const struct counter_value *frames, uint32_t count, const struct counter_value *v, bool real)
{
	struct counter_value sum = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		const struct counter_value *f = &frames[i];

		if (!f->known || (real && (!isfinite(f->least.real) || !isfinite(f->most.real))))
			continue;
		if (!sum.known || (real ? f->least.real < sum.least.real : f->least.whole < sum.least.whole))
			sum.least = f->least;
		if (!sum.known || (real ? f->most.real > sum.most.real : f->most.whole > sum.most.whole))
			sum.most = f->most;
		sum.changed |= f->changed;
		sum.known = true;
	}
	assert_int_equal(v->known, sum.known);
	assert_int_equal(v->changed, sum.changed);
	assert_int_equal(v->least.whole, sum.least.whole);
	assert_int_equal(v->most.whole, sum.most.whole);
}

static void a_span_is_all_of_its_frames(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 600; seed++) {
		struct profile *p = frames(40);
		bool real = seed % 2, summed = seed / 2 % 2, stays[40];
		uint32_t c = profile_add_counter(p, "n", real, summed), tracks, n = 0;
		struct counter_value each[40], value[40];
		struct counter_span spans[40];

		srand(seed);
		tracks = 1 + (uint32_t)rand() % 3;
		for (uint32_t t = 0; t < tracks; t++) {
			profile_add_track(p, c, summed ? PROFILE_NONE : 0, rand() % 2 ? 100 + rand() % 4000 : 0);
			for (uint32_t i = 0; i < (uint32_t)rand() % 60; i++)
				add_at_random(p, t, real);
		}
		for (uint32_t i = 0; i < 40; i++)
			stays[i] = rand() % 3;
		profile_thin_frames(p, (uint32_t)rand() % 40, stays);
		for (uint32_t at = 0; at < p->frame_count; at += spans[n++].count) {
			spans[n] = (struct counter_span){ at, (uint32_t)rand() % 12 };
			if (spans[n].count > p->frame_count - at)
				spans[n].count = p->frame_count - at;
			if (!spans[n].count)
				spans[n].count = 1;
		}
		counters_in_frames(p, c, summed ? PROFILE_NONE : 0, 0, p->frame_count, each);
		counters_in_spans(p, c, summed ? PROFILE_NONE : 0, spans, n, value);
		for (uint32_t i = 0; i < n; i++)
			expect_span(&each[spans[i].first], spans[i].count, &value[i], real);
		profile_free(p);
	}
}

/* Frames that leave take nothing from those that stay. */
static void dropped_frames_change_no_value(void **state)
{
	struct profile *p = frames(100);
	uint32_t c = profile_add_counter(p, "n", false, false);
	struct counter_value before[100];
	uint64_t changes;

	(void)state;
	srand(7);
	profile_add_track(p, c, 0, 0);
	profile_add_track(p, c, 1, 0);
	for (int i = 0; i < 60; i++)
		add(p, (uint32_t)i % 2, 101 + rand() % 10000, i);
	for (uint32_t dropped = 0; dropped < 99; dropped += 3) {
		for (uint32_t thread = 0; thread < 2; thread++) {
			counters_in_frames(p, c, thread, 0, p->frame_count, before);
			if (thread == 1)
				profile_drop_frames(p, 3);
			for (uint32_t i = thread * 3; i < p->frame_count; i++)
				expect(p, c, thread, p->frames[i - (thread ? 3 : 0)].number,
				       before[i]);
		}
	}
	changes = p->tracks[0].change_count + p->tracks[1].change_count;
	assert_true(changes < 60);
	assert_int_equal(p->held_bytes, p->frame_count * PROFILE_FRAME_BYTES + changes * PROFILE_CHANGE_BYTES);
	profile_free(p);
}

static void instants_stand_in_their_order(void **state)
{
	struct profile *p = frames(4);
	uint32_t jump = profile_add_event(p, "jump"), first;

	(void)state;
	assert_true(profile_add_instant(p, 250, 0, jump, NULL, false));
	assert_true(profile_add_instant(p, 150, 1, PROFILE_NONE, "a note", true));
	assert_true(profile_add_instant(p, 250, 1, PROFILE_NONE, "second", false));
	assert_true(profile_add_instant(p, 300, 0, jump, NULL, false));
	assert_false(profile_add_instant(p, 300, 9, jump, NULL, false));
	assert_false(profile_add_instant(p, 300, 0, 9, NULL, false));
	assert_int_equal(p->instant_count, 4);
	assert_string_equal(p->instants[0].text, "a note");
	assert_true(p->instants[0].cut);
	assert_string_equal(p->instants[2].text, "second");
	assert_int_equal(profile_instants(p, 200, 300, &first), 3); /* of frame 2 */
	assert_int_equal(first, 1);
	assert_int_equal(profile_instants(p, 300, 400, &first), 0);
	profile_drop_frames(p, 1);
	assert_int_equal(p->instants_from, 200);
	assert_int_equal(p->instant_count, 3);
	profile_set_instants_from(p, 100); /* never goes back */
	assert_int_equal(p->instants_from, 200);
	profile_set_instants_from(p, 300); /* a mark: what is there stays */
	assert_int_equal(p->instant_count, 3);
	profile_free(p);
}

#define FEWEST (PROFILE_INSTANTS - PROFILE_INSTANTS / 16)

/* How many of them are notes. */
static uint32_t notes_of(const struct profile *p)
{
	uint32_t notes = 0;

	for (uint32_t i = 0; i < p->instant_count; i++)
		notes += p->instants[i].event == PROFILE_NONE;
	return notes;
}

static void the_oldest_instants_go(void **state)
{
	struct profile *p = frames(1);
	uint32_t jump = profile_add_event(p, "jump");

	(void)state;
	for (uint32_t i = 0; i < PROFILE_INSTANTS; i++)
		assert_true(profile_add_instant(p, 1000 + i, 0, jump, NULL, false));
	assert_int_equal(p->instants_from, 0);
	for (uint32_t i = 0; i < PROFILE_INSTANTS * 2; i++)
		assert_true(profile_add_instant(p, 1000000 + i, 0, i % 2 ? PROFILE_NONE : jump,
						"note", false));
	assert_in_range(p->instant_count, FEWEST, PROFILE_INSTANTS);
	assert_in_range(notes_of(p), p->instant_count / 2 - 1, p->instant_count / 2 + 6251);
	assert_true(p->instants[0].tick >= 1000000 + PROFILE_INSTANTS);
	assert_in_range(p->instants_from, p->instants[0].tick - 1, p->instants[0].tick + 1);
	profile_free(p);
}

/* One event by the thousand pushes out itself: notes and rare events from before stay, and what they lack is said. */
static void a_flood_leaves_what_is_rare(void **state)
{
	struct profile *p = frames(1);
	uint32_t evict = profile_add_event(p, "evict"), rare = profile_add_event(p, "rare"), first;

	(void)state;
	for (uint32_t i = 0; i < 4 * PROFILE_INSTANTS; i++) {
		assert_true(profile_add_instant(p, 1000 + i, 0, evict, NULL, false));
		if (i % 1000 == 0)
			assert_true(profile_add_instant(p, 1000 + i, 0, PROFILE_NONE, "a note", false));
		if (i % 100000 == 0)
			assert_true(profile_add_instant(p, 1000 + i, 0, rare, NULL, false));
	}
	assert_in_range(p->instant_count, FEWEST, PROFILE_INSTANTS);
	assert_int_equal(notes_of(p), 400);
	assert_int_equal(p->instants[1].event, rare);
	assert_int_equal(p->instants[1].tick, 1000);
	assert_in_range(p->instants_from, 1000 + 3 * PROFILE_INSTANTS, 1000 + 4 * PROFILE_INSTANTS);
	/* behind that all are there */
	assert_int_equal(profile_instants(p, p->instants_from, INT64_MAX, &first),
			 1000 + 4 * PROFILE_INSTANTS - 1 - p->instants_from +
			 (1000 + 4 * PROFILE_INSTANTS - 1) / 1000 - p->instants_from / 1000);
	for (uint32_t i = 1; i < p->instant_count; i++)
		assert_true(p->instants[i].tick >= p->instants[i - 1].tick);
	profile_free(p);
}

static struct bursts bursts_made(const struct profile *p)
{
	struct bursts c;

	assert_true(bursts_of_seconds(&c, p, NULL, p->instant_count));
	return c;
}

/* Seconds of 1000 ticks: 24 a second are each a row; 25 are one, with the seconds before and behind; a second without
 * any ends it. */
static void bursts_are_rows(void **state)
{
	struct profile *p = frames(1);
	uint32_t few = profile_add_event(p, "few"), evict = profile_add_event(p, "evict");
	static const uint32_t evicts[] = { 24, 0, 3, 25, 30, 3, 2, 0, 40 };
	struct bursts c;

	(void)state;
	p->ticks_per_s = 1000;
	for (uint32_t s = 0; s < 9; s++) {
		for (uint32_t i = 0; i < evicts[s]; i++)
			assert_true(profile_add_instant(p, s * 1000 + i, 0, evict, NULL, false));
		assert_true(profile_add_instant(p, s * 1000 + 500, 0, s % 2 ? few : PROFILE_NONE, "note", false));
	}
	c = bursts_made(p);
	/* 24 of second 0, the burst of 2 to 5, two of second 6, the burst of 8, and 9 between them */
	assert_int_equal(c.row_count, 24 + 1 + 2 + 1 + 9);
	assert_int_equal(c.rows[29].count, 61);
	assert_int_equal(p->instants[c.rows[29].first].tick, 2000);
	assert_int_equal(p->instants[c.rows[29].last].tick, 5002);
	assert_int_equal(burst_rate(p, &c.rows[29]), 19); /* 58 from 2000 to 5000 */
	assert_int_equal(c.rows[35].count, 40);
	assert_int_equal(burst_rate(p, &c.rows[35]), 40);
	for (uint32_t i = 1; i < c.row_count; i++)
		assert_true(c.rows[i].last > c.rows[i - 1].last);
	free(c.rows);
	profile_free(p);
}

/* The rate of the first row that has several events, of `count` instants. */
static int64_t rate_of(const struct profile *p, uint32_t from, uint32_t count)
{
	struct bursts c;
	uint32_t row = 0;
	int64_t rate;

	assert_true(bursts_of_frame(&c, p, from, count, 2));
	while (row < c.row_count && c.rows[row].count < 2)
		row++;
	assert_in_range(row, 0, c.row_count - 1);
	rate = burst_rate(p, &c.rows[row]);
	free(c.rows);
	return rate;
}

/* A second has 1000 ticks, and a frame 100. Events that come all at once have
 * their rate over the time of their frames. Before the first frame, between two
 * frames, and behind the last one, they have it over the time there. */
static void rates_are_of_the_time_of_their_frames(void **state)
{
	struct profile *p = frames(3);
	uint32_t burst = profile_add_event(p, "burst");

	(void)state;
	p->ticks_per_s = 1000;
	assert_true(profile_add_frame(p, 4, 450, 100, FRAME_BOUNDED));
	assert_true(profile_add_frame(p, 5, 2000, 1500, FRAME_BOUNDED));
	p->now_tick = 3700;
	for (uint32_t i = 0; i < 8; i++)
		for (uint32_t k = 0; k < 30; k++) {
			static const int64_t at[8] = { 50, 101, 201, 301, 425, 1000, 2001, 3501 };

			assert_true(profile_add_instant(p, at[i], 0, burst, NULL, false));
		}
	assert_int_equal(rate_of(p, 0, 30), 300);    /* before the first frame, from tick 0 on */
	assert_int_equal(rate_of(p, 30, 30), 300);   /* one frame */
	assert_int_equal(rate_of(p, 30, 90), 300);   /* three frames */
	assert_int_equal(rate_of(p, 120, 30), 600);  /* between frames 3 and 4 */
	assert_int_equal(rate_of(p, 150, 30), 30);   /* more than a second between 4 and 5 */
	assert_int_equal(rate_of(p, 180, 30), 30);   /* a frame of more than a second */
	assert_int_equal(rate_of(p, 210, 30), 150);  /* in the frame that runs */
	profile_free(p);
}

/* The rates of bursts in a second of 1000 ticks. */
static int64_t rate_of_bursts(int64_t frame, int bursts, int64_t apart, int each, int64_t within)
{
	struct profile *p = frames(1);
	uint32_t burst = profile_add_event(p, "burst"), other = profile_add_event(p, "other");
	int64_t rate, at;

	p->ticks_per_s = 1000;
	for (int i = 0; i < 10000 / frame; i++)
		assert_true(profile_add_frame(p, 2 + (uint64_t)i, 200 + i * frame, frame, 0));
	p->now_tick = 12000;
	for (int i = 0; i < bursts; i++)
		for (int k = 0; k < each; k++) {
			at = 201 + i * apart + within * k / each;
			assert_true(profile_add_instant(p, at, 0, burst, NULL, false));
			assert_true(profile_add_instant(p, at, 0, other, NULL, false));
		}
	rate = rate_of(p, 0, p->instant_count);
	profile_free(p);
	return rate;
}

/* A burst that comes again and again has its rate by the time from one to the next, whatever frames there are. */
static void rates_are_from_burst_to_burst(void **state)
{
	(void)state;
	for (int bursts = 2; bursts <= 6; bursts++) {
		assert_int_equal(rate_of_bursts(1200, bursts, 1200, 36, 0), 30);  /* one in each long frame */
		assert_int_equal(rate_of_bursts(1200, bursts, 1200, 36, 300), 30); /* not all at once */
		assert_int_equal(rate_of_bursts(5000, bursts, 1200, 36, 0), 30);   /* several in one frame */
		assert_int_equal(rate_of_bursts(16, bursts, 1200, 36, 8), 30);    /* one in many short frames */
		assert_int_equal(rate_of_bursts(100, bursts, 100, 36, 50), 360);  /* one in each short frame */
		assert_int_equal(rate_of_bursts(100, bursts, 100, 36, 100), 360); /* evenly, in short frames */
		assert_int_equal(rate_of_bursts(5000, bursts, 720, 36, 720), 50); /* evenly, in a long one */
	}
	assert_int_equal(rate_of_bursts(1200, 1, 0, 36, 10), 36);
}

/* 50 events outside frames, one every 20 ms. The same event comes 40 times inside the last frame but one, which is another
 * row. */
static void a_rate_is_of_the_events_of_its_row(void **state)
{
	struct profile *p = frames(1);
	uint32_t burst = profile_add_event(p, "burst"), outside[50];
	struct bursts c;

	(void)state;
	p->ticks_per_s = 1000;
	for (int i = 0; i < 51; i++)
		assert_true(profile_add_frame(p, 2 + (uint64_t)i, 200 + i * 20, 10, FRAME_BOUNDED));
	p->now_tick = 1220;
	for (int i = 0; i < 50; i++) {
		for (int k = 0; k < 40 && i == 49; k++)
			assert_true(profile_add_instant(p, 1182 + k / 8, 0, burst, NULL, false));
		outside[i] = p->instant_count;
		assert_true(profile_add_instant(p, 215 + i * 20, 0, burst, NULL, false));
	}
	assert_true(bursts_of_seconds(&c, p, outside, 50));
	assert_int_equal(c.row_count, 1);
	assert_int_equal(c.rows[0].count, 50);
	assert_int_equal(burst_rate(p, &c.rows[0]), 50);
	free(c.rows);
	profile_free(p);
}

/* Long texts go before there are very many. */
static void texts_are_bounded(void **state)
{
	struct profile *p = frames(1), *copy;
	char text[1001];
	uint32_t most = PROFILE_NOTE_BYTES / sizeof(text);

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (uint32_t i = 0; i < 3 * most; i++)
		assert_true(profile_add_instant(p, 1000 + i, 0, PROFILE_NONE, text, false));
	assert_in_range(p->instant_count, most - most / 16 - 1, most);
	assert_int_equal(p->note_bytes, p->instant_count * sizeof(text));
	assert_int_equal(p->instants[0].tick, 1000 + 3 * most - p->instant_count);
	assert_int_equal(p->instants_from, p->instants[0].tick - 1);
	copy = profile_copy(p);
	assert_int_equal(copy->note_bytes, p->note_bytes);
	profile_free(copy);
	profile_drop_frames(p, 1);
	assert_true(p->note_bytes <= most * sizeof(text));
	profile_free(p);
}

static struct profile *three_counters(void)
{
	struct profile *p = frames(4);
	uint32_t health = profile_add_counter(p, "health", false, false);
	uint32_t made = profile_add_counter(p, "Made", false, true);
	uint32_t heat = profile_add_counter(p, "heat", true, false);
	struct profile_change c = change(200, 50, 50, 60);

	add(p, profile_add_track(p, health, 1, 0), 200, 10);
	assert_true(profile_add_change(p, profile_add_track(p, health, 0, 0), &c));
	profile_set_now(p, 1, &c, NUMBER(-5), NUMBER(99));
	profile_add_track(p, made, PROFILE_NONE, 100);
	add(p, 2, 200, 3);
	add(p, 2, 300, 5);
	add(p, 2, 500, 9);
	c.last.real = c.least.real = c.most.real = 10.5;
	assert_true(profile_add_change(p, profile_add_track(p, heat, 0, 0), &c));
	return p;
}

static void a_report_has_a_row_for_each_value(void **state)
{
	struct profile *p = three_counters();
	struct counter_report *r = report(p, whole_run), *again;

	(void)state;
	assert_int_equal(r->row_count, 4);
	assert_string_equal(r->rows[0].name, "Made");
	assert_int_equal(r->rows[0].thread, PROFILE_NONE);
	assert_string_equal(r->rows[0].thread_name, "");
	assert_int_equal(r->rows[0].value.last.whole, 9);
	assert_int_equal(r->rows[0].value.least.whole, 2);
	assert_int_equal(r->rows[0].value.most.whole, 10);
	assert_int_equal(r->rows[0].value.change.whole, 9);
	assert_string_equal(r->rows[1].name, "health");
	assert_string_equal(r->rows[1].thread_name, "main");
	assert_int_equal(r->rows[1].value.least.whole, -5); /* of the whole run, as the source knows */
	assert_int_equal(r->rows[1].value.most.whole, 99);
	assert_string_equal(r->rows[2].thread_name, "pool");
	assert_string_equal(r->rows[3].name, "heat");
	p->frames[0].number = 1;
	again = report(p, (struct counter_options){ .from = 200, .to = 300, .sort = COUNTER_LAST });
	assert_string_equal(again->rows[0].name, "health");
	assert_string_equal(again->rows[0].thread_name, "main");
	assert_int_equal(again->rows[0].id, r->rows[1].id);
	assert_true(r->rows[1].id != r->rows[2].id);
	assert_string_equal(again->rows[1].name, "heat"); /* 10.5 is more than 10 */
	counters_free(again);
	counters_free(r);
	profile_free(p);
}

static void a_report_covers_frames(void **state)
{
	struct profile *p = three_counters();
	struct counter_options o = { .from = 200, .to = 500, .frames = 3, .filter = "mad" };
	struct counter_report *r = report(p, o);

	(void)state;
	assert_int_equal(r->row_count, 1);
	assert_int_equal(r->hidden, 3);
	assert_true(r->rows[0].value.known && r->rows[0].value.changed);
	assert_int_equal(r->rows[0].value.last.whole, 9);
	assert_int_equal(r->rows[0].value.least.whole, 4); /* it changed in the first frame of these */
	assert_true(r->rows[0].value.change_real && r->rows[0].value.change.real == 2); /* 6 in 3 frames */
	counters_free(r);
	o = (struct counter_options){ .from = 300, .to = 500, .frames = 2, .filter = "~^M" };
	r = report(p, o);
	assert_int_equal(r->rows[0].value.least.whole, 5); /* kept in frame 3 */
	counters_free(r);
	profile_free(p);
}

/* Losses of a run count in no mean. */
static void change_is_against_what_is_known(void **state)
{
	struct profile *p = frames(1000);
	uint32_t c = profile_add_counter(p, "level", false, false), t = profile_add_track(p, c, 0, 150);
	struct counter_options o = { .from = 0, .to = -1, .frames = 1000 };
	struct counter_report *r;

	(void)state;
	for (int i = 1; i <= 1000; i++)
		add(p, t, 100 + i * 100, i * 7);
	r = report(p, o);
	assert_true(r->rows[0].value.change_real && r->rows[0].value.change.real == 7);
	counters_free(r);
	profile_drop_frames(p, 990);
	r = report(p, o);
	assert_true(r->rows[0].value.change_real && r->rows[0].value.change.real == 7);
	counters_free(r);
	o = (struct counter_options){ .from = p->frames[0].start, .to = p->frames[9].start + 100, .frames = 10 };
	r = report(p, o);
	assert_true(r->rows[0].value.change_real && r->rows[0].value.change.real == 7);
	assert_true(r->rows[0].value.rate == 7e7); /* in 100 ns */
	counters_free(r);
	profile_free(p);
}

static void a_report_is_sorted(void **state)
{
	struct profile *p = three_counters();
	struct counter_report *r;
	uint32_t empty = profile_add_counter(p, "zero", false, false);
	char why[128] = "";

	(void)state;
	profile_add_track(p, empty, 0, 0); /* of no known value: last in any order */
	for (enum counter_column c = 0; c <= COUNTER_COLUMNS; c++) {
		for (int invert = 0; invert < 2; invert++) {
			struct counter_options o = { .from = 0, .to = -1, .sort = c,
						     .invert = invert };

			r = report(p, o);
			assert_int_equal(r->row_count, 5);
			assert_int_equal(r->descending,
					 (c >= COUNTER_LAST && c <= COUNTER_RATE) != invert);
			if (c >= COUNTER_LAST && c <= COUNTER_RATE)
				assert_string_equal(r->rows[4].name, "zero");
			if (c == COUNTER_LAST)
				assert_int_equal(r->rows[invert ? 0 : 3].value.last.whole, 9);
			counters_free(r);
		}
	}
	assert_int_equal(counter_column("min"), COUNTER_LEAST);
	assert_int_equal(counter_column("self"), COUNTER_COLUMNS);
	assert_null(counters_make(p, &(struct counter_options){ .filter = "~(" }, why, sizeof(why)));
	assert_non_null(strstr(why, "regular expression"));
	profile_free(p);
}

static void numbers_as_text(void **state)
{
	struct profile *p = three_counters();
	char out[32];

	(void)state;
	assert_int_equal(counter_text(p, 0, NUMBER(-1234567), true, out, sizeof(out)), 10);
	assert_string_equal(out, "-1 234 567");
	counter_text(p, 0, NUMBER(INT64_MIN), true, out, sizeof(out));
	assert_string_equal(out, "-9 223 372 036 854 775 808");
	counter_text(p, 0, NUMBER(-123), true, out, sizeof(out));
	assert_string_equal(out, "-123");
	counter_text(p, 2, (union profile_number){ .real = 0.1 }, true, out, sizeof(out));
	assert_string_equal(out, "0.1");
	counter_text(p, 2, NUMBER(0), false, out, sizeof(out));
	assert_string_equal(out, "-");
	assert_true(counter_text(p, 0, NUMBER(INT64_MIN), true, out, 8) < 8);
	profile_free(p);
}

static void a_copy_is_its_own(void **state)
{
	struct profile *p = three_counters(), *copy;

	(void)state;
	assert_true(profile_add_instant(p, 150, 0, PROFILE_NONE, "note", false));
	assert_true(profile_add_instant(p, 160, 0, profile_add_event(p, "jump"), NULL, false));
	copy = profile_copy(p);
	assert_non_null(copy);
	add(p, 2, 600, 77);
	profile_drop_frames(p, 4);
	profile_set_instants_from(p, 1000);
	expect(copy, 1, PROFILE_NONE, 4, value(true, 9, 8, 10, 4));
	assert_int_equal(copy->instant_count, 2);
	assert_string_equal(copy->instants[0].text, "note");
	assert_int_equal(profile_add_counter(copy, "heat", true, false), 2);
	assert_int_equal(profile_add_event(copy, "jump"), 0);
	add(copy, 2, 700, 1);
	assert_int_equal(p->tracks[2].changes[p->tracks[2].change_count - 1].last.whole, 77);
	profile_free(p);
	expect(copy, 1, PROFILE_NONE, 2, value(true, 5, 4, 6, 2));
	profile_free(copy);
}

static void a_track_becomes_a_threads(void **state)
{
	struct profile *p = three_counters();

	(void)state;
	profile_add_counter(p, "Made", false, false);
	profile_own_track(p, 2, 1);
	expect(p, 1, 1, 2, value(true, 5, 4, 6, 2));
	expect(p, 1, 0, 2, (struct counter_value){ 0 });
	profile_free(p);
}

/* Places of the program whose threads ended: each has a track, and one thread
 * stands for all of them. If values of one place are lost, the least and the
 * most are not known. */
static void threads_that_set_at_once_are_one_row(void **state)
{
	struct profile *p = frames(3);
	uint32_t health = profile_add_counter(p, "health", false, false);
	struct profile_change lost = { .tick = 200, .lost = true };
	struct counter_report *r;

	(void)state;
	p->threads[1].state = THREAD_AGGREGATE;
	for (int i = 0; i < 3; i++)
		assert_true(profile_add_change(p, profile_add_track(p, health, 1, 100), &(struct profile_change){
			.tick = 200, .last = NUMBER(i * 100 + 12), .least = NUMBER(i * 100), .most = NUMBER(i * 100 + 12) }));
	expect(p, health, 1, 1, value(true, 212, 0, 212, 0));
	expect(p, health, 1, 2, value(false, 212, 212, 212, 0));
	r = report(p, whole_run);
	assert_int_equal(r->row_count, 1);
	assert_int_equal(r->rows[0].value.least.whole, 0);
	assert_int_equal(r->rows[0].value.most.whole, 212);
	assert_true(counter_knows(&r->rows[0].value, COUNTER_LEAST));
	counters_free(r);
	assert_true(profile_add_change(p, profile_add_track(p, health, 1, 0), &lost));
	r = report(p, whole_run);
	assert_true(counter_knows(&r->rows[0].value, COUNTER_LAST));
	assert_false(counter_knows(&r->rows[0].value, COUNTER_LEAST));
	assert_false(counter_knows(&r->rows[0].value, COUNTER_MOST));
	counters_free(r);
	profile_free(p);
}

static bool knows_bounds(const struct profile *p, struct counter_options o)
{
	struct counter_report *r = report(p, o);
	bool knows = counter_knows(&r->rows[0].value, COUNTER_MOST);

	counters_free(r);
	return knows;
}

/* A change of one frame, then a gap, and a value behind it: the least and the most of frames that have the gap in them. Frames
 * are of 100 ticks from tick 100 on. */
static void a_gap_hides_least_and_most(void **state)
{
	struct counter_options before = { .from = 100, .to = 200, .frames = 1 }, over = { .from = 100, .to = 500, .frames = 4 };
	struct counter_options behind = { .from = 400, .to = 500, .frames = 1 };
	struct profile *p = frames(5);
	uint32_t health = profile_add_counter(p, "health", false, false), track = profile_add_track(p, health, 0, 100);
	struct profile_change lost = { .tick = 250, .lost = true }, now = change(500, 7, 7, 7);

	(void)state;
	add(p, track, 200, 5);
	add(p, track, 500, 7);
	assert_true(knows_bounds(p, over));
	assert_true(profile_add_change(p, track, &lost));
	assert_true(knows_bounds(p, before));
	assert_false(knows_bounds(p, over));
	assert_true(knows_bounds(p, behind)); /* it has a value of its own */
	assert_false(knows_bounds(p, whole_run));
	profile_set_now(p, track, &now, NUMBER(-5), NUMBER(9)); /* the source tells it itself */
	assert_true(knows_bounds(p, whole_run));
	p->threads[0].several = true; /* of the last one alone */
	assert_false(knows_bounds(p, whole_run));
	profile_free(p);
}

/* The changes of old frames leave with them. Threads that ended have nothing else that tells least and most of the run. */
static void least_and_most_leave_with_old_frames(void **state)
{
	struct profile *p = frames(6);
	uint32_t health = profile_add_counter(p, "health", false, false), track = profile_add_track(p, health, 1, 100);

	(void)state;
	p->threads[1].state = THREAD_AGGREGATE;
	for (int i = 2; i <= 7; i++)
		add(p, track, i * 100, i % 3);
	assert_true(knows_bounds(p, whole_run));
	profile_drop_frames(p, 4);
	assert_false(knows_bounds(p, whole_run));
	expect(p, health, 1, 5, value(true, 0, -1, 1, -2));
	expect(p, health, 1, 6, value(true, 1, 0, 2, 1));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_is_known_by_name_and_kind),
		cmocka_unit_test(a_value_is_kept_until_it_changes),
		cmocka_unit_test(a_total_is_what_it_grew_by),
		cmocka_unit_test(changes_come_in_any_order),
		cmocka_unit_test(the_newest_value_is_one_more_change),
		cmocka_unit_test(what_is_not_born_adds_nothing),
		cmocka_unit_test(a_sum_with_a_part_that_is_lost_is_not_known),
		cmocka_unit_test(sums_stay_within_their_bits),
		cmocka_unit_test(sums_are_sums_over_tracks),
		cmocka_unit_test(a_span_is_all_of_its_frames),
		cmocka_unit_test(dropped_frames_change_no_value),
		cmocka_unit_test(instants_stand_in_their_order),
		cmocka_unit_test(the_oldest_instants_go),
		cmocka_unit_test(a_flood_leaves_what_is_rare),
		cmocka_unit_test(bursts_are_rows),
		cmocka_unit_test(rates_are_of_the_time_of_their_frames),
		cmocka_unit_test(rates_are_from_burst_to_burst),
		cmocka_unit_test(a_rate_is_of_the_events_of_its_row),
		cmocka_unit_test(texts_are_bounded),
		cmocka_unit_test(a_report_has_a_row_for_each_value),
		cmocka_unit_test(a_report_covers_frames),
		cmocka_unit_test(change_is_against_what_is_known),
		cmocka_unit_test(a_report_is_sorted),
		cmocka_unit_test(numbers_as_text),
		cmocka_unit_test(a_copy_is_its_own),
		cmocka_unit_test(a_track_becomes_a_threads),
		cmocka_unit_test(threads_that_set_at_once_are_one_row),
		cmocka_unit_test(a_gap_hides_least_and_most),
		cmocka_unit_test(least_and_most_leave_with_old_frames),
	};

	return cmocka_run_group_tests_name("model: counters", tests, NULL, NULL);
}

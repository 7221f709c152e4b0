/* SPDX-License-Identifier: MIT */
/*
 * frame_order: what it says is what sorting all frames says, however they come, leave, are thinned, and are
 * given anew; and what a copy says does not depend on what it was copied from.
 */
#include "model/stats/frame_order.h"
#include "model/stats/statistics.h"
#include "tests/model_random.h"

#define MOST 2000

/* The frames that count, by length and number. */
struct sorted {
	struct profile_frame frames[MOST];
	uint32_t count;
};

static int compare(const void *a, const void *b)
{
	const struct profile_frame *x = a, *y = b;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static const struct sorted *sorted(const struct profile *p)
{
	static struct sorted s;

	s.count = 0;
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (frame_counts(&p->frames[i])) {
			assert_true(s.count < MOST);
			s.frames[s.count++] = p->frames[i];
		}
	qsort(s.frames, s.count, sizeof(*s.frames), compare);
	return &s;
}

static uint32_t longer(const struct sorted *s, int64_t length)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->count; i++)
		n += s->frames[i].length > length;
	return n;
}

static void expect_histogram(const struct frame_order *o, const struct sorted *s)
{
	int64_t edges[9] = { 0 };
	uint32_t counts[8], expected[8] = { 0 };

	for (int i = 1; i < 9; i++)
		edges[i] = edges[i - 1] + (int64_t)random_below(40);
	frame_order_histogram(o, edges, 8, counts);
	for (uint32_t i = 0; i < s->count; i++)
		for (int e = 0; e < 8; e++)
			expected[e] += s->frames[i].length >= edges[e] && s->frames[i].length < edges[e + 1];
	assert_memory_equal(counts, expected, sizeof(counts));
}

static void expect(const struct frame_order *o, const struct profile *p)
{
	const struct sorted *s = sorted(p);

	assert_int_equal(frame_order_count(o), s->count);
	for (uint32_t rank = 1; rank <= s->count; rank++)
		assert_int_equal(frame_order_length(o, rank), s->frames[rank - 1].length);
	assert_int_equal(frame_order_length(o, 0), 0);
	assert_int_equal(frame_order_length(o, s->count + 1), 0);
	for (int64_t length = -1; length < 100; length += 1 + random_below(9))
		assert_int_equal(frame_order_over(o, length), longer(s, length));
	assert_int_equal(frame_order_over(o, INT64_MAX), 0);
	expect_histogram(o, s);
	if (!s->count) {
		assert_int_equal(frame_order_percentile(o, 500), 0);
		return;
	}
	for (unsigned per_mille = 1; per_mille <= 1000; per_mille += 37)
		assert_int_equal(frame_order_percentile(o, per_mille),
				 s->frames[(s->count * per_mille + 999) / 1000 - 1].length);
	assert_int_equal(frame_order_percentile(o, 1000), s->frames[s->count - 1].length);
}

/* Some frames, of lengths of which many are the same. */
static void come(struct profile *p, uint32_t n)
{
	uint32_t spread = 1 + random_below(100);

	while (n--) {
		uint64_t number = p->frames_ended + 1 + !random_below(10);

		p->frames_ended = number;
		assert_true(profile_add_frame(p, number, p->now_tick, random_below(spread),
					      random_below(12) ? 0 : FRAME_DISCARDED));
	}
}

static void leave(struct profile *p)
{
	bool stays[MOST];
	uint32_t n = random_below(p->frame_count + 1);

	if (random_below(2))
		n = n < 10 ? n : 10;
	if (random_below(2)) {
		profile_drop_frames(p, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		stays[i] = !random_below(3);
	profile_thin_frames(p, n, stays);
}

/* The newest is given anew, as a source does that made its end. */
static void renew(struct profile *p)
{
	const struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	if (newest && !(newest->flags & FRAME_KEPT))
		assert_true(profile_add_frame(p, newest->number, newest->start, random_below(100),
					      random_below(4) ? 0 : FRAME_DISCARDED));
}

static void run(uint32_t seed)
{
	struct profile *p = profile_new(), *before = NULL;
	struct frame_order *o = frame_order_new(), *copy = NULL;

	random_state = seed;
	for (int i = 0; i < 60; i++) {
		if (p->frame_count < MOST / 2)
			come(p, random_below(random_below(4) ? 5 : 200));
		if (!random_below(4))
			leave(p);
		if (!random_below(4))
			renew(p);
		assert_true(frame_order_update(o, p));
		expect(o, p);
		if (i == 30) {
			before = profile_copy(p);
			copy = frame_order_copy(o);
			assert_non_null(copy);
		}
	}
	expect(copy, before);
	come(before, 30);
	assert_true(frame_order_update(copy, before));
	expect(copy, before);
	expect(o, p);
	frame_order_free(copy);
	frame_order_free(o);
	profile_free(before);
	profile_free(p);
}

static void it_says_what_a_sort_says(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++)
		run(seed);
}

static void of_no_frames_nothing_is_said(void **state)
{
	struct profile *p = profile_new();
	struct frame_order *o = frame_order_new(), *copy;

	(void)state;
	assert_true(frame_order_update(o, p));
	expect(o, p);
	copy = frame_order_copy(o);
	assert_non_null(copy);
	expect(copy, p);
	assert_int_equal(frame_order_first(o), 0);
	assert_int_equal(frame_order_last(o), 0);
	frame_order_free(copy);
	frame_order_free(o);
	profile_free(p);
}

/* Ascending and descending lengths would be a list in a tree that nobody balances: with 100,000 of them this
 * test would take minutes, and the stack would not hold it. */
static void lengths_in_any_order_are_quick(void **state)
{
	enum { FRAMES = 100000 };

	(void)state;
	for (int way = 0; way < 2; way++) {
		struct profile *p = profile_new();
		struct frame_order *o = frame_order_new();

		for (uint32_t i = 1; i <= FRAMES; i++) {
			assert_true(profile_add_frame(p, i, 0, way ? i : FRAMES + 1 - i, 0));
			if (i % 1000 == 0 || i < 10)
				assert_true(frame_order_update(o, p));
		}
		assert_int_equal(frame_order_count(o), FRAMES);
		assert_int_equal(frame_order_percentile(o, 500), FRAMES / 2);
		profile_drop_frames(p, FRAMES - 3);
		assert_true(frame_order_update(o, p));
		assert_int_equal(frame_order_count(o), 3);
		assert_int_equal(frame_order_percentile(o, 500), way ? FRAMES - 1 : 2);
		frame_order_free(o);
		profile_free(p);
	}
}

static void any_lengths_are_survived(void **state)
{
	static const int64_t lengths[] = { 1, INT64_MAX, INT64_MAX - 1, INT64_MIN, -1, 0, INT64_MAX };
	static const int64_t edges[] = { INT64_MIN, 0, INT64_MAX, INT64_MAX };
	struct profile *p = profile_new();
	struct frame_order *o = frame_order_new();
	uint32_t counts[3];

	(void)state;
	for (uint32_t i = 0; i < 7; i++)
		assert_true(profile_add_frame(p, i ? UINT64_MAX - 7 + i : 0, 0, lengths[i], 0));
	assert_true(frame_order_update(o, p));
	assert_true(frame_order_update(o, p));
	assert_int_equal(frame_order_percentile(o, 1000), INT64_MAX);
	assert_int_equal(frame_order_last(o), UINT64_MAX - 1);
	frame_order_histogram(o, edges, 3, counts);
	assert_int_equal(counts[0], 0);
	frame_order_free(o);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_no_frames_nothing_is_said),
		cmocka_unit_test(it_says_what_a_sort_says),
		cmocka_unit_test(lengths_in_any_order_are_quick),
		cmocka_unit_test(any_lengths_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

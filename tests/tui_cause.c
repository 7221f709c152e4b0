/* SPDX-License-Identifier: MIT */
/*
 * Causes of a zone's heat, in words and in the pane of a call graph; times without the cost of measuring, and
 * the star of a zone that costs much; driven by keys.
 */
#include <math.h>

#include "model/stats/cause.h"
#include "tests/tui_stage.h"
#include "tui/views/detail.h"

#define GAMES 40

/* Words */

static void expect_words(struct variance v, const char *expected)
{
	char text[CAUSE_TEXT];

	cause_varies_text(&v, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void shares_in_words(void **state)
{
	struct variance v = { .frames = 100, .known = true, .calls = 0.706, .cost = 0.294 };

	(void)state;
	expect_words(v, "71 % call count, 29 % time per call");
	v.calls = 0.335;
	v.cost = 0.335;
	v.carried = 0.33;
	expect_words(v, "34 % call count, 33 % time per call, 33 % carried over");
	v = (struct variance){ .frames = 100, .known = true, .calls = 1.4, .cost = -0.4 };
	expect_words(v, "140 % call count, -40 % time per call");
	v.known = false;
	expect_words(v, "none");
	v.frames = VARIANCE_FRAMES - 1;
	expect_words(v, "- (needs 30 frames)");
}

static void counters_in_words(void **state)
{
	struct profile *p = stage_game(1);
	uint32_t counter = profile_add_counter(p, "evil\033[2J name that is longer than there is room for", false, false);
	struct correlation c = { .counter = counter, .thread = 0, .with = { { 40, 0.8249, false }, { 40, -1, true } } };
	char text[CAUSE_TEXT];

	(void)state;
	cause_counter_text(p, &c, CORRELATE_LENGTH, false, text, sizeof(text));
	assert_string_equal(text, "evil\\x1B[2J name that is (main) +0.82");
	c.thread = PROFILE_NONE;
	cause_counter_text(p, &c, CORRELATE_TIME, false, text, sizeof(text));
	assert_string_equal(text, "growth of evil\\x1B[2J name that is -1.00");
	profile_free(p);
}

/* The pane */

/* ai takes 3 to 9 ms, always in two calls; `shots` says how many, `bytes` grows by as much. */
static struct profile *restless_game(uint32_t frames)
{
	struct profile *p = stage_game(0);
	uint32_t shots = profile_add_track(p, profile_add_counter(p, "shots", false, false), 0, 0);
	uint32_t bytes = profile_add_track(p, profile_add_counter(p, "bytes", false, true), PROFILE_NONE, 0);
	int64_t sum = 0;

	for (uint32_t i = 0; i < frames; i++) {
		int ai = 3 + (int)(i * 5 % 7);
		int64_t tick = p->now_tick + 1;
		struct profile_change a = { .tick = tick, .last.whole = 100 - ai };
		struct profile_change b = { .tick = tick, .last.whole = sum += ai };

		stage_frame(p, i + 1, (struct stage_frame){ ai, 2, 4 });
		a.tick = b.tick = p->frames[i].start + 1;
		a.least = a.most = a.last;
		b.least = b.most = b.last;
		assert_true(profile_add_change(p, shots, &a));
		assert_true(profile_add_change(p, bytes, &b));
	}
	return p;
}

static uint32_t key_of(struct query *l, const struct profile *p, const char *name)
{
	uint32_t key;

	assert_int_equal(keys_parse(query_keys(l), p, name, &key), KEYS_FOUND);
	return key;
}

static void expect_pane(const struct look *look, const char *zone, int width, int height, const char *expected)
{
	struct canvas c = { 0 };

	lines_begin(&c, width, height, false);
	detail_cause_draw(look, key_of(look->query, look->profile, zone), &c, (struct area){ 0, 0, width, height });
	lines_expect(&c, expected);
	canvas_fini(&c);
}

static void a_pane_says_what_goes_with_it(void **state)
{
	struct profile *p = restless_game(GAMES);
	struct look look = { .query = query_new(p), .profile = p };

	(void)state;
	assert_int_equal(detail_cause_lines(&look, key_of(look.query, p, "ai")), 3);
	assert_int_equal(detail_cause_lines(&look, key_of(look.query, p, "draw")), 2);
	expect_pane(&look, "ai", 90, 3,
		    "variation: 0 % call count, 100 % time per call\n"
		    "correlates with its self time: shots (main) −1.00   growth of bytes +1.00\n"
		    "correlates with the frame's length: shots (main) −1.00   growth of bytes +1.00\n");
	expect_pane(&look, "ai", 120, 1,
		    "variation: 0 % call count, 100 % time per call   "
		    "correlates with its self time: shots (main) −1.00\n");
	expect_pane(&look, "ai", 70, 2,
		    "variation: 0 % call count, 100 % time per call\n"
		    "correlates with its self time: shots (main) −1.00\n");
	expect_pane(&look, "draw", 90, 2,
		    "variation: none\n"
		    "correlates with the frame's length: shots (main) −1.00   growth of bytes +1.00\n");
	expect_pane(&look, "ai", 20, 1, "variation: 0 % call\n");
	query_free(look.query);
	profile_free(p);
}

/* The cause of a live process is made once a second. */
static void a_lens_keeps_it_for_a_second(void **state)
{
	struct profile *p = restless_game(GAMES);
	struct query *l = query_new(p);
	uint32_t key = key_of(l, p, "ai");

	(void)state;
	p->process.state = PROFILE_LIVE;
	assert_int_equal(query_cause(l, key)->frames, GAMES);
	stage_frame(p, GAMES + 1, (struct stage_frame){ 9, 2, 4 });
	assert_true(query_update(l));
	assert_int_equal(query_cause(l, key)->frames, GAMES);
	assert_int_equal(query_cause(l, key_of(l, p, "draw"))->frames, GAMES + 1);
	stage_frame(p, GAMES + 2, (struct stage_frame){ 9, 2, 4 });
	p->now_tick += 1000000000;
	assert_true(query_update(l));
	assert_int_equal(query_cause(l, key_of(l, p, "draw"))->frames, GAMES + 2);
	query_free(l);
	profile_free(p);
}

static void the_call_graph_has_it(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 100, 40);
	stage_attach(&t, restless_game(GAMES));
	stage_go(&t, "ai");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "variation: 0 % call count, 100 % time per call");
	stage_expect(&t, "correlates with its self time: shots (main) −1.00   growth of bytes +1.00");
	stage_end(&t);
}

/* What measuring costs */

static void times_are_shown_without_it(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	t.p->process.pair_ns = 20000;
	stage_type(&t, "II");
	stage_expect(&t, "    ray                2.000     2.000      15*");
	stage_expect(&t, "  + ai                 3.000     4.000       2 ");
	stage_type(&t, "O");
	stage_expect(&t, "profiling cost subtracted");
	stage_expect(&t, "    ray                1.850     1.850      15*");
	stage_expect(&t, "  + ai                 2.880     3.780       2 ");
	stage_expect(&t, "16.00 ms");
	stage_type(&t, "O");
	assert_false(stage_shows(&t, "profiling cost subtracted"));
	stage_expect(&t, "    ray                2.000     2.000      15*");
	stage_end(&t);
}

static void it_is_said_where_it_is_not_known(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	o.less_overhead = true;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(5));
	assert_false(stage_shows(&t, "15*"));
	stage_type(&t, "OO");
	stage_expect(&t, "the profiling cost is not known here");
	stage_expect(&t, "    ray                2.000     2.000      15 ");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_in_words),
		cmocka_unit_test(counters_in_words),
		cmocka_unit_test(a_pane_says_what_goes_with_it),
		cmocka_unit_test(a_lens_keeps_it_for_a_second),
		cmocka_unit_test(the_call_graph_has_it),
		cmocka_unit_test(times_are_shown_without_it),
		cmocka_unit_test(it_is_said_where_it_is_not_known),
	};

	return cmocka_run_group_tests_name("tui: cause", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * The view of open stacks: when they are read, what is shown of them, and the ways in and out.
 */
#include "tests/tui_stage.h"

#include "model/stats/open_stacks.h"

#define MS INT64_C(1000000)

static void add(struct open_stacks *o, const struct profile *p, const char *thread, const char *path, int64_t open)
{
	assert_true(open_stacks_add_zone(o, p, dsl_node((struct profile *)p, thread, path),
					 o->threads[o->thread_count - 1].now - open));
}

/* The game at one moment: main is deep in update, a worker in a job, the other one in nothing. */
static struct open_stacks *stacks_of(const struct profile *p)
{
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);

	assert_non_null(o);
	assert_true(open_stacks_add_thread(o, p, 0, false, 1000 * MS, 4500 * MS));
	add(o, p, "main", "update@loop.c:10", 3600 * MS);
	add(o, p, "main", "update@loop.c:10/walk", 3520 * MS);
	add(o, p, "main", "update@loop.c:10/walk/walk", 3500 * MS);
	assert_true(open_stacks_add_thread(o, p, 1, true, 4000 * MS, 4500 * MS));
	add(o, p, "7", "job", 125000 * MS);
	assert_true(open_stacks_add_thread(o, p, 2, false, 4400 * MS, 4500 * MS));
	return o;
}

/* As whoever runs the app does, behind each key and at each look. */
static void serve(struct stage *t, bool at_look)
{
	t->app.now += 0.5;
	if (app_wants_stacks(&t->app, 0, at_look))
		app_take_stacks(&t->app, 0, stacks_of(t->p));
	stage_draw(t);
}

static void press(struct stage *t, uint32_t key)
{
	stage_press(t, key);
	serve(t, false);
}

static void expect_view(const struct stage *t, enum view_kind view)
{
	assert_int_equal(t->app.view, view);
}

static void threads_and_their_zones_are_shown(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	press(&t, 'o');
	stage_expect(&t, " now: 3 threads");
	stage_expect(&t, "THREAD AND ITS OPEN ZONES");
	stage_expect(&t, "> main");
	stage_expect(&t, "frame thread, no zone change for 3.50 s");
	stage_expect(&t, "    update ");
	stage_expect(&t, "3.60 s  loop.c:10");
	stage_expect(&t, "      walk ");
	stage_expect(&t, "        walk ");
	stage_expect(&t, "00:02:05");
	stage_expect(&t, "entering or leaving the last");
	stage_expect(&t, "  pool  (no zone)");
	stage_expect(&t, "100 ms");
	press(&t, 'R');
	stage_expect(&t, "        walk(2) ");
	stage_end(&t);
}

/* As read again: main has been in one zone for 3.6 s. */
static void take_one(struct stage *t, uint32_t node)
{
	struct open_stacks *o = open_stacks_new(t->p, OPEN_ROWS_MOST);

	assert_non_null(o);
	assert_true(open_stacks_add_thread(o, t->p, 0, false, 1000 * MS, 4500 * MS));
	assert_true(open_stacks_add_zone(o, t->p, node, 900 * MS));
	t->app.now += 0.5;
	app_take_stacks(&t->app, 0, o);
	stage_draw(t);
}

/* A place is whole if the names leave space for it, else it has its end. */
static void places_have_the_space_that_names_leave(void **state)
{
	struct stage t;
	uint32_t node, zone;

	(void)state;
	stage_begin(&t, 20);
	node = dsl_node(t.p, "main", "update@loop.c:10");
	zone = t.p->nodes[node].zone;
	assert_true(profile_text(&t.p->zones[zone].file, "../examples/game/world.c"));
	press(&t, 'o');
	take_one(&t, node);
	stage_expect(&t, "3.60 s  ../examples/game/world.c:10");
	assert_true(profile_text(&t.p->zones[zone].name, "a name that takes the space of places"));
	take_one(&t, node);
	stage_expect(&t, "…/game/world.c:10");
	stage_end(&t);
}

static void of_a_dead_program_times_are_the_least(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	t.p->process.state = PROFILE_DEAD;
	app_state(&t.app, 0, SCENE_DEAD, "");
	press(&t, 'o');
	stage_expect(&t, "when it died: 3 threads");
	stage_expect(&t, "≥3.60 s");
	assert_false(stage_shows(&t, "still"));
	lines_begin(&t.c, 40, 10, true);
	t.app.style.ascii = true;
	stage_draw(&t);
	stage_expect(&t, ">=3.60 s");
	stage_end(&t);
}

/* Its last transition entered the innermost zone: for how long it was in there nobody knows. */
static void a_dead_programs_last_zone_has_no_time(void **state)
{
	struct open_stacks *o;
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	t.p->process.state = PROFILE_DEAD;
	app_state(&t.app, 0, SCENE_DEAD, "");
	stage_press(&t, 'o');
	assert_true(app_wants_stacks(&t.app, 0, false));
	o = open_stacks_new(t.p, OPEN_ROWS_MOST);
	assert_non_null(o);
	assert_true(open_stacks_add_thread(o, t.p, 0, false, 4500 * MS, 4500 * MS));
	add(o, t.p, "main", "update@loop.c:10", 0);
	app_take_stacks(&t.app, 0, o);
	stage_draw(&t);
	stage_expect(&t, " -  loop.c:10");
	assert_false(stage_shows(&t, "≥0"));
	stage_end(&t);
}

static void of_an_ended_one_there_are_none(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	t.p->process.state = PROFILE_ENDED;
	app_state(&t.app, 0, SCENE_ENDED, "");
	stage_press(&t, 'o');
	assert_true(app_wants_stacks(&t.app, 0, false));
	app_take_stacks(&t.app, 0, open_stacks_new(t.p, OPEN_ROWS_MOST));
	stage_draw(&t);
	stage_expect(&t, "when it ended: 0 threads");
	stage_expect(&t, "the program has ended");
	stage_end(&t);
}

static void they_are_read_while_they_are_shown(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	assert_false(app_wants_stacks(&t.app, 0, true));
	press(&t, 'o');
	assert_false(app_wants_stacks(&t.app, 0, false));
	assert_true(app_wants_stacks(&t.app, 0, true));
	press(&t, 'o');
	assert_false(app_wants_stacks(&t.app, 0, true));
	stage_end(&t);
}

/* However it was paused; and what is read is what is shown then, whatever the program does. */
static void pausing_takes_those_of_the_moment(void **state)
{
	static const char *const keys[] = { "p", "[", "{" };

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct stage t;

		stage_begin(&t, 20);
		stage_type(&t, keys[i]);
		assert_true(app_wants_stacks(&t.app, 0, false));
		serve(&t, false);
		assert_false(app_wants_stacks(&t.app, 0, true));
		stage_grow(&t, (struct stage_frame){ 3, 2, 4 });
		assert_false(app_wants_stacks(&t.app, 0, true));
		press(&t, 'o');
		stage_expect(&t, "when paused: 3 threads");
		stage_detach(&t);
		stage_expect(&t, "when paused: 3 threads");
		stage_expect(&t, "        walk ");
		stage_end(&t);
	}
}

static void going_live_shows_those_of_now(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	press(&t, 'o');
	press(&t, 'p');
	stage_expect(&t, "when paused");
	stage_press(&t, 'p');
	assert_true(app_wants_stacks(&t.app, 0, false));
	serve(&t, false);
	stage_expect(&t, "now: 3 threads");
	stage_end(&t);
}

static void o_and_escape_go_back(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	for (const char *view = "124"; *view; view++) {
		enum view_kind before;

		press(&t, (unsigned char)*view);
		before = t.app.view;
		press(&t, 'o');
		expect_view(&t, VIEW_STACKS);
		press(&t, 'o');
		expect_view(&t, before);
		press(&t, 'o');
		press(&t, STAGE_ESCAPE);
		expect_view(&t, before);
		assert_false(t.effects & EFFECT_QUIT);
	}
	stage_end(&t);
}

static void enter_goes_into_the_call_graph_in_that_thread(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	press(&t, 'o');
	stage_type(&t, "jj");
	press(&t, STAGE_ENTER);
	expect_view(&t, VIEW_GRAPH);
	stage_expect(&t, "path: [walk]");
	stage_expect(&t, " main  ");
	press(&t, TERM_LEFT);
	expect_view(&t, VIEW_STACKS);
	assert_int_equal(stage_at(&t), 2); /* the cursor is where it was */
	stage_type(&t, "jjj");
	press(&t, STAGE_ENTER);
	stage_expect(&t, "path: [job]");
	stage_expect(&t, " pool  ");
	press(&t, 'o');
	expect_view(&t, VIEW_STACKS);
	press(&t, 'o');
	expect_view(&t, VIEW_SELF);
	press(&t, 'o');
	press(&t, TERM_HOME);
	press(&t, STAGE_ENTER);
	stage_expect(&t, "no zone here to open");
	stage_end(&t);
}

/* From a call graph there is always a way out. */
static void from_a_call_graph_and_back(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	stage_go(&t, "draw");
	press(&t, STAGE_ENTER);
	press(&t, 'o');
	press(&t, 'o');
	stage_expect(&t, "path: [draw]");
	press(&t, 'o');
	press(&t, 'j');
	press(&t, STAGE_ENTER);
	stage_expect(&t, "path: [update]");
	press(&t, STAGE_ESCAPE);
	expect_view(&t, VIEW_STACKS);
	press(&t, STAGE_ESCAPE);
	expect_view(&t, VIEW_SELF);
	stage_end(&t);
}

/* Ways back end, whatever was opened in whatever. */
static void no_way_back_goes_in_a_circle(void **state)
{
	static const char keys[] = "oooocc3\rj124";
	uint64_t random = 5;
	struct stage t;
	char way[64];

	(void)state;
	stage_begin(&t, 20);
	stage_type(&t, "[[ma]]mb");
	for (int round = 0; round < 200; round++) {
		int length = 1 + round % 20, back = 0;

		for (int i = 0; i < length; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			way[i] = keys[(random >> 33) % (sizeof(keys) - 1)];
			way[i + 1] = '\0';
			press(&t, (unsigned char)way[i]);
		}
		stage_press(&t, STAGE_ESCAPE); /* what was said */
		while (app_view(&t.app)->ops->guest || t.app.view == VIEW_GRAPH) {
			press(&t, STAGE_ESCAPE);
			if (++back > VIEWS)
				fail_msg("behind '%s' escape leads nowhere", way);
		}
	}
	stage_end(&t);
}

static void searched_and_filtered(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	press(&t, 'o');
	stage_type(&t, "/job\r");
	assert_int_equal(stage_at(&t), 5);
	stage_type(&t, "\\pool\r");
	assert_int_equal(table_count(&app_view(&t.app)->table), 3);
	stage_expect(&t, "filter: pool (hides 4)");
	serve(&t, true);
	stage_expect(&t, "filter: pool (hides 4)");
	stage_type(&t, "1");
	assert_false(stage_shows(&t, "filter")); /* it is not theirs */
	stage_end(&t);
}

/* The cursor stays on its zone, and where that is gone, in its line until it is back. */
static void the_cursor_stays(void **state)
{
	struct stage t;
	struct open_stacks *o;

	(void)state;
	stage_begin(&t, 20);
	press(&t, 'o');
	stage_type(&t, "jjj");
	o = open_stacks_new(t.p, OPEN_ROWS_MOST);
	assert_true(open_stacks_add_thread(o, t.p, 0, false, 1, 2));
	assert_true(open_stacks_add_thread(o, t.p, 1, false, 1, 2));
	assert_true(open_stacks_add_thread(o, t.p, 2, false, 1, 2));
	t.app.now += 0.5;
	app_take_stacks(&t.app, 0, o);
	stage_draw(&t);
	assert_int_equal(stage_at(&t), 2);
	serve(&t, true);
	assert_int_equal(stage_at(&t), 3);
	stage_end(&t);
}

/* The list of threads says what each is in, is renewed while it is open, and stays in its order. */
static void the_list_of_threads_has_the_innermost_zone(void **state)
{
	struct stage t;
	struct open_stacks *o;

	(void)state;
	stage_begin(&t, 20);
	assert_false(app_wants_stacks(&t.app, 0, true));
	press(&t, 'T');
	stage_expect(&t, " ms max  walk  id 1");
	stage_expect(&t, " ms max  job  id 7");
	stage_expect(&t, " ms max  (no zone)  id 8");
	stage_press(&t, TERM_END);
	o = open_stacks_new(t.p, OPEN_ROWS_MOST);
	assert_true(open_stacks_add_thread(o, t.p, 0, false, 1000 * MS, 4500 * MS));
	add(o, t.p, "main", "update@loop.c:10", 3600 * MS);
	t.app.now += 0.5;
	assert_true(app_wants_stacks(&t.app, 0, true));
	app_take_stacks(&t.app, 0, o);
	stage_draw(&t);
	stage_expect(&t, " ms max  update  id 1");
	stage_expect(&t, " ms max  id 8"); /* it was not read */
	assert_int_equal(t.app.ask.picker.at, t.app.ask.picker.count - 1);
	press(&t, TERM_ESCAPE);
	assert_false(app_wants_stacks(&t.app, 0, true));
	stage_type(&t, "p");
	serve(&t, false);
	press(&t, 'T');
	stage_expect(&t, " ms max  id 1"); /* the moment of a pause is not that of the frame */
	stage_end(&t);
}

static void expect_list(int width, bool paused, const char *row)
{
	struct app_options o = stage_options();
	struct stage t;

	stage_open(&t, &o, width, 16);
	stage_attach(&t, stage_game(20));
	if (paused)
		press(&t, 'p');
	press(&t, 'T');
	stage_expect(&t, row);
	stage_end(&t);
}

/* The rest has to find room beside them. */
static void of_a_thread_first_how_busy_it_is_and_in_what(void **state)
{
	(void)state;
	expect_list(80, false, "│ main   93.8 % busy    0.0 % waits       ▇▇▇  15.0 ms max  walk  id 1");
	expect_list(70, false, "│ main   93.8 % busy    0.0 % waits       ▇▇▇  walk  id 1");
	expect_list(52, false, "│ main   93.8 % busy    0.0 % waits  walk  i");
	expect_list(40, false, "│ main   93.8 % busy  walk  id 1");
	expect_list(40, true, "│ main   93.8 % busy    0.0 % waits  ");
}

static void expect_off_cpu(int width, const int64_t main[DSL_CPU_MEASURES], const int64_t job[DSL_CPU_MEASURES], const char *row,
			   const char *other)
{
	struct app_options o = stage_options();
	struct stage t;

	stage_open(&t, &o, width, 16);
	stage_attach(&t, stage_game(20));
	for (uint64_t n = 1; n <= 20; n++) {
		dsl_cpu_amounts(t.p, n, t.p->threads[0].name, main);
		dsl_cpu_amounts(t.p, n, t.p->threads[1].name, job);
	}
	press(&t, 'T');
	stage_expect(&t, row);
	stage_expect(&t, other);
	stage_end(&t);
}

/* A thread that ran all the time says nothing. The list has the same width, whatever the share. */
static void of_a_thread_how_long_it_was_off_a_core(void **state)
{
	const int64_t half[] = { 8 * MS, 8 * MS, 1, 1, 1, 1 }, little[] = { 8 * MS, 159999, 1, 1, 1, 1 };
	const int64_t hundredth[] = { 15 * MS, 160000, 1, 1, 1, 1 }, unknown[] = { 8 * MS, -1, 1, 1, 1, 1 };

	(void)state;
	expect_off_cpu(80, half, little, "│ main   93.8 % busy    0.0 % waits   50.0 % off CPU       ▇▇▇  walk  id 1 ",
		       "12.5 % busy    0.0 % waits                        ▇▇▇  job  id 7 ");
	expect_off_cpu(80, hundredth, unknown, "│ main   93.8 % busy    0.0 % waits    1.0 % off CPU       ▇▇▇  walk  id 1 ",
		       "12.5 % busy    0.0 % waits                        ▇▇▇  job  id 7 ");
	expect_off_cpu(64, half, half, "│ main   93.8 % busy    0.0 % waits       ▇▇▇  walk  id 1", "12.5 % busy");
	expect_off_cpu(120, half, half, " 50.0 % off CPU       ▇▇▇  15.0 ms max  walk  id 1", "12.5 % busy");
}

/* Its end tells it from others. */
static void the_name_of_a_thread_keeps_its_end(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 40, 16);
	stage_attach(&t, stage_game(20));
	assert_true(profile_text(&t.p->threads[1].name, "image decoder 17"));
	assert_true(profile_text(&t.p->threads[2].name, "image decoder 18"));
	press(&t, 'T');
	stage_expect(&t, "image …der 17   12.5 % busy  id 7");
	stage_expect(&t, "image …der 18   18.8 % busy  id 8");
	stage_end(&t);
	stage_open(&t, &o, 20, 6);
	stage_attach(&t, stage_game(20));
	press(&t, 'T');
	stage_expect(&t, "│ main   93.8 %    │");
	stage_end(&t);
}

static void every_size(void **state)
{
	static const int sizes[][2] = { { 20, 5 }, { 1, 1 }, { 80, 24 }, { 200, 50 }, { 3, 40 }, { 40, 3 } };
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	press(&t, 'o');
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		lines_begin(&t.c, sizes[i][0], sizes[i][1], i & 1);
		stage_draw(&t);
		press(&t, TERM_DOWN);
		press(&t, TERM_PAGE_DOWN);
		press(&t, TERM_HOME);
	}
	lines_begin(&t.c, 20, 5, false);
	stage_draw(&t);
	stage_expect(&t, "> main");
	stage_expect(&t, "3.60 s");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_and_their_zones_are_shown),
		cmocka_unit_test(places_have_the_space_that_names_leave),
		cmocka_unit_test(of_a_dead_program_times_are_the_least),
		cmocka_unit_test(a_dead_programs_last_zone_has_no_time),
		cmocka_unit_test(of_an_ended_one_there_are_none),
		cmocka_unit_test(they_are_read_while_they_are_shown),
		cmocka_unit_test(pausing_takes_those_of_the_moment),
		cmocka_unit_test(going_live_shows_those_of_now),
		cmocka_unit_test(o_and_escape_go_back),
		cmocka_unit_test(enter_goes_into_the_call_graph_in_that_thread),
		cmocka_unit_test(from_a_call_graph_and_back),
		cmocka_unit_test(no_way_back_goes_in_a_circle),
		cmocka_unit_test(searched_and_filtered),
		cmocka_unit_test(the_cursor_stays),
		cmocka_unit_test(the_list_of_threads_has_the_innermost_zone),
		cmocka_unit_test(of_a_thread_first_how_busy_it_is_and_in_what),
		cmocka_unit_test(of_a_thread_how_long_it_was_off_a_core),
		cmocka_unit_test(the_name_of_a_thread_keeps_its_end),
		cmocka_unit_test(every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

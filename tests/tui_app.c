/* SPDX-License-Identifier: MIT */
/*
 * The live screen, driven as by hands: keys and the mouse in, what is seen out. No terminal, no
 * process, no clock.
 */
#include "tests/long.h"
#include "tests/tui_stage.h"

/* Views */

static void it_waits_and_says_for_what(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	stage_expect(&t, "there is no region 'demo' yet");
	stage_expect(&t, "Press A to choose a program. Or start one that is linked with libprof");
	stage_type(&t, "5"); /* keys that do nothing yet are not offered */
	assert_false(stage_shows(&t, "z By zone"));
	assert_false(stage_shows(&t, "8 Flame"));
	stage_type(&t, "1");
	stage_attach(&t, stage_game(3));
	assert_false(stage_shows(&t, "there is no region"));
	stage_expect(&t, "game[4711]  LIVE");
	stage_end(&t);
	o.starts = true; /* as `proftop -- PROGRAM` has it: nobody is to start it again */
	stage_open(&t, &o, 80, 24);
	assert_false(stage_shows(&t, "Start a program"));
	stage_expect(&t, "as soon as it enters a zone");
	stage_end(&t);
}

static void a_screen_shows_the_newest_frame(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	lines_begin(&t.c, 80, 20, true);
	t.app.style.ascii = true;
	stage_draw(&t);
	lines_expect(&t.c,
"game[4711]  LIVE 00:00:00  62.5 fps  16.00 ms  1.2 cores  p99 16.0  max 16.0\n"
" 20.0+--------------------------------------------------------------------------\n"
"     |                                                                     :::::\n"
"   ms                                                                        now\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event .. main  newest frame\n"
"    ZONE           SELF ms v   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%        ##     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%        ##     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%        ##     .     0.900\n"
"    ray                2.000     2.000      15   12.5%        ##     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%        ##     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%        ##     .     0.800\n"
"  + update             1.000    11.000       1    6.3%        ##     .     1.000\n"
"    (no zone)          1.000         -       -    6.3%        ##               -\n"
"\n\n\n\n"
" region -, 80.0 ms of history   running\n"
"Right Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit    1/8\n");
	stage_end(&t);
}

/* A message that nobody asked for takes the last line alone, and goes by itself. */
static void what_is_mentioned_covers_no_row(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	lines_begin(&t.c, 20, 5, false);
	app_mention(&t.app, "output of /opt/game -> /tmp/proftop-game.4711.out");
	stage_draw(&t);
	lines_expect(&t.c,
"game[4711]  LIVE\n"
"    ZONE    SELF ms▼\n"
">   draw       4.000\n"
"  + ai         3.000\n"
"output of /opt/game…\n");
	t.app.now += 9;
	stage_draw(&t);
	assert_false(stage_shows(&t, "output of"));
	app_say(&t.app, "an answer that is longer than the line");
	stage_draw(&t);
	assert_false(stage_shows(&t, "draw"));
	stage_end(&t);
}

static void why_there_is_no_row_is_not_cut(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "\\zzz\r");
	lines_begin(&t.c, 20, 5, false);
	*t.app.said.text = '\0';
	stage_draw(&t);
	lines_expect(&t.c,
"game[4711]  LIVE\n"
"    ZONE    SELF ms▼\n"
"  no match for the\n"
"  filter\n"
"running\n");
	stage_end(&t);
}

static void a_digit_opens_a_view(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_expect(&t, "[1 Self]");
	stage_type(&t, "2");
	stage_expect(&t, "[2 Hier]");
	assert_string_equal(stage_rows(&t), "update ai draw physics walk ray leaf (no zone)");
	stage_type(&t, "4");
	stage_expect(&t, "[4 Tree]");
	assert_string_equal(stage_rows(&t), "all update ai ray physics ray walk walk leaf draw");
	stage_type(&t, "1");
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	stage_type(&t, "3");
	stage_expect(&t, "[3 Graph]");
	stage_expect(&t, "path: [draw]");
	stage_end(&t);
}

/* The cursor */

/* Unless somebody wants it to follow its zone, the cursor stays in its line, and other frames and views show their top.
 * What was drilled or pinned has the cursor all the same. */
static void the_cursor_stays_in_its_line(void **state)
{
	static const char *const tops[] = { "[", "w", "2", "4", "1", "I", "T\r", "\\a\r", "U" };
	struct stage t;

	(void)state;
	for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		stage_begin(&t, 5);
		stage_type(&t, strcmp(tops[i], "1") ? strcmp(tops[i], "U") ? "jj" : "4jj" : "2jj");
		stage_type(&t, tops[i]);
		assert_int_equal(stage_at(&t), 0);
		stage_end(&t);
	}
	stage_begin(&t, 5);
	stage_go(&t, "physics");
	stage_grow(&t, (struct stage_frame){ .ai = 1, .physics = 9, .draw = 4 });
	assert_int_equal(stage_at(&t), 2);
	assert_string_equal(stage_cursor(&t), "ray");
	stage_type(&t, "l");
	stage_grow(&t, (struct stage_frame){ .ai = 9, .physics = 9, .draw = 9 });
	stage_press(&t, TERM_LEFT);
	assert_string_equal(stage_cursor(&t), "ray");
	stage_type(&t, " ");
	assert_string_equal(stage_cursor(&t), "ray");
	assert_int_equal(stage_at(&t), 0);
	stage_end(&t);
}

static void a_cursor_that_follows_stays_on_its_zone(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "physics");
	stage_type(&t, "@");
	stage_expect(&t, "@ cursor stays on its zone");
	stage_type(&t, "2");
	assert_string_equal(stage_cursor(&t), "physics");
	stage_type(&t, "[");
	assert_string_equal(stage_cursor(&t), "physics");
	stage_type(&t, ":track\r");
	assert_false(stage_shows(&t, "@ cursor stays on its zone"));
	stage_type(&t, "[");
	assert_int_equal(stage_at(&t), 0);
	stage_end(&t);
}

static void the_cursor_stays_on_its_zone(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "physics");
	stage_type(&t, "@");
	assert_int_equal(stage_at(&t), 2);
	t.app.now += 1;
	stage_grow(&t, (struct stage_frame){ .ai = 1, .physics = 9, .draw = 4 });
	assert_string_equal(stage_cursor(&t), "physics");
	assert_int_equal(stage_at(&t), 0);
	t.app.now += 1;
	stage_grow(&t, (struct stage_frame){ .ai = 8, .physics = 0, .draw = 4 });
	assert_string_equal(stage_cursor(&t), "physics");
	assert_int_not_equal(stage_at(&t), 0);
	stage_end(&t);
}

/* A user who asks for another order wants to see its first rows. */
static void another_order_is_looked_at_from_its_top(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "physics");
	stage_type(&t, "I");
	assert_int_equal(stage_at(&t), 0);
	stage_go(&t, "physics");
	stage_type(&t, ">");
	assert_int_equal(stage_at(&t), 0);
	stage_end(&t);
}

/* A frame of which only the length is known is not one in which nothing was done. */
static void a_frame_whose_parts_are_gone_says_so(void **state)
{
	const struct profile_part gone = { .thread = 0, .flags = PART_LAPPED };
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	assert_true(profile_set_part(t.p, 3, &gone));
	stage_type(&t, "p[[");
	stage_expect(&t, "PAUSED  frame 3");
	stage_expect(&t, "what threads did in this frame is not known any more");
	stage_end(&t);
}

/* Rows of the other threads are not all of the frame: the title says whose slice is missing. */
static void the_title_says_whose_slice_is_gone(void **state)
{
	const struct profile_part gone = { .thread = 0, .flags = PART_LAPPED }, lost = { .thread = 1, .flags = PART_MISSING };
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	assert_true(profile_set_part(t.p, 3, &gone));
	assert_true(profile_set_part(t.p, 2, &gone));
	assert_true(profile_set_part(t.p, 2, &lost));
	stage_press(&t, 'T');
	stage_press(&t, TERM_HOME);
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, ":frame 4\r");
	assert_false(stage_shows(&t, "gone"));
	stage_type(&t, "[");
	stage_expect(&t, "main: slice gone");
	stage_type(&t, "[");
	stage_expect(&t, "main, 1 more: slices gone");
	stage_end(&t);
}

/* A row moves at the next refresh if it exceeds its neighbour by more than a tenth; all rows are in exact order after two
 * seconds. */
static void rows_keep_their_order(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	stage_grow(&t, (struct stage_frame){ .ai = 90, .physics = 80, .draw = 89 });
	stage_expect(&t, "90.000");
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	stage_grow(&t, (struct stage_frame){ .ai = 90, .physics = 99, .draw = 80 });
	assert_string_equal(stage_rows(&t), "ai physics draw ray walk leaf update (no zone)");
	stage_grow(&t, (struct stage_frame){ .ai = 90, .physics = 98, .draw = 99 });
	assert_string_equal(stage_rows(&t), "draw physics ai ray walk leaf update (no zone)");
	stage_grow(&t, (struct stage_frame){ .ai = 98, .physics = 98, .draw = 91 });
	stage_type(&t, "<>");
	assert_string_equal(stage_rows(&t), "ai physics draw ray walk leaf update (no zone)");
	stage_end(&t);
}

/* When no more data come, as of a program that has ended, rows do not keep an order that their numbers contradict. */
static void rows_are_in_order_when_the_data_end(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_grow(&t, (struct stage_frame){ .ai = 90, .physics = 80, .draw = 89 });
	app_state(&t.app, 0, SCENE_ENDED, "");
	stage_draw(&t);
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	t.app.now += 1.3;
	stage_type(&t, "j"); /* rows stay under a cursor that moves */
	t.app.now += 1.3;
	stage_draw(&t);
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	t.app.now += 0.2;
	stage_draw(&t);
	assert_string_equal(stage_rows(&t), "ai draw physics ray walk leaf update (no zone)");
	assert_int_equal(stage_at(&t), 1);
	stage_end(&t);
}

/* Of sums alone, no longest call is known: the column MAX would be empty. */
static void without_a_known_longest_call_there_is_no_max(void **state)
{
	struct app_options o = stage_options();
	struct stage t;
	char text[128];

	(void)state;
	snprintf(text, sizeof(text), "frame 1 16000000\nmain draw 9000000 3 %lld\nmain poll 2000000 1 %lld\n",
		 (long long)PROFILE_LONGEST_UNKNOWN, (long long)PROFILE_LONGEST_UNKNOWN);
	stage_open(&t, &o, 100, 24);
	stage_attach(&t, dsl_profile(text));
	stage_expect(&t, "draw ");
	assert_false(stage_shows(&t, "MAX ms"));
	dsl_grow(t.p, "frame 2 16000000\nmain draw 9000000 3 4000000\n");
	stage_data(&t);
	stage_expect(&t, "MAX ms");
	stage_end(&t);
}

/* The call graph says that other threads call the zone, too. */
static void a_call_graph_says_who_else_calls_the_zone(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	o.view = VIEW_GRAPH;
	o.zone = "path";
	stage_open(&t, &o, 100, 24);
	stage_attach(&t, dsl_profile("frame 1 16000000\nmain ai/path 9000000 3\n7 plan/path 2000000 1\n8 plan/path 2000000 1\n9 plan 5 1\n"));
	assert_false(stage_shows(&t, "also called")); /* all threads are shown */
	stage_type(&t, ".");
	stage_expect(&t, "path: [path]  also called in 2 other threads: T");
	stage_end(&t);
}

/* Three threads wait all the time, and b takes over from a: the order is that of what is shown, however little it is
 * beside the waits. */
static void waits_do_not_hold_the_order_of_work(void **state)
{
	static const char frame[] = "frame %d 20000000\nmain poll 19580000 1\nmain a %d 1\nmain b %d 1\n"
				    "7 idle 20000000 1\n8 idle 20000000 1\n9 idle 20000000 1\n";
	struct app_options o = stage_options();
	struct profile *p = profile_new();
	char text[512];
	struct stage t;

	(void)state;
	o.thread = "all";
	profile_add_zone(p, "poll", "", 0, ZONE_WAITING);
	profile_add_zone(p, "idle", "", 0, ZONE_WAITING);
	snprintf(text, sizeof(text), frame, 1, 400000, 20000);
	dsl_grow(p, text);
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, p);
	assert_string_equal(stage_rows(&t), "a b idle poll (no zone)");
	snprintf(text, sizeof(text), frame, 2, 20000, 400000);
	dsl_grow(p, text);
	stage_data(&t);
	assert_string_equal(stage_rows(&t), "b a idle poll (no zone)");
	stage_end(&t);
}

/* Numbers and order wait for half a second after a key that moves the cursor. */
static void rows_stay_under_a_cursor_that_moves(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "j");
	assert_string_equal(stage_cursor(&t), "ai");
	stage_frame(t.p, 6, (struct stage_frame){ .ai = 9, .physics = 12, .draw = 4 });
	t.app.now += 0.4;
	app_data(&t.app, 0);
	stage_type(&t, "kj");
	t.app.now += 0.4;
	stage_type(&t, "j");
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	assert_string_equal(stage_cursor(&t), "physics");
	assert_false(stage_shows(&t, "12.000"));
	t.app.now += 0.5;
	stage_draw(&t);
	assert_string_equal(stage_rows(&t), "physics ai draw ray walk leaf update (no zone)");
	stage_expect(&t, "12.000");
	stage_end(&t);
}

/* A key acts on the row that is shown, also if new data have come behind it. */
static void a_key_acts_on_what_is_shown(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_frame(t.p, 6, (struct stage_frame){ .ai = 9, .physics = 12, .draw = 4 });
	t.app.now += 1;
	app_data(&t.app, 0);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "path: [draw]");
	stage_end(&t);
}

static void work_stands_first(void **state)
{
	struct app_options o = stage_options();
	struct stage t;
	struct profile *p = profile_new();

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	dsl_grow(p, "frame 1 16000000\nmain . 3000000 0\nmain vsync 11000000 1\nmain draw 2000000 1\n");
	stage_open(&t, &o, 100, 30);
	stage_attach(&t, p);
	assert_string_equal(stage_rows(&t), "(no zone) draw vsync");
	assert_string_equal(stage_cursor(&t), "draw");
	stage_expect(&t, "busy 5.000  (no zone 3.000)  waits 11.000 ms");
	stage_type(&t, "i");
	stage_expect(&t, "by size");
	assert_string_equal(stage_rows(&t), "vsync (no zone) draw");
	stage_type(&t, "i");
	assert_string_equal(stage_rows(&t), "(no zone) draw vsync");
	stage_end(&t);
}

/* The first mark says which thread is meant: that does not wait for the next table, which is of that thread. */
static void another_thread_that_marks_is_looked_at_at_once(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	t.p = stage_game(5);
	t.p->threads[0].marking = false;
	stage_attach(&t, t.p);
	stage_expect(&t, "T threads: all (3)");
	stage_expect(&t, "  job ");
	t.p->threads[0].marking = true;
	app_data(&t.app, 0);
	stage_draw(&t);
	stage_expect(&t, " main  ");
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	stage_end(&t);
}

/* A frame of 100 ms in which two threads do so many ms of work; the rest of it they wait. */
static void threaded_frame(struct profile *p, uint64_t number, int main_ms, int worker_ms)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "frame %llu 100000000\nmain wait %d000000 1\nmain draw %d000000 1\nworker wait %d000000 1\nworker job %d000000 1\n",
		 (unsigned long long)number, 100 - main_ms, main_ms, 100 - worker_ms, worker_ms);
	dsl_grow(p, text);
}

static struct profile *threaded(uint64_t frames, int main_ms, int worker_ms)
{
	struct profile *p = dsl_profile("");

	profile_add_zone(p, "wait", "", 0, ZONE_WAITING);
	for (uint64_t n = 1; n <= frames; n++)
		threaded_frame(p, n, main_ms, worker_ms);
	p->threads[0].marking = true;
	return p;
}

static void threaded_grow(struct stage *t, int frames, int main_ms, int worker_ms)
{
	for (int i = 0; i < frames; i++)
		threaded_frame(t->p, t->p->frames[t->p->frame_count - 1].number + 1, main_ms, worker_ms);
	t->app.now += 1;
	stage_data(t);
}

/* Its rows would say nothing: the workers are shown, too, with the key that leads to one of them. */
static void where_the_marking_thread_waits_all_are_shown(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, threaded(10, 1, 80));
	stage_expect(&t, "T threads: all (2)");
	assert_string_equal(stage_rows(&t), "job draw wait (no zone)");
	threaded_grow(&t, 40, 90, 0); /* it was decided */
	stage_expect(&t, "T threads: all (2)");
	stage_detach(&t);
	stage_attach(&t, threaded(10, 60, 80)); /* another run, of which it is decided again */
	stage_expect(&t, " main  ");
	threaded_grow(&t, 40, 1, 80);
	stage_expect(&t, " main  ");
	stage_end(&t);
}

static void threads_are_shown_when_enough_is_known(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, threaded(4, 1, 80));
	stage_expect(&t, " main  ");
	threaded_grow(&t, 1, 1, 80);
	stage_expect(&t, "T threads: all (2)");
	stage_end(&t);
}

static void threads_that_were_chosen_stay(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, threaded(4, 1, 80));
	stage_type(&t, ".");
	stage_expect(&t, " worker  ");
	threaded_grow(&t, 10, 1, 80);
	stage_expect(&t, " worker  ");
	stage_end(&t);
	o.thread = "main";
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, threaded(10, 1, 80));
	stage_expect(&t, " main  ");
	stage_end(&t);
}

/* New data alone change what is shown twice a second, a key at once. */
static void numbers_stay_for_half_a_second(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_frame(t.p, 6, (struct stage_frame){ .ai = 7, .physics = 2, .draw = 4 });
	t.app.now += 0.4;
	app_data(&t.app, 0);
	stage_draw(&t);
	assert_false(stage_shows(&t, "7.000"));
	t.app.now += 0.2;
	stage_draw(&t);
	stage_expect(&t, "7.000");
	stage_frame(t.p, 7, (struct stage_frame){ .ai = 8, .physics = 2, .draw = 4 });
	app_data(&t.app, 0);
	stage_type(&t, "I");
	stage_expect(&t, "8.000");
	stage_end(&t);
}

static void a_cursor_that_nobody_moved_stays_in_its_line(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	t.app.now += 1;
	stage_grow(&t, (struct stage_frame){ .ai = 9, .physics = 1, .draw = 1 });
	assert_int_equal(stage_at(&t), 0);
	assert_string_equal(stage_cursor(&t), "ai");
	stage_end(&t);
}

/* Drilling */

static void drilling_goes_into_the_call_graph(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "2");
	stage_go(&t, "ai");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "[3 Graph]");
	stage_expect(&t, "path: [ai]");
	assert_string_equal(stage_rows(&t), "update ai ray");
	assert_string_equal(stage_cursor(&t), "ai");
	stage_end(&t);
}

static void drilling_on_goes_to_callees_and_callers(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "2");
	stage_go(&t, "ai");
	stage_press(&t, TERM_RIGHT);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "path: ai › [ray]");
	assert_string_equal(stage_rows(&t), "physics ai ray");
	stage_go(&t, "physics");
	stage_type(&t, "l");
	stage_expect(&t, "path: [physics] › ray");
	assert_string_equal(stage_rows(&t), "update physics ray");
	stage_end(&t);
}

static void the_way_back_ends_where_it_began(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "2");
	stage_go(&t, "ai");
	stage_type(&t, "ljl"); /* ai, ray */
	stage_go(&t, "physics");
	stage_type(&t, "l");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "path: ai › [ray]");
	assert_string_equal(stage_cursor(&t), "physics");
	stage_press(&t, TERM_BACKSPACE);
	stage_expect(&t, "path: [ai]\n");
	assert_string_equal(stage_cursor(&t), "ray");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "[2 Hier]");
	assert_string_equal(stage_cursor(&t), "ai");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "[2 Hier]");
	stage_end(&t);
}

static void the_focus_and_the_time_in_no_zone_are_not_drilled(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_press(&t, TERM_END);
	assert_string_equal(stage_cursor(&t), "(no zone)");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "[1 Self]");
	stage_type(&t, "u");
	stage_expect(&t, "[1 Self]");
	stage_go(&t, "draw");
	stage_press(&t, TERM_RIGHT);
	stage_press(&t, TERM_RIGHT);
	assert_string_equal(stage_rows(&t), "(no zone) draw");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "[1 Self]");
	stage_end(&t);
}

static void u_goes_to_the_largest_caller(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "leaf");
	stage_type(&t, "u");
	stage_expect(&t, "path: [walk] › leaf");
	assert_string_equal(stage_cursor(&t), "walk");
	stage_type(&t, "I"); /* whatever the rows are sorted by */
	stage_type(&t, "u");
	stage_expect(&t, "path: [update] › walk › leaf");
	stage_type(&t, "u");
	stage_expect(&t, "path: [update] › walk › leaf");
	stage_press(&t, TERM_LEFT);
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "path: [leaf]");
	stage_end(&t);
}

/* Keys act on what is viewed when they come, not on what was drawn last. */
static void keys_that_come_at_once_do_what_they_do_one_by_one(void **state)
{
	static const char *const keys[] = {
		"R1l", "2R1l", "R2R1jjl", "4R+1ll", "RRuu", "\\ray\rl", "4**jl", "pa[R1jlu", "T\rl1jl",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct stage slow, fast;
		char expected[1024];

		stage_begin(&slow, 5);
		stage_begin(&fast, 5);
		stage_go(&slow, "walk");
		stage_go(&fast, "walk");
		stage_type(&slow, keys[i]);
		for (const char *key = keys[i]; *key; key++)
			stage_unseen(&fast, (unsigned char)*key);
		stage_draw(&fast);
		snprintf(expected, sizeof(expected), "%s", stage_rows(&slow)); /* columns keep the widths of what was drawn */
		assert_string_equal(stage_rows(&fast), expected);
		assert_string_equal(stage_cursor(&fast), stage_cursor(&slow));
		assert_int_equal(fast.app.view, slow.app.view);
		stage_end(&slow);
		stage_end(&fast);
	}
}

/* Paths and recursion */

static void a_path_focus_shows_the_stacks_with_the_path_alone(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "ray");
	stage_press(&t, TERM_RIGHT);
	stage_go(&t, "physics");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "1.2 cores");
	stage_type(&t, "P");
	stage_expect(&t, "only stacks with physics › ray (P)");
	stage_type(&t, "1");
	assert_false(stage_shows(&t, "cores")); /* the path has a part of the time alone */
	assert_string_equal(stage_rows(&t), "ray physics update (no zone)");
	stage_type(&t, "P");
	assert_false(stage_shows(&t, "only stacks"));
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	stage_go(&t, "physics");
	stage_type(&t, "P");
	assert_string_equal(stage_rows(&t), "physics ray update (no zone)");
	stage_end(&t);
}

static void a_path_can_be_left_on_any_row(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "ray");
	stage_type(&t, "P\\nothing\r");
	assert_string_equal(stage_rows(&t), "");
	assert_true(app_applies(&t.app, COMMAND_PATH));
	stage_type(&t, "P");
	assert_false(stage_shows(&t, "only stacks"));
	stage_end(&t);
}

static void recursion_is_spread_and_merged_with_the_path_that_was_drilled(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "R");
	assert_string_equal(stage_rows(&t),
			    "draw ai physics ray leaf update walk walk(2) (no zone)");
	stage_go(&t, "walk");
	stage_press(&t, TERM_RIGHT);
	stage_go(&t, "walk(2)");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "path: walk › [walk(2)]");
	stage_type(&t, "P");
	stage_expect(&t, "only stacks with walk › walk(2) (P)");
	stage_type(&t, "1");
	assert_string_equal(stage_rows(&t), "leaf walk(2) update walk (no zone)");
	stage_type(&t, "R");
	stage_expect(&t, "only stacks with walk › walk (P)");
	assert_string_equal(stage_rows(&t), "leaf walk update (no zone)");
	stage_go(&t, "walk");
	stage_type(&t, "3");
	stage_expect(&t, "path: walk › [walk]");
	stage_type(&t, "R");
	stage_expect(&t, "path: walk › [walk(2)]");
	stage_type(&t, "1");
	assert_string_equal(stage_rows(&t), "leaf walk(2) update walk (no zone)");
	stage_end(&t);
}

/* Order */

static void each_column_can_be_sorted_by(void **state)
{
	struct stage t;
	uint32_t seen = 0;

	(void)state;
	stage_begin(&t, 5);
	for (int i = 0; i < COLUMNS; i++) {
		seen |= 1u << table_report(&app_view(&t.app)->table)->sort;
		stage_type(&t, ">");
	}
	assert_int_equal(seen, app_view(&t.app)->table.shown);
	stage_type(&t, "<");
	for (enum column before; !stage_shows(&t, "SELF ms▼");) {
		before = table_report(&app_view(&t.app)->table)->sort;
		stage_type(&t, ">");
		assert_int_not_equal(table_report(&app_view(&t.app)->table)->sort, before);
	}
	stage_type(&t, ">");
	stage_expect(&t, "HIER ms▼");
	stage_type(&t, "<<");
	assert_string_equal(stage_rows(&t), "ai draw leaf physics ray update walk (no zone)");
	stage_end(&t);
}

static void an_order_is_turned_over_but_no_zone_stays_last(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "I");
	stage_expect(&t, "SELF ms▲");
	assert_string_equal(stage_rows(&t), "leaf update physics ray walk ai draw (no zone)");
	stage_type(&t, "I");
	assert_string_equal(stage_rows(&t), "draw ai physics ray walk leaf update (no zone)");
	stage_end(&t);
}

static void the_picker_of_columns_begins_at_the_one_that_is_sorted_by(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "s");
	stage_expect(&t, "Sort by");
	assert_string_equal(t.app.ask.picker.items[t.app.ask.picker.at].text, "SELF");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	assert_false(stage_shows(&t, "Sort by"));
	stage_expect(&t, "HIER ms▼");
	stage_type(&t, "s");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "HIER ms▼");
	stage_end(&t);
}

/* Searching and filtering */

static void a_search_follows_what_is_typed(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "/a");
	stage_expect(&t, "Search: a");
	assert_string_equal(stage_cursor(&t), "draw");
	stage_type(&t, "i");
	assert_string_equal(stage_cursor(&t), "ai");
	stage_press(&t, TERM_BACKSPACE);
	assert_string_equal(stage_cursor(&t), "draw");
	stage_type(&t, "l");
	assert_string_equal(stage_cursor(&t), "walk");
	stage_press(&t, STAGE_ENTER);
	assert_false(stage_shows(&t, "Search:"));
	stage_end(&t);
}

static void a_search_goes_on_and_back_around(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "walk");
	stage_type(&t, "/A\r"); /* whatever its case */
	assert_string_equal(stage_cursor(&t), "walk");
	stage_type(&t, "n");
	assert_string_equal(stage_cursor(&t), "leaf");
	stage_type(&t, "nn");
	assert_string_equal(stage_cursor(&t), "draw");
	stage_type(&t, "N");
	assert_string_equal(stage_cursor(&t), "update");
	stage_end(&t);
}

static void a_search_that_is_given_up_takes_the_cursor_back(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "ray");
	stage_type(&t, "/leaf");
	assert_string_equal(stage_cursor(&t), "leaf");
	stage_press(&t, STAGE_ESCAPE);
	assert_string_equal(stage_cursor(&t), "ray");
	assert_false(app_applies(&t.app, COMMAND_SEARCH_NEXT));
	stage_type(&t, "n");
	stage_expect(&t, "no search yet");
	stage_type(&t, "/ai\r/leaf");
	assert_string_equal(t.app.ask.prompt.text, "leaf"); /* in the place of what was set */
	stage_press(&t, STAGE_ESCAPE);
	assert_string_equal(stage_cursor(&t), "ai");
	assert_string_equal(t.app.search.text, "ai");
	stage_type(&t, "n");
	assert_string_equal(stage_cursor(&t), "ai");
	stage_end(&t);
}

static void what_a_search_does_not_find_or_understand_is_said(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "/nosuch\r");
	stage_expect(&t, "not found: nosuch");
	assert_string_equal(stage_cursor(&t), "draw");
	stage_type(&t, "n");
	stage_expect(&t, "not found: nosuch");
	stage_type(&t, "/job\r");
	stage_expect(&t, "not found here: job (the program has such a zone; T shows other threads)");
	stage_type(&t, "/~^(ray|leaf)$\r");
	assert_string_equal(stage_cursor(&t), "ray");
	stage_type(&t, "/~(\r");
	stage_expect(&t, "'(' is not a regular expression");
	assert_false(app_applies(&t.app, COMMAND_SEARCH_NEXT));
	stage_end(&t);
}

/* Outside of prompts and lists it does nothing, not even to a message. In them
 * no newline chooses or submits. */
static void pasted_text_is_typed_and_no_key(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "/zzz\r");
	stage_expect(&t, "not found: zzz");
	stage_paste(&t, "q\rQ\n2/");
	assert_int_equal(t.effects, EFFECT_NONE);
	stage_expect(&t, "not found: zzz");
	stage_type(&t, "m");
	stage_paste(&t, "a");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, "\\");
	stage_paste(&t, "\nra\n");
	stage_expect(&t, "Filter: ra");
	assert_int_equal(t.app.ask.overlay, OVERLAY_PROMPT);
	assert_string_equal(t.app.ask.prompt.text, "ra");
	assert_string_equal(stage_rows(&t), "draw ray");
	stage_paste(&t, "y\n");
	assert_string_equal(stage_rows(&t), "ray");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, ":");
	stage_paste(&t, "quit\r\n");
	assert_int_equal(t.app.ask.overlay, OVERLAY_PROMPT);
	assert_string_equal(t.app.ask.prompt.text, "quit");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, "s");
	assert_int_equal(t.app.ask.overlay, OVERLAY_PICKER);
	stage_paste(&t, "hi\r\n");
	assert_int_equal(t.app.ask.overlay, OVERLAY_PICKER);
	assert_string_equal(t.app.ask.picker.typed, "hi");
	stage_end(&t);
}

static void a_filter_leaves_what_matches(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "\\ra");
	stage_expect(&t, "Filter: ra");
	assert_string_equal(stage_rows(&t), "draw ray");
	stage_type(&t, "y\r");
	assert_string_equal(stage_rows(&t), "ray");
	stage_expect(&t, "filter: ray");
	stage_type(&t, "2");
	assert_string_equal(stage_rows(&t), "ray");
	stage_type(&t, "\\x");
	assert_string_equal(stage_rows(&t), "");
	stage_expect(&t, "no match for the filter");
	stage_press(&t, STAGE_ESCAPE);
	assert_string_equal(stage_rows(&t), "ray");
	stage_type(&t, "\\\x15\r"); /* ^U */
	assert_string_equal(stage_rows(&t), "update ai draw physics walk ray leaf (no zone)");
	stage_end(&t);
}

static void a_filter_that_is_no_expression_changes_nothing_and_is_said(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "\\ray\r\\\x15~^(d|a)");
	assert_string_equal(stage_rows(&t), "draw ai");
	stage_type(&t, "(");
	assert_string_equal(stage_rows(&t), "draw ai");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "'^(d|a)(' is not a regular expression");
	assert_int_equal(t.app.ask.overlay, OVERLAY_PROMPT); /* it can be mended */
	stage_press(&t, STAGE_ESCAPE);
	assert_string_equal(stage_rows(&t), "ray");
	stage_end(&t);
}

/* Threads */

static void threads_are_all_merged(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_expect(&t, " main  ");
	stage_type(&t, "T");
	stage_expect(&t, "pool  2 threads of this name, merged");
	stage_press(&t, TERM_HOME);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "T threads: all (3)");
	assert_string_equal(stage_rows(&t), "job draw ai physics ray walk leaf update (no zone)");
	stage_type(&t, "T");
	assert_int_equal(t.app.ask.picker.at, 0);
	stage_end(&t);
}

static void threads_of_a_name_are_picked(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "T");
	stage_press(&t, TERM_HOME);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, " pool (2 threads)");
	stage_expect(&t, "5.000");
	stage_type(&t, "T");
	assert_int_equal(t.app.ask.picker.at, 1);
	stage_end(&t);
}

static void one_thread_is_picked(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "T");
	stage_expect(&t, "main   93.8 % busy"); /* for 1 of 16 ms it is in no zone */
	stage_press(&t, TERM_END);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, " pool  ");
	stage_expect(&t, "2.000"); /* the busier one comes before it */
	stage_type(&t, "Tid 8");
	stage_expect(&t, "busy time): id 8");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "3.000");
	stage_end(&t);
}

/* The list is of few frames, whatever average the view shows: its title says of which. */
static void threads_say_of_which_frames(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_begin(&t, 90);
	stage_type(&t, "T");
	stage_expect(&t, "Threads, last 64 frames (max: longest busy time)");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, ":frame 70\rT");
	stage_expect(&t, "Threads, 64 frames up to #70 (max: longest busy time)");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, ":last 66\rT");
	stage_expect(&t, "Threads, 66 selected frames (max: longest busy time)");
	stage_end(&t);
	stage_open(&t, &o, 20, 5);
	stage_attach(&t, stage_game(5));
	stage_type(&t, "T");
	stage_expect(&t, "last 5 frames");
	stage_end(&t);
	stage_open(&t, &o, 80, 24);
	stage_type(&t, "T"); /* of no program */
	stage_end(&t);
}

/* The list of programs ends with the way to a file. */
static void a_file_is_opened_from_the_list(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	app_regions_begin(&t.app);
	app_region(&t.app, "demo", "demo");
	app_regions_end(&t.app);
	stage_press(&t, TERM_END);
	stage_expect(&t, ":attach FILE opens a recording");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "\n: attach");
	assert_int_equal(t.app.ask.overlay, OVERLAY_PROMPT);
	stage_end(&t);
}

/* The title of the list says which frames an export writes. */
static void the_list_of_exports_says_what(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 90);
	stage_type(&t, "X");
	stage_expect(&t, "Export: all known frames");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, ":frame 70\rX");
	stage_expect(&t, "Export: frame 70");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, ":last 66\rX");
	stage_expect(&t, "Export: frames 5-70");
	stage_end(&t);
}

/* Details that do not fit are left out; the ids of threads of one name go last. */
static void nothing_of_a_thread_is_cut(void **state)
{
	struct app_options o = stage_options();

	(void)state;
	for (int width = 32; width < 110; width++) {
		struct stage t;
		char *text;

		stage_open(&t, &o, width, 24);
		stage_attach(&t, stage_game(5));
		stage_type(&t, "T");
		stage_expect(&t, "id 7");
		stage_expect(&t, "id 8");
		text = lines_text(&t.c);
		if (width >= 40) /* below it the line of all that have the name is cut */
			assert_null(strstr(strstr(text, "id 7"), "…")); /* the tabs above it may be */
		free(text);
		stage_end(&t);
	}
}

static void threads_are_turned_around(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, ",");
	stage_expect(&t, "T threads: all (3)");
	stage_type(&t, ",");
	assert_int_equal(app_threads(&t.app, t.p), 2);
	stage_type(&t, ",,");
	stage_expect(&t, " main  ");
	stage_type(&t, "...");
	stage_expect(&t, "T threads: all (3)");
	stage_type(&t, ".");
	stage_expect(&t, " main  ");
	stage_end(&t);
}

/* How it is shown */

static void the_average_goes_around(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_expect(&t, "newest frame");
	stage_type(&t, "a");
	stage_expect(&t, "avg 0.8 s");
	stage_type(&t, "a");
	stage_expect(&t, "avg 2.5 s");
	stage_type(&t, "a");
	stage_expect(&t, "avg whole run");
	stage_type(&t, "a");
	stage_expect(&t, "newest frame");
	stage_end(&t);
}

static void averages_begin_anew_also_for_what_is_paused(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "aaa");
	stage_type(&t, "r");
	stage_expect(&t, "averages reset");
	dsl_grow(t.p, "main draw 9000000 1\n");
	stage_grow(&t, (struct stage_frame){ .ai = 3, .physics = 2, .draw = 9 });
	stage_expect(&t, "9.000");
	stage_type(&t, "pa");
	stage_expect(&t, "whole run");
	stage_expect(&t, "9.000");
	stage_type(&t, "r");
	stage_expect(&t, "go live first (p)");
	stage_end(&t);
}

static void precision_ends_with_the_units_own(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "eeeeeee");
	stage_expect(&t, "precision: 6");
	stage_type(&t, "e");
	stage_expect(&t, "precision: automatic");
	stage_expect(&t, "4.000 ");
	stage_end(&t);
}

static void a_message_goes_by_itself(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "e");
	stage_expect(&t, "precision: 0");
	t.app.now += 7;
	stage_draw(&t);
	stage_expect(&t, "precision: 0");
	t.app.now += 2;
	stage_draw(&t);
	assert_false(stage_shows(&t, "precision: 0"));
	stage_end(&t);
}

static void a_budget_is_typed_in_ms_or_as_a_rate(void **state)
{
	static const struct {
		const char *typed;
		double ms; /* below 0: it is no budget */
	} budgets[] = {
		{ "16.7", 16.7 }, { "60fps", 1000.0 / 60 }, { "60 fps", 1000.0 / 60 },
		{ "100Hz", 10 }, { "8 ms", 8 }, { "8ms", 8 }, { "", 0 }, { "0", 0 }, { "fast", -1 },
		{ "-3", -1 }, { "0fps", -1 }, { "nan", -1 }, { "inf", -1 }, { "inffps", -1 }, { "1e300", -1 },
		{ "12x", -1 }, { "ms", -1 }, { "fps", -1 },
	};
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	for (size_t i = 0; i < sizeof(budgets) / sizeof(*budgets); i++) {
		t.app.choice.budget_ms = 5;
		stage_type(&t, "b");
		stage_expect(&t, "off): 5"); /* what is set */
		stage_press(&t, 'U' & 0x1f);
		stage_type(&t, budgets[i].typed);
		stage_press(&t, STAGE_ENTER);
		if (budgets[i].ms < 0) {
			stage_expect(&t, "not a time; try 16.7 (ms) or 60fps");
			stage_press(&t, STAGE_ESCAPE);
		}
		assert_true(t.app.choice.budget_ms == (budgets[i].ms < 0 ? 5 : budgets[i].ms));
	}
	stage_type(&t, "b12");
	stage_press(&t, STAGE_ESCAPE);
	assert_true(t.app.choice.budget_ms == 5);
	assert_int_equal(app_budget(&t.app), 5000000);
	stage_end(&t);
}

/* Time */

static struct stage_frame slower(int by)
{
	return (struct stage_frame){ 3, 2, 4 + by };
}

static void begin_with_ever_longer_frames(struct stage *t)
{
	stage_begin(t, 1);
	for (int i = 1; i < 30; i++)
		stage_grow(t, slower(i));
}

static void paused_it_shows_one_frame_after_the_other(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p");
	stage_expect(&t, "PAUSED  frame 30");
	stage_expect(&t, "33.000");
	stage_expect(&t, "this frame");
	stage_type(&t, "[");
	stage_expect(&t, "PAUSED  frame 29");
	stage_expect(&t, "32.000");
	stage_type(&t, "{");
	stage_expect(&t, "PAUSED  frame 19");
	stage_type(&t, "]");
	stage_expect(&t, "PAUSED  frame 20");
	stage_expect(&t, "23.000");
	stage_end(&t);
}

static void steps_end_at_the_oldest_and_the_newest(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p{}}");
	stage_expect(&t, "PAUSED  frame 30");
	stage_type(&t, "{{{{[");
	stage_expect(&t, "PAUSED  frame 1 ");
	stage_end(&t);
}

static void live_again_it_shows_the_newest(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p{p");
	stage_expect(&t, "LIVE");
	stage_expect(&t, "33.000");
	stage_type(&t, "[");
	stage_expect(&t, "PAUSED  frame 29");
	stage_end(&t);
}

static void paused_the_average_is_the_frame_or_the_whole_run(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p[[a");
	stage_expect(&t, "whole run");
	assert_false(stage_shows(&t, "31.000"));
	stage_type(&t, "a");
	stage_expect(&t, "this frame");
	stage_expect(&t, "31.000");
	stage_end(&t);
}

static void the_ends_of_history_are_a_key_away(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "\t");
	assert_true(t.app.screen.graph_focused);
	stage_press(&t, TERM_HOME);
	stage_expect(&t, "PAUSED  frame 1 ");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "PAUSED  frame 2 ");
	stage_press(&t, TERM_END);
	stage_expect(&t, "PAUSED  frame 30");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "PAUSED  frame 29");
	stage_end(&t);
}

static void a_column_of_many_frames_is_its_longest(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	t.app.at->times.graph.zoom = 2; /* 28 to 31, 24 to 27, ... */
	stage_type(&t, "\t");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "PAUSED  frame 27");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "PAUSED  frame 23");
	stage_press(&t, TERM_RIGHT);
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "PAUSED  frame 30");
	stage_end(&t);
}

static void resize(struct stage *t, int width, int height)
{
	lines_begin(&t->c, width, height, t->app.style.ascii);
	stage_draw(t);
}

static void what_is_chosen_is_in_sight_in_each_size(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 150);
	resize(&t, 200, 24);
	stage_type(&t, "p{{{{{{{{{{");
	stage_expect(&t, "PAUSED  frame 50");
	stage_expect(&t, "▲");
	resize(&t, 80, 24);
	stage_expect(&t, "▲");
	resize(&t, 80, 14); /* without a graph */
	stage_type(&t, "{{[");
	stage_expect(&t, "PAUSED  frame 29");
	resize(&t, 80, 24);
	stage_expect(&t, "▲");
	stage_end(&t);
}

static void while_it_is_paused_nothing_changes(void **state)
{
	struct stage t;
	struct cell *before;
	size_t size;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_go(&t, "walk");
	stage_type(&t, "@p[");
	while (app_work(&t.app))
		;
	stage_draw(&t);
	size = (size_t)(t.c.width * t.c.height) * sizeof(*t.c.cells);
	before = malloc(size);
	assert_non_null(before);
	memcpy(before, t.c.cells, size);
	for (int i = 0; i < 20; i++) {
		if (i == 10)
			profile_drop_frames(t.p, 25);
		stage_grow(&t, (struct stage_frame){ 9 + i, 20, 1 });
		t.app.now += 1;
		t.app.stale = true;
		stage_draw(&t);
		assert_memory_equal(t.c.cells + t.c.width, before + t.c.width, size - (size_t)t.c.width * sizeof(*before));
	}
	free(before);
	stage_type(&t, "p");
	stage_expect(&t, "LIVE");
	stage_expect(&t, "28.000");
	assert_string_equal(stage_cursor(&t), "walk");
	stage_end(&t);
}

/* But for the title: it says how old the frame is by now, and whether the program has ended. */
static void paused_the_title_knows_what_became_of_the_program(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p{{");
	stage_press(&t, 0);
	stage_expect(&t, "frame 10  −21 ");
	stage_expect(&t, " pause\n");
	stage_expect(&t, "p Live");
	for (int i = 0; i < 9; i++)
		stage_grow(&t, slower(1));
	stage_press(&t, 0);
	stage_expect(&t, "frame 10  −30 (");
	t.p->process.state = PROFILE_ENDED;
	app_state(&t.app, 0, SCENE_ENDED, "");
	stage_press(&t, 0);
	stage_expect(&t, "the program ended");
	stage_expect(&t, "p Newest");
	stage_end(&t);
}

static bool shows_heat(const struct stage *t)
{
	const struct table *table = &app_view(&t->app)->table;

	for (uint32_t i = 0; i < table_count(table); i++)
		if (table_report(table)->sections[0].rows[i].shown >> COLUMN_HEAT & 1)
			return true;
	return false;
}

/* As the loop of the screen does it. */
static void work(struct stage *t)
{
	while (app_work(&t->app))
		;
	if (t->app.stale)
		stage_draw(t);
}

static void the_heat_of_a_frame_comes_when_it_is_worked_out(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p");
	assert_false(shows_heat(&t));
	work(&t);
	assert_true(shows_heat(&t));
	stage_type(&t, "R"); /* other zones: it is worked out again */
	assert_false(shows_heat(&t));
	work(&t);
	assert_true(shows_heat(&t));
	for (int i = 0; i < 3; i++) {
		stage_type(&t, "pp");
		assert_false(shows_heat(&t));
		work(&t);
		assert_true(shows_heat(&t));
	}
	stage_end(&t);
}

static void a_program_without_frames_can_be_paused(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 0);
	dsl_grow(t.p, "main . 1000000 0\nmain update 7000000 3\n");
	app_data(&t.app, 0);
	stage_type(&t, "p");
	stage_expect(&t, "PAUSED");
	stage_expect(&t, "whole run");
	stage_expect(&t, "7.000");
	dsl_grow(t.p, "main update 1000000 1\n");
	stage_data(&t);
	stage_expect(&t, "7.000");
	stage_type(&t, "[");
	stage_expect(&t, "no frames: the program has marked none");
	stage_type(&t, "p");
	stage_expect(&t, "8.000");
	stage_type(&t, "\t");
	stage_press(&t, TERM_LEFT);
	stage_press(&t, TERM_END);
	stage_type(&t, "+-");
	stage_press(&t, TERM_PAGE_UP);
	stage_end(&t);
}

/* 900 µs are not far from the ms that times in the title had. */
static void the_title_keeps_its_unit(void **state)
{
	struct stage t;
	char text[64];

	(void)state;
	stage_begin(&t, 1);
	stage_expect(&t, "16.00 ms");
	for (int n = 2; n <= 30; n++) {
		snprintf(text, sizeof(text), "frame %d 900000\nmain . 900000 0\n", n);
		dsl_grow(t.p, text);
	}
	app_data(&t.app, 0);
	t.app.now += 1;
	stage_draw(&t);
	stage_expect(&t, "0.900 ms");
	stage_end(&t);
}

static void nothing_to_pause_is_said(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	stage_type(&t, "p");
	stage_expect(&t, "nothing to pause yet");
	stage_type(&t, "[");
	stage_expect(&t, "no frames yet");
	stage_type(&t, "r");
	stage_expect(&t, "no running program whose averages could be reset");
	stage_end(&t);
}

/* Marks */

static void marks_are_set_and_gone_to(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "m");
	stage_expect(&t, "Mark this frame with a letter, a to z (Enter: the next free one):");
	stage_type(&t, "x");
	stage_expect(&t, "mark x: frame 30");
	stage_type(&t, "{{ma");
	stage_expect(&t, "mark a: frame 10 · to compare, go to another frame, press D, and choose the mark");
	stage_type(&t, "'x");
	stage_expect(&t, "PAUSED  frame 30");
	stage_type(&t, "p`a"); /* live, too */
	stage_expect(&t, "PAUSED  frame 10");
	stage_end(&t);
}

static void a_mark_is_taken_where_it_is(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "{{ma");
	stage_type(&t, "ma");
	stage_expect(&t, "mark a removed from frame 10");
	stage_type(&t, "'a");
	stage_expect(&t, "no frame has the mark a");
	stage_end(&t);
}

static void a_mark_is_a_letter_or_nothing(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "pm["); /* a key that is no letter does what it always does */
	stage_expect(&t, "PAUSED  frame 29");
	stage_expect(&t, "nothing marked: a mark is a letter from a to z");
	stage_type(&t, "'");
	stage_expect(&t, "Go to the frame with the mark, a to z:");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED  frame 29");
	stage_end(&t);
}

static void enter_takes_the_next_mark(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "pm\r");
	stage_expect(&t, "mark a: frame 30");
	stage_type(&t, "[[m\r");
	stage_expect(&t, "mark b: frame 28");
	stage_type(&t, "}'\r");
	stage_expect(&t, "PAUSED  frame 28");
	stage_end(&t);
}

static void enter_takes_no_mark_if_all_are_set(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p");
	for (int letter = 'a'; letter <= 'z'; letter++)
		stage_type(&t, (const char[]){ 'm', (char)letter, '\0' });
	stage_type(&t, "[[m\r");
	stage_expect(&t, "all marks a to z are set: press m and a letter to move that mark here");
	stage_type(&t, "'\r");
	stage_expect(&t, "PAUSED  frame 30"); /* mark z is still there */
	stage_type(&t, "[[m{"); /* and the key behind z is no letter */
	stage_expect(&t, "PAUSED  frame 18");
	stage_end(&t);
}

static void a_mark_whose_frame_is_gone_says_so(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "pmx{{{mqp");
	profile_drop_frames(t.p, 20);
	stage_grow(&t, slower(1));
	stage_type(&t, "'q");
	stage_expect(&t, "frame 1 of mark q is no longer in the history");
	stage_expect(&t, "LIVE");
	stage_type(&t, "'x");
	stage_expect(&t, "PAUSED  frame 30");
	stage_end(&t);
}

static void marks_are_those_of_one_run(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "mx");
	stage_detach(&t);
	stage_attach(&t, stage_game(40));
	stage_type(&t, "'x");
	stage_expect(&t, "no frame has the mark x");
	stage_type(&t, "pmy");
	app_detach(&t.app, 0);
	stage_attach(&t, (profile_free(t.p), stage_game(60)));
	stage_type(&t, "'y");
	stage_expect(&t, "PAUSED  frame 40"); /* still of the copy */
	stage_type(&t, "p'y");
	stage_expect(&t, "no frame has the mark y");
	stage_expect(&t, "LIVE");
	stage_end(&t);
}

/* Coming and going */

static void what_is_looked_at_outlives_the_program(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "..");        /* the second pool */
	stage_type(&t, "4jj-1>I2");
	stage_go(&t, "job");
	stage_type(&t, "P");
	stage_expect(&t, "only stacks with job");
	stage_detach(&t);
	stage_expect(&t, "it ended");
	stage_attach(&t, stage_game(3));
	stage_expect(&t, "[2 Hier]");
	stage_expect(&t, " pool  ");
	stage_expect(&t, "only stacks with job");
	assert_string_equal(stage_cursor(&t), "job");
	stage_type(&t, "1");
	stage_expect(&t, "HIER ms▲");
	stage_end(&t);
}

static void folds_and_the_graph_outlive_the_program(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "4");
	stage_go(&t, "physics");
	stage_type(&t, "-");
	assert_string_equal(stage_rows(&t), "all update ai ray physics walk walk leaf draw");
	stage_go(&t, "leaf");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "path: update › walk › walk › [leaf]");
	stage_detach(&t);
	stage_attach(&t, stage_game(0));
	stage_expect(&t, "the zone has not been entered yet");
	stage_frame(t.p, 1, slower(0));
	stage_data(&t);
	stage_expect(&t, "path: update › walk › walk › [leaf]");
	assert_string_equal(stage_rows(&t), "walk leaf");
	stage_press(&t, TERM_LEFT);
	assert_string_equal(stage_cursor(&t), "leaf");
	assert_string_equal(stage_rows(&t), "all update ai ray physics walk walk leaf draw");
	stage_end(&t);
}

static void a_thread_is_found_again_by_its_name(void **state)
{
	struct stage t;
	struct profile *next = profile_new();

	(void)state;
	assert_non_null(next);
	stage_begin(&t, 5);
	stage_type(&t, ".");
	stage_expect(&t, " pool  ");
	stage_detach(&t);
	profile_add_thread(next, 7, 0, "main"); /* another one has the id now */
	profile_add_thread(next, 9, 0, "pool");
	next->threads[0].marking = true;
	dsl_grow(next, "frame 1 9\nmain update 9 1\npool job 5 1\n");
	stage_attach(&t, next);
	stage_expect(&t, " pool  ");
	assert_string_equal(stage_rows(&t), "job (no zone)");
	stage_end(&t);
}

static void what_is_paused_stays_when_the_program_goes(void **state)
{
	struct stage t;

	(void)state;
	begin_with_ever_longer_frames(&t);
	stage_type(&t, "p[");
	stage_detach(&t);
	stage_expect(&t, "PAUSED  frame 29");
	stage_expect(&t, "32.000");
	stage_type(&t, "[");
	stage_expect(&t, "PAUSED  frame 28");
	stage_attach(&t, stage_game(2));
	stage_expect(&t, "PAUSED  frame 28");
	stage_type(&t, "p");
	stage_type(&t, "p");
	stage_detach(&t);
	stage_type(&t, "p");
	stage_expect(&t, "it ended");
	stage_end(&t);
}

static void a_zone_that_is_asked_for_is_awaited(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	o.zone = "physics";
	o.view = VIEW_GRAPH;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(0));
	assert_string_equal(stage_rows(&t), "");
	stage_frame(t.p, 1, slower(0));
	stage_data(&t);
	assert_string_equal(stage_rows(&t), "update physics ray");
	assert_string_equal(stage_cursor(&t), "physics");
	stage_end(&t);

	o.view = VIEW_SELF;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(2));
	assert_string_equal(stage_cursor(&t), "physics");
	stage_type(&t, "3");
	stage_expect(&t, "path: [physics]");
	stage_end(&t);
}

/* A user who has gone elsewhere meanwhile is not taken away from there. */
static void a_zone_that_comes_late_does_not_disturb(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	o.zone = "late";
	o.view = VIEW_GRAPH;
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(2));
	stage_type(&t, "1");
	stage_go(&t, "ai");
	stage_press(&t, TERM_RIGHT);
	stage_expect(&t, "path: [ai]");
	stage_grow(&t, slower(1));
	dsl_grow(t.p, "frame 4 1000000\nmain late 1000000 1\n");
	stage_data(&t);
	stage_expect(&t, "path: [ai]");
	stage_end(&t);
}

static void programs_are_chosen_from_a_list(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "A");
	assert_true(t.effects & EFFECT_REGIONS);
	app_regions_begin(&t.app);
	app_regions_end(&t.app);
	stage_draw(&t);
	stage_expect(&t, "no program publishes here");
	app_regions_begin(&t.app);
	app_region(&t.app, "one", "live 1 one");
	app_region(&t.app, "two", "dead 2 two");
	app_regions_end(&t.app);
	stage_draw(&t);
	stage_expect(&t, "dead 2 two");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	assert_true(t.effects & EFFECT_TURN);
	assert_string_equal(t.app.wanted.turn, "two");
	stage_end(&t);
}

/* Help */

/* Each column that has a title has a sentence in the help of its view. */
static void the_help_of_a_view_has_its_columns(void **state)
{
	static const char *const views[] = { "1", "2", "3", "4", "7", "w5", "E", "9" };

	(void)state;
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		struct stage t;
		const struct table *table;

		stage_begin(&t, 50);
		lines_begin(&t.c, 200, 50, false);
		stage_draw(&t);
		stage_type(&t, views[i]);
		table = &app_view(&t.app)->table;
		stage_type(&t, "?");
		stage_expect(&t, app_view(&t.app)->ops->name);
		for (int c = 0; c < TABLE_COLUMNS; c++) {
			const char *title = table->shown >> c & 1 ? table_title(table, c) : NULL;
			bool found = !title || !*title;

			for (int k = 0; k < t.app.guide.about.column_count; k++)
				found = found || !strcmp(t.app.guide.about.columns[k].title, title);
			if (!found)
				fail_msg("the help of %s lacks %s", app_view(&t.app)->ops->name, title);
		}
		assert_true(t.app.guide.about.column_count > 2 || !table_count(table));
		stage_end(&t);
	}
}

/* As in other programs that show pages. */
static void space_turns_the_pages_of_the_help(void **state)
{
	struct stage t;
	int top;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "??");
	stage_press(&t, TERM_PAGE_DOWN);
	top = t.app.guide.top;
	assert_true(top > 0);
	stage_press(&t, TERM_PAGE_UP);
	stage_type(&t, " ");
	assert_int_equal(t.app.guide.top, top);
	stage_end(&t);
}

static void the_help_is_searched_as_rows_are(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 50);
	stage_type(&t, "?/");
	stage_expect(&t, "Search the help:");
	stage_type(&t, "conf(");
	stage_expect(&t, "proftop.conf(5)."); /* while it is typed */
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "n Next  1/");
	stage_type(&t, "g/zone\r");
	stage_expect(&t, "n Next  1/");
	stage_type(&t, "n");
	stage_expect(&t, "n Next  2/");
	stage_type(&t, "N/~(");
	stage_press(&t, STAGE_ENTER);
	assert_int_equal(t.app.ask.overlay, OVERLAY_PROMPT); /* to be mended */
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "n Next  1/");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "[1 Self]");
	assert_string_equal(t.app.search.text, "");
	stage_end(&t);
}

/* Names and numbers where there is little room */

static void grow_deep(struct stage *t)
{
	dsl_grow(t->p, "frame 6 90000000\n"
		       "main std::map<int,game::body_of_rock>::insert_or_assign 40000000 1\n"
		       "main a/b/c/d/e/f/g/h/i/j/deep 30000000 2\n"
		       "main draw 20000000 1\n");
	app_data(&t->app, 0);
	t->app.now += 2;
}

static void what_is_cut_stands_below_as_a_whole(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	grow_deep(&t);
	lines_begin(&t.c, 50, 24, false);
	stage_draw(&t);
	stage_expect(&t, "  std::map<…r_assign ");
	stage_go(&t, "draw");
	assert_false(stage_shows(&t, "body_of_rock"));
	stage_go(&t, "std::map<int,game::body_of_rock>::insert_or_assign");
	stage_expect(&t, "\n  std::map<int,game::body_of_rock>::insert_or_assi\n  gn\nregion");
	stage_press(&t, TERM_DOWN); /* whose name is whole */
	assert_false(stage_shows(&t, "body_of_rock"));
	stage_end(&t);
}

static void a_deep_row_says_how_deep_it_is(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	grow_deep(&t);
	lines_begin(&t.c, 50, 40, false);
	stage_draw(&t);
	stage_type(&t, "4");
	stage_expect(&t, "   - [10] j ");
	stage_expect(&t, "     [11] deep ");
	lines_begin(&t.c, 120, 40, false);
	stage_draw(&t);
	stage_expect(&t, "                      - j ");
	stage_end(&t);
}

static void numbers_come_before_names_and_places(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	lines_begin(&t.c, 15, 24, false);
	stage_draw(&t);
	stage_expect(&t, "  ZONE    SELF▼\n> draw    4.000\n  ai      3.000\n");
	stage_type(&t, "4");
	stage_expect(&t, "HIER▼\n");
	stage_expect(&t, " 11.000\n");
	lines_begin(&t.c, 40, 12, false);
	stage_draw(&t);
	stage_type(&t, "1");
	stage_go(&t, "ai");
	stage_type(&t, "3");
	stage_expect(&t, " ai.c:20   calls min/avg/max 2/2/2\n");
	lines_begin(&t.c, 30, 12, false);
	stage_draw(&t);
	stage_expect(&t, " calls min/avg/max 2/2/2\n");
	stage_end(&t);
}

/* Help */

static void the_help_of_each_view_fits_a_page(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	lines_begin(&t.c, 80, 24, false);
	for (int with_most = 0; with_most < 2; with_most++) {
		for (const char *key = "123456789Eo"; *key; key++) {
			stage_type(&t, (const char[]){ *key, '?', '\0' });
			stage_draw(&t);
			if (!t.app.guide.open || t.app.guide.all || t.app.guide.most)
				fail_msg("the help of the view that %c opens is %d lines too long", *key, t.app.guide.most);
			stage_type(&t, "q");
		}
		stage_type(&t, "1b10\rmawd/ai\r"); /* keys that work with a budget, a mark, a frame, a base and a search */
	}
	stage_type(&t, "??");
	stage_expect(&t, "Help: all keys");
	stage_type(&t, "?");
	assert_false(t.app.guide.open);
	stage_type(&t, ":help\r");
	stage_expect(&t, "Help: all keys");
	stage_end(&t);
}

/* In the footer, or only in the help; and none that the view has given another
 * meaning. */
static void the_help_of_a_view_has_the_keys_that_work_there(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "?");
	stage_expect(&t, "→ Drill");
	stage_expect(&t, "X Export");
	stage_expect(&t, "V Record");
	stage_expect(&t, "m Mark");
	stage_expect(&t, "9 Worst"); /* for which the line of views has no space */
	assert_false(stage_shows(&t, "$ Next over"));
	stage_type(&t, "qb10\r?");
	stage_expect(&t, "$ Next over");
	stage_type(&t, "q8j?");
	stage_expect(&t, "Enter Zoom");
	assert_false(stage_shows(&t, "→ Drill")); /* which goes to the next box there */
	stage_end(&t);
}

/* Out of it */

static void q_leaves_what_is_innermost(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "2l[\t?");
	stage_expect(&t, "Help: ");
	stage_type(&t, "q");
	stage_expect(&t, "[3 Graph]");
	assert_true(t.app.screen.graph_focused);
	stage_type(&t, "q");
	assert_false(t.app.screen.graph_focused);
	stage_type(&t, "q");
	stage_expect(&t, "[2 Hier]");
	stage_expect(&t, "PAUSED");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED");
	stage_type(&t, "q");
	stage_expect(&t, "LIVE");
	assert_int_equal(t.effects & EFFECT_QUIT, 0);
	stage_end(&t);
}

/* Esc closes one thing after the other, and the frame that was chosen stays. */
static void esc_closes_what_is_open_and_keeps_the_frame(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "[[\\a\r/ai\rd3\t?");
	for (const char *const *seen = (const char *const[]){ "[3 Graph]", "[3 Graph]", "[5 Why]", "[1 Self]", "filter: a",
							       "PAUSED  frame 3", "p goes live", NULL };
	     *seen; seen++) {
		stage_press(&t, STAGE_ESCAPE);
		stage_expect(&t, *seen);
		stage_expect(&t, "PAUSED  frame 3");
	}
	assert_false(stage_shows(&t, "filter: a"));
	assert_false(app_compares(&t.app));
	stage_type(&t, "D");
	stage_press(&t, STAGE_ESCAPE);
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED  frame 3");
	stage_type(&t, "p");
	stage_expect(&t, "LIVE");
	stage_end(&t);
}

/* One q too many does not leave proftop; two do, and so does one that comes later. */
static void q_once_too_often_does_not_leave_proftop(void **state)
{
	static const char *const ways[] = { "pq", "3q", "?q", "\tq", "pp3qp[q" };
	struct stage t;

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		stage_begin(&t, 5);
		stage_type(&t, ways[i]);
		stage_type(&t, "q");
		assert_int_equal(t.effects & EFFECT_QUIT, 0);
		stage_expect(&t, "press q again to leave proftop");
		stage_type(&t, "q");
		assert_true(t.effects & EFFECT_QUIT);
		stage_end(&t);
		stage_begin(&t, 5);
		stage_type(&t, ways[i]);
		t.app.now += 2;
		stage_type(&t, "q");
		assert_true(t.effects & EFFECT_QUIT);
		stage_end(&t);
	}
}

/* Names that begin with the typed text come before those that have it elsewhere. */
static void a_column_is_chosen_by_its_beginning(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "ssel\r");
	assert_int_equal(app_view(&t.app)->sort, COLUMN_SELF);
	stage_type(&t, "savg s\r");
	assert_int_equal(app_view(&t.app)->sort, COLUMN_AVG_SELF);
	stage_type(&t, "s/s\r");
	assert_int_equal(app_view(&t.app)->sort, COLUMN_RATE);
	stage_end(&t);
}

static void q_leaves_what_is_asked(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "TqQ"); /* which is what rows are to have */
	stage_expect(&t, "no match");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, "/q");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, "mqmq");
	assert_int_equal(t.effects & EFFECT_QUIT, 0);
	stage_type(&t, "q");
	assert_true(t.effects & EFFECT_QUIT);
	stage_end(&t);
}

static void a_capital_q_leaves_at_once(void **state)
{
	static const char *const states[] = { "", "3", "p", "\t", "?" };

	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		struct stage t;

		stage_begin(&t, 5);
		stage_type(&t, states[i]);
		assert_int_equal(t.effects & EFFECT_QUIT, 0);
		stage_type(&t, "Q");
		assert_true(t.effects & EFFECT_QUIT);
		stage_end(&t);
	}
}

static void effects_ask_for_what_is_done_outside(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "C");
	assert_true(t.effects & EFFECT_COLOURS);
	stage_press(&t, 'L' & 0x1f);
	assert_true(t.effects & EFFECT_REDRAW);
	stage_type(&t, "M");
	assert_true(t.effects & EFFECT_MOUSE);
	assert_false(t.app.style.mouse);
	stage_expect(&t, "mouse off");
	stage_end(&t);
}

/* The mouse */

static void a_row_is_pressed_and_pressed_again(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, "physics", &x, &y));
	stage_click(&t, x + 3, y);
	assert_string_equal(stage_cursor(&t), "physics");
	stage_expect(&t, "[1 Self]");
	stage_click(&t, x + 3, y);
	stage_expect(&t, "path: [physics]");
	stage_click(&t, x, 20); /* below the last row */
	stage_expect(&t, "path: [physics]");
	stage_end(&t);
}

static void a_title_is_pressed_and_pressed_again(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, "COUNT", &x, &y));
	stage_click(&t, x + 1, y);
	stage_expect(&t, "COUNT▼");
	assert_string_equal(table_report(&app_view(&t.app)->table)->sections[0].rows[0].name, "ray");
	assert_true(stage_find(&t, "COUNT", &x, &y));
	stage_click(&t, x, y);
	stage_expect(&t, "COUNT▲");
	stage_end(&t);
}

static void the_titles_of_what_is_gone_are_not_pressed(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, "COUNT", &x, &y));
	stage_detach(&t);
	stage_click(&t, x, y);
	stage_click(&t, x, y + 1);
	stage_click(&t, 40, 2);
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, 40, 2);
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, x, y);
	stage_expect(&t, "it ended");
	stage_end(&t);
}

static void tabs_are_pressed(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, "4 Tree", &x, &y));
	stage_click(&t, x, y);
	stage_expect(&t, "[4 Tree]");
	assert_true(stage_find(&t, "2 Hier", &x, &y));
	stage_click(&t, x + 5, y);
	stage_expect(&t, "[2 Hier]");
	stage_click(&t, 70, y);
	stage_expect(&t, "[2 Hier]");
	stage_end(&t);
}

static void a_press_on_a_key_presses_it(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, "p Pause", &x, &y));
	stage_click(&t, x + 4, y);
	stage_expect(&t, "PAUSED");
	assert_true(stage_find(&t, "? Help", &x, &y));
	stage_click(&t, x, y);
	stage_expect(&t, "Help: Self");
	assert_true(stage_find(&t, "q Close", &x, &y));
	stage_click(&t, x, y);
	stage_expect(&t, "[1 Self]");
	stage_click(&t, 79, 23); /* the row of the cursor is no key */
	stage_expect(&t, "PAUSED");
	stage_end(&t);
}

static void what_is_looked_at_is_pressed(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, " main  ", &x, &y));
	stage_click(&t, x + 1, y);
	stage_expect(&t, "all threads, merged");
	assert_true(stage_find(&t, "Enter Choose", &x, &y));
	stage_press(&t, TERM_HOME);
	stage_click(&t, x, y);
	stage_expect(&t, "T threads: all (3)");
	assert_true(stage_find(&t, "newest frame", &x, &y));
	stage_click(&t, x, y);
	stage_expect(&t, "0.8 s");
	stage_type(&t, "\\a\r");
	assert_true(stage_find(&t, "filter: a", &x, &y));
	stage_click(&t, x, y);
	stage_expect(&t, "Filter: a");
	stage_press(&t, STAGE_ESCAPE);
	stage_type(&t, "P");
	assert_true(stage_find(&t, "only stacks with", &x, &y));
	stage_click(&t, x, y);
	assert_false(stage_shows(&t, "only stacks with"));
	stage_end(&t);
}

/* Names of views are whole, or they are not there. */
static void tabs_are_never_cut(void **state)
{
	static const char *const lines[] = {
		" 1 Self  2 Hier  3 Graph [4 Tree] 5 Why  6 Time  7 Counters  E Events  ",
		" 1 Self 2 Hier 3 Graph[4 Tree]5 Why 6 Time 7 Count E Event 8 Flame 9 Worst ",
		" 1 Self 2 Hier 3 Graph[4 Tree]5 Why 6 Time 7 Count E Event …",
		" 1 2 3[4]5 6 7 E …", "[4 Tree]",
	};
	struct stage t;
	size_t form = 0;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, "4");
	for (int width = 140; width >= 8; width--) {
		lines_begin(&t.c, width, 24, false);
		stage_draw(&t);
		while (!stage_shows(&t, lines[form]) && form < 4)
			form++;
		stage_expect(&t, lines[form]);
	}
	assert_int_equal(form, 4);
	stage_end(&t);
}

/* The tabs of a line of the screen without the brackets. Caller frees. */
static char *tabs_of(struct stage *t, int y)
{
	char *text = lines_text(&t->c), *line = text, *tabs;

	while (y--)
		line = strchr(line, '\n') + 1;
	tabs = strndup(line, 58);
	for (char *at = tabs; *at; at++)
		*at = *at == '[' || *at == ']' ? ' ' : *at;
	free(text);
	return tabs;
}

/* Tabs keep their place whatever is open and viewed, also in views that have a tab only while they are open. */
static void tabs_keep_their_place(void **state)
{
	static const char *const states[] = { "2", "3", "4U", "5", "6", "7\\x\r", "E", "8", "o", "w5", "d", "pd", "Ta\r", "R",
					      "P", "mb]mac", "\\a\r", "r" };
	struct stage t;

	(void)state;
	for (int width = 80; width < 140; width += 20)
		for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
			char *before, *behind;

			stage_begin(&t, 5);
			lines_begin(&t.c, width, 24, false);
			stage_draw(&t);
			before = tabs_of(&t, 6);
			assert_non_null(strstr(before, " 1 Self "));
			stage_type(&t, states[i]);
			behind = tabs_of(&t, 6);
			assert_string_equal(behind, before);
			free(before);
			free(behind);
			stage_end(&t);
		}
}

/* Words that do not fit behind the tabs are below them. */
static void what_is_looked_at_is_never_left_out(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_expect(&t, " E Event … main  newest frame\n");
	stage_type(&t, "\\a\r");
	stage_expect(&t, " E Event …\n thread: main   the newest frame   filter: a (hides 2)\n");
	stage_end(&t);
}

static void a_bar_is_pressed_and_a_range_is_dragged(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 300);
	stage_click(&t, 79, 3);
	stage_expect(&t, "PAUSED  frame 300");
	stage_click(&t, 70, 3);
	stage_expect(&t, "PAUSED  frame 291");
	stage_type(&t, "\t--"); /* four frames a column */
	assert_int_equal(t.app.at->times.graph.zoom, 2);
	stage_mouse(&t, BUTTON_LEFT, MOUSE_PRESS, 40, 3);
	stage_mouse(&t, BUTTON_LEFT, MOUSE_DRAG, 50, 12); /* outside, too */
	stage_expect(&t, "▲─────────]"); /* it began at the frame that is shown */
	stage_expect(&t, "44 frames, 0.7 s"); /* how many they are */
	assert_true(canvas_cell(&t.c, 45, 2)->selected);
	assert_false(canvas_cell(&t.c, 51, 2)->selected);
	stage_mouse(&t, BUTTON_LEFT, MOUSE_RELEASE, 50, 3);
	assert_int_equal(t.app.drag.frame, 0);
	stage_expect(&t, "PAUSED  frames 144–187 (44 frames, 0.7 s)");
	assert_true(canvas_cell(&t.c, 45, 2)->selected);
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, 50, 3);
	assert_int_equal(t.app.at->times.graph.zoom, 1);
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, 50, 3);
	assert_int_equal(t.app.at->times.graph.zoom, 2);
	stage_end(&t);
}

static void the_wheel_scrolls_rows_the_help_and_a_list(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	lines_begin(&t.c, 80, 10, false);
	stage_draw(&t);
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, 5, 5);
	assert_int_equal(app_view(&t.app)->table.top, 2);
	assert_int_equal(stage_at(&t), 2);
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, 5, 5);
	assert_int_equal(app_view(&t.app)->table.top, 0);
	stage_type(&t, "?");
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, 5, 5);
	assert_int_equal(t.app.guide.top, 3);
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, 5, 5);
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, 5, 5);
	assert_int_equal(t.app.guide.top, 0);
	stage_type(&t, "qT");
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, 5, 5);
	assert_int_equal(t.app.ask.picker.at, 1);
	stage_end(&t);
}

static void the_mouse_does_not_reach_behind_what_is_asked(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 5);
	assert_true(stage_find(&t, "4 Tree", &x, &y));
	stage_type(&t, "/ra");
	stage_click(&t, x, y);
	stage_expect(&t, "[1 Self]");
	stage_expect(&t, "Search: ra");
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "T");
	stage_click(&t, x, y);
	stage_expect(&t, "[1 Self]");
	assert_int_equal(t.app.ask.overlay, OVERLAY_NONE);
	stage_end(&t);
}

/* The footer */

static const char *const footer_states[] = {
	"", "2", "3", "3jl", "4", "4-", "4jjj", "4*", "4jj-", "p", "p[", "p{{{{", "\t", "\t-", "\t--------",
	"pa", "R", "\\ra\r", "\\nothing\r", "4\\ra\r", "/a\r", "1G", "G", "4G", "P", "jjP3", "T\r", "b16.7\r",
	"3u", "3uu", "\tp",
};

static void arrange(struct stage *t, const char *keys, struct profile *p)
{
	struct app_options o = stage_options();

	stage_open(t, &o, 80, 24);
	stage_attach(t, p);
	stage_type(t, keys);
	stage_press(t, 0); /* what was said is gone */
}

static bool listed(const struct stage *t, enum command c)
{
	return commands[c].footer && app_applies(&t->app, c) &&
	       !(t->app.screen.graph_focused && commands[c].place == PLACE_TABLE);
}

/* Whether its first key changes something. */
static bool does_something(struct stage *t, enum command c)
{
	char *before = lines_text(&t->c), *after;
	enum unit unit = t->app.style.unit;
	bool changed;

	stage_press(t, commands[c].keys[0]);
	after = lines_text(&t->c);
	changed = strcmp(before, after) != 0 || t->effects & ~(unsigned)EFFECT_DRAW ||
		  t->app.style.unit != unit;
	free(before);
	free(after);
	return changed;
}

/* Behind these keys. */
static void expect_footer_of(const char *keys, struct profile *p)
{
	bool wanted[COMMANDS] = { false };
	struct stage t;

	arrange(&t, keys, p);
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++)
		wanted[c] = listed(&t, c);
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		if (!wanted[c])
			continue;
		t.p = NULL;
		stage_end(&t);
		arrange(&t, keys, p);
		if (!does_something(&t, c))
			fail_msg("%s does nothing behind '%s' with %u frames", commands[c].shown, keys, p->frame_count);
	}
	t.p = NULL;
	stage_end(&t);
}

static void expect_footer(uint64_t frames)
{
	struct profile *p = stage_game(frames); /* keys do not change it */

	for (size_t i = 0; i < sizeof(footer_states) / sizeof(*footer_states); i++)
		expect_footer_of(footer_states[i], p);
	profile_free(p);
}

static void what_the_footer_lists_does_something(void **state)
{
	(void)state;
	expect_footer(1);
#ifdef __SANITIZE_ADDRESS__
	if (!test_long())
		return;
#endif
	expect_footer(0);
	expect_footer(100);
}

static void the_footer_has_no_key_twice_for_one_thing(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 9);
	lines_begin(&t.c, 200, 24, false);
	stage_draw(&t);
	stage_expect(&t, "X Export");
	stage_expect(&t, "m Mark");
	stage_expect(&t, "b Budget");
	stage_type(&t, "p");
	stage_press(&t, 0);
	stage_expect(&t, "p Live");
	assert_false(stage_shows(&t, "q Live"));
	stage_type(&t, "3");
	stage_press(&t, 0);
	stage_expect(&t, "← Back");
	assert_false(stage_shows(&t, "q Back"));
	lines_begin(&t.c, 20, 24, false); /* the way out stays longest */
	stage_press(&t, 0);
	stage_expect(&t, "\n← Back  ? Help ");
	lines_begin(&t.c, 120, 24, false);
	stage_type(&t, "1");
	stage_press(&t, 0);
	stage_expect(&t, "V Record");
	stage_expect(&t, "X Export");
	stage_end(&t);
}

static void while_it_waits_the_footer_lists_little(void **state)
{
	struct app_options o = stage_options();

	(void)state;
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		struct stage t;

		stage_open(&t, &o, 80, 24);
		if (listed(&t, c) && !does_something(&t, c))
			fail_msg("%s does nothing while it waits", commands[c].shown);
		stage_press(&t, '\t');
		stage_press(&t, commands[c].keys[0]);
		stage_end(&t);
	}
}

/* Sizes */

static const char *const faces[] = {
	"", "2", "3", "4", "p[", "?", "?G", "T", "s", "/some", "\\r", "m", "e", "b1", "\t-", "jlP", "Rb9\r",
};

static void expect_sound(struct stage *t)
{
	assert_true(t->c.cursor_x >= 0 && t->c.cursor_x < t->c.width);
	assert_true(t->c.cursor_y >= 0 && t->c.cursor_y < t->c.height);
	for (int y = 0; y < t->c.height; y++)
		for (int x = 0; x < t->c.width; x++)
			for (int i = 0; t->c.ascii && i < CELL_CODES; i++)
				assert_true(canvas_cell(&t->c, x, y)->codes[i] < 0x80);
}

static void draw_in_all_sizes(struct stage *t)
{
	for (int height = 20; height > 0; height--)
		for (int width = 1; width <= 60; width += width < 12 ? 1 : 6) {
			if (!test_long() && (width + height) % 2)
				continue;
			lines_begin(&t->c, width, height, t->app.style.ascii);
			stage_draw(t);
			expect_sound(t);
		}
}

static void while_it_waits_it_has_every_size(void **state)
{
	struct app_options o = stage_options();

	(void)state;
	for (int ascii = 0; ascii < 2; ascii++) {
		struct stage t;

		o.ascii = ascii;
		stage_open(&t, &o, 80, 24);
		draw_in_all_sizes(&t);
		stage_end(&t);
	}
}

static void every_face_has_every_size(void **state)
{
	struct app_options o = stage_options();

	(void)state;
	for (int ascii = 0; ascii < 2; ascii++)
		for (size_t i = 0; i < sizeof(faces) / sizeof(*faces); i++) {
			struct stage t;

			o.ascii = ascii;
			stage_open(&t, &o, 80, 24);
			stage_attach(&t, stage_game(50));
			dsl_grow(t.p, "frame 51 9000000\nmain caf\xc3\xa9/\xe6\xbc\xa2\xe5\xad\x97 9000000 3\n"
				      "main update@loop.c:10/ray 900000 1\n");
			app_data(&t.app, 0);
			lines_begin(&t.c, 80, 24, ascii);
			stage_draw(&t);
			stage_type(&t, faces[i]);
			stage_press(&t, 0x6F22);
			draw_in_all_sizes(&t);
			stage_end(&t);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_waits_and_says_for_what),
		cmocka_unit_test(a_screen_shows_the_newest_frame),
		cmocka_unit_test(what_is_mentioned_covers_no_row),
		cmocka_unit_test(why_there_is_no_row_is_not_cut),
		cmocka_unit_test(a_digit_opens_a_view),
		cmocka_unit_test(the_cursor_stays_in_its_line),
		cmocka_unit_test(a_cursor_that_follows_stays_on_its_zone),
		cmocka_unit_test(the_cursor_stays_on_its_zone),
		cmocka_unit_test(a_cursor_that_nobody_moved_stays_in_its_line),
		cmocka_unit_test(another_order_is_looked_at_from_its_top),
		cmocka_unit_test(a_frame_whose_parts_are_gone_says_so),
		cmocka_unit_test(the_title_says_whose_slice_is_gone),
		cmocka_unit_test(rows_keep_their_order),
		cmocka_unit_test(rows_are_in_order_when_the_data_end),
		cmocka_unit_test(without_a_known_longest_call_there_is_no_max),
		cmocka_unit_test(a_call_graph_says_who_else_calls_the_zone),
		cmocka_unit_test(waits_do_not_hold_the_order_of_work),
		cmocka_unit_test(a_key_acts_on_what_is_shown),
		cmocka_unit_test(rows_stay_under_a_cursor_that_moves),
		cmocka_unit_test(work_stands_first),
		cmocka_unit_test(another_thread_that_marks_is_looked_at_at_once),
		cmocka_unit_test(numbers_stay_for_half_a_second),
		cmocka_unit_test(where_the_marking_thread_waits_all_are_shown),
		cmocka_unit_test(threads_are_shown_when_enough_is_known),
		cmocka_unit_test(threads_that_were_chosen_stay),
		cmocka_unit_test(drilling_goes_into_the_call_graph),
		cmocka_unit_test(drilling_on_goes_to_callees_and_callers),
		cmocka_unit_test(the_way_back_ends_where_it_began),
		cmocka_unit_test(the_focus_and_the_time_in_no_zone_are_not_drilled),
		cmocka_unit_test(u_goes_to_the_largest_caller),
		cmocka_unit_test(keys_that_come_at_once_do_what_they_do_one_by_one),
		cmocka_unit_test(a_path_focus_shows_the_stacks_with_the_path_alone),
		cmocka_unit_test(a_path_can_be_left_on_any_row),
		cmocka_unit_test(recursion_is_spread_and_merged_with_the_path_that_was_drilled),
		cmocka_unit_test(each_column_can_be_sorted_by),
		cmocka_unit_test(an_order_is_turned_over_but_no_zone_stays_last),
		cmocka_unit_test(the_picker_of_columns_begins_at_the_one_that_is_sorted_by),
		cmocka_unit_test(a_search_follows_what_is_typed),
		cmocka_unit_test(a_search_goes_on_and_back_around),
		cmocka_unit_test(a_search_that_is_given_up_takes_the_cursor_back),
		cmocka_unit_test(what_a_search_does_not_find_or_understand_is_said),
		cmocka_unit_test(pasted_text_is_typed_and_no_key),
		cmocka_unit_test(a_filter_leaves_what_matches),
		cmocka_unit_test(a_filter_that_is_no_expression_changes_nothing_and_is_said),
		cmocka_unit_test(threads_are_all_merged),
		cmocka_unit_test(threads_of_a_name_are_picked),
		cmocka_unit_test(one_thread_is_picked),
		cmocka_unit_test(threads_say_of_which_frames),
		cmocka_unit_test(the_list_of_exports_says_what),
		cmocka_unit_test(a_file_is_opened_from_the_list),
		cmocka_unit_test(nothing_of_a_thread_is_cut),
		cmocka_unit_test(threads_are_turned_around),
		cmocka_unit_test(the_average_goes_around),
		cmocka_unit_test(averages_begin_anew_also_for_what_is_paused),
		cmocka_unit_test(precision_ends_with_the_units_own),
		cmocka_unit_test(a_message_goes_by_itself),
		cmocka_unit_test(a_budget_is_typed_in_ms_or_as_a_rate),
		cmocka_unit_test(paused_it_shows_one_frame_after_the_other),
		cmocka_unit_test(steps_end_at_the_oldest_and_the_newest),
		cmocka_unit_test(live_again_it_shows_the_newest),
		cmocka_unit_test(paused_the_average_is_the_frame_or_the_whole_run),
		cmocka_unit_test(the_ends_of_history_are_a_key_away),
		cmocka_unit_test(a_column_of_many_frames_is_its_longest),
		cmocka_unit_test(what_is_chosen_is_in_sight_in_each_size),
		cmocka_unit_test(while_it_is_paused_nothing_changes),
		cmocka_unit_test(paused_the_title_knows_what_became_of_the_program),
		cmocka_unit_test(the_heat_of_a_frame_comes_when_it_is_worked_out),
		cmocka_unit_test(a_program_without_frames_can_be_paused),
		cmocka_unit_test(the_title_keeps_its_unit),
		cmocka_unit_test(nothing_to_pause_is_said),
		cmocka_unit_test(marks_are_set_and_gone_to),
		cmocka_unit_test(a_mark_is_taken_where_it_is),
		cmocka_unit_test(a_mark_is_a_letter_or_nothing),
		cmocka_unit_test(enter_takes_the_next_mark),
		cmocka_unit_test(enter_takes_no_mark_if_all_are_set),
		cmocka_unit_test(a_mark_whose_frame_is_gone_says_so),
		cmocka_unit_test(marks_are_those_of_one_run),
		cmocka_unit_test(what_is_looked_at_outlives_the_program),
		cmocka_unit_test(folds_and_the_graph_outlive_the_program),
		cmocka_unit_test(a_thread_is_found_again_by_its_name),
		cmocka_unit_test(what_is_paused_stays_when_the_program_goes),
		cmocka_unit_test(a_zone_that_is_asked_for_is_awaited),
		cmocka_unit_test(a_zone_that_comes_late_does_not_disturb),
		cmocka_unit_test(programs_are_chosen_from_a_list),
		cmocka_unit_test(the_help_of_a_view_has_its_columns),
		cmocka_unit_test(space_turns_the_pages_of_the_help),
		cmocka_unit_test(the_help_is_searched_as_rows_are),
		cmocka_unit_test(what_is_cut_stands_below_as_a_whole),
		cmocka_unit_test(a_deep_row_says_how_deep_it_is),
		cmocka_unit_test(numbers_come_before_names_and_places),
		cmocka_unit_test(the_help_of_each_view_fits_a_page),
		cmocka_unit_test(the_help_of_a_view_has_the_keys_that_work_there),
		cmocka_unit_test(q_leaves_what_is_innermost),
		cmocka_unit_test(esc_closes_what_is_open_and_keeps_the_frame),
		cmocka_unit_test(q_once_too_often_does_not_leave_proftop),
		cmocka_unit_test(a_column_is_chosen_by_its_beginning),
		cmocka_unit_test(q_leaves_what_is_asked),
		cmocka_unit_test(a_capital_q_leaves_at_once),
		cmocka_unit_test(effects_ask_for_what_is_done_outside),
		cmocka_unit_test(a_row_is_pressed_and_pressed_again),
		cmocka_unit_test(a_title_is_pressed_and_pressed_again),
		cmocka_unit_test(the_titles_of_what_is_gone_are_not_pressed),
		cmocka_unit_test(tabs_are_pressed),
		cmocka_unit_test(a_press_on_a_key_presses_it),
		cmocka_unit_test(what_is_looked_at_is_pressed),
		cmocka_unit_test(tabs_are_never_cut),
		cmocka_unit_test(tabs_keep_their_place),
		cmocka_unit_test(what_is_looked_at_is_never_left_out),
		cmocka_unit_test(a_bar_is_pressed_and_a_range_is_dragged),
		cmocka_unit_test(the_wheel_scrolls_rows_the_help_and_a_list),
		cmocka_unit_test(the_mouse_does_not_reach_behind_what_is_asked),
		cmocka_unit_test(what_the_footer_lists_does_something),
		cmocka_unit_test(the_footer_has_no_key_twice_for_one_thing),
		cmocka_unit_test(while_it_waits_the_footer_lists_little),
		cmocka_unit_test(while_it_waits_it_has_every_size),
		cmocka_unit_test(every_face_has_every_size),
	};

	return cmocka_run_group_tests_name("tui: the app", tests, NULL, NULL);
}

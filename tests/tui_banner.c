/* SPDX-License-Identifier: MIT */
/*
 * The first and the last lines around a report: what is said in every state, what stays where there
 * is little room, and the numbers that they are made of.
 */
#include "tests/tui_lines.h"

#include "tui/frames/scene.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

/* The test sets what the query shows. */
struct query {
	struct values values;
	struct values *base;
	struct query_options options;
};

const struct values *query_values(struct query *l)
{
	return &l->values;
}

const struct values *query_times(struct query *l)
{
	return &l->values;
}

const struct values *query_base(struct query *l)
{
	return l->base;
}

const struct query_options *query_options(const struct query *l)
{
	return &l->options;
}

/* A program at 60.1 frames a second, for 14 minutes and 22 seconds. */
struct stage {
	struct profile *p;
	struct query query;
	struct frame_stats stats;
	struct frame_mean mean;
	struct scene scene;
};

static void describe(struct profile *p)
{
	assert_true(profile_text(&p->process.program, "/opt/games/game"));
	assert_true(profile_text(&p->process.source, "demo"));
	p->process.pid = 4711;
	p->process.size = 32 << 20;
	p->process.silent_ns = -1;
	p->now_tick = 862 * S;
	p->frames_ended = 51882;
	for (int i = 0; i < 600; i++)
		assert_true(profile_add_frame(p, 51283 + (uint64_t)i, 852 * S + i * 1664 * MS / 100,
					      i == 89 ? 412 * MS / 10 : 1664 * MS / 100, 0));
}

static void set_up(struct stage *t)
{
	*t = (struct stage){ .p = profile_new() };
	assert_non_null(t->p);
	describe(t->p);
	t->query.values = (struct values){ .scale = 4, .wall = 4 * 1664 * MS / 100, .frames = 60,
					  .average = true };
	t->query.options = (struct query_options){ .threads = THREADS_ALL,
						 .average = AVERAGE_FAST };
	t->stats = (struct frame_stats){ .count = 600, .median = 164 * MS / 10,
					 .p99 = 238 * MS / 10, .max = 412 * MS / 10,
					 .over = 13, .history = 94 * S };
	t->mean = (struct frame_mean){ .rate = 60.1, .length = 1664 * MS / 100, .covers = 1 };
	t->scene = (struct scene){ .state = SCENE_LIVE, .target = "demo", .waiting = "",
				   .ending = "", .profile = t->p, .query = &t->query,
				   .newest = 51882, .newest_end = 862 * S - MS,
				   .stats = &t->stats, .mean = &t->mean, .budget = 167 * MS / 10 };
}

static void tear_down(struct stage *t)
{
	profile_free(t->p);
}

typedef void draw_line(const struct scene *s, struct canvas *c, struct area a);

static void expect(const struct stage *t, draw_line *draw, int width, const char *text)
{
	struct canvas c = { 0 };

	lines_begin(&c, width, 1, t->scene.ascii);
	draw(&t->scene, &c, canvas_area(&c));
	lines_expect(&c, text);
	canvas_fini(&c);
}

/* The role of the first cell in which a text begins. */
static enum role role_of(const struct stage *t, draw_line *draw, const char *text)
{
	struct canvas c = { 0 };
	enum role role = ROLES;
	char *all;

	lines_begin(&c, 200, 1, true);
	draw(&t->scene, &c, canvas_area(&c));
	all = lines_text(&c);
	if (strstr(all, text))
		role = canvas_cell(&c, (int)(strstr(all, text) - all), 0)->role;
	free(all);
	canvas_fini(&c);
	return role;
}

/* At 200, 100, 80, 40, 20 cells and 1. */
static void expect_all(const struct stage *t, draw_line *draw, const char *const texts[6])
{
	static const int widths[] = { 200, 100, 80, 40, 20, 1 };

	for (int i = 0; i < 6; i++)
		expect(t, draw, widths[i], texts[i]);
}

/* The title */

static void live(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	expect_all(&t, banner_draw, (const char *const[]){
		"proftop  game[4711]  demo  LIVE 00:14:22  60.1 fps  frame 51 882  avg 16.64 ms  p50 16.4  "
		"p99 23.8  max 41.2  of 600 frames\n",
		"game[4711]  demo  LIVE 00:14:22  60.1 fps  frame 51 882  avg 16.64 ms  p50 16.4  p99 23.8  "
		"max 41.2\n",
		"game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  p99 23.8  max 41.2\n",
		"game[4711]  LIVE  60.1 fps  avg 16.64 ms\n",
		"game[4711]  LIVE\n",
		"L\n",
	});
	assert_int_equal(role_of(&t, banner_draw, "LIVE"), ROLE_STATE);
	tear_down(&t);
}

static void one_name_of_all_frames_is_said_live_too(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	profile_name_frame(t.p, "turn");
	assert_int_equal(role_of(&t, banner_draw, "'turn'"), ROLE_TITLE);
	profile_add_frame(t.p, 51883, 862 * S, MS, 0);
	profile_name_frame(t.p, "menu");
	assert_int_equal(role_of(&t, banner_draw, "'menu'"), ROLES);
	tear_down(&t);
}

/* An event loop that waits between its frames. */
static void what_is_in_no_frame_is_said(void **state)
{
	struct stage t;
	uint32_t thread;

	(void)state;
	set_up(&t);
	t.mean.covers = 0.123;
	expect(&t, banner_draw, 80, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  in frames 12.3 %  p99 23.8\n");
	expect(&t, banner_draw, 60, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms\n");
	t.mean = (struct frame_mean){ .rate = 60.1, .covers = 1 }; /* the whole run: nobody counted how much is in frames */
	t.query.options.average = AVERAGE_RUN;
	expect(&t, banner_draw, 60, "game[4711]  LIVE 00:14:22  60.1 fps  p99 23.8 ms\n");
	thread = profile_add_thread(t.p, 1, 1, "main");
	t.p->threads[thread].marking = true;
	t.mean.waits = true; /* so nobody knows how much of the frames was busy, either */
	t.mean.busy = 40 * MS;
	expect(&t, banner_draw, 80, "game[4711]  LIVE 00:14:22  60.1 fps  frame 51 882  p99 23.8 ms  max 41.2 ms\n");
	tear_down(&t);
}

static void the_newest_frame_is_no_average(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.query.options.average = AVERAGE_NOW;
	expect(&t, banner_draw, 60, "game[4711]  LIVE 00:14:22  60.1 fps  16.64 ms  p99 23.8\n");
	tear_down(&t);
}

static void a_frame_that_does_not_end_is_said(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.p->now_tick = 862 * S + 2 * S;
	expect(&t, banner_draw, 80,
	       "game[4711]  LIVE 00:14:24  RUNNING 2.0 s, 122 × the median  o: where\n");
	assert_int_equal(role_of(&t, banner_draw, "RUNNING"), ROLE_ALARM);
	expect(&t, banner_draw, 36, "game[4711]  RUNNING 2.0 s\n");
	expect(&t, banner_draw, 20, "game  RUNNING 2.0 s\n");
	assert_int_equal(role_of(&t, banner_draw, "RUNNING"), ROLE_ALARM);
	t.p->now_tick = 862 * S + S / 5; /* not long enough to be read */
	expect(&t, banner_draw, 60, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  p99 23.8\n");
	t.p->now_tick = 862 * S + 2 * S;
	t.stats.median = S / 4; /* eight of them */
	assert_int_equal(role_of(&t, banner_draw, "LIVE"), ROLE_STATE);
	expect(&t, banner_draw, 60, "game[4711]  LIVE 00:14:24  60.1 fps  avg 16.64 ms  p99 23.8\n");
	t.stats.median = 164 * MS / 10;
	t.p->frames[t.p->frame_count - 1].flags = FRAME_BOUNDED;
	t.p->frame_began = 862 * S + S / 2;
	expect(&t, banner_draw, 80,
	       "game[4711]  LIVE 00:14:24  RUNNING 1.5 s, 91 × the median  o: where\n");
	t.p->frames[t.p->frame_count - 1].flags = 0; /* the first that it bounds */
	expect(&t, banner_draw, 80,
	       "game[4711]  LIVE 00:14:24  RUNNING 1.5 s, 91 × the median  o: where\n");
	t.p->frame_began = 0;
	t.scene.state = SCENE_PAUSED; /* its own clock stands */
	expect(&t, banner_draw, 60, "game[4711]  PAUSED  avg 16.64 ms  p99 23.8  max 41.2\n");
	tear_down(&t);
}

static void paused_at_a_frame(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.state = SCENE_PAUSED;
	t.scene.frame = 51372;
	expect_all(&t, banner_draw, (const char *const[]){
		"PAUSED  frame 51 372  −511 (−8.5 s)  41.20 ms  OVER +24.5  median 16.4  game[4711]\n",
		"PAUSED  frame 51 372  −511 (−8.5 s)  41.20 ms  OVER +24.5  median 16.4  game[4711]\n",
		"PAUSED  frame 51 372  −511 (−8.5 s)  41.20 ms  OVER +24.5  median 16.4\n",
		"PAUSED  frame 51 372  41.20 ms\n",
		"PAUSED  frame 51 372\n",
		"P\n",
	});
	assert_int_equal(role_of(&t, banner_draw, "PAUSED"), ROLE_PAUSED);
	assert_int_equal(role_of(&t, banner_draw, "OVER"), ROLE_ALARM);
	t.scene.ascii = true;
	expect(&t, banner_draw, 60, "PAUSED  frame 51 372  -511 (-8.5 s)  41.20 ms  OVER +24.5\n");
	t.scene.frame = 51882;
	expect(&t, banner_draw, 80,
	       "PAUSED  frame 51 882  -1 (-15.0 ms)  16.64 ms  median 16.4  game[4711]\n");
	profile_name_frame(t.p, "load level\x1b[2J of a very long name");
	expect(&t, banner_draw, 100,
	       "PAUSED  frame 51 882  'load level\\x1B[2J of a v...'  -1 (-15.0 ms)  16.64 ms  median 16.4\n");
	t.scene.frame = 3;
	expect(&t, banner_draw, 60, "PAUSED  frame 3  not in the history  game[4711]\n");
	tear_down(&t);
}

static void dead(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.state = SCENE_DEAD;
	expect(&t, banner_draw, 60, "game[4711]  DEAD  frame 51 883 unfinished  avg 16.64 ms\n");
	t.p->process.silent_ns = 192 * S;
	expect_all(&t, banner_draw, (const char *const[]){
		"proftop  game[4711]  demo  DEAD 00:03:12 ago  frame 51 883 unfinished  avg 16.64 ms  "
		"p50 16.4  p99 23.8  max 41.2  of 600 frames\n",
		"game[4711]  DEAD 00:03:12 ago  frame 51 883 unfinished  avg 16.64 ms  p50 16.4  p99 23.8  "
		"max 41.2\n",
		"game[4711]  DEAD 00:03:12 ago  frame 51 883 unfinished  avg 16.64 ms  p99 23.8\n",
		"game[4711]  DEAD\n",
		"game[4711]  DEAD\n",
		"D\n",
	});
	assert_int_equal(role_of(&t, banner_draw, "DEAD"), ROLE_ALARM);
	t.scene.ending = "exited 139 (SIGSEGV)";
	expect(&t, banner_draw, 60, "game[4711]  DEAD 00:03:12 ago  exited 139 (SIGSEGV)\n");
	t.scene.frame = 51372;
	expect(&t, banner_draw, 60, "game[4711]  DEAD 00:03:12 ago  frame 51 372  41.20 ms\n");
	tear_down(&t);
}

static void ended_and_read_from_a_file(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.state = SCENE_ENDED;
	t.scene.ending = "exited 0";
	expect(&t, banner_draw, 60, "game[4711]  ENDED  exited 0  avg 16.64 ms  p99 23.8\n");
	assert_int_equal(role_of(&t, banner_draw, "exited 0"), ROLE_TITLE);
	t.scene.ending = "exited 7";
	assert_int_equal(role_of(&t, banner_draw, "exited 7"), ROLE_ALARM);
	t.scene.state = SCENE_FILE;
	t.scene.ending = "";
	expect(&t, banner_draw, 60, "game[4711]  FILE  avg 16.64 ms  p99 23.8  max 41.2\n");
	tear_down(&t);
}

/* Which file it is; and no `ago`: how long ago the program ended says nothing of its recording. */
static void a_recording_has_the_name_of_its_file(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.state = SCENE_FILE;
	t.scene.is_file = true;
	assert_true(profile_text(&t.p->process.source, "/home/me/a\033.prof"));
	t.p->process.silent_ns = 3 * 3600 * S;
	expect(&t, banner_draw, 60, "game[4711]  a\\x1B.prof  FILE  avg 16.64 ms  p99 23.8\n");
	t.scene.state = SCENE_ENDED;
	expect(&t, banner_draw, 80, "game[4711]  a\\x1B.prof  FILE  the program ended  avg 16.64 ms  p99 23.8\n");
	t.scene.state = SCENE_DEAD;
	expect(&t, banner_draw, 80, "game[4711]  a\\x1B.prof  FILE  the program died  frame 51 883 unfinished\n");
	t.scene.state = SCENE_PAUSED;
	t.scene.frame = 51372;
	expect(&t, banner_draw, 100,
	       "PAUSED  frame 51 372  −511 (−8.5 s)  41.20 ms  OVER +24.5  median 16.4  game[4711]  a\\x1B.prof\n");
	tear_down(&t);
}

static void who_records_sees_it(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.recording = "00:01:12 4.2 MiB";
	expect(&t, banner_draw, 60, "game[4711]  LIVE 00:14:22  REC 00:01:12 4.2 MiB  60.1 fps\n");
	expect(&t, banner_draw, 20, "game  LIVE  REC\n");
	t.scene.state = SCENE_PAUSED;
	t.scene.frame = 51372;
	expect(&t, banner_draw, 60, "PAUSED  REC 00:01:12 4.2 MiB  frame 51 372  41.20 ms\n");
	t.scene.recording = "";
	expect(&t, banner_draw, 60, "PAUSED  frame 51 372  −511 (−8.5 s)  41.20 ms  OVER +24.5\n");
	tear_down(&t);
}

/* Since when is not always known; that a frame does not end stays said. */
static void stopped(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.state = SCENE_STOPPED;
	expect(&t, banner_draw, 80, "game[4711]  STOPPED  frame 51 882  avg 16.64 ms  p50 16.4  p99 23.8  max 41.2\n");
	t.p->process.silent_ns = 2 * S;
	t.p->now_tick = 862 * S + 2 * S;
	expect(&t, banner_draw, 80,
	       "game[4711]  STOPPED for 00:00:02  RUNNING 2.0 s, 122 × the median  o: where\n");
	assert_int_equal(role_of(&t, banner_draw, "STOPPED"), ROLE_ALARM);
	expect(&t, banner_draw, 36, "game[4711]  STOPPED  avg 16.64 ms\n");
	t.scene.stopped = true;
	expect(&t, status_draw, 60, " region 32 MiB, 94 s of history   stopped\n");
	tear_down(&t);
}

static void waiting(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.state = SCENE_WAITING;
	t.scene.waiting = "there is no region of that name yet";
	t.scene.profile = NULL;
	t.scene.query = NULL;
	t.scene.stats = NULL;
	expect_all(&t, banner_draw, (const char *const[]){
		"proftop  WAITING for demo  there is no region of that name yet\n",
		"proftop  WAITING for demo  there is no region of that name yet\n",
		"proftop  WAITING for demo  there is no region of that name yet\n",
		"WAITING for demo  there is no region of…\n",
		"WAITING for demo  t…\n",
		"W\n",
	});
	t.scene.target = "";
	expect(&t, banner_draw, 30, "WAITING for a program  there …\n");
	t.scene.profile = t.p; /* of the run before */
	expect(&t, banner_draw, 30, "WAITING for a program  there …\n");
	t.scene.state = SCENE_READING;
	t.scene.target = "demo";
	t.scene.waiting = "a moment";
	expect(&t, banner_draw, 60, "proftop  READING demo  a moment\n");
	tear_down(&t);
}

static void before_the_first_frame(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	profile_drop_frames(t.p, UINT32_MAX);
	t.scene.newest = 0;
	t.scene.query = NULL;
	t.stats = (struct frame_stats){ 0 };
	t.mean = (struct frame_mean){ 0 };
	expect(&t, banner_draw, 60, "proftop  game[4711]  demo  LIVE 00:14:22\n");
	expect(&t, status_draw, 80,
	       " region 32 MiB, no frames yet   running\n");
	t.scene.profile = NULL;
	t.scene.stats = NULL;
	expect(&t, banner_draw, 60, "proftop  LIVE\n");
	expect(&t, status_draw, 60, "\n");
	tear_down(&t);
}

static void names_are_shown_safely_and_cut_before_the_state(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	assert_true(profile_text(&t.p->process.program, "/a\x1b[2J/b\x1b[31m\xc3\xa4"));
	expect(&t, banner_draw, 40, "b\\x1B[31mä[4711]  LIVE  60.1 fps\n");
	t.scene.ascii = true;
	expect(&t, banner_draw, 50, "b\\x1B[31m\\xC3\\xA4[4711]  LIVE  60.1 fps\n");
	assert_true(profile_text(&t.p->process.program, "a_program_of_a_very_long_name"));
	expect(&t, banner_draw, 20, "a_progra[4711]  LIVE\n");
	expect(&t, banner_draw, 12, "a_prog  LIVE\n");
	tear_down(&t);
}

static void times_are_in_the_unit_of_the_median(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.stats.median = 164000;
	t.stats.p99 = 1238000;
	expect(&t, banner_draw, 80,
	       "game[4711]  LIVE 00:14:22  60.1 fps  avg 16640 µs  p99 1238  max 41200\n");
	t.scene.ascii = true;
	t.stats = (struct frame_stats){ .count = 5, .median = 2 * S, .p99 = 3 * S,
					.max = 12 * S };
	t.mean.rate = 0.5;
	expect(&t, banner_draw, 80,
	       "game[4711]  LIVE 00:14:22  0.50 fps  avg 0.017 s  p99 3.00  max 12.0\n");
	t.scene.unit = figure_unit_for(MS, S); /* which it had so far */
	expect(&t, banner_draw, 80,
	       "game[4711]  LIVE 00:14:22  0.50 fps  avg 16.64 ms  p99 3000  max 12000\n");
	tear_down(&t);
}

static void a_unit_stays_while_one_looks(void **state)
{
	const struct figure_unit *us = figure_unit_for(1000, S), *ms = figure_unit_for(MS, S);

	(void)state;
	assert_ptr_equal(figure_unit_keep(NULL, 999999, S), us);
	assert_ptr_equal(figure_unit_keep(us, MS + 1000, S), us);
	assert_ptr_equal(figure_unit_keep(us, 10 * MS - 1, S), us);
	assert_ptr_equal(figure_unit_keep(us, 10 * MS, S), ms);
	assert_ptr_equal(figure_unit_keep(ms, MS / 10, S), ms);
	assert_ptr_equal(figure_unit_keep(ms, MS / 10 - 1, S), us);
	assert_ptr_equal(figure_unit_keep(ms, 0, S), ms); /* nothing is known */
}

/* One hang of three seconds in a program of short frames. */
static void times_far_apart_have_units_of_their_own(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	t.scene.unit = figure_unit_for(20000, S);
	t.stats.median = 20000;
	t.stats.p99 = 4542000;
	t.stats.max = 3086396000;
	expect(&t, banner_draw, 104, "game[4711]  LIVE 00:14:22  60.1 fps  frame 51 882  avg 16.64 ms  p50 20.0 µs  "
				     "p99 4.54 ms  max 3.09 s\n");
	t.stats.max = 12 * MS;
	t.mean.length = 2531 * MS; /* the hang is in the average first */
	expect(&t, banner_draw, 80, "game[4711]  LIVE 00:14:22  60.1 fps  avg 2.531 s  p99 4.54 ms  max 12.0 ms\n");
	t.scene.state = SCENE_PAUSED;
	t.scene.frame = 51372; /* 2,060 medians */
	t.scene.budget = 30 * MS;
	expect(&t, banner_draw, 80,
	       "PAUSED  frame 51 372  −511 (−8.5 s)  41.20 ms  OVER +11.2 ms  median 20.0 µs\n");
	t.stats.median = 50000; /* 824: in one unit */
	t.scene.unit = NULL;
	expect(&t, banner_draw, 80,
	       "PAUSED  frame 51 372  −511 (−8.5 s)  41200 µs  OVER +11200  median 50.0\n");
	tear_down(&t);
}

/* How long the marking thread is busy in a frame, and beside it the cores that all threads keep busy. */
static void busy_is_of_one_thread_and_cores_are_of_all(void **state)
{
	struct load load = { .used = 2.34, .wall = 1, .idles = true };
	int64_t self[2] = { 0, 4 * 6 * MS };
	struct stage t;
	uint32_t thread;

	(void)state;
	set_up(&t);
	thread = profile_add_thread(t.p, 1, 1, "main");
	t.p->threads[thread].marking = true;
	profile_add_node(t.p, t.p->threads[thread].root, profile_add_zone(t.p, "vsync", "f.c", 1, ZONE_WAITING));
	t.query.values.self = self;
	t.query.values.node_count = 2;
	t.mean.waits = true;
	t.mean.busy = 1064 * MS / 100;
	t.scene.load = &load;
	expect_all(&t, banner_draw, (const char *const[]){ /* one thread: cores say little more than busy does */
		"proftop  game[4711]  demo  LIVE 00:14:22  60.1 fps  frame 51 882  avg 16.64 ms  busy 10.6  2.3 cores  "
		"p50 16.4  p99 23.8  max 41.2  of 600 frames\n",
		"game[4711]  LIVE 00:14:22  60.1 fps  frame 51 882  avg 16.64 ms  busy 10.6  p99 23.8  max 41.2\n",
		"game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  busy 10.6  p99 23.8  max 41.2\n",
		"game[4711]  LIVE  60.1 fps  avg 16.64 ms\n",
		"game[4711]  LIVE\n",
		"L\n",
	});
	profile_add_thread(t.p, 2, 2, "worker");
	expect(&t, banner_draw, 90, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  main busy 10.6  2.3 cores  p99 23.8\n");
	expect(&t, banner_draw, 80, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  main busy 10.6  2.3 cores\n");
	expect(&t, banner_draw, 70, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  2.3 cores\n");
	t.query.options.threads = thread; /* alone: then its busy time matters more */
	expect(&t, banner_draw, 70, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  main busy 10.6\n");
	t.query.options.threads = THREADS_ALL;
	t.mean.busy = 1200; /* which would be 0.00 in ms */
	expect(&t, banner_draw, 90, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  main busy 1.20 µs  2.3 cores  p99 23.8\n");
	t.mean.busy = 1064 * MS / 100;
	assert_true(profile_text(&t.p->threads[thread].name, "rendering-frames"));
	expect(&t, banner_draw, 85, "game[4711]  LIVE 00:14:22  60.1 fps  avg 16.64 ms  rendering-fr busy 10.6  2.3 cores\n");
	tear_down(&t);
}

/* Where nothing says that the only thread was ever idle, nothing is said; nor where nothing is known. */
static void cores_are_said_where_they_are_known(void **state)
{
	struct load load = { .used = 1, .wall = 1 };
	struct stage t;

	(void)state;
	set_up(&t);
	profile_add_thread(t.p, 1, 1, "main");
	t.scene.load = &load;
	assert_int_equal(role_of(&t, banner_draw, "cores"), ROLES);
	load.cpu = true;
	assert_int_equal(role_of(&t, banner_draw, "1.0 cores"), ROLE_TITLE);
	load.cpu = false;
	load.idles = true;
	assert_int_equal(role_of(&t, banner_draw, "1.0 cores"), ROLE_TITLE);
	load.used = 0.1;
	assert_int_equal(role_of(&t, banner_draw, "0.10 cores"), ROLE_TITLE);
	load.used = 0.0049;
	assert_int_equal(role_of(&t, banner_draw, "<0.01 cores"), ROLE_TITLE);
	load.used = 0;
	assert_int_equal(role_of(&t, banner_draw, "0.00 cores"), ROLE_TITLE);
	load.used = 0.999;
	assert_int_equal(role_of(&t, banner_draw, "1.0 cores"), ROLE_TITLE);
	load.least = true;
	load.used = 0.0049; /* at least 0.00: that says nothing */
	assert_int_equal(role_of(&t, banner_draw, "cores"), ROLES);
	load.least = false;
	load.used = 31.6;
	assert_int_equal(role_of(&t, banner_draw, "32 cores"), ROLE_TITLE);
	load.wall = 0;
	assert_int_equal(role_of(&t, banner_draw, "cores"), ROLES);
	tear_down(&t);
}

/* The line above the footer */

static void all_is_well(void **state)
{
	struct stage t;
	int64_t count[4] = { 4 * 90000, 4 * 600, 0, 4 * 100000 }; /* roots are not entered */
	int64_t self[4] = { 4 * 10 * MS, 4 * 5 * MS, 4 * 30 * MS, 4 * 8 * MS }, idle[2] = { 0, 4 * 29 * MS };
	uint32_t root, other, zone;

	(void)state;
	set_up(&t);
	root = profile_add_thread(t.p, 1, 1, "main");
	zone = profile_add_zone(t.p, "a", "f.c", 1, 0);
	assert_int_equal(profile_add_node(t.p, t.p->threads[root].root, zone), 1);
	other = profile_add_thread(t.p, 2, 2, "other");
	assert_int_equal(profile_add_node(t.p, t.p->threads[other].root, zone), 3);
	t.query.values.count = count;
	t.query.values.self = self;
	t.query.values.idle = idle;
	t.query.values.node_count = 4;
	t.query.options.threads = root;
	expect(&t, status_draw, 100,
	       " region 32 MiB, 94 s of history   running\n");
	t.p->process.pair_ns = 50; /* 0.03 ms of 15 */
	expect_all(&t, status_draw, (const char *const[]){
		" region 32 MiB, 94 s of history   running   profiling cost ≥0.2 %\n",
		" region 32 MiB, 94 s of history   running   profiling cost ≥0.2 %\n",
		" region 32 MiB, 94 s of history   running   profiling cost ≥0.2 %\n",
		"region 32 MiB, 94 s of history  running\n",
		"running\n",
		"\n",
	});
	t.p->process.pair_cold_ns = 54; /* the same within a tenth */
	expect(&t, status_draw, 100,
	       " region 32 MiB, 94 s of history   running   profiling cost ≥0.2 %\n");
	t.p->process.pair_cold_ns = 150;
	expect(&t, status_draw, 100,
	       " region 32 MiB, 94 s of history   running   profiling cost 0.2–0.6 %\n");
	t.p->process.pair_ns = 100;
	t.p->process.pair_cold_ns = 111;
	expect(&t, status_draw, 100, " region 32 MiB, 94 s of history   running   profiling cost 0.4 %\n");
	t.p->process.pair_ns = 1;
	t.p->process.pair_cold_ns = 0;
	expect(&t, status_draw, 100, " region 32 MiB, 94 s of history   running   profiling cost <0.2 %\n");
	t.p->process.pair_cold_ns = 5;
	expect(&t, status_draw, 100, " region 32 MiB, 94 s of history   running   profiling cost <0.1 %\n");
	t.p->process.pair_ns = 50;
	t.p->process.pair_cold_ns = 150;
	t.query.options.threads = THREADS_ALL; /* 5.03 ms of 24: the other one entered nothing for 29 */
	expect(&t, status_draw, 120, " region 32 MiB, 94 s of history   running   profiling cost 21.0–62.9 %\n");
	expect(&t, status_draw, 80, " region 32 MiB, 94 s of history   running   profiling cost 21.0–62.9 %\n");
	t.p->zones[zone].flags = ZONE_WAITING; /* of 11 */
	t.p->process.pair_cold_ns = 0;
	expect(&t, status_draw, 80, " region 32 MiB, 94 s of history   running   profiling cost ≥45.7 %\n");
	assert_int_equal(role_of(&t, status_draw, "profiling cost"), ROLE_ALARM);
	tear_down(&t);
}

static void losses_are_named_and_alarming(void **state)
{
	struct stage t;

	(void)state;
	set_up(&t);
	assert_true(profile_set_loss(t.p, "too_deep", "", 0));
	assert_true(profile_set_loss(t.p, "left_open", "", 3));
	assert_true(profile_set_loss(t.p, "lapped_parts", "", 12345));
	assert_true(profile_set_loss(t.p, "zone_room", "", 7));
	assert_true(profile_text(&t.p->left_open, "a\x1b\xc3\xa4"));
	t.query.values.incomplete = 2;
	expect_all(&t, status_draw, (const char *const[]){
		" lost 12 352   lapped_parts 12 345   zone_room 7   zones not closed 3 times (a\\x1Bä)   2 slices incomplete   "
		"region 32 MiB, 94 s of history   running\n",
		" lost 12 352   zones not closed 3 times (a\\x1Bä)   2 slices incomplete   running\n",
		" lost 12 352   zones not closed 3 times (a\\x1Bä)   2 slices incomplete   running\n",
		"lost 12 352  running\n",
		"lost 12 352  running\n",
		"l\n",
	});
	assert_int_equal(role_of(&t, status_draw, "lost"), ROLE_ALARM);
	assert_int_equal(role_of(&t, status_draw, "lapped"), ROLE_ALARM);
	t.p->unseen_frames = 15900;
	expect(&t, status_draw, 160, " lost 12 352   lapped_parts 12 345   zone_room 7   15 900 frames before attach   "
				     "zones not closed 3 times (a\\x1Bä)   2 slices incomplete   running\n");
	assert_int_equal(role_of(&t, status_draw, "15 900 frames"), ROLE_STATUS);
	t.p->unseen_frames = 0;
	t.p->left_out_frames = 300;
	expect(&t, status_draw, 160, " lost 12 352   lapped_parts 12 345   zone_room 7   300 frames left out   "
				     "zones not closed 3 times (a\\x1Bä)   2 slices incomplete   running\n");
	assert_int_equal(role_of(&t, status_draw, "300 frames"), ROLE_STATUS);
	t.p->left_out_frames = 0;
	assert_int_equal(role_of(&t, status_draw, "zones not closed 3 times"), ROLE_ALARM);
	assert_int_equal(role_of(&t, status_draw, "2 slices"), ROLE_ALARM);
	t.query.values.incomplete = 0;
	t.query.base = &(struct values){ .incomplete = 1 };
	expect(&t, status_draw, 130, " lost 12 352   lapped_parts 12 345   zone_room 7   zones not closed 3 times (a\\x1Bä)   "
				     "1 slice of the base incomplete   running\n");
	assert_int_equal(role_of(&t, status_draw, "running"), ROLE_STATUS);
	tear_down(&t);
}

static void more_causes_than_there_is_room_for_leave_the_rest(void **state)
{
	struct stage t;
	char key[32];

	(void)state;
	set_up(&t);
	for (int i = 0; i < 40; i++) {
		snprintf(key, sizeof(key), "c%d", i);
		assert_true(profile_set_loss(t.p, key, "", 1));
	}
	t.scene.writer = PROFILE_DEAD;
	assert_int_equal(role_of(&t, status_draw, "died"), ROLE_ALARM);
	assert_int_equal(role_of(&t, status_draw, "c11 1"), ROLE_ALARM);
	assert_int_equal(role_of(&t, status_draw, "c12 1"), ROLES);
	tear_down(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(live),
		cmocka_unit_test(one_name_of_all_frames_is_said_live_too),
		cmocka_unit_test(what_is_in_no_frame_is_said),
		cmocka_unit_test(the_newest_frame_is_no_average),
		cmocka_unit_test(a_frame_that_does_not_end_is_said),
		cmocka_unit_test(paused_at_a_frame),
		cmocka_unit_test(dead),
		cmocka_unit_test(ended_and_read_from_a_file),
		cmocka_unit_test(a_recording_has_the_name_of_its_file),
		cmocka_unit_test(who_records_sees_it),
		cmocka_unit_test(stopped),
		cmocka_unit_test(waiting),
		cmocka_unit_test(before_the_first_frame),
		cmocka_unit_test(names_are_shown_safely_and_cut_before_the_state),
		cmocka_unit_test(times_are_in_the_unit_of_the_median),
		cmocka_unit_test(a_unit_stays_while_one_looks),
		cmocka_unit_test(times_far_apart_have_units_of_their_own),
		cmocka_unit_test(busy_is_of_one_thread_and_cores_are_of_all),
		cmocka_unit_test(cores_are_said_where_they_are_known),
		cmocka_unit_test(all_is_well),
		cmocka_unit_test(losses_are_named_and_alarming),
		cmocka_unit_test(more_causes_than_there_is_room_for_leave_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

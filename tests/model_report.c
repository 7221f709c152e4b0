/* SPDX-License-Identifier: MIT */
/* Reports: a profile in, the expected table out. */
#include <math.h>

#include "tests/model_dsl.h"

#include "model/base/order.h"

#define GAME                                                                                       \
	"main .                 402000   0        0\n"                                             \
	"main render           2904000   1  2904000\n"                                             \
	"main ai                100000   1  3100000\n"                                             \
	"main ai/raycast       3000000 300    19000\n"                                             \
	"main physics            50000   1   462000\n"                                             \
	"main physics/raycast   412000 300     2900\n"

static void expect_game(const struct report_options *o, const char *columns, const char *expected)
{
	struct profile *p = dsl_profile(GAME);

	dsl_expect(p, o, columns, expected);
	profile_free(p);
}

static struct report_options options(enum report_view view)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	o.view = view;
	return o;
}

static void by_self(void **state)
{
	struct report_options o = options(REPORT_SELF);

	(void)state;
	expect_game(&o, "self,hier,count,frame,max",
		    "  ZONE        SELF ms v   HIER ms   COUNT  %FRAME    MAX ms\n"
		    "  raycast         3.412     3.412     600   49.7%     0.019\n"
		    "  render          2.904     2.904       1   42.3%     2.904\n"
		    "+ ai              0.100     3.100       1    1.5%     3.100\n"
		    "+ physics         0.050     0.462       1    0.7%     0.462\n"
		    "  (no zone)       0.402         -       -    5.9%         -\n");
}

static void by_hier(void **state)
{
	struct report_options o = options(REPORT_HIER);

	(void)state;
	expect_game(&o, "self,hier,frame,avg",
		    "  ZONE         SELF ms  HIER ms v  %FRAME    AVG ms\n"
		    "  raycast        3.412      3.412   49.7%     0.006\n"
		    "+ ai             0.100      3.100   45.1%     3.100\n"
		    "  render         2.904      2.904   42.3%     2.904\n"
		    "+ physics        0.050      0.462    6.7%     0.462\n"
		    "  (no zone)      0.402          -    5.9%         -\n");
}

/* The two means are read beside each other, however small those of self times are. */
static void means_have_one_unit(void **state)
{
	struct report_options o = options(REPORT_HIER);

	(void)state;
	expect_game(&o, "avg,avg-self",
		    "  ZONE          AVG ms  AVG SELF ms\n"
		    "  raycast        0.006        0.006\n"
		    "+ ai             3.100        0.100\n"
		    "  render         2.904        2.904\n"
		    "+ physics        0.462        0.050\n"
		    "  (no zone)          -            -\n");
}

/* The casts for ai are ten times as long: the callers say so. */
static void graph_of_a_zone_with_two_callers(void **state)
{
	struct report_options o = options(REPORT_GRAPH);

	(void)state;
	o.zone = "raycast";
	expect_game(&o, "self,hier,count,direct,share,avg",
		    "  ZONE         SELF ms  HIER ms v   COUNT  DIRECT  SHARE           AVG us\n"
		    "  + physics      0.412      0.412     300     300   12.1% #         1.373\n"
		    "  + ai           3.000      3.000     300     300   87.9% ####     10.000\n"
		    "- raycast        3.412      3.412     600     600  100.0% #####     5.687\n");
}

static void graph_from_the_root(void **state)
{
	struct report_options o = options(REPORT_GRAPH);

	(void)state;
	o.zone = "ai";
	expect_game(&o, "self,hier,count",
		    "  ZONE          SELF ms  HIER ms v   COUNT\n"
		    "    (no zone)     0.100      3.100       1\n"
		    "- ai              0.100      3.100       1\n"
		    "      raycast     3.000      3.000     300\n");
	o.zone = NULL;
	o.focus = 0; /* what the threads do */
	expect_game(&o, "self,hier",
		    "  ZONE          SELF ms  HIER ms v\n"
		    "- (no zone)       0.402      6.868\n"
		    "    + ai          0.100      3.100\n"
		    "      render      2.904      2.904\n"
		    "    + physics     0.050      0.462\n");
}

static void tree(void **state)
{
	struct report_options o = options(REPORT_TREE);

	(void)state;
	expect_game(&o, "self,hier,count",
		    "  ZONE          SELF ms  HIER ms v   COUNT\n"
		    "+ all             0.402      6.868       -\n"
		    "  + ai            0.100      3.100       1\n"
		    "      raycast     3.000      3.000     300\n"
		    "    render        2.904      2.904       1\n"
		    "  + physics       0.050      0.462       1\n"
		    "      raycast     0.412      0.412     300\n");
}

/* fib calls itself, entered once from outside: what runs inside counts once. */
static void direct_recursion(void **state)
{
	struct profile *p = dsl_profile("main fib 100 1 600\nmain fib/fib 200 2 500\n"
					"main fib/fib/fib 300 4 300\nmain fib/fib/log 7 1 7\n");
	struct report_options o = options(REPORT_HIER);

	(void)state;
	o.unit = UNIT_NS;
	dsl_expect(p, &o, "self,hier,count,max",
		   "  ZONE         SELF ns  HIER ns v   COUNT    MAX ns\n"
		   "+ fib              600        607       7       600\n"
		   "  log                7          7       1         7\n"
		   "  (no zone)          0          -       -         -\n");
	o.view = REPORT_GRAPH;
	o.zone = "fib";
	dsl_expect(p, &o, "self,hier,count,direct",
		   "  ZONE          SELF ns  HIER ns v   COUNT  DIRECT\n"
		   "  + fib               0          0       0       6\n"
		   "    (no zone)       600        607       7       1\n"
		   "- fib               600        607       7       7\n"
		   "      log             7          7       1       1\n");
	profile_free(p);
}

static void recursion_spread(void **state)
{
	struct profile *p = dsl_profile("main fib 100 1 600\nmain fib/fib 200 2 500\n"
					"main fib/fib/fib 300 4 300\nmain fib/fib/log 7 1 7\n");
	struct report_options o = options(REPORT_HIER);

	(void)state;
	o.unit = UNIT_NS;
	o.spread = true;
	dsl_expect(p, &o, "self,hier,count",
		   "  ZONE         SELF ns  HIER ns v   COUNT\n"
		   "+ fib              100        607       1\n"
		   "+ fib(2)           200        507       2\n"
		   "  fib(3)           300        300       4\n"
		   "  log                7          7       1\n"
		   "  (no zone)          0          -       -\n");
	o.view = REPORT_GRAPH;
	o.zone = "fib(2)";
	dsl_expect(p, &o, "self,hier,count",
		   "  ZONE         SELF ns  HIER ns v   COUNT\n"
		   "  + fib            200        507       2\n"
		   "- fib(2)           200        507       2\n"
		   "      fib(3)       300        300       4\n"
		   "      log            7          7       1\n");
	profile_free(p);
}

/* a calls b calls a: b below the last a, and a on behalf of b below the first, are two things. */
static void mutual_recursion(void **state)
{
	struct profile *p = dsl_profile("main a 1 1\nmain a/b 10 1\nmain a/b/a 100 1\n"
					"main a/b/a/b 1000 1\n");
	struct report_options o = options(REPORT_GRAPH);
	struct report *r;
	struct values *v = values_of_run(p);

	(void)state;
	o.unit = UNIT_NS;
	o.zone = "a";
	dsl_expect(p, &o, "self,hier,count,direct",
		   "  ZONE          SELF ns  HIER ns v   COUNT  DIRECT\n"
		   "  + b                 0          0       0       1\n"
		   "    (no zone)       101       1111       2       1\n"
		   "- a                 101       1111       2       2\n"
		   "    + b            1010       1010       2       2\n");
	r = dsl_report(p, v, &o);
	assert_int_equal(r->sections[0].depth, 2);
	assert_int_equal(r->sections[0].recursive, 1);
	report_free(r);
	o.zone = "b";
	dsl_expect(p, &o, "self,hier,count,direct",
		   "  ZONE         SELF ns  HIER ns v   COUNT  DIRECT\n"
		   "  + a             1010       1110       2       2\n"
		   "- b               1010       1110       2       2\n"
		   "    + a            100        100       1       1\n");
	values_free(v);
	profile_free(p);
}

/* Frames before it went deeper, or not into it at all. */
static void recursion_is_as_deep_as_in_what_is_covered(void **state)
{
	struct profile *p = dsl_profile("frame 1 20\nmain a 5 1\nmain a/a 5 1\nmain a/a/a 10 1\n"
					"frame 2 20\nmain a 0 1\nmain a/a 0 1\nmain a/a/b 20 1\n"
					"frame 3 20\nmain b 20 1\n");
	static const uint32_t depths[] = { 3, 2, 0 };
	struct report_options o = options(REPORT_GRAPH);

	(void)state;
	o.zone = "a";
	for (uint32_t frame = 0; frame < 3; frame++) {
		struct values *v = values_of_frames(p, frame, 1);
		struct report *r = dsl_report(p, v, &o);

		assert_int_equal(r->sections[0].depth, depths[frame]);
		report_free(r);
		values_free(v);
	}
	profile_free(p);
}

/* And those of a run of all that are held. */
static void statistics_are_of_the_frames_covered(void **state)
{
	struct profile *p = dsl_profile("main a 60 3\nframe 1 20\nmain a 10 1\nframe 2 20\nmain a 20 1\n"
					"frame 3 30\nmain a 30 1\n");
	struct report_options o = options(REPORT_SELF);
	struct values *v = values_of_frames(p, 1, 1);

	(void)state;
	o.unit = UNIT_NS;
	o.per_frame = true;
	dsl_expect_values(p, v, &o, SHEET_NO_LIMIT, "self,frames,frame-min,frame-max,first",
			  "  ZONE        SELF ns v  FRAMES  MIN/F ns  MAX/F ns   FIRST\n"
			  "  a                  20       1        20        20       2\n"
			  "  (no zone)           0       1         0         0       -\n");
	dsl_expect(p, &o, "self,frames,frame-min,frame-max,first",
		   "  ZONE        SELF ns v  FRAMES  MIN/F ns  MAX/F ns   FIRST\n"
		   "  a                  60       3        10        30       1\n"
		   "  (no zone)           0       3         0         0       -\n");
	values_free(v);
	profile_free(p);
}

#define TWO                                                                                        \
	"main . 5 0\nmain work 100 2\nmain work/read 20 1\n"                                       \
	"pool . 7 0\npool work 300 3\npool idle 40 1\n"

static void threads_merged(void **state)
{
	struct profile *p = dsl_profile(TWO);
	struct report_options o = options(REPORT_SELF);

	(void)state;
	o.unit = UNIT_NS;
	dsl_expect(p, &o, "self,hier,count,thr",
		   "  ZONE        SELF ns v   HIER ns   COUNT  THR\n"
		   "+ work              400       420       5    2\n"
		   "  idle               40        40       1    1\n"
		   "  read               20        20       1    1\n"
		   "  (no zone)          12         -       -    -\n");
	profile_free(p);
}

static void threads_each(void **state)
{
	struct profile *p = dsl_profile(TWO);
	struct report_options o = options(REPORT_SELF);

	(void)state;
	o.unit = UNIT_NS;
	o.thread = THREADS_EACH;
	dsl_expect(p, &o, "self,count",
		   "thread: main   125 ns\n"
		   "  ZONE        SELF ns v   COUNT\n"
		   "+ work              100       2\n"
		   "  read               20       1\n"
		   "  (no zone)           5       -\n"
		   "\n"
		   "thread: pool   347 ns\n"
		   "  ZONE        SELF ns v   COUNT\n"
		   "+ work              300       3\n"
		   "  idle               40       1\n"
		   "  (no zone)           7       -\n");
	o.view = REPORT_TREE;
	o.thread = 1;
	dsl_expect(p, &o, "self,hier",
		   "  ZONE         SELF ns  HIER ns v\n"
		   "+ all                7        347\n"
		   "    work           300        300\n"
		   "    idle            40         40\n");
	profile_free(p);
}

/* Idle time is left out as of all threads. */
static void threads_of_one_name(void **state)
{
	struct profile *p = dsl_profile(TWO);
	struct report_options o = options(REPORT_SELF);

	(void)state;
	profile_add_thread(p, 1, 0, "a\x1b");
	profile_add_thread(p, 2, 0, "a\x1b");
	profile_add_thread(p, 3, 0, "other");
	o.unit = UNIT_NS;
	o.thread = THREADS_NAMED(1);
	dsl_expect(p, &o, "self,count,thr",
		   "  ZONE        SELF ns v   COUNT  THR\n"
		   "+ work              400       5    2\n"
		   "  idle               40       1    1\n"
		   "  read               20       1    1\n"
		   "  (no zone)          12       -    -\n");
	profile_free(p);
}

static void a_group_has_a_name(void **state)
{
	struct profile *p = dsl_profile(TWO);
	struct report_options o = options(REPORT_SELF);
	struct values *v = values_of_run(p);
	struct report *r;

	(void)state;
	o.thread = THREADS_NAMED(0);
	r = dsl_report(p, v, &o);
	assert_string_equal(r->sections[0].name, "main");
	report_free(r);
	profile_add_thread(p, 2, 0, "main");
	r = dsl_report(p, v, &o);
	assert_string_equal(r->sections[0].name, "main (2 threads)");
	report_free(r);
	o.thread = 99;
	r = dsl_report(p, v, &o);
	assert_string_equal(r->sections[0].name, "no thread");
	report_free(r);
	values_free(v);
	profile_free(p);
}

static void a_tree_of_threads_merges_paths(void **state)
{
	struct profile *p = dsl_profile(TWO);
	struct report_options o = options(REPORT_TREE);

	(void)state;
	o.unit = UNIT_NS;
	dsl_expect(p, &o, "self,hier,thr",
		   "  ZONE         SELF ns  HIER ns v  THR\n"
		   "+ all               12        472    2\n"
		   "  + work           400        420    2\n"
		   "      read          20         20    1\n"
		   "    idle            40         40    1\n");
	profile_free(p);
}

static void an_idle_thread_does_not_swell_no_zone(void **state)
{
	struct profile *p = dsl_profile("main . 10 0\nmain a 1 1\nw . 5 0\nw b 2 1\n"
					"frame 1 100\nmain . 40 0\nmain a 60 1\nw . 100 0\n");
	struct report_options o = options(REPORT_SELF);
	struct values *v = values_of_last(p, 1);

	(void)state;
	dsl_expect_values(p, v, &o, 0, "self,frame",
			  "  ZONE        SELF ns v  %FRAME\n"
			  "  a                  60   60.0%\n"
			  "  (no zone)          40   40.0%\n");
	o.thread = 1;
	dsl_expect_values(p, v, &o, 0, "self,frame",
			  "  ZONE        SELF ns v  %FRAME\n"
			  "  (no zone)         100  100.0%\n");
	profile_add_thread(p, 2, 0, "main"); /* merged by their name, idle time is left out as well */
	o.thread = THREADS_NAMED(1);
	dsl_expect_values(p, v, &o, 0, "self,frame",
			  "  ZONE        SELF ns v  %FRAME\n"
			  "  a                  60   60.0%\n"
			  "  (no zone)          40   40.0%\n");
	values_free(v);
	profile_free(p);
}

/* A worker with work in one frame of two is in the row of both, and of the whole run; one without any is in none. */
static void no_zone_of_frames_is_that_of_the_run(void **state)
{
	struct profile *p = dsl_profile("main . 50 0\nmain a 150 2\nw . 190 0\nw b 10 1\nlazy . 200 0\n"
					"frame 1 100\nmain . 20 0\nmain a 80 1\nw . 90 0\nw b 10 1\nlazy . 100 0\n"
					"frame 2 100\nmain . 30 0\nmain a 70 1\nw . 100 0\nlazy . 100 0\n");
	struct report_options o = options(REPORT_SELF);
	struct values *run = values_of_run(p), *frames = values_of_last(p, 2), *last = values_of_last(p, 1);
	static const char both[] = "  ZONE        SELF ns v\n"
				   "  (no zone)         240\n"
				   "  a                 150\n"
				   "  b                  10\n";

	(void)state;
	dsl_expect_values(p, run, &o, 0, "self", both);
	dsl_expect_values(p, frames, &o, 0, "self", both);
	dsl_expect_values(p, last, &o, 0, "self",
			  "  ZONE        SELF ns v\n"
			  "  a                  70\n"
			  "  (no zone)          30\n");
	values_free(run);
	values_free(frames);
	values_free(last);
	profile_free(p);
}

static void sorted_by_any_column(void **state)
{
	struct report_options o = options(REPORT_SELF);

	(void)state;
	o.sort = COLUMN_ZONE;
	expect_game(&o, "hier",
		    "  ZONE ^       HIER ms\n"
		    "+ ai             3.100\n"
		    "+ physics        0.462\n"
		    "  raycast        3.412\n"
		    "  render         2.904\n"
		    "  (no zone)          -\n");
	o.sort = COLUMN_COUNT;
	expect_game(&o, "count", /* ties by name */
		    "  ZONE        COUNT v\n"
		    "  raycast         600\n"
		    "+ ai                1\n"
		    "+ physics           1\n"
		    "  render            1\n"
		    "  (no zone)         -\n");
	o.invert = true;
	expect_game(&o, "count",
		    "  ZONE        COUNT ^\n"
		    "+ ai                1\n"
		    "+ physics           1\n"
		    "  render            1\n"
		    "  raycast         600\n"
		    "  (no zone)         -\n");
	assert_int_equal(report_column("avg-self"), COLUMN_AVG_SELF);
	assert_int_equal(report_column("nonsense"), COLUMNS);
}

static void an_inverted_graph_keeps_its_shape(void **state)
{
	struct report_options o = options(REPORT_GRAPH);

	(void)state;
	o.zone = "raycast";
	o.invert = true;
	expect_game(&o, "hier",
		    "  ZONE        HIER ms ^\n"
		    "  + ai            3.000\n"
		    "  + physics       0.412\n"
		    "- raycast         3.412\n");
}

static void filtered(void **state)
{
	struct report_options o = options(REPORT_SELF);
	struct profile *p = dsl_profile(GAME);
	struct values *v = values_of_run(p);
	struct report *r;

	(void)state;
	o.filter = "RA";
	expect_game(&o, "count",
		    "  ZONE         COUNT\n"
		    "  raycast        600\n");
	r = dsl_report(p, v, &o);
	assert_int_equal(r->sections[0].hidden, 4);
	report_free(r);
	o.filter = "~^(ai|ph.*)$";
	expect_game(&o, "count",
		    "  ZONE         COUNT\n"
		    "+ ai               1\n"
		    "+ physics          1\n");
	o.view = REPORT_TREE;
	o.filter = "ray"; /* what is above stays */
	expect_game(&o, "count",
		    "  ZONE          COUNT\n"
		    "+ all               -\n"
		    "  + ai              1\n"
		    "      raycast     300\n"
		    "  + physics         1\n"
		    "      raycast     300\n");
	values_free(v);
	profile_free(p);
}

static void in_other_units(void **state)
{
	struct report_options o = options(REPORT_SELF);

	(void)state;
	o.filter = "raycast";
	o.unit = UNIT_US;
	o.precision = 1;
	expect_game(&o, "self,max",
		    "  ZONE        SELF us v    MAX us\n"
		    "  raycast        3412.0      19.0\n");
	o.unit = UNIT_PCT;
	expect_game(&o, "self,max",
		    "  ZONE        SELF % v    MAX us\n" /* of the frame are sums alone */
		    "  raycast         49.7      19.0\n");
}

static void an_average_has_decimals(void **state)
{
	struct profile *p = dsl_profile("main a 10 3\n");
	struct averages *a = averages_new();
	struct report_options o = options(REPORT_SELF);
	struct values *v;

	(void)state;
	p->frames_ended = 4;
	v = values_average(a, p, AVERAGE_RUN);
	dsl_expect_values(p, v, &o, 0, "self,count",
			  "  ZONE        SELF ns v   COUNT\n"
			  "  a                 2.5     0.8\n"
			  "  (no zone)         0.0       -\n");
	values_free(v);
	averages_free(a);
	profile_free(p);
}

static void nothing_at_all(void **state)
{
	struct profile *p = profile_new();
	struct report_options o = options(REPORT_SELF);

	(void)state;
	for (o.view = 0; o.view < REPORT_VIEWS; o.view++) {
		o.focus = 0;
		dsl_expect(p, &o, "self", o.view == REPORT_SELF ? "  ZONE        SELF ns v\n"
							     : "  ZONE         SELF ns\n");
	}
	profile_free(p);
}

static void no_wall_time_is_a_dash(void **state)
{
	struct profile *p = dsl_profile("frame 1 0\nmain a 0 1\n");
	struct report_options o = options(REPORT_SELF);
	struct values *v = values_of_last(p, 1);

	(void)state;
	dsl_expect_values(p, v, &o, 0, "self,frame,max",
			  "  ZONE        SELF ns v  %FRAME    MAX ns\n"
			  "  a                   0       -         -\n");
	values_free(v);
	profile_free(p);
}

static void zones_that_wait_say_so(void **state)
{
	struct profile *p = dsl_profile("main vsync 900 1\nmain a 100 1\n");
	struct report_options o = options(REPORT_SELF);
	struct values *v = values_of_run(p);
	struct report *r;

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	dsl_expect(p, &o, "self",
		   "  ZONE           SELF ns v\n"
		   "  a                    100\n"
		   "  vsync (waits)        900\n"
		   "  (no zone)              0\n");
	o.by_size = true;
	dsl_expect(p, &o, "self",
		   "  ZONE           SELF ns v\n"
		   "  vsync (waits)        900\n"
		   "  a                    100\n"
		   "  (no zone)              0\n");
	r = dsl_report(p, v, &o);
	assert_int_equal(r->sections[0].waiting, 900);
	assert_int_equal(r->sections[0].time, 1000);
	report_free(r);
	values_free(v);
	profile_free(p);
}

/* By size where it is a tenth of what is no waiting; where it stood so before, half as much will do. */
static void much_time_in_no_zone_is_seen(void **state)
{
	static const struct {
		const char *stacks;
		bool stood, in_place;
	} cases[] = {
		{ "main . 9 0\nmain vsync 900 1\nmain a 90 1\nmain b 1 1\n", false, false },
		{ "main . 10 0\nmain vsync 900 1\nmain a 89 1\nmain b 1 1\n", false, true },
		{ "main . 5 0\nmain vsync 900 1\nmain a 94 1\nmain b 1 1\n", true, true },
		{ "main . 4 0\nmain vsync 900 1\nmain a 95 1\nmain b 1 1\n", true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct profile *p = dsl_profile(cases[i].stacks), *earlier = dsl_profile(cases[1].stacks);
		struct report_options o = options(REPORT_SELF);
		struct values *v, *then;
		struct report *r, *before;

		profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
		profile_add_zone(earlier, "vsync", "", 0, ZONE_WAITING);
		v = values_of_run(p);
		then = values_of_run(earlier);
		before = dsl_report(earlier, then, &o);
		o.before = cases[i].stood ? before : NULL;
		r = dsl_report(p, v, &o);
		assert_int_equal(r->sections[0].rows[1].role == ROW_NO_ZONE, cases[i].in_place);
		assert_int_equal(r->sections[0].rows[3].role == ROW_NO_ZONE, !cases[i].in_place);
		assert_int_equal(r->sections[0].outside, r->sections[0].rows[cases[i].in_place ? 1 : 3].values[COLUMN_SELF].exact);
		report_free(r);
		report_free(before);
		values_free(v);
		values_free(then);
		profile_free(p);
		profile_free(earlier);
	}
}

static void below_one_zone_work_stands_first(void **state)
{
	struct profile *p = dsl_profile("main a/vsync 900 1\nmain a/b 100 1\n");
	struct report_options o = options(REPORT_TREE);

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	dsl_expect(p, &o, "self",
		   "  ZONE                SELF ns\n"
		   "+ all                       0\n"
		   "  + a                       0\n"
		   "      b                   100\n"
		   "      vsync (waits)       900\n");
	profile_free(p);
}

/* Rows that are found again */

static const struct report_row *row_named(const struct report *r, const char *name,
					  enum row_role role)
{
	for (uint32_t i = 0; i < r->sections[0].row_count; i++)
		if (!strcmp(r->sections[0].rows[i].name, name) &&
		    r->sections[0].rows[i].role == role)
			return &r->sections[0].rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void a_name_is_the_zone_before_a_function(void **state)
{
	struct profile *p = dsl_profile("main a@x.c:1 1 1\nmain b@y.c:2 1 1\n");
	uint32_t at = dsl_node(p, "main", "b@y.c:2");
	struct report_options o = options(REPORT_GRAPH);
	struct values *v;
	struct report *r;
	char why[256];

	(void)state;
	profile_add_node(p, at, profile_add_zone(p, "a", "solver.c", 30, ZONE_FUNCTION));
	profile_add_node(p, at, profile_add_zone(p, "f", "solver.c", 40, ZONE_FUNCTION));
	v = values_of_run(p);
	o.zone = "a";
	r = dsl_report(p, v, &o);
	assert_string_equal(r->focus, "a"); /* of the function it would be `a (solver.c:30)` */
	report_free(r);
	o.view = REPORT_SELF;
	o.zone = NULL;
	r = dsl_report(p, v, &o);
	assert_int_equal(row_named(r, "b", ROW_ZONE)->mark, ' '); /* of time there is nothing inside of it */
	report_free(r);
	o = options(REPORT_GRAPH);
	o.zone = "f";
	r = dsl_report(p, v, &o);
	assert_string_equal(r->focus, "f");
	report_free(r);
	profile_add_node(p, at, profile_add_zone(p, "f", "solver.c", 50, ZONE_FUNCTION));
	values_free(v);
	v = values_of_run(p);
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_AMBIGUOUS_ZONE);
	values_free(v);
	profile_free(p);
}

static void what_a_user_can_get_wrong(void **state)
{
	struct profile *p = dsl_profile("main a@x.c:1 1 1\nmain a@y.c:2 1 1\n");
	struct values *v = values_of_run(p);
	struct report_options o = options(REPORT_GRAPH);
	struct report *r;
	char why[256];

	(void)state;
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_NEEDS_ZONE);
	assert_null(r);
	o.zone = "q\x1b";
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_NO_SUCH_ZONE);
	assert_string_equal(why, "no zone 'q\\x1B' has been entered");
	o.zone = "a";
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_AMBIGUOUS_ZONE);
	assert_string_equal(why, "several zones are called 'a'. Choose one by its source line: "
				 "a@x.c:1, a@y.c:2");
	o.zone = "a@y.c:2";
	o.filter = "~(";
	assert_int_equal(report_make(p, v, &o, &r, why, sizeof(why)), REPORT_BAD_FILTER);
	assert_non_null(strstr(why, "regular expression"));
	values_free(v);
	profile_free(p);
}

static void ids_are_of_one_row_each(void **state)
{
	struct profile *p = dsl_profile(GAME "main fib/fib/fib/a/fib 9 1\n");
	struct values *v = values_of_run(p);

	(void)state;
	for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
		struct report_options o = options(view);
		struct report *r;

		o.zone = "fib";
		o.zero_rows = true;
		r = dsl_report(p, v, &o);
		for (uint32_t i = 0; i < r->sections[0].row_count; i++)
			for (uint32_t j = 0; j < i; j++)
				assert_true(r->sections[0].rows[i].id != r->sections[0].rows[j].id);
		report_free(r);
	}
	values_free(v);
	profile_free(p);
}

/* Another run of the program, in which zones are met in another order, sorted another way. */
static void ids_outlive_sorting_and_the_run(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct profile *q = dsl_profile("pool x 1 1\nmain physics/raycast 4 1\nmain ai/raycast 1 1\n");
	struct values *v = values_of_run(p), *w = values_of_run(q);

	(void)state;
	for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
		struct report_options o = options(view);
		enum row_role role = view == REPORT_GRAPH ? ROW_CALLER : ROW_ZONE;
		struct report *a, *b;

		o.zone = "raycast";
		a = dsl_report(p, v, &o);
		o.sort = COLUMN_ZONE;
		o.invert = true;
		b = dsl_report(q, w, &o);
		assert_true(row_named(a, "ai", role)->id == row_named(b, "ai", role)->id);
		assert_true(row_named(a, "physics", role)->id == row_named(b, "physics", role)->id);
		report_free(a);
		report_free(b);
	}
	values_free(v);
	values_free(w);
	profile_free(p);
	profile_free(q);
}

static void a_graph_sorted_by_any_column_keeps_its_focus_in_the_middle(void **state)
{
	struct report_options o = options(REPORT_GRAPH);

	(void)state;
	o.zone = "b";
	for (o.sort = COLUMN_ZONE; o.sort < COLUMNS; o.sort++) {
		for (int inverted = 0; inverted < 2; inverted++) {
			struct profile *p = dsl_profile("main a/b/c 3 1\nmain x/b/d 5 2\n"
							"main x/b/b 1 1\n");
			struct values *v = values_of_run(p);
			struct report *r;

			o.invert = inverted;
			r = dsl_report(p, v, &o);
			assert_int_equal(r->sections[0].row_count, 6);
			assert_int_equal(r->sections[0].rows[2].role, ROW_CALLER);
			assert_int_equal(r->sections[0].rows[3].role, ROW_FOCUS);
			assert_int_equal(r->sections[0].rows[4].role, ROW_CHILD);
			report_free(r);
			values_free(v);
			profile_free(p);
		}
	}
	o.invert = false;
	o.zone = "raycast";
	o.sort = COLUMN_ZONE; /* the first name stands next to the focus */
	expect_game(&o, "hier",
		    "  ZONE ^       HIER ms\n"
		    "  + physics      0.412\n"
		    "  + ai           3.000\n"
		    "- raycast        3.412\n");
}

/* Folding */

struct folds {
	uint64_t ids[4];
	int count;
};

static bool is_folded(void *context, uint64_t id)
{
	const struct folds *f = context;

	for (int i = 0; i < f->count; i++)
		if (f->ids[i] == id)
			return true;
	return false;
}

static struct report_options folding(struct folds *f, const struct profile *p,
				     const struct values *v, const char *name)
{
	struct report_options o = options(REPORT_TREE);
	struct report *r = dsl_report(p, v, &o);

	f->ids[f->count++] = row_named(r, name, ROW_ZONE)->id;
	report_free(r);
	o.folded = is_folded;
	o.folded_context = f;
	return o;
}

static void a_tree_folds(void **state)
{
	struct profile *p = dsl_profile(GAME "main ai/think/deep 7 1\n");
	struct values *v = values_of_run(p);
	struct folds f = { 0 };
	struct report_options o = folding(&f, p, v, "ai");
	struct report *r;

	(void)state;
	dsl_expect(p, &o, "count",
		   "  ZONE          COUNT\n"
		   "- all               -\n"
		   "  + ai              1\n"
		   "    render          1\n"
		   "  - physics         1\n"
		   "      raycast     300\n");
	r = dsl_report(p, v, &o);
	assert_int_equal(row_named(r, "ai", ROW_ZONE)->below, 3);
	assert_true(row_named(r, "ai", ROW_ZONE)->has_children);
	assert_int_equal(row_named(r, "physics", ROW_ZONE)->below, 0);
	assert_true(row_named(r, "physics", ROW_ZONE)->has_children);
	assert_false(row_named(r, "raycast", ROW_ZONE)->has_children);
	assert_int_equal(row_named(r, "raycast", ROW_ZONE)->parent, 3);
	report_free(r);
	o = folding(&f, p, v, "all");
	dsl_expect(p, &o, "count",
		   "  ZONE         COUNT\n"
		   "+ all              -\n");
	values_free(v);
	profile_free(p);
}

static void a_fold_does_not_hide_what_a_filter_found(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct values *v = values_of_run(p);
	struct folds f = { 0 };
	struct report_options o = folding(&f, p, v, "ai");

	(void)state;
	o.filter = "ray";
	o.sort = COLUMN_ZONE;
	dsl_expect(p, &o, "count",
		   "  ZONE ^        COUNT\n"
		   "- all               -\n"
		   "  - ai              1\n"
		   "      raycast     300\n"
		   "  - physics         1\n"
		   "      raycast     300\n");
	values_free(v);
	profile_free(p);
}

/* Layout */

static void expect_width(uint32_t width, const char *expected)
{
	struct profile *p = dsl_profile(GAME);
	struct values *v = values_of_run(p);
	struct report_options o = options(REPORT_SELF);

	o.filter = "~^(raycast|physics)$";
	dsl_expect_values(p, v, &o, width, NULL, expected);
	values_free(v);
	profile_free(p);
}

static void columns_go_as_it_gets_narrow(void **state)
{
	(void)state;
	expect_width(80, "  ZONE        SELF ms v   HIER ms   COUNT  CALLS/S  %FRAME    AVG us    MAX us\n"
			 "  raycast         3.412     3.412     600    87362   49.7%     5.687    19.000\n"
			 "+ physics         0.050     0.462       1      146    0.7%   462.000   462.000\n");
	expect_width(40, "  ZONE        SELF ms v   HIER ms\n"
			 "  raycast         3.412     3.412\n"
			 "+ physics         0.050     0.462\n");
	expect_width(20, "  ZONE     SELF ms v\n"
			 "  raycast      3.412\n"
			 "+ physics      0.050\n");
	expect_width(5, "ZONE\n"
			"  ray\n"
			"+ phy\n");
	expect_width(1, "Z\nr\np\n");
}

#define SECOND "frame 1 1000000000\nmain . 400000000\nmain draw 600000000 50 9\n"

static bool has(const struct report *r, enum column column)
{
	return r->columns >> column & 1;
}

/* There where it is sorted by, and where there is room; where no mark is the program's, before what is in a frame. */
static void calls_a_second(void **state)
{
	struct profile *p = dsl_profile(SECOND);
	struct values *v = values_of_frames(p, 0, 1);
	struct report_options o = options(REPORT_SELF);
	struct report *r = dsl_report(p, v, &o);

	(void)state;
	assert_true(has(r, COLUMN_COUNT) && !has(r, COLUMN_RATE));
	report_free(r);
	o.sort = COLUMN_RATE;
	dsl_expect_values(p, v, &o, 80, "count,rate",
			  "  ZONE         COUNT  CALLS/S v\n"
			  "  draw            50       50.0\n"
			  "  (no zone)        -          -\n");
	o.sort = COLUMNS;
	o.per_frame = true;
	r = dsl_report(p, v, &o);
	assert_true(has(r, COLUMN_COUNT) && has(r, COLUMN_RATE));
	report_free(r);
	o.per_frame = false;
	p->frames[0].flags |= FRAME_GUESSED;
	v->average = true;
	r = dsl_report(p, v, &o);
	assert_true(has(r, COLUMN_COUNT) && has(r, COLUMN_RATE));
	report_free(r);
	dsl_expect_values(p, v, &o, 22, "count,rate",
			  "  ZONE        CALLS/S\n"
			  "  draw           50.0\n"
			  "  (no zone)         -\n");
	o.sort = COLUMN_COUNT;
	dsl_expect_values(p, v, &o, 22, "count,rate",
			  "  ZONE        COUNT v\n"
			  "  draw             50\n"
			  "  (no zone)         -\n");
	values_free(v);
	profile_free(p);
}

static void lines_never_exceed_the_width(void **state)
{
	struct profile *p = dsl_profile(GAME "main 大きな名前の区間/大きな名前の区間 77 1\n"
					     "main \x1b]0;boo\x07 5 1\n");
	struct values *v = values_of_run(p);

	(void)state;
	for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
		struct report_options o = options(view);
		struct report *r;

		o.zone = "ai";
		r = dsl_report(p, v, &o);
		for (uint32_t width = 1; width < 130; width++) {
			for (int ascii = 0; ascii < 2; ascii++) {
				struct layout *l = layout_make(r, width, ascii);

				for (uint32_t i = 0; i < l->count; i++)
					assert_true(text_width(l->lines[i].text) <= width);
				layout_free(l);
			}
		}
		report_free(r);
	}
	values_free(v);
	profile_free(p);
}

static void names_in_ascii_and_in_utf8(void **state)
{
	struct profile *p = dsl_profile("main größe\\\x1b 5 1\n");
	struct values *v = values_of_run(p);
	struct report_options o = options(REPORT_SELF);
	struct report *r = dsl_report(p, v, &o);
	struct layout *l = layout_make(r, 40, false);

	(void)state;
	assert_non_null(strstr(l->lines[0].text, "SELF ns▼"));
	assert_non_null(strstr(l->lines[1].text, "  größe\\\\\\x1B "));
	layout_free(l);
	l = layout_make(r, 0, true);
	assert_non_null(strstr(l->lines[1].text, "  gr\\xC3\\xB6\\xC3\\x9Fe\\\\\\x1B "));
	layout_free(l);
	report_free(r);
	values_free(v);
	profile_free(p);
}

static const struct layout_span *span_of(const struct layout_line *line, enum style_role role)
{
	for (uint32_t i = 0; i < line->span_count; i++)
		if (line->spans[i].role == role)
			return &line->spans[i];
	return NULL;
}

static void spans_name_the_roles(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct values *v = values_of_run(p);
	struct report_options o = options(REPORT_GRAPH);
	struct report *r;
	struct layout *l;

	(void)state;
	o.zone = "raycast";
	r = dsl_report(p, v, &o);
	l = layout_make(r, 0, true);
	assert_non_null(span_of(&l->lines[0], STYLE_SORTED));
	assert_memory_equal(l->lines[3].text + span_of(&l->lines[3], STYLE_FOCUS)->start,
			    "raycast", 7);
	assert_memory_equal(l->lines[2].text + span_of(&l->lines[2], STYLE_BAR)->start,
			    " 87.9% ####", 11);
	for (uint32_t i = 0; i < l->count; i++)
		for (uint32_t j = 0; j < l->lines[i].span_count; j++)
			assert_true(l->lines[i].spans[j].start + l->lines[i].spans[j].length <=
				    strlen(l->lines[i].text));
	layout_free(l);
	report_free(r);
	values_free(v);
	profile_free(p);
}

static void every_column_has_a_title_and_help(void **state)
{
	(void)state;
	for (enum column c = 0; c < COLUMNS; c++) {
		assert_non_null(report_columns[c].title);
		assert_true(report_columns[c].views);
		assert_int_equal(report_columns[c].help[strlen(report_columns[c].help) - 1], '.');
		assert_int_equal(report_column(report_columns[c].key), c);
	}
}

/* Rows that keep their order (model/base/order.h) */

static struct report *random_report(uint64_t *random, const struct report *before, struct profile **p)
{
	char text[2048];
	size_t at = 0;
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;
	struct values *v;
	char why[256];

	for (int zone = 0; zone < 30; zone++) {
		*random = *random * UINT64_C(6364136223846793005) + 1;
		if (*random >> 60) /* most of them are in it */
			at += (size_t)sprintf(text + at, "main z%d %d 1\n", zone,
					      ((int)(*random >> 40) % 100 + 1) * (zone % 5 ? 1 : 100));
	}
	*p = dsl_profile(text);
	v = values_of_run(*p);
	o.before = before;
	assert_int_equal(report_make(*p, v, &o, &r, why, sizeof(why)), REPORT_OK);
	values_free(v);
	return r;
}

static const char *name_of_row(const struct report *r, uint32_t row)
{
	return r->sections[0].rows[row].name;
}

static uint32_t place_of(const struct report *r, const char *name)
{
	uint32_t i = 0;

	while (i < r->sections[0].row_count && strcmp(name_of_row(r, i), name))
		i++;
	return i < r->sections[0].row_count ? i : UINT32_MAX;
}

/* No row stands below one that it exceeds by more than a tenth; among rows whose values are alike, those that stood
 * somewhere keep their order. */
static void expect_stable(const struct report *sorted, const struct report *before, const struct report *r)
{
	uint32_t count = r->sections[0].row_count;

	assert_int_equal(count, sorted->sections[0].row_count);
	for (uint32_t i = 0; i < count; i++) {
		const struct report_row *row = &r->sections[0].rows[i];
		double a, b;
		uint32_t was, is;

		assert_true(place_of(sorted, row->name) != UINT32_MAX);
		if (i + 1 == count || row[1].zone == PROFILE_NO_ZONE)
			continue;
		a = (double)row->values[COLUMN_SELF].exact;
		b = (double)row[1].values[COLUMN_SELF].exact;
		was = place_of(before, row->name);
		is = place_of(before, row[1].name);
		assert_true(b <= a || is != UINT32_MAX);
		assert_true(b - a <= STABLE_ORDER_SLACK * b);
		if (was != UINT32_MAX && is != UINT32_MAX && fabs(a - b) <= STABLE_ORDER_SLACK * fmax(a, b))
			assert_true(was < is);
	}
}

static void rows_keep_their_order(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct profile *p[3];
		uint64_t same;
		struct report *before = random_report(&random, NULL, &p[0]), *sorted, *r;

		same = random;
		sorted = random_report(&same, NULL, &p[1]);
		r = random_report(&random, before, &p[2]);
		expect_stable(sorted, before, r);
		report_free(before);
		report_free(sorted);
		report_free(r);
		for (int i = 0; i < 3; i++)
			profile_free(p[i]);
	}
}

static void expect_order(const char *before, const char *now, const char *const names[3])
{
	struct profile *p[2] = { dsl_profile(before), dsl_profile(now) };
	struct values *v[2] = { values_of_run(p[0]), values_of_run(p[1]) };
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r[2];
	char why[256];

	for (int i = 0; i < 2; i++) {
		assert_int_equal(report_make(p[i], v[i], &o, &r[i], why, sizeof(why)), REPORT_OK);
		o.before = r[0];
	}
	for (uint32_t i = 0; i < 3; i++)
		assert_string_equal(name_of_row(r[1], i), names[i]);
	for (int i = 0; i < 2; i++) {
		report_free(r[i]);
		values_free(v[i]);
		profile_free(p[i]);
	}
}

/* Also where they are small beside the largest row. */
static void rows_move_past_what_they_exceed_by_a_tenth(void **state)
{
	(void)state;
	expect_order("main a 1000 1\nmain b 8 1\nmain c 2 1\n", "main a 1000 1\nmain b 30 1\nmain c 33 1\n",
		     (const char *const[]){ "a", "b", "c" });
	expect_order("main a 100000 1\nmain b 8 1\nmain c 2 1\n", "main a 100000 1\nmain b 3 1\nmain c 9 1\n",
		     (const char *const[]){ "a", "c", "b" });
	expect_order("main a 100000 1\nmain b 8 1\nmain c 2 1\n", "main a 100000 1\nmain b 30 1\nmain c 34 1\n",
		     (const char *const[]){ "a", "c", "b" });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_move_past_what_they_exceed_by_a_tenth),
		cmocka_unit_test(by_self),
		cmocka_unit_test(by_hier),
		cmocka_unit_test(means_have_one_unit),
		cmocka_unit_test(graph_of_a_zone_with_two_callers),
		cmocka_unit_test(graph_from_the_root),
		cmocka_unit_test(tree),
		cmocka_unit_test(direct_recursion),
		cmocka_unit_test(recursion_spread),
		cmocka_unit_test(mutual_recursion),
		cmocka_unit_test(recursion_is_as_deep_as_in_what_is_covered),
		cmocka_unit_test(statistics_are_of_the_frames_covered),
		cmocka_unit_test(rows_keep_their_order),
		cmocka_unit_test(threads_merged),
		cmocka_unit_test(threads_each),
		cmocka_unit_test(threads_of_one_name),
		cmocka_unit_test(a_group_has_a_name),
		cmocka_unit_test(a_tree_of_threads_merges_paths),
		cmocka_unit_test(an_idle_thread_does_not_swell_no_zone),
		cmocka_unit_test(no_zone_of_frames_is_that_of_the_run),
		cmocka_unit_test(sorted_by_any_column),
		cmocka_unit_test(an_inverted_graph_keeps_its_shape),
		cmocka_unit_test(filtered),
		cmocka_unit_test(in_other_units),
		cmocka_unit_test(an_average_has_decimals),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(no_wall_time_is_a_dash),
		cmocka_unit_test(zones_that_wait_say_so),
		cmocka_unit_test(much_time_in_no_zone_is_seen),
		cmocka_unit_test(below_one_zone_work_stands_first),
		cmocka_unit_test(a_name_is_the_zone_before_a_function),
		cmocka_unit_test(what_a_user_can_get_wrong),
		cmocka_unit_test(ids_are_of_one_row_each),
		cmocka_unit_test(ids_outlive_sorting_and_the_run),
		cmocka_unit_test(a_graph_sorted_by_any_column_keeps_its_focus_in_the_middle),
		cmocka_unit_test(a_tree_folds),
		cmocka_unit_test(a_fold_does_not_hide_what_a_filter_found),
		cmocka_unit_test(columns_go_as_it_gets_narrow),
		cmocka_unit_test(calls_a_second),
		cmocka_unit_test(lines_never_exceed_the_width),
		cmocka_unit_test(names_in_ascii_and_in_utf8),
		cmocka_unit_test(spans_name_the_roles),
		cmocka_unit_test(every_column_has_a_title_and_help),
	};

	return cmocka_run_group_tests_name("model: reports", tests, NULL, NULL);
}

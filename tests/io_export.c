/* SPDX-License-Identifier: MIT */
/*
 * io_export: what the exporters print of a profile that was written down here, byte for byte as text
 * and CSV, and as JSON read back.
 */
#include "io/export/export_timeline.h"

#include "io/export/title.h"
#include "io/json.h"
#include "model/query/overhead.h"
#include "tests/json_read.h"
#include "tests/model_dsl.h"

struct fixture {
	struct profile *p;
	struct values *v;
	struct report *report, *graph;
	struct export e;
};

/* A game: raycast is called by ai and, once, by itself; the worker draws. */
static const char game[] =
	"main . 100\n"
	"main frame 50 2 900\n"
	"main frame/ai 200 2 700\n"
	"main frame/ai/raycast@ray.c:7 400 4 300\n"
	"main frame/ai/raycast@ray.c:7/raycast@ray.c:7 150 2 80\n"
	"worker . 30\n"
	"worker draw 70 1 70\n"
	"frame 1 400\n"
	"main . 50\n"
	"main frame 350 1\n"
	"frame 2 600\n"
	"main frame 600 1\n";

static struct report_options in_ns(enum report_view view)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	o.view = view;
	o.unit = UNIT_NS;
	return o;
}

static void make(struct fixture *f, const char *text, struct report_options options)
{
	char why[256];

	f->p = dsl_profile(text);
	profile_text(&f->p->process.program, "game");
	profile_text(&f->p->process.source, "demo");
	f->p->process.pid = 4711;
	f->v = values_of_run(f->p);
	assert_int_equal(report_make(f->p, f->v, &options, &f->report, why, sizeof(why)), REPORT_OK);
	f->e = (struct export){ .profile = f->p, .values = f->v, .report = f->report,
				.count = f->p->frame_count, .whole_run = true };
}

/* The values and the report anew, after the profile was changed. */
static void remake(struct fixture *f, uint32_t thread)
{
	struct report_options options = in_ns(REPORT_SELF);
	char why[256];

	options.thread = thread;
	report_free(f->report);
	assert_int_equal(report_make(f->p, f->v, &options, &f->report, why, sizeof(why)), REPORT_OK);
	f->e.values = f->v;
	f->e.report = f->report;
}

static void add_graph(struct fixture *f, struct report_options options)
{
	char why[256];

	options.view = REPORT_GRAPH;
	assert_int_equal(report_make(f->p, f->v, &options, &f->graph, why, sizeof(why)), REPORT_OK);
	f->e.graph = f->graph;
}

static void fini(struct fixture *f)
{
	report_free(f->report);
	report_free(f->graph);
	values_free(f->v);
	profile_free(f->p);
}

static char *text_of(const struct export *e, struct export_style style)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_true(export_text(e, &style, out));
	fclose(out);
	return text;
}

static char *csv_of(const struct export *e)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_true(export_csv(e, out));
	fclose(out);
	return text;
}

/* JSON, read back */

static yajl_val exported(const struct export *e)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	yajl_val tree;

	assert_true(export_json(e, out));
	fclose(out);
	assert_int_equal(text[size - 1], '\n');
	tree = doc_parse(text);
	free(text);
	return tree;
}

/* Text */

/* A run of which the newest frames are held, and one that was kept. */
static void test_text_of_a_long_run(void **state)
{
	struct fixture f = { NULL };
	char *text;

	(void)state;
	make(&f, "main a 3000000 3\n", in_ns(REPORT_SELF));
	profile_add_frame(f.p, 7, 0, 12000000, FRAME_KEPT);
	profile_add_frame(f.p, 90, 20000000, 1000000, 0);
	profile_add_frame(f.p, 91, 21000000, 2000000, 0);
	f.p->unseen_frames = 88;
	f.e.count = 3;
	text = text_of(&f.e, (struct export_style){ .width = 200, .ascii = true });
	assert_non_null(strstr(text, "frame ms: p50 1.000 p99 2.000 max 12.000   (of the last 2 frames; max also of retained ones)\n"));
	f.p->frames[1].flags |= FRAME_DISCARDED; /* its work is in the totals */
	free(text);
	text = text_of(&f.e, (struct export_style){ .width = 200, .ascii = true });
	assert_non_null(strstr(text, "frame ms: p50 2.000 p99 2.000 max 12.000   (of the last 1 frames; max also of retained ones)   "
				     "(1 discarded frame not counted)\n"));
	f.p->frames[1].flags = 0;
	assert_non_null(strstr(text, "\n88 frames before attach\n"
				     "       88  unseen_frames: a frame that was overwritten before proftop attached\n"));
	free(text);
	f.p->unseen_frames = 0;
	f.p->left_out_frames = 88;
	text = text_of(&f.e, (struct export_style){ .width = 200, .ascii = true });
	assert_non_null(strstr(text, "\n88 frames left out\n       88  left_out_frames: a frame that was not recorded, "));
	free(text);
	fini(&f);
}

static void test_text(void **state)
{
	struct fixture f = { NULL };
	char *text;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	profile_set_loss(f.p, "zone_room", "a zone that found no room", 3);
	profile_set_loss(f.p, "left_open", "a zone left open", 1);
	profile_text(&f.p->left_open, "ai");
	text = text_of(&f.e, (struct export_style){ .width = 80, .ascii = true });
	assert_string_equal(text,
		"game[4711]   demo   live   0.000 s   2 frames\n"
		"frame ms: p50 <0.001 p99 0.001 max 0.001\n"
		"the whole run   all threads\n"
		"\n"
		"  ZONE        SELF ns v   HIER ns   COUNT  %FRAME    AVG ns    MAX ns  THR\n"
		"  raycast           550       550       6   61.1%      91.7       300    1\n"
		"+ ai                200       750       2   22.2%     375.0       700    1\n"
		"  (no zone)         130         -       -   14.4%         -         -    -\n"
		"  draw               70        70       1    7.8%      70.0        70    1\n"
		"+ frame              50       800       2    5.6%     400.0       900    1\n"
		"\n"
		"lost 3   zones not closed once (last: ai)\n"
		"        3  zone_room: a zone that found no room\n"
		"        1  left_open: a zone left open\n");
	free(text);
	fini(&f);
}

static void test_text_of_a_graph(void **state)
{
	struct fixture f = { NULL };
	struct report_options o = in_ns(REPORT_GRAPH);
	char *text;

	(void)state;
	o.zone = "raycast";
	o.thread = 0;
	make(&f, game, o);
	f.v->frames = 3; /* of a run of two: totals that were read later */
	text = text_of(&f.e, (struct export_style){ .width = 100 });
	assert_non_null(strstr(text, "\nthe run up to frame 3"));
	assert_non_null(strstr(text, "\ncall graph of raycast   depth 2   2 recursive entries\n"));
	assert_non_null(strstr(text, "\n- raycast "));
	free(text);
	fini(&f);
}

/* Frames that were asked for, an average of them, and parts that are not there. */
static void test_text_says_what_is_covered(void **state)
{
	struct fixture f = { NULL };
	char *text;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	f.e.whole_run = false;
	f.e.asked = 5;
	f.v->frames = 2;
	f.v->first_frame = 1;
	f.v->last_frame = 2;
	f.v->incomplete = 1;
	text = text_of(&f.e, (struct export_style){ .width = 200 });
	assert_non_null(strstr(text, "\n2 frames, 1 to 2   (of 5 requested)   all threads"
				     "   1 slice incomplete\n"));
	free(text);
	f.v->average = true;
	f.v->elapsed = 0;
	f.e.average = AVERAGE_SLOW;
	text = text_of(&f.e, (struct export_style){ .width = 200 });
	assert_non_null(strstr(text, "\naverage frame, slow (2.5 s)   2 frames, 1 to 2 "));
	free(text);
	f.v->first_frame = 0;
	f.v->scale = 2;
	f.v->wall = 2000000;
	f.v->elapsed = 16000000; /* 8 ms */
	text = text_of(&f.e, (struct export_style){ .width = 200 });
	assert_non_null(strstr(text, "\naverage frame, slow (2.5 s)   125.0 fps   in frames 12.5 % of the time   "
				     "2 frames up to 2 "));
	free(text);
	fini(&f);
}

/* The same bytes, but for the colours. */
static void test_colours_add_nothing(void **state)
{
	struct fixture f = { NULL };
	char *plain, *coloured, *to;

	(void)state;
	make(&f, game, in_ns(REPORT_HIER));
	plain = text_of(&f.e, (struct export_style){ .width = 100 });
	coloured = text_of(&f.e, (struct export_style){ .width = 100, .colours = 256 });
	assert_non_null(strchr(coloured, '\033'));
	to = coloured;
	for (const char *from = coloured; *from; from++) {
		if (*from == '\033')
			from += strcspn(from, "m");
		else
			*to++ = *from;
	}
	*to = '\0';
	assert_string_equal(coloured, plain);
	free(plain);
	free(coloured);
	fini(&f);
}

/* CSV */

static void test_csv(void **state)
{
	struct fixture f = { NULL };
	char *text;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	text = csv_of(&f.e);
	assert_string_equal(text,
		"thread,zone,file,line,self_ns,hier_ns,count,rate,frame_pct,heat,avg_ns,avg_self_ns,max_ns,"
		"thr,frames,frame_min_ns,frame_mean_ns,frame_median_ns,frame_p90_ns,"
		"frame_p99_ns,frame_max_ns,first\n"
		"all threads,raycast,ray.c,7,550,550,6,,61.1,,91.7,91.7,300,1,,,,,,,,\n"
		"all threads,ai,,0,200,750,2,,22.2,,375.0,100.0,700,1,,,,,,,,\n"
		"all threads,(no zone),,0,130,,,,14.4,,,,,,,,,,,,,\n"
		"all threads,draw,,0,70,70,1,,7.8,,70.0,70.0,70,1,,,,,,,,\n"
		"all threads,frame,,0,50,800,2,,5.6,,400.0,25.0,900,1,,,,,,,,\n");
	free(text);
	fini(&f);
}

/* Which unit a time has may not depend on the times. */
static void test_csv_in_percent(void **state)
{
	struct report_options o = in_ns(REPORT_SELF);
	struct fixture f = { NULL };
	char *text;

	(void)state;
	o.unit = UNIT_PCT;
	o.per_frame = true;
	make(&f, game, o);
	text = csv_of(&f.e);
	assert_memory_equal(text, "thread,zone,file,line,self_pct,hier_pct,count,rate,frame_pct,heat,avg_ns,"
				  "avg_self_ns,max_ns,thr,frames,frame_min_ns,frame_mean_ns,frame_median_ns,"
				  "frame_p90_ns,frame_p99_ns,frame_max_ns,first\n"
				  "all threads,raycast,ray.c,7,61.1,61.1,6,6666667,61.1,,91.7,91.7,300,1,", 261);
	free(text);
	fini(&f);
}

static void test_csv_quotes(void **state)
{
	struct fixture f = { NULL };
	uint32_t node;
	char *text;

	(void)state;
	make(&f, "main . 1\n", in_ns(REPORT_SELF));
	node = profile_add_node(f.p, 0, profile_add_zone(f.p, "a,\"b\"\n", "x y.c", 3, 0));
	profile_set_total(f.p, node, 5, 1, 5);
	values_free(f.v);
	f.v = values_of_run(f.p);
	remake(&f, 0);
	text = csv_of(&f.e);
	assert_non_null(strstr(text, "\nmain,\"a,\"\"b\"\"\\x0A\",x y.c,3,5,"));
	free(text);
	fini(&f);
}

/* A spreadsheet runs what begins so; numbers are left alone. */
static void test_csv_for_a_spreadsheet(void **state)
{
	static const char *const names[] = { "=1+1", "+1", "-1", "@sum", "'=1", "=a,b ", "a=1" };
	static const char *const plain[] = { "=1+1", "+1", "-1", "@sum", "'=1", "\"=a,b \"", "a=1" };
	static const char *const safe[] = { "'=1+1", "'+1", "'-1", "'@sum", "''=1", "\"'=a,b \"", "a=1" };
	struct fixture f = { NULL };
	char *text, expected[64];

	(void)state;
	make(&f, "main . 1\n", in_ns(REPORT_SELF));
	for (uint32_t i = 0; i < 7; i++) {
		uint32_t node = profile_add_node(f.p, 0, profile_add_zone(f.p, names[i], "=x.c", i, 0));

		profile_set_total(f.p, node, 5, 1, 5);
	}
	values_free(f.v);
	f.v = values_of_run(f.p);
	remake(&f, 0);
	for (int asked = 0; asked < 2; asked++) {
		f.e.spreadsheet = asked;
		text = csv_of(&f.e);
		for (uint32_t i = 0; i < 7; i++) {
			snprintf(expected, sizeof(expected), "\nmain,%s,%s=x.c,%u,5,", asked ? safe[i] : plain[i],
				 asked ? "'" : "", i);
			assert_non_null(strstr(text, expected));
		}
		free(text);
	}
	fini(&f);
}

/* JSON */

static void test_json(void **state)
{
	struct fixture f = { NULL };
	yajl_val j;
	long long self = 0;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	f.p->ticks_per_s = 2000000000;
	((struct report *)f.e.report)->ticks_per_s = 2000000000;
	profile_set_loss(f.p, "zone_room", "a zone that found no room", 3);
	j = exported(&f.e);
	assert_string_equal(doc_text(j, "process/program"), "game");
	assert_string_equal(doc_text(j, "process/region"), "demo");
	assert_string_equal(doc_text(j, "process/state"), "live");
	assert_int_equal(doc_integer(j, "process/pid"), 4711);
	assert_int_equal(doc_integer(j, "ticks_per_s"), 2000000000);
	assert_string_equal(doc_text(j, "view"), "self");
	assert_true(YAJL_IS_TRUE(doc_at(j, "covered/whole_run")));
	assert_string_equal(doc_text(j, "rows/0/zone"), "raycast");
	assert_string_equal(doc_text(j, "rows/0/file"), "ray.c");
	assert_int_equal(doc_integer(j, "rows/0/line"), 7);
	assert_true(YAJL_IS_NULL(doc_at(j, "rows/0/thread")));
	assert_int_equal(doc_integer(j, "rows/0/self"), 550);
	assert_int_equal(doc_integer(j, "rows/0/self_ns"), 275);
	assert_int_equal(doc_integer(j, "rows/0/hier"), 550);
	assert_int_equal(doc_integer(j, "rows/0/count"), 6);
	assert_int_equal(doc_integer(j, "rows/0/max"), 300);
	assert_int_equal(doc_integer(j, "rows/0/max_ns"), 150);
	assert_int_equal(doc_length(j, "rows"), 5);
	assert_int_equal(doc_length(j, "nodes"), f.p->node_count);
	for (uint32_t i = 0; i < f.p->node_count; i++) {
		yajl_val node = doc_at(j, "nodes")->u.array.values[i];

		assert_int_equal(doc_integer(node, "id"), i);
		if (doc_integer(node, "thread") == 1)
			self += doc_integer(node, "self");
	}
	assert_int_equal(doc_length(j, "threads"), 2);
	assert_string_equal(doc_text(j, "threads/0/name"), "main");
	assert_int_equal(doc_integer(j, "threads/0/time"), self);
	assert_int_equal(doc_integer(j, "threads/0/time_ns"), self / 2);
	assert_int_equal(doc_length(j, "frames"), 2);
	assert_int_equal(doc_integer(j, "frames/1/number"), 2);
	assert_int_equal(doc_integer(j, "frames/1/length"), 600);
	assert_int_equal(doc_length(j, "frames/1/flags"), 0);
	assert_int_equal(doc_length(j, "frames/1/counters"), 0);
	assert_int_equal(doc_length(j, "frames/1/events"), 0);
	assert_int_equal(doc_length(j, "frames/1/notes"), 0);
	assert_int_equal(doc_integer(j, "lost/zone_room"), 3);
	yajl_tree_free(j);
	fini(&f);
}

/* Up to the first of the second frame events were overwritten before they were read. */
static void test_events_that_are_gone_are_told(void **state)
{
	struct fixture f = { NULL };
	char *text;
	yajl_val j;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	f.e.whole_run = false;
	f.e.asked = f.p->frame_count;
	text = text_of(&f.e, (struct export_style){ .width = 80 });
	assert_null(strstr(text, "may be missing"));
	free(text);
	profile_set_instants_from(f.p, f.p->frames[0].start + 1);
	text = text_of(&f.e, (struct export_style){ .width = 80 });
	assert_non_null(strstr(text, "(events and notes up to frame 1 may be missing, because they were overwritten)\n"));
	free(text);
	j = exported(&f.e);
	assert_true(YAJL_IS_TRUE(doc_at(j, "frames/0/events_incomplete")));
	assert_null(doc_member(doc_at(j, "frames/1"), "events_incomplete"));
	yajl_tree_free(j);
	fini(&f);
}

static void test_json_of_a_graph(void **state)
{
	struct fixture f = { NULL };
	struct report_options o = in_ns(REPORT_SELF);
	yajl_val j;

	(void)state;
	make(&f, game, o);
	o.zone = "raycast";
	add_graph(&f, o);
	j = exported(&f.e);
	assert_string_equal(doc_text(j, "view"), "graph");
	assert_string_equal(doc_text(j, "graph/zone"), "raycast");
	assert_int_equal(doc_integer(j, "graph/depth"), 2);
	assert_int_equal(doc_integer(j, "graph/focus/self"), 550);
	assert_int_equal(doc_integer(j, "graph/focus/count"), 6);
	assert_int_equal(doc_integer(j, "graph/focus/recursive"), 2);
	assert_int_equal(doc_length(j, "graph/callers"), 2);
	assert_string_equal(doc_text(j, "graph/callers/1/zone"), "ai");
	assert_int_equal(doc_integer(j, "graph/callers/1/count"), 6);
	assert_int_equal(doc_integer(j, "graph/callers/1/direct"), 4);
	assert_string_equal(doc_text(j, "graph/callers/0/zone"), "raycast");
	assert_int_equal(doc_integer(j, "graph/callers/0/direct"), 2);
	assert_int_equal(doc_length(j, "graph/children"), 0);
	yajl_tree_free(j);
	fini(&f);

	o.zone = "raycast(2)";
	o.spread = true;
	f = (struct fixture){ NULL };
	make(&f, game, in_ns(REPORT_TREE));
	add_graph(&f, o);
	j = exported(&f.e);
	assert_string_equal(doc_text(j, "graph/focus/zone"), "raycast(2)");
	assert_int_equal(doc_integer(j, "graph/focus/count"), 2);
	yajl_tree_free(j);
	fini(&f);
}

static void test_json_of_a_tree_and_of_each_thread(void **state)
{
	struct fixture f = { NULL };
	struct report_options o = in_ns(REPORT_TREE);
	yajl_val j, *rows;

	(void)state;
	o.thread = THREADS_EACH;
	make(&f, game, o);
	o.zone = "raycast";
	add_graph(&f, o);
	j = exported(&f.e);
	assert_true(YAJL_IS_NULL(doc_at(j, "rows/0/parent")));
	assert_int_equal(doc_integer(j, "rows/0/level"), 0);
	assert_int_equal(doc_integer(j, "rows/1/parent"), 0);
	assert_int_equal(doc_integer(j, "rows/1/thread"), 1);
	rows = doc_at(j, "rows")->u.array.values;
	for (size_t i = 0; i < doc_length(j, "rows"); i++) {
		if (YAJL_IS_NULL(doc_at(rows[i], "parent")))
			continue;
		yajl_val up = rows[doc_integer(rows[i], "parent")];
		assert_int_equal(doc_integer(up, "thread"), doc_integer(rows[i], "thread"));
		assert_int_equal(doc_integer(up, "level") + 1, doc_integer(rows[i], "level"));
	}
	assert_int_equal(doc_length(j, "graph"), 2);
	assert_int_equal(doc_integer(j, "graph/0/thread"), 1);
	assert_true(YAJL_IS_NULL(doc_at(j, "graph/1/focus"))); /* the worker was never in it */
	yajl_tree_free(j);
	fini(&f);
}

/* A list, however many there are. */
static void test_json_of_each_of_one_thread(void **state)
{
	struct fixture f = { NULL };
	struct report_options o = in_ns(REPORT_SELF);
	yajl_val j;

	(void)state;
	o.thread = THREADS_EACH;
	make(&f, "main raycast 10 1\n", o);
	o.zone = "raycast";
	add_graph(&f, o);
	j = exported(&f.e);
	assert_int_equal(doc_length(j, "graph"), 1);
	assert_int_equal(doc_integer(j, "graph/0/thread"), 1);
	yajl_tree_free(j);
	fini(&f);
}

static void test_json_of_an_average(void **state)
{
	struct fixture f = { NULL };
	yajl_val j;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	f.v->scale = 4;
	f.v->average = true;
	f.e.average = AVERAGE_RUN;
	remake(&f, THREADS_ALL);
	j = exported(&f.e);
	assert_string_equal(doc_text(j, "average"), "run");
	assert_string_equal(doc_digits(j, "rows/0/self"), "137.500000");
	assert_string_equal(doc_digits(j, "rows/0/count"), "1.500000");
	assert_string_equal(doc_digits(j, "rows/0/self_ns"), "137.5");
	assert_int_equal(doc_integer(j, "rows/0/max"), 300);
	yajl_tree_free(j);
	fini(&f);
}

/* Names that would take a terminal or a document apart stand escaped in every output, and can be had
 * back. */
/* Beside one graph, and only there. */
static void test_json_of_a_cause(void **state)
{
	struct report_options options = in_ns(REPORT_SELF);
	struct correlation rows[2] = { { .thread = PROFILE_NONE, .with = { { 50, 0.5, false }, { 0, 0, false } } },
				       { .thread = 0, .with = { { 50, -0.75, true }, { 40, 0.25, false } } } };
	struct cause cause = {
		.frames = 50,
		.varies = { [EXTENT_SELF] = { .frames = 50 }, [EXTENT_HIER] = { 50, 1000, 20, true, 0.75, 0.25, 0 } },
		.correlations = { .rows = rows, .count = 2 },
	};
	struct fixture f = { NULL };
	yajl_val tree;
	char *text;

	(void)state;
	make(&f, game, options);
	f.p->ticks_per_s = 500000000;
	rows[1].counter = profile_add_counter(f.p, "bytes", false, true) + 1;
	assert_int_equal(profile_add_counter(f.p, "shots", false, false), 1);
	options.zone = "raycast";
	add_graph(&f, options);
	f.e.cause = &cause;
	tree = exported(&f.e);
	assert_int_equal(doc_integer(tree, "varies/frames"), 50);
	assert_true(YAJL_IS_NULL(doc_at(tree, "varies/self")));
	assert_true(YAJL_GET_DOUBLE(doc_at(tree, "varies/hier/calls")) == 0.75);
	assert_int_equal(doc_integer(tree, "varies/hier/deviation_ns"), 40);
	assert_string_equal(doc_text(tree, "correlates/frame/0/counter"), "shots");
	assert_string_equal(doc_text(tree, "correlates/frame/0/of"), "change");
	assert_true(YAJL_GET_DOUBLE(doc_at(tree, "correlates/frame/0/rho")) == -0.75);
	assert_string_equal(doc_text(tree, "correlates/frame/1/counter"), "bytes");
	assert_true(YAJL_IS_NULL(doc_at(tree, "correlates/frame/1/thread")));
	assert_int_equal(doc_length(tree, "correlates/self"), 1);
	assert_int_equal(doc_integer(tree, "correlates/self/0/frames"), 40);
	yajl_tree_free(tree);
	f.e.report = f.graph;
	text = text_of(&f.e, (struct export_style){ .width = 100 });
	assert_non_null(strstr(text, "\nself variation: none\n"
				     "hier variation: 75 % call count, 25 % time per call   in 50 frames\n"
				     "correlates with its self time: shots (main) +0.25\n"
				     "correlates with the frame's length: growth of shots (main) -0.75   bytes +0.50\n\n"));
	free(text);
	fini(&f);
}

static void test_less_overhead_is_said(void **state)
{
	struct fixture f = { NULL };
	struct export_style style = { .width = 120 };
	yajl_val tree;
	char *text;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	f.p->process.pair_ns = 60;
	assert_true(overhead_subtract(f.v, f.p));
	remake(&f, THREADS_ALL);
	tree = exported(&f.e);
	assert_true(YAJL_IS_TRUE(doc_at(tree, "overhead_subtracted")));
	assert_true(YAJL_IS_TRUE(doc_at(tree, "rows/0/costly")));
	yajl_tree_free(tree);
	text = text_of(&f.e, style);
	assert_non_null(strstr(text, "profiling cost subtracted (at least 60.0 ns per call)"));
	assert_non_null(strstr(text, "11 % of it exceeds the measured times\n"));
	assert_non_null(strstr(text, "\n* profiling cost is more than 10 % of its time\n"));
	free(text);
	style.width = 40;
	text = text_of(&f.e, style);
	assert_null(strstr(text, "\n* more"));
	free(text);
	fini(&f);
}

/* The whole run of `game`, of which so much is not known of its two threads, the last ticks of them. */
static char *text_of_ends(enum profile_state state, enum unit unit, int64_t main_ticks, int64_t worker_ticks,
			  enum profile_thread_state worker)
{
	struct report_options o = in_ns(REPORT_SELF);
	struct fixture f = { NULL };
	char *text;

	o.unit = unit;
	make(&f, game, o);
	f.p->process.state = state;
	f.p->now_tick = f.p->run_tick = 5000;
	profile_set_time(f.p, 0, 1000, 4000 - main_ticks);
	profile_set_time(f.p, 1, 2000, 3000 - worker_ticks);
	f.p->threads[1].state = worker;
	f.p->threads[1].tid = 4712;
	text = text_of(&f.e, (struct export_style){ .ascii = true });
	fini(&f);
	return text;
}

static void expect_ends(char *text, const char *said)
{
	if (said ? !strstr(text, said) : (bool)strstr(text, "known until"))
		fail_msg("%s is not in:\n%s", said ? said : "nothing of ends", text);
	free(text);
}

static void test_threads_that_end_early_are_told(void **state)
{
	static const char one[] = "the whole run   all threads   worker (4712) is known until ";

	(void)state;
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_NS, 0, 12, THREAD_LIVE), one);
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_NS, 0, 12, THREAD_LIVE), " 12 ns before the end\n\n");
	expect_ends(text_of_ends(PROFILE_ENDED, UNIT_US, 0, 12, THREAD_LIVE), " 0.012 us before the end\n\n");
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_PCT, 0, 1800, THREAD_LIVE), " 0.002 ms before the end\n\n");
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_NS, 3, 12, THREAD_LIVE),
		    "2 threads are known until 12 ns or less before the end\n\n");
}

static void test_ends_that_are_no_loss_are_not_told(void **state)
{
	(void)state;
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_NS, 0, 0, THREAD_LIVE), NULL);
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_MS, 0, 12, THREAD_LIVE), NULL);   /* nobody would see it */
	expect_ends(text_of_ends(PROFILE_DEAD, UNIT_NS, 0, 800, THREAD_ENDED), NULL); /* it ended by itself */
	expect_ends(text_of_ends(PROFILE_LIVE, UNIT_NS, 0, 12, THREAD_LIVE), NULL);   /* it goes on */
}

static void test_hostile_names(void **state)
{
	static const char hostile[] = "\033[2Jx\"\\\n\xff\xe2\x80\xae,</script>";
	struct fixture f = { NULL };
	uint32_t node;
	char *outputs[2], *back;
	yajl_val j;

	(void)state;
	make(&f, "main . 1\n", in_ns(REPORT_SELF));
	node = profile_add_node(f.p, 0, profile_add_zone(f.p, hostile, hostile, 1, 0));
	profile_set_total(f.p, node, 5, 1, 5);
	profile_add_thread(f.p, 1, 0, hostile);
	profile_text(&f.p->process.program, hostile);
	profile_text(&f.p->process.source, hostile);
	profile_text(&f.p->process.command, hostile);
	profile_text(&f.p->left_open, hostile);
	profile_set_loss(f.p, "left_open", "x", 1);
	values_free(f.v);
	f.v = values_of_run(f.p);
	remake(&f, THREADS_EACH);
	outputs[0] = text_of(&f.e, (struct export_style){ .width = 0 });
	outputs[1] = csv_of(&f.e);
	for (int i = 0; i < 2; i++) {
		assert_null(strpbrk(outputs[i], "\033\xff"));
		assert_null(strstr(outputs[i], "\xe2\x80\xae"));
		free(outputs[i]);
	}
	j = exported(&f.e);
	back = name_unescape(doc_text(j, "rows/0/zone"));
	assert_string_equal(back, hostile);
	free(back);
	back = name_unescape(doc_text(j, "threads/0/name"));
	assert_string_equal(back, hostile);
	free(back);
	yajl_tree_free(j);
	fini(&f);
}

/* A stream that takes no more is an error, once, and nothing else happens. */
static void test_full(void **state)
{
	struct fixture f = { NULL };
	struct export_style style = { .width = 80 };
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	setvbuf(full, NULL, _IONBF, 0);
	make(&f, game, in_ns(REPORT_SELF));
	assert_false(export_text(&f.e, &style, full));
	assert_false(export_csv(&f.e, full));
	assert_false(export_json(&f.e, full));
	fclose(full);
	fini(&f);
}

/* A timeline: what main did in 1,000 ticks, of which some are not known, and the worker, which begins late. */

static void add_calls(struct transitions *t, uint64_t id, const struct transition *calls, size_t count, uint32_t thread)
{
	struct transition_list *list = transitions_of(t, id, thread);

	assert_non_null(list);
	for (size_t i = 0; i < count; i++)
		assert_true(transitions_add(t, list, calls[i]));
}

static struct spans *spans_of_game(const struct profile *p, int64_t now)
{
	uint32_t frame = dsl_node((struct profile *)p, "main", "frame"), ai = dsl_node((struct profile *)p, "main", "frame/ai");
	uint32_t draw = dsl_node((struct profile *)p, "worker", "draw");
	const struct transition main[] = {
		{ 100, 0, TRANSITION_START }, { 150, frame, TRANSITION_ENTER }, { 200, ai, TRANSITION_ENTER },
		{ 300, ai, TRANSITION_LEAVE }, { 305, ai, TRANSITION_ENTER },   { 310, ai, TRANSITION_LEAVE },
		{ 400, frame, TRANSITION_LEAVE }, { 500, 0, TRANSITION_GAP },   { 600, ai, TRANSITION_LEAVE },
	}, worker[] = {
		{ 700, 0, TRANSITION_START }, { 750, draw, TRANSITION_ENTER }, { 850, draw, TRANSITION_LEAVE },
		{ 900, 0, TRANSITION_END },
	};
	struct transitions *t = transitions_new(1000);
	struct spans *s = spans_new();

	assert_true(t && s);
	add_calls(t, 1, main, sizeof(main) / sizeof(*main), 0);
	add_calls(t, 2, worker, sizeof(worker) / sizeof(*worker), 1);
	assert_true(spans_update(s, p, t, now));
	transitions_free(t);
	return s;
}

static void test_timeline(void **state)
{
	struct timeline_lane lanes[2];
	struct timeline_report r = { .lanes = lanes, .count = 2, .to = 1000, .zero = 1000, .known = true };
	struct fixture f = { NULL };
	struct spans *s;
	char *text;
	yajl_val json;

	(void)state;
	make(&f, game, in_ns(REPORT_SELF));
	s = spans_of_game(f.p, 1000);
	for (int i = 0; i < 2; i++)
		lanes[i] = (struct timeline_lane){ s->lists[i].thread, &s->lists[i], true, 0, 1000 };
	f.e.report = NULL;
	f.e.timeline = &r;
	text = text_of(&f.e, (struct export_style){ .width = 57, .ascii = true });
	assert_string_equal(text, "game[4711]   demo   live   0.000 s   2 frames\n"
				  "frame ms: p50 <0.001 p99 0.001 max 0.001\n"
				  "the last 1000 ns\n"
				  "\n"
				  "       |-1.0 us                 |-0.5 us\n"
				  "main   ~~~~~  [frame  250-]{fra}[frame  500-------------]\n"
				  "                 [ai-].         [ai-]\n"
				  "worker ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~  [draw]  ~~~~~\n"
				  "times in ns   {} sum of a frame   ~ the thread did not run\n"
				  "\n");
	free(text);
	json = exported(&f.e);
	assert_string_equal(doc_text(json, "view"), "timeline");
	assert_int_equal(doc_integer(json, "window/length"), 1000);
	assert_int_equal(doc_length(json, "lanes"), 2);
	assert_int_equal(doc_length(json, "lanes/0/known"), 2);
	assert_int_equal(doc_integer(json, "lanes/0/known/0/begin"), 100);
	assert_int_equal(doc_integer(json, "lanes/0/known/0/end"), 400);
	assert_true(YAJL_IS_TRUE(doc_at(json, "lanes/0/known/0/born")));
	assert_int_equal(doc_length(json, "lanes/0/spans"), 5);
	assert_int_equal(doc_integer(json, "lanes/0/spans/0/self"), 145);
	assert_int_equal(doc_integer(json, "lanes/0/spans/1/begin"), 500);
	assert_int_equal(doc_integer(json, "lanes/0/spans/1/end"), 1000);
	assert_true(YAJL_IS_TRUE(doc_at(json, "lanes/0/spans/1/cut_begin")));
	assert_true(YAJL_IS_TRUE(doc_at(json, "lanes/0/spans/1/running")));
	assert_int_equal(doc_integer(json, "lanes/0/spans/1/self"), 400);
	assert_int_equal(doc_integer(json, "lanes/0/spans/4/depth"), 1);
	assert_true(YAJL_IS_TRUE(doc_at(json, "lanes/1/known/0/ended")));
	yajl_tree_free(json);
	r.count = 0;
	r.since = 500;
	f.p->now_tick = 1000;
	text = text_of(&f.e, (struct export_style){ .width = 57, .ascii = true });
	assert_non_null(strstr(text, "no single calls are known from that time, but of the last 500 ns\n"));
	free(text);
	spans_free(s);
	fini(&f);
}

/* Times before the end can be told apart, however short the stretch and however long ago. */
static void test_stretches_of_time(void **state)
{
	static const struct {
		int64_t from, to;
		const char *text;
	} cases[] = {
		{ 3200000000, 0, "the last 3.200 s" },
		{ 1000000, 500000, "from 1.000 ms to 0.500 ms before the end" },
		{ 10000, 5000, "from 10.000 us to 5.000 us before the end" },
		{ 5000, 10, "from 5000 ns to 10 ns before the end" },
		{ 800000000, 799999000, "from 800.00000 ms to 799.99900 ms before the end" },
		{ 3200100000, 3200000000, "from 3.200100 s to 3.200000 s before the end" },
		{ 61500000000, 61200000000, "from 61.500 s to 61.200 s before the end" },
		{ 90000000000, 0, "the last 00:01:30" },
		{ 90000000000, 61000000000, "from 00:01:30 to 00:01:01 before the end" },
		{ 7, -3, "the last 7 ns" },
		{ INT64_MAX, INT64_MAX - 1, "from 9223372036.854775807 s to 9223372036.854775806 s before the end" },
	};
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		title_stretch(text, sizeof(text), cases[i].from, cases[i].to, 1000000000, true);
		assert_string_equal(text, cases[i].text);
	}
	title_stretch(text, sizeof(text), 10000, 5000, 1000000000, false);
	assert_string_equal(text, "from 10.000 µs to 5.000 µs before the end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_of_a_long_run),
		cmocka_unit_test(test_events_that_are_gone_are_told),
		cmocka_unit_test(test_text_of_a_graph),
		cmocka_unit_test(test_text_says_what_is_covered),
		cmocka_unit_test(test_colours_add_nothing),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_in_percent),
		cmocka_unit_test(test_csv_quotes),
		cmocka_unit_test(test_csv_for_a_spreadsheet),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_of_a_graph),
		cmocka_unit_test(test_json_of_a_tree_and_of_each_thread),
		cmocka_unit_test(test_json_of_each_of_one_thread),
		cmocka_unit_test(test_json_of_an_average),
		cmocka_unit_test(test_json_of_a_cause),
		cmocka_unit_test(test_threads_that_end_early_are_told),
		cmocka_unit_test(test_ends_that_are_no_loss_are_not_told),
		cmocka_unit_test(test_less_overhead_is_said),
		cmocka_unit_test(test_timeline),
		cmocka_unit_test(test_stretches_of_time),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * io_why: what the commands why and diff print of profiles that were written down here: the text byte for byte, and JSON
 * read back.
 */
#include "io/export/export_why.h"

#include "model/stats/base_frame.h"
#include "tests/json_read.h"
#include "tests/model_dsl.h"

struct fixture {
	struct profile *p, *base_p;
	struct values *base, *now;
	struct why *why;
	struct why_report r;
};

/* A frame in which ai casts more rays, each of them dearer, and waits less in the end. */
static const char game[] =
	"frame 1 1000\n"
	"main . 10\n"
	"main frame@game.c:12 50 1\n"
	"main frame@game.c:12/ai@ai.c:7 100 2\n"
	"main frame@game.c:12/ai@ai.c:7/raycast@ray.c:118 400 40\n"
	"main frame@game.c:12/load@load.c:3 40 1\n"
	"main vsync@game.c:40 400 1\n"
	"worker job@job.c:5 1000 10\n"
	"frame 2 1500\n"
	"main . 15\n"
	"main frame@game.c:12 50 1\n"
	"main frame@game.c:12/ai@ai.c:7 95 0\n"
	"main frame@game.c:12/ai@ai.c:7/raycast@ray.c:118 1200 60\n"
	"main frame@game.c:12/save@load.c:9 80 1\n"
	"main vsync@game.c:40 60 1\n"
	"worker job@job.c:5 900 15\n"
	"worker . 400\n";

static void name(struct profile *p, const char *program, const char *source, int64_t pid)
{
	profile_text(&p->process.program, program);
	profile_text(&p->process.source, source);
	p->process.pid = pid;
}

static void vsync_waits(struct profile *p)
{
	for (uint32_t i = 0; i < p->zone_count; i++)
		if (!strcmp(p->zones[i].name, "vsync"))
			p->zones[i].flags |= ZONE_WAITING;
}

static struct profile *game_profile(void)
{
	struct profile *p = dsl_profile(game);

	name(p, "game", "demo", 4711);
	p->threads[0].marking = true;
	vsync_waits(p);
	return p;
}

/* Takes over all that it is given. */
static struct fixture fixture_of(struct profile *base_p, struct values *base, struct profile *p,
				 struct values *now)
{
	struct fixture f = { .p = p, .base_p = base_p, .base = base, .now = now };

	f.r = (struct why_report){ .base = { base_p, base }, .now = { p, now }, .unit = UNIT_NS,
				   .precision = -1 };
	f.r.why = f.why = why_make(&f.r.base, &f.r.now, &(struct why_options){ .threads = THREADS_ALL });
	assert_non_null(f.why);
	return f;
}

static void spread(struct fixture *f)
{
	why_free(f->why);
	f->r.why = f->why = why_make(&f->r.base, &f->r.now,
				     &(struct why_options){ .threads = THREADS_ALL, .spread = true });
	assert_non_null(f->why);
}

static struct fixture frames(struct profile *p, uint64_t base, uint64_t now)
{
	struct fixture f = fixture_of(p, values_of_frames(p, profile_frame_index(p, base), 1), p,
				      values_of_frames(p, profile_frame_index(p, now), 1));

	f.r.base_end = (struct why_end){ .frame = base, .role = "the median" };
	f.r.now_end = (struct why_end){ .frame = now };
	return f;
}

static void fini(struct fixture *f)
{
	why_free(f->why);
	values_free(f->base);
	values_free(f->now);
	if (f->base_p != f->p)
		profile_free(f->base_p);
	profile_free(f->p);
}

/* Caller frees. */
static char *text_of(const struct why_report *r, uint32_t width, bool ascii)
{
	struct export_style style = { .width = width, .ascii = ascii };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	text_why_titles(r, &style, out);
	fputc('\n', out);
	assert_true(text_why(r, &style, out));
	fclose(out);
	return text;
}

static void expect_text(const struct why_report *r, uint32_t width, bool ascii, const char *expected)
{
	char *text = text_of(r, width, ascii);

	if (strcmp(text, expected) != 0)
		fail_msg("expected:\n%sgot:\n%s", expected, text);
	free(text);
}

static void expect_diff(const struct why_report *r, const char *expected)
{
	struct export_style style = { .width = 100, .ascii = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_true(export_diff(r, &style, out));
	fclose(out);
	if (strcmp(text, expected) != 0)
		fail_msg("expected:\n%sgot:\n%s", expected, text);
	free(text);
}

/* Text */

static void test_text(void **state)
{
	struct fixture f = frames(game_profile(), 1, 2);

	(void)state;
	expect_text(&f.r, 100, false,
		    "why frame 2: 1500 ns   against frame 1 (the median): 1000 ns   +500 ns, waiting -340, the rest +840\n"
		    "\n"
		    "thread: main   frame thread   1000 → 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      +800           +200           +600  40 → 60  slower calls   raycast ‹ ai ‹ frame  ray.c:118\n"
		    "      -340              -           -340    1 → 1  waited less    vsync  game.c:40\n"
		    "       +80            +80              -    0 → 1  new            save ‹ frame  load.c:9\n"
		    "       -40            -40              -    1 → 0  gone           load ‹ frame  load.c:3\n"
		    "        +5              -              -           outside zones  (no zone)\n"
		    "        -5              -              -    2 → 0  carried over   ai ‹ frame  ai.c:7\n"
		    "      +500  sum = difference of the thread's time\n"
		    "      -340  waiting\n"
		    "      +840  the rest\n"
		    "\n"
		    "thread: worker   1000 → 1300 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      +400              -              -           outside zones  (no zone)\n"
		    "      -100           +500           -600  10 → 15  faster calls   job  job.c:5\n"
		    "      +300  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

static void test_text_of_a_narrow_line(void **state)
{
	struct fixture f = frames(game_profile(), 1, 2);

	(void)state;
	f.r.unit = UNIT_AUTO;
	expect_text(&f.r, 66, true,
		    "why frame 2: 1500 ns   against frame 1 (the median): 1000 ns\n"
		    "+500 ns, waiting -340, the rest +840\n"
		    "\n"
		    "thread: main   frame thread   1000 > 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      +800           +200           +600  40 > 60  slower calls   raycast <...\n"
		    "      -340              -           -340    1 > 1  waited less    vsync\n"
		    "       +80            +80              -    0 > 1  new            save < frame\n"
		    "       -40            -40              -    1 > 0  gone           load < frame\n"
		    "        +5              -              -           outside zones  (no zone)\n"
		    "        -5              -              -    2 > 0  carried over   ai < frame\n"
		    "      +500  sum = difference of the thread's time\n"
		    "      -340  waiting\n"
		    "      +840  the rest\n"
		    "\n"
		    "thread: worker   1000 > 1300 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      +400              -              -           outside zones  (no zone)\n"
		    "      -100           +500           -600  10 > 15  faster calls   job  job.c:5\n"
		    "      +300  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

/* The base is the frame itself. */
static void test_nothing_to_say(void **state)
{
	struct fixture f = frames(game_profile(), 2, 2);

	(void)state;
	expect_text(&f.r, 100, true,
		    "why frame 2: 1500 ns   against frame 2 (the median): 1500 ns   0 ns\n"
		    "\n"
		    "thread: main   frame thread   1500 > 1500 ns\n"
		    "         0  sum = difference of the thread's time\n"
		    "\n"
		    "thread: worker   1300 > 1300 ns\n"
		    "         0  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

/* Rows of which nothing would be seen are one line. */
static void test_small_rows(void **state)
{
	struct profile *p = dsl_profile("frame 1 9000000\nmain a 8000000 1\nmain b 600000 1\nmain c 400000 1\n"
					"frame 2 9000300\nmain a 8000000 1\nmain b 600100 1\nmain c 400200 1\n"
					"frame 3 9900700\nmain a 8900000 1\nmain b 600300 1\nmain c 400400 1\n");
	struct fixture f = frames(p, 1, 3);

	(void)state;
	f.r.unit = UNIT_MS;
	expect_text(&f.r, 100, true,
		    "why frame 3: 9.901 ms   against frame 1 (the median): 9.000 ms   +0.901 ms\n"
		    "\n"
		    "thread: main   9.000 > 9.901 ms\n"
		    "  DELTA ms  FROM COUNT ms  FROM SPEED ms  COUNT  WHY            ZONE\n"
		    "    +0.900              -         +0.900  1 > 1  slower calls   a\n"
		    "    +0.001  in 2 smaller rows\n"
		    "    +0.901  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

/* Where most of it is waiting the title says so. */
static void test_mostly_waiting(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000\nmain a 600 1\nmain vsync 400 1\n"
					"frame 2 1500\nmain a 700 1\nmain vsync 800 1\n");
	struct fixture f;

	(void)state;
	p->threads[0].marking = true;
	vsync_waits(p);
	f = frames(p, 1, 2);
	expect_text(&f.r, 100, true,
		    "why frame 2: 1500 ns   against frame 1 (the median): 1000 ns   +500 ns, +400 of it waiting\n"
		    "\n"
		    "thread: main   frame thread   1000 > 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns  COUNT  WHY            ZONE\n"
		    "      +400              -           +400  1 > 1  waited longer  vsync\n"
		    "      +100              -           +100  1 > 1  slower calls   a\n"
		    "      +500  sum = difference of the thread's time\n"
		    "      +400  of it waiting\n"
		    "\n");
	fini(&f);
}

/* Waiting changed the other way, and by more than the whole: it is no part of it. */
static void test_waiting_against_the_rest(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000\nmain a 200 1\nmain vsync 800 1\n"
					"frame 2 900\nmain a 700 1\nmain vsync 200 1\n");
	struct fixture f;

	(void)state;
	p->threads[0].marking = true;
	vsync_waits(p);
	f = frames(p, 1, 2);
	expect_text(&f.r, 100, true,
		    "why frame 2: 900 ns   against frame 1 (the median): 1000 ns   -100 ns, waiting -600, the rest +500\n"
		    "\n"
		    "thread: main   frame thread   1000 > 900 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns  COUNT  WHY            ZONE\n"
		    "      -600              -           -600  1 > 1  waited less    vsync\n"
		    "      +500              -           +500  1 > 1  slower calls   a\n"
		    "      -100  sum = difference of the thread's time\n"
		    "      -600  waiting\n"
		    "      +500  the rest\n"
		    "\n");
	fini(&f);
}

/* 200 ns less waiting are 0.000 ms: no line, and not two. So is a rest of 200 ns. */
static void test_waiting_that_is_not_seen(void **state)
{
	static const char *const frames_of[] = {
		"frame 1 10000000\nmain a 9000000 1\nmain vsync 1000000 1\nframe 2 42000000\nmain a 41000200 1\nmain vsync 999800 1\n",
		"frame 1 10000000\nmain a 1000200 1\nmain vsync 8999800 1\nframe 2 42000000\nmain a 1000000 1\nmain vsync 41000000 1\n",
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct profile *p = dsl_profile(frames_of[i]);
		struct fixture f;
		char *text;

		p->threads[0].marking = true;
		vsync_waits(p);
		f = frames(p, 1, 2);
		f.r.unit = UNIT_AUTO;
		text = text_of(&f.r, 100, true);
		assert_non_null(strstr(text, "  +32.000  sum = difference of the thread's time\n"));
		assert_null(strstr(text, "  the rest\n"));
		assert_int_equal(strstr(text, "  +32.000  of it waiting\n") != NULL, i == 1);
		assert_null(strstr(text, "-0.000"));
		free(text);
		fini(&f);
	}
}

/* Not even the length of the other thread's slice in the base is known. */
static void test_overwritten(void **state)
{
	struct profile *p = game_profile();
	struct profile_part part = { .thread = 1, .flags = PART_LAPPED };
	struct fixture f;
	char *text;

	(void)state;
	assert_true(profile_set_part(p, 1, &part));
	f = frames(p, 1, 2);
	text = text_of(&f.r, 100, true);
	assert_non_null(strstr(text, "thread: worker   0 > 1300 ns   slices are missing\n"));
	assert_non_null(strstr(text, "     +1300  sum of the known rows\n"));
	free(text);
	fini(&f);
}

/* A part is not there, and the sum says so. */
static void test_missing(void **state)
{
	struct profile *p = game_profile();
	struct profile_part part = { .thread = 0, .flags = PART_MISSING, .end = 1500 };
	struct fixture f;

	(void)state;
	assert_true(profile_set_part(p, 2, &part));
	f = frames(p, 1, 2);
	expect_text(&f.r, 100, true,
		    "why frame 2: 1500 ns   against frame 1 (the median): 1000 ns   +500 ns"
		    "   1 slice incomplete\n"
		    "\n"
		    "thread: main   frame thread   1000 > 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      -400           -400              -   40 > 0  gone           raycast < ai < frame  ray.c:118\n"
		    "      -400           -400              -    1 > 0  waited less    vsync  game.c:40\n"
		    "      -100           -100              -    2 > 0  gone           ai < frame  ai.c:7\n"
		    "       -50            -50              -    1 > 0  gone           frame  game.c:12\n"
		    "       -40            -40              -    1 > 0  gone           load < frame  load.c:3\n"
		    "       -10              -              -           outside zones  (no zone)\n"
		    "     -1000  sum of the known rows\n"
		    "      -400  of it waiting\n"
		    "      +500  difference of the thread's time: slices are missing\n"
		    "\n"
		    "thread: worker   1000 > 1300 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      +400              -              -           outside zones  (no zone)\n"
		    "      -100           +500           -600  10 > 15  faster calls   job  job.c:5\n"
		    "      +300  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

static void text_says_no_rest(const struct why_report *r)
{
	char *text = text_of(r, 100, true);

	assert_null(strstr(text, "not of its time"));
	free(text);
}

/* The last mark is of a thread that was not there in the base. */
static void test_another_marks(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000\nmain a 1000 1\nframe 2 1500\nmain a 1500 1\nlate b 300 1\n");
	struct fixture f;

	(void)state;
	p->threads[1].marking = true;
	f = frames(p, 1, 2);
	expect_text(&f.r, 100, true,
		    "why frame 2: 1500 ns   against frame 1 (the median): 1000 ns   +500 ns\n"
		    "\n"
		    "thread: main   1000 > 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns  COUNT  WHY            ZONE\n"
		    "      +500              -           +500  1 > 1  slower calls   a\n"
		    "      +500  sum = difference of the thread's time\n"
		    "\n"
		    "thread: late   frame thread   0 > 300 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns  COUNT  WHY            ZONE\n"
		    "      +300           +300              -  0 > 1  new            b\n"
		    "      +300  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

/* No thread was there for all of both, and no thread marks: it ended. */
static void test_nobody_was_there_all_the_time(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000\nmain a 400 1\nframe 2 1500\nmain a 1500 1\n");
	struct fixture f = frames(p, 1, 2);

	(void)state;
	expect_text(&f.r, 100, true,
		    "why frame 2: 1500 ns   against frame 1 (the median): 1000 ns   +500 ns\n"
		    "\n"
		    "thread: main   400 > 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns  COUNT  WHY            ZONE\n"
		    "     +1100              -          +1100  1 > 1  slower calls   a\n"
		    "     +1100  sum = difference of the thread's time\n"
		    "      -600  outside the thread's time: it had not begun, had ended, or saw a frame mark late\n"
		    "      +500  difference of the frames\n"
		    "\n");
	f.now->less_overhead = true; /* then no thread has the frame's time */
	text_says_no_rest(&f.r);
	fini(&f);
}

/* No name can do anything to a terminal, or hide a row. */
static void test_hostile_names(void **state)
{
	struct profile *p = dsl_profile("frame 1 10\nmain . 10\nframe 2 10\nmain . 10\n");
	uint32_t zone = profile_add_zone(p, "a\033[2J\nb\302\233", "/home/\033[1m/x\ry.c", 7, 0);
	uint32_t node = profile_add_node(p, p->threads[0].root, zone);
	struct profile_cell cell = { node, 2, 1, 2 };
	struct profile_part part = { .thread = 0, .end = 2, .cells = &cell, .cell_count = 1 };
	struct fixture f;

	(void)state;
	assert_true(profile_add_frame(p, 3, 20, 2, 0));
	assert_true(profile_set_part(p, 3, &part));
	profile_add_thread(p, p->threads[0].id, 0, "x\033]0;y\007");
	f = frames(p, 2, 3);
	expect_text(&f.r, 0, true,
		    "why frame 3: 2 ns   against frame 2 (the median): 10 ns   -8 ns\n"
		    "\n"
		    "thread: x\\x1B]0;y\\x07   10 > 2 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns  COUNT  WHY            ZONE\n"
		    "       -10              -              -         outside zones  (no zone)\n"
		    "        +2             +2              -  0 > 1  new            a\\x1B[2J\\x0Ab\\xC2\\x9B  x\\x0Dy.c:7\n"
		    "        -8  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

/* Two runs */

static struct fixture two_runs(bool average)
{
	struct profile *before = dsl_profile("main . 100\nmain a 900 30\nold z 50 1\n");
	struct profile *after = dsl_profile("main . 250\nmain a 1000 10\nmain b 250 10\n");
	struct values *base, *now;
	struct fixture f;

	name(before, "game", "before", 100);
	name(after, "game", "after", 200);
	before->threads[0].marking = after->threads[0].marking = true;
	before->frames_ended = 10;
	after->frames_ended = 15;
	base = values_of_run(before);
	now = values_of_run(after);
	if (average) {
		base->scale = 10;
		now->scale = 15;
		base->average = now->average = true;
	}
	f = fixture_of(before, base, after, now);
	if (average)
		f.r.base_end.frames = 10, f.r.now_end.frames = 15;
	return f;
}

static void test_diff_of_runs(void **state)
{
	struct fixture f = two_runs(false);

	(void)state;
	expect_diff(&f.r,
		    "base   game[100]   before   live   0.000 s   the whole run, in total\n"
		    "now    game[200]   after   live   0.000 s   the whole run, in total\n"
		    "\n"
		    "thread: main   frame thread   1000 > 1500 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "      +250           +250              -   0 > 10  new            b\n"
		    "      +150              -              -           outside zones  (no zone)\n"
		    "      +100           -600           +700  30 > 10  slower calls   a\n"
		    "      +500  sum = difference of the thread's time\n"
		    "\n"
		    "thread: old   50 > 0 ns   gone\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns    COUNT  WHY            ZONE\n"
		    "       -50            -50              -    1 > 0  gone           z\n"
		    "       -50  sum = difference of the thread's time\n"
		    "\n");
	fini(&f);
}

/* One frame is no plural. */
static void test_diff_of_averages_of_one_frame(void **state)
{
	struct fixture f = two_runs(true);
	struct export_style style = { .width = 100, .ascii = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	f.r.base_end.frames = 1;
	assert_true(export_diff(&f.r, &style, out));
	fclose(out);
	assert_non_null(strstr(text, "the whole run, an average of 1 frame\n"));
	free(text);
	fini(&f);
}

static void test_diff_of_averages(void **state)
{
	struct fixture f = two_runs(true);

	(void)state;
	assert_int_equal(f.why->scale, 30);
	expect_diff(&f.r,
		    "base   game[100]   before   live   0.000 s   the whole run, an average of 10 frames\n"
		    "now    game[200]   after   live   0.000 s   the whole run, an average of 15 frames\n"
		    "\n"
		    "thread: main   frame thread   100.0 > 100.0 ns\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns      COUNT  WHY            ZONE\n"
		    "     -23.3          -70.0          +46.7  3.0 > 0.7  fewer calls    a\n"
		    "     +16.7          +16.7              -  0.0 > 0.7  new            b\n"
		    "      +6.7              -              -             outside zones  (no zone)\n"
		    "       0.0  sum = difference of the thread's time (rounded)\n"
		    "\n"
		    "thread: old   5.0 > 0.0 ns   gone\n"
		    "  DELTA ns  FROM COUNT ns  FROM SPEED ns      COUNT  WHY            ZONE\n"
		    "      -5.0           -5.0              -  0.1 > 0.0  gone           z\n"
		    "      -5.0  sum = difference of the thread's time (rounded)\n"
		    "\n");
	fini(&f);
}

/* A stack of thousands of levels is a line like any other; who called a zone that calls itself is still in it. */
static void test_deep(void **state)
{
	static const char *const expected[] = {
		" new            f(2500) < g(2500) < f(2499) < ", " < ...\n", " new            g(3) < f(5001) < g\n"
	};
	struct profile *p = dsl_profile("frame 1 10\nmain . 10\nframe 2 20\nmain . 10\n");
	uint32_t zones[2] = { profile_add_zone(p, "f", "", 0, 0), profile_add_zone(p, "g", "", 0, 0) };
	struct profile_cell cells[2] = { { p->threads[0].root, 5, 1, 2 }, { p->threads[0].root, 5, 1, 2 } };
	struct profile_part part = { .thread = 0, .end = 10, .cells = cells, .cell_count = 2 };
	struct export_style style = { .ascii = true };
	struct fixture f;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	for (int i = 0; i < 5000; i++)
		cells[0].node = profile_add_node(p, cells[0].node, zones[i % 2 == 0]);
	for (int i = 0; i < 5004; i++)
		cells[1].node = profile_add_node(p, cells[1].node, zones[i == 0 || i > 5001]);
	assert_true(profile_set_part(p, 2, &part));
	f = frames(p, 1, 2);
	spread(&f);
	out = open_memstream(&text, &size);
	assert_true(text_why(&f.r, &style, out));
	fclose(out);
	for (size_t i = 0; i < 3; i++)
		assert_non_null(strstr(text, expected[i]));
	assert_true(size < 1000);
	free(text);
	fini(&f);
}

/* A write error is not reported as out of memory: the caller finds it in the stream. */
static void test_no_room(void **state)
{
	struct export_style style = { .width = 100 };
	struct fixture f = frames(game_profile(), 1, 2);
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	setbuf(out, NULL);
	assert_true(text_why(&f.r, &style, out));
	assert_true(ferror(out));
	fclose(out);
	fini(&f);
}

/* JSON */

static yajl_val document(const struct export *e, const struct why_report *diff)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	yajl_val tree;

	assert_true(e ? export_json(e, out) : export_diff_json(diff, out));
	fclose(out);
	tree = doc_parse(text);
	free(text);
	return tree;
}

static const char twins[] =
	"frame 1 100\n"
	"main load@game.c:4/leaf@m.c:3 50 1\n"
	"main load@game.c:5/leaf@m.c:3 50 1\n"
	"frame 2 300\n"
	"main load@game.c:4/leaf@m.c:3 180 1\n"
	"main load@game.c:5/leaf@m.c:3 120 1\n";

/* Two rows of one zone have callers of one name. The rows look different in
 * every width. */
static void test_callers_of_one_name(void **state)
{
	struct fixture f = frames(dsl_profile(twins), 1, 2);

	(void)state;
	for (uint32_t width = 10; width <= 150; width++) {
		char *text = text_of(&f.r, width, width % 2), *first = strstr(text, "leaf"), *second;

		if (!first)
			first = strstr(text, "l.");
		assert_non_null(first);
		second = strchr(first, '\n');
		assert_non_null(second);
		second += strcspn(second, "l");
		assert_true(strcspn(first, "\n") != strcspn(second, "\n") || strncmp(first, second, strcspn(first, "\n")) != 0);
		free(text);
	}
	fini(&f);
}

/* JSON has the places of callers, too. */
static void test_json_of_callers_of_one_name(void **state)
{
	struct fixture f = frames(dsl_profile(twins), 1, 2);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *report = dsl_report(f.p, f.now, &o);
	struct export e = { .profile = f.p, .values = f.now, .report = report, .why = &f.r, .first = 1, .count = 1, .chosen = true };
	yajl_val json = document(&e, NULL);

	(void)state;
	assert_string_equal(doc_text(json, "why/0/rows/0/callers/0"), "load");
	assert_string_equal(doc_text(json, "why/0/rows/0/caller_places/0/file"), "game.c");
	assert_int_equal(doc_integer(json, "why/0/rows/0/caller_places/0/line"), 4);
	assert_int_equal(doc_integer(json, "why/0/rows/1/caller_places/0/line"), 5);
	yajl_tree_free(json);
	report_free(report);
	fini(&f);
}

static void expect_word(yajl_val value, const char *path, const char *expected)
{
	assert_string_equal(doc_text(value, path), expected);
}

static void expect_row(yajl_val row, const struct why *why, const struct why_row *r)
{
	assert_int_equal(doc_integer(row, "node"), why->stacks[r->stack].node);
	assert_int_equal(doc_integer(row, "base_node"), why->stacks[r->stack].base_node);
	assert_int_equal(YAJL_IS_TRUE(doc_at(row, "waiting")), why->stacks[r->stack].waits);
	assert_int_equal(doc_integer(row, "delta"), r->delta);
	assert_int_equal(doc_integer(row, "delta_ns"), r->delta);
	assert_int_equal(doc_integer(row, "calls"), r->calls);
	assert_int_equal(doc_integer(row, "cost"), r->cost);
	assert_int_equal(doc_integer(row, "carried"), r->carried);
	assert_int_equal(doc_integer(row, "self"), r->self);
	assert_int_equal(doc_integer(row, "base_self"), r->base_self);
	assert_int_equal(doc_integer(row, "count"), r->count);
	assert_int_equal(doc_integer(row, "base_count"), r->base_count);
	expect_word(row, "kind", why_kind_names[r->kind]);
}

static void expect_thread(yajl_val thread, const struct fixture *f, const struct why_thread *t)
{
	long long sum = 0;
	yajl_val rows = doc_at(thread, "rows");

	assert_int_equal(doc_integer(thread, "frame"), 2);
	assert_int_equal(doc_integer(thread, "base"), 1);
	assert_int_equal(doc_integer(thread, "thread"), f->p->threads[t->thread].id);
	assert_int_equal(doc_integer(thread, "incomplete"), f->why->incomplete);
	assert_int_equal(doc_integer(thread, "missing"), t->missing);
	assert_int_equal(rows->u.array.len, t->count);
	for (uint32_t i = 0; i < t->count; i++) {
		expect_row(rows->u.array.values[i], f->why, &t->rows[i]);
		sum += doc_integer(rows->u.array.values[i], "delta");
	}
	assert_int_equal(sum, doc_integer(thread, "sum"));
	assert_int_equal(sum, doc_integer(thread, "delta"));
	assert_int_equal(sum, doc_integer(thread, "time") - doc_integer(thread, "base_time"));
	assert_int_equal(doc_integer(thread, "frame_delta"), f->now->wall - f->base->wall);
}

static void test_json(void **state)
{
	struct fixture f = frames(game_profile(), 1, 2);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *report = dsl_report(f.p, f.now, &o);
	struct export e = { .profile = f.p, .values = f.now, .report = report, .why = &f.r, .first = 1,
			    .count = 1, .chosen = true };
	yajl_val json = document(&e, NULL);

	(void)state;
	expect_word(json, "view", "why");
	assert_int_equal(doc_at(json, "frames")->u.array.len, 1);
	assert_int_equal(doc_integer(json, "frames/0/number"), 2);
	assert_int_equal(doc_integer(json, "ticks_per_s"), 1000000000);
	assert_int_equal(doc_at(json, "why")->u.array.len, f.why->thread_count);
	for (uint32_t i = 0; i < f.why->thread_count; i++)
		expect_thread(doc_at(json, "why")->u.array.values[i], &f, &f.why->threads[i]);
	expect_word(json, "why/0/rows/0/zone", "raycast");
	expect_word(json, "why/0/rows/0/callers/0", "frame");
	expect_word(json, "why/0/rows/0/callers/1", "ai");
	assert_int_equal(doc_integer(json, "why/0/delta"), doc_integer(json, "frames/0/length") - 1000);
	yajl_tree_free(json);
	report_free(report);
	fini(&f);
}

/* It is said of the thread whose part is missing, and of no other. */
static void test_json_of_what_is_missing(void **state)
{
	struct profile *p = game_profile();
	struct profile_part part = { .thread = 0, .flags = PART_MISSING, .end = 1500 };
	struct fixture f;
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	yajl_val json;

	(void)state;
	assert_true(profile_set_part(p, 2, &part));
	f = frames(p, 1, 2);
	struct report *report = dsl_report(f.p, f.now, &o);
	struct export e = { .profile = f.p, .values = f.now, .report = report, .why = &f.r, .first = 1,
			    .count = 1, .chosen = true };
	json = document(&e, NULL);
	for (int i = 0; i < 2; i++)
		assert_int_equal(doc_integer(doc_at(json, "why")->u.array.values[i], "incomplete"), 1);
	expect_word(json, "why/0/name", "main");
	assert_int_equal(doc_integer(json, "why/0/missing"), 1);
	assert_int_equal(doc_integer(json, "why/1/missing"), 0);
	yajl_tree_free(json);
	report_free(report);
	fini(&f);
}

static void test_json_of_a_diff(void **state)
{
	struct fixture f = two_runs(false);
	yajl_val json = document(NULL, &f.r);

	(void)state;
	expect_word(json, "view", "diff");
	expect_word(json, "process/region", "after");
	expect_word(json, "base/process/region", "before");
	assert_true(YAJL_IS_NULL(doc_at(json, "why/0/frame")));
	assert_int_equal(doc_integer(json, "why/0/sum"), 500);
	assert_true(YAJL_IS_NULL(doc_at(json, "why/1/thread")));
	assert_true(YAJL_IS_NULL(doc_at(json, "why/1/rows/0/node")));
	expect_word(json, "why/1/rows/0/kind", "gone");
	yajl_tree_free(json);
	fini(&f);
	f = two_runs(true);
	json = document(NULL, &f.r);
	assert_int_equal(doc_integer(json, "covered/average_of"), 15);
	assert_int_equal(doc_integer(json, "base/covered/average_of"), 10);
	assert_true(YAJL_IS_TRUE(doc_at(json, "why/0/rounded")));
	assert_true(YAJL_IS_DOUBLE(doc_at(json, "why/0/rows/0/delta")));
	yajl_tree_free(json);
	fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_of_a_narrow_line),
		cmocka_unit_test(test_nothing_to_say),
		cmocka_unit_test(test_small_rows),
		cmocka_unit_test(test_mostly_waiting),
		cmocka_unit_test(test_waiting_against_the_rest),
		cmocka_unit_test(test_waiting_that_is_not_seen),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_another_marks),
		cmocka_unit_test(test_nobody_was_there_all_the_time),
		cmocka_unit_test(test_overwritten),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_diff_of_runs),
		cmocka_unit_test(test_diff_of_averages),
		cmocka_unit_test(test_diff_of_averages_of_one_frame),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_callers_of_one_name),
		cmocka_unit_test(test_json_of_callers_of_one_name),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_of_what_is_missing),
		cmocka_unit_test(test_json_of_a_diff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

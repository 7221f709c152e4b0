/* SPDX-License-Identifier: MIT */
/*
 * io_foreign: single calls and sums as files of other programs, by hand and to the byte: names that a format cannot hold,
 * times that are rounded, calls without length, calls that are cut or still run, numbers beyond 2^53. What real readers make of
 * them is shown by proftop_export.
 */
#include "io/foreign/foreign.h"

#include <unistd.h>

#include "model/profile/measures.h"
#include "tests/model_dsl.h"

struct stage {
	struct profile *p;
	struct transitions *t;
	struct transition_list *list;
	struct spans *spans;
	struct values *values;
	struct foreign foreign;
	char *text;
	size_t size;
	uint32_t measure; /* MEASURE_SELF at first */
};

static void begin(struct stage *s, const char *profile)
{
	*s = (struct stage){ .p = dsl_profile(profile), .t = transitions_new(1000), .spans = spans_new() };
	assert_non_null(s->t);
	assert_non_null(s->spans);
	s->list = transitions_of(s->t, 1, 0);
	assert_non_null(s->list);
	s->foreign = (struct foreign){ .profile = s->p, .threads = THREADS_ALL, .spans = s->spans, .whole = true, .to = INT64_MAX };
	s->p->process.state = PROFILE_FILE;
	assert_true(profile_text(&s->p->process.clock, "file"));
}

static void end(struct stage *s)
{
	free(s->text);
	values_free(s->values);
	spans_free(s->spans);
	transitions_free(s->t);
	profile_free(s->p);
}

static void put(struct stage *s, enum transition_kind kind, const char *path, int64_t tick)
{
	uint32_t node = path ? dsl_node(s->p, "main", path) : 0;

	assert_true(transitions_add(s->t, s->list, (struct transition){ tick, node, kind }));
}

static const char *written(struct stage *s, enum file_kind kind)
{
	FILE *out;

	free(s->text);
	values_free(s->values);
	s->values = values_of_run_in(s->p, s->measure);
	assert_non_null(s->values);
	s->foreign.values = s->values;
	assert_true(spans_update(s->spans, s->p, s->t, s->p->now_tick));
	out = open_memstream(&s->text, &s->size);
	assert_non_null(out);
	assert_true(foreign_write(&s->foreign, kind, out));
	assert_int_equal(fclose(out), 0);
	return s->text;
}

/* ---- sums */

/* Each tick is a third of a second. */
static void rounded_times_of_a_zone_are_together_what_the_zone_has(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 0\nmain a 1 1 1\nmain b 0 1 1\nmain b/a 1 1 1\nmain b/a/a 1 1 1\nother a 1 1 1\n");
	s.p->ticks_per_s = 3;
	assert_string_equal(written(&s, FILE_FOLDED), "main;a 333333333\nmain;b;a 333333334\nmain;b;a;a 333333333\nother;a 333333333\n");
	s.foreign.merged = true;
	assert_string_equal(written(&s, FILE_FOLDED), "a 333333333\nb;a 333333334\nb;a;a 333333333\na 333333333\n");
	end(&s);
}

static void names_that_a_stack_cannot_hold_are_escaped(void **state)
{
	struct stage s;
	uint32_t zone, node;

	(void)state;
	begin(&s, "main . 0\nmain a 1 1 1\n");
	zone = profile_add_zone(s.p, "x;y\nz \\ \xC3\xA9 \xFF", "", 0, 0);
	node = profile_add_node(s.p, s.p->threads[0].root, zone);
	profile_set_total(s.p, node, 7, 1, 7);
	assert_string_equal(written(&s, FILE_FOLDED), "a 1\nx\\x3By\\x0Az \\ \xC3\xA9 \xFF 7\n");
	assert_string_equal(s.foreign.said, "bytes that names cannot contain appear as \\xNN");
	end(&s);
}

static void zones_of_one_name_have_their_places(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 0\nmain a@f.c:1 1 1 1\nmain a@g.c:2 2 1 2\n");
	assert_string_equal(written(&s, FILE_FOLDED), "a (f.c:1) 1\na (g.c:2) 2\n");
	end(&s);
}

/* a calls itself and b, and b calls a: what a costs is told once, where it stands first. */
static void a_zone_that_calls_itself_costs_its_time_once(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 5\nmain a@f.c:3 10 2 10\nmain a/b 20 2 20\nmain a/b/a@f.c:3 40 1 40\nmain a/a 80 4 80\n");
	end(&s); /* a without a place is another zone */
	begin(&s, "main . 5\nmain a@f.c:3 10 2 10\nmain a@f.c:3/b@f.c:9 20 2 20\nmain a@f.c:3/b@f.c:9/a@f.c:3 40 1 40\n"
		  "main a@f.c:3/a@f.c:3 80 4 80\n");
	assert_true(profile_text(&s.p->process.command, "./game\n--fast"));
	assert_string_equal(written(&s, FILE_CALLGRIND),
			    "# callgrind format\nversion: 1\ncreator: proftop\npid: 0\ncmd: ./game\\x0A--fast\npart: 1\n\n"
			    "positions: line\nevent: ns : Nanoseconds\nevents: ns\nsummary: 155\n"
			    "\nfl=(1) ???\nfn=(1) (no zone)\n0 5\n"
			    "cfi=(2) f.c\ncfn=(2) a\ncalls=2 3\n0 150\n"
			    "\nfl=(2)\nfn=(2)\n3 130\n"
			    "cfi=(2)\ncfn=(2)\ncalls=4 3\n3 0\n"
			    "cfi=(2)\ncfn=(3) b\ncalls=2 9\n3 60\n"
			    "\nfl=(2)\nfn=(3)\n9 20\n"
			    "cfi=(2)\ncfn=(2)\ncalls=1 3\n9 0\n"
			    "\ntotals: 155\n");
	end(&s);
}

/* Folded stacks are such a profile. Readers of callgrind files take no line without calls. */
static void calls_that_are_not_known_are_not_guessed_in_silence(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 5\nmain a 10 0 0\n");
	profile_lack_calls(s.p);
	assert_non_null(strstr(written(&s, FILE_CALLGRIND), "\ncfn=(2) a\ncalls=1 0\n"));
	assert_string_equal(s.foreign.said, "numbers of calls are not known. The format needs one, so each pair of caller and callee has 1");
	end(&s);
}

/* The lines at which samples were taken are those of costs and calls in
 * callgrind, and of locations in pprof. */
static void samples_have_lines(void **state)
{
	static const struct profile_measure samples = { "samples", "SAMPLES", .unit = MEASURE_SAMPLES, .of = MEASURE_OF_NODE,
							.absent_is_zero = true };
	static const unsigned char located[] = { 0x22, 8, 0x08, 8, 0x22, 4, 0x08, 4, 0x10, 41 };
	const char *plain = "io_foreign.pprof";
	struct stage s;
	uint32_t solve, dot, a, measure, nodes[3];
	char command[128], bytes[4096];
	FILE *file;
	size_t size;

	(void)state;
	begin(&s, "main . 0\nmain a@f.c:3 10 2 10\n");
	measure = profile_add_measure(s.p, &samples);
	solve = profile_add_zone(s.p, "solve", "s.c", 10, ZONE_FUNCTION);
	dot = profile_add_zone(s.p, "dot", "s.c", 40, ZONE_FUNCTION);
	a = dsl_node(s.p, "main", "a@f.c:3");
	nodes[0] = profile_add_line_node(s.p, a, solve, 14);
	nodes[1] = profile_add_line_node(s.p, nodes[0], dot, 41);
	nodes[2] = profile_add_line_node(s.p, a, solve, 15);
	for (int i = 0; i < 3; i++)
		assert_true(profile_set_amount(s.p, nodes[i], measure, 1 + 10 * i));
	s.measure = measure;
	assert_non_null(strstr(written(&s, FILE_CALLGRIND),
			       "\nfl=(2)\nfn=(2)\n3 0\ncfi=(3) s.c\ncfn=(3) solve\ncalls=1 10\n3 33\n"
			       "\nfl=(3)\nfn=(3)\n14 1\n15 21\ncfi=(3)\ncfn=(4) dot\ncalls=1 40\n14 11\n"
			       "\nfl=(3)\nfn=(4)\n41 11\n"));
	written(&s, FILE_PPROF);
	snprintf(command, sizeof(command), "%s>%s", (unsigned char)s.text[0] == 0x1f ? "gzip -dc " : "cat ", plain);
	file = popen(command, "w");
	assert_true(file && fwrite(s.text, 1, s.size, file) == s.size && pclose(file) == 0);
	file = fopen(plain, "r");
	assert_non_null(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	unlink(plain);
	assert_int_equal(s.p->zone_count + nodes[1] + 1, located[3]);
	assert_int_equal(dot, located[7] - 1);
	assert_non_null(memmem(bytes, size, located, sizeof(located)));
	end(&s);
}

/* ---- single calls */

/* b has no length, and lies where x ends and y begins: its node says in which of them it was. */
static void calls_without_length_are_inside_of_their_callers(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain x 1 1 1\nmain y 1 1 1\nmain y/b 0 1 0\nmain b 0 1 0\n");
	put(&s, TRANSITION_START, NULL, 4);
	put(&s, TRANSITION_ENTER, "b", 5);
	put(&s, TRANSITION_LEAVE, "b", 5);
	put(&s, TRANSITION_ENTER, "x", 10);
	put(&s, TRANSITION_LEAVE, "x", 20000);
	put(&s, TRANSITION_ENTER, "y", 20000);
	put(&s, TRANSITION_ENTER, "y/b", 20000);
	put(&s, TRANSITION_LEAVE, "y/b", 20000);
	put(&s, TRANSITION_LEAVE, "y", 30999);
	put(&s, TRANSITION_END, NULL, 31000);
	s.p->now_tick = 31000;
	assert_string_equal(written(&s, FILE_VISUALISER), "T 1 main\nF 1 3 b\nS 1 3 0\nE 1 3 0\nF 1 1 x\nS 1 1 0\nE 1 1 20\nF 1 2 y\n"
							  "S 1 2 20\nS 1 3 20\nE 1 3 20\nE 1 2 30\n");
	assert_string_equal(s.foreign.said, "times are cut to whole microseconds");
	end(&s);
}

/* All at one tick, as where ticks are microseconds: each inner call is inside of its own caller, whichever is open first. */
static void calls_of_one_tick_are_all_there(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain x 1 1 1\nmain x/b 0 1 0\nmain x/b/e 0 1 0\nmain y 1 1 1\nmain y/c 0 1 0\nmain y/c/d 0 1 0\n");
	s.p->ticks_per_s = 1000000;
	put(&s, TRANSITION_START, NULL, 5);
	put(&s, TRANSITION_ENTER, "x", 10);
	put(&s, TRANSITION_ENTER, "x/b", 10);
	put(&s, TRANSITION_ENTER, "x/b/e", 10);
	put(&s, TRANSITION_LEAVE, "x/b/e", 10);
	put(&s, TRANSITION_LEAVE, "x/b", 10);
	put(&s, TRANSITION_LEAVE, "x", 10);
	put(&s, TRANSITION_ENTER, "y", 10);
	put(&s, TRANSITION_ENTER, "y/c", 10);
	put(&s, TRANSITION_ENTER, "y/c/d", 10);
	put(&s, TRANSITION_LEAVE, "y/c/d", 10);
	put(&s, TRANSITION_LEAVE, "y/c", 20);
	put(&s, TRANSITION_ENTER, "y/c", 30);
	put(&s, TRANSITION_LEAVE, "y/c", 30);
	put(&s, TRANSITION_LEAVE, "y", 40);
	put(&s, TRANSITION_END, NULL, 41);
	s.p->now_tick = 41;
	assert_string_equal(written(&s, FILE_VISUALISER),
			    "T 1 main\nF 1 1 x\nS 1 1 10\nF 1 2 b\nS 1 2 10\nF 1 3 e\nS 1 3 10\nE 1 3 10\nE 1 2 10\nE 1 1 10\n"
			    "F 1 4 y\nS 1 4 10\nF 1 5 c\nS 1 5 10\nF 1 6 d\nS 1 6 10\nE 1 6 10\nE 1 5 20\nS 1 5 30\nE 1 5 30\nE 1 4 40\n");
	end(&s);
}

/* It ends where its thread did, which is no end of its own: that is said. */
static void a_call_that_was_never_left_is_said(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain x 1 1 1\n");
	s.p->ticks_per_s = 1000000;
	put(&s, TRANSITION_START, NULL, 5);
	put(&s, TRANSITION_ENTER, "x", 10);
	put(&s, TRANSITION_END, NULL, 41);
	s.p->now_tick = 50;
	assert_string_equal(written(&s, FILE_VISUALISER), "T 1 main\nF 1 1 x\nS 1 1 10\nE 1 1 41\n");
	assert_non_null(strstr(s.foreign.said, "1 call that was open when its thread ended ends there"));
	end(&s);
}

/* A call at the edge is not in the window without its caller; calls behind it are. */
static void calls_at_the_edge_of_a_window_go_with_their_callers(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain x 1 1 1\nmain x/b 0 1 0\nmain y 1 1 1\nmain y/c 0 1 0\n");
	s.p->ticks_per_s = 1000000;
	put(&s, TRANSITION_START, NULL, 5);
	put(&s, TRANSITION_ENTER, "x", 10);
	put(&s, TRANSITION_ENTER, "x/b", 20);
	put(&s, TRANSITION_LEAVE, "x/b", 20);
	put(&s, TRANSITION_LEAVE, "x", 20);
	put(&s, TRANSITION_ENTER, "y", 20);
	put(&s, TRANSITION_ENTER, "y/c", 20);
	put(&s, TRANSITION_LEAVE, "y/c", 20);
	put(&s, TRANSITION_ENTER, "y/c", 25);
	put(&s, TRANSITION_LEAVE, "y/c", 26);
	put(&s, TRANSITION_LEAVE, "y", 30);
	put(&s, TRANSITION_END, NULL, 41);
	s.p->now_tick = 41;
	s.foreign.whole = false;
	s.foreign.from = 20;
	s.foreign.to = 40;
	assert_string_equal(written(&s, FILE_VISUALISER), "T 1 main\nF 1 3 y\nS 1 3 20\nF 1 4 c\nS 1 4 20\nE 1 4 20\nS 1 4 25\n"
							  "E 1 4 26\nE 1 3 30\n");
	end(&s);
}

static void a_window_cuts_what_reaches_over_it(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain a 1 1 1\nmain a/b 1 1 1\n");
	put(&s, TRANSITION_START, NULL, 0);
	put(&s, TRANSITION_ENTER, "a", 1000);
	put(&s, TRANSITION_ENTER, "a/b", 2000);
	put(&s, TRANSITION_LEAVE, "a/b", 3000);
	put(&s, TRANSITION_ENTER, "a/b", 5000);
	put(&s, TRANSITION_LEAVE, "a/b", 8000);
	put(&s, TRANSITION_ENTER, "a/b", 8500);
	s.p->now_tick = 9000;
	s.foreign.whole = false;
	s.foreign.from = 4000;
	s.foreign.to = 7000;
	assert_string_equal(written(&s, FILE_VISUALISER), "T 1 main\nF 1 1 a\nS 1 1 4\nF 1 2 b\nS 1 2 5\nE 1 2 7\nE 1 1 7\n");
	assert_string_equal(s.foreign.said, "2 calls that exceed the covered time are cut");
	s.foreign.to = 9000;
	s.foreign.from = 8000; /* and calls that still run are not ended */
	assert_string_equal(written(&s, FILE_VISUALISER), "T 1 main\nF 1 1 a\nS 1 1 8\nF 1 2 b\nS 1 2 8\n");
	end(&s);
}

/* The numbers of a file that perf_timer wrote: threads and times of 64 bits, frames, names of any bytes. */
static void numbers_of_64_bits_are_exact(void **state)
{
	struct stage s;
	uint32_t thread, node;
	const int64_t at = INT64_C(1609044830711675393);

	(void)state;
	begin(&s, "main . 1\n");
	thread = profile_add_thread(s.p, UINT64_MAX - 1, 0, "far");
	node = profile_add_node(s.p, s.p->threads[thread].root, profile_add_zone(s.p, "a\"\\\n\x1b\xE2\x80\xAE", "", 0, 0));
	assert_true(profile_add_frame(s.p, 7, at - 10, 20, 0));
	assert_true(profile_set_part(s.p, 7, &(struct profile_part){ .thread = thread, .first_frame = 7, .bound = at - 10, .end = at,
		.cell_count = 1, .cells = &(struct profile_cell){ .node = node, .self = 10, .count = 1, .longest = 10 } }));
	s.list = transitions_of(s.t, 2, thread);
	assert_true(transitions_add(s.t, s.list, (struct transition){ at - 10, 0, TRANSITION_START }));
	assert_true(transitions_add(s.t, s.list, (struct transition){ at - 10, node, TRANSITION_ENTER }));
	assert_true(transitions_add(s.t, s.list, (struct transition){ at, node, TRANSITION_LEAVE }));
	assert_true(transitions_add(s.t, s.list, (struct transition){ at + 10, node, TRANSITION_ENTER }));
	assert_true(profile_add_instant(s.p, at + 1, thread, PROFILE_NONE, "n\xFF", false));
	s.p->now_tick = at + 11;
	assert_string_equal(written(&s, FILE_PERF_TIMER),
			    "[\n[0,18446744073709551614,7,1609044830711675383,\"a\\\"\\\\\\u000a\\u001b\\u202e\"]\n"
			    ",[1,18446744073709551614,7,1609044830711675393,\"a\\\"\\\\\\u000a\\u001b\\u202e\"]\n"
			    ",[2,18446744073709551614,7,1609044830711675394,\"n\\\\xFF\"]\n"
			    ",[0,18446744073709551614,-1,1609044830711675403,\"a\\\"\\\\\\u000a\\u001b\\u202e\"]]\n");
	assert_string_equal(s.foreign.said, "bytes that are not UTF-8 appear as \\xNN in names");
	assert_non_null(strstr(written(&s, FILE_TABLE_FLAT), "\na\"\\\\x0A\\x1B\\xE2\\x80\\xAE ")); /* as on a screen */
	written(&s, FILE_PERF_BINARY);
	assert_int_equal(s.size, 8 + 4 * 23 + 3 * 8 + 2);
	assert_memory_equal(s.text, "\x57\xFA\0\0\4\0\0\0\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\7\0\0\0", 21);
	assert_memory_equal(s.text + s.size - 31, "\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 13);
	end(&s);
}

/* Readers have doubles: times count from the run where they would be too large. */
static void times_that_no_double_holds_count_from_the_run(void **state)
{
	struct stage s;
	const int64_t far = (INT64_C(1) << 53) + 1000;

	(void)state;
	begin(&s, "main . 1\nmain a 1 1 1\n");
	put(&s, TRANSITION_START, NULL, far);
	put(&s, TRANSITION_ENTER, "a", far + 1234);
	put(&s, TRANSITION_LEAVE, "a", far + 5678);
	put(&s, TRANSITION_END, NULL, far + 6000);
	s.p->first_tick = s.foreign.from = far;
	s.p->now_tick = s.foreign.to = far + 6000;
	assert_non_null(strstr(written(&s, FILE_CHROME), "\"ts\":1.234,\"name\":\"a\""));
	assert_non_null(strstr(s.text, "\"ts\":5.678,"));
	assert_non_null(strstr(s.text, "\"zero_ns\":\"9007199254741992\""));
	assert_string_equal(s.foreign.said, "times count from 9007199254741992 ns, because readers use doubles");
	assert_non_null(strstr(written(&s, FILE_SPEEDSCOPE), "\"startValue\":1234,\"endValue\":5678,"));
	end(&s);
}

/* Each tick is a second, and 63 bits hold 9,223,372,036 seconds in ns. */
static void sums_of_ns_do_not_run_over(void **state)
{
	static const enum file_kind tables[] = { FILE_TABLE_FLAT, FILE_TABLE_TREE };
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain a 6000000000 1 1\nmain a/b 6000000000 1 1\nmain a/c 6000000000 1 1\nother a 0 0 0\n");
	s.p->ticks_per_s = 1;
	assert_non_null(strstr(written(&s, FILE_CALLGRIND), "\nsummary: 9223372036854775807\n"));
	assert_non_null(strstr(s.text, "\ncfn=(2) a\ncalls=1 0\n0 9223372036854775807\n"));
	assert_non_null(strstr(s.text, "\ntotals: 9223372036854775807\n"));
	assert_null(strchr(s.text, '-'));
	for (uint32_t thread = 0; thread < 2; thread++) {
		uint32_t node = dsl_node(s.p, thread ? "other" : "main", "a");

		s.list = transitions_of(s.t, thread + 1, thread);
		put(&s, TRANSITION_START, NULL, 0);
		assert_true(transitions_add(s.t, s.list, (struct transition){ 1, node, TRANSITION_ENTER }));
		assert_true(transitions_add(s.t, s.list, (struct transition){ 6000000001, node, TRANSITION_LEAVE }));
	}
	s.p->now_tick = 6000000002;
	for (int i = 0; i < 2; i++) {
		const char *all = strstr(written(&s, tables[i]), "CUMULATIVE");

		assert_non_null(all);
		assert_non_null(strstr(all, "  9223372036854.775807  9223372036854.775807          2  6000000000000.000000"));
		assert_null(strstr(all, " -"));
	}
	end(&s);
}

static void what_is_not_known_is_said(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "main . 1\nmain a 1 1 1\nmain a/b 1 1 1\n");
	put(&s, TRANSITION_LEAVE, "a/b", 1000);
	put(&s, TRANSITION_ENTER, "a/b", 1200);
	put(&s, TRANSITION_LEAVE, "a/b", 1500);
	put(&s, TRANSITION_GAP, NULL, 2000);
	put(&s, TRANSITION_ENTER, "a/b", 3000);
	s.p->now_tick = 4000;
	written(&s, FILE_SPEEDSCOPE);
	assert_string_equal(s.foreign.said, "2 calls began before the known time and are cut; 1 call whose end is not known ends "
					  "with the known time; 2 unfinished calls are closed at the end");
	s.foreign.from = 5000;
	s.foreign.to = 6000;
	s.foreign.whole = false;
	written(&s, FILE_VISUALISER);
	assert_string_equal(s.foreign.said, "no single calls are known here; folded, pprof and html have totals (not with --from or --to)");
	end(&s);
}

/* A counter's value as the window begins, and what it was in it; of a real one nothing where there are integers alone. */
static void counters_are_those_of_the_window(void **state)
{
	struct stage s;
	uint32_t counter, track, real;

	(void)state;
	begin(&s, "main . 1\n");
	counter = profile_add_counter(s.p, "n", false, true);
	track = profile_add_track(s.p, counter, PROFILE_NONE, 0);
	for (int i = 1; i <= 4; i++)
		assert_true(profile_add_change(s.p, track, &(struct profile_change){ .tick = i * 1000, .last.whole = -i,
									      .least.whole = i == 3 ? -7 : -i, .most.whole = -i }));
	real = profile_add_counter(s.p, "r", true, true);
	track = profile_add_track(s.p, real, PROFILE_NONE, 0);
	assert_true(profile_add_change(s.p, track, &(struct profile_change){ .tick = 2500, .last.real = 0.125, .least.real = 0.125,
								      .most.real = 0.125 }));
	s.foreign.whole = false;
	s.foreign.from = 2500;
	s.foreign.to = 3500;
	assert_string_equal(written(&s, FILE_VISUALISER), "T 1 main\nC 0 n\nD 0 2 -2\nD 0 3 -7\nD 0 3 -3\n");
	assert_non_null(strstr(s.foreign.said, "1 counter with fractions is left out"));
	assert_non_null(strstr(written(&s, FILE_CHROME), "\"ts\":2.500,\"name\":\"r\",\"args\":{\"value\":0.125}"));
	end(&s);
}

static void a_full_disk_is_no_file(void **state)
{
	struct stage s;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	setvbuf(full, NULL, _IONBF, 0);
	begin(&s, "main . 1\nmain a 1 1 1\n");
	put(&s, TRANSITION_ENTER, "a", 10);
	written(&s, FILE_CHROME);
	for (enum file_kind kind = 0; kind < FILE_KINDS; kind++)
		if (file_kinds[kind].form == FILE_EVENTS || file_kinds[kind].form == FILE_SUMS)
			assert_false(foreign_write(&s.foreign, kind, full));
	fclose(full);
	end(&s);
}

/* ---- who waits for it */

#define CALLS 4000

struct waiting {
	uint64_t asked, until, done, all;
};

static bool goes_on(void *context, uint64_t done, uint64_t all)
{
	struct waiting *w = context;

	assert_true(done > w->done);
	w->done = done;
	w->all = all;
	return ++w->asked < w->until;
}

/* The share says at its end that all is done; and who is no longer wanted ends with the next piece. */
static void a_file_that_takes_long_is_watched(void **state)
{
	FILE *null = fopen("/dev/null", "w");
	struct stage s;

	(void)state;
	assert_non_null(null);
	begin(&s, "main . 1\nmain a 1 1 1\n");
	s.t->most = CALLS * 2;
	for (int i = 0; i < CALLS; i++) {
		put(&s, TRANSITION_ENTER, "a", 10 * i);
		put(&s, TRANSITION_LEAVE, "a", 10 * i + 5);
	}
	s.p->now_tick = 10 * CALLS;
	for (enum file_kind kind = 0; kind < FILE_KINDS; kind++) {
		uint64_t rounds = kind == FILE_PERF_BINARY || kind == FILE_SPEEDSCOPE ? 2 : 1;
		struct waiting w = { .until = UINT64_MAX };

		if (file_kinds[kind].form != FILE_EVENTS)
			continue;
		s.foreign.goes_on = goes_on;
		s.foreign.context = &w;
		written(&s, kind);
		assert_int_equal(w.all, rounds * 2 * CALLS);
		assert_true(w.asked >= 7 * rounds && w.done <= w.all + 10);
		w = (struct waiting){ .until = 3 };
		assert_false(foreign_write(&s.foreign, kind, null));
		assert_true(s.foreign.stopped && !s.foreign.no_memory);
		assert_int_equal(w.asked, 3);
	}
	fclose(null);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounded_times_of_a_zone_are_together_what_the_zone_has),
		cmocka_unit_test(names_that_a_stack_cannot_hold_are_escaped),
		cmocka_unit_test(zones_of_one_name_have_their_places),
		cmocka_unit_test(a_zone_that_calls_itself_costs_its_time_once),
		cmocka_unit_test(samples_have_lines),
		cmocka_unit_test(calls_that_are_not_known_are_not_guessed_in_silence),
		cmocka_unit_test(calls_without_length_are_inside_of_their_callers),
		cmocka_unit_test(calls_of_one_tick_are_all_there),
		cmocka_unit_test(a_call_that_was_never_left_is_said),
		cmocka_unit_test(calls_at_the_edge_of_a_window_go_with_their_callers),
		cmocka_unit_test(a_window_cuts_what_reaches_over_it),
		cmocka_unit_test(numbers_of_64_bits_are_exact),
		cmocka_unit_test(times_that_no_double_holds_count_from_the_run),
		cmocka_unit_test(sums_of_ns_do_not_run_over),
		cmocka_unit_test(what_is_not_known_is_said),
		cmocka_unit_test(counters_are_those_of_the_window),
		cmocka_unit_test(a_full_disk_is_no_file),
		cmocka_unit_test(a_file_that_takes_long_is_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

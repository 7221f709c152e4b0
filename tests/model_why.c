/* SPDX-License-Identifier: MIT */
/* Why: the difference between two frames, split into calls and what a call costs, and where it is carried. */
#include <inttypes.h>

#include "model/stats/base_frame.h"
#include "model/stats/why_inside.h"
#include "tests/long.h"
#include "tests/model_random.h"

/* Text */

static void print_path(FILE *out, const struct profile *p, uint32_t node)
{
	uint32_t path[64], n = 0;

	for (; p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent)
		path[n++] = p->nodes[node].zone;
	fputs(n ? "" : ".", out);
	while (n-- > 0)
		fprintf(out, "%s%s", p->zones[path[n]].name, n ? "/" : "");
}

static void print_row(FILE *out, const struct why_side *base, const struct why_side *now, const struct why *w,
		      const struct why_row *r)
{
	const struct why_stack *s = &w->stacks[r->stack];

	fputs("  ", out);
	if (s->node != PROFILE_NONE)
		print_path(out, now->p, s->node);
	else
		print_path(out, base->p, s->base_node);
	fprintf(out, " %+lld", (long long)r->delta);
	if (r->calls)
		fprintf(out, " calls %+lld", (long long)r->calls);
	if (r->cost)
		fprintf(out, " cost %+lld", (long long)r->cost);
	if (r->carried)
		fprintf(out, " carried %+lld", (long long)r->carried);
	if (r->kind == WHY_NEW || r->kind == WHY_GONE)
		fprintf(out, " %s", why_kind_names[r->kind]);
	if (r->count || r->base_count)
		fprintf(out, " (%lld > %lld)", (long long)r->base_count, (long long)r->count);
	fputc('\n', out);
}

static char *print_why(const struct why_side *base, const struct why_side *now, const struct why *w)
{
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t i = 0; i < w->thread_count; i++) {
		const struct why_thread *t = &w->threads[i];
		const char *name = t->thread != PROFILE_NONE ? now->p->threads[t->thread].name
							     : base->p->threads[t->base_thread].name;

		fprintf(out, "%s %+lld", name, (long long)t->delta);
		if (t->sum != t->delta)
			fprintf(out, " sum %+lld", (long long)t->sum);
		if (t->waiting)
			fprintf(out, " waiting %+lld", (long long)t->waiting);
		fputc('\n', out);
		for (uint32_t k = 0; k < t->count; k++)
			print_row(out, base, now, w, &t->rows[k]);
	}
	fclose(out);
	return text;
}

static struct values *frame_values_of(const struct profile *p, uint64_t number)
{
	struct values *v = values_of_frames(p, profile_frame_index(p, number), 1);

	assert_non_null(v);
	return v;
}

static struct why *why_of_threads(const struct why_side *base, const struct why_side *now, uint32_t threads)
{
	return why_make(base, now, &(struct why_options){ .threads = threads });
}

/* Frame `n` of the one profile against frame `base` of the other. */
static void expect_rows(const struct profile *base_p, uint64_t base_n, const struct profile *p, uint64_t n,
			const struct why_options *options, const char *expected)
{
	struct why_side base = { base_p, frame_values_of(base_p, base_n) };
	struct why_side now = { p, frame_values_of(p, n) };
	struct why *w = why_make(&base, &now, options);
	char *text;

	assert_non_null(w);
	text = print_why(&base, &now, w);
	if (strcmp(text, expected) != 0)
		fail_msg("expected:\n%sgot:\n%s", expected, text);
	free(text);
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
}

static void expect_between(const struct profile *base_p, uint64_t base_n, const struct profile *p, uint64_t n,
			   const char *expected)
{
	expect_rows(base_p, base_n, p, n, &(struct why_options){ .threads = THREADS_ALL }, expected);
}

static void expect_by(const char *profile, bool by_zone, bool spread, const char *expected)
{
	struct profile *p = dsl_profile(profile);

	p->threads[0].marking = true;
	expect_rows(p, 1, p, 2, &(struct why_options){ THREADS_ALL, by_zone, spread }, expected);
	profile_free(p);
}

static void expect_why(const char *profile, const char *expected)
{
	expect_by(profile, false, false, expected);
}

/* One zone */

static void more_calls_are_told_from_dearer_ones(void **state)
{
	(void)state;
	expect_why("frame 1 100\n"
		   "main . 40\n"
		   "main a 60 6\n"
		   "frame 2 220\n"
		   "main . 40\n"
		   "main a 180 9\n",
		   "main +120\n"
		   "  a +120 calls +30 cost +90 (6 > 9)\n");
}

static void fewer_calls_that_are_cheaper(void **state)
{
	(void)state;
	expect_why("frame 1 100\nmain a 100 10\n"
		   "frame 2 40\nmain a 40 5\n",
		   "main -60\n"
		   "  a -60 calls -50 cost -10 (10 > 5)\n");
}

static void what_does_not_divide_is_cost(void **state)
{
	(void)state;
	expect_why("frame 1 100\nmain a 100 7\n"
		   "frame 2 300\nmain a 300 9\n",
		   "main +200\n"
		   "  a +200 calls +28 cost +172 (7 > 9)\n");
}

static void a_new_zone_is_all_calls(void **state)
{
	(void)state;
	expect_why("frame 1 10\nmain . 10\n"
		   "frame 2 60\nmain . 20\nmain a 40 2\n",
		   "main +50\n"
		   "  a +40 calls +40 new (0 > 2)\n"
		   "  . +10 carried +10\n");
}

/* A selection by name has the threads that only the base has, too. */
static void threads_of_a_name_that_are_gone(void **state)
{
	struct profile *before = dsl_profile("frame 1 100\nmain a 100 1\nworker b 30 1\nother c 20 1\nlast d 10 1\n");
	struct profile *p = dsl_profile("frame 1 100\nmain a 100 1\nworker b 50 1\n");
	struct why_side base = { before, frame_values_of(before, 1) }, now = { p, frame_values_of(p, 1) };
	struct why *w;
	char *text;

	(void)state;
	assert_int_equal(profile_add_thread(before, before->threads[2].id, 0, "worker"), 2);
	w = why_of_threads(&base, &now, THREADS_NAMED(1));
	assert_non_null(w);
	text = print_why(&base, &now, w);
	assert_string_equal(text, "worker +20\n  b +20 cost +20 (1 > 1)\n"
				  "worker -20\n  c -20 calls -20 gone (1 > 0)\n");
	free(text);
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
	profile_free(before);
	profile_free(p);
}

static void a_zone_that_is_gone_is_all_calls(void **state)
{
	(void)state;
	expect_why("frame 1 40\nmain a 30 3\nmain . 10\n"
		   "frame 2 10\nmain . 10\n",
		   "main -30\n"
		   "  a -30 calls -30 gone (3 > 0)\n");
}

static void time_without_an_entry_is_carried(void **state)
{
	(void)state;
	expect_why("frame 1 40\nmain a 30 1\nmain . 10\n"
		   "frame 2 100\nmain a 100 0\n",
		   "main +60\n"
		   "  a +70 carried +70 (1 > 0)\n"
		   "  . -10 carried -10\n");
	expect_why("frame 1 40\nmain a 40 0\n"
		   "frame 2 100\nmain a 100 2\n",
		   "main +60\n"
		   "  a +60 carried +60 (0 > 2)\n");
}

static void an_entry_without_time_is_no_more_than_that(void **state)
{
	(void)state;
	expect_why("frame 1 10\nmain . 10\nmain a 0 1\n"
		   "frame 2 30\nmain . 10\nmain a 20 2\n",
		   "main +20\n"
		   "  a +20 cost +20 (1 > 2)\n");
}

#define RECURSIVE                                                                                            \
	"frame 1 60\nmain a 10 1\nmain a/b 20 2\nmain a/b/a 30 3\n"                                          \
	"frame 2 97\nmain a 10 1\nmain a/b 40 4\nmain a/b/a 40 3\nmain a/b/a/b 7 1\n"

static void mutual_recursion_has_a_row_a_stack(void **state)
{
	(void)state;
	expect_by(RECURSIVE, false, true,
		  "main +37\n"
		  "  a/b +20 calls +20 (2 > 4)\n"
		  "  a/b/a +10 cost +10 (3 > 3)\n"
		  "  a/b/a/b +7 calls +7 new (0 > 1)\n");
}

static void a_zone_inside_itself_is_where_it_was_first_entered(void **state)
{
	(void)state;
	expect_by(RECURSIVE, false, false,
		  "main +37\n"
		  "  a/b +27 calls +30 cost -3 (2 > 5)\n"
		  "  a +10 cost +10 (4 > 4)\n");
	expect_by("frame 1 9\nmain a/b/a/c 9 1\nframe 2 30\nmain a/b/a/c 10 1\nmain a/c 20 1\n", false, false,
		  "main +21\n"
		  "  a/b/a/c +21 calls +9 cost +12 (1 > 2)\n");
}

static void rows_are_zones_where_that_is_asked(void **state)
{
	(void)state;
	expect_by(RECURSIVE "main c/b 1 1\n", true, false,
		  "main +38\n"
		  "  a/b +28 calls +40 cost -12 (2 > 6)\n"
		  "  a +10 cost +10 (4 > 4)\n");
	expect_by(RECURSIVE, true, true,
		  "main +37\n"
		  "  a/b +20 calls +20 (2 > 4)\n"
		  "  a/b/a +10 cost +10 (3 > 3)\n"
		  "  a/b/a/b +7 calls +7 new (0 > 1)\n");
}

static void expect_text(const char *profile, bool by_zone, bool spread, enum why_callers callers,
			const char *const *expected)
{
	struct profile *p = dsl_profile(profile);
	struct why_side base = { p, frame_values_of(p, 1) }, now = { p, frame_values_of(p, 2) };
	struct why *w = why_make(&base, &now, &(struct why_options){ THREADS_ALL, by_zone, spread });

	for (uint32_t i = 0; expected[i]; i++) {
		char *text;

		assert_true(i < w->threads[0].count);
		text = why_stack_text(w, &w->threads[0].rows[i], callers, true);
		assert_string_equal(text, expected[i]);
		free(text);
	}
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
	profile_free(p);
}

/* Private zones of one name are told apart by line, and by as much of their
 * files as is needed. */
static void zones_of_one_name_have_their_places(void **state)
{
	static const char profile[] = "frame 1 90\nframe 2 90\nmain load@x.c:4/leaf@m.c:3 30 1\n"
				      "main load@y.c:4/leaf@m.c:3 20 1\nmain load@y.c:5 9 1\nmain load 5 1\n";

	(void)state;
	expect_text(profile, false, false, WHY_TOLD,
		    (const char *const[]){ "leaf < load (x.c:4)", "leaf < load (y.c:4)", "load (y.c:5)", "load", NULL });
	expect_text(profile, true, false, WHY_TOLD, (const char *const[]){ "leaf", "load (y.c:5)", "load", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain a@f.c:1/a@f.c:1 9 1\nmain a@f.c:2 5 1\n", false, true, WHY_ALL,
		    (const char *const[]){ "a(2) (f.c:1)", "a (f.c:2)", NULL });
}

/* A zone that both runs have is one zone, and a name that no other zone has needs no place. */
static void a_zone_of_two_profiles_has_no_place(void **state)
{
	struct profile *before = dsl_profile("main load@x.c:4 10 1\n"), *after = dsl_profile("main load@x.c:4 30 1\n");
	struct why_side base = { before, values_of_run(before) }, now = { after, values_of_run(after) };
	struct why *w = why_make(&base, &now, &(struct why_options){ .threads = THREADS_ALL });
	char *text = why_stack_text(w, &w->threads[0].rows[0], WHY_ALL, true);

	(void)state;
	assert_string_equal(text, "load");
	free(text);
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
	profile_free(before);
	profile_free(after);
}

/* Zones of one name that moved to another file between two runs: some are gone,
 * the others are new. */
static void zones_of_two_profiles_have_their_places(void **state)
{
	static const char *const expected[] = { "load (y.c:9)", "load (y.c:4)", "load (x.c:9)", "load (x.c:4)" };
	struct profile *before = dsl_profile("main load@x.c:4 10 1\nmain load@x.c:9 20 1\n");
	struct profile *after = dsl_profile("main load@y.c:4 30 1\nmain load@y.c:9 40 1\n");
	struct why_side base = { before, values_of_run(before) }, now = { after, values_of_run(after) };
	struct why *w = why_make(&base, &now, &(struct why_options){ .threads = THREADS_ALL });

	(void)state;
	assert_int_equal(w->threads[0].count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		char *text = why_stack_text(w, &w->threads[0].rows[i], WHY_ALL, true);

		assert_string_equal(text, expected[i]);
		free(text);
	}
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
	profile_free(before);
	profile_free(after);
}

static void a_long_stack_keeps_what_tells_it_from_others(void **state)
{
	static const char profile[] = "frame 1 60\nframe 2 60\nmain m/x/c/b/a 30 1\nmain m/y/c/b/a 20 1\nmain m/x/c 9 1\n"
				      "main m 1 1\n";

	(void)state;
	expect_text(profile, false, false, WHY_ALL,
		    (const char *const[]){ "a < b < c < x < m", "a < b < c < y < m", "c < x < m", "m", NULL });
	expect_text(profile, false, false, WHY_TOLD,
		    (const char *const[]){ "a < ... < x < m", "a < ... < y < m", "c < x < m", "m", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain d/c/b/a 9 1\nmain c/b/a 5 1\n", false, false, WHY_TOLD,
		    (const char *const[]){ "a < ... < d", "a < b < c", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain m/x/b/a 9 1\nmain m/y/b/a 5 1\n", false, false, WHY_TOLD,
		    (const char *const[]){ "a < b < x < m", "a < b < y < m", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain m/x/b/a 9 1\nmain m/y/b/a 5 1\n", false, false, WHY_DOTS,
		    (const char *const[]){ "a < ... < x < m", "a < ... < y < m", NULL });
}

/* A stack names the callers at which another stack differs from it, wherever that is. */
static void stacks_that_part_at_several_places_are_told_apart(void **state)
{
	static const char profile[] = "frame 1 60\nframe 2 60\n"
				      "main m/p/x/c/b/a 30 1\nmain m/p/y/c/b/a 20 1\n"
				      "main m/p/x/d/b/a 19 1\nmain m/p/x/e/f/g/h/a 18 1\nmain n/p/y/c/b/a 17 1\n";

	(void)state;
	expect_text(profile, false, false, WHY_TOLD,
		    (const char *const[]){ "a < b < c < x < p < m", "a < b < c < y < p < m", "a < b < d < x < p < m",
					   "a < h < g < f < e < x < p < m", "a < b < c < y < p < n", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain m/w/x/y/z/b/a 9 1\nmain n/w/x/y/z/b/a 8 1\nmain m/w/x/y/z/c/a 7 1\n"
		    "main n/w/x/y/z/c/a 6 1\n", false, false, WHY_TOLD,
		    (const char *const[]){ "a < b < ... < m", "a < b < ... < n", "a < c < ... < m", "a < c < ... < n", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain r/q/p/r/q/p/a 9 1\nmain r/q/p/a 8 1\n", false, true, WHY_TOLD,
		    (const char *const[]){ "a < p(2) < q(2) < r(2) < p < q < r", "a < p < q < r", NULL });
}

static void recursion_is_told_in_the_stack(void **state)
{
	static const char profile[] = "frame 1 60\nframe 2 60\nmain a 9 1\nmain a/a/a/b 8 1\n";

	(void)state;
	expect_text(profile, false, true, WHY_ALL, (const char *const[]){ "a", "b < a(3)", NULL });
	expect_text(profile, false, false, WHY_ALL, (const char *const[]){ "a", "b < a", NULL });
	expect_text("frame 1 60\nframe 2 60\nmain a 9 1\nmain a/a 8 1\n", true, true, WHY_ALL,
		    (const char *const[]){ "a", "a(2)", NULL });
}

static void a_zone_that_waits_is_a_row_too(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	p->zones[1].flags |= ZONE_WAITING;
	dsl_grow(p, "frame 1 100\nmain . 20\nmain vsync 80 1\n"
		    "frame 2 150\nmain . 140\nmain vsync 10 1\n");
	p->threads[0].marking = true;
	expect_between(p, 1, p, 2,
		       "main +50 waiting -70\n"
		       "  . +120 carried +120\n"
		       "  vsync -70 cost -70 (1 > 1)\n");
	profile_free(p);
}

static void most_of_it_is_waiting_where_it_is_more_than_half(void **state)
{
	static const struct {
		int64_t delta, waiting;
		bool is;
	} cases[] = {
		{ 0, 0, false }, { 10, 0, false }, { 10, 5, false }, { 10, 6, true }, { 10, 20, true }, { 10, -6, true },
		{ 10, -5, false }, { -10, -6, true }, { -10, 6, true }, { 0, -6, true }, { INT64_MIN, INT64_MIN, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct why_thread t = { .delta = cases[i].delta, .waiting = cases[i].waiting };

		assert_int_equal(why_is_waiting(&t), cases[i].is);
	}
}

/* `32 shorter, 218 of it waiting` is nonsense: what is said to be a part is no more than the whole, and has its sign. */
static void what_is_said_of_waiting_adds_up_to_the_difference(void **state)
{
	(void)state;
	for (int64_t delta = -9; delta <= 9; delta++)
		for (int64_t waiting = -9; waiting <= 9; waiting++) {
			struct why_thread t = { .delta = delta, .waiting = waiting };
			int64_t rest = why_rest(&t), told, told_rest;
			char text[80], amounts[2][24];

			snprintf(amounts[0], sizeof(amounts[0]), "%+d", (int)waiting);
			snprintf(amounts[1], sizeof(amounts[1]), "%+d", (int)rest);
			why_waiting_text(text, sizeof(text), &t, amounts[0], amounts[1]);
			if (strstr(text, "of it")) {
				assert_true(llabs(waiting) + llabs(rest) == llabs(delta));
				continue;
			}
			assert_int_equal(sscanf(text, "waiting %" SCNd64 ", the rest %" SCNd64, &told, &told_rest), 2);
			assert_int_equal(told + told_rest, delta);
			assert_true(llabs(waiting) + llabs(rest) > llabs(delta));
		}
}

static void expect_word(int64_t base_count, int64_t base_self, int64_t count, int64_t self, const char *word)
{
	struct profile *p = dsl_profile("main a 1 1\n");
	struct values *a = values_new(p), *b = values_new(p);
	struct why_side base = { p, a }, now = { p, b };
	struct why *w;

	a->count[1] = base_count;
	a->self[1] = a->time[0] = base_self;
	b->count[1] = count;
	b->self[1] = b->time[0] = self;
	w = why_of_threads(&base, &now, THREADS_ALL);
	assert_string_equal(why_word(w, &w->threads[0].rows[0]), word);
	why_free(w);
	p->zones[p->nodes[1].zone].flags |= ZONE_WAITING;
	w = why_of_threads(&base, &now, THREADS_ALL);
	assert_string_equal(why_word(w, &w->threads[0].rows[0]), self > base_self ? "waited longer" : "waited less");
	why_free(w);
	values_free(a);
	values_free(b);
	profile_free(p);
}

/* The slice of `main` in the frame once more, in which it did not run for so many ns, was preempted so often, and
 * waited for a core for so many ns. */
static void put_off_cpu(struct profile *p, uint64_t number, int64_t off, int64_t times, int64_t delay)
{
	struct profile_measure rows[] = { { .key = "off_cpu", .title = "", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE },
					  { .key = "involuntary", .title = "", .unit = MEASURE_COUNT, .of = MEASURE_OF_SLICE },
					  { .key = "voluntary", .title = "", .unit = MEASURE_COUNT, .of = MEASURE_OF_SLICE },
					  { .key = "run_delay", .title = "", .unit = MEASURE_NS, .of = MEASURE_OF_SLICE } };
	const struct profile_held *held = profile_find_part(profile_find_frame(p, number), dsl_thread(p, "main"));
	int64_t values[] = { off, times, 0, delay };
	struct profile_column columns[4];
	struct profile_cell cells[8];
	uint32_t node = 0;
	struct profile_part part = { .thread = held->thread, .bound = held->bound, .end = held->end, .cells = cells,
				     .cell_count = held->cell_count, .columns = columns, .column_count = 4 };

	for (uint32_t i = 0; i < 4; i++)
		columns[i] = (struct profile_column){ .measure = profile_add_measure(p, &rows[i]), .cell_count = 1, .nodes = &node,
						      .values = &values[i] };
	for (uint32_t i = 0; i < part.cell_count; i++)
		cells[i] = profile_cell(held, i);
	assert_true(profile_set_part(p, number, &part));
}

static struct why *why_of_two(struct profile *p, struct values *values[2])
{
	for (uint32_t i = 0; i < 2; i++)
		values[i] = values_of_frames(p, i, 1);
	return why_of_threads(&(struct why_side){ p, values[0] }, &(struct why_side){ p, values[1] }, THREADS_ALL);
}

/* A zone is not blamed for time in which its thread did not run. */
static void a_thread_that_did_not_run_is_said(void **state)
{
	struct profile *p = dsl_profile("main . 10\nmain a 1200 2 1100\nmain a/b 220 2 110\n"
					"frame 1 310\nmain . 10\nmain a 200 1 200\nmain a/b 100 1 100\n"
					"frame 2 1120\nmain . 0\nmain a 1000 1 1000\nmain a/b 120 1 120\n");
	struct values *values[2];
	char text[OFF_CPU_TEXT], line[WHY_OFF_CPU];
	struct why *w;
	int64_t ns;

	(void)state;
	w = why_of_two(p, values);
	assert_false(why_off_cpu(w, &w->threads[0], &ns)); /* not known */
	assert_string_equal(why_word(w, &w->threads[0].rows[0]), "slower calls");
	for (int i = 0; i < 2; i++)
		values_free(values[i]);
	why_free(w);

	p->ticks_per_s = 1000000000;
	put_off_cpu(p, 1, 5, 0, 2);
	put_off_cpu(p, 2, 95, 3, 90);
	w = why_of_two(p, values);
	assert_true(why_off_cpu(w, &w->threads[0], &ns));
	assert_int_equal(ns, 90);
	off_cpu_text(&w->threads[0].off, &w->threads[0].base_off, true, text);
	assert_string_equal(text, "preempted 3 times, waited 88 ns for a core");
	assert_int_equal(w->threads[0].rows[0].cost, 800);
	assert_string_equal(why_word(w, &w->threads[0].rows[0]), "slower, at most"); /* 90 of 800 is a tenth */
	assert_int_equal(w->threads[0].rows[1].cost, 20);
	assert_string_equal(why_word(w, &w->threads[0].rows[1]), "slower, at most");
	assert_true(why_off_cpu_text(w, &w->threads[0], UNIT_AUTO, 0, true, line));
	assert_string_equal(line, "did not run: +90 ns (preempted 3 times, waited 88 ns for a core)");
	for (int i = 0; i < 2; i++)
		values_free(values[i]);
	why_free(w);

	put_off_cpu(p, 1, 95, 4, 0);
	put_off_cpu(p, 2, 5, 0, 4);
	w = why_of_two(p, values);
	assert_true(why_off_cpu_text(w, &w->threads[0], UNIT_AUTO, 0, true, line));
	assert_string_equal(line, "did not run: -90 ns (before: preempted 4 times)"); /* of the frame in which it did not run */
	for (int i = 0; i < 2; i++)
		values_free(values[i]);
	why_free(w);

	put_off_cpu(p, 1, 5, 0, 0);
	put_off_cpu(p, 2, 65, 1, 1);
	w = why_of_two(p, values);
	assert_true(why_off_cpu(w, &w->threads[0], &ns));
	assert_string_equal(why_word(w, &w->threads[0].rows[0]), "slower calls"); /* 60 of 800 is less */
	assert_string_equal(why_word(w, &w->threads[0].rows[1]), "slower, at most");
	for (int i = 0; i < 2; i++)
		values_free(values[i]);
	why_free(w);

	put_off_cpu(p, 2, 16, 1, 0);
	w = why_of_two(p, values);
	assert_false(why_off_cpu(w, &w->threads[0], &ns)); /* 11 of 1120 is less than a hundredth */
	for (int i = 0; i < 2; i++)
		values_free(values[i]);
	why_free(w);
	profile_free(p);
}

static void a_word_says_what_most_of_it_comes_of(void **state)
{
	(void)state;
	expect_word(10, 100, 20, 210, "more calls");
	expect_word(10, 100, 5, 40, "fewer calls");
	expect_word(10, 100, 5, 400, "slower calls");
	expect_word(10, 100, 11, 60, "faster calls");
	expect_word(10, 100, 15, 225, "more and slower calls"); /* +50 and +75 */
	expect_word(10, 100, 15, 250, "slower calls");          /* +50 and +100: a third is not enough */
	expect_word(10, 100, 6, 30, "fewer and faster calls");  /* -40 and -30 */
	expect_word(10, 100, 15, 90, "faster calls");           /* +50 and -60 */
	expect_word(0, 0, 1, 60, "new");
	expect_word(1, 60, 0, 0, "gone");
	expect_word(1, 60, 0, 10, "carried over");
}

/* Threads */

static void threads_have_sums_of_their_own(void **state)
{
	(void)state;
	expect_why("frame 1 100\nmain a 100 1\nloader b 90 1\naudio c 50 5\n"
		   "frame 2 120\nmain a 120 1\nloader b 40 1\naudio c 150 5\n",
		   "main +20\n"
		   "  a +20 cost +20 (1 > 1)\n"
		   "audio +100\n"
		   "  c +100 cost +100 (5 > 5)\n"
		   "loader -50\n"
		   "  b -50 cost -50 (1 > 1)\n");
}

/* Two frames of one profile, of which `marking` set the last mark. */
static void expect_marked(const char *profile, uint32_t marking, const char *expected)
{
	struct profile *p = dsl_profile(profile);

	p->threads[marking].marking = true;
	expect_between(p, 1, p, 2, expected);
	profile_free(p);
}

/* As it is where a signal handler marks, on whatever thread. */
static void who_was_away_does_not_stand_for_the_frames(void **state)
{
	static const char away[] = "frame 1 100\nmain a 100 1\nlate b 90 0\nother c 100 1\n"
				   "frame 2 120\nmain a 120 1\nother c 120 1\nmarker d 70 1\n";
	static const char for_a_part[] = "frame 1 100\nmain a 100 1\nmarker d 10 1\nframe 2 120\nmain a 120 1\nmarker d 120 2\n";
	static const char nobody_was_there[] = "frame 1 100\nmain a 80 1\nframe 2 120\nmain a 120 1\nmarker d 70 1\n";

	(void)state;
	expect_marked(away, 3, "main +20\n  a +20 cost +20 (1 > 1)\n"
			       "late -90\n  b -90 carried -90\n"
			       "marker +70\n  d +70 calls +70 new (0 > 1)\n"
			       "other +20\n  c +20 cost +20 (1 > 1)\n");
	expect_marked(away, 2, "other +20\n  c +20 cost +20 (1 > 1)\n"
			       "late -90\n  b -90 carried -90\n"
			       "marker +70\n  d +70 calls +70 new (0 > 1)\n"
			       "main +20\n  a +20 cost +20 (1 > 1)\n");
	expect_marked(for_a_part, 1, "main +20\n  a +20 cost +20 (1 > 1)\n"
				     "marker +110\n  d +110 calls +10 cost +100 (1 > 2)\n");
	expect_marked(nobody_was_there, 1, "marker +70\n  d +70 calls +70 new (0 > 1)\n"
					   "main +40\n  a +40 cost +40 (1 > 1)\n");
}

static void a_thread_without_time_is_left_out(void **state)
{
	(void)state;
	expect_why("main . 5\nended z 100 1\n"
		   "frame 1 100\nmain a 100 1\n"
		   "frame 2 100\nmain a 100 1\n",
		   "main +0\n");
}

static void a_missing_part_shows_in_the_sum(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a 100 1\n"
					"frame 2 120\nmain a 120 1\n"
					"frame 3 130\nmain a 90 1\n");
	struct profile_part part = { .thread = 0, .flags = PART_MISSING, .end = 130 };
	struct why_side base, now;
	struct why *w;

	(void)state;
	assert_true(profile_set_part(p, 3, &part));
	p->threads[0].marking = true;
	expect_between(p, 2, p, 3,
		       "main +10 sum -120\n"
		       "  a -120 calls -120 gone (1 > 0)\n");
	base = (struct why_side){ p, frame_values_of(p, 2) };
	now = (struct why_side){ p, frame_values_of(p, 3) };
	w = why_of_threads(&base, &now, 0);
	assert_int_equal(w->incomplete, 1);
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
	profile_free(p);
}

/* Two profiles */

static void two_runs_are_matched_by_what_things_are(void **state)
{
	struct profile *before = dsl_profile("frame 1 200\nmain init@a.c:1 50 1\nmain init@a.c:1/load@b.c:2 50 2\n"
					     "main draw@a.c:9 100 4\nhelper draw@a.c:9 70 7\n");
	struct profile *after = dsl_profile("frame 1 330\nhelper draw@a.c:9 77 7\nmain draw@a.c:9 230 4\n"
					    "main init@a.c:1 50 1\nmain init@a.c:1/save@b.c:5 50 1\n"
					    "other init@a.c:1 5 1\n");

	(void)state;
	before->threads[0].marking = true;
	after->threads[1].marking = true;
	expect_between(before, 1, after, 1,
		       "main +130\n"
		       "  draw +130 cost +130 (4 > 4)\n"
		       "  init/save +50 calls +50 new (0 > 1)\n"
		       "  init/load -50 calls -50 gone (2 > 0)\n"
		       "helper +7\n"
		       "  draw +7 cost +7 (7 > 7)\n"
		       "other +5\n"
		       "  init +5 calls +5 new (0 > 1)\n");
	expect_between(after, 1, before, 1,
		       "main -130\n"
		       "  draw -130 cost -130 (4 > 4)\n"
		       "  init/load +50 calls +50 new (0 > 2)\n"
		       "  init/save -50 calls -50 gone (1 > 0)\n"
		       "helper -7\n"
		       "  draw -7 cost -7 (7 > 7)\n"
		       "other -5\n"
		       "  init -5 calls -5 gone (1 > 0)\n");
	profile_free(before);
	profile_free(after);
}

static void a_zone_whose_line_moved_is_the_same(void **state)
{
	struct profile *before = dsl_profile("frame 1 30\nmain a@f.c:1 10 1\nmain b@f.c:2 10 1\nmain b@g.c:2 10 1\n");
	struct profile *after = dsl_profile("frame 1 35\nmain a@f.c:5 15 1\nmain b@f.c:6 10 1\nmain b@g.c:6 10 1\n");
	struct match *m = match_make(before, after);

	(void)state;
	assert_int_equal(m->zones[0], 0);
	assert_int_equal(m->zones[1], 1);
	assert_int_equal(m->zones[2], PROFILE_NONE); /* which of the two is it? */
	assert_int_equal(m->zones[3], PROFILE_NONE);
	match_free(m);
	profile_free(before);
	profile_free(after);
}

static void ticks_of_another_rate_are_converted(void **state)
{
	struct profile *before = dsl_profile("frame 1 300\nmain a 200 2\nmain . 100\n");
	struct profile *after = dsl_profile("frame 1 130\nmain a 90 2\nmain . 40\n");
	struct why_side base = { before, frame_values_of(before, 1) };
	struct why_side now = { after, frame_values_of(after, 1) };
	struct why *w;

	(void)state;
	before->ticks_per_s = 3000000000;
	w = why_of_threads(&base, &now, THREADS_ALL);
	assert_true(w->rounded);
	assert_true(w->scale > 1);
	assert_int_equal(w->threads[0].delta, 30 * w->scale);
	assert_int_equal(w->threads[0].sum, w->threads[0].delta);
	assert_int_equal(w->threads[0].rows[0].delta, 90 * w->scale - (200 * w->scale + 1) / 3);
	assert_int_equal(w->threads[0].rows[0].count, 2 * w->scale);
	why_free(w);
	before->ticks_per_s = after->ticks_per_s + 1000; /* the same counter, calibrated twice */
	w = why_of_threads(&base, &now, THREADS_ALL);
	assert_false(w->rounded);
	assert_int_equal(w->threads[0].delta, -170);
	why_free(w);
	values_free((struct values *)base.v);
	values_free((struct values *)now.v);
	profile_free(before);
	profile_free(after);
}

/* At random */

struct sides {
	struct why_side base, now;
	uint32_t threads;
};

static int64_t thread_time(const struct why_side *side, uint32_t thread)
{
	return thread != PROFILE_NONE && thread < side->v->thread_count ? side->v->time[thread] : 0;
}

/* The zones of a node's stack, the root's aside; one that is there already takes away what came since. */
static uint32_t folded_stack(const struct profile *p, uint32_t node, uint32_t out[64])
{
	uint32_t path[64], count = 0, length = 0;

	for (; p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent)
		path[count++] = p->nodes[node].zone;
	while (count-- > 0) {
		uint32_t at = 0;

		while (at < length && out[at] != path[count])
			at++;
		out[at] = path[count];
		length = at + 1;
	}
	return length;
}

static uint32_t times_in_stack(const struct profile *p, uint32_t node)
{
	uint32_t zone = p->nodes[node].zone, times = 0;

	for (; node != PROFILE_NONE; node = p->nodes[node].parent)
		times += p->nodes[node].zone == zone;
	return times;
}

/* Whether two nodes are one row. */
static bool is_one_row(const struct why *w, const struct profile *p, uint32_t a, uint32_t b)
{
	uint32_t one[64], other[64], length;

	if (a == b || p->nodes[a].thread != p->nodes[b].thread)
		return a == b;
	if (w->by_zone)
		return p->nodes[a].zone == p->nodes[b].zone &&
		       (!w->spread || times_in_stack(p, a) == times_in_stack(p, b));
	length = folded_stack(p, a, one);
	return !w->spread && folded_stack(p, b, other) == length && !memcmp(one, other, length * sizeof(*one));
}

static void check_row(const struct why *w, const struct sides *s, const struct why_row *r)
{
	int64_t self = 0, before = 0, count = 0, base_count = 0;

	for (uint32_t i = 0; i < s->now.p->node_count; i++) {
		if (!is_one_row(w, s->now.p, i, w->stacks[r->stack].node))
			continue;
		self += s->now.v->self[i];
		before += s->base.v->self[i];
		count += s->now.v->count[i];
		base_count += s->base.v->count[i];
	}
	assert_int_equal(r->delta, r->calls + r->cost + r->carried);
	assert_int_equal(r->delta, r->self - r->base_self);
	assert_int_not_equal(r->delta, 0);
	assert_int_equal(r->self, self * (w->scale / s->now.v->scale));
	assert_int_equal(r->base_self, before * (w->scale / s->base.v->scale));
	assert_int_equal(r->count, count * (w->scale / s->now.v->scale));
	assert_int_equal(r->base_count, base_count * (w->scale / s->base.v->scale));
	if (r->kind == WHY_CHANGED)
		assert_int_equal(r->calls, (int64_t)((__int128)(r->count - r->base_count) * r->base_self /
						     r->base_count));
}

static void check_thread(const struct why *w, const struct sides *s, const struct why_thread *t)
{
	int64_t sum = 0, waiting = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct why_stack *stack = &w->stacks[t->rows[i].stack];

		check_row(w, s, &t->rows[i]);
		sum += t->rows[i].delta;
		if (s->now.p->zones[s->now.p->nodes[stack->node].zone].flags & ZONE_WAITING)
			waiting += t->rows[i].delta;
		if (i)
			assert_true(llabs(t->rows[i].delta) <= llabs(t->rows[i - 1].delta));
	}
	assert_int_equal(waiting, t->waiting);
	assert_int_equal(sum, t->sum);
	assert_int_equal(sum, t->delta);
	assert_int_equal(t->delta, thread_time(&s->now, t->thread) * (w->scale / s->now.v->scale) -
				   thread_time(&s->base, t->base_thread) * (w->scale / s->base.v->scale));
}

static void check_why(const struct why *w, const struct sides *s)
{
	uint32_t marking = profile_marking_thread(s->now.p);

	assert_non_null(w);
	for (uint32_t i = 0; i < w->thread_count; i++) {
		check_thread(w, s, &w->threads[i]);
		assert_true(profile_selects(s->now.p, s->threads, w->threads[i].thread));
	}
	if (profile_selects(s->now.p, s->threads, marking))
		assert_int_equal(w->threads[0].thread, marking);
}

/* Every row of the one is in the other, negated. */
static void check_swapped(const struct why *w, const struct why *back)
{
	assert_int_equal(w->thread_count, back->thread_count);
	for (uint32_t i = 0; i < w->thread_count; i++) {
		const struct why_thread *t = &w->threads[i], *b = back->threads;

		while (b->thread != t->thread)
			b++;
		assert_int_equal(t->delta, -b->delta);
		assert_int_equal(t->waiting, -b->waiting);
		assert_int_equal(t->count, b->count);
		for (uint32_t k = 0; k < t->count; k++) {
			const struct why_row *r = b->rows;

			while (back->stacks[r->stack].node != w->stacks[t->rows[k].stack].node)
				r++;
			assert_int_equal(t->rows[k].delta, -r->delta);
		}
	}
}

static void check_same(const struct why *a, const struct why *b)
{
	assert_int_equal(a->thread_count, b->thread_count);
	assert_int_equal(a->scale, b->scale);
	for (uint32_t i = 0; i < a->thread_count; i++) {
		assert_int_equal(a->threads[i].thread, b->threads[i].thread);
		assert_int_equal(a->threads[i].base_thread, b->threads[i].base_thread);
		assert_int_equal(a->threads[i].delta, b->threads[i].delta);
		assert_int_equal(a->threads[i].count, b->threads[i].count);
		assert_memory_equal(a->threads[i].rows, b->threads[i].rows,
				    a->threads[i].count * sizeof(struct why_row));
	}
}

/* Frames, sums of frames, averages over their number, averages that fade, the whole run. */
static struct values *random_values(const struct profile *p)
{
	struct averages *a = averages_new();
	uint32_t first = random_below(p->frame_count);
	struct values *v;

	assert_true(a && averages_update(a, p));
	switch (random_below(5)) {
	case 0:
		v = values_average(a, p, AVERAGE_SLOW);
		break;
	case 1:
		v = values_of_run(p);
		break;
	case 2:
		v = values_of_frames(p, first, 1 + random_below(7));
		if (v->frames)
			v->scale = (int64_t)v->frames;
		break;
	default:
		v = values_of_frames(p, first, 1);
	}
	averages_free(a);
	return v;
}

static void check_random(const struct profile *p)
{
	static const uint32_t threads[] = { THREADS_ALL, 0, 1, THREADS_NAMED(1) };
	struct profile *copy = profile_copy(p);
	struct sides s = { { p, random_values(p) }, { p, random_values(p) }, threads[random_below(4)] };
	struct why_options o = { s.threads, random_below(2), random_below(2) };
	struct why_side before = { copy, s.base.v };
	struct why *w = why_make(&s.base, &s.now, &o);
	struct why *back = why_make(&s.now, &s.base, &o);
	struct why *none = why_make(&s.now, &s.now, &o);
	struct why *other = why_make(&before, &s.now, &o);

	check_why(w, &s);
	check_swapped(w, back);
	check_same(w, other);
	for (uint32_t i = 0; i < none->thread_count; i++)
		assert_int_equal(none->threads[i].count | none->threads[i].delta | none->threads[i].waiting, 0);
	why_free(w);
	why_free(back);
	why_free(none);
	why_free(other);
	values_free((struct values *)s.base.v);
	values_free((struct values *)s.now.v);
	profile_free(copy);
}

static void identities_hold_at_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= test_times(60, 3000); seed++) {
		struct profile *p;

		random_state = seed;
		p = random_profile();
		p->threads[random_below(3)].marking = true;
		if (random_below(2))
			p->zones[1].flags |= ZONE_WAITING;
		for (uint32_t i = 0; i < 30; i++)
			random_frame(p);
		for (uint32_t i = 0; i < 30; i++)
			check_random(p);
		profile_free(p);
	}
}

/* Numbers as large as a region can claim: nothing overflows, and a row still adds up. */
static void absurd_numbers_add_up(void **state)
{
	static const int64_t absurd[] = { 0, 1, -1, INT64_MAX, INT64_MIN, (int64_t)1 << 40, 7, -3 };
	struct profile *p = random_profile();

	(void)state;
	random_state = 5;
	for (int round = 0; round < 2000; round++) {
		struct values *a = values_new(p), *b = values_new(p);
		struct why_side base = { p, a }, now = { p, b };
		struct why *w;

		for (uint32_t i = 0; i < 4 * p->node_count; i++)
			(i % 2 ? i % 4 / 2 ? a->self : b->self : i % 4 / 2 ? a->count : b->count)[i / 4] =
				absurd[random_below(8)];
		for (uint32_t i = 0; i < p->thread_count; i++)
			a->time[i] = absurd[random_below(8)];
		a->scale = 1 + random_below(100000);
		w = why_of_threads(&base, &now, THREADS_ALL);
		for (uint32_t i = 0; i < w->thread_count; i++)
			for (uint32_t k = 0; k < w->threads[i].count; k++) {
				const struct why_row *r = &w->threads[i].rows[k];

				assert_int_equal(r->delta, r->calls + r->cost + r->carried);
			}
		why_free(w);
		values_free(a);
		values_free(b);
	}
	profile_free(p);
}

/* Bases */

static struct profile *frames_of(const char *lengths)
{
	struct profile *p = profile_new();
	uint64_t number = 1;
	char copy[256], *rest = copy, *word;

	snprintf(copy, sizeof(copy), "%s", lengths);
	while ((word = strsep(&rest, " "))) {
		uint32_t flags = *word == 'k' ? FRAME_KEPT : *word == 'd' ? FRAME_DISCARDED : 0;

		assert_true(profile_add_frame(p, number++, 0, atoi(word + (flags != 0)), flags));
	}
	return p;
}

static void expect_base(const char *lengths, enum base_kind kind, uint64_t frame, uint64_t expected)
{
	struct profile *p = frames_of(lengths);

	if (base_frame(p, kind, frame, frame) != expected)
		fail_msg("%s of %llu in %s: %llu", base_names[kind], (unsigned long long)frame, lengths,
			 (unsigned long long)base_frame(p, kind, frame, frame));
	profile_free(p);
}

static void bases_are_frames_that_were(void **state)
{
	(void)state;
	expect_base("10 20 30 40", BASE_MEDIAN, 1, 2);
	expect_base("20 20 30 20 10", BASE_MEDIAN, 1, 4);
	expect_base("k90 d90 0 20 30 40", BASE_MEDIAN, 1, 5);
	expect_base("k90 d90 0", BASE_MEDIAN, 1, 0);
	expect_base("30 10 40 10 50 d1", BASE_BEST, 5, 4);
	expect_base("k5 30 d20 0 50", BASE_PREVIOUS, 5, 2);
	expect_base("k5 30 50", BASE_PREVIOUS, 2, 0);
	expect_base("10 20", BASE_PREVIOUS, 1, 0);
	expect_base("10 20", BASE_FRAME, 2, 2);
	expect_base("10 20", BASE_FRAME, 3, 0);
	expect_base("10 20", BASE_FRAME, 0, 0);
	expect_base("10 20", BASE_AVERAGE, 2, 0);
}

static void put_part(struct profile *p, uint64_t frame, uint32_t thread, uint32_t flags)
{
	struct profile_part part = { .thread = thread, .flags = flags, .first_frame = frame, .end = 1 };

	assert_true(profile_set_part(p, frame, &part));
}

/* One of which only its length is known tells nothing, unless there are no others. */
static void a_base_is_a_frame_of_which_something_is_known(void **state)
{
	struct profile *p = frames_of("10 20 30 40 50");
	uint32_t marking = profile_add_thread(p, 1, 1, "main"), other = profile_add_thread(p, 2, 2, "other");

	(void)state;
	p->threads[marking].marking = true;
	assert_int_equal(base_frame(p, BASE_MEDIAN, 5, 0), 3);
	assert_int_equal(base_frame(p, BASE_BEST, 5, 0), 1);
	put_part(p, 1, marking, PART_LAPPED);
	put_part(p, 1, other, 0);
	put_part(p, 2, marking, PART_MERGED);
	put_part(p, 3, marking, PART_MISSING);
	put_part(p, 5, marking, 0);
	assert_int_equal(base_frame(p, BASE_MEDIAN, 5, 0), 5);
	assert_int_equal(base_frame(p, BASE_BEST, 5, 0), 5);
	put_part(p, 4, other, PART_MISSING); /* the marking one had not begun yet */
	assert_int_equal(base_frame(p, BASE_MEDIAN, 5, 0), 4);
	profile_free(p);
}

static void expect_worst(const char *lengths, uint64_t expected)
{
	struct profile *p = frames_of(lengths);

	assert_int_equal(worst_frame(p), expected);
	profile_free(p);
}

/* The same holds of the frame that is asked about where none is named. */
static void the_worst_is_a_frame_of_which_something_is_known(void **state)
{
	struct profile *p = frames_of("10 20 k30 40 50 d60");
	uint32_t marking = profile_add_thread(p, 1, 1, "main");

	(void)state;
	expect_worst("k10 30 30 20 d90", 3);
	expect_worst("d90", 0);
	assert_int_equal(worst_frame(p), 5);
	put_part(p, 2, marking, 0);
	assert_int_equal(worst_frame(p), 2);
	put_part(p, 3, marking, PART_KEPT);
	assert_int_equal(worst_frame(p), 3);
	put_part(p, 5, marking, PART_LAPPED);
	assert_int_equal(worst_frame(p), 3);
	profile_free(p);
}

static void the_median_is_that_of_all_at_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		int64_t lengths[60];
		struct profile *p;
		uint32_t n = 0;
		uint64_t found;

		random_state = seed;
		p = random_profile();
		for (uint32_t i = 0; i < 60; i++)
			random_frame(p);
		for (uint32_t i = 0; i < p->frame_count; i++)
			if (is_counted(&p->frames[i]))
				lengths[n++] = p->frames[i].length;
		found = base_frame(p, BASE_MEDIAN, 1, 0);
		assert_int_equal(profile_find_frame(p, found)->length, statistics_of(lengths, n).median);
		profile_free(p);
	}
}

/* Turns of a server, one of each: frames 1 to 7 serve one request, 8 to 11
 * fifty, 12 fifty of another kind, 13 two. */
static struct profile *turns(void)
{
	char text[4096] = "";
	static const struct { const char *zone; int count, length; } all[] = {
		{ "get", 1, 100 }, { "get", 1, 101 }, { "get", 1, 102 }, { "get", 1, 103 }, { "get", 1, 104 }, { "get", 1, 105 },
		{ "get", 1, 106 }, { "get", 50, 5200 }, { "get", 40, 5000 }, { "get", 60, 5300 }, { "get", 50, 9000 },
		{ "put", 50, 7000 }, { "get", 2, 300 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "frame %zu %d\nmain loop/%s %d %d\n", i + 1, all[i].length,
			 all[i].zone, all[i].length, all[i].count);
	return dsl_profile(text);
}

static void expect_choice(const struct profile *p, uint64_t frame, enum base_kind kind, uint64_t number)
{
	struct base_frame base = base_choose(p, BASE_USUAL, frame, 0);

	assert_int_equal(base.kind, kind);
	assert_int_equal(base.number, number);
	assert_int_equal(base.by_calls, kind == BASE_SIMILAR);
}

/* A turn of fifty requests is compared with others of about fifty. If there are
 * not three of its kind, the median frame stays; so it does up to ten times as
 * many calls. */
static void turns_of_a_kind_are_compared_with_each_other(void **state)
{
	struct profile *p = turns();
	struct base_frame base;
	char reason[BASE_REASON];

	(void)state;
	expect_choice(p, 1, BASE_MEDIAN, 7);
	expect_choice(p, 13, BASE_MEDIAN, 7);
	expect_choice(p, 11, BASE_SIMILAR, 8); /* lengths 5000, 5200, 5300 */
	expect_choice(p, 8, BASE_SIMILAR, 10); /* 5000, 5300, 9000: never itself */
	expect_choice(p, 12, BASE_MEDIAN, 7);
	assert_int_equal(base_frame(p, BASE_SIMILAR, 12, 0), 0); /* fifty calls, but of another zone */
	assert_int_equal(base_frame(p, BASE_SIMILAR, 11, 0), 8);
	assert_int_equal(base_frame(p, BASE_MEDIAN, 11, 0), 7);
	base = base_choose(p, BASE_USUAL, 11, 0);
	base_reason(&base, reason);
	assert_string_equal(reason, "50 calls, the median frame has 1");
	base = base_choose(p, BASE_USUAL, 13, 0);
	base_reason(&base, reason);
	assert_string_equal(reason, "");
	p->frames[10].parts[0].flags |= PART_LOSSY; /* nobody knows how many calls it had */
	expect_choice(p, 11, BASE_MEDIAN, 7);
	profile_free(p);
}

/* Frame 11 has 30 calls, frames 8, 9 and 10 have 60, and some have one more:
 * half of the calls are the same, or less. */
static struct profile *half_of_the_calls(int similar)
{
	char text[1024] = "";

	for (int i = 1; i <= 7; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "frame %d 10\nmain get 10 1\n", i);
	for (int i = 8; i <= 10; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "frame %d 50\nmain get 40 60\nmain put 10 %d\n", i,
			 i - 8 >= similar);
	strcat(text, "frame 11 50\nmain get 50 30\n");
	return dsl_profile(text);
}

static void turns_are_similar_if_half_of_the_calls_are_the_same(void **state)
{
	struct profile *p = half_of_the_calls(3);

	(void)state;
	expect_choice(p, 11, BASE_SIMILAR, 10);
	p->frames[10].parts[0].flags |= PART_MERGED; /* of several frames: nobody knows how many calls it has */
	expect_choice(p, 11, BASE_MEDIAN, 7);
	profile_free(p);
	p = half_of_the_calls(2);
	expect_choice(p, 11, BASE_MEDIAN, 7);
	assert_int_equal(base_frame(p, BASE_SIMILAR, 11, 0), 9);
	profile_free(p);
	p = half_of_the_calls(0);
	assert_int_equal(base_frame(p, BASE_SIMILAR, 11, 0), 0);
	profile_free(p);
}

/* The other way round: a turn of one request, if most turns serve fifty. Ten
 * times as many calls are not yet too many. */
static void a_small_turn_is_compared_with_small_ones(void **state)
{
	struct profile *p = dsl_profile("frame 1 10\nmain get 10 1\nframe 2 11\nmain get 11 1\nframe 3 12\nmain get 12 1\n"
					"frame 4 9\nmain get 9 1\nframe 5 50\nmain get 50 11\nframe 6 50\nmain get 50 11\n"
					"frame 7 50\nmain get 50 11\nframe 8 50\nmain get 50 11\nframe 9 50\nmain get 50 11\n");

	(void)state;
	expect_choice(p, 4, BASE_SIMILAR, 2);
	profile_free(p);
	p = dsl_profile("frame 1 10\nmain get 10 1\nframe 2 11\nmain get 11 1\nframe 3 12\nmain get 12 1\n"
			"frame 4 9\nmain get 9 1\nframe 5 50\nmain get 50 10\nframe 6 50\nmain get 50 10\n"
			"frame 7 50\nmain get 50 10\nframe 8 50\nmain get 50 10\nframe 9 50\nmain get 50 10\n");
	expect_choice(p, 4, BASE_MEDIAN, 9);
	profile_free(p);
}

static uint64_t calls_at(const struct profile *p, const struct profile_frame *f, uint32_t zone)
{
	const struct profile_held *part = f->parts;
	uint64_t calls = 0;

	for (uint32_t i = 0; i < part->cell_count; i++)
		if (p->nodes[profile_cell(part, i).node].zone == zone)
			calls += (uint64_t)profile_cell(part, i).count;
	return calls;
}

/* The definition, zone by zone. Each zone has one node here. */
static bool has_similar_calls(const struct profile *p, const struct profile_frame *a, const struct profile_frame *b)
{
	uint64_t least = 0, most = 0;

	for (uint32_t zone = 0; zone < p->zone_count; zone++) {
		uint64_t x = calls_at(p, a, zone), y = calls_at(p, b, zone);

		least += x < y ? x : y;
		most += x < y ? y : x;
	}
	return a != b && 2 * least >= most;
}

static uint64_t lower_median_of_similar(const struct profile *p, const struct profile_frame *f)
{
	uint64_t number = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->frame_count; i++)
		count += has_similar_calls(p, f, &p->frames[i]);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *one = &p->frames[i];
		uint32_t shorter = 0, as_long = 0;

		for (uint32_t k = 0; k < p->frame_count; k++)
			if (has_similar_calls(p, f, &p->frames[k])) {
				shorter += p->frames[k].length < one->length;
				as_long += p->frames[k].length == one->length;
			}
		if (has_similar_calls(p, f, one) && shorter <= (count - 1) / 2 && (count - 1) / 2 < shorter + as_long)
			number = one->number;
	}
	return number;
}

static void the_similar_frame_is_that_of_all_at_random(void **state)
{
	unsigned random = 5;

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct profile *p = profile_new();
		struct bases *bases;
		char text[512];

		for (int n = 1; n <= 40; n++) {
			int calls[3];

			for (int i = 0; i < 3; i++) {
				random = random * 1103515245 + 12345;
				calls[i] = (int)(random / 65536 % (i ? 4 : 9) * (n % 4 ? 1 : 20));
			}
			random = random * 1103515245 + 12345;
			snprintf(text, sizeof(text), "frame %d %u\nmain a 1 %d\nmain b 1 %d\nmain c 1 %d\n", n,
				 1 + random / 65536 % 9, calls[0], calls[1], calls[2]);
			dsl_grow(p, text);
		}
		bases = bases_new(p, 0, p->frame_count);
		assert_non_null(bases);
		for (uint32_t i = 0; i < p->frame_count; i++) {
			struct base_frame base = bases_search(bases, BASE_USUAL, p->frames[i].number);
			uint64_t expected = lower_median_of_similar(p, &p->frames[i]);

			assert_int_equal(base_frame(p, BASE_SIMILAR, p->frames[i].number, 0), expected);
			assert_int_equal(base.number, base.by_calls ? expected : base_frame(p, BASE_MEDIAN, 0, 0));
			assert_int_equal(bases_search(bases, BASE_USUAL, p->frames[i].number).number, base.number);
		}
		assert_ptr_equal(bases_renew(bases, p, true), bases);
		dsl_grow(p, "frame 41 7\nmain a 7 1\n");
		assert_ptr_equal(bases_renew(bases, p, false), bases); /* few frames are new */
		assert_true(bases_search(bases, BASE_USUAL, 41).number != 41);
		bases = bases_renew(bases, p, true);
		assert_int_equal(bases_search(bases, BASE_USUAL, 41).number, base_choose(p, BASE_USUAL, 41, 0).number);
		profile_drop_frames(p, 40);
		bases = bases_renew(bases, p, false); /* the median frame may have gone */
		assert_int_equal(bases_search(bases, BASE_USUAL, 41).number, 41);
		bases_free(bases);
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_calls_are_told_from_dearer_ones),
		cmocka_unit_test(fewer_calls_that_are_cheaper),
		cmocka_unit_test(what_does_not_divide_is_cost),
		cmocka_unit_test(a_new_zone_is_all_calls),
		cmocka_unit_test(a_zone_that_is_gone_is_all_calls),
		cmocka_unit_test(threads_of_a_name_that_are_gone),
		cmocka_unit_test(time_without_an_entry_is_carried),
		cmocka_unit_test(an_entry_without_time_is_no_more_than_that),
		cmocka_unit_test(mutual_recursion_has_a_row_a_stack),
		cmocka_unit_test(a_zone_that_waits_is_a_row_too),
		cmocka_unit_test(a_zone_inside_itself_is_where_it_was_first_entered),
		cmocka_unit_test(rows_are_zones_where_that_is_asked),
		cmocka_unit_test(a_long_stack_keeps_what_tells_it_from_others),
		cmocka_unit_test(turns_of_a_kind_are_compared_with_each_other),
		cmocka_unit_test(turns_are_similar_if_half_of_the_calls_are_the_same),
		cmocka_unit_test(a_small_turn_is_compared_with_small_ones),
		cmocka_unit_test(the_similar_frame_is_that_of_all_at_random),
		cmocka_unit_test(zones_of_one_name_have_their_places),
		cmocka_unit_test(zones_of_two_profiles_have_their_places),
		cmocka_unit_test(a_zone_of_two_profiles_has_no_place),
		cmocka_unit_test(stacks_that_part_at_several_places_are_told_apart),
		cmocka_unit_test(recursion_is_told_in_the_stack),
		cmocka_unit_test(most_of_it_is_waiting_where_it_is_more_than_half),
		cmocka_unit_test(what_is_said_of_waiting_adds_up_to_the_difference),
		cmocka_unit_test(a_word_says_what_most_of_it_comes_of),
		cmocka_unit_test(a_thread_that_did_not_run_is_said),
		cmocka_unit_test(threads_have_sums_of_their_own),
		cmocka_unit_test(a_thread_without_time_is_left_out),
		cmocka_unit_test(a_missing_part_shows_in_the_sum),
		cmocka_unit_test(who_was_away_does_not_stand_for_the_frames),
		cmocka_unit_test(two_runs_are_matched_by_what_things_are),
		cmocka_unit_test(a_zone_whose_line_moved_is_the_same),
		cmocka_unit_test(ticks_of_another_rate_are_converted),
		cmocka_unit_test(identities_hold_at_random),
		cmocka_unit_test(absurd_numbers_add_up),
		cmocka_unit_test(bases_are_frames_that_were),
		cmocka_unit_test(a_base_is_a_frame_of_which_something_is_known),
		cmocka_unit_test(the_worst_is_a_frame_of_which_something_is_known),
		cmocka_unit_test(the_median_is_that_of_all_at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

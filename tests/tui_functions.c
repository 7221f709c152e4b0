/* SPDX-License-Identifier: MIT */
/*
 * The view Functions: where samples were taken, and the call graph behind it.
 */
#include "tests/tui_stage.h"

#define MS INT64_C(1000000)

static uint32_t add_function(struct profile *p, uint32_t parent, const char *name, unsigned line)
{
	uint32_t zone = profile_add_zone(p, name, "solver.c", line, ZONE_FUNCTION);

	assert_int_not_equal(zone, PROFILE_NONE);
	return profile_add_line_node(p, parent, zone, line + 4);
}

static const int64_t samples[4] = { 1, 120, 78, 1 }, no_samples[4];

/* Frame 1 of the game with samples of main: the first amount is in ai itself,
 * the others in functions below it. */
static struct profile *sampled_game(const int64_t *amounts)
{
	static const struct profile_measure row = { "samples", "SAMPLES", .unit = MEASURE_SAMPLES, .of = MEASURE_OF_NODE,
						    .absent_is_zero = true };
	struct profile *p = stage_game(1);
	const struct profile_held *held = profile_find_part(profile_find_frame(p, 1), 0);
	struct profile_part part = { .thread = 0, .first_frame = 1, .bound = held->bound, .end = held->end,
				     .cell_count = held->cell_count };
	struct profile_cell cells[64];
	uint32_t nodes[4];
	struct profile_column column = { .measure = profile_add_measure(p, &row), .cell_count = 4, .nodes = nodes, .values = amounts };

	nodes[0] = dsl_node(p, "main", "update@loop.c:10/ai@ai.c:20");
	nodes[1] = add_function(p, nodes[0], "solve", 10);
	nodes[2] = add_function(p, nodes[1], "dot", 40);
	nodes[3] = add_function(p, nodes[0], "tiny", 70);
	for (uint32_t i = 0; i < part.cell_count; i++)
		cells[i] = profile_cell(held, i);
	part.cells = cells;
	part.columns = &column;
	part.column_count = 1;
	assert_true(profile_set_part(p, 1, &part));
	return p;
}

static void begin(struct stage *t, const int64_t *amounts)
{
	struct app_options o = stage_options();

	stage_open(t, &o, 100, 24);
	stage_attach(t, sampled_game(amounts));
}

static void they_stand_in_the_order_of_their_samples(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, samples);
	stage_type(&t, "p[;");
	stage_expect(&t, "[; Func]");
	stage_expect(&t, "> solve            120   60.0%     198   99.0%  solver.c:10\n");
	stage_expect(&t, "  dot               78   39.0%      78   39.0%  solver.c:40\n");
	assert_false(stage_shows(&t, "tiny"));
	stage_expect(&t, "200 samples  2 of 3 functions");
	stage_type(&t, "*");
	stage_expect(&t, "  tiny               1    0.5%       1    0.5%  solver.c:70\n");
	stage_type(&t, "/dot\r");
	stage_expect(&t, "> dot");
	stage_type(&t, "<"); /* by name */
	stage_expect(&t, "WHERE\n> dot ");
	stage_type(&t, "/solve\r");
	stage_expect(&t, "> solve");
	assert_false(stage_shows(&t, "> dot"));
	stage_type(&t, ">gI"); /* by SELF again, and the other way round */
	stage_expect(&t, "  TOTAL%  WHERE\n> tiny");
	stage_end(&t);
}

/* A table of counts keeps no unit of the times that it had. */
static void samples_are_no_times(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, no_samples);
	stage_type(&t, "p[");
	stage_expect(&t, "SELF ms");
	stage_type(&t, "&samples\r");
	stage_expect(&t, "measure: samples");
	stage_expect(&t, "update");
	assert_false(stage_shows(&t, "SELF ms"));
	stage_end(&t);
}

static void enter_opens_the_call_graph_of_samples(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, samples);
	stage_type(&t, "p[;");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "measure: samples");
	stage_expect(&t, "ai");
	stage_expect(&t, "dot");
	stage_expect(&t, "solver.c:10");
	stage_expect(&t, "    + ai               120       198       -       -   99.0%");
	assert_false(stage_shows(&t, "calls min/avg/max")); /* nobody counted them */
	assert_false(stage_shows(&t, "per call"));
	assert_false(stage_shows(&t, "variation"));
	stage_expect(&t, "& Times"); /* leads back to them */
	stage_end(&t);
}

static const char *source(void *context, const struct profile *p, const char *file, uint32_t line)
{
	static char text[64];

	(void)context;
	(void)p;
	assert_string_equal(file, "solver.c");
	snprintf(text, sizeof(text), "text of line %u é", line);
	return text;
}

static void the_pane_has_the_lines_of_a_function(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, samples);
	stage_type(&t, "p[;");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "   LINE   SELF%  TOTAL%\n     14   60.0%   99.0%\n");
	t.app.source = source;
	app_data(&t.app, 0);
	stage_type(&t, "j");
	stage_press(&t, STAGE_ENTER); /* into dot */
	stage_expect(&t, "   LINE   SELF%  TOTAL%  SOURCE\n     44   39.0%   39.0%  text of line 44 é\n");
	stage_type(&t, "v");
	assert_int_equal(t.app.wanted.source_line, 44);
	t.app.style.ascii = true;
	stage_type(&t, " ");
	stage_expect(&t, "text of line 44 \\xC3\\xA9\n");
	stage_end(&t);
}

static void a_stretch_of_time_has_none(void **state)
{
	struct values *all;
	struct stage t;

	(void)state;
	begin(&t, samples);
	stage_type(&t, "p[;");
	all = values_of_frames(times_profile(&t.app.at->times), 0, 1);
	assert_non_null(all);
	times_select(&t.app.at->times, all, 1, 2 * MS);
	app_look(&t.app);
	stage_press(&t, ';');
	stage_expect(&t, "samples are known by frame");
	assert_false(stage_shows(&t, "solve"));
	stage_end(&t);
}

static void without_samples_it_says_how_to_take_some(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_type(&t, ";");
	stage_expect(&t, "the program takes no samples. PROF_SAMPLE=1000");
	assert_false(stage_shows(&t, "solve"));
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_stand_in_the_order_of_their_samples),
		cmocka_unit_test(samples_are_no_times),
		cmocka_unit_test(enter_opens_the_call_graph_of_samples),
		cmocka_unit_test(the_pane_has_the_lines_of_a_function),
		cmocka_unit_test(a_stretch_of_time_has_none),
		cmocka_unit_test(without_samples_it_says_how_to_take_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

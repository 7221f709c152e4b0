/* SPDX-License-Identifier: MIT */
/*
 * The lines of source at which samples were taken: one function, a zone of the program, and all functions.
 */
#include "tests/model_dsl.h"

#include "model/query/query.h"
#include "model/report/line_table.h"

static const struct profile_measure samples = { "samples", "SAMPLES", .unit = MEASURE_SAMPLES, .of = MEASURE_OF_NODE,
						.absent_is_zero = true };

static uint32_t function(struct profile *p, const char *name, uint32_t line)
{
	return profile_add_zone(p, name, "/src/solver.c", line, ZONE_FUNCTION);
}

/* At line `at` of it, with so many samples in the whole run. */
static uint32_t sampled(struct profile *p, uint32_t parent, uint32_t zone, uint32_t at, int64_t count)
{
	uint32_t node = profile_add_line_node(p, parent, zone, at);

	assert_true(profile_set_amount(p, node, profile_find_measure(p, "samples"), count));
	return node;
}

/* `solve:14 3/5|...`: self/total by line, in the order of the table. */
static char *lines_of(const struct profile *p, const char *thread, uint32_t zone, int64_t least, double percent)
{
	static char text[512];
	struct values *v = values_of_run_in(p, profile_find_measure(p, "samples"));
	uint32_t threads = thread ? dsl_thread((struct profile *)(uintptr_t)p, thread) : THREADS_ALL;
	struct line_table *t = line_table_new(p, v, threads, zone, least, percent);
	size_t length = 0;

	assert_non_null(t);
	*text = '\0';
	for (uint32_t i = 0; i < t->table.count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s:%u %lld/%lld", i ? "|" : "",
					   p->zones[t->rows[i].zone].name, t->rows[i].line, (long long)t->rows[i].self,
					   (long long)t->rows[i].total);
	length += (size_t)snprintf(text + length, sizeof(text) - length, "; %lld, %u", (long long)t->samples, t->others);
	line_table_type.free(&t->table);
	values_free(v);
	return text;
}

static void lines_of_functions(void **state)
{
	struct profile *p = dsl_profile("main ai@ai.c:1 10 1\nmain ai@ai.c:1/path@ai.c:9 10 1\npool ai@ai.c:1 10 1\n");
	uint32_t solve, dot, ai, other;

	(void)state;
	profile_add_measure(p, &samples);
	solve = function(p, "solve", 10);
	dot = function(p, "dot", 40);
	ai = dsl_node(p, "main", "ai@ai.c:1");
	other = dsl_node(p, "pool", "ai@ai.c:1");
	sampled(p, sampled(p, ai, solve, 14, 3), dot, 41, 20); /* two calls of dot in solve */
	sampled(p, sampled(p, ai, solve, 15, 1), dot, 42, 30);
	sampled(p, ai, solve, 14, 4); /* another address of the line */
	sampled(p, ai, solve, 0, 2);  /* its line is not known */
	sampled(p, other, dot, 41, 100);
	assert_string_equal(lines_of(p, NULL, solve, 0, 0), "solve:0 2/2|solve:14 7/27|solve:15 1/31; 160, 0");
	assert_string_equal(lines_of(p, NULL, dot, 0, 0), "dot:41 120/120|dot:42 30/30; 160, 0");
	assert_string_equal(lines_of(p, "main", dot, 0, 0), "dot:41 20/20|dot:42 30/30; 60, 0");
	assert_string_equal(lines_of(p, "pool", solve, 0, 0), "; 100, 0");
	assert_string_equal(lines_of(p, NULL, PROFILE_NO_ZONE, 0, 0),
			    "dot:41 120/120|dot:42 30/30|solve:14 7/27|solve:0 2/2|solve:15 1/31; 160, 0");
	assert_string_equal(lines_of(p, NULL, PROFILE_NO_ZONE, 3, 20), "dot:41 120/120; 160, 4");
	assert_string_equal(lines_of(p, NULL, p->nodes[dsl_node(p, "main", "ai@ai.c:1/path@ai.c:9")].zone, 0, 0), "; 160, 0");
	assert_string_equal(lines_of(p, "main", p->nodes[ai].zone, 28, 0), "dot:42 30/30|solve:15 1/31; 60, 3");
	profile_free(p);
}

/* A sample counts once for a line, however often a recursion came to it. */
static void recursion_counts_once(void **state)
{
	struct profile *p = dsl_profile("main ai@ai.c:1 10 1\n");
	uint32_t walk, node;

	(void)state;
	profile_add_measure(p, &samples);
	walk = function(p, "walk", 10);
	node = dsl_node(p, "main", "ai@ai.c:1");
	for (int i = 0; i < 5; i++)
		node = sampled(p, node, walk, 12, 1);
	node = sampled(p, node, walk, 13, 2);
	sampled(p, node, walk, 12, 4);
	assert_string_equal(lines_of(p, NULL, walk, 0, 0), "walk:12 9/11|walk:13 2/6; 11, 0");
	profile_free(p);
}

/* What a query covers: a frame, the run; the line with most samples. */
static void lines_of_what_is_viewed(void **state)
{
	struct profile *p = dsl_profile("main ai@ai.c:1 10 1\n");
	uint32_t solve = function(p, "solve", 10), nodes[2];
	int64_t amounts[2] = { 2, 5 };
	struct profile_column column = { .cell_count = 2, .nodes = nodes, .values = amounts };
	struct profile_part part = { .thread = 0, .first_frame = 1, .end = 10, .columns = &column, .column_count = 1 };
	struct query_options o = { .threads = THREADS_ALL };
	struct line_table *t;
	struct query *q;

	(void)state;
	column.measure = profile_add_measure(p, &samples);
	for (uint32_t i = 0; i < 2; i++)
		nodes[i] = sampled(p, dsl_node(p, "main", "ai@ai.c:1"), solve, 20 + i, 100 - 10 * i);
	assert_true(profile_add_frame(p, 1, 0, 10, 0) && profile_set_part(p, 1, &part));
	q = query_new(p);
	o.frame = 1;
	query_look(q, &o);
	t = query_lines(q, solve);
	assert_int_equal(t->table.count, 2);
	assert_true(t->rows[0].line == 20 && t->rows[0].self == 2 && t->rows[1].self == 5 && t->samples == 7);
	assert_int_equal(line_table_hottest(t)->line, 21);
	line_table_type.free(&t->table);
	o = (struct query_options){ .threads = THREADS_ALL, .average = AVERAGE_RUN };
	query_look(q, &o);
	t = query_lines(q, solve);
	assert_true(t->rows[0].self == 100 && line_table_hottest(t)->line == 20);
	line_table_type.free(&t->table);
	assert_null(query_lines(q, p->nodes[dsl_node(p, "main", "ai@ai.c:1")].zone));
	query_free(q);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_functions),
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(lines_of_what_is_viewed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

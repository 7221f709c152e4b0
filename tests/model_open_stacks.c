/* SPDX-License-Identifier: MIT */
/* Open stacks: rows of threads and their zones, which hold what is shown of them themselves. */
#include "tests/model_dsl.h"

#include "model/query/keys.h"
#include "model/stats/open_stacks.h"

static void add(struct open_stacks *o, const struct profile *p, const char *thread, int64_t last, int64_t now)
{
	assert_true(open_stacks_add_thread(o, p, profile_parse_thread(p, thread, NULL), false, last, now));
}

/* The zones of a path, each entered 10 ticks after the one around it, the first at 100. */
static void add_path(struct open_stacks *o, struct profile *p, const char *thread, const char *path)
{
	char outer[128];
	int64_t entered = 100;

	for (const char *end = path; *end; end++) {
		if (end[1] && end[1] != '/')
			continue;
		snprintf(outer, sizeof(outer), "%.*s", (int)(end - path) + 1, path);
		assert_true(open_stacks_add_zone(o, p, dsl_node(p, thread, outer), entered));
		entered += 10;
		end += end[1] == '/';
	}
}

/* `main | a 50 | b 40 | pool`. */
static void expect(const struct open_stacks *o, const char *expected)
{
	char text[1024] = "";

	for (uint32_t i = 0; i < o->row_count; i++) {
		const struct open_row *row = &o->rows[i];
		size_t at = strlen(text);

		assert_true(row->thread < o->thread_count && row->id);
		if (row->level)
			snprintf(text + at, sizeof(text) - at, " | %s %lld", o->zones[row->zone].name,
				 (long long)row->open);
		else
			snprintf(text + at, sizeof(text) - at, "%s%s", at ? " | " : "",
				 o->threads[row->thread].name);
	}
	assert_string_equal(text, expected);
}

static void rows_are_threads_and_their_zones(void **state)
{
	struct profile *p = dsl_profile("main a@f.c:3/b 1\npool c 1\n");
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);

	(void)state;
	assert_non_null(o);
	add(o, p, "main", 140, 150);
	add_path(o, p, "main", "a@f.c:3/b");
	add(o, p, "pool", 30, 150);
	expect(o, "main | a 50 | b 40 | pool");
	assert_int_equal(o->threads[0].count, 2);
	assert_int_equal(o->threads[0].still, 10);
	assert_int_equal(o->threads[1].still, 120);
	assert_int_equal(open_stacks_idle(o), 1);
	assert_int_equal(o->rows[1].level, 1);
	assert_int_equal(o->rows[2].level, 2);
	assert_string_equal(o->zones[0].file, "f.c");
	assert_int_equal(o->zones[0].line, 3);
	open_stacks_free(o);
	profile_free(p);
}

/* Stacks that were read when it was paused are shown while the program is long gone. */
static void they_outlive_the_profile(void **state)
{
	struct profile *p = dsl_profile("main a/b 1\n");
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST), *held;

	(void)state;
	add(o, p, "main", 140, 150);
	add_path(o, p, "main", "a/b");
	profile_free(p);
	held = open_stacks_hold(o);
	open_stacks_free(o);
	expect(held, "main | a 50 | b 40");
	open_stacks_free(held);
	open_stacks_free(NULL);
}

static void keys_are_those_of_reports(void **state)
{
	struct profile *p = dsl_profile("main a/b/a 1\npool a 1\n");
	struct keys *merged = keys_new(false), *spread = keys_new(true);
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);
	uint32_t key;

	(void)state;
	assert_true(keys_update(merged, p) && keys_update(spread, p));
	add(o, p, "main", 140, 150);
	add_path(o, p, "main", "a/b/a");
	add(o, p, "pool", 140, 150);
	add_path(o, p, "pool", "a");
	assert_int_equal(keys_parse(merged, p, "a", &key), KEYS_FOUND);
	assert_int_equal(o->rows[1].key, merged->id[key]);
	assert_int_equal(o->rows[3].key, merged->id[key]);
	assert_int_equal(keys_parse(spread, p, "a(2)", &key), KEYS_FOUND);
	assert_int_equal(o->rows[3].spread_key, spread->id[key]);
	assert_int_equal(o->rows[3].depth, 2);
	assert_int_equal(o->rows[5].depth, 1); /* of another thread */
	assert_int_equal(o->zone_count, 2);
	assert_true(o->rows[1].id != o->rows[3].id && o->rows[1].id != o->rows[5].id);
	open_stacks_free(o);
	keys_free(merged);
	keys_free(spread);
	profile_free(p);
}

static void a_pattern_finds_threads(void **state)
{
	struct profile *p = dsl_profile("main a/raycast 1\npool ray 1\n");
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);
	struct pattern pattern;
	char why[64];

	(void)state;
	add(o, p, "main", 140, 150);
	add_path(o, p, "main", "a/raycast");
	add(o, p, "pool", 140, 150);
	assert_true(pattern_init(&pattern, "RAY", why, sizeof(why)));
	assert_true(open_stacks_matches(o, 0, &pattern));
	assert_false(open_stacks_matches(o, 1, &pattern));
	assert_true(pattern_init(&pattern, "pool", why, sizeof(why)));
	assert_false(open_stacks_matches(o, 0, &pattern));
	assert_true(open_stacks_matches(o, 1, &pattern));
	open_stacks_free(o);
	profile_free(p);
}

/* Ticks of a region that was written to may be anything. */
static void no_time_is_below_0(void **state)
{
	struct profile *p = dsl_profile("main a 1\n");
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);
	uint32_t node = dsl_node(p, "main", "a");

	(void)state;
	assert_true(open_stacks_add_thread(o, p, 0, true, INT64_MIN, INT64_MAX));
	assert_true(open_stacks_add_zone(o, p, node, INT64_MIN));
	assert_true(open_stacks_add_thread(o, p, 0, true, INT64_MAX, INT64_MIN));
	assert_true(open_stacks_add_zone(o, p, node, INT64_MAX));
	for (uint32_t i = 0; i < o->row_count; i++)
		assert_int_equal(o->rows[i].open, 0);
	assert_int_equal(o->threads[0].still, 0);
	assert_int_equal(o->threads[1].still, 0);
	open_stacks_free(o);
	profile_free(p);
}

static void there_is_a_most(void **state)
{
	struct profile *p = dsl_profile("main a 1\n");
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);
	uint32_t node = dsl_node(p, "main", "a");

	(void)state;
	add(o, p, "main", 1, 2);
	for (uint32_t i = 0; i < OPEN_ROWS_MOST + 10; i++)
		assert_true(open_stacks_add_zone(o, p, node, 1));
	add(o, p, "main", 1, 2);
	assert_true(open_stacks_add_zone(o, p, node, 1));
	assert_int_equal(o->row_count, OPEN_ROWS_MOST);
	assert_int_equal(o->left_out, 13);
	assert_int_equal(o->threads[0].count, OPEN_ROWS_MOST + 10);
	assert_int_equal(o->threads[0].end, OPEN_ROWS_MOST);
	assert_int_equal(o->threads[1].first, o->threads[1].end);
	open_stacks_free(o);
	profile_free(p);
}

static void the_innermost_zone_is_found(void **state)
{
	struct profile *p = dsl_profile("main a/b 1\npool c 1\nlate d 1\n");
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);
	const struct open_row *row;
	bool known;

	(void)state;
	assert_non_null(o);
	add(o, p, "main", 140, 150);
	add_path(o, p, "main", "a/b");
	add(o, p, "late", 140, 150);
	row = open_stacks_innermost(o, p->threads[0].id, 0, &known);
	assert_true(row && known);
	assert_string_equal(o->zones[row->zone].name, "b");
	assert_null(open_stacks_innermost(o, p->threads[1].id, 1, &known)); /* which was not read */
	assert_false(known);
	assert_null(open_stacks_innermost(o, p->threads[2].id, 2, &known)); /* and this is in nothing */
	assert_true(known);
	open_stacks_free(o);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_threads_and_their_zones),
		cmocka_unit_test(they_outlive_the_profile),
		cmocka_unit_test(keys_are_those_of_reports),
		cmocka_unit_test(a_pattern_finds_threads),
		cmocka_unit_test(no_time_is_below_0),
		cmocka_unit_test(there_is_a_most),
		cmocka_unit_test(the_innermost_zone_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

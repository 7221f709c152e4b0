/* SPDX-License-Identifier: MIT */
/* Paths: drilling in and out, what stacks contain them, and reports of those stacks alone. */
#include "model/query/path.h"
#include "model/report/drill.h"
#include "tests/model_dsl.h"

/* `3 [4] 5`: the ids of a path, the focus in brackets. */
static void expect_path(const struct path *path, uint32_t place, const char *expected)
{
	char text[PATH_MOST * 6] = "", *at = text;

	for (uint32_t i = 0; i < path->length; i++)
		at += sprintf(at, i == place ? "%s[%u]" : "%s%u", i ? " " : "",
			      (unsigned)path->ids[i]);
	assert_string_equal(text, expected);
}

static void drilling_keeps_the_chain(void **state)
{
	struct path path;
	uint32_t place;

	(void)state;
	path_begin(&path, &place, 3);
	expect_path(&path, place, "[3]");
	path_to_child(&path, &place, 4);
	path_to_child(&path, &place, 5);
	expect_path(&path, place, "3 4 [5]");
	path_to_caller(&path, &place, 4);
	path_to_caller(&path, &place, 3);
	expect_path(&path, place, "[3] 4 5");
	path_to_child(&path, &place, 4);
	expect_path(&path, place, "3 [4] 5");
}

static void another_way_cuts_the_chain(void **state)
{
	struct path path;
	uint32_t place;

	(void)state;
	path_begin(&path, &place, 3);
	path_to_child(&path, &place, 4);
	path_to_child(&path, &place, 5);
	path_to_caller(&path, &place, 4);
	path_to_child(&path, &place, 6);
	expect_path(&path, place, "3 4 [6]");
	path_to_caller(&path, &place, 4);
	path_to_caller(&path, &place, 9);
	expect_path(&path, place, "[9] 4 6");
	path_to_caller(&path, &place, 8);
	expect_path(&path, place, "[8] 9 4 6");
}

static void a_recursive_zone_is_drilled_into_again(void **state)
{
	struct path path;
	uint32_t place;

	(void)state;
	path_begin(&path, &place, 3);
	path_to_child(&path, &place, 3);
	expect_path(&path, place, "3 [3]");
	path_to_caller(&path, &place, 3);
	expect_path(&path, place, "[3] 3");
}

static void an_empty_path_begins(void **state)
{
	struct path path = { .length = 0 };
	uint32_t place = 0;

	(void)state;
	path_to_child(&path, &place, 3);
	expect_path(&path, place, "[3]");
	path = (struct path){ .length = 0 };
	path_to_caller(&path, &place, 4);
	expect_path(&path, place, "[4]");
}

static void at_its_end_a_path_loses_the_far_one(void **state)
{
	struct path path;
	uint32_t place;

	(void)state;
	path_begin(&path, &place, 0);
	for (uint32_t i = 1; i < PATH_MOST + 3; i++)
		path_to_child(&path, &place, i);
	assert_int_equal(path.length, PATH_MOST);
	assert_int_equal(place, PATH_MOST - 1);
	assert_int_equal(path.ids[0], 3);
	assert_int_equal(path.ids[place], PATH_MOST + 2);
	path_begin(&path, &place, 0);
	for (uint32_t i = 1; i < PATH_MOST + 3; i++)
		path_to_caller(&path, &place, i);
	assert_int_equal(path.length, PATH_MOST);
	assert_int_equal(place, 0);
	assert_int_equal(path.ids[0], PATH_MOST + 2);
	assert_int_equal(path.ids[PATH_MOST - 1], 3);
}

/* Reports of a path */

static struct path path_through(struct profile *p, const char *zones)
{
	struct path path = { .length = 0 };
	char copy[128], *rest = copy, *zone;

	snprintf(copy, sizeof(copy), "%s", zones);
	while ((zone = strsep(&rest, "/")))
		path.ids[path.length++] = key_id(p, dsl_zone(p, zone), 1);
	return path;
}

static void expect_flat(struct profile *p, const struct path *path, const char *expected)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct keys *k = keys_new(false);
	struct values *v = values_of_run(p);
	bool *members;

	assert_true(k && v && keys_update(k, p));
	members = path_members(path, p, k);
	values_restrict(v, p, members);
	o.unit = UNIT_NS;
	dsl_expect_values(p, v, &o, SHEET_NO_LIMIT, "self,hier,count", expected);
	free(members);
	values_free(v);
	keys_free(k);
}

#define GAME                                                                                      \
	"main . 5 0\nmain update/ai/ray 40 4\nmain update/ai 10 1\nmain update 7 1\n"              \
	"main update/physics/ray 20 2\nmain render/ai/ray 3 1\nmain update/ai/ray/ai/ray 2 1\n"

static void a_path_leaves_its_stacks_alone(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct path path = path_through(p, "update/ai");

	(void)state;
	expect_flat(p, &path,
		    "  ZONE        SELF ns v   HIER ns   COUNT\n"
		    "+ ray                42        42       5\n"
		    "+ ai                 10        52       1\n"
		    "+ update              0        52       0\n"
		    "  (no zone)           0         -       -\n");
	profile_free(p);
}

#define NOTHING "  ZONE        SELF ns v   HIER ns   COUNT\n"

/* Nothing stands between the zones of a path, and it may end anywhere above the top. */
static void a_path_is_found_anywhere_in_a_stack(void **state)
{
	struct profile *p = dsl_profile(GAME);
	struct path path = path_through(p, "ray/ai"), none = path_through(p, "update/ray");

	(void)state;
	expect_flat(p, &path,
		    "  ZONE        SELF ns v   HIER ns   COUNT\n"
		    "+ ray                 2         2       1\n"
		    "+ ai                  0         2       0\n"
		    "+ update              0         2       0\n"
		    "  (no zone)           0         -       -\n");
	expect_flat(p, &none, NOTHING);
	path = path_through(p, "ai/nowhere");
	expect_flat(p, &path, NOTHING);
	profile_free(p);
}

static void no_path_is_everywhere(void **state)
{
	struct profile *p = dsl_profile(GAME "w . 100 0\nw b 1 1\n");
	struct path path = { .length = 0 };

	(void)state;
	expect_flat(p, &path,
		    "  ZONE        SELF ns v   HIER ns   COUNT\n"
		    "  (no zone)         105         -       -\n"
		    "+ ray                65        65       8\n"
		    "+ ai                 10        55       1\n"
		    "+ update              7        79       1\n"
		    "  b                   1         1       1\n"
		    "+ physics             0        20       0\n"
		    "+ render              0         3       0\n");
	path.ids[path.length++] = KEY_NO_ZONE;
	path.ids[path.length++] = key_id(p, dsl_zone(p, "b"), 1);
	expect_flat(p, &path,
		    "  ZONE        SELF ns v   HIER ns   COUNT\n"
		    "  b                   1         1       1\n"
		    "  (no zone)           0         -       -\n");
	profile_free(p);
}

/* A false beginning of the path may hold the true one. */
static void a_false_start_hides_nothing(void **state)
{
	struct profile *p = dsl_profile("main a/a/a/b 5 1\nmain a/b/a/b/c 3 1\n");
	struct path path = path_through(p, "a/a/b"), other = path_through(p, "a/b/c");

	(void)state;
	expect_flat(p, &path,
		    "  ZONE        SELF ns v   HIER ns   COUNT\n"
		    "+ b                   5         5       1\n"
		    "+ a                   0         5       0\n"
		    "  (no zone)           0         -       -\n");
	expect_flat(p, &other,
		    "  ZONE        SELF ns v   HIER ns   COUNT\n"
		    "  c                   3         3       1\n"
		    "+ a                   0         3       0\n"
		    "+ b                   0         3       0\n"
		    "  (no zone)           0         -       -\n");
	profile_free(p);
}

/* A thread that entered nothing waits in no zone, which is in no path. */
/* Spread, a zone that is met again is one deeper, and merged it is the first again; the way back is turned with it. */
static void recursion_turns_the_way_that_was_drilled(void **state)
{
	struct profile *p = dsl_profile("main a/a/b/a 5 1\n");
	struct keys *merged = keys_new(false), *spread = keys_new(true);
	uint64_t a1 = key_id(p, dsl_zone(p, "a"), 1), a2 = key_id(p, dsl_zone(p, "a"), 2), b = key_id(p, dsl_zone(p, "b"), 1);
	struct path path = { { a1, a1, b, 4711 }, 4 };
	struct drill d = { .place = 0 };
	uint64_t cursor;

	(void)state;
	assert_true(keys_update(merged, p) && keys_update(spread, p));
	drill_begin(&d, &path);
	drill_enter(&d, ROW_CHILD, b, 7);
	drill_turn(&d, p, merged, true);
	assert_true(drill_back(&d, &cursor));
	assert_int_equal(d.path.ids[0], a1);
	assert_int_equal(d.path.ids[1], a2);
	assert_int_equal(d.path.ids[2], b);
	assert_int_equal(d.path.ids[3], 4711);
	path_turn(&d.path, p, spread, false);
	assert_memory_equal(d.path.ids, path.ids, 4 * sizeof(*path.ids));
	drill_fini(&d);
	keys_free(merged);
	keys_free(spread);
	profile_free(p);
}

static void idle_time_is_in_no_path(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nmain a/b 60 1\nmain . 40 0\nw . 100 0\n");
	struct path path = path_through(p, "a/b");
	struct keys *k = keys_new(false);
	struct values *v = values_of_frames(p, 0, 1);
	bool *members;

	(void)state;
	assert_true(keys_update(k, p));
	members = path_members(&path, p, k);
	assert_int_equal(v->idle[1], 100);
	values_restrict(v, p, members);
	assert_int_equal(v->idle[1], 0);
	assert_int_equal(v->time[1], 0);
	assert_int_equal(v->time[0], 60);
	assert_int_equal(v->wall, 100);
	free(members);
	values_free(v);
	keys_free(k);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drilling_keeps_the_chain),
		cmocka_unit_test(another_way_cuts_the_chain),
		cmocka_unit_test(a_recursive_zone_is_drilled_into_again),
		cmocka_unit_test(an_empty_path_begins),
		cmocka_unit_test(at_its_end_a_path_loses_the_far_one),
		cmocka_unit_test(a_path_leaves_its_stacks_alone),
		cmocka_unit_test(a_path_is_found_anywhere_in_a_stack),
		cmocka_unit_test(no_path_is_everywhere),
		cmocka_unit_test(a_false_start_hides_nothing),
		cmocka_unit_test(recursion_turns_the_way_that_was_drilled),
		cmocka_unit_test(idle_time_is_in_no_path),
	};

	return cmocka_run_group_tests_name("model: path", tests, NULL, NULL);
}

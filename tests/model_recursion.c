/* SPDX-License-Identifier: MIT */
/* What counts as one zone, what it is called, and what a user may call it. */
#include "tests/model_dsl.h"
#include "tests/model_random.h"

static struct keys *keys_for(const struct profile *p, bool spread)
{
	struct keys *k = keys_new(spread);

	assert_true(k && keys_update(k, p));
	return k;
}

static void expect_name(const struct profile *p, const struct keys *k, uint32_t node,
			const char *expected)
{
	char *name = keys_name(k, p, k->of_node[node]);

	assert_string_equal(name, expected);
	free(name);
}

/* NULL: there is no such zone; "?": there are several. */
static void expect_parse(const struct profile *p, const struct keys *k, const char *text,
			 const char *expected)
{
	uint32_t key = 0;
	enum keys_lookup found = keys_parse(k, p, text, &key);
	char *name;

	if (!expected || !strcmp(expected, "?")) {
		assert_int_equal(found, expected ? KEYS_AMBIGUOUS : KEYS_NO_ZONE);
		return;
	}
	assert_int_equal(found, KEYS_FOUND);
	name = keys_name(k, p, key);
	assert_string_equal(name, expected);
	free(name);
}

static void merged_a_zone_is_one_key(void **state)
{
	struct profile *p = dsl_profile("main a/b/a/a 1 1\n");
	struct keys *k = keys_for(p, false);
	uint32_t last = dsl_node(p, "main", "a/b/a/a");

	(void)state;
	assert_int_equal(k->count, 3); /* (no zone), a, b */
	assert_int_equal(k->of_node[last], k->of_node[dsl_node(p, "main", "a")]);
	assert_int_equal(k->depth[last], 3);
	assert_true(keys_outermost(k, dsl_node(p, "main", "a")));
	assert_false(keys_outermost(k, last));
	expect_name(p, k, last, "a");
	keys_free(k);
	profile_free(p);
}

static void spread_each_depth_is_a_key(void **state)
{
	struct profile *p = dsl_profile("main a/b/a/a 1 1\nmain b/b 1 1\n");
	struct keys *k = keys_for(p, true);

	(void)state;
	assert_int_equal(k->count, 6); /* (no zone), a, b, a(2), a(3), b(2) */
	expect_name(p, k, dsl_node(p, "main", "a"), "a");
	expect_name(p, k, dsl_node(p, "main", "a/b/a"), "a(2)");
	expect_name(p, k, dsl_node(p, "main", "a/b/a/a"), "a(3)");
	expect_name(p, k, dsl_node(p, "main", "b/b"), "b(2)");
	assert_true(keys_outermost(k, dsl_node(p, "main", "a/b/a/a")));
	keys_free(k);
	profile_free(p);
}

static void keys_keep_their_numbers_as_nodes_come(void **state)
{
	struct profile *p = dsl_profile("main a/b 1 1\n");
	struct keys *k = keys_for(p, true);
	uint32_t a = k->of_node[dsl_node(p, "main", "a")];

	(void)state;
	dsl_node(p, "main", "a/b/a");
	dsl_node(p, "other", "c");
	assert_true(keys_update(k, p));
	assert_int_equal(k->of_node[dsl_node(p, "main", "a")], a);
	assert_int_equal(k->node_count, p->node_count);
	expect_name(p, k, dsl_node(p, "main", "a/b/a"), "a(2)");
	keys_free(k);
	profile_free(p);
}

static void the_order_is_thread_by_thread(void **state)
{
	struct profile *p = dsl_profile("x a 1 1\ny a 1 1\nx a/b 1 1\ny a/b 1 1\nx c 1 1\n");
	struct keys *k = keys_for(p, false);
	uint32_t changes = 0;

	(void)state;
	for (uint32_t i = 1; i < k->node_count; i++)
		changes += p->nodes[k->order[i]].thread != p->nodes[k->order[i - 1]].thread;
	assert_int_equal(changes, 1);
	assert_int_equal(k->order[2], dsl_node(p, "x", "a/b"));
	keys_free(k);
	profile_free(p);
}

/* The definition, for each zone by itself: the least number of components in which it differs from all others. */
static const char *last_components(const char *file, unsigned n)
{
	const char *at = file + strlen(file);

	while (at > file && (at[-1] != '/' || --n))
		at--;
	return at;
}

static const char *told_by(const struct profile *p, uint32_t zone)
{
	const struct profile_zone *z = &p->zones[zone];
	unsigned n = 1;

	for (uint32_t i = 1; i < p->zone_count; i++) {
		const struct profile_zone *other = &p->zones[i];

		if (i == zone || other->line != z->line || strcmp(other->name, z->name) != 0)
			continue;
		while (last_components(z->file, n) > z->file &&
		       !strcmp(last_components(z->file, n), last_components(other->file, n)))
			n++;
	}
	return last_components(z->file, n);
}

static void a_place_is_as_short_as_it_can_be(void **state)
{
	struct profile *p = profile_new();
	uint32_t thread = profile_add_thread(p, 1, 1, "main"), root = p->threads[thread].root;
	struct keys *k = keys_new(false);

	(void)state;
	random_state = 11;
	for (int i = 0; i < 600; i++) {
		char file[16], name[2] = { "ab"[random_below(2)] };
		uint32_t length = random_below(8), zone;

		for (uint32_t c = 0; c < length; c++)
			file[c] = "xy/."[random_below(4)];
		file[length] = '\0';
		zone = profile_add_zone(p, name, file, random_below(2), 0);
		profile_add_node(p, root, zone);
	}
	assert_true(keys_update(k, p));
	for (uint32_t i = 1; i < p->node_count; i++) {
		uint32_t zone = p->nodes[i].zone;
		char wanted[48];

		snprintf(wanted, sizeof(wanted), "%s (%s:%u)", p->zones[zone].name, told_by(p, zone), p->zones[zone].line);
		if (*p->zones[zone].file)
			expect_name(p, k, i, wanted);
	}
	keys_free(k);
	profile_free(p);
}

static void zones_of_one_name_show_their_place(void **state)
{
	struct profile *p = dsl_profile("main a@src/x.c:12/b 1 1\nmain q 1 1\n");
	uint32_t x, y, z;
	struct keys *k;

	(void)state;
	p->nodes[1].zone = x = profile_add_zone(p, "a", "src/x.c", 12, 0);
	y = profile_add_node(p, 0, profile_add_zone(p, "a", "src/y.c", 7, 0));
	z = profile_add_node(p, 0, profile_add_zone(p, "a", "lib/y.c", 7, 0));
	k = keys_for(p, false);
	expect_name(p, k, 1, "a (x.c:12)");
	expect_name(p, k, y, "a (src/y.c:7)"); /* as much of the path as it takes */
	expect_name(p, k, z, "a (lib/y.c:7)");
	expect_name(p, k, dsl_node(p, "main", "q"), "q");
	expect_parse(p, k, "a", "?");
	expect_parse(p, k, "a@x.c:12", "a (x.c:12)");
	expect_parse(p, k, "a@src/x.c:12", "a (x.c:12)");
	expect_parse(p, k, "a@y.c:7", "?");
	expect_parse(p, k, "a@lib/y.c:7", "a (lib/y.c:7)");
	expect_parse(p, k, "a@b/y.c:7", NULL); /* not half a name */
	expect_parse(p, k, "a@x.c:13", NULL);
	expect_parse(p, k, "a (src/y.c:7)", "a (src/y.c:7)"); /* as it is shown */
	assert_int_equal(k->keys[k->of_node[1]].zone, x);
	keys_free(k);
	profile_free(p);
}

static void a_depth_can_be_asked_for_when_spread(void **state)
{
	struct profile *p = dsl_profile("main a/a 1 1\nmain b@f.c:3/b@f.c:3 1 1\n");
	struct keys *merged = keys_for(p, false), *spread = keys_for(p, true);

	(void)state;
	expect_parse(p, spread, "a", "a");
	expect_parse(p, spread, "a(2)", "a(2)");
	expect_parse(p, spread, "a(3)", NULL);
	expect_parse(p, merged, "a(2)", NULL);
	keys_free(merged);
	keys_free(spread);
	profile_free(p);
}

static void odd_names_are_found(void **state)
{
	struct profile *p = dsl_profile("main f(2) 1 1\nmain f 1 1\nmain \x1b[m 1 1\n");
	struct keys *k = keys_for(p, true);

	(void)state;
	expect_parse(p, k, "f(2)", "f(2)"); /* a name as it stands wins */
	assert_int_equal(k->keys[k->of_node[dsl_node(p, "main", "f(2)")]].depth, 1);
	expect_parse(p, k, "\x1b[m", "\\x1B[m");
	expect_parse(p, k, "\\x1B[m", "\\x1B[m");
	expect_parse(p, k, "", NULL);
	expect_parse(p, k, ":1", NULL);
	expect_parse(p, k, "@:1", NULL);
	expect_parse(p, k, "f@:", NULL);
	expect_parse(p, k, "(no zone)", "(no zone)");
	keys_free(k);
	profile_free(p);
}

/* The places that tell zones of one name apart are found again after a rename. */
static void a_renamed_zone_is_told_apart(void **state)
{
	struct profile *p = dsl_profile("main a@x.c:1 1 1\nmain a@y.c:1 1 1\nmain b@z.c:1 1 1\n");
	struct keys *k = keys_for(p, false);
	uint32_t b = dsl_node(p, "main", "b@z.c:1");

	(void)state;
	expect_name(p, k, dsl_node(p, "main", "a@x.c:1"), "a (x.c:1)");
	expect_name(p, k, b, "b");
	assert_true(profile_rename_zone(p, p->nodes[b].zone, "a", "other/x.c", 1));
	expect_name(p, k, b, "a (other/x.c:1)");
	keys_free(k);
	profile_free(p);
}

/* The nodes come in another order in the next run. */
static void a_key_has_one_identity_in_every_run(void **state)
{
	struct profile *p = dsl_profile("main a@x.c:1/a@x.c:1/b 1\n"
					"main a@x.c:2 1\nmain a@y.c:1 1\n");
	struct profile *again = dsl_profile("main a@y.c:1 1\nmain a@x.c:2 1\nmain c/b 1\n"
					    "main a@x.c:1/a@x.c:1 1\n");
	struct keys *k = keys_for(p, true), *merged = keys_for(p, false);
	struct keys *other = keys_for(again, true);

	(void)state;
	assert_int_equal(k->count, 6);
	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t key = keys_by_id(other, k->id[i]);
		char *name = keys_name(k, p, i), *there;

		assert_int_equal(keys_by_id(k, k->id[i]), i);
		assert_int_not_equal(key, PROFILE_NONE);
		there = keys_name(other, again, key);
		assert_string_equal(name, there);
		free(name);
		free(there);
		if (k->keys[i].depth == 1)
			assert_int_equal(merged->keys[keys_by_id(merged, k->id[i])].zone,
					 k->keys[i].zone);
	}
	assert_int_equal(k->id[0], KEY_NO_ZONE);
	assert_int_equal(keys_by_id(k, 0), PROFILE_NONE);
	assert_int_equal(keys_by_id(k, key_id(again, dsl_zone(again, "c"), 1)), PROFILE_NONE);
	keys_free(k);
	keys_free(merged);
	keys_free(other);
	profile_free(p);
	profile_free(again);
}

/* A zone of the program that is called like no zone is another one. */
static void before_there_are_nodes_there_is_no_zone(void **state)
{
	struct profile *p = profile_new();
	struct keys *k = keys_for(p, false);
	uint32_t zone = profile_add_zone(p, "(no zone)", "", 0, 0);

	(void)state;
	assert_int_equal(keys_by_id(k, KEY_NO_ZONE), 0);
	assert_int_equal(keys_by_id(k, 77), PROFILE_NONE);
	assert_true(key_id(p, zone, 1) != KEY_NO_ZONE && key_id(p, zone, 1) != key_id(p, zone, 2));
	keys_free(k);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merged_a_zone_is_one_key),
		cmocka_unit_test(spread_each_depth_is_a_key),
		cmocka_unit_test(keys_keep_their_numbers_as_nodes_come),
		cmocka_unit_test(the_order_is_thread_by_thread),
		cmocka_unit_test(zones_of_one_name_show_their_place),
		cmocka_unit_test(a_place_is_as_short_as_it_can_be),
		cmocka_unit_test(a_depth_can_be_asked_for_when_spread),
		cmocka_unit_test(odd_names_are_found),
		cmocka_unit_test(a_renamed_zone_is_told_apart),
		cmocka_unit_test(a_key_has_one_identity_in_every_run),
		cmocka_unit_test(before_there_are_nodes_there_is_no_zone),
	};

	return cmocka_run_group_tests_name("model: recursion", tests, NULL, NULL);
}

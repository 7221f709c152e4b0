/* SPDX-License-Identifier: MIT */
/*
 * profview_flame: flame graphs of libprofview on a region of known content: its boxes are the rows of proftop report -j -v tree, as
 * wide as their hierarchical times to the tick, each inside of its caller; and what columns show of them is worked out
 * anew.
 */
#include <stdio.h>
#include <stdlib.h>


#include "tests/game_region.h"
#include "tests/json_read.h"
#include "tests/profview_rows.h"

#define BOXES_MOST 256
#define LEVELS_MOST 32

struct fixture {
	struct game g;
	Prof_view *v;
};

static Prof_view *open_view(const char *name)
{
	enum Prof_view_result result;
	Prof_view *v = Prof_view_open(name, 0, &result, NULL, 0);

	assert_non_null(v);
	return v;
}

static int begin(void **state)
{
	struct fixture *f = malloc(sizeof(*f));

	game_begin(&f->g, 'f');
	for (uint32_t i = 0; i < WORD_LOAD(f->g.b.process->zones); i++) /* the zones of the worker that waits */
		if (!strncmp(f->g.b.strings + f->g.b.zones[i].name, "cull", 4) ||
		    !strncmp(f->g.b.strings + f->g.b.zones[i].name, "physics", 7))
			f->g.b.zones[i].flags = REGION_ZONE_WAITING;
	f->v = open_view(f->g.b.name);
	assert_int_equal(Prof_view_update(f->v), Prof_view_OK);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	Prof_view_close(f->v);
	game_end(&f->g);
	free(f);
	return 0;
}

/* ---- proftop report -j -v tree */

static yajl_val document(const char *options, const char *name)
{
	const char *top = getenv("top_builddir");
	char command[512];

	snprintf(command, sizeof(command), "%s/proftop/proftop report -j -v tree %s %s", top ? top : ".", options, name);
	return doc_of(command);
}

/* The box of a row: the one of that name inside of its caller's. */
static struct Prof_view_box box_of(Prof_view *v, yajl_val rows, yajl_val row)
{
	unsigned depth = (unsigned)doc_real(row, "level");
	const char *name = depth ? doc_text(row, "zone") : "all";
	struct Prof_view_box box, around = { .begin = 0, .end = INT64_MAX };

	if (depth)
		around = box_of(v, rows, rows->u.array.values[(size_t)doc_real(row, "parent")]);
	for (unsigned i = 0; Prof_view_flame_box(v, depth, i, &box); i++)
		if (!strcmp(box.name, name) && box.begin >= around.begin && box.end <= around.end) {
			assert_int_equal(box.depth, depth);
			assert_int_equal(box.index, i);
			return box;
		}
	fail_msg("proftop has '%s', the flame graph has not", name);
	return around;
}

static void expect_tree(struct fixture *f, const char *options, const char *name)
{
	yajl_val tree = document(options, name), rows = doc_at(tree, "rows");
	struct Prof_view_flame flame;
	struct Prof_view_info info;
	unsigned boxes = 0;

	assert_int_equal(Prof_view_flame(f->v, &flame), Prof_view_OK);
	assert_int_equal(Prof_view_info(f->v, &info), Prof_view_OK);
	assert_int_equal(flame.whole, info.time);
	assert_int_equal(flame.scale, info.scale);
	for (size_t i = 0; i < rows->u.array.len; i++) {
		yajl_val row = rows->u.array.values[i];
		struct Prof_view_box box;

		if (doc_real(row, "hier") <= 0)
			continue;
		box = box_of(f->v, rows, row);
		boxes++;
		assert_int_equal(box.end - box.begin, box.hier);
		assert_true(fabs((double)box.hier / (double)info.scale - doc_real(row, "hier")) < 1e-6);
		assert_true(fabs((double)box.self / (double)info.scale - doc_real(row, "self")) < 1e-6);
		if (info.scale == 1) {
			assert_int_equal(box.hier, (int64_t)doc_real(row, "hier"));
			assert_int_equal(box.self, (int64_t)doc_real(row, "self"));
		}
	}
	assert_int_equal(boxes, flame.boxes);
	yajl_tree_free(tree);
}

static void boxes_are_the_tree_of_proftop(void **state)
{
	static const char *const slots[] = { "now", "fast", "slow", "run" };
	struct fixture *f = *state;
	char options[64], name[128];

	for (int slot = Prof_view_NOW; slot <= Prof_view_RUN; slot++) {
		snprintf(options, sizeof(options), "--average=%s", slots[slot]);
		assert_int_equal(Prof_view_set_average(f->v, (enum Prof_view_average)slot), Prof_view_OK);
		expect_tree(f, options, f->g.b.name);
	}
	assert_int_equal(Prof_view_set_recursion(f->v, 1), Prof_view_OK);
	expect_tree(f, "--average=run --spread", f->g.b.name);
	assert_int_equal(Prof_view_set_thread(f->v, "main"), Prof_view_OK);
	expect_tree(f, "--average=run --spread -t main", f->g.b.name);
	assert_int_equal(Prof_view_set_average(f->v, Prof_view_NOW), Prof_view_OK);
	assert_int_equal(Prof_view_set_recursion(f->v, 0), Prof_view_OK);
	assert_int_equal(Prof_view_set_frame_number(f->v, 171), Prof_view_OK);
	snprintf(name, sizeof(name), "%s@171", f->g.b.name);
	expect_tree(f, "-t main", name);
	assert_int_equal(Prof_view_set_thread(f->v, NULL), Prof_view_OK);
	expect_tree(f, "-t all", name);
}

/* Those of one caller, work before what waits. */
static void expect_longest_first(Prof_view *v, unsigned depth)
{
	struct Prof_view_box box, before = { 0 }, around;

	for (unsigned i = 0, k = 0; Prof_view_flame_box(v, depth, i, &box); i++, before = box) {
		bool same = i;

		while (Prof_view_flame_box(v, depth - 1, k, &around) && around.end <= box.begin) {
			same = false;
			k++;
		}
		if (same && (before.flags & Prof_view_WAITING) == (box.flags & Prof_view_WAITING))
			assert_true(before.hier >= box.hier);
		if (same)
			assert_true((before.flags & Prof_view_WAITING) <= (box.flags & Prof_view_WAITING));
	}
}

/* The boxes are of the tree in any mode, and in any order. */
static void it_is_of_the_tree_in_any_mode(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_row row;
	struct Prof_view_box box;
	unsigned found = 0;

	assert_int_equal(Prof_view_select_zone(f->v, "raycast"), Prof_view_OK);
	expect_tree(f, "--average=fast", f->g.b.name);
	assert_int_equal(Prof_view_set_mode(f->v, Prof_view_CALL_TREE), Prof_view_OK);
	assert_int_equal(Prof_view_set_sort(f->v, "count", 1), Prof_view_OK);
	expect_tree(f, "--average=fast", f->g.b.name);
	for (unsigned i = 0; Prof_view_row(f->v, i, &row); i++)
		for (unsigned k = 0; Prof_view_flame_box(f->v, row.indent / 2, k, &box); k++)
			if (box.id == row.id) {
				assert_string_equal(box.name, row.name);
				assert_string_equal(box.file, row.file);
				assert_int_equal(box.line, row.line);
				assert_int_equal((box.flags & Prof_view_WAITING) != 0, row.waiting);
				found++;
			}
	assert_true(found > 10);
	for (unsigned depth = 1; depth < 6; depth++)
		expect_longest_first(f->v, depth);
}

/* ---- columns */

static uint64_t random_state;

static int64_t below(int64_t n)
{
	return (int64_t)(builder_random(&random_state) % (uint64_t)n);
}

struct known_level {
	struct known_box boxes[BOXES_MOST];
	unsigned count;
};

static void expect_level(Prof_view *v, const struct known_level *level, const struct known_level *next, unsigned depth,
			 int64_t whole)
{
	struct known_row row = { .boxes = level->boxes, .count = level->count };
	struct Prof_view_box boxes[COLUMNS_MOST], one;

	for (int round = 0; round < 50; round++) {
		int64_t from = below(3) ? below(whole) : -below(whole);
		struct Prof_view_axis axis = { from, from + 1 + below(below(2) ? whole : 1000), 1 + (unsigned)below(COLUMNS_MOST) };
		unsigned count = Prof_view_flame_row(v, depth, &axis, boxes);

		expect_row(&row, &axis, boxes, count);
		for (unsigned i = 0; i < count; i++) {
			int64_t inside = 0;

			assert_true(Prof_view_flame_at(v, depth, &axis, boxes[i].x + (unsigned)below(boxes[i].width), &one));
			expect_same_box(&one, &boxes[i]);
			assert_int_equal(boxes[i].depth, depth);
			for (unsigned k = 0; k < next->count; k++)
				inside += known_overlap(&next->boxes[k], column_begin(&axis, boxes[i].x), column_end(&axis, boxes[i].x));
			if (boxes[i].kind == Prof_view_BOX_MERGED)
				assert_int_equal(boxes[i].self, boxes[i].hier - inside);
		}
	}
}

static void columns_show_what_lies_in_them(void **state)
{
	struct fixture *f = *state;
	struct known_level *levels = calloc(LEVELS_MOST + 1, sizeof(*levels));
	struct Prof_view_flame flame;
	struct Prof_view_box box;
	unsigned boxes = 0;

	random_state = 11;
	assert_int_equal(Prof_view_set_average(f->v, Prof_view_RUN), Prof_view_OK);
	assert_int_equal(Prof_view_flame(f->v, &flame), Prof_view_OK);
	assert_true(flame.depth > 3 && flame.depth < LEVELS_MOST);
	for (unsigned depth = 0; depth < flame.depth; depth++)
		for (unsigned i = 0; Prof_view_flame_box(f->v, depth, i, &box); i++, boxes++)
			levels[depth].boxes[levels[depth].count++] = (struct known_box){ box.begin, box.end, box.name };
	assert_int_equal(boxes, flame.boxes);
	for (unsigned depth = 0; depth < flame.depth; depth++)
		expect_level(f->v, &levels[depth], &levels[depth + 1], depth, flame.whole);
	assert_false(Prof_view_flame_box(f->v, flame.depth, 0, &box));
	free(levels);
}

/* A figure of waits, which go: those around them are as long as if they had not waited. */
static void waits_can_be_left_out(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_flame with, without;
	struct Prof_view_box box;
	int64_t waits = 0;

	assert_int_equal(Prof_view_flame(f->v, &with), Prof_view_OK);
	for (unsigned depth = 0; depth < with.depth; depth++)
		for (unsigned i = 0; Prof_view_flame_box(f->v, depth, i, &box); i++)
			waits += box.flags & Prof_view_WAITING ? box.hier : 0; /* none in another */
	Prof_view_set_flame_waits(f->v, 0);
	assert_int_equal(Prof_view_flame(f->v, &without), Prof_view_OK);
	assert_int_equal(with.whole - without.whole, waits);
	assert_true(waits > 0 && without.whole > 0);
	for (unsigned depth = 0; depth < without.depth; depth++)
		for (unsigned i = 0; Prof_view_flame_box(f->v, depth, i, &box); i++)
			assert_false(box.flags & Prof_view_WAITING);
	Prof_view_set_flame_waits(f->v, 1);
	assert_int_equal(Prof_view_flame(f->v, &without), Prof_view_OK);
	assert_int_equal(with.whole, without.whole);
}

static void names_hold_until_the_next_update(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_axis axis = { 0, 0, COLUMNS_MOST };
	struct Prof_view_box boxes[COLUMNS_MOST], again[COLUMNS_MOST], other[COLUMNS_MOST];
	struct Prof_view_flame flame;
	struct Prof_view_row row;
	unsigned count;

	assert_int_equal(Prof_view_flame(f->v, &flame), Prof_view_OK);
	axis.to = flame.whole;
	count = Prof_view_flame_row(f->v, 1, &axis, boxes);
	Prof_view_flame_row(f->v, 2, &axis, other);
	assert_true(Prof_view_row(f->v, 0, &row));
	assert_int_equal(Prof_view_flame_row(f->v, 1, &axis, again), count);
	for (unsigned i = 0; i < count; i++)
		expect_same_box(&boxes[i], &again[i]);
	Prof_view_set_format(f->v, Prof_view_AUTO, -1, 1);
	count = Prof_view_flame_row(f->v, 1, &axis, boxes);
	for (unsigned i = 0; i < count; i++)
		for (const char *c = boxes[i].name; *c; c++)
			assert_true(*c >= ' ' && *c < 0x7F);
}

static void without_rows_there_are_no_boxes(void **state)
{
	struct fixture *f = *state;
	struct Prof_view_axis axis = { 0, 1000, 10 };
	struct Prof_view_flame flame;
	struct Prof_view_box boxes[10];
	Prof_view *v = open_view(f->g.b.name);

	assert_int_equal(Prof_view_flame(v, &flame), Prof_view_NOTHING);
	assert_true(!flame.whole && !flame.depth && !flame.boxes && *Prof_view_why(v));
	assert_int_equal(Prof_view_flame_row(v, 0, &axis, boxes), 0);
	assert_false(Prof_view_flame_at(v, 0, &axis, 0, boxes));
	assert_false(Prof_view_flame_box(v, 0, 0, boxes));
	assert_int_equal(Prof_view_update(v), Prof_view_OK);
	assert_int_equal(Prof_view_flame(v, &flame), Prof_view_OK);
	assert_int_equal(Prof_view_set_filter(v, "no zone has this name"), Prof_view_OK);
	if (Prof_view_flame(v, &flame) == Prof_view_OK)
		assert_true(flame.boxes <= 1);
	Prof_view_close(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(boxes_are_the_tree_of_proftop, begin, end),
		cmocka_unit_test_setup_teardown(it_is_of_the_tree_in_any_mode, begin, end),
		cmocka_unit_test_setup_teardown(columns_show_what_lies_in_them, begin, end),
		cmocka_unit_test_setup_teardown(waits_can_be_left_out, begin, end),
		cmocka_unit_test_setup_teardown(names_hold_until_the_next_update, begin, end),
		cmocka_unit_test_setup_teardown(without_rows_there_are_no_boxes, begin, end),
	};

	return cmocka_run_group_tests_name("profview: the flame graph", tests, NULL, NULL);
}

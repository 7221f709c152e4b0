/* SPDX-License-Identifier: MIT */
/*
 * model_boxes: rows of boxes as cells, at random against an oracle that looks at each tick; their text, which is as wide
 * as its cells; and trees as flames, whose boxes are as long as the times of their rows.
 */
#include <math.h>

#include "model/boxes/flame.h"
#include "model/boxes/ruler.h"
#include "model/report/columns.h"
#include "tests/model_random.h"

#define BOXES 24
#define CELLS_MOST 64

/* ---- rows */

struct boxes {
	int64_t begin[BOXES], end[BOXES], sums[BOXES + 1];
	struct box_row row;
};

static void boxes_random(struct boxes *b)
{
	int64_t at = random_below(20);

	*b = (struct boxes){ .row = { b->begin, b->end, b->sums, random_below(BOXES + 1) } };
	b->sums[0] = random_below(1000); /* of a level of many */
	for (uint32_t i = 0; i < b->row.count; i++) {
		b->begin[i] = at += random_below(3) ? 0 : random_below(30);
		b->end[i] = at += random_below(5) ? random_below(25) : 0;
		b->sums[i + 1] = b->sums[i] + b->end[i] - b->begin[i];
	}
}

/* How many of the ticks [from, to) box i has. */
static int64_t ticks_of(const struct boxes *b, uint32_t i, int64_t from, int64_t to)
{
	int64_t ticks = 0;

	for (int64_t t = from; t < to; t++)
		ticks += t >= b->begin[i] && t < b->end[i];
	return ticks;
}

static bool touches(const struct boxes *b, uint32_t i, int64_t from, int64_t to)
{
	return ticks_of(b, i, from, to) || (b->begin[i] == b->end[i] && b->begin[i] >= from && b->begin[i] < to);
}

/* One box that has half of it owns it: of two the left or the right one; else all are merged, if there are any. */
static void expect_cell(const struct boxes *b, int64_t from, int64_t to, const struct box_run *run)
{
	uint32_t count = 0, first = UINT32_MAX;
	bool owned = false, owner = false;
	int64_t covered = 0;

	for (uint32_t i = 0; i < b->row.count; i++) {
		int64_t ticks = ticks_of(b, i, from, to);

		if (!touches(b, i, from, to))
			continue;
		first = count++ ? first : i;
		covered += ticks;
		owned |= 2 * ticks >= to - from;
		owner |= 2 * ticks >= to - from && run->box == i;
	}
	if (run->kind == BOX_NONE)
		assert_int_equal(count, 0);
	else if (run->kind == BOX_ONE)
		assert_true(owner && run->count == 1 && run->begins == (b->begin[run->box] >= 0));
	else
		assert_true(!owned && run->box == first && run->count == count);
	if (run->kind == BOX_MERGED)
		assert_true(fabs(run->covered - (double)covered / (double)(to - from)) < 1e-9);
}

static void expect_covered(const struct boxes *b, int64_t from, int64_t to)
{
	int64_t ticks = 0;

	for (uint32_t i = 0; i < b->row.count; i++)
		ticks += ticks_of(b, i, from, to);
	assert_int_equal(box_row_covered(&b->row, from, to), ticks);
}

/* What one run should be. */
static bool goes_on(const struct box_run *run, const struct box_run *next)
{
	return run->kind == next->kind && (run->kind == BOX_NONE || (run->kind == BOX_ONE && run->box == next->box));
}

static void cells_are_what_their_ticks_are(void **state)
{
	(void)state;
	for (random_state = 1; random_state < 3000;) {
		uint64_t seed = random_state;
		struct boxes b;
		struct box_run runs[CELLS_MOST];
		int64_t span = 1 + random_below(random_below(4) ? 300 : 20);
		uint32_t columns = 1 + random_below(CELLS_MOST), count, x = 0;

		boxes_random(&b);
		for (uint32_t i = 0; i < b.row.count; i++) { /* a window that begins at 0 inside of the row */
			b.begin[i] -= 40;
			b.end[i] -= 40;
		}
		count = box_row_runs(&b.row, 0, span, columns, runs);
		for (uint32_t i = 0; i < count; i++) {
			assert_int_equal(runs[i].x, x);
			assert_true(runs[i].cells == 1 || runs[i].kind != BOX_MERGED);
			assert_int_equal(runs[i].from, span * x / columns);
			expect_covered(&b, runs[i].from, runs[i].to);
			expect_covered(&b, runs[i].from, runs[i].to + random_below(30));
			for (uint32_t k = 0; k < runs[i].cells; k++, x++) {
				int64_t from = span * x / columns, to = span * (x + 1) / columns;

				expect_cell(&b, from, to > from ? to : from + 1, &runs[i]);
				if (k + 1 == runs[i].cells)
					assert_int_equal(runs[i].to, to > from ? to : from + 1);
			}
			assert_true(!i || !goes_on(&runs[i - 1], &runs[i]));
		}
		assert_int_equal(x, columns);
		random_state = seed + 1;
	}
}

static void places_are_found(void **state)
{
	static const int64_t begin[] = { 0, 5, 5, 20 }, end[] = { 5, 5, 9, INT64_MAX }, sums[] = { 0, 5, 5, 9, INT64_MAX };
	const struct box_row row = { begin, end, sums, 4 };
	struct box_run runs[4];

	(void)state;
	assert_int_equal(box_row_at(&row, 0), 0);
	assert_int_equal(box_row_at(&row, 5), 2);
	assert_int_equal(box_row_at(&row, 9), UINT32_MAX);
	assert_int_equal(box_row_at(&row, 20), 3);
	assert_int_equal(box_row_at(&row, -1), UINT32_MAX);
	assert_int_equal(box_row_from(&row, 6), 3);
	assert_int_equal(box_row_runs(&row, 7, 7, 4, runs), 1);
	assert_true(runs[0].kind == BOX_NONE && runs[0].cells == 4);
	assert_int_equal(box_row_runs(&row, INT64_MIN / 2, INT64_MAX / 2, 4, runs), 2);
	assert_true(runs[1].kind == BOX_ONE && runs[1].box == 3 && runs[1].cells == 2 && runs[1].begins);
	assert_int_equal(box_row_runs(&row, 30, INT64_MAX, 4, runs), 1);
	assert_true(!runs[0].begins && runs[0].cells == 4);
}

static void expect_label(const struct box_run *run, const char *name, bool whole, enum box_edges edges, bool ascii,
			 const char *expected)
{
	struct box_label label = { .value = "1.5", .whole = whole };
	char text[128];

	snprintf(label.name, sizeof(label.name), "%s", name);
	assert_int_equal(box_run_text(run, &label, edges, ascii, text, sizeof(text)), strlen(expected));
	assert_string_equal(text, expected);
}

static void expect_text(const struct box_run *run, const char *name, bool areas, bool ascii, const char *expected)
{
	expect_label(run, name, false, areas ? BOX_AREAS : BOX_BRACKETS, ascii, expected);
}

static void texts_are_as_wide_as_their_cells(void **state)
{
	static const struct box_label labels[] = {
		{ "", "", "", false }, { "a", "1.5", " ×2", false }, { "update", "", "", true }, { "描画_draw", "+0.25", "", false },
		{ "very_long_name_of_a_zone", "7", "", true }, { "b", "1.5 µs", " ×41", false },
	};
	struct box_run run = { .kind = BOX_ONE, .cells = 10, .begins = true };
	char text[512];

	(void)state;
	/* what has no room as a whole is left out from behind */
	for (run.cells = 14; run.cells > 8; run.cells--) {
		static const char *const texts[] = { "▏b       ", "▏b  1.5 µs", "▏b  1.5 µs ", "▏b  1.5 µs  ", "▏b  1.5 µs   ",
						      "▏b  1.5 µs ×41" };

		box_run_text(&run, &labels[5], BOX_AREAS, false, text, sizeof(text));
		assert_string_equal(text, texts[run.cells - 9]);
	}
	run.cells = 10;
	expect_text(&run, "update", true, false, "▏update   ");
	expect_text(&run, "update", true, true, "|update   ");
	expect_text(&run, "update", false, true, "[update--]");
	expect_text(&run, "update", false, false, "[update──]");
	expect_text(&run, "wait_for_frame", true, false, "▏wait_for…");
	run.begins = false;
	expect_text(&run, "update", false, true, "update---]");
	run.cells = 12;
	expect_text(&run, "update", true, false, "update  1.5 ");
	expect_label(&run, "1 234", true, BOX_AREAS, false, "1 234  1.5  ");
	run.cells = 4;
	expect_label(&run, "1 234", true, BOX_AREAS, false, "    ");
	expect_label(&run, "up", false, BOX_BRACES, false, "up─}");
	run.begins = true;
	expect_label(&run, "up", false, BOX_BRACES, false, "{up}");
	run.cells = 1; /* it has room for one of the two alone */
	expect_label(&run, "up", false, BOX_BRACES, false, "▓");
	expect_label(&run, "up", false, BOX_BRACES, true, "#");
	run.begins = false;
	run.kind = BOX_MERGED;
	run.covered = 0.5;
	expect_text(&run, "", true, false, "▒");
	expect_text(&run, "", true, true, ":");
	run.kind = BOX_ONE;
	for (run.cells = 1; run.cells < 40; run.cells++)
		for (int i = 0; i < 40; i++) {
			run.begins = i & 1;
			box_run_text(&run, &labels[i / 8], i & 2 ? BOX_AREAS : BOX_BRACKETS, i & 4, text, sizeof(text));
			assert_int_equal(text_width(text), run.cells);
			box_run_text(&run, &labels[i / 8], i & 2 ? BOX_AREAS : BOX_BRACES, i & 4, text, 8); /* no room: cut, and whole characters */
			assert_true(strlen(text) < 8 && text_width(text) <= run.cells);
		}
}

/* ---- flames */

static struct flame *flame_of(struct profile *p, struct report **r)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct values *v = values_of_run(p);
	struct flame *f;

	o.view = REPORT_TREE;
	*r = dsl_report(p, v, &o);
	f = flame_make(&(*r)->sections[0], false);
	assert_non_null(f);
	values_free(v);
	return f;
}

/* Each box has its row's length, lies in its parent's, and behind those of its parent that stand before it. */
static void expect_flame(const struct report *r, const struct flame *f)
{
	const struct report_section *s = &r->sections[0];
	uint32_t boxes = 0;

	for (uint32_t i = 0; i < s->row_count; i++) {
		const struct report_row *row = &s->rows[i];
		uint32_t box = f->boxes[i], parent = row->parent < i ? f->boxes[row->parent] : PROFILE_NONE;

		assert_int_equal(box == PROFILE_NONE, row->values[COLUMN_HIER].exact <= 0);
		if (box == PROFILE_NONE)
			continue;
		boxes++;
		assert_int_equal(f->rows[box], i);
		assert_true(box >= f->levels[row->level] && box < f->levels[row->level + 1]);
		assert_int_equal(f->end[box] - f->begin[box], row->values[COLUMN_HIER].exact);
		assert_true(box == f->levels[row->level] || f->begin[box] >= f->end[box - 1]);
		assert_true(parent == PROFILE_NONE ||
			    (f->begin[box] >= f->begin[parent] && f->end[box] <= f->end[parent]));
	}
	assert_int_equal(boxes, f->levels[f->depth]);
	for (uint32_t level = 0; level < f->depth; level++) {
		struct box_row row = flame_level(f, level);

		for (uint32_t i = 0; i < row.count; i++)
			assert_int_equal(row.sums[i + 1] - row.sums[i], row.end[i] - row.begin[i]);
	}
}

static void a_flame_is_its_tree(void **state)
{
	struct profile *p = dsl_profile("main . 10\nmain a 50 1\nmain a/b 30 2\nmain a/c 40 1\nmain d 100 1\n");
	struct report *r;
	struct flame *f = flame_of(p, &r);
	struct box_row level = flame_level(f, 2);

	(void)state;
	expect_flame(r, f);
	assert_int_equal(f->whole, 230);
	assert_int_equal(f->depth, 3);
	assert_int_equal(level.count, 2); /* a is longer than d, c than b */
	assert_int_equal(level.begin[0], 0);
	assert_int_equal(level.end[0], 40);
	assert_int_equal(level.end[1], 70);
	flame_free(f);
	report_free(r);
	profile_free(p);
}

/* The callers of what waits are shorter by it. */
static void a_flame_without_waits(void **state)
{
	struct report_row rows[] = {
		{ .parent = PROFILE_NONE }, { .parent = 0, .level = 1 }, { .parent = 1, .level = 2, .waiting = true },
		{ .parent = 1, .level = 2 }, { .parent = 0, .level = 1, .waiting = true },
	};
	static const int64_t hier[] = { 100, 50, 30, 15, 40 }, lengths[] = { 30, 20, 0, 15, 0 };
	struct report_section section = { .rows = rows, .row_count = 5 };
	struct flame *f;

	(void)state;
	for (int i = 0; i < 5; i++)
		rows[i].values[COLUMN_HIER].exact = hier[i];
	f = flame_make(&section, true);
	assert_non_null(f);
	for (int i = 0; i < 5; i++)
		assert_int_equal(f->boxes[i] == PROFILE_NONE ? 0 : f->end[f->boxes[i]] - f->begin[f->boxes[i]], lengths[i]);
	flame_free(f);
}

static void flames_at_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 60; seed++) {
		struct profile *p;
		struct report *r;
		struct flame *f;

		random_state = seed;
		p = random_profile();
		for (uint32_t i = random_below(30); i; i--)
			random_frame(p);
		f = flame_of(p, &r);
		expect_flame(r, f);
		flame_free(f);
		report_free(r);
		profile_free(p);
	}
}

/* Values that are read while they are written may have children that are longer than their parent. */
static void no_box_leaves_its_parent(void **state)
{
	struct report_row rows[] = {
		{ .parent = PROFILE_NONE }, { .parent = 0, .level = 1 }, { .parent = 1, .level = 2 },
		{ .parent = 0, .level = 1 }, { .parent = 7, .level = 1 },
	};
	static const int64_t hier[] = { 100, 80, INT64_MAX, 50, -5 };
	struct report_section section = { .rows = rows, .row_count = 5 };
	struct flame *f;

	(void)state;
	for (int i = 0; i < 5; i++)
		rows[i].values[COLUMN_HIER].exact = hier[i];
	f = flame_make(&section, false);
	assert_non_null(f);
	assert_int_equal(f->levels[f->depth], 4);
	for (uint32_t box = 0; box < 4; box++)
		assert_true(f->begin[box] >= 0 && f->end[box] <= 100);
	flame_free(f);
	section.row_count = 0;
	f = flame_make(&section, false);
	assert_true(f && !f->depth && !f->whole);
	flame_free(f);
}

/* The boxes of all levels together may be longer than 2^63 ticks. */
static void sums_of_a_flame_may_wrap(void **state)
{
	const int64_t third = INT64_MAX / 9 * 2;
	struct report_row rows[4] = { { .parent = PROFILE_NONE } };
	struct report_section section = { .rows = rows, .row_count = 4 };
	struct box_row level;
	struct flame *f;

	(void)state;
	rows[0].values[COLUMN_HIER].exact = 3 * third;
	for (uint32_t i = 1; i < 4; i++) {
		rows[i] = (struct report_row){ .parent = 0, .level = 1 };
		rows[i].values[COLUMN_HIER].exact = third;
	}
	f = flame_make(&section, false);
	assert_non_null(f);
	level = flame_level(f, 1);
	assert_int_equal(level.count, 3);
	assert_int_equal(box_row_covered(&level, 0, INT64_MAX), 3 * third);
	assert_int_equal(box_row_covered(&level, 1, 3 * third - 1), 3 * third - 2);
	flame_free(f);
}

/* ---- the ruler */

static void expect_ruler(int64_t from_ns, int64_t to_ns, const char *expected)
{
	char text[200];

	ruler_text(from_ns, to_ns, 40, true, text, sizeof(text));
	assert_string_equal(text, expected);
}

/* Marks have the unit of the step between them; far from 0 a larger one: nobody reads seconds off six digits of ms. */
static void marks_can_be_read_far_from_0(void **state)
{
	const int64_t ms = 1000000, s = 1000 * ms;

	(void)state;
	expect_ruler(0, 60 * ms, "|0 ms         |20 ms       |40 ms");
	expect_ruler(9 * s, 9 * s + 60 * ms, "|9000 ms      |9020 ms     |9040 ms");
	expect_ruler(105 * s, 105 * s + 60 * ms, "|105.00 s     |105.02 s    |105.04 s");
	expect_ruler(-105 * s, -105 * s + 60 * ms, "|-105.00 s    |-104.98 s   |-104.96 s");
	expect_ruler(12 * s, 12 * s + 600000, "|12000.0 ms   |12000.2 ms  |12000.4 ms");
}

/* A trace may have any times. */
static void any_times_have_a_ruler(void **state)
{
	char text[200];

	(void)state;
	expect_ruler(INT64_MIN, INT64_MAX, " |-9000000000 s|-3000000000 s");
	expect_ruler(-INT64_C(9000000000000000000), -INT64_C(8999999999000000000), "|-9000000000.0 s    |-8999999999.5 s");
	for (uint32_t columns = 0; columns < 100; columns++)
		ruler_text(INT64_MIN, INT64_MAX, columns, true, text, sizeof(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_what_their_ticks_are),
		cmocka_unit_test(places_are_found),
		cmocka_unit_test(texts_are_as_wide_as_their_cells),
		cmocka_unit_test(a_flame_is_its_tree),
		cmocka_unit_test(a_flame_without_waits),
		cmocka_unit_test(flames_at_random),
		cmocka_unit_test(no_box_leaves_its_parent),
		cmocka_unit_test(sums_of_a_flame_may_wrap),
		cmocka_unit_test(marks_can_be_read_far_from_0),
		cmocka_unit_test(any_times_have_a_ruler),
	};

	return cmocka_run_group_tests_name("model: boxes", tests, NULL, NULL);
}

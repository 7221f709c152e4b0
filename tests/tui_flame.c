/* SPDX-License-Identifier: MIT */
/*
 * The flame: boxes as wide as times, the way among them, zooms, what differs, and clicks.
 */
#include <math.h>

#include "model/boxes/flame.h"
#include "model/report/columns.h"
#include "tests/tui_stage.h"
#include "tui/widgets/boxes.h"

/* 80 cells are the 16 ms of a frame: 5 cells are 1 ms. */
static void begin(struct stage *t, bool coloured)
{
	stage_begin(t, 20);
	t->app.style.coloured = coloured;
	stage_type(t, "48");
	assert_int_equal(t->app.view, VIEW_FLAME);
}

static void boxes_are_as_wide_as_times(void **state)
{
	struct stage t;
	int x, y, all;

	(void)state;
	begin(&t, true);
	stage_expect(&t, "all 16.000 ms   1 column = 200 µs");
	assert_true(stage_find(&t, "all  16.000", &x, &all) && x == 1);
	stage_expect(&t, "▏update  11.000                                        ▏draw  4.000");
	stage_expect(&t, "\nall  HIER 16.000 ms  SELF 1.000 ms  %FRAME 100.0%\n"); /* nobody calls it */
	assert_true(stage_find(&t, "update  11.000", &x, &y) && x == 1 && y == all + 1);
	assert_true(stage_find(&t, "draw  4.000", &x, &y) && x == 56 && y == all + 1);
	assert_true(stage_find(&t, "physics", &x, &y) && x == 21 && y == all + 2);
	assert_true(stage_find(&t, "leaf", &x, &y) && x == 36 && y == all + 4);
	stage_end(&t);
	begin(&t, false);
	stage_expect(&t, "[update  11.000───────────────────────────────────────][draw  4.000───────]");
	stage_expect(&t, "[ai  4.000─────────][physics──────]");
	stage_type(&t, "L");
	stage_expect(&t, "[ai  4.000---------][physics------]");
	stage_end(&t);
}

/* Each box of each frame: as many cells as its part of the whole, to a cell; the cursor's numbers are the tree's. */
static void widths_are_shares(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, false);
	for (uint32_t n = 0; n < 20; n++) {
		const struct report_section *s;
		struct box_run runs[80];
		struct flame *f;

		stage_grow(&t, (struct stage_frame){ 1 + (int)(n * 7 % 11), (int)(n * 5 % 9), (int)(n % 7) });
		s = &table_report(&app_view(&t.app)->table)->sections[0];
		f = flame_make(s, false);
		assert_non_null(f);
		for (uint32_t level = 0; level < f->depth; level++) {
			struct box_row row = flame_level(f, level);
			uint32_t count = box_row_runs(&row, 0, f->whole, 80, runs);

			for (uint32_t i = 0; i < count; i++)
				if (runs[i].kind == BOX_ONE) {
					uint32_t box = f->levels[level] + runs[i].box;
					double hier = (double)s->rows[f->rows[box]].values[COLUMN_HIER].exact;

					assert_true(fabs(hier * 80 / (double)f->whole - runs[i].cells) <= 1);
				}
		}
		flame_free(f);
	}
	stage_end(&t);
}

static void the_cursor_goes_from_box_to_box(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, true);
	assert_string_equal(stage_cursor(&t), "all");
	stage_press(&t, TERM_DOWN);
	assert_string_equal(stage_cursor(&t), "update");
	stage_expect(&t, "update  HIER 11.000 ms  SELF 1.000 ms  %FRAME 68.8%");
	stage_press(&t, TERM_RIGHT);
	assert_string_equal(stage_cursor(&t), "draw");
	stage_press(&t, TERM_RIGHT);
	assert_string_equal(stage_cursor(&t), "draw"); /* the last one */
	stage_press(&t, TERM_LEFT);
	stage_press(&t, 'j');
	assert_string_equal(stage_cursor(&t), "ai");
	stage_press(&t, TERM_DOWN);
	assert_string_equal(stage_cursor(&t), "ray");
	stage_expect(&t, "‹ ai ‹ update ‹ all");
	stage_press(&t, TERM_RIGHT); /* the next on the level, whoever calls it */
	stage_expect(&t, "‹ physics ‹ update ‹ all");
	stage_press(&t, TERM_UP);
	assert_string_equal(stage_cursor(&t), "physics");
	stage_type(&t, "g");
	assert_string_equal(stage_cursor(&t), "all");
	stage_press(&t, TERM_UP);
	assert_string_equal(stage_cursor(&t), "all");
	stage_type(&t, "/leaf\r");
	assert_string_equal(stage_cursor(&t), "leaf");
	stage_press(&t, TERM_DOWN); /* nothing is below */
	assert_string_equal(stage_cursor(&t), "leaf");
	stage_end(&t);
}

static void zooms(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	begin(&t, true);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "only update 11.000 ms");
	stage_expect(&t, "all 16.000 ms");
	assert_false(stage_find(&t, "draw  4", &x, &y));
	assert_true(stage_find(&t, "physics  3.000", &x, &y) && x > 28 && x < 32); /* 4 of 11 ms */
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "only ai 4.000 ms");
	stage_press(&t, TERM_BACKSPACE);
	stage_expect(&t, "only update 11.000 ms");
	stage_type(&t, "/draw\r"); /* it is not in update */
	assert_string_equal(stage_cursor(&t), "draw");
	assert_false(stage_shows(&t, "only update"));
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "only draw");
	stage_press(&t, STAGE_ENTER);
	assert_int_equal(t.app.view, VIEW_GRAPH);
	stage_expect(&t, "path: [draw]");
	stage_press(&t, 'q');
	assert_int_equal(t.app.view, VIEW_FLAME);
	stage_expect(&t, "only draw"); /* what is looked at stays */
	stage_press(&t, 'q');
	assert_int_equal(t.app.view, VIEW_TREE);
	stage_end(&t);
}

/* A zoom is of a row: it stays when the boxes are made anew. */
static void a_zoom_outlives_frames(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, true);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_grow(&t, (struct stage_frame){ 9, 2, 4 });
	stage_expect(&t, "only update 17.000 ms");
	stage_type(&t, "[");
	stage_expect(&t, "PAUSED");
	stage_expect(&t, "only update");
	stage_detach(&t);
	stage_attach(&t, stage_game(5));
	stage_type(&t, "p");
	stage_expect(&t, "only update 11.000 ms");
	stage_end(&t);
}

/* Against the median frame boxes say by how much they differ, and what is not there any more is told. */
static void what_differs_is_told(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	stage_begin(&t, 20);
	t.app.style.coloured = true;
	stage_grow(&t, (struct stage_frame){ 30, 2, 0 });
	stage_grow(&t, (struct stage_frame){ 3, 2, 4 });
	stage_type(&t, "wd8");
	stage_expect(&t, "vs median");
	assert_true(stage_find(&t, "ai  +27.000", &x, &y));
	assert_int_equal(canvas_cell(&t.c, x, y)->role, ROLE_BOX_MOST);
	assert_true(stage_find(&t, "phys", &x, &y));
	assert_int_equal(canvas_cell(&t.c, x, y)->role, ROLE_BOX_PALE);
	stage_expect(&t, "gone:  draw −4.000 ms");
	stage_type(&t, "["); /* one like all others */
	assert_false(stage_shows(&t, "gone:"));
	stage_end(&t);
}

/* Differential, as it stands on the screen. */

static bool is_of_box(const struct cell *cell)
{
	return cell->role >= ROLE_BOX_1 && cell->role < ROLES;
}

/* The cells of the box that begins in this one, up to the next edge or where nothing is drawn; all have its role. */
static int box_width(struct canvas *c, int x, int y)
{
	int end = x + 1;

	while (end < c->width && is_of_box(canvas_cell(c, end, y)) && canvas_cell(c, end, y)->codes[0] != 0x258f) {
		assert_int_equal(canvas_cell(c, end, y)->role, canvas_cell(c, x, y)->role);
		end++;
	}
	return end - x;
}

static void check_role(const struct report_row *row, enum role role)
{
	int64_t delta = row->values[COLUMN_DELTA].exact;

	if (role == ROLE_BOX_MORE || role == ROLE_BOX_MOST)
		assert_true(delta > 0);
	else if (role == ROLE_BOX_LESS || role == ROLE_BOX_LEAST)
		assert_true(delta < 0);
	else
		assert_true(role == ROLE_BOX_PALE || role == ROLE_BOX_CHOSEN);
}

/* A line of boxes: the rows of this level that have time, each as many cells as its share, to a cell. Returns them. */
static int check_level(struct stage *t, uint32_t level, int y)
{
	const struct report_section *s = &table_report(&app_view(&t->app)->table)->sections[0];
	double all = (double)s->rows[0].values[COLUMN_HIER].exact;
	int boxes = 0;

	for (uint32_t i = 0, x = 0; i < s->row_count; i++) {
		double share = (double)s->rows[i].values[COLUMN_HIER].exact / all;
		int width;

		if (s->rows[i].level != level || share <= 0)
			continue;
		while ((int)x < t->c.width && !is_of_box(canvas_cell(&t->c, (int)x, y)))
			x++;
		assert_true((int)x < t->c.width);
		width = box_width(&t->c, (int)x, y);
		if (fabs(width - share * t->c.width) > 1)
			fail_msg("%s is %d cells wide, not %.1f", s->rows[i].name, width, share * t->c.width);
		check_role(&s->rows[i], canvas_cell(&t->c, (int)x, y)->role);
		x += (uint32_t)width;
		boxes++;
	}
	return boxes;
}

static void widths_are_shares_while_scrubbing(void **state)
{
	struct app_options o = stage_options();
	struct stage t;
	int boxes = 0, x, y;

	(void)state;
	stage_open(&t, &o, 200, 50);
	stage_attach(&t, stage_game(3));
	t.app.style.coloured = true;
	for (int n = 0; n < 20; n++)
		stage_grow(&t, (struct stage_frame){ n == 11 ? 30 : 1 + n * 7 % 5, n * 5 % 4, n % 3 });
	stage_type(&t, ":thread main\rwd8");
	stage_expect(&t, "vs median");
	for (int frame = 0; frame < 20; frame++) {
		assert_true(stage_find(&t, "1 column =", &x, &y));
		for (uint32_t level = 0; level < 5; level++)
			boxes += check_level(&t, level, y + 1 + (int)level);
		stage_press(&t, frame % 10 < 4 ? '[' : ']');
	}
	assert_true(boxes >= 20 * 8);
	stage_end(&t);
}

static void what_is_searched_for_stands_out(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	begin(&t, true);
	assert_true(stage_find(&t, "physics", &x, &y));
	assert_int_equal(canvas_cell(&t.c, x, y)->role, boxes_role_of("physics"));
	stage_type(&t, "/ray\r");
	assert_int_equal(canvas_cell(&t.c, x, y)->role, ROLE_BOX_PALE);
	assert_true(stage_find(&t, "ray", &x, &y));
	stage_type(&t, "n");
	assert_int_equal(canvas_cell(&t.c, x, y)->role, ROLE_FOUND);
	stage_end(&t);
}

static void what_waits_is_hidden(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, true);
	t.p->zones[dsl_zone(t.p, "draw")].flags |= ZONE_WAITING;
	stage_data(&t);
	stage_type(&t, "H");
	stage_expect(&t, "without waits");
	assert_false(stage_shows(&t, "draw  4"));
	stage_expect(&t, "1 column = 150 µs"); /* 12 ms are the width */
	stage_type(&t, "H");
	stage_expect(&t, "draw  4.000");
	stage_end(&t);
}

/* In a frame that hardly works, a cell stands for so little time that the unit of the table would show 0. */
static void a_cell_has_a_unit_in_which_it_is_seen(void **state)
{
	static const struct { enum unit unit; const char *all, *little; } cases[] = {
		{ UNIT_AUTO, "all 16.000 ms   1 column = 80.0 µs", "1 column = 5.00 µs" },
		{ UNIT_MS, "all 16.000 ms   1 column = 80.0 µs", "1 column = 5.00 µs" },
		{ UNIT_NS, "all 16000000 ns   1 column = 80.0 µs", "1 column = 5.00 µs" },
		{ UNIT_PCT, "all 100.0 %   1 column = 0.5 %", "1 column = 5.00 µs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct app_options o = stage_options();
		struct stage t;

		o.unit = cases[i].unit;
		stage_open(&t, &o, 200, 24);
		stage_attach(&t, stage_game(5));
		stage_type(&t, ":thread main\r48");
		stage_expect(&t, cases[i].all);
		for (uint32_t zone = PROFILE_NO_ZONE + 1; zone < t.p->zone_count; zone++)
			t.p->zones[zone].flags |= ZONE_WAITING;
		stage_data(&t);
		stage_type(&t, "H");
		stage_expect(&t, cases[i].little);
		stage_end(&t);
	}
}

/* Threads that do nothing but wait, and their waits hidden: no key and no click does harm, and H brings them back. */
static void there_is_no_box(void **state)
{
	static const uint32_t keys[] = { TERM_LEFT, TERM_RIGHT, TERM_UP, TERM_DOWN, TERM_HOME, TERM_END, TERM_PAGE_UP,
					 TERM_PAGE_DOWN, STAGE_ENTER, TERM_BACKSPACE, 'g', 'G', 'U', 'l', 'n', 'w' };
	struct stage t;

	(void)state;
	begin(&t, true);
	t.p->zones[dsl_zone(t.p, "job")].flags |= ZONE_WAITING;
	stage_data(&t);
	stage_type(&t, ":thread pool\r");
	assert_int_equal(t.app.view, VIEW_FLAME);
	stage_expect(&t, "job  5.000");
	stage_type(&t, "H");
	stage_expect(&t, "all of it waits; H shows it");
	for (uint32_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		stage_press(&t, keys[i]);
		stage_press(&t, STAGE_ESCAPE);
		while (t.app.view != VIEW_FLAME)
			stage_press(&t, '8');
		for (int y = 0; y < t.c.height - 2; y++)
			stage_mouse(&t, BUTTON_LEFT, MOUSE_PRESS, 7 * y % 80, y);
		while (t.app.view != VIEW_FLAME)
			stage_press(&t, '8');
	}
	stage_end(&t);
	begin(&t, true);
	t.p->zones[dsl_zone(t.p, "job")].flags |= ZONE_WAITING;
	stage_data(&t);
	stage_type(&t, ":thread pool\rHH");
	stage_expect(&t, "job  5.000");
	stage_end(&t);
}

static void the_mouse(void **state)
{
	struct stage t;
	int x, y;

	(void)state;
	begin(&t, true);
	assert_true(stage_find(&t, "physics", &x, &y));
	stage_click(&t, x, y);
	assert_string_equal(stage_cursor(&t), "physics");
	stage_click(&t, x, y);
	stage_expect(&t, "only physics");
	stage_click(&t, x + 60, y + 4); /* below all boxes */
	assert_string_equal(stage_cursor(&t), "physics");
	stage_mouse(&t, WHEEL_UP, MOUSE_PRESS, x, y);
	assert_string_equal(stage_cursor(&t), "update");
	stage_mouse(&t, WHEEL_DOWN, MOUSE_PRESS, x, y);
	assert_string_equal(stage_cursor(&t), "ai");
	stage_end(&t);
}

/* From the bottom up below the root stands each zone with its self time, and below it its callers. The way into it is
 * the stack, whichever way it is read. */
static void from_the_bottom_up(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, false);
	stage_type(&t, "U");
	stage_expect(&t, "bottom-up");
	stage_expect(&t, "[draw  4.000───────][ai  3.000────]");
	stage_expect(&t, "[update──]");
	stage_type(&t, "/ray\r");
	stage_expect(&t, "ray  SELF 2.000 ms");
	stage_press(&t, TERM_DOWN); /* its callers */
	stage_press(&t, TERM_DOWN);
	assert_string_equal(stage_cursor(&t), "update");
	stage_type(&t, "3");
	stage_expect(&t, "path: update › ");
	stage_expect(&t, " › [ray]");
	stage_type(&t, "qU");
	stage_expect(&t, "[update  11.000");
	stage_type(&t, "1U");
	stage_expect(&t, "bottom-up works in the tree");
	stage_end(&t);
}

/* Any size, any depth; no key does harm where there is nothing. */
static void any_size(void **state)
{
	static const uint32_t keys[] = { TERM_DOWN, TERM_RIGHT, TERM_LEFT, TERM_UP, STAGE_ENTER, TERM_BACKSPACE, 'H', 'g', 'U',
					 TERM_PAGE_DOWN, TERM_END, 'l', '8' };
	struct app_options o = stage_options();

	(void)state;
	for (int size = 1; size < 24; size++)
		for (int with = 0; with < 2; with++) {
			struct stage t;

			stage_open(&t, &o, 4 * size, size);
			if (with)
				stage_attach(&t, stage_game(3));
			for (uint32_t i = 0; i < 100; i++) {
				stage_press(&t, i % 5 ? keys[i * 7 % (sizeof(keys) / sizeof(*keys))] : '8');
				if (i % 9 == 8 && with)
					stage_grow(&t, (struct stage_frame){ (int)(i % 4), 0, 1 });
			}
			stage_end(&t);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_are_as_wide_as_times),
		cmocka_unit_test(widths_are_shares),
		cmocka_unit_test(the_cursor_goes_from_box_to_box),
		cmocka_unit_test(zooms),
		cmocka_unit_test(a_zoom_outlives_frames),
		cmocka_unit_test(what_differs_is_told),
		cmocka_unit_test(widths_are_shares_while_scrubbing),
		cmocka_unit_test(what_is_searched_for_stands_out),
		cmocka_unit_test(what_waits_is_hidden),
		cmocka_unit_test(a_cell_has_a_unit_in_which_it_is_seen),
		cmocka_unit_test(there_is_no_box),
		cmocka_unit_test(the_mouse),
		cmocka_unit_test(from_the_bottom_up),
		cmocka_unit_test(any_size),
	};

	return cmocka_run_group_tests_name("tui: flame", tests, NULL, NULL);
}

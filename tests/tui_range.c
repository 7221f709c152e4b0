/* SPDX-License-Identifier: MIT */
/*
 * A range of frames that is selected in the frame graph, by a drag or by keys: all views are of it, and its sums are those
 * of its frames, to the tick.
 */
#include "tests/tui_stage.h"

#include "model/query/values.h"

/* 60 frames, a column each at the right of the graph; of 41 to 50 each takes a ms more than the one before. */
static void begin(struct stage *t)
{
	struct app_options o = stage_options();
	struct profile *p = stage_game(0);

	for (uint64_t n = 1; n <= 60; n++)
		stage_frame(p, n, (struct stage_frame){ n > 40 && n <= 50 ? (int)n - 37 : 3, 2, 4 });
	stage_open(t, &o, 80, 24);
	stage_attach(t, p);
}

/* The column of a frame, if a column is a frame. */
static int column_of(int frame)
{
	return 79 - (60 - frame);
}

static void drag(struct stage *t, int from, int to)
{
	stage_mouse(t, BUTTON_LEFT, MOUSE_PRESS, from, 3);
	stage_mouse(t, BUTTON_LEFT, MOUSE_DRAG, (from + to) / 2, 3);
	stage_mouse(t, BUTTON_LEFT, MOUSE_DRAG, to, 3);
	stage_mouse(t, BUTTON_LEFT, MOUSE_RELEASE, to, 3);
}

/* The viewed sums are those of the frames, added here cell by cell. */
static void expect_sums(const struct stage *t, uint64_t first, uint64_t last)
{
	const struct profile *p = t->app.at->times.paused;
	const struct values *v = query_values(times_query(&t->app.at->times));
	int64_t self[64] = { 0 }, count[64] = { 0 }, wall = 0, frames = 0;

	assert_non_null(v);
	assert_true(p->node_count < 64);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (f->number < first || f->number > last || f->flags & FRAME_DISCARDED)
			continue;
		frames++;
		wall += f->length;
		for (uint32_t part = 0; part < f->part_count; part++)
			for (uint32_t k = 0; k < f->parts[part].cell_count; k++) {
				struct profile_cell cell = profile_cell(&f->parts[part], k);

				self[cell.node] += cell.self;
				count[cell.node] += cell.count;
			}
	}
	assert_int_equal(v->frames, frames);
	assert_int_equal(v->scale, frames); /* an average frame of them */
	assert_int_equal(v->wall, wall);
	for (uint32_t i = 0; i < p->node_count; i++) {
		assert_int_equal(v->self[i], self[i]);
		assert_int_equal(v->count[i], count[i]);
	}
}

static void a_drag_selects_frames_for_all_views(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	drag(&t, column_of(41), column_of(50));
	stage_expect(&t, "PAUSED  frames 41–50 (10 frames, 0.2 s)  −0.2 s  avg 21.50 ms");
	stage_expect(&t, "10 frames");
	stage_expect(&t, "+ ai             8.500     9.500     2.0");
	stage_expect(&t, "10 frames, 0.2 s selected; all views show averages per frame; Esc goes back");
	expect_sums(&t, 41, 50);
	assert_true(canvas_cell(&t.c, column_of(41), 2)->selected && canvas_cell(&t.c, column_of(50), 2)->selected);
	assert_false(canvas_cell(&t.c, column_of(51), 2)->selected || canvas_cell(&t.c, column_of(40), 2)->selected);
	stage_type(&t, "4");
	stage_expect(&t, "- ai                   8.500     9.500     2.0");
	stage_type(&t, "9");
	stage_expect(&t, "10 selected frames");
	stage_expect(&t, "IN ZONE\n>     50 ");
	stage_expect(&t, "\n      41 ");
	assert_false(stage_shows(&t, "\n      51 "));
	stage_end(&t);
}

static void counters_are_of_the_range(void **state)
{
	struct app_options o = stage_options();
	struct profile *p = stage_game(30);
	uint32_t track = profile_add_track(p, profile_add_counter(p, "bodies", false, false), 0, 0);
	struct stage t;

	(void)state;
	for (int i = 0; i < 30; i++) {
		union profile_number value = { .whole = 100 + i };
		struct profile_change change = { .tick = frame_end(&p->frames[i]), .last = value, .least = value, .most = value };

		assert_true(profile_add_change(p, track, &change));
	}
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, p);
	stage_type(&t, "7p\t|{\r");
	stage_expect(&t, "11 selected frames");
	stage_expect(&t, "> bodies       129     119     129       +1");
	stage_end(&t);
}

static void either_way_it_is_the_same(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	drag(&t, column_of(50), column_of(41));
	stage_expect(&t, "frames 41–50 (10 frames, 0.2 s)");
	expect_sums(&t, 41, 50);
	stage_end(&t);
}

static void keys_select_as_well(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "\t|");
	stage_expect(&t, "PAUSED  frame 60");
	stage_expect(&t, "1 frame, 16.0 ms: Enter selects them, Esc cancels");
	stage_press(&t, TERM_LEFT);
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "PAUSED  frame 58");
	stage_expect(&t, "3 frames, 48.0 ms: Enter selects them");
	stage_type(&t, "{");
	stage_expect(&t, "13 frames, ");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "frames 48–60 (13 frames, ");
	expect_sums(&t, 48, 60);
	assert_false(t.app.screen.graph_focused);
	stage_end(&t);
}

static void esc_lets_go_of_one_thing_at_a_time(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	stage_type(&t, "\t|");
	stage_press(&t, TERM_LEFT);
	stage_press(&t, 0);
	stage_press(&t, TERM_ESCAPE);
	assert_int_equal(t.app.at->times.range, 0);
	assert_true(t.app.screen.graph_focused);
	stage_type(&t, "|[[");
	stage_type(&t, "|"); /* the same key cancels, too */
	assert_int_equal(t.app.at->times.range, 0);
	stage_type(&t, "|[[\r");
	assert_int_not_equal(t.app.at->times.selected_to, 0);
	stage_press(&t, 0);
	stage_press(&t, TERM_ESCAPE);
	assert_int_equal(t.app.at->times.selected_to, 0);
	stage_expect(&t, "PAUSED  frame 55 ");
	stage_expect(&t, "this frame");
	stage_end(&t);
}

static void another_frame_ends_the_selection(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	drag(&t, column_of(41), column_of(50));
	stage_type(&t, "a");
	stage_expect(&t, "a selection is shown; Esc goes back to the frame");
	stage_type(&t, "5");
	stage_expect(&t, "Why compares one frame. Esc goes back to it.");
	assert_false(stage_shows(&t, "d Why"));
	assert_false(stage_shows(&t, "z By zone"));
	stage_type(&t, "1");
	stage_type(&t, "w");
	assert_int_equal(t.app.at->times.selected_to, 0);
	stage_expect(&t, "PAUSED  frame 50 ");
	drag(&t, column_of(41), column_of(50));
	stage_type(&t, "F");
	assert_int_equal(t.app.at->times.selected_to, 0);
	stage_expect(&t, "LIVE");
	stage_end(&t);
}

static void the_worst_frames_are_those_of_the_range(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	drag(&t, column_of(41), column_of(45));
	stage_type(&t, "w");
	stage_expect(&t, "PAUSED  frame 45 ");
	stage_expect(&t, "Longest of 5 selected frames");
	stage_type(&t, "[w");
	stage_expect(&t, "PAUSED  frame 44 ");
	stage_expect(&t, "2nd longest of 5 selected frames");
	stage_type(&t, "wwww");
	stage_expect(&t, "PAUSED  frame 41 ");
	stage_expect(&t, "this is the shortest selected frame; W goes back");
	stage_type(&t, "[w"); /* 40 is outside */
	stage_expect(&t, "PAUSED  frame 50 ");
	stage_expect(&t, "Longest of 60 frames");
	drag(&t, column_of(43), column_of(48));
	stage_type(&t, "w");
	stage_expect(&t, "Longest of 6 selected frames");
	drag(&t, column_of(41), column_of(46));
	stage_type(&t, "w"); /* another range begins again */
	stage_expect(&t, "PAUSED  frame 46 ");
	stage_expect(&t, "Longest of 6 selected frames");
	stage_type(&t, "ppw");
	stage_expect(&t, "Longest of 60 frames");
	stage_end(&t);
}

static void columns_of_several_frames_are_whole(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 300);
	stage_type(&t, "p\t--"); /* four frames a column */
	assert_int_equal(t.app.at->times.graph.zoom, 2);
	drag(&t, 79 - (300 / 4 - 147 / 4), 79 - (300 / 4 - 184 / 4));
	stage_expect(&t, "frames 144–187 (44 frames, ");
	expect_sums(&t, 144, 187);
	drag(&t, 79, 70); /* the newest column is not full */
	stage_expect(&t, "frames 264–300 (37 frames, ");
	stage_end(&t);
}

static void discarded_frames_are_left_out(void **state)
{
	struct app_options o = stage_options();
	struct profile *p = stage_game(5);
	struct stage t;

	(void)state;
	assert_true(profile_add_frame(p, 6, frame_end(&p->frames[4]), 90000000, FRAME_DISCARDED));
	for (uint64_t n = 7; n <= 9; n++)
		stage_frame(p, n, (struct stage_frame){ 4, 2, 4 });
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, p);
	stage_type(&t, "p\t|[[[[[\r");
	stage_expect(&t, "frames 4–9 (5 frames, 83.0 ms)");
	expect_sums(&t, 4, 9);
	stage_end(&t);
}

static void what_is_exported_is_named_by_its_frames(void **state)
{
	struct stage t;

	(void)state;
	begin(&t);
	drag(&t, column_of(41), column_of(50));
	stage_type(&t, ":export html\r");
	stage_expect(&t, "game-41-50.html");
	stage_end(&t);
}

/* Sums of sums: two ranges that meet are together the range of both. */
/* The values shown for a range; the caller frees them. */
static struct values *values_of_range(struct stage *t, uint64_t first, uint64_t last)
{
	struct times *times = &t->app.at->times;
	struct query_options o;

	assert_true(times_select_frames(times, first, last));
	o = *query_options(times_query(times));
	o.first = times->selected_first;
	o.last = times->selected_last;
	assert_true(query_look(times_query(times), &o));
	return values_copy(query_values(times_query(times)), times->paused);
}

static void ranges_that_meet_are_one(void **state)
{
	struct stage t;
	struct values *first, *second, *both;

	(void)state;
	begin(&t);
	stage_type(&t, "p");
	first = values_of_range(&t, 1, 45);
	second = values_of_range(&t, 46, 60);
	both = values_of_range(&t, 1, 60);
	assert_int_equal(both->wall, first->wall + second->wall);
	for (uint32_t i = 0; i < both->node_count; i++)
		assert_int_equal(both->self[i], first->self[i] + second->self[i]);
	for (uint32_t i = 0; i < both->thread_count; i++)
		assert_int_equal(both->time[i], first->time[i] + second->time[i]);
	assert_false(times_select_frames(&t.app.at->times, 61, 90)); /* none is there */
	values_free(first);
	values_free(second);
	values_free(both);
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drag_selects_frames_for_all_views),
		cmocka_unit_test(counters_are_of_the_range),
		cmocka_unit_test(either_way_it_is_the_same),
		cmocka_unit_test(keys_select_as_well),
		cmocka_unit_test(esc_lets_go_of_one_thing_at_a_time),
		cmocka_unit_test(another_frame_ends_the_selection),
		cmocka_unit_test(the_worst_frames_are_those_of_the_range),
		cmocka_unit_test(columns_of_several_frames_are_whole),
		cmocka_unit_test(discarded_frames_are_left_out),
		cmocka_unit_test(what_is_exported_is_named_by_its_frames),
		cmocka_unit_test(ranges_that_meet_are_one),
	};

	return cmocka_run_group_tests_name("tui: a range of frames", tests, NULL, NULL);
}

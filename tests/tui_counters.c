/* SPDX-License-Identifier: MIT */
/*
 * The views of counters, and of events and notes, driven as by hands.
 */
#include <float.h>
#include <math.h>

#include "tests/tui_stage.h"
#include "tui/cells/figures.h"

#define MS INT64_C(1000000)

static union profile_number whole(int64_t n)
{
	return (union profile_number){ .whole = n };
}

static union profile_number real(double n)
{
	return (union profile_number){ .real = n };
}

/* A counter that has value i of `values` in frame i + 1. */
static void track(struct profile *p, const char *name, bool is_real, uint32_t thread,
		  const union profile_number *values, uint32_t count)
{
	uint32_t counter = profile_add_counter(p, name, is_real, thread == PROFILE_NONE);
	uint32_t t = profile_add_track(p, counter, thread, 0);

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_frame *frame = &p->frames[i];
		struct profile_change change = { .tick = frame->start + frame->length, .last = values[i],
						 .least = values[i], .most = values[i] };

		assert_true(profile_add_change(p, t, &change));
		profile_set_now(p, t, &change, values[i], values[i]);
	}
}

static void begin(struct stage *t, struct profile *p)
{
	struct app_options o = stage_options();

	o.average = AVERAGE_FAST;
	stage_open(t, &o, 80, 24);
	stage_attach(t, p);
}

/* `shots` 10 20 5 30 15 in frames 1 to 5; `load` real; `lives` set once. */
static struct profile *counted(void)
{
	struct profile *p = stage_game(5);
	union profile_number shots[] = { whole(10), whole(20), whole(5), whole(30), whole(15) };
	union profile_number load[] = { real(-0.5), real(0.25), real(NAN), real(1e300), real(0.5) };
	union profile_number lives[] = { whole(3) };

	track(p, "shots", false, 0, shots, 5);
	track(p, "load", true, 1, load, 5);
	track(p, "lives", false, 2, lives, 1);
	return p;
}

/* The line from this name on, with one blank where there are several. */
static const char *row_with(struct stage *t, const char *name)
{
	static char line[512];
	char *text = lines_text(&t->c), *at = strstr(text, name);
	size_t length = 0;

	for (size_t i = 0; at && at[i] && at[i] != '\n'; i++)
		if (at[i] != ' ' || at[i + 1] != ' ')
			line[length++] = at[i];
	line[length] = '\0';
	free(text);
	return line;
}

static void without_counters_one_sentence_says_how_to_get_some(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 3);
	stage_type(&t, "7");
	stage_expect(&t, "[7 Count]");
	stage_expect(&t, "Prof_Counter_Set(name, value)");
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "s<>Inu P/x\rG");
	stage_end(&t);
}

static void live_a_row_is_of_the_frames_in_sight(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7");
	stage_expect(&t, "5 visible frames");
	assert_non_null(strstr(row_with(&t, "shots "), "shots 15 5 30 "));
	assert_non_null(strstr(row_with(&t, "shots "), "main"));
	stage_type(&t, "aaa");
	stage_expect(&t, "the newest frame");
	assert_non_null(strstr(row_with(&t, "shots "), "shots 15 15 15 "));
	stage_end(&t);
}

/* Frames that were kept alone are held beside the newest ones: between them a counter went on. */
static void what_it_grew_by_is_a_frame_of_all_that_there_were(void **state)
{
	static const uint64_t numbers[] = { 10, 74, 1000, 1001, 1002, 1003, 1004 };
	struct profile *p = stage_game(0);
	uint32_t counter = profile_add_counter(p, "steps", false, false);
	uint32_t t = profile_add_track(p, counter, 0, 0);
	struct stage stage;

	(void)state;
	for (uint32_t i = 0; i < 7; i++) {
		struct profile_change change;

		stage_frame(p, numbers[i], (struct stage_frame){ 3, 2, 4 });
		change = (struct profile_change){ .tick = p->frames[i].start + p->frames[i].length,
						  .last = whole((int64_t)numbers[i]),
						  .least = whole((int64_t)numbers[i]),
						  .most = whole((int64_t)numbers[i]) };
		if (i < 2)
			p->frames[i].flags = FRAME_KEPT;
		else
			assert_true(profile_add_change(p, t, &change));
		profile_set_now(p, t, &change, change.least, change.most);
	}
	begin(&stage, p);
	stage_type(&stage, "7a");
	stage_expect(&stage, "7 frames in the history");
	assert_non_null(strstr(row_with(&stage, "steps "), "steps 1 004 1 000 1 004 +1 "));
	stage_end(&stage);
}

static void paused_a_row_is_of_the_frame(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7p[");
	stage_expect(&t, "this frame");
	assert_non_null(strstr(row_with(&t, "shots "), "shots 30 30 30 +25 "));
	assert_non_null(strstr(row_with(&t, "lives "), "lives 3 3 3 none "));
	stage_type(&t, "[");
	assert_non_null(strstr(row_with(&t, "shots "), "shots 5 5 5 −15 "));
	stage_end(&t);
}

/* As in all views, also after `:average run`. */
static void selected_a_row_is_of_the_range(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7:last 2\r");
	stage_expect(&t, "2 selected frames");
	assert_non_null(strstr(row_with(&t, "shots "), "shots 15 15 30 "));
	stage_type(&t, ":average run\r");
	stage_expect(&t, "2 selected frames");
	assert_non_null(strstr(row_with(&t, "shots "), "shots 15 15 30 "));
	stage_end(&t);
}

static void enter_goes_to_the_peak(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7G");
	assert_string_equal(row_with(&t, "shots   min"), "shots min 5 max 30");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "PAUSED  frame 4");
	stage_expect(&t, "frame 4: 30");
	stage_end(&t);
}

/* 900 and 1000 stand on a 0, 990 and 1000 could not be told apart then. */
static void a_graph_has_its_zero_or_a_broken_scale(void **state)
{
	struct profile *p = stage_game(5);
	union profile_number near[] = { whole(880), whole(800), whole(1000), whole(900), whole(900) };
	union profile_number nearer[] = { whole(990), whole(991), whole(1000), whole(999), whole(990) };
	union profile_number below[] = { whole(-5), whole(-1), whole(-2), whole(-4), whole(-5) };
	struct stage t;

	(void)state;
	track(p, "near", false, 0, near, 5);
	track(p, "nearer", false, 0, nearer, 5);
	track(p, "below", false, 0, below, 5);
	begin(&t, p);
	stage_type(&t, "7g");
	stage_expect(&t, "\n   −5│");
	stage_expect(&t, "\n    0│");
	stage_type(&t, "j");
	stage_expect(&t, "\n    0│");
	stage_expect(&t, "\n1.00k│");
	stage_type(&t, "j");
	stage_expect(&t, "\n  990┆");
	stage_expect(&t, "\n1.00k│");
	stage_end(&t);
}

#define GRAPH_LINES 6

static char *put_cells(struct stage *t, char *out, int from, int to, int y)
{
	for (int x = from; x < to; x++)
		out = lines_encode(out, canvas_cell(&t->c, x, y)->codes[0]);
	return out;
}

/* The graph of a counter with these values: its scale, and its columns. */
static void expect_graph(bool ascii, const int64_t *values, int count, const char *const lines[GRAPH_LINES])
{
	struct app_options o = stage_options();
	struct profile *p = stage_game((uint64_t)count);
	union profile_number numbers[16];
	struct stage t;
	int x, y;

	for (int i = 0; i < count; i++)
		numbers[i] = whole(values[i]);
	track(p, "n", false, 0, numbers, (uint32_t)count);
	o.ascii = ascii;
	o.average = AVERAGE_FAST;
	stage_open(&t, &o, 80, 17);
	stage_attach(&t, p);
	stage_type(&t, "7");
	assert_true(stage_find(&t, " n   min", &x, &y));
	for (int i = 0; i < GRAPH_LINES; i++) {
		char text[256] = "", *end = put_cells(&t, text, 0, 6, y + 1 + i);

		put_cells(&t, end, t.c.width - count, t.c.width, y + 1 + i);
		assert_string_equal(text, lines[i]);
	}
	stage_end(&t);
}

/* From 0, at the lower border of its line, as much room each way as there is need of. */
static void what_is_below_0_hangs_from_it(void **state)
{
	static const int64_t both[] = { 20, 10, 1, 0, -1, -10, -20, -30 }, less[] = { -50, -25, -5, 0 };
	static const int64_t steps[] = { 1, -1, 0 }, nothing[] = { 0, 0 }, near[] = { -1000, -998, -996, -1000 };

	(void)state;
	expect_graph(false, both, 8,
		     (const char *[]){ "   20│█       ", "    0│██▁▁▁▁▁▁", "     │    ▔███", "     │      ██", "  −30│       █", "     │        " });
	expect_graph(true, both, 8,
		     (const char *[]){ "   20|#       ", "    0|##..____", "     |    '###", "     |      ##", "  -30|       #", "     |        " });
	expect_graph(false, less, 4,
		     (const char *[]){ "    0│██▀▔", "     │██  ", "     │██  ", "     │█   ", "     │█   ", "  −50│█   " });
	expect_graph(false, steps, 3,
		     (const char *[]){ "    1│█  ", "     │█  ", "    0│█▁▁", "     │ █ ", "     │ █ ", "   −1│ █ " });
	expect_graph(false, nothing, 2,
		     (const char *[]){ "     │  ", "     │  ", "     │  ", "     │  ", "     │  ", "    0│▁▁" });
	expect_graph(true, near, 4,
		     (const char *[]){ " -996:##'#", "     |## #", "     |## #", "     |#  #", "     |#  #", "-1.0k|#  #" });
}

static void rows_are_searched(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7/nosuch");
	stage_expect(&t, "not found: nosuch");
	stage_type(&t, "\b\b\b\b\b\b\r/sho\r");
	assert_int_equal(stage_at(&t), 2);
	stage_end(&t);
}

static void rows_are_sorted(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7/sho\rs");
	stage_expect(&t, "Sort by");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "LAST");
	assert_int_equal(table_sorted(&app_view(&t.app)->table), 1);
	assert_int_equal(stage_at(&t), 0);
	stage_type(&t, "GI");
	assert_int_equal(stage_at(&t), 0);
	stage_end(&t);
}

/* A frame more, and what two counters are from then on. */
static void grow(struct stage *t, int64_t bricks, int64_t stones)
{
	const int64_t values[] = { bricks, stones };

	const struct profile_frame *frame;

	stage_frame(t->p, t->p->frame_count + 1, (struct stage_frame){ 3, 2, 4 });
	frame = &t->p->frames[t->p->frame_count - 1];
	for (uint32_t i = 0; i < 2; i++) {
		struct profile_change change = { .tick = frame->start + frame->length, .last = whole(values[i]),
						 .least = whole(values[i]), .most = whole(values[i]) };

		assert_true(profile_add_change(t->p, i, &change));
		profile_set_now(t->p, i, &change, change.least, change.most);
	}
	stage_data(t);
}

static bool bricks_first(struct stage *t)
{
	int x, bricks = 0, stones = 0;

	assert_true(stage_find(t, " bricks ", &x, &bricks) && stage_find(t, " stones ", &x, &stones));
	return bricks < stones;
}

/* As rows of zones do. */
static void rows_that_are_sorted_by_a_value_keep_their_order(void **state)
{
	union profile_number first[] = { whole(100) }, second[] = { whole(-99) };
	struct profile *p = stage_game(1);
	struct stage t;

	(void)state;
	track(p, "bricks", false, 0, first, 1);
	track(p, "stones", false, 1, second, 1);
	begin(&t, p);
	stage_type(&t, "7>");
	stage_expect(&t, "LAST▼");
	assert_true(bricks_first(&t));
	grow(&t, 100, 200);
	assert_false(bricks_first(&t));
	grow(&t, 215, 200);
	assert_false(bricks_first(&t));
	grow(&t, 215, 200); /* two seconds have passed soon */
	assert_true(bricks_first(&t));
	grow(&t, 200, 215);
	assert_true(bricks_first(&t));
	grow(&t, -200, 200); /* as far from 0, and less all the same */
	assert_false(bricks_first(&t));
	grow(&t, 230, 200);
	stage_type(&t, "I");
	assert_false(bricks_first(&t)); /* what is asked for is in order at once: the least first */
	stage_end(&t);
}

static void rows_are_filtered(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7\\li\r");
	stage_expect(&t, "filter: li (hides 2)");
	stage_expect(&t, "1/1");
	stage_end(&t);
}

static void zones_counters_and_events_have_filters_of_their_own(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7\\li\r1");
	assert_false(stage_shows(&t, "filter:"));
	stage_type(&t, "\\phys\r2");
	stage_expect(&t, "filter: phys");
	stage_type(&t, "E");
	assert_false(stage_shows(&t, "filter:"));
	stage_type(&t, "7");
	stage_expect(&t, "filter: li (hides 2)");
	stage_end(&t);
}

static void a_name_is_whole_where_a_column_can_go(void **state)
{
	union profile_number values[] = { whole(-10000000), whole(-20000000), whole(-30000000),
					  whole(-40000000), whole(-62712295) };
	struct profile *p = stage_game(5);
	struct stage t;

	(void)state;
	track(p, "memory_kb", false, 0, values, 5);
	begin(&t, p);
	stage_type(&t, "7");
	stage_expect(&t, "> memory_kb  −62 712 295  ");
	stage_end(&t);
}

static void any_number_can_be_drawn(void **state)
{
	static const double extremes[] = { 0, -1, 1, 1e308, -1e308, DBL_MAX, -DBL_MAX, DBL_MIN, 1e-300,
					   INFINITY, -INFINITY, NAN };
	struct profile *p = stage_game(12);
	union profile_number values[12], wholes[12];
	struct stage t;

	(void)state;
	for (int i = 0; i < 12; i++) {
		values[i] = real(extremes[i]);
		wholes[i] = whole(i % 3 == 0 ? INT64_MIN : i % 3 == 1 ? INT64_MAX : 0);
	}
	track(p, "real", true, 0, values, 12);
	track(p, "whole", false, 0, wholes, 12);
	begin(&t, p);
	for (int width = 1; width < 130; width += 7)
		for (int height = 1; height < 40; height += 3) {
			lines_begin(&t.c, width, height, false);
			stage_type(&t, "7gj");
			for (int i = 0; i < 12; i++)
				stage_type(&t, "[");
			stage_type(&t, "pak");
		}
	stage_end(&t);
}

static void a_short_figure_has_room(void **state)
{
	static const struct {
		double value;
		const char *text;
	} figures[] = {
		{ 0, "0" }, { -999, "-999" }, { 1000, "1.00k" }, { -12345, "-12k" }, { 16.75, "16.75" },
		{ -12.5, "-12.5" }, { 0.25, "0.25" }, { 4e-7, "4e-7" }, { 1e22, "1e22" },
		{ -1e22, "-1e22" }, { -1e300, "-huge" }, { -4e-12, "-0" }, { 9.22e18, "9.22E" },
		{ 999.9, "1.00k" }, { 999999, "1.00M" }, { NAN, "-" }, { 123456, "123k" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		assert_string_equal(figure_short(figures[i].value).text, figures[i].text);
	for (double value = 1e-320; value < 1e308; value *= 1.37) {
		assert_true(strlen(figure_short(value).text) <= FIGURE_SHORT);
		assert_true(strlen(figure_short(-value).text) <= FIGURE_SHORT);
	}
}

/* Events and notes */

static struct profile *eventful(void)
{
	struct profile *p = stage_game(5);
	uint32_t shot = profile_add_event(p, "shot");

	assert_true(profile_add_instant(p, p->frames[0].start + MS, 0, shot, NULL, false));
	assert_true(profile_add_instant(p, p->frames[2].start + MS, 1, PROFILE_NONE, "it\033[2J began",
					false));
	for (int i = 0; i < 9; i++)
		assert_true(profile_add_instant(p, p->frames[3].start + (i + 1) * MS, 0, shot, NULL, false));
	assert_true(profile_add_instant(p, p->frames[3].start + 11 * MS, 0, PROFILE_NONE, "all shot", true));
	return p;
}

static void nothing_happened_and_it_says_how_to_tell(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 3);
	stage_type(&t, "E");
	stage_expect(&t, "Prof_Event(name), Prof_Note(text)");
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "G()");
	stage_expect(&t, "the program reported no event");
	stage_end(&t);
}

static void the_list_follows_the_newest_until_the_cursor_leaves_it(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, eventful());
	stage_type(&t, "E");
	stage_expect(&t, "12 events");
	assert_int_equal(stage_at(&t), 11);
	assert_true(profile_add_instant(t.p, t.p->frames[4].start + MS, 0, 0, NULL, false));
	stage_data(&t);
	assert_int_equal(stage_at(&t), 12);
	stage_type(&t, "gj");
	stage_expect(&t, ">      3");
	assert_true(profile_add_instant(t.p, t.p->frames[4].start + 2 * MS, 0, 0, NULL, false));
	stage_data(&t);
	assert_int_equal(stage_at(&t), 1);
	assert_false(stage_shows(&t, "\033"));
	stage_end(&t);
}

static void enter_goes_to_the_frame_and_frames_to_what_happened(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, eventful());
	stage_type(&t, "Egj");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "PAUSED  frame 3");
	assert_int_equal(stage_at(&t), 1);
	stage_type(&t, ")");
	stage_expect(&t, "PAUSED  frame 4");
	assert_int_equal(stage_at(&t), 2);
	stage_type(&t, "j]");
	stage_expect(&t, "PAUSED  frame 5");
	assert_int_equal(stage_at(&t), 11); /* nothing in it: the last before */
	stage_type(&t, "((");
	stage_expect(&t, "PAUSED  frame 3");
	stage_type(&t, "((");
	stage_expect(&t, "PAUSED  frame 1");
	stage_expect(&t, "no frame in the history has a note or a rare event before this one");
	stage_end(&t);
}

static void what_happened_in_a_frame_stands_below_it(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, eventful());
	assert_false(stage_shows(&t, "◆ it"));
	stage_type(&t, "((");
	stage_expect(&t, "  +1.00 ms pool       ◆ it\\x1B[2J began");
	stage_type(&t, ")");
	stage_expect(&t, "◆ all shot…");
	stage_expect(&t, "  +9.00 ms main       ◇ shot ×9"); /* each has no room, so the event is a row */
	lines_begin(&t.c, 80, 8, false);
	stage_draw(&t);
	assert_false(stage_shows(&t, "all shot"));
	stage_end(&t);
}

/* The rate of a counter is shown if there is space, if rows are sorted by it, and if frames are not marks. */
static void rates_have_their_place(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, counted());
	stage_type(&t, "7");
	stage_expect(&t, "CHANGE  TREND");
	lines_begin(&t.c, 120, 24, false);
	stage_draw(&t);
	stage_expect(&t, "CHANGE  CHANGE/S  TREND");
	lines_begin(&t.c, 80, 24, false);
	stage_type(&t, "sCHANGE/");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "CHANGE  CHANGE/S▼  TREND");
	stage_expect(&t, "+78");
	t.p->frames[t.p->frame_count - 1].flags |= FRAME_GUESSED;
	stage_draw(&t);
	stage_expect(&t, "MAX  CHANGE/S▼  TREND");
	stage_end(&t);
}

/* 60 events in a frame of 16 ms are one row, whatever came between. Rare events
 * stay visible. */
static void an_event_that_comes_in_a_burst_is_one_row(void **state)
{
	struct profile *p = stage_game(5);
	uint32_t evict = profile_add_event(p, "evict"), rare = profile_add_event(p, "rare");
	struct stage t;

	(void)state;
	p->ticks_per_s = 1000 * MS;
	for (int i = 0; i < 60; i++) {
		assert_true(profile_add_instant(p, p->frames[2].start + 1 + i, i % 2, evict, NULL, false));
		if (i == 30)
			assert_true(profile_add_instant(p, p->frames[2].start + 1 + i, 0, rare, NULL, false));
	}
	assert_true(profile_add_instant(p, p->frames[2].start + 100, 0, PROFILE_NONE, "saved", false));
	begin(&t, p);
	stage_type(&t, "E");
	stage_expect(&t, "62 events");
	stage_expect(&t, "(several)  ◇ evict ×3 750/s  (60)");
	stage_expect(&t, "main       ◇ rare");
	stage_expect(&t, "main       ◆ saved");
	assert_int_equal(stage_at(&t), 2);
	stage_type(&t, "k");
	for (int i = 0; i < 60; i++) /* they go on: the cursor stays on the row of both */
		assert_true(profile_add_instant(p, p->frames[4].start + 1 + i, 0, evict, NULL, false));
	stage_data(&t);
	stage_expect(&t, "(several)  ◇ evict ×1 875/s  (120)"); /* 60 from the one burst to the next, two frames later */
	assert_int_equal(stage_at(&t), 2);
	stage_type(&t, "/evict\rgp1((");
	stage_expect(&t, "◆ saved");
	stage_expect(&t, "(several)  ◇ evict ×60");
	stage_type(&t, "E\\rare\r");
	stage_expect(&t, "◇ rare");
	assert_false(stage_shows(&t, "evict ×"));
	stage_end(&t);
}

static void a_fresh_note_is_in_the_status_line(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, eventful());
	stage_expect(&t, "◆ main: all shot…");
	stage_type(&t, "p");
	assert_false(stage_shows(&t, "◆ main: all shot…"));
	stage_type(&t, "p");
	t.p->now_tick += 11000 * MS;
	stage_draw(&t);
	assert_false(stage_shows(&t, "◆ main: all shot…"));
	assert_true(profile_add_instant(t.p, t.p->now_tick, 0, PROFILE_NONE,
					"what is longer than there is room for ends in some dots", false));
	stage_draw(&t);
	stage_expect(&t, "◆ main: what is longer than there is room for ends in …\n");
	assert_true(profile_add_instant(t.p, t.p->now_tick, 0, PROFILE_NONE,
					"hitch 30: 44.1 ms of work, 39.0 more than usual", false));
	stage_draw(&t);
	stage_expect(&t, "   ◆ main: hitch 30: 44.1 ms of work, 39.0 more than usual\n");
	stage_end(&t);
}

static void views_outlive_the_program(void **state)
{
	struct stage t;

	(void)state;
	for (const char *view = "7E"; *view; view++) {
		begin(&t, *view == '7' ? counted() : eventful());
		stage_press(&t, (uint32_t)*view);
		stage_detach(&t);
		stage_type(&t, "jG/x\rp[");
		stage_attach(&t, *view == '7' ? counted() : eventful());
		stage_type(&t, "pjG[p1p");
		stage_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_figure_has_room),
		cmocka_unit_test(without_counters_one_sentence_says_how_to_get_some),
		cmocka_unit_test(live_a_row_is_of_the_frames_in_sight),
		cmocka_unit_test(what_it_grew_by_is_a_frame_of_all_that_there_were),
		cmocka_unit_test(paused_a_row_is_of_the_frame),
		cmocka_unit_test(selected_a_row_is_of_the_range),
		cmocka_unit_test(enter_goes_to_the_peak),
		cmocka_unit_test(a_graph_has_its_zero_or_a_broken_scale),
		cmocka_unit_test(what_is_below_0_hangs_from_it),
		cmocka_unit_test(rows_are_searched),
		cmocka_unit_test(rows_are_sorted),
		cmocka_unit_test(rows_that_are_sorted_by_a_value_keep_their_order),
		cmocka_unit_test(rows_are_filtered),
		cmocka_unit_test(zones_counters_and_events_have_filters_of_their_own),
		cmocka_unit_test(a_name_is_whole_where_a_column_can_go),
		cmocka_unit_test(any_number_can_be_drawn),
		cmocka_unit_test(nothing_happened_and_it_says_how_to_tell),
		cmocka_unit_test(the_list_follows_the_newest_until_the_cursor_leaves_it),
		cmocka_unit_test(enter_goes_to_the_frame_and_frames_to_what_happened),
		cmocka_unit_test(what_happened_in_a_frame_stands_below_it),
		cmocka_unit_test(rates_have_their_place),
		cmocka_unit_test(an_event_that_comes_in_a_burst_is_one_row),
		cmocka_unit_test(a_fresh_note_is_in_the_status_line),
		cmocka_unit_test(views_outlive_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

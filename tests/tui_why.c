/* SPDX-License-Identifier: MIT */
/*
 * Why a frame took as long as it did, driven as by hands: d, D, the view 5, and the column of the others.
 */
#include "tests/tui_stage.h"

/* Frame 6 of 9 has 20 ms more in ai, in twice as many calls; pool takes 1 ms more in it, and main waits less. */
static struct profile *hitch(void)
{
	struct profile *p = stage_game(5);
	uint32_t vsync = profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);

	assert_int_not_equal(vsync, PROFILE_NONE);
	dsl_grow(p, "frame 6 36000000\n"
		    "main . 1000000 0\n"
		    "main update@loop.c:10 1000000 1 1000000\n"
		    "main update@loop.c:10/ai@ai.c:20 23000000 4 900000\n"
		    "main update@loop.c:10/ai@ai.c:20/ray 1000000 10 100000\n"
		    "main update@loop.c:10/physics 2000000 1 900000\n"
		    "main update@loop.c:10/physics/ray 1000000 5 100000\n"
		    "main update@loop.c:10/walk 2000000 2 800000\n"
		    "main draw 4000000 1 700000\n"
		    "main new 1000000 3 700000\n"
		    "7 job 2000000 1 2000000\n"
		    "8 job 4000000 1 3000000\n");
	for (uint64_t n = 7; n <= 9; n++)
		stage_frame(p, n, (struct stage_frame){ 3, 2, 4 });
	return p;
}

static void begin(struct stage *t, int width, int height)
{
	struct app_options o = stage_options();

	stage_open(t, &o, width, height);
	stage_attach(t, hitch());
}

static uint32_t lines_with(struct stage *t, const char *what)
{
	char *text = lines_text(&t->c);
	uint32_t count = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		count++;
	free(text);
	return count;
}

/* The lines one below the other with one blank where there are several. */
static void expect_row(struct stage *t, const char *row)
{
	char *text = lines_text(&t->c);
	size_t length = 0;

	for (size_t i = 0; text[i]; i++)
		if (text[i] != ' ' || text[i + 1] != ' ')
			text[length++] = text[i];
	text[length] = '\0';
	if (!strstr(text, row))
		fail_msg("there is no '%s' in:\n%s", row, text);
	free(text);
}

/* Most turns serve one request, some about fifty: the longest is compared with
 * one of these, and the title says why. D then takes the median frame. */
static void a_turn_of_another_kind_is_compared_with_its_like(void **state)
{
	struct app_options o = stage_options();
	char text[1024] = "";
	struct stage t;

	(void)state;
	for (int n = 1; n <= 12; n++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "frame %d %d\nmain get %d %d\n", n,
			 n % 3 ? 1000000 : 48000000 + n * 1000000, n % 3 ? 1000000 : 48000000 + n * 1000000, n % 3 ? 1 : 48 + n / 3);
	stage_open(&t, &o, 130, 30);
	stage_attach(&t, dsl_profile(text));
	stage_type(&t, "pwd");
	expect_row(&t, "60.00 ms: 6.000 ms longer than the typical similar frame (#6, 54.0 ms) 52 calls, the median frame has 1");
	stage_type(&t, "[");
	stage_type(&t, "]");
	stage_expect(&t, "52 calls, the median frame has 1");
	stage_type(&t, "1");
	stage_expect(&t, "vs similar ms");
	stage_type(&t, "5D");
	stage_expect(&t, "the usual frame");
	stage_expect(&t, "a similar frame"); /* another one than the median frame: two rows */
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "than the median frame");
	assert_false(stage_shows(&t, "the median frame has 1"));
	stage_end(&t);
}

/* The heading is that of the measure that the rows have. */
static void the_heading_is_of_the_measure(void **state)
{
	static const int64_t cpu[2][DSL_CPU_MEASURES] = { { 5000000, 1000000, -2, -2, 1200, -2 }, { 16000000, -1, -2, -2, 1200, -2 } };
	struct stage t;

	(void)state;
	begin(&t, 100, 30);
	for (uint64_t n = 1; n <= 9; n++)
		dsl_cpu_amounts(t.p, n, "main", cpu[n == 6]);
	stage_data(&t);
	stage_type(&t, "pwd");
	expect_row(&t, "36.00 ms: 20.00 ms longer than the median frame");
	stage_type(&t, "&cpu");
	stage_press(&t, STAGE_ENTER);
	expect_row(&t, "cpu of main 16.00 ms: 11.00 ms more than the median frame (#");
	stage_expect(&t, ", 5.00 ms)");
	assert_false(stage_shows(&t, "longer than"));
	stage_type(&t, "&faults");
	stage_press(&t, STAGE_ENTER);
	expect_row(&t, "faults of main 1200: as much as the median frame (#");
	stage_type(&t, "&off_cpu");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "off_cpu of main is not fully known");
	stage_end(&t);
}

static void p_w_d_puts_the_guilty_zone_in_the_first_row(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd");
	stage_expect(&t, "[5 Why]");
	stage_expect(&t, "PAUSED  frame 6");
	expect_row(&t, "36.00 ms: 20.00 ms longer than the median frame (#9, 16.0 ms)");
	/* 3 ms in 2 calls, 23 ms in 4: two more calls would have taken 3 ms */
	expect_row(&t, "> ai ‹ update +20.000 ██████████ slower calls +3.000 +17.000 - 2→4");
	stage_end(&t);
}

/* The view sets the frame that p and w choose against the median by itself: d does not end that. */
static void p_w_d_ends_there_from_the_view_itself_too(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "5pw");
	stage_expect(&t, "[5 Why]");
	stage_expect(&t, "20.00 ms longer than the median frame (#9,");
	assert_false(stage_shows(&t, "d Why") || stage_shows(&t, "d No why"));
	stage_type(&t, "d");
	stage_expect(&t, "[5 Why]");
	stage_expect(&t, "20.00 ms longer than the median frame (#9,");
	stage_expect(&t, "Why is open; d closes it");
	stage_type(&t, "ppwd"); /* in the next pause likewise */
	stage_expect(&t, "[5 Why]");
	stage_expect(&t, "Why is open; d closes it");
	stage_type(&t, "d");
	stage_expect(&t, "[1 Self]");
	stage_type(&t, "d"); /* asked for: the second ends it */
	stage_expect(&t, "[5 Why]");
	stage_type(&t, "d");
	stage_expect(&t, "[1 Self]");
	stage_end(&t);
}

static void a_frame_that_was_chosen_before_is_set_against_the_median_too(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pw5");
	stage_expect(&t, "[5 Why]");
	stage_expect(&t, "20.00 ms longer than the median frame (#9,");
	stage_end(&t);
}

static void rows_add_up_to_the_difference_of_the_thread(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwdR");
	expect_row(&t, "walk ‹ update +1.000 more calls +1.000 0.000 - 1→2");
	expect_row(&t, "new +1.000");
	expect_row(&t, "new +1.000 - - 0→3");
	expect_row(&t, "leaf ‹ walk(2) ‹ update −1.000");
	expect_row(&t, "sum +20.000 ms thread main");
	stage_end(&t);
}

static void a_zone_that_calls_itself_is_one_row(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd");
	expect_row(&t, "leaf ‹ walk ‹ update −1.000");
	assert_int_equal(lines_with(&t, "walk ×"), 0);
	expect_row(&t, "sum +20.000 ms thread main");
	stage_end(&t);
}

static void z_makes_a_row_of_each_zone(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "z");
	stage_expect(&t, "works in Why");
	stage_type(&t, "pwdz");
	stage_expect(&t, "by zone");
	expect_row(&t, " ai +20.000");
	assert_int_equal(lines_with(&t, "‹"), 0);
	expect_row(&t, "sum +20.000 ms thread main");
	stage_type(&t, "z");
	expect_row(&t, "ai ‹ update +20.000");
	stage_end(&t);
}

static void other_threads_have_headings_and_sums_of_their_own(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd");
	expect_row(&t, "thread main +20.000");
	expect_row(&t, "> ai ‹ update +20.000"); /* where the cursor begins */
	expect_row(&t, "thread pool +1.000");
	stage_press(&t, TERM_END);
	expect_row(&t, "> job +1.000");
	expect_row(&t, "sum +1.000 ms thread pool");
	stage_type(&t, "T"); /* a thread that is chosen is the only one */
	stage_press(&t, TERM_HOME);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_DOWN);
	stage_press(&t, STAGE_ENTER);
	assert_false(stage_shows(&t, "thread pool "));
	stage_end(&t);
}

static void what_waits_is_a_row_and_told_with_the_sum(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	dsl_grow(t.p, "frame 10 16000000\nmain . 6000000 0\nmain vsync 10000000 1\n"
		      "frame 11 13000000\nmain . 6000000 0\nmain vsync 7000000 1\n");
	app_data(&t.app, 0);
	stage_type(&t, "pdDprev");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "than the previous frame");
	expect_row(&t, "13.00 ms: 3.000 ms shorter (3.000 ms of it waiting) than the previous frame");
	expect_row(&t, "> vsync −3.000 ░░░░░░░░░░ waited less");
	expect_row(&t, "sum −3.000 ms (−3.000 waiting)");
	stage_end(&t);
}

static void waiting_that_is_no_part_of_the_difference_is_set_against_the_rest(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 130, 30);
	dsl_grow(t.p, "frame 10 16000000\nmain . 6000000 0\nmain vsync 10000000 1\n"
		      "frame 11 15000000\nmain . 14000000 0\nmain vsync 1000000 1\n");
	app_data(&t.app, 0);
	stage_type(&t, "pdDprev");
	stage_press(&t, STAGE_ENTER);
	expect_row(&t, "15.00 ms: 1.000 ms shorter (waiting −9.000 ms, the rest +8.000 ms) than the previous frame");
	stage_end(&t);
}

/* A worker is shown alone, and it is long because main was late: the first line says whose rows they are not. */
static void rows_of_another_thread_than_the_frames_are_said_to_be_that(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd");
	assert_false(stage_shows(&t, " only;"));
	stage_type(&t, ".");
	expect_row(&t, "pool only; main ends the frames (press , for main)");
	expect_row(&t, "36.00 ms: 20.00 ms longer than the median frame (#9, 16.0 ms)");
	stage_type(&t, ",");
	assert_false(stage_shows(&t, " only;"));
	expect_row(&t, "> ai ‹ update +20.000");
	stage_type(&t, "..");
	expect_row(&t, "pool only; main ends the frames (press T for main)");
	stage_end(&t);
}

static void live_d_pauses_on_the_longest_in_sight_and_goes_back(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "2d");
	stage_expect(&t, "PAUSED  frame 6");
	stage_expect(&t, "[5 Why]");
	stage_expect(&t, "paused at the longest visible frame");
	stage_type(&t, "d");
	stage_expect(&t, "[2 Hier]");
	assert_false(stage_shows(&t, "vs median"));
	stage_type(&t, "d");
	stage_expect(&t, "[5 Why]");
	stage_press(&t, STAGE_ESCAPE); /* back, without the comparison; the frame stays */
	stage_expect(&t, "[2 Hier]");
	stage_expect(&t, "PAUSED  frame 6");
	assert_false(stage_shows(&t, "vs median"));
	stage_end(&t);
}

static void every_view_of_zones_has_the_difference_as_a_column(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd1");
	expect_row(&t, "ai 23.000 24.000 4 +20.000");
	expect_row(&t, "leaf 0.000 0.000 0 −1.000");
	stage_type(&t, "2");
	expect_row(&t, "update 1.000 30.000 1 +19.000");
	stage_type(&t, "4");
	expect_row(&t, "vs median ms");
	expect_row(&t, "- update 1.000 30.000 1 +19.000");
	stage_type(&t, "1/ai\r\r");
	stage_expect(&t, "[3 Graph]");
	expect_row(&t, "- ai 23.000 24.000 4 +20.000");
	stage_type(&t, "7E");
	assert_false(stage_shows(&t, "vs median ms"));
	stage_end(&t);
}

static void it_stays_when_another_frame_is_chosen(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd[");
	expect_row(&t, "as long as the median frame (#9,");
	stage_expect(&t, "no zone took more or less time");
	stage_type(&t, "]");
	expect_row(&t, "> ai ‹ update +20.000");
	stage_type(&t, "]]]");
	stage_expect(&t, "this is the median frame itself");
	stage_type(&t, "1[[[");
	stage_expect(&t, "vs median ms");
	expect_row(&t, "ai 23.000 24.000 4 +20.000");
	stage_type(&t, "p"); /* live there is no frame */
	assert_false(stage_shows(&t, "vs median"));
	stage_type(&t, "pa"); /* nor is the whole run one */
	assert_false(stage_shows(&t, "vs median ms"));
	stage_type(&t, "5");
	stage_expect(&t, "a goes back to the frame");
	stage_end(&t);
}

static void another_base_is_chosen_from_a_list(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "p[[[[[mk1D"); /* frame 4 */
	stage_expect(&t, "Compare the frame with");
	expect_row(&t, "the shortest frame frame 9, 16.00 ms");
	expect_row(&t, "median and similar frame 9, 16.00 ms"); /* one frame, one row */
	assert_false(stage_shows(&t, "a similar frame"));
	stage_press(&t, TERM_END);
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "this is mark k itself");
	stage_type(&t, "w");
	expect_row(&t, "than mark k (#4, 16.0 ms)");
	stage_expect(&t, "vs mark k 16.0");
	stage_end(&t);
}

static void a_marked_base_goes_with_its_mark(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "p[[[[[mk1D");
	stage_press(&t, TERM_END);
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "wmk"); /* the mark is put elsewhere */
	stage_expect(&t, "this is mark k itself");
	stage_type(&t, "p"); /* and gone with its run */
	stage_detach(&t);
	stage_attach(&t, hitch());
	stage_type(&t, "p");
	stage_expect(&t, "mark k is not in the history");
	stage_end(&t);
}

static void the_frame_before_as_a_base_follows_the_frame(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd1Dprev");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "[1 Self]");
	stage_expect(&t, "vs previous ms");
	stage_type(&t, "5");
	expect_row(&t, "than the previous frame (#5,");
	stage_type(&t, "]");
	expect_row(&t, "than the previous frame (#6,");
	stage_type(&t, "gg{{");
	stage_expect(&t, "the previous frame is not in the history");
	stage_end(&t);
}

static void against_the_average_it_is_rounded(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwDavera");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "compared with the average");
	expect_row(&t, "rounded");
	stage_type(&t, "1");
	stage_expect(&t, "vs average ms");
	stage_end(&t);
}

static void rows_are_searched_and_drilled(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd/leaf\r");
	expect_row(&t, "> leaf ‹ walk ‹ update −1.000");
	stage_press(&t, STAGE_ENTER);
	stage_expect(&t, "path: update › walk › walk › [leaf]");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "[5 Why]");
	expect_row(&t, "> leaf ‹ walk");
	stage_end(&t);
}

static void rows_are_those_of_a_path_or_a_filter(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwd/leaf\rP");
	stage_expect(&t, "only stacks with");
	expect_row(&t, "sum −1.000 ms");
	stage_type(&t, "P\\AI\r");
	expect_row(&t, "ai ‹ update +20.000");
	assert_int_equal(lines_with(&t, "walk"), 0);
	expect_row(&t, "sum +20.000 ms");
	stage_end(&t);
}

static void rows_are_sorted_and_have_units(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "pwdgs");
	stage_expect(&t, "Sort by");
	stage_press(&t, TERM_HOME);
	stage_press(&t, STAGE_ENTER);
	expect_row(&t, "> ai ‹ update");
	stage_type(&t, "I");
	expect_row(&t, "leaf ‹ walk ‹ update −1.000");
	stage_type(&t, "%%%%");
	expect_row(&t, "+55.6");
	stage_end(&t);
}

static void the_cursor_stays_on_its_zone_in_other_views(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 110, 30);
	stage_type(&t, "@Rpwd/leaf\r1");
	assert_string_equal(stage_cursor(&t), "leaf");
	stage_go(&t, "walk");
	stage_type(&t, "5");
	expect_row(&t, "> walk ‹ update +1.000");
	stage_end(&t);
}

/* On a small screen, too, and wherever the cursor was: what made the frame longer is what one sees. */
static void the_cause_is_seen_first(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 8);
	stage_type(&t, "pw/leaf\rd");
	expect_row(&t, "> ai ‹ update");
	stage_press(&t, TERM_END);
	assert_true(app_view(&t.app)->table.top > 0); /* or nothing was shown here */
	stage_type(&t, "[");
	stage_type(&t, "]");
	expect_row(&t, "> ai ‹ update");
	stage_press(&t, TERM_END);
	stage_type(&t, "%"); /* the same frame */
	assert_true(app_view(&t.app)->table.top > 0);
	stage_end(&t);
}

static void without_a_frame_it_says_how_to_get_to_one(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	begin(&t, 80, 24);
	stage_type(&t, "5");
	stage_expect(&t, "Press d to pause at the longest visible frame");
	stage_expect(&t, "9 frames  p50 16.0 ms");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "[1 Self]");
	stage_end(&t);
	stage_open(&t, &o, 80, 24);
	stage_attach(&t, stage_game(0));
	stage_type(&t, "d");
	stage_expect(&t, "no frames yet");
	stage_type(&t, "D5dD");
	stage_detach(&t);
	stage_type(&t, "dD5");
	stage_end(&t);
}

/* A user who chooses nothing is where they were: live, or paused. */
static void a_list_that_is_given_up_leaves_all_as_it_was(void **state)
{
	struct stage t;

	(void)state;
	begin(&t, 80, 24);
	stage_type(&t, "D");
	stage_expect(&t, "PAUSED");
	stage_expect(&t, "median and similar");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED"); /* a frame that is paused is never lost */
	stage_expect(&t, "[1 Self]");
	stage_type(&t, "pp[[D");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED  frame 7 ");
	stage_type(&t, "Fd");
	stage_type(&t, "D");
	stage_press(&t, STAGE_ESCAPE);
	stage_expect(&t, "PAUSED");
	stage_expect(&t, "[5 Why]");
	stage_end(&t);
}

/* Also where there is hardly room, with any key. */
static void it_is_drawn_in_any_size(void **state)
{
	(void)state;
	for (int width = 1; width <= 61; width += 6)
		for (int height = 1; height <= 31; height += 3) {
			struct stage t;

			begin(&t, width, height);
			stage_type(&t, "5pwjjDkGg");
			stage_press(&t, STAGE_ESCAPE);
			stage_type(&t, "s");
			stage_press(&t, STAGE_ESCAPE);
			stage_type(&t, "<>I%I%%%%1W5gg");
			if (width >= 19 && height >= 3)
				stage_expect(&t, "ai");
			stage_end(&t);
		}
}

static void that_a_part_is_missing_is_said(void **state)
{
	struct app_options o = stage_options();
	struct profile_part lost = { .thread = 0, .flags = PART_LAPPED, .first_frame = 10 };
	struct profile *p = hitch();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 110, 30);
	stage_frame(p, 10, (struct stage_frame){ 20, 2, 4 });
	assert_true(profile_set_part(p, 10, &lost));
	stage_attach(&t, p);
	stage_type(&t, "pd");
	stage_expect(&t, "1 slice incomplete");
	stage_type(&t, "w");
	assert_false(stage_shows(&t, "known of thread"));
	stage_end(&t);
}

/* A thread that the base does not know has nothing new. */
static void that_a_part_of_another_thread_is_missing_is_said(void **state)
{
	struct app_options o = stage_options();
	struct profile_part lost = { .thread = 2, .flags = PART_LAPPED, .first_frame = 9 };
	struct profile *p = hitch();
	struct stage t;

	(void)state;
	lost.bound = lost.end = p->frames[8].start;
	assert_true(profile_set_part(p, 9, &lost));
	stage_open(&t, &o, 110, 30);
	stage_attach(&t, p);
	stage_type(&t, "pwd");
	stage_expect(&t, "(#9, 16.0 ms)");
	stage_expect(&t, "thread pool (incomplete)");
	stage_expect(&t, "thread main");
	stage_press(&t, TERM_END);
	stage_expect(&t, "1 slice incomplete");
	stage_end(&t);
}

/* Numbers that nobody would have: the sum is what it is. */
static void hostile_numbers_are_only_numbers(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 100, 30);
	t.p = profile_new();
	assert_int_equal(profile_add_thread(t.p, 1, 0, "m\033[31m"), 0);
	dsl_grow(t.p, "frame 1 1\n1 . 1 0\n1 a 4611686018427387904 4611686018427387904\n"
		      "frame 2 4611686018427387904\n1 . 1 0\n1 a 1 1\n1 b 4611686018427387904 1\n");
	app_attach(&t.app, 0, t.p);
	stage_type(&t, "pd]D");
	stage_press(&t, STAGE_ENTER);
	stage_type(&t, "%1%2%4%5[1245%%%");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heading_is_of_the_measure),
		cmocka_unit_test(p_w_d_puts_the_guilty_zone_in_the_first_row),
		cmocka_unit_test(a_turn_of_another_kind_is_compared_with_its_like),
		cmocka_unit_test(p_w_d_ends_there_from_the_view_itself_too),
		cmocka_unit_test(a_frame_that_was_chosen_before_is_set_against_the_median_too),
		cmocka_unit_test(rows_add_up_to_the_difference_of_the_thread),
		cmocka_unit_test(other_threads_have_headings_and_sums_of_their_own),
		cmocka_unit_test(a_zone_that_calls_itself_is_one_row),
		cmocka_unit_test(z_makes_a_row_of_each_zone),
		cmocka_unit_test(what_waits_is_a_row_and_told_with_the_sum),
		cmocka_unit_test(waiting_that_is_no_part_of_the_difference_is_set_against_the_rest),
		cmocka_unit_test(rows_of_another_thread_than_the_frames_are_said_to_be_that),
		cmocka_unit_test(live_d_pauses_on_the_longest_in_sight_and_goes_back),
		cmocka_unit_test(every_view_of_zones_has_the_difference_as_a_column),
		cmocka_unit_test(it_stays_when_another_frame_is_chosen),
		cmocka_unit_test(another_base_is_chosen_from_a_list),
		cmocka_unit_test(a_marked_base_goes_with_its_mark),
		cmocka_unit_test(the_frame_before_as_a_base_follows_the_frame),
		cmocka_unit_test(against_the_average_it_is_rounded),
		cmocka_unit_test(rows_are_searched_and_drilled),
		cmocka_unit_test(rows_are_those_of_a_path_or_a_filter),
		cmocka_unit_test(rows_are_sorted_and_have_units),
		cmocka_unit_test(the_cursor_stays_on_its_zone_in_other_views),
		cmocka_unit_test(the_cause_is_seen_first),
		cmocka_unit_test(without_a_frame_it_says_how_to_get_to_one),
		cmocka_unit_test(a_list_that_is_given_up_leaves_all_as_it_was),
		cmocka_unit_test(it_is_drawn_in_any_size),
		cmocka_unit_test(that_a_part_is_missing_is_said),
		cmocka_unit_test(that_a_part_of_another_thread_is_missing_is_said),
		cmocka_unit_test(hostile_numbers_are_only_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

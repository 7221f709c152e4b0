/* SPDX-License-Identifier: MIT */
/*
 * Several programs below one another: their columns are one moment each, whatever clocks they have; all are
 * paused or none; the table is of the one in focus.
 */
#include "tests/tui_stage.h"

#include "tui/frames/strips.h"

#define MS INT64_C(1000000)
#define BIRTH (1000 * MS) /* moment at which the first frame of the game began */
#define TAB '\t'

/* Columns */

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)((random_state >> 33) % bound);
}

/* The same frames, once on a clock of nanoseconds and once on one of microseconds that began at another time. */
static void random_twins(struct profile **a, struct profile **b)
{
	int64_t at = 1000 * random_below(1000), offset = random_below(1000000);

	*a = profile_new();
	*b = profile_new();
	(*a)->process.known_moment = 0;
	(*b)->ticks_per_s = 1000000;
	(*b)->process.known_tick = offset + 77;
	(*b)->process.known_moment = 77000;
	for (uint64_t n = 1; n <= 200; n++) {
		int64_t length = 1000 * (1 + random_below(random_below(8) ? 20000 : 200000));
		uint32_t flags = random_below(10) ? 0 : FRAME_DISCARDED;

		at += random_below(4) ? 0 : 1000 * random_below(50000);
		assert_true(profile_add_frame(*a, n, at, length, flags));
		assert_true(profile_add_frame(*b, n, at / 1000 + offset, length / 1000, flags));
		at += length;
	}
}

static void a_column_is_one_moment_on_all_clocks(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 40; i++) {
		struct profile *a, *b;
		struct strip strips[2];
		int64_t first, last;

		random_state = i;
		random_twins(&a, &b);
		strips[0] = (struct strip){ .look.profile = a, .look.budget = 10 * MS };
		strips[1] = (struct strip){ .look.profile = b, .look.budget = 10000 };
		assert_true(moment_span(a, &first, &last));
		for (int zoom = -4; zoom < 6; zoom++) {
			int64_t span = strips_span(zoom);

			for (int64_t c = strips_column(first, span) - 1; c * span <= last; c++) {
				struct graph_column x = strips_column_at(&strips[0], c, span);
				struct graph_column y = strips_column_at(&strips[1], c, span);

				assert_int_equal(x.number, y.number);
				assert_int_equal(x.frames, y.frames);
				assert_int_equal(x.over, y.over);
				assert_int_equal(x.discarded, y.discarded);
				assert_int_equal(x.length, y.length * 1000);
			}
		}
		profile_free(a);
		profile_free(b);
	}
}

/* The frame that a column shows was running in it, and no longer one was. */
static void a_column_shows_the_longest_that_was_running(void **state)
{
	struct profile *p, *other;
	struct strip strip;
	int64_t span = strips_span(0);

	(void)state;
	random_state = 5;
	random_twins(&p, &other);
	strip = (struct strip){ .look.profile = p };
	for (int64_t c = 0; c < 200; c++) {
		int64_t longest = 0;

		for (uint32_t i = 0; i < p->frame_count; i++) {
			const struct profile_frame *f = &p->frames[i];

			if (f->start < (c + 1) * span && frame_end(f) > c * span &&
			    !(f->flags & FRAME_DISCARDED) && f->length > longest)
				longest = f->length;
		}
		if (longest)
			assert_int_equal(strips_column_at(&strip, c, span).length, longest);
		else
			assert_int_equal(strips_column_at(&strip, c, span).frames, 0);
	}
	profile_free(p);
	profile_free(other);
}

static void spans_are_round(void **state)
{
	(void)state;
	assert_int_equal(strips_span(0), 50 * MS);
	assert_int_equal(strips_span(1), 100 * MS);
	assert_int_equal(strips_span(-1), 20 * MS);
	assert_int_equal(strips_span(-1000), 1000);
	for (int zoom = -20; zoom < 40; zoom++)
		assert_true(strips_span(zoom) <= strips_span(zoom + 1));
	assert_int_equal(strips_column(-1, 50), -1);
	assert_int_equal(strips_column(-50, 50), -1);
	assert_int_equal(strips_column(-51, 50), -2);
	assert_int_equal(strips_column(49, 50), 0);
}

/* Lines */

static void lines_leave_room_for_the_table(void **state)
{
	(void)state;
	for (int count = 1; count <= TRACKS_MOST; count++)
		for (int height = 0; height < 100; height++) {
			int lines = strips_lines(count, height);

			assert_true(lines <= height * 2 / 5);
			assert_true(height < 16 || lines >= 4);
			for (int focus = 0; focus < count; focus++) {
				struct strips_look look = { .count = count, .focus = focus };
				struct strips_place place =
					strips_place_in(&look, (struct area){ 0, 0, 80, lines });

				assert_true(!lines || (place.first <= focus && focus < place.first + place.shown));
				assert_true(place.shown * place.lines < lines || !lines);
			}
		}
}

/* The app with several */

/* The program beside the game: a server, on a clock of microseconds, whose requests are of 40 ms and 20 ms; it
 * began 50 ms after the game. */
static struct profile *server(uint64_t frames)
{
	struct profile *p = profile_new();
	int64_t at = 5000000;

	p->ticks_per_s = 1000000;
	p->process.known_tick = at;
	p->process.known_moment = BIRTH + 50 * MS;
	p->process.pid = 815;
	p->process.silent_ns = -1;
	assert_true(profile_text(&p->process.program, "/opt/server"));
	assert_true(profile_text(&p->process.source, "requests"));
	assert_int_equal(profile_add_thread(p, 1, 0, "main"), 0);
	p->threads[0].marking = true;
	for (uint64_t n = 1; n <= frames; n++) {
		struct profile_part part = { .first_frame = n, .bound = at, .cell_count = 1 };
		int64_t length = n % 2 ? 40000 : 20000;
		struct profile_cell cell = { profile_add_node(p, 0, profile_add_zone(p, "serve", "s.c", 1, 0)),
					     length, 1, length };

		part.end = at + length;
		part.cells = &cell;
		assert_true(profile_add_frame(p, n, at, length, 0));
		assert_true(profile_set_part(p, n, &part));
		at += length;
	}
	p->now_tick = at;
	return p;
}

struct pair {
	struct stage t;
	struct profile *server;
};

/* 60 frames of the game, of 16 ms each, and 30 of the server, of 30 ms in the middle. */
static void pair_begin(struct pair *s, int width, int height)
{
	struct app_options o = stage_options();

	o.ascii = true;
	stage_open(&s->t, &o, width, height);
	assert_true(app_add_track(&s->t.app, "requests"));
	s->t.p = stage_game(60);
	s->t.p->process.known_moment = BIRTH;
	s->t.p->now_tick = frame_end(&s->t.p->frames[59]);
	s->server = server(30);
	app_attach(&s->t.app, 0, s->t.p);
	app_state(&s->t.app, 0, SCENE_LIVE, "");
	app_attach(&s->t.app, 1, s->server);
	app_state(&s->t.app, 1, SCENE_LIVE, "");
	stage_draw(&s->t);
}

static void pair_end(struct pair *s)
{
	stage_end(&s->t);
	profile_free(s->server);
}

static void expect_frame(struct pair *s, const char *program, uint64_t frame)
{
	char text[64];

	snprintf(text, sizeof(text), "PAUSED  frame %llu ", (unsigned long long)frame);
	stage_expect(&s->t, text);
	assert_string_equal(times_profile(&s->t.app.at->times)->process.program, program);
}

static void a_strip_of_each(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_expect(&s.t,
		     "game[4711]  LIVE 00:00:00  62.5 fps  16.00 ms  1.2 cores  p99 16.0  max 16.0\n"
		     "> demo               20ms+------------------------------------------------------\n"
		     "  LIVE max 16.0 ms       |                                  ::::::::::::::::::::\n"
		     "                         |                                  ####################\n"
		     "  requests           50ms+------------------------------------------------------\n"
		     "  LIVE max 40.0 ms       |                                   ::::::::::::::::::\n"
		     "                         |                                   ##################\n"
		     "  1 column = 50 ms                  -2.0 s              -1.0 s               now\n"
		     "[1 Self]");
	pair_end(&s);
}

/* Around the graphs and back to the table: of whichever was in focus last. */
static void tab_goes_around(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_press(&s.t, TAB);
	assert_true(s.t.app.screen.graph_focused);
	assert_int_equal(s.t.app.focus, 0);
	stage_press(&s.t, TAB);
	assert_true(s.t.app.screen.graph_focused);
	assert_int_equal(s.t.app.focus, 1);
	stage_expect(&s.t, "\n> requests");
	stage_expect(&s.t, "server[815]  LIVE");
	assert_string_equal(stage_rows(&s.t), "serve (no zone)");
	stage_press(&s.t, TAB);
	assert_false(s.t.app.screen.graph_focused);
	assert_int_equal(s.t.app.focus, 1);
	stage_type(&s.t, "\t\t\t");
	assert_false(s.t.app.screen.graph_focused);
	assert_int_equal(s.t.app.focus, 0);
	assert_string_equal(stage_cursor(&s.t), "draw");
	pair_end(&s);
}

static void go_to(struct pair *s, unsigned focus)
{
	for (int i = 0; s->t.app.focus != focus; i++) {
		assert_true(i < 2 * TRACKS_MOST);
		stage_press(&s->t, TAB);
	}
}

/* Frame 50 of the game began 784 ms after it did, and took 16; 25 is the request of 720 to 760 ms, 50 ms later;
 * and 24 the one before, of 700 to 720: then the game was in frame 48. */
static void paused_all_show_one_moment(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_type(&s.t, "p{");
	expect_frame(&s, "/opt/game", 50);
	stage_expect(&s.t, "PAUSED 16.0 ms");
	stage_expect(&s.t, "PAUSED 40.0 ms");
	go_to(&s, 1);
	expect_frame(&s, "/opt/server", 25);
	go_to(&s, 0);
	expect_frame(&s, "/opt/game", 50);
	go_to(&s, 1);
	stage_type(&s.t, "[");
	expect_frame(&s, "/opt/server", 24);
	stage_expect(&s.t, "PAUSED 20.0 ms");
	go_to(&s, 0);
	expect_frame(&s, "/opt/game", 48);
	stage_type(&s.t, "p");
	stage_expect(&s.t, "game[4711]  LIVE");
	stage_expect(&s.t, "  LIVE max 40.0 ms");
	assert_null(s.t.app.tracks[1].times.paused);
	assert_true(s.t.app.together.moment == MOMENT_NONE);
	pair_end(&s);
}

/* In the graphs the keys go from column to column: to the longest frame that was running then. */
static void scrubbing_moves_all(void **state)
{
	struct pair s;
	int64_t before;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_press(&s.t, TAB);
	stage_press(&s.t, TERM_LEFT);
	for (int i = 0; i < 15; i++) {
		uint64_t frame = s.t.app.at->times.chosen;

		before = s.t.app.together.moment;
		stage_press(&s.t, TERM_LEFT);
		assert_true(s.t.app.together.moment < before);
		assert_true(s.t.app.at->times.chosen < frame);
		assert_int_equal(strips_column(before, 50 * MS) - strips_column(s.t.app.together.moment, 50 * MS), 1);
	}
	stage_press(&s.t, TERM_RIGHT);
	assert_true(s.t.app.together.moment > before - 50 * MS);
	pair_end(&s);
}

static void the_moment_is_in_sight_in_each_size(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 220, 24);
	stage_press(&s.t, TAB);
	for (int i = 0; i < 3; i++)
		stage_press(&s.t, TERM_UP);
	stage_expect(&s.t, "1 column = 5 ms");
	stage_type(&s.t, "p{{{{");
	stage_expect(&s.t, "^");
	lines_begin(&s.t.c, 80, 24, true);
	stage_draw(&s.t);
	stage_expect(&s.t, "^");
	pair_end(&s);
}

static void grow(struct pair *s)
{
	struct profile *p = s->server;
	int64_t at = frame_end(&p->frames[p->frame_count - 1]);

	for (int i = 0; i < 30; i++)
		stage_frame(s->t.p, s->t.p->frames[s->t.p->frame_count - 1].number + 1,
			    (struct stage_frame){ 30, 2, 4 });
	assert_true(profile_add_frame(p, p->frames[p->frame_count - 1].number + 1, at, 900000, 0));
	app_data(&s->t.app, 0);
	app_data(&s->t.app, 1);
	s->t.app.now += 1;
	stage_draw(&s->t);
}

/* The title goes on: it says how old the frame is by now. */
static const char *below_title(const char *text)
{
	return strchr(text, '\n');
}

static void a_paused_screen_stays_still(void **state)
{
	struct profile *late = server(3);
	struct pair s;
	char *before, *after;

	(void)state;
	pair_begin(&s, 100, 30);
	stage_type(&s.t, "p[");
	before = lines_text(&s.t.c);
	for (int i = 0; i < 3; i++)
		grow(&s);
	after = lines_text(&s.t.c);
	assert_string_equal(below_title(before), below_title(after));
	free(after);
	/* the one beside the focus, too, when that is another one */
	stage_type(&s.t, "\t\t");
	free(before);
	before = lines_text(&s.t.c);
	grow(&s);
	after = lines_text(&s.t.c);
	assert_string_equal(below_title(before), below_title(after));
	free(before);
	free(after);
	/* one that comes is paused as it comes */
	app_detach(&s.t.app, 0);
	app_attach(&s.t.app, 0, late);
	stage_draw(&s.t);
	stage_expect(&s.t, "PAUSED  frame");
	stage_type(&s.t, "p");
	assert_ptr_equal(s.t.app.tracks[0].times.live, late);
	assert_null(s.t.app.tracks[0].times.paused);
	app_detach(&s.t.app, 0);
	profile_free(late);
	pair_end(&s);
}

static void each_has_a_state_of_its_own(void **state)
{
	struct profile *late;
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	assert_true(app_add_track(&s.t.app, "later"));
	app_state(&s.t.app, 1, SCENE_DEAD, "");
	app_state(&s.t.app, 2, SCENE_WAITING, "there is no region 'later': is it running?");
	stage_draw(&s.t);
	stage_expect(&s.t, "game[4711]  LIVE");
	stage_expect(&s.t, "  LIVE max 16.0 ms");
	stage_expect(&s.t, "  DEAD max 40.0 ms");
	stage_expect(&s.t, "  later                    there is no region 'later'\n  WAITING");
	stage_type(&s.t, "p\t\t");
	stage_expect(&s.t, "  PAUSED 16.0 ms");
	stage_expect(&s.t, "  DEAD 20.0 ms");
	/* nothing of it can be paused, and p makes the others live again */
	stage_type(&s.t, "\t");
	assert_int_equal(s.t.app.focus, 2);
	stage_expect(&s.t, "WAITING for later");
	stage_type(&s.t, "p");
	stage_expect(&s.t, "  LIVE max 16.0 ms");
	late = server(3);
	app_attach(&s.t.app, 2, late);
	app_state(&s.t.app, 2, SCENE_LIVE, "");
	stage_draw(&s.t);
	stage_expect(&s.t, "server[815]  LIVE");
	app_detach(&s.t.app, 2);
	profile_free(late);
	pair_end(&s);
}

static void one_that_does_not_say_when_it_ran_has_no_bars(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	s.server->process.known_moment = MOMENT_NONE;
	stage_draw(&s.t);
	stage_expect(&s.t, "the times of its frames are not known");
	stage_type(&s.t, "\t\tp[");
	expect_frame(&s, "/opt/server", 29);
	pair_end(&s);
}

/* Column 31 is of 1550 to 1600 ms: 500 to 550 of the server. Its request 17, of 480 to 520, was the longest there,
 * and when that was about to end the game was in frame 36. */
static void a_click_chooses_program_and_frame(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_click(&s.t, 26 + 45, 5);
	assert_int_equal(s.t.app.focus, 1);
	expect_frame(&s, "/opt/server", 17);
	stage_click(&s.t, 3, 2); /* a name */
	assert_int_equal(s.t.app.focus, 0);
	expect_frame(&s, "/opt/game", 36);
	pair_end(&s);
}

static void the_wheel_and_a_drag_zoom(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_mouse(&s.t, WHEEL_UP, MOUSE_PRESS, 70, 2);
	stage_expect(&s.t, "1 column = 20 ms");
	stage_mouse(&s.t, WHEEL_DOWN, MOUSE_PRESS, 70, 2); /* all is in sight already */
	stage_expect(&s.t, "1 column = 20 ms");
	stage_press(&s.t, TAB);
	stage_press(&s.t, TERM_UP);
	stage_press(&s.t, TERM_UP);
	stage_expect(&s.t, "1 column = 5 ms");
	stage_press(&s.t, TERM_DOWN);
	stage_expect(&s.t, "1 column = 10 ms");
	stage_mouse(&s.t, BUTTON_LEFT, MOUSE_PRESS, 60, 2);
	stage_mouse(&s.t, BUTTON_LEFT, MOUSE_DRAG, 75, 2);
	stage_mouse(&s.t, BUTTON_LEFT, MOUSE_RELEASE, 75, 2); /* 15 columns of 10 ms */
	stage_expect(&s.t, "1 column = 5 ms");
	pair_end(&s);
}

/* The cells of a line at columns of the strips, as text. */
static const char *bars_of(struct pair *s, int y, int from, int to)
{
	static char text[256];
	int n = 0;

	for (int x = from; x < to; x++)
		text[n++] = (char)canvas_cell(&s->t.c, x, y)->codes[0];
	text[n] = '\0';
	return text;
}

/* A program hangs: its frame stands in each column that it has lasted for, and says for how long. */
static void the_frame_that_runs_stands_in_its_columns(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	s.t.p->now_tick += 400 * MS;
	stage_draw(&s.t);
	assert_string_equal(bars_of(&s, 1, 62, 80), "---400 ms!!!!!!!!!");
	assert_string_equal(bars_of(&s, 3, 62, 80), "##################");
	for (int x = 62; x < 80; x++)
		assert_int_equal(canvas_cell(&s.t.c, x, 3)->role, x < 72 ? ROLE_GRAPH : ROLE_DIM);
	s.t.p->process.state = PROFILE_ENDED;
	app_data(&s.t.app, 0);
	stage_draw(&s.t);
	assert_string_equal(bars_of(&s, 3, 62, 80), "##########        ");
	pair_end(&s);
}

/* As in the frame graph: the columns are those of a cursor, the axis has brackets, and it is said how much that is. */
static void a_drag_marks_what_it_zooms_into(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	stage_mouse(&s.t, BUTTON_LEFT, MOUSE_PRESS, 70, 2);
	stage_mouse(&s.t, BUTTON_LEFT, MOUSE_DRAG, 75, 5);
	assert_string_equal(bars_of(&s, 7, 69, 77), " [====] ");
	for (int y = 1; y < 8; y++)
		for (int x = 68; x < 78; x++)
			assert_int_equal(canvas_cell(&s.t.c, x, y)->selected, x >= 70 && x <= 75);
	stage_expect(&s.t, " ms of all programs");
	stage_mouse(&s.t, BUTTON_LEFT, MOUSE_RELEASE, 75, 5);
	assert_int_equal(canvas_cell(&s.t.c, 72, 2)->selected, 0);
	pair_end(&s);
}

static void a_small_screen_has_the_one_in_focus(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 20, 5);
	stage_expect(&s.t, "game");
	assert_false(stage_shows(&s.t, "requests"));
	stage_press(&s.t, TAB);
	assert_int_equal(s.t.app.focus, 1);
	assert_false(s.t.app.screen.graph_focused);
	stage_expect(&s.t, "serve");
	stage_expect(&s.t, "requests"); /* said */
	stage_press(&s.t, TAB);
	assert_int_equal(s.t.app.focus, 0);
	pair_end(&s);
}

static void eight_are_the_most(void **state)
{
	struct pair s;

	(void)state;
	pair_begin(&s, 80, 24);
	for (int i = 2; i < TRACKS_MOST; i++)
		assert_true(app_add_track(&s.t.app, "another"));
	assert_false(app_add_track(&s.t.app, "ninth"));
	for (int height = 3; height < 60; height++) {
		lines_begin(&s.t.c, 80, height, true);
		stage_draw(&s.t);
		stage_press(&s.t, TAB);
	}
	pair_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_round),
		cmocka_unit_test(a_column_is_one_moment_on_all_clocks),
		cmocka_unit_test(a_column_shows_the_longest_that_was_running),
		cmocka_unit_test(lines_leave_room_for_the_table),
		cmocka_unit_test(a_strip_of_each),
		cmocka_unit_test(tab_goes_around),
		cmocka_unit_test(paused_all_show_one_moment),
		cmocka_unit_test(scrubbing_moves_all),
		cmocka_unit_test(the_moment_is_in_sight_in_each_size),
		cmocka_unit_test(a_paused_screen_stays_still),
		cmocka_unit_test(each_has_a_state_of_its_own),
		cmocka_unit_test(one_that_does_not_say_when_it_ran_has_no_bars),
		cmocka_unit_test(a_click_chooses_program_and_frame),
		cmocka_unit_test(the_wheel_and_a_drag_zoom),
		cmocka_unit_test(the_frame_that_runs_stands_in_its_columns),
		cmocka_unit_test(a_drag_marks_what_it_zooms_into),
		cmocka_unit_test(a_small_screen_has_the_one_in_focus),
		cmocka_unit_test(eight_are_the_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Pins on the screen: rows that stay in sight, and their part of the bars.
 */
#include "tests/tui_stage.h"

#include "tui/frames/frame_columns.h"

#define MS INT64_C(1000000)

static bool shows(struct stage *t, const char *text)
{
	char *all = lines_text(&t->c);
	bool found = strstr(all, text);

	free(all);
	return found;
}

static void type(struct stage *t, const char *keys)
{
	for (; *keys; keys++)
		stage_press(t, (unsigned char)*keys);
}

/* Where a line begins with that text. */
static int line_of(struct stage *t, const char *text)
{
	char *all = lines_text(&t->c), *at = strstr(all, text);
	int y = 0;

	for (char *c = all; at && c < at; c++)
		y += *c == '\n';
	y = at ? y : -1;
	free(all);
	return y;
}

static void space_pins_and_lets_go(void **state)
{
	struct stage t;
	int first;

	(void)state;
	stage_begin(&t, 5);
	first = line_of(&t, "\n>   draw") + 1;
	assert_int_not_equal(first, 0);
	type(&t, "/leaf\r ");
	assert_int_equal(line_of(&t, "\n>1  leaf") + 1, first);
	type(&t, "I");
	assert_int_equal(line_of(&t, "\n>1  leaf") + 1, first);
	type(&t, "2");
	assert_int_equal(line_of(&t, "\n>1  leaf") + 1, first);
	type(&t, "\\draw\r");
	assert_int_equal(line_of(&t, "\n>1  leaf"), first); /* the filter has a line */
	assert_true(shows(&t, "\n    draw"));
	type(&t, " ");
	assert_false(shows(&t, "leaf"));
	stage_end(&t);
}

static void four_are_all(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	type(&t, "/draw\r /ai\r /walk\r /leaf\r ");
	assert_true(shows(&t, "\n 1  draw"));
	assert_true(shows(&t, "\n>4  leaf"));
	type(&t, "/physics\r ");
	assert_true(shows(&t, "4 zones are pinned, the most possible"));
	type(&t, "/ai\r /physics\r "); /* number 2 is free again */
	assert_true(shows(&t, "\n>2+ physics"));
	type(&t, "G ");
	assert_true(shows(&t, "no zone here to pin"));
	stage_end(&t);
}

static void they_outlive_the_program_and_a_pause(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	type(&t, "/leaf\r ");
	stage_detach(&t);
	stage_attach(&t, stage_game(9));
	assert_true(shows(&t, "\n>1  leaf"));
	type(&t, "p[");
	assert_true(shows(&t, "\n>1  leaf"));
	type(&t, "pR");
	assert_true(shows(&t, "1  leaf"));
	type(&t, "R4/leaf\r");
	assert_true(shows(&t, "\n>1 "));
	stage_end(&t);
}

/* In few lines what is pinned stays, while the rest is scrolled below it. */
static void they_stay_in_sight(void **state)
{
	struct app_options o = stage_options();
	struct stage t;
	struct term_event click = { .kind = TERM_MOUSE, .button = BUTTON_LEFT, .action = MOUSE_PRESS, .x = 8 };

	(void)state;
	stage_open(&t, &o, 60, 9);
	stage_attach(&t, stage_game(5));
	type(&t, "/leaf\r /ai\r G");
	assert_int_equal(line_of(&t, " 1  leaf"), 2);
	assert_int_equal(line_of(&t, " 2"), 3);
	assert_true(shows(&t, "\n>   (no zone)"));
	assert_false(shows(&t, "physics"));
	click.y = 2;
	app_event(&t.app, &click, t.app.now);
	stage_draw(&t);
	assert_int_equal(line_of(&t, ">1  leaf"), 2);
	assert_true(shows(&t, "(no zone)")); /* nothing was scrolled for that */
	type(&t, "jj"); /* the next one that is not pinned */
	assert_true(shows(&t, "\n>   draw"));
	stage_end(&t);
}

/* Graphs of frames that have zones a, b and c, of these self times in ms, and 1 ms in none. */
struct times_of {
	int a, b, c;
};

static struct profile *of_times(const struct times_of *times, int count)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	assert_int_equal(profile_add_thread(p, 1, 0, "main"), 0);
	for (int i = 0; i < count; i++) {
		struct times_of t = times[i];
		char text[256];

		snprintf(text, sizeof(text),
			 "frame %d %d000000\nmain . 1000000 0 0\nmain a %d000000 1 1\nmain b %d000000 1 1\n"
			 "main c %d000000 1 1\n", i + 1, t.a + t.b + t.c + 1, t.a, t.b, t.c);
		dsl_grow(p, text);
	}
	return p;
}

struct graph {
	struct profile *p;
	struct keys *keys;
	struct pins pins;
	struct frame_graph_look look;
	struct canvas c;
};

static void graph_begin(struct graph *g, const struct times_of *times, int count, const char *names, int width,
			int height)
{
	static const char *const shown[PINS_MOST] = { "first", "second", "third", "fourth" };

	*g = (struct graph){ .p = of_times(times, count), .keys = keys_new(false) };
	assert_true(g->keys && keys_update(g->keys, g->p));
	for (; *names; names++)
		for (uint32_t zone = 1; zone < g->p->zone_count; zone++)
			if (*g->p->zones[zone].name == *names)
				pins_turn(&g->pins, key_id(g->p, zone, 1));
	g->look = (struct frame_graph_look){ .profile = g->p, .budget = 10 * MS,
					     .pins = { .which = &g->pins, .names = shown, .keys = g->keys,
						       .threads = THREADS_ALL } };
	lines_begin(&g->c, width, height, false);
}

static void graph_end(struct graph *g)
{
	keys_free(g->keys);
	profile_free(g->p);
	canvas_fini(&g->c);
}

static void draw_graph(struct graph *g, uint32_t zoom)
{
	struct frame_graph view = { .zoom = zoom };

	canvas_clear(&g->c);
	frame_graph_draw(&view, &g->look, &g->c, canvas_area(&g->c));
}

static const struct times_of four[] = { { 1, 2, 6 }, { 4, 4, 1 }, { 9, 0, 0 }, { 0, 10, 8 } };

static void numbers_stand_in_bars(void **state)
{
	struct graph g;

	(void)state;
	graph_begin(&g, four, 4, "ba", 10, 10);
	draw_graph(&g, 0);
	lines_expect(&g.c, "         ▅\n"
			   "         █\n"
			   "         █\n"
			   "╌╌╌╌╌╌╌╌╌█\n"
			   "      ██21\n" /* 2.5 ms a line: b, then a, then the rest */
			   "      █221\n"
			   "      █121\n"
			   "      1121\n"
			   "\n"
			   "       now\n");
	graph_end(&g);
}

/* A column is its longest frame, also of what is pinned. */
static void a_column_is_its_longest_frame(void **state)
{
	struct graph g;

	(void)state;
	graph_begin(&g, (struct times_of[]){ { 9, 0, 0 }, { 0, 9, 0 }, { 0, 17, 0 }, { 9, 0, 0 } }, 4, "ab", 8, 5);
	draw_graph(&g, 20);
	assert_int_equal(canvas_cell(&g.c, 7, 3)->role, ROLE_PIN_2);
	assert_int_equal(canvas_cell(&g.c, 7, 0)->codes[0], '2');
	graph_end(&g);
}

/* Where a cell has two of them, the upper one's colour is behind the lower one's. */
static void areas_are_cut_at_eighths(void **state)
{
	struct graph g;
	struct cell *cell;

	(void)state;
	graph_begin(&g, (struct times_of[]){ { 3, 2, 4 } }, 1, "ab", 4, 5);
	g.look.pins.areas = true;
	draw_graph(&g, 0); /* the budget of 10 ms is two cells high, and so is the frame */
	cell = canvas_cell(&g.c, 3, 3);
	assert_int_equal(cell->role, ROLE_PIN_1); /* 3 ms of 5 */
	assert_int_equal(cell->codes[0], 0x2585); /* five eighths */
	assert_int_equal(cell->heat, ROLE_PIN_2); /* to the cell's end */
	cell = canvas_cell(&g.c, 3, 2);
	assert_int_equal(cell->role, ROLE_GRAPH);
	graph_end(&g);
}

/* In high bars what each has is what it took, to a cell. */
static void heights_are_times(void **state)
{
	static const struct times_of times[] = { { 3, 5, 1 }, { 1, 1, 7 }, { 2, 2, 2 }, { 8, 0, 1 }, { 0, 0, 9 } };
	struct graph g;

	(void)state;
	graph_begin(&g, times, 5, "abc", 5, 81); /* 10 ms are 40 cells */
	draw_graph(&g, 0);
	for (int i = 0; i < 5; i++) {
		int cells[3] = { 0 }, wanted[3] = { times[i].a * 4, times[i].b * 4, times[i].c * 4 };

		for (int y = 0; y < 80; y++)
			for (int pin = 0; pin < 3; pin++)
				cells[pin] += canvas_cell(&g.c, i, y)->role == ROLE_PIN_1 + pin;
		for (int pin = 0; pin < 3; pin++)
			assert_in_range(cells[pin] + 1, wanted[pin], wanted[pin] + 2);
	}
	graph_end(&g);
}

static void the_legend_names_them(void **state)
{
	struct graph g;
	char *text;

	(void)state;
	graph_begin(&g, four, 4, "abc", 100, 5);
	draw_graph(&g, 0);
	text = lines_text(&g.c);
	assert_non_null(strstr(text, "1 first"));
	assert_non_null(strstr(text, "2 second"));
	assert_non_null(strstr(text, "3 third"));
	assert_null(strstr(text, "fourth"));
	free(text);
	graph_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(space_pins_and_lets_go),
		cmocka_unit_test(four_are_all),
		cmocka_unit_test(they_outlive_the_program_and_a_pause),
		cmocka_unit_test(they_stay_in_sight),
		cmocka_unit_test(numbers_stand_in_bars),
		cmocka_unit_test(a_column_is_its_longest_frame),
		cmocka_unit_test(areas_are_cut_at_eighths),
		cmocka_unit_test(heights_are_times),
		cmocka_unit_test(the_legend_names_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

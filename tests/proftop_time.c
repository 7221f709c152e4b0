/* SPDX-License-Identifier: MIT */
/*
 * proftop_time: a screen while its program runs on: with @ the cursor stays on its zone; what is paused does not
 * change, whatever happens to the ring; all frames can be stepped through; live again shows the newest.
 */
#include "tests/proftop_run.h"

static struct screen *on(const struct game *g)
{
	return proftop_on(g, (struct proftop){ .columns = 100, .rows = 24 });
}

/* The line of the cursor, which the terminal's own stands on too. */
static const char *cursor_line(struct screen *s)
{
	static char line[512];
	const char *text = screen_text(s);
	int x, y;
	bool visible;

	screen_cursor(s, &x, &y, &visible);
	for (; y > 0 && strchr(text, '\n'); y--)
		text = strchr(text, '\n') + 1;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
	return line;
}

static bool cursor_is_on(struct screen *s, void *name)
{
	const char *line = cursor_line(s);

	return line[0] == '>' && strstr(line, name);
}

static void until_cursor_on(struct screen *s, const char *name)
{
	screen_until_true(s, cursor_is_on, (void *)name);
}

static void until_frame(struct screen *s, uint64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "frame %llu ", (unsigned long long)number);
	screen_until(s, text);
}

/* Frames come, in each of them the zones have another order. */
static void test_the_cursor_stays_on_its_zone(void **state)
{
	struct game *g = *state;
	struct screen *s = on(g);

	screen_type(s, "aaa@/render\r");
	until_cursor_on(s, "render");
	for (int i = 0; i < 10; i++) {
		game_play(g, 1);
		until_frame(s, g->frames);
		until_cursor_on(s, "render");
	}
	screen_type(s, "2");
	screen_until(s, "[2 Hier]");
	screen_type(s, "1");
	until_cursor_on(s, "render");
	screen_type(s, "I");
	screen_until(s, "SELF ms▲");
	until_cursor_on(s, "render");
	proftop_leave(s);
}

static void test_new_frames_are_shown(void **state)
{
	struct game *g = *state;
	struct screen *s = on(g);

	until_frame(s, 200);
	game_play(g, 1);
	until_frame(s, 201);
	game_play(g, 40);
	until_frame(s, 241);
	proftop_leave(s);
}

/* The ring is overwritten twice; the only thing that may come is what tells how long ago it was. */
static void test_paused_nothing_changes(void **state)
{
	struct game *g = *state;
	struct screen *s = on(g);
	char *before;

	until_frame(s, 200);
	screen_type(s, "p");
	screen_until(s, "PAUSED  frame 200  −1 ");
	screen_until_quiet(s, 700);
	before = strdup(strchr(screen_text(s), '\n')); /* but for the title, which says how old the frame is by now */
	for (int i = 0; i < 8; i++) {
		game_play(g, GAME_RING / 4);
		screen_pump(s, 150);
	}
	screen_until_quiet(s, 300);
	assert_string_equal(strchr(screen_text(s), '\n'), before);
	free(before);
	screen_type(s, "p");
	screen_until(s, "LIVE");
	until_frame(s, g->frames);
	proftop_leave(s);
}

/* From the newest to the oldest and back, one by one: each is shown with its own length. */
static void test_stepping_through_all(void **state)
{
	struct game *g = *state;
	struct screen *s = on(g);
	char text[64];

	until_frame(s, 200);
	screen_type(s, "p");
	game_play(g, 2 * GAME_RING);
	for (uint64_t n = 200; n >= 1; n--) {
		snprintf(text, sizeof(text), "frame %llu  −%llu (", (unsigned long long)n,
			 (unsigned long long)(g->frames + 1 - n));
		screen_until(s, text);
		snprintf(text, sizeof(text), "  %.2f ms", (double)game_frame_length(n) / 1e6);
		screen_until(s, text);
		screen_type(s, "[");
	}
	screen_until(s, "frame 1  −");
	for (int i = 0; i < 30; i++)
		screen_type(s, "}");
	screen_until(s, "frame 200  −");
	proftop_leave(s);
}

static void test_discarded(void **state)
{
	struct screen *s = on(*state);

	until_frame(s, 200);
	screen_type(s, "\t" KEY_HOME);
	screen_until(s, "frame 1  ");
	screen_type(s, "\t}}}}}}[");
	screen_golden(s, "time_discarded");
	proftop_leave(s);
}

static void test_marks(void **state)
{
	struct screen *s = on(*state);

	until_frame(s, 200);
	screen_type(s, "ma");
	screen_until(s, "mark a: frame 200");
	screen_type(s, "{{mb");
	screen_until(s, "mark b: frame 180");
	screen_type(s, "'a");
	screen_until(s, "PAUSED  frame 200  −1 ");
	screen_type(s, "'z");
	screen_until(s, "no frame has the mark z");
	screen_type(s, "m1");
	screen_until(s, "a mark is a letter from a to z");
	screen_type(s, "'b[[");
	screen_until(s, "PAUSED  frame 178 ");
	screen_until(s, "▲ b               ◆   a\n"); /* below their frames */
	proftop_leave(s);
}

/* The ring has passed over all but the newest frames: proftop has kept that one. */
static void test_a_mark_outlives_the_ring(void **state)
{
	struct game *g = *state;
	struct screen *s = on(g);

	until_frame(s, 200);
	screen_type(s, "{{mbp");
	screen_until(s, "LIVE");
	game_play(g, 250);
	until_frame(s, 450);
	screen_type(s, "'b");
	until_frame(s, 180);
	screen_type(s, "mb"); /* again: it is gone */
	screen_until(s, "mark b removed from frame 180");
	proftop_leave(s);
}

static void test_over_budget(void **state)
{
	struct screen *s = on(*state);

	until_frame(s, 200);
	screen_type(s, "b20\r{{[[[[[[[[["); /* 171 */
	screen_until(s, "frame 171  −30");
	screen_until(s, "41.10 ms  OVER +21.1");
	screen_type(s, "b\x15\r"); /* ^U */
	screen_until_gone(s, "OVER");
	proftop_leave(s);
}

static void test_a_budget_is_typed_anew(void **state)
{
	struct screen *s = on(*state);

	until_frame(s, 200);
	screen_type(s, "{{[[[[[[[[["); /* 171 */
	screen_until(s, "frame 171  −30");
	screen_type(s, "bsoon\r");
	screen_until(s, "not a time; try 16.7 (ms) or 60fps");
	screen_type(s, "\x15" "50fps\r"); /* ^U */
	screen_until(s, "OVER +21.1");
	proftop_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_frames_are_shown, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_the_cursor_stays_on_its_zone, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_paused_nothing_changes, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_stepping_through_all, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_discarded, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_marks, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_mark_outlives_the_ring, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_over_budget, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_budget_is_typed_anew, game_setup, game_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

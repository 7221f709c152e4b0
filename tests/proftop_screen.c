/* SPDX-License-Identifier: MIT */
/*
 * proftop_screen: whole screens, colours too: each view once, and in small and large terminals, with and without
 * UTF-8, where it differs in kind; with as many colours as there are, and in each theme. What keys do otherwise is
 * in tui_keys.
 */
#include "tests/proftop_run.h"

enum size { NORMAL, LARGE, SMALL, NORMAL_ASCII, LARGE_ASCII, SMALL_ASCII, SIZES };

static const struct {
	int columns, rows;
	const char *locale, *name;
} sizes[SIZES] = {
	[NORMAL] = { 80, 24, "C.UTF-8", "80x24" },
	[LARGE] = { 200, 50, "C.UTF-8", "200x50" },
	[SMALL] = { 20, 5, "C.UTF-8", "20x5" },
	[NORMAL_ASCII] = { 80, 24, "C", "80x24_c" },
	[LARGE_ASCII] = { 200, 50, "C", "200x50_c" },
	[SMALL_ASCII] = { 20, 5, "C", "20x5_c" },
};

#define ONE (1 << NORMAL)
#define TWO (ONE | 1 << LARGE)
#define FOUR (TWO | 1 << SMALL | 1 << NORMAL_ASCII)
#define ALL (FOUR | 1 << LARGE_ASCII | 1 << SMALL_ASCII)

static const struct view {
	const char *name, *keys;
	unsigned sizes;
	const char *behind; /* typed before Q, which would be text */
} views[] = {
	{ "self", "", ALL, "" },
	{ "hier", "2", TWO, "" },
	{ "graph", "2/bvh_walk\r\r", FOUR, "" },
	{ "spread", "2/bvh_walk\r\rR", ONE, "" },
	{ "tree", "4", FOUR, "" },
	{ "flame", "8" KEY_DOWN, FOUR, "" },
	{ "flame_why", "wd8", ONE, "" },
	{ "folded", "4*", ONE, "" },
	{ "counters", "7", FOUR, "" },
	{ "counters_paused", "7(", ONE, "" },
	{ "events", "E", FOUR, "" },
	{ "events_paused", "E((" KEY_PAGE_DOWN, ONE, "" },
	{ "paused", "[{", ONE, "" },
	{ "happened", "((", ONE, "" },
	{ "why_live", "5", ONE | 1 << NORMAL_ASCII, "" },
	{ "why", "w5", FOUR, "" },
	{ "why_self", "w51", ONE, "" },
	{ "why_graph", "w513", ONE, "" },
	{ "why_tree", "w54", ONE, "" },
	{ "help", "?", FOUR, "" },
	/* what lies over a view, or has the keys */
	{ "list", "T", ONE, "\r" },
	{ "prompt", "/ca", ONE, "\r" },
	{ "frames_focused", "\t" KEY_LEFT KEY_DOWN, ONE, "" },
	/* areas of colour in the bars, or numbers where there are none */
	{ "pins", " jjjj jj 4", ONE, "" },
	{ "pins_ascii", " jjjj jj L", ONE, "" },
};

/* A view in one size. */
struct shot {
	const struct view *view;
	enum size size;
	char name[40];
};

static const struct look {
	const char *name;
	const char *arguments[4];
	const char *environment[2];
} looks[] = {
	{ "colours_256", { "-b", "20", "-C", "256" }, { NULL } },
	{ "colours_16", { "-b", "20", "-C", "16" }, { NULL } },
	{ "colours_8", { "-b", "20", "-C", "8" }, { NULL } },
	{ "colours_never", { "-b", "20", "-C", "never" }, { NULL } },
	{ "colours_never", { "-b", "20" }, { "NO_COLOR=1" } }, /* the same as without colours asked for */
	{ "theme_contrast", { "-b", "20", "--theme", "high-contrast" }, { NULL } },
	{ "theme_blind", { "-b", "20", "--theme", "colour-blind" }, { NULL } },
	{ "theme_terminal", { "-b", "20", "--theme", "terminal" }, { NULL } },
	{ "theme_mono", { "-b", "20", "--theme", "mono" }, { NULL } },
};

static void test_view(void **state)
{
	const struct shot *shot = *state;
	struct screen *s = proftop_on(game_of_all(), (struct proftop){ sizes[shot->size].columns, sizes[shot->size].rows,
							       .locale = sizes[shot->size].locale });

	screen_type(s, shot->view->keys);
	screen_golden(s, shot->name);
	screen_type(s, shot->view->behind);
	proftop_leave(s);
}

static void test_look(void **state)
{
	const struct look *look = *state;
	struct proftop p = { .environment = look->environment };
	struct screen *s;

	for (size_t i = 0; i < 4; i++)
		p.arguments[i] = look->arguments[i];
	s = proftop_on(game_of_all(), p);
	screen_type(s, "p");
	screen_golden(s, look->name);
	proftop_leave(s);
}

#define VIEWS (sizeof(views) / sizeof(*views))
#define LOOKS (sizeof(looks) / sizeof(*looks))

int main(void)
{
	static struct shot shots[VIEWS * SIZES];
	static struct CMUnitTest tests[VIEWS * SIZES + LOOKS]; /* those at the end that are empty are none */
	size_t count = 0;

	for (size_t i = 0; i < VIEWS; i++)
		for (enum size size = 0; size < SIZES; size++)
			if (views[i].sizes >> size & 1) {
				struct shot *shot = &shots[count];

				*shot = (struct shot){ .view = &views[i], .size = size };
				snprintf(shot->name, sizeof(shot->name), "%s_%s", views[i].name, sizes[size].name);
				tests[count++] = (struct CMUnitTest){ .name = shot->name, .test_func = test_view,
								      .initial_state = shot };
			}
	for (size_t i = 0; i < LOOKS; i++)
		tests[count++] = (struct CMUnitTest){ .name = looks[i].name, .test_func = test_look,
						      .initial_state = (void *)&looks[i] };
	return cmocka_run_group_tests_name("proftop: screens", tests, game_begin_all, game_end_all);
}

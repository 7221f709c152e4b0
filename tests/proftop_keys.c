/* SPDX-License-Identifier: MIT */
/*
 * proftop_keys: the keys of a terminal that are no characters reach the commands that have them, in both of the modes
 * that it may send them in. What commands do is in tui_keys.
 */
#include "tests/proftop_run.h"

/* The keys typed before and their result; the bytes of the key, and its result. */
static const struct key {
	const char *name, *before, *first, *sent, *then;
} keys[] = {
	{ "down", "", "\n>   bvh_walk", KEY_DOWN, "\n> + render" },
	{ "up", "jj", "\n> + raycast", KEY_UP, "\n> + render" },
	{ "right", "j", "\n> + render", KEY_RIGHT, "path: [render]" },
	{ "left", "jl", "path: [render]", KEY_LEFT, "[1 Self]" },
	{ "page down", "4", " 1/19\n", KEY_PAGE_DOWN, " 15/19\n" },
	{ "page up", "4G", " 19/19\n", KEY_PAGE_UP, " 6/19\n" },
	{ "home", "jjj", " 5/13\n", KEY_HOME, " 1/13\n" },
	{ "end", "", " 2/13\n", KEY_END, " 13/13\n" },
	{ "tab", "", "\n   ms", "\t", "\n>  ms" },
	{ "back tab", "", "\n   ms", "\033[Z", "\n>  ms" },
	{ "enter", "j", "\n> + render", "\r", "path: [render]" },
	{ "line feed", "j", "\n> + render", "\n", "path: [render]" },
	{ "backspace", "jl", "path: [render]", "\b", "[1 Self]" },
	{ "delete as backspace", "jl", "path: [render]", "\177", "[1 Self]" },
	{ "escape", "p", "PAUSED", "\033", "p goes live" },
	{ "F1", "", "[1 Self]", "\033OP", "Help: " },
	{ "down, not in the mode of applications", "", "\n>   bvh_walk", "\033[B", "\n> + render" },
	{ "home, not in the mode of applications", "jjj", " 5/13\n", "\033[H", " 1/13\n" },
};

static void test_key(void **state)
{
	const struct key *key = *state;
	struct screen *s = proftop_on(game_of_all(), (struct proftop){ 0 });

	screen_type(s, key->before);
	screen_until(s, key->first);
	screen_type(s, key->sent);
	screen_until(s, key->then);
	proftop_leave(s);
}

#define KEYS (sizeof(keys) / sizeof(*keys))

int main(void)
{
	static struct CMUnitTest tests[KEYS];

	for (size_t i = 0; i < KEYS; i++)
		tests[i] = (struct CMUnitTest){ .name = keys[i].name, .test_func = test_key,
						.initial_state = (void *)&keys[i] };
	return cmocka_run_group_tests_name("proftop: keys of a terminal", tests, game_begin_all, game_end_all);
}

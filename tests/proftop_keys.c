/* SPDX-License-Identifier: MIT */
/*
 * proftop_keys: every command of the table of keys (tui/commands.c) has a screen that shows what it
 * did. A command without one fails here.
 */
#include "tests/proftop_run.h"
#include "tui/commands.h"
#include "tui/term.h"

/* What is typed before, the key of the command, what has to be typed behind it. Rows follow from one
 * another; none goes on from a screen that is not compared. */
static const struct step {
	enum command command;
	const char *before, *key, *behind, *golden;
} steps[] = {
	/* moving */
	{ COMMAND_DOWN, "", "j", "", "key_down" },
	{ COMMAND_UP, "jjj", "k", "", "key_up" },
	{ COMMAND_PAGE_DOWN, "", KEY_PAGE_DOWN, "", "key_page_down" },
	{ COMMAND_PAGE_UP, "", KEY_PAGE_UP, "", "key_page_up" },
	{ COMMAND_LAST, "", "G", "", "key_last" },
	{ COMMAND_FIRST, "", "g", "", "key_first" },
	{ COMMAND_DRILL, "/raycast\r", KEY_RIGHT, "", "key_drill" },
	{ COMMAND_CALLER, "", "u", "", "key_caller" },
	{ COMMAND_BACK, "", KEY_LEFT, "", "key_back" },
	{ COMMAND_PATH, "", "P", "", "key_path" },
	{ COMMAND_VIEW_SELF, "", "1", "", "key_view_self" },
	{ COMMAND_VIEW_HIER, "P", "2", "", "key_view_hier" },
	{ COMMAND_VIEW_GRAPH, "", "3", "", "key_view_graph" },
	{ COMMAND_SLOWEST_CALL, "", "J", "", "key_slowest_call" },
	{ COMMAND_VIEW_TREE, "p", "4", "", "key_view_tree" },
	{ COMMAND_FOLD, "gj", "-", "", "key_fold" },
	{ COMMAND_UNFOLD, "", "+", "", "key_unfold" },
	{ COMMAND_UNFOLD_ALL, "", "*", "", "key_unfold_all" },
	/* time */
	{ COMMAND_OLDER, "1g", "[", "", "key_older" },
	{ COMMAND_OLDER_10, "", "{", "", "key_older_10" },
	{ COMMAND_NEWER, "", "]", "", "key_newer" },
	{ COMMAND_NEWER_10, "", "}", "", "key_newer_10" },
	{ COMMAND_MARK, "{{{", "m", "k", "key_mark" },
	{ COMMAND_GO_TO_MARK, "{", "'", "k", "key_go_to_mark" },
	{ COMMAND_BUDGET, "", "b", "20\r", "key_budget" },
	{ COMMAND_WORST, "", "w", "", "key_worst" },
	{ COMMAND_WORST_BACK, "www", "W", "", "key_worst_back" },
	{ COMMAND_FREEZE, "", "B", "", "key_freeze" },
	{ COMMAND_FOLLOW, "", "F", "", "key_follow" },
	{ COMMAND_PAUSE, "Bp", "p", "", "key_live" },
	{ COMMAND_GRAPH, "", "\t", "", "key_graph" },
	{ COMMAND_SCRUB_LEFT, "", KEY_LEFT, "", "key_scrub_left" },
	{ COMMAND_ZOOM_OUT, "", KEY_DOWN, "", "key_zoom_out" },
	{ COMMAND_SCRUB_RIGHT, KEY_LEFT KEY_LEFT KEY_LEFT, KEY_RIGHT, "", "key_scrub_right" },
	{ COMMAND_ZOOM_IN, "", KEY_UP, "", "key_zoom_in" },
	{ COMMAND_PAN_LEFT, "", KEY_PAGE_UP, "", "key_pan_left" },
	{ COMMAND_PAN_RIGHT, "", KEY_PAGE_DOWN, "", "key_pan_right" },
	{ COMMAND_OLDEST, "", KEY_HOME, "", "key_oldest" },
	{ COMMAND_NEWEST, "", KEY_END, "", "key_newest" },
	{ COMMAND_QUIT, "", "q", "", "key_quit" },
	{ COMMAND_EVENT_BEFORE, "p(", "(", "", "key_event_before" },
	{ COMMAND_EVENT_AFTER, "((", ")", "", "key_event_after" },
	{ COMMAND_WHY, "", "d", "", "key_why" },
	{ COMMAND_WHY_BASE, "", "D", "", "key_why_base" },
	{ COMMAND_NONE, KEY_DOWN, "\r", "", "why_previous" },
	{ COMMAND_VIEW_WHY, "1", "5", "", "key_view_why" },
	{ COMMAND_NONE, "", "1", "", "why_column" },
	{ COMMAND_VIEW_COUNTERS, "d", "7", "", "key_view_counters" },
	{ COMMAND_SORT, "", "s", "jj\r", "counters_sorted" },
	{ COMMAND_INVERT, "", "I", "", "counters_inverted" },
	{ COMMAND_SEARCH, "", "/", "li\r", "counters_searched" },
	{ COMMAND_DRILL, "/hei\r", "l", "", "counters_peak" },
	{ COMMAND_FILTER, "", "\\", "b\r", "counters_filtered" },
	{ COMMAND_FILTER, "", "\\", "\025no such counter\r", "counters_nothing" },
	{ COMMAND_VIEW_EVENTS, "\\\025\rp", "E", "", "key_view_events" },
	{ COMMAND_DRILL, "gjjjj", "l", "", "events_frame" },
	{ COMMAND_FILTER, "p", "\\", "~^(level|saved|under)\r", "events_filtered" },
	/* what is shown */
	{ COMMAND_STACKS, "\\\025\r1", "o", "", "key_stacks" },
	{ COMMAND_THREADS, "o", "T", "", "key_threads" },
	{ COMMAND_NONE, "", KEY_UP, "\r", "named_workers" },
	{ COMMAND_THREAD_AFTER, "", ".", "", "key_thread_after" },
	{ COMMAND_THREAD_BEFORE, "...", ",", "", "key_thread_before" },
	{ COMMAND_NONE, "", "T" KEY_HOME, "\r", "all_threads" },
	{ COMMAND_NONE, "T", KEY_DOWN KEY_DOWN, "\r", "one_thread" },
	{ COMMAND_RECURSION, "1", "R", "", "key_recursion" },
	{ COMMAND_AVERAGE, "R", "a", "", "average_slow" },
	{ COMMAND_AVERAGE, "", "a", "", "average_run" },
	{ COMMAND_AVERAGE, "", "a", "", "average_now" },
	{ COMMAND_AVERAGE, "", "a", "", "average_fast" },
	{ COMMAND_RESET, "", "r", "", "key_reset" },
	/* how */
	{ COMMAND_SORT_RIGHT, "aaa", ">", "", "key_sort_right" },
	{ COMMAND_SORT_LEFT, ">", "<", "", "key_sort_left" },
	{ COMMAND_INVERT, "", "I", "", "key_invert" },
	{ COMMAND_SORT, "", "s", "", "key_sort" },
	{ COMMAND_PIN, "q", " ", "", "key_pin" },
	{ COMMAND_PIN, "jjjj jj", " ", "", "key_pin_3" },
	{ COMMAND_NONE, "L", "G", "", "pins_ascii" },
	{ COMMAND_NONE, "L", "4", "", "pins_folded" },
	{ COMMAND_NONE, "", "*", "", "pins_tree" },
	{ COMMAND_SEARCH, "1g j j ", "/", "ca", "search_typed" },
	{ COMMAND_SEARCH_NEXT, "\r", "n", "", "search_next" },
	{ COMMAND_SEARCH_BEFORE, "n", "N", "", "search_before" },
	{ COMMAND_SEARCH, "", "/", "no such zone", "search_nothing" },
	{ COMMAND_SEARCH, "\025\r", "/", "~(", "search_bad" },
	{ COMMAND_FILTER, "\025\r", "\\", "a\r", "filter" },
	{ COMMAND_FILTER, "", "\\", "\025no such zone\r", "filter_nothing" },
	{ COMMAND_FILTER, "", "\\", "\025~^(ai|ray)\r", "filter_regex" },
	{ COMMAND_UNIT, "\\\025\r", "%", "", "unit_ms" },
	{ COMMAND_UNIT, "", "%", "", "unit_us" },
	{ COMMAND_UNIT, "", "%", "", "unit_ns" },
	{ COMMAND_UNIT, "", "%", "", "unit_percent" },
	{ COMMAND_PRECISION, "%", "e", "", "precision_0" },
	{ COMMAND_PRECISION, "eeeee", "e", "", "precision_6" },
	{ COMMAND_OVERHEAD, "e", "O", "", "key_overhead" },
	{ COMMAND_COLOURS, "O", "C", "", "key_colours" },
	{ COMMAND_THEME, "CCC", "t", "", "theme_contrast" },
	{ COMMAND_THEME, "", "t", "", "theme_blind" },
	{ COMMAND_THEME, "", "t", "", "theme_mono" },
	{ COMMAND_SAVE, "t", "S", "", "key_save" },
	{ COMMAND_MOUSE, "", "M", "", "key_mouse" },
	{ COMMAND_ASCII, "M", "L", "", "key_ascii" },
	{ COMMAND_REDRAW, "L", KEY_REDRAW, "", "key_redraw" },
	{ COMMAND_COMPARE, ":frame 100\rma:frame 200\rmb", "c", "", "key_compare" },
	{ COMMAND_HELP, "c", "?", "", "key_help" },
};

/* Of these no screen is the same everywhere: a test of their own looks at them. */
static const enum command elsewhere[] = { COMMAND_REGIONS, COMMAND_LEAVE, COMMAND_EDITOR, COMMAND_COPY_ROW,
					COMMAND_COPY_SCREEN, COMMAND_LINE };

static void test_every_command(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ 0 });

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		screen_type(s, steps[i].before);
		screen_type(s, steps[i].key);
		screen_type(s, steps[i].behind);
		screen_golden(s, steps[i].golden);
	}
	proftop_leave(s);
}

static void test_none_is_forgotten(void **state)
{
	bool has_screen[COMMANDS] = { [COMMAND_NONE] = true };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		has_screen[steps[i].command] = true;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		has_screen[elsewhere[i]] = true;
	for (enum command c = 0; c < COMMANDS; c++)
		if (!has_screen[c])
			fail_msg("no screen shows what %s does: %s", commands[c].shown, commands[c].help);
}

static bool has_key(enum command c, uint32_t key)
{
	for (size_t i = 0; i < sizeof(commands[c].keys) / sizeof(*commands[c].keys); i++)
		if (commands[c].keys[i] == key)
			return true;
	return false;
}

/* Keys of one character are those of the command that they are said to be. */
static void test_keys_are_theirs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i].command != COMMAND_NONE && !steps[i].key[1])
			assert_true(has_key(steps[i].command, (unsigned char)steps[i].key[0]));
}

static void test_leave(void **state)
{
	struct screen *s = proftop_on(*state, (struct proftop){ 0 });

	screen_type(s, "3p?");
	screen_until(s, "keys, columns and signs");
	proftop_leave(s); /* at once, whatever is open */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none_is_forgotten),
		cmocka_unit_test(test_keys_are_theirs),
		cmocka_unit_test_setup_teardown(test_every_command, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_leave, game_setup, game_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

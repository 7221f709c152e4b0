/* SPDX-License-Identifier: MIT */
/*
 * Commands that are typed behind `:`, driven as by hands: each does what its key does.
 */
#include <ctype.h>

#include "tests/tui_stage.h"
#include "tui/cells/theme.h"

static void run(struct stage *t, const char *line)
{
	stage_type(t, ":");
	stage_type(t, line);
	stage_press(t, STAGE_ENTER);
}

/* It is refused with these words, and the line stays to be mended. */
static void expect_refused(struct stage *t, const char *line, const char *words)
{
	run(t, line);
	if (!strstr(t->app.said.text, words))
		fail_msg(":%s said '%s', not '%s'", line, t->app.said.text, words);
	assert_int_equal(t->app.ask.overlay, OVERLAY_PROMPT);
	stage_press(t, STAGE_ESCAPE);
	assert_int_equal(t->app.ask.overlay, OVERLAY_NONE);
}

/* The table */

static void names_are_words_and_tell_commands_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < line_command_count; i++) {
		const struct line_command *c = &line_commands[i];

		for (const char *l = c->name; *l; l++)
			assert_true(islower((unsigned char)*l));
		assert_ptr_equal(line_command_find(c->name, strlen(c->name)), c);
		assert_true((c->act == LINE_KEY) == (c->command != COMMAND_NONE));
		assert_true((c->act == LINE_KEY) == !c->value);
		assert_non_null(line_command_help(c));
	}
	assert_null(line_command_find("", 0));
	assert_null(line_command_find("s", 1)); /* several begin so */
	assert_null(line_command_find("viewer", 6));
	assert_string_equal(line_command_find("vi", 2)->name, "view");
	assert_string_equal(line_command_find("copy", 4)->name, "copy"); /* though copyscreen begins so */
}

static void a_slip_is_near_what_was_meant(void **state)
{
	static const char *const slips[][2] = {
		{ "veiw", "view" }, { "fliter", "filter" }, { "budgte", "budget" }, { "quti", "quit" },
		{ "se", "search" }, { "tread", "thread" },
	};
	char near[256];

	(void)state;
	for (size_t i = 0; i < sizeof(slips) / sizeof(*slips); i++) {
		line_command_near(slips[i][0], strlen(slips[i][0]), near, sizeof(near));
		if (!strstr(near, slips[i][1]))
			fail_msg("near %s is '%s'", slips[i][0], near);
	}
	line_command_near("xyzzyplugh", 10, near, sizeof(near));
	assert_string_equal(near, "");
	line_command_near("an endless name of a command", 28, near, sizeof(near));
	assert_string_equal(near, "");
}

/* Commands */

static void views_zones_and_threads(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "view tree");
	assert_int_equal(t.app.view, VIEW_TREE);
	run(&t, "  view   Hier  ");
	assert_int_equal(t.app.view, VIEW_HIER);
	run(&t, "view hier"); /* it is there already */
	assert_int_equal(t.app.view, VIEW_HIER);
	stage_go(&t, "ai");
	run(&t, "zone physics");
	stage_expect(&t, "path: [physics]");
	run(&t, "zone ray");
	stage_expect(&t, "path: [ray]");
	run(&t, "view self");
	run(&t, "thread pool");
	stage_expect(&t, "pool (2 threads)");
	run(&t, "thread 8");
	stage_expect(&t, " pool  ");
	run(&t, "thread all");
	stage_expect(&t, "T threads: all (3)");
	run(&t, "thread main");
	stage_expect(&t, " main  ");
	stage_end(&t);
}

static void frames_and_marks(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "frame 7");
	assert_int_equal(t.app.at->times.chosen, 7);
	run(&t, "mark K");
	assert_int_equal(t.app.at->times.marks['k' - 'a'], 7);
	run(&t, "-1");
	assert_int_equal(t.app.at->times.chosen, 20);
	run(&t, "12");
	assert_int_equal(t.app.at->times.chosen, 12);
	run(&t, "goto k");
	assert_int_equal(t.app.at->times.chosen, 7);
	run(&t, "pause");
	assert_null(t.app.at->times.paused);
	stage_end(&t);
}

static void how_it_is_shown(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "unit us");
	stage_expect(&t, "SELF µs");
	run(&t, "precision 1");
	assert_int_equal(t.app.style.precision, 1);
	run(&t, "precision");
	assert_int_equal(t.app.style.precision, -1);
	run(&t, "average slow");
	stage_expect(&t, "2.5 s");
	run(&t, "sort hier");
	assert_int_equal(app_view(&t.app)->sort, COLUMN_HIER);
	run(&t, "sort calls/s"); /* as it is called on the screen */
	assert_int_equal(app_view(&t.app)->sort, COLUMN_RATE);
	run(&t, "sort hier");
	run(&t, "filter ~^(ai|ray)$");
	assert_string_equal(stage_rows(&t), "ai ray");
	run(&t, "filter");
	assert_non_null(strstr(stage_rows(&t), "physics"));
	run(&t, "search leaf");
	assert_string_equal(stage_cursor(&t), "leaf");
	run(&t, "budget 60fps");
	assert_true(t.app.choice.budget_ms > 16 && t.app.choice.budget_ms < 17);
	run(&t, "budget");
	assert_true(t.app.choice.budget_ms == 0);
	run(&t, "theme mono");
	assert_true(t.effects & EFFECT_THEME_SET);
	assert_int_equal(t.app.wanted.theme, THEME_MONO);
	stage_end(&t);
}

static void what_others_do(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "attach other");
	assert_true(t.effects & EFFECT_TURN);
	assert_string_equal(t.app.wanted.turn, "other");
	run(&t, "attach");
	assert_true(t.effects & EFFECT_REGIONS);
	run(&t, "save");
	assert_true(t.effects & EFFECT_SAVE);
	run(&t, "copyscreen");
	assert_true(t.effects & EFFECT_COPY_SCREEN);
	stage_go(&t, "ai");
	run(&t, "source");
	assert_true(t.effects & EFFECT_EDIT);
	assert_string_equal(t.app.wanted.source, "ai.c");
	assert_int_equal(t.app.wanted.source_line, 20);
	run(&t, "q");
	assert_true(t.effects & EFFECT_QUIT);
	stage_end(&t);
}

/* A prompt or list that a command opens is open behind it. */
static void what_it_opens_stays_open(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "help");
	assert_true(t.app.guide.open);
	stage_type(&t, "q");
	run(&t, "");
	assert_int_equal(t.app.ask.overlay, OVERLAY_NONE);
	run(&t, "freeze"); /* asks for the budget */
	assert_int_equal(t.app.ask.overlay, OVERLAY_PROMPT);
	assert_int_equal(t.app.ask.command, COMMAND_FREEZE);
	stage_end(&t);
}

/* :last N selects N frames, also if a column of the frame graph has several. */
static void the_last_frames_are_selected(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "last 7");
	assert_int_equal(t.app.at->times.selected_first, 14);
	assert_int_equal(t.app.at->times.selected_last, 20);
	stage_expect(&t, "7 frames, ");
	t.app.at->times.graph.zoom = 2;
	run(&t, "frame 10");
	run(&t, "last 3");
	assert_int_equal(t.app.at->times.selected_first, 8);
	assert_int_equal(t.app.at->times.selected_last, 10);
	run(&t, "last 300");
	assert_int_equal(t.app.at->times.selected_first, 1);
	stage_end(&t);
}

static void what_is_wrong_is_said(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	expect_refused(&t, "veiw tree", "no command 'veiw'; did you mean view");
	expect_refused(&t, "xyzzyplugh", "no command 'xyzzyplugh'; :help lists all commands");
	expect_refused(&t, "s", "sort, search");
	expect_refused(&t, "view", ":view needs a value: NAME");
	expect_refused(&t, "view pie", "'pie' is not one of Self, Hier, Graph, Tree");
	expect_refused(&t, "pause now", ":pause takes no value");
	expect_refused(&t, "frame 99", "frame 99 is not in the history; 1 to 20 are");
	expect_refused(&t, "frame -21", "is not in the history");
	expect_refused(&t, "frame 0", "not a frame number");
	expect_refused(&t, "frame 99999999999999999999", "not a frame number");
	expect_refused(&t, "export html -n 300", ":export takes no options. Select frames first (:last 300)");
	expect_refused(&t, "last few", "type how many frames to select");
	expect_refused(&t, "last 0", "type how many frames to select");
	expect_refused(&t, "zone nobody", "no zone 'nobody'");
	expect_refused(&t, "thread nobody", "no thread 'nobody'");
	expect_refused(&t, "sort size", "no column 'size'");
	expect_refused(&t, "unit days", "'days' is not one of auto, ms, us, ns, pct");
	expect_refused(&t, "precision 7", "not a number from 0 to 6");
	expect_refused(&t, "mark ab", "a mark is a letter");
	expect_refused(&t, "budget soon", "not a time");
	expect_refused(&t, "filter ~(", "");
	expect_refused(&t, "theme pink", "not one of default");
	stage_type(&t, "p");
	expect_refused(&t, "average fast", "while paused, choose now");
	stage_end(&t);
}

/* Nothing is there to be looked at yet. */
static void while_it_waits_nothing_breaks(void **state)
{
	struct app_options o = stage_options();
	struct stage t;

	(void)state;
	stage_open(&t, &o, 80, 24);
	for (size_t i = 0; i < line_command_count; i++) {
		char line[64];

		snprintf(line, sizeof(line), "%s %s", line_commands[i].name, line_commands[i].value ? "1" : "");
		run(&t, line);
		while (t.app.ask.overlay != OVERLAY_NONE)
			stage_press(&t, STAGE_ESCAPE);
		if (t.app.guide.open)
			stage_type(&t, "q");
	}
	run(&t, "7");
	assert_non_null(strstr(t.app.said.text, "no frames"));
	stage_end(&t);
}

/* Tab */

static void complete(struct stage *t, const char *typed, const char *expected)
{
	stage_type(t, ":");
	stage_type(t, typed);
	stage_press(t, TERM_TAB);
	if (strcmp(t->app.ask.prompt.text, expected) != 0)
		fail_msg("'%s' became '%s', not '%s'", typed, t->app.ask.prompt.text, expected);
	stage_press(t, TERM_CONTROL('U'));
	stage_press(t, STAGE_ESCAPE);
}

static void tab_completes_names_and_values(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	complete(&t, "vi", "view ");
	complete(&t, "fol", "follow");
	complete(&t, "fo", "fo"); /* follow, focus */
	complete(&t, "b", "b"); /* budget, base */
	complete(&t, "cop", "copy");
	complete(&t, "view co", "view co"); /* counters, compare */
	complete(&t, "view cou", "view counters");
	complete(&t, "zone ph", "zone physics");
	complete(&t, "zone PH", "zone physics");
	complete(&t, "thread po", "thread pool");
	complete(&t, "sort cou", "sort count");
	complete(&t, "theme hi", "theme high-contrast");
	complete(&t, "unit p", "unit pct");
	complete(&t, "frame 1", "frame 1");
	complete(&t, "none a", "none a");
	stage_type(&t, "mc");
	complete(&t, "goto ", "goto c");
	stage_type(&t, ":b");
	stage_press(&t, TERM_TAB);
	stage_expect(&t, "budget  base");
	stage_end(&t);
}

/* The prompt of V holds only the name, so another name that is typed replaces
 * it. */
static void v_asks_for_the_name_of_a_recording(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	stage_type(&t, "V");
	stage_expect(&t, "Record to: ");
	stage_type(&t, "other.prof");
	stage_press(&t, STAGE_ENTER);
	assert_true(t.effects & EFFECT_RECORD);
	assert_string_equal(t.app.wanted.record, "other.prof");
	assert_int_equal(t.app.ask.overlay, OVERLAY_NONE);
	stage_end(&t);
}

/* Up and Down */

static void lines_come_back(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 20);
	run(&t, "view tree");
	run(&t, "unit us");
	run(&t, "unit us"); /* once is enough */
	stage_type(&t, ":so");
	stage_press(&t, TERM_UP);
	assert_string_equal(t.app.ask.prompt.text, "unit us");
	stage_press(&t, TERM_UP);
	assert_string_equal(t.app.ask.prompt.text, "view tree");
	stage_press(&t, TERM_UP);
	assert_string_equal(t.app.ask.prompt.text, "view tree");
	stage_press(&t, TERM_DOWN);
	stage_press(&t, TERM_DOWN);
	assert_string_equal(t.app.ask.prompt.text, "so");
	stage_press(&t, TERM_DOWN);
	assert_string_equal(t.app.ask.prompt.text, "so");
	stage_press(&t, STAGE_ESCAPE);
	for (int i = 0; i < LINES_KEPT + 3; i++) {
		char line[32];

		snprintf(line, sizeof(line), "frame %d", 1 + i);
		run(&t, line);
	}
	assert_int_equal(t.app.ask.lines.count, LINES_KEPT);
	assert_string_equal(t.app.ask.lines.texts[0], "frame 19");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_words_and_tell_commands_apart),
		cmocka_unit_test(a_slip_is_near_what_was_meant),
		cmocka_unit_test(views_zones_and_threads),
		cmocka_unit_test(frames_and_marks),
		cmocka_unit_test(how_it_is_shown),
		cmocka_unit_test(what_others_do),
		cmocka_unit_test(what_it_opens_stays_open),
		cmocka_unit_test(the_last_frames_are_selected),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(while_it_waits_nothing_breaks),
		cmocka_unit_test(tab_completes_names_and_values),
		cmocka_unit_test(v_asks_for_the_name_of_a_recording),
		cmocka_unit_test(lines_come_back),
	};

	return cmocka_run_group_tests_name("tui: typed commands", tests, NULL, NULL);
}

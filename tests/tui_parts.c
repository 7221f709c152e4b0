/* SPDX-License-Identifier: MIT */
/*
 * The parts that the app is made of: the prompt, the picker, the help, the table of commands, pieces
 * of a line, rows with a cursor, times, folds, and the path of a call graph.
 */
#include "tests/tui_stage.h"

#include "tui/cells/fields.h"

/* Commands */

static size_t key_count(const struct command_def *def)
{
	size_t count = 0;

	while (count < sizeof(def->keys) / sizeof(*def->keys) && def->keys[count])
		count++;
	return count;
}

static void every_command_has_keys_names_and_a_sentence(void **state)
{
	(void)state;
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		const struct command_def *def = &commands[c];

		if (!key_count(def) || !def->shown || !*def->shown || !def->help)
			fail_msg("command %d has no keys, no name of them, or no help", c);
		assert_true(strlen(def->help) > 8 && def->help[strlen(def->help) - 1] == '.');
		assert_true(def->group < COMMAND_GROUPS);
		assert_true(!def->footer || def->label);
		for (const char *s = def->ascii ? def->ascii : def->shown; *s; s++)
			assert_true(*s >= ' ' && *s <= '~');
	}
	for (enum command_group g = 0; g < COMMAND_GROUPS; g++)
		assert_non_null(command_group_titles[g]);
}

static void no_key_means_two_things_in_one_place(void **state)
{
	(void)state;
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++)
		for (size_t i = 0; i < key_count(&commands[c]); i++)
			for (enum command_place place = PLACE_TABLE; place <= PLACE_GRAPH; place++) {
				const struct command_def *def = &commands[c];

				if (def->place != PLACE_ANY && def->place != place)
					continue;
				if (command_of_key(def->keys[i], place) != c)
					fail_msg("key %u of '%s' is another command's too",
						 def->keys[i], def->shown);
			}
	assert_int_equal(command_of_key('~', PLACE_TABLE), COMMAND_NONE);
	assert_int_equal(command_of_key(0, PLACE_TABLE), COMMAND_NONE);
	assert_int_equal(command_of_key(TERM_UP, PLACE_TABLE), COMMAND_UP);
	assert_int_equal(command_of_key(TERM_UP, PLACE_GRAPH), COMMAND_ZOOM_IN);
	assert_int_equal(command_of_key('p', PLACE_GRAPH), COMMAND_PAUSE);
}

/* Whether one of the words is that word. */
static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at++)
		if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Keys that say the same as another one are not named. */
static bool is_a_second_name(uint32_t key)
{
	return key == '\n' || key == ('B' & 0x1f) || key == ('F' & 0x1f) || key == '=' ||
	       key == TERM_BACK_TAB || key == '`';
}

static const char *name_of(uint32_t key, char text[8])
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {
		{ TERM_UP, "Up" }, { TERM_DOWN, "Down" }, { TERM_LEFT, "Left" },
		{ TERM_RIGHT, "Right" }, { TERM_PAGE_UP, "PgUp" }, { TERM_PAGE_DOWN, "PgDn" },
		{ TERM_HOME, "Home" }, { TERM_END, "End" }, { TERM_BACKSPACE, "Backspace" },
		{ TERM_F1, "F1" }, { '\t', "Tab" }, { STAGE_ENTER, "Enter" },
		{ STAGE_ESCAPE, "Esc" }, { ' ', "Space" }, { TERM_SHIFT_LEFT, "Shift-Left" },
		{ TERM_SHIFT_RIGHT, "Shift-Right" }, { TERM_CONTROL_LEFT, "Ctrl-Left" },
		{ TERM_CONTROL_RIGHT, "Ctrl-Right" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].key == key)
			return names[i].name;
	snprintf(text, 8, key < ' ' ? "^%c" : "%c", (int)(key < ' ' ? key + '@' : key));
	return text;
}

static void the_keys_that_are_shown_are_the_keys(void **state)
{
	(void)state;
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		const struct command_def *def = &commands[c];
		const char *shown = def->ascii ? def->ascii : def->shown;
		size_t words = 1, named = 0;

		for (size_t i = 0; i < key_count(def); i++) {
			char text[8];

			if (is_a_second_name(def->keys[i]))
				continue;
			named += has_word(shown, name_of(def->keys[i], text));
			/* in the frame graph g and G stand behind Home and End */
			if (!has_word(shown, name_of(def->keys[i], text)) && def->place != PLACE_GRAPH)
				fail_msg("'%s' does not name %s", shown, text);
		}
		for (const char *s = shown; *s; s++)
			words += *s == ' ';
		assert_int_equal(named, words - has_word(shown, "(graph)") - has_word(shown, "(flame)") -
						      has_word(shown, "(boxes)") - has_word(shown, "(timeline)"));
	}
}

/* The prompt */

static enum prompt_result type(struct prompt *p, const uint32_t *keys)
{
	enum prompt_result result = PROMPT_GOES_ON;

	while (*keys)
		result = prompt_key(p, *keys++);
	return result;
}

#define TYPE(p, ...) type(p, (const uint32_t[]){ __VA_ARGS__, 0 })

static void a_line_is_typed_and_edited(void **state)
{
	struct prompt p;

	(void)state;
	prompt_begin(&p, "Search:", "ab");
	TYPE(&p, 'c', 0xE9, 0x6F22, 0x1F600);
	assert_string_equal(p.text, "abcé漢😀");
	TYPE(&p, TERM_BACKSPACE, TERM_LEFT, TERM_BACKSPACE);
	assert_string_equal(p.text, "abc漢");
	TYPE(&p, TERM_DELETE, TERM_DELETE);
	assert_string_equal(p.text, "abc");
	TYPE(&p, TERM_HOME, 'x', TERM_RIGHT, 'y', TERM_END, 'z');
	assert_string_equal(p.text, "xaybcz");
	TYPE(&p, TERM_HOME, TERM_LEFT, TERM_BACKSPACE);
	assert_string_equal(p.text, "xaybcz");
	TYPE(&p, TERM_RIGHT, TERM_RIGHT, 'U' & 0x1f);
	assert_string_equal(p.text, "ybcz");
	TYPE(&p, 'E' & 0x1f, ' ', 'u', 'v', ' ', ' ', 'W' & 0x1f);
	assert_string_equal(p.text, "ybcz ");
	TYPE(&p, 'W' & 0x1f, 'W' & 0x1f);
	assert_string_equal(p.text, "");
	assert_int_equal(p.length, 0);
}

static void paste(struct prompt *p, const char *text)
{
	do
		prompt_paste(p, (unsigned char)*text);
	while (*text++);
}

static void what_is_pasted_is_one_line(void **state)
{
	struct prompt p;

	(void)state;
	prompt_begin_filled(&p, "Filter:", "ray");
	paste(&p, "\r\na\tb\n\n");
	assert_string_equal(p.text, "a b");
	paste(&p, "c\033\025\027\010\177d");
	assert_string_equal(p.text, "a bcd");
	TYPE(&p, TERM_HOME);
	paste(&p, "\nx");
	assert_string_equal(p.text, "xa bcd");
	prompt_begin(&p, "Filter:", "ray");
	paste(&p, "\nx");
	assert_string_equal(p.text, "ray x");
	paste(&p, "");
	for (int i = 0; i < 2 * PROMPT_SIZE; i++)
		paste(&p, "long\n");
	assert_true(p.length < PROMPT_SIZE);
}

static void what_is_typed_takes_the_place_of_what_was_set(void **state)
{
	struct prompt p;
	struct canvas c = { 0 };

	(void)state;
	prompt_begin_filled(&p, "Filter:", "ray");
	lines_begin(&c, 20, 1, false);
	prompt_draw(&p, &c, canvas_area(&c), 0);
	lines_expect(&c, "Filter: ray\n");
	assert_false(canvas_cell(&c, 7, 0)->selected);
	assert_true(canvas_cell(&c, 8, 0)->selected && canvas_cell(&c, 10, 0)->selected);
	assert_false(canvas_cell(&c, 11, 0)->selected);
	TYPE(&p, 'a', 'i');
	assert_string_equal(p.text, "ai");
	prompt_begin_filled(&p, "Filter:", "ray");
	TYPE(&p, TERM_END, 's');
	assert_string_equal(p.text, "rays");
	prompt_begin_filled(&p, "Filter:", "ray");
	TYPE(&p, TERM_BACKSPACE, 't');
	assert_string_equal(p.text, "rat");
	prompt_begin_filled(&p, "Filter:", "ray");
	TYPE(&p, 'U' & 0x1f);
	assert_string_equal(p.text, "");
	prompt_begin_filled(&p, "Filter:", "ray");
	assert_int_equal(TYPE(&p, STAGE_ENTER), PROMPT_DONE);
	assert_string_equal(p.text, "ray");
	prompt_begin_filled(&p, "Filter:", "");
	TYPE(&p, 'a', 'i');
	assert_string_equal(p.text, "ai");
	canvas_fini(&c);
}

static void what_cannot_be_shown_is_not_typed(void **state)
{
	struct prompt p;

	(void)state;
	prompt_begin(&p, "Search:", "");
	TYPE(&p, 1, 2, 7, 127, 0xD800, 0xDFFF, 0x110000, 0x1FFFFF, TERM_UP, TERM_F1, TERM_BACK_TAB);
	assert_string_equal(p.text, "");
	for (int i = 0; i < 1000; i++)
		TYPE(&p, 0x6F22);
	assert_true(p.length < PROMPT_SIZE && p.length > PROMPT_SIZE - 4);
	assert_int_equal(p.length % 3, 0);
	assert_int_equal(p.length, strlen(p.text));
}

static void enter_ends_it_and_escape_gives_it_up(void **state)
{
	struct prompt p;

	(void)state;
	prompt_begin(&p, "Search:", "");
	assert_int_equal(TYPE(&p, 'a'), PROMPT_GOES_ON);
	assert_int_equal(TYPE(&p, TERM_BACKSPACE), PROMPT_GOES_ON);
	assert_int_equal(TYPE(&p, TERM_BACKSPACE), PROMPT_GIVEN_UP);
	assert_int_equal(TYPE(&p, STAGE_ESCAPE), PROMPT_GIVEN_UP);
	assert_int_equal(TYPE(&p, STAGE_ENTER), PROMPT_DONE);
	assert_int_equal(TYPE(&p, '\n'), PROMPT_DONE);
}

static void a_long_line_moves_with_its_cursor(void **state)
{
	struct prompt p;
	struct canvas c = { 0 };

	(void)state;
	prompt_begin(&p, "Search:", "");
	for (uint32_t i = 'a'; i <= 'z'; i++)
		TYPE(&p, i);
	lines_begin(&c, 20, 1, false);
	prompt_draw(&p, &c, canvas_area(&c), 0);
	lines_expect(&c, "Search: pqrstuvwxyz\n");
	assert_int_equal(c.cursor_x, 19);
	assert_true(c.cursor_shown);
	TYPE(&p, TERM_HOME);
	canvas_clear(&c);
	prompt_draw(&p, &c, canvas_area(&c), 0);
	lines_expect(&c, "Search: abcdefghijkl\n");
	assert_int_equal(c.cursor_x, 8);
	canvas_fini(&c);
}

/* The picker */

static void an_item_is_moved_to_and_picked(void **state)
{
	struct picker p = { 0 };
	struct canvas c = { 0 };

	(void)state;
	picker_begin(&p, "Pick");
	assert_int_equal(picker_key(&p, STAGE_ENTER), PICKER_GIVEN_UP);
	for (int i = 0; i < 9; i++)
		assert_true(picker_add(&p, (uint64_t)i * 7, "item %d", i));
	lines_begin(&c, 20, 6, true);
	picker_draw(&p, &c, canvas_area(&c));
	assert_int_equal(p.list.height, 4);
	assert_int_equal(picker_key(&p, TERM_UP), PICKER_GOES_ON);
	assert_int_equal(p.at, 0);
	picker_key(&p, TERM_PAGE_DOWN);
	picker_key(&p, TERM_DOWN);
	assert_int_equal(p.at, 5);
	picker_draw(&p, &c, canvas_area(&c));
	assert_int_equal(p.top, 2);
	picker_key(&p, TERM_END);
	picker_key(&p, TERM_DOWN);
	assert_int_equal(p.at, 8);
	picker_key(&p, TERM_HOME);
	assert_int_equal(p.at, 0);
	picker_key(&p, TERM_UP);
	picker_key(&p, TERM_DOWN);
	assert_int_equal(picker_key(&p, STAGE_ENTER), PICKER_DONE);
	assert_int_equal(p.items[p.at].value, 7);
	assert_int_equal(picker_key(&p, STAGE_ESCAPE), PICKER_GIVEN_UP);
	assert_int_equal(picker_key(&p, TERM_LEFT), PICKER_GIVEN_UP);
	picker_fini(&p);
	canvas_fini(&c);
}

static void draw_picker(struct picker *p, struct canvas *c, const char *expected)
{
	lines_begin(c, 20, 5, c->ascii);
	picker_draw(p, c, canvas_area(c));
	lines_expect(c, expected);
}

static void a_list_says_that_there_is_more(void **state)
{
	struct picker p = { 0 };
	struct canvas c = { 0 };

	(void)state;
	picker_begin(&p, "Pick");
	for (int i = 0; i < 9; i++)
		assert_true(picker_add(&p, (uint64_t)i, "item %d of them", i));
	draw_picker(&p, &c, "┌─ Pick ───────────┐\n│ item 0 of them   │\n│ item 1 of them   │\n│ item 2 of them   ▼\n"
			    "└───────────── 1/9 ┘\n");
	picker_key(&p, TERM_PAGE_DOWN);
	draw_picker(&p, &c, "┌─ Pick ───────────┐\n│ item 1 of them   ▲\n│ item 2 of them   │\n│ item 3 of them   ▼\n"
			    "└───────────── 4/9 ┘\n");
	picker_key(&p, TERM_END);
	c.ascii = true;
	draw_picker(&p, &c, "+- Pick -----------+\n| item 6 of them   ^\n| item 7 of them   |\n| item 8 of them   |\n"
			    "+------------- 9/9 +\n");
	picker_fini(&p);
	canvas_fini(&c);
}

static void what_is_typed_leaves_the_items_that_have_it(void **state)
{
	struct picker p = { 0 };
	struct canvas c = { 0 };

	(void)state;
	picker_begin(&p, "Pick");
	for (int i = 0; i < 12; i++)
		assert_true(picker_add(&p, (uint64_t)i, "%s %d", i % 2 ? "odd" : "Even", i));
	picker_key(&p, 'O');
	picker_key(&p, 'd');
	assert_int_equal(p.at, 1);
	draw_picker(&p, &c, "┌─ Pick: Od ───────┐\n│ odd 1            │\n│ odd 3            │\n│ odd 5            ▼\n"
			    "└───────────── 1/6 ┘\n");
	picker_key(&p, TERM_DOWN);
	assert_int_equal(p.at, 3);
	picker_key(&p, TERM_END);
	assert_int_equal(p.at, 11);
	picker_key(&p, 'd');
	picker_key(&p, ' ');
	picker_key(&p, '7');
	assert_int_equal(p.at, 7);
	assert_int_equal(picker_key(&p, TERM_PAGE_UP), PICKER_GOES_ON);
	assert_int_equal(p.at, 7);
	picker_key(&p, 'x');
	assert_int_equal(picker_key(&p, STAGE_ENTER), PICKER_GOES_ON); /* there is nothing to choose */
	picker_key(&p, TERM_BACKSPACE);
	assert_int_equal(picker_key(&p, STAGE_ENTER), PICKER_DONE);
	assert_int_equal(p.items[p.at].value, 7);
	picker_key(&p, 'U' & 0x1f);
	picker_key(&p, '~'); /* an expression, of which there is nothing yet */
	picker_key(&p, '(');
	picker_key(&p, TERM_HOME);
	assert_int_equal(p.at, 0);
	picker_key(&p, TERM_BACKSPACE);
	picker_key(&p, '8');
	picker_key(&p, '$');
	assert_int_equal(p.at, 8);
	for (int i = 0; i < 1000; i++)
		picker_key(&p, 0x6F22);
	assert_true(strlen(p.typed) < PICKER_TYPED);
	for (int i = 0; i < 1000 && *p.typed; i++)
		assert_int_equal(picker_key(&p, TERM_BACKSPACE), PICKER_GOES_ON);
	assert_int_equal(picker_key(&p, TERM_BACKSPACE), PICKER_GIVEN_UP);
	picker_fini(&p);
	canvas_fini(&c);
}

static void an_item_is_clicked(void **state)
{
	struct term_event e = { .kind = TERM_MOUSE, .button = BUTTON_LEFT, .action = MOUSE_PRESS };
	struct picker p = { 0 };
	struct canvas c = { 0 };

	(void)state;
	picker_begin(&p, "Pick");
	for (int i = 0; i < 3; i++)
		assert_true(picker_add(&p, (uint64_t)i, "item %d", i));
	lines_begin(&c, 40, 20, true);
	picker_draw(&p, &c, canvas_area(&c));
	e.x = p.list.x + 1;
	e.y = p.list.y + 2;
	e.action = MOUSE_RELEASE;
	assert_int_equal(picker_mouse(&p, &e), PICKER_GOES_ON);
	e.action = MOUSE_PRESS;
	assert_int_equal(picker_mouse(&p, &e), PICKER_DONE);
	assert_int_equal(p.at, 2);
	e.button = WHEEL_UP;
	assert_int_equal(picker_mouse(&p, &e), PICKER_GOES_ON);
	assert_int_equal(p.at, 1);
	e.button = BUTTON_LEFT;
	e.x = 0;
	assert_int_equal(picker_mouse(&p, &e), PICKER_GIVEN_UP);
	picker_fini(&p);
	canvas_fini(&c);
}

/* The help */

/* All its lines, a page after the other. Caller frees. */
static char *read_guide(bool ascii)
{
	struct guide g = { .open = true };
	struct canvas c = { 0 };
	char *text = calloc(1, 65536);

	assert_non_null(text);
	lines_begin(&c, 200, 10, ascii);
	for (int before = -1; g.top != before;) {
		char *page;

		canvas_clear(&c);
		before = g.top;
		guide_draw(&g, &c, canvas_area(&c));
		page = lines_text(&c);
		assert_true(strlen(text) + strlen(page) < 65536);
		strcat(text, page);
		free(page);
		assert_true(guide_command(&g, COMMAND_PAGE_DOWN));
		guide_draw(&g, &c, canvas_area(&c));
	}
	canvas_fini(&c);
	return text;
}

static void the_help_lists_all_there_is(void **state)
{
	(void)state;
	for (int ascii = 0; ascii < 2; ascii++) {
		char *text = read_guide(ascii);

		for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
			char first[64];

			snprintf(first, sizeof(first), "%s", commands[c].help);
			if (!strstr(text, first))
				fail_msg("the help lacks: %s", first);
			assert_non_null(strstr(text, ascii && commands[c].ascii ? commands[c].ascii
										: commands[c].shown));
		}
		for (enum column c = 0; c < COLUMNS; c++)
			assert_non_null(strstr(text, report_columns[c].title));
		free(text);
	}
}

static void the_help_begins_with_what_is_open(void **state)
{
	struct guide g = { .open = true, .about = { .view = "Test", .what = "What it shows.", .has_bars = true } };
	struct canvas c = { 0 };

	(void)state;
	fields_add_key(&g.about.keys, 0, "p", "Pause");
	fields_add_key(&g.about.keys, 0, "Tab", "Frames");
	fields_add_key(&g.about.keys, 0, "?", "Help");
	g.about.columns[0] = (struct column_help){ "SELF", "Time in the zone itself. Of a caller: more." };
	g.about.columns[1] = (struct column_help){ "HEAT", "How restless: . - # ##, the last is most. And more." };
	g.about.column_count = 2;
	lines_begin(&c, 60, 14, true);
	guide_draw(&g, &c, canvas_area(&c));
	lines_expect(&c, "Help: Test\n"
			 " What it shows.\n"
			 " p Pause     Tab Frames  ? Help\n"
			 " SELF  Time in the zone itself.\n"
			 " HEAT  How restless: . - # ##, the last is most.\n"
			 " zone    waits, or no zone   TITLE v sorted by it\n"
			 " name    search match        #       frame\n"
			 " :       waits, unfinished   %       off CPU\n"
			 " #       over the budget     1       pinned (1 to 4)\n"
			 " !       off the scale       x       discarded frame\n"
			 " * +     note, event         ^ a     shown, marked\n"
			 "\n\n"
			 "q Close  ? All keys  / Search\n");
	assert_int_equal(canvas_cell(&c, 29, 6)->role, ROLE_GRAPH);
	assert_int_equal(canvas_cell(&c, 29, 7)->role, ROLE_BUDGET);
	assert_int_equal(presses_at(&g.footer, 0, 13), 'q');
	assert_int_equal(presses_at(&g.footer, 9, 13), '?');
	assert_int_equal(presses_at(&g.footer, 7, 13), 0);
	assert_true(guide_command(&g, COMMAND_HELP)); /* the second page, */
	assert_true(g.open && g.all);
	canvas_clear(&c);
	guide_draw(&g, &c, canvas_area(&c));
	assert_int_equal(presses_at(&g.footer, 9, 13), TERM_PAGE_DOWN);
	assert_true(guide_command(&g, COMMAND_HELP)); /* and out of it */
	assert_false(g.open);
	guide_fini(&g);
	canvas_fini(&c);
}

static void the_help_is_searched(void **state)
{
	struct guide g = { .open = true };
	struct canvas c = { 0 };
	char why[256], place[32];
	int found;

	(void)state;
	lines_begin(&c, 80, 12, true);
	guide_draw(&g, &c, canvas_area(&c));
	assert_false(guide_search(&g, "~(", why, sizeof(why)));
	assert_true(guide_search(&g, "MEDIAN", why, sizeof(why)));
	guide_draw(&g, &c, canvas_area(&c));
	found = g.found;
	assert_true(found > 3 && g.at == 1);
	for (int i = 1; i <= found; i++) {
		char *text;

		canvas_clear(&c);
		guide_draw(&g, &c, canvas_area(&c));
		text = lines_text(&c);
		snprintf(place, sizeof(place), "n Next  %d/%d", i, found);
		assert_non_null(strstr(text, place));
		assert_non_null(strstr(text, "\n> ") ? strstr(text, "\n> ") : strstr(text, "\n>")); /* it is in sight */
		free(text);
		assert_true(guide_command(&g, COMMAND_SEARCH_NEXT));
	}
	guide_draw(&g, &c, canvas_area(&c));
	assert_int_equal(g.at, 1); /* around */
	guide_command(&g, COMMAND_SEARCH_BEFORE);
	guide_draw(&g, &c, canvas_area(&c));
	assert_int_equal(g.at, found);
	assert_true(guide_search(&g, "no such word", why, sizeof(why)));
	guide_draw(&g, &c, canvas_area(&c));
	assert_int_equal(g.found, 0);
	assert_true(guide_command(&g, COMMAND_SEARCH_NEXT));
	guide_draw(&g, &c, canvas_area(&c));
	guide_fini(&g);
	canvas_fini(&c);
}

static void the_help_goes_no_farther_than_its_ends(void **state)
{
	struct guide g = { .open = true };
	struct canvas c = { 0 };

	(void)state;
	lines_begin(&c, 80, 20, false);
	guide_draw(&g, &c, canvas_area(&c));
	assert_true(g.most > 50);
	guide_command(&g, COMMAND_UP);
	assert_int_equal(g.top, 0);
	for (int i = 0; i < 100; i++) { /* before anything is drawn */
		guide_command(&g, COMMAND_LAST);
		guide_command(&g, COMMAND_PAGE_DOWN);
		guide_command(&g, COMMAND_DOWN);
	}
	guide_draw(&g, &c, canvas_area(&c));
	assert_int_equal(g.top, g.most);
	guide_command(&g, COMMAND_FIRST);
	assert_int_equal(g.top, 0);
	assert_false(guide_command(&g, COMMAND_DRILL));
	assert_true(guide_command(&g, COMMAND_HELP));
	assert_false(g.open);
	lines_begin(&c, 200, 200, false);
	guide_draw(&g, &c, canvas_area(&c));
	assert_int_equal(g.top, 0);
	canvas_fini(&c);
}

/* Pieces of a line */

static void expect_fields(const struct fields *f, int width, const char *expected)
{
	struct canvas c = { 0 };

	lines_begin(&c, width, 1, false);
	fields_draw(f, &c, canvas_area(&c), 0);
	lines_expect(&c, expected);
	canvas_fini(&c);
}

static void the_least_important_pieces_go_first(void **state)
{
	struct fields f = { .gap = 2 };

	(void)state;
	fields_add_key(&f, 5, "q", "Quit");
	fields_add_key(&f, 9, "→", "Drill");
	fields_add(&f, ROLE_LABEL, 5, "%s", "");
	fields_add_key(&f, 5, "h", "Help");
	expect_fields(&f, 40, "q Quit  → Drill  h Help\n");
	expect_fields(&f, 22, "q Quit  → Drill\n");
	expect_fields(&f, 14, "→ Drill\n");
	expect_fields(&f, 4, "\n");
}

static void keys_of_a_piece_have_their_role(void **state)
{
	struct fields f = { .gap = 2 };
	struct canvas c = { 0 };

	(void)state;
	fields_add_key(&f, 5, "→", "Drill");
	lines_begin(&c, 10, 1, false);
	assert_int_equal(fields_draw(&f, &c, canvas_area(&c), 0), 7);
	assert_int_equal(canvas_cell(&c, 0, 0)->role, ROLE_KEY);
	assert_int_equal(canvas_cell(&c, 2, 0)->role, ROLE_LABEL);
	canvas_fini(&c);
	for (int i = 0; i < 3 * FIELDS_MAX; i++)
		fields_add_key(&f, 5, "k", "what");
	assert_int_equal(f.count, FIELDS_MAX);
}

static void what_is_too_long_for_a_piece_ends_with_a_character(void **state)
{
	struct fields f = { .gap = 1 };
	char text[3 * FIELD_SIZE + 1] = "";

	(void)state;
	for (int i = 0; i < FIELD_SIZE; i++)
		strcat(text, "漢");
	fields_add(&f, ROLE_LABEL, 0, "%s", text);
	fields_add(&f, ROLE_LABEL, 0, "x%s", text);
	fields_add(&f, ROLE_LABEL, 0, "xy%s", text);
	assert_int_equal(strlen(f.fields[0].text) % 3, 0);
	assert_int_equal(strlen(f.fields[1].text) % 3, 1);
	assert_int_equal(strlen(f.fields[2].text) % 3, 2);
}

/* Rows with a cursor */

static struct report *rows_of(const char *text)
{
	struct profile *p = dsl_profile(text);
	struct values *v = values_of_run(p);
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct report *r;

	assert_non_null(v);
	r = dsl_report(p, v, &o);
	values_free(v);
	profile_free(p);
	return r;
}

static void a_cursor_waits_for_its_row(void **state)
{
	struct table t = { 0 };

	(void)state;
	table_take_report(&t, rows_of("m a 30 1\nm b 20 1\nm c 10 1\n"));
	table_command(&t, COMMAND_DOWN);
	assert_string_equal(table_row(&t)->name, "b");
	table_take_report(&t, rows_of("m a 30 1\nm c 10 1\n"));
	assert_int_equal(t.at, 1);
	assert_string_equal(table_row(&t)->name, "c");
	table_take_report(&t, NULL);
	assert_null(table_row(&t));
	assert_int_equal(table_count(&t), 0);
	table_take_report(&t, rows_of("m b 90 1\nm a 30 1\nm c 10 1\n"));
	assert_int_equal(t.at, 0);
	assert_string_equal(table_row(&t)->name, "b");
	assert_false(table_go(&t, 12345));
	assert_string_equal(table_row(&t)->name, "b");
	table_fini(&t);
}

/* A search for the whole name of a zone does not go to names that contain it first; n goes to them. */
static void a_search_finds_a_whole_name_first(void **state)
{
	struct table t = { 0 };
	struct pattern pattern;
	char why[64];

	(void)state;
	table_take_report(&t, rows_of("m wait 30 1\nm main 20 1\nm Ai 10 1\nm trail 5 1\n"));
	assert_true(pattern_init(&pattern, "ai", why, sizeof(why)));
	assert_true(table_search(&t, &pattern, 1, true));
	assert_string_equal(table_row(&t)->name, "Ai");
	assert_true(table_search(&t, &pattern, 1, false));
	assert_string_equal(table_row(&t)->name, "trail");
	assert_true(table_search(&t, &pattern, 1, false));
	assert_string_equal(table_row(&t)->name, "wait");
	assert_true(pattern_init(&pattern, "a", why, sizeof(why)));
	assert_true(table_search(&t, &pattern, 1, true)); /* where the cursor is */
	assert_string_equal(table_row(&t)->name, "wait");
	table_fini(&t);
}

/* Between the search and Enter rows change their order. */
static void a_cursor_stays_on_what_was_found(void **state)
{
	struct table t = { 0 };
	struct pattern pattern;
	char why[64];

	(void)state;
	table_take_report(&t, rows_of("m a 30 1\nm b 20 1\nm c 10 1\n"));
	assert_true(pattern_init(&pattern, "b", why, sizeof(why)));
	assert_true(table_search(&t, &pattern, 1, true));
	table_take_report(&t, rows_of("m b 90 1\nm a 30 1\nm c 10 1\n"));
	assert_string_equal(table_row(&t)->name, "b");
	table_take_report(&t, rows_of("m a 30 1\nm c 20 1\nm b 10 1\n"));
	assert_string_equal(table_row(&t)->name, "b");
	table_command(&t, COMMAND_UP); /* from then on in its line */
	table_take_report(&t, rows_of("m c 90 1\nm a 30 1\nm b 10 1\n"));
	assert_string_equal(table_row(&t)->name, "a");
	table_fini(&t);
}

static void a_table_without_rows_takes_every_command(void **state)
{
	struct table t = { 0 };
	struct pattern any = { 0 };
	struct look look = { .filter = "" };
	struct canvas c = { 0 };
	int column;

	(void)state;
	lines_begin(&c, 40, 10, true);
	for (int round = 0; round < 2; round++) {
		for (enum command command = COMMAND_UP; command <= COMMAND_LAST; command++)
			assert_true(table_command(&t, command));
		assert_false(table_command(&t, COMMAND_DRILL));
		table_scroll(&t, 5);
		table_scroll(&t, -5);
		assert_false(table_search(&t, &any, 1, true));
		table_draw(&t, &look, &c, canvas_area(&c));
		for (int y = -1; y < 12; y++)
			for (int x = -1; x < 42; x++)
				assert_int_not_equal(table_click(&t, x, y, &column), TABLE_ROW);
		assert_int_equal(t.at, 0);
		assert_int_equal(t.top, 0);
		table_take_report(&t, rows_of(""));
	}
	table_fini(&t);
	canvas_fini(&c);
}

/* Rows that are not seen any more, as they are above: the line of titles says so. */
static void expect_more_above(struct canvas *c, bool more)
{
	char *text = lines_text(c);

	assert_int_equal(text[0], more ? '^' : ' ');
	free(text);
}

static void rows_scroll_between_their_ends(void **state)
{
	struct table t = { 0 };
	struct look look = { .filter = "", .ascii = true };
	struct canvas c = { 0 };
	char text[2048] = "";

	(void)state;
	for (int i = 0; i < 30; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "m z%02d %d 1\n", i,
			 100 - i);
	table_take_report(&t, rows_of(text));
	assert_int_equal(table_count(&t), 31);
	lines_begin(&c, 40, 11, true); /* ten rows */
	table_draw(&t, &look, &c, canvas_area(&c));
	expect_more_above(&c, false);
	table_scroll(&t, -3);
	assert_int_equal(t.top, 0);
	table_scroll(&t, 3);
	assert_int_equal(t.top, 3);
	assert_int_equal(t.at, 3);
	table_scroll(&t, 1000);
	assert_int_equal(t.top, 21);
	assert_int_equal(t.at, 21);
	table_scroll(&t, -2);
	assert_int_equal(t.top, 19);
	assert_int_equal(t.at, 21);
	table_command(&t, COMMAND_FIRST);
	table_draw(&t, &look, &c, canvas_area(&c));
	assert_int_equal(t.top, 0);
	table_command(&t, COMMAND_PAGE_DOWN);
	assert_int_equal(t.at, 10);
	table_draw(&t, &look, &c, canvas_area(&c));
	assert_int_equal(t.top, 1);
	expect_more_above(&c, true);
	table_command(&t, COMMAND_LAST);
	table_command(&t, COMMAND_DOWN);
	assert_int_equal(t.at, 30);
	table_command(&t, COMMAND_PAGE_UP);
	assert_int_equal(t.at, 20);
	table_draw(&t, &look, &c, canvas_area(&c));
	table_take_report(&t, rows_of("m a 30 1\nm b 10 1\n"));
	table_draw(&t, &look, &c, canvas_area(&c));
	assert_int_equal(t.top, 0);
	assert_true(t.at < table_count(&t));
	table_fini(&t);
	canvas_fini(&c);
}

/* Times */

static void a_frame_is_chosen_or_the_nearest(void **state)
{
	struct profile *p = stage_game(10);
	struct times t = { 0 };

	(void)state;
	assert_false(times_pause(&t));
	assert_int_equal(times_choose(&t, 3), 0);
	assert_null(times_newest(&t));
	profile_drop_frames(p, 4);
	assert_true(times_attach(&t, p));
	assert_int_equal(times_choose(&t, 7), 7);
	assert_int_equal(times_choose(&t, 0), 5);
	assert_int_equal(times_choose(&t, UINT64_MAX), 10);
	assert_int_equal(times_step(&t, 1), 10);
	assert_int_equal(times_step(&t, -2), 8);
	assert_int_equal(times_step(&t, INT32_MIN), 5);
	assert_int_equal(times_step(&t, INT32_MAX), 10);
	times_go_live(&t);
	assert_int_equal(t.chosen, 0);
	assert_int_equal(times_step(&t, -1), 9);
	times_fini(&t);
	profile_free(p);
}

static void a_copy_outlives_the_original(void **state)
{
	struct profile *p = stage_game(10);
	struct times t = { 0 };

	(void)state;
	assert_true(times_attach(&t, p));
	assert_true(times_pause(&t));
	assert_int_equal(t.chosen, 10);
	stage_frame(p, 11, (struct stage_frame){ 1, 1, 1 });
	profile_drop_frames(p, 9);
	assert_true(times_update(&t));
	assert_int_equal(times_newest(&t)->number, 10);
	times_detach(&t);
	profile_free(p);
	assert_int_equal(times_profile(&t)->frame_count, 10);
	assert_non_null(query_values(times_query(&t)));
	assert_int_equal(times_choose(&t, 2), 2);
	times_go_live(&t);
	assert_null(times_profile(&t));
	assert_null(times_query(&t));
	times_fini(&t);
}

static void a_new_run_has_no_marks(void **state)
{
	struct profile *p = stage_game(3), *next = stage_game(4);
	struct times t = { 0 };

	(void)state;
	assert_true(times_attach(&t, p));
	t.marks[0] = 2;
	assert_true(times_pause(&t));
	times_go_live(&t);
	assert_int_equal(t.marks[0], 2);
	assert_true(times_attach(&t, next));
	assert_int_equal(t.marks[0], 0);
	t.marks[0] = 2;
	assert_true(times_pause(&t));
	assert_true(times_attach(&t, p));
	assert_int_equal(t.marks[0], 2); /* of what is paused */
	times_go_live(&t);
	assert_int_equal(t.marks[0], 0);
	times_fini(&t);
	profile_free(p);
	profile_free(next);
}

/* Folds */

static void rows_fold_and_unfold(void **state)
{
	static const char *const all = "all update ai ray physics ray walk walk leaf draw";
	struct stage t;

	(void)state;
	stage_begin(&t, 3);
	stage_type(&t, "4");
	assert_string_equal(stage_rows(&t), all);
	stage_go(&t, "ai");
	stage_type(&t, "-");
	assert_string_equal(stage_rows(&t), "all update ai physics ray walk walk leaf draw");
	assert_false(app_applies(&t.app, COMMAND_DRILL) == false);
	assert_true(app_applies(&t.app, COMMAND_UNFOLD));
	stage_type(&t, "-"); /* nothing left here: the row above */
	assert_string_equal(stage_rows(&t), "all update draw");
	assert_string_equal(stage_cursor(&t), "update");
	stage_type(&t, "+");
	assert_string_equal(stage_rows(&t), "all update ai physics ray walk walk leaf draw");
	stage_type(&t, "*");
	assert_string_equal(stage_rows(&t), all);
	stage_type(&t, "*");
	assert_string_equal(stage_rows(&t), "all update draw");
	stage_type(&t, "j+");
	assert_string_equal(stage_rows(&t), "all update ai physics walk draw");
	stage_go(&t, "draw");
	stage_type(&t, "--");
	assert_string_equal(stage_rows(&t), "all");
	stage_type(&t, "+*");
	assert_string_equal(stage_rows(&t), all);
	stage_end(&t);
}

static void a_filter_shows_what_is_folded(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 3);
	stage_type(&t, "4*");
	stage_type(&t, "\\leaf\r");
	assert_string_equal(stage_rows(&t), "all update walk walk leaf");
	stage_type(&t, "jj-*+");
	stage_type(&t, "\\\x15\r");
	assert_string_equal(stage_rows(&t), "all update draw");
	stage_end(&t);
}

/* Paths of a call graph */

static void drilling_makes_a_path(void **state)
{
	struct stage t;
	const struct drill *way;

	(void)state;
	stage_begin(&t, 3);
	way = view_graph_drill(t.app.views[VIEW_GRAPH]);
	assert_int_equal(drill_focus(way), 0);
	assert_false(view_graph_back(t.app.views[VIEW_GRAPH]));
	stage_type(&t, "4");
	stage_go(&t, "physics");
	stage_type(&t, "l");
	assert_int_equal(way->path.length, 2); /* update, physics */
	assert_int_equal(way->place, 1);
	stage_go(&t, "update");
	stage_type(&t, "l");
	assert_int_equal(way->path.length, 2);
	assert_int_equal(way->place, 0);
	stage_expect(&t, "path: [update] › physics");
	stage_go(&t, "ai");
	stage_type(&t, "l");
	stage_expect(&t, "path: update › [ai]");
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "path: [update] › physics");
	stage_press(&t, TERM_LEFT);
	assert_int_equal(way->place, 1);
	stage_press(&t, TERM_LEFT);
	stage_expect(&t, "[4 Tree]");
	stage_end(&t);
}

static void a_deep_path_keeps_its_end(void **state)
{
	struct stage t;
	char path[256] = "a", line[300];

	(void)state;
	stage_begin(&t, 0);
	for (int i = 1; i < 100; i++)
		strcat(path, i % 2 ? "/b" : "/a");
	snprintf(line, sizeof(line), "main %s 5000000 1\n", path);
	dsl_grow(t.p, line);
	stage_data(&t);
	stage_type(&t, "R4");
	stage_press(&t, TERM_END);
	stage_press(&t, TERM_RIGHT);
	assert_int_equal(view_graph_drill(t.app.views[VIEW_GRAPH])->path.length, PATH_MOST);
	stage_expect(&t, "path: … ›");
	stage_expect(&t, "b(50)");
	stage_type(&t, "uuu");
	stage_expect(&t, "a(49)");
	stage_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_has_keys_names_and_a_sentence),
		cmocka_unit_test(no_key_means_two_things_in_one_place),
		cmocka_unit_test(the_keys_that_are_shown_are_the_keys),
		cmocka_unit_test(a_line_is_typed_and_edited),
		cmocka_unit_test(what_is_pasted_is_one_line),
		cmocka_unit_test(what_is_typed_takes_the_place_of_what_was_set),
		cmocka_unit_test(what_cannot_be_shown_is_not_typed),
		cmocka_unit_test(enter_ends_it_and_escape_gives_it_up),
		cmocka_unit_test(a_long_line_moves_with_its_cursor),
		cmocka_unit_test(an_item_is_moved_to_and_picked),
		cmocka_unit_test(a_list_says_that_there_is_more),
		cmocka_unit_test(what_is_typed_leaves_the_items_that_have_it),
		cmocka_unit_test(an_item_is_clicked),
		cmocka_unit_test(the_help_lists_all_there_is),
		cmocka_unit_test(the_help_begins_with_what_is_open),
		cmocka_unit_test(the_help_is_searched),
		cmocka_unit_test(the_help_goes_no_farther_than_its_ends),
		cmocka_unit_test(the_least_important_pieces_go_first),
		cmocka_unit_test(keys_of_a_piece_have_their_role),
		cmocka_unit_test(what_is_too_long_for_a_piece_ends_with_a_character),
		cmocka_unit_test(a_cursor_waits_for_its_row),
		cmocka_unit_test(a_search_finds_a_whole_name_first),
		cmocka_unit_test(a_cursor_stays_on_what_was_found),
		cmocka_unit_test(a_table_without_rows_takes_every_command),
		cmocka_unit_test(rows_scroll_between_their_ends),
		cmocka_unit_test(a_frame_is_chosen_or_the_nearest),
		cmocka_unit_test(a_copy_outlives_the_original),
		cmocka_unit_test(a_new_run_has_no_marks),
		cmocka_unit_test(rows_fold_and_unfold),
		cmocka_unit_test(a_filter_shows_what_is_folded),
		cmocka_unit_test(drilling_makes_a_path),
		cmocka_unit_test(a_deep_path_keeps_its_end),
	};

	return cmocka_run_group_tests_name("tui: parts of the app", tests, NULL, NULL);
}

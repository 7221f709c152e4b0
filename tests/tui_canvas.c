/* SPDX-License-Identifier: MIT */
/*
 * The canvas and its lines of fields: what is drawn where, and that nothing is drawn elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/cells/canvas.h"
#include "tui/cells/fields.h"

/* What a screen would show */

static char *encode(char *out, uint32_t code)
{
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xC0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3F));
	} else if (code < 0x10000) {
		*out++ = (char)(0xE0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3F));
		*out++ = (char)(0x80 | (code & 0x3F));
	} else {
		*out++ = (char)(0xF0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3F));
		*out++ = (char)(0x80 | (code >> 6 & 0x3F));
		*out++ = (char)(0x80 | (code & 0x3F));
	}
	return out;
}

/* A line as text, its blanks at the end too; what lies left of a half is checked on the way. */
static const char *line(struct canvas *c, int y)
{
	static char text[4096];
	char *out = text;

	for (int x = 0; x < c->width; x++) {
		struct cell *cell = canvas_cell(c, x, y);

		if (cell->width == 2)
			assert_int_equal(canvas_cell(c, x + 1, y)->width, 0);
		if (!cell->width) {
			assert_int_equal(canvas_cell(c, x - 1, y)->width, 2);
			continue;
		}
		for (int i = 0; i < CELL_CODES && cell->codes[i]; i++)
			out = encode(out, cell->codes[i]);
	}
	*out = '\0';
	return text;
}

/* The first letter of each cell's role: enough to tell those that the tests use. */
static const char *roles(struct canvas *c, int y)
{
	static const char letters[ROLES] = { [ROLE_PLAIN] = '.',  [ROLE_TITLE] = 'T', [ROLE_NAME] = 'N',
					     [ROLE_NUMBER] = '1', [ROLE_HEAT] = 'H',  [ROLE_DIM] = 'd',
					     [ROLE_COLUMN] = 'C', [ROLE_SORTED] = 'S', [ROLE_FOCUS] = 'F',
					     [ROLE_BAR] = 'B',    [ROLE_AXIS] = 'a',  [ROLE_ALARM] = '!' };
	static char text[4096];
	int x;

	for (x = 0; x < c->width; x++) {
		char letter = letters[canvas_cell(c, x, y)->role];

		text[x] = letter ? letter : '?';
	}
	text[x] = '\0';
	return text;
}

static struct canvas made(int width, int height)
{
	struct canvas c = { 0 };

	assert_true(canvas_resize(&c, width, height));
	return c;
}

/* Sizes */

static void starts_blank(void **state)
{
	struct canvas c = made(4, 2);

	(void)state;
	assert_string_equal(line(&c, 0), "    ");
	assert_string_equal(line(&c, 1), "    ");
	assert_string_equal(roles(&c, 1), "....");
	assert_int_equal(c.cursor_x, 0);
	assert_int_equal(c.cursor_y, 1);
	canvas_fini(&c);
}

static void every_size_can_be_had(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 0, 0 }, { 0, 5 }, { 5, 0 }, { -1, 3 }, { 500, 200 } };
	struct canvas c = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_true(canvas_resize(&c, sizes[i][0], sizes[i][1]));
		canvas_text(&c, canvas_area(&c), 0, 0, ROLE_NAME, "name 日本");
		canvas_box(&c, canvas_area(&c), "title");
		canvas_select(&c, canvas_area(&c), 0);
		canvas_clear(&c);
		assert_null(canvas_cell(&c, c.width, 0));
		assert_null(canvas_cell(&c, 0, c.height));
		assert_null(canvas_cell(&c, -1, 0));
	}
	canvas_fini(&c);
	assert_null(c.cells);
}

static void a_size_too_large_leaves_it_as_it_was(void **state)
{
	struct canvas c = made(3, 1);

	(void)state;
	canvas_text(&c, canvas_area(&c), 0, 0, ROLE_NAME, "abc");
	assert_false(canvas_resize(&c, INT32_MAX, INT32_MAX));
	assert_int_equal(c.width, 3);
	assert_string_equal(line(&c, 0), "abc");
	canvas_fini(&c);
}

/* Text */

static void text_is_clipped_by_its_area(void **state)
{
	struct canvas c = made(8, 3);
	struct area a = { 2, 1, 4, 1 };

	(void)state;
	assert_int_equal(canvas_text(&c, a, 0, 0, ROLE_NAME, "abcdef"), 4);
	assert_string_equal(line(&c, 1), "  abcd  ");
	assert_string_equal(roles(&c, 1), "..NNNN..");
	assert_int_equal(canvas_text(&c, a, -2, 0, ROLE_NUMBER, "1234"), 4);
	assert_string_equal(line(&c, 1), "  34cd  ");
	assert_int_equal(canvas_text(&c, a, 9, 0, ROLE_NAME, "out"), 0);
	canvas_text(&c, a, 0, 1, ROLE_NAME, "out");
	canvas_text(&c, a, 0, -1, ROLE_NAME, "out");
	assert_string_equal(line(&c, 0), "        ");
	assert_string_equal(line(&c, 2), "        ");
	canvas_fini(&c);
}

static void an_area_may_lie_outside_of_the_canvas(void **state)
{
	struct canvas c = made(4, 2);
	struct area a = { -2, -1, 20, 20 };

	(void)state;
	canvas_text(&c, a, 0, 1, ROLE_NAME, "abcdefgh");
	assert_string_equal(line(&c, 0), "cdef");
	canvas_box(&c, a, "title");
	canvas_role(&c, a, 0, 1, 30, ROLE_NUMBER);
	canvas_select(&c, a, 2);
	assert_int_equal(c.cursor_x, 0);
	assert_int_equal(c.cursor_y, 1);
	canvas_fini(&c);
}

static void wide_characters_take_two_cells(void **state)
{
	struct canvas c = made(6, 1);
	struct area a = canvas_area(&c);

	(void)state;
	assert_int_equal(canvas_text(&c, a, 0, 0, ROLE_NAME, "日本"), 4);
	assert_string_equal(line(&c, 0), "日本  ");
	assert_string_equal(roles(&c, 0), "NNNN..");
	canvas_fini(&c);
}

static void a_wide_character_that_does_not_fit_leaves_a_blank(void **state)
{
	struct canvas c = made(6, 1);
	struct area a = { 0, 0, 3, 1 };

	(void)state;
	canvas_text(&c, canvas_area(&c), 0, 0, ROLE_PLAIN, "xxxxxx");
	assert_int_equal(canvas_text(&c, a, 0, 0, ROLE_NAME, "日本"), 3);
	assert_string_equal(line(&c, 0), "日 xxx");
	assert_int_equal(canvas_text(&c, canvas_area(&c), -1, 0, ROLE_NAME, "本b"), 3);
	assert_string_equal(line(&c, 0), " b xxx");
	canvas_fini(&c);
}

static void whoever_overwrites_half_a_character_blanks_the_other(void **state)
{
	struct canvas c = made(6, 1);
	struct area a = canvas_area(&c);

	(void)state;
	canvas_text(&c, a, 0, 0, ROLE_NAME, "日本語");
	canvas_text(&c, a, 1, 0, ROLE_NAME, "x");
	assert_string_equal(line(&c, 0), " x本語");
	canvas_text(&c, a, 4, 0, ROLE_NAME, "y");
	assert_string_equal(line(&c, 0), " x本y ");
	canvas_text(&c, a, 1, 0, ROLE_NAME, "語");
	assert_string_equal(line(&c, 0), " 語 y ");
	canvas_text(&c, a, 2, 0, ROLE_NAME, "日");
	assert_string_equal(line(&c, 0), "  日y ");
	canvas_fini(&c);
}

static void combining_characters_share_a_cell(void **state)
{
	struct canvas c = made(3, 1);
	struct area a = canvas_area(&c);

	(void)state;
	assert_int_equal(canvas_text(&c, a, 0, 0, ROLE_NAME, "e\u0301\u0302\u0303x"), 2);
	assert_string_equal(line(&c, 0), "e\u0301\u0302x ");
	canvas_clear(&c);
	assert_int_equal(canvas_text(&c, a, 0, 0, ROLE_NAME, "\u0301日\u0301"), 2);
	assert_string_equal(line(&c, 0), "日\u0301 ");
	/* The last cell of the line can have one, too. */
	canvas_text(&c, a, 2, 0, ROLE_NAME, "e\u0301");
	assert_string_equal(line(&c, 0), "日\u0301e\u0301");
	canvas_fini(&c);
}

static void what_is_no_character_is_a_question_mark(void **state)
{
	struct canvas c = made(10, 1);

	(void)state;
	assert_int_equal(canvas_text(&c, canvas_area(&c), 0, 0, ROLE_NAME,
				     "a\033[2J\x9b\xff\xc3\x7f"), 9);
	assert_string_equal(line(&c, 0), "a?[2J???? ");
	canvas_clear(&c);
	canvas_text(&c, canvas_area(&c), 0, 0, ROLE_NAME, "\xc2\x9b\xc2\x85\n\t");
	assert_string_equal(line(&c, 0), "????      ");
	canvas_fini(&c);
}

static void in_ascii_nothing_else_is_drawn(void **state)
{
	struct canvas c = made(12, 3);
	struct area inside;

	(void)state;
	c.ascii = true;
	assert_int_equal(canvas_text(&c, canvas_area(&c), 0, 0, ROLE_NAME, "é日e\u0301x▇"), 6);
	assert_string_equal(line(&c, 0), "?? ex?      ");
	inside = canvas_box(&c, canvas_area(&c), "a tïtle that is long");
	assert_string_equal(line(&c, 0), "+- a t... -+");
	assert_string_equal(line(&c, 2), "+----------+");
	assert_int_equal(inside.width, 10);
	for (int i = 0; i < c.width * c.height; i++)
		assert_true(c.cells[i].codes[0] < 0x80 && !c.cells[i].codes[1]);
	canvas_fini(&c);
}

static void clipped_text_ends_in_an_ellipsis(void **state)
{
	struct canvas c = made(10, 1);
	struct area a = canvas_area(&c);

	(void)state;
	assert_int_equal(canvas_clipped(&c, a, 0, 0, 5, ROLE_NAME, "short"), 5);
	assert_string_equal(line(&c, 0), "short     ");
	assert_int_equal(canvas_clipped(&c, a, 0, 0, 5, ROLE_NAME, "longer"), 5);
	assert_string_equal(line(&c, 0), "long…     ");
	assert_int_equal(canvas_clipped(&c, a, 0, 0, 4, ROLE_NAME, "日本語"), 3);
	assert_int_equal(canvas_clipped(&c, a, 8, 0, 100, ROLE_NAME, "xyz"), 2);
	assert_string_equal(line(&c, 0), "日…g…   x…");
	assert_int_equal(canvas_clipped(&c, a, 0, 0, 0, ROLE_NAME, "xyz"), 0);
	c.ascii = true;
	assert_int_equal(canvas_clipped(&c, a, 0, 0, 6, ROLE_NAME, "longer text"), 6);
	assert_int_equal(canvas_clipped(&c, a, 6, 0, 2, ROLE_NAME, "longer text"), 2);
	canvas_text(&c, a, 8, 0, ROLE_NAME, "  ");
	assert_string_equal(line(&c, 0), "lon.....  ");
	canvas_fini(&c);
}

/* Lines */

static void a_role_is_laid_over_text(void **state)
{
	struct canvas c = made(6, 2);
	struct area a = { 1, 0, 4, 2 };

	(void)state;
	canvas_bytes(&c, a, 0, 0, ROLE_HEAT, 0.5f, "abcd", 3);
	assert_int_equal(canvas_cell(&c, 1, 0)->heat, 128);
	assert_string_equal(roles(&c, 0), ".HHH..");
	canvas_role(&c, a, 1, 0, 100, ROLE_TITLE);
	assert_string_equal(line(&c, 0), " abc  ");
	assert_string_equal(roles(&c, 0), ".HTTT.");
	assert_int_equal(canvas_cell(&c, 2, 0)->heat, 0);
	canvas_bytes(&c, a, 0, 1, ROLE_HEAT, 7, "x", 1);
	canvas_bytes(&c, a, 1, 1, ROLE_HEAT, -1, "x", 1);
	canvas_bytes(&c, a, 2, 1, ROLE_NAME, 1, "x", 1);
	assert_int_equal(canvas_cell(&c, 1, 1)->heat, 255);
	assert_int_equal(canvas_cell(&c, 2, 1)->heat, 0);
	assert_int_equal(canvas_cell(&c, 3, 1)->heat, 0);
	canvas_fini(&c);
}

static void the_selected_line_has_the_cursor(void **state)
{
	struct canvas c = made(6, 4);
	struct area a = { 1, 1, 4, 2 };

	(void)state;
	canvas_select(&c, a, 1);
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 6; x++)
			assert_int_equal(canvas_cell(&c, x, y)->selected, y == 2 && x >= 1 && x < 5);
	assert_int_equal(c.cursor_x, 1);
	assert_int_equal(c.cursor_y, 2);
	canvas_select(&c, a, 2); /* not in the area */
	assert_int_equal(c.cursor_y, 2);
	assert_false(c.cursor_shown);
	canvas_fini(&c);
}

static void a_line_of_a_layout_keeps_its_styles(void **state)
{
	struct canvas c = made(24, 1);
	struct layout_span spans[] = {
		{ 2, 4, STYLE_NAME, 0 }, { 8, 3, STYLE_NUMBER, 0 }, { 12, 2, STYLE_HEAT, 1 },
		{ 15, 5, STYLE_BAR, 0 },
	};
	struct layout_line l = { .text = "+ n\u00e4m  1.5 ## |# | -", .spans = spans, .span_count = 4 };

	(void)state;
	canvas_line(&c, canvas_area(&c), 1, 0, &l);
	assert_string_equal(line(&c, 0), " + näm  1.5 ## |# | -   ");
	assert_string_equal(roles(&c, 0), "...NNN..111.HH.BBBBB....");
	assert_int_equal(canvas_cell(&c, 12, 0)->heat, 255);
	canvas_fini(&c);
}

static void a_box_has_a_title_and_blanks_inside(void **state)
{
	struct canvas c = made(14, 5);
	struct area inside;

	(void)state;
	for (int y = 0; y < 5; y++)
		canvas_text(&c, canvas_area(&c), 0, y, ROLE_NAME, "日日日日日日日");
	canvas_select(&c, canvas_area(&c), 2);
	inside = canvas_box(&c, (struct area){ 1, 1, 12, 3 }, "title");
	assert_string_equal(line(&c, 0), "日日日日日日日");
	assert_string_equal(line(&c, 1), " ┌─ title ──┐ ");
	assert_string_equal(line(&c, 2), " │          │ ");
	assert_string_equal(line(&c, 3), " └──────────┘ ");
	assert_int_equal(canvas_cell(&c, 4, 2)->selected, 0);
	assert_int_equal(canvas_cell(&c, 13, 2)->selected, 1);
	assert_int_equal(inside.x, 2);
	assert_int_equal(inside.y, 2);
	assert_int_equal(inside.width, 10);
	assert_int_equal(inside.height, 1);
	canvas_fini(&c);
}

/* Fields */

static const char *drawn(const struct fields *f, int width, int *used)
{
	static char text[256];
	struct canvas c = made(width, 1);

	*used = fields_draw(f, &c, canvas_area(&c), 0);
	strcpy(text, line(&c, 0));
	canvas_fini(&c);
	return text;
}

static void the_least_important_field_goes_first(void **state)
{
	struct fields f = { .gap = 2 };
	int used;

	(void)state;
	fields_add(&f, ROLE_TITLE, 0, "game[%d]", 12);
	fields_add(&f, ROLE_STATE, 9, "LIVE");
	fields_add(&f, ROLE_NAME, 9, "%s", "");
	fields_add(&f, ROLE_NUMBER, 3, "60 fps");
	fields_add(&f, ROLE_NUMBER, 3, "p50 1");
	fields_add(&f, ROLE_NUMBER, 5, "frame 7");
	assert_int_equal(f.count, 5);
	assert_string_equal(drawn(&f, 40, &used), "game[12]  LIVE  60 fps  p50 1  frame 7  ");
	assert_int_equal(used, 38);
	assert_string_equal(drawn(&f, 38, &used), "game[12]  LIVE  60 fps  p50 1  frame 7");
	assert_string_equal(drawn(&f, 37, &used), "game[12]  LIVE  60 fps  frame 7      ");
	assert_int_equal(used, 31);
	assert_string_equal(drawn(&f, 24, &used), "game[12]  LIVE  frame 7 ");
	assert_string_equal(drawn(&f, 14, &used), "game[12]  LIVE");
	assert_string_equal(drawn(&f, 13, &used), "game[12]     ");
	assert_string_equal(drawn(&f, 4, &used), "game");
	assert_int_equal(used, 4);
}

static void long_fields_are_cut_between_characters(void **state)
{
	struct fields f = { .gap = 1 };
	char text[400];
	int used;

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text + FIELD_SIZE - 3, "日本", sizeof("日本"));
	fields_add(&f, ROLE_NAME, 0, "%s", text);
	assert_int_equal(strlen(f.fields[0].text), FIELD_SIZE - 3);
	assert_non_null(drawn(&f, 10, &used));
	for (int i = 0; i < 100; i++)
		fields_add(&f, ROLE_NAME, 1, "%d", i);
	assert_int_equal(f.count, FIELDS_MAX);
	assert_non_null(drawn(&f, 1, &used));
	assert_int_equal(used, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_blank),
		cmocka_unit_test(every_size_can_be_had),
		cmocka_unit_test(a_size_too_large_leaves_it_as_it_was),
		cmocka_unit_test(text_is_clipped_by_its_area),
		cmocka_unit_test(an_area_may_lie_outside_of_the_canvas),
		cmocka_unit_test(wide_characters_take_two_cells),
		cmocka_unit_test(a_wide_character_that_does_not_fit_leaves_a_blank),
		cmocka_unit_test(whoever_overwrites_half_a_character_blanks_the_other),
		cmocka_unit_test(combining_characters_share_a_cell),
		cmocka_unit_test(what_is_no_character_is_a_question_mark),
		cmocka_unit_test(in_ascii_nothing_else_is_drawn),
		cmocka_unit_test(clipped_text_ends_in_an_ellipsis),
		cmocka_unit_test(a_role_is_laid_over_text),
		cmocka_unit_test(the_selected_line_has_the_cursor),
		cmocka_unit_test(a_line_of_a_layout_keeps_its_styles),
		cmocka_unit_test(a_box_has_a_title_and_blanks_inside),
		cmocka_unit_test(the_least_important_field_goes_first),
		cmocka_unit_test(long_fields_are_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Sheets: walked without a width, and as lines of text for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/table/sheet.h"

enum { SIZE, NAME, NOTE, COLUMNS_HERE };

static const struct table_column columns[COLUMNS_HERE] = {
	[SIZE] = { "SIZE", "MB", SHEET_STAYS, .right = true },
	[NAME] = { "NAME", .importance = SHEET_GIVES_WAY },
	[NOTE] = { "NOTE", .importance = 3 },
};

static void add_row(struct sheet *s, const char *size, const char *name, const char *note)
{
	sheet_add(s, (struct sheet_cell){ .text = size, .role = STYLE_NUMBER });
	sheet_text(s, name, STYLE_NAME);
	sheet_text(s, note, STYLE_DIM);
}

static struct sheet two_rows(bool ascii)
{
	struct sheet s;

	sheet_init(&s, columns, COLUMNS_HERE, ascii);
	add_row(&s, "1.5", "a name of some length", "new");
	add_row(&s, "120", "short", "");
	return s;
}

static void expect_line(const struct sheet *s, uint32_t row, const char *expected)
{
	struct layout_line line;

	assert_true(sheet_line(s, row, &line));
	assert_string_equal(line.text, expected);
	free(line.text);
	free(line.spans);
}

/* Titles, then the rows. */
static void expect_lines(struct sheet *s, uint32_t width, const char *titles, const char *first, const char *second)
{
	sheet_fit(s, width);
	expect_line(s, SHEET_TITLES, titles);
	expect_line(s, 0, first);
	expect_line(s, 1, second);
	sheet_fini(s);
}

static void it_is_walked_without_a_width(void **state)
{
	struct sheet s = two_rows(false);
	struct sheet_cell cell = sheet_at(&s, 1, SIZE);

	(void)state;
	assert_int_equal(sheet_rows(&s), 2);
	assert_string_equal(cell.text, "120");
	assert_int_equal(cell.role, STYLE_NUMBER);
	cell = sheet_at(&s, 0, NAME);
	assert_string_equal(cell.text, "a name of some length");
	sheet_fini(&s);
}

static void columns_are_as_wide_as_their_texts(void **state)
{
	struct sheet s = two_rows(false);

	(void)state;
	s.sorted = NAME;
	expect_lines(&s, SHEET_NO_LIMIT, "SIZE MB  NAME▲                  NOTE",
		     "    1.5  a name of some length  new", "    120  short");
}

static void the_name_gives_way(void **state)
{
	struct sheet s = two_rows(false), ascii = two_rows(true);

	(void)state;
	expect_lines(&s, 22, "SIZE MB  NAME     NOTE", "    1.5  a name…  new", "    120  short");
	expect_lines(&ascii, 22, "SIZE MB  NAME     NOTE", "    1.5  a na...  new", "    120  short");
}

static void a_column_goes_so_that_the_name_keeps_its_cells(void **state)
{
	struct sheet s = two_rows(false);

	(void)state;
	s.keeps = 8;
	expect_lines(&s, 22, "SIZE MB  NAME", "    1.5  a name of so…", "    120  short");
}

static void what_stays_sticks_out(void **state)
{
	struct sheet s = two_rows(false);

	(void)state;
	s.floor = 4;
	expect_lines(&s, 5, "SIZE MB  NAME", "    1.5  a n…", "    120  sho…");
}

static void a_hidden_column_is_not_there(void **state)
{
	struct sheet s = two_rows(false);

	(void)state;
	s.columns[SIZE].hidden = true;
	expect_lines(&s, SHEET_NO_LIMIT, "NAME                   NOTE", "a name of some length  new", "short");
}

/* Where it is cut it has its floor, though its texts may need less. */
static void the_floor_is_wider_than_the_texts(void **state)
{
	struct sheet s = two_rows(false);

	(void)state;
	s.floor = 25;
	expect_lines(&s, 30, "SIZE MB  NAME                       NOTE", "    1.5  a name of some length      new",
		     "    120  short");
}

/* The indent goes to half of the column, the tail stays until there is no room for the text beside it. */
static void a_lead_and_a_tail(void **state)
{
	struct sheet_cell cell = { .text = "middle of it", .lead = "      + ", .tail = "  f.c:1", .role = STYLE_NAME };
	static const struct table_column one[] = { { "NAME", .importance = SHEET_GIVES_WAY } };
	struct sheet s;

	(void)state;
	sheet_init(&s, one, 1, false);
	s.floor = 6;
	sheet_add(&s, cell);
	assert_string_equal(sheet_at(&s, 0, 0).lead, cell.lead);
	assert_string_equal(sheet_at(&s, 0, 0).text, cell.text);
	assert_string_equal(sheet_at(&s, 0, 0).tail, cell.tail);
	sheet_fit(&s, 40);
	expect_line(&s, 0, "      + middle of it  f.c:1");
	sheet_fit(&s, 20);
	expect_line(&s, 0, "      + midd…  f.c:1");
	sheet_fit(&s, 12);
	expect_line(&s, 0, "    + middl…");
	sheet_fini(&s);
}

/* Text at the end of a row has no column, and a total may be wider than its own column. */
static void the_rest_of_a_row_runs_on(void **state)
{
	struct sheet s = two_rows(false);

	(void)state;
	sheet_add(&s, (struct sheet_cell){ .text = "1234567.8", .role = STYLE_NUMBER, .loose = true });
	sheet_add(&s, (struct sheet_cell){ .text = "in all, and in every one of them that was looked at", .rest = true });
	assert_int_equal(sheet_rows(&s), 3);
	assert_string_equal(sheet_at(&s, 2, NOTE).text, "");
	sheet_fit(&s, 30);
	expect_line(&s, SHEET_TITLES, "SIZE MB  NAME             NOTE");
	expect_line(&s, 2, "1234567.8  in all, and in every one of them that was looked at");
	sheet_fini(&s);
}

/* Texts that begin alike, which a narrow column would cut to one: the numbers
 * belong to the ids, whatever the order. */
static void rows_that_would_look_alike_have_numbers(void **state)
{
	static const struct table_column one[] = { { "NAME", .importance = SHEET_GIVES_WAY } };
	static const struct { const char *text; uint64_t id; } rows[] = {
		{ "texture of a house", 9 }, { "texture of a tree", 5 }, { "texture of a house", 9 }, { "texts", 7 },
		{ "textures", 0 }, { "texture of a tent", 0 },
	};
	struct sheet s;

	(void)state;
	sheet_init(&s, one, 1, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		sheet_add(&s, (struct sheet_cell){ .text = rows[i].text, .id = rows[i].id, .role = STYLE_NAME });
	sheet_fit(&s, 40);
	expect_line(&s, 0, "texture of a house");
	sheet_fit(&s, 8);
	expect_line(&s, 0, "textu…~2");
	expect_line(&s, 1, "textu…~1");
	expect_line(&s, 2, "textu…~2");
	expect_line(&s, 3, "texts");
	expect_line(&s, 4, "textures");
	expect_line(&s, 5, "texture…"); /* it has no id */
	sheet_fit(&s, 2);
	expect_line(&s, 1, "t…"); /* a number alone would name nothing */
	sheet_fit(&s, 40);
	expect_line(&s, 1, "texture of a tree");
	sheet_fini(&s);
}

/* With a number there is less room for a text: rows that were different without
 * one stay so. */
static void numbers_make_no_rows_alike(void **state)
{
	static const struct table_column one[] = { { "NAME", .importance = SHEET_GIVES_WAY } };
	static const char *const rows[] = { "abcdef 1", "abcdef 2", "abcdeg 1", "abcdeg 2" };
	struct sheet s;

	(void)state;
	sheet_init(&s, one, 1, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		sheet_add(&s, (struct sheet_cell){ .text = rows[i], .id = i + 1, .role = STYLE_NAME });
	sheet_fit(&s, 7);
	expect_line(&s, 0, "abcd…~1");
	expect_line(&s, 1, "abcd…~2");
	expect_line(&s, 2, "abcd…~3");
	expect_line(&s, 3, "abcd…~4");
	sheet_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_walked_without_a_width),
		cmocka_unit_test(columns_are_as_wide_as_their_texts),
		cmocka_unit_test(the_name_gives_way),
		cmocka_unit_test(a_column_goes_so_that_the_name_keeps_its_cells),
		cmocka_unit_test(what_stays_sticks_out),
		cmocka_unit_test(a_hidden_column_is_not_there),
		cmocka_unit_test(the_floor_is_wider_than_the_texts),
		cmocka_unit_test(a_lead_and_a_tail),
		cmocka_unit_test(the_rest_of_a_row_runs_on),
		cmocka_unit_test(rows_that_would_look_alike_have_numbers),
		cmocka_unit_test(numbers_make_no_rows_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

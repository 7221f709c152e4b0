/* SPDX-License-Identifier: MIT */
/* Numbers and names as text. */
#include "tests/comma_locale.h"
#include "tests/model_dsl.h"

#define NS 1000000000u

static void expect_time(int64_t value, int64_t scale, uint64_t per_s, enum unit unit,
			int precision, const char *expected)
{
	char text[64];
	size_t length = format_time(text, sizeof(text), value, scale, per_s, unit, precision, 0);

	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

static void times_in_every_unit(void **state)
{
	(void)state;
	expect_time(3412000, 1, NS, UNIT_MS, -1, "3.412");
	expect_time(3412000, 1, NS, UNIT_US, -1, "3412.000");
	expect_time(3412000, 1, NS, UNIT_NS, -1, "3412000");
	expect_time(3412000, 1, NS, UNIT_MS, 0, "3");
	expect_time(3412000, 1, NS, UNIT_MS, 6, "3.412000");
	expect_time(0, 1, NS, UNIT_MS, -1, "0.000");
	expect_time(-3412000, 1, NS, UNIT_MS, -1, "-3.412");
	expect_time(-1, 1, NS, UNIT_MS, -1, "0.000"); /* no minus on nothing */
}

static void expect_shown(int64_t value, int64_t scale, enum unit unit, int precision, const char *expected)
{
	char text[64];
	size_t length = format_time_shown(text, sizeof(text), value, scale, NS, unit, precision, 1000000);

	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

static void a_short_time_is_not_nothing(void **state)
{
	char text[6];

	(void)state;
	expect_shown(27, 1, UNIT_MS, -1, "<0.001");
	expect_shown(499, 1, UNIT_MS, -1, "<0.001");
	expect_shown(500, 1, UNIT_MS, -1, "0.001");
	expect_shown(0, 1, UNIT_MS, -1, "0.000");
	expect_shown(-27, 1, UNIT_MS, -1, "0.000");
	expect_shown(27, 1, UNIT_US, -1, "0.027");
	expect_shown(27, 1, UNIT_US, 1, "<0.1");
	expect_shown(27, 1, UNIT_US, 0, "<1");
	expect_shown(1, 1024, UNIT_NS, -1, "<0.1");
	expect_shown(27, 1, UNIT_PCT, -1, "0.0");
	assert_int_equal(format_time_shown(text, sizeof(text), 27, 1, NS, UNIT_MS, -1, 0), 5);
	assert_string_equal(text, "0.000"); /* no place for more */
}

static void ticks_of_any_clock(void **state)
{
	(void)state;
	expect_time(2600000, 1, 2600000000u, UNIT_MS, -1, "1.000");
	expect_time(1, 1, 1000000, UNIT_NS, -1, "1000");
	expect_time(1, 1, 1, UNIT_MS, -1, "1000.000");
	expect_time(65536 / 2, 65536, NS, UNIT_NS, -1, "0.5");
	expect_time(INT64_MAX, 1, NS, UNIT_NS, 9, "9223372036854775807.000000000");
	expect_time(INT64_MIN, 1, NS, UNIT_NS, 0, "-9223372036854775808");
}

static void the_unit_that_suits(void **state)
{
	(void)state;
	expect_time(1000000, 1, NS, UNIT_AUTO, -1, "1.000");
	expect_time(999999, 1, NS, UNIT_AUTO, -1, "999.999");
	expect_time(9999, 1, NS, UNIT_AUTO, -1, "9999");
	assert_int_equal(unit_for(INT64_MIN, NS), UNIT_MS);
	assert_string_equal(unit_title(UNIT_US, false), "µs");
	assert_string_equal(unit_title(UNIT_US, true), "us");
	assert_string_equal(unit_title(UNIT_PCT, true), "%");
}

static void ticks_to_nanoseconds(void **state)
{
	(void)state;
	assert_int_equal(format_ns(1, 3 * (uint64_t)NS), 0);
	assert_int_equal(format_ns(2, 3 * (uint64_t)NS), 1);
	assert_int_equal(format_ns(INT64_MAX, NS), INT64_MAX);
	assert_int_equal(format_ns(INT64_MAX, 1000), INT64_MAX);
	assert_int_equal(format_ns(26000000000000000, 2600000000u), 10000000000000000);
	assert_int_equal(format_ns(-5, NS), -5);
}

static void counts_and_percents(void **state)
{
	char text[32];

	(void)state;
	format_count(text, sizeof(text), 12345678901234, 1);
	assert_string_equal(text, "12345678901234");
	format_count(text, sizeof(text), 1, 60); /* of a zone that is entered in every 60th frame */
	assert_string_equal(text, "0.017");
	format_count(text, sizeof(text), -1, 60);
	assert_string_equal(text, "-0.017");
	format_count(text, sizeof(text), 3, 60);
	assert_string_equal(text, "0.1");
	format_count(text, sizeof(text), 0, 60);
	assert_string_equal(text, "0.0");
	format_count(text, sizeof(text), 500 * 65536, 65536);
	assert_string_equal(text, "500.0");
	format_scaled(text, sizeof(text), 9999999, 10000000, 6);
	assert_string_equal(text, "1.000000");
	format_scaled(text, sizeof(text), -2, 3, 6);
	assert_string_equal(text, "-0.666667");
	format_scaled(text, sizeof(text), INT64_MAX, INT64_MAX - 1, 6);
	assert_string_equal(text, "1.000000");
	format_percent(text, sizeof(text), 205, 1000);
	assert_string_equal(text, "20.5%");
	format_percent(text, sizeof(text), 5, 0);
	assert_string_equal(text, "-");
	format_time(text, sizeof(text), 1, 1, NS, UNIT_PCT, -1, 3);
	assert_string_equal(text, "33.3");
	format_time(text, sizeof(text), 1, 1, NS, UNIT_PCT, -1, 0);
	assert_string_equal(text, "-");
}

static void expect_difference(const char *expected, int64_t ticks)
{
	char text[32];

	assert_int_equal(format_difference(text, sizeof(text), ticks, 1, 1000000000, UNIT_MS, -1, 0), strlen(expected));
	assert_string_equal(text, expected);
}

/* A sign in front of nothing says what is not seen. */
static void differences_have_a_sign(void **state)
{
	char text[32];

	(void)state;
	expect_difference("+1.500", 1500000);
	expect_difference("-1.500", -1500000);
	expect_difference("+0.001", 500);
	expect_difference("-0.001", -500);
	expect_difference("0.000", 499);
	expect_difference("0.000", -499);
	expect_difference("0.000", 0);
	format_percent_difference(text, sizeof(text), 5, 1000);
	assert_string_equal(text, "+0.5%");
	format_percent_difference(text, sizeof(text), -5, 1000);
	assert_string_equal(text, "-0.5%");
	format_percent_difference(text, sizeof(text), 1, 10000);
	assert_string_equal(text, "0.0%");
	format_percent_difference(text, sizeof(text), 1, 0);
	assert_string_equal(text, "-");
}

static void text_that_does_not_fit_is_cut(void **state)
{
	char text[4] = "xxx";

	(void)state;
	assert_int_equal(format_count(text, sizeof(text), 123456, 1), 3);
	assert_string_equal(text, "123");
	assert_int_equal(format_percent(text, sizeof(text), 1000, 10), 3);
	assert_int_equal(format_count(text, 0, 1, 1), 0);
}

static void expect_escaped(const char *name, const char *expected)
{
	char *text = name_escape(name, strlen(name));
	char *back = name_unescape(text);

	assert_string_equal(text, expected);
	assert_string_equal(back, name);
	free(text);
	free(back);
}

static void printable_names_stay(void **state)
{
	(void)state;
	expect_escaped("", "");
	expect_escaped("std::vector<int>::push \"x\"", "std::vector<int>::push \"x\"");
	expect_escaped("Größe 大きさ é̂ 😀", "Größe 大きさ é̂ 😀");
}

static void hostile_names_do_not(void **state)
{
	(void)state;
	expect_escaped("\x1b[31m", "\\x1B[31m");
	expect_escaped("a\\x1b", "a\\\\x1b");
	expect_escaped("tab\there\n", "tab\\x09here\\x0A");
	expect_escaped("del\x7f", "del\\x7F");
	expect_escaped("c1 \xc2\x9b", "c1 \\xC2\\x9B");
	expect_escaped("rlo \xe2\x80\xae", "rlo \\xE2\\x80\\xAE");
	expect_escaped("isolate \xe2\x81\xa6", "isolate \\xE2\\x81\\xA6");
	expect_escaped("zwj \xe2\x80\x8d", "zwj \\xE2\\x80\\x8D");
	expect_escaped("tag \xf3\xa0\x80\x81", "tag \\xF3\\xA0\\x80\\x81");
	expect_escaped("nonchar \xef\xbf\xbf", "nonchar \\xEF\\xBF\\xBF");
}

static void bytes_that_are_not_utf8_do_not(void **state)
{
	(void)state;
	expect_escaped("\xff", "\\xFF");
	expect_escaped("\xc3", "\\xC3");                         /* cut */
	expect_escaped("\xc0\xaf", "\\xC0\\xAF");                /* overlong */
	expect_escaped("\xe0\x80\xaf", "\\xE0\\x80\\xAF");       /* overlong */
	expect_escaped("\xed\xa0\x80", "\\xED\\xA0\\x80");       /* surrogate */
	expect_escaped("\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"); /* beyond Unicode */
	expect_escaped("\xe2\x28\xa1", "\\xE2(\\xA1");
}

/* Every pair of bytes, and so every boundary of the rules, comes back. */
static void every_name_can_be_recovered(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 65536; i++) {
		char name[4] = { (char)(i >> 8), (char)i, '4', '1' };
		char *text = name_escape(name, 4), *ascii = name_escape_ascii(name, 4);
		char *a = name_unescape(text), *b = name_unescape(ascii);

		assert_memory_equal(a, name, 4);
		assert_memory_equal(b, name, 4);
		for (const char *c = ascii; *c; c++)
			assert_in_range(*c, ' ', '~');
		free(text);
		free(ascii);
		free(a);
		free(b);
	}
}

static void a_name_is_safe_in_either_way(void **state)
{
	char *text = name_safe("\xc3\xa9\033\\", false), *ascii = name_safe("\xc3\xa9\033\\", true);

	(void)state;
	assert_string_equal(text, "\xc3\xa9\\x1B\\\\");
	assert_string_equal(ascii, "\\xC3\\xA9\\x1B\\\\");
	free(text);
	free(ascii);
}

static void what_is_no_escape_stands_for_itself(void **state)
{
	char *name = name_unescape("a\\q \\x4 \\xZZ \\");

	(void)state;
	assert_string_equal(name, "a\\q \\x4 \\xZZ \\");
	free(name);
}

static void widths_in_cells(void **state)
{
	size_t used;

	(void)state;
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("é̂"), 1); /* two combining marks */
	assert_int_equal(text_width("大きさ"), 6);
	assert_int_equal(text_width("😀"), 2);
	assert_int_equal(text_clip("大きさ", 5, &used), 6);
	assert_int_equal(used, 4);
	assert_int_equal(text_clip("abc", 2, NULL), 2);
	assert_int_equal(text_clip("e\xcc\x81x", 1, NULL), 3); /* the mark stays with its letter */
}

static void expect_double(const char *fixed, const char *real, const char *exact, double value)
{
	char text[EXACT_DIGITS];
	double back;

	assert_int_equal(format_fixed(text, sizeof(text), value, 2), strlen(fixed));
	assert_string_equal(text, fixed);
	assert_int_equal(format_real(text, sizeof(text), value, 4), strlen(real));
	assert_string_equal(text, real);
	assert_int_equal(format_exact(text, value), strlen(exact));
	assert_string_equal(text, exact);
	assert_true(format_parse_real(exact, &back) && back == value);
}

static void expect_doubles(void)
{
	char text[4];

	expect_double("2.50", "2.5", "2.5", 2.5);
	expect_double("-0.00", "-0.001", "-0.001", -0.001);
	expect_double("3.00", "3", "3.0", 3);
	expect_double("0.33", "0.3333", "0.3333333333333333", 1.0 / 3);
	expect_double("inf", "inf", "inf", 1e308 * 10);
	assert_int_equal(format_real(text, sizeof(text), -1.5e-300, 4), 3);
	assert_string_equal(text, "-1.");
}

static void doubles_have_a_point(void **state)
{
	(void)state;
	expect_doubles();
}

/* The locale of a program that uses libprofview. */
static void doubles_have_a_point_in_any_locale(void **state)
{
	static const char *const radixes[] = { ",", "\xD9\xAB" }; /* the Arabic one */
	char name[] = "comma0", printed[16];

	(void)state;
	for (size_t i = 0; i < sizeof(radixes) / sizeof(*radixes); i++, name[5]++) {
		if (!comma_locale_set(name, radixes[i]))
			skip();
		snprintf(printed, sizeof(printed), "%.1f", 2.5);
		assert_non_null(strstr(printed, radixes[i])); /* else this test is none */
		expect_doubles();
		setlocale(LC_NUMERIC, "C");
	}
}

static void what_is_no_double_is_not_read(void **state)
{
	static const char *const none[] = { "", "x", "1.5x", "1..5", ".",
					    "1.00000000000000000000000000000000000000000000000000000000000000000" };
	double is = 0;

	(void)state;
	assert_true(format_parse_real("1.5", &is) && is == 1.5);
	assert_true(format_parse_real("-25e-3", &is) && is == -0.025);
	assert_true(format_parse_real("9007199254740993.0", &is) && is == 9007199254740992.0);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(format_parse_real(none[i], &is));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_in_every_unit),
		cmocka_unit_test(a_short_time_is_not_nothing),
		cmocka_unit_test(ticks_of_any_clock),
		cmocka_unit_test(the_unit_that_suits),
		cmocka_unit_test(ticks_to_nanoseconds),
		cmocka_unit_test(counts_and_percents),
		cmocka_unit_test(doubles_have_a_point),
		cmocka_unit_test(doubles_have_a_point_in_any_locale),
		cmocka_unit_test(differences_have_a_sign),
		cmocka_unit_test(text_that_does_not_fit_is_cut),
		cmocka_unit_test(printable_names_stay),
		cmocka_unit_test(hostile_names_do_not),
		cmocka_unit_test(bytes_that_are_not_utf8_do_not),
		cmocka_unit_test(every_name_can_be_recovered),
		cmocka_unit_test(a_name_is_safe_in_either_way),
		cmocka_unit_test(what_is_no_escape_stands_for_itself),
		cmocka_unit_test(widths_in_cells),
		cmocka_unit_test(what_is_no_double_is_not_read),
	};

	return cmocka_run_group_tests_name("model: format and text", tests, NULL, NULL);
}

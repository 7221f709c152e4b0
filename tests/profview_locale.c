/* SPDX-License-Identifier: MIT */
/*
 * profview_locale: libprofview in a host whose locale has a comma for a point. All that a view shows is the same text
 * as in any other host, and the host's locale stays what it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profview/profview.h"
#include "tests/comma_locale.h"
#include "tests/game_region.h"

static Prof_view *open_view(const struct game *g)
{
	enum Prof_view_result result;
	Prof_view *v = Prof_view_open(g->b.name, 0, &result, NULL, 0);

	assert_non_null(v);
	assert_int_equal(Prof_view_update(v), Prof_view_OK);
	return v;
}

static void put_rows(Prof_view *v, FILE *out)
{
	struct Prof_view_row row;
	const char *title;

	for (unsigned i = 0; (title = Prof_view_title(v, i)); i++)
		fprintf(out, "%s\n", title);
	for (unsigned i = 0; Prof_view_row(v, i, &row); i++) {
		fprintf(out, "%s", row.name);
		for (unsigned c = 0; c < row.count; c++)
			fprintf(out, " %s", row.values[c].text);
		fprintf(out, "\n");
	}
}

static void put_counters(Prof_view *v, FILE *out)
{
	struct Prof_view_counter counter;

	for (unsigned i = 0; Prof_view_counter(v, i, &counter); i++)
		fprintf(out, "%s %s %s %s\n", counter.name, counter.last.text, counter.min.text, counter.max.text);
}

/* Live, of a call graph, and of a frame that has passed. */
static char *all_texts(const struct game *g)
{
	Prof_view *v = open_view(g);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int average = Prof_view_NOW; average <= Prof_view_RUN; average++) {
		assert_int_equal(Prof_view_set_average(v, (enum Prof_view_average)average), Prof_view_OK);
		put_rows(v, out);
	}
	put_counters(v, out);
	assert_int_equal(Prof_view_select_zone(v, "raycast"), Prof_view_OK);
	put_rows(v, out);
	assert_int_equal(Prof_view_set_frame_number(v, 171), Prof_view_OK);
	put_rows(v, out);
	put_counters(v, out);
	fclose(out);
	Prof_view_close(v);
	return text;
}

static void texts_are_the_same_in_any_locale(void **state)
{
	struct game g;
	char *usual, *here;
	bool has_comma;

	(void)state;
	game_begin(&g, 'l');
	usual = all_texts(&g);
	has_comma = comma_locale_set("comma", ",");
	here = all_texts(&g);
	game_end(&g);
	if (has_comma)
		assert_string_equal(localeconv()->decimal_point, ",");
	assert_string_equal(here, usual);
	assert_non_null(strstr(here, "height_m "));
	assert_non_null(strstr(here, "(-0.5 s)"));
	assert_non_null(strstr(here, "fast (0.8 s)"));
	free(here);
	free(usual);
	if (!has_comma)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(texts_are_the_same_in_any_locale) };

	return cmocka_run_group_tests_name("profview: the host's locale", tests, NULL, NULL);
}

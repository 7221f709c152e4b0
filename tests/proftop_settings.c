/* SPDX-License-Identifier: MIT */
/*
 * proftop_settings: what S keeps is there the next time; the command line goes over it; a broken file is said
 * and the rest of it taken.
 */
#include "tests/proftop_run.h"

static char folder[] = "/tmp/proftop-keeps-XXXXXX";
static char variable[64];
static const char *const environment[] = { variable, NULL };

static struct screen *begin(struct game *g, const char *option)
{
	return proftop_on(g, (struct proftop){ .environment = environment, .arguments = { option } });
}

static void put_settings(const char *text)
{
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/proftop/config", folder);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void test_what_is_saved_is_there_again(void **state)
{
	struct screen *s = begin(*state, NULL);

	screen_type(s, "2I>%%b20\rtttt");
	screen_until(s, "theme: mono");
	screen_type(s, "S");
	screen_until(s, "saved in /tmp/proftop-keeps-");
	proftop_leave(s);
	s = begin(*state, NULL);
	screen_golden(s, "settings_again");
	proftop_leave(s);
}

static void test_the_command_line_goes_over_it(void **state)
{
	struct screen *s;

	put_settings("view = tree\ntheme = mono\nunit = ns\n");
	s = begin(*state, "-vself");
	screen_until(s, "[1 Self]");
	screen_until(s, "SELF ns");
	assert_null(strstr(screen_colours(s), " fg ")); /* mono, as the file says */
	proftop_leave(s);
	s = begin(*state, "--no-config");
	screen_type(s, "S");
	screen_until(s, "not saved, because of --no-config");
	proftop_leave(s);
}

/* Columns of the view of counters are others than those of reports. */
static void test_counters_are_sorted(void **state)
{
	char path[128], text[1024] = "";
	struct screen *s;
	FILE *in;

	put_settings("view = counters\nsort = last\n");
	s = begin(*state, NULL);
	screen_type(s, "S");
	screen_until(s, "saved in /tmp/proftop-keeps-");
	proftop_leave(s);
	snprintf(path, sizeof(path), "%s/proftop/config", folder);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_true(fread(text, 1, sizeof(text) - 1, in) > 0);
	fclose(in);
	assert_non_null(strstr(text, "view = counters\nsort = last\n"));
	put_settings("view = self\nsort = last\n"); /* of another view: the usual order */
	s = begin(*state, NULL);
	assert_true(screen_shows(s, "SELF"));
	proftop_leave(s);
}

static void test_a_broken_file_is_said(void **state)
{
	struct screen *s;

	put_settings("view = hier\nsort = nothing\nunit = ns\nsize = 9\n");
	s = begin(*state, NULL);
	screen_until(s, "proftop/config:2: sort: no column");
	assert_true(screen_shows(s, "HIER ns"));
	proftop_leave(s);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(variable, sizeof(variable), "XDG_CONFIG_HOME=%s", folder);
	return 0;
}

static int remove_all(void **state)
{
	char command[128];

	game_remove_all(state);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_what_is_saved_is_there_again, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_the_command_line_goes_over_it, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_counters_are_sorted, game_setup, game_teardown),
		cmocka_unit_test_setup_teardown(test_a_broken_file_is_said, game_setup, game_teardown),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_all);
}

/* SPDX-License-Identifier: MIT */
/*
 * Settings: what a text sets, what is wrong with it, how it is written anew; and the file with it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/format.h"
#include "model/query/average.h"
#include "model/report/columns.h"
#include "proftop/settings.h"
#include "tui/cells/theme.h"

static struct options parsed(const char *text, struct settings_fault *fault)
{
	struct options o;

	options_begin(&o);
	settings_parse(&o, text, fault);
	return o;
}

static void every_line_sets_one(void **state)
{
	struct settings_fault fault;
	struct options o = parsed("view = hier\n"
				  "  sort=count  # the busiest\n"
				  "\n"
				  "# unit = ns\n"
				  "unit\t=\tus\r\n"
				  "average = slow\n"
				  "precision = 2\n"
				  "spread = yes\n"
				  "budget = 60 fps # each\n"
				  "delay = 0.5\n"
				  "mouse = no\n"
				  "ascii = on\n"
				  "color = 16\n"
				  "theme = mono", &fault);

	(void)state;
	assert_int_equal(fault.line, 0);
	assert_int_equal(o.view, REPORT_HIER);
	assert_string_equal(o.sort, "count");
	assert_int_equal(o.unit, UNIT_US);
	assert_int_equal(o.average, AVERAGE_SLOW);
	assert_int_equal(o.precision, 2);
	assert_true(o.spread && o.no_mouse && o.ascii);
	assert_true(o.budget_ms > 16.66 && o.budget_ms < 16.67 && o.redraw_s > 0.49);
	assert_int_equal(o.colour, COLOUR_16);
	assert_int_equal(o.theme, THEME_MONO);
}

static void the_last_one_counts(void **state)
{
	struct settings_fault fault;
	struct options o = parsed("precision = 2\nsort = count\nmouse = no\n"
				  "precision = auto\nsort = auto\nmouse = yes\n", &fault);

	(void)state;
	assert_int_equal(fault.line, 0);
	assert_int_equal(o.precision, -1);
	assert_null(o.sort);
	assert_false(o.no_mouse);
}

/* One line with what is wrong; the lines around it are taken. */
static void fails(const char *line, const char *why)
{
	struct settings_fault fault;
	struct options o;
	char text[512];

	snprintf(text, sizeof(text), "theme = mono\n%s\nunit = us\n", line);
	o = parsed(text, &fault);
	if (!strstr(fault.why, why))
		fail_msg("'%s': it says '%s', not '%s'", line, fault.why, why);
	assert_int_equal(fault.line, 2);
	assert_int_equal(fault.more, 0);
	assert_int_equal(o.theme, THEME_MONO);
	assert_int_equal(o.unit, UNIT_US);
	assert_int_equal(o.view, REPORT_SELF);
	assert_int_equal(o.precision, -1);
	assert_null(o.sort);
	assert_true(o.redraw_s > 0.09);
	assert_false(o.spread || o.json || o.target || o.config);
}

static void what_is_wrong_is_said(void **state)
{
	(void)state;
	fails("view", "no = found");
	fails("= hier", "no setting ''");
	fails("colour = 8", "no setting 'colour'");
	fails("once = yes", "no setting 'once'");
	fails("config = /etc/passwd", "no setting 'config'");
	fails("view = pie", "view: 'pie' is not one of self, hier");
	fails("view =", "view: '' is not one of");
	fails("precision = ten", "precision: 'ten' is not a number from 0 to 9");
	fails("precision = 10", "is not a number from 0 to 9");
	fails("budget = -1", "budget: '-1' is not a time; try 16.7 (ms) or 60fps");
	fails("delay = 0.01", "0.1 seconds");
	fails("spread = perhaps", "spread: 'perhaps' is neither yes nor no");
	assert_string_equal(parsed("view = counters\nsort = last\n", &(struct settings_fault){ 0 }).sort, "last");
	fails("sort = size", "no column 'size'");
	fails("theme = \033[31m", "theme: '\\x1B[31m' is not one of");
	fails("a_name_that_is_longer_than_any_that_there_is = 1", "such a long name");
	fails("view = a value that is a good deal longer than any that a setting of the screen has",
	      "such a long value");
}

static void faults_are_counted(void **state)
{
	struct settings_fault fault;

	(void)state;
	parsed("# a comment\nview = pie\nsize = 3\nunit = us\nnonsense\n", &fault);
	assert_int_equal(fault.line, 2);
	assert_int_equal(fault.more, 2);
}

/* In any noise, nothing but settings is set, and none is out of its bounds. */
static void noise_does_no_harm(void **state)
{
	static const char bytes[] = "view = self\n#\xff\x80 sort=mouse = nos\t9.1e\r-\n\n";
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char text[200];
		struct settings_fault fault;
		struct options o;

		for (size_t i = 0; i < sizeof(text) - 1; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = bytes[(seed >> 16) % (sizeof(bytes) - 1)];
		}
		text[sizeof(text) - 1] = '\0';
		o = parsed(text, &fault);
		assert_in_range(o.view, 0, OPTION_VIEWS - 1);
		assert_true(o.redraw_s >= 0.1);
		assert_false(o.json || o.help || o.command);
	}
}

static void is_the_same(const struct options *a, const struct options *b)
{
	assert_int_equal(a->view, b->view);
	assert_int_equal(a->unit, b->unit);
	assert_int_equal(a->average, b->average);
	assert_int_equal(a->precision, b->precision);
	assert_int_equal(a->colour, b->colour);
	assert_int_equal(a->theme, b->theme);
	assert_true(a->spread == b->spread && a->no_mouse == b->no_mouse && a->no_title == b->no_title && a->ascii == b->ascii);
	assert_true(a->budget_ms == b->budget_ms && a->redraw_s == b->redraw_s);
	assert_ptr_equal(a->sort, b->sort); /* the column's own key */
}

/* The written file has every setting as it was set. */
static void what_is_written_can_be_read(void **state)
{
	struct settings_fault fault;
	struct options o = parsed("view = tree\nsort = hier\nunit = ns\naverage = run\nprecision = 3\n"
				  "spread = yes\nbudget = 33.3\ndelay = 2\nmouse = no\nascii = yes\n"
				  "color = never\ntheme = high-contrast\n", &fault), again;
	char *text = settings_text(&o, "");

	(void)state;
	assert_non_null(text);
	again = parsed(text, &fault);
	assert_int_equal(fault.line, 0);
	is_the_same(&o, &again);
	free(text);
	options_begin(&o);
	text = settings_text(&o, "");
	again = parsed(text, &fault);
	assert_int_equal(fault.line, 0);
	is_the_same(&o, &again);
	for (const char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		assert_true(end - line < 80);
	}
	free(text);
}

/* The user's own words stay, and what a newer proftop knows; a line that sets one has the new value. */
static void what_else_is_there_stays(void **state)
{
	static const char before[] = "# mine\n\nunit=ms # as at work\nsparkle = 7\n  theme = mono\nnonsense\n";
	struct settings_fault fault;
	struct options o = parsed("unit = ns\ntheme = colour-blind\n", &fault);
	char *text = settings_text(&o, before), *again;

	(void)state;
	assert_non_null(text);
	assert_ptr_equal(strstr(text, "# mine\n\nunit = ns  # as at work\nsparkle = 7\ntheme = colour-blind\n"
				      "nonsense\n"), text);
	assert_non_null(strstr(text, "\nmouse = yes\n"));
	assert_null(strstr(strstr(text, "unit = ns") + 1, "unit = "));
	again = settings_text(&o, text);
	assert_string_equal(again, text);
	free(again);
	free(text);
}

/* A view that has no name here leaves the one that is set as it is. */
static void what_has_no_name_is_not_written(void **state)
{
	struct options o;
	char *text;

	(void)state;
	options_begin(&o);
	o.view = 1000;
	text = settings_text(&o, "view = tree\n");
	assert_non_null(text);
	assert_ptr_equal(strstr(text, "view = "), text);
	assert_ptr_equal(strstr(text, "view = tree\n"), text);
	free(text);
}

/* The file */

static char folder[] = "/tmp/proftop-settings-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && !setenv("XDG_CONFIG_HOME", folder, 1) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put_file(const char *name, const char *text, mode_t mode)
{
	FILE *out = fopen(in_folder(name), "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(in_folder(name), mode), 0);
}

static mode_t mode_of(const char *name)
{
	struct stat s;

	assert_int_equal(lstat(in_folder(name), &s), 0);
	return s.st_mode;
}

static void no_file_is_no_fault(void **state)
{
	struct options o;
	char said[1024] = "";

	(void)state;
	options_begin(&o);
	assert_true(settings_read(&o, NULL, said, sizeof(said)));
	assert_string_equal(said, "");
	assert_false(settings_read(&o, in_folder("nothing"), said, sizeof(said)));
	assert_non_null(strstr(said, "nothing: No such file"));
}

static void a_file_is_made_with_its_folder(void **state)
{
	struct options o, again;
	char said[1024];

	(void)state;
	options_begin(&o);
	o.theme = THEME_BLIND;
	assert_true(settings_save(&o, NULL, said, sizeof(said)));
	assert_non_null(strstr(said, in_folder("proftop/config")));
	assert_int_equal(mode_of("proftop") & 0777, 0700);
	assert_int_equal(mode_of("proftop/config") & 0777, 0600);
	options_begin(&again);
	assert_true(settings_read(&again, NULL, said, sizeof(said)));
	assert_int_equal(again.theme, THEME_BLIND);
	/* nothing else is left there */
	assert_int_equal(unlink(in_folder("proftop/config")), 0);
	assert_int_equal(rmdir(in_folder("proftop")), 0);
}

static void a_link_stays_and_rights_too(void **state)
{
	struct options o;
	char said[1024];

	(void)state;
	options_begin(&o);
	put_file("dotfile", "# mine\n", 0640);
	assert_int_equal(symlink("dotfile", in_folder("link")), 0);
	assert_true(settings_save(&o, in_folder("link"), said, sizeof(said)));
	assert_true(S_ISLNK(mode_of("link")));
	assert_int_equal(mode_of("dotfile") & 0777, 0640);
	o.theme = THEME_MONO;
	assert_true(settings_read(&o, in_folder("dotfile"), said, sizeof(said)));
	assert_int_equal(o.theme, THEME_DEFAULT);
}

/* Neither read nor overwritten. */
static void is_refused(const char *name, const char *why)
{
	struct options o;
	char said[1024];

	options_begin(&o);
	assert_false(settings_read(&o, in_folder(name), said, sizeof(said)));
	if (!strstr(said, why))
		fail_msg("it says '%s', not '%s'", said, why);
	assert_int_equal(o.theme, THEME_DEFAULT);
	assert_false(settings_save(&o, in_folder(name), said, sizeof(said)));
	assert_non_null(strstr(said, "not saved"));
}

static void strange_files_are_left_alone(void **state)
{
	static char large[70000];

	(void)state;
	put_file("open", "theme = mono\n", 0666);
	is_refused("open", "all users can write to it");
	assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
	is_refused("fifo", "it is not a regular file");
	is_refused(".", "it is not a regular file");
	memset(large, '#', sizeof(large) - 1);
	put_file("large", large, 0600);
	is_refused("large", "too large");
	assert_int_equal(truncate(in_folder("open"), 20), 0);
	assert_int_equal(chmod(in_folder("open"), 0600), 0);
	is_refused("open", "it is not text");
}

static void what_cannot_be_written_is_said(void **state)
{
	struct options o;
	char said[1024];

	(void)state;
	options_begin(&o);
	put_file("plain", "", 0600);
	assert_false(settings_save(&o, in_folder("plain/config"), said, sizeof(said)));
	assert_non_null(strstr(said, "plain/config: Not a directory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_sets_one),
		cmocka_unit_test(the_last_one_counts),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(faults_are_counted),
		cmocka_unit_test(noise_does_no_harm),
		cmocka_unit_test(what_is_written_can_be_read),
		cmocka_unit_test(what_else_is_there_stays),
		cmocka_unit_test(what_has_no_name_is_not_written),
		cmocka_unit_test(no_file_is_no_fault),
		cmocka_unit_test(a_file_is_made_with_its_folder),
		cmocka_unit_test(a_link_stays_and_rights_too),
		cmocka_unit_test(strange_files_are_left_alone),
		cmocka_unit_test(what_cannot_be_written_is_said),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

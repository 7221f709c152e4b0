/* SPDX-License-Identifier: MIT */
/*
 * proftop_measures: two measures that nobody knew, by one row and one writer each, are in everything that shows
 * something: text, CSV, JSON, sorting, tree, call graph, flame, why, diff, check, a recording, the page (tests/browser
 * clicks through it), the screen, and views of programs that draw themselves.
 *
 * The program is this one with an argument: `frames MORE`. It has 12 frames; the zone `ai` has 10 + MORE widgets in each,
 * and 500 in the ninth, and `update` around it has 2. A slice has 1000 gadgets for the number of its frame; in frames 3
 * and 8 they are not known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "libprof/adapter.h"
#include "libprof/prof.h"
#include "profview/profview.h"
#include "tests/screen.h"
#include "tests/shows.h"

/* The two rows, and their writers */

static prof__measure widgets = { "widgets", "WIDGETS", prof__COUNT, prof__OF_NODE, prof__SUM, prof__ABSENT_IS_ZERO, 0, 0, 0 };
static prof__measure gadgets = { "gadgets", "GADGETS", prof__NS, prof__OF_SLICE, prof__SUM, 0, 0, 0, 0 };

static void add(prof__measure *measure, int64_t amount)
{
	prof__measure_add(&measure, &amount, 1);
}

static int play(int more)
{
	for (int i = 1; i <= 12; i++) {
		Prof_Begin(update)
		add(&widgets, 2);
		Prof_Begin(ai)
		add(&widgets, (i == 9 ? 500 : 10) + more);
		if (i == 3 || i == 8 || i == 9) /* none of them is the median frame then */
			usleep(i == 9 ? 20000 : 5000);
		Prof_End
		Prof_End
		if (i == 3 || i == 8)
			prof__measure_unknown(&gadgets);
		else
			add(&gadgets, i * 1000);
		Prof_update(1);
	}
	return 0;
}

/* Commands: `%A` and `%B` are the regions of two runs, `%F` a recording of the first. */
static char regions[2][64], file[128], self[1024];

static const struct shows_word words[] = { { 'A', regions[0] }, { 'B', regions[1] }, { 'F', file }, { 0, NULL } };

static void shows(int status, const char *command, const char *pattern)
{
	shows_words(words, status, command, pattern);
}

static void of_widgets(const char *options, const char *pattern)
{
	char command[512];

	snprintf(command, sizeof(command), "%%P report --measure widgets %s %%A", options);
	shows(0, command, pattern);
	snprintf(command, sizeof(command), "%%P report --measure widgets %s %%F", options);
	shows(0, command, pattern);
}

static void reports_have_them(void **state)
{
	(void)state;
	of_widgets("", "measure: widgets");
	of_widgets("", "^  +ai +610 +610 +12 +96.2%.* 50.8 +50.8");
	of_widgets("-v hier", "^. update +24 +634 +12");
	of_widgets("-s count", "COUNT");
	of_widgets("-v tree", "^ +ai +610 +610 +12");
	of_widgets("-v graph -z ai", "^ .*update +610 +610 +12");
	of_widgets("-v flame", "ai +610");
	of_widgets("-n 4", "^  +ai +530 +530 +4 ");
	of_widgets("--average run", "^  +ai +50.8 +50.8 +1.0");
	of_widgets("--csv", "^all threads,ai,[^,]*,[0-9]+,610,610,12,");
	of_widgets("--csv", "^thread,zone,file,line,self,hier,count,");
	of_widgets("-j", "\"measure\":\"widgets\",\"unit\":\"count\"");
	of_widgets("-j", "\"zone\":\"ai\",.*\"self\":610,\"hier\":610,\"count\":12,");
}

/* The length of a frame is a time, whatever is measured. Gadgets are nanoseconds, of which a frame has a few thousand. */
static void lengths_of_frames_are_times(void **state)
{
	(void)state;
	shows(0, "%P report --measure widgets %A@9", "^frame 9: 2[0-9]\\.[0-9]{3} ms ");
	shows(0, "%P report --measure gadgets %F@9", "^frame 9: 2[0-9]\\.[0-9]{3} ms ");
	shows(0, "%P report --measure gadgets -u us %F@9", "^frame 9: 2[0-9]{4}\\.[0-9]+ µs ");
	shows(0, "%P report --measure widgets %F@9", " against frame [0-9]+ \\(the median\\): [0-9]\\.[0-9]{3} ms ");
}

static void why_and_diff_have_them(void **state)
{
	(void)state;
	shows(0, "%P why --measure widgets %A@9", "\\+490 .*more per call +ai ");
	shows(0, "%P why --measure widgets %F@9", "\\+490 .*more per call +ai ");
	shows(0, "%P why --measure widgets %F@9", "^ +DELTA +FROM COUNT +FROM AMOUNT ");
	shows(0, "%P why %F@9", "^ +DELTA .*FROM SPEED ");
	shows(0, "%P why --measure widgets -j %F@9", "\"delta\":490,\"calls\":0,\"cost\":490,");
	shows(0, "%P diff --measure widgets %A %B", "^ *\\+5.0 .*ai");
	shows(0, "%P diff --measure widgets %F %B", "^ *\\+5.0 .*ai");
	shows(0, "%P diff -j --measure widgets %A %B", "\"measure\":\"widgets\"");
	shows(0, "%P diff --measure gadgets %A %B", "some amounts are not known");
	shows(0, "%P why --measure gadgets %F@3", "thread: main .* → - .*some amounts are not known");
	shows(0, "%P why --measure gadgets %F@3 | grep -c '[+-][0-9]*[.]' | grep -x 0", "0");
	shows(0, "%P why --measure gadgets -j %F@3", "\"time\":null,\"base_time\":[0-9]+,\"delta\":null,.*\"sum\":null,.*\"rows\":\\[\\]");
	shows(0, "%P why --measure gadgets -j %F@4", "\"time\":4000,\"base_time\":[0-9]+,\"delta\":-?[0-9]+,");
}

static void conditions_have_them(void **state)
{
	(void)state;
	shows(0, "%P check 'zone ai widgets max<=500' %F", "max 500 <= 500: holds");
	shows(4, "%P check 'zone update widgets max<500, zone update self widgets max<3' %A", "max 502 < 500: does not hold");
	shows(4, "%P check 'gadgets max<10us' %F", "max at least 12.000 ..?s < 10 ..?s: does not hold");
	shows(6, "%P check 'gadgets max<13us' %F", "not known");
	shows(0, "%P check 'gadgets p50<13us' %F", "holds");
}

/* Amounts of slices belong to no zone, and some are not known. */
static void what_is_unknown_is_said(void **state)
{
	(void)state;
	shows(0, "%P report --measure gadgets %F", "\\(no zone\\) +≥67.000");
	shows(0, "LC_ALL=C %P report --measure gadgets %F", "\\(no zone\\) +>=67.000");
	shows(0, "%P report --measure gadgets --csv %F", "^thread,zone,.*,at_least\n");
	shows(0, "%P report --measure gadgets --csv %F", "\\(no zone\\),.*,1\n");
	shows(0, "%P report --measure widgets --csv %F", ",ai,.*,0\n");
	shows(0, "%P report --measure gadgets %F", "ai +- +- +12 ");
	shows(0, "%P report --measure gadgets %A@9", "\\(no zone\\) +9000 ");
	shows(0, "%P report --measure gadgets %A@8", "ai +- +- +1 ");
	shows(0, "%P report --measure gadgets -j %F", "\"zone\":\"\\(no zone\\)\",.*\"self\":67000,.*\"lower_bound\":true");
	shows(0, "%P report --measure gadgets -j %A@8", "\"zone\":\"ai\",.*\"self\":null,\"hier\":null,\"count\":1");
	shows(0, "%P report --measure gadgets -v threads %F", "AMOUNT.*\n.*main.* ≥67.000 µs");
	shows(0, "%P report --measure gadgets -j -v threads %F", "\"amount\":67000,\"lower_bound\":true");
	shows(0, "%P report --measure gadgets -j -v threads %F", "\"longest_frame\":[0-9]+,\"amount\":67000,\"amount_at_least\":true");
	shows(0, "%P report --measure gadgets --csv -v threads %F", ",amount_ns,amount_at_least,.*\nmain,.*,67000,1,");
	shows(0, "%P report --measure widgets --csv -v threads %F", ",amount,amount_at_least,.*\nmain,.*,634,0,");
	shows(0, "a=$(%P report --csv -v threads %F | cut -d, -f1-4) b=$(%P report --csv -v threads --measure entries %F | cut -d, -f1-4);"
	      "test \"$a\" = \"$b\" && echo same busy", "^same busy$");
	shows(2, "%P report --measure longest %F 2>&1", "'longest' is a maximum, which the column MAX shows. .*: self, entries, widgets, gadgets");
	shows(2, "%P report --measure gidgets %F 2>&1", "no measure 'gidgets'. Choose one of: self, entries, widgets, gadgets");
}

/* The document of a page. */
#define PAGE_OF(options) \
	"%P export html " options " %F | sed -n 's/.*data-encoding=\"[a-z]*\">//; t data; d; :data s/<.*//p' | base64 -d | gzip -dcf"

/* A part of `widgets` has two nodes; gadgets stand at the root. */
static void a_page_has_them(void **state)
{
	(void)state;
	shows(0, PAGE_OF(""), "\"measures\":\\[\\{\"key\":\"widgets\",\"unit\":\"count\",\"of_slice\":0,");
	shows(0, PAGE_OF(""), "\"run\":\\[0,24,610,0\\],\"known\":\\[0\\],\"cells\":\\[2,2,2,2,2,2,2,2,2,2,2,2\\]");
	shows(0, PAGE_OF(""), "\"node\":\\[1,1,1,1,1,1,[1,]*\\],\"value\":\\[2,10,2,10,2,10,2,10,2,10,2,10,2,10,2,10,2,500,2,10,");
	shows(0, PAGE_OF(""), "\"key\":\"gadgets\",\"unit\":\"ns\",\"of_slice\":1,.*\"run\":\\[67000,0,0,0\\],\"known\":\\[1\\],"
			      "\"cells\":\\[1,1,-1,1,1,1,1,-1,1,1,1,1\\],\"node\":\\[0,0,0,0,0,0,0,0,0,0\\],\"value\":\\[1000,2000,4000,");
	shows(0, PAGE_OF("-n 4"), "\"run\":\\[0,8,530,0\\],\"known\":\\[0\\],\"cells\":\\[2,2,2,2\\]");
	shows(0, PAGE_OF("--measure widgets"), "\\],\"measure\":\"widgets\",");
	shows(0, PAGE_OF("--measure widgets"), "\"run\":\\{\"wall\":[0-9]+,\"elapsed\":[0-9]+,\"frames\":12,");
	shows(2, "%P export html --measure gidgets %F 2>&1", "no measure 'gidgets'");
}

static void the_screen_has_them(void **state)
{
	char proftop[512];
	const char *const argv[] = { proftop, file, NULL };
	struct screen *s;

	(void)state;
	shows_expand(words, proftop, sizeof(proftop), "%P");
	s = screen_start(&(struct screen_start){ .argv = argv, .columns = 100, .rows = 30 });
	screen_until(s, "SELF");
	screen_type(s, "aa&");
	screen_until(s, "Measures");
	screen_type(s, "widg\r");
	screen_until(s, "measure: widgets");
	screen_until(s, "50.8");
	screen_type(s, "8");
	screen_until(s, "all 52.8");
	screen_type(s, "1:frame 9\r5");
	screen_until(s, "+490");
	screen_until(s, "more per call");
	screen_until(s, "FROM AMOUNT");
	screen_type(s, "&gadg\r:frame 3\r");
	screen_until(s, "no difference: some amounts are not known");
	screen_until(s, "sum  -  some amounts are not known");
	screen_type(s, "Q");
	assert_int_equal(screen_end(s), 0);
	screen_free(s);
}

/* Two rows of the screen, of which the first one stands above. */
static bool stands_above(struct screen *s, void *context)
{
	const char *const *rows = context, *text = screen_text(s), *first = strstr(text, rows[0]);

	return first && strstr(first, rows[1]);
}

/* Sorting, comparing and the list of threads. */
static void the_screen_works_with_them(void **state)
{
	char proftop[512];
	const char *const argv[] = { proftop, "--measure", "widgets", file, NULL };
	const char *by_self[] = { " ai ", "+ update " }, *by_hier[] = { "+ update ", " ai " };
	struct screen *s;

	(void)state;
	shows_expand(words, proftop, sizeof(proftop), "%P");
	s = screen_start(&(struct screen_start){ .argv = argv, .columns = 100, .rows = 30 });
	screen_until(s, " widgets");
	screen_until_true(s, stands_above, by_self);
	screen_type(s, ":sort hier\r");
	screen_until_true(s, stands_above, by_hier);
	screen_type(s, ":frame 9\r");
	screen_until(s, " 502 ");
	screen_type(s, "T");
	screen_until(s, " 502 amount ");
	screen_type(s, "\033");
	screen_until_gone(s, "─ Threads, ");
	screen_type(s, "&gadg\r");
	screen_until(s, " gadgets");
	screen_type(s, ":frame 5\r");
	screen_until(s, "frame 5 ");
	screen_type(s, "ma:frame 12\r");
	screen_until(s, "frame 12 ");
	screen_type(s, "mbc");
	screen_until(s, "frames 1 to 5 against 6 to 12");
	screen_until(s, "(no zone)      2.000      9.000        +7.000");
	screen_type(s, "T");
	screen_until(s, "12.000 µs amount");
	screen_type(s, "\033");
	screen_until_gone(s, "─ Threads, ");
	screen_type(s, "Q");
	assert_int_equal(screen_end(s), 0);
	screen_free(s);
}

static bool has_title(Prof_view *v, const char *pattern)
{
	regex_t wanted;
	const char *title;
	bool found = false;

	assert_int_equal(regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB), 0);
	for (unsigned i = 0; !found && (title = Prof_view_title(v, i)); i++)
		found = !regexec(&wanted, title, 0, NULL, 0);
	regfree(&wanted);
	return found;
}

static void a_view_has_them(void **state)
{
	enum Prof_view_result result;
	struct Prof_view_row row;
	char why[256];
	Prof_view *v;

	(void)state;
	v = Prof_view_open(regions[0], 0, &result, why, sizeof(why));
	assert_non_null(v);
	Prof_view_update(v);
	assert_int_equal(Prof_view_set_measure(v, "gidgets"), Prof_view_NOTHING);
	assert_string_equal(Prof_view_measure(v, 1), "entries");
	assert_string_equal(Prof_view_measure(v, 2), "widgets");
	assert_null(Prof_view_measure(v, 4));
	assert_int_equal(Prof_view_set_average(v, Prof_view_RUN), Prof_view_OK);
	assert_int_equal(Prof_view_set_measure(v, "widgets"), Prof_view_OK);
	assert_int_equal(Prof_view_row(v, 0, &row), 1);
	assert_string_equal(row.name, "ai");
	assert_string_equal(row.values[0].text, "50.8");
	assert_true(row.values[0].number > 50.8 && row.values[0].number < 50.9);
	assert_int_equal(Prof_view_set_average(v, Prof_view_NOW), Prof_view_OK);
	assert_int_equal(Prof_view_set_frame_number(v, 9), Prof_view_OK);
	assert_true(has_title(v, "^frame 9: 2[0-9]\\.[0-9]{3} ms$"));
	assert_int_equal(Prof_view_set_measure(v, NULL), Prof_view_OK);
	Prof_view_close(v);
}

static void run_program(const char *region, const char *more)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		setenv("PROF_SHM", region, 1);
		setenv("PROF_KEEP", "1", 1);
		setenv("PROF_CPU", "0", 1); /* the two are the only measures */
		execl(self, self, "frames", more, (char *)NULL);
		_exit(99);
	}
	waitpid(pid, NULL, 0);
}

static int begin(void **state)
{
	char command[512];

	(void)state;
	for (int i = 0; i < 2; i++) {
		snprintf(regions[i], sizeof(regions[i]), "proftop_measures_%d_%c", (int)getpid(), 'a' + i);
		run_program(regions[i], i ? "5" : "0");
	}
	snprintf(file, sizeof(file), "/tmp/proftop_measures_%d.prec", (int)getpid());
	shows_expand(words, command, sizeof(command), "%P record -o %F %A 2>/dev/null");
	return system(command);
}

static int end(void **state)
{
	char path[256];

	(void)state;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/dev/shm/%s", regions[i]);
		unlink(path);
	}
	return unlink(file);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_have_them),
		cmocka_unit_test(lengths_of_frames_are_times),
		cmocka_unit_test(why_and_diff_have_them),
		cmocka_unit_test(conditions_have_them),
		cmocka_unit_test(what_is_unknown_is_said),
		cmocka_unit_test(a_page_has_them),
		cmocka_unit_test(the_screen_has_them),
		cmocka_unit_test(the_screen_works_with_them),
		cmocka_unit_test(a_view_has_them),
	};

	setenv("PROF_CPU", "0", 1); /* else each program has more measures than these two */
	setenv("LC_ALL", "C.UTF-8", 1); /* the tests expect ≥, also where no locale is set */
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (argc > 2 && !strcmp(argv[1], "frames"))
		return play(atoi(argv[2]));
	self[length > 0 ? length : 0] = '\0';
	return cmocka_run_group_tests_name("proftop: two measures that nobody knew", tests, begin, end);
}

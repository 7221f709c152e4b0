/* SPDX-License-Identifier: MIT */
/*
 * Texts for other programs: the editor's words, where a source is, what a copied row and screen are.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui_stage.h"
#include "proftop/proftop_hands.h"
#include "proftop/source_file.h"
#include "tui/term/term_inside.h"

static char folder[256];

/* The editor */

/* Its words, with a bar between two. */
static void expect_words(const char *visual, const char *editor, uint32_t line, const char *expected)
{
	struct editor e;
	char why[128], words[512] = "";

	assert_true(editor_init(&e, visual, editor, "/src/ray.c", line, why, sizeof(why)));
	for (char **word = e.argv; *word; word++) {
		strcat(words, word == e.argv ? "" : "|");
		strcat(words, *word);
	}
	assert_string_equal(words, expected);
	editor_fini(&e);
}

static void editors_are_told_the_line_in_their_way(void **state)
{
	(void)state;
	expect_words(NULL, "vim", 12, "vim|+12|/src/ray.c");
	expect_words(NULL, "/usr/bin/nano", 12, "/usr/bin/nano|+12|/src/ray.c");
	expect_words(NULL, "code", 12, "code|-g|/src/ray.c:12");
	expect_words(NULL, "code-insiders --wait", 12, "code-insiders|--wait|-g|/src/ray.c:12");
	expect_words(NULL, "subl -w", 12, "subl|-w|/src/ray.c:12");
	expect_words(NULL, "kate", 12, "kate|-l|12|/src/ray.c");
	expect_words(NULL, "vim.basic", 4294967295u, "vim.basic|+4294967295|/src/ray.c");
	expect_words(NULL, "emacs-29.1 -nw", 12, "emacs-29.1|-nw|+12|/src/ray.c");
	expect_words(NULL, "some-other", 12, "some-other|+12|/src/ray.c");
	expect_words(NULL, "code", 0, "code|/src/ray.c");
}

static void visual_comes_before_editor(void **state)
{
	(void)state;
	expect_words("nano", "vim", 1, "nano|+1|/src/ray.c");
	expect_words("", "vim", 1, "vim|+1|/src/ray.c");
}

static void without_a_name_it_is_what_is_installed(void **state)
{
	char path[300], before[4096], command[700], why[256];
	struct editor e;

	(void)state;
	snprintf(before, sizeof(before), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s/editors", folder);
	snprintf(command, sizeof(command), "mkdir '%s' && cp /bin/sh '%s/nano'", path, path);
	assert_int_equal(system(command), 0);
	setenv("PATH", path, 1);
	expect_words(" \t", NULL, 1, "nano|+1|/src/ray.c");
	expect_words(NULL, "", 1, "nano|+1|/src/ray.c");
	setenv("PATH", "/nowhere:", 1);
	assert_false(editor_init(&e, NULL, NULL, "/src/ray.c", 1, why, sizeof(why)));
	assert_string_equal(why, "no editor: set VISUAL or EDITOR to one, as in EDITOR=nano (vi, vim and nano are not installed)");
	setenv("PATH", before, 1);
	expect_words(NULL, "vim", 1, "vim|+1|/src/ray.c");
}

static void words_are_told_apart_as_a_shell_does(void **state)
{
	(void)state;
	expect_words(NULL, "  vim  -c 'set nu'  \"a b\"c ", 3, "vim|-c|set nu|a bc|+3|/src/ray.c");
	expect_words(NULL, "'/opt/my tools/vim' \\-x a\\ b", 3, "/opt/my tools/vim|-x|a b|+3|/src/ray.c");
	expect_words(NULL, "vim \"a\\\"b\\c\" '\\' ''", 3, "vim|a\"b\\c|\\||+3|/src/ray.c");
	expect_words(NULL, "vim $HOME *.c ~ `id` ;rm |x", 3, "vim|$HOME|*.c|~|`id`|;rm||x|+3|/src/ray.c");
}

static void what_is_no_command_is_said(void **state)
{
	struct editor e;
	char why[128], many[300] = "vim";

	(void)state;
	assert_false(editor_init(&e, NULL, "vim 'a", "/f", 1, why, sizeof(why)));
	assert_string_equal(why, "VISUAL or EDITOR has a quote without an end");
	assert_false(editor_init(&e, NULL, "vim \"a", "/f", 1, why, sizeof(why)));
	assert_false(editor_init(&e, NULL, "''", "/f", 1, why, sizeof(why)));
	assert_string_equal(why, "VISUAL or EDITOR begins with an empty name");
	while (strlen(many) < 200)
		strcat(many, " a");
	assert_false(editor_init(&e, NULL, many, "/f", 1, why, sizeof(why)));
}

/* Sources */

static int make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char made[256];

	(void)state;
	snprintf(made, sizeof(made), "%s/tui_hands.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(made) || !realpath(made, folder))
		return -1;
	return 0;
}

static int remove_folder(void **state)
{
	char command[300];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static const char *path_of(const char *name)
{
	static char path[4][512];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
	return path[next];
}

static void make(const char *name, bool is_folder)
{
	int fd;

	if (is_folder) {
		assert_int_equal(mkdir(path_of(name), 0700), 0);
		return;
	}
	fd = open(path_of(name), O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static const char *find(const char *file, const char *command, int64_t pid)
{
	static char out[SOURCE_PATH], why[1024];
	struct wanted_source s = { file, command, pid };

	return source_find(&s, false, out, why, sizeof(why)) ? out : why;
}

static void a_source_is_found_above_its_program(void **state)
{
	(void)state;
	make("src", true);
	make("src/ray.c", false);
	make("src/-x.c", false);
	make("build", true);
	make("build/bin", true);
	make("build/app", false);
	make("build/bin/app", false);
	make("build/bin/my app", false);
	make("src/app", false);
	assert_string_equal(find(path_of("src/ray.c"), "", 0), path_of("src/ray.c"));
	assert_string_equal(find("src/ray.c", path_of("build/bin/app"), 0), path_of("src/ray.c"));
	assert_string_equal(find("../src/ray.c", path_of("build/app"), 0), path_of("src/ray.c"));
	assert_string_equal(find("-x.c", path_of("src/app"), 0), path_of("src/-x.c"));
	assert_string_equal(find("-x.c", path_of("src/app --level 3"), 0), path_of("src/-x.c"));
	assert_string_equal(find("src/ray.c", path_of("build/bin/my app --level 3"), 0), path_of("src/ray.c"));
}

/* A program that has no more of its command line than its name has its
 * executable below /proc. */
static void a_running_program_knows_its_folder(void **state)
{
	char program[600];
	pid_t pid;

	(void)state;
	snprintf(program, sizeof(program), "cp /bin/sleep '%s'", path_of("build/sleeps"));
	assert_int_equal(system(program), 0);
	snprintf(program, sizeof(program), "%s", path_of("build/sleeps"));
	pid = fork();
	if (!pid) {
		execv(program, (char *[]){ "sleeps", "1000", NULL });
		_exit(1);
	}
	for (int i = 0; i < 1000 && !strstr(find("src/ray.c", "sleeps 1000", pid), "/src/ray.c"); i++)
		usleep(1000); /* until it is sleeps */
	assert_string_equal(find("src/ray.c", "sleeps 1000", pid), path_of("src/ray.c"));
	assert_string_equal(find("../src/ray.c", "sleeps 1000", pid), path_of("src/ray.c"));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Compiled in the folder of the source, or in one that has been moved. */
static void a_source_is_found_by_the_end_of_its_name(void **state)
{
	(void)state;
	make("src/deep", true);
	make("src/deep/fog.c", false);
	make("src/.hidden", true);
	make("src/.hidden/none.c", false);
	make("build/deep", true);
	make("build/deep/fog.c", false);
	make("build/fog.c", true); /* a folder is no source */
	assert_string_equal(find("/old/home/src/ray.c", path_of("build/app"), 0), path_of("src/ray.c"));
	assert_string_equal(find("ray.c", path_of("build/app"), 0), path_of("src/ray.c"));
	assert_string_equal(find("fog.c", path_of("build/app"), 0), path_of("build/deep/fog.c"));
	assert_string_equal(find("/old/src/deep/fog.c", path_of("build/app"), 0), path_of("src/deep/fog.c"));
	assert_string_equal(find("./x/../deep/fog.c", path_of("src/app"), 0), path_of("src/deep/fog.c"));
	assert_non_null(strstr(find("none.c", path_of("src/app"), 0), "no file none.c: searched "));
}

/* A folder of any size is left after some time. */
static void a_search_below_has_an_end(void **state)
{
	char name[64], out[SOURCE_PATH];

	(void)state;
	make("many", true);
	for (int i = 0; i < 2100; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		make(name, true);
	}
	assert_false(source_below(path_of("many"), "ray.c", out));
}

static void a_source_is_found_where_the_process_is(void **state)
{
	char before[1024];

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(path_of("build/bin")), 0);
	assert_string_equal(find("src/ray.c", "", getpid()), path_of("src/ray.c"));
	assert_string_equal(find("src/ray.c", "", 0), path_of("src/ray.c")); /* proftop is there, too */
	assert_int_equal(chdir(before), 0);
}

static void what_is_not_found_is_said_with_places(void **state)
{
	const char *said = find("src/none.c", path_of("build/app"), getpid());

	(void)state;
	assert_non_null(strstr(said, "no file src/none.c: searched "));
	assert_non_null(strstr(said, path_of("build (of the program), ")));
	assert_non_null(strstr(said, "(where the process is), "));
	assert_null(strstr(said, "(where proftop is)")); /* in the same folder */
	assert_non_null(strstr(said, "the folders below and above these"));
	said = find(path_of("none.c"), "", 0);
	assert_non_null(strstr(said, "none.c: searched "));
	assert_non_null(strstr(said, "(where proftop is), "));
}

/* Names that are no file, or that could do something to the terminal. */
static void hostile_names_are_no_sources(void **state)
{
	char longest[SOURCE_PATH + 100];

	(void)state;
	make("src/bell\a.c", false);
	assert_non_null(strstr(find(path_of("src/bell\a.c"), "", 0), "bell\\x07.c' is not a name that can be opened"));
	assert_non_null(strstr(find("", "", 0), "not a name that can be opened"));
	assert_non_null(strstr(find(path_of("src"), "", 0), "no file "));
	assert_int_equal(mkfifo(path_of("src/pipe.c"), 0600), 0);
	assert_non_null(strstr(find("src/pipe.c", path_of("app"), 0), "no file src/pipe.c: searched"));
	assert_non_null(strstr(find("/dev/null", "", 0), "no file /dev/null"));
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_non_null(strstr(find(longest, longest, 0), "is too long"));
	longest[1000] = '\0';
	assert_non_null(strstr(find(longest, longest, 0), "no file aaa"));
	assert_non_null(find("x.c", "relative/program", INT64_MAX));
}

/* What is copied */

static void a_row_is_its_cells(void **state)
{
	struct stage t;
	char *text;

	(void)state;
	stage_begin(&t, 5);
	stage_go(&t, "ai");
	text = clipping_row(&t.c, &app_view(&t.app)->table);
	assert_non_null(strstr(text, "ai\t3.000\t"));
	assert_null(strchr(text, '\n'));
	assert_true(text[0] != ' ' && text[strlen(text) - 1] != ' ');
	free(text);
	stage_end(&t);
}

static void a_screen_is_its_lines(void **state)
{
	struct stage t;
	char *text, *lines;

	(void)state;
	stage_begin(&t, 5);
	text = clipping_screen(&t.c);
	lines = lines_text(&t.c);
	assert_string_equal(text, lines);
	free(text);
	free(lines);
	stage_end(&t);
}

static void wide_and_combined_characters_are_whole(void **state)
{
	struct canvas c = { 0 };
	struct table table = { .drawn = { 0, 0, 20, 2 }, .shown = 5 };
	char *text;

	(void)state;
	assert_true(canvas_resize(&c, 20, 2));
	canvas_text(&c, canvas_area(&c), 2, 1, ROLE_NAME, "空间e\xcc\x81 ");
	canvas_text(&c, canvas_area(&c), 15, 1, ROLE_NUMBER, "1.5");
	canvas_select(&c, canvas_area(&c), 1);
	table.places[0] = (struct layout_place){ 0, 8 };
	table.places[2] = (struct layout_place){ 9, 7 };
	text = clipping_row(&c, &table);
	assert_string_equal(text, "空间e\xcc\x81\t1.5");
	free(text);
	text = clipping_screen(&c);
	assert_string_equal(text, "\n  空间e\xcc\x81        1.5\n");
	free(text);
	canvas_clear(&c);
	text = clipping_row(&c, &table);
	assert_string_equal(text, "");
	free(text);
	canvas_fini(&c);
}

static void a_clip_is_base64(void **state)
{
	static const char *const pairs[][2] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
						{ "foob", "Zm9vYg==" }, { "foobar", "Zm9vYmFy" },
						{ "\xff\xfe", "//4=" } };

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char *text = clip_sequence(pairs[i][0], strlen(pairs[i][0])), expected[64];

		snprintf(expected, sizeof(expected), "\033]52;c;%s\a", pairs[i][1]);
		assert_string_equal(text, expected);
		free(text);
	}
	assert_true(clip_is_known("xterm-256color"));
	assert_true(clip_is_known("tmux-256color"));
	assert_false(clip_is_known("linux"));
	assert_false(clip_is_known("linux-16color"));
	assert_false(clip_is_known("dumb"));
	assert_false(clip_is_known(""));
}

/* The file */

static void a_copy_is_for_nobody_else(void **state)
{
	char path[COPY_FILE_PATH], why[128], text[64] = "";
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(setenv("XDG_RUNTIME_DIR", folder, 1), 0);
	assert_true(copy_file_write("first, longer", 13, path, why, sizeof(why)));
	assert_true(copy_file_write("second", 6, path, why, sizeof(why)));
	assert_string_equal(path, path_of("proftop/copy.txt"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(path_of("proftop"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	assert_string_equal(text, "second");
	close(fd);
}

static void a_folder_of_all_is_not_used(void **state)
{
	char path[COPY_FILE_PATH], why[128];

	(void)state;
	assert_int_equal(chmod(path_of("proftop"), 0777), 0);
	assert_false(copy_file_write("x", 1, path, why, sizeof(why)));
	assert_string_equal(why, "other users can write to that folder");
	assert_int_equal(rename(path_of("proftop"), path_of("elsewhere")), 0);
	assert_int_equal(chmod(path_of("elsewhere"), 0700), 0);
	assert_int_equal(symlink(path_of("elsewhere"), path_of("proftop")), 0);
	assert_false(copy_file_write("x", 1, path, why, sizeof(why)));
	assert_int_equal(setenv("XDG_RUNTIME_DIR", "/nowhere/at/all", 1), 0);
	assert_false(copy_file_write("x", 1, path, why, sizeof(why)));
	assert_string_equal(path, "/nowhere/at/all/proftop/copy.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(editors_are_told_the_line_in_their_way),
		cmocka_unit_test(visual_comes_before_editor),
		cmocka_unit_test(without_a_name_it_is_what_is_installed),
		cmocka_unit_test(words_are_told_apart_as_a_shell_does),
		cmocka_unit_test(what_is_no_command_is_said),
		cmocka_unit_test(a_source_is_found_above_its_program),
		cmocka_unit_test(a_running_program_knows_its_folder),
		cmocka_unit_test(a_source_is_found_by_the_end_of_its_name),
		cmocka_unit_test(a_search_below_has_an_end),
		cmocka_unit_test(a_source_is_found_where_the_process_is),
		cmocka_unit_test(what_is_not_found_is_said_with_places),
		cmocka_unit_test(hostile_names_are_no_sources),
		cmocka_unit_test(a_row_is_its_cells),
		cmocka_unit_test(a_screen_is_its_lines),
		cmocka_unit_test(wide_and_combined_characters_are_whole),
		cmocka_unit_test(a_clip_is_base64),
		cmocka_unit_test(a_copy_is_for_nobody_else),
		cmocka_unit_test(a_folder_of_all_is_not_used),
	};

	return cmocka_run_group_tests_name("tui: hands", tests, make_folder, remove_folder);
}

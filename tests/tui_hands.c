/* SPDX-License-Identifier: MIT */
/*
 * What is handed to others: the editor's words, where a source is, what a copied row and screen are.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tui_stage.h"
#include "tui/widgets/clipping.h"
#include "proftop/copy_file.h"
#include "proftop/editor.h"
#include "proftop/source_file.h"
#include "tui/term/term_clip.h"

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

static void visual_comes_before_editor_and_vi_is_last(void **state)
{
	(void)state;
	expect_words("nano", "vim", 1, "nano|+1|/src/ray.c");
	expect_words("", "vim", 1, "vim|+1|/src/ray.c");
	expect_words(" \t", NULL, 1, "vi|+1|/src/ray.c");
	expect_words(NULL, NULL, 1, "vi|+1|/src/ray.c");
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
	assert_string_equal(why, "the editor has a quote without an end");
	assert_false(editor_init(&e, NULL, "vim \"a", "/f", 1, why, sizeof(why)));
	assert_false(editor_init(&e, NULL, "''", "/f", 1, why, sizeof(why)));
	assert_string_equal(why, "the editor has no name");
	while (strlen(many) < 200)
		strcat(many, " a");
	assert_false(editor_init(&e, NULL, many, "/f", 1, why, sizeof(why)));
}

/* Sources */

static char folder[256];

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

static const char *find(const char *file, const char *program, int64_t pid)
{
	static char out[SOURCE_PATH], why[1024];
	struct source_file s = { file, program, pid };

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
	assert_string_equal(find(path_of("src/ray.c"), "", 0), path_of("src/ray.c"));
	assert_string_equal(find("src/ray.c", path_of("build/bin/app"), 0), path_of("src/ray.c"));
	assert_string_equal(find("../src/ray.c", path_of("build/app"), 0), path_of("src/ray.c"));
	assert_string_equal(find("-x.c", path_of("src/app"), 0), path_of("src/-x.c"));
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
	assert_non_null(strstr(said, "src/none.c is not there: looked for in "));
	assert_non_null(strstr(said, path_of("build (of its program)")));
	assert_non_null(strstr(said, "(that the process is in), "));
	assert_non_null(strstr(said, "and the folders above"));
	assert_non_null(strstr(find(path_of("none.c"), "", 0), "none.c is not there"));
}

/* What is no file, and what could do something to the terminal. */
static void hostile_names_are_no_sources(void **state)
{
	char longest[SOURCE_PATH + 100];

	(void)state;
	make("src/bell\a.c", false);
	assert_non_null(strstr(find(path_of("src/bell\a.c"), "", 0), "bell\\x07.c' is no name of a source"));
	assert_non_null(strstr(find("", "", 0), "no name of a source"));
	assert_non_null(strstr(find(path_of("src"), "", 0), "no file that can be read"));
	assert_int_equal(mkfifo(path_of("src/pipe.c"), 0600), 0);
	assert_non_null(strstr(find("src/pipe.c", path_of("app"), 0), "src/pipe.c is not there"));
	assert_non_null(strstr(find("/dev/null", "", 0), "no file that can be read"));
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_non_null(strstr(find(longest, longest, 0), "is too long"));
	longest[1000] = '\0';
	assert_non_null(strstr(find(longest, longest, 0), "is not there"));
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
	assert_string_equal(why, "that folder is not yours alone");
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
		cmocka_unit_test(visual_comes_before_editor_and_vi_is_last),
		cmocka_unit_test(words_are_told_apart_as_a_shell_does),
		cmocka_unit_test(what_is_no_command_is_said),
		cmocka_unit_test(a_source_is_found_above_its_program),
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

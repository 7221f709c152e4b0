/* SPDX-License-Identifier: MIT */
/*
 * tui_export: a file is written beside the screen: what the last line says of it,
 * which Esc cancels it, and what the child process has and leaves.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proftop/export_file.h"
#include "proftop/stop.h"
#include "tests/tui_stage.h"

#define PIECE 65536

/* The last line */

static bool shows(struct stage *t, const char *text)
{
	char *lines = lines_text(&t->c);
	bool found = strstr(lines, text);

	free(lines);
	return found;
}

static void the_last_line_says_how_far_it_is(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	app_progress(&t.app, "exporting %s: %d %%, Esc cancels", "game.html", 43);
	stage_draw(&t);
	assert_true(shows(&t, "\nexporting game.html: 43 %, Esc cancels\n"));
	app_say(&t.app, "something else");
	stage_draw(&t);
	assert_true(shows(&t, "\nsomething else\n"));
	stage_press(&t, 'j');
	assert_true(shows(&t, "\nexporting game.html: 43 %, Esc cancels\n"));
	app_progress(&t.app, "%s", "");
	stage_draw(&t);
	assert_true(shows(&t, "p Pause"));
	stage_end(&t);
}

/* Esc first closes what is open. */
static void escape_cancels_when_the_line_says_so(void **state)
{
	struct stage t;

	(void)state;
	stage_begin(&t, 5);
	stage_press(&t, 'p');
	app_progress(&t.app, "exporting game.html, Esc cancels");
	stage_press(&t, '/');
	stage_press(&t, STAGE_ESCAPE);
	assert_false(t.effects & EFFECT_CANCEL);
	stage_press(&t, '?');
	stage_press(&t, STAGE_ESCAPE);
	assert_false(t.effects & EFFECT_CANCEL);
	stage_press(&t, '9'); /* a view that Esc leaves */
	stage_press(&t, STAGE_ESCAPE);
	assert_false(t.effects & EFFECT_CANCEL);
	stage_press(&t, '\t');
	stage_press(&t, STAGE_ESCAPE);
	assert_false(t.effects & EFFECT_CANCEL);
	app_say(&t.app, "something else");
	stage_press(&t, STAGE_ESCAPE);
	assert_false(t.effects & EFFECT_CANCEL);
	stage_press(&t, 'j');
	assert_false(t.effects & EFFECT_CANCEL);
	stage_press(&t, STAGE_ESCAPE);
	assert_true(t.effects & EFFECT_CANCEL);
	assert_true(shows(&t, "PAUSED"));
	app_progress(&t.app, "%s", "");
	stage_press(&t, STAGE_ESCAPE);
	assert_false(t.effects & EFFECT_CANCEL);
	stage_end(&t);
}

/* The child */

static char folder[] = "/tmp/tui-export-XXXXXX";
static int number; /* what the child has a copy of */

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int count_files(void)
{
	char command[200];
	FILE *in;
	int count = -1;

	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", folder);
	in = popen(command, "r");
	assert_non_null(in);
	assert_int_equal(fscanf(in, "%d", &count), 1);
	pclose(in);
	return count;
}

static bool wrote(void *context, uint64_t bytes)
{
	struct export_state *s = context;

	atomic_store(&s->bytes, bytes);
	return true;
}

/* Writes some of a file, and then waits for ever if the context says so. */
static void write_some(void *context, struct export_state *s)
{
	const struct export_watch watch = { .goes_on = wrote, .context = s };
	static char piece[PIECE];
	struct export_file f;
	const bool *waits = context;
	int error;

	if (!export_file_open(&f, path_of("file"), &watch, &error))
		return;
	for (int i = 0; i < 4; i++)
		fwrite(piece, 1, sizeof(piece), f.out);
	while (*waits)
		pause();
	snprintf(s->what, sizeof(s->what), "number %d, files %d", number, fcntl(3, F_GETFD) >= 0 && f.fd != 3);
	s->written = export_file_finish(&f, true, &s->error);
}

static void until(atomic_uint_least64_t *bytes, uint64_t least)
{
	while (atomic_load(bytes) < least)
		usleep(1000);
}

static void a_file_is_written_of_a_private_copy(void **state)
{
	struct export_beside b = { 0 };
	bool waits = false;
	struct stat st;

	(void)state;
	number = 1;
	assert_true(export_beside_begin(&b, write_some, &waits));
	number = 2;
	while (!export_beside_is_over(&b))
		usleep(1000);
	assert_true(b.state->written);
	assert_string_equal(b.state->what, "number 1, files 0");
	assert_int_equal(stat(path_of("file"), &st), 0);
	assert_int_equal(st.st_size, 4 * PIECE);
	assert_int_equal(unlink(path_of("file")), 0);
	export_beside_fini(&b);
	assert_int_equal(count_files(), 0);
}

static void nothing_is_left_of_a_cancelled_one(void **state)
{
	struct export_beside b = { 0 };
	bool waits = true;

	(void)state;
	assert_true(export_beside_begin(&b, write_some, &waits));
	until(&b.state->bytes, 3 * PIECE);
	assert_false(export_beside_is_over(&b));
	export_beside_end(&b);
	assert_false(b.state->written);
	assert_true(WIFSIGNALED(b.status) && WTERMSIG(b.status) == SIGTERM);
	assert_int_equal(count_files(), 0);
	export_beside_fini(&b);
}

/* As where the file system has no files without names. */
static void write_named(void *context, struct export_state *s)
{
	int fd = open(path_of("aside"), O_WRONLY | O_CREAT, 0600);

	(void)context;
	stop_removes(path_of("aside"));
	atomic_store(&s->bytes, fd >= 0);
	for (;;)
		pause();
}

static void on_signal(int number)
{
	(void)number;
}

/* The screen catches signals, which the child does not. */
static void a_named_file_goes_with_the_child(void **state)
{
	struct export_beside b = { 0 };

	(void)state;
	signal(SIGTERM, on_signal);
	assert_true(export_beside_begin(&b, write_named, NULL));
	until(&b.state->bytes, 1);
	assert_int_equal(count_files(), 1);
	export_beside_end(&b);
	assert_int_equal(count_files(), 0);
	export_beside_fini(&b);
	signal(SIGTERM, SIG_DFL);
}

/* The end may be asked for before the child has its own handlers. */
static void it_can_be_cancelled_at_once(void **state)
{
	struct export_beside b = { 0 };

	(void)state;
	signal(SIGTERM, on_signal);
	for (int i = 0; i < 100; i++) {
		assert_true(export_beside_begin(&b, write_named, NULL));
		export_beside_end(&b); /* waits for ever, if it is lost */
		unlink(path_of("aside"));
	}
	export_beside_fini(&b);
	signal(SIGTERM, SIG_DFL);
}

/* Killed, proftop cannot end it itself. */
static void it_ends_with_proftop(void **state)
{
	int ends[2];
	pid_t pid;
	char byte;

	(void)state;
	assert_int_equal(pipe2(ends, 0), 0);
	pid = fork();
	if (!pid) {
		struct export_beside b = { 0 };

		if (!export_beside_begin(&b, write_named, NULL))
			_exit(1);
		until(&b.state->bytes, 1);
		kill(getpid(), SIGKILL);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	waitpid(pid, NULL, 0);
	while (count_files()) /* for ever, if it does not */
		usleep(10000);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[200];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_line_says_how_far_it_is),
		cmocka_unit_test(escape_cancels_when_the_line_says_so),
		cmocka_unit_test(a_file_is_written_of_a_private_copy),
		cmocka_unit_test(nothing_is_left_of_a_cancelled_one),
		cmocka_unit_test(a_named_file_goes_with_the_child),
		cmocka_unit_test(it_can_be_cancelled_at_once),
		cmocka_unit_test(it_ends_with_proftop),
	};

	return cmocka_run_group_tests_name("tui: export", tests, make_folder, remove_folder);
}

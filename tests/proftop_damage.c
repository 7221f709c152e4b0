/* SPDX-License-Identifier: MIT */
/*
 * proftop on a region that is damaged while it is looked at: cut off, with holes, scribbled on by somebody; and on
 * regions of another version or machine. It stays, says why, and what it had stays; no signal ends it.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "proftop/messages.h"
#include "shm/seq.h"
#include "tests/long.h"
#include "tests/proftop_run.h"

/* On the screen */

/* Plays 200 frames; then the region ends where `size` is. */
static void cut_at(off_t size, const char *keys)
{
	struct game g;
	struct screen *s;

	game_begin(&g, 'x');
	s = proftop_on(&g, (struct proftop){ .columns = 100 });
	screen_until(s, "frame 200");
	assert_int_equal(ftruncate(g.b.fd, size), 0);
	screen_until(s, "was cut off while proftop read it");
	screen_until(s, "cannot be read any more");
	screen_type(s, keys);
	screen_until(s, "render");
	proftop_leave(s);
	assert_int_equal(ftruncate(g.b.fd, (off_t)g.b.size), 0);
	game_end(&g);
}

static void test_cut_anywhere(void **state)
{
	(void)state;
	cut_at(0, "1");
	cut_at(REGION_PAGE, "2");
	cut_at(3 * REGION_PAGE + 100, "4p");
	cut_at(100 * REGION_PAGE, "1");
}

/* Pages [first, end) read as zeros from now on. */
static void punch(const struct game *g, const void *first, const void *end)
{
	off_t from = (const unsigned char *)first - g->b.base, to = (const unsigned char *)end - g->b.base;

	assert_int_equal(fallocate(g->b.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, to - from), 0);
}

/* The words of the process are gone: all that was read stays, and is said to be all. */
static void test_hole_in_process(void **state)
{
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	s = proftop_on(&g, (struct proftop){ .columns = 100 });
	screen_until(s, "frame 200");
	punch(&g, g.b.process, g.b.base + g.b.size);
	screen_until(s, "is damaged: its number of frames makes no sense");
	screen_until(s, "cannot be read any more");
	screen_until(s, "render");
	screen_type(s, "p");
	screen_until(s, "PAUSED  frame 200");
	proftop_leave(s);
	game_end(&g);
}

/* The logs and nodes are gone while the game goes on: what cannot be read is counted, the frames go on. */
static void test_hole_in_chunks(void **state)
{
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	s = proftop_on(&g, (struct proftop){ .columns = 140 });
	screen_until(s, "frame 200");
	punch(&g, g.b.chunks, g.b.base + g.b.size);
	for (int i = 0; i < 3; i++)
		builder_frame(&g.b, g.tick += 1000000, ++g.frames, 1ull << 32, NULL);
	screen_until(s, "frame 203");
	screen_until(s, "torn_totals");
	screen_until(s, "render");
	proftop_leave(s);
	game_end(&g);
}

/* The output of a report, and its exit status. */
static int report(const struct game *g, const char *options, char *out, size_t size)
{
	const char *top = getenv("top_builddir");
	char command[1024];
	FILE *from;

	snprintf(command, sizeof(command), "%s/proftop/proftop %s %s 2>&1", top ? top : ".", options, g->b.name);
	from = popen(command, "r");
	assert_non_null(from);
	size = fread(out, 1, size - 1, from);
	out[size] = '\0';
	return pclose(from);
}

/* It publishes all the while, as far as a reader can tell: that is in the report, whatever it is written as. */
static void test_a_thread_that_cannot_be_read(void **state)
{
	static char said[1 << 20];
	struct game g;
	struct region_thread *thread;
	struct region_node *root;

	(void)state;
	game_begin(&g, 'x');
	assert_int_equal(report(&g, "report", said, sizeof(said)), 0);
	assert_null(strstr(said, "could not"));
	thread = &g.b.threads[0];
	root = builder_node_at(&g.b, 0, 0);
	WORD_STORE(thread->intent, WORD_LOAD(thread->head) + 1);
	seq_write_begin(&thread->base_seq);
	WORD_STORE(root->self, WORD_LOAD(root->self) + 1);
	assert_int_equal(report(&g, "report", said, sizeof(said)), EXIT_UNKNOWN << 8);
	assert_non_null(strstr(said, ") could not be read, because it kept changing\n\n"));
	assert_non_null(strstr(said, ") could not be read, because it kept changing\n"));
	assert_non_null(strstr(said, "1  unread_totals: "));
	assert_int_equal(report(&g, "report -j", said, sizeof(said)), EXIT_UNKNOWN << 8);
	assert_non_null(strstr(said, "\"unread\":\"moving\""));
	assert_int_equal(report(&g, "report --csv", said, sizeof(said)), EXIT_UNKNOWN << 8);
	assert_non_null(strstr(said, "could not be read"));
	assert_int_equal(report(&g, "report -n 5", said, sizeof(said)), 0); /* frames are there as ever */
	game_end(&g);
}

/* Words of anywhere behind the header get any value, while the game goes on. */
static void scribble(struct game *g, uint64_t *random, int words)
{
	size_t used = (size_t)((unsigned char *)&g->b.chunks[g->b.chunks_used] - g->b.base);

	for (; words > 0; words--) {
		region_word *word = (region_word *)(g->b.base + REGION_PAGE) +
				    builder_random(random) % ((used - REGION_PAGE) / sizeof(*word));

		WORD_STORE(*word, builder_random(random) >> builder_random(random) % 64);
	}
}

/* As it was. The good words come one by one, so a reader sees any mixture. */
static void repair(struct game *g, const unsigned char *good)
{
	memcpy(g->b.base + REGION_PAGE, good + REGION_PAGE, g->b.size - REGION_PAGE);
}

static unsigned char *copy_of(const struct game *g)
{
	unsigned char *good = malloc(g->b.size);

	assert_non_null(good);
	memcpy(good, g->b.base, g->b.size);
	return good;
}

static void test_scribbled_screen(void **state)
{
	static const char *const keys[] = { "1", "2", "3", "4", "5", "6", "p", "[", "t", "\r", "8", "6-----", "6|\r", "6K*",
					      "6/a >1us\r", "0j" };
	uint64_t random = 20260501;
	unsigned char *good;
	struct game g;
	struct screen *s;

	(void)state;
	game_begin(&g, 'x');
	good = copy_of(&g);
	for (unsigned long round = 0; round < test_times(3, 60); round++) {
		s = proftop_on(&g, (struct proftop){ .arguments = { "--delay=0.1" } });
		for (int i = 0; i < 20; i++) {
			scribble(&g, &random, 1 << i % 8);
			screen_type(s, keys[builder_random(&random) % (sizeof(keys) / sizeof(*keys))]);
			screen_pump(s, 10);
			if (i % 3 == 0)
				repair(&g, good);
		}
		repair(&g, good);
		screen_type(s, "\033\f"); /* Escape and the next key are not to come as Alt and it */
		screen_until_quiet(s, 30);
		proftop_leave(s);
	}
	free(good);
	game_end(&g);
}

/* Reports */

extern char **environ;

/* Started with its output in a file that is read back by said. */
static pid_t start(char *const argv[], int *fd)
{
	posix_spawn_file_actions_t files;
	char file[1024];
	const char *top = getenv("top_builddir");
	pid_t pid;

	snprintf(file, sizeof(file), "%s/proftop/proftop", top ? top : ".");
	*fd = memfd_create("said", MFD_CLOEXEC);
	assert_true(*fd >= 0);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, *fd, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, *fd, STDERR_FILENO);
	assert_int_equal(posix_spawn(&pid, file, &files, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

/* The output of the child; returns its exit status, which no signal has made. */
static int said(pid_t pid, int fd, char *text, size_t size)
{
	ssize_t got;
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	got = pread(fd, text, size - 1, 0);
	text[got > 0 ? got : 0] = '\0';
	close(fd);
	if (!WIFEXITED(status) || strstr(text, "Sanitizer"))
		fail_msg("proftop ended with status %#x: %s", status, text);
	return WEXITSTATUS(status);
}

static int run(char *const argv[], char *text, size_t size)
{
	int fd;
	pid_t pid = start(argv, &fd);

	return said(pid, fd, text, size);
}

/* Alive and dead; each time it is something else that is damaged. */
static void test_scribbled_reports(void **state)
{
	static const char *const kinds[][2] = { { "report", "-vhier" },     { "report", "-j" },        { "report", "-vgraph" },
						{ "report", "--csv" }, { "report", "-vcounters" }, { "stacks", "-j" } };
	uint64_t random = 7;
	unsigned char *good;
	struct game g;
	char text[4096];

	(void)state;
	game_begin(&g, 'x');
	good = copy_of(&g);
	for (unsigned long round = 0; round < test_times(12, 600); round++) {
		const char *const *kind = kinds[round % 6];
		char *argv[] = { "proftop", (char *)kind[0], (char *)kind[1], g.b.name, kind[1][2] == 'g' ? "-zraycast" : NULL, NULL };
		int status;

		if (round == 6)
			builder_die(&g.b);
		scribble(&g, &random, 1 << round % 11);
		status = run(argv, text, sizeof(text));
		if (status != 0 && (status == 2 || strlen(text) < 20))
			fail_msg("status %d: %s", status, text);
		repair(&g, good);
	}
	free(good);
	game_end(&g);
}

/* It ends with the region, or when it is asked to. */
static void test_damaged_stream(void **state)
{
	uint64_t random = 11;
	char text[4096], *argv[6] = { "proftop", "stream" };
	unsigned char *good;
	struct game g;
	int fd;
	pid_t pid;

	(void)state;
	game_begin(&g, 'x');
	good = copy_of(&g);
	argv[2] = g.b.name;
	pid = start(argv, &fd);
	while (pread(fd, text, 1, 0) < 1) /* its first line */
		usleep(1000);
	for (int i = 0; i < 30; i++) {
		game_play(&g, 1);
		scribble(&g, &random, 4);
		usleep(5000);
		if (i % 2)
			repair(&g, good);
	}
	repair(&g, good);
	assert_int_equal(ftruncate(g.b.fd, REGION_PAGE), 0);
	assert_int_equal(said(pid, fd, text, sizeof(text)), 5);
	assert_int_equal(ftruncate(g.b.fd, (off_t)g.b.size), 0);
	free(good);
	game_end(&g);
}

/* Other versions and machines */

/* It is refused, by a report, the stream and the screen alike, and both sides are named. */
static void is_refused(const struct game *g, const char *theirs)
{
	static char *const ways[] = { "report", "why", "stream" };
	char ours[64], text[4096];
	struct screen *s;

	snprintf(ours, sizeof(ours), "format %d.%d", REGION_MAJOR, REGION_MINOR);
	if (strncmp(theirs, "format", 6) == 0)
		snprintf(ours, sizeof(ours), "this proftop reads %d.%d", REGION_MAJOR, REGION_MINOR);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		char *argv[] = { "proftop", ways[i], (char *)g->b.name, NULL };

		assert_int_equal(run(argv, text, sizeof(text)), 5);
		if (!strstr(text, theirs) || !strstr(text, ours))
			fail_msg("it does not say '%s' and '%s': %s", theirs, ours, text);
	}
	s = proftop_start(&(struct proftop){ .arguments = { g->b.name } });
	assert_int_equal(screen_end(s), 5);
	screen_check_bytes(s);
	screen_free(s);
}

static void test_other_versions(void **state)
{
	struct game g;
	struct region_header *h;

	(void)state;
	game_begin(&g, 'x');
	h = g.b.header;
	h->major = REGION_MAJOR + 6;
	h->minor = 3;
	is_refused(&g, "format 11.3");
	h->major = REGION_MAJOR - 1;
	is_refused(&g, "format 4.3");
	game_end(&g);
}

static void test_other_machines(void **state)
{
	struct game g;
	struct region_header *h;

	(void)state;
	game_begin(&g, 'x');
	h = g.b.header;
	h->word_bits = 32;
	is_refused(&g, "-endian, with words of 32 bits, format ");
	h->word_bits = __builtin_bswap16(64);
	h->major = __builtin_bswap16(2);
	h->minor = __builtin_bswap16(9);
	h->byte_order = __builtin_bswap32(h->byte_order);
	WORD_STORE(h->magic, __builtin_bswap64(REGION_MAGIC));
	is_refused(&g, "-endian, with words of 64 bits, format 2.9");
	game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_hole_in_process),
		cmocka_unit_test(test_hole_in_chunks),
		cmocka_unit_test(test_a_thread_that_cannot_be_read),
		cmocka_unit_test(test_scribbled_screen),
		cmocka_unit_test(test_scribbled_reports),
		cmocka_unit_test(test_damaged_stream),
		cmocka_unit_test(test_other_versions),
		cmocka_unit_test(test_other_machines),
	};

	return cmocka_run_group_tests(tests, NULL, game_remove_all);
}

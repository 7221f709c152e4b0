/* shm_attach: every way that attaching can end, each made for real. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shm/attach.h"
#include "shm/probe.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

static int begin(void **state)
{
	struct builder *b = malloc(sizeof *b);

	builder_begin(b, "attach");
	*state = b;
	return 0;
}

static int end(void **state)
{
	builder_end(*state);
	free(*state);
	return 0;
}

/* Attaching must end so, and the sentence must hold the word. */
static void expect(const char *name, unsigned flags, enum attach_state state, const char *word)
{
	struct attachment a;
	char why[512] = "";

	assert_int_equal(region_attach(&a, name, flags, why, sizeof why), state);
	if (!strstr(why, word))
		fail_msg("'%s' does not say '%s'", why, word);
	assert_int_equal(strchr(why, '\n') != NULL, 0);
	region_detach(&a);
}

/* ---- what can be attached */

static void attaches_to_a_live_region(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_true(a.live && a.mapped && a.same_boot);
	assert_string_equal(a.name, b->name);
	assert_int_equal(a.uid, geteuid());
	assert_int_equal(a.major, REGION_MAJOR);
	assert_int_equal(a.zone_count, BUILDER_ZONES);
	assert_int_equal(a.thread_count, BUILDER_THREADS);
	assert_int_equal(a.frame_count, BUILDER_FRAMES);
	assert_int_equal(a.chunk_count, BUILDER_CHUNKS);
	assert_int_equal(WORD_LOAD(a.process->epoch), 1);
	builder_frame(b, 2000, 1, 0, NULL);
	assert_int_equal(WORD_LOAD(a.process->epoch), 2);
	assert_string_equal(a.header.program, "built");
	region_detach(&a);
}

static void attaches_to_a_dead_region_as_a_copy(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	builder_die(b);
	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_true(!a.live && !a.mapped);
	builder_frame(b, 2000, 1, 0, NULL);
	assert_int_equal(WORD_LOAD(a.process->epoch), 1);
	region_detach(&a);
}

static void attaches_to_a_file_with_a_hole(void **state)
{
	struct builder *b = *state;
	char path[] = "/tmp/prof-test-file-XXXXXX";
	int fd = mkstemp(path);
	struct attachment a;
	struct region_header h;

	memcpy((void *)&h, b->base, sizeof h);
	h.size = 1ull << 40; /* a terabyte that takes no room */
	h.sections[REGION_CHUNKS].count = 1u << 27;
	assert_int_equal(write(fd, b->base, b->size), b->size);
	assert_int_equal(pwrite(fd, &h, sizeof h, 0), sizeof h);
	assert_int_equal(ftruncate(fd, (off_t)h.size), 0);
	enum attach_state result = region_attach(&a, path, 0, NULL, 0);
	if (result == ATTACH_OK) {
		assert_string_equal(a.name, "");
		assert_int_equal(WORD_LOAD(a.frames[0].end), BUILDER_START);
		assert_int_equal(WORD_LOAD(a.chunks[a.chunk_count - 1].seq), 0);
		assert_true(region_same_name(&a));
		region_detach(&a);
	} else {
		assert_int_equal(result, ATTACH_MEMORY); /* a machine, or a sanitizer, with less address space */
	}
	close(fd);
	unlink(path);
}

static void a_newer_minor_is_read(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	b->header->minor = REGION_MINOR + 1;
	b->header->sections[REGION_PROCESS].stride = sizeof(struct region_process); /* nothing moved */
	b->header->sections[REGION_SECTIONS - 1] = (struct region_section){ ~0ull, ~0u, ~0u }; /* unknown to us */
	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_int_equal(a.minor, REGION_MINOR + 1);
	region_detach(&a);
}

/* Elements of a later version have more behind what this one knows. */
static void longer_elements_of_tables_are_read(void **state)
{
	struct builder *b = *state;
	uint32_t stride = sizeof(struct region_zone) + 24;
	struct snapshot_zone zone;
	struct attachment a;
	char text[64];

	builder_zone(b, "one", "a.c", 1);
	builder_zone(b, "two", "b.c", 2);
	memmove((char *)b->zones + stride, &b->zones[1], sizeof *b->zones);
	memset(&b->zones[1], 0xff, 24);
	b->header->sections[REGION_ZONES].stride = stride;
	b->header->sections[REGION_ZONES].count = 4; /* which fit where the others did */
	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_true(snapshot_zone(&a, 0, &zone, text, sizeof text));
	assert_string_equal(zone.name, "one");
	assert_true(snapshot_zone(&a, 1, &zone, text, sizeof text));
	assert_string_equal(zone.name, "two");
	assert_int_equal(zone.line, 2);
	region_detach(&a);
}

/* ---- life */

static void sees_the_writer_die(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_true(region_refresh_life(&a));
	builder_frame(b, 2000, 1, 0, NULL);
	builder_die(b);
	assert_false(region_refresh_life(&a));
	assert_true(!a.live && !a.mapped && !a.truncated);
	assert_int_equal(WORD_LOAD(a.process->epoch), 2);
	builder_frame(b, 3000, 2, 0, NULL);
	assert_int_equal(WORD_LOAD(a.process->epoch), 2);
	assert_false(region_refresh_life(&a));
	region_detach(&a);
}

/* The lock lives with the mapping of the writer, whoever closes descriptors, and goes with SIGKILL. */
static void a_killed_writer_is_dead(void **state)
{
	struct builder child_region;
	int ready[2];
	struct attachment a;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		builder_begin(&child_region, "killed");
		close(child_region.fd);
		if (write(ready[1], child_region.name, sizeof child_region.name) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	char name[sizeof child_region.name];
	assert_int_equal(read(ready[0], name, sizeof name), sizeof name);
	assert_int_equal(region_attach(&a, name, 0, NULL, 0), ATTACH_OK);
	assert_true(a.live);
	assert_int_equal(region_remove(name, NULL), REMOVE_LIVE);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_false(region_refresh_life(&a));
	region_detach(&a);
	assert_int_equal(region_remove(name, NULL), REMOVE_DONE);
	close(ready[0]);
	close(ready[1]);
}

static void a_name_that_is_replaced_is_noticed(void **state)
{
	struct builder *b = *state, other;
	struct attachment a;
	char from[128], to[128];

	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_true(region_same_name(&a));
	builder_begin(&other, "other");
	builder_path(&other, from, sizeof from);
	builder_path(b, to, sizeof to);
	assert_int_equal(rename(from, to), 0);
	assert_false(region_same_name(&a));
	unlink(to);
	assert_false(region_same_name(&a));
	builder_end(&other);
	region_detach(&a);
}

/* ---- what cannot */

static void absent(void **state)
{
	(void)state;
	expect("prof-test-no-such-region", 0, ATTACH_ABSENT, "'prof-test-no-such-region' is not there");
	expect("/nowhere/at/all", 0, ATTACH_ABSENT, "/nowhere/at/all");
	expect("/dev/null/x", 0, ATTACH_ABSENT, "is not there");
}

static void bad_names(void **state)
{
	char longest[REGION_NAME_MAX + 2];

	(void)state;
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	expect("", 0, ATTACH_BAD_NAME, "cannot be the name");
	expect(".hidden", 0, ATTACH_BAD_NAME, "dot in front");
	expect("..", 0, ATTACH_BAD_NAME, "dot in front");
	expect(longest, 0, ATTACH_BAD_NAME, "200 bytes");
	longest[REGION_NAME_MAX] = '\0';
	expect(longest, 0, ATTACH_ABSENT, "is not there");
}

static void no_regular_file(void **state)
{
	struct builder *b = *state;
	char fifo[] = "/tmp/prof-test-fifo-XXXXXX", link_path[160], path[128];

	assert_non_null(mkdtemp(fifo));
	expect(fifo, 0, ATTACH_NOT_A_FILE, "directory");
	rmdir(fifo);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect(fifo, 0, ATTACH_NOT_A_FILE, "pipe");
	unlink(fifo);
	builder_path(b, path, sizeof path);
	snprintf(link_path, sizeof link_path, "%s-link", path);
	assert_int_equal(symlink(path, link_path), 0);
	expect(strrchr(link_path, '/') + 1, 0, ATTACH_NOT_A_FILE, "link");
	expect(link_path, 0, ATTACH_NOT_A_FILE, "link");
	expect(link_path, ATTACH_ANY_USER, ATTACH_NOT_A_FILE, "link");
	unlink(link_path);
	expect("/dev/null", ATTACH_ANY_USER, ATTACH_NOT_A_FILE, "device");
}

/* On the way to a file links are what they are everywhere: /var/run is one. */
static void folder_that_is_a_link(void **state)
{
	struct builder *b = *state;
	char folder[] = "/tmp/prof-test-link-XXXXXX", link_path[160], path[300];
	struct attachment a;

	assert_non_null(mkdtemp(folder));
	snprintf(link_path, sizeof link_path, "%s/shm", folder);
	assert_int_equal(symlink(region_directory(), link_path), 0);
	snprintf(path, sizeof path, "%s/%s", link_path, b->name);
	assert_int_equal(region_attach(&a, path, 0, NULL, 0), ATTACH_OK);
	region_detach(&a);
	unlink(link_path);
	rmdir(folder);
}

static void no_region(void **state)
{
	struct builder *b = *state;

	WORD_STORE(b->header->magic, 0);
	expect(b->name, 0, ATTACH_NOT_A_REGION, "not a profiling region");
	assert_int_equal(ftruncate(b->fd, 0), 0);
	expect(b->name, 0, ATTACH_NOT_A_REGION, "not a profiling region");
	expect("/etc/passwd", ATTACH_ANY_USER, ATTACH_NOT_A_REGION, "/etc/passwd");
}

static void of_another_machine(void **state)
{
	struct builder *b = *state;

	b->header->word_bits = 32;
	expect(b->name, 0, ATTACH_OTHER_ORDER, "word size");
	b->header->word_bits = 64;
	b->header->byte_order = __builtin_bswap32(REGION_BYTE_ORDER);
	expect(b->name, 0, ATTACH_OTHER_ORDER, "byte order");
	WORD_STORE(b->header->magic, __builtin_bswap64(REGION_MAGIC));
	expect(b->name, 0, ATTACH_OTHER_ORDER, "byte order");
	WORD_STORE(b->header->magic, REGION_MAGIC);
	b->header->byte_order = 7;
	expect(b->name, 0, ATTACH_DAMAGED, "header");
}

static void of_another_version(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	b->header->major = 7;
	b->header->minor = 3;
	expect(b->name, 0, ATTACH_OTHER_VERSION, "format 7.3");
	expect(b->name, 0, ATTACH_OTHER_VERSION, "reads 5.0");
	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OTHER_VERSION);
	assert_int_equal(a.major, 7);
	assert_int_equal(a.minor, 3);
}

static void truncated(void **state)
{
	struct builder *b = *state;
	off_t sizes[] = { (off_t)b->size - 1, REGION_PAGE, REGION_PAGE - 1, sizeof(struct region_header) - 1, 8 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_int_equal(ftruncate(b->fd, sizes[i]), 0);
		expect(b->name, 0, ATTACH_TRUNCATED, "cut off");
	}
	assert_int_equal(ftruncate(b->fd, 7), 0);
	expect(b->name, 0, ATTACH_NOT_A_REGION, "not a profiling region");
}

/* Each of these changes of one section must be refused with the section's name. */
static void damaged_sections(void **state)
{
	struct builder *b = *state;
	uint64_t size = b->size;
	const struct {
		enum region_section_id id;
		struct region_section section;
		const char *word;
	} cases[] = {
		{ REGION_PROCESS, { 4096, sizeof(struct region_process), 0 }, "process" },
		{ REGION_PROCESS, { 4096, sizeof(struct region_process), 2 }, "process" },
		{ REGION_PROCESS, { 4096, 640, 1 }, "another size" },
		{ REGION_PROCESS, { 0, sizeof(struct region_process), 1 }, "impossible place" },
		{ REGION_ZONES, { 4096, 32, 16 }, "zones" },
		{ REGION_ZONES, { 4096, 44, 16 }, "another size" },
		{ REGION_MEASURES, { 4096, 40, REGION_MEASURES_MOST + 1 }, "impossible number" },
		{ REGION_MODULES, { 4096 + 8, 32, 1 }, "impossible place" },
		{ REGION_ZONES, { 4096, 32, REGION_ZONES_MOST + 1 }, "impossible number" },
		{ REGION_COUNTERS, { 4096, 16, REGION_COUNTERS_MOST + 1 }, "impossible number" },
		{ REGION_STRINGS, { 4096, 1, REGION_STRINGS_MOST }, "beyond its end" },
		{ REGION_STRINGS, { 4096, 1, REGION_STRINGS_MOST + 1 }, "impossible number" },
		{ REGION_THREADS, { 4096, 8, REGION_THREADS_MOST + 1 }, "impossible number" },
		{ REGION_THREADS, { size - 64, 8, 9 }, "beyond its end" },
		{ REGION_THREADS, { ~63ull, 8, 1 }, "beyond its end" },
		{ REGION_THREADS, { 4096 + 8, 8, 1 }, "impossible place" },
		{ REGION_FRAMES, { 4096, 32, 0 }, "frames" },
		{ REGION_FRAMES, { 4096, 32, 1 }, "frames" },
		{ REGION_FRAMES, { 4096, 32, 7 }, "power of two" },
		{ REGION_FRAMES, { 4096, 32, 2 * REGION_FRAMES_MOST }, "impossible number" },
		{ REGION_WORST, { 4096, 64, REGION_WORST_FRAMES + 1 }, "impossible number" },
		{ REGION_HISTORY, { 4096, 64, 11 }, "levels" },
		{ REGION_HISTORY, { 4096, 32, 12 }, "another size" },
		{ REGION_WORST, { 4096, 0, 4 }, "worst" },
		{ REGION_CHUNKS, { 4096, 4096, UINT32_MAX }, "beyond its end" },
		{ REGION_CHUNKS, { 4096 + 64, 4096, 1 }, "impossible place" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct region_section *s = &b->header->sections[cases[i].id], saved = *s;
		*s = cases[i].section;
		expect(b->name, 0, ATTACH_DAMAGED, cases[i].word);
		*s = saved;
	}
	b->header->history_slots = b->header->history_levels = 1u << 31;
	expect(b->name, 0, ATTACH_DAMAGED, "history");
	b->header->history_slots = BUILDER_SLOTS;
	b->header->history_levels = BUILDER_LEVELS;
	b->header->header_size = 100;
	expect(b->name, 0, ATTACH_DAMAGED, "header");
	b->header->header_size = sizeof(struct region_header);
	b->header->size = 64;
	expect(b->name, 0, ATTACH_DAMAGED, "header");
	b->header->size = UINT64_MAX;
	expect(b->name, 0, ATTACH_TRUNCATED, "cut off");
}

static void texts_without_an_end_are_ended(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	memset(b->header->program, 'x', sizeof b->header->program);
	memset(b->header->command, 'y', sizeof b->header->command);
	memset(b->header->boot_id, 'z', sizeof b->header->boot_id);
	assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
	assert_int_equal(strlen(a.header.program), sizeof a.header.program - 1);
	assert_int_equal(strlen(a.header.command), sizeof a.header.command - 1);
	assert_false(a.same_boot);
	region_detach(&a);
}

static void of_another_user(void **state)
{
	struct builder *b = *state;
	struct attachment a;

	if (geteuid() != 0)
		skip(); /* nobody else can give a file away */
	assert_int_equal(fchown(b->fd, 12345, (gid_t)-1), 0);
	expect(b->name, 0, ATTACH_FOREIGN, "uid 12345");
	expect(b->name, 0, ATTACH_FOREIGN, "--any-user");
	assert_int_equal(region_attach(&a, b->name, ATTACH_ANY_USER, NULL, 0), ATTACH_OK);
	assert_int_equal(a.uid, 12345);
	region_detach(&a);
}

/* In a child that is somebody else. */
static void denied(void **state)
{
	struct builder *b = *state;
	int status;

	if (geteuid() != 0)
		skip();
	pid_t child = fork();
	if (child == 0) {
		struct attachment a;
		char why[512];
		if (setresuid(12345, 12345, 12345) != 0)
			_exit(9);
		enum attach_state got = region_attach(&a, b->name, ATTACH_ANY_USER, why, sizeof why);
		_exit(got == ATTACH_DENIED && strstr(why, "Permission denied") ? 0 : 1);
	}
	waitpid(child, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void no_descriptor_left(void **state)
{
	struct builder *b = *state;
	struct rlimit limit, none;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = limit;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	struct attachment a;
	char why[512];
	enum attach_state got = region_attach(&a, b->name, 0, why, sizeof why);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(got, ATTACH_MEMORY);
	assert_non_null(strstr(why, "open files"));
}

/* Nothing that failed may have kept a descriptor. */
static void no_descriptor_leaks(void **state)
{
	struct builder *b = *state;
	struct attachment a;
	int before = dup(0);

	close(before);
	b->header->major = REGION_MAJOR + 1;
	for (int i = 0; i < 50; i++)
		region_attach(&a, b->name, 0, NULL, 0);
	b->header->major = REGION_MAJOR;
	for (int i = 0; i < 50; i++) {
		assert_int_equal(region_attach(&a, b->name, 0, NULL, 0), ATTACH_OK);
		region_detach(&a);
	}
	int after = dup(0);
	close(after);
	assert_int_equal(after, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(attaches_to_a_live_region, begin, end),
		cmocka_unit_test_setup_teardown(attaches_to_a_dead_region_as_a_copy, begin, end),
		cmocka_unit_test_setup_teardown(attaches_to_a_file_with_a_hole, begin, end),
		cmocka_unit_test_setup_teardown(a_newer_minor_is_read, begin, end),
		cmocka_unit_test_setup_teardown(longer_elements_of_tables_are_read, begin, end),
		cmocka_unit_test_setup_teardown(sees_the_writer_die, begin, end),
		cmocka_unit_test_setup_teardown(a_killed_writer_is_dead, begin, end),
		cmocka_unit_test_setup_teardown(a_name_that_is_replaced_is_noticed, begin, end),
		cmocka_unit_test(absent),
		cmocka_unit_test(bad_names),
		cmocka_unit_test_setup_teardown(no_regular_file, begin, end),
		cmocka_unit_test_setup_teardown(folder_that_is_a_link, begin, end),
		cmocka_unit_test_setup_teardown(no_region, begin, end),
		cmocka_unit_test_setup_teardown(of_another_machine, begin, end),
		cmocka_unit_test_setup_teardown(of_another_version, begin, end),
		cmocka_unit_test_setup_teardown(truncated, begin, end),
		cmocka_unit_test_setup_teardown(damaged_sections, begin, end),
		cmocka_unit_test_setup_teardown(texts_without_an_end_are_ended, begin, end),
		cmocka_unit_test_setup_teardown(of_another_user, begin, end),
		cmocka_unit_test_setup_teardown(denied, begin, end),
		cmocka_unit_test_setup_teardown(no_descriptor_left, begin, end),
		cmocka_unit_test_setup_teardown(no_descriptor_leaks, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

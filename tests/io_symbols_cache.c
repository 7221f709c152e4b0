/* SPDX-License-Identifier: MIT */
/* Functions that were found once are found again, whatever stands in the
 * file. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/symbols_cache.h"

#define FUNCTIONS 300

static char around[] = "/tmp/prof-cache-XXXXXX", folder[64];

static struct profile_module module_of(const char *build)
{
	return (struct profile_module){ .path = (char *)"/a/b", .build = (char *)build };
}

static uint64_t offset_of(uint32_t n)
{
	return n * 0x1000193ull;
}

static void path_of(const char *build, char out[256])
{
	snprintf(out, 256, "%s/%s", folder, build);
}

/* One function, and some that were inlined in it. */
static uint32_t make(uint32_t n, struct symbol out[SYMBOLS_MOST], char texts[SYMBOLS_MOST][2][64])
{
	uint32_t count = 1 + n % SYMBOLS_MOST;

	for (uint32_t i = 0; i < count; i++) {
		snprintf(texts[i][0], sizeof(texts[i][0]), "ns::f%u<int, %u>(char const*)", n, i);
		snprintf(texts[i][1], sizeof(texts[i][1]), "%s", i % 3 ? "/src/a b.cc" : "");
		out[i] = (struct symbol){ texts[i][0], texts[i][1], n + i, i % 5 ? n : UINT32_MAX };
	}
	return count;
}

static void add(struct symbols_cache *c, uint32_t from, uint32_t to)
{
	struct symbol made[SYMBOLS_MOST];
	char texts[SYMBOLS_MOST][2][64];

	for (uint32_t n = to; n-- > from;) { /* not in their order */
		uint32_t count = make(n, made, texts);

		symbols_cache_add(c, offset_of(n), made, count);
	}
}

static void expect(const struct symbols_cache *c, uint32_t n, bool is_there)
{
	struct symbol made[SYMBOLS_MOST], found[SYMBOLS_MOST];
	char texts[SYMBOLS_MOST][2][64];
	uint32_t count = make(n, made, texts), got = symbols_cache_find(c, offset_of(n), found);

	assert_int_equal(got, is_there ? count : 0);
	for (uint32_t i = 0; i < got; i++) {
		assert_string_equal(found[i].name, made[i].name);
		assert_string_equal(found[i].file, made[i].file);
		assert_int_equal(found[i].line, made[i].line);
		assert_int_equal(found[i].at, made[i].at);
	}
	symbols_forget(found, got);
}

static void what_was_found_is_found_again(void **state)
{
	struct profile_module m = module_of("00ff");
	struct symbols_cache *c;

	(void)state;
	for (uint32_t round = 1; round <= 3; round++) {
		c = symbols_cache_open(&m);
		assert_non_null(c);
		for (uint32_t n = 1; n < FUNCTIONS * 3; n++)
			expect(c, n, n < FUNCTIONS * (round - 1));
		add(c, round == 1 ? 1 : FUNCTIONS * (round - 1), FUNCTIONS * round);
		symbols_cache_close(c);
	}
}

static void texts_that_would_break_a_line_are_not_kept(void **state)
{
	struct profile_module m = module_of("01");
	struct symbol bad = { (char *)"f\n1 1\ta\tb", (char *)"", 1, 1 }, good = { (char *)"g", (char *)"f.c", 1, 2 }, found[SYMBOLS_MOST];
	struct symbols_cache *c = symbols_cache_open(&m);
	uint32_t count;

	(void)state;
	symbols_cache_add(c, 1, &bad, 1);
	bad = (struct symbol){ (char *)"f", (char *)"a\tb", 1, 1 };
	symbols_cache_add(c, 2, &bad, 1);
	symbols_cache_add(c, 3, &good, 1);
	symbols_cache_close(c);
	c = symbols_cache_open(&m);
	assert_int_equal(symbols_cache_find(c, 1, found), 0);
	assert_int_equal(symbols_cache_find(c, 2, found), 0);
	count = symbols_cache_find(c, 3, found);
	assert_int_equal(count, 1);
	symbols_forget(found, count);
	symbols_cache_close(c);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	fclose(out);
}

/* The size of the file. */
static size_t read_bytes(const char *path, char *bytes, size_t room)
{
	FILE *in = fopen(path, "re");
	size_t size;

	assert_non_null(in);
	size = fread(bytes, 1, room, in);
	fclose(in);
	return size;
}

/* Each byte once, and each length: nothing is read beyond the text. A file that
 * is not believed is written anew. */
static void a_damaged_file_is_not_believed(void **state)
{
	static char whole[1 << 16], damaged[1 << 16];
	struct profile_module m = module_of("02");
	char path[256];
	struct symbols_cache *c = symbols_cache_open(&m);
	size_t size;

	(void)state;
	add(c, 1, 6);
	symbols_cache_close(c);
	path_of("02", path);
	size = read_bytes(path, whole, sizeof(whole));
	for (size_t i = 0; i < 2 * size; i++) {
		struct symbol found[SYMBOLS_MOST];

		memcpy(damaged, whole, size);
		damaged[i % size] = "\n\t\0Z"[i % 4];
		write_bytes(path, damaged, i < size ? size : i - size);
		c = symbols_cache_open(&m);
		assert_non_null(c);
		for (uint32_t n = 1; n < 6; n++)
			symbols_forget(found, symbols_cache_find(c, offset_of(n), found));
		symbols_cache_close(c);
	}
	write_bytes(path, "proftop functions 2\n", 20);
	c = symbols_cache_open(&m);
	add(c, 1, 6);
	symbols_cache_close(c);
	assert_int_equal(read_bytes(path, damaged, sizeof(damaged)), size);
	assert_memory_equal(damaged, whole, size);
}

static void only_a_build_id_is_a_name(void **state)
{
	static const char *const none[] = { "", "../00ff", "00ff/", "AB", "0 " };

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct profile_module m = module_of(none[i]);

		assert_null(symbols_cache_open(&m));
	}
	symbols_keep_in(NULL);
	assert_null(symbols_cache_open(&(struct profile_module){ .path = (char *)"", .build = (char *)"00ff" }));
	symbols_keep_in(folder);
}

static void there_are_not_too_many_files(void **state)
{
	unsigned count = 0;
	DIR *in;

	(void)state;
	for (uint32_t i = 0; i < 110; i++) {
		char build[16];
		struct profile_module m = module_of(build);
		struct symbols_cache *c;

		snprintf(build, sizeof(build), "aa%04x", i);
		c = symbols_cache_open(&m);
		add(c, 1, 2);
		symbols_cache_close(c);
	}
	in = opendir(folder);
	assert_non_null(in);
	for (struct dirent *e; (e = readdir(in));)
		count += *e->d_name != '.';
	closedir(in);
	assert_int_equal(count, 100);
}

/* A link in place of the folder is somebody else's wish. */
static void nothing_is_written_elsewhere(void **state)
{
	struct profile_module m = module_of("03");
	char other[80], path[100];
	struct symbols_cache *c;

	(void)state;
	snprintf(other, sizeof(other), "%s/link", around);
	assert_int_equal(symlink(folder, other), 0);
	symbols_keep_in(other);
	c = symbols_cache_open(&m);
	add(c, 1, 2);
	symbols_cache_close(c);
	symbols_keep_in("/dev/null/proftop");
	c = symbols_cache_open(&m);
	add(c, 1, 2);
	symbols_cache_close(c);
	symbols_keep_in(folder);
	snprintf(path, sizeof(path), "%s/03", folder);
	assert_int_not_equal(access(path, F_OK), 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(around))
		return -1;
	snprintf(folder, sizeof(folder), "%s/cache/proftop", around);
	symbols_keep_in(folder);
	return 0;
}

static int end(void **state)
{
	char command[64];

	(void)state;
	symbols_keep_in(NULL);
	snprintf(command, sizeof(command), "rm -rf %s", around);
	return system(command) == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_found_is_found_again),
		cmocka_unit_test(texts_that_would_break_a_line_are_not_kept),
		cmocka_unit_test(a_damaged_file_is_not_believed),
		cmocka_unit_test(only_a_build_id_is_a_name),
		cmocka_unit_test(there_are_not_too_many_files),
		cmocka_unit_test(nothing_is_written_elsewhere),
	};

	return cmocka_run_group_tests_name("io: symbols_cache", tests, begin, end);
}

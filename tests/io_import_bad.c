/* io_import_bad: whatever a file is, it is imported as far as it goes, or refused with a reason; nothing breaks, and memory
 * does not grow with it. */
#include <config.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "tests/imported.h"
#include "tests/long.h"
#include "tests/made_trace.h"

struct buffer {
	char *at;
	size_t size;
};

static struct buffer made_bytes(enum made_format format, bool anomalies)
{
	const struct made_options o = { .seed = 7, .threads = 2, .frames = 3, .calls = 5, .zones = 5, .depth = 4, .values = 1,
					.events = 1, .anomalies = anomalies };
	struct made *m = made_new(&o);
	struct buffer b;
	FILE *out = open_memstream(&b.at, &b.size);

	assert_non_null(out);
	made_write(m, format, out);
	fclose(out);
	made_free(m);
	return b;
}

/* Imported, or refused; and what it is then is sound. */
static void tried(const void *bytes, size_t size, const struct import_options *o)
{
	struct imported *i = imported_bytes(bytes, size, o);

	imported_check(i);
	imported_free(i);
}

static const struct import_options ways[] = {
	{ .source = "x" }, { .source = "x", .frame_event = "Frame Start" }, { .source = "x", .frame_zone = "zone_0" },
	{ .source = "x", .merge_namesakes = true },
};

static void cut_at_every_byte(void **state)
{
	(void)state;
	for (enum made_format format = 0; format < MADE_FORMATS; format++) {
		struct buffer b = made_bytes(format, format % 2);

		for (size_t size = 0; size <= b.size; size += 1 + (!test_long() && size > 500) * 6)
			tried(b.at, size, &ways[size % 4]);
		free(b.at);
	}
}

static void each_byte_is_another(void **state)
{
	(void)state;
	for (enum made_format format = 0; format < MADE_FORMATS; format++) {
		struct buffer b = made_bytes(format, true);
		unsigned roll = 1;

		for (size_t at = 0; at < b.size; at += 1 + (!test_long() && at > 100) * 10) {
			static const char others[] = "0-9\"[]{},\\ \n\0\xff:;eET.";
			char was = b.at[at];

			roll = roll * 1103515245 + 12345;
			b.at[at] = others[(roll >> 16) % (sizeof others - 1)];
			tried(b.at, b.size, &ways[roll >> 20 & 3]);
			b.at[at] = was;
		}
		free(b.at);
	}
}

static void refused(const void *bytes, size_t size, const char *why)
{
	struct imported *i = imported_bytes(bytes, size, NULL);

	if (i->done || !strstr(i->why, why))
		fail_msg("%s: '%s'", why, i->done ? "it was imported" : i->why);
	imported_free(i);
}

static void what_is_nothing_is_refused(void **state)
{
	static const char zeros[100000];

	(void)state;
	refused("", 0, "empty");
	refused("[]", 2, "no records");
	refused("[[", 2, "no records");
	refused("{}", 2, "no traceEvents");
	refused("{\"traceEvents\": 5}", 18, "traceEvents is not an array");
	refused("{\"traceEvents\":{\"traceEvents\":[]}}", 34, "traceEvents is not an array");
	refused("{\"a\":{\"traceEvents\":[]}}", 24, "it has no traceEvents");
	refused("[1]", 3, "not a known trace");
	refused("hello", 5, "not a known trace");
	refused("T", 1, "not a known trace");
	refused(zeros, sizeof zeros, "not a known trace");
	refused("W\xfa\0\0\1", 5, "head");
	refused("W\xfa\0\0\0\0\0\0", 8, "no records");
}

static void refused_fd(int fd, const char *why)
{
	struct imported *i = imported_fd(fd, NULL);

	assert_true(fd >= 0);
	assert_false(i->done);
	if (!strstr(i->why, why))
		fail_msg("%s: '%s'", why, i->why);
	imported_free(i);
	close(fd);
}

static void what_is_no_file_is_refused(void **state)
{
	int ends[2], sparse = memfd_create("sparse", MFD_CLOEXEC);

	(void)state;
	refused_fd(open("/", O_RDONLY), "directory");
	refused_fd(open("/dev/zero", O_RDONLY), "not a known trace");
	refused_fd(open("/dev/null", O_RDONLY), "empty");
	refused_fd(open("/dev/null", O_WRONLY), "cannot be read");
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);
	refused_fd(ends[0], "empty");
	assert_int_equal(ftruncate(sparse, (off_t)4 << 30), 0);
	refused_fd(sparse, "not a known trace");
}

/* A file that begins as `head` says, and goes on with `count` times `piece`. */
static struct imported *repeated(const char *head, const char *piece, size_t count)
{
	int fd = memfd_create("repeated", MFD_CLOEXEC);
	size_t size = strlen(piece), fit = (1 << 20) / size;
	char *many = malloc(fit * size);
	struct imported *i;

	assert_non_null(many);
	for (size_t k = 0; k < fit; k++)
		memcpy(many + k * size, piece, size);
	assert_int_equal(write(fd, head, strlen(head)), strlen(head));
	for (; count; count -= count < fit ? count : fit)
		assert_true(write(fd, many, (count < fit ? count : fit) * size) > 0);
	lseek(fd, 0, SEEK_SET);
	i = imported_fd(fd, NULL);
	close(fd);
	free(many);
	imported_check(i);
	return i;
}

static long resident_kib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static void what_repeats_is_bounded(void **state)
{
	static const struct {
		const char *head, *piece;
		size_t count;
		enum anomaly anomaly; /* ANOMALIES: it is refused */
	} all[] = {
		{ "", "[", 1000000, ANOMALIES },
		{ "[", "{\"args\":", 1000000, ANOMALIES },
		{ "[[0,1,1,1,\"", "x", 10000000, ANOMALIES }, /* never ends */
		{ "[{\"name\":\"", "x", 20000000, ANOMALIES },
		{ "[[0,1,1,1,\"a\"],[0,1,1,1,\"", "x", 40000000, ANOMALY_LONG },
		{ "[[0,1,1,1,\"a\"]", " ", 40000000, ANOMALY_LONG },
		{ "[[0,1,1,1,\"a\"]", ",[0,1,1,2,\"b\"]", 300000, ANOMALY_DEEP },
		{ "[[0,1,1,1,\"a\"]", ",[1,1,1,2,\"b\"]", 300000, ANOMALY_END_ALONE },
		{ "[{\"ph\":\"X\",\"ts\":1,\"dur\":5,\"name\":\"a\"}", ",{\"ph\":\"X\",\"ts\":1,\"dur\":5}", 100000,
		  ANOMALY_DEEP },
		{ "T 0 main\nF 0 0 f\n", "S 0 0 1\n", 1000000, ANOMALY_DEEP },
		{ "T 0 main\nx", "\n", 1000000, ANOMALY_RECORD },
		{ "T 0 main\n", "x", 40000000, ANOMALY_RECORD },
		{ "T 0 main\nF 0 0 ", "x", 10000000, ANOMALY_NAME_CUT },
		{ "a;b 1\n", "a;", 20000000, ANOMALY_RECORD },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct imported *i = repeated(all[k].head, all[k].piece, all[k].count);

		if (i->done != (all[k].anomaly != ANOMALIES))
			fail_msg("%s %s: %s", all[k].head, all[k].piece, i->why);
		if (all[k].count == 20000000 && !i->done && !strstr(i->why, "no records: a text, or white space, exceeds"))
			fail_msg("%s %s: %s", all[k].head, all[k].piece, i->why);
		if (i->done && !i->result.anomalies.counts[all[k].anomaly])
			fail_msg("%s %s: not told", all[k].head, all[k].piece);
		imported_free(i);
	}
}

/* What a sanitizer keeps for itself says nothing about the bound: there it is the same code with fewer lines. */
#ifdef __SANITIZE_ADDRESS__
#define NEW_LINES 60000
#else
#define NEW_LINES 1300000
#endif

/* Each line has names and ids of its own. Runs in a process of its own, as what it takes is never given back. */
static void what_is_new_each_time_is_bounded(void **state)
{
	static const char *const lines[] = { "F 0 %u function %u\n", "S %u 0 5\n", "T %u thread\n", "D %u 5 5\n",
					     "Y %u 5 5\n", "a%u;b%u 1\n" };

	(void)state;
	for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
		pid_t child = fork();
		int status;

		if (!child) {
			int fd = memfd_create("new", MFD_CLOEXEC);
			FILE *out = fdopen(dup(fd), "w");
			long before = resident_kib();
			struct imported *i;

			for (unsigned n = 0; n < NEW_LINES; n++)
				fprintf(out, lines[k], n, n);
			fclose(out);
			lseek(fd, 0, SEEK_SET);
			i = imported_fd(fd, NULL);
			imported_check(i);
			_exit(i->done && resident_kib() - before < 900000 ? 0 : 1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		if (status)
			fail_msg("%s ended with %d", lines[k], status);
	}
}

static void a_bomb_is_read_and_no_more(void **state)
{
#ifdef HAVE_ZLIB
	static uint8_t zeros[1 << 20], out[1 << 20];
	static const char head[] = "T 0 main\nS 0 0 1\n";
	int fd = memfd_create("bomb", MFD_CLOEXEC);
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)head, .avail_in = sizeof head - 1 };
	struct imported *i;

	(void)state;
	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	for (int mib = 0; mib <= 500; mib++) {
		z.next_out = out;
		z.avail_out = sizeof out;
		assert_true(deflate(&z, mib < 500 ? Z_NO_FLUSH : Z_FINISH) >= 0);
		assert_true(write(fd, out, sizeof out - z.avail_out) >= 0);
		z.next_in = zeros;
		z.avail_in = sizeof zeros;
	}
	deflateEnd(&z);
	lseek(fd, 0, SEEK_SET);
	i = imported_fd(fd, NULL);
	assert_true(i->done);
	assert_true(i->result.bytes > 400u << 20);
	assert_int_equal(i->result.anomalies.counts[ANOMALY_RECORD], 1);
	imported_free(i);
	close(fd);
#else
	(void)state;
	skip();
#endif
}

static bool give_up(void *context, enum import_step step, uint64_t done, uint64_t total)
{
	const enum import_step *at = context;

	assert_true(done <= total);
	return step != *at;
}

static void what_nobody_wants_any_more_fails(void **state)
{
	const struct made_options made = { .seed = 3, .threads = 2, .frames = 300, .calls = 200, .zones = 9, .depth = 6 };
	struct made *m = made_new(&made);
	struct buffer b;
	FILE *out = open_memstream(&b.at, &b.size);

	(void)state;
	made_write(m, MADE_CHROME, out);
	fclose(out);
	for (enum import_step at = IMPORT_READS; at <= IMPORT_ORDERS; at++) {
		const struct import_options o = { .source = "x", .progress = give_up, .context = &at };
		struct imported *i = imported_bytes(b.at, b.size, &o);

		assert_false(i->done);
		assert_string_equal(i->why, "it was interrupted");
		imported_free(i);
	}
	made_free(m);
	free(b.at);
}

static void where_nothing_can_be_sorted_it_says_so(void **state)
{
	const struct import_options o = { .source = "x", .temporary = "/nowhere/at/all" };
	int fd = memfd_create("events", MFD_CLOEXEC);
	FILE *out = fdopen(dup(fd), "w");
	struct imported *i;

	(void)state;
	fputs("[", out);
	for (int n = 0; n < 600000; n++)
		fputs("{\"ph\":\"X\",\"ts\":1},", out);
	fclose(out);
	lseek(fd, 0, SEEK_SET);
	i = imported_fd(fd, &o);
	assert_false(i->done);
	assert_non_null(strstr(i->why, "/nowhere/at/all"));
	assert_non_null(strstr(i->why, "No such file"));
	imported_free(i);
	close(fd);
}

static void times_out_of_range_are_told(void **state)
{
	static const char *const texts[] = {
		"[[0,1,1,18446744073709551615,\"a\"],[1,1,1,1,\"a\"],[0,2,2,0,\"a\"],[1,2,2,9223372036854775807,\"a\"],"
		"[0,3,2,0,\"a\"],[1,3,2,4611686018427387904,\"a\"]]",
		"[{\"ph\":\"X\",\"ts\":-9e30,\"dur\":9e30},{\"ph\":\"X\",\"ts\":9e30,\"dur\":-5},"
		"{\"ph\":\"X\",\"ts\":1,\"dur\":9e12,\"tid\":2},{\"ph\":\"X\",\"ts\":1,\"dur\":9e14,\"tid\":3}]",
		"S 0 0 -5\nE 0 0 -3\nS 0 0 -9000000000\nE 0 0 9223372036854775807\nS 1 0 0\nE 1 0 9223372036854775807\n",
	};

	(void)state;
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
		for (size_t way = 0; way < 4; way++) {
			struct imported *i = imported_bytes(texts[k], strlen(texts[k]), &ways[way]);

			imported_check(i);
			assert_true(i->done);
			assert_true(i->result.anomalies.counts[ANOMALY_TIME_RANGE] > 0);
			imported_free(i);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_nothing_is_refused),
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(times_out_of_range_are_told),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(each_byte_is_another),
		cmocka_unit_test(what_repeats_is_bounded),
		cmocka_unit_test(what_is_new_each_time_is_bounded),
		cmocka_unit_test(a_bomb_is_read_and_no_more),
		cmocka_unit_test(what_nobody_wants_any_more_fails),
		cmocka_unit_test(where_nothing_can_be_sorted_it_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

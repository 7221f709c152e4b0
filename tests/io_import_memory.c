/* io_import_memory: memory ends at any allocation: what is imported says so, and nothing is left over or broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/import/import.h"
#include "tests/failing_memory.h"
#include "tests/made_trace.h"

static long allocations = -1; /* that are still to succeed; below 0: all */
static bool failed;

static bool may_allocate(void)
{
	if (allocations < 0)
		return true;
	if (allocations) {
		allocations--;
		return true;
	}
	failed = true;
	return false;
}

/* With so many allocations; false: they were enough. */
static bool ends_early(int fd, const struct import_options *o, long enough)
{
	enum source_result result = SOURCE_BAD;
	struct source *source;

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	failed = false;
	allocations = enough;
	source = import_source(dup(fd), o);
	if (source)
		result = source_next(source);
	allocations = -1;
	if (source && result == SOURCE_BAD)
		assert_non_null(strstr(source->why, "memory"));
	assert_true(failed || result == SOURCE_END);
	source_close(source);
	return failed;
}

static void memory_ends_anywhere(void **state)
{
	static const struct import_options ways[] = {
		{ .source = "x" }, { .source = "x", .frame_zone = "zone_0" }, { .source = "x", .merge_namesakes = true },
		{ .source = "x", .calls_most = 1 },
	};
	const struct made_options o = { .seed = 2, .threads = 2, .frames = 4, .calls = 20, .zones = 5, .depth = 5, .values = 2,
					.events = 2, .anomalies = true };

	(void)state;
	for (enum made_format format = 0; format < MADE_FORMATS; format++)
		for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
			struct made *m = made_new(&o);
			int fd = memfd_create("trace", MFD_CLOEXEC);
			FILE *out = fdopen(dup(fd), "w");
			long enough = 0;

			assert_non_null(out);
			made_write(m, format, out);
			fclose(out);
			while (ends_early(fd, &ways[way], enough))
				enough++;
			assert_true(enough > 20);
			close(fd);
			made_free(m);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_ends_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* core_limits: programs that misuse the library or ask for more than fits.
 *
 * Each runs under profiling in a process of its own, must end well, and leaves a sound region in which every
 * zone, value and mark that was tried is either recorded or counted under its cause, exactly; and proftop names
 * the cause with that count.
 */
#include "tests/core_limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/core_seen.h"

#define SECONDS 120 /* for one program, on a machine that is busy with other things */

static const struct limit *const lists[] = { limits_misuse, limits_room, limits_brim, limits_crowd, limits_signal,
                                            limits_module };
#define LISTS (sizeof lists / sizeof *lists)

void limit_tell(const char *word, uint64_t number)
{
	printf("%s %" PRIu64 "\n", word, number);
	fflush(stdout);
}

uint64_t limit_memory(const char *field)
{
	char line[256];
	unsigned long long kib = 0;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof line, status))
		if (!strncmp(line, field, strlen(field)))
			kib = strtoull(line + strlen(field), NULL, 10);
	if (status)
		fclose(status);
	return kib;
}

static int run_one(const char *name)
{
	for (size_t l = 0; l < LISTS; l++)
		for (const struct limit *limit = lists[l]; limit->name; limit++)
			if (!strcmp(limit->name, name)) {
				limit->run();
				return core_result();
			}
	return 2;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check_said(const struct limit *limit, const char *said)
{
	size_t size = strlen(said);

	if (limit->says)
		CHECK(size && strchr(said, '\n') == said + size - 1 && strstr(said, limit->says),
		      "%s: stderr says: %s", limit->name, said);
	else
		CHECK(!size, "%s: stderr says: %s", limit->name, said);
}

static void without_cpu(void)
{
	setenv("PROF_CPU", "0", 1);
}

static void check_one(const struct limit *limit)
{
	const char *name = core_name("limits"), *arguments[] = { limit->name, NULL };
	struct core_program program = { .shm = name, .size = limit->size, .arguments = arguments,
		                        .prepare = limit->without_cpu ? without_cpu : NULL };
	struct core_output output;
	struct view view;
	double begin = seconds();
	unsigned before = core_failures();

	core_catch(&program, SECONDS, &output);
	CHECK(output.status == 0, "%s: status %#x", limit->name, (unsigned)output.status);
	check_said(limit, output.err);
	if (view_open(&view, name)) {
		view.told = output.out;
		view.torn = limit->torn;
		view_entries(&view, NULL); /* loads, and so checks, every block */
		limit->check(&view);
		seen_check_losses(&view, name);
	}
	view_close(&view);
	core_remove(name);
	printf("%-4s %-20s %.1f s\n", core_failures() == before ? "ok" : "FAIL", limit->name, seconds() - begin);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "only")) {
		for (size_t l = 0; l < LISTS; l++)
			for (const struct limit *limit = lists[l]; limit->name; limit++)
				if (!strcmp(limit->name, argv[2]))
					check_one(limit);
		return core_result();
	}
	if (argc > 1)
		return run_one(argv[1]);
	for (size_t l = 0; l < LISTS; l++)
		for (const struct limit *limit = lists[l]; limit->name; limit++)
			check_one(limit);
	return core_result();
}

/* import.c: how fast traces become profiles: megabytes of the file a second, as it is unpacked.
 *
 * The files are made here (tests/made_trace.h), some ten megabytes each, and are in memory. Below those in JSON stands how
 * fast jq reads the same one, if it is here.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "io/import/import.h"
#include "tests/made_trace.h"

#define JQ_REPEATS 2

static const struct {
	const char *name;
	enum made_format format;
	double least; /* MB/s */
	bool json;
} formats[] = {
	{ "profile-visualiser text", MADE_TEXT, 150, false },
	{ "perf_timer JSON", MADE_TIMER_JSON, 100, true },
	{ "perf_timer binary", MADE_TIMER_BINARY, 300, false },
	{ "Chrome JSON, B and E", MADE_CHROME, 100, true },
	{ "Chrome JSON, X", MADE_CHROME_CALLS, 100, true },
	{ "folded stacks", MADE_FOLDED, 0, false },
};
#define FORMATS (sizeof formats / sizeof *formats)

/* -1: it could not be made. */
static int file_of(struct made *m, enum made_format format, double *bytes)
{
	int fd = memfd_create("trace", 0);
	FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");

	if (!out)
		return -1;
	made_write(m, format, out);
	if (fclose(out)) {
		close(fd);
		return -1;
	}
	*bytes = (double)lseek(fd, 0, SEEK_END);
	return fd;
}

static double import_ns(int fd)
{
	static const struct import_options options = { .source = "trace" };
	struct source *source;
	double from;
	bool done;

	lseek(fd, 0, SEEK_SET);
	from = measure_own_ns();
	source = import_source(dup(fd), &options);
	done = source && source_is_over(source_next(source));
	from = measure_own_ns() - from;
	source_close(source);
	return done ? from : 0;
}

/* CPU time of one who reads it all; 0: it is not here. */
static double jq_ns(int fd)
{
	struct rusage before, after;
	int status;
	pid_t child;

	lseek(fd, 0, SEEK_SET);
	getrusage(RUSAGE_CHILDREN, &before);
	child = fork();
	if (!child) {
		int null = open("/dev/null", O_WRONLY);

		if (dup2(fd, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
			_exit(127);
		execlp("jq", "jq", "length", (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		return 0;
	getrusage(RUSAGE_CHILDREN, &after);
	return 1e9 * (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
	       1e3 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec -
			      before.ru_stime.tv_usec);
}

static void one(struct made *m, size_t format)
{
	char beside[96];
	struct line line = { .what = formats[format].name, .unit = "MB/s", .bound = formats[format].least,
			     .target = formats[format].least > 0 ? TARGET_LEAST : TARGET_NONE };
	struct line jq = { .what = beside, .unit = "MB/s" };
	double bytes = 0, ns;
	int fd = file_of(m, formats[format].format, &bytes);

	if (fd < 0) {
		line_skip(formats[format].name, "the file could not be made");
		return;
	}
	for (int r = 0; r < measure_repeats(); r++)
		if ((ns = import_ns(fd)) > 0)
			line_add(&line, bytes / 1e6 / (ns / 1e9), 0);
	line_print(&line);
	snprintf(beside, sizeof beside, "  jq length");
	for (int r = 0; formats[format].json && r < JQ_REPEATS; r++)
		if ((ns = jq_ns(fd)) > 0)
			line_add(&jq, bytes / 1e6 / (ns / 1e9), 0);
	if (jq.figure.count)
		line_print(&jq);
	close(fd);
}

int main(int argc, char **argv)
{
	struct made_options o = { .seed = 11, .threads = 4, .calls = 500, .zones = 40, .depth = 8, .values = 4, .events = 2 };
	struct made *m;

	measure_begin(argc, argv);
	o.frames = (uint32_t)measure_times(300);
	m = made_new(&o);
	line_heading("traces become profiles");
	for (size_t format = 0; format < FORMATS; format++)
		one(m, format);
	made_free(m);
	return measure_end();
}

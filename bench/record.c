/* SPDX-License-Identifier: MIT */
/*
 * record: what it takes to record a program of 4 threads with 100 nodes each at 60 frames a second.
 *
 *   bench/record PROFTOP LOAD
 *
 *   CPU         of proftop record, user and kernel, as a part of one core, in SECONDS seconds
 *   a minute    how large the file becomes, of a program that has just begun
 *   transition  how many bytes one takes: the file beside that without single calls
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/looked_at.h"
#include "bench/measure.h"

#define SECONDS 10
#define THREADS 4
#define NODES   100
#define RATE    60

static int seconds(void)
{
	return measure_quick() ? 1 : SECONDS;
}

struct recorded {
	double cpu, bytes;
};

static void run(const char *file, const char *option)
{
	char time[16];

	snprintf(time, sizeof(time), "%d", seconds());
	execl(measure_argument(0), "proftop", "record", "-o", file, "--seconds", time, looked_at_name(), option, (char *)NULL);
	_exit(127);
}

/* False: it cannot be run. */
static bool record(const char *option, struct recorded *out)
{
	char file[] = "/tmp/bench-record.XXXXXX";
	struct rusage usage;
	struct stat st;
	int fd = mkstemp(file), status = -1;
	pid_t child;

	if (fd < 0)
		return false;
	child = fork();
	if (!child)
		run(file, option);
	if (child > 0)
		wait4(child, &status, 0, &usage);
	fstat(fd, &st);
	close(fd);
	unlink(file);
	if (status)
		return false;
	out->cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		   (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	out->bytes = (double)st.st_size;
	return true;
}

static bool measure(const char *option, struct line *cpu, struct line *size, double *bytes)
{
	static const char *const shape[SHAPE] = { "4", "100", "60", "600", NULL };

	for (int i = 0; i < 3; i++) {
		struct recorded recorded;

		if (!looked_at_start("32M", shape) || !record(option, &recorded)) {
			looked_at_end();
			return false;
		}
		looked_at_end();
		line_add(cpu, 100 * recorded.cpu / seconds(), 0);
		line_add(size, recorded.bytes * 60 / seconds() / 1e6, 0);
		*bytes = recorded.bytes;
	}
	line_print(cpu);
	line_print(size);
	return true;
}

int main(int argc, char **argv)
{
	struct line lines[] = {
		{ .what = "frames and single calls: CPU", .unit = "%", .target = TARGET_MOST, .bound = 1 },
		{ .what = "a minute", .unit = "MB" },
		{ .what = "without single calls: CPU", .unit = "%", .target = TARGET_MOST, .bound = 1 },
		{ .what = "a minute", .unit = "MB", .target = TARGET_MOST, .bound = 4 },
	}, each = { .what = "a transition", .unit = "bytes" };
	double with = 0, without = 0;

	measure_begin(argc, argv);
	if (!looked_at_begin(measure_argument(0), measure_argument(1)))
		return 1;
	measure_unpin();
	line_heading("recording 4 threads, 100 nodes each, 60 frames a second");
	if (!measure(NULL, &lines[0], &lines[1], &with) || !measure("--no-calls", &lines[2], &lines[3], &without)) {
		line_skip("recording", "proftop or load cannot be run");
		return measure_end();
	}
	line_add(&each, (with - without) / (2.0 * THREADS * NODES * RATE * seconds()), 0);
	line_print(&each);
	return measure_end();
}

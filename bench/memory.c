/* memory.c: what a profiled program takes of memory beside its region.
 *
 * Anonymous memory of the process, by the kernel's own count (/proc/self/smaps_rollup), before something and
 * after it.  Threads have made their stacks before they enter their first zone.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "bench/measure.h"
#include "bench/walk.h"
#include "prof.h"

#define THREADS 64
#define NODES   20000
#define ALONE   "BENCH_ALONE" /* bytes of this program when it is not profiled */

static double anonymous_bytes(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long kib = -1;

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "Anonymous: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib < 0 ? -1 : (double)kib * 1024;
}

static double region_bytes(void)
{
	char path[300];
	struct stat st;

	snprintf(path, sizeof path, "/dev/shm/%s", stage_region());
	return stat(path, &st) == 0 ? (double)st.st_blocks * 512 : -1;
}

static void bytes_line(const char *what, double bytes, double most)
{
	struct line line = { .what = what, .unit = "bytes", .bound = most,
		             .target = most >= 0 ? TARGET_MOST : TARGET_NONE };

	line_add(&line, bytes, 0);
	line_print(&line);
}

/* ---- threads */

static pthread_barrier_t before, entered, seen;

static void *beside(void *unused)
{
	/* The first printf and the first system call take some stack; this is done before. */
	char touched[16384];

	snprintf(touched, sizeof touched, "%p", unused);
	MEASURE_KEEP();
	pthread_barrier_wait(&before);
	pthread_barrier_wait(&before);
	walk(10, NULL);
	pthread_barrier_wait(&entered);
	pthread_barrier_wait(&seen);
	return unused;
}

static void of_a_thread(void)
{
	pthread_t threads[THREADS];
	double bytes;

	pthread_barrier_init(&before, NULL, THREADS + 1);
	pthread_barrier_init(&entered, NULL, THREADS + 1);
	pthread_barrier_init(&seen, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, beside, NULL) != 0)
			exit(1);
	pthread_barrier_wait(&before);
	bytes = anonymous_bytes();
	pthread_barrier_wait(&before);
	pthread_barrier_wait(&entered);
	bytes = anonymous_bytes() - bytes;
	bytes_line("private, a thread with 10 nodes", bytes / THREADS, 65536);
	pthread_barrier_wait(&seen);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void profiled(void)
{
	const char *alone = getenv(ALONE);
	double bytes = anonymous_bytes(), region = region_bytes();

	bytes_line("region", region, -1);
	bytes_line("private, the process at its start", bytes - (alone ? strtod(alone, NULL) : 0), -1);
	walk_begin();
	of_a_thread();
	walk(10, NULL);
	bytes = anonymous_bytes();
	walk(NODES, NULL);
	bytes_line("private, a node (20,000 of one thread)", (anonymous_bytes() - bytes) / (NODES - 10), 256);
	bytes_line("region, what it has grown since", region_bytes() - region, 0);
}

int main(int argc, char **argv)
{
	char alone[64];
	const char *const settings[] = { alone, NULL };

	measure_begin(argc, argv);
	if (stage_now()) {
		profiled();
		return measure_end();
	}
	line_heading("memory of a profiled program, with a region of the default size");
	if (anonymous_bytes() < 0) {
		line_skip("memory", "the kernel has no /proc/self/smaps_rollup (before 4.14)");
		return 0;
	}
	snprintf(alone, sizeof alone, ALONE "=%.0f", anonymous_bytes());
	stage_run("profiled", settings);
	return measure_end();
}

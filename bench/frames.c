/* frames.c: what a frame costs: the mark, and the part that each thread publishes of it.
 *
 * A thread's part of a frame is written where it first enters or leaves a zone after the mark; for the thread that
 * marks that is the end of the mark itself.  So calls of Prof_update are timed one by one, and what they take
 * longer when nodes were changed in the frame is the part.  Then the same while another process reads the region
 * as fast as it can, so that each node's line has just been taken by another core.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/mark.h"
#include "bench/measure.h"
#include "bench/walk.h"
#include "prof.h"
#include "shm/snapshot.h"

#define MARKS   20000
#define SLICES  200    /* that are read */
#define SLICE_NS 600e3 /* a thread may read each slice of this length */
#define NODES   1000
#define BESIDE  15
#define PATIENCE_S 10

/* ---- the mark */

static void mark_line(const char *what, double most_ns)
{
	struct line line = { .what = what, .unit = "ns", .bound = most_ns, .target = most_ns > 0 ? TARGET_MOST : TARGET_NONE };
	long frames = measure_times(MARKS);

	mark_ns(0, frames);
	for (int r = 0; r < measure_repeats(); r++)
		line_add(&line, mark_ns(0, frames), measure_floor_ns());
	line_print(&line);
}

/* ---- a thread's part */

static const struct {
	long nodes;
	double most_ns; /* 0: nothing is asked */
} parts[] = { { 16, 0 }, { 100, 600 }, { NODES, 5000 } };
#define PARTS (sizeof parts / sizeof *parts)

static void part_lines(const char *how)
{
	for (unsigned i = 0; i < PARTS; i++) {
		char what[64];
		struct line line = { .what = what, .unit = "ns", .bound = parts[i].most_ns,
			             .target = parts[i].most_ns > 0 ? TARGET_MOST : TARGET_NONE };
		long frames = measure_times(MARKS) * 16 / (parts[i].nodes + 16) + 1;

		snprintf(what, sizeof what, "part of %ld changed nodes%s", parts[i].nodes, how);
		mark_ns(parts[i].nodes, frames);
		for (int r = 0; r < measure_repeats(); r++) {
			double alone = mark_ns(0, frames);

			line_add(&line, mark_ns(parts[i].nodes, frames) - alone, alone);
		}
		line_print(&line);
	}
}

/* A slice whose CPU time is read, or would be.  The mark and its part are in the figure. */
static void slice_line(const char *what)
{
	struct line line = { .what = what, .unit = "ns" };
	long frames = measure_times(SLICES);

	mark_apart_ns(frames, SLICE_NS);
	for (int r = 0; r < measure_repeats(); r++) {
		double alone = mark_ns(0, measure_times(MARKS));

		line_add(&line, mark_apart_ns(frames, SLICE_NS), alone);
	}
	line_print(&line);
}

/* ---- a reader beside it */

/* Reads all nodes of all threads, over and over, and counts. */
static void read_for_ever(const char *name, _Atomic long *rounds)
{
	static struct snapshot_total totals[2 * NODES];
	struct snapshot_process process;
	struct snapshot_totals sums;
	struct attachment region;

	measure_pin(1);
	if (region_attach(&region, name, 0, NULL, 0) != ATTACH_OK)
		_exit(1);
	for (;; atomic_fetch_add(rounds, 1)) {
		snapshot_process(&region, &process);
		for (uint32_t block = 0; block < process.threads; block++) {
			struct snapshot_thread thread;

			if (snapshot_thread(&region, block, &thread) == SNAPSHOT_OK && thread.nodes <= 2 * NODES)
				snapshot_totals(&region, block, thread.last, thread.nodes, totals, &sums);
		}
	}
}

static void beside_a_reader(void)
{
	_Atomic long *rounds = mmap(NULL, sizeof *rounds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t reader = rounds == MAP_FAILED || !measure_pin(1) ? -1 : fork();

	if (reader == 0)
		read_for_ever(stage_region(), rounds);
	measure_pin(0);
	for (double until = measure_now_ns() + PATIENCE_S * 1e9; reader > 0 && !atomic_load(rounds);)
		if (measure_now_ns() > until || waitpid(reader, NULL, WNOHANG) == reader)
			break;
	if (reader > 0 && atomic_load(rounds))
		part_lines(", just read");
	else
		line_skip("parts of nodes that were just read", "there is one core only, or no reader");
	if (reader > 0) {
		kill(reader, SIGKILL);
		waitpid(reader, NULL, 0);
	}
}

/* ---- many threads */

static atomic_bool at_work, over;
static pthread_barrier_t together;

static void *beside(void *unused)
{
	measure_pin(1);
	walk(100, NULL);
	pthread_barrier_wait(&together);
	while (!atomic_load_explicit(&over, memory_order_relaxed)) {
		if (atomic_load_explicit(&at_work, memory_order_relaxed))
			walk(100, NULL);
		else
			usleep(10000);
	}
	return unused;
}

static void beside_threads(void)
{
	pthread_t threads[BESIDE];
	int made = 0;

	pthread_barrier_init(&together, NULL, BESIDE + 1);
	while (made < BESIDE && pthread_create(&threads[made], NULL, beside, NULL) == 0)
		made++;
	if (made < BESIDE) {
		line_skip("mark, 16 threads", "so many threads could not be made");
		exit(1);
	}
	pthread_barrier_wait(&together);
	mark_line("mark, 16 threads of which 15 rest", 100);
	atomic_store(&at_work, true);
	mark_line("mark, 16 threads at work", 100);
	atomic_store(&over, true);
	for (int i = 0; i < BESIDE; i++)
		pthread_join(threads[i], NULL);
}

static void profiled(void)
{
	walk_begin();
	line_heading("frame mark; floor: two reads of the clock");
	mark_line("mark, while the region takes its memory", 0);
	mark_line("mark, one thread", 100);
	beside_threads();
	line_heading("a thread's part of a frame; floor: the mark alone");
	part_lines("");
	slice_line("slice of 600 us, CPU time read");
	beside_a_reader();
}

static void without_cpu(void)
{
	walk_begin();
	slice_line("slice of 600 us, PROF_CPU=0");
}

int main(int argc, char **argv)
{
	static const char *const no_cpu[] = { "PROF_CPU=0", NULL };

	measure_begin(argc, argv);
	if (!stage_now()) {
		stage_run("profiled", NULL);
		stage_run("without CPU time", no_cpu);
	} else if (!strcmp(stage_now(), "profiled")) {
		profiled();
	} else {
		without_cpu();
	}
	return measure_end();
}

/* samples.c: what a sample costs the program in which it is taken.
 *
 *   bench/samples
 *
 * A program with 1 or 8 busy threads, in zones and ten functions deep, does a fixed amount of work: in a region without
 * samples, which is the floor; with RATE samples a second of CPU time; and without a region, below perf record at the same
 * rate, if it is installed.  What is compared is the CPU time of the program from exec to exit.  The difference, divided by
 * the samples that came in that time, is the cost of one.
 *
 * The rate is ten times the usual one: at 1,000 a second the difference would be less than what runs differ by.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "libprof/prof.h"

#define RATE    10000
#define THREADS 8
#define WORK    60000 /* turns of all threads */
#define DEPTH   10

/* ---- the program that is measured */

__attribute__((noinline, optimize("no-omit-frame-pointer,no-optimize-sibling-calls"))) static unsigned deep(unsigned x, int depth)
{
	for (int i = 0; i < 500; i++)
		x = x * 1664525 + 1013904223;
	return depth ? deep(x, depth - 1) ^ x : x;
}

static void *work(void *turns)
{
	volatile unsigned kept = 1;

	for (long i = *(long *)turns; i > 0; i--) {
		Prof_Begin(turn)
		kept = deep(kept, DEPTH);
		Prof_End
	}
	return NULL;
}

static int run_work(int threads)
{
	pthread_t others[THREADS];
	long turns = measure_times(WORK) / threads;

	for (int i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, work, &turns) != 0)
			return 1;
	work(&turns);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	Prof_update(1);
	return 0;
}

/* ---- and its CPU time */

enum how { UNSAMPLED, SAMPLED, ALONE, PERF, HOWS };

static volatile sig_atomic_t child;
static char region[64], itself[4096];

/* Nothing is left when the user has had enough. */
static void stop(int signal)
{
	if (child > 0)
		kill((pid_t)child, SIGKILL);
	shm_unlink(region);
	_exit(128 + signal);
}

static void become(enum how how, int threads)
{
	char number[8], rate[16];
	const char *const of_perf[] = { "perf", "record", "-q", "-g", "-e", "task-clock:u", "-F", rate, "-o", "/dev/null", "--", itself,
					"work", number, measure_quick() ? "--quick" : NULL, NULL };
	int null = open("/dev/null", O_RDWR);

	snprintf(number, sizeof number, "%d", threads);
	snprintf(rate, sizeof rate, "%d", RATE);
	unsetenv("PROF_SHM");
	unsetenv("PROF_SAMPLE");
	if (how <= SAMPLED)
		setenv("PROF_SHM", region + 1, 1);
	if (how == SAMPLED)
		setenv("PROF_SAMPLE", rate, 1);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execvp(how == PERF ? "perf" : itself, (char *const *)(how == PERF ? of_perf : of_perf + 11));
	_exit(127);
}

/* Its CPU time, s; below 0: it failed. */
static double run(enum how how, int threads)
{
	struct rusage used;
	int status = 1;

	child = fork();
	if (child == 0)
		become(how, threads);
	if (child > 0)
		wait4((pid_t)child, &status, 0, &used);
	child = 0;
	shm_unlink(region);
	return status == 0 ? (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
				     (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6
			   : -1;
}

/* us a sample. */
static double cost(double with, double without)
{
	return (with - without) * 1e6 / (without * RATE);
}

static void measure(int threads)
{
	struct line ours = { .what = threads == 1 ? "PROF_SAMPLE, 1 thread" : "PROF_SAMPLE, 8 threads", .unit = "us",
			     .target = TARGET_MOST, .bound = 1.25 };
	struct line perf = { .what = "perf record -g, and the program below it", .unit = "us" };
	bool has_perf = true;

	for (int r = 0; r < measure_repeats(); r++) {
		double seconds[HOWS];

		for (int how = 0; how < HOWS; how++)
			seconds[how] = how == PERF && !has_perf ? -1 : run((enum how)how, threads);
		has_perf = seconds[PERF] >= 0;
		if (seconds[UNSAMPLED] <= 0 || seconds[SAMPLED] < 0 || seconds[ALONE] <= 0) {
			line_skip(ours.what, "the program failed");
			return;
		}
		line_add(&ours, cost(seconds[SAMPLED], seconds[UNSAMPLED]), 0);
		if (has_perf)
			line_add(&perf, cost(seconds[PERF], seconds[ALONE]), 0);
	}
	line_print(&ours);
	if (has_perf)
		line_print(&perf);
	else
		line_skip(perf.what, "not installed (Debian: linux-perf), or not permitted");
}

int main(int argc, char **argv)
{
	ssize_t size = readlink("/proc/self/exe", itself, sizeof itself - 1);

	measure_begin(argc, argv);
	measure_unpin();
	if (measure_argument(0) && measure_argument(1) && !strcmp(measure_argument(0), "work"))
		return run_work(atoi(measure_argument(1)));
	if (size <= 0)
		return 1;
	snprintf(region, sizeof region, "/bench.samples.%ld", (long)getpid());
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	line_heading("CPU time that a sample costs, at 10,000 a second");
	measure(1);
	measure(THREADS);
	return measure_end();
}

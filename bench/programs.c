/* programs.c: how much longer real programs take when they are profiled.
 *
 *   bench/programs BUILD SOURCE
 *
 * BUILD has the programs, SOURCE is a folder for those of them that read one.  Each runs with its instrumentation
 * compiled out, which is the floor; with it and no PROF_SHM; with PROF_SHM; and with that and PROF_EVENTS=0: one
 * after the other in each repetition.  What is compared is their CPU time, of all threads, from exec to exit: the
 * making of the region is in it.
 *
 * And how much longer it takes, by the clock on the wall, until one has begun and ended that does nothing, with regions
 * of several sizes.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"

static const char *build, *source;

struct program {
	const char *name, *file, *plain; /* plain: the one without instrumentation */
	const char *arguments[6];        /* NULL: the source */
	const char *quick[6];
	int count, quick_count;
};

static const struct program programs[] = {
	{ "interpreter, one run", "bench/interpreter", "bench/interpreter_plain", { "1" }, { "1" }, 1, 1 },
	{ "interpreter", "bench/interpreter", "bench/interpreter_plain", { "800" }, { "2" }, 1, 1 },
	{ "squash", "examples/squash", "bench/squash_plain", { "-j", "2", "-l", "19", NULL }, { "-l", "1", NULL }, 5, 3 },
};
#define PROGRAMS (sizeof programs / sizeof *programs)

enum how { COMPILED_OUT, NOT_PROFILED, PROFILED, WITHOUT_EVENTS, HOWS };
static const char *const hows[HOWS] = {
	[NOT_PROFILED] = "%s, no PROF_SHM",
	[PROFILED] = "%s, profiled",
	[WITHOUT_EVENTS] = "%s, profiled, PROF_EVENTS=0",
};

static volatile sig_atomic_t child;
static char region[64];

/* Nothing is left when the user has had enough. */
static void stop(int signal)
{
	if (child > 0)
		kill((pid_t)child, SIGKILL);
	shm_unlink(region);
	_exit(128 + signal);
}

static void become(const struct program *program, enum how how, const char *size)
{
	char path[4096], *argv[8] = { path };
	const char *const *arguments = measure_quick() ? program->quick : program->arguments;
	int count = measure_quick() ? program->quick_count : program->count;
	int null = open("/dev/null", O_RDWR);

	snprintf(path, sizeof path, "%s/%s", build, how == COMPILED_OUT ? program->plain : program->file);
	for (int i = 0; i < count; i++)
		argv[i + 1] = (char *)(arguments[i] ? arguments[i] : source);
	if (how >= PROFILED)
		setenv("PROF_SHM", region + 1, 1);
	if (measure_quick())
		setenv("PROF_SHM_SIZE", MEASURE_QUICK_SIZE, 1);
	if (size)
		setenv("PROF_SHM_SIZE", size, 1);
	if (how == WITHOUT_EVENTS)
		setenv("PROF_EVENTS", "0", 1);
	dup2(null, STDOUT_FILENO);
	execv(path, argv);
	_exit(127);
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Its CPU time, ms; below 0: it failed.  size: PROF_SHM_SIZE, NULL: the default. */
static double run(const struct program *program, enum how how, const char *size)
{
	struct rusage used;
	int status = 1;

	child = fork();
	if (child == 0)
		become(program, how, size);
	if (child > 0)
		wait4((pid_t)child, &status, 0, &used);
	child = 0;
	return status == 0 ? (seconds(used.ru_utime) + seconds(used.ru_stime)) * 1e3 : -1;
}

static bool is_there(const char *file)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", build, file);
	return access(path, X_OK) == 0;
}

static void measure(const struct program *program)
{
	struct line lines[HOWS];
	char what[HOWS][64];
	double ms[HOWS];

	for (int how = NOT_PROFILED; how < HOWS; how++) {
		snprintf(what[how], sizeof what[how], hows[how], program->name);
		lines[how] = (struct line){ .what = what[how], .unit = "ms" };
	}
	for (int r = 0; r < measure_repeats(); r++) {
		for (int how = 0; how < HOWS; how++) {
			ms[how] = run(program, (enum how)how, NULL);
			if (ms[how] < 0) {
				line_skip(program->name, "it failed");
				return;
			}
			if (how != COMPILED_OUT)
				line_add(&lines[how], ms[how], ms[COMPILED_OUT]);
		}
	}
	for (int how = NOT_PROFILED; how < HOWS; how++)
		line_print(&lines[how]);
}

/* ---- start and end */

#define STARTS 20

/* From before its fork to its end, the least of many, ms; below 0: it failed.  size: NULL: without PROF_SHM. */
static double start_ms(const char *size)
{
	static const struct program hello = { .file = "bench/hello" };
	struct sample times = { .count = 0 };

	for (int i = 0; i < STARTS; i++) {
		double start = measure_now_ns();
		if (run(&hello, size ? PROFILED : NOT_PROFILED, size) < 0)
			return -1;
		sample_add(&times, (measure_now_ns() - start) / 1e6);
	}
	return sample_least(&times);
}

static void measure_starts(void)
{
	static const char *const sizes[] = { "1M", "32M", "1G" };
	struct line lines[3] = {
		{ .what = "PROF_SHM_SIZE=1M, more than without PROF_SHM" },
		{ .what = "PROF_SHM_SIZE=32M" },
		{ .what = "PROF_SHM_SIZE=1G" },
	};

	line_heading("start and end of a hello, on the wall; floor: without PROF_SHM");
	for (int r = 0; r < measure_repeats(); r++) {
		double without = start_ms(NULL);
		for (int i = 0; i < 3; i++) {
			double with = start_ms(sizes[i]);
			if (without < 0 || with < 0) {
				line_skip("hello", "it failed");
				return;
			}
			line_add(&lines[i], with - without, without);
		}
	}
	for (int i = 0; i < 3; i++) {
		lines[i].unit = "ms";
		lines[i].target = TARGET_MOST;
		lines[i].bound = 1;
		line_print(&lines[i]);
	}
}

int main(int argc, char **argv)
{
	measure_begin(argc, argv);
	measure_unpin();
	build = measure_argument(0);
	source = measure_argument(1);
	if (!build || !source) {
		fprintf(stderr, "programs BUILD SOURCE\n");
		return 2;
	}
	snprintf(region, sizeof region, "/bench.programs.%ld", (long)getpid());
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	line_heading("CPU time of programs; floor: instrumentation compiled out");
	for (unsigned i = 0; i < PROGRAMS; i++) {
		if (is_there(programs[i].file) && is_there(programs[i].plain))
			measure(&programs[i]);
		else
			line_skip(programs[i].name, "it was not built (squash needs zstd)");
	}
	measure_starts();
	return measure_end();
}

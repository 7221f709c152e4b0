/* pairs.c: what entering and leaving a zone costs, in each shape that zones come in.
 *
 *   bench/pairs                    zones of an executable, with the counter of the machine as clock
 *   bench/pairs_constant           the same with a clock that costs nothing, and so hides nothing
 *   bench/pairs_shared             zones of a shared library that the executable is linked with
 *   bench/pairs_shared MODULE      zones of a module that it loads
 *
 * Each without a region; with one; and with one but no log of events (PROF_EVENTS=0).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "bench/hiding.h"
#include "bench/measure.h"
#include "bench/shapes.h"
#include "prof.h"
#include "shm/snapshot.h"

#define PAIRS 300000
#define RATIO 1.05

/* libprofclock.la has this variable, and no other build of the library. */
extern _Atomic int64_t clock_of_tests __attribute__((weak));

static const struct shape *shapes;
static const char *place;
static bool constant; /* the clock is */
static bool hidden;   /* the CPU works on while it reads its clock */

static double pair_ns(const struct shape *shape)
{
	long times = measure_times(PAIRS);
	double without = measure_time_ns(shape->without, times), start = measure_own_ns();
	long pairs = shape->run(times);

	return (measure_own_ns() - start - without) / (double)(pairs ? pairs : 1);
}

static void measure(struct line *line, const struct shape *shape)
{
	line->unit = "ns";
	shape->run(measure_times(PAIRS)); /* nodes, pages, caches */
	for (int r = 0; r < measure_repeats(); r++) {
		double floor = measure_floor_ns();

		line_add(line, pair_ns(shape), floor);
	}
	line_print(line);
}

static struct line line_of(const struct shape *shape, const char *what)
{
	if (constant)
		return (struct line){ .what = what, .bound = shape->constant_ns,
			              .target = shape->constant_ns > 0 ? TARGET_MOST : TARGET_NONE };
	return (struct line){ .what = what, .target = TARGET_MOST_RATIO, .bound = RATIO,
		              .footnote = hidden ? NULL : "(a)" };
}

static void all_shapes(void)
{
	for (int i = 0; i < SHAPES; i++) {
		struct line line = line_of(&shapes[i], shapes[i].name);

		measure(&line, &shapes[i]);
	}
}

/* Two threads, each on its core, in the same zones at the same time */

static atomic_bool over;
static pthread_barrier_t together;

static void *beside(void *unused)
{
	measure_pin(1);
	pthread_barrier_wait(&together);
	while (!atomic_load_explicit(&over, memory_order_relaxed))
		shapes[SHAPE_FLAT].run(measure_times(PAIRS));
	return unused;
}

static void two_threads(void)
{
	const char *what = "flat, two threads on two cores, same zones";
	struct line line = line_of(&shapes[SHAPE_FLAT], what);
	pthread_t thread;

	if (!measure_pin(1)) {
		line_skip(what, "there is one core only");
		return;
	}
	measure_pin(0);
	pthread_barrier_init(&together, NULL, 2);
	if (pthread_create(&thread, NULL, beside, NULL) != 0) {
		line_skip(what, "no thread could be made");
		return;
	}
	pthread_barrier_wait(&together);
	measure(&line, &shapes[SHAPE_FLAT]);
	atomic_store(&over, true);
	pthread_join(thread, NULL);
}

/* A task gives its thread away in three zones, and goes on: for each zone an exit and an entry. */
static double suspended_ns(long times)
{
	Prof_stack stack = Prof_STACK;
	double start;

	Prof_Resume(&stack);
	Prof_Begin(task)
	Prof_Begin(step)
	Prof_Begin(wait)
	start = measure_own_ns();
	for (long i = 0; i < times; i++) {
		Prof_Suspend(&stack);
		Prof_Resume(&stack);
	}
	start = measure_own_ns() - start;
	Prof_End
	Prof_End
	Prof_End
	return start / (double)times / 3;
}

static void suspended(void)
{
	struct line line = { .what = "a zone suspended and resumed, three at once", .unit = "ns" };

	suspended_ns(measure_times(PAIRS / 3));
	for (int r = 0; r < measure_repeats(); r++) {
		double floor = measure_floor_ns();

		line_add(&line, suspended_ns(measure_times(PAIRS / 3)), floor);
	}
	line_print(&line);
}

/* The library measures at its start what proftop says of overhead. */
static void told(void)
{
	struct line line = { .what = "a pair, as the region says of itself", .unit = "ns" };
	struct attachment region;
	struct snapshot_process process;

	if (region_attach(&region, stage_region(), 0, NULL, 0) != ATTACH_OK) {
		line_skip(line.what, "the region cannot be read");
		return;
	}
	snapshot_process(&region, &process);
	line_add(&line, (double)process.pair_ps / 1e3, measure_floor_ns());
	line_print(&line);
	region_detach(&region);
}

static void heading(const char *how)
{
	char what[128];

	snprintf(what, sizeof what, "zone pair in %s%s%s", place, constant ? ", the clock a constant" : "", how);
	line_heading(what);
}

static void not_profiled(void)
{
	struct line line = { .what = "off: no PROF_SHM", .target = TARGET_MOST, .bound = 0.5 };

	heading(", not profiled");
	measure(&line, &shapes[SHAPE_FLAT]);
}

static void profiled(void)
{
	heading("");
	all_shapes();
	two_threads();
	suspended();
	if (!constant)
		told();
}

static void without_events(void)
{
	heading(", PROF_EVENTS=0");
	all_shapes();
}

/* Where the shapes are: in the module, if there is one, or where the linker found them. */
static bool find_shapes(const char *module)
{
	const struct shape *(*get)(void) = shapes_get;
	void *handle = module ? dlopen(module, RTLD_NOW | RTLD_LOCAL) : NULL;
	Dl_info where;

	if (module) {
		get = NULL;
		if (handle)
			*(void **)&get = dlsym(handle, SHAPES_SYMBOL);
	}
	if (!get) {
		fprintf(stderr, "pairs: %s\n", dlerror());
		return false;
	}
	shapes = get();
	place = module ? "a module (dlopen)" : "an executable";
	if (!module && dladdr((const void *)shapes, &where) && where.dli_fname && strstr(where.dli_fname, ".so"))
		place = "a shared library";
	return true;
}

int main(int argc, char **argv)
{
	static const char *const no_events[] = { "PROF_EVENTS=0", NULL };

	measure_begin(argc, argv);
	constant = &clock_of_tests != NULL;
	if (constant)
		clock_of_tests = 1ll << 40; /* where it stood the library has gone past it: it would have gone back */
	hidden = hiding_is();
	if (!find_shapes(measure_argument(0)))
		return 1;
	if (stage_now()) {
		if (!strcmp(stage_now(), "profiled"))
			profiled();
		else
			without_events();
		return measure_end();
	}
	if (!constant)
		not_profiled();
	stage_run("profiled", NULL);
	stage_run("without events", no_events);
	return measure_end();
}
